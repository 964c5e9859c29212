// Transposed rows: tiles of whole cache lines, transposed in registers. If the last dimension stays, rows are copied.
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --print-schedule | FileCheck %s
// RUN: lw-run %s --target x86 --schedule-by priority --cpu znver4 --compile-to schedule --dump-strategy 2>&1 | FileCheck %s --check-prefix=DUMP

// CHECK-LABEL: transform.sched.function @square in
// CHECK-NEXT:  transform.sched.split "transpose:j" in %f{{[0-9]+}} factors [-1, 2, 16]
// CHECK-NEXT:  transform.sched.split "transpose:i" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:j.0", "transpose:i.0", "transpose:j.1", "transpose:i.1", "transpose:j.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "transpose:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "transpose:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.annotate "transpose" in %f{{[0-9]+}} key "nontemporal" value true
// CHECK-NEXT:  transform.sched.parallel "transpose:j.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function square:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: chosen
func.func @square(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %r = linalg.transpose ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) permutation = [1, 0]
  return %r : tensor<4096x4096xf32>
}

// CHECK-LABEL: transform.sched.function @heads in
// CHECK-NEXT:  transform.sched.split "transpose:l" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.split "transpose:k" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:i", "transpose:j", "transpose:l.0", "transpose:k.0", "transpose:l.1", "transpose:k.1", "transpose:l.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "transpose:k.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "transpose:l.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.fuse ["transpose:i", "transpose:j"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "transpose:i_j_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function heads:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: chosen
func.func @heads(%x: tensor<8x100x12x50xf32>) -> tensor<8x12x50x100xf32> {
  %empty = tensor.empty() : tensor<8x12x50x100xf32>
  %r = linalg.transpose ins(%x : tensor<8x100x12x50xf32>) outs(%empty : tensor<8x12x50x100xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<8x12x50x100xf32>
}

// CHECK-LABEL: transform.sched.function @rows_stay in
// CHECK-NEXT:  transform.sched.sample_categorical "transpose.width" in %f{{[0-9]+}} candidates [{{.*}}] decision 32
// CHECK-NEXT:  transform.sched.vectorize "transpose:l" in %f{{[0-9]+}} factor "$transpose.width"
// CHECK-NEXT:  transform.sched.fuse ["transpose:i", "transpose:j"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "transpose:i_j_fused" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function rows_stay:
// DUMP:       group transpose
// DUMP:       10 x86.elementwise: chosen
func.func @rows_stay(%x: tensor<8x100x12x50xf32>) -> tensor<8x12x100x50xf32> {
  %empty = tensor.empty() : tensor<8x12x100x50xf32>
  %r = linalg.transpose ins(%x : tensor<8x100x12x50xf32>) outs(%empty : tensor<8x12x100x50xf32>) permutation = [0, 2, 1, 3]
  return %r : tensor<8x12x100x50xf32>
}

// CHECK-LABEL: transform.sched.function @tails in
// CHECK-NEXT:  transform.sched.split "transpose:k" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.split "transpose:j" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:k.0", "transpose:i", "transpose:j.0", "transpose:k.1", "transpose:j.1", "transpose:k.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "transpose:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "transpose:k.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "transpose:k.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function tails:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: chosen
func.func @tails(%x: tensor<3x1000x1003xf32>) -> tensor<3x1003x1000xf32> {
  %empty = tensor.empty() : tensor<3x1003x1000xf32>
  %r = linalg.transpose ins(%x : tensor<3x1000x1003xf32>) outs(%empty : tensor<3x1003x1000xf32>) permutation = [0, 2, 1]
  return %r : tensor<3x1003x1000xf32>
}

// CHECK-LABEL: transform.sched.function @few_rows in
// CHECK-NEXT:  transform.sched.split "transpose:j" in %f{{[0-9]+}} factors [-1, 2, 16]
// CHECK-NEXT:  transform.sched.split "transpose:i" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:i.0", "transpose:j.0", "transpose:j.1", "transpose:i.1", "transpose:j.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "transpose:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "transpose:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "transpose:i.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function few_rows:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: chosen
func.func @few_rows(%x: tensor<100x65536xf32>) -> tensor<65536x100xf32> {
  %empty = tensor.empty() : tensor<65536x100xf32>
  %r = linalg.transpose ins(%x : tensor<100x65536xf32>) outs(%empty : tensor<65536x100xf32>) permutation = [1, 0]
  return %r : tensor<65536x100xf32>
}

// CHECK-LABEL: transform.sched.function @bytes in
// CHECK-NEXT:  transform.sched.split "transpose:j" in %f{{[0-9]+}} factors [-1, 4, 64]
// CHECK-NEXT:  transform.sched.split "transpose:i" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.reorder ["transpose:i.0", "transpose:j.0", "transpose:j.1", "transpose:i.1", "transpose:i.2", "transpose:j.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "transpose:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "transpose:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "transpose:i.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function bytes:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: chosen
func.func @bytes(%x: tensor<512x256xi8>) -> tensor<256x512xi8> {
  %empty = tensor.empty() : tensor<256x512xi8>
  %r = linalg.transpose ins(%x : tensor<512x256xi8>) outs(%empty : tensor<256x512xi8>) permutation = [1, 0]
  return %r : tensor<256x512xi8>
}

// CHECK-LABEL: transform.sched.function @narrow in
// CHECK-NEXT:  transform.sched.split "transpose:j" in %f{{[0-9]+}} factors [-1, 8]
// CHECK-NEXT:  transform.sched.split "transpose:i" in %f{{[0-9]+}} factors [-1, 2, 8]
// CHECK-NEXT:  transform.sched.reorder ["transpose:i.0", "transpose:j.0", "transpose:i.1", "transpose:i.2", "transpose:j.1"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "transpose:i.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "transpose:j.1" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function narrow:
// DUMP:       group transpose
// DUMP:       20 x86.transpose: chosen
func.func @narrow(%x: tensor<12x1000xf32>) -> tensor<1000x12xf32> {
  %empty = tensor.empty() : tensor<1000x12xf32>
  %r = linalg.transpose ins(%x : tensor<12x1000xf32>) outs(%empty : tensor<1000x12xf32>) permutation = [1, 0]
  return %r : tensor<1000x12xf32>
}

// CHECK-LABEL: transform.sched.function @read_by_a_map in
// CHECK-NEXT:  transform.sched.compute_inline "transpose" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.split "add:j" in %f{{[0-9]+}} factors [-1, 4, 16]
// CHECK-NEXT:  transform.sched.split "add:i" in %f{{[0-9]+}} factors [-1, 16]
// CHECK-NEXT:  transform.sched.reorder ["add:i.0", "add:j.0", "add:j.1", "add:i.1", "add:j.2"] in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.unroll "add:i.1" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.vectorize "add:j.2" in %f{{[0-9]+}}
// CHECK-NEXT:  transform.sched.parallel "add:i.0" in %f{{[0-9]+}}
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function read_by_a_map:
// DUMP:       group add
// DUMP:       20 x86.transpose: chosen
func.func @read_by_a_map(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %empty = tensor.empty() : tensor<512x512xf32>
  %t = linalg.transpose ins(%x : tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) permutation = [1, 0]
  %r = linalg.add ins(%t, %y : tensor<512x512xf32>, tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// CHECK-LABEL: transform.sched.function @too_narrow in
// CHECK-NEXT:  transform.sched.vectorize "transpose:j" in %f{{[0-9]+}} factor 16
// CHECK-NEXT:  {{transform.yield|%f}}
// DUMP-LABEL: function too_narrow:
// DUMP:       group transpose
// DUMP:       10 x86.elementwise: chosen
func.func @too_narrow(%x: tensor<3x1000xf32>) -> tensor<1000x3xf32> {
  %empty = tensor.empty() : tensor<1000x3xf32>
  %r = linalg.transpose ins(%x : tensor<3x1000xf32>) outs(%empty : tensor<1000x3xf32>) permutation = [1, 0]
  return %r : tensor<1000x3xf32>
}
