//! The report: figures by operator and by file, survivors, and the conditions that were dropped.

use crate::Fate;
use crate::operator::Mutant;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// The report of a run; `all` are the mutants that there are.
pub fn text(root: &Path, fates: &[Fate], all: &[Mutant]) -> io::Result<String> {
    let mut text = String::from("# Mutants\n\n");
    let killed = fates.iter().filter(|fate| fate.killer.is_some()).count();
    // Writing to a string cannot fail.
    let _ =
        writeln!(text, "{} of {} run, {}\n", fates.len(), all.len(), share(killed, fates.len()));
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
        let Mutant { number, file, line, operator, text: what, cites } = &fate.mutant;
        let cites: String = cites.iter().map(|n| format!(" (C{n})")).collect();
        let reached = match fate.tests {
            0 => "no test comes by".to_owned(),
            n => format!("{n} tests come by"),
        };
        let _ = writeln!(text, "- {file}:{line} {operator}{cites}: `{what}` ({number}; {reached})");
    }
    let _ = writeln!(text, "\n## Conditions that no mutant drops\n");
    for (primitive, missing) in undropped(root, all)? {
        let missing: Vec<_> = missing.iter().map(|n| format!("(C{n})")).collect();
        let _ = writeln!(text, "- {primitive}: {}", missing.join(", "));
    }
    Ok(text)
}

fn share(killed: usize, all: usize) -> String {
    let percent = 100.0 * killed as f64 / all.max(1) as f64;
    format!("{killed} of {all} killed ({percent:.1} %)")
}

/// Of each primitive the conditions in its head that no mutant of its file drops: those that give the rest
/// what it works on, as the loop of a name.
fn undropped(root: &Path, all: &[Mutant]) -> io::Result<BTreeMap<String, BTreeSet<u8>>> {
    let mut missing = BTreeMap::new();
    for entry in fs::read_dir(root.join("src/schedule/primitive"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = format!("src/schedule/primitive/{name}");
        let dropped: BTreeSet<u8> = all
            .iter()
            .filter(|mutant| {
                mutant.file.trim_end_matches(".rs") == file
                    || mutant.file.starts_with(&format!("{file}/"))
            })
            .flat_map(|mutant| mutant.cites.iter().copied())
            .collect();
        if path.is_dir() {
            continue;
        }
        let stated: BTreeSet<u8> = fs::read_to_string(&path)?
            .lines()
            .filter_map(|line| line.strip_prefix("//! - (C")?.split(')').next()?.parse().ok())
            .collect();
        let rest: BTreeSet<u8> = stated.difference(&dropped).copied().collect();
        if !rest.is_empty() {
            missing.insert(name, rest);
        }
    }
    Ok(missing)
}
