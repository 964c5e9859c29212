//! Shapes, buffers, masks, globals, workspaces and parallel loops.

use super::harness::{OwnThreads, Value, buffer, compile, numbers, run, run_on};
use std::num::NonZeroUsize;

fn ramp(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

#[test]
fn static_and_dynamic_shapes() {
    let code = compile(
        "func.func @f(%A: memref<?x6xf32>, %B: memref<6x?xf32> {loop.result}, %k: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c6 = arith.constant 6 : index
          %n = memref.dim %A, %c0 : memref<?x6xf32>
          scf.for %i = %c0 to %n step %c1 {
            scf.for %j = %c0 to %c6 step %c1 {
              %x = memref.load %A[%i, %j] : memref<?x6xf32>
              %ki = arith.index_cast %k : index to i64
              %kf = arith.sitofp %ki : i64 to f32
              %y = arith.addf %x, %kf : f32
              memref.store %y, %B[%j, %i] : memref<6x?xf32>
            }
          }
          return
        }",
    );
    assert_eq!(
        code.kernel("f").expect("it has a kernel").signature().to_string(),
        "f32[?x6], f32[6x?] result, index"
    );
    for n in [0, 1, 3] {
        let a = ramp(n * 6);
        let arguments = vec![
            buffer(&[n as i64, 6], &a),
            buffer(&[6, n as i64], &vec![0f32; n * 6]),
            Value::Index(-5),
        ];
        let b: Vec<f32> = numbers(&run(&code, "f", arguments, 1)[1]);
        for i in 0..n {
            for j in 0..6 {
                assert_eq!(b[j * n + i], a[i * 6 + j] - 5.0);
            }
        }
    }
}

/// Every thread runs chunks; captured values are passed through memory: buffers, sizes, scalars, vectors.
#[test]
fn parallel_loops_capture_values() {
    let code = compile(
        "memref.global \"private\" constant @table : memref<2x4xf32>
             = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]>
         func.func @f(%A: memref<?x4xf32>, %B: memref<?x4xf32>, %n: index, %s: memref<f32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %zero = arith.constant dense<0.0> : vector<4xf32>
          %table = memref.get_global @table : memref<2x4xf32>
          %scale = memref.load %s[] : memref<f32>
          %lanes = vector.create_mask %n : vector<4xi1>
          %row = vector.load %table[%c1, %c0] : memref<2x4xf32>, vector<4xf32>
          %small = arith.index_cast %n : index to i64
          %flag = arith.cmpi sgt, %n, %c2 : index
          %m = memref.dim %A, %c0 : memref<?x4xf32>
          scf.for %round = %c0 to %c2 step %c1 {
            scf.parallel (%i) = (%c0) to (%m) step (%c1) {
              %local = memref.alloca() : memref<4xf32>
              %other = vector.load %table[%c0, %c0] : memref<2x4xf32>, vector<4xf32>
              vector.store %other, %local[%c0] : memref<4xf32>, vector<4xf32>
              scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
                %x = memref.load %local[%j] : memref<4xf32>
                %y = arith.mulf %x, %scale : f32
                memref.store %y, %local[%j] : memref<4xf32>
              }
              %l = vector.load %local[%c0] : memref<4xf32>, vector<4xf32>
              %a = vector.maskedload %A[%i, %c0], %lanes, %row : memref<?x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
              %b = arith.addf %a, %l : vector<4xf32>
              %k = arith.sitofp %small : i64 to f32
              %kv = vector.broadcast %k : f32 to vector<4xf32>
              %c = arith.addf %b, %kv : vector<4xf32>
              %d = arith.select %flag, %c, %zero : vector<4xf32>
              %old = vector.load %B[%i, %c0] : memref<?x4xf32>, vector<4xf32>
              %new = arith.addf %old, %d : vector<4xf32>
              vector.store %new, %B[%i, %c0] : memref<?x4xf32>, vector<4xf32>
            } {loop.grain = 3 : i64}
          }
          return
        }",
    );
    for (m, n, threads) in [(37, 3, 4), (1, 9, 1), (0, 3, 2), (100, 2, 3)] {
        let a = ramp(m * 4);
        let arguments = vec![
            buffer(&[m as i64, 4], &a),
            buffer(&[m as i64, 4], &vec![1f32; m * 4]),
            Value::Index(n),
            buffer(&[], &[0.5f32]),
        ];
        let after = run(&code, "f", arguments.clone(), threads);
        // The loops may run on threads of the caller, too.
        let own = OwnThreads(NonZeroUsize::new(threads).expect("a thread"));
        assert_eq!(run_on(&own, &code, "f", arguments), after);
        for (at, found) in numbers::<f32>(&after[1]).into_iter().enumerate() {
            let lane = at % 4;
            let loaded = if (lane as i64) < n { a[at] } else { [5.0, 6.0, 7.0, 8.0][lane] };
            let local = [0.5, 1.0, 3.0, 4.0][lane];
            let added = if n > 2 { loaded + local + n as f32 } else { 0.0 };
            assert_eq!(found, 1.0 + 2.0 * added, "m {m}, n {n}, element {at}");
        }
    }
}

