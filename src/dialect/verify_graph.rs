//! Verifier of the graph dialect.

use crate::ir::{Attribute, Error, Op, Value, walk};

pub(super) fn verify(op: Op) -> Result<(), Error> {
    let outcome = match op.name() {
        "graph.matmul" => verify_matmul(op),
        "graph.reduce" => verify_reduce(op),
        "graph.broadcast" => verify_broadcast(op),
        "graph.transpose" => verify_transpose(op),
        "graph.fusion" => return verify_fusion(op),
        _ => Ok(()),
    };
    outcome.map_err(|message| Error::on(op, message))
}

type TensorShape<'c> = (Vec<Option<i64>>, crate::ir::Type<'c>);

fn shape(value: Value) -> Result<TensorShape, String> {
    value.ty().shaped().ok_or_else(|| format!("has an operand or result of type {}", value.ty()))
}

fn integers(op: Op, name: &str) -> Result<Vec<i64>, String> {
    op.attribute(name).and_then(Attribute::as_integers).ok_or_else(|| format!("has no '{name}'"))
}

/// True if two sizes may be equal at run time.
fn fits(left: Option<i64>, right: Option<i64>) -> bool {
    left.is_none() || right.is_none() || left == right
}

/// Checks that the result has the element type `element` and dimensions compatible with `dims`.
fn verify_result(op: Op, dims: &[Option<i64>], element: crate::ir::Type) -> Result<(), String> {
    let (found, found_element) = shape(op.result(0))?;
    let same = found.len() == dims.len() && found.iter().zip(dims).all(|(a, b)| fits(*a, *b));
    if same && found_element == element {
        return Ok(());
    }
    let expected = crate::ir::Type::tensor(dims, element);
    Err(format!("has a result of type {}, expected {expected}", op.result(0).ty()))
}

fn verify_matmul(op: Op) -> Result<(), String> {
    let operands = op.operands();
    let ((mut a, element), (mut b, other)) = (shape(operands[0])?, shape(operands[1])?);
    if a.len() != 2 || b.len() != 2 {
        return Err(format!(
            "multiplies tensors of rank {} and {}, expected 2 and 2",
            a.len(),
            b.len()
        ));
    }
    if element != other {
        return Err(format!("multiplies elements of type {element} and {other}"));
    }
    if op.attribute("transpose_a").is_some() {
        a.reverse();
    }
    if op.attribute("transpose_b").is_some() {
        b.reverse();
    }
    if !fits(a[1], b[0]) {
        let size = |d: Option<i64>| d.map_or("?".into(), |d| d.to_string());
        return Err(format!("sums over size {} in a and size {} in b", size(a[1]), size(b[0])));
    }
    verify_result(op, &[a[0], b[1]], element)
}

fn verify_reduce(op: Op) -> Result<(), String> {
    let (dims, element) = shape(op.operand(0))?;
    let reduced = places(&integers(op, "dims")?, dims.len(), "dims")?;
    let keep = op.attribute("keep_dims").is_some();
    let left = dims.iter().enumerate().filter_map(|(i, d)| match reduced.contains(&i) {
        true => keep.then_some(Some(1)),
        false => Some(*d),
    });
    verify_result(op, &left.collect::<Vec<_>>(), element)
}

/// The list as distinct dimensions below `rank`, or an error.
fn places(list: &[i64], rank: usize, name: &str) -> Result<Vec<usize>, String> {
    let mut places = vec![];
    for number in list {
        match usize::try_from(*number) {
            Ok(place) if place < rank && !places.contains(&place) => places.push(place),
            _ => {
                return Err(format!(
                    "has {number} in '{name}', expected distinct numbers below {rank}"
                ));
            }
        }
    }
    Ok(places)
}

fn verify_broadcast(op: Op) -> Result<(), String> {
    let (from, element) = shape(op.operand(0))?;
    let (to, _) = shape(op.result(0))?;
    let dims = places(&integers(op, "dims")?, to.len(), "dims")?;
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
    verify_result(op, &expected, element)?;
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
    let perm = places(&integers(op, "perm")?, from.len(), "perm")?;
    if perm.len() != from.len() {
        return Err(format!("has a 'perm' of {} numbers for rank {}", perm.len(), from.len()));
    }
    verify_result(op, &perm.iter().map(|i| from[*i]).collect::<Vec<_>>(), element)
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
