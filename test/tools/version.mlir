// --version of each tool: the package, the commit, and LLVM, which the emulator does not use.
// RUN: lw-opt --version | FileCheck %s --check-prefix=OPT
// RUN: lw-run --version | FileCheck %s --check-prefix=RUN-VERSION
// RUN: lw-compile --version | FileCheck %s --check-prefix=COMPILE
// RUN: lw-bench --version | FileCheck %s --check-prefix=BENCH
// RUN: lw-import --version | FileCheck %s --check-prefix=IMPORT

// OPT:         {{^}}lw-opt {{[0-9]+\.[0-9]+\.[0-9]+}} (git {{[0-9a-f]{12}|unknown}}, LLVM 22.{{[0-9]+\.[0-9]+}}){{$}}
// RUN-VERSION: {{^}}lw-run {{[0-9]+\.[0-9]+\.[0-9]+}} (git {{[0-9a-f]{12}|unknown}}, LLVM 22.{{[0-9]+\.[0-9]+}}){{$}}
// COMPILE:     {{^}}lw-compile {{[0-9]+\.[0-9]+\.[0-9]+}} (git {{[0-9a-f]{12}|unknown}}, LLVM 22.{{[0-9]+\.[0-9]+}}){{$}}
// BENCH:       {{^}}lw-bench {{[0-9]+\.[0-9]+\.[0-9]+}} (git {{[0-9a-f]{12}|unknown}}, LLVM 22.{{[0-9]+\.[0-9]+}}){{$}}
// IMPORT:      {{^}}lw-import {{[0-9]+\.[0-9]+\.[0-9]+}} (git {{[0-9a-f]{12}|unknown}}, LLVM 22.{{[0-9]+\.[0-9]+}}){{$}}
