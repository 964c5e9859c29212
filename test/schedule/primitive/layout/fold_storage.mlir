// RUN: lw-opt %s --sched-fold-storage='buffer=T size=3' --sched-fold-storage='buffer=D axis=-2 size=1' \
// RUN:   --sched-fold-storage='buffer=U axis=0' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s

// A window of three rows: each iteration computes one, and reads it and the two previous ones.
// CHECK-LABEL: func.func @window
// CHECK:         %T = loop.buffer "T" scope(global) : memref<3x16xf32>
// CHECK:         loop.block "first"
// CHECK-NEXT:        writes(%T[%v : 1, %w : 1])
// CHECK:         loop.block "next"
// CHECK-NEXT:        writes(%T[(%v + 2) mod 3 : 1, %w : 1])
// CHECK:         loop.block "use"
// CHECK-NEXT:        reads(%T[*, %w : 1])
// CHECK-DAG:         affine.apply #{{.*}}(%v)
func.func @window(%A: memref<34x16xf32>, %B: memref<32x16xf32>) {
  %T = loop.buffer "T" scope(global) : memref<34x16xf32>
  loop.for serial %i in 2 {
    loop.for serial %j in 16 {
      loop.block "first" [%v: spatial 2, %w: spatial 16] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<34x16xf32>
        memref.store %a, %T[%v, %w] : memref<34x16xf32>
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 16 {
      loop.block "next" [%v: spatial 32, %w: spatial 16] = (%i, %j) reads(%A[%v + 2 : 1, %w : 1]) writes(%T[%v + 2 : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %a = memref.load %A[%0, %w] : memref<34x16xf32>
        memref.store %a, %T[%0, %w] : memref<34x16xf32>
      }
    }
    loop.for serial %j in 16 {
      loop.block "use" [%v: spatial 32, %w: spatial 16] = (%i, %j) reads(%T[%v : 3, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %1 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %a = memref.load %T[%v, %w] : memref<34x16xf32>
        %b = memref.load %T[%0, %w] : memref<34x16xf32>
        %c = memref.load %T[%1, %w] : memref<34x16xf32>
        %d = arith.addf %a, %b : f32
        %e = arith.addf %d, %c : f32
        memref.store %e, %B[%v, %w] : memref<32x16xf32>
      }
    }
  }
  return
}

// One row, for any sizes.
// CHECK-LABEL: func.func @rows
// CHECK:         %D = loop.buffer "D" scope(global) (%arg3) : memref<1x?xf32>
// CHECK:         writes(%D[0 : 1, %w : 1])
func.func @rows(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index, %m: index) {
  %D = loop.buffer "D" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "DP" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%D[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %D[%v, %w] : memref<?x?xf32>
      }
    }
    loop.for serial %j in %m {
      loop.block "DQ" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%D[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %D[%v, %w] : memref<?x?xf32>
        memref.store %a, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// Downwards: each value is computed from the one above it.
// CHECK-LABEL: func.func @downwards
// CHECK:         %U = loop.buffer "U" scope(global) : memref<2xf32>
// CHECK:         reads(%U[(-%v) mod 2 : 1]) writes(%U[(-%v + 1) mod 2 : 1])
func.func @downwards(%A: memref<9xf32>, %B: memref<8xf32>) {
  %U = loop.buffer "U" scope(global) : memref<9xf32>
  loop.block "UA" [%v: spatial 1] = (0) reads(%A[8 : 1]) writes(%U[8 : 1]) {
    %c8 = arith.constant 8 : index
    %a = memref.load %A[%c8] : memref<9xf32>
    memref.store %a, %U[%c8] : memref<9xf32>
  }
  loop.for serial %i in 8 {
    loop.block "UP" [%v: spatial 8] = (%i) reads(%U[-%v + 8 : 1]) writes(%U[-%v + 7 : 1]) {
      %0 = affine.apply affine_map<(d0) -> (8 - d0)>(%v)
      %1 = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %a = memref.load %U[%0] : memref<9xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %U[%1] : memref<9xf32>
    }
    loop.block "UQ" [%v: spatial 8] = (%i) reads(%U[-%v + 7 : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %a = memref.load %U[%0] : memref<9xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%f: !transform.any_op) {
    transform.sched.fold_storage "T" in %f size 3
    transform.sched.fold_storage "D" in %f axis -2 size 1
    transform.sched.fold_storage "U" in %f axis 0
    transform.yield
  }
}
