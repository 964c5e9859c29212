// Element-wise nests: cheap values are inlined, vectors are along rows, threads share rows, and
// outputs larger than the caches bypass them.
// RUN: lw-run %s --target x86 --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @large
// CHECK-NEXT:  transform.sched.compute_inline "sub" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.sample_categorical "mul.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.vectorize "mul:j" in %f{{[0-9]+}} factor "$mul.width"
// CHECK-NEXT:  transform.sched.annotate "mul" in %f{{[0-9]+}} key "nontemporal" value true
// CHECK-NEXT:  transform.sched.parallel "mul:i" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function large: 5 steps
// DUMP-NEXT:    group mul
// DUMP-NEXT:      59 x86.product.tdpbf16ps: it is not a product
// DUMP:           50 x86.product.packed: it is not a product
// DUMP:           30 x86.rows: it has no reduction
// DUMP:           20 x86.transpose: all loads are contiguous along the loop that stores contiguously
// DUMP:           10 x86.elementwise: chosen
func.func @large(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %d = linalg.sub ins(%x, %y : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.mul ins(%d, %x : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// Too small for threads and for non-temporal stores.
// CHECK-LABEL: transform.sched.function @small
// CHECK-NEXT:  transform.sched.sample_categorical "add.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.vectorize "add:j" in %f{{[0-9]+}} factor "$add.width"
// CHECK-NEXT:  {{transform.yield|%f}}
func.func @small(%x: tensor<30x100xf32>, %y: tensor<30x100xf32>) -> tensor<30x100xf32> {
  %empty = tensor.empty() : tensor<30x100xf32>
  %r = linalg.add ins(%x, %y : tensor<30x100xf32>, tensor<30x100xf32>) outs(%empty : tensor<30x100xf32>) -> tensor<30x100xf32>
  return %r : tensor<30x100xf32>
}

// One row: threads share parts of it.
// CHECK-LABEL: transform.sched.function @row
// CHECK-NEXT:  transform.sched.sample_categorical "add.piece" in %f{{[0-9]+}} candidates [{{.*}}] decision 4096
// CHECK-NEXT:  transform.sched.sample_categorical "add.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.split "add:i" in %f{{[0-9]+}} factors "-1, $add.piece"
// CHECK-NEXT:  transform.sched.vectorize "add:i.1" in %f{{[0-9]+}} factor "$add.width"
// CHECK-NEXT:  transform.sched.parallel "add:i.0" in %f{{[0-9]+}}
func.func @row(%x: tensor<1000000xf32>, %y: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %empty = tensor.empty() : tensor<1000000xf32>
  %r = linalg.add ins(%x, %y : tensor<1000000xf32>, tensor<1000000xf32>) outs(%empty : tensor<1000000xf32>) -> tensor<1000000xf32>
  return %r : tensor<1000000xf32>
}

// Dynamic sizes.
// CHECK-LABEL: transform.sched.function @dynamic
// CHECK-NEXT:  transform.sched.sample_categorical "add.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.vectorize "add:j" in %f{{[0-9]+}} factor "$add.width"
// CHECK-NEXT:  transform.sched.parallel "add:i" in %f{{[0-9]+}}
func.func @dynamic(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.add ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A user-written schedule.
// CHECK-LABEL: transform.sched.function @scheduled
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function scheduled: already scheduled
// DUMP-NOT:     group
func.func @scheduled(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>) {
  loop.for parallel %i in 4096 {
    loop.for serial %j in 4096 {
      loop.block "B" [%v: spatial 4096, %w: spatial 4096] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4096x4096xf32>
        memref.store %a, %B[%v, %w] : memref<4096x4096xf32>
      }
    }
  }
  return
}

// One instance reads what another one writes: unchanged.
// DUMP-LABEL: function recurrence: 0 steps
// DUMP-NEXT:    group B
// DUMP:           10 x86.elementwise: B reads elements that it has written
func.func @recurrence(%B: memref<4096xf32>) {
  loop.for serial %i in 4095 {
    loop.block "B" [%v: spatial 4095] = (%i) reads(%B[%v : 1]) writes(%B[%v + 1 : 1]) {
      %b = memref.load %B[%v] : memref<4096xf32>
      %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %b, %B[%n] : memref<4096xf32>
    }
  }
  return
}

// A function that another function calls runs on its caller's thread.
// CHECK-LABEL: transform.sched.function @called
// CHECK-NEXT:  transform.sched.sample_categorical "B.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 64
// CHECK-NEXT:  transform.sched.vectorize "B:j" in %f{{[0-9]+}} factor "$B.width"
// CHECK-NEXT:  transform.sched.annotate "B" in %f{{[0-9]+}} key "nontemporal" value true
// CHECK-NEXT:  {{transform.yield|%f}}
func.func private @called(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>) {
  loop.for serial %i in 4096 {
    loop.for serial %j in 4096 {
      loop.block "B" [%v: spatial 4096, %w: spatial 4096] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4096x4096xf32>
        memref.store %a, %B[%v, %w] : memref<4096x4096xf32>
      }
    }
  }
  return
}
