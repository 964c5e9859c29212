// RUN: lw-opt %s --loop-cost -o /dev/null 2>&1 | FileCheck %s

// Numbers: one multiplication and one addition per instance, A and B are read, C is read and written.
// CHECK-LABEL: loop-cost @matmul: bytes in all
// CHECK-NEXT: block instances flops global loads global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: C 262144 524288 3145728 1048576 57344 9.14 0.12
// CHECK-NEXT: C init 4096 0 0 16384 16384 0 0
// CHECK-NEXT: total 524288 3145728 1064960 57344 9.14 0.12
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg0 global C 1048576 0 32768
// CHECK-NEXT: arg1 global C 1048576 0 8192
// CHECK-NEXT: arg2 global C 1048576 1048576 16384
// CHECK-NEXT: arg2 global C init 0 16384 16384
// CHECK-NEXT: arg2 global total 1048576 1064960 16384
func.func @matmul(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %C: memref<128x32xf32>) {
  loop.for serial %i in 128 {
    loop.for serial %j in 32 {
      loop.for serial %k in 64 {
        loop.block "C" [%vi: spatial 128, %vj: spatial 32, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
            reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<128x32xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<128x64xf32>
          %b = memref.load %B[%vk, %vj] : memref<64x32xf32>
          %c = memref.load %C[%vi, %vj] : memref<128x32xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<128x32xf32>
        }
      }
    }
  }
  return
}

// Formulas: a split loop with a predicate has as many instances as before; then another size is substituted.
// CHECK-LABEL: loop-cost @split: bytes in all, for sizes of 1 or more
// CHECK-NEXT: block instances flops global loads global stores global footprint parallel lanes flops/footprint flops/accessed
// CHECK-NEXT: B arg0 2*arg0 8*arg0 8*arg0 16*arg0 ceildiv(arg0, 8) 8 0.12 0.12
// CHECK-NEXT: total 2*arg0 8*arg0 8*arg0 16*arg0 0.12 0.12
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg1 global B 8*arg0 0 8*arg0
// CHECK-NEXT: arg2 global B 0 8*arg0 8*arg0
func.func @split(%n: index, %A: memref<?xf64>, %B: memref<?xf64>) {
  loop.for parallel %i0 in affine_map<()[s0] -> (s0 ceildiv 8)>()[%n] {
    loop.for vectorize %i1 in 8 {
      loop.block "B" [%v: spatial %n] = (%i0 * 8 + %i1) where(%i0 * 8 + %i1 < %n)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf64>
        %b = math.fma %a, %a, %a : f64
        memref.store %b, %B[%v] : memref<?xf64>
      }
    }
  }
  return
}

// Loops that are fused and split; the divisor is a size.
// CHECK-LABEL: loop-cost @fused: bytes in all, for sizes of 1 or more
// CHECK-NEXT: block instances flops int ops global loads global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: F arg0*arg1 0 arg0*arg1 arg0*arg1 arg0*arg1 arg0*arg1 + arg0 0 0
// CHECK-NEXT: total 0 arg0*arg1 arg0*arg1 arg0*arg1 arg0*arg1 + arg0 0 0
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg2 global F arg0*arg1 0 arg0
// CHECK-NEXT: arg3 global F 0 arg0*arg1 arg0*arg1
func.func @fused(%n: index, %m: index, %A: memref<?xi8>, %B: memref<?x?xi8>) {
  loop.for serial %f0 in affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 4)>()[%n, %m] {
    loop.for serial %f1 in 4 {
      loop.block "F" [%v: spatial %n, %w: spatial %m]
          = ((%f0 * 4 + %f1) floordiv symbol(%m), (%f0 * 4 + %f1) mod symbol(%m))
          where(%f0 * -4 - %f1 + symbol(%n) * symbol(%m) - 1 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v] : memref<?xi8>
        %b = arith.addi %a, %a : i8
        memref.store %b, %B[%v, %w] : memref<?x?xi8>
      }
    }
  }
  return
}

