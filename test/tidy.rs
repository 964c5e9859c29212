//! What the sources must look like: heads, import order, file size, where `unsafe` may stand, forbidden words, a test for each pass, names.
//!
//! Each check is a function from sources to complaints, with a test that it accepts our sources and one that it refuses a bad snippet.
//! Comments and the insides of literals never count as code; `#[cfg(test)]` items count only where a check says so.

#[path = "tidy/documents.rs"]
mod documents;
#[path = "tidy/graph.rs"]
mod graph;
#[path = "tidy/mirror.rs"]
mod mirror;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/type_names.rs"]
mod type_names;

use source::{
    Source, files_below, is_word, line_of, our_sources, read, root, tracked_files, words,
};
use std::{fs, ops::Range};

/// The modules of `src/`, left to right: a module may use itself and what stands to its left.
const ORDER: &[&str] = &[
    "ffi",
    "ir",
    "dialect",
    "machine",
    "analysis",
    "interpreter",
    "compute",
    "graph",
    "fusion",
    "nest",
    "verify",
    "schedule",
    "strategy",
    "auto_schedule",
    "optimize",
    "lowering",
    "codegen",
    "pass",
    "pipeline",
];

/// The rooms inside a module, bottom to top: a room may use itself and the rooms before it.
const ROOMS: &[(&str, &[&str])] = &[
    (
        "nest",
        &[
            "shared",
            "summary",
            "rewriter",
            "size_order",
            "state",
            "facts",
            "derived_name",
            "render",
        ],
    ),
    (
        "schedule",
        &[
            "verdict",
            "error",
            "instruction",
            "name",
            "legality",
            "rewrite",
            "query",
            "primitive",
            "step",
            "trace",
            "library",
            "interface",
        ],
    ),
];

/// Imports against the order: user (`*` is any), used, reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "ffi",
        "register_dialects_in",
        "mlir-opt enters the crate at the plugin's entry points, which stand in ffi",
    ),
    ("ffi", "register_passes", "as above"),
];

/// Never, whatever the order and the exceptions say: the interpreter is the oracle and shares no code with what it judges.
const FORBIDDEN: &[(&str, &str)] = &[
    ("interpreter", "compute"),
    ("interpreter", "optimize"),
    ("interpreter", "lowering"),
    ("interpreter", "codegen"),
];

const MAX_LINES: usize = 600;

/// Spelt in parts, so that this file passes its own check.
const REGISTRY_HOSTS: &[&str] = &[
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("npmjs", ".org"),
    concat!("npmjs", ".com"),
    concat!("deb.debian", ".org"),
    concat!("security.debian", ".org"),
    concat!("proxy.golang", ".org"),
];
const MACHINE_FOLDERS: &[&str] =
    &[concat!("/wo", "rk"), concat!("/ro", "ot"), concat!("/ho", "me")];

#[test]
fn every_file_opens_with_a_head() {
    accept(our_sources(), head);
}

#[test]
fn imports_go_left() {
    accept(our_sources(), import_order);
}

#[test]
fn modules_of_the_order_exist() {
    let exists = |name: &str| root().join(format!("src/{name}.rs")).exists();
    let rooms =
        ROOMS.iter().flat_map(|(module, rooms)| rooms.iter().map(move |r| format!("{module}/{r}")));
    let listed = ORDER.iter().map(|it| (*it).to_owned()).chain(rooms);
    report(
        listed.filter(|it| !exists(it)).map(|it| format!("src/{it}.rs does not exist")).collect(),
    );
}

#[test]
fn rooms_import_lower_rooms() {
    let imports = graph::imports(&our_sources());
    report(imports.iter().filter_map(|it| graph::room_error(it, ROOMS)).collect());
}

/// A circle of more files than this is refused.
const MAX_CIRCLE: usize = 3;

