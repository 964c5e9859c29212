// Integers and floats of widths that memory does not have become integers of 8, 16 or 32 bits. test/integration compares all
// conversions of floats with NumPy.
// RUN: lw-opt %s --emulate-narrow-types | FileCheck %s

// An integer has its width in bodies, and that of memory elsewhere.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME:    %[[X:.+]]: tensor<?xi8>, %[[Y:.+]]: i16) -> tensor<?xi8>
// CHECK:         %[[Y12:.+]] = arith.trunci %[[Y]] : i16 to i12
// CHECK:         %[[Y16:.+]] = arith.extsi %[[Y12]] : i12 to i16
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[Y16]] : tensor<?xi8>, i16) outs(%{{.+}} : tensor<?xi8>)
// CHECK-NEXT:    ^bb0(%[[A:.+]]: i8, %[[B:.+]]: i16, %{{.+}}: i8):
// CHECK-NEXT:      %[[A4:.+]] = arith.trunci %[[A]] : i8 to i4
// CHECK-NEXT:      %[[B12:.+]] = arith.trunci %[[B]] : i16 to i12
// CHECK-NEXT:      %[[B4:.+]] = arith.trunci %[[B12]] : i12 to i4
// CHECK-NEXT:      %[[SUM:.+]] = arith.addi %[[A4]], %[[B4]] : i4
// CHECK-NEXT:      %[[SUM8:.+]] = arith.extsi %[[SUM]] : i4 to i8
// CHECK-NEXT:      linalg.yield %[[SUM8]] : i8
#same = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @integers(%x: tensor<?xi4>, %y: i12) -> tensor<?xi4> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi4>
  %e = tensor.empty(%n) : tensor<?xi4>
  %r = linalg.generic {indexing_maps = [#same, #none, #same], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xi4>, i12) outs(%e : tensor<?xi4>) {
  ^bb0(%a: i4, %b: i12, %o: i4):
    %c = arith.trunci %b : i12 to i4
    %s = arith.addi %a, %c : i4
    linalg.yield %s : i4
  } -> tensor<?xi4>
  return %r : tensor<?xi4>
}

// What a caller passes may have other bits than the low ones, which moves would keep.
// CHECK-LABEL: func.func @passed_on(
// CHECK-SAME:    %[[X:.+]]: tensor<4xi8>, %[[Y:.+]]: tensor<4xi8>)
// CHECK:         %[[EXTENDED:.+]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xi8>)
// CHECK-NEXT:    ^bb0(%[[A:.+]]: i8, %{{.+}}: i8):
// CHECK-NEXT:      %[[LOW:.+]] = arith.trunci %[[A]] : i8 to i4
// CHECK-NEXT:      %[[EXT:.+]] = arith.extsi %[[LOW]] : i4 to i8
// CHECK-NEXT:      linalg.yield %[[EXT]] : i8
// CHECK:         linalg.generic {{.*}} ins(%[[Y]] : tensor<4xi8>)
// CHECK:         return %[[EXTENDED]], %{{.+}} : tensor<4xi8>, tensor<4xi32>
func.func @passed_on(%x: tensor<4xi4>, %y: tensor<4xi4>) -> (tensor<4xi4>, tensor<4xi32>) {
  %w = arith.extui %y : tensor<4xi4> to tensor<4xi32>
  return %x, %w : tensor<4xi4>, tensor<4xi32>
}

// Constants keep their values; ops that only move elements stay as they are.
// CHECK-LABEL: func.func @moved(
// CHECK-SAME:    -> (tensor<3x2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<4xi8>)
// CHECK-DAG:     %[[INTEGERS:.+]] = arith.constant {{dense<\[\[}}-8, -1, 7], [0, 1, -2]]> : tensor<2x3xi8>
// CHECK-DAG:     %[[SAME:.+]] = arith.constant dense<-3> : tensor<2xi8>
// 1.5 and -2 of f8E4M3FN.
// CHECK-DAG:     %[[FLOATS:.+]] = arith.constant dense<[60, -64]> : tensor<2xi8>
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 60 : i8
// CHECK:         %[[T:.+]] = linalg.transpose ins(%[[INTEGERS]] : tensor<2x3xi8>) outs(%{{.+}} : tensor<3x2xi8>) permutation = [1, 0]
// CHECK:         %[[PADDED:.+]] = tensor.pad %[[FLOATS]]
// CHECK:           tensor.yield %[[ONE]] : i8
// CHECK:         return %[[T]], %[[SAME]], %[[FLOATS]], %[[PADDED]]
func.func @moved() -> (tensor<3x2xi4>, tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<4xf8E4M3FN>) {
  %i = arith.constant dense<[[-8, -1, 7], [0, 1, -2]]> : tensor<2x3xi4>
  %s = arith.constant dense<-3> : tensor<2xi4>
  %f = arith.constant dense<[1.5, -2.0]> : tensor<2xf8E4M3FN>
  %one = arith.constant 1.5 : f8E4M3FN
  %e = tensor.empty() : tensor<3x2xi4>
  %t = linalg.transpose ins(%i : tensor<2x3xi4>) outs(%e : tensor<3x2xi4>) permutation = [1, 0]
  %p = tensor.pad %f low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %one : f8E4M3FN
  } : tensor<2xf8E4M3FN> to tensor<4xf8E4M3FN>
  return %t, %s, %f, %p : tensor<3x2xi4>, tensor<2xi4>, tensor<2xf8E4M3FN>, tensor<4xf8E4M3FN>
}

