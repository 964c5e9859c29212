// Pictures of the kernels of a model: self-contained SVG and HTML, and DOT.
// RUN: lw-run %S/profile_cpu.mlir --target x86 --input random --dump-graph %t.svg
// RUN: FileCheck %s --input-file=%t.svg --check-prefix=SVG
// SVG:      <svg xmlns="http://www.w3.org/2000/svg"
// SVG:      profile_cpu.mlir</text>
// SVG:      <rect {{.*}} fill="rgb(255,255,255)"/>
// SVG-NEXT: class="name">main_matmul_exp</text>
// SVG:      >reads arg0: 16x64xf32, arg1: 64x64xf32</text>
// SVG-NEXT: >132,096 float operations, 24,576 bytes</text>
// SVG-NEXT: <rect
// SVG-NEXT: class="name">main_matmul</text>
// SVG:      >writes out: 16x32xf32</text>
// SVG:      <path d="M {{.*}}" marker-end="url(#end)"/><text {{.*}}>16x64xf32</text>
// SVG:      </svg>

// With a profile, boxes have times, and colours by them.
// RUN: lw-run %S/profile_cpu.mlir --target x86 --time 0.01 --profile --dump-graph %t.html
// RUN: FileCheck %s --input-file=%t.html --check-prefix=HTML
// HTML: <!DOCTYPE html>
// HTML: class="name">main_matmul_exp</text>
// HTML: >132,096 float operations, 24,576 bytes</text>
// HTML-NEXT: >{{[0-9.]+}} us
// HTML: </svg>

// Kernels of several functions have the names of the functions.
// RUN: lw-run %S/profile_cpu.mlir --target x86 --compile-to schedule --dump-graph %t.all.svg
// RUN: FileCheck %s --input-file=%t.all.svg --check-prefix=ALL
// ALL: class="name">main_matmul_exp in main</text>
// ALL: class="name">{{.*}} in loop

// The kernels of a schedule for a GPU.
// RUN: lw-run %S/profile_cpu.mlir --target sm_80 --compile-to schedule --dump-graph %t.dot
// RUN: FileCheck %s --input-file=%t.dot --check-prefix=DOT
// DOT: k0 [label="main_matmul_exp
// DOT: k0 -> k1 [label="16x64xf32"];

// A file that cannot be written.
// RUN: not lw-run %S/profile_cpu.mlir --target x86 --input random --dump-graph %t.missing/graph.svg 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: lw-run: error: --dump-graph: {{.*}}graph.svg: cannot be written: No such file or directory
