//! The programs of a tutorial on `te`: vector addition, a reduction, tiles.

use super::{SIZES, Value, ramp, run, scheduled};
use crate::harness::{buffer, numbers};
use loopwright::familiar::te::{Split, create_schedule, lower, thread_axis};

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
    let l = 7;
    for n in SIZES {
        let (a, b) = (ramp(n * l, 1.0), ramp(l * n, 2.0));
        let nothing = vec![f32::NAN; (n * n) as usize];
        let values: Vec<Value> =
            vec![buffer(&[n, l], &a), buffer(&[l, n], &b), buffer(&[n, n], &nothing)];
        let found: Vec<f32> = numbers(&run(&code, "main", values, 1)[2]);
        let (n, l) = (n as usize, l as usize);
        let cell = |at: usize| (0..l).map(|k| a[at / n * l + k] * b[k * n + at % n]).sum::<f32>();
        assert!((0..n * n).all(|at| found[at] == cell(at)), "size {n}");
    }
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
