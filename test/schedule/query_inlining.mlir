// The estimated cost of inlining a schedule block.

// RUN: lw-opt %s --sched-query='function=window pattern=* what=inlining' \
// RUN:   --sched-query='function=dynamic pattern=S what=inlining' -o /dev/null 2>&1 | FileCheck %s
// RUN: not lw-opt %s --sched-query='pattern=* what=inlining' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: {{.*}} has a schedule block "*", and so has another function: name the function

// Each value is used three times.
// CHECK: remark: query: inlining of "T": 2 operations per value, computed 18 times, then 48 times: +60 operations
// CHECK: remark: query: inlining of "C": refused: schedule block "C" writes "arg1"
func.func @window(%A: memref<18xf32>, %C: memref<16xf32>) {
  %T = loop.buffer "T" scope(global) : memref<18xf32>
  loop.for serial %i in 18 {
    loop.block "T" [%v: spatial 18] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<18xf32>
      %b = arith.mulf %a, %a : f32
      %c = math.sqrt %b : f32
      memref.store %c, %T[%v] : memref<18xf32>
    }
  }
  loop.for serial %i in 16 {
    loop.block "C" [%v: spatial 16] = (%i) reads(%T[%v : 3]) writes(%C[%v : 1]) {
      %v1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %v2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %a = memref.load %T[%v] : memref<18xf32>
      %b = memref.load %T[%v1] : memref<18xf32>
      %c = memref.load %T[%v2] : memref<18xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.addf %d, %c : f32
      memref.store %e, %C[%v] : memref<16xf32>
    }
  }
  return
}

// CHECK: remark: query: inlining of "S": 1 operations per value, computed once, then 2 in each instance of "D"
func.func @dynamic(%A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %S = loop.buffer "S" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%S[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      %b = arith.mulf %a, %a : f32
      memref.store %b, %S[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "D" [%v: spatial %n] = (%i) reads(%S[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %S[%v] : memref<?xf32>
      %b = memref.load %S[%v] : memref<?xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %C[%v] : memref<?xf32>
    }
  }
  return
}
