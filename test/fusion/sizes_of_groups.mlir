// An argument of a group that is the size of a tensor is not negative, also if the group does not get the tensor: the sizes of
// a reshape that exporters write are conditions on that.
// RUN: lw-opt %s --graph-fuse-ops --outline-fusion-groups | FileCheck %s
// RUN: lw-run %s --target x86 --without reshapes-to-groups --compile-to loop | FileCheck %s --check-prefix=LOOP

// CHECK-LABEL: func.func private @main_{{.*}}reshape(
// CHECK:         arith.cmpi sge, %[[SIZE:arg[0-9]+]], %c0
// CHECK-NEXT:    cf.assert %{{.+}}, "argument {{[0-9]+}} is a size"
// LOOP: loop.block "reshape"
func.func @main(%x: tensor<?xf32>, %y: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %size = arith.index_cast %n : index to i64
  %is_free = arith.cmpi slt, %size, %zero : i64
  %known = arith.select %is_free, %one, %size : i64
  %rest = arith.divsi %size, %known : i64
  %rows = arith.select %is_free, %rest, %size : i64
  %m = arith.index_cast %rows : i64 to index
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %cast = tensor.extract_slice %y[0, 0] [%m, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %a = linalg.exp ins(%cast : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %shape = tensor.from_elements %rows, %four : tensor<2xi64>
  %r = tensor.reshape %a(%shape) : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %d = tensor.dim %y, %c0 : tensor<?x4xf32>
  %f = tensor.empty(%d) : tensor<?x4xf32>
  %b = linalg.abs ins(%y : tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r, %b : tensor<?x4xf32>, tensor<?x4xf32>
}
