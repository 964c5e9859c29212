// RUN: lw-opt %s --verify-kernel-calls --split-input-file --verify-diagnostics

// Calls of functions with nests or scalars are allowed; functions without kernels may call anything.
func.func private @square(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
func.func private @squares(%A: memref<64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "A" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      %s = func.call @square(%a) : (f32) -> f32
      memref.store %s, %A[%v] : memref<64xf32>
    }
  }
  return
}
func.func @main(%A: memref<64xf32>) {
  call @squares(%A) : (memref<64xf32>) -> ()
  call @squares(%A) : (memref<64xf32>) -> ()
  return
}
// The host executes a call in a loop that is not inlined.
func.func @repeated(%A: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @squares(%A) {no_inline} : (memref<64xf32>) -> ()
  }
  return
}
func.func private @elsewhere(f32) -> f32
func.func private @again(%x: f32) -> f32 {
  %0 = call @elsewhere(%x) : (f32) -> f32
  %1 = call @again(%0) : (f32) -> f32
  return %1 : f32
}

// -----

func.func private @elsewhere(f32) -> f32
func.func @c1_body(%A: memref<64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "A" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      // expected-error @below {{'func.call' op calls @elsewhere, which has no body, expected one: kernels contain no calls, so the call must be inlined (C1)}}
      %s = func.call @elsewhere(%a) : (f32) -> f32
      memref.store %s, %A[%v] : memref<64xf32>
    }
  }
  return
}

// -----

func.func private @even(%A: memref<64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "A" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      memref.store %a, %A[%v] : memref<64xf32>
    }
  }
  // expected-error @below {{'func.call' op calls @odd, which calls @even again: kernels contain no calls, and recursion cannot be inlined; use a loop (C2)}}
  call @odd(%A) : (memref<64xf32>) -> ()
  return
}
func.func private @odd(%A: memref<64xf32>) {
  call @even(%A) : (memref<64xf32>) -> ()
  return
}
func.func @c2_through_another(%A: memref<64xf32>) {
  call @even(%A) : (memref<64xf32>) -> ()
  return
}

// -----

func.func private @sums(%A: memref<64xf32>) attributes {loop.fp = "fast"} {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "A" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      memref.store %a, %A[%v] : memref<64xf32>
    }
  }
  return
}
func.func @c3_contract(%A: memref<64xf32>) {
  // expected-error @below {{'func.call' op calls @sums, whose floating-point contract is fast, from a function whose contract is strict: expected the same, because the call must be inlined (C3)}}
  call @sums(%A) : (memref<64xf32>) -> ()
  return
}

// -----

func.func private @squares(%A: memref<64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "A" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      %s = arith.mulf %a, %a : f32
      memref.store %s, %A[%v] : memref<64xf32>
    }
  }
  return
}
func.func @c4_call_in_a_branch(%A: memref<64xf32>, %c: i1) {
  scf.if %c {
    // expected-error @below {{'func.call' op calls @squares in an 'scf.if', expected a call with 'no_inline': nests of loops cannot be inlined there (C4)}}
    func.call @squares(%A) : (memref<64xf32>) -> ()
  }
  return
}
