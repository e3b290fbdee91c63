//! The parser: a port of `parse.go` of Go's text/template/parse that needs no call stack and goes on after an error.
//!
//! Acceptance and the first error are Go's, down to the line it names: that of the last token read, so the port keeps
//! Go's three tokens of lookahead. Go recurses for control structures; here they are [`Frame`]s, so that nesting costs
//! heap and ends in an error at [`MAX_DEPTH`]. Pipelines are in `pipeline.rs`, what happens after an error in `recover.rs`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ast::{Kind, NO_ESCAPES, Node, NodeId, Nodes, StringId, Tag, TagId, TagKind, Template};
use super::frames::{Construct, Frame, Scope};
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
    pub(super) vars: usize,
}

pub(super) struct Parser<'s> {
    pub(super) text: &'s str,
    pub(super) tree: Template,
    pub(super) lex: Lexer<'s>,
    /// Go's lookahead: `token[0]` is the last one that was read.
    pub(super) token: [Token; 3],
    pub(super) peeked: usize,
    pub(super) frames: Vec<Frame<'s>>,
    pub(super) items: Vec<NodeId>,
    /// Variables, commands and arguments of the pipelines that are being parsed.
    pub(super) operands: Vec<NodeId>,
    pub(super) scope: Scope<'s>,
    pub(super) range_depth: usize,
    /// Left delimiter of the action whose start Go would name in an error.
    pub(super) action: Option<u32>,
    pub(super) current: Option<Current>,
    /// Whether the nesting is still known for sure.
    pub(super) trusted: bool,
    /// Nothing more can be said.
    pub(super) hopeless: bool,
    pub(super) defined: FxHashMap<Vec<u8>, bool>,
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
        self.frames.push(Frame::root());
        loop {
            match self.step() {
                Ok(true) => self.current = None,
                Err(Stop) if self.recover() => {}
                Ok(false) | Err(Stop) => break,
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
            let message = format!("{name} outside {{{{range}}}}");
            return self.out_of_scope(keyword.span, message);
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
            let message = format!("unexpected {} in input", self.show(follower));
            return self.structural(follower.span, message, Some(head));
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

    // Nodes.

    pub(super) fn node(&mut self, span: Span, pos: u32, kind: Kind) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node { span, pos, kind });
        id
    }

    pub(super) fn item(&mut self, span: Span, pos: u32, kind: Kind) {
        let id = self.node(span, pos, kind);
        self.items.push(id);
    }

    pub(super) fn list(&mut self, items: usize, span: Span) -> NodeId {
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

    fn begin(&mut self, open: Token) {
        let vars = self.scope.names.len();
        self.current = Some(Current { open, keyword: None, applied: false, chained: false, vars });
    }

    fn keyword(&mut self, kind: Tok) {
        if let Some(current) = &mut self.current {
            current.keyword = Some(kind);
        }
    }

    pub(super) fn applied(&mut self) {
        if let Some(current) = &mut self.current {
            current.applied = true;
        }
    }
}
