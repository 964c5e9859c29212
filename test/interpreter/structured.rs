//! Structured linalg ops against results computed by hand.

use crate::interpreter::function::program::*;

#[test]
fn matmul_adds_to_its_output() {
    let text = "
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>)
                     outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}";
    let c = tensor(F32, &[2, 2], &[100., 200., 300., 400.]);
    let found = cells(text, &[counting(&[2, 3]), counting(&[3, 2]), c]);
    assert_eq!(found, [[122., 228., 349., 464.]]);
}

#[test]
fn maps_permute_and_index_gives_the_loops() {
    let text = "
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>],
                       iterator_types = [\"parallel\", \"parallel\"]}
      ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) {
    ^bb0(%v: f32, %old: f32):
      %i = linalg.index 1 : index
      %c = arith.index_cast %i : index to i32
      %f = arith.sitofp %c : i32 to f32
      %ten = arith.constant 10.0 : f32
      %s = arith.mulf %f, %ten : f32
      %t = arith.addf %s, %v : f32
      linalg.yield %t : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}";
    assert_eq!(cells(text, &[counting(&[2, 3])]), [[1., 4., 12., 15., 23., 26.]]);
}

#[test]
fn windows_take_their_range_from_the_window_operand() {
    let text = "
func.func @main(%x: tensor<1x1x4x5xf32>, %init: tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32> {
  %w = tensor.empty() : tensor<2x3xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<1x1x4x5xf32>, tensor<2x3xf32>) outs(%init : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}";
    let init = tensor(F32, &[1, 1, 2, 2], &[0., 0., 99., 0.]);
    assert_eq!(cells(text, &[counting(&[1, 1, 4, 5]), init]), [[8., 10., 99., 20.]]);
}

#[test]
fn convolution_with_dilation() {
    let text = "
func.func @main(%x: tensor<1x5x1xi32>, %k: tensor<2x1x1xi32>, %init: tensor<1x3x1xi32>) -> tensor<1x3x1xi32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : vector<1xi64>}
      ins(%x, %k : tensor<1x5x1xi32>, tensor<2x1x1xi32>) outs(%init : tensor<1x3x1xi32>) -> tensor<1x3x1xi32>
  return %r : tensor<1x3x1xi32>
}";
    let x = tensor(I32, &[1, 5, 1], &[1., 2., 3., 4., 5.]);
    let k = tensor(I32, &[2, 1, 1], &[10., 1.]);
    let init = tensor(I32, &[1, 3, 1], &[0., 1000., 0.]);
    assert_eq!(cells(text, &[x, k, init]), [[13., 1024., 35.]]);
}

#[test]
fn two_results_find_maximum_and_its_place() {
    let text = "
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xi64>) {
  %low = arith.constant dense<-1.0> : tensor<2xf32>
  %none = arith.constant dense<-1> : tensor<2xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                          affine_map<(d0, d1) -> (d0)>],
                         iterator_types = [\"parallel\", \"reduction\"]}
      ins(%x : tensor<2x3xf32>) outs(%low, %none : tensor<2xf32>, tensor<2xi64>) {
    ^bb0(%v: f32, %best: f32, %at: i64):
      %i = linalg.index 1 : index
      %c = arith.index_cast %i : index to i64
      %more = arith.cmpf ogt, %v, %best : f32
      %m = arith.select %more, %v, %best : f32
      %p = arith.select %more, %c, %at : i64
      linalg.yield %m, %p : f32, i64
  } -> (tensor<2xf32>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi64>
}";
    let x = tensor(F32, &[2, 3], &[3., 7., 7., 5., 4., 1.]);
    assert_eq!(cells(text, &[x]), [[7., 5.], [1., 0.]]);
}

