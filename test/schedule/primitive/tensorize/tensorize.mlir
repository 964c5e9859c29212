// RUN: lw-opt %s --sched-tensorize='target=C:i.1 intrinsic=x86.vpdpbusd' --sched-tensorize='target=D:k intrinsic=dot_4xi8' \
// RUN:   --sched-tensorize='target=F:j intrinsic=x86.fma_f32x8' --sched-blockize=target=H:p \
// RUN:   --sched-tensorize='target=H_o intrinsic=x86.vdpbf16ps' --sched-tensorize='target=W:n intrinsic=x86.vpdpwssd' | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-tensorize='target=C:i.1 intrinsic=x86.vpdpbusd' \
// RUN:   --sched-tensorize='target=D:k intrinsic=dot_4xi8' --sched-tensorize='target=F:j intrinsic=x86.fma_f32x8' \
// RUN:   --sched-blockize=target=H:p --sched-tensorize='target=H_o intrinsic=x86.vdpbf16ps' \
// RUN:   --sched-tensorize='target=W:n intrinsic=x86.vpdpwssd' --convert-loop-to-scf \
// RUN:   | FileCheck %s --check-prefix=VECTOR

// Loops in the other order, the factors of the product too, and B packed.
// CHECK-LABEL: func.func @bytes
// CHECK:       loop.block "C_o" [%vn_o: spatial 2, %vk_o: reduce 3] = (%n.0, %k.0)
// CHECK:         attributes {loop.annotations = {intrinsic = "x86.vpdpbusd"}} {
// CHECK-NEXT:    loop.for serial %i.1 in 4 {
// VECTOR-LABEL: func.func @bytes
// VECTOR:         vector.load %arg0[{{.*}}] : memref<12xi8>, vector<4xi8>
// VECTOR:         vector.load %arg1[{{.*}}] : memref<2x3x64xi8>, vector<64xi8>
// VECTOR:         vector.load %arg2[{{.*}}] : memref<32xi32>, vector<16xi32>
// VECTOR:         vector.shuffle
// VECTOR:         llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// VECTOR:         vector.store
func.func @bytes(%A: memref<12xi8>, %B: memref<2x3x64xi8>, %C: memref<32xi32>) {
  loop.for serial %n.0 in 2 {
    loop.for serial %k.0 in 3 {
      loop.for serial %i.1 in 4 {
        loop.for serial %n.1 in 16 {
          loop.block "C" [%vn: spatial 32, %vk: reduce 12] = (%n.0 * 16 + %n.1, %k.0 * 4 + %i.1)
              reads(%B[*, *, *], %A[%vk : 1], %C[%vn : 1]) writes(%C[%vn : 1]) reducer(add, 0) {
            %o = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%vn)
            %q = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%vk)
            %r = affine.apply affine_map<(d0, d1) -> ((d0 mod 16) * 4 + d1 mod 4)>(%vn, %vk)
            %b = memref.load %B[%o, %q, %r] : memref<2x3x64xi8>
            %a = memref.load %A[%vk] : memref<12xi8>
            %left = arith.extsi %b : i8 to i32
            %right = arith.extui %a : i8 to i32
            %p = arith.muli %left, %right : i32
            %c = memref.load %C[%vn] : memref<32xi32>
            %s = arith.addi %p, %c : i32
            memref.store %s, %C[%vn] : memref<32xi32>
          }
        }
      }
    }
  }
  return
}

// Dynamic sizes around it.
// CHECK-LABEL: func.func @dots
// CHECK:       loop.block "D_o" [%vi_o: spatial %arg3] = (%i)
// CHECK-SAME:    {{$}}
// VECTOR-LABEL: func.func @dots
// VECTOR:         vector.reduction <add>
func.func @dots(%A: memref<?x4xi8>, %B: memref<4xi8>, %D: memref<?xi32>, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %k in 4 {
      loop.block "D" [%vi: spatial %n, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
        %a = memref.load %A[%vi, %vk] : memref<?x4xi8>
        %b = memref.load %B[%vk] : memref<4xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %d = memref.load %D[%vi] : memref<?xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<?xi32>
      }
    }
  }
  return
}