#[test]
fn globals_of_all_kinds() {
    let code = compile(
        "memref.global \"private\" constant @matrix : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
         memref.global \"private\" constant @splat : memref<2x2xf16> = dense<1.5>
         memref.global \"private\" constant @scalar : memref<bf16> = dense<-2.0>
         memref.global \"private\" constant @none : memref<0x3xf32> = dense<>
         memref.global \"private\" constant @resource : memref<2x2xi16> = dense_resource<shorts>
         memref.global \"private\" constant @one : memref<f32> = dense_resource<single>
         func.func @f(%I: memref<3xi64>, %F: memref<3xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %matrix = memref.get_global @matrix : memref<2x2xi32>
          %splat = memref.get_global @splat : memref<2x2xf16>
          %scalar = memref.get_global @scalar : memref<bf16>
          %none = memref.get_global @none : memref<0x3xf32>
          %resource = memref.get_global @resource : memref<2x2xi16>
          %one = memref.get_global @one : memref<f32>
          %0 = memref.load %matrix[%c1, %c0] : memref<2x2xi32>
          %1 = arith.extsi %0 : i32 to i64
          memref.store %1, %I[%c0] : memref<3xi64>
          %2 = memref.load %resource[%c1, %c1] : memref<2x2xi16>
          %3 = arith.extsi %2 : i16 to i64
          memref.store %3, %I[%c1] : memref<3xi64>
          %4 = memref.dim %none, %c0 : memref<0x3xf32>
          %5 = arith.index_cast %4 : index to i64
          memref.store %5, %I[%c2] : memref<3xi64>
          %6 = memref.load %splat[%c1, %c1] : memref<2x2xf16>
          %7 = arith.extf %6 : f16 to f32
          memref.store %7, %F[%c0] : memref<3xf32>
          %8 = memref.load %scalar[] : memref<bf16>
          %9 = arith.extf %8 : bf16 to f32
          memref.store %9, %F[%c1] : memref<3xf32>
          %10 = memref.load %one[] : memref<f32>
          memref.store %10, %F[%c2] : memref<3xf32>
          return
        }
        {-# dialect_resources: { builtin: {
          shorts: \"0x020000000100020003000400\", single: \"0x040000000000803F\" } } #-}",
    );
    let arguments = vec![buffer(&[3], &[9i64; 3]), buffer(&[3], &[9f32; 3])];
    let results = run(&code, "f", arguments, 1);
    assert_eq!(numbers::<i64>(&results[0]), [3, 4, 0]);
    assert_eq!(numbers::<f32>(&results[1]), [1.5, -2.0, 1.0]);
}

/// Buffers of the function keep their values and do not overlap, for all sizes.
#[test]
fn workspace() {
    let code = compile(
        "func.func @f(%A: memref<?xf32>, %n: index, %B: memref<?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %one = arith.constant 1.0 : f32
          %byte = arith.constant 7 : i8
          %m = memref.dim %A, %c0 : memref<?xf32>
          %rest = affine.apply affine_map<(d0)[s0] -> (d0 - s0)>(%m)[%n]
          %a = memref.alloc() : memref<3xi8>
          %b = memref.alloc(%m) : memref<?xf32>
          %c = memref.alloc(%rest, %m) : memref<?x2x?xf64>
          %d = memref.alloc(%m) : memref<?xf32>
          memref.store %byte, %a[%c2] : memref<3xi8>
          scf.for %i = %c0 to %m step %c1 {
            %x = memref.load %A[%i] : memref<?xf32>
            memref.store %x, %b[%i] : memref<?xf32>
            memref.store %one, %d[%i] : memref<?xf32>
          }
          %k = memref.dim %c, %c0 : memref<?x2x?xf64>
          scf.for %i = %c0 to %k step %c1 {
            scf.for %j = %c0 to %m step %c1 {
              %wide = arith.constant 2.0 : f64
              memref.store %wide, %c[%i, %c1, %j] : memref<?x2x?xf64>
              memref.store %wide, %c[%i, %c0, %j] : memref<?x2x?xf64>
            }
          }
          %t = memref.load %a[%c2] : memref<3xi8>
          %tf = arith.sitofp %t : i8 to f32
          scf.for %i = %c0 to %m step %c1 {
            %x = memref.load %b[%i] : memref<?xf32>
            %y = memref.load %d[%i] : memref<?xf32>
            %z = arith.addf %x, %y : f32
            %w = arith.addf %z, %tf : f32
            memref.store %w, %B[%i] : memref<?xf32>
          }
          return
        }",
    );
    let kernel = code.kernel("f").expect("it has a kernel");
    let round_up = |bytes: i64| (bytes + 63) / 64 * 64;
    for (m, n) in [(0, 0), (5, 2), (17, 1), (33, 40)] {
        let rest = (m - n).max(0);
        let bytes = 64 + 2 * round_up(m * 4) + round_up(rest * 2 * m * 8);
        assert_eq!(kernel.workspace_bytes(&[m, n, m]), bytes, "m {m}, n {n}");
        let a = ramp(m as usize);
        let arguments =
            vec![buffer(&[m], &a), Value::Index(n), buffer(&[m], &vec![0f32; m as usize])];
        let b: Vec<f32> = numbers(&run(&code, "f", arguments, 1)[2]);
        assert_eq!(b, a.iter().map(|x| x + 8.0).collect::<Vec<_>>());
    }
    // If the size of a workspace overflows, it is the largest number.
    for (m, n) in [(1 << 31, 0), (i64::MAX / 4, 0), (i64::MAX / 8, i64::MAX / 8), (1 << 61, 0)] {
        assert_eq!(kernel.workspace_bytes(&[m, n, m]), i64::MAX, "m {m}, n {n}");
    }
}

