//! Where buffers live.

use super::emitter::{Emitter, parallel_around};
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::Buffer;
use crate::ir::{Attribute, Builder, Error, Op, Type};

impl<'c> Emitter<'c> {
    /// Allocates a `loop.buffer`, or puts it off to the parallel loops that use it: one that belongs to a
    /// thread or thread block, and is used only in parallel loops.
    pub fn plan_buffer(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let view = Buffer::of(op)?;
        if view.padding.iter().flatten().any(|elements| *elements != 0) {
            return Err(Error::on(
                op,
                format!("\"{}\" is padded, which the CPU's lowering does not do (C4)", view.name),
            ));
        }
        let users = op.result(0).uses();
        let only_parallel =
            !users.is_empty() && users.iter().all(|(user, _)| parallel_around(*user).is_some());
        if view.scope != Scope::Global && only_parallel {
            if !view.dynamic_dims.is_empty() {
                return Err(Error::on(
                    op,
                    format!(
                        "\"{}\" is of dynamic size, and each iteration of a parallel loop needs its own (C4)",
                        view.name
                    ),
                ));
            }
            self.private.push(op);
            return Ok(());
        }
        let at = Builder::before(op, op.location());
        let sizes = self.bounds(&view.dynamic_dims, &view.sizes, 0);
        let sizes: Vec<_> = sizes.iter().map(|size| self.emit_index(size, at)).collect();
        let spec = at.spec("memref.alloc").operands(&sizes).segments(&[sizes.len(), 0]);
        let spec = spec.attribute("alignment", alignment(&view)).results(&[op.result(0).ty()]);
        let new = at.value(spec);
        self.values.insert(op.result(0), new);
        Ok(())
    }

    /// The buffers of which this parallel loop has its own.
    pub fn private_buffers(&mut self, parallel: Op<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        for op in self.private.clone() {
            let is_user = |(user, _): &(Op<'c>, usize)| parallel_around(*user) == Some(parallel);
            if op.result(0).uses().iter().any(is_user) {
                let view = Buffer::of(op)?;
                let spec = at.spec("memref.alloca").segments(&[0, 0]);
                let spec = spec.attribute("alignment", alignment(&view));
                let new = at.value(spec.results(&[op.result(0).ty()]));
                self.values.insert(op.result(0), new);
            }
        }
        Ok(())
    }

    /// After the nests are gone: what is left of the uses goes to the new buffers.
    pub fn erase_buffers(&self, buffers: &[Op<'c>]) {
        for op in buffers {
            if let Some(new) = self.values.get(&op.result(0)) {
                op.result(0).replace_all_uses_with(*new);
            }
            op.erase();
        }
    }
}

fn alignment<'c>(view: &Buffer<'c>) -> Attribute<'c> {
    // At least a cache line.
    let bytes = view.alignment.unwrap_or(64).max(64);
    Attribute::integer(Type::integer(view.op.context(), 64), bytes)
}
