//! The template parser against recorded behaviour of Helm and against Go itself.
//!
//! Our own cases (`fixtures/gotmpl`) run everywhere. With `CRDLINT_SHARED` set, the recorded vectors and the corpus run too; with
//! `CRDLINT_GOTMPL_ORACLE` naming a file of `{"t": template, "e": error, "d": tree}` lines written by a program on
//! Go's text/template/parse, verdicts, error texts and trees are compared with those.

#![expect(clippy::print_stdout, reason = "figures, and what is skipped, are said aloud")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crdlint::gotmpl::{self, Kind, NodeId, Template};
use crdlint::source::{Source, Span, decode};
use crdlint::yaml;
use libtest_mimic::{Arguments, Failed, Trial};

const NAME: &str = "c/templates/t.yaml";

fn main() {
    let mut trials = vec![
        Trial::test("vectors", || with_shared(vectors)),
        Trial::test("corpus", || with_shared(corpus)),
        Trial::test("oracle", oracle),
        Trial::test("limits", || {
            limits();
            Ok(())
        }),
    ];
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gotmpl");
    let mut files: Vec<PathBuf> = std::fs::read_dir(fixtures)
        .expect("fixtures/gotmpl")
        .map(|entry| entry.expect("entry").path())
        .collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("fixture");
        let stem = file.file_stem().expect("stem").to_string_lossy().into_owned();
        for case in text.split("=== ").skip(1) {
            let (name, body) = case.split_once('\n').expect("a case has lines");
            let body = body.to_owned();
            trials.push(Trial::test(format!("{stem}: {name}"), move || fixture(&body)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn with_shared(test: fn(&Path) -> Result<(), Failed>) -> Result<(), Failed> {
    if let Some(path) = std::env::var_os("CRDLINT_SHARED") {
        return test(Path::new(&path));
    }
    println!("skipped: CRDLINT_SHARED is not set");
    Ok(())
}

fn parse(text: &str) -> Template {
    let template = gotmpl::parse(NAME, &Source::new("t.yaml", text));
    check_spans(&template);
    analyse(&template);
    template
}

/// Whatever the template, even a broken one: the analyses answer, and a mask keeps every line in its place.
fn analyse(template: &Template) {
    let text = template.source().text();
    let mask = gotmpl::mask(template);
    assert_eq!(mask.text.len(), text.len());
    let breaks = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).collect::<Vec<_>>();
    assert_eq!(breaks(&mask.text), breaks(text), "{text:?}");
    for span in &mask.actions {
        assert!(mask.is_templated(*span) && !span.slice(&mask.text).contains("{{"), "{text:?}");
    }
    let pipes = template.walk(template.root());
    for pipe in pipes.filter(|id| matches!(template.kind(*id), Kind::Pipe { .. })).take(50) {
        for read in gotmpl::guards::reads(template, pipe) {
            assert!(read.span.slice(text).contains("Values"), "{:?}", read.span.slice(text));
        }
        let at = template.span(pipe).start;
        gotmpl::emitted(template, &gotmpl::guards::guards(template, at), &|_| None);
        gotmpl::decide(template, pipe, &|path| Some(gotmpl::Known::Bool(path.len() % 2 == 0)));
    }
}

fn first_error(template: &Template) -> String {
    template.errors().first().map_or_else(String::new, |error| error.helm_text(template.name()))
}

/// A fixture: the template, then sections of what is expected, each opened by a line `--- WHAT`.
fn fixture(body: &str) -> Result<(), Failed> {
    let mut sections = body.split("\n--- ");
    let template = parse(sections.next().unwrap_or_default());
    for section in sections {
        let (what, expected) = section.split_once('\n').unwrap_or((section, ""));
        let got = match what {
            "errors" => errors(&template),
            "tree" => outline(&template),
            // Blank lines are shown by dots.
            "mask" => {
                let text = gotmpl::mask(&template).text;
                let dots = |line: &str| {
                    if line.trim().is_empty() { line.replace(' ', "·") } else { line.to_owned() }
                };
                text.lines().map(dots).collect::<Vec<_>>().join("\n")
            }
            other => return Err(format!("no section `{other}`").into()),
        };
        if got.trim_end() != expected.trim_end() {
            return Err(format!("{what} is\n{got}\nexpected\n{expected}").into());
        }
    }
    Ok(())
}

fn errors(template: &Template) -> String {
    let mut out = String::new();
    for error in template.errors() {
        let start = template.source().position(error.span.start);
        let text = error.span.slice(template.source().text()).replace('\n', "\\n");
        let _ = write!(out, "{start} «{text}» line {}: {}", error.line, error.message);
        if let Some(context) = error.context {
            let _ = write!(out, " (from {})", template.source().position(context.start));
        }
        if let Some(help) = &error.help {
            let _ = write!(out, " (help: {help})");
        }
        out.push('\n');
    }
    out
}

/// The tree with each node's text.
fn outline(template: &Template) -> String {
    let mut out = String::new();
    let mut stack = vec![(template.root(), 0)];
    while let Some((id, depth)) = stack.pop() {
        let kind = format!("{:?}", template.kind(id));
        let kind = kind.split([' ', '(', '{']).next().unwrap_or_default();
        let _ = writeln!(out, "{:depth$}{kind} {:?}", "", template.text(id), depth = depth * 2);
        stack.extend(template.children(id).into_iter().rev().map(|child| (child, depth + 1)));
    }
    out
}

fn vectors(shared: &Path) -> Result<(), Failed> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(shared.join("spec/vectors"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("template-"))
    });
    files.sort();
    let (mut passed, mut failures) = (0, Vec::new());
    for file in &files {
        let cases: Vec<serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        for case in cases {
            let Some(text) = case["template"].as_str() else { continue };
            let error = case["error"].as_str().unwrap_or_default();
            // `tpl` parses at run time; its failures are reported with the same words but about another text.
            let expected = if error.starts_with("parse error at") { error } else { "" };
            let template = parse(text);
            let got = first_error(&template);
            if got == expected {
                passed += 1;
            } else {
                failures.push(format!("{}: {text:?}: {got:?}, Helm: {error:?}", case["name"]));
            }
        }
    }
    println!("template parse vectors {passed}/{}", passed + failures.len());
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn corpus(shared: &Path) -> Result<(), Failed> {
    let (mut count, mut bytes, mut failures) = (0, 0, Vec::new());
    let (mut manifests, mut readable) = (0, 0);
    for entry in walkdir::WalkDir::new(shared.join("corpus/charts")).sort_by_file_name() {
        let entry = entry?;
        let path = entry.path();
        let inside = path
            .parent()
            .is_some_and(|dir| dir.components().any(|part| part.as_os_str() == "templates"));
        let archive = path.extension().is_some_and(|extension| extension == "tgz");
        if !entry.file_type().is_file() || !inside || archive {
            continue;
        }
        let Ok(text) = decode(std::fs::read(path)?) else { continue };
        let template = parse(&text);
        count += 1;
        bytes += text.len();
        // Helm refuses none of the corpus for its syntax: no golden `.err` has a parse error.
        if let Some(error) = template.errors().first() {
            failures.push(format!("{}: {}", path.display(), error.helm_text(NAME)));
        }
        if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            manifests += 1;
            let masked = gotmpl::mask(&template).text;
            let stream = yaml::parse_masked(template.source(), masked);
            readable += usize::from(stream.documents().all(|document| document.error().is_none()));
        }
    }
    println!("corpus templates {count}, {bytes} bytes; masks that are YAML {readable}/{manifests}");
    // The rest are texts like `{{ if }}…: {{ else }}…: {{ end }}` on one line, or lists and `{}` in two branches.
    if readable * 1000 < manifests * 990 {
        failures.push(format!("only {readable} of {manifests} masks are YAML"));
    }
    if failures.is_empty() && count > 0 { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Every node's bytes are those it names, and lie inside its parent's.
fn check_spans(template: &Template) {
    let text = template.source().text();
    for id in template.walk(template.root()) {
        let (span, own) = (template.span(id), template.text(id));
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} in {text:?}");
        for child in template.children(id) {
            let inner = template.span(child);
            assert!(
                span.start <= inner.start && inner.end <= span.end,
                "{own:?} holds {:?}",
                template.text(child)
            );
        }
        let idents: Vec<_> = template.idents(id).map(|(name, at)| (name, at.slice(text))).collect();
        assert!(idents.iter().all(|(name, slice)| name == slice), "{idents:?}");
        match template.kind(id) {
            Kind::Identifier => assert!(gotmpl::is_function(own), "{own:?}"),
            Kind::Field => assert_eq!(own.split('.').count(), idents.len() + 1, "{own:?}"),
            Kind::Variable => {
                assert!(own.starts_with('$') && own.split('.').count() == idents.len(), "{own:?}");
            }
            Kind::Chain(_) => assert!(!idents.is_empty(), "{own:?}"),
            Kind::Dot => assert_eq!(own, "."),
            Kind::Nil => assert_eq!(own, "nil"),
            Kind::Bool(value) => assert_eq!(own, value.to_string()),
            Kind::String(_) => assert!(own.len() > 1 && own.starts_with(['"', '`']), "{own:?}"),
            Kind::Comment(_) => assert!(own.starts_with("/*") && own.ends_with("*/"), "{own:?}"),
            Kind::Pipe { parens: true, .. } => {
                assert!(own.starts_with('(') && own.ends_with(')'), "{own:?}");
            }
            Kind::Text => assert!(!own.is_empty() && !own.contains("{{"), "{own:?}"),
            Kind::Define(define) | Kind::Block(define) => {
                let define = template.define(define);
                let name = define.name_span.slice(text);
                assert!(name.is_empty() || name.starts_with(['"', '`']), "{name:?}");
            }
            _ => {}
        }
    }
    let mut end = 0;
    for tag in template.tags() {
        assert!(tag.span.start >= end, "tags are in order: {:?} in {text:?}", tag.span.slice(text));
        end = tag.span.end;
        let broken = tag.kind == gotmpl::TagKind::Broken;
        assert!(tag.span.slice(text).starts_with("{{"), "{:?}", tag.span.slice(text));
        assert!(broken || tag.open().slice(text) == if tag.trim_left { "{{-" } else { "{{" });
        assert!(broken || tag.close().slice(text) == if tag.trim_right { "-}}" } else { "}}" });
    }
    let errors: Vec<Span> = template.errors().iter().map(|error| error.span).collect();
    assert!(errors.iter().all(|span| text.get(span.start as usize..span.end as usize).is_some()));
}

fn oracle() -> Result<(), Failed> {
    let Some(file) = std::env::var_os("CRDLINT_GOTMPL_ORACLE") else {
        println!("skipped: CRDLINT_GOTMPL_ORACLE is not set");
        return Ok(());
    };
    let (mut count, mut refused, mut failures) = (0, 0, Vec::new());
    for line in std::fs::read_to_string(file)?.lines() {
        let case: serde_json::Value = serde_json::from_str(line)?;
        let text = case["t"].as_str().ok_or("no text")?;
        let expected = case["e"].as_str().ok_or("no error")?;
        let template = parse(text);
        let got = template.errors().first().map_or_else(String::new, |error| error.go_text(NAME));
        count += 1;
        refused += usize::from(!expected.is_empty());
        if got != expected {
            failures.push(format!("{text:?}\n  is {got:?}\n  Go {expected:?}"));
        } else if got.is_empty() {
            let tree = dump(&template);
            let expected = case["d"].as_str().ok_or("no tree")?;
            if tree != expected {
                let differ = tree.lines().zip(expected.lines()).find(|(a, b)| a != b);
                failures.push(format!("{text:?}\n  tree differs: {differ:?}"));
            }
        }
    }
    println!(
        "compared with Go: {count} templates, {refused} of them refused, {} differ",
        failures.len()
    );
    failures.sort_by_key(String::len);
    failures.truncate(20);
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Deep and large templates end in an answer, not in a stack overflow, and in time that grows with their size.
fn limits() {
    let deep = gotmpl::MAX_DEPTH;
    for (open, close, message) in [
        ("{{if true}}", "{{end}}", "control structures nest deeper than 10000 levels"),
        (
            "{{if true}}{{else if true}}",
            "{{end}}",
            "control structures nest deeper than 10000 levels",
        ),
        ("{{with true}}a{{else}}", "{{end}}", "control structures nest deeper than 10000 levels"),
    ] {
        let text = open.repeat(30_000) + &close.repeat(30_000);
        let template = parse(&text);
        assert_eq!(template.errors().len(), 1);
        assert_eq!(template.errors()[0].message, message);
    }
    let parens = |count: usize| format!("{{{{ {}1{} }}}}", "(".repeat(count), ")".repeat(count));
    assert_eq!(parse(&parens(30_000)).errors()[0].message, "max expression depth exceeded");
    let fits = [
        "{{if true}}".repeat(deep) + &"{{end}}".repeat(deep),
        parens(deep),
        parens(deep).replacen("{{", "{{if", 1) + "{{end}}",
    ];
    for text in fits {
        let template = parse(&text);
        assert_eq!(template.errors(), []);
        for id in template
            .walk(template.root())
            .filter(|id| matches!(template.kind(*id), Kind::Pipe { .. }))
            .take(20)
        {
            gotmpl::guards::reads(&template, id);
            gotmpl::decide(&template, id, &|_| None);
        }
        template.display(template.root());
        gotmpl::guards::guards(&template, text.len() as u32 / 2);
        gotmpl::mask(&template);
    }
    for (unit, count) in [
        ("a: {{ .Values.a | default \"b\" | quote }}\n", 30_000),
        ("{{ $x := 1 }}{{ $x }}\n", 30_000),
        ("{{ define \"a\" }}{{ end }}", 30_000),
        ("{{ nope }} {{ .a-b }}\n", 30_000),
        ("{ { {", 150_000),
        ("{{/* a */}}", 30_000),
        ("{{/* a */}}\n", 30_000),
        ("a: |\n{{/* a */}}\n{{/* a */}}\n  b\n", 30_000),
        ("- {{ .a }}\n", 30_000),
        ("{{ .a }}:", 30_000),
        ("a: {{/* b */}}", 30_000),
        ("{{ .a }}", 30_000),
        ("{{- .a -}}  ", 30_000),
        ("{{ \"a", 30_000),
        ("{{ `a", 30_000),
        ("{{ .a ", 30_000),
        ("{{ (.a ", 30_000),
        ("{{ if", 30_000),
        ("{{ end }}", 30_000),
        ("{{/* ", 30_000),
    ] {
        // Quadratic time would show: what takes seconds here would take an hour.
        let rest = unit[unit.find("{{").unwrap_or(0)..].repeat(count);
        parse(&(unit.to_owned() + &rest));
    }
}

/// The set of trees as the program on Go's side prints it.
fn dump(template: &Template) -> String {
    let mut trees = vec![(template.name().as_bytes().to_vec(), template.root())];
    for define in template.defines() {
        let name = define.name.clone().into_bytes();
        let define = template.definition(&define.name).unwrap_or(define);
        if let Some(tree) = trees.iter_mut().find(|(other, _)| *other == name) {
            // The file itself is added last, and gives way only to a definition that is not blank.
            if name != template.name().as_bytes() || !define.blank {
                tree.1 = define.body;
            }
        } else {
            trees.push((name, define.body));
        }
    }
    trees.sort();
    let mut out = String::new();
    for (name, root) in trees {
        let _ = writeln!(out, "Tree {}", hex(&name));
        let mut stack = vec![Some(root)];
        while let Some(id) = stack.pop() {
            match id {
                None => out.push_str("EndList\n"),
                Some(id) => dump_node(template, id, &mut out, &mut stack),
            }
        }
    }
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn dump_node(template: &Template, id: NodeId, out: &mut String, stack: &mut Vec<Option<NodeId>>) {
    let node = template.node(id);
    let pos = node.pos;
    let names: Vec<&str> = template.idents(id).map(|(name, _)| name).collect();
    let names = names.join("/");
    let text = template.text(id);
    let line = match node.kind {
        Kind::List(_) => {
            stack.push(None);
            "List".to_owned()
        }
        Kind::Comment(_) | Kind::Define(_) => return,
        Kind::Text => format!("Text {pos} {}", text.len()),
        Kind::Action { .. } => format!("Action {pos}"),
        Kind::If(_) => format!("If {pos}"),
        Kind::With(_) => format!("With {pos}"),
        Kind::Range(_) => format!("Range {pos}"),
        Kind::Break(_) => format!("Break {pos}"),
        Kind::Continue(_) => format!("Continue {pos}"),
        Kind::Block(define) => {
            let define = template.define(define);
            let _ = writeln!(out, "Template {pos} {}", hex(define.name.as_bytes()));
            stack.extend(define.pipe.map(Some));
            return;
        }
        Kind::Template { name, pipe, .. } => {
            let _ = writeln!(out, "Template {pos} {}", hex(template.string(name)));
            stack.extend(pipe.map(Some));
            return;
        }
        Kind::Pipe { decls, is_assign, items, .. } => {
            let commands = template.nodes(items).len() - usize::from(decls);
            format!("Pipe {pos} {is_assign} {decls} {commands} {}", template.display(id))
        }
        Kind::Command(arguments) => format!("Command {pos} {}", template.nodes(arguments).len()),
        Kind::Chain(_) => format!("Chain {pos} {names}"),
        Kind::Field => format!("Field {pos} {names}"),
        Kind::Variable => format!("Variable {pos} {names}"),
        Kind::Identifier => format!("Identifier {pos} {text}"),
        Kind::Dot => format!("Dot {pos}"),
        Kind::Nil => format!("Nil {pos}"),
        Kind::Bool(value) => format!("Bool {pos} {value}"),
        Kind::Number(number) => {
            let number = template.number(number);
            let mut line = format!("Number {pos}");
            let _ = number.int.map(|value| write!(line, " i{value}"));
            let _ = number.uint.map(|value| write!(line, " u{value}"));
            let _ = number.float.map(|value| write!(line, " f{:x}", value.to_bits()));
            let _ = number
                .complex
                .map(|(re, im)| write!(line, " c{:x},{:x}", re.to_bits(), im.to_bits()));
            line
        }
        Kind::String(_) => format!("String {pos} {} {text}", hex(template.string(id))),
    };
    out.push_str(&line);
    out.push('\n');
    stack.extend(template.children(id).into_iter().rev().map(Some));
}
