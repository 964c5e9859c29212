module attributes {transform.with_named_sequence} {
  transform.named_sequence @few(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 60 : i64, summary = "Unrolls rows", kind = "elementwise",
                       nests = ["map"], loops = ["i", "j"], sizes = "$i <= 4"},
      loop.parameters = {map, i, j, lanes}} {
    transform.sched.split "$map:$j" in %f factors "-1, $lanes"
    transform.sched.vectorize "$map:$j.1" in %f
    transform.yield
  }
  transform.named_sequence @even(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 60 : i64, kind = "elementwise", nests = ["map"], loops = ["i", "j"],
                       sizes = "$i mod 2 == 0 and $i > 4"},
      loop.parameters = {map, i, j}} {
    transform.sched.parallel "$map:$i" in %f
    transform.yield
  }
  transform.named_sequence @two(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 50 : i64, kind = "elementwise", nests = ["map"], loops = ["i", "j"],
                       sizes = "$i == 2"},
      loop.parameters = {map, i, j}} {
    transform.yield
  }
  transform.named_sequence @refused(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 40 : i64, kind = "elementwise", nests = ["map"], loops = ["i", "j"]},
      loop.parameters = {map, i, j}, loop.requires = ["$map:$i is constant"]} {
    transform.yield
  }
}
