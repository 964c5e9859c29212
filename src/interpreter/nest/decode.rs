//! Decodes the ops of a nest into a program.

use super::program::*;
use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind, Scope, ThreadAxis};
use crate::dialect::loop_op::{
    AccessRegion, BufferView, For, If, RegionDim, ScheduleBlock, buffer_name,
};
use crate::dialect::reducer::arg_update;
use crate::dialect::reducer::update::Update;
use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::Datum;
use crate::ir::affine::{Expr, IntegerSet};
use crate::ir::{Attribute, Block as IrBlock, Error, Op, TypeKind, Value, is_inside, parents};
use std::collections::HashMap;

pub fn decode<'c>(op: Op<'c>, env: &Env<'c>) -> Result<NestProgram<'c>, Error<'c>> {
    let program = NestProgram {
        body: vec![],
        ints: vec![],
        scalars: vec![],
        buffers: vec![],
        loops: vec![],
        is_unordered: false,
        is_kernel: false,
        blocks: 0,
    };
    let (places, buffers, calls) = (HashMap::new(), HashMap::new(), vec![]);
    let (around, loops_behind) = (vec![], HashMap::new());
    let mut decoder = NestDecoder { env, program, places, buffers, calls, around, loops_behind };
    let body = decoder.nodes(&[op])?;
    decoder.program.body = body;
    Ok(decoder.program)
}

pub(super) struct NestDecoder<'e, 'c> {
    env: &'e Env<'c>,
    program: NestProgram<'c>,
    places: HashMap<Value<'c>, ProgramOperand>,
    buffers: HashMap<Value<'c>, usize>,
    /// The functions whose bodies are being decoded, to detect recursion.
    calls: Vec<Op<'c>>,
    /// The enclosing loops, outermost first: slot, number and axis.
    around: Vec<(usize, usize, Option<ThreadAxis>)>,
    /// For the slot of each iter: the slots of the loops that it is bound to, directly or through iters of enclosing
    /// blocks.
    loops_behind: HashMap<usize, Vec<usize>>,
}

