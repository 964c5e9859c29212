//! Row reductions, and elementwise functions of their results and inputs.

use super::text::{Text, Value};
use super::{Bars, Expected, Family, Sizes, tight};

const SHAPES: &[&[usize]] = &[
    &[1, 1],
    &[1, 2],
    &[2, 1],
    &[3, 3],
    &[1, 16],
    &[2, 31],
    &[5, 32],
    &[4, 33],
    &[3, 64],
    &[7, 100],
    &[2, 128],
    &[33, 8],
    &[3, 255],
    &[4, 256],
    &[2, 1000],
    &[3, 1024],
    &[1, 4096],
];
/// Rows whose shared memory exceeds what a thread block may declare statically: up to 96000 bytes if a row is kept
/// twice.
const WIDE: &[&[usize]] = &[&[2, 9000], &[2, 12000]];
/// Rows that several thread blocks share.
const LONG: &[&[usize]] = &[&[4, 4096], &[3, 5001], &[1, 16386]];
const DYNAMIC: &[&[usize]] = &[&[1, 1], &[3, 2], &[0, 5], &[5, 33], &[2, 128], &[17, 64]];

const ADD: &str = "%r = arith.addf %y, %x0 : f32";
const ADD_SQUARE: &str = "%s = arith.mulf %x0, %x0 : f32; %r = arith.addf %y, %s : f32";
const MAX: &str = "%r = arith.maximumf %y, %x0 : f32";
const SUBTRACT: &str = "%r = arith.subf %x0, %x1 : f32";
const LOW: &str = "0xFF800000";

pub fn families() -> Vec<Family> {
    let family = |name, inputs, result, text, reference| Family {
        name,
        letters: "ij",
        inputs,
        result,
        text,
        reference,
        tolerance: 4e-6,
        // If there is only one reduction, few long rows are split into parts.
        fixed: tight(&[SHAPES, if result == "ij" { WIDE } else { &[] }].concat()),
        unknown: "ij",
        dynamic: tight(DYNAMIC),
        large: vec![512, 4096],
        registers: 64,
        bars: Some(Bars {
            // Shorter rows are not worth threads.
            is_for: |sizes| sizes.of('j') > 16,
            loads: Some(&["ij", "ij", "ij"][..inputs.len()]),
            vectors: if result == "ij" { &["ld.global", "st.global"] } else { &["ld.global"] },
            has_no_conflicts: |_| false,
        }),
    };
    vec![
        family(
            "row_sum",
            &["ij"],
            "i",
            |text, a| text.reduced("i", "0.0", &[&a[0]], ADD),
            |sizes, a| each_row(sizes, &a[0], |row| vec![sum(row)]),
        ),
        family(
            "row_max",
            &["ij"],
            "i",
            |text, a| text.reduced("i", LOW, &[&a[0]], MAX),
            |sizes, a| each_row(sizes, &a[0], |row| vec![Expected::relative(max(row))]),
        ),
        family("row_variance", &["ij"], "i", row_variance, |sizes, a| {
            each_row(sizes, &a[0], |row| {
                let squares: Vec<f64> = row.iter().map(|x| x * x).collect();
                vec![Expected::of(variance(row), mean(&squares))]
            })
        }),
        Family {
            fixed: tight(&[SHAPES, LONG].concat()),
            large: vec![4096, 4096],
            bars: None,
            ..family(
                "sum_of_all",
                &["ij"],
                "",
                |text, a| text.reduced("", "0.0", &[&a[0]], ADD),
                |_, a| vec![sum(&a[0])],
            )
        },
        // For other rows, the exponentials are not kept.
        family("softmax", &["ij"], "ij", softmax, |sizes, a| {
            each_row(sizes, &a[0], |row| {
                let max = max(row);
                let all: f64 = row.iter().map(|x| (x - max).exp()).sum();
                row.iter().map(|x| Expected::relative((x - max).exp() / all)).collect()
            })
        })
        .only_for(|sizes| sizes.of('j') > 16),
        family("log_softmax", &["ij"], "ij", log_softmax, |sizes, a| {
            each_row(sizes, &a[0], |row| {
                let max = max(row);
                let log = row.iter().map(|x| (x - max).exp()).sum::<f64>().ln();
                let scale = |x: f64| x.abs() + max.abs() + log.abs();
                row.iter().map(|x| Expected::of(x - max - log, scale(*x))).collect()
            })
        }),
        family("layernorm", &["ij", "j", "j"], "ij", layernorm, |sizes, a| {
            each_row(sizes, &a[0], |row| {
                let (mean, inverse) = (mean(row), 1.0 / (variance(row) + 1e-5).sqrt());
                let of = |(j, x): (usize, &f64)| {
                    let scale = (x.abs() + mean.abs()) * inverse * a[1][j].abs() + a[2][j].abs();
                    Expected::of((x - mean) * inverse * a[1][j] + a[2][j], scale)
                };
                row.iter().enumerate().map(of).collect()
            })
        }),
        family("rmsnorm", &["ij", "j"], "ij", rmsnorm, |sizes, a| {
            each_row(sizes, &a[0], |row| {
                let squares: f64 = row.iter().map(|x| x * x).sum();
                let inverse = 1.0 / (squares / row.len() as f64 + 1e-5).sqrt();
                let of = |(x, weight): (&f64, &f64)| Expected::relative(x * inverse * weight);
                row.iter().zip(&a[1]).map(of).collect()
            })
        }),
    ]
}

