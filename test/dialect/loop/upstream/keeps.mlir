// IR that upstream's passes must not break. Each result verifies: regions, init, captures, names.
// RUN: lw-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: lw-opt %s --cse | FileCheck %s --check-prefixes=CHECK,USED
// RUN: lw-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,USED
// RUN: lw-opt %s --sccp | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: lw-opt %s --remove-dead-values | FileCheck %s
// RUN: lw-opt %s --int-range-optimizations | FileCheck %s --check-prefixes=CHECK,USED
// RUN: lw-opt %s --mem2reg | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: lw-opt %s --sroa | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: lw-opt %s --buffer-hoisting | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: lw-opt %s --buffer-loop-hoisting | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: lw-opt %s --canonicalize --cse --sccp --remove-dead-values --int-range-optimizations | lw-opt | FileCheck %s

// A buffer with uses keeps its name, scope and position; the init stays; a constant of the function that is equal
// to one of a block may replace it.
// CHECK-LABEL: func.func @sum
// CHECK: %T = loop.buffer "T" scope(shared) : memref<8xf32>
// ALL: %U = loop.buffer "U" scope(local) : memref<8xf32>
// USED-NOT: loop.buffer "U"
// CHECK: loop.block "sum" [%vi: spatial 8, %vk: reduce 4] = (%i, %k)
// CHECK-NEXT: reads(%arg0[%vi : 1, %vk : 1]) writes(%T[%vi : 1])
// CHECK-NEXT: reducer(add, 0.000000e+00)
// CHECK: loop.init
// CHECK-NEXT: memref.store %{{.*}}, %T[%vi]
// CHECK: loop.block "first" [%vi: spatial 8] = (%i)
// CHECK: memref.store
// CHECK: loop.block "second" [%vi: spatial 8] = (%i)
// CHECK: memref.store
func.func @sum(%A: memref<8x4xf32>, %C: memref<8xf32>, %D: memref<8xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  %U = loop.buffer "U" scope(local) : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  loop.for serial %i in 8 {
    loop.for serial %k in 4 {
      loop.block "sum" [%vi: spatial 8, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1]) writes(%T[%vi : 1]) reducer(add, 0.0) {
        %z = arith.constant 0.0 : f32
        loop.init { memref.store %z, %T[%vi] : memref<8xf32> }
        %a = memref.load %A[%vi, %vk] : memref<8x4xf32>
        %t = memref.load %T[%vi] : memref<8xf32>
        %s = arith.addf %t, %a : f32
        memref.store %s, %T[%vi] : memref<8xf32>
      }
    }
  }
  // Two nests that are equal except for the buffer they write, with ops that fold and ops that are unused.
  loop.for serial %i in 8 {
    loop.block "first" [%vi: spatial 8] = (%i) reads(%T[%vi : 1]) writes(%C[%vi : 1]) {
      %two = arith.constant 2.0 : f32
      %also = arith.addf %two, %zero : f32
      %at = affine.apply affine_map<(d0) -> (d0)>(%vi)
      %unused = affine.apply affine_map<(d0) -> (d0 * 2)>(%vi)
      %x = memref.load %T[%at] : memref<8xf32>
      %y = arith.mulf %x, %also : f32
      %dead = loop.if (%vi >= 1) -> (f32) {
        %w = memref.load %T[%vi] : memref<8xf32>
        loop.yield %w : f32
      } else {
        loop.yield %two : f32
      }
      memref.store %y, %C[%at] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "second" [%vi: spatial 8] = (%i) reads(%T[%vi : 1]) writes(%D[%vi : 1]) {
      %two = arith.constant 2.0 : f32
      %x = memref.load %T[%vi] : memref<8xf32>
      %y = arith.mulf %x, %two : f32
      memref.store %y, %D[%vi] : memref<8xf32>
    }
  }
  return
}

// (A loop of one iteration is bound as 0 if ranges are known.) Unused iters and loops stay bound, also of known value.
// CHECK-LABEL: func.func @unused_iters
// CHECK: loop.for serial %i in 1 {
// CHECK: loop.for parallel %j in 4 {
// CHECK: loop.block "b" [%vi: spatial 1, %vj: spatial 4, %vk: opaque 1] = ({{.*}}%j, 0)
// CHECK: memref.store %{{.*}}, %arg0[%vj]
func.func @unused_iters(%A: memref<4xf32>) {
  loop.for serial %i in 1 {
    loop.for parallel %j in 4 {
      loop.block "b" [%vi: spatial 1, %vj: spatial 4, %vk: opaque 1] = (%i, %j, 0) writes(%A[%vj : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%vj] : memref<4xf32>
      }
    }
  }
  return
}

// An upstream buffer, written in loops and read after them.
// CHECK-LABEL: func.func @alloca
// CHECK: %[[A:.*]] = memref.alloca() : memref<f32>
// CHECK: loop.for serial %i in 4
// CHECK: memref.load %[[A]][]
// CHECK: memref.store %{{.*}}, %[[A]][]
// CHECK: loop.block "read"
// CHECK: memref.load %[[A]][]
func.func @alloca(%C: memref<1xf32>) {
  %a = memref.alloca() : memref<f32>
  loop.block "start" [] = () writes(%a[]) {
    %x = arith.constant 1.0 : f32
    memref.store %x, %a[] : memref<f32>
  }
  loop.for serial %i in 4 {
    loop.block "double" [%vi: opaque 4] = (%i) reads(%a[]) writes(%a[]) {
      %x = memref.load %a[] : memref<f32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[] : memref<f32>
    }
  }
  loop.block "read" [%v: spatial 1] = (0) reads(%a[]) writes(%C[%v : 1]) {
    %x = memref.load %a[] : memref<f32>
    memref.store %x, %C[%v] : memref<1xf32>
  }
  return
}