#[test]
fn import_circles_are_small() {
    let excepted = |it: &graph::Import| {
        EXCEPTIONS
            .iter()
            .any(|(user, _, _)| it.from.starts_with(&format!("{user}/")) && it.is_upward(ORDER))
    };
    let imports: Vec<_> =
        graph::imports(&our_sources()).into_iter().filter(|it| !excepted(it)).collect();
    let circles = graph::circles(&imports).into_iter().filter(|it| it.len() > MAX_CIRCLE);
    report(circles.map(|it| format!("these files import each other: {}", it.join(", "))).collect());
}

#[test]
fn tests_mirror_sources() {
    report(mirror::complaints(&files_below("test"), &files_below("")));
}

#[test]
fn files_are_short() {
    accept(our_sources(), size);
}

#[test]
fn unsafe_stands_in_ffi_and_says_why() {
    accept(our_sources(), unsafe_code);
}

#[test]
fn errors_are_errors_of_std() {
    accept(our_sources(), errors);
}

#[test]
fn no_forbidden_words() {
    accept(our_sources(), forbidden_words);
}

#[test]
fn every_pass_has_a_test() {
    let sources = our_sources();
    let flags: Vec<_> = sources
        .iter()
        .filter(|it| it.path == "src/pass.rs" || it.path.starts_with("src/pass/"))
        .flat_map(pass_flags)
        .collect();
    assert!(!flags.is_empty(), "found no pass in src/pass.rs: has the form of its table changed?");
    let run_lines: Vec<_> = files_below("test")
        .iter()
        .filter(|it| it.ends_with(".mlir"))
        .flat_map(|it| run_lines(&read(it)))
        .collect();
    report(untested(&flags, &run_lines));
}

#[test]
fn files_have_telling_names() {
    let folders = ["src", "crates", "tools", "dialects", "test"];
    let paths: Vec<_> = folders.iter().flat_map(|it| files_below(it)).collect();
    report(paths.iter().filter_map(|it| vague_name(it)).collect());
}

#[test]
fn no_machine_of_ours_is_named() {
    let texts = tracked_files().into_iter().filter_map(|path| {
        let text = String::from_utf8(fs::read(root().join(&path)).ok()?).ok()?;
        Some((path, text))
    });
    report(texts.flat_map(|(path, text)| machine_names(&path, &text)).collect());
}

fn head(source: &Source) -> Vec<String> {
    if source.text.starts_with("//!") {
        return vec![];
    }
    vec![format!("{}:1: does not open with //!", source.path)]
}

fn import_order(source: &Source) -> Vec<String> {
    let Some(below_src) = source.path.strip_prefix("src/") else {
        return vec![];
    };
    let module_path: Vec<_> = below_src.trim_end_matches(".rs").split('/').collect();
    let from = module_path[0];
    if from == "lib" {
        return vec![];
    }
    let complain = |at: usize, text: String| format!("{}:{}: {text}", source.path, source.line(at));
    if !ORDER.contains(&from) {
        return vec![complain(0, format!("module {from} has no place in the order"))];
    }
    imports(&source.code, module_path.len())
        .into_iter()
        .filter_map(|(at, to)| Some(complain(at, import_error(from, &to)?)))
        .collect()
}

fn import_error(from: &str, to: &str) -> Option<String> {
    let place = |name| ORDER.iter().position(|it| *it == name);
    let is_excepted =
        |(user, used, _): &(&str, &str, &str)| (*user == "*" || *user == from) && *used == to;
    if FORBIDDEN.contains(&(from, to)) {
        return Some(format!("{from} must never use {to}"));
    }
    if EXCEPTIONS.iter().any(is_excepted) {
        return None;
    }
    match place(to) {
        None => Some(format!("imports crate::{to}: name the module that defines it")),
        Some(place_of_to) if Some(place_of_to) <= place(from) => None,
        Some(_) => Some(format!("{from} must not use {to}, which stands to its right")),
    }
}

