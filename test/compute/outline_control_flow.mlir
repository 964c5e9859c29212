// RUN: lw-opt %s --outline-control-flow --split-input-file | FileCheck %s

// The counter is passed as i64, a value that no iteration changes is not carried, and constants and sizes are computed
// again.
// CHECK-LABEL: func.func private @count_body(
// CHECK-SAME:    %[[I:.+]]: i64, %[[T:.+]]: tensor<?xf32>, %[[X:.+]]: tensor<?xf32>, %[[Y:.+]]: tensor<?xf32>) -> tensor<?xf32>
// CHECK-DAG:     %[[INDEX:.+]] = arith.index_cast %[[I]] : i64 to index
// CHECK-DAG:     %[[N:.+]] = tensor.dim %[[X]]
// CHECK:         tensor.empty(%[[N]])
// CHECK:         tensor.extract %[[Y]][%[[INDEX]]]
// CHECK:         return
// CHECK-LABEL: func.func @count(
// CHECK-SAME:    %[[X:.+]]: tensor<?xf32>, %[[Y:.+]]: tensor<?xf32>
// CHECK:         %[[R:.+]] = scf.for %[[I:.+]] = {{.+}} iter_args(%[[T:.+]] = %[[X]]) -> (tensor<?xf32>) {
// CHECK-NEXT:      %[[J:.+]] = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT:      %[[U:.+]] = func.call @count_body(%[[J]], %[[T]], %[[X]], %[[Y]])
// CHECK-NEXT:      scf.yield %[[U]]
// CHECK:         return %[[R]], %[[Y]]
func.func @count(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %same = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %v = tensor.extract %same[%i] : tensor<?xf32>
    %s = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %u = linalg.add ins(%t, %s : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u, %same : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The condition of a loop and its body are two functions. Of the values that the first one passes on, those that the
// second one returns unchanged are not carried.
// CHECK-LABEL: func.func private @repeat_condition(
// CHECK-SAME:    %{{.+}}: tensor<i32>, %{{.+}}: tensor<4xf32>, %{{.+}}: tensor<i32>) -> (i1, tensor<i32>, tensor<4xf32>)
// CHECK-LABEL: func.func private @repeat_body(
// CHECK-SAME:    %{{.+}}: tensor<i32>, %{{.+}}: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
// CHECK-LABEL: func.func @repeat(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>, %[[N:.+]]: tensor<i32>
// CHECK:         scf.while (%[[I:.+]] = %{{.+}}, %[[A:.+]] = %[[X]]) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
// CHECK-NEXT:      %[[C:.+]]:3 = func.call @repeat_condition(%[[I]], %[[A]], %[[N]])
// CHECK-NEXT:      scf.condition(%[[C]]#0) %[[C]]#1, %[[C]]#2
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%[[J:.+]]: tensor<i32>, %[[B:.+]]: tensor<4xf32>):
// CHECK-NEXT:      %[[D:.+]]:2 = func.call @repeat_body(%[[J]], %[[B]])
// CHECK-NEXT:      scf.yield %[[D]]#0, %[[D]]#1
func.func @repeat(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  %zero = arith.constant dense<0> : tensor<i32>
  %r:3 = scf.while (%i = %zero, %k = %n, %a = %x) : (tensor<i32>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<i32>, tensor<4xf32>) {
    %now = tensor.extract %i[] : tensor<i32>
    %end = tensor.extract %k[] : tensor<i32>
    %c = arith.cmpi slt, %now, %end : i32
    scf.condition(%c) %i, %k, %a : tensor<i32>, tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%i: tensor<i32>, %k: tensor<i32>, %a: tensor<4xf32>):
    %one = arith.constant dense<1> : tensor<i32>
    %j = arith.addi %i, %one : tensor<i32>
    %b = arith.addf %a, %a : tensor<4xf32>
    scf.yield %j, %k, %b : tensor<i32>, tensor<i32>, tensor<4xf32>
  }
  return %r#2, %r#1 : tensor<4xf32>, tensor<i32>
}

// -----

