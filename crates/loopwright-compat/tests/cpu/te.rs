//! The programs of a tutorial on `te`: vector addition, a reduction, tiles.

use super::{SIZES, Value, ramp, run, scheduled};
use crate::harness::{buffer, numbers};
use loopwright_compat::te::{Split, create_schedule, lower, thread_axis};

/// `C = te.compute(A.shape, lambda i: A[i] + B[i])`
const VECTOR: &str = "
func.func @main(%A: memref<?xf32> {loop.name = \"A\"},
    %B: memref<?xf32> {loop.name = \"B\"},
    %C: memref<?xf32> {loop.name = \"C\"}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block \"C\" [%v: spatial %n] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      %b = memref.load %B[%v] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %C[%v] : memref<?xf32>
    }
  }
  return
}";

/// `B = te.compute((1,), lambda i: te.sum(A[k], axis=k))`
const SUM: &str = "
func.func @main(%A: memref<?xf32> {loop.name = \"A\"},
    %B: memref<1xf32> {loop.name = \"B\"}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in 1 {
    loop.for serial %k in %n {
      loop.block \"B\" [%v: spatial 1, %vk: reduce %n] = (%i, %k) reads(%A[%vk : 1], %B[%v : 1]) writes(%B[%v : 1])
          reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<1xf32>
        }
        %a = memref.load %A[%vk] : memref<?xf32>
        %b = memref.load %B[%v] : memref<1xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<1xf32>
      }
    }
  }
  return
}";

