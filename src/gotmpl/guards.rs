//! Under which conditions a byte of a template is emitted, and which values those read.
//!
//! [`guards`] lists the control structures around an offset, [`reads`] the paths below `.Values` that an expression names. What the
//! paths stand for depends on the dot: `with` and `range` change it, and in a definition both `.` and `$` are what the caller
//! passes. Such paths are listed, but not as [`Read::rooted`]. Deciding conditions is `decide.rs`.

use super::ast::{BranchId, Define, DefineId, Kind, NodeId, Template};
use crate::source::Span;

/// Which control structure a [`Guard`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `if`.
    If,
    /// `with`: also sets the dot.
    With,
    /// `range`: also sets the dot.
    Range,
}

/// Which of the two lists of a control structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The condition has to hold.
    Then,
    /// It must not.
    Else,
}

/// One control structure around a place. A chain of `else if` is one guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The node whose list holds the place; of a chain the link that does.
    pub node: NodeId,
    /// Its kind.
    pub control: Control,
    /// Which list.
    pub side: Side,
    /// The condition, or what is ranged over.
    pub pipe: NodeId,
    /// The tag that opens the list: `{{ if … }}`, `{{ else if … }}` or, for [`Side::Else`], `{{ else }}`.
    pub span: Span,
    /// The earlier conditions of the chain, all of which must not hold.
    pub earlier: Vec<NodeId>,
}

/// The control structures around `offset`, outermost first. In a definition those within it.
pub fn guards(template: &Template, offset: u32) -> Vec<Guard> {
    surroundings(template, offset).guards
}

/// The definition whose body holds `offset`: a `define`, or a `block`, which may be replaced or called from elsewhere.
pub fn enclosing_define(template: &Template, offset: u32) -> Option<&Define> {
    surroundings(template, offset).define.map(|id| template.define(id))
}

struct Surroundings {
    guards: Vec<Guard>,
    define: Option<DefineId>,
    /// Whether `.` and `$` are what the file is rendered with.
    dot: bool,
    dollar: bool,
}

fn surroundings(template: &Template, offset: u32) -> Surroundings {
    let mut around = Surroundings { guards: Vec::new(), define: None, dot: true, dollar: true };
    let mut list = template.root();
    let mut earlier: Vec<NodeId> = Vec::new();
    while let Kind::List(run) = template.kind(list) {
        let items = template.nodes(run);
        let next = items.partition_point(|item| template.span(*item).end <= offset);
        let Some(node) =
            items.get(next).copied().filter(|item| template.span(*item).contains(offset))
        else {
            break;
        };
        let (control, branch) = match template.kind(node) {
            Kind::If(branch) => (Control::If, branch),
            Kind::With(branch) => (Control::With, branch),
            Kind::Range(branch) => (Control::Range, branch),
            Kind::Define(id) | Kind::Block(id) => {
                let body = template.define(id).body;
                if !template.span(body).contains(offset) {
                    break;
                }
                if let Kind::Define(_) = template.kind(node) {
                    around.guards.clear();
                }
                (around.define, around.dot, around.dollar) = (Some(id), false, false);
                list = body;
                continue;
            }
            _ => break,
        };
        let Some((side, inner)) = side(template, branch, offset) else { break };
        let parts = template.branch(branch);
        let chained = side == Side::Else
            && parts.otherwise.is_some_and(|otherwise| {
                // `else if`: the chained node starts with the tag of the `else`.
                template.span(otherwise.list).start == template.tag(otherwise.tag).span.start
            });
        if chained {
            earlier.push(parts.pipe);
            list = inner;
            continue;
        }
        let tag = match (side, parts.otherwise) {
            (Side::Else, Some(otherwise)) => otherwise.tag,
            _ => parts.head,
        };
        let span = template.tag(tag).span;
        let (pipe, earlier) = (parts.pipe, std::mem::take(&mut earlier));
        around.guards.push(Guard { node, control, side, pipe, span, earlier });
        if side == Side::Then && control != Control::If {
            around.dot = control == Control::With && is_root(template, pipe, &around);
        }
        list = inner;
    }
    around
}

