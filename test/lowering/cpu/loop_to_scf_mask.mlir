// Conditions in vectorized loops: uniform conditions become branches, others become masks.
// RUN: lw-opt %s --convert-loop-to-scf | FileCheck %s

// CHECK-LABEL: @uniform_predicate(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[IN:.*]] = arith.cmpi sge
// CHECK:           scf.if %[[IN]] {
// CHECK:             vector.store
// CHECK-NOT:     mask
// CHECK:         return
func.func @uniform_predicate(%B: memref<3x8xf32>) {
  loop.for serial %i in 4 {
    loop.for vectorize %j in 8 {
      loop.block "B" [%v: spatial 3, %w: spatial 8] = (%i, %j) where(-%i + 2 >= 0) writes(%B[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v, %w] : memref<3x8xf32>
      }
    }
  }
  return
}

// A prefix of the lanes: a mask of that length, in a branch that skips an empty mask.
// CHECK-LABEL: @first_lanes(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[START:.*]] = arith.muli %[[I]], %c8
// CHECK:           %[[COUNT:.*]] = arith.subi %c27{{.*}}, %[[START]]
// CHECK:           %[[MASK:.*]] = vector.create_mask %[[COUNT]] : vector<8xi1>
// CHECK:           scf.if
// CHECK:             vector.maskedstore %{{.*}}, %[[MASK]]
func.func @first_lanes(%B: memref<27xf32>) {
  loop.for serial %i in 5 {
    loop.for vectorize %j in 8 {
      loop.block "B" [%v: spatial 27] = (%i * 8 + %j) where(%i * -8 - %j + 26 >= 0) writes(%B[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v] : memref<27xf32>
      }
    }
  }
  return
}

