//! Creates the statements of a reduction by partial results, in order, before the old nest.

use super::{Other, Replacement, bound};
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Builder, Op, Value, walk};
use crate::nest::builder::OpenLoops;
use crate::nest::derived_name;
use crate::nest::derived_name::block_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::index_form;
use crate::nest::partial_result::{Joining, PartialReduction};
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Block, Loop, NodeId, Summary, Variable, VariableId, mentions};
use crate::schedule::State;
use crate::schedule::primitive::reduction::decompose_reduction::{copy_init, copy_start};
use std::cell::RefCell;

/// Creates the statements.
pub struct Maker<'c, 'a> {
    state: &'a State<'c>,
    plan: &'a Replacement,
    reduction: &'a PartialReduction<'c>,
    /// The buffers of the threads.
    own: Vec<Value<'c>>,
    /// The sizes of the shared buffers.
    shape: Vec<i64>,
    /// The old nest.
    place: Op<'c>,
    /// The names of the new schedule blocks.
    made: RefCell<Vec<String>>,
}

impl<'c, 'a> Maker<'c, 'a> {
    pub fn new(
        state: &'a State<'c>,
        plan: &'a Replacement,
        reduction: &'a PartialReduction<'c>,
        (own, shape): (Vec<Value<'c>>, Vec<i64>),
        place: Op<'c>,
    ) -> Self {
        Maker { state, plan, reduction, own, shape, place, made: RefCell::new(vec![]) }
    }

    pub fn barrier(&self) {
        edit::insert_barrier(self.place, self.place.location());
    }

    /// Each thread reduces its own iterations, from the identity. Returns the loops around that.
    pub fn parts(&self) -> OpenLoops<'c> {
        let bound: Vec<Loop> = self.plan.chain.bound.iter().map(|n| self.bounded(*n)).collect();
        let nest = self.open(&bound);
        let (cells, _) = self.cells(&self.plan.chain.bound, &[]);
        // Only a reducer of several values allows several stores.
        for (start, own) in self.reduction.starts(true).into_iter().zip(&self.own) {
            let block = self.block("start", cells.clone(), vec![], false);
            let op = self.create(&block, &nest);
            self.fill(op, |_, at| at.store(at.constant(start), *own, &[at.index(0)]));
        }
        let mut inner = nest.clone();
        for node in &self.plan.chain.serial {
            inner.open(self.loop_at(*node), self.place.location());
        }
        self.update(&inner);
        nest
    }

    /// Each thread stores its value to its element of shared memory.
    pub fn share(&self, nest: &OpenLoops<'c>) {
        let (cells, values) = self.cells(&self.plan.chain.bound, &[]);
        for (own, partial) in self.own.iter().zip(&self.reduction.partials) {
            let op = self.create(&self.block("put", cells.clone(), vec![], false), nest);
            self.fill(op, |block, at| {
                let indices = self.indices(block, &values, at);
                at.store(at.load(*own, &[at.index(0)]), *partial, &indices);
            });
        }
    }

    /// The updates of the old schedule block, on the partial result of the thread.
    fn update(&self, nest: &OpenLoops<'c>) {
        let (summary, chain) = (self.state.summary(), &self.plan.chain);
        let old = summary.as_block(chain.block).expect("a block");
        let (mut iters, _) = self.cells(&chain.bound, &names(old));
        let cells = iters.len();
        // A binding that mentions a loop over threads is composed of one iter per loop.
        let is_part = |i: usize| {
            let variable = |node: &NodeId| self.loop_at(*node).variable;
            old.iters[i].role == IterRole::Reduce
                && chain.bound.iter().any(|node| mentions(&old.binding[i], variable(node)))
        };
        for (i, iter) in old.iters.iter().enumerate().filter(|(i, _)| !is_part(*i)) {
            let (name, role, domain) = (iter.name.clone(), iter.role, iter.domain.clone());
            iters.push(NewIter { name, role, domain, binding: old.binding[i].clone() });
        }
        let parts: Vec<usize> = (0..old.iters.len()).filter(|i| is_part(*i)).collect();
        for node in &chain.serial {
            let this = self.loop_at(*node);
            if parts.iter().any(|i| mentions(&old.binding[*i], this.variable)) {
                let taken: Vec<_> = iters.iter().map(|iter| iter.name.clone()).collect();
                iters.push(NewIter {
                    name: derived_name::fresh(&format!("v{}", this.name), &|name| {
                        taken.iter().any(|t| t == name)
                    }),
                    role: IterRole::Reduce,
                    domain: this.extent.clone(),
                    binding: this.variable.expr(),
                });
            }
        }
        let mut predicate = old.predicate.clone();
        for node in &chain.bound {
            let this = self.loop_at(*node);
            let beyond = this.extent.iter().filter(|e| e.constant() != bound(this));
            let within = |e: &Expr| e.clone() - this.variable.expr() - 1.into();
            predicate.extend(beyond.map(|e| Constraint::NonNegative(within(e).simplified())));
        }
        let reduces =
            iters[cells..].iter().any(|iter| iter.role == IterRole::Reduce) || self.own.len() > 1;
        let new = self.block("part", iters, predicate, reduces);
        let op = self.create(&new, nest);
        self.fill(op, |block, at| {
            let variables: Vec<_> = block.iters.iter().map(|iter| iter.variable).collect();
            let place = |binding: &Expr| {
                let place = new.iters.iter().position(|iter| iter.binding == *binding);
                Expr::Dim(place.expect("each loop has an iter"))
            };
            let mut mapping: Vec<(Value, Value)> = vec![];
            for (i, iter) in self.reduction.old.iters.iter().enumerate() {
                let value = match new.iters.iter().skip(cells).position(|n| n.name == iter.name) {
                    Some(at) if !is_part(i) => variables[cells + at],
                    _ => {
                        let of_loop = |v: usize| match self.runs_at_most_once(v) {
                            true => Expr::Constant(0),
                            false => place(&Expr::Dim(v)),
                        };
                        let expr = old.binding[i].substitute(&of_loop, &Expr::Symbol);
                        at.apply(&expr, &variables, self.state.sizes())
                    }
                };
                mapping.push((iter.variable, value));
            }
            self.copy_body(&mut mapping, at);
        });
    }

