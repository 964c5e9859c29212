// RUN: lw-opt %s --sched-blockize=target=C:i.1 --sched-blockize=target=D:i --sched-blockize=target=G \
// RUN:   --sched-blockize=target=T:j --sched-blockize=target=P:s --sched-blockize=target=B:i.1 \
// RUN:   --sched-blockize=target=F:g --sched-blockize=target=N:i.2 | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-blockize=target=C:i.1 --sched-blockize=target=D:i \
// RUN:   --sched-blockize=target=G --sched-blockize=target=T:j --sched-blockize=target=P:s \
// RUN:   --sched-blockize=target=B:i.1 --sched-blockize=target=F:g --sched-blockize=target=N:i.2 \
// RUN:   -o /dev/null 2>&1 | count 0

#tiles = affine_map<()[s0] -> (s0 ceildiv 4)>
#row = affine_map<(d0) -> (d0 + 1)>

// A tile of a matmul, with its start values.
// CHECK-LABEL: func.func @matmul
// CHECK:       loop.block "C_o" [%vi_o: spatial 2, %vj_o: spatial 3, %vk_o: reduce 2] = (%i.0, %j.0, %k.0)
// CHECK-NEXT:    reads(%arg0[%vi_o * 4 : 4, %vk_o * 4 : 4], %arg1[%vk_o * 4 : 4, %vj_o * 4 : 4])
// CHECK-SAME:    writes(%arg2[%vi_o * 4 : 4, %vj_o * 4 : 4]) {
// CHECK-NEXT:    loop.for serial %i.1 in 4
// CHECK-NEXT:      loop.for serial %j.1 in 4
// CHECK-NEXT:        loop.for serial %k.1 in 4
// CHECK-NEXT:          loop.block "C" [%vi: spatial 8, %vj: spatial 12, %vk: reduce 8] =
// CHECK-SAME:            (%i.1 + %vi_o * 4, %j.1 + %vj_o * 4, %k.1 + %vk_o * 4)
// CHECK:                 loop.init
func.func @matmul(%A: memref<8x8xi32>, %B: memref<8x12xi32>, %C: memref<8x12xi32>) {
  loop.for serial %i.0 in 2 {
    loop.for serial %j.0 in 3 {
      loop.for serial %k.0 in 2 {
        loop.for serial %i.1 in 4 {
          loop.for serial %j.1 in 4 {
            loop.for serial %k.1 in 4 {
              loop.block "C" [%vi: spatial 8, %vj: spatial 12, %vk: reduce 8]
                  = (%i.0 * 4 + %i.1, %j.0 * 4 + %j.1, %k.0 * 4 + %k.1)
                  reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
                  reducer(add, 0) {
                loop.init {
                  %zero = arith.constant 0 : i32
                  memref.store %zero, %C[%vi, %vj] : memref<8x12xi32>
                }
                %a = memref.load %A[%vi, %vk] : memref<8x8xi32>
                %b = memref.load %B[%vk, %vj] : memref<8x12xi32>
                %p = arith.muli %a, %b : i32
                %c = memref.load %C[%vi, %vj] : memref<8x12xi32>
                %s = arith.addi %c, %p : i32
                memref.store %s, %C[%vi, %vj] : memref<8x12xi32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// There are no outer loops: the instance has no iters.
// CHECK-LABEL: func.func @whole
// CHECK:       loop.block "D_o" [] = ()
// CHECK:         loop.for serial %i in %arg1 {
// CHECK-NEXT:      loop.block "D" [%v: spatial %arg1] = (%i)
func.func @whole(%D: memref<?xi32>, %n: index) {
  loop.for serial %i in %n {
    loop.block "D" [%v: spatial %n] = (%i) writes(%D[%v : 1]) {
      %one = arith.constant 1 : i32
      memref.store %one, %D[%v] : memref<?xi32>
    }
  }
  return
}

// A single schedule block: loops that are bound to one iter form one iter, and the predicate moves to the new block.
// CHECK-LABEL: func.func @alone
// CHECK:       loop.block "G_o" [%v_o: spatial (%arg1 ceildiv 4) * 4] = (%i.0 * 4 + %i.1)
// CHECK-NEXT:        where(%i.0 * -4 - %i.1 + symbol(%arg1) - 1 >= 0)
// CHECK:         loop.block "G" [%v: spatial %arg1] = (%v_o)
// CHECK-NEXT:        writes
func.func @alone(%G: memref<?xi32>, %n: index) {
  loop.for serial %i.0 in #tiles()[%n] {
    loop.for serial %i.1 in 4 {
      loop.block "G" [%v: spatial %n] = (%i.0 * 4 + %i.1)
          where(-%i.0 * 4 - %i.1 + symbol(%n) - 1 >= 0) writes(%G[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %G[%v] : memref<?xi32>
      }
    }
  }
  return
}

// An inner extent depends on the outer loop.
// CHECK-LABEL: func.func @triangle
// CHECK:       loop.block "T_o" [%vi_o: spatial 8] = (%i)
// CHECK-NEXT:    writes(%arg0[%vi_o : 1, *]) {
// CHECK-NEXT:    loop.for serial %j in #{{.*}}(%vi_o) {
// CHECK-NEXT:      loop.block "T" [%vi: spatial 8, %vj: spatial 8] = (%vi_o, %j)
func.func @triangle(%T: memref<8x8xi32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in #row(%i) {
      loop.block "T" [%vi: spatial 8, %vj: spatial 8] = (%i, %j) writes(%T[%vi : 1, %vj : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %T[%vi, %vj] : memref<8x8xi32>
      }
    }
  }
  return
}

// Two schedule blocks with one part in common; of the other part, only a branch and one of the blocks depend on it.
// CHECK-LABEL: func.func @several
// CHECK:       loop.block "P_o" [%v_o: spatial 4, %w_o: opaque 3] = (%r, %t)
// CHECK:         loop.for serial %s in 2 {
// CHECK-NEXT:      loop.block "P" [%v: spatial 8] = (%s + %v_o * 2)
// CHECK:           loop.if (%w_o - 1 >= 0) {
// CHECK-NEXT:        loop.block "Q" [%v: spatial 8, %w: spatial 3] = (%s + %v_o * 2, %w_o)
func.func @several(%P: memref<8xi32>, %Q: memref<8x3xi32>) {
  loop.for serial %r in 4 {
    loop.for serial %t in 3 {
      loop.for serial %s in 2 {
        loop.block "P" [%v: spatial 8] = (%r * 2 + %s) writes(%P[%v : 1]) {
          %one = arith.constant 1 : i32
          memref.store %one, %P[%v] : memref<8xi32>
        }
        loop.if (%t - 1 >= 0) {
          loop.block "Q" [%v: spatial 8, %w: spatial 3] = (%r * 2 + %s, %t)
              reads(%P[%v : 1]) writes(%Q[%v : 1, %w : 1]) {
            %p = memref.load %P[%v] : memref<8xi32>
            memref.store %p, %Q[%v, %w] : memref<8x3xi32>
          }
        }
      }
    }
  }
  return
}

// Tiles of a dynamic size.
// CHECK-LABEL: func.func @by_size
// CHECK:       loop.block "B_o" [%v_o: spatial 4] = (%i.0)
// CHECK:         loop.for serial %i.1 in #{{.*}}()[%arg1] {
// CHECK-NEXT:      loop.block "B" [%v: spatial %arg1] = (%i.1 + %v_o * (symbol(%arg1) ceildiv 4))
func.func @by_size(%B: memref<?xi32>, %n: index) {
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in #tiles()[%n] {
      loop.block "B" [%v: spatial %n] = (%i.0 * (symbol(%n) ceildiv 4) + %i.1)
          where(-%i.0 * (symbol(%n) ceildiv 4) - %i.1 + symbol(%n) - 1 >= 0) writes(%B[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}

// A loop that is the fusion of two.
// CHECK-LABEL: func.func @fused
// CHECK:       loop.block "F_o" [%v_o: spatial 6, %w_o: spatial 5] = (%f floordiv 5, %f mod 5)
// CHECK:         loop.block "F" [%v: spatial 12, %w: spatial 5] = (%g + %v_o * 2, %w_o)
func.func @fused(%F: memref<12x5xi32>) {
  loop.for parallel %f in 30 {
    loop.for serial %g in 2 {
      loop.block "F" [%v: spatial 12, %w: spatial 5] = (%f floordiv 5 * 2 + %g, %f mod 5) writes(%F[%v : 1, %w : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %F[%v, %w] : memref<12x5xi32>
      }
    }
  }
  return
}

// In a schedule block that was created by blockize.
// CHECK-LABEL: func.func @twice
// CHECK:       loop.block "O" [%o: spatial 2] = (%i.0)
// CHECK:         loop.for serial %i.1 in 2 {
// CHECK-NEXT:      loop.block "N_o" [%v_o: spatial 4] = (%o * 2 + %i.1)
// CHECK-NEXT:          writes(%arg0[%v_o * 4 : 4]) {
// CHECK-NEXT:        loop.for serial %i.2 in 4 {
// CHECK-NEXT:          loop.block "N" [%v: spatial 16] = (%i.2 + %v_o * 4)
func.func @twice(%N: memref<16xi32>) {
  loop.for serial %i.0 in 2 {
    loop.block "O" [%o: spatial 2] = (%i.0) writes(%N[%o * 8 : 8]) {
      loop.for serial %i.1 in 2 {
        loop.for serial %i.2 in 4 {
          loop.block "N" [%v: spatial 16] = (%o * 8 + %i.1 * 4 + %i.2) writes(%N[%v : 1]) {
            %one = arith.constant 1 : i32
            memref.store %one, %N[%v] : memref<16xi32>
          }
        }
      }
    }
  }
  return
}