// Every second lane.
// CHECK-LABEL: @falling_by_two(
// CHECK:         %[[HALF:.*]] = arith.divui
// CHECK:         arith.addi %[[HALF]], %c2
// CHECK:         vector.create_mask
func.func @falling_by_two(%B: memref<8xf32>) {
  loop.for serial %i in 5 {
    loop.for vectorize %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) where(%i - %j * 2 + 3 >= 0) writes(%B[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Other sets of lanes: a comparison, and a branch that skips an empty mask.
// CHECK-LABEL: @last_lanes(
// CHECK:         %[[L:.*]] = vector.step : vector<8xindex>
// CHECK:         %[[MASK:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : vector<8xindex>
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[MASK]] : vector<8xi1> into i1
// CHECK:         scf.if %[[ANY]] {
// CHECK:           vector.maskedstore %{{.*}}, %[[MASK]]
func.func @last_lanes(%B: memref<8xf32>) {
  loop.for vectorize %j in 8 {
    loop.block "B" [%v: spatial 8] = (%j) where(%j - 3 >= 0) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: @uniform_and_lanes(
// CHECK:         %[[MASK:.*]] = vector.create_mask
// CHECK:         %[[IN:.*]] = arith.cmpi sge, %{{.*}} : index
// CHECK:         scf.if %[[IN]] {
// CHECK:           vector.maskedstore %{{.*}}, %[[MASK]]
func.func @uniform_and_lanes(%B: memref<3x6xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k in 2 {
      loop.for vectorize %j in 4 {
        loop.block "B" [%v: spatial 3, %w: spatial 6] = (%i, %k * 4 + %j) where(-%i + 2 >= 0, %k * -4 - %j + 5 >= 0)
            writes(%B[%v : 1, %w : 1]) {
          %one = arith.constant 1.0 : f32
          memref.store %one, %B[%v, %w] : memref<3x6xf32>
        }
      }
    }
  }
  return
}

// Each active lane by itself.
// CHECK-LABEL: @masked_gather(
// CHECK:         %[[MASK:.*]] = vector.create_mask
// CHECK:         %[[ON:.*]] = vector.extract %[[MASK]][0]
// CHECK:         %[[A:.*]] = scf.if %[[ON]] -> (f32) {
// CHECK:           memref.load
// CHECK:         } else {
// CHECK:           scf.yield %{{.*}} : f32
// CHECK:         vector.from_elements %[[A]], %{{.*}} : vector<2xf32>
func.func @masked_gather(%A: memref<10xf32>, %B: memref<5xf32>) {
  loop.for serial %i in 3 {
    loop.for vectorize %j in 2 {
      loop.block "B" [%v: spatial 5] = (%i * 2 + %j) where(%i * -2 - %j + 4 >= 0) reads(%A[%v * 2 : 1]) writes(%B[%v : 1]) {
        %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
        %a = memref.load %A[%at] : memref<10xf32>
        memref.store %a, %B[%v] : memref<5xf32>
      }
    }
  }
  return
}

// A branch in a body with a uniform condition.
// CHECK-LABEL: @uniform_branch(
// CHECK:         %[[X:.*]] = scf.if %{{.*}} -> (vector<8xf32>) {
// CHECK:           vector.load
// CHECK:         } else {
// CHECK:           vector.broadcast
// CHECK:         vector.store %[[X]]
func.func @uniform_branch(%A: memref<3x8xf32>, %B: memref<4x8xf32>) {
  loop.for serial %i in 4 {
    loop.for vectorize %j in 8 {
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        %x = loop.if (-%v + 2 >= 0) -> (f32) {
          %a = memref.load %A[%v, %w] : memref<3x8xf32>
          loop.yield %a : f32
        } else {
          loop.yield %zero : f32
        }
        memref.store %x, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// Both branches under masks, and a select; an element that no lane requests is not loaded.
// CHECK-LABEL: @branch_of_each_lane(
// CHECK:         %[[YES:.*]] = arith.cmpi sge, %{{.*}} : vector<8xindex>
// CHECK:         %[[NO:.*]] = arith.xori %[[YES]]
// CHECK:         %[[A:.*]] = vector.maskedload %{{.*}}, %[[YES]]
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[NO]]
// CHECK:         %[[C:.*]] = scf.if %[[ANY]] -> (f32)
// CHECK:           memref.load
// CHECK:         %[[V:.*]] = vector.broadcast %[[C]]
// CHECK:         %[[X:.*]] = arith.select %[[YES]], %[[A]], %[[V]]
// CHECK:         vector.store %[[X]]
func.func @branch_of_each_lane(%A: memref<6xf32>, %C: memref<1xf32>, %B: memref<8xf32>) {
  loop.for vectorize %j in 8 {
    loop.block "B" [%w: spatial 8] = (%j) reads(%A[%w - 2 : 1], %C[0 : 1]) writes(%B[%w : 1]) {
      %c0 = arith.constant 0 : index
      %at = affine.apply affine_map<(d0) -> (d0 - 2)>(%w)
      %x = loop.if (%w - 2 >= 0) -> (f32) {
        %a = memref.load %A[%at] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = memref.load %C[%c0] : memref<1xf32>
        loop.yield %c : f32
      }
      memref.store %x, %B[%w] : memref<8xf32>
    }
  }
  return
}

// A nested branch has the intersection of both masks.
// CHECK-LABEL: @nested_branches(
// CHECK:         %[[OUTER:.*]] = arith.cmpi sge, %{{.*}} : vector<8xindex>
// CHECK:         %[[INNER:.*]] = arith.cmpi sge, %{{.*}} : vector<8xindex>
// CHECK:         %[[BOTH:.*]] = arith.andi %[[OUTER]], %[[INNER]]
// CHECK:         vector.maskedload %{{.*}}, %[[BOTH]]
// CHECK:         arith.select %[[INNER]]
// CHECK:         arith.select %[[OUTER]]
func.func @nested_branches(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for vectorize %j in 8 {
    loop.block "B" [%w: spatial 8] = (%j) reads(%A[%w : 1]) writes(%B[%w : 1]) {
      %zero = arith.constant 0.0 : f32
      %x = loop.if (%w - 2 >= 0) -> (f32) {
        %y = loop.if (-%w + 5 >= 0) -> (f32) {
          %a = memref.load %A[%w] : memref<8xf32>
          loop.yield %a : f32
        } else {
          loop.yield %zero : f32
        }
        loop.yield %y : f32
      } else {
        loop.yield %zero : f32
      }
      memref.store %x, %B[%w] : memref<8xf32>
    }
  }
  return
}
