// RUN: lw-opt %s --split-input-file --verify-diagnostics

// Axes that a block states are derived again.
func.func @order(%A: memref<4x8xf32>) attributes {loop.axes} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      // expected-error @below {{"A" has the axes {loop_axis = "i", sched_axis = ["j", "i"], vectorized_axis = [["i", "j"]], vectorized_stride = [[8, 1]]}, expected {loop_axis = "j", sched_axis = ["i", "j"], vectorized_axis = [["i", "j"]], vectorized_stride = [[8, 1]]}: state them again, or remove 'loop.axes'}}
      loop.block "A" [%v: spatial 4, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1])
          attributes {loop.axes = {loop_axis = "i", sched_axis = ["j", "i"], vectorized_axis = [["i", "j"]], vectorized_stride = [[8, 1]]}} {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// -----

// The lanes are the data of one run.
func.func @loop_axis(%A: memref<4x8xf32>) attributes {loop.axes} {
  loop.for serial %i in 4 {
    loop.for vectorize %j in 8 {
      // expected-error @below {{expected {loop_axis = "i", sched_axis}}
      loop.block "A" [%v: spatial 4, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1])
          attributes {loop.axes = {loop_axis = "j", sched_axis = ["i", "j"], vectorized_axis = [["i", "j"]], vectorized_stride = [[8, 1]]}} {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// -----

// The example of the source: the buffer holds z1, z2 and z3, and one run computes z2 and z3.
func.func @source(%X: memref<3x4x5x6xf32>, %Y: memref<3x4x5x6xf32>) attributes {loop.axes} {
  %b = loop.buffer "b" scope(local) : memref<4x5x6xf32>
  loop.for serial %z0 in 3 {
    loop.for serial %z1 in 4 {
      loop.for unroll %z2 in 5 {
        loop.for vectorize %z3 in 6 {
          loop.block "b" [%q0: spatial 3, %q1: spatial 4, %q2: spatial 5, %q3: spatial 6] = (%z0, %z1, %z2, %z3)
              reads(%X[%q0 : 1, %q1 : 1, %q2 : 1, %q3 : 1]) writes(%b[%q1 : 1, %q2 : 1, %q3 : 1])
              attributes {loop.axes = {loop_axis = "z1", sched_axis = ["z0", "z1", "z2", "z3"], vectorized_axis = [["z1", "z2", "z3"]], vectorized_stride = [[30, 6, 1]]}} {
            %x = memref.load %X[%q0, %q1, %q2, %q3] : memref<3x4x5x6xf32>
            memref.store %x, %b[%q1, %q2, %q3] : memref<4x5x6xf32>
          }
        }
      }
    }
    loop.for serial %z1 in 4 {
      loop.for serial %z2 in 5 {
        loop.for serial %z3 in 6 {
          // expected-error @below {{vectorized_stride = [[119, 30, 6, 1]]}, expected}}
          loop.block "Y" [%q0: spatial 3, %q1: spatial 4, %q2: spatial 5, %q3: spatial 6] = (%z0, %z1, %z2, %z3)
              reads(%b[%q1 : 1, %q2 : 1, %q3 : 1]) writes(%Y[%q0 : 1, %q1 : 1, %q2 : 1, %q3 : 1])
              attributes {loop.axes = {loop_axis = "z3", sched_axis = ["z0", "z1", "z2", "z3"], vectorized_axis = [["z0", "z1", "z2", "z3"]], vectorized_stride = [[119, 30, 6, 1]]}} {
            %x = memref.load %b[%q1, %q2, %q3] : memref<4x5x6xf32>
            memref.store %x, %Y[%q0, %q1, %q2, %q3] : memref<3x4x5x6xf32>
          }
        }
      }
    }
  }
  return
}

// -----

func.func @nest(%A: memref<4xf32>) attributes {loop.axes} {
  // expected-error @below {{"outer" has 'loop.axes', which only a block without nested blocks has}}
  loop.block "outer" [] = () writes(%A[0 : 4]) attributes {loop.axes = {}} {
    loop.for serial %i in 4 {
      loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<4xf32>
      }
    }
  }
  return
}
