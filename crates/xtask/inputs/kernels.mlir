// Nests bound to threads.

// Each thread reads two elements, the first one twice.
func.func @common(%g: memref<33xf32>, %Y: memref<32xf32> {loop.result}, %Z: memref<32xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "Y" [%v: spatial 32] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<33xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %Y[%v] : memref<32xf32>
    }
    loop.block "Z" [%v: spatial 32] = (%t) reads(%g[%v : 2]) writes(%Z[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %g[%v] : memref<33xf32>
      %b = memref.load %g[%next] : memref<33xf32>
      %s = arith.mulf %a, %b : f32
      memref.store %s, %Z[%v] : memref<32xf32>
    }
  }
  return
}

// Each thread stores an element, and then loads it.
func.func @stored_first(%g: memref<32xf32>, %Y: memref<32xf32> {loop.result}, %Z: memref<32xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "Y" [%v: spatial 32] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<32xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %Y[%v] : memref<32xf32>
    }
    loop.block "Z" [%v: spatial 32] = (%t) reads(%Y[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %Y[%v] : memref<32xf32>
      %s = arith.mulf %a, %a : f32
      memref.store %s, %Z[%v] : memref<32xf32>
    }
  }
  return
}

// Two loops over threads, one of which has fewer iterations.
func.func @widths(%A: memref<5x32xf32>, %Y: memref<5x12xf32> {loop.result}, %Z: memref<5x32xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 5 {
    loop.for thread_bind[threadIdx.x] %t in 12 {
      loop.block "Y" [%v: spatial 5, %w: spatial 12] = (%b, %t) reads(%A[%v : 1, %w : 1]) writes(%Y[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<5x32xf32>
        memref.store %a, %Y[%v, %w] : memref<5x12xf32>
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "Z" [%v: spatial 5, %w: spatial 32] = (%b, %t) reads(%A[%v : 1, %w : 1]) writes(%Z[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<5x32xf32>
        %n = arith.negf %a : f32
        memref.store %n, %Z[%v, %w] : memref<5x32xf32>
      }
    }
  }
  return
}
