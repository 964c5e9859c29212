//! The predicted time of a scheduled nest, from the [`MachineTable`] alone: nothing is run.
//!
//! ```text
//! time = the units together  x  imbalance / cores  +  start-up
//! ```
//! The units are the vector units, the instructions that a core starts, chains of dependent additions, and each memory
//! level. `imbalance` is `ceil(tasks / cores) * cores / tasks`. What a nest uses is in the innermost level that holds all
//! that the nests of a function use when the nest begins. Files:
//!
//! - [`nest`] reads the loops and accesses of a nest as numbers;
//! - [`traffic`] counts the bytes that pass between two memory levels, from footprints;
//! - [`cpu`] and [`gpu`] count what the other units do.
//!
//! Sizes that are known only at run time are taken for [`nest::UNKNOWN_SIZE`]. The prediction is for comparing schedules
//! of one nest with each other. How well it does that is measured in `docs/design/predicted-times.md`.

mod cpu;
mod gpu;
pub(crate) mod loop_predict_time;
mod nest;
mod traffic;

use crate::machine::table::{MachineTable, duration};
use crate::nest::summary::{NodeId, Summary};
use nest::{Leaf, NestModel};
use std::fmt;

/// The predicted time of a nest.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedTime {
    /// In ns.
    pub total_ns: f64,
    /// The time for which each unit of all cores is busy, in ns, in the order of the units.
    pub units: Vec<UnitTime>,
    /// The name of the unit that limits the nest.
    pub limit: &'static str,
    /// What no other tiles shorten, in ns: the operations in whole vectors on all cores, moving the arguments and results once, and
    /// the start-up.
    pub fixed_ns: f64,
    /// In ns, part of the total.
    pub start_up_ns: f64,
    /// Iterations that are distributed over cores; 1 if they are not.
    pub tasks: i64,
}

/// The time for which a unit is busy, if the work is distributed over all cores that have a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitTime {
    /// The name of the unit, such as "vector units".
    pub unit: &'static str,
    /// The time in nanoseconds.
    pub ns: f64,
}

/// The names of the units of a core.
mod unit {
    pub const VECTOR: &str = "vector units";
    pub const ISSUE: &str = "instructions";
    pub const CHAIN: &str = "chains of additions";
    pub const WAITS: &str = "waits of warps";
    pub const SHARED: &str = "shared memory";
    pub const START_UP: &str = "start-up";
}

/// How well units work at the same time: two that are busy for the same time together take 1.19 times as long as one.
const OVERLAP: i32 = 4;

/// Predicts the times of nests, children of the function, that are executed one after the other, again and again.
pub fn predict(summary: &Summary, roots: &[NodeId], table: &MachineTable) -> Vec<PredictedTime> {
    let models: Vec<NestModel> = roots.iter().map(|root| NestModel::of(summary, *root)).collect();
    let line = table.gpu.as_ref().map_or(cpu::LINE, |gpu| gpu.sector_bytes);
    let working_set = traffic::working_set(&models, line);
    let of_nest = |model: &NestModel| match &table.gpu {
        None => cpu::predict(model, working_set, table),
        Some(gpu) => gpu::predict(model, working_set, table, gpu),
    };
    models.iter().map(of_nest).collect()
}

impl PredictedTime {
    /// The time of some units [together]. Of the units of a core, `core_ns` is the time of all schedule blocks, each with its own
    /// slowest unit. `least` has times of units that no other tiles shorten.
    fn of(
        core_ns: f64,
        core: Vec<UnitTime>,
        memory: Vec<UnitTime>,
        least: [f64; 2],
        start_up_ns: f64,
        tasks: i64,
    ) -> PredictedTime {
        let longest = |units: &[UnitTime]| {
            units.iter().copied().reduce(|one, other| if other.ns > one.ns { other } else { one })
        };
        let (mut most, mut limit) = (core_ns, longest(&core).map_or(unit::ISSUE, |it| it.unit));
        if let Some(slowest) = longest(&memory).filter(|it| it.ns > most) {
            (most, limit) = (slowest.ns, slowest.unit);
        }
        if start_up_ns > most {
            limit = unit::START_UP;
        }
        let busy = together(memory.iter().map(|unit| unit.ns).chain([core_ns]));
        let fixed_ns = together(least.into_iter()) + start_up_ns;
        let units = core.into_iter().chain(memory).collect();
        PredictedTime { total_ns: busy + start_up_ns, units, limit, fixed_ns, start_up_ns, tasks }
    }
}

/// The time of units that work at the same time, from their times alone. Two that are busy for about as long hinder each other.
fn together(times: impl Iterator<Item = f64> + Clone) -> f64 {
    let longest = times.clone().fold(0.0, f64::max);
    let parts = times.map(|ns| (ns / longest.max(1e-9)).powi(OVERLAP));
    longest * parts.sum::<f64>().powf(1.0 / f64::from(OVERLAP))
}

/// The time of the operations of a nest in ns if all cores have equal parts, in vectors whose lanes are all used. What a nest computes
/// again, such as the border of a tile, counts each time.
fn least_operations_ns(
    model: &NestModel,
    table: &MachineTable,
    lanes: impl Fn(&Leaf) -> i64,
    of_function: i64,
) -> f64 {
    let of_leaf = |leaf: &Leaf| {
        let instances = nest::product(leaf.loops.iter()) * leaf.share();
        let in_vector = if leaf.is_intrinsic { 1 } else { lanes(leaf) };
        instances * leaf.unit_operations(table.has_fma, of_function) / in_vector as f64
    };
    let vectors: f64 = model.leaves.iter().map(of_leaf).sum();
    vectors / table.vectors_per_ns / table.cores as f64
}

/// The factor by which a nest takes longer because the tasks are no multiple of the cores, divided by the cores that
/// have tasks.
fn per_core(tasks: i64, cores: i64) -> f64 {
    let tasks = tasks.max(1) as f64;
    (tasks / cores as f64).ceil() / tasks
}

impl fmt::Display for PredictedTime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, limited by {}", duration(self.total_ns), self.limit)
    }
}
