//! The parser: a port of `parse.go` of Go's text/template/parse that needs no call stack and goes on after an error.
//!
//! Acceptance and the first error are Go's, down to the line it names: that of the last token read, so the port keeps
//! Go's three tokens of lookahead. Go recurses for control structures; here they are [`Frame`]s, so that nesting costs
//! heap and ends in an error at [`MAX_DEPTH`]. Pipelines are in `pipeline.rs`, what happens after an error in `recover.rs`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ast::{
    Branch, BranchId, Define, DefineId, Kind, NO_ESCAPES, Node, NodeId, Nodes, Otherwise, StringId,
    Tag, TagId, TagKind, Template,
};
use super::error::ParseError;
use super::lex::{Lexer, Tok, Token};
use super::quote;
use crate::source::{Source, Span};

/// How deep control structures may nest, an `else if` counted as one more, and how deep parentheses may. Go
/// has the same limit for parentheses and none for control structures.
pub const MAX_DEPTH: usize = 10_000;

/// More errors than this are not collected for one template.
pub(super) const MAX_ERRORS: usize = 100;

/// Parsing of the current construct ended with an error, which has been noted.
#[derive(Debug)]
pub(super) struct Stop;

pub(super) type Parsed<T> = Result<T, Stop>;

/// Parse `source` as the template `name`, which for a chart's file is `CHART/templates/…`.
///
/// There is always a tree. If [`Template::errors`] is not empty, Helm refuses the file and its first error is Helm's.
pub fn parse(name: &str, source: &Arc<Source>) -> Template {
    let text = source.text();
    let template = Template {
        name: name.to_owned(),
        source: Arc::clone(source),
        nodes: Vec::with_capacity(text.len() / 12),
        children: Vec::with_capacity(text.len() / 12),
        tags: Vec::new(),
        branches: Vec::new(),
        defines: Vec::new(),
        numbers: Vec::new(),
        decoded: Vec::new(),
        root: NodeId(0),
        errors: Vec::new(),
    };
    let mut parser = Parser::new(text, template);
    parser.run();
    parser.tree
}

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
    head: TagId,
    head_span: Span,
    /// Go's `Position()` of the node to be.
    pos: u32,
    pipe: Option<NodeId>,
    /// The name of a definition: decoded, and as written.
    name: (Vec<u8>, Span),
    /// The list before `else`.
    first: Option<NodeId>,
    pub(super) otherwise: Option<TagId>,
    /// Where the items of the current list start on the stack of items, and its text.
    items: usize,
    list_start: u32,
    chained: bool,
    /// Variables at the start.
    vars: usize,
    /// State of the surrounding template while a definition is parsed.
    outer: Option<Outer<'s>>,
}

#[derive(Debug)]
struct Outer<'s> {
    vars: Scope<'s>,
    range_depth: usize,
    last: Span,
}

/// The variables that are defined.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    names: Vec<&'s str>,
    counts: FxHashMap<&'s str, u32>,
}

impl<'s> Scope<'s> {
    fn new() -> Self {
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

    fn truncate(&mut self, length: usize) {
        for name in self.names.drain(length..) {
            if let Some(count) = self.counts.get_mut(name) {
                *count -= 1;
            }
        }
    }
}

/// The action that is being parsed, for whoever has to clean up after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current {
    /// The left delimiter.
    pub(super) open: Token,
    /// What the action is, as far as known.
    pub(super) keyword: Option<Tok>,
    /// Whether its effect on the nesting has been made.
    pub(super) applied: bool,
    /// `if` behind `else`.
    pub(super) chained: bool,
    /// How many variables there were before it.
    vars: usize,
}

