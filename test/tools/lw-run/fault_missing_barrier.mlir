// Nests that lack a barrier, compiled as written (the compiler's own schedules would insert it): a thread reads before
// another one has written, or while it writes.
// RUN: not lw-run %s --entry unwritten --no-schedule --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: fault_missing_barrier.mlir: error: unwritten_0: kernel unwritten_0, PTX line {{[0-9]+}} (loop b>t, block {{fill|reverse}}, fault_missing_barrier.mlir:{{[0-9]+}}:{{[0-9]+}}), block (0, 0, 0), thread ({{[0-9]+}}, 0, 0): {{ld|st}}.shared.b32: {{.*}} of 4 bytes of shared memory at {{.*}} races with the {{read|write}} by thread ({{[0-9]+}}, 0, 0) at PTX line

// RUN: not lw-run %s --entry race --no-schedule --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not lw-run %s --entry race --no-schedule --target sm_90a --device emulator --seed 7 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: fault_missing_barrier.mlir: error: race_0: kernel race_0, PTX line {{[0-9]+}} (loop b>t, block {{raise|reverse}}, fault_missing_barrier.mlir:{{[0-9]+}}:{{[0-9]+}}), block (0, 0, 0), thread ({{[0-9]+}}, 0, 0): {{ld|st}}.shared.b32: {{.*}} of 4 bytes of shared memory at {{.*}} races with the {{read|write}} by thread ({{[0-9]+}}, 0, 0) at PTX line
// The compiler warns before.
// RUN: lw-run %s --no-schedule --target sm_80 --compile-to ptx 2>&1 >/dev/null | FileCheck %s --check-prefix=TOLD
// TOLD: fault_missing_barrier.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: different threads race, with no barrier between their accesses: iterations b = 0, t = {{.*}} of "fill" (writes) and iterations b = 0, t = {{.*}} of "reverse" (reads) both access "tile"
// TOLD: fault_missing_barrier.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: different threads race, with no barrier between their accesses: iterations b = 0, t = {{.*}} of "raise" (writes) and iterations b = 0, t = {{.*}} of "reverse" (reads) both access "tile"
// TOLD-NOT: remark

func.func @unwritten(%Y: memref<64xi32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<64xi32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) writes(%tile[%i : 1]) {
        %x = arith.index_cast %i : index to i32
        memref.store %x, %tile[%i] : memref<64xi32>
      }
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%Y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %x = memref.load %tile[%k] : memref<64xi32>
        memref.store %x, %Y[%i] : memref<64xi32>
      }
    }
  }
  return
}

func.func @race(%Y: memref<64xi32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<64xi32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) writes(%tile[%i : 1]) {
        %x = arith.index_cast %i : index to i32
        memref.store %x, %tile[%i] : memref<64xi32>
      }
      loop.sync
      loop.block "raise" [%i: spatial 64] = (%t) reads(%tile[%i : 1]) writes(%tile[%i : 1]) {
        %x = memref.load %tile[%i] : memref<64xi32>
        %y = arith.addi %x, %x : i32
        memref.store %y, %tile[%i] : memref<64xi32>
      }
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%Y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %x = memref.load %tile[%k] : memref<64xi32>
        memref.store %x, %Y[%i] : memref<64xi32>
      }
    }
  }
  return
}
