// Vectorized loops: the number of lanes, and the kinds of memory accesses.
// RUN: lw-opt %s --convert-loop-to-scf -verify-diagnostics | FileCheck %s
// RUN: lw-opt %s --pass-pipeline='builtin.module(func.func(convert-loop-to-scf{vector-bits=256}))' | FileCheck %s --check-prefix=BITS256
// RUN: lw-opt %s --pass-pipeline='builtin.module(func.func(convert-loop-to-scf{vector-bits=128}))' | FileCheck %s --check-prefix=BITS128

// CHECK-LABEL: @one_vector(
// CHECK-SAME:    %[[A:.*]]: memref<16xf32>, %[[B:.*]]: memref<16xf32>
// CHECK-NOT:     scf.for
// CHECK:         %[[X:.*]] = vector.load %[[A]][%c0{{.*}}] : memref<16xf32>, vector<16xf32>
// CHECK:         vector.store %[[X]], %[[B]][%c0{{.*}}]
// CHECK-NEXT:    return
// BITS256-LABEL: @one_vector(
// BITS256-COUNT-2: vector.store {{.*}} vector<8xf32>
// BITS128-LABEL: @one_vector(
// BITS128-COUNT-4: vector.store {{.*}} vector<4xf32>
func.func @one_vector(%A: memref<16xf32>, %B: memref<16xf32>) {
  loop.for vectorize %i in 16 {
    loop.block "B" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<16xf32>
      memref.store %a, %B[%v] : memref<16xf32>
    }
  }
  return
}

// CHECK-LABEL: @several_vectors(
// CHECK-NOT:     scf.for
// CHECK:         vector.load %{{.*}}[%c0{{.*}}] : memref<32xf32>, vector<16xf32>
// CHECK:         vector.load %{{.*}}[%c16{{.*}}] : memref<32xf32>, vector<16xf32>
// CHECK-NOT:     vector.load
// CHECK:         return
func.func @several_vectors(%A: memref<32xf32>, %B: memref<32xf32>) {
  loop.for vectorize %i in 32 {
    loop.block "B" [%v: spatial 32] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<32xf32>
      memref.store %a, %B[%v] : memref<32xf32>
    }
  }
  return
}

// More than 8 vectors become a loop.
// CHECK-LABEL: @many_vectors(
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c10{{.*}} step %c1
// CHECK:         %[[AT:.*]] = arith.muli %[[I]], %c16
// CHECK-NEXT:    vector.load %{{.*}}[%[[AT]]]
// CHECK:         }
// CHECK-NEXT:    return
func.func @many_vectors(%A: memref<160xf32>, %B: memref<160xf32>) {
  loop.for vectorize %i in 160 {
    loop.block "B" [%v: spatial 160] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<160xf32>
      memref.store %a, %B[%v] : memref<160xf32>
    }
  }
  return
}

// Full vectors, and a masked tail.
// CHECK-LABEL: @tail(
// CHECK:         vector.load %{{.*}}[%c0
// CHECK:         vector.load %{{.*}}[%c16
// CHECK:         %[[MASK:.*]] = vector.constant_mask [5] : vector<16xi1>
// CHECK:         %[[OFF:.*]] = arith.constant dense<0.0{{.*}}> : vector<16xf32>
// CHECK-NEXT:    %[[X:.*]] = vector.maskedload %{{.*}}[%c32{{.*}}], %[[MASK]], %[[OFF]]
// CHECK:         vector.maskedstore %{{.*}}[%c32{{.*}}], %[[MASK]], %[[X]]
func.func @tail(%A: memref<37xf32>, %B: memref<37xf32>) {
  loop.for vectorize %i in 37 {
    loop.block "B" [%v: spatial 37] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<37xf32>
      memref.store %a, %B[%v] : memref<37xf32>
    }
  }
  return
}

