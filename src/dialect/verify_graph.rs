//! Verifier of the graph dialect.

use super::infer_graph::{OpInputs, distinct, fits, infer, shape, shown};
use super::verify_scatter::{verify_scatter_elements, verify_scatter_nd};
use crate::ir::{Attribute, Error, Op, Type, TypeKind, Value, walk};

pub(super) fn verify(op: Op) -> Result<(), Error> {
    if op.is("graph.fusion") {
        return verify_fusion(op);
    }
    verify_types(op).and_then(|()| verify_kinds(op)).map_err(|message| Error::on(op, message))
}

/// Checks the sizes and element types of the operands and results.
fn verify_types(op: Op) -> Result<(), String> {
    let read = |name: &str| op.attribute(name);
    let inputs = OpInputs { name: op.name(), operands: op.operands(), read: &read };
    if let Some(expected) = infer(&inputs)? {
        let results = op.results();
        if results.len() != expected.len() {
            return Err(format!("has {} results, expected {}", results.len(), expected.len()));
        }
        for (result, (dims, element)) in results.into_iter().zip(expected) {
            verify_result(result, &dims, result_element(op, result, element))?;
        }
        return Ok(());
    }
    match op.name() {
        "graph.batch_norm" | "graph.bias_add" | "graph.prelu" => {
            let dim = inputs.dim(inputs.shape(0)?.0.len())?;
            verify_channels(&inputs, dim)
        }
        "graph.broadcast" => verify_broadcast(op),
        "graph.flip" => inputs.dims("dims", inputs.shape(0)?.0.len()).map(|_| ()),
        "graph.full" => verify_full(op),
        "graph.group_norm" => verify_group_norm(&inputs),
        "graph.iota" => {
            inputs.dim(shape(op.result(0))?.0.len())?;
            verify_given_sizes(op, &op.operands())
        }
        "graph.layer_norm" | "graph.rms_norm" => verify_trailing(&inputs),
        "graph.layout_transform" => verify_layout_transform(op, &inputs),
        "graph.log_softmax" | "graph.softmax" => inputs.dim(inputs.shape(0)?.0.len()).map(|_| ()),
        "graph.reshape" => verify_reshape(op),
        "graph.scan" => inputs.dim(inputs.shape(0)?.0.len()).map(|_| ()),
        "graph.scatter_elements" => verify_scatter_elements(&inputs),
        "graph.scatter_nd" => verify_scatter_nd(&inputs),
        "graph.select" => {
            let (dims, _) = shape(op.result(0))?;
            let (condition, _) = inputs.shape(0)?;
            let same = condition.len() == dims.len()
                && condition.iter().zip(&dims).all(|(a, b)| fits(*a, *b));
            let found =
                || format!("{} and a result of type {}", op.operand(0).ty(), op.result(0).ty());
            same.then_some(()).ok_or_else(|| {
                format!("has a condition of type {}, expected the same sizes", found())
            })
        }
        "graph.transpose" => verify_transpose(op),
        _ => Ok(()),
    }
}

/// The element type that a result may have instead of the inferred one, or else the inferred one.
fn result_element<'c>(op: Op<'c>, result: Value<'c>, inferred: Type<'c>) -> Type<'c> {
    let Ok((_, found)) = shape(result) else { return inferred };
    let may_differ = match op.name() {
        "graph.argmax" | "graph.argmin" => true,
        "graph.conv" | "graph.matmul" => is_wider(found, inferred),
        _ => false,
    };
    if may_differ { found } else { inferred }
}

/// True if the type has all values of the other, which is of the same kind.
fn is_wider(ty: Type, other: Type) -> bool {
    match (ty.kind(), other.kind()) {
        (TypeKind::Integer(bits), TypeKind::Integer(other)) => bits > other,
        (TypeKind::Float(_), TypeKind::Float(_)) => ty.element_bytes() > other.element_bytes(),
        _ => false,
    }
}

