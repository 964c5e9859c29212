//! `math.ipowi`: exponentiation by squaring, until no lane's exponent has digits left.
//!
//! ```text
//! for each binary digit of n { result = result * (digit ? square : 1);   square = square * square }
//! ```
//! Products wrap around. A negative exponent gives 1 / x^-n, rounded toward 0: it is 0 except for x = 1 and x =
//! -1. For x = 0 the result is undefined; here it is 0. i1 has the numbers 0 and -1.

use super::emit::IntegerLanes;

pub fn ipowi<'c>(x: IntegerLanes<'c>, exponent: IntegerLanes<'c>) -> IntegerLanes<'c> {
    let magnitude = exponent.is_negative().choose(exponent.constant(0), exponent);
    let one = x.constant(1);
    let start = [one, x, magnitude].map(|it| it.value);
    let emit = x.emit();
    let results = emit.repeat(magnitude.most_digits(), &start, |emit, carried| {
        let [result, square, left] = [0, 1, 2].map(|i| emit.bits(carried[i]));
        let result = left.is_odd().choose(result * square, result);
        [result, square * square, left.shifted_right(1)].map(|it| it.value).to_vec()
    });
    // For x = -1 the result is -1 if the exponent is odd, else 1.
    let alternating = exponent.is_odd().choose(x, one);
    let of_unit = x.equals(-1).choose(alternating, x.constant(0));
    let of_negative = x.equals(1).choose(one, of_unit);
    exponent.is_negative().choose(of_negative, emit.bits(results[0]))
}
