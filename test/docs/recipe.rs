//! The recipe of `CONTRIBUTING.md` for a new primitive is true: every primitive is in its places, no other place lists
//! all primitives, and the recipe names these places.

use crate::{path, read, source};
use loopwright::schedule::primitive::PRIMITIVES;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The places of each primitive. The last two are written by `LOOPWRIGHT_UPDATE=1 cargo test --test docs`.
const PLACES: &[&str] = &[
    "src/schedule/primitive/<family>/<name>.rs",
    "src/schedule/primitive.rs",
    "dialects/sched/SchedOps.td",
    "test/schedule/primitive/<family>/<name>.mlir",
    "test/schedule/primitive/<family>/<name>_refused.mlir",
    "docs/primitives.md",
    "crates/loopwright-python/python/loopwright/_steps.py",
];

/// A place that a primitive needs only for a new reason.
const REASONS: &str = "src/schedule/error.rs";

/// How many places a new primitive may have.
const MOST: usize = 8;

/// Places for what defaults do not give. No test fails without an entry.
const SPECIAL: &[&str] = &[
    "src/schedule/legality/quick",
    "test/schedule/each_primitive.rs",
    "test/schedule/random_schedules/step.rs",
    "test/schedule/legality/step.rs",
    "test/schedule/legality/family.rs",
    "benches/schedule.rs",
    "docs/coming-from.md",
];

/// Files that may name all primitives, because they have results of tests.
const RESULTS: &[&str] = &["docs/legality.md", "test/schedule/recorded", "test/schedule/drawn.rs"];

fn place(pattern: &str, name: &str) -> String {
    let file = source(name);
    let family = file.split('/').rev().nth(1).expect("a primitive is in the folder of its family");
    pattern.replace("<family>", family).replace("<name>", name)
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect()
}

#[test]
fn each_primitive_is_in_its_places() {
    for primitive in PRIMITIVES {
        for pattern in PLACES {
            let file = place(pattern, primitive.name);
            let text = read(&file);
            // A pass has the name in kebab-case.
            let is_named = words(&text).contains(primitive.name) || text.contains(primitive.pass);
            assert!(is_named, "{file} does not name {}", primitive.name);
        }
    }
}

#[test]
fn a_primitive_has_few_places() {
    let places = PLACES.len() + [REASONS].len();
    assert!(places <= MOST, "a new primitive has {places} places, expected at most {MOST}");
}

#[test]
fn no_other_place_lists_all_primitives() {
    let roots = ["src", "test", "benches", "dialects", "docs", "tools", "crates", "schedules"];
    let mut files = vec!["README.md".into(), "CONTRIBUTING.md".into(), "ARCHITECTURE.md".into()];
    roots.iter().for_each(|root| collect(root, &mut files));
    let is_known = |file: &String| {
        let documents = ["docs/coming-from.md"].iter().chain(RESULTS);
        PLACES.contains(&file.as_str()) || documents.into_iter().any(|it| file.starts_with(it))
    };
    let lists_all = |file: &String| {
        let Ok(text) = fs::read_to_string(path(file)) else { return false };
        let words = words(&text);
        PRIMITIVES.iter().all(|primitive| words.contains(primitive.name))
    };
    let (known, others): (Vec<_>, Vec<_>) = files.into_iter().filter(lists_all).partition(is_known);
    assert!(known.contains(&"src/schedule/primitive.rs".into()), "{known:?}");
    assert!(
        others.is_empty(),
        "{others:?} names all primitives: let it follow from the rows, or have defaults by the kinds of parameters"
    );
}

fn collect(folder: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(path(folder)).expect("the folder exists") {
        let name = entry.expect("an entry").file_name();
        let name = format!("{folder}/{}", name.to_string_lossy());
        match path(&name).is_dir() {
            true if name.ends_with("/target") => {}
            true => collect(&name, files),
            false => files.push(name),
        }
    }
}

#[test]
fn the_recipe_names_the_places() {
    let text = read("CONTRIBUTING.md");
    let section = text.split("\n## ").find(|it| it.starts_with("Add a schedule primitive\n"));
    let section = section.expect("CONTRIBUTING.md has the recipe");
    let quoted = section.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| {
        let first = text.split('/').next().unwrap_or_default();
        !text.contains(' ')
            && (path(first).exists() && (text.contains('/') || text.ends_with(".md")))
    };
    let named: BTreeSet<&str> = quoted.filter(is_path).collect();
    let mut expected: BTreeSet<&str> = PLACES.iter().chain(SPECIAL).copied().collect();
    expected.insert(REASONS);
    let missing: Vec<_> = expected.difference(&named).collect();
    let is_result = |file: &str| RESULTS.iter().any(|result| file.starts_with(result));
    let surplus: Vec<_> = named.difference(&expected).filter(|it| !is_result(it)).collect();
    assert!(missing.is_empty(), "the recipe of CONTRIBUTING.md does not name {missing:?}");
    assert!(
        surplus.is_empty(),
        "the recipe of CONTRIBUTING.md names {surplus:?}, which no primitive needs"
    );
    for file in SPECIAL {
        let exists = path(file).exists() || Path::new(&path(&format!("{file}.rs"))).exists();
        assert!(exists, "{file} does not exist");
    }
}
