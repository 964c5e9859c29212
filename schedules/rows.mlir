// Reductions of rows.
module attributes {transform.with_named_sequence} {
  // Each lane reduces a part of a row, then the lanes are reduced: block rf_$block, then $block.
  transform.named_sequence @reduce_row_by_lanes(%f: !transform.any_op {transform.readonly}) attributes {
      loop.parameters = {block, lanes = 16 : i64},
      loop.requires = ["$block is reassociable", "$block is in loops i, j", "$block is alone", "$block:j is reduce"],
      loop.ensures = ["rf_$block is in loops i, j.0, rf_j.1", "rf_$block:rf_j.1 is vectorize"]} {
    transform.sched.split "$block:j" in %f factors "-1, $lanes"
    transform.sched.rfactor "$block:j.1" in %f factor_axis 1
    transform.sched.reorder ["rf_$block:i", "rf_$block:j.0", "rf_$block:rf_j.1"] in %f
    transform.sched.vectorize "rf_$block:rf_j.1" in %f
    transform.yield
  }
}
