// An integer division that has no result ends the program with a message.
// RUN: not lw-run %s --target x86 --input iota 2>&1 | FileCheck %s
// RUN: not lw-run %s --target x86 --threads 2 --input iota 2>&1 | FileCheck %s
// RUN: not lw-run %s --input iota 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// RUN: not --crash env LOOPWRIGHT_BACKTRACE=1 lw-run %s --target x86 --input iota 2>&1 | FileCheck %s --check-prefix=STACK

// CHECK: lw-run: error: the compiled code divides an integer by 0, or the least integer by -1 (the interpreter, which is lw-run without --target, says where)
// STACK: {{Stack dump|PrintStackTrace}}
// INTERPRETER: division.mlir:[[@LINE+2]]:8: error: divides by 0
func.func @main(%x: tensor<100x100xi32>, %y: tensor<100x100xi32>) -> tensor<100x100xi32> {
  %r = graph.div %x, %y : tensor<100x100xi32>
  return %r : tensor<100x100xi32>
}
