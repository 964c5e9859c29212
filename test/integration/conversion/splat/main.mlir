// tensor.splat: a scalar argument in every element, static and dynamic.
func.func @main(%a: i64, %n: index) -> (tensor<3x2xi64>, tensor<?x2xi64>) {
  %x = tensor.splat %a : tensor<3x2xi64>
  %y = tensor.splat %a[%n] : tensor<?x2xi64>
  return %x, %y : tensor<3x2xi64>, tensor<?x2xi64>
}
