//! Random nests as plain data, and the changes that primitives make to them.

use loopwright::dialect::loop_enums::{Combiner, IterRole, LoopKind, ThreadAxis};
use loopwright::ir::affine::{BinaryKind, Constraint, Expr};
use loopwright::nest::summary::VariableId;
use loopwright::nest::summary::{
    Access, Block, Body, Buffer, BufferId, Iter, Loop, Node, NodeId, NodeKind, Summary, Variable,
};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// A nest, before and after a change.
pub struct Nest {
    pub before: Summary,
    pub after: Summary,
    /// True if the loops are the same ones, so they identify executions; otherwise the iters do.
    pub same_loops: bool,
}

impl Nest {
    pub fn random(rng: &mut StdRng) -> Nest {
        let before = summary(rng);
        let mut after = before.clone();
        let mut same_loops = true;
        if rng.random_bool(0.4) {
            same_loops = false;
            match rng.random_range(0..3) {
                0 => split(&mut after, rng, false),
                1 => split(&mut after, rng, true),
                _ => fuse(&mut after, rng),
            }
        }
        if rng.random_bool(0.6) {
            permute(&mut after, rng);
        }
        if rng.random_bool(0.3) {
            let node = *chain(&after).choose(rng);
            set_kind(&mut after, node, rng);
        }
        if rng.random_bool(0.3) {
            let last = *chain(&after).last().expect("a loop");
            after.nodes[last].children.shuffle(rng);
        }
        Nest { before, after, same_loops }
    }
}

trait Choose<T> {
    fn choose(&self, rng: &mut StdRng) -> &T;
}

impl<T> Choose<T> for Vec<T> {
    fn choose(&self, rng: &mut StdRng) -> &T {
        &self[rng.random_range(0..self.len())]
    }
}

/// The perfectly nested loops, from the outermost one.
pub fn chain(summary: &Summary) -> Vec<NodeId> {
    let mut chain = vec![];
    let mut at = NodeId::FUNCTION;
    while let [only] = summary.nodes[at].children[..] {
        if summary.as_loop(only).is_none() {
            break;
        }
        chain.push(only);
        at = only;
    }
    chain
}

fn add(summary: &mut Summary, parent: NodeId, kind: NodeKind) -> NodeId {
    let node = summary.nodes.push(Node { parent: Some(parent), children: vec![], kind });
    summary.nodes[parent].children.push(node);
    node
}

fn new_loop(summary: &mut Summary, name: String, extent: Expr) -> Loop {
    let variable = summary.variables.push(Variable::Loop(summary.nodes.next_key()));
    Loop {
        name,
        kind: LoopKind::Serial,
        thread: None,
        extent: vec![extent],
        variable,
        axis: None,
        annotations: vec![],
    }
}

fn summary(rng: &mut StdRng) -> Summary {
    let mut summary = Summary {
        function: "f".into(),
        sizes: vec![None, None],
        size_names: vec!["s0".into(), "s1".into()],
        ..Summary::default()
    };
    summary.nodes.push(Node { parent: None, children: vec![], kind: NodeKind::Function });
    for name in ["A", "B"] {
        let shape = vec![None, None];
        let allocated = shape.clone();
        let buffer = Buffer {
            name: name.into(),
            scope: None,
            shape,
            escapes: false,
            element_bytes: None,
            allocated,
            room: Default::default(),
            is_float: false,
            has_lifted_transforms: false,
            is_between_groups: false,
        };
        summary.buffers.push(buffer.into());
    }
    let mut at = NodeId::FUNCTION;
    for i in 0..rng.random_range(1..4) {
        let extent = match rng.random_range(0..10) {
            0..5 => Expr::Constant(rng.random_range(1..4)),
            5..8 => Expr::Symbol(0),
            _ => Expr::Symbol(1),
        };
        let this = new_loop(&mut summary, format!("l{i}"), extent);
        at = add(&mut summary, at, NodeKind::Loop(this.into()));
    }
    if rng.random_bool(0.15) {
        let node = *chain(&summary).choose(rng);
        set_kind(&mut summary, node, rng);
    }
    let ranks = [rng.random_range(1..3), rng.random_range(1..3)];
    for i in 0..rng.random_range(1..3) {
        let parent = if i == 1 && rng.random_bool(0.2) {
            let this = new_loop(&mut summary, "inner".into(), Expr::Constant(2));
            add(&mut summary, at, NodeKind::Loop(this.into()))
        } else {
            at
        };
        block(&mut summary, parent, format!("S{i}"), ranks, rng);
    }
    summary
}

