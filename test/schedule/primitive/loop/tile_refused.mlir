// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @tile_c1_one(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i'] in %f factors [8]"} {
  // expected-error @+1 {{tile: found 1 loops, expected two or more (C1)}}
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c1_twice(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:i'] in %f factors [8, 8]"} {
  // expected-error @+1 {{tile: loop "i" is given twice (C1)}}
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c1_no_loop(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:k'] in %f factors [8, 8]"} {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{tile: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c2_not_alone(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [8, 8]"} {
  // expected-note @+1 {{the other loop is here}}
  loop.for serial %i in 32 {
    loop.sync
    // expected-error @+1 {{tile: loop "B:j" is not the only statement directly in loop "B:i" (C2)}}
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c3_sizes(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [8, 8, 8]"} {
  // expected-error @+1 {{tile: found 3 sizes for 2 loops, expected one for each (C3)}}
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c3_size(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [8, -1]"} {
  loop.for serial %i in 32 {
    // expected-error @+1 {{tile: found a tile of -1, expected a positive number (C3)}}
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c4_triangle(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [8, 8]"} {
  loop.for serial %i in 32 {
    // expected-error @+1 {{tile: the extent of loop "j" depends on loop "i" (C4)}}
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "B" [%v: spatial 32, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c5_wave(%A: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [2, 4]"} {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      // expected-error @+1 {{tile: cannot prove that the instances of schedule block "B" write different cells of "arg0": iterations i = 4, j = 5 of "B" (writes) and iterations i = 5, j = 4 of "B" (reads) both access "arg0"[5, 5]; with arg1 = 6 (C5)}}
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j)
          reads(%A[%v : 1, %w + 1 : 1]) writes(%A[%v + 1 : 1, %w : 1]) {
        %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v, %y] : memref<?x?xf32>
        memref.store %a, %A[%x, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c5_strict(%A: memref<8x8xf32>, %S: memref<f32>) attributes {loop.fp = "strict",
    refused = "tile ['B:j', 'B:k'] in %f factors [2, 4]"} {
  // expected-note @+1 {{this loop moves}}
  loop.for serial %j in 8 {
    loop.for serial %k in 8 {
      // expected-error @+1 {{tile: schedule block "B" reduces floats by add, whose order matters to the last bit: to allow it, the function must have loop.fp = "reassoc" or "fast": iterations j = 5, k = 6 of "B" (reads) and iterations j = 6, k = 5 of "B" (writes) both access "arg1"[] (C5)}}
      loop.block "B" [%vj: reduce 8, %vk: reduce 8] = (%j, %k) reads(%A[%vj : 1, %vk : 1]) writes(%S[]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %S[] : memref<f32>
        }
        %a = memref.load %A[%vj, %vk] : memref<8x8xf32>
        %s = memref.load %S[] : memref<f32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %S[] : memref<f32>
      }
    }
  }
  return
}

func.func @tile_c6_not_serial(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [8, 8]"} {
  loop.for serial %i in 32 {
    // expected-error @+1 {{tile: loop "j" is parallel, expected serial (C6)}}
    loop.for parallel %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c6_no_tile(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "tile ['B:i', 'B:j'] in %f factors [8, 8] tail 'peel'"} {
  // expected-error @+1 {{tile: extent 6 of loop "i" is smaller than a tile of 8: use tail "guard" (C6)}}
  loop.for serial %i in 6 {
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 6, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @tile_c6_peel_starts(%A: memref<?x?xi32>, %S: memref<i32>, %m: index, %n: index)
    attributes {refused = "tile ['B:j', 'B:k'] in %f factors [2, 4] tail 'peel'"} {
  loop.for serial %j in %m {
    // expected-error @+1 {{tile: the initialization of schedule block "B" would change: there may be no whole tile, and an outer loop reduces too: there may be no whole tile, and an outer loop reduces too; proof "assume" takes it as true (C6)}}
    loop.for serial %k in %n {
      // expected-note @+1 {{the schedule block is here}}
      loop.block "B" [%vj: reduce %m, %vk: reduce %n] = (%j, %k) reads(%A[%vj : 1, %vk : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i32
          memref.store %z, %S[] : memref<i32>
        }
        %a = memref.load %A[%vj, %vk] : memref<?x?xi32>
        %s = memref.load %S[] : memref<i32>
        %t = arith.addi %s, %a : i32
        memref.store %t, %S[] : memref<i32>
      }
    }
  }
  return
}
