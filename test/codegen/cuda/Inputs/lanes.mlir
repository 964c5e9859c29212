// Reductions by lanes of warps: rows as in softmax and layer norm, by 32 to 1024 threads, and values of all types. The
// numbers are integers, so that sums in any order are equal.

func.func @softmax_32(%A: memref<2x59xf32>, %B: memref<2x59xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %max = loop.buffer "max" scope(shared) : memref<2xf32>
  %sum = loop.buffer "sum" scope(shared) : memref<2xf32>
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 32 {
        loop.block "max" [%v: spatial 2, %r: reduce 59] = (%i, %k.0 * 32 + %k.1) where(%k.0 * -32 - %k.1 + 58 >= 0)
            reads(%A[%v : 1, %r : 1]) writes(%max[%v : 1]) reducer(max, 0xFF800000) {
          loop.init {
            %z = arith.constant 0xFF800000 : f32
            memref.store %z, %max[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x59xf32>
          %b = memref.load %max[%v] : memref<2xf32>
          %c = arith.maximumf %b, %a : f32
          memref.store %c, %max[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 32 {
        loop.block "sum" [%v: spatial 2, %r: reduce 59] = (%i, %k.0 * 32 + %k.1) where(%k.0 * -32 - %k.1 + 58 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %sum[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x59xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %e = arith.subf %m, %a : f32
          %b = memref.load %sum[%v] : memref<2xf32>
          %c = arith.addf %b, %e : f32
          memref.store %c, %sum[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 32 {
        loop.block "B" [%v: spatial 2, %r: spatial 59] = (%i, %k.0 * 32 + %k.1) where(%k.0 * -32 - %k.1 + 58 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1], %sum[%v : 1]) writes(%B[%v : 1, %r : 1]) {
          %a = memref.load %A[%v, %r] : memref<2x59xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %s = memref.load %sum[%v] : memref<2xf32>
          %d = arith.subf %m, %a : f32
          %q = arith.addf %d, %s : f32
          memref.store %q, %B[%v, %r] : memref<2x59xf32>
        }
      }
    }
  }
  return
}

func.func @softmax_128(%A: memref<2x251xf32>, %B: memref<2x251xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %max = loop.buffer "max" scope(shared) : memref<2xf32>
  %sum = loop.buffer "sum" scope(shared) : memref<2xf32>
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 128 {
        loop.block "max" [%v: spatial 2, %r: reduce 251] = (%i, %k.0 * 128 + %k.1) where(%k.0 * -128 - %k.1 + 250 >= 0)
            reads(%A[%v : 1, %r : 1]) writes(%max[%v : 1]) reducer(max, 0xFF800000) {
          loop.init {
            %z = arith.constant 0xFF800000 : f32
            memref.store %z, %max[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x251xf32>
          %b = memref.load %max[%v] : memref<2xf32>
          %c = arith.maximumf %b, %a : f32
          memref.store %c, %max[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 128 {
        loop.block "sum" [%v: spatial 2, %r: reduce 251] = (%i, %k.0 * 128 + %k.1) where(%k.0 * -128 - %k.1 + 250 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %sum[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x251xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %e = arith.subf %m, %a : f32
          %b = memref.load %sum[%v] : memref<2xf32>
          %c = arith.addf %b, %e : f32
          memref.store %c, %sum[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 128 {
        loop.block "B" [%v: spatial 2, %r: spatial 251] = (%i, %k.0 * 128 + %k.1) where(%k.0 * -128 - %k.1 + 250 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1], %sum[%v : 1]) writes(%B[%v : 1, %r : 1]) {
          %a = memref.load %A[%v, %r] : memref<2x251xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %s = memref.load %sum[%v] : memref<2xf32>
          %d = arith.subf %m, %a : f32
          %q = arith.addf %d, %s : f32
          memref.store %q, %B[%v, %r] : memref<2x251xf32>
        }
      }
    }
  }
  return
}

func.func @softmax_256(%A: memref<2x507xf32>, %B: memref<2x507xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %max = loop.buffer "max" scope(shared) : memref<2xf32>
  %sum = loop.buffer "sum" scope(shared) : memref<2xf32>
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 256 {
        loop.block "max" [%v: spatial 2, %r: reduce 507] = (%i, %k.0 * 256 + %k.1) where(%k.0 * -256 - %k.1 + 506 >= 0)
            reads(%A[%v : 1, %r : 1]) writes(%max[%v : 1]) reducer(max, 0xFF800000) {
          loop.init {
            %z = arith.constant 0xFF800000 : f32
            memref.store %z, %max[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x507xf32>
          %b = memref.load %max[%v] : memref<2xf32>
          %c = arith.maximumf %b, %a : f32
          memref.store %c, %max[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 256 {
        loop.block "sum" [%v: spatial 2, %r: reduce 507] = (%i, %k.0 * 256 + %k.1) where(%k.0 * -256 - %k.1 + 506 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %sum[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x507xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %e = arith.subf %m, %a : f32
          %b = memref.load %sum[%v] : memref<2xf32>
          %c = arith.addf %b, %e : f32
          memref.store %c, %sum[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 256 {
        loop.block "B" [%v: spatial 2, %r: spatial 507] = (%i, %k.0 * 256 + %k.1) where(%k.0 * -256 - %k.1 + 506 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1], %sum[%v : 1]) writes(%B[%v : 1, %r : 1]) {
          %a = memref.load %A[%v, %r] : memref<2x507xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %s = memref.load %sum[%v] : memref<2xf32>
          %d = arith.subf %m, %a : f32
          %q = arith.addf %d, %s : f32
          memref.store %q, %B[%v, %r] : memref<2x507xf32>
        }
      }
    }
  }
  return
}

func.func @softmax_1024(%A: memref<2x2043xf32>, %B: memref<2x2043xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %max = loop.buffer "max" scope(shared) : memref<2xf32>
  %sum = loop.buffer "sum" scope(shared) : memref<2xf32>
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 1024 {
        loop.block "max" [%v: spatial 2, %r: reduce 2043] = (%i, %k.0 * 1024 + %k.1) where(%k.0 * -1024 - %k.1 + 2042 >= 0)
            reads(%A[%v : 1, %r : 1]) writes(%max[%v : 1]) reducer(max, 0xFF800000) {
          loop.init {
            %z = arith.constant 0xFF800000 : f32
            memref.store %z, %max[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x2043xf32>
          %b = memref.load %max[%v] : memref<2xf32>
          %c = arith.maximumf %b, %a : f32
          memref.store %c, %max[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 1024 {
        loop.block "sum" [%v: spatial 2, %r: reduce 2043] = (%i, %k.0 * 1024 + %k.1) where(%k.0 * -1024 - %k.1 + 2042 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %sum[%v] : memref<2xf32>
          }
          %a = memref.load %A[%v, %r] : memref<2x2043xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %e = arith.subf %m, %a : f32
          %b = memref.load %sum[%v] : memref<2xf32>
          %c = arith.addf %b, %e : f32
          memref.store %c, %sum[%v] : memref<2xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k.0 in 2 {
      loop.for thread_bind[threadIdx.x] %k.1 in 1024 {
        loop.block "B" [%v: spatial 2, %r: spatial 2043] = (%i, %k.0 * 1024 + %k.1) where(%k.0 * -1024 - %k.1 + 2042 >= 0)
            reads(%A[%v : 1, %r : 1], %max[%v : 1], %sum[%v : 1]) writes(%B[%v : 1, %r : 1]) {
          %a = memref.load %A[%v, %r] : memref<2x2043xf32>
          %m = memref.load %max[%v] : memref<2xf32>
          %s = memref.load %sum[%v] : memref<2xf32>
          %d = arith.subf %m, %a : f32
          %q = arith.addf %d, %s : f32
          memref.store %q, %B[%v, %r] : memref<2x2043xf32>
        }
      }
    }
  }
  return
}

func.func @layernorm_32(%A: memref<16x61xf64>, %B: memref<16x61xf64> {loop.result}) attributes {loop.fp = "reassoc"} {
  %sum = loop.buffer "sum" scope(shared) : memref<16xf64>
  %squares = loop.buffer "squares" scope(shared) : memref<16xf64>
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 2 {
      loop.for thread_bind[threadIdx.y] %y in 8 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 32 {
            loop.block "sum" [%v: spatial 16, %r: reduce 61] = (%i * 8 + %y, %k.0 * 32 + %k.1)
                where(%k.0 * -32 - %k.1 + 60 >= 0)
                reads(%A[%v : 1, %r : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %sum[%v] : memref<16xf64>
              }
              %a = memref.load %A[%v, %r] : memref<16x61xf64>
              %b = memref.load %sum[%v] : memref<16xf64>
              %c = arith.addf %b, %a : f64
              memref.store %c, %sum[%v] : memref<16xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 8 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 32 {
            loop.block "squares" [%v: spatial 16, %r: reduce 61] = (%i * 8 + %y, %k.0 * 32 + %k.1)
                where(%k.0 * -32 - %k.1 + 60 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1]) writes(%squares[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %squares[%v] : memref<16xf64>
              }
              %a = memref.load %A[%v, %r] : memref<16x61xf64>
              %m = memref.load %sum[%v] : memref<16xf64>
              %n = arith.constant 61.0 : f64
              %d = arith.mulf %a, %n : f64
              %e = arith.subf %d, %m : f64
              %f = arith.mulf %e, %e : f64
              %b = memref.load %squares[%v] : memref<16xf64>
              %c = arith.addf %b, %f : f64
              memref.store %c, %squares[%v] : memref<16xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 8 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 32 {
            loop.block "B" [%v: spatial 16, %r: spatial 61] = (%i * 8 + %y, %k.0 * 32 + %k.1)
                where(%k.0 * -32 - %k.1 + 60 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1], %squares[%v : 1]) writes(%B[%v : 1, %r : 1]) {
              %a = memref.load %A[%v, %r] : memref<16x61xf64>
              %m = memref.load %sum[%v] : memref<16xf64>
              %s = memref.load %squares[%v] : memref<16xf64>
              %d = arith.addf %a, %m : f64
              %e = arith.addf %d, %s : f64
              memref.store %e, %B[%v, %r] : memref<16x61xf64>
            }
          }
        }
      }
      loop.sync
    }
  }
  return
}

func.func @layernorm_128(%A: memref<4x253xf64>, %B: memref<4x253xf64> {loop.result}) attributes {loop.fp = "reassoc"} {
  %sum = loop.buffer "sum" scope(shared) : memref<4xf64>
  %squares = loop.buffer "squares" scope(shared) : memref<4xf64>
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 2 {
      loop.for thread_bind[threadIdx.y] %y in 2 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 128 {
            loop.block "sum" [%v: spatial 4, %r: reduce 253] = (%i * 2 + %y, %k.0 * 128 + %k.1)
                where(%k.0 * -128 - %k.1 + 252 >= 0)
                reads(%A[%v : 1, %r : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %sum[%v] : memref<4xf64>
              }
              %a = memref.load %A[%v, %r] : memref<4x253xf64>
              %b = memref.load %sum[%v] : memref<4xf64>
              %c = arith.addf %b, %a : f64
              memref.store %c, %sum[%v] : memref<4xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 2 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 128 {
            loop.block "squares" [%v: spatial 4, %r: reduce 253] = (%i * 2 + %y, %k.0 * 128 + %k.1)
                where(%k.0 * -128 - %k.1 + 252 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1]) writes(%squares[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %squares[%v] : memref<4xf64>
              }
              %a = memref.load %A[%v, %r] : memref<4x253xf64>
              %m = memref.load %sum[%v] : memref<4xf64>
              %n = arith.constant 253.0 : f64
              %d = arith.mulf %a, %n : f64
              %e = arith.subf %d, %m : f64
              %f = arith.mulf %e, %e : f64
              %b = memref.load %squares[%v] : memref<4xf64>
              %c = arith.addf %b, %f : f64
              memref.store %c, %squares[%v] : memref<4xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 2 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 128 {
            loop.block "B" [%v: spatial 4, %r: spatial 253] = (%i * 2 + %y, %k.0 * 128 + %k.1)
                where(%k.0 * -128 - %k.1 + 252 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1], %squares[%v : 1]) writes(%B[%v : 1, %r : 1]) {
              %a = memref.load %A[%v, %r] : memref<4x253xf64>
              %m = memref.load %sum[%v] : memref<4xf64>
              %s = memref.load %squares[%v] : memref<4xf64>
              %d = arith.addf %a, %m : f64
              %e = arith.addf %d, %s : f64
              memref.store %e, %B[%v, %r] : memref<4x253xf64>
            }
          }
        }
      }
      loop.sync
    }
  }
  return
}

func.func @layernorm_256(%A: memref<2x509xf64>, %B: memref<2x509xf64> {loop.result}) attributes {loop.fp = "reassoc"} {
  %sum = loop.buffer "sum" scope(shared) : memref<2xf64>
  %squares = loop.buffer "squares" scope(shared) : memref<2xf64>
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 2 {
      loop.for thread_bind[threadIdx.y] %y in 1 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 256 {
            loop.block "sum" [%v: spatial 2, %r: reduce 509] = (%i * 1 + %y, %k.0 * 256 + %k.1)
                where(%k.0 * -256 - %k.1 + 508 >= 0)
                reads(%A[%v : 1, %r : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %sum[%v] : memref<2xf64>
              }
              %a = memref.load %A[%v, %r] : memref<2x509xf64>
              %b = memref.load %sum[%v] : memref<2xf64>
              %c = arith.addf %b, %a : f64
              memref.store %c, %sum[%v] : memref<2xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 1 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 256 {
            loop.block "squares" [%v: spatial 2, %r: reduce 509] = (%i * 1 + %y, %k.0 * 256 + %k.1)
                where(%k.0 * -256 - %k.1 + 508 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1]) writes(%squares[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %squares[%v] : memref<2xf64>
              }
              %a = memref.load %A[%v, %r] : memref<2x509xf64>
              %m = memref.load %sum[%v] : memref<2xf64>
              %n = arith.constant 509.0 : f64
              %d = arith.mulf %a, %n : f64
              %e = arith.subf %d, %m : f64
              %f = arith.mulf %e, %e : f64
              %b = memref.load %squares[%v] : memref<2xf64>
              %c = arith.addf %b, %f : f64
              memref.store %c, %squares[%v] : memref<2xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 1 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 256 {
            loop.block "B" [%v: spatial 2, %r: spatial 509] = (%i * 1 + %y, %k.0 * 256 + %k.1)
                where(%k.0 * -256 - %k.1 + 508 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1], %squares[%v : 1]) writes(%B[%v : 1, %r : 1]) {
              %a = memref.load %A[%v, %r] : memref<2x509xf64>
              %m = memref.load %sum[%v] : memref<2xf64>
              %s = memref.load %squares[%v] : memref<2xf64>
              %d = arith.addf %a, %m : f64
              %e = arith.addf %d, %s : f64
              memref.store %e, %B[%v, %r] : memref<2x509xf64>
            }
          }
        }
      }
      loop.sync
    }
  }
  return
}

func.func @layernorm_1024(%A: memref<2x2045xf64>, %B: memref<2x2045xf64> {loop.result}) attributes {loop.fp = "reassoc"} {
  %sum = loop.buffer "sum" scope(shared) : memref<2xf64>
  %squares = loop.buffer "squares" scope(shared) : memref<2xf64>
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 2 {
      loop.for thread_bind[threadIdx.y] %y in 1 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 1024 {
            loop.block "sum" [%v: spatial 2, %r: reduce 2045] = (%i * 1 + %y, %k.0 * 1024 + %k.1)
                where(%k.0 * -1024 - %k.1 + 2044 >= 0)
                reads(%A[%v : 1, %r : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %sum[%v] : memref<2xf64>
              }
              %a = memref.load %A[%v, %r] : memref<2x2045xf64>
              %b = memref.load %sum[%v] : memref<2xf64>
              %c = arith.addf %b, %a : f64
              memref.store %c, %sum[%v] : memref<2xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 1 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 1024 {
            loop.block "squares" [%v: spatial 2, %r: reduce 2045] = (%i * 1 + %y, %k.0 * 1024 + %k.1)
                where(%k.0 * -1024 - %k.1 + 2044 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1]) writes(%squares[%v : 1]) reducer(add, 0.0) {
              loop.init {
                %z = arith.constant 0.0 : f64
                memref.store %z, %squares[%v] : memref<2xf64>
              }
              %a = memref.load %A[%v, %r] : memref<2x2045xf64>
              %m = memref.load %sum[%v] : memref<2xf64>
              %n = arith.constant 2045.0 : f64
              %d = arith.mulf %a, %n : f64
              %e = arith.subf %d, %m : f64
              %f = arith.mulf %e, %e : f64
              %b = memref.load %squares[%v] : memref<2xf64>
              %c = arith.addf %b, %f : f64
              memref.store %c, %squares[%v] : memref<2xf64>
            }
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %y in 1 {
        loop.for serial %k.0 in 2 {
          loop.for thread_bind[threadIdx.x] %k.1 in 1024 {
            loop.block "B" [%v: spatial 2, %r: spatial 2045] = (%i * 1 + %y, %k.0 * 1024 + %k.1)
                where(%k.0 * -1024 - %k.1 + 2044 >= 0)
                reads(%A[%v : 1, %r : 1], %sum[%v : 1], %squares[%v : 1]) writes(%B[%v : 1, %r : 1]) {
              %a = memref.load %A[%v, %r] : memref<2x2045xf64>
              %m = memref.load %sum[%v] : memref<2xf64>
              %s = memref.load %squares[%v] : memref<2xf64>
              %d = arith.addf %a, %m : f64
              %e = arith.addf %d, %s : f64
              memref.store %e, %B[%v, %r] : memref<2x2045xf64>
            }
          }
        }
      }
      loop.sync
    }
  }
  return
}

func.func @sum_of_i8(%A: memref<5x64xi8>, %B: memref<5xi8> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 5 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial 5, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i8
          memref.store %z, %B[%v] : memref<5xi8>
        }
        %a = memref.load %A[%v, %r] : memref<5x64xi8>
        %b = memref.load %B[%v] : memref<5xi8>
        %c = arith.addi %b, %a : i8
        memref.store %c, %B[%v] : memref<5xi8>
      }
    }
  }
  return
}

func.func @sum_of_i16(%A: memref<5x64xi16>, %B: memref<5xi16> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 5 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial 5, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i16
          memref.store %z, %B[%v] : memref<5xi16>
        }
        %a = memref.load %A[%v, %r] : memref<5x64xi16>
        %b = memref.load %B[%v] : memref<5xi16>
        %c = arith.addi %b, %a : i16
        memref.store %c, %B[%v] : memref<5xi16>
      }
    }
  }
  return
}

func.func @sum_of_i32(%A: memref<5x64xi32>, %B: memref<5xi32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 5 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial 5, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i32
          memref.store %z, %B[%v] : memref<5xi32>
        }
        %a = memref.load %A[%v, %r] : memref<5x64xi32>
        %b = memref.load %B[%v] : memref<5xi32>
        %c = arith.addi %b, %a : i32
        memref.store %c, %B[%v] : memref<5xi32>
      }
    }
  }
  return
}

func.func @sum_of_i64(%A: memref<5x64xi64>, %B: memref<5xi64> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 5 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial 5, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i64
          memref.store %z, %B[%v] : memref<5xi64>
        }
        %a = memref.load %A[%v, %r] : memref<5x64xi64>
        %b = memref.load %B[%v] : memref<5xi64>
        %c = arith.addi %b, %a : i64
        memref.store %c, %B[%v] : memref<5xi64>
      }
    }
  }
  return
}

func.func @sum_of_f16(%A: memref<5x64xf16>, %B: memref<5xf16> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 5 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial 5, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f16
          memref.store %z, %B[%v] : memref<5xf16>
        }
        %a = memref.load %A[%v, %r] : memref<5x64xf16>
        %b = memref.load %B[%v] : memref<5xf16>
        %c = arith.addf %b, %a : f16
        memref.store %c, %B[%v] : memref<5xf16>
      }
    }
  }
  return
}

func.func @sum_of_bf16(%A: memref<5x64xbf16>, %B: memref<5xbf16> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 5 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial 5, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : bf16
          memref.store %z, %B[%v] : memref<5xbf16>
        }
        %a = memref.load %A[%v, %r] : memref<5x64xbf16>
        %b = memref.load %B[%v] : memref<5xbf16>
        %c = arith.addf %b, %a : bf16
        memref.store %c, %B[%v] : memref<5xbf16>
      }
    }
  }
  return
}
