// The profile of a function on a cpu: a row for each kernel, with its time, its rates and the ops that it was made of.
// RUN: lw-run %s --target x86 --machine %S/../../machine.json --time 0.01 --profile | FileCheck %s
// CHECK:      result 0: 16x32xf32
// CHECK:      2 kernels, {{[0-9.]+}} us a call (median of {{[0-9]+}}) on {{[0-9]+}} thread
// CHECK-NEXT: us {{.*}}share  GFLOP/s {{ *}}GB/s {{.*}}kernel {{ *}}from
// CHECK-DAG:  {{[0-9.]+ +[0-9.]+ %}}{{.*}}main_matmul_exp {{ *}}profile_cpu.mlir:[[#]], [[#]]{{$}}
// CHECK-DAG:  {{[0-9.]+ +[0-9.]+ %}}{{.*}}main_matmul {{ *}}profile_cpu.mlir:[[#]]{{$}}
// CHECK:      {{[0-9.]+ +[0-9.]+ %}} {{ *}}outside of kernels

// The work does not depend on the machine: 2 * 16 * 64 * 64 operations of the first product and 16 * 64 exponentials; the
// bytes of its two operands and of its result.
// RUN: lw-run %s --target x86 --machine %S/../../machine.json --time 0.01 --profile --json | FileCheck %s --check-prefix=JSON
// JSON:     "profile":{"threads":{{[0-9]+}},"calls":{{[0-9]+}},"call_us":{{[0-9.]+}},"kernels":[
// JSON-DAG: "name":"main_matmul_exp","runs":1,"time_us":{{[0-9.]+}},"float_ops":132096,"bytes":24576,
// JSON-DAG: "name":"main_matmul","runs":1,"time_us":{{[0-9.]+}},"float_ops":65536,"bytes":14336,
// JSON:     "outside_us":{{[0-9.]+}}

// A kernel that a loop runs several times is one row. Its function is not the one that is called, so its sizes may be
// unknown; here they are constants.
// RUN: lw-run %s --entry loop --target x86 --machine %S/../../machine.json --time 0.01 --profile --json | FileCheck %s --check-prefix=LOOP
// LOOP: "name":"loop_body.{{[a-z]+}}","runs":5,"time_us":{{[0-9.]+}},"float_ops":320,"bytes":{{[0-9]+}},

// The work of a function of dynamic sizes is that of the arguments.
// RUN: lw-run %s --entry dynamic --target x86 --machine %S/../../machine.json --time 0.01 --profile --json --input %S/../../models/sub_mul.in0.npy | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: "name":"dynamic.exp","runs":1,"time_us":{{[0-9.]+}},"float_ops":8192,"bytes":65536,

// The marks are calls around the kernels. Code without --profile has none.
// RUN: lw-run %s --target x86 --machine %S/../../machine.json --profile --compile-to llvm | FileCheck %s --check-prefix=MARKS
// MARKS:        llvm.func @lw_profile_mark(i64, i64)
// MARKS-LABEL:  llvm.func {{.*}}@main(
// MARKS-COUNT-4: llvm.call @lw_profile_mark
// RUN: lw-run %s --target x86 --machine %S/../../machine.json --compile-to llvm | FileCheck %s --check-prefix=NONE
// NONE-NOT: lw_profile_mark

#id = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<16x64xf32>, %w: tensor<64x64xf32>, %v: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = linalg.matmul ins(%x, %w : tensor<16x64xf32>, tensor<64x64xf32>) outs(%f : tensor<16x64xf32>) -> tensor<16x64xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<16x64xf32>
  %e2 = tensor.empty() : tensor<16x32xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %c = linalg.matmul ins(%b, %v : tensor<16x64xf32>, tensor<64x32xf32>) outs(%f2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %c : tensor<16x32xf32>
}

func.func @loop(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %x) -> (tensor<8x8xf32>) {
    %b = math.exp %t : tensor<8x8xf32>
    scf.yield %b : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

func.func @dynamic(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %b = math.exp %x : tensor<?x128xf32>
  return %b : tensor<?x128xf32>
}
