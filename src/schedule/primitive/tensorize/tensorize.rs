//! `tensorize`: replace a loop and its body, or a schedule block, by one execution of an intrinsic.
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
//! The nest remains in the IR as the definition of the result, and the annotation names the intrinsic; lowering for a
//! CPU emits its instruction. The target becomes a schedule block as by [`blockize`], unless it already is a schedule
//! block that contains a nest. `docs/intrinsics.md` lists the intrinsics and their descriptions.
//!
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) if the target is not a schedule block that contains a nest, the conditions of [`blockize`] hold
//! - (C3) the intrinsic is in the list
//! - (C4) the nest unifies with the description of the intrinsic: see [`src/machine/intrinsic/unify.rs`](unify)
//!
//! If later steps change the nest such that it does not unify with the description any more, lowering emits a remark
//! and lowers the nest as loops.

use crate::dialect::annotation;
use crate::ir::Attribute;
use crate::machine::intrinsic::{ANNOTATION, INTRINSICS, Intrinsic, unify};
use crate::nest::state::State;
use crate::nest::summary::{Body, Summary};
use crate::schedule::error::{ScheduleError, TensorReason};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::tensorize::blockize;

primitive! {
    "Replace a nest by an intrinsic, matched by unification"
    /// Returns the name of the schedule block.
    tensorize(target: Target, intrinsic: Word = "The intrinsic, such as x86.vpdpbusd") -> String;
    |state| tensorize(state, target, intrinsic)
}

/// What the check has found.
pub struct Plan {
    intrinsic: &'static Intrinsic,
    /// The schedule block to be made of the target.
    made: Option<blockize::Plan>,
}

/// Makes `target` an execution of an intrinsic; gives the name of the schedule block. On an error the IR is unchanged.
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
