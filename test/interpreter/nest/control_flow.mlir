// Functions with loops and branches that a schedule block calls: lanes of a vector take different branches, and leave a
// loop one by one.
// RUN: lw-run %s --entry lanes --input iota --seed 1 | FileCheck %s
// RUN: lw-run %s --entry lanes --input iota --seed 2 | FileCheck %s
// RUN: not lw-run %s --entry no_value --input iota 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: not lw-run %s --entry lanes --input iota --max-iterations 20 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not lw-run %s --entry unsigned --input iota 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// CHECK: result 0: 8xi64 = [0, 1, 101, 2, 104, 5, 116, 13]
// UNDEFINED: error: has an undefined condition
// LIMIT: error: runs more iterations than the limit allows
// UNSIGNED: error: compares unsigned, which the interpreter does not support

// For an even number 2k more than zero 100 + 4^(k - 1), for an odd one the Fibonacci number, whose loop swaps what it carries.
func.func private @mixed(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %l0 = arith.constant 0 : i64
  %l1 = arith.constant 1 : i64
  %l100 = arith.constant 100 : i64
  %rest = arith.remui %n, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  %zero = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %zero -> i64 {
    scf.yield %l0 : i64
  } else {
    %inner = scf.if %even -> i64 {
      %half = arith.divui %n, %c2 : index
      %s = scf.for %i = %c1 to %half step %c1 iter_args(%a = %l1) -> i64 {
        %b = arith.addi %a, %a : i64
        %d = arith.addi %b, %b : i64
        scf.yield %d : i64
      }
      %t = arith.addi %s, %l100 : i64
      scf.yield %t : i64
    } else {
      %f:3 = scf.while (%i = %c0, %a = %l0, %b = %l1) : (index, i64, i64) -> (i64, i64, index) {
        %more = arith.cmpi slt, %i, %n : index
        scf.condition(%more) %b, %a, %i : i64, i64, index
      } do {
      ^bb0(%b: i64, %a: i64, %i: index):
        %s = arith.addi %a, %b : i64
        %j = arith.addi %i, %c1 : index
        scf.yield %j, %b, %s : index, i64, i64
      }
      scf.yield %f#1 : i64
    }
    scf.yield %inner : i64
  }
  return %r : i64
}

func.func @lanes(%out: memref<8xi64> {loop.result}) {
  loop.for vectorize %i in 8 {
    loop.block "mixed" [%v: spatial 8] = (%i) writes(%out[%v : 1]) {
      %r = func.call @mixed(%v) : (index) -> i64
      memref.store %r, %out[%v] : memref<8xi64>
    }
  }
  return
}

func.func private @chosen(%flag: i1) -> i64 {
  %l0 = arith.constant 0 : i64
  %l1 = arith.constant 1 : i64
  %r = scf.if %flag -> i64 {
    scf.yield %l0 : i64
  } else {
    scf.yield %l1 : i64
  }
  return %r : i64
}

func.func @no_value(%out: memref<2xi64> {loop.result}) {
  %empty = loop.buffer "empty" scope(global) : memref<2xi8>
  loop.for serial %i in 2 {
    loop.block "chosen" [%v: spatial 2] = (%i) reads(%empty[%v : 1]) writes(%out[%v : 1]) {
      %stored = memref.load %empty[%v] : memref<2xi8>
      %flag = arith.trunci %stored : i8 to i1
      %r = func.call @chosen(%flag) : (i1) -> i64
      memref.store %r, %out[%v] : memref<2xi64>
    }
  }
  return
}

func.func private @counted(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l0 = arith.constant 0 : i64
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%a = %l0) -> i64 {
    scf.yield %a : i64
  }
  return %r : i64
}

func.func @unsigned(%out: memref<2xi64> {loop.result}) {
  loop.for serial %i in 2 {
    loop.block "counted" [%v: spatial 2] = (%i) writes(%out[%v : 1]) {
      %r = func.call @counted(%v) : (index) -> i64
      memref.store %r, %out[%v] : memref<2xi64>
    }
  }
  return
}
