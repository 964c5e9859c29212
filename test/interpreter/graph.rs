//! Graph ops against their definition.

use crate::interpreter::Datum;
use crate::interpreter::function::program::*;
use crate::interpreter::scalar::ScalarType;
use crate::ir::FloatKind;

const I8: ScalarType = ScalarType::Int(8);

/// Runs `%r = graph.<op>` on arguments `%x`, `%y`, ... of these types.
fn program(op: &str, types: &[&str], result: &str) -> String {
    let named = types.iter().zip(["%x", "%y", "%z"]);
    let arguments: Vec<_> = named.map(|(ty, name)| format!("{name}: {ty}")).collect();
    let arguments = arguments.join(", ");
    format!(
        "func.func @main({arguments}) -> {result} {{\n  %r = graph.{op}\n  return %r : {result}\n}}"
    )
}

fn binary(op: &str, ty: ScalarType, x: &[f64], y: &[f64]) -> Vec<f64> {
    let element = if ty == I8 { "i8" } else { "f32" };
    let tensor_type = format!("tensor<{}x{element}>", x.len());
    let text =
        program(&format!("{op} %x, %y : {tensor_type}"), &[tensor_type.as_str(); 2], &tensor_type);
    cells(&text, &[tensor(ty, &[x.len()], x), tensor(ty, &[y.len()], y)]).remove(0)
}

fn unary(op: &str, ty: ScalarType, x: &[f64]) -> Vec<f64> {
    let element = if ty == I8 { "i8" } else { "f32" };
    let tensor_type = format!("tensor<{}x{element}>", x.len());
    let text = program(&format!("{op} %x : {tensor_type}"), &[tensor_type.as_str()], &tensor_type);
    cells(&text, &[tensor(ty, &[x.len()], x)]).remove(0)
}

#[test]
fn integers_wrap_around() {
    assert_eq!(binary("add", I8, &[100., -3.], &[100., 1.]), [-56., -2.]);
    assert_eq!(binary("sub", I8, &[-128., 5.], &[1., 7.]), [127., -2.]);
    assert_eq!(binary("mul", I8, &[16., -3.], &[16., 5.]), [0., -15.]);
    assert_eq!(binary("div", I8, &[-7., 7.], &[2., -2.]), [-3., -3.]);
    assert_eq!(binary("max", I8, &[-7., 7.], &[2., -2.]), [2., 7.]);
    assert_eq!(binary("min", I8, &[-7., 7.], &[2., -2.]), [-7., -2.]);
    assert_eq!(unary("neg", I8, &[-128., 5.]), [-128., -5.]);
    assert_eq!(unary("relu", I8, &[-128., 5.]), [0., 5.]);
}

#[test]
fn floats_are_rounded_to_their_type() {
    let third = f64::from(1.0f32 / 3.0);
    assert_eq!(binary("div", F32, &[1., -1.], &[3., 0.]), [third, f64::NEG_INFINITY]);
    assert_eq!(binary("add", F32, &[16777216., 0.5], &[1., 0.25]), [16777216., 0.75]);
    assert_eq!(binary("sub", F32, &[1., 0.5], &[1., 0.25]), [0., 0.25]);
    assert_eq!(
        binary("mul", F32, &[2f64.powi(100), 0.5], &[2f64.powi(100), 0.25]),
        [f64::INFINITY, 0.125]
    );
    // The value of e rounded to f32 is 0x1.5bf0a8p+1.
    assert_eq!(unary("exp", F32, &[0., 1.]), [1., 2.7182817459106445]);
}

#[test]
fn max_and_min_of_special_values() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let shown = |found: Vec<f64>| format!("{found:?}");
    let found = binary("max", F32, &[0., -0., -0., nan, 1.], &[-0., 0., -0., inf, nan]);
    assert_eq!(shown(found), "[0.0, 0.0, -0.0, NaN, NaN]");
    let found = binary("min", F32, &[0., -0., 0., nan, 1.], &[-0., 0., 0., -inf, nan]);
    assert_eq!(shown(found), "[-0.0, -0.0, 0.0, NaN, NaN]");
    assert_eq!(shown(unary("relu", F32, &[-0., nan, -inf, inf])), "[0.0, NaN, 0.0, inf]");
    assert_eq!(shown(unary("neg", F32, &[0., -0., nan, inf])), "[-0.0, 0.0, NaN, -inf]");
}

