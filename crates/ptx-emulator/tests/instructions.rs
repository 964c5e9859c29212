//! Instructions on registers, compared with references that use other algorithms.

#[path = "harness/operands.rs"]
mod operands;
#[path = "harness/runner.rs"]
mod runner;

use half::{bf16, f16};
use operands::{N16, N32, N64, check, doubles, evaluate, float_rows, rows, singles};
use proptest::prelude::*;

#[test]
fn integer_arithmetic() {
    let rows = rows();
    macro_rules! of {
        ($ty:literal, $T:ty, $W:ty, $bits:expr) => {
            let each = |name: &str, of: fn($T, $T, $T) -> $T| {
                let text = match name {
                    "neg" | "not" => format!("{name}.{} %d, %a;", $ty),
                    "mad.lo" | "mad.hi" | "sad" => format!("{name}.{} %d, %a, %b, %c;", $ty),
                    _ => format!("{name}.{} %d, %a, %b;", $ty),
                };
                check(&text, $bits, &rows, |[a, b, c]| of(a as $T, b as $T, c as $T) as u64);
            };
            each("add", |a, b, _| (a as $W + b as $W) as $T);
            each("sub", |a, b, _| (a as $W - b as $W) as $T);
            each("mul.lo", |a, b, _| ((a as $W).wrapping_mul(b as $W)) as $T);
            each("mul.hi", |a, b, _| ((a as $W).wrapping_mul(b as $W) >> <$T>::BITS) as $T);
            each("mad.lo", |a, b, c| (a as $W).wrapping_mul(b as $W).wrapping_add(c as $W) as $T);
            each("min", |a, b, _| if a < b { a } else { b });
            each("max", |a, b, _| if a > b { a } else { b });
            each("sad", |a, b, c| {
                (if a > b { a as $W - b as $W } else { b as $W - a as $W }).wrapping_add(c as $W)
                    as $T
            });
        };
    }
    of!("u16", u16, i128, N16);
    of!("s16", i16, i128, N16);
    of!("u32", u32, i128, N32);
    of!("s32", i32, i128, N32);
    of!("u64", u64, i128, N64);
    of!("s64", i64, i128, N64);
    check("mul.wide.s32 %d, %a, %b;", [64, 32, 32, 32], &rows, |[a, b, _]| {
        (i64::from(a as i32) * i64::from(b as i32)) as u64
    });
    check("mad.wide.u16 %d, %a, %b, %c;", [32, 16, 16, 32], &rows, |[a, b, c]| {
        ((a & 0xffff) * (b & 0xffff) + (c & 0xffff_ffff)) & 0xffff_ffff
    });
    check("add.sat.s32 %d, %a, %b;", N32, &rows, |[a, b, _]| {
        (a as i32 as i64 + b as i32 as i64).clamp(i32::MIN.into(), i32::MAX.into()) as u64
    });
    let divisible: Vec<_> =
        rows.iter().map(|[a, b, c]| [*a, if *b as i32 == 0 { 3 } else { *b }, *c]).collect();
    check("div.s32 %d, %a, %b;", N32, &divisible, |[a, b, _]| {
        (i64::from(a as i32) / i64::from(b as i32)) as u64
    });
    check("rem.u32 %d, %a, %b;", N32, &divisible, |[a, b, _]| u64::from(a as u32 % b as u32));
    for of in ["min", "max"] {
        let of_two = |a: i64, b: i64| if of == "min" { a.min(b).max(0) } else { a.max(b).max(0) };
        check(&format!("{of}.relu.s32 %d, %a, %b;"), N32, &rows, |[a, b, _]| {
            of_two((a as i32).into(), (b as i32).into()) as u64
        });
        check(&format!("{of}.relu.s16x2 %d, %a, %b;"), N32, &rows, |[a, b, _]| {
            let half = |at: u32| of_two(((a >> at) as i16).into(), ((b >> at) as i16).into());
            (half(16) << 16 | half(0)) as u64
        });
    }
    check("mul24.lo.u32 %d, %a, %b;", N32, &rows, |[a, b, _]| (a & 0xff_ffff) * (b & 0xff_ffff));
    check("dp4a.s32.u32 %d, %a, %b, %c;", N32, &rows, |[a, b, c]| {
        let dot: i64 =
            (0..4).map(|i| i64::from((a >> (8 * i)) as i8) * i64::from((b >> (8 * i)) as u8)).sum();
        (dot.wrapping_add(c as i64)) as u64
    });
}

