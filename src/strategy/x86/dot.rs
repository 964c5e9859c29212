//! Products of narrow numbers: an instruction adds the products of several pairs to each of its wide sums.
//!
//! ```text
//! B'[column / wide, k / 2, column mod wide * 2 + k mod 2] = B[k, column]
//! for columns.0 { for rows.0 { for k.0 { unroll rows.1 { unroll columns.1 {
//!   vdpbf16ps { for columns.2 in 16 { for k.1 in 2 { C[row, column] += extf(A[row, k]) * extf(B'[..]) } } }
//! ```
//! Rows, columns, A and B are those of [`ProductLoops`]. The numbers that an instruction multiplies are adjacent in A, and
//! B is packed so that they are in B, too. The sums are those of the [intrinsic](crate::machine::intrinsic): `tensorize`
//! refuses a nest that computes something else, or whose contract does not allow the way in which they are rounded.

use super::VECTOR_REGISTERS;
use super::product::{FEWEST_ROWS, LATENCY, ProductLoops, follow, names};
use super::share::{share, tasks};
use crate::analysis::finite_domain::Term;
use crate::graph::compensate_signed_bytes::LEAST_NARROW_ROWS;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::StrategyRow;
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, Nest, NestAccess, at, order, product};
use crate::strategy::space::{
    ChosenNumber, ChosenNumbers, REST, Space, bytes, factors, registers, what,
};

pub const ROWS: [StrategyRow<Processor>; 3] = [
    row::<0>(
        "x86.product.vdpbf16ps",
        "Computes register tiles of products of bf16; packs the factor that is read along columns",
    ),
    row::<1>("x86.product.vpdpbusd", "The same for products of u8 and i8"),
    row::<2>("x86.product.vpdpwssd", "The same for products of i8"),
];

/// The strategy for a row of [`DOTS`].
const fn row<const DOT: usize>(
    name: &'static str,
    summary: &'static str,
) -> StrategyRow<Processor> {
    StrategyRow {
        name,
        summary,
        priority: 57 - DOT as u32,
        applies: |group, processor| NarrowProduct::of(group, processor, &DOTS[DOT]).map(drop),
        sizes: |group, processor| {
            let NarrowProduct { factors: NarrowFactors { shape, .. }, .. } =
                NarrowProduct::of(group, processor, &DOTS[DOT]).ok()?;
            shape.at_least(if shape.b.has_lifted_transforms {
                FEWEST_ROWS
            } else {
                LEAST_NARROW_ROWS
            })
        },
        space: |group, processor| {
            let narrow = NarrowProduct::of(group, processor, &DOTS[DOT]).expect("it applies");
            narrow.space(processor)
        },
        schedule: |schedule, group, processor, numbers| {
            let narrow = NarrowProduct::of(group, processor, &DOTS[DOT]).expect("it applies");
            let sizes = NarrowSizes::of(&narrow.factors.shape.nest.block, numbers);
            narrow.schedule(schedule, group, processor, &sizes)
        },
    }
}

/// An intrinsic that adds products to the lanes of a vector of 32-bit sums.
struct Dot {
    intrinsic: &'static str,
    /// The bytes of a factor.
    element_bytes: i64,
    /// The products that are added to a sum.
    depth: i64,
}

const DOTS: [Dot; 3] = [
    Dot { intrinsic: "x86.vdpbf16ps", element_bytes: 2, depth: 2 },
    Dot { intrinsic: "x86.vpdpbusd", element_bytes: 1, depth: 4 },
    Dot { intrinsic: "x86.vpdpwssd", element_bytes: 1, depth: 2 },
];

/// The sums of an intrinsic.
const LANES: i64 = 16;

/// Registers that no tile takes: LLVM loads some numbers of A early.
const SPARE_REGISTERS: i64 = 2;

/// The most vectors in a row of a tile.
const MOST_VECTORS: i64 = 4;

/// The cost of a result of a tile, in 1/1000 of that of an instruction: an instruction for each vector, and a quarter of
/// the loads. A remainder of rows has tiles of its own.
fn cost([height, vectors]: [i64; 2], rows: i64) -> i64 {
    let (vectors, loads) = (height * vectors, height + vectors);
    let cycles = 4 * vectors.max(LATENCY).max(loads) + loads;
    let rest = if rows % height > 0 { 50 } else { 0 };
    cycles * (1000 + rest) / (4 * vectors)
}

/// A product of two narrow factors, of which B may be packed.
pub(super) struct NarrowFactors<'g> {
    pub shape: ProductLoops<'g>,
    pub a: &'g NestAccess,
    /// The reduction loop.
    pub k: usize,
    /// The dimensions of B that the columns and the reduction loop index.
    pub of_columns: usize,
    pub of_k: usize,
}

