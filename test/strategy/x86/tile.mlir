// Products in tile registers (AMX): both factors are packed to tiles of 16 rows.
// RUN: lw-run %s --target x86 --schedule-by priority --cpu sapphirerapids --without graph-fuse-ops --without fold-unit-loops --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --schedule-by priority --cpu sapphirerapids --without graph-fuse-ops --without fold-unit-loops --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: 59 x86.product.tdpbf16ps: the processor has no instruction for it
// RUN: lw-run %s --target x86 --cpu sapphirerapids --schedule-by auto --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=AUTO
// AUTO-LABEL: function halves:
// AUTO: 59 x86.product.tdpbf16ps: chosen, predicted
// AUTO: 57 x86.product.vdpbf16ps: slower, predicted

// The interpreter runs the instructions as they are defined.
// RUN: lw-run %s --entry mixed_signs --execute input --input random:3 --output %t.mixed.npy
// RUN: lw-run %s --entry mixed_signs --target x86 --schedule-by priority --cpu sapphirerapids --device interpreter --input random:3 --check %t.mixed.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// RUN: lw-run %s --entry small_halves --execute input --input random:3 --output %t.halves.npy
// RUN: lw-run %s --entry small_halves --target x86 --schedule-by priority --cpu sapphirerapids --device interpreter --input random:3 --check %t.halves.npy --rtol 1e-5 | FileCheck %s --check-prefix=SAME
// SAME: passed

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: transform.sched.function @halves in
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 16, d0 floordiv 32, (d0 mod 32) floordiv 2, (d1 mod 16) * 2 + d0 mod 2)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 16, 2]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.1", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.2_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "arg1_global_temp_buffer:cache_ax0.0" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors [-1, 8, 2, 16]
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors [-1, 2, 16]
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors [-1, 16, 2]
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:i.1", "matmul:k.0", "matmul:i.2", "matmul:j.1", "matmul:i.3", "matmul:j.2", "matmul:k.1", "matmul:k.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "matmul" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.tensorize "matmul__reduce_init:i.3" in %f{{[0-9]+}} intrinsic "x86.tilezero_f32"
// CHECK-NEXT:  transform.sched.tensorize "matmul:i.3" in %f{{[0-9]+}} intrinsic "x86.tdpbf16ps"
// CHECK-NEXT:  transform.sched.parallel "matmul_o:i.0" in %f{{[0-9]+}}
// DUMP-LABEL: function halves:
// DUMP: 59 x86.product.tdpbf16ps: chosen
func.func @halves(%a: tensor<2048x2048xbf16>, %b: tensor<2048x2048xbf16>) -> tensor<2048x2048xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) outs(%z : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}

// CHECK-LABEL: transform.sched.function @small_halves in
// CHECK-NEXT:  transform.sched.compute_inline "fill" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 16, d0 floordiv 32, (d0 mod 32) floordiv 2, (d1 mod 16) * 2 + d0 mod 2)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 16, 2]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.1", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.2_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors [-1, 1, 1, 16]
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors [-1, 3, 16]
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors [-1, 16, 2]
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:i.1", "matmul:k.0", "matmul:i.2", "matmul:j.1", "matmul:i.3", "matmul:j.2", "matmul:k.1", "matmul:k.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "matmul" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.tensorize "matmul__reduce_init:i.3" in %f{{[0-9]+}} intrinsic "x86.tilezero_f32"
// CHECK-NEXT:  transform.sched.tensorize "matmul:i.3" in %f{{[0-9]+}} intrinsic "x86.tdpbf16ps"
// CHECK-NEXT:  transform.sched.reverse_compute_at "max" in %f{{[0-9]+}} loop "matmul_o:i.1"
// CHECK-NEXT:  transform.sched.vectorize "max:j" in %f{{[0-9]+}}
// DUMP-LABEL: function small_halves:
// DUMP: 59 x86.product.tdpbf16ps: chosen
func.func @small_halves(%a: tensor<80x32xbf16>, %b: tensor<32x48xbf16>) -> tensor<80x48xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<80x48xf32>) -> tensor<80x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<80x32xbf16>, tensor<32x48xbf16>) outs(%z : tensor<80x48xf32>) -> tensor<80x48xf32>
  %o = linalg.max ins(%r, %z : tensor<80x48xf32>, tensor<80x48xf32>) outs(%e : tensor<80x48xf32>) -> tensor<80x48xf32>
  return %o : tensor<80x48xf32>
}

// CHECK-LABEL: transform.sched.function @mixed_signs in
// CHECK-NEXT:  transform.sched.cache_read "reduce" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["reduce"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 16, d0 floordiv 64, (d0 mod 64) floordiv 4, (d1 mod 16) * 4 + d0 mod 4)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 16, 4]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.1", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.2_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "reduce:i" in %f{{[0-9]+}} factors [-1, 1, 2, 16]
// CHECK-NEXT:  transform.sched.split "reduce:j" in %f{{[0-9]+}} factors [-1, 2, 16]
// CHECK-NEXT:  transform.sched.split "reduce:k" in %f{{[0-9]+}} factors [-1, 16, 4]
// CHECK-NEXT:  transform.sched.reorder ["reduce:i.0", "reduce:j.0", "reduce:i.1", "reduce:k.0", "reduce:i.2", "reduce:j.1", "reduce:i.3", "reduce:j.2", "reduce:k.1", "reduce:k.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "reduce:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "reduce:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "reduce" in %f{{[0-9]+}} loop "reduce:k.0"
// CHECK-NEXT:  transform.sched.tensorize "reduce__reduce_init:i.3" in %f{{[0-9]+}} intrinsic "x86.tilezero_i32"
// CHECK-NEXT:  transform.sched.tensorize "reduce:i.3" in %f{{[0-9]+}} intrinsic "x86.tdpbusd"
// DUMP-LABEL: function mixed_signs:
// DUMP: 58 x86.product.tdpb: chosen
func.func @mixed_signs(%a: tensor<96x128xi8>, %b: tensor<128x64xi8>) -> tensor<96x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<96x64xi32>) -> tensor<96x64xi32>
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%z : tensor<96x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<96x64xi32>
  return %r : tensor<96x64xi32>
}