pub(super) struct Parser<'s> {
    pub(super) text: &'s str,
    pub(super) tree: Template,
    pub(super) lex: Lexer<'s>,
    /// Go's lookahead: `token[0]` is the last one that was read.
    pub(super) token: [Token; 3],
    pub(super) peeked: usize,
    pub(super) frames: Vec<Frame<'s>>,
    items: Vec<NodeId>,
    /// Variables, commands and arguments of the pipelines that are being parsed.
    pub(super) operands: Vec<NodeId>,
    pub(super) scope: Scope<'s>,
    range_depth: usize,
    /// Left delimiter of the action whose start Go would name in an error.
    action: Option<u32>,
    pub(super) current: Option<Current>,
    /// Whether the nesting is still known for sure.
    pub(super) trusted: bool,
    /// Nothing more can be said.
    pub(super) hopeless: bool,
    defined: FxHashMap<Vec<u8>, bool>,
}

impl<'s> Parser<'s> {
    fn new(text: &'s str, tree: Template) -> Self {
        let none = Token { kind: Tok::Eof, span: Span::default(), trim: false };
        Self {
            text,
            tree,
            lex: Lexer::new(text),
            token: [none; 3],
            peeked: 0,
            frames: Vec::new(),
            items: Vec::new(),
            operands: Vec::new(),
            scope: Scope::new(),
            range_depth: 0,
            action: None,
            current: None,
            trusted: true,
            hopeless: false,
            defined: FxHashMap::default(),
        }
    }

    fn run(&mut self) {
        let root = Frame {
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
        };
        self.frames.push(root);
        loop {
            match self.step() {
                Ok(true) => self.current = None,
                Ok(false) => break,
                Err(Stop) if self.recover() => {}
                Err(Stop) => break,
            }
        }
        while self.frames.len() > 1 {
            // Only behind an error. A second definition of a name is not worth a word then.
            let _ = self.close(None);
        }
        self.tree.root = self.list(0, Span::new(0, self.text.len() as u32));
    }

    /// One round of Go's `parse` or `itemList`; false at the end of the text.
    fn step(&mut self) -> Parsed<bool> {
        if self.frames.len() == 1 {
            let token = self.peek();
            if token.kind == Tok::Eof {
                return self.end_of_text();
            }
            if token.kind == Tok::LeftDelim {
                let delim = self.next();
                self.begin(delim);
                if self.next_non_space().kind == Tok::Define {
                    self.keyword(Tok::Define);
                    return self.define_control().map(|()| true);
                }
                self.backup2(delim);
            }
        } else if self.peek_non_space().kind == Tok::Eof {
            let open = self.top().head_span;
            self.hopeless = true;
            let end = Span::at(self.text.len() as u32);
            return self.structural(end, "unexpected EOF".to_owned(), Some(open));
        }
        self.text_or_action().map(|()| true)
    }

    /// The file itself is a template of its name, and may collide with a definition in it.
    fn end_of_text(&mut self) -> Parsed<bool> {
        let name = self.tree.name.clone();
        if self.defined.get(name.as_bytes()) == Some(&true)
            && !self.items.iter().all(|item| self.is_blank(*item))
        {
            let message =
                format!("template: multiple definition of template {}", quote::quote(&name));
            self.hopeless = true;
            let span = self
                .tree
                .defines
                .iter()
                .find(|define| define.name == name)
                .map(|define| define.name_span);
            return self.fail(span.unwrap_or_default(), message, None);
        }
        Ok(false)
    }

    fn is_blank(&self, item: NodeId) -> bool {
        match self.tree.kind(item) {
            Kind::Comment(_) | Kind::Define(_) => true,
            Kind::Text => self.tree.text(item).trim().is_empty(),
            _ => false,
        }
    }

    fn text_or_action(&mut self) -> Parsed<()> {
        let token = self.next_non_space();
        match token.kind {
            Tok::Text => self.item(token.span, token.span.start, Kind::Text),
            Tok::Comment => {
                let (span, trim_left, trim_right) = self.lex.comment;
                let tag = self.add_tag(Tag { span, kind: TagKind::Comment, trim_left, trim_right });
                self.item(token.span, token.span.start, Kind::Comment(tag));
            }
            Tok::LeftDelim => {
                self.begin(token);
                self.action = Some(token.span.start);
                return self.action();
            }
            _ => return self.unexpected(token, "input"),
        }
        Ok(())
    }

