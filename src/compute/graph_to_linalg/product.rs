//! The definitions of matrix products, convolutions and pools.

use super::super::linalg_builder::{
    ResultSize, element_of, empty, loop_index, pad_tensor, rank, sizes_of, tensor_dim,
};
use super::builder::{
    Read, ReducedOutput, integers, loops, map_elements, reduce_elements, static_sizes, zero,
};
use super::movement::{dim_value, join_dim, split_dim};
use super::scalar::{Scalars, wide_type};
use super::slice::divided;
use crate::dialect::graph_op::{Layout, PoolKind, SlidingWindow};
use crate::dialect::loop_enums::Combiner;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Op, Type, Value};

pub(super) fn matmul<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let [x, y] = op.operands()[..] else { unreachable!("ODS demands two operands") };
    let batches = rank(x) - 2;
    let (i, j, k) = (batches, batches + 1, batches + 2);
    let indices = |row: usize, column: usize, is_swapped: bool| {
        let matrix = if is_swapped { [column, row] } else { [row, column] };
        (0..batches).chain(matrix)
    };
    let transposed = |name: &str| op.attribute(name).is_some();
    let (transpose_a, transpose_b) = (transposed("transpose_a"), transposed("transpose_b"));
    let mut sizes: Vec<_> = (0..batches).map(|i| batch_size(x, y, i)).collect();
    sizes.push(ResultSize::Of(x, batches + usize::from(transpose_a)));
    sizes.push(ResultSize::Of(y, batches + usize::from(!transpose_b)));
    let to = element_of(op.result(0));
    let output = ReducedOutput {
        ty: op.result(0).ty(),
        sizes,
        loops: (0..batches).chain([i, j]).collect(),
        start: zero(to),
    };
    let reads = [Read::at(x, indices(i, k, transpose_a)), Read::at(y, indices(k, j, transpose_b))];
    reduce_elements(b, &output, batches + 3, &reads, |s, v| add_product(s, v, to))
}

/// The size of a dimension that both tensors have; a static one if there is one.
fn batch_size<'c>(x: Value<'c>, y: Value<'c>, i: usize) -> ResultSize<'c> {
    ResultSize::Of(if static_sizes(x)[i].is_none() { y } else { x }, i)
}

/// The sum so far, the third value, plus the product of the first two.
fn add_product<'c>(s: &Scalars<'_, 'c>, v: &[Value<'c>], to: Type<'c>) -> Value<'c> {
    s.add(v[2], s.mul(s.cast(v[0], to, false), s.cast(v[1], to, false)))
}

fn layout_of(op: Op) -> Layout {
    let number = op.attribute("layout").and_then(Attribute::as_i64);
    number.and_then(Layout::from_value).expect("ODS demands a layout")
}

fn window_of(op: Op, sizes: Vec<i64>) -> SlidingWindow {
    SlidingWindow::of_op(op, sizes).expect("the verifier checks the window")
}

/// The input with its padding.
fn padded<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    layout: Layout,
    window: &SlidingWindow,
    value: Attribute<'c>,
) -> Value<'c> {
    let [mut low, mut high] = [vec![0; rank(x)], vec![0; rank(x)]];
    for i in 0..window.sizes.len() {
        low[layout.positions() + i] = window.low[i];
        high[layout.positions() + i] = window.high[i];
    }
    pad_tensor(b, x, &low, &high, b.constant(value))
}

/// The positions that a window reads: `result * stride + place * dilation`.
fn positions(window: &SlidingWindow, results: usize, places: usize) -> Vec<Expr> {
    let position = |i: usize| {
        Expr::Dim(results + i) * window.strides[i].into()
            + Expr::Dim(places + i) * window.dilations[i].into()
    };
    (0..window.sizes.len()).map(position).collect()
}

