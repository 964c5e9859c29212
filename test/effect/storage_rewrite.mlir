// target=x86
// The layers of a perceptron in sequence: each step reads only what the previous one has written, so two of the four
// intermediate tensors are live at a time.
func.func @chain(%A: memref<64x48xf32>, %B: memref<64x48xf32> {loop.result}) {
  %T0 = loop.buffer "T0" scope(global) : memref<64x48xf32>
  %T1 = loop.buffer "T1" scope(global) : memref<64x48xf32>
  %T2 = loop.buffer "T2" scope(global) : memref<64x48xf32>
  %T3 = loop.buffer "T3" scope(global) : memref<64x48xf32>
  loop.for parallel %i in 64 {
    loop.for serial %j in 48 {
      loop.block "T0" [%v: spatial 64, %w: spatial 48] = (%i, %j)
          reads(%A[-%v + 63 : 1, -%w + 47 : 1]) writes(%T0[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
        %c = affine.apply affine_map<(d0) -> (-d0 + 47)>(%w)
        %a = memref.load %A[%r, %c] : memref<64x48xf32>
        %x = arith.mulf %a, %a : f32
        memref.store %x, %T0[%v, %w] : memref<64x48xf32>
      }
    }
  }
  loop.for parallel %i in 64 {
    loop.for serial %j in 48 {
      loop.block "T1" [%v: spatial 64, %w: spatial 48] = (%i, %j)
          reads(%T0[-%v + 63 : 1, -%w + 47 : 1]) writes(%T1[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
        %c = affine.apply affine_map<(d0) -> (-d0 + 47)>(%w)
        %a = memref.load %T0[%r, %c] : memref<64x48xf32>
        %x = arith.addf %a, %a : f32
        memref.store %x, %T1[%v, %w] : memref<64x48xf32>
      }
    }
  }
  loop.for parallel %i in 64 {
    loop.for serial %j in 48 {
      loop.block "T2" [%v: spatial 64, %w: spatial 48] = (%i, %j)
          reads(%T1[-%v + 63 : 1, -%w + 47 : 1]) writes(%T2[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
        %c = affine.apply affine_map<(d0) -> (-d0 + 47)>(%w)
        %a = memref.load %T1[%r, %c] : memref<64x48xf32>
        %x = arith.negf %a : f32
        memref.store %x, %T2[%v, %w] : memref<64x48xf32>
      }
    }
  }
  loop.for parallel %i in 64 {
    loop.for serial %j in 48 {
      loop.block "T3" [%v: spatial 64, %w: spatial 48] = (%i, %j)
          reads(%T2[-%v + 63 : 1, -%w + 47 : 1]) writes(%T3[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
        %c = affine.apply affine_map<(d0) -> (-d0 + 47)>(%w)
        %a = memref.load %T2[%r, %c] : memref<64x48xf32>
        %x = arith.addf %a, %a : f32
        memref.store %x, %T3[%v, %w] : memref<64x48xf32>
      }
    }
  }
  loop.for parallel %i in 64 {
    loop.for serial %j in 48 {
      loop.block "B" [%v: spatial 64, %w: spatial 48] = (%i, %j)
          reads(%T3[-%v + 63 : 1, -%w + 47 : 1]) writes(%B[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
        %c = affine.apply affine_map<(d0) -> (-d0 + 47)>(%w)
        %a = memref.load %T3[%r, %c] : memref<64x48xf32>
        %x = arith.negf %a : f32
        memref.store %x, %B[%v, %w] : memref<64x48xf32>
      }
    }
  }
  return
}
