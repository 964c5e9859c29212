//! The ledger as JSON, for tools and for other languages.
//!
//! ```json
//! {"function": "main",
//!  "sizes": [{"name": "arg0.0", "argument": 0, "dimension": 0}],
//!  "blocks": [{"block": "C", "is_init": false, "instances": {"value": 64, "bound": "exact"},
//!              "parallel": .., "lanes": .., "float_ops": .., "int_ops": ..,
//!              "memory": {"global": {"loads": .., "stores": .., "footprint": ..}, "shared": .., "local": ..},
//!              "intensity": {"footprint": .., "accessed": ..},
//!              "buffers": [{"buffer": "arg0", "scope": "global", "is_shared": true, "loads": .., "stores": ..,
//!                           "footprint": ..}]}],
//!  "total": {"float_ops": .., "int_ops": .., "memory": .., "intensity": .., "buffers": ..},
//!  "not_counted": []}
//! ```
//! - A figure has a `value`: a number, a formula over the sizes, or null. Its `bound` is the [word](FigureBound::word) of how the
//!   value is related to the count.
//! - A size has the number of the argument that it comes from, or null if the function computes it. `dimension` is null for an
//!   index argument.
//! - `is_shared`: the buffer is an argument or a constant.
//! - Units are those of the [ledger](super): bytes, operations, iterations; intensities are in operations on floats per byte.

use super::intensity::{FigureBound, Intensity, IntensityValue};
use super::{Amount, BufferCosts, CostRow, Costs, Figure, Ledger};
use crate::dialect::loop_enums::Scope;
use crate::dialect::requirement::SizeOrigin;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct JsonLedger<'a> {
    function: &'a str,
    sizes: Vec<JsonSize<'a>>,
    blocks: Vec<JsonRow<'a>>,
    total: JsonCosts<'a>,
    not_counted: &'a [String],
}

#[derive(Serialize)]
struct JsonSize<'a> {
    name: &'a str,
    argument: Option<usize>,
    dimension: Option<usize>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    block: &'a str,
    is_init: bool,
    instances: JsonFigure,
    parallel: JsonFigure,
    lanes: JsonFigure,
    #[serde(flatten)]
    costs: JsonCosts<'a>,
}

#[derive(Serialize)]
struct JsonCosts<'a> {
    float_ops: JsonFigure,
    int_ops: JsonFigure,
    memory: BTreeMap<String, JsonMemory>,
    intensity: JsonIntensities,
    buffers: Vec<JsonBuffer<'a>>,
}

#[derive(Serialize)]
struct JsonMemory {
    loads: JsonFigure,
    stores: JsonFigure,
    footprint: JsonFigure,
}

#[derive(Serialize)]
struct JsonIntensities {
    footprint: JsonFigure,
    accessed: JsonFigure,
}

#[derive(Serialize)]
struct JsonBuffer<'a> {
    buffer: &'a str,
    scope: String,
    is_shared: bool,
    #[serde(flatten)]
    memory: JsonMemory,
}

#[derive(Serialize)]
struct JsonFigure {
    value: JsonValue,
    bound: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonValue {
    Count(i128),
    Quotient(f64),
    Formula(String),
    None,
}

impl Ledger {
    /// The ledger of a function of this name as JSON.
    pub fn to_json<'a>(&'a self, function: &'a str) -> String {
        let size = |(name, source): (&'a String, &Option<SizeOrigin>)| JsonSize {
            name,
            argument: source.map(SizeOrigin::argument),
            dimension: match source {
                Some(SizeOrigin::Dim(_, dimension)) => Some(*dimension),
                Some(SizeOrigin::Index(_)) | None => None,
            },
        };
        let ledger = JsonLedger {
            function,
            sizes: self.sizes.iter().zip(&self.sources).map(size).collect(),
            blocks: self.rows.iter().map(|row| self.json_row(row)).collect(),
            total: self.json_costs(&self.total),
            not_counted: &self.others,
        };
        serde_json::to_string(&ledger).expect("its keys are strings")
    }

    fn json_row<'a>(&'a self, row: &'a CostRow) -> JsonRow<'a> {
        JsonRow {
            block: &row.block,
            is_init: row.is_init,
            instances: self.json_figure(&row.instances),
            parallel: self.json_figure(&row.parallel),
            lanes: self.json_figure(&row.lanes),
            costs: self.json_costs(&row.costs),
        }
    }

    fn json_costs<'a>(&'a self, costs: &'a Costs) -> JsonCosts<'a> {
        let memory = |scope: &Scope| {
            let (loads, stores) = (costs.loads(*scope), costs.stores(*scope));
            (scope.to_string(), self.json_memory(&loads, &stores, &costs.footprint(*scope)))
        };
        let buffer = |buffer: &'a BufferCosts| JsonBuffer {
            buffer: &buffer.buffer,
            scope: buffer.scope.to_string(),
            is_shared: buffer.is_shared,
            memory: self.json_memory(&buffer.loads, &buffer.stores, &buffer.footprint),
        };
        let [footprint, accessed] = self.intensities(costs).map(JsonFigure::of_intensity);
        JsonCosts {
            float_ops: self.json_figure(&costs.float_ops),
            int_ops: self.json_figure(&costs.int_ops),
            memory: Scope::ALL.iter().map(memory).collect(),
            intensity: JsonIntensities { footprint, accessed },
            buffers: costs.buffers.iter().map(buffer).collect(),
        }
    }

    fn json_memory(&self, loads: &Figure, stores: &Figure, footprint: &Figure) -> JsonMemory {
        let [loads, stores, footprint] = [loads, stores, footprint].map(|it| self.json_figure(it));
        JsonMemory { loads, stores, footprint }
    }

    fn json_figure(&self, figure: &Figure) -> JsonFigure {
        let bound = match figure {
            Figure::Exact(_) => FigureBound::Exact,
            Figure::AtMost(_) => FigureBound::AtMost,
            Figure::Unknown => FigureBound::Unknown,
        };
        let value = |amount: &Amount| match amount.constant() {
            Some(count) => JsonValue::Count(count),
            None => JsonValue::Formula(amount.text(&self.sizes)),
        };
        JsonFigure { value: figure.amount().map_or(JsonValue::None, value), bound: bound.word() }
    }
}

impl JsonFigure {
    fn of_intensity(intensity: Intensity) -> JsonFigure {
        let value = match intensity.value {
            None => JsonValue::None,
            Some(IntensityValue::Number(number)) => JsonValue::Quotient(number),
            Some(IntensityValue::Formula(formula)) => JsonValue::Formula(formula),
        };
        JsonFigure { value, bound: intensity.bound.word() }
    }
}
