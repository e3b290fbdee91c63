//! Whether a condition holds, as far as that follows from known values.
//!
//! Three-valued: yes, no, or not known. Literals, paths below the root's `.Values`, `and`, `or`, `not`, `eq`, `ne`, `default` and
//! `empty` are understood as Go and Sprig define them; everything else is not known, and so is whatever Helm would fail on. It tells
//! rules which way a toggle points without rendering; rendering both ways is what proves it.

use super::ast::{Kind, NodeId, Template};
use super::guards::{Control, Guard, Read, Side, View, single};

/// What is known about a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// Null, or no such key in a map that is there.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, which from YAML is always a float.
    Number(f64),
    /// A string.
    String(String),
    /// A map or list with something in it.
    NonEmptyCollection,
    /// A map or list with nothing in it.
    EmptyCollection,
}

/// What a lookup answers for a path below `.Values`; `None` if the value is not known.
pub type Lookup<'a> = dyn Fn(&[String]) -> Option<Known> + 'a;

/// Whether `pipe` is true as `if` takes it, where `lookup` tells the values below `.Values`.
pub fn decide(template: &Template, pipe: NodeId, lookup: &Lookup<'_>) -> Option<bool> {
    Decider { view: View::at(template, pipe), lookup }.pipe(pipe, MAX_NESTING).truth()
}

/// Whether all of `guards` let a place be emitted: no as soon as one surely does not.
pub fn emitted(template: &Template, guards: &[Guard], lookup: &Lookup<'_>) -> Option<bool> {
    let holds = |guard: &Guard| {
        let earlier =
            guard.earlier.iter().map(|pipe| decide(template, *pipe, lookup).map(|truth| !truth));
        let own = if guard.control == Control::Range {
            let value = Decider { view: View::at(template, guard.pipe), lookup }
                .pipe(guard.pipe, MAX_NESTING);
            // Ranging over a scalar from YAML is an error.
            if let Value::Known(Known::Null | Known::EmptyCollection | Known::NonEmptyCollection) =
                value
            {
                value.truth()
            } else {
                None
            }
        } else {
            decide(template, guard.pipe, lookup)
        };
        all(earlier.chain([own.map(|truth| truth == (guard.side == Side::Then))]))
    };
    all(guards.iter().map(holds))
}

fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

/// Parentheses deeper than this are not looked into.
const MAX_NESTING: usize = 100;

/// What is known about the value of an expression.
#[derive(Clone, Debug)]
enum Value {
    Known(Known),
    /// An integer constant; comparing it with a float is an error.
    Int(i64),
    /// Only known to be true or false.
    Truth(bool),
    Unknown,
}

impl Value {
    fn truth(&self) -> Option<bool> {
        match self {
            Self::Known(Known::Null | Known::EmptyCollection) => Some(false),
            Self::Known(Known::NonEmptyCollection) => Some(true),
            Self::Known(Known::Bool(value)) | Self::Truth(value) => Some(*value),
            Self::Known(Known::Number(value)) => Some(*value != 0.0),
            Self::Known(Known::String(value)) => Some(!value.is_empty()),
            Self::Int(value) => Some(*value != 0),
            Self::Unknown => None,
        }
    }

    fn bool(truth: Option<bool>) -> Self {
        truth.map_or(Self::Unknown, |truth| Self::Known(Known::Bool(truth)))
    }
}

struct Decider<'t> {
    view: View<'t>,
    lookup: &'t Lookup<'t>,
}