/// A block whose iters are bound to the loops around it, or nearly so.
fn block(summary: &mut Summary, parent: NodeId, name: String, ranks: [usize; 2], rng: &mut StdRng) {
    let node = summary.nodes.next_key();
    let mut loops: Vec<NodeId> = vec![parent];
    loops.extend(summary.loops_around(parent));
    loops.reverse();
    let reduces = rng.random_bool(0.25);
    let (mut iters, mut binding) = (vec![], vec![]);
    for (i, outer) in loops.iter().enumerate() {
        let bound = summary.as_loop(*outer).expect("a loop").variable.expr();
        let variable = summary.variables.push(Variable::Iter(node, i));
        let is_reduce = reduces && i + 1 == loops.len();
        iters.push(Iter {
            name: format!("v{i}"),
            role: if is_reduce { IterRole::Reduce } else { IterRole::Spatial },
            domain: vec![1000.into()],
            variable,
        });
        binding.push(bound);
    }
    let numbers: Vec<VariableId> = iters.iter().map(|iter| iter.variable).collect();
    let spatial = if reduces { &numbers[..numbers.len() - 1] } else { &numbers[..] };
    let access =
        |rng: &mut StdRng, buffer: BufferId, is_write, over: &[VariableId], plain: bool| Access {
            buffer,
            is_write,
            in_init: false,
            is_conditional: !plain && rng.random_bool(0.03),
            indices: (0..ranks[buffer.index()])
                .map(|_| (plain || !rng.random_bool(0.03)).then(|| index(over, rng)))
                .collect(),
        };
    let written = BufferId::new(rng.random_range(0..2));
    let mut accesses = vec![];
    let store = access(rng, written, true, spatial, reduces);
    if reduces {
        accesses.push(Access { in_init: true, ..store.clone() });
        accesses.push(Access { is_write: false, ..store.clone() });
    }
    for _ in 0..rng.random_range(0..3) {
        let buffer = BufferId::new(rng.random_range(0..2));
        accesses.push(access(rng, buffer, false, &numbers, false));
    }
    accesses.push(store);
    let combiner = if rng.random_bool(0.7) { Combiner::Add } else { Combiner::Ordered };
    let this = Block {
        name,
        iters,
        binding,
        predicate: vec![],
        reducer: reduces.then(|| vec![combiner]),
        without_identity: None,
        arg_reduction: None,
        padding: None,
        has_init: reduces,
        outer_iters: vec![],
        annotations: vec![],
        atomic: vec![],
        body: Body::Leaf {
            accesses,
            calls: false,
            divides: false,
            operations: 1,
            functions: 0,
            widenings: 0,
        },
    };
    add(summary, parent, NodeKind::Block(this.into()));
}

fn index(over: &[VariableId], rng: &mut StdRng) -> Expr {
    let mut sum = Expr::Constant(rng.random_range(0..3));
    for variable in over {
        let factor = [0, 0, 1, 1, 1, -1, 2][rng.random_range(0..7)];
        sum = sum + variable.expr() * factor.into();
    }
    let sum = match rng.random_range(0..14) {
        0 => sum.floor_div(2.into()),
        1 => sum.modulo(rng.random_range(2..4).into()),
        2 => sum + Expr::Symbol(0),
        3 if !over.is_empty() => sum + over[0].expr() * Expr::Symbol(0),
        _ => sum,
    };
    sum.simplified()
}

fn set_kind(summary: &mut Summary, node: NodeId, rng: &mut StdRng) {
    // Loops of the same axis are not nested in each other.
    let is_bound = |n: &Node| matches!(&n.kind, NodeKind::Loop(l) if l.thread.is_some());
    let axis = match summary.nodes.values().any(is_bound) {
        true => ThreadAxis::ThreadY,
        false => ThreadAxis::ThreadX,
    };
    let NodeKind::Loop(this) = &mut summary.nodes[node].kind else { panic!("a loop") };
    (this.kind, this.thread) = match rng.random_range(0..4) {
        0 | 1 => (LoopKind::Parallel, None),
        2 => (LoopKind::Vectorize, None),
        _ => (LoopKind::ThreadBind, Some(axis)),
    };
}

