//! Reading values with places: what every key of the configuration shares.
//!
//! A [`Reader`] collects mistakes instead of stopping at the first, so that one run shows them all.

use std::fmt;
use std::sync::Arc;

use crate::source::{Source, Span};
use crate::yaml::{Entry, Kind, Node};

/// One thing that is wrong in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// `path:line:column`.
    pub place: String,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Everything that is wrong in a configuration file; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.0.iter().enumerate() {
            // Below the first, behind the `error: ` that is printed before it.
            let before = if index == 0 { "" } else { "\n       " };
            write!(f, "{before}{mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}

/// Reads nodes of one file and remembers what is wrong with them.
pub(super) struct Reader {
    source: Arc<Source>,
    mistakes: Vec<Mistake>,
}

impl Reader {
    pub(super) fn new(source: &Arc<Source>) -> Self {
        Self { source: Arc::clone(source), mistakes: Vec::new() }
    }

    pub(super) fn finish<T>(self, value: T) -> Result<T, Mistakes> {
        if self.mistakes.is_empty() { Ok(value) } else { Err(Mistakes(self.mistakes)) }
    }

    pub(super) fn mistake(&mut self, span: Span, message: impl Into<String>) {
        let position = self.source.position(span.start);
        let place = format!("{}:{position}", self.source.display_path());
        self.mistakes.push(Mistake { place, message: message.into() });
    }

    /// The entries of a map, each key once and among `known`. What is left out (null) is empty.
    pub(super) fn fields<'a>(
        &mut self,
        map: Node<'a>,
        what: &str,
        known: &[&'static str],
    ) -> Vec<(&'static str, Node<'a>)> {
        let mut fields: Vec<(&'static str, Node<'a>)> = Vec::new();
        for Entry { key, value } in self.entries(map, &format!("{what}, a map of settings")) {
            let name = key.decoded();
            let Some(known) = known.iter().find(|known| **known == name) else {
                self.unknown_key(key, &name, known);
                continue;
            };
            if fields.iter().any(|(other, _)| other == known) {
                self.mistake(key.span(), format!("`{known}` is set twice"));
            } else {
                fields.push((known, value));
            }
        }
        fields
    }

    fn unknown_key(&mut self, key: Node<'_>, name: &str, known: &[&'static str]) {
        let message = match nearest(name, known) {
            Some(meant) => format!("unknown key `{name}`, did you mean `{meant}`?"),
            None => format!("unknown key `{name}`; expected one of {}", words(known)),
        };
        self.mistake(key.span(), message);
    }

    /// The entries of a map. What is left out (null) is empty; anything else but a map is a mistake.
    pub(super) fn entries<'a>(&mut self, map: Node<'a>, expected: &str) -> Vec<Entry<'a>> {
        if map.is_null() {
            return Vec::new();
        }
        if !map.is_mapping() {
            self.wrong(map, expected);
        }
        map.entries().collect()
    }

    /// The items of a list. What is left out (null) is empty; anything else but a list is a mistake.
    pub(super) fn items<'a>(&mut self, list: Node<'a>, expected: &str) -> Vec<Node<'a>> {
        if list.is_null() {
            return Vec::new();
        }
        if !list.is_sequence() {
            self.wrong(list, expected);
        }
        list.items().collect()
    }

    /// A text; anything else is a mistake.
    pub(super) fn text(&mut self, node: Node<'_>, expected: &str) -> Option<String> {
        let text = node.as_str().map(std::borrow::Cow::into_owned);
        if text.is_none() {
            self.wrong(node, expected);
        }
        text
    }

    /// One of some words; anything else is a mistake. `instead` says what a user who wrote `off` may have wanted.
    pub(super) fn word<T: Copy>(
        &mut self,
        node: Node<'_>,
        what: &str,
        words_of: &[(&'static str, T)],
        instead: &str,
    ) -> Option<T> {
        let names: Vec<&str> = words_of.iter().map(|(name, _)| *name).collect();
        let expected = format!("{what}: {}{instead}", words(&names));
        if node.kind() != Kind::Scalar {
            self.wrong(node, &expected);
            return None;
        }
        let text = node.decoded();
        let found = words_of.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            match nearest(&text, &names) {
                Some(meant) => self.mistake(
                    node.span(),
                    format!("`{text}` is no {what}, did you mean `{meant}`?"),
                ),
                None => self.wrong(node, &expected),
            }
        }
        found
    }

    /// "expected …, found …".
    pub(super) fn wrong(&mut self, node: Node<'_>, expected: &str) {
        let found = match node.kind() {
            Kind::Scalar if node.is_null() => "nothing".to_owned(),
            Kind::Scalar => {
                let text: String = node.decoded().chars().take(60).collect();
                match node.scalar() {
                    Some(scalar) => format!("{} `{text}`", scalar.describe()),
                    None => format!("`{text}`"),
                }
            }
            kind => kind.to_string(),
        };
        self.mistake(node.span(), format!("expected {expected}, found {found}"));
    }
}

/// The word that was probably meant.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase().replace('_', "-");
    if word.len() >= 3
        && let Some(longer) = known.iter().find(|known| known.starts_with(&word))
    {
        return Some(longer);
    }
    let distance = |known: &&&str| strsim::damerau_levenshtein(&word, known);
    let nearest = known.iter().min_by_key(distance)?;
    (distance(&nearest) <= 1.max(nearest.len() / 3)).then_some(*nearest)
}

/// `` `a`, `b` or `c` ``.
pub(super) fn words(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [one] => format!("`{one}`"),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(|word| format!("`{word}`")).collect();
            format!("{} or `{last}`", rest.join(", "))
        }
    }
}
