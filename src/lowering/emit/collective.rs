//! Cross-thread reductions: each thread of a block has a value, and the lanes of warps combine them by
//! shuffles.
//!
//! ```text
//! loop.for thread_bind[threadIdx.x] %t in 256 {      v = p[t]
//!   B[i] += p[t]                                     v += shuffle v of lane ^ 16    .. 8, 4, 2, 1
//! }                                              ->  if t mod 32 == 0 { W[t floordiv 32] = v }
//!                                                    barrier
//!                                                    v = t < 8 ? W[t] : 0
//!                                                    v += shuffle v of lane ^ 4     .. 2, 1
//!                                                    if t == 0 { B[i] += v }
//! ```
//! All threads of the block execute the shuffles. Threads that are not part of the reduction, or that its
//! predicate excludes, contribute the identity. If one warp contains all threads of a [`WarpMapping`], the first
//! shuffles suffice, without memory and without a barrier. A shuffle exchanges 32 bits: shorter values are
//! extended, longer ones are split into two parts.
//!
//! The buffer `W` is written again when the reduction runs again. If an enclosing loop has no other barrier for
//! all threads in each iteration, a barrier is inserted before that.

use super::cursor::Cursor;
use super::cursor::loops::SizedLoop;
use super::leaf::{emit_init, emit_leaf};
use super::ops::scf_if;
use super::plan::EmissionPlan;
use super::plan::collective::Collective;
use crate::dialect::loop_enums::ThreadAxis;
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Block, Builder, Error, FloatKind, Op, Type, TypeKind, Value, walk};
use crate::nest::partial_result::{Joining, PartialReduction};
use crate::nest::summary::VariableId;
use crate::schedule::legality::cross_thread_reduction::warp::LANES;
use std::collections::BTreeMap;

/// Emits the reduction of the plan with index `i`.
pub(crate) fn emit_collective<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    i: usize,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let collective = &plan.collectives[i];
    cursor.check_together(collective.first)?;
    let reduction = PartialReduction::of(ScheduleBlock::of(collective.block)?);
    let cells = cursor.cells.get(&i).cloned().unwrap_or_default();
    WarpReduction { plan, collective, reduction, cells }.emit(cursor, at)
}

/// A reduction by warp shuffles in the current kernel.
struct WarpReduction<'a, 'c> {
    plan: &'a EmissionPlan<'c>,
    collective: &'a Collective<'c>,
    reduction: PartialReduction<'c>,
    /// The buffers that hold the partial results of warps, one for each value.
    cells: Vec<Value<'c>>,
}

