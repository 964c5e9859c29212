// Matrix products: C[i, j] += A[i, k] * B[k, j].
module attributes {transform.with_named_sequence} {
  // Tiles of rows x lanes of the result, which stay in registers during the reduction; columns of tiles run in parallel.
  transform.named_sequence @matmul_register_tile(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {block, rows = 4 : i64, lanes = 64 : i64},
      loop.requires = ["$block is reduction", "$block is in loops i, j, k", "$block is alone",
                       "$block:i is spatial", "$block:j is spatial", "$block:k is reduce"],
      loop.ensures = ["$block is in loops j.0, i.0, k, i.1, j.1", "$block:j.0 is parallel", "$block:j.1 is vectorize"]} {
    transform.sched.split "$block:i" in %f factors "-1, $rows"
    transform.sched.split "$block:j" in %f factors "-1, $lanes"
    transform.sched.reorder ["$block:j.0", "$block:i.0", "$block:k", "$block:i.1", "$block:j.1"] in %f
    transform.sched.vectorize "$block:j.1" in %f
    transform.sched.unroll "$block:i.1" in %f
    transform.sched.parallel "$block:j.0" in %f
    transform.yield
  }
}
