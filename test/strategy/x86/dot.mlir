// Products of narrow numbers: instructions that multiply several of them; the columns are packed, and rows are computed in
// blocks if there are many.
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --without graph-fuse-ops --without fold-unit-loops --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target x86 --schedule-by priority --cpu haswell --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: 57 x86.product.vdpbf16ps: the processor has no instruction for it
// RUN: lw-run %s --target x86 --cpu znver4 --schedule-by auto --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=AUTO
// AUTO-LABEL: function halves:
// AUTO: 57 x86.product.vdpbf16ps: chosen, predicted
// AUTO: 50 x86.product.packed: slower, predicted

// The interpreter runs the instructions as they are defined.
// RUN: lw-run %s --entry mixed_signs --execute input --input random:3 --output %t.mixed.npy
// RUN: lw-run %s --entry mixed_signs --target x86 --schedule-by priority --cpu znver4 --device interpreter --input random:3 --check %t.mixed.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// RUN: lw-run %s --entry small_halves --execute input --input random:3 --output %t.halves.npy
// RUN: lw-run %s --entry small_halves --target x86 --schedule-by priority --cpu znver4 --device interpreter --input random:3 --check %t.halves.npy --rtol 1e-5 | FileCheck %s --check-prefix=SAME
// SAME: passed

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: transform.sched.function @halves in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 4
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 64, d0 floordiv 2, (d1 mod 64) * 2 + d0 mod 2)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 2]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 64]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.1_fused" in %f{{[0-9]+}} factor 32
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax1.0" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, 32, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors [2, -1, 2]
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:k.0", "matmul:j.0", "matmul:i.1", "matmul:k.1", "matmul:i.2", "matmul:j.1", "matmul:j.2", "matmul:k.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "matmul" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.vectorize "matmul__reduce_init:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.tensorize "matmul:j.2" in %f{{[0-9]+}} intrinsic "x86.vdpbf16ps"
// CHECK-NEXT:  transform.sched.parallel "matmul_o:i.0" in %f{{[0-9]+}}
// DUMP-LABEL: function halves:
// DUMP: 57 x86.product.vdpbf16ps: chosen
func.func @halves(%a: tensor<2048x2048xbf16>, %b: tensor<2048x2048xbf16>) -> tensor<2048x2048xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) outs(%z : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}

// DUMP-LABEL: function small_halves:
// DUMP: 57 x86.product.vdpbf16ps: chosen
func.func @small_halves(%a: tensor<67x8xbf16>, %b: tensor<8x32xbf16>) -> tensor<67x32xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<67x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<67x32xf32>) -> tensor<67x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<67x8xbf16>, tensor<8x32xbf16>) outs(%z : tensor<67x32xf32>) -> tensor<67x32xf32>
  %o = linalg.max ins(%r, %z : tensor<67x32xf32>, tensor<67x32xf32>) outs(%e : tensor<67x32xf32>) -> tensor<67x32xf32>
  return %o : tensor<67x32xf32>
}

// CHECK-LABEL: transform.sched.function @mixed_signs in
// CHECK-NEXT:  transform.sched.sample_categorical "reduce.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 7
// CHECK-NEXT:  transform.sched.cache_read "reduce" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["reduce"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 48, d0 floordiv 4, (d1 mod 48) * 4 + d0 mod 4)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 4]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 48]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.1_fused" in %f{{[0-9]+}} factor 64
// CHECK-NEXT:  transform.sched.split "reduce:i" in %f{{[0-9]+}} factors "-1, $reduce.rows"
// CHECK-NEXT:  transform.sched.split "reduce:j" in %f{{[0-9]+}} factors [-1, 3, 16]
// CHECK-NEXT:  transform.sched.split "reduce:k" in %f{{[0-9]+}} factors [-1, 4]
// CHECK-NEXT:  transform.sched.reorder ["reduce:j.0", "reduce:i.0", "reduce:k.0", "reduce:i.1", "reduce:j.1", "reduce:j.2", "reduce:k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "reduce:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "reduce:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "reduce" in %f{{[0-9]+}} loop "reduce:k.0"
// CHECK-NEXT:  transform.sched.vectorize "reduce__reduce_init:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.tensorize "reduce:j.2" in %f{{[0-9]+}} intrinsic "x86.vpdpbusd"
// DUMP-LABEL: function mixed_signs:
// DUMP: 56 x86.product.vpdpbusd: chosen
func.func @mixed_signs(%a: tensor<70x16xi8>, %b: tensor<16x48xi8>) -> tensor<70x48xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<70x48xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<70x48xi32>) -> tensor<70x48xi32>
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<70x16xi8>, tensor<16x48xi8>) outs(%z : tensor<70x48xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<70x48xi32>
  return %r : tensor<70x48xi32>
}