impl<'c> NestDecoder<'_, 'c> {
    fn nodes(&mut self, ops: &[Op<'c>]) -> Result<Vec<ProgramNode<'c>>, Error<'c>> {
        let mut nodes = vec![];
        for op in ops {
            match op.name() {
                "loop.for" => nodes.push(ProgramNode::Loop(self.loop_node(&For::of(*op)?)?)),
                "loop.block" => {
                    nodes.push(ProgramNode::Block(self.block(&ScheduleBlock::of(*op)?)?))
                }
                "loop.if" => nodes.push(ProgramNode::If(self.branch(*op)?)),
                "loop.sync" => nodes.push(ProgramNode::Sync(*op)),
                // Constants are decoded where they are used.
                "loop.yield" | "arith.constant" => {}
                _ => return Err(unknown(*op)),
            }
        }
        Ok(nodes)
    }

    fn loop_node(&mut self, view: &For<'c>) -> Result<ProgramLoop<'c>, Error<'c>> {
        let extent = self.exprs(view.op, &view.extent.results, &view.operands, view.extent.dims)?;
        let slot = self.new_int(view.variable());
        let id = self.program.loops.len();
        self.program.loops.push(view.name.to_owned());
        self.program.is_kernel |= view.thread.is_some();
        self.program.is_unordered |= !matches!(view.kind, LoopKind::Serial | LoopKind::Unroll);
        // A reduction over one iteration is no cross-thread reduction.
        let is_one = view.extent.results.iter().filter_map(Expr::constant).any(|n| n <= 1);
        self.around.push((slot, id, view.thread.filter(|_| !is_one)));
        let body = self.nodes(&view.body.ops())?;
        self.around.pop();
        if view.thread == Some(ThreadAxis::VThread) {
            self.note_shared(view.op, id);
        }
        let has_sync = body.iter().any(has_sync);
        let has_init = body.iter().any(has_init);
        let (op, kind, thread) = (view.op, view.kind, view.thread);
        Ok(ProgramLoop { op, id, kind, thread, slot, extent, body, has_sync, has_init })
    }

    /// Marks the buffers that are used outside of a `vthread` loop too. A schedule block around the loop may mention them
    /// as well; it is no use.
    fn note_shared(&mut self, around: Op<'c>, id: usize) {
        let is_buffer =
            |value: &Value| value.defining_op().is_some_and(|op| op.is(BufferView::NAME));
        for (value, slot) in self.buffers.iter().filter(|(value, _)| is_buffer(value)) {
            let uses = value.uses().into_iter().filter(|(user, _)| !user.is(ScheduleBlock::NAME));
            if !uses.map(|(user, _)| user).all(|user| is_inside(user, around)) {
                self.program.buffers[*slot].shared_in.push(id);
            }
        }
    }

    fn branch(&mut self, op: Op<'c>) -> Result<ProgramBranch<'c, Vec<ProgramNode<'c>>>, Error<'c>> {
        let view = If::of(op)?;
        let then_body = self.nodes(&view.then_body.ops())?;
        let else_body = match view.else_body {
            Some(body) => self.nodes(&body.ops())?,
            None => vec![],
        };
        let has_sync = then_body.iter().chain(&else_body).any(has_sync);
        let (condition, operands) = self.condition(&view)?;
        Ok(ProgramBranch { op, condition, operands, then_body, else_body, has_sync })
    }

    fn condition(&mut self, view: &If<'c>) -> Result<(IntegerSet, Vec<ProgramOperand>), Error<'c>> {
        let operands = self.operands(view.op, &view.operands)?;
        Ok((view.condition.clone(), operands))
    }

    fn block(&mut self, view: &ScheduleBlock<'c>) -> Result<ProgramBlock<'c>, Error<'c>> {
        let op = view.op;
        let outer: Vec<Value<'c>> = view.binds.iter().chain(&view.sizes).copied().collect();
        let n = view.binds.len();
        let bindings = self.exprs(op, &view.binding, &outer, n)?;
        let predicate = match &view.predicate {
            None => None,
            Some(set) => Some(self.set(op, set, &outer)?),
        };
        let mut iters = vec![];
        for (iter, binding) in view.iters.iter().zip(bindings) {
            let slot = self.new_int(iter.variable);
            let mut behind = vec![];
            binding.visit_leaves(&mut |leaf| {
                if let Expr::Dim(of) = leaf {
                    match self.loops_behind.get(of) {
                        Some(loops) => behind.extend(loops),
                        None => behind.push(*of),
                    }
                }
            });
            self.loops_behind.insert(slot, behind);
            iters.push(ProgramIter {
                name: iter.name.clone(),
                slot,
                is_reduce: iter.role == IterRole::Reduce,
                binding,
                domain: self.exprs(op, &iter.domain, &view.sizes, 0)?,
            });
        }
        let mut regions = vec![];
        for (list, is_write) in [(&view.reads, false), (&view.writes, true)] {
            for region in list {
                regions.push(self.region(view, region, is_write)?);
            }
        }
        let id = self.program.blocks;
        self.program.blocks += 1;
        let init = match view.init().and_then(|init| init.body(0)) {
            // Constants that precede the init are part of the body, and the init may use them.
            Some(body) => Some(self.steps(body)?),
            None => None,
        };
        let body = match view.is_nest() {
            true => ProgramBody::Nest(self.nodes(&view.body.ops())?),
            false => ProgramBody::Leaf(self.steps(view.body)?),
        };
        let combines = view.reducer.as_ref().is_some_and(|reducer| {
            let is_in_order = |c: &Combiner| match c {
                Combiner::Ordered => true,
                Combiner::ArgMax | Combiner::ArgMin => {
                    !arg_update::of_block(view).is_some_and(|update| update.breaks_ties)
                }
                _ => false,
            };
            !reducer.combiners.iter().any(is_in_order)
        });
        let atomic = self.atomic(view)?;
        let is_across = combines && atomic.is_empty();
        let across = if is_across { self.cross_thread_reduction(&iters, &body) } else { None };
        let name = view.name.to_owned();
        Ok(ProgramBlock { op, id, name, iters, predicate, regions, init, body, across, atomic })
    }

    /// The buffers whose elements a block updates atomically.
    fn atomic(&mut self, view: &ScheduleBlock<'c>) -> Result<Vec<usize>, Error<'c>> {
        let updates = Update::atomic(view).into_iter();
        updates.map(|update| self.buffer(view.op, update.store.operand(1))).collect()
    }

    /// The cross-thread reduction of a leaf, if it has one: some reduce iters are bound to threads or thread blocks
    /// that share the result buffer. `None` if each thread or thread block has its own instance of the result.
    fn cross_thread_reduction(
        &self,
        iters: &[ProgramIter],
        body: &ProgramBody<'c>,
    ) -> Option<Across> {
        let ProgramBody::Leaf(steps) = body else { return None };
        let binds = |slot: usize, is_reduce: bool| {
            let mut iters = iters.iter().filter(|iter| iter.is_reduce == is_reduce);
            iters.any(|iter| self.loops_behind[&iter.slot].contains(&slot))
        };
        let only_reduces = |slot: usize| binds(slot, true) && !binds(slot, false);
        let mut into = vec![];
        stored(steps, &mut into);
        let is_private = |axis: ThreadAxis, buffer: &usize| {
            let scope = self.program.buffers[*buffer].scope;
            scope == Scope::Local || scope == Scope::Shared && axis.is_block()
        };
        let together = self.around.iter().filter(|(slot, ..)| only_reduces(*slot));
        let bound: Vec<_> = together
            .filter_map(|(_, id, axis)| Some((*id, (*axis)?)))
            .filter(|(_, axis)| *axis != ThreadAxis::VThread)
            .filter(|(_, axis)| !into.iter().any(|buffer| is_private(*axis, buffer)))
            .collect();
        // Also loops that spatial iters are bound to: for one point, their iterations continue its reduction.
        let reduces = self.around.iter().filter(|(slot, ..)| binds(*slot, true));
        let reduces = reduces.map(|(_, id, _)| *id).collect();
        (!bound.is_empty()).then_some(Across { reduces, bound, into })
    }

    fn region(
        &mut self,
        view: &ScheduleBlock<'c>,
        region: &AccessRegion<'c>,
        is_write: bool,
    ) -> Result<Region, Error<'c>> {
        let iters: Vec<Value<'c>> = view.iters.iter().map(|iter| iter.variable).collect();
        let values: Vec<Value<'c>> = iters.iter().chain(&view.sizes).copied().collect();
        let mut spans = vec![];
        for span in &region.spans {
            spans.push(match span {
                RegionDim::Whole => None,
                RegionDim::Range { offset, extent } => {
                    let offset =
                        self.exprs(view.op, std::slice::from_ref(offset), &values, iters.len())?;
                    let extent =
                        self.exprs(view.op, std::slice::from_ref(extent), &view.sizes, 0)?;
                    offset.into_iter().next().zip(extent.into_iter().next())
                }
            });
        }
        Ok(Region { buffer: self.buffer(view.op, region.buffer)?, is_write, spans })
    }

    pub(super) fn steps(&mut self, body: IrBlock<'c>) -> Result<Vec<LeafStep<'c>>, Error<'c>> {
        let mut steps = vec![];
        for op in body.ops() {
            let operands = op.operands();
            let step = match op.name() {
                "loop.yield" | "loop.init" | "func.return" | "scf.yield" | "scf.condition" => {
                    continue;
                }
                "func.call" => {
                    steps.extend(self.call(op)?);
                    continue;
                }
                "memref.load" => LeafStep::Load {
                    op,
                    buffer: self.buffer(op, operands[0])?,
                    indices: self.operands(op, &operands[1..])?,
                    to: self.new_scalar(op.result(0)),
                },
                "memref.store" => LeafStep::Store {
                    op,
                    value: self.operands(op, &operands[..1])?[0],
                    buffer: self.buffer(op, operands[1])?,
                    indices: self.operands(op, &operands[2..])?,
                },
                "affine.apply" => {
                    let map = op.attribute("map").and_then(Attribute::as_map);
                    let map = map.ok_or_else(|| unknown(op))?;
                    let operands = self.operands(op, &operands)?;
                    let symbol = |i: usize| Expr::Dim(map.dims + i);
                    let expr = map.results[0].substitute(&Expr::Dim, &symbol);
                    let to = ProgramOperand::Int(self.new_int(op.result(0)));
                    LeafStep::Apply { op, expr, operands, to }
                }
                "loop.if" => self.leaf_if(op)?,
                "scf.if" | "scf.for" | "scf.while" => LeafStep::ControlFlow(self.control_flow(op)?),
                "cf.assert" => LeafStep::Assert { op, condition: self.operand(op, operands[0])? },
                _ => {
                    let each = ScalarOp::each(op)?.ok_or_else(|| unknown(op))?;
                    let operands = self.operands(op, &operands)?;
                    for (action, result) in each.into_iter().zip(op.results()) {
                        let (operands, to) = (operands.clone(), self.new_scalar(result));
                        steps.push(LeafStep::Scalar { op, action, operands, to });
                    }
                    continue;
                }
            };
            steps.push(step);
        }
        Ok(steps)
    }

    /// A call in a leaf: the steps of the function on the call's arguments.
    fn call(&mut self, op: Op<'c>) -> Result<Vec<LeafStep<'c>>, Error<'c>> {
        let name = op.attribute("callee").and_then(Attribute::as_symbol).unwrap_or_default();
        let module = parents(op).find(|parent| parent.is("builtin.module"));
        let functions = module.and_then(|module| module.body(0)).map(IrBlock::ops);
        let is_called =
            |function: &Op| function.is("func.func") && function.symbol_name() == Some(name);
        let function = functions.unwrap_or_default().into_iter().find(is_called);
        let blocks = |function: Op<'c>| function.regions().first().map(|region| region.blocks());
        let Some((function, [body])) =
            function.and_then(|f| Some((f, <[IrBlock; 1]>::try_from(blocks(f)?).ok()?)))
        else {
            return Err(unknown(op));
        };
        if self.calls.contains(&function) {
            return Err(Error::beyond(op, "calls a function that calls itself"));
        }
        let mut steps = vec![];
        for (argument, value) in body.arguments().into_iter().zip(op.operands()) {
            if argument.ty().is_memref() {
                let slot = self.buffer(op, value)?;
                self.buffers.insert(argument, slot);
            } else {
                let from = self.operand(op, value)?;
                steps.push(LeafStep::Copy { from, to: self.new_scalar(argument) });
            }
        }
        self.calls.push(function);
        let inner = self.steps(body);
        self.calls.pop();
        steps.extend(inner.map_err(|error| error.note(op.location(), "called from here"))?);
        let returned = body.terminator().map(|end| end.operands()).unwrap_or_default();
        for (result, value) in op.results().into_iter().zip(returned) {
            let from = self.operand(op, value)?;
            steps.push(LeafStep::Copy { from, to: self.new_scalar(result) });
        }
        Ok(steps)
    }

    /// A `loop.if` in a leaf: each branch ends by copying what it yields to the results.
    fn leaf_if(&mut self, op: Op<'c>) -> Result<LeafStep<'c>, Error<'c>> {
        let view = If::of(op)?;
        let (condition, operands) = self.condition(&view)?;
        let results: Vec<_> = op.results().into_iter().map(|r| self.new_scalar(r)).collect();
        let mut branch = |body: Option<IrBlock<'c>>| -> Result<Vec<LeafStep<'c>>, Error<'c>> {
            let Some(body) = body else { return Ok(vec![]) };
            let mut steps = self.steps(body)?;
            let yielded = body.terminator().map(|end| end.operands()).unwrap_or_default();
            let copies = self.operands(op, &yielded)?.into_iter().zip(&results);
            steps.extend(copies.map(|(from, to)| LeafStep::Copy { from, to: *to }));
            Ok(steps)
        };
        let (then_body, else_body) = (branch(Some(view.then_body))?, branch(view.else_body)?);
        Ok(LeafStep::If(ProgramBranch {
            op,
            condition,
            operands,
            then_body,
            else_body,
            has_sync: false,
        }))
    }

    /// Expressions over values (the first `dims` are dims, the others symbols), rewritten over slots.
    fn exprs(
        &mut self,
        op: Op<'c>,
        exprs: &[Expr],
        values: &[Value<'c>],
        dims: usize,
    ) -> Result<Vec<Expr>, Error<'c>> {
        let mut slots = vec![];
        for value in values {
            match self.operand(op, *value)? {
                ProgramOperand::Int(slot) => slots.push(Expr::Dim(slot)),
                ProgramOperand::Scalar(_) => {
                    return Err(Error::on(op, "has a size that is not an index"));
                }
            }
        }
        let expr = |e: &Expr| e.substitute(&|i| slots[i].clone(), &|i| slots[dims + i].clone());
        Ok(exprs.iter().map(expr).collect())
    }

    fn set(
        &mut self,
        op: Op<'c>,
        set: &IntegerSet,
        values: &[Value<'c>],
    ) -> Result<IntegerSet, Error<'c>> {
        let exprs: Vec<Expr> = set.constraints.iter().map(|c| c.expr().clone()).collect();
        let exprs = self.exprs(op, &exprs, values, set.dims)?;
        let constraints = set.constraints.iter().zip(exprs).map(|(old, expr)| old.on(expr));
        let constraints = constraints.collect();
        Ok(IntegerSet { dims: self.program.ints.len(), symbols: 0, constraints })
    }

    pub(super) fn operands(
        &mut self,
        op: Op<'c>,
        values: &[Value<'c>],
    ) -> Result<Vec<ProgramOperand>, Error<'c>> {
        values.iter().map(|value| self.operand(op, *value)).collect()
    }

    /// The operand for a value; a value defined outside of the nest gets a slot of its own.
    fn operand(&mut self, op: Op<'c>, value: Value<'c>) -> Result<ProgramOperand, Error<'c>> {
        if let Some(place) = self.places.get(&value) {
            return Ok(*place);
        }
        let constant = value.defining_op().filter(|op| op.is("arith.constant"));
        let scalar = match constant {
            Some(constant) => match ScalarOp::of(constant)? {
                Some(action) => {
                    action.apply(&[]).map_err(|message| Error::on(constant, message))?
                }
                None => return Err(unknown(constant)),
            },
            None => self.env.scalar(op, value)?,
        };
        Ok(match scalar {
            Scalar::Int(number) if value.ty().is_index() => {
                let slot = self.new_int(value);
                self.program.ints[slot] = number;
                ProgramOperand::Int(slot)
            }
            scalar => {
                let place = self.new_scalar(value);
                if let Some(last) = self.program.scalars.last_mut() {
                    *last = scalar;
                }
                place
            }
        })
    }

    fn new_int(&mut self, value: Value<'c>) -> usize {
        let slot = self.program.ints.len();
        self.program.ints.push(0);
        self.places.insert(value, ProgramOperand::Int(slot));
        slot
    }

    pub(super) fn new_scalar(&mut self, value: Value<'c>) -> ResultSlot {
        let place = ProgramOperand::Scalar(self.program.scalars.len());
        self.program.scalars.push(Scalar::Undefined);
        self.places.insert(value, place);
        place
    }

    fn buffer(&mut self, op: Op<'c>, value: Value<'c>) -> Result<usize, Error<'c>> {
        if let Some(slot) = self.buffers.get(&value) {
            return Ok(*slot);
        }
        let Datum::Buffer(array) = self.env.get(op, value)? else {
            return Err(Error::on(op, "accesses a value that is not a buffer"));
        };
        let scope = match value.defining_op().filter(|op| op.is(BufferView::NAME)) {
            Some(op) => BufferView::of(op)?.scope,
            None => Scope::Global,
        };
        let slot = self.program.buffers.len();
        let name = buffer_name(value);
        let shared_in = vec![];
        self.program.buffers.push(BufferSlot { name, scope, shared_in, array: array.clone() });
        self.buffers.insert(value, slot);
        Ok(slot)
    }
}

