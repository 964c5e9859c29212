//! The functions of f64, against a reference of about 100 bits.
//!
//! `LOOPWRIGHT_EXHAUSTIVE=1` tests a hundred times as many arguments, and `LOOPWRIGHT_FUNCTION=exp` selects one
//! function. The measured errors are printed; `docs/numerics.md` states those of the large number.

use super::form::Form;
use super::is_exhaustive;
use super::reference::{self, Wide};
use std::f64::consts::{E, FRAC_PI_2, LN_2, LOG10_2};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const LEAST: f64 = f64::from_bits(1);

/// Functions, the largest permitted errors in ulp, and the interval in which results are finite and numbers.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, f64, [f64; 2])] = &[
    ("acosh", 2.0, [1.0, f64::MAX]),
    ("asinh", 2.0, [-f64::MAX, f64::MAX]),
    ("atanh", 1.0, [-0.9999999999999999, 0.9999999999999999]),
    ("cos", 1.0, [-f64::MAX, f64::MAX]),
    ("cosh", 2.0, [-710.47, 710.47]),
    ("erf", 2.0, [-f64::MAX, f64::MAX]),
    ("erfc", 2.0, [-30.0, 27.2]),
    ("exp", 1.0, [-745.1, 709.78]),
    ("exp2", 2.0, [-1074.9, 1023.999]),
    ("expm1", 2.0, [-100.0, 709.78]),
    ("log", 1.0, [LEAST, f64::MAX]),
    ("log10", 1.0, [LEAST, f64::MAX]),
    ("log1p", 1.0, [-0.9999999999999999, f64::MAX]),
    ("log2", 1.0, [LEAST, f64::MAX]),
    ("sin", 1.0, [-f64::MAX, f64::MAX]),
    ("sinh", 2.0, [-710.47, 710.47]),
    ("tan", 1.0, [-f64::MAX, f64::MAX]),
    ("tanh", 2.0, [-f64::MAX, f64::MAX]),
];

/// Numbers at which functions change their behaviour.
#[rustfmt::skip]
pub const NUMBERS: &[f64] = &[
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 2.5, -2.5, 3.0, -3.0, 4.0, INF, -INF, NAN,
    LEAST, -LEAST, f64::MIN_POSITIVE, -f64::MIN_POSITIVE, f64::MAX, f64::MIN, 0.55, 0.75, -0.75,
    4503599627370496.0, 9007199254740991.0, -9007199254740991.0, 9007199254740992.0, 1048575.9999999999,
    1048576.0, 709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412,
    0.9999999999999999, 1.0000000000000002, FRAC_PI_2, 5.319372648326541e255, 18014398509481984.0,
];

