func.func @matmul(%A: memref<?x?xf32> {loop.name = "A"}, %B: memref<?x?xf32> {loop.name = "B"},
                  %C: memref<?x?xf32> {loop.name = "C"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %l = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %C, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.for serial %k in %l {
        loop.block "C" [%vi: spatial %m, %vj: spatial %n, %vk: reduce %l] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<?x?xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %vj] : memref<?x?xf32>
          %c = memref.load %C[%vi, %vj] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
// Each element is computed from the right neighbour in the previous row.
func.func @skewed(%A: memref<6x7xf32> {loop.name = "A"}) {
  loop.for serial %i in 5 {
    loop.for serial %j in 6 {
      loop.block "S" [%vi: spatial 5, %vj: spatial 6] = (%i, %j)
          reads(%A[%vi : 1, %vj + 1 : 1]) writes(%A[%vi + 1 : 1, %vj : 1]) {
        %down = affine.apply affine_map<(d0) -> (d0 + 1)>(%vi)
        %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%vj)
        %a = memref.load %A[%vi, %right] : memref<6x7xf32>
        memref.store %a, %A[%down, %vj] : memref<6x7xf32>
      }
    }
  }
  return
}
// Each element is computed from the previous one.
func.func @running(%A: memref<9xf32> {loop.name = "A"}) {
  loop.for serial %i in 8 {
    loop.block "R" [%vi: spatial 8] = (%i) reads(%A[%vi : 1]) writes(%A[%vi + 1 : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%vi)
      %a = memref.load %A[%vi] : memref<9xf32>
      %d = arith.addf %a, %a : f32
      memref.store %d, %A[%next] : memref<9xf32>
    }
  }
  return
}
// The second nest reads the first nest's values in reverse.
func.func @backwards(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"},
                     %C: memref<8xf32> {loop.name = "C"}) {
  loop.for serial %i in 8 {
    loop.block "P" [%vi: spatial 8] = (%i) reads(%A[%vi : 1]) writes(%B[%vi : 1]) {
      %a = memref.load %A[%vi] : memref<8xf32>
      memref.store %a, %B[%vi] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%vi: spatial 8] = (%i) reads(%B[-%vi + 7 : 1]) writes(%C[%vi : 1]) {
      %back = affine.apply affine_map<(d0) -> (7 - d0)>(%vi)
      %b = memref.load %B[%back] : memref<8xf32>
      memref.store %b, %C[%vi] : memref<8xf32>
    }
  }
  return
}
func.func @chained(%A: memref<4x6xf32> {loop.name = "A"}, %D: memref<4x6xf32> {loop.name = "D"}) {
  %T = loop.buffer "T" scope(global) : memref<4x6xf32>
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "T" [%vi: spatial 4, %vj: spatial 6] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%T[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<4x6xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %T[%vi, %vj] : memref<4x6xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "D" [%vi: spatial 4, %vj: spatial 6] = (%i, %j) reads(%T[%vi : 1, %vj : 1]) writes(%D[%vi : 1, %vj : 1]) {
        %t = memref.load %T[%vi, %vj] : memref<4x6xf32>
        %s = arith.mulf %t, %t : f32
        memref.store %s, %D[%vi, %vj] : memref<4x6xf32>
      }
    }
  }
  return
}
func.func @shifted(%X: memref<12xf32> {loop.name = "X"}, %Y: memref<12xf32> {loop.name = "Y"}) {
  loop.for serial %i in 8 {
    loop.block "shifted" [%vi: spatial 8] = (%i) reads(%X[%vi + 3 : 1]) writes(%Y[%vi + 2 : 1]) {
      %from = affine.apply affine_map<(d0) -> (d0 + 3)>(%vi)
      %to = affine.apply affine_map<(d0) -> (d0 + 2)>(%vi)
      %x = memref.load %X[%from] : memref<12xf32>
      memref.store %x, %Y[%to] : memref<12xf32>
    }
  }
  return
}
func.func @largest(%X: memref<5x6xf32> {loop.name = "X"}, %Y: memref<5xf32> {loop.name = "Y"}) {
  loop.for serial %i in 5 {
    loop.for serial %k in 6 {
      loop.block "best" [%vi: spatial 5, %vk: reduce 6] = (%i, %k)
          reads(%X[%vi : 1, %vk : 1]) writes(%Y[%vi : 1]) reducer(max, 0xFF800000) {
        loop.init {
          %low = arith.constant 0xFF800000 : f32
          memref.store %low, %Y[%vi] : memref<5xf32>
        }
        %x = memref.load %X[%vi, %vk] : memref<5x6xf32>
        %y = memref.load %Y[%vi] : memref<5xf32>
        %s = arith.maximumf %y, %x : f32
        memref.store %s, %Y[%vi] : memref<5xf32>
      }
    }
  }
  return
}
// The reduction loop is the outermost: the start values are written by a separate nest.
func.func @outermost(%X: memref<5x6xf32> {loop.name = "X"}, %Y: memref<5xf32> {loop.name = "Y"}) {
  loop.for serial %k in 6 {
    loop.for serial %i in 5 {
      loop.block "sum" [%vi: spatial 5, %vk: reduce 6] = (%i, %k)
          reads(%X[%vi : 1, %vk : 1]) writes(%Y[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %Y[%vi] : memref<5xf32>
        }
        %x = memref.load %X[%vi, %vk] : memref<5x6xf32>
        %y = memref.load %Y[%vi] : memref<5xf32>
        %s = arith.addf %y, %x : f32
        memref.store %s, %Y[%vi] : memref<5xf32>
      }
    }
  }
  return
}
