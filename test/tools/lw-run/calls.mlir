// A function that another one calls may allocate buffers, whose sizes follow from its arguments, and may have parallel
// loops.
// RUN: lw-run %s --entry main --input iota --input iota --execute input --output %t.npy
// RUN: lw-run %s --entry main --input iota --input iota --target x86 --threads 2 --check %t.npy | FileCheck %s
// RUN: lw-run %s --entry main --input iota --input iota --execute vector --check %t.npy | FileCheck %s
// CHECK: passed

// RUN: lw-run %s --entry main --target x86 --threads 2 --compile-to vector | FileCheck %s --check-prefix=PARALLEL
// PARALLEL-LABEL: func.func private @twice_product(
// PARALLEL:         scf.parallel
func.func private @product(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %y, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func private @twice_product(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = call @product(%x, %y) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = call @product(%0, %y) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = arith.addf %0, %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @main(%x: tensor<300x16xf32>, %y: tensor<16x16xf32>) -> tensor<300x16xf32> {
  %a = tensor.cast %x : tensor<300x16xf32> to tensor<?x?xf32>
  %b = tensor.cast %y : tensor<16x16xf32> to tensor<?x?xf32>
  %0 = call @twice_product(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = call @twice_product(%0, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tensor.cast %1 : tensor<?x?xf32> to tensor<300x16xf32>
  return %r : tensor<300x16xf32>
}
