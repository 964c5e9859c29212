// RUN: lw-opt %s --sched-pad-einsum='block=S factors=16,1,16' --sched-pad-einsum='block=D factors=16,16,16' \
// RUN:   --sched-pad-einsum='block=M factors=4,4' --sched-pad-einsum='block=Q factors=8,4' \
// RUN:   --sched-pad-einsum='block=B factors=1,4,4' --sched-pad-einsum='block=E factors=8' \
// RUN:   --sched-pad-einsum='block=W factors=4,4 proof=assume' --sched-pad-einsum='block=P factors=8,4' \
// RUN:   --sched-pad-einsum='block=R factors=4,4' --sched-pad-einsum='block=N factors=8' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s

// A sum that starts at 0 is never -0, so 0 may be added to it. "j" is unchanged.
// CHECK-LABEL: func.func @static
// CHECK:         %arg0_pad = loop.buffer "arg0_pad" scope(global) : memref<32x48xf32>
// CHECK:         %arg1_pad = loop.buffer "arg1_pad" scope(global) : memref<48x61xf32>
// CHECK:         %arg2_pad = loop.buffer "arg2_pad" scope(global) : memref<32x61xf32>
// CHECK:         loop.for serial %i in 32 {
// CHECK-NEXT:      loop.for serial %k in 48 {
// CHECK-NEXT:        loop.block "arg0_pad" [%vi: spatial 32, %vk: spatial 48] = (%i, %k)
// CHECK-NEXT:            reads(%arg0[%vi : 1, %vk : 1]) writes(%arg0_pad[%vi : 1, %vk : 1]) {
// CHECK-NEXT:          %[[X:.*]] = loop.if (-%vi + 29 >= 0, -%vk + 44 >= 0) -> f32 {
// CHECK-NEXT:            %[[Y:.*]] = memref.load %arg0[%vi, %vk] : memref<30x45xf32>
// CHECK-NEXT:            loop.yield %[[Y]] : f32
// CHECK-NEXT:          } else {
// CHECK-NEXT:            %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:            loop.yield %[[Z]] : f32
// CHECK-NEXT:          }
// CHECK-NEXT:          memref.store %[[X]], %arg0_pad[%vi, %vk] : memref<32x48xf32>
// CHECK:         loop.for serial %k in 48 {
// CHECK-NEXT:      loop.for serial %j in 61 {
// CHECK-NEXT:        loop.block "arg1_pad" [%vk: spatial 48, %vj: spatial 61] = (%k, %j)
// CHECK:               loop.if (-%vk + 44 >= 0) -> f32
// CHECK:         loop.for serial %i in 32 {
// CHECK-NEXT:      loop.for parallel %j in 61 {
// CHECK-NEXT:        loop.for serial %k in 48 {
// CHECK-NEXT:          loop.block "S" [%vi: spatial 32, %vj: spatial 61, %vk: reduce 48] = (%i, %j, %k)
// CHECK-NEXT:              reads(%arg0_pad[%vi : 1, %vk : 1], %arg1_pad[%vk : 1, %vj : 1]) writes(%arg2_pad[%vi : 1, %vj : 1])
// CHECK:         loop.for serial %i in 30 {
// CHECK-NEXT:      loop.for serial %j in 61 {
// CHECK-NEXT:        loop.block "arg2_unpad" [%vi: spatial 30, %vj: spatial 61] = (%i, %j)
// CHECK-NEXT:            reads(%arg2_pad[%vi : 1, %vj : 1]) writes(%arg2[%vi : 1, %vj : 1])
func.func @static(%A: memref<30x45xf32>, %B: memref<45x61xf32>, %C: memref<30x61xf32>) {
  loop.for serial %i in 30 {
    loop.for parallel %j in 61 {
      loop.for serial %k in 45 {
        loop.block "S" [%vi: spatial 30, %vj: spatial 61, %vk: reduce 45] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %C[%vi, %vj] : memref<30x61xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<30x45xf32>
          %b = memref.load %B[%vk, %vj] : memref<45x61xf32>
          %p = arith.mulf %a, %b : f32
          %c = memref.load %C[%vi, %vj] : memref<30x61xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<30x61xf32>
        }
      }
    }
  }
  return
}

