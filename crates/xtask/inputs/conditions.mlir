// For unswitch-loops: a loop with two conditions on an index.
func.func @main(%C: memref<2x8xf32> {loop.result}, %X: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %r = %c0 to %c2 step %c1 {
    %one = arith.cmpi sge, %r, %c0 : index
    %r1 = arith.addi %r, %n1 : index
    %two = arith.cmpi sge, %r1, %c0 : index
    scf.for %k = %c0 to %c8 step %c1 {
      %x = memref.load %X[%k] : memref<8xf32>
      scf.if %one { memref.store %x, %C[%c0, %k] : memref<2x8xf32> }
      scf.if %two { memref.store %x, %C[%c1, %k] : memref<2x8xf32> }
    }
  }
  return
}
