// RUN: lw-opt %s --sched-rfactor="loop=dynamic:k.1 factor_axis=-1" --sched-rfactor="loop=outer:k.0 factor_axis=1" \
// RUN:   --sched-rfactor=loop=first:k --sched-rfactor=loop=two:k --sched-rfactor=loop=all:k --sched-rfactor=loop=onto:l \
// RUN:   --sched-rfactor=loop=greatest:k --sched-rfactor=loop=strict:k \
// RUN:   --sched-rfactor=loop=in_order:k --sched-specialize='target=branch:i condition="dim(arg0, 0) >= 8"' \
// RUN:   --sched-rfactor=loop=branch:k --sched-rfactor=loop=branch.else:k | FileCheck %s
// CHECK-DAG: #[[SUM:.+]] = affine_map<(d0, d1) -> (d0 * 4 + d1)>
// CHECK-DAG: #[[PARTS:.+]] = affine_map<()[s0] -> (s0 ceildiv 4)>
// CHECK-DAG: #[[LEAST:.+]] = affine_map<()[s0] -> (4, s0)>

// The inner part of a loop of dynamic extent: partial results keep the identity for terms that the predicate excludes,
// and a partial result without terms is not joined.
// CHECK-LABEL: func.func @rfactor_dynamic_tail
// CHECK:       %[[N:.+]] = memref.dim
// CHECK:       %rf_B = loop.buffer "rf_B" scope(global) : memref<3x4xf32>
// CHECK-NEXT:  loop.for serial %rf_k.1 in 4 axis(tile_inner from "k" pair "k.0") {
// CHECK-NEXT:    loop.for serial %i in 3 {
// CHECK-NEXT:      loop.for serial %k.0 in #[[PARTS]]()[%[[N]]] axis(tile_outer from "k" pair "rf_k.1") {
// CHECK-NEXT:        loop.block "rf_dynamic" [%v: spatial 3, %vk.0: reduce {{.*}}, %vk.1: spatial 4] = (%i, %k.0, %rf_k.1)
// CHECK-NEXT:            where(%k.0 * -4 - %rf_k.1 + symbol(%[[N]]) - 1 >= 0)
// CHECK:               %[[AT:.+]] = affine.apply #[[SUM]](%vk.0, %vk.1)
// CHECK:               memref.load %{{.+}}[%v, %[[AT]]] : memref<3x?xf32>
// CHECK:               memref.store %{{.+}}, %rf_B[%v, %vk.1]
// CHECK:       loop.for serial %i in 3 {
// CHECK-NEXT:    loop.for serial %k.1 in min #[[LEAST]]()[%[[N]]] axis(tile_inner from "k" pair "k.0") {
// CHECK-NEXT:      loop.block "dynamic" [%v: spatial 3, %vk.1: reduce min(4, %[[N]])] = (%i, %k.1)
// CHECK-NOT:           where
// CHECK:               memref.load %rf_B[%v, %vk.1]
func.func @rfactor_dynamic_tail(%A: memref<3x?xf32>, %B: memref<3xf32> {loop.name = "B"})
    attributes {loop.fp = "reassoc"} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<3x?xf32>
  loop.for serial %i in 3 {
    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] axis(tile_outer from "k" pair "k.1") {
      loop.for serial %k.1 in 4 axis(tile_inner from "k" pair "k.0") {
        loop.block "dynamic" [%v: spatial 3, %vk: reduce %n] = (%i, %k.0 * 4 + %k.1)
            where(%k.0 * -4 - %k.1 + %n - 1 >= 0)
            reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %one = arith.constant 1.0 : f32
            memref.store %one, %B[%v] : memref<3xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<3x?xf32>
          %b = memref.load %B[%v] : memref<3xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<3xf32>
        }
      }
    }
  }
  return
}

