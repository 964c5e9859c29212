//! Products with few results and long sums: thread blocks share each sum.
//!
//! ```text
//! C[i, j] += A[i, k] * B[k, j]
//!   ->
//! P[s, i, j] += A[i, s * n + k] * B[s * n + k, j]      a product with one more batch loop
//! C[i, j] += P[s, i, j]                                a second kernel, with what follows the product
//! ```

use super::Tile;
use super::stage::Staged;
use crate::machine::cuda::Gpu;
use crate::schedule::{Schedule, ScheduleError};
use crate::strategy::cuda::columns::{first, stored};
use crate::strategy::cuda::windows::per_result;
use crate::strategy::nest::{at, order};

/// Splits the sums of a product into partial results. Schedules the second kernel; returns the product of the first.
pub fn split(
    schedule: &mut Schedule,
    staged: Staged,
    tile: &Tile,
    gpu: &Gpu,
) -> Result<Staged, ScheduleError> {
    let Staged { block, batches, loops: [row, column, depth], .. } = &staged;
    let spatial = batches.iter().chain([row, column]).cloned();
    order(schedule, block, spatial.chain([depth.clone()]))?;
    schedule.split(&at(block, depth), &[tile.parts, -1], None)?;
    let [part, step] = [0, 1].map(|i| format!("{depth}.{i}"));
    let partial = schedule.rfactor(&at(block, &part), None)?;
    let batch = first(schedule, &partial)?;

    staged.starts.iter().try_for_each(|copy| schedule.compute_inline(copy))?;
    let lanes = if staged.is_whole && staged.is_matrix { tile.column.together } else { 1 };
    per_result(schedule, [block, &staged.result], (&[part], lanes), &gpu.threads.into())?;

    let buffer = stored(schedule, &partial)?;
    let product = schedule.cache_write(&partial, &buffer, "global", None)?;
    Ok(Staged {
        block: product.clone(),
        batches: std::iter::once(batch).chain(batches.iter().cloned()).collect(),
        loops: [row.clone(), column.clone(), step],
        starts: vec![],
        accumulator: product,
        result: partial,
        is_whole: true,
        ..staged
    })
}
