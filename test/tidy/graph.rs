//! The import graph of the files of `src/`: circles of files, and the order of rooms inside a module.
//!
//! An import is a path by `crate::`, `super::` or `self::`, in a `use` or in code. A name that a module re-exports counts as
//! an import of the file that defines the name. A file that uses its own submodules by their bare names imports nothing.

use crate::source::{Source, is_word, words};
use std::collections::{BTreeMap, BTreeSet};

/// One file uses another one. Both are module paths below `src`, such as `schedule/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: String,
    pub to: String,
}

impl Import {
    /// True if the import goes from a module to one that is later in the order.
    pub fn is_upward(&self, order: &[&str]) -> bool {
        let place = |path: &str| {
            let module = path.split('/').next().unwrap_or(path);
            order.iter().position(|it| *it == module)
        };
        place(&self.from) < place(&self.to)
    }
}

type Path = Vec<String>;

/// All imports among the files of `src/`, outside of tests.
pub fn imports(sources: &[Source]) -> Vec<Import> {
    let files: BTreeMap<Path, &Source> =
        sources.iter().filter_map(|it| Some((module_of(&it.path)?, it))).collect();
    let exports: BTreeMap<Path, BTreeMap<String, Path>> = files
        .iter()
        .map(|(module, source)| (module.clone(), re_exports(module, source, &files)))
        .collect();
    let mut found = BTreeSet::new();
    for (module, source) in &files {
        for (at, path) in paths(&source.code) {
            if source.tests.iter().any(|it| it.contains(&at)) {
                continue;
            }
            let Some(target) = resolved(module, &path) else { continue };
            let target = defining_file(target, &files, &exports);
            if !target.is_empty() && target != *module {
                found.insert(Import { from: module.join("/"), to: target.join("/") });
            }
        }
    }
    found.into_iter().collect()
}

/// `src/schedule/name.rs` is `[schedule, name]`; the crate root is empty.
fn module_of(path: &str) -> Option<Path> {
    let stem = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    Some(if stem == "lib" { vec![] } else { stem.split('/').map(str::to_owned).collect() })
}

/// The absolute path of one that begins with `crate`, `self` or `super`.
fn resolved(module: &[String], path: &[String]) -> Option<Path> {
    let ups = path.iter().take_while(|it| *it == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => Some([module.get(..module.len().checked_sub(ups)?)?, &path[ups..]].concat()),
        _ => None,
    }
}

/// The file that defines an item, through re-exports.
fn defining_file(
    mut path: Path,
    files: &BTreeMap<Path, &Source>,
    exports: &BTreeMap<Path, BTreeMap<String, Path>>,
) -> Path {
    for _ in 0..4 {
        let length = (0..=path.len()).rev().find(|n| files.contains_key(&path[..*n])).unwrap_or(0);
        let (file, rest) = path.split_at(length);
        let exported = rest.first().and_then(|name| exports.get(file)?.get(name));
        match exported {
            Some(target) => path = [target, &rest[1..]].concat(),
            None => return file.to_vec(),
        }
    }
    path
}

/// The names that a file re-exports by `pub use`, and where they come from.
fn re_exports(
    module: &Path,
    source: &Source,
    files: &BTreeMap<Path, &Source>,
) -> BTreeMap<String, Path> {
    let mut found = BTreeMap::new();
    for at in words(&source.code, "use") {
        let before = source.code[..at].trim_end();
        if !(before.ends_with("pub") || before.ends_with("pub(crate)")) {
            continue;
        }
        let end = source.code[at..].find(';').map_or(source.code.len(), |n| at + n);
        for path in tree(&source.code[at + 3..end]) {
            let child =
                || path.first().map(|name| [&module[..], std::slice::from_ref(name)].concat());
            let target = match child().filter(|child| files.contains_key(child)) {
                Some(_) => Some([&module[..], &path].concat()),
                None => resolved(module, &path),
            };
            if let (Some(target), Some(name)) = (target, path.last()) {
                found.insert(name.clone(), target);
            }
        }
    }
    found
}