#[test]
fn bf16_sums_are_formed_in_bf16() {
    // 256 + 1 is not representable in bf16 and rounds to the even 256, twice.
    let bf16 = ScalarType::Float(FloatKind::BF16);
    let text = program(
        "reduce add %x dims = [0] : tensor<3xbf16> -> tensor<bf16>",
        &["tensor<3xbf16>"],
        "tensor<bf16>",
    );
    assert_eq!(cells(&text, &[tensor(bf16, &[3], &[256., 1., 1.])]), [[256.]]);
    let text = program(
        "matmul %x, %y : tensor<1x3xbf16>, tensor<3x1xbf16> -> tensor<1x1xbf16>",
        &["tensor<1x3xbf16>", "tensor<3x1xbf16>"],
        "tensor<1x1xbf16>",
    );
    let ones = tensor(bf16, &[3, 1], &[1., 1., 1.]);
    assert_eq!(cells(&text, &[tensor(bf16, &[1, 3], &[256., 1., 1.]), ones]), [[256.]]);
}

#[test]
fn division_without_a_quotient_is_refused() {
    let text = program(
        "div %x, %y : tensor<2xi8> // error: result [1] divides 5 by 0",
        &["tensor<2xi8>"; 2],
        "tensor<2xi8>",
    );
    refuse(&text, &[tensor(I8, &[2], &[1., 5.]), tensor(I8, &[2], &[1., 0.])]);
    let text = program(
        "div %x, %y : tensor<1xi8> // error: result [0] overflows: -128 by -1",
        &["tensor<1xi8>"; 2],
        "tensor<1xi8>",
    );
    refuse(&text, &[tensor(I8, &[1], &[-128.]), tensor(I8, &[1], &[-1.])]);
}

#[test]
fn undefined_and_unequal_operands_are_refused() {
    let text = "
func.func @main(%v: f32, %i: index) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %x = tensor.insert %v into %e[%i] : tensor<2xf32>
  %r = graph.add %x, %x : tensor<2xf32> // error: result [1] is computed from an undefined value
  return %r : tensor<2xf32>
}";
    let one = Datum::Scalar(crate::interpreter::scalar::Scalar::Float(1.));
    refuse(text, &[one, index(0)]);
    let text = program(
        "add %x, %y : tensor<?xf32> // error: has operands of different sizes: [2] and [3]",
        &["tensor<?xf32>"; 2],
        "tensor<?xf32>",
    );
    refuse(&text, &[counting(&[2]), counting(&[3])]);
}

#[test]
fn matmul_with_each_transposition() {
    // a = [1 2 3; 4 5 6], b = [1 2; 3 4; 5 6]: a b = [22 28; 49 64].
    let a = [
        tensor(F32, &[2, 3], &[1., 2., 3., 4., 5., 6.]),
        tensor(F32, &[3, 2], &[1., 4., 2., 5., 3., 6.]),
    ];
    let b = [
        tensor(F32, &[3, 2], &[1., 2., 3., 4., 5., 6.]),
        tensor(F32, &[2, 3], &[1., 3., 5., 2., 4., 6.]),
    ];
    let a_types = [("", "tensor<2x3xf32>"), ("transpose_a", "tensor<3x2xf32>")];
    let b_types = [("", "tensor<3x2xf32>"), ("transpose_b", "tensor<2x3xf32>")];
    for (a, (with_a, a_type)) in a.iter().zip(a_types) {
        for (b, (with_b, b_type)) in b.iter().zip(b_types) {
            let op =
                format!("matmul %x, %y {with_a} {with_b} : {a_type}, {b_type} -> tensor<2x2xf32>");
            let text = program(&op, &[a_type, b_type], "tensor<2x2xf32>");
            assert_eq!(cells(&text, &[a.clone(), b.clone()]), [[22., 28., 49., 64.]]);
        }
    }
}

#[test]
fn matmul_of_unequal_inner_sizes_is_refused() {
    let ty = "tensor<?x?xf32>";
    let op = "matmul %x, %y transpose_b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32> // error: \
              multiplies a 2x3 matrix by a 4x2 matrix, whose sizes do not match";
    refuse(&program(op, &[ty, ty], ty), &[counting(&[2, 3]), counting(&[2, 4])]);
}

#[test]
fn matmul_over_nothing_is_zero() {
    let types = ["tensor<2x?xf32>", "tensor<?x1xf32>"];
    let text = program(
        "matmul %x, %y : tensor<2x?xf32>, tensor<?x1xf32> -> tensor<2x1xf32>",
        &types,
        "tensor<2x1xf32>",
    );
    assert_eq!(cells(&text, &[counting(&[2, 0]), counting(&[0, 1])]), [[0., 0.]]);
}

#[test]
fn reductions_of_each_kind() {
    let run = |kind: &str| {
        let op = format!("reduce {kind} %x dims = [0, 2] : tensor<2x2x2xf32> -> tensor<2xf32>");
        let text = program(&op, &["tensor<2x2x2xf32>"], "tensor<2xf32>");
        cells(&text, &[tensor(F32, &[2, 2, 2], &[1., -2., 3., 4., 5., 6., -7., 8.])]).remove(0)
    };
    assert_eq!(run("add"), [10., 8.]);
    assert_eq!(run("mul"), [-60., -672.]);
    assert_eq!(run("max"), [6., 8.]);
    assert_eq!(run("min"), [-2., -7.]);
}