impl Decider<'_> {
    fn pipe(&self, pipe: NodeId, depth: usize) -> Value {
        let template = self.view.template;
        let inner = single(template, pipe);
        if inner != pipe {
            return self.operand(inner, depth);
        }
        let (Kind::Pipe { items, decls, .. }, Some(depth)) =
            (template.kind(pipe), depth.checked_sub(1))
        else {
            return Value::Unknown;
        };
        let mut value = None;
        for command in &template.nodes(items)[usize::from(decls)..] {
            let Kind::Command(arguments) = template.kind(*command) else { return Value::Unknown };
            value = Some(self.command(template.nodes(arguments), value, depth));
        }
        value.unwrap_or(Value::Unknown)
    }

    fn command(&self, arguments: &[NodeId], piped: Option<Value>, depth: usize) -> Value {
        let template = self.view.template;
        if piped.is_none()
            && let Some(read) = self.view.command_path(arguments)
        {
            return self.look_up(&read);
        }
        let Some((function, rest)) = arguments.split_first() else { return Value::Unknown };
        if let Kind::Identifier = template.kind(*function) {
            let values: Vec<Value> =
                rest.iter().map(|argument| self.operand(*argument, depth)).chain(piped).collect();
            return call(template.text(*function), &values);
        }
        match (rest, piped) {
            ([], None) => self.operand(*function, depth),
            _ => Value::Unknown,
        }
    }

    fn operand(&self, node: NodeId, depth: usize) -> Value {
        let template = self.view.template;
        match template.kind(node) {
            Kind::Bool(value) => Value::Known(Known::Bool(value)),
            Kind::Nil => Value::Known(Known::Null),
            Kind::String(_) => {
                let text = String::from_utf8_lossy(template.string(node)).into_owned();
                Value::Known(Known::String(text))
            }
            Kind::Number(id) => {
                let (number, text) = (template.number(id), template.text(node));
                // Go takes a constant for a float if it is written as one (`idealConstant`).
                let hex = text.starts_with("0x") || text.starts_with("0X");
                let float = !text.starts_with('\'')
                    && (text.contains(['p', 'P']) || !hex && text.contains(['.', 'e', 'E']));
                match (number.int, number.float, number.complex) {
                    (Some(int), _, None) if !float => Value::Int(int),
                    (_, Some(value), None) => Value::Known(Known::Number(value)),
                    _ => Value::Unknown,
                }
            }
            Kind::Pipe { .. } => self.pipe(node, depth),
            _ => self.view.path(node).map_or(Value::Unknown, |read| self.look_up(&read)),
        }
    }

    fn look_up(&self, read: &Read) -> Value {
        let known = if read.rooted { (self.lookup)(&read.path) } else { None };
        known.map_or(Value::Unknown, Value::Known)
    }
}

