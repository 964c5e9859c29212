// RUN: lw-opt %s --sched-tile='loops=matmul:i,matmul:j factors=8,16' \
// RUN:   --sched-tile='loops=dynamic:i,dynamic:j factors=8,16' --sched-tile='loops=three:k,three:i,three:j factors=4,8,8' \
// RUN:   --sched-tile='loops=peeled:i,peeled:j factors=4,4 tail=peel' \
// RUN:   --sched-tile='loops=turned:j,turned:i factors=4,2' --sched-tile='loops=strict:i,strict:k factors=4,4' \
// RUN:   --sched-tile='loops=stencil:i,stencil:j factors=2,4' --sched-tile='loops=rows:i,rows:j factors=1,4' \
// RUN:   --sched-tile='loops=shifted:i,shifted:j factors=4,4 tail=shift_inwards' \
// RUN:   --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --sched-tile='loops=six:a,six:b,six:c,six:d,six:e,six:f factors=2,2,2,2,2,2' | FileCheck %s --check-prefix=SIX

// In a reduction, the order of the values that are added to a sum is unchanged.
// CHECK-LABEL: func.func @matmul
// CHECK:       loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:    loop.for serial %j.0 in 4 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:      loop.for serial %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:        loop.for serial %j.1 in 16 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:          loop.for serial %k in 16 {
// CHECK-NEXT:            loop.block "matmul" [%vi: spatial 32, %vj: spatial 64, %vk: reduce 16] = (%i.0 * 8 + %i.1, %j.0 * 16 + %j.1, %k)
// CHECK-NOT:               where
func.func @matmul(%A: memref<32x16xf32>, %B: memref<16x64xf32>, %C: memref<32x64xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.for serial %k in 16 {
        loop.block "matmul" [%vi: spatial 32, %vj: spatial 64, %vk: reduce 16] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<32x64xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<32x16xf32>
          %b = memref.load %B[%vk, %vj] : memref<16x64xf32>
          %c = memref.load %C[%vi, %vj] : memref<32x64xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<32x64xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK:       loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 8)>()[%arg2]
// CHECK-NEXT:    loop.for serial %j.0 in affine_map<()[s0] -> (s0 ceildiv 16)>()[%arg3]
// CHECK-NEXT:      loop.for serial %i.1 in 8
// CHECK-NEXT:        loop.for serial %j.1 in 16
// CHECK-NEXT:          loop.block "dynamic" [%v: spatial %arg2, %w: spatial %arg3] = (%i.0 * 8 + %i.1, %j.0 * 16 + %j.1)
// CHECK-NEXT:              where(%i.0 * -8 - %i.1 + symbol(%arg2) - 1 >= 0, %j.0 * -16 - %j.1 + symbol(%arg3) - 1 >= 0)
func.func @dynamic(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %m: index, %n: index) {
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "dynamic" [%v: spatial %m, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// The loops are given in another order than that of the nest.
// CHECK-LABEL: func.func @three
// CHECK:       loop.for serial %k.0 in 4
// CHECK-NEXT:    loop.for serial %i.0 in 4
// CHECK-NEXT:      loop.for serial %j.0 in 8
// CHECK-NEXT:        loop.for serial %k.1 in 4
// CHECK-NEXT:          loop.for serial %i.1 in 8
// CHECK-NEXT:            loop.for serial %j.1 in 8
func.func @three(%A: memref<32x16xi32>, %B: memref<16x64xi32>, %C: memref<32x64xi32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.for serial %k in 16 {
        loop.block "three" [%vi: spatial 32, %vj: spatial 64, %vk: reduce 16] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0) {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %C[%vi, %vj] : memref<32x64xi32>
          }
          %a = memref.load %A[%vi, %vk] : memref<32x16xi32>
          %b = memref.load %B[%vk, %vj] : memref<16x64xi32>
          %c = memref.load %C[%vi, %vj] : memref<32x64xi32>
          %p = arith.muli %a, %b : i32
          %s = arith.addi %c, %p : i32
          memref.store %s, %C[%vi, %vj] : memref<32x64xi32>
        }
      }
    }
  }
  return
}

