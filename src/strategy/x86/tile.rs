//! Products of narrow numbers in tile registers (AMX): an instruction multiplies 16 rows with 16 columns.
//!
//! ```text
//! B'[column / 16, k / 32, k / 2 mod 16, column mod 16 * 2 + k mod 2] = B[k, column]
//! for rows.0 { for k.0 {
//!   A'[row, k] = A[row, k]
//!   for columns.0 { for rows.1 { for k.1 { unroll rows.2 { unroll columns.1 {
//!     tdpbf16ps { for rows.3 in 16 { for columns.2 in 16 { for k.2 in 16 { for k.3 in 2 {
//!       C[row, column] += extf(A'[..]) * extf(B'[..]) } } } }
//! ```
//! Rows, columns, A and B are those of [`ProductLoops`]; for bytes, 64 and 4 replace 32
//! and 2. Start values of zero are tile registers, too. The sums stay in tile registers during a part of the reduction
//! (k.1), while a panel of B' and a block of A' stay in the second-level cache. The blocking is the one that moves the
//! fewest bytes beyond that cache: each block of A reads all of B', and each part of the reduction reads and writes all
//! sums. If the reduction is divided, A' is compact, because parts of rows that are a large power of two apart would be in
//! the same lines of the cache. Otherwise A is read in place, and large results are copied from a tile in the first-level
//! cache by streaming stores. If there are too few rows for blocks, threads share the panels of columns, and A' is all of A,
//! with its tiles one after the other. Unknown numbers of rows are for a branch in which they are a multiple of 16.

use super::dot::{NarrowFactors, is_multiple, loop_names};
use super::is_beyond_caches;
use super::product::{LEAST_ROWS, PANEL_BYTES, ProductLoops, follow, names};
use super::share::share;
use crate::analysis::finite_domain::Term;
use crate::dialect::annotation::NONTEMPORAL;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::StrategyRow;
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{Nest, at, order, product};
use crate::strategy::space::{ChosenNumbers, Space, bytes, what};

pub const ROWS: [StrategyRow<Processor>; 2] = [
    row::<0>(
        "x86.product.tdpbf16ps",
        "Computes products of bf16 in tile registers; packs the factor that is read along columns",
    ),
    row::<1>(
        "x86.product.tdpb",
        "The same for products of bytes, each factor with or without signs",
    ),
];

/// The strategy for a row of [`TILES`].
const fn row<const TILE: usize>(
    name: &'static str,
    summary: &'static str,
) -> StrategyRow<Processor> {
    StrategyRow {
        name,
        summary,
        priority: 59 - TILE as u32,
        applies: |group, processor| TiledFactors::of(group, processor, &TILES[TILE]).map(drop),
        sizes: |group, processor| {
            let TiledFactors { factors, .. } =
                TiledFactors::of(group, processor, &TILES[TILE]).ok()?;
            let sizes = factors.shape.at_least(SIDE)?;
            let rows = &factors.shape.nest.loops[factors.shape.rows()].name;
            Some(format!("{rows} mod {SIDE} == 0 and {sizes}"))
        },
        space: |group, processor| {
            let product = TiledFactors::of(group, processor, &TILES[TILE]).expect("it applies");
            product.space(processor)
        },
        schedule: |schedule, group, processor, numbers| {
            let product = TiledFactors::of(group, processor, &TILES[TILE]).expect("it applies");
            let (product, blocking) = product.with(numbers);
            product.schedule(schedule, group, processor, &blocking)
        },
    }
}

/// Products of tiles.
struct TileIntrinsics {
    /// The intrinsics, of which the first one that matches is used.
    intrinsics: &'static [&'static str],
    /// The intrinsic that clears sums.
    zero: &'static str,
    /// The bytes of a factor.
    element_bytes: i64,
}

const TILES: [TileIntrinsics; 2] = [
    TileIntrinsics { intrinsics: &["x86.tdpbf16ps"], zero: "x86.tilezero_f32", element_bytes: 2 },
    TileIntrinsics {
        intrinsics: &["x86.tdpbssd", "x86.tdpbusd", "x86.tdpbsud", "x86.tdpbuud"],
        zero: "x86.tilezero_i32",
        element_bytes: 1,
    },
];

/// The rows of a tile, and the sums in a row.
const SIDE: i64 = 16;

/// The bytes of a sum, which are also those of the factors that are adjacent in a tile of B.
const SUM_BYTES: i64 = 4;

/// The fewest blocks of rows for each core.
const BLOCKS: i64 = 2;

