// Matrix products with start values other than 0, and with narrow factors: default schedules, equal to the last bit to
// the interpretation of the unscheduled module.
// RUN: lw-run %s --entry make --output x.npy --output w.npy --output c.npy --output h.npy
// RUN: lw-run %s --entry convolution --input x.npy --input w.npy --input c.npy --output r.npy
// RUN: lw-run %s --entry convolution --target sm_80 --device emulator --rtol 0 --atol 0 \
// RUN:   --input x.npy --input w.npy --input c.npy --check r.npy | FileCheck %s
// RUN: lw-run %s --entry convolution --target x86 --rtol 0 --atol 0 \
// RUN:   --input x.npy --input w.npy --input c.npy --check r.npy | FileCheck %s
// RUN: lw-run %s --entry turned --input h.npy --input w.npy --output t.npy
// RUN: lw-run %s --entry turned --target sm_90a --device emulator --rtol 0 --atol 0 \
// RUN:   --input h.npy --input w.npy --check t.npy | FileCheck %s
// RUN: lw-run %s --entry turned --target x86 --rtol 0 --atol 0 --input h.npy --input w.npy --check t.npy | FileCheck %s
// CHECK: max error 0.000e0 (bound 0.000e0): passed
func.func @convolution(%x: tensor<2x3x11x12xf32>, %w: tensor<20x3x3x3xf32>, %c: tensor<20xf32>) -> tensor<2x20x9x10xf32> {
  %e = tensor.empty() : tensor<2x20x9x10xf32>
  %b = linalg.broadcast ins(%c : tensor<20xf32>) outs(%e : tensor<2x20x9x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x11x12xf32>, tensor<20x3x3x3xf32>)
      outs(%b : tensor<2x20x9x10xf32>) -> tensor<2x20x9x10xf32>
  return %r : tensor<2x20x9x10xf32>
}

// From the weights, transposed; with f16 factors.
func.func @turned(%h: tensor<27x20xf16>, %w: tensor<20x3x3x3xf32>) -> tensor<27x27xf32> {
  %rows = tensor.collapse_shape %w [[0], [1, 2, 3]] : tensor<20x3x3x3xf32> into tensor<20x27xf32>
  %e = tensor.empty() : tensor<27x20xf32>
  %start = linalg.transpose ins(%rows : tensor<20x27xf32>) outs(%e : tensor<27x20xf32>) permutation = [1, 0]
  %square = tensor.extract_slice %h[0, 0] [20, 20] [1, 1] : tensor<27x20xf16> to tensor<20x20xf16>
  %p = linalg.matmul ins(%h, %square : tensor<27x20xf16>, tensor<20x20xf16>) outs(%start : tensor<27x20xf32>) -> tensor<27x20xf32>
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<27x27xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<27x27xf32>) -> tensor<27x27xf32>
  %r = linalg.matmul ins(%p, %rows : tensor<27x20xf32>, tensor<20x27xf32>) outs(%z : tensor<27x27xf32>) -> tensor<27x27xf32>
  return %r : tensor<27x27xf32>
}

func.func @make() -> (tensor<2x3x11x12xf32>, tensor<20x3x3x3xf32>, tensor<20xf32>, tensor<27x20xf16>) {
  %ex = tensor.empty() : tensor<2x3x11x12xf32>
  %x = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%ex : tensor<2x3x11x12xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %ij = arith.addi %i, %j : index
    %kl = arith.muli %k, %l : index
    %n = arith.addi %ij, %kl : index
    %m = arith.index_cast %n : index to i32
    %f = arith.sitofp %m : i32 to f32
    %s = math.sin %f : f32
    linalg.yield %s : f32
  } -> tensor<2x3x11x12xf32>
  %ew = tensor.empty() : tensor<20x3x3x3xf32>
  %w = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%ew : tensor<20x3x3x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %ij = arith.muli %i, %j : index
    %kl = arith.addi %k, %l : index
    %n = arith.addi %ij, %kl : index
    %m = arith.index_cast %n : index to i32
    %f = arith.sitofp %m : i32 to f32
    %s = math.cos %f : f32
    linalg.yield %s : f32
  } -> tensor<20x3x3x3xf32>
  %ec = tensor.empty() : tensor<20xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ec : tensor<20xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %m = arith.index_cast %i : index to i32
    %f = arith.sitofp %m : i32 to f32
    %s = math.sqrt %f : f32
    linalg.yield %s : f32
  } -> tensor<20xf32>
  %eh = tensor.empty() : tensor<27x20xf16>
  %h = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%eh : tensor<27x20xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = arith.muli %i, %j : index
    %m = arith.index_cast %n : index to i32
    %f = arith.sitofp %m : i32 to f16
    %s = math.sin %f : f16
    linalg.yield %s : f16
  } -> tensor<27x20xf16>
  return %x, %w, %c, %h : tensor<2x3x11x12xf32>, tensor<20x3x3x3xf32>, tensor<20xf32>, tensor<27x20xf16>
}