    /// True if a variable is that of a loop around all parts with at most one iteration.
    fn runs_at_most_once(&self, variable: usize) -> bool {
        let summary = self.state.summary();
        match summary.variables[VariableId::of_dim(variable)] {
            Variable::Loop(node) => {
                let chain = &self.plan.chain;
                let is_part = chain.bound.iter().chain(&chain.serial).any(|part| *part == node);
                !is_part && summary.as_loop(node).is_some_and(Loop::runs_at_most_once)
            }
            Variable::Iter(..) => false,
        }
    }

    /// Copies the body of the old schedule block without its start. The values of the thread replace the results.
    fn copy_body(&self, mapping: &mut Vec<(Value<'c>, Value<'c>)>, at: Builder<'c>) {
        let old = &self.reduction.old;
        let init = old.init();
        let ops = old.body.ops().into_iter();
        for op in ops.filter(|op| Some(*op) != init && !op.is("loop.yield")) {
            let copy = op.clone_mapped(mapping);
            at.place(copy);
            mapping.extend(op.results().into_iter().zip(copy.results()));
            for access in walk(copy) {
                let first = match access.name() {
                    "memref.load" => 0,
                    "memref.store" => 1,
                    _ => continue,
                };
                let operands = access.operands();
                let buffers = &self.reduction.buffers;
                if let Some(i) = buffers.iter().position(|buffer| *buffer == operands[first]) {
                    let mut new = operands[..first].to_vec();
                    new.extend([self.own[i], Builder::before(access, at.location()).index(0)]);
                    access.set_operands(&new);
                }
            }
        }
    }

    /// Joins the upper half of the partial results with the lower half, repeatedly.
    pub fn joins(&self) {
        let bound = &self.plan.chain.bound;
        for (axis, node) in bound.iter().enumerate() {
            let threads = self.shape[self.plan.others.len() + axis];
            let mut half = (threads as u64).next_power_of_two() as i64 / 2;
            while half > 0 {
                self.join(axis, *node, half, half.min(threads - half));
                if half > 1 || !self.is_one_axis() {
                    self.barrier();
                }
                half /= 2;
            }
        }
    }

    /// True if one axis reduces. Then the thread that joins the last two parts also computes the result, without a
    /// barrier.
    fn is_one_axis(&self) -> bool {
        self.plan.chain.bound.len() == 1
    }

    /// One step of the tree on one axis, by `threads` threads.
    fn join(&self, axis: usize, node: NodeId, half: i64, threads: i64) {
        let bound = &self.plan.chain.bound;
        let mut loops = vec![Loop { extent: vec![threads.into()], ..self.bounded(node) }];
        loops.extend(bound[axis + 1..].iter().map(|node| self.bounded(*node)));
        let nest = self.open(&loops);
        let (mut cells, values) = self.cells(&bound[axis..], &[]);
        let own = self.plan.others.len();
        cells[own].domain = vec![threads.into()];
        let new = self.block("join", cells, vec![], self.own.len() > 1);
        let op = self.create(&new, &nest);
        self.fill(op, |block, at| {
            let mine = self.indices(block, &values, at);
            let mut theirs = mine.clone();
            let above = Expr::Dim(0) + half.into();
            theirs[own + axis] = at.apply(&above, &[mine[own + axis]], &[]);
            let partials = &self.reduction.partials;
            let old_values = partials.iter().map(|partial| at.load(*partial, &mine)).collect();
            let parts = partials.iter().map(|partial| at.load(*partial, &theirs)).collect();
            let joined = Joining { reduction: self.reduction, old_values, parts, at }.values();
            for (value, partial) in joined.into_iter().zip(partials) {
                at.store(value, *partial, &mine);
            }
        });
    }

