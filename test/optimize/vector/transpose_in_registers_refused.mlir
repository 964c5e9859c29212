// RUN: not lw-opt %s --transpose-in-registers=vector-bits=100 2>&1 | FileCheck %s
// CHECK: error: 'func.func' op is given vector-bits 100, expected a power of two from 64 to 65536
func.func @f() {
  return
}
