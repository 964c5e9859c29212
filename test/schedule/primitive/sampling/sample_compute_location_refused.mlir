// Refusals of sample_compute_location.
// RUN: lw-opt %s --sched-expect-refusal --verify-diagnostics

// expected-error @+1 {{sample_compute_location: there is no schedule block "Q", there are "P", "C" (C1)}}
func.func @sample_compute_location_c1_no_block(%A: memref<4x8xf32>, %B: memref<4x8xf32>)
    attributes {refused = "sample_compute_location 'Q' in %f as 'at'"} {
%T = loop.buffer "T" scope(global) : memref<4x8xf32>
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    loop.block "P" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
      %a = memref.load %A[%v, %w] : memref<4x8xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %T[%v, %w] : memref<4x8xf32>
    }
  }
}
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    loop.block "C" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
      %a = memref.load %T[%v, %w] : memref<4x8xf32>
      memref.store %a, %B[%v, %w] : memref<4x8xf32>
    }
  }
}
return
}

// expected-error @+1 {{sample_compute_location: there is a decision "at" already (C2)}}
func.func @sample_compute_location_c2_taken(%A: memref<4x8xf32>, %B: memref<4x8xf32>) attributes {loop.decisions = {at = "C:i"},
    refused = "sample_compute_location 'P' in %f as 'at'"} {
%T = loop.buffer "T" scope(global) : memref<4x8xf32>
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    loop.block "P" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
      %a = memref.load %A[%v, %w] : memref<4x8xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %T[%v, %w] : memref<4x8xf32>
    }
  }
}
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    loop.block "C" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
      %a = memref.load %T[%v, %w] : memref<4x8xf32>
      memref.store %a, %B[%v, %w] : memref<4x8xf32>
    }
  }
}
return
}

func.func @sample_compute_location_c3_output(%A: memref<4x8xf32>, %B: memref<4x8xf32>)
    attributes {refused = "sample_compute_location 'C' in %f as 'at'"} {
%T = loop.buffer "T" scope(global) : memref<4x8xf32>
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    loop.block "P" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
      %a = memref.load %A[%v, %w] : memref<4x8xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %T[%v, %w] : memref<4x8xf32>
    }
  }
}
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    // expected-error @+1 {{sample_compute_location: there is no loop to which compute_at would move schedule block "C" (C3)}}
    loop.block "C" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
      %a = memref.load %T[%v, %w] : memref<4x8xf32>
      memref.store %a, %B[%v, %w] : memref<4x8xf32>
    }
  }
}
return
}

func.func @sample_compute_location_c4_own_loop(%A: memref<4x8xf32>, %B: memref<4x8xf32>)
    attributes {refused = "sample_compute_location 'P' in %f as 'at' decision 'P:i'"} {
%T = loop.buffer "T" scope(global) : memref<4x8xf32>
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    // expected-error @+1 {{sample_compute_location: "P:i" is not a decision: expected one of C:i, C:j (C4)}}
    loop.block "P" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
      %a = memref.load %A[%v, %w] : memref<4x8xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %T[%v, %w] : memref<4x8xf32>
    }
  }
}
loop.for serial %i in 4 {
  loop.for serial %j in 8 {
    loop.block "C" [%v: spatial 4, %w: spatial 8] = (%i, %j)
        reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
      %a = memref.load %T[%v, %w] : memref<4x8xf32>
      memref.store %a, %B[%v, %w] : memref<4x8xf32>
    }
  }
}
return
}
