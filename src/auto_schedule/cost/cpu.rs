//! The time of a nest on a processor.
//!
//! The vector loops and the unrolled loops around a leaf are its *register tile*, the innermost other loop is its *loop
//! axis*. What does not move with the loop axis stays in registers, as far as there are enough.

use super::nest::{Leaf, ModelAccess, ModelLoop, NestModel, product};
use super::traffic::{KnownFootprints, LevelSize, Moved, Traffic};
use super::{PredictedTime, UnitTime, least_operations_ns, per_core, unit};
use crate::dialect::loop_enums::LoopKind;
use crate::machine::table::MachineTable;
use crate::strategy::nest::{FUNCTION_OPERATIONS, NEAR};

/// Bytes of a cache line.
pub const LINE: i64 = 64;

/// The bytes of a page.
const PAGE: i64 = 4096;

/// Lines of the second level that may be at addresses whose difference is a multiple of its period: 8 (Zen 2 to 4, Haswell), 16 or 20.
const WAYS: i64 = 16;

/// The most vectors that `reduce-by-lanes` combines.
const MAX_VECTORS: i64 = 16;

/// The time of a shuffle in vector operations: processors shuffle on half of the units that multiply and add.
const SHUFFLE: f64 = 2.0;

/// Instructions of a loop besides its body: a counter and a branch.
const LOOP_INSTRUCTIONS: f64 = 2.0;

/// Instructions that a core holds until they are done, so that chains of that many instructions overlap. Processors since
/// 2013 hold 192 (Haswell) to 512.
const WINDOW: f64 = 224.0;

/// How often the units of a core are used by all instances of a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeafUse {
    /// Operations of vector units.
    pub vectors: f64,
    pub loads: f64,
    pub stores: f64,
    /// Loads of vectors that lie in two cache lines, and twice the stores of such vectors.
    pub crossings: f64,
    /// Additions that wait for each other, without those that overlap with others.
    pub chained: f64,
    /// Iterations of the loop axis.
    pub iterations: f64,
}

/// The time of a nest; `working_set` is that of all nests that are executed again and again.
pub fn predict(model: &NestModel, working_set: f64, table: &MachineTable) -> PredictedTime {
    let tasks = tasks(model);
    let of_core = per_core(tasks, table.cores);
    let l1 = &table.levels[0];
    let vector_bytes = table.vector_bits as f64 / 8.0;
    let mut core_ns = 0.0;
    let mut core =
        [unit::VECTOR, unit::ISSUE, unit::CHAIN, l1.name].map(|unit| UnitTime { unit, ns: 0.0 });
    for leaf in &model.leaves {
        let used = LeafUse::of(leaf, model, table);
        let busy = [
            used.vectors / table.vectors_per_ns,
            used.instructions() / table.instructions_per_ns,
            used.chained * table.add_latency_ns,
            // A core stores half as many vectors as it loads.
            (used.loads + 2.0 * used.stores + used.crossings) * vector_bytes / l1.gb_per_s,
        ];
        core_ns += busy.into_iter().fold(0.0, f64::max) * of_core;
        core.iter_mut().zip(busy).for_each(|(unit, ns)| unit.ns += ns * of_core);
    }
    let cores = if tasks > 1 { table.cores } else { 1 };
    let traffic = Traffic {
        model,
        working_set,
        line: LINE,
        cores,
        reads_before_writes: true,
        known: KnownFootprints::default(),
    };
    // Of the last level.
    let mut least_ns = 0.0;
    let memory = table.levels.windows(2).enumerate().map(|(number, pair)| {
        let [level, next] = pair else { unreachable!("windows of two") };
        // The first level is looked up by the offset in a page, and the last one spreads addresses.
        let period = match (number, level.bytes) {
            (0, _) => PAGE,
            (1, Some(bytes)) => bytes / WAYS,
            _ => 0,
        };
        let sharers = if tasks > 1 { level.sharers } else { 1 };
        let bytes = level.bytes.unwrap_or(i64::MAX) as f64 / sharers as f64;
        let capacity = LevelSize { bytes, period };
        let Moved { bytes, runs } = traffic.beyond(capacity);
        let fetched_ahead = LINE as f64 / next.gb_per_s;
        least_ns = traffic.least_beyond(capacity) / next.gb_per_s / table.cores as f64;
        let busy = bytes / next.gb_per_s + runs * (next.wait_ns - fetched_ahead).max(0.0);
        UnitTime { unit: next.name, ns: busy * of_core }
    });
    let memory = memory.collect();
    let start_up = if tasks > 1 && table.cores > 1 { table.start_up_ns } else { 0.0 };
    let operations_ns =
        least_operations_ns(model, table, |leaf| lanes(leaf, table), FUNCTION_OPERATIONS);
    let least = [operations_ns, least_ns];
    PredictedTime::of(core_ns, core.to_vec(), memory, least, start_up, tasks)
}

