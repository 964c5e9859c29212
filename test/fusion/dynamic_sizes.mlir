// RUN: lw-opt %s --split-input-file --graph-fuse-ops='explain=true' 2>&1 >/dev/null | FileCheck %s
// RUN: lw-opt %s --split-input-file --graph-fuse-ops 2>/dev/null | FileCheck %s --check-prefix=IR

// Reshapes of dynamic size that only add or remove dimensions of one element keep the elements in their dimensions. The product
// reads the result of the first one, and the last one is computed in the tiles of the product.
// CHECK: group of collapse_shape (injective), matmul (anchor), exp (elementwise), expand_shape (injective): reads
// CHECK: matmul reads 4096 bytes from collapse_shape at line [[#]]: fused, prologue
// CHECK: expand_shape reads 4096 bytes from exp at line [[#]]: fused, pointwise
// IR-LABEL: func.func @reshapes
// IR: graph.fusion
// IR: tensor.collapse_shape
// IR: linalg.matmul
// IR: linalg.exp
// IR: tensor.expand_shape
// IR: graph.fusion
// IR: linalg.matmul
// IR-NOT: graph.fusion
// IR: return
func.func @reshapes(%x: tensor<1x?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<1x?x8xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<1x?x8xf32>
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x?x8xf32> into tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = linalg.matmul ins(%a, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %c = linalg.exp ins(%b : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %d = tensor.expand_shape %c [[0, 1], [2]] output_shape [1, %n, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  %g = linalg.matmul ins(%c, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %g, %d : tensor<?x8xf32>, tensor<1x?x8xf32>
}

// -----

// A slice of all rows is computed in the tiles of the product, whatever their number is; one of other rows is not. Padding adds
// no rows either.
// CHECK: extract_slice reads 4096 bytes from matmul at all: fused, pointwise
// CHECK: extract_slice reads 4096 bytes from matmul at some: not fused: the value is computed in tiles; each result of the reader would have to depend on the value at the same place alone; dimension 0 of argument 0 would have to equal argument 2
// CHECK: pad reads 4096 bytes from matmul at padded: fused, pointwise
func.func @slices(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>, %rows: index, %v: tensor<8x8xf32>, %u: tensor<8x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %a = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32> loc("all")
  %b = tensor.extract_slice %a[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %c = linalg.matmul ins(%x, %v : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32> loc("some")
  %d = tensor.extract_slice %c[0, 0] [%rows, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %g = linalg.matmul ins(%x, %u : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32> loc("padded")
  %h = tensor.pad %g low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x8xf32> to tensor<?x8xf32>
  return %b, %d, %h : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// The size of a computed tensor is that of an argument: no op waits for the tensor. The sizes of two tensors that are added are
// equal, so the slice of the sum is one of all rows.
// IR-LABEL: func.func @resolved
// IR: %[[n:.*]] = tensor.dim %arg0
// IR-NOT: tensor.dim
// IR: tensor.empty(%[[n]])
// IR: return
// CHECK: extract_slice reads 4096 bytes from matmul at product: fused, pointwise
func.func @resolved(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %a = linalg.add ins(%x, %y : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e1 = tensor.empty(%m) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = linalg.matmul ins(%y, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32> loc("product")
  %c = tensor.extract_slice %b[0, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %d = linalg.sub ins(%a, %c : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e1 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %d : tensor<?x8xf32>
}
