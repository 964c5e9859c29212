//! `outline-control-flow`: outline the bodies of loops and branches on tensors as functions.
//!
//! ```text
//! %r = scf.for %i = %a to %b step %c iter_args(%t = %x) -> (tensor<4xf32>) {
//!   %u = linalg.add ins(%t, %y) ..
//!   scf.yield %u
//! }
//!   ->
//! %r = scf.for %i = %a to %b step %c iter_args(%t = %x) -> (tensor<4xf32>) {
//!   %n = arith.index_cast %i : index to i64
//!   %u = func.call @f_body(%n, %t, %y) : (i64, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//!   scf.yield %u
//! }
//! func.func private @f_body(..) -> tensor<4xf32> { .. linalg.add ..  return }
//! ```
//! Each region of an `scf.for`, `scf.while` or `scf.if` becomes one call. So the ops on tensors in such regions become
//! straight-line code of functions, which schedules can transform. Nested control flow is outlined from the new
//! functions.
//! - A value from outside of the region becomes an argument. It is computed again instead if it is a constant, an empty
//!   tensor, a slice whose size depends on data, or a scalar that an op without effects computes. An index is passed as i64:
//!   it is data, not a size.
//! - A loop-carried value that no iteration changes becomes a value from outside.
//! - A loop of at most 64 iterations is unrolled if the size of a tensor in it depends on the iteration, as in the
//!   elimination of a matrix: sizes do not depend on data.

use crate::compute::names::Names;
use crate::ir::{
    Attribute, Block, Builder, Op, Region, Type, TypeKind, Value, constant_integer,
    is_defined_outside, scope_of, walk,
};
use std::collections::{HashMap, HashSet};

/// Outlines the control flow of all functions of `module` that work on tensors.
pub fn convert(module: Op) {
    let Some(body) = module.body(0) else { return };
    let mut outliner = Outliner { names: Names::default(), left: vec![] };
    for op in body.ops() {
        op.symbol_name().into_iter().for_each(|name| outliner.names.insert(name));
        if op.is("func.func") && works_on_tensors(op) {
            outliner.left.push(op);
        }
    }
    while let Some(function) = outliner.left.pop() {
        if let Some(body) = function.body(0) {
            unroll(body);
        }
        let ops = function.body(0).map(Block::ops).unwrap_or_default();
        for op in ops.into_iter().filter(|op| is_control_flow(*op)) {
            let op = without_invariants(op);
            outliner.outline(function, op);
        }
    }
}

fn works_on_tensors(function: Op) -> bool {
    let is_tensor = |value: &Value| matches!(value.ty().kind(), TypeKind::Tensor { .. });
    let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
    let results = || walk(function).into_iter().flat_map(Op::results).any(|it| is_tensor(&it));
    arguments.iter().any(is_tensor) || results()
}

fn is_control_flow(op: Op) -> bool {
    matches!(op.name(), "scf.for" | "scf.if" | "scf.while")
}

struct Outliner<'c> {
    /// The symbols of the module.
    names: Names,
    /// The functions whose control flow is not outlined yet.
    left: Vec<Op<'c>>,
}

impl<'c> Outliner<'c> {
    /// Outlines the regions of a loop or branch of a function.
    fn outline(&mut self, function: Op<'c>, op: Op<'c>) {
        let suffixes: &[&str] = match op.name() {
            "scf.for" => &["body"],
            "scf.while" => &["condition", "body"],
            _ => &["then", "else"],
        };
        for (i, suffix) in suffixes.iter().enumerate() {
            let Some(body) = op.body(i) else { continue };
            let outer = function.symbol_name().unwrap_or_default();
            let name = self.names.fresh(&format!("{outer}_{suffix}"));
            self.left.push(outline(function, op, body, &name));
        }
    }
}

