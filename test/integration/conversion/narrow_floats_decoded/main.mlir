// All bit patterns of each float of at most 8 bits, extended to f32.
func.func @main(%x0: tensor<16xf4E2M1FN>, %x1: tensor<64xf6E2M3FN>, %x2: tensor<64xf6E3M2FN>, %x3: tensor<256xf8E3M4>, %x4: tensor<256xf8E4M3>, %x5: tensor<256xf8E4M3B11FNUZ>, %x6: tensor<256xf8E4M3FN>, %x7: tensor<256xf8E4M3FNUZ>, %x8: tensor<256xf8E5M2>, %x9: tensor<256xf8E5M2FNUZ>, %x10: tensor<256xf8E8M0FNU>) -> (tensor<16xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %r0 = arith.extf %x0 : tensor<16xf4E2M1FN> to tensor<16xf32>
  %r1 = arith.extf %x1 : tensor<64xf6E2M3FN> to tensor<64xf32>
  %r2 = arith.extf %x2 : tensor<64xf6E3M2FN> to tensor<64xf32>
  %r3 = arith.extf %x3 : tensor<256xf8E3M4> to tensor<256xf32>
  %r4 = arith.extf %x4 : tensor<256xf8E4M3> to tensor<256xf32>
  %r5 = arith.extf %x5 : tensor<256xf8E4M3B11FNUZ> to tensor<256xf32>
  %r6 = arith.extf %x6 : tensor<256xf8E4M3FN> to tensor<256xf32>
  %r7 = arith.extf %x7 : tensor<256xf8E4M3FNUZ> to tensor<256xf32>
  %r8 = arith.extf %x8 : tensor<256xf8E5M2> to tensor<256xf32>
  %r9 = arith.extf %x9 : tensor<256xf8E5M2FNUZ> to tensor<256xf32>
  %r10 = arith.extf %x10 : tensor<256xf8E8M0FNU> to tensor<256xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10 : tensor<16xf32>, tensor<64xf32>, tensor<64xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
