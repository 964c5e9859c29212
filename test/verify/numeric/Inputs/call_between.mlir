func.func private @double(%a: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[%i] : memref<10xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<10xf32>
  }
  return
}
func.func @main(%b: memref<10xf32> {loop.name = "b"}, %c: memref<10xf32> {loop.name = "c"}) {
  %a = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %x = affine.load %b[%i] : memref<10xf32>
    affine.store %x, %a[%i] : memref<10xf32>
  }
  func.call @double(%a) : (memref<10xf32>) -> ()
  affine.for %i = 0 to 10 {
    %x = affine.load %a[%i] : memref<10xf32>
    affine.store %x, %c[%i] : memref<10xf32>
  }
  return
}
