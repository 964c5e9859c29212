//! The state of a function during scheduling: the IR, its summary, and the mapping between the two.

pub(crate) mod arg_reduction;
mod buffer;
pub(crate) mod focus;
pub(crate) mod incremental;
mod leaf;
mod size;

pub use leaf::padding_branch;

use super::rewriter::Rewriter;
use super::summary::{
    Access, Block, Body, BufferId, Iter, Loop, Node, NodeId, NodeKind, Summary, Variable,
    VariableId,
};
use crate::dialect::contract::Contract;
use crate::dialect::loop_op::{self, For, If, ScheduleBlock};
use crate::dialect::{annotation, reducer, region};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block as IrBlock, Context, Error, Op, Value, constant_integer, parents, walk};
use crate::nest::state::incremental::{Former, KnownNest, NestNumbers, OuterValue};
use buffer::escaping_arguments;
use cranelift_entity::PrimaryMap;
use focus::Focus;
use size::{size_name, static_size};
use std::collections::{BTreeSet, HashMap};

/// A function, its summary, and the ops and values behind the numbers of the summary.
pub struct State<'c> {
    /// The `func.func` op.
    pub function: Op<'c>,
    /// Is notified of ops that are erased or replaced.
    pub rewriter: Box<dyn Rewriter<'c> + 'c>,
    /// Assume all obligations, even refuted ones. Only for tests that compare results.
    pub force: bool,
    summary: Summary,
    ops: PrimaryMap<NodeId, Op<'c>>,
    variables: PrimaryMap<VariableId, Value<'c>>,
    sizes: Vec<Value<'c>>,
    buffers: PrimaryMap<BufferId, Value<'c>>,
    nests: Vec<KnownNest<'c>>,
    focus: Option<Focus<'c>>,
    /// See [`State::outdate`].
    is_outdated: bool,
}

impl<'c> State<'c> {
    /// Reads the summary of a function of the loop dialect.
    ///
    /// # Errors
    /// If an op of the dialect is not valid, or the function has more than one basic block.
    pub fn new(function: Op<'c>, rewriter: Box<dyn Rewriter<'c> + 'c>) -> Result<Self, Error<'c>> {
        let mut state = State {
            function,
            rewriter,
            force: false,
            summary: Summary::default(),
            ops: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            sizes: vec![],
            buffers: PrimaryMap::new(),
            nests: vec![],
            focus: None,
            is_outdated: false,
        };
        state.refresh()?;
        Ok(state)
    }

    /// The function as plain data.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The MLIR context.
    pub fn context(&self) -> Context<'c> {
        self.function.context()
    }