/// Checks that the op is defined for the kind of its elements: floats, integers or i1.
fn verify_kinds(op: Op) -> Result<(), String> {
    let word = |name: &str| op.attribute(name).and_then(Attribute::as_i64);
    let Some((_, x)) = op.operands().first().and_then(|x| x.ty().shaped()) else { return Ok(()) };
    let is_float = matches!(x.kind(), TypeKind::Float(_));
    let is_bool = x.kind() == TypeKind::Integer(1);
    // These convert between floats and integers.
    let converts = matches!(op.name(), "graph.cast" | "graph.quantize");
    if op.attribute("is_unsigned").is_some() && is_float && !converts {
        return Err(format!("is marked 'unsigned', but its elements are of type {x}"));
    }
    match op.name() {
        "graph.compare" if is_bool && word("comparison") > Some(1) => {
            Err("orders elements of type i1, expected eq or ne".into())
        }
        "graph.pool" if word("kind") == Some(1) && !is_float => {
            Err(format!("computes averages of elements of type {x}, expected floats"))
        }
        "graph.scatter_elements" | "graph.scatter_nd" => {
            let is_number = !is_bool && x.kind() != TypeKind::Index;
            match is_number || word("kind") == Some(0) {
                true => Ok(()),
                false => Err(format!("combines elements of type {x}, expected numbers or replace")),
            }
        }
        "graph.reduce" | "graph.scan" => {
            let is_logic = word("kind") >= Some(4);
            match (is_logic, is_float, is_bool) {
                (true, true, _) => {
                    Err(format!("combines bits of elements of type {x}, expected integers or i1"))
                }
                (false, _, true) => Err("combines i1 as numbers, expected and, or".into()),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Checks that a result has the element type `element` and dimensions compatible with `dims`.
fn verify_result<'c>(
    result: Value<'c>,
    dims: &[Option<i64>],
    element: Type<'c>,
) -> Result<(), String> {
    let (found, found_element) = shape(result)?;
    let same = found.len() == dims.len() && found.iter().zip(dims).all(|(a, b)| fits(*a, *b));
    if same && found_element == element {
        return Ok(());
    }
    let expected = Type::tensor(dims, element);
    Err(format!("has a result of type {}, expected {expected}", result.ty()))
}

/// Checks that operands give the sizes of all dynamic dimensions of the result.
fn verify_given_sizes(op: Op, given: &[Value]) -> Result<(), String> {
    let (dims, _) = shape(op.result(0))?;
    let needed = dims.iter().filter(|size| size.is_none()).count();
    match needed == given.len() {
        true => Ok(()),
        false => Err(format!(
            "has {} sizes, but its result has {needed} dynamic dimensions",
            given.len()
        )),
    }
}

fn verify_full(op: Op) -> Result<(), String> {
    let (_, element) = shape(op.result(0))?;
    if op.operand(0).ty() != element {
        return Err(format!(
            "has a value of type {} for elements of type {element}",
            op.operand(0).ty()
        ));
    }
    verify_given_sizes(op, &op.operands()[1..])
}

/// Checks the operands that have one number for each index of a dimension of the first.
fn verify_channels(inputs: &OpInputs, dim: usize) -> Result<(), String> {
    let (dims, element) = inputs.shape(0)?;
    let (numbers, other) = inputs.shape(1)?;
    match numbers.len() == 1 && fits(numbers[0], dims[dim]) && other == element {
        true => Ok(()),
        false => Err(format!(
            "has numbers of type {} for dimension {dim} of {}, expected {}",
            inputs.operands[1].ty(),
            inputs.operands[0].ty(),
            Type::tensor(&[dims[dim]], element)
        )),
    }
}

/// Checks that the channels, in dimension 1, can be divided into groups, and that there is a scale for each.
fn verify_group_norm(inputs: &OpInputs) -> Result<(), String> {
    let ((dims, _), groups) = (inputs.shape(0)?, inputs.integer("groups")?);
    if dims.len() < 2 {
        return Err(format!("has an operand of rank {}, expected 2 or more", dims.len()));
    }
    match dims[1] {
        Some(channels) if groups >= 1 && channels % groups == 0 => verify_channels(inputs, 1),
        channels => Err(format!(
            "has {groups} groups of {} channels, expected a static number of channels, divided into 1 or more groups of \
             equal sizes",
            shown(channels)
        )),
    }
}

/// Checks that the scale has the last dimensions of the first operand.
fn verify_trailing(inputs: &OpInputs) -> Result<(), String> {
    let ((dims, element), (scale, other)) = (inputs.shape(0)?, inputs.shape(1)?);
    let tail = dims.len().checked_sub(scale.len()).map(|first| &dims[first..]);
    let same = tail.is_some_and(|tail| tail.iter().zip(&scale).all(|(a, b)| fits(*a, *b)));
    match same && !scale.is_empty() && other == element {
        true => Ok(()),
        false => Err(format!(
            "has a scale of type {} for {}, expected its last dimensions and its element type",
            inputs.operands[1].ty(),
            inputs.operands[0].ty()
        )),
    }
}

fn verify_broadcast(op: Op) -> Result<(), String> {
    let (from, element) = shape(op.operand(0))?;
    let (to, _) = shape(op.result(0))?;
    let list = op.attribute("dims").and_then(Attribute::as_integers).unwrap_or_default();
    let dims = distinct(&list, to.len(), "dims")?;
    if dims.len() != from.len() || !dims.is_sorted() {
        return Err(format!(
            "has 'dims' {dims:?}, expected {} increasing numbers, one for each dimension of x",
            from.len()
        ));
    }
    let mut expected = to.clone();
    for (size, i) in from.iter().zip(&dims).filter(|(size, _)| **size != Some(1)) {
        expected[*i] = *size;
    }
    verify_result(op.result(0), &expected, element)?;
    let repeated = |i: &usize| match dims.iter().position(|d| d == i) {
        Some(place) => from[place] == Some(1),
        None => true,
    };
    let needed = (0..to.len()).filter(|i| to[*i].is_none()).filter(repeated).count();
    let given = op.operands().len() - 1;
    if needed != given {
        return Err(format!(
            "has {given} sizes, but its result has {needed} dynamic dimensions that are repeated"
        ));
    }
    Ok(())
}

fn verify_transpose(op: Op) -> Result<(), String> {
    let (from, element) = shape(op.operand(0))?;
    let list = op.attribute("perm").and_then(Attribute::as_integers).unwrap_or_default();
    let perm = distinct(&list, from.len(), "perm")?;
    if perm.len() != from.len() {
        return Err(format!("has a 'perm' of {} numbers for rank {}", perm.len(), from.len()));
    }
    let dims: Vec<_> = perm.iter().map(|i| from[*i]).collect();
    verify_result(op.result(0), &dims, element)
}

fn verify_reshape(op: Op) -> Result<(), String> {
    let ((from, element), (to, other)) = (shape(op.operand(0))?, shape(op.result(0))?);
    let count = |dims: &[Option<i64>]| {
        dims.iter().try_fold(1i64, |n, size| size.and_then(|size| n.checked_mul(size)))
    };
    let same = count(&from).zip(count(&to)).is_none_or(|(from, to)| from == to);
    if !same || element != other {
        return Err(format!(
            "has a result of type {}, expected the elements of {}",
            op.result(0).ty(),
            op.operand(0).ty()
        ));
    }
    verify_given_sizes(op, &op.operands()[1..])
}

fn verify_layout_transform(op: Op, inputs: &OpInputs) -> Result<(), String> {
    let ends = [op.operand(0), op.result(0)];
    let [plain, tiled] = match inputs.has("inverse") {
        true => [ends[1], ends[0]],
        false => ends,
    };
    let (from, element) = shape(plain)?;
    let dims = inputs.dims("dims", from.len())?;
    let tiles = inputs.integers("tiles")?;
    if tiles.len() != dims.len() || tiles.iter().any(|tile| *tile < 1) {
        return Err(format!(
            "has {tiles:?} in 'tiles', expected {} numbers of 1 or more",
            dims.len()
        ));
    }
    if from.contains(&None) {
        return Err(format!("has a dynamic size in {}, expected static sizes", plain.ty()));
    }
    let mut expected = from.clone();
    for (dim, tile) in dims.iter().zip(&tiles) {
        expected[*dim] = from[*dim].map(|size| size / tile + i64::from(size % tile != 0));
    }
    expected.extend(tiles.into_iter().map(Some));
    let (found, other) = shape(tiled)?;
    match found == expected && other == element {
        true => Ok(()),
        false => Err(format!(
            "has tiles of type {} for elements of type {}, expected {}",
            tiled.ty(),
            plain.ty(),
            Type::tensor(&expected, element)
        )),
    }
}

/// A group yields stored values of its result types, and holds only tensor computation.
fn verify_fusion(op: Op) -> Result<(), Error> {
    let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
    let Some(end) = body.terminator().filter(|end| end.is("graph.yield")) else {
        return Err(Error::on(op, "does not end with 'graph.yield'"));
    };
    let types = |values: &[Value]| values.iter().map(|v| v.ty().to_string()).collect::<Vec<_>>();
    let (yielded, results) = (types(&end.operands()), types(&op.results()));
    if yielded != results {
        let message =
            format!("yields ({}), has results ({})", yielded.join(", "), results.join(", "));
        return Err(Error::on(op, message).note(end.location(), "the yield is here"));
    }
    for value in end.operands() {
        if !value.defining_op().is_some_and(|store| store.is("graph.yield_store")) {
            return Err(Error::on(op, "yields a value that no 'graph.yield_store' marks")
                .note(end.location(), "the yield is here"));
        }
    }
    for inner in body.ops() {
        let dialect = inner.name().split('.').next().unwrap_or_default();
        let is_group = inner.is("graph.fusion");
        if is_group
            || !matches!(dialect, "affine" | "graph" | "linalg" | "tensor" | "arith" | "math")
        {
            let message = format!(
                "contains '{}', expected graph, linalg, tensor, affine, arith or math ops",
                inner.name()
            );
            return Err(Error::on(op, message).note(inner.location(), "it is here"));
        }
        if inner.is("graph.yield_store")
            && !inner.result(0).uses().iter().any(|(user, _)| *user == end)
        {
            return Err(Error::on(op, "stores a value that it does not yield")
                .note(inner.location(), "the store is here"));
        }
    }
    let works = |o: &Op| !matches!(o.name(), "graph.yield_store" | "graph.yield" | "graph.fusion");
    match walk(op).iter().any(works) {
        true => Ok(()),
        false => Err(Error::on(op, "is empty")),
    }
}
