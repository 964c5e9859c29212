// Tensors of complex numbers become tensors of their parts; functions take and return them interleaved.
// RUN: lw-opt %s --split-complex | FileCheck %s

// CHECK-LABEL: func.func @square(
// CHECK-SAME:    %[[X:.+]]: tensor<?x2xf32>) -> tensor<?x2xf32>
// CHECK:         %[[N:.+]] = tensor.dim %[[X]]
// CHECK:         %[[RE:.+]] = tensor.extract_slice %[[X]][0, 0] [%[[N]], 1] [1, 1] : tensor<?x2xf32> to tensor<?xf32>
// CHECK:         %[[IM:.+]] = tensor.extract_slice %[[X]][0, 1] [%[[N]], 1] [1, 1] : tensor<?x2xf32> to tensor<?xf32>
// CHECK:         %[[SQUARE:.+]]:2 = linalg.generic
// CHECK-SAME:      ins(%[[RE]], %[[IM]] : tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[A:.+]]: f32, %[[B:.+]]: f32, %{{.+}}: f32, %{{.+}}: f32):
// CHECK:           %[[AA:.+]] = arith.mulf %[[A]], %[[A]]
// CHECK:           %[[BB:.+]] = arith.mulf %[[B]], %[[B]]
// CHECK:           arith.subf %[[AA]], %[[BB]]
// CHECK:         %[[JOINED:.+]] = linalg.generic
// CHECK-SAME:      ins(%[[SQUARE]]#0, %[[SQUARE]]#1 : tensor<?xf32>, tensor<?xf32>)
// CHECK:           linalg.index 1
// CHECK:           arith.select
// CHECK:         return %[[JOINED]] : tensor<?x2xf32>
func.func @square(%x: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xcomplex<f32>>
  %e = tensor.empty(%n) : tensor<?xcomplex<f32>>
  %r = linalg.map ins(%x : tensor<?xcomplex<f32>>) outs(%e : tensor<?xcomplex<f32>>)
    (%a: complex<f32>, %o: complex<f32>) {
      %s = complex.mul %a, %a : complex<f32>
      linalg.yield %s : complex<f32>
    }
  return %r : tensor<?xcomplex<f32>>
}

// A scalar is a tensor of two numbers. Values of other types keep their place among the results.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME:    %[[Z:.+]]: tensor<2xf64>, %[[N:.+]]: i32) -> (i32, tensor<2xf64>)
// CHECK:         %[[RE:.+]] = tensor.extract %[[Z]]
// CHECK:         %[[IM:.+]] = tensor.extract %[[Z]]
// CHECK:         %[[R:.+]]:3 = scf.if %{{.+}} -> (i32, f64, f64)
// CHECK:           scf.yield %[[N]], %[[RE]], %[[IM]] : i32, f64, f64
// CHECK:         %[[PAIR:.+]] = tensor.from_elements %[[R]]#1, %[[R]]#2 : tensor<2xf64>
// CHECK:         return %[[R]]#0, %[[PAIR]] : i32, tensor<2xf64>
func.func @scalars(%z: complex<f64>, %n: i32) -> (i32, complex<f64>) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %zero : i32
  %r:2 = scf.if %c -> (i32, complex<f64>) {
    scf.yield %n, %z : i32, complex<f64>
  } else {
    %w = complex.constant [0.5 : f64, -1.0 : f64] : complex<f64>
    scf.yield %zero, %w : i32, complex<f64>
  }
  return %r#0, %r#1 : i32, complex<f64>
}

// CHECK-LABEL: func.func @constants(
// CHECK-DAG:     %[[RE:.+]] = arith.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-DAG:     %[[IM:.+]] = arith.constant dense<[2.000000e+00, -4.000000e+00]> : tensor<2xf32>
// CHECK-DAG:     %[[SAME:.+]] = arith.constant dense<7.000000e+00> : tensor<3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[RE]], %[[IM]] :
func.func @constants() -> (tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  %a = arith.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %b = arith.constant dense<(7.0, 8.0)> : tensor<3xcomplex<f32>>
  return %a, %b : tensor<2xcomplex<f32>>, tensor<3xcomplex<f32>>
}

// Declarations change, too. Functions without complex numbers stay as they are.
// CHECK-LABEL: func.func private @outside(tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-LABEL: func.func @calls(
// CHECK:         call @outside(%{{.+}}) : (tensor<4x2xf32>) -> tensor<4x2xf32>
func.func private @outside(tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
func.func @calls(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %r = call @outside(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}
// CHECK-LABEL: func.func @real(
// CHECK-NEXT:    return %{{.+}} : tensor<4x2xf32>
func.func @real(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  return %x : tensor<4x2xf32>
}
