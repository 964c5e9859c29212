//! Marks where each kernel of a scheduled module begins and ends, for a profile.
//!
//! ```text
//! call @main_matmul_add(%x, %w, %a)      call @lw_profile_mark(%c0, %begin)
//!                                   ->   call @main_matmul_add(%x, %w, %a)
//!                                        call @lw_profile_mark(%c0, %end)
//! ```
//! Requires
//! - (C1) [`kernels`](crate::analysis::kernels::kernels) of the module, in order
//! - (C2) no function named [`MARK`] in the module

use crate::ir::{Attribute, Builder, Error, Op, Region, Type, function_named};
use loopwright_runtime::profile::MARK;

/// Inserts marks around the ops of kernels.
///
/// # Errors
/// If (C2) does not hold. Nothing is inserted then.
pub fn instrument<'c>(module: Op<'c>, kernels: &[Op<'c>]) -> Result<(), Error<'c>> {
    if let Some(op) = function_named(module, MARK) {
        let message = format!("has the name '{MARK}', expected another name (C2)");
        return Err(Error::on(op, message));
    }
    let first = module.body(0).and_then(|body| body.first_op());
    let Some(first) = first.filter(|_| !kernels.is_empty()) else { return Ok(()) };
    for (number, op) in kernels.iter().enumerate() {
        mark(Builder::before(*op, op.location()), number, false);
        let next = op.next().unwrap_or(*op);
        mark(Builder::before(next, op.location()), number, true);
    }
    let at = Builder::before(first, module.location());
    let number = Type::integer(at.context(), 64);
    let ty = Type::function(at.context(), &[number; 2], &[]);
    at.insert(
        at.spec("func.func")
            .attribute("sym_name", Attribute::string(at.context(), MARK))
            .attribute("sym_visibility", Attribute::string(at.context(), "private"))
            .attribute("function_type", ty.to_attribute())
            .region(Region::new()),
    );
    Ok(())
}

/// Inserts a call that marks the begin or the end of a kernel.
fn mark(at: Builder, number: usize, is_end: bool) {
    let ty = Type::integer(at.context(), 64);
    let number = at.number(ty, i64::try_from(number).unwrap_or(i64::MAX));
    let moment = at.number(ty, i64::from(is_end));
    let callee = Attribute::symbol(at.context(), MARK);
    at.insert(at.spec("func.call").operands(&[number, moment]).attribute("callee", callee));
}
