//! Every math and arith op on floats, as scalar and as vector, in each float type.

use super::harness::{Numbers, Value, buffer, compile, numbers, run};
use half::{bf16, f16};

/// All errors, one line for an op, type and form.
#[derive(Default)]
struct Complaints(Vec<String>);

impl Drop for Complaints {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
        }
    }
}

/// A float type: its name, and the values that it represents.
trait Float: Numbers + PartialEq + std::fmt::Debug {
    const NAME: &'static str;
    /// Bits of the significand, the first included.
    const DIGITS: i32;
    /// The exponent of the smallest normal number.
    const LEAST: i32;
    /// The exponent of the largest numbers.
    const MOST: i32;
    fn widen(self) -> f64;
    /// Converts a value that the type represents.
    fn narrow(value: f64) -> Self;

    /// The value of this type that is nearest to `value`, ties to even.
    fn nearest(value: f64) -> f64 {
        if Self::DIGITS == 53 || value == 0.0 || !value.is_finite() {
            return value;
        }
        let exponent = (((value.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(Self::LEAST);
        let quantum = f64::from(exponent - Self::DIGITS + 1).exp2();
        let rounded = (value / quantum).round_ties_even() * quantum;
        if rounded.abs() >= f64::from(Self::MOST).exp2() * 2.0 {
            return f64::INFINITY.copysign(value);
        }
        rounded.copysign(value)
    }

    /// The distance between `value` and the next larger number of this type.
    fn ulp(value: f64) -> f64 {
        let exponent = (((value.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(Self::LEAST);
        f64::from(exponent - Self::DIGITS + 1).exp2()
    }
}

macro_rules! float {
    ($ty:ty, $name:literal, $digits:literal, $least:literal, $most:literal, $to:expr, $from:expr) => {
        impl Float for $ty {
            const NAME: &'static str = $name;
            const DIGITS: i32 = $digits;
            const LEAST: i32 = $least;
            const MOST: i32 = $most;
            fn widen(self) -> f64 {
                $to(self)
            }
            fn narrow(value: f64) -> Self {
                $from(value)
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
    let mut values: Vec<_> = special.iter().chain(&[f64::NAN]).map(|x| T::narrow(*x)).collect();
    while values.len() < 512 {
        let unit = next() as f64 / (1u64 << 53) as f64;
        let sign = if next() % 2 == 0 { 1.0 } else { -1.0 };
        // Half of them near 1, where functions vary, the others anywhere.
        let exponent = match next() % 2 {
            0 => next() as i32 % 4,
            _ => (next() as i32).rem_euclid(T::MOST - T::LEAST + T::DIGITS) + T::LEAST - T::DIGITS,
        };
        values.push(T::narrow(T::nearest(sign * (1.0 + unit) * f64::from(exponent).exp2())));
    }
    values
}

/// Compiles `op` on `%x`, `%y`, `%z` of element type `ty`, as scalar and as vector, and runs both on
/// all elements. In `op`, `$t` is the type.
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

impl Complaints {
    /// Checks that results are within `ulps` of the reference; 0 means correctly rounded.
    fn check<T: Float>(&mut self, op: &str, ulps: f64, reference: impl Fn(f64, f64, f64) -> f64) {
        let (x, n) = (samples::<T>(), samples::<T>().len());
        let y: Vec<T> = (0..n).map(|i| x[(i * 7 + 3) % n]).collect();
        let z: Vec<T> = (0..n).map(|i| x[(i * 13 + 5) % n]).collect();
        let results = apply::<T, T>(op, T::NAME, [&x, &y, &z]);
        for (form, found) in ["scalar", "vector"].iter().zip(&results) {
            for i in 0..n {
                let exact = reference(x[i].widen(), y[i].widen(), z[i].widen());
                let expected = T::nearest(exact);
                let found = found[i].widen();
                let near = || (found - exact).abs() <= ulps * T::ulp(exact);
                let same = found.to_bits() == expected.to_bits();
                if !(same || (found.is_nan() && expected.is_nan()) || (ulps > 0.0 && near())) {
                    self.0.push(format!(
                    "{op} of {}, {form}: at {:?}, {:?}, {:?} is {found:e}, expected {expected:e}",
                    T::NAME,
                    x[i],
                    y[i],
                    z[i],
                ));
                    break;
                }
            }
        }
    }

    /// Checks an op in all float types.
    fn check_all(&mut self, op: &str, ulps: f64, reference: impl Fn(f64, f64, f64) -> f64) {
        self.check::<f16>(op, ulps, &reference);
        self.check::<bf16>(op, ulps, &reference);
        self.check::<f32>(op, ulps, &reference);
        self.check::<f64>(op, ulps, &reference);
    }
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
    let mut all = Complaints::default();
    all.check_all(&binary("arith.addf"), 0.0, |x, y, _| x + y);
    all.check_all(&binary("arith.subf"), 0.0, |x, y, _| x - y);
    all.check_all(&binary("arith.mulf"), 0.0, |x, y, _| x * y);
    all.check_all(&binary("arith.divf"), 0.0, |x, y, _| x / y);
    all.check_all(&binary("arith.remf"), 0.0, |x, y, _| x % y);
    all.check_all(&unary("arith.negf"), 0.0, |x, _, _| -x);
    all.check_all(&unary("math.sqrt"), 0.0, |x, _, _| x.sqrt());
    let two = "%a = arith.mulf %x, %y : $t %r = arith.addf %a, %z : $t";
    all.check::<f16>(two, 0.0, |x, y, z| f16::nearest(x * y) + z);
    all.check::<bf16>(two, 0.0, |x, y, z| bf16::nearest(x * y) + z);
    all.check::<f32>(two, 0.0, |x, y, z| f32::nearest(x * y) + z);
}

#[test]
fn maxima_treat_nan_and_zero_as_they_say() {
    let mut all = Complaints::default();
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
    all.check_all(&binary("arith.maximumf"), 0.0, |x, y, _| maximum(x, y));
    all.check_all(&binary("arith.minimumf"), 0.0, |x, y, _| -maximum(-x, -y));
}

#[test]
fn rounding_functions_are_exact() {
    let mut all = Complaints::default();
    all.check_all(&unary("math.absf"), 0.0, |x, _, _| x.abs());
    all.check_all(&unary("math.ceil"), 0.0, |x, _, _| x.ceil());
    all.check_all(&unary("math.floor"), 0.0, |x, _, _| x.floor());
    all.check_all(&unary("math.round"), 0.0, |x, _, _| x.round());
    all.check_all(&unary("math.roundeven"), 0.0, |x, _, _| x.round_ties_even());
    all.check_all(&unary("math.trunc"), 0.0, |x, _, _| x.trunc());
    all.check_all(&binary("math.copysign"), 0.0, |x, y, _| x.copysign(y));
}

/// The accuracy of `expand-math` (`cargo test --test math` tests it more), in f64 with that of the reference. 16-bit
/// types have one rounding from f32.
#[test]
fn functions_are_accurate() {
    let mut all = Complaints::default();
    all.check_all(&unary("math.exp"), 1.0, |x, _, _| x.exp());
    all.check_all(&unary("math.exp2"), 2.0, |x, _, _| x.exp2());
    all.check_all(&unary("math.expm1"), 2.0, |x, _, _| x.exp_m1());
    all.check_all(&unary("math.log"), 1.0, |x, _, _| x.ln());
    all.check_all(&unary("math.log2"), 3.0, |x, _, _| x.log2());
    all.check_all(&unary("math.log10"), 3.0, |x, _, _| x.log10());
    all.check_all(&unary("math.log1p"), 2.0, |x, _, _| x.ln_1p());
    all.check_all(&unary("math.sin"), 2.0, |x, _, _| x.sin());
    all.check_all(&unary("math.cos"), 2.0, |x, _, _| x.cos());
    all.check_all(&unary("math.tan"), 1.0, |x, _, _| x.tan());
    all.check_all(&unary("math.asin"), 3.0, |x, _, _| x.asin());
    all.check_all(&unary("math.acos"), 2.0, |x, _, _| x.acos());
    all.check_all(&unary("math.atan"), 2.0, |x, _, _| x.atan());
    all.check_all(&unary("math.sinh"), 2.0, |x, _, _| x.sinh());
    all.check_all(&unary("math.cosh"), 2.0, |x, _, _| x.cosh());
    all.check_all(&unary("math.tanh"), 2.0, |x, _, _| x.tanh());
    all.check_all(&unary("math.asinh"), 2.0, |x, _, _| x.asinh());
    all.check_all(&unary("math.acosh"), 2.0, |x, _, _| x.acosh());
    all.check_all(&unary("math.atanh"), 2.0, |x, _, _| libm::atanh(x));
    let erf = |x: f64, _: f64, _: f64| libm::erf(x);
    all.check::<f16>(&unary("math.erf"), 1.0, erf);
    all.check::<bf16>(&unary("math.erf"), 1.0, erf);
    all.check::<f32>(&unary("math.erf"), 5.0, erf);
    all.check::<f64>(&unary("math.erf"), 2.0, erf);
    all.check_all(&unary("math.erfc"), 4.0, |x, _, _| libm::erfc(x));
    all.check_all(&unary("math.cbrt"), 4.0, |x, _, _| x.cbrt());
    all.check_all(&unary("math.rsqrt"), 2.0, |x, _, _| 1.0 / x.sqrt());
    all.check_all(&binary("math.powf"), 1.0, |x, y, _| x.powf(y));
    all.check_all(&binary("math.atan2"), 2.0, |x, y, _| x.atan2(y));
}

/// A fused multiply-add is rounded once, in math and in vector.
#[test]
fn fma_is_rounded_once() {
    let mut all = Complaints::default();
    // In f64 the product of 16-bit floats is exact; `odd_sum` rounds the sum so that a second rounding
    // is harmless. f32 and f64 have instructions.
    all.check::<f16>("%r = math.fma %x, %y, %z : $t", 0.0, |x, y, z| odd_sum(x * y, z));
    all.check::<bf16>("%r = math.fma %x, %y, %z : $t", 0.0, |x, y, z| odd_sum(x * y, z));
    all.check::<f32>("%r = math.fma %x, %y, %z : $t", 0.0, |x, y, z| {
        f64::from((x as f32).mul_add(y as f32, z as f32))
    });
    all.check::<f64>("%r = math.fma %x, %y, %z : $t", 0.0, |x, y, z| x.mul_add(y, z));
}

/// A product that is a tie, and an addend far below it: rounding twice gives another result.
#[test]
fn fma_breaks_ties() {
    fn ties<T: Float>(op: &str, x: f64, y: f64, small: f64, [below, tie, above]: [f64; 3]) {
        let all = |value| [T::narrow(value); 16];
        for (z, expected) in [(-small, below), (0.0, tie), (small, above)] {
            for found in apply::<T, T>(op, T::NAME, [&all(x), &all(y), &all(z)]) {
                assert_eq!(found, all(expected), "{op} of {}, {x} * {y} + {z:e}", T::NAME);
            }
        }
    }
    let scalar_or_vector = "%r = math.fma %x, %y, %z : $t";
    ties::<bf16>(scalar_or_vector, 7.0, 37.0, bf16::nearest(1e-30), [258.0, 260.0, 260.0]);
    ties::<bf16>(scalar_or_vector, -7.0, 37.0, bf16::nearest(1e-30), [-260.0, -260.0, -258.0]);
    ties::<f16>(scalar_or_vector, 3.0, 683.0, f64::from(-24).exp2(), [2048.0, 2048.0, 2050.0]);
}

/// The sum of two numbers, rounded to odd if it is inexact.
fn odd_sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let (large, small) = if x.abs() > y.abs() { (x, y) } else { (y, x) };
    let error = small - (sum - large);
    if !sum.is_finite() || error == 0.0 || sum.to_bits() % 2 == 1 {
        return sum;
    }
    if (error > 0.0) == (sum > 0.0) {
        f64::from_bits(sum.to_bits() + 1)
    } else {
        f64::from_bits(sum.to_bits() - 1)
    }
}

/// Conversions round once: from f64 and from integers to everything smaller.
#[test]
fn conversions_are_rounded_once() {
    let x = doubles();
    fn narrowed<T: Float>(x: &[f64]) {
        for found in apply::<f64, T>("%r = arith.truncf %x : $t to $r", T::NAME, [x, x, x]) {
            for (x, found) in x.iter().zip(found) {
                let expected = T::nearest(*x);
                let same = found.widen().to_bits() == expected.to_bits();
                assert!(
                    same || x.is_nan() && found.widen().is_nan(),
                    "{} of {x:e}: {found:?}",
                    T::NAME
                );
            }
        }
    }
    narrowed::<f16>(&x);
    narrowed::<bf16>(&x);
    narrowed::<f32>(&x);
}

/// Samples of f64, and ties of the smaller types with and without a tiny remainder.
fn doubles() -> Vec<f64> {
    let mut values: Vec<f64> = samples::<f64>();
    values.truncate(256);
    for digits in [11, 8, 24] {
        for scale in [0, 3, -14, -16, -24, -126, -130, -133, 15] {
            let scale = f64::from(scale).exp2();
            let (tie, bit) = (f64::from(-digits).exp2(), f64::from(-52).exp2());
            for value in [1.0 + tie, 1.0 + tie + bit, 1.0 + tie - bit, 1.0 + 3.0 * tie] {
                values.extend([value * scale, -value * scale]);
            }
        }
    }
    values.extend([65519.999, 65520.0, 3.4e38, 3.39e38, 1e300, 1e-300]);
    while !values.len().is_multiple_of(16) {
        values.push(0.0);
    }
    values
}

#[test]
fn integers_become_floats_rounded_once() {
    let mut x = vec![];
    for shift in 0..63 {
        for low in [0i64, 1, -1] {
            for high in [1i64, 3, 257, 259, 2049, 2051, 513, -1, -257, -2049] {
                x.push(high.wrapping_shl(shift).wrapping_add(low));
            }
        }
    }
    x.extend([i64::MIN, i64::MAX, 0, 1, -1, 65519, 65520]);
    x.truncate(x.len() / 16 * 16);
    fn converted<T: Float>(x: &[i64]) {
        let text = ["sitofp", "uitofp"].map(|op| {
            format!(
                "func.func @{op}(%X: memref<?xi64>, %R: memref<?x{ty}>) {{
                  %c0 = arith.constant 0 : index
                  %c16 = arith.constant 16 : index
                  %n = memref.dim %X, %c0 : memref<?xi64>
                  scf.for %i = %c0 to %n step %c16 {{
                    %x = vector.load %X[%i] : memref<?xi64>, vector<16xi64>
                    %r = arith.{op} %x : vector<16xi64> to vector<16x{ty}>
                    vector.store %r, %R[%i] : memref<?x{ty}>, vector<16x{ty}>
                  }}
                  return
                }}",
                ty = T::NAME
            )
        });
        let code = compile(&text.join("\n"));
        let n = x.len() as i64;
        for op in ["sitofp", "uitofp"] {
            let zeros = Value::Buffer(vec![n], vec![0; x.len() * size_of::<T>()]);
            let found: Vec<T> = numbers(&run(&code, op, vec![buffer(&[n], x), zeros], 1)[1]);
            for (x, found) in x.iter().zip(found) {
                let exact = if op == "sitofp" { i128::from(*x) } else { i128::from(*x as u64) };
                // A value that f64 cannot represent is marked in its last bit.
                let near = exact as f64;
                let cut = exact - near as i128;
                let odd = match near.to_bits().is_multiple_of(2) && cut != 0 {
                    true if (cut > 0) == (exact > 0) => f64::from_bits(near.to_bits() + 1),
                    true => f64::from_bits(near.to_bits() - 1),
                    false => near,
                };
                let odd = if T::DIGITS == 53 { near } else { odd };
                assert_eq!(found.widen(), T::nearest(odd), "{op} of {x} to {}", T::NAME);
            }
        }
    }
    converted::<f16>(&x);
    converted::<bf16>(&x);
    converted::<f32>(&x);
    converted::<f64>(&x);
}

/// Runs a kernel on bf16 and integers; the result is compared bit by bit.
#[test]
fn other_ops_on_small_floats() {
    let code = compile(
        "func.func @f(%X: memref<8xbf16>, %H: memref<8xf16>, %B: memref<6xbf16>, %F: memref<2xf16>, %I: memref<4xi32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c4 = arith.constant 4 : index
          %c5 = arith.constant 5 : index
          %n3 = arith.constant 3 : i32
          %x = vector.load %X[%c0] : memref<8xbf16>, vector<8xbf16>
          %x0 = memref.load %X[%c0] : memref<8xbf16>
          %x1 = memref.load %X[%c1] : memref<8xbf16>
          %h = vector.load %H[%c0] : memref<8xf16>, vector<8xf16>
          %0 = vector.reduction <add>, %x : vector<8xbf16> into bf16
          memref.store %0, %B[%c0] : memref<6xbf16>
          %1 = vector.reduction <maximumf>, %x, %x1 : vector<8xbf16> into bf16
          memref.store %1, %B[%c1] : memref<6xbf16>
          %p = arith.cmpf olt, %x0, %x1 : bf16
          %2 = arith.select %p, %x0, %x1 : bf16
          memref.store %2, %B[%c2] : memref<6xbf16>
          %3 = math.clampf %x1 to [%x0, %x0] : bf16
          memref.store %3, %B[%c3] : memref<6xbf16>
          %4 = math.fpowi %x1, %n3 : bf16, i32
          memref.store %4, %B[%c4] : memref<6xbf16>
          %5 = arith.maxnumf %x0, %x1 : bf16
          memref.store %5, %B[%c5] : memref<6xbf16>
          %6 = vector.reduction <mul>, %h : vector<8xf16> into f16
          memref.store %6, %F[%c0] : memref<2xf16>
          %7 = vector.fma %h, %h, %h : vector<8xf16>
          %8 = vector.extract %7[1] : f16 from vector<8xf16>
          memref.store %8, %F[%c1] : memref<2xf16>
          %9 = arith.fptosi %x1 : bf16 to i32
          memref.store %9, %I[%c0] : memref<4xi32>
          %10 = arith.bitcast %x0 : bf16 to i16
          %11 = arith.extui %10 : i16 to i32
          memref.store %11, %I[%c1] : memref<4xi32>
          %12 = math.isnan %x1 : bf16
          %13 = arith.extui %12 : i1 to i32
          memref.store %13, %I[%c2] : memref<4xi32>
          %14 = math.ctlz %9 : i32
          memref.store %14, %I[%c3] : memref<4xi32>
          return
        }",
    );
    let tiny = bf16::from_bits(1);
    let x = [tiny, bf16::from_f32(3.0), bf16::from_f32(256.0)]
        .into_iter()
        .chain([bf16::ONE; 5])
        .collect::<Vec<_>>();
    let h: Vec<_> = [1.0, 1.5, 2.0, 0.5, 1.0, 1.0, 1.0, 3.0].map(f16::from_f32).into();
    let arguments = vec![
        buffer(&[8], &x),
        buffer(&[8], &h),
        buffer(&[6], &[bf16::ZERO; 6]),
        buffer(&[2], &[f16::ZERO; 2]),
        buffer(&[4], &[0i32; 4]),
    ];
    let results = run(&code, "f", arguments, 1);
    // 256 + 1 is a tie in bf16, each time: the result shows the order and the roundings.
    let expected = [260.0, 256.0].map(bf16::from_f32);
    assert_eq!(numbers::<bf16>(&results[2])[..2], expected);
    let expected = [tiny, tiny, bf16::from_f32(27.0), bf16::from_f32(3.0)];
    assert_eq!(numbers::<bf16>(&results[2])[2..], expected);
    assert_eq!(numbers::<f16>(&results[3]), [4.5, 3.75].map(f16::from_f32));
    assert_eq!(numbers::<i32>(&results[4]), [3, 1, 0, 30]);
}

/// Integer exponents of all widths, and the integer functions of math and arith, against Rust's.
#[test]
fn integer_functions() {
    let code = compile(
        "func.func @f(%X: memref<16xi32>, %Y: memref<16xi32>, %R: memref<7x16xi32>, %P: memref<2x16xf64>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c4 = arith.constant 4 : index
          %c5 = arith.constant 5 : index
          %c6 = arith.constant 6 : index
          %x = vector.load %X[%c0] : memref<16xi32>, vector<16xi32>
          %y = vector.load %Y[%c0] : memref<16xi32>, vector<16xi32>
          %0 = math.absi %x : vector<16xi32>
          vector.store %0, %R[%c0, %c0] : memref<7x16xi32>, vector<16xi32>
          %1 = math.ctlz %x : vector<16xi32>
          vector.store %1, %R[%c1, %c0] : memref<7x16xi32>, vector<16xi32>
          %2 = math.cttz %x : vector<16xi32>
          vector.store %2, %R[%c2, %c0] : memref<7x16xi32>, vector<16xi32>
          %3 = math.ctpop %x : vector<16xi32>
          vector.store %3, %R[%c3, %c0] : memref<7x16xi32>, vector<16xi32>
          %4 = arith.floordivsi %x, %y : vector<16xi32>
          vector.store %4, %R[%c4, %c0] : memref<7x16xi32>, vector<16xi32>
          %5 = arith.ceildivsi %x, %y : vector<16xi32>
          vector.store %5, %R[%c5, %c0] : memref<7x16xi32>, vector<16xi32>
          %6 = arith.ceildivui %x, %y : vector<16xi32>
          vector.store %6, %R[%c6, %c0] : memref<7x16xi32>, vector<16xi32>
          %b = arith.constant dense<1.5> : vector<16xf64>
          %7 = math.fpowi %b, %y : vector<16xf64>, vector<16xi32>
          vector.store %7, %P[%c0, %c0] : memref<2x16xf64>, vector<16xf64>
          %wide = arith.extsi %y : vector<16xi32> to vector<16xi64>
          %8 = math.fpowi %b, %wide : vector<16xf64>, vector<16xi64>
          vector.store %8, %P[%c1, %c0] : memref<2x16xf64>, vector<16xf64>
          return
        }",
    );
    let x = [0, 1, -1, 7, -7, 8, -8, 100, -100, i32::MAX, i32::MIN + 1, 12, 13, 14, 15, 1 << 20];
    let y = [1, 2, 2, 2, 2, -3, -3, 7, -7, 10, 10, 5, 5, 5, 5, 3];
    let arguments = vec![
        buffer(&[16], &x),
        buffer(&[16], &y),
        buffer(&[7, 16], &[0i32; 112]),
        buffer(&[2, 16], &[0f64; 32]),
    ];
    let results = run(&code, "f", arguments, 1);
    let (found, powers) = (numbers::<i32>(&results[2]), numbers::<f64>(&results[3]));
    for i in 0..16 {
        let (a, b) = (x[i], y[i]);
        let quotient = f64::from(a) / f64::from(b);
        let expected = [
            a.abs(),
            a.leading_zeros() as i32,
            a.trailing_zeros() as i32,
            a.count_ones() as i32,
            quotient.floor() as i32,
            quotient.ceil() as i32,
            (a as u32).div_ceil(b as u32) as i32,
        ];
        for (row, expected) in expected.into_iter().enumerate() {
            assert_eq!(found[row * 16 + i], expected, "row {row} of {a}, {b}");
        }
        for row in 0..2 {
            let (found, expected) = (powers[row * 16 + i], 1.5f64.powi(b));
            assert!((found / expected - 1.0).abs() < 1e-15, "1.5^{b} in row {row}: {found}");
        }
    }
}

/// Powers of integers, ops with two results, and the classes of numbers, where subnormals differ by type.
#[test]
fn pairs_and_classes() {
    let classes = |ty: &str| {
        format!(
            "func.func @{ty}(%X: memref<8x{ty}>, %R: memref<3x8xi8>) {{
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %c2 = arith.constant 2 : index
              %x = vector.load %X[%c0] : memref<8x{ty}>, vector<8x{ty}>
              %0 = math.isnormal %x : vector<8x{ty}>
              %1 = math.isfinite %x : vector<8x{ty}>
              %2 = math.isinf %x : vector<8x{ty}>
              %3 = arith.extui %0 : vector<8xi1> to vector<8xi8>
              %4 = arith.extui %1 : vector<8xi1> to vector<8xi8>
              %5 = arith.extui %2 : vector<8xi1> to vector<8xi8>
              vector.store %3, %R[%c0, %c0] : memref<3x8xi8>, vector<8xi8>
              vector.store %4, %R[%c1, %c0] : memref<3x8xi8>, vector<8xi8>
              vector.store %5, %R[%c2, %c0] : memref<3x8xi8>, vector<8xi8>
              return
            }}\n"
        )
    };
    let pairs = "func.func @pairs(%X: memref<4xf32>, %I: memref<4xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %x = memref.load %X[%c0] : memref<4xf32>
      %s, %c = math.sincos %x : f32
      memref.store %s, %X[%c1] : memref<4xf32>
      memref.store %c, %X[%c2] : memref<4xf32>
      %i = vector.load %I[%c0] : memref<4xi32>, vector<4xi32>
      %p = math.ipowi %i, %i : vector<4xi32>
      vector.store %p, %I[%c0] : memref<4xi32>, vector<4xi32>
      return
    }";
    let code = compile(&(["f16", "bf16", "f32", "f64"].map(classes).join("") + pairs));
    let results =
        run(&code, "pairs", vec![buffer(&[4], &[0.5f32; 4]), buffer(&[4], &[0, 3, -1, 9])], 1);
    let found: Vec<f32> = numbers(&results[0]);
    assert!((found[1] - 0.5f32.sin()).abs() < 1e-7 && (found[2] - 0.5f32.cos()).abs() < 1e-7);
    assert_eq!(numbers::<i32>(&results[1]), [1, 27, -1, 387420489]);

    fn check<T: Float>(code: &loopwright::codegen::Jit) {
        let least = f64::from(T::LEAST).exp2();
        let x = [0.0, -0.0, least, -least / 2.0, 1.0, f64::NAN, f64::INFINITY, -f64::INFINITY];
        let x = x.map(T::narrow);
        let arguments = vec![buffer(&[8], &x), buffer(&[3, 8], &[9i8; 24])];
        let found: Vec<i8> = numbers(&run(code, T::NAME, arguments, 1)[1]);
        assert_eq!(found[..8], [0, 0, 1, 0, 1, 0, 0, 0], "isnormal of {}", T::NAME);
        assert_eq!(found[8..16], [1, 1, 1, 1, 1, 0, 0, 0], "isfinite of {}", T::NAME);
        assert_eq!(found[16..], [0, 0, 0, 0, 0, 0, 1, 1], "isinf of {}", T::NAME);
    }
    check::<f16>(&code);
    check::<bf16>(&code);
    check::<f32>(&code);
    check::<f64>(&code);
}
