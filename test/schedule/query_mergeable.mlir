// RUN: lw-opt %s --sched-query='what=mergeable pattern=*:i' --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s

// The example: two nests of 32 x 64.
// CHECK: remark: query: mergeable of "T:i": 2 loops with "C:i"; no more, "T" is not a loop
// CHECK: remark: query: mergeable of "C:i": there is no next statement
func.func @same(%A: memref<32x64xf32>, %T: memref<32x64xf32>, %C: memref<32x64xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "T" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<32x64xf32>
        memref.store %a, %T[%v, %w] : memref<32x64xf32>
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<32x64xf32>
        memref.store %a, %C[%v, %w] : memref<32x64xf32>
      }
    }
  }
  return
}

// -----

// A row may be computed before the next one, an element may not: its right neighbour would not be computed yet.
// CHECK: remark: query: mergeable of "R:i": 1 loop with "S:i"; no more, refuted: iterations i = 0, j = {{.*}} of "R" (writes) and iterations i = 0, j = {{.*}} of "S" (reads) both access "arg1"
func.func @backward(%A: memref<8x9xf32>, %T: memref<8x9xf32>, %C: memref<8x9xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.block "R" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<8x9xf32>
        memref.store %a, %T[%v, %w] : memref<8x9xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, %w + 1 : 1]) writes(%C[%v : 1, %w : 1]) {
        %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %T[%v, %n] : memref<8x9xf32>
        memref.store %a, %C[%v, %w] : memref<8x9xf32>
      }
    }
  }
  return
}

// -----

// A data-dependent index may be any.
// CHECK: remark: query: mergeable of "U:i": not with "V:i", unknown: "U" and "V" may access one cell of "arg1", as an index depends on data
// CHECK: remark: query: mergeable of "V:i": not with "W:i", loop "i" is serial, "i" is parallel
// CHECK: remark: query: mergeable of "W:i": not with "X:i", loops "i" and "i" have the extents 8 and 7
// CHECK: remark: query: mergeable of "X:i": not with "Y", "Y" is not a loop
func.func @unknown(%I: memref<8xi32>, %T: memref<8xf32>, %C: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "U" [%v: spatial 8] = (%i) reads(%C[%v : 1], %I[%v : 1]) writes(%T[*]) {
      %n = memref.load %I[%v] : memref<8xi32>
      %at = arith.index_cast %n : i32 to index
      %a = memref.load %C[%v] : memref<8xf32>
      memref.store %a, %T[%at] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "V" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %T[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "W" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %T[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 7 {
    loop.block "X" [%v: spatial 7] = (%i) reads(%T[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %T[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.block "Y" [] = () reads(%T[0 : 1]) writes(%T[0 : 1]) {
    %c0 = arith.constant 0 : index
    %a = memref.load %T[%c0] : memref<8xf32>
    memref.store %a, %T[%c0] : memref<8xf32>
  }
  return
}

// -----

// Concurrent iterations may access only their own elements; private buffers and barriers are not analysed.
// CHECK: remark: query: mergeable of "E:i": not with "F:i", refuted: iteration i = {{.*}} of "E" (writes) and iteration i = {{.*}} of "F" (reads) both access "arg0"
// CHECK: remark: query: mergeable of "F:i": not with "G:i", unknown: each iteration has its own "L"
func.func @at_once(%T: memref<9xf32>, %C: memref<8xf32>) {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for parallel %i in 8 {
    loop.block "E" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%T[%v + 1 : 1]) {
      %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %C[%v] : memref<8xf32>
      memref.store %a, %T[%n] : memref<9xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "F" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%L[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %T[%v] : memref<9xf32>
      memref.store %a, %L[%c0] : memref<1xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "G" [%v: spatial 8] = (%i) reads(%L[0 : 1]) writes(%C[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %L[%c0] : memref<1xf32>
      memref.store %a, %C[%v] : memref<8xf32>
    }
  }
  return
}
