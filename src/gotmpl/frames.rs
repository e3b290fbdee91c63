//! Constructs that are open: what Go keeps on its call stack while it parses their lists.
//!
//! A [`Frame`] is pushed behind the head of an `if`, `with`, `range`, `define` or `block`, goes over to its other list at
//! `else`, and becomes a node at `end`. Definitions see no variables from outside, so theirs keeps the outer ones aside.

use rustc_hash::FxHashMap;

use super::ast::{Branch, BranchId, Define, DefineId, Kind, NodeId, Otherwise, TagId};
use super::parse::{MAX_DEPTH, Parsed, Parser};
use super::quote;
use crate::source::Span;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Construct {
    Root,
    If,
    With,
    Range,
    Define,
    Block,
}

/// A construct whose end has not been seen.
#[derive(Debug)]
pub(super) struct Frame<'s> {
    pub(super) construct: Construct,
    pub(super) head: TagId,
    pub(super) head_span: Span,
    /// Go's `Position()` of the node to be.
    pub(super) pos: u32,
    pub(super) pipe: Option<NodeId>,
    /// The name of a definition: decoded, and as written.
    pub(super) name: (Vec<u8>, Span),
    /// The list before `else`.
    pub(super) first: Option<NodeId>,
    pub(super) otherwise: Option<TagId>,
    /// Where the items of the current list start on the stack of items, and its text.
    pub(super) items: usize,
    pub(super) list_start: u32,
    pub(super) chained: bool,
    /// Variables at the start.
    pub(super) vars: usize,
    /// State of the surrounding template while a definition is parsed.
    pub(super) outer: Option<Outer<'s>>,
}

#[derive(Debug)]
pub(super) struct Outer<'s> {
    pub(super) vars: Scope<'s>,
    pub(super) range_depth: usize,
    pub(super) last: Span,
}

impl Frame<'_> {
    /// The file itself, which ends with its text.
    pub(super) fn root() -> Self {
        Self {
            construct: Construct::Root,
            head: TagId(0),
            head_span: Span::default(),
            pos: 0,
            pipe: None,
            name: (Vec::new(), Span::default()),
            first: None,
            otherwise: None,
            items: 0,
            list_start: 0,
            chained: false,
            vars: 0,
            outer: None,
        }
    }
}

/// The variables that are defined.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    pub(super) names: Vec<&'s str>,
    counts: FxHashMap<&'s str, u32>,
}

impl<'s> Scope<'s> {
    pub(super) fn new() -> Self {
        let mut scope = Self::default();
        scope.push("$");
        scope
    }

    pub(super) fn push(&mut self, name: &'s str) {
        self.names.push(name);
        *self.counts.entry(name).or_default() += 1;
    }

    pub(super) fn defines(&self, name: &str) -> bool {
        self.counts.get(name).is_some_and(|count| *count > 0)
    }

    pub(super) fn truncate(&mut self, length: usize) {
        for name in self.names.drain(length..) {
            if let Some(count) = self.counts.get_mut(name) {
                *count -= 1;
            }
        }
    }
}

impl<'s> Parser<'s> {
    /// Open a construct whose head is complete.
    pub(super) fn open(
        &mut self,
        construct: Construct,
        head: TagId,
        pipe: Option<NodeId>,
    ) -> Parsed<()> {
        let head_span = self.tree.tag(head).span;
        if self.frames.len() > MAX_DEPTH {
            self.hopeless = true;
            let message = format!("control structures nest deeper than {MAX_DEPTH} levels");
            return self.fail(head_span, message, None);
        }
        let current = self.current;
        let mut vars = current.map_or(self.scope.names.len(), |current| current.vars);
        let outer = matches!(construct, Construct::Define | Construct::Block).then(|| {
            vars = 0;
            self.action = None;
            Outer {
                vars: std::mem::replace(&mut self.scope, Scope::new()),
                range_depth: std::mem::take(&mut self.range_depth),
                last: self.token[0].span,
            }
        });
        if construct == Construct::Range {
            self.range_depth += 1;
        }
        self.frames.push(Frame {
            construct,
            head,
            head_span,
            pos: pipe.map_or(head_span.start, |pipe| self.tree.node(pipe).pos),
            pipe,
            name: (Vec::new(), Span::at(head_span.end)),
            first: None,
            otherwise: None,
            items: self.items.len(),
            list_start: head_span.end,
            chained: current.is_some_and(|current| current.chained),
            vars,
            outer,
        });
        self.applied();
        Ok(())
    }

