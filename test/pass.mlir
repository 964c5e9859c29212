// Passes of CINN whose work a pass of another name does have their own names, too.
// RUN: lw-opt %s --convert-loop-to-scf -o %t.scf.mlir
// RUN: lw-opt %s --remove-schedule-block | diff - %t.scf.mlir
// RUN: lw-opt %s --compact-buffers -o %t.compact.mlir
// RUN: lw-opt %s --update-buffer-axis | diff - %t.compact.mlir
// RUN: FileCheck %s --check-prefix=COMPACT --input-file=%t.compact.mlir
// RUN: lw-opt %s --sched-bind='loop=C:i thread=threadIdx.x' --convert-loop-to-gpu -o %t.gpu.mlir
// RUN: lw-opt %s --sched-bind='loop=C:i thread=threadIdx.x' --transform-gpu-forloop | diff - %t.gpu.mlir
// RUN: FileCheck %s --check-prefix=GPU --input-file=%t.gpu.mlir

// COMPACT: loop.buffer "T" scope(local) : memref<1xf32>
// GPU: gpu.launch_func
func.func @main(%A: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(local) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "T" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %T[%v] : memref<8xf32>
      memref.store %a, %C[%v] : memref<8xf32>
    }
  }
  return
}