/// The sizes of the results of a window that moves over the padded input.
fn result_positions<'c>(
    b: &Builder<'c>,
    padded: Value<'c>,
    layout: Layout,
    window: &SlidingWindow,
) -> Vec<ResultSize<'c>> {
    let size = |i: usize| {
        let dim = layout.positions() + i;
        let extent = window.extent(i).expect("the verifier checks the window");
        if let Some(size) = static_sizes(padded)[dim] {
            return ResultSize::Value(b.index((size - extent) / window.strides[i] + 1));
        }
        let padded = tensor_dim(b, padded, dim);
        let count = (Expr::Dim(0) - extent.into()).floor_div(window.strides[i].into()) + 1.into();
        ResultSize::Value(b.apply(&count, &[padded], &[]))
    };
    (0..window.sizes.len()).map(size).collect()
}

/// The dimensions of an image in its layout.
fn arranged<T>(layout: Layout, batch: T, channels: Vec<T>, positions: Vec<T>) -> Vec<T> {
    let rest = match layout {
        Layout::ChannelsFirst => channels.into_iter().chain(positions).collect::<Vec<T>>(),
        Layout::ChannelsLast => positions.into_iter().chain(channels).collect(),
    };
    [batch].into_iter().chain(rest).collect()
}

/// Loops: batch, (group,) output, positions; then channel and place in the window.
pub(super) fn conv<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, w) = (op.operand(0), op.operand(1));
    let (layout, axes) = (layout_of(op), rank(x) - 2);
    let groups = op.attribute("groups").and_then(Attribute::as_i64).unwrap_or(1);
    let w_sizes = static_sizes(w);
    let (window, outputs) = match layout {
        Layout::ChannelsFirst => (&w_sizes[2..], w_sizes[0]),
        Layout::ChannelsLast => (&w_sizes[..axes], w_sizes[axes + 1]),
    };
    let window = window_of(op, window.iter().copied().flatten().collect());
    let x = padded(b, x, layout, &window, zero(element_of(x)));
    let is_grouped = groups > 1;
    let output = 1 + usize::from(is_grouped);
    let first = output + 1;
    let (channel, place) = (first + axes, first + axes + 1);
    let group = || if is_grouped { vec![1] } else { vec![] };
    let with_group = |dim: usize| loops(group().into_iter().chain([dim]));
    let x_indices =
        arranged(layout, Expr::Dim(0), with_group(channel), positions(&window, first, place));
    let places = loops(place..place + axes);
    let w_indices = match layout {
        Layout::ChannelsFirst => [with_group(output), vec![Expr::Dim(channel)], places].concat(),
        Layout::ChannelsLast => [places, vec![Expr::Dim(channel)], with_group(output)].concat(),
    };
    let to = element_of(op.result(0));
    let batch = ResultSize::Of(x, 0);
    let spots = result_positions(b, x, layout, &window);
    let w_dim = if layout == Layout::ChannelsFirst { 0 } else { axes + 1 };
    let result = op.result(0).ty();
    let image = |ty: Type<'c>, channels: Vec<ResultSize<'c>>| ReducedOutput {
        ty,
        sizes: arranged(layout, batch, channels, spots.clone()),
        loops: arranged(
            layout,
            0,
            group().into_iter().chain([output]).collect(),
            (first..first + axes).collect(),
        ),
        start: zero(to),
    };
    let count = place + axes;
    if !is_grouped {
        let sums = image(result, vec![ResultSize::Of(w, w_dim)]);
        let reads = [Read::new(x, x_indices), Read::new(w, w_indices)];
        return reduce_elements(b, &sums, count, &reads, |s, v| add_product(s, v, to));
    }
    // Each dimension of channels becomes one of groups, and one inside a group.
    let channels = layout.channels(axes + 2);
    let (x, w) = (split_dim(b, x, channels, groups), split_dim(b, w, w_dim, groups));
    let mut grouped = static_sizes(op.result(0));
    grouped.splice(channels..=channels, [Some(groups), outputs.map(|all| all / groups)]);
    // Both parts of the outputs are static.
    let sums = image(Type::tensor(&grouped, to), vec![ResultSize::One; 2]);
    let reads = [Read::new(x, x_indices), Read::new(w, w_indices)];
    let sums = reduce_elements(b, &sums, count, &reads, |s, v| add_product(s, v, to));
    join_dim(b, sums, channels)
}

