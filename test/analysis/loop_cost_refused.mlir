// The cost ledger of IR that is not in loop form, and the values that the flag refuses.
//
// RUN: not lw-opt %s --loop-cost=all 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not lw-opt %s --pass-pipeline='builtin.module(func.func(loop-cost))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLACE
// RUN: lw-opt %s --loop-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: lw-opt %s --loop-cost=delta --convert-linalg-to-loop -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEW
// RUN: lw-opt --help | FileCheck %s --check-prefix=HELP

// WORD: lw-opt: error: found 'all' for --loop-cost, expected delta or no value
// PLACE: Can't add pass 'loop-cost' restricted to 'builtin.module'
// FORM: loop-cost @main: bytes in all
// FORM-NEXT: no schedule blocks
// FORM-NEXT: not counted: linalg.exp
// NEW: loop-cost @main after convert-linalg-to-loop
// NEW-NEXT: exp new instances arg0.0, flops arg0.0, global loads 4*arg0.0, global stores 4*arg0.0, global footprint 8*arg0.0
// NEW-NEXT: total flops 0 -> arg0.0
// HELP: lw-opt MODULE --loop-cost=delta ..
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
