//! A type name means one thing in the library: no two files of `src/` define types of the same name.

use crate::source::{Source, is_word, our_sources, words};
use std::collections::BTreeMap;

/// Names that several files define, each with the reason.
const SHARED: &[(&str, &str)] =
    &[("Plan", "what the check of a primitive hands to its rewrite: each primitive has one")];

#[test]
fn type_names_are_unique() {
    let sources = our_sources();
    let ours: Vec<_> = sources.iter().filter(|it| it.path.starts_with("src/")).collect();
    let found = complaints(&ours);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn complaints(sources: &[&Source]) -> Vec<String> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for name in type_names(source) {
            files.entry(name).or_default().push(&source.path);
        }
    }
    let is_shared = |name: &str| SHARED.iter().any(|(shared, _)| *shared == name);
    let doubles = files.into_iter().filter(|(name, files)| files.len() > 1 && !is_shared(name));
    doubles.map(|(name, files)| format!("{name} is defined in {}", files.join(", "))).collect()
}

/// The types that a file defines outside of tests. Associated types are indented, and are not counted.
fn type_names(source: &Source) -> Vec<&str> {
    let mut found = vec![];
    for keyword in ["struct", "enum", "trait", "type"] {
        for at in words(&source.code, keyword) {
            let line = source.code[..at].rfind('\n').map_or(0, |end| end + 1);
            let is_associated = keyword == "type" && source.code[line..].starts_with(' ');
            if is_associated || source.tests.iter().any(|tests| tests.contains(&at)) {
                continue;
            }
            let name = source.code[at + keyword.len()..].trim_start();
            found.push(name.split(|c| !is_word(c)).next().unwrap_or_default());
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

#[test]
fn doubles_are_found() {
    let count = |texts: [&str; 2]| {
        let [a, b] = texts;
        let (a, b) = (Source::new("src/a.rs", a), Source::new("src/b.rs", b));
        complaints(&[&a, &b]).len()
    };
    assert_eq!(count(["pub struct A;", "enum A {}"]), 1);
    assert_eq!(count(["type A = u8;", "trait A {}"]), 1);
    assert_eq!(count(["struct A;", "struct B; // struct A"]), 0);
    assert_eq!(count(["struct A;", "#[cfg(test)] mod tests { struct A; }"]), 0);
    assert_eq!(count(["impl B for C {\n    type A = u8;\n}", "struct A;"]), 0);
    assert_eq!(count(["struct Plan;", "struct Plan;"]), 0);
}
