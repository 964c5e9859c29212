// RUN: lw-opt %s -o %t.before
// RUN: lw-opt %s --sched-loop-partition='loop=static:i factors=2,-1,4' --sched-join='loop=static:i.0' --sched-join='loop=static:i' \
// RUN:   --sched-loop-partition='loop=dynamic:i factors=2,3,-1' --sched-join='loop=dynamic:i.0' --sched-join='loop=dynamic:i' \
// RUN:   --sched-loop-partition='loop=exact:i factors=4,4' --sched-join='loop=exact:i.0' \
// RUN:   --sched-loop-partition='loop=sum:k factors=3,-1' --sched-join='loop=sum:k.0' \
// RUN:   --sched-loop-partition='loop=minimum:i factors=4,-1' --sched-join='loop=minimum:i.0' \
// RUN:   --sched-loop-partition='loop=rest:k factors=-1,2' --sched-join='loop=rest:k.0' \
// RUN:   --sched-loop-partition='loop=guarded:i factors=3,2,-1' --sched-join='loop=guarded:i.0' --sched-join='loop=guarded:i' \
// RUN:   --sched-loop-partition='loop=inside:i factors=2,-1' --sched-join='loop=inside:i.0' \
// RUN:   -o %t.after
// RUN: diff %t.before %t.after
// RUN: lw-opt %s --transform-interpreter --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=divided' --mlir-print-local-scope | FileCheck %s --check-prefix=DIVIDED

