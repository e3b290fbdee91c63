//! Nodes as Go prints them: `String()` of text/template/parse, which error contexts are made of.
//!
//! `{{ index  .a(.b|len) }}` prints as `{{index .a (.b | len)}}`. Written with a stack of its own, because trees are deep.

use super::ast::{Kind, NodeId, Template};

enum Piece<'t> {
    Node(NodeId),
    Text(&'t str),
}

impl Template {
    /// The node as Go's `String()` has it.
    pub fn display(&self, id: NodeId) -> String {
        let mut out = String::new();
        let mut stack = vec![Piece::Node(id)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Node(id) => {
                    let mut pieces = Vec::new();
                    self.pieces(id, &mut pieces);
                    stack.extend(pieces.into_iter().rev());
                }
            }
        }
        out
    }

    fn pieces<'t>(&'t self, id: NodeId, out: &mut Vec<Piece<'t>>) {
        use Piece::{Node, Text};
        let branch = |out: &mut Vec<Piece<'t>>, keyword, id| {
            let branch = self.branch(id);
            out.extend([Text(keyword), Node(branch.pipe), Text("}}"), Node(branch.list)]);
            if let Some(otherwise) = branch.otherwise {
                out.extend([Text("{{else}}"), Node(otherwise.list)]);
            }
            out.push(Text("{{end}}"));
        };
        match self.kind(id) {
            Kind::List(run) => out.extend(self.nodes(run).iter().map(|item| Node(*item))),
            Kind::Comment(_) => out.extend([Text("{{"), Text(self.text(id)), Text("}}")]),
            Kind::Action { pipe, .. } => out.extend([Text("{{"), Node(pipe), Text("}}")]),
            Kind::If(id) => branch(out, "{{if ", id),
            Kind::With(id) => branch(out, "{{with ", id),
            Kind::Range(id) => branch(out, "{{range ", id),
            Kind::Break(_) => out.push(Text("{{break}}")),
            Kind::Continue(_) => out.push(Text("{{continue}}")),
            // Go's tree has no node for a definition, and the one of a block is a `template`.
            Kind::Define(_) => {}
            Kind::Block(id) => {
                let define = self.define(id);
                let name = define.name_span.slice(self.source.text());
                out.extend([Text("{{template "), Text(name)]);
                out.extend(define.pipe.into_iter().flat_map(|pipe| [Text(" "), Node(pipe)]));
                out.push(Text("}}"));
            }
            Kind::Template { name, pipe, .. } => {
                out.extend([Text("{{template "), Node(name)]);
                out.extend(pipe.into_iter().flat_map(|pipe| [Text(" "), Node(pipe)]));
                out.push(Text("}}"));
            }
            Kind::Pipe { items, decls, is_assign, .. } => {
                for (at, item) in self.nodes(items).iter().enumerate() {
                    let separator = match at.cmp(&usize::from(decls)) {
                        _ if at == 0 => "",
                        std::cmp::Ordering::Less => ", ",
                        std::cmp::Ordering::Equal if is_assign => " = ",
                        std::cmp::Ordering::Equal => " := ",
                        std::cmp::Ordering::Greater => " | ",
                    };
                    out.extend([Text(separator), Node(*item)]);
                }
            }
            Kind::Command(run) => {
                for (at, argument) in self.nodes(run).iter().enumerate() {
                    out.push(Text(if at > 0 { " " } else { "" }));
                    self.operand(*argument, out);
                }
            }
            Kind::Chain(term) => {
                self.operand(term, out);
                for (name, _) in self.idents(id) {
                    out.extend([Text("."), Text(name)]);
                }
            }
            Kind::Text
            | Kind::Field
            | Kind::Variable
            | Kind::Identifier
            | Kind::Dot
            | Kind::Nil
            | Kind::Bool(_)
            | Kind::Number(_)
            | Kind::String(_) => out.push(Text(self.text(id))),
        }
    }

    fn operand<'t>(&'t self, id: NodeId, out: &mut Vec<Piece<'t>>) {
        if let Kind::Pipe { .. } = self.kind(id) {
            out.extend([Piece::Text("("), Piece::Node(id), Piece::Text(")")]);
        } else {
            out.push(Piece::Node(id));
        }
    }
}
