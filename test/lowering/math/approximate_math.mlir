// Functions that may be approximated become instructions; others, and those of f64, are unchanged.
// RUN: lw-opt %s --approximate-math | FileCheck %s

// CHECK-LABEL: func.func @all(
// CHECK:         %[[LOG2E:.+]] = arith.constant 1.44269{{.*}} : f32
// CHECK:         %[[T:.+]] = arith.mulf %arg0, %[[LOG2E]]
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%[[T]])
// CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%arg0)
// CHECK:         %[[L:.+]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%arg0)
// CHECK:         arith.mulf %[[L]]
// CHECK:         llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.tanh.f32"(%arg0) {fastmathFlags = #llvm.fastmath<afn>}
// CHECK:         llvm.call_intrinsic "llvm.nvvm.div.full"(%arg0, %arg1)
// CHECK:         llvm.call_intrinsic "llvm.nvvm.div.full"(%arg0, %arg1)
func.func @all(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x fastmath<afn> : f32
  %1 = math.exp2 %x fastmath<fast> : f32
  %2 = math.log %x fastmath<nnan,afn> : f32
  %3 = math.rsqrt %x fastmath<afn> : f32
  %4 = math.tanh %x fastmath<afn> : f32
  %5 = arith.divf %x, %y fastmath<arcp> : f32
  %6 = arith.divf %x, %y fastmath<afn> : f32
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @vectors(
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.sin.approx.f"
// CHECK:         vector.from_elements {{.*}} : vector<4xf32>
// 16-bit types are computed in f32 and rounded.
// CHECK:         arith.extf
// CHECK:         llvm.call_intrinsic "llvm.nvvm.cos.approx.f"
// CHECK:         arith.truncf
func.func @vectors(%x: vector<4xf32>, %h: f16) -> (vector<4xf32>, f16) {
  %0 = math.sin %x fastmath<afn> : vector<4xf32>
  %1 = math.cos %h fastmath<afn> : f16
  return %0, %1 : vector<4xf32>, f16
}

// CHECK-LABEL: func.func @kept(
// CHECK-NOT:     call_intrinsic
// CHECK:         return
func.func @kept(%x: f32, %d: f64) -> (f32, f32, f64, f32, f32) attributes {loop.fp = "fast"} {
  %0 = math.exp %x : f32
  %1 = math.exp %x fastmath<reassoc,contract,arcp> : f32
  %2 = math.exp %d fastmath<afn> : f64
  %3 = arith.divf %x, %x : f32
  %4 = math.erf %x fastmath<afn> : f32
  return %0, %1, %2, %3, %4 : f32, f32, f64, f32, f32
}
