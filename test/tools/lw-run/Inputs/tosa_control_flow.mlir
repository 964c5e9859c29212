func.func @main() -> (tensor<4xi32>, tensor<4xi32>, tensor<2x3x1xi32>) {
  %x = "tosa.const"() {values = dense<[1, 2, 3, 4]> : tensor<4xi32>} : () -> tensor<4xi32>
  %zero = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %v = %x) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %three = "tosa.const"() {values = dense<3> : tensor<i32>} : () -> tensor<i32>
    %continue = tosa.greater %three, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %continue : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<4xi32>):
    %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %double = tosa.add %v, %v : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %next, %double : tensor<i32>, tensor<4xi32>
  }

  // A condition may have any shape of one element.
  %shape = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %count = tosa.reshape %r#0, %shape : (tensor<i32>, !tosa.shape<2>) -> tensor<1x1xi32>
  %zeros = "tosa.const"() {values = dense<0> : tensor<1x1xi32>} : () -> tensor<1x1xi32>
  %is_late = tosa.greater %count, %zeros : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
  %branch = tosa.cond_if %is_late (%a = %x) : tensor<1x1xi1> (tensor<4xi32>) -> tensor<4xi32> {
  ^bb0(%a: tensor<4xi32>):
    %sum = tosa.add %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %sum : tensor<4xi32>
  } else {
  ^bb0(%a: tensor<4xi32>):
    tosa.yield %a : tensor<4xi32>
  }

  %old = "tosa.const"() {values = dense<[[[0], [1], [2]], [[3], [4], [5]]]> : tensor<2x3x1xi32>} : () -> tensor<2x3x1xi32>
  %at = "tosa.const"() {values = dense<[[2, 0], [1, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %new = "tosa.const"() {values = dense<[[[10], [11]], [[12], [13]]]> : tensor<2x2x1xi32>} : () -> tensor<2x2x1xi32>
  %scatter = tosa.scatter %old, %at, %new : (tensor<2x3x1xi32>, tensor<2x2xi32>, tensor<2x2x1xi32>) -> tensor<2x3x1xi32>
  return %r#1, %branch, %scatter : tensor<4xi32>, tensor<4xi32>, tensor<2x3x1xi32>
}
func.func @expected() -> (tensor<4xi32>, tensor<4xi32>, tensor<2x3x1xi32>) {
  %loop = arith.constant dense<[8, 16, 24, 32]> : tensor<4xi32>
  %branch = arith.constant dense<[2, 4, 6, 8]> : tensor<4xi32>
  %scatter = arith.constant dense<[[[11], [1], [10]], [[3], [12], [13]]]> : tensor<2x3x1xi32>
  return %loop, %branch, %scatter : tensor<4xi32>, tensor<4xi32>, tensor<2x3x1xi32>
}
