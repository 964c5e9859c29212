// Compiled code of a convolution by Winograd's algorithm beside the interpreter.
// RUN: lw-run %s --input random --output %t.npy
// RUN: lw-run %s --target x86 --cpu haswell --fp fast --compile-to schedule | FileCheck %s
// RUN: lw-run %s --input random --target x86 --cpu haswell --fp fast --threads 2 --rtol 2e-6 --atol 0 --check %t.npy

// CHECK: arith.select
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

func.func @main(%x: tensor<1x56x9x16xf32>) -> tensor<1x56x7x14xf32> {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<56x56x3x3xf32>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<56x56x3x3xf32>) {
  ^bb0(%o: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %4 = arith.muli %0, %1 : index
    %5 = arith.addi %4, %2 : index
    %6 = arith.muli %5, %3 : index
    %7 = arith.addi %6, %0 : index
    %8 = arith.subi %7, %2 : index
    %9 = arith.remsi %8, %c7 : index
    %10 = arith.index_cast %9 : index to i32
    %11 = arith.sitofp %10 : i32 to f32
    linalg.yield %11 : f32
  } -> tensor<56x56x3x3xf32>
  %e = tensor.empty() : tensor<1x56x7x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x7x14xf32>) -> tensor<1x56x7x14xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x56x9x16xf32>, tensor<56x56x3x3xf32>) outs(%f : tensor<1x56x7x14xf32>) -> tensor<1x56x7x14xf32>
  return %y : tensor<1x56x7x14xf32>
}
