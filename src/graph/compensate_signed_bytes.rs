//! `compensate-signed-bytes`: make the left factor of products of signed bytes unsigned.
//!
//! ```text
//! C[i, j] += extsi(A[i, k]) * extsi(B[k, j])
//!   ->
//! A'[i, k] = A[i, k] xor -128
//! S[j] += extsi(B[k, j])
//! C'[i, j] += extui(A'[i, k]) * extsi(B[k, j])
//! C[i, j] = C'[i, j] - 128 * S[j]
//! ```
//! As an unsigned number, A' is A + 128. Sums of i32 wrap, so C is the same for all values. AVX512-VNNI has an instruction
//! for four products of an unsigned and a signed byte, but for two of signed bytes only. A' and S are computed once, and
//! each product is computed twice as fast. The pipeline runs the pass for such processors.
//!
//! Requires
//! - (C1) a structured linalg op on tensors with two factors of i8, whose body is the sum above
//! - (C2) one reduction loop, with a constant number of iterations that is a multiple of 4
//! - (C3) each index is a loop: no windows
//! - (C4) the last index of the result is one of B, not of A, and has a constant number of values that is a multiple of 16
//! - (C5) the loops of the result that B does not depend on have a constant number of iterations, at least 16. For fewer,
//!   packing B and its sums cost too much
//!
//! (C2), (C4) and (C5) are those of the strategy `x86.product.vpdpbusd`. Other ops do not change.

use crate::compute::linalg_builder::{ResultSize, element_of, empty, filled, generic, sizes_of};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Block, Builder, IteratorKind, Op, Structured, Type, TypeKind, Value, walk};

/// The products of an instruction for each sum.
const DEPTH: i64 = 4;
/// The sums of an instruction.
const LANES: i64 = 16;
/// The fewest rows for which it pays to pack a factor of narrow numbers in each call, as the instructions for sums of products of
/// such numbers need it. Packing costs as much as they save in 4 to 14 rows, measured for factors of 128 x 64 to 1024 x 4096.
pub(crate) const LEAST_NARROW_ROWS: i64 = 16;
/// What is added to each number of A.
const SHIFT: i64 = 128;

/// Rewrites the products of a function.
pub fn convert(function: Op) {
    // All are found before the first change, which erases an op with its body.
    let found: Vec<SignedProduct> =
        walk(function).into_iter().filter_map(SignedProduct::of).collect();
    found.iter().for_each(SignedProduct::compensate);
}

struct SignedProduct<'c> {
    op: Op<'c>,
    loops: Structured,
    /// The places of A and B among the inputs.
    a: usize,
    b: usize,
}

