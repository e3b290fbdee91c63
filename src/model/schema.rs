//! `OpenAPI` v3 schemas of CRDs: every keyword with its place.
//!
//! The keywords are the fields of `JSONSchemaProps` in `k8s.io/apiextensions-apiserver` v0.35,
//! `pkg/apis/apiextensions/v1/types_jsonschema.go`.

use crate::yaml::{Entry, Node};

macro_rules! keywords {
    ($($name:ident => $text:literal,)*) => {
        /// A field of a schema node.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "each is its own text, see `as_str`")]
        pub enum Keyword { $($name,)* }

        impl Keyword {
            /// All keywords.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// As it is written in a CRD.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The keyword with this text.
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$name),)* _ => None }
            }
        }
    };
}

keywords! {
    Id => "id",
    Schema => "$schema",
    Ref => "$ref",
    Description => "description",
    Type => "type",
    Format => "format",
    Title => "title",
    Default => "default",
    Maximum => "maximum",
    ExclusiveMaximum => "exclusiveMaximum",
    Minimum => "minimum",
    ExclusiveMinimum => "exclusiveMinimum",
    MaxLength => "maxLength",
    MinLength => "minLength",
    Pattern => "pattern",
    MaxItems => "maxItems",
    MinItems => "minItems",
    UniqueItems => "uniqueItems",
    MultipleOf => "multipleOf",
    Enum => "enum",
    MaxProperties => "maxProperties",
    MinProperties => "minProperties",
    Required => "required",
    Items => "items",
    AllOf => "allOf",
    OneOf => "oneOf",
    AnyOf => "anyOf",
    Not => "not",
    Properties => "properties",
    AdditionalProperties => "additionalProperties",
    PatternProperties => "patternProperties",
    Dependencies => "dependencies",
    AdditionalItems => "additionalItems",
    Definitions => "definitions",
    ExternalDocs => "externalDocs",
    Example => "example",
    Nullable => "nullable",
    XPreserveUnknownFields => "x-kubernetes-preserve-unknown-fields",
    XEmbeddedResource => "x-kubernetes-embedded-resource",
    XIntOrString => "x-kubernetes-int-or-string",
    XListMapKeys => "x-kubernetes-list-map-keys",
    XListType => "x-kubernetes-list-type",
    XMapType => "x-kubernetes-map-type",
    XValidations => "x-kubernetes-validations",
}

/// A node of a schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schema<'a> {
    node: Node<'a>,
}

/// What `additionalProperties` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AdditionalProperties<'a> {
    /// `true` or `false`.
    Allowed(bool),
    /// A schema for the values.
    Schema(Schema<'a>),
}

impl<'a> Schema<'a> {
    /// The schema that a node is.
    pub fn new(node: Node<'a>) -> Self {
        Self { node }
    }

    /// Its node.
    pub fn node(self) -> Node<'a> {
        self.node
    }

    /// Every entry with its keyword; `None` for what is no keyword of a CRD schema.
    pub fn keywords(self) -> impl Iterator<Item = (Option<Keyword>, Entry<'a>)> {
        self.node
            .entries()
            .map(|entry| (entry.key.to_text().and_then(|text| Keyword::from_text(&text)), entry))
    }

    /// The entry of a keyword.
    pub fn get(self, keyword: Keyword) -> Option<Entry<'a>> {
        self.node.entry(keyword.as_str())
    }

    /// `properties`: each name with its schema.
    pub fn properties(self) -> impl Iterator<Item = (Node<'a>, Self)> {
        let properties = self.get(Keyword::Properties).map(|entry| entry.value);
        properties
            .into_iter()
            .flat_map(Node::entries)
            .map(|entry| (entry.key, Self::new(entry.value)))
    }

    /// The schema of one property.
    pub fn property(self, name: &str) -> Option<Self> {
        self.get(Keyword::Properties)?.value.get(name).map(Self::new)
    }

    /// `items`.
    pub fn items(self) -> Option<Self> {
        self.get(Keyword::Items).map(|entry| Self::new(entry.value))
    }

    /// `additionalProperties`.
    pub fn additional_properties(self) -> Option<AdditionalProperties<'a>> {
        let value = self.get(Keyword::AdditionalProperties)?.value;
        if value.is_mapping() {
            return Some(AdditionalProperties::Schema(Self::new(value)));
        }
        value.as_bool().map(AdditionalProperties::Allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_texts_are_a_bijection() {
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::from_text(keyword.as_str()), Some(*keyword));
        }
    }
}
