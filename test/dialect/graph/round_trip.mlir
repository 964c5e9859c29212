// RUN: lw-opt %s | FileCheck %s
// RUN: lw-opt %s | lw-opt | FileCheck %s
// RUN: lw-opt %s --mlir-print-op-generic | lw-opt | FileCheck %s
// RUN: lw-opt %s --emit-bytecode | lw-opt | FileCheck %s

// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK: graph.add %arg0, %arg1 : tensor<?x3xf32>
  %0 = graph.add %x, %y : tensor<?x3xf32>
  // CHECK: graph.sub
  %1 = graph.sub %0, %y : tensor<?x3xf32>
  // CHECK: graph.mul
  %2 = graph.mul %1, %y : tensor<?x3xf32>
  // CHECK: graph.div
  %3 = graph.div %2, %y : tensor<?x3xf32>
  // CHECK: graph.max
  %4 = graph.max %3, %y : tensor<?x3xf32>
  // CHECK: graph.min
  %5 = graph.min %4, %y : tensor<?x3xf32>
  // CHECK: graph.exp %{{.*}} : tensor<?x3xf32>
  %6 = graph.exp %5 : tensor<?x3xf32>
  // CHECK: graph.neg
  %7 = graph.neg %6 : tensor<?x3xf32>
  // CHECK: graph.relu
  %8 = graph.relu %7 : tensor<?x3xf32>
  return %8 : tensor<?x3xf32>
}

// CHECK-LABEL: @others
func.func @others(%a: tensor<2x3xi32>, %b: tensor<4x3xi32>, %v: tensor<3xf16>, %n: index) -> tensor<2xi32> {
  // CHECK: graph.constant dense<[1, 2]> : tensor<2xi32>
  %c = graph.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: graph.matmul %arg0, %arg1 transpose_b : tensor<2x3xi32>, tensor<4x3xi32> -> tensor<2x4xi32>
  %m = graph.matmul %a, %b transpose_b : tensor<2x3xi32>, tensor<4x3xi32> -> tensor<2x4xi32>
  // CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<2x4xi32> -> tensor<2xi32>
  %r = graph.reduce max %m dims = [1] : tensor<2x4xi32> -> tensor<2xi32>
  // CHECK: graph.reduce add %{{.*}} dims = [0, 1] keep_dims : tensor<2x4xi32> -> tensor<1x1xi32>
  %k = graph.reduce add %m dims = [0, 1] keep_dims : tensor<2x4xi32> -> tensor<1x1xi32>
  // CHECK: graph.broadcast %{{.*}} dims = [1] sizes(%arg3) : tensor<3xf16> to tensor<?x3xf16>
  %w = graph.broadcast %v dims = [1] sizes(%n) : tensor<3xf16> to tensor<?x3xf16>
  // CHECK: graph.transpose %{{.*}} perm = [1, 0] : tensor<?x3xf16> to tensor<3x?xf16>
  %t = graph.transpose %w perm = [1, 0] : tensor<?x3xf16> to tensor<3x?xf16>
  // CHECK: graph.fusion -> tensor<2xi32>, tensor<2xi32> {
  // CHECK: graph.yield_store
  // CHECK: graph.yield %{{.*}}, %{{.*}} : tensor<2xi32>, tensor<2xi32>
  %f:2 = graph.fusion -> tensor<2xi32>, tensor<2xi32> {
    %s = graph.add %r, %c : tensor<2xi32>
    %0 = graph.yield_store %s : tensor<2xi32>
    %1 = graph.yield_store %r : tensor<2xi32>
    graph.yield %0, %1 : tensor<2xi32>, tensor<2xi32>
  }
  return %f#0 : tensor<2xi32>
}

