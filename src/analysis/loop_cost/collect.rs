//! Collects the iteration spaces of the schedule blocks of a function, and what each of their instances does.

use super::sizes::SizeTable;
use super::space::IterationSpace;
use crate::analysis::op_cost;
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope, ThreadAxis};
use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Block, Error, Op, TypeKind, Value};
use std::collections::HashMap;

/// A schedule block, with the facts that the ledger needs.
pub struct CostedBlock<'c> {
    pub name: String,
    /// The loops and conditions around it, and its own predicate.
    pub space: IterationSpace,
    pub loops: Vec<OuterLoop>,
    /// The bindings of the reduction iters, and of the spatial ones.
    pub reduce: Vec<Expr>,
    pub spatial: Vec<Expr>,
    /// The domains of the reduction iters, each as a minimum.
    pub reduce_domains: Vec<Vec<Expr>>,
    pub is_nested: bool,
    pub body: Vec<ConditionalOps<'c>>,
    pub init: Option<Vec<ConditionalOps<'c>>>,
}

/// How a loop around a block runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OuterLoop {
    InOrder,
    Parallel,
    Lanes,
}

/// Ops of a body that run under the same conditions.
#[derive(Default)]
pub struct ConditionalOps<'c> {
    /// The conditions of the `loop.if` ops around them in the body, over the loops of the space.
    pub conditions: Vec<Constraint>,
    pub excluded: Vec<Vec<Constraint>>,
    /// True if a condition depends on data.
    pub is_uncertain: bool,
    pub float_ops: i128,
    pub int_ops: i128,
    pub accesses: Vec<CountedAccess<'c>>,
}

/// A load or store.
pub struct CountedAccess<'c> {
    pub buffer: Value<'c>,
    pub scope: Scope,
    pub bytes: i128,
    pub is_store: bool,
    /// Over the loops; `None` if an index depends on data.
    pub indices: Vec<Option<Expr>>,
}

/// The contents of ops at the top level of a function.
pub struct FunctionContents<'c> {
    pub blocks: Vec<CostedBlock<'c>>,
    /// Ops at function level that are not counted, by name.
    pub others: Vec<String>,
}

/// The schedule blocks in ops at the top level of a function, in program order.
pub fn collect<'c>(
    ops: &[Op<'c>],
    sizes: &mut SizeTable<'c>,
) -> Result<FunctionContents<'c>, Error<'c>> {
    let mut collector = Collector {
        sizes,
        known: HashMap::new(),
        found: FunctionContents { blocks: vec![], others: vec![] },
    };
    collector.nodes(ops, &WalkPosition::default())?;
    Ok(collector.found)
}

struct Collector<'c, 'a> {
    sizes: &'a mut SizeTable<'c>,
    /// Loop variables and iters, as expressions over loop variables.
    known: HashMap<Value<'c>, Expr>,
    found: FunctionContents<'c>,
}

/// The position of a walk.
#[derive(Clone, Default)]
struct WalkPosition {
    space: IterationSpace,
    loops: Vec<OuterLoop>,
    is_nested: bool,
}

