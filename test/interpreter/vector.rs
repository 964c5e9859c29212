//! Vector ops against results computed by hand.

use crate::interpreter::Datum;
use crate::interpreter::function::program::*;
use crate::interpreter::scalar::{Scalar, ScalarType};

/// A function of `%x: memref<8xf32>`, `%out: memref<8xf32>` and `%i: index`.
fn function(body: &str) -> String {
    format!(
        "func.func @main(%x: memref<8xf32>, %out: memref<8xf32>, %i: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
{body}
  return
}}"
    )
}

const X: [f64; 8] = [1., 2., 3., 4., 5., 6., 7., 8.];

/// The numbers that the body leaves in `%out`, which is initially zero.
fn out(body: &str, i: i64) -> Vec<f64> {
    let arguments = [buffer(F32, &[8], &X), buffer(F32, &[8], &[0.; 8]), index(i)];
    cells(&function(body), &arguments)[1].clone()
}

/// The first four numbers that the body leaves in `%out`.
fn out4(body: &str, i: i64) -> Vec<f64> {
    out(body, i)[..4].to_vec()
}

fn refused(body: &str, i: i64) {
    let arguments = [buffer(F32, &[8], &X), buffer(F32, &[8], &[0.; 8]), index(i)];
    refuse(&function(body), &arguments);
}

#[test]
fn contiguous_lanes_go_in_and_out() {
    let body = "%v = vector.load %x[%i] : memref<8xf32>, vector<4xf32>
        %w = arith.mulf %v, %v : vector<4xf32>
        vector.store %w, %out[%c1] : memref<8xf32>, vector<4xf32>";
    assert_eq!(out(body, 4), [0., 25., 36., 49., 64., 0., 0., 0.]);
}

#[test]
fn contiguous_lanes_stay_in_the_innermost_dimension() {
    let text = "
func.func @main(%x: memref<2x6xi8>, %i: index, %j: index) {
  %v = vector.load %x[%i, %j] : memref<2x6xi8>, vector<4xi8> // error: lane 3: index [0, 6] is out of bounds of an array of sizes [2, 6]
  return
}";
    let x = buffer(ScalarType::Int(8), &[2, 6], &[1.; 12]);
    refuse(text, &[x, index(0), index(3)]);
    refused(
        "%v = vector.broadcast %zero : f32 to vector<4xf32>
        vector.store %v, %out[%i] : memref<8xf32>, vector<4xf32> // error: lane 0: index [-1] is out of bounds of an array of sizes [8]",
        -1,
    );
}

#[test]
fn accesses_need_a_dimension() {
    let text = "
func.func @main(%x: memref<f32>) {
  %m = vector.constant_mask [1] : vector<1xi1>
  %v = arith.constant dense<0.0> : vector<1xf32>
  vector.maskedstore %x[], %m, %v : memref<f32>, vector<1xi1>, vector<1xf32> // error: accesses lanes of a memref of rank 0
  return
}";
    refuse(text, &[buffer(F32, &[], &[1.])]);
}

#[test]
fn indices_that_overflow_are_out_of_bounds() {
    refused(
        "%m = arith.constant dense<[false, true]> : vector<2xi1>
        %v = vector.broadcast %zero : f32 to vector<2xf32>
        vector.maskedstore %x[%i], %m, %v : memref<8xf32>, vector<2xi1>, vector<2xf32> // error: lane 1: index [9223372036854775807] is out of bounds of an array of sizes [8]",
        i64::MAX,
    );
}

#[test]
fn masked_lanes_are_not_accessed() {
    let body = "%m = vector.create_mask %i : vector<4xi1>
        %c6 = arith.constant 6 : index
        %old = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : vector<4xf32>
        %v = vector.maskedload %x[%c6], %m, %old : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
        vector.store %v, %out[%c0] : memref<8xf32>, vector<4xf32>
        vector.maskedstore %out[%c6], %m, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>";
    assert_eq!(out(body, 2), [7., 8., 30., 40., 0., 0., 7., 8.]);
    assert_eq!(out(body, -5), [10., 20., 30., 40., 0., 0., 0., 0.]);
}

