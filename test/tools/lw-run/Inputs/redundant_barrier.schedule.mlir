module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.sync_threads "reverse:t" in %f
    transform.sched.sync_threads "reverse:t" in %f place "after"
    transform.sched.bind "fill:b" in %f thread "blockIdx.x"
    transform.sched.bind "fill:t" in %f thread "threadIdx.x"
    transform.sched.bind "reverse:t" in %f thread "threadIdx.x"
    transform.yield
  }
}
