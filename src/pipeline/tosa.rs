//! Lowers TOSA ops, as PyTorch's exporters write them, to linalg on tensors before all other passes.

use super::run::run;
use crate::compute::linalg_builder::{self, ResultSize, generic, iterator_types, loop_index};
use crate::ir::affine::{Expr, Map};
use crate::ir::predicate;
use crate::ir::{
    Attribute, Block, Builder, IteratorKind, Op, Region, Type, TypeKind, Value, constant_integer,
    top, walk,
};
use melior::Context;
use melior::ir::Module;

/// Upstream's passes, on functions. The `tosa-to-linalg-pipeline` of upstream is not used: it refuses f64 constants,
/// which exported models have, and leaves unused TOSA constants.
const PASSES: &[&str] = &[
    "tosa-to-scf",
    "tosa-optional-decompositions",
    "canonicalize",
    "tosa-infer-shapes",
    "tosa-make-broadcastable",
    "tosa-to-linalg-named",
    "canonicalize",
    "tosa-layerwise-constant-fold",
    "tosa-make-broadcastable",
    "tosa-to-linalg",
    "tosa-to-arith{include-apply-rescale=true}",
    "tosa-to-tensor",
    "canonicalize",
    "cse",
];

/// Those among them that write the least or the largest finite float for "no value yet".
const START_AT_FINITE: &[&str] = &["tosa-to-linalg-named", "tosa-to-linalg"];

/// Converts the module if it has such ops.
///
/// # Errors
/// If upstream does not convert an op, which is reported to the context's diagnostic handlers.
pub(super) fn convert(context: &Context, module: &mut Module) -> Result<(), melior::Error> {
    let is_tosa = |op: Op| op.name().starts_with("tosa.");
    if !walk(top(module)).into_iter().any(is_tosa) {
        return Ok(());
    }
    reduce_booleans(top(module));
    scatter(top(module));
    round_exactly(top(module));
    clear_imaginary(top(module));
    keep_zeros(top(module));
    cast_booleans(top(module));
    rank_conditions(top(module));
    // As few runs as possible: each verifies the module.
    let mut passes = vec![];
    for pass in PASSES {
        if START_AT_FINITE.contains(pass) {
            run_on_functions(context, module, &std::mem::take(&mut passes))?;
            run_and_correct(context, module, pass)?;
        } else {
            passes.push(*pass);
        }
    }
    run_on_functions(context, module, &passes)
}

fn run_on_functions(
    context: &Context,
    module: &mut Module,
    passes: &[&str],
) -> Result<(), melior::Error> {
    run(context, module, &format!("func.func({})", passes.join(",")))
}

/// Runs a pass of [`START_AT_FINITE`], and corrects two things that it writes:
/// - What it starts with becomes an infinity: the maximum of values that are all -infinity is -infinity, and
///   -[`f32::MAX`] has its place after that of -infinity.
/// - The quotient of an index that may be negative, in a resize, is rounded down.
fn run_and_correct(
    context: &Context,
    module: &mut Module,
    pass: &str,
) -> Result<(), melior::Error> {
    const WRITTEN: &str = "loopwright.written";
    let is_corrected = |op: &Op| matches!(op.name(), "arith.constant" | "arith.divsi");
    for op in walk(top(module)).into_iter().filter(is_corrected) {
        op.set_attribute(WRITTEN, Attribute::unit(op.context()));
    }
    run_on_functions(context, module, &[pass])?;
    for constant in walk(top(module)).into_iter().filter(is_corrected) {
        if constant.attribute(WRITTEN).is_some() {
            constant.remove_attribute(WRITTEN);
            continue;
        }
        if constant.is("arith.divsi") {
            round_down(constant);
            continue;
        }
        let starts =
            |(user, _): &(Op, usize)| matches!(user.name(), "linalg.fill" | "tensor.yield");
        let value = constant.result(0);
        let largest = match value.ty().kind() {
            TypeKind::Float(kind) => kind.largest(),
            _ => continue,
        };
        let found = constant.attribute("value").and_then(Attribute::as_f64).unwrap_or_default();
        if found.abs() == largest && value.uses().iter().all(starts) {
            let infinity = Attribute::float(value.ty(), f64::INFINITY.copysign(found));
            constant.set_attribute("value", infinity);
        }
    }
    Ok(())
}

