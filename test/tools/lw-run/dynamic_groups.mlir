// Attention over a length that is not known: its groups are functions, as for a fixed length, and give what the ops give at each
// length.
// RUN: lw-run %s --target x86 --machine %S/../../machine.json --compile-to schedule | FileCheck %s
// RUN: lw-run %s --entry rows1 --output %t.1.npy && lw-run %s --input %t.1.npy --output %t.1.out.npy
// RUN: lw-run %s --target x86 --input %t.1.npy --check %t.1.out.npy --rtol 1e-5 --atol 1e-6
// RUN: lw-run %s --entry rows7 --output %t.7.npy && lw-run %s --input %t.7.npy --output %t.7.out.npy
// RUN: lw-run %s --target x86 --input %t.7.npy --check %t.7.out.npy --rtol 1e-5 --atol 1e-6
// RUN: lw-run %s --target x86 --input %t.7.npy --check %t.7.out.npy --rtol 1e-5 --atol 1e-6 --threads 2 --fp fast
// RUN: lw-run %s --target x86 --device interpreter --input %t.7.npy --check %t.7.out.npy --rtol 1e-5 --atol 1e-6 --execute schedule
// RUN: lw-run %s --target x86 --device interpreter --input %t.7.npy --check %t.7.out.npy --rtol 1e-5 --atol 1e-6 --execute vector
// RUN: lw-run %s --target sm_80 --device emulator --input %t.7.npy --check %t.7.out.npy --rtol 1e-5 --atol 1e-6
// RUN: lw-run %s --entry rows33 --output %t.33.npy && lw-run %s --input %t.33.npy --output %t.33.out.npy
// RUN: lw-run %s --target x86 --input %t.33.npy --check %t.33.out.npy --rtol 1e-5 --atol 1e-6 --threads 2 --fp fast

// The bias, a projection, another one, the scores, their softmax, and the sum of rows.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-6: call @main_
// CHECK-NOT: loop.for
// CHECK: return
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>
func.func @main(%x: tensor<1x?x32xf32>) -> tensor<1x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c1 : tensor<1x?x32xf32>
  %w = arith.constant dense<0.03125> : tensor<32x32xf32>
  %bias = tensor.generate {
  ^bb0(%i: index):
    %a = arith.index_cast %i : index to i32
    %b = arith.sitofp %a : i32 to f32
    tensor.yield %b : f32
  } : tensor<32xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x?x32xf32> into tensor<?x32xf32>
  %e = tensor.empty(%n) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<?x32xf32>, tensor<32x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %q = linalg.generic {indexing_maps = [#ij, #j, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%p, %bias, %rows : tensor<?x32xf32>, tensor<32xf32>, tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %r = arith.addf %a, %c : f32
    %s = arith.mulf %r, %b : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<?x32xf32>
  %k = linalg.matmul ins(%q, %w : tensor<?x32xf32>, tensor<32x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %m = tensor.dim %k, %c0 : tensor<?x32xf32>
  %se = tensor.empty(%n, %m) : tensor<?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [#ik, #jk, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<?x32xf32>, tensor<?x32xf32>) outs(%sf : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<?x?xf32>
  %re = tensor.empty(%m) : tensor<?xf32>
  %rl = linalg.fill ins(%least : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<?xf32>) -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<?x?xf32>) outs(%rl : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %exp = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%se : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<?x?xf32>) outs(%rz : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %soft = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%se : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %o = linalg.matmul ins(%soft, %rows : tensor<?x?xf32>, tensor<?x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%o, %q : tensor<?x32xf32>, tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x32xf32>
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, %n, 32] : tensor<?x32xf32> into tensor<1x?x32xf32>
  return %z : tensor<1x?x32xf32>
}

func.func @rows1() -> tensor<1x1x32xf32> {
  %x = tensor.generate {
  ^bb0(%h: index, %i: index, %j: index):
    %c7 = arith.constant 7 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.addi %a, %j : index
    %c = arith.index_cast %b : index to i32
    %d = arith.sitofp %c : i32 to f32
    %e = math.sin %d : f32
    tensor.yield %e : f32
  } : tensor<1x1x32xf32>
  return %x : tensor<1x1x32xf32>
}

func.func @rows7() -> tensor<1x7x32xf32> {
  %x = tensor.generate {
  ^bb0(%h: index, %i: index, %j: index):
    %c7 = arith.constant 7 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.addi %a, %j : index
    %c = arith.index_cast %b : index to i32
    %d = arith.sitofp %c : i32 to f32
    %e = math.sin %d : f32
    tensor.yield %e : f32
  } : tensor<1x7x32xf32>
  return %x : tensor<1x7x32xf32>
}

func.func @rows33() -> tensor<1x33x32xf32> {
  %x = tensor.generate {
  ^bb0(%h: index, %i: index, %j: index):
    %c7 = arith.constant 7 : index
    %a = arith.muli %i, %c7 : index
    %b = arith.addi %a, %j : index
    %c = arith.index_cast %b : index to i32
    %d = arith.sitofp %c : i32 to f32
    %e = math.sin %d : f32
    tensor.yield %e : f32
  } : tensor<1x33x32xf32>
  return %x : tensor<1x33x32xf32>
}
