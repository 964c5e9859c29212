// Without points nothing starts: the loop with no iterations is not bound to the spatial iter, which is 0 in it.
// RUN: lw-opt %s --sched-decompose-reduction="block=R loop=R:f" --verify-diagnostics
func.func @decompose_reduction_c6_no_points(%A: memref<1x5xi32>, %B: memref<1xi32>) {
  loop.for serial %f in 0 {
    // expected-error @+1 {{(C6)}}
    loop.block "R" [%v: spatial 0, %vk: reduce 5] = (0, %f)
        reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %B[%v] : memref<1xi32>
      }
      %a = memref.load %A[%v, %vk] : memref<1x5xi32>
      %b = memref.load %B[%v] : memref<1xi32>
      %c = arith.addi %b, %a : i32
      memref.store %c, %B[%v] : memref<1xi32>
    }
  }
  return
}