/// Rounds the quotient of an index down, as TOSA does; other quotients are those of `tosa.intdiv`.
fn round_down(quotient: Op) {
    let is_index = |op: &Op| op.is("linalg.index");
    let has_index = quotient.parent().is_some_and(|body| walk(body).iter().any(is_index));
    if has_index && constant_integer(quotient.operand(1)).is_some() {
        let at = Builder::before(quotient, quotient.location());
        let (operands, old) = (quotient.operands(), quotient.result(0));
        old.replace_all_uses_with(at.op("arith.floordivsi", &operands, old.ty()));
        quotient.erase();
    }
}

/// Gives the conditions of branches and loops rank 0: upstream reads them without an index, but TOSA allows any shape of
/// one element.
fn rank_conditions(module: Op) {
    for op in walk(module) {
        let user = match op.name() {
            "tosa.cond_if" => op,
            "tosa.while_loop" => match op.body(0).and_then(Block::terminator) {
                Some(end) => end,
                None => continue,
            },
            _ => continue,
        };
        let condition = user.operand(0);
        let Some((dims, element)) = condition.ty().shaped() else { continue };
        if dims.is_empty() {
            continue;
        }
        let at = Builder::before(user, op.location());
        let one =
            at.op("tensor.cast", &[condition], Type::tensor(&vec![Some(1); dims.len()], element));
        let spec = at.spec("tensor.collapse_shape").operands(&[one]);
        let spec = spec.attribute("reassociation", Attribute::array(at.context(), &[]));
        user.set_operand(0, at.value(spec.results(&[Type::tensor(&[], element)])));
    }
}

/// Replaces the maximum of booleans by `any`, and the minimum by `all`. Upstream lowers both to signed comparisons, in
/// which true, the integer -1, is less than false.
fn reduce_booleans(module: Op) {
    for op in walk(module) {
        let name = match op.name() {
            "tosa.reduce_max" => "tosa.reduce_any",
            "tosa.reduce_min" => "tosa.reduce_all",
            _ => continue,
        };
        let result = op.result(0);
        let element = result.ty().shaped().map(|(_, element)| element.kind());
        if !matches!(element, Some(TypeKind::Integer(1))) {
            continue;
        }
        let at = Builder::before(op, op.location());
        let spec = at.spec(name).operands(&op.operands()).results(&[result.ty()]);
        let axis = op.attribute("axis").expect("a verified reduction has an axis");
        result.replace_all_uses_with(at.value(spec.attribute("axis", axis)));
        op.erase();
    }
}

/// Converts sums and products of floats with a constant 0 to linalg. Upstream folds `x * 0` to 0, which is wrong for
/// NaN, infinities and the sign of negative numbers, and `x + 0` and `x - -0` to x, which is wrong for -0.
fn keep_zeros(module: Op) {
    for op in walk(module) {
        let name = match op.name() {
            "tosa.mul" => "arith.mulf",
            "tosa.add" => "arith.addf",
            "tosa.sub" => "arith.subf",
            _ => continue,
        };
        let (left, right, ty) = (op.operand(0), op.operand(1), op.result(0).ty());
        let other = match [is_zero(left), is_zero(right)] {
            [true, false] => right,
            [false, true] => left,
            // Two constants give a constant.
            _ => continue,
        };
        let element = ty.shaped().map(|(_, element)| element.kind());
        // The other operand has the shape of the result, so it gives the sizes.
        if other.ty() == ty && matches!(element, Some(TypeKind::Float(_))) {
            replace(op, &[left, right], other, |at, values| at.op(name, values, values[0].ty()));
        }
    }
}

