//! Comparison of a result with a reference.

use crate::tensor::{ElementType, Tensor};

/// How far a result is from its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The largest |actual - reference|; infinite where one is NaN or an infinity and the other is not
    /// the same.
    pub max_abs_error: f64,
    /// The largest finite |reference|.
    pub max_abs_reference: f64,
    /// atol + rtol * max_abs_reference.
    pub bound: f64,
    /// Where the largest error is.
    pub worst_index: Vec<usize>,
    /// Is the error within the bound?
    pub passed: bool,
}

/// Why two tensors cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    #[error("the reference holds {reference}, the result is {actual}")]
    Type { actual: ElementType, reference: ElementType },
    #[error("the reference has the shape {reference:?}, the result {actual:?}")]
    Shape { actual: Vec<usize>, reference: Vec<usize> },
}

/// Compares: passes if max|actual - reference| <= atol + rtol * max|reference|. NaN equals NaN, and an
/// infinity itself. A bf16 result may have an f32 reference.
///
/// # Errors
/// If types or shapes differ.
pub fn compare(
    actual: &Tensor,
    reference: &Tensor,
    rtol: f64,
    atol: f64,
) -> Result<Comparison, CompareError> {
    let types = (actual.element_type(), reference.element_type());
    if types.0 != types.1 && types != (ElementType::BF16, ElementType::F32) {
        return Err(CompareError::Type { actual: types.0, reference: types.1 });
    }
    if actual.shape() != reference.shape() {
        let (actual, reference) = (actual.shape().to_vec(), reference.shape().to_vec());
        return Err(CompareError::Shape { actual, reference });
    }
    let (mut max_abs_error, mut max_abs_reference, mut worst) = (0.0, 0.0, 0);
    for i in 0..actual.len() {
        let (error, size) = match types.0.is_float() {
            true => float_error(actual.get_f64(i), reference.get_f64(i)),
            false => int_error(actual.get_i64(i), reference.get_i64(i)),
        };
        if error > max_abs_error {
            (max_abs_error, worst) = (error, i);
        }
        if size > max_abs_reference {
            max_abs_reference = size;
        }
    }
    let bound = atol + rtol * max_abs_reference;
    Ok(Comparison {
        max_abs_error,
        max_abs_reference,
        bound,
        worst_index: actual.indices(worst),
        passed: max_abs_error <= bound,
    })
}

/// The error of an element, and the size of its reference.
fn float_error(actual: f64, reference: f64) -> (f64, f64) {
    let size = if reference.is_finite() { reference.abs() } else { 0.0 };
    if actual == reference || actual.is_nan() && reference.is_nan() {
        return (0.0, size);
    }
    let error = (actual - reference).abs();
    (if error.is_nan() { f64::INFINITY } else { error }, size)
}

fn int_error(actual: i64, reference: i64) -> (f64, f64) {
    (actual.abs_diff(reference) as f64, reference.unsigned_abs() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f64]) -> Tensor {
        let mut tensor = Tensor::zeros(ElementType::F64, &[values.len()]).expect("small");
        values.iter().enumerate().for_each(|(i, value)| tensor.set_f64(i, *value));
        tensor
    }

    fn ints(values: &[i64]) -> Tensor {
        let mut tensor = Tensor::zeros(ElementType::I64, &[values.len()]).expect("small");
        values.iter().enumerate().for_each(|(i, value)| tensor.set_i64(i, *value));
        tensor
    }

    #[test]
    fn the_bound_is_relative_to_the_largest_reference() {
        let (actual, reference) = (floats(&[0.0, 101.0]), floats(&[0.5, 100.0]));
        let result = compare(&actual, &reference, 0.01, 0.0).expect("comparable");
        assert_eq!((result.max_abs_error, result.bound, result.passed), (1.0, 1.0, true));
        assert_eq!(result.worst_index, [1]);
        assert!(!compare(&actual, &reference, 0.0099, 0.0).expect("comparable").passed);
    }

    #[test]
    fn nan_and_infinity_equal_only_themselves() {
        let special = floats(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        assert!(compare(&special, &special, 0.0, 0.0).expect("comparable").passed);
        for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::INFINITY, f64::NEG_INFINITY)] {
            let result = compare(&floats(&[a]), &floats(&[b]), 1e30, 1e30).expect("comparable");
            assert!(!result.passed, "{a} is not {b}");
        }
    }

    #[test]
    fn integers_do_not_overflow_or_lose_small_differences() {
        let result = compare(&ints(&[i64::MAX]), &ints(&[i64::MIN]), 0.0, 0.0);
        assert_eq!(result.expect("comparable").max_abs_error, u64::MAX as f64);
        let (large, next) = (ints(&[1 << 62]), ints(&[(1 << 62) + 1]));
        assert_eq!(compare(&large, &next, 0.0, 0.0).expect("comparable").max_abs_error, 1.0);
    }

    #[test]
    fn empty_tensors_pass() {
        assert!(compare(&floats(&[]), &floats(&[]), 0.0, 0.0).expect("comparable").passed);
    }

    #[test]
    fn types_and_shapes_must_agree() {
        let error = compare(&floats(&[1.0]), &ints(&[1]), 0.0, 0.0).expect_err("another type");
        assert_eq!(error.to_string(), "the reference holds i64, the result is f64");
        let error = compare(&floats(&[1.0]), &floats(&[]), 0.0, 0.0).expect_err("another shape");
        assert_eq!(error.to_string(), "the reference has the shape [0], the result [1]");
    }
}
