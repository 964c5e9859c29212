//! Scalar ops of arith and math: decoded once, applied many times.
//!
//! Floats are computed in double and rounded once to their type. For the four operations and sqrt of the narrower
//! types, the result is correctly rounded. What is poison in MLIR is an undefined value: a shift by the width, a conversion
//! out of range, what `nsw`, `nuw` and `exact` exclude, and every result of an undefined operand, except of a select that
//! does not take it. An undefined value is an error where it is used as a result, a condition or an index. What MLIR leaves
//! undefined as a whole, a division by 0, is an error at once. Fast-math flags change nothing, because they only permit.

mod flags;
mod float;
mod int;

use super::scalar::{Scalar, ScalarType};
use crate::ir::{Attribute, Error, Op, Type};
use flags::Flags;

/// A decoded scalar op, for one of its results.
#[derive(Clone, Debug)]
pub struct ScalarOp {
    action: ScalarAction,
    /// The type of the first operand (for `arith.select`: of the second).
    from: ScalarType,
    to: ScalarType,
    flags: Option<Flags>,
}

#[derive(Clone, Copy, Debug)]
enum ScalarAction {
    Constant(Scalar),
    Select,
    Float1(fn(f64) -> f64),
    Float2(fn(f64, f64) -> f64),
    Fma,
    Clamp,
    PowI,
    /// A class test, over the float kind of the operand.
    Classify(float::Class),
    CompareFloat(i64),
    Int1(int::IntUnary),
    Int2(int::IntBinary),
    Divide(int::IntDivision),
    Shift(int::IntShift),
    CompareInt(i64),
    Convert(float::ScalarConversion),
    Bitcast,
}