#[test]
fn enabled_lanes_out_of_bounds_are_refused() {
    let with = |line: &str| {
        format!(
            "%m = vector.create_mask %c4 : vector<4xi1>
        %v = vector.broadcast %zero : f32 to vector<4xf32>
        {line} // error: lane 2: index [8] is out of bounds of an array of sizes [8]"
        )
    };
    for line in [
        "%w = vector.maskedload %x[%i], %m, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
        "vector.maskedstore %x[%i], %m, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>",
    ] {
        refused(&with(line), 6);
    }
    let with = |line: &str| {
        format!(
            "%m = arith.constant dense<[true, false, false, true]> : vector<4xi1>
        %at = arith.constant dense<[3, 99, -99, -2]> : vector<4xi32>
        %v = vector.broadcast %zero : f32 to vector<4xf32>
        {line} // error: lane 3: index [-1] is out of bounds of an array of sizes [8]"
        )
    };
    for line in [
        "%w = vector.gather %x[%i][%at], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
        "vector.scatter %x[%i][%at], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>",
    ] {
        refused(&with(line), 1);
    }
}

#[test]
fn gathers_and_scatters_go_by_index() {
    let body = "%m = vector.constant_mask [3] : vector<4xi1>
        %at = arith.constant dense<[2, 0, -1, 100]> : vector<4xindex>
        %old = arith.constant dense<9.0> : vector<4xf32>
        %v = vector.gather %x[%i][%at], %m, %old : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
        vector.store %v, %out[%c0] : memref<8xf32>, vector<4xf32>
        vector.scatter %out[%c4][%at], %m, %v : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>";
    assert_eq!(out(body, 5), [8., 6., 5., 5., 6., 0., 8., 0.]);
}

#[test]
fn gathers_move_in_the_innermost_dimension() {
    let text = "
func.func @main(%x: memref<2x3xi32>, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %m = arith.constant dense<true> : vector<2xi1>
  %at = arith.constant dense<[2, 1]> : vector<2xi64>
  %old = arith.constant dense<0> : vector<2xi32>
  %v = vector.gather %x[%i, %c0][%at], %m, %old : memref<2x3xi32>, vector<2xi64>, vector<2xi1>, vector<2xi32> into vector<2xi32>
  %r = vector.extract %v[0] : i32 from vector<2xi32>
  return %r : i32
}";
    let x = buffer(I32, &[2, 3], &[1., 2., 3., 4., 5., 6.]);
    assert_eq!(cells(text, &[x.clone(), index(1)])[0], [6.]);
    let beyond = text.replace("[2, 1]", "[2, 3]").replace(
        "into vector<2xi32>",
        "into vector<2xi32> // error: lane 1: index [1, 3] is out of bounds of an array of sizes [2, 3]",
    );
    refuse(&beyond, &[x, index(1)]);
}

#[test]
fn gathers_from_tensors_are_refused() {
    let body = "%t = tensor.empty() : tensor<8xf32>
        %m = vector.constant_mask [4] : vector<4xi1>
        %at = vector.step : vector<4xindex>
        %old = vector.broadcast %zero : f32 to vector<4xf32>
        %v = vector.gather %t[%i][%at], %m, %old : tensor<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> // error: uses a scalar or tensor where a buffer is expected";
    refused(body, 0);
}

#[test]
fn scatters_to_one_place_are_refused() {
    let with = |on: &str, message: &str| {
        format!(
            "%m = arith.constant dense<[true, true, {on}, true]> : vector<4xi1>
        %at = arith.constant dense<[0, 1, 0, 3]> : vector<4xi32>
        %v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
        vector.scatter %out[%i][%at], %m, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>{message}"
        )
    };
    refused(&with("true", " // error: lanes 0 and 2 both write index [4]"), 4);
    assert_eq!(out(&with("false", ""), 4), [0., 0., 0., 0., 1., 2., 0., 4.]);
}

#[test]
fn undefined_masks_and_indices_are_refused() {
    let with = |line: &str, message: &str| {
        format!(
            "%pm = ub.poison : vector<4xi1>
        %pi = ub.poison : vector<4xi32>
        %off = vector.constant_mask [0] : vector<4xi1>
        %on = vector.constant_mask [4] : vector<4xi1>
        %v = vector.broadcast %zero : f32 to vector<4xf32>
        {line}{message}"
        )
    };
    let load = "%w = vector.maskedload %x[%i], %pm, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>";
    refused(&with(load, " // error: lane 0: has an undefined mask"), 0);
    let scatter = |mask: &str| {
        format!(
            "vector.scatter %out[%i][%pi], {mask}, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>"
        )
    };
    let message = " // error: lane 0: uses an undefined value as an index";
    refused(&with(&scatter("%on"), message), 0);
    assert_eq!(out(&with(&scatter("%off"), ""), 0), [0.; 8]);
}