/// 32-bit words with a carry between them, and 64-bit words with only the carry.
#[test]
fn sums_with_a_carry() {
    let parts = |text: &str| {
        format!(
            "{{ .reg .b32 al, ah, bl, bh, cl, ch, dl, dh;
            mov.b64 {{al, ah}}, %a; mov.b64 {{bl, bh}}, %b; mov.b64 {{cl, ch}}, %c;
            {text} mov.b64 %d, {{dl, dh}}; }}"
        )
    };
    let rows = rows();
    let sum = parts("add.cc.u32 dl, al, bl; addc.u32 dh, ah, bh;");
    check(&sum, N64, &rows, |[a, b, _]| a.wrapping_add(b));
    let difference = parts("sub.cc.s32 dl, al, bl; subc.cc.s32 dh, ah, bh;");
    check(&difference, N64, &rows, |[a, b, _]| a.wrapping_sub(b));
    let product = parts(
        "mad.lo.cc.u32 dl, al, bl, cl; madc.hi.u32 dh, al, bl, ch;
        mad.lo.u32 dh, al, bh, dh; mad.lo.u32 dh, ah, bl, dh;",
    );
    check(&product, N64, &rows, |[a, b, c]| a.wrapping_mul(b).wrapping_add(c));
    let carry = "add.cc.u64 %d, %a, %b; addc.u64 %d, 0, 0;";
    check(carry, N64, &rows, |[a, b, _]| a.overflowing_add(b).1.into());
    let borrow = "sub.cc.s64 %d, %a, %b; subc.s64 %d, 0, 0;";
    check(borrow, N64, &rows, |[a, b, _]| if a < b { u64::MAX } else { 0 });
    let high = "add.cc.u64 %d, %a, %b; madc.hi.s64 %d, %a, %b, %c;";
    check(high, N64, &rows, |[a, b, c]| {
        let product = i128::from(a as i64) * i128::from(b as i64);
        ((product >> 64) as u64).wrapping_add(c).wrapping_add(a.overflowing_add(b).1.into())
    });
}