/// Moves the ops of `body`, a block of `control`, to a new function before `function`, and calls it.
fn outline<'c>(function: Op<'c>, control: Op<'c>, body: Block<'c>, name: &str) -> Op<'c> {
    let location = control.location();
    let outer = OuterValues::of(control, body);
    let used = body.arguments().into_iter().filter(|argument| !argument.is_unused());
    let old: Vec<_> = used.chain(outer.captured.iter().copied()).collect();
    let types: Vec<_> = old.iter().map(|value| passed(value.ty())).collect();
    let entry = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
    let at = Builder::at_end(entry, location);
    let mut new: HashMap<Value, Value> = HashMap::new();
    for (value, argument) in old.iter().zip(entry.arguments()) {
        new.insert(*value, cast(&at, argument, value.ty()));
    }
    for op in &outer.repeated {
        let mapping: Vec<_> =
            op.operands().iter().filter_map(|value| Some((*value, *new.get(value)?))).collect();
        let clone = op.clone_mapped(&mapping);
        at.place(clone);
        new.extend(op.results().into_iter().zip(clone.results()));
    }
    for (user, place, value) in outer.uses {
        user.set_operand(place, new[&value]);
    }
    for argument in body.arguments().iter().filter(|argument| new.contains_key(argument)) {
        argument.replace_all_uses_with(new[argument]);
    }
    let terminator = body.end();
    for op in body.ops().into_iter().filter(|op| *op != terminator) {
        op.detach();
        entry.append(op);
    }

    let returned = terminator.operands();
    let results: Vec<_> = returned.iter().map(|value| passed(value.ty())).collect();
    let values: Vec<_> =
        returned.iter().map(|value| cast(&at, *value, passed(value.ty()))).collect();
    at.insert(at.spec("func.return").operands(&values));

    let inner = Builder::before(terminator, location);
    let operands: Vec<_> =
        old.iter().zip(&types).map(|(value, ty)| cast(&inner, *value, *ty)).collect();
    let callee = Attribute::symbol(inner.context(), name);
    let spec = inner.spec("func.call").operands(&operands).results(&results);
    let call = inner.insert(spec.attribute("callee", callee));
    let yielded = call.results().into_iter().zip(&returned);
    let yielded: Vec<_> = yielded.map(|(value, old)| cast(&inner, value, old.ty())).collect();
    terminator.set_operands(&yielded);

    let at = Builder::before(function, location);
    let mut spec = at.private_function(name, &types, &results, entry);
    for (name, value) in function.discardable_attributes() {
        spec = spec.attribute(name, value);
    }
    at.insert(spec)
}

/// The type with which a value is passed to a function.
fn passed(ty: Type) -> Type {
    if ty.is_index() { Type::integer(ty.context(), 64) } else { ty }
}

/// Casts between index and i64; other values have the type already.
fn cast<'c>(at: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if value.ty() == ty { value } else { at.op("arith.index_cast", &[value], ty) }
}

/// What a region uses from outside.
#[derive(Default)]
struct OuterValues<'c> {
    /// The values to pass, each once.
    captured: Vec<Value<'c>>,
    /// The ops to compute again, in an order in which operands precede their uses.
    repeated: Vec<Op<'c>>,
    /// The operands to replace.
    uses: Vec<(Op<'c>, usize, Value<'c>)>,
}

impl<'c> OuterValues<'c> {
    fn of(control: Op<'c>, body: Block<'c>) -> Self {
        let mut outer = Self::default();
        for op in body.ops().into_iter().flat_map(walk) {
            for (place, value) in op.operands().into_iter().enumerate() {
                if is_defined_outside(value, control) {
                    outer.need(value);
                    outer.uses.push((op, place, value));
                }
            }
        }
        outer
    }

    fn need(&mut self, value: Value<'c>) {
        let Some(op) = value.defining_op().filter(|op| is_repeatable(*op)) else {
            if !self.captured.contains(&value) {
                self.captured.push(value);
            }
            return;
        };
        if !self.repeated.contains(&op) {
            op.operands().into_iter().for_each(|operand| self.need(operand));
            self.repeated.push(op);
        }
    }
}

/// True if an op is computed again instead of passed: it is cheap, and a size that it computes stays one.
fn is_repeatable(op: Op) -> bool {
    let is_scalar = || op.results().iter().all(|result| result.ty().shaped().is_none());
    let is_short = || matches!(op.name(), "tensor.empty" | "tensor.from_elements");
    op.regions().is_empty()
        && (op.is_constant() || op.has_no_effects() && (is_scalar() || is_short()))
        || op.is("tensor.extract_slice") && slice_sizes(op).into_iter().any(depends_on_data)
}

