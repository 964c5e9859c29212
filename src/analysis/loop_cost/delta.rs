//! Prints how passes and schedule steps change the ledger of each function.
//!
//! The ledger of a function is computed before the first of them and after each. Differences from the previous ledger
//! are printed, by schedule block; without differences nothing is printed. Changes by passes of other projects are
//! printed before the next pass of this project.
//!
//! ```text
//! loop-cost @main after transform.sched.split "C:j" in %f factors [-1, 4]
//!   C       instances      64 -> 72
//!   T       new            instances 64, flops 128
//!   B       gone           instances 64, flops 128
//! ```

use super::table::{INTENSITIES, aligned, columns};
use super::{Amount, CostRow, Costs, Figure, Ledger, name_of};
use crate::ir::{Op, walk};
use loopwright_runtime::stderr;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Prints changes from one call to the next.
#[derive(Debug, Default)]
pub struct Changes {
    /// The last ledgers, by the names and locations of functions.
    last: Mutex<HashMap<String, Ledger>>,
}

impl Changes {
    /// Called before a pass or step. Prints what other passes have changed since the last one.
    pub fn before(&self, root: Op) {
        compare(&self.last, root, "other passes");
    }

    /// Called after a pass or step. Prints what it has changed.
    pub fn after(&self, root: Op, step: &str) {
        compare(&self.last, root, step);
    }
}

fn compare(last: &Mutex<HashMap<String, Ledger>>, root: Op, who: &str) {
    let mut text = String::new();
    for function in walk(root).into_iter().filter(|op| op.is("func.func")) {
        let name = name_of(function);
        // Functions of a split file may have the same name, but not the same location.
        let key = format!("{name} {}", function.location());
        // An op that is not valid is reported by the pass that created it.
        let Ok(now) = Ledger::of(function) else { continue };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = last.get(&key) {
            let lines = differences(before, &now);
            if !lines.is_empty() {
                text += &format!("loop-cost @{name} after {who}\n{}", aligned(&lines));
            }
        }
        last.insert(key, now);
    }
    stderr::print(format_args!("{text}"));
}

/// The lines that describe the differences between two ledgers of a function.
pub fn differences(before: &Ledger, after: &Ledger) -> Vec<Vec<String>> {
    let mut lines = vec![];
    let find = |ledger: &Ledger, row: &CostRow| {
        ledger.rows.iter().position(|other| other.title() == row.title())
    };
    for row in &before.rows {
        match find(after, row) {
            Some(i) => changes(row, &after.rows[i], (before, after), &mut lines),
            None => lines.push(vec![row.title(), "gone".into(), all(row, before)]),
        }
    }
    for row in after.rows.iter().filter(|row| find(before, row).is_none()) {
        lines.push(vec![row.title(), "new".into(), all(row, after)]);
    }
    for column in columns() {
        let (old, new) = (column.total(&before.total), column.total(&after.total));
        let (Some(old), Some(new)) = (old, new) else { continue };
        if let Some(change) = change((&old, before), (&new, after)) {
            lines.push(vec!["total".into(), column.title, change]);
        }
    }
    intensities("total", (&before.total, before), (&after.total, after), &mut lines);
    lines
}

fn changes(
    old: &CostRow,
    new: &CostRow,
    (before, after): (&Ledger, &Ledger),
    lines: &mut Vec<Vec<String>>,
) {
    for column in columns() {
        let (from, to) = (column.figure(old), column.figure(new));
        if let Some(change) = change((&from, before), (&to, after)) {
            lines.push(vec![old.title(), column.title, change]);
        }
    }
    intensities(&old.title(), (&old.costs, before), (&new.costs, after), lines);
}

fn intensities(
    title: &str,
    (old, before): (&Costs, &Ledger),
    (new, after): (&Costs, &Ledger),
    lines: &mut Vec<Vec<String>>,
) {
    let texts = |ledger: &Ledger, costs: &Costs| ledger.intensities(costs).map(|it| it.text());
    let (old, new) = (texts(before, old), texts(after, new));
    for ((name, old), new) in INTENSITIES.iter().zip(old).zip(new).filter(|((_, a), b)| a != b) {
        lines.push(vec![title.to_owned(), (*name).to_owned(), format!("{old} -> {new}")]);
    }
}

/// `64 -> 72`, if the texts differ.
fn change(old: (&Figure, &Ledger), new: (&Figure, &Ledger)) -> Option<String> {
    let (old, new) = (old.0.text(&old.1.sizes), new.0.text(&new.1.sizes));
    (old != new).then(|| format!("{old} -> {new}"))
}

/// The figures of a row that are not 0 (of parallel loops and lanes: not 1).
fn all(row: &CostRow, ledger: &Ledger) -> String {
    let mut figures = vec![];
    for column in columns() {
        let figure = column.figure(row);
        let nothing = i128::from(column.is_factor());
        if figure.amount().and_then(Amount::constant) != Some(nothing) {
            figures.push(format!("{} {}", column.title, figure.text(&ledger.sizes)));
        }
    }
    figures.join(", ")
}
