// A loop and a call that carry complex numbers, and a complex scalar.
func.func private @rotate(%x: tensor<4xcomplex<f32>>, %by: complex<f32>) -> tensor<4xcomplex<f32>> {
  %r = linalg.map ins(%x : tensor<4xcomplex<f32>>) outs(%x : tensor<4xcomplex<f32>>)
    (%v: complex<f32>, %o: complex<f32>) {
      %p = complex.mul %v, %by : complex<f32>
      linalg.yield %p : complex<f32>
    }
  return %r : tensor<4xcomplex<f32>>
}
func.func @main(%x: tensor<4xcomplex<f32>>, %by: complex<f32>, %n: index) -> tensor<4xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<4xcomplex<f32>>) {
    %u = func.call @rotate(%t, %by) : (tensor<4xcomplex<f32>>, complex<f32>) -> tensor<4xcomplex<f32>>
    scf.yield %u : tensor<4xcomplex<f32>>
  }
  return %r : tensor<4xcomplex<f32>>
}
