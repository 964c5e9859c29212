module attributes {transform.with_named_sequence} {
  transform.named_sequence @few(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "nvptx", priority = 60 : i64, kind = "elementwise", nests = ["map"], loops = ["i", "j"],
                       sizes = "$i <= 4"},
      loop.parameters = {map, i, j, threads}} {
    transform.sched.bind "$map:$j" in %f thread "threadIdx.x"
    transform.sched.bind "$map:$i" in %f thread "blockIdx.x"
    transform.yield
  }
}