// Dynamic sizes. A sum that starts at a row may be -0: adding -0 * 0 keeps it, adding 0 does not. "B" may have fewer
// rows than "A" has columns, if nothing runs.
// CHECK-LABEL: func.func @dynamic
// CHECK:         %arg0_pad = loop.buffer "arg0_pad" scope(global) ((%dim ceildiv 16) * 16, (%dim_0 ceildiv 16) * 16) : memref<?x?xf32>
// CHECK:         loop.block "arg3_pad" [%vj: spatial (%dim_1 ceildiv 16) * 16]
// CHECK:         loop.block "arg0_pad"
// CHECK:           loop.if (-%vi + symbol(%dim) - 1 >= 0, -%vk + symbol(%dim_0) - 1 >= 0) -> f32
// CHECK:             arith.constant -0.000000e+00 : f32
// CHECK:         loop.block "arg1_pad"
// CHECK:           loop.if (-%vk + symbol(%dim_0) - 1 >= 0, -%vj + symbol(%dim_1) - 1 >= 0, -%vk + symbol(%{{.*}}) - 1 >= 0) -> f32
// CHECK:             arith.constant 0.000000e+00 : f32
// CHECK:         loop.block "D" [%vi: spatial (%dim ceildiv 16) * 16, %vj: spatial (%dim_1 ceildiv 16) * 16, %vk: reduce (%dim_0 ceildiv 16) * 16]
// CHECK:             loop.init {
// CHECK-NEXT:          %[[X:.*]] = memref.load %arg3_pad[%vj]
// CHECK-NEXT:          memref.store %[[X]], %arg2_pad[%vi, %vj]
// CHECK:         loop.for serial %i in %dim {
// CHECK-NEXT:      loop.for serial %j in %dim_1 {
// CHECK-NEXT:        loop.block "arg2_unpad" [%vi: spatial %dim, %vj: spatial %dim_1]
func.func @dynamic(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>, %row: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %l = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %B, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.for serial %k in %l {
        loop.block "D" [%vi: spatial %m, %vj: spatial %n, %vk: reduce %l] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1], %row[%vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %z = memref.load %row[%vj] : memref<?xf32>
            memref.store %z, %C[%vi, %vj] : memref<?x?xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %vj] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %c = memref.load %C[%vi, %vj] : memref<?x?xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// A maximum of sums: infinities. An extent that is a multiple is unchanged, and so is the output.
// CHECK-LABEL: func.func @largest_sum
// CHECK:         loop.block "arg0_pad" [%vi: spatial 8, %vk: spatial 8]
// CHECK:           loop.if (-%vk + 4 >= 0) -> f32
// CHECK:             arith.constant 0xFF800000 : f32
// CHECK:         loop.block "arg1_pad" [%vk: spatial 8]
// CHECK:             arith.constant 0xFF800000 : f32
// CHECK:         loop.block "M"
// CHECK-SAME:      [%vi: spatial 8, %vk: reduce 8]
// CHECK:             writes(%arg2[%vi : 1])
// CHECK-NOT:     unpad
func.func @largest_sum(%A: memref<8x5xf32>, %B: memref<5xf32>, %C: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %k in 5 {
      loop.block "M" [%vi: spatial 8, %vk: reduce 5] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1]) writes(%C[%vi : 1]) reducer(max, 0xFF800000) {
        loop.init {
          %z = arith.constant 0xFF800000 : f32
          memref.store %z, %C[%vi] : memref<8xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<8x5xf32>
        %b = memref.load %B[%vk] : memref<5xf32>
        %p = arith.addf %a, %b : f32
        %c = memref.load %C[%vi] : memref<8xf32>
        %s = arith.maximumf %c, %p : f32
        memref.store %s, %C[%vi] : memref<8xf32>
      }
    }
  }
  return
}

