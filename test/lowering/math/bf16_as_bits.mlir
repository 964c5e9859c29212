// RUN: lw-opt %s --bf16-as-bits --canonicalize --cse | FileCheck %s

// LLVM cannot compile this number of lanes.
// CHECK-LABEL: @copy(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<33xi16>
// CHECK:         llvm.store %[[X]], %{{.*}} : vector<33xi16>, !llvm.ptr
func.func @copy(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> vector<33xbf16>
  llvm.store %x, %q : vector<33xbf16>, !llvm.ptr
  return
}

// Loops, branches, vectors of any shape and functions pass the bits.
// CHECK-LABEL: @moved(
// CHECK-SAME:    %{{.*}}: i1, %{{.*}}: i16, %{{.*}}: vector<2x4xi16>) -> (i16, vector<4xi16>)
// CHECK:         scf.if %{{.*}} -> (i16)
// CHECK:         vector.extract %{{.*}} : vector<4xi16> from vector<2x4xi16>
// CHECK:         call @moved(%{{.*}}) : (i1, i16, vector<2x4xi16>) -> (i16, vector<4xi16>)
func.func @moved(%c: i1, %x: bf16, %v: vector<2x4xbf16>) -> (bf16, vector<4xbf16>) {
  %0 = scf.if %c -> (bf16) {
    scf.yield %x : bf16
  } else {
    %1 = vector.extract %v[0, 1] : bf16 from vector<2x4xbf16>
    scf.yield %1 : bf16
  }
  %2 = vector.extract %v[1] : vector<4xbf16> from vector<2x4xbf16>
  %3:2 = func.call @moved(%c, %0, %v) : (i1, bf16, vector<2x4xbf16>) -> (bf16, vector<4xbf16>)
  return %3#0, %2 : bf16, vector<4xbf16>
}

// Constants are replaced by their bits, and ops that take the bits of a number use them directly.
// CHECK-LABEL: @one(
// CHECK-SAME:    %{{.*}}: i1, %[[X:[^:]*]]: i16)
// CHECK:         %[[ONE:.*]] = arith.constant 16256 : i16
// CHECK:         arith.select %{{.*}}, %[[ONE]], %[[X]] : i16
// CHECK:         arith.extui %[[X]] : i16 to i32
func.func @one(%c: i1, %x: bf16) -> (bf16, i32) {
  %one = arith.constant 1.0 : bf16
  %0 = arith.select %c, %one, %x : bf16
  %1 = arith.bitcast %x : bf16 to i16
  %2 = arith.extui %1 : i16 to i32
  return %0, %2 : bf16, i32
}

// Arithmetic gets numbers, also if another such op computes them; blocks may be in any order.
// CHECK-LABEL: @computed(
// CHECK-SAME:    %[[X:.*]]: i16) -> i16
// CHECK:         %[[N:.*]] = arith.bitcast %[[X]] : i16 to bf16
// CHECK:         %[[S:.*]] = arith.addf %[[N]], %[[N]] : bf16
// CHECK:         %[[T:.*]] = arith.mulf %[[S]], %[[S]] : bf16
// CHECK:         %[[B:.*]] = arith.bitcast %[[T]] : bf16 to i16
// CHECK:         return %[[B]] : i16
func.func @computed(%x: bf16) -> bf16 {
  cf.br ^2(%x : bf16)
^1(%z: bf16):
  return %z : bf16
^2(%y: bf16):
  %0 = arith.addf %y, %y : bf16
  %1 = arith.mulf %0, %0 : bf16
  cf.br ^1(%1 : bf16)
}

// The signatures of other functions and f16 are unchanged.
// CHECK-LABEL: func.func private @elsewhere(bf16) -> bf16
// CHECK-LABEL: @calls(
// CHECK-SAME:    %[[X:[^:]*]]: i16, %{{.*}}: f16) -> (i16, f16)
// CHECK:         %[[N:.*]] = arith.bitcast %[[X]] : i16 to bf16
// CHECK:         %[[R:.*]] = call @elsewhere(%[[N]]) : (bf16) -> bf16
// CHECK:         arith.bitcast %[[R]] : bf16 to i16
func.func private @elsewhere(bf16) -> bf16
func.func @calls(%x: bf16, %h: f16) -> (bf16, f16) {
  %0 = func.call @elsewhere(%x) : (bf16) -> bf16
  return %0, %h : bf16, f16
}
