// Loops and branches whose regions are calls: carried values and results are in buffers.
// RUN: lw-opt %s --convert-linalg-to-loop --split-input-file | FileCheck %s

// The body writes to another buffer than it reads.
// CHECK-LABEL: func.func @count(
// CHECK-SAME:    %[[X:.+]]: memref<4xf32>, %[[N:.+]]: memref<i64>, %[[OUT:.+]]: memref<4xf32>
// CHECK-DAG:     %[[COUNTER:.+]] = loop.buffer "counter" {{.*}}: memref<i64>
// CHECK-DAG:     %[[NEXT:.+]] = loop.buffer "next" {{.*}}: memref<4xf32>
// CHECK:         loop.block "copy"
// CHECK-SAME:    =
// CHECK-NEXT:      reads(%[[X]]{{.*}} writes(%[[OUT]]
// CHECK:         %[[LAST:.+]] = memref.load %[[N]][]
// CHECK:         %[[END:.+]] = arith.index_cast %[[LAST]]
// CHECK:         scf.for %[[I:.+]] = %{{.+}} to %[[END]]
// CHECK-NEXT:      %[[NOW:.+]] = arith.index_cast %[[I]]
// CHECK-NEXT:      memref.store %[[NOW]], %[[COUNTER]][]
// CHECK-NEXT:      func.call @count_body(%[[COUNTER]], %[[OUT]], %[[NEXT]]) {no_inline}
// CHECK-NEXT:      memref.copy %[[NEXT]], %[[OUT]]
// CHECK-NEXT:    }
func.func private @count_body(%i: i64, %t: tensor<4xf32>) -> tensor<4xf32> {
  %f = arith.sitofp %i : i64 to f32
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %u = linalg.add ins(%t, %s : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}
func.func @count(%x: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%t = %x) -> (tensor<4xf32>) {
    %j = arith.index_cast %i : index to i64
    %u = func.call @count_body(%j, %t) : (i64, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Each region of a scf.while reads what the other one writes.
// CHECK-LABEL: func.func @repeat(
// CHECK-SAME:    %{{.+}}: memref<4xf32>, %[[OUT:.+]]: memref<4xf32>
// CHECK-DAG:     %[[CARRIED:.+]] = loop.buffer "carried"
// CHECK-DAG:     %[[CONDITION:.+]] = loop.buffer "condition" {{.*}}: memref<i8>
// CHECK:         scf.while : () -> () {
// CHECK-NEXT:      func.call @condition(%[[CARRIED]], %[[CONDITION]], %[[OUT]])
// CHECK-NEXT:      %[[LOADED:.+]] = memref.load %[[CONDITION]][]
// CHECK-NEXT:      %[[HOLDS:.+]] = arith.trunci %[[LOADED]] : i8 to i1
// CHECK-NEXT:      scf.condition(%[[HOLDS]])
// CHECK-NEXT:    } do {
// CHECK-NEXT:      func.call @body(%[[OUT]], %[[CARRIED]])
func.func private @condition(%x: tensor<4xf32>) -> (i1, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %most = arith.constant 100.0 : f32
  %v = tensor.extract %x[%c0] : tensor<4xf32>
  %c = arith.cmpf olt, %v, %most : f32
  return %c, %x : i1, tensor<4xf32>
}
func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @repeat(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %c:2 = func.call @condition(%a) : (tensor<4xf32>) -> (i1, tensor<4xf32>)
    scf.condition(%c#0) %c#1 : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %b = func.call @body(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %[[X:.+]]: memref<4xf32>, %[[FLAG:.+]]: memref<i8>, %[[OUT:.+]]: memref<4xf32>
// CHECK:         %[[LOADED:.+]] = memref.load %[[FLAG]][]
// CHECK:         %[[HOLDS:.+]] = arith.trunci %[[LOADED]] : i8 to i1
// CHECK:         scf.if %[[HOLDS]] {
// CHECK-NEXT:      func.call @twice(%[[X]], %[[OUT]])
// CHECK-NEXT:    } else {
// CHECK-NEXT:      func.call @same(%[[X]], %[[OUT]])
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @branch(%x: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %r = scf.if %flag -> (tensor<4xf32>) {
    %y = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    %y = func.call @same(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Sizes that are equal only for some arguments are a requirement. It holds where the function is called with equal tensors.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2] : (s0 - s1 == 0)>
// CHECK: func.func private @last({{.*}} attributes {loop.requires = #[[SET]]}
func.func private @next(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %u = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %u : tensor<?xf32>
}
func.func private @last(%start: tensor<?xf32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %start) -> (tensor<?xf32>) {
    %u = func.call @next(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// CHECK: func.func @equal(
// CHECK-NOT: loop.requires
// CHECK-SAME: {
func.func @equal(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = func.call @last(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
