//! Vectorized loops: chunks of lanes, masks, and vector accesses.

use super::atomic;
use super::bound::needs_masks;
use super::emitter::{Atom, Emitter, parallel_around, scf_if, vector_reduction};
use super::index::broadcast;
use crate::dialect::annotation::{self, ASYNC_COPY, NONTEMPORAL};
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{Buffer, For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{
    Attribute, Block, Builder, Error, Op, Type, TypeKind, Value, is_inside, parents, walk,
};
use crate::lowering::cuda::inject_async_copy;
use crate::nest::summary::NodeId;
use crate::nest::summary::NodeKind;
use crate::schedule::legality::lanes;
use crate::schedule::legality::lanes::MOST_DEPENDENT;
use crate::schedule::legality::quick;
use std::iter::once;

/// The lanes of the vectorized loop that is being lowered.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    /// The lane number, as an [`Expr::Dim`].
    pub atom: usize,
    pub width: usize,
}

/// The active lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask<'c> {
    /// A vector of i1.
    pub value: Value<'c>,
    /// The number of active lanes, if it is known and they are the first ones.
    pub first: Option<usize>,
    pub may_be_empty: bool,
}

/// The access pattern of the lanes.
enum Pattern {
    /// All lanes access one element.
    Uniform,
    /// Consecutive lanes access consecutive elements, from lane 0 on.
    Contiguous,
    Scattered,
}

/// The most full vectors of a loop that are unrolled; more become a loop.
const MAX_CHUNKS: i64 = 8;
/// The most lanes of a vector whose lanes depend on each other.
const MAX_LANES: i64 = MOST_DEPENDENT;

