// target=x86
// Bias, ReLU and scale of a layer of 1000 classes, in sequence in one loop over tiles: each of the three
// statements has the same guard for the last tile.
func.func @classes(%X: memref<?xf32>, %W: memref<?xf32>, %Y: memref<?xf32>, %Z: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %X, %c0 : memref<?xf32>
  loop.for parallel %i in 1024 {
    loop.if (-%i + symbol(%n) - 1 >= 0) {
      loop.block "W" [%v: spatial %n] = (%i) reads(%X[%v : 1]) writes(%W[%v : 1]) {
        %b = arith.constant 0.5 : f32
        %x = memref.load %X[%v] : memref<?xf32>
        %y = arith.addf %x, %b : f32
        memref.store %y, %W[%v] : memref<?xf32>
      }
    }
    loop.if (-%i + symbol(%n) - 1 >= 0) {
      loop.block "Y" [%v: spatial %n] = (%i) reads(%W[%v : 1]) writes(%Y[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        %x = memref.load %W[%v] : memref<?xf32>
        %y = arith.maximumf %x, %zero : f32
        memref.store %y, %Y[%v] : memref<?xf32>
      }
    }
    loop.if (-%i + symbol(%n) - 1 >= 0) {
      loop.block "Z" [%v: spatial %n] = (%i) reads(%Y[%v : 1]) writes(%Z[%v : 1]) {
        %two = arith.constant 2.0 : f32
        %x = memref.load %Y[%v] : memref<?xf32>
        %y = arith.mulf %x, %two : f32
        memref.store %y, %Z[%v] : memref<?xf32>
      }
    }
  }
  return
}