impl<'c> SignedProduct<'c> {
    fn of(op: Op<'c>) -> Option<SignedProduct<'c>> {
        let loops = Structured::of(op)?;
        let [result] = op.results()[..] else { return None };
        let is_tensor = |value: &Value| matches!(value.ty().kind(), TypeKind::Tensor { .. });
        let operands = op.operands();
        let is_of = |value: Value, bits| element_of(value).kind() == TypeKind::Integer(bits);
        let fits = operands.len() == 3
            && loops.inputs == 2
            && operands.iter().all(is_tensor)
            && is_of(operands[0], 8)
            && is_of(operands[1], 8)
            && is_of(result, 32)
            && is_signed_product(op.body(0)?);
        fits.then_some(())?;

        let indices: Option<Vec<Vec<usize>>> = loops.maps.iter().map(Map::plain_dims).collect();
        let [x, y, sums] = &indices?[..] else { return None };
        let mut reduced =
            (0..loops.iterators.len()).filter(|d| loops.iterators[*d] != IteratorKind::Parallel);
        let (k, None) = (reduced.next()?, reduced.next()) else { return None };
        let column = *sums.last()?;
        let (a, b) = match (x.contains(&column), y.contains(&column)) {
            (false, true) => (0, 1),
            (true, false) => (1, 0),
            _ => return None,
        };
        let of_b = [x, y][b];
        // The sums of B are indexed by loops of the result.
        of_b.iter().all(|d| *d == k || sums.contains(d)).then_some(())?;
        let size = |d: usize| {
            let place =
                |(i, of): (usize, &Vec<usize>)| Some((i, of.iter().position(|it| *it == d)?));
            let (operand, i) = [x, y, sums].into_iter().enumerate().find_map(place)?;
            operands[operand].ty().shaped()?.0[i]
        };
        let is_multiple = |d: usize, of: i64| size(d).is_some_and(|n| n > 0 && n % of == 0);
        let rows: Option<i64> =
            sums.iter().filter(|d| !of_b.contains(d)).map(|d| size(*d)).product();
        let pays = is_multiple(k, DEPTH)
            && is_multiple(column, LANES)
            && rows.is_some_and(|rows| rows >= LEAST_NARROW_ROWS)
            && [x, y].into_iter().all(|of| of.contains(&k));
        pays.then_some(SignedProduct { op, loops, a, b })
    }

    fn compensate(&self) {
        let SignedProduct { op, loops, a, .. } = self;
        let at = Builder::before(*op, op.location());
        let operands = op.operands();
        let unsigned = shifted(operands[*a], at);
        let (sums, of_sums) = self.sums(at);
        let mut factors = [operands[0], operands[1]];
        factors[*a] = unsigned;
        let product =
            generic(&at, &factors, operands[2], &loops.maps, &loops.iterators, |inner, x| {
                let wide = x[2].ty();
                let extend = |i: usize| if i == *a { "arith.extui" } else { "arith.extsi" };
                let [left, right] = [0, 1].map(|i| inner.op(extend(i), &[x[i]], wide));
                let product = inner.op("arith.muli", &[left, right], wide);
                inner.op("arith.addi", &[x[2], product], wide)
            });
        let rank = of_sums.dims;
        let identity = Map { dims: rank, symbols: 0, results: (0..rank).map(Expr::Dim).collect() };
        let outs = empty(&at, product.ty(), &sizes_of(product));
        let maps = [identity.clone(), of_sums, identity];
        let parallel = vec![IteratorKind::Parallel; rank];
        let result = generic(&at, &[product, sums], outs, &maps, &parallel, |inner, x| {
            let shift = inner.number(x[1].ty(), SHIFT);
            let excess = inner.op("arith.muli", &[x[1], shift], x[1].ty());
            inner.op("arith.subi", &[x[0], excess], x[0].ty())
        });
        op.result(0).replace_all_uses_with(result);
        op.erase();
    }

    /// The sums of B over the reduction loop, and the map from the indices of the result to theirs.
    fn sums(&self, at: Builder<'c>) -> (Value<'c>, Map) {
        let b = self.op.operands()[self.b];
        let of_b = self.loops.maps[self.b].plain_dims().expect("checked (C3)");
        let of_result = self.loops.maps[2].plain_dims().expect("checked (C3)");
        let (dims, _) = b.ty().shaped().expect("B is a tensor");
        let kept: Vec<usize> = (0..of_b.len()).filter(|i| of_result.contains(&of_b[*i])).collect();
        let sum = self.op.result(0).ty().shaped().expect("the result is a tensor").1;
        let ty = Type::tensor(&kept.iter().map(|i| dims[*i]).collect::<Vec<_>>(), sum);
        let sizes: Vec<ResultSize> = kept.iter().map(|i| ResultSize::Of(b, *i)).collect();
        let start = filled(&at, ty, &sizes, at.number(sum, 0));
        let map = |results: &[usize]| Map {
            dims: of_b.len(),
            symbols: 0,
            results: results.iter().copied().map(Expr::Dim).collect(),
        };
        let kind = |i: usize| match kept.contains(&i) {
            true => IteratorKind::Parallel,
            false => IteratorKind::Reduction,
        };
        let all: Vec<usize> = (0..of_b.len()).collect();
        let kinds: Vec<IteratorKind> = all.iter().map(|i| kind(*i)).collect();
        let sums = generic(&at, &[b], start, &[map(&all), map(&kept)], &kinds, |inner, x| {
            let wide = inner.op("arith.extsi", &[x[0]], x[1].ty());
            inner.op("arith.addi", &[x[1], wide], x[1].ty())
        });
        let place = |i: &usize| of_result.iter().position(|d| *d == of_b[*i]).expect("it is kept");
        let results = kept.iter().map(|i| Expr::Dim(place(i))).collect();
        (sums, Map { dims: of_result.len(), symbols: 0, results })
    }
}

/// A tensor of bytes plus 128, as unsigned numbers.
fn shifted<'c>(tensor: Value<'c>, at: Builder<'c>) -> Value<'c> {
    let sizes = sizes_of(tensor);
    let rank = sizes.len();
    let identity = Map { dims: rank, symbols: 0, results: (0..rank).map(Expr::Dim).collect() };
    let outs = empty(&at, tensor.ty(), &sizes);
    let parallel = vec![IteratorKind::Parallel; rank];
    generic(&at, &[tensor], outs, &[identity.clone(), identity], &parallel, |inner, x| {
        let sign = inner.number(x[0].ty(), -SHIFT);
        inner.op("arith.xori", &[x[0], sign], x[0].ty())
    })
}

/// True if a body adds the product of both numbers, extended with their signs, to the sum.
fn is_signed_product(body: Block) -> bool {
    let arguments = body.arguments();
    let found = || {
        let yielded = body.terminator()?.operands();
        let [sum] = yielded[..] else { return None };
        let add = sum.defining_op().filter(|op| op.is("arith.addi"))?;
        let operands = add.operands();
        let product = operands.iter().find(|value| **value != arguments[2])?;
        operands.contains(&arguments[2]).then_some(())?;
        let multiply = product.defining_op().filter(|op| op.is("arith.muli"))?;
        let factor = |value: Value| {
            let extended = value.defining_op().filter(|op| op.is("arith.extsi"))?;
            arguments.iter().position(|argument| *argument == extended.operand(0))
        };
        let factors = [factor(multiply.operand(0))?, factor(multiply.operand(1))?];
        matches!(factors, [0, 1] | [1, 0]).then_some(())
    };
    arguments.len() == 3 && found().is_some()
}
