//! Matrix products: tiles of the result stay in registers during the reduction.
//!
//! ```text
//! for columns.0 { for k.0 { [pack a panel of B]  for rows.0 { for k.1 { unroll rows.1 { vectorize columns.1 {
//!   C[row, column] += A[row, k] * B[k, column]
//! ```
//! If all of B is packed beforehand and exceeds the first-level cache, consecutive steps of the reduction read eight places of a panel,
//! which a processor fetches at the same time. If many tiles use a panel, the next one is prefetched instead.
//!
//! The *columns* are the loop along which results are contiguous in memory. B is the factor that is indexed by this
//! loop. The other factor, A, is not, so all vector lanes use the same element of A. The *rows* are a loop that B does
//! not depend on. Matrix products, batched matrix products, matrix-vector products and convolutions have this form.

mod panels;
mod tiles;

use panels::packed;
pub(super) use panels::{Streams, fetch, pack};
pub(super) use tiles::TileSizes;

use super::share::{is_even, share, tasks};
use super::{columns, elementwise, lanes, order};
use crate::analysis::finite_domain::Term;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::{NestGroup, is_product};
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at, product};
use crate::strategy::space::{ChosenNumbers, REST, Space, bytes, factors, what};
use crate::strategy::{StrategyRow, all_sizes};

pub const TILED: StrategyRow<Processor> = StrategyRow {
    name: "x86.product.tiled",
    summary: "Computes register tiles; reads the operands in place, without packing",
    priority: 40,
    applies: |group, processor| {
        let shape = ProductLoops::of(group, processor)?;
        let is_packed = shape.b.has_lifted_transforms && shape.pays_to_pack(processor).is_ok();
        match shape.at_least(1) {
            Some(_) if is_packed => Err("any number of rows for it uses the packed factor".into()),
            _ => shape.has_rest(group, processor),
        }
    },
    sizes: |group, processor| {
        let shape = ProductLoops::of(group, processor).ok()?;
        shape.at_least(FEWEST_ROWS)
    },
    space: |group, processor| {
        ProductLoops::of(group, processor).expect("it applies").tiled_space(processor)
    },
    schedule: |schedule, group, processor, numbers| {
        let shape = ProductLoops::of(group, processor).expect("it applies");
        tiled(schedule, (group, &shape), processor, numbers)
    },
};

pub const PACKED: StrategyRow<Processor> = StrategyRow {
    name: "x86.product.packed",
    summary: "Computes register tiles; packs panels of the factor that is read along columns",
    priority: 50,
    applies: |group, processor| {
        let shape = ProductLoops::of(group, processor)?;
        shape.pays_to_pack(processor)?;
        shape.has_rest(group, processor)
    },
    sizes: |group, processor| {
        let shape = ProductLoops::of(group, processor).ok()?;
        let is_free = shape.b.has_lifted_transforms;
        shape.at_least(if is_free { FEWEST_ROWS } else { LEAST_ROWS })
    },
    space: |group, processor| {
        ProductLoops::of(group, processor).expect("it applies").packed_space(processor)
    },
    schedule: |schedule, group, processor, numbers| {
        let shape = ProductLoops::of(group, processor).expect("it applies");
        packed(schedule, (group, &shape), processor, numbers)
    },
};

pub const VECTOR_MATRIX: StrategyRow<Processor> = StrategyRow {
    name: "x86.product.vector_matrix",
    summary: "Adds several matrix rows at once to the results, which stay in the first-level cache",
    priority: 35,
    applies: |group, processor| one_row(group, processor).map(drop),
    sizes: all_sizes,
    space: |group, processor| pieces(&one_row(group, processor).expect("it applies"), processor),
    schedule: |schedule, group, processor, numbers| {
        let shape = one_row(group, processor).expect("it applies");
        vector_matrix(schedule, (group, &shape), processor, numbers)
    },
};

/// The matrix rows that are added to results at once: as many streams as a processor prefetches.
const STREAMS: i64 = 8;

/// The loops of a product.
pub(super) struct ProductLoops<'g> {
    pub nest: &'g Nest,
    /// The vectorised loop along which results are contiguous.
    pub columns: usize,
    /// The loop that B does not depend on, if one exists that has, or may have, more than one iteration.
    pub rows: Option<usize>,
    /// Another loop of this kind, if tiles may have several of its iterations.
    pub lines: Option<usize>,
    pub b: &'g NestAccess,
    pub lanes: i64,
}

