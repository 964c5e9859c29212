func.func @main(%A: memref<4xf32>) {
  return
}