// The tail of a loop is beside its tiles, inside the tiles of the previous loop.
// CHECK-LABEL: func.func @peeled
// CHECK:       loop.for serial %i.0 in 2
// CHECK-NEXT:    loop.for serial %j.0 in 3
// CHECK-NEXT:      loop.for serial %i.1 in 4
// CHECK-NEXT:        loop.for serial %j.1 in 4
// CHECK-NEXT:          loop.block "peeled" {{.*}} = (%i.0 * 4 + %i.1, %j.0 * 4 + %j.1)
// CHECK:         loop.for serial %j.tail in 1
// CHECK-NEXT:      loop.for serial %i.1 in 4
// CHECK-NEXT:        loop.block "peeled.tail_1" {{.*}} = (%i.0 * 4 + %i.1, %j.tail + 12)
// CHECK:       loop.for serial %i.tail in 2
// CHECK-NEXT:    loop.for serial %j in 13
// CHECK-NEXT:      loop.block "peeled.tail" {{.*}} = (%i.tail + 8, %j)
func.func @peeled(%A: memref<10x13xf32>, %B: memref<10x13xf32>) {
  loop.for serial %i in 10 {
    loop.for serial %j in 13 {
      loop.block "peeled" [%v: spatial 10, %w: spatial 13] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<10x13xf32>
        memref.store %x, %B[%v, %w] : memref<10x13xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @turned
// CHECK:       loop.for serial %j.0 in 4
// CHECK-NEXT:    loop.for serial %i.0 in 4
// CHECK-NEXT:      loop.for serial %j.1 in 4
// CHECK-NEXT:        loop.for serial %i.1 in 2
func.func @turned(%A: memref<8x16xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 16 {
      loop.block "turned" [%v: spatial 8, %w: spatial 16] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x16xf32>
      }
    }
  }
  return
}

// A strict sum in one loop keeps its order in tiles.
// CHECK-LABEL: func.func @strict
// CHECK:       loop.for serial %i.0 in 8
// CHECK-NEXT:    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%arg2]
// CHECK-NEXT:      loop.for serial %i.1 in 4
// CHECK-NEXT:        loop.for serial %k.1 in 4
func.func @strict(%A: memref<32x?xf32>, %B: memref<32xf32>, %n: index) attributes {loop.fp = "strict"} {
  loop.for serial %i in 32 {
    loop.for serial %k in %n {
      loop.block "strict" [%v: spatial 32, %w: reduce %n] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<32xf32>
        }
        %x = memref.load %A[%v, %w] : memref<32x?xf32>
        %y = memref.load %B[%v] : memref<32xf32>
        %s = arith.addf %y, %x : f32
        memref.store %s, %B[%v] : memref<32xf32>
      }
    }
  }
  return
}

// The producer of an iteration is earlier in both loops.
// CHECK-LABEL: func.func @stencil
// CHECK:       loop.for serial %i.0 in
// CHECK-NEXT:    loop.for serial %j.0 in
// CHECK-NEXT:      loop.for serial %i.1 in 2
// CHECK-NEXT:        loop.for serial %j.1 in 4
func.func @stencil(%A: memref<?x?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "stencil" [%v: spatial %n, %w: spatial %n] = (%i, %j)
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

// Consecutive rows: tiles of one row keep their order, although the loops cannot be interchanged.
// CHECK-LABEL: func.func @rows
// CHECK:       loop.for serial %i.0 in 8
// CHECK-NEXT:    loop.for serial %j.0 in 1
// CHECK-NEXT:      loop.for serial %i.1 in 1
// CHECK-NEXT:        loop.for serial %j.1 in 4
func.func @rows(%A: memref<9x5xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      loop.block "rows" [%v: spatial 8, %w: spatial 4] = (%i, %j)
          reads(%A[%v : 1, %w + 1 : 1]) writes(%A[%v + 1 : 1, %w : 1]) {
        %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v, %y] : memref<9x5xf32>
        memref.store %a, %A[%x, %w] : memref<9x5xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @shifted
// CHECK:       loop.for serial %i.0 in 3
// CHECK-NEXT:    loop.for serial %j.0 in 4
// CHECK-NEXT:      loop.for serial %i.1 in 4
// CHECK-NEXT:        loop.for serial %j.1 in 4
// CHECK-NEXT:          loop.block "shifted"
// CHECK-NOT:               where
func.func @shifted(%A: memref<10x13xf32>, %B: memref<10x13xf32>) {
  loop.for serial %i in 10 {
    loop.for serial %j in 13 {
      loop.block "shifted" [%v: spatial 10, %w: spatial 13] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<10x13xf32>
        memref.store %x, %B[%v, %w] : memref<10x13xf32>
      }
    }
  }
  return
}

// Six loops, checked by execution: the interchange is checked on the original loops.
// SIX-LABEL: func.func @six
// SIX:       loop.for serial %a.0
// SIX-NEXT:    loop.for serial %b.0
// SIX-NEXT:      loop.for serial %c.0
// SIX-NEXT:        loop.for serial %d.0
// SIX-NEXT:          loop.for serial %e.0
// SIX-NEXT:            loop.for serial %f.0
// SIX-NEXT:              loop.for serial %a.1
func.func @six(%A: memref<?x?x?x?x?x?xf32>, %n: index) {
  loop.for serial %a in %n { loop.for serial %b in %n { loop.for serial %c in %n {
  loop.for serial %d in %n { loop.for serial %e in %n { loop.for serial %f in %n {
    loop.block "six" [%0: spatial %n, %1: spatial %n, %2: spatial %n, %3: spatial %n, %4: spatial %n, %5: spatial %n]
        = (%a, %b, %c, %d, %e, %f)
        reads(%A[%0 : 1, %1 : 1, %2 : 1, %3 : 1, %4 : 1, %5 : 1])
        writes(%A[%0 + 1 : 1, %1 : 1, %2 : 1, %3 : 1, %4 : 1, %5 + 1 : 1]) {
      %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%0)
      %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%5)
      %v = memref.load %A[%0, %1, %2, %3, %4, %5] : memref<?x?x?x?x?x?xf32>
      memref.store %v, %A[%x, %1, %2, %3, %4, %y] : memref<?x?x?x?x?x?xf32>
    }
  } } }
  } } }
  return
}
