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

// Two loops after each other read the same eight vectors of 1024 bits: 32 registers of 256 bits, more than 16. LLVM would keep
// them from one loop to the other.
// CHECK-LABEL: func.func @again
// CHECK: ^bb3(
// FULL: cf.br ^bb3({{.*}}) {loop_annotation = #[[NO]]}
// CHECK: ^bb6(
// FULL: cf.br ^bb6({{.*}}) {loop_annotation = #[[NO]]}
func.func @again(%p: !llvm.ptr, %n: i64, %z: vector<32xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  cf.br ^rows(%c0 : i64)
^rows(%i: i64):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^enter, ^end
^enter:
  cf.br ^sum(%c0, %z : i64, vector<32xf32>)
^sum(%j: i64, %a: vector<32xf32>):
  %m1 = arith.cmpi slt, %j, %c8 : i64
  cf.cond_br %m1, ^add, ^between
^add:
  %e1 = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
  %x1 = llvm.load %e1 : !llvm.ptr -> vector<32xf32>
  %s1 = arith.addf %a, %x1 : vector<32xf32>
  %j1 = arith.addi %j, %c1 : i64
  cf.br ^sum(%j1, %s1 : i64, vector<32xf32>)
^between:
  cf.br ^again(%c0, %a : i64, vector<32xf32>)
^again(%k: i64, %b: vector<32xf32>):
  %m2 = arith.cmpi slt, %k, %c8 : i64
  cf.cond_br %m2, ^multiply, ^next
^multiply:
  %e2 = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
  %x2 = llvm.load %e2 : !llvm.ptr -> vector<32xf32>
  %s2 = arith.mulf %b, %x2 : vector<32xf32>
  %k1 = arith.addi %k, %c1 : i64
  cf.br ^again(%k1, %s2 : i64, vector<32xf32>)
^next:
  %i1 = arith.addi %i, %c1 : i64
  cf.br ^rows(%i1 : i64)
^end:
  return
}

// As above, but with a loop of 80 iterations, which LLVM does not unroll fully, and one that reads another array.
// CHECK-LABEL: func.func @long_and_other
// CHECK-NOT: loop_annotation
func.func @long_and_other(%p: !llvm.ptr, %q: !llvm.ptr, %n: i64, %z: vector<32xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c80 = arith.constant 80 : i64
  cf.br ^rows(%c0 : i64)
^rows(%i: i64):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^enter, ^end
^enter:
  cf.br ^sum(%c0, %z : i64, vector<32xf32>)
^sum(%j: i64, %a: vector<32xf32>):
  %m1 = arith.cmpi slt, %j, %c8 : i64
  cf.cond_br %m1, ^add, ^between
^add:
  %e1 = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
  %x1 = llvm.load %e1 : !llvm.ptr -> vector<32xf32>
  %s1 = arith.addf %a, %x1 : vector<32xf32>
  %j1 = arith.addi %j, %c1 : i64
  cf.br ^sum(%j1, %s1 : i64, vector<32xf32>)
^between:
  cf.br ^long(%c0, %a : i64, vector<32xf32>)
^long(%k: i64, %b: vector<32xf32>):
  %m2 = arith.cmpi slt, %k, %c80 : i64
  cf.cond_br %m2, ^multiply, ^then
^multiply:
  %e2 = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
  %x2 = llvm.load %e2 : !llvm.ptr -> vector<32xf32>
  %s2 = arith.mulf %b, %x2 : vector<32xf32>
  %k1 = arith.addi %k, %c1 : i64
  cf.br ^long(%k1, %s2 : i64, vector<32xf32>)
^then:
  cf.br ^other(%c0, %b : i64, vector<32xf32>)
^other(%l: i64, %c: vector<32xf32>):
  %m3 = arith.cmpi slt, %l, %c8 : i64
  cf.cond_br %m3, ^divide, ^next
^divide:
  %e3 = llvm.getelementptr %q[%l] : (!llvm.ptr, i64) -> !llvm.ptr, vector<32xf32>
  %x3 = llvm.load %e3 : !llvm.ptr -> vector<32xf32>
  %s3 = arith.divf %c, %x3 : vector<32xf32>
  %l1 = arith.addi %l, %c1 : i64
  cf.br ^other(%l1, %s3 : i64, vector<32xf32>)
^next:
  %i1 = arith.addi %i, %c1 : i64
  cf.br ^rows(%i1 : i64)
^end:
  return
}
