//! `channels-last`: store images with their channels in the last dimension.
//!
//! ```text
//! %y = linalg.generic (n, f, h, w, c, i, j) ins(%x[n, c, h + i, w + j], %W[f, c, i, j]) -> tensor<1x64x56x56xf32>
//!   ->
//! %y = linalg.generic (n, h, w, f, c, i, j) ins(%x[n, h + i, w + j, c], %W[f, c, i, j]) -> tensor<1x56x56x64xf32>
//! ```
//! Models store images as [n, c, h, w]. Vectors of results are then along a row of the image: an image of 7 x 7 fills half a vector,
//! and a window needs elements that are not aligned. With channels last, vectors are along channels, and weights are read as panels.
//!
//! The channel dimensions of the result Y of a product with weights W are those whose loops index W. They become the last ones,
//! in their order. Ops that read Y store their results in the same order of loops, as far as they are ops with loops, `tensor.pad`,
//! `tensor.concat`, `tensor.expand_shape` or `tensor.collapse_shape`. Any other op reads a transposed copy. Reduction loops stay in their order,
//! so no sum changes.
//!
//! Requires
//! - (C1) a product sums X * W in floats. W is computed from constants and X is not, and X has three dimensions or more
//! - (C2) the indices of W and of Y are different loops, and the channel dimensions of Y are adjacent
//! - (C3) an op with loops that stores its result in another order has one result, whose indices are different loops or 0; its outputs are
//!   `tensor.empty`, `linalg.fill` of such, or the result of another op with loops that satisfies (C3); and its body has no
//!   `linalg.index`
//! - (C4) it pays: the tensors that are copied for other ops have at most an eighth of the elements of the results of the products
//!
//! If the function has no such products or if it does not pay, the function is unchanged.

use super::weight_product::{FixedValues, sums_products};
use crate::compute::linalg_builder::{
    ResultSize, element_of, empty, filled, generic, pad_tensor, rank, reassociation,
    reassociation_of, rebuilt,
};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, IteratorKind, Op, Structured, Type, TypeKind, Value, walk};
use std::collections::{HashMap, HashSet};

/// For each dimension of a stored tensor, in order, the dimension that it was.
type StorageOrder = Vec<usize>;

/// The images that are copied for other ops are at most this part of the results of products. (C4)
const LEAST_KEPT: i64 = 8;

/// Changes the images of a function. Returns the number of products whose results have their channels last now.
pub fn convert(function: Op) -> usize {
    let Some(plan) = Plan::of(function) else { return 0 };
    if plan.products == 0 || plan.copied.saturating_mul(LEAST_KEPT) > plan.produced {
        return 0;
    }
    let mut images = Images { orders: HashMap::new(), readers: HashSet::new() };
    for (op, order) in plan.ops {
        images.replace(op, order);
    }
    images.copy_for_others();
    plan.products
}

/// What becomes of each op.
struct Plan<'c> {
    /// The ops that read or make images, in order, and the order of what they make.
    ops: Vec<(Op<'c>, Option<StorageOrder>)>,
    products: usize,
    /// The elements of the results of products, and of the images that other ops read. Unknown sizes are counted as 1.
    produced: i64,
    copied: i64,
}