/// Lets rescales that may round in any way round once, which upstream lowers.
fn round_exactly(module: Op) {
    const NAME: &str = "rounding_mode";
    for op in walk(module).into_iter().filter(|op| op.is("tosa.rescale")) {
        let mode = |text| Attribute::parse(op.context(), &format!("#tosa.rounding_mode<{text}>"));
        if op.attribute(NAME).is_some() && op.attribute(NAME) == mode("INEXACT_ROUND") {
            op.set_attribute(NAME, mode("SINGLE_ROUND").expect("an attribute of tosa"));
        }
    }
}

/// Sets the imaginary parts to 0 that are 0 for all real inputs: those at index 0 or half of the size in both dimensions.
/// Upstream sums up rounding errors, or NaNs, there.
fn clear_imaginary(module: Op) {
    for op in walk(module).into_iter().filter(|op| op.is("tosa.rfft2d")) {
        let imaginary = op.result(1);
        let uses = imaginary.uses();
        let Some((dims, element)) = imaginary.ty().shaped() else { continue };
        let (Some(height), Some(half)) = (dims[1], dims[2]) else { continue };
        let at = Builder::before(op.next().expect("a terminator follows"), op.location());
        let empty = linalg_builder::empty(&at, imaginary.ty(), &[ResultSize::Of(imaginary, 0); 3]);
        let map = || Map { dims: 3, symbols: 0, results: (0..3).map(Expr::Dim).collect() };
        let parallel = [IteratorKind::Parallel; 3];
        let cleared =
            generic(&at, &[imaginary], empty, &[map(), map()], &parallel, |inner, values| {
                let is_either = |d: usize, other: i64| {
                    let here = loop_index(inner, d);
                    let [first, second] = [0, other]
                        .map(|place| inner.compare(predicate::EQ, here, inner.index(place)));
                    inner.op("arith.ori", &[first, second], first.ty())
                };
                // The second half of the rows mirrors the first one.
                let middle = if height % 2 == 0 { height / 2 } else { 0 };
                let (row, column) = (is_either(1, middle), is_either(2, half - 1));
                let is_real = inner.op("arith.andi", &[row, column], row.ty());
                let zero = inner.number(element, 0);
                inner.op("arith.select", &[is_real, zero, values[0]], element)
            });
        uses.into_iter().for_each(|(user, place)| user.set_operand(place, cleared));
    }
}

/// Replaces scatters by `tensor.scatter`, with a pair of indices for each update. Upstream has no lowering to linalg; that
/// to scf copies the whole tensor for each update.
fn scatter(module: Op) {
    for op in walk(module).into_iter().filter(|op| op.is("tosa.scatter")) {
        let [values, indices, updates] = op.operands()[..] else { continue };
        let Some((dims, element)) = indices.ty().shaped() else { continue };
        let at = Builder::before(op, op.location());
        let pairs = Type::tensor(&[dims[0], dims[1], Some(2)], element);
        let sizes = [ResultSize::Of(indices, 0), ResultSize::Of(indices, 1)];
        let empty = linalg_builder::empty(&at, pairs, &sizes);
        let map = |rank| Map { dims: 3, symbols: 0, results: (0..rank).map(Expr::Dim).collect() };
        let parallel = [IteratorKind::Parallel; 3];
        let pairs =
            generic(&at, &[indices], empty, &[map(2), map(3)], &parallel, |inner, values| {
                let is_first = inner.compare(predicate::EQ, loop_index(inner, 2), inner.index(0));
                let batch = inner.op("arith.index_cast", &[loop_index(inner, 0)], element);
                inner.op("arith.select", &[is_first, batch, values[0]], element)
            });
        let spec = at.spec("tensor.scatter").operands(&[updates, values, pairs]);
        let spec = spec
            .attribute("scatter_dims", Attribute::dense_i64(at.context(), &[0, 1]))
            .attribute("unique", Attribute::unit(at.context()))
            .results(&[op.result(0).ty()]);
        op.result(0).replace_all_uses_with(at.value(spec));
        op.erase();
    }
}

