// Generated inputs, the module on stdin, and the text of small results.
//
// RUN: lw-run %s --input ones --input iota | FileCheck %s --check-prefix=TWO
// RUN: lw-run %s --input iota --target x86 | FileCheck %s --check-prefix=ALL
// RUN: lw-run %s --input random:5 --output a.npy && lw-run %s --input random:5 --target x86 --check a.npy --atol 0 --rtol 0 | FileCheck %s --check-prefix=SAME
// RUN: not lw-run %s --input random:6 --check a.npy | FileCheck %s --check-prefix=SEED
//
// A timed run needs no inputs.
// RUN: lw-run %s --target x86 --time 0.01 | FileCheck %s --check-prefix=TIMED
// RUN: lw-run %s --target x86 --time 0.01 --json | FileCheck %s --check-prefix=JSON
// RUN: not lw-run %s --target x86 --entry any --time 0.01 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not lw-run %s --entry large --input ones --input ones 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: lw-run %s --entry large | FileCheck %s --check-prefix=LARGE
//
// The module is stdin.
// RUN: lw-run - --input ones < %s | FileCheck %s --check-prefix=STDIN
// RUN: lw-compile - -o stdin.o < %s && llvm-nm stdin.o | FileCheck %s --check-prefix=COMPILE
// RUN: echo "func.func @f(" | not lw-run - 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not lw-run %s --schedule - --input ones < %s 2>&1 | FileCheck %s --check-prefix=SCHEDULE
//
// The help lists the phases.
// RUN: lw-run --help | FileCheck %s --check-prefix=HELP

// TWO:      input 0: 2x2xf32, generated: ones
// TWO-NEXT: input 1: 2x2xf32, generated: iota
// TWO-NEXT: result 0: 2x2xf32 = {{\[\[}}1.0, 2.0], [3.0, 4.0]]
// TWO-NEXT: {{.*}}inputs.mlir: interpreted in loop form (--target compiles it), {{.*}} ms

// ALL:      input 0: 2x2xf32, generated: iota
// ALL-NEXT: input 1: 2x2xf32, generated: iota
// ALL-NEXT: result 0: 2x2xf32 = {{\[\[}}0.0, 2.0], [4.0, 6.0]]
// ALL-NEXT: {{.*}}inputs.mlir: x86, {{.*}} ms

// SAME:      input 1: 2x2xf32, generated: random:5
// SAME-NEXT: result 0: 2x2xf32, max error 0.000e0 (bound 0.000e0): passed
// SEED:      FAILED

// TIMED:      input 0: 2x2xf32, generated: random:0
// TIMED-NEXT: input 1: 2x2xf32, generated: random:0
// TIMED:      {{[0-9.]+ (ms|us|ns)}} a call
// JSON:       "generated_inputs":[{"position":0,"type":"f32","shape":[2,2],"generator":"random:0"},
// SIZES:      lw-run: error: input 0 cannot be generated, because tensor<?xf32> has sizes that only an input gives: give a file
// NONE:       lw-run: error: function 'large' needs 0 inputs (), found 2 --input{{$}}
// LARGE:      result 0: 33xi8{{$}}

// STDIN:    result 0: 2x2xf32 = {{\[\[}}2.0, 2.0], [2.0, 2.0]]
// COMPILE:  T stdin
// BROKEN:   {{.*}}:1:14: error:
// SCHEDULE: lw-run: error: the schedule is -, expected a file: only the module can be stdin

// HELP: linalg, graph or loop dialect, or of TOSA
// HELP: --compile-to <PHASE>
// HELP-NEXT: and stop: input, linalg,
// HELP-NEXT: loop, schedule, vector, llvm, gpu, ptx, llvm-ir, assembly
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %z = graph.add %x, %y : tensor<2x2xf32>
  return %z : tensor<2x2xf32>
}

func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

func.func @large() -> tensor<33xi8> {
  %ones = arith.constant dense<1> : tensor<33xi8>
  return %ones : tensor<33xi8>
}
