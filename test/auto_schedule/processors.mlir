// The choice for processors that are not at hand: the tile follows from the width and number of their registers. The rates
// are those of one machine for all, in operations on f32.
// RUN: sed 's/x86-64-v3/haswell/' %S/Inputs/machine.json >%t.haswell.json
// RUN: lw-opt %s --auto-schedule='machine=%t.haswell.json' -o /dev/null | FileCheck %s --check-prefix=HASWELL
// RUN: sed 's/x86-64-v3/x86-64/' %S/Inputs/machine.json >%t.old.json
// RUN: lw-opt %s --auto-schedule='machine=%t.old.json' -o /dev/null | FileCheck %s --check-prefix=OLD
// RUN: sed 's/x86-64-v3/znver4/' %S/Inputs/machine.json >%t.znver4.json
// RUN: lw-opt %s --auto-schedule='machine=%t.znver4.json' -o %t.znver4 | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/x86-64-v3/skylake-avx512/' %S/Inputs/machine.json >%t.skylake.json
// RUN: lw-opt %s --auto-schedule='machine=%t.skylake.json' -o %t.skylake | FileCheck %s --check-prefix=WIDE
// RUN: sed 's/x86-64-v3/sapphirerapids/' %S/Inputs/machine.json >%t.rapids.json
// RUN: lw-opt %s --auto-schedule='machine=%t.rapids.json' -o %t.rapids | FileCheck %s --check-prefix=WIDE

// The same input, version and machine give the same schedule, byte by byte.
// RUN: diff %t.znver4 %t.skylake
// RUN: diff %t.znver4 %t.rapids

// The numbers that are chosen meet their constraints, which follow from the registers of each processor.
// RUN: lw-opt %s --auto-schedule='machine=%t.haswell.json' -o /dev/null | lw-opt --resolve-knobs -o /dev/null
// RUN: lw-opt %s --auto-schedule='machine=%t.old.json' -o /dev/null | lw-opt --resolve-knobs -o /dev/null
// RUN: lw-opt %s --auto-schedule='machine=%t.znver4.json' -o /dev/null | lw-opt --resolve-knobs -o /dev/null
// HASWELL: x86.product.packed: predicted 101 us, limited by vector units
// HASWELL-NEXT: tune.knob<"main: x86.product.packed C.columns"> = 24 from options = [
// HASWELL-NEXT: tune.knob<"main: x86.product.packed C.rows"> = 4 from options = [
// OLD: x86.product.packed: predicted 255 us, limited by instructions
// OLD-NEXT: tune.knob<"main: x86.product.packed C.columns"> = 8 from options = [
// OLD-NEXT: tune.knob<"main: x86.product.packed C.rows"> = 6 from options = [
// WIDE: x86.product.packed: predicted 95.7 us, limited by vector units
// WIDE-NEXT: tune.knob<"main: x86.product.packed C.columns"> = 64 from options = [
// WIDE-NEXT: tune.knob<"main: x86.product.packed C.rows"> = 6 from options = [
func.func @main(%A: memref<256x256xf32> {loop.name = "A"}, %B: memref<256x256xf32> {loop.name = "B"},
                %C: memref<256x256xf32> {loop.name = "C", loop.result}) {
  loop.for serial %i in 256 {
    loop.for serial %j in 256 {
      loop.for serial %k in 256 {
        loop.block "C" [%vi: spatial 256, %vj: spatial 256, %vk: reduce 256] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<256x256xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<256x256xf32>
          %b = memref.load %B[%vk, %vj] : memref<256x256xf32>
          %c = memref.load %C[%vi, %vj] : memref<256x256xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<256x256xf32>
        }
      }
    }
  }
  return
}
