// An echo: sixteen channels, each the sum of a nonlinear amplifier at this row and 32,768 and 65,535 rows later.
func.func @main(%X: memref<1114111x16xf32>, %Y: memref<1048576x16xf32> {loop.result}) attributes {loop.fp = "fast"} {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %T = loop.buffer "T" scope(global) : memref<1114111x16xf32>
  loop.for serial %i in 1114111 {
    loop.for serial %j in 16 {
      loop.block "T" [%v: spatial 1114111, %w: spatial 16] = (%i, %j) reads(%X[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %x0 = memref.load %X[%v, %w] : memref<1114111x16xf32>
        %q0 = math.fma %x0, %x0, %one : f32
        %x1 = arith.divf %x0, %q0 : f32
        %q1 = math.fma %x1, %x1, %one : f32
        %x2 = arith.divf %x1, %q1 : f32
        %q2 = math.fma %x2, %x2, %one : f32
        %x3 = arith.divf %x2, %q2 : f32
        %q3 = math.fma %x3, %x3, %one : f32
        %x4 = arith.divf %x3, %q3 : f32
        memref.store %x4, %T[%v, %w] : memref<1114111x16xf32>
      }
    }
  }
  loop.for serial %i in 1048576 {
    loop.for serial %j in 16 {
      loop.block "Y" [%v: spatial 1048576, %w: spatial 16] = (%i, %j) reads(%T[%v : 65536, %w : 1]) writes(%Y[%v : 1, %w : 1]) {
        %v1 = affine.apply affine_map<(d0) -> (d0 + 32768)>(%v)
        %v2 = affine.apply affine_map<(d0) -> (d0 + 65535)>(%v)
        %a = memref.load %T[%v, %w] : memref<1114111x16xf32>
        %b = memref.load %T[%v1, %w] : memref<1114111x16xf32>
        %c = memref.load %T[%v2, %w] : memref<1114111x16xf32>
        %s = math.fma %a, %half, %b : f32
        %t = math.fma %s, %half, %c : f32
        memref.store %t, %Y[%v, %w] : memref<1048576x16xf32>
      }
    }
  }
  return
}
