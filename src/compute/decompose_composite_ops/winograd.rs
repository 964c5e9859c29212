//! Decomposes the transforms of Winograd convolutions: products with constant matrices along the rows and the columns.
//!
//! ```text
//! U = G g Gᵀ     V = Bᵀ d B     Y = s Aᵀ M A + outs      where M = U V, summed over channels
//! ```
//! The matrices, and the factor s by which they are scaled, are those of upstream's lowering, so that each transform alone
//! has the same result as there. Along a dimension in which the filter has one row (or column), nothing is transformed.

use crate::compute::linalg_builder::{ResultSize, empty, filled, generic, rank, static_tensor};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Builder, Error, FloatKind, IteratorKind, Op, Type, TypeKind, Value};

/// The matrices of F(m, r): tiles of m results of a filter of r elements.
pub(crate) struct Matrices {
    /// The results of a tile in each dimension.
    pub m: i64,
    /// For each element of a transformed tile, the factors of the filter.
    pub g: &'static [&'static [f64]],
    /// For each element of a transformed tile, the factors of the input.
    pub bt: &'static [&'static [f64]],
    /// For each result, the factors of a transformed tile.
    pub at: &'static [&'static [f64]],
    /// The factor of the results in each dimension.
    scale: i64,
}

/// F(2, 3), whose results are not scaled.
pub(crate) const F_2_3: Matrices = Matrices {
    m: 2,
    g: &[&[-1., 0., 0.], &[0.5, -0.5, 0.5], &[0.5, 0.5, 0.5], &[0., 0., 1.]],
    bt: &[&[-1., 0., 1., 0.], &[0., -1., 1., 0.], &[0., 1., 1., 0.], &[0., -1., 0., 1.]],
    at: &[&[1., 1., 1., 0.], &[0., -1., 1., 1.]],
    scale: 1,
};

/// By the number of the attribute `fmr`: F(2, 3), F(4, 3) and F(2, 5).
const MATRICES: [Matrices; 3] = [
    F_2_3,
    Matrices {
        m: 4,
        g: &[
            &[1., 0., 0.],
            &[-1. / 3., 1. / 3., -1. / 3.],
            &[-1. / 3., -1. / 3., -1. / 3.],
            &[1. / 12., -1. / 6., 1. / 3.],
            &[1. / 12., 1. / 6., 1. / 3.],
            &[0., 0., 1.],
        ],
        bt: &[
            &[1. / 4., 0., -5. / 16., 0., 1. / 16., 0.],
            &[0., 1. / 4., -1. / 4., -1. / 16., 1. / 16., 0.],
            &[0., -1. / 4., -1. / 4., 1. / 16., 1. / 16., 0.],
            &[0., 1. / 4., -1. / 8., -1. / 4., 1. / 8., 0.],
            &[0., -1. / 4., -1. / 8., 1. / 4., 1. / 8., 0.],
            &[0., 1. / 4., 0., -5. / 16., 0., 1. / 16.],
        ],
        at: &[
            &[1. / 8., 1. / 4., 1. / 4., 1. / 8., 1. / 8., 0.],
            &[0., -1. / 4., 1. / 4., -1. / 4., 1. / 4., 0.],
            &[0., 1. / 4., 1. / 4., 1. / 2., 1. / 2., 0.],
            &[0., -1. / 4., 1. / 4., -1., 1., 1. / 2.],
        ],
        scale: 32,
    },
    Matrices {
        m: 2,
        g: &[
            &[1., 0., 0., 0., 0.],
            &[1. / 6., -1. / 6., 1. / 6., -1. / 6., 1. / 6.],
            &[-1. / 6., -1. / 6., -1. / 6., -1. / 6., -1. / 6.],
            &[-4. / 15., 2. / 15., -1. / 15., 1. / 30., -1. / 60.],
            &[1. / 60., 1. / 30., 1. / 15., 2. / 15., 4. / 15.],
            &[0., 0., 0., 0., 1.],
        ],
        bt: &[
            &[1. / 8., 3. / 16., -1. / 4., -3. / 16., 1. / 8., 0.],
            &[0., 1. / 8., 1. / 16., -5. / 16., 1. / 8., 0.],
            &[0., -1. / 8., -5. / 16., -1. / 16., 1. / 8., 0.],
            &[0., 1. / 4., -1. / 8., -1. / 4., 1. / 8., 0.],
            &[0., -1. / 8., -1. / 4., 1. / 8., 1. / 4., 0.],
            &[0., 1. / 8., 3. / 16., -1. / 4., -3. / 16., 1. / 8.],
        ],
        at: &[&[1. / 2., 1., 1., 2., 1., 0.], &[0., -1., 1., -1., 2., 1. / 2.]],
        scale: 16,
    },
];