/// Permutes the loops of the chain.
fn permute(summary: &mut Summary, rng: &mut StdRng) {
    let before = chain(summary);
    let mut after = before.clone();
    after.shuffle(rng);
    let inside = summary.nodes[*before.last().expect("a loop")].children.clone();
    summary.nodes[NodeId::FUNCTION].children = vec![after[0]];
    for (i, node) in after.iter().enumerate() {
        summary.nodes[*node].parent = Some(if i == 0 { NodeId::FUNCTION } else { after[i - 1] });
        summary.nodes[*node].children = after.get(i + 1).map_or(inside.clone(), |next| vec![*next]);
    }
    for node in inside {
        summary.nodes[node].parent = after.last().copied();
    }
}

/// Replaces a loop's variable in all bindings, and adds a condition.
fn replace(summary: &mut Summary, variable: VariableId, by: &Expr, condition: Option<Constraint>) {
    let dim = |v| if VariableId::of_dim(v) == variable { by.clone() } else { Expr::Dim(v) };
    for node in summary.nodes.values_mut() {
        let NodeKind::Block(block) = &mut node.kind else { continue };
        for bound in &mut block.binding {
            *bound = bound.substitute(&dim, &Expr::Symbol).simplified();
        }
        for c in &mut block.predicate {
            *c = c.on(c.expr().substitute(&dim, &Expr::Symbol).simplified());
        }
        block.predicate.extend(condition.clone());
    }
}

/// Splits a loop by a number or a size.
fn split(summary: &mut Summary, rng: &mut StdRng, by_size: bool) {
    let node = *chain(summary).choose(rng);
    let this = summary.as_loop(node).expect("a loop").clone();
    let factor = if by_size { Expr::Symbol(1) } else { rng.random_range(2..4).into() };
    let extent = this.extent[0].clone();
    let parts = Expr::binary(BinaryKind::CeilDiv, extent.clone(), factor.clone()).simplified();
    let outer = new_loop(summary, format!("{}.0", this.name), parts);
    let outer_variable = outer.variable;
    summary.variables[outer_variable] = Variable::Loop(node);
    let inner = Loop {
        kind: this.kind,
        thread: this.thread,
        ..new_loop(summary, format!("{}.1", this.name), factor.clone())
    };
    let inner_variable = inner.variable;
    let children = std::mem::take(&mut summary.nodes[node].children);
    summary.nodes[node].kind = NodeKind::Loop(outer.into());
    let inner = add(summary, node, NodeKind::Loop(inner.into()));
    for child in &children {
        summary.nodes[*child].parent = Some(inner);
    }
    summary.nodes[inner].children = children;
    let whole = outer_variable.expr() * factor + inner_variable.expr();
    let inside = Constraint::NonNegative((extent - whole.clone() - 1.into()).simplified());
    replace(summary, this.variable, &whole, Some(inside));
}

/// Fuses the two outermost loops of the chain, if there are two in order.
fn fuse(summary: &mut Summary, _rng: &mut StdRng) {
    let chain = chain(summary);
    let [outer, inner, ..] = chain[..] else { return };
    let (a, b) = (
        summary.as_loop(outer).expect("a loop").clone(),
        summary.as_loop(inner).expect("a loop").clone(),
    );
    if a.kind != LoopKind::Serial || b.kind != LoopKind::Serial {
        return;
    }
    let extent = (a.extent[0].clone() * b.extent[0].clone()).simplified();
    let fused = new_loop(summary, "fused".into(), extent);
    summary.variables[fused.variable] = Variable::Loop(outer);
    let f = fused.variable.expr();
    summary.nodes[outer].kind = NodeKind::Loop(fused.into());
    let children = std::mem::take(&mut summary.nodes[inner].children);
    for child in &children {
        summary.nodes[*child].parent = Some(outer);
    }
    summary.nodes[outer].children = children;
    replace(summary, a.variable, &f.clone().floor_div(b.extent[0].clone()), None);
    replace(summary, b.variable, &f.modulo(b.extent[0].clone()), None);
}
