//! The accuracy of math functions expanded by `expand-math`: compiled for processors with and without fused
//! multiply-adds, as scalars and as vectors, against functions in f64. `math/double.rs` tests those of f64.
//!
//! Each function runs on samples of all f32 and on more samples near 1. With `LOOPWRIGHT_EXHAUSTIVE=1` it runs on all
//! f32, only as vectors of this machine. `LOOPWRIGHT_FUNCTION=exp` selects one function. The measured errors are
//! printed; `docs/numerics.md` states those for all f32.

#[path = "math/double.rs"]
mod double;
#[path = "math/form.rs"]
mod form;
#[path = "math/function.rs"]
mod function;
#[path = "math/interpreted.rs"]
mod interpreted;
#[path = "math/reference.rs"]
mod reference;
#[path = "math/special.rs"]
mod special;

use form::Form;
use function::{FUNCTIONS, Function};
use loopwright::codegen::x86::{self, CodegenOptions};

/// A prime stride, so that all digits vary.
const STRIDE: usize = 16381;
const DENSE_STRIDE: usize = 1021;

fn is_exhaustive() -> bool {
    std::env::var("LOOPWRIGHT_EXHAUSTIVE").is_ok_and(|value| value == "1")
}

/// Lists of f32; each is run at once.
fn samples() -> Box<dyn Iterator<Item = Vec<f32>>> {
    const CHUNK: u32 = 1 << 16;
    if is_exhaustive() {
        let chunk = |i: u32| (0..CHUNK).map(|j| f32::from_bits(i * CHUNK + j)).collect();
        return Box::new((0..1 << 16).map(chunk));
    }
    let all = (0..=u32::MAX).step_by(STRIDE);
    // From 2^-6 to 2^8, of both signs.
    let dense = |sign: u32| {
        let bits = move |magnitude: f32| magnitude.to_bits() | sign << 31;
        (bits(0.015625)..bits(256.0)).step_by(DENSE_STRIDE)
    };
    let values = all.chain(dense(0)).chain(dense(1)).map(f32::from_bits);
    Box::new(std::iter::once(values.chain(special::NUMBERS.iter().copied()).collect()))
}

/// The largest error of a form, and its argument.
#[derive(Clone, Copy, Default)]
struct Worst {
    ulps: f64,
    at: [f32; 2],
}

impl Worst {
    /// Adds a result. NaN, infinities and the sign of 0 must equal those of the reference.
    fn add(&mut self, at: [f32; 2], found: f32, exact: f64) -> Result<(), String> {
        let expected = exact as f32;
        if found.to_bits() == expected.to_bits() && expected != 0.0 && expected.is_finite() {
            // Both are equal, so the error is at most half an ulp.
            return Ok(());
        }
        let is_same = (found.is_nan() && exact.is_nan()) || found == expected;
        let is_wrong_kind = found.is_nan() != exact.is_nan()
            || (found.is_sign_negative() != exact.is_sign_negative() && !exact.is_nan());
        if is_wrong_kind {
            return Err(format!("{at:?} is {found:e}, expected {expected:e}"));
        }
        if !is_same {
            let ulps = error(found, exact);
            if ulps > self.ulps {
                *self = Worst { ulps, at };
            }
        }
        Ok(())
    }
}