// An additional loop of one iteration.
// CHECK-LABEL: func.func @floats
// CHECK:       loop.block "F_o" [%vk_o: reduce 5] = (%k)
// VECTOR-LABEL: func.func @floats
// VECTOR:         math.fma {{.*}} : vector<8xf32>
func.func @floats(%A: memref<5xf32>, %B: memref<5x8xf32>, %F: memref<1x8xf32>) attributes {loop.fp = "fast"} {
  loop.for serial %k in 5 {
    loop.for serial %j in 8 {
      loop.for serial %u in 1 {
        loop.block "F" [%vu: spatial 1, %vj: spatial 8, %vk: reduce 5] = (%u, %j, %k)
            reads(%A[%vk : 1], %B[%vk : 1, %vj : 1], %F[%vu : 1, %vj : 1]) writes(%F[%vu : 1, %vj : 1]) reducer(add, 0.0) {
          %a = memref.load %A[%vk] : memref<5xf32>
          %b = memref.load %B[%vk, %vj] : memref<5x8xf32>
          %p = arith.mulf %a, %b : f32
          %f = memref.load %F[%vu, %vj] : memref<1x8xf32>
          %s = arith.addf %f, %p : f32
          memref.store %s, %F[%vu, %vj] : memref<1x8xf32>
        }
      }
    }
  }
  return
}

// Rows that are not contiguous; a schedule block that was created before.
// CHECK-LABEL: func.func @halves
// CHECK:       loop.block "H_o" [] = ()
// CHECK:         intrinsic = "x86.vdpbf16ps"
// VECTOR-LABEL: func.func @halves
// VECTOR-COUNT-16: vector.load %arg1[{{.*}}] : memref<16x6xbf16>, vector<2xbf16>
// VECTOR:         vector.from_elements
// VECTOR:         llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
func.func @halves(%A: memref<6xbf16>, %B: memref<16x6xbf16>, %H: memref<16xf32>) attributes {loop.fp = "fast"} {
  loop.for serial %p in 16 {
    loop.for serial %q in 2 {
      loop.block "H" [%vp: spatial 16, %vq: reduce 2] = (%p, %q)
          reads(%A[%vq + 2 : 1], %B[%vp : 1, %vq + 2 : 1], %H[%vp : 1]) writes(%H[%vp : 1]) reducer(add, 0.0) {
        %two = affine.apply affine_map<(d0) -> (d0 + 2)>(%vq)
        %a = memref.load %A[%two] : memref<6xbf16>
        %b = memref.load %B[%vp, %two] : memref<16x6xbf16>
        %x = arith.extf %a : bf16 to f32
        %y = arith.extf %b : bf16 to f32
        %m = arith.mulf %x, %y : f32
        %h = memref.load %H[%vp] : memref<16xf32>
        %s = arith.addf %h, %m : f32
        memref.store %s, %H[%vp] : memref<16xf32>
      }
    }
  }
  return
}

// A predicate that the loops of the intrinsic do not change; factors that are extended to i16.
// CHECK-LABEL: func.func @rows
// CHECK:       loop.block "W_o" [%vm_o: spatial 6, %vk_o: reduce 2] = (%m.0 * 2 + %m.1, %k)
// CHECK-NEXT:    where(%m.0 * -2 - %m.1 + 4 >= 0)
// CHECK:         intrinsic = "x86.vpdpwssd"
// VECTOR-LABEL: func.func @rows
// VECTOR:         scf.if
// VECTOR:           arith.extsi %{{.*}} : vector<2xi8> to vector<2xi16>
// VECTOR:           arith.extsi %{{.*}} : vector<32xi8> to vector<32xi16>
// VECTOR:           llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
func.func @rows(%A: memref<5x4xi8>, %B: memref<2x32xi8>, %W: memref<5x16xi32>) {
  loop.for serial %m.0 in 3 {
    loop.for serial %m.1 in 2 {
      loop.for serial %k in 2 {
        loop.for serial %n in 16 {
          loop.for serial %q in 2 {
            loop.block "W" [%vm: spatial 5, %vn: spatial 16, %vk: reduce 4] = (%m.0 * 2 + %m.1, %n, %k * 2 + %q)
                where(-%m.0 * 2 - %m.1 + 4 >= 0)
                reads(%A[%vm : 1, %vk : 1], %B[*, *], %W[%vm : 1, %vn : 1]) writes(%W[%vm : 1, %vn : 1]) reducer(add, 0) {
              %h = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%vk)
              %r = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 mod 2)>(%vn, %vk)
              %a = memref.load %A[%vm, %vk] : memref<5x4xi8>
              %b = memref.load %B[%h, %r] : memref<2x32xi8>
              %x = arith.extsi %a : i8 to i32
              %y = arith.extsi %b : i8 to i32
              %p = arith.muli %x, %y : i32
              %c = memref.load %W[%vm, %vn] : memref<5x16xi32>
              %s = arith.addi %c, %p : i32
              memref.store %s, %W[%vm, %vn] : memref<5x16xi32>
            }
          }
        }
      }
    }
  }
  return
}
