//! Executes a decoded nest: loops, blocks, threads and barriers.

use super::counter::Counter;
use super::leaf::LeafFrame;
use super::memory::NestMemory;
use super::program::*;
use super::shadow::{Coordinates, Iteration, OrderedInstance};
use super::thread::{LockstepThread, ThreadLane, condition, describe, evaluate, minimum};
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::interpreter::random::Random;
use crate::interpreter::{RunOptions, meter};
use crate::ir::{Error, Op};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub struct Machine<'p, 'c> {
    pub(super) program: &'p NestProgram<'c>,
    pub memory: NestMemory<'p>,
    random: Random,
    /// The number of barriers passed, by thread block.
    epochs: HashMap<Coordinates, u64>,
    /// By block, the spatial points whose reductions have started.
    started: Vec<HashSet<Vec<i64>>>,
    /// For blocks with a cross-thread reduction: the iterations of the other loops in which a point has started
    /// last.
    rounds: HashMap<(usize, Vec<i64>), Vec<Iteration>>,
    pub frame: LeafFrame,
    /// The block whose init alone runs now, because it reduces over an empty domain.
    pub(super) only_init: Option<usize>,
    pub(super) counter: Option<Counter<'p>>,
    /// The number of iterations left.
    left: u64,
}

/// More simultaneous threads or lanes are refused.
const MAX_AT_ONCE: i64 = 1 << 22;

pub(super) type ExecutionResult<'c> = Result<(), Error<'c>>;

impl<'p, 'c> Machine<'p, 'c> {
    pub fn new(
        program: &'p NestProgram<'c>,
        options: RunOptions,
        counter: Option<Counter<'p>>,
    ) -> Self {
        Machine {
            program,
            memory: NestMemory::new(program),
            random: Random::new(options.seed),
            epochs: HashMap::new(),
            started: vec![HashSet::new(); program.blocks],
            rounds: HashMap::new(),
            frame: LeafFrame::default(),
            only_init: None,
            counter,
            left: options.max_iterations,
        }
    }

