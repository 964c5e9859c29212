// MLIR's own flag of that name is unaffected.
// RUN: lw-opt %s --verify-each --canonicalize | FileCheck %s
// RUN: lw-opt %s --verify-each=true --canonicalize | FileCheck %s
// RUN: lw-opt %s --verify-each=false --canonicalize | FileCheck %s
// RUN: lw-opt %s --verify-each=false --verify-each=numeric --canonicalize | FileCheck %s
// RUN: not lw-opt %s --verify-each=sometimes --canonicalize 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: lw-opt --verify-each=numeric --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: lw-opt --help | FileCheck %s --check-prefix=HELP
// RUN: not lw-opt %t.absent --verify-each=numeric 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: lw-opt --verify-each=numeric < %s | FileCheck %s

// CHECK: func.func @f
// WORD: 'sometimes' is invalid value for boolean argument
// DIALECTS: loop
// HELP: --verify-each=numeric
// ABSENT: cannot open input file
func.func @f() {
  return
}
