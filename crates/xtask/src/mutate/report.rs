//! The report: statistics by operator and by file, the surviving mutants, and the dropped conditions.

use super::Fate;
use super::operator::Mutant;
use super::package::Package;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// The report of a run.
pub fn text(root: &Path, fates: &[Fate], package: &Package) -> io::Result<String> {
    let mut text = String::from("# Mutants\n\n");
    let killed = fates.iter().filter(|fate| fate.killer.is_some()).count();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} of {} run, {}\n",
        fates.len(),
        package.mutants.len(),
        share(killed, fates.len())
    );
    let citing: Vec<&Fate> = fates.iter().filter(|fate| !fate.mutant.cites.is_empty()).collect();
    let citing_killed = citing.iter().filter(|fate| fate.killer.is_some()).count();
    let _ = writeln!(
        text,
        "Of those that drop a condition (Cn): {}\n",
        share(citing_killed, citing.len())
    );
    let by = |key: fn(&Fate) -> String| {
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for fate in fates {
            let (killed, all) = counts.entry(key(fate)).or_default();
            *killed += usize::from(fate.killer.is_some());
            *all += 1;
        }
        counts
    };
    for (title, counts) in [
        ("operator", by(|fate| fate.mutant.operator.to_owned())),
        ("file", by(|fate| fate.mutant.file.clone())),
    ] {
        let _ = writeln!(text, "| {title} | killed |\n|---|---|");
        for (name, (killed, all)) in counts {
            let _ = writeln!(text, "| {name} | {} |", share(killed, all));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "## Survivors\n");
    for fate in fates.iter().filter(|fate| fate.killer.is_none()) {
        let number = fate.mutant.number;
        let reached = match fate.tests {
            0 => "no test reaches it".to_owned(),
            n => format!("{n} tests reach it"),
        };
        let what = survivor(&fate.mutant);
        let _ = writeln!(text, "- {what} ({number}; {reached})");
    }
    let _ = writeln!(text, "\n## Conditions that no mutant drops\n");
    for (name, missing) in undropped(root, package)? {
        let list = |wanted: bool| {
            let of = missing.iter().filter(|(_, is_found)| **is_found == wanted);
            of.map(|(n, _)| format!("(C{n})")).collect::<Vec<_>>().join(", ")
        };
        let (found, open) = (list(true), list(false));
        if !found.is_empty() {
            let _ = writeln!(text, "- {name}: {found}: expected, what is named must exist");
        }
        if !open.is_empty() {
            let _ = writeln!(text, "- {name}: {open}: open");
        }
    }
    Ok(text)
}

/// The line for a surviving mutant, by which a later run identifies it.
pub fn survivor(mutant: &Mutant) -> String {
    let Mutant { file, line, operator, text, cites, .. } = mutant;
    let cites: String = cites.iter().map(|n| format!(" (C{n})")).collect();
    format!("{file}:{line} {operator}{cites}: `{text}`")
}

fn share(killed: usize, all: usize) -> String {
    let percent = 100.0 * killed as f64 / all.max(1) as f64;
    format!("{killed} of {all} killed ({percent:.1} %)")
}

/// For each primitive and pass, the conditions in its head that no mutant of its file drops. The value is true if that
/// is expected: for example, a loop that does not exist cannot be worked on.
fn undropped(root: &Path, package: &Package) -> io::Result<BTreeMap<String, BTreeMap<u8, bool>>> {
    let mut missing = BTreeMap::new();
    for folder in ["src/schedule/primitive", "src/optimize", "src/lowering"] {
        for folder in rooms(root, folder)? {
            for entry in fs::read_dir(root.join(&folder))? {
                let path = entry?.path();
                if !path.is_dir() {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    let file = format!("{folder}/{name}");
                    let is_own =
                        package.mutants.iter().any(|mutant| mutant.file.starts_with(&file));
                    if !is_own {
                        continue;
                    }
                    let rest = undropped_of(package, &path, &file)?;
                    if !rest.is_empty() {
                        missing.insert(name, rest);
                    }
                }
            }
        }
    }
    Ok(missing)
}

/// The folders in a folder, as paths from the root.
fn rooms(root: &Path, folder: &str) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(root.join(folder))?.collect::<io::Result<Vec<_>>>()?;
    let folders = entries.into_iter().filter(|entry| entry.path().is_dir());
    Ok(folders.map(|it| format!("{folder}/{}", it.file_name().to_string_lossy())).collect())
}

/// The undropped conditions of one head.
fn undropped_of(package: &Package, path: &Path, file: &str) -> io::Result<BTreeMap<u8, bool>> {
    let is_own = |other: &str| {
        other.trim_end_matches(".rs") == file || other.starts_with(&format!("{file}/"))
    };
    let own = package.mutants.iter().filter(|mutant| is_own(&mutant.file));
    let dropped: BTreeSet<u8> = own.flat_map(|mutant| mutant.cites.iter().copied()).collect();
    let looked_up = package.looked_up.iter().filter(|(file, _)| is_own(file));
    let looked_up: BTreeSet<u8> = looked_up.flat_map(|(_, cites)| cites.clone()).collect();
    let stated: BTreeSet<u8> = fs::read_to_string(path)?
        .lines()
        .filter_map(|line| line.strip_prefix("//! - (C")?.split(')').next()?.parse().ok())
        .collect();
    // (C1) of all primitives is the look-up by `name`.
    Ok(stated.difference(&dropped).map(|n| (*n, *n == 1 || looked_up.contains(n))).collect())
}
