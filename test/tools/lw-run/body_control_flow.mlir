// Loops, and branches on data that read or divide, in the bodies of ops: right on all executors, and checked.
// RUN: lw-run %s --entry numbers --output %t.n.npy --output %t.x.npy --output %t.sorted.npy --output %t.by.npy
// RUN: lw-run %s --execute input --input %t.n.npy --input %t.x.npy --input %t.sorted.npy --input %t.by.npy | FileCheck %s
// RUN: lw-run %s --input %t.n.npy --input %t.x.npy --input %t.sorted.npy --input %t.by.npy --seed 3 | FileCheck %s
// RUN: lw-run %s --target x86 --verify-each=numeric --input %t.n.npy --input %t.x.npy --input %t.sorted.npy --input %t.by.npy | FileCheck %s
// RUN: lw-run %s --target x86 --no-schedule --input %t.n.npy --input %t.x.npy --input %t.sorted.npy --input %t.by.npy | FileCheck %s
// RUN: lw-run %s --target sm_80 --device emulator --verify-each=numeric --input %t.n.npy --input %t.x.npy --input %t.sorted.npy --input %t.by.npy | FileCheck %s
// RUN: lw-run %s --target sm_90a --device interpreter --execute gpu --input %t.n.npy --input %t.x.npy --input %t.sorted.npy --input %t.by.npy | FileCheck %s
//
// RUN: not lw-run %s --entry past_the_end --target x86 --check-bounds --input iota 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not lw-run %s --entry past_the_end --input iota 2>&1 | FileCheck %s --check-prefix=LOOP-FORM
// RUN: not lw-run %s --entry past_the_end --input iota --execute input 2>&1 | FileCheck %s --check-prefix=INPUT-FORM
// RUN: not lw-run %s --entry no_step --input iota 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not lw-run %s --entry no_step --input iota --execute input 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not lw-run %s --entry endless --input iota --max-iterations 1000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not lw-run %s --entry endless --input iota --max-iterations 1000 --execute input 2>&1 | FileCheck %s --check-prefix=ENDLESS

// CHECK: result 0: 6xf32 = [1.0, 2.0, 1.0, 0.125, 81.0, 1.0]
// CHECK: result 1: 6xi64 = [0, 0, 1, 7, 2, 5]
// CHECK: result 2: 6xi64 = [2, 2, 1, 0, 3, 1]
// CHECK: result 3: 6xf32 = [-1.0, 0.5, 1.5, 2.5, -1.0, -1.0]
// CHECK: result 4: 6xi32 = [0, 100, -50, 33, 0, 14]
// CHECK: result 5: 6xbool = [false, false, false, true, true, true]