/// The error in ulp of f32 at `exact`; infinity counts as the next power of two.
fn error(found: f32, exact: f64) -> f64 {
    let bounded = |value: f64| value.clamp(-2f64.powi(128), 2f64.powi(128));
    let exponent = ((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let unit = 2f64.powi(exponent.clamp(-126, 127) - 23);
    (bounded(found.into()) - bounded(exact)).abs() / unit
}

/// Checks a function on lists of operands in all forms.
fn check(
    name: &str,
    bound: f64,
    forms: &[Form<f32>],
    lists: &mut dyn Iterator<Item = [Vec<f32>; 2]>,
    reference: &dyn Fn(f32, f32) -> f64,
) {
    let mut worst = vec![Worst::default(); forms.len()];
    for [x, y] in lists {
        let exact: Vec<f64> = x.iter().zip(&y).map(|(x, y)| reference(*x, *y)).collect();
        for (form, worst) in forms.iter().zip(&mut worst) {
            let found = form.run(name, &x, &y);
            for (i, found) in found.enumerate() {
                if let Err(message) = worst.add([x[i], y[i]], found, exact[i]) {
                    panic!("{name} of {message}, {}", form.name);
                }
            }
        }
    }
    for (form, Worst { ulps, at }) in forms.iter().zip(&worst) {
        println!("{name:8} {ulps:.3} at {:e}, {:e}, {}", at[0], at[1], form.name);
        assert!(*ulps <= bound, "{name} is {ulps} ulp off at {at:?}, {}", form.name);
    }
}

/// The largest errors that `docs/numerics.md` states.
#[test]
fn functions_are_within_their_bounds() {
    let only = std::env::var("LOOPWRIGHT_FUNCTION").ok();
    let is_wanted = |function: &&Function| only.as_ref().is_none_or(|name| name == function.name);
    let mut forms = Form::all(FUNCTIONS.iter().map(|function| (function.name, function.body)));
    forms.retain(|form| {
        !is_exhaustive() || ["vectors, fused", "vectors, rounded"].contains(&&*form.name)
    });
    for function in FUNCTIONS.iter().filter(is_wanted) {
        let mut lists = samples().map(|x| [x.clone(), x]);
        check(function.name, function.bound, &forms, &mut lists, &|x, _| {
            (function.reference)(x.into())
        });
    }
}

/// Pairs of special numbers, and random pairs; the power of most is finite.
fn pairs() -> [Vec<f32>; 2] {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32
    };
    let (mut x, mut y) = (vec![], vec![]);
    for one in special::NUMBERS {
        for other in special::NUMBERS {
            x.push(*one);
            y.push(*other);
        }
    }
    while x.len() < 600_000 {
        let any = f32::from_bits(next());
        let near_one = 1.0 + (next() as i32) as f32 * 2f32.powi(-33);
        let base = if next() % 2 == 0 { any.abs() } else { near_one };
        let log = (next() as i32) as f32 * 2f32.powi(-31) * 150.0;
        let integer = ((next() % 64) as i32 - 32) as f32;
        match next() % 4 {
            0 => (x.push(any), y.push(integer)),
            1 => (x.push(any), y.push(f32::from_bits(next()))),
            _ => (x.push(base), y.push(log / base.log2())),
        };
    }
    [x, y]
}

/// Functions of two arguments, for which not all pairs can be tried.
#[test]
fn functions_of_two_are_within_their_bounds() {
    let [x, y] = pairs();
    let bodies =
        [("atan2", "%0 = math.atan2 %x, %y : $t"), ("remf", "%0 = arith.remf %x, %y : $t")];
    let forms = Form::all(bodies.into_iter());
    for (name, bound, reference) in
        [("atan2", 2.0, f64::atan2 as fn(f64, f64) -> f64), ("remf", 0.0, |x, y| x % y)]
    {
        let mut lists = std::iter::once([x.clone(), y.clone()]);
        check(name, bound, &forms, &mut lists, &|x, y| reference(x.into(), y.into()));
    }
}

#[test]
fn powers_are_within_their_bounds() {
    let [x, y] = pairs();
    let body = "%0 = math.powf %x, %y : $t";
    let forms = Form::all([("powf", body)].into_iter());
    let mut lists = std::iter::once([x.clone(), y.clone()]);
    check("powf", 1.0, &forms, &mut lists, &|x, y| f64::from(x).powf(y.into()));

    // The exponent is the integer value of y, saturated to 32 bits.
    let body = "%w = arith.constant $c-2147483648.0$d : $t
        %v = arith.constant $c2147483520.0$d : $t
        %n = arith.cmpf ord, %y, %y : $t
        %z = arith.select %n, %y, %w : $b, $t
        %l = arith.maximumf %z, %w : $t
        %h = arith.minimumf %l, %v : $t
        %i = arith.fptosi %h : $t to $i
        %0 = math.fpowi %x, %i : $t, $i";
    let forms = Form::all([("fpowi", body)].into_iter());
    let mut lists = std::iter::once([x, y]);
    let cut = |y: f32| match y.is_nan() {
        true => f64::from(i32::MIN),
        false => f64::from(y.clamp(-2147483648.0, 2147483520.0)).trunc(),
    };
    check("fpowi", 1.0, &forms, &mut lists, &|x, y| f64::from(x).powf(cut(y)));
}

/// Vector code uses vector instructions.
#[test]
fn nothing_is_called() {
    let bodies = FUNCTIONS.iter().map(|function| (function.name, function.body));
    for form in Form::<f32>::texts(bodies.clone()).into_iter().chain(Form::<f64>::texts(bodies)) {
        form.lowered(|module, target| {
            let options = CodegenOptions { target, ..CodegenOptions::default() };
            let optimized = x86::optimize(module, &options).expect("it compiles");
            let assembly = optimized.assembly().expect("it has assembly");
            // The entry points call the kernels.
            let is_call = |line: &&str| line.contains("call") && !line.ends_with("_kernel");
            let calls: Vec<_> = assembly.lines().filter(is_call).collect();
            assert!(calls.is_empty(), "{}: {calls:?}", form.name);
        });
    }
}
