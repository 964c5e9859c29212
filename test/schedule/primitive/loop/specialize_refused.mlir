// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @specialize_c1_no_loop(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:k' in %f condition 'arg2 > 4'"} {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      // expected-error @+1 {{specialize: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c2_no_size(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg7 >= 4'"} {
  // expected-error @+1 {{specialize: "arg7 >= 4" is not a condition on sizes: found "arg7 >= 4", expected a number or a size, of which there are arg2 (C2)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c2_no_relation(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg2 + 4'"} {
  // expected-error @+1 {{specialize: "arg2 + 4" is not a condition on sizes: found "", expected one of >= <= == > < (C2)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c2_divisor(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg2 mod 0 == 0'"} {
  // expected-error @+1 {{specialize: "arg2 mod 0 == 0" is not a condition on sizes: found a divisor that is not a positive number (C2)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c2_end(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg2 > 4 or arg2 < 2'"} {
  // expected-error @+1 {{specialize: "arg2 > 4 or arg2 < 2" is not a condition on sizes: found "or arg2 < 2", expected "and" or the end (C2)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c2_open(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition '(arg2 + 1 > 4'"} {
  // expected-error @+1 {{specialize: "(arg2 + 1 > 4" is not a condition on sizes: found "> 4", expected ")" (C2)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c3_always(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg2 >= 0'"} {
  // expected-error @+1 {{specialize: "arg2 >= 0" always holds (C3)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c3_never(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg2 > 4 and arg2 < 3'"} {
  // expected-error @+1 {{specialize: "arg2 > 4 and arg2 < 3" never holds (C3)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @specialize_c2_late(%A: memref<8xf32>, %B: memref<?xf32>)
    attributes {refused = "specialize 'B:i' in %f condition 'dim(arg1, 0) >= 4'"} {
  // expected-error @+1 {{specialize: not all sizes of "dim(arg1, 0) >= 4" are defined before it (C2)}}
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  %c0 = arith.constant 0 : index
  %n = memref.dim %B, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) writes(%B[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %B[%v] : memref<?xf32>
    }
  }
  return
}

func.func @specialize_c4_nest(%A: memref<?x4xf32>, %n: index)
    attributes {refused = "specialize 'B:j' in %f condition 'arg1 >= 4'"} {
  loop.for serial %i in %n {
    // expected-note @+1 {{it is here}}
    loop.block "N" [%v: spatial %n] = (%i) writes(%A[%v : 1, 0 : 4]) {
      // expected-error @+1 {{specialize: it is in schedule block "N" (C4)}}
      loop.for serial %j in 4 {
        loop.block "B" [%x: spatial %n, %y: spatial 4] = (%v, %j) writes(%A[%x : 1, %y : 1]) {
          %one = arith.constant 1.0 : f32
          memref.store %one, %A[%x, %y] : memref<?x4xf32>
        }
      }
    }
  }
  return
}

func.func @specialize_c5_before(%A: memref<?xf32>, %n: index)
    attributes {refused = "specialize 'C:i' in %f condition 'arg1 > 4' through 'B'"} {
  loop.for serial %i in %n {
    // expected-note @+1 {{it is here}}
    loop.block "B" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  // expected-error @+1 {{specialize: "B" is not after "C:i" in the same loop, branch or function (C5)}}
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func private @other(memref<?xf32>)

func.func @specialize_c5_call(%A: memref<?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg1 > 4' through 'C'"} {
  // expected-error @+1 {{specialize: func.call is among the statements to copy (C5)}}
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  func.call @other(%A) : (memref<?xf32>) -> ()
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @specialize_c5_branch(%A: memref<?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg1 mod 2 == 0' through 'C'"} {
  loop.if (symbol(%n) - 4 >= 0) {
    // expected-error @+1 {{specialize: "C" is not after "B:i" in the same loop, branch or function (C5)}}
    loop.for serial %i in %n {
      loop.block "B" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
  } else {
    loop.for serial %i in %n {
      // expected-note @+1 {{it is here}}
      loop.block "C" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 2.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
  }
  return
}

func.func @specialize_c6_kernels(%A: memref<?xf32>, %n: index)
    attributes {refused = "specialize 'B:i' in %f condition 'arg1 mod 2 == 0' through 'C:i'"} {
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  // expected-error @+1 {{specialize: loop "i" is bound to a thread axis (C6)}}
  loop.for thread_bind[threadIdx.x] %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}