#id = affine_map<(d0) -> (d0)>
func.func @main(%n: tensor<6xi64>, %x: tensor<6xf32>, %sorted: tensor<?xf32>, %by: tensor<6xi32>)
    -> (tensor<6xf32>, tensor<6xi64>, tensor<6xi64>, tensor<6xf32>, tensor<6xi32>, tensor<6xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %none = arith.constant -1.0 : f32
  %i0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : i64
  %i2 = arith.constant 2 : i64
  %i3 = arith.constant 3 : i64
  %zero = arith.constant 0 : i32
  %hundred = arith.constant 100 : i32
  %no = arith.constant false
  %ef = tensor.empty() : tensor<6xf32>
  %el = tensor.empty() : tensor<6xi64>
  %ei = tensor.empty() : tensor<6xi32>
  %eb = tensor.empty() : tensor<6xi1>
  // x to the power n.
  %powers = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%n, %x : tensor<6xi64>, tensor<6xf32>) outs(%ef : tensor<6xf32>) {
  ^bb0(%count: i64, %factor: f32, %o: f32):
    %to = arith.index_cast %count : i64 to index
    %power = scf.for %i = %c0 to %to step %c1 iter_args(%p = %one) -> f32 {
      %next = arith.mulf %p, %factor : f32
      scf.yield %next : f32
    }
    linalg.yield %power : f32
  } -> tensor<6xf32>
  // The steps of the Collatz sequence to 1.
  %collatz = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<6xi64>) outs(%el : tensor<6xi64>) {
  ^bb0(%start: i64, %o: i64):
    %steps:2 = scf.while (%now = %start, %count = %i0) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi sgt, %now, %i1 : i64
      scf.condition(%more) %count, %now : i64, i64
    } do {
    ^bb0(%count: i64, %now: i64):
      %rest = arith.remsi %now, %i2 : i64
      %even = arith.cmpi eq, %rest, %i0 : i64
      %next = scf.if %even -> i64 {
        %half = arith.divsi %now, %i2 : i64
        scf.yield %half : i64
      } else {
        %tripled = arith.muli %now, %i3 : i64
        %odd = arith.addi %tripled, %i1 : i64
        scf.yield %odd : i64
      }
      %done = arith.addi %count, %i1 : i64
      scf.yield %next, %done : i64, i64
    }
    linalg.yield %steps#0 : i64
  } -> tensor<6xi64>
  // The number of sorted values below x, by bisection.
  %size = tensor.dim %sorted, %c0 : tensor<?xf32>
  %below = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<6xf32>) outs(%el : tensor<6xi64>) {
  ^bb0(%key: f32, %o: i64):
    %range:2 = scf.while (%low = %c0, %high = %size) : (index, index) -> (index, index) {
      %more = arith.cmpi slt, %low, %high : index
      scf.condition(%more) %low, %high : index, index
    } do {
    ^bb0(%low: index, %high: index):
      %sum = arith.addi %low, %high : index
      %middle = arith.divui %sum, %c2 : index
      %value = tensor.extract %sorted[%middle] : tensor<?xf32>
      %is = arith.cmpf olt, %value, %key : f32
      %after = arith.addi %middle, %c1 : index
      %l = arith.select %is, %after, %low : index
      %h = arith.select %is, %high, %middle : index
      scf.yield %l, %h : index, index
    }
    %found = arith.index_cast %range#0 : index to i64
    linalg.yield %found : i64
  } -> tensor<6xi64>
  // A value only where its index exists, and a quotient only where the divisor is not zero.
  %read = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<6xi64>) outs(%ef : tensor<6xf32>) {
  ^bb0(%k: i64, %o: f32):
    %at = arith.subi %k, %i1 : i64
    %i = arith.index_cast %at : i64 to index
    %in = arith.cmpi ult, %i, %size : index
    %v = scf.if %in -> f32 {
      %r = tensor.extract %sorted[%i] : tensor<?xf32>
      scf.yield %r : f32
    } else {
      scf.yield %none : f32
    }
    linalg.yield %v : f32
  } -> tensor<6xf32>
  %quotient = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%by : tensor<6xi32>) outs(%ei : tensor<6xi32>) {
  ^bb0(%d: i32, %o: i32):
    %is = arith.cmpi ne, %d, %zero : i32
    %q = scf.if %is -> i32 {
      %r = arith.divsi %hundred, %d : i32
      scf.yield %r : i32
    } else {
      scf.yield %zero : i32
    }
    linalg.yield %q : i32
  } -> tensor<6xi32>
  // A boolean that nested loops carry: some pair of earlier numbers has this sum.
  %pairs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<6xi64>) outs(%eb : tensor<6xi1>) {
  ^bb0(%sum: i64, %o: i1):
    %here = linalg.index 0 : index
    %any = scf.for %i = %c0 to %here step %c1 iter_args(%a = %no) -> i1 {
      %left = tensor.extract %n[%i] : tensor<6xi64>
      %inner = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> i1 {
        %right = tensor.extract %n[%j] : tensor<6xi64>
        %s = arith.addi %left, %right : i64
        %is = arith.cmpi eq, %s, %sum : i64
        %or = arith.ori %is, %b : i1
        scf.yield %or : i1
      }
      %same = arith.cmpi eq, %left, %sum : i64
      %either = arith.ori %inner, %same : i1
      scf.yield %either : i1
    }
    linalg.yield %any : i1
  } -> tensor<6xi1>
  return %powers, %collatz, %below, %read, %quotient, %pairs
      : tensor<6xf32>, tensor<6xi64>, tensor<6xi64>, tensor<6xf32>, tensor<6xi32>, tensor<6xi1>
}

func.func @numbers() -> (tensor<6xi64>, tensor<6xf32>, tensor<3xf32>, tensor<6xi32>) {
  %n = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
  %x = arith.constant dense<[2.0, 2.0, 1.0, 0.5, 3.0, 1.0]> : tensor<6xf32>
  %sorted = arith.constant dense<[0.5, 1.5, 2.5]> : tensor<3xf32>
  %by = arith.constant dense<[0, 1, -2, 3, 0, 7]> : tensor<6xi32>
  return %n, %x, %sorted, %by : tensor<6xi64>, tensor<6xf32>, tensor<3xf32>, tensor<6xi32>
}

// BOUNDS: body_control_flow.mlir:[[#@LINE+11]]:12: error: access to dimension 0 of memref<3xf32>: index 3 is out of bounds, expected 0 to 2
// LOOP-FORM: body_control_flow.mlir:[[#@LINE+10]]:12: error: reads arg1[3], out of bounds, in "for" at (vi=4)
// INPUT-FORM: body_control_flow.mlir:[[#@LINE+9]]:12: error: {{.*}}index [3] is out of bounds of an array of sizes [3]
func.func @past_the_end(%n: tensor<5xi64>, %t: tensor<3xf32>, %start: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<5xi64>) outs(%start : tensor<5xf32>) {
  ^bb0(%k: i64, %o: f32):
    %to = arith.index_cast %k : i64 to index
    %s = scf.for %i = %c0 to %to step %c1 iter_args(%a = %o) -> f32 {
      %v = tensor.extract %t[%i] : tensor<3xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// STEP: body_control_flow.mlir:[[#@LINE+7]]:10: error: has step 0, expected a positive step
func.func @no_step(%n: tensor<2xi64>) -> tensor<2xi64> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%n : tensor<2xi64>) {
  ^bb0(%k: i64):
    %by = arith.index_cast %k : i64 to index
    %s = scf.for %i = %c0 to %c9 step %by iter_args(%a = %k) -> i64 {
      scf.yield %a : i64
    }
    linalg.yield %s : i64
  } -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// ENDLESS: body_control_flow.mlir:[[#@LINE+5]]:10: error: runs more iterations than the limit allows
func.func @endless(%n: tensor<2xi64>) -> tensor<2xi64> {
  %yes = arith.constant true
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%n : tensor<2xi64>) {
  ^bb0(%k: i64):
    %s = scf.while (%a = %k) : (i64) -> i64 {
      scf.condition(%yes) %a : i64
    } do {
    ^bb0(%a: i64):
      scf.yield %a : i64
    }
    linalg.yield %s : i64
  } -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