/// Which list of a control structure holds `offset`; neither for its tags.
fn side(template: &Template, branch: BranchId, offset: u32) -> Option<(Side, NodeId)> {
    let branch = template.branch(branch);
    if template.span(branch.list).contains(offset) {
        return Some((Side::Then, branch.list));
    }
    let list = branch.otherwise?.list;
    template.span(list).contains(offset).then_some((Side::Else, list))
}

/// Whether `with` is given the root, as in `{{ with $ }}`.
fn is_root(template: &Template, pipe: NodeId, around: &Surroundings) -> bool {
    match template.kind(single(template, pipe)) {
        Kind::Dot => around.dot,
        Kind::Variable => around.dollar && template.text(single(template, pipe)) == "$",
        _ => false,
    }
}

/// What a pipe stands for if it only wraps an operand, in any number of parentheses; else the pipe.
pub(super) fn single(template: &Template, mut node: NodeId) -> NodeId {
    while let Kind::Pipe { items, decls: 0, .. } = template.kind(node)
        && let [command] = template.nodes(items)
        && let Kind::Command(arguments) = template.kind(*command)
        && let [operand] = template.nodes(arguments)
    {
        node = *operand;
    }
    node
}

/// A path below `.Values` that an expression reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The keys behind `Values`; empty if the whole is read.
    pub path: Vec<String>,
    /// Where it is written, up to the last key.
    pub span: Span,
    /// Whether the path surely starts at the values of the chart that is rendered. In a definition, and through a dot that `with` or
    /// `range` has set, it depends on what is passed.
    pub rooted: bool,
}

/// The paths that `node` and what is in it read, in the order of the text: `.Values.a.b`, `$.Values.a`, `(.Values.a).b`,
/// `index .Values "a" "b"`, `get .Values "a"`, `hasKey .Values "a"`.
pub fn reads(template: &Template, node: NodeId) -> Vec<Read> {
    let view = View::at(template, node);
    let mut found = Vec::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        match template.kind(node) {
            Kind::Command(run) => {
                let arguments = template.nodes(run);
                if let Some((read, used)) = view.lookup(arguments, true, MAX_LOOKUPS) {
                    found.push(read);
                    stack.extend(&arguments[used..]);
                } else {
                    stack.extend(arguments);
                }
            }
            Kind::Field | Kind::Variable | Kind::Chain(_) => match view.path(node) {
                Some(read) => found.push(read),
                None => stack.extend(template.children(node)),
            },
            _ => stack.extend(template.children(node)),
        }
    }
    found.sort_by_key(|read| read.span);
    found
}

/// Lookups in lookups beyond this are not followed.
const MAX_LOOKUPS: usize = 64;

/// A template as seen from one place in it.
pub(super) struct View<'t> {
    pub(super) template: &'t Template,
    dot: bool,
    dollar: bool,
}

impl<'t> View<'t> {
    pub(super) fn at(template: &'t Template, node: NodeId) -> Self {
        let around = surroundings(template, template.span(node).start);
        Self { template, dot: around.dot, dollar: around.dollar }
    }

    /// The path that an operand stands for, if it is one.
    pub(super) fn path(&self, node: NodeId) -> Option<Read> {
        self.nested(node, MAX_LOOKUPS)
    }

    fn nested(&self, node: NodeId, depth: usize) -> Option<Read> {
        let node = single(self.template, node);
        let mut names = self.template.idents(node).peekable();
        let start = self.template.span(node).start;
        let mut read = match self.template.kind(node) {
            Kind::Field => Read { path: Vec::new(), span: Span::at(start), rooted: self.dot },
            Kind::Variable if names.next_if(|(name, _)| *name == "$").is_some() => {
                Read { path: Vec::new(), span: Span::at(start), rooted: self.dollar }
            }
            Kind::Chain(term) => {
                // `($).Values.x` and `(.).Values.x` start at the root too.
                let inner = single(self.template, term);
                let rooted = match self.template.kind(inner) {
                    Kind::Dot => Some(self.dot),
                    Kind::Variable if self.template.text(inner) == "$" => Some(self.dollar),
                    _ => None,
                };
                let Some(rooted) = rooted else {
                    let mut read = self.nested(term, depth.checked_sub(1)?)?;
                    read.span = self.template.span(node);
                    read.path.extend(names.map(|(name, _)| name.to_owned()));
                    return Some(read);
                };
                Read { path: Vec::new(), span: Span::at(start), rooted }
            }
            Kind::Pipe { items, decls: 0, .. } => {
                let [command] = self.template.nodes(items) else { return None };
                let Kind::Command(arguments) = self.template.kind(*command) else { return None };
                let mut read =
                    self.lookup(self.template.nodes(arguments), false, depth.checked_sub(1)?)?.0;
                read.span = self.template.span(node);
                return Some(read);
            }
            _ => return None,
        };
        names.next_if(|(name, _)| *name == "Values")?;
        read.path.extend(names.map(|(name, _)| name.to_owned()));
        read.span = self.template.span(node);
        Some(read)
    }