#[test]
fn bits_and_shifts() {
    let rows = rows();
    for (name, of) in [
        ("and", (|a, b| a & b) as fn(u64, u64) -> u64),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
    ] {
        check(&format!("{name}.b64 %d, %a, %b;"), N64, &rows, |[a, b, _]| of(a, b));
        check(&format!("{name}.b16 %d, %a, %b;"), N16, &rows, |[a, b, _]| of(a, b));
    }
    check("not.b16 %d, %a;", N16, &rows, |[a, _, _]| !a);
    check("cnot.b32 %d, %a;", N32, &rows, |[a, _, _]| u64::from(a as u32 == 0));
    let wide = |n: u64| (n as u32).min(127);
    check("shl.b32 %d, %a, %b;", N32, &rows, |[a, b, _]| (u128::from(a as u32) << wide(b)) as u64);
    check("shr.u32 %d, %a, %b;", N32, &rows, |[a, b, _]| (u128::from(a as u32) >> wide(b)) as u64);
    check("shr.s32 %d, %a, %b;", N32, &rows, |[a, b, _]| (i128::from(a as i32) >> wide(b)) as u64);
    check("shl.b64 %d, %a, %b;", [64, 64, 32, 32], &rows, |[a, b, _]| {
        if (b as u32) < 64 { a << (b as u32) } else { 0 }
    });
    check("shr.s16 %d, %a, %b;", [16, 16, 32, 32], &rows, |[a, b, _]| {
        (i128::from(a as i16) >> wide(b)) as u64
    });
    let joined = |a: u64, b: u64| u128::from(b as u32) << 32 | u128::from(a as u32);
    check("shf.l.wrap.b32 %d, %a, %b, %c;", N32, &rows, |[a, b, c]| {
        (joined(a, b) << (c & 31) >> 32) as u64
    });
    check("shf.r.clamp.b32 %d, %a, %b, %c;", N32, &rows, |[a, b, c]| {
        (joined(a, b) >> (c as u32).min(32)) as u64
    });
    check("popc.b64 %d, %a;", [32, 64, 32, 32], &rows, |[a, _, _]| {
        (0..64).map(|i| a >> i & 1).sum()
    });
    check("clz.b32 %d, %a;", N32, &rows, |[a, _, _]| {
        (0..32).rev().position(|i| a >> i & 1 == 1).unwrap_or(32) as u64
    });
    check("brev.b32 %d, %a;", N32, &rows, |[a, _, _]| {
        (0..32).map(|i| (a >> i & 1) << (31 - i)).sum()
    });
    check("bfind.s32 %d, %a;", N32, &rows, |[a, _, _]| {
        let sign = a >> 31 & 1;
        (0..32).rev().find(|i| a >> i & 1 != sign).unwrap_or(u64::MAX)
    });
    // Bit by bit, following the manual.
    let extracted = |a: u64, at: u64, length: u64, signed: bool| {
        let (at, length) = (at & 0xff, length & 0xff);
        let bit = |i: u64| if i < 32 { a >> i & 1 } else { 0 };
        let sign = if !signed || length == 0 { 0 } else { bit((at + length - 1).min(31)) };
        (0..32).map(|i| if i < length && at + i <= 31 { bit(at + i) << i } else { sign << i }).sum()
    };
    check("bfe.u32 %d, %a, %b, %c;", N32, &rows, |[a, b, c]| extracted(a, b, c, false));
    check("bfe.s32 %d, %a, %b, %c;", N32, &rows, |[a, b, c]| extracted(a, b, c, true));
    let small: Vec<_> = rows.iter().map(|[a, b, c]| [*a, b & 63, c & 63]).collect();
    check("bfe.s32 %d, %a, %b, %c;", N32, &small, |[a, b, c]| extracted(a, b, c, true));
    check("bfi.b32 %d, %a, 0xf0f0a5a5, %b, %c;", N32, &small, |[a, at, length]| {
        let inserted = |i: u64| i >= at && i < at + length;
        (0..32)
            .map(|i| if inserted(i) { (a >> (i - at) & 1) << i } else { 0xf0f0_a5a5 & 1 << i })
            .sum()
    });
    check("prmt.b32 %d, %a, %b, %c;", N32, &rows, |[a, b, c]| {
        let bytes = joined(a, b);
        let pick = |i: u64| {
            let selector = c >> (4 * i) & 15;
            let byte = (bytes >> (8 * (selector & 7))) as u8;
            let byte = if selector < 8 {
                byte
            } else if byte > 127 {
                255
            } else {
                0
            };
            u64::from(byte) << (8 * i)
        };
        (0..4).map(pick).sum()
    });
    for table in [0x96_u64, 0xe8, 0xca, 0x01] {
        check(&format!("lop3.b32 %d, %a, %b, %c, {table};"), N32, &rows, |[a, b, c]| {
            let row = |i: u64| (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
            (0..32).map(|i| (table >> row(i) & 1) << i).sum()
        });
    }
    check(
        "slct.b32.s32 %d, %a, %b, %c;",
        N32,
        &rows,
        |[a, b, c]| if c as i32 >= 0 { a } else { b },
    );
    check(
        "selp.b32 %d, %a, %b, %c;",
        [32, 32, 32, 1],
        &rows,
        |[a, b, c]| if c != 0 { a } else { b },
    );
}

#[test]
fn moves_pack_and_unpack() {
    let rows = rows();
    check("mov.b64 %d, {%a, %b};", [64, 32, 32, 32], &rows, |[a, b, _]| a & 0xffff_ffff | b << 32);
    check("mov.b32 %d, {%a, %b};", [32, 16, 16, 16], &rows, |[a, b, _]| {
        a & 0xffff | (b & 0xffff) << 16
    });
    check("{ .reg .b32 low; mov.b64 {low, %d}, %a; }", [32, 64, 32, 32], &rows, |[a, _, _]| {
        a >> 32
    });
    check("mov.b32 {_, %d}, %a;", [16, 32, 32, 32], &rows, |[a, _, _]| a >> 16);
    check("cvt.s16.s8 %d, %a; mov.b32 {%d, %b}, %c;", [16, 32, 16, 32], &rows, |[_, _, c]| c);
    // A narrow value that is extended does not affect its neighbour.
    check(
        "{ .reg .b16 t; cvt.s16.s8 t, %a; mov.b32 %d, {t, %b}; }",
        [32, 32, 16, 32],
        &rows,
        |[a, b, _]| u64::from(a as i8 as u16) | (b & 0xffff) << 16,
    );
}

#[test]
fn comparisons() {
    let integers = rows();
    check("setp.lt.s32 %d, %a, %b;", [1, 32, 32, 32], &integers, |[a, b, _]| {
        u64::from((a as i32) < b as i32)
    });
    check("setp.hs.u16 %d, %a, %b;", [1, 16, 16, 16], &integers, |[a, b, _]| {
        u64::from(a as u16 >= b as u16)
    });
    check("setp.ne.and.b64 %d, %a, %b, !%c;", [1, 64, 64, 1], &integers, |[a, b, c]| {
        u64::from(a != b && c == 0)
    });
    check("set.gt.u32.s32 %d, %a, %b;", N32, &integers, |[a, b, _]| {
        if a as i32 > b as i32 { u64::MAX } else { 0 }
    });
    type Test = fn(f32, f32) -> bool;
    let tests: &[(&str, Test)] = &[
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b && !a.is_nan() && !b.is_nan()),
        ("lt", |a, b| a < b),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| a == b || a.is_nan() || b.is_nan()),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| !matches!(a.partial_cmp(&b), Some(it) if it.is_ge())),
        ("geu", |a, b| !matches!(a.partial_cmp(&b), Some(it) if it.is_lt())),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ];
    for (name, of) in tests {
        check(&format!("setp.{name}.f32 %d, %a, %b;"), [1, 32, 32, 32], &singles(), |[a, b, _]| {
            u64::from(of(f32::from_bits(a as u32), f32::from_bits(b as u32)))
        });
    }
    check("testp.subnormal.f32 %d, %a;", [1, 32, 32, 32], &singles(), |[a, _, _]| {
        u64::from(a & 0x7f80_0000 == 0 && a & 0x7f_ffff != 0)
    });
}

