// Ops over the same sizes form one nest, whether the sizes are static or dynamic.
// RUN: lw-run %s --target sm_80 --compile-to schedule | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target x86 --compile-to schedule --dump-strategy 2>&1 >/dev/null | FileCheck %s --check-prefix=X86

// X86-LABEL: function unknown:
// X86-NEXT:    group add_1
// X86:         10 x86.elementwise: chosen
// X86-NOT:     group
// DUMP-LABEL: function unknown:
// DUMP-NEXT:    group add_1
// DUMP:         10 nvptx.elementwise: chosen
// DUMP-NOT:     group
// CHECK-LABEL: func.func @unknown(
// CHECK:       loop.for thread_bind[blockIdx.x]
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %{{.*}} in 256
// CHECK-NEXT:      loop.block "add_1"
// CHECK:             arith.addf
// CHECK:             arith.mulf
// CHECK:             math.exp
// CHECK-NOT:   loop.block
// CHECK:       return
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @unknown(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.add ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.mul ins(%s, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %v = math.exp %x : f32
    %w = arith.addf %v, %y : f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