/// The lanes of a vector of what a leaf computes.
fn lanes(leaf: &Leaf, table: &MachineTable) -> i64 {
    (table.vector_bits / 8 / leaf.element_bytes).max(1)
}

/// The iterations of the parallel loops of the leaf that has the most of them.
fn tasks(model: &NestModel) -> i64 {
    let of_leaf = |leaf: &Leaf| {
        let parallel = leaf.loops.iter().filter(|it| it.kind == LoopKind::Parallel);
        parallel.map(|it| it.extent).fold(1i64, i64::saturating_mul)
    };
    model.leaves.iter().map(of_leaf).max().unwrap_or(1)
}

impl LeafUse {
    /// What the instances of a leaf use.
    pub fn of(leaf: &Leaf, model: &NestModel, table: &MachineTable) -> LeafUse {
        let lanes = lanes(leaf, table);
        if let Some(vectors) = partial_results(leaf, model, lanes) {
            return LeafUse::of_partial_results(leaf, vectors, lanes);
        }
        let is_lane = |it: &&ModelLoop| it.kind == LoopKind::Vectorize;
        let wide = product(leaf.loops.iter().filter(is_lane));
        // Vectors that all lanes of an iteration take.
        let vectors = match wide > 1.0 && !leaf.is_intrinsic {
            true => (wide / lanes as f64).ceil(),
            false => 1.0,
        };
        let others: Vec<&ModelLoop> = leaf.loops.iter().filter(|it| !is_lane(it)).collect();
        let iterations = product(others.iter().copied()) * leaf.share();
        let tile = others.iter().rev().take_while(|it| it.kind == LoopKind::Unroll).count();
        let (outer, unrolled) = others.split_at(others.len() - tile);
        let mut used = LeafUse {
            vectors: iterations
                * vectors
                * leaf.unit_operations(table.has_fma, FUNCTION_OPERATIONS),
            iterations: product(outer.iter().copied()) * leaf.share_of_tiles(),
            ..LeafUse::default()
        };
        let (mut live, mut chain) = (0.0, 1.0);
        let loop_axis = outer.iter().rev().find(|it| it.extent > 1);
        for access in &leaf.accesses {
            let count = access.executions(&others, 1) * leaf.share_of(access);
            let AccessCost { accesses: lanes_of, shuffles } =
                AccessCost::of(access, leaf, model, wide, vectors);
            let crossings = count * lanes_of * crossing(access, leaf, model, lanes);
            match access.is_write {
                true => used.stores += count * lanes_of,
                false => used.loads += count * lanes_of,
            }
            used.crossings += if access.is_write { 2.0 * crossings } else { crossings };
            used.vectors += count * shuffles * SHUFFLE;
            let stays = loop_axis.is_some_and(|axis| !Leaf::varies(access, axis.variable));
            if access.is_write && leaf.is_reduction && stays {
                let varying = unrolled.iter().filter(|it| Leaf::varies(access, it.variable));
                live += product(varying.copied()) * lanes_of;
                let serial = outer.iter().rev();
                let same = serial.take_while(|it| !Leaf::varies(access, it.variable));
                chain = product(same.copied());
            }
        }
        // A row of the factor that is read along the lanes, and an element of the other one.
        let needed = live + vectors + 1.0 + f64::from(u8::from(!table.has_fma));
        let spilled = (needed - table.registers as f64).clamp(0.0, live);
        used.loads += spilled * used.iterations;
        used.stores += spilled * used.iterations;
        if chain > 1.0 {
            let instructions = used.instructions() / (used.iterations / chain);
            used.chained = used.iterations / (WINDOW / instructions).max(1.0);
        }
        used
    }

    /// The combination of so many vectors of partial results to a value, by vector operations and then by halving a vector.
    fn of_partial_results(leaf: &Leaf, vectors: i64, lanes: i64) -> LeafUse {
        let (_, around) = leaf.loops.split_last().expect("it has a loop over partial results");
        let results = product(around.iter()) * leaf.share();
        // An exchange and an operation for each halving.
        let of_lanes = 2.0 * (lanes as f64).log2();
        let mut used = LeafUse {
            vectors: results * (vectors as f64 + of_lanes),
            loads: results * (vectors + 1) as f64,
            stores: results,
            iterations: results,
            ..LeafUse::default()
        };
        let together = (WINDOW / (used.instructions() / results)).max(1.0);
        used.chained = results * (vectors as f64 + of_lanes) / together;
        used
    }