#[test]
fn reductions_run_in_order_of_their_loops() {
    // In f32 (1e8 + 1) - 1e8 is 0 but (1e8 - 1e8) + 1 is 1.
    let x = tensor(F32, &[2, 2], &[1e8, 1., -1e8, 1.]);
    let text = "
func.func @main(%x: tensor<2x2xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce ins(%x : tensor<2x2xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
    (%v: f32, %sum: f32) { %s = arith.addf %sum, %v : f32 linalg.yield %s : f32 }
  return %r : tensor<f32>
}";
    assert_eq!(cells(text, &[x, tensor(F32, &[], &[0.])]), [[1.]]);
    let x = tensor(F32, &[2, 2], &[1e8, 1., 1., -1e8]);
    assert_eq!(cells(text, &[x, tensor(F32, &[], &[0.])]), [[0.]]);
}

/// An embedding as torch-mlir writes it: a table read at run-time indices.
const EMBEDDING: &str = "
func.func @main(%table: tensor<3x2xf32>, %rows: tensor<?xi64>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i64
  %n = tensor.dim %rows, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = [\"parallel\", \"parallel\"]}
      ins(%rows : tensor<?xi64>) outs(%e : tensor<?x2xf32>) {
    ^bb0(%row: i64, %old: f32):
      %small = arith.cmpi slt, %row, %three : i64
      cf.assert %small, \"index must be smaller than dim size\" // error: failed: index must be smaller than dim size
      %i = arith.index_cast %row : i64 to index
      %j = linalg.index 1 : index
      %v = tensor.extract %table[%i, %j] : tensor<3x2xf32>
      linalg.yield %v : f32
  } -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}";

#[test]
fn body_reads_tensors_and_scalars_from_outside() {
    let rows = tensor(I64, &[4], &[2., 0., 2., 1.]);
    let found = cells(EMBEDDING, &[counting(&[3, 2]), rows]);
    assert_eq!(found, [[5., 6., 1., 2., 5., 6., 3., 4.]]);
}

#[test]
fn failed_assertion_in_a_body_is_refused() {
    refuse(EMBEDDING, &[counting(&[3, 2]), tensor(I64, &[2], &[2., 3.])]);
}

#[test]
fn out_of_bounds_extract_is_refused() {
    let text = EMBEDDING.replace("// error", "// then");
    let read = "%v = tensor.extract %table[%i, %j] : tensor<3x2xf32>";
    let expected = "// error: index [-1, 1] is out of bounds of an array of sizes [3, 2]";
    let text = text.replace(read, &format!("{read} {expected}"));
    let one_column = text.replace("%j = linalg.index 1 : index", "%j = arith.constant 1 : index");
    refuse(&one_column, &[counting(&[3, 2]), tensor(I64, &[1], &[-1.])]);
}

#[test]
fn nested_if_and_affine_apply_in_a_body() {
    let text = "
func.func @main(%x: tensor<4xf32>, %bound: index) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}
      outs(%x : tensor<4xf32>) {
    ^bb0(%v: f32):
      %i = linalg.index 0 : index
      %j = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%i)[%bound]
      %c = arith.cmpi slt, %i, %j : index
      %w = scf.if %c -> f32 {
        %m = tensor.extract %x[%j] : tensor<4xf32>
        scf.yield %m : f32
      } else {
        scf.yield %v : f32
      }
      linalg.yield %w : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}";
    assert_eq!(cells(text, &[counting(&[4]), index(4)]), [[4., 3., 3., 4.]]);
}

#[test]
fn branches_nested_too_deep_are_refused() {
    let levels = 101;
    let open = "scf.if %c {\n".repeat(levels - 1);
    let text = format!(
        "
func.func @main(%x: tensor<1xf32>, %c: i1) -> tensor<1xf32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}}
      outs(%x : tensor<1xf32>) {{
    ^bb0(%v: f32):
      {open}scf.if %c {{ // error: nests branches and loops deeper than 100 levels
      {}
      linalg.yield %v : f32
  }} -> tensor<1xf32>
  return %r : tensor<1xf32>
}}",
        "}".repeat(levels)
    );
    refuse(&text, &[counting(&[1]), index(1)]);
}

