//! Generates the page of default schedules from the tables of strategies and the heads of their files.

use crate::{assert_kept, read};
use loopwright::strategy::{Strategies, StrategyTable};
use std::fmt::Write;

#[test]
fn the_page_of_default_schedules_is_as_they_are() {
    let mut text = String::from(
        "# Default schedules\n\n\
         Generated from the comments at the start of the files in `src/strategy`. A test checks that they agree.\n\
         `LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes this page.\n\n",
    );
    text += &head("src/strategy.rs");
    let _ = write!(text, "\n## Strategies in scripts\n\n{}", head("src/strategy/script.rs"));
    let strategies = Strategies::default();
    let x86 = rows(&strategies.x86);
    let files = [
        ("Products", "product"),
        ("Products of narrow numbers", "dot"),
        ("Products in tile registers", "tile"),
        ("Rows", "rows"),
        ("Full reductions", "total"),
        ("Transposes", "transpose"),
        ("Columns", "columns"),
        ("Elementwise nests", "elementwise"),
        ("Threads", "share"),
    ];
    text += &machine("x86", "x86", x86, &files);
    let nvptx = rows(&strategies.nvptx);
    let files = [
        ("Products", "product"),
        ("Rows", "rows"),
        ("Reductions to few values", "total"),
        ("Windows", "windows"),
        ("Nested reductions", "nested"),
        ("Columns", "columns"),
        ("Transposes", "transpose"),
        ("Elementwise nests", "elementwise"),
        ("Other nests", "serial"),
    ];
    text += &machine("NVIDIA GPUs", "cuda", nvptx, &files);
    assert_kept("docs/strategies.md", &text);
}

/// The rows of the section of a table.
fn rows<M: 'static>(table: &StrategyTable<M>) -> Vec<(u32, &str, &str)> {
    table.strategies().map(|it| (it.priority(), it.name(), it.summary())).collect()
}

/// The section of a table: its rows (priority, name and summary), and the heads of files.
fn machine(
    title: &str,
    folder: &str,
    mut rows: Vec<(u32, &str, &str)>,
    files: &[(&str, &str)],
) -> String {
    let mut text = format!("\n## {title}\n\n{}", head(&format!("src/strategy/{folder}.rs")));
    text += "\n| strategy | priority | what it does |\n|---|---|---|\n";
    rows.sort_by_key(|(priority, ..)| std::cmp::Reverse(*priority));
    for (priority, name, summary) in rows {
        let _ = writeln!(text, "| `{name}` | {priority} | {summary} |");
    }
    for (title, file) in files {
        let head = head(&format!("src/strategy/{folder}/{file}.rs"));
        let _ = write!(text, "\n### {title}\n\n{head}");
    }
    text
}

/// The head of a file, without links to Rust items, and without the list of what the module must not depend on.
fn head(file: &str) -> String {
    let source = read(file);
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("Must not depend")).collect();
    let text = lines.join("\n").trim_end().to_owned() + "\n";
    let (mut plain, mut rest) = (String::new(), text.as_str());
    // [x](y::z) becomes x, and [`x`] becomes `x`.
    while let Some((before, link)) = rest.split_once('[') {
        let is_path = |target: &str| !target.contains(['/', '.', '#', ' ']);
        let (name, behind) = link.split_once(']').unwrap_or((link, ""));
        let target = behind.strip_prefix('(').and_then(|behind| behind.split_once(')'));
        let (text, next) = match target.filter(|(target, _)| is_path(target)) {
            Some((_, behind)) => (name.to_owned(), behind),
            None if name.starts_with('`') && target.is_none() => (name.to_owned(), behind),
            None => (format!("[{name}]"), behind),
        };
        let _ = write!(plain, "{before}{text}");
        rest = next;
    }
    plain + rest
}
