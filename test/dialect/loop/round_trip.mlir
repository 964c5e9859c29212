// RUN: lw-opt %s | FileCheck %s
// RUN: lw-opt %s | lw-opt | FileCheck %s
// RUN: lw-opt %s --mlir-print-op-generic | lw-opt | FileCheck %s
// RUN: lw-opt %s --emit-bytecode | lw-opt | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%{plugin} %s | FileCheck %s

// CHECK: #[[MAP:.*]] = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#tail = affine_map<(i)[n] -> (4, n - i)>

// The example of the design, with its body.
// CHECK-LABEL: @matmul
func.func @matmul(%A: memref<128x64xf32>, %B: memref<64x256xf32>, %C: memref<128x256xf32>) {
  // CHECK: loop.for serial %i in 128 {
  loop.for serial %i in 128 {
    loop.for serial %j in 256 {
      loop.for serial %k in 64 {
        // CHECK: loop.block "C" [%vi: spatial 128, %vj: spatial 256, %vk: reduce 64] = (%i, %j, %k)
        // CHECK-NEXT: reads(%arg0[%vi : 1, %vk : 1], %arg1[%vk : 1, %vj : 1]) writes(%arg2[%vi : 1, %vj : 1])
        // CHECK-NEXT: reducer(add, 0.000000e+00) {
        loop.block "C" [%vi: spatial 128, %vj: spatial 256, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          // CHECK: loop.init {
          loop.init { memref.store %zero, %C[%vi, %vj] : memref<128x256xf32> }
          %a = memref.load %A[%vi, %vk] : memref<128x64xf32>
          %b = memref.load %B[%vk, %vj] : memref<64x256xf32>
          %c = memref.load %C[%vi, %vj] : memref<128x256xf32>
          %m = arith.mulf %a, %b : f32
          %s = arith.addf %c, %m : f32
          memref.store %s, %C[%vi, %vj] : memref<128x256xf32>
} } } } return }

// CHECK-LABEL: @loops
func.func @loops(%n: index) {
  // CHECK: loop.for parallel %i in %arg0 {
  loop.for parallel %i in %n {
    // CHECK: loop.for vectorize %j in min #[[MAP]](%i)[%arg0] {
    loop.for vectorize %j in min #tail(%i)[%n] {}
    // CHECK: loop.for unroll %k in 4 axis(tile_inner from "x" pair "x.0") {
    loop.for unroll %k in 4 axis(tile_inner from "x" pair "x.0") {}
    // CHECK: loop.for serial %a_b_fused in 8 axis(merged from "a", "b") attributes {note = 1 : i64} {
    loop.for serial %a_b_fused in 8 axis(merged from "a", "b") attributes {note = 1 : i64} {}
  }
  // Siblings may have the same name.
  // CHECK: loop.for thread_bind[blockIdx.x] %i in 32 {
  loop.for thread_bind[blockIdx.x] %i in 32 {
    // CHECK: loop.for thread_bind[threadIdx.x] %i.0 in 256 {
    loop.for thread_bind[threadIdx.x] %i.0 in 256 {
      // CHECK: loop.for thread_bind[vthread] %v in 2 {
      loop.for thread_bind[vthread] %v in 2 {
        // CHECK: loop.sync
        loop.sync
      }
    }
  }
  // A name that differs from the SSA name is printed.
  // CHECK: loop.for serial %k in 2 {
  loop.for serial %0 name("k") in 2 {}
  // CHECK: loop.for serial %i1 in 2 {
  loop.for serial %1 in 2 {}
  return
}

