// RUN: lw-opt %s --transform-interpreter -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: query: "*": "T", "C"
// CHECK: remark: query: "?:i*": "T:i", "C:i.0", "C:i.1"
module attributes {transform.with_named_sequence} {
  func.func @main(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
    %S = loop.buffer "S" scope(global) : memref<8x4xf32>
    loop.for serial %i in 8 {
      loop.for serial %j in 4 {
        loop.block "T" [%v: spatial 8, %w: spatial 4] = (%i, %j)
            reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<8x4xf32>
          memref.store %a, %S[%v, %w] : memref<8x4xf32>
        }
      }
    }
    loop.for serial %i in 8 {
      loop.for serial %j in 4 {
        loop.block "C" [%v: spatial 8, %w: spatial 4] = (%i, %j)
            reads(%S[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %S[%v, %w] : memref<8x4xf32>
          memref.store %a, %B[%v, %w] : memref<8x4xf32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.query %f what "find"
    transform.sched.split "C:i" in %f factors [-1, 3] tail "peel"
    transform.sched.query "?:i*" in %f what "find"
// CHECK: remark: query: loops of "C": "C:i.0", "C:i.1", "C:j"
// CHECK: remark: query: loops of "C.tail": "C.tail:i.tail", "C.tail:j"
    transform.sched.query "C*" in %f what "loops"
// CHECK: remark: query: producers of "T": none
// CHECK: remark: query: producers of "C": "T"
    transform.sched.query %f what "producers"
// CHECK: remark: query: consumers of "T": "C", "C.tail"
    transform.sched.query "T" in %f what "consumers"
// CHECK: remark: query: outputs: "C", "C.tail"
    transform.sched.query %f what "outputs"
// CHECK: remark: query: buffers: "arg0", "arg1", "S"
    transform.sched.query %f what "buffers"
// CHECK: remark: query: children of "T:i": "T"
    transform.sched.query "T:i" in %f what "children"
// CHECK: remark: query: parent of "C": "C:j"
    transform.sched.query "C" in %f what "parent"
// CHECK: remark: query: next of "T:i": "C:i.0"
    transform.sched.query "T:i" in %f what "next"
// CHECK: remark: query: previous of "C.tail:i.tail": "C:i.0"
    transform.sched.query "*:i.tail" in %f what "previous"
// CHECK:      remark: query: nest:
// CHECK-NEXT: serial i in 8
// CHECK-NEXT:   serial j in 4
// CHECK-NEXT:   ^^^^^^^^^^^^^ here
// CHECK-NEXT:     T[v: spatial = i, w: spatial = j]
// CHECK-NEXT: serial i.0 in 2
// CHECK-NEXT:   serial i.1 in 3
// CHECK-NEXT:     serial j in 4
// CHECK-NEXT:       C[v: spatial = i.0 * 3 + i.1, w: spatial = j]
// CHECK-NEXT: serial i.tail in 2
// CHECK-NEXT:   serial j in 4
// CHECK-NEXT:     C.tail[v: spatial = i.tail + 6, w: spatial = j]
    transform.sched.query "T:j" in %f what "nest"
    transform.yield
  }
}
