//! `memref.atomic_rmw` from many threads: no update is lost, for all types and kinds.

use super::harness::{Numbers, buffer, compile, numbers, run};
use half::{bf16, f16};
use std::fmt::Debug;

const UPDATES: usize = 20_000;
const CELLS: usize = 3;

/// The kinds of integer updates: initial value and function. All are exact in any order.
type Kind<T> = (&'static str, T, fn(T, T) -> T);

/// Combines `value(i)` with element `i % CELLS` for all `i`, in three threads, and compares with the expected result.
fn check<T: Numbers + Debug + PartialEq>(ty: &str, kinds: &[Kind<T>], value: impl Fn(usize) -> T) {
    for (kind, start, join) in kinds {
        let code = compile(&format!(
            "func.func @f(%A: memref<{UPDATES}x{ty}>, %C: memref<{CELLS}x{ty}> {{loop.result}}) {{
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %n = arith.constant {UPDATES} : index
              %cells = arith.constant {CELLS} : index
              scf.parallel (%i) = (%c0) to (%n) step (%c1) {{
                %cell = arith.remui %i, %cells : index
                %a = memref.load %A[%i] : memref<{UPDATES}x{ty}>
                %old = memref.atomic_rmw {kind} %a, %C[%cell] : ({ty}, memref<{CELLS}x{ty}>) -> {ty}
                scf.reduce
              }}
              return
            }}"
        ));
        let values: Vec<T> = (0..UPDATES).map(&value).collect();
        let mut expected = vec![*start; CELLS];
        for (i, value) in values.iter().enumerate() {
            expected[i % CELLS] = join(expected[i % CELLS], *value);
        }
        let arguments =
            vec![buffer(&[UPDATES as i64], &values), buffer(&[CELLS as i64], &[*start; CELLS])];
        let found: Vec<T> = numbers(&run(&code, "f", arguments, 3)[1]);
        assert_eq!(found, expected, "{kind} of {ty}");
    }
}

macro_rules! integers {
    ($($signed:ty, $unsigned:ty, $name:literal;)*) => {$(
        let kinds: &[Kind<$signed>] = &[
            ("addi", 5, <$signed>::wrapping_add),
            ("muli", 1, <$signed>::wrapping_mul),
            ("andi", -1, |a, b| a & b),
            ("ori", 0, |a, b| a | b),
            ("xori", 3, |a, b| a ^ b),
            ("maxs", <$signed>::MIN, |a, b| a.max(b)),
            ("mins", <$signed>::MAX, |a, b| a.min(b)),
            ("maxu", 0, |a, b| (a as $unsigned).max(b as $unsigned) as $signed),
            ("minu", -1, |a, b| (a as $unsigned).min(b as $unsigned) as $signed),
        ];
        check($name, kinds, |i| (i.wrapping_mul(2_654_435_761) >> 7) as $signed | 1);
    )*};
}

#[test]
fn integers_of_all_widths() {
    integers! { i8, u8, "i8"; i16, u16, "i16"; i32, u32, "i32"; i64, u64, "i64"; }
}

macro_rules! floats {
    ($($ty:ty, $name:literal, $of:expr, $to:expr;)*) => {$(
        let kinds: &[Kind<$ty>] = &[
            ("addf", $of(2.0), |a, b| $of($to(a) + $to(b))),
            ("maximumf", $of(-9.0), |a, b| $of($to(a).max($to(b)))),
            ("minimumf", $of(9.0), |a, b| $of($to(a).min($to(b)))),
            ("maxnumf", $of(-9.0), |a, b| $of($to(a).max($to(b)))),
            ("minnumf", $of(9.0), |a, b| $of($to(a).min($to(b)))),
        ];
        // Sums stay small integers in any order: each element gets as many 1 as -1.
        check($name, kinds, |i| $of(if i / CELLS % 2 == 0 { 1.0 } else { -1.0 }));
        let product: &[Kind<$ty>] = &[("mulf", $of(2.0), |a, b| $of($to(a) * $to(b)))];
        check($name, product, |i| $of(if i % 1000 < CELLS { -1.0 } else { 1.0 }));
    )*};
}

/// For 16-bit floats, a compare-and-exchange loop must combine like all other code.
#[test]
fn floats_of_all_widths() {
    floats! {
        f32, "f32", |x: f32| x, |x: f32| x;
        f64, "f64", |x: f64| x, |x: f64| x;
        f16, "f16", f16::from_f32, f16::to_f32;
        bf16, "bf16", bf16::from_f32, bf16::to_f32;
    }
}
