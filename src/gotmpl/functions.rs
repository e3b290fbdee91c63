//! The names that a template may call.
//!
//! Go checks function names when it parses, so a linter needs the names long before anything evaluates them: the builtins of
//! text/template, Sprig 3.3 as Helm filters it (no `env`, no `expandenv`) and Helm's own. Helm 4.1 has 239 of them.

/// Every function name, sorted bytewise.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "abbrev", "abbrevboth", "add", "add1", "add1f", "addf", "adler32sum", "ago", "all", "and",
    "any", "append", "atoi", "b32dec", "b32enc", "b64dec", "b64enc", "base", "bcrypt", "biggest",
    "buildCustomCert", "call", "camelcase", "cat", "ceil", "chunk", "clean", "coalesce", "compact",
    "concat", "contains", "date", "dateInZone", "dateModify", "date_in_zone", "date_modify",
    "decryptAES", "deepCopy", "deepEqual", "default", "derivePassword", "dict", "dig", "dir", "div",
    "divf", "duration", "durationRound", "empty", "encryptAES", "eq", "ext", "fail", "first",
    "float64", "floor", "fromJson", "fromJsonArray", "fromToml", "fromYaml", "fromYamlArray", "ge",
    "genCA", "genCAWithKey", "genPrivateKey", "genSelfSignedCert", "genSelfSignedCertWithKey",
    "genSignedCert", "genSignedCertWithKey", "get", "getHostByName", "gt", "has", "hasKey",
    "hasPrefix", "hasSuffix", "hello", "html", "htmlDate", "htmlDateInZone", "htpasswd", "include",
    "indent", "index", "initial", "initials", "int", "int64", "isAbs", "join", "js", "kebabcase",
    "keys", "kindIs", "kindOf", "last", "le", "len", "list", "lookup", "lower", "lt", "max", "maxf",
    "merge", "mergeOverwrite", "min", "minf", "mod", "mul", "mulf", "mustAppend", "mustChunk",
    "mustCompact", "mustDateModify", "mustDeepCopy", "mustFirst", "mustFromJson", "mustHas",
    "mustInitial", "mustLast", "mustMerge", "mustMergeOverwrite", "mustPrepend", "mustPush",
    "mustRegexFind", "mustRegexFindAll", "mustRegexMatch", "mustRegexReplaceAll",
    "mustRegexReplaceAllLiteral", "mustRegexSplit", "mustRest", "mustReverse", "mustSlice",
    "mustToDate", "mustToJson", "mustToPrettyJson", "mustToRawJson", "mustToYaml", "mustUniq",
    "mustWithout", "must_date_modify", "ne", "nindent", "nospace", "not", "now", "omit", "or",
    "osBase", "osClean", "osDir", "osExt", "osIsAbs", "pick", "pluck", "plural", "prepend", "print",
    "printf", "println", "push", "quote", "randAlpha", "randAlphaNum", "randAscii", "randBytes",
    "randInt", "randNumeric", "regexFind", "regexFindAll", "regexMatch", "regexQuoteMeta",
    "regexReplaceAll", "regexReplaceAllLiteral", "regexSplit", "repeat", "replace", "required",
    "rest", "reverse", "round", "semver", "semverCompare", "seq", "set", "sha1sum", "sha256sum",
    "sha512sum", "shuffle", "slice", "snakecase", "sortAlpha", "split", "splitList", "splitn",
    "squote", "sub", "subf", "substr", "swapcase", "ternary", "title", "toDate", "toDecimal",
    "toJson", "toPrettyJson", "toRawJson", "toString", "toStrings", "toToml", "toYaml",
    "toYamlPretty", "tpl", "trim", "trimAll", "trimPrefix", "trimSuffix", "trimall", "trunc",
    "tuple", "typeIs", "typeIsLike", "typeOf", "uniq", "unixEpoch", "unset", "until", "untilStep",
    "untitle", "upper", "urlJoin", "urlParse", "urlquery", "uuidv4", "values", "without", "wrap",
    "wrapWith",
];

/// Whether Helm has a function `name`.
pub fn is_defined(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

/// What to say about an unknown function: the nearest name, or what became of it.
pub(super) fn help(name: &str) -> Option<String> {
    match name {
        "env" | "expandenv" => {
            return Some(format!(
                "Helm removes Sprig's `{name}`; pass the setting through `.Values`"
            ));
        }
        "elif" | "elseif" | "elsif" => return Some("write `else if`".to_owned()),
        "endif" => return Some("write `end`".to_owned()),
        "foreach" | "for" => return Some("write `range`".to_owned()),
        _ => {}
    }
    nearest(name, NAMES.iter().copied().chain(KEYWORDS.iter().copied()))
        .map(|near| format!("did you mean `{near}`?"))
}

/// Words of the language, which are as often mistyped as functions.
const KEYWORDS: &[&str] =
    &["block", "break", "continue", "define", "else", "end", "if", "range", "template", "with"];

/// Whether an unknown word at the start of an action may have been meant as `if`, `end` or the like, so that nothing
/// can be said about the nesting of what follows.
pub(super) fn may_be_keyword(name: &str) -> bool {
    matches!(
        name,
        "elif" | "elseif" | "elsif" | "endif" | "foreach" | "for" | "endrange" | "endwith"
    ) || nearest(name, KEYWORDS.iter().copied()).is_some()
}

fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // A slip in a short word is one letter, in a long one two or three.
    let limit = (name.chars().count() / 3).clamp(1, 3);
    names
        .map(|near| (strsim::damerau_levenshtein(&name.to_lowercase(), &near.to_lowercase()), near))
        .filter(|(distance, near)| *distance <= limit && *distance < near.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, near)| near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_complete() {
        assert!(NAMES.is_sorted_by(|a, b| a < b));
        assert_eq!(NAMES.len(), 239);
        for name in
            ["and", "include", "tpl", "required", "lookup", "toYaml", "getHostByName", "dig"]
        {
            assert!(is_defined(name), "{name}");
        }
        for name in ["env", "expandenv", "break", "if", "md5sum", ""] {
            assert!(!is_defined(name), "{name}");
        }
    }

    #[test]
    fn unknown_names_get_the_nearest_known_one() {
        assert_eq!(help("toYAML").unwrap(), "did you mean `toYaml`?");
        assert_eq!(help("nident").unwrap(), "did you mean `indent`?");
        assert_eq!(help("inculde").unwrap(), "did you mean `include`?");
        assert_eq!(help("elseif").unwrap(), "write `else if`");
        assert_eq!(help("fi").unwrap(), "did you mean `if`?");
        assert_eq!(help("completelyOther"), None);
        assert!(may_be_keyword("iff") && may_be_keyword("rnage") && !may_be_keyword("toYML"));
    }
}
