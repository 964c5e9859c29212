//! The page of default schedules: the tables of strategies, by the heads of their files.

use crate::{assert_kept, read};
use loopwright::strategy::x86;
use std::fmt::Write;

#[test]
fn the_page_of_default_schedules_is_as_they_are() {
    let mut text = String::from(
        "# Default schedules\n\n\
         Made of the heads of `src/strategy`; a test keeps it so. `LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes it anew.\n\n",
    );
    text += &head("src/strategy.rs");
    text += "\n## x86\n\n";
    text += &head("src/strategy/x86.rs");
    text += "\n| strategy | priority | what it does |\n|---|---|---|\n";
    let mut rows = x86::TABLE.rows.to_vec();
    rows.sort_by_key(|row| std::cmp::Reverse(row.priority));
    for row in rows {
        let _ = writeln!(text, "| `{}` | {} | {} |", row.name, row.priority, row.summary);
    }
    for (title, file) in [
        ("Products", "product"),
        ("Rows", "rows"),
        ("Totals", "total"),
        ("Transposes", "transpose"),
        ("Columns", "columns"),
        ("Element by element", "elementwise"),
        ("Threads", "share"),
    ] {
        let _ = write!(text, "\n### {title}\n\n{}", head(&format!("src/strategy/x86/{file}.rs")));
    }
    assert_kept("docs/strategies.md", &text);
}

/// What stands at the head of a file, without links, and without what a module must not know.
fn head(file: &str) -> String {
    let source = read(file);
    let lines = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim_start);
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("Must not know")).collect();
    let text = lines.join("\n").trim_end().to_owned() + "\n";
    let mut plain = String::new();
    let mut rest = text.as_str();
    // [`x`](y) is `x`, and [`x`] is, too.
    while let Some((before, link)) = rest.split_once("[`") {
        let (name, behind) = link.split_once("`]").unwrap_or((link, ""));
        let _ = write!(plain, "{before}`{name}`");
        rest = match behind.strip_prefix('(').and_then(|behind| behind.split_once(')')) {
            Some((_, behind)) => behind,
            None => behind,
        };
    }
    plain + rest
}
