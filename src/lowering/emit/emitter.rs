//! The emitter: lowers loops, schedule blocks and branches.

use super::atomic::Atomics;
use super::bound::Threads;
use super::collective::Collective;
use super::init::Inits;
use super::prefetch;
use super::vector::{Lane, Mask};
use crate::dialect::annotation::{self, ASYNC_COPY, NONTEMPORAL};
use crate::dialect::loop_enums::{IterRole, LoopKind, ThreadAxis};
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::dialect::reducer::update::ATOMIC;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{
    Attribute, Block, Builder, Context, Error, Op, OpSpec, Region, Type, Value, parents, remark,
    walk,
};
use crate::lowering::cpu::line_info;
use crate::lowering::cpu::loop_to_scf::Options;
use crate::machine::intrinsic::ANNOTATION;
use crate::nest::summary::VariableId;
use crate::nest::summary::mentions;
use crate::schedule::State;
use std::collections::HashMap;

/// The most copies of a body that nested unrolled loops may make; beyond it, a loop is not unrolled.
pub const MAX_COPIES: i64 = 1024;

/// An index value that expressions refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom<'c> {
    /// `None` for the lane number.
    pub value: Option<Value<'c>>,
    /// The values it can take, both ends included.
    pub range: Option<(i64, i64)>,
    pub is_natural: bool,
    /// True if the value may differ between the threads of a block.
    pub varies: bool,
}

/// The state of the lowering of a function.
pub(crate) struct Emitter<'c> {
    pub options: Options,
    pub state: State<'c>,
    pub inits: Inits<'c>,
    pub atomics: Atomics<'c>,
    /// The values that [`Expr::Dim`] refers to.
    pub atoms: Vec<Atom<'c>>,
    /// The values that [`Expr::Symbol`] refers to.
    pub sizes: Vec<Value<'c>>,
    /// Loop variables, iters and other index values of the old function.
    pub indices: HashMap<Value<'c>, Expr>,
    /// Other values of the old function, including buffers.
    pub values: HashMap<Value<'c>, Value<'c>>,
    /// Buffers that are private to the iterations of a parallel loop.
    pub private: Vec<Op<'c>>,
    /// The threads of the current kernel; `None` on a CPU.
    pub threads: Option<Threads<'c>>,
    /// Cross-thread reductions; empty on a CPU.
    pub collectives: Vec<Collective<'c>>,
    /// Enclosing vectorized loops that run one lane after the other.
    pub one_by_one: Vec<Op<'c>>,
    pub lane: Option<Lane>,
    pub mask: Option<Mask<'c>>,
    /// True in a parallel loop.
    pub is_parallel: bool,
    /// The number of copies that the enclosing unrolled loops make of the current code.
    pub copies: i64,
    /// Loops with their emitted remarks: copies of a loop repeat none.
    pub remarked: Vec<(Op<'c>, String)>,
}

/// Emits the body of a loop.
pub(crate) type Body<'e, 'c> =
    &'e mut dyn FnMut(&mut Emitter<'c>, Builder<'c>) -> Result<(), Error<'c>>;

impl<'c> Emitter<'c> {
    pub fn new(state: State<'c>, options: Options) -> Self {
        Emitter {
            options,
            inits: Inits::plan(&state),
            atomics: Atomics::plan(&state),
            state,
            atoms: vec![],
            sizes: vec![],
            indices: HashMap::new(),
            values: HashMap::new(),
            private: vec![],
            threads: None,
            collectives: vec![],
            one_by_one: vec![],
            lane: None,
            mask: None,
            is_parallel: false,
            copies: 1,
            remarked: vec![],
        }
    }

