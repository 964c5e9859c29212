// target=x86
// A function computes the length of a vector, and its two components divided by the length. The model reads only the
// length, so the pass removes the other two results with their divisions.
func.func private @polar(%x: f32, %y: f32) -> (f32, f32, f32) {
  %xx = arith.mulf %x, %x : f32
  %yy = arith.mulf %y, %y : f32
  %sum = arith.addf %xx, %yy : f32
  %length = math.sqrt %sum : f32
  %u = arith.divf %x, %length : f32
  %v = arith.divf %y, %length : f32
  return %u, %v, %length : f32, f32, f32
}
func.func @lengths(%q: memref<8x64x2xf32>, %o: memref<8x64xf32> {loop.result}) {
  loop.for parallel %t in 8 {
    loop.for serial %f in 64 {
      loop.block "o" [%i: spatial 8, %j: spatial 64] = (%t, %f) reads(%q[%i : 1, %j : 1, 0 : 2]) writes(%o[%i : 1, %j : 1]) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %x = memref.load %q[%i, %j, %c0] : memref<8x64x2xf32>
        %y = memref.load %q[%i, %j, %c1] : memref<8x64x2xf32>
        %r:3 = func.call @polar(%x, %y) : (f32, f32) -> (f32, f32, f32)
        memref.store %r#2, %o[%i, %j] : memref<8x64xf32>
      }
    }
  }
  return
}
