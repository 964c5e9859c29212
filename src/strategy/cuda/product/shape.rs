//! The row, column and reduction loops of a product, and the choice of its tile sizes.

use super::MOST_SHARED;
use crate::analysis::finite_domain::Term;
use crate::machine::cuda::Gpu;
use crate::strategy::cuda::fitting;
use crate::strategy::group::{NestGroup, is_product};
use crate::strategy::nest::{AccessStride, Nest, NestAccess, product};
use crate::strategy::space::{ChosenNumbers, Space, what};

/// The fewest rows, and the fewest columns, that are worth a tile.
const LEAST: [i64; 2] = [8, 2];

/// The loops of a product.
pub struct ProductTiling<'g> {
    pub nest: &'g Nest,
    /// The operands A and B.
    pub operands: [&'g NestAccess; 2],
    /// For each operand, the spatial loops that only this operand depends on.
    pub own: [Vec<usize>; 2],
    pub batches: Vec<usize>,
    pub depth: Vec<usize>,
}

impl<'g> ProductTiling<'g> {
    /// # Errors
    /// The reason why the group is no such product.
    pub fn of(group: &'g NestGroup) -> Result<ProductTiling<'g>, String> {
        let nest = &group.nests[0];
        if !is_product(nest) {
            return Err("it is not a product".into());
        }
        let along = nest.store_axis().filter(|axis| !nest.loops[*axis].is_reduction);
        let along = along.ok_or("no loop stores to consecutive elements")?;
        let [one, other] = &nest.loads[..] else {
            return Err("it does not have two factors".into());
        };
        if one.buffer == other.buffer {
            return Err("both factors are in one buffer".into());
        }
        let (a, b) = match one.steps[along] == AccessStride::None {
            true => (one, other),
            false => (other, one),
        };
        let is_of = |access: &NestAccess, axis: usize| access.steps[axis] != AccessStride::None;
        let spatial = nest.spatial();
        let of = |mine: &NestAccess, other: &NestAccess| -> Vec<usize> {
            let is_mine = |axis: &usize| is_of(mine, *axis) && !is_of(other, *axis);
            spatial.iter().copied().filter(is_mine).collect()
        };
        let own = [of(a, b), of(b, a)];
        let is_batch = |axis: &usize| own.iter().all(|own| !own.contains(axis));
        let batches = spatial.iter().copied().filter(is_batch).collect();
        let shape =
            ProductTiling { nest, operands: [a, b], own, batches, depth: nest.reductions() };
        if !shape.own[1].contains(&along) {
            return Err("along the results, both factors change, or none".into());
        }
        for ((own, least), what) in shape.own.iter().zip(LEAST).zip(["rows", "columns"]) {
            let size = shape.size(own);
            if own.is_empty() || size.is_some_and(|size| size < least) {
                return Err(format!("only {} {what}", size.unwrap_or(1)));
            }
        }
        Ok(shape)
    }

    /// The number of iterations of some loops, if it is known.
    pub fn size(&self, axes: &[usize]) -> Option<i64> {
        product(axes.iter().map(|axis| self.nest.loops[*axis].extent))
    }

    pub fn is_known(&self) -> bool {
        self.nest.loops.iter().all(|axis| axis.extent.is_some())
    }

    /// True if rows, columns and reduction are one loop each, and each indexes one dimension of each operand directly.
    pub fn is_matrix(&self) -> bool {
        let all = [&self.own[0], &self.own[1], &self.depth];
        let store = &self.nest.stores[0];
        let is_plain = |access: &NestAccess, axis: usize| access.dimensions[axis].is_some();
        all.iter().all(|axes| axes.len() == 1)
            && self.operands.iter().zip(&self.own).all(|(operand, own)| {
                is_plain(operand, own[0])
                    && is_plain(operand, self.depth[0])
                    && is_plain(store, own[0])
                    && self.batches.iter().all(|axis| {
                        operand.steps[*axis] == AccessStride::None || is_plain(operand, *axis)
                    })
            })
    }

    /// The two groups of loops that an operand depends on, without batches: the group along which it is read
    /// contiguously is last. Also the elements of an access.
    pub fn groups(&self, operand: usize, gpu: &Gpu) -> ([&[usize]; 2], i64) {
        let access = self.operands[operand];
        let (own, depth) = (&self.own[operand][..], &self.depth[..]);
        let is_along = |axes: &[usize]| {
            axes.last().is_some_and(|axis| {
                access.steps[*axis] == AccessStride::Unit && access.dimensions[*axis].is_some()
            })
        };
        let lanes = |axes: &[usize]| {
            let last = axes.last().filter(|_| is_along(axes));
            let extent = last.and_then(|axis| self.nest.loops[*axis].extent);
            extent.map_or(1, |extent| fitting(gpu.vector(access.element_bytes), extent))
        };
        match is_along(depth) {
            true => ([own, depth], lanes(depth)),
            false => ([depth, own], lanes(own)),
        }
    }

    /// True if a thread can write `together` results at once in every tile.
    pub fn is_written_by(&self, together: i64) -> bool {
        let last = self.own[1].last().filter(|axis| Some(**axis) == self.nest.store_axis());
        last.and_then(|axis| self.nest.loops[*axis].extent).is_some_and(|it| it % together == 0)
    }
}

/// How a tile dimension is split: groups (strided), threads, and consecutive elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileSplit {
    pub groups: i64,
    pub threads: i64,
    pub together: i64,
}