impl<'c> Plan<'c> {
    fn of(function: Op<'c>) -> Option<Plan<'c>> {
        let body = function.body(0)?;
        let fixed = FixedValues::of(function);
        let mut plan = Plan { ops: vec![], products: 0, produced: 0, copied: 0 };
        let mut orders: HashMap<Value, StorageOrder> = HashMap::new();
        for op in body.each_op() {
            let loops = Structured::of(op);
            let product = loops.as_ref().and_then(|loops| product_order(op, loops, &fixed));
            let is_product = product.is_some();
            let made = match &loops {
                Some(loops) => product
                    .or_else(|| order_by_inputs(op, loops, &orders))
                    .filter(|_| is_reorderable(op, loops)),
                None => moved_order(op, &orders),
            };
            let is_moved = made.is_some() && loops.is_none();
            let made = made.filter(|order| is_moved || !order.is_sorted());
            let of_outputs = loops.as_ref().and_then(|loops| orders.get(&op.operand(loops.inputs)));
            if of_outputs.is_some() && of_outputs != made.as_ref() {
                continue;
            }
            if let Some(order) = made.as_ref().filter(|order| !order.is_sorted()) {
                orders.insert(op.result(0), order.clone());
                plan.products += usize::from(is_product);
                let produced = if is_product { elements(op.result(0)) } else { 0 };
                plan.produced = plan.produced.saturating_add(produced);
            }
            let inputs = loops.map_or(0, |loops| loops.inputs);
            let reads = op.operands()[..inputs].iter().any(|it| orders.contains_key(it));
            if reads || made.is_some() {
                plan.ops.push((op, made));
            }
        }
        let known: HashSet<Op> = plan.ops.iter().map(|(op, _)| *op).collect();
        let is_copied = |image: &&Value| image.uses().iter().any(|(user, _)| !known.contains(user));
        plan.copied =
            orders.keys().filter(is_copied).map(|it| elements(*it)).fold(0, i64::saturating_add);
        Some(plan)
    }
}

/// The order of the result of a product, with channels last. (C1), (C2)
fn product_order<'c>(
    op: Op<'c>,
    loops: &Structured,
    fixed: &FixedValues<'c>,
) -> Option<StorageOrder> {
    let (operands, [result]) = (op.operands(), &op.results()[..]) else { return None };
    (operands.len() == 3 && loops.inputs == 2 && sums_products(op.body(0)?)).then_some(())?;
    let place = match [0, 1].map(|i| fixed.contains(operands[i])) {
        [true, false] => 0,
        [false, true] => 1,
        _ => return None,
    };
    (rank(operands[1 - place]) >= 3).then_some(())?;
    let weights = loops.maps[place].plain_dims().filter(|dims| is_distinct(dims))?;
    let of_result = loops.maps[2].plain_dims()?;
    let (channels, space): (Vec<usize>, Vec<usize>) =
        (0..rank(*result)).partition(|i| weights.contains(&of_result[*i]));
    let are_adjacent = channels.windows(2).all(|pair| pair[1] == pair[0] + 1);
    // Vectors need elements in the last dimension.
    let sizes = result.ty().shaped()?.0;
    let (units, channels): (Vec<usize>, Vec<usize>) =
        channels.into_iter().partition(|i| sizes[*i] == Some(1));
    (are_adjacent && !channels.is_empty()).then(|| [space, units, channels].concat())
}

/// The order of the result in which its loops index the first input that is stored in another order.
fn order_by_inputs<'c>(
    op: Op<'c>,
    loops: &Structured,
    orders: &HashMap<Value<'c>, StorageOrder>,
) -> Option<StorageOrder> {
    let inputs = op.operands().into_iter().take(loops.inputs).zip(&loops.maps);
    let (order, map) = inputs.filter_map(|(it, map)| Some((orders.get(&it)?, map))).next()?;
    let mut outer: Vec<usize> = vec![];
    for index in order.iter().map(|d| &map.results[*d]) {
        index.visit_leaves(&mut |leaf| match leaf {
            Expr::Dim(d) if !outer.contains(d) => outer.push(*d),
            _ => {}
        });
    }
    // Dimensions of one element come first.
    let place = |index: &Option<usize>| match index {
        Some(d) => outer.iter().position(|it| it == d),
        None => Some(0),
    };
    let indices = loop_indices(loops.maps.last()?)?;
    let places: Vec<usize> = indices.iter().map(place).collect::<Option<_>>()?;
    let mut order: StorageOrder = (0..indices.len()).collect();
    order.sort_by_key(|i| places[*i]);
    Some(order)
}

/// True if an op may store its result in another order. (C3)
fn is_reorderable(op: Op, loops: &Structured) -> bool {
    let is_tensor = |value: Value| matches!(value.ty().kind(), TypeKind::Tensor { .. });
    let (results, operands) = (op.results(), op.operands());
    let [output] = operands[loops.inputs..] else { return false };
    let indices = loop_indices(&loops.maps[loops.inputs]);
    let Some(body) = op.region(0) else { return false };
    results.len() == 1
        && is_tensor(results[0])
        && indices.is_some_and(|it| is_distinct(&it.into_iter().flatten().collect::<Vec<_>>()))
        && start_of(output).is_some()
        && !body
            .each_block()
            .flat_map(|block| block.ops())
            .flat_map(walk)
            .any(|it| it.is("linalg.index"))
}