// The outer part of a product of tiles that exceeds the domain: its last iterations have no terms at all.
// CHECK-LABEL: func.func @rfactor_beyond_the_domain
// CHECK:       %rf_B = loop.buffer "rf_B" scope(global) : memref<3x5xi32>
// CHECK-NEXT:  loop.for serial %rf_k.0 in 5
// CHECK:         loop.block "rf_outer" [%v: spatial 3, %vk.0: spatial 5, %vk.1: reduce 4]
// CHECK:       loop.for serial %k.0 in 3
// CHECK-NEXT:    loop.for serial %i in 3
// CHECK-NEXT:      loop.block "outer" [%v: spatial 3, %vk.0: reduce 3] = (%i, %k.0)
// CHECK-NEXT:          reads(%rf_B[%v : 1, %vk.0 : 1])
func.func @rfactor_beyond_the_domain(%A: memref<3x10xi32>, %B: memref<3xi32> {loop.name = "B"}) {
  loop.for serial %k.0 in 5 {
    loop.for serial %i in 3 {
      loop.for serial %k.1 in 4 {
        loop.block "outer" [%v: spatial 3, %vk: reduce 10] = (%i, %k.0 * 4 + %k.1)
            where(%k.0 * -4 - %k.1 + 9 >= 0)
            reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %B[%v] : memref<3xi32>
          }
          %a = memref.load %A[%v, %vk] : memref<3x10xi32>
          %b = memref.load %B[%v] : memref<3xi32>
          %s = arith.addi %b, %a : i32
          memref.store %s, %B[%v] : memref<3xi32>
        }
      }
    }
  }
  return
}

// The first of equal values, and its index. The first step has no other reduce iter.
// CHECK-LABEL: func.func @rfactor_argmax
// CHECK-DAG:   %rf_V = loop.buffer "rf_V" scope(global) : memref<5x2xf32>
// CHECK-DAG:   %rf_I = loop.buffer "rf_I" scope(global) : memref<5x2xi64>
// CHECK:       loop.block "rf_first" [%v: spatial 2, %vk: spatial 5, %one: reduce 1] = (%i, %rf_k, 0)
// CHECK:         %[[INF:.+]] = arith.constant 0xFF800000 : f32
// CHECK:         memref.store %[[INF]], %rf_V[%vk, %v]
// CHECK:       loop.block "first" [%v: spatial 2, %vk: reduce 5] = (%i, %k)
// CHECK:         %[[LOW:.+]] = arith.constant -1.000000e+00 : f32
// CHECK:         memref.store %[[LOW]]
// CHECK:         %[[BEST:.+]] = memref.load %{{.+}}[%v] : memref<2xf32>
// CHECK:         %[[AT:.+]] = memref.load %{{.+}}[%v] : memref<2xi64>
// CHECK:         %[[V:.+]] = memref.load %rf_V[%vk, %v]
// CHECK:         %[[I:.+]] = memref.load %rf_I[%vk, %v]
// CHECK:         %[[MORE:.+]] = arith.cmpf ogt, %[[V]], %[[BEST]] : f32
// CHECK:         arith.select %[[MORE]], %[[V]], %[[BEST]] : f32
// CHECK:         arith.select %[[MORE]], %[[I]], %[[AT]] : i64
func.func @rfactor_argmax(%A: memref<5x2xf32>, %V: memref<2xf32> {loop.name = "V"}, %I: memref<2xi64> {loop.name = "I"}) {
  loop.for serial %i in 2 {
    loop.for serial %k in 5 {
      loop.block "first" [%v: spatial 2, %vk: reduce 5] = (%i, %k)
          reads(%A[%vk : 1, %v : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %lowest = arith.constant -1.0 : f32
          %none = arith.constant 77 : i64
          memref.store %lowest, %V[%v] : memref<2xf32>
          memref.store %none, %I[%v] : memref<2xi64>
        }
        %a = memref.load %A[%vk, %v] : memref<5x2xf32>
        %best = memref.load %V[%v] : memref<2xf32>
        %at = memref.load %I[%v] : memref<2xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %max = arith.select %more, %a, %best : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %V[%v] : memref<2xf32>
        memref.store %new, %I[%v] : memref<2xi64>
      }
    }
  }
  return
}