impl<'c> WarpReduction<'_, 'c> {
    fn emit(&self, cursor: &mut Cursor<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let (reduction, group) = (&self.reduction, &self.collective.group);
        let own = self.own_values(cursor, at)?;
        let width = group.width();
        let mut values = join_lanes(reduction, own, group.size.min(LANES), width, at);
        if group.cells().is_some() {
            if self.collective.comes_again() {
                at.insert(at.spec("gpu.barrier"));
            }
            let left = self.values_of_warps(cursor, values, at)?;
            let warps = (group.size / LANES) as u64;
            values = join_lanes(reduction, left, warps.next_power_of_two() as i64, width, at);
        }
        self.reduced(cursor, values, at)
    }

    /// The values that each thread contributes.
    fn own_values(
        &self,
        cursor: &mut Cursor<'c>,
        at: Builder<'c>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let reduction = &self.reduction;
        let (mut conditions, mut axes): (Vec<Constraint>, Vec<ThreadAxis>) = (vec![], vec![]);
        for op in &self.collective.loops {
            let view = For::of(*op)?;
            let axis = view.thread.expect("the check has found loops that are bound to threads");
            let sized = SizedLoop::new(&view, cursor);
            conditions.extend(cursor.thread_enters(&sized, axis));
            axes.push(axis);
        }
        conditions.extend(cursor.conditions_within(&axes));
        cursor.bind_iters(&reduction.old);
        conditions.extend(cursor.predicate(&reduction.old, &|_| true));
        let joined = reduction.joined().expect("the check has found values");
        let ops = needed(reduction.old.body, &joined);
        self.values_where(cursor, conditions, at, |cursor, at| {
            emit_leaf(self.plan, cursor, ops, at)?;
            let values = joined.iter().zip(&reduction.stores).map(|(value, store)| {
                let (value, ty) = (cursor.value_of(*value, at), store.operand(0).ty());
                // A boolean is i8 in memory.
                if value.ty() == ty { value } else { at.op("arith.extui", &[value], ty) }
            });
            Ok(values.collect())
        })
    }

    /// The values if the conditions hold, else the identity.
    fn values_where(
        &self,
        cursor: &mut Cursor<'c>,
        conditions: Vec<Constraint>,
        at: Builder<'c>,
        values: impl FnOnce(&mut Cursor<'c>, Builder<'c>) -> Result<Vec<Value<'c>>, Error<'c>>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let identities = |at: Builder<'c>| -> Vec<Value<'c>> {
            self.reduction.starts(true).into_iter().map(|value| at.constant(value)).collect()
        };
        if conditions.iter().any(|condition| cursor.is_never(condition)) {
            return Ok(identities(at));
        }
        let Some(condition) = cursor.emit_condition(&conditions, at) else {
            return values(cursor, at);
        };
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [inside, outside] = blocks.map(|block| Builder::at_end(block, at.location()));
        let found = values(cursor, inside)?;
        let types: Vec<Type> = found.iter().map(|value| value.ty()).collect();
        inside.insert(inside.spec("scf.yield").operands(&found));
        outside.insert(outside.spec("scf.yield").operands(&identities(outside)));
        Ok(at.insert(scf_if(at, condition, &types, blocks)).results())
    }

    /// The partial results of the warps of a group, one in each lane.
    fn values_of_warps(
        &self,
        cursor: &mut Cursor<'c>,
        values: Vec<Value<'c>>,
        at: Builder<'c>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let (number, size) = (cursor.thread_number(), self.collective.group.size);
        let lane = cursor.simplified(&number.clone().modulo(LANES.into()));
        let warp = cursor.simplified(&number.clone().floor_div(LANES.into()));
        cursor.under(vec![Constraint::Zero(lane)], at, &mut |cursor, at| {
            let place = cursor.emit_index(&warp, at);
            values.iter().zip(&self.cells).for_each(|(v, cells)| at.store(*v, *cells, &[place]));
            Ok(())
        })?;
        at.insert(at.spec("gpu.barrier"));
        let warps = size / LANES;
        let place = cursor.simplified(&number.clone().modulo(size.into()));
        let row = number.floor_div(size.into()) * warps.into();
        let cell = cursor.simplified(&(row + place.clone()));
        let is_there = Constraint::NonNegative(cursor.simplified(&(Expr::from(warps - 1) - place)));
        let conditions = vec![is_there].into_iter().filter(|c| !cursor.is_always(c)).collect();
        self.values_where(cursor, conditions, at, |cursor, at| {
            let place = cursor.emit_index(&cell, at);
            Ok(self.cells.iter().map(|cells| at.load(*cells, &[place])).collect())
        })
    }

    /// The first thread of a group combines the old elements with the reduced values.
    fn reduced(
        &self,
        cursor: &mut Cursor<'c>,
        parts: Vec<Value<'c>>,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let (plan, reduction) = (self.plan, &self.reduction);
        let old = &reduction.old;
        for op in &self.collective.loops {
            cursor.indices.insert(For::of(*op)?.variable(), 0.into());
        }
        cursor.bind_iters(old);
        let mut conditions = starts(plan, cursor, &self.collective.starts);
        conditions.extend(cursor.thread_conditions());
        cursor.under(conditions, at, &mut |cursor, at| {
            if let Some(init) = old.init() {
                emit_init(plan, cursor, init, at)?;
            }
            let mut operands: Vec<Value> = old.iters.iter().map(|iter| iter.variable).collect();
            operands.extend(&old.sizes);
            let places = cursor.bounds(&reduction.places, &operands, old.iters.len());
            let places: Vec<_> = places.iter().map(|e| cursor.emit_index(e, at)).collect();
            let buffers: Vec<_> =
                reduction.buffers.iter().map(|buffer| cursor.value_of(*buffer, at)).collect();
            let old_values = buffers.iter().map(|buffer| at.load(*buffer, &places)).collect();
            let joined = Joining { reduction, old_values, parts: parts.clone(), at }.values();
            joined.into_iter().zip(buffers).for_each(|(v, buffer)| at.store(v, buffer, &places));
            Ok(())
        })
    }
}

