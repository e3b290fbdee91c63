//! Loading charts: hostile archives and folders, and, with `CRDLINT_SHARED`, every chart of the corpus.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crdlint::helm::{Chart, ProblemKind, load_archive, load_directory};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

const METADATA: &[u8] = b"apiVersion: v2\nname: c\nversion: 1.0.0\n";

/// An archive of members; a member without text is a link to `/etc/passwd`.
fn archive(members: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, bytes) in members {
        let mut header = tar::Header::new_gnu();
        // Written directly, as `set_path` refuses what a hostile archive holds.
        header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
        header.set_mode(0o644);
        if let Some(bytes) = bytes {
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            builder.append(&header, *bytes).expect("a member");
        } else {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            header.set_link_name("/etc/passwd").expect("a link");
            header.set_cksum();
            builder.append(&header, std::io::empty()).expect("a link");
        }
    }
    builder.into_inner().expect("tar").finish().expect("gzip")
}

fn refused(bytes: &[u8]) -> String {
    let chart = load_archive(bytes, "c.tgz");
    let problems: Vec<String> =
        chart.problems.iter().map(|problem| problem.kind.to_string()).collect();
    assert!(!problems.is_empty(), "loaded: {:?}", chart.files);
    problems.join("; ")
}

#[test]
fn an_archive_is_loaded_with_its_subcharts() {
    let inner = archive(&[
        ("d/Chart.yaml", Some(b"apiVersion: v2\nname: d\nversion: 1.0.0\n")),
        ("d/crds/x.yaml", Some(b"a: 1\n")),
    ]);
    let outer = archive(&[
        ("c/Chart.yaml", Some(METADATA)),
        ("c/values.yaml", Some(b"x: 1\n")),
        ("c/templates/a.yaml", Some(b"a: {{ .Values.x }}\n")),
        ("c/templates/_h.tpl", Some(b"")),
        ("c/charts/d-1.0.0.tgz", Some(&inner)),
        ("c/charts/_off/Chart.yaml", Some(METADATA)),
        ("c/files/x.bin", Some(b"\xFF\xFE\xFD")),
    ]);
    let chart = load_archive(&outer, "charts/c.tgz");
    assert!(chart.problems.is_empty(), "{:?}", chart.problems);
    assert_eq!((chart.name.as_str(), chart.version.as_deref()), ("c", Some("1.0.0")));
    assert_eq!(chart.templates().count(), 2);
    assert_eq!(chart.binaries, ["files/x.bin"]);
    let [sub] = chart.subcharts.as_slice() else { panic!("{:?}", chart.subcharts) };
    let file = sub.crd_files().next().expect("a CRD file");
    assert_eq!(file.source.display_path(), "charts/c.tgz!charts/d-1.0.0.tgz/crds/x.yaml");
}

#[test]
fn what_leaves_the_chart_is_refused() {
    let with = |path: &str| archive(&[("c/Chart.yaml", Some(METADATA)), (path, Some(b"x"))]);
    assert!(refused(&with("c/../../x")).contains("leaves the chart"));
    assert!(refused(&with("../x/y")).contains("leaves the chart"));
    assert!(refused(&with("/etc/x")).contains("absolute path"));
    assert!(refused(&with("c//etc/x")).contains("absolute path"));
    assert!(refused(&with("c\\..\\..\\x")).contains("leaves the chart"));
    assert!(refused(&with("c/C:/x")).contains("leaves the chart"));
    assert!(
        refused(&archive(&[("c/Chart.yaml", Some(METADATA)), ("c/templates/x", None)]))
            .contains("link")
    );
    assert!(refused(&archive(&[("Chart.yaml", Some(METADATA))])).contains("not in a folder"));
    assert!(refused(&archive(&[("c/values.yaml", Some(b"x"))])).contains("no `Chart.yaml`"));
}

#[test]
fn bombs_and_ruins_end_quickly() {
    let zeros = vec![0u8; 6 * 1024 * 1024];
    assert!(
        refused(&archive(&[("c/Chart.yaml", Some(METADATA)), ("c/x", Some(&zeros))]))
            .contains("at most 5242880")
    );
    let chunk = &zeros[..5 * 1024 * 1024];
    let names: Vec<String> = (0..25).map(|n| format!("c/x{n}")).collect();
    let mut members = vec![("c/Chart.yaml", Some(METADATA))];
    members.extend(names.iter().map(|name| (name.as_str(), Some(chunk))));
    assert!(refused(&archive(&members)).contains("at most 104857600"));
    let whole = archive(&[("c/Chart.yaml", Some(METADATA)), ("c/x", Some(&zeros[..100_000]))]);
    assert!(refused(&whole[..whole.len() / 2]).contains("unpacked"));
    assert!(refused(b"no archive at all").contains("unpacked"));
    let mut nested = archive(&[("c/Chart.yaml", Some(METADATA))]);
    for _ in 0..20 {
        nested = archive(&[("c/Chart.yaml", Some(METADATA)), ("c/charts/c.tgz", Some(&nested))]);
    }
    let chart = load_archive(&nested, "c.tgz");
    let mut deepest = &chart;
    while let [sub] = deepest.subcharts.as_slice() {
        deepest = sub;
    }
    assert!(
        matches!(deepest.problems[0].kind, ProblemKind::Limit { .. }),
        "{:?}",
        deepest.problems
    );
}