/// The first names after `crate::`, and after as many `super::` as lead out of a module at `depth`, with their offsets.
fn imports(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = vec![];
    for at in words(code, "crate") {
        if let Some(rest) = path_separator(&code[at + "crate".len()..]) {
            found.extend(first_names(rest).into_iter().map(|name| (at, name)));
        }
    }
    for at in words(code, "super") {
        let (mut rest, mut levels) = (&code[at..], 0);
        while let Some(next) = rest.strip_prefix("super").and_then(path_separator) {
            (rest, levels) = (next, levels + 1);
        }
        if levels >= depth {
            let modules = first_names(rest).into_iter().filter(|it| ORDER.contains(&it.as_str()));
            found.extend(modules.map(|name| (at, name)));
        }
    }
    found
}

fn path_separator(code: &str) -> Option<&str> {
    code.trim_start().strip_prefix("::").map(str::trim_start)
}

/// `a::b` has the first name `a`; `{a::{b, c}, d}` has `a` and `d`; a macro call `a!` has none.
fn first_names(code: &str) -> Vec<String> {
    let name_of = |code: &str| {
        let code = code.trim_start();
        let end = code.find(|c| !is_word(c)).unwrap_or(code.len());
        match (end, code[end..].starts_with('!')) {
            (0, _) => code.starts_with('*').then(|| "*".to_string()),
            (_, is_macro) => (!is_macro).then(|| code[..end].to_string()),
        }
    };
    let Some(group) = code.strip_prefix('{') else {
        return name_of(code).into_iter().collect();
    };
    let (mut names, mut depth) = (vec![name_of(group)], 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name_of(&group[at + 1..])),
            _ => {}
        }
    }
    names.into_iter().flatten().collect()
}

fn size(source: &Source) -> Vec<String> {
    let newlines = |range: &Range<usize>| source.text[range.clone()].matches('\n').count();
    let in_tests: usize = source.tests.iter().map(newlines).sum();
    let lines = source.text.lines().count().saturating_sub(in_tests);
    if lines <= MAX_LINES {
        return vec![];
    }
    vec![format!("{}: {lines} lines without its tests, more than {MAX_LINES}", source.path)]
}

fn unsafe_code(source: &Source) -> Vec<String> {
    let after = |at: usize, word: &str| source.code[at + word.len()..].trim_start();
    let (found, complaint): (Vec<usize>, _) = if is_ffi(&source.path) {
        let unexplained = words(&source.code, "unsafe")
            .filter(|at| {
                let next = after(*at, "unsafe");
                next.starts_with('{') || next.starts_with("impl")
            })
            .filter(|at| !says_safety(&source.text, source.line(*at)));
        (unexplained.collect(), "unsafe without a SAFETY: comment above it")
    } else {
        let foreign =
            words(&source.code, "extern").filter(|at| !after(*at, "extern").starts_with("crate"));
        let found = words(&source.code, "unsafe").chain(foreign);
        (found.collect(), "unsafe or extern outside ffi")
    };
    let complain = |at| format!("{}:{}: {complaint}", source.path, source.line(at));
    found.into_iter().map(complain).collect()
}

/// `src/ffi.rs`, `src/ffi/**` and the same of each crate, and `tools/ffi.rs`.
fn is_ffi(path: &str) -> bool {
    if path == "tools/ffi.rs" || path.starts_with("tools/ffi/") {
        return true;
    }
    let below_src = match path.strip_prefix("crates/").and_then(|it| it.split_once('/')) {
        Some((_, in_crate)) => in_crate.strip_prefix("src/"),
        None => path.strip_prefix("src/"),
    };
    below_src.is_some_and(|it| it == "ffi.rs" || it.starts_with("ffi/"))
}

/// Whether `SAFETY:` stands on the line, in the three lines above it, or in the comment that those lines belong to.
fn says_safety(text: &str, line: usize) -> bool {
    let upward = text.lines().take(line).collect::<Vec<_>>().into_iter().rev();
    let is_comment = |it: &&str| it.trim_start().starts_with("//");
    let near = upward.clone().take(4);
    let joined = upward.skip(3).take_while(is_comment);
    near.chain(joined).any(|it| it.contains("SAFETY:"))
}