#[test]
fn undefined_lanes_are_carried_and_not_used() {
    let with = |count: &str, message: &str| {
        format!(
            "%a = memref.alloca() : memref<8xf32>
        %f = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
        vector.store %f, %a[%c0] : memref<8xf32>, vector<4xf32>
        %u = vector.load %a[%i] : memref<8xf32>, vector<4xf32>
        %m = vector.constant_mask [{count}] : vector<4xi1>
        %s = arith.select %m, %u, %f : vector<4xi1>, vector<4xf32>
        %r = arith.addf %s, %s : vector<4xf32>
        %e = vector.extract %r[2] : f32 from vector<4xf32>
        %is_equal = arith.cmpf oeq, %e, %e : f32
        cf.assert %is_equal, \"of defined values\"{message}
        vector.store %r, %out[%c0] : memref<8xf32>, vector<4xf32>"
        )
    };
    assert_eq!(out4(&with("2", ""), 2), [6., 8., 6., 8.]);
    refused(&with("3", " // error: has an undefined condition"), 2);
}

#[test]
fn undefined_lanes_in_memory_are_found_by_who_reads_them() {
    let body = "%u = ub.poison : vector<4xf32>
        %w = vector.insert %zero, %u[1] : f32 into vector<4xf32>
        vector.store %w, %out[%c0] : memref<8xf32>, vector<4xf32>
        %ok = memref.load %out[%c1] : memref<8xf32>
        %two = arith.addf %ok, %ok : f32
        %bad = memref.load %out[%c0] : memref<8xf32>
        %r = arith.addf %bad, %two : f32
        %is_equal = arith.cmpf oeq, %r, %r : f32
        cf.assert %is_equal, \"of defined values\" // error: has an undefined condition";
    refused(body, 0);
}

#[test]
fn elementwise_ops_work_on_each_lane() {
    let body = "%v = vector.load %x[%i] : memref<8xf32>, vector<4xf32>
        %k = arith.constant dense<[3.0, -1.0, 0.5, 4.0]> : vector<4xf32>
        %gt = arith.cmpf ogt, %v, %k : vector<4xf32>
        %n = arith.fptosi %v : vector<4xf32> to vector<4xi32>
        %c = arith.index_cast %n : vector<4xi32> to vector<4xindex>
        %lane = vector.step : vector<4xindex>
        %sum = arith.addi %c, %lane : vector<4xindex>
        %j = arith.index_cast %sum : vector<4xindex> to vector<4xi32>
        %f = arith.sitofp %j : vector<4xi32> to vector<4xf32>
        %fma = vector.fma %f, %k, %v : vector<4xf32>
        %e = math.absf %fma : vector<4xf32>
        %r = arith.select %gt, %e, %k : vector<4xi1>, vector<4xf32>
        vector.store %r, %out[%c0] : memref<8xf32>, vector<4xf32>";
    // v = 2 3 4 5; f = 2 4 6 8; fma = 8 -1 7 37.
    assert_eq!(out4(body, 1), [3., 1., 7., 37.]);
}

#[test]
fn select_takes_one_condition_for_all_lanes() {
    let body = "%v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
        %w = vector.load %x[%c4] : memref<8xf32>, vector<4xf32>
        %first = arith.cmpi eq, %i, %c0 : index
        %r = arith.select %first, %v, %w : vector<4xf32>
        vector.store %r, %out[%c0] : memref<8xf32>, vector<4xf32>";
    assert_eq!(out4(body, 0), [1., 2., 3., 4.]);
    assert_eq!(out4(body, 1), [5., 6., 7., 8.]);
}

#[test]
fn elementwise_errors_name_the_lane() {
    let text = "
func.func @main(%i: i32) {
  %v = vector.from_elements %i, %i, %i : vector<3xi32>
  %k = arith.constant dense<[1, 0, 2]> : vector<3xi32>
  %r = arith.divsi %v, %k : vector<3xi32> // error: at [1]: divides by 0
  return
}";
    refuse(text, &[index(1)]);
}

