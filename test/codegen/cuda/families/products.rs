//! Matrix products and convolutions.

use super::text::{Text, Value};
use super::{Bars, Expected, Family, Sizes, tight};

const SHAPES: &[&[usize]] = &[
    &[64, 24, 65],
    &[8, 64, 17],
    &[24, 12, 8],
    &[33, 1, 100],
    &[1, 1, 1],
    &[1, 2, 3],
    &[2, 1, 2],
    &[3, 3, 3],
    &[4, 4, 4],
    &[1, 16, 16],
    &[16, 1, 16],
    &[16, 16, 1],
    &[5, 7, 11],
    &[16, 16, 16],
    &[32, 32, 32],
    &[33, 31, 17],
    &[8, 64, 24],
    &[48, 20, 40],
    &[64, 64, 16],
    &[17, 65, 9],
    &[64, 64, 64],
    &[64, 128, 32],
];
const DYNAMIC: &[&[usize]] =
    &[&[1, 1, 1], &[2, 3, 1], &[16, 16, 16], &[9, 17, 33], &[32, 8, 20], &[40, 70, 100]];
const BATCHES: &[&[usize]] = &[
    &[1, 1, 1, 1],
    &[2, 1, 2, 3],
    &[3, 2, 1, 2],
    &[1, 3, 3, 3],
    &[5, 4, 4, 4],
    &[2, 1, 16, 8],
    &[2, 16, 1, 8],
    &[4, 16, 16, 1],
    &[3, 5, 7, 11],
    &[2, 16, 16, 16],
    &[1, 32, 32, 32],
    &[2, 17, 13, 9],
    &[7, 8, 24, 8],
    &[2, 32, 16, 16],
    &[2, 64, 64, 32],
];
const DYNAMIC_BATCHES: &[&[usize]] = &[
    &[1, 1, 1, 1],
    &[3, 2, 3, 1],
    &[2, 16, 16, 16],
    &[1, 9, 17, 33],
    &[5, 8, 4, 2],
    &[1, 130, 130, 70],
];
const FEW: &[&[usize]] = &[
    &[1, 1, 1],
    &[1, 1, 2],
    &[1, 2, 1],
    &[1, 3, 3],
    &[1, 16, 16],
    &[1, 33, 64],
    &[1, 128, 32],
    &[1, 64, 127],
    &[2, 2, 2],
    &[2, 64, 32],
    &[3, 31, 33],
    &[3, 100, 20],
    &[4, 64, 64],
    &[5, 48, 17],
    &[7, 128, 16],
];
const DYNAMIC_FEW: &[&[usize]] =
    &[&[1, 1, 1], &[1, 64, 32], &[1, 33, 100], &[2, 17, 5], &[40, 70, 100]];
const VECTORS: &[&[usize]] = &[
    &[1, 1],
    &[1, 2],
    &[2, 1],
    &[3, 3],
    &[1, 100],
    &[100, 1],
    &[16, 16],
    &[33, 31],
    &[32, 64],
    &[5, 255],
    &[64, 128],
    &[7, 1000],
    &[128, 32],
    &[20, 36],
];
const DYNAMIC_VECTORS: &[&[usize]] =
    &[&[1, 1], &[2, 3], &[16, 16], &[33, 65], &[7, 128], &[64, 20]];

