// The kernels of a module, and what flows between them: from fusion groups and nests, arguments, weights and calls.
// RUN: lw-run %s --target x86 --no-schedule --compile-from loop --compile-to schedule --dump-graph %t.dot
// RUN: FileCheck %s --input-file=%t.dot
// CHECK:      digraph kernels {
// CHECK:        label="main";
// CHECK-NEXT:   k0 [label="group\la\lfrom {{.*}}\lreads x: 8xf32, weight 8xf32\l8 float operations, 96 bytes\l"];
// CHECK-NEXT:   k1 [label="main.b\lcopied, b\lfrom kernels.mlir:[[#]], [[#]]\l8 float operations, 32 bytes\l"];
// CHECK-NEXT:   k2 [label="main.c\lc\lfrom kernels.mlir:[[#]]\lreads y: 8xf32 of plain\lwrites z: 8xf32\l8 float operations, 96 bytes\l"];
// CHECK:        label="plain";
// CHECK-NEXT:   k3 [label="plain.d\ld\lfrom kernels.mlir:[[#]]\lwrites y: 8xf32\l0 float operations, 32 bytes\l"];
// CHECK:        k0 -> k1 [label="8xf32"];
// A buffer that two kernels have written comes from both.
// CHECK-NEXT:   k0 -> k2 [label="8xf32"];
// CHECK-NEXT:   k1 -> k2 [label="8xf32"];
// CHECK-NEXT: }

memref.global "private" constant @w : memref<8xf32> = dense<2.0>
func.func private @group(%x: memref<8xf32>, %y: memref<8xf32>) attributes {graph.group} {
  %w = memref.get_global @w : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "a" [%v: spatial 8] = (%i) reads(%x[%v : 1], %w[%v : 1]) writes(%y[%v : 1]) {
      %0 = memref.load %x[%v] : memref<8xf32>
      %1 = memref.load %w[%v] : memref<8xf32>
      %2 = arith.mulf %0, %1 : f32
      memref.store %2, %y[%v] : memref<8xf32>
    }
  }
  return
}
func.func @main(%x: memref<8xf32> {loop.name = "x"}, %y: memref<8xf32> {loop.name = "y"}, %z: memref<8xf32> {loop.name = "z", loop.result}) {
  %t = loop.buffer "t" scope(global) : memref<8xf32>
  %own = loop.buffer "own" scope(global) : memref<8xf32>
  call @group(%x, %t) : (memref<8xf32>, memref<8xf32>) -> ()
  // A buffer of this nest alone counts no bytes, and one that it reads and writes counts once.
  loop.for serial %i in 8 {
    loop.block "copied" [%v: spatial 8] = (%i) reads(%t[%v : 1]) writes(%own[%v : 1]) {
      %0 = memref.load %t[%v] : memref<8xf32>
      memref.store %0, %own[%v] : memref<8xf32>
    }
    loop.block "b" [%v: spatial 8] = (%i) reads(%own[%v : 1]) writes(%t[%v : 1]) {
      %0 = memref.load %own[%v] : memref<8xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %t[%v] : memref<8xf32>
    }
  }
  call @plain(%y) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    loop.block "c" [%v: spatial 8] = (%i) reads(%t[%v : 1], %y[%v : 1]) writes(%z[%v : 1]) {
      %0 = memref.load %t[%v] : memref<8xf32>
      %1 = memref.load %y[%v] : memref<8xf32>
      %2 = arith.cmpf olt, %0, %1 : f32
      %3 = arith.select %2, %0, %1 : f32
      memref.store %3, %z[%v] : memref<8xf32>
    }
  }
  return
}
func.func private @plain(%y: memref<8xf32> {loop.name = "y"}) {
  loop.for serial %i in 8 {
    loop.block "d" [%v: spatial 8] = (%i) writes(%y[%v : 1]) {
      %0 = arith.constant 1.0 : f32
      memref.store %0, %y[%v] : memref<8xf32>
    }
  }
  return
}
