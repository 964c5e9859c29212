// From bound loops to PTX, in this process.
// RUN: lw-opt %s --lw-nvptx-pipeline='chip=sm_90a' | FileCheck %s --check-prefix=BINARY
// RUN: lw-run %s --compile-to ptx | FileCheck %s --check-prefixes=PTX,SM80
// RUN: lw-run %s --compile-to ptx --target sm_90a --no-schedule | FileCheck %s --check-prefixes=PTX,SM90
// RUN: lw-run %s --compile-to gpu | FileCheck %s --check-prefix=GPU
// RUN: lw-opt %s --lw-nvptx-pipeline='index-bits=32 require-vector=true' | FileCheck %s --check-prefix=NARROW
//
// Targets and modules that cannot be compiled.
// RUN: not lw-opt %s --lw-nvptx-pipeline=chip=sm_30 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not lw-opt %s --lw-nvptx-pipeline=index-bits=16 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not lw-run %s --compile-to ptx --target gfx90a 2>&1 | FileCheck %s --check-prefix=RUN-CHIP
// RUN: not lw-run %s --compile-to llvm --target sm_90a 2>&1 | FileCheck %s --check-prefix=RUN-ONLY
// RUN: not lw-run %S/Inputs/no_kernel.mlir --compile-to ptx 2>&1 | FileCheck %s --check-prefix=NONE

// The host part stays in the module: the launcher reads it.
// BINARY:      func.func @main(
// BINARY:        gpu.launch_func @kernels::@main_0 blocks in (%{{.*}}, %c1, %c1) threads in (%c128, %c1, %c1)
// BINARY-SAME:     args(%{{.*}} : memref<f32>, %{{.*}} : memref<f32>, %{{.*}} : memref<4xf32>, %{{.*}} : index, %{{.*}} : index)
// BINARY:      gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a"

// Pointers and sizes, nothing else; read-only buffers are read through the non-coherent cache; multiplications and
// additions are not contracted.
// PTX:         .version 8.0
// SM80-NEXT:   .target sm_80
// SM90-NEXT:   .target sm_90a
// PTX-NOT:     .extern
// PTX:         .visible .entry main_0(
// PTX-NEXT:      .param .u64 .ptr .align 1 main_0_param_0,
// PTX-NEXT:      .param .u64 .ptr .align 1 main_0_param_1,
// PTX-NEXT:      .param .u64 .ptr .align 1 main_0_param_2,
// PTX-NEXT:      .param .u64 main_0_param_3,
// PTX-NEXT:      .param .u64 main_0_param_4
// PTX-NEXT:    )
// PTX-NEXT:    .maxntid 128, 1, 1
// PTX:           .shared .align 16 .b8 __wg_main_0_0[512]
// PTX:           bar.sync 0;
// PTX-DAG:       ld.global.nc.v4.b32
// PTX-DAG:       mul.rn.f32
// PTX-DAG:       add.rn.f32
// PTX-NOT:       fma.rn.f32
// PTX:           st.global.v4.b32

// GPU:         gpu.func @main_0(
// GPU:           gpu.barrier

// NARROW:      .param .u32 main_0_param_3

// CHIP: error: {{.*}}is given chip sm_30, expected one of sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a
// BITS: error: {{.*}}is given index-bits 16, expected 32 or 64
// RUN-CHIP: lw-run: error: invalid value 'gfx90a' for '--target <TARGET>': expected x86, or one of sm_80
// RUN-ONLY: lw-run: error: phases vector and llvm, and assembly, are on the path to x86: give --target x86 (see --help)
// NONE: lw-run: error: there is no kernel: expected a nest with bound loops

func.func @main(%A: memref<?x512xf32>, %B: memref<?x512xf32>, %S: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x512xf32>
  %s = loop.buffer "s" scope(shared) : memref<128xf32>
  loop.for thread_bind[blockIdx.x] %i in %n {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "s" [%v: spatial 128] = (%t) reads(%S[0 : 4]) writes(%s[%v : 1]) {
        %m = affine.apply affine_map<(d0) -> (d0 mod 4)>(%v)
        %a = memref.load %S[%m] : memref<4xf32>
        memref.store %a, %s[%v] : memref<128xf32>
      }
      loop.sync
      loop.for vectorize %l in 4 {
        loop.block "B" [%v: spatial %n, %w: spatial 512] = (%i, %t * 4 + %l)
            reads(%A[%v : 1, %w : 1], %s[0 : 128]) writes(%B[%v : 1, %w : 1]) {
          %m = affine.apply affine_map<(d0) -> (127 - d0 floordiv 4)>(%w)
          %a = memref.load %A[%v, %w] : memref<?x512xf32>
          %b = memref.load %s[%m] : memref<128xf32>
          %p = arith.mulf %a, %b : f32
          %r = arith.addf %p, %a : f32
          memref.store %r, %B[%v, %w] : memref<?x512xf32>
        }
      }
    }
  }
  return
}