// CHECK-LABEL: transform.sched.function @prime_steps in
// CHECK-NEXT:  transform.sched.cache_read "matmul" in %f{{[0-9]+}} buffer "arg1" scope "global" consumers ["matmul"]
// CHECK-NEXT:  transform.sched.transform_layout "arg1_global_temp_buffer" in %f{{[0-9]+}} index_map "(d0, d1) -> (d1 floordiv 16, d0 floordiv 32, (d0 mod 32) floordiv 2, (d1 mod 16) * 2 + d0 mod 2)"
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax0" in %f{{[0-9]+}} factors [-1, 16, 2]
// CHECK-NEXT:  transform.sched.split "arg1_global_temp_buffer:cache_ax1" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["arg1_global_temp_buffer:cache_ax0.0", "arg1_global_temp_buffer:cache_ax1.0", "arg1_global_temp_buffer:cache_ax0.1", "arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["arg1_global_temp_buffer:cache_ax1.1", "arg1_global_temp_buffer:cache_ax0.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "arg1_global_temp_buffer:cache_ax1.1_cache_ax0.2_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "matmul:i" in %f{{[0-9]+}} factors [-1, 1, 2, 16]
// CHECK-NEXT:  transform.sched.split "matmul:j" in %f{{[0-9]+}} factors [-1, 2, 16]
// CHECK-NEXT:  transform.sched.split "matmul:k" in %f{{[0-9]+}} factors [-1, 16, 2]
// CHECK-NEXT:  transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:i.1", "matmul:k.0", "matmul:i.2", "matmul:j.1", "matmul:i.3", "matmul:j.2", "matmul:k.1", "matmul:k.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "matmul:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.decompose_reduction "matmul" in %f{{[0-9]+}} loop "matmul:k.0"
// CHECK-NEXT:  transform.sched.tensorize "matmul__reduce_init:i.3" in %f{{[0-9]+}} intrinsic "x86.tilezero_f32"
// CHECK-NEXT:  transform.sched.tensorize "matmul:i.3" in %f{{[0-9]+}} intrinsic "x86.tdpbf16ps"
// DUMP-LABEL: function prime_steps:
// DUMP: 59 x86.product.tdpbf16ps: chosen
func.func @prime_steps(%a: tensor<96x2144xbf16>, %b: tensor<2144x64xbf16>) -> tensor<96x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<96x64xf32>) -> tensor<96x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<96x2144xbf16>, tensor<2144x64xbf16>) outs(%z : tensor<96x64xf32>) -> tensor<96x64xf32>
  return %r : tensor<96x64xf32>
}

// DUMP-LABEL: function strict:
// DUMP: 59 x86.product.tdpbf16ps: undone after {{.*}} x86.tdpbf16ps needs loop.fp = "fast"
func.func @strict(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// DUMP-LABEL: function odd_depth:
// DUMP: 59 x86.product.tdpbf16ps: the reduced elements are not known to be a positive multiple of 32
func.func @odd_depth(%a: tensor<128x48xbf16>, %b: tensor<48x64xbf16>) -> tensor<128x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x48xbf16>, tensor<48x64xbf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// DUMP-LABEL: function odd_rows:
// DUMP: 59 x86.product.tdpbf16ps: rows and columns are not known to be positive multiples of 16
func.func @odd_rows(%a: tensor<72x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<72x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<72x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<72x64xf32>) -> tensor<72x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<72x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<72x64xf32>) -> tensor<72x64xf32>
  return %r : tensor<72x64xf32>
}

// DUMP-LABEL: function odd_columns:
// DUMP: 59 x86.product.tdpbf16ps: rows and columns are not known to be positive multiples of 16
func.func @odd_columns(%a: tensor<128x64xbf16>, %b: tensor<64x72xbf16>) -> tensor<128x72xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x72xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x72xf32>) -> tensor<128x72xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x72xbf16>) outs(%z : tensor<128x72xf32>) -> tensor<128x72xf32>
  return %r : tensor<128x72xf32>
}

// DUMP-LABEL: function unknown_rows:
// DUMP: 58 x86.product.tdpb: chosen if dim(arg0, 0) mod 16 == 0 and dim(arg0, 0) >= 16
func.func @unknown_rows(%a: tensor<?x64xi8>, %b: tensor<64x64xi8>) -> tensor<?x64xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x64xi8>
  %e = tensor.empty(%m) : tensor<?x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?x64xi32>) -> tensor<?x64xi32>
  %r = linalg.matmul ins(%a, %b : tensor<?x64xi8>, tensor<64x64xi8>) outs(%z : tensor<?x64xi32>) -> tensor<?x64xi32>
  return %r : tensor<?x64xi32>
}

// DUMP-LABEL: function few_rows:
// DUMP: 59 x86.product.tdpbf16ps: chosen
func.func @few_rows(%a: tensor<16x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<16x64xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

// Bytes of products of sizes do not overflow.
// DUMP-LABEL: function huge:
// DUMP: 59 x86.product.tdpbf16ps: chosen
func.func @huge(%a: tensor<16777216x16777216xbf16>, %b: tensor<16777216x16777216xbf16>) -> tensor<16777216x16777216xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16777216x16777216xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16777216x16777216xbf16>, tensor<16777216x16777216xbf16>) outs(%z : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  return %r : tensor<16777216x16777216xf32>
}
