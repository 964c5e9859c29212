// RUN: lw-opt %s -split-input-file --transform-interpreter | FileCheck %s

// Data-dependent elements: no index distinguishes two iterations, and the updates may be in any order.
module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @histogram
// CHECK:        loop.for parallel %k in 5000 {
// CHECK-NEXT:     loop.block "H"
// CHECK:            reducer(add, 0) attributes {loop.annotations = {atomic = true}} {
  func.func @histogram(%A: memref<5000xi32> {loop.name = "A"}, %H: memref<16xi32> {loop.name = "H"}) {
    %one = arith.constant 1 : i32
    %fifteen = arith.constant 15 : i32
    loop.for serial %k in 5000 {
      loop.block "H" [%vk: reduce 5000] = (%k) reads(%A[%vk : 1], %H[*]) writes(%H[*]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<5000xi32>
        %m = arith.andi %a, %fifteen : i32
        %i = arith.index_cast %m : i32 to index
        %h = memref.load %H[%i] : memref<16xi32>
        %n = arith.addi %h, %one : i32
        memref.store %n, %H[%i] : memref<16xi32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "H" in %f
    transform.sched.parallel "H:k" in %f
    transform.yield
  }
}

// -----

// Afterwards the loops of the block can be transformed like others, also to concurrent ones; a sum of floats needs a
// contract that permits any order.
module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @sum
// CHECK:        loop.for thread_bind[blockIdx.x] %k.0 in 8
// CHECK-NEXT:     loop.for thread_bind[threadIdx.x] %k.1 in 128
// CHECK-NEXT:       loop.for unroll %k.2 in 4
// CHECK-NEXT:         loop.block "C"
// CHECK:                {atomic = true}
  func.func @sum(%A: memref<4096xf32> {loop.name = "A"}, %C: memref<f32> {loop.name = "C"}) attributes {loop.fp = "reassoc"} {
    %zero = arith.constant 0.0 : f32
    loop.block "C0" [] = () writes(%C[]) { memref.store %zero, %C[] : memref<f32> }
    loop.for serial %k in 4096 {
      loop.block "C" [%vk: reduce 4096] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0.0) {
        %a = memref.load %A[%vk] : memref<4096xf32>
        %c = memref.load %C[] : memref<f32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[] : memref<f32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    transform.sched.split "C:k" in %f factors [-1, 128, 4]
    transform.sched.bind "C:k.0" in %f thread "blockIdx.x"
    transform.sched.bind "C:k.1" in %f thread "threadIdx.x"
    transform.sched.unroll "C:k.2" in %f
    transform.yield
  }
}

// -----

// Two blocks that update one buffer in the same way, in one loop.
module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @two
// CHECK:        loop.for parallel %k in 100 {
  func.func @two(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      loop.block "B" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(maxu, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.maxui %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
      loop.block "D" [%vk: reduce 100] = (%k) reads(%A[99 - %vk : 1], %C[]) writes(%C[]) reducer(maxu, 0) {
        %i = affine.apply affine_map<(d0) -> (99 - d0)>(%vk)
        %a = memref.load %A[%i] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.maxui %a, %c : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "B" in %f
    transform.sched.atomic "D" in %f
    transform.sched.parallel "B:k" in %f
    transform.yield
  }
}

// -----

// The annotation can be removed again while no loop is concurrent.
module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @taken_back
// CHECK-NOT:    annotations
  func.func @taken_back(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"}) {
    loop.for serial %k in 100 {
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(xor, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.xori %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.atomic "C" in %f
    transform.sched.unannotate "C" in %f key "atomic"
    transform.yield
  }
}
