//! `tensorize`: map a loop nest, or a schedule block, to a hardware intrinsic.
//!
//! ```text
//! loop.for %i.1 in 16 { loop.for %k.1 in 4 {
//!   loop.block "C" [%vi: spatial 64, %vk: reduce 32] = (%i.0 * 16 + %i.1, %k.0 * 4 + %k.1)
//!       { C[vi] += zext(A[vk]) * sext(B[vi, vk]) }
//! } }
//!   ->  tensorize "C:i.1" intrinsic "x86.vpdpbusd"
//! loop.block "C_o" [%vi_o: spatial 4, %vk_o: reduce 8] = (%i.0, %k.0) attributes {loop.annotations = {intrinsic = "x86.vpdpbusd"}} {
//!   loop.for %i.1 in 16 { loop.for %k.1 in 4 {
//!     loop.block "C" .. = (%vi_o * 16 + %i.1, %vk_o * 4 + %k.1) { C[vi] += zext(A[vk]) * sext(B[vi, vk]) }
//!   } }
//! }
//! ```
//! The nest stays as the meaning of the intrinsic; the CPU lowering emits the instruction. The target becomes a
//! schedule block as by [`blockize`], unless it already is a block with a nest. `docs/intrinsics.md` lists the
//! intrinsics with their descriptions.
//!
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) the target meets the conditions of [`blockize`], unless it is a block with a nest
//! - (C3) the intrinsic is in the table
//! - (C4) the nest unifies with the intrinsic's description: see [`unify`](crate::schedule::intrinsic::unify)
//!
//! If later steps change the nest so that it no longer matches, lowering reports that and emits the nest.

use crate::dialect::annotation;
use crate::ir::Attribute;
use crate::schedule::error::{ScheduleError, TensorReason};
use crate::schedule::intrinsic::{ANNOTATION, INTRINSICS, Intrinsic, unify};
use crate::schedule::name;
use crate::schedule::primitive::blockize;
use crate::schedule::state::State;
use crate::schedule::summary::{Body, Summary};
use crate::schedule::table::{Parameter, ParameterKind, Primitive, TARGET};

pub const PRIMITIVE: Primitive = Primitive {
    name: "tensorize",
    pass: "sched-tensorize",
    summary: "Make a loop with all that stands in it one execution of an intrinsic",
    parameters: &[
        TARGET,
        Parameter {
            name: "intrinsic",
            kind: ParameterKind::Word,
            summary: "The intrinsic, such as x86.vpdpbusd",
        },
    ],
    apply: |state, arguments| {
        tensorize(state, arguments[0].text(), arguments[1].text()).map(|name| vec![name])
    },
};

/// The result of the check.
pub struct Plan {
    intrinsic: &'static Intrinsic,
    /// The schedule block to create from the target, if needed.
    made: Option<blockize::Plan>,
}

/// Maps `target` to an intrinsic; returns the name of the schedule block. On an error the IR is unchanged.
pub fn tensorize(
    state: &mut State,
    target: &str,
    intrinsic: &str,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), target, intrinsic)?;
    let node = name::target(state.summary(), target)?;
    let root = state.op(node);
    if let Err(why) = unify::unify(root, plan.intrinsic) {
        let (name, intrinsic) = (target.to_owned(), plan.intrinsic.name.to_owned());
        return Err(TensorReason::NoMatch { name, intrinsic, why }.at(node, 4));
    }
    let (block, name) = match &plan.made {
        None => (root, target.to_owned()),
        Some(made) => (blockize::rewrite(state, made), made.name.clone()),
    };
    let value = Attribute::string(state.context(), plan.intrinsic.name);
    annotation::set(block, ANNOTATION, Some(value));
    Ok(name)
}

pub fn check(summary: &Summary, target: &str, intrinsic: &str) -> Result<Plan, ScheduleError> {
    let node = name::target(summary, target)?;
    let is_nest = summary.as_block(node).is_some_and(|block| matches!(block.body, Body::Nest));
    let made = match is_nest {
        true => None,
        false => Some(
            blockize::check(summary, target).map_err(|e| ScheduleError { condition: 2, ..e })?,
        ),
    };
    let Some(intrinsic) = Intrinsic::of(intrinsic) else {
        let names = name::listed(INTRINSICS.iter().map(|intrinsic| intrinsic.name));
        return Err(TensorReason::NoIntrinsic(intrinsic.to_owned(), names).at(node, 3));
    };
    Ok(Plan { intrinsic, made })
}
