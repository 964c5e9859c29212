// Tensors whose bits are read as another type, and tensors of indices.
// RUN: lw-run %s --entry expected --output %t.bits.npy --output %t.rows.npy
// RUN: lw-run %s --entry main --check %t.bits.npy --check %t.rows.npy --execute input | FileCheck %s
// RUN: lw-run %s --entry main --check %t.bits.npy --check %t.rows.npy --execute loop | FileCheck %s
// RUN: lw-run %s --entry main --check %t.bits.npy --check %t.rows.npy --target x86 | FileCheck %s
// RUN: lw-run %s --entry main --check %t.bits.npy --check %t.rows.npy --target sm_80 --device emulator | FileCheck %s
// CHECK-COUNT-2: max error 0{{.*}}passed
#id = affine_map<(i) -> (i)>
func.func @main() -> (tensor<2xi32>, tensor<3xf32>) {
  %x = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %bits = tensor.bitcast %x : tensor<2xf32> to tensor<2xi32>

  %table = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %i = arith.constant dense<[3, 0, 2]> : tensor<3xi32>
  %first = arith.constant dense<[0, 1, 1]> : tensor<3xindex>
  %second = arith.index_cast %i : tensor<3xi32> to tensor<3xindex>
  %sum = arith.addi %first, %second : tensor<3xindex>
  %e = tensor.empty() : tensor<3xf32>
  %rows = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<3xindex>) outs(%e : tensor<3xf32>) {
  ^bb0(%at: index, %o: f32):
    %v = tensor.extract %table[%at] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %bits, %rows : tensor<2xi32>, tensor<3xf32>
}
func.func @expected() -> (tensor<2xi32>, tensor<3xf32>) {
  %bits = arith.constant dense<[0x3F800000, 0xC0000000]> : tensor<2xi32>
  %rows = arith.constant dense<[40.0, 20.0, 40.0]> : tensor<3xf32>
  return %bits, %rows : tensor<2xi32>, tensor<3xf32>
}