/// The fewest products of a tile of sums in a part of the reduction: reading and writing the sums costs as much as loading the
/// factors of two.
const LEAST_STEPS: i64 = 8;

/// The number of tile registers.
const REGISTERS: i64 = 8;

struct TiledFactors<'g> {
    factors: NarrowFactors<'g>,
    tile: &'static TileIntrinsics,
    /// The tiles of sums that are in registers: rows and columns of them.
    sums: [i64; 2],
}

/// How many rows and columns of tiles may be together, so that there is no part of a tile. Of an unknown number of rows, it is a
/// condition that they are whole tiles.
fn whole_tiles(shape: &ProductLoops) -> [Vec<i64>; 2] {
    let is_known = shape.nest.loops[shape.rows()].extent.is_some();
    let whole = |axis: usize| {
        (1..REGISTERS).filter(move |tiles| is_multiple(shape.nest, axis, tiles * SIDE))
    };
    let rows = if is_known { whole(shape.rows()).collect() } else { vec![1] };
    [rows, whole(shape.columns).collect()]
}

/// How the loops of a product are split.
struct TileBlocking {
    /// True if the outermost loop is over blocks of rows; otherwise it is over panels of columns.
    by_rows: bool,
    /// The parts of the reduction.
    parts: i64,
    /// The rows of a block, in register tiles.
    block: i64,
}

