// RUN: lw-opt %s --skip-carried-barriers | FileCheck %s --implicit-check-not=loop.if

// (C1) no threads, no kernel.
// CHECK-LABEL: func.func @no_threads
func.func @no_threads(%A: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<8xf32>
    }
    loop.sync
  }
  return
}

// (C1) the barrier between the two orders both the accesses of one iteration and those of consecutive iterations.
// CHECK-LABEL: func.func @between
func.func @between(%A: memref<3x64xf32>, %B: memref<3x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<2x64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %k in 3 {
      loop.block "S" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%u mod 2 : 1, %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (d0 mod 2)>(%u)
        %a = memref.load %A[%u, %v] : memref<3x64xf32>
        memref.store %a, %S[%i, %v] : memref<2x64xf32>
      }
      loop.sync
      loop.block "B" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%S[%u mod 2 : 1, 63 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (d0 mod 2)>(%u)
        %j = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
        %a = memref.load %S[%i, %j] : memref<2x64xf32>
        memref.store %a, %B[%u, %v] : memref<3x64xf32>
      }
    }
  }
  return
}

// (C2) a loop whose iterations do not run in order.
// CHECK-LABEL: func.func @virtual
func.func @virtual(%A: memref<2x64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for thread_bind[vthread] %k in 2 {
      loop.block "A" [%u: spatial 2, %v: spatial 64] = (%k, %t) writes(%A[%u : 1, %v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u, %v] : memref<2x64xf32>
      }
      loop.sync
    }
  }
  return
}

// (C3) the values of the last iteration are read after the loop.
// CHECK-LABEL: func.func @behind
func.func @behind(%A: memref<3x64xf32>, %B: memref<64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %k in 3 {
      loop.block "S" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<3x64xf32>
        memref.store %a, %S[%v] : memref<64xf32>
      }
      loop.sync
    }
    loop.block "B" [%v: spatial 64] = (%t) reads(%S[63 - %v : 1]) writes(%B[%v : 1]) {
      %i = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
      %a = memref.load %S[%i] : memref<64xf32>
      memref.store %a, %B[%v] : memref<64xf32>
    }
  }
  return
}

// (C3) the last iteration of the inner loop is followed by the first of the next outer iteration.
// CHECK-LABEL: func.func @outer
func.func @outer(%A: memref<6x64xf32>, %B: memref<6x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %m in 2 {
      loop.for serial %k in 3 {
        loop.block "S" [%u: spatial 6, %v: spatial 64] = (%m * 3 + %k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
          %a = memref.load %A[%u, %v] : memref<6x64xf32>
          memref.store %a, %S[%v] : memref<64xf32>
        }
        loop.sync
        loop.block "B" [%u: spatial 6, %v: spatial 64] = (%m * 3 + %k, %t) reads(%S[63 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
          %i = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
          %a = memref.load %S[%i] : memref<64xf32>
          memref.store %a, %B[%u, %v] : memref<6x64xf32>
        }
        loop.sync
      }
    }
  }
  return
}

// (C4) lanes of warps reduce in the loop.
// CHECK-LABEL: func.func @lanes
func.func @lanes(%A: memref<3x64xf32>, %B: memref<3x64xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %S = loop.buffer "S" scope(shared) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %k in 3 {
      loop.for thread_bind[threadIdx.x] %t in 64 {
        loop.block "S" [%v: spatial 1, %u: spatial 3, %r: reduce 64] = (0, %k, %t) reads(%A[%u : 1, %r : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %S[%v] : memref<1xf32>
          }
          %s = memref.load %S[%v] : memref<1xf32>
          %a = memref.load %A[%u, %r] : memref<3x64xf32>
          %n = arith.addf %s, %a : f32
          memref.store %n, %S[%v] : memref<1xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 64 {
        loop.block "B" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%S[0 : 1]) writes(%B[%u : 1, %v : 1]) {
          %c0 = arith.constant 0 : index
          %a = memref.load %S[%c0] : memref<1xf32>
          memref.store %a, %B[%u, %v] : memref<3x64xf32>
        }
      }
      loop.sync
    }
  }
  return
}

// (C5) if there is an iteration, the barrier may also order accesses before the loop with accesses after it.
// CHECK-LABEL: func.func @maybe_between
func.func @maybe_between(%n: index, %A: memref<64xf32>, %B: memref<64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "S" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      memref.store %a, %S[%v] : memref<64xf32>
    }
    loop.for serial %k in %n {
      loop.sync
    }
    loop.block "B" [%v: spatial 64] = (%t) reads(%S[63 - %v : 1]) writes(%B[%v : 1]) {
      %j = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
      %a = memref.load %S[%j] : memref<64xf32>
      memref.store %a, %B[%v] : memref<64xf32>
    }
  }
  return
}
