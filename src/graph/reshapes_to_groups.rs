//! `reshapes-to-groups`: replace reshapes by ops that state which dimensions are joined and which are split.
//!
//! ```text
//! %shape = tensor.from_elements %c1, %n, %c12, %c64
//! %y = tensor.reshape %x(%shape) : (tensor<?x768xf32>, tensor<4xindex>) -> tensor<1x?x12x64xf32>
//!   ->
//! %y = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [1, %n, 12, 64] : tensor<?x768xf32> into tensor<1x?x12x64xf32>
//! ```
//! In general, an index of the source is a quotient or remainder of sizes that are known only at run time. In such groups of
//! dimensions it is one of known sizes, or an index of the result itself.
//!
//! Requires
//! - (C1) the sizes of the source and of the result are expressions over the sizes of the arguments of the function, and the second
//!   operand is a `tensor.from_elements`
//! - (C2) the dimensions of both divide into groups, in order, of equally many elements. The groups are the smallest ones, and a group
//!   has one dimension of the source or one of the result, or all of its sizes are known
//! - (C3) a dimension whose size is known has this size in its type

use crate::compute::linalg_builder::{element_of, reassociation};
use crate::compute::symbolic_sizes::{DYNAMIC, SymbolicSizes, product};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Op, Type, Value};

/// Dimensions of the source and of the result with equally many elements.
type DimensionGroup = (Vec<usize>, Vec<usize>);

/// Replaces the reshapes of a function. Returns their number.
pub fn convert(function: Op) -> usize {
    let Some(body) = function.body(0) else { return 0 };
    let reshapes: Vec<Op> = body.ops().into_iter().filter(|op| op.is("tensor.reshape")).collect();
    if reshapes.is_empty() {
        return 0;
    }
    let sizes = SymbolicSizes::of(body);
    reshapes.into_iter().filter(|op| replace(*op, &sizes).is_some()).count()
}

/// Replaces one reshape, if its dimensions divide into groups.
fn replace<'c>(op: Op<'c>, sizes: &SymbolicSizes<'c>) -> Option<()> {
    let [source, list] = op.operands()[..] else { return None };
    let list = list.defining_op().filter(|list| list.is("tensor.from_elements"))?.operands();
    let result = op.result(0);
    let (from, to) = (known_sizes(source, sizes)?, known_sizes(result, sizes)?);
    let groups = common_groups(&from, &to)?;

    let at = Builder::before(op, op.location());
    let (types, element) = (result.ty().shaped()?.0, element_of(result));
    let mut value = source;
    if groups.iter().any(|(from, _)| from.len() > 1) {
        let is_last = groups.iter().all(|(_, to)| to.len() == 1);
        let dims = groups.iter().map(|(dims, _)| {
            let dims: Vec<Expr> = dims.iter().map(|i| from[*i].clone()).collect();
            product(&dims).constant()
        });
        let ty =
            if is_last { result.ty() } else { Type::tensor(&dims.collect::<Vec<_>>(), element) };
        let joined: Vec<Vec<usize>> = groups.iter().map(|(from, _)| from.clone()).collect();
        let spec = at.spec("tensor.collapse_shape").operands(&[value]).results(&[ty]);
        value = at.value(spec.attribute("reassociation", reassociation(&at, &joined)));
    }
    if groups.iter().any(|(_, to)| to.len() > 1) {
        let index = Type::index(at.context());
        let dynamic = list.iter().zip(&types).filter(|(_, size)| size.is_none());
        let values: Vec<Value> = dynamic
            .map(|(size, _)| match size.ty().is_index() {
                true => *size,
                false => at.op("arith.index_cast", &[*size], index),
            })
            .collect();
        let shape: Vec<i64> = types.iter().map(|size| size.unwrap_or(DYNAMIC)).collect();
        let split: Vec<Vec<usize>> = groups.into_iter().map(|(_, to)| to).collect();
        let spec = at.spec("tensor.expand_shape").operands(&[value]).operands(&values);
        let spec = spec.attribute("reassociation", reassociation(&at, &split));
        let shape = Attribute::dense_i64(at.context(), &shape);
        value = at.value(spec.attribute("static_output_shape", shape).results(&[result.ty()]));
    }
    result.replace_all_uses_with(value);
    op.erase();
    Some(())
}

/// The sizes of a tensor, if its type states the known ones. (C3)
fn known_sizes<'c>(tensor: Value<'c>, sizes: &SymbolicSizes<'c>) -> Option<Vec<Expr>> {
    let (types, _) = tensor.ty().shaped()?;
    let dims: Vec<Expr> = sizes.known_dims(tensor)?.iter().map(Expr::simplified).collect();
    let are_stated = types.iter().zip(&dims).all(|(ty, size)| *ty == size.constant());
    (are_stated && types.len() == dims.len() && !dims.is_empty()).then_some(dims)
}

/// The smallest groups of dimensions, in order, that have equally many elements. (C2)
fn common_groups(from: &[Expr], to: &[Expr]) -> Option<Vec<DimensionGroup>> {
    let mut groups: Vec<DimensionGroup> = vec![];
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let is_equal = |(m, n): &(usize, usize)| {
            let difference = product(&from[i..i + m]) - product(&to[j..j + n]);
            difference.simplified().constant() == Some(0)
        };
        let (m, n) = lengths(from.len() - i, to.len() - j).find(is_equal)?;
        groups.push(((i..i + m).collect(), (j..j + n).collect()));
        (i, j) = (i + m, j + n);
    }
    // What is left is dimensions of one element.
    let is_one = |size: &Expr| size.constant() == Some(1);
    let last = groups.last_mut()?;
    last.0.extend(i..from.len());
    last.1.extend(j..to.len());
    let are_simple = groups.iter().all(|(from, to)| from.len() == 1 || to.len() == 1);
    let is_whole = from[i..].iter().all(is_one) && to[j..].iter().all(is_one);
    (is_whole && are_simple).then_some(groups)
}

/// The lengths of two lists, up to those given, that may form a group: the fewest dimensions first.
fn lengths(longest: usize, other: usize) -> impl Iterator<Item = (usize, usize)> {
    (2..=longest + other).flat_map(move |all| {
        (1..all).map(move |m| (m, all - m)).filter(move |(m, n)| *m <= longest && *n <= other)
    })
}