/// All NaN results of f32 arithmetic are one NaN.
fn canonical(value: f32) -> u64 {
    u64::from(if value.is_nan() { 0x7fff_ffff } else { value.to_bits() })
}

#[test]
fn single_precision() {
    type Of = fn(f32, f32, f32) -> f32;
    let exact: &[(&str, Of)] = &[
        ("add.rn.f32 %d, %a, %b;", |a, b, _| a + b),
        ("sub.f32 %d, %a, %b;", |a, b, _| a - b),
        ("mul.rn.f32 %d, %a, %b;", |a, b, _| a * b),
        ("fma.rn.f32 %d, %a, %b, %c;", f32::mul_add),
        ("div.rn.f32 %d, %a, %b;", |a, b, _| a / b),
        ("sqrt.rn.f32 %d, %a;", |a, _, _| a.sqrt()),
        ("rcp.rn.f32 %d, %a;", |a, _, _| 1.0 / a),
        ("min.f32 %d, %a, %b;", |a, b, _| match a == b {
            true => {
                if a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }
            false => a.min(b),
        }),
        ("max.NaN.f32 %d, %a, %b;", |a, b, _| match a == b {
            _ if a.is_nan() || b.is_nan() => f32::NAN,
            true => {
                if a.is_sign_positive() {
                    a
                } else {
                    b
                }
            }
            false => a.max(b),
        }),
        ("add.sat.f32 %d, %a, %b;", |a, b, _| if a + b > 0.0 { (a + b).min(1.0) } else { 0.0 }),
        ("mul.ftz.f32 %d, %a, %b;", |a, b, _| {
            let flat = |x: f32| if x.is_subnormal() { 0_f32.copysign(x) } else { x };
            flat(flat(a) * flat(b))
        }),
    ];
    for (text, of) in exact {
        check(text, N32, &singles(), |row| {
            let [a, b, c] = row.map(|it| f32::from_bits(it as u32));
            canonical(of(a, b, c))
        });
    }
    check("neg.f32 %d, %a;", N32, &singles(), |[a, _, _]| a ^ 0x8000_0000);
    check("abs.f32 %d, %a;", N32, &singles(), |[a, _, _]| a & 0x7fff_ffff);
    check("copysign.f32 %d, %a, %b;", N32, &singles(), |[a, b, _]| {
        a & 0x8000_0000 | b & 0x7fff_ffff
    });
}

