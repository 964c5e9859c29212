//! Evaluates values for each lane of a warp, as far as they follow from thread numbers.

use super::bank::LANES;
use crate::ir::{Attribute, Op, TypeKind, Value, constant_integer};
use std::collections::HashMap;

/// The value that each lane of a warp has.
pub type WarpValues = [i64; LANES];

/// Evaluates values in a warp. Only arithmetic on thread numbers, constants and values that were set is known.
pub struct Evaluator<'c> {
    /// The threads of a block in x, y and z.
    block: [i64; 3],
    warp: u64,
    known: HashMap<Value<'c>, Option<WarpValues>>,
}

/// A value that depends on longer chains of ops than this is unknown: this limits the recursion.
const MAX_DEPTH: usize = 256;

impl<'c> Evaluator<'c> {
    pub fn new(block: [i64; 3]) -> Self {
        Evaluator { block, warp: 0, known: HashMap::new() }
    }

    /// Forgets all values, and selects a warp.
    pub fn start(&mut self, warp: u64) {
        self.warp = warp;
        self.known.clear();
    }

    pub fn set(&mut self, value: Value<'c>, lanes: Option<WarpValues>) {
        self.known.insert(value, lanes);
    }

    /// The number of a constant op, or of an index cast of one.
    pub fn constant(&self, value: Value<'c>) -> Option<i64> {
        let cast = value.defining_op().filter(|op| op.is("arith.index_cast"));
        constant_integer(cast.map_or(value, |op| op.operand(0)))
    }

    pub fn of(&mut self, value: Value<'c>) -> Option<WarpValues> {
        self.within(value, MAX_DEPTH)
    }

    fn within(&mut self, value: Value<'c>, depth: usize) -> Option<WarpValues> {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let depth = depth.checked_sub(1)?;
        let found = value.defining_op().and_then(|op| self.result(op, depth));
        self.known.insert(value, found);
        found
    }

    fn result(&mut self, op: Op<'c>, depth: usize) -> Option<WarpValues> {
        let operands = op.operands();
        match op.name() {
            "arith.constant" => {
                let number = op.attribute("value").and_then(Attribute::as_i64)?;
                let is_bit = op.result(0).ty().kind() == TypeKind::Integer(1);
                Some([if is_bit { number & 1 } else { number }; LANES])
            }
            "gpu.thread_id" => {
                let axis = axis(op)?;
                let [x, y, _] = self.block;
                let first = (self.warp as i64).wrapping_mul(LANES as i64);
                Some(std::array::from_fn(|lane| {
                    let thread = first + lane as i64;
                    [thread % x, thread / x % y, thread / x / y][axis]
                }))
            }
            "gpu.block_dim" => Some([self.block[axis(op)?]; LANES]),
            "arith.index_cast" | "arith.index_castui" | "arith.extsi" => {
                // Numbers of other widths may be truncated.
                let is_known = |value: Value| {
                    value.ty().is_index() || matches!(value.ty().kind(), TypeKind::Integer(32 | 64))
                };
                let is_known = is_known(operands[0]) && is_known(op.result(0));
                is_known.then(|| self.within(operands[0], depth))?
            }
            "arith.select" => {
                let [condition, a, b] = self.all(&operands, depth)?;
                Some(std::array::from_fn(|l| if condition[l] != 0 { a[l] } else { b[l] }))
            }
            "arith.cmpi" => {
                let predicate = op.attribute("predicate").and_then(Attribute::as_i64)?;
                let [a, b] = self.all(&operands, depth)?;
                let holds = |a: i64, b: i64| -> Option<bool> {
                    let (x, y) = (a as u64, b as u64);
                    let table = [
                        a == b,
                        a != b,
                        a < b,
                        a <= b,
                        a > b,
                        a >= b,
                        x < y,
                        x <= y,
                        x > y,
                        x >= y,
                    ];
                    table.get(usize::try_from(predicate).ok()?).copied()
                };
                holds(0, 0)?;
                Some(std::array::from_fn(|l| holds(a[l], b[l]).unwrap_or(false).into()))
            }
            name => {
                let of = binary(name)?;
                let [a, b] = self.all(&operands, depth)?;
                Some(std::array::from_fn(|l| of(a[l], b[l])))
            }
        }
    }

    fn all<const N: usize>(
        &mut self,
        values: &[Value<'c>],
        depth: usize,
    ) -> Option<[WarpValues; N]> {
        let lanes: Option<Vec<WarpValues>> =
            values.iter().map(|value| self.within(*value, depth)).collect();
        lanes?.try_into().ok()
    }
}

/// The function of an op. A lane that would divide by zero is off, so its value does not matter.
fn binary(name: &str) -> Option<fn(i64, i64) -> i64> {
    fn divided(a: i64, b: i64, of: fn(i64, i64) -> Option<i64>) -> i64 {
        of(a, b).unwrap_or(0)
    }
    fn unsigned(a: i64, b: i64, of: fn(u64, u64) -> Option<u64>) -> i64 {
        of(a as u64, b as u64).unwrap_or(0) as i64
    }
    fn floor(a: i64, b: i64) -> Option<i64> {
        let quotient = a.checked_div(b)?;
        Some(quotient - i64::from(a.wrapping_rem(b) != 0 && (a < 0) != (b < 0)))
    }
    fn ceiling(a: i64, b: i64) -> Option<i64> {
        let quotient = a.checked_div(b)?;
        Some(quotient + i64::from(a.wrapping_rem(b) != 0 && (a < 0) == (b < 0)))
    }
    Some(match name.strip_prefix("arith.")? {
        "addi" => i64::wrapping_add,
        "subi" => i64::wrapping_sub,
        "muli" => i64::wrapping_mul,
        "divsi" => |a, b| divided(a, b, i64::checked_div),
        "remsi" => |a, b| divided(a, b, i64::checked_rem),
        "divui" => |a, b| unsigned(a, b, u64::checked_div),
        "remui" => |a, b| unsigned(a, b, u64::checked_rem),
        "floordivsi" => |a, b| divided(a, b, floor),
        "ceildivsi" => |a, b| divided(a, b, ceiling),
        "minsi" => i64::min,
        "maxsi" => i64::max,
        "andi" => |a, b| a & b,
        "ori" => |a, b| a | b,
        "xori" => |a, b| a ^ b,
        "shli" => |a, b| unsigned(a, b, |a, b| a.checked_shl(b.try_into().ok()?)),
        "shrui" => |a, b| unsigned(a, b, |a, b| a.checked_shr(b.try_into().ok()?)),
        _ => return None,
    })
}

fn axis(op: Op) -> Option<usize> {
    let axis = op.attribute("dimension").map(|axis| axis.to_string())?;
    ["x>", "y>", "z>"].iter().position(|end| axis.ends_with(end))
}
