// RUN: lw-opt %s --if-fusion --split-input-file | FileCheck %s

// Three in a row; the second has an else.
// CHECK-LABEL: func.func @row(
// CHECK:         loop.if (%i - 3 >= 0) {
// CHECK-NEXT:      loop.block "X"
// CHECK:           loop.block "Y"
// CHECK:           loop.block "Z"
// CHECK:         } else {
// CHECK-NEXT:      loop.block "W"
// CHECK-NOT:     loop.if
func.func @row(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.if (%i - 3 >= 0) {
      loop.block "X" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.if (%i - 3 >= 0) {
      loop.block "Y" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %B[%v] : memref<8xf32>
        memref.store %a, %C[%v] : memref<8xf32>
      }
    } else {
      loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %C[%v] : memref<8xf32>
      }
    }
    loop.if (%i - 3 >= 0) {
      loop.block "Z" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %C[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// The else of the first is moved too, if the second has none.
// CHECK-LABEL: func.func @else_first(
// CHECK:         loop.if (%{{.*}} - 3 >= 0) {
// CHECK-NEXT:      loop.block "Y"
// CHECK:         } else {
// CHECK-NEXT:      loop.block "X"
// CHECK-NOT:     loop.if
func.func @else_first(%A: memref<f32>, %B: memref<f32>, %n: index) {
  loop.if (%n - 3 >= 0) {
  } else {
    loop.block "X" [] = () reads(%A[]) writes(%B[]) {
      %a = memref.load %A[] : memref<f32>
      memref.store %a, %B[] : memref<f32>
    }
  }
  loop.if (%n - 3 >= 0) {
    loop.block "Y" [] = () reads(%B[]) writes(%A[]) {
      %a = memref.load %B[] : memref<f32>
      memref.store %a, %A[] : memref<f32>
    }
  }
  return
}

// -----

// Kernels are unchanged: the second reads what other threads of the first have written.
// CHECK-LABEL: func.func @kernels(
// CHECK-COUNT-2: loop.if
func.func @kernels(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>, %n: index) {
  loop.if (%n - 3 >= 0) {
    loop.for thread_bind[blockIdx.x] %b in 8 {
      loop.block "P" [%v: spatial 8] = (%b) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.if (%n - 3 >= 0) {
    loop.for thread_bind[blockIdx.x] %b in 8 {
      loop.block "Q" [%v: spatial 8] = (%b) reads(%B[-%v + 7 : 1]) writes(%C[%v : 1]) {
        %at = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
        %a = memref.load %B[%at] : memref<8xf32>
        memref.store %a, %C[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// Different conditions, different values, or another statement between them.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: loop.if
func.func @others(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.if (%i - 3 >= 0) {
        loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %B[%v] : memref<8xf32>
        }
      }
      loop.if (%i - 4 >= 0) {
        loop.block "Q" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %B[%v] : memref<8xf32>
        }
      }
      loop.if (%j - 4 >= 0) {
        loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %B[%v] : memref<8xf32>
        }
      }
      loop.block "S" [%v: spatial 8, %w: spatial 8] = (%i, %j)
          reads(%A[%v : 1], %B[%v : 1]) writes(%A[%v : 1]) {
        %a = memref.load %B[%v] : memref<8xf32>
        loop.if (%w - 2 >= 0) {
          memref.store %a, %A[%v] : memref<8xf32>
        }
        %b = memref.load %A[%v] : memref<8xf32>
        loop.if (%w - 2 >= 0) {
          memref.store %b, %A[%v] : memref<8xf32>
        }
      }
    }
  }
  return
}
