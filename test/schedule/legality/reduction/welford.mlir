// The mean, the sum of squared differences from it, and the count of 100 values around 100, compared with NumPy in
// double: unscheduled; in parts by lanes of a vector; and by threads as lanes of warps, by other threads, by
// thread blocks and by both.
// RUN: lw-run %s --device interpreter --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,8" --sched-rfactor="loop=B:k.1 factor_axis=1" \
// RUN:   --sched-reorder=loops=rf_B:i,rf_B:rf_k.1 --sched-reorder=loops=rf_B:k.0,rf_B:rf_k.1 \
// RUN:   --sched-vectorize=loop=rf_B:rf_k.1 --sched-verify -o %t.lanes
// RUN: lw-run %t.lanes --device interpreter --seed 3 --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-run %t.lanes --target x86 --require-vector --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-run %t.lanes --entry welford --compile-to vector | FileCheck %s --check-prefix=LANES
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,32" --sched-bind="loop=B:k.1 thread=threadIdx.x" \
// RUN:   --sched-verify -o %t.warps
// RUN: lw-run %t.warps --device interpreter --seed 3 --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-run %t.warps --compile-to gpu --verify-each numeric > %t.warps.gpu
// RUN: lw-run %t.warps.gpu --compile-from gpu --execute gpu --entry welford --input %S/Inputs/welford_in_a.npy \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check \
// RUN:   %S/Inputs/welford_out_n.npy --rtol 2e-5 --atol 0
// RUN: FileCheck %s --check-prefix=WARPS < %t.warps.gpu
// RUN: lw-opt %s --sched-bind="loop=B:i thread=blockIdx.x" --sched-split="loop=B:k factors=-1,25" \
// RUN:   --sched-bind="loop=B:k.1 thread=threadIdx.x" --sched-verify -o %t.tree
// RUN: lw-run %t.tree --device interpreter --seed 3 --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-run %t.tree --compile-to gpu --verify-each numeric > %t.tree.gpu
// RUN: lw-run %t.tree.gpu --compile-from gpu --execute gpu --entry welford --input %S/Inputs/welford_in_a.npy \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check \
// RUN:   %S/Inputs/welford_out_n.npy --rtol 2e-5 --atol 0
// RUN: FileCheck %s --check-prefix=TREE < %t.tree.gpu
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,32" --sched-bind="loop=B:k.0 thread=blockIdx.x" --sched-verify \
// RUN:   -o %t.blocks
// RUN: lw-run %t.blocks --device interpreter --seed 3 --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-run %t.blocks --compile-to gpu --verify-each numeric > %t.blocks.gpu
// RUN: lw-run %t.blocks.gpu --compile-from gpu --execute gpu --entry welford --input %S/Inputs/welford_in_a.npy \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check \
// RUN:   %S/Inputs/welford_out_n.npy --rtol 2e-5 --atol 0
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.blocks.gpu
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,32" --sched-bind="loop=B:k.1 thread=threadIdx.x" \
// RUN:   --sched-bind="loop=B:k.0 thread=blockIdx.x" --sched-verify -o %t.both
// RUN: lw-run %t.both --device interpreter --seed 3 --entry welford --input %S/Inputs/welford_in_a.npy --check \
// RUN:   %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy \
// RUN:   --rtol 2e-5 --atol 0
// RUN: lw-run %t.both --compile-to gpu --verify-each numeric > %t.both.gpu
// RUN: lw-run %t.both.gpu --compile-from gpu --execute gpu --entry welford --input %S/Inputs/welford_in_a.npy \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check \
// RUN:   %S/Inputs/welford_out_n.npy --rtol 2e-5 --atol 0
// RUN: FileCheck %s --check-prefix=BOTH < %t.both.gpu

// LANES:      iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>)
// LANES:        arith.divf %{{.+}} : vector<8xf32>
// Parts are joined by another formula.
// LANES:        arith.cmpf oeq, %{{.+}} : f32

// Five exchanges of three values.
// WARPS-COUNT-15: gpu.shuffle xor
// WARPS-NOT:      gpu.shuffle

// TREE-NOT:   gpu.shuffle
// TREE-COUNT-3: memref<25xf32, #gpu.address_space<workgroup>>

// BLOCKS-COUNT-2: gpu.func
// BOTH-COUNT-2:   gpu.func
func.func @welford(%A: memref<5x100xf32>, %M: memref<5xf32> {loop.result}, %S: memref<5xf32> {loop.result}, %N: memref<5xf32> {loop.result})
    attributes {loop.fp = "reassoc"} {
  loop.for serial %i in 5 {
    loop.for serial %k in 100 {
      loop.block "B" [%v: spatial 5, %vk: reduce 100] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %M[%v] : memref<5xf32>
          memref.store %zero, %S[%v] : memref<5xf32>
          memref.store %zero, %N[%v] : memref<5xf32>
        }
        %one = arith.constant 1.0 : f32
        %x = memref.load %A[%v, %vk] : memref<5x100xf32>
        %m = memref.load %M[%v] : memref<5xf32>
        %s = memref.load %S[%v] : memref<5xf32>
        %n = memref.load %N[%v] : memref<5xf32>
        %n1 = arith.addf %n, %one : f32
        %d = arith.subf %x, %m : f32
        %q = arith.divf %d, %n1 : f32
        %m1 = arith.addf %m, %q : f32
        %e = arith.subf %x, %m1 : f32
        %p = arith.mulf %d, %e : f32
        %s1 = arith.addf %s, %p : f32
        memref.store %m1, %M[%v] : memref<5xf32>
        memref.store %s1, %S[%v] : memref<5xf32>
        memref.store %n1, %N[%v] : memref<5xf32>
      }
    }
  }
  return
}