impl<'g> ProductLoops<'g> {
    fn any(group: &'g NestGroup, processor: &Processor) -> Result<ProductLoops<'g>, String> {
        let nest = &group.nests[0];
        if !is_product(nest) {
            return Err("it is not a product".into());
        }
        let columns = nest.store_axis().filter(|axis| !nest.loops[*axis].is_reduction);
        let columns = columns.ok_or("no loop stores to consecutive elements")?;
        let [one, other] = &nest.loads[..] else {
            return Err("it does not have two factors".into());
        };
        let (a, b) = match one.steps[columns] == AccessStride::None {
            true => (one, other),
            false => (other, one),
        };
        if a.steps[columns] != AccessStride::None || b.steps[columns] != AccessStride::Unit {
            return Err(
                "along the results, no factor is contiguous while the other is constant".into()
            );
        }
        let lanes = lanes(nest, processor);
        let extent = nest.loops[columns].extent;
        if extent.is_some_and(|extent| extent < lanes / 2) {
            return Err(format!("fewer contiguous results than half a vector of {lanes}"));
        }
        let is_row = |axis: &usize| {
            *axis != columns
                && b.steps[*axis] == AccessStride::None
                && nest.loops[*axis].extent.is_none_or(|e| e > 1)
        };
        // Known numbers of rows come before unknown ones.
        let rows =
            nest.spatial().into_iter().filter(is_row).max_by_key(|axis| nest.loops[*axis].extent);
        Ok(ProductLoops { nest, columns, rows, lines: None, b, lanes })
    }

    pub fn of(group: &'g NestGroup, processor: &Processor) -> Result<ProductLoops<'g>, String> {
        let shape = ProductLoops::any(group, processor)?;
        match shape.rows {
            Some(_) => Ok(shape),
            None => {
                Err("no value of the factor that is read along columns is used more than once"
                    .into())
            }
        }
    }

    /// The number of rows; many if it is not known.
    pub fn row_count(&self) -> i64 {
        let extent = |rows: usize| self.nest.loops[rows].extent.unwrap_or(MANY);
        self.rows.map_or(1, extent)
    }

    /// The number of columns; many if it is not known.
    pub fn column_count(&self) -> i64 {
        self.nest.loops[self.columns].extent.unwrap_or(MANY)
    }

    /// The condition that there are so many rows, and that the columns fill half a vector, as far as their numbers are
    /// not known.
    pub fn at_least(&self, rows: i64) -> Option<String> {
        let loops = self.rows.map(|axis| (axis, rows)).into_iter();
        let loops = loops.chain([(self.columns, self.lanes / 2)]);
        let unknown = loops.filter(|(axis, _)| self.nest.loops[*axis].extent.is_none());
        let texts: Vec<String> = unknown
            .map(|(axis, least)| format!("{} >= {least}", self.nest.loops[axis].name))
            .collect();
        (!texts.is_empty()).then(|| texts.join(" and "))
    }

    /// Ensures that a strategy for any number of rows is left for the few rows that tiles are not for.
    pub fn has_rest(&self, group: &NestGroup, processor: &Processor) -> Result<(), String> {
        match self.at_least(1) {
            None => Ok(()),
            Some(_) => one_row(group, processor)
                .map(drop)
                .or_else(|_| (columns::ROW.applies)(group, processor))
                .map_err(|why| format!("no strategy is for few rows: {why}")),
        }
    }

    /// True if the outermost tiles, which threads share, are those of columns; `tiles` are the numbers of tiles of rows and of
    /// columns, `around` that of iterations around them. Each tile of rows reads all of B, and each tile of columns a panel of it. So
    /// tiles of columns are outermost if B takes half of the second-level cache or more, or if there may be few rows; but threads must
    /// have about equally many, or as many as they should have. Otherwise tiles of rows are, which write whole rows of results, unless
    /// only tiles of columns are as many as threads should have.
    fn is_by_columns(&self, around: i64, tiles: [Option<i64>; 2], processor: &Processor) -> bool {
        let [of_rows, of_columns] = tiles.map(|tiles| around.saturating_mul(tiles.unwrap_or(1)));
        let is_large = self.bytes_of_b().is_none_or(|bytes| is_half_of_l2(bytes, processor));
        let may_be_few = self.nest.loops[self.rows()].extent.is_none();
        let enough = tasks(processor);
        match is_large || may_be_few {
            true => of_columns >= enough || is_even(of_columns, processor),
            false => of_columns >= enough && of_rows < enough,
        }
    }

    /// The bytes of B that a matrix product reads, of several products with different B.
    fn bytes_of_b(&self) -> Option<i64> {
        let products = product(self.batch().map(|axis| self.nest.loops[axis].extent))?;
        Some(self.b.bytes? / products.max(1))
    }

    pub fn rows(&self) -> usize {
        self.rows.expect("the strategy applies where there are rows")
    }

    /// Splits rows and columns into tiles of these sizes; returns the loops over tiles of rows and of columns. If one tile has all
    /// columns, their loop is not split.
    pub fn cut(
        &self,
        schedule: &mut Schedule,
        sizes: &TileSizes,
    ) -> Result<[(String, Option<i64>); 2], ScheduleError> {
        let nest = self.nest;
        let sizes = [(self.rows(), &sizes.rows), (self.columns, &sizes.columns)];
        for (axis, size) in sizes {
            if axis == self.rows() || self.is_cut(size.value) {
                schedule.split(&nest.at(axis), factors(&[&REST, size]), None)?;
            }
        }
        let tiles = |axis: usize, size: i64| {
            self.nest.loops[axis].extent.map(|extent| (extent + size - 1) / size)
        };
        Ok(sizes
            .map(|(axis, size)| (format!("{}.0", nest.loops[axis].name), tiles(axis, size.value))))
    }

    /// True if tiles of so many columns do not have all columns.
    pub fn is_cut(&self, wide: i64) -> bool {
        self.column_count() > wide
    }

    /// Moves a tile inside of the loops around it; its columns are vectors, its rows are unrolled.
    pub fn in_registers(
        &self,
        schedule: &mut Schedule,
        around: impl Iterator<Item = String>,
        is_cut: bool,
    ) -> Result<(), ScheduleError> {
        let block = &self.nest.block;
        let name = |axis: usize| &self.nest.loops[axis].name;
        let row = format!("{}.1", name(self.rows()));
        let column = match is_cut {
            true => format!("{}.1", name(self.columns)),
            false => name(self.columns).clone(),
        };
        let line = self.lines.map(|axis| format!("{}.1", name(axis)));
        let rows: Vec<String> = line.into_iter().chain([row]).collect();
        order(schedule, block, around.chain(rows.clone()).chain([column.clone()]))?;
        schedule.vectorize(&at(block, &column), None)?;
        rows.iter().try_for_each(|row| schedule.unroll(&at(block, row), None).map(drop))
    }

    /// The rough cost in cycles, from the multiplications in vectors.
    pub fn cycles(&self) -> Option<i64> {
        self.nest.instances().map(|instances| instances / self.lanes)
    }

    pub fn extent(&self, axis: usize) -> i64 {
        self.nest.loops[axis].extent.unwrap_or(1)
    }

    /// The iterations of all reduction loops, if they are known.
    fn depth(&self) -> Option<i64> {
        product(self.nest.reductions().into_iter().map(|axis| self.nest.loops[axis].extent))
    }

    /// Packing is profitable if it costs nothing in a call and B exceeds the first-level cache, or if B is a matrix that takes half of
    /// the second-level cache or more and each panel is used often enough.
    fn pays_to_pack(&self, processor: &Processor) -> Result<(), String> {
        let is_free = self.b.has_lifted_transforms;
        let reductions = self.nest.reductions();
        if reductions.len() > 1 && !is_free {
            return Err("it has more than one reduction loop".into());
        }
        let is_other = |axis: &usize| !reductions.contains(axis) && *axis != self.columns;
        let others: Vec<usize> = (0..self.nest.loops.len()).filter(is_other).collect();
        let is_matrix = |axis: &usize| {
            self.b.steps[*axis] == AccessStride::None || self.nest.loops[*axis].extent == Some(1)
        };
        if !others.iter().all(is_matrix) && !is_free {
            return Err("the factor to pack has more than two dimensions".into());
        }
        let columns = self.nest.loops[self.columns].extent;
        let row =
            columns.ok_or("the number of columns to pack is not known")? * self.b.element_bytes;
        let depth = self.depth().ok_or("the number of reduced elements is not known")?;
        let batches = product(self.batch().map(|axis| self.nest.loops[axis].extent));
        let batches = batches.ok_or("the number of factors to pack is not known")?;
        let all = row.saturating_mul(depth).saturating_mul(batches);
        if is_free && all <= i64::try_from(processor.caches.l1).unwrap_or(i64::MAX) {
            return Err("the factor to pack fits in the first-level cache".into());
        }
        if !is_free && !is_half_of_l2(all, processor) {
            return Err("the factor to pack fits in half of the second-level cache".into());
        }
        let rows = self.row_count();
        if rows < LEAST_ROWS && !is_free {
            return Err(format!("a packed panel would be used for only {rows} rows"));
        }
        let [_, wide] = self.tile(processor);
        let panels = (self.extent(self.columns) / wide).saturating_mul(batches);
        if panels < i64::try_from(processor.cores).unwrap_or(1).max(2) {
            return Err(format!("only {panels} panels of {wide} columns, fewer than cores"));
        }
        Ok(())
    }

    /// The most bytes of a packed panel. One that a call packs may have a quarter of the second-level cache: the lower panels are, the
    /// more often all results are read and written. Beside one of a weight, the next is fetched from memory.
    fn panel_bytes(&self, processor: &Processor) -> i64 {
        let quarter = i64::try_from(processor.caches.l2 / 4).unwrap_or(i64::MAX);
        match self.b.has_lifted_transforms {
            true => PANEL_BYTES,
            false => quarter.clamp(PANEL_BYTES, MOST_PANEL_BYTES),
        }
    }

    /// The loops around tiles for which B is the same matrix.
    fn repeats(&self) -> Vec<usize> {
        let is_repeat =
            |axis: &usize| *axis != self.rows() && self.b.steps[*axis] == AccessStride::None;
        self.nest.spatial().into_iter().filter(is_repeat).collect()
    }

    /// The loops over several matrices B.
    fn batch(&self) -> impl Iterator<Item = usize> {
        let is_batch =
            |axis: &usize| *axis != self.columns && self.b.steps[*axis] != AccessStride::None;
        self.nest.spatial().into_iter().filter(is_batch)
    }
}

/// What unknown numbers of rows or columns are taken for: a multiple of the sizes of tiles.
const MANY: i64 = 27_720;

/// The fewest rows that a tile may have: also a part of a tile reads each value of B once for all rows, and a single row has a strategy
/// of its own.
pub(super) const FEWEST_ROWS: i64 = 2;

/// The fewest rows for which packing pays off: for so many, both variants are equally fast.
pub(super) const LEAST_ROWS: i64 = 65;

/// The most bytes of a block that is read again and again from the second-level cache and is on a thread's stack.
pub(super) const PANEL_BYTES: i64 = 256 * 1024;

/// The most bytes of panels that a call packs, which are on a thread's stack.
const MOST_PANEL_BYTES: i64 = 512 * 1024;

/// True if so many bytes are half of the second-level cache or more. The rest of it is for what streams through it, and pages are at
/// random places: of a larger factor that each tile reads, a part is displaced.
fn is_half_of_l2(bytes: i64, processor: &Processor) -> bool {
    bytes >= i64::try_from(processor.caches.l2 / 2).unwrap_or(i64::MAX)
}

/// Multiplications that must be in flight: two a cycle, with a latency of four or five cycles.
pub(super) const LATENCY: i64 = 10;

fn tiled(
    schedule: &mut Schedule,
    (group, shape): (&NestGroup, &ProductLoops),
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest = shape.nest;
    let sizes = TileSizes::of(nest, numbers);
    let is_cut = shape.is_cut(sizes.columns.value);
    let [of_rows, of_columns] = shape.cut(schedule, &sizes)?;
    let mut outer = nest.spatial_but(&[shape.rows(), shape.columns]);
    let around = product(outer.iter().map(|(_, extent)| *extent)).unwrap_or(1);
    let by_columns = is_cut && shape.is_by_columns(around, [of_rows.1, of_columns.1], processor);
    match is_cut {
        true if by_columns => outer.extend([of_columns, of_rows]),
        true => outer.extend([of_rows, of_columns]),
        false => outer.push(of_rows),
    }
    let shared = outer.len() - usize::from(by_columns);
    let reductions = nest.reductions().into_iter().map(|axis| nest.loops[axis].name.clone());
    let around = outer.iter().map(|(name, _)| name.clone());
    shape.in_registers(schedule, around.chain(reductions), is_cut)?;
    let innermost = at(&nest.block, &outer.last().expect("there are tiles").0);
    follow(schedule, group, (&innermost, outer.len()), true, processor)?;
    share(schedule, (group, &nest.block), &outer[..shared], shape.cycles(), processor)
}

/// `d0, d1, ..`, the indices of an element of a buffer of this rank.
pub(super) fn names(rank: usize) -> String {
    (0..rank).map(|d| format!("d{d}")).collect::<Vec<_>>().join(", ")
}

/// Fuses the nests that consume results into a loop of the first nest: the loop over tiles, or over larger parts.
/// `around` is the number of loops around that place. Returns false if a nest could not be moved there.
pub(super) fn follow(
    schedule: &mut Schedule,
    group: &NestGroup,
    (target, around): (&str, usize),
    is_tile: bool,
    processor: &Processor,
) -> Result<bool, ScheduleError> {
    let mut are_all_moved = true;
    for follower in &group.nests[1..] {
        if schedule.reverse_compute_at(&follower.block, target).is_err() {
            // For partial tiles, it is not proved which results they have written.
            are_all_moved = false;
            if let Some(axis) = follower.store_axis() {
                let numbers = elementwise::space(follower, axis, processor).constants();
                elementwise::along(schedule, group, (follower, axis), processor, &numbers)?;
            }
            continue;
        }
        let loops = schedule.loops(&follower.block)?;
        if let Some(along) = loops[around..].last() {
            schedule.vectorize(along, None)?;
        }
        if let (true, [high, _]) = (is_tile, &loops[around..]) {
            schedule.unroll(high, None)?;
        }
    }
    Ok(are_all_moved)
}

/// A product that uses each value of the matrix once.
fn one_row<'g>(group: &'g NestGroup, processor: &Processor) -> Result<ProductLoops<'g>, String> {
    let shape = ProductLoops::any(group, processor)?;
    if shape.rows.is_some_and(|rows| shape.nest.loops[rows].extent.is_some()) {
        return Err(
            "values of the factor that is read along columns are used more than once".into()
        );
    }
    if shape.nest.loops[shape.columns].extent.is_none() {
        return Err("the number of columns is not known".into());
    }
    match shape.nest.reductions()[..] {
        [axis] if shape.nest.loops[axis].extent.is_none_or(|extent| extent >= 2 * STREAMS) => {
            Ok(shape)
        }
        _ => Err("it does not have exactly one reduction loop, which is long".into()),
    }
}

