// Loads, stores and products of tiles are calls of LLVM's functions; a constructor asks the kernel for the registers.
// RUN: lw-opt %s --convert-memref-to-pointer --canonicalize --cse | FileCheck %s
// RUN: lw-opt %s --convert-memref-to-pointer --convert-scf-to-cf --convert-arith-to-llvm --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: llvm.func internal @request_tiles_1()
// CHECK-DAG:     %[[CALL:.*]] = arith.constant 158 : i64
// CHECK-DAG:     %[[REQUEST:.*]] = arith.constant 4131 : i64
// CHECK-DAG:     %[[TILES:.*]] = arith.constant 18 : i64
// CHECK:         llvm.inline_asm has_side_effects "syscall", "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}" %[[CALL]], %[[REQUEST]], %[[TILES]]
// CHECK:       llvm.mlir.global_ctors ctors = [@request_tiles_1], priorities = [65535 : i32], data = [#llvm.zero]
func.func private @request_tiles()

// CHECK-LABEL: func.func private @sums_kernel(
// CHECK-SAME:    %[[A:[^:]*]]: !llvm.ptr {llvm.noalias}, %[[N:[^:]*]]: index, %[[B:[^:]*]]: !llvm.ptr {llvm.noalias}, %[[C:[^:]*]]: !llvm.ptr {llvm.noalias}, %{{[^:]*}}: index, %[[I:[^:]*]]: index)
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : i16
// CHECK-DAG:     %[[C12:.*]] = arith.constant 12 : i16
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : i16
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : i64
// The stride is that of a row of the buffer, in bytes.
// CHECK:         %[[ROW:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-NEXT:    %[[BYTES:.*]] = arith.muli %[[ROW]], %c2{{.*}} : i64
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[A]]
// CHECK:         %[[X:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%[[C12]], %[[C32]], %[[AT]], %[[BYTES]]) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
// A stride of 32 elements.
// CHECK:         %[[Y:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%[[C8]], %[[C32]], %[[B]], %[[C64]])
// CHECK:         %[[ZERO:.*]] = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%[[C12]], %[[C32]])
// CHECK:         %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[ZERO]]) -> (!llvm.x86_amx)
// CHECK-NEXT:      %[[NEW:.*]] = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%[[C12]], %[[C32]], %[[C32]], %[[OLD]], %[[X]], %[[Y]]) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
// CHECK-NEXT:      scf.yield %[[NEW]]
// CHECK:         llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%[[C12]], %[[C32]], %{{.*}}, %{{.*}}, %[[LAST]])
// LLVM:        llvm.func {{.*}}@sums_kernel(
// LLVM:        ^bb{{[0-9]+}}(%{{.*}}: i64, %{{.*}}: !llvm.x86_amx):
func.func @sums(%A: memref<12x?xbf16>, %B: memref<16x8x2xbf16>, %C: memref<12x?xf32> {loop.result}, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %a = amx.tile_load %A[%c0, %i] : memref<12x?xbf16> into !amx.tile<12x16xbf16>
  %b = amx.tile_load %B[%c0, %c0, %c0], %c32 : memref<16x8x2xbf16> into !amx.tile<8x16xbf16>
  %zero = amx.tile_zero : !amx.tile<12x8xf32>
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%old = %zero) -> (!amx.tile<12x8xf32>) {
    %new = amx.tile_mulf %a, %b, %old : !amx.tile<12x16xbf16>, !amx.tile<8x16xbf16>, !amx.tile<12x8xf32>
    scf.yield %new : !amx.tile<12x8xf32>
  }
  amx.tile_store %C[%c0, %i], %sum : memref<12x?xf32>, !amx.tile<12x8xf32>
  return
}

// CHECK-LABEL: func.func private @signs_kernel(
// CHECK:         "llvm.x86.tdpbssd.internal"
// CHECK:         "llvm.x86.tdpbusd.internal"
// CHECK:         "llvm.x86.tdpbsud.internal"
// CHECK:         "llvm.x86.tdpbuud.internal"
func.func @signs(%A: memref<16x64xi8>, %C: memref<16x16xi32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %a = amx.tile_load %A[%c0, %c0] : memref<16x64xi8> into !amx.tile<16x64xi8>
  %c = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
  %0 = amx.tile_muli %a, %a, %c : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  %1 = amx.tile_muli %a zext, %a, %0 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  %2 = amx.tile_muli %a, %a zext, %1 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  %3 = amx.tile_muli %a zext, %a zext, %2 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  amx.tile_store %C[%c0, %c0], %3 : memref<16x16xi32>, !amx.tile<16x16xi32>
  return
}
