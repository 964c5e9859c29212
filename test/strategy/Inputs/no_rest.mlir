module attributes {transform.with_named_sequence} {
  transform.named_sequence @few(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 60 : i64, nests = ["first"], loops = ["i"], sizes = "$i <= 4"},
      loop.parameters = {first, i}} {
    transform.yield
  }
  transform.named_sequence @many(%f: !transform.any_op {transform.readonly}) attributes {
      loop.strategy = {target = "x86", priority = 50 : i64, nests = ["first"], loops = ["i"], sizes = "$i >= 7"},
      loop.parameters = {first, i}} {
    transform.yield
  }
}
