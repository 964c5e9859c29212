module attributes {transform.with_named_sequence} {
  transform.named_sequence @one(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 60 : i64, nests = ["map"], loops = ["i", "j"], sizes = "$i <= 4"},
      loop.parameters = {map, i, j}} {
    transform.yield
  }
  transform.named_sequence @other(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 60 : i64, nests = ["map"], loops = ["i", "j"], sizes = "$i >= 4"},
      loop.parameters = {map, i, j}} {
    transform.yield
  }
}
