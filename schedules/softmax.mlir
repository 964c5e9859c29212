// Softmax of rows: the maximum, exp of the differences to it, their sum, the quotients.
module attributes {transform.with_named_sequence} {
  // All blocks in one parallel loop over rows.
  transform.named_sequence @softmax_rows(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {largest, exp, sum, quotient, lanes = 16 : i64},
      loop.requires = ["$exp is spatial", "$exp is in loops i, j", "$quotient is spatial", "$quotient is in loops i, j"],
      loop.ensures = ["$quotient:i is parallel", "$quotient:j.1 is vectorize"]} {
    transform.sched.call @reduce_row_by_lanes in %f with {block = "$largest", lanes = "$lanes"}
    transform.sched.call @reduce_row_by_lanes in %f with {block = "$sum", lanes = "$lanes"}
    transform.sched.merge ["rf_$largest:i", "$largest:i", "$exp:i", "rf_$sum:i", "$sum:i", "$quotient:i"] in %f
    transform.sched.vectorize "$exp:j" in %f factor "$lanes"
    transform.sched.vectorize "$quotient:j" in %f factor "$lanes"
    transform.sched.parallel "$quotient:i" in %f
    transform.yield
  }
}
