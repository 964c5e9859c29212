// RUN: lw-run %s --schedule %S/Inputs/bind_fused.mlir --verify-each numeric --compile-to schedule | FileCheck %s

// A loop that distinguishes points and continues their reductions does not start them again, although thread blocks
// reduce together in it: the interpreter gets the same result for each size.
// CHECK: loop.for serial %[[FUSED:.*]] in
// CHECK:   loop.for thread_bind[blockIdx.x]
// CHECK:     loop.block "reduce" {{.*}}%[[FUSED]] mod 4, %[[FUSED]] floordiv 4
func.func @main(%x: tensor<?x?xi16>) -> tensor<?xi16> attributes {loop.fp = "reassoc"} {
  %e_c0 = arith.constant 1 : index
  %e_d0 = tensor.dim %x, %e_c0 : tensor<?x?xi16>
  %e = tensor.empty(%e_d0) : tensor<?xi16>
  %start = arith.constant -100 : i16
  %f = linalg.fill ins(%start : i16) outs(%e : tensor<?xi16>) -> tensor<?xi16>
  %r = linalg.reduce { arith.maxsi } ins(%x : tensor<?x?xi16>) outs(%f : tensor<?xi16>) dimensions = [0]
  return %r : tensor<?xi16>
}