#[test]
fn directed_rounding_encloses() {
    for name in ["add", "mul", "div", "fma"] {
        let third = if name == "fma" { ", %c" } else { "" };
        let of = |direction: &str| {
            let rows = singles();
            evaluate(&format!("{name}.{direction}.f32 %d, %a, %b{third};"), N32, &rows)
                .into_iter()
                .map(|it| f32::from_bits(it as u32))
                .collect::<Vec<_>>()
        };
        let (down, up, zero, near) = (of("rm"), of("rp"), of("rz"), of("rn"));
        for (i, row) in singles().iter().enumerate() {
            if near[i].is_nan() || down[i].is_nan() {
                assert!(near[i].is_nan() && down[i].is_nan() && up[i].is_nan() && zero[i].is_nan());
                continue;
            }
            let gap = down[i] == up[i] || down[i].next_up() == up[i];
            assert!(gap, "{name} of {row:x?}: {} and {}", down[i], up[i]);
            assert!(near[i] == down[i] || near[i] == up[i], "{name} of {row:x?}");
            let toward_zero = if near[i] > 0.0 { down[i] } else { up[i] };
            assert!(zero[i] == toward_zero || near[i] == 0.0, "{name} of {row:x?}: {}", zero[i]);
        }
    }
}

#[test]
fn double_precision() {
    type Of = fn(f64, f64, f64) -> f64;
    let exact: &[(&str, Of)] = &[
        ("add.rn.f64 %d, %a, %b;", |a, b, _| a + b),
        ("sub.f64 %d, %a, %b;", |a, b, _| a - b),
        ("mul.f64 %d, %a, %b;", |a, b, _| a * b),
        ("fma.rn.f64 %d, %a, %b, %c;", f64::mul_add),
        ("div.rn.f64 %d, %a, %b;", |a, b, _| a / b),
        ("sqrt.rn.f64 %d, %a;", |a, _, _| a.sqrt()),
    ];
    for (text, of) in exact {
        for (row, found) in doubles().iter().zip(evaluate(text, N64, &doubles())) {
            let [a, b, c] = row.map(f64::from_bits);
            let (found, expected) = (f64::from_bits(found), of(a, b, c));
            let is_same =
                found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(is_same, "{text} of {a}, {b}, {c}: found {found}, expected {expected}");
        }
    }
}

#[test]
fn sixteen_bits() {
    let rows = float_rows(
        &[0, 0x8000, 0x3c00, 0xbc00, 0x7bff, 0x0001, 0x7c00, 0xfc00, 0x7e00, 0x3555],
        16,
    );
    let of_f16 = |of: fn(f64, f64, f64) -> f64| {
        move |row: [u64; 3]| {
            let [a, b, c] = row.map(|it| f16::from_bits(it as u16).to_f64());
            let value = f16::from_f64(of(a, b, c));
            if value.is_nan() { 0x7fff } else { u64::from(value.to_bits()) }
        }
    };
    check("add.f16 %d, %a, %b;", N16, &rows, of_f16(|a, b, _| a + b));
    check("mul.rn.f16 %d, %a, %b;", N16, &rows, of_f16(|a, b, _| a * b));
    check("fma.rn.f16 %d, %a, %b, %c;", N16, &rows, of_f16(f64::mul_add));
    check_fma_of_bf16(&rows);
    let pairs = [[0xc000_3c00, 0x4200_bc00, 0], [0x3c00_8000, 0x3c00_c000, 0]];
    check("min.xorsign.abs.f16x2 %d, %a, %b;", N32, &pairs, |[a, _, _]| match a {
        // -2 and 3, 1 and -1.
        0xc000_3c00 => 0xc000_bc00,
        // 1 and 1, -0 and -2.
        _ => 0x3c00_0000,
    });
    check("add.f16x2 %d, %a, %b;", N32, &self::rows(), |[a, b, _]| {
        let half = |shift: u32| {
            let [a, b] = [a, b].map(|it| f16::from_bits((it >> shift) as u16).to_f64());
            let value = f16::from_f64(a + b);
            u64::from(if value.is_nan() { 0x7fff } else { value.to_bits() }) << shift
        };
        half(16) | half(0)
    });
}

