// Concurrent updates of one element lose nothing: the interpreter of the unscheduled nest gives the expected results.
// RUN: lw-opt %s --sched-atomic=block=H --sched-split='loop=H:k factors=-1,7' --sched-parallel=loop=H:k.1 \
// RUN:   --sched-atomic=block=S --sched-atomic=block=M --sched-parallel=loop=S:k -o %t.cpu.mlir
// RUN: lw-opt %s --sched-atomic=block=H --sched-split='loop=H:k factors=-1,128' --sched-bind='loop=H:k.0 thread=blockIdx.x' \
// RUN:   --sched-bind='loop=H:k.1 thread=threadIdx.x' --sched-atomic=block=S --sched-atomic=block=M \
// RUN:   --sched-bind='loop=S:k thread=blockIdx.x' -o %t.gpu.mlir
// RUN: lw-run %s --entry numbers --output %t.a.npy
// RUN: lw-run %s --entry histogram --input %t.a.npy --output %t.h.npy
// RUN: lw-run %s --entry columns --input %t.a.npy --output %t.s.npy --output %t.m.npy
// RUN: lw-run %t.cpu.mlir --entry histogram --input %t.a.npy --check %t.h.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %t.cpu.mlir --entry histogram --input %t.a.npy --check %t.h.npy --rtol 0 --atol 0 --target x86 --threads 3 | FileCheck %s
// RUN: lw-run %t.gpu.mlir --entry histogram --input %t.a.npy --check %t.h.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %t.cpu.mlir --entry columns --input %t.a.npy --check %t.s.npy --check %t.m.npy --rtol 0 --atol 0 --target x86 --threads 3 | FileCheck %s
// RUN: lw-run %t.gpu.mlir --entry columns --input %t.a.npy --check %t.s.npy --check %t.m.npy --rtol 0 --atol 0 | FileCheck %s
// RUN: lw-run %t.gpu.mlir --entry columns --compile-to ptx | FileCheck %s --check-prefix=PTX
// CHECK: passed
// PTX:   atom.global.add.f32

func.func @numbers(%A: memref<4000xi32> {loop.result}) {
  loop.for serial %i in 4000 {
    loop.block "A" [%v: spatial 4000] = (%i) writes(%A[%v : 1]) {
      %factor = arith.constant 7919 : i32
      %n = arith.index_cast %v : index to i32
      %x = arith.muli %n, %factor : i32
      memref.store %x, %A[%v] : memref<4000xi32>
    }
  }
  return
}

// The elements are data-dependent.
func.func @histogram(%A: memref<4000xi32> {loop.name = "A"}, %H: memref<16xi32> {loop.name = "H", loop.result}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fifteen = arith.constant 15 : i32
  loop.for serial %i in 16 {
    loop.block "zero" [%v: spatial 16] = (%i) writes(%H[%v : 1]) { memref.store %zero, %H[%v] : memref<16xi32> }
  }
  loop.for serial %k in 4000 {
    loop.block "H" [%vk: reduce 4000] = (%k) reads(%A[%vk : 1], %H[*]) writes(%H[*]) reducer(add, 0) {
      %a = memref.load %A[%vk] : memref<4000xi32>
      %m = arith.andi %a, %fifteen : i32
      %i = arith.index_cast %m : i32 to index
      %h = memref.load %H[%i] : memref<16xi32>
      %n = arith.addi %h, %one : i32
      memref.store %n, %H[%i] : memref<16xi32>
    }
  }
  return
}

// Sums of integers as floats, and maxima.
func.func @columns(%A: memref<4000xi32> {loop.name = "A"}, %S: memref<10xf32> {loop.name = "S", loop.result}, %M: memref<10xf32> {loop.name = "M", loop.result}) attributes {loop.fp = "reassoc"} {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  loop.for serial %i in 10 {
    loop.block "start_S" [%v: spatial 10] = (%i) writes(%S[%v : 1]) { memref.store %zero, %S[%v] : memref<10xf32> }
  }
  loop.for serial %i in 10 {
    loop.block "start_M" [%v: spatial 10] = (%i) writes(%M[%v : 1]) { memref.store %least, %M[%v] : memref<10xf32> }
  }
  loop.for serial %k in 400 {
    loop.for serial %j in 10 {
      loop.block "S" [%vk: reduce 400, %vj: spatial 10] = (%k, %j) reads(%A[%vk * 10 + %vj : 1], %S[%vj : 1]) writes(%S[%vj : 1]) reducer(add, 0.0) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%vk, %vj)
        %byte = arith.constant 255 : i32
        %a = memref.load %A[%i] : memref<4000xi32>
        %b = arith.andi %a, %byte : i32
        %x = arith.sitofp %b : i32 to f32
        %s = memref.load %S[%vj] : memref<10xf32>
        %n = arith.addf %s, %x : f32
        memref.store %n, %S[%vj] : memref<10xf32>
      }
      loop.block "M" [%vk: reduce 400, %vj: spatial 10] = (%k, %j) reads(%A[%vk * 10 + %vj : 1], %M[%vj : 1]) writes(%M[%vj : 1]) reducer(max, 0xFF800000) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%vk, %vj)
        %a = memref.load %A[%i] : memref<4000xi32>
        %x = arith.sitofp %a : i32 to f32
        %s = memref.load %M[%vj] : memref<10xf32>
        %n = arith.maximumf %x, %s : f32
        memref.store %n, %M[%vj] : memref<10xf32>
      }
    }
  }
  return
}
