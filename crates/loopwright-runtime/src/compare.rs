//! Comparison of a result with a reference.
//!
//! ```text
//! passed  <=>  max|actual - reference| <= atol + rtol * max|reference|    for floats
//!              max|actual - reference| <= atol                            for integers and booleans
//! ```
//! Integers have no rounding errors, so no relative tolerance applies to them: with an `atol` below 1 they must be equal.
//!
//! One bound holds for the whole tensor: an element near 0 that is the result of cancellation of large values has the
//! absolute error of those values, and no small relative error.

use crate::tensor::{ElementType, Tensor};

/// The sign of the integers of a reference. Integers of tensors are bits without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signedness {
    /// Two's complement integers.
    Signed,
    /// Integers without negative values.
    Unsigned,
}

/// The error of a result against a reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The largest |actual - reference|. It is infinite if one of them is NaN or infinite and the other is not the
    /// same. For integers it is the nearest double, but `passed` is decided by the exact difference.
    pub max_abs_error: f64,
    /// The largest finite |reference|.
    pub max_abs_reference: f64,
    /// atol + rtol * max_abs_reference; for integers atol, rounded down.
    pub bound: f64,
    /// The index of the largest error: the first one if several are equal, the first element if there is no error, and
    /// all 0 if there is no element.
    pub worst_index: Vec<usize>,
    /// True if the error is finite and within the bound.
    pub passed: bool,
}

/// Why two tensors cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CompareError {
    /// The element types differ, and they are not bf16 with an f32 reference.
    #[error("the reference has elements of type {reference}, the result {actual}")]
    Type {
        /// The element type of the result.
        actual: ElementType,
        /// The element type of the reference.
        reference: ElementType,
    },
    /// The shapes differ.
    #[error("the reference has the shape {reference:?}, the result {actual:?}")]
    Shape {
        /// The shape of the result.
        actual: Vec<usize>,
        /// The shape of the reference.
        reference: Vec<usize>,
    },
    /// A tolerance is negative, infinite or NaN; `name` is "rtol" or "atol".
    #[error("{name} is {value}, expected a finite number that is 0 or more")]
    Tolerance {
        /// The name of the tolerance.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// Compares two tensors of one shape and type. A bf16 result may also have an f32 reference, since `.npy` has no bf16.
/// Empty tensors pass.
///
/// NaN equals NaN, and an infinity equals the same infinity. The difference of either to any other value is infinite.
/// Integers and booleans are compared as integers, so no difference overflows or is lost by rounding. They have no rounding errors, so `rtol` does not apply to them: they are equal
/// unless `atol` is 1 or more.
///
/// # Errors
/// If types or shapes differ, or a tolerance is invalid.
pub fn compare(
    actual: &Tensor,
    reference: &Tensor,
    rtol: f64,
    atol: f64,
) -> Result<Comparison, CompareError> {
    compare_as(Signedness::Signed, actual, reference, rtol, atol)
}

/// The same as [`compare`], with integers as signed or unsigned ones.
///
/// # Errors
/// As for [`compare`].
pub fn compare_as(
    signedness: Signedness,
    actual: &Tensor,
    reference: &Tensor,
    rtol: f64,
    atol: f64,
) -> Result<Comparison, CompareError> {
    check(actual, reference, rtol, atol)?;
    if actual.element_type().is_float() {
        let worst =
            Worst::find(actual.len(), |i| float_error(actual.get_f64(i), reference.get_f64(i)));
        let bound = atol + rtol * worst.reference;
        return Ok(Comparison {
            max_abs_error: worst.error,
            max_abs_reference: worst.reference,
            bound,
            worst_index: actual.indices(worst.at),
            // The bound may overflow to infinity; an infinite error fails even then.
            passed: worst.error.is_finite() && worst.error <= bound,
        });
    }
    let mask = u64::MAX >> (64 - 8 * actual.element_type().size_in_bytes());
    let worst = Worst::find(actual.len(), |i| {
        let (actual, reference) = (actual.get_i64(i), reference.get_i64(i));
        match signedness {
            Signedness::Signed => (actual.abs_diff(reference), reference.unsigned_abs()),
            Signedness::Unsigned => {
                let [actual, reference] = [actual, reference].map(|value| value as u64 & mask);
                (actual.abs_diff(reference), reference)
            }
        }
    });
    Ok(Comparison {
        max_abs_error: worst.error as f64,
        max_abs_reference: worst.reference as f64,
        bound: atol.floor(),
        worst_index: actual.indices(worst.at),
        // Exact: the bound is rounded down to an integer, and the error is not rounded to a double.
        passed: worst.error <= atol as u64,
    })
}

fn check(actual: &Tensor, reference: &Tensor, rtol: f64, atol: f64) -> Result<(), CompareError> {
    for (name, value) in [("rtol", rtol), ("atol", atol)] {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(CompareError::Tolerance { name, value });
        }
    }
    let types = (actual.element_type(), reference.element_type());
    if types.0 != types.1 && types != (ElementType::BF16, ElementType::F32) {
        return Err(CompareError::Type { actual: types.0, reference: types.1 });
    }
    if actual.shape() != reference.shape() {
        let (actual, reference) = (actual.shape().to_vec(), reference.shape().to_vec());
        return Err(CompareError::Shape { actual, reference });
    }
    Ok(())
}