// CHECK-LABEL: transform.sched.function @rows in
// CHECK-NEXT:  transform.sched.compute_inline "fill" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.specialize "matmul:i" in %f{{[0-9]+}} condition "dim(arg0, 0) >= 16" through "max:i"
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 6
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 64, d0 floordiv 2, (d1 mod 64) * 2 + d0 mod 2)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 2]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 64]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.1_fused" in %f{{[0-9]+}} factor 32
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax1.0" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, 288, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors [-1, 2]
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:i.1", "matmul:k.0", "matmul:i.2", "matmul:j.1", "matmul:j.2", "matmul:k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "matmul" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.vectorize "matmul__reduce_init:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.tensorize "matmul:j.2" in %f{{[0-9]+}} intrinsic "x86.vpdpwssd"
// CHECK-NEXT:  transform.sched.vectorize "max:j" in %f{{[0-9]+}} factor 64
// CHECK-NEXT:  transform.sched.parallel "max:i" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "matmul_o:i.0" in %f{{[0-9]+}}
// DUMP-LABEL: function rows:
// DUMP: 56 x86.product.vpdpbusd: undone after {{.*}} it computes 'arith.extsi', expected 'arith.extui'
// DUMP: 55 x86.product.vpdpwssd: chosen if dim(arg0, 0) >= 16
func.func @rows(%a: tensor<?x36xi8>, %b: tensor<36x64xi8>) -> tensor<?x64xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x36xi8>
  %e = tensor.empty(%m) : tensor<?x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?x64xi32>) -> tensor<?x64xi32>
  %r = linalg.matmul ins(%a, %b : tensor<?x36xi8>, tensor<36x64xi8>) outs(%z : tensor<?x64xi32>) -> tensor<?x64xi32>
  %o = linalg.max ins(%r, %z : tensor<?x64xi32>, tensor<?x64xi32>) outs(%e : tensor<?x64xi32>) -> tensor<?x64xi32>
  return %o : tensor<?x64xi32>
}

