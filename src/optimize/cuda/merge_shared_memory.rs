//! `merge-shared-memory`: merge the shared-memory buffers of a kernel into one, in which buffers that are not live
//! together overlap.
//!
//! ```text
//! gpu.func @k(..) workgroup(%s: memref<256xf32>, %t: memref<64xf64>) {
//!   s[..] = ..   gpu.barrier   .. = s[..]   gpu.barrier   t[..] = ..   gpu.barrier   .. = t[..]
//!   ->
//! gpu.func @k(..) workgroup(%0: memref<1024xi8>) {
//!   %s = memref.view %0[0] : memref<256xf32>    %t = memref.view %0[0] : memref<64xf64>
//! ```
//! A buffer is live from the first statement that uses it to the last. The threads of a block may be at different
//! statements, but they are between the same two barriers. So the pass measures live ranges by barriers. It counts only
//! barriers at the top level of the kernel, or at the top level of the branch that contains all uses. Two buffers may
//! overlap if a barrier separates the last use of one from the first use of the other. The pass works on kernels and
//! runs last, because other passes assume that two memrefs never alias.
//!
//! Requires
//! - (C1) two or more workgroup buffers have a static size, and are used only by loads, stores and calls
//! - (C2) the merge saves memory. It also has a cost: LLVM no longer knows that the buffers do not alias

use super::workgroup_buffers::{ALIGNMENT, WorkgroupBuffers};
use crate::ir::{Attribute, Block, Builder, Error, Op, Type, Value, is_inside, parents};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::optimize::r#loop::storage_plan;
use crate::optimize::r#loop::storage_plan::{LiveBuffer, StorageLayout};
use crate::optimize::r#loop::storage_rewrite::{is_access, static_bytes};

/// The indices of the statistics in the row.
const BUFFERS: usize = 0;
const BYTES: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct MergeSharedMemory;

impl FunctionPass for MergeSharedMemory {
    fn run<'c>(&mut self, kernel: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let buffers = WorkgroupBuffers::of(kernel).filter(|buffers| buffers.values.len() >= 2);
        let Some(buffers) = buffers else { return Ok(()) };
        let alignment = buffers.alignments.iter().fold(ALIGNMENT, |a, b| a.max(*b));
        let Some(statements) = statements(kernel, &buffers.values) else { return Ok(()) };
        let items: Option<Vec<LiveBuffer>> =
            buffers.values.iter().map(|value| item(&statements, *value)).collect();
        let Some(items) = items else { return Ok(()) };
        let Some(before) = storage_plan::without_reuse(&items, alignment) else {
            return Ok(());
        };
        let layout = storage_plan::lay_out(&items, alignment);
        // (C2)
        if layout.bytes < before {
            counts.add(BUFFERS, items.len() as u64);
            counts.add(BYTES, (before - layout.bytes) as u64);
            merge(kernel, &buffers, alignment, &layout);
        }
        Ok(())
    }
}

/// The statements among which all uses are: those of the kernel, or of the branch that contains all uses.
fn statements<'c>(kernel: Op<'c>, buffers: &[Value<'c>]) -> Option<Vec<Op<'c>>> {
    let users: Vec<Op> =
        buffers.iter().flat_map(|value| value.uses()).map(|(user, _)| user).collect();
    let mut ops = kernel.body(0)?.ops();
    loop {
        let holds_all = |op: &&Op<'c>| users.iter().all(|user| is_inside(*user, **op));
        match ops.iter().find(holds_all) {
            Some(branch) if branch.is("scf.if") => {
                let mut bodies = branch.regions().into_iter().flat_map(|region| region.blocks());
                let holds = |body: &Block<'c>| {
                    let ops = body.ops();
                    users.iter().all(|user| at(&ops, *user).is_some())
                };
                ops = bodies.find(holds)?.ops();
            }
            _ => return Some(ops),
        }
    }
}

/// The index of the statement that is, or contains, an op.
fn at<'c>(statements: &[Op<'c>], op: Op<'c>) -> Option<usize> {
    let mut chain = std::iter::once(op).chain(parents(op));
    chain.find_map(|op| statements.iter().position(|statement| *statement == op))
}

/// (C1). Positions count the barriers before a statement.
fn item<'c>(statements: &[Op<'c>], buffer: Value<'c>) -> Option<LiveBuffer> {
    let bytes = static_bytes(buffer.ty())?;
    let (mut first, mut last) = (usize::MAX, 0);
    for (user, place) in buffer.uses() {
        if !is_access(user, place) {
            return None;
        }
        let at = at(statements, user)?;
        let barriers = statements[..at].iter().filter(|op| op.is("gpu.barrier")).count();
        (first, last) = (first.min(barriers), last.max(barriers));
    }
    (first <= last).then_some(LiveBuffer { bytes, live: first..=last })
}

fn merge<'c>(
    kernel: Op<'c>,
    buffers: &WorkgroupBuffers<'c>,
    alignment: i64,
    layout: &StorageLayout,
) {
    let (context, location) = (kernel.context(), kernel.location());
    let body = kernel.body(0).expect("a kernel has a body");
    let start = body.first_op().expect("a body ends in a return");
    let space = Attribute::parse(context, "#gpu.address_space<workgroup>");
    let space = space.expect("the gpu dialect is loaded");
    let bytes = Type::memref_in(space, &[Some(layout.bytes)], Type::integer(context, 8));
    let base = body.insert_argument(buffers.first, bytes, location);
    let at = Builder::before(start, location);
    for (value, offset) in buffers.values.iter().zip(&layout.offsets) {
        let view = at.op("memref.view", &[base, at.index(*offset)], value.ty());
        value.replace_all_uses_with(view);
        body.remove_argument(buffers.first + 1);
    }
    let i64 = Type::integer(context, 64);
    let alignment = [("llvm.align", Attribute::integer(i64, alignment))];
    let alignment = Attribute::array(context, &[Attribute::dictionary(context, &alignment)]);
    kernel.set_attribute("workgroup_attributions", Attribute::integer(i64, 1));
    kernel.set_attribute("workgroup_attrib_attrs", alignment);
}
