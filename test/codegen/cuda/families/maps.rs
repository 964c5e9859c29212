//! Elementwise functions: several ops in one kernel.

use super::{Bars, Expected, Family, Sizes, tight};

const SHAPES: &[&[usize]] = &[
    &[1, 1],
    &[1, 2],
    &[2, 1],
    &[3, 3],
    &[1, 4],
    &[5, 7],
    &[1, 127],
    &[2, 128],
    &[16, 16],
    &[33, 31],
    &[64, 64],
    &[3, 1000],
    &[100, 12],
    &[1, 4096],
    &[129, 5],
    &[32, 256],
];
const DYNAMIC: &[&[usize]] = &[&[1, 1], &[2, 3], &[0, 5], &[7, 45], &[3, 256], &[64, 33]];

pub fn families() -> Vec<Family> {
    let family = |name, inputs, text, reference| Family {
        name,
        letters: "ij",
        inputs,
        result: "ij",
        text,
        reference,
        tolerance: 1e-6,
        fixed: tight(SHAPES),
        unknown: "ij",
        dynamic: tight(DYNAMIC),
        large: vec![1024, 4096],
        registers: 64,
        bars: Some(Bars {
            is_for: |_| true,
            loads: Some(inputs),
            vectors: &["ld.global", "st.global"],
            has_no_conflicts: |_| false,
        }),
    };
    let bias = family(
        "bias_gelu",
        &["ij", "j"],
        |text, a| {
            let sum = text.map("ij", &[&a[0], &a[1]], "%r = arith.addf %x0, %x1 : f32");
            let body = "%h = arith.constant 0.5 : f32; %one = arith.constant 1.0 : f32; \
                                %i = arith.constant 0.70710677 : f32; %d = arith.mulf %x0, %i : f32; \
                                %e = math.erf %d : f32; %s = arith.addf %e, %one : f32; \
                                %m = arith.mulf %x0, %h : f32; %r = arith.mulf %m, %s : f32";
            text.map("ij", &[&sum], body)
        },
        bias_gelu,
    );
    vec![
        family(
            "sub_mul",
            &["ij", "ij"],
            |text, a| {
                let difference = text.map("ij", &[&a[0], &a[1]], "%r = arith.subf %x0, %x1 : f32");
                text.map("ij", &[&difference, &a[0]], "%r = arith.mulf %x0, %x1 : f32")
            },
            |_, a| {
                zip(&a[0], &a[1], |x, y| Expected::of((x - y) * x, (x.abs() + y.abs()) * x.abs()))
            },
        ),
        family(
            "silu",
            &["ij"],
            |text, a| {
                let body = "%one = arith.constant 1.0 : f32; %n = arith.negf %x0 : f32; %e = math.exp %n : f32; \
                            %s = arith.addf %e, %one : f32; %r = arith.divf %x0, %s : f32";
                text.map("ij", &[&a[0]], body)
            },
            |_, a| a[0].iter().map(|x| Expected::relative(x / (1.0 + (-x).exp()))).collect(),
        ),
        family(
            "scaled_relu",
            &["ij", "ij", "ij"],
            |text, a| {
                let product = text.map("ij", &[&a[0], &a[1]], "%r = arith.mulf %x0, %x1 : f32");
                let sum = text.map("ij", &[&product, &a[2]], "%r = arith.addf %x0, %x1 : f32");
                let body = "%z = arith.constant 0.0 : f32; %r = arith.maximumf %x0, %z : f32";
                text.map("ij", &[&sum], body)
            },
            |_, a| {
                let products = zip(&a[0], &a[1], |x, y| Expected::relative(x * y));
                let with = |(p, z): (Expected, &f64)| {
                    Expected::of((p.value + z).max(0.0), p.scale + z.abs())
                };
                products.into_iter().zip(&a[2]).map(with).collect()
            },
        ),
        Family { bars: bias.bars.map(|bars| Bars { loads: Some(&["ij", "ij"]), ..bars }), ..bias },
    ]
}

fn zip(a: &[f64], b: &[f64], of: impl Fn(f64, f64) -> Expected) -> Vec<Expected> {
    a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()
}

fn bias_gelu(sizes: &Sizes, a: &[Vec<f64>]) -> Vec<Expected> {
    let mut results = vec![];
    for i in 0..sizes.of('i') {
        for j in 0..sizes.of('j') {
            let (x, bias) = (a[0][i * sizes.of('j') + j], a[1][j]);
            let sum = x + bias;
            let value = 0.5 * sum * (1.0 + libm::erf(sum / 2f64.sqrt()));
            // One and the error function of a negative number cancel.
            results.push(Expected::of(value, x.abs() + bias.abs()));
        }
    }
    results
}