fn forbidden_words(source: &Source) -> Vec<String> {
    const NOWHERE: &[&str] = &["#[ignore", "#[should_panic"];
    const NOT_OUTSIDE_TESTS: &[&str] =
        &[".unwrap()", "todo!", "unimplemented!", "dbg!", "#[allow(", "#![allow("];
    let in_code = NOWHERE.iter().flat_map(|it| matches(&source.code, it));
    let in_production = NOT_OUTSIDE_TESTS
        .iter()
        .flat_map(|it| matches(&source.code, it))
        .filter(|(at, _)| !source.tests.iter().any(|it| it.contains(at)));
    in_code
        .chain(in_production)
        .map(|(at, word)| format!("{}:{}: {word}", source.path, source.line(at)))
        .collect()
}

fn matches<'a>(code: &'a str, pattern: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let starts_word = pattern.starts_with(is_word);
    code.match_indices(pattern)
        .filter(move |(at, _)| !(starts_word && code[..*at].ends_with(is_word)))
}

/// The string literals that follow `argument:` or open a `row!(`.
fn pass_flags(source: &Source) -> Vec<String> {
    let starts = ["argument:", "row!("].into_iter().flat_map(|opening| {
        source.code.match_indices(opening).map(move |(at, _)| at + opening.len())
    });
    starts
        .filter(|at| !source.tests.iter().any(|it| it.contains(at)))
        .filter_map(|at| {
            let rest = &source.code[at..];
            let open = at + (rest.len() - rest.trim_start().len()) + 1;
            rest.trim_start().strip_prefix('"')?;
            let length = source.code[open..].find('"')?;
            Some(source.text[open..open + length].to_string())
        })
        .collect()
}

fn run_lines(text: &str) -> Vec<String> {
    text.lines().filter(|it| it.contains("RUN:")).map(str::to_string).collect()
}

fn untested(flags: &[String], run_lines: &[String]) -> Vec<String> {
    flags
        .iter()
        .filter(|flag| !run_lines.iter().any(|line| mentions(line, flag)))
        .map(|flag| format!("no RUN line of test/**/*.mlir mentions the pass {flag}"))
        .collect()
}

/// Whether the flag stands in the line by itself, alone or after dashes: `fuse` is not in `--graph-fuse` nor in `--fuse-all`.
fn mentions(line: &str, flag: &str) -> bool {
    line.match_indices(flag).any(|(at, _)| {
        let before = line[..at].trim_end_matches('-');
        let after = &line[at + flag.len()..];
        !before.ends_with(is_word) && !after.starts_with(is_word) && !after.starts_with('-')
    })
}

/// A public type whose name ends in Error derives `thiserror::Error`.
fn errors(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let is_error = |line: &str| {
        let item = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "));
        item.and_then(|it| it.split(|c| !is_word(c)).next()).is_some_and(|it| it.ends_with("Error"))
    };
    let derives = |at: usize| {
        let is_attached = |line: &&&str| line.starts_with(['#', '/']);
        lines[..at].iter().rev().take_while(is_attached).any(|it| it.contains("thiserror::Error"))
    };
    let wrong = (0..lines.len()).filter(|at| is_error(lines[*at]) && !derives(*at));
    wrong.map(|at| format!("{}:{}: derive thiserror::Error", source.path, at + 1)).collect()
}

fn vague_name(path: &str) -> Option<String> {
    if path.ends_with("/mod.rs") {
        return Some(format!("{path}: foo/mod.rs is written foo.rs"));
    }
    let names = path.split('/').map(|it| it.split('.').next().unwrap_or(it));
    let vague = ["utils", "helpers", "common", "misc"];
    let found = names.into_iter().find(|it| vague.contains(it))?;
    Some(format!("{path}: {found} says nothing about the content"))
}

