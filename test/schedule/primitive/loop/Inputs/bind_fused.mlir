// A reduction across thread blocks, the other part of which is fused with the loop over the points.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.sched.function @main in %m version 1
    transform.sched.split "reduce:i" in %f factors [-1, 3]
    transform.sched.reorder ["reduce:j", "reduce:i.0"] in %f
    transform.sched.bind "reduce:i.0" in %f thread "blockIdx.x"
    transform.sched.split "reduce:i.1" in %f factors [-1, 4]
    transform.sched.fuse ["reduce:j", "reduce:i.1.0"] in %f
    transform.sched.fuse ["reduce:j_i.1.0_fused", "reduce:i.1.1"] in %f
    transform.yield
  }
}
