// A location in PTX is a loop and a block, with the source location; a user's name is kept. Ops without a location get
// none; the function's location is its file.
// RUN: lw-opt %s --line-info --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// CHECK:      llvm.getelementptr {{.*}} loc(unknown)
// CHECK-NEXT: llvm.load {{.*}} loc(fused<#llvm.di_lexical_block_file<scope = {{.*}}name = "k"{{.*}}file = <"loop i>j, block B, f.mlir" in "">, discriminator = 0>>["-":3:5])
// CHECK-NEXT: llvm.fadd {{.*}}file = <"their_name_" in "">, discriminator = 0>>["-":1:1])
// CHECK-NEXT: llvm.store {{.*}}file = <"f.mlir" in "">, discriminator = 0>>["-":8:9])
// CHECK:      loc(fused<#llvm.di_subprogram<{{.*}}emissionKind = DebugDirectivesOnly>{{.*}}name = "k", file = <"f.mlir" in "">

// RUN: lw-opt %s --line-info --gpu-module-to-binary='format=isa' | sed 's/\\0A/\n/g' | FileCheck %s --check-prefix=PTX
// PTX:      .loc{{.*}}[[#LOOP:]] 3 5
// PTX-NEXT: ld.global.b32
// PTX:      add.rn.f32
// PTX:      8 9
// PTX-NEXT: st.global.b32
// PTX-NOT:  .section .debug_{{line|info|abbrev|str}}
// PTX:      .file{{.*}}[[#LOOP]] \22loop i>j, block B, f.mlir\22

// The instructions are the same as without line information.
// RUN: lw-opt %S/../../codegen/cuda/Inputs/shared.mlir --lw-nvptx-pipeline | sed 's/\\0A/\n/g' | sed -n '/\\09[a-z@]/p' | grep -v InMs > with.txt
// RUN: lw-opt %S/../../codegen/cuda/Inputs/shared.mlir --lw-nvptx-pipeline='without=line-info' | sed 's/\\0A/\n/g' | sed -n '/\\09[a-z@]/p' | grep -v InMs > without.txt
// RUN: diff with.txt without.txt
// RUN: grep st.shared with.txt

gpu.module @kernels [#nvvm.target<chip = "sm_80", features = "+ptx80", O = 3>] {
  llvm.func @k(%A: !llvm.ptr<1>, %i: i32) attributes {nvvm.kernel} {
    %p = llvm.getelementptr %A[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32 loc(unknown)
    %a = llvm.load %p : !llvm.ptr<1> -> f32 loc("loop i/j, block B"("models/f.mlir":3:5))
    %b = llvm.fadd %a, %a : f32 loc("their\\name\n")
    llvm.store %b, %p : f32, !llvm.ptr<1> loc(fused["/tmp/f.mlir":8:9, "g.mlir":1:1])
    llvm.return loc(unknown)
  } loc("models/f.mlir":1:1)
}
