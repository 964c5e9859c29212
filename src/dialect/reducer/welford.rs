//! Mean and variance in one pass, by Welford (1962), and of two parts, by Chan, Golub and LeVeque (1979).
//!
//! ```text
//! a value x:   n' = n + 1    d = x - mean     mean' = mean + d / n'          squares' = squares + d * (x - mean')
//! a part b:    n' = n + nb   d = mb - mean    mean' = mean + d * (nb / n')
//!              squares' = (squares + sb) + (d * d) * (n * (nb / n'))         all as it was if nb is 0
//! ```
//! `squares` is the sum of the squared differences from the mean; the variance is `squares / n`. All three are
//! floats of one type. Values that are NaN or infinite make the squares NaN, and the mean NaN or, if they come last,
//! infinite.

use crate::ir::{Attribute, Builder, Type, Value, constant_value};

/// The number of the old value that a value is.
type Old<'c, 'o> = &'o dyn Fn(Value<'c>) -> Option<usize>;

/// True if these values combine the old values with one more value.
pub fn is_update<'c>([mean, squares, count]: [Value<'c>; 3], old: Old<'c, '_>) -> bool {
    let found = || {
        let one = added_to(count, old, 2)?;
        let step = added_to(mean, old, 0)?;
        let [difference, divisor] = operands(step, "arith.divf")?;
        let [x, from] = operands(difference, "arith.subf")?;
        let [left, right] = operands(added_to(squares, old, 1)?, "arith.mulf")?;
        let other = if left == difference { right } else { left };
        let [again, to] = operands(other, "arith.subf")?;
        let uses_difference = left == difference || right == difference;
        let fits = constant_float(one) == Some(1.0)
            && divisor == count
            && old(from) == Some(0)
            && uses_difference
            && again == x
            && to == mean
            && !super::depends(x, old);
        fits.then_some(())
    };
    found().is_some()
}

/// The mean, squares and count of the part that these values combine with the old values, in the form of [`merge`].
pub fn merged<'c>(
    [mean, squares, count]: [Value<'c>; 3],
    old: Old<'c, '_>,
) -> Option<[Value<'c>; 3]> {
    let part = added_to(count, old, 2)?;
    let [empty, kept, mean] = select(mean)?;
    let [also_empty, also_kept, squares] = select(squares)?;
    let op = empty.defining_op().filter(|op| op.is("arith.cmpf"))?;
    let [compared, zero] = op.operands()[..] else { return None };
    // The number of arith's predicate oeq.
    let is_equal = op.attribute("predicate").and_then(Attribute::as_i64) == Some(1);
    let [difference, ratio] = operands(added_to(mean, old, 0)?, "arith.mulf")?;
    let [of_part, from] = operands(difference, "arith.subf")?;
    let [dividend, divisor] = operands(ratio, "arith.divf")?;
    let [sum, product] = operands(squares, "arith.addf")?;
    let more = added_to(sum, old, 1)?;
    let [square, weight] = operands(product, "arith.mulf")?;
    let [before, same_ratio] = operands(weight, "arith.mulf")?;
    let parts = [of_part, more, part];
    let fits = is_equal
        && compared == part
        && constant_float(zero) == Some(0.0)
        && empty == also_empty
        && (old(kept), old(also_kept)) == (Some(0), Some(1))
        && old(from) == Some(0)
        && (dividend, divisor) == (part, count)
        && operands(square, "arith.mulf")? == [difference, difference]
        && old(before) == Some(2)
        && same_ratio == ratio
        && !parts.into_iter().any(|value| super::depends(value, old));
    fits.then_some(parts)
}

/// Combines the values of two parts.
pub fn merge<'c>(
    [mean, squares, count]: [Value<'c>; 3],
    [part_mean, part_squares, part_count]: [Value<'c>; 3],
    at: Builder<'c>,
) -> [Value<'c>; 3] {
    let ty = mean.ty();
    let op = |name: &str, left, right| at.op(name, &[left, right], ty);
    let total = op("arith.addf", count, part_count);
    let difference = op("arith.subf", part_mean, mean);
    let ratio = op("arith.divf", part_count, total);
    let moved = op("arith.addf", mean, op("arith.mulf", difference, ratio));
    let square = op("arith.mulf", difference, difference);
    let weight = op("arith.mulf", count, ratio);
    let sum = op("arith.addf", squares, part_squares);
    let more = op("arith.addf", sum, op("arith.mulf", square, weight));
    let zero = at.number(ty, 0);
    let context = at.context();
    // The number of arith's predicate oeq.
    let equal = Attribute::integer(Type::integer(context, 64), 1);
    let compare = at.spec("arith.cmpf").operands(&[part_count, zero]);
    let empty =
        at.value(compare.attribute("predicate", equal).results(&[Type::integer(context, 1)]));
    let kept = |old, new| at.op("arith.select", &[empty, old, new], ty);
    [kept(mean, moved), kept(squares, more), total]
}

/// The operand that is added to an old value.
fn added_to<'c>(value: Value<'c>, old: Old<'c, '_>, i: usize) -> Option<Value<'c>> {
    let [left, right] = operands(value, "arith.addf")?;
    match (old(left), old(right)) {
        (Some(j), None) if j == i => Some(right),
        (None, Some(j)) if j == i => Some(left),
        _ => None,
    }
}

fn operands<'c>(value: Value<'c>, name: &str) -> Option<[Value<'c>; 2]> {
    value.defining_op().filter(|op| op.is(name))?.operands().try_into().ok()
}

fn select(value: Value) -> Option<[Value; 3]> {
    value.defining_op().filter(|op| op.is("arith.select"))?.operands().try_into().ok()
}

fn constant_float(value: Value) -> Option<f64> {
    constant_value(value).and_then(Attribute::as_f64)
}