// The operations in a branch of the body count only where the branch is taken.
// CHECK-LABEL: loop-cost @branch: bytes in all, for sizes of 1 or more
// CHECK-NEXT: block instances flops global loads global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: P arg0 arg0 - 1 4*arg0 - 4 4*arg0 8*arg0 - 4 (arg0 - 1)/(8*arg0 - 4) (arg0 - 1)/(8*arg0 - 4)
// CHECK-NEXT: total arg0 - 1 4*arg0 - 4 4*arg0 8*arg0 - 4 (arg0 - 1)/(8*arg0 - 4) (arg0 - 1)/(8*arg0 - 4)
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg1 global P 4*arg0 - 4 0 4*arg0 - 4
// CHECK-NEXT: arg2 global P 0 4*arg0 4*arg0
func.func @branch(%n: index, %A: memref<?xf32>, %B: memref<?xf32>) {
  loop.for serial %i in %n {
    loop.block "P" [%v: spatial %n] = (%i) reads(%A[%v - 1 : 1]) writes(%B[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      %p = loop.if (%v - 1 >= 0) -> (f32) {
        %at = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%at] : memref<?xf32>
        %b = arith.mulf %a, %a : f32
        loop.yield %b : f32
      } else {
        loop.yield %zero : f32
      }
      memref.store %p, %B[%v] : memref<?xf32>
    }
  }
  return
}

// A triangle, and an `else` that covers the rest of a square.
// CHECK-LABEL: loop-cost @triangle: bytes in all, for sizes of 1 or more
// CHECK-NEXT: U instances (arg0*arg0 + arg0)/2
// CHECK-NEXT: flops 0
// CHECK-NEXT: global stores 2*arg0*arg0 + 2*arg0
// CHECK-NEXT: global footprint 2*arg0*arg0 + 2*arg0
// CHECK-NEXT: L instances (arg0*arg0 - arg0)/2
// CHECK-NEXT: flops 0
// CHECK-NEXT: global loads 2*arg0*arg0 - 2*arg0
// CHECK-NEXT: global stores 2*arg0*arg0 - 2*arg0
// CHECK-NEXT: global footprint <= 4*min(arg0*arg0 - arg0, arg1.0*arg1.1)
// CHECK-NEXT: total flops 0
// CHECK-NEXT: global loads 2*arg0*arg0 - 2*arg0
// CHECK-NEXT: global stores 4*arg0*arg0
// CHECK-NEXT: global footprint <= 4*min((3*arg0*arg0 - arg0)/2, arg1.0*arg1.1)
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg1 global U 0 2*arg0*arg0 + 2*arg0 2*arg0*arg0 + 2*arg0
// CHECK-NEXT: arg1 global L 2*arg0*arg0 - 2*arg0 2*arg0*arg0 - 2*arg0 <= 4*min(arg0*arg0 - arg0, arg1.0*arg1.1)
// CHECK-NEXT: arg1 global total 2*arg0*arg0 - 2*arg0 4*arg0*arg0 <= 4*min((3*arg0*arg0 - arg0)/2, arg1.0*arg1.1)
func.func @triangle(%n: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.if (%j - %i >= 0) {
        loop.block "U" [%v: spatial %n, %w: spatial %n] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
          %one = arith.constant 1 : i32
          memref.store %one, %A[%v, %w] : memref<?x?xi32>
        }
      } else {
        loop.block "L" [%v: spatial %n, %w: spatial %n] = (%i, %j)
            reads(%A[%w : 1, %v : 1]) writes(%A[%v : 1, %w : 1]) {
          %a = memref.load %A[%w, %v] : memref<?x?xi32>
          memref.store %a, %A[%v, %w] : memref<?x?xi32>
        }
      }
    }
  }
  return
}

