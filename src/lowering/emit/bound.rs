//! Loops bound to GPU threads, in a kernel: the loop variable is the thread or block number, and a condition
//! disables the threads beyond the extent of the loop.
//!
//! ```text
//! loop.for thread_bind[blockIdx.x] %b in %n {          %b = gpu.block_id x    %t = gpu.thread_id x
//!   loop.for thread_bind[threadIdx.x] %t in 100 {  ->  scf.if %b < %n { scf.if %t < 100 {
//!     s(%b, %t)                                          s(%b, %t)
//!   }                                                  } }
//! }
//! ```
//! A statement outside of the bound loops of an axis runs once for all threads of that axis: thread 0 runs it.
//! If a thread loop contains a barrier, its condition is sunk to each statement, so that all threads of the
//! block reach the barrier.

use super::cursor::loops::SizedLoop;
use super::cursor::{Cursor, EmitBody, IndexAtom};
use super::plan::EmissionPlan;
use super::plan::collective::Collective;
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::ir::affine::Expr;
use crate::ir::{Block, Builder, Error, Op, Value, is_inside, parents, walk};

/// Emits the body of a bound loop, for the thread or thread block that runs it.
pub(crate) fn bound_loop<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    this: &SizedLoop<'_, 'c>,
    at: Builder<'c>,
    body: EmitBody<'_, 'c>,
) -> Result<(), Error<'c>> {
    let axis = this.view.thread.expect("a bound loop has an axis");
    let number = cursor.thread_atom(axis);
    let conditions = cursor.thread_enters(this, axis);
    cursor.in_kernel().around.push(axis);
    let result = if axis.is_thread() && holds_barrier(plan, this.view.op) {
        let outer = cursor.in_kernel().pending.len();
        cursor.in_kernel().pending.extend(conditions);
        let result = body(cursor, at);
        cursor.in_kernel().pending.truncate(outer);
        result
    } else {
        let known = this.least().filter(|n| *n > 0);
        if let Some(last) = known.map(|n| n - 1).filter(|_| !conditions.is_empty()) {
            // The conditions exclude higher numbers.
            let atom = IndexAtom { range: Some((0, last)), ..cursor.atoms[number] };
            cursor.atoms.push(atom);
            let number = Expr::Dim(cursor.atoms.len() - 1);
            cursor.indices.insert(this.view.variable(), number);
        }
        cursor.under(conditions, at, body)
    };
    cursor.in_kernel().around.pop();
    result
}

/// `loop.sync` (C1)
pub(crate) fn barrier<'c>(
    cursor: &mut Cursor<'c>,
    op: Op<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    cursor.check_together(op)?;
    let around = parents(op).filter(|parent| parent.is(For::NAME)).map(For::of);
    for view in around {
        let view = view?;
        if !matches!(view.kind, LoopKind::Parallel | LoopKind::Vectorize) {
            continue;
        }
        let message = format!(
            "is in loop \"{}\" of kind {}, whose iterations are in one thread (C1)",
            view.name, view.kind
        );
        return Err(Error::on(op, message));
    }
    at.insert(at.spec("gpu.barrier"));
    Ok(())
}

/// True if the op contains a barrier or a cross-thread reduction, which all threads of a block must reach.
fn holds_barrier<'c>(plan: &EmissionPlan<'c>, op: Op<'c>) -> bool {
    let is_in = |collective: &Collective<'c>| is_inside(collective.first, op);
    plan.collectives.iter().any(is_in) || walk(op).into_iter().any(|op| op.is("loop.sync"))
}

/// The reason why the lanes of a loop may need masks, which vectors do not have on a GPU.
pub(crate) fn needs_masks(view: &For) -> Option<String> {
    for op in walk(view.op) {
        match op.name() {
            ScheduleBlock::NAME => {
                let block = ScheduleBlock::of(op).ok()?;
                let set = block.predicate.as_ref();
                let constraints = set.map(|set| &set.constraints[..]).unwrap_or_default();
                let mut differs = false;
                constraints.iter().for_each(|constraint| {
                    constraint.expr().visit_leaves(&mut |leaf| {
                        differs |=
                            matches!(leaf, Expr::Dim(i) if block.binds[*i] == view.variable());
                    });
                });
                if differs {
                    return Some(format!(
                        "the predicate of schedule block \"{}\" differs between lanes",
                        block.name
                    ));
                }
            }
            If::NAME if !is_uniform(&If::of(op).ok()?, view) => {
                return Some("a 'loop.if' in it may differ between lanes".into());
            }
            For::NAME if op != view.op => {
                let inner = For::of(op).ok()?;
                if inner.kind == LoopKind::Parallel || inner.thread.is_some() {
                    return Some(format!(
                        "loop \"{}\" in it is of kind {}",
                        inner.name, inner.kind
                    ));
                }
            }
            _ => {}
        }
    }
    None
}

/// True if all lanes of a loop take the same branch.
fn is_uniform<'c>(branch: &If<'c>, lanes: &For<'c>) -> bool {
    let mut others = vec![lanes.variable()];
    let operands: Vec<Expr> =
        branch.operands.iter().map(|value| bound_to(*value, &mut others)).collect();
    let (dims, symbols) = operands.split_at(branch.condition.dims);
    let range =
        |leaf: &Expr| Some((0, lanes.constant_extent()? - 1)).filter(|_| *leaf == Expr::Dim(0));
    branch.condition.constraints.iter().all(|constraint| {
        let expr = constraint.expr().substitute(&|i| dims[i].clone(), &|i| symbols[i].clone());
        let constraint = constraint.on(expr.simplified());
        let constraint = constraint.coarse(&range).unwrap_or(constraint);
        let mut differs = false;
        constraint.expr().visit_leaves(&mut |leaf| differs |= *leaf == Expr::Dim(0));
        !differs
    })
}

/// A value as an expression over the values in `others`, by their index. Iters are replaced by their bindings.
fn bound_to<'c>(value: Value<'c>, others: &mut Vec<Value<'c>>) -> Expr {
    let block = value.owner().and_then(Block::parent).filter(|op| op.is(ScheduleBlock::NAME));
    let block = block.and_then(|op| ScheduleBlock::of(op).ok());
    let place = block.iter().flat_map(|it| &it.iters).position(|iter| iter.variable == value);
    let Some((block, place)) = block.as_ref().zip(place) else {
        let known = others.iter().position(|other| *other == value);
        return Expr::Dim(known.unwrap_or_else(|| {
            others.push(value);
            others.len() - 1
        }));
    };
    let binds: Vec<Expr> = block.binds.iter().map(|it| bound_to(*it, others)).collect();
    let sizes: Vec<Expr> = block.sizes.iter().map(|it| bound_to(*it, others)).collect();
    block.binding[place].substitute(&|i| binds[i].clone(), &|i| sizes[i].clone())
}