fn machine_names(path: &str, text: &str) -> Vec<String> {
    if path.split('/').next_back() == Some("Cargo.lock") {
        return vec![]; // Cargo writes the registry's address into it.
    }
    let hosts = REGISTRY_HOSTS
        .iter()
        .flat_map(|it| text.match_indices(it))
        .map(|(at, host)| (at, format!("names the registry host {host}")));
    let folders =
        MACHINE_FOLDERS.iter().flat_map(|it| text.match_indices(it)).filter(|(at, it)| {
            let inside_a_path = text[..*at].ends_with(|c| is_word(c) || ".-)}*".contains(c));
            !inside_a_path && !text[at + it.len()..].starts_with(|c| is_word(c) || c == '-')
        });
    hosts
        .chain(folders.map(|(at, folder)| (at, format!("has a path below {folder}"))))
        .map(|(at, complaint)| format!("{path}:{}: {complaint}", line_of(text, at)))
        .collect()
}

fn accept(sources: Vec<Source>, check: fn(&Source) -> Vec<String>) {
    assert!(!sources.is_empty(), "found no source file");
    report(sources.iter().flat_map(check).collect());
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Each check refuses what it should and accepts what looks like it.
mod self_tests {
    use super::*;

    /// The lines of `text` that `check` complains about, as a file at `path`.
    fn complaints(check: fn(&Source) -> Vec<String>, path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path, text))
    }

    #[test]
    fn head_is_demanded() {
        assert_eq!(complaints(head, "src/ir.rs", "// x").len(), 1);
        assert_eq!(complaints(head, "src/ir.rs", "//! x").len(), 0);
    }

    #[test]
    fn errors_without_the_trait_are_refused() {
        let refused = |text| complaints(errors, "src/ir.rs", text).len();
        assert_eq!(refused("#[derive(Debug)]\npub enum ReadError {"), 1);
        assert_eq!(
            refused("#[derive(Debug, thiserror::Error)]\n#[error(\"x\")]\npub struct Error<'c>;"),
            0
        );
        assert_eq!(refused("struct ReadError;\npub struct Errors;"), 0);
    }

    #[test]
    fn imports_to_the_right_are_refused() {
        let refused = |path, text| complaints(import_order, path, text).len();
        assert_eq!(refused("src/ir.rs", "use crate::nest::Op;"), 1);
        assert_eq!(refused("src/ir/a.rs", "use crate::{\n ffi::{x, pass}, nest, pipeline};"), 2);
        assert_eq!(refused("src/ir/a.rs", "fn f() { super::super::nest::g() }"), 1);
        assert_eq!(refused("src/ir.rs", "use super::nest;"), 1);
        assert_eq!(refused("src/ir.rs", "use crate::Shortcut;"), 1);
        assert_eq!(refused("src/ir.rs", "use crate::*;"), 1);
        assert_eq!(refused("src/ir.rs", "macro_rules! m { () => { $crate::nest::g() } }"), 1);
        assert_eq!(refused("src/unknown.rs", ""), 1);
        assert_eq!(refused("src/interpreter/a.rs", "use crate::compute::x;"), 1);
        assert_eq!(refused("src/interpreter/a.rs", "use crate::{analysis, machine::x};"), 0);
        assert_eq!(refused("src/pass.rs", "use crate::{nest, codegen::x86}; crate::row!(1);"), 0);
        assert_eq!(refused("src/ir/a.rs", "pub(crate) use super::nest; // crate::nest"), 0);
        assert_eq!(refused("src/ir.rs", "fn f() { crate::register_passes() }"), 1);
        assert_eq!(refused("src/ffi/plugin.rs", "fn f() { crate::register_passes() }"), 0);
        assert_eq!(refused("src/lib.rs", "pub use crate::pipeline;"), 0);
        assert_eq!(refused("tools/lw-opt/main.rs", "use loopwright::pipeline;"), 0);
    }

    #[test]
    fn long_file_is_refused() {
        let long = "x();\n".repeat(MAX_LINES + 1);
        assert_eq!(complaints(size, "src/ir.rs", &long).len(), 1);
        let tested = format!("f();\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
        assert_eq!(complaints(size, "src/ir.rs", &tested).len(), 0);
    }

    #[test]
    fn unsafe_is_refused() {
        let refused = |path, text| complaints(unsafe_code, path, text).len();
        assert_eq!(refused("src/ir.rs", "// SAFETY: x\nunsafe { f() }"), 1);
        assert_eq!(refused("src/ir.rs", "extern \"C\" fn f() {}"), 1);
        assert_eq!(refused("src/ir.rs", "extern crate a; // unsafe\nfn unsafe_op() {}"), 0);
        assert_eq!(refused("src/ffi/a.rs", "unsafe { f() }"), 1);
        assert_eq!(refused("src/ffi.rs", "unsafe impl Send for A {}"), 1);
        assert_eq!(refused("crates/a/src/ffi.rs", "// SAFETY: x\n\n\n\nunsafe { f() }"), 1);
        assert_eq!(refused("crates/a/src/ffi/b.rs", "// SAFETY: x\nlet a = unsafe { f() };"), 0);
        assert_eq!(refused("src/ffi.rs", "// SAFETY: x\n// y\n// y\n// y\n\nunsafe {}"), 0);
        assert_eq!(refused("src/ffi.rs", "unsafe extern \"C\" { unsafe fn f(); }"), 0);
    }

    #[test]
    fn forbidden_words_are_refused() {
        let refused = |text| complaints(forbidden_words, "src/ir.rs", text).len();
        assert_eq!(refused("fn f() { a.unwrap(); todo!(); unimplemented!(); dbg!(a) }"), 4);
        assert_eq!(refused("#![allow(x)] #[allow(y)] fn f() {}"), 2);
        assert_eq!(
            refused("#[cfg(test)] mod tests { #[ignore = \"\"] #[should_panic] fn f() {} }"),
            2
        );
        assert_eq!(refused("#[cfg(not(test))] fn f() { a.unwrap() }"), 1);
        assert_eq!(refused("#[cfg(test)] use a::b; fn f() { a.unwrap() }"), 1);
        assert_eq!(refused("#[cfg(test)] mod tests { fn f() { a.unwrap() } }"), 0);
        assert_eq!(refused("#[expect(x)] fn f() { a.unwrap_or(1); \"todo!\"; } // dbg!"), 0);
    }

    #[test]
    fn untested_pass_is_found() {
        let table = r#"[Pass { argument: "graph-fuse", x }, row!("fuse", y), row!(  "split")]
            struct Pass { argument: &'static str }
            #[cfg(test)] mod tests { const A: P = P { argument: "not-this" }; }"#;
        let flags = pass_flags(&Source::new("src/pass.rs", table));
        let mut sorted = flags.clone();
        sorted.sort();
        assert_eq!(sorted, ["fuse", "graph-fuse", "split"]);
        let lines =
            run_lines("// RUN: a --graph-fuse --split-all\n// --fuse\n// RUN: b -p='split{x=1}'");
        assert_eq!(lines.len(), 2);
        assert_eq!(untested(&flags, &lines).len(), 1);
        assert!(untested(&flags, &lines)[0].ends_with(" fuse"));
    }

    #[test]
    fn vague_names_are_refused() {
        for path in ["src/a/mod.rs", "src/utils.rs", "src/a/helpers/b.rs", "dialects/a/common.td"] {
            assert!(vague_name(path).is_some(), "{path}");
        }
        for path in ["src/a/model.rs", "src/commonality.rs"] {
            assert!(vague_name(path).is_none(), "{path}");
        }
    }

    #[test]
    fn machine_names_are_refused() {
        let (host, folder) = (REGISTRY_HOSTS[0], MACHINE_FOLDERS[0]);
        let refused = |path, text: String| machine_names(path, &text).len();
        assert_eq!(refused("a.md", format!("see {host}/x")), 1);
        assert_eq!(refused("a.mlir", format!("loc(\"{folder}/x\") {folder}\n")), 2);
        assert_eq!(
            refused("a.rs", format!("a{folder}/b {folder}space {folder}-space ..{folder}/c")),
            0
        );
        assert_eq!(refused("Cargo.lock", format!("https://{host}")), 0);
        assert_eq!(refused("examples/a/Cargo.lock", format!("https://{host}")), 0);
    }
}