/// `C = te.compute((n, n), lambda i, j: A[i, j] + B[i, j])`
const MATRIX: &str = "
func.func @main(%A: memref<?x?xf32> {loop.name = \"A\"},
    %B: memref<?x?xf32> {loop.name = \"B\"},
    %C: memref<?x?xf32> {loop.name = \"C\"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %C, %c0 : memref<?x?xf32>
  %m = memref.dim %C, %c1 : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block \"C\" [%v: spatial %n, %w: spatial %m] = (%i, %j)
          reads(%A[%v : 1, %w : 1], %B[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %b = memref.load %B[%v, %w] : memref<?x?xf32>
        %s = arith.addf %a, %b : f32
        memref.store %s, %C[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}";

/// `C = te.compute((M, N), lambda x, y: te.sum(A[x, k] * B[k, y], axis=k))`
const MATMUL: &str = "
func.func @main(%A: memref<?x?xf32> {loop.name = \"A\"},
    %B: memref<?x?xf32> {loop.name = \"B\"},
    %C: memref<?x?xf32> {loop.name = \"C\"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %C, %c0 : memref<?x?xf32>
  %n = memref.dim %C, %c1 : memref<?x?xf32>
  %l = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.for serial %k in %l {
        loop.block \"C\" [%v: spatial %m, %w: spatial %n, %vk: reduce %l] = (%i, %j, %k)
            reads(%A[%v : 1, %vk : 1], %B[%vk : 1, %w : 1], %C[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v, %w] : memref<?x?xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %w] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %c = memref.load %C[%v, %w] : memref<?x?xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%v, %w] : memref<?x?xf32>
        }
      }
    }
  }
  return
}";

/// `T = te.compute((n + 2, m), lambda i, j: A[i, j] * 2)`, `C[i, j] = T[i, j] + T[i + 1, j] + T[i + 2, j]`
const WINDOW: &str = "
func.func @main(%A: memref<?x?xf32> {loop.name = \"A\"}, %C: memref<?x?xf32> {loop.name = \"C\", loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %C, %c0 : memref<?x?xf32>
  %m = memref.dim %C, %c1 : memref<?x?xf32>
  %T = loop.buffer \"T\" scope(global) (%n + 2, %m) : memref<?x?xf32>
  loop.for serial %i in affine_map<()[s0] -> (s0 + 2)>()[%n] {
    loop.for serial %j in %m {
      loop.block \"T\" [%v: spatial %n + 2, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %two = arith.constant 2.0 : f32
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %p = arith.mulf %a, %two : f32
        memref.store %p, %T[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block \"C\" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%T[%v : 3, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %v1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %v2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %a = memref.load %T[%v, %w] : memref<?x?xf32>
        %b = memref.load %T[%v1, %w] : memref<?x?xf32>
        %c = memref.load %T[%v2, %w] : memref<?x?xf32>
        %s = arith.addf %a, %b : f32
        %t = arith.addf %s, %c : f32
        memref.store %t, %C[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}";

/// `C = te.compute((n,), lambda i: te.sum(A[i, k] * B[k], axis=k))` of bytes, with 64 of them in a row
const DOT: &str = "
func.func @main(%A: memref<?x64xi8> {loop.name = \"A\"}, %B: memref<64xi8> {loop.name = \"B\"},
    %C: memref<?xi32> {loop.name = \"C\", loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?xi32>
  loop.for serial %i in %n {
    loop.for serial %k in 64 {
      loop.block \"C\" [%v: spatial %n, %vk: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %B[%vk : 1], %C[%v : 1]) writes(%C[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %C[%v] : memref<?xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<?x64xi8>
        %b = memref.load %B[%vk] : memref<64xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %c = memref.load %C[%v] : memref<?xi32>
        %s = arith.addi %c, %p : i32
        memref.store %s, %C[%v] : memref<?xi32>
      }
    }
  }
  return
}";

/// Runs `WINDOW` for each size.
fn check_windows(code: &loopwright::codegen::Jit) {
    for n in SIZES.into_iter().filter(|n| *n < 100) {
        let m = n / 2 + 3;
        let a = ramp((n + 2) * m, 1.0);
        let nothing = vec![f32::NAN; (n * m) as usize];
        let values = vec![buffer(&[n + 2, m], &a), buffer(&[n, m], &nothing)];
        let found: Vec<f32> = numbers(&run(code, "main", values, 1)[1]);
        let m = m as usize;
        let cell = |at: usize| (0..3).map(|row| a[at + row * m] * 2.0).sum::<f32>();
        assert!((0..found.len()).all(|at| found[at] == cell(at)), "size {n}");
    }
}

/// Runs `C = A + B` for each size; the dimensions are all of that size.
fn check_sums(code: &loopwright::codegen::Jit, rank: usize) {
    for n in SIZES {
        let dims = vec![n; rank];
        let count = dims.iter().product();
        let (a, b) = (ramp(count, 1.0), ramp(count, 0.25));
        let nothing = vec![f32::NAN; a.len()];
        let values = [&a, &b, &nothing].map(|numbers| buffer(&dims, numbers));
        let found: Vec<f32> = numbers(&run(code, "main", values.to_vec(), 2)[2]);
        let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        assert!(found == expected, "size {n}");
    }
}

/// Runs `C = A * B` for each size.
fn check_products(code: &loopwright::codegen::Jit) {
    let l = 7;
    for n in SIZES {
        let (a, b) = (ramp(n * l, 1.0), ramp(l * n, 2.0));
        let nothing = vec![f32::NAN; (n * n) as usize];
        let values: Vec<Value> =
            vec![buffer(&[n, l], &a), buffer(&[l, n], &b), buffer(&[n, n], &nothing)];
        let found: Vec<f32> = numbers(&run(code, "main", values, 1)[2]);
        let (n, l) = (n as usize, l as usize);
        let cell = |at: usize| (0..l).map(|k| a[at / n * l + k] * b[k * n + at % n]).sum::<f32>();
        assert!((0..n * n).all(|at| found[at] == cell(at)), "size {n}");
    }
}

#[test]
fn vector_addition_is_split_and_bound() {
    let (shown, code) = scheduled(VECTOR, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let i = s.axis("C", 0).expect("an axis");
        let [bx, tx] = s.stage("C").split(&i, Split::Factor(64)).expect("a split");
        s.stage("C").bind(&bx, thread_axis("blockIdx.x")).expect("bound");
        s.stage("C").bind(&tx, thread_axis("threadIdx.x")).expect("bound");
        lower(&s)
    });
    let expected = "blockIdx.x i.0 in dim(C, 0) ceildiv 64
  threadIdx.x i.1 in 64
    C[v: spatial = i.0 * 64 + i.1] where i.0 * 64 + i.1 < dim(C, 0)
";
    assert_eq!(shown, expected);
    check_sums(&code, 1);
}

#[test]
fn vector_addition_fetches_ahead() {
    let (_, code) = scheduled(VECTOR, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let i = s.axis("C", 0).expect("an axis");
        let [outer, _] = s.stage("C").split(&i, Split::Factor(16)).expect("a split");
        s.stage("C").prefetch("A", &outer, 4).expect("lines of A");
        s.stage("C").prefetch("B", &outer, 1).expect("lines of B");
        lower(&s)
    });
    check_sums(&code, 1);
}

#[test]
fn a_reduction_is_split() {
    let (shown, code) = scheduled(SUM, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let k = s.reduce_axis("B", 0).expect("an axis");
        s.stage("B").split(&k, Split::Factor(32)).expect("a split");
        lower(&s)
    });
    let expected = "serial i in 1
  serial k.0 in dim(A, 0) ceildiv 32
    serial k.1 in 32
      B[v: spatial = i, vk: reduce = k.0 * 32 + k.1] where k.0 * 32 + k.1 < dim(A, 0)
";
    assert_eq!(shown, expected);
    for n in SIZES {
        let values = vec![buffer(&[n], &ramp(n, 1.0)), buffer(&[1], &[f32::NAN])];
        let found: Vec<f32> = numbers(&run(&code, "main", values, 1)[1]);
        // Whole numbers below 2^24: any order has one result.
        assert_eq!(found, [ramp(n, 1.0).iter().sum::<f32>()], "size {n}");
    }
}

#[test]
fn tiles_are_reordered() {
    let (shown, code) = scheduled(MATRIX, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let (x, y) = (s.axis("C", 0).expect("an axis"), s.axis("C", 1).expect("an axis"));
        let [xo, xi] = s.stage("C").split(&x, Split::Factor(32)).expect("a split");
        let [yo, yi] = s.stage("C").split(&y, Split::Factor(32)).expect("a split");
        s.stage("C").reorder(&[&xo, &yo, &yi, &xi]).expect("an order");
        lower(&s)
    });
    let loops: Vec<&str> = shown.lines().filter_map(|line| line.trim().split(' ').nth(1)).collect();
    assert_eq!(loops[..4], ["i.0", "j.0", "j.1", "i.1"]);
    check_sums(&code, 2);
}

#[test]
fn a_matmul_is_tiled() {
    let (shown, code) = scheduled(MATMUL, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let (x, y) = (s.axis("C", 0).expect("an axis"), s.axis("C", 1).expect("an axis"));
        s.stage("C").tile((&x, &y), (32, 32)).expect("tiles");
        lower(&s)
    });
    let loops: Vec<&str> = shown.lines().filter_map(|line| line.trim().split(' ').nth(1)).collect();
    assert_eq!(loops[..5], ["i.0", "j.0", "i.1", "j.1", "k"]);
    check_products(&code);
}

#[test]
fn tiles_are_vectorized() {
    let (shown, code) = scheduled(MATRIX, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let (x, y) = (s.axis("C", 0).expect("an axis"), s.axis("C", 1).expect("an axis"));
        let [_, _, _, yi] = s.stage("C").tile((&x, &y), (32, 32)).expect("tiles");
        s.stage("C").vectorize(&yi).expect("lanes");
        lower(&s)
    });
    assert!(shown.contains("      vectorize j.1 in 32\n"), "{shown}");
    check_sums(&code, 2);
}

#[test]
fn parts_and_stages() {
    let (shown, code) = scheduled(VECTOR, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let computes = s.cache_write("C", "local").expect("a copy");
        let i = s.axis("C", 0).expect("an axis");
        let [outer, _] = s.stage("C").split(&i, Split::Parts(4)).expect("a split");
        s.stage(&computes).compute_at(&outer).expect("a place");
        let copy = s.cache_read("A", "local", &[&computes]).expect("a copy");
        s.stage(&copy).compute_root().expect("it is there");
        lower(&s)
    });
    assert!(shown.contains("serial cache_ax0.0 in 4\n"), "{shown}");
    check_sums(&code, 1);
}

#[test]
fn an_axis_that_is_not_there_is_an_error() {
    scheduled(VECTOR, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let missing = s.axis("C", 1).expect_err("there is one");
        let expected = "there is no loop \"axis[1]\" around schedule block \"C\", there are C:i";
        assert_eq!(missing.reason.to_string(), expected);
        let i = s.axis("C", 0).expect("an axis");
        s.stage("C").split(&i, Split::Factor(4)).expect("a split");
        assert!(s.axis("C", 0).is_err(), "the loop is not what it was");
        lower(&s)
    });
}

#[test]
fn windows_roll() {
    let (shown, code) = scheduled(WINDOW, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let i = s.axis("C", 0).expect("an axis");
        assert!(s.stage("T").rolling_buffer().is_err(), "it is not computed in another stage");
        s.stage("T").compute_at(&i).expect("a place");
        let first = s.stage("T").rolling_buffer().expect("rows stay");
        assert_eq!(first, "T.first");
        lower(&s)
    });
    assert!(shown.contains("T.first"), "{shown}");
    check_windows(&code);
}

#[test]
fn a_stage_comes_ahead() {
    let (shown, code) = scheduled(WINDOW, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let i = s.axis("C", 0).expect("an axis");
        s.stage("T").compute_at(&i).expect("a place");
        s.stage("T").double_buffer().expect("two copies");
        lower(&s)
    });
    assert!(shown.contains("T.prologue"), "{shown}");
    check_windows(&code);
}

#[test]
fn stages_lie_otherwise() {
    let (_, code) = scheduled(WINDOW, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let (i, j) = (s.axis("T", 0).expect("an axis"), s.axis("T", 1).expect("an axis"));
        assert!(s.stage("T").storage_align(&j, 32, 1).is_err(), "rows have the last dimension");
        s.stage("T").storage_align(&i, 32, 1).expect("rows in other banks");
        lower(&s)
    });
    check_windows(&code);
    let (_, code) = scheduled(WINDOW, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let mapping = "(i, j) -> (j floordiv 4, i, j mod 4)";
        s.stage("T").transform_layout(mapping).expect("panels");
        lower(&s)
    });
    check_windows(&code);
}

