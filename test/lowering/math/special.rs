//! Results at special values, which standards and limits define.

use super::form::Form;
use std::f32::consts::{FRAC_PI_2, PI};

const INF: f32 = f32::INFINITY;
const LEAST: f32 = f32::from_bits(1);

/// Numbers at which functions change their behaviour.
#[rustfmt::skip]
pub const NUMBERS: &[f32] = &[
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 2.5, -2.5, 3.0, -3.0, 4.0, INF, -INF, f32::NAN,
    LEAST, -LEAST, f32::MIN_POSITIVE, -f32::MIN_POSITIVE, f32::MAX, f32::MIN,
    8388608.0, 16777215.0, -16777215.0, 16777216.0, 33554432.0, 1048575.94, 1048576.0,
    88.72283, 88.72284, -87.33655, -103.97208, -103.97209, 0.99999994, 1.0000001,
];

/// Results at these numbers; NaN matches any NaN.
#[rustfmt::skip]
const TABLE: &[(&str, &[(f32, f32)])] = &[
    ("acos", &[(1.0, 0.0), (0.0, FRAC_PI_2), (-1.0, PI), (1.0000001, f32::NAN), (INF, f32::NAN), (-INF, f32::NAN)]),
    ("acosh", &[(1.0, 0.0), (0.99999994, f32::NAN), (-1.0, f32::NAN), (-5.0, f32::NAN), (INF, INF), (-INF, f32::NAN)]),
    ("asin", &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_2), (-1.0, -FRAC_PI_2), (1.0000001, f32::NAN), (-INF, f32::NAN), (LEAST, LEAST)]),
    ("asinh", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (LEAST, LEAST), (-LEAST, -LEAST)]),
    ("atan", &[(0.0, 0.0), (-0.0, -0.0), (INF, FRAC_PI_2), (-INF, -FRAC_PI_2), (LEAST, LEAST)]),
    ("atanh", &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.0000001, f32::NAN), (INF, f32::NAN), (-INF, f32::NAN), (LEAST, LEAST)]),
    ("cbrt", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (8.0, 2.0), (-27.0, -3.0), (1.0, 1.0)]),
    ("cos", &[(0.0, 1.0), (-0.0, 1.0), (INF, f32::NAN), (-INF, f32::NAN), (LEAST, 1.0)]),
    ("cosh", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (f32::MAX, INF)]),
    ("erf", &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (4.0, 1.0), (LEAST, LEAST)]),
    ("erfc", &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (10.1, 0.0), (-4.0, 2.0)]),
    ("exp", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (89.0, INF), (-103.9, LEAST), (-104.0, 0.0)]),
    ("exp2", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (128.0, INF), (-149.0, LEAST), (-151.0, 0.0), (-126.0, f32::MIN_POSITIVE), (10.0, 1024.0)]),
    ("expm1", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (LEAST, LEAST), (-LEAST, -LEAST), (89.0, INF)]),
    ("log", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-INF, f32::NAN), (-LEAST, f32::NAN), (-1.0, f32::NAN), (LEAST, -103.27893)]),
    ("log10", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, f32::NAN)]),
    ("log1p", &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-INF, f32::NAN), (-1.5, f32::NAN), (LEAST, LEAST), (-LEAST, -LEAST)]),
    ("log2", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, f32::NAN), (LEAST, -149.0), (8.0, 3.0), (f32::MIN_POSITIVE, -126.0)]),
    ("rsqrt", &[(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, f32::NAN), (4.0, 0.5), (-INF, f32::NAN)]),
    ("sin", &[(0.0, 0.0), (-0.0, -0.0), (INF, f32::NAN), (-INF, f32::NAN), (LEAST, LEAST), (-LEAST, -LEAST)]),
    ("sinh", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (LEAST, LEAST), (f32::MIN, -INF)]),
    ("tan", &[(0.0, 0.0), (-0.0, -0.0), (INF, f32::NAN), (-INF, f32::NAN), (LEAST, LEAST)]),
    ("tanh", &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (f32::MAX, 1.0), (LEAST, LEAST), (-LEAST, -LEAST)]),
];

/// Special values of pow, as in C: base, exponent, result.
#[rustfmt::skip]
const POWERS: &[(f32, f32, f32)] = &[
    (f32::NAN, 0.0, 1.0), (f32::NAN, -0.0, 1.0), (1.0, f32::NAN, 1.0), (-1.0, f32::NAN, f32::NAN),
    (0.0, -1.0, INF), (-0.0, -1.0, -INF), (-0.0, -2.0, INF), (-0.0, -0.5, INF), (-0.0, 3.0, -0.0),
    (-0.0, 2.0, 0.0), (0.0, 0.5, 0.0), (-1.0, INF, 1.0), (-1.0, -INF, 1.0), (0.5, INF, 0.0),
    (0.5, -INF, INF), (2.0, INF, INF), (2.0, -INF, 0.0), (-2.0, INF, INF), (INF, 2.0, INF),
    (INF, -2.0, 0.0), (-INF, 3.0, -INF), (-INF, 2.0, INF), (-INF, -3.0, -0.0), (-INF, 0.5, INF),
    (-8.0, 0.5, f32::NAN), (-2.0, 3.0, -8.0), (-2.0, 2.0, 4.0), (-1.0, 16777215.0, -1.0),
    (-1.0, 16777216.0, 1.0), (0.0, -INF, INF), (-0.0, INF, 0.0), (2.0, -149.0, LEAST), (2.0, 128.0, INF),
    (10.0, 3.0, 1000.0), (LEAST, 1.0, LEAST), (f32::NAN, 1.0, f32::NAN),
];

