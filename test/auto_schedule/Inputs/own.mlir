module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 60 : i64, summary = "Leaves a loop over rows as it is", kind = "elementwise",
                       nests = ["nest"], loops = ["i", "j"]},
      loop.parameters = {nest, i, j}} {
    transform.sched.vectorize "$nest:$j" in %f factor 16
    transform.yield
  }
}