/// Values from another program (mpmath): function, argument, and a value as the sum of two numbers, times a power of 2.
#[rustfmt::skip]
const KNOWN: &[(&str, f64, f64, f64, i32)] = &[
    ("acosh", 1.5, 0.9624236501192069, -4.651563402692547e-17, 0),
    ("acosh", 1e200, 461.2101657793691, -2.3993297946353776e-14, 0),
    ("asinh", -0.3, -0.29567304756342244, 1.351693404864361e-17, 0),
    ("asinh", 1e100, 230.95165647996453, -1.2897706980035535e-14, 0),
    ("atanh", 0.3, 0.3095196042031117, 5.4139184190139844e-18, 0),
    ("atanh", 0.9999999999999991, 17.675253104278607, -1.5735779604882489e-15, 0),
    ("cos", 1e22, 0.523214785395139, -4.7143201076575164e-17, 0),
    ("cos", 0.7, 0.7648421872844885, -4.013780434022238e-17, 0),
    ("cosh", 710.25, 1.5956594620464641, -5.706340328408043e-17, 1023),
    ("cosh", -0.1, 1.0050041680558035, 9.55546062395436e-17, 0),
    ("erf", 0.5, 0.5204998778130465, 1.900077467916287e-17, 0),
    ("erf", 2.25, 0.9985372834133188, 2.6956405885413457e-17, 0),
    ("erfc", 2.5, 0.0004069520174449589, 2.080297158010754e-20, 0),
    ("erfc", 27.1, 1.84469904027914, -1.6816049262403708e-17, -1066),
    ("erfc", -1.25, 1.9229001282564582, 5.584475816387646e-17, 0),
    ("exp", -745.0, 1.1425002949421084, -3.168228304494958e-17, -1075),
    ("exp", 709.5, 1.5074723188709405, -2.169846945243557e-18, 1023),
    ("exp", 1.0, E, 1.4456468917292502e-16, 0),
    ("exp2", -1074.25, 1.681792830507429, 8.199010020581497e-17, -1075),
    ("exp2", 0.7, 1.624504792712471, 4.8844282126282756e-17, 0),
    ("expm1", 1e-05, 1.0000050000166668e-05, -3.111926571619883e-22, 0),
    ("expm1", -0.8, -0.5506710358827784, 8.318842682491405e-18, 0),
    ("expm1", 50.0, 5.184705528587072e21, 419030.45332293346, 0),
    ("log", 5e-324, -744.4400719213812, -4.422444340918698e-14, 0),
    ("log", 1.0000000000000002, 2.2204460492503128e-16, 3.649214750845877e-48, 0),
    ("log", 1e308, 709.1962086421661, -1.3557607434536328e-14, 0),
    ("log10", 2.0, LOG10_2, -2.8037281277851704e-18, 0),
    ("log10", 0.1, -1.0, 2.4108186663832177e-17, 0),
    ("log1p", 1e-10, 9.999999999500001e-11, -3.389513322121794e-27, 0),
    ("log1p", -0.75, -1.3862943611198906, -4.638093627692599e-17, 0),
    ("log1p", 1e17, 39.14394658089878, -1.0157503206494484e-15, 0),
    ("log2", 3.0, 1.584962500721156, 1.0579781240112554e-16, 0),
    ("log2", 1e-310, -1029.7977094150824, 7.642091113839806e-14, 0),
    ("sin", 1e22, -0.8522008497671888, -6.7806825896773284e-18, 0),
    ("sin", 5.319372648326541e255, 1.0, -1.098476220074687e-37, 0),
    ("sin", 3.0, 0.1411200080598672, 8.577269787017502e-18, 0),
    ("sinh", 0.6, 0.6366535821482412, 5.203896601858732e-17, 0),
    ("sinh", -700.0, -1.8487224168045802, -3.0379502380447233e-17, 1008),
    ("tan", 1e300, 1.4214488238747245, -7.511471696020065e-17, 0),
    ("tan", FRAC_PI_2, 1.633123935319537e16, -0.24403226295847108, 0),
    ("tanh", 0.3, 0.2913126124515909, -6.4602656586469586e-18, 0),
    ("tanh", 18.0, 0.9999999999999996, -1.9815356198651153e-17, 0),
    ("cos", 5.319372648326541e255, -4.687165924254628e-19, 4.3720557429382733e-36, 0),
];

/// Special values of the functions; NaN gives NaN.
#[rustfmt::skip]
const TABLE: &[(&str, &[(f64, f64)])] = &[
    ("acosh", &[(1.0, 0.0), (0.9999999999999999, NAN), (-1.0, NAN), (-5.0, NAN), (INF, INF), (-INF, NAN)]),
    ("asinh", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (LEAST, LEAST), (-LEAST, -LEAST)]),
    ("atanh", &[(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.0000000000000002, NAN), (INF, NAN), (-INF, NAN), (LEAST, LEAST)]),
    ("cos", &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (LEAST, 1.0)]),
    ("cosh", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (f64::MAX, INF), (710.5, INF)]),
    ("erf", &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (6.0, 1.0), (LEAST, LEAST)]),
    ("erfc", &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (27.3, 0.0), (-6.0, 2.0)]),
    ("exp", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (709.79, INF), (-745.13, LEAST), (-745.14, 0.0)]),
    ("exp2", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1024.0, INF), (-1074.0, LEAST), (-1076.0, 0.0), (-1022.0, f64::MIN_POSITIVE), (10.0, 1024.0)]),
    ("expm1", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (LEAST, LEAST), (-LEAST, -LEAST), (709.79, INF), (-50.0, -1.0)]),
    ("log", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-INF, NAN), (-LEAST, NAN), (-1.0, NAN), (LEAST, -744.4400719213812)]),
    ("log10", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (1000.0, 3.0)]),
    ("log1p", &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-INF, NAN), (-1.5, NAN), (LEAST, LEAST), (-LEAST, -LEAST), (1.0, LN_2)]),
    ("log2", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (LEAST, -1074.0), (8.0, 3.0), (f64::MIN_POSITIVE, -1022.0)]),
    ("sin", &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (LEAST, LEAST), (-LEAST, -LEAST)]),
    ("sinh", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (LEAST, LEAST), (f64::MIN, -INF)]),
    ("tan", &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (LEAST, LEAST)]),
    ("tanh", &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (f64::MAX, 1.0), (LEAST, LEAST), (-LEAST, -LEAST)]),
];

