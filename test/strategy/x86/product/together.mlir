// A call packs neighbouring panels of a factor together: longer pieces of its rows are read at once. There are four or two, if they
// divide all panels, fit where one panel may, and leave threads equally much to do.
// RUN: lw-run %s --target x86 --machine %S/../Inputs/small.json --compile-to schedule | FileCheck %s
// RUN: lw-run %s --entry four --input random:1 --input random:2 --output %t.npy
// RUN: lw-run %s --entry four --input random:1 --input random:2 --target x86 --machine %S/../Inputs/small.json --check %t.npy --rtol 0 --atol 0
// RUN: lw-run %s --entry uneven --input random:1 --input random:2 --output %t.npy
// RUN: lw-run %s --entry uneven --input random:1 --input random:2 --target x86 --machine %S/../Inputs/small.json --check %t.npy --rtol 0 --atol 0

// Eight panels: two groups of four, for two threads. What follows is computed tile by tile.
// CHECK-LABEL: @four(
// CHECK:       loop.buffer {{.*}} scope(global) : memref<256x128xf32>
// CHECK:       loop.for parallel %j.0.0 in 2 
// CHECK-NEXT:    loop.for serial %cache_ax0 in 256 {
// CHECK-NEXT:      loop.for vectorize %cache_ax1 in 64 {
// CHECK:         loop.for serial %i.0 in 14 
// CHECK-NEXT:      loop.for serial %j.0.1 in 4 
// CHECK-NEXT:        loop.for serial %k in 256 {
// CHECK:             loop.for unroll %i in 5 {
// CHECK-NEXT:          loop.for vectorize %j in 16 {
func.func @four(%a: tensor<70x256xf32>, %b: tensor<256x128xf32>) -> tensor<70x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x128xf32>) -> tensor<70x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x256xf32>, tensor<256x128xf32>) outs(%z : tensor<70x128xf32>) -> tensor<70x128xf32>
  %r = linalg.abs ins(%c : tensor<70x128xf32>) outs(%e : tensor<70x128xf32>) -> tensor<70x128xf32>
  return %r : tensor<70x128xf32>
}

// Six panels: groups of four do not divide them, and of two there are three, for two threads.
// CHECK-LABEL: @uneven(
// CHECK:       loop.for parallel %j.0 in 6 
// CHECK-NEXT:    loop.for serial %cache_ax0 in 352 {
// CHECK-NEXT:      loop.for vectorize %cache_ax1 in 16 {
// CHECK:         loop.for serial %i.0 in 14 
// CHECK-NEXT:      loop.for serial %k in 352 {
func.func @uneven(%a: tensor<70x352xf32>, %b: tensor<352x96xf32>) -> tensor<70x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x96xf32>) -> tensor<70x96xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x352xf32>, tensor<352x96xf32>) outs(%z : tensor<70x96xf32>) -> tensor<70x96xf32>
  return %c : tensor<70x96xf32>
}

// Ninety-six panels: groups of four.
// CHECK-LABEL: @many(
// CHECK:       loop.for parallel %j.0.0 in 24 
// CHECK-NEXT:    loop.for serial %cache_ax0 in 192 {
// CHECK-NEXT:      loop.for vectorize %cache_ax1 in 64 {
func.func @many(%a: tensor<70x192xf32>, %b: tensor<192x1536xf32>) -> tensor<70x1536xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x1536xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x1536xf32>) -> tensor<70x1536xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x192xf32>, tensor<192x1536xf32>) outs(%z : tensor<70x1536xf32>) -> tensor<70x1536xf32>
  return %c : tensor<70x1536xf32>
}

// Two panels have 256 KiB, as many as one may.
// CHECK-LABEL: @large(
// CHECK:       loop.for parallel %j.0.0 in 24 
// CHECK-NEXT:    loop.for serial %cache_ax0 in 2048 {
// CHECK-NEXT:      loop.for vectorize %cache_ax1 in 32 {
func.func @large(%a: tensor<70x2048xf32>, %b: tensor<2048x768xf32>) -> tensor<70x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x768xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x768xf32>) -> tensor<70x768xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x2048xf32>, tensor<2048x768xf32>) outs(%z : tensor<70x768xf32>) -> tensor<70x768xf32>
  return %c : tensor<70x768xf32>
}

// The last panel is not whole.
// CHECK-LABEL: @rest(
// CHECK:       loop.for parallel %j.0 in 
// CHECK-NEXT:    loop.for serial %cache_ax0 in 256 {
func.func @rest(%a: tensor<70x256xf32>, %b: tensor<256x200xf32>) -> tensor<70x200xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x200xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<70x200xf32>) -> tensor<70x200xf32>
  %c = linalg.matmul ins(%a, %b : tensor<70x256xf32>, tensor<256x200xf32>) outs(%z : tensor<70x200xf32>) -> tensor<70x200xf32>
  return %c : tensor<70x200xf32>
}
