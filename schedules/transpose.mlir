// Transposes: B[i, j] = A[j, i].
module attributes {transform.with_named_sequence} {
  // Square tiles, so that whole cache lines are read and written; rows of tiles run in parallel.
  transform.named_sequence @transpose_tile(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {block, tile = 16 : i64},
      loop.requires = ["$block is spatial", "$block is in loops i, j", "$block is alone"],
      loop.ensures = ["$block is in loops i.0, j.0, i.1, j.1", "$block:i.0 is parallel", "$block:j.1 is vectorize"]} {
    transform.sched.split "$block:i" in %f factors "-1, $tile"
    transform.sched.split "$block:j" in %f factors "-1, $tile"
    transform.sched.reorder ["$block:i.0", "$block:j.0", "$block:i.1", "$block:j.1"] in %f
    transform.sched.vectorize "$block:j.1" in %f
    transform.sched.unroll "$block:i.1" in %f
    transform.sched.parallel "$block:i.0" in %f
    transform.yield
  }
}
