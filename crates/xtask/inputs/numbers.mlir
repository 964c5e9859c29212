func.func @clamped(%x: f32, %low: f32, %high: f32) -> f32 {
  %y = math.clampf %x to [%low, %high] : f32
  return %y : f32
}
func.func @rounded(%x: bf16, %y: bf16) -> bf16 {
  %p = arith.mulf %x, %y : bf16
  return %p : bf16
}
