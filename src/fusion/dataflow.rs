//! The dataflow of a function on tensors as plain data: which op reads which result, and along which loops.

use super::kind::{OpFacts, PatternKind, Sizes, dims, is_one};
use crate::analysis::op_cost;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::ir::{Attribute, Block, Op, Type, TypeKind, Value, outside_values, walk};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The size that a dynamic dimension counts as where groups are compared by bytes. Only the order in which edges are tried
/// depends on it.
const DYNAMIC: u64 = 128;

/// Weights grow at most so many times when they are transformed once for all calls; see `lift-weight-transforms`.
const MOST_GROWTH: u64 = 2;

/// An op of the function's block that computes tensors, by its place in the block.
#[derive(Debug)]
pub struct OpNode<'c> {
    pub op: Op<'c>,
    pub facts: OpFacts,
    /// The bytes of all its results.
    pub bytes: u64,
    /// True if a result is returned, or is read by an op that is no node.
    pub is_output: bool,
    /// True if it depends on constants alone and is small, so that it is computed once for all calls.
    pub is_of_weights: bool,
    /// The edges that end at it, and those that start from it.
    pub inputs: Vec<usize>,
    pub outputs: Vec<usize>,
    /// A hash of what it computes and of what is computed from it. It does not depend on the order of ops.
    pub hash: u64,
}

/// A dependence of a node on another one.
#[derive(Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// True if the second reads elements of a value of the first. Otherwise it uses only its size or a scalar that is computed
    /// from it, or must come later.
    pub is_read: bool,
    /// The bytes of the value.
    pub bytes: u64,
    /// For each dimension of the value: how the reader indexes it.
    pub indices: Vec<DimensionIndex>,
    /// The dimensions of the value that have more than one element, as far as is known.
    pub wide: Vec<bool>,
    /// True if the reader starts its reduction from the value.
    pub is_start: bool,
}

/// How a reader indexes a dimension of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DimensionIndex {
    /// By the loop over a dimension of the reader's result.
    Result(usize),
    /// By a loop that reduces.
    Reduction,
    /// By anything else.
    Other,
}

/// The dataflow of a function.
#[derive(Debug)]
pub struct Dataflow<'c> {
    pub nodes: Vec<OpNode<'c>>,
    pub edges: Vec<Edge>,
    /// The sizes of all values.
    pub sizes: SymbolicSizes<'c>,
    /// The nodes that may have effects, which keep their order.
    ordered: Vec<usize>,
}

impl<'c> Dataflow<'c> {
    /// The dataflow of a block. `weights` states whether ops on constants alone are computed once for all calls.
    pub fn of(block: Block<'c>, weights: bool) -> Self {
        let ops: Vec<Op> = block.ops().into_iter().filter(|op| is_node(*op)).collect();
        let number: HashMap<Op, usize> = ops.iter().enumerate().map(|(i, op)| (*op, i)).collect();
        let sizes = SymbolicSizes::of(block);
        let mut flow = Self { nodes: vec![], edges: vec![], sizes, ordered: vec![] };
        for (i, op) in ops.iter().enumerate() {
            let facts = OpFacts::of(*op, &flow.sizes);
            let results = op.results();
            let readers = || results.iter().flat_map(|result| result.uses());
            let top = |user: Op<'c>| ancestor_in(user, block);
            let is_inner = |user: Op<'c>| number.contains_key(&user) || is_repeatable(user);
            let is_output = readers().any(|(user, _)| top(user).is_none_or(|user| !is_inner(user)));
            if !op.has_no_effects() {
                flow.ordered.push(i);
            }
            flow.nodes.push(OpNode {
                op: *op,
                bytes: results.iter().map(|result| bytes_of(*result)).sum(),
                facts,
                is_output,
                is_of_weights: false,
                inputs: vec![],
                outputs: vec![],
                hash: 0,
            });
            for (value, operand) in outside_values(*op) {
                match value.defining_op().and_then(|op| number.get(&op)) {
                    Some(from) => flow.connect(*from, i, Some(value), operand, true),
                    None => {
                        for from in nodes_behind(value, &number) {
                            flow.connect(from, i, None, None, false);
                        }
                    }
                }
            }
        }
        for pair in flow.ordered.clone().windows(2) {
            flow.connect(pair[0], pair[1], None, None, false);
        }
        if weights {
            flow.mark_weights();
        }
        flow.hash();
        flow
    }

    fn connect(
        &mut self,
        from: usize,
        to: usize,
        value: Option<Value<'c>>,
        operand: Option<usize>,
        is_read: bool,
    ) {
        let facts = &self.nodes[to].facts;
        let dims = value.map(|it| dims(it, &self.sizes)).unwrap_or_default();
        let indices = operand.and_then(|operand| facts.indices.get(operand).cloned());
        let is_start = operand.is_some_and(|operand| operand >= facts.inputs);
        let number = self.edges.len();
        self.edges.push(Edge {
            from,
            to,
            is_read,
            bytes: value.map_or(0, bytes_of),
            indices: indices.unwrap_or_else(|| vec![DimensionIndex::Other; dims.len()]),
            wide: dims.iter().map(|size| !is_one(size)).collect(),
            is_start: is_start && facts.kind.reduces(),
        });
        self.nodes[from].outputs.push(number);
        self.nodes[to].inputs.push(number);
    }

