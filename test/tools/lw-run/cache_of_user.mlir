// The cache of the user: where it is, when it is used, and that it never hides what a run reports.
// The variable names the folder; empty, there is no cache. Tests run with the empty one.
// RUN: lw-run %s --target x86 --output a.npy
// RUN: not ls home
// RUN: env LOOPWRIGHT_CACHE=named lw-run %s --target x86 --check a.npy --rtol 0 --atol 0
// RUN: ls named | FileCheck %s --check-prefix=ENTRY
// Without the variable, it is in the folder for caches.
// RUN: env -u LOOPWRIGHT_CACHE XDG_CACHE_HOME=$PWD/xdg lw-run %s --target x86 --check a.npy --rtol 0 --atol 0
// RUN: ls xdg/loopwright | FileCheck %s --check-prefix=ENTRY
// RUN: env -u LOOPWRIGHT_CACHE -u XDG_CACHE_HOME HOME=$PWD/home lw-run %s --target x86 --check a.npy --rtol 0 --atol 0
// RUN: ls home/.cache/loopwright | FileCheck %s --check-prefix=ENTRY
// Damaged and foreign entries are replaced.
// RUN: for f in named/*; do echo foreign > $f; done
// RUN: env LOOPWRIGHT_CACHE=named lw-run %s --target x86 --check a.npy --rtol 0 --atol 0
// RUN: grep -q "loopwright object" named/*.lwo
// Its limit holds.
// RUN: env LOOPWRIGHT_CACHE=small lw-run %s --target x86 --cache-limit 0 --check a.npy --rtol 0 --atol 0
// RUN: not ls small
// It can be left out.
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --no-cache --check a.npy --rtol 0 --atol 0
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --execute loop --device interpreter --check a.npy
// Options that show the compiler at work, or the kernels, do so each time.
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --dump-strategy 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --profile --time 0.01 | FileCheck %s --check-prefix=PROFILE
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --verify-each numeric --check a.npy
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --dump-graph g.dot --check a.npy
// RUN: env LOOPWRIGHT_CACHE=none lw-run %s --target x86 --compile-to assembly | FileCheck %s --check-prefix=ASSEMBLY
// RUN: not ls none
// So do the log and the trace: they do not read an entry.
// RUN: env LOOPWRIGHT_CACHE=named lw-run %s --target x86 --log codegen=debug --check a.npy 2>&1 | FileCheck %s --check-prefix=LOG
// RUN: env LOOPWRIGHT_CACHE=named lw-run %s --target x86 --trace-out t.json --check a.npy
// RUN: FileCheck %s --check-prefix=TRACE --input-file=t.json
// A folder that cannot be written costs time only, and is no reason for a warning.
// RUN: env LOOPWRIGHT_CACHE=/proc/none lw-run %s --target x86 --check a.npy --rtol 0 --atol 0 2>err.txt
// RUN: env -u LOOPWRIGHT_CACHE -u XDG_CACHE_HOME -u HOME lw-run %s --target x86 --check a.npy --rtol 0 --atol 0 2>>err.txt
// RUN: count 0 < err.txt
// RUN: env LOOPWRIGHT_CACHE=/proc/none lw-run %s --target x86 --log codegen=debug 2>&1 >out.txt | FileCheck %s --check-prefix=READONLY
// A remark of the compiler is reported in each run: its code is not kept.
// RUN: env LOOPWRIGHT_CACHE=remarked lw-run %S/Inputs/dynamic_vector.mlir --compile-from schedule --target x86 --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy 2>&1 >out.txt | FileCheck %s --check-prefix=REMARK
// RUN: env LOOPWRIGHT_CACHE=remarked lw-run %S/Inputs/dynamic_vector.mlir --compile-from schedule --target x86 --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy 2>&1 >out.txt | FileCheck %s --check-prefix=REMARK
// RUN: not ls remarked
// ENTRY:     {{^}}{{[0-9a-f]+}}.lwo{{$}}
// ENTRY-NOT: .lwo
// STRATEGY:  function main
// PROFILE:   kernel
// ASSEMBLY:  main:
// LOG-NOT:   cache hit
// LOG:       codegen{name=llvm-passes}
// TRACE:     llvm-passes
// READONLY:  DEBUG loopwright::codegen: the code is not kept error=/proc/none/{{.*}}.lwo cannot be written
// REMARK:    remark: "i" is not vectorized: its extent is not constant
func.func @main() -> tensor<100xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<100xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<100xf32>) -> tensor<100xf32>
  %r = linalg.exp ins(%ones : tensor<100xf32>) outs(%empty : tensor<100xf32>) -> tensor<100xf32>
  return %r : tensor<100xf32>
}
