// RUN: lw-opt %s --convert-linalg-to-loop=keep-assertions --verify-diagnostics | FileCheck %s

// A block before that of the op checks the assertions of its body at each point.
// CHECK-LABEL: func.func @in_body
// CHECK:         loop.block "add_assert" [%vi: spatial 4] = (%i)
// CHECK-NEXT:        reads(%arg0[%vi : 1]) {
// CHECK:           cf.assert %{{.*}}, "expected numbers above 0"
// CHECK:         loop.block "add" [%vi: spatial 4] = (%i)
// CHECK-NEXT:        reads(%arg0[%vi : 1], %arg1[%vi : 1]) writes(%arg2[%vi : 1]) {
// CHECK-NOT:       cf.assert
// CHECK:         return
func.func @in_body(%A: tensor<4xi64>, %B: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%A, %B : tensor<4xi64>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: i64, %b: f32, %o: f32):
    %zero = arith.constant 0 : i64
    %positive = arith.cmpi sgt, %a, %zero : i64
    cf.assert %positive, "expected numbers above 0"
    %f = arith.sitofp %a : i64 to f32
    %s = arith.addf %f, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// CHECK-LABEL: func.func @in_function
// CHECK:         loop.block "assert" [] = ()
// CHECK-NEXT:        reads(%arg1[]) {
// CHECK:           cf.assert %{{.*}}, "flag"
func.func @in_function(%A: tensor<4xf32>, %flag: tensor<i1>) -> tensor<4xf32> {
  %b = tensor.extract %flag[] : tensor<i1>
  cf.assert %b, "flag"
  return %A : tensor<4xf32>
}

// A sum that is not complete has no block of its own.
// CHECK-LABEL: func.func @partial
// CHECK-NOT:     cf.assert
func.func @partial(%A: tensor<4xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]} ins(%A : tensor<4xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %small = arith.cmpf olt, %o, %a : f32
    // expected-remark @+1 {{this assertion is not checked, as conditions on partial results and in regions are not}}
    cf.assert %small, "expected small sums"
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// What only an assertion needs does not name the block.
// CHECK-LABEL: func.func @gather
// CHECK:         loop.block "extract_assert" [%vi: spatial 4] = (%i)
// CHECK-NEXT:        reads(%arg0[%vi : 1]) {
// CHECK:           cf.assert %{{.*}}, "index below 8"
// CHECK:         loop.block "extract" [%vi: spatial 4] = (%i)
func.func @gather(%I: tensor<4xi64>, %A: tensor<8xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%I : tensor<4xi64>) outs(%empty : tensor<4xf32>) {
  ^bb0(%i: i64, %o: f32):
    %at = arith.index_cast %i : i64 to index
    %x = tensor.extract %A[%at] : tensor<8xf32>
    %c8 = arith.constant 8 : i64
    %below = arith.cmpi slt, %i, %c8 : i64
    cf.assert %below, "index below 8"
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @generated
// CHECK:         loop.block "generate_assert" [%vi: spatial 4] = (%i)
// CHECK:           cf.assert %{{.*}}, "expected numbers above 9"
// CHECK:         loop.block "generate" [%vi: spatial 4] = (%i)
func.func @generated(%A: tensor<4xi64>) -> tensor<4xi64> {
  %r = tensor.generate {
  ^bb0(%i: index):
    %a = tensor.extract %A[%i] : tensor<4xi64>
    %c9 = arith.constant 9 : i64
    %above = arith.cmpi sgt, %a, %c9 : i64
    cf.assert %above, "expected numbers above 9"
    tensor.yield %a : i64
  } : tensor<4xi64>
  return %r : tensor<4xi64>
}
