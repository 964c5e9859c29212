func.func @main(%a: memref<8xf32> {loop.name = "a"}, %b: memref<8xf32> {loop.name = "b"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %b[%i] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.subi %c7, %i : index
    %x = memref.load %a[%j] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    %l1, %l2 = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.loop.fuse_sibling %l1 into %l2 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