#[test]
fn lanes_come_out_and_go_in() {
    let body = "%v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
        %a = vector.extract %v[%i] : f32 from vector<4xf32>
        %b = vector.extract %v[1] : f32 from vector<4xf32>
        %w = vector.from_elements %a, %b, %zero, %zero : vector<4xf32>
        %y = vector.insert %a, %w[3] : f32 into vector<4xf32>
        %r = vector.insert %b, %y[%i] : f32 into vector<4xf32>
        vector.store %r, %out[%c0] : memref<8xf32>, vector<4xf32>";
    assert_eq!(out4(body, 2), [3., 2., 2., 3.]);
}

#[test]
fn positions_out_of_bounds_are_refused() {
    let out = "// error: index [4] is out of bounds of an array of sizes [4]";
    for line in [
        "%a = vector.extract %v[%i] : f32 from vector<4xf32>",
        "%a = vector.insert %zero, %v[%i] : f32 into vector<4xf32>",
    ] {
        let make = "%v = vector.broadcast %zero : f32 to vector<4xf32>";
        refused(&format!("{make}\n{line} {out}"), 4);
    }
}

#[test]
fn the_position_of_no_lane_is_undefined() {
    let extract = "%v = vector.broadcast %zero : f32 to vector<4xf32>
        %a = vector.extract %v[-1] : f32 from vector<4xf32>
        %r = arith.negf %a : f32
        %is_equal = arith.cmpf oeq, %r, %r : f32
        cf.assert %is_equal, \"of defined values\" // error: has an undefined condition";
    refused(extract, 0);
    let insert = "%v = vector.broadcast %zero : f32 to vector<4xf32>
        %w = vector.insert %zero, %v[-1] : f32 into vector<4xf32>
        %r = arith.negf %w : vector<4xf32>
        %e = vector.extract %r[0] : f32 from vector<4xf32>
        %is_equal = arith.cmpf oeq, %e, %e : f32
        cf.assert %is_equal, \"of defined values\" // error: has an undefined condition";
    refused(insert, 0);
    let none = "%v = vector.broadcast %zero : f32 to vector<4xf32>
        %w = vector.extract %v[] : vector<4xf32> from vector<4xf32> // error: has 0 positions, expected 1";
    refused(none, 0);
}

#[test]
fn shuffles_pick_from_two_vectors() {
    let body = "%v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
        %one = vector.load %x[%i] : memref<8xf32>, vector<1xf32>
        %w = vector.shuffle %v, %one [3, 4, -1, 0, 0, 4] : vector<4xf32>, vector<1xf32>
        %m = arith.constant dense<[true, true, false, true, true, true]> : vector<6xi1>
        vector.maskedstore %out[%c0], %m, %w : memref<8xf32>, vector<6xi1>, vector<6xf32>";
    assert_eq!(out(body, 7), [4., 8., 0., 1., 1., 8., 0., 0.]);
    refused(
        "%v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
        %w = vector.shuffle %v, %v [0, -1] : vector<4xf32>, vector<4xf32>
        %r = arith.negf %w : vector<2xf32>
        %e = vector.extract %r[1] : f32 from vector<2xf32>
        %is_equal = arith.cmpf oeq, %e, %e : f32
        cf.assert %is_equal, \"of defined values\" // error: has an undefined condition",
        0,
    );
}

#[test]
fn broadcasts_and_casts() {
    let body = "%v = vector.load %x[%i] : memref<8xf32>, vector<1xf32>
        %w = vector.broadcast %v : vector<1xf32> to vector<4xf32>
        %same = vector.broadcast %w : vector<4xf32> to vector<4xf32>
        %r = vector.shape_cast %same : vector<4xf32> to vector<4xf32>
        vector.store %r, %out[%c0] : memref<8xf32>, vector<4xf32>";
    assert_eq!(out4(body, 2), [3., 3., 3., 3.]);
}

