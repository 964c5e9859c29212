//! Functions that read along one dimension and write along another: transposes and reductions of columns.

use super::{Bars, Expected, Family, tight};

const SHAPES: &[&[usize]] = &[
    &[1, 1],
    &[1, 2],
    &[2, 1],
    &[3, 3],
    &[1, 33],
    &[33, 1],
    &[5, 7],
    &[16, 16],
    &[31, 33],
    &[32, 32],
    &[64, 64],
    &[17, 128],
    &[128, 48],
    &[3, 100],
    &[40, 24],
];
const DYNAMIC: &[&[usize]] = &[&[1, 1], &[3, 2], &[0, 5], &[16, 16], &[33, 31], &[64, 20]];
const IMAGES: &[&[usize]] = &[
    &[1, 1, 1, 1],
    &[1, 1, 2, 3],
    &[2, 3, 1, 1],
    &[1, 2, 2, 2],
    &[1, 4, 4, 3],
    &[2, 5, 3, 7],
    &[1, 8, 8, 16],
    &[2, 4, 8, 32],
    &[1, 16, 16, 16],
    &[3, 7, 5, 1],
    &[1, 1, 64, 64],
    &[2, 7, 7, 64],
    &[1, 14, 14, 32],
    &[1, 5, 6, 20],
    &[1, 3, 12, 8],
    &[1, 9, 11, 13],
    &[4, 2, 3, 2],
];
const DYNAMIC_IMAGES: &[&[usize]] =
    &[&[1, 1, 1, 1], &[1, 2, 3, 2], &[2, 4, 4, 16], &[3, 1, 5, 7], &[1, 16, 8, 32], &[0, 2, 2, 3]];

pub fn families() -> Vec<Family> {
    let plane = Family {
        name: "transpose",
        letters: "ij",
        inputs: &["ij"],
        result: "ji",
        text: |text, a| text.transposed(&a[0], "ji"),
        reference: |sizes, a| {
            let [rows, columns] = ['i', 'j'].map(|letter| sizes.of(letter));
            let cell = |j: usize, i: usize| Expected::exact(a[0][i * columns + j]);
            (0..columns).flat_map(|j| (0..rows).map(move |i| cell(j, i))).collect()
        },
        tolerance: 0.0,
        fixed: tight(SHAPES),
        unknown: "ij",
        dynamic: tight(DYNAMIC),
        large: vec![1024, 2048],
        registers: 64,
        bars: Some(Bars {
            is_for: |sizes| sizes.of('i').min(sizes.of('j')) >= 4,
            loads: Some(&["ij"]),
            vectors: &["ld.global", "st.global"],
            has_no_conflicts: |_| true,
        }),
    };
    let column = |name, text, reference| Family {
        name,
        result: "j",
        text,
        reference,
        tolerance: 4e-6,
        bars: plane.bars.map(|bars| Bars { is_for: |sizes| sizes.of('j') >= 4, ..bars }),
        ..plane.clone()
    };
    let images = Family {
        name: "nhwc_to_nchw",
        letters: "nhwc",
        inputs: &["nhwc"],
        result: "nchw",
        text: |text, a| text.transposed(&a[0], "nchw"),
        reference: |sizes, a| {
            let mut results = vec![];
            let [h, w, c] = ['h', 'w', 'c'].map(|letter| sizes.of(letter));
            for image in 0..sizes.of('n') {
                for channel in 0..c {
                    for pixel in 0..h * w {
                        results.push(Expected::exact(a[0][(image * h * w + pixel) * c + channel]));
                    }
                }
            }
            results
        },
        fixed: tight(IMAGES),
        unknown: "nhwc",
        dynamic: tight(DYNAMIC_IMAGES),
        large: vec![8, 32, 32, 64],
        bars: plane.bars.map(|bars| Bars {
            is_for: |sizes| sizes.of('w').min(sizes.of('c')) >= 4,
            loads: Some(&["nhwc"]),
            ..bars
        }),
        ..plane.clone()
    };
    let back = Family {
        name: "nchw_to_nhwc",
        inputs: &["nchw"],
        result: "nhwc",
        text: |text, a| text.transposed(&a[0], "nhwc"),
        reference: |sizes, a| {
            let mut results = vec![];
            let [h, w, c] = ['h', 'w', 'c'].map(|letter| sizes.of(letter));
            for image in 0..sizes.of('n') {
                for pixel in 0..h * w {
                    for channel in 0..c {
                        results.push(Expected::exact(a[0][(image * c + channel) * h * w + pixel]));
                    }
                }
            }
            results
        },
        ..images.clone()
    };
    let sums = column(
        "column_sum",
        |text, a| text.reduced("j", "0.0", &[&a[0]], "%r = arith.addf %y, %x0 : f32"),
        |sizes, a| {
            let columns = sizes.of('j');
            let column = |j| (0..sizes.of('i')).map(move |i| a[0][i * columns + j]);
            let sum = |j| Expected::of(column(j).sum(), column(j).map(f64::abs).sum());
            (0..columns).map(sum).collect()
        },
    );
    let greatest = column(
        "column_max",
        |text, a| text.reduced("j", "0xFF800000", &[&a[0]], "%r = arith.maximumf %y, %x0 : f32"),
        |sizes, a| {
            let columns = sizes.of('j');
            let column = |j| (0..sizes.of('i')).map(move |i| a[0][i * columns + j]);
            let max = |j| Expected::exact(column(j).fold(f64::NEG_INFINITY, f64::max));
            (0..columns).map(max).collect()
        },
    );
    vec![plane, images, back, sums, greatest]
}