    fn instructions(&self) -> f64 {
        self.vectors + self.loads + self.stores + LOOP_INSTRUCTIONS * self.iterations
    }
}

/// The vectors of partial results that a leaf combines to one value in its innermost loop, if `reduce-by-lanes` applies to it.
fn partial_results(leaf: &Leaf, model: &NestModel, lanes: i64) -> Option<i64> {
    let (last, around) = leaf.loops.split_last()?;
    let [write, read] = [true, false].map(|is_write| {
        let mut accesses = leaf.accesses.iter().filter(|it| it.is_write == is_write);
        accesses.find(|it| is_write || Leaf::varies(it, last.variable))
    });
    let (write, read) = (write?, read?);
    let is_vector = |it: &ModelLoop| it.kind == LoopKind::Vectorize;
    let is_plain = leaf.is_reduction
        && !leaf.is_multiply_add
        && last.kind == LoopKind::Serial
        && !around.iter().any(is_vector);
    let buffer = &model.buffers[read.buffer];
    let is_contiguous = buffer.scope.is_some()
        && read.stride(last.variable, &buffer.sizes) == Some(1)
        && !Leaf::varies(write, last.variable);
    let vectors = last.extent / lanes;
    let is_whole = last.extent % lanes == 0 && (1..=MAX_VECTORS).contains(&vectors);
    (is_plain && is_contiguous && is_whole).then_some(vectors)
}

/// The part of the vectors of an access that lie in two cache lines: of vectors at any element, all that do not begin in the first
/// bytes of a line. Vectors are aligned if each loop moves them by whole vectors.
fn crossing(access: &ModelAccess, leaf: &Leaf, model: &NestModel, lanes: i64) -> f64 {
    let buffer = &model.buffers[access.buffer];
    let stride = |it: &ModelLoop| access.stride(it.variable, &buffer.sizes);
    let (wide, around): (Vec<&ModelLoop>, Vec<&ModelLoop>) =
        leaf.loops.iter().partition(|it| it.kind == LoopKind::Vectorize);
    let is_vector = wide.last().is_some_and(|it| it.extent >= lanes && stride(it) == Some(1));
    let is_whole =
        |it: &ModelLoop| it.extent == 1 || stride(it).is_some_and(|stride| stride % lanes == 0);
    if !is_vector || leaf.is_intrinsic || around.into_iter().all(is_whole) {
        return 0.0;
    }
    let bytes = lanes.saturating_mul(buffer.element_bytes).min(LINE);
    (bytes - buffer.element_bytes).max(0) as f64 / LINE as f64
}

/// What an access of all lanes takes.
struct AccessCost {
    accesses: f64,
    /// Instructions that put elements into the lanes of a vector.
    shuffles: f64,
}

impl AccessCost {
    /// A vector for each register, one if all lanes use one element, the vectors that hold the elements if they are near each other,
    /// and one a lane otherwise. If unrolled copies of the body load what follows in the same rows, `transpose-in-registers`
    /// loads the rows.
    fn of(
        access: &ModelAccess,
        leaf: &Leaf,
        model: &NestModel,
        wide: f64,
        vectors: f64,
    ) -> AccessCost {
        let sizes = &model.buffers[access.buffer].sizes;
        let stride = |it: &ModelLoop| access.stride(it.variable, sizes);
        let lanes = leaf.loops.iter().filter(|it| it.kind == LoopKind::Vectorize);
        let strides: Vec<Option<i64>> = lanes.map(stride).collect();
        let (accesses, shuffles) = match strides.last() {
            None => (1.0, 0.0),
            _ if leaf.is_intrinsic => (1.0, 0.0),
            _ if strides.iter().all(|stride| *stride == Some(0)) => (1.0, 0.0),
            Some(Some(0..=1)) => (vectors, 0.0),
            Some(Some(stride @ 2..=NEAR)) => {
                let all = vectors * *stride as f64;
                (all, all - vectors)
            }
            Some(_) => {
                let copies = leaf.loops.iter().rev();
                let mut copies = copies.skip_while(|it| it.kind == LoopKind::Vectorize);
                let row = copies.next().filter(|it| {
                    it.kind == LoopKind::Unroll && it.extent > 1 && stride(it) == Some(1)
                });
                let lanes = wide / vectors;
                match row {
                    Some(row) => (wide / lanes.min(row.extent as f64), vectors * lanes.log2()),
                    None => (wide, wide),
                }
            }
        };
        AccessCost { accesses, shuffles }
    }
}
