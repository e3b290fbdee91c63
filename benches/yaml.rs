//! YAML parsing: bytes per second beside libyaml, on the CRDs of the corpus or on our own fixtures.
//!
//! `cargo bench --bench yaml` prints a table. `cargo bench --bench yaml -- once ours|libyaml` parses everything once
//! and nothing else, for callgrind: `.ci/instructions` divides its count by the bytes.

#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use crdlint::source::Source;
use crdlint::yaml;

fn main() {
    let sources = sources();
    let bytes: usize = sources.iter().map(|source| source.text().len()).sum();
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "once") {
        match args.get(at + 1).map(String::as_str) {
            Some("libyaml") => run_libyaml(&sources),
            Some("nothing") => {}
            _ => run_ours(&sources),
        }
        println!("bytes {bytes}");
        return;
    }
    println!("{} files, {:.2} MB", sources.len(), bytes as f64 / 1e6);
    for (name, run) in
        [("crdlint", run_ours as fn(&[Arc<Source>])), ("libyaml-safer events", run_libyaml)]
    {
        let mut best = f64::INFINITY;
        for _ in 0..7 {
            let start = Instant::now();
            run(&sources);
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name:>22}: {:8.1} MB/s", bytes as f64 / 1e6 / best);
    }
}

fn sources() -> Vec<Arc<Source>> {
    let root = match std::env::var("CRDLINT_SHARED") {
        Ok(shared) => format!("{shared}/corpus/crds"),
        Err(_) => concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures").to_owned(),
    };
    let mut paths: Vec<_> = walkdir::WalkDir::new(root)
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter(|text| text.contains("CustomResourceDefinition"))
        .map(|text| Source::new("bench.yaml", text))
        .collect()
}

fn run_ours(sources: &[Arc<Source>]) {
    for source in sources {
        black_box(yaml::parse(source));
    }
}

fn run_libyaml(sources: &[Arc<Source>]) {
    for source in sources {
        let mut bytes = source.text().as_bytes();
        let mut parser = libyaml_safer::Parser::new();
        parser.set_input_string(&mut bytes);
        while let Ok(event) = parser.parse() {
            if matches!(event.data, libyaml_safer::EventData::StreamEnd) {
                break;
            }
            black_box(&event);
        }
    }
}