/// The paths that begin with `crate`, `super` or `self`, with their offsets.
fn paths(code: &str) -> Vec<(usize, Path)> {
    let mut found = vec![];
    for head in ["crate", "super", "self"] {
        for at in words(code, head) {
            let before = code[..at].trim_end();
            let is_inside =
                before.ends_with("::") || before.ends_with('$') || before.ends_with('(');
            let is_path = code[at + head.len()..].trim_start().starts_with("::");
            if !is_inside && is_path {
                found.extend(tree(&code[at..]).into_iter().map(|path| (at, path)));
            }
        }
    }
    found
}

/// The paths of a use tree at the start of the text: `a::{b, c::d}` has `a::b` and `a::c::d`.
fn tree(text: &str) -> Vec<Path> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let (mut found, mut depth, mut start) = (vec![], 0, 0);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => {
                    found.extend(tree(&group[start..at]));
                    break;
                }
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.extend(tree(&group[start..at]));
                    start = at + 1;
                }
                _ => {}
            }
        }
        return found;
    }
    let text = text.strip_prefix("r#").unwrap_or(text);
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    if end == 0 {
        return vec![];
    }
    let name = text[..end].to_owned();
    let rest = text[end..].trim_start();
    let below = rest.strip_prefix("::").map(tree).filter(|below| !below.is_empty());
    match below {
        Some(below) => below.into_iter().map(|path| [vec![name.clone()], path].concat()).collect(),
        None => vec![vec![name]],
    }
}

/// The complaint about an import from a room to a later one of the same module.
pub fn room_error(import: &Import, rooms: &[(&str, &[&str])]) -> Option<String> {
    let (module, rest) = import.from.split_once('/')?;
    let (other, target) = import.to.split_once('/')?;
    let (_, rooms) = rooms.iter().find(|(name, _)| *name == module && module == other)?;
    let place = |path: &str| {
        let room = path.split('/').next().unwrap_or(path);
        rooms.iter().position(|it| *it == room)
    };
    let (from, to) = (place(rest)?, place(target)?);
    (from < to).then(|| format!("src/{}.rs must not use {}, a later room", import.from, import.to))
}

/// The files that a file imports, directly or through others.
fn reachable<'a>(
    from: &'a str,
    targets: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        for next in targets.get(at).into_iter().flatten() {
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    seen
}

/// The sets of files that import each other, directly or through others.
pub fn circles(imports: &[Import]) -> Vec<Vec<String>> {
    let mut targets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        targets.entry(&import.from).or_default().insert(&import.to);
    }
    let all: BTreeMap<&str, BTreeSet<&str>> =
        targets.keys().map(|it| (*it, reachable(it, &targets))).collect();
    let mut found = BTreeSet::new();
    for (file, reached) in &all {
        let returns = |other: &&&str| all.get(**other).is_some_and(|back| back.contains(file));
        let circle: Vec<String> =
            reached.iter().filter(returns).map(|it| (*it).to_owned()).collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod self_tests {
    use super::*;

    #[test]
    fn circles_are_found_through_re_exports() {
        let sources = [
            Source::new("src/a.rs", "mod x; pub use x::Name; use x::f;"),
            Source::new("src/a/x.rs", "use crate::b::{self, g};"),
            Source::new("src/b.rs", "fn f() { crate::a::Name }"),
            Source::new("src/c.rs", "use super::b; #[cfg(test)] mod tests { use crate::d::h; }"),
        ];
        let imports = imports(&sources);
        assert_eq!(circles(&imports), [["a/x", "b"]]);
        assert!(imports.contains(&Import { from: "c".into(), to: "b".into() }));
        assert!(!imports.iter().any(|it| it.from == "a"), "{imports:?}");
    }

    #[test]
    fn later_rooms_are_refused() {
        let rooms: &[(&str, &[&str])] = &[("a", &["low", "high"])];
        let refused = |from: &str, to: &str| {
            room_error(&Import { from: from.into(), to: to.into() }, rooms).is_some()
        };
        assert!(refused("a/low/x", "a/high"));
        assert!(!refused("a/high/x", "a/low"));
        assert!(!refused("b/low", "a/high"));
        assert!(!refused("a/other", "a/high"));
    }
}