#[test]
fn a_dot_product_is_an_intrinsic() {
    let (shown, code) = scheduled(DOT, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let (i, k) = (s.axis("C", 0).expect("an axis"), s.reduce_axis("C", 0).expect("an axis"));
        let [ko, ki] = s.stage("C").split(&k, Split::Factor(4)).expect("a split");
        s.schedule.decompose_reduction("C", &ko).expect("start values apart");
        let made = s.stage("C").tensorize(&ki, "dot_4xi8").expect("an instruction");
        assert_eq!(made, "C_o");
        s.stage(&made).parallel(&i).expect("threads");
        lower(&s)
    });
    assert!(shown.contains("C_o["), "{shown}");
    for n in SIZES {
        let a: Vec<i8> = (0..64 * n).map(|i| (i % 200 - 100) as i8).collect();
        let b: Vec<i8> = (0..64).map(|i| (i * 5 - 128) as i8).collect();
        let values =
            vec![buffer(&[n, 64], &a), buffer(&[64], &b), buffer(&[n], &vec![-1; n as usize])];
        let found: Vec<i32> = numbers(&run(&code, "main", values, 2)[2]);
        let row = |row: &[i8]| row.iter().zip(&b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        let expected: Vec<i32> = a.chunks(64).map(row).collect();
        assert!(found == expected, "size {n}");
    }
}

#[test]
fn tiles_are_read_and_written_at_a_loop() {
    let (shown, code) = scheduled(MATMUL, |function| {
        let mut s = create_schedule(function).expect("a valid function");
        let computes = s.cache_write("C", "global").expect("a copy");
        let (x, y) =
            (s.axis(&computes, 0).expect("an axis"), s.axis(&computes, 1).expect("an axis"));
        let [_, yo, _, _] = s.stage(&computes).tile((&x, &y), (16, 16)).expect("tiles");
        s.schedule.reverse_compute_at("C", &yo).expect("written at a tile");
        let copy = s.cache_read("A", "global", &[&computes]).expect("a copy");
        s.stage(&copy).compute_at(&yo).expect("read at a tile");
        assert_eq!(s.schedule.children(&yo).expect("children"), [copy, computes, "C".to_owned()]);
        lower(&s)
    });
    assert!(shown.contains("C["), "{shown}");
    check_products(&code);
}
