// Forms of argmax and argmin that are split into parts or bound to threads, and the resulting IR.
// RUN: lw-opt %s --sched-rfactor=loop=D:k.1 --sched-rfactor=loop=E:l --sched-bind="loop=F:k thread=threadIdx.x" \
// RUN:   --sched-reorder=loops=G:l,G:k --sched-rfactor=loop=H:l --sched-verify | FileCheck %s
// RUN: lw-opt %s --sched-rfactor=loop=D:k.1 --sched-rfactor=loop=E:l --sched-bind="loop=F:k thread=threadIdx.x" \
// RUN:   --sched-reorder=loops=G:l,G:k --sched-rfactor=loop=H:l --canonicalize --cse | lw-opt | FileCheck %s --check-prefix=ROUND

// A dynamic extent in tiles of four, the last of which may be partial: empty partial results keep the start value.
// CHECK-LABEL: func.func @dynamic_tiles
// CHECK:         loop.block "rf_D"
// CHECK:           arith.cmpf ogt
// CHECK-NOT:       arith.cmpf oeq
// CHECK:         loop.block "D"
// CHECK:           %[[LESS:.+]] = arith.cmpf ogt
// CHECK-NEXT:      %[[SAME:.+]] = arith.cmpf oeq
// CHECK-NEXT:      %[[LOWER:.+]] = arith.cmpi slt
// CHECK-NEXT:      %[[TIE:.+]] = arith.andi %[[SAME]], %[[LOWER]]
// CHECK-NEXT:      %[[TAKE:.+]] = arith.ori %[[LESS]], %[[TIE]]
// CHECK-NEXT:      arith.select %[[TAKE]]
// CHECK-NEXT:      arith.select %[[TAKE]]
// ROUND-LABEL: func.func @dynamic_tiles
func.func @dynamic_tiles(%A: memref<3x?xf32>, %V: memref<3xf32>, %I: memref<3xi64>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<3x?xf32>
  loop.for serial %i in 3 {
    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
      loop.for serial %k.1 in 4 {
        loop.block "D" [%v: spatial 3, %vk: reduce %n] = (%i, %k.0 * 4 + %k.1)
            where(%k.0 * -4 - %k.1 + %n - 1 >= 0)
            reads(%A[%v : 1, %vk : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmin, 0x7F800000, 0) {
          loop.init {
            %highest = arith.constant 0x7F800000 : f32
            %none = arith.constant 123 : i64
            memref.store %highest, %V[%v] : memref<3xf32>
            memref.store %none, %I[%v] : memref<3xi64>
          }
          %a = memref.load %A[%v, %vk] : memref<3x?xf32>
          %best = memref.load %V[%v] : memref<3xf32>
          %at = memref.load %I[%v] : memref<3xi64>
          %here = arith.index_cast %vk : index to i64
          %less = arith.cmpf ogt, %best, %a : f32
          %min = arith.select %less, %a, %best : f32
          %new = arith.select %less, %here, %at : i64
          memref.store %min, %V[%v] : memref<3xf32>
          memref.store %new, %I[%v] : memref<3xi64>
        }
      }
    }
  }
  return
}

// Two loops, one 8-bit index over both; integers by their maximum.
// CHECK-LABEL: func.func @two_loops
// CHECK:         loop.block "rf_E"
// CHECK:         loop.block "E"
// CHECK:           arith.maxsi
// CHECK:           arith.cmpi eq
// CHECK:           arith.cmpi slt, %{{.+}} : i8
// CHECK:           arith.select %{{.+}} : i8
func.func @two_loops(%A: memref<3x5xi32>, %V: memref<1xi32>, %I: memref<1xi8>) {
  loop.for serial %k in 3 {
    loop.for serial %l in 5 {
      loop.block "E" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
          reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, -2147483648, 0) {
        loop.init {
          %o = arith.constant 0 : index
          %lowest = arith.constant 0 : i32
          %none = arith.constant -1 : i8
          memref.store %lowest, %V[%o] : memref<1xi32>
          memref.store %none, %I[%o] : memref<1xi8>
        }
        %o = arith.constant 0 : index
        %a = memref.load %A[%vk, %vl] : memref<3x5xi32>
        %best = memref.load %V[%o] : memref<1xi32>
        %at = memref.load %I[%o] : memref<1xi8>
        %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
        %here = arith.index_cast %number : index to i8
        %max = arith.maxsi %best, %a : i32
        %more = arith.cmpi sgt, %a, %best : i32
        memref.store %max, %V[%o] : memref<1xi32>
        %new = arith.select %more, %here, %at : i8
        memref.store %new, %I[%o] : memref<1xi8>
      }
    }
  }
  return
}