#[test]
fn reduction_keeps_dims_when_asked() {
    let op = "reduce add %x dims = [1] keep_dims : tensor<2x?xf32> -> tensor<2x1xf32>";
    let text = program(op, &["tensor<2x?xf32>"], "tensor<2x1xf32>");
    assert_eq!(sizes(&text, &[counting(&[2, 3])]), [2, 1]);
    assert_eq!(cells(&text, &[counting(&[2, 3])]), [[6., 15.]]);
}

#[test]
fn reductions_over_nothing_give_the_identity() {
    let run = |kind: &str, element: &str, ty: ScalarType| {
        let from = format!("tensor<?x{element}>");
        let op = format!("reduce {kind} %x dims = [0] : {from} -> tensor<{element}>");
        let text = program(&op, &[from.as_str()], &format!("tensor<{element}>"));
        cells(&text, &[tensor(ty, &[0], &[])])[0][0]
    };
    assert_eq!(run("add", "f32", F32), 0.);
    assert_eq!(run("mul", "f32", F32), 1.);
    assert_eq!(run("max", "f32", F32), f64::NEG_INFINITY);
    assert_eq!(run("min", "f32", F32), f64::INFINITY);
    assert_eq!(run("max", "i8", I8), -128.);
    assert_eq!(run("min", "i8", I8), 127.);
    assert_eq!(run("max", "i64", I64), i64::MIN as f64);
}

#[test]
fn transposition_permutes() {
    let op = "transpose %x perm = [2, 0, 1] : tensor<2x1x3xf32> to tensor<3x2x1xf32>";
    let text = program(op, &["tensor<2x1x3xf32>"], "tensor<3x2x1xf32>");
    assert_eq!(cells(&text, &[counting(&[2, 1, 3])]), [[1., 4., 2., 5., 3., 6.]]);
}

#[test]
fn broadcasts_repeat_new_dimensions_and_ones() {
    let op = "broadcast %x dims = [0, 2] sizes(%y) : tensor<2x1xf32> to tensor<2x?x3xf32>";
    let text = program(op, &["tensor<2x1xf32>", "index"], "tensor<2x?x3xf32>");
    let found = cells(&text, &[counting(&[2, 1]), index(2)]);
    assert_eq!(found, [[[1.; 6], [2.; 6]].concat()]);
    assert_eq!(sizes(&text, &[counting(&[2, 1]), index(4)]), [2, 4, 3]);
}

#[test]
fn broadcasts_to_impossible_sizes_are_refused() {
    let op = "broadcast %x dims = [1] sizes(%y) : tensor<2xf32> to tensor<?x2xf32> // error: has size \
              -1, expected a size that is not negative";
    let text = program(op, &["tensor<2xf32>", "index"], "tensor<?x2xf32>");
    refuse(&text, &[counting(&[2]), index(-1)]);
}

#[test]
fn constants_are_their_elements() {
    let text = program("constant dense<[[1.5], [2.0]]> : tensor<2x1xf32>", &[], "tensor<2x1xf32>");
    assert_eq!(cells(&text, &[]), [[1.5, 2.]]);
}

#[test]
fn topk_of_too_few_elements_is_refused() {
    let text = "func.func @main(%x: tensor<?xf32>) -> tensor<3xf32> {\n  %r, %i = graph.topk %x k = 3 dim = 0 : tensor<?xf32> \
                -> tensor<3xf32>, tensor<3xi64> // error: takes 3 elements of a dimension with 2\n  return %r : tensor<3xf32>\n}";
    refuse(text, &[counting(&[2])]);
}

#[test]
fn updates_of_dimensions_without_elements_are_refused() {
    let op = "scatter_elements add %x, %y, %z dim = 0 : tensor<?xf32>, tensor<1xi64>, tensor<1xf32> // error: update [0] has \
              index 2 in a dimension without elements";
    let text = program(op, &["tensor<?xf32>", "tensor<1xi64>", "tensor<1xf32>"], "tensor<?xf32>");
    let index = tensor(ScalarType::Int(64), &[1], &[2.]);
    refuse(&text, &[counting(&[0]), index, counting(&[1])]);
}

#[test]
fn updates_beyond_the_rows_are_refused() {
    let op = "scatter_elements add %x, %y, %z dim = 1 : tensor<?x2xf32>, tensor<2x1xi64>, tensor<2x1xf32> // error: update [1, \
              0] is beyond dimension 0 of sizes [1, 2]";
    let types = ["tensor<?x2xf32>", "tensor<2x1xi64>", "tensor<2x1xf32>"];
    let text = program(op, &types, "tensor<?x2xf32>");
    let indices = tensor(ScalarType::Int(64), &[2, 1], &[0., 0.]);
    refuse(&text, &[counting(&[1, 2]), indices, counting(&[2, 1])]);
}
