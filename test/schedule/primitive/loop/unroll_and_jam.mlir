// RUN: lw-opt %s --sched-unroll-and-jam='loop=static:i factor=4' --sched-unroll-and-jam='loop=dynamic:i factor=4 tail=peel' \
// RUN:   --sched-unroll-and-jam='loop=sum:i' --sched-unroll-and-jam='loop=diagonal:i factor=2' \
// RUN:   --sched-unroll-and-jam='loop=ragged:i factor=2' --sched-unroll-and-jam='loop=columns:i factor=2' \
// RUN:   --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK:       loop.for serial %i.0 in 8
// CHECK-NEXT:    loop.for serial %j in 64 {
// CHECK-NEXT:      loop.for unroll %i.1 in 4
// CHECK-NEXT:        loop.block "static" {{.*}} = (%i.0 * 4 + %i.1, %j)
// CHECK-NEXT:            where(%i.0 * -4 - %i.1 + 29 >= 0)
func.func @static(%A: memref<64xf32>, %B: memref<30x64xf32>) {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      loop.block "static" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%w] : memref<64xf32>
        memref.store %x, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK:       loop.for serial %i.0 in affine_map<()[s0] -> (s0 floordiv 4)>()[%arg2]
// CHECK-NEXT:    loop.for serial %j in %arg3 {
// CHECK-NEXT:      loop.for unroll %i.1 in 4
// CHECK-NEXT:        loop.block "dynamic"
// CHECK-NOT:             where
// CHECK:       loop.for serial %i.tail in affine_map<()[s0] -> (s0 mod 4)>()[%arg2]
// CHECK-NEXT:    loop.for serial %j in %arg3 {
// CHECK-NEXT:      loop.block "dynamic.tail"
func.func @dynamic(%A: memref<?xf32>, %B: memref<?x?xf32>, %m: index, %n: index) {
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "dynamic" [%v: spatial %m, %w: spatial %n] = (%i, %j) reads(%A[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%w] : memref<?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// Into all perfectly nested loops. A strict sum keeps its order.
// CHECK-LABEL: func.func @sum
// CHECK:       loop.for serial %i.0 in 4
// CHECK-NEXT:    loop.for serial %j in 8 {
// CHECK-NEXT:      loop.for serial %k in 8 {
// CHECK-NEXT:        loop.for unroll %i.1 in 2
// CHECK-NEXT:          loop.block "sum"
func.func @sum(%A: memref<8x8x8xf32>, %S: memref<8xf32>) attributes {loop.fp = "strict"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.for serial %k in 8 {
        loop.block "sum" [%v: spatial 8, %vj: reduce 8, %vk: reduce 8] = (%i, %j, %k)
            reads(%A[%v : 1, %vj : 1, %vk : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %S[%v] : memref<8xf32>
          }
          %a = memref.load %A[%v, %vj, %vk] : memref<8x8x8xf32>
          %s = memref.load %S[%v] : memref<8xf32>
          %t = arith.addf %s, %a : f32
          memref.store %t, %S[%v] : memref<8xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @diagonal
// CHECK:       loop.for serial %i.0 in
// CHECK-NEXT:    loop.for serial %j in %arg1 {
// CHECK-NEXT:      loop.for unroll %i.1 in 2
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

// Not into a loop whose extent depends on it.
// CHECK-LABEL: func.func @ragged
// CHECK:       loop.for serial %i.0 in 4
// CHECK-NEXT:    loop.for serial %j in 8 {
// CHECK-NEXT:      loop.for unroll %i.1 in 2
// CHECK-NEXT:        loop.for serial %k in affine_map<(d0, d1) -> (d0 * 2 + d1 + 1)>(%i.0, %i.1) {
func.func @ragged(%A: memref<8x8x8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%i) {
        loop.block "ragged" [%u: spatial 8, %v: spatial 8, %w: spatial 8] = (%i, %j, %k) writes(%A[%u : 1, %v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%u, %v, %w] : memref<8x8x8xf32>
        }
      }
    }
  }
  return
}

// A row depends on the row two before it, which is never in the same tile.
// CHECK-LABEL: func.func @columns
// CHECK:       loop.for serial %i.0 in 4
// CHECK-NEXT:    loop.for serial %j in 4 {
// CHECK-NEXT:      loop.for unroll %i.1 in 2
func.func @columns(%A: memref<10x5xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      loop.block "columns" [%v: spatial 8, %w: spatial 4] = (%i, %j)
          reads(%A[%v : 1, %w + 1 : 1]) writes(%A[%v + 2 : 1, %w : 1]) {
        %x = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v, %y] : memref<10x5xf32>
        memref.store %a, %A[%x, %w] : memref<10x5xf32>
      }
    }
  }
  return
}
