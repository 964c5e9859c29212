// RUN: lw-opt %s --schedule-block-dce --split-input-file | FileCheck %s
// RUN: lw-opt %s --schedule-block-dce --split-input-file --pass-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS

// A chain of two blocks that no other block reads, in separate loops and beside a live block.
// CHECK-LABEL: func.func @chain(
// CHECK-NOT:     "T"
// CHECK-NOT:     "U"
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "B"
// CHECK-NOT:     loop.for
// COUNTS:        schedule-block-dce  @chain {{.*}} ms  changed, 2 blocks, 2 buffers
// COUNTS:        schedule-block-dce  @read_later {{.*}} ms  unchanged{{$}}
func.func @chain(%A: memref<8xf32>, %B: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %U = loop.buffer "U" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "T" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.if (%i - 1 >= 0) {
      loop.block "U" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%U[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %U[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// Blocks that the live block reads are live, before it and after it in the loop, and so are blocks that those read.
// CHECK-LABEL: func.func @read_later(
// CHECK:         loop.block "B"
// CHECK:         loop.block "S"
// CHECK:         loop.block "T"
func.func @read_later(%A: memref<8xf32>, %B: memref<8xf32>) {
  %S = loop.buffer "S" scope(global) : memref<8xf32>
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %t in 3 {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %T[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.block "S" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %S[%v] : memref<8xf32>
      }
      loop.block "T" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %S[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// A block that feeds only itself is dead; in a schedule block the regions of the outer one shrink; a loop
// with a barrier is kept, and so is a call.
// CHECK-LABEL: func.func @nested(
// CHECK-NOT:     "H"
// CHECK:         loop.block "outer"
// CHECK-NEXT:        reads(%{{.*}}[0 : 4]) writes(%{{.*}}[0 : 4])
// CHECK-NOT:       "D"
// CHECK:         loop.for thread_bind[threadIdx.x] %t in 4 {
// CHECK-NEXT:      loop.sync
// CHECK:         loop.block "C"
// CHECK:           call @external
func.func private @external(memref<4xf32>)
func.func @nested(%A: memref<4xf32>, %B: memref<4xf32>) {
  %H = loop.buffer "H" scope(global) : memref<4xf32>
  %D = loop.buffer "D" scope(global) : memref<4xf32>
  %E = loop.buffer "E" scope(shared) : memref<4xf32>
  %C = loop.buffer "C" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "H" [%v: spatial 4] = (%i) reads(%H[%v : 1]) writes(%H[%v : 1]) {
      %a = memref.load %H[%v] : memref<4xf32>
      memref.store %a, %H[%v] : memref<4xf32>
    }
  }
  loop.block "outer" [] = () reads(%A[0 : 4]) writes(%B[0 : 4], %D[0 : 4]) {
    loop.for serial %i in 4 {
      loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<4xf32>
        memref.store %a, %B[%v] : memref<4xf32>
      }
      loop.block "D" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
        %a = memref.load %A[%v] : memref<4xf32>
        memref.store %a, %D[%v] : memref<4xf32>
      }
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.block "E" [%v: spatial 4] = (%t) reads(%A[%v : 1]) writes(%E[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %E[%v] : memref<4xf32>
    }
    loop.sync
  }
  loop.block "C" [] = () reads(%C[*]) writes(%C[*]) {
    func.call @external(%C) : (memref<4xf32>) -> ()
  }
  return
}

// -----

// A function may read what is passed to it, so the writer of that is live, too.
// CHECK-LABEL: func.func @passed(
// CHECK:         loop.block "T"
// CHECK:         loop.block "C"
func.func private @sum(memref<4xf32>) -> f32
func.func @passed(%A: memref<4xf32>, %B: memref<f32>) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
  }
  loop.block "C" [] = () reads(%T[*]) writes(%B[]) {
    %s = func.call @sum(%T) {no_inline} : (memref<4xf32>) -> f32
    memref.store %s, %B[] : memref<f32>
  }
  return
}