// Arithmetic is in f32, and its result is rounded: a number beyond the largest, 448, becomes NaN, whose bits are all ones.
// CHECK-LABEL: func.func @arithmetic(
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[A:.+]]: i8, %{{.+}}: i8):
// CHECK:           arith.extui %[[A]] : i8 to i32
// CHECK:           %[[ROOT:.+]] = math.sqrt %{{.+}} : f32
// CHECK:           arith.bitcast %[[ROOT]] : f32 to i32
// CHECK:           arith.cmpi sgt, %{{.+}}, %{{.+}} : i32
// CHECK:           %[[BITS:.+]] = arith.trunci %{{.+}} : i32 to i8
// CHECK-NEXT:      linalg.yield %[[BITS]] : i8
func.func @arithmetic(%x: tensor<5xf8E4M3FN>) -> tensor<5xf8E4M3FN> {
  %r = math.sqrt %x : tensor<5xf8E4M3FN>
  return %r : tensor<5xf8E4M3FN>
}

// A matmul stays a contraction, of the extended factors.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %{{.+}}: tensor<8x4xi8>, %{{.+}}: tensor<4x6xi8>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           arith.mulf
// CHECK:           arith.addf
func.func @matmul(%a: tensor<8x4xf8E5M2>, %b: tensor<4x6xf8E4M3FNUZ>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf8E5M2>, tensor<4x6xf8E4M3FNUZ>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// A scale is the nearest power of 2.
// CHECK-LABEL: func.func @scaled(
// CHECK:         linalg.generic
// CHECK:           %[[V:.+]] = arith.mulf %{{.+}}, %{{.+}} : f16
// CHECK:           linalg.yield %[[V]] : f16
func.func @scaled(%x: tensor<5xf4E2M1FN>, %s: tensor<5xf8E8M0FNU>) -> tensor<5xf16> {
  %r = arith.scaling_extf %x, %s : tensor<5xf4E2M1FN>, tensor<5xf8E8M0FNU> to tensor<5xf16>
  return %r : tensor<5xf16>
}

// A reinterpretation keeps the bits: those of 4 bits are the low ones of a byte.
// CHECK-LABEL: func.func @bits(
// CHECK-SAME:    %[[X:.+]]: tensor<4xi8>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<4xi8>)
// CHECK-NEXT:    ^bb0(%[[A:.+]]: i8, %{{.+}}: i8):
// CHECK-NEXT:      %[[A4:.+]] = arith.trunci %[[A]] : i8 to i4
// CHECK-NEXT:      %[[R:.+]] = arith.extui %[[A4]] : i4 to i8
// CHECK-NEXT:      linalg.yield %[[R]] : i8
func.func @bits(%x: tensor<4xi4>) -> tensor<4xf4E2M1FN> {
  %r = tensor.bitcast %x : tensor<4xi4> to tensor<4xf4E2M1FN>
  return %r : tensor<4xf4E2M1FN>
}

// Weights are not copied if their bytes are right: those of floats, and integers extended by their sign.
// CHECK-LABEL: func.func @weights(
// CHECK-DAG:     arith.constant dense_resource<floats> : tensor<4xi8>
// CHECK-DAG:     arith.constant dense_resource<extended> : tensor<3xi8>
// CHECK-DAG:     arith.constant dense<[-1, 1, -8]> : tensor<3xi8>
func.func @weights() -> (tensor<4xf8E5M2>, tensor<3xi4>, tensor<3xi4>) {
  %f = arith.constant dense_resource<floats> : tensor<4xf8E5M2>
  %i = arith.constant dense_resource<extended> : tensor<3xi4>
  %j = arith.constant dense_resource<not_extended> : tensor<3xi4>
  return %f, %i, %j : tensor<4xf8E5M2>, tensor<3xi4>, tensor<3xi4>
}

// Declarations change, too. Functions of other types stay as they are.
// CHECK-LABEL: func.func private @outside(tensor<4xi8>, i8) -> tensor<4xi32>
func.func private @outside(tensor<4xi6>, f8E3M4) -> tensor<4xi17>
// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    %[[S:.+]] = arith.addf %{{.+}}, %{{.+}} : tensor<4xbf16>
// CHECK-NEXT:    return %[[S]] : tensor<4xbf16>
func.func @other(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %s = arith.addf %x, %x : tensor<4xbf16>
  return %s : tensor<4xbf16>
}

{-#
  dialect_resources: {
    builtin: {
      floats: "0x01000000003C7C80",
      extended: "0x01000000FF01F8",
      not_extended: "0x010000000F0108"
    }
  }
#-}