    fn action(&mut self) -> Parsed<()> {
        let token = self.next_non_space();
        self.keyword(token.kind);
        match token.kind {
            Tok::Block => return self.block_control(),
            Tok::Break => self.jump(token, "{{break}}", Kind::Break)?,
            Tok::Continue => self.jump(token, "{{continue}}", Kind::Continue)?,
            Tok::Else => return self.else_control(),
            Tok::End => {
                self.expect(Tok::RightDelim, "end")?;
                return self.end_control();
            }
            Tok::If => return self.control(Construct::If),
            Tok::Range => return self.control(Construct::Range),
            Tok::With => return self.control(Construct::With),
            Tok::Template => self.template_control()?,
            _ => {
                self.backup();
                let pos = self.peek().span.start;
                let pipe = self.pipeline("command")?;
                let tag = self.close_tag(TagKind::Action);
                self.item(self.tree.tag(tag).span, pos, Kind::Action { tag, pipe });
            }
        }
        self.action = None;
        Ok(())
    }

    fn jump(&mut self, keyword: Token, name: &str, kind: fn(TagId) -> Kind) -> Parsed<()> {
        let token = self.next_non_space();
        if token.kind != Tok::RightDelim {
            return self.unexpected(token, name);
        }
        if self.range_depth == 0 {
            return self.fail(keyword.span, format!("{name} outside {{{{range}}}}"), None);
        }
        let tag = self.close_tag(TagKind::Jump);
        self.item(self.tree.tag(tag).span, keyword.span.start, kind(tag));
        Ok(())
    }

    fn control(&mut self, construct: Construct) -> Parsed<()> {
        let pipe = self.pipeline(match construct {
            Construct::With => "with",
            Construct::Range => "range",
            _ => "if",
        })?;
        let tag = self.close_tag(TagKind::Control);
        self.open(construct, tag, Some(pipe))
    }

    fn template_control(&mut self) -> Parsed<()> {
        const CONTEXT: &str = "template clause";
        let token = self.next_non_space();
        let (name, _) = self.template_name(token, CONTEXT)?;
        let mut pipe = None;
        if self.next_non_space().kind != Tok::RightDelim {
            self.backup();
            pipe = Some(self.pipeline(CONTEXT)?);
        }
        let tag = self.close_tag(TagKind::Template);
        self.item(self.tree.tag(tag).span, token.span.start, Kind::Template { tag, name, pipe });
        Ok(())
    }

    fn template_name(&mut self, token: Token, context: &str) -> Parsed<(NodeId, Vec<u8>)> {
        if !matches!(token.kind, Tok::String | Tok::RawString) {
            return self.unexpected(token, context);
        }
        let node = self.string(token)?;
        Ok((node, self.tree.string(node).to_vec()))
    }

    fn define_control(&mut self) -> Parsed<()> {
        const CONTEXT: &str = "define clause";
        let token = self.next_non_space();
        let (_, name) = self.template_name(token, CONTEXT)?;
        self.expect(Tok::RightDelim, CONTEXT)?;
        let tag = self.close_tag(TagKind::Define);
        self.open(Construct::Define, tag, None)?;
        self.name(name, token.span);
        Ok(())
    }

    fn block_control(&mut self) -> Parsed<()> {
        const CONTEXT: &str = "block clause";
        let token = self.next_non_space();
        let (_, name) = self.template_name(token, CONTEXT)?;
        let pipe = self.pipeline(CONTEXT)?;
        let tag = self.close_tag(TagKind::Block);
        self.open(Construct::Block, tag, Some(pipe))?;
        self.name(name, token.span);
        Ok(())
    }

    fn name(&mut self, name: Vec<u8>, span: Span) {
        let frame = self.top_mut();
        frame.name = (name, span);
        frame.pos = span.start;
    }

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