    pub fn context(&self) -> Context<'c> {
        self.state.context()
    }

    /// A builder with the location of an op. In a kernel, the location names the enclosing loops and schedule
    /// block.
    pub fn located(&self, at: Builder<'c>, op: Op<'c>) -> Builder<'c> {
        match self.threads {
            Some(_) => at.at(op.location().named(&line_info::place(op))),
            None => at.at(op.location()),
        }
    }

    /// Lowers loops, schedule blocks and the branches between them.
    pub fn nest(&mut self, ops: Vec<Op<'c>>, at: Builder<'c>) -> Result<(), Error<'c>> {
        for op in ops {
            let at = self.located(at, op);
            let is_known = |key: &str, value: Attribute| {
                let is_stream = key == NONTEMPORAL && value.as_i64().is_some();
                let is_of_cpu = key == ANNOTATION || is_stream || prefetch::is_key(key);
                let is_of_gpu = key == ASYNC_COPY && op.is(ScheduleBlock::NAME);
                key == ATOMIC || if self.threads.is_some() { is_of_gpu } else { is_of_cpu }
            };
            let entries = annotation::entries(op).into_iter();
            let unknown: Vec<&str> =
                entries.filter(|(key, value)| !is_known(key, *value)).map(|(key, _)| key).collect();
            for key in unknown {
                let machine = if self.threads.is_some() { "GPU" } else { "CPU" };
                let message =
                    format!("annotation \"{key}\" means nothing to the {machine}'s lowering");
                self.remark_once(op, &message);
            }
            match op.name() {
                For::NAME => {
                    let view = For::of(op)?;
                    if let Some(i) = self.collectives.iter().position(|c| c.first == op) {
                        self.collective(i, at)?;
                        continue;
                    }
                    self.hoisted_inits(op, at)?;
                    let ops = view.body.ops();
                    let ahead = self.prefetches_of(op);
                    self.any_loop(&view, at, &mut |this, at| {
                        this.prefetch(&ahead, at)?;
                        this.nest(ops.clone(), at)
                    })?;
                }
                ScheduleBlock::NAME => self.block(op, at)?,
                If::NAME => self.branch(&If::of(op)?, at)?,
                "loop.sync" if self.threads.is_some() => self.barrier(op, at)?,
                "loop.sync" => {
                    return Err(Error::on(
                        op,
                        "is a barrier of a GPU's threads, which the CPU does not have (C1)",
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lowers a loop of any kind; `body` emits its body.
    pub fn any_loop(
        &mut self,
        view: &For<'c>,
        at: Builder<'c>,
        body: Body<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        let extent = self.bounds(&view.extent.results, &view.operands, view.extent.dims);
        let constant = extent.iter().filter_map(Expr::constant).min();
        let constant = constant.filter(|_| extent.iter().all(|e| e.constant().is_some()));
        if let Some(axis) = view.thread.filter(|_| self.threads.is_some())
            && axis != ThreadAxis::VThread
        {
            return self.bound_loop(view, axis, &extent, at, body);
        }
        match (view.kind, constant) {
            (_, Some(extent)) if extent <= 0 => Ok(()),
            (_, Some(1)) if !self.starts_parallel(view) => {
                self.indices.insert(view.variable(), 0.into());
                body(self, at)
            }
            (LoopKind::Vectorize, extent) => self.vector_loop(view, extent, at, body),
            (LoopKind::Unroll, Some(extent))
                if self.copies.saturating_mul(extent) <= MAX_COPIES =>
            {
                self.copies *= extent;
                for i in 0..extent {
                    self.indices.insert(view.variable(), i.into());
                    body(self, at)?;
                }
                self.copies /= extent;
                Ok(())
            }
            (LoopKind::Unroll, constant) => {
                let why = match constant {
                    Some(extent) => {
                        let copies = self.copies.saturating_mul(extent);
                        format!("{copies} copies are more than {MAX_COPIES}")
                    }
                    None => "its extent is not constant".into(),
                };
                self.remark_once(view.op, &format!("not unrolled: {why}"));
                self.counted_loop(view, &extent, at, body)
            }
            _ => self.counted_loop(view, &extent, at, body),
        }
    }

    pub fn remark_once(&mut self, op: Op<'c>, message: &str) {
        if !self.remarked.iter().any(|(other, said)| *other == op && said == message) {
            self.remarked.push((op, message.to_owned()));
            remark(op.location(), message);
        }
    }

    /// True if the loop is parallel and not nested in a parallel loop.
    fn starts_parallel(&self, view: &For) -> bool {
        runs_parallel(view) && !self.is_parallel && self.lane.is_none() && self.threads.is_none()
    }

    /// Emits `scf.for` or `scf.parallel`.
    pub fn counted_loop(
        &mut self,
        view: &For<'c>,
        extent: &[Expr],
        at: Builder<'c>,
        body: Body<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        let is_parallel = self.starts_parallel(view);
        let upper = self.emit_minimum(extent, at);
        let constant = extent.iter().filter_map(Expr::constant).min();
        let range = constant.map(|extent| (0, extent.max(1) - 1));
        let (variable, inner) = self.open_loop(range, at);
        self.indices.insert(view.variable(), variable);
        let diverges = self.enter_if_divergent(extent);
        if is_parallel {
            self.is_parallel = true;
            let outside = self.private_buffers(view.op, inner)?;
            body(self, inner)?;
            self.values.extend(outside);
            self.is_parallel = false;
        } else {
            body(self, inner)?;
        }
        self.leave_if_divergent(diverges);
        self.close_loop(upper, is_parallel, inner, at);
        Ok(())
    }

    /// The variable of a new loop, and a builder in its body.
    fn open_loop(&mut self, range: Option<(i64, i64)>, at: Builder<'c>) -> (Expr, Builder<'c>) {
        let block = Block::new(&[(Type::index(self.context()), at.location())]);
        let value = Some(block.arguments()[0]);
        self.atoms.push(Atom { value, range, is_natural: true, varies: false });
        (Expr::Dim(self.atoms.len() - 1), Builder::at_end(block, at.location()))
    }

    /// Creates the loop whose body ends at `inner`.
    fn close_loop(
        &mut self,
        upper: Value<'c>,
        is_parallel: bool,
        inner: Builder<'c>,
        at: Builder<'c>,
    ) {
        let (zero, one) = (at.index(0), at.index(1));
        let (name, end) = match is_parallel {
            true => ("scf.parallel", "scf.reduce"),
            false => ("scf.for", "scf.yield"),
        };
        inner.insert(inner.spec(end));
        let mut spec =
            at.spec(name).operands(&[zero, upper, one]).region(Region::of(inner.block()));
        if is_parallel {
            spec = spec.segments(&[1, 1, 1, 0]);
        }
        at.insert(spec);
    }

    /// A loop of `n` iterations; `body` gets its variable as an expression.
    pub fn plain_loop(
        &mut self,
        n: i64,
        at: Builder<'c>,
        body: &mut dyn FnMut(&mut Emitter<'c>, Expr, Builder<'c>) -> Result<(), Error<'c>>,
    ) -> Result<(), Error<'c>> {
        let upper = at.index(n);
        self.dynamic_loop(upper, Some((0, n - 1)), at, body)
    }

    /// Same as [`Emitter::plain_loop`], with a computed number of iterations.
    pub fn dynamic_loop(
        &mut self,
        upper: Value<'c>,
        range: Option<(i64, i64)>,
        at: Builder<'c>,
        body: &mut dyn FnMut(&mut Emitter<'c>, Expr, Builder<'c>) -> Result<(), Error<'c>>,
    ) -> Result<(), Error<'c>> {
        let (variable, inner) = self.open_loop(range, at);
        body(self, variable, inner)?;
        self.close_loop(upper, false, inner, at);
        Ok(())
    }

    /// Lowers the instances of a schedule block at this point.
    fn block(&mut self, op: Op<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let view = ScheduleBlock::of(op)?;
        self.bind_iters(&view);
        let mut predicate = self.predicate(&view, &|_| true);
        if !view.is_nest() {
            predicate.extend(self.thread_conditions());
        }
        let init = view.init().filter(|_| !self.inits.is_hoisted(op));
        self.under(predicate, at, &mut |this, at| {
            if let Some(init) = init {
                let first = this.is_first(&view);
                this.under(first, at, &mut |this, at| this.init_body(init, at))?;
            }
            if this.threads.is_none() && view.is_nest() && this.intrinsic(op, at)? {
                return Ok(());
            }
            let ops = view.body.ops().into_iter().filter(|op| !op.is("loop.init")).collect();
            match view.is_nest() {
                true => this.nest(ops, at),
                false => this.leaf(ops, at).map(|_| ()),
            }
        })
    }

    /// Substitutes the bindings for the iters.
    pub fn bind_iters(&mut self, view: &ScheduleBlock<'c>) {
        let mut operands = view.binds.clone();
        operands.extend(&view.sizes);
        let bound = self.bounds(&view.binding, &operands, view.binds.len());
        for (iter, expr) in view.iters.iter().zip(bound) {
            self.indices.insert(iter.variable, expr);
        }
    }

    /// The constraints of a block's predicate for which `keep` holds; `keep` gets the values that a constraint
    /// depends on.
    pub fn predicate(
        &mut self,
        view: &ScheduleBlock<'c>,
        keep: &dyn Fn(&[Value<'c>]) -> bool,
    ) -> Vec<Constraint> {
        let Some(set) = &view.predicate else { return vec![] };
        let mut operands = view.binds.clone();
        operands.extend(&view.sizes);
        let kept = set.constraints.iter().filter(|constraint| {
            let mut over = vec![];
            constraint.expr().visit_leaves(&mut |leaf| {
                if let Expr::Dim(i) = leaf {
                    over.push(view.binds[*i]);
                }
            });
            keep(&over)
        });
        let kept: Vec<Constraint> = kept.cloned().collect();
        self.constraints(&kept, &operands, view.binds.len())
    }

    /// Lowers a branch between loops and blocks.
    fn branch(&mut self, view: &If<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let (then_body, else_body) = (view.then_body, view.else_body);
        let mut then = |this: &mut Self, at| this.nest(then_body.ops(), at);
        match else_body {
            None => self.either(view, at, &mut then, None),
            Some(other) => {
                self.either(view, at, &mut then, Some(&mut |this, at| this.nest(other.ops(), at)))
            }
        }
    }

    /// Lowers a `loop.if`; `then` and `otherwise` emit its branches.
    pub fn either<'b>(
        &mut self,
        view: &If<'c>,
        at: Builder<'c>,
        then: Body<'b, 'c>,
        otherwise: Option<Body<'b, 'c>>,
    ) -> Result<(), Error<'c>> {
        let condition =
            self.constraints(&view.condition.constraints, &view.operands, view.condition.dims);
        let Some(otherwise) = otherwise else {
            return self.under(condition, at, then);
        };
        let Some(value) = self.emit_condition(&condition, at) else {
            return then(self, at);
        };
        let blocks = [Block::new(&[]), Block::new(&[])];
        let exprs: Vec<Expr> = condition.iter().map(|c| c.expr().clone()).collect();
        let diverges = self.enter_if_divergent(&exprs);
        for (block, body) in blocks.iter().zip([then, otherwise]) {
            let inner = Builder::at_end(*block, at.location());
            body(self, inner)?;
            inner.insert(inner.spec("scf.yield"));
        }
        self.leave_if_divergent(diverges);
        at.insert(scf_if(at, value, &[], blocks));
        Ok(())
    }

    /// Emits a body under conditions: uniform conditions become a branch, conditions that differ between lanes
    /// a mask.
    pub fn under(
        &mut self,
        conditions: Vec<Constraint>,
        at: Builder<'c>,
        body: Body<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        if conditions.iter().any(|c| self.is_never(c)) {
            return Ok(());
        }
        let outer = self.mask;
        let exprs: Vec<Expr> = conditions.iter().map(|c| c.expr().clone()).collect();
        let diverges = self.enter_if_divergent(&exprs);
        let result = self.under_these(conditions, at, body);
        self.leave_if_divergent(diverges);
        self.mask = outer;
        result
    }

    fn under_these(
        &mut self,
        conditions: Vec<Constraint>,
        at: Builder<'c>,
        body: Body<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        let (lanes, mut uniform): (Vec<_>, Vec<_>) =
            conditions.into_iter().partition(|c| self.differs(c.expr()));
        let masks = self.lane_masks(&lanes, &mut uniform, at);
        let inner = match (self.emit_condition(&uniform, at), masks) {
            (None, masks) => {
                self.narrow(masks, at);
                at
            }
            (Some(condition), masks) => {
                let block = Block::new(&[]);
                let inner = Builder::at_end(block, at.location());
                self.narrow(masks, inner);
                let result = self.if_any_lane(inner, body);
                inner.insert(inner.spec("scf.yield"));
                let spec = at.spec("scf.if").operands(&[condition]).region(Region::of(block));
                at.insert(spec.region(Region::new()));
                return result;
            }
        };
        self.if_any_lane(inner, body)
    }

    /// Emits a body that runs only if at least one lane of the mask is active: a uniform access must be made by
    /// an active lane.
    fn if_any_lane(&mut self, at: Builder<'c>, body: Body<'_, 'c>) -> Result<(), Error<'c>> {
        match self.mask {
            Some(mask) if mask.may_be_empty => {
                let bit = Type::integer(self.context(), 1);
                let any = vector_reduction(at, "or", mask.value, bit);
                self.mask = Some(Mask { may_be_empty: false, ..mask });
                let block = Block::new(&[]);
                let inner = Builder::at_end(block, at.location());
                body(self, inner)?;
                inner.insert(inner.spec("scf.yield"));
                let spec = at.spec("scf.if").operands(&[any]).region(Region::of(block));
                at.insert(spec.region(Region::new()));
                Ok(())
            }
            _ => body(self, at),
        }
    }
}

/// `scf.if` with both branches; each must end in a yield.
pub(crate) fn scf_if<'c>(
    at: Builder<'c>,
    condition: Value<'c>,
    results: &[Type<'c>],
    [then_block, else_block]: [Block<'c>; 2],
) -> OpSpec<'c> {
    at.spec("scf.if")
        .operands(&[condition])
        .results(results)
        .region(Region::of(then_block))
        .region(Region::of(else_block))
}

/// `vector.reduction`.
pub(crate) fn vector_reduction<'c>(
    at: Builder<'c>,
    kind: &str,
    value: Value<'c>,
    ty: Type<'c>,
) -> Value<'c> {
    let kind = crate::ir::Attribute::parse(at.context(), &format!("#vector.kind<{kind}>"));
    let kind = kind.expect("the vector dialect is loaded");
    at.value(at.spec("vector.reduction").operands(&[value]).attribute("kind", kind).results(&[ty]))
}

/// The outermost parallel loop that encloses an op.
pub(crate) fn parallel_around(op: Op) -> Option<Op> {
    let is_parallel = |p: &Op| For::of(*p).is_ok_and(|view| runs_parallel(&view));
    parents(op).filter(|p| p.is(For::NAME)).filter(is_parallel).last()
}

/// True if the iterations of a loop run on the threads of a CPU. Iterations of `blockIdx` loops do, unless they
/// reduce together.
fn runs_parallel(view: &For) -> bool {
    match view.thread {
        Some(axis) => axis.is_block() && !is_reduced_over(view),
        None => view.kind == LoopKind::Parallel,
    }
}

fn is_reduced_over(view: &For) -> bool {
    let blocks = walk(view.op).into_iter().filter_map(|op| ScheduleBlock::of(op).ok());
    blocks.into_iter().any(|block| {
        let Some(place) = block.binds.iter().position(|v| *v == view.variable()) else {
            return false;
        };
        let mut iters = block.iters.iter().zip(&block.binding);
        iters.any(|(iter, bound)| {
            iter.role == IterRole::Reduce && mentions(bound, VariableId::of_dim(place))
        })
    })
}
