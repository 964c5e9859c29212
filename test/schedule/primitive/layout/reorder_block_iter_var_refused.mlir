// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{reorder_block_iter_var: there is no schedule block "C", there are "B" (C1)}}
func.func @iters_c1_no_block(%A: memref<8x4xf32>)
    attributes {refused = "reorder_block_iter_var 'C' in %f order [1, 0]"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

func.func @iters_c2_twice(%A: memref<8x4xf32>) attributes {refused = "reorder_block_iter_var 'B' in %f order [0, 0]"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder_block_iter_var: [0, 0] is not an order of the 2 iters of schedule block "B", which are numbered from 0 on (C2)}}
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

func.func @iters_c2_few(%A: memref<8x4xf32>) attributes {refused = "reorder_block_iter_var 'B' in %f order [1]"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder_block_iter_var: [1] is not an order of the 2 iters of schedule block "B", which are numbered from 0 on (C2)}}
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

func.func @iters_c2_many(%A: memref<8x4xf32>)
    attributes {refused = "reorder_block_iter_var 'B' in %f order [1, 0, 2]"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder_block_iter_var: [1, 0, 2] is not an order of the 2 iters of schedule block "B", which are numbered from 0 on (C2)}}
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

func.func @iters_c2_negative(%A: memref<8x4xf32>)
    attributes {refused = "reorder_block_iter_var 'B' in %f order [1, -1]"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder_block_iter_var: [1, -1] is not an order of the 2 iters of schedule block "B", which are numbered from 0 on (C2)}}
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

func.func @iters_c3_same(%A: memref<8x4xf32>) attributes {refused = "reorder_block_iter_var 'B' in %f order [0, 1]"} {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder_block_iter_var: the iters of schedule block "B" have this order already (C3)}}
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}
