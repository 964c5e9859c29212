// Both passes fill a buffer for the next iteration.
func.func @ahead(%A: memref<16x8xf32> {loop.name = "A"}, %B: memref<16x8xf32> {loop.name = "B"}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1])
          attributes {loop.annotations = {double_buffer_scope = 0}} {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}
func.func @copy_and_add(%A: memref<16x8xf32> {loop.name = "A"}, %B: memref<16x8xf32> {loop.name = "B"}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}
