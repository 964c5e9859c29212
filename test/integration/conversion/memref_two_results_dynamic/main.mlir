// Generics on dynamic buffers: one result is written, then read, the other updated.
func.func @main(%x: memref<?x5xf32>, %y: memref<?x5xf32> {loop.result}, %s: memref<?xf32> {loop.result}) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<?x5xf32>) outs(%y : memref<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.mulf %in0, %in0 : f32
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%y : memref<?x5xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.addf %out0, %in0 : f32
    linalg.yield %v : f32
  }
  return
}
