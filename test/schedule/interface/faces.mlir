// The three interfaces of a step, and what holds for all steps as passes and in scripts. The third
// interface, the method in Rust, is in schedule.rs.

// The output is the same from a pass, a script in a file, a script by name, and stock mlir-opt with the plugin.
// RUN: lw-opt %s --sched-split='loop=C:j factors=4,16' --sched-reorder=loops=C:k,C:j.1 -o %t.pass.mlir
// RUN: FileCheck %s --input-file=%t.pass.mlir
// RUN: lw-opt %s --transform-preload-library=transform-library-paths=%S/../Inputs/split.mlir \
// RUN:   --transform-interpreter -o %t.script.mlir
// RUN: diff %t.pass.mlir %t.script.mlir
// RUN: mlir-opt --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin} %s \
// RUN:   --transform-preload-library=transform-library-paths=%S/../Inputs/split.mlir \
// RUN:   --transform-interpreter -o %t.stock.mlir
// RUN: diff %t.pass.mlir %t.stock.mlir
// RUN: mlir-opt --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin} %s \
// RUN:   --pass-pipeline='builtin.module(sched-split{loop=C:j factors=4,16},sched-reorder{loops=C:k,C:j.1})' \
// RUN:   -o %t.stock_pass.mlir
// RUN: diff %t.pass.mlir %t.stock_pass.mlir

// The default function is the one with the schedule block; it can also be named.
// RUN: lw-opt %s --sched-unroll='loop=twin:i function=second' | FileCheck %s --check-prefix=NAMED
// RUN: not lw-opt %s --sched-unroll=loop=twin:i 2>&1 | FileCheck %s --check-prefix=AMBIGUOUS
// RUN: not lw-opt %s --sched-unroll='loop=twin:i function=third' 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not lw-opt %s --sched-unroll=loop=nobody:i 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not lw-opt %s --sched-unroll='loop=twin:i function=matmul' 2>&1 | FileCheck %s --check-prefix=ELSEWHERE

// Options that passes refuse.
// RUN: not lw-opt %s --sched-vectorize='loop=C:j factor=-4' 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not lw-opt %s --sched-vectorize='loop=C:j factor=0' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not lw-opt %s --sched-unroll='loop=C:j factor=0' 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: not lw-opt %s --sched-vectorize='loop=C:j factor=4,8' 2>&1 | FileCheck %s --check-prefix=WIDTHS
// RUN: not lw-opt %s --sched-split='loop=C:j' 2>&1 | FileCheck %s --check-prefix=FACTORS
// RUN: not lw-opt %s --sched-split='loop=C:j factors=4,x' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not lw-opt %s --sched-unroll 2>&1 | FileCheck %s --check-prefix=NOTHING

// A refusal prints the nest.
// RUN: not lw-opt %s --sched-parallel='loop=C:k explain' 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: not lw-opt %s --sched-parallel='loop=C:k' 2>&1 | FileCheck %s --check-prefix=TERSE

// CHECK-LABEL: func.func @matmul
// CHECK-NEXT: loop.for parallel %i in 128 {
// CHECK-NEXT:   loop.for serial %j.0 in 4 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:     loop.for serial %k in 64 {
// CHECK-NEXT:       loop.for serial %j.1 in 16 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:         loop.block "C" [%vi: spatial 128, %vj: spatial 64, %vk: reduce 64] = (%i, %j.0 * 16 + %j.1, %k)

// NAMED-LABEL: func.func @first
// NAMED-NEXT: loop.for serial %i
// NAMED-LABEL: func.func @second
// NAMED-NEXT: loop.for unroll %i

// AMBIGUOUS: error: 'func.func' op has a schedule block "twin", and so has another function: name the function
// AMBIGUOUS: note: the other function is here
// ABSENT: error: 'builtin.module' op has no function @third
// NOBODY: error: 'builtin.module' op has no function with a schedule block "nobody"
// ELSEWHERE: error: 'func.func' op unroll: there is no schedule block "twin", there are "C" (C1)

// WIDTH: error: 'loop.for' op vectorize: found factor -4, expected a positive number (C3)
// ZERO: error: 'loop.for' op vectorize: found factor 0, expected a positive number (C3)
// UNROLL: error: 'loop.for' op unroll: found factor 0, expected a positive number (C3)
// WIDTHS: error: 'builtin.module' op is given 2 values for 'factor', expected one
// FACTORS: error: 'loop.for' op split: found 0 factors, expected two or more (C3)
// NUMBER: "x" is not what 'factors' takes: expected numbers and names of decisions
// NOTHING: error: 'builtin.module' op has no function with a schedule block ""

// EXPLAIN: error: 'loop.block' op parallel: iter "vk" of schedule block "C" is reduce, expected spatial: iterations i = {{.*}} both access "{{.*}}"[{{.*}}] (C3)
// EXPLAIN: note: in this nest:
// EXPLAIN-NEXT: parallel i in 128
// EXPLAIN-NEXT:   serial j in 64
// EXPLAIN-NEXT:     serial k in 64
// EXPLAIN-NEXT:       C[vi: spatial = i, vj: spatial = j, vk: reduce = k]
// EXPLAIN-NEXT:       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ here
// TERSE: parallel: iter "vk"
// TERSE-NOT: in this nest
func.func @matmul(%A: memref<128x64xf32>, %B: memref<64x64xf32>, %C: memref<128x64xf32>) {
  loop.for parallel %i in 128 {
    loop.for serial %j in 64 {
      loop.for serial %k in 64 {
        loop.block "C" [%vi: spatial 128, %vj: spatial 64, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %C[%vi, %vj] : memref<128x64xf32> }
          %a = memref.load %A[%vi, %vk] : memref<128x64xf32>
          %b = memref.load %B[%vk, %vj] : memref<64x64xf32>
          %c = memref.load %C[%vi, %vj] : memref<128x64xf32>
          %m = arith.mulf %a, %b : f32
          %s = arith.addf %c, %m : f32
          memref.store %s, %C[%vi, %vj] : memref<128x64xf32>
        }
      }
    }
  }
  return
}

func.func @first() {
  loop.for serial %i in 8 { loop.block "twin" [%v: spatial 8] = (%i) {} }
  return
}
func.func @second() {
  loop.for serial %i in 8 { loop.block "twin" [%v: spatial 8] = (%i) {} }
  return
}
