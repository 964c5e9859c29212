// Removed barriers get a remark if requested: the second of two, and a redundant one. So do certain races, if no
// barrier is inserted for them; if barriers are inserted, there are no races.
// RUN: lw-opt %s --thread-sync='insert=false remark=true' -verify-diagnostics -o /dev/null
// RUN: sed 's/expected-remark/no/' %s | lw-opt --thread-sync='insert=false' -o /dev/null 2>&1 | count 0
// RUN: sed 's/expected-remark/no/' %s | lw-opt --thread-sync='remark=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PUT
// RUN: not lw-opt %s --thread-sync='remark=all' 2>&1 | FileCheck %s

// CHECK: 'all'
// PUT-NOT: race

func.func @reversed(%X: memref<64xf32>, %Y: memref<64xf32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) reads(%X[%i : 1]) writes(%tile[%i : 1]) {
        %x = memref.load %X[%i] : memref<64xf32>
        memref.store %x, %tile[%i] : memref<64xf32>
      }
      // expected-remark @below {{this barrier is removed: it orders nothing that other barriers do not order}}
      loop.sync
      loop.sync
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%Y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %x = memref.load %tile[%k] : memref<64xf32>
        memref.store %x, %Y[%i] : memref<64xf32>
      }
      // expected-remark @below {{this barrier is removed: it orders nothing that other barriers do not order}}
      loop.sync
    }
  }
  return
}

func.func @raced(%X: memref<64xf32>, %Y: memref<64xf32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) reads(%X[%i : 1]) writes(%tile[%i : 1]) {
        %x = memref.load %X[%i] : memref<64xf32>
        memref.store %x, %tile[%i] : memref<64xf32>
      }
      // expected-remark @below {{different threads race, with no barrier between their accesses: iterations b = 0, t = }}
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%Y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %x = memref.load %tile[%k] : memref<64xf32>
        memref.store %x, %Y[%i] : memref<64xf32>
      }
    }
  }
  return
}

// Accesses that a barrier may separate are not reported as a race.
func.func @maybe_apart(%n: index, %X: memref<64xf32>, %Y: memref<64xf32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) reads(%X[%i : 1]) writes(%tile[%i : 1]) {
        %x = memref.load %X[%i] : memref<64xf32>
        memref.store %x, %tile[%i] : memref<64xf32>
      }
      loop.for serial %k in %n {
        loop.sync
      }
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%Y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %x = memref.load %tile[%k] : memref<64xf32>
        memref.store %x, %Y[%i] : memref<64xf32>
      }
    }
  }
  return
}