/// A masked tail accesses nothing behind the buffer; memory needs only the alignment of an element.
#[test]
fn masked_tails() {
    let code = compile(
        "func.func @f(%A: memref<?xf32>, %B: memref<?xf32>, %from: index) {
          %c0 = arith.constant 0 : index
          %c16 = arith.constant 16 : index
          %zero = arith.constant dense<0.0> : vector<16xf32>
          %two = arith.constant dense<2.0> : vector<16xf32>
          %n = memref.dim %A, %c0 : memref<?xf32>
          scf.for %i = %from to %n step %c16 {
            %left = arith.subi %n, %i : index
            %full = arith.cmpi sge, %left, %c16 : index
            scf.if %full {
              %x = vector.load %A[%i] : memref<?xf32>, vector<16xf32>
              %y = vector.fma %x, %two, %two : vector<16xf32>
              vector.store %y, %B[%i] : memref<?xf32>, vector<16xf32>
            } else {
              %mask = vector.create_mask %left : vector<16xi1>
              %x = vector.maskedload %A[%i], %mask, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
              %y = vector.fma %x, %two, %two : vector<16xf32>
              vector.maskedstore %B[%i], %mask, %y : memref<?xf32>, vector<16xi1>, vector<16xf32>
            }
          }
          return
        }",
    );
    for (n, from) in [(0, 0), (1, 0), (15, 0), (16, 0), (17, 1), (100, 3)] {
        let a = ramp(n);
        let arguments = vec![
            buffer(&[n as i64], &a),
            buffer(&[n as i64], &vec![-1f32; n]),
            Value::Index(from as i64),
        ];
        let b: Vec<f32> = numbers(&run(&code, "f", arguments, 1)[1]);
        for i in 0..n {
            assert_eq!(b[i], if i < from { -1.0 } else { a[i] * 2.0 + 2.0 });
        }
    }
}

/// A mask is the minimum of a size and the lanes, also for sizes of more than 32 bits.
#[test]
fn masks_of_large_sizes() {
    let code = compile(
        "func.func @f(%A: memref<8xi8>, %n: index) {
          %c0 = arith.constant 0 : index
          %one = arith.constant dense<1> : vector<8xi8>
          %mask = vector.create_mask %n : vector<8xi1>
          vector.maskedstore %A[%c0], %mask, %one : memref<8xi8>, vector<8xi1>, vector<8xi8>
          return
        }",
    );
    for n in [-1, 0, 3, 8, 1 << 32, (1 << 32) + 3, 1 << 40, i64::MIN, i64::MAX, -(1 << 32) + 5] {
        let results = run(&code, "f", vec![buffer(&[8], &[0i8; 8]), Value::Index(n)], 1);
        let set = numbers::<i8>(&results[0]).iter().map(|x| i64::from(*x)).sum::<i64>();
        assert_eq!(set, n.clamp(0, 8), "n {n}");
    }
}