    /// The op of a node; for node 0 the function.
    pub fn op(&self, node: NodeId) -> Op<'c> {
        self.ops[node]
    }

    /// The schedule blocks that enclose some nodes, innermost first. Access regions must be derived in this
    /// order, because the regions of a block are those of the blocks nested in it.
    pub fn nests_around<'n>(&self, nodes: impl IntoIterator<Item = &'n NodeId>) -> Vec<Op<'c>> {
        let around = nodes.into_iter().flat_map(|node| self.summary.ancestors(*node));
        let nests: BTreeSet<NodeId> =
            around.filter(|node| self.summary.as_block(*node).is_some()).collect();
        nests.into_iter().rev().map(|node| self.op(node)).collect()
    }

    /// The value of an [`Expr::Dim`].
    pub fn variable(&self, variable: VariableId) -> Value<'c> {
        self.variables[variable]
    }

    /// The values of all [`Expr::Dim`], by number.
    pub fn variables(&self) -> &[Value<'c>] {
        self.variables.as_values_slice()
    }

    /// The values of all [`Expr::Symbol`], by number.
    pub fn sizes(&self) -> &[Value<'c>] {
        &self.sizes
    }

    /// Turns block iters into symbols, so that they may be factors and divisors. Returns the expressions
    /// and the values of all symbols.
    pub fn with_iters_as_symbols(&self, exprs: &[Expr]) -> (Vec<Expr>, Vec<Value<'c>>) {
        let mut iters: Vec<VariableId> = vec![];
        for expr in exprs {
            expr.visit_leaves(&mut |leaf| {
                let Expr::Dim(dim) = leaf else { return };
                let variable = VariableId::of_dim(*dim);
                let is_iter = matches!(self.summary.variables[variable], Variable::Iter(..));
                if is_iter && !iters.contains(&variable) {
                    iters.push(variable);
                }
            });
        }
        let dim = |variable: usize| match iters
            .iter()
            .position(|iter| *iter == VariableId::of_dim(variable))
        {
            Some(i) => Expr::Symbol(self.sizes.len() + i),
            None => Expr::Dim(variable),
        };
        let exprs = exprs.iter().map(|e| e.substitute(&dim, &Expr::Symbol)).collect();
        let iters = iters.iter().map(|iter| self.variables[*iter]);
        (exprs, self.sizes.iter().copied().chain(iters).collect())
    }

    /// The memref of a buffer.
    pub fn buffer(&self, buffer: BufferId) -> Value<'c> {
        self.buffers[buffer]
    }

    /// Reads the summary again after a change to the IR. All numbers of the old summary become invalid.
    ///
    /// # Errors
    /// As [`State::new`]. The state must then be discarded.
    pub fn refresh(&mut self) -> Result<(), Error<'c>> {
        let former = self.former();
        self.read(former)
    }

    /// As [`State::refresh`], for use within a step: only the nest at function level around `block` has
    /// changed. The other nests are not read again.
    ///
    /// # Errors
    /// As [`State::refresh`].
    pub fn refresh_nest(&mut self, block: NodeId) -> Result<(), Error<'c>> {
        let op = self.op(block);
        let was = self.summary.ancestors(block).take_while(|node| *node != NodeId::FUNCTION).last();
        let was = self.op(was.unwrap_or(block));
        let mut former = self.former();
        // A new op may have the address of an erased one.
        former.nests.remove(&was);
        let function = self.function;
        let around = std::iter::once(op).chain(parents(op));
        former.changed = around.take_while(|outer| *outer != function).last();
        self.read(former)
    }

    /// Notes that the summary of a buffer no longer agrees with the IR. The caller does not ask about this buffer again; the
    /// summary is read again before the state changes its focus.
    pub(crate) fn outdate(&mut self) {
        self.is_outdated = true;
    }

    fn former(&mut self) -> Former<'c> {
        Former {
            summary: std::mem::take(&mut self.summary),
            ops: std::mem::take(&mut self.ops),
            variables: std::mem::take(&mut self.variables),
            sizes: std::mem::take(&mut self.sizes),
            buffer_numbers: self.buffers.iter().map(|(id, value)| (*value, id)).collect(),
            nests: self.nests.drain(..).map(|nest| (nest.op, nest)).collect(),
            changed: None,
        }
    }

    fn read(&mut self, mut former: Former<'c>) -> Result<(), Error<'c>> {
        let elsewhere = std::mem::take(&mut former.summary.elsewhere);
        let focus = self.focus.as_ref();
        let reading = SummaryReader::all(self.function, former, focus)?;
        #[cfg(debug_assertions)]
        reading.assert_same(&SummaryReader::all(self.function, Former::default(), focus)?);
        self.summary = reading.summary;
        self.summary.elsewhere = elsewhere;
        self.ops = reading.ops;
        self.variables = reading.variables;
        self.sizes = reading.sizes;
        self.buffers = reading.buffers;
        self.nests = reading.nests;
        self.is_outdated = false;
        Ok(())
    }
}

/// A summary that is being read from the IR.
struct SummaryReader<'c> {
    summary: Summary,
    ops: PrimaryMap<NodeId, Op<'c>>,
    variables: PrimaryMap<VariableId, Value<'c>>,
    sizes: Vec<Value<'c>>,
    buffers: PrimaryMap<BufferId, Value<'c>>,
    numbers: HashMap<Value<'c>, VariableId>,
    buffer_numbers: HashMap<Value<'c>, BufferId>,
    nests: Vec<KnownNest<'c>>,
    /// The outer values that the nest being read has used so far.
    met: Vec<OuterValue<'c>>,
    former: Former<'c>,
    /// True if the state is of a part of the function.
    is_part: bool,
}