// Bytes around 128: the padding is the zero point.
// CHECK-LABEL: func.func @quantized
// CHECK:         loop.block "arg0_pad" [%vi: spatial 8, %vk: spatial 8]
// CHECK:             arith.constant -128 : i8
// CHECK:         loop.block "arg1_pad" [%vk: spatial 8]
// CHECK:             arith.constant -128 : i8
func.func @quantized(%A: memref<7x5xi8>, %B: memref<5xi8>, %C: memref<7xi32>) {
  %zero = arith.constant -128 : i32
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      loop.block "Q" [%vi: spatial 7, %vk: reduce 5] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1]) writes(%C[%vi : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i32
          memref.store %z, %C[%vi] : memref<7xi32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xi8>
        %b = memref.load %B[%vk] : memref<5xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %u = arith.subi %x, %zero : i32
        %v = arith.subi %y, %zero : i32
        %p = arith.muli %u, %v : i32
        %c = memref.load %C[%vi] : memref<7xi32>
        %s = arith.addi %c, %p : i32
        memref.store %s, %C[%vi] : memref<7xi32>
      }
    }
  }
  return
}

// A constant index is one element; a loop of one iteration; one buffer that is read at two indices.
// CHECK-LABEL: func.func @numbers
// CHECK:         %arg0_pad = loop.buffer "arg0_pad" scope(global) : memref<8x1x8xi32>
// CHECK:         %arg0_pad_1 = loop.buffer "arg0_pad_1" scope(global) : memref<8x1x8xi32>
// CHECK:         loop.block "arg0_pad" [%vi: spatial 8, %vk: spatial 8]
// CHECK:             memref.load %arg0[%vi, %{{.*}}, %vk] : memref<7x3x7xi32>
// CHECK:           memref.store %{{.*}}, %arg0_pad[%vi, %{{.*}}, %vk] : memref<8x1x8xi32>
// CHECK:         loop.block "arg0_pad_1" [%vk: spatial 8, %vi: spatial 8]
// CHECK:         loop.block "B"
// CHECK-SAME:      [%vb: spatial 1, %vi: spatial 8, %vk: reduce 8] = (0, %i, %k)
// CHECK:         loop.for serial %vb in 1 {
// CHECK-NEXT:      loop.for serial %i in 7 {
// CHECK-NEXT:        loop.block "arg1_unpad" [%[[B:.*]] name("vb"): spatial 1, %vi: spatial 7] = (%vb, %i)
func.func @numbers(%A: memref<7x3x7xi32>, %C: memref<1x7xi32>) {
  loop.for serial %u in 1 {
    loop.for serial %i in 7 {
      loop.for serial %k in 7 {
        loop.block "B" [%vb: spatial 1, %vi: spatial 7, %vk: reduce 7] = (0, %i, %k)
            reads(%A[*, 1 : 2, *]) writes(%C[%vb : 1, %vi : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i32
            memref.store %z, %C[%vb, %vi] : memref<1x7xi32>
          }
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %a = memref.load %A[%vi, %c2, %vk] : memref<7x3x7xi32>
          %b = memref.load %A[%vk, %c1, %vi] : memref<7x3x7xi32>
          %p = arith.muli %a, %b : i32
          %c = memref.load %C[%vb, %vi] : memref<1x7xi32>
          %s = arith.addi %c, %p : i32
          memref.store %s, %C[%vb, %vi] : memref<1x7xi32>
        }
      }
    }
  }
  return
}

// No reduction: the padded results are unused.
// CHECK-LABEL: func.func @spatial
// CHECK:         loop.block "arg0_pad" [%v: spatial 16]
// CHECK:         loop.block "E" [%v: spatial 16]
// CHECK:         loop.block "arg1_unpad" [%v: spatial 9]
func.func @spatial(%A: memref<9xf32>, %C: memref<9xf32>) {
  loop.for serial %i in 9 {
    loop.block "E" [%v: spatial 9] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<9xf32>
      %e = math.exp %a : f32
      memref.store %e, %C[%v] : memref<9xf32>
    }
  }
  return
}

