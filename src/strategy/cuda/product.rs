//! Matrix products and convolutions (sums of products): each thread block computes a tile of the result in registers.
//!
//! ```text
//! for blockIdx.x { C'[..] = 0
//!   for k.0 {
//!     for threads { A'[k, row] = A[row, k] }    for threads { B'[k, column] = B[k, column] }    in shared memory
//!     for threads { unroll k.1 { for row { for column { C'[row, column] += A'[k, row] * B'[k, column] } } } }
//!   }
//!   for threads { for row { for column { C[row, column] = C'[row, column] } } }
//! ```
//! The *rows* are the spatial loops that only A depends on. The *columns* are those that only B depends on, among them
//! the loop along which results are contiguous. The other spatial loops are batch loops. If there is one loop each for
//! rows, columns and reduction, the nest is a matrix product. Any other product, such as a convolution, is transformed
//! into a matrix product: the operands are gathered when they are copied to shared memory, so the gathered matrix is
//! never in global memory. Partial tiles are padded in shared memory. Initial values of sums, such as a bias, are read
//! at the start of each sum. The factors may have a narrower type than the sums.
//!
//! If sizes are known and there is room for two tiles of each operand in shared memory, the next tiles are copied while
//! the current ones are multiplied. If whole vectors of 16 bytes of an operand are copied unchanged and in their order,
//! the copy does not go through registers (`cp.async`).

mod shape;
mod split;
mod stage;

use super::{bind_blocks, extent, fitting};
use crate::machine::cuda::{Gpu, STATIC_SHARED};
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{at, order, product};
use crate::strategy::space::ChosenNumbers;
use crate::strategy::{StrategyRow, all_sizes};
use shape::{ProductTiling, Tile};
use split::split;
use stage::{Staged, StagedOperand, stage};

pub const ROW: StrategyRow<Gpu> = StrategyRow {
    name: "nvptx.product",
    summary: "Keeps tiles of operands in shared memory and tiles of results in registers; treats \
              convolutions as matrix products",
    priority: 40,
    applies: |group, _| ProductTiling::of(group).map(drop),
    sizes: all_sizes,
    space: |group, gpu| {
        let shape = ProductTiling::of(group).expect("it applies");
        shape.space(&Tile::of(&shape, gpu), gpu)
    },
    schedule,
};

/// The bytes that all banks of shared memory deliver at once.
const LINE: i64 = 128;

/// The most bytes of shared memory for tiles of operands, which may be padded.
const MOST_SHARED: i64 = STATIC_SHARED * 7 / 8;

/// The elements of the widest access to f32.
const LANES: i64 = 4;

/// The axes of the threads for rows and for columns.
const AXES: [&str; 2] = ["threadIdx.y", "threadIdx.x"];

