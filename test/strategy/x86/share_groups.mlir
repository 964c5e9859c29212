// Whether threads that are awake share a small nest of a fusion group: they keep their parts of a weight in their caches, and
// what another group wrote moves to another core. It is the caller that keeps them awake.
// RUN: lw-opt %s --schedule-by-strategy='cpu=znver4' | FileCheck %s

// CHECK-LABEL: func.func private @weight(
// CHECK: loop.for parallel
func.func private @weight(%A: memref<1x64xf32>, %w: memref<64x1024xf32> {loop.transforms_are_lifted}, %B: memref<1x1024xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 1 {
    loop.for serial %j in 1024 {
      loop.for serial %k in 64 {
        loop.block "B" [%vi: spatial 1, %vj: spatial 1024, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<1x1024xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<1x64xf32>
          %b = memref.load %w[%vk, %vj] : memref<64x1024xf32>
          %c = memref.load %B[%vi, %vj] : memref<1x1024xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<1x1024xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func private @written(
// CHECK-NOT: loop.for parallel
func.func private @written(%A: memref<1x64xf32>, %w: memref<64x1024xf32>, %B: memref<1x1024xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 1 {
    loop.for serial %j in 1024 {
      loop.for serial %k in 64 {
        loop.block "B" [%vi: spatial 1, %vj: spatial 1024, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<1x1024xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<1x64xf32>
          %b = memref.load %w[%vk, %vj] : memref<64x1024xf32>
          %c = memref.load %B[%vi, %vj] : memref<1x1024xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<1x1024xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func private @large(
// CHECK: loop.for parallel
func.func private @large(%A: memref<1x4096xf32>, %w: memref<4096x1024xf32>, %B: memref<1x1024xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 1 {
    loop.for serial %j in 1024 {
      loop.for serial %k in 4096 {
        loop.block "B" [%vi: spatial 1, %vj: spatial 1024, %vk: reduce 4096] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<1x1024xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<1x4096xf32>
          %b = memref.load %w[%vk, %vj] : memref<4096x1024xf32>
          %c = memref.load %B[%vi, %vj] : memref<1x1024xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<1x1024xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @caller(
func.func @caller(%V: memref<1x4096xf32>, %M: memref<4096x1024xf32>, %D: memref<1x1024xf32> {loop.result}, %A: memref<1x64xf32>, %w: memref<64x1024xf32>, %x: memref<64x1024xf32>, %B: memref<1x1024xf32> {loop.result}, %C: memref<1x1024xf32> {loop.result}) {
  func.call @large(%V, %M, %D) : (memref<1x4096xf32>, memref<4096x1024xf32>, memref<1x1024xf32>) -> ()
  func.call @weight(%A, %w, %B) : (memref<1x64xf32>, memref<64x1024xf32>, memref<1x1024xf32>) -> ()
  func.call @written(%A, %x, %C) : (memref<1x64xf32>, memref<64x1024xf32>, memref<1x1024xf32>) -> ()
  return
}

// A program that computes nothing else lets threads sleep.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: loop.for parallel
func.func @alone(%A: memref<1x64xf32>, %w: memref<64x1024xf32>, %B: memref<1x1024xf32> {loop.result}) {
  loop.for serial %i in 1 {
    loop.for serial %j in 1024 {
      loop.for serial %k in 64 {
        loop.block "B" [%vi: spatial 1, %vj: spatial 1024, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<1x1024xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<1x64xf32>
          %b = memref.load %w[%vk, %vj] : memref<64x1024xf32>
          %c = memref.load %B[%vi, %vj] : memref<1x1024xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<1x1024xf32>
        }
      }
    }
  }
  return
}

// A program of unknown size may compute much; so all of its functions are shared by threads that are awake.
// CHECK-LABEL: func.func private @first(
// CHECK: loop.for parallel
func.func private @first(%A: memref<1x64xf32>, %w: memref<64x1024xf32> {loop.transforms_are_lifted}, %B: memref<1x1024xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 1 {
    loop.for serial %j in 1024 {
      loop.for serial %k in 64 {
        loop.block "B" [%vi: spatial 1, %vj: spatial 1024, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<1x1024xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<1x64xf32>
          %b = memref.load %w[%vk, %vj] : memref<64x1024xf32>
          %c = memref.load %B[%vi, %vj] : memref<1x1024xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<1x1024xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func private @second(
// CHECK: loop.for parallel
func.func private @second(%A: memref<1x64xf32>, %w: memref<64x1024xf32> {loop.transforms_are_lifted}, %B: memref<1x1024xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 1 {
    loop.for serial %j in 1024 {
      loop.for serial %k in 64 {
        loop.block "B" [%vi: spatial 1, %vj: spatial 1024, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<1x1024xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<1x64xf32>
          %b = memref.load %w[%vk, %vj] : memref<64x1024xf32>
          %c = memref.load %B[%vi, %vj] : memref<1x1024xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<1x1024xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @of_unknown_size(
func.func @of_unknown_size(%n: index, %X: memref<?xf32>, %Y: memref<?xf32> {loop.result}, %A: memref<1x64xf32>, %w: memref<64x1024xf32>, %B: memref<1x1024xf32> {loop.result}, %C: memref<1x1024xf32> {loop.result}) {
  func.call @first(%A, %w, %B) : (memref<1x64xf32>, memref<64x1024xf32>, memref<1x1024xf32>) -> ()
  func.call @second(%A, %w, %C) : (memref<1x64xf32>, memref<64x1024xf32>, memref<1x1024xf32>) -> ()
  loop.for serial %i in %n {
    loop.block "Y" [%v: spatial %n] = (%i) reads(%X[%v : 1]) writes(%Y[%v : 1]) {
      %x = memref.load %X[%v] : memref<?xf32>
      memref.store %x, %Y[%v] : memref<?xf32>
    }
  }
  return
}