// CHECK-LABEL: @blocks
func.func @blocks(%A: memref<?xf32>, %T: memref<8xi64>, %V: memref<?xf32>, %I: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %io in 8 {
    loop.for serial %ii in 4 {
      // CHECK: loop.block "guarded" [%vi: spatial %arg4] = (%io * 4 + %ii)
      // CHECK-NEXT: where(-(%io * 4 + %ii) + symbol(%arg4) - 1 >= 0, %io - 1 == 0, %io >= 0)
      // CHECK-NEXT: reads(%arg0[%vi + 1 : 2]) writes(%arg2[%vi : 1])
      loop.block "guarded" [%vi: spatial %n] = (%io * 4 + %ii)
          where(%io * 4 + %ii < symbol(%n), %io == 1, %io > -1)
          reads(%A[%vi + 1 : 2]) writes(%V[%vi : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 2)>(%vi)
        %a = memref.load %A[%next] : memref<?xf32>
        memref.store %a, %V[%vi] : memref<?xf32>
      }
    }
    // CHECK: loop.block "gather" [%vi: spatial min(8, %{{.*}} - 1)] = (%io)
    // CHECK-NEXT: reads(%arg1[%vi : 1], %arg0[0 : %{{.*}}]) writes(%arg2[*])
    loop.block "gather" [%vi: spatial min(8, %m - 1)] = (%io)
        reads(%T[%vi : 1], %A[0 : %m]) writes(%V[*]) attributes {note} {
      %t = memref.load %T[%vi] : memref<8xi64>
      %place = arith.index_cast %t : i64 to index
      %a = memref.load %A[%place] : memref<?xf32>
      memref.store %a, %V[%c0] : memref<?xf32>
    }
    // CHECK: reducer(argmax, 0xFF800000, 0)
    loop.block "argmax" [%v: spatial 1, %k: reduce 8] = (0, %io)
        reads(%A[%k : 1], %V[%v : 1], %I[%v : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
      %a = memref.load %A[%k] : memref<?xf32>
      %best = memref.load %V[%v] : memref<?xf32>
      %at = memref.load %I[%v] : memref<?xi64>
      %here = arith.index_cast %k : index to i64
      %more = arith.cmpf ogt, %a, %best : f32
      %max = arith.maximumf %a, %best : f32
      %new = arith.select %more, %here, %at : i64
      memref.store %max, %V[%v] : memref<?xf32>
      memref.store %new, %I[%v] : memref<?xi64>
    }
    // CHECK: reducer(ordered)
    loop.block "ordered" [%v: spatial 1, %k: reduce 8] = (0, %io)
        reads(%A[%k : 1]) writes(%V[%v : 1]) reducer(ordered) {
      loop.init {
        %one = arith.constant 1.0 : f32
        memref.store %one, %V[%v] : memref<?xf32>
      }
      %a = memref.load %A[%k] : memref<?xf32>
      %v0 = memref.load %V[%v] : memref<?xf32>
      %d = arith.subf %a, %v0 : f32
      memref.store %d, %V[%v] : memref<?xf32>
    }
  }
  // CHECK: loop.block "nothing" [] = () {
  loop.block "nothing" [] = () {}
  // CHECK: loop.if (%arg4 - 1 >= 0) {
  // CHECK: } else {
  loop.if (%n > 0) { loop.sync } else { loop.sync }
  return
}

// A block that contains loops and blocks: its regions cover those of the inner blocks.
// CHECK-LABEL: @nested
func.func @nested(%A: memref<32xf32>, %B: memref<32xf32>) {
  loop.for serial %o in 4 {
    // CHECK: loop.block "tile" [%vo: spatial 4] = (%o)
    // CHECK-NEXT: reads(%arg0[%vo * 8 : 8]) writes(%arg1[%vo * 8 : 8])
    loop.block "tile" [%vo: spatial 4] = (%o) reads(%A[%vo * 8 : 8]) writes(%B[%vo * 8 : 8]) {
      loop.for serial %i in 8 {
        // CHECK: loop.block "cell" [%vi: spatial 8] = (%i)
        // CHECK-NEXT: reads(%arg0[%vi + %vo * 8 : 1])
        loop.block "cell" [%vi: spatial 8] = (%i)
            reads(%A[%vo * 8 + %vi : 1]) writes(%B[%vo * 8 + %vi : 1]) {
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vo, %vi)
          %a = memref.load %A[%at] : memref<32xf32>
          memref.store %a, %B[%at] : memref<32xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: @buffers
func.func @buffers(%A: memref<4xf32> {loop.name = "A"}, %n: index,
                   %R: memref<?xf32> {loop.result = {shape = affine_map<()[s0] -> (s0 * 2)>, from = [array<i64: 1>]}},
                   %S: memref<3xf32> {loop.result}) {
  // CHECK: %T = loop.buffer "T" scope(global) : memref<64x128xf32>
  %T = loop.buffer "T" scope(global) : memref<64x128xf32>
  // CHECK: %P = loop.buffer "P" scope(shared) align(64) pad(0, 8) (%arg1 + 2) : memref<?x128xf32>
  %P = loop.buffer "P" scope(shared) align(64) pad(0, 8) (%n + 2) : memref<?x128xf32>
  // CHECK: %Q = loop.buffer "Q" scope(local) (%arg1, %arg1 floordiv 2) : memref<?x?xi8>
  %Q = loop.buffer "Q" scope(local) (%n, %n floordiv 2) : memref<?x?xi8>
  return
}
