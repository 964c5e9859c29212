// RUN: lw-opt %s --longlong2int --split-input-file | FileCheck %s
// RUN: lw-opt %s --longlong2int --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// (C1)
// REMARK: remark: indices keep 64 bits: the kernel is launched more than once (C1)
// CHECK: gpu.func @twice(
// CHECK-NOT: i32
module attributes {gpu.container_module} {
  func.func @c1_twice(%A: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<64xf32>)
    gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @twice(%A: memref<64xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      memref.store %zero, %A[%t] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// (C2) A product beyond 32 bits; (C3) a loop whose last step exceeds them; (C4) a buffer of 4 GiB.
// REMARK: remark: indices keep 64 bits: the result of 'arith.muli' may be 4611686014132420609, which exceeds 32 bits (C2)
// REMARK: remark: indices keep 64 bits: a loop variable may reach 2147483648, which exceeds 32 bits (C3)
// REMARK: remark: indices keep 64 bits: argument 0 of 'gpu.func' has 4294967296 bytes, whose offsets exceed 32 bits (C4)
// CHECK: gpu.func @product(
// CHECK-NOT: : i32
module attributes {gpu.container_module} {
  func.func @c2_c3_c4(%A: memref<1073741824xf32>, %B: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %most = arith.constant 2147483647 : index
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%B : memref<64xf32>, %most : index)
    gpu.launch_func @kernels::@loop blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%B : memref<64xf32>, %most : index)
    gpu.launch_func @kernels::@large blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<1073741824xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @product(%B: memref<64xf32>, %n: index) kernel {
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %p = arith.muli %n, %n : index
      %q = arith.minsi %p, %t : index
      memref.store %zero, %B[%q] : memref<64xf32>
      gpu.return
    }
    gpu.func @loop(%B: memref<64xf32>, %n: index) kernel {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %k = %c0 to %n step %c1 {
        memref.store %zero, %B[%c0] : memref<64xf32>
      }
      gpu.return
    }
    gpu.func @large(%A: memref<1073741824xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      memref.store %zero, %A[%t] : memref<1073741824xf32>
      gpu.return
    }
  }
}

// -----

// (C2) A loop that carries an index.
// REMARK: remark: indices keep 64 bits: the range of the result of 'scf.for' is not known (C2)
// CHECK: gpu.func @carried(
// CHECK-NOT: : i32
module attributes {gpu.container_module} {
  func.func @c2_carried(%A: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@carried blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @carried(%A: memref<64xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%i = %c1) -> (index) {
        %s = arith.addi %i, %i : index
        scf.yield %s : index
      }
      memref.store %zero, %A[%c0] : memref<64xf32>
      gpu.return
    }
  }
}

// -----

// (C2) A shift may exceed 32 bits, and the bits of a possibly negative value are unknown.
// REMARK: remark: indices keep 64 bits: the result of 'arith.shli' may be 135291469824, which exceeds 32 bits (C2)
// REMARK: remark: indices keep 64 bits: the range of the result of 'arith.xori' is not known (C2)
// CHECK: gpu.func @shifted(
// CHECK-NOT: : i32
module attributes {gpu.container_module} {
  func.func @c2_bits(%B: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@shifted blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%B : memref<64xf32>)
    gpu.launch_func @kernels::@negative blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%B : memref<64xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @shifted(%B: memref<64xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %c31 = arith.constant 31 : index
      %t = gpu.thread_id x
      %a = arith.shli %t, %c31 : index
      %q = arith.minsi %a, %t : index
      memref.store %zero, %B[%q] : memref<64xf32>
      gpu.return
    }
    gpu.func @negative(%B: memref<64xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %c3 = arith.constant 3 : index
      %t = gpu.thread_id x
      %a = arith.subi %t, %c3 : index
      %b = arith.xori %a, %t : index
      %q = arith.minsi %b, %t : index
      memref.store %zero, %B[%q] : memref<64xf32>
      gpu.return
    }
  }
}
