//! Integer ops. Operands are sign-extended (i1: 0 or 1); the caller wraps results to the width.

/// Computes the result from the operand and its width.
pub type IntUnary = fn(i64, u32) -> i64;
/// Computes the result from the operands and their width.
pub type IntBinary = fn(i64, i64, u32) -> i64;
/// As [`IntBinary`]; an error if the op is undefined.
pub type IntDivision = fn(i64, i64, u32) -> Result<i64, String>;
/// As [`IntBinary`]; `None` if the result is poison.
pub type IntShift = fn(i64, i64, u32) -> Option<i64>;

/// The operand as an unsigned number.
fn unsigned(value: i64, bits: u32) -> u64 {
    value as u64 & (u64::MAX >> (64 - bits))
}

/// The operand as a signed number: of i1, 1 is -1.
fn signed(value: i64, bits: u32) -> i64 {
    if bits == 1 { -value } else { value }
}

pub fn unary(name: &str) -> Option<IntUnary> {
    Some(match name {
        "math.absi" => |x, bits| signed(x, bits).wrapping_abs(),
        "math.ctpop" => |x, bits| unsigned(x, bits).count_ones().into(),
        "math.ctlz" => |x, bits| i64::from(unsigned(x, bits).leading_zeros() - (64 - bits)),
        "math.cttz" => |x, bits| unsigned(x, bits).trailing_zeros().min(bits).into(),
        _ => return None,
    })
}

pub fn binary(name: &str) -> Option<IntBinary> {
    Some(match name {
        "arith.addi" => |x, y, _| x.wrapping_add(y),
        "arith.subi" => |x, y, _| x.wrapping_sub(y),
        "arith.muli" => |x, y, _| x.wrapping_mul(y),
        "arith.andi" => |x, y, _| x & y,
        "arith.ori" => |x, y, _| x | y,
        "arith.xori" => |x, y, _| x ^ y,
        "arith.maxsi" => |x, y, bits| if signed(x, bits) < signed(y, bits) { y } else { x },
        "arith.minsi" => |x, y, bits| if signed(x, bits) > signed(y, bits) { y } else { x },
        "arith.maxui" => |x, y, bits| if unsigned(x, bits) < unsigned(y, bits) { y } else { x },
        "arith.minui" => |x, y, bits| if unsigned(x, bits) > unsigned(y, bits) { y } else { x },
        _ => return None,
    })
}

/// Result `i` of an op with two results: the low and the high half of a product, or a sum and its carry.
pub fn extended(name: &str, i: usize) -> Option<IntBinary> {
    Some(match (name, i) {
        ("arith.mulsi_extended" | "arith.mului_extended", 0) => |x, y, _| x.wrapping_mul(y),
        ("arith.mulsi_extended", 1) => |x, y, bits| {
            ((i128::from(signed(x, bits)) * i128::from(signed(y, bits))) >> bits) as i64
        },
        ("arith.mului_extended", 1) => |x, y, bits| {
            ((u128::from(unsigned(x, bits)) * u128::from(unsigned(y, bits))) >> bits) as i64
        },
        ("arith.addui_extended", 0) => |x, y, _| x.wrapping_add(y),
        ("arith.addui_extended", 1) => |x, y, bits| {
            ((u128::from(unsigned(x, bits)) + u128::from(unsigned(y, bits))) >> bits) as i64
        },
        _ => return None,
    })
}

pub fn division(name: &str) -> Option<IntDivision> {
    Some(match name {
        "arith.divsi" => |x, y, bits| quotient(x, y, bits, i64::wrapping_div),
        "arith.floordivsi" => |x, y, bits| {
            quotient(x, y, bits, |x, y| x / y - i64::from(x % y != 0 && (x < 0) != (y < 0)))
        },
        "arith.ceildivsi" => |x, y, bits| {
            quotient(x, y, bits, |x, y| x / y + i64::from(x % y != 0 && (x < 0) == (y < 0)))
        },
        "arith.remsi" => |x, y, bits| quotient(x, y, bits, i64::wrapping_rem),
        "arith.divui" => |x, y, bits| unsigned_quotient(x, y, bits, |x, y| x / y),
        "arith.ceildivui" => |x, y, bits| unsigned_quotient(x, y, bits, u64::div_ceil),
        "arith.remui" => |x, y, bits| unsigned_quotient(x, y, bits, |x, y| x % y),
        // 0 to a negative power divides by 0.
        "math.ipowi" => |x, y, bits| power(signed(x, bits), signed(y, bits)),
        _ => return None,
    })
}

pub fn shift(name: &str) -> Option<IntShift> {
    Some(match name {
        "arith.shli" => |x, y, bits| shifted(x, y, bits, |x, by| x << by),
        "arith.shrsi" => |x, y, bits| shifted(x, y, bits, |x, by| x >> by),
        "arith.shrui" => {
            |x, y, bits| shifted(unsigned(x, bits) as i64, y, bits, |x, by| (x as u64 >> by) as i64)
        }
        _ => return None,
    })
}

/// Predicate numbers of arith.cmpi: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
pub fn compare(predicate: i64, x: i64, y: i64, bits: u32) -> bool {
    let (sx, sy) = (signed(x, bits), signed(y, bits));
    let (ux, uy) = (unsigned(x, bits), unsigned(y, bits));
    match predicate {
        0 => x == y,
        1 => x != y,
        2 => sx < sy,
        3 => sx <= sy,
        4 => sx > sy,
        5 => sx >= sy,
        6 => ux < uy,
        7 => ux <= uy,
        8 => ux > uy,
        _ => ux >= uy,
    }
}

fn quotient(x: i64, y: i64, bits: u32, f: fn(i64, i64) -> i64) -> Result<i64, String> {
    let (x, y) = (signed(x, bits), signed(y, bits));
    if y == 0 {
        return Err("divides by 0".into());
    }
    if y == -1 && x == i64::MIN >> (64 - bits) {
        return Err("overflows".into());
    }
    Ok(f(x, y))
}

fn unsigned_quotient(x: i64, y: i64, bits: u32, f: fn(u64, u64) -> u64) -> Result<i64, String> {
    match unsigned(y, bits) {
        0 => Err("divides by 0".into()),
        y => Ok(f(unsigned(x, bits), y) as i64),
    }
}

fn shifted(x: i64, y: i64, bits: u32, f: fn(i64, u32) -> i64) -> Option<i64> {
    let by = u32::try_from(unsigned(y, bits)).ok().filter(|by| *by < bits)?;
    Some(f(x, by))
}

/// Wrapping power; a negative exponent truncates 1 / x^|y|.
fn power(x: i64, y: i64) -> Result<i64, String> {
    if y >= 0 {
        let (mut result, mut base, mut left) = (1i64, x, y);
        while left > 0 {
            if left & 1 == 1 {
                result = result.wrapping_mul(base);
            }
            base = base.wrapping_mul(base);
            left >>= 1;
        }
        return Ok(result);
    }
    match x {
        0 => Err("divides by 0".into()),
        1 => Ok(1),
        -1 => Ok(if y & 1 == 0 { 1 } else { -1 }),
        _ => Ok(0),
    }
}
