// Three buffers of known size; the first and the last are not live at the same time.
func.func @chain(%A: memref<16xf32>, %B: memref<8xf64> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<8xf64>
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %A[%i] : memref<16xf32>
    memref.store %x, %a[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %a[%i] : memref<16xf32>
    %y = arith.negf %x : f32
    memref.store %y, %b[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %b[%i] : memref<16xf32>
    %y = arith.extf %x : f32 to f64
    memref.store %y, %c[%i] : memref<8xf64>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %c[%i] : memref<8xf64>
    memref.store %x, %B[%i] : memref<8xf64>
  }
  return
}

// Four buffers of unknown size; the first three are live at the same time.
func.func @dynamic(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %A[%i] : memref<?xf32>
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
    memref.store %x, %c[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = memref.load %c[%i] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %d[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %d[%i] : memref<?xf32>
    memref.store %x, %B[%i] : memref<?xf32>
  }
  return
}