// CHECK-LABEL: @each_form
func.func @each_form(%x: tensor<?x4xf32>, %v: f32, %n: index, %image: tensor<1x4x8x8xf32>, %w: tensor<6x2x3x3xf32>,
                     %four: tensor<4xf32>, %i: tensor<2x2xi64>, %places: tensor<6xi32>) {
  // CHECK: graph.full %arg1 : f32 to tensor<8x4xf32>
  %0 = graph.full %v : f32 to tensor<8x4xf32>
  // CHECK: graph.full %arg1 sizes(%arg2) : f32 to tensor<?x4xf32>
  %1 = graph.full %v sizes(%n) : f32 to tensor<?x4xf32>
  // CHECK: graph.iota dim = 1 : tensor<2x3xi32>
  %2 = graph.iota dim = 1 : tensor<2x3xi32>
  // CHECK: graph.bias_add %arg3, %arg5 dim = 1 : tensor<1x4x8x8xf32>, tensor<4xf32>
  %3 = graph.bias_add %image, %four dim = 1 : tensor<1x4x8x8xf32>, tensor<4xf32>
  // CHECK: graph.conv channels_first %arg3, %arg4 strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 2 : tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32> -> tensor<1x6x8x8xf32>
  %4 = graph.conv channels_first %image, %w strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 2 : tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32> -> tensor<1x6x8x8xf32>
  // CHECK: graph.pool max channels_first %arg3 window = [2, 2] strides = [2, 2] : tensor<1x4x8x8xf32> -> tensor<1x4x4x4xf32>
  %5 = graph.pool max channels_first %image window = [2, 2] strides = [2, 2] : tensor<1x4x8x8xf32> -> tensor<1x4x4x4xf32>
  // CHECK: graph.pool average channels_last %arg3 window = [2, 2] low = [1, 0] high = [0, 0] count_padding : tensor<1x4x8x8xf32> -> tensor<1x4x7x8xf32>
  %6 = graph.pool average channels_last %image window = [2, 2] low = [1, 0] high = [0, 0] count_padding : tensor<1x4x8x8xf32> -> tensor<1x4x7x8xf32>
  // CHECK: graph.mean %arg0 dims = [1] : tensor<?x4xf32> -> tensor<?xf32>
  %7 = graph.mean %x dims = [1] : tensor<?x4xf32> -> tensor<?xf32>
  // CHECK: graph.variance %arg0 dims = [1] keep_dims {correction = 1 : i64} : tensor<?x4xf32> -> tensor<?x1xf32>
  %8 = graph.variance %x dims = [1] keep_dims {correction = 1 : i64} : tensor<?x4xf32> -> tensor<?x1xf32>
  // CHECK: graph.std %arg0 dims = [1] : tensor<?x4xf32> -> tensor<?xf32>
  %9 = graph.std %x dims = [1] : tensor<?x4xf32> -> tensor<?xf32>
  // CHECK: graph.argmax %arg0 dim = 1 : tensor<?x4xf32> -> tensor<?xi64>
  %10 = graph.argmax %x dim = 1 : tensor<?x4xf32> -> tensor<?xi64>
  // CHECK: graph.argmin %arg0 dim = 1 keep_dims : tensor<?x4xf32> -> tensor<?x1xi32>
  %11 = graph.argmin %x dim = 1 keep_dims : tensor<?x4xf32> -> tensor<?x1xi32>
  // CHECK: graph.softmax %arg0 dim = 1 : tensor<?x4xf32>
  %12 = graph.softmax %x dim = 1 : tensor<?x4xf32>
  // CHECK: graph.log_softmax %arg0 dim = 1 : tensor<?x4xf32>
  %13 = graph.log_softmax %x dim = 1 : tensor<?x4xf32>
  // CHECK: graph.layer_norm %arg0, %arg5, %arg5 epsilon = 1.000000e-05 : tensor<?x4xf32>, tensor<4xf32>
  %14 = graph.layer_norm %x, %four, %four epsilon = 1.000000e-05 : tensor<?x4xf32>, tensor<4xf32>
  // CHECK: graph.rms_norm %arg0, %arg5 epsilon = 1.000000e-05 : tensor<?x4xf32>, tensor<4xf32>
  %15 = graph.rms_norm %x, %four epsilon = 1.000000e-05 : tensor<?x4xf32>, tensor<4xf32>
  // CHECK: graph.batch_norm %arg3, %arg5, %arg5, %arg5, %arg5 dim = 1 epsilon = 1.000000e-05 : tensor<1x4x8x8xf32>, tensor<4xf32>
  %16 = graph.batch_norm %image, %four, %four, %four, %four dim = 1 epsilon = 1.000000e-05 : tensor<1x4x8x8xf32>, tensor<4xf32>
  // CHECK: graph.reshape %arg0 sizes(%arg2) : tensor<?x4xf32> to tensor<?x2x2xf32>
  %17 = graph.reshape %x sizes(%n) : tensor<?x4xf32> to tensor<?x2x2xf32>
  // CHECK: graph.expand_dims %arg0 dims = [0] : tensor<?x4xf32> -> tensor<1x?x4xf32>
  %18 = graph.expand_dims %x dims = [0] : tensor<?x4xf32> -> tensor<1x?x4xf32>
  // CHECK: graph.squeeze %arg3 dims = [0] : tensor<1x4x8x8xf32> -> tensor<4x8x8xf32>
  %19 = graph.squeeze %image dims = [0] : tensor<1x4x8x8xf32> -> tensor<4x8x8xf32>
  // CHECK: graph.slice %arg0 dims = [1] starts = [0] ends = [-1] steps = [2] : tensor<?x4xf32> -> tensor<?x2xf32>
  %20 = graph.slice %x dims = [1] starts = [0] ends = [-1] steps = [2] : tensor<?x4xf32> -> tensor<?x2xf32>
  // CHECK: graph.concat %arg0, %arg0 dim = 0 : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %21 = graph.concat %x, %x dim = 0 : tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  // CHECK: graph.stack %arg5, %arg5 dim = 0 : tensor<4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  %22 = graph.stack %four, %four dim = 0 : tensor<4xf32>, tensor<4xf32> -> tensor<2x4xf32>
  // CHECK: graph.pad %arg0, %arg1 low = [0, 1] high = [0, 2] : tensor<?x4xf32>, f32 -> tensor<?x7xf32>
  %23 = graph.pad %x, %v low = [0, 1] high = [0, 2] : tensor<?x4xf32>, f32 -> tensor<?x7xf32>
  // CHECK: graph.flip %arg0 dims = [1] : tensor<?x4xf32>
  %24 = graph.flip %x dims = [1] : tensor<?x4xf32>
  // CHECK: graph.tile %arg0 repeats = [1, 2] : tensor<?x4xf32> -> tensor<?x8xf32>
  %25 = graph.tile %x repeats = [1, 2] : tensor<?x4xf32> -> tensor<?x8xf32>
  // CHECK: graph.repeat %arg0 dim = 1 count = 2 : tensor<?x4xf32> -> tensor<?x8xf32>
  %26 = graph.repeat %x dim = 1 count = 2 : tensor<?x4xf32> -> tensor<?x8xf32>
  // CHECK: graph.layout_transform %arg5 dims = [0] tiles = [3] : tensor<4xf32> to tensor<2x3xf32>
  %27 = graph.layout_transform %four dims = [0] tiles = [3] : tensor<4xf32> to tensor<2x3xf32>
  // CHECK: graph.take %arg0, %arg6 dim = 1 : tensor<?x4xf32>, tensor<2x2xi64> -> tensor<?x2x2xf32>
  %28 = graph.take %x, %i dim = 1 : tensor<?x4xf32>, tensor<2x2xi64> -> tensor<?x2x2xf32>
  // CHECK: graph.gather_elements %arg5, %arg7 dim = 0 : tensor<4xf32>, tensor<6xi32> -> tensor<6xf32>
  %29 = graph.gather_elements %four, %places dim = 0 : tensor<4xf32>, tensor<6xi32> -> tensor<6xf32>
  // CHECK: graph.elu %arg0 alpha = 1.000000e+00 : tensor<?x4xf32>
  %30 = graph.elu %x alpha = 1.000000e+00 : tensor<?x4xf32>
  // CHECK: graph.isnan %arg0 : tensor<?x4xf32> -> tensor<?x4xi1>
  %31 = graph.isnan %x : tensor<?x4xf32> -> tensor<?x4xi1>
  // CHECK: graph.cast %arg0 : tensor<?x4xf32> to tensor<?x4xi8>
  %32 = graph.cast %x : tensor<?x4xf32> to tensor<?x4xi8>
  // CHECK: graph.div %arg7, %arg7 unsigned : tensor<6xi32>
  %33 = graph.div %places, %places unsigned : tensor<6xi32>
  // CHECK: graph.compare ge %arg7, %arg7 unsigned : tensor<6xi32> -> tensor<6xi1>
  %34 = graph.compare ge %places, %places unsigned : tensor<6xi32> -> tensor<6xi1>
  // CHECK: graph.split %arg5 dim = 0 sizes = [1, 3] : tensor<4xf32> -> tensor<1xf32>, tensor<3xf32>
  %parts:2 = graph.split %four dim = 0 sizes = [1, 3] : tensor<4xf32> -> tensor<1xf32>, tensor<3xf32>
  return
}

