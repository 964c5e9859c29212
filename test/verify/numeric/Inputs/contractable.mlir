// The flags of the ops permit contraction; the contract of the function is strict.

func.func @strict(%a: f32, %b: f32, %c: f32) -> f32 {
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %s = arith.addf %p, %c fastmath<contract> : f32
  return %s : f32
}
