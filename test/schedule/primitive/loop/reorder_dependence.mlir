// RUN: lw-opt %s --sched-reorder=loops=diagonal:j,diagonal:i --sched-reorder=loops=odd:j,odd:i \
// RUN:   --sched-reorder=loops=P:j,P:i --sched-reorder=loops=below:j,below:i \
// RUN:   --sched-reorder=loops=inner:j,inner:i | FileCheck %s
// RUN: not lw-opt %s --sched-reorder=loops=wave:j,wave:i 2>&1 | FileCheck %s --check-prefix=WAVE
// RUN: not lw-opt %s --sched-reorder=loops=transposed:j,transposed:i 2>&1 | FileCheck %s --check-prefix=TRANSPOSED
// RUN: not lw-opt %s --sched-reorder=loops=sized:j,sized:i 2>&1 | FileCheck %s --check-prefix=SIZED
// RUN: not lw-opt %s --sched-reorder='loops=wave:j,wave:i proof=trust' 2>&1 | FileCheck %s --check-prefix=WORD

// Dependences that no order of these loops reverses: A[i, j] = A[i - 1, j - 1].
// CHECK-LABEL: func.func @diagonal
// CHECK:       loop.for serial %j in %arg1
// CHECK-NEXT:    loop.for serial %i in %arg1
func.func @diagonal(%A: memref<?x?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "diagonal" [%v: spatial %n, %w: spatial %n] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%A[%v + 1 : 1, %w + 1 : 1]) {
        %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %A[%x, %y] : memref<?x?xf32>
      }
    }
  }
  return
}

// Even elements are written, odd ones read.
// CHECK-LABEL: func.func @odd
// CHECK:       loop.for serial %j in 3
// CHECK-NEXT:    loop.for serial %i in %arg1
func.func @odd(%A: memref<?x3xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %j in 3 {
      loop.block "odd" [%v: spatial %n, %w: spatial 3] = (%i, %j)
          reads(%A[%v * 2 + 1 : 1, -%w + 2 : 1]) writes(%A[%v * 2 : 1, %w : 1]) {
        %even = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
        %next = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%v)
        %other = affine.apply affine_map<(d0) -> (2 - d0)>(%w)
        %a = memref.load %A[%next, %other] : memref<?x3xf32>
        memref.store %a, %A[%even, %w] : memref<?x3xf32>
      }
    }
  }
  return
}

// Two blocks that communicate within an iteration.
// CHECK-LABEL: func.func @within
// CHECK:       loop.for serial %j in %arg2
// CHECK-NEXT:    loop.for serial %i in %arg2
func.func @within(%T: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "P" [%v: spatial %n, %w: spatial %n] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v, %w] : memref<?x?xf32>
      }
      loop.block "Q" [%v: spatial %n, %w: spatial %n] = (%i, %j)
          reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<?x?xf32>
        memref.store %t, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// An in-place stencil along one loop: A[i, j] = A[i + 1, j].
// CHECK-LABEL: func.func @below
// CHECK:       loop.for serial %j in 4
// CHECK-NEXT:    loop.for serial %i in 4
func.func @below(%A: memref<5x4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      loop.block "below" [%v: spatial 4, %w: spatial 4] = (%i, %j)
          reads(%A[%v + 1 : 1, %w : 1]) writes(%A[%v : 1, %w : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%next, %w] : memref<5x4xf32>
        memref.store %a, %A[%v, %w] : memref<5x4xf32>
      }
    }
  }
  return
}

// The accesses of a nest are those of its inner blocks, with the iters of the nest.
// CHECK-LABEL: func.func @nest
// CHECK:       loop.for serial %j in 2
// CHECK-NEXT:    loop.for serial %i in 2
// CHECK-NEXT:      loop.block "tile"
func.func @nest(%A: memref<4x4xf32>) {
  loop.for serial %i in 2 {
    loop.for serial %j in 2 {
      loop.block "tile" [%vi: spatial 2, %vj: spatial 2] = (%i, %j)
          writes(%A[%vi * 2 : 2, %vj * 2 : 2]) {
        loop.for serial %a in 2 {
          loop.for serial %b in 2 {
            loop.block "inner" [%v: spatial 4, %w: spatial 4] = (%vi * 2 + %a, %vj * 2 + %b)
                writes(%A[%v : 1, %w : 1]) {
              %c = arith.constant 1.0 : f32
              memref.store %c, %A[%v, %w] : memref<4x4xf32>
            }
          }
        }
      }
    }
  }
  return
}

// A[i, j + 1] = A[i + 1, j]: the other order overwrites elements before they are read.
// WAVE: error: 'loop.block' op reorder: cannot prove that the instances of schedule block "wave" write different cells of "arg0": iterations i = 0, j = 1 of "wave" (reads) and iterations i = 1, j = 0 of "wave" (writes) both access "arg0"[1, 1] (C5)
// WORD: error: 'func.func' op reorder: found proof "trust", expected "assume" or "guard" (C1)
func.func @wave(%A: memref<5x5xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      loop.block "wave" [%v: spatial 4, %w: spatial 4] = (%i, %j)
          reads(%A[%v + 1 : 1, %w : 1]) writes(%A[%v : 1, %w + 1 : 1]) {
        %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%x, %w] : memref<5x5xf32>
        memref.store %a, %A[%v, %y] : memref<5x5xf32>
      }
    }
  }
  return
}

// TRANSPOSED: error: 'loop.block' op reorder: schedule block "transposed" reads "arg0", which it writes: iterations i = [[I:[0-9]+]], j = [[J:[0-9]+]] of "transposed" (reads) and iterations i = [[J]], j = [[I]] of "transposed" (writes) both access "arg0"{{.}}[[J]], [[I]]]; with arg1 = {{[0-9]+}} (C5)
func.func @transposed(%A: memref<?x?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "transposed" [%v: spatial %n, %w: spatial %n] = (%i, %j)
          reads(%A[%w : 1, %v : 1]) writes(%A[%v : 1, %w : 1]) {
        %a = memref.load %A[%w, %v] : memref<?x?xf32>
        memref.store %a, %A[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// A product with a size as the row stride, which may be smaller than a row.
// SIZED: error: 'loop.block' op reorder: cannot prove that the instances of schedule block "sized" write different cells of "arg0": {{.*}} both access "arg0"[{{[0-9]+}}]; with arg1 = {{.*}}, arg2 = {{.*}} (C5)
func.func @sized(%A: memref<?xf32>, %s: index, %m: index) {
  loop.for serial %i in %s {
    loop.for serial %j in %m {
      loop.block "sized" [%v: spatial %s, %w: spatial %m] = (%i, %j) writes(%A[*]) {
        %x = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>(%v, %w)[%s]
        %w32 = arith.index_cast %w : index to i32
        %f = arith.sitofp %w32 : i32 to f32
        memref.store %f, %A[%x] : memref<?xf32>
      }
    }
  }
  return
}