    fn else_control(&mut self) -> Parsed<()> {
        let follower = self.peek_non_space();
        let chained = matches!(follower.kind, Tok::If | Tok::With);
        if !chained {
            self.expect(Tok::RightDelim, "else")?;
        }
        let open = self.current.map_or(Span::default(), |current| current.open.span);
        let span = if chained { open } else { open.to(self.token[0].span) };
        let frame = self.top();
        let (construct, head) = (frame.construct, frame.head_span);
        match construct {
            Construct::Root => {
                return self.structural(span, "unexpected {{else}}".to_owned(), None);
            }
            Construct::Define => {
                return self.structural(
                    span,
                    "unexpected {{else}} in define clause".to_owned(),
                    Some(head),
                );
            }
            Construct::Block => {
                // Go's parser of the surrounding template complains, which has read nothing since the head.
                let read = frame.outer.as_ref().map_or(span, |outer| outer.last);
                let (line, count) =
                    (self.tree.source.lines().line(read.start), self.tree.errors.len());
                let stop = self.structural(
                    span,
                    "unexpected {{else}} in block clause".to_owned(),
                    Some(head),
                );
                self.tree.errors[count..].iter_mut().for_each(|error| error.line = line);
                return stop;
            }
            _ if frame.otherwise.is_some() => {
                return self.structural(
                    span,
                    "expected end; found {{else}}".to_owned(),
                    Some(head),
                );
            }
            _ => {}
        }
        self.action = None;
        let follows = match follower.kind {
            Tok::If => Construct::If,
            Tok::With => Construct::With,
            _ => {
                let tag = self.close_tag(TagKind::Else);
                self.switch(tag);
                return Ok(());
            }
        };
        if follows != construct {
            return self.unexpected(follower, "input");
        }
        self.next();
        if let Some(current) = &mut self.current {
            current.chained = true;
        }
        let pipe = self.pipeline(if follows == Construct::If { "if" } else { "with" })?;
        let tag = self.close_tag(TagKind::Control);
        self.switch(tag);
        self.open(follows, tag, Some(pipe))
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

    fn end_control(&mut self) -> Parsed<()> {
        let tag = self.close_tag(TagKind::End);
        if self.frames.len() == 1 {
            let span = self.tree.tag(tag).span;
            self.applied();
            return self.structural(span, "unexpected {{end}}".to_owned(), None);
        }
        self.applied();
        self.close(Some(tag))
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

    // Nodes.

    pub(super) fn node(&mut self, span: Span, pos: u32, kind: Kind) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node { span, pos, kind });
        id
    }

    fn item(&mut self, span: Span, pos: u32, kind: Kind) {
        let id = self.node(span, pos, kind);
        self.items.push(id);
    }

    fn list(&mut self, items: usize, span: Span) -> NodeId {
        let start = self.tree.children.len() as u32;
        self.tree.children.extend(self.items.drain(items..));
        let len = self.tree.children.len() as u32 - start;
        self.node(span, span.start, Kind::List(Nodes { start, len }))
    }

    /// The operands from `start` on as a run of children.
    pub(super) fn take_operands(&mut self, start: usize) -> Nodes {
        let first = self.tree.children.len() as u32;
        self.tree.children.extend(self.operands.drain(start..));
        Nodes { start: first, len: self.tree.children.len() as u32 - first }
    }

    pub(super) fn string(&mut self, token: Token) -> Parsed<NodeId> {
        let text = token.span.slice(self.text);
        let plain = !text.contains(if token.kind == Tok::String { '\\' } else { '\r' });
        let mut id = NO_ESCAPES;
        if !plain {
            let Some(decoded) = quote::unquote(text) else {
                return self.fail(token.span, "invalid syntax".to_owned(), None);
            };
            id = StringId(self.tree.decoded.len() as u32);
            self.tree.decoded.push(decoded.into_boxed_slice());
        }
        Ok(self.node(token.span, token.span.start, Kind::String(id)))
    }

    pub(super) fn add_tag(&mut self, tag: Tag) -> TagId {
        let id = TagId(self.tree.tags.len() as u32);
        self.tree.tags.push(tag);
        id
    }

    /// The tag whose right delimiter is the last token that was read.
    fn close_tag(&mut self, kind: TagKind) -> TagId {
        let close = self.token[0];
        let open = self.current.map_or(close, |current| current.open);
        let span = open.span.to(close.span);
        self.add_tag(Tag { span, kind, trim_left: open.trim, trim_right: close.trim })
    }

