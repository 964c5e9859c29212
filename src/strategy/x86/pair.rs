//! Two products, of which the second reads rows that are computed from the first, as in attention: blocks of rows stay in the
//! caches from the first product to the second.
//!
//! ```text
//! for heads { for rows.0 {
//!   for columns.0 { for rows.1 { for k { unroll rows.2 { vectorize columns.1 { scores[row, column] += q * k } } } } }
//!   for rows.1 { softmax of the row }
//!   for rows.1 { for k { unroll rows.2 { vectorize columns { out[row, column] += weights * v } } } }
//! } }
//! ```
//! Each part is scheduled as if it were alone, with the loop over rows cut into blocks, and the loops over blocks are merged.

use super::order;
use super::product::{PANEL_BYTES, ProductLoops, follow};
use super::rows;
use super::share::{share, tasks};
use crate::analysis::finite_domain::Term;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::Strategy;
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{at, product};
use crate::strategy::sharing::Sharing;
use crate::strategy::space::{Space, bytes, what};

/// The strategy for groups of two products.
pub struct ProductPair;

/// The fewest rows of a block: each block reads the other factors again.
const LEAST_BLOCK: i64 = 16;

impl Strategy<Processor> for ProductPair {
    fn name(&self) -> &str {
        "x86.product.pair"
    }

    fn summary(&self) -> &str {
        "Computes a block of rows of a product, ops on these rows, and their product with another factor"
    }

    fn priority(&self) -> u32 {
        51
    }

    fn takes_two_products(&self) -> bool {
        true
    }

    fn applies(&self, group: &NestGroup, processor: &Processor) -> Result<(), String> {
        let parts = Parts::of(group)?;
        Blocks::of(&parts, processor).map(drop)
    }

    fn space(&self, group: &NestGroup, processor: &Processor) -> Space {
        let parts = Parts::of(group).expect("it applies");
        let blocks = Blocks::of(&parts, processor).expect("it applies");
        let mut space = rows::space(&parts.middle, processor);
        let shape = &blocks.first;
        let rows =
            space.structure(&shape.nest.block, what::ROWS, blocks.sizes.clone(), blocks.best);
        let columns = shape.column_count().into();
        let block = bytes(&shape.nest.stores[0], &[(shape.rows(), rows), (shape.columns, columns)]);
        let both = Term::Product(vec![VALUES.into(), block]);
        space.at_most("bytes of a block of rows", both, most_bytes(processor));
        space
    }

    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        processor: &Processor,
        space: &Space,
    ) -> Result<(), ScheduleError> {
        let parts = Parts::of(group).expect("it applies");
        let blocks = Blocks::of(&parts, processor).expect("it applies");
        let numbers = space.decide(schedule)?;
        let rows =
            numbers.of(&blocks.first.nest.block, what::ROWS).expect("a block has rows").value;
        let tiles = blocks.tiles(rows, processor).map(|(tile, _)| tile);
        let of_first = tiled(schedule, &blocks.first, tiles[0], rows)?;
        follow(schedule, &parts.first, (&of_first.1, of_first.2), true, processor)?;
        rows::in_rows(schedule, &parts.middle, processor, &numbers)?;
        let last = parts.middle.nests.last().expect("there are ops on rows");
        let row = &parts.middle.nests[0].loops[group.rows - 1].name;
        schedule.split(&at(&last.block, row), &[-1, rows], None)?;
        let of_second = tiled(schedule, &blocks.second, tiles[1], rows)?;
        follow(schedule, &parts.second, (&of_second.1, of_second.2), true, processor)?;
        let of_middle = at(&last.block, &format!("{row}.0"));
        schedule.merge(&[&of_first.0, &of_middle, &of_second.0])?;
        // After the merge, all loops are those of the first nest.
        let nest = blocks.first.nest;
        let axis = blocks.first.rows();
        let mut outer = nest.spatial_but(&[axis, blocks.first.columns]);
        let count = blocks.first.row_count() / rows;
        outer.push((format!("{}.0", nest.loops[axis].name), Some(count)));
        let lanes = blocks.first.lanes;
        let cycles = group.nests.iter().map(|nest| nest.all_cycles(lanes)).sum();
        share(schedule, (group, &nest.block), &outer, cycles, processor)
    }
}

/// The parts of a group of two products, without threads of their own.
struct Parts {
    first: NestGroup,
    /// The ops on rows.
    middle: NestGroup,
    second: NestGroup,
}

impl Parts {
    fn of(group: &NestGroup) -> Result<Parts, String> {
        let [first, middle @ .., second] = &group.parts[..] else {
            return Err("the group does not have two products".into());
        };
        let nests = middle.iter().flat_map(|part| &part.nests).cloned().collect();
        let alone = |part: &NestGroup| NestGroup { sharing: Sharing::Never, ..part.clone() };
        let (rows, parts) = (group.rows, vec![]);
        let middle = NestGroup { nests, rows, sharing: Sharing::Never, parts };
        Ok(Parts { first: alone(first), middle, second: alone(second) })
    }
}

