//! Every math and arith op of floats, as scalar and as vector, in each float type.

use super::harness::{Numbers, Value, buffer, compile, numbers, run};
use half::{bf16, f16};

/// A float type: how it is written, what it can hold.
trait Float: Numbers + PartialEq + std::fmt::Debug {
    const NAME: &'static str;
    /// Bits of the significand, the first included.
    const DIGITS: i32;
    /// The exponent of the smallest normal number.
    const LEAST: i32;
    /// The exponent of the largest numbers.
    const MOST: i32;
    fn to(self) -> f64;
    /// Of a value that the type has.
    fn from(value: f64) -> Self;
    fn bits(self) -> u64;

    /// The value of this type that is nearest to `value`, ties to even.
    fn nearest(value: f64) -> f64 {
        if value == 0.0 || !value.is_finite() {
            return value;
        }
        let exponent = (((value.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(Self::LEAST);
        let quantum = 2f64.powi(exponent - Self::DIGITS + 1);
        let rounded = (value / quantum).round_ties_even() * quantum;
        if rounded.abs() >= 2f64.powi(Self::MOST) * 2.0 {
            return f64::INFINITY.copysign(value);
        }
        rounded.copysign(value)
    }

    /// The distance between `value` and the next larger number of this type.
    fn ulp(value: f64) -> f64 {
        let exponent = (((value.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(Self::LEAST);
        2f64.powi(exponent - Self::DIGITS + 1)
    }
}

macro_rules! float {
    ($ty:ty, $name:literal, $digits:literal, $least:literal, $most:literal, $to:expr, $from:expr) => {
        impl Float for $ty {
            const NAME: &'static str = $name;
            const DIGITS: i32 = $digits;
            const LEAST: i32 = $least;
            const MOST: i32 = $most;
            fn to(self) -> f64 {
                $to(self)
            }
            fn from(value: f64) -> Self {
                $from(value)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    };
}
float!(f16, "f16", 11, -14, 15, f16::to_f64, f16::from_f64);
float!(bf16, "bf16", 8, -126, 127, bf16::to_f64, bf16::from_f64);
float!(f32, "f32", 24, -126, 127, f64::from, |value| value as f32);
float!(f64, "f64", 53, -1022, 1023, |value| value, |value| value);

/// Numbers of all magnitudes, and the special ones.
fn samples<T: Float>() -> Vec<T> {
    let mut state = 12345u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 11
    };
    let special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 3.5, -1.5, f64::INFINITY, -f64::INFINITY];
    let mut values: Vec<_> = special.iter().chain(&[f64::NAN]).map(|x| T::from(*x)).collect();
    while values.len() < 512 {
        let unit = next() as f64 / (1u64 << 53) as f64;
        let sign = if next() % 2 == 0 { 1.0 } else { -1.0 };
        // Half of them near 1, where functions do something, the others anywhere.
        let exponent = match next() % 2 {
            0 => next() as i32 % 4,
            _ => (next() as i32).rem_euclid(T::MOST - T::LEAST + T::DIGITS) + T::LEAST - T::DIGITS,
        };
        values.push(T::from(T::nearest(sign * (1.0 + unit) * 2f64.powi(exponent))));
    }
    values
}

/// Compiles `op` on `%x`, `%y`, `%z` of element type `ty`, as scalar and as vector, and runs both on
/// all elements. `op` has `$t` where a type stands.
fn apply<T: Float, R: Numbers>(op: &str, result: &str, operands: [&[T]; 3]) -> [Vec<R>; 2] {
    let (ty, n) = (T::NAME, operands[0].len());
    let vector = |ty: &str| format!("vector<16x{ty}>");
    let kernel = |name: &str, step: usize, t: &str, r: &str| {
        let (load, store) = if step == 1 {
            ("memref.load", "memref.store")
        } else {
            ("vector.load", "vector.store")
        };
        let suffix = |t: &str| if step == 1 { String::new() } else { format!(", {t}") };
        let op = op.replace("$t", t).replace("$r", r);
        let op = op.replace("$v<", if step == 1 { "<" } else { "vector<16x" });
        format!(
            "func.func @{name}(%X: memref<?x{ty}>, %Y: memref<?x{ty}>, %Z: memref<?x{ty}>, %R: memref<?x{result}>) {{
              %c0 = arith.constant 0 : index
              %step = arith.constant {step} : index
              %n = memref.dim %X, %c0 : memref<?x{ty}>
              scf.for %i = %c0 to %n step %step {{
                %x = {load} %X[%i] : memref<?x{ty}>{s}
                %y = {load} %Y[%i] : memref<?x{ty}>{s}
                %z = {load} %Z[%i] : memref<?x{ty}>{s}
                {op}
                {store} %r, %R[%i] : memref<?x{result}>{sr}
              }}
              return
            }}\n",
            s = suffix(t),
            sr = suffix(r),
        )
    };
    let text =
        kernel("scalar", 1, ty, result) + &kernel("vector", 16, &vector(ty), &vector(result));
    let code = compile(&text);
    ["scalar", "vector"].map(|name| {
        let [x, y, z] = operands.map(|values| buffer(&[n as i64], values));
        let zeros = Value::Buffer(vec![n as i64], vec![0; n * size_of::<R>()]);
        numbers(&run(&code, name, vec![x, y, z, zeros], 1)[3])
    })
}

/// Checks that results are within `ulps` of the reference; 0 is: correctly rounded.
fn check<T: Float>(op: &str, ulps: f64, reference: impl Fn(f64, f64, f64) -> f64) {
    let (x, n) = (samples::<T>(), samples::<T>().len());
    let y: Vec<T> = (0..n).map(|i| x[(i * 7 + 3) % n]).collect();
    let z: Vec<T> = (0..n).map(|i| x[(i * 13 + 5) % n]).collect();
    let results = apply::<T, T>(op, T::NAME, [&x, &y, &z]);
    for (form, found) in ["scalar", "vector"].iter().zip(&results) {
        for i in 0..n {
            let exact = reference(x[i].to(), y[i].to(), z[i].to());
            let expected = T::nearest(exact);
            let found = found[i].to();
            let near = || (found - exact).abs() <= ulps * T::ulp(exact);
            let same = found.to_bits() == expected.to_bits();
            assert!(
                same || (found.is_nan() && expected.is_nan()) || (ulps > 0.0 && near()),
                "{op} of {}, {form}: at {:?}, {:?}, {:?} is {found:e}, expected {expected:e}",
                T::NAME,
                x[i],
                y[i],
                z[i],
            );
        }
    }
}

/// Checks an op in all float types.
fn check_all(op: &str, ulps: f64, reference: impl Fn(f64, f64, f64) -> f64) {
    check::<f16>(op, ulps, &reference);
    check::<bf16>(op, ulps, &reference);
    check::<f32>(op, ulps, &reference);
    check::<f64>(op, ulps, &reference);
}

fn unary(name: &str) -> String {
    format!("%r = {name} %x : $t")
}

fn binary(name: &str) -> String {
    format!("%r = {name} %x, %y : $t")
}

/// Arithmetic is rounded after every op, also in 16 bits. In f64 the reference is exact enough for
/// the smaller types: it has more than twice their digits.
#[test]
fn arithmetic_is_correctly_rounded() {
    check_all(&binary("arith.addf"), 0.0, |x, y, _| x + y);
    check_all(&binary("arith.subf"), 0.0, |x, y, _| x - y);
    check_all(&binary("arith.mulf"), 0.0, |x, y, _| x * y);
    check_all(&binary("arith.divf"), 0.0, |x, y, _| x / y);
    check_all(&binary("arith.remf"), 0.0, |x, y, _| x % y);
    check_all(&unary("arith.negf"), 0.0, |x, _, _| -x);
    check_all(&unary("math.sqrt"), 0.0, |x, _, _| x.sqrt());
    let two = "%a = arith.mulf %x, %y : $t %r = arith.addf %a, %z : $t";
    check::<f16>(two, 0.0, |x, y, z| f16::nearest(x * y) + z);
    check::<bf16>(two, 0.0, |x, y, z| bf16::nearest(x * y) + z);
    check::<f32>(two, 0.0, |x, y, z| f32::nearest(x * y) + z);
}

#[test]
fn maxima_treat_nan_and_zero_as_they_say() {
    let maximum = |x: f64, y: f64| match x.is_nan() || y.is_nan() {
        true => f64::NAN,
        false if x == y => {
            if x.is_sign_negative() {
                y
            } else {
                x
            }
        }
        false => x.max(y),
    };
    check_all(&binary("arith.maximumf"), 0.0, |x, y, _| maximum(x, y));
    check_all(&binary("arith.minimumf"), 0.0, |x, y, _| -maximum(-x, -y));
}

#[test]
fn rounding_functions_are_exact() {
    check_all(&unary("math.absf"), 0.0, |x, _, _| x.abs());
    check_all(&unary("math.ceil"), 0.0, |x, _, _| x.ceil());
    check_all(&unary("math.floor"), 0.0, |x, _, _| x.floor());
    check_all(&unary("math.round"), 0.0, |x, _, _| x.round());
    check_all(&unary("math.roundeven"), 0.0, |x, _, _| x.round_ties_even());
    check_all(&unary("math.trunc"), 0.0, |x, _, _| x.trunc());
    check_all(&binary("math.copysign"), 0.0, |x, y, _| x.copysign(y));
}

/// One place of error: what libm promises in f32 and f64, and one rounding from f32 in 16 bits.
#[test]
fn functions_are_accurate() {
    check_all(&unary("math.exp"), 1.0, |x, _, _| x.exp());
    check_all(&unary("math.exp2"), 1.0, |x, _, _| x.exp2());
    check_all(&unary("math.expm1"), 1.0, |x, _, _| x.exp_m1());
    check_all(&unary("math.log"), 1.0, |x, _, _| x.ln());
    check_all(&unary("math.log2"), 1.0, |x, _, _| x.log2());
    check_all(&unary("math.log10"), 2.0, |x, _, _| x.log10());
    check_all(&unary("math.log1p"), 1.0, |x, _, _| x.ln_1p());
    check_all(&unary("math.sin"), 1.0, |x, _, _| x.sin());
    check_all(&unary("math.cos"), 1.0, |x, _, _| x.cos());
    check_all(&unary("math.tan"), 1.0, |x, _, _| x.tan());
    check_all(&unary("math.asin"), 1.0, |x, _, _| x.asin());
    check_all(&unary("math.acos"), 1.0, |x, _, _| x.acos());
    check_all(&unary("math.atan"), 1.0, |x, _, _| x.atan());
    check_all(&unary("math.sinh"), 2.0, |x, _, _| x.sinh());
    check_all(&unary("math.cosh"), 2.0, |x, _, _| x.cosh());
    check_all(&unary("math.tanh"), 2.0, |x, _, _| x.tanh());
    check_all(&unary("math.asinh"), 2.0, |x, _, _| libm::asinh(x));
    check_all(&unary("math.acosh"), 2.0, |x, _, _| libm::acosh(x));
    check_all(&unary("math.atanh"), 2.0, |x, _, _| libm::atanh(x));
    check_all(&unary("math.erf"), 1.0, |x, _, _| libm::erf(x));
    check_all(&unary("math.erfc"), 4.0, |x, _, _| libm::erfc(x));
    check_all(&unary("math.cbrt"), 1.0, |x, _, _| x.cbrt());
    check_all(&unary("math.rsqrt"), 1.0, |x, _, _| 1.0 / x.sqrt());
    check_all(&binary("math.powf"), 1.0, |x, y, _| x.powf(y));
    check_all(&binary("math.atan2"), 1.0, |x, y, _| x.atan2(y));
}
