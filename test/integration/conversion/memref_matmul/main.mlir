// matmul and fill on buffers.
func.func @main(%a: memref<7x5xf32>, %b: memref<5x3xf32>, %c: memref<7x3xf32> {loop.result}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<7x3xf32>)
  linalg.matmul ins(%a, %b : memref<7x5xf32>, memref<5x3xf32>) outs(%c : memref<7x3xf32>)
  return
}
