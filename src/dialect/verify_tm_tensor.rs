//! Verifier of the ops of torch-mlir's `tm_tensor` dialect.
//!
//! - (T1) the op has as many inputs and outputs as its kind, and one result of the type of each output
//! - (T2) the shapes of its operands fit each other, and `dimension` or `dimension_map` names their dimensions
//! - (T3) the region has an argument for each element that it gets, and yields one value of the right type

use crate::ir::{Attribute, Block, Error, Op, Type, TypeKind, Value};

type ShapeDims = Vec<Option<i64>>;

pub(super) fn verify(op: Op) -> Result<(), Error> {
    let outcome = match op.name() {
        "tm_tensor.attention" => verify_attention(op),
        "tm_tensor.scan" => verify_scan(op),
        "tm_tensor.scatter" => verify_scatter(op),
        "tm_tensor.sort" => verify_sort(op),
        "tm_tensor.topk" => verify_topk(op),
        _ => Ok(()),
    };
    outcome.map_err(|message| Error::on(op, message))
}

/// The operands of an op in destination style.
struct DestinationOperands<'c> {
    inputs: Vec<Value<'c>>,
    outputs: Vec<Value<'c>>,
}

/// (T1)
fn operands<'c>(
    op: Op<'c>,
    inputs: std::ops::RangeInclusive<usize>,
    outputs: std::ops::RangeInclusive<usize>,
) -> Result<DestinationOperands<'c>, String> {
    let sizes = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    let given = sizes.and_then(|sizes| usize::try_from(*sizes.first()?).ok()).unwrap_or(0);
    let mut values = op.operands();
    let written = values.split_off(given);
    for (word, expected, found) in
        [("inputs", inputs, values.len()), ("outputs", outputs, written.len())]
    {
        if !expected.contains(&found) {
            let (least, most) = (expected.start(), expected.end());
            let expected = match (least == most, *most == usize::MAX) {
                (true, _) => format!("{least}"),
                (_, true) => format!("{least} or more"),
                _ => format!("{least} to {most}"),
            };
            return Err(format!("has {found} {word}, expected {expected}"));
        }
    }
    let results = op.results();
    if results.len() != written.len() {
        return Err(format!("has {} results for {} outputs", results.len(), written.len()));
    }
    if let Some((result, output)) = results.iter().zip(&written).find(|(r, o)| r.ty() != o.ty()) {
        return Err(format!("has a result of type {} for {}", result.ty(), output.ty()));
    }
    Ok(DestinationOperands { inputs: values, outputs: written })
}

fn shape<'c>(value: Value<'c>) -> Result<(ShapeDims, Type<'c>), String> {
    value.ty().shaped().ok_or_else(|| format!("has an operand of type {}", value.ty()))
}

/// True if two lists of sizes may be equal at run time.
fn fit(left: &[Option<i64>], right: &[Option<i64>]) -> bool {
    let may_equal = |(a, b): (&Option<i64>, &Option<i64>)| a.is_none() || b.is_none() || a == b;
    left.len() == right.len() && left.iter().zip(right).all(may_equal)
}

/// (T2): an error unless a value has these sizes and elements.
fn check<'c>(
    word: &str,
    value: Value<'c>,
    dims: &[Option<i64>],
    element: Type<'c>,
) -> Result<(), String> {
    let (found, found_element) = shape(value)?;
    if fit(&found, dims) && found_element == element {
        return Ok(());
    }
    Err(format!("has {word} of type {}, expected {}", value.ty(), Type::tensor(dims, element)))
}

/// (T2)
fn dimension(op: Op, rank: usize) -> Result<usize, String> {
    let found = op.attribute("dimension").and_then(Attribute::as_i64).unwrap_or(-1);
    let dimension = usize::try_from(found).ok().filter(|d| *d < rank);
    dimension.ok_or_else(|| format!("has dimension {found}, expected one below {rank}"))
}

/// (T3)
fn region<'c>(op: Op<'c>, arguments: &[Type<'c>], yields: Type<'c>) -> Result<(), String> {
    let body: Block = op.body(0).ok_or("has no body")?;
    let found: Vec<_> = body.arguments().into_iter().map(Value::ty).collect();
    let list =
        |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if found != arguments {
        let (found, expected) = (list(&found), list(arguments));
        return Err(format!("has a region with arguments ({found}), expected ({expected})"));
    }
    let end = body.terminator().map(Op::operands).unwrap_or_default();
    let found: Vec<_> = end.into_iter().map(Value::ty).collect();
    match found == [yields] {
        true => Ok(()),
        false => Err(format!("has a region that yields ({}), expected ({yields})", list(&found))),
    }
}

