// RUN: lw-opt %s --outline-nests --split-input-file | FileCheck %s

// Equal nests of several functions become one function. A buffer that only the nest uses becomes its own. Names, and which
// buffers are used, make no difference.

// CHECK-LABEL: func.func private @one_copy(
// CHECK-SAME: %[[x:.*]]: memref<4xf32> {loop.name = "A"}, %[[w:.*]]: memref<4xf32> {loop.name = "w"}, %[[y:.*]]: memref<4xf32> {loop.name = "T"}) attributes {no_inline}
// CHECK: %[[own:.*]] = loop.buffer "own" scope(local) : memref<1xf32>
// CHECK: loop.for parallel
// CHECK: reads(%[[x]][{{.*}}, %[[w]][{{.*}}) writes(%[[own]][
// CHECK: reads(%[[own]][{{.*}}) writes(%[[y]][
// CHECK: return
// CHECK-LABEL: func.func @one(
// CHECK-NOT: loop.buffer "own"
// CHECK: call @one_copy(%arg0, %[[w:[^,]*]], %[[T:[^)]*]])
// CHECK: call @one_copy(%[[T]], %[[w]], %arg1)
// CHECK-NEXT: return
// CHECK-LABEL: func.func @other(
// CHECK-NOT: loop.buffer
// CHECK: call @one_copy(%arg0, %{{.*}}, %arg1)
// CHECK-NEXT: return
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" constant @u : memref<4xf32> = dense<[1.0, 2.0, 3.0, 5.0]>
func.func @one(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %own = loop.buffer "own" scope(local) : memref<1xf32>
  %own_1 = loop.buffer "own_1" scope(local) : memref<1xf32>
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "twice" [%v: spatial 4] = (%i) reads(%A[%v : 1], %w[%v : 1]) writes(%own[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %w[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %own[%c0] : memref<1xf32>
    }
    loop.block "copy" [%v: spatial 4] = (%i) reads(%own[0 : 1]) writes(%T[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %own[%c0] : memref<1xf32>
      memref.store %x, %T[%v] : memref<4xf32>
    }
  }
  loop.for parallel %j in 4 {
    loop.block "again" [%v: spatial 4] = (%j) reads(%T[%v : 1], %w[%v : 1]) writes(%own_1[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %T[%v] : memref<4xf32>
      %y = memref.load %w[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %own_1[%c0] : memref<1xf32>
    }
    loop.block "copy_1" [%v: spatial 4] = (%j) reads(%own_1[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %own_1[%c0] : memref<1xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  return
}
func.func @other(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B", loop.result}) {
  %u = memref.get_global @u : memref<4xf32>
  %own = loop.buffer "own" scope(local) : memref<1xf32>
  loop.for parallel %i in 4 {
    loop.block "twice" [%v: spatial 4] = (%i) reads(%A[%v : 1], %u[%v : 1]) writes(%own[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %u[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %own[%c0] : memref<1xf32>
    }
    loop.block "copy" [%v: spatial 4] = (%i) reads(%own[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %own[%c0] : memref<1xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// Different: "b" has another constant, "c" another kind of loop, "d" reads what it writes, "e" has another contract.

// CHECK-NOT: call @
func.func @different(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4x4xf32> {loop.name = "B"}, %C: memref<4xf32> {loop.name = "C"}) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "a" [%v: spatial 4] = (%i) reads(%A[%v : 1], %C[%v : 1]) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %c : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "b" [%v: spatial 4] = (%i) reads(%T[%v : 1], %C[%v : 1]) writes(%A[%v : 1]) {
      %c = arith.constant 2.0 : f32
      %x = memref.load %T[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %c : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %A[%v] : memref<4xf32>
    }
  }
  loop.for parallel %i in 4 {
    loop.block "c" [%v: spatial 4] = (%i) reads(%A[%v : 1], %C[%v : 1]) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %c : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "d" [%v: spatial 4] = (%i) reads(%A[%v : 1], %T[%v : 1]) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %T[%v] : memref<4xf32>
      %z = arith.mulf %x, %c : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %T[%v] : memref<4xf32>
    }
  }
  return
}
func.func @contract(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B"}, %C: memref<4xf32> {loop.name = "C"}) attributes {loop.fp = "fast"} {
  loop.for serial %i in 4 {
    loop.block "e" [%v: spatial 4] = (%i) reads(%A[%v : 1], %C[%v : 1]) writes(%B[%v : 1]) {
      %c = arith.constant 1.0 : f32
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %c : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// (C2) a dynamic size. (C3) a call. (C4) short nests.

// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-2: func.call @square(
// CHECK-NOT: call @
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @stays(%A: memref<?xf32> {loop.name = "A"}, %B: memref<?xf32> {loop.name = "B"}, %C: memref<4xf32> {loop.name = "C"}, %D: memref<4xf32> {loop.name = "D"}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "dynamic" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      %u = arith.addf %t, %x : f32
      memref.store %u, %B[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "dynamic_1" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      %u = arith.addf %t, %x : f32
      memref.store %u, %B[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "calls" [%v: spatial 4] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %C[%v] : memref<4xf32>
      %y = func.call @square(%x) : (f32) -> f32
      %z = arith.addf %y, %x : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      %u = arith.addf %t, %x : f32
      memref.store %u, %D[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "calls_1" [%v: spatial 4] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %C[%v] : memref<4xf32>
      %y = func.call @square(%x) : (f32) -> f32
      %z = arith.addf %y, %x : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      %u = arith.addf %t, %x : f32
      memref.store %u, %D[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "short" [%v: spatial 4] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %C[%v] : memref<4xf32>
      memref.store %x, %D[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "short_1" [%v: spatial 4] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %C[%v] : memref<4xf32>
      memref.store %x, %D[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// (C2) "padded" has padding between rows, and "thread" is in another scope, so they are no arguments.

// CHECK-NOT: call @
func.func @buffers(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B"}, %C: memref<4xf32> {loop.name = "C"}, %D: memref<4xf32> {loop.name = "D"}) {
  %padded = loop.buffer "padded" scope(global) pad(0, 1) : memref<2x4xf32>
  %thread = loop.buffer "thread" scope(local) : memref<2x4xf32>
  loop.for serial %i in 4 {
    loop.block "one" [%v: spatial 4] = (%i) reads(%padded[0 : 1, %v : 1]) writes(%A[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %padded[%c0, %v] : memref<2x4xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      memref.store %z, %A[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "two" [%v: spatial 4] = (%i) reads(%padded[0 : 1, %v : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %padded[%c0, %v] : memref<2x4xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      memref.store %z, %B[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "three" [%v: spatial 4] = (%i) reads(%thread[0 : 1, %v : 1]) writes(%C[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %thread[%c0, %v] : memref<2x4xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      memref.store %z, %C[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "four" [%v: spatial 4] = (%i) reads(%thread[0 : 1, %v : 1]) writes(%D[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %thread[%c0, %v] : memref<2x4xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.addf %y, %x : f32
      memref.store %z, %D[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// A global and a buffer of the nest have the same name: the argument for the global gets another one.

// CHECK-LABEL: func.func private @first_store(
// CHECK-SAME: {loop.name = "A"}, %{{.*}}: memref<4xf32> {loop.name = "w_1"}, %{{.*}} {loop.name = "B"})
// CHECK: loop.buffer "w" scope(local)
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @first(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B", loop.result}) {
  %global = memref.get_global @w : memref<4xf32>
  %w = loop.buffer "w" scope(local) : memref<1xf32>
  loop.for parallel %i in 4 {
    loop.block "copy" [%v: spatial 4] = (%i) reads(%A[%v : 1], %global[%v : 1]) writes(%w[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %global[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %w[%c0] : memref<1xf32>
    }
    loop.block "store" [%v: spatial 4] = (%i) reads(%w[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %w[%c0] : memref<1xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  return
}
func.func @second(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B", loop.result}) {
  %global = memref.get_global @w : memref<4xf32>
  %w = loop.buffer "w" scope(local) : memref<1xf32>
  loop.for parallel %i in 4 {
    loop.block "copy" [%v: spatial 4] = (%i) reads(%A[%v : 1], %global[%v : 1]) writes(%w[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %global[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      memref.store %z, %w[%c0] : memref<1xf32>
    }
    loop.block "store" [%v: spatial 4] = (%i) reads(%w[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %w[%c0] : memref<1xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// Equal kernels become one, with their threads and barriers. An argument that a nest writes to is a result.

// CHECK-LABEL: func.func private @kernels_double(
// CHECK-SAME: %[[x:.*]]: memref<8xf32> {loop.name = "A"}, %[[y:.*]]: memref<8xf32> {loop.name = "T"}) attributes {no_inline}
// CHECK: loop.buffer "S" scope(shared)
// CHECK: thread_bind[threadIdx.x]
// CHECK: loop.sync
// CHECK-LABEL: func.func @kernels(
// CHECK-SAME: %arg1: memref<8xf32> {loop.name = "B", loop.result}
// CHECK: call @kernels_double(%arg0, %[[T:.*]]) {no_inline}
// CHECK-NEXT: call @kernels_double(%[[T]], %arg1) {no_inline}
// CHECK-NEXT: return
func.func @kernels(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  %S_1 = loop.buffer "S_1" scope(shared) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "copy" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%S[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %S[%v] : memref<8xf32>
    }
    loop.sync
    loop.block "double" [%v: spatial 8] = (%i) reads(%S[7 - %v : 1]) writes(%T[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %x = memref.load %S[%at] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %T[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "copy_1" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%S_1[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %S_1[%v] : memref<8xf32>
    }
    loop.sync
    loop.block "double_1" [%v: spatial 8] = (%i) reads(%S_1[7 - %v : 1]) writes(%B[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %x = memref.load %S_1[%at] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %B[%v] : memref<8xf32>
    }
  }
  return
}