// Five points: one box that is wider in each dimension, without the corners.
// CHECK-LABEL: loop-cost @stencil: bytes in all
// CHECK-NEXT: block instances flops global loads global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: S 2097152 8388608 41943040 8388608 16801792 0.50 0.17
// CHECK-NEXT: total 8388608 41943040 8388608 16801792 0.50 0.17
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg0 global S 41943040 0 8413184
// CHECK-NEXT: arg1 global S 0 8388608 8388608
func.func @stencil(%A: memref<1026x2050xf32>, %B: memref<1024x2048xf32>) {
  loop.for serial %i in 1024 {
    loop.for serial %j in 2048 {
      loop.block "S" [%v: spatial 1024, %w: spatial 2048] = (%i, %j)
          reads(%A[%v : 3, %w : 3]) writes(%B[%v : 1, %w : 1]) {
        %v1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %v2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %w1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %w2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%w)
        %c = memref.load %A[%v1, %w1] : memref<1026x2050xf32>
        %n = memref.load %A[%v, %w1] : memref<1026x2050xf32>
        %s = memref.load %A[%v2, %w1] : memref<1026x2050xf32>
        %a = memref.load %A[%v1, %w] : memref<1026x2050xf32>
        %b = memref.load %A[%v1, %w2] : memref<1026x2050xf32>
        %0 = arith.addf %c, %n : f32
        %1 = arith.addf %0, %s : f32
        %2 = arith.addf %1, %a : f32
        %3 = arith.addf %2, %b : f32
        memref.store %3, %B[%v, %w] : memref<1024x2048xf32>
      }
    }
  }
  return
}

// A data-dependent index may be anywhere in its dimension.
// CHECK-LABEL: loop-cost @gather: bytes in all
// CHECK-NEXT: block instances flops global loads global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: G 16 0 192 64 <= 592 0 0
// CHECK-NEXT: total 0 192 64 <= 592 0 0
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg1 global G 128 0 128
// CHECK-NEXT: arg0 global G 64 0 <= 400
// CHECK-NEXT: arg2 global G 0 64 64
func.func @gather(%A: memref<100xf32>, %I: memref<16xi64>, %B: memref<16xf32>) {
  loop.for serial %i in 16 {
    loop.block "G" [%v: spatial 16] = (%i) reads(%I[%v : 1], %A[*]) writes(%B[%v : 1]) {
      %i64 = memref.load %I[%v] : memref<16xi64>
      %at = arith.index_cast %i64 : i64 to index
      %a = memref.load %A[%at] : memref<100xf32>
      memref.store %a, %B[%v] : memref<16xf32>
    }
  }
  return
}

// A nested block with threads and memories of a GPU: a footprint is that of one instance of a buffer.
// CHECK-LABEL: loop-cost @nested: bytes in all
// CHECK-NEXT: tile instances 4
// CHECK-NEXT: flops 0
// CHECK-NEXT: parallel 4
// CHECK-NEXT: load instances 32
// CHECK-NEXT: flops 0
// CHECK-NEXT: global loads 64
// CHECK-NEXT: global footprint 64
// CHECK-NEXT: shared stores 64
// CHECK-NEXT: shared footprint 16
// CHECK-NEXT: parallel 32
// CHECK-NEXT: keep instances 32
// CHECK-NEXT: flops 0
// CHECK-NEXT: shared loads 64
// CHECK-NEXT: shared footprint 16
// CHECK-NEXT: local stores 64
// CHECK-NEXT: local footprint 2
// CHECK-NEXT: parallel 32
// CHECK-NEXT: store instances 32
// CHECK-NEXT: flops 0
// CHECK-NEXT: global stores 64
// CHECK-NEXT: global footprint 64
// CHECK-NEXT: local loads 64
// CHECK-NEXT: local footprint 2
// CHECK-NEXT: parallel 32
// CHECK-NEXT: total flops 0
// CHECK-NEXT: global loads 64
// CHECK-NEXT: global stores 64
// CHECK-NEXT: global footprint 128
// CHECK-NEXT: shared loads 64
// CHECK-NEXT: shared stores 64
// CHECK-NEXT: shared footprint 16
// CHECK-NEXT: local loads 64
// CHECK-NEXT: local stores 64
// CHECK-NEXT: local footprint 2
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg0 global load 64 0 64
// CHECK-NEXT: S shared load 0 64 16
// CHECK-NEXT: S shared keep 64 0 16
// CHECK-NEXT: S shared total 64 64 16
// CHECK-NEXT: L local keep 0 64 2
// CHECK-NEXT: L local store 64 0 2
// CHECK-NEXT: L local total 64 64 2
// CHECK-NEXT: arg1 global store 0 64 64
func.func @nested(%A: memref<32xf16>, %B: memref<32xf16>) {
  %S = loop.buffer "S" scope(shared) : memref<8xf16>
  %L = loop.buffer "L" scope(local) : memref<1xf16>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.block "tile" [%t: spatial 4] = (%b) reads(%A[%t * 8 : 8], %S[0 : 8], %L[0 : 1])
        writes(%B[%t * 8 : 8], %S[0 : 8], %L[0 : 1]) {
      loop.for thread_bind[threadIdx.x] %x in 8 {
        loop.block "load" [%v: spatial 8, %w: spatial 4] = (%x, %t)
            reads(%A[%w * 8 + %v : 1]) writes(%S[%v : 1]) {
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%w, %v)
          %a = memref.load %A[%at] : memref<32xf16>
          memref.store %a, %S[%v] : memref<8xf16>
        }
        loop.block "keep" [%v: spatial 8] = (%x) reads(%S[%v : 1]) writes(%L[0 : 1]) {
          %c0 = arith.constant 0 : index
          %s = memref.load %S[%v] : memref<8xf16>
          memref.store %s, %L[%c0] : memref<1xf16>
        }
        loop.block "store" [%v: spatial 8, %w: spatial 4] = (%x, %t)
            reads(%L[0 : 1]) writes(%B[%w * 8 + %v : 1]) {
          %c0 = arith.constant 0 : index
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%w, %v)
          %l = memref.load %L[%c0] : memref<1xf16>
          memref.store %l, %B[%at] : memref<32xf16>
        }
      }
    }
  }
  return
}