/// How two products are cut into blocks of rows.
struct Blocks<'p> {
    first: ProductLoops<'p>,
    second: ProductLoops<'p>,
    /// The possible numbers of rows of a block: they divide all rows.
    sizes: Vec<i64>,
    /// The best of them.
    best: i64,
}

/// The values that are kept of each result of the first product: the one that is read and the one that is computed from it.
const VALUES: i64 = 2;

/// The most bytes of a block of rows. The other half of the cache is for the factors.
fn most_bytes(processor: &Processor) -> i64 {
    PANEL_BYTES.min(i64::try_from(processor.caches.l2).unwrap_or(i64::MAX) / 2)
}

impl<'p> Blocks<'p> {
    fn of(parts: &'p Parts, processor: &Processor) -> Result<Blocks<'p>, String> {
        let middle = &parts.middle;
        (rows::ROW.applies)(middle, processor)?;
        let [first, second] = [
            ProductLoops::of(&parts.first, processor)?,
            ProductLoops::of(&parts.second, processor)?,
        ];
        for shape in [&first, &second] {
            if shape.nest.loops.iter().any(|axis| axis.extent.is_none()) {
                let message = "some of the loops over rows, columns and sums have unknown sizes";
                return Err(message.into());
            }
            if shape.nest.widenings > 0 {
                let block = &shape.nest.block;
                return Err(format!(
                    "{block} has narrow factors, for which other strategies are faster"
                ));
            }
            if shape.rows() != middle.rows - 1 {
                return Err(format!("the rows of {} are not its tiles", shape.nest.block));
            }
        }
        let row_bytes = VALUES * first.column_count() * first.nest.element_bytes();
        let most = most_bytes(processor) / row_bytes.max(1);
        let around = product(first.nest.loops[..middle.rows - 1].iter().map(|axis| axis.extent));
        let all = around.unwrap_or(1) * first.row_count();
        let tasks_of = |rows: i64| all / rows;
        let divides = |rows: &i64| first.row_count() % rows == 0;
        let sizes = (LEAST_BLOCK..=most.min(first.row_count())).filter(divides).collect();
        let mut blocks = Blocks { first, second, sizes, best: 1 };
        let best = blocks.sizes.iter().copied().min_by_key(|rows| {
            let cycles: i64 = blocks.tiles(*rows, processor).iter().map(|(_, it)| it).sum();
            (cycles, tasks_of(*rows) < tasks(processor), -rows)
        });
        blocks.best = best.ok_or_else(|| {
            let all = blocks.first.row_count();
            format!("no block of {LEAST_BLOCK} to {most} rows divides {all} rows")
        })?;
        Ok(blocks)
    }

    /// The tiles of the two products for so many rows of a block, which their heights divide, with their estimated costs.
    fn tiles(&self, rows: i64, processor: &Processor) -> [([i64; 2], i64); 2] {
        let registers = i64::from(processor.vectors.registers);
        [&self.first, &self.second]
            .map(|shape| shape.best_tile(4, registers, processor, |height| rows % height == 0))
    }
}

/// Cuts a product into blocks of rows, and these into tiles. Returns the loop over blocks, the innermost loop around a tile, and the
/// number of loops around a tile.
fn tiled(
    schedule: &mut Schedule,
    shape: &ProductLoops,
    [height, wide]: [i64; 2],
    rows: i64,
) -> Result<(String, String, usize), ScheduleError> {
    let nest = shape.nest;
    let name = |axis: usize| nest.loops[axis].name.clone();
    let (row, column) = (name(shape.rows()), name(shape.columns));
    schedule.split(&nest.at(shape.rows()), &[-1, rows / height, height], None)?;
    let is_cut = shape.is_cut(wide);
    if is_cut {
        schedule.split(&nest.at(shape.columns), &[-1, wide], None)?;
    }
    let mut around: Vec<String> =
        nest.spatial_but(&[shape.rows(), shape.columns]).into_iter().map(|it| it.0).collect();
    around.push(format!("{row}.0"));
    if is_cut {
        around.push(format!("{column}.0"));
    }
    around.push(format!("{row}.1"));
    let tile = around.len();
    let sums = nest.reductions().into_iter().map(name);
    let inner = [format!("{row}.2"), if is_cut { format!("{column}.1") } else { column }];
    order(schedule, &nest.block, around.iter().cloned().chain(sums).chain(inner.clone()))?;
    let [high, along] = inner.map(|name| at(&nest.block, &name));
    schedule.vectorize(&along, None)?;
    schedule.unroll(&high, None)?;
    let place = |name: &str| at(&nest.block, name);
    Ok((place(&format!("{row}.0")), place(&around[tile - 1]), tile))
}