/// Checks that the exact sum is between the midpoints to both neighbours of the result. The larger of product and
/// addend is near the midpoint, so their difference is exact. A sum of two floats always has the right sign.
fn check_fma_of_bf16(rows: &[[u64; 3]]) {
    for (row, found) in rows.iter().zip(evaluate("fma.rn.bf16 %d, %a, %b, %c;", N16, rows)) {
        let [a, b, c] = row.map(|it| bf16::from_bits(it as u16).to_f64());
        let (product, result) = (a * b, bf16::from_bits(found as u16).to_f64());
        if !(product + c).is_finite() || !result.is_finite() {
            let expected = bf16::from_f64(product + c).to_f64();
            assert!(result == expected || result.is_nan() && expected.is_nan(), "{a} * {b} + {c}");
            continue;
        }
        let (large, small) = if product.abs() > c.abs() { (product, c) } else { (c, product) };
        for step in [1, -1] {
            let next = |bits: u64| if bits == 0 { 1 } else { (bits as i64 + step) as u16 };
            let neighbour = bf16::from_bits(next(found)).to_f64();
            let middle = (result + neighbour) / 2.0;
            let beyond = ((large - middle) + small) * (neighbour - result).signum();
            let is_even = found % 2 == 0;
            assert!(
                beyond < 0.0 || beyond == 0.0 && is_even || result == 0.0,
                "{a} * {b} + {c} is {result}"
            );
        }
    }
}

#[test]
fn conversions() {
    let floats = singles();
    let value = |row: [u64; 3]| f32::from_bits(row[0] as u32);
    check("cvt.rzi.s32.f32 %d, %a;", N32, &floats, |row| value(row) as i32 as u64);
    check("cvt.rni.u32.f32 %d, %a;", N32, &floats, |row| {
        u64::from(value(row).round_ties_even() as u32)
    });
    check("cvt.rmi.s64.f32 %d, %a;", [64, 32, 32, 32], &floats, |row| {
        if value(row).is_nan() { 1 << 63 } else { value(row).floor() as i64 as u64 }
    });
    check("cvt.rpi.s8.f32 %d, %a;", N32, &floats, |row| value(row).ceil() as i8 as u64);
    check("cvt.rpi.f32.f32 %d, %a;", N32, &floats, |row| canonical(value(row).ceil()));
    check("cvt.sat.f32.f32 %d, %a;", N32, &floats, |row| {
        let it = value(row);
        u64::from((if it > 0.0 { it.min(1.0) } else { 0.0 }).to_bits())
    });
    check("cvt.rn.f16.f32 %d, %a;", [16, 32, 32, 32], &floats, |row| {
        let it = f16::from_f32(value(row));
        if it.is_nan() { 0x7fff } else { u64::from(it.to_bits()) }
    });
    check("cvt.rn.bf16x2.f32 %d, %a, %b;", N32, &floats, |row| {
        let half = |bits: u64| {
            let it = bf16::from_f32(f32::from_bits(bits as u32));
            if it.is_nan() { 0x7fff } else { u64::from(it.to_bits()) }
        };
        half(row[0]) << 16 | half(row[1])
    });
    check("cvt.rz.bf16.f32 %d, %a;", [16, 32, 32, 32], &floats, |row| {
        if value(row).is_nan() { 0x7fff } else { row[0] >> 16 }
    });
    check("cvt.f64.f32 %d, %a;", [64, 32, 32, 32], &floats[..100], |row| {
        if value(row).is_nan() { f64::NAN.to_bits() } else { f64::from(value(row)).to_bits() }
    });
    let integers = rows();
    check("cvt.u64.u32 %d, %a;", [64, 32, 32, 32], &integers, |[a, _, _]| a & 0xffff_ffff);
    check("cvt.s64.s16 %d, %a;", [64, 16, 32, 32], &integers, |[a, _, _]| a as i16 as u64);
    check("cvt.s32.s8 %d, %a;", N32, &integers, |[a, _, _]| a as i8 as u64);
    check("cvt.sat.u8.s32 %d, %a;", N32, &integers, |[a, _, _]| (a as i32).clamp(0, 255) as u64);
    check("cvt.rn.f32.s64 %d, %a;", [32, 64, 32, 32], &integers, |[a, _, _]| {
        u64::from((a as i64 as f32).to_bits())
    });
    check("cvt.rn.f64.u64 %d, %a;", N64, &integers, |[a, _, _]| (a as f64).to_bits());
    for (direction, of) in [
        (
            "rm",
            (|near, exact, it: f32| if near > exact { it.next_down() } else { it })
                as fn(i128, i128, f32) -> f32,
        ),
        ("rp", |near, exact, it| if near < exact { it.next_up() } else { it }),
    ] {
        check(
            &format!("cvt.{direction}.f32.s64 %d, %a;"),
            [32, 64, 32, 32],
            &integers,
            |[a, _, _]| {
                let near = a as i64 as f32;
                u64::from(of(near as i128, i128::from(a as i64), near).to_bits())
            },
        );
    }
}

