// Transposes have no bank conflicts, whatever the width of their elements.
// RUN: lw-run %s --entry make --target x86 --output a.npy --output b.npy --output c.npy --output d.npy
// RUN: lw-run %s --target x86 --input a.npy --input b.npy --input c.npy --input d.npy \
// RUN:   --output ta.npy --output tb.npy --output tc.npy --output td.npy
// RUN: lw-run %s --target sm_80 --device emulator --profile --input a.npy --input b.npy --input c.npy --input d.npy \
// RUN:   --check ta.npy --check tb.npy --check tc.npy --check td.npy | FileCheck %s
// CHECK-COUNT-4: passed
// CHECK:         kernel                  main_0
// CHECK:         shared loads            61440 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK-NEXT:    shared stores           61440 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK:         kernel                  main_1
// CHECK:         shared loads            30720 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK-NEXT:    shared stores           30720 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK:         kernel                  main_2
// CHECK:         shared loads            15360 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK-NEXT:    shared stores           15360 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK:         kernel                  main_3
// CHECK:         shared loads            7680 bytes, {{.*}}, 0 of them by bank conflicts
// CHECK-NEXT:    shared stores           7680 bytes, {{.*}}, 0 of them by bank conflicts
func.func @main(%a: tensor<96x80xi64>, %b: tensor<96x80xi32>, %c: tensor<96x80xi16>, %d: tensor<96x80xi8>)
    -> (tensor<80x96xi64>, tensor<80x96xi32>, tensor<80x96xi16>, tensor<80x96xi8>) {
  %ea = tensor.empty() : tensor<80x96xi64>
  %ta = linalg.transpose ins(%a : tensor<96x80xi64>) outs(%ea : tensor<80x96xi64>) permutation = [1, 0]
  %eb = tensor.empty() : tensor<80x96xi32>
  %tb = linalg.transpose ins(%b : tensor<96x80xi32>) outs(%eb : tensor<80x96xi32>) permutation = [1, 0]
  %ec = tensor.empty() : tensor<80x96xi16>
  %tc = linalg.transpose ins(%c : tensor<96x80xi16>) outs(%ec : tensor<80x96xi16>) permutation = [1, 0]
  %ed = tensor.empty() : tensor<80x96xi8>
  %td = linalg.transpose ins(%d : tensor<96x80xi8>) outs(%ed : tensor<80x96xi8>) permutation = [1, 0]
  return %ta, %tb, %tc, %td : tensor<80x96xi64>, tensor<80x96xi32>, tensor<80x96xi16>, tensor<80x96xi8>
}

// Each element has its linear index, truncated to the element type.
func.func @make() -> (tensor<96x80xi64>, tensor<96x80xi32>, tensor<96x80xi16>, tensor<96x80xi8>) {
  %ea = tensor.empty() : tensor<96x80xi64>
  %eb = tensor.empty() : tensor<96x80xi32>
  %ec = tensor.empty() : tensor<96x80xi16>
  %ed = tensor.empty() : tensor<96x80xi8>
  %r:4 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      outs(%ea, %eb, %ec, %ed : tensor<96x80xi64>, tensor<96x80xi32>, tensor<96x80xi16>, tensor<96x80xi8>) {
  ^bb0(%oa: i64, %ob: i32, %oc: i16, %od: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c80 = arith.constant 80 : index
    %row = arith.muli %i, %c80 : index
    %cell = arith.addi %row, %j : index
    %a = arith.index_cast %cell : index to i64
    %b = arith.trunci %a : i64 to i32
    %c = arith.trunci %a : i64 to i16
    %d = arith.trunci %a : i64 to i8
    linalg.yield %a, %b, %c, %d : i64, i32, i16, i8
  } -> (tensor<96x80xi64>, tensor<96x80xi32>, tensor<96x80xi16>, tensor<96x80xi8>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<96x80xi64>, tensor<96x80xi32>, tensor<96x80xi16>, tensor<96x80xi8>
}
