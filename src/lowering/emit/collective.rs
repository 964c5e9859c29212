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
//! predicate excludes, contribute the identity. If one warp contains all threads of a [`Group`], the first
//! shuffles suffice, without memory and without a barrier. A shuffle exchanges 32 bits: shorter values are
//! extended, longer ones are split into two parts.
//!
//! The buffer `W` is written again when the reduction runs again. If an enclosing loop has no other barrier for
//! all threads in each iteration, a barrier is inserted before that.

use super::emitter::{Emitter, scf_if};
use crate::dialect::loop_enums::ThreadAxis;
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{
    Attribute, Block, Builder, Error, FloatKind, Op, Type, TypeKind, Value, parents, walk,
};
use crate::nest::partial_result::{Joining, Reduction};
use crate::nest::summary::VariableId;
use crate::schedule::legality::cross_thread_reduction::warp::{Group, LANES};
use std::collections::BTreeMap;

/// A reduction by warp shuffles.
#[derive(Clone, Debug)]
pub(crate) struct Collective<'c> {
    /// The outermost reduction loop.
    pub first: Op<'c>,
    /// All reduction loops; each is bound to a thread axis.
    pub loops: Vec<Op<'c>>,
    pub block: Op<'c>,
    pub group: Group,
    /// The conditions under which a point is reduced, over the variables and sizes of the function's summary.
    pub starts: Vec<Constraint>,
    /// The buffers of the current kernel that hold the partial results of warps, one for each value.
    pub cells: Vec<Value<'c>>,
}

impl<'c> Collective<'c> {
    /// The number of elements and the element type of each buffer that it needs in shared memory.
    pub fn buffers(&self) -> Result<Vec<(i64, Type<'c>)>, Error<'c>> {
        let Some(cells) = self.group.cells() else { return Ok(vec![]) };
        let reduction = Reduction::of(ScheduleBlock::of(self.block)?);
        let element = |store: &Op<'c>| (cells, store.operands()[0].ty());
        Ok(reduction.stores.iter().map(element).collect())
    }

    /// True if the reduction runs again before all threads have reached another barrier.
    fn comes_again(&self) -> bool {
        let turns = |op: &Op<'c>| For::of(*op).is_ok_and(|view| view.thread.is_none());
        let Some(around) = parents(self.first).find(turns) else { return false };
        let is_for_all = |barrier: &Op<'c>| {
            let mut between = parents(*barrier).take_while(|op| *op != around);
            barrier.is("loop.sync") && between.all(|op| op.is(For::NAME) && !turns(&op))
        };
        !walk(around).iter().any(is_for_all)
    }
}