/// The results that the PTX manual specifies for special operands.
#[test]
fn special_operands() {
    let (one, nan, nan64) = (0x3f80_0000, 0x7fc0_0000, 0x7ff8_0000_0000_0000);
    let [one64, two64, three64] = [1.0, 2.0, 3.0].map(f64::to_bits);
    let (from64, to64) = ([32, 64, 64, 64], [64, 32, 32, 32]);
    let cases: &[(&str, [u32; 4], [u64; 3], u64)] = &[
        // NaN as an integer.
        ("cvt.rzi.s32.f32 %d, %a;", N32, [nan, 0, 0], 0),
        ("cvt.rzi.s32.f64 %d, %a;", from64, [nan64, 0, 0], 0x8000_0000),
        ("cvt.rzi.u32.f64 %d, %a;", from64, [nan64, 0, 0], 0x8000_0000),
        ("cvt.rzi.s8.f64 %d, %a;", from64, [nan64, 0, 0], 0xffff_ff80),
        ("cvt.rzi.s64.f32 %d, %a;", to64, [nan, 0, 0], 1 << 63),
        ("cvt.rzi.u64.f32 %d, %a;", to64, [nan, 0, 0], 1 << 63),
        // Only f32 values are flushed.
        ("cvt.ftz.f32.f16 %d, %a;", [32, 16, 32, 32], [1, 0, 0], 0x3380_0000),
        ("cvt.rn.ftz.f16.f32 %d, %a;", [16, 32, 32, 32], [0x3580_0000, 0, 0], 0x10),
        ("cvt.rn.ftz.f32.f64 %d, %a;", from64, [0x380f_ffff_ffff_ffff, 0, 0], 0x0080_0000),
        ("cvt.rz.ftz.f32.f64 %d, %a;", from64, [0x380f_ffff_ffff_ffff, 0, 0], 0),
        ("cvt.rz.tf32.f32 %d, %a;", N32, [0x3f80_1fff, 0, 0], one),
        ("cvt.rn.tf32.f32 %d, %a;", N32, [0x3f80_1fff, 0, 0], 0x3f80_2000),
        ("cvt.rn.relu.tf32.f32 %d, %a;", N32, [nan, 0, 0], 0x7fff_ffff),
        ("cvt.rn.relu.tf32.f32 %d, %a;", N32, [0xbf80_0000, 0, 0], 0),
        ("testp.normal.f32 %d, %a;", [1, 32, 32, 32], [0x8000_0000, 0, 0], 1),
        ("testp.normal.f32 %d, %a;", [1, 32, 32, 32], [1, 0, 0], 0),
        // Exact cancellation.
        ("add.rm.f32 %d, %a, %b;", N32, [one, 0xbf80_0000, 0], 0x8000_0000),
        ("sub.rm.f32 %d, %a, %b;", N32, [one, one, 0], 0x8000_0000),
        ("fma.rm.f32 %d, %a, %b, %c;", N32, [one, one, 0xbf80_0000], 0x8000_0000),
        ("add.rm.f32 %d, %a, %b;", N32, [0, 0, 0], 0),
        ("add.rm.f32 %d, %a, %b;", N32, [0, 0x8000_0000, 0], 0x8000_0000),
        ("add.rz.f32 %d, %a, %b;", N32, [one, 0xbf80_0000, 0], 0),
        // Rounding modes of f64.
        ("add.rm.f64 %d, %a, %b;", N64, [one64, one64 | 1 << 63, 0], 1 << 63),
        ("sub.rp.f64 %d, %a, %b;", N64, [one64, 1 << 63 | 1, 0], one64 + 1),
        ("mul.rz.f64 %d, %a, %b;", N64, [(0x7ff << 52) - 1, 1 << 62, 0], (0x7ff << 52) - 1),
        ("fma.rp.f64 %d, %a, %a, %b;", N64, [one64, 1, 0], one64 + 1),
        ("div.rz.f64 %d, %a, %b;", N64, [two64, three64, 0], 0x3fe5_5555_5555_5555),
        ("div.rp.f64 %d, %a, %b;", N64, [two64, three64, 0], 0x3fe5_5555_5555_5556),
        ("sqrt.rm.f64 %d, %a;", N64, [two64, 0, 0], 0x3ff6_a09e_667f_3bcc),
        ("sqrt.rp.f64 %d, %a;", N64, [two64, 0, 0], 0x3ff6_a09e_667f_3bcd),
        ("rcp.rm.f64 %d, %a;", N64, [three64, 0, 0], 0x3fd5_5555_5555_5555),
        // -0 is not less than 0.
        ("slct.b32.f32 %d, %a, %b, %c;", N32, [1, 2, 0x8000_0001], 2),
        ("slct.ftz.b32.f32 %d, %a, %b, %c;", N32, [1, 2, 0x8000_0001], 1),
        ("slct.ftz.b64.f32 %d, %a, %b, %c;", [64, 64, 64, 32], [1, 2, 0x8000_0001], 1),
        // Upper halves of f64, without subnormals.
        ("rcp.approx.ftz.f64 %d, %a;", N64, [0x4008_0000_0000_0001, 0, 0], 0x3fd5_5555 << 32),
        ("rcp.approx.ftz.f64 %d, %a;", N64, [0x8008_0000_0000_0000, 0, 0], 0xfff0_0000 << 32),
        ("rcp.approx.ftz.f64 %d, %a;", N64, [0x7fe0_0000_0000_0000, 0, 0], 0),
        ("rcp.approx.ftz.f64 %d, %a;", N64, [nan64, 0, 0], 0x7fff_ffff << 32),
        ("rsqrt.approx.ftz.f64 %d, %a;", N64, [0x4008_0000_0000_0000, 0, 0], 0x3fe2_79a7 << 32),
        // Reciprocals of values beyond 2^126.
        ("div.approx.f32 %d, %a, %b;", N32, [one, 0x7f00_0000, 0], 0),
        ("div.approx.f32 %d, %a, %b;", N32, [one, 0xff00_0000, 0], 0x8000_0000),
        ("div.approx.f32 %d, %a, %b;", N32, [0x7f80_0000, 0x7f00_0000, 0], 0x7fff_ffff),
        ("div.approx.f32 %d, %a, %b;", N32, [one, 0x7e80_0000, 0], 0x0080_0000),
        ("div.full.f32 %d, %a, %b;", N32, [one, 0x7f00_0000, 0], 0x0040_0000),
    ];
    for (text, bits, row, expected) in cases {
        check(text, *bits, &[*row], |_| *expected);
    }
}

