// A recurrence over steps, and a row that its state scales.
func.func @main(%x: memref<128xf32> , %X: memref<128x512xf32>, %S: memref<129xf32> {loop.result}, %C: memref<128x512xf32> {loop.result}) attributes {loop.fp = "fast"} {
  %half = arith.constant 0.5 : f32
  loop.for serial %i in 128 {
    loop.block "state" [%v: spatial 128] = (%i) reads(%x[%v : 1], %S[%v : 1]) writes(%S[%v + 1 : 1]) {
      %s = memref.load %S[%v] : memref<129xf32>
      %g = memref.load %x[%v] : memref<128xf32>
      %h = arith.mulf %s, %half : f32
      %a = arith.addf %h, %g : f32
      %t = math.tanh %a : f32
      %v1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %t, %S[%v1] : memref<129xf32>
    }
    loop.for serial %j in 512 {
      loop.block "row" [%v: spatial 128, %w: spatial 512] = (%i, %j) reads(%X[%v : 1, %w : 1], %S[%v + 1 : 1]) writes(%C[%v : 1, %w : 1]) {
        %v1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %s = memref.load %S[%v1] : memref<129xf32>
        %a = memref.load %X[%v, %w] : memref<128x512xf32>
        %p = arith.mulf %a, %s : f32
        %q = math.fma %p, %a, %p : f32
        %r = math.fma %q, %p, %s : f32
        %r2 = math.fma %r, %q, %a : f32
        memref.store %r2, %C[%v, %w] : memref<128x512xf32>
      }
    }
  }
  return
}