impl TileSplit {
    fn of(threads: i64, elements: i64) -> TileSplit {
        let together = elements.min(4);
        TileSplit { groups: elements / together, threads, together }
    }

    /// The elements of a thread.
    pub fn of_thread(&self) -> i64 {
        self.groups * self.together
    }

    /// The elements of the dimension.
    pub fn size(&self) -> i64 {
        self.groups * self.threads * self.together
    }
}

/// The tile of a thread block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub row: TileSplit,
    pub column: TileSplit,
    /// The reduction steps whose operands are in shared memory at once.
    pub depth: i64,
    /// The parts of the reduction that different thread blocks compute.
    pub parts: i64,
}

/// Candidate tiles: threads and results per thread, for rows and for columns.
const TILES: [[[i64; 2]; 2]; 8] = [
    [[16, 8], [16, 8]],
    [[16, 4], [16, 8]],
    [[16, 8], [16, 4]],
    [[16, 4], [16, 4]],
    [[16, 2], [16, 4]],
    [[16, 2], [16, 2]],
    [[8, 2], [16, 2]],
    [[8, 2], [32, 4]],
];

/// The most parts of the reduction.
const PARTS: i64 = 32;

/// The most bytes of results that a thread keeps in registers: for known sizes, and for unknown ones, which take
/// registers.
const RESULTS: [i64; 2] = [256, 64];

/// The assumed size of an unknown extent.
const USUAL: i64 = 1024;

/// The fewest steps of a part of the reduction.
const DEPTH: i64 = 16;

/// The fewest cycles of [`DEPTH`] steps in a thread block, which waits for operands from global and from shared memory:
/// about the same on all GPUs.
const LATENCY: i64 = 1000;

/// Cycles from the end of a kernel until the next one computes.
const LAUNCH: i64 = 4000;

/// Multiply-adds of f32 and bytes of global memory a cycle, of a multiprocessor.
const RATES: [i64; 2] = [128, 16];

/// Registers of a multiprocessor, and those that a thread needs beside its results.
const REGISTERS: [i64; 2] = [65536, 48];

/// The sizes that the cost of a tile depends on.
struct ProductSizes {
    rows: i64,
    columns: i64,
    depth: i64,
    batches: i64,
    element_bytes: i64,
    multiprocessors: i64,
}

