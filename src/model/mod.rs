//! Typed, spanned views of what crdlint knows about: Kubernetes objects, CRDs and their schemas.
//!
//! A view holds nodes, not values: each part knows its place, and nothing is decoded before a rule asks. Views never
//! fail; what is missing or of the wrong type is `None`, and saying so is a rule's business.

mod chart;
mod crd;
mod guard;
mod object;
mod schema;
mod template;

pub use chart::{Chart, CrdFile, Part, TemplateCrd, Value};
pub use crd::{Crd, CrdApi, CrdVersion};
pub use guard::Guard;
pub use object::{Home, Object, is_builtin_group, objects};
pub use schema::{AdditionalProperties, Keyword, Schema};
pub use template::Template;
