// Loops and branches on tensors: every form gives the values of the program as written. On GPUs, the host decides between
// launches, by numbers that it reads from the device.
// RUN: lw-run %s --entry all --input iota --execute input --output %t.0.npy --output %t.1.npy --output %t.2.npy
// RUN: lw-run %s --entry all --input iota --execute linalg --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry all --input iota --execute loop --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry all --input iota --execute vector --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry all --input iota --target x86 --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry all --input iota --target x86 --threads 2 --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry all --input iota --target sm_80 --device emulator --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry all --input iota --target sm_90a --device emulator --check %t.0.npy --check %t.1.npy --check %t.2.npy --rtol 0 --atol 0 | FileCheck %s
// CHECK-COUNT-3: max error 0{{.*}}passed

// RUN: lw-run %s --entry expected --output %t.expected.npy
// RUN: lw-run %s --entry fibonacci --check %t.expected.npy --target x86 | FileCheck %s --check-prefix=SEQUENCE
// RUN: lw-run %s --entry fibonacci --check %t.expected.npy --execute input | FileCheck %s --check-prefix=SEQUENCE
// RUN: lw-run %s --entry fibonacci --check %t.expected.npy --target sm_80 --device emulator | FileCheck %s --check-prefix=SEQUENCE
// SEQUENCE: max error 0{{.*}}passed

// A carried scalar, a carried index, and an element at an offset that is data.
func.func @fibonacci() -> tensor<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = arith.constant dense<0> : tensor<8xi64>
  %r:4 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %e, %a = %zero, %b = %one, %at = %c0) -> (tensor<8xi64>, i64, i64, index) {
    %u = tensor.insert %a into %t[%at] : tensor<8xi64>
    %sum = arith.addi %a, %b : i64
    %next = arith.addi %at, %c1 : index
    scf.yield %u, %b, %sum, %next : tensor<8xi64>, i64, i64, index
  }
  return %r#0 : tensor<8xi64>
}
func.func @expected() -> tensor<8xi64> {
  %r = arith.constant dense<[0, 1, 1, 2, 3, 5, 8, 13]> : tensor<8xi64>
  return %r : tensor<8xi64>
}

// Products in a loop whose length is data; a loop that ends by its values, with a branch in its body; a scan over the rows
// of a tensor of dynamic size.
func.func @all(%given: tensor<5x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %x = tensor.cast %given : tensor<5x8xf32> to tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %two = arith.constant dense<2.0> : tensor<8x8xf32>

  %at = arith.constant 0 : index
  %first = tensor.extract %x[%at, %c2] : tensor<?x8xf32>
  %number = arith.fptosi %first : f32 to i64
  %length = arith.index_cast %number : i64 to index
  %p = scf.for %i = %c0 to %length step %c1 iter_args(%t = %x) -> (tensor<?x8xf32>) {
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %u = linalg.matmul ins(%t, %two : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    %v = linalg.matmul ins(%u, %two : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %v : tensor<?x8xf32>
  }

  %most = arith.constant 1.0e+4 : f32
  %w = scf.while (%t = %x) : (tensor<?x8xf32>) -> tensor<?x8xf32> {
    %v = tensor.extract %t[%c0, %c2] : tensor<?x8xf32>
    %c = arith.cmpf olt, %v, %most : f32
    scf.condition(%c) %t : tensor<?x8xf32>
  } do {
  ^bb0(%t: tensor<?x8xf32>):
    %v = tensor.extract %t[%c0, %c2] : tensor<?x8xf32>
    %limit = arith.constant 50.0 : f32
    %small = arith.cmpf olt, %v, %limit : f32
    %u = scf.if %small -> (tensor<?x8xf32>) {
      %s = linalg.add ins(%t, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
      scf.yield %s : tensor<?x8xf32>
    } else {
      %s = linalg.mul ins(%t, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
      scf.yield %s : tensor<?x8xf32>
    }
    scf.yield %u : tensor<?x8xf32>
  }

  %start = arith.constant dense<0.0> : tensor<1x8xf32>
  %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %sum = %start) -> (tensor<?x8xf32>, tensor<1x8xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
    %s = arith.addf %row, %sum : tensor<1x8xf32>
    %u = tensor.insert_slice %s into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<?x8xf32>
    scf.yield %u, %s : tensor<?x8xf32>, tensor<1x8xf32>
  }
  return %p, %w, %sums#0 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