/// The transform of a dimension of the operand.
struct Along {
    /// The dimension of the operand.
    from: usize,
    /// The dimension of the result that the rows of the matrix become.
    to: usize,
    /// The dimension of the result that numbers tiles, and the distance of tiles in the operand.
    tiles: Option<(usize, i64)>,
}

/// The result of a transform.
///
/// # Errors
/// If a size is dynamic, or the elements are not floats.
pub(super) fn decompose<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    let places = op.attribute("fmr").and_then(Attribute::as_i64).unwrap_or_default();
    let matrices = &MATRICES[places as usize];
    let (source, outs) = (op.operand(0), op.operand(1));
    let shape =
        |value: Value<'c>| -> Option<Vec<i64>> { value.ty().shaped()?.0.into_iter().collect() };
    let element = op.result(0).ty().shaped().map(|(_, element)| element);
    let element = element.filter(|element| matches!(element.kind(), TypeKind::Float(_)));
    let (Some(from), Some(to), Some(element)) = (shape(source), shape(outs), element) else {
        return Err(Error::on(op, "has dynamic sizes, expected static ones"));
    };
    let m = matrices.m;
    Ok(match op.name() {
        // (f, h, w, c) to (h', w', c, f)
        "linalg.winograd_filter_transform" => {
            let transformed = |d: usize| (from[d] != 1).then_some(matrices.g);
            let rows = Along { from: 1, to: 0, tiles: None };
            let half = [to[0], from[2], from[3], from[0]];
            let first = product(b, source, transformed(1), &rows, &[3, 1, 2], &half, element);
            let columns = Along { from: 1, to: 1, tiles: None };
            product(b, first, transformed(2), &columns, &[0, 2, 3], &to, element)
        }
        // (n, h, w, c) to (h', w', h / m, w / m, n, c)
        "linalg.winograd_input_transform" => {
            let transformed = |d: usize| (to[d] != 1).then_some(matrices.bt);
            let distance = |d: usize| if to[d] != 1 { m } else { 1 };
            let rows = Along { from: 1, to: 0, tiles: Some((1, distance(0))) };
            let half = [to[0], to[2], from[2], from[0], from[3]];
            let first = product(b, source, transformed(0), &rows, &[3, 2, 4], &half, element);
            let columns = Along { from: 2, to: 1, tiles: Some((3, distance(1))) };
            product(b, first, transformed(1), &columns, &[0, 2, 4, 5], &to, element)
        }
        // (h', w', h / m, w / m, n, f) to (n, h, w, f)
        _ => {
            let transformed = |d: usize| (from[d] != 1).then_some(matrices.at);
            let [height, width] = [0, 1].map(|d| if from[d] != 1 { m } else { 1 });
            let rows = Along { from: 0, to: 0, tiles: None };
            let half = [&[height][..], &from[1..]].concat();
            let first = product(b, source, transformed(0), &rows, &[1, 2, 3, 4, 5], &half, element);
            let columns = Along { from: 1, to: 4, tiles: None };
            let tiles = [from[4], from[2], height, from[3], width, from[5]];
            let second =
                product(b, first, transformed(1), &columns, &[2, 1, 3, 0, 5], &tiles, element);
            let ty = static_tensor(&to, element);
            let groups = "[[0], [1, 2], [3, 4], [5]]";
            let groups = Attribute::parse(b.context(), groups).expect("an array");
            let spec = b.spec("tensor.collapse_shape").operands(&[second]).results(&[ty]);
            let tile = b.value(spec.attribute("reassociation", groups));
            let factor = [0, 1].into_iter().filter(|d| from[*d] != 1).map(|_| matrices.scale);
            scaled_sum(b, tile, outs, factor.product(), element)
        }
    })
}

