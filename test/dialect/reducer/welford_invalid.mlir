// RUN: lw-opt %s --split-input-file --verify-diagnostics

// The body: counts by two.
func.func @counts_by_two(%A: memref<4x64xf32>, %M: memref<4xf32>, %S: memref<4xf32>, %N: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k.0 in 8 {
      loop.for serial %k.1 in 8 {
        // expected-error @+1 {{"W" declares the reducer welford, but its body computes no known combiner}}
        loop.block "W" [%v: spatial 4, %vk: reduce 64] = (%i, %k.0 * 8 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %M[%v] : memref<4xf32>
            memref.store %zero, %S[%v] : memref<4xf32>
            memref.store %zero, %N[%v] : memref<4xf32>
          }
          %one = arith.constant 2.0 : f32
          %x = memref.load %A[%v, %vk] : memref<4x64xf32>
          %m = memref.load %M[%v] : memref<4xf32>
          %s = memref.load %S[%v] : memref<4xf32>
          %n = memref.load %N[%v] : memref<4xf32>
          %n1 = arith.addf %n, %one : f32
          %d = arith.subf %x, %m : f32
          %q = arith.divf %d, %n1 : f32
          %m1 = arith.addf %m, %q : f32
          %e = arith.subf %x, %m1 : f32
          %p = arith.mulf %d, %e : f32
          %s1 = arith.addf %s, %p : f32
          memref.store %m1, %M[%v] : memref<4xf32>
          memref.store %s1, %S[%v] : memref<4xf32>
          memref.store %n1, %N[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

// The body: old mean twice.
func.func @old_mean_twice(%A: memref<4x64xf32>, %M: memref<4xf32>, %S: memref<4xf32>, %N: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k.0 in 8 {
      loop.for serial %k.1 in 8 {
        // expected-error @+1 {{"W" declares the reducer welford, but its body computes no known combiner}}
        loop.block "W" [%v: spatial 4, %vk: reduce 64] = (%i, %k.0 * 8 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %M[%v] : memref<4xf32>
            memref.store %zero, %S[%v] : memref<4xf32>
            memref.store %zero, %N[%v] : memref<4xf32>
          }
          %one = arith.constant 1.0 : f32
          %x = memref.load %A[%v, %vk] : memref<4x64xf32>
          %m = memref.load %M[%v] : memref<4xf32>
          %s = memref.load %S[%v] : memref<4xf32>
          %n = memref.load %N[%v] : memref<4xf32>
          %n1 = arith.addf %n, %one : f32
          %d = arith.subf %x, %m : f32
          %q = arith.divf %d, %n1 : f32
          %m1 = arith.addf %m, %q : f32
          %e = arith.subf %x, %m : f32
          %p = arith.mulf %d, %e : f32
          %s1 = arith.addf %s, %p : f32
          memref.store %m1, %M[%v] : memref<4xf32>
          memref.store %s1, %S[%v] : memref<4xf32>
          memref.store %n1, %N[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

// The body: old count.
func.func @old_count(%A: memref<4x64xf32>, %M: memref<4xf32>, %S: memref<4xf32>, %N: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k.0 in 8 {
      loop.for serial %k.1 in 8 {
        // expected-error @+1 {{"W" declares the reducer welford, but its body computes no known combiner}}
        loop.block "W" [%v: spatial 4, %vk: reduce 64] = (%i, %k.0 * 8 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %M[%v] : memref<4xf32>
            memref.store %zero, %S[%v] : memref<4xf32>
            memref.store %zero, %N[%v] : memref<4xf32>
          }
          %one = arith.constant 1.0 : f32
          %x = memref.load %A[%v, %vk] : memref<4x64xf32>
          %m = memref.load %M[%v] : memref<4xf32>
          %s = memref.load %S[%v] : memref<4xf32>
          %n = memref.load %N[%v] : memref<4xf32>
          %n1 = arith.addf %n, %one : f32
          %d = arith.subf %x, %m : f32
          %q = arith.divf %d, %n : f32
          %m1 = arith.addf %m, %q : f32
          %e = arith.subf %x, %m1 : f32
          %p = arith.mulf %d, %e : f32
          %s1 = arith.addf %s, %p : f32
          memref.store %m1, %M[%v] : memref<4xf32>
          memref.store %s1, %S[%v] : memref<4xf32>
          memref.store %n1, %N[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

// The body: depends.
func.func @depends(%A: memref<4x64xf32>, %M: memref<4xf32>, %S: memref<4xf32>, %N: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k.0 in 8 {
      loop.for serial %k.1 in 8 {
        // expected-error @+1 {{"W" declares the reducer welford, but its body computes no known combiner}}
        loop.block "W" [%v: spatial 4, %vk: reduce 64] = (%i, %k.0 * 8 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %M[%v] : memref<4xf32>
            memref.store %zero, %S[%v] : memref<4xf32>
            memref.store %zero, %N[%v] : memref<4xf32>
          }
          %one = arith.constant 1.0 : f32
          %y = memref.load %A[%v, %vk] : memref<4x64xf32>
          %z = memref.load %S[%v] : memref<4xf32>
          %x = arith.addf %y, %z : f32
          %m = memref.load %M[%v] : memref<4xf32>
          %s = memref.load %S[%v] : memref<4xf32>
          %n = memref.load %N[%v] : memref<4xf32>
          %n1 = arith.addf %n, %one : f32
          %d = arith.subf %x, %m : f32
          %q = arith.divf %d, %n1 : f32
          %m1 = arith.addf %m, %q : f32
          %e = arith.subf %x, %m1 : f32
          %p = arith.mulf %d, %e : f32
          %s1 = arith.addf %s, %p : f32
          memref.store %m1, %M[%v] : memref<4xf32>
          memref.store %s1, %S[%v] : memref<4xf32>
          memref.store %n1, %N[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}