    /// Go over to the other list of the innermost construct.
    pub(super) fn switch(&mut self, tag: TagId) {
        let span = self.tree.tag(tag).span;
        let frame = self.top();
        let (items, list) = (frame.items, Span::new(frame.list_start, span.start));
        if frame.construct == Construct::Range {
            self.range_depth -= 1;
        }
        let first = self.list(items, list);
        let chained = self.current.is_some_and(|current| current.chained);
        let frame = self.top_mut();
        frame.first = Some(first);
        frame.otherwise = Some(tag);
        frame.list_start = if chained { span.start } else { span.end };
        self.applied();
    }

    /// Close the innermost construct, and with it those that it was chained to by `else if`.
    pub(super) fn close(&mut self, end: Option<TagId>) -> Parsed<()> {
        let length = self.text.len() as u32;
        let end_span = end.map_or(Span::at(length), |tag| self.tree.tag(tag).span);
        self.action = None;
        while self.frames.len() > 1
            && let Some(frame) = self.frames.pop()
        {
            let chain = frame
                .otherwise
                .is_some_and(|tag| self.tree.tag(tag).span.start == frame.list_start);
            let list =
                Span::new(frame.list_start, if chain { end_span.end } else { end_span.start });
            let list = self.list(frame.items, list);
            let span = frame.head_span.to(end_span);
            if let Some(outer) = frame.outer {
                self.scope = outer.vars;
                self.range_depth = outer.range_depth;
                let id = DefineId(self.tree.defines.len() as u32);
                let kind = if frame.construct == Construct::Define {
                    Kind::Define(id)
                } else {
                    Kind::Block(id)
                };
                let (name, name_span) = frame.name;
                let blank = self.tree.is_blank_list(list);
                self.tree.defines.push(Define {
                    name: String::from_utf8_lossy(&name).into_owned(),
                    name_span,
                    node: NodeId(self.tree.nodes.len() as u32),
                    head: frame.head,
                    pipe: frame.pipe,
                    body: list,
                    end,
                    blank,
                });
                self.item(span, frame.pos, kind);
                return self.define(name, name_span, blank);
            }
            if frame.construct == Construct::Range && frame.otherwise.is_none() {
                self.range_depth -= 1;
            }
            self.scope.truncate(frame.vars);
            let (list, otherwise) = match (frame.first, frame.otherwise) {
                (Some(first), Some(tag)) => (first, Some(Otherwise { tag, list })),
                _ => (list, None),
            };
            let id = BranchId(self.tree.branches.len() as u32);
            let pipe = frame.pipe.unwrap_or(NodeId(0));
            let (head, chained) = (frame.head, frame.chained);
            self.tree.branches.push(Branch { head, pipe, list, otherwise, end, chained });
            let kind = match frame.construct {
                Construct::With => Kind::With(id),
                Construct::Range => Kind::Range(id),
                _ => Kind::If(id),
            };
            self.item(span, frame.pos, kind);
            if !chained {
                break;
            }
        }
        Ok(())
    }

    /// Go's `Tree.add`: of two definitions that are not blank the second is an error.
    fn define(&mut self, name: Vec<u8>, span: Span, blank: bool) -> Parsed<()> {
        if span.is_empty() {
            return Ok(()); // the head was broken
        }
        let shown = quote::quote_bytes(&name);
        let taken = self.defined.entry(name).or_insert(false);
        if *taken && !blank {
            let message = format!("template: multiple definition of template {shown}");
            let first = self.tree.defines.iter().find(|define| {
                !define.blank && { quote::quote(&define.name) == shown && define.name_span != span }
            });
            let first = first.map(|define| define.name_span);
            return self.fail(span, message, first);
        }
        *taken |= !blank;
        Ok(())
    }

    pub(super) fn top(&self) -> &Frame<'s> {
        &self.frames[self.frames.len() - 1]
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame<'s> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn name(&mut self, name: Vec<u8>, span: Span) {
        let frame = self.top_mut();
        frame.name = (name, span);
        frame.pos = span.start;
    }
}