/// The product of a matrix and dimension `along.from` of `source`. `kept` has the dimensions of the result that the
/// other dimensions of the source become. Without a matrix, the dimension has one element, or is that of
/// tiles.
fn product<'c>(
    b: &Builder<'c>,
    source: Value<'c>,
    matrix: Option<&[&[f64]]>,
    along: &Along,
    kept: &[usize],
    sizes: &[i64],
    element: Type<'c>,
) -> Value<'c> {
    let (d, ty) = (sizes.len(), static_tensor(sizes, element));
    let summed = Expr::Dim(d);
    let zero: Expr = 0.into();
    let step = if matrix.is_some() { summed.clone() } else { zero };
    let place = match along.tiles {
        Some((dim, distance)) => Expr::from(distance) * Expr::Dim(dim) + step,
        None => step,
    };
    let loops = d + usize::from(matrix.is_some());
    let map = |results: Vec<Expr>| Map { dims: loops, symbols: 0, results };
    let mut kept = kept.iter();
    let index = |i: usize| match i == along.from {
        true => place.clone(),
        false => Expr::Dim(*kept.next().expect("a dimension of the result")),
    };
    let read = map((0..rank(source)).map(index).collect());
    let written = map((0..d).map(Expr::Dim).collect());
    let mut iterators = vec![IteratorKind::Parallel; d];
    let Some(matrix) = matrix else {
        return generic(
            b,
            &[source],
            empty(b, ty, &[]),
            &[read, written],
            &iterators,
            |_, values| values[0],
        );
    };
    iterators.push(IteratorKind::Reduction);
    let factors = map(vec![Expr::Dim(along.to), summed]);
    let start = filled(b, ty, &[] as &[ResultSize], b.number(element, 0));
    let matrix = constant(b, matrix, element);
    generic(b, &[matrix, source], start, &[factors, read, written], &iterators, |b, values| {
        let term = b.op("arith.mulf", &values[..2], element);
        b.op("arith.addf", &[values[2], term], element)
    })
}

/// A constant matrix.
fn constant<'c>(b: &Builder<'c>, rows: &[&[f64]], element: Type<'c>) -> Value<'c> {
    let ty = static_tensor(&[rows.len() as i64, rows[0].len() as i64], element);
    let bytes = rows.concat().into_iter().flat_map(|number| match element.kind() {
        TypeKind::Float(FloatKind::F64) => number.to_le_bytes().to_vec(),
        TypeKind::Float(FloatKind::F16) => half::f16::from_f64(number).to_le_bytes().to_vec(),
        TypeKind::Float(FloatKind::BF16) => half::bf16::from_f64(number).to_le_bytes().to_vec(),
        _ => (number as f32).to_le_bytes().to_vec(),
    });
    b.constant(Attribute::dense(ty, &bytes.collect::<Vec<_>>()).expect("a number for each element"))
}

/// tile * factor + outs
fn scaled_sum<'c>(
    b: &Builder<'c>,
    tile: Value<'c>,
    outs: Value<'c>,
    factor: i64,
    element: Type<'c>,
) -> Value<'c> {
    let maps = [Map::identity(rank(outs)), Map::identity(rank(outs))];
    let parallel = vec![IteratorKind::Parallel; rank(outs)];
    generic(b, &[tile], outs, &maps, &parallel, |b, values| {
        let scaled = match factor {
            1 => values[0],
            _ => b.op("arith.mulf", &[values[0], b.number(element, factor)], element),
        };
        b.op("arith.addf", &[scaled, values[1]], element)
    })
}