fn unknown(op: Op) -> Error {
    match op.results().iter().any(|r| r.ty().kind() == TypeKind::Other) {
        true => Error::beyond(op, "has a type that the interpreter does not support"),
        false => Error::beyond(op, "is not supported by the interpreter in a loop nest"),
    }
}

fn has_sync(node: &ProgramNode) -> bool {
    match node {
        ProgramNode::Sync(_) => true,
        ProgramNode::Loop(inner) => inner.has_sync,
        ProgramNode::If(branch) => branch.has_sync,
        ProgramNode::Block(block) => match &block.body {
            ProgramBody::Nest(nodes) => nodes.iter().any(has_sync),
            ProgramBody::Leaf(_) => false,
        },
    }
}

/// The buffers that steps store to.
fn stored(steps: &[LeafStep], buffers: &mut Vec<usize>) {
    for step in steps {
        match step {
            LeafStep::Store { buffer, .. } => buffers.push(*buffer),
            LeafStep::If(branch) => {
                stored(&branch.then_body, buffers);
                stored(&branch.else_body, buffers);
            }
            LeafStep::ControlFlow(inner) => {
                inner.regions.iter().for_each(|region| stored(&region.steps, buffers));
            }
            _ => {}
        }
    }
}

fn has_init(node: &ProgramNode) -> bool {
    match node {
        ProgramNode::Sync(_) => false,
        ProgramNode::Loop(inner) => inner.has_init,
        ProgramNode::If(branch) => branch.then_body.iter().chain(&branch.else_body).any(has_init),
        ProgramNode::Block(block) => block.init.is_some(),
    }
}
