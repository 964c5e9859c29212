//! `verify-kernel-calls`: verify that all calls in functions that contain or reach GPU kernels can be inlined.
//! Changes nothing.
//!
//! Verifies functions with loops that are bound to threads, and their callers. A kernel must not contain calls. The pass
//! `inline` runs next, and inlines the calls, except those that the host executes: a call in an `scf` loop or branch.
//!
//! Requires
//! - (C1) called functions are in the module and have a body
//! - (C2) there is no direct or indirect recursion
//! - (C3) caller and callee have the same floating-point contract, because inlined code gets the contract of the caller
//! - (C4) a call in an `scf` loop or branch has the attribute `no_inline`, as `convert-linalg-to-loop` writes it: the host
//!   executes it, and nests are not in such regions

use crate::dialect::contract::Contract;
use crate::dialect::loop_op::For;
use crate::ir::{Error, Op, callee, is_kept_call, parents, walk};
use crate::lowering::symbol;
use std::collections::{HashMap, HashSet};

/// A function, its calls, and whether loops in it are bound to threads.
struct CallNode<'c> {
    function: Op<'c>,
    calls: Vec<(Op<'c>, &'c str)>,
    has_kernels: bool,
}

/// Verifies the functions of a module.
///
/// # Errors
/// For the first call that cannot be inlined.
pub fn verify(module: Op) -> Result<(), Error> {
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let functions = functions.into_iter().filter(|op| op.is("func.func") && op.body(0).is_some());
    let nodes: HashMap<&str, CallNode> =
        functions.clone().map(|op| (symbol(op), node(op))).collect();
    for caller in functions {
        let reached = reached(&nodes, symbol(caller));
        if !reached.iter().any(|name| nodes[name].has_kernels) {
            continue;
        }
        for (call, name) in &nodes[symbol(caller)].calls {
            let is_inlined = !is_kept_call(*call);
            let around = parents(*call).find(|op| op.name().starts_with("scf."));
            if let Some(around) = around.filter(|_| is_inlined) {
                let message = format!(
                    "calls @{name} in an '{}', expected a call with 'no_inline': nests of loops cannot be inlined \
                     there (C4)",
                    around.name()
                );
                return Err(Error::on(*call, message));
            }
            let Some(called) = nodes.get(name) else {
                let message = format!(
                    "calls @{name}, which has no body, expected one: kernels contain no calls, so the \
                     call must be inlined (C1)"
                );
                return Err(Error::on(*call, message));
            };
            if self::reached(&nodes, name).contains(symbol(caller)) {
                let message = format!(
                    "calls @{name}, which calls @{} again: kernels contain no calls, and recursion \
                     cannot be inlined; use a loop (C2)",
                    symbol(caller)
                );
                return Err(Error::on(*call, message));
            }
            let [of_caller, of_called] =
                [Contract::of(caller)?, Contract::of(called.function)?].map(Contract::word);
            if of_caller != of_called {
                let message = format!(
                    "calls @{name}, whose floating-point contract is {of_called}, from a function whose \
                     contract is {of_caller}: expected the same, because the call must be inlined (C3)"
                );
                return Err(Error::on(*call, message));
            }
        }
    }
    Ok(())
}

fn node<'c>(function: Op<'c>) -> CallNode<'c> {
    let ops = walk(function);
    let call = |op: Op<'c>| Some((op, callee(op)?));
    let calls = ops.iter().filter(|op| op.is("func.call")).filter_map(|op| call(*op)).collect();
    let is_bound = |op: &Op| For::of(*op).is_ok_and(|view| view.thread.is_some());
    CallNode { function, calls, has_kernels: ops.iter().any(is_bound) }
}

/// A function of the module and all functions that it calls, directly or indirectly.
fn reached<'c>(nodes: &HashMap<&'c str, CallNode<'c>>, from: &'c str) -> HashSet<&'c str> {
    let (mut found, mut left) = (HashSet::new(), vec![from]);
    while let Some(name) = left.pop() {
        if let Some(node) = nodes.get(name)
            && found.insert(name)
        {
            left.extend(node.calls.iter().map(|(_, name)| *name));
        }
    }
    found
}