pub fn families() -> Vec<Family> {
    let matmul = Family {
        name: "matmul",
        letters: "mnk",
        inputs: &["mk", "kn"],
        result: "mn",
        text: |text, a| {
            let zeros = text.filled("mn", "0.0");
            text.named("linalg.matmul", a, zeros, "")
        },
        reference: |sizes, a| {
            let [n, k] = ['n', 'k'].map(|letter| sizes.of(letter));
            product(sizes, |i, j, l| a[0][i * k + l] * a[1][l * n + j])
        },
        tolerance: 4e-6,
        fixed: tight(SHAPES),
        unknown: "mnk",
        dynamic: tight(DYNAMIC),
        large: vec![512, 512, 512],
        registers: 128,
        bars: Some(Bars {
            is_for: |sizes| sizes.of('m') >= 8 && sizes.of('n') >= 4,
            loads: None,
            vectors: &["ld.global"],
            has_no_conflicts: |_| true,
        }),
    };
    let transposed = Family {
        name: "matmul_transposed_b",
        inputs: &["mk", "nk"],
        text: |text, a| {
            let body = "%p = arith.mulf %x0, %x1 : f32; %r = arith.addf %y, %p : f32";
            text.reduced("mn", "0.0", &[&a[0], &a[1]], body)
        },
        reference: |sizes, a| {
            let k = sizes.of('k');
            product(sizes, |i, j, l| a[0][i * k + l] * a[1][j * k + l])
        },
        ..matmul.clone()
    };
    let bias_relu = Family {
        name: "matmul_bias_relu",
        inputs: &["mk", "kn", "n"],
        text: |text, a| {
            let zeros = text.filled("mn", "0.0");
            let product = text.named("linalg.matmul", &a[..2], zeros, "");
            let body = "%z = arith.constant 0.0 : f32; %s = arith.addf %x0, %x1 : f32; \
                        %r = arith.maximumf %s, %z : f32";
            text.map("mn", &[&product, &a[2]], body)
        },
        reference: |sizes, a| {
            let [n, k] = ['n', 'k'].map(|letter| sizes.of(letter));
            let products = product(sizes, |i, j, l| a[0][i * k + l] * a[1][l * n + j]);
            let with = |(place, it): (usize, Expected)| {
                let bias = a[2][place % n];
                Expected::of((it.value + bias).max(0.0), it.scale + bias.abs())
            };
            products.into_iter().enumerate().map(with).collect()
        },
        bars: matmul.bars.map(|bars| Bars { vectors: &[], ..bars }),
        ..matmul.clone()
    };
    let few_rows = Family {
        name: "matmul_few_rows",
        fixed: tight(FEW),
        unknown: "mnk",
        dynamic: tight(DYNAMIC_FEW),
        large: vec![4, 1024, 1024],
        bars: Some(Bars {
            is_for: |sizes| sizes.of('n') >= 4,
            loads: None,
            vectors: &["st.global"],
            has_no_conflicts: |_| true,
        }),
        ..matmul.clone()
    };
    let batch = Family {
        name: "batch_matmul",
        letters: "bmnk",
        inputs: &["bmk", "bkn"],
        result: "bmn",
        text: |text, a| {
            let zeros = text.filled("bmn", "0.0");
            text.named("linalg.batch_matmul", a, zeros, "")
        },
        reference: |sizes, a| {
            let [m, n, k] = ['m', 'n', 'k'].map(|letter| sizes.of(letter));
            let one = |b: usize| {
                product(sizes, move |i, j, l| a[0][(b * m + i) * k + l] * a[1][(b * k + l) * n + j])
            };
            (0..sizes.of('b')).flat_map(one).collect()
        },
        fixed: tight(BATCHES),
        unknown: "bmnk",
        dynamic: tight(DYNAMIC_BATCHES),
        large: vec![12, 512, 512, 64],
        ..matmul.clone()
    };
    let matvec = Family {
        name: "matvec",
        letters: "mk",
        inputs: &["mk", "k"],
        result: "m",
        text: |text, a| {
            let zeros = text.filled("m", "0.0");
            text.named("linalg.matvec", a, zeros, "")
        },
        reference: |sizes, a| {
            let k = sizes.of('k');
            (0..sizes.of('m')).map(|i| dot((0..k).map(|l| a[0][i * k + l] * a[1][l]))).collect()
        },
        fixed: tight(VECTORS),
        unknown: "mk",
        dynamic: tight(DYNAMIC_VECTORS),
        large: vec![1024, 4096],
        bars: None,
        ..matmul.clone()
    };
    let conv = Family {
        name: "conv2d",
        letters: "npqfrscHW",
        inputs: &["nHWc", "rscf"],
        result: "npqf",
        text: |text, a| convolution(text, a, 1),
        reference: |sizes, a| convolve(sizes, a, 1),
        fixed: images(1, &IMAGES),
        unknown: "nHWpq",
        dynamic: images(1, &DYNAMIC_IMAGES),
        large: images(1, &LARGE_IMAGES).concat(),
        bars: matmul.bars.map(|bars| Bars { is_for: |_| true, vectors: &[], ..bars }),
        ..matmul.clone()
    };
    let strided = Family {
        name: "conv2d_strided",
        text: |text, a| convolution(text, a, 2),
        reference: |sizes, a| convolve(sizes, a, 2),
        fixed: images(2, &IMAGES),
        dynamic: images(2, &DYNAMIC_IMAGES),
        large: images(2, &LARGE_IMAGES).concat(),
        ..conv.clone()
    };
    let biased = Family {
        name: "conv2d_nchw_bias",
        inputs: &["ncHW", "fcrs", "f"],
        result: "nfpq",
        text: |text, a| {
            window(text, 1);
            let bias = text.spread(&a[2], "nfpq");
            text.named("linalg.conv_2d_nchw_fchw", &a[..2], bias, &strides(1))
        },
        reference: convolve_from_bias,
        ..conv.clone()
    };
    vec![matmul, transposed, bias_relu, few_rows, batch, matvec, conv, strided, biased]
}

fn dot(products: impl Iterator<Item = f64>) -> Expected {
    let zero = Expected::exact(0.0);
    products.fold(zero, |sum, it| Expected::of(sum.value + it, sum.scale + it.abs()))
}

