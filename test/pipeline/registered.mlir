// The pipelines as passes: from any phase to any later one, with a schedule, and without a pass.
// RUN: lw-opt %s --lw-x86-pipeline | FileCheck %s --check-prefix=LLVM
// RUN: lw-opt %s --lw-x86-pipeline='to=vector vector-bits=128 schedule=%S/Inputs/pipelines.vectorize.mlir' | FileCheck %s --check-prefix=VECTOR
// RUN: lw-opt %s --lw-x86-pipeline='to=schedule schedule=%S/Inputs/pipelines.vectorize.mlir' | lw-opt --lw-x86-pipeline='from=schedule to=vector vector-bits=128' | FileCheck %s --check-prefix=VECTOR
// RUN: lw-opt %s --lw-x86-pipeline='to=vector vector-bits=128 without=require-bounds schedule=%S/Inputs/pipelines.vectorize.mlir' | FileCheck %s --check-prefix=VECTOR
// RUN: lw-opt %s --lw-x86-pipeline='to=vector without=form-fma,canonicalize schedule=%S/Inputs/pipelines.vectorize.mlir' | FileCheck %s --check-prefix=WITHOUT
// RUN: lw-opt %s --lw-nvptx-pipeline='to=gpu schedule=%S/Inputs/pipelines.bind.mlir' | FileCheck %s --check-prefix=GPU
// RUN: lw-opt %s --lw-nvptx-pipeline='to=gpu schedule=%S/Inputs/pipelines.bind.mlir' | lw-opt --lw-nvptx-pipeline=from=gpu | FileCheck %s --check-prefix=PTX

// The same with the tool that runs modules, which can also start from a later phase.
// RUN: lw-run %s --compile-to gpu --schedule %S/Inputs/pipelines.bind.mlir | FileCheck %s --check-prefix=GPU
// RUN: lw-run %s --compile-to gpu --schedule %S/Inputs/pipelines.bind.mlir > %t.gpu.mlir
// RUN: lw-run %t.gpu.mlir --compile-from gpu --compile-to ptx | FileCheck %s --check-prefix=TEXT
// RUN: lw-run %s --compile-to vector --without form-fma --without canonicalize --schedule %S/Inputs/pipelines.vectorize.mlir | FileCheck %s --check-prefix=WITHOUT
// RUN: lw-run %s --compile-to vector > %t.vector.mlir
// RUN: lw-run %t.vector.mlir --compile-from vector --compile-to llvm | FileCheck %s --check-prefix=LLVM
// RUN: lw-run %t.vector.mlir --compile-from vector --compile-to llvm > %t.llvm.mlir
// RUN: lw-run %t.llvm.mlir --compile-from llvm --compile-to assembly | FileCheck %s --check-prefix=ASSEMBLY

// LLVM:      llvm.func @main(
// VECTOR:    math.fma %{{.*}} : vector<4xf32>
// WITHOUT:   arith.mulf %{{.*}} : vector<8xf32>
// WITHOUT:   arith.addf %{{.*}} : vector<8xf32>
// GPU:       gpu.launch_func @kernels::@main_0
// GPU:       gpu.func @main_0
// PTX:       gpu.binary @kernels
// TEXT:      .visible .entry main_0
// ASSEMBLY:  main:

// Wrong options are diagnosed at the module.
// RUN: not lw-opt %s --lw-x86-pipeline=to=machine 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not lw-opt %s --lw-x86-pipeline='from=llvm to=loop' 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: not lw-opt %s --lw-nvptx-pipeline='from=vector' 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not lw-opt %s --lw-x86-pipeline='to=ptx' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not lw-opt %s --lw-x86-pipeline='from=schedule schedule=x.mlir' 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not lw-opt %s --lw-x86-pipeline='without=form-fmas' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lw-opt %s --lw-x86-pipeline='to=loop without=form-fma' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lw-opt %s --lw-x86-pipeline=schedule=%S/no-such-file 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not lw-run %s --compile-from gpu --compile-to vector 2>&1 | FileCheck %s --check-prefix=RUN-BACK
// RUN: not lw-run %s --compile-from ptx 2>&1 | FileCheck %s --check-prefix=RUN-PTX
// RUN: not lw-run %s --compile-from llvm --target x86 2>&1 | FileCheck %s --check-prefix=RUN-LLVM
// RUN: not lw-run %s --compile-from schedule --compile-to vector --schedule x 2>&1 | FileCheck %s --check-prefix=RUN-LATE
// RUN: not lw-run %s --compile-to vector --without dce 2>&1 | FileCheck %s --check-prefix=RUN-UNKNOWN

// PHASE:       error: 'builtin.module' op is given to=machine, expected one of input, linalg, loop, schedule, vector, llvm{{$}}
// BACK:        error: 'builtin.module' op is given from=llvm to=loop, expected a phase and a later one on the same path
// APART:       error: 'builtin.module' op is given from=vector, expected one of input, linalg, loop, schedule, gpu, ptx{{$}}
// OTHER:       error: 'builtin.module' op is given to=ptx, expected one of input, linalg, loop, schedule, vector, llvm{{$}}
// LATE:        error: 'builtin.module' op is given a schedule, expected phase schedule between from and to
// UNKNOWN:     error: 'builtin.module' op is given without=form-fma{{s?}}, expected one of
// FILE:        no-such-file:0:0: error: cannot be read
// RUN-BACK:    lw-run: error: phase vector does not come after --compile-from gpu
// RUN-PTX:     lw-run: error: invalid value 'ptx' for '--compile-from <PHASE>': expected one of input, linalg, loop, schedule, vector, llvm, gpu
// RUN-LLVM:    lw-run: error: --compile-from llvm has no signature to run: give --compile-to llvm-ir or assembly
// RUN-LATE:    lw-run: error: --schedule applies in phase schedule, which is not among the requested phases
// RUN-UNKNOWN: lw-run: error: is given without=dce, expected one of

func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {loop.fp = "fast"} {
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
