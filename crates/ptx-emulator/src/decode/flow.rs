//! How undefined values flow through each instruction on registers.

use crate::program::Rule;
use crate::syntax::Type;

/// The operand number after all others: no operand selects which bits are moved.
const NONE: u8 = u8::MAX;

/// The rule of an instruction. Instructions that are not listed here make their results undefined if an operand is.
pub fn rule(mnemonic: &str) -> Rule {
    let parts: Vec<&str> = mnemonic.split('.').collect();
    let has = |name: &str| parts.contains(&name);
    match parts[0] {
        "and" | "or" | "xor" | "not" | "lop3" => Rule::Bitwise,
        "mov" if has("pred") => Rule::Bitwise,
        "mov" | "brev" => Rule::Move { control: NONE },
        "shl" | "shr" | "bfe" | "shfl" => Rule::Move { control: 2 },
        "shf" | "prmt" | "bfi" | "selp" | "slct" => Rule::Move { control: 3 },
        "cvt" => conversion(&parts),
        // Without `.uni`, a vote is a monotone function of the predicates.
        "vote" if !has("uni") => Rule::Bitwise,
        "vote" | "match" | "redux" => Rule::Warp,
        "mma" => product(&parts),
        "setp" | "set" => Rule::Lane,
        _ if ["f16x2", "bf16x2", "u16x2", "s16x2"].into_iter().any(has) => Rule::Halves,
        _ => Rule::Lane,
    }
}

fn conversion(parts: &[&str]) -> Rule {
    let mut types = parts.iter().rev().map_while(|it| Type::from_name(it));
    let (Some(from), Some(to)) = (types.next(), types.next()) else { return Rule::Lane };
    let is_pair = matches!(to, Type::F16x2 | Type::BF16x2);
    // An integer is truncated or extended.
    let is_moved = !to.is_float() && !from.is_float() && !parts.contains(&"sat");
    match (is_pair, is_moved) {
        (true, _) => Rule::Pair,
        (_, true) => Rule::Move { control: NONE },
        _ => Rule::Lane,
    }
}

/// The last four parts of a matrix product are the types of `d`, `a`, `b` and `c`.
fn product(parts: &[&str]) -> Rule {
    let [.., d, a, _, _] = parts else { return Rule::Warp };
    let (Some(d), Some(a)) = (Type::from_name(d), Type::from_name(a)) else { return Rule::Warp };
    Rule::Product { factor: 8 * a.bytes(), result: 8 * d.bytes(), is_float: d.is_float() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_of_integers_move_bits() {
        assert_eq!(rule("cvt.u32.s8"), Rule::Move { control: NONE });
        assert_eq!(rule("cvt.sat.u8.s32"), Rule::Lane);
        assert_eq!(rule("cvt.rn.f32.s32"), Rule::Lane);
        assert_eq!(rule("cvt.rn.f16x2.f32"), Rule::Pair);
        let expected = Rule::Product { factor: 8, result: 32, is_float: false };
        assert_eq!(rule("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32"), expected);
    }
}