/// The largest error, its position, and the largest absolute value of the reference.
struct Worst<T> {
    error: T,
    at: usize,
    reference: T,
}

impl<T: PartialOrd + Default> Worst<T> {
    fn find(len: usize, error_and_size: impl Fn(usize) -> (T, T)) -> Worst<T> {
        let mut worst = Worst { error: T::default(), at: 0, reference: T::default() };
        for i in 0..len {
            let (error, size) = error_and_size(i);
            if error > worst.error {
                (worst.error, worst.at) = (error, i);
            }
            if size > worst.reference {
                worst.reference = size;
            }
        }
        worst
    }
}

/// The error of an element, never NaN, and the absolute value of its reference.
fn float_error(actual: f64, reference: f64) -> (f64, f64) {
    let size = if reference.is_finite() { reference.abs() } else { 0.0 };
    if actual == reference || actual.is_nan() && reference.is_nan() {
        return (0.0, size);
    }
    let error = (actual - reference).abs();
    (if error.is_nan() { f64::INFINITY } else { error }, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsigned_integers_are_compared_as_such() {
        let bytes = |values: &[i64]| {
            Tensor::from_i64s(ElementType::I8, &[values.len()], values).expect("small")
        };
        // The bits of 255 and 0, and those of 200 and 100.
        let (actual, reference) = (bytes(&[-1, -56]), bytes(&[0, 100]));
        let compared =
            |signedness| compare_as(signedness, &actual, &reference, 0.0, 0.0).expect("comparable");
        let unsigned = compared(Signedness::Unsigned);
        assert_eq!((unsigned.max_abs_error, unsigned.max_abs_reference), (255.0, 100.0));
        assert_eq!(unsigned.worst_index, [0]);
        let signed = compared(Signedness::Signed);
        assert_eq!((signed.max_abs_error, signed.worst_index), (156.0, vec![1]));
        let long = |value| Tensor::from_i64s(ElementType::I64, &[], &[value]).expect("small");
        let compared = compare_as(Signedness::Unsigned, &long(-1), &long(1), 0.0, 0.0);
        assert_eq!(compared.expect("comparable").max_abs_error, u64::MAX as f64);
    }

    fn floats(values: &[f64]) -> Tensor {
        Tensor::from_f64s(ElementType::F64, &[values.len()], values).expect("small")
    }

    fn ints(values: &[i64]) -> Tensor {
        Tensor::from_i64s(ElementType::I64, &[values.len()], values).expect("small")
    }

    #[test]
    fn the_bound_is_relative_to_the_largest_reference() {
        let (actual, reference) = (floats(&[0.0, 101.0]), floats(&[0.5, 100.0]));
        let result = compare(&actual, &reference, 0.01, 0.0).expect("comparable");
        assert_eq!((result.max_abs_error, result.bound, result.passed), (1.0, 1.0, true));
        assert_eq!((result.max_abs_reference, result.worst_index), (100.0, vec![1]));
        assert!(!compare(&actual, &reference, 0.0099, 0.0).expect("comparable").passed);
        assert!(compare(&actual, &reference, 0.0, 1.0).expect("comparable").passed);
        assert!(!compare(&actual, &reference, 0.0, 0.99).expect("comparable").passed);
    }

    #[test]
    fn the_worst_index_has_the_rank_of_the_tensor() {
        let reference = Tensor::zeros(ElementType::F16, &[2, 3, 2]).expect("small");
        let mut actual = reference.clone();
        actual.set_f64(9, 1.0);
        actual.set_f64(11, -1.0);
        let result = compare(&actual, &reference, 0.0, 0.5).expect("comparable");
        assert_eq!((result.worst_index, result.passed), (vec![1, 1, 1], false));
        let result = compare(&reference, &reference, 0.0, 0.0).expect("comparable");
        assert_eq!((result.worst_index, result.passed), (vec![0, 0, 0], true));
    }

    #[test]
    fn nan_and_infinity_equal_only_themselves() {
        let special = floats(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -7.0]);
        let result = compare(&special, &special, 0.0, 0.0).expect("comparable");
        assert_eq!((result.max_abs_error, result.passed), (0.0, true));
        assert_eq!(result.max_abs_reference, 7.0, "infinities are left out");
        let inf = f64::INFINITY;
        for (a, b) in [(f64::NAN, 1.0), (inf, -inf), (inf, 1.0), (f64::NAN, inf)] {
            for (a, b) in [(a, b), (b, a)] {
                let (actual, reference) = (floats(&[1.0, a]), floats(&[2.0, b]));
                let result = compare(&actual, &reference, 1e30, 1e30).expect("comparable");
                assert_eq!((result.max_abs_error, result.worst_index), (inf, vec![1]));
                assert!(!result.passed, "{a} is not {b}");
            }
        }
    }

    #[test]
    fn an_infinite_bound_excuses_no_nan() {
        let (actual, reference) = (floats(&[f64::NAN, 1e300]), floats(&[0.0, 1e300]));
        let result = compare(&actual, &reference, 1e300, 0.0).expect("comparable");
        assert_eq!((result.bound, result.passed), (f64::INFINITY, false));
    }

    #[test]
    fn integers_do_not_overflow() {
        let result = compare(&ints(&[i64::MAX]), &ints(&[i64::MIN]), 0.0, 0.0).expect("comparable");
        assert_eq!((result.max_abs_error, result.passed), (u64::MAX as f64, false));
        assert_eq!(result.max_abs_reference, 2f64.powi(63));
        let result = compare(&ints(&[i64::MAX]), &ints(&[i64::MIN]), 0.0, 2f64.powi(64))
            .expect("comparable");
        assert!(result.passed);
    }

    #[test]
    fn no_relative_tolerance_is_for_integers() {
        let (actual, reference) = (ints(&[3, 49999, 9]), ints(&[0, 49999, 7]));
        let result = compare(&actual, &reference, 1e-4, 1e-4).expect("comparable");
        assert_eq!((result.max_abs_error, result.bound, result.passed), (3.0, 0.0, false));
        assert_eq!(result.worst_index, [0]);
        for (atol, passed) in [(2.9, false), (3.0, true)] {
            let result = compare(&actual, &reference, 1.0, atol).expect("comparable");
            assert_eq!((result.bound, result.passed), (f64::floor(atol), passed));
        }
    }

    #[test]
    fn integers_lose_no_small_difference() {
        let (large, next) = (ints(&[1 << 62]), ints(&[(1 << 62) + 1]));
        let result = compare(&large, &next, 0.0, 0.0).expect("comparable");
        assert_eq!((result.max_abs_error, result.passed), (1.0, false));
        // 2^53 + 1 and 2^53 are the same double.
        let (zero, past) = (ints(&[0, 0]), ints(&[1 << 53, (1 << 53) + 1]));
        let result = compare(&past, &zero, 0.0, 2f64.powi(53)).expect("comparable");
        assert_eq!((result.worst_index, result.passed), (vec![1], false));
        assert!(compare(&ints(&[3]), &ints(&[4]), 0.0, 1.5).expect("comparable").passed);
    }

    #[test]
    fn booleans_differ_by_one() {
        let make = |values: &[i64]| Tensor::from_i64s(ElementType::Bool, &[2], values);
        let (a, b) = (make(&[0, 1]).expect("small"), make(&[1, 1]).expect("small"));
        assert!(compare(&a, &a, 0.0, 0.0).expect("comparable").passed);
        let result = compare(&a, &b, 0.0, 0.0).expect("comparable");
        assert_eq!((result.max_abs_error, result.worst_index), (1.0, vec![0]));
    }

    #[test]
    fn bf16_may_have_an_f32_reference() {
        let values = [1.0, 1.0 + 2f64.powi(-8)];
        let actual = Tensor::from_f64s(ElementType::BF16, &[2], &values).expect("small");
        let reference = Tensor::from_f64s(ElementType::F32, &[2], &values).expect("small");
        let result = compare(&actual, &reference, 0.0, 2f64.powi(-8)).expect("comparable");
        assert_eq!((result.max_abs_error, result.passed), (2f64.powi(-8), true));
        let error = compare(&reference, &actual, 0.0, 0.0).expect_err("the other way round");
        assert_eq!(error.to_string(), "the reference has elements of type bf16, the result f32");
    }

    #[test]
    fn empty_tensors_pass() {
        for ty in ElementType::ALL {
            let empty = Tensor::zeros(ty, &[2, 0]).expect("small");
            let result = compare(&empty, &empty, 0.0, 0.0).expect("comparable");
            assert_eq!((result.passed, result.worst_index), (true, vec![0, 0]));
        }
    }

    #[test]
    fn types_and_shapes_must_agree() {
        let error = compare(&floats(&[1.0]), &ints(&[1]), 0.0, 0.0).expect_err("another type");
        assert_eq!(error.to_string(), "the reference has elements of type i64, the result f64");
        let error = compare(&floats(&[1.0]), &floats(&[]), 0.0, 0.0).expect_err("another shape");
        assert_eq!(error.to_string(), "the reference has the shape [0], the result [1]");
    }

    #[test]
    fn tolerances_must_be_finite_and_not_negative() {
        for (rtol, atol, start) in [
            (-1.0, 0.0, "rtol is -1, "),
            (0.0, f64::NAN, "atol is NaN, "),
            (f64::INFINITY, 0.0, "rtol is inf, "),
        ] {
            let error = compare(&floats(&[]), &floats(&[]), rtol, atol).expect_err("no tolerance");
            assert!(error.to_string().starts_with(start), "{error}");
        }
    }
}
