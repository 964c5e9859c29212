// A function that calls itself between its kernels.
func.func private @again(%A: memref<64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "A" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      %s = arith.mulf %a, %a : f32
      memref.store %s, %A[%v] : memref<64xf32>
    }
  }

  call @again(%A) : (memref<64xf32>) -> ()
  return
}

func.func @main(%A: memref<64xf32>) {
  call @again(%A) : (memref<64xf32>) -> ()
  return
}