impl<'g> NarrowFactors<'g> {
    /// The factors, if an intrinsic multiplies `depth` adjacent ones of this size.
    pub fn of(
        group: &'g NestGroup,
        processor: &Processor,
        intrinsic: &str,
        element_bytes: i64,
        depth: i64,
    ) -> Result<NarrowFactors<'g>, String> {
        let shape = ProductLoops::of(group, processor)?;
        let nest = shape.nest;
        if nest.widenings != 2 {
            return Err("its factors are not both of a narrower type than the sums".into());
        }
        let is_b = |load: &&NestAccess| std::ptr::eq(*load, shape.b);
        let a = nest.loads.iter().find(|load| !is_b(load)).ok_or("it has one factor")?;
        if [a, shape.b].iter().any(|factor| factor.element_bytes != element_bytes) {
            return Err("its factors are not of the type that the instruction multiplies".into());
        }
        if !processor.intrinsics.contains(&intrinsic) {
            return Err("the processor has no instruction for it".into());
        }
        let [k] = nest.reductions()[..] else {
            return Err("it has more than one reduction loop".into());
        };
        if a.steps[k] != AccessStride::Unit {
            return Err("the other factor is not contiguous along the reduction".into());
        }
        if !is_multiple(nest, k, depth) {
            return Err(format!(
                "the reduced elements are not known to be a positive multiple of {depth}"
            ));
        }
        let (Some(of_columns), Some(of_k)) =
            (shape.b.dimensions[shape.columns], shape.b.dimensions[k])
        else {
            return Err("an index of the factor to pack is a sum of loops".into());
        };
        shape.has_rest(group, processor)?;
        if !shape.b.has_lifted_transforms && shape.row_count() < LEAST_NARROW_ROWS {
            return Err(format!(
                "the packed factor would be used for only {} rows",
                shape.row_count()
            ));
        }
        Ok(NarrowFactors { shape, a, k, of_columns, of_k })
    }
}

/// True if the iterations of a loop are known to be a positive multiple of a number.
pub(super) fn is_multiple(nest: &Nest, axis: usize, of: i64) -> bool {
    nest.loops[axis].extent.is_some_and(|extent| extent > 0 && extent % of == 0)
}

/// The names of the loops of a block, without that of the block.
pub(super) fn loop_names(schedule: &Schedule, block: &str) -> Result<Vec<String>, ScheduleError> {
    let loops = schedule.loops(block)?;
    Ok(loops.iter().map(|name| name.rsplit(':').next().unwrap_or_default().to_owned()).collect())
}

/// Into how many equal parts to divide some steps, at least `least`. If twice as many are not enough for equal parts, the
/// steps are not divided: short parts cost more than a panel that does not fit in its cache.
pub(super) fn even_parts(steps: i64, least: i64) -> i64 {
    (least..=2 * least).find(|parts| steps % parts == 0).unwrap_or(1)
}

struct NarrowProduct<'g> {
    factors: NarrowFactors<'g>,
    dot: &'static Dot,
    /// Rows and columns of a tile.
    tile: [i64; 2],
}

impl<'g> NarrowProduct<'g> {
    fn of(
        group: &'g NestGroup,
        processor: &Processor,
        dot: &'static Dot,
    ) -> Result<NarrowProduct<'g>, String> {
        let Dot { intrinsic, element_bytes, depth } = *dot;
        let factors = NarrowFactors::of(group, processor, intrinsic, element_bytes, depth)?;
        let shape = &factors.shape;
        if shape.lanes != LANES {
            return Err("the processor has no vectors of the instruction's width".into());
        }
        // A partial tile of columns would have partial vectors.
        let tiles = (1..=MOST_VECTORS)
            .filter(|vectors| is_multiple(shape.nest, shape.columns, vectors * LANES));
        let registers = i64::from(processor.vectors.registers) - SPARE_REGISTERS;
        let rows = shape.row_count();
        let tiles = tiles
            .flat_map(|vectors| (1..=rows.min(registers)).map(move |height| [height, vectors]))
            .filter(|[height, vectors]| height * vectors + vectors < registers);
        let best = tiles.min_by_key(|tile| cost(*tile, rows));
        let [height, vectors] = best.ok_or_else(|| {
            format!("the columns are not known to be a positive multiple of {LANES}")
        })?;
        Ok(NarrowProduct { factors, dot, tile: [height, vectors * LANES] })
    }

    /// The map of B to its packed form.
    fn packed(&self, wide: i64) -> String {
        let Dot { depth, .. } = self.dot;
        let NarrowFactors { shape, of_columns: column, of_k: k, .. } = &self.factors;
        let rank = shape.b.rank;
        let others = (0..rank).filter(|d| ![column, k].contains(&d)).map(|d| format!("d{d}, "));
        format!(
            "({}) -> ({}d{column} floordiv {wide}, d{k} floordiv {depth}, \
             (d{column} mod {wide}) * {depth} + d{k} mod {depth})",
            names(rank),
            others.collect::<String>()
        )
    }
}

