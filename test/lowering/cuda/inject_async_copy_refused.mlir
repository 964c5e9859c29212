// RUN: lw-opt %s --convert-loop-to-gpu --canonicalize --inject-async-copy --split-input-file --verify-diagnostics

// A thread must also wait for its own copies.
func.func @no_barrier(%A: memref<128xf32>, %B: memref<128xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<128xf32>
  loop.for thread_bind[threadIdx.x] %t in 128 {
    // expected-error @+1 {{"copy" copies asynchronously, and no barrier separates it from "B", which accesses the copy: insert one with sync_threads (C10)}}
    loop.block "copy" [%v: spatial 128] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) attributes {loop.annotations = {async_copy = true}} {
      %a = memref.load %A[%v] : memref<128xf32>
      memref.store %a, %S[%v] : memref<128xf32>
    }
    loop.block "B" [%v: spatial 128] = (%t) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %s = memref.load %S[%v] : memref<128xf32>
      memref.store %s, %B[%v] : memref<128xf32>
    }
  }
  return
}

// -----

func.func @not_shared(%A: memref<128xf32>, %B: memref<128xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 128 {
    // expected-error @+1 {{"B" has the annotation "async_copy", expected the value true, and one load from global memory whose value is stored to shared memory (C10)}}
    loop.block "B" [%v: spatial 128] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) attributes {loop.annotations = {async_copy = true}} {
      %a = memref.load %A[%v] : memref<128xf32>
      memref.store %a, %B[%v] : memref<128xf32>
    }
  }
  return
}

// -----

func.func @computed(%A: memref<128xf32>, %B: memref<128xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<128xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "copy" [%v: spatial 128] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) attributes {loop.annotations = {async_copy = true}} {
        %a = memref.load %A[%v] : memref<128xf32>
        %n = arith.negf %a : f32
        // expected-error @+1 {{expected an unconditional store to shared memory of an unchanged value from global memory (C1)}}
        memref.store %n, %S[%v] : memref<128xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "B" [%v: spatial 128] = (%t) reads(%S[-%v + 127 : 1]) writes(%B[%v : 1]) {
        %i = affine.apply affine_map<(d0) -> (127 - d0)>(%v)
        %s = memref.load %S[%i] : memref<128xf32>
        memref.store %s, %B[%v] : memref<128xf32>
      }
    }
  }
  return
}

// -----

func.func @two_bytes(%A: memref<128xf16>, %B: memref<128xf16> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<128xf16>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "copy" [%v: spatial 128] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) attributes {loop.annotations = {async_copy = true}} {
        %a = memref.load %A[%v] : memref<128xf16>
        // expected-error @+1 {{copies 2 bytes asynchronously, expected 4, 8 or 16 bytes at an address that is proved to be aligned to that size (C2)}}
        memref.store %a, %S[%v] : memref<128xf16>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "B" [%v: spatial 128] = (%t) reads(%S[-%v + 127 : 1]) writes(%B[%v : 1]) {
        %i = affine.apply affine_map<(d0) -> (127 - d0)>(%v)
        %s = memref.load %S[%i] : memref<128xf16>
        memref.store %s, %B[%v] : memref<128xf16>
      }
    }
  }
  return
}

// -----

gpu.module @kernels {
  gpu.func @masked(%A: memref<128xf32>, %m: vector<4xi1>) workgroup(%S: memref<128xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %a = vector.load %A[%t] : memref<128xf32>, vector<4xf32>
    // expected-error @+1 {{expected an unconditional store}}
    vector.maskedstore %S[%t], %m, %a {loop.async_copy} : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xi1>, vector<4xf32>
    gpu.return
  }
}