// No mask if a smaller vector fits.
// CHECK-LABEL: @smaller_than_a_register(
// CHECK-NOT:     mask
// CHECK:         vector.load {{.*}} vector<8xf32>
// CHECK:         return
func.func @smaller_than_a_register(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for vectorize %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: @smaller_and_odd(
// CHECK:         vector.constant_mask [3] : vector<4xi1>
// CHECK:         vector.maskedload
// CHECK:         vector.maskedstore
func.func @smaller_and_odd(%A: memref<3xf32>, %B: memref<3xf32>) {
  loop.for vectorize %i in 3 {
    loop.block "B" [%v: spatial 3] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<3xf32>
      memref.store %a, %B[%v] : memref<3xf32>
    }
  }
  return
}

// CHECK-LABEL: @one_lane(
// CHECK-NOT:     vector.
// CHECK:         memref.load
// CHECK:         memref.store
func.func @one_lane(%A: memref<1xf32>, %B: memref<1xf32>) {
  loop.for vectorize %i in 1 {
    loop.block "B" [%v: spatial 1] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<1xf32>
      memref.store %a, %B[%v] : memref<1xf32>
    }
  }
  return
}

// CHECK-LABEL: @bf16(
// CHECK-COUNT-1: vector.store {{.*}} vector<32xbf16>
func.func @bf16(%A: memref<32xbf16>, %B: memref<32xbf16>) {
  loop.for vectorize %i in 32 {
    loop.block "B" [%v: spatial 32] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<32xbf16>
      memref.store %a, %B[%v] : memref<32xbf16>
    }
  }
  return
}

// CHECK-LABEL: @f64(
// CHECK-COUNT-2: vector.store {{.*}} vector<8xf64>
func.func @f64(%A: memref<16xf64>, %B: memref<16xf64>) {
  loop.for vectorize %i in 16 {
    loop.block "B" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<16xf64>
      memref.store %a, %B[%v] : memref<16xf64>
    }
  }
  return
}

// CHECK-LABEL: @bytes(
// CHECK-COUNT-1: vector.store {{.*}} vector<64xi8>
func.func @bytes(%A: memref<64xi8>, %B: memref<64xi8>) {
  loop.for vectorize %i in 64 {
    loop.block "B" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xi8>
      memref.store %a, %B[%v] : memref<64xi8>
    }
  }
  return
}

// The widest element determines the number of lanes.
// CHECK-LABEL: @mixed_widths(
// CHECK-COUNT-2: vector.load {{.*}} vector<16xi8>
// CHECK:         arith.sitofp %{{.*}} : vector<16xi8> to vector<16xf32>
// CHECK:         vector.store {{.*}} vector<16xf32>
func.func @mixed_widths(%A: memref<16xi8>, %B: memref<16xf32>) {
  loop.for vectorize %i in 16 {
    loop.block "B" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<16xi8>
      %a2 = memref.load %A[%v] : memref<16xi8>
      %s = arith.addi %a, %a2 : i8
      %b = arith.sitofp %s : i8 to f32
      memref.store %b, %B[%v] : memref<16xf32>
    }
  }
  return
}

