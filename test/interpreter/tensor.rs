//! Tensor ops against results computed by hand.

use crate::interpreter::Datum;
use crate::interpreter::function::program::*;
use crate::interpreter::scalar::Scalar;

/// A function of `arguments` that returns the value `%r` of type `result`.
fn function(arguments: &str, body: &str, result: &str) -> String {
    format!("func.func @main({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}")
}

/// A function of `arguments` whose only line is `line`, which must be refused with the error at its end.
fn refused(arguments: &str, line: &str, data: &[Datum]) {
    refuse(&format!("func.func @main({arguments}) {{\n{line}\nreturn\n}}"), data);
}

#[test]
fn elements_go_in_and_out() {
    let text = function(
        "%x: tensor<2x3xf32>, %i: index, %j: index",
        "%v = tensor.extract %x[%i, %j] : tensor<2x3xf32>
         %r = tensor.insert %v into %x[%j, %i] : tensor<2x3xf32>",
        "tensor<2x3xf32>",
    );
    let found = cells(&text, &[counting(&[2, 3]), index(1), index(0)]);
    assert_eq!(found, [[1., 4., 3., 4., 5., 6.]]);
}

#[test]
fn elements_out_of_bounds_are_refused() {
    let data = [counting(&[2, 3]), index(3)];
    let out = "// error: index [1, 3] is out of bounds of an array of sizes [2, 3]";
    for line in [
        "%v = tensor.extract %x[%c, %i] : tensor<2x3xf32>",
        "%v = tensor.insert %f into %x[%c, %i] : tensor<2x3xf32>",
    ] {
        let before = "%c = arith.constant 1 : index %f = arith.constant 1.0 : f32";
        refused("%x: tensor<2x3xf32>, %i: index", &format!("{before}\n{line} {out}"), &data);
    }
}

#[test]
fn undefined_indices_are_refused() {
    let line = "%e = tensor.empty() : tensor<1xindex>
        %c = arith.constant 0 : index
        %u = tensor.extract %e[%c] : tensor<1xindex>
        %v = tensor.extract %x[%u] : tensor<2xf32> // error: uses an undefined value as an index";
    refused("%x: tensor<2xf32>", line, &[counting(&[2])]);
}

#[test]
fn sizes_and_ranks() {
    let text = function(
        "%x: tensor<?x3xf32>, %i: index",
        "%d = tensor.dim %x, %i : tensor<?x3xf32>
         %k = tensor.rank %x : tensor<?x3xf32>
         %r = tensor.from_elements %d, %k : tensor<2xindex>",
        "tensor<2xindex>",
    );
    assert_eq!(cells(&text, &[counting(&[7, 3]), index(0)]), [[7., 2.]]);
    let line =
        "%d = tensor.dim %x, %i : tensor<2xf32> // error: reads dimension 1 of an array of rank 1";
    refused("%x: tensor<2xf32>, %i: index", line, &[counting(&[2]), index(1)]);
}

#[test]
fn empty_tensors_of_impossible_sizes_are_refused() {
    let arguments = "%n: index";
    let line = |ty: &str| format!("%e = tensor.empty(%n) : {ty}");
    let negative =
        line("tensor<2x?xf32> // error: size 1 is -4, expected a size that is not negative");
    refused(arguments, &negative, &[index(-4)]);
    let absurd = "tensor<9x?xf32> // error: creates an array of sizes [9, 1152921504606846976], which is too large";
    refused(arguments, &line(absurd), &[index(1 << 60)]);
    let zero = "tensor<0x?xf32> // error: creates an array of sizes [0, 1152921504606846976], which is too large";
    refused(arguments, &line(zero), &[index(1 << 60)]);
    let constant = "%c = arith.constant dense<1> : tensor<1099511627776xi8> // error: creates an array \
                    of sizes [1099511627776], which is too large";
    refused(arguments, constant, &[index(0)]);
}

#[test]
fn from_elements_splat_and_generate() {
    let text = "
func.func @main(%v: f32, %n: index) -> (tensor<2x2xf32>, tensor<?x2xf32>, tensor<2x?xindex>) {
  %w = arith.addf %v, %v : f32
  %a = tensor.from_elements %v, %w, %w, %v : tensor<2x2xf32>
  %b = tensor.splat %v[%n] : tensor<?x2xf32>
  %c = tensor.generate %n {
    ^bb0(%i: index, %j: index):
      %d = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>(%i, %j)[%n]
      tensor.yield %d : index
  } : tensor<2x?xindex>
  return %a, %b, %c : tensor<2x2xf32>, tensor<?x2xf32>, tensor<2x?xindex>
}";
    let found = cells(text, &[Datum::Scalar(Scalar::Float(1.5)), index(3)]);
    assert_eq!(found[0], [1.5, 3., 3., 1.5]);
    assert_eq!(found[1], [1.5; 6]);
    assert_eq!(found[2], [0., 1., 2., 3., 4., 5.]);
}

