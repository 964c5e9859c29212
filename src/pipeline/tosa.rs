//! Lowers TOSA ops, as PyTorch's exporters write them, to linalg on tensors before all other passes.

use super::run::run;
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Block, Builder, Op, Region, TypeKind, Value, top, walk};
use melior::Context;
use melior::ir::Module;

/// Upstream's passes, on functions. The `tosa-to-linalg-pipeline` of upstream is not used: it refuses f64 constants,
/// which exported models have, and leaves unused TOSA constants.
const PASSES: &[&str] = &[
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

/// Converts the module if it has such ops.
///
/// # Errors
/// If upstream does not convert an op, which is reported to the context's diagnostic handlers.
pub(super) fn convert(context: &Context, module: &mut Module) -> Result<(), melior::Error> {
    let is_tosa = |op: Op| op.name().starts_with("tosa.");
    reduce_booleans(top(module));
    keep_products_with_zero(top(module));
    match walk(top(module)).into_iter().any(is_tosa) {
        true => run(context, module, &format!("func.func({})", PASSES.join(","))),
        false => Ok(()),
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

/// Converts products of floats with a constant 0 to linalg. Upstream folds them to 0, which is wrong for NaN and
/// infinities, and for the sign of negative numbers.
fn keep_products_with_zero(module: Op) {
    for op in walk(module).into_iter().filter(|op| op.is("tosa.mul")) {
        let (operands, ty) = (op.operands(), op.result(0).ty());
        let Some((dims, element)) = ty.shaped() else { continue };
        let other = match [is_zero(operands[0]), is_zero(operands[1])] {
            [true, false] => operands[1],
            [false, true] => operands[0],
            // Two constants give a constant.
            _ => continue,
        };
        // The other operand has the shape of the result, so it can stand for it.
        if other.ty() != ty || !matches!(element.kind(), TypeKind::Float(_)) {
            continue;
        }
        let map = |value: Value| {
            let (of_operand, _) = value.ty().shaped().expect("a tensor");
            let index = |d: usize| match of_operand[d] == Some(1) && dims[d] != Some(1) {
                true => Expr::Constant(0),
                false => Expr::Dim(d),
            };
            Map { dims: dims.len(), symbols: 0, results: (0..dims.len()).map(index).collect() }
        };
        let maps = [map(operands[0]), map(operands[1]), map(other)];
        let location = op.location();
        let body = Block::new(&[(element, location); 3]);
        let inner = Builder::at_end(body, location);
        let [left, right, _] = body.arguments()[..] else { unreachable!("made with three") };
        let product = inner.op("arith.mulf", &[left, right], element);
        inner.insert(inner.spec("linalg.yield").operands(&[product]));
        let at = Builder::before(op, location);
        let parallel = Attribute::parse(at.context(), "#linalg.iterator_type<parallel>");
        let parallel = parallel.expect("an attribute of linalg");
        let spec = at
            .spec("linalg.generic")
            .operands(&[operands[0], operands[1], other])
            .segments(&[2, 1])
            .results(&[ty])
            .attribute("indexing_maps", Attribute::maps(at.context(), &maps))
            .attribute(
                "iterator_types",
                Attribute::array(at.context(), &vec![parallel; dims.len()]),
            )
            .region(Region::of(body));
        op.result(0).replace_all_uses_with(at.value(spec));
        op.erase();
    }
}

/// True if a value is a constant of floats whose elements are all 0 or -0.
fn is_zero(value: Value) -> bool {
    let constant = value.defining_op().filter(|op| op.is("tosa.const"));
    let Some(elements) = constant.and_then(|op| op.attribute("values")?.as_elements()) else {
        return false;
    };
    let bytes = elements.ty.shaped().and_then(|(_, element)| element.element_bytes());
    let without_sign = bytes.map(|bytes| !(1u64 << (8 * bytes - 1)));
    without_sign.is_some_and(|mask| elements.bits.iter().all(|bits| bits & mask == 0))
}
