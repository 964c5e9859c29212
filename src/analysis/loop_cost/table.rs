//! The text of a ledger: a table of the schedule blocks, and one of their buffers.
//!
//! ```text
//! loop-cost @main: bytes in all
//!   block   instances  flops   global loads  global stores  footprint  flops/byte
//!   C       2097152    4194304 ...
//!   C init  16384      0
//!   total              4194304
//!
//!   buffer  scope   block  loads  stores  footprint
//! ```
//!
//! Columns without content are omitted. If formulas make the table too wide, each figure has a line of its own.

use super::{Amount, CostRow, Costs, Figure, Ledger};
use crate::dialect::loop_enums::Scope;
use std::fmt::Write;

/// The names of the arithmetic intensities.
pub(super) const INTENSITIES: [&str; 2] = ["flops/footprint", "flops/accessed"];

/// Wider tables have one figure per line.
const MAX_WIDTH: usize = 140;

/// A figure of the rows, and in some cases of the total.
pub(super) struct TableColumn {
    pub title: String,
    of: ColumnValue,
}

enum ColumnValue {
    Row(fn(&CostRow) -> &Figure),
    Costs(fn(&Costs, Scope) -> Figure, Scope),
}

/// The figures of a row, in order.
pub(super) fn columns() -> Vec<TableColumn> {
    let of_row = |title: &str, of| TableColumn { title: title.into(), of: ColumnValue::Row(of) };
    let of_costs =
        |title: String, of, scope| TableColumn { title, of: ColumnValue::Costs(of, scope) };
    let mut columns = vec![
        of_row("instances", |row| &row.instances),
        of_costs("flops".into(), |costs, _| costs.float_ops.clone(), Scope::Global),
        of_costs("int ops".into(), |costs, _| costs.int_ops.clone(), Scope::Global),
    ];
    for scope in Scope::ALL {
        columns.push(of_costs(format!("{scope} loads"), Costs::loads, *scope));
        columns.push(of_costs(format!("{scope} stores"), Costs::stores, *scope));
        columns.push(of_costs(format!("{scope} footprint"), Costs::footprint, *scope));
    }
    columns.push(of_row("parallel", |row| &row.parallel));
    columns.push(of_row("lanes", |row| &row.lanes));
    columns
}

impl Ledger {
    /// The text for a function of this name.
    pub fn text(&self, function: &str) -> String {
        let is_number =
            |figure: Figure| figure.amount().is_none_or(|amount| amount.constant().is_some());
        let are_numbers = self
            .rows
            .iter()
            .all(|row| columns().iter().all(|column| is_number(column.figure(row))));
        let sizes = if are_numbers { "" } else { ", for sizes of 1 or more" };
        let mut text = format!("loop-cost @{function}: bytes in all{sizes}\n");
        if self.rows.is_empty() {
            text += "  no schedule blocks\n";
        } else {
            let table = self.table();
            let wide = aligned(&table);
            text += &match wide.lines().all(|line| line.chars().count() <= MAX_WIDTH) {
                true => wide,
                false => aligned(&one_a_line(&table)),
            };
            text.push('\n');
            text += &aligned(&self.buffers());
        }
        if !self.others.is_empty() {
            let _ = writeln!(text, "  not counted: {}", self.others.join(", "));
        }
        text
    }

    fn table(&self) -> Vec<Vec<String>> {
        let is_needed = |column: &TableColumn| {
            let is_nothing = |row: &CostRow| {
                let figure = column.figure(row);
                figure.amount().and_then(Amount::constant) == Some(column.is_factor().into())
            };
            let is_main = ["instances", "flops"].contains(&column.title.as_str());
            is_main || !self.rows.iter().all(is_nothing)
        };
        let columns: Vec<TableColumn> = columns().into_iter().filter(is_needed).collect();
        let mut lines = vec![vec!["block".to_owned()]];
        lines[0].extend(columns.iter().map(|column| column.title.clone()));
        lines[0].extend(INTENSITIES.map(str::to_owned));
        for row in &self.rows {
            let mut line = vec![row.title()];
            line.extend(columns.iter().map(|column| column.figure(row).text(&self.sizes)));
            line.extend(self.intensities(&row.costs).map(|it| it.text()));
            lines.push(line);
        }
        let mut line = vec!["total".to_owned()];
        line.extend(columns.iter().map(|column| {
            column.total(&self.total).map_or(String::new(), |figure| figure.text(&self.sizes))
        }));
        line.extend(self.intensities(&self.total).map(|it| it.text()));
        lines.push(line);
        lines
    }

    fn buffers(&self) -> Vec<Vec<String>> {
        let titles = ["buffer", "scope", "block", "loads", "stores", "footprint"];
        let mut lines = vec![titles.map(str::to_owned).to_vec()];
        for all in &self.total.buffers {
            let mut add = |block: String, of: &super::BufferCosts| {
                let figures = [&of.loads, &of.stores, &of.footprint];
                let mut line = vec![of.buffer.clone(), of.scope.to_string(), block];
                line.extend(figures.map(|figure| figure.text(&self.sizes)));
                lines.push(line);
            };
            let is_it = |of: &&super::BufferCosts| of.buffer == all.buffer && of.scope == all.scope;
            let mut users = 0;
            for row in &self.rows {
                for of in row.costs.buffers.iter().filter(is_it) {
                    users += 1;
                    add(row.title(), of);
                }
            }
            if users > 1 {
                add("total".into(), all);
            }
        }
        lines
    }
}

impl TableColumn {
    pub(super) fn figure(&self, row: &CostRow) -> Figure {
        match self.of {
            ColumnValue::Row(of) => of(row).clone(),
            ColumnValue::Costs(of, scope) => of(&row.costs, scope),
        }
    }

    /// True for parallel iterations and lanes, where 1 means that there are none.
    pub(super) fn is_factor(&self) -> bool {
        self.title == "parallel" || self.title == "lanes"
    }

    /// `None` if the total has no such figure.
    pub(super) fn total(&self, costs: &Costs) -> Option<Figure> {
        match self.of {
            ColumnValue::Row(_) => None,
            ColumnValue::Costs(of, scope) => Some(of(costs, scope)),
        }
    }
}

impl CostRow {
    /// The name of the row in the tables.
    pub fn title(&self) -> String {
        match self.is_init {
            true => format!("{} init", self.block),
            false => self.block.clone(),
        }
    }
}

/// A table as lines of three fields: row, column and value.
fn one_a_line(table: &[Vec<String>]) -> Vec<Vec<String>> {
    let Some((titles, rows)) = table.split_first() else { return vec![] };
    let mut lines = vec![];
    for row in rows {
        let mut name = row[0].clone();
        for (i, (title, text)) in titles.iter().zip(row).enumerate().skip(1) {
            // Zero figures are omitted, except in the first two columns; the total has no instances.
            if text.is_empty() || i > 2 && ["0", "-"].contains(&text.as_str()) {
                continue;
            }
            lines.push(vec![std::mem::take(&mut name), title.clone(), text.clone()]);
        }
    }
    lines
}

/// Columns side by side, each as wide as its widest text.
pub(super) fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| lines.iter().filter_map(|line| line.get(i)).map(|t| t.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|i| width(i).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in lines {
        let mut all = String::from(" ");
        for (field, width) in line.iter().zip(&widths) {
            let _ = write!(all, " {field:width$} ");
        }
        text += all.trim_end();
        text.push('\n');
    }
    text
}