impl ScalarOp {
    /// Decodes an op; `None` if it is no scalar op of arith or math. For an op on tensors or vectors, this is the
    /// op on one element.
    ///
    /// # Errors
    /// If it is such an op, but over unsupported types or with an unsupported rounding mode.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<ScalarOp>, Error<'c>> {
        let each = ScalarOp::each(op)?;
        Ok(each.and_then(|each| <[ScalarOp; 1]>::try_from(each).ok()).map(|[only]| only))
    }

    /// As [`ScalarOp::of`], for ops with several results, such as `arith.mulsi_extended`: an op for each result.
    ///
    /// # Errors
    /// As [`ScalarOp::of`].
    pub fn each<'c>(op: Op<'c>) -> Result<Option<Vec<ScalarOp>>, Error<'c>> {
        let results = 0..op.results().len();
        let each: Vec<Option<ScalarOp>> =
            results.map(|i| ScalarOp::of_result(op, i)).collect::<Result<_, _>>()?;
        Ok(each.into_iter().collect())
    }

    fn of_result<'c>(op: Op<'c>, i: usize) -> Result<Option<ScalarOp>, Error<'c>> {
        let Some(action) = action(op, i) else { return Ok(None) };
        let result = op.result(i);
        let element = |ty: Type<'c>| {
            let of_array = ty.shaped().map(|(_, element)| element);
            let element = of_array.or_else(|| ty.lanes().map(|(_, element)| element));
            ScalarType::of(element.unwrap_or(ty)).ok_or_else(|| {
                Error::beyond(op, format!("is over {ty}, which the interpreter does not support"))
            })
        };
        let operands = op.operands();
        let first = if op.is("arith.select") { operands.get(1) } else { operands.first() };
        let to = element(result.ty())?;
        let from = first.map_or(Ok(to), |value| element(value.ty()))?;
        if let Some(mode) = op.attribute("roundingmode")
            && mode.as_i64() != Some(0)
            && !mode.to_string().contains("to_nearest_even")
        {
            return Err(Error::beyond(
                op,
                format!("rounds by {mode}, which the interpreter does not support"),
            ));
        }
        Ok(Some(ScalarOp { action, from, to, flags: Flags::of(op) }))
    }

    /// The float or integer op of that name, without flags, whose operands and result have type `ty`.
    pub fn named(name: &str, ty: ScalarType) -> Option<ScalarOp> {
        Some(ScalarOp { action: numeric(name)?, from: ty, to: ty, flags: None })
    }

    /// The result for these operands; [`Scalar::Undefined`] if it is poison.
    ///
    /// # Errors
    /// What is undefined about the op, as text to follow its name: "divides by 0".
    pub fn apply(&self, operands: &[Scalar]) -> Result<Scalar, String> {
        match (self.action, operands) {
            (ScalarAction::Constant(value), _) => Ok(value),
            (ScalarAction::Select, [Scalar::Int(condition), yes, no]) => {
                Ok(if *condition != 0 { *yes } else { *no })
            }
            (ScalarAction::Float1(f), [Scalar::Float(x)]) => self.float(f(*x)),
            (ScalarAction::Float2(f), [Scalar::Float(x), Scalar::Float(y)]) => {
                self.float(f(*x, *y))
            }
            (ScalarAction::Fma, [Scalar::Float(x), Scalar::Float(y), Scalar::Float(z)]) => {
                Ok(Scalar::Float(float::fma(self.to, *x, *y, *z)))
            }
            (ScalarAction::Clamp, [Scalar::Float(x), Scalar::Float(low), Scalar::Float(high)]) => {
                self.float(float::minimum(float::maximum(*x, *low), *high))
            }
            (ScalarAction::PowI, [Scalar::Float(x), Scalar::Int(n)]) => {
                self.float(float::power(*x, *n))
            }
            (ScalarAction::Classify(class), [Scalar::Float(x)]) => {
                Ok(Scalar::Int(class.holds(self.from, *x).into()))
            }
            (ScalarAction::CompareFloat(predicate), [Scalar::Float(x), Scalar::Float(y)]) => {
                Ok(Scalar::Int(float::compare(predicate, *x, *y).into()))
            }
            (ScalarAction::Int1(f), [Scalar::Int(x)]) => {
                Ok(Scalar::Int(self.to.wrap(f(*x, self.from.bits()))))
            }
            (ScalarAction::Int2(f), [Scalar::Int(x), Scalar::Int(y)]) => {
                Ok(self.int(f(*x, *y, self.from.bits()), *x, *y))
            }
            (ScalarAction::Divide(f), [Scalar::Int(x), Scalar::Int(y)]) => {
                Ok(self.int(f(*x, *y, self.from.bits())?, *x, *y))
            }
            (ScalarAction::Divide(_), [_, Scalar::Undefined]) => {
                Err("divides by an undefined value, which may be 0".into())
            }
            (ScalarAction::Shift(f), [Scalar::Int(x), Scalar::Int(y)]) => {
                let value = f(*x, *y, self.from.bits());
                Ok(value.map_or(Scalar::Undefined, |value| self.int(value, *x, *y)))
            }
            (ScalarAction::CompareInt(predicate), [Scalar::Int(x), Scalar::Int(y)]) => {
                Ok(Scalar::Int(int::compare(predicate, *x, *y, self.from.bits()).into()))
            }
            (ScalarAction::Convert(f), [x]) if *x != Scalar::Undefined => match x {
                Scalar::Int(int) if self.is_excluded(*int, 0) => Ok(Scalar::Undefined),
                x => f(*x, self.from, self.to),
            },
            (ScalarAction::Bitcast, [x]) if *x != Scalar::Undefined => {
                Ok(float::bitcast(*x, self.from, self.to))
            }
            _ if operands.contains(&Scalar::Undefined) => Ok(Scalar::Undefined),
            _ => Err("has operands of the wrong type".into()),
        }
    }

    /// The number of operations, and whether they are float operations. Index computations, constants and selects
    /// count as none.
    pub fn operations(&self) -> (u64, bool) {
        let types = [self.from, self.to];
        let number = match self.action {
            ScalarAction::Constant(_) | ScalarAction::Select => 0,
            _ if types.contains(&ScalarType::Index) => 0,
            ScalarAction::Fma => 2,
            _ => 1,
        };
        (number, types.iter().any(|ty| matches!(ty, ScalarType::Float(_))))
    }

    /// The result of an integer op, unless a flag excludes it.
    fn int(&self, value: i64, x: i64, y: i64) -> Scalar {
        match self.is_excluded(x, y) {
            true => Scalar::Undefined,
            false => Scalar::Int(self.to.wrap(value)),
        }
    }

    fn is_excluded(&self, x: i64, y: i64) -> bool {
        self.flags.is_some_and(|flags| flags.exclude(x, y, self.from.bits(), self.to.bits()))
    }

    #[inline]
    fn float(&self, value: f64) -> Result<Scalar, String> {
        match self.to {
            ScalarType::Float(kind) => Ok(Scalar::Float(super::scalar::round(kind, value))),
            _ => Err("has a result of the wrong type".into()),
        }
    }
}