#[test]
fn bitcasts_keep_the_bits() {
    let text = "
func.func @main(%x: memref<2xf32>, %bytes: memref<8xi8>, %halves: memref<4xbf16>, %bits: memref<3xi1>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
  %b = vector.bitcast %v : vector<2xf32> to vector<8xi8>
  vector.store %b, %bytes[%c0] : memref<8xi8>, vector<8xi8>
  %h = vector.bitcast %b : vector<8xi8> to vector<4xbf16>
  vector.store %h, %halves[%c0] : memref<4xbf16>, vector<4xbf16>
  %three = arith.constant dense<6> : vector<1xi3>
  %m = vector.bitcast %three : vector<1xi3> to vector<3xi1>
  vector.store %m, %bits[%c0] : memref<3xi1>, vector<3xi1>
  return
}";
    let bf16 = ScalarType::Float(crate::ir::FloatKind::BF16);
    let arguments = [
        buffer(F32, &[2], &[1., -2.]),
        buffer(ScalarType::Int(8), &[8], &[0.; 8]),
        buffer(bf16, &[4], &[0.; 4]),
        buffer(ScalarType::Int(1), &[3], &[0.; 3]),
    ];
    let found = cells(text, &arguments);
    assert_eq!(found[1], [0., 0., -128., 63., 0., 0., 0., -64.]);
    assert_eq!(found[2], [0., 1., 0., -2.]);
    assert_eq!(found[3], [0., 1., 1.]);
}

#[test]
fn bitcasts_of_undefined_bits_are_undefined() {
    let body = "%u = ub.poison : vector<4xf32>
        %v = vector.insert %zero, %u[0] : f32 into vector<4xf32>
        %h = vector.bitcast %v : vector<4xf32> to vector<8xi16>
        %a = vector.extract %h[1] : i16 from vector<8xi16>
        %b = arith.addi %a, %a : i16
        %w = vector.bitcast %h : vector<8xi16> to vector<2xi64>
        %r = arith.addi %w, %w : vector<2xi64>
        %e = vector.extract %r[0] : i64 from vector<2xi64>
        %is_equal = arith.cmpi eq, %e, %e : i64
        cf.assert %is_equal, \"of defined values\" // error: has an undefined condition";
    refused(body, 0);
}

/// The result of a reduction of `lanes` of type `ty`, with an accumulator if there is one.
fn reduced(kind: &str, ty: &str, lanes: &[f64], start: Option<f64>) -> f64 {
    let (n, acc) = (lanes.len(), if start.is_some() { ", %acc" } else { "" });
    let text = format!(
        "func.func @main(%x: memref<{n}x{ty}>, %acc: {ty}) -> {ty} {{
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<{n}x{ty}>, vector<{n}x{ty}>
  %r = vector.reduction <{kind}>, %v{acc} : vector<{n}x{ty}> into {ty}
  return %r : {ty}
}}"
    );
    let (scalar_type, start) = match (ty, start.unwrap_or(0.)) {
        ("f32", start) => (F32, Scalar::Float(start)),
        (_, start) => (ScalarType::Int(8), Scalar::Int(start as i64)),
    };
    cells(&text, &[buffer(scalar_type, &[n], lanes), Datum::Scalar(start)])[0][0]
}

#[test]
fn reductions_of_integers() {
    let lanes = [5., -3., 12., 7.];
    for (kind, alone, with_six) in [
        ("add", 21., 27.),
        ("mul", 20., 120.),
        ("minsi", -3., -3.),
        ("minui", 5., 5.),
        ("maxsi", 12., 12.),
        ("maxui", -3., -3.),
        ("and", 4., 4.),
        ("or", -1., -1.),
        ("xor", -13., -11.),
    ] {
        assert_eq!(reduced(kind, "i8", &lanes, None), alone, "{kind}");
        assert_eq!(reduced(kind, "i8", &lanes, Some(6.)), with_six, "{kind}");
    }
}

#[test]
fn reductions_of_floats() {
    let lanes = [5., -3., f64::NAN, 7.];
    for (kind, alone, with_nine) in [
        ("minnumf", -3., -3.),
        ("maxnumf", 7., 9.),
        ("minimumf", f64::NAN, f64::NAN),
        ("maximumf", f64::NAN, f64::NAN),
    ] {
        let found = [reduced(kind, "f32", &lanes, None), reduced(kind, "f32", &lanes, Some(9.))];
        assert_eq!(format!("{found:?}"), format!("{:?}", [alone, with_nine]), "{kind}");
    }
    assert_eq!(reduced("mul", "f32", &[2., 3., 4.], None), 24.);
    assert_eq!(reduced("mul", "f32", &[2., 3., 4.], Some(-1.)), -24.);
}

