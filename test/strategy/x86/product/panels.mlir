// Packed weights beyond the first-level cache: consecutive steps of the reduction read eight or four places of a panel. If neither number
// divides the steps, several loops reduce or many tiles use a panel, the next one is prefetched, if the weights exceed half of the
// second-level cache.
// RUN: lw-opt %s --schedule-by-strategy='cpu=haswell' | FileCheck %s

// CHECK-LABEL: func.func @eight(
// CHECK:       loop.buffer "eight_weights_global_temp_buffer" scope(global) : memref<20x8x40x16xf32>
// CHECK:       loop.for serial %k.0 in 40 axis
// CHECK:       loop.for unroll %k.1 in 8 
// CHECK:       reads({{.*}}%eight_weights_global_temp_buffer[%vj floordiv 16 : 1, %vk mod 8 : 1, %vk floordiv 8 : 1, %vj mod 16 : 1])
memref.global "private" constant @eight_weights : memref<320x320xf32>
func.func @eight(%A: memref<6x320xf32> {loop.name = "A"}, %B: memref<6x320xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @eight_weights : memref<320x320xf32> {loop.transforms_are_lifted}
  loop.for serial %i in 6 {
    loop.for serial %j in 320 {
      loop.for serial %k in 320 {
        loop.block "B" [%vi: spatial 6, %vj: spatial 320, %vk: reduce 320] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<6x320xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<6x320xf32>
          %b = memref.load %w[%vk, %vj] : memref<320x320xf32>
          %c = memref.load %B[%vi, %vj] : memref<6x320xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<6x320xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @four(
// CHECK:       loop.buffer "four_weights_global_temp_buffer" scope(global) : memref<20x4x81x16xf32>
// CHECK:       loop.for serial %k.0 in 81 axis
// CHECK:       loop.for unroll %k.1 in 4 
memref.global "private" constant @four_weights : memref<324x320xf32>
func.func @four(%A: memref<6x324xf32> {loop.name = "A"}, %B: memref<6x320xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @four_weights : memref<324x320xf32> {loop.transforms_are_lifted}
  loop.for serial %i in 6 {
    loop.for serial %j in 320 {
      loop.for serial %k in 324 {
        loop.block "B" [%vi: spatial 6, %vj: spatial 320, %vk: reduce 324] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<6x320xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<6x324xf32>
          %b = memref.load %w[%vk, %vj] : memref<324x320xf32>
          %c = memref.load %B[%vi, %vj] : memref<6x320xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<6x320xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @none(
// CHECK:       loop.buffer "none_weights_global_temp_buffer" scope(global) : memref<20x321x16xf32>
// CHECK:       loop.for serial %k in 321 attributes {loop.annotations = {prefetch.none_weights_global_temp_buffer = 321 : i64}}
memref.global "private" constant @none_weights : memref<321x320xf32>
func.func @none(%A: memref<6x321xf32> {loop.name = "A"}, %B: memref<6x320xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @none_weights : memref<321x320xf32> {loop.transforms_are_lifted}
  loop.for serial %i in 6 {
    loop.for serial %j in 320 {
      loop.for serial %k in 321 {
        loop.block "B" [%vi: spatial 6, %vj: spatial 320, %vk: reduce 321] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<6x320xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<6x321xf32>
          %b = memref.load %w[%vk, %vj] : memref<321x320xf32>
          %c = memref.load %B[%vi, %vj] : memref<6x320xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<6x320xf32>
        }
      }
    }
  }
  return
}

// The parts of a cut reduction have 2500 steps.
// CHECK-LABEL: func.func @cut(
// CHECK:       loop.buffer "cut_weights_global_temp_buffer" scope(global) : memref<5x4x1250x16xf32>
// CHECK:       loop.for serial %k.0 in 2 
// CHECK:       loop.for serial %k.1.0 in 625 
// CHECK:       loop.for unroll %k.1.1 in 4 
memref.global "private" constant @cut_weights : memref<5000x80xf32>
func.func @cut(%A: memref<4x5000xf32> {loop.name = "A"}, %B: memref<4x80xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @cut_weights : memref<5000x80xf32> {loop.transforms_are_lifted}
  loop.for serial %i in 4 {
    loop.for serial %j in 80 {
      loop.for serial %k in 5000 {
        loop.block "B" [%vi: spatial 4, %vj: spatial 80, %vk: reduce 5000] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<4x80xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<4x5000xf32>
          %b = memref.load %w[%vk, %vj] : memref<5000x80xf32>
          %c = memref.load %B[%vi, %vj] : memref<4x80xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<4x80xf32>
        }
      }
    }
  }
  return
}

// So many tiles of rows use a panel that the next one is prefetched in time.
// CHECK-LABEL: func.func @many(
// CHECK:       loop.buffer "many_weights_global_temp_buffer" scope(global) : memref<20x320x16xf32>
// CHECK:       loop.for serial %k in 320 attributes {loop.annotations = {prefetch.many_weights_global_temp_buffer = 320 : i64}}
memref.global "private" constant @many_weights : memref<320x320xf32>
func.func @many(%A: memref<96x320xf32> {loop.name = "A"}, %B: memref<96x320xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @many_weights : memref<320x320xf32> {loop.transforms_are_lifted}
  loop.for serial %i in 96 {
    loop.for serial %j in 320 {
      loop.for serial %k in 320 {
        loop.block "B" [%vi: spatial 96, %vj: spatial 320, %vk: reduce 320] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %w[%vk : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<96x320xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<96x320xf32>
          %b = memref.load %w[%vk, %vj] : memref<320x320xf32>
          %c = memref.load %B[%vi, %vj] : memref<96x320xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vi, %vj] : memref<96x320xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @transposed(
// CHECK:       loop.buffer "transposed_weights_global_temp_buffer" scope(global) : memref<12x8x12x8xf32>
// CHECK:       loop.for serial %k.0 in 12 
// CHECK:       loop.for unroll %k.1 in 8 
memref.global "private" constant @transposed_weights : memref<96x96xf32>
func.func @transposed(%A: memref<96x9xf32> {loop.name = "A"}, %B: memref<96x9xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @transposed_weights : memref<96x96xf32> {loop.transforms_are_lifted}
  loop.for serial %j in 96 {
    loop.for serial %i in 9 {
      loop.for serial %k in 96 {
        loop.block "B" [%vi: spatial 9, %vj: spatial 96, %vk: reduce 96] = (%i, %j, %k)
            reads(%A[%vk : 1, %vi : 1], %w[%vj : 1, %vk : 1]) writes(%B[%vj : 1, %vi : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vj, %vi] : memref<96x9xf32>
          }
          %a = memref.load %A[%vk, %vi] : memref<96x9xf32>
          %b = memref.load %w[%vj, %vk] : memref<96x96xf32>
          %c = memref.load %B[%vj, %vi] : memref<96x9xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vj, %vi] : memref<96x9xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @small(
// CHECK:       loop.buffer "small_weights_global_temp_buffer" scope(global) : memref<12x64x8xf32>
// CHECK:       loop.for serial %k in 64 {
memref.global "private" constant @small_weights : memref<96x64xf32>
func.func @small(%A: memref<64x9xf32> {loop.name = "A"}, %B: memref<96x9xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @small_weights : memref<96x64xf32> {loop.transforms_are_lifted}
  loop.for serial %j in 96 {
    loop.for serial %i in 9 {
      loop.for serial %k in 64 {
        loop.block "B" [%vi: spatial 9, %vj: spatial 96, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vk : 1, %vi : 1], %w[%vj : 1, %vk : 1]) writes(%B[%vj : 1, %vi : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vj, %vi] : memref<96x9xf32>
          }
          %a = memref.load %A[%vk, %vi] : memref<64x9xf32>
          %b = memref.load %w[%vj, %vk] : memref<96x64xf32>
          %c = memref.load %B[%vj, %vi] : memref<96x9xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %B[%vj, %vi] : memref<96x9xf32>
        }
      }
    }
  }
  return
}


// Several products: the panels of each follow each other.
// CHECK-LABEL: func.func @batch(
// CHECK:       loop.buffer "batch_weights_global_temp_buffer" scope(global) : memref<2x20x8x40x16xf32>
// CHECK:       reads({{.*}}%batch_weights_global_temp_buffer[%vb : 1, %vj floordiv 16 : 1, %vk mod 8 : 1, %vk floordiv 8 : 1, %vj mod 16 : 1])
memref.global "private" constant @batch_weights : memref<2x320x320xf32>
func.func @batch(%A: memref<2x6x320xf32> {loop.name = "A"}, %B: memref<2x6x320xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @batch_weights : memref<2x320x320xf32> {loop.transforms_are_lifted}
  loop.for serial %b in 2 {
    loop.for serial %i in 6 {
      loop.for serial %j in 320 {
        loop.for serial %k in 320 {
          loop.block "B" [%vb: spatial 2, %vi: spatial 6, %vj: spatial 320, %vk: reduce 320] = (%b, %i, %j, %k)
              reads(%A[%vb : 1, %vi : 1, %vk : 1], %w[%vb : 1, %vk : 1, %vj : 1]) writes(%B[%vb : 1, %vi : 1, %vj : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %B[%vb, %vi, %vj] : memref<2x6x320xf32>
            }
            %x = memref.load %A[%vb, %vi, %vk] : memref<2x6x320xf32>
            %y = memref.load %w[%vb, %vk, %vj] : memref<2x320x320xf32>
            %c = memref.load %B[%vb, %vi, %vj] : memref<2x6x320xf32>
            %p = arith.mulf %x, %y : f32
            %s = arith.addf %c, %p : f32
            memref.store %s, %B[%vb, %vi, %vj] : memref<2x6x320xf32>
          }
        }
      }
    }
  }
  return
}

// A convolution along lines, with a step from line to line. All lines use a panel of a large factor before the next panel is read.
// CHECK-LABEL: func.func @lines(
// CHECK:       loop.buffer "lines_weights_global_temp_buffer" scope(global) : memref<20x3x320x16xf32>
// CHECK:       loop.for parallel %j.0 in 20
// CHECK-NEXT:  loop.for serial %h in 4 {
// CHECK-NEXT:  loop.for serial %i.0 in 1 
// CHECK-NEXT:  loop.for serial %l in 3 {
// CHECK-NEXT:  loop.for serial %k in 320 attributes {loop.annotations = {prefetch.lines_weights_global_temp_buffer = 960 : i64}}
memref.global "private" constant @lines_weights : memref<3x320x320xf32>
func.func @lines(%A: memref<9x6x320xf32> {loop.name = "A"}, %B: memref<4x6x320xf32> {loop.name = "B", loop.result}) {
  %w = memref.get_global @lines_weights : memref<3x320x320xf32> {loop.transforms_are_lifted}
  loop.for serial %h in 4 {
    loop.for serial %i in 6 {
      loop.for serial %j in 320 {
        loop.for serial %l in 3 {
          loop.for serial %k in 320 {
            loop.block "B" [%vh: spatial 4, %vi: spatial 6, %vj: spatial 320, %vl: reduce 3, %vk: reduce 320] = (%h, %i, %j, %l, %k)
                reads(%A[%vh * 2 + %vl : 1, %vi : 1, %vk : 1], %w[%vl : 1, %vk : 1, %vj : 1]) writes(%B[%vh : 1, %vi : 1, %vj : 1]) reducer(add, 0.0) {
              loop.init {
                %zero = arith.constant 0.0 : f32
                memref.store %zero, %B[%vh, %vi, %vj] : memref<4x6x320xf32>
              }
              %line = affine.apply affine_map<(h, l) -> (h * 2 + l)>(%vh, %vl)
              %x = memref.load %A[%line, %vi, %vk] : memref<9x6x320xf32>
              %y = memref.load %w[%vl, %vk, %vj] : memref<3x320x320xf32>
              %c = memref.load %B[%vh, %vi, %vj] : memref<4x6x320xf32>
              %p = arith.mulf %x, %y : f32
              %s = arith.addf %c, %p : f32
              memref.store %s, %B[%vh, %vi, %vj] : memref<4x6x320xf32>
            }
          }
        }
      }
    }
  }
  return
}
