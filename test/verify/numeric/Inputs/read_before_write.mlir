// %b is the old a[1]; twice that is stored to all of %a. Fused, iterations after 1 read the new a[1].

func.func @main(%a: memref<10xf32> {loop.name = "a"}, %b: memref<10xf32> {loop.name = "b"}) {
  affine.for %i = 0 to 10 {
    %x = affine.load %a[1] : memref<10xf32>
    affine.store %x, %b[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %x = affine.load %b[%i] : memref<10xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<10xf32>
  }
  return
}
