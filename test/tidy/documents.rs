//! Documents name files that exist: the targets of links, their headings, and paths between backticks.
//!
//! A path is checked if it begins with a folder at the top of the repository or of the document's folder. Braces stand for
//! alternatives, and `.rs` may be missing. A path with a placeholder, such as `<name>` or `*`, is not checked.

use crate::source::{read, root, tracked_files};
use std::collections::BTreeSet;
use std::path::Path;

/// The beginnings of paths that one document abbreviates.
const ABBREVIATIONS: &[(&str, &[(&str, &str)])] = &[(
    "CONTRIBUTING.md",
    &[
        ("legality/", "src/schedule/legality/"),
        ("runtime/", "crates/loopwright-runtime/src/"),
        ("emulator/", "crates/ptx-emulator/src/"),
    ],
)];

#[test]
fn documents_name_files_that_exist() {
    let all = tracked_files();
    let pages = all.iter().filter(|it| it.ends_with(".md") && root().join(it).exists());
    let pages: Vec<_> = pages.map(|it| (it.clone(), read(it))).collect();
    let found = complaints(&pages, &all);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The complaints about documents, each a path and its text; `all` are all files of the repository.
fn complaints(documents: &[(String, String)], all: &[String]) -> Vec<String> {
    let parents = all.iter().flat_map(|file| Path::new(file).ancestors());
    let known: BTreeSet<&str> = parents.filter_map(Path::to_str).collect();
    let exists = |path: &str| known.contains(path) || known.contains(format!("{path}.rs").as_str());
    let mut found = vec![];
    for (document, text) in documents {
        for (line, prose) in prose(text) {
            for target in links(prose) {
                let (path, heading) = target.split_once('#').unwrap_or((target, ""));
                let path = if path.is_empty() { document.clone() } else { beside(document, path) };
                let of = documents.iter().find(|(name, _)| *name == path);
                let has_heading = of.is_none_or(|(_, text)| headings(text).any(|it| it == heading));
                if !exists(&path) || !heading.is_empty() && !has_heading {
                    found.push(format!("{document}:{line}: the link to {target} is dead"));
                }
            }
            for path in paths(prose).flat_map(alternatives).map(|it| in_full(document, it)) {
                let first = path.split('/').next().unwrap_or_default();
                let is_folder = |it: &str| !first.is_empty() && known.contains(it);
                let is_ours = is_folder(first) || is_folder(&beside(document, first));
                let places = [path.clone(), beside(document, &path)];
                if is_ours && !places.iter().any(|it| exists(it.trim_end_matches('/'))) {
                    found.push(format!("{document}:{line}: there is no {path}"));
                }
            }
        }
    }
    found
}

/// The lines outside of code blocks, numbered.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((i + 1, line))
    })
}

/// The targets of links that are not URLs.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|it| !it.contains("://") && !it.contains(' '))
}

/// The paths between backticks.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|it| {
        it.contains('/') && !it.contains("..") && !it.contains([' ', '<', '*', '$', '"'])
    })
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn alternatives(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((names, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    names.split(',').flat_map(|name| alternatives(&format!("{before}{name}{after}"))).collect()
}

fn in_full(document: &str, path: String) -> String {
    let of = ABBREVIATIONS.iter().find(|(name, _)| *name == document);
    let mut rows = of.map_or(&[][..], |(_, rows)| rows).iter();
    let found = rows.find_map(|(short, long)| Some(format!("{long}{}", path.strip_prefix(short)?)));
    found.unwrap_or(path)
}

/// A path relative to the folder of a document, from the root.
fn beside(document: &str, path: &str) -> String {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = vec![];
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            ".." => drop(parts.pop()),
            "" | "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchors of the headings of a page, as GitHub makes them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| {
        let title = line.strip_prefix('#')?.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || "_- ".contains(*c));
        Some(kept.map(|c| if c == ' ' { '-' } else { c }).collect())
    })
}

#[cfg(test)]
mod self_tests {
    use super::*;

    #[test]
    fn dead_links_and_paths_are_found() {
        let all = ["docs/a.md", "docs/b.md", "src/x/y.rs", "src/x.rs"].map(str::to_owned);
        let count = |text: &str| {
            let b = ("docs/b.md".to_owned(), "# The B `c`".to_owned());
            complaints(&[("docs/a.md".into(), text.into()), b], &all).len()
        };
        assert_eq!(count("[b](b.md) [b](b.md#the-b-c) [x](../src/x.rs) [me](#head)\n## Head"), 0);
        assert_eq!(count("[b](c.md) [b](b.md#other) [x](src/x.rs) [me](#tail)\n## Head"), 4);
        assert_eq!(count("`src/x` `src/x/y.rs` `src/{x,x/y}.rs` `src/<name>.rs` `a/b`"), 0);
        assert_eq!(count("`src/z` `src/x/{y,z}.rs`"), 2);
        assert_eq!(count("```\n`src/z` [b](c.md)\n```"), 0);
    }
}
