// A tile has rows of several lines of an image if one line has too few for the registers of the processor.
// RUN: lw-run %s --target x86 --cpu haswell --fp fast --print-schedule | FileCheck %s

// CHECK-LABEL: transform.sched.function @main in
// CHECK: sample_categorical "conv_2d_nchw_fchw.columns" in %f candidates [8, 16] decision 16
// CHECK: sample_categorical "conv_2d_nchw_fchw.rows" in %f candidates [{{.*}}] decision 3
// CHECK: sample_categorical "conv_2d_nchw_fchw.lines" in %f candidates [{{.*}}] decision 2
// CHECK: split "[[B:out_global_temp_buffer]]:l" in %f factors "-1, $conv_2d_nchw_fchw.rows"
// CHECK: split "[[B]]:j" in %f factors "-1, $conv_2d_nchw_fchw.columns"
// CHECK: split "[[B]]:k" in %f factors "-1, $conv_2d_nchw_fchw.lines"
// CHECK: reorder ["[[B]]:j.0", "[[B]]:i", "[[B]]:k.0", "[[B]]:l.0", "[[B]]:m", "[[B]]:n", "[[B]]:o", "[[B]]:k.1", "[[B]]:l.1", "[[B]]:j.1"] in %f
// CHECK: vectorize "[[B]]:j.1" in %f
// CHECK: unroll "[[B]]:k.1" in %f
// CHECK: unroll "[[B]]:l.1" in %f
func.func @main(%x: tensor<1x256x16x16xf32>, %w: tensor<256x256x3x3xf32>) -> tensor<1x256x14x14xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x256x14x14xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
  return %r : tensor<1x256x14x14xf32>
}