// The other factor is not padded: the caller must guarantee that it is finite.
// CHECK-LABEL: func.func @assumed
// CHECK:         loop.block "arg0_pad" [%vi: spatial 8, %vk: spatial 8]
// CHECK:             arith.constant 0.000000e+00 : f32
// CHECK-NOT:     loop.block "arg1_pad"
// CHECK:         loop.block "W"
func.func @assumed(%A: memref<8x5xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %k in 5 {
      loop.block "W" [%vi: spatial 8, %vk: reduce 5] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vi : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<8xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<8x5xf32>
        %b = memref.load %B[%vi] : memref<8xf32>
        %p = arith.mulf %a, %b : f32
        %c = memref.load %C[%vi] : memref<8xf32>
        %s = arith.addf %c, %p : f32
        memref.store %s, %C[%vi] : memref<8xf32>
      }
    }
  }
  return
}

// A product is padded with 1.
// CHECK-LABEL: func.func @product
// CHECK:         loop.block "arg0_pad" [%vi: spatial 8, %vk: spatial 8]
// CHECK:             arith.constant 1.000000e+00 : f64
func.func @product(%A: memref<7x5xf64>, %C: memref<7xf64>) {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      loop.block "P" [%vi: spatial 7, %vk: reduce 5] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(mul, 1.0) {
        loop.init {
          %z = arith.constant 1.0 : f64
          memref.store %z, %C[%vi] : memref<7xf64>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf64>
        %c = memref.load %C[%vi] : memref<7xf64>
        %s = arith.mulf %c, %a : f64
        memref.store %s, %C[%vi] : memref<7xf64>
      }
    }
  }
  return
}

// A start of -0 under a contract that permits other sums.
// CHECK-LABEL: func.func @reassociated
// CHECK:         loop.block "arg0_pad"
// CHECK:             arith.constant 0.000000e+00 : f32
func.func @reassociated(%A: memref<8x5xf32>, %C: memref<8xf32>) attributes {loop.fp = "reassoc"} {
  loop.for serial %i in 8 {
    loop.for serial %k in 5 {
      loop.block "R" [%vi: spatial 8, %vk: reduce 5] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant -0.0 : f32
          memref.store %z, %C[%vi] : memref<8xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<8x5xf32>
        %c = memref.load %C[%vi] : memref<8xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<8xf32>
      }
    }
  }
  return
}

// A multiple already: nothing is padded.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT:     pad
// CHECK:         return
func.func @nothing(%A: memref<16xf32>, %C: memref<16xf32>) {
  loop.for serial %i in 16 {
    loop.block "N" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<16xf32>
      memref.store %a, %C[%v] : memref<16xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%module: !transform.any_op) {
    %a = transform.sched.function @static in %module
    transform.sched.pad_einsum "S" in %a factors [16, 1, 16]
    %b = transform.sched.function @dynamic in %module
    transform.sched.pad_einsum "D" in %b factors [16, 16, 16]
    %c = transform.sched.function @largest_sum in %module
    transform.sched.pad_einsum "M" in %c factors [4, 4]
    %d = transform.sched.function @quantized in %module
    transform.sched.pad_einsum "Q" in %d factors [8, 4]
    %e = transform.sched.function @numbers in %module
    transform.sched.pad_einsum "B" in %e factors [1, 4, 4]
    %g = transform.sched.function @spatial in %module
    transform.sched.pad_einsum "E" in %g factors [8]
    %h = transform.sched.function @assumed in %module
    transform.sched.pad_einsum "W" in %h factors [4, 4] proof "assume"
    %i = transform.sched.function @product in %module
    transform.sched.pad_einsum "P" in %i factors [8, 4]
    %j = transform.sched.function @reassociated in %module
    transform.sched.pad_einsum "R" in %j factors [4, 4]
    %k = transform.sched.function @nothing in %module
    transform.sched.pad_einsum "N" in %k factors [8]
    transform.yield
  }
}