/// The dynamic sizes of a slice.
fn slice_sizes<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    let groups = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    let [_, offsets, sizes, _] = groups.unwrap_or_default()[..] else { return vec![] };
    let first = 1 + offsets as usize;
    op.operands()[first..first + sizes as usize].to_vec()
}

/// True if a scalar is computed from more than constants, the sizes of tensors, and index arguments of the function.
fn depends_on_data(scalar: Value) -> bool {
    let mut seen = HashSet::from([scalar]);
    let mut left = vec![scalar];
    while let Some(value) = left.pop() {
        let Some(op) = value.defining_op() else {
            let is_argument = scope_of(value).is_some_and(|scope| scope.is("func.func"));
            if is_argument && value.ty().is_index() {
                continue;
            }
            return true;
        };
        if matches!(op.name(), "tensor.dim" | "tensor.rank") {
            continue;
        }
        if op.is("tensor.extract") || !op.has_no_effects() || !op.regions().is_empty() {
            return true;
        }
        left.extend(op.operands().into_iter().filter(|operand| seen.insert(*operand)));
    }
    false
}

/// Unrolls the short loops of a block in which a size depends on the iteration.
fn unroll(block: Block) {
    let mut left: Vec<Op> = block.ops().into_iter().filter(|op| op.is("scf.for")).collect();
    while let Some(op) = left.pop() {
        let Some(steps) = steps(op).filter(|_| has_varying_sizes(op)) else { continue };
        let at = Builder::before(op, op.location());
        let body = op.body(0).expect("a loop has a body");
        let mut carried = op.operands()[3..].to_vec();
        for step in steps {
            let now = at.index(step);
            let new = std::iter::once(now).chain(carried);
            let mut mapping: Vec<_> = body.arguments().into_iter().zip(new).collect();
            let end = body.end();
            for inner in body.ops().into_iter().filter(|inner| *inner != end) {
                let copy = inner.clone_mapped(&mapping);
                at.place(copy);
                mapping.extend(inner.results().into_iter().zip(copy.results()));
                left.extend(Some(copy).filter(|copy| copy.is("scf.for")));
            }
            let value = |old: Value| mapping.iter().find(|(it, _)| *it == old);
            carried =
                end.operands().iter().map(|it| value(*it).map_or(*it, |(_, new)| *new)).collect();
        }
        op.results().into_iter().zip(carried).for_each(|(old, new)| old.replace_all_uses_with(new));
        op.erase();
    }
}

/// The values of a loop's variable, if they are known and few.
fn steps(op: Op) -> Option<Vec<i64>> {
    const MOST: i64 = 64;
    let [from, below, by] = [0, 1, 2].map(|i| constant_integer(op.operand(i)));
    let (from, below, by) = (from?, below?, by.filter(|by| *by > 0)?);
    let is_short = below.checked_sub(from)? <= MOST.checked_mul(by)?;
    let count = usize::try_from(by).ok()?;
    is_short.then(|| (from..below).step_by(count).collect())
}

/// True if the dynamic size of a tensor in a loop is computed from the loop's variable.
fn has_varying_sizes(op: Op) -> bool {
    let Some(body) = op.body(0) else { return false };
    let mut varying = HashSet::from([body.argument(0)]);
    for inner in body.ops() {
        let is_scalar = |value: &Value| value.ty().shaped().is_none();
        if inner.operands().iter().any(|it| varying.contains(it)) {
            varying.extend(inner.results().into_iter().filter(is_scalar));
        }
    }
    body.ops().into_iter().any(|inner| {
        let sizes = match inner.name() {
            "tensor.empty" => inner.operands(),
            "tensor.extract_slice" => slice_sizes(inner),
            _ => return false,
        };
        sizes.iter().any(|size| varying.contains(size))
    })
}