impl<'c> SummaryReader<'c> {
    /// Reads a function and reuses what has not changed since a former state.
    fn all(
        function: Op<'c>,
        former: Former<'c>,
        focus: Option<&Focus<'c>>,
    ) -> Result<Self, Error<'c>> {
        let mut reading = SummaryReader::new(function, former, focus.is_some());
        reading.summary.contract = Contract::of(function)?;
        let blocks: Vec<_> = function.regions().iter().flat_map(|r| r.blocks()).collect();
        if blocks.len() > 1 {
            let message = format!("has {} blocks, expected one", blocks.len());
            return Err(Error::on(function, message));
        }
        reading.node(function, None, NodeKind::Function);
        let Some(body) = blocks.first() else { return Ok(reading) };
        match focus {
            Some(focus) => reading.ops_of(focus.ops(*body), NodeId::FUNCTION)?,
            None => {
                for value in body.arguments() {
                    if value.ty().is_memref() {
                        reading.buffer(value);
                    }
                }
                reading.ops_of(body.ops(), NodeId::FUNCTION)?;
            }
        }
        reading.name_dimensions();
        reading.equate_dimensions(function)?;
        if let Some(focus) = focus {
            reading.note_escapes(focus);
        }
        Ok(reading)
    }

    #[cfg(debug_assertions)]
    fn assert_same(&self, other: &Self) {
        assert_eq!(self.summary, other.summary, "the updated summary differs from a new one");
        assert!(self.ops == other.ops && self.variables == other.variables);
        assert!(self.sizes == other.sizes && self.buffers == other.buffers);
    }

    fn new(function: Op<'c>, former: Former<'c>, is_part: bool) -> Self {
        let name = function.symbol_name().unwrap_or_default();
        SummaryReader {
            summary: Summary { function: name.to_owned(), ..Summary::default() },
            ops: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            sizes: vec![],
            buffers: PrimaryMap::new(),
            numbers: HashMap::new(),
            buffer_numbers: HashMap::new(),
            nests: vec![],
            met: vec![],
            former,
            is_part,
        }
    }

    /// Reads a nest at function level, or reuses its nodes from the former state.
    fn nest(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let fingerprint = self.former.known(op).unwrap_or_else(|| op.fingerprint());
        let (nodes, variables) = (self.ops.next_key(), self.variables.next_key());
        self.met.clear();
        let escaping = match self.reuse_nest(op, fingerprint) {
            Some(escaping) => escaping,
            None => {
                self.read_nest(op, NodeId::FUNCTION)?;
                if self.is_part { escaping_arguments(op) } else { vec![] }
            }
        };
        self.nests.push(KnownNest {
            escaping,
            op,
            fingerprint,
            nodes: nodes..self.ops.next_key(),
            variables: variables..self.variables.next_key(),
            met: std::mem::take(&mut self.met),
        });
        Ok(())
    }

    /// Reuses the nodes of a nest from the former state. Returns its escaping arguments; `None` if the nest has changed.
    fn reuse_nest(&mut self, op: Op<'c>, fingerprint: u64) -> Option<Vec<Value<'c>>> {
        let nest = self.former.take(op, fingerprint)?;
        let mut numbers = NestNumbers {
            nodes: (nest.nodes.start, self.ops.next_key()),
            variables: (nest.variables.start, self.variables.next_key()),
            sizes: HashMap::new(),
            buffers: HashMap::new(),
        };
        for met in &nest.met {
            match *met {
                OuterValue::Size(value) => {
                    let then = self.former.sizes.iter().position(|size| *size == value);
                    let Expr::Symbol(now) = self.operand(value) else { return None };
                    numbers.sizes.extend(then.map(|then| (then, now)));
                }
                OuterValue::Buffer(value) => {
                    let then = self.former.buffer_numbers.get(&value).copied();
                    let now = self.buffer(value);
                    numbers.buffers.extend(then.map(|then| (then, now)));
                }
            }
        }
        if !numbers.keep_order() {
            return None;
        }
        self.summary.nodes[NodeId::FUNCTION].children.push(self.ops.next_key());
        for id in nest.nodes() {
            let mut node = self.former.node(id);
            numbers.renumber(&mut node);
            self.summary.nodes.push(node);
            self.ops.push(self.former.ops[id]);
            if self.former.summary.otherwise.contains(&id) {
                self.summary.otherwise.insert(numbers.node(id));
            }
        }
        for id in nest.variables() {
            self.variables.push(self.former.variables[id]);
            let variable = numbers.meaning(self.former.summary.variables[id]);
            self.summary.variables.push(variable);
        }
        Some(nest.escaping)
    }

    fn met(&mut self, met: OuterValue<'c>) {
        if !self.met.contains(&met) {
            self.met.push(met);
        }
    }

    fn node(&mut self, op: Op<'c>, parent: Option<NodeId>, kind: NodeKind) -> NodeId {
        let node = self.ops.push(op);
        self.summary.nodes.push(Node { parent, children: vec![], kind });
        if let Some(parent) = parent {
            self.summary.nodes[parent].children.push(node);
        }
        node
    }

    fn ops_of(&mut self, ops: Vec<Op<'c>>, parent: NodeId) -> Result<(), Error<'c>> {
        for op in ops {
            match op.name() {
                For::NAME | ScheduleBlock::NAME | If::NAME if parent == NodeId::FUNCTION => {
                    self.nest(op)?
                }
                For::NAME => self.read_loop(op, parent)?,
                ScheduleBlock::NAME => self.read_block(op, parent)?,
                If::NAME => self.read_if(op, parent)?,
                "loop.sync" => {
                    self.node(op, Some(parent), NodeKind::Sync);
                }
                loop_op::BufferView::NAME => {
                    self.buffer(op.result(0));
                }
                _ if parent == NodeId::FUNCTION && may_write(op) => {
                    self.node(op, Some(parent), NodeKind::Effects(op.name().to_owned()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_nest(&mut self, op: Op<'c>, parent: NodeId) -> Result<(), Error<'c>> {
        match op.name() {
            For::NAME => self.read_loop(op, parent),
            ScheduleBlock::NAME => self.read_block(op, parent),
            _ => self.read_if(op, parent),
        }
    }

    fn read_if(&mut self, op: Op<'c>, parent: NodeId) -> Result<(), Error<'c>> {
        let view = If::of(op)?;
        let (dims, symbols) = view.operands.split_at(view.condition.dims);
        let condition = self.constraints(&view.condition.constraints, dims, symbols);
        let node = self.node(op, Some(parent), NodeKind::If(condition));
        self.ops_of(view.then_body.ops(), node)?;
        let then = self.summary.nodes[node].children.len();
        self.ops_of(view.else_body.map(IrBlock::ops).unwrap_or_default(), node)?;
        let otherwise = self.summary.nodes[node].children[then..].to_vec();
        self.summary.otherwise.extend(otherwise);
        Ok(())
    }

    fn read_loop(&mut self, op: Op<'c>, parent: NodeId) -> Result<(), Error<'c>> {
        let view = For::of(op)?;
        let (dims, symbols) = view.operands.split_at(view.extent.dims);
        let extent = self.exprs(&view.extent.results, dims, symbols);
        let node = self.ops.next_key();
        let this = Loop {
            name: view.name.to_owned(),
            kind: view.kind,
            thread: view.thread,
            extent,
            variable: self.new_variable(view.variable(), Variable::Loop(node)),
            axis: view.axis.clone(),
            annotations: annotation::keys(op),
        };
        self.node(op, Some(parent), NodeKind::Loop(this.into()));
        self.ops_of(view.body.ops(), node)
    }

    fn read_block(&mut self, op: Op<'c>, parent: NodeId) -> Result<(), Error<'c>> {
        let view = ScheduleBlock::of(op)?;
        let node = self.ops.next_key();
        let binding = self.exprs(&view.binding, &view.binds, &view.sizes);
        let predicate = view.predicate.as_ref().map(|set| set.constraints.clone());
        let predicate = self.constraints(&predicate.unwrap_or_default(), &view.binds, &view.sizes);
        let mut iters = vec![];
        for (i, iter) in view.iters.iter().enumerate() {
            iters.push(Iter {
                name: iter.name.clone(),
                role: iter.role,
                domain: self.exprs(&iter.domain, &[], &view.sizes),
                variable: self.new_variable(iter.variable, Variable::Iter(node, i)),
            });
        }
        let body = self.body(&view)?;
        let is_nest = view.is_nest();
        let outer_iters = if is_nest { vec![] } else { self.outer_iters(&view, node) };
        let this = Block {
            name: view.name.to_owned(),
            iters,
            binding,
            predicate,
            reducer: view.reducer.as_ref().map(|reducer| reducer.combiners.clone()),
            without_identity: view
                .reducer
                .as_ref()
                .and_then(|reducer| reducer::without_identity(&view, reducer)),
            arg_reduction: self.arg_reduction(&view),
            padding: self.padding(&view),
            has_init: view.init().is_some(),
            outer_iters,
            body,
            annotations: annotation::keys(op),
            atomic: self.atomic(&view),
        };
        self.node(op, Some(parent), NodeKind::Block(this.into()));
        if is_nest { self.ops_of(view.body.ops(), node) } else { Ok(()) }
    }

    fn body(&mut self, view: &ScheduleBlock<'c>) -> Result<Body, Error<'c>> {
        if view.is_nest() {
            return Ok(Body::Nest);
        }
        let iters: Vec<_> = view.iters.iter().map(|iter| iter.variable).collect();
        let mut accesses = vec![];
        for cell in region::cells(view)? {
            let mut indices = vec![];
            for index in &cell.indices {
                let expr = index.as_ref().map(std::slice::from_ref).unwrap_or_default();
                indices.push(self.exprs(expr, &iters, &view.sizes).pop());
            }
            accesses.push(Access {
                buffer: self.buffer(cell.buffer),
                is_write: cell.is_write,
                in_init: cell.in_init,
                is_conditional: cell.is_conditional,
                indices,
            });
        }
        Ok(leaf::body(view.op, accesses))
    }

    fn outer_iters(&self, view: &ScheduleBlock<'c>, node: NodeId) -> Vec<VariableId> {
        let inside = walk(view.op).into_iter().skip(1).flat_map(|op| op.operands());
        let found: BTreeSet<VariableId> = view
            .sizes
            .iter()
            .copied()
            .chain(inside)
            .filter_map(|value| self.numbers.get(&value).copied())
            .filter(|number| {
                matches!(self.summary.variables[*number], Variable::Iter(of, _) if of != node)
            })
            .collect();
        found.into_iter().collect()
    }

    fn new_variable(&mut self, value: Value<'c>, variable: Variable) -> VariableId {
        let id = self.variables.push(value);
        self.summary.variables.push(variable);
        self.numbers.insert(value, id);
        id
    }

    /// The expression for an operand: the number of a variable, a constant, or the number of a size.
    fn operand(&mut self, value: Value<'c>) -> Expr {
        if let Some(number) = self.numbers.get(&value) {
            return number.expr();
        }
        if let Some(constant) = constant_integer(value) {
            return constant.into();
        }
        self.met(OuterValue::Size(value));
        if let Some(known) = self.sizes.iter().position(|size| *size == value) {
            return Expr::Symbol(known);
        }
        self.sizes.push(value);
        self.summary.sizes.push(static_size(value));
        self.summary.size_names.push(size_name(value));
        Expr::Symbol(self.sizes.len() - 1)
    }

    fn exprs(&mut self, exprs: &[Expr], dims: &[Value<'c>], symbols: &[Value<'c>]) -> Vec<Expr> {
        let dims: Vec<_> = dims.iter().map(|v| self.operand(*v)).collect();
        let symbols: Vec<_> = symbols.iter().map(|v| self.operand(*v)).collect();
        let replaced = |e: &Expr| match e {
            // Fast path: most expressions are leaves, which are in normal form already.
            Expr::Dim(i) => dims[*i].clone(),
            Expr::Symbol(i) => symbols[*i].clone(),
            Expr::Constant(_) => e.clone(),
            _ => e.substitute(&|i| dims[i].clone(), &|i| symbols[i].clone()).simplified(),
        };
        exprs.iter().map(replaced).collect()
    }

    fn constraints(
        &mut self,
        constraints: &[Constraint],
        dims: &[Value<'c>],
        symbols: &[Value<'c>],
    ) -> Vec<Constraint> {
        let exprs: Vec<_> = constraints.iter().map(|c| c.expr().clone()).collect();
        let exprs = self.exprs(&exprs, dims, symbols);
        constraints.iter().zip(exprs).map(|(old, expr)| old.on(expr)).collect()
    }
}

/// True if an op at function level may change the content of a buffer.
fn may_write(op: Op) -> bool {
    !op.has_no_effects()
        && !matches!(
            op.name(),
            "loop.buffer" | "memref.alloc" | "memref.alloca" | "memref.load" | "func.return"
        )
}
