// The first maximum of each row and its index, for rows with equal values, zeros of both signs, NaNs and infinities,
// compared with a loop in Python. Unscheduled; in parts by lanes of a vector, of which the last step selects the one
// with the least index; and by threads as lanes of warps, by other threads, by thread blocks and
// by both.
// RUN: lw-run %s --device interpreter --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,8" --sched-rfactor="loop=B:k.1 factor_axis=1" \
// RUN:   --sched-reorder=loops=rf_B:i,rf_B:rf_k.1 --sched-reorder=loops=rf_B:k.0,rf_B:rf_k.1 \
// RUN:   --sched-vectorize=loop=rf_B:rf_k.1 --sched-verify -o %t.lanes
// RUN: lw-run %t.lanes --device interpreter --seed 3 --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-run %t.lanes --target x86 --require-vector --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-run %t.lanes --entry argmax --target x86 --cpu znver4 --compile-to vector | FileCheck %s --check-prefix=LANES
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,32" --sched-bind="loop=B:k.1 thread=threadIdx.x" \
// RUN:   --sched-verify -o %t.warps
// RUN: lw-run %t.warps --device interpreter --seed 3 --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-run %t.warps --compile-to gpu --verify-each numeric > %t.warps.gpu
// RUN: lw-run %t.warps.gpu --compile-from gpu --execute gpu --entry argmax --input %S/Inputs/argmax_in_a.npy \
// RUN:   --check %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: FileCheck %s --check-prefix=WARPS < %t.warps.gpu
// RUN: lw-opt %s --sched-bind="loop=B:i thread=blockIdx.x" --sched-split="loop=B:k factors=-1,25" \
// RUN:   --sched-bind="loop=B:k.1 thread=threadIdx.x" --sched-verify -o %t.tree
// RUN: lw-run %t.tree --device interpreter --seed 3 --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-run %t.tree --compile-to gpu --verify-each numeric > %t.tree.gpu
// RUN: lw-run %t.tree.gpu --compile-from gpu --execute gpu --entry argmax --input %S/Inputs/argmax_in_a.npy \
// RUN:   --check %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: FileCheck %s --check-prefix=TREE < %t.tree.gpu
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,32" --sched-bind="loop=B:k.0 thread=blockIdx.x" --sched-verify \
// RUN:   -o %t.blocks
// RUN: lw-run %t.blocks --device interpreter --seed 3 --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-run %t.blocks --compile-to gpu --verify-each numeric > %t.blocks.gpu
// RUN: lw-run %t.blocks.gpu --compile-from gpu --execute gpu --entry argmax --input %S/Inputs/argmax_in_a.npy \
// RUN:   --check %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.blocks.gpu
// RUN: lw-opt %s --sched-split="loop=B:k factors=-1,32" --sched-bind="loop=B:k.1 thread=threadIdx.x" \
// RUN:   --sched-bind="loop=B:k.0 thread=blockIdx.x" --sched-verify -o %t.both
// RUN: lw-run %t.both --device interpreter --seed 3 --entry argmax --input %S/Inputs/argmax_in_a.npy --check \
// RUN:   %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: lw-run %t.both --compile-to gpu --verify-each numeric > %t.both.gpu
// RUN: lw-run %t.both.gpu --compile-from gpu --execute gpu --entry argmax --input %S/Inputs/argmax_in_a.npy \
// RUN:   --check %S/Inputs/argmax_out_v.npy --check %S/Inputs/argmax_out_i.npy --rtol 0 --atol 0
// RUN: FileCheck %s --check-prefix=BOTH < %t.both.gpu

// Values and indices in vectors, selected by the old comparison.
// LANES:       %[[STEP:.+]] = vector.step : vector<8xindex>
// LANES:       iter_args(%[[V:.+]] = %{{.+}}, %[[I:.+]] = %{{.+}}) -> (vector<8xf32>, vector<8xi64>)
// LANES:         %[[MORE:.+]] = arith.cmpf ogt, %{{.+}}, %[[V]] : vector<8xf32>
// LANES:         arith.select %[[MORE]], %{{.+}}, %[[V]] : vector<8xi1>, vector<8xf32>
// LANES:         arith.select %[[MORE]], %{{.+}}, %[[I]] : vector<8xi1>, vector<8xi64>
// The last step also compares indices.
// LANES:         arith.cmpf ogt, %{{.+}} : f32
// LANES-NEXT:    arith.cmpf oeq, %{{.+}} : f32
// LANES-NEXT:    arith.cmpi slt, %{{.+}} : i64

// Five exchanges of a value, and of an index in two halves.
// WARPS-COUNT-15: gpu.shuffle xor
// WARPS-NOT:      gpu.shuffle

// TREE-NOT:   gpu.shuffle
// TREE:       memref<25xf32, #gpu.address_space<workgroup>>

// Two kernels.
// BLOCKS-COUNT-2: gpu.func
// BOTH-COUNT-2:   gpu.func
func.func @argmax(%A: memref<5x100xf32>, %V: memref<5xf32> {loop.result}, %I: memref<5xi64> {loop.result}) {
  loop.for serial %i in 5 {
    loop.for serial %k in 100 {
      loop.block "B" [%v: spatial 5, %vk: reduce 100] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %lowest = arith.constant 0xFF800000 : f32
          %none = arith.constant 0 : i64
          memref.store %lowest, %V[%v] : memref<5xf32>
          memref.store %none, %I[%v] : memref<5xi64>
        }
        %a = memref.load %A[%v, %vk] : memref<5x100xf32>
        %best = memref.load %V[%v] : memref<5xf32>
        %at = memref.load %I[%v] : memref<5xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %max = arith.select %more, %a, %best : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %V[%v] : memref<5xf32>
        memref.store %new, %I[%v] : memref<5xi64>
      }
    }
  }
  return
}
