//! Ops on tiles against results computed by hand.

use crate::interpreter::function::program::*;
use crate::interpreter::scalar::ScalarType;
use crate::ir::FloatKind;

const BF16: ScalarType = ScalarType::Float(FloatKind::BF16);
const I8: ScalarType = ScalarType::Int(8);
const I32: ScalarType = ScalarType::Int(32);

/// The sum of the products of two pairs of bf16, added to `old`.
fn pairs(left: [f64; 4], right: [f64; 4], old: f64) -> f64 {
    let text = "func.func @main(%a: memref<1x4xbf16>, %b: memref<2x2xbf16>, %c: memref<1x1xf32>) {
  %c0 = arith.constant 0 : index
  %x = amx.tile_load %a[%c0, %c0] : memref<1x4xbf16> into !amx.tile<1x4xbf16>
  %y = amx.tile_load %b[%c0, %c0] : memref<2x2xbf16> into !amx.tile<2x2xbf16>
  %z = amx.tile_load %c[%c0, %c0] : memref<1x1xf32> into !amx.tile<1x1xf32>
  %r = amx.tile_mulf %x, %y, %z : !amx.tile<1x4xbf16>, !amx.tile<2x2xbf16>, !amx.tile<1x1xf32>
  amx.tile_store %c[%c0, %c0], %r : memref<1x1xf32>, !amx.tile<1x1xf32>
  return
}";
    let arguments =
        [buffer(BF16, &[1, 4], &left), buffer(BF16, &[2, 2], &right), buffer(F32, &[1, 1], &[old])];
    cells(text, &arguments)[2][0]
}

#[test]
fn first_and_second_numbers_of_pairs_are_summed_apart() {
    let large = f64::from(1 << 24);
    assert_eq!(pairs([1., 2., 3., 4.], [5., 6., 7., 8.], 100.), 170.);
    // In one sum, the second number would be lost in the first one.
    assert_eq!(pairs([large, 1., -large, 0.], [1.; 4], 0.), 1.);
    // The old sum comes last.
    assert_eq!(pairs([-2. * large, 0., 0., 1.], [1.; 4], 2. * large), 0.);
}

#[test]
fn subnormal_numbers_count_as_0() {
    let subnormal = 2f64.powi(-130);
    assert_eq!(pairs([subnormal, 0., 0., 1.], [2f64.powi(100), 1., 1., 1.], 0.), 1.);
    assert_eq!(pairs([0.; 4], [0.; 4], subnormal), 0.);
    let small = 2f64.powi(-70);
    assert_eq!(pairs([small, 0., 0., 0.], [small, 1., 1., 1.], 0.), 0.);
}

#[test]
fn bytes_have_signs_or_none() {
    let product = |signs: [&str; 2], old: f64| {
        let text = format!(
            "func.func @main(%a: memref<1x4xi8>, %b: memref<1x4xi8>, %c: memref<1x1xi32>) {{
  %c0 = arith.constant 0 : index
  %x = amx.tile_load %a[%c0, %c0] : memref<1x4xi8> into !amx.tile<1x4xi8>
  %y = amx.tile_load %b[%c0, %c0] : memref<1x4xi8> into !amx.tile<1x4xi8>
  %z = amx.tile_load %c[%c0, %c0] : memref<1x1xi32> into !amx.tile<1x1xi32>
  %r = amx.tile_muli %x {}, %y {}, %z : !amx.tile<1x4xi8>, !amx.tile<1x4xi8>, !amx.tile<1x1xi32>
  amx.tile_store %c[%c0, %c0], %r : memref<1x1xi32>, !amx.tile<1x1xi32>
  return
}}",
            signs[0], signs[1]
        );
        let arguments = [
            buffer(I8, &[1, 4], &[-1., 1., 0., 0.]),
            buffer(I8, &[1, 4], &[-2., 3., 0., 0.]),
            buffer(I32, &[1, 1], &[old]),
        ];
        cells(&text, &arguments)[2][0]
    };
    assert_eq!(product(["", ""], 0.), 5.);
    assert_eq!(product(["zext", ""], 0.), -507.);
    assert_eq!(product(["", "zext"], 0.), -251.);
    assert_eq!(product(["zext", "zext"], 0.), f64::from(255 * 254 + 3));
    assert_eq!(product(["", ""], f64::from(i32::MAX)), f64::from(i32::MIN) + 4.);
}

/// A function of `%a: memref<3x2x4xi8>`, `%i` and `%out: memref<2x4xi8>`.
fn copy(load: &str) -> String {
    format!(
        "func.func @main(%a: memref<3x2x4xi8>, %i: index, %out: memref<2x4xi8>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = amx.tile_load {load} into !amx.tile<2x4xi8>
  amx.tile_store %out[%c0, %c0], %x : memref<2x4xi8>, !amx.tile<2x4xi8>
  return
}}"
    )
}

fn arguments(i: i64) -> [crate::interpreter::Datum; 3] {
    let numbers: Vec<f64> = (0..24).map(f64::from).collect();
    [buffer(I8, &[3, 2, 4], &numbers), index(i), buffer(I8, &[2, 4], &[0.; 8])]
}

#[test]
fn rows_are_those_of_the_buffer_or_a_stride_apart() {
    let rows = copy("%a[%i, %c0, %c0] : memref<3x2x4xi8>");
    assert_eq!(cells(&rows, &arguments(1))[1], [8., 9., 10., 11., 12., 13., 14., 15.]);
    let apart = copy("%a[%i, %c1, %c0], %c8 : memref<3x2x4xi8>");
    assert_eq!(cells(&apart, &arguments(0))[1], [4., 5., 6., 7., 12., 13., 14., 15.]);
    let outside =
        "error: row 1, column 0: index [0, 2, 0] is out of bounds of an array of sizes [3, 2, 4]";
    refuse(&copy(&format!("%a[%c0, %c1, %c0] : memref<3x2x4xi8> // {outside}\n")), &arguments(0));
    let outside =
        "error: row 1, column 0: element 28 is out of bounds of an array of sizes [3, 2, 4]";
    let text = copy(&format!("%a[%i, %c1, %c0], %c8 : memref<3x2x4xi8> // {outside}\n"));
    refuse(&text, &arguments(2));
}

#[test]
fn zeros_are_zeros() {
    let text = "func.func @main(%c: memref<1x2xi32>) {
  %c0 = arith.constant 0 : index
  %z = amx.tile_zero : !amx.tile<1x2xi32>
  amx.tile_store %c[%c0, %c0], %z : memref<1x2xi32>, !amx.tile<1x2xi32>
  return
}";
    assert_eq!(cells(text, &[buffer(I32, &[1, 2], &[1., 2.])])[0], [0., 0.]);
}
