// A group, with two arguments of one type, that is called twice.
func.func private @group(%x: memref<4xf32> {loop.name = "x"}, %y: memref<4xf32> {loop.name = "y"}, %z: memref<4xf32> {loop.name = "z", loop.result}) attributes {graph.group} {
  loop.for serial %i in 4 {
    loop.block "z" [%v: spatial 4] = (%i) reads(%x[%v : 1], %y[%v : 1]) writes(%z[%v : 1]) {
      %a = memref.load %x[%v] : memref<4xf32>
      %b = memref.load %y[%v] : memref<4xf32>
      %c = arith.subf %a, %b : f32
      memref.store %c, %z[%v] : memref<4xf32>
    }
  }
  return
}
func.func @f(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B"}, %C: memref<4xf32> {loop.name = "C", loop.result}, %D: memref<4xf32> {loop.name = "D", loop.result}) {
  func.call @group(%A, %B, %C) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  func.call @group(%B, %C, %D) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
