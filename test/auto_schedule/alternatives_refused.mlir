// RUN: not lw-opt %s --auto-schedule='top=0' 2>&1 | FileCheck %s --check-prefix=TOP
// TOP: is given top 0, expected 1 or more (C1)
// RUN: not lw-opt %s --auto-schedule='target=pentium9' 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: cannot be scheduled for the given machine: 'pentium9' is not a processor
// RUN: not lw-opt %s --auto-schedule='target=sm_1' 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: is given chip sm_1, expected one of sm_80
// RUN: not lw-opt %s --auto-schedule='machine=%S/none.json' 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: is given a machine: {{.*}}none.json: No such file
// RUN: not lw-opt %s --loop-predict-time='machine=%s' 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: is given a machine: {{.*}} is no description of a machine
// RUN: not lw-opt %s --loop-predict-time='target=sm_80 machine=%S/Inputs/machine.json' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: is given target sm_80 and a machine, expected target x86
// RUN: not lw-opt %s --loop-predict-time='target=i386' 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: has no time on the machine: {{.*}}has no 64-bit mode
// RUN: not lw-run %s --target x86 --schedule-by best 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: invalid value 'best' for '--schedule-by <HOW>': expected priority or auto

// Nothing is scheduled without a nest, and the script says so.
// RUN: lw-opt %s --auto-schedule='machine=%S/Inputs/machine.json' -o /dev/null | FileCheck %s --check-prefix=NONE --implicit-check-not=alternatives
// NONE: // no loop nests: convert-graph-to-linalg and convert-linalg-to-loop make them of tensor ops
func.func @main() {
  return
}