    /// Reduces across the threads, each of which has one value.
    pub fn lanes(&self) {
        let summary = self.state.summary();
        let old = summary.as_block(self.plan.chain.block).expect("a block");
        let mut iters = self.spatial(old);
        for node in &self.plan.chain.bound {
            let this = self.bounded(*node);
            let is_taken = |name: &str| {
                names(old).iter().any(|n| n == name) || iters.iter().any(|iter| iter.name == name)
            };
            iters.push(NewIter {
                name: derived_name::fresh(&format!("v{}", this.name), &is_taken),
                role: IterRole::Reduce,
                domain: this.extent.clone(),
                binding: this.variable.expr(),
            });
        }
        let reduction = self.reduction;
        let new = NewBlock {
            name: old.name.clone(),
            iters,
            predicate: self.plan.chain.starts.clone(),
            reducer: reduction.old.reducer.clone(),
        };
        let bound: Vec<Loop> = self.plan.chain.bound.iter().map(|n| self.bounded(*n)).collect();
        let op = self.create(&new, &self.open(&bound));
        self.fill(op, |block, at| {
            if let Some(init) = reduction.old.init() {
                copy_init(block, &reduction.old, init, at);
            }
            let places = reduction.indices(block, None, at);
            let old_values = reduction.buffers.iter().map(|b| at.load(*b, &places)).collect();
            let parts = self.own.iter().map(|own| at.load(*own, &[at.index(0)])).collect();
            let joined = Joining { reduction, old_values, parts, at }.values();
            for (value, buffer) in joined.into_iter().zip(&reduction.buffers) {
                at.store(value, *buffer, &places);
            }
        });
    }

    /// The iters of a point: all but the reduction iters.
    fn spatial(&self, old: &Block) -> Vec<NewIter> {
        let all = old.iters.iter().zip(&old.binding);
        all.filter(|(iter, _)| iter.role != IterRole::Reduce).map(NewIter::of).collect()
    }

    /// Joins the start, or the old value, with the partial result of all threads.
    pub fn result(&self) {
        let summary = self.state.summary();
        let old = summary.as_block(self.plan.chain.block).expect("a block");
        let (mut iters, values) = self.cells(&[], &names(old));
        iters.extend(self.spatial(old));
        let predicate = self.plan.chain.starts.clone();
        let name = old.name.clone();
        // With several values, this is a reduction over one part.
        let is_tuple = self.own.len() > 1;
        let reducer = self.reduction.old.reducer.clone().filter(|_| is_tuple);
        if is_tuple {
            let is_taken = |name: &str| iters.iter().any(|iter| iter.name == name);
            let (name, role) = (derived_name::fresh("one", &is_taken), IterRole::Reduce);
            iters.push(NewIter { name, role, domain: vec![1.into()], binding: 0.into() });
        }
        let new = NewBlock { name, iters, predicate, reducer };
        let only = |node: &NodeId| Loop { extent: vec![1.into()], ..self.bounded(*node) };
        let bound = self.plan.chain.bound.iter().filter(|_| self.is_one_axis());
        let nest = self.open(&bound.map(only).collect::<Vec<_>>());
        let op = self.create(&new, &nest);
        self.fill(op, |block, at| {
            let reduction = self.reduction;
            let start = match reduction.old.init() {
                Some(init) if is_tuple => {
                    copy_init(block, &reduction.old, init, at);
                    None
                }
                init => init,
            };
            let places = reduction.indices(block, None, at);
            let old_values = match start {
                Some(init) => self.start_values(block, init, at),
                None => reduction.buffers.iter().map(|b| at.load(*b, &places)).collect(),
            };
            let indices = self.indices(block, &values, at);
            let parts = reduction.partials.iter().map(|p| at.load(*p, &indices)).collect();
            let joined = Joining { reduction, old_values, parts, at }.values();
            for (value, buffer) in joined.into_iter().zip(&reduction.buffers) {
                at.store(value, *buffer, &places);
            }
        });
    }

