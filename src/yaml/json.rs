//! Documents as JSON values: what every reader of Kubernetes YAML ends up with.
//!
//! As `sigs.k8s.io/yaml` does: keys become strings, merge keys are applied where they stand, the last duplicate
//! wins, aliases are copied up to go-yaml's limits.

use serde_json::{Map, Number, Value};

use super::arena::{Kind, Shape};
use super::error::{ErrorKind, YamlError};
use super::node::Node;
use super::scalar::{self, Scalar};
use crate::source::Span;

/// Deepest nesting that is converted. Kubernetes' own JSON decoder stops at 10,000; no object comes near either.
const MAX_DEPTH: usize = 1_000;

/// JSON value of a node: integers and floats are kept apart, as the API server does.
///
/// # Errors
/// What has no JSON form, with its place: null or collection keys, `.inf`, a wrong tag, a merge of something that
/// is no map, more aliases than go-yaml expands.
pub fn to_json(node: Node<'_>) -> Result<Value, Box<YamlError>> {
    Converter { build: true, ..Converter::default() }.value(node, 0)
}

/// Why a node has no JSON form, if it has none; the same verdict as [`to_json`], without building anything.
pub fn conversion_error(node: Node<'_>) -> Option<Box<YamlError>> {
    Converter::default().value(node, 0).err()
}

#[derive(Default)]
struct Converter {
    /// Whether values are wanted, or only the verdict.
    build: bool,
    decoded: u64,
    aliased: u64,
    alias_depth: usize,
}

impl Converter {
    fn value(&mut self, node: Node<'_>, depth: usize) -> Result<Value, Box<YamlError>> {
        self.count(node)?;
        if depth > MAX_DEPTH {
            return Err(YamlError::new(ErrorKind::TooDeep, node.span()));
        }
        if node.shape() == Shape::Alias {
            self.alias_depth += 1;
            let value = self.value(node.target(), depth + 1);
            self.alias_depth -= 1;
            return value;
        }
        match node.kind() {
            Kind::Scalar if !self.build && scalar::is_string(node) => Ok(Value::Null),
            Kind::Scalar => self::scalar(node),
            Kind::Sequence => {
                let mut items = Vec::new();
                for item in node.items() {
                    let item = self.value(item, depth + 1)?;
                    if self.build {
                        items.push(item);
                    }
                }
                Ok(Value::Array(items))
            }
            Kind::Mapping => {
                let mut map = Map::new();
                self.mapping(node, depth, &mut map)?;
                Ok(Value::Object(map))
            }
        }
    }

    fn mapping(
        &mut self,
        node: Node<'_>,
        depth: usize,
        map: &mut Map<String, Value>,
    ) -> Result<(), Box<YamlError>> {
        if depth > MAX_DEPTH {
            return Err(YamlError::new(ErrorKind::TooDeep, node.span()));
        }
        for entry in node.entries() {
            if entry.key.is_merge_key() {
                self.merge(entry.value, depth, map)?;
                continue;
            }
            self.count(entry.key)?;
            if self.build {
                let key = key(entry.key)?;
                let value = self.value(entry.value, depth + 1)?;
                map.insert(key, value);
            } else {
                if !scalar::is_string(entry.key) {
                    key(entry.key)?;
                }
                self.value(entry.value, depth + 1)?;
            }
        }
        Ok(())
    }

    fn merge(
        &mut self,
        node: Node<'_>,
        depth: usize,
        map: &mut Map<String, Value>,
    ) -> Result<(), Box<YamlError>> {
        let wrong = |node: Node<'_>| YamlError::new(ErrorKind::MergeWantsMap, node.span());
        // An alias to a list of maps is refused; only a list written here counts.
        let sources: Vec<Node<'_>> = match node.kind() {
            Kind::Mapping => vec![node],
            Kind::Sequence if node.shape() != Shape::Alias => node.items().collect(),
            _ => return Err(wrong(node)),
        };
        for source in sources.into_iter().rev() {
            if source.kind() != Kind::Mapping {
                return Err(wrong(source));
            }
            let alias = source.shape() == Shape::Alias;
            self.count(source)?;
            self.alias_depth += usize::from(alias);
            let merged = self.mapping(source, depth + 1, map);
            self.alias_depth -= usize::from(alias);
            merged?;
        }
        Ok(())
    }

    /// go-yaml's guard against alias bombs.
    fn count(&mut self, node: Node<'_>) -> Result<(), Box<YamlError>> {
        const LOW: f64 = 400_000.0;
        const HIGH: f64 = 4_000_000.0;
        self.decoded += 1;
        if self.alias_depth > 0 {
            self.aliased += 1;
        }
        if self.aliased > 100 && self.decoded > 1_000 {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let (aliased, decoded) = (self.aliased as f64, self.decoded as f64);
            let allowed = (0.99 - 0.89 * ((decoded - LOW) / (HIGH - LOW))).clamp(0.10, 0.99);
            if aliased / decoded > allowed {
                return Err(YamlError::new(ErrorKind::ExcessiveAliasing, node.span()));
            }
        }
        Ok(())
    }
}

fn scalar(node: Node<'_>) -> Result<Value, Box<YamlError>> {
    let fail = |kind| YamlError::new(kind, node.span());
    Ok(match scalar::resolve(node).map_err(fail)? {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(value.into()),
        Scalar::Uint(value) => Value::Number(value.into()),
        Scalar::Float(value) => Value::Number(Number::from_f64(value).ok_or_else(|| {
            fail(ErrorKind::NotANumber(match value {
                f64::INFINITY => "+Inf",
                f64::NEG_INFINITY => "-Inf",
                _ => "NaN",
            }))
        })?),
        Scalar::Str(text) => Value::String(text.into_owned()),
    })
}

fn key(node: Node<'_>) -> Result<String, Box<YamlError>> {
    let fail = |kind| YamlError::new(kind, Span::new(node.span().start, node.span().end));
    if node.kind() != Kind::Scalar {
        return Err(fail(ErrorKind::CollectionKey));
    }
    match scalar::resolve(node.target()).map_err(fail)? {
        Scalar::Null => Err(fail(ErrorKind::NullKey)),
        Scalar::Uint(_) => Err(fail(ErrorKind::LargeKey)),
        Scalar::Str(text) => Ok(text.into_owned()),
        other => Ok(key_text(&other)),
    }
}

/// A scalar as a mapping key: floats in 32-bit shortest form, as `sigs.k8s.io/yaml` writes them.
pub(super) fn key_text(scalar: &Scalar<'_>) -> String {
    match scalar {
        Scalar::Null => String::new(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Uint(value) => value.to_string(),
        Scalar::Float(value) => float_key(*value),
        Scalar::Str(text) => text.to_string(),
    }
}

/// Go's `strconv.FormatFloat(value, 'g', -1, 32)`.
fn float_key(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "what the upstream does")]
    let scientific = format!("{:e}", value as f32);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    #[expect(clippy::cast_possible_truncation, reason = "what the upstream does")]
    let plain = format!("{}", value as f32);
    plain
}