// A reduction over no iterations only writes its start values.
// CHECK-LABEL: loop-cost @empty: bytes in all
// CHECK-NEXT: block instances flops global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: B 0 0 0 0 - -
// CHECK-NEXT: B init 4 0 16 16 0 0
// CHECK-NEXT: total 0 16 16 0 0
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg0 global B 0 0 0
// CHECK-NEXT: arg1 global B 0 0 0
// CHECK-NEXT: arg1 global B init 0 16 16
// CHECK-NEXT: arg1 global total 0 16 16
func.func @empty(%A: memref<4x0xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k in 0 {
      loop.block "B" [%v: spatial 4, %vk: reduce 0] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x0xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// Ops between nests that are not nests are named, not counted.
func.func private @other(memref<4xf32>)
// CHECK-LABEL: loop-cost @calls: bytes in all
// CHECK-NEXT: block instances flops global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: A 4 0 16 16 0 0
// CHECK-NEXT: total 0 16 16 0 0
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg0 global A 0 16 16
// CHECK-NEXT: not counted: func.call
func.func @calls(%A: memref<4xf32>) {
  func.call @other(%A) : (memref<4xf32>) -> ()
  loop.for serial %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}

// One loop both determines the point and is part of the sum: each point starts once, at most as often as iterations.
// CHECK-LABEL: loop-cost @empty_and_fused: bytes in all
// CHECK-NEXT: block instances flops global stores global footprint flops/footprint flops/accessed
// CHECK-NEXT: B 0 0 0 0 - -
// CHECK-NEXT: B init <= 6 0 <= 24 <= 8 0 0
// CHECK-NEXT: total 0 <= 24 <= 8 0 0
// CHECK-EMPTY:
// CHECK-NEXT: buffer scope block loads stores footprint
// CHECK-NEXT: arg0 global B 0 0 0
// CHECK-NEXT: arg1 global B 0 0 0
// CHECK-NEXT: arg1 global B init 0 <= 24 <= 8
// CHECK-NEXT: arg1 global total 0 <= 24 <= 8
func.func @empty_and_fused(%A: memref<2x0x3xf32>, %B: memref<2xf32>) {
  loop.for serial %f in 6 {
    loop.for serial %k in 0 {
      loop.block "B" [%v: spatial 2, %vk: reduce 0, %vl: reduce 3] = (%f floordiv 3, %k, %f mod 3)
          reads(%A[%v : 1, %vk : 1, %vl : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<2xf32>
        }
        %a = memref.load %A[%v, %vk, %vl] : memref<2x0x3xf32>
        %b = memref.load %B[%v] : memref<2xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<2xf32>
      }
    }
  }
  return
}
