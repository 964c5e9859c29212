// The change of the cost ledger by each schedule step and each pass; nothing is printed if nothing changes.
//
// RUN: lw-opt %s --loop-cost=delta --sched-split='loop=C:j factors=-1,4' \
// RUN:   --sched-compute-inline=block=T --sched-cache-read='block=C buffer=A scope=global' \
// RUN:   --sched-parallel=loop=C:i --sched-decompose-reduction='block=C loop=C:k' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: lw-opt %s --loop-cost=delta --sched-apply=%S/Inputs/steps.mlir \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: lw-opt %s --loop-cost=delta --sched-parallel=loop=C:i --cse --sched-unroll=loop=C:k \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: lw-opt %s --loop-cost=delta --sched-reorder=loops=C:j,C:i 2>&1 | FileCheck %s --check-prefix=NOTHING

// PASSES-NOT: transform.sched.split
// PASSES: loop-cost @main after transform.sched.compute_inline "T" in %f
// PASSES-NEXT: T gone instances 70, flops 70, global loads 560, global stores 280, global footprint 560
// PASSES-NEXT: C flops 840 -> 1260
// PASSES-NEXT: C global loads 5040 -> 6720
// PASSES-NEXT: C flops/footprint 1.22 -> 1.83
// PASSES-NEXT: C flops/accessed 0.12 -> 0.15
// PASSES-NEXT: total flops 910 -> 1260
// PASSES-NEXT: total global loads 5600 -> 6720
// PASSES-NEXT: total global stores 2128 -> 1848
// PASSES-NEXT: total global footprint 968 -> 688
// PASSES-NEXT: total flops/footprint 0.94 -> 1.83
// PASSES-NEXT: total flops/accessed 0.12 -> 0.15
// PASSES-NEXT: loop-cost @main after transform.sched.cache_read "C" in %f buffer "A" scope "global"
// PASSES-NEXT: A_global_temp_buffer new instances 60, global loads 240, global stores 240, global footprint 480
// PASSES-NEXT: total global loads 6720 -> 6960
// PASSES-NEXT: total global stores 1848 -> 2088
// PASSES-NEXT: total global footprint 688 -> 928
// PASSES-NEXT: total flops/footprint 1.83 -> 1.36
// PASSES-NEXT: total flops/accessed 0.15 -> 0.14
// PASSES-NEXT: loop-cost @main after transform.sched.parallel "C:i" in %f
// PASSES-NEXT: C parallel 1 -> 6
// PASSES-NEXT: C init parallel 1 -> 6
// PASSES-NEXT: loop-cost @main after transform.sched.decompose_reduction "C" in %f loop "C:k"
// PASSES-NEXT: C init gone instances 42, global stores 168, global footprint 168, parallel 6
// PASSES-NEXT: C__reduce_init new instances 42, global stores 168, global footprint 168, parallel 6
// PASSES-NOT: loop-cost

// STEPS: loop-cost @main after transform.sched.split "T:j" in %f factors [-1, 4] tail "shift_inwards"
// STEPS-NEXT: T instances 70 -> 80
// STEPS-NEXT: T flops 70 -> 80
// STEPS-NEXT: T global loads 560 -> 640
// STEPS-NEXT: T global stores 280 -> 320
// STEPS-NEXT: T flops/footprint 0.12 -> 0.14
// STEPS-NEXT: total flops 910 -> 920
// STEPS-NEXT: total global loads 5600 -> 5680
// STEPS-NEXT: total global stores 2128 -> 2168
// STEPS-NEXT: total flops/footprint 0.94 -> 0.95
// STEPS-NEXT: loop-cost @main after transform.sched.vectorize "C:j" in %f
// STEPS-NEXT: C lanes 1 -> 7
// STEPS-NEXT: C init lanes 1 -> 7
// STEPS-NOT: loop-cost

// OTHERS: loop-cost @main after transform.sched.parallel "C:i" in %f
// OTHERS-NEXT: C parallel 1 -> 6
// OTHERS-NEXT: C init parallel 1 -> 6
// OTHERS-NEXT: loop-cost @main after other passes
// OTHERS-NEXT: T global loads 560 -> 280
// OTHERS-NEXT: T flops/accessed 0.08 -> 0.12
// OTHERS-NEXT: total global loads 5600 -> 5320
// OTHERS-NOT: loop-cost

// NOTHING-NOT: loop-cost
func.func @main(%A: memref<6x10xf32> {loop.name = "A"}, %B: memref<10x7xf32>, %C: memref<6x7xf32>) {
  %T = loop.buffer "T" scope(global) : memref<10x7xf32>
  loop.for serial %k in 10 {
    loop.for serial %j in 7 {
      loop.block "T" [%v: spatial 10, %w: spatial 7] = (%k, %j)
          reads(%B[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %b = memref.load %B[%v, %w] : memref<10x7xf32>
        %again = memref.load %B[%v, %w] : memref<10x7xf32>
        %t = arith.addf %b, %again : f32
        memref.store %t, %T[%v, %w] : memref<10x7xf32>
      }
    }
  }
  loop.for serial %i in 6 {
    loop.for serial %j in 7 {
      loop.for serial %k in 10 {
        loop.block "C" [%vi: spatial 6, %vj: spatial 7, %vk: reduce 10] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %T[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
            reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<6x7xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<6x10xf32>
          %t = memref.load %T[%vk, %vj] : memref<10x7xf32>
          %c = memref.load %C[%vi, %vj] : memref<6x7xf32>
          %p = arith.mulf %a, %t : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<6x7xf32>
        }
      }
    }
  }
  return
}
