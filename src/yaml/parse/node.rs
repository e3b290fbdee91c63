//! One node: its anchor and tag, and what it opens.

use super::super::arena::{Props, Raw, Shape, Tag};
use super::super::error::{ErrorKind, YamlError};
use super::super::scan::{Token, TokenKind};
use super::{Parse, Parser, Pending, State};
use crate::source::Span;

impl Parser {
    pub(super) fn node(&mut self, block: bool, indentless: bool) -> Parse<()> {
        let mut token = self.scanner.peek()?;
        let mut pending = Pending::default();
        match token.kind {
            TokenKind::Scalar => {
                self.scanner.skip();
                self.leaf(token.shape, token.start, token.end, token.aux);
                return Ok(());
            }
            TokenKind::Alias => return self.alias(token),
            TokenKind::Anchor => {
                pending.set_anchor(token);
                self.scanner.skip();
                token = self.scanner.peek()?;
                if token.kind == TokenKind::Tag {
                    self.set_tag(&mut pending, token)?;
                    self.scanner.skip();
                    token = self.scanner.peek()?;
                }
            }
            TokenKind::Tag => {
                let tag = token;
                self.scanner.skip();
                token = self.scanner.peek()?;
                if token.kind == TokenKind::Anchor {
                    pending.set_anchor(token);
                    self.scanner.skip();
                    token = self.scanner.peek()?;
                }
                self.set_tag(&mut pending, tag)?;
            }
            _ => {}
        }
        match token.kind {
            TokenKind::BlockEntry if indentless => {
                self.open(Shape::BlockSequence, token.start, pending);
                self.states.push(State::IndentlessEntry);
            }
            TokenKind::Scalar => {
                self.scanner.skip();
                self.attach(pending);
                let flags = pending.flags();
                self.leaf(token.shape, token.start, token.end, token.aux);
                if let Some(node) = self.nodes.last_mut() {
                    node.flags |= flags;
                }
            }
            TokenKind::FlowSequenceStart => {
                self.open(Shape::FlowSequence, token.start, pending);
                self.scanner.skip();
                self.states.push(State::FlowSequenceFirst);
            }
            TokenKind::FlowMappingStart => {
                self.open(Shape::FlowMapping, token.start, pending);
                self.scanner.skip();
                self.states.push(State::FlowMappingFirst);
            }
            TokenKind::BlockSequenceStart if block => {
                self.open(Shape::BlockSequence, token.start, pending);
                self.scanner.skip();
                self.states.push(State::BlockSequenceEntry);
            }
            TokenKind::BlockMappingStart if block => {
                self.open(Shape::BlockMapping, token.start, pending);
                self.scanner.skip();
                self.states.push(State::BlockMappingKey);
            }
            _ if pending.any => {
                let end = pending.anchor.end.max(pending.tag.end);
                self.attach(pending);
                self.leaf(Shape::Plain, end, end, 0);
                if let Some(node) = self.nodes.last_mut() {
                    node.flags |= pending.flags();
                }
            }
            _ => return Err(YamlError::new(ErrorKind::NodeContent, self.visible(token))),
        }
        Ok(())
    }

    fn alias(&mut self, token: Token) -> Parse<()> {
        self.scanner.skip();
        let name = self.scanner.slice(Span::new(token.start + 1, token.end));
        let target = self.anchors.get(name).copied();
        let named = || String::from_utf8_lossy(name).into_owned();
        let Some(target) = target else {
            return Err(YamlError::new(ErrorKind::UnknownAnchor(named()), token.span()));
        };
        let node = &self.nodes[target as usize];
        if node.is_collection() && node.aux == 0 {
            return Err(YamlError::new(ErrorKind::SelfAnchor(named()), token.span()));
        }
        self.leaf(Shape::Alias, token.start, token.end, target);
        Ok(())
    }

    fn set_tag(&self, pending: &mut Pending, token: Token) -> Parse<()> {
        let text = self.scanner.slice(token.span());
        pending.tag = token.span();
        pending.any = true;
        pending.kind = match text {
            b"!" => Tag::NonSpecific,
            [b'!', b'<', uri @ .., b'>'] => Tag::from_uri(uri),
            [b'!', rest @ ..] => match handle_end(rest) {
                None => self.expand(b"!", rest).unwrap_or(Tag::Other),
                Some(at) => {
                    let (handle, suffix) = (&text[..at + 2], &rest[at + 1..]);
                    match self.expand(handle, suffix) {
                        Some(tag) => tag,
                        None if handle == b"!!" => Tag::from_suffix(suffix),
                        None => {
                            return Err(YamlError::new(
                                ErrorKind::UndefinedTagHandle,
                                token.span(),
                            ));
                        }
                    }
                }
            },
            _ => Tag::Other,
        };
        Ok(())
    }

    fn expand(&self, handle: &[u8], suffix: &[u8]) -> Option<Tag> {
        let (_, prefix) = self.handles.iter().find(|(h, _)| self.scanner.slice(*h) == handle)?;
        Some(Tag::from_uri(&[self.scanner.slice(*prefix), suffix].concat()))
    }

    /// Give anchor and tag to the node that is pushed next.
    pub(super) fn attach(&mut self, pending: Pending) {
        if !pending.any {
            return;
        }
        let node = self.nodes.len() as u32;
        let Pending { anchor, tag, kind, .. } = pending;
        self.props.push(Props { node, anchor, tag, kind });
        if !anchor.is_empty() {
            self.anchors.insert(self.scanner.slice(anchor).to_vec(), node);
        }
    }
}

/// Where the `!` that closes a handle such as `!e!` is, in the text behind the first `!`.
fn handle_end(rest: &[u8]) -> Option<usize> {
    let at = memchr::memchr(b'!', rest)?;
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    rest[..at].iter().all(word).then_some(at)
}

impl Pending {
    fn set_anchor(&mut self, token: Token) {
        self.anchor = Span::new(token.start + 1, token.end);
        self.any = true;
    }

    pub(super) fn flags(self) -> u8 {
        if self.any { Raw::HAS_PROPS } else { 0 }
    }
}