fn schedule(
    schedule: &mut Schedule,
    group: &NestGroup,
    gpu: &Gpu,
    numbers: &ChosenNumbers,
) -> Result<(), ScheduleError> {
    let shape = ProductTiling::of(group).expect("it applies");
    let tile = Tile::chosen(&shape, numbers);
    let mut staged = stage(schedule, group, &shape, (&tile, gpu))?;
    if tile.parts > 1 {
        staged = split(schedule, staged, &tile, gpu)?;
    }
    let (block, result) = (&staged.block, &staged.result);
    let [row, column, depth] = &staged.loops;
    for (name, size) in [(row, tile.row.size()), (column, tile.column.size()), (depth, tile.depth)]
    {
        schedule.split(&at(block, name), &[-1, size], None)?;
    }
    let outer = [format!("{row}.0"), format!("{column}.0")];
    let grid: Vec<String> = staged.batches.iter().cloned().chain(outer).collect();
    let inner = [(depth, 0), (depth, 1), (row, 1), (column, 1)];
    let inner = inner.map(|(name, i)| format!("{name}.{i}"));
    order(schedule, block, grid.iter().cloned().chain(inner))?;

    let (part, step) = (at(block, &format!("{depth}.0")), at(block, &format!("{depth}.1")));
    schedule.reverse_compute_at(result, &at(block, &grid[grid.len() - 1]))?;
    let rows = rows_of_thread(schedule, &staged, &part, tile.row.together)?;
    for operand in &staged.operands {
        schedule.compute_at(&operand.block, &part)?;
        if let Some(layout) = &operand.layout {
            schedule.transform_layout(&operand.block, layout)?;
        }
        schedule.set_scope(&operand.block, "shared")?;
    }
    let loops =
        [(row, 1), (column, 1), (depth, 1)].map(|(name, i)| at(block, &format!("{name}.{i}")));
    let mine = in_registers(schedule, [&loops[0], &loops[1]], Some(&loops[2]), &tile)?;
    if let Some(rows) = &rows {
        schedule.compute_at(rows, &at(block, &format!("{row}.1.0")))?;
        schedule.set_scope(rows, "local")?;
    }
    schedule.set_scope(&staged.accumulator, "shared")?;
    bind_blocks(schedule, block, &grid, gpu)?;
    let start = schedule.decompose_reduction(block, &part)?.pop().expect("start values are given");
    staged.starts.iter().try_for_each(|copy| schedule.compute_inline(copy))?;
    let together = format!("{column}.1.2");
    side_by_side(schedule, &at(block, &together), true)?;
    // Conditional loads cannot be vectorised.
    side_by_side(schedule, &at(&start, &together), staged.starts.is_empty())?;

    // Loops of threads, and the places of barriers; lowering removes redundant barriers.
    let mut threads = vec![mine.clone()];
    let mut waits = vec![part.clone(), mine[0].clone()];
    threads.push([row, column].map(|name| at(&start, &format!("{name}.1.1"))));
    for (place, operand) in staged.operands.iter().enumerate() {
        let together = [tile.row, tile.column][place].together;
        // As many lanes as there are banks.
        let at_once = gpu.lanes.min(LINE / shape.operands[place].element_bytes);
        let name = share(schedule, operand, &tile, at_once / together)?;
        let part = |i: usize| at(&operand.block, &format!("{name}.{i}"));
        threads.push([part(1), part(2)]);
        waits.extend((place == 0).then(|| part(0)));
    }
    let [high, wide] = renamed(schedule, result)?;
    let mine = in_registers(schedule, [&high, &wide], None, &tile)?;
    side_by_side(schedule, &format!("{wide}.2"), staged.is_whole)?;
    waits.push(mine[0].clone());
    threads.push(mine);
    if let Some(along) = rows.map(|rows| schedule.loops(&rows)).transpose()?
        && let Some(along) = along.last().filter(|_| tile.row.together > 1)
    {
        schedule.vectorize(along, None)?;
    }
    for place in waits {
        schedule.sync_threads(&place, None)?;
    }
    for (name, axis) in threads.iter().flat_map(|loops| loops.iter().zip(AXES)) {
        schedule.bind(name, axis)?;
    }
    schedule.set_scope(&staged.accumulator, "local")?;
    // For unknown sizes, the guards of all results take the registers.
    if !shape.is_known() {
        return Ok(());
    }
    unroll_steps(schedule, &step, &tile)?;
    match has_room_for_two(&shape, &tile) {
        true => copy_ahead(schedule, &staged, &part),
        false => Ok(()),
    }
}

/// Copies the rows of a step, at first all of a thread block. LLVM merges the loads of a whole vector of rows, but not
/// those of fewer, whose addresses are swizzled.
fn rows_of_thread(
    schedule: &mut Schedule,
    staged: &Staged,
    part: &str,
    together: i64,
) -> Result<Option<String>, ScheduleError> {
    if together >= LANES {
        return Ok(None);
    }
    let (block, operand) = (&staged.block, &staged.operands[0]);
    let rows = schedule.cache_read(block, &operand.block, "global", &[block], None)?;
    schedule.compute_at(&rows, part)?;
    if let Some(layout) = &operand.layout {
        schedule.transform_layout(&rows, layout)?;
    }
    Ok(Some(rows))
}

/// The most multiplications of a thread that are unrolled.
const UNROLLED: i64 = 1024;

/// Unrolls the steps of a part of the reduction, so that operands of the next steps are loaded during this one.
fn unroll_steps(schedule: &mut Schedule, step: &str, tile: &Tile) -> Result<(), ScheduleError> {
    let most = UNROLLED / (tile.row.of_thread() * tile.column.of_thread());
    if most >= tile.depth {
        return schedule.unroll(step, None).map(drop);
    }
    schedule.split(step, &[-1, most], None)?;
    schedule.unroll(&format!("{step}.1"), None).map(drop)
}

/// True if shared memory has room for two tiles of each operand.
fn has_room_for_two(shape: &ProductTiling, tile: &Tile) -> bool {
    let sizes = [tile.row, tile.column].map(|part| part.size());
    let bytes =
        shape.operands.iter().zip(sizes).map(|(operand, size)| size * operand.element_bytes);
    2 * tile.depth * bytes.sum::<i64>() <= MOST_SHARED
}

