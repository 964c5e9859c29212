// Loops, and branches on data that read or divide, in bodies: private functions that schedule blocks call.
// RUN: lw-opt %s --convert-linalg-to-loop --verify-diagnostics | FileCheck %s

// What is outside becomes an argument or a copy; the contract is that of the caller; a size is passed, not read.
// CHECK-LABEL: func.func private @sum_while(
// CHECK-SAME:      %[[START:[a-z0-9]+]]: f32, %[[SIZE:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: memref<?xi8>)
// CHECK-SAME:      -> (index, f32) attributes {loop.fp = "fast"}
// CHECK-DAG:     %[[ZERO:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[NONE:.+]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[R:[0-9]+]]:2 = scf.while (%[[I:[a-z0-9]+]] = %[[ZERO]], %[[A:[a-z0-9]+]] = %[[START]])
// CHECK:           arith.cmpi slt, %[[I]], %[[SIZE]]
// CHECK:           scf.condition
// CHECK:           %[[STORED:.+]] = memref.load %[[X]][%{{.+}}] : memref<?xi8>
// CHECK:           %[[BOOL:.+]] = arith.trunci %[[STORED]] : i8 to i1
// CHECK:           arith.select %[[BOOL]], %{{.+}}, %[[NONE]] : f32
// CHECK-NOT:       tensor
// CHECK:         return %[[R]]#0, %[[R]]#1 : index, f32

// A name that is taken, a constant tensor, and a constant tensor of one value.
// CHECK-LABEL: func.func private @table_if_1(
// CHECK-SAME:      %{{.+}}: i1, %[[TABLE:[a-z0-9]+]]: memref<4xf32>, %{{.+}}: index)
// CHECK:           %[[THREE:.+]] = arith.constant 3.000000e+00 : f32
// CHECK:           scf.if
// CHECK:             memref.load %[[TABLE]]
// CHECK-NOT:         memref.load
// CHECK:             arith.addf %{{.+}}, %[[THREE]] : f32

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:      %[[FLAGS:[a-z0-9]+]]: memref<?xi8>, %[[STARTS:[a-z0-9]+]]: memref<4xf32>,
// CHECK-SAME:      attributes {loop.fp = "fast"}
// CHECK:         %[[DIM:.+]] = memref.dim %[[FLAGS]]
// CHECK:         loop.block "while" [%[[V:.+]]: spatial 4] = (%{{.+}})
// CHECK-NEXT:        reads(%[[STARTS]][%[[V]] : 1], %[[FLAGS]][*]) writes(
// CHECK-NEXT:      %[[S:.+]] = memref.load %[[STARTS]]
// CHECK-NEXT:      %[[C:.+]]:2 = func.call @sum_while(%[[S]], %[[DIM]], %[[FLAGS]]) {no_inline}
// CHECK-NEXT:      memref.store %[[C]]#1
#id = affine_map<(d0) -> (d0)>
func.func @sum(%flags: tensor<?xi1>, %x: tensor<4xf32>) -> tensor<4xf32> attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%start: f32, %o: f32):
    %r:2 = scf.while (%i = %c0, %a = %start) : (index, f32) -> (index, f32) {
      %n = tensor.dim %flags, %c0 : tensor<?xi1>
      %more = arith.cmpi slt, %i, %n : index
      // expected-remark @below {{this assertion is not checked}}
      cf.assert %more, "removed"
      scf.condition(%more) %i, %a : index, f32
    } do {
    ^bb0(%i: index, %a: f32):
      %four = tensor.cast %flags : tensor<?xi1> to tensor<?xi1>
      %b = tensor.extract %four[%i] : tensor<?xi1>
      %v = arith.select %b, %start, %zero : f32
      %s = arith.addf %a, %v : f32
      %j = arith.addi %i, %c1 : index
      scf.yield %j, %s : index, f32
    }
    linalg.yield %r#1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Branches of numbers remain a choice between two values, also with quotients of floats.
// CHECK-LABEL: func.func @quotient(
// CHECK:         arith.divf
// CHECK:         arith.select
// CHECK-NOT:     func.call
func.func @quotient(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%v: f32):
    %is = arith.cmpf one, %v, %zero : f32
    %r = scf.if %is -> f32 {
      %q = arith.divf %v, %v : f32
      scf.yield %q : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @table(
// CHECK:         %[[G:[a-z0-9_]+]] = memref.get_global @const_0
// CHECK:         func.call @table_if_1(%{{[a-z0-9_]+}}, %[[G]], %{{[a-z0-9_]+}}) {no_inline}
func.func private @table_if(f32) -> f32
func.func @table(%at: tensor<4xi64>) -> tensor<4xf32> {
  %table = arith.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xf32>
  %fill = arith.constant dense<3.0> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%k: i64, %o: f32):
    %is = arith.cmpi sge, %k, %none : i64
    %i = arith.index_cast %k : i64 to index
    %r = scf.if %is -> f32 {
      %a = tensor.extract %table[%i] : tensor<4xf32>
      %b = tensor.extract %fill[%i] : tensor<4xf32>
      %s = arith.addf %a, %b : f32
      scf.yield %s : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