fn call(function: &str, values: &[Value]) -> Value {
    match (function, values) {
        ("not", [value]) => Value::bool(value.truth().map(|truth| !truth)),
        ("empty", [value]) => Value::bool(value.truth().map(|truth| !truth)),
        ("and", [_, ..]) => first_that(values, false),
        ("or", [_, ..]) => first_that(values, true),
        ("eq", [first, rest @ ..]) if !rest.is_empty() => Value::bool(equal_to_any(first, rest)),
        ("ne", [a, b]) => Value::bool(equal(a, b).map(|equal| !equal)),
        ("default", [fallback, value]) => match value.truth() {
            Some(true) => value.clone(),
            Some(false) => fallback.clone(),
            // Either way the result is as true as both are.
            None if fallback.truth() == Some(true) => Value::Truth(true),
            None => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// The first value whose truth is `wanted`, or else the last: `or` and `and`.
fn first_that(values: &[Value], wanted: bool) -> Value {
    let mut known = true;
    for value in values {
        match value.truth() {
            // Whatever the ones before were, the result is either one of those that are `wanted`, or this.
            Some(truth) if truth == wanted => {
                return if known { value.clone() } else { Value::Truth(wanted) };
            }
            Some(_) => {}
            None => known = false,
        }
    }
    match values.last() {
        Some(last) if known => last.clone(),
        _ => Value::Unknown,
    }
}

/// `eq` with several arguments compares them in turn and stops at the first that is equal.
fn equal_to_any(first: &Value, rest: &[Value]) -> Option<bool> {
    for other in rest {
        if equal(first, other)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Go's `eq`, `None` where it fails or is not known.
#[expect(clippy::float_cmp, reason = "it is what Go does")]
fn equal(a: &Value, b: &Value) -> Option<bool> {
    use Value::{Int, Known as Is};
    match (a, b) {
        (Value::Unknown | Value::Truth(_), _) | (_, Value::Unknown | Value::Truth(_)) => None,
        (Is(Known::Null), Is(Known::Null)) => Some(true),
        (Is(Known::Null), _) | (_, Is(Known::Null)) => Some(false),
        (Is(Known::Bool(a)), Is(Known::Bool(b))) => Some(a == b),
        (Is(Known::String(a)), Is(Known::String(b))) => Some(a == b),
        (Is(Known::Number(a)), Is(Known::Number(b))) => Some(a == b),
        (Int(a), Int(b)) => Some(a == b),
        // Different kinds are an error, and so are collections.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gotmpl::{guards::guards, parse};
    use crate::source::Source;

    fn values(path: &[String]) -> Option<Known> {
        match path.join(".").as_str() {
            "yes" | "a.on" => Some(Known::Bool(true)),
            "no" | "a.off" => Some(Known::Bool(false)),
            "none" => Some(Known::Null),
            "zero" => Some(Known::Number(0.0)),
            "three" => Some(Known::Number(3.0)),
            "text" => Some(Known::String("abc".to_owned())),
            "blank" => Some(Known::String(String::new())),
            "map" => Some(Known::NonEmptyCollection),
            "list" => Some(Known::EmptyCollection),
            _ => None,
        }
    }

    fn decided(condition: &str) -> Option<bool> {
        let template = parse(
            "t.yaml",
            &Source::new("t.yaml", format!("{{{{ if {condition} }}}}x{{{{ end }}}}")),
        );
        assert_eq!(template.errors(), []);
        let pipe = template
            .walk(template.root())
            .find(|id| matches!(template.kind(*id), Kind::Pipe { .. }));
        decide(&template, pipe.unwrap(), &values)
    }

    #[test]
    fn conditions_that_follow_from_the_values() {
        for yes in [
            "true",
            "1",
            "\"a\"",
            ".Values.yes",
            "$.Values.a.on",
            "(.Values.a).on",
            "index .Values \"a\" \"on\"",
            "get .Values.a \"on\"",
            ".Values.map",
            "not .Values.no",
            "and .Values.yes .Values.text",
            "or .Values.no .Values.three",
            "or .Values.unknown .Values.yes",
            "eq .Values.text \"abc\"",
            "eq .Values.text \"x\" \"abc\"",
            "ne .Values.text \"x\"",
            "eq .Values.three 3.0",
            "eq .Values.none nil",
            "not (eq .Values.none \"x\")",
            ".Values.no | not",
            "default true .Values.none",
            ".Values.unknown | default true",
            "empty .Values.list",
            "and (or .Values.no (not .Values.blank)) .Values.yes",
            "$x := .Values.yes",
            "eq 1 1",
        ] {
            assert_eq!(decided(yes), Some(true), "{yes}");
        }
        for no in [
            "false",
            "0",
            "\"\"",
            ".Values.no",
            ".Values.none",
            ".Values.zero",
            ".Values.blank",
            ".Values.list",
            "and .Values.unknown .Values.no",
            "and .Values.no .Values.unknown",
            "not .Values.map",
            "ne .Values.text \"abc\"",
            "empty .Values.map",
            "default .Values.no .Values.zero",
            "eq 1 2",
            "eq .Values.yes false",
        ] {
            assert_eq!(decided(no), Some(false), "{no}");
        }
        for unknown in [
            ".Values.unknown",
            ".Release.IsInstall",
            "$.x",
            ".",
            "and .Values.yes .Values.unknown",
            "or .Values.unknown .Values.no",
            "not .Values.unknown",
            "eq .Values.three 3",
            "eq .Values.text 1",
            "eq .Values.map .Values.map",
            "default .Values.no .Values.unknown",
            "hasKey .Values \"yes\"",
            "len .Values.text",
            "gt .Values.three 1.0",
            "include \"x\" .",
            "index .Values .Values.text",
            "eq .Values.unknown \"x\"",
            "1i",
        ] {
            assert_eq!(decided(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn guards_together_decide_whether_a_place_is_emitted() {
        let emitted = |text: &str| {
            let template = parse("t.yaml", &Source::new("t.yaml", text));
            emitted(&template, &guards(&template, text.find('@').unwrap() as u32), &values)
        };
        assert_eq!(emitted("{{ if .Values.yes }}@{{ end }}"), Some(true));
        assert_eq!(
            emitted("{{ if .Values.unknown }}{{ if .Values.no }}@{{ end }}{{ end }}"),
            Some(false)
        );
        assert_eq!(emitted("{{ if .Values.no }}{{ else if .Values.yes }}@{{ end }}"), Some(true));
        assert_eq!(
            emitted("{{ if .Values.yes }}{{ else if .Values.unknown }}@{{ end }}"),
            Some(false)
        );
        assert_eq!(
            emitted("{{ if .Values.no }}{{ else if .Values.blank }}{{ else }}@{{ end }}"),
            Some(true)
        );
        assert_eq!(emitted("{{ range .Values.list }}@{{ end }}"), Some(false));
        assert_eq!(emitted("{{ range .Values.list }}{{ else }}@{{ end }}"), Some(true));
        assert_eq!(emitted("{{ range .Values.three }}@{{ end }}"), None);
        assert_eq!(emitted("{{ with .Values.map }}{{ if .Values.yes }}@{{ end }}{{ end }}"), None);
        assert_eq!(emitted("{{ define \"d\" }}{{ if .Values.yes }}@{{ end }}{{ end }}"), None);
        assert_eq!(emitted("@"), Some(true));
    }
}