    pub(super) fn top(&self) -> &Frame<'s> {
        &self.frames[self.frames.len() - 1]
    }

    fn top_mut(&mut self) -> &mut Frame<'s> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn begin(&mut self, open: Token) {
        let vars = self.scope.names.len();
        self.current = Some(Current { open, keyword: None, applied: false, chained: false, vars });
    }

    fn keyword(&mut self, kind: Tok) {
        if let Some(current) = &mut self.current {
            current.keyword = Some(kind);
        }
    }

    fn applied(&mut self) {
        if let Some(current) = &mut self.current {
            current.applied = true;
        }
    }

    // Tokens, as in Go.

    pub(super) fn next(&mut self) -> Token {
        if self.peeked > 0 {
            self.peeked -= 1;
        } else {
            self.token[0] = self.lex.next();
        }
        self.token[self.peeked]
    }

    pub(super) fn backup(&mut self) {
        self.peeked += 1;
    }

    pub(super) fn backup2(&mut self, earlier: Token) {
        self.token[1] = earlier;
        self.peeked = 2;
    }

    pub(super) fn backup3(&mut self, earliest: Token, earlier: Token) {
        self.token[1] = earlier;
        self.token[2] = earliest;
        self.peeked = 3;
    }

    pub(super) fn peek(&mut self) -> Token {
        if self.peeked == 0 {
            self.peeked = 1;
            self.token[0] = self.lex.next();
        }
        self.token[self.peeked - 1]
    }

    pub(super) fn next_non_space(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != Tok::Space {
                return token;
            }
        }
    }

    pub(super) fn peek_non_space(&mut self) -> Token {
        let token = self.next_non_space();
        self.backup();
        token
    }

    fn expect(&mut self, kind: Tok, context: &str) -> Parsed<Token> {
        let token = self.next_non_space();
        if token.kind == kind { Ok(token) } else { self.unexpected(token, context) }
    }

    // Errors.

    pub(super) fn unexpected<T>(&mut self, token: Token, context: &str) -> Parsed<T> {
        let Some(fault) = self.lex.fault.clone().filter(|_| token.kind == Tok::Error) else {
            let message = format!("unexpected {} in {context}", self.show(token));
            return self.fail(token.span, message, None);
        };
        let mut message = fault.message;
        let line = |offset| self.tree.source.lines().line(offset);
        let mut started = None;
        if let Some(open) = self.action
            && line(open) != line(token.span.start)
        {
            let place = format!("started at {}:{}", self.tree.name, line(open));
            // Not "unclosed action in action".
            let join = if message.ends_with(" action") { "" } else { "in action " };
            message = format!("{message} {join}{place}");
            started = Some(Span::new(open, open + 2));
        }
        self.hopeless |= fault.hopeless;
        self.fail(fault.span, message, started)
    }

    /// Go's `item.String()`.
    fn show(&self, token: Token) -> String {
        let text = token.span.slice(self.text);
        if token.kind >= Tok::Block {
            return format!("<{text}>");
        }
        match text.len() {
            0..=10 => quote::quote(text),
            _ => {
                let cut = text.char_indices().nth(10).map_or(text.len(), |(at, _)| at);
                format!("{}...", quote::quote(&text[..cut]))
            }
        }
    }

    pub(super) fn fail<T>(
        &mut self,
        span: Span,
        message: String,
        context: Option<Span>,
    ) -> Parsed<T> {
        self.fail_with(span, message, context, None)
    }

    pub(super) fn fail_with<T>(
        &mut self,
        span: Span,
        message: String,
        context: Option<Span>,
        help: Option<String>,
    ) -> Parsed<T> {
        let line = self.tree.source.lines().line(self.token[0].span.start);
        self.tree.errors.push(ParseError { message, span, context, line, help });
        Err(Stop)
    }

    /// An error about the nesting: believed only while nothing has put the nesting in doubt.
    fn structural<T>(&mut self, span: Span, message: String, context: Option<Span>) -> Parsed<T> {
        if !std::mem::replace(&mut self.trusted, false) {
            return Err(Stop);
        }
        self.fail(span, message, context)
    }
}
