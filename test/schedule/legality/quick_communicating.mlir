// Blocks that communicate within one iteration, or one thread, need no order of iterations.
// RUN: lw-opt %s --sched-parallel=loop=T:i --sched-bind='loop=left:i thread=threadIdx.x' \
// RUN:   --sched-bind='loop=right:i thread=threadIdx.x' --sched-parallel=loop=shifted:i \
// RUN:   --sched-parallel=loop=opaque:j --sched-vectorize='loop=lanes:i factor=4' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: lw-run %s --entry x --output %t.x.npy
// RUN: lw-run %s --input %t.x.npy --output %t.y.npy
// RUN: lw-run %t.mlir --input %t.x.npy --check %t.y.npy --rtol 0 --atol 0 --seed 1
// RUN: lw-run %t.mlir --input %t.x.npy --check %t.y.npy --rtol 0 --atol 0 --seed 2
// RUN: lw-run %t.mlir --target x86 --input %t.x.npy --check %t.y.npy --rtol 0 --atol 0
// RUN: lw-run %s --entry siblings --input %t.x.npy --output %t.s.npy
// RUN: lw-run %t.mlir --entry siblings --input %t.x.npy --check %t.s.npy --rtol 0 --atol 0 --seed 1
// RUN: lw-run %t.mlir --entry siblings --input %t.x.npy --check %t.s.npy --rtol 0 --atol 0 --seed 2
// RUN: lw-run %s --entry lockstep --input %t.x.npy --output %t.l.npy
// RUN: lw-run %t.mlir --entry lockstep --input %t.x.npy --check %t.l.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --entry lockstep --target x86 --input %t.x.npy --check %t.l.npy --rtol 0 --atol 0

// CHECK-LABEL: func.func @main
// CHECK:         loop.for parallel %i in 16 {
// CHECK-NEXT:      loop.block "T"
// CHECK:           loop.block "Y"
func.func @main(%X: memref<16xf32>, %Y: memref<16xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<16xf32>
  loop.for serial %i in 16 {
    loop.block "T" [%v: spatial 16] = (%i) reads(%X[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %X[%v] : memref<16xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %T[%v] : memref<16xf32>
    }
    loop.block "Y" [%v: spatial 16] = (%i) reads(%T[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %T[%v] : memref<16xf32>
      %b = arith.mulf %a, %a : f32
      memref.store %b, %Y[%v] : memref<16xf32>
    }
  }
  return
}

// Threads that the loops share, and rows that they do not share.
// CHECK-LABEL: func.func @siblings
// CHECK:         loop.for serial %t in 2 {
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %i in 16 {
// CHECK-NEXT:        loop.block "left"
// CHECK:           loop.for thread_bind[threadIdx.x] %i in 16 {
// CHECK-NEXT:        loop.block "right"
func.func @siblings(%X: memref<16xf32>, %Y: memref<4x16xf32> {loop.result}) {
  loop.for serial %t in 2 {
    loop.for serial %i in 16 {
      loop.block "left" [%u: spatial 2, %v: spatial 16] = (%t, %i)
          reads(%X[%v : 1]) writes(%Y[%u * 2 : 1, %v : 1]) {
        %row = affine.apply affine_map<(d0) -> (d0 * 2)>(%u)
        %a = memref.load %X[%v] : memref<16xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %Y[%row, %v] : memref<4x16xf32>
      }
    }
    loop.for serial %i in 16 {
      loop.block "right" [%u: spatial 2, %v: spatial 16] = (%t, %i)
          reads(%X[-%v + 15 : 1]) writes(%Y[%u * 2 + 1 : 1, %v : 1]) {
        %row = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%u)
        %other = affine.apply affine_map<(d0) -> (15 - d0)>(%v)
        %a = memref.load %X[%other] : memref<16xf32>
        memref.store %a, %Y[%row, %v] : memref<4x16xf32>
      }
    }
  }
  return
}

// Four lanes read before any of them writes; a lane reads what a lane to its right writes, or what a lane of
// another vector writes.
// CHECK-LABEL: func.func @lockstep
// CHECK:         loop.for serial %i.0 in 2
// CHECK-NEXT:      loop.for vectorize %i.1 in 4
// CHECK-NEXT:        loop.block "lanes"
func.func @lockstep(%X: memref<16xf32>, %A: memref<16xf32> {loop.result}) {
  loop.for serial %i in 16 {
    loop.block "copy" [%v: spatial 16] = (%i) reads(%X[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %X[%v] : memref<16xf32>
      memref.store %a, %A[%v] : memref<16xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "lanes" [%v: spatial 8] = (%i)
        reads(%A[%v : 6]) writes(%A[%v + 4 : 1]) {
      %right = affine.apply affine_map<(d0) -> (d0 + 5)>(%v)
      %here = affine.apply affine_map<(d0) -> (d0 + 4)>(%v)
      %a = memref.load %A[%right] : memref<16xf32>
      %b = memref.load %A[%v] : memref<16xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %A[%here] : memref<16xf32>
    }
  }
  return
}

// The extents are unknown arguments; the written range begins where the read range ends.
// The iters of the second nest are opaque: their bindings are unknown.
// CHECK-LABEL: func.func @opaque_extents
// CHECK:         loop.for parallel %i in
// CHECK-NEXT:      loop.block "shifted"
// CHECK:         loop.for serial %i in %arg1
// CHECK-NEXT:      loop.for parallel %j in %arg2
// CHECK-NEXT:        loop.block "opaque"
func.func @opaque_extents(%A: memref<?xf32>, %n: index, %m: index) {
  loop.for serial %i in %n {
    loop.block "shifted" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%A[%v + %n : 1]) {
      %next = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%v)[%n]
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %A[%next] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "opaque" [%u: opaque %n, %v: opaque %m] = (%i, %j)
          reads(%A[%v * 2 : 1]) writes(%A[%v * 2 + 1 : 1]) {
        %even = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
        %odd = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%v)
        %a = memref.load %A[%even] : memref<?xf32>
        memref.store %a, %A[%odd] : memref<?xf32>
      }
    }
  }
  return
}

func.func @x(%X: memref<16xf32> {loop.result}) {
  loop.for serial %i in 16 {
    loop.block "x" [%v: spatial 16] = (%i) writes(%X[%v : 1]) {
      %0 = arith.index_cast %v : index to i32
      %1 = arith.sitofp %0 : i32 to f32
      memref.store %1, %X[%v] : memref<16xf32>
    }
  }
  return
}
