// A reshape to sizes that are data, a sum of one dimension, and a reshape to known sizes.
func.func @main(%x: tensor<12xf32>, %shape: tensor<3xi64>) -> tensor<2x3xf32> {
  %a_place = arith.constant 0 : index
  %a_data = tensor.extract %shape[%a_place] : tensor<3xi64>
  %a = arith.index_cast %a_data : i64 to index
  %c_place = arith.constant 2 : index
  %c_data = tensor.extract %shape[%c_place] : tensor<3xi64>
  %c = arith.index_cast %c_data : i64 to index
  %zero = arith.constant 0.0 : f32
  %s = tensor.reshape %x(%shape) : (tensor<12xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %e = tensor.empty(%a, %c) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = linalg.reduce { arith.addf } ins(%s : tensor<?x?x?xf32>) outs(%f : tensor<?x?xf32>) dimensions = [1]
  %known = arith.constant dense<[2, 3]> : tensor<2xi64>
  %r = tensor.reshape %sum(%known) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