#[test]
fn a_folder_is_loaded_as_helm_does() {
    let dir = TempDir::new().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "Chart.yaml",
        "apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies:\n  - {name: d, alias: e, condition: 'e.on, on'}\n",
    );
    write(".helmignore", "# ours\n*.bak\nci/\n");
    write("templates/a.yaml", "a: 1\n");
    write("templates/a.yaml.bak", "a: 1\n");
    write("templates/.hidden", "");
    write("ci/x.yaml", "");
    write("charts/d/Chart.yaml", "apiVersion: v2\nname: d\nversion: 1.0.0\n");
    write("charts/README.md", "text");
    let chart = load_directory(dir.path(), "charts/c");
    assert!(chart.problems.is_empty(), "{:?}", chart.problems);
    let names: Vec<&str> = chart.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, [".helmignore", "templates/a.yaml"]);
    assert_eq!(chart.keys_of(&chart.subcharts[0]), ["e"]);
    assert_eq!(chart.dependencies[0].condition_paths(), [vec!["e", "on"], vec!["on"]]);
    assert_eq!(chart.subcharts[0].path, "charts/c/charts/d");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_of_a_folder_are_harmless() {
    use std::os::unix::fs::symlink;
    let dir = TempDir::new().expect("a folder");
    let root = dir.path().join("c");
    fs::create_dir_all(root.join("templates")).expect("a folder");
    fs::write(root.join("Chart.yaml"), METADATA).expect("a file");
    fs::write(root.join("shared.yaml"), "a: 1\n").expect("a file");
    symlink("../shared.yaml", root.join("templates/inside.yaml")).expect("a link");
    symlink("/etc/hostname", root.join("templates/outside.yaml")).expect("a link");
    symlink(".", root.join("templates/loop")).expect("a link");
    symlink("nowhere", root.join("templates/dangling.yaml")).expect("a link");
    let pipe = root.join("templates/pipe.yaml");
    std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    let chart = load_directory(&root, "c");
    let names: Vec<&str> = chart.templates().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["templates/inside.yaml"]);
    let problems: Vec<String> = chart.problems.iter().map(|p| p.kind.to_string()).collect();
    for what in [
        "out of the chart",
        "a folder that it lies in",
        "a link to nothing",
        "a device, pipe or socket",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(what)), "{what}: {problems:?}");
    }
}

/// Every chart of the corpus: folders and archives.
fn corpus_charts(corpus: &Path) -> Vec<PathBuf> {
    let mut charts = Vec::new();
    for project in fs::read_dir(corpus.join("charts")).expect("charts") {
        for entry in fs::read_dir(project.expect("a project").path()).expect("a project") {
            let path = entry.expect("a chart").path();
            if path.join("Chart.yaml").is_file() || path.extension().is_some_and(|e| e == "tgz") {
                charts.push(path);
            }
        }
    }
    charts.sort();
    charts
}

fn load(path: &Path) -> Chart {
    if path.is_dir() {
        return load_directory(path, "c");
    }
    load_archive(&fs::read(path).expect("an archive"), "c.tgz")
}

/// `name/path` of everything that helm could print, as its `# Source:` lines name it.
fn sources(chart: &Chart, prefix: &str, out: &mut BTreeSet<String>) {
    for file in chart.templates().chain(chart.crd_files()) {
        out.insert(format!("{prefix}/{}", file.name));
    }
    for subchart in &chart.subcharts {
        for key in chart.keys_of(subchart) {
            sources(subchart, &format!("{prefix}/charts/{key}"), out);
        }
        sources(subchart, &format!("{prefix}/charts/{}", subchart.name), out);
    }
}

#[test]
fn every_chart_of_the_corpus_loads_with_all_that_helm_printed() {
    let Some(shared) = std::env::var_os("CRDLINT_SHARED").map(PathBuf::from) else {
        println!("skipped: CRDLINT_SHARED is not set");
        return;
    };
    let corpus = shared.join("corpus");
    let (mut lines, mut failures) = (0, Vec::new());
    let charts = corpus_charts(&corpus);
    for path in &charts {
        let chart = load(path);
        for problem in &chart.problems {
            failures.push(format!("{}: {}", path.display(), problem.kind));
        }
        let mut known = BTreeSet::new();
        sources(&chart, &chart.name, &mut known);
        let relative =
            path.strip_prefix(corpus.join("charts")).expect("in the corpus").with_extension("");
        let name = path.file_name().expect("a name").to_string_lossy();
        let stem = name.trim_end_matches(".tgz");
        let folders = [relative.with_file_name(stem), relative.with_file_name(&chart.name)];
        let folders = folders.iter().map(|folder| corpus.join("goldens").join(folder));
        let Some(golden) = folders.into_iter().find(|folder| folder.is_dir()) else { continue };
        let golden = golden.join("default.yaml.gz");
        if !golden.is_file() {
            continue;
        }
        let mut text = String::new();
        flate2::read::GzDecoder::new(fs::File::open(golden).expect("a golden"))
            .read_to_string(&mut text)
            .expect("text");
        for line in text.lines() {
            if let Some(source) = line.strip_prefix("# Source: ")
                // Some CRDs carry a comment that says where they were copied from.
                && !source.contains("://")
            {
                lines += 1;
                if !known.contains(source) {
                    failures.push(format!("{}: `{source}` is not loaded", path.display()));
                }
            }
        }
    }
    println!("corpus: {} charts loaded, {lines} sources that helm printed are known", charts.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
