// The machine code cache: an entry is reused only for the same function and the same settings, and regenerated if it is
// damaged.
// RUN: lw-run %s --target x86 --cache kept --output a.npy
// RUN: ls kept | wc -l | FileCheck %s --check-prefix=ONE
// RUN: lw-run %s --target x86 --cache kept --check a.npy --rtol 0 --atol 0
// RUN: ls kept | wc -l | FileCheck %s --check-prefix=ONE
// Another schedule, another contract.
// RUN: lw-run %s --target x86 --cache kept --no-schedule --check a.npy --rtol 0 --atol 0
// RUN: lw-run %s --target x86 --cache kept --fp fast --check a.npy
// RUN: ls kept | wc -l | FileCheck %s --check-prefix=THREE
// Code that names locations depends on them.
// RUN: cp %s moved.mlir
// RUN: lw-run moved.mlir --target x86 --cache checked --check-bounds --check a.npy --rtol 0 --atol 0
// RUN: lw-run moved.mlir --target x86 --cache checked --check-bounds --check a.npy --rtol 0 --atol 0
// RUN: ls checked | wc -l | FileCheck %s --check-prefix=ONE
// RUN: echo | cat - %s > moved.mlir
// RUN: lw-run moved.mlir --target x86 --cache checked --check-bounds --check a.npy --rtol 0 --atol 0
// RUN: ls checked | wc -l | FileCheck %s --check-prefix=TWO
// RUN: lw-run moved.mlir --target x86 --cache kept --check a.npy --rtol 0 --atol 0
// RUN: ls kept | wc -l | FileCheck %s --check-prefix=THREE
// Damaged entries are ignored.
// RUN: for f in kept/*; do head -c 100 $f > short; mv short $f; done
// RUN: lw-run %s --target x86 --cache kept --check a.npy --rtol 0 --atol 0
// RUN: lw-run %s --target x86 --cache kept --check a.npy --rtol 0 --atol 0
// Without room, nothing is kept.
// RUN: lw-run %s --target x86 --cache small --cache-limit 0 --check a.npy
// RUN: not ls small
// RUN: not lw-run %s --target x86 --cache %s 2>&1 | FileCheck %s --check-prefix=FOLDER
// A folder that cannot be written costs time only.
// RUN: lw-run %s --target x86 --cache /proc/none --check a.npy --rtol 0 --atol 0 2> %t.err
// RUN: FileCheck %s --check-prefix=READONLY --input-file=%t.err
// RUN: not lw-run %s --cache kept 2>&1 | FileCheck %s --check-prefix=TARGET
// ONE:    {{^}}1{{$}}
// TWO:    {{^}}2{{$}}
// THREE:  {{^}}3{{$}}
// FOLDER: {{^}}lw-run: error: --cache is a file, expected a folder, which need not exist (see --help)
// READONLY: {{^}}lw-run: warning: --cache: /proc/none/{{.*}}.lwo cannot be written: {{.*}}, so the code is not kept
// TARGET: lw-run: error: --cache is for machine code: give --target x86 --device cpu
func.func @main() -> tensor<100xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<100xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<100xf32>) -> tensor<100xf32>
  %r = linalg.exp ins(%ones : tensor<100xf32>) outs(%empty : tensor<100xf32>) -> tensor<100xf32>
  return %r : tensor<100xf32>
}