/// The loops that are the indices of a result; none where it is 0.
fn loop_indices(map: &Map) -> Option<Vec<Option<usize>>> {
    let index = |expr: &Expr| match expr {
        Expr::Dim(d) => Some(Some(*d)),
        Expr::Constant(0) => Some(None),
        _ => None,
    };
    map.results.iter().map(index).collect()
}

/// What an output holds before an op: nothing, copies of a value, or what another op computes, such as copies of a bias. (C3)
enum Start<'c> {
    Empty(Op<'c>),
    Filled(Value<'c>, Op<'c>),
    Computed(Op<'c>),
}

fn start_of(output: Value<'_>) -> Option<Start<'_>> {
    let op = output.defining_op()?;
    if op.is("tensor.empty") {
        return Some(Start::Empty(op));
    }
    if let ("linalg.fill", [value, tensor]) = (op.name(), &op.operands()[..]) {
        let empty = tensor.defining_op().filter(|it| it.is("tensor.empty"))?;
        return Some(Start::Filled(*value, empty));
    }
    let loops = Structured::of(op)?;
    is_reorderable(op, &loops).then_some(Start::Computed(op))
}

/// The order of the result of an op that moves elements.
fn moved_order<'c>(op: Op<'c>, orders: &HashMap<Value<'c>, StorageOrder>) -> Option<StorageOrder> {
    let source = *op.operands().first()?;
    let order = orders.get(&source)?;
    match op.name() {
        "tensor.pad" => {
            let value = op.body(0)?.terminator()?.operand(0);
            let is_outer = value.defining_op().is_none_or(|it| it.block() != op.body(0))
                && value.owner() != op.body(0);
            (is_outer && op.operands().len() == 1).then(|| order.clone())
        }
        "tensor.concat" => {
            let is_alike = |it: Value<'c>| orders.get(&it) == Some(order);
            op.operands().into_iter().all(is_alike).then(|| order.clone())
        }
        "tensor.expand_shape" => {
            let groups = reassociation_of(op)?;
            (groups.len() == order.len()).then_some(())?;
            Some(order.iter().flat_map(|group| groups[*group].clone()).collect())
        }
        "tensor.collapse_shape" => {
            let (old, sizes) = (reassociation_of(op)?, source.ty().shaped()?.0);
            Some(joined(&old, &sizes, order)?.into_iter().map(|(group, _)| group).collect())
        }
        _ => None,
    }
}

/// The groups of dimensions that a collapse of a tensor joins, in the order in which the tensor is stored: each with its number, and
/// the places of its dimensions. None if they are not adjacent. Dimensions of one element may be in any group.
fn joined(
    groups: &[Vec<usize>],
    sizes: &[Option<i64>],
    order: &StorageOrder,
) -> Option<Vec<(usize, Vec<usize>)>> {
    let is_long = |d: &usize| sizes[*d] != Some(1);
    // The dimensions that tell a group: those of several elements, or the first one.
    let telling = |group: &Vec<usize>| -> Vec<usize> {
        let long: Vec<usize> = group.iter().copied().filter(is_long).collect();
        if long.is_empty() { group[..1].to_vec() } else { long }
    };
    let telling: Vec<Vec<usize>> = groups.iter().map(telling).collect();
    let mut found: Vec<(usize, Vec<usize>)> = vec![];
    let mut others = vec![];
    let mut expected: &[usize] = &[];
    for (place, d) in order.iter().enumerate() {
        let starts = telling.iter().position(|dims| dims[0] == *d);
        match (starts, expected, found.last_mut()) {
            (Some(group), [], _) => {
                found.push((group, std::mem::take(&mut others)));
                expected = &telling[group];
            }
            (None, [next, ..], _) if next == d => {}
            _ if is_long(d) => return None,
            (_, _, Some((_, places))) => {
                places.push(place);
                continue;
            }
            (_, _, None) => {
                others.push(place);
                continue;
            }
        }
        found.last_mut().expect("a group has begun").1.push(place);
        expected = &expected[1..];
    }
    (found.len() == groups.len() && expected.is_empty()).then_some(found)
}

/// The images in their new order.
struct Images<'c> {
    orders: HashMap<Value<'c>, StorageOrder>,
    /// The ops that read images in their new order.
    readers: HashSet<Op<'c>>,
}

