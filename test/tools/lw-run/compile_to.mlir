// The output of `--compile-to`.
// RUN: lw-run %s --compile-to loop | FileCheck %s --check-prefix=LOOP
// RUN: lw-run %s --compile-to schedule --schedule %S/Inputs/vectorize.mlir | FileCheck %s --check-prefix=SCHEDULE
// RUN: lw-run %s --compile-to vector --schedule %S/Inputs/vectorize.mlir | FileCheck %s --check-prefix=VECTOR
// RUN: lw-run %s --compile-to vector --schedule %S/Inputs/vectorize.mlir --fp fast | FileCheck %s --check-prefix=FAST
// RUN: lw-run %s --compile-to llvm | FileCheck %s --check-prefix=LLVM
// RUN: lw-run %s --compile-to llvm-ir | FileCheck %s --check-prefix=IR
// RUN: lw-run %s --compile-to assembly | FileCheck %s --check-prefix=ASSEMBLY

// Shown is the whole module, or what a run of --entry compiles.
// RUN: lw-run %s --compile-to loop | FileCheck %s --check-prefix=WHOLE
// RUN: lw-run %s --compile-to loop --entry other | FileCheck %s --check-prefix=OTHER
// RUN: lw-run %s --compile-to llvm-ir --entry other | FileCheck %s --check-prefix=OTHER-IR
// RUN: lw-run %s --target x86 --print-schedule --entry other | FileCheck %s --check-prefix=OTHER-SCHEDULE

// WHOLE:              func.func @main(
// WHOLE:              func.func @other(
// OTHER-NOT:          @main
// OTHER:              func.func @other(
// OTHER-NOT:          @main
// OTHER-IR-NOT:       @main
// OTHER-IR:           define void @other(
// OTHER-IR-NOT:       @main
// OTHER-SCHEDULE-NOT: @main
// OTHER-SCHEDULE:     transform.sched.function @other
// OTHER-SCHEDULE-NOT: @main

// LOOP:          loop.for serial
// SCHEDULE:      loop.for vectorize
// VECTOR-NOT:    loop.for
// VECTOR:        arith.mulf %{{.*}} : vector<8xf32>
// VECTOR:        arith.addf %{{.*}} : vector<8xf32>
// FAST:          math.fma %{{.*}} : vector<8xf32>
// LLVM:          llvm.func @main(
// IR:            define void @main(
// ASSEMBLY:      main:
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}

func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %z = graph.add %x, %x : tensor<8xf32>
  return %z : tensor<8xf32>
}
