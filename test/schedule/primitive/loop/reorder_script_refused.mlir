// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  func.func @reorder_c5_strict(%A: memref<4x4x4xf32>, %C: memref<4xf32>) {
    loop.for serial %i in 4 {
      // expected-note @+1 {{this loop moves}}
      loop.for serial %j in 4 {
        loop.for serial %k in 4 {
          // expected-error @+1 {{reorder: schedule block "B" reduces floats by add, whose order matters to the last bit: to allow it, the function must have loop.fp = "reassoc" or "fast": iterations i = 0, j = 2, k = 3 of "B" (reads) and iterations i = 0, j = 3, k = 2 of "B" (writes) both access "arg1"[0] (C5)}}
          loop.block "B" [%v: spatial 4, %u: reduce 4, %w: reduce 4] = (%i, %j, %k)
              reads(%A[%v : 1, %u : 1, %w : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %C[%v] : memref<4xf32>
            }
            %a = memref.load %A[%v, %u, %w] : memref<4x4x4xf32>
            %c = memref.load %C[%v] : memref<4xf32>
            %s = arith.addf %c, %a : f32
            memref.store %s, %C[%v] : memref<4xf32>
          }
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // Not even as an assumption: the contract belongs to the function.
    // expected-note @+1 {{in this step of the script}}
    transform.sched.reorder ["B:k", "B:j"] in %f proof "assume"
    transform.yield
  }
}