impl<'c> Images<'c> {
    /// Replaces an op by one that reads images in their order, and whose result has this order.
    fn replace(&mut self, op: Op<'c>, order: Option<StorageOrder>) {
        let new = match (Structured::of(op), &order) {
            (Some(loops), order) => self.with_loops(op, loops, order.as_ref()),
            (None, Some(order)) => self.moved(op, order),
            (None, None) => return,
        };
        if let Some(order) = order.filter(|order| !order.is_sorted()) {
            self.orders.insert(new.result(0), order);
        }
        self.readers.insert(new);
    }

    fn with_loops(
        &self,
        op: Op<'c>,
        mut loops: Structured,
        order: Option<&StorageOrder>,
    ) -> Op<'c> {
        let mut operands = op.operands();
        for (operand, map) in operands[..loops.inputs].iter().zip(&mut loops.maps) {
            if let Some(order) = self.orders.get(operand) {
                map.results = order.iter().map(|d| map.results[*d].clone()).collect();
            }
        }
        let Some(order) = order else { return rebuilt(op, &operands, &loops) };
        let at = Builder::before(op, op.location());
        let (output, map) = (&mut operands[loops.inputs], &mut loops.maps[loops.inputs]);
        let old = *output;
        *output = self.started(&at, old, order);
        map.results = order.iter().map(|d| map.results[*d].clone()).collect();
        // The loops over the result are outermost, in the order of its dimensions.
        let indices = loop_indices(map).expect("checked (C3)");
        let mut outer: Vec<usize> = indices.into_iter().flatten().collect();
        outer.extend((0..loops.iterators.len()).filter(|d| !outer.contains(d)).collect::<Vec<_>>());
        let place = |d: usize| Expr::Dim(outer.iter().position(|it| *it == d).expect("a loop"));
        for map in &mut loops.maps {
            let indices = map.results.iter().map(|it| it.substitute(&place, &Expr::Symbol));
            map.results = indices.collect();
        }
        loops.iterators = outer.iter().map(|d| loops.iterators[*d]).collect();
        let new = rebuilt(op, &operands, &loops);
        self.erase_unused(old);
        new
    }

    /// An output in another order, with what this one holds.
    fn started(&self, at: &Builder<'c>, output: Value<'c>, order: &StorageOrder) -> Value<'c> {
        if self.orders.contains_key(&output) {
            return output;
        }
        let ty = reordered_type(output, order);
        let sizes = |empty: Op<'c>| -> Vec<ResultSize<'c>> {
            let unknown = unknown_sizes(empty.result(0), &empty.operands());
            order.iter().map(|d| unknown[*d].map_or(ResultSize::One, ResultSize::Value)).collect()
        };
        match start_of(output).expect("checked (C3)") {
            Start::Empty(op) => empty(at, ty, &sizes(op)),
            Start::Filled(value, op) => filled(at, ty, &sizes(op), value),
            Start::Computed(op) => {
                let copy = op.clone_mapped(&[]);
                at.place(copy);
                let loops = Structured::of(copy).expect("it is one");
                self.with_loops(copy, loops, Some(order)).result(0)
            }
        }
    }

    /// Erases what an output held before, if nothing else starts with it.
    fn erase_unused(&self, output: Value<'c>) {
        let Some(op) = output.defining_op().filter(|_| output.is_unused()) else { return };
        if self.readers.contains(&op) || !op.has_no_effects() {
            return;
        }
        let before = op.operands();
        op.erase();
        before.into_iter().for_each(|it| self.erase_unused(it));
    }

    /// An op that moves elements, for a source in its new order.
    fn moved(&self, op: Op<'c>, order: &StorageOrder) -> Op<'c> {
        let at = Builder::before(op, op.location());
        let source = op.operand(0);
        let from = &self.orders[&source];
        let ty = reordered_type(op.result(0), order);
        let integers = |name: &str| {
            let list = op.attribute(name).and_then(Attribute::as_integers).unwrap_or_default();
            order.iter().map(|d| list[*d]).collect::<Vec<i64>>()
        };
        let new = match op.name() {
            "tensor.pad" => {
                let value = op.body(0).and_then(|body| body.terminator()).map(|it| it.operand(0));
                let (low, high) = (integers("static_low"), integers("static_high"));
                pad_tensor(&at, source, &low, &high, value.expect("a padding yields a value"))
            }
            "tensor.concat" => {
                let old = op.attribute("dim").and_then(Attribute::as_i64).unwrap_or_default();
                let dim = order.iter().position(|d| *d as i64 == old).expect("a dimension");
                let dim = Attribute::integer(Type::integer(at.context(), 64), dim as i64);
                let spec = at.spec("tensor.concat").operands(&op.operands()).attribute("dim", dim);
                at.value(spec.results(&[ty]))
            }
            "tensor.expand_shape" => {
                let old = reassociation_of(op).expect("checked in the plan");
                let mut next = 0..rank(op.result(0));
                let group = |d: &usize| next.by_ref().take(old[*d].len()).collect();
                let groups: Vec<Vec<usize>> = from.iter().map(group).collect();
                let spec = at.spec("tensor.expand_shape").operands(&[source]);
                let shape = integers("static_output_shape");
                let unknown = unknown_sizes(op.result(0), &op.operands()[1..]);
                let unknown: Vec<Value> = order.iter().filter_map(|d| unknown[*d]).collect();
                let spec = spec.operands(&unknown);
                let shape = Attribute::dense_i64(at.context(), &shape);
                let spec = spec.attribute("reassociation", reassociation(&at, &groups));
                at.value(spec.attribute("static_output_shape", shape).results(&[ty]))
            }
            _ => {
                let old = reassociation_of(op).expect("checked in the plan");
                let stored = source.ty().shaped().expect("a tensor").0;
                let sizes: Vec<_> = place_of(from).iter().map(|place| stored[*place]).collect();
                let groups = joined(&old, &sizes, from).expect("checked in the plan");
                let groups: Vec<Vec<usize>> = groups.into_iter().map(|it| it.1).collect();
                let spec = at.spec("tensor.collapse_shape").operands(&[source]).results(&[ty]);
                at.value(spec.attribute("reassociation", reassociation(&at, &groups)))
            }
        };
        op.result(0).replace_all_uses_with(new);
        op.erase();
        new.defining_op().expect("an op was built")
    }

    /// Gives all other ops copies in the old order.
    fn copy_for_others(&self) {
        for (image, order) in &self.orders {
            let others = image.uses().into_iter().filter(|(user, _)| !self.readers.contains(user));
            let others: Vec<(Op, usize)> = others.collect();
            let Some(next) = image.defining_op().and_then(Op::next) else { continue };
            if others.is_empty() {
                continue;
            }
            let at = Builder::before(next, next.location());
            let place = place_of(order);
            let sizes = place.iter().map(|new| ResultSize::Of(*image, *new)).collect::<Vec<_>>();
            let outs = empty(&at, reordered_type(*image, &place), &sizes);
            let read = order.iter().map(|old| Expr::Dim(*old)).collect();
            let read = Map { dims: order.len(), symbols: 0, results: read };
            let iterators = vec![IteratorKind::Parallel; order.len()];
            let maps = [read, Map::identity(order.len())];
            let copy = generic(&at, &[*image], outs, &maps, &iterators, |_, elements| elements[0]);
            others.into_iter().for_each(|(user, i)| user.set_operand(i, copy));
        }
    }
}