    /// A call such as `index .Values "a" "b"`, and how many of its words make up the path. If not all keys are literals the
    /// path ends before the first other one where `partial` allows it.
    fn lookup(&self, arguments: &[NodeId], partial: bool, depth: usize) -> Option<(Read, usize)> {
        let (function, rest) = arguments.split_first()?;
        let (base, keys) = rest.split_first()?;
        let Kind::Identifier = self.template.kind(*function) else { return None };
        let known = match self.template.text(*function) {
            "index" => true,
            "get" => keys.len() == 1,
            // Not the value but whether there is one.
            "hasKey" => partial && keys.len() == 1,
            _ => false,
        };
        let mut read =
            if known { self.nested(*base, depth.checked_sub(1)?)? } else { return None };
        let mut used = 2;
        for key in keys {
            let Kind::String(_) = self.template.kind(*key) else {
                if partial {
                    break;
                }
                return None;
            };
            read.path.push(String::from_utf8_lossy(self.template.string(*key)).into_owned());
            read.span.end = self.template.span(*key).end;
            used += 1;
        }
        read.span.start = self.template.span(*function).start;
        Some((read, used))
    }

    /// The path that a whole command stands for.
    pub(super) fn command_path(&self, arguments: &[NodeId]) -> Option<Read> {
        match arguments {
            [operand] => self.path(*operand),
            _ => self.lookup(arguments, false, MAX_LOOKUPS).map(|(read, _)| read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gotmpl::parse;
    use crate::source::Source;

    fn template(text: &str) -> Template {
        let template = parse("t.yaml", &Source::new("t.yaml", text));
        assert_eq!(template.errors(), []);
        template
    }

    /// The guards at the `@` of a text, one per line.
    fn shown(text: &str) -> Vec<String> {
        let template = template(text);
        let at = text.find('@').unwrap() as u32;
        let show = |guard: &Guard| {
            let earlier = guard
                .earlier
                .iter()
                .fold(String::new(), |all, pipe| all + " not(" + template.text(*pipe) + ")");
            let tag = guard.span.slice(text);
            format!(
                "{:?} {:?} {}{earlier} {tag}",
                guard.control,
                guard.side,
                template.text(guard.pipe)
            )
        };
        guards(&template, at).iter().map(show).collect()
    }

    #[test]
    fn guards_are_listed_outermost_first() {
        assert_eq!(
            shown("{{ if .a }}{{ with .b }}x{{ else }}{{ range .c }}@{{ end }}{{ end }}{{ end }}"),
            ["If Then .a {{ if .a }}", "With Else .b {{ else }}", "Range Then .c {{ range .c }}"]
        );
        assert!(shown("{{ if .a }}x{{ end }}@").is_empty());
        assert!(shown("@{{ if .a }}x{{ end }}").is_empty());
    }

    #[test]
    fn a_chain_is_one_guard_with_its_earlier_conditions() {
        let chain = |a, b, c, d| {
            format!(
                "{{{{if .a}}}}{a}{{{{else if .b}}}}{b}{{{{else if .c}}}}{c}{{{{else}}}}{d}{{{{end}}}}"
            )
        };
        assert_eq!(shown(&chain("@", "", "", "")), ["If Then .a {{if .a}}"]);
        assert_eq!(shown(&chain("", "@", "", "")), ["If Then .b not(.a) {{else if .b}}"]);
        assert_eq!(shown(&chain("", "", "@", "")), ["If Then .c not(.a) not(.b) {{else if .c}}"]);
        assert_eq!(shown(&chain("", "", "", "@")), ["If Else .c not(.a) not(.b) {{else}}"]);
    }

    #[test]
    fn a_place_in_a_condition_is_not_guarded_by_it() {
        assert!(shown("{{ if eq .a \"@\" }}x{{ end }}").is_empty());
        assert!(shown("{{if .a}}x{{else if eq .b \"@\"}}y{{end}}").is_empty());
    }

    #[test]
    fn definitions_start_anew() {
        let text = "{{ define \"d\" }}{{ if .a }}@{{ end }}{{ end }}";
        assert_eq!(shown(text), ["If Then .a {{ if .a }}"]);
        let template = template(text);
        assert_eq!(enclosing_define(&template, text.find('@').unwrap() as u32).unwrap().name, "d");
        assert!(enclosing_define(&template, 0).is_none());
        assert_eq!(
            shown("{{ if .a }}{{ block \"b\" . }}@{{ end }}{{ end }}"),
            ["If Then .a {{ if .a }}"]
        );
    }

    /// Everything that a template reads: the path, `?` if it is not rooted, and the text.
    fn all_reads(text: &str) -> Vec<String> {
        let template = template(text);
        let pipes = template
            .walk(template.root())
            .filter(|id| matches!(template.kind(*id), Kind::Pipe { parens: false, .. }));
        let show = |read: &Read| {
            let doubt = if read.rooted { "" } else { "?" };
            format!("{}{doubt} `{}`", read.path.join("/"), read.span.slice(text))
        };
        pipes.flat_map(|pipe| reads(&template, pipe)).map(|read| show(&read)).collect()
    }

    #[test]
    fn every_spelling_of_a_path_is_read() {
        assert_eq!(all_reads("{{ .Values.a.b }}"), ["a/b `.Values.a.b`"]);
        assert_eq!(all_reads("{{ $.Values.a | quote }}"), ["a `$.Values.a`"]);
        assert_eq!(all_reads("{{ ((.Values.a).b).c }}"), ["a/b/c `((.Values.a).b).c`"]);
        assert_eq!(all_reads("{{ ($).Values.a }}"), ["a `($).Values.a`"]);
        assert_eq!(
            all_reads("{{ index .Values \"a\" \"b-c\" }}"),
            ["a/b-c `index .Values \"a\" \"b-c\"`"]
        );
        assert_eq!(
            all_reads("{{ (index .Values.a \"b\").c }}"),
            ["a/b/c `(index .Values.a \"b\").c`"]
        );
        assert_eq!(
            all_reads("{{ get (get .Values \"a\") \"b\" }}"),
            ["a/b `get (get .Values \"a\") \"b\"`"]
        );
        assert_eq!(
            all_reads("{{ if hasKey .Values.a \"b\" }}{{ end }}"),
            ["a/b `hasKey .Values.a \"b\"`"]
        );
        assert_eq!(
            all_reads("{{ index .Values.a .Values.k }}"),
            ["a `index .Values.a`", "k `.Values.k`"]
        );
        assert_eq!(
            all_reads("{{ and .Values.a (or .Values.b .Release.Name) }}"),
            ["a `.Values.a`", "b `.Values.b`"]
        );
        assert!(all_reads("{{ .Chart.Values.a }}{{ $x := 1 }}{{ $x }}").is_empty());
    }

    #[test]
    fn a_dot_that_was_set_is_not_the_root() {
        assert_eq!(
            all_reads(
                "{{ with .Values.a }}{{ .Values.b }}{{ $.Values.c }}{{ else }}{{ .Values.d }}{{ end }}"
            ),
            ["a `.Values.a`", "b? `.Values.b`", "c `$.Values.c`", "d `.Values.d`"]
        );
        assert_eq!(all_reads("{{ with $ }}{{ .Values.b }}{{ end }}"), ["b `.Values.b`"]);
        assert_eq!(
            all_reads("{{ define \"d\" }}{{ .Values.a }}{{ $.Values.b }}{{ end }}"),
            ["a? `.Values.a`", "b? `$.Values.b`"]
        );
        assert_eq!(
            all_reads("{{ block \"d\" .Values.x }}{{ .Values.a }}{{ end }}"),
            ["x `.Values.x`", "a? `.Values.a`"]
        );
    }
}