#[test]
fn scalar_inputs_and_fill() {
    let text = "
func.func @main(%v: f32, %n: index) -> tensor<?x2xf32> {
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %r = linalg.fill ins(%v : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}";
    let v = crate::interpreter::Datum::Scalar(crate::interpreter::scalar::Scalar::Float(2.5));
    assert_eq!(cells(text, &[v.clone(), index(2)]), [[2.5; 4]]);
    assert_eq!(sizes(text, &[v, index(0)]), [0, 2]);
}

#[test]
fn memrefs_change_in_place() {
    let text = "
func.func @main(%x: memref<3xf32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
                  iterator_types = [\"reduction\"]}
      ins(%x : memref<3xf32>) outs(%sum : memref<f32>) {
    ^bb0(%v: f32, %s: f32):
      %t = arith.addf %s, %v : f32
      linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = [\"parallel\"]}
      ins(%x : memref<3xf32>) outs(%x : memref<3xf32>) {
    ^bb0(%v: f32, %old: f32):
      %c0 = arith.constant 0 : index
      %s = memref.load %sum[] : memref<f32>
      %d = arith.divf %v, %s : f32
      linalg.yield %d : f32
  }
  return
}";
    let found = cells(text, &[buffer(F32, &[3], &[1., 2., 5.]), buffer(F32, &[], &[0.])]);
    assert_eq!(found, [vec![0.125, 0.25, 0.625], vec![8.]]);
}

#[test]
fn iterations_that_read_what_others_write_are_refused() {
    // Reversal in place: element 0 is read for element 2 and vice versa.
    let text = "
func.func @main(%x: memref<2xf32>) {
  linalg.generic { // error: operand 0: cell [0] is read by parallel iteration (d0 = 1) and written by (d0 = 0), which are unordered
      indexing_maps = [affine_map<(d0) -> (1 - d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = [\"parallel\"]}
      ins(%x : memref<2xf32>) outs(%x : memref<2xf32>) {
    ^bb0(%v: f32, %old: f32):
      linalg.yield %v : f32
  }
  return
}";
    refuse(text, &[buffer(F32, &[2], &[1., 2.])]);
}

#[test]
fn iterations_that_write_one_cell_are_refused() {
    let text = "
func.func @main(%x: tensor<2xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic { // error: operand 1: cell [0] is written by parallel iteration (d0 = 1) and written by (d0 = 0), which are unordered
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 floordiv 2)>],
      iterator_types = [\"parallel\"]}
      ins(%x : tensor<2xf32>) outs(%y : tensor<1xf32>) {
    ^bb0(%v: f32, %old: f32):
      linalg.yield %v : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}";
    refuse(text, &[counting(&[2]), counting(&[1])]);
}

#[test]
fn an_output_map_may_join_iterations_of_different_cells() {
    let text = "
func.func @main(%x: tensor<2x3xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0 + d1 * 2)>],
                       iterator_types = [\"parallel\", \"parallel\"]}
      ins(%x : tensor<2x3xf32>) outs(%y : tensor<6xf32>) {
    ^bb0(%v: f32, %old: f32):
      linalg.yield %v : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}";
    assert_eq!(cells(text, &[counting(&[2, 3]), counting(&[6])]), [[1., 4., 2., 5., 3., 6.]]);
}

#[test]
fn sizes_that_disagree_are_refused() {
    let text = "
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32> // error: dimension d1 is 4 in operand 0 and 5 in operand 1
  return %r : tensor<?x?xf32>
}";
    refuse(text, &[counting(&[3, 4]), counting(&[3, 5])]);
}

#[test]
fn reads_beyond_an_operand_are_refused() {
    let text = "
func.func @main(%x: tensor<?xf32>, %k: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32> // error: operand 0: index [4] is out of bounds of an array of sizes [4]
  return %r : tensor<?xf32>
}";
    refuse(text, &[counting(&[4]), counting(&[3]), counting(&[3])]);
    assert_eq!(cells(text, &[counting(&[4]), counting(&[3]), counting(&[2])]), [[15., 22.]]);
}

#[test]
fn a_result_of_undefined_cells_is_refused() {
    let text = "
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { // error: result 0 is undefined at index [0]
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = [\"parallel\"]}
      ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb0(%v: f32, %old: f32):
      %s = arith.addf %v, %old : f32
      linalg.yield %s : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}";
    refuse(text, &[counting(&[2])]);
    let selected = text.replace(" // error: result 0 is undefined at index [0]", "").replace(
        "linalg.yield %s",
        "%no = arith.constant false
      %chosen = arith.select %no, %s, %v : f32
      linalg.yield %chosen",
    );
    assert_eq!(cells(&selected, &[counting(&[2])]), [[1., 2.]]);
}

#[test]
fn an_op_the_body_cannot_have_is_refused() {
    let text = "
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}
      outs(%x : tensor<2xf32>) {
    ^bb0(%v: f32):
      %s = \"llvm.freeze\"(%v) : (f32) -> f32 // error: is not supported by the interpreter
      linalg.yield %s : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}";
    refuse(text, &[counting(&[2])]);
}

#[test]
fn softmax_is_exp_over_sum() {
    let text = "
func.func @main(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %e = tensor.empty() : tensor<2x2x2xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}";
    let three = 3f64.ln() as f32 as f64;
    let x = tensor(F32, &[2, 2, 2], &[0., 1., 0., 1. + three, 700., 5., 700., 5. + three]);
    let found = &cells(text, &[x])[0];
    let expected = [0.5, 0.25, 0.5, 0.75, 0.5, 0.25, 0.5, 0.75];
    // Three roundings to f32, and that of ln 3 above: 4 ulp are 2^-22.
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 2f64.powi(-22), "{found} {expected}");
    }
}

#[test]
fn ops_of_the_named_families() {
    let text = "
func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x4x3xf32>, tensor<2x3xf32>) {
  %e0 = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e0 : tensor<3x2xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<2x4x3xf32>
  %b = linalg.broadcast ins(%x : tensor<2x3xf32>) outs(%e1 : tensor<2x4x3xf32>) dimensions = [1]
  %e2 = tensor.empty() : tensor<2x3xf32>
  %m = linalg.map { arith.mulf } ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e2 : tensor<2x3xf32>)
  return %t, %b, %m : tensor<3x2xf32>, tensor<2x4x3xf32>, tensor<2x3xf32>
}";
    let found = cells(text, &[counting(&[2, 3])]);
    assert_eq!(found[0], [1., 4., 2., 5., 3., 6.]);
    assert_eq!(found[1], [[1., 2., 3.].repeat(4), [4., 5., 6.].repeat(4)].concat());
    assert_eq!(found[2], [1., 4., 9., 16., 25., 36.]);
}

#[test]
fn linalg_ops_without_loops_are_refused() {
    let text = "
func.func @main(%x: tensor<2x3x3x5xf32>, %y: tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32> {
  %r = linalg.winograd_filter_transform fmr(F_2_3) ins(%x : tensor<2x3x3x5xf32>) outs(%y : tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32> // error: is not supported by the interpreter
  return %r : tensor<4x4x5x2xf32>
}";
    refuse(text, &[counting(&[2, 3, 3, 5]), counting(&[4, 4, 5, 2])]);
}

#[test]
fn the_seed_decides_the_order_of_parallel_iterations() {
    use super::LoopRanges;
    use crate::ir::IteratorKind::{Parallel, Reduction};
    let space = LoopRanges::new(&[Parallel, Reduction, Parallel], vec![20, 3, 5]);
    let order = |seed| space.order(seed).expect("it is short");
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
    let mut sorted = order(1);
    assert_ne!(sorted, (0..100).collect::<Vec<_>>());
    sorted.sort_unstable();
    assert_eq!(sorted, (0..100).collect::<Vec<_>>());

    // Within a parallel iteration the reduction counts up.
    let mut loops = [9; 3];
    space.enter(99, &mut loops);
    assert_eq!(loops, [19, 0, 4]);
    assert!(space.step(&mut loops) && space.step(&mut loops));
    assert_eq!(loops, [19, 2, 4]);
    assert!(!space.step(&mut loops));
    assert!(LoopRanges::new(&[Parallel; 2], vec![1 << 20, 1 << 20]).order(0).is_none());
}