    /// The bytes that are not moved if the value of an edge stays in a group: it is not read from memory and, if it has no other
    /// reader, not written.
    pub fn saved(&self, edge: &Edge) -> u64 {
        let from = &self.nodes[edge.from];
        let readers = from.outputs.iter().filter(|it| self.edges[**it].is_read).count();
        let is_only = readers == 1 && !from.is_output;
        edge.bytes.saturating_mul(if is_only { 2 } else { 1 })
    }

    fn mark_weights(&mut self) {
        let mut read: Vec<u64> = vec![0; self.nodes.len()];
        for i in 0..self.nodes.len() {
            let values = outside_values(self.nodes[i].op);
            let tensors = || values.iter().filter(|(value, _)| value.ty().shaped().is_some());
            let is_fixed = |value: Value<'c>| match value.defining_op() {
                Some(op) => op.is_constant() || is_repeatable(op),
                None => false,
            };
            let of_nodes = || self.nodes[i].inputs.iter().map(|edge| self.edges[*edge].from);
            let own = tensors()
                .filter(|(value, _)| value.defining_op().is_some_and(|op| is_weight(op)))
                .map(|(value, _)| bytes_of(*value));
            // A weight counts once for each path from it, and the number of paths doubles with each residual connection.
            read[i] = own.chain(of_nodes().map(|from| read[from])).fold(0, u64::saturating_add);
            let inputs: Vec<Value> =
                of_nodes().flat_map(|it| self.nodes[it].op.results()).collect();
            let is_known = |value: &Value<'c>| is_fixed(*value) || inputs.contains(value);
            self.nodes[i].is_of_weights = self.nodes[i].facts.kind != PatternKind::Opaque
                && read[i] > 0
                && values.iter().all(|(value, _)| is_known(value))
                && of_nodes().all(|from| self.nodes[from].is_of_weights)
                && self.nodes[i].bytes <= MOST_GROWTH.saturating_mul(read[i]);
        }
    }

    /// Hashes nodes by what they compute, then by their readers, so that equal hashes are rare.
    fn hash(&mut self) {
        let mut above: Vec<u64> = vec![];
        let mut texts = Texts::default();
        for node in &self.nodes {
            let mut hasher = DefaultHasher::new();
            digest(node.op, &mut texts, &mut hasher);
            for (value, _) in outside_values(node.op) {
                match (value.defining_op(), value.owner()) {
                    (None, Some(_)) => ("argument", value.index()).hash(&mut hasher),
                    _ => texts.of_type(value.ty()).hash(&mut hasher),
                }
            }
            node.inputs.iter().for_each(|edge| above[self.edges[*edge].from].hash(&mut hasher));
            above.push(hasher.finish());
        }
        for i in (0..self.nodes.len()).rev() {
            let mut below: Vec<u64> = self.nodes[i]
                .outputs
                .iter()
                .map(|edge| self.nodes[self.edges[*edge].to].hash)
                .collect();
            below.sort_unstable();
            let mut hasher = DefaultHasher::new();
            (above[i], below).hash(&mut hasher);
            self.nodes[i].hash = hasher.finish();
        }
    }
}

impl Edge {
    /// The number of leading loops over the reader's results that run over the leading dimensions of the value in the same
    /// order. Dimensions of one element do not count, unless the value has no others, or begins with one and the reader has a
    /// single result: there is one row then.
    pub fn shared_loops(&self, results: &Sizes) -> usize {
        let is_row = self.wide.iter().all(|wide| !wide) || results.iter().all(is_one);
        if is_row && self.wide.first() == Some(&false) {
            return usize::from(results.first().is_some_and(is_one));
        }
        let loops = (0..results.len()).filter(|i| !is_one(&results[*i]));
        let dims = self.indices.iter().zip(&self.wide).filter(|(_, wide)| **wide);
        let is_same = |((index, _), at): &((&DimensionIndex, &bool), usize)| {
            **index == DimensionIndex::Result(*at)
        };
        dims.zip(loops).take_while(is_same).count()
    }

    /// True if each result of the reader is computed from the one element of the value at the same place, apart from
    /// dimensions of one element.
    pub fn is_pointwise(&self, results: &Sizes) -> bool {
        let wide = self.wide.iter().filter(|wide| **wide).count();
        let loops = results.iter().filter(|size| !is_one(size)).count();
        wide == loops && (loops == 0 || self.shared_loops(results) == loops)
    }
}

/// True for an op that may be in a group, or that uses tensors as a whole: all ops on tensors but constants and those that
/// are repeated where they are used.
fn is_node(op: Op) -> bool {
    let is_tensor = |value: &Value| value.ty().shaped().is_some() && !value.ty().is_memref();
    let results = op.results();
    let uses_tensors = || outside_values(op).iter().any(|(value, _)| is_tensor(value));
    let is_size = || matches!(op.name(), "tensor.dim" | "tensor.rank" | "tensor.extract");
    let has_tensors = results.iter().any(is_tensor) || !is_size() && uses_tensors();
    has_tensors && !op.is_constant() && !is_repeatable(op) && !op.is("func.return")
}