/// Special values of pow, as in C: base, exponent, result.
#[rustfmt::skip]
const POWERS: &[(f64, f64, f64)] = &[
    (NAN, 0.0, 1.0), (NAN, -0.0, 1.0), (1.0, NAN, 1.0), (-1.0, NAN, NAN),
    (0.0, -1.0, INF), (-0.0, -1.0, -INF), (-0.0, -2.0, INF), (-0.0, -0.5, INF), (-0.0, 3.0, -0.0),
    (-0.0, 2.0, 0.0), (0.0, 0.5, 0.0), (-1.0, INF, 1.0), (-1.0, -INF, 1.0), (0.5, INF, 0.0),
    (0.5, -INF, INF), (2.0, INF, INF), (2.0, -INF, 0.0), (-2.0, INF, INF), (INF, 2.0, INF),
    (INF, -2.0, 0.0), (-INF, 3.0, -INF), (-INF, 2.0, INF), (-INF, -3.0, -0.0), (-INF, 0.5, INF),
    (-8.0, 0.5, NAN), (-2.0, 3.0, -8.0), (-2.0, 2.0, 4.0), (-1.0, 9007199254740991.0, -1.0),
    (-1.0, 4503599627370497.0, -1.0), (-1.0, 4503599627370495.5, NAN), (-1.0, 9007199254740992.0, 1.0),
    (-1.0, 1e300, 1.0), (-2.0, -1073.0, -2.0 * LEAST), (0.0, -INF, INF), (-0.0, INF, 0.0), (2.0, -1074.0, LEAST),
    (2.0, 1024.0, INF), (10.0, 3.0, 1000.0), (LEAST, 1.0, LEAST), (NAN, 1.0, NAN), (INF, LEAST, INF),
    (1.0000000000000002, f64::MAX, INF), (0.9999999999999999, f64::MAX, 0.0), (LEAST, -1.0, INF), (f64::MAX, 1.0, f64::MAX),
];

fn body(name: &str) -> String {
    match name {
        "sincos" => "%0, %o = math.sincos %x : $t".to_owned(),
        "powf" => "%0 = math.powf %x, %y : $t".to_owned(),
        name => format!("%0 = math.{name} %x : $t"),
    }
}

fn forms(names: &[&'static str]) -> Vec<Form<f64>> {
    let bodies: Vec<_> = names.iter().map(|name| (*name, body(name))).collect();
    let mut forms = Form::all(bodies.iter().map(|(name, body)| (*name, body.as_str())));
    forms.retain(|form| !is_exhaustive() || form.name.starts_with("vectors"));
    forms
}

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }
}

fn samples() -> usize {
    if is_exhaustive() { 500_000 } else { 5_000 }
}

/// Numbers of the interval: of all magnitudes, near 0 and 1, and uniform.
fn arguments([low, high]: [f64; 2]) -> Vec<f64> {
    let mut random = Random(88_172_645_463_325_252);
    let mut draw = |i: usize| match i % 4 {
        0 => low / 2.0 + (high / 2.0 - low / 2.0) * random.unit() + low / 2.0,
        1 => f64::from_bits(random.bits()),
        2 => (random.unit() - 0.5) * 8.0,
        _ => {
            let sign = if random.bits().is_multiple_of(2) { 1.0 } else { -1.0 };
            let offset = (random.bits() % 3) as f64 - 1.0;
            (random.unit() * 24.0 - 12.0).exp2() * sign + offset
        }
    };
    let drawn: Vec<_> = (0..samples()).map(&mut draw).collect();
    let all = NUMBERS.iter().copied().chain(drawn);
    all.filter(|x| (low..=high).contains(x)).collect()
}

#[test]
fn the_reference_has_known_values() {
    for (name, x, high, low, exponent) in KNOWN {
        let exact = reference::value(name, *x);
        // The power of 2 may be in the value.
        let shift = exact.exponent - exponent;
        let [first, second] =
            [exact.value.0, exact.value.1].map(|part| reference::scale(part, shift));
        let difference = ((first - high) + (second - low)).abs();
        assert!(difference <= high.abs() * 1e-28, "{name} of {x:e} is {exact:?}");
    }
}

#[test]
fn functions_of_f64_are_within_their_bounds() {
    let only = std::env::var("LOOPWRIGHT_FUNCTION").ok();
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let functions: Vec<_> = FUNCTIONS.iter().filter(|(name, ..)| is_wanted(name)).collect();
    let names: Vec<_> = functions.iter().map(|(name, ..)| *name).collect();
    let forms = forms(&names);
    for (name, bound, interval) in functions {
        let x = arguments(*interval);
        let exact: Vec<_> = x.iter().map(|x| reference::value(name, *x)).collect();
        for form in &forms {
            let results = x.iter().zip(&exact).zip(form.run(name, &x, &x));
            let errors = results.map(|((x, exact), found)| {
                let error = reference::error(found, *exact);
                assert!(
                    error <= *bound,
                    "{name} of {x:e} is {found:e}, {error} ulp, {}",
                    form.name
                );
                (error, *x)
            });
            let (worst, at) = errors.fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
            println!("{name:8} {worst:.3} at {at:e}, {}, f64", form.name);
        }
    }
}

