// Concurrent updates: PTX instructions, or compare-and-exchange loops.
// RUN: lw-opt %s --expand-atomics | FileCheck %s
// RUN: lw-opt %s --expand-atomics --pass-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// REPORT: expand-atomics {{.*}} changed, 4 loops

gpu.module @kernels {
  // An op that PTX has stays one op, with device scope.
  // CHECK-LABEL: llvm.func @instructions
  // CHECK-NEXT:    llvm.atomicrmw add %{{.+}}, %{{.+}} syncscope("device") monotonic : !llvm.ptr, i32
  // CHECK-NEXT:    llvm.atomicrmw umax %{{.+}}, %{{.+}} syncscope("device") monotonic : !llvm.ptr, i64
  // CHECK-NEXT:    llvm.atomicrmw fadd %{{.+}}, %{{.+}} syncscope("device") monotonic : !llvm.ptr, f16
  // CHECK-NEXT:    llvm.atomicrmw fadd %{{.+}}, %{{.+}} syncscope("device") monotonic : !llvm.ptr, f64
  // CHECK-NEXT:    llvm.return
  llvm.func @instructions(%p: !llvm.ptr, %i: i32, %j: i64, %h: f16, %d: f64) {
    %0 = llvm.atomicrmw add %p, %i acq_rel : !llvm.ptr, i32
    %1 = llvm.atomicrmw umax %p, %j acq_rel : !llvm.ptr, i64
    %2 = llvm.atomicrmw fadd %p, %h acq_rel : !llvm.ptr, f16
    %3 = llvm.atomicrmw fadd %p, %d acq_rel : !llvm.ptr, f64
    llvm.return
  }

  // CHECK-LABEL: llvm.func @maximum(
  // CHECK-SAME:    %[[P:.+]]: !llvm.ptr, %[[X:.+]]: f32)
  // CHECK:         %[[FIRST:.+]] = llvm.load %[[P]] atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  // CHECK:         %[[LAST:.+]] = scf.while (%[[OLD:.+]] = %[[FIRST]]) : (i32) -> i32 {
  // CHECK:           %[[A:.+]] = arith.bitcast %[[OLD]] : i32 to f32
  // CHECK:           %[[B:.+]] = arith.maximumf %[[A]], %[[X]] : f32
  // CHECK:           %[[NEW:.+]] = arith.bitcast %[[B]] : f32 to i32
  // CHECK:           %[[PAIR:.+]] = llvm.cmpxchg %[[P]], %[[OLD]], %[[NEW]] syncscope("device") monotonic monotonic : !llvm.ptr, i32
  // CHECK:           %[[FOUND:.+]] = llvm.extractvalue %[[PAIR]][0]
  // CHECK:           %[[DONE:.+]] = llvm.extractvalue %[[PAIR]][1]
  // CHECK:           %[[AGAIN:.+]] = arith.xori %[[DONE]], %true
  // CHECK:           scf.condition(%[[AGAIN]]) %[[FOUND]] : i32
  // CHECK:         %[[RESULT:.+]] = arith.bitcast %[[LAST]] : i32 to f32
  // CHECK:         llvm.return %[[RESULT]] : f32
  llvm.func @maximum(%p: !llvm.ptr, %x: f32) -> f32 {
    %0 = llvm.atomicrmw fmaximum %p, %x acq_rel : !llvm.ptr, f32
    llvm.return %0 : f32
  }

  // 16-bit types have their own instruction, in every memory space: LLVM would exchange the enclosing word.
  // CHECK-LABEL: llvm.func @halves(
  // CHECK:         llvm.load %{{.+}} atomic syncscope("device") monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
  // CHECK:           arith.minui
  // CHECK:           %[[FOUND:.+]] = llvm.inline_asm has_side_effects "atom.relaxed.gpu.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,~{memory}" %{{.+}}, %[[OLD:.+]], %{{.+}} : (!llvm.ptr, i16, i16) -> i16
  // CHECK:           %[[AGAIN:.+]] = arith.cmpi ne, %[[FOUND]], %[[OLD]] : i16
  // CHECK:           scf.condition(%[[AGAIN]]) %[[FOUND]] : i16
  // CHECK:           arith.addf %{{.+}}, %{{.+}} : bf16
  // CHECK:           "atom.relaxed.gpu.global.cas.b16 $0, [$1], $2, $3;"
  // CHECK:           arith.maxnumf %{{.+}}, %{{.+}} : f16
  // CHECK:           "atom.relaxed.gpu.shared.cas.b16 $0, [$1], $2, $3;"
  llvm.func @halves(%p: !llvm.ptr, %q: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i16, %b: bf16, %h: f16) {
    %0 = llvm.atomicrmw umin %p, %i acq_rel : !llvm.ptr, i16
    %1 = llvm.atomicrmw fadd %q, %b acq_rel : !llvm.ptr<1>, bf16
    %2 = llvm.atomicrmw fmax %s, %h acq_rel : !llvm.ptr<3>, f16
    llvm.return
  }

  // An op that is not one of our updates is unchanged.
  // CHECK-LABEL: llvm.func @other
  // CHECK-NEXT:    llvm.atomicrmw xchg %{{.+}}, %{{.+}} acq_rel : !llvm.ptr, i32
  llvm.func @other(%p: !llvm.ptr, %i: i32) {
    %0 = llvm.atomicrmw xchg %p, %i acq_rel : !llvm.ptr, i32
    llvm.return
  }
}