/// What the op does for result `i`.
fn action(op: Op, i: usize) -> Option<ScalarAction> {
    if let Some(f) = int::extended(op.name(), i) {
        return Some(ScalarAction::Int2(f));
    }
    if i > 0 {
        return None;
    }
    let predicate = || op.attribute("predicate").and_then(Attribute::as_i64);
    match op.name() {
        "arith.constant" => {
            let value = op.attribute("value")?;
            let float = value.as_f64().map(Scalar::Float);
            // Here a bool is 0 or 1, like i1 everywhere in the interpreter.
            float.or(value.as_i64().map(Scalar::Int)).map(ScalarAction::Constant)
        }
        "arith.select" => Some(ScalarAction::Select),
        "arith.cmpf" => predicate().map(ScalarAction::CompareFloat),
        "arith.cmpi" => predicate().map(ScalarAction::CompareInt),
        "arith.bitcast" | "tensor.bitcast" => Some(ScalarAction::Bitcast),
        "math.fma" | "vector.fma" => Some(ScalarAction::Fma),
        "math.clampf" => Some(ScalarAction::Clamp),
        "math.fpowi" => Some(ScalarAction::PowI),
        name => numeric(name)
            .or_else(|| float::class(name).map(ScalarAction::Classify))
            .or_else(|| float::conversion(name).map(ScalarAction::Convert)),
    }
}

