// Each executor checks the requirements of a function on its sizes, before it writes anything.
// RUN: not lw-run %s --entry cast --input %S/Inputs/ten.npy 2>&1 | FileCheck %s --check-prefixes=CAST
// RUN: not lw-run %s --entry cast --input %S/Inputs/ten.npy --target x86 2>&1 | FileCheck %s --check-prefixes=CAST
// RUN: not lw-run %s --entry cast --input %S/Inputs/ten.npy --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefixes=CAST
// RUN: not lw-run %s --entry cast --input %S/Inputs/ten.npy --execute vector 2>&1 | FileCheck %s --check-prefixes=CAST
// RUN: not lw-run %s --entry slice --input %S/Inputs/ten.npy --target x86 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not lw-run %s --entry slice --input %S/Inputs/ten.npy --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not lw-run %s --entry quotient --input %S/Inputs/ten.npy --target x86 2>&1 | FileCheck %s --check-prefix=QUOTIENT
// RUN: not lw-run %s --entry quotient --input %S/Inputs/ten.npy --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=QUOTIENT
// RUN: lw-run %s --entry fits --input %S/Inputs/ten.npy --target x86 | FileCheck %s --check-prefix=FITS
// RUN: lw-run %s --entry fits --input %S/Inputs/ten.npy --target sm_80 --device emulator | FileCheck %s --check-prefix=FITS

// CAST: dimension 0 of argument 0 is 10, expected 11
func.func @cast(%A: tensor<?xf32>) -> tensor<11xf32> {
  %a = tensor.cast %A : tensor<?xf32> to tensor<11xf32>
  %e = tensor.empty() : tensor<11xf32>
  %b = linalg.exp ins(%a : tensor<11xf32>) outs(%e : tensor<11xf32>) -> tensor<11xf32>
  return %b : tensor<11xf32>
}

// SLICE: expected 12 <= dimension 0 of argument 0, where dimension 0 of argument 0 is 10
func.func @slice(%A: tensor<?xf32>) -> tensor<10xf32> {
  %a = tensor.extract_slice %A[2] [10] [1] : tensor<?xf32> to tensor<10xf32>
  return %a : tensor<10xf32>
}

// QUOTIENT: expected dimension 0 of argument 0 floordiv 4 + dimension 0 of argument 0 mod 4 == 3, where dimension 0 of argument 0 is 10
func.func @quotient(%A: tensor<?xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %A, %c0 : tensor<?xf32>
  %q = arith.floordivsi %n, %c4 : index
  %r = arith.remui %n, %c4 : index
  %sum = arith.addi %q, %r : index
  %holds = arith.cmpi eq, %sum, %c3 : index
  cf.assert %holds, "sizes"
  %a = tensor.extract_slice %A[0] [3] [1] : tensor<?xf32> to tensor<3xf32>
  return %a : tensor<3xf32>
}

// FITS: result 0: 10xf32
func.func @fits(%A: tensor<?xf32>) -> tensor<10xf32> {
  %a = tensor.extract_slice %A[0] [10] [1] : tensor<?xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %b = linalg.exp ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  return %b : tensor<10xf32>
}

// The lesser of two sizes, the greater one, a choice by a condition, and sizes in i32.
// RUN: lw-run %s --entry chosen_expected --output %t.0.npy --output %t.1.npy --output %t.2.npy --output %t.3.npy
// RUN: lw-run %s --entry chosen --input %S/Inputs/ten.npy --check %t.0.npy --check %t.1.npy --check %t.2.npy --check %t.3.npy --execute input | FileCheck %s --check-prefix=CHOSEN
// RUN: lw-run %s --entry chosen --input %S/Inputs/ten.npy --check %t.0.npy --check %t.1.npy --check %t.2.npy --check %t.3.npy --execute loop | FileCheck %s --check-prefix=CHOSEN
// RUN: lw-run %s --entry chosen --input %S/Inputs/ten.npy --check %t.0.npy --check %t.1.npy --check %t.2.npy --check %t.3.npy --target x86 | FileCheck %s --check-prefix=CHOSEN
// RUN: lw-run %s --entry chosen --input %S/Inputs/ten.npy --check %t.0.npy --check %t.1.npy --check %t.2.npy --check %t.3.npy --target sm_80 --device emulator | FileCheck %s --check-prefix=CHOSEN
// CHOSEN-COUNT-4: max error 0{{.*}}passed
func.func @chosen(%A: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %A, %c0 : tensor<?xf32>

  %least = arith.minsi %n, %c3 : index
  %e0 = tensor.empty(%least) : tensor<?xf32>
  %r0 = linalg.fill ins(%one : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>

  %most = arith.maxsi %n, %c12 : index
  %e1 = tensor.empty(%most) : tensor<?xf32>
  %r1 = linalg.fill ins(%one : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>

  %is_ten = arith.cmpi ne, %n, %c12 : index
  %choice = arith.select %is_ten, %c3, %n : index
  %e2 = tensor.empty(%choice) : tensor<?xf32>
  %r2 = linalg.fill ins(%one : f32) outs(%e2 : tensor<?xf32>) -> tensor<?xf32>

  %narrow = arith.index_cast %n : index to i32
  %two = arith.constant 2 : i32
  %double = arith.muli %narrow, %two : i32
  %size = arith.index_cast %double : i32 to index
  %e3 = tensor.empty(%size) : tensor<?xf32>
  %r3 = linalg.fill ins(%one : f32) outs(%e3 : tensor<?xf32>) -> tensor<?xf32>
  return %r0, %r1, %r2, %r3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func @chosen_expected() -> (tensor<3xf32>, tensor<12xf32>, tensor<3xf32>, tensor<20xf32>) {
  %0 = arith.constant dense<1.0> : tensor<3xf32>
  %1 = arith.constant dense<1.0> : tensor<12xf32>
  %2 = arith.constant dense<1.0> : tensor<20xf32>
  return %0, %1, %0, %2 : tensor<3xf32>, tensor<12xf32>, tensor<3xf32>, tensor<20xf32>
}