// Control flow in a region is outlined from the new function.
// CHECK-LABEL: func.func private @nested_body_then(
// CHECK-LABEL: func.func private @nested_body_else(
// CHECK-LABEL: func.func private @nested_body(
// CHECK:         scf.if
// CHECK-NEXT:      func.call @nested_body_then
// CHECK-LABEL: func.func @nested(
// CHECK:         scf.for
// CHECK:           func.call @nested_body(
func.func @nested(%x: tensor<4xf32>, %flag: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> (tensor<4xf32>) {
    %u = scf.if %flag -> (tensor<4xf32>) {
      %v = arith.addf %t, %x : tensor<4xf32>
      scf.yield %v : tensor<4xf32>
    } else {
      scf.yield %t : tensor<4xf32>
    }
    scf.yield %u : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A value that no iteration changes is what another one becomes.
// CHECK-LABEL: func.func @becomes(
// CHECK-SAME:    %[[X:.+]]: tensor<4xf32>, %[[Y:.+]]: tensor<4xf32>
// CHECK:         scf.for {{.*}} iter_args(%{{.+}} = %[[X]]) -> (tensor<4xf32>) {
// CHECK-NEXT:      %[[R:.+]] = func.call @becomes_body(%[[Y]])
// CHECK-NEXT:      scf.yield %[[R]]
func.func @becomes(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x, %same = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %same, %same : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}

// -----

// Functions on buffers stay as they are.
// CHECK-LABEL: func.func @buffers(
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
// CHECK-NOT:   func.func private
func.func @buffers(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %x[%c0] : memref<4xf32>
  }
  return
}

// -----

// A loop is unrolled if a size depends on its iteration, and it has at most 64 of them.
// CHECK-LABEL: func.func @triangle(
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: tensor.extract_slice {{.*}} to tensor<?xf32>
// CHECK-NOT:     tensor.extract_slice {{.*}} to tensor<?xf32>
// CHECK:         return
func.func @triangle(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> (tensor<3xf32>) {
    %n = arith.subi %c3, %i : index
    %s = tensor.extract_slice %x[%i] [%n] [1] : tensor<3xf32> to tensor<?xf32>
    %u = tensor.insert_slice %s into %t[0] [%n] [1] : tensor<?xf32> into tensor<3xf32>
    scf.yield %u : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
// CHECK-LABEL: func.func @long(
// CHECK:         scf.for
func.func @long(%x: tensor<65xf32>) -> tensor<65xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  %r = scf.for %i = %c0 to %c65 step %c1 iter_args(%t = %x) -> (tensor<65xf32>) {
    %n = arith.subi %c65, %i : index
    %s = tensor.extract_slice %x[%i] [%n] [1] : tensor<65xf32> to tensor<?xf32>
    %u = tensor.insert_slice %s into %t[0] [%n] [1] : tensor<?xf32> into tensor<65xf32>
    scf.yield %u : tensor<65xf32>
  }
  return %r : tensor<65xf32>
}

// -----

// A slice whose size depends on data is not passed: its source is.
// CHECK-LABEL: func.func private @slices_then(
// CHECK-SAME:    %[[X:.+]]: tensor<8xf32>, %[[DATA:.+]]: tensor<i64>)
// CHECK:         %[[N:.+]] = tensor.extract %[[DATA]][]
// CHECK:         %[[I:.+]] = arith.index_cast %[[N]] : i64 to index
// CHECK:         %[[S:.+]] = tensor.extract_slice %[[X]][0] [%[[I]]] [1]
// CHECK:         tensor.extract_slice %[[S]][1] [2] [1]
func.func @slices(%x: tensor<8xf32>, %y: tensor<2xf32>, %n: tensor<i64>, %flag: i1) -> tensor<2xf32> {
  %n_now = tensor.extract %n[] : tensor<i64>
  %i = arith.index_cast %n_now : i64 to index
  %s = tensor.extract_slice %x[0] [%i] [1] : tensor<8xf32> to tensor<?xf32>
  %r = scf.if %flag -> tensor<2xf32> {
    %t = tensor.extract_slice %s[1] [2] [1] : tensor<?xf32> to tensor<2xf32>
    scf.yield %t : tensor<2xf32>
  } else {
    scf.yield %y : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// One whose size follows from those of arguments is passed: in the function, its size is that of an argument.
// CHECK-LABEL: func.func private @known_then(
// CHECK-SAME:    %{{.+}}: tensor<?xf32>)
// CHECK-NOT:     tensor.extract_slice
// CHECK:         return
func.func @known(%x: tensor<8xf32>, %n: index, %flag: i1) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %r = scf.if %flag -> tensor<?xf32> {
    %t = math.exp %s : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  } else {
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
