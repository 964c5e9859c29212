// Normalization of rows: their sums, the sums of squared differences, the normalized values.
module attributes {transform.with_named_sequence} {
  // All blocks in one parallel loop over rows.
  transform.named_sequence @layernorm_rows(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {sum, squares, normalized, lanes = 16 : i64},
      loop.requires = ["$normalized is spatial", "$normalized is in loops i, j"],
      loop.ensures = ["$normalized:i is parallel", "$normalized:j.1 is vectorize"]} {
    transform.sched.call @reduce_row_by_lanes in %f with {block = "$sum", lanes = "$lanes"}
    transform.sched.call @reduce_row_by_lanes in %f with {block = "$squares", lanes = "$lanes"}
    transform.sched.merge ["rf_$sum:i", "$sum:i", "rf_$squares:i", "$squares:i", "$normalized:i"] in %f
    transform.sched.vectorize "$normalized:j" in %f factor "$lanes"
    transform.sched.parallel "$normalized:i" in %f
    transform.yield
  }
}
