//! Pipelines, commands and operands: the part of `parse.go` that Go writes as mutual recursion.
//!
//! Parentheses nest pipelines in operands; here each open pipeline is an entry on a stack, so that ten thousand of them need
//! no call stack. The operands of all open ones share one stack of nodes, from which finished commands and pipelines take
//! their own off the end.

use super::ast::{Kind, NodeId, NumberId};
use super::functions;
use super::lex::{Tok, Token};
use super::number::Number;
use super::parse::{MAX_DEPTH, Parsed, Parser};
use super::quote;
use crate::source::Span;

/// An open pipeline.
#[derive(Debug)]
struct Open {
    /// The parenthesis, if it is in one.
    paren: Option<Span>,
    /// Go's position: the first token.
    pos: u32,
    /// Where its variables and commands start on the stack of operands.
    items: usize,
    decls: u8,
    is_assign: bool,
    /// The command that is being parsed: its position, and where its arguments start.
    command: (u32, usize),
}

/// What comes next.
enum Next {
    /// A command or the end of the pipeline.
    Command,
    /// An operand, if there is one.
    Operand,
    /// What follows a term: its fields.
    Fields(NodeId),
    /// What follows an operand.
    Separator,
}

impl Parser<'_> {
    /// Parse up to and including the right delimiter.
    pub(super) fn pipeline(&mut self, context: &'static str) -> Parsed<NodeId> {
        let mut open = vec![self.start_pipeline(context, None)?];
        let mut next = Next::Command;
        loop {
            let Some(top) = open.last_mut() else { unreachable!("the outermost pipeline returns") };
            let context = if top.paren.is_some() { "parenthesized pipeline" } else { context };
            next = match next {
                Next::Command => {
                    let token = self.next_non_space();
                    let end = if top.paren.is_some() { Tok::RightParen } else { Tok::RightDelim };
                    if token.kind == end {
                        let pipe = self.finish_pipeline(top, token, context)?;
                        open.pop();
                        if open.is_empty() {
                            return Ok(pipe);
                        }
                        Next::Fields(pipe)
                    } else if starts_operand(token.kind) {
                        self.backup();
                        top.command = (self.peek_non_space().span.start, self.operands.len());
                        Next::Operand
                    } else {
                        return self.unexpected(token, context);
                    }
                }
                Next::Operand => {
                    let token = self.peek_non_space();
                    if token.kind == Tok::LeftParen {
                        self.next();
                        if open.len() > MAX_DEPTH {
                            self.hopeless = true;
                            return self.fail(
                                token.span,
                                "max expression depth exceeded".to_owned(),
                                None,
                            );
                        }
                        let inner =
                            self.start_pipeline("parenthesized pipeline", Some(token.span))?;
                        open.push(inner);
                        Next::Command
                    } else {
                        match self.term(token)? {
                            Some(node) => Next::Fields(node),
                            None => Next::Separator,
                        }
                    }
                }
                Next::Fields(term) => {
                    let operand = self.fields(term)?;
                    self.operands.push(operand);
                    Next::Separator
                }
                Next::Separator => {
                    let token = self.next();
                    match token.kind {
                        Tok::Space => Next::Operand,
                        Tok::RightDelim | Tok::RightParen | Tok::Pipe => {
                            if token.kind != Tok::Pipe {
                                self.backup();
                            }
                            self.finish_command(top.command, token)?;
                            Next::Command
                        }
                        _ => return self.unexpected(token, "operand"),
                    }
                }
            };
        }
    }

    /// The head of a pipeline: `$x :=`, `$i, $x :=`, `$x =`.
    fn start_pipeline(&mut self, context: &str, paren: Option<Span>) -> Parsed<Open> {
        let pos = self.peek_non_space().span.start;
        let items = self.operands.len();
        let mut open =
            Open { paren, pos, items, decls: 0, is_assign: false, command: (pos, items) };
        loop {
            let variable = self.peek_non_space();
            if variable.kind != Tok::Variable {
                return Ok(open);
            }
            self.next();
            // Space is a token, so `$x foo` takes three tokens to tell from `$x :=`.
            let after = self.peek();
            let next = self.peek_non_space();
            let comma = next.kind == Tok::Char && next.span.slice(self.text) == ",";
            if !comma && !matches!(next.kind, Tok::Assign | Tok::Declare) {
                if after.kind == Tok::Space {
                    self.backup3(variable, after);
                } else {
                    self.backup2(variable);
                }
                return Ok(open);
            }
            open.is_assign = next.kind == Tok::Assign;
            self.next_non_space();
            let node = self.node(variable.span, variable.span.start, Kind::Variable);
            self.operands.push(node);
            self.scope.push(variable.span.slice(self.text));
            open.decls += 1;
            if !comma {
                return Ok(open);
            }
            if context == "range" && open.decls < 2 {
                let second = self.peek_non_space();
                if matches!(second.kind, Tok::Variable | Tok::RightDelim | Tok::RightParen) {
                    continue;
                }
                return self.fail(
                    second.span,
                    "range can only initialize variables".to_owned(),
                    None,
                );
            }
            return self.fail(next.span, format!("too many declarations in {context}"), None);
        }
    }

    fn finish_pipeline(&mut self, open: &Open, end: Token, context: &str) -> Parsed<NodeId> {
        let commands = &self.operands[open.items + usize::from(open.decls)..];
        let Some(last) = commands.last() else {
            let span = open.paren.unwrap_or(end.span).to(end.span);
            return self.fail(span, format!("missing value for {context}"), None);
        };
        let mut span = Span::new(open.pos, self.tree.span(*last).end);
        for (stage, command) in commands.iter().enumerate().skip(1) {
            let Kind::Command(arguments) = self.tree.kind(*command) else { continue };
            let first = self.tree.nodes(arguments)[0];
            if let Kind::Bool(_) | Kind::Dot | Kind::Nil | Kind::Number(_) | Kind::String(_) =
                self.tree.kind(first)
            {
                let message = format!("non executable command in pipeline stage {}", stage + 1);
                let span = self.tree.span(first);
                return self.fail(span, message, None);
            }
        }
        if let Some(paren) = open.paren {
            span = paren.to(end.span);
        }
        let items = self.take_operands(open.items);
        let (decls, is_assign, parens) = (open.decls, open.is_assign, open.paren.is_some());
        Ok(self.node(span, open.pos, Kind::Pipe { items, decls, is_assign, parens }))
    }

    fn finish_command(&mut self, (pos, start): (u32, usize), end: Token) -> Parsed<()> {
        let Some(last) = self.operands[start..].last() else {
            return self.fail(end.span, "empty command".to_owned(), None);
        };
        let span = Span::new(pos, self.tree.span(*last).end);
        let arguments = self.take_operands(start);
        let node = self.node(span, pos, Kind::Command(arguments));
        self.operands.push(node);
        Ok(())
    }

    /// A term other than a parenthesis; `token` is the next one, and is taken if it is a term.
    fn term(&mut self, token: Token) -> Parsed<Option<NodeId>> {
        self.next_non_space();
        let text = token.span.slice(self.text);
        let kind = match token.kind {
            Tok::Identifier if functions::is_defined(text) => Kind::Identifier,
            Tok::Identifier => {
                let message = format!("function {} not defined", quote::quote(text));
                return self.fail_with(token.span, message, None, functions::help(text));
            }
            Tok::Dot => Kind::Dot,
            Tok::Nil => Kind::Nil,
            Tok::Variable if self.scope.defines(text) => Kind::Variable,
            Tok::Variable => {
                let message = format!("undefined variable {}", quote::quote(text));
                return self.out_of_scope(token.span, message);
            }
            Tok::Field => Kind::Field,
            Tok::Bool => Kind::Bool(text == "true"),
            Tok::CharConstant | Tok::Complex | Tok::Number => {
                let number = match token.kind {
                    Tok::CharConstant => Number::from_char(text),
                    Tok::Complex => Number::from_complex(text),
                    _ => Number::parse(text),
                };
                match number {
                    Ok(number) => {
                        let id = NumberId(self.tree.numbers.len() as u32);
                        self.tree.numbers.push(number);
                        Kind::Number(id)
                    }
                    Err(message) => return self.fail(token.span, message, None),
                }
            }
            Tok::String | Tok::RawString => return self.string(token).map(Some),
            _ => {
                self.backup();
                return Ok(None);
            }
        };
        Ok(Some(self.node(token.span, token.span.start, kind)))
    }

    /// The fields behind a term. As in Go they become part of a field or variable, and a chain on anything else.
    fn fields(&mut self, term: NodeId) -> Parsed<NodeId> {
        let first = self.peek();
        if first.kind != Tok::Field {
            return Ok(term);
        }
        let mut span = self.tree.span(term);
        while self.peek().kind == Tok::Field {
            span.end = self.next().span.end;
        }
        let pos = first.span.start;
        match self.tree.kind(term) {
            kind @ (Kind::Field | Kind::Variable) => Ok(self.node(span, pos, kind)),
            Kind::Bool(_) | Kind::String(_) | Kind::Number(_) | Kind::Nil | Kind::Dot => {
                let message =
                    format!("unexpected . after term {}", quote::quote(self.tree.text(term)));
                self.fail(span, message, None)
            }
            _ => Ok(self.node(span, pos, Kind::Chain(term))),
        }
    }
}

fn starts_operand(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Bool
            | Tok::CharConstant
            | Tok::Complex
            | Tok::Dot
            | Tok::Field
            | Tok::Identifier
            | Tok::Number
            | Tok::Nil
            | Tok::RawString
            | Tok::String
            | Tok::Variable
            | Tok::LeftParen
    )
}
