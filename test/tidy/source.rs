//! The files that tidy looks at, and a Rust file seen as code, literals and tests.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
};

/// A Rust file, and which of its bytes are what.
pub struct Source {
    /// Relative to the repository root.
    pub path: String,
    pub text: String,
    /// The text with comments and the insides of literals blanked; offsets are those of the text.
    pub code: String,
    /// The ranges of items under `#[cfg(test)]`; all of a file that holds nothing but tests.
    pub tests: Vec<Range<usize>>,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let code = blank_comments_and_literals(text);
        let only_tests = path.starts_with("test/") || path.ends_with("/tests.rs");
        let tests =
            if only_tests { std::iter::once(0..text.len()).collect() } else { test_items(&code) };
        Self { path: path.into(), text: text.into(), code, tests }
    }

    pub fn line(&self, at: usize) -> usize {
        line_of(&self.text, at)
    }
}

pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Keeps newlines and all offsets; a string becomes spaces between two quotes.
fn blank_comments_and_literals(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let token = at..at + opaque_length(&bytes[at..]);
        for byte in code[token.clone()].iter_mut().filter(|it| **it != b'\n') {
            *byte = b' ';
        }
        if !token.is_empty() && matches!(bytes[at], b'"' | b'r') {
            code[token.start] = b'"';
            code[token.end - 1] = b'"';
        }
        at = token.end.max(at + 1);
    }
    String::from_utf8(code).expect("tokens are whole characters")
}

/// The length of the comment or literal that `rest` begins with, or 0.
fn opaque_length(rest: &[u8]) -> usize {
    let end_of = |from: usize, end: &[u8]| {
        let found = rest.get(from..)?.windows(end.len()).position(|it| it == end)?;
        Some(from + found + end.len())
    };
    let found = match rest {
        [b'/', b'/', ..] => end_of(2, b"\n").map(|end| end - 1),
        [b'/', b'*', ..] => {
            let (mut at, mut depth) = (2, 1);
            while depth > 0 && at < rest.len() {
                let (step, change) = match rest[at..] {
                    [b'/', b'*', ..] => (2, 1),
                    [b'*', b'/', ..] => (2, -1),
                    _ => (1, 0),
                };
                (at, depth) = (at + step, depth + change);
            }
            Some(at)
        }
        [b'"', ..] => {
            let mut at = 1;
            while at < rest.len() && rest[at] != b'"' {
                at += if rest[at] == b'\\' { 2 } else { 1 };
            }
            Some(at + 1)
        }
        [b'r', b'"' | b'#', ..] => {
            let hashes = rest[1..].iter().take_while(|it| **it == b'#').count();
            if rest.get(1 + hashes) != Some(&b'"') {
                return 0; // A raw identifier.
            }
            let closing = [b"\"".as_slice(), &rest[1..1 + hashes]].concat();
            end_of(2 + hashes, &closing)
        }
        [b'\'', b'\\', ..] => end_of(3, b"'"),
        [b'\'', first, ..] => {
            let width = first.leading_ones().max(1) as usize;
            if rest.get(1 + width) != Some(&b'\'') {
                return 0; // A lifetime.
            }
            Some(2 + width)
        }
        _ => return 0,
    };
    found.unwrap_or(rest.len()).min(rest.len())
}

/// The items under `#[cfg(test)]` or a condition that contains it positively.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = vec![];
    for (at, _) in code.match_indices("#[cfg(") {
        let end = at + code[at..].find(']').unwrap_or(code.len() - at);
        let condition = &code[at..end];
        let says = |word| words(condition, word).next().is_some();
        let is_nested = items.last().is_some_and(|it| it.contains(&at));
        if says("test") && !says("not") && !is_nested {
            items.push(at..item_end(code, end + 1));
        }
    }
    items
}

fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices().skip_while(|(at, _)| *at < start) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth <= 0 && matches!(c, ';' | '}') {
            return at + 1;
        }
    }
    code.len()
}

/// The offsets at which `word` stands by itself.
pub fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> {
    let places = code.match_indices(word).map(|(at, _)| at);
    places.filter(move |at| {
        !code[..*at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word)
    })
}

pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a listed file can be read")
}

pub fn our_sources() -> Vec<Source> {
    let mut paths = vec!["build.rs".to_string()];
    for folder in ["src", "crates", "tools", "dialects", "test"] {
        let in_scope = |it: &String| folder != "crates" || it.contains("/src/");
        paths.extend(files_below(folder).into_iter().filter(in_scope));
    }
    let paths = paths.iter().filter(|it| it.ends_with(".rs"));
    paths.map(|it| Source::new(it, &read(it))).collect()
}

/// The files that git tracks; all files where there is no git.
pub fn tracked_files() -> Vec<String> {
    let listing = Command::new("git")
        .args(["-c", "safe.directory=*", "ls-files", "-z"])
        .current_dir(root())
        .output();
    let tracked: Vec<String> = match listing {
        Ok(output) => String::from_utf8_lossy(&output.stdout)
            .split_terminator('\0')
            .map(str::to_string)
            .collect(),
        Err(_) => vec![],
    };
    if tracked.is_empty() { files_below("") } else { tracked }
}

/// The files below a folder of the repository, in order, without what is built.
pub fn files_below(folder: &str) -> Vec<String> {
    let (mut files, mut folders) = (vec![], vec![PathBuf::from(folder)]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root().join(&folder)) else {
            continue; // Not every folder exists yet.
        };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            let is_built = [".git", "target", "build"].iter().any(|it| path == Path::new(it));
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_built => folders.push(path),
                Ok(kind) if kind.is_file() => files.push(path.display().to_string()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod self_tests {
    use super::*;

    #[test]
    fn literals_and_comments_are_no_code() {
        let text = r##"a "b\"c" d // e
            /* f /* g */ h */ i 'j' '\'' 'k r#"l"m"# 'é' n r#type"##;
        let code = blank_comments_and_literals(text);
        assert_eq!(code.len(), text.len());
        let left: Vec<_> = code.split_whitespace().collect();
        assert_eq!(left, ["a", "\"", "\"", "d", "i", "'k", "\"", "\"", "n", "r#type"]);
    }
}
