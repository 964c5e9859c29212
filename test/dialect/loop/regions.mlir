// RUN: lw-opt %s

// Boxes that cover the accesses of the body, and are accepted.

func.func @strided(%A: memref<64xf32>, %B: memref<16xf32>) {
  loop.for serial %i in 4 {
    loop.block "b" [%v: spatial 4] = (%i) reads(%A[%v * 16 : 16]) writes(%B[%v : 1]) {
      %last = affine.apply affine_map<(d0) -> (d0 * 16 + 15)>(%v)
      %a = memref.load %A[%last] : memref<64xf32>
      memref.store %a, %B[%v] : memref<16xf32>
    }
  }
  return
}

func.func @two_accesses_in_one_box(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v : 3]) writes(%B[%v : 1]) {
    %next = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
    %a = memref.load %A[%v] : memref<8xf32>
    %b = memref.load %A[%next] : memref<8xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %B[%v] : memref<8xf32>
  }
  return
}

// vi is at most 3, so 3 - vi is in [0, 4).
func.func @reversed(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.block "b" [%v: spatial 4] = (0) reads(%A[0 : 4]) writes(%B[%v : 1]) {
    %back = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
    %a = memref.load %A[%back] : memref<4xf32>
    memref.store %a, %B[%v] : memref<4xf32>
  }
  return
}

// With v below 8, v mod 8 is v and v floordiv 8 is 0.
func.func @within_one_period(%A: memref<8x8xf32>, %B: memref<8xf32>) {
  loop.block "b" [%v: spatial 8] = (0) reads(%A[0 : 1, %v : 1]) writes(%B[%v : 1]) {
    %row = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%v)
    %column = affine.apply affine_map<(d0) -> (d0 mod 8)>(%v)
    %a = memref.load %A[%row, %column] : memref<8x8xf32>
    memref.store %a, %B[%v] : memref<8xf32>
  }
  return
}

func.func @guarded_read(%A: memref<4xf32>, %B: memref<6xf32>) {
  loop.block "b" [%v: spatial 6] = (0) reads(%A[%v - 1 : 1]) writes(%B[%v : 1]) {
    %zero = arith.constant 0.0 : f32
    %x = loop.if (%v >= 1, %v <= 4) -> (f32) {
      %at = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
      %a = memref.load %A[%at] : memref<4xf32>
      loop.yield %a : f32
    } else {
      loop.yield %zero : f32
    }
    memref.store %x, %B[%v] : memref<6xf32>
  }
  return
}

func.func @whole_dynamic_dimension(%A: memref<?xf32>, %B: memref<4xf32>, %I: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.block "b" [%v: spatial 4] = (0) reads(%A[0 : %n], %I[%v : 1]) writes(%B[%v : 1]) {
    %i = memref.load %I[%v] : memref<4xi32>
    %at = arith.index_cast %i : i32 to index
    %a = memref.load %A[%at] : memref<?xf32>
    memref.store %a, %B[%v] : memref<4xf32>
  }
  return
}

func.func @symbolic_offset(%A: memref<?xf32>, %B: memref<4xf32>, %n: index) {
  loop.block "b" [%v: spatial 4] = (0) reads(%A[%v + %n : 2]) writes(%B[%v : 1]) {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 + 1)>(%v)[%n]
    %a = memref.load %A[%at] : memref<?xf32>
    memref.store %a, %B[%v] : memref<4xf32>
  }
  return
}

// A size that the block does not name, and that drops out because of a remainder.
func.func @size_left_out(%A: memref<4xf32>, %B: memref<?xf32>, %n: index) {
  loop.for serial %i in 4 {
    loop.block "outer" [%v: spatial 4] = (%i) reads(%A[%v mod 4 : 1]) writes(%B[*]) {
      loop.for serial %j in 8 {
        loop.block "inner" [%w: spatial symbol(%n) * 64] = (%v + %j * symbol(%n) * 4) reads(%A[%w mod 4 : 1]) writes(%B[%w : 1]) {
          %m = affine.apply affine_map<(d0) -> (d0 mod 4)>(%w)
          %a = memref.load %A[%m] : memref<4xf32>
          memref.store %a, %B[%w] : memref<?xf32>
        }
      }
    }
  }
  return
}