impl ProductSizes {
    /// The cycles that the product takes, estimated from multiplications, loads and waits.
    fn cycles(&self, tile: &Tile) -> i64 {
        let tiles = [count(self.rows, tile.row.size()), count(self.columns, tile.column.size())];
        let blocks = times([tiles[0], tiles[1], self.batches, tile.parts]);
        // An empty product has no blocks.
        let blocks = count(blocks, self.multiprocessors).max(1);
        let threads = tile.row.threads * tile.column.threads;
        let [high, wide] = [tile.row, tile.column].map(|part| part.of_thread());
        let resident = (REGISTERS[0] / (threads * (high * wide + REGISTERS[1]))).clamp(1, blocks);
        // A step computes the product of each pair and loads each element.
        let work = threads * tile.depth * (high * wide + high + wide) / RATES[0];
        let round = |blocks: i64| (blocks * work).max(LATENCY * tile.depth / DEPTH);
        let [rounds, rest] = [blocks / resident, blocks % resident];
        let last = if rest > 0 { round(rest) } else { 0 };
        let step = times([rounds, round(resident)]).saturating_add(last);
        let steps = count(self.depth, tile.depth * tile.parts);
        times([steps, step]).saturating_add(self.cycles_of_sum(tile.parts))
    }

    /// The cycles that a second kernel takes to write, read and add partial results.
    fn cycles_of_sum(&self, parts: i64) -> i64 {
        if parts == 1 {
            return 0;
        }
        let bytes = times([2 * parts, self.rows, self.columns, self.batches, self.element_bytes]);
        LAUNCH + bytes / (self.multiprocessors * RATES[1])
    }
}

/// The names of the dimensions of a tile, before those of their numbers.
const DIMENSIONS: [&str; 2] = [what::ROWS, what::COLUMNS];

/// The possible threads and results of a thread along a dimension of a tile.
const THREADS: [i64; 3] = [8, 16, 32];
const ELEMENTS: [i64; 4] = [1, 2, 4, 8];

/// The possible steps whose operands are in shared memory at once.
const DEPTHS: [i64; 5] = [4, 8, 16, 32, 64];

/// The name of the threads, or of the results of a thread, along a dimension.
fn along(dimension: &str, what: &str) -> String {
    format!("{dimension}.{what}")
}

impl ProductTiling<'_> {
    /// The threads of a tile and the results of each, along rows and columns; the depth of a tile; and into how many parts the
    /// reduction is cut. Whether there are loops for some of them depends on their values.
    pub fn space(&self, best: &Tile, gpu: &Gpu) -> Space {
        let block = &self.nest.block;
        let mut space = Space::default();
        let parts = [best.row, best.column];
        let [[y, high], [x, wide]] = [0, 1].map(|i| {
            let of = |what| along(DIMENSIONS[i], what);
            let threads = space.structure(block, &of(what::THREADS), THREADS, parts[i].threads);
            let elements = parts[i].of_thread();
            [threads, space.structure(block, &of(what::WIDTH), ELEMENTS, elements)]
        });
        let all = self.size(&self.depth).map(|all| (all as u64).next_power_of_two() as i64);
        let depths = DEPTHS.into_iter().filter(|depth| all.is_none_or(|all| *depth <= all));
        let depth = space.structure(block, what::DEPTH, depths, best.depth);
        let all = self.size(&self.depth).filter(|_| self.may_split());
        let steps = all.map_or(1, |all| count(all, best.depth));
        let counts = (1..=PARTS).filter(|parts| steps % parts == 0);
        space.structure(block, what::PARTS, counts, best.parts);

        let times = |terms: &[&Term]| Term::Product(terms.iter().map(|it| (*it).clone()).collect());
        let threads = times(&[&y, &x]);
        space.at_most("threads of a thread block", threads.clone(), gpu.limits.threads);
        let missing = Term::Difference(Box::new(gpu.lanes.into()), Box::new(threads.clone()));
        space.at_most("lanes that a warp does not use", missing, 0);
        let results = times(&[&high, &wide, &self.nest.element_bytes().into()]);
        space.at_most("bytes of results of a thread", results.clone(), self.most_results());
        let [registers, others] = REGISTERS;
        let of_thread = Term::Sum(vec![times(&[&high, &wide]), others.into()]);
        space.at_most("registers of a multiprocessor", times(&[&threads, &of_thread]), registers);
        let bytes = self.operands.map(|operand| Term::from(operand.element_bytes));
        let tile = Term::Sum(vec![times(&[&y, &high, &bytes[0]]), times(&[&x, &wide, &bytes[1]])]);
        space.at_most_or_default("bytes of shared memory", times(&[&depth, &tile]), MOST_SHARED);
        space
    }

    /// True if thread blocks may share a reduction: sizes are known, and a sum may be computed from partial sums.
    fn may_split(&self) -> bool {
        self.is_known() && self.nest.may_reorder
    }

    /// The most bytes of results that a thread keeps in registers.
    fn most_results(&self) -> i64 {
        RESULTS[usize::from(!self.is_known())]
    }
}

