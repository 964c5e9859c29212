// The caches and the measured rate of streaming stores decide: a factor that takes half of the second-level cache is
// packed, and results are streamed from the size on at which the machine is faster so.
//
// RUN: lw-run %s --target x86 --print-schedule --machine %S/Inputs/small.json | FileCheck %s --check-prefixes=CHECK,PACKED,SMALL,LARGE
// RUN: lw-run %s --target x86 --print-schedule --machine %S/Inputs/virtual.json | FileCheck %s --check-prefixes=CHECK,TILED,LARGE --implicit-check-not=nontemporal
// RUN: lw-run %s --target x86 --print-schedule --machine %S/Inputs/believed.json | FileCheck %s --check-prefixes=CHECK,TILED --implicit-check-not=nontemporal
// RUN: lw-run %s --target x86 --print-schedule --machine %S/Inputs/unmeasured.json | FileCheck %s --check-prefixes=CHECK,PACKED,LARGE --implicit-check-not=nontemporal
// RUN: lw-compile %s -o %t.o --machine %S/Inputs/small.json
// RUN: not lw-compile %s -o %t.o --machine %s 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: not env LOOPWRIGHT_MACHINE=%s lw-run %s --target x86 --compile-to schedule 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: env LOOPWRIGHT_MACHINE=%S/Inputs/unmeasured.json not lw-run --machine 2>&1 | FileCheck %s --check-prefixes=OTHER
// COMPILE:  lw-compile: error: --machine: {{.*}}machine.mlir: is no description of a machine, as lw-run --machine prints it: {{.*}} at line 1 column 1
// VARIABLE: error: {{.*}} cannot be lowered for the given processor: LOOPWRIGHT_MACHINE: {{.*}}machine.mlir: is no description
// OTHER:    lw-run: error: LOOPWRIGHT_MACHINE: {{.*}}unmeasured.json describes processor x86-64-v3, and this machine has {{[a-z0-9-]+}}

func.func @main(%a: tensor<480x480xf32>, %b: tensor<480x480xf32>) -> tensor<480x480xf32> attributes {loop.fp_contract = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<480x480xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<480x480xf32>) -> tensor<480x480xf32>
  %c = linalg.matmul ins(%a, %b : tensor<480x480xf32>, tensor<480x480xf32>) outs(%z : tensor<480x480xf32>) -> tensor<480x480xf32>
  return %c : tensor<480x480xf32>
}

// 2 MiB are read and 2 MiB written.
func.func @little(%x: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %e = tensor.empty() : tensor<1024x512xf32>
  %y = linalg.negf ins(%x : tensor<1024x512xf32>) outs(%e : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  return %y : tensor<1024x512xf32>
}

// 8 MiB are read and 8 MiB written.
func.func @much(%x: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %e = tensor.empty() : tensor<2048x1024xf32>
  %y = linalg.negf ins(%x : tensor<2048x1024xf32>) outs(%e : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  return %y : tensor<2048x1024xf32>
}

// 8 MiB are read by the first of the nests that share a loop over rows, and 8 MiB written by the last.
func.func @rows(%x: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %e = tensor.empty() : tensor<2048x1024xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<2048x1024xf32>) outs(%e : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  return %y : tensor<2048x1024xf32>
}

// CHECK-LABEL: @main
// PACKED: cache_read
// TILED-NOT: cache_read
// CHECK-LABEL: @little
// SMALL: nontemporal
// CHECK-LABEL: @much
// LARGE: nontemporal
// CHECK-LABEL: @rows
// LARGE: nontemporal
