//! The definitions of normalisations.

use super::super::linalg_builder::{element_of, empty, rank, sizes_of};
use super::builder::{
    Read, converted, count_of, dim_of, kept_dims, map_elements, reduce_dims, static_sizes,
    with_type, zero,
};
use super::movement::{join_dim, split_dim};
use super::reduce::{means, squares};
use super::scalar::wide_type;
use crate::dialect::graph_op::Comparison;
use crate::dialect::loop_enums::Combiner;
use crate::ir::{Attribute, Builder, Op, Type, Value};

fn epsilon(op: Op) -> f64 {
    op.attribute("epsilon").and_then(Attribute::as_f64).expect("ODS demands an epsilon")
}

pub(super) fn softmax<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let element = element_of(op.operand(0));
    let x = converted(b, op.operand(0), wide_type(element));
    let outs = empty(b, x.ty(), &sizes_of(x));
    let dimension = Attribute::integer(Type::integer(b.context(), 64), dim_of(op) as i64);
    let spec = b.spec("linalg.softmax").operands(&[x, outs]).attribute("dimension", dimension);
    converted(b, b.value(spec.results(&[x.ty()])), element)
}

pub(super) fn log_softmax<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, dim) = (op.operand(0), dim_of(op));
    let wide = wide_type(element_of(x));
    let start = Combiner::Max.identities(&[wide])[0];
    let most = reduce_dims(b, x, &[dim], vec![], start, |s, v| s.max(v[1], s.widened(v[0])));
    let of_row = |tensor| Read::at(tensor, kept_dims(x, &[dim]));
    let sum = reduce_dims(b, x, &[dim], vec![of_row(most)], zero(wide), |s, v| {
        let shifted = s.sub(s.widened(v[0]), v[1]);
        s.add(v[2], s.op("math.exp", &[shifted]))
    });
    let reads = [Read::same(x), of_row(most), of_row(sum)];
    map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| {
        let shifted = s.sub(s.widened(v[0]), v[1]);
        s.cast(s.sub(shifted, s.op("math.log", &[v[2]])), element_of(x), false)
    })
}

/// The last dimensions of the first operand, as many as the second has.
fn trailing(op: Op) -> Vec<usize> {
    let [x, scale] = [op.operand(0), op.operand(1)].map(rank);
    (x - scale..x).collect()
}

pub(super) fn layer_norm<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let [x, scale, bias] = op.operands()[..] else { unreachable!("ODS demands three operands") };
    let dims = trailing(op);
    let means = means(b, x, &dims);
    let squares = squares(b, x, means, &dims);
    let count = count_of(b, x, &dims, element_of(squares));
    let kept = || kept_dims(x, &dims);
    let reads = [
        Read::same(x),
        Read::at(means, kept()),
        Read::at(squares, kept()),
        Read::at(scale, dims.clone()),
        Read::at(bias, dims.clone()),
    ];
    map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| {
        let variance = s.add(s.div(v[2], count), s.float(count, epsilon(op)));
        let normal = s.mul(s.sub(s.widened(v[0]), v[1]), s.op("math.rsqrt", &[variance]));
        let scaled = s.mul(normal, s.widened(v[3]));
        s.cast(s.add(scaled, s.widened(v[4])), element_of(x), false)
    })
}

pub(super) fn rms_norm<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, scale) = (op.operand(0), op.operand(1));
    let dims = trailing(op);
    let squares = reduce_dims(b, x, &dims, vec![], zero(wide_type(element_of(x))), |s, v| {
        let wide = s.widened(v[0]);
        s.add(v[1], s.mul(wide, wide))
    });
    let count = count_of(b, x, &dims, element_of(squares));
    let reads =
        [Read::same(x), Read::at(squares, kept_dims(x, &dims)), Read::at(scale, dims.clone())];
    map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| {
        let mean = s.add(s.div(v[1], count), s.float(count, epsilon(op)));
        let normal = s.mul(s.widened(v[0]), s.op("math.rsqrt", &[mean]));
        s.cast(s.mul(normal, s.widened(v[2])), element_of(x), false)
    })
}

pub(super) fn batch_norm<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let operands = op.operands();
    let (x, dim) = (operands[0], dim_of(op));
    let mut reads = vec![Read::same(x)];
    reads.extend(operands[1..].iter().map(|numbers| Read::at(*numbers, [dim])));
    map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| {
        let [x, scale, bias, mean, variance] = [0, 1, 2, 3, 4].map(|i| s.widened(v[i]));
        let deviation = s.add(variance, s.float(variance, epsilon(op)));
        let normal = s.mul(s.sub(x, mean), s.op("math.rsqrt", &[deviation]));
        s.cast(s.add(s.mul(normal, scale), bias), element_of(operands[0]), false)
    })
}

/// The channels are split into groups and channels of a group, and joined again.
pub(super) fn group_norm<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let groups = op.attribute("groups").and_then(Attribute::as_i64).unwrap_or(1);
    let [x, scale, bias] = op.operands()[..] else { unreachable!("ODS demands three operands") };
    let x = split_dim(b, x, 1, groups);
    let [scale, bias] = [scale, bias].map(|numbers| split_channels(b, op, numbers, groups));
    let dims: Vec<_> = (2..rank(x)).collect();
    let means = means(b, x, &dims);
    let squares = squares(b, x, means, &dims);
    let count = count_of(b, x, &dims, element_of(squares));
    let reads = [
        Read::same(x),
        Read::at(means, [0, 1]),
        Read::at(squares, [0, 1]),
        Read::at(scale, [1, 2]),
        Read::at(bias, [1, 2]),
    ];
    let normal = map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| {
        let variance = s.add(s.div(v[2], count), s.float(count, epsilon(op)));
        let normal = s.mul(s.sub(s.widened(v[0]), v[1]), s.op("math.rsqrt", &[variance]));
        let scaled = s.mul(normal, s.widened(v[3]));
        s.cast(s.add(scaled, s.widened(v[4])), element_of(x), false)
    });
    join_dim(b, normal, 1)
}

/// The numbers of the channels, split as these are.
fn split_channels<'c>(b: &Builder<'c>, op: Op<'c>, numbers: Value<'c>, groups: i64) -> Value<'c> {
    let channels = static_sizes(op.operand(0))[1];
    let numbers = with_type(b, numbers, Type::tensor(&[channels], element_of(numbers)));
    split_dim(b, numbers, 0, groups)
}

pub(super) fn prelu<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, slopes) = (op.operand(0), op.operand(1));
    let reads = [Read::same(x), Read::at(slopes, [dim_of(op)])];
    map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| {
        let positive = s.compare(Comparison::Gt, v[0], s.like(v[0], 0), false);
        s.select(positive, v[0], s.in_wide(v, |v| s.mul(v[1], v[0])))
    })
}

pub(super) fn bias_add<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (x, bias) = (op.operand(0), op.operand(1));
    let reads = [Read::same(x), Read::at(bias, [dim_of(op)])];
    map_elements(b, x.ty(), &sizes_of(x), &reads, |s, v| s.add(v[0], v[1]))
}