impl<'c> Emitter<'c> {
    /// Emits the reduction with index `i`.
    pub(crate) fn collective(&mut self, i: usize, at: Builder<'c>) -> Result<(), Error<'c>> {
        let this = self.collectives[i].clone();
        self.check_together(this.first)?;
        let reduction = Reduction::of(ScheduleBlock::of(this.block)?);
        let own = self.own_values(&this, &reduction, at)?;
        let width = this.group.width();
        let mut values = join_lanes(&reduction, own, this.group.size.min(LANES), width, at);
        if this.group.cells().is_some() {
            if this.comes_again() {
                at.insert(at.spec("gpu.barrier"));
            }
            let left = self.values_of_warps(&this, &reduction, values, at)?;
            let warps = (this.group.size / LANES) as u64;
            values = join_lanes(&reduction, left, warps.next_power_of_two() as i64, width, at);
        }
        self.reduced(&this, &reduction, values, at)
    }

    /// The values that each thread contributes.
    fn own_values(
        &mut self,
        this: &Collective<'c>,
        reduction: &Reduction<'c>,
        at: Builder<'c>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let (mut conditions, mut axes): (Vec<Constraint>, Vec<ThreadAxis>) = (vec![], vec![]);
        for op in &this.loops {
            let view = For::of(*op)?;
            let axis = view.thread.expect("the check has seen loops of threads");
            let extent = self.bounds(&view.extent.results, &view.operands, view.extent.dims);
            conditions.extend(self.thread_enters(&view, axis, &extent));
            axes.push(axis);
        }
        conditions.extend(self.conditions_within(&axes));
        self.bind_iters(&reduction.old);
        conditions.extend(self.predicate(&reduction.old, &|_| true));
        let joined = reduction.joined().expect("the check has seen values");
        let ops = needed(reduction.old.body, &joined);
        self.values_where(conditions, reduction, at, |this, at| {
            this.leaf(ops, at)?;
            let values = joined.iter().zip(&reduction.stores).map(|(value, store)| {
                let (value, ty) = (this.value_of(*value, at), store.operands()[0].ty());
                // A boolean is i8 in memory.
                if value.ty() == ty { value } else { at.op("arith.extui", &[value], ty) }
            });
            Ok(values.collect())
        })
    }

    /// The values if the conditions hold, else the identity.
    fn values_where(
        &mut self,
        conditions: Vec<Constraint>,
        reduction: &Reduction<'c>,
        at: Builder<'c>,
        values: impl FnOnce(&mut Self, Builder<'c>) -> Result<Vec<Value<'c>>, Error<'c>>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let identities = |at: Builder<'c>| -> Vec<Value<'c>> {
            reduction.starts(true).into_iter().map(|value| at.constant(value)).collect()
        };
        if conditions.iter().any(|condition| self.is_never(condition)) {
            return Ok(identities(at));
        }
        let Some(condition) = self.emit_condition(&conditions, at) else { return values(self, at) };
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [inside, outside] = blocks.map(|block| Builder::at_end(block, at.location()));
        let found = values(self, inside)?;
        let types: Vec<Type> = found.iter().map(|value| value.ty()).collect();
        inside.insert(inside.spec("scf.yield").operands(&found));
        outside.insert(outside.spec("scf.yield").operands(&identities(outside)));
        Ok(at.insert(scf_if(at, condition, &types, blocks)).results())
    }

    /// The partial results of the warps of a group, one in each lane.
    fn values_of_warps(
        &mut self,
        this: &Collective<'c>,
        reduction: &Reduction<'c>,
        values: Vec<Value<'c>>,
        at: Builder<'c>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let (number, size) = (self.thread_number(), this.group.size);
        let lane = self.simplified(&number.clone().modulo(LANES.into()));
        let warp = self.simplified(&number.clone().floor_div(LANES.into()));
        self.under(vec![Constraint::Zero(lane)], at, &mut |emitter, at| {
            let place = emitter.emit_index(&warp, at);
            values.iter().zip(&this.cells).for_each(|(v, cells)| at.store(*v, *cells, &[place]));
            Ok(())
        })?;
        at.insert(at.spec("gpu.barrier"));
        let warps = size / LANES;
        let place = self.simplified(&number.clone().modulo(size.into()));
        let row = number.floor_div(size.into()) * warps.into();
        let cell = self.simplified(&(row + place.clone()));
        let is_there = Constraint::NonNegative(self.simplified(&(Expr::from(warps - 1) - place)));
        let conditions = vec![is_there].into_iter().filter(|c| !self.is_always(c)).collect();
        self.values_where(conditions, reduction, at, |emitter, at| {
            let place = emitter.emit_index(&cell, at);
            Ok(this.cells.iter().map(|cells| at.load(*cells, &[place])).collect())
        })
    }

    /// The first thread of a group combines the old elements with the reduced values.
    fn reduced(
        &mut self,
        this: &Collective<'c>,
        reduction: &Reduction<'c>,
        parts: Vec<Value<'c>>,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let old = &reduction.old;
        for op in &this.loops {
            self.indices.insert(For::of(*op)?.variable(), 0.into());
        }
        self.bind_iters(old);
        let mut conditions = self.starts(&this.starts);
        conditions.extend(self.thread_conditions());
        self.under(conditions, at, &mut |emitter, at| {
            if let Some(init) = old.init() {
                emitter.init_body(init, at)?;
            }
            let mut operands: Vec<Value> = old.iters.iter().map(|iter| iter.variable).collect();
            operands.extend(&old.sizes);
            let places = emitter.bounds(&reduction.places, &operands, old.iters.len());
            let places: Vec<_> = places.iter().map(|e| emitter.emit_index(e, at)).collect();
            let buffers: Vec<_> =
                reduction.buffers.iter().map(|buffer| emitter.value_of(*buffer, at)).collect();
            let old_values = buffers.iter().map(|buffer| at.load(*buffer, &places)).collect();
            let joined = Joining { reduction, old_values, parts: parts.clone(), at }.values();
            joined.into_iter().zip(buffers).for_each(|(v, buffer)| at.store(v, buffer, &places));
            Ok(())
        })
    }

    /// Substitutes the emitted expressions for the variables and sizes of the summary.
    fn starts(&mut self, starts: &[Constraint]) -> Vec<Constraint> {
        let (mut dims, mut sizes) = (BTreeMap::new(), BTreeMap::new());
        for constraint in starts {
            constraint.expr().visit_leaves(&mut |leaf| match leaf {
                Expr::Dim(i) => drop(dims.insert(*i, Expr::from(0))),
                Expr::Symbol(i) => drop(sizes.insert(*i, Expr::from(0))),
                _ => {}
            });
        }
        for (i, expr) in &mut dims {
            *expr = self.index_of(self.state.variable(VariableId::of_dim(*i)));
        }
        for (i, expr) in &mut sizes {
            *expr = self.index_of(self.state.sizes()[*i]);
        }
        let put = |e: &Expr| e.substitute(&|i| dims[&i].clone(), &|i| sizes[&i].clone());
        let new = starts.iter().map(|c| c.on(self.simplified(&put(c.expr()))));
        new.filter(|constraint| !self.is_always(constraint)).collect()
    }
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
    reduction: &Reduction<'c>,
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