#[test]
fn gather_and_scatter() {
    let code = compile(
        "func.func @f(%A: memref<?x8xf64>, %I: memref<8xi32>, %B: memref<8x?xf64>, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %other = arith.constant dense<-1.0> : vector<8xf64>
          %mask = vector.create_mask %n : vector<8xi1>
          %i = vector.load %I[%c0] : memref<8xi32>, vector<8xi32>
          %x = vector.gather %A[%c1, %c0][%i], %mask, %other : memref<?x8xf64>, vector<8xi32>, vector<8xi1>, vector<8xf64> into vector<8xf64>
          %m = memref.dim %B, %c1 : memref<8x?xf64>
          %lanes = vector.step : vector<8xindex>
          %stride = vector.broadcast %m : index to vector<8xindex>
          %at = arith.muli %lanes, %stride : vector<8xindex>
          %all = arith.constant dense<true> : vector<8xi1>
          vector.scatter %B[%c0, %c1][%at], %all, %x : memref<8x?xf64>, vector<8xindex>, vector<8xi1>, vector<8xf64>
          return
        }",
    );
    let a: Vec<f64> = (0..32).map(f64::from).collect();
    // Masked-off lanes may have any index.
    let index = [3, -8, 23, 0, 7, 1 << 30, i32::MIN, 5];
    let arguments = vec![
        buffer(&[4, 8], &a),
        buffer(&[8], &index),
        buffer(&[8, 3], &[0f64; 24]),
        Value::Index(5),
    ];
    let b: Vec<f64> = numbers(&run(&code, "f", arguments, 1)[2]);
    for lane in 0..8 {
        let expected = if lane < 5 { f64::from(8 + index[lane]) } else { -1.0 };
        assert_eq!(b[lane * 3..][..3], [0.0, expected, 0.0]);
    }
}

/// Loops that carry scalars and vectors, reductions, and values of one bit.
#[test]
fn carried_values_and_bits() {
    let code = compile(
        "func.func private @pick(%p: i1, %x: f32, %y: f32) -> f32 {
          %0 = arith.select %p, %x, %y : f32
          return %0 : f32
        }
        func.func @f(%A: memref<?xf32>, %P: memref<?xi8>, %R: memref<4xf32>, %C: memref<i32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c4 = arith.constant 4 : index
          %zero = arith.constant 0.0 : f32
          %none = arith.constant 0 : i32
          %no = arith.constant 0 : i8
          %start = arith.constant dense<0.0> : vector<4xf32>
          %n = memref.dim %A, %c0 : memref<?xf32>
          %sum, %count, %odd = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %c = %none, %o = %no) -> (f32, i32, i8) {
            %x = memref.load %A[%i] : memref<?xf32>
            %p8 = memref.load %P[%i] : memref<?xi8>
            %p = arith.cmpi ne, %p8, %no : i8
            %y = func.call @pick(%p, %x, %zero) : (i1, f32, f32) -> f32
            %s1 = arith.addf %s, %y : f32
            %inc = arith.extui %p : i1 to i32
            %c1_ = arith.addi %c, %inc : i32
            %old = arith.trunci %o : i8 to i1
            %new = arith.xori %old, %p : i1
            %o1 = arith.extui %new : i1 to i8
            memref.store %o1, %P[%i] : memref<?xi8>
            scf.yield %s1, %c1_, %o1 : f32, i32, i8
          }
          %v = scf.for %i = %c0 to %n step %c4 iter_args(%s = %start) -> vector<4xf32> {
            %x = vector.load %A[%i] : memref<?xf32>, vector<4xf32>
            %s1 = arith.addf %s, %x : vector<4xf32>
            scf.yield %s1 : vector<4xf32>
          }
          %total = vector.reduction <add>, %v : vector<4xf32> into f32
          %large = vector.reduction <maximumf>, %v : vector<4xf32> into f32
          %more = arith.cmpf ogt, %total, %sum : f32
          %f = arith.uitofp %more : i1 to f32
          memref.store %sum, %R[%c0] : memref<4xf32>
          memref.store %total, %R[%c1] : memref<4xf32>
          memref.store %large, %R[%c2] : memref<4xf32>
          memref.store %f, %R[%c3] : memref<4xf32>
          memref.store %count, %C[] : memref<i32>
          return
        }",
    );
    for n in [0usize, 4, 12] {
        let p: Vec<i8> = (0..n).map(|i| i8::from(i % 3 != 1) * 5).collect();
        let arguments = vec![
            buffer(&[n as i64], &ramp(n)),
            buffer(&[n as i64], &p),
            buffer(&[4], &[9f32; 4]),
            buffer(&[], &[9i32]),
        ];
        let results = run(&code, "f", arguments, 1);
        let chosen: Vec<_> = (0..n).filter(|i| p[*i] != 0).collect();
        let (sum, total) = (chosen.iter().sum::<usize>() as f32, (0..n).sum::<usize>() as f32);
        let large = (0..n).filter(|i| i % 4 == 3).sum::<usize>() as f32;
        let more = f32::from(u8::from(total > sum));
        assert_eq!(numbers::<f32>(&results[2]), [sum, total, large, more], "n {n}");
        assert_eq!(numbers::<i32>(&results[3]), [chosen.len() as i32]);
        let parity = (0..n).map(|i| (chosen.iter().filter(|j| **j <= i).count() % 2) as i8);
        assert_eq!(numbers::<i8>(&results[1]), parity.collect::<Vec<_>>());
    }
}
