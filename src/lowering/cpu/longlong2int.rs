//! `longlong2int`: compute the indices of a kernel with 32 bits if all of them provably fit.
//!
//! ```text
//! %b = gpu.block_id x                    %b = arith.index_cast (gpu.block_id x) : index to i32
//! %0 = arith.muli %b, %c256 : index      %0 = arith.muli %b, %c256 : i32
//! scf.for %k = %c0 to %n step %c1 {  ->  scf.for %k = %c0 to %n step %c1 : i32 {
//!   %1 = arith.addi %0, %k : index         %1 = arith.addi %0, %k : i32
//!   memref.load %A[%1]                     %i = arith.index_cast %1 : i32 to index   memref.load %A[%i]
//! ```
//! An interval analysis computes the range of each index of a kernel from constants, thread and block numbers,
//! loop bounds and the arithmetic on them. The kernel is narrowed if all indices, all loop bounds and the byte
//! offsets of all buffers fit. Kernels and launches keep their arguments.
//!
//! If sizes are unknown, the analysis assumes that they are at most `N`. It uses the first of 2^31 - 1, 2^30, 2^28,
//! 2^24, 2^20 and 2^15 for which all indices and offsets fit. The kernel then gets two versions, and the function
//! selects one at run time.
//!
//! ```text
//! gpu.launch_func @kernels::@f    ->    scf.if (%n <= N and the bytes of each buffer <= 2^31 - 1) {
//!                                         gpu.launch_func @kernels::@f_i32
//!                                       } else { gpu.launch_func @kernels::@f }
//! ```
//!
//! Requires
//! - (C1) the kernel has one launch, as `convert-loop-to-gpu` makes it
//! - (C2) the intervals of all indices fit in 32 bits. So no index is computed from 64-bit data or carried by a loop
//! - (C3) loop variables are at most 2^31 - 1, including the value after the last step
//! - (C4) buffers have at most 2^31 - 1 bytes: accesses are in bounds, so their offsets are no larger
//!
//! A kernel that is not proved to fit is unchanged, with a remark that gives the reason.

mod interval;
mod narrow;

use crate::ffi::pass::PassRun;
use crate::ir::predicate;
use crate::ir::{Attribute, Block, Builder, Op, Region, Value, fresh_name, remark, walk};
use crate::lowering::cuda::bare_kernel_arguments::launches;
use crate::lowering::{element_bytes, symbol};
use interval::{Intervals, UnknownValue};
use std::collections::HashMap;

/// The indices of the statistics in the pass's row.
const NARROWED: usize = 0;
const GUARDED: usize = 1;
const LEFT: usize = 2;

/// The largest signed 32-bit number.
pub(crate) const MOST: i128 = i32::MAX as i128;

/// The upper bounds that are tried for unknown sizes: 2^31 - 1 and smaller powers of two.
const BOUNDS: [i128; 6] = [MOST, 1 << 30, 1 << 28, 1 << 24, 1 << 20, 1 << 15];

/// Narrows the kernels of a module.
pub fn run<'c>(module: Op<'c>, run: &PassRun) {
    let launches = launches(module);
    let mut times: HashMap<Op, usize> = HashMap::new();
    for (_, kernel) in &launches {
        *times.entry(*kernel).or_default() += 1;
    }
    for (launch, kernel) in launches {
        // (C1)
        if times[&kernel] > 1 {
            remark(
                kernel.location(),
                "indices keep 64 bits: the kernel is launched more than once (C1)",
            );
            run.count(LEFT, 1);
            continue;
        }
        match verdict(kernel, launch) {
            Ok((_, guards)) if guards.is_empty() => {
                narrow::narrow(kernel);
                run.count(NARROWED, 1);
            }
            Ok((bound, guards)) => {
                two_versions(kernel, launch, bound, &guards);
                run.count(GUARDED, 1);
            }
            Err(why) => {
                remark(kernel.location(), &format!("indices keep 64 bits: {why}"));
                run.count(LEFT, 1);
            }
        }
    }
}

/// The bound on unknown sizes under which a kernel can be narrowed, and the values that must be checked against
/// it; otherwise the reason.
fn verdict<'c>(kernel: Op<'c>, launch: Op<'c>) -> Result<(i128, Vec<UnknownValue<'c>>), String> {
    let mut why = String::new();
    for bound in BOUNDS {
        let mut intervals = Intervals::new(kernel, launch, bound);
        match intervals.check() {
            Ok(()) => return Ok((bound, intervals.into_leaves())),
            Err(reason) => {
                let is_last = !intervals.has_leaves();
                why = reason;
                if is_last {
                    break;
                }
            }
        }
    }
    Err(why)
}

/// Launches a copy of the kernel with 32-bit indices if the sizes permit it, else the kernel itself.
fn two_versions<'c>(kernel: Op<'c>, launch: Op<'c>, bound: i128, guards: &[UnknownValue<'c>]) {
    let context = kernel.context();
    let copy = kernel.clone_mapped(&[]);
    let module = kernel.parent().expect("a kernel is in a module");
    let taken = |name: &str| walk(module).iter().any(|op| op.is("gpu.func") && symbol(*op) == name);
    let name = fresh_name(&format!("{}_i32", symbol(kernel)), &taken);
    copy.set_attribute("sym_name", Attribute::string(context, &name));
    kernel.block().expect("a kernel is in a block").insert_before(kernel, copy);
    narrow::narrow(copy);

    let at = Builder::before(launch, launch.location());
    let condition = guards.iter().fold(None, |all: Option<Value>, guard| {
        let holds = condition(at, guard, bound);
        Some(match all {
            None => holds,
            Some(all) => at.op("arith.andi", &[all, holds], holds.ty()),
        })
    });
    let condition = condition.expect("there are guards");
    let branch = || {
        let block = Block::new(&[]);
        let end = at.spec("scf.yield").create().expect("the scf dialect is loaded");
        block.append(end);
        (block, end)
    };
    let ((small, small_end), (large, large_end)) = (branch(), branch());
    let spec = at.spec("scf.if").operands(&[condition]);
    at.insert(spec.region(Region::of(small)).region(Region::of(large)));
    let other = launch.clone_mapped(&[]);
    let outer = Attribute::nested_symbol(context, symbol(module), &name);
    other.set_attribute("kernel", outer);
    small.insert_before(small_end, other);
    launch.move_before(large_end);
}

/// True if a size, or the bytes of a buffer, are within the bound that the proof assumes.
fn condition<'c>(at: Builder<'c>, guard: &UnknownValue<'c>, bound: i128) -> Value<'c> {
    let (value, bound) = match guard {
        UnknownValue::Size(value) => (*value, bound),
        UnknownValue::Dimension(buffer, i) => (at.dim(*buffer, *i), bound),
        UnknownValue::Bytes(buffer) => {
            let (dims, element) = buffer.ty().in_any_space().expect("a row-major memref");
            let known = dims.iter().flatten().product::<i64>() * element_bytes(element);
            let dynamic = (0..dims.len()).filter(|i| dims[*i].is_none());
            let product = dynamic.fold(at.index(known), |product, i| {
                at.op("arith.muli", &[product, at.dim(*buffer, i)], product.ty())
            });
            (product, MOST)
        }
    };
    // Unsigned, because the proof excludes negative numbers.
    at.compare(predicate::ULE, value, at.index(i64::try_from(bound).expect("less than 2^31")))
}
