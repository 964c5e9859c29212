// Packed panels: the 24 columns of B that a tile of 4 x 24 results needs are copied to consecutive memory first.
// 24 columns are three vectors of 256 bits; for vectors of 512 bits, 48 are as good.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.cache_read "matmul" in %f buffer "arg1" scope "global" index_map "(k, j) -> (j floordiv 24, k, j mod 24)"
    transform.sched.split "matmul:i" in %f factors [-1, 4]
    transform.sched.split "matmul:j" in %f factors [-1, 24]
    transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f
    transform.sched.compute_at "arg1_global_temp_buffer" in %f loop "matmul:j.0"
    transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1" in %f
    transform.sched.vectorize "matmul:j.1" in %f
    transform.sched.unroll "matmul:i.1" in %f
    transform.sched.parallel "matmul:j.0" in %f
    transform.yield
  }
}
