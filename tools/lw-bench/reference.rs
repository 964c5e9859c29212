//! Reference results of the workloads, computed by definition in f64.
//!
//! It shares no code with the compiler. If each element of the result is a long sum of products, only a sample of
//! the elements is compared.

use loopwright::interpreter::random::Random;
use loopwright_runtime::tensor::Tensor;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

/// The number of elements of a sample, besides the first and the last.
const SAMPLE: usize = 4096;

/// A function that computes the result of a workload.
#[derive(Clone, Copy, Debug)]
pub enum Reference {
    /// Computes a row: all elements that differ only in the last index. All rows are compared.
    Rows(fn(&[Tensor], usize, &mut [f64])),
    /// Computes the element at a row-major index. All elements are compared.
    Cells(fn(&[Tensor], usize) -> f64),
    /// Computes the element at a row-major index. A sample of the elements is compared.
    Sample(fn(&[Tensor], usize) -> f64),
    /// Computes all elements from the inputs and the weights. All are compared.
    Whole(fn(&[Tensor], &[Tensor]) -> Vec<f64>),
}

/// The greatest error and the greatest absolute value of some elements.
#[derive(Clone, Copy, Debug, Default)]
struct Extremes {
    error: f64,
    value: f64,
}

impl Reference {
    /// The greatest error of a result, relative to the greatest absolute value of the reference; infinite if an
    /// element is NaN.
    pub fn error(&self, inputs: &[Tensor], weights: &[Tensor], result: &Tensor) -> f64 {
        let columns = result.shape().last().copied().unwrap_or(1).max(1);
        let extremes = match self {
            Reference::Rows(row) => on_all_cores(result.len() / columns, |rows| {
                let mut expected = vec![0.0; columns];
                rows.fold(Extremes::default(), |extremes, i| {
                    row(inputs, i, &mut expected);
                    let cells = expected.iter().enumerate();
                    cells.fold(extremes, |extremes, (j, expected)| {
                        extremes.with(result.get_f64(i * columns + j), *expected)
                    })
                })
            }),
            Reference::Cells(cell) => on_all_cores(result.len(), |cells| {
                cells.fold(Extremes::default(), |extremes, i| {
                    extremes.with(result.get_f64(i), cell(inputs, i))
                })
            }),
            Reference::Sample(cell) => {
                let cells = sample(result.len());
                on_all_cores(cells.len(), |places| {
                    cells[places].iter().fold(Extremes::default(), |extremes, i| {
                        extremes.with(result.get_f64(*i), cell(inputs, *i))
                    })
                })
            }
            Reference::Whole(all) => {
                let expected = all(inputs, weights).into_iter().enumerate();
                expected.fold(Extremes::default(), |extremes, (i, expected)| {
                    extremes.with(result.get_f64(i), expected)
                })
            }
        };
        extremes.error / extremes.value.max(f64::MIN_POSITIVE)
    }
}

impl Extremes {
    fn with(self, found: f64, expected: f64) -> Extremes {
        let error = (found - expected).abs();
        let error = if error.is_nan() { f64::INFINITY } else { error };
        Extremes { error: self.error.max(error), value: self.value.max(expected.abs()) }
    }

    fn and(self, other: Extremes) -> Extremes {
        let (error, value) = (self.error.max(other.error), self.value.max(other.value));
        Extremes { error, value }
    }
}

/// Row-major indices of a sample, which include the first and the last element.
fn sample(cells: usize) -> Vec<usize> {
    let mut random = Random::new(cells as u64);
    let drawn = (0..SAMPLE).map(|_| (random.bits() % cells as u64) as usize);
    [0, cells - 1].into_iter().chain(drawn).collect()
}

/// Computes parts of `0..n`, one a core, and combines their results.
fn on_all_cores(n: usize, part: impl Fn(Range<usize>) -> Extremes + Sync) -> Extremes {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let length = n.div_ceil(cores).max(1);
    thread::scope(|scope| {
        let starts = (0..n).step_by(length);
        let part = &part;
        let threads: Vec<_> =
            starts.map(|start| scope.spawn(move || part(start..n.min(start + length)))).collect();
        let parts = threads.into_iter().map(|it| it.join().expect("references do not panic"));
        parts.fold(Extremes::default(), Extremes::and)
    })
}

