// Products of tiles.
// RUN: lw-opt %s --verify-each=numeric --convert-loop-to-scf --canonicalize --split-input-file | FileCheck %s

// Rows of tiles are rows of the buffers.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[A:[^:]*]]: memref<40x64xbf16>, %[[B:[^:]*]]: memref<2x16x32xbf16>, %[[C:[^:]*]]: memref<40x48xf32>
// CHECK:         scf.for %[[K:.*]] = %c0 to %c2
// CHECK:           %[[X:.*]] = amx.tile_load %[[A]][%c24, %{{.*}}] : memref<40x64xbf16> into !amx.tile<16x32xbf16>
// CHECK-NEXT:      %[[Y:.*]] = amx.tile_load %[[B]][%[[K]], %c0, %c0] : memref<2x16x32xbf16> into !amx.tile<16x32xbf16>
// CHECK-NEXT:      %[[OLD:.*]] = amx.tile_load %[[C]][%c24, %c16] : memref<40x48xf32> into !amx.tile<16x16xf32>
// CHECK-NEXT:      %[[NEW:.*]] = amx.tile_mulf %[[X]], %[[Y]], %[[OLD]]
// CHECK-NEXT:      amx.tile_store %[[C]][%c24, %c16], %[[NEW]]
func.func @rows(%A: memref<40x64xbf16>, %B: memref<2x16x32xbf16>, %C: memref<40x48xf32> {loop.result}) attributes {loop.fp = "fast"} {
  loop.for serial %k in 2 {
    loop.block "C_o" [%vo: reduce 2] = (%k) reads(%A[24 : 16, %vo * 32 : 32], %B[0 : 2, 0 : 16, 0 : 32], %C[24 : 16, 16 : 16])
        writes(%C[24 : 16, 16 : 16]) attributes {loop.annotations = {intrinsic = "x86.tdpbf16ps"}} {
      loop.for serial %i in 16 {
        loop.for serial %j in 16 {
          loop.for serial %q in 16 {
            loop.for serial %p in 2 {
              loop.block "C" [%vi: spatial 40, %vj: spatial 48, %vk: reduce 64] = (%i + 24, %j + 16, %vo * 32 + %q * 2 + %p)
                  reads(%A[%vi : 1, %vk : 1], %B[%vk floordiv 32 : 1, (%vk mod 32) floordiv 2 : 1, (%vj - 16) * 2 + %vk mod 2 : 1], %C[%vi : 1, %vj : 1])
                  writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
                %r = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%vk)
                %s = affine.apply affine_map<(d0) -> ((d0 mod 32) floordiv 2)>(%vk)
                %t = affine.apply affine_map<(d0, d1) -> ((d0 - 16) * 2 + d1 mod 2)>(%vj, %vk)
                %a = memref.load %A[%vi, %vk] : memref<40x64xbf16>
                %b = memref.load %B[%r, %s, %t] : memref<2x16x32xbf16>
                %x = arith.extf %a : bf16 to f32
                %y = arith.extf %b : bf16 to f32
                %p0 = arith.mulf %x, %y : f32
                %c = memref.load %C[%vi, %vj] : memref<40x48xf32>
                %sum = arith.addf %c, %p0 : f32
                memref.store %sum, %C[%vi, %vj] : memref<40x48xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// -----

// Rows that are no rows of the buffer are a number of elements apart; a factor may be unsigned.
// CHECK-LABEL: func.func @strides(
// CHECK-SAME:    %[[A:[^:]*]]: memref<16x16x4xi8>, %[[B:[^:]*]]: memref<16x16x4xi8>, %[[C:[^:]*]]: memref<16x3x16xi32>
// CHECK:         %[[X:.*]] = amx.tile_load %[[A]][%c0, %c0, %c0], %c64 : memref<16x16x4xi8> into !amx.tile<16x64xi8>
// CHECK-NEXT:    %[[Y:.*]] = amx.tile_load %[[B]][%c0, %c0, %c0], %c64 : memref<16x16x4xi8> into !amx.tile<16x64xi8>
// CHECK-NEXT:    %[[OLD:.*]] = amx.tile_load %[[C]][%c0, %c1, %c0], %c48 : memref<16x3x16xi32> into !amx.tile<16x16xi32>
// CHECK-NEXT:    %[[NEW:.*]] = amx.tile_muli %[[X]] zext, %[[Y]], %[[OLD]]
// CHECK-NEXT:    amx.tile_store %[[C]][%c0, %c1, %c0], %[[NEW]], %c48
func.func @strides(%A: memref<16x16x4xi8>, %B: memref<16x16x4xi8>, %C: memref<16x3x16xi32> {loop.result}) {
  loop.for serial %o in 1 {
    loop.block "C_o" [%vo: reduce 1] = (%o) reads(%A[0 : 16, 0 : 16, 0 : 4], %B[0 : 16, 0 : 16, 0 : 4], %C[0 : 16, 1 : 1, 0 : 16])
        writes(%C[0 : 16, 1 : 1, 0 : 16]) attributes {loop.annotations = {intrinsic = "x86.tdpbusd"}} {
      loop.for serial %i in 16 {
        loop.for serial %j in 16 {
          loop.for serial %k in 16 {
            loop.for serial %l in 4 {
              loop.block "C" [%vi: spatial 16, %vj: spatial 16, %vk: reduce 16, %vl: reduce 4] = (%i, %j, %k, %l)
                  reads(%A[%vi : 1, %vk : 1, %vl : 1], %B[%vk : 1, %vj : 1, %vl : 1], %C[%vi : 1, 1 : 1, %vj : 1])
                  writes(%C[%vi : 1, 1 : 1, %vj : 1]) reducer(add, 0) {
                %one = arith.constant 1 : index
                %a = memref.load %A[%vi, %vk, %vl] : memref<16x16x4xi8>
                %b = memref.load %B[%vk, %vj, %vl] : memref<16x16x4xi8>
                %x = arith.extui %a : i8 to i32
                %y = arith.extsi %b : i8 to i32
                %p = arith.muli %x, %y : i32
                %c = memref.load %C[%vi, %one, %vj] : memref<16x3x16xi32>
                %s = arith.addi %c, %p : i32
                memref.store %s, %C[%vi, %one, %vj] : memref<16x3x16xi32>
              }
            }
          }
        }
      }
    }
  }
  return
}
