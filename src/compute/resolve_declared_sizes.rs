//! `resolve-declared-sizes`: replace sizes that depend on data by those that later ops declare.
//!
//! ```text
//! %r = tensor.reshape %x(%data) : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
//! %y = tensor.cast %r : tensor<?x?xf32> to tensor<2x3xf32>
//!   ->
//! %shape = tensor.from_elements %c2, %c3 : tensor<2xindex>
//! %r = tensor.reshape %x(%shape) ..
//! ```
//! Exporters write such programs for ops whose shape or axes are an input of the model. Other sizes than the declared ones
//! are undefined behaviour. A size is declared by a cast, or because an op needs it to be equal to another one; only declared
//! numbers are used.

use crate::compute::symbolic_sizes::{DYNAMIC, SymbolicSizes};
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// Replaces the sizes in a function of one block.
pub fn convert(function: Op) {
    let Some(body) = function.body(0) else { return };
    if !body.ops().into_iter().any(|op| !dynamic_sizes(op).is_empty() || op.is("tensor.reshape")) {
        return;
    }
    let mut sizes = SymbolicSizes::of(body);
    for op in body.ops() {
        if op.is("tensor.reshape") {
            reshape(&mut sizes, op);
            continue;
        }
        for (operand, tensor, dim) in dynamic_sizes(op) {
            let at = Builder::before(op, op.location());
            if sizes.size(op.operand(operand)).is_none()
                && let Some(size) = declared(&sizes, tensor, dim)
            {
                op.set_operand(operand, at.index(size));
            }
        }
    }
}

/// The size of a dimension of a tensor, if it is a number.
fn declared<'c>(sizes: &SymbolicSizes<'c>, tensor: Value<'c>, dim: usize) -> Option<i64> {
    sizes.known_dims(tensor)?.get(dim)?.simplified().constant()
}

/// The operands that are sizes of a tensor, and for each the tensor and the dimension.
fn dynamic_sizes<'c>(op: Op<'c>) -> Vec<(usize, Value<'c>, usize)> {
    let tensor = match op.name() {
        "tensor.insert_slice" => Some(op.operand(0)),
        _ => op.results().first().copied(),
    };
    let Some((tensor, types)) = tensor.and_then(|it| Some((it, it.ty().shaped()?.0))) else {
        return vec![];
    };
    let (first, is_dynamic): (usize, Vec<bool>) = match op.name() {
        "tensor.empty" => (0, types.iter().map(Option::is_none).collect()),
        "tensor.extract_slice" | "tensor.insert_slice" => {
            let sizes = op.attribute("static_sizes").and_then(Attribute::as_integers);
            let groups = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
            let (sizes, groups) = (sizes.unwrap_or_default(), groups.unwrap_or_default());
            // Which dimension a rank-reduced slice keeps may depend on the sizes.
            let [before @ .., offsets, _, _] = &groups[..] else { return vec![] };
            if sizes.len() != types.len() {
                return vec![];
            }
            (before.len() + *offsets as usize, sizes.iter().map(|size| *size == DYNAMIC).collect())
        }
        _ => return vec![],
    };
    let dims = is_dynamic.into_iter().enumerate().filter(|(_, is_dynamic)| *is_dynamic);
    dims.enumerate().map(|(i, (dim, _))| (first + i, tensor, dim)).collect()
}

/// Replaces the shape of a reshape, of which some sizes depend on data, if those are declared. One that is not follows from the
/// number of elements.
fn reshape<'c>(sizes: &mut SymbolicSizes<'c>, op: Op<'c>) {
    let list = op.operand(1).defining_op().filter(|it| it.is("tensor.from_elements"));
    let listed: Vec<Value> = list.map(Op::operands).unwrap_or_default();
    let Some((types, _)) = op.result(0).ty().shaped() else { return };
    let rank = types.len();
    let is_known: Vec<bool> =
        (0..rank).map(|dim| listed.get(dim).is_some_and(|it| sizes.size(*it).is_some())).collect();
    if !is_known.contains(&false) {
        return;
    }
    let mut numbers: Vec<Option<i64>> =
        (0..rank).map(|dim| types[dim].or_else(|| declared(sizes, op.result(0), dim))).collect();
    let missing: Vec<usize> = (0..rank).filter(|dim| numbers[*dim].is_none()).collect();
    if let [missing] = missing[..] {
        let others: Option<i64> =
            numbers.iter().flatten().try_fold(1_i64, |all, size| all.checked_mul(*size));
        let elements = sizes.known_dims(op.operand(0)).and_then(|dims| {
            let mut dims = dims.iter().map(|size| size.simplified().constant());
            dims.try_fold(1_i64, |all, size| all.checked_mul(size?))
        });
        let whole = elements.zip(others.filter(|others| *others > 0));
        numbers[missing] =
            whole.filter(|(all, others)| all % others == 0).map(|(all, others)| all / others);
    }
    let at = Builder::before(op, op.location());
    let index = Type::index(at.context());
    let mut shape = vec![];
    for dim in 0..rank {
        shape.push(match (is_known[dim], numbers[dim]) {
            (true, _) if listed[dim].ty().is_index() => listed[dim],
            (true, _) => at.op("arith.index_cast", &[listed[dim]], index),
            (false, Some(size)) => at.index(size),
            (false, None) => return,
        });
    }
    let ty = Type::tensor(&[Some(rank as i64)], index);
    op.set_operand(1, at.op("tensor.from_elements", &shape, ty));
    if numbers.iter().all(Option::is_some) && types.contains(&None) {
        let (result, uses) = (op.result(0), op.result(0).uses());
        let dynamic = result.ty();
        let (_, element) = dynamic.shaped().expect("a tensor");
        result.set_type(Type::tensor(&numbers, element));
        let after = Builder::before(op.next().expect("a terminator follows"), op.location());
        let cast = after.op("tensor.cast", &[result], dynamic);
        uses.into_iter().for_each(|(user, place)| user.set_operand(place, cast));
    }
}
