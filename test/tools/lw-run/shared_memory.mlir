// Kernels whose thread blocks use more shared memory than can be declared: launches request it from the driver. The
// interpreter gives the expected results, and the emulator and a device by the CUDA driver run them.
// RUN: lw-run %s --entry kib64 --compile-to ptx --target sm_80 | FileCheck %s --check-prefix=PTX
// RUN: lw-run %s --entry kib64 --compile-to ptx --target sm_80 | not FileCheck %s --check-prefix=DECLARED
// PTX:      .extern .shared .align 16 .b8 dynamic_shared[];
// DECLARED: .shared .align {{[0-9]+}} .b8 {{[a-z_0-9]+}}[{{[0-9]+}}]

// RUN: lw-run %s --entry kib64 --execute schedule --output 64.npy
// RUN: lw-run %s --entry kib64 --execute gpu --rtol 0 --atol 0 --check 64.npy | FileCheck %s --check-prefix=SAME
// RUN: lw-run %s --entry kib64 --target sm_80 --device emulator --profile --rtol 0 --atol 0 --check 64.npy | FileCheck %s --check-prefixes=SAME,KIB64
// RUN: lw-run %s --entry kib64 --target sm_90a --device emulator --profile --rtol 0 --atol 0 --check 64.npy | FileCheck %s --check-prefixes=SAME,HOPPER64
// RUN: lw-run %s --entry kib160 --execute schedule --output 160.npy
// RUN: lw-run %s --entry kib160 --target sm_80 --device emulator --profile --rtol 0 --atol 0 --check 160.npy | FileCheck %s --check-prefixes=SAME,KIB160
// RUN: lw-run %s --entry kib160 --target sm_90a --device emulator --profile --rtol 0 --atol 0 --check 160.npy | FileCheck %s --check-prefixes=SAME,KIB160
// SAME:           max error 0 (bound 0): passed
// KIB64:          shared memory           65536 bytes per block
// KIB64-NEXT:     occupancy               16 of 64 warps, 2 blocks, limited by Shared
// HOPPER64:       shared memory           65536 bytes per block
// HOPPER64-NEXT:  occupancy               24 of 64 warps, 3 blocks, limited by Shared
// KIB160:         shared memory           163840 bytes per block
// KIB160-NEXT:    occupancy               8 of 64 warps, 1 blocks, limited by Shared

// RUN: ln -s %{cuda} libcuda.so.1
// RUN: env LD_LIBRARY_PATH=. lw-run %s --entry kib64 --target sm_80 --device cuda:0 --profile --time 0.01 --rtol 0 --atol 0 --check 64.npy \
// RUN:   | FileCheck %s --check-prefixes=SAME,CUDA64
// RUN: env LD_LIBRARY_PATH=. lw-run %s --entry kib160 --target sm_90a --device cuda:0 --profile --rtol 0 --atol 0 --check 160.npy \
// RUN:   | FileCheck %s --check-prefixes=SAME,CUDA160
// CUDA64:         shared memory           65536 bytes per block
// CUDA160:        shared memory           163840 bytes per block

// A chip that has less refuses it, at the request.
// RUN: not lw-run %s --entry kib160 --target sm_86 --device emulator 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: shared_memory.mlir:[[# @LINE + 30]]:8: error: 'loop.buffer' op "S" and the buffers before it take 163840 bytes of shared memory, expected at most 101376 on sm_86 (C4)

func.func @kib64(%B: memref<16384xi32> {loop.name = "B", loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<16384xi32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 64 {
        loop.block "S" [%v: spatial 16384] = (%k * 256 + %t) writes(%S[%v : 1]) {
          %a = arith.index_cast %v : index to i32
          memref.store %a, %S[%v] : memref<16384xi32>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 64 {
        loop.block "B" [%v: spatial 16384] = (%k * 256 + %t) reads(%S[-%v + 16383 : 1]) writes(%B[%v : 1]) {
          %i = affine.apply affine_map<(d0) -> (16383 - d0)>(%v)
          %a = memref.load %S[%i] : memref<16384xi32>
          memref.store %a, %B[%v] : memref<16384xi32>
        }
      }
    }
  }
  return
}

// Two buffers that are live at the same time.
func.func @kib160(%B: memref<20480xi32> {loop.name = "B", loop.result}) {
  %T = loop.buffer "T" scope(shared) : memref<20480xi16>
  %S = loop.buffer "S" scope(shared) : memref<30720xi32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 120 {
        loop.block "S" [%v: spatial 30720] = (%k * 256 + %t) writes(%S[%v : 1]) {
          %a = arith.index_cast %v : index to i32
          memref.store %a, %S[%v] : memref<30720xi32>
        }
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 80 {
        loop.block "T" [%v: spatial 20480] = (%k * 256 + %t) writes(%T[%v : 1]) {
          %a = arith.index_cast %v : index to i16
          memref.store %a, %T[%v] : memref<20480xi16>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 80 {
        loop.block "B" [%v: spatial 20480] = (%k * 256 + %t) reads(%S[-%v + 30719 : 1], %T[-%v + 20479 : 1]) writes(%B[%v : 1]) {
          %i = affine.apply affine_map<(d0) -> (30719 - d0)>(%v)
          %j = affine.apply affine_map<(d0) -> (20479 - d0)>(%v)
          %a = memref.load %S[%i] : memref<30720xi32>
          %n = memref.load %T[%j] : memref<20480xi16>
          %w = arith.extsi %n : i16 to i32
          %c = arith.addi %a, %w : i32
          memref.store %c, %B[%v] : memref<20480xi32>
        }
      }
    }
  }
  return
}
