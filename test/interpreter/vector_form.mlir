// CPU loops: vectors with a masked tail, rows in parallel chunks. The reference is softmax by NumPy in double.
// RUN: lw-run %s --entry softmax --execute input --device interpreter --input %S/Inputs/x57.npy --check %S/Inputs/softmax57.npy --rtol 1e-6 --atol 0 | FileCheck %s
// RUN: lw-run %s --entry softmax --execute input --device interpreter --input %S/Inputs/x57.npy --check %S/Inputs/softmax57.npy --rtol 1e-6 --atol 0 --seed 7 | FileCheck %s
// RUN: lw-run %s --entry reverse --execute input --device interpreter --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --rtol 0 --atol 0 --seed 3 | FileCheck %s
// RUN: not lw-run %s --entry no_mask --execute input --device interpreter --input %S/Inputs/x57.npy 2>&1 | FileCheck %s --check-prefix=TAIL
// RUN: not lw-run %s --entry reverse --execute input --device interpreter --input %S/Inputs/iota32.npy --max-iterations 7 2>&1 | FileCheck %s --check-prefix=LIMIT
// CHECK: result 0: {{.*}}: passed
// TAIL: vector_form.mlir:[[#]]:{{[0-9]+}}: error: {{.*}}lane 3: index [0, 7] is out of bounds of an array of sizes [5, 7]
// LIMIT: error: {{.*}}runs more iterations than the limit allows

func.func private @softmax_rows(%begin: index, %end: index, %x: memref<5x7xf32>, %out: memref<5x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c1 : memref<5x7xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<4xf32>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %exps = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  scf.for %i = %begin to %end step %c1 {
    %most = scf.for %j = %c0 to %n step %c4 iter_args(%m = %lowest) -> vector<4xf32> {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%j)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %v = vector.maskedload %x[%i, %j], %mask, %lowest : memref<5x7xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      %r = arith.maximumf %m, %v : vector<4xf32>
      scf.yield %r : vector<4xf32>
    }
    %row_most = vector.reduction <maximumf>, %most : vector<4xf32> into f32
    %shift = vector.broadcast %row_most : f32 to vector<4xf32>
    %sums = scf.for %j = %c0 to %n step %c4 iter_args(%s = %zero) -> vector<4xf32> {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%j)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %v = vector.maskedload %x[%i, %j], %mask, %lowest : memref<5x7xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      %d = arith.subf %v, %shift : vector<4xf32>
      %e = math.exp %d : vector<4xf32>
      vector.store %e, %exps[%j] : memref<8xf32>, vector<4xf32>
      %r = arith.addf %s, %e : vector<4xf32>
      scf.yield %r : vector<4xf32>
    }
    %row_sum = vector.reduction <add>, %sums : vector<4xf32> into f32
    %by = vector.broadcast %row_sum : f32 to vector<4xf32>
    scf.for %j = %c0 to %n step %c4 {
      %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%j)[%n]
      %mask = vector.create_mask %left : vector<4xi1>
      %e = vector.load %exps[%j] : memref<8xf32>, vector<4xf32>
      %q = arith.divf %e, %by : vector<4xf32>
      vector.maskedstore %out[%i, %j], %mask, %q : memref<5x7xf32>, vector<4xi1>, vector<4xf32>
    }
  }
  return
}

func.func @softmax(%x: memref<5x7xf32>, %out: memref<5x7xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<5x7xf32>
  loop.parallel_call @softmax_rows in %n grain(2) (%x, %out : memref<5x7xf32>, memref<5x7xf32>)
  return
}

func.func @reverse(%x: memref<32xf32>, %out: memref<32xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 32 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c4) {
    %v = vector.load %x[%i] : memref<32xf32>, vector<4xf32>
    %w = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
    %at = affine.apply affine_map<(d0) -> (28 - d0)>(%i)
    vector.store %w, %out[%at] : memref<32xf32>, vector<4xf32>
    scf.reduce
  }
  return
}

// A row has 7 elements: its second vector is partly out of bounds.
func.func @no_mask(%x: memref<5x7xf32>, %out: memref<5x7xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 7 : index
  scf.for %j = %c0 to %n step %c4 {
    %v = vector.load %x[%c0, %j] : memref<5x7xf32>, vector<4xf32>
    vector.store %v, %out[%c0, %j] : memref<5x7xf32>, vector<4xf32>
  }
  return
}