/// For each dimension of a tensor, its size if the type does not state it. `values` are these sizes in order.
fn unknown_sizes<'c>(tensor: Value<'c>, values: &[Value<'c>]) -> Vec<Option<Value<'c>>> {
    let mut values = values.iter().copied();
    let sizes = tensor.ty().shaped().expect("a tensor").0;
    sizes.iter().map(|size| if size.is_none() { values.next() } else { None }).collect()
}

/// The type of a tensor that is stored in another order.
fn reordered_type<'c>(tensor: Value<'c>, order: &StorageOrder) -> Type<'c> {
    let sizes = tensor.ty().shaped().expect("a tensor").0;
    Type::tensor(&order.iter().map(|d| sizes[*d]).collect::<Vec<_>>(), element_of(tensor))
}

/// The place of each dimension in an order.
fn place_of(order: &StorageOrder) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, d)| places[*d] = place);
    places
}

/// The elements of a tensor; unknown sizes are counted as 1.
fn elements(tensor: Value) -> i64 {
    let sizes = tensor.ty().shaped().map(|(sizes, _)| sizes).unwrap_or_default();
    sizes.into_iter().flatten().fold(1, i64::saturating_mul)
}

fn is_distinct(dims: &[usize]) -> bool {
    dims.iter().enumerate().all(|(i, dim)| !dims[..i].contains(dim))
}
