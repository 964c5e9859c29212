//! `convert-graph-to-linalg`: replace each graph op by its linalg definition.
//!
//! ```text
//! %m = graph.mul %x, %y : tensor<4xf32>
//!   ->
//! %e = tensor.empty() : tensor<4xf32>
//! %m = linalg.generic {..} ins(%x, %y) outs(%e) { %0 = arith.mulf ..; linalg.yield %0 }
//! ```
//! Fusion groups remain, and contain linalg ops afterwards. These linalg ops are the only definition of what a graph op
//! computes.

use super::graph_elementwise::{either, row};
use super::linalg_builder::{ResultSize, element_of, empty, filled, generic, rank};
use crate::dialect::graph_op::ReduceKind;
use crate::dialect::loop_enums::Combiner;
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, Error, IteratorKind, Op, Value, walk};

/// Converts all graph ops under `root` except fusion groups and their terminators.
pub fn convert<'c>(root: Op<'c>) -> Result<(), Error<'c>> {
    for op in walk(root) {
        let builder = || Builder::before(op, op.location());
        let replacement = match op.name() {
            "graph.fusion" | "graph.yield_store" | "graph.yield" => continue,
            "graph.constant" => constant(&builder(), op),
            "graph.matmul" => matmul(&builder(), op),
            "graph.reduce" => reduce(&builder(), op)?,
            "graph.broadcast" => broadcast(&builder(), op),
            "graph.transpose" => transpose(&builder(), op),
            name if name.starts_with("graph.") => elementwise(&builder(), op)?,
            _ => continue,
        };
        op.result(0).replace_all_uses_with(replacement);
        op.erase();
    }
    Ok(())
}

/// The integers of an attribute that every verified op has.
fn integers(op: Op, name: &str) -> Vec<i64> {
    op.attribute(name).and_then(Attribute::as_integers).unwrap_or_default()
}

fn constant<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    b.constant(op.attribute("value").expect("ODS demands a value"))
}

fn elementwise<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    let row = row(op.name())
        .ok_or_else(|| Error::on(op, "has no linalg definition in convert-graph-to-linalg"))?;
    let operands = op.operands();
    let identity = Map::identity(rank(operands[0]));
    let sizes: Vec<_> = (0..rank(operands[0])).map(|i| ResultSize::Of(operands[0], i)).collect();
    let outs = empty(b, op.result(0).ty(), &sizes);
    let maps = vec![identity; operands.len() + 1];
    let iterators = vec![IteratorKind::Parallel; rank(operands[0])];
    Ok(generic(b, &operands, outs, &maps, &iterators, |b, x| (row.body)(b, &x[..operands.len()])))
}

fn matmul<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let [x, y] = op.operands()[..] else { unreachable!("ODS demands two operands") };
    let (i, j, k) = (Expr::Dim(0), Expr::Dim(1), Expr::Dim(2));
    let transposed = |name: &str| op.attribute(name).is_some();
    let ordered = |first: &Expr, second: &Expr, swap: bool| match swap {
        true => vec![second.clone(), first.clone()],
        false => vec![first.clone(), second.clone()],
    };
    let (a, bb) = (transposed("transpose_a"), transposed("transpose_b"));
    let maps = [ordered(&i, &k, a), ordered(&k, &j, bb), vec![i.clone(), j.clone()]]
        .map(|results| Map { dims: 3, symbols: 0, results });
    let sizes = [ResultSize::Of(x, usize::from(a)), ResultSize::Of(y, usize::from(!bb))];
    let element = element_of(x);
    let outs = filled(b, op.result(0).ty(), &sizes, b.number(element, 0));
    let iterators = [IteratorKind::Parallel, IteratorKind::Parallel, IteratorKind::Reduction];
    generic(b, &[x, y], outs, &maps, &iterators, |b, v| {
        let product = either(b, &v[..2], "arith.mulf", "arith.muli");
        either(b, &[v[2], product], "arith.addf", "arith.addi")
    })
}

