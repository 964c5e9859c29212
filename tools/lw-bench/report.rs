//! The report as a table or as JSON.

use crate::compile::CompileTimes;
use crate::rounds::median;
use crate::workloads::{Bound, Shapes, Workload};
use loopwright::machine::x86::Description;
use serde::Serialize;

/// All results of a run.
#[derive(Serialize)]
pub struct Report {
    /// The machine, as `lw-run --machine` prints it.
    pub machine: &'static Description,
    pub threads: u16,
    pub fp: String,
    /// The time to create a context, before anything is compiled.
    pub context_ms: f64,
    pub limits: Vec<LimitRow>,
    pub workloads: Vec<Row>,
}

/// A limit of the machine.
#[derive(Clone, Serialize)]
pub struct LimitRow {
    pub name: &'static str,
    pub rate: f64,
    pub unit: &'static str,
    /// True if other processes used the machine too.
    pub is_disturbed: bool,
}

/// A workload.
#[derive(Clone, Serialize)]
pub struct Row {
    pub id: &'static str,
    pub title: &'static str,
    pub shapes: String,
    pub threads: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gflops: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gigabytes_per_second: Option<f64>,
    /// The one of the two rates that is limited, and is shown.
    #[serde(skip)]
    pub bound: Bound,
    /// True if other processes used the machine too.
    pub is_disturbed: bool,
    /// The share of the limit; `None` if no limit bounds the workload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_relative_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_first_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compile_warm_ms: Option<f64>,
    /// The reason if there is no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Row {
    /// A row without measurements.
    pub fn new(workload: &Workload, shapes: &Shapes, threads: u16) -> Row {
        Row {
            id: workload.id,
            title: workload.title,
            shapes: shapes.to_string(),
            threads,
            milliseconds: None,
            gflops: None,
            gigabytes_per_second: None,
            bound: workload.bound,
            is_disturbed: false,
            fraction: None,
            max_relative_error: None,
            compile_first_ms: None,
            compile_warm_ms: None,
            failure: None,
        }
    }

    /// Sets the median time and the values derived from it.
    pub fn set_time(&mut self, seconds: f64, flops: u64, bytes: u64, limit: Option<f64>) {
        let (gflops, rate) = (flops as f64 / seconds / 1e9, bytes as f64 / seconds / 1e9);
        self.milliseconds = Some(seconds * 1e3);
        self.gflops = Some(gflops);
        self.gigabytes_per_second = Some(rate);
        let bounded = if self.bound == Bound::Flops { gflops } else { rate };
        self.fraction = limit.map(|limit| bounded / limit);
    }

    /// Sets the compile times; each was measured in a process of its own.
    pub fn set_compile_times(&mut self, times: &[CompileTimes]) {
        let median_ms = |of: fn(&CompileTimes) -> f64| {
            let seconds: Vec<_> = times.iter().map(of).collect();
            median(&seconds).map(|seconds| 1e3 * seconds)
        };
        self.compile_first_ms = median_ms(|times| times.first);
        self.compile_warm_ms = median_ms(|times| times.warm);
    }

    fn rate(&self) -> Option<String> {
        match self.bound {
            Bound::Flops => self.gflops.map(|rate| format!("{rate:.1} GFLOP/s")),
            _ => self.gigabytes_per_second.map(|rate| format!("{rate:.1} GB/s")),
        }
    }

    fn cells(&self) -> [String; 9] {
        let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
        [
            self.id.to_owned(),
            self.title.to_owned(),
            self.shapes.clone(),
            or_dash(self.milliseconds.map(|ms| format!("{ms:.4}{}", star(self.is_disturbed)))),
            or_dash(self.rate()),
            or_dash(self.fraction.map(|fraction| format!("{fraction:.3}"))),
            or_dash(self.compile_first_ms.map(|ms| format!("{ms:.1}"))),
            or_dash(self.compile_warm_ms.map(|ms| format!("{ms:.1}"))),
            self.failure.clone().unwrap_or_else(|| self.threads.to_string()),
        ]
    }
}

impl Report {
    /// The machine, and the table as text, with the limits below it.
    pub fn text(&self) -> String {
        let head = [
            "workload",
            "",
            "shapes",
            "ms",
            "rate",
            "of limit",
            "first compile ms",
            "warm ms",
            "threads",
        ];
        let rows: Vec<_> = self.workloads.iter().map(Row::cells).collect();
        let mut text = format!("machine: {}\n", self.machine.summary());
        text += &table(&head.map(str::to_owned), &rows, &[3, 4, 5, 6, 7]);
        let limits = self.limits.iter().map(|limit| {
            let LimitRow { name, rate, unit, is_disturbed } = limit;
            format!("{name} {rate:.1}{} {unit}", star(*is_disturbed))
        });
        let limits: Vec<_> = limits.collect();
        if !limits.is_empty() {
            text += &format!("limits: {}\n", limits.join(", "));
        }
        text += &format!("an MLIR context takes {:.1} ms, once per process\n", self.context_ms);
        let is_disturbed = self.workloads.iter().any(|row| row.is_disturbed)
            || self.limits.iter().any(|limit| limit.is_disturbed);
        if is_disturbed {
            text += "*: other processes also used the machine\n";
        }
        text
    }
}

/// The mark of an unreliable time.
fn star(is_disturbed: bool) -> &'static str {
    if is_disturbed { "*" } else { "" }
}

/// Aligns rows in columns; those of `numbers` are right-aligned.
pub fn table<const N: usize>(
    head: &[String; N],
    rows: &[[String; N]],
    numbers: &[usize],
) -> String {
    let width = |column: usize| {
        let cells = rows.iter().chain([head]).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells =
            row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                match numbers.contains(&column) {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                }
            });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    [head].into_iter().chain(rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let cells = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        let text = table(&cells("id", "ms"), &[cells("long", "1.5"), cells("x", "10.5")], &[1]);
        assert_eq!(text, "id      ms\nlong   1.5\nx     10.5\n");
    }
}
