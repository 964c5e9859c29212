// Marks around each kernel of a scheduled module: nests, and calls of fusion groups, which are inlined later. Functions of
// groups have no marks of their own.
// RUN: lw-run %s --target x86 --no-schedule --profile --compile-from loop --compile-to schedule | FileCheck %s
// CHECK:       func.func private @lw_profile_mark(i64, i64)
// CHECK:       func.func private @group(
// CHECK-NOT:     call @lw_profile_mark
// CHECK-LABEL: func.func @main(
// CHECK:         %[[FIRST:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[BEGIN:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    call @lw_profile_mark(%[[FIRST]], %[[BEGIN]])
// CHECK-NEXT:    call @group(
// CHECK:         %[[FIRST:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[END:.*]] = arith.constant 1 : i64
// CHECK-NEXT:    call @lw_profile_mark(%[[FIRST]], %[[END]])
// CHECK:         %[[SECOND:.*]] = arith.constant 1 : i64
// CHECK:         call @lw_profile_mark(%[[SECOND]],
// CHECK-NEXT:    loop.for serial %{{.*}} in 8 {
// CHECK:         }
// CHECK:         call @lw_profile_mark(
// CHECK-NEXT:    call @plain(
// CHECK-NEXT:    return
// The nest of another function is counted on.
// CHECK-LABEL: func.func private @plain(
// CHECK:         %[[THIRD:.*]] = arith.constant 2 : i64
// CHECK:         call @lw_profile_mark(%[[THIRD]],
// CHECK-NEXT:    loop.for serial

func.func private @group(%x: memref<8xf32>, %y: memref<8xf32>) attributes {graph.group} {
  loop.for serial %i in 8 {
    loop.block "a" [%v: spatial 8] = (%i) reads(%x[%v : 1]) writes(%y[%v : 1]) {
      %0 = memref.load %x[%v] : memref<8xf32>
      memref.store %0, %y[%v] : memref<8xf32>
    }
  }
  return
}
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {loop.result}, %z: memref<8xf32> {loop.result}) {
  call @group(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    loop.block "b" [%v: spatial 8] = (%i) reads(%x[%v : 1]) writes(%z[%v : 1]) {
      %0 = memref.load %x[%v] : memref<8xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %z[%v] : memref<8xf32>
    }
  }
  call @plain(%z) : (memref<8xf32>) -> ()
  return
}
func.func private @plain(%x: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "c" [%v: spatial 8] = (%i) writes(%x[%v : 1]) {
      %0 = arith.constant 1.0 : f32
      memref.store %0, %x[%v] : memref<8xf32>
    }
  }
  return
}
