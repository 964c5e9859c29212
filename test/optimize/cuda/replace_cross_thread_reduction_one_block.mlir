// A reduction that is bound to one thread block and to its threads is one across threads.
// RUN: lw-opt %s --sched-bind='loop=B:i thread=blockIdx.x' --sched-bind='loop=B:ko thread=blockIdx.y' --sched-bind='loop=B:ki thread=threadIdx.x' -o %t.mlir
// RUN: lw-opt %t.mlir --replace-cross-thread-reduction | FileCheck %s
// RUN: lw-run %t.mlir --entry main --target sm_80 --no-schedule --input iota --device emulator | FileCheck %s --check-prefix=SUMS
// CHECK: loop.buffer {{.*}} scope(local)
// CHECK: loop.for thread_bind[blockIdx.y] %ko in 1
// CHECK: loop.for thread_bind[threadIdx.x] %ki in 8
// SUMS: [496.0, 1520.0, 2544.0]
func.func @main(%A: memref<3x32xf32>, %B: memref<3xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for serial %i in 3 {
    loop.for serial %ko in 1 {
      loop.for serial %ki in 8 {
        loop.for serial %kii in 4 {
          loop.block "B" [%v: spatial 3, %vk: reduce 32] = (%i, %ko * 32 + %ki * 4 + %kii) reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
            loop.init {
              %z = arith.constant 0.0 : f32
              memref.store %z, %B[%v] : memref<3xf32>
            }
            %a = memref.load %A[%v, %vk] : memref<3x32xf32>
            %b = memref.load %B[%v] : memref<3xf32>
            %c = arith.addf %b, %a : f32
            memref.store %c, %B[%v] : memref<3xf32>
          }
        }
      }
    }
  }
  return
}