impl<'c> Emitter<'c> {
    /// Lowers a vectorized loop; `body` emits its body.
    pub fn vector_loop(
        &mut self,
        view: &For<'c>,
        extent: Option<i64>,
        at: Builder<'c>,
        body: &mut dyn FnMut(&mut Emitter<'c>, Builder<'c>) -> Result<(), Error<'c>>,
    ) -> Result<(), Error<'c>> {
        self.refuse_reduction(view)?;
        let independent = self.lanes_are_independent(view);
        let obstacle = match extent {
            None => Some("its extent is not constant".to_owned()),
            Some(extent) if !independent && extent > MAX_LANES => {
                Some(format!("its lanes depend on each other and are more than {MAX_LANES}"))
            }
            Some(_) => self.obstacle(view, independent),
        };
        let (extent, obstacle) = match (extent, obstacle) {
            (Some(extent), None) => (extent, None),
            (extent, obstacle) => (extent.unwrap_or(0), obstacle),
        };
        if let Some(why) = obstacle {
            if self.options.require_vector || !independent {
                let message = format!("\"{}\" cannot be vectorized: {why} (C3)", view.name);
                return Err(Error::on(view.op, message));
            }
            self.remark_once(view.op, &format!("\"{}\" is not vectorized: {why}", view.name));
            let bounds = self.bounds(&view.extent.results, &view.operands, view.extent.dims);
            self.one_by_one.push(view.op);
            let result = self.counted_loop(view, &bounds, at, body);
            self.one_by_one.pop();
            return result;
        }
        let width = match independent {
            true => {
                let enough = extent.unsigned_abs().next_power_of_two();
                self.machine_lanes(view).min(i64::try_from(enough).unwrap_or(i64::MAX))
            }
            false => extent,
        };
        let variable = view.variable();
        let (full, rest) = (extent / width, extent % width);
        let mut chunk = |this: &mut Self, start: Expr, on: Option<i64>, at: Builder<'c>| {
            let outer = (this.lane.take(), this.mask.take());
            let start = start * width.into();
            this.atoms.push(Atom {
                value: None,
                range: Some((0, width - 1)),
                is_natural: true,
                varies: false,
            });
            let atom = this.atoms.len() - 1;
            let lane = this.simplified(&(start + Expr::Dim(atom)));
            this.indices.insert(variable, lane);
            this.lane = Some(Lane { atom, width: width as usize });
            this.mask = on.map(|on| this.first_lanes(on as usize, at));
            let result = body(this, at);
            (this.lane, this.mask) = outer;
            result
        };
        if full <= MAX_CHUNKS {
            for i in 0..full {
                chunk(self, i.into(), None, at)?;
            }
        } else {
            self.plain_loop(full, at, &mut |this, i, at| chunk(this, i, None, at))?;
        }
        if rest > 0 && self.threads.is_some() {
            // A GPU has no masks, so the tail is scalar.
            for i in full * width..extent {
                self.indices.insert(variable, i.into());
                body(self, at)?;
            }
        } else if rest > 0 {
            chunk(self, full.into(), Some(rest), at)?;
        }
        Ok(())
    }

    /// (C2)
    fn refuse_reduction(&self, view: &For<'c>) -> Result<(), Error<'c>> {
        let reduces =
            |node: NodeId| quick::reduces_over(self.state.summary(), node).map(|(_, b, i)| (b, i));
        match self.node_of(view.op).and_then(reduces) {
            None => Ok(()),
            Some((block, iter)) => {
                let message = format!(
                    "\"{}\" cannot be vectorized: its lanes would reduce into one cell, as iter \"{}\" of \
                     schedule block \"{}\" is bound to it (C2)",
                    view.name, iter.name, block.name
                );
                Err(Error::on(view.op, message))
            }
        }
    }

    fn node_of(&self, op: Op<'c>) -> Option<NodeId> {
        self.state.summary().nodes.keys().find(|node| self.state.op(*node) == op)
    }

    fn lanes_are_independent(&self, view: &For<'c>) -> bool {
        let Some(node) = self.node_of(view.op) else { return false };
        let summary = self.state.summary();
        let outer: Vec<NodeId> =
            self.one_by_one.iter().filter_map(|op| self.node_of(*op)).collect();
        if outer.is_empty() {
            return lanes::are_independent(summary, node);
        }
        let mut in_turn = summary.clone();
        for outer in outer {
            if let NodeKind::Loop(this) = &mut in_turn.nodes[outer].kind {
                this.kind = LoopKind::Serial;
            }
        }
        lanes::are_independent(&in_turn, node)
    }

    /// The reason why a loop has no vector form. Of two nested vectorized loops the inner one is vectorized,
    /// unless the lanes of the outer one depend on each other.
    fn obstacle(&self, view: &For<'c>, independent: bool) -> Option<String> {
        if self.lane.is_some() {
            return Some("it stands in a vectorized loop".into());
        }
        let is_private = |buffer: &&Op<'c>| {
            let uses = buffer.result(0).uses();
            let around = uses.into_iter().filter_map(|(user, _)| parallel_around(user));
            around.into_iter().any(|parallel| is_inside(parallel, view.op))
        };
        if let Some(buffer) = self.private.iter().find(is_private) {
            let name = Buffer::of(*buffer).map(|view| view.name).unwrap_or_default();
            return Some(format!("each iteration of a parallel loop in it has its own \"{name}\""));
        }
        if let Some(why) = self.threads.as_ref().and_then(|_| needs_masks(view)) {
            return Some(why);
        }
        for op in walk(view.op).into_iter().skip(1) {
            let why = match op.name() {
                For::NAME => {
                    let inner = For::of(op).ok()?;
                    let is_outermost = || !independent && self.lanes_are_independent(&inner);
                    if inner.kind == LoopKind::Vectorize && !is_outermost() {
                        format!("loop \"{}\" in it is vectorized", inner.name)
                    } else if inner.operands.contains(&view.variable()) {
                        format!("the extent of loop \"{}\" differs between lanes", inner.name)
                    } else {
                        continue;
                    }
                }
                If::NAME if op.operands().contains(&view.variable()) => {
                    "a 'loop.if' between loops differs between lanes".into()
                }
                ScheduleBlock::NAME if ScheduleBlock::of(op).is_ok_and(|b| b.is_nest()) => {
                    "it holds a schedule block with a nest as its body".into()
                }
                "func.call" => "it calls a function".into(),
                name if name.starts_with("loop.") || name.starts_with("memref.") => continue,
                "affine.apply" => continue,
                name if name.starts_with("arith.") || name.starts_with("math.") => continue,
                name => format!("'{name}' has no vector form"),
            };
            return Some(why);
        }
        None
    }

    /// The number of the widest accessed elements that fit in a vector register.
    fn machine_lanes(&self, view: &For<'c>) -> i64 {
        let bits = walk(view.op).into_iter().filter_map(|op| {
            let ty = match op.name() {
                "memref.load" => op.result(0).ty(),
                "memref.store" => op.operands()[0].ty(),
                _ => return None,
            };
            Some(bits_of(ty))
        });
        i64::from((self.options.vector_bits / bits.max().unwrap_or(32)).max(1))
    }

    fn first_lanes(&self, on: usize, at: Builder<'c>) -> Mask<'c> {
        let width = self.lane.as_ref().map_or(1, |lane| lane.width);
        let ty = Type::vector(width, Type::integer(self.context(), 1));
        let sizes = Attribute::dense_i64(self.context(), &[on as i64]);
        let spec = at.spec("vector.constant_mask").attribute("mask_dim_sizes", sizes);
        Mask { value: at.value(spec.results(&[ty])), first: Some(on), may_be_empty: false }
    }

    /// Masks for conditions that differ between lanes. If a condition enables a prefix of the lanes, its value
    /// in lane 0 is added to `uniform`, so that the mask is not empty.
    pub fn lane_masks(
        &self,
        conditions: &[Constraint],
        uniform: &mut Vec<Constraint>,
        at: Builder<'c>,
    ) -> Vec<Mask<'c>> {
        let Some(lane) = &self.lane else { return vec![] };
        let mut masks = vec![];
        for condition in conditions {
            let falling = match condition {
                Constraint::NonNegative(expr) => self.falling(expr, lane.atom),
                Constraint::Zero(_) => None,
            };
            let bits = Type::vector(lane.width, Type::integer(self.context(), 1));
            masks.push(match falling {
                Some((first, step)) => {
                    let in_lane_0 = Constraint::NonNegative(first.clone());
                    if !self.is_always(&in_lane_0) {
                        uniform.push(in_lane_0);
                    }
                    let on = self.simplified(&(first.floor_div(step.into()) + 1.into()));
                    let on = self.emit_index(&on, at);
                    let value = at.op("vector.create_mask", &[on], bits);
                    Mask { value, first: None, may_be_empty: false }
                }
                None => {
                    let value = self.emit_constraint(condition, at);
                    Mask { value, first: None, may_be_empty: true }
                }
            });
        }
        masks
    }

    /// For `first - step * lane` with a positive step: the value in lane 0, and the step.
    fn falling(&self, expr: &Expr, lane: usize) -> Option<(Expr, i64)> {
        let mut rest = Linear::of(expr);
        let step = rest.terms.remove(&Expr::Dim(lane)).filter(|step| *step < 0)?;
        let first = rest.to_expr();
        (!self.differs(&first)).then(|| (first, -step))
    }

    /// Restricts the active lanes to those that are active in all of these masks.
    pub fn narrow(&mut self, masks: Vec<Mask<'c>>, at: Builder<'c>) {
        for mask in masks {
            self.mask = Some(match self.mask {
                None => mask,
                // If both masks enable a prefix of the lanes, lane 0 is active in both.
                Some(outer) => Mask {
                    value: self.elementwise("arith.andi", &[outer.value, mask.value], at),
                    first: None,
                    may_be_empty: outer.may_be_empty || mask.may_be_empty,
                },
            });
        }
    }

    /// The buffer and the indices of a load or store.
    fn cell(&mut self, op: Op<'c>, first: usize, at: Builder<'c>) -> (Value<'c>, Vec<Expr>) {
        let operands = op.operands();
        let buffer = self.value_of(operands[first - 1], at);
        let indices = operands[first..].iter().map(|v| self.index_of(*v)).collect();
        (buffer, indices)
    }

    fn pattern(&self, indices: &[Expr]) -> Pattern {
        let Some(lane) = &self.lane else { return Pattern::Uniform };
        let Some((last, outer)) = indices.split_last() else { return Pattern::Uniform };
        if outer.iter().any(|e| self.differs(e)) {
            return Pattern::Scattered;
        }
        if !self.differs(last) {
            return Pattern::Uniform;
        }
        let mut rest = Linear::of(last);
        let step = rest.terms.remove(&Expr::Dim(lane.atom));
        match step == Some(1) && !self.differs(&rest.to_expr()) {
            true => Pattern::Contiguous,
            false => Pattern::Scattered,
        }
    }

    pub fn load(&mut self, op: Op<'c>, at: Builder<'c>) {
        let (buffer, indices) = self.cell(op, 1, at);
        let element = op.result(0).ty();
        let value = match self.pattern(&indices) {
            Pattern::Uniform => self.uniform_load(buffer, &indices, element, at),
            Pattern::Contiguous => {
                let ty = Type::vector(self.width(), element);
                let aligned = self.alignment(buffer, &indices, ty);
                let mut operands = vec![buffer];
                operands.extend(self.at_lane(&indices, 0, at));
                match self.mask {
                    None => {
                        let spec = at.spec("vector.load").operands(&operands).results(&[ty]);
                        at.value(aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a)))
                    }
                    Some(mask) => {
                        operands.extend([mask.value, at.constant_vector(ty, 0)]);
                        at.op("vector.maskedload", &operands, ty)
                    }
                }
            }
            Pattern::Scattered => {
                let zero = at.number(element, 0);
                let lanes: Vec<_> = (0..self.width())
                    .map(|lane| {
                        self.in_lane(lane, Some(zero), at, &|this, at| {
                            let indices = this.at_lane(&indices, lane, at);
                            Some(at.load(buffer, &indices))
                        })
                        .unwrap_or(zero)
                    })
                    .collect();
                at.op("vector.from_elements", &lanes, Type::vector(self.width(), element))
            }
        };
        self.define(op.result(0), value);
    }

    /// A scalar load for all lanes, which must not run if no lane is active.
    fn uniform_load(
        &self,
        buffer: Value<'c>,
        indices: &[Expr],
        element: Type<'c>,
        at: Builder<'c>,
    ) -> Value<'c> {
        let aligned = self.alignment_of_copy(buffer, indices);
        let load = |at: Builder<'c>| {
            let operands: Vec<_> =
                once(buffer).chain(indices.iter().map(|e| self.emit_index(e, at))).collect();
            let spec = at.spec("memref.load").operands(&operands).results(&[element]);
            at.value(aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a)))
        };
        let Some(mask) = self.mask.filter(|mask| mask.may_be_empty) else { return load(at) };
        let any = vector_reduction(at, "or", mask.value, Type::integer(self.context(), 1));
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [yes, no] = blocks.map(|block| Builder::at_end(block, at.location()));
        let loaded = load(yes);
        yes.insert(yes.spec("scf.yield").operands(&[loaded]));
        let zero = no.number(element, 0);
        no.insert(no.spec("scf.yield").operands(&[zero]));
        at.insert(scf_if(at, any, &[element], blocks)).result(0)
    }

    pub fn store(&mut self, op: Op<'c>, at: Builder<'c>) {
        let (buffer, indices) = self.cell(op, 2, at);
        let update = self.atomics.of_store(op).cloned();
        let value = match &update {
            Some(update) => self.joined_value(update, at),
            None => self.value_of(op.operands()[0], at),
        };
        let is_async = self.is_async(op);
        let aligned = self.alignment_of_copy(buffer, &indices);
        let one = |value, indices: &[Value<'c>], at: Builder<'c>| match &update {
            Some(update) => atomic::update(update.combiner, value, buffer, indices, at),
            None => {
                let operands = [&[value, buffer], indices].concat();
                let spec = at.spec("memref.store").operands(&operands);
                let spec = aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a));
                mark(at.insert(spec), is_async);
            }
        };
        let Some(width) = self.lane.as_ref().map(|lane| lane.width) else {
            let indices: Vec<_> = indices.iter().map(|e| self.emit_index(e, at)).collect();
            return one(value, &indices, at);
        };
        if update.is_none() && matches!(self.pattern(&indices), Pattern::Contiguous) {
            let value = broadcast(value, width, at);
            let streams = self.streams(op, buffer, &indices, value.ty());
            let aligned = self.alignment(buffer, &indices, value.ty()).or(streams);
            let indices = self.at_lane(&indices, 0, at);
            let mut operands = match self.mask {
                None => vec![value, buffer],
                Some(_) => vec![buffer],
            };
            operands.extend(indices);
            match self.mask {
                None => {
                    let spec = at.spec("vector.store").operands(&operands);
                    let spec = aligned.into_iter().fold(spec, |s, a| s.attribute("alignment", a));
                    let store = at.insert(match streams {
                        None => spec,
                        Some(_) => {
                            let bit = Type::integer(self.context(), 1);
                            spec.attribute("nontemporal", Attribute::integer(bit, 1))
                        }
                    });
                    mark(store, is_async)
                }
                Some(mask) => {
                    operands.extend([mask.value, value]);
                    mark(at.insert(at.spec("vector.maskedstore").operands(&operands)), is_async)
                }
            };
            return;
        }
        // Lane by lane; if several lanes store to one element, the last one takes effect.
        for lane in 0..width {
            self.in_lane(lane, None, at, &|this, at| {
                let indices = this.at_lane(&indices, lane, at);
                let element = match value.ty().lanes() {
                    Some((_, element)) => extracted(value, lane, element, at),
                    None => value,
                };
                one(element, &indices, at);
                None
            });
        }
    }

    /// True if the schedule block of a store copies asynchronously. On a CPU all copies are synchronous.
    fn is_async(&self, op: Op<'c>) -> bool {
        let mut around = parents(op);
        let block = around.find(|outer| outer.is(ScheduleBlock::NAME));
        self.threads.is_some() && block.is_some_and(|block| annotation::is_set(block, ASYNC_COPY))
    }

    /// The alignment of a non-temporal store, if its schedule block requests one; a remark if it is not
    /// possible.
    fn streams(
        &mut self,
        op: Op<'c>,
        buffer: Value<'c>,
        indices: &[Expr],
        vector: Type<'c>,
    ) -> Option<Attribute<'c>> {
        let block = parents(op).find(|outer| outer.is(ScheduleBlock::NAME))?;
        if self.threads.is_some() || !annotation::is_set(block, NONTEMPORAL) {
            return None;
        }
        // A store of less than a cache line must read the line to merge it.
        let whole = i64::from(self.options.vector_bits / 8);
        match self.proved_alignment(buffer, indices, vector).filter(|bytes| *bytes == whole) {
            Some(bytes) => Some(Attribute::integer(Type::integer(self.context(), 64), bytes)),
            None => {
                let why = "stores are not non-temporal: they are not proved to be aligned vectors";
                self.remark_once(block, why);
                None
            }
        }
    }

    fn width(&self) -> usize {
        self.lane.as_ref().map_or(1, |lane| lane.width)
    }

    /// The indices in one lane.
    fn at_lane(&self, indices: &[Expr], lane: usize, at: Builder<'c>) -> Vec<Value<'c>> {
        let Some(lanes) = &self.lane else { return vec![] };
        let place = |i: usize| if i == lanes.atom { (lane as i64).into() } else { Expr::Dim(i) };
        let emit = |expr: &Expr| {
            let value =
                self.emit_index(&self.simplified(&expr.substitute(&place, &Expr::Symbol)), at);
            match value.ty().lanes() {
                // Computed from data.
                Some((_, element)) => extracted(value, lane, element, at),
                None => value,
            }
        };
        indices.iter().map(emit).collect()
    }

    /// Emits a body for one lane, if the lane is active; `otherwise` is the value if it is inactive.
    fn in_lane(
        &self,
        lane: usize,
        otherwise: Option<Value<'c>>,
        at: Builder<'c>,
        body: &dyn Fn(&Self, Builder<'c>) -> Option<Value<'c>>,
    ) -> Option<Value<'c>> {
        let mask = match self.mask {
            None => return body(self, at),
            Some(Mask { first: Some(first), .. }) if lane < first => return body(self, at),
            Some(Mask { first: Some(_), .. }) => return otherwise,
            Some(mask) => mask,
        };
        let bit = extracted(mask.value, lane, Type::integer(self.context(), 1), at);
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [yes, no] = blocks.map(|block| Builder::at_end(block, at.location()));
        let value = body(self, yes);
        let results: Vec<_> = value.iter().map(|v| v.ty()).collect();
        yes.insert(yes.spec("scf.yield").operands(value.as_slice()));
        let other: Vec<_> = value.and(otherwise).into_iter().collect();
        no.insert(no.spec("scf.yield").operands(&other));
        at.insert(scf_if(at, bit, &results, blocks)).results().first().copied()
    }
}

/// Marks a store of an asynchronous copy, for `inject-async-copy`.
fn mark(store: Op, is_async: bool) {
    if is_async {
        store.set_attribute(inject_async_copy::MARK, Attribute::unit(store.context()));
    }
}

fn extracted<'c>(vector: Value<'c>, lane: usize, element: Type<'c>, at: Builder<'c>) -> Value<'c> {
    let position = Attribute::dense_i64(at.context(), &[lane as i64]);
    let spec = at.spec("vector.extract").operands(&[vector]).attribute("static_position", position);
    at.value(spec.results(&[element]))
}

fn bits_of(ty: Type) -> u32 {
    use crate::ir::FloatKind::*;
    match ty.kind() {
        TypeKind::Integer(bits) => bits.max(8),
        TypeKind::Float(F16 | BF16) => 16,
        TypeKind::Float(F32) => 32,
        _ => 64,
    }
}