/// The vectors of results in the innermost loop.
const PIECE_VECTORS: i64 = 4;

/// How many such vectors a thread's task computes at once, which fit in the first-level cache, and how many matrix rows are added to
/// them at once.
fn pieces(shape: &ProductLoops, processor: &Processor) -> Space {
    let (nest, columns) = (shape.nest, shape.columns);
    let wide = shape.lanes * PIECE_VECTORS;
    let cores = i64::try_from(processor.cores).unwrap_or(1).max(1);
    // If one piece has all columns of a core, the core reads the matrix in the order of its addresses.
    let piece = ((shape.extent(columns) + wide * cores - 1) / (wide * cores)).clamp(1, 64);
    let depth = shape.extent(nest.reductions()[0]).max(STREAMS);
    let mut space = Space::default();
    let pieces = (0..7).map(|n| 1 << n).filter(|it| it * wide <= shape.extent(columns));
    let piece_of = space.number(&nest.block, what::PIECE, pieces, piece);
    let rows = [1, 2, 4, STREAMS, 2 * STREAMS].into_iter().filter(|rows| *rows <= depth);
    space.number(&nest.block, what::ROWS, rows, STREAMS);
    let along = Term::Product(vec![piece_of, wide.into()]);
    let l1 = i64::try_from(processor.caches.l1).unwrap_or(i64::MAX);
    let of_results = bytes(&nest.stores[0], &[(columns, along)]);
    space.at_most_or_default("bytes of results in the first-level cache", of_results, l1);
    space.tighten();
    space
}