fn numeric(name: &str) -> Option<ScalarAction> {
    float::unary(name)
        .map(ScalarAction::Float1)
        .or_else(|| float::binary(name).map(ScalarAction::Float2))
        .or_else(|| int::unary(name).map(ScalarAction::Int1))
        .or_else(|| int::binary(name).map(ScalarAction::Int2))
        .or_else(|| int::division(name).map(ScalarAction::Divide))
        .or_else(|| int::shift(name).map(ScalarAction::Shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::FloatKind;
    use proptest::prelude::*;

    fn op(name: &'static str, ty: ScalarType) -> ScalarOp {
        ScalarOp::named(name, ty).expect("a known op")
    }

    fn floats(name: &'static str, kind: FloatKind, x: f64, y: f64) -> f64 {
        match op(name, ScalarType::Float(kind)).apply(&[Scalar::Float(x), Scalar::Float(y)]) {
            Ok(Scalar::Float(value)) => value,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// `None` if the result is poison.
    fn ints(name: &'static str, bits: u32, x: i64, y: i64) -> Result<Option<i64>, String> {
        match op(name, ScalarType::Int(bits)).apply(&[Scalar::Int(x), Scalar::Int(y)])? {
            Scalar::Int(value) => Ok(Some(value)),
            Scalar::Undefined => Ok(None),
            other => panic!("{name}: {other:?}"),
        }
    }

    proptest! {
        #[test]
        fn f32_arithmetic_is_that_of_the_machine(x in prop::num::f32::ANY, y in prop::num::f32::ANY) {
            let same = |a: f64, b: f32| a.to_bits() == f64::from(b).to_bits() || a.is_nan() && b.is_nan();
            let run = |name| floats(name, FloatKind::F32, x.into(), y.into());
            prop_assert!(same(run("arith.addf"), x + y));
            prop_assert!(same(run("arith.subf"), x - y));
            prop_assert!(same(run("arith.mulf"), x * y));
            prop_assert!(same(run("arith.divf"), x / y));
            prop_assert!(same(run("arith.remf"), x % y));
        }

        #[test]
        fn i8_arithmetic_is_that_of_the_machine(x in any::<i8>(), y in any::<i8>()) {
            let run = |name| ints(name, 8, x.into(), y.into()).ok().flatten();
            let (ux, uy) = (x as u8, y as u8);
            prop_assert_eq!(run("arith.addi"), Some(x.wrapping_add(y).into()));
            prop_assert_eq!(run("arith.subi"), Some(x.wrapping_sub(y).into()));
            prop_assert_eq!(run("arith.muli"), Some(x.wrapping_mul(y).into()));
            prop_assert_eq!(run("arith.divsi"), x.checked_div(y).map(i64::from));
            prop_assert_eq!(run("arith.remsi"), x.checked_rem(y).map(i64::from));
            prop_assert_eq!(run("arith.divui"), ux.checked_div(uy).map(|q| (q as i8).into()));
            prop_assert_eq!(run("arith.remui"), ux.checked_rem(uy).map(|q| (q as i8).into()));
            prop_assert_eq!(run("arith.maxsi"), Some(x.max(y).into()));
            prop_assert_eq!(run("arith.maxui"), Some((ux.max(uy) as i8).into()));
            prop_assert_eq!(run("arith.shli"), x.checked_shl(uy.into()).map(i64::from));
            prop_assert_eq!(run("arith.shrsi"), x.checked_shr(uy.into()).map(i64::from));
            prop_assert_eq!(run("arith.shrui"), ux.checked_shr(uy.into()).map(|s| (s as i8).into()));
            if y != 0 && !(x == i8::MIN && y == -1) {
                let exact = f64::from(x) / f64::from(y);
                prop_assert_eq!(run("arith.floordivsi"), Some(exact.floor() as i64));
                prop_assert_eq!(run("arith.ceildivsi"), Some(exact.ceil() as i64));
            }
        }
    }

    #[test]
    fn extremes_order_zeros_and_propagate_nan() {
        let f32 = FloatKind::F32;
        assert!(floats("arith.maximumf", f32, f64::NAN, 1.0).is_nan());
        assert_eq!(floats("arith.maxnumf", f32, f64::NAN, 1.0), 1.0);
        assert!(floats("arith.maximumf", f32, -0.0, 0.0).is_sign_positive());
        assert!(floats("arith.minimumf", f32, 0.0, -0.0).is_sign_negative());
        assert_eq!(floats("arith.minnumf", f32, 1.0, f64::NAN), 1.0);
    }

    #[test]
    fn poison_is_a_value_and_undefined_behavior_an_error() {
        assert_eq!(ints("arith.divsi", 8, 1, 0), Err("divides by 0".into()));
        assert_eq!(ints("arith.divsi", 8, -128, -1), Err("overflows".into()));
        assert_eq!(ints("arith.shli", 8, 1, 8), Ok(None));
        assert_eq!(ints("arith.shrui", 8, 1, -1), Ok(None));
        let apply = |name, x, y| op(name, ScalarType::Int(8)).apply(&[x, y]);
        assert_eq!(apply("arith.addi", Scalar::Undefined, Scalar::Int(1)), Ok(Scalar::Undefined));
        assert_eq!(apply("arith.divsi", Scalar::Undefined, Scalar::Int(1)), Ok(Scalar::Undefined));
        assert!(apply("arith.divsi", Scalar::Int(1), Scalar::Undefined).is_err());
    }

    #[test]
    fn products_and_sums_have_a_high_part() {
        let high = |name, x: i64, y: i64| int::extended(name, 1).expect("known")(x, y, 8);
        for (x, y) in [(-128, -128), (-128, 127), (-1, 1), (100, 100), (-3, 77), (0, 5)] {
            let (ux, uy) = (x as u8 as i64, y as u8 as i64);
            assert_eq!(high("arith.mulsi_extended", x, y), (x * y) >> 8);
            assert_eq!(high("arith.mului_extended", x, y), (ux * uy) >> 8);
            assert_eq!(high("arith.addui_extended", x, y), i64::from(ux + uy > 255));
        }
    }

    #[test]
    fn select_may_pass_by_an_undefined_value() {
        let select = ScalarOp {
            action: ScalarAction::Select,
            from: ScalarType::Int(8),
            to: ScalarType::Int(8),
            flags: None,
        };
        let operands = [Scalar::Int(0), Scalar::Undefined, Scalar::Int(3)];
        assert_eq!(select.apply(&operands), Ok(Scalar::Int(3)));
    }

    #[test]
    fn conversions_of_what_does_not_fit_are_poison() {
        let (f32, i8) = (ScalarType::Float(FloatKind::F32), ScalarType::Int(8));
        let to_int = float::conversion("arith.fptosi").expect("known");
        assert_eq!(to_int(Scalar::Float(-1.9), f32, i8), Ok(Scalar::Int(-1)));
        assert_eq!(to_int(Scalar::Float(128.0), f32, i8), Ok(Scalar::Undefined));
        assert_eq!(to_int(Scalar::Float(f64::NAN), f32, i8), Ok(Scalar::Undefined));
        let extend = float::conversion("arith.extui").expect("known");
        assert_eq!(extend(Scalar::Int(-1), i8, ScalarType::Int(32)), Ok(Scalar::Int(255)));
        assert_eq!(extend(Scalar::Int(1), ScalarType::Int(1), i8), Ok(Scalar::Int(1)));
        let signed = float::conversion("arith.extsi").expect("known");
        assert_eq!(signed(Scalar::Int(1), ScalarType::Int(1), i8), Ok(Scalar::Int(-1)));
    }

    #[test]
    fn comparisons_follow_the_tables() {
        let nan = f64::NAN;
        // false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true
        let expected = [
            (1.0, 2.0, 0b1011_1000_1111_0000u16, "less"),
            (2.0, 2.0, 0b1001_0101_1010_1010, "equal"),
            (nan, 2.0, 0b1111_1111_0000_0000, "unordered"),
        ];
        for (x, y, holds, case) in expected {
            for predicate in 0..16 {
                let expected = holds >> predicate & 1 == 1;
                assert_eq!(float::compare(predicate, x, y), expected, "{case} {predicate}");
            }
        }
        // eq ne slt sle sgt sge ult ule ugt uge, on i8 and on i1, where 1 is -1
        for (x, y, bits, holds) in
            [(-1, 1, 8, 0b11_0000_1110), (1, 0, 1, 0b11_0000_1110), (5, 5, 8, 0b10_1010_1001)]
        {
            for predicate in 0..10 {
                let expected = holds >> predicate & 1 == 1;
                assert_eq!(int::compare(predicate, x, y, bits), expected, "{x} {y} {predicate}");
            }
        }
    }

    #[test]
    fn fma_rounds_once() {
        let bf16 = ScalarType::Float(FloatKind::BF16);
        // The product is 1 + 2^-8, a tie of bf16; z decides how it is rounded, however small z is.
        let (x, y) = (1.5 + 2f64.powi(-7), 257.0 / 256.0 / (1.5 + 2f64.powi(-7)));
        let tie = |z| float::fma(bf16, 257.0 / 256.0, 1.0, z);
        assert_eq!(tie(0.0), 1.0);
        assert_eq!(tie(2f64.powi(-120)), 1.0 + 2f64.powi(-7));
        assert_eq!(tie(-2f64.powi(-120)), 1.0);
        let f32 = ScalarType::Float(FloatKind::F32);
        let fused = (x as f32).mul_add(y as f32, -1.0);
        assert_eq!(float::fma(f32, (x as f32).into(), (y as f32).into(), -1.0), f64::from(fused));
    }

    #[test]
    fn integer_powers_keep_the_parity_of_large_exponents() {
        assert_eq!(float::power(-1.0, (1 << 53) + 1), -1.0);
        assert_eq!(float::power(-2.0, 3), -8.0);
        assert_eq!(float::power(-0.0, -1), f64::NEG_INFINITY);
        assert_eq!(ints("math.ipowi", 8, 2, 7), Ok(Some(-128)));
        assert_eq!(ints("math.ipowi", 8, -1, -3), Ok(Some(-1)));
    }
}