// The loop that `loop_partition` has divided is restored exactly.
module attributes {transform.with_named_sequence} {
  func.func @static(%A: memref<30xf32>) {
    loop.for serial %i in 30 {
      loop.block "static" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<30xf32>
      }
    }
    return
  }

  // Two of three parts become one loop of their total extent.
  // DIVIDED-LABEL: func.func @dynamic
  // DIVIDED:       loop.for serial %i in min affine_map<()[s0] -> (5, s0)>()[%arg1] {
  // DIVIDED-NEXT:    loop.block "dynamic" {{.*}} = (%i)
  // DIVIDED:       loop.for serial %i.2 in affine_map<()[s0] -> (s0 - 5)>()[%arg1] {
  func.func @dynamic(%A: memref<?xf32>, %n: index) {
    loop.for serial %i in %n {
      loop.block "dynamic" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
    return
  }

  // The range of an enclosing schedule block's variable implies that there are two iterations.
  func.func @inside(%A: memref<4x6xf32>) {
    loop.for serial %o in 4 {
      loop.block "outside" [%v: spatial 4] = (%o) writes(%A[%v : 1, *]) {
        loop.for serial %i in affine_map<(d0) -> (d0 + 3)>(%v) {
          loop.block "inside" [%u: spatial 4, %w: spatial 6] = (%v, %i) writes(%A[%u : 1, %w : 1]) {
            %x = arith.constant 1.0 : f32
            memref.store %x, %A[%u, %w] : memref<4x6xf32>
          }
        }
      }
    }
    return
  }

  func.func @exact(%A: memref<8x8xf32>) {
    loop.for serial %i in 8 {
      loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
        loop.block "exact" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%v, %w] : memref<8x8xf32>
        }
      }
    }
    return
  }

  func.func @sum(%A: memref<?xi32>, %S: memref<i32>, %n: index) {
    loop.for serial %k in %n {
      loop.block "sum" [%v: reduce %n] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[] : memref<i32>
        }
        %x = memref.load %A[%v] : memref<?xi32>
        %y = memref.load %S[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %S[] : memref<i32>
      }
    }
    return
  }

  func.func @minimum(%A: memref<30xf32>, %n: index) {
    loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] {
      loop.block "minimum" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<30xf32>
      }
    }
    return
  }

  func.func @rest(%A: memref<?xi32>, %S: memref<i32>, %n: index) {
    loop.for serial %k in affine_map<()[s0] -> (s0 + 2)>()[%n] {
      loop.block "rest" [%v: reduce %n + 2] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[] : memref<i32>
        }
        %x = memref.load %A[%v] : memref<?xi32>
        %y = memref.load %S[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %S[] : memref<i32>
      }
    }
    return
  }

  // A remainder and a quotient, and a condition on the last part only, are those of the first part again.
  func.func @guarded(%A: memref<4x8xf32>, %n: index) {
    loop.for serial %i in 32 {
      loop.if (%i - 4 >= 0) {
        loop.block "guarded" [%v: spatial 4, %w: spatial 8] = (%i floordiv 8, %i mod 8) where(-%i + symbol(%n) - 1 >= 0)
            writes(%A[%v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%v, %w] : memref<4x8xf32>
        }
      }
    }
    return
  }

  // User-written loops: with any names, and with enclosing loops.
  // CHECK-LABEL: func.func @written
  // CHECK:         loop.for serial %i in 4 {
  // CHECK-NEXT:      loop.for serial %j in %arg2 {
  // CHECK-NEXT:        loop.for serial %k in 2 {
  // CHECK-NEXT:          loop.block "one" [%v: spatial 4, %w: spatial %arg2, %u: spatial 2] = (%i, %j, %k)
  // CHECK-NOT:       loop.for
  // CHECK-NOT:       loop.block
  // CHECK:         return
  func.func @written(%A: memref<?xf32>, %B: memref<4x?x2xf32>, %n: index) {
    loop.for serial %i in 4 {
      loop.for serial %j in 3 {
        loop.for serial %k in 2 {
          loop.block "one" [%v: spatial 4, %w: spatial %n, %u: spatial 2] = (%i, %j, %k)
              reads(%A[%w : 1]) writes(%B[%v : 1, %w : 1, %u : 1]) {
            %a = memref.load %A[%w] : memref<?xf32>
            %e = math.exp %a : f32
            memref.store %e, %B[%v, %w, %u] : memref<4x?x2xf32>
          }
        }
      }
      loop.for serial %y in affine_map<()[s0] -> (s0 - 3)>()[%n] {
        loop.for serial %z in 2 {
          loop.block "two" [%p: spatial 4, %q: spatial %n, %r: spatial 2] = (%i, %y + 3, %z)
              reads(%A[%q : 1]) writes(%B[%p : 1, %q : 1, %r : 1]) {
            %b = memref.load %A[%q] : memref<?xf32>
            %f = math.exp %b : f32
            memref.store %f, %B[%p, %q, %r] : memref<4x?x2xf32>
          }
        }
      }
    }
    return
  }

  // A part keeps its name if an inner loop has that of the whole; unrolled loops are joined too.
  // CHECK-LABEL: func.func @parts
  // CHECK:         loop.for unroll %i.0 in 6 {
  // CHECK-NEXT:      loop.for serial %i in 2 {
  // CHECK-NEXT:        loop.block "parts"
  // CHECK-NOT:     loop.for
  // CHECK:         return
  func.func @parts(%A: memref<6x2xf32>) {
    loop.for unroll %i.0 in 2 {
      loop.for serial %i in 2 {
        loop.block "parts" [%v: spatial 6, %w: spatial 2] = (%i.0, %i) writes(%A[%v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%v, %w] : memref<6x2xf32>
        }
      }
    }
    loop.for unroll %i.1 in 4 {
      loop.for serial %i in 2 {
        loop.block "parts.1" [%v: spatial 6, %w: spatial 2] = (%i.1 + 2, %i) writes(%A[%v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%v, %w] : memref<6x2xf32>
        }
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match attributes{sym_name = "written"} in %module : (!transform.any_op) -> !transform.any_op
    transform.sched.join "one:j" in %f proof "assume"
    %g = transform.structured.match attributes{sym_name = "parts"} in %module : (!transform.any_op) -> !transform.any_op
    transform.sched.join "parts:i.0" in %g
    transform.yield
  }

  transform.named_sequence @divided(%module: !transform.any_op) {
    %f = transform.structured.match attributes{sym_name = "dynamic"} in %module : (!transform.any_op) -> !transform.any_op
    transform.sched.loop_partition "dynamic:i" in %f factors [2, 3, -1]
    transform.sched.join "dynamic:i.0" in %f
    transform.yield
  }
}