pub(super) fn pool<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let x = op.operand(0);
    let (layout, element) = (layout_of(op), element_of(x));
    let window = window_of(op, integers(op, "window"));
    let axes = window.sizes.len();
    let kind = op.attribute("kind").and_then(Attribute::as_i64).and_then(PoolKind::from_value);
    let is_unsigned = op.attribute("is_unsigned").is_some();
    let wide = wide_type(element);
    let (start, padding) = match (kind, is_unsigned) {
        (Some(PoolKind::Average), _) => (zero(wide), zero(element)),
        (_, false) => {
            let least = Combiner::Max.identities(&[element])[0];
            (least, least)
        }
        (_, true) => (zero(element), zero(element)),
    };
    let all = padded(b, x, layout, &window, padding);
    let spots = result_positions(b, all, layout, &window);
    let channels = layout.channels(axes + 2);
    let sizes = arranged(layout, ResultSize::Of(x, 0), vec![ResultSize::Of(x, channels)], spots);
    let result_sizes = static_sizes(op.result(0));
    let output = ReducedOutput {
        ty: Type::tensor(&result_sizes, start.ty()),
        sizes,
        loops: (0..axes + 2).collect(),
        start,
    };
    let indices = arranged(
        layout,
        Expr::Dim(0),
        vec![Expr::Dim(channels)],
        positions(&window, layout.positions(), axes + 2),
    );
    // A tensor without values gives the loops over the window their sizes.
    let window_sizes: Vec<_> = window.sizes.iter().map(|size| Some(*size)).collect();
    let shape = empty(b, Type::tensor(&window_sizes, element), &[]);
    let reads = [Read::new(all, indices), Read::at(shape, axes + 2..2 * axes + 2)];
    let pooled = reduce_elements(b, &output, 2 * axes + 2, &reads, |s, v| match kind {
        Some(PoolKind::Average) => s.add(v[2], s.widened(v[0])),
        _ if is_unsigned => s.op("arith.maxui", &[v[2], v[0]]),
        _ => s.max(v[2], v[0]),
    });
    if kind != Some(PoolKind::Average) {
        return pooled;
    }
    let counts_padding = op.attribute("count_padding").is_some() || !window.is_padded();
    let image: Vec<_> = match counts_padding {
        true => vec![],
        false => (0..axes).map(|i| dim_value(b, x, layout.positions() + i)).collect(),
    };
    let all_sizes = sizes_of(pooled);
    map_elements(b, op.result(0).ty(), &all_sizes, &[Read::same(pooled)], |s, v| {
        let count = match counts_padding {
            true => s.float(v[0], window.sizes.iter().map(|size| *size as f64).product()),
            false => {
                let places = (0..axes)
                    .map(|i| places_inside(s, &window, i, layout.positions() + i, image[i]));
                let places = places.reduce(|n, size| s.mul(n, size));
                s.cast(places.expect("an image has positions"), wide, false)
            }
        };
        s.cast(s.div(v[0], count), element, false)
    })
}

/// How many places of the window are inside the image in one dimension: those for which
/// `0 <= result * stride - low + place * dilation < size`.
fn places_inside<'c>(
    s: &Scalars<'_, 'c>,
    window: &SlidingWindow,
    i: usize,
    dim: usize,
    size: Value<'c>,
) -> Value<'c> {
    let b = s.0;
    let start = Expr::Dim(0) * window.strides[i].into() - window.low[i].into();
    let result = loop_index(b, dim);
    let first = b.apply(&divided(start.clone() * (-1).into(), window.dilations[i]), &[result], &[]);
    let end = divided(Expr::Dim(1) - start, window.dilations[i]);
    let end = b.apply(&end, &[result, size], &[]);
    let first = s.max(first, b.index(0));
    let end = s.min(end, b.index(window.sizes[i]));
    s.max(s.sub(end, first), b.index(0))
}