// CHECK-LABEL: @ordered_and_indexed
func.func @ordered_and_indexed(%x: tensor<?x4xf32>, %n: tensor<6xi32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>,
                               %w: tensor<3xf32>, %v: f32, %i1: tensor<3x1xi64>) {
  // CHECK: graph.sort %arg0 dim = 1 : tensor<?x4xf32> -> tensor<?x4xf32>, tensor<?x4xi64>
  %0:2 = graph.sort %x dim = 1 : tensor<?x4xf32> -> tensor<?x4xf32>, tensor<?x4xi64>
  // CHECK: graph.sort %arg1 dim = 0 descending unsigned : tensor<6xi32> -> tensor<6xi32>, tensor<6xi64>
  %1:2 = graph.sort %n dim = 0 descending unsigned : tensor<6xi32> -> tensor<6xi32>, tensor<6xi64>
  // CHECK: graph.topk %arg0 k = 3 dim = 1 : tensor<?x4xf32> -> tensor<?x3xf32>, tensor<?x3xi64>
  %2:2 = graph.topk %x k = 3 dim = 1 : tensor<?x4xf32> -> tensor<?x3xf32>, tensor<?x3xi64>
  // CHECK: graph.topk %arg1 k = 3 dim = 0 smallest unsigned : tensor<6xi32> -> tensor<3xi32>, tensor<3xi64>
  %3:2 = graph.topk %n k = 3 dim = 0 smallest unsigned : tensor<6xi32> -> tensor<3xi32>, tensor<3xi64>
  // CHECK: graph.scan add %arg0 dim = 1 : tensor<?x4xf32>
  %4 = graph.scan add %x dim = 1 : tensor<?x4xf32>
  // CHECK: graph.scan max %arg1 dim = 0 exclusive reverse unsigned : tensor<6xi32>
  %5 = graph.scan max %n dim = 0 exclusive reverse unsigned : tensor<6xi32>
  // CHECK: graph.gather_nd %arg0, %arg2 : tensor<?x4xf32>, tensor<3x2xi64> -> tensor<3xf32>
  %6 = graph.gather_nd %x, %i : tensor<?x4xf32>, tensor<3x2xi64> -> tensor<3xf32>
  // CHECK: graph.gather_nd %arg3, %arg6 batch_dims = 1 : tensor<3x2xf32>, tensor<3x1xi64> -> tensor<3xf32>
  %7 = graph.gather_nd %u, %i1 batch_dims = 1 : tensor<3x2xf32>, tensor<3x1xi64> -> tensor<3xf32>
  // CHECK: graph.scatter_elements replace %arg0, %arg2, %arg3 dim = 1 : tensor<?x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>
  %8 = graph.scatter_elements replace %x, %i, %u dim = 1 : tensor<?x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>
  // CHECK: graph.scatter_elements max %arg1, %arg1, %arg1 dim = 0 unsigned : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
  %9 = graph.scatter_elements max %n, %n, %n dim = 0 unsigned : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
  // CHECK: graph.scatter_nd add %arg0, %arg2, %arg4 : tensor<?x4xf32>, tensor<3x2xi64>, tensor<3xf32>
  %10 = graph.scatter_nd add %x, %i, %w : tensor<?x4xf32>, tensor<3x2xi64>, tensor<3xf32>
  // CHECK: graph.one_hot %arg2, %arg5, %arg5 depth = 10 dim = 1 : tensor<3x2xi64>, f32 -> tensor<3x10x2xf32>
  %11 = graph.one_hot %i, %v, %v depth = 10 dim = 1 : tensor<3x2xi64>, f32 -> tensor<3x10x2xf32>
  return
}