impl<'g> TiledFactors<'g> {
    fn of(
        group: &'g NestGroup,
        processor: &Processor,
        tile: &'static TileIntrinsics,
    ) -> Result<TiledFactors<'g>, String> {
        let TileIntrinsics { intrinsics, element_bytes, .. } = *tile;
        let depth = SIDE * SUM_BYTES / element_bytes;
        let factors = NarrowFactors::of(group, processor, intrinsics[0], element_bytes, depth)?;
        let shape = &factors.shape;
        if factors.a.dimensions[shape.rows()].is_none() || factors.a.dimensions[factors.k].is_none()
        {
            return Err("an index of the other factor is a sum of loops".into());
        }
        let tiles = whole_tiles(shape);
        let [rows, columns] = &tiles;
        let all = rows.iter().flat_map(|rows| columns.iter().map(move |wide| [*rows, *wide]));
        let fits = |[rows, columns]: &[i64; 2]| rows * columns + rows + columns <= REGISTERS;
        // The fewest loads for each product, and of those with equally many the widest.
        let loads =
            |[rows, columns]: &[i64; 2]| (1000 * (rows + columns) / (rows * columns), -columns);
        let sums = all.filter(fits).min_by_key(loads).ok_or_else(|| {
            format!("rows and columns are not known to be positive multiples of {SIDE}")
        })?;
        Ok(TiledFactors { factors, tile, sums })
    }

    /// The rows and columns of a register tile, and the numbers of [`TileBlocking`].
    fn space(&self, processor: &Processor) -> Space {
        let TiledFactors { factors: NarrowFactors { shape, a, k, .. }, sums: [high, wide], .. } =
            self;
        let block = &shape.nest.block;
        let l2 = i64::try_from(processor.caches.l2).unwrap_or(i64::MAX);
        let [of_rows, of_columns] = whole_tiles(shape);
        let mut space = Space::that_keeps_its_default();
        let high = space.structure(block, what::ROWS, of_rows, *high);
        let wide = space.structure(block, what::COLUMNS, of_columns, *wide);
        let sums = Term::Product(vec![high.clone(), wide.clone()]);
        // A register tile needs registers for its sums, a tile of A for each row of tiles, and one of B for each column.
        let needed = Term::Sum(vec![sums, high.clone(), wide.clone()]);
        space.at_most("tile registers", needed, REGISTERS);
        let TileBlocking { by_rows, parts, block: tiles } = self.blocking(processor);
        let steps = shape.extent(*k) / self.depth();
        let of_k = parts_of(steps);
        let parts = space.structure(block, what::PARTS, of_k, parts);
        let is_known = shape.nest.loops[shape.rows()].extent.is_some();
        let orders = (0..=1).filter(|it| *it == i64::from(by_rows) || is_known);
        space.structure(block, what::BY_ROWS, orders, i64::from(by_rows));
        let rows = shape.extent(shape.rows()) / SIDE;
        let tiles =
            space.structure(block, what::BLOCK, (1..=rows).filter(|it| rows % it == 0), tiles);
        let side =
            |tiles: Vec<Term>| Term::Product(tiles.into_iter().chain([SIDE.into()]).collect());
        let depth = Term::Quotient(Box::new(shape.extent(*k).into()), Box::new(parts));
        let panel = bytes(shape.b, &[(shape.columns, side(vec![wide])), (*k, depth.clone())]);
        space.at_most_or_default("bytes of a panel", panel, l2);
        let of_block = side(vec![tiles, high]);
        let rest = Term::Remainder(Box::new((rows * SIDE).into()), Box::new(of_block.clone()));
        space.at_most_or_default("rows in no block", rest, 0);
        let of_block = bytes(a, &[(shape.rows(), of_block), (*k, depth)]);
        space.at_most_or_default("bytes of a block of rows", of_block, l2);
        space
    }

    /// The product with the numbers that a schedule has chosen.
    fn with(self, numbers: &ChosenNumbers) -> (TiledFactors<'g>, TileBlocking) {
        let block = &self.factors.shape.nest.block;
        let number = |what| numbers.of(block, what).expect("a number of the space").value;
        let sums = [number(what::ROWS), number(what::COLUMNS)];
        let [parts, block] = [what::PARTS, what::BLOCK].map(number);
        let blocking = TileBlocking { by_rows: number(what::BY_ROWS) == 1, parts, block };
        (TiledFactors { sums, ..self }, blocking)
    }

    /// The factors in a row of a tile of A.
    fn depth(&self) -> i64 {
        SIDE * self.group()
    }

    /// The factors that are adjacent in a tile of B.
    fn group(&self) -> i64 {
        SUM_BYTES / self.tile.element_bytes
    }

    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        processor: &Processor,
        blocking: &TileBlocking,
    ) -> Result<(), ScheduleError> {
        let TiledFactors { factors, tile, sums: [high, wide] } = self;
        let NarrowFactors { shape, k, .. } = factors;
        let nest = shape.nest;
        let (rows, columns) = (shape.rows(), shape.columns);
        self.pack_b(schedule, group, processor)?;
        let TileBlocking { by_rows, parts, block: tiles } = *blocking;
        let parts = (parts > 1).then_some(parts);
        let block = &nest.block;
        let copy_a = |_| schedule.cache_read(block, &factors.a.buffer, "global", &[block], None);
        let copy = parts.map(copy_a).transpose()?;
        // Only vectors have streaming stores.
        let result = &nest.stores[0];
        let is_streamed = parts.is_none()
            && group.alone().is_some()
            && result.is_argument
            && is_beyond_caches(group, processor);
        let sums = is_streamed
            .then(|| schedule.cache_write(block, &result.buffer, "global", None))
            .transpose()?;
        let nest = &Nest { block: sums.unwrap_or_else(|| block.clone()), ..nest.clone() };
        let (block, result) = (&nest.block, block);
        let of_rows: Vec<i64> =
            [-1].into_iter().chain(by_rows.then_some(tiles)).chain([*high, SIDE]).collect();
        let of_k: Vec<i64> = parts.into_iter().chain([-1, SIDE, self.group()]).collect();
        schedule.split(&nest.at(rows), &of_rows, None)?;
        schedule.split(&nest.at(columns), &[-1, *wide, SIDE], None)?;
        schedule.split(&nest.at(*k), &of_k, None)?;

        let part = |axis: usize, number: usize| format!("{}.{number}", nest.loops[axis].name);
        let last = |axis: usize, count: usize, from_end: usize| part(axis, count - from_end);
        let mut outer = nest.spatial_but(&[rows, columns]);
        outer.push(match by_rows {
            true => (part(rows, 0), Some(shape.extent(rows) / (tiles * high * SIDE))),
            false => (part(columns, 0), Some(shape.extent(columns) / (wide * SIDE))),
        });
        let mut around: Vec<String> = outer.iter().map(|(name, _)| name.clone()).collect();
        around.extend(parts.map(|_| part(*k, 0)));
        let of_block = around.len();
        around.extend(by_rows.then(|| part(columns, 0)));
        around.push(last(rows, of_rows.len(), 3));
        let (row_tile, column_tile) = (last(rows, of_rows.len(), 2), part(columns, 1));
        let inner = [
            last(*k, of_k.len(), 3),
            row_tile.clone(),
            column_tile.clone(),
            last(rows, of_rows.len(), 1),
            part(columns, 2),
            last(*k, of_k.len(), 2),
            last(*k, of_k.len(), 1),
        ];
        order(schedule, block, around.iter().cloned().chain(inner))?;
        schedule.unroll(&at(block, &row_tile), None)?;
        schedule.unroll(&at(block, &column_tile), None)?;
        match copy {
            Some(copy) if by_rows => {
                schedule.compute_at(&copy, &at(block, &around[of_block - 1]))?;
                let loops = schedule.loops(&copy)?;
                schedule.vectorize(loops.last().expect("a copy has loops"), Some(self.depth()))?;
            }
            Some(copy) => self.pack_a(schedule, (group, &copy), processor)?,
            None => {}
        }
        if is_streamed {
            let around = at(block, around.last().expect("there are blocks"));
            schedule.reverse_compute_at(result, &around)?;
            let loops = schedule.loops(result)?;
            schedule.vectorize(loops.last().expect("a copy has loops"), Some(SIDE))?;
            schedule.annotate(result, NONTEMPORAL, true)?;
        }
        let init = schedule.decompose_reduction(block, &at(block, &part(*k, 0)))?;
        let row = last(rows, of_rows.len(), 1);
        // Start values other than zero are stored as vectors.
        if schedule.tensorize(&at(&init[0], &row), tile.zero).is_err() {
            schedule.vectorize(&at(&init[0], &part(columns, 2)), None)?;
        }
        let target = at(block, &row);
        let mut outcomes = tile.intrinsics.iter().map(|it| schedule.tensorize(&target, it));
        let first = outcomes.next().expect("there is an intrinsic");
        let block = &first.or_else(|error| outcomes.find_map(Result::ok).ok_or(error))?;
        // A tile is complete only after the last part of the reduction.
        let complete = if parts.is_some() { outer.len() } else { around.len() };
        let target = at(block, &around[complete - 1]);
        follow(schedule, group, (&target, complete), false, processor)?;
        // An instruction computes a row of sums a cycle.
        let cycles = nest.instances().map(|instances| instances / (self.depth() * SIDE));
        share(schedule, (group, block), &outer, cycles, processor)
    }

    /// The rough cost of packing a factor of so many rows or columns, in cycles.
    fn packing_cycles(&self, axis: usize) -> Option<i64> {
        let NarrowFactors { shape, k, .. } = &self.factors;
        Some(shape.extent(axis) * shape.extent(*k) / SIDE)
    }

    /// Packs all of B to tiles.
    fn pack_b(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        processor: &Processor,
    ) -> Result<(), ScheduleError> {
        let NarrowFactors { shape, of_columns, of_k, .. } = &self.factors;
        let block = &shape.nest.block;
        let copy = &schedule.cache_read(block, &shape.b.buffer, "global", &[block], None)?;
        let (depth, adjacent) = (self.depth(), self.group());
        let map = packed(
            shape.b.rank,
            [*of_columns, *of_k],
            &[
                format!("d{of_columns} floordiv {SIDE}"),
                format!("d{of_k} floordiv {depth}"),
                format!("(d{of_k} mod {depth}) floordiv {adjacent}"),
                format!("(d{of_columns} mod {SIDE}) * {adjacent} + d{of_k} mod {adjacent}"),
            ],
        );
        schedule.transform_layout(copy, &map)?;
        let mut names = loop_names(schedule, copy)?;
        let (columns, k) = (names[*of_columns].clone(), names[*of_k].clone());
        schedule.split(&at(copy, &k), &[-1, SIDE, adjacent], None)?;
        schedule.split(&at(copy, &columns), &[-1, SIDE], None)?;
        names.retain(|name| *name != columns && *name != k);
        names.extend([format!("{k}.0"), format!("{columns}.0"), format!("{k}.1")]);
        names.extend([format!("{columns}.1"), format!("{k}.2")]);
        let first = names[0].clone();
        order(schedule, copy, names)?;
        let row = [format!("{columns}.1"), format!("{k}.2")].map(|name| at(copy, &name));
        let row = schedule.fuse(&row.each_ref().map(String::as_str))?;
        schedule.vectorize(&at(copy, &row), None)?;
        let cycles = self.packing_cycles(shape.columns);
        share(schedule, (group, copy), &[(first, None)], cycles, processor)
    }

    /// Packs all of A to tiles.
    fn pack_a(
        &self,
        schedule: &mut Schedule,
        (group, copy): (&NestGroup, &str),
        processor: &Processor,
    ) -> Result<(), ScheduleError> {
        let NarrowFactors { shape, a, k, .. } = &self.factors;
        let of = |axis: usize| a.dimensions[axis].expect("it applies");
        let (of_rows, of_k, depth) = (of(shape.rows()), of(*k), self.depth());
        let tiles = [
            format!("d{of_rows} floordiv {SIDE}"),
            format!("d{of_k} floordiv {depth}"),
            format!("d{of_rows} mod {SIDE}"),
            format!("d{of_k} mod {depth}"),
        ];
        schedule.transform_layout(copy, &packed(a.rank, [of_rows, of_k], &tiles))?;
        let mut names = loop_names(schedule, copy)?;
        let (rows, along) = (names[of_rows].clone(), names[of_k].clone());
        schedule.split(&at(copy, &rows), &[-1, SIDE], None)?;
        schedule.split(&at(copy, &along), &[-1, depth], None)?;
        names.retain(|name| *name != rows && *name != along);
        names.extend([format!("{rows}.0"), format!("{along}.0")]);
        names.extend([format!("{rows}.1"), format!("{along}.1")]);
        let first = names[0].clone();
        order(schedule, copy, names)?;
        schedule.vectorize(&at(copy, &format!("{along}.1")), None)?;
        let cycles = self.packing_cycles(shape.rows());
        share(schedule, (group, copy), &[(first, None)], cycles, processor)
    }

    /// The blocking that moves the fewest bytes beyond the second-level cache.
    fn blocking(&self, processor: &Processor) -> TileBlocking {
        let (shape, [high, wide]) = (&self.factors.shape, self.sums);
        let l2 = i64::try_from(processor.caches.l2).unwrap_or(i64::MAX);
        let bytes_of_k = shape.extent(self.factors.k) * self.tile.element_bytes;
        let steps = shape.extent(self.factors.k) / self.depth();
        let rows = shape.extent(shape.rows()) / (high * SIDE);
        let panels = shape.extent(shape.columns) / (wide * SIDE);
        let around = shape.nest.spatial_but(&[shape.rows(), shape.columns]);
        let around = product(around.iter().map(|(_, extent)| *extent)).unwrap_or(1);
        // Each block reads all of B, so there are only as many as keep all cores busy, and all have the same number of rows.
        let cores = i64::try_from(processor.cores).unwrap_or(1).max(1);
        let even = (rows * around / (BLOCKS * cores)).max(1);
        // A block of A has half of the second-level cache, and a panel of B a quarter. A copy of A is also limited by a
        // thread's stack.
        let block = |parts: i64| {
            let most = if parts > 1 { PANEL_BYTES.min(l2 / 2) } else { l2 / 2 };
            let fitting = most / (bytes_of_k / parts * high * SIDE).max(1);
            (1..=rows.min(fitting).min(even)).rev().find(|block| rows % block == 0).unwrap_or(1)
        };
        let is_fitting = |parts: &i64| bytes_of_k / parts * wide * SIDE <= l2 / 4;
        let moved = |parts: &i64| {
            let bytes =
                |sizes: &[i64]| sizes.iter().map(|size| i128::from(*size)).product::<i128>();
            // Each part of the reduction reads and writes all sums. A that is copied is read, written and read.
            let sums = bytes(&[2 * parts, rows * high * SIDE, panels * wide * SIDE, SUM_BYTES]);
            let a = bytes(&[if *parts > 1 { 3 } else { 1 }, rows * high * SIDE, bytes_of_k]);
            bytes(&[rows / block(*parts), panels * wide * SIDE, bytes_of_k]) + a + sums
        };
        let parts = parts_of(steps).filter(is_fitting).min_by_key(moved).unwrap_or(1);
        let block = block(parts);
        let is_known = shape.nest.loops[shape.rows()].extent.is_some();
        let by_rows = is_known && (block * high * SIDE >= LEAST_ROWS || rows / block >= panels);
        TileBlocking { by_rows, parts, block }
    }
}

/// The numbers of parts into which so many steps of a reduction may be divided.
fn parts_of(steps: i64) -> impl Iterator<Item = i64> {
    let has_enough = move |parts: &i64| *parts == 1 || steps / parts >= LEAST_STEPS;
    (1..=steps).filter(move |parts| steps % parts == 0).filter(has_enough)
}

/// The map of a buffer to tiles: what these two dimensions become is behind the others.
fn packed(rank: usize, dimensions: [usize; 2], tiles: &[String]) -> String {
    let others = (0..rank).filter(|d| !dimensions.contains(d)).map(|d| format!("d{d}"));
    let results: Vec<String> = others.chain(tiles.iter().cloned()).collect();
    format!("({}) -> ({})", names(rank), results.join(", "))
}
