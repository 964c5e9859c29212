// target=x86
// The rotation of two features by an angle, a function with two results that has been written elsewhere: with the pass
// it is called as a C compiler would, with pointers for the results. The third result is read by nobody.
func.func private @rotate(%x: f32, %y: f32, %c: f32, %s: f32) -> (f32, f32, f32) {
  %xc = arith.mulf %x, %c : f32
  %ys = arith.mulf %y, %s : f32
  %xs = arith.mulf %x, %s : f32
  %yc = arith.mulf %y, %c : f32
  %u = arith.subf %xc, %ys : f32
  %v = arith.addf %xs, %yc : f32
  %uu = arith.mulf %u, %u : f32
  %vv = arith.mulf %v, %v : f32
  %norm = arith.addf %uu, %vv : f32
  return %u, %v, %norm : f32, f32, f32
}
func.func @rotary(%q: memref<128x64x2xf32>, %c: memref<128x64xf32>, %s: memref<128x64xf32>, %o: memref<128x64x2xf32> {loop.result}) {
  loop.for parallel %t in 128 {
    loop.for serial %f in 64 {
      loop.for serial %h in 2 {
        loop.block "o" [%i: spatial 128, %j: spatial 64, %k: spatial 2] = (%t, %f, %h)
            reads(%q[%i : 1, %j : 1, 0 : 2], %c[%i : 1, %j : 1], %s[%i : 1, %j : 1]) writes(%o[%i : 1, %j : 1, %k : 1]) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %x = memref.load %q[%i, %j, %c0] : memref<128x64x2xf32>
          %y = memref.load %q[%i, %j, %c1] : memref<128x64x2xf32>
          %cos = memref.load %c[%i, %j] : memref<128x64xf32>
          %sin = memref.load %s[%i, %j] : memref<128x64xf32>
          %r:3 = func.call @rotate(%x, %y, %cos, %sin) : (f32, f32, f32, f32) -> (f32, f32, f32)
          %first = arith.cmpi eq, %k, %c0 : index
          %v = arith.select %first, %r#0, %r#1 : f32
          memref.store %v, %o[%i, %j, %k] : memref<128x64x2xf32>
        }
      }
    }
  }
  return
}