// The body of a bound loop selects the least index from then on; the stores follow.
// CHECK-LABEL: func.func @bound
// CHECK:       loop.for thread_bind[threadIdx.x] %k in 40
// CHECK:         loop.block "F"
// CHECK:           arith.cmpf oeq
// CHECK:           arith.ori
// CHECK-NEXT:      %[[V:.+]] = arith.select
// CHECK-NEXT:      %[[I:.+]] = arith.select
// CHECK-NEXT:      memref.store %[[V]]
// CHECK-NEXT:      memref.store %[[I]]
func.func @bound(%A: memref<40xf32>, %V: memref<1xf32>, %I: memref<1xi32>) {
  loop.for serial %k in 40 {
    loop.block "F" [%vk: reduce 40] = (%k)
        reads(%A[%vk : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
      loop.init {
        %o = arith.constant 0 : index
        %lowest = arith.constant 1.0 : f32
        %none = arith.constant 0 : i32
        memref.store %lowest, %V[%o] : memref<1xf32>
        memref.store %none, %I[%o] : memref<1xi32>
      }
      %o = arith.constant 0 : index
      %a = memref.load %A[%vk] : memref<40xf32>
      %best = memref.load %V[%o] : memref<1xf32>
      %more = arith.cmpf ogt, %a, %best : f32
      %max = arith.select %more, %a, %best : f32
      memref.store %max, %V[%o] : memref<1xf32>
      %here = arith.index_cast %vk : index to i32
      %at = memref.load %I[%o] : memref<1xi32>
      %new = arith.select %more, %here, %at : i32
      memref.store %new, %I[%o] : memref<1xi32>
    }
  }
  return
}

// A program that selects the least index itself requires no order, and no start value for the index.
// CHECK-LABEL: func.func @least_index
// CHECK:       loop.for serial %l in 5
// CHECK-NEXT:    loop.for serial %k in 3
// CHECK-LABEL: func.func @least_index_in_parts
// The index is larger than all others if there are no values.
// CHECK:         loop.block "rf_H"
// CHECK:           arith.constant 9223372036854775807 : i64
// CHECK:         loop.block "H"
func.func @least_index(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
  loop.for serial %k in 3 {
    loop.for serial %l in 5 {
      loop.block "G" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
          reads(%A[%vk : 1, %vl : 1], %V[0 : 1], %I[0 : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
        %o = arith.constant 0 : index
        %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
        %best = memref.load %V[%o] : memref<1xf32>
        %at = memref.load %I[%o] : memref<1xi64>
        %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
        %here = arith.index_cast %number : index to i64
        %more = arith.cmpf olt, %best, %a : f32
        %same = arith.cmpf oeq, %best, %a : f32
        %lower = arith.cmpi sgt, %at, %here : i64
        %tie = arith.andi %lower, %same : i1
        %take = arith.ori %tie, %more : i1
        %max = arith.select %take, %a, %best : f32
        %new = arith.select %take, %here, %at : i64
        memref.store %max, %V[%o] : memref<1xf32>
        memref.store %new, %I[%o] : memref<1xi64>
      }
    }
  }
  return
}

func.func @least_index_in_parts(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
  loop.for serial %k in 3 {
    loop.for serial %l in 5 {
      loop.block "H" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
          reads(%A[%vk : 1, %vl : 1], %V[0 : 1], %I[0 : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
        %o = arith.constant 0 : index
        %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
        %best = memref.load %V[%o] : memref<1xf32>
        %at = memref.load %I[%o] : memref<1xi64>
        %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
        %here = arith.index_cast %number : index to i64
        %more = arith.cmpf olt, %best, %a : f32
        %same = arith.cmpf oeq, %best, %a : f32
        %lower = arith.cmpi sgt, %at, %here : i64
        %tie = arith.andi %lower, %same : i1
        %take = arith.ori %tie, %more : i1
        %max = arith.select %take, %a, %best : f32
        %new = arith.select %take, %here, %at : i64
        memref.store %max, %V[%o] : memref<1xf32>
        memref.store %new, %I[%o] : memref<1xi64>
      }
    }
  }
  return
}
