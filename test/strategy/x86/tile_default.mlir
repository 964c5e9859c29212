// Predicted times count an instruction on tiles or on groups of four bytes as one operation on vectors, so they do not choose
// the numbers of its schedule: the choice by times gives the same schedule as the one by priority.
// RUN: lw-run %s --target x86 --cpu sapphirerapids --schedule-by priority --compile-to schedule > %t.priority.mlir
// RUN: lw-run %s --target x86 --cpu sapphirerapids --schedule-by auto --compile-to schedule > %t.auto.mlir
// RUN: diff %t.priority.mlir %t.auto.mlir
// RUN: FileCheck %s < %t.auto.mlir
// RUN: lw-run %s --target x86 --cpu icelake-server --schedule-by priority --compile-to schedule > %t.bytes.priority.mlir
// RUN: lw-run %s --target x86 --cpu icelake-server --schedule-by auto --compile-to schedule > %t.bytes.auto.mlir
// RUN: diff %t.bytes.priority.mlir %t.bytes.auto.mlir
// RUN: FileCheck %s --check-prefix=BYTES < %t.bytes.auto.mlir

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @halves
// CHECK:         intrinsic = "x86.tdpbf16ps"
func.func @halves(%a: tensor<2048x2048xbf16>, %b: tensor<2048x2048xbf16>) -> tensor<2048x2048xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) outs(%z : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}

// CHECK-LABEL: func.func @bytes
// CHECK:         intrinsic = "x86.tdpbusd"
// BYTES-LABEL: func.func @bytes
// BYTES:         intrinsic = "x86.vpdpbusd"
func.func @bytes(%a: tensor<512x1024xi8>, %b: tensor<1024x512xi8>) -> tensor<512x512xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<512x512xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<512x512xi32>) -> tensor<512x512xi32>
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<512x1024xi8>, tensor<1024x512xi8>) outs(%z : tensor<512x512xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<512x512xi32>
  return %r : tensor<512x512xi32>
}
