// Redundant barriers of a user's schedule get a remark; default schedules have none.
// RUN: lw-run %s --schedule %S/Inputs/redundant_barrier.schedule.mlir --target sm_80 --compile-to gpu 2>&1 >/dev/null | FileCheck %s
// RUN: lw-compile %s --schedule %S/Inputs/redundant_barrier.schedule.mlir --target sm_80 -o %t.lwb 2>&1 | FileCheck %s
// RUN: lw-run %s --schedule %S/Inputs/redundant_barrier.schedule.mlir --target sm_80 --compile-to gpu 2>/dev/null | FileCheck %s --check-prefix=KERNEL
// RUN: lw-run %s --target sm_80 --compile-to gpu 2>&1 >/dev/null | FileCheck %s --check-prefix=NONE --allow-empty

// CHECK:      redundant_barrier.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: this barrier is removed: it orders nothing that other barriers do not order
// CHECK-NOT:  remark
// NONE-NOT:   this barrier
// Every thread reads what others have written: that barrier stays.
// KERNEL:     gpu.barrier
// KERNEL-NOT: gpu.barrier
func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<64xf32>
  loop.for serial %b in 1 {
    loop.for serial %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) reads(%x[%i : 1]) writes(%tile[%i : 1]) {
        %v = memref.load %x[%i] : memref<64xf32>
        memref.store %v, %tile[%i] : memref<64xf32>
      }
    }
    loop.for serial %t in 64 {
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %v = memref.load %tile[%k] : memref<64xf32>
        memref.store %v, %y[%i] : memref<64xf32>
      }
    }
  }
  return
}