fn reduce<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    let x = op.operand(0);
    let kind = op.attribute("kind").and_then(Attribute::as_i64).and_then(ReduceKind::from_value);
    let (combiner, float, int) = match kind {
        Some(ReduceKind::Add) => (Combiner::Add, "arith.addf", "arith.addi"),
        Some(ReduceKind::Mul) => (Combiner::Mul, "arith.mulf", "arith.muli"),
        Some(ReduceKind::Max) => (Combiner::Max, "arith.maximumf", "arith.maxsi"),
        Some(ReduceKind::Min) => (Combiner::Min, "arith.minimumf", "arith.minsi"),
        None => return Err(Error::on(op, "has no valid 'kind'")),
    };
    let dims = integers(op, "dims");
    let is_reduced = |i: usize| dims.contains(&(i as i64));
    let keep = op.attribute("keep_dims").is_some();
    let (mut results, mut sizes) = (vec![], vec![]);
    for i in 0..rank(x) {
        if !is_reduced(i) {
            results.push(Expr::Dim(i));
            sizes.push(ResultSize::Of(x, i));
        } else if keep {
            results.push(Expr::Constant(0));
            sizes.push(ResultSize::One);
        }
    }
    let identity = b.constant(combiner.identities(&[element_of(x)])[0]);
    let outs = filled(b, op.result(0).ty(), &sizes, identity);
    let maps = [Map::identity(rank(x)), Map { dims: rank(x), symbols: 0, results }];
    let iterator = |i| match is_reduced(i) {
        true => IteratorKind::Reduction,
        false => IteratorKind::Parallel,
    };
    let iterators: Vec<_> = (0..rank(x)).map(iterator).collect();
    Ok(generic(b, &[x], outs, &maps, &iterators, |b, v| either(b, &[v[1], v[0]], float, int)))
}

fn broadcast<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let operands = op.operands();
    let x = operands[0];
    let dims = integers(op, "dims");
    let (from, _) = x.ty().shaped().expect("ODS demands a tensor");
    let (to, _) = op.result(0).ty().shaped().expect("ODS demands a tensor");
    let mut given = operands[1..].iter();
    let size = |i: usize| match dims.iter().position(|d| *d == i as i64) {
        Some(place) if from[place] != Some(1) => ResultSize::Of(x, place),
        _ if to[i].is_some() => ResultSize::One,
        _ => given.next().map_or(ResultSize::One, |value| ResultSize::Value(*value)),
    };
    let sizes: Vec<_> = (0..to.len()).map(size).collect();
    let outs = empty(b, op.result(0).ty(), &sizes);
    let place = |(place, d): (usize, &i64)| match from[place] {
        Some(1) => Expr::Constant(0),
        _ => Expr::Dim(*d as usize),
    };
    let read = dims.iter().enumerate().map(place).collect();
    let maps = [Map { dims: to.len(), symbols: 0, results: read }, Map::identity(to.len())];
    generic(b, &[x], outs, &maps, &vec![IteratorKind::Parallel; to.len()], |_, v| v[0])
}

fn transpose<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let x = op.operand(0);
    let perm: Vec<usize> = integers(op, "perm").into_iter().map(|i| i as usize).collect();
    let sizes: Vec<_> = perm.iter().map(|i| ResultSize::Of(x, *i)).collect();
    let outs = empty(b, op.result(0).ty(), &sizes);
    let place = |i| perm.iter().position(|p| *p == i).expect("a permutation, by the verifier");
    let read = (0..perm.len()).map(|i| Expr::Dim(place(i))).collect();
    let maps = [Map { dims: perm.len(), symbols: 0, results: read }, Map::identity(perm.len())];
    generic(b, &[x], outs, &maps, &vec![IteratorKind::Parallel; perm.len()], |_, v| v[0])
}