/// The loop without the carried values that no iteration changes. Other ops stay as they are.
fn without_invariants(op: Op) -> Op {
    match op.name() {
        "scf.for" => count_without_invariants(op),
        "scf.while" => while_without_invariants(op),
        _ => op,
    }
}

fn count_without_invariants(op: Op) -> Op {
    const BOUNDS: usize = 3;
    let Some(body) = op.body(0) else { return op };
    let (arguments, yielded) = (body.arguments(), body.end().operands());
    let is_kept = |i: &usize| yielded[*i] != arguments[1 + i];
    let kept: Vec<usize> = (0..yielded.len()).filter(is_kept).collect();
    if kept.len() == yielded.len() {
        return op;
    }
    let operands = op.operands();
    for i in (0..yielded.len()).rev().filter(|i| !is_kept(i)) {
        arguments[1 + i].replace_all_uses_with(operands[BOUNDS + i]);
        op.result(i).replace_all_uses_with(operands[BOUNDS + i]);
        body.remove_argument(1 + i);
    }
    // Read again: the arguments have been replaced in them.
    let yielded = body.end().operands();
    body.end().set_operands(&kept.iter().map(|i| yielded[*i]).collect::<Vec<_>>());
    let carried = kept.iter().map(|i| operands[BOUNDS + i]);
    let operands: Vec<_> = operands[..BOUNDS].iter().copied().chain(carried).collect();
    rebuilt(op, &operands, &kept)
}

fn while_without_invariants(op: Op) -> Op {
    let (Some(before), Some(after)) = (op.body(0), op.body(1)) else { return op };
    let (carried, forwarded) = (before.arguments(), before.end().operands()[1..].to_vec());
    let (received, yielded) = (after.arguments(), after.end().operands());
    // For each carried value that is passed on unchanged: its place among the forwarded values.
    let place = |i: usize| {
        let is_same = |j: &usize| forwarded[*j] == carried[i] && yielded[i] == received[*j];
        (0..forwarded.len()).find(is_same)
    };
    let places: Vec<Option<usize>> = (0..carried.len()).map(place).collect();
    if places.iter().all(Option::is_none) {
        return op;
    }
    let operands = op.operands();
    let kept: Vec<usize> = (0..carried.len()).filter(|i| places[*i].is_none()).collect();
    let kept_results: Vec<usize> =
        (0..forwarded.len()).filter(|j| !places.contains(&Some(*j))).collect();
    for i in (0..carried.len()).rev() {
        let Some(j) = places[i] else { continue };
        for value in [carried[i], received[j], op.result(j)] {
            value.replace_all_uses_with(operands[i]);
        }
        before.remove_argument(i);
    }
    for j in (0..forwarded.len()).rev().filter(|j| !kept_results.contains(j)) {
        after.remove_argument(j);
    }
    // Read again: the arguments have been replaced in them.
    let (forwarded, yielded) = (before.end().operands(), after.end().operands());
    let condition = std::iter::once(forwarded[0]);
    let forwarded = condition.chain(kept_results.iter().map(|j| forwarded[1 + j]));
    before.end().set_operands(&forwarded.collect::<Vec<_>>());
    after.end().set_operands(&kept.iter().map(|i| yielded[*i]).collect::<Vec<_>>());
    rebuilt(op, &kept.iter().map(|i| operands[*i]).collect::<Vec<_>>(), &kept_results)
}

/// The op with other operands and fewer results, in its place.
fn rebuilt<'c>(op: Op<'c>, operands: &[Value<'c>], results: &[usize]) -> Op<'c> {
    let at = Builder::before(op, op.location());
    let types: Vec<_> = results.iter().map(|i| op.result(*i).ty()).collect();
    let mut spec = at.spec(op.name()).operands(operands).results(&types);
    for (name, value) in op.attributes() {
        spec = spec.attribute(name, value);
    }
    for region in op.regions() {
        let moved = Region::new();
        moved.take_body(region);
        spec = spec.region(moved);
    }
    let new = at.insert(spec);
    for (i, result) in results.iter().zip(new.results()) {
        op.result(*i).replace_all_uses_with(result);
    }
    op.erase();
    new
}
