// A buffer is its own input.
func.func @main(%x: memref<7x5xi32> {loop.result}, %y: memref<7x5xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : memref<7x5xi32>, memref<7x5xi32>) outs(%x : memref<7x5xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.subi %in0, %in1 : i32
    linalg.yield %v : i32
  }
  return
}