// An element that all lanes load is loaded once.
// CHECK-LABEL: @uniform(
// CHECK:         %[[X:.*]] = memref.load %{{.*}}[%c2{{.*}}]
// CHECK-NEXT:    %[[V:.*]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
// CHECK:         vector.store %[[V]]
func.func @uniform(%A: memref<4xf32>, %B: memref<8xf32>) {
  loop.for vectorize %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[2 : 1]) writes(%B[%v : 1]) {
      %c2 = arith.constant 2 : index
      %a = memref.load %A[%c2] : memref<4xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Strides other than 1 are accessed lane by lane.
// CHECK-LABEL: @transposed(
// CHECK:         %[[A0:.*]] = memref.load %{{.*}}[%c0{{.*}}, %[[I:.*]]]
// CHECK:         %[[A1:.*]] = memref.load %{{.*}}[%c1{{.*}}, %[[I]]]
// CHECK:         %[[V:.*]] = vector.from_elements %[[A0]], %[[A1]] : vector<2xf32>
// CHECK:         vector.store %[[V]], %{{.*}}[%[[I]], %c0
func.func @transposed(%A: memref<2x4xf32>, %B: memref<4x2xf32>) {
  loop.for serial %i in 4 {
    loop.for vectorize %j in 2 {
      loop.block "B" [%v: spatial 4, %w: spatial 2] = (%i, %j) reads(%A[%w : 1, %v : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%w, %v] : memref<2x4xf32>
        memref.store %a, %B[%v, %w] : memref<4x2xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @scattered_store(
// CHECK:         %[[V:.*]] = vector.load
// CHECK:         %[[X0:.*]] = vector.extract %[[V]][0]
// CHECK-NEXT:    memref.store %[[X0]], %{{.*}}[%c0
// CHECK:         %[[X1:.*]] = vector.extract %[[V]][1]
// CHECK-NEXT:    memref.store %[[X1]], %{{.*}}[%c2
func.func @scattered_store(%A: memref<2xf32>, %B: memref<4xf32>) {
  loop.for vectorize %i in 2 {
    loop.block "B" [%v: spatial 2] = (%i) reads(%A[%v : 1]) writes(%B[%v * 2 : 1]) {
      %a = memref.load %A[%v] : memref<2xf32>
      %to = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      memref.store %a, %B[%to] : memref<4xf32>
    }
  }
  return
}

// An index from data is a vector with one index per lane.
// CHECK-LABEL: @gather(
// CHECK:         %[[I:.*]] = arith.index_cast %{{.*}} : vector<2xi64> to vector<2xindex>
// CHECK:         %[[I0:.*]] = vector.extract %[[I]][0]
// CHECK:         memref.load %{{.*}}[%[[I0]]]
// CHECK:         %[[I1:.*]] = vector.extract %[[I]][1]
// CHECK:         memref.load %{{.*}}[%[[I1]]]
// CHECK:         vector.from_elements
func.func @gather(%A: memref<9xf32>, %I: memref<2xi64>, %B: memref<2xf32>) {
  loop.for vectorize %i in 2 {
    loop.block "B" [%v: spatial 2] = (%i) reads(%I[%v : 1], %A[*]) writes(%B[%v : 1]) {
      %at = memref.load %I[%v] : memref<2xi64>
      %from = arith.index_cast %at : i64 to index
      %a = memref.load %A[%from] : memref<9xf32>
      memref.store %a, %B[%v] : memref<2xf32>
    }
  }
  return
}

// Lanes that a constant mask disables are removed.
// CHECK-LABEL: @strided_tail(
// CHECK-COUNT-3: memref.load
// CHECK-NOT:     memref.load
// CHECK:         vector.from_elements
// CHECK:         vector.maskedstore
func.func @strided_tail(%A: memref<5xf32>, %B: memref<3xf32>) {
  loop.for vectorize %i in 3 {
    loop.block "B" [%v: spatial 3] = (%i) reads(%A[%v * 2 : 1]) writes(%B[%v : 1]) {
      %from = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%from] : memref<5xf32>
      memref.store %a, %B[%v] : memref<3xf32>
    }
  }
  return
}

// Iters as data.
// CHECK-LABEL: @number_of_a_lane(
// CHECK:         %[[L:.*]] = vector.step : vector<4xindex>
// CHECK:         %[[N:.*]] = arith.index_cast %[[L]] : vector<4xindex> to vector<4xi32>
// CHECK:         vector.store %[[N]]
func.func @number_of_a_lane(%B: memref<4xi32>) {
  loop.for vectorize %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) writes(%B[%v : 1]) {
      %n = arith.index_cast %v : index to i32
      memref.store %n, %B[%v] : memref<4xi32>
    }
  }
  return
}

// Dependent lanes are one vector, whatever the register size: all read before any writes.
// CHECK-LABEL: @dependent_lanes(
// CHECK:         %[[X:.*]] = vector.load %{{.*}} : memref<41xf32>, vector<40xf32>
// CHECK:         vector.store %[[X]], %{{.*}} : memref<41xf32>, vector<40xf32>
func.func @dependent_lanes(%A: memref<41xf32>) {
  loop.for vectorize %i in 40 {
    loop.block "A" [%v: spatial 40] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<41xf32>
      memref.store %a, %A[%v] : memref<41xf32>
    }
  }
  return
}

// CHECK-LABEL: @largest_extent(
// CHECK:         scf.for
// CHECK:         vector.constant_mask [15]
func.func @largest_extent(%B: memref<1xf32>) {
  loop.for vectorize %i in 9223372036854775807 {
    loop.block "B" [%v: spatial 1] = (%i) where(-%i >= 0) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<1xf32>
    }
  }
  return
}
