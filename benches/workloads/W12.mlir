// A layer of BERT: attention of 12 heads over 128 positions, two products with gelu between them, and two norms. All but x are weights.
func.func @main(%x: tensor<1x128x768xf32>) -> tensor<1x128x768xf32> {
  %wq = arith.constant dense_resource<wq> : tensor<768x768xf32>
  %bq = arith.constant dense_resource<bq> : tensor<768xf32>
  %wk = arith.constant dense_resource<wk> : tensor<768x768xf32>
  %bk = arith.constant dense_resource<bk> : tensor<768xf32>
  %wv = arith.constant dense_resource<wv> : tensor<768x768xf32>
  %bv = arith.constant dense_resource<bv> : tensor<768xf32>
  %wo = arith.constant dense_resource<wo> : tensor<768x768xf32>
  %bo = arith.constant dense_resource<bo> : tensor<768xf32>
  %g1 = arith.constant dense_resource<g1> : tensor<768xf32>
  %e1 = arith.constant dense_resource<e1> : tensor<768xf32>
  %w1 = arith.constant dense_resource<w1> : tensor<768x3072xf32>
  %b1 = arith.constant dense_resource<b1> : tensor<3072xf32>
  %w2 = arith.constant dense_resource<w2> : tensor<3072x768xf32>
  %b2 = arith.constant dense_resource<b2> : tensor<768xf32>
  %g2 = arith.constant dense_resource<g2> : tensor<768xf32>
  %e2 = arith.constant dense_resource<e2> : tensor<768xf32>

  %rows = graph.reshape %x : tensor<1x128x768xf32> to tensor<128x768xf32>
  %q_sums = graph.matmul %rows, %wq : tensor<128x768xf32>, tensor<768x768xf32> -> tensor<128x768xf32>
  %q_rows = graph.bias_add %q_sums, %bq dim = 1 : tensor<128x768xf32>, tensor<768xf32>
  %q_split = graph.reshape %q_rows : tensor<128x768xf32> to tensor<128x12x64xf32>
  %q = graph.transpose %q_split perm = [1, 0, 2] : tensor<128x12x64xf32> to tensor<12x128x64xf32>
  %k_sums = graph.matmul %rows, %wk : tensor<128x768xf32>, tensor<768x768xf32> -> tensor<128x768xf32>
  %k_rows = graph.bias_add %k_sums, %bk dim = 1 : tensor<128x768xf32>, tensor<768xf32>
  %k_split = graph.reshape %k_rows : tensor<128x768xf32> to tensor<128x12x64xf32>
  %k = graph.transpose %k_split perm = [1, 0, 2] : tensor<128x12x64xf32> to tensor<12x128x64xf32>
  %v_sums = graph.matmul %rows, %wv : tensor<128x768xf32>, tensor<768x768xf32> -> tensor<128x768xf32>
  %v_rows = graph.bias_add %v_sums, %bv dim = 1 : tensor<128x768xf32>, tensor<768xf32>
  %v_split = graph.reshape %v_rows : tensor<128x768xf32> to tensor<128x12x64xf32>
  %v = graph.transpose %v_split perm = [1, 0, 2] : tensor<128x12x64xf32> to tensor<12x128x64xf32>

  %products = graph.matmul %q, %k transpose_b : tensor<12x128x64xf32>, tensor<12x128x64xf32> -> tensor<12x128x128xf32>
  %eighth = arith.constant dense<0.125> : tensor<12x128x128xf32>
  %scores = graph.mul %products, %eighth : tensor<12x128x128xf32>
  %shares = graph.softmax %scores dim = 2 : tensor<12x128x128xf32>
  %mixed = graph.matmul %shares, %v : tensor<12x128x128xf32>, tensor<12x128x64xf32> -> tensor<12x128x64xf32>
  %heads = graph.transpose %mixed perm = [1, 0, 2] : tensor<12x128x64xf32> to tensor<128x12x64xf32>
  %joined = graph.reshape %heads : tensor<128x12x64xf32> to tensor<128x768xf32>
  %o_sums = graph.matmul %joined, %wo : tensor<128x768xf32>, tensor<768x768xf32> -> tensor<128x768xf32>
  %attention = graph.bias_add %o_sums, %bo dim = 1 : tensor<128x768xf32>, tensor<768xf32>
  %first = graph.add %rows, %attention : tensor<128x768xf32>
  %normed = graph.layer_norm %first, %g1, %e1 epsilon = 1.0e-5 : tensor<128x768xf32>, tensor<768xf32>

  %up_sums = graph.matmul %normed, %w1 : tensor<128x768xf32>, tensor<768x3072xf32> -> tensor<128x3072xf32>
  %up = graph.bias_add %up_sums, %b1 dim = 1 : tensor<128x3072xf32>, tensor<3072xf32>
  %active = graph.gelu %up : tensor<128x3072xf32>
  %down_sums = graph.matmul %active, %w2 : tensor<128x3072xf32>, tensor<3072x768xf32> -> tensor<128x768xf32>
  %down = graph.bias_add %down_sums, %b2 dim = 1 : tensor<128x768xf32>, tensor<768xf32>
  %second = graph.add %normed, %down : tensor<128x768xf32>
  %last = graph.layer_norm %second, %g2, %e2 epsilon = 1.0e-5 : tensor<128x768xf32>, tensor<768xf32>
  %y = graph.reshape %last : tensor<128x768xf32> to tensor<1x128x768xf32>
  return %y : tensor<1x128x768xf32>
}