/// The row of an input whose last dimension is `out.len()`.
fn row(input: &Tensor, i: usize, out: &mut [f64]) {
    let start = i * out.len();
    out.iter_mut().enumerate().for_each(|(j, out)| *out = input.get_f64(start + j));
}

/// `(x - y) * x`.
pub fn subtract_multiply(inputs: &[Tensor], i: usize, out: &mut [f64]) {
    let start = i * out.len();
    for (j, out) in out.iter_mut().enumerate() {
        let (x, y) = (inputs[0].get_f64(start + j), inputs[1].get_f64(start + j));
        *out = (x - y) * x;
    }
}

/// `x + y`.
pub fn add(inputs: &[Tensor], i: usize) -> f64 {
    inputs[0].get_f64(i) + inputs[1].get_f64(i)
}

/// Gelu with the error function, of `x + b`, where `b` has one value a column.
pub fn gelu(inputs: &[Tensor], i: usize, out: &mut [f64]) {
    row(&inputs[0], i, out);
    for (j, out) in out.iter_mut().enumerate() {
        let t = *out + inputs[1].get_f64(j);
        *out = 0.5 * t * (1.0 + libm::erf(t / 2f64.sqrt()));
    }
}

/// Softmax of a row.
pub fn softmax(inputs: &[Tensor], i: usize, out: &mut [f64]) {
    row(&inputs[0], i, out);
    let greatest = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    out.iter_mut().for_each(|out| *out = (*out - greatest).exp());
    let sum: f64 = out.iter().sum();
    out.iter_mut().for_each(|out| *out /= sum);
}

/// Layer norm of a row, with a scale and a bias a column.
pub fn layer_norm(inputs: &[Tensor], i: usize, out: &mut [f64]) {
    row(&inputs[0], i, out);
    let n = out.len() as f64;
    let mean = out.iter().sum::<f64>() / n;
    let variance = out.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let scale = 1.0 / (variance + 1e-5).sqrt();
    for (j, out) in out.iter_mut().enumerate() {
        *out = (*out - mean) * scale * inputs[1].get_f64(j) + inputs[2].get_f64(j);
    }
}

/// The sum of row `i`.
pub fn row_sum(inputs: &[Tensor], i: usize) -> f64 {
    let columns = inputs[0].shape()[1];
    (i * columns..(i + 1) * columns).map(|place| inputs[0].get_f64(place)).sum()
}

/// The sum of all elements.
pub fn full_sum(inputs: &[Tensor], _: usize) -> f64 {
    (0..inputs[0].len()).map(|place| inputs[0].get_f64(place)).sum()
}

/// Row `i` of a transposed matrix.
pub fn transpose(inputs: &[Tensor], i: usize, out: &mut [f64]) {
    let columns = inputs[0].shape()[1];
    out.iter_mut().enumerate().for_each(|(j, out)| *out = inputs[0].get_f64(j * columns + i));
}

/// An element of `a @ b`.
pub fn matmul(inputs: &[Tensor], cell: usize) -> f64 {
    let (reduced, columns) = (inputs[1].shape()[0], inputs[1].shape()[1]);
    let (i, j) = (cell / columns, cell % columns);
    let product = |k| inputs[0].get_f64(i * reduced + k) * inputs[1].get_f64(k * columns + j);
    (0..reduced).map(product).sum()
}

/// An element of `max(a @ b + c, 0)`, where `c` has one value a column.
pub fn matmul_bias_relu(inputs: &[Tensor], cell: usize) -> f64 {
    let bias = inputs[2].get_f64(cell % inputs[2].len());
    (matmul(inputs, cell) + bias).max(0.0)
}

/// An element of a batched product.
pub fn batch_matmul(inputs: &[Tensor], cell: usize) -> f64 {
    let (rows, reduced) = (inputs[0].shape()[1], inputs[0].shape()[2]);
    let columns = inputs[1].shape()[2];
    let (n, i, j) = (cell / columns / rows, cell / columns % rows, cell % columns);
    let product = |k| {
        let (a, b) = ((n * rows + i) * reduced + k, (n * reduced + k) * columns + j);
        inputs[0].get_f64(a) * inputs[1].get_f64(b)
    };
    (0..reduced).map(product).sum()
}

