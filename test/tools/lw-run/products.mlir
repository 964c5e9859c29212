// Products of dynamic sizes have no bank conflicts either, although elements are stored to shared memory one by one.
// RUN: lw-run %s --entry make --target x86 --output p.npy --output v.npy --output q.npy --output k.npy
// RUN: lw-run %s --entry values --target x86 --fp reassoc --input p.npy --input v.npy --output pv.npy
// RUN: lw-run %s --entry values --target sm_80 --fp reassoc --device emulator --profile --input p.npy --input v.npy \
// RUN:   --check pv.npy | FileCheck %s --check-prefixes=VALUES,CHECK
// RUN: lw-run %s --entry scores --target x86 --fp reassoc --input q.npy --input k.npy --output qk.npy
// RUN: lw-run %s --entry scores --target sm_80 --fp reassoc --device emulator --profile --input q.npy --input k.npy \
// RUN:   --check qk.npy | FileCheck %s --check-prefixes=SCORES,CHECK
// VALUES: result 0: 2x50x64xf32, max error {{.*}}: passed
// SCORES: result 0: 2x50x70xf64, max error {{.*}}: passed
// CHECK:  shared loads            {{[1-9].*}} wavefronts, 0 of them by bank conflicts
// CHECK:  shared stores           {{[1-9].*}} wavefronts, 0 of them by bank conflicts
func.func @values(%p: tensor<2x?x?xf32>, %v: tensor<2x?x64xf32>) -> tensor<2x?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %rows = tensor.dim %p, %one : tensor<2x?x?xf32>
  %e = tensor.empty(%rows) : tensor<2x?x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x64xf32>) -> tensor<2x?x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x64xf32>) outs(%z : tensor<2x?x64xf32>)
      -> tensor<2x?x64xf32>
  return %r : tensor<2x?x64xf32>
}

func.func @scores(%q: tensor<2x?x?xf64>, %k: tensor<2x?x?xf64>) -> tensor<2x?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : index
  %rows = tensor.dim %q, %one : tensor<2x?x?xf64>
  %columns = tensor.dim %k, %one : tensor<2x?x?xf64>
  %e = tensor.empty(%rows, %columns) : tensor<2x?x?xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2x?x?xf64>) -> tensor<2x?x?xf64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>,
                       affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x?x?xf64>, tensor<2x?x?xf64>) outs(%z : tensor<2x?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<2x?x?xf64>
  return %r : tensor<2x?x?xf64>
}

func.func @make() -> (tensor<2x50x70xf32>, tensor<2x70x64xf32>, tensor<2x50x33xf64>, tensor<2x70x33xf64>) {
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2.0 : f64
  %ep = tensor.empty() : tensor<2x50x70xf32>
  %p = linalg.fill ins(%half : f32) outs(%ep : tensor<2x50x70xf32>) -> tensor<2x50x70xf32>
  %ev = tensor.empty() : tensor<2x70x64xf32>
  %v = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%ev : tensor<2x70x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %s = arith.addi %i, %j : index
    %n = arith.index_cast %s : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<2x70x64xf32>
  %eq = tensor.empty() : tensor<2x50x33xf64>
  %q = linalg.fill ins(%two : f64) outs(%eq : tensor<2x50x33xf64>) -> tensor<2x50x33xf64>
  %ek = tensor.empty() : tensor<2x70x33xf64>
  %k = linalg.generic {
      indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%ek : tensor<2x70x33xf64>) {
  ^bb0(%o: f64):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %s = arith.addi %i, %j : index
    %n = arith.index_cast %s : index to i32
    %f = arith.sitofp %n : i32 to f64
    linalg.yield %f : f64
  } -> tensor<2x70x33xf64>
  return %p, %v, %q, %k : tensor<2x50x70xf32>, tensor<2x70x64xf32>, tensor<2x50x33xf64>, tensor<2x70x33xf64>
}