/// The sine and the cosine share a reduction.
#[test]
fn sincos_of_f64_is_sin() {
    let x = arguments([-f64::MAX, f64::MAX]);
    for form in forms(&["sincos", "sin"]) {
        for (both, sine) in form.run("sincos", &x, &x).zip(form.run("sin", &x, &x)) {
            assert_eq!(both.to_bits(), sine.to_bits(), "{}", form.name);
        }
    }
}

fn is_same(found: f64, expected: f64) -> bool {
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

#[test]
fn special_values_of_f64_are_exact() {
    let names: Vec<_> = TABLE.iter().map(|(name, _)| *name).chain(["powf"]).collect();
    for form in forms(&names) {
        for (name, rows) in TABLE {
            let (x, expected): (Vec<_>, Vec<_>) = rows.iter().copied().chain([(NAN, NAN)]).unzip();
            for ((x, expected), found) in x.iter().zip(expected).zip(form.run(name, &x, &x)) {
                assert!(is_same(found, expected), "{name} of {x:e} is {found:e}, {}", form.name);
            }
        }
        let x: Vec<_> = POWERS.iter().map(|row| row.0).collect();
        let y: Vec<_> = POWERS.iter().map(|row| row.1).collect();
        for ((x, y, expected), found) in POWERS.iter().zip(form.run("powf", &x, &y)) {
            assert!(is_same(found, *expected), "{x:e} to {y:e} is {found:e}, {}", form.name);
        }
    }
}

/// Bases of all magnitudes and near 1, with exponents for which the power is finite.
fn pairs() -> [Vec<f64>; 2] {
    let mut random = Random(88_172_645_463_325_252);
    let (mut bases, mut exponents) = (vec![], vec![]);
    while bases.len() < 4 * samples() {
        let base = match random.bits() % 3 {
            0 => f64::from_bits(random.bits() >> 1),
            1 => 1.0 + (random.unit() - 0.5) * (-random.unit() * 50.0).exp2(),
            _ => random.unit() * 4.0,
        };
        let exponent = (random.unit() - 0.5) * 2090.0 / base.log2();
        if base.is_finite() && exponent.is_finite() && base > 0.0 {
            bases.push(base);
            exponents.push(exponent);
        }
    }
    [bases, exponents]
}

#[test]
fn powers_of_f64_are_within_their_bounds() {
    let [x, y] = pairs();
    let exact: Vec<_> =
        x.iter().zip(&y).map(|(x, y)| reference::power(*x, Wide(*y, 0.0))).collect();
    for form in forms(&["powf"]) {
        let mut worst = (0.0, 0.0, 0.0);
        for (i, found) in form.run("powf", &x, &y).enumerate() {
            let error = reference::error(found, exact[i]);
            assert!(error <= 2.0, "{:e} to {:e} is {error} ulp off, {}", x[i], y[i], form.name);
            if error > worst.0 {
                worst = (error, x[i], y[i]);
            }
        }
        println!("powf     {:.3} at {:e}, {:e}, {}, f64", worst.0, worst.1, worst.2, form.name);
    }
}

/// Exponents of 64 bits, which f64 does not represent, and of 32 bits.
#[test]
fn integer_powers_of_f64_are_within_their_bounds() {
    let [x, y] = pairs();
    let integers = y.iter().map(|y| *y as i64);
    let (x, n): (Vec<_>, Vec<_>) =
        x.iter().copied().zip(integers).filter(|(_, n)| n.unsigned_abs() < 1 << 62).unzip();
    // The exponent is in the bits of y.
    let wide = "%n = arith.bitcast %y : $t to $l
        %0 = math.fpowi %x, %n : $t, $l";
    let narrow = "%m = arith.bitcast %y : $t to $l
        %n = arith.trunci %m : $l to $i
        %0 = math.fpowi %x, %n : $t, $i";
    let y: Vec<_> = n.iter().map(|n| f64::from_bits(*n as u64)).collect();
    for form in Form::<f64>::all([("wide", wide), ("narrow", narrow)].into_iter()) {
        for (i, found) in form.run("wide", &x, &y).enumerate() {
            let (high, low) = ((n[i] >> 32 << 32) as f64, (n[i] & 0xffff_ffff) as f64);
            let exact = reference::power(x[i], Wide(high, 0.0) + Wide(low, 0.0));
            let error = reference::error(found, exact);
            assert!(error <= 2.0, "{:e} to {} is {error} ulp off, {}", x[i], n[i], form.name);
        }
        for (i, found) in form.run("narrow", &x, &y).enumerate() {
            if i32::try_from(n[i]).is_ok() {
                let exact = reference::power(x[i], Wide(n[i] as f64, 0.0));
                let error = reference::error(found, exact);
                assert!(error <= 2.0, "{:e} to {} is {error} ulp off, {}", x[i], n[i], form.name);
            }
        }
    }
}