/// Converts casts of floats to booleans, and of booleans to floats, to linalg. Upstream folds the float 0.5 to false,
/// and true to -1.0.
fn cast_booleans(module: Op) {
    for op in walk(module).into_iter().filter(|op| op.is("tosa.cast")) {
        let operand = op.operand(0);
        let (from, to) = (operand.ty().shaped(), op.result(0).ty().shaped());
        let (Some((_, from)), Some((_, to))) = (from, to) else { continue };
        match (from.kind(), to.kind()) {
            (TypeKind::Integer(1), TypeKind::Float(_)) => {
                replace(op, &[operand], operand, |at, values| at.op("arith.uitofp", values, to));
            }
            (TypeKind::Float(_), TypeKind::Integer(1)) => {
                replace(op, &[operand], operand, |at, values| {
                    let zero = at.number(values[0].ty(), 0);
                    let i64 = Type::integer(at.context(), 64);
                    let spec = at.spec("arith.cmpf").operands(&[values[0], zero]);
                    let predicate = Attribute::integer(i64, predicate::float::UNE);
                    at.value(spec.attribute("predicate", predicate).results(&[to]))
                });
            }
            _ => {}
        }
    }
}

/// Replaces an op by a `linalg.generic` that computes each element with `body`. Operands are broadcast along their
/// dimensions of size 1; `sizes` has the shape of the result.
fn replace<'c>(
    op: Op<'c>,
    operands: &[Value<'c>],
    sizes: Value<'c>,
    body: impl Fn(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) {
    let at = Builder::before(op, op.location());
    let context = at.context();
    let ty = op.result(0).ty();
    let (dims, element) = ty.shaped().expect("a ranked tensor");
    let dynamic = (0..dims.len()).filter(|d| dims[*d].is_none());
    let dynamic: Vec<_> = dynamic
        .map(|d| at.op("tensor.dim", &[sizes, at.index(d as i64)], Type::index(context)))
        .collect();
    let empty = at.op("tensor.empty", &dynamic, ty);

    let map = |value: Value| {
        let (of_operand, _) = value.ty().shaped().expect("a ranked tensor");
        let index = |d: usize| match of_operand[d] == Some(1) && dims[d] != Some(1) {
            true => Expr::Constant(0),
            false => Expr::Dim(d),
        };
        Map { dims: dims.len(), symbols: 0, results: (0..dims.len()).map(index).collect() }
    };
    let maps: Vec<_> = operands.iter().chain([&empty]).map(|value| map(*value)).collect();
    let elements = operands.iter().map(|value| value.ty().shaped().expect("a tensor").1);
    let arguments: Vec<_> = elements.chain([element]).map(|ty| (ty, op.location())).collect();
    let block = Block::new(&arguments);
    let inner = Builder::at_end(block, op.location());
    let result = body(&inner, &block.arguments()[..operands.len()]);
    inner.insert(inner.spec("linalg.yield").operands(&[result]));
    let parallel = iterator_types(context, &vec![IteratorKind::Parallel; dims.len()]);
    let spec = at
        .spec("linalg.generic")
        .operands(&[operands, &[empty]].concat())
        .segments(&[operands.len(), 1])
        .results(&[ty])
        .attribute("indexing_maps", Attribute::maps(context, &maps))
        .attribute("iterator_types", parallel)
        .region(Region::of(block));
    op.result(0).replace_all_uses_with(at.value(spec));
    op.erase();
}

/// True if a value is a constant of floats whose elements are all 0 or -0.
fn is_zero(value: Value) -> bool {
    let constant = value.defining_op().filter(|op| op.is("tosa.const"));
    let Some(elements) = constant.and_then(|op| op.attribute("values")?.as_elements()) else {
        return false;
    };
    let bytes = elements.ty.shaped().and_then(|(_, element)| element.element_bytes());
    let without_sign = bytes.map(|bytes| !(1u64 << (8 * bytes - 1)));
    without_sign.is_some_and(|mask| elements.iter().all(|bits| bits & mask == 0))
}