#[test]
fn reductions_begin_at_the_accumulator_and_lane_0() {
    let big = 2f64.powi(24);
    // In f32 each 1 is rounded away if added in this order; in the reverse order they would not be.
    assert_eq!(reduced("add", "f32", &[big, 1., 1.], None), big);
    assert_eq!(reduced("add", "f32", &[1., 1., big], None), big + 2.);
    assert_eq!(reduced("add", "f32", &[1., 1.], Some(big)), big);
}

#[test]
fn reductions_of_undefined_lanes_are_undefined() {
    let body = "%u = ub.poison : vector<4xf32>
        %v = vector.insert %zero, %u[0] : f32 into vector<4xf32>
        %r = vector.reduction <add>, %v : vector<4xf32> into f32
        %is_equal = arith.cmpf oeq, %r, %r : f32
        cf.assert %is_equal, \"of defined values\" // error: has an undefined condition";
    refused(body, 0);
}

#[test]
fn masks_have_the_first_lanes() {
    let with = |mask: &str| {
        format!(
            "%m = {mask}
        %one = arith.constant dense<1.0> : vector<4xf32>
        vector.maskedstore %out[%c0], %m, %one : memref<8xf32>, vector<4xi1>, vector<4xf32>"
        )
    };
    let create = with("vector.create_mask %i : vector<4xi1>");
    assert_eq!(out4(&create, 3), [1., 1., 1., 0.]);
    assert_eq!(out4(&create, 100), [1., 1., 1., 1.]);
    let constant = with("vector.constant_mask [1] : vector<4xi1>");
    assert_eq!(out4(&constant, 0), [1., 0., 0., 0.]);
    refused(
        "%p = ub.poison : index
        %m = vector.create_mask %p : vector<4xi1> // error: uses an undefined value as an index",
        0,
    );
}

#[test]
fn vectors_go_through_loops_branches_and_calls() {
    let text = "
func.func private @double(%v: vector<2xf32>) -> vector<2xf32> {
  %r = arith.addf %v, %v : vector<2xf32>
  return %r : vector<2xf32>
}
func.func @main(%x: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %sum = scf.for %i = %c0 to %n step %c2 iter_args(%s = %zero) -> vector<2xf32> {
    %v = vector.load %x[%i] : memref<?xf32>, vector<2xf32>
    %first = arith.cmpi eq, %i, %c0 : index
    %w = scf.if %first -> vector<2xf32> {
      %d = func.call @double(%v) : (vector<2xf32>) -> vector<2xf32>
      scf.yield %d : vector<2xf32>
    } else {
      scf.yield %v : vector<2xf32>
    }
    %t = arith.addf %s, %w : vector<2xf32>
    scf.yield %t : vector<2xf32>
  }
  %r = vector.reduction <add>, %sum : vector<2xf32> into f32
  return %r : f32
}";
    let x = buffer(F32, &[4], &[1., 2., 3., 4.]);
    assert_eq!(cells(text, &[x, index(4)])[0], [13.]);
}

#[test]
fn vectors_of_other_forms_are_refused() {
    for (line, message) in [
        (
            "%v = vector.broadcast %zero : f32 to vector<2x2xf32>",
            "has type vector<2x2xf32>, which the interpreter does not support",
        ),
        (
            "%v = vector.broadcast %zero : f32 to vector<[4]xf32>",
            "has type vector<[4]xf32>, which the interpreter does not support",
        ),
        (
            "%a = memref.alloc() : memref<4x4xf32> %v = vector.load %a[%c0, %c0] : memref<4x4xf32>, vector<2x2xf32>",
            "has type vector<2x2xf32>, which the interpreter does not support",
        ),
        (
            "%v = arith.constant dense<1.0> : vector<2x2xf32>",
            "has type vector<2x2xf32>, which the interpreter does not support",
        ),
        (
            "%v = ub.poison : vector<2x2xf32>",
            "has type vector<2x2xf32>, which the interpreter does not support",
        ),
        (
            "%v = ub.poison : memref<8xf32>",
            "has type memref<8xf32>, for which there is no undefined value",
        ),
        ("%v = vector.step : vector<65537xindex>", "has 65537 lanes, expected at most 65536"),
        (
            "%v = vector.transfer_read %x[%c0], %zero : memref<8xf32>, vector<4xf32>",
            "is not supported by the interpreter",
        ),
    ] {
        refused(&format!("{line} // error: {message}"), 0);
    }
}
