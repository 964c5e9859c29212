//! Generates the page of graph ops from their definitions in TableGen.

use crate::{assert_kept, read};

#[test]
fn the_page_of_graph_ops_is_as_they_are() {
    let mut text = String::from(
        "# Graph ops\n\n\
         Generated from `dialects/graph`. A test checks that they agree. `LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes this \
         page.\n\n",
    );
    text += &dedented(&between(&read("dialects/graph/GraphDialect.td"), "description = [{", "}]"));
    for file in ["GraphElementwise", "GraphOps", "GraphIndexing"] {
        let source = read(&format!("dialects/graph/{file}.td"));
        // A heading is a comment between two lines of dashes.
        for section in source.split("//===----").skip(1).collect::<Vec<_>>().chunks(2) {
            let [title, ops] = section else { continue };
            let title = title.lines().nth(1).expect("a heading").trim_start_matches("// ");
            let prefix = if file == "GraphElementwise" { "Element-wise: " } else { "" };
            let title = match prefix {
                "" => title.to_owned(),
                _ => prefix.to_owned() + &title.to_lowercase(),
            };
            text += &format!("\n## {title}\n\n| op | result |\n|---|---|\n");
            let entries: Vec<&str> = ops.split("\ndef Graph_").skip(1).collect();
            for entry in &entries {
                let summary = between(entry, "summary = \"", "\";").replace('|', "\\|");
                text += &format!("| `graph.{}` | {summary} |\n", name(entry));
            }
            for entry in entries.iter().filter(|entry| entry.contains("description = ")) {
                let description = match entry.contains("description = [{") {
                    true => dedented(&between(entry, "description = [{", "}]")),
                    false => between(entry, "description = \"", "\";") + "\n",
                };
                text += &format!("\n### `graph.{}`\n\n{description}", name(entry));
            }
        }
    }
    assert_kept("docs/graph-ops.md", &text);
}

/// The name of an op without its dialect: the first string of its definition.
fn name(entry: &str) -> String {
    between(entry, "\"", "\"")
}

/// The text from behind `start` to the next `end`.
fn between(text: &str, start: &str, end: &str) -> String {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}")).1;
    rest.split_once(end).unwrap_or_else(|| panic!("no {end} in {rest}")).0.to_owned()
}

/// The lines without the indentation that all of them have.
fn dedented(text: &str) -> String {
    let lines = || text.trim_matches('\n').lines();
    let is_full = |line: &&str| !line.trim().is_empty();
    let indents = lines().filter(is_full).map(|line| line.len() - line.trim_start().len());
    let indent = indents.min().unwrap_or(0);
    let lines = lines().map(|line| line.get(indent..).unwrap_or("").trim_end());
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned() + "\n"
}
