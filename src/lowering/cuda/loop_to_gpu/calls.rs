//! Calls in nests: kernels contain none, so the bodies of the called functions replace them.

use crate::ir::{Block, Error, Op, callee, function_named, parents, walk};

/// The function of the module that is called, and its only block.
fn called<'c>(call: Op<'c>) -> Option<(Op<'c>, Block<'c>)> {
    let module = parents(call).find(|op| op.is("builtin.module"))?;
    let function = function_named(module, callee(call)?)?;
    let [body] = function.regions().first()?.blocks()[..] else { return None };
    Some((function, body))
}

/// Verifies that a kernel can hold the body of a called function, whose other ops `verify` verifies. (C8)
pub fn check<'c>(
    call: Op<'c>,
    verify: impl Fn(Op<'c>) -> Result<(), Error<'c>> + Copy,
) -> Result<(), Error<'c>> {
    check_within(call, &mut vec![], verify)
}

/// [`check`] in the bodies of the functions `open`.
fn check_within<'c>(
    call: Op<'c>,
    open: &mut Vec<Op<'c>>,
    verify: impl Fn(Op<'c>) -> Result<(), Error<'c>> + Copy,
) -> Result<(), Error<'c>> {
    let found = called(call).filter(|(function, _)| !open.contains(function));
    let Some((function, body)) = found else {
        let name = callee(call).unwrap_or_default();
        let message = format!(
            "calls @{name}, expected a function of the module that has one block and does not call itself: its body \
             must replace the call (C8)"
        );
        return Err(Error::on(call, message));
    };
    open.push(function);
    for op in body.ops().into_iter().flat_map(walk) {
        let verified = match op.name() {
            "func.call" => check_within(op, open, verify),
            "func.return" => Ok(()),
            name if name.starts_with("scf.") => Ok(()),
            _ => verify(op),
        };
        verified.map_err(|error| error.note(call.location(), "called from here"))?;
    }
    open.pop();
    Ok(())
}

/// Replaces each call in a kernel by the body of its function.
pub fn inline(kernel: Op) {
    let mut left: Vec<_> = walk(kernel).into_iter().filter(|op| op.is("func.call")).collect();
    while let Some(call) = left.pop() {
        let (function, _) = called(call).expect("verified (C8)");
        let copy = function.clone_mapped(&[]);
        let body = copy.body(0).expect("verified (C8)");
        for (argument, value) in body.arguments().into_iter().zip(call.operands()) {
            argument.replace_all_uses_with(value);
        }
        let end = body.end();
        for (result, value) in call.results().into_iter().zip(end.operands()) {
            result.replace_all_uses_with(value);
        }
        let block = call.block().expect("a call is in a kernel");
        for op in body.ops().into_iter().filter(|op| *op != end) {
            op.detach();
            block.insert_before(call, op);
            left.extend(walk(op).into_iter().filter(|op| op.is("func.call")));
        }
        call.erase();
        copy.erase();
    }
}
