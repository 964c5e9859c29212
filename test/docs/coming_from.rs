//! The names that `docs/coming-from.md` gives to users of other compilers exist.

use crate::read;
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright::{pass, schedule};

/// Our names of a row: `| theirs | ours | difference |`.
fn ours(row: &str) -> Vec<&str> {
    let column = row.split('|').nth(2).unwrap_or_default();
    column.split('`').skip(1).step_by(2).collect()
}

#[test]
fn names_for_others_exist() {
    let text = read("docs/coming-from.md");
    let on_schedules = schedule::passes().into_iter().map(|row| row.argument);
    let passes = pass::rows().map(|row| row.argument).chain(on_schedules);
    let known: Vec<_> = passes.chain(PRIMITIVES.iter().map(|row| row.name)).collect();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(!rows.is_empty(), "the page has tables");
    for row in rows {
        let names = ours(row);
        assert!(!names.is_empty(), "{row}: the second column names ours");
        for name in names {
            assert!(known.contains(&name), "{row}: {name} is no pass and no primitive");
        }
    }
}
