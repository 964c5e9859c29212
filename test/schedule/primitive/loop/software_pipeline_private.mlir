// RUN: lw-opt %s --sched-software-pipeline='loop=T:k stages=0,0,1 order=0,2,1' | FileCheck %s

// A value is loaded, the one before is used, and the loaded one is stored: the registers of a load and its store are in
// one stage, so they have no copies; the prologue and the loop each use what one iteration needs.
// CHECK-LABEL: func.func @staged(
// CHECK-DAG:     loop.buffer "R" scope(local) : memref<4xf32>
// CHECK-DAG:     loop.buffer "T" scope(global) : memref<2x4xf32>
// CHECK:         loop.block "R.prologue"
// CHECK:         loop.block "T.prologue"
// CHECK:         loop.for serial %k in 15
// CHECK:           loop.block "R"
// CHECK:           loop.block "B"
// CHECK:           loop.block "T"
// CHECK:         loop.block "B.epilogue"
func.func @staged(%A: memref<64xf32>, %B: memref<64xf32>) {
  %R = loop.buffer "R" scope(local) : memref<64xf32>
  %T = loop.buffer "T" scope(global) : memref<64xf32>
  loop.for serial %k in 16 {
    loop.for serial %i in 4 {
      loop.block "R" [%v: spatial 64] = (%k * 4 + %i) reads(%A[%v : 1]) writes(%R[%v : 1]) {
        %a = memref.load %A[%v] : memref<64xf32>
        memref.store %a, %R[%v] : memref<64xf32>
      }
    }
    loop.for serial %i in 4 {
      loop.block "T" [%v: spatial 64] = (%k * 4 + %i) reads(%R[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %R[%v] : memref<64xf32>
        memref.store %a, %T[%v] : memref<64xf32>
      }
    }
    loop.for serial %i in 4 {
      loop.block "B" [%v: spatial 64] = (%k * 4 + %i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %T[%v] : memref<64xf32>
        memref.store %a, %B[%v] : memref<64xf32>
      }
    }
  }
  return
}