impl<'c> Collector<'c, '_> {
    fn nodes(&mut self, ops: &[Op<'c>], place: &WalkPosition) -> Result<(), Error<'c>> {
        for &op in ops {
            match op.name() {
                For::NAME => self.loop_node(&For::of(op)?, place)?,
                ScheduleBlock::NAME => self.block(&ScheduleBlock::of(op)?, place)?,
                If::NAME => {
                    let view = If::of(op)?;
                    let operands = view.operands.iter().map(|v| Some(self.outer(*v))).collect();
                    let (conditions, _) = conditions(&view, operands);
                    let mut under = place.clone();
                    under.space.conditions.extend(conditions.iter().cloned());
                    self.nodes(&view.then_body.ops(), &under)?;
                    if let Some(body) = view.else_body {
                        let mut under = place.clone();
                        let IterationSpace { conditions: hold, excluded, .. } = &mut under.space;
                        exclude(conditions, hold, excluded);
                        self.nodes(&body.ops(), &under)?;
                    }
                }
                "loop.yield" | "loop.init" | "loop.sync" | "loop.buffer" | "arith.constant"
                | "memref.dim" | "memref.get_global" | "func.return" => {}
                name => {
                    if !self.found.others.iter().any(|other| other == name) {
                        self.found.others.push(name.to_owned());
                    }
                }
            }
        }
        Ok(())
    }

    fn loop_node(&mut self, view: &For<'c>, place: &WalkPosition) -> Result<(), Error<'c>> {
        let operands: Vec<Expr> = view.operands.iter().map(|v| self.outer(*v)).collect();
        let extent = |e: &Expr| over(e, &operands, view.extent.dims).simplified();
        let mut under = place.clone();
        self.known.insert(view.variable(), Expr::Dim(under.space.extents.len()));
        under.space.extents.push(view.extent.results.iter().map(extent).collect());
        under.loops.push(match (view.kind, view.thread) {
            (LoopKind::Vectorize, _) => OuterLoop::Lanes,
            (LoopKind::Parallel, _) => OuterLoop::Parallel,
            (LoopKind::ThreadBind, Some(axis)) if axis != ThreadAxis::VThread => {
                OuterLoop::Parallel
            }
            _ => OuterLoop::InOrder,
        });
        self.nodes(&view.body.ops(), &under)
    }

    fn block(&mut self, view: &ScheduleBlock<'c>, place: &WalkPosition) -> Result<(), Error<'c>> {
        let operands: Vec<Expr> =
            view.binds.iter().chain(&view.sizes).map(|v| self.outer(*v)).collect();
        let binds = view.binds.len();
        let mut under = place.clone();
        for condition in view.predicate.iter().flat_map(|set| &set.constraints) {
            let expr = over(condition.expr(), &operands, binds).simplified();
            under.space.conditions.push(condition.on(expr));
        }
        let (mut reduce, mut spatial, mut reduce_domains) = (vec![], vec![], vec![]);
        for (iter, binding) in view.iters.iter().zip(&view.binding) {
            let binding = over(binding, &operands, binds).simplified();
            self.known.insert(iter.variable, binding.clone());
            if iter.role == IterRole::Reduce {
                reduce.push(binding);
                let domain = iter.domain.iter().map(|e| over(e, &operands[binds..], 0));
                reduce_domains.push(domain.map(|e| e.simplified()).collect());
            } else {
                spatial.push(binding);
            }
        }
        let init = view.init().and_then(|init| init.body(0)).map(|body| self.leaf(body));
        let body = if view.is_nest() { vec![] } else { self.leaf(view.body) };
        self.found.blocks.push(CostedBlock {
            name: view.name.to_owned(),
            space: under.space.clone(),
            loops: under.loops.clone(),
            reduce,
            spatial,
            reduce_domains,
            is_nested: place.is_nested,
            body,
            init,
        });
        if view.is_nest() {
            under.is_nested = true;
            self.nodes(&view.body.ops(), &under)?;
        }
        Ok(())
    }

    /// The parts of a body without nested schedule blocks.
    fn leaf(&mut self, body: Block<'c>) -> Vec<ConditionalOps<'c>> {
        let mut parts = vec![];
        self.steps(body, ConditionalOps::default(), &mut parts);
        parts.retain(|part| part.float_ops + part.int_ops > 0 || !part.accesses.is_empty());
        parts
    }

    fn steps(
        &mut self,
        body: Block<'c>,
        mut part: ConditionalOps<'c>,
        parts: &mut Vec<ConditionalOps<'c>>,
    ) {
        for op in body.ops() {
            match op.name() {
                "loop.init" => {}
                "memref.load" => {
                    let operands = op.operands();
                    part.accesses.push(self.access(operands[0], &operands[1..], false));
                }
                "memref.store" => {
                    let operands = op.operands();
                    part.accesses.push(self.access(operands[1], &operands[2..], true));
                }
                If::NAME => {
                    let Ok(view) = If::of(op) else { continue };
                    let operands = view.operands.iter().map(|v| self.index(*v)).collect();
                    let (conditions, is_known) = conditions(&view, operands);
                    let inside = || ConditionalOps {
                        conditions: part.conditions.clone(),
                        excluded: part.excluded.clone(),
                        is_uncertain: part.is_uncertain || !is_known,
                        ..ConditionalOps::default()
                    };
                    let mut taken = inside();
                    taken.conditions.extend(conditions.iter().cloned());
                    self.steps(view.then_body, taken, parts);
                    if let Some(body) = view.else_body {
                        let mut other = inside();
                        // If not all conditions are known, it is unknown when one of them does not hold.
                        if is_known {
                            exclude(conditions, &mut other.conditions, &mut other.excluded);
                        }
                        self.steps(body, other, parts);
                    }
                }
                _ => match operations(op) {
                    (number, true) => part.float_ops += number,
                    (number, false) => part.int_ops += number,
                },
            }
        }
        parts.push(part);
    }

    fn access(
        &mut self,
        buffer: Value<'c>,
        indices: &[Value<'c>],
        is_store: bool,
    ) -> CountedAccess<'c> {
        let element = buffer.ty().shaped().map(|(_, element)| element);
        CountedAccess {
            buffer,
            scope: scope(buffer),
            bytes: element.map_or(0, |element| op_cost::bytes_of(element).into()),
            is_store,
            indices: indices.iter().map(|index| self.index(*index)).collect(),
        }
    }

    /// An operand of a loop or block: a loop variable, an iter of a block around, or a size.
    fn outer(&mut self, value: Value<'c>) -> Expr {
        match self.known.get(&value) {
            Some(expr) => expr.clone(),
            None => self.sizes.value(value),
        }
    }

    /// An index value of a body, if it is an expression over loops and sizes.
    fn index(&mut self, value: Value<'c>) -> Option<Expr> {
        if let Some(expr) = self.known.get(&value) {
            return Some(expr.clone());
        }
        let op = value.defining_op();
        match op.map(|op| op.name()) {
            None | Some("arith.constant" | "memref.dim") => Some(self.sizes.value(value)),
            Some("affine.apply") => {
                let op = op?;
                let map = op.attribute("map").and_then(Attribute::as_map)?;
                let operands: Option<Vec<Expr>> =
                    op.operands().iter().map(|v| self.index(*v)).collect();
                Some(over(map.results.first()?, &operands?, map.dims).simplified())
            }
            Some(_) => None,
        }
    }
}

/// The known conditions of a branch, and true if all are known.
fn conditions(view: &If, operands: Vec<Option<Expr>>) -> (Vec<Constraint>, bool) {
    let dims = view.condition.dims;
    let known = |condition: &Constraint| {
        let mut is_known = true;
        condition.expr().visit_leaves(&mut |leaf| {
            is_known &= match leaf {
                Expr::Dim(i) => operands[*i].is_some(),
                Expr::Symbol(i) => operands[dims + i].is_some(),
                _ => true,
            }
        });
        let values: Vec<Expr> =
            operands.iter().map(|e| e.clone().unwrap_or(Expr::Constant(0))).collect();
        is_known.then(|| condition.on(over(condition.expr(), &values, dims).simplified()))
    };
    let all: Vec<Option<Constraint>> = view.condition.constraints.iter().map(known).collect();
    let is_known = all.iter().all(Option::is_some);
    (all.into_iter().flatten().collect(), is_known)
}

/// Adds that at least one of some conditions does not hold. For a single inequality this is its negation.
fn exclude(
    conditions: Vec<Constraint>,
    hold: &mut Vec<Constraint>,
    excluded: &mut Vec<Vec<Constraint>>,
) {
    match &conditions[..] {
        [Constraint::NonNegative(expr)] => {
            let opposite = (expr.clone() * (-1).into() - 1.into()).simplified();
            hold.push(Constraint::NonNegative(opposite));
        }
        _ => excluded.push(conditions),
    }
}

/// An expression in which operands replace its dims, and then its symbols.
fn over(expr: &Expr, operands: &[Expr], dims: usize) -> Expr {
    expr.substitute(&|i| operands[i].clone(), &|i| operands[dims + i].clone())
}

/// The memory that a buffer is in: arguments and constants are global.
pub fn scope(buffer: Value) -> Scope {
    let op = buffer.defining_op().filter(|op| op.is(BufferView::NAME));
    op.and_then(|op| BufferView::of(op).ok()).map_or(Scope::Global, |view| view.scope)
}

/// The number of operations of an op, and true if they are on floats.
fn operations(op: Op) -> (i128, bool) {
    let mut values = op.operands().into_iter().chain(op.results());
    let is_float = values.any(|value| matches!(value.ty().kind(), TypeKind::Float(_)));
    (op_cost::operations(op).into(), is_float)
}
