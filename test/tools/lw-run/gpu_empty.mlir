// With no rows, threads do not change the order of a sum: the kernel does nothing, whatever the contract.
// RUN: lw-run %s --target sm_80 --fp strict --compile-to gpu | FileCheck %s
// RUN: lw-run %s --target sm_90a --fp strict --device emulator --profile | FileCheck %s --check-prefix=EMULATED

// CHECK:      gpu.func @main_0
// CHECK-NEXT:   gpu.return

// EMULATED: result 0: 0xf32
// EMULATED: global loads            0 bytes
// EMULATED: global stores           0 bytes

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>

func.func @main() -> tensor<0xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<0x5xf32>
  %x = linalg.fill ins(%zero : f32) outs(%none : tensor<0x5xf32>) -> tensor<0x5xf32>
  %rows = tensor.empty() : tensor<0xf32>
  %start = linalg.fill ins(%zero : f32) outs(%rows : tensor<0xf32>) -> tensor<0xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<0x5xf32>) outs(%start : tensor<0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = arith.maximumf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<0xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %max : tensor<0x5xf32>, tensor<0xf32>) outs(%start : tensor<0xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %d = arith.subf %a, %m : f32
    %y = arith.addf %b, %d : f32
    linalg.yield %y : f32
  } -> tensor<0xf32>
  return %sum : tensor<0xf32>
}