/// True for an op that costs nothing and is repeated wherever its result is used: `tensor.empty`, a fill of it by a constant, a
/// constant of one value, scalars, and a tensor of one element that is computed from these.
pub fn is_repeatable(op: Op) -> bool {
    let is_repeated = |value: Value| value.defining_op().is_some_and(is_repeatable);
    match op.name() {
        "tensor.empty" => true,
        "linalg.fill" => op.operands().into_iter().all(is_repeated),
        // An argument of the function can be used anywhere.
        "tensor.from_elements" => {
            op.operands().into_iter().all(|it| it.defining_op().is_none_or(is_repeatable))
        }
        "linalg.generic" => {
            let has_one_element = |it: Value| {
                it.ty().shaped().is_none_or(|(sizes, _)| sizes.iter().all(|it| *it == Some(1)))
            };
            op.operands().into_iter().all(has_one_element)
                && outside_values(op).into_iter().all(|(value, _)| is_repeated(value))
        }
        _ if op.is_constant() => !is_weight(op),
        _ => {
            let is_scalar = |value: &Value| value.ty().shaped().is_none();
            op.regions().is_empty()
                && op.has_no_effects()
                && !op.results().is_empty()
                && op.results().iter().all(is_scalar)
        }
    }
}

/// True for a constant that is passed to functions: a tensor whose elements differ. A short list of integers, such as the sizes
/// of a reshape, is not passed, because ops are converted by its elements.
pub fn is_weight(op: Op) -> bool {
    const SHORT: usize = 64;
    let is_repeated = |value: Attribute| match value.as_elements() {
        Some(elements) => {
            let element = elements.ty.shaped().map(|(_, element)| element.kind());
            let is_float = matches!(element, Some(TypeKind::Float(_)));
            elements.splat || elements.len() < 2 || !is_float && elements.len() <= SHORT
        }
        None => false,
    };
    op.is_constant()
        && op.result(0).ty().shaped().is_some()
        && !op.attribute("value").is_some_and(is_repeated)
}

/// The op of `block` that contains `op`, or is it.
fn ancestor_in<'c>(op: Op<'c>, block: Block<'c>) -> Option<Op<'c>> {
    let mut at = Some(op);
    while let Some(op) = at.filter(|op| op.block() != Some(block)) {
        at = op.parent();
    }
    at
}

/// The bytes of a tensor; 0 for a scalar.
pub fn bytes_of(value: Value) -> u64 {
    let Some((dims, element)) = value.ty().shaped() else { return 0 };
    let size = |dim: Option<i64>| dim.map_or(DYNAMIC, |size| size.unsigned_abs());
    dims.into_iter().map(size).fold(op_cost::bytes_of(element), u64::saturating_mul)
}

/// The text of each type and attribute that was asked for. MLIR sorts its dialects each time it prints one, and the layers of a
/// model have the same ones. Hashes are of the text because addresses differ between runs.
#[derive(Default)]
struct Texts<'c> {
    types: HashMap<Type<'c>, String>,
    attributes: HashMap<Attribute<'c>, String>,
}

impl<'c> Texts<'c> {
    fn of_type(&mut self, ty: Type<'c>) -> &str {
        self.types.entry(ty).or_insert_with(|| ty.to_string())
    }

    fn of_attribute(&mut self, attribute: Attribute<'c>) -> &str {
        self.attributes.entry(attribute).or_insert_with(|| attribute.to_string())
    }
}

/// Hashes an op with its regions, without the values from outside and without large constants.
fn digest<'c>(op: Op<'c>, texts: &mut Texts<'c>, hasher: &mut DefaultHasher) {
    let mut numbers: HashMap<Value, usize> = HashMap::new();
    for op in walk(op) {
        op.name().hash(hasher);
        for operand in op.operands() {
            numbers.get(&operand).hash(hasher);
        }
        let arguments =
            op.regions().into_iter().flat_map(|it| it.blocks()).flat_map(Block::arguments);
        for value in op.results().into_iter().chain(arguments) {
            let next = numbers.len();
            numbers.insert(value, next);
            texts.of_type(value.ty()).hash(hasher);
        }
        for (name, value) in op.attributes().into_iter().filter(|(_, value)| !value.has_elements())
        {
            name.hash(hasher);
            texts.of_attribute(value).hash(hasher);
        }
    }
}

/// The nodes whose sizes or elements a repeated op uses.
fn nodes_behind<'c>(value: Value<'c>, nodes: &HashMap<Op<'c>, usize>) -> Vec<usize> {
    let (mut found, mut left, mut seen) = (vec![], vec![value], HashSet::new());
    while let Some(value) = left.pop() {
        let Some(op) = value.defining_op().filter(|_| seen.insert(value)) else { continue };
        match nodes.get(&op) {
            Some(node) => found.push(*node),
            None => left.extend(outside_values(op).into_iter().map(|(value, _)| value)),
        }
    }
    found
}