// Two values, into buffers whose dimensions are not sizes of the nest.
// CHECK-LABEL: func.func @rfactor_two_values
// CHECK:       %[[M:.+]] = memref.dim %arg1
// CHECK:       %rf_S = loop.buffer "rf_S" scope(global) (%[[M]]) : memref<5x?xi32>
// CHECK:       %rf_X = loop.buffer "rf_X" scope(global)
// CHECK:       loop.block "two"
// CHECK:         %[[S:.+]] = memref.load %arg1
// CHECK:         %[[X:.+]] = memref.load %arg2
// CHECK:         %[[PS:.+]] = memref.load %rf_S
// CHECK:         %[[PX:.+]] = memref.load %rf_X
// CHECK:         arith.addi %[[S]], %[[PS]] : i32
// CHECK:         arith.maxsi %[[PX]], %[[X]] : i32
func.func @rfactor_two_values(%A: memref<5x2xi32>, %S: memref<?xi32> {loop.name = "S"}, %X: memref<?xi32> {loop.name = "X"}) {
  loop.for serial %i in 2 {
    loop.for serial %k in 5 {
      loop.block "two" [%v: spatial 2, %vk: reduce 5] = (%i, %k)
          reads(%A[%vk : 1, %v : 1]) writes(%S[%v : 1], %X[%v : 1]) reducer(add, max, 0, -2147483648) {
        loop.init {
          %one = arith.constant 1 : i32
          memref.store %one, %S[%v] : memref<?xi32>
          memref.store %one, %X[%v] : memref<?xi32>
        }
        %a = memref.load %A[%vk, %v] : memref<5x2xi32>
        %s = memref.load %S[%v] : memref<?xi32>
        %x = memref.load %X[%v] : memref<?xi32>
        %sum = arith.addi %s, %a : i32
        %max = arith.maxsi %a, %x : i32
        memref.store %sum, %S[%v] : memref<?xi32>
        memref.store %max, %X[%v] : memref<?xi32>
      }
    }
  }
  return
}

// Booleans, which are i8 in memory.
// CHECK-LABEL: func.func @rfactor_all
// CHECK:       loop.block "all" [%vk: reduce 5]
// CHECK:         %[[OLD:.+]] = memref.load %arg1[%c0]
// CHECK:         %[[PART:.+]] = memref.load %rf_arg1
// CHECK-DAG:     %[[OLD1:.+]] = arith.trunci %[[OLD]] : i8 to i1
// CHECK-DAG:     %[[PART1:.+]] = arith.trunci %[[PART]] : i8 to i1
// CHECK:         %[[NEW1:.+]] = arith.andi %[[OLD1]], %[[PART1]] : i1
// CHECK:         %[[NEW:.+]] = arith.extui %[[NEW1]] : i1 to i8
// CHECK:         memref.store %[[NEW]]
func.func @rfactor_all(%A: memref<5xi8>, %B: memref<1xi8>) {
  loop.for serial %k in 5 {
    loop.block "all" [%vk: reduce 5] = (%k) reads(%A[%vk : 1]) writes(%B[0 : 1]) reducer(and, 1) {
      loop.init {
        %true = arith.constant 1 : i8
        %c0_0 = arith.constant 0 : index
        memref.store %true, %B[%c0_0] : memref<1xi8>
      }
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%vk] : memref<5xi8>
      %a1 = arith.trunci %a : i8 to i1
      %b = memref.load %B[%c0] : memref<1xi8>
      %b1 = arith.trunci %b : i8 to i1
      %s1 = arith.andi %b1, %a1 : i1
      %s = arith.extui %s1 : i1 to i8
      memref.store %s, %B[%c0] : memref<1xi8>
    }
  }
  return
}