impl Tile {
    /// The tile that was chosen from the space.
    pub fn chosen(shape: &ProductTiling, numbers: &ChosenNumbers) -> Tile {
        let block = &shape.nest.block;
        let number = |what: &str| numbers.of(block, what).expect("a number of the space").value;
        let [row, column] = DIMENSIONS.map(|dimension| {
            let of = |what| number(&along(dimension, what));
            TileSplit::of(of(what::THREADS), of(what::WIDTH))
        });
        Tile { row, column, depth: number(what::DEPTH), parts: number(what::PARTS) }
    }

    /// The candidate with the lowest estimated cost.
    pub fn of(shape: &ProductTiling, gpu: &Gpu) -> Tile {
        let size = |axes: &[usize]| shape.size(axes).unwrap_or(USUAL).max(1);
        let sizes = ProductSizes {
            rows: size(&shape.own[0]),
            columns: size(&shape.own[1]),
            depth: size(&shape.depth),
            batches: shape.size(&shape.batches).unwrap_or(1),
            element_bytes: shape.nest.element_bytes(),
            multiprocessors: gpu.multiprocessors,
        };
        let results = shape.most_results();
        let is_small =
            |[[_, high], [_, wide]]: &&[[i64; 2]; 2]| high * wide * sizes.element_bytes <= results;
        let most = if shape.may_split() { PARTS } else { 1 };
        let tiles = TILES.iter().filter(is_small).flat_map(|tile| {
            let tile = Tile::whole(shape, gpu, tile);
            let steps = count(sizes.depth, tile.depth);
            let parts = (1..=most).filter(move |parts| steps % parts == 0);
            parts.map(move |parts| Tile { parts, ..tile })
        });
        tiles.min_by_key(|tile| sizes.cycles(tile)).expect("there are small tiles")
    }

    /// A candidate, in which one thread block computes all of a reduction.
    fn whole(shape: &ProductTiling, gpu: &Gpu, [row, column]: &[[i64; 2]; 2]) -> Tile {
        let [row, column] =
            [row, column].map(|[threads, elements]| TileSplit::of(*threads, *elements));
        // Each thread copies at least one vector of each operand.
        let least = row.size().min(column.size());
        let lanes = (0..2).map(|i| shape.groups(i, gpu).1).max().unwrap_or(1);
        let depth = (lanes * row.threads * column.threads / least).max(DEPTH);
        let all =
            shape.size(&shape.depth).map_or(depth, |all| (all as u64).next_power_of_two() as i64);
        Tile { row, column, depth: depth.min(all).max(4), parts: 1 }
    }
}

/// The number of parts that cover a whole (rounded up).
fn count(whole: i64, part: i64) -> i64 {
    whole.saturating_add(part - 1) / part
}

/// The product of the factors, or the largest number if it is larger.
fn times<const N: usize>(factors: [i64; N]) -> i64 {
    factors.into_iter().fold(1, i64::saturating_mul)
}

/// A map over the dimensions of a buffer, or over the iters of a schedule block, that fuses each group to one
/// dimension.
pub fn joining(rank: usize, groups: &[Vec<usize>]) -> String {
    let list =
        |letter: char| (0..rank).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(", ");
    let joined = |group: &Vec<usize>| {
        let (first, rest) = group.split_first().expect("a group has members");
        rest.iter().fold(format!("d{first}"), |high, i| format!("({high}) * s{i} + d{i}"))
    };
    let results: Vec<String> = groups.iter().map(joined).collect();
    format!("({})[{}] -> ({})", list('d'), list('s'), results.join(", "))
}