    pub fn run(&mut self) -> ExecutionResult<'c> {
        let program = self.program;
        let lane = ThreadLane {
            ints: program.ints.clone(),
            scalars: program.scalars.clone(),
            path: vec![],
            is_idle: false,
        };
        let mut thread = LockstepThread {
            lanes: vec![lane],
            block_at: Coordinates::default(),
            thread_at: Coordinates::default(),
            parallel: vec![],
        };
        self.nodes(&program.body, std::slice::from_mut(&mut thread))
    }

    /// Runs nodes in the threads of one thread block: thread by thread in random order if the nodes contain no
    /// barrier, else node by node.
    fn nodes(
        &mut self,
        nodes: &'p [ProgramNode<'c>],
        threads: &mut [LockstepThread],
    ) -> ExecutionResult<'c> {
        if let [thread] = threads {
            return nodes.iter().try_for_each(|node| self.node(node, thread));
        }
        if !nodes.iter().any(node_has_sync) {
            for i in self.random.order(threads.len()) {
                nodes.iter().try_for_each(|node| self.node(node, &mut threads[i]))?;
            }
            return Ok(());
        }
        for node in nodes {
            if node_has_sync(node) {
                self.together(node, threads)?;
            } else {
                for i in self.random.order(threads.len()) {
                    self.node(node, &mut threads[i])?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn node(
        &mut self,
        node: &'p ProgramNode<'c>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        match node {
            ProgramNode::Block(block) => self.block(block, thread),
            ProgramNode::Loop(inner) if is_split(inner) => {
                self.spread(inner, std::slice::from_mut(thread))
            }
            ProgramNode::Loop(inner) if inner.kind == LoopKind::Vectorize => {
                self.lanes(inner, thread)
            }
            ProgramNode::Loop(inner) => self.iterate(inner, thread),
            ProgramNode::If(branch) => self.branch(branch, thread),
            ProgramNode::Sync(_) => {
                *self.epochs.entry(thread.block_at).or_default() += 1;
                Ok(())
            }
        }
    }

    /// Runs a node that contains a barrier, which all threads must take alike.
    fn together(
        &mut self,
        node: &'p ProgramNode<'c>,
        threads: &mut [LockstepThread],
    ) -> ExecutionResult<'c> {
        match node {
            ProgramNode::Sync(op) => {
                if threads.iter().any(|t| t.lanes.iter().any(|lane| lane.is_idle)) {
                    return Err(diverges(*op));
                }
                *self.epochs.entry(threads[0].block_at).or_default() += 1;
                Ok(())
            }
            ProgramNode::Loop(inner) if is_split(inner) => self.spread(inner, threads),
            ProgramNode::Loop(inner) => {
                if inner.kind != LoopKind::Serial && inner.kind != LoopKind::Unroll {
                    let message = format!("of kind {} contains a barrier", inner.kind);
                    return Err(Error::on(inner.op, message));
                }
                let extent = self.extent(inner, &threads[0].lanes[0])?;
                for lane in threads.iter().flat_map(|t| &t.lanes) {
                    if self.extent(inner, lane)? != extent {
                        return Err(diverges(inner.op));
                    }
                }
                if extent <= 0 {
                    return threads.iter_mut().try_for_each(|thread| self.empty(inner, thread));
                }
                for value in 0..extent {
                    self.count(inner.op)?;
                    for lane in threads.iter_mut().flat_map(|t| &mut t.lanes) {
                        self.enter(lane, inner, value);
                    }
                    self.nodes(&inner.body, threads)?;
                    for lane in threads.iter_mut().flat_map(|t| &mut t.lanes) {
                        self.leave(lane);
                    }
                }
                Ok(())
            }
            ProgramNode::If(branch) => {
                let taken = self.holds(branch, &threads[0].lanes[0])?;
                for lane in threads.iter().flat_map(|t| &t.lanes) {
                    if self.holds(branch, lane)? != taken {
                        return Err(diverges(branch.op));
                    }
                }
                let body = if taken { &branch.then_body } else { &branch.else_body };
                self.nodes(body, threads)
            }
            ProgramNode::Block(block) => match &block.body {
                ProgramBody::Nest(nodes) => {
                    for thread in threads.iter_mut() {
                        let active = self.bind(block, thread)?;
                        if active.len() != thread.lanes.len() {
                            return Err(diverges(block.op));
                        }
                    }
                    self.nodes(nodes, threads)
                }
                ProgramBody::Leaf(_) => Ok(()),
            },
        }
    }

    /// Runs a loop whose iterations are threads, thread blocks or parallel: each thread becomes one thread an
    /// iteration. They exist at the same time only if a barrier separates them.
    fn spread(
        &mut self,
        inner: &'p ProgramLoop<'c>,
        threads: &mut [LockstepThread],
    ) -> ExecutionResult<'c> {
        let is_block = inner.thread.is_some_and(ThreadAxis::is_block);
        if inner.has_sync && inner.thread.is_none() {
            return Err(Error::on(inner.op, "of kind parallel contains a barrier"));
        }
        let mut all = vec![];
        for i in self.random.order(threads.len()) {
            let extent = self.extent(inner, &threads[i].lanes[0])?;
            for lane in &threads[i].lanes {
                if self.extent(inner, lane)? != extent {
                    return Err(diverges(inner.op));
                }
            }
            if extent <= 0 {
                self.empty(inner, &mut threads[i])?;
                continue;
            }
            self.check_count(inner, extent.saturating_add(all.len() as i64))?;
            for value in self.random.order(extent as usize) {
                let mut one = self.iteration(inner, &threads[i], value as i64)?;
                match inner.has_sync && !is_block {
                    true => all.push(one),
                    false => self.nodes(&inner.body, std::slice::from_mut(&mut one))?,
                }
            }
        }
        match all.is_empty() {
            true => Ok(()),
            false => self.nodes(&inner.body, &mut all),
        }
    }

    /// The thread that runs one iteration of a loop whose iterations are separate threads.
    pub(super) fn iteration(
        &mut self,
        inner: &ProgramLoop<'c>,
        thread: &LockstepThread,
        value: i64,
    ) -> Result<LockstepThread, Error<'c>> {
        self.count(inner.op)?;
        let mut one = thread.clone();
        for lane in &mut one.lanes {
            self.enter(lane, inner, value);
        }
        match inner.thread {
            None | Some(ThreadAxis::VThread) => one.parallel.push((inner.id, value)),
            Some(axis) if axis.is_block() => one.block_at[axis as usize] = Some(value),
            Some(axis) => {
                one.thread_at[axis as usize - ThreadAxis::ThreadX as usize] = Some(value);
            }
        }
        Ok(one)
    }

    /// Counts an iteration against the limit.
    pub(super) fn count(&mut self, repeated: Op<'c>) -> ExecutionResult<'c> {
        meter::spend(repeated, meter::ITERATION)?;
        self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| Error::on(repeated, "runs more iterations than the limit allows"))?;
        Ok(())
    }

    fn check_count(&self, inner: &ProgramLoop<'c>, count: i64) -> ExecutionResult<'c> {
        match count <= MAX_AT_ONCE {
            true => Ok(()),
            false => Err(Error::beyond(
                inner.op,
                format!("has {count} concurrent iterations, too many for the interpreter"),
            )),
        }
    }

    /// Runs a vectorised loop: each lane becomes one lane an iteration.
    fn lanes(
        &mut self,
        inner: &'p ProgramLoop<'c>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        let mut wide = LockstepThread { lanes: vec![], ..thread.clone() };
        for lane in &thread.lanes {
            let extent = self.extent(inner, lane)?;
            self.check_count(inner, extent.saturating_add(wide.lanes.len() as i64))?;
            for value in 0..extent {
                let mut one = lane.clone();
                self.enter(&mut one, inner, value);
                wide.lanes.push(one);
            }
        }
        if wide.lanes.is_empty() {
            return self.empty(inner, thread);
        }
        self.nodes(&inner.body, std::slice::from_mut(&mut wide))
    }

    /// Runs a serial loop; lanes that have finished are idle until all have.
    fn iterate(
        &mut self,
        inner: &'p ProgramLoop<'c>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        let mut extents = vec![];
        for lane in &thread.lanes {
            extents.push(self.extent(inner, lane)?);
        }
        let longest = extents.iter().copied().max().unwrap_or(0);
        if longest <= 0 {
            return self.empty(inner, thread);
        }
        let was_idle: Vec<bool> = thread.lanes.iter().map(|lane| lane.is_idle).collect();
        for value in 0..longest {
            self.count(inner.op)?;
            for (i, lane) in thread.lanes.iter_mut().enumerate() {
                lane.is_idle = was_idle[i] || value >= extents[i];
                self.enter(lane, inner, value);
            }
            self.nodes(&inner.body, std::slice::from_mut(thread))?;
            thread.lanes.iter_mut().for_each(|lane| self.leave(lane));
        }
        for (lane, was_idle) in thread.lanes.iter_mut().zip(was_idle) {
            lane.is_idle = was_idle;
        }
        Ok(())
    }

    fn branch(
        &mut self,
        branch: &'p ProgramBranch<'c, Vec<ProgramNode<'c>>>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        let was_idle: Vec<bool> = thread.lanes.iter().map(|lane| lane.is_idle).collect();
        let mut taken = vec![];
        for lane in &thread.lanes {
            taken.push(self.holds(branch, lane)?);
        }
        for (body, side) in [(&branch.then_body, true), (&branch.else_body, false)] {
            for (i, lane) in thread.lanes.iter_mut().enumerate() {
                lane.is_idle = was_idle[i] || taken[i] != side;
            }
            if thread.lanes.iter().any(|lane| !lane.is_idle) {
                self.nodes(body, std::slice::from_mut(thread))?;
            }
        }
        for (lane, was_idle) in thread.lanes.iter_mut().zip(was_idle) {
            lane.is_idle = was_idle;
        }
        Ok(())
    }

    fn block(
        &mut self,
        block: &'p ProgramBlock<'c>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        match self.only_init {
            Some(only) if only == block.id => return self.init_alone(block, thread),
            Some(_) => return Ok(()),
            None => {}
        }
        let active = self.bind(block, thread)?;
        if active.is_empty() {
            return Ok(());
        }
        self.begin(block, thread, &active)?;
        if let Some(init) = &block.init {
            let mut first = vec![];
            for lane in &active {
                let ints = &thread.lanes[*lane].ints;
                let spatial = block.iters.iter().filter(|i| !i.is_reduce);
                let point: Vec<i64> = spatial.map(|i| ints[i.slot]).collect();
                let is_first = match &block.across {
                    None => block.iters.iter().all(|i| !i.is_reduce || ints[i.slot] == 0),
                    Some(across) => {
                        // Threads run in any order: the first one runs the init.
                        let path = thread.lanes[*lane].path.iter();
                        let round: Vec<Iteration> =
                            path.filter(|i| !across.reduces.contains(&i.id)).copied().collect();
                        let last = self.rounds.insert((block.id, point.clone()), round.clone());
                        last.is_none_or(|last| last != round)
                    }
                };
                if is_first {
                    self.started[block.id].insert(point);
                    first.push(*lane);
                } else if !self.started[block.id].contains(&point) {
                    let at = describe(block, ints);
                    return Err(Error::on(
                        block.op,
                        format!("\"{}\" runs at {at} before its 'loop.init'", block.name),
                    ));
                }
            }
            if !first.is_empty() {
                if let Some(counter) = &mut self.counter {
                    counter.inits(block, first.len());
                }
                self.steps(block, init, thread, &first)?;
            }
        }
        if let Some(counter) = &mut self.counter {
            counter.instances(block, active.len());
        }
        match &block.body {
            ProgramBody::Leaf(steps) => self.steps(block, steps, thread, &active),
            ProgramBody::Nest(nodes) => {
                // Lanes for which the predicate is false do not take part in the nested nodes.
                let was_idle: Vec<bool> = thread.lanes.iter().map(|lane| lane.is_idle).collect();
                for (i, lane) in thread.lanes.iter_mut().enumerate() {
                    lane.is_idle |= !active.contains(&i);
                }
                self.nodes(nodes, std::slice::from_mut(thread))?;
                for (lane, was_idle) in thread.lanes.iter_mut().zip(was_idle) {
                    lane.is_idle = was_idle;
                }
                Ok(())
            }
        }
    }

    /// Sets the iters of the lanes for which the predicate holds, and returns those lanes.
    fn bind(
        &mut self,
        block: &'p ProgramBlock<'c>,
        thread: &mut LockstepThread,
    ) -> Result<Vec<usize>, Error<'c>> {
        let overflow =
            || Error::on(block.op, format!("\"{}\" has a map that overflows", block.name));
        let mut active = vec![];
        for (i, lane) in thread.lanes.iter_mut().enumerate() {
            if lane.is_idle {
                continue;
            }
            if let Some(predicate) = &block.predicate
                && !predicate.contains(&lane.ints, &[]).ok_or_else(overflow)?
            {
                continue;
            }
            for iter in &block.iters {
                let value = evaluate(&iter.binding, &lane.ints).ok_or_else(overflow)?;
                let domain = minimum(&iter.domain, &lane.ints).ok_or_else(overflow)?;
                if value < 0 || value >= domain {
                    return Err(Error::on(
                        block.op,
                        format!(
                            "\"{}\" binds {} to {value}, outside of its domain [0, {domain})",
                            block.name, iter.name
                        ),
                    ));
                }
                lane.ints[iter.slot] = value;
            }
            active.push(i);
        }
        Ok(active)
    }

    /// Prepares the checks of accesses: the bounds of the declared regions and the accessing instances.
    pub(super) fn begin(
        &mut self,
        block: &'p ProgramBlock<'c>,
        thread: &LockstepThread,
        active: &[usize],
    ) -> ExecutionResult<'c> {
        let overflow =
            || Error::on(block.op, format!("\"{}\" has a region that overflows", block.name));
        self.frame.clear(thread.lanes.len(), block);
        for i in active {
            let lane = &thread.lanes[*i];
            for (span, bounds) in self.frame.spans(*i, block) {
                *bounds = match span {
                    None => (i64::MIN, i64::MAX),
                    Some((offset, extent)) => {
                        let from = evaluate(offset, &lane.ints).ok_or_else(overflow)?;
                        let size = evaluate(extent, &lane.ints).ok_or_else(overflow)?;
                        (from, from.saturating_add(size))
                    }
                };
            }
            if self.program.is_unordered {
                let instance = OrderedInstance {
                    block: block.id,
                    path: lane.path.clone(),
                    block_at: thread.block_at,
                    thread_at: thread.thread_at,
                    epoch: self.epochs.get(&thread.block_at).copied().unwrap_or(0),
                };
                let together = block.across.as_ref().map(|across| instance.together(across));
                self.frame.together[*i] = together.map(Rc::new);
                self.frame.instances[*i] = Some(Rc::new(instance));
            }
        }
        Ok(())
    }

    pub(super) fn extent(
        &self,
        inner: &ProgramLoop<'c>,
        lane: &ThreadLane,
    ) -> Result<i64, Error<'c>> {
        minimum(&inner.extent, &lane.ints)
            .ok_or_else(|| Error::on(inner.op, "has an extent that overflows"))
    }

    fn holds<B>(
        &self,
        branch: &ProgramBranch<'c, B>,
        lane: &ThreadLane,
    ) -> Result<bool, Error<'c>> {
        condition(branch, lane)
    }

    pub(super) fn enter(&self, lane: &mut ThreadLane, inner: &ProgramLoop<'c>, value: i64) {
        lane.ints[inner.slot] = value;
        if self.program.is_unordered {
            let is_virtual = inner.thread == Some(ThreadAxis::VThread);
            let kind = if is_virtual { LoopKind::Parallel } else { inner.kind };
            lane.path.push(Iteration { id: inner.id, value, kind });
        }
    }

    pub(super) fn leave(&self, lane: &mut ThreadLane) {
        if self.program.is_unordered {
            lane.path.pop();
        }
    }

    /// The position of an instance as text, as in `block 'C' at (i=0, t=3)`.
    pub fn place(&self, instance: &OrderedInstance) -> String {
        let name = self.block_name(&self.program.body, instance.block).unwrap_or("?");
        let step = |i: &Iteration| format!("{}={}", self.program.loops[i.id], i.value);
        let steps: Vec<_> = instance.path.iter().map(step).collect();
        format!("\"{name}\" at ({})", steps.join(", "))
    }

    fn block_name(&self, nodes: &'p [ProgramNode<'c>], id: usize) -> Option<&'p str> {
        nodes.iter().find_map(|node| match node {
            ProgramNode::Block(block) if block.id == id => Some(block.name.as_str()),
            ProgramNode::Block(ProgramBlock { body: ProgramBody::Nest(nodes), .. }) => {
                self.block_name(nodes, id)
            }
            ProgramNode::Loop(inner) => self.block_name(&inner.body, id),
            ProgramNode::If(branch) => self
                .block_name(&branch.then_body, id)
                .or_else(|| self.block_name(&branch.else_body, id)),
            _ => None,
        })
    }

    pub fn buffer_name(&self, buffer: usize) -> &'p str {
        &self.program.buffers[buffer].name
    }

    pub fn lane_order(&mut self, active: &[usize]) -> Vec<usize> {
        self.random.order(active.len()).into_iter().map(|i| active[i]).collect()
    }
}

/// True if the iterations of the loop are separate threads.
pub(super) fn is_split(inner: &ProgramLoop) -> bool {
    inner.thread.is_some() || inner.kind == LoopKind::Parallel
}

fn node_has_sync(node: &ProgramNode) -> bool {
    match node {
        ProgramNode::Sync(_) => true,
        ProgramNode::Loop(inner) => inner.has_sync,
        ProgramNode::If(branch) => branch.has_sync,
        ProgramNode::Block(ProgramBlock { body: ProgramBody::Nest(nodes), .. }) => {
            nodes.iter().any(node_has_sync)
        }
        ProgramNode::Block(_) => false,
    }
}

fn diverges(op: Op) -> Error {
    Error::on(op, "barrier divergence: threads of one block do not reach the same barrier")
}
