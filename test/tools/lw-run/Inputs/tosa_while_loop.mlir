func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
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
  return %r#1 : tensor<4xi32>
}