/// Row `i` of softmax(q kᵀ / sqrt(d)) v, where q, k and v have the shape (1, heads, positions, d).
pub fn attention(inputs: &[Tensor], i: usize, out: &mut [f64]) {
    let [q, k, v] = inputs else { panic!("attention has three inputs") };
    let (positions, d) = (k.shape()[2], k.shape()[3]);
    let head = i / positions * positions;
    let product = |j| (0..d).map(move |c| q.get_f64(i * d + c) * k.get_f64((head + j) * d + c));
    let scores: Vec<f64> =
        (0..positions).map(|j| product(j).sum::<f64>() / (d as f64).sqrt()).collect();
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (score - greatest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    for (c, out) in out.iter_mut().enumerate() {
        let values = weights.iter().enumerate();
        *out = values.map(|(j, w)| w * v.get_f64((head + j) * d + c)).sum::<f64>() / sum;
    }
}

/// A layer of BERT: attention of 12 heads, two products with gelu between them, and a norm after each of both. The weights are those
/// of W12, in its order.
pub fn encoder(inputs: &[Tensor], weights: &[Tensor]) -> Vec<f64> {
    const HEADS: usize = 12;
    let [wq, bq, wk, bk, wv, bv, wo, bo, g1, e1, w1, b1, w2, b2, g2, e2] = weights else {
        panic!("a layer has 16 weights")
    };
    let all = |tensor: &Tensor| (0..tensor.len()).map(|i| tensor.get_f64(i)).collect::<Vec<f64>>();
    let x = all(&inputs[0]);
    let (rows, wide) = (inputs[0].shape()[1], inputs[0].shape()[2]);
    // A product with a matrix of `b.len()` columns, plus a bias.
    let linear = |x: &[f64], w: &Tensor, b: &Tensor| {
        let (w, b) = (all(w), all(b));
        let mut y = b.repeat(rows);
        for (x, y) in x.chunks_exact(w.len() / b.len()).zip(y.chunks_exact_mut(b.len())) {
            for (x, w) in x.iter().zip(w.chunks_exact(b.len())) {
                y.iter_mut().zip(w).for_each(|(y, w)| *y += x * w);
            }
        }
        y
    };
    let add = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x + y).collect::<Vec<f64>>();
    let norm = |x: &[f64], scale: &Tensor, bias: &Tensor| {
        let (scale, bias) = (all(scale), all(bias));
        let normed = x.chunks_exact(wide).flat_map(|row| {
            let mean = row.iter().sum::<f64>() / wide as f64;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / wide as f64;
            let deviation = (variance + 1e-5).sqrt();
            let cells = row.iter().zip(scale.iter().zip(&bias));
            cells.map(move |(x, (g, b))| (x - mean) / deviation * g + b)
        });
        normed.collect::<Vec<f64>>()
    };
    let [q, k, v] = [(wq, bq), (wk, bk), (wv, bv)].map(|(w, b)| linear(&x, w, b));
    let d = wide / HEADS;
    let mut mixed = vec![0.0; x.len()];
    for (i, mixed) in mixed.chunks_exact_mut(wide).enumerate() {
        for (head, out) in mixed.chunks_exact_mut(d).enumerate() {
            let part = |all: &[f64], row: usize| all[row * wide + head * d..][..d].to_vec();
            let q = part(&q, i);
            let dot = |k: &[f64]| q.iter().zip(k).map(|(q, k)| q * k).sum::<f64>();
            let scores: Vec<f64> =
                (0..rows).map(|j| dot(&part(&k, j)) / (d as f64).sqrt()).collect();
            let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| (score - greatest).exp()).collect();
            let sum: f64 = shares.iter().sum();
            for (j, share) in shares.iter().enumerate() {
                out.iter_mut().zip(part(&v, j)).for_each(|(out, v)| *out += share / sum * v);
            }
        }
    }
    let first = norm(&add(&x, &linear(&mixed, wo, bo)), g1, e1);
    let up = linear(&first, w1, b1);
    let active: Vec<f64> =
        up.iter().map(|t| 0.5 * t * (1.0 + libm::erf(t / 2f64.sqrt()))).collect();
    norm(&add(&first, &linear(&active, w2, b2)), g2, e2)
}