#[test]
fn casts_check_sizes() {
    let text = function(
        "%x: tensor<?x3xf32>",
        "%r = tensor.cast %x : tensor<?x3xf32> to tensor<2x3xf32>",
        "tensor<2x3xf32>",
    );
    assert_eq!(cells(&text, &[counting(&[2, 3])]), [[1., 2., 3., 4., 5., 6.]]);
    let line = "%r = tensor.cast %x : tensor<?xf32> to tensor<4xf32> // error: computes sizes [3] for a \
                value of type tensor<4xf32>";
    refused("%x: tensor<?xf32>", line, &[counting(&[3])]);
    let line = "%r = tensor.cast %x : tensor<?xf32> to tensor<*xf32> // error: has type tensor<*xf32>, \
                which the interpreter does not support";
    refused("%x: tensor<?xf32>", line, &[counting(&[3])]);
}

#[test]
fn expand_and_collapse_keep_the_order() {
    let text = function(
        "%x: tensor<?x4xf32>, %n: index",
        "%e = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [%n, 3, 2, 2] : tensor<?x4xf32> into tensor<?x3x2x2xf32>
         %r = tensor.collapse_shape %e [[0], [1, 2, 3]] : tensor<?x3x2x2xf32> into tensor<?x12xf32>",
        "tensor<?x12xf32>",
    );
    let x = counting(&[6, 4]);
    let expected: Vec<_> = (1..=24).map(f64::from).collect();
    assert_eq!(cells(&text, &[x.clone(), index(2)]), [expected]);
    assert_eq!(sizes(&text, &[x, index(2)]), [2, 12]);
    let text = function(
        "%x: tensor<1x1xf32>",
        "%c = tensor.collapse_shape %x [] : tensor<1x1xf32> into tensor<f32>
         %r = tensor.expand_shape %c [] output_shape [1] : tensor<f32> into tensor<1xf32>",
        "tensor<1xf32>",
    );
    assert_eq!(cells(&text, &[counting(&[1, 1])]), [[1.]]);
}

#[test]
fn expansion_that_loses_cells_is_refused() {
    let line = "%e = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into \
                tensor<?x3xf32> // error: expands sizes [7] to [2, 3] in groups [[0, 1]], whose products \
                do not match";
    refused("%x: tensor<?xf32>, %n: index", line, &[counting(&[7]), index(2)]);
    let line = "%e = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into \
                tensor<?x3xf32> // error: size 0 is -2, expected a size that is not negative";
    refused("%x: tensor<?xf32>, %n: index", line, &[counting(&[6]), index(-2)]);
}

#[test]
fn reshape_takes_its_sizes_from_a_tensor() {
    let text = function(
        "%x: tensor<2x3xf32>, %s: tensor<2xi32>",
        "%r = tensor.reshape %x(%s) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x2xf32>",
        "tensor<?x2xf32>",
    );
    let shape = |a, b| tensor(I32, &[2], &[a, b]);
    assert_eq!(sizes(&text, &[counting(&[2, 3]), shape(3., 2.)]), [3, 2]);
    let line = "%r = tensor.reshape %x(%s) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32> // \
                error: reshapes sizes [2, 3] to [4, 2], which has another number of elements";
    let arguments = "%x: tensor<2x3xf32>, %s: tensor<2xi32>";
    refused(arguments, line, &[counting(&[2, 3]), shape(4., 2.)]);
    let line = "%r = tensor.reshape %x(%s) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x2xf32> // \
                error: computes sizes [2, 3] for a value of type tensor<?x2xf32>";
    refused(arguments, line, &[counting(&[2, 3]), shape(2., 3.)]);
}

#[test]
fn slices_with_strides_and_dropped_dimensions() {
    let text = function(
        "%x: tensor<3x5xf32>, %o: index, %n: index, %s: index",
        "%r = tensor.extract_slice %x[2, %o] [1, %n] [1, %s] : tensor<3x5xf32> to tensor<?xf32>",
        "tensor<?xf32>",
    );
    let x = counting(&[3, 5]);
    assert_eq!(cells(&text, &[x.clone(), index(1), index(2), index(3)]), [[12., 15.]]);
    assert_eq!(cells(&text, &[x.clone(), index(5), index(0), index(1)]), [[0.0; 0]]);
    let text = text.replace(
        "return",
        "// error: index [2, 7] is out of bounds of an array of sizes [3, 5]\nreturn",
    );
    let text = text.replace("tensor<?xf32>\n//", "tensor<?xf32> //");
    refuse(&text, &[x, index(1), index(3), index(3)]);
}

