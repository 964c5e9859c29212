// A step that changes nothing is a remark.
// RUN: lw-opt %s -verify-diagnostics --sched-reorder='loops=B:i,B:j' --sched-unroll='loop=B:i factor=1' \
// RUN:   --sched-vectorize='loop=B:j factor=1' --sched-set-scope='buffer=T scope=global'

func.func @main() {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-remark @+2 {{reorder: has no effect}}
  // expected-remark @+1 {{unroll: has no effect}}
  loop.for serial %i in 2 {
    // expected-remark @+1 {{vectorize: has no effect}}
    loop.for serial %j in 4 {
      // expected-remark @+1 {{set_scope: "T" is of scope global already}}
      loop.block "B" [%v: spatial 8] = (%i * 4 + %j) writes(%T[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %T[%v] : memref<8xf32>
      }
    }
  }
  return
}
