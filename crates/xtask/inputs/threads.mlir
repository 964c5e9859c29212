// Statements of cooperating threads.
func.func @row_sum(%A: memref<?x?xf32>, %B: memref<?xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %i in %m {
    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 6)>()[%n] {
      loop.for thread_bind[threadIdx.x] %k.1 in 6 {
        loop.block "B" [%v: spatial %m, %w: reduce %n] = (%i, %k.0 * 6 + %k.1) where (%n - %k.0 * 6 - %k.1 - 1 >= 0)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<?xf32>
          }
          %x = memref.load %B[%v] : memref<?xf32>
          %a = memref.load %A[%v, %w] : memref<?x?xf32>
          %s = arith.addf %x, %a : f32
          memref.store %s, %B[%v] : memref<?xf32>
        }
      }
    }
  }
  return
}

func.func @sum(%A: memref<23xi32>, %B: memref<1xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 3 {
    loop.for serial %k in 8 {
      loop.block "C" [%v: spatial 1, %r: reduce 23] = (0, %b * 8 + %k) where(%b * -8 - %k + 22 >= 0)
          reads(%A[%r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 5 : i32
          memref.store %z, %B[%v] : memref<1xi32>
        }
        %a = memref.load %A[%r] : memref<23xi32>
        %s = memref.load %B[%v] : memref<1xi32>
        %c = arith.addi %s, %a : i32
        memref.store %c, %B[%v] : memref<1xi32>
      }
    }
  }
  return
}

// The number of thread blocks that reduce a column is dynamic, so one thread joins their partial results.
func.func @columns(%n: index, %A: memref<?x7xi64>, %B: memref<7xi64> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %j in 7 {
    loop.for thread_bind[blockIdx.y] %y in affine_map<()[s0] -> (s0 ceildiv 5)>()[%n] {
      loop.for serial %k in 5 {
        loop.block "D" [%v: spatial 7, %r: reduce %n] = (%j, %y * 5 + %k) where (%y * -5 - %k + symbol(%n) - 1 >= 0)
            reads(%A[%r : 1, %v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i64
            memref.store %z, %B[%v] : memref<7xi64>
          }
          %a = memref.load %A[%r, %v] : memref<?x7xi64>
          %s = memref.load %B[%v] : memref<7xi64>
          %c = arith.addi %s, %a : i64
          memref.store %c, %B[%v] : memref<7xi64>
        }
      }
    }
  }
  return
}

func.func @reversed(%A: memref<8xi32>, %B: memref<8xi32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<8xi32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "D" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xi32>
        memref.store %a, %S[%v] : memref<8xi32>
      }
    }
    loop.sync
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "E" [%v: spatial 8] = (%t) reads(%S[7 - %v : 1]) writes(%B[%v : 1]) {
        %i = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %a = memref.load %S[%i] : memref<8xi32>
        memref.store %a, %B[%v] : memref<8xi32>
      }
    }
  }
  return
}

func.func @rows_of_threads(%A: memref<8x5xf32>, %B: memref<8xf32> {loop.result}) {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.for thread_bind[threadIdx.x] %t in 4 {
        loop.for serial %k in 5 {
          loop.block "F" [%v: spatial 8, %z: spatial 1, %r: reduce 5] = (%y * 4 + %t, 0, %k)
              reads(%A[%v : 1, %r : 1]) writes(%L[%z : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %L[%z] : memref<1xf32>
            }
            %x = memref.load %L[%z] : memref<1xf32>
            %a = memref.load %A[%v, %r] : memref<8x5xf32>
            %s = arith.addf %x, %a : f32
            memref.store %s, %L[%z] : memref<1xf32>
          }
        }
        loop.block "G" [%v: spatial 8] = (%y * 4 + %t) reads(%L[0 : 1]) writes(%B[%v : 1]) {
          %c0 = arith.constant 0 : index
          %x = memref.load %L[%c0] : memref<1xf32>
          memref.store %x, %B[%v] : memref<8xf32>
        }
      }
    }
  }
  return
}

func.func @handed_on(%A: memref<2x8xi32>, %B: memref<8xi32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<8xi32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.for serial %k in 2 {
      loop.block "H" [%u: spatial 2, %v: spatial 8] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<2x8xi32>
        memref.store %a, %S[%v] : memref<8xi32>
      }
      loop.sync
    }
    loop.block "I" [%v: spatial 8] = (%t) reads(%S[7 - %v : 1]) writes(%B[%v : 1]) {
      %i = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %a = memref.load %S[%i] : memref<8xi32>
      memref.store %a, %B[%v] : memref<8xi32>
    }
  }
  return
}
