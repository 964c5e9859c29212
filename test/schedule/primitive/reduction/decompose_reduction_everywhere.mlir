// Start values are stored for all points, whatever the predicate is, if that only defines elements that would be undefined.
// RUN: lw-opt %s --sched-decompose-reduction='block=own loop=own:k' --sched-decompose-reduction='block=argument loop=argument:k' \
// RUN:   --sched-decompose-reduction='block=written loop=written:k' --sched-decompose-reduction='block=again loop=again:k' \
// RUN:   --sched-decompose-reduction='block=part loop=part:k' | FileCheck %s

// The buffer is one of the function, and nothing else writes it.
// CHECK-LABEL: func.func @own(
// CHECK:           loop.block "own__reduce_init" [%v: spatial {{[0-9]+}}] = (%j)
// CHECK-NEXT:          writes(
func.func @own(%A: memref<?xf32>, %C: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %sums = loop.buffer "sums" scope(global) : memref<16xf32>
  loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for serial %j in 16 {
      loop.block "own" [%v: spatial 16, %vk: reduce %n ceildiv 16] = (%j, %k) where(%k * -16 - %j + %n - 1 >= 0)
          reads(%A[%vk * 16 + %v : 1]) writes(%sums[%v : 1]) reducer(add, 0.0) {
        %zero = arith.constant 0.0 : f32
        loop.init { memref.store %zero, %sums[%v] : memref<16xf32> }
        %p = affine.apply affine_map<(v, k) -> (k * 16 + v)>(%v, %vk)
        %a = memref.load %A[%p] : memref<?xf32>
        %b = memref.load %sums[%v] : memref<16xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %sums[%v] : memref<16xf32>
      }
    }
  }
  loop.for serial %i in 1 {
    loop.block "read" [%v: spatial 1] = (%i) reads(%sums[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %sums[%v] : memref<16xf32>
      memref.store %x, %C[%v] : memref<16xf32>
    }
  }
  return
}

// The buffer is an argument: the caller reads all elements.
// CHECK-LABEL: func.func @argument(
// CHECK:           loop.block "argument__reduce_init" [%v: spatial {{[0-9]+}}] = (%j)
// CHECK-NEXT:          where(-%j + symbol(%{{.*}}) - 1 >= 0)
// CHECK-NEXT:          writes(
func.func @argument(%A: memref<?xf32>, %C: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for serial %j in 16 {
      loop.block "argument" [%v: spatial 16, %vk: reduce %n ceildiv 16] = (%j, %k) where(%k * -16 - %j + %n - 1 >= 0)
          reads(%A[%vk * 16 + %v : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
        %zero = arith.constant 0.0 : f32
        loop.init { memref.store %zero, %C[%v] : memref<16xf32> }
        %p = affine.apply affine_map<(v, k) -> (k * 16 + v)>(%v, %vk)
        %a = memref.load %A[%p] : memref<?xf32>
        %b = memref.load %C[%v] : memref<16xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %C[%v] : memref<16xf32>
      }
    }
  }
  return
}

// Another block writes the buffer before.
// CHECK-LABEL: func.func @written(
// CHECK:           loop.block "written__reduce_init" [%v: spatial {{[0-9]+}}] = (%j)
// CHECK-NEXT:          where(-%j + symbol(%{{.*}}) - 1 >= 0)
// CHECK-NEXT:          writes(
func.func @written(%A: memref<?xf32>, %C: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %sums = loop.buffer "sums" scope(global) : memref<16xf32>
  loop.for serial %i in 16 {
    loop.block "other" [%v: spatial 16] = (%i) writes(%sums[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %sums[%v] : memref<16xf32>
    }
  }
  loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for serial %j in 16 {
      loop.block "written" [%v: spatial 16, %vk: reduce %n ceildiv 16] = (%j, %k) where(%k * -16 - %j + %n - 1 >= 0)
          reads(%A[%vk * 16 + %v : 1]) writes(%sums[%v : 1]) reducer(add, 0.0) {
        %zero = arith.constant 0.0 : f32
        loop.init { memref.store %zero, %sums[%v] : memref<16xf32> }
        %p = affine.apply affine_map<(v, k) -> (k * 16 + v)>(%v, %vk)
        %a = memref.load %A[%p] : memref<?xf32>
        %b = memref.load %sums[%v] : memref<16xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %sums[%v] : memref<16xf32>
      }
    }
  }
  loop.for serial %i in 1 {
    loop.block "read" [%v: spatial 1] = (%i) reads(%sums[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %sums[%v] : memref<16xf32>
      memref.store %x, %C[%v] : memref<16xf32>
    }
  }
  return
}

// A loop around starts the sums again, for fewer elements each time.
// CHECK-LABEL: func.func @again(
// CHECK:           loop.block "again__reduce_init" [%v: spatial {{[0-9]+}}] = (%j)
// CHECK-NEXT:          where(-%r - %j + symbol(%{{.*}}) - 1 >= 0)
// CHECK-NEXT:          writes(
func.func @again(%A: memref<?xf32>, %C: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %sums = loop.buffer "sums" scope(global) : memref<16xf32>
  loop.for serial %r in 2 {
    loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
      loop.for serial %j in 16 {
        loop.block "again" [%v: spatial 16, %vk: reduce %n ceildiv 16] = (%j, %k) where(%k * -16 - %j - %r + %n - 1 >= 0)
            reads(%A[%vk * 16 + %v : 1]) writes(%sums[%v : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %sums[%v] : memref<16xf32> }
          %p = affine.apply affine_map<(v, k) -> (k * 16 + v)>(%v, %vk)
          %a = memref.load %A[%p] : memref<?xf32>
          %b = memref.load %sums[%v] : memref<16xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %sums[%v] : memref<16xf32>
        }
      }
    }
  }
  loop.for serial %i in 1 {
    loop.block "read" [%v: spatial 1] = (%i) reads(%sums[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %sums[%v] : memref<16xf32>
      memref.store %x, %C[%v] : memref<16xf32>
    }
  }
  return
}

// The iter takes other values than those of the loop.
// CHECK-LABEL: func.func @part(
// CHECK:           loop.block "part__reduce_init" [%v: spatial {{[0-9]+}}] = (%j)
// CHECK-NEXT:          where(-%j + symbol(%{{.*}}) - 1 >= 0)
// CHECK-NEXT:          writes(
func.func @part(%A: memref<?xf32>, %C: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %sums = loop.buffer "sums" scope(global) : memref<16xf32>
  loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for serial %j in 12 {
      loop.block "part" [%v: spatial 16, %vk: reduce %n ceildiv 16] = (%j, %k) where(%k * -16 - %j + %n - 1 >= 0)
          reads(%A[%vk * 16 + %v : 1]) writes(%sums[%v : 1]) reducer(add, 0.0) {
        %zero = arith.constant 0.0 : f32
        loop.init { memref.store %zero, %sums[%v] : memref<16xf32> }
        %p = affine.apply affine_map<(v, k) -> (k * 16 + v)>(%v, %vk)
        %a = memref.load %A[%p] : memref<?xf32>
        %b = memref.load %sums[%v] : memref<16xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %sums[%v] : memref<16xf32>
      }
    }
  }
  loop.for serial %i in 1 {
    loop.block "read" [%v: spatial 1] = (%i) reads(%sums[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %sums[%v] : memref<16xf32>
      memref.store %x, %C[%v] : memref<16xf32>
    }
  }
  return
}