// Onto existing values, with the start in a separate block; another block of the nest is unchanged.
// CHECK-LABEL: func.func @rfactor_without_start
// CHECK:       loop.for serial %rf_l in 3 {
// CHECK-NEXT:    loop.for serial %i in 4 {
// CHECK-NEXT:      loop.for serial %k in 2 {
// CHECK-NEXT:        loop.block "rf_onto"
// CHECK:               loop.init
// CHECK:       loop.for serial %i in 4 {
// CHECK-NEXT:    loop.block "start"
// CHECK:         loop.for serial %l in 3 {
// CHECK-NEXT:      loop.block "onto" [%v: spatial 4, %vl: reduce 3] = (%i, %l)
// CHECK-NOT:         loop.init
// CHECK:       loop.block "rf_onto_1"
func.func @rfactor_without_start(%A: memref<4x2x3xi32>, %B: memref<4xi32>) {
  loop.for serial %i in 4 {
    loop.block "start" [%v: spatial 4] = (%i) writes(%B[%v : 1]) {
      %zero = arith.constant 0 : i32
      memref.store %zero, %B[%v] : memref<4xi32>
    }
    loop.for serial %k in 2 {
      loop.for serial %l in 3 {
        loop.block "onto" [%v: spatial 4, %vk: reduce 2, %vl: reduce 3] = (%i, %k, %l)
            reads(%A[%v : 1, %vk : 1, %vl : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%v, %vk, %vl] : memref<4x2x3xi32>
          %b = memref.load %B[%v] : memref<4xi32>
          %s = arith.addi %a, %b : i32
          memref.store %s, %B[%v] : memref<4xi32>
        }
      }
    }
  }
  loop.for serial %i in 4 { loop.block "rf_onto_1" [%v: spatial 4] = (%i) {} }
  return
}

// A partial result starts with the identity: for the larger of two numbers that is NaN.
// CHECK-LABEL: func.func @rfactor_maxnum
// CHECK:       loop.block "rf_greatest"
// CHECK:         loop.init
// CHECK:           arith.constant 0x7FC00000 : f32
func.func @rfactor_maxnum(%A: memref<4x2xf32>, %B: memref<4xf32>) attributes {loop.fp = "fast"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 2 {
      loop.block "greatest" [%v: spatial 4, %vk: reduce 2] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(maxnum, 0xFF800000) {
        %a = memref.load %A[%v, %vk] : memref<4x2xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.maxnumf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// Exact in any order: a strict function permits it.
// CHECK-LABEL: func.func @rfactor_strict_maximum
// CHECK:       loop.block "rf_strict"
func.func @rfactor_strict_maximum(%A: memref<4x2xf32>, %B: memref<4xf32>) attributes {loop.fp = "strict"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 2 {
      loop.block "strict" [%v: spatial 4, %vk: reduce 2] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(max, 0xFF800000) {
        %a = memref.load %A[%v, %vk] : memref<4x2xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.maximumf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// One value per partial result: the order of the sum is unchanged, and so are all bits, as -0 is added to each value.
// CHECK-LABEL: func.func @rfactor_in_order
// CHECK:       loop.for serial %rf_k in 6 {
// CHECK:         loop.block "rf_in_order" [%v: spatial 4, %vk: spatial 6, %one: reduce 1] = (%i, %rf_k, 0)
// CHECK:           %[[NONE:.+]] = arith.constant -0.000000e+00 : f32
// CHECK-NEXT:      memref.store %[[NONE]], %rf_B[%vk, %v]
// CHECK:       loop.for serial %k in 6 {
// CHECK:         loop.block "in_order" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
func.func @rfactor_in_order(%A: memref<4x6xf32>, %B: memref<4xf32> {loop.name = "B"}) {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "in_order" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// In a branch on sizes, both steps stay in it.
// CHECK-LABEL: func.func @rfactor_branch
// CHECK:       loop.if
// CHECK-NEXT:    loop.for serial %rf_k in 6
// CHECK:           loop.block "rf_branch"
// CHECK:         loop.for serial %i in
// CHECK:           loop.block "branch"
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %rf_k in 6
// CHECK:           loop.block "rf_branch.else"
// CHECK:         loop.for serial %i in
// CHECK:           loop.block "branch.else"
func.func @rfactor_branch(%A: memref<?x6xi32>, %B: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x6xi32>
  loop.for serial %i in %n {
    loop.for serial %k in 6 {
      loop.block "branch" [%v: spatial %n, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<?xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<?x6xi32>
        %b = memref.load %B[%v] : memref<?xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}
