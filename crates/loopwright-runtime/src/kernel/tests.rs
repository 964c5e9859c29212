//! Each refusal of a call. Overlaps are tested in `ffi/raw_buffer.rs`, because tensors cannot overlap.

use super::*;
use crate::ffi::library::tests::{kernel, pool};
use crate::kernel::Argument::{Index, Input, Output};
use crate::tensor::{ElementType, Tensor};

fn zeros(element_type: ElementType, shape: &[usize]) -> Tensor {
    Tensor::zeros(element_type, shape).expect("small")
}

fn refusal(name: &str, arguments: &mut [Argument]) -> String {
    let error = kernel(name).call(&pool(1), arguments).expect_err("it does not fit");
    error.to_string()
}

#[test]
fn c1_another_number_of_arguments() {
    let input = zeros(ElementType::F64, &[3]);
    let text = refusal("sum", &mut [Input(&input), Input(&input)]);
    assert_eq!(text, "sum: found 2 arguments, expected 3 (C1)");
    let text = refusal("nothing", &mut [Index(1)]);
    assert_eq!(text, "nothing: found 1 arguments, expected 0 (C1)");
}

#[test]
fn c2_another_kind() {
    let input = zeros(ElementType::F32, &[2, 2]);
    let (mut output, mut other) = (input.clone(), input.clone());
    for (arguments, expected) in [
        (
            &mut [Index(3), Index(3), Output(&mut output)],
            "scale: argument 0 is an index, expected f32[?x?] (C2)",
        ),
        (
            &mut [Output(&mut other), Index(3), Input(&input)],
            "scale: argument 0 is an output, expected f32[?x?] (C2)",
        ),
        (
            &mut [Input(&input), Input(&input), Input(&input)],
            "scale: argument 1 is an input, expected index (C2)",
        ),
        (
            &mut [Input(&input), Index(3), Input(&input)],
            "scale: argument 2 is an input, expected f32[?x?] result (C2)",
        ),
    ] {
        assert_eq!(refusal("scale", arguments), expected);
    }
}

#[test]
fn c3_another_element_type() {
    let (wide, narrow) = (zeros(ElementType::F64, &[3]), zeros(ElementType::F16, &[3]));
    let mut sum = zeros(ElementType::F32, &[]);
    let text = refusal("sum", &mut [Input(&wide), Input(&narrow), Output(&mut sum)]);
    assert_eq!(text, "sum: argument 1 has elements of type f16, expected f64 (C3)");
    let text = refusal("sum", &mut [Input(&wide), Input(&wide), Output(&mut sum)]);
    assert_eq!(text, "sum: argument 2 has elements of type f32, expected f64 (C3)");
}

#[test]
fn c3_a_byte_that_is_no_boolean() {
    let mut flags = zeros(ElementType::Bool, &[3]);
    flags.bytes_mut()[1] = 7;
    let mut sum = zeros(ElementType::F64, &[]);
    let text = refusal("sum", &mut [Input(&flags), Input(&flags), Output(&mut sum)]);
    assert_eq!(text, "sum: argument 0 has the byte 7 as a boolean, expected 0 or 1 (C3)");
}

#[test]
fn c4_another_rank() {
    let (vector, scalar) = (zeros(ElementType::F64, &[1]), zeros(ElementType::F64, &[]));
    let mut sum = zeros(ElementType::F64, &[1]);
    let text = refusal("sum", &mut [Input(&scalar), Input(&vector), Output(&mut sum)]);
    assert_eq!(text, "sum: argument 0 has rank 0, expected 1 (C4)");
    let text = refusal("sum", &mut [Input(&vector), Input(&vector), Output(&mut sum)]);
    assert_eq!(text, "sum: argument 2 has rank 1, expected 0 (C4)");
}

#[test]
fn c5_another_static_size() {
    let mut counters = zeros(ElementType::I64, &[40, 51]);
    let text = refusal("count", &mut [Output(&mut counters)]);
    assert_eq!(text, "count: argument 0 has size 51 in dimension 1, expected 50 (C5)");
    let mut counters = zeros(ElementType::I64, &[0, 50]);
    let text = refusal("count", &mut [Output(&mut counters)]);
    assert_eq!(text, "count: argument 0 has size 0 in dimension 0, expected 40 (C5)");
}

#[test]
fn c8_sizes_that_the_kernel_refuses() {
    let (input, mut output) = (zeros(ElementType::F32, &[4, 5]), zeros(ElementType::F32, &[4, 6]));
    let text = refusal("scale", &mut [Input(&input), Index(7), Output(&mut output)]);
    assert_eq!(text, "scale: does not work with the sizes [4, 5, 7, 4, 6] (C8)");
    let mut place = zeros(ElementType::I64, &[]);
    let text = refusal("where", &mut [Index(i64::MIN), Output(&mut place)]);
    assert_eq!(text, "where: does not work with the sizes [-9223372036854775808] (C8)");
}

#[test]
fn what_is_refused_is_not_run() {
    let input = zeros(ElementType::F64, &[3]);
    let mut sum = Tensor::from_f64s(ElementType::F64, &[], &[7.0]).expect("small");
    let short = zeros(ElementType::F64, &[3, 1]);
    refusal("sum", &mut [Input(&input), Input(&short), Output(&mut sum)]);
    assert_eq!(sum.get_f64(0), 7.0);
}
