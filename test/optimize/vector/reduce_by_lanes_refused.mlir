// RUN: not lw-opt %s --reduce-by-lanes=vector-bits=100 2>&1 | FileCheck %s
// RUN: not lw-opt %s --reduce-by-lanes 2>&1 | FileCheck %s --check-prefix=CONTRACT
// CHECK: error: 'func.func' op is given vector-bits 100, expected a power of two from 64 to 65536
// CONTRACT: error: 'func.func' op has "loose" as 'loop.fp', expected strict, reassoc or fast
func.func @f() attributes {loop.fp = "loose"} {
  return
}
