// 80 values are five vectors of 16 lanes, but a half of the third vector of 32 would be unused. Vector units limit the nest, so only
// numbers that leave no lanes unused are faster: the time that no numbers shorten is that of whole vectors.
// RUN: lw-opt %s --auto-schedule='machine=%S/Inputs/machine.json' -o %t.scheduled | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s --input-file %t.scheduled
// WHY: x86.elementwise: predicted 33.3 ns, limited by vector units
// WHY: B.width"> = 16 from
// CHECK: loop.for serial %i.0 in 5
// CHECK-NEXT: loop.for vectorize %i.1 in 16

func.func @main(%a: memref<80xf32> {loop.name = "A"}, %b: memref<80xf32> {loop.name = "B"}) {
  loop.for serial %i in 80 {
    loop.block "B" [%vi: spatial 80] = (%i) reads(%a[%vi : 1]) writes(%b[%vi : 1]) {
      %0 = memref.load %a[%vi] : memref<80xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %b[%vi] : memref<80xf32>
    }
  }
  return
}