/// The sums of products for all elements of an `m` by `n` result.
fn product(sizes: &Sizes, of: impl Fn(usize, usize, usize) -> f64) -> Vec<Expected> {
    let mut results = vec![];
    for i in 0..sizes.of('m') {
        for j in 0..sizes.of('n') {
            results.push(dot((0..sizes.of('k')).map(|l| of(i, j, l))));
        }
    }
    results
}

/// Sizes of result images, their channels, the window, and the channels of the input images.
const IMAGES: [[usize; 7]; 14] = [
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 3, 3, 1],
    [1, 2, 3, 2, 1, 1, 3],
    [2, 1, 2, 3, 3, 3, 2],
    [3, 3, 3, 1, 2, 2, 1],
    [1, 4, 4, 4, 3, 3, 4],
    [2, 5, 3, 7, 3, 3, 3],
    [1, 8, 8, 8, 3, 3, 3],
    [1, 7, 7, 16, 1, 1, 16],
    [2, 4, 8, 5, 2, 3, 4],
    [1, 1, 16, 16, 1, 5, 2],
    [1, 6, 6, 16, 5, 5, 1],
    [4, 3, 2, 2, 3, 1, 5],
    [1, 9, 5, 12, 3, 3, 4],
];
/// Sizes with one window for all.
const DYNAMIC_IMAGES: [[usize; 7]; 6] = [
    [1, 1, 1, 8, 3, 3, 4],
    [2, 3, 2, 8, 3, 3, 4],
    [1, 8, 8, 8, 3, 3, 4],
    [3, 5, 7, 8, 3, 3, 4],
    [4, 1, 3, 8, 3, 3, 4],
    [1, 2, 13, 8, 3, 3, 4],
];

const LARGE_IMAGES: [[usize; 7]; 1] = [[8, 28, 28, 64, 3, 3, 64]];

/// The sizes, extended by those of the input images.
fn images(stride: usize, sizes: &[[usize; 7]]) -> Vec<Vec<usize>> {
    let all = |sizes: &[usize; 7]| {
        let [_, p, q, _, r, s, _] = *sizes;
        [&sizes[..], &[(p - 1) * stride + r, (q - 1) * stride + s]].concat()
    };
    sizes.iter().map(all).collect()
}

fn convolution(text: &mut Text, a: &[Value], stride: usize) -> Value {
    window(text, stride);
    let zeros = text.filled("npqf", "0.0");
    text.named("linalg.conv_2d_nhwc_hwcf", a, zeros, &strides(stride))
}

/// Defines the input sizes from the sizes of the result.
fn window(text: &mut Text, stride: usize) {
    text.define('p', &format!("(s0 - s1) floordiv {stride} + 1"), "Hr");
    text.define('q', &format!("(s0 - s1) floordiv {stride} + 1"), "Ws");
}

fn strides(stride: usize) -> String {
    format!("{{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}}")
}

fn convolve_from_bias(sizes: &Sizes, a: &[Vec<f64>]) -> Vec<Expected> {
    let [n, p, q, f, r] = ['n', 'p', 'q', 'f', 'r'].map(|letter| sizes.of(letter));
    let [s, c, height, width] = ['s', 'c', 'H', 'W'].map(|letter| sizes.of(letter));
    let mut results = vec![];
    for cell in 0..n * f * p * q {
        let (image, filter, row, column) =
            (cell / q / p / f, cell / q / p % f, cell / q % p, cell % q);
        let of = |place: usize| {
            let (channel, dy, dx) = (place / s / r, place / s % r, place % s);
            let (y, x) = (row + dy, column + dx);
            a[0][((image * c + channel) * height + y) * width + x]
                * a[1][filter * c * r * s + place]
        };
        results.push(dot([a[2][filter]].into_iter().chain((0..c * r * s).map(of))));
    }
    results
}

fn convolve(sizes: &Sizes, a: &[Vec<f64>], stride: usize) -> Vec<Expected> {
    let [n, p, q, f, r] = ['n', 'p', 'q', 'f', 'r'].map(|letter| sizes.of(letter));
    let [s, c, height, width] = ['s', 'c', 'H', 'W'].map(|letter| sizes.of(letter));
    let mut results = vec![];
    for cell in 0..n * p * q * f {
        let (image, row, column) = (cell / f / q / p, cell / f / q % p, cell / f % q);
        let of = |place: usize| {
            let (dy, dx, channel) = (place / c / s, place / c % s, place % c);
            let (y, x) = (row * stride + dy, column * stride + dx);
            let pixel = a[0][((image * height + y) * width + x) * c + channel];
            pixel * a[1][place * f + cell % f]
        };
        results.push(dot((0..r * s * c).map(of)));
    }
    results
}