/// Special values of atan2, as in C: y, x, result.
#[rustfmt::skip]
const ANGLES: &[(f32, f32, f32)] = &[
    (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -0.0, PI), (-0.0, -0.0, -PI), (0.0, -1.0, PI), (-0.0, -1.0, -PI),
    (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (1.0, 0.0, FRAC_PI_2), (-1.0, 0.0, -FRAC_PI_2),
    (1.0, INF, 0.0), (-1.0, INF, -0.0), (1.0, -INF, PI),
    (INF, 1.0, FRAC_PI_2), (-INF, 1.0, -FRAC_PI_2), (f32::NAN, 0.0, f32::NAN), (0.0, f32::NAN, f32::NAN),
    (LEAST, 1.0, LEAST), (f32::MAX, LEAST, FRAC_PI_2), (LEAST, f32::MAX, 0.0),
];

/// Special values of C's fmod: x, y, result.
#[rustfmt::skip]
const REMAINDERS: &[(f32, f32, f32)] = &[
    (5.5, 2.0, 1.5), (-5.5, 2.0, -1.5), (5.5, -2.0, 1.5), (6.0, 3.0, 0.0), (-6.0, 3.0, -0.0), (1.0, INF, 1.0),
    (-0.0, 1.0, -0.0), (1.0, 0.0, f32::NAN), (INF, 1.0, f32::NAN), (1.0, f32::NAN, f32::NAN), (INF, INF, f32::NAN),
    (f32::MAX, LEAST, 0.0), (1.0, 0.99999994, 5.9604645e-8), (LEAST, 1.0, LEAST), (f32::NAN, 0.0, f32::NAN),
    (f32::NAN, INF, f32::NAN),
];

fn is_same(found: f32, expected: f32) -> bool {
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

#[test]
fn special_values_are_exact() {
    let bodies: Vec<_> =
        TABLE.iter().map(|(name, _)| (*name, format!("%0 = math.{name} %x : $t"))).collect();
    let bodies = bodies.iter().map(|(name, body)| (*name, body.as_str()));
    let binary = [
        ("powf", "%0 = math.powf %x, %y : $t", POWERS),
        ("atan2", "%0 = math.atan2 %x, %y : $t", ANGLES),
        ("remf", "%0 = arith.remf %x, %y : $t", REMAINDERS),
    ];
    for form in Form::<f32>::all(bodies.chain(binary.map(|(name, body, _)| (name, body)))) {
        for (name, rows) in TABLE {
            let rows = rows.iter().copied().chain([(f32::NAN, f32::NAN)]);
            let (x, expected): (Vec<_>, Vec<_>) = rows.unzip();
            for ((x, expected), found) in x.iter().zip(expected).zip(form.run(name, &x, &x)) {
                assert!(is_same(found, expected), "{name} of {x:e} is {found:e}, {}", form.name);
            }
        }
        for (name, _, rows) in binary {
            let x: Vec<f32> = rows.iter().map(|row| row.0).collect();
            let y: Vec<f32> = rows.iter().map(|row| row.1).collect();
            for ((x, y, expected), found) in rows.iter().zip(form.run(name, &x, &y)) {
                let name = format!("{name} of {x:e} and {y:e}");
                assert!(is_same(found, *expected), "{name} is {found:e}, {}", form.name);
            }
        }
    }
}

#[test]
fn special_values_are_exact_for_constant_exponents() {
    let exponents = [1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 0.5, -0.5];
    let body = |y: &f32| format!("%c = arith.constant $c{y:?}$d : $t\n %0 = math.powf %x, %c : $t");
    let name = |i: usize| format!("to_exponent_{i}");
    let bodies: Vec<_> = exponents.iter().enumerate().map(|(i, y)| (name(i), body(y))).collect();
    let bodies = bodies.iter().map(|(name, body)| (name.as_str(), body.as_str()));
    for form in Form::<f32>::all(bodies) {
        for (i, y) in exponents.into_iter().enumerate() {
            let rows: Vec<_> = POWERS.iter().filter(|row| row.1 == y).collect();
            let more = [(-INF, if y == 3.0 { -INF } else { INF }), (f32::NAN, f32::NAN)];
            let more = more.into_iter().filter(|_| y > 1.0 || y == 0.5);
            let all = rows.into_iter().map(|row| (row.0, row.2)).chain(more);
            let (x, expected): (Vec<_>, Vec<_>) = all.unzip();
            let found = form.run(&name(i), &x, &x);
            for ((x, expected), found) in x.iter().zip(expected).zip(found) {
                assert!(is_same(found, expected), "{x:e} to {y} is {found:e}, {}", form.name);
            }
        }
    }
}
