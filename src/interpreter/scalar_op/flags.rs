//! Flags under which some results are poison: `overflow<nsw, nuw>` and `exact`.

use crate::ir::Op;

/// The poison flags of an op that has some.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    kind: FlagKind,
    no_signed_wrap: bool,
    no_unsigned_wrap: bool,
    is_exact: bool,
}

#[derive(Clone, Copy, Debug)]
enum FlagKind {
    Add,
    Sub,
    Mul,
    ShiftLeft,
    ShiftRight,
    DivideSigned,
    DivideUnsigned,
    Truncate,
}

impl Flags {
    pub fn of(op: Op) -> Option<Flags> {
        let kind = match op.name() {
            "arith.addi" => FlagKind::Add,
            "arith.subi" => FlagKind::Sub,
            "arith.muli" => FlagKind::Mul,
            "arith.shli" => FlagKind::ShiftLeft,
            "arith.shrsi" | "arith.shrui" => FlagKind::ShiftRight,
            "arith.divsi" => FlagKind::DivideSigned,
            "arith.divui" => FlagKind::DivideUnsigned,
            "arith.trunci" => FlagKind::Truncate,
            _ => return None,
        };
        let overflow = op.attribute("overflowFlags").map(|flags| flags.to_string());
        let overflow = overflow.unwrap_or_default();
        let flags = Flags {
            kind,
            no_signed_wrap: overflow.contains("nsw"),
            no_unsigned_wrap: overflow.contains("nuw"),
            is_exact: op.attribute("isExact").is_some(),
        };
        (flags.no_signed_wrap || flags.no_unsigned_wrap || flags.is_exact).then_some(flags)
    }

    /// True if the flags exclude the result for these sign-extended operands of `from` bits, so that it is poison.
    /// The op itself has been computed before, so its operands are in range.
    pub fn exclude(self, x: i64, y: i64, from: u32, to: u32) -> bool {
        let mask = u64::MAX >> (64 - from);
        let unsigned = |value: i64| i128::from(value as u64 & mask);
        let signed = |value: i64| i128::from(if from == 1 { -value } else { value });
        let limit = 1i128 << (to - 1);
        let result = || self.result(signed(x), signed(y), unsigned(y));
        if self.no_signed_wrap && !result().is_some_and(|r| (-limit..limit).contains(&r)) {
            return true;
        }
        let result = || self.result(unsigned(x), unsigned(y), unsigned(y));
        if self.no_unsigned_wrap && !result().is_some_and(|r| (0..1i128 << to).contains(&r)) {
            return true;
        }
        let rest = match self.kind {
            FlagKind::DivideSigned => signed(x) % signed(y),
            FlagKind::DivideUnsigned => unsigned(x) % unsigned(y),
            FlagKind::ShiftRight => unsigned(x) & ((1 << unsigned(y)) - 1),
            _ => 0,
        };
        self.is_exact && rest != 0
    }

    /// The exact result; `None` if it is very large.
    fn result(self, x: i128, y: i128, shift: i128) -> Option<i128> {
        match self.kind {
            FlagKind::Add => x.checked_add(y),
            FlagKind::Sub => x.checked_sub(y),
            FlagKind::Mul => x.checked_mul(y),
            FlagKind::ShiftLeft => x.checked_mul(1 << shift),
            _ => Some(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(kind: FlagKind, x: i64, y: i64) -> [bool; 3] {
        let none = Flags { kind, no_signed_wrap: false, no_unsigned_wrap: false, is_exact: false };
        [
            Flags { no_signed_wrap: true, ..none },
            Flags { no_unsigned_wrap: true, ..none },
            Flags { is_exact: true, ..none },
        ]
        .map(|flags| !flags.exclude(x, y, 8, 8))
    }

    proptest! {
        #[test]
        fn flags_exclude_what_the_machine_calls_overflow(x in any::<i8>(), y in any::<i8>()) {
            let (ux, uy) = (x as u8, y as u8);
            let run = |kind| check(kind, x.into(), y.into());
            let expected = |s: Option<i8>, u: Option<u8>| [s.is_some(), u.is_some(), true];
            prop_assert_eq!(run(FlagKind::Add), expected(x.checked_add(y), ux.checked_add(uy)));
            prop_assert_eq!(run(FlagKind::Sub), expected(x.checked_sub(y), ux.checked_sub(uy)));
            prop_assert_eq!(run(FlagKind::Mul), expected(x.checked_mul(y), ux.checked_mul(uy)));
            if uy < 8 {
                let [nsw, nuw, _] = run(FlagKind::ShiftLeft);
                prop_assert_eq!(nsw, (x << y) >> y == x);
                prop_assert_eq!(nuw, (ux << uy) >> uy == ux);
                prop_assert_eq!(run(FlagKind::ShiftRight)[2], (ux >> uy) << uy == ux);
            }
            if y != 0 && !(x == i8::MIN && y == -1) {
                prop_assert_eq!(run(FlagKind::DivideSigned)[2], x % y == 0);
                prop_assert_eq!(run(FlagKind::DivideUnsigned)[2], ux % uy == 0);
            }
        }
    }

    #[test]
    fn truncation_keeps_the_value_under_its_flags() {
        let flags = |nsw, nuw| Flags {
            kind: FlagKind::Truncate,
            no_signed_wrap: nsw,
            no_unsigned_wrap: nuw,
            is_exact: false,
        };
        assert!(!flags(true, false).exclude(-128, 0, 16, 8));
        assert!(flags(true, false).exclude(128, 0, 16, 8));
        assert!(!flags(false, true).exclude(255, 0, 16, 8));
        assert!(flags(false, true).exclude(-1, 0, 16, 8));
    }
}
