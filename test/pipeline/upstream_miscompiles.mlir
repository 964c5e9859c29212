// Known miscompiles of passes of MLIR 22 do not happen here: the pipeline leaves the same programs unchanged, and the
// step that would do the same is refused, with the two iterations that conflict.
// RUN: lw-opt %S/../verify/numeric/Inputs/read_before_write.mlir --verify-each=numeric --lw-x86-pipeline='from=schedule to=vector' -o /dev/null 2>&1 | count 0
// RUN: lw-opt %S/../verify/numeric/Inputs/call_between.mlir --verify-each=numeric --lw-x86-pipeline='from=schedule to=vector' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CALL --allow-empty
// RUN: lw-opt %S/../verify/numeric/Inputs/skewed.mlir --verify-each=numeric --lw-x86-pipeline='from=schedule to=vector' -o /dev/null 2>&1 | count 0
// RUN: lw-opt %s --verify-each=numeric --lw-x86-pipeline='from=schedule to=vector' -o /dev/null 2>&1 | count 0
// CALL-NOT: error

// affine-loop-fusion (llvm 212032): the second nest overwrites what the first reads in each iteration.
// RUN: not lw-opt %s --sched-merge=loops=P:i,Q:i 2>&1 | FileCheck %s --check-prefix=FUSION
// FUSION: error: 'loop.for' op merge: it is not proved that what "Q:i" does stays after what "P:i" does: iteration i = {{[0-9]}} of "P" (reads) and iteration i = {{[0-9]}} of "Q" (writes) both access "arg0"[1] (C4)
func.func @read_before_write(%a: memref<10xf32>, %b: memref<10xf32>) {
  loop.for serial %i in 10 {
    loop.block "P" [%v: spatial 10] = (%i) reads(%a[1 : 1]) writes(%b[%v : 1]) {
      %c1 = arith.constant 1 : index
      %x = memref.load %a[%c1] : memref<10xf32>
      memref.store %x, %b[%v] : memref<10xf32>
    }
  }
  loop.for serial %i in 10 {
    loop.block "Q" [%v: spatial 10] = (%i) reads(%b[%v : 1]) writes(%a[%v : 1]) {
      %x = memref.load %b[%v] : memref<10xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%v] : memref<10xf32>
    }
  }
  return
}

// affine-loop-fusion (llvm 211591): a call between the nests changes what the second reads.
// RUN: not lw-opt %s --sched-merge=loops=R:i,S:i 2>&1 | FileCheck %s --check-prefix=BETWEEN
// BETWEEN: error: 'loop.for' op merge: "R:i" and "S:i" cannot be fused: they are not consecutive (C3)
func.func private @clear(%b: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %b[%c0] : memref<10xf32>
  return
}
func.func @call_between(%a: memref<10xf32>, %b: memref<10xf32>, %c: memref<10xf32>) {
  loop.for serial %i in 10 {
    loop.block "R" [%v: spatial 10] = (%i) reads(%a[%v : 1]) writes(%b[%v : 1]) {
      %x = memref.load %a[%v] : memref<10xf32>
      memref.store %x, %b[%v] : memref<10xf32>
    }
  }
  func.call @clear(%b) : (memref<10xf32>) -> ()
  loop.for serial %i in 10 {
    loop.block "S" [%v: spatial 10] = (%i) reads(%b[%v : 1]) writes(%c[%v : 1]) {
      %x = memref.load %b[%v] : memref<10xf32>
      memref.store %x, %c[%v] : memref<10xf32>
    }
  }
  return
}

// affine-loop-tile (llvm 210585): an iteration reads what its right neighbour in the previous row wrote.
// RUN: not lw-opt %s --sched-split='loop=T:i factors=-1,4' --sched-split='loop=T:j factors=-1,4' --sched-reorder=loops=T:i.0,T:j.0,T:i.1,T:j.1 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: error: 'loop.{{.*}} op reorder: {{.*}} both access "arg0"[{{.*}} (C5)
func.func @skewed(%A: memref<12x12xf32>) {
  loop.for serial %i in 11 {
    loop.for serial %j in 11 {
      loop.block "T" [%v: spatial 11, %w: spatial 11] = (%i, %j) reads(%A[%v : 1, %w + 1 : 1]) writes(%A[%v + 1 : 1, %w : 1]) {
        %down = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %x = memref.load %A[%v, %right] : memref<12x12xf32>
        memref.store %x, %A[%down, %w] : memref<12x12xf32>
      }
    }
  }
  return
}

// transform.loop.fuse_sibling: the second nest reads what the first writes later.
// RUN: not lw-opt %s --sched-merge=loops=U:i,V:i 2>&1 | FileCheck %s --check-prefix=SIBLING
// SIBLING: error: 'loop.for' op merge: it is not proved that what "V:i" does stays after what "U:i" does: iteration i = {{[0-9]}} of "U" ({{.*}}) and iteration i = {{[0-9]}} of "V" ({{.*}}) both access
func.func @siblings(%a: memref<8xf32>, %b: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "U" [%v: spatial 8] = (%i) reads(%b[%v : 1]) writes(%a[%v : 1]) {
      %x = memref.load %b[%v] : memref<8xf32>
      memref.store %x, %a[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "V" [%v: spatial 8] = (%i) reads(%a[-%v + 7 : 1]) writes(%b[%v : 1]) {
      %j = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %x = memref.load %a[%j] : memref<8xf32>
      memref.store %x, %b[%v] : memref<8xf32>
    }
  }
  return
}

// structured.tile_using_forall: a loop that reduces is not parallel.
// RUN: not lw-opt %s --sched-parallel=loop=W:k 2>&1 | FileCheck %s --check-prefix=FORALL
// FORALL: error: 'loop.{{.*}} op parallel: {{.*}} (C{{[0-9]}})
func.func @reduction(%A: memref<8x8xf32>, %s: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %k in 8 {
      loop.block "W" [%v: spatial 8, %w: reduce 8] = (%i, %k) reads(%A[%v : 1, %w : 1], %s[%v : 1]) writes(%s[%v : 1]) {
        %x = memref.load %A[%v, %w] : memref<8x8xf32>
        %y = memref.load %s[%v] : memref<8xf32>
        %z = arith.addf %y, %x : f32
        memref.store %z, %s[%v] : memref<8xf32>
      }
    }
  }
  return
}