/// An element of a convolution (n, channel, row, column) with a filter (channel, input channel, 3, 3), of an image
/// padded with zeros.
pub fn convolution(inputs: &[Tensor], cell: usize) -> f64 {
    let (image, filter) = (&inputs[0], &inputs[1]);
    let (channels, height, width) = (image.shape()[1], image.shape()[2], image.shape()[3]);
    let place = image_place(cell, filter.shape()[0], height, width);
    let mut sum = 0.0;
    for c in 0..channels {
        for (dy, dx) in (0..9).map(|tap| (tap / 3, tap % 3)) {
            let (y, x) = (place.row + dy, place.column + dx);
            if (1..=height).contains(&y) && (1..=width).contains(&x) {
                let pixel = ((place.image * channels + c) * height + y - 1) * width + x - 1;
                let weight = ((place.channel * channels + c) * 3 + dy) * 3 + dx;
                sum += image.get_f64(pixel) * filter.get_f64(weight);
            }
        }
    }
    sum
}

/// The indices of an element of images.
struct Place {
    image: usize,
    channel: usize,
    row: usize,
    column: usize,
}

fn image_place(cell: usize, channels: usize, height: usize, width: usize) -> Place {
    let pixels = height * width;
    Place {
        image: cell / pixels / channels,
        channel: cell / pixels % channels,
        row: cell % pixels / width,
        column: cell % width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_runtime::tensor::ElementType;

    fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
        Tensor::from_f64s(ElementType::F32, shape, values).expect("small")
    }

    #[test]
    fn cells_are_as_by_hand() {
        let a = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let b = tensor(&[3, 2], &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let c = tensor(&[2], &[-5.0, -1.0]);
        let inputs = [a.clone(), b, c];
        let product: Vec<_> = (0..4).map(|cell| matmul(&inputs, cell)).collect();
        assert_eq!(product, [4.0, 5.0, 10.0, 11.0]);
        let relu: Vec<_> = (0..4).map(|cell| matmul_bias_relu(&inputs, cell)).collect();
        assert_eq!(relu, [0.0, 4.0, 5.0, 10.0]);
        assert_eq!([row_sum(&inputs, 1), full_sum(&inputs, 0)], [15.0, 21.0]);
        let mut column = [0.0; 2];
        transpose(&inputs, 2, &mut column);
        assert_eq!(column, [3.0, 6.0]);
        let ones = tensor(&[2, 1, 2], &[1.0; 4]);
        let batch = [ones, tensor(&[2, 2, 1], &[1.0, 2.0, 3.0, 4.0])];
        assert_eq!([batch_matmul(&batch, 0), batch_matmul(&batch, 1)], [3.0, 7.0]);
    }

    #[test]
    fn rows_are_as_by_hand() {
        let x = tensor(&[1, 2], &[0.0, 2f64.ln()]);
        let mut out = [0.0; 2];
        softmax(std::slice::from_ref(&x), 0, &mut out);
        assert!((out[0] - 1.0 / 3.0).abs() < 1e-7 && (out[0] + out[1] - 1.0).abs() < 1e-15);
        let inputs =
            [tensor(&[1, 2], &[1.0, 3.0]), tensor(&[2], &[2.0, 2.0]), tensor(&[2], &[1.0, 0.0])];
        layer_norm(&inputs, 0, &mut out);
        assert!((out[0] + 1.0).abs() < 1e-4 && (out[1] - 2.0).abs() < 1e-4);
        gelu(&inputs, 0, &mut out);
        assert!((out[0] - 2.9960).abs() < 1e-4, "x + b is 3: {out:?}");
        subtract_multiply(&[inputs[0].clone(), inputs[1].clone()], 0, &mut out);
        assert_eq!(out, [-1.0, 3.0]);
    }

    #[test]
    fn attention_weights_values_by_scores() {
        // Two heads of two positions; the scores of the first row are 0 and ln 3.
        let q = tensor(&[1, 2, 2, 1], &[1.0, 0.0, 0.0, 0.0]);
        let k = tensor(&[1, 2, 2, 1], &[0.0, 3f64.ln(), 5.0, 7.0]);
        let v = tensor(&[1, 2, 2, 1], &[4.0, 8.0, 1.0, 3.0]);
        let inputs = [q, k, v];
        let row = |i| {
            let mut out = [0.0];
            attention(&inputs, i, &mut out);
            out[0]
        };
        for (i, expected) in [7.0, 6.0, 2.0, 2.0].into_iter().enumerate() {
            assert!((row(i) - expected).abs() < 1e-6, "row {i}: {}", row(i));
        }
    }

    #[test]
    fn an_encoder_adds_what_it_computes_to_rows() {
        // All weights of products are 0, so each row is normed twice.
        let x = tensor(&[1, 2, 12], &(0..24).map(f64::from).collect::<Vec<_>>());
        let filled = |shape: &[usize], value| tensor(shape, &vec![value; shape.iter().product()]);
        let (matrix, bias) = (filled(&[12, 12], 0.0), filled(&[12], 0.0));
        let mut weights: Vec<Tensor> =
            (0..16).map(|i| if i % 2 == 0 { matrix.clone() } else { bias.clone() }).collect();
        weights[8] = filled(&[12], 1.0);
        weights[14] = filled(&[12], 2.0);
        weights[15] = filled(&[12], 3.0);
        let y = encoder(std::slice::from_ref(&x), &weights);
        // The numbers 0 to 11 have mean 5.5 and variance 143 / 12.
        assert!((y[0] - (3.0 - 11.0 / (143f64 / 12.0).sqrt())).abs() < 1e-4, "{}", y[0]);
        assert!((y[12] - y[0]).abs() < 1e-12 && (y[11] + y[0] - 6.0).abs() < 1e-12);
        // Equal scores: with identities, each row gets the mean of all rows.
        let identity: Vec<f64> = (0..144).map(|i| if i % 13 == 0 { 1.0 } else { 0.0 }).collect();
        weights[4] = tensor(&[12, 12], &identity);
        weights[6] = tensor(&[12, 12], &identity);
        let x: Vec<f64> = (0..24).map(|i| if i == 0 { 2.0 } else { 0.0 }).collect();
        let y = encoder(&[tensor(&[1, 2, 12], &x)], &weights);
        // Before the norms, the first row is (3, 0, ..), and the second (1, 0, ..): the norms make them equal, but for epsilon.
        assert!((y[0] - y[12]).abs() < 1e-3 && y[0] > y[1], "{y:?}");
    }

    #[test]
    fn the_border_of_an_image_is_zeros() {
        let image = tensor(&[1, 1, 2, 2], &[1.0, 2.0, 3.0, 4.0]);
        let all = [image.clone(), tensor(&[1, 1, 3, 3], &[1.0; 9])];
        assert_eq!((0..4).map(|cell| convolution(&all, cell)).collect::<Vec<_>>(), [10.0; 4]);
        let mut corner = [0.0; 9];
        corner[0] = 1.0;
        let shifted = [image, tensor(&[1, 1, 3, 3], &corner)];
        let cells: Vec<_> = (0..4).map(|cell| convolution(&shifted, cell)).collect();
        assert_eq!(cells, [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn errors_are_relative_to_the_greatest_value() {
        let inputs = [tensor(&[2, 2], &[3.0, 1.0, -1.0, -9.0])];
        let reference = Reference::Cells(row_sum);
        assert_eq!(reference.error(&inputs, &[], &tensor(&[2], &[4.0, -10.0])), 0.0);
        assert_eq!(reference.error(&inputs, &[], &tensor(&[2], &[5.0, -10.0])), 0.1);
        assert_eq!(reference.error(&inputs, &[], &tensor(&[2], &[f64::NAN, -10.0])), f64::INFINITY);
        let rows = Reference::Rows(transpose);
        assert_eq!(rows.error(&inputs, &[], &tensor(&[2, 2], &[3.0, -1.0, 1.0, -9.0])), 0.0);
        let one = Reference::Sample(add);
        let inputs = [tensor(&[1], &[1.0]), tensor(&[1], &[2.0])];
        assert_eq!(one.error(&inputs, &[], &tensor(&[1], &[3.0])), 0.0);
    }
}