/// The most parts of a reduction.
const MOST_PARTS: i64 = 64;

/// The numbers that a schedule has chosen.
struct NarrowSizes<'n> {
    rows: &'n ChosenNumber,
    columns: i64,
    blocking: Blocking,
}

impl<'n> NarrowSizes<'n> {
    fn of(block: &str, numbers: &'n ChosenNumbers) -> NarrowSizes<'n> {
        let number = |what| numbers.of(block, what).expect("a number of the space");
        let blocking = Blocking {
            by_rows: number(what::BY_ROWS).value == 1,
            parts: number(what::PARTS).value,
            tiles: number(what::BLOCK).value,
        };
        NarrowSizes { rows: number(what::ROWS), columns: number(what::COLUMNS).value, blocking }
    }
}

/// The blocks of a product.
struct Blocking {
    /// True if the outermost loop is over blocks of rows, which stay in the second-level cache while all columns are
    /// computed; otherwise it is over tiles of columns.
    by_rows: bool,
    /// The parts of the reduction.
    parts: i64,
    /// The tiles of rows of a block.
    tiles: i64,
}

/// The fewest rows of a block: each block reads all of B.
const LEAST_BLOCK: i64 = 32;

impl NarrowProduct<'_> {
    /// The rows and columns of a tile, and the numbers of [`Blocking`].
    fn space(&self, processor: &Processor) -> Space {
        let NarrowProduct { factors, dot, tile: [height, wide] } = self;
        let NarrowFactors { shape, a, k, .. } = factors;
        let (nest, block) = (shape.nest, &shape.nest.block);
        let all = i64::from(processor.vectors.registers);
        let l2 = i64::try_from(processor.caches.l2).unwrap_or(i64::MAX);
        let mut space = Space::that_keeps_its_default();
        let widths = (1..=MOST_VECTORS).map(|vectors| vectors * LANES);
        let is_whole = |wide: &i64| is_multiple(nest, shape.columns, *wide);
        let columns = space.structure(block, what::COLUMNS, widths.filter(is_whole), *wide);
        let rows = space.number(block, what::ROWS, 1..=shape.row_count().min(all), *height);
        let tile = [(shape.columns, columns.clone()), (shape.rows(), rows.clone())];
        let needed = registers(nest, &tile, (shape.columns, LANES), true);
        space.at_most_or_default(VECTOR_REGISTERS, needed, all - SPARE_REGISTERS);
        let Blocking { by_rows, parts, tiles } = self.blocking(processor);
        let steps = shape.extent(*k) / dot.depth;
        let of_parts = (1..=MOST_PARTS).filter(|parts| steps % parts == 0);
        let parts = space.structure(block, what::PARTS, of_parts, parts);
        space.structure(block, what::BY_ROWS, [0, 1], i64::from(by_rows));
        let blocks = (0..6).map(|n| (tiles << n >> 3).max(1));
        let tiles = space.structure(block, what::BLOCK, blocks, tiles);
        let depth = Term::Quotient(Box::new(shape.extent(*k).into()), Box::new(parts));
        let panel = bytes(shape.b, &[(shape.columns, columns), (*k, depth.clone())]);
        space.at_most_or_default("bytes of a panel", panel, l2);
        let of_block = Term::Product(vec![tiles, rows]);
        let of_block = bytes(a, &[(shape.rows(), of_block), (*k, depth)]);
        space.at_most_or_default("bytes of a block of rows", of_block, l2);
        space
    }

    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        processor: &Processor,
        sizes: &NarrowSizes,
    ) -> Result<(), ScheduleError> {
        let NarrowSizes { rows: height, columns: wide, blocking } = sizes;
        self.pack(schedule, group, processor, *wide)?;
        let NarrowProduct { factors: NarrowFactors { shape, k, .. }, dot, .. } = self;
        let (nest, block, depth) = (shape.nest, &shape.nest.block, dot.depth);
        let (rows, columns) = (shape.rows(), shape.columns);
        let Blocking { by_rows, parts, tiles } = *blocking;
        // Where there is one part or one block, there is no loop over them.
        let parts = (parts > 1).then_some(parts);
        let tiles = by_rows.then_some(tiles);
        let of_block = tiles.map(ChosenNumber::from);
        let of_rows: Vec<&ChosenNumber> =
            [&REST].into_iter().chain(&of_block).chain([*height]).collect();
        let of_k: Vec<i64> = parts.into_iter().chain([-1, depth]).collect();
        schedule.split(&nest.at(rows), factors(&of_rows), None)?;
        schedule.split(&nest.at(columns), &[-1, wide / LANES, LANES], None)?;
        schedule.split(&nest.at(*k), &of_k, None)?;

        let part = |axis: usize, number: usize| format!("{}.{number}", nest.loops[axis].name);
        let count = |axis: usize, size: i64| {
            nest.loops[axis].extent.map(|extent| (extent + size - 1) / size)
        };
        let mut outer = nest.spatial_but(&[rows, columns]);
        outer.push(match tiles {
            Some(tiles) => (part(rows, 0), count(rows, tiles * height.value)),
            None => (part(columns, 0), count(columns, *wide)),
        });
        let mut around: Vec<String> = outer.iter().map(|(name, _)| name.clone()).collect();
        around.extend(parts.map(|_| part(*k, 0)));
        around.extend(tiles.map(|_| part(columns, 0)));
        around.push(part(rows, of_rows.len() - 2));
        let (row, column, lane) =
            (part(rows, of_rows.len() - 1), part(columns, 1), part(columns, 2));
        let [step, pair] = [2, 1].map(|from_end| part(*k, of_k.len() - from_end));
        let inner = [step, row.clone(), column.clone(), lane.clone(), pair];
        order(schedule, block, around.iter().cloned().chain(inner))?;
        schedule.unroll(&at(block, &row), None)?;
        schedule.unroll(&at(block, &column), None)?;
        let init = schedule.decompose_reduction(block, &at(block, &part(*k, 0)))?;
        schedule.vectorize(&at(&init[0], &lane), None)?;
        let block = &schedule.tensorize(&at(block, &lane), dot.intrinsic)?;
        // A tile is complete only after the last part of the reduction.
        let complete = if parts.is_some() { outer.len() } else { around.len() };
        let target = at(block, &around[complete - 1]);
        follow(schedule, group, (&target, complete), parts.is_none(), processor)?;
        share(schedule, (group, block), &outer, shape.cycles().map(|it| it / depth), processor)
    }

    /// Packs all of B.
    fn pack(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        processor: &Processor,
        wide: i64,
    ) -> Result<(), ScheduleError> {
        let NarrowProduct { factors, dot, .. } = self;
        let shape = &factors.shape;
        let block = &shape.nest.block;
        let copy = &schedule.cache_read(block, &shape.b.buffer, "global", &[block], None)?;
        schedule.transform_layout(copy, &self.packed(wide))?;
        let mut names = loop_names(schedule, copy)?;
        let (columns, k) = (names[factors.of_columns].clone(), names[factors.of_k].clone());
        schedule.split(&at(copy, &k), &[-1, dot.depth], None)?;
        schedule.split(&at(copy, &columns), &[-1, wide], None)?;
        names.retain(|name| *name != columns && *name != k);
        for part in 0..2 {
            names.extend([format!("{columns}.{part}"), format!("{k}.{part}")]);
        }
        let first = names[0].clone();
        order(schedule, copy, names)?;
        let row = [format!("{columns}.1"), format!("{k}.1")].map(|name| at(copy, &name));
        let row = schedule.fuse(&row.each_ref().map(String::as_str))?;
        schedule.vectorize(&at(copy, &row), Some(LANES * dot.depth))?;
        share(schedule, (group, copy), &[(first, None)], shape.cycles(), processor)
    }

    fn blocking(&self, processor: &Processor) -> Blocking {
        let (shape, [height, wide]) = (&self.factors.shape, self.tile);
        let l2 = i64::try_from(processor.caches.l2).unwrap_or(i64::MAX);
        let bytes_of_k = |k: i64| k * self.dot.element_bytes;
        // A panel of B has an eighth of the cache, a block of A a quarter. All parts have the same height.
        let k = shape.extent(self.factors.k);
        let steps = k / self.dot.depth;
        let parts = (bytes_of_k(k) * wide + l2 / 8 - 1) / (l2 / 8).max(1);
        let parts = even_parts(steps, parts);
        let rows = shape.row_count();
        let around = shape.nest.spatial_but(&[shape.rows(), shape.columns]);
        let around = product(around.iter().map(|(_, extent)| *extent)).unwrap_or(1);
        let fitting = l2 / 4 / (bytes_of_k(k / parts) * height).max(1);
        let even = rows * around / (tasks(processor) * height).max(1);
        let tiles = even.max((LEAST_BLOCK + height - 1) / height).min(fitting).max(1);
        let blocks = around * (rows + tiles * height - 1) / (tiles * height);
        let is_small = bytes_of_k(k) * rows <= l2 / 2;
        let panels = around * (shape.column_count() + wide - 1) / wide;
        let by_rows = !is_small && (blocks >= tasks(processor) || blocks >= panels);
        Blocking { by_rows, parts, tiles }
    }
}