// CHECK-LABEL: @of_channels
func.func @of_channels(%x: tensor<?x4xf32>, %four: tensor<4xf32>, %scale: tensor<f32>, %zero: tensor<i8>, %zeros: tensor<4xi8>) {
  // CHECK: graph.selu %arg0 : tensor<?x4xf32>
  %0 = graph.selu %x : tensor<?x4xf32>
  // CHECK: graph.exp2 %arg0 : tensor<?x4xf32>
  %1 = graph.exp2 %x : tensor<?x4xf32>
  // CHECK: graph.log2 %arg0 : tensor<?x4xf32>
  %2 = graph.log2 %x : tensor<?x4xf32>
  // CHECK: graph.prelu %arg0, %arg1 dim = 1 : tensor<?x4xf32>, tensor<4xf32>
  %3 = graph.prelu %x, %four dim = 1 : tensor<?x4xf32>, tensor<4xf32>
  // CHECK: graph.logsumexp %arg0 dims = [1] keep_dims : tensor<?x4xf32> -> tensor<?x1xf32>
  %4 = graph.logsumexp %x dims = [1] keep_dims : tensor<?x4xf32> -> tensor<?x1xf32>
  // CHECK: graph.group_norm %arg0, %arg1, %arg1 groups = 2 epsilon = 1.000000e-05 : tensor<?x4xf32>, tensor<4xf32>
  %5 = graph.group_norm %x, %four, %four groups = 2 epsilon = 1.000000e-05 : tensor<?x4xf32>, tensor<4xf32>
  // CHECK: graph.quantize %arg0, %arg2, %arg3 : tensor<?x4xf32>, tensor<f32>, tensor<i8> -> tensor<?x4xi8>
  %6 = graph.quantize %x, %scale, %zero : tensor<?x4xf32>, tensor<f32>, tensor<i8> -> tensor<?x4xi8>
  // CHECK: graph.quantize %arg0, %arg1, %arg4 dim = 1 unsigned : tensor<?x4xf32>, tensor<4xf32>, tensor<4xi8> -> tensor<?x4xi8>
  %7 = graph.quantize %x, %four, %zeros dim = 1 unsigned : tensor<?x4xf32>, tensor<4xf32>, tensor<4xi8> -> tensor<?x4xi8>
  // CHECK: graph.dequantize %{{.*}}, %arg1, %arg4 dim = 1 unsigned : tensor<?x4xi8>, tensor<4xf32>, tensor<4xi8> -> tensor<?x4xf32>
  %8 = graph.dequantize %7, %four, %zeros dim = 1 unsigned : tensor<?x4xi8>, tensor<4xf32>, tensor<4xi8> -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: @data_sized
func.func @data_sized(%x: tensor<3x4xf32>, %n: tensor<?xi32>) {
  // CHECK: graph.nonzero %arg0 : tensor<3x4xf32> -> tensor<12x2xi64>, tensor<i64>
  %0:2 = graph.nonzero %x : tensor<3x4xf32> -> tensor<12x2xi64>, tensor<i64>
  // CHECK: graph.unique %arg1 unsigned : tensor<?xi32> -> tensor<?xi32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
  %1:5 = graph.unique %n unsigned : tensor<?xi32> -> tensor<?xi32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<i64>
  return
}