fn vector_matrix(
    schedule: &mut Schedule,
    (group, shape): (&NestGroup, &ProductLoops),
    processor: &Processor,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let nest = shape.nest;
    let block = &nest.block;
    let k = nest.reductions()[0];
    let (column, depth) = (&nest.loops[shape.columns].name, &nest.loops[k].name);
    let [piece, rows] =
        [what::PIECE, what::ROWS].map(|it| numbers.of(block, it).expect("it has both"));
    let wide = shape.lanes * PIECE_VECTORS;
    schedule.split(&nest.at(shape.columns), factors(&[&REST, piece, &wide.into()]), None)?;
    schedule.split(&nest.at(k), factors(&[&REST, rows]), None)?;
    let mut outer = nest.spatial_but(&[shape.columns]);
    let wide = piece.value * wide;
    let pieces = (shape.extent(shape.columns) + wide - 1) / wide;
    outer.push((format!("{column}.0"), Some(pieces)));
    let inner =
        [format!("{depth}.0"), format!("{column}.1"), format!("{depth}.1"), format!("{column}.2")];
    order(schedule, block, outer.iter().map(|(name, _)| name.clone()).chain(inner))?;
    schedule.vectorize(&at(block, &format!("{column}.2")), None)?;
    schedule.unroll(&at(block, &format!("{depth}.1")), None)?;
    let pieces = at(block, &format!("{column}.0"));
    follow(schedule, group, (&pieces, outer.len()), false, processor)?;
    let cycles = nest.all_cycles(shape.lanes);
    share(schedule, (group, block), &outer, cycles, processor)
}
