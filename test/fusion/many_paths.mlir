// A graph with 2^70 paths from a weight to its result, as residual connections make them.
// RUN: sed '/^\/\//d' %s > deep.mlir
// RUN: for i in $(seq 70); do echo "%%e$i = linalg.exp ins(%%v$((i - 1)) : tensor<4xf32>) outs(%%o : tensor<4xf32>) -> tensor<4xf32> %%v$i = linalg.add ins(%%e$i, %%v$((i - 1)) : tensor<4xf32>, tensor<4xf32>) outs(%%o : tensor<4xf32>) -> tensor<4xf32>"; done >> deep.mlir
// RUN: echo 'return %%v70 : tensor<4xf32> }' >> deep.mlir
// RUN: lw-opt deep.mlir --graph-fuse-ops=separate-weights=true | FileCheck %s
// CHECK: graph.fusion
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
%w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
%o = tensor.empty() : tensor<4xf32>
%v0 = linalg.add ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
