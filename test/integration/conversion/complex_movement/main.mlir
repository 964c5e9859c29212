// Ops that move complex numbers: each is done for both parts.
func.func @main(%x: tensor<3x4xcomplex<f32>>, %keep: tensor<i1>) -> (tensor<9x3xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %z = complex.constant [7.0 : f32, 8.0 : f32] : complex<f32>
  %powers = arith.constant dense<[[(1.0, 0.0), (0.0, 1.0)], [(-1.0, 0.0), (0.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
  %e = tensor.empty() : tensor<4x3xcomplex<f32>>
  %t = linalg.transpose ins(%x : tensor<3x4xcomplex<f32>>) outs(%e : tensor<4x3xcomplex<f32>>) permutation = [1, 0]
  %p = tensor.pad %t low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : complex<f32>
  } : tensor<4x3xcomplex<f32>> to tensor<5x3xcomplex<f32>>
  %both = tensor.concat dim(0) %p, %t : (tensor<5x3xcomplex<f32>>, tensor<4x3xcomplex<f32>>) -> tensor<9x3xcomplex<f32>>
  %s = tensor.extract_slice %x[1, 1] [2, 2] [1, 2] : tensor<3x4xcomplex<f32>> to tensor<2x2xcomplex<f32>>
  %f = linalg.fill ins(%z : complex<f32>) outs(%powers : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %c1 = arith.constant 1 : index
  %v = tensor.extract %powers[%c1, %c1] : tensor<2x2xcomplex<f32>>
  %g = tensor.insert %v into %f[%c1, %c1] : tensor<2x2xcomplex<f32>>
  %flat = tensor.collapse_shape %g [[0, 1]] : tensor<2x2xcomplex<f32>> into tensor<4xcomplex<f32>>
  %k = tensor.extract %keep[] : tensor<i1>
  %chosen = arith.select %k, %s, %powers : tensor<2x2xcomplex<f32>>
  return %both, %flat, %chosen : tensor<9x3xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}
