// RUN: lw-opt %s --forbid-unrolling='vector-bits=256 registers=16' | FileCheck %s --check-prefixes=CHECK,FULL
// RUN: lw-opt %s --forbid-unrolling='vector-bits=256 registers=32' | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: lw-opt %s --forbid-unrolling='vector-bits=512 registers=16' | FileCheck %s --check-prefixes=CHECK,FREE

// FULL-DAG: #[[NO:.*]] = #llvm.loop_annotation<unroll = #[[DISABLE:.*]]>
// FREE-NOT: loop_annotation

// Two loops carry five vectors of 512 bits: ten registers of 256 bits, which leave fewer than 8 of 16. Only the inner loop is
// marked.
// CHECK-LABEL: func.func @nested
// CHECK: ^bb2(
// FULL: cf.cond_br %{{.*}}, ^bb3, ^bb4
// FULL: cf.br ^bb2({{.*}}) {loop_annotation = #[[NO]]}
// CHECK: cf.br ^bb1({{.*}} : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>){{$}}
func.func @nested(%z: vector<16xf32>, %n: i64) -> vector<16xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  cf.br ^outer(%c0, %z, %z, %z, %z, %z : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
^outer(%i: i64, %a: vector<16xf32>, %b: vector<16xf32>, %c: vector<16xf32>, %d: vector<16xf32>, %e: vector<16xf32>):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^inner(%c0, %a, %b, %c, %d, %e : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>), ^end
^inner(%j: i64, %f: vector<16xf32>, %g: vector<16xf32>, %h: vector<16xf32>, %k: vector<16xf32>, %l: vector<16xf32>):
  %again = arith.cmpi slt, %j, %c3 : i64
  cf.cond_br %again, ^body, ^next
^body:
  %s = arith.addf %f, %z : vector<16xf32>
  %j1 = arith.addi %j, %c1 : i64
  cf.br ^inner(%j1, %s, %g, %h, %k, %l : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
^next:
  %i1 = arith.addi %i, %c1 : i64
  cf.br ^outer(%i1, %f, %g, %h, %k, %l : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
^end:
  return %a : vector<16xf32>
}

// A loop that is in no other one is unrolled as LLVM likes.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: loop_annotation
func.func @alone(%z: vector<16xf32>, %n: i64) -> vector<16xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  cf.br ^loop(%c0, %z, %z, %z, %z, %z : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
^loop(%i: i64, %a: vector<16xf32>, %b: vector<16xf32>, %c: vector<16xf32>, %d: vector<16xf32>, %e: vector<16xf32>):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^body, ^end
^body:
  %i1 = arith.addi %i, %c1 : i64
  cf.br ^loop(%i1, %a, %b, %c, %d, %e : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
^end:
  return %a : vector<16xf32>
}
