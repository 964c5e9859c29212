//! The row, column and reduction loops of a product, and the choice of its tile sizes.

use crate::machine::cuda::Gpu;
use crate::strategy::cuda::fitting;
use crate::strategy::group::{NestGroup, is_product};
use crate::strategy::nest::{AccessStride, Nest, NestAccess, product};

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

/// The most bytes of results that a thread keeps in registers: for known sizes, and for unknown ones, which take
/// registers.
const RESULTS: [i64; 2] = [256, 64];

/// The assumed size of an unknown extent.
const USUAL: i64 = 1024;

/// The fewest steps of a part of the reduction.
const DEPTH: i64 = 16;

impl Tile {
    /// The candidate with the lowest cost, estimated from multiplications and loads.
    pub fn of(shape: &ProductTiling, gpu: &Gpu) -> Tile {
        let size = |axes: &[usize]| shape.size(axes).unwrap_or(USUAL).max(1);
        let [rows, columns] = [size(&shape.own[0]), size(&shape.own[1])];
        let batches = shape.size(&shape.batches).unwrap_or(1);
        let bytes = shape.nest.element_bytes();
        let results = RESULTS[usize::from(!shape.is_known())];
        let tiles = TILES.iter().filter(|[[_, high], [_, wide]]| high * wide * bytes <= results);
        let cycles = |[[y, high], [x, wide]]: &[[i64; 2]; 2]| {
            let tiles = count(rows, y * high) * count(columns, x * wide) * batches;
            // A step computes the product of each pair and loads each element.
            count(tiles, gpu.multiprocessors) * y * x * (high * wide + high + wide)
        };
        let [row, column] = *tiles.min_by_key(|tile| cycles(tile)).expect("there are small tiles");
        let [row, column] =
            [row, column].map(|[threads, elements]| TileSplit::of(threads, elements));
        // Each thread copies at least one vector of each operand.
        let least = row.size().min(column.size());
        let lanes = (0..2).map(|i| shape.groups(i, gpu).1).max().unwrap_or(1);
        let depth = (lanes * row.threads * column.threads / least).max(DEPTH);
        let all =
            shape.size(&shape.depth).map_or(depth, |all| (all as u64).next_power_of_two() as i64);
        Tile { row, column, depth: depth.min(all).max(4) }
    }
}

/// The number of parts that cover a whole (rounded up).
fn count(whole: i64, part: i64) -> i64 {
    (whole + part - 1) / part
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