fn each_row(sizes: &Sizes, a: &[f64], of: impl Fn(&[f64]) -> Vec<Expected>) -> Vec<Expected> {
    let length = sizes.of('j');
    (0..sizes.of('i')).flat_map(|i| of(&a[i * length..(i + 1) * length])).collect()
}

fn sum(row: &[f64]) -> Expected {
    Expected::of(row.iter().sum(), row.iter().map(|x| x.abs()).sum())
}

fn max(row: &[f64]) -> f64 {
    row.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn mean(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}

fn variance(row: &[f64]) -> f64 {
    let mean = mean(row);
    row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64
}

/// The average of row sums, from the row length.
fn averaged(text: &mut Text, sums: &Value) -> Value {
    let length = text.float('j');
    text.map("i", &[sums], &format!("%r = arith.divf %x0, {length} : f32"))
}

/// The differences of elements from their row's mean.
fn centred(text: &mut Text, x: &Value) -> Value {
    let sums = text.reduced("i", "0.0", &[x], ADD);
    let means = averaged(text, &sums);
    text.map("ij", &[x, &means], SUBTRACT)
}

fn row_variance(text: &mut Text, a: &[Value]) -> Value {
    let centred = centred(text, &a[0]);
    let squares = text.reduced("i", "0.0", &[&centred], ADD_SQUARE);
    averaged(text, &squares)
}

/// The differences of elements from their row's maximum.
fn below(text: &mut Text, x: &Value) -> Value {
    let max = text.reduced("i", LOW, &[x], MAX);
    text.map("ij", &[x, &max], SUBTRACT)
}

fn softmax(text: &mut Text, a: &[Value]) -> Value {
    let below = below(text, &a[0]);
    let exp = text.map("ij", &[&below], "%r = math.exp %x0 : f32");
    let sum = text.reduced("i", "0.0", &[&exp], ADD);
    text.map("ij", &[&exp, &sum], "%r = arith.divf %x0, %x1 : f32")
}

fn log_softmax(text: &mut Text, a: &[Value]) -> Value {
    let below = below(text, &a[0]);
    let body = "%e = math.exp %x0 : f32; %r = arith.addf %y, %e : f32";
    let sum = text.reduced("i", "0.0", &[&below], body);
    let log = text.map("i", &[&sum], "%r = math.log %x0 : f32");
    text.map("ij", &[&below, &log], SUBTRACT)
}

/// The inverse square root of the mean of squares.
fn inverse_root(text: &mut Text, x: &Value) -> Value {
    let sums = text.reduced("i", "0.0", &[x], ADD_SQUARE);
    let squares = averaged(text, &sums);
    let body =
        "%c = arith.constant 1.0e-5 : f32; %s = arith.addf %x0, %c : f32; %r = math.rsqrt %s : f32";
    text.map("i", &[&squares], body)
}

fn layernorm(text: &mut Text, a: &[Value]) -> Value {
    let centred = centred(text, &a[0]);
    let inverse = inverse_root(text, &centred);
    let body = "%n = arith.mulf %x0, %x1 : f32; %m = arith.mulf %n, %x2 : f32; %r = arith.addf %m, %x3 : f32";
    text.map("ij", &[&centred, &inverse, &a[1], &a[2]], body)
}

fn rmsnorm(text: &mut Text, a: &[Value]) -> Value {
    let inverse = inverse_root(text, &a[0]);
    let body = "%n = arith.mulf %x0, %x1 : f32; %r = arith.mulf %n, %x2 : f32";
    text.map("ij", &[&a[0], &inverse, &a[1]], body)
}
