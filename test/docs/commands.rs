//! The commands of `README.md` and `docs/tools.md` run as they are printed, and print what the page shows.
//!
//! A block of language `sh` has commands. If a line begins with `$`, the lines that do not are output of the command
//! before them, where `...` stands for any lines; numbers are not compared, because times differ. A block of language
//! `text` states the usage of tools: each tool has the options. `cargo run -q --bin TOOL --` is the tool that
//! `cargo test` has built, `cargo run -q --example NAME --` the example, and the scripts of `utils` are run by CI itself.

use crate::{path, read};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The pages with commands.
const PAGES: &[&str] = &["README.md", "docs/tools.md"];

/// The blocks of a language, each with its lines.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<Vec<&'t str>> {
    let mut found = vec![];
    let mut open: Option<Option<Vec<&str>>> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(of)) => open = Some((of == language).then(Vec::new)),
            (Some(_), Some(_)) => found.extend(open.take().flatten()),
            (Some(Some(lines)), None) => lines.push(line),
            _ => {}
        }
    }
    found
}

/// The commands of a block, and the lines that each prints.
fn commands(lines: &[&str]) -> Vec<(String, Vec<String>)> {
    let has_output = lines.iter().any(|line| line.starts_with('$'));
    let mut found: Vec<(String, Vec<String>)> = vec![];
    let mut goes_on = false;
    for line in lines {
        let is_command = !has_output || line.starts_with('$');
        match found.last_mut() {
            Some((command, _)) if goes_on => *command += &format!("\n{line}"),
            Some((_, output)) if !is_command => output.push((*line).to_owned()),
            _ => found.push((line.trim_start_matches("$ ").to_owned(), vec![])),
        }
        goes_on = line.ends_with('\\');
    }
    found.retain(|(command, _)| !command.starts_with('#'));
    found
}

/// A line in which each number is `#`.
fn without_numbers(line: &str) -> String {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut words = String::new();
    for c in line.trim().chars() {
        match is_number(c) {
            true if words.ends_with('#') => {}
            true => words.push('#'),
            false => words.push(c),
        }
    }
    words
}

#[test]
fn the_commands_of_the_pages_run_as_printed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    symlink(path("examples"), folder.join("examples")).expect("a link");
    let tools = Path::new(env!("CARGO_BIN_EXE_lw-opt")).parent().expect("tools are in a folder");
    let inherited = std::env::var("PATH").unwrap_or_default();
    let (pages, ci) = (PAGES.iter().map(|page| read(page)).collect::<Vec<_>>(), read(".ci/run"));
    let blocks: Vec<_> = pages.iter().flat_map(|page| blocks(page, "sh")).collect();
    let mut count = 0;
    for (command, expected) in blocks.iter().flat_map(|block| commands(block)) {
        count += 1;
        if let Some(script) =
            command.split_whitespace().next().filter(|it| it.starts_with("utils/"))
        {
            assert!(ci.contains(script), "CI does not run {script}");
            continue;
        }
        let examples = format!("{}/examples/", tools.display());
        let command = command.replace("cargo run -q --bin ", "");
        let command =
            command.replace("cargo run -q --example ", &examples).replacen(" -- ", " ", 1);
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", &format!("exec 2>&1; {command}")])
            .env("PATH", format!("{}:{inherited}", tools.display()))
            .current_dir(&folder)
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "$ {command}\n{printed}");
        let mut left = printed.lines().map(without_numbers);
        for line in expected.iter().filter(|line| *line != "...") {
            let line = without_numbers(line);
            assert!(
                left.any(|found| found == line),
                "$ {command}\n{printed}\ndoes not print {line}"
            );
        }
    }
    assert!(count > 18, "{PAGES:?} have {count} commands");
}

#[test]
fn the_tools_have_the_options_of_the_pages() {
    let pages: Vec<_> = PAGES.iter().map(|page| read(page)).collect();
    let mut count = 0;
    for block in pages.iter().flat_map(|page| blocks(page, "text")) {
        let tool = block[0].split_whitespace().next().unwrap_or_default().to_owned();
        let program = match tool.as_str() {
            "lw-run" => env!("CARGO_BIN_EXE_lw-run"),
            "lw-compile" => env!("CARGO_BIN_EXE_lw-compile"),
            "lw-bench" => env!("CARGO_BIN_EXE_lw-bench"),
            other => panic!("{other:?} in a block of usage"),
        };
        let help = Command::new(program).arg("--help").output().expect("the tool runs").stdout;
        let help = String::from_utf8_lossy(&help).into_owned();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let words = |text: &str| -> Vec<String> {
            text.split(|c| !is_name(c))
                .filter(|it| it.starts_with("--"))
                .map(str::to_owned)
                .collect()
        };
        let known = words(&help);
        for line in block {
            for option in words(line.split('#').next().unwrap_or_default()) {
                assert!(known.contains(&option), "{tool} --help has no {option}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{PAGES:?} state {count} options");
}