// CHECK-LABEL: transform.sched.function @signed in
// CHECK-NEXT:  transform.sched.vectorize "xori:j" in %f{{[0-9]+}} factor 64
// CHECK-NEXT:  transform.sched.vectorize "reduce:j" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.sample_categorical "reduce_1.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 8
// CHECK-NEXT:  transform.sched.cache_read "reduce_1" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["reduce_1"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 32, d0 floordiv 4, (d1 mod 32) * 4 + d0 mod 4)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 4]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 32]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.1_fused" in %f{{[0-9]+}} factor 64
// CHECK-NEXT:  transform.sched.split "reduce_1:i" in %f{{[0-9]+}} factors "-1, $reduce_1.rows"
// CHECK-NEXT:  transform.sched.split "reduce_1:j" in %f{{[0-9]+}} factors [-1, 2, 16]
// CHECK-NEXT:  transform.sched.split "reduce_1:k" in %f{{[0-9]+}} factors [-1, 4]
// CHECK-NEXT:  transform.sched.reorder ["reduce_1:j.0", "reduce_1:i.0", "reduce_1:k.0", "reduce_1:i.1", "reduce_1:j.1", "reduce_1:j.2", "reduce_1:k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "reduce_1:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "reduce_1:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "reduce_1" in %f{{[0-9]+}} loop "reduce_1:k.0"
// CHECK-NEXT:  transform.sched.vectorize "reduce_1__reduce_init:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.tensorize "reduce_1:j.2" in %f{{[0-9]+}} intrinsic "x86.vpdpbusd"
// CHECK-NEXT:  transform.sched.reverse_compute_at "sub" in %f{{[0-9]+}} loop "reduce_1_o:i.0"
// CHECK-NEXT:  transform.sched.vectorize "sub:j" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "sub:i" in %f{{[0-9]+}}
// DUMP-LABEL: function signed:
// DUMP: 56 x86.product.vpdpbusd: chosen
func.func @signed(%a: tensor<128x64xi8>, %b: tensor<64x32xi8>) -> tensor<128x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<128x32xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<128x32xi32>) -> tensor<128x32xi32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xi8>, tensor<64x32xi8>) outs(%z : tensor<128x32xi32>) -> tensor<128x32xi32>
  return %r : tensor<128x32xi32>
}

// CHECK-LABEL: transform.sched.function @prime_steps in
// CHECK-NEXT:  transform.sched.sample_categorical "matmul.rows" in %f{{[0-9]+}} candidates [{{.*}}] decision 4
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 64, d0 floordiv 2, (d1 mod 64) * 2 + d0 mod 2)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 2]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 64]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.1_fused" in %f{{[0-9]+}} factor 32
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax1.0" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors "-1, $matmul.rows"
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors [-1, 2]
// CHECK-NEXT:  transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k.0", "matmul:i.1", "matmul:j.1", "matmul:j.2", "matmul:k.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "matmul" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.vectorize "matmul__reduce_init:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.tensorize "matmul:j.2" in %f{{[0-9]+}} intrinsic "x86.vdpbf16ps"
// DUMP-LABEL: function prime_steps:
// DUMP: 57 x86.product.vdpbf16ps: chosen
func.func @prime_steps(%a: tensor<128x2018xbf16>, %b: tensor<2018x64xbf16>) -> tensor<128x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x2018xbf16>, tensor<2018x64xbf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// DUMP-LABEL: function strict:
// DUMP: 57 x86.product.vdpbf16ps: undone after {{.*}} x86.vdpbf16ps needs loop.fp = "fast"
func.func @strict(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// DUMP-LABEL: function odd_depth:
// DUMP: 57 x86.product.vdpbf16ps: the reduced elements are not known to be a positive multiple of 2
func.func @odd_depth(%a: tensor<128x63xbf16>, %b: tensor<63x64xbf16>) -> tensor<128x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x63xbf16>, tensor<63x64xbf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// DUMP-LABEL: function no_depth:
// DUMP: 57 x86.product.vdpbf16ps: the reduced elements are not known to be a positive multiple of 2
func.func @no_depth(%a: tensor<128x0xbf16>, %b: tensor<0x64xbf16>) -> tensor<128x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x0xbf16>, tensor<0x64xbf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// DUMP-LABEL: function odd_columns:
// DUMP: 57 x86.product.vdpbf16ps: the columns are not known to be a positive multiple of 16
func.func @odd_columns(%a: tensor<128x64xbf16>, %b: tensor<64x72xbf16>) -> tensor<128x72xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x72xbf16>) outs(%z : tensor<128x72xf32>) -> tensor<128x72xf32>
  return %r : tensor<128x72xf32>
}

// DUMP-LABEL: function few_rows:
// DUMP: 57 x86.product.vdpbf16ps: the packed factor would be used for only 15 rows
func.func @few_rows(%a: tensor<15x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<15x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<15x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<15x64xf32>) -> tensor<15x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<15x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<15x64xf32>) -> tensor<15x64xf32>
  return %r : tensor<15x64xf32>
}