/// Copies the next tiles of the operands while these are multiplied.
fn copy_ahead(schedule: &mut Schedule, staged: &Staged, part: &str) -> Result<(), ScheduleError> {
    if extent(schedule, part)?.is_none_or(|parts| parts < 2) {
        return Ok(());
    }
    for operand in staged.operands.iter().filter(|operand| operand.is_plain) {
        schedule.annotate(&operand.block, "async_copy", true)?;
    }
    let [one, other] = &staged.operands;
    schedule.double_buffer(&one.block, None, &[&other.block])
}

/// Distributes the copy of an operand's tile over all threads; returns the loop whose parts 1 and 2 are for threads.
///
/// If the copy reads single elements along the reduction, a warp copies `steps` steps of the reduction, each for as
/// many elements as are read at once. Their banks are adjacent.
fn share(
    schedule: &mut Schedule,
    operand: &StagedOperand,
    tile: &Tile,
    steps: i64,
) -> Result<String, ScheduleError> {
    let loops = schedule.loops(&operand.block)?;
    let [.., high, wide] = &loops[..] else { unreachable!("a tile has two dimensions") };
    let elements = product([extent(schedule, high)?, extent(schedule, wide)?].into_iter());
    let lanes = elements.map_or(1, |elements| fitting(operand.lanes, elements));
    let is_along_depth = operand.is_transposed || operand.layout.is_some();
    let mut order = vec![high.clone(), wide.clone()];
    let is_parted = is_along_depth && lanes < 2 && tile.depth > steps;
    if is_parted {
        order = renamed(schedule, &operand.block)?.to_vec();
    }
    if operand.is_transposed {
        order.reverse();
    }
    if is_parted {
        let depth = order.pop().expect("there are two");
        schedule.split(&depth, &[-1, steps], None)?;
        let [outer, inner] = [0, 1].map(|i| format!("{depth}.{i}"));
        order.insert(0, outer);
        order.push(inner);
    }
    let order: Vec<&str> = order.iter().map(String::as_str).collect();
    if operand.is_transposed || is_parted {
        schedule.reorder(&order)?;
    }
    let name = schedule.fuse(&order)?;
    let target = at(&operand.block, &name);
    let accesses = elements.map_or(i64::MAX, |elements| elements / lanes);
    let x = tile.column.threads.min(accesses);
    let y = tile.row.threads.min(accesses / x);
    if lanes < 2 {
        schedule.split(&target, &[-1, y, x], None)?;
    } else {
        schedule.split(&target, &[-1, y, x, lanes], None)?;
        schedule.vectorize(&format!("{target}.3"), None)?;
    }
    Ok(name)
}

/// Distributes the row and column loops of a tile over threads; each thread keeps its part in registers. The other
/// loops of the nest are moved between. Returns the loops of threads.
fn in_registers(
    schedule: &mut Schedule,
    [row, column]: [&str; 2],
    step: Option<&str>,
    tile: &Tile,
) -> Result<[String; 2], ScheduleError> {
    for (name, part) in [(row, tile.row), (column, tile.column)] {
        schedule.split(name, &[part.groups, part.threads, part.together], None)?;
    }
    let parts = [0, 1, 2].map(|i| [row, column].map(|name| format!("{name}.{i}")));
    let [[high, wide], [y, x], [rows, columns]] = &parts;
    let inner = [high, rows, wide, columns].map(String::as_str);
    let order: Vec<&str> = [&y[..], x].into_iter().chain(step).chain(inner).collect();
    schedule.reorder(&order)?;
    for name in [high, rows, wide] {
        schedule.unroll(name, None)?;
    }
    Ok([y.clone(), x.clone()])
}

/// Vectorises the consecutive columns of a thread if all of them exist in every tile; otherwise unrolls them.
fn side_by_side(
    schedule: &mut Schedule,
    columns: &str,
    is_whole: bool,
) -> Result<(), ScheduleError> {
    match is_whole {
        true => schedule.vectorize(columns, None).map(drop),
        false => schedule.unroll(columns, None).map(drop),
    }
}

/// The last two loops of a block, renamed so that their names differ from those of the loops they were split from.
fn renamed(schedule: &mut Schedule, block: &str) -> Result<[String; 2], ScheduleError> {
    let loops = schedule.loops(block)?;
    let [.., row, column] = &loops[..] else { unreachable!("a tile has two dimensions") };
    let mut names = [row.clone(), column.clone()];
    for name in &mut names {
        let unit = schedule.add_unit_loop(name)?;
        *name = at(block, &schedule.fuse(&[&at(block, &unit), name])?);
    }
    Ok(names)
}