#[test]
fn slices_keep_the_unit_dimensions_that_the_type_has() {
    let text = function(
        "%x: tensor<4x4x4xf32>, %n: index",
        "%r = tensor.extract_slice %x[1, 0, 2] [1, %n, 1] [1, 2, 1] : tensor<4x4x4xf32> to tensor<1x?xf32>",
        "tensor<1x?xf32>",
    );
    assert_eq!(sizes(&text, &[counting(&[4, 4, 4]), index(2)]), [1, 2]);
    assert_eq!(cells(&text, &[counting(&[4, 4, 4]), index(2)]), [[19., 27.]]);
}

#[test]
fn insert_slice_sets_a_part() {
    let text = function(
        "%x: tensor<?xf32>, %y: tensor<3x5xf32>, %n: index",
        "%r = tensor.insert_slice %x into %y[0, 4] [%n, 1] [2, 1] : tensor<?xf32> into tensor<3x5xf32>",
        "tensor<3x5xf32>",
    );
    let x = tensor(F32, &[2], &[70., 80.]);
    let found = &cells(&text, &[x.clone(), counting(&[3, 5]), index(2)])[0];
    assert_eq!(found[..6], [1., 2., 3., 4., 70., 6.]);
    assert_eq!(found[9..], [10., 11., 12., 13., 14., 80.]);
    let arguments = "%x: tensor<?xf32>, %y: tensor<3x5xf32>, %n: index";
    let line = "%r = tensor.insert_slice %x into %y[0, 4] [%n, 1] [2, 1] : tensor<?xf32> into \
                tensor<3x5xf32> // error: inserts sizes [1], but its source has [2]";
    refused(arguments, line, &[x, counting(&[3, 5]), index(1)]);
}

#[test]
fn pad_evaluates_its_body_outside_the_source() {
    let text = function(
        "%x: tensor<?x2xf32>, %low: index",
        "%r = tensor.pad %x low[%low, 1] high[0, 0] {
           ^bb0(%i: index, %j: index):
             %k = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
             %c = arith.index_cast %k : index to i32
             %f = arith.sitofp %c : i32 to f32
             tensor.yield %f : f32
         } : tensor<?x2xf32> to tensor<?x3xf32>",
        "tensor<?x3xf32>",
    );
    let x = tensor(F32, &[2, 2], &[-1., -2., -3., -4.]);
    let found = cells(&text, &[x.clone(), index(1)]);
    assert_eq!(found, [[0., 1., 2., 10., -1., -2., 20., -3., -4.]]);
    // A negative amount of padding before removes a row.
    assert_eq!(cells(&text, &[x.clone(), index(-1)]), [[0., -3., -4.]]);
    let text = text.replace(
        "tensor.pad %x low[%low, 1] high[0, 0] {",
        "tensor.pad %x low[%low, 1] high[0, 0] { // error: size 0 is -1, expected a size that is not negative",
    );
    refuse(&text, &[x, index(-3)]);
}

#[test]
fn concat_joins_along_a_dimension() {
    let text = function(
        "%x: tensor<2x1xf32>, %y: tensor<2x?xf32>",
        "%r = tensor.concat dim(1) %x, %y, %x : (tensor<2x1xf32>, tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>",
        "tensor<2x?xf32>",
    );
    let y = tensor(F32, &[2, 2], &[10., 20., 30., 40.]);
    let found = cells(&text, &[counting(&[2, 1]), y]);
    assert_eq!(found, [[1., 10., 20., 1., 2., 30., 40., 2.]]);
    let line = "%r = tensor.concat dim(1) %x, %y : (tensor<?x1xf32>, tensor<?x2xf32>) -> tensor<?x3xf32> \
                // error: operand 1 has sizes [3, 2], but operand 0 has [2, 1]";
    let arguments = "%x: tensor<?x1xf32>, %y: tensor<?x2xf32>";
    refused(arguments, line, &[counting(&[2, 1]), counting(&[3, 2])]);
}

#[test]
fn bitcast_keeps_the_bits() {
    let text = function(
        "%x: tensor<2xf32>",
        "%r = tensor.bitcast %x : tensor<2xf32> to tensor<2xi32>",
        "tensor<2xi32>",
    );
    let found = cells(&text, &[tensor(F32, &[2], &[1., -2.])]);
    assert_eq!(found, [[f64::from(0x3f80_0000), -f64::from(0x4000_0000)]]);
}
