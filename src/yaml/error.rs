//! Syntax errors: go-yaml's verdict, in better words and with a place.
//!
//! [`ErrorKind::go_text`] is the message of the upstream library, for those who search for it; `message` says what
//! is wrong and `help` what to do.

use std::fmt;

use crate::source::Span;

/// Why a document cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where it was noticed.
    pub span: Span,
    /// Where the thing began that could not be finished: the quote, the bracket, the collection.
    pub context: Option<Span>,
}

impl YamlError {
    pub(super) fn new(kind: ErrorKind, span: Span) -> Box<Self> {
        Box::new(Self { kind, span, context: None })
    }

    pub(super) fn within(kind: ErrorKind, span: Span, context: u32) -> Box<Self> {
        Box::new(Self { kind, span, context: Some(Span::new(context, context + 1)) })
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.message())
    }
}

impl std::error::Error for YamlError {}

macro_rules! kinds {
    ($( $(#[$doc:meta])* $name:ident $( ($arg:ident : $ty:ty) )? => $go:expr, $message:expr, $help:expr; )*) => {
        /// What can be wrong with a text.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum ErrorKind {
            $( $(#[$doc])* $name $( ($ty) )?, )*
        }

        impl ErrorKind {
            /// The message of go-yaml, which kubectl and helm print.
            pub fn go_text(&self) -> String {
                #[allow(unused_variables, reason = "not every message names the argument")]
                match self { $( Self::$name $( ($arg) )? => $go.into(), )* }
            }

            /// What is wrong.
            pub fn message(&self) -> String {
                #[allow(unused_variables, reason = "not every message names the argument")]
                match self { $( Self::$name $( ($arg) )? => $message.into(), )* }
            }

            /// What to do about it.
            pub fn help(&self) -> &'static str {
                #[allow(unused_variables, reason = "not every help names the argument")]
                match self { $( Self::$name $( ($arg) )? => $help, )* }
            }
        }
    };
}

kinds! {
    /// A character that YAML does not allow anywhere.
    ControlCharacter(c: char) => "control characters are not allowed",
        format!("the character U+{:04X} is not allowed in YAML", *c as u32),
        "Remove it, or write it as an escape such as `\\x07` in a double-quoted string";
    /// An indicator that starts nothing.
    CannotStartToken(c: char) => "found character that cannot start any token",
        match c {
            '\t' => "a tab cannot indent YAML".to_owned(),
            c => format!("a plain value cannot start with `{c}`"),
        },
        "Indent with spaces, and quote a value that starts with one of % @ `";
    /// A line at the level of the keys that is no `key: value`.
    MissingColon => "could not find expected ':'",
        "this line is no `key: value`",
        "Write `key: value`, or indent the line if it continues the value above";
    /// More nesting than anybody writes.
    TooDeep => "exceeded max depth of 10000",
        "nested deeper than 10,000 levels",
        "Kubernetes refuses such a document; check how the file was made";
    /// `key: - item`.
    EntryNotAllowed => "block sequence entries are not allowed in this context",
        "a list item cannot start here",
        "Start the list on a line of its own, below its key";
    /// `key: ? x`.
    KeyNotAllowed => "mapping keys are not allowed in this context",
        "a `?` key cannot start here",
        "Quote the value if it is a text that starts with `? `";
    /// `a: b: c`.
    ValueNotAllowed => "mapping values are not allowed in this context",
        "a second `: ` in a plain value, or a line that is indented too far",
        "Quote the value if the colon belongs to it, else align the line with its siblings";
    /// `%FOO`.
    UnknownDirective => "found unknown directive name",
        "only the directives %YAML and %TAG exist",
        "Quote the value if it starts with %";
    /// `% `.
    DirectiveName => "could not find expected directive name",
        "a line that starts with % is a directive, and this one has no name",
        "Quote the value if it starts with %";
    /// `%a-b!`.
    DirectiveCharacter => "found unexpected non-alphabetical character",
        "a line that starts with % is a directive, and this is no directive's name",
        "Quote the value if it starts with %";
    /// `%YAML x`.
    DirectiveVersion => "did not find expected version number",
        "the %YAML directive has no version number",
        "Write `%YAML 1.1`, or remove the line: Kubernetes needs none";
    /// `%YAML 1`.
    DirectivePoint => "did not find expected digit or '.' character",
        "the version of the %YAML directive is not `1.1`",
        "Write `%YAML 1.1`, or remove the line: Kubernetes needs none";
    /// `%YAML 1.2`.
    IncompatibleVersion => "found incompatible YAML document",
        "Kubernetes reads YAML 1.1 and refuses any other %YAML version",
        "Remove the %YAML line";
    /// Two `%YAML`.
    DuplicateVersion => "found duplicate %YAML directive",
        "a second %YAML directive for the same document", "Remove one of them";
    /// Two `%TAG` of one handle.
    DuplicateTag => "found duplicate %TAG directive",
        "a second %TAG directive for the same handle", "Remove one of them";
    /// Text after `|`.
    CommentOrBreak => "did not find expected comment or line break",
        "only a comment may follow here on the same line",
        "Start the text on the next line, or quote the value if it begins with | or >";
    /// `&` or `*` without a name.
    AnchorName => "did not find expected alphabetic or numeric character",
        "`&` and `*` start an anchor or alias, whose name is made of letters, digits, `-` and `_`",
        "Quote the value if it is a text such as `*.example.com`";
    /// `%TAG x`.
    TagHandle => "did not find expected '!'",
        "a tag's handle starts and ends with `!`", "Write `%TAG !name! prefix`";
    /// `!<>`.
    TagUri => "did not find expected tag URI",
        "the tag is empty", "Quote the value if it starts with `!`";
    /// `!<x`.
    TagClose => "did not find the expected '>'",
        "the tag `!<…` is not closed", "Close it with `>`, or quote the value";
    /// `!a,b{`.
    TagEnd => "did not find expected whitespace or line break",
        "a tag ends with a space or at the end of the line",
        "Quote the value if it is a text that starts with `!`";
    /// `!%zz`.
    TagEscape => "did not find URI escaped octet",
        "`%` in a tag is followed by two hexadecimal digits", "Quote the value if it starts with `!`";
    /// `!x!y` without `%TAG`.
    UndefinedTagHandle => "found undefined tag handle",
        "no %TAG directive defines this tag's handle", "Quote the value if it starts with `!`";
    /// `|0`.
    IndentZero => "found an indentation indicator equal to 0",
        "the indentation of a block text is 1 to 9", "Remove the 0";
    /// A tab before the text of a block scalar.
    BlockTab => "found a tab character where an indentation space is expected",
        "a tab cannot indent a block text", "Indent with spaces";
    /// `---` inside quotes.
    QuoteDocument => "found unexpected document indicator",
        "a quoted value is still open where the next document starts", "Close the quote";
    /// No closing quote.
    QuoteEnd => "found unexpected end of stream",
        "a quoted value is never closed", "Close the quote";
    /// `"\q"`.
    UnknownEscape(c: char) => "found unknown escape character",
        format!("`\\{c}` is no escape of YAML 1.1"),
        "Double the backslash, or use single quotes, in which a backslash is just a backslash";
    /// `"\xZZ"`.
    HexEscape => "did not find expected hexdecimal number",
        "`\\x`, `\\u` and `\\U` are followed by 2, 4 and 8 hexadecimal digits",
        "Double the backslash, or use single quotes, in which a backslash is just a backslash";
    /// `"\ud83d"`.
    EscapeRange => "found invalid Unicode character escape code",
        "this escape is no Unicode character: surrogate pairs, which JSON allows, are refused",
        "Write the character itself, or `\\U` with eight digits";
    /// A tab in the indentation of a continued plain value.
    PlainTab => "found a tab character that violates indentation",
        "a tab cannot indent YAML", "Indent with spaces";
    /// Content after the root node.
    DocumentStart => "did not find expected <document start>",
        "the document has ended above; this belongs to nothing",
        "Separate documents with `---`, or mend the indentation";
    /// A value that cannot begin like this.
    NodeContent => "did not find expected node content",
        "a value is missing here", "Write the value, or quote it if it is a text";
    /// A list broken by something that is no item.
    ExpectedDash => "did not find expected '-' indicator",
        "this line stands in a list, but starts with no `- `",
        "Start it with `- `, or align it with the key above the list";
    /// A map broken by something that is no key.
    ExpectedKey => "did not find expected key",
        "this stands where the map's next key belongs",
        "Align the line with the keys of its map, or quote the value before it";
    /// `[a b` …
    FlowSequence => "did not find expected ',' or ']'",
        "the list in [ ] continues with neither `,` nor `]`",
        "Separate items with commas and close the list";
    /// `{a: 1 b: 2}`.
    FlowMapping => "did not find expected ',' or '}'",
        "the map in { } continues with neither `,` nor `}`",
        "Separate entries with commas and close the map";
    /// `*x` without `&x`.
    UnknownAnchor(name: String) => format!("unknown anchor '{name}' referenced"),
        format!("the alias `*{name}` names no anchor above it in this document"),
        "Quote the value if it is a text that starts with `*`";
    /// `&x [*x]`.
    SelfAnchor(name: String) => format!("anchor '{name}' value contains itself"),
        format!("the value of anchor `&{name}` contains itself"), "Remove the alias";
    /// `<<: 1`.
    MergeWantsMap => "map merge requires map or sequence of maps as the value",
        "`<<` merges a map, or a list of maps", "Quote the key if it is meant as a text";
    /// A list or map as key.
    CollectionKey => "invalid map key",
        "a list or map cannot be a key: JSON has none",
        "If this is a template expression, the file must be rendered before it is YAML";
    /// `null: x`.
    NullKey => "unsupported map key of type: %!s(<nil>)",
        "a key is null", "Write or quote the key";
    /// `9223372036854775808: x`.
    LargeKey => "unsupported map key of type: uint64",
        "a key is an integer beyond 64 bits", "Quote the key";
    /// `!!int x`.
    WrongTag(parts: WrongTag) => format!("cannot decode {} `{}` as a {}", parts.found, parts.text, parts.wanted),
        format!("the tag `{}` is not true of `{}`", parts.wanted, parts.text),
        "Remove the tag, or correct the value";
    /// `!!binary ?`.
    InvalidBase64 => "!!binary value contains invalid base64 data",
        "a `!!binary` value is not base64", "Correct the value, or remove the tag";
    /// `.inf`.
    NotANumber(name: &'static str) => format!("json: unsupported value: {name}"),
        "infinity and NaN have no JSON form", "Quote the value if it is a text";
    /// More aliases than content.
    ExcessiveAliasing => "document contains excessive aliasing",
        "aliases multiply the document beyond what Kubernetes accepts",
        "Write the values out, or reduce the nesting of aliases";
}

/// The parts of a tag that is not true of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongTag {
    /// What the value is.
    pub found: &'static str,
    /// The value.
    pub text: String,
    /// What the tag says.
    pub wanted: &'static str,
}