/// Error bounds of the PTX manual, or tighter ones.
#[test]
fn approximations() {
    type Of = fn(f64) -> f64;
    let functions: &[(&str, Of, f64)] = &[
        ("ex2.approx.f32", f64::exp2, 2.4e-7),
        ("lg2.approx.f32", f64::log2, 2.4e-7),
        ("rsqrt.approx.f32", |a| 1.0 / a.sqrt(), 2.4e-7),
        ("rcp.approx.ftz.f32", |a| 1.0 / a, 1.2e-7),
        ("sqrt.approx.f32", f64::sqrt, 1.2e-7),
        ("sin.approx.f32", f64::sin, 5e-7),
        ("tanh.approx.f32", f64::tanh, 4.9e-4),
    ];
    let rows: Vec<[u64; 3]> =
        (1..400).map(|i| [u64::from((i as f32 * 0.037).to_bits()), 0, 0]).collect();
    for (name, of, bound) in functions {
        let found = evaluate(&format!("{name} %d, %a;"), N32, &rows);
        for (row, found) in rows.iter().zip(found) {
            let (a, found) =
                (f32::from_bits(row[0] as u32), f64::from(f32::from_bits(found as u32)));
            let expected = of(f64::from(a));
            let error = (found - expected).abs() / expected.abs().max(1e-3);
            assert!(error <= *bound, "{name} of {a}: found {found}, expected {expected}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn integers_of_any_value(a: u64, b: u64, c: u64) {
        let rows = [[a, b, c]];
        let wide = |a: u64, b: u64| ((u128::from(a) * u128::from(b)) >> 64) as u64;
        prop_assert_eq!(evaluate("mul.hi.u64 %d, %a, %b;", N64, &rows), [wide(a, b)]);
        let expected = a.wrapping_mul(b).wrapping_add(c);
        prop_assert_eq!(evaluate("mad.lo.s64 %d, %a, %b, %c;", N64, &rows), [expected]);
        let expected = u64::from((a as i64) < b as i64);
        prop_assert_eq!(evaluate("setp.lt.s64 %d, %a, %b;", [1, 64, 64, 64], &rows), [expected]);
    }
}