/// Substitutes the emitted expressions for the variables and sizes of the summary.
fn starts<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    starts: &[Constraint],
) -> Vec<Constraint> {
    let (mut dims, mut sizes) = (BTreeMap::new(), BTreeMap::new());
    for constraint in starts {
        constraint.expr().visit_leaves(&mut |leaf| match leaf {
            Expr::Dim(i) => drop(dims.insert(*i, Expr::from(0))),
            Expr::Symbol(i) => drop(sizes.insert(*i, Expr::from(0))),
            _ => {}
        });
    }
    for (i, expr) in &mut dims {
        *expr = cursor.index_of(plan.state.variable(VariableId::of_dim(*i)));
    }
    for (i, expr) in &mut sizes {
        *expr = cursor.index_of(plan.state.sizes()[*i]);
    }
    let put = |e: &Expr| e.substitute(&|i| dims[&i].clone(), &|i| sizes[&i].clone());
    let new = starts.iter().map(|c| c.on(cursor.simplified(&put(c.expr()))));
    new.filter(|constraint| !cursor.is_always(constraint)).collect()
}

/// The ops of a body on which these values depend, in order.
fn needed<'c>(body: Block<'c>, values: &[Value<'c>]) -> Vec<Op<'c>> {
    let (mut open, mut found) = (values.to_vec(), vec![]);
    while let Some(value) = open.pop() {
        let op = value.defining_op().filter(|op| op.block() == Some(body) && !found.contains(op));
        if let Some(op) = op {
            found.push(op);
            open.extend(walk(op).into_iter().flat_map(|op| op.operands()));
        }
    }
    body.ops().into_iter().filter(|op| found.contains(op)).collect()
}

/// Combines the values of `lanes` lanes by butterfly shuffles. The lane numbers differ in one bit, from the
/// highest bit down.
fn join_lanes<'c>(
    reduction: &PartialReduction<'c>,
    mut values: Vec<Value<'c>>,
    lanes: i64,
    width: i64,
    at: Builder<'c>,
) -> Vec<Value<'c>> {
    let mut distance = lanes / 2;
    while distance > 0 {
        let parts = values.iter().map(|value| shuffled(*value, distance, width, at)).collect();
        values = Joining { reduction, old_values: values, parts, at }.values();
        distance /= 2;
    }
    values
}

/// The value of the lane whose number differs in one bit.
fn shuffled<'c>(value: Value<'c>, distance: i64, width: i64, at: Builder<'c>) -> Value<'c> {
    let context = at.context();
    let int = |bits| Type::integer(context, bits);
    let exchanged = |value: Value<'c>| {
        let mode = Attribute::parse(context, "#gpu<shuffle_mode xor>");
        let numbers = [distance, width].map(|n| at.number(int(32), n));
        let spec = at
            .spec("gpu.shuffle")
            .operands(&[value, numbers[0], numbers[1]])
            .attribute("mode", mode.expect("the gpu dialect is loaded"))
            .results(&[value.ty(), int(1)]);
        at.insert(spec).result(0)
    };
    let of_bits = |bits: Value<'c>, width: u32| match width {
        32 => exchanged(bits),
        64 => {
            let half = at.number(int(64), 32);
            let high = at.op("arith.shrui", &[bits, half], int(64));
            let [low, high] = [bits, high].map(|bits| {
                let part = exchanged(at.op("arith.trunci", &[bits], int(32)));
                at.op("arith.extui", &[part], int(64))
            });
            let high = at.op("arith.shli", &[high, half], int(64));
            at.op("arith.ori", &[low, high], int(64))
        }
        _ => {
            let wide = exchanged(at.op("arith.extui", &[bits], int(32)));
            at.op("arith.trunci", &[wide], int(width))
        }
    };
    let width = match value.ty().kind() {
        TypeKind::Integer(width) => return of_bits(value, width),
        TypeKind::Float(FloatKind::F32) => return exchanged(value),
        TypeKind::Float(FloatKind::F64) => 64,
        _ => 16,
    };
    let bits = of_bits(at.op("arith.bitcast", &[value], int(width)), width);
    at.op("arith.bitcast", &[bits], value.ty())
}