fn verify_attention(op: Op) -> Result<(), String> {
    let all = operands(op, 3..=4, 1..=1)?;
    let (query, element) = shape(all.inputs[0])?;
    if query.len() < 2 || !matches!(element.kind(), TypeKind::Float(_)) {
        let found = all.inputs[0].ty();
        return Err(format!("has query {found}, expected floats in 2 or more dimensions"));
    }
    let batch = query.len() - 2;
    let sizes = |rows: Option<i64>, columns: Option<i64>| {
        query[..batch].iter().copied().chain([rows, columns]).collect::<ShapeDims>()
    };
    let (key, _) = shape(all.inputs[1])?;
    let (value, _) = shape(all.inputs[2])?;
    if key.len() != query.len() || value.len() != query.len() {
        let ranks = [query.len(), key.len(), value.len()];
        return Err(format!("has query, key and value of ranks {ranks:?}, expected equal ranks"));
    }
    check("key", all.inputs[1], &sizes(key[batch], query[batch + 1]), element)?;
    check("value", all.inputs[2], &sizes(key[batch], value[batch + 1]), element)?;
    if let Some(mask) = all.inputs.get(3) {
        let (_, of_mask) = shape(*mask)?;
        let is_bool = of_mask.kind() == TypeKind::Integer(1);
        let of_mask = if is_bool { of_mask } else { element };
        check("mask", *mask, &sizes(query[batch], key[batch]), of_mask)?;
    }
    check("output", all.outputs[0], &sizes(query[batch], value[batch + 1]), element)
}

fn verify_scan(op: Op) -> Result<(), String> {
    let all = operands(op, 1..=1, 2..=2)?;
    let (dims, element) = shape(all.inputs[0])?;
    let along = dimension(op, dims.len())?;
    check("output", all.outputs[0], &dims, element)?;
    let mut others = dims.clone();
    others.remove(along);
    check("accumulator", all.outputs[1], &others, element)?;
    region(op, &[element, element], element)
}

fn verify_scatter(op: Op) -> Result<(), String> {
    let all = operands(op, 2..=2, 1..=1)?;
    let (updates, element) = shape(all.inputs[0])?;
    let (indices, number) = shape(all.inputs[1])?;
    let (original, _) = shape(all.outputs[0])?;
    let [count, Some(depth)] = indices[..] else {
        let found = all.inputs[1].ty();
        return Err(format!("has indices {found}, expected two dimensions, the second static"));
    };
    if !matches!(number.kind(), TypeKind::Integer(_) | TypeKind::Index) {
        return Err(format!("has indices of type {number}, expected integers"));
    }
    let mapped = op.attribute("dimension_map").and_then(Attribute::as_integers);
    let mapped = mapped.unwrap_or_default();
    let is_valid = |d: &i64| usize::try_from(*d).is_ok_and(|d| d < original.len());
    let is_distinct = mapped.iter().enumerate().all(|(i, d)| !mapped[..i].contains(d));
    if mapped.len() as i64 != depth || !mapped.iter().all(is_valid) || !is_distinct {
        let rank = original.len();
        return Err(format!(
            "has dimension_map {mapped:?}, expected {depth} distinct numbers below {rank}"
        ));
    }
    let slice = updates.len().checked_sub(1).filter(|rank| *rank <= original.len());
    let slice = slice.ok_or_else(|| {
        let (updates, rank) = (all.inputs[0].ty(), original.len());
        format!("has updates {updates}, expected slices of at most {rank} dimensions")
    })?;
    if !fit(&updates[..1], &[count]) {
        let (updates, indices) = (all.inputs[0].ty(), all.inputs[1].ty());
        return Err(format!("has updates {updates} for indices {indices}, expected as many"));
    }
    let first = original.len() - slice;
    for d in 0..original.len() {
        let is_mapped = mapped.contains(&(d as i64));
        if d < first && !is_mapped {
            return Err(format!("gives no index of dimension {d}, which its slices do not have"));
        }
        if d >= first && !is_mapped && !fit(&updates[d - first + 1..][..1], &original[d..][..1]) {
            let (updates, original) = (all.inputs[0].ty(), all.outputs[0].ty());
            return Err(format!("has updates {updates} of {original}: size {d} differs"));
        }
    }
    check("output", all.outputs[0], &original, element)?;
    region(op, &[element, element], element)
}

fn verify_sort(op: Op) -> Result<(), String> {
    let all = operands(op, 0..=0, 1..=usize::MAX)?;
    let (dims, _) = shape(all.outputs[0])?;
    dimension(op, dims.len())?;
    let mut arguments = vec![];
    for output in &all.outputs {
        let (_, element) = shape(*output)?;
        check("output", *output, &dims, element)?;
        arguments.extend([element, element]);
    }
    region(op, &arguments, Type::integer(op.context(), 1))
}

fn verify_topk(op: Op) -> Result<(), String> {
    let all = operands(op, 1..=2, 2..=2)?;
    let (mut dims, element) = shape(all.inputs[0])?;
    let along = dimension(op, dims.len())?;
    let (_, number) = shape(all.outputs[1])?;
    if !matches!(number.kind(), TypeKind::Integer(_)) {
        return Err(format!("has indices of type {number}, expected integers"));
    }
    if let Some(places) = all.inputs.get(1) {
        check("indices", *places, &dims, number)?;
    }
    let (found, _) = shape(all.outputs[0])?;
    dims[along] = found.get(along).copied().flatten();
    check("output", all.outputs[0], &dims, element)?;
    check("output", all.outputs[1], &dims, number)?;
    region(op, &[element, element], Type::integer(op.context(), 1))
}