    /// The values that `loop.init` would store, one per result.
    fn start_values(
        &self,
        block: &ScheduleBlock<'c>,
        init: Op<'c>,
        at: Builder<'c>,
    ) -> Vec<Value<'c>> {
        let old = &self.reduction.old;
        let mut mapping: Vec<(Value, Value)> = vec![];
        for iter in &old.iters {
            let same = block.iters.iter().find(|n| n.name == iter.name && n.role == iter.role);
            mapping.push((iter.variable, same.map_or_else(|| at.index(0), |new| new.variable)));
        }
        copy_start(old, init, at, &mut mapping);
        let ops = block.body.ops().into_iter();
        let stores: Vec<Op> = ops.filter(|op| op.is("memref.store")).collect();
        let stored = |buffer: &Value<'c>| {
            let store = stores.iter().rev().find(|store| store.operand(1) == *buffer);
            store.expect("the start of a reduction is of all its results").operand(0)
        };
        let values = self.reduction.buffers.iter().map(stored).collect();
        stores.iter().for_each(|store| store.erase());
        values
    }

    fn loop_at(&self, node: NodeId) -> &'a Loop {
        let summary: &'a Summary = self.state.summary();
        summary.as_loop(node).expect("a loop")
    }

    /// The loop with its constant bound as extent: it covers all threads.
    fn bounded(&self, node: NodeId) -> Loop {
        let this = self.loop_at(node);
        let extent = vec![bound(this).expect("the plan has seen a bound").into()];
        Loop { extent, axis: None, ..this.clone() }
    }

    /// Copies of loops, nested in each other, before the old nest.
    fn open(&self, loops: &[Loop]) -> OpenLoops<'c> {
        let mut nest = OpenLoops::before(self.state, self.place);
        for this in loops {
            nest.open(this, self.place.location());
        }
        nest
    }

    /// Iters for the indices of the shared buffers: one per loop over other threads, and one per loop of `bound`.
    /// Also the iter that each index uses; `None` if the index is 0.
    fn cells(&self, bound: &[NodeId], taken: &[String]) -> (Vec<NewIter>, Vec<Option<usize>>) {
        let mut iters: Vec<NewIter> = vec![];
        let mut places = vec![];
        let value = |other: &Other| other.value.ok();
        let others = self.plan.others.iter().map(|other| (other.node, value(other)));
        let bound = self
            .plan
            .chain
            .bound
            .iter()
            .map(|node| (*node, bound.contains(node).then(|| self.loop_at(*node).variable)));
        for ((node, value), extent) in others.chain(bound).zip(&self.shape) {
            let Some(variable) = value else {
                places.push(None);
                continue;
            };
            let this = self.loop_at(node);
            let is_taken = |name: &str| {
                taken.iter().any(|t| t == name) || iters.iter().any(|iter| iter.name == name)
            };
            places.push(Some(iters.len()));
            iters.push(NewIter {
                name: derived_name::fresh(&format!("v{}", this.name), &is_taken),
                role: IterRole::Spatial,
                domain: vec![(*extent).into()],
                binding: variable.expr(),
            });
        }
        (iters, places)
    }

    fn indices(
        &self,
        block: &ScheduleBlock<'c>,
        places: &[Option<usize>],
        at: Builder<'c>,
    ) -> Vec<Value<'c>> {
        let index = |place: &Option<usize>| match place {
            Some(i) => block.iters[*i].variable,
            None => at.index(0),
        };
        places.iter().map(index).collect()
    }

    fn block(
        &self,
        what: &str,
        iters: Vec<NewIter>,
        predicate: Vec<Constraint>,
        reduces: bool,
    ) -> NewBlock<'c> {
        let old = &self.reduction.old;
        let summary = self.state.summary();
        let mut made = self.made.borrow_mut();
        let base = format!("{}_{what}", old.name);
        let is_taken =
            |name: &str| made.iter().any(|m| m == name) || block_name(summary, name) != name;
        let name = derived_name::fresh(&base, &is_taken);
        made.push(name.clone());
        let reducer = old.reducer.clone().filter(|_| reduces);
        NewBlock { name, iters, predicate, reducer }
    }

    fn create(&self, new: &NewBlock<'c>, nest: &OpenLoops<'c>) -> Op<'c> {
        let old = &self.reduction.old;
        // Iters that are composed of loops may use sizes that no other part of the block uses.
        let summary = self.state.summary();
        let block = summary.as_block(self.plan.chain.block).expect("a block");
        let mut sizes = old.sizes.clone();
        for binding in &block.binding {
            binding.visit_leaves(&mut |leaf| {
                if let Expr::Symbol(i) = leaf
                    && !sizes.contains(&self.state.sizes()[*i])
                {
                    sizes.push(self.state.sizes()[*i]);
                }
            });
        }
        let op = new.create(old.op.location(), nest.values(), &sizes);
        nest.put(op);
        op
    }

    fn fill(&self, op: Op<'c>, body: impl FnOnce(&ScheduleBlock<'c>, Builder<'c>)) {
        let block = ScheduleBlock::of(op).expect("just made");
        let end = block.body.end();
        body(&block, Builder::before(end, op.location()));
        index_form::restore(op, &mut Direct);
        edit::derive_regions(op);
    }
}

fn names(block: &Block) -> Vec<String> {
    block.iters.iter().map(|iter| iter.name.clone()).collect()
}
