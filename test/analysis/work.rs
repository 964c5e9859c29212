//! The work of calls (operations and bytes) against numbers counted by hand.

use loopwright::analysis::work::{Work, WorkArgument, check_bounds, count};
use loopwright::pipeline::{self, Phase, Settings};
use melior::ir::Module;

/// Lowers a module to loops and passes it to `use_it`.
fn with_loops<T>(text: &str, use_it: impl FnOnce(&Module) -> T) -> T {
    let context = pipeline::context();
    let mut module = Module::parse(&context, text).expect("the text is valid");
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &Settings::default())
        .expect("it lowers");
    use_it(&module)
}

fn shapes(shapes: &[&[i64]]) -> Vec<WorkArgument> {
    shapes.iter().map(|shape| WorkArgument::Shape(shape.to_vec())).collect()
}

const MATMUL: &str = "
func.func @main(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %C: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %D = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%C : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %D : tensor<?x?xf32>
}";

#[test]
fn matmul_is_a_product_and_a_sum_a_step() {
    let arguments = shapes(&[&[2, 3], &[3, 5], &[2, 5], &[2, 5]]);
    let work = with_loops(MATMUL, |module| count(module, "main", &arguments));
    // The result starts from C, which is copied: C is read, and the result is written.
    let Some(Work { operations, bytes }) = work else { panic!("it is known") };
    assert_eq!(operations, 2 * 2 * 3 * 5);
    assert_eq!(bytes, 4 * (6 + 15 + 10 + 10));
}

#[test]
fn constants_are_read_and_math_is_one_operation() {
    let text = "
    func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
      %s = linalg.add ins(%x, %c : tensor<4xf64>, tensor<4xf64>) outs(%x : tensor<4xf64>) -> tensor<4xf64>
      %e = linalg.exp ins(%s : tensor<4xf64>) outs(%x : tensor<4xf64>) -> tensor<4xf64>
      return %e : tensor<4xf64>
    }";
    let work = with_loops(text, |module| count(module, "main", &shapes(&[&[4], &[4]])));
    assert_eq!(work, Some(Work { operations: 8, bytes: 3 * 4 * 8 }));
}

#[test]
fn what_is_read_and_written_counts_twice() {
    let text = "
    func.func @main(%x: memref<4xf32>) {
      linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
      return
    }";
    let work = with_loops(text, |module| count(module, "main", &shapes(&[&[4]])));
    assert_eq!(work, Some(Work { operations: 4, bytes: 2 * 4 * 4 }));
}

#[test]
fn nothing_is_no_work() {
    let arguments = shapes(&[&[0, 3], &[3, 5], &[0, 5], &[0, 5]]);
    let work = with_loops(MATMUL, |module| count(module, "main", &arguments)).expect("it is known");
    assert_eq!((work.operations, work.bytes), (0, 4 * 15));
}

#[test]
fn shapes_that_do_not_fit_together_are_found() {
    let fitting = shapes(&[&[2, 3], &[3, 5], &[2, 5], &[2, 5]]);
    let other = shapes(&[&[2, 4], &[3, 5], &[2, 5], &[2, 5]]);
    with_loops(MATMUL, |module| {
        assert!(check_bounds(module, "main", &fitting).is_ok());
        let error = check_bounds(module, "main", &other).expect_err("B has 3 rows");
        let expected = "dimension 0 of argument 1 is 3, expected 4, dimension 1 of argument 0";
        assert!(error.message.ends_with(expected), "{}", error.message);
    });
}

/// The result of `check_bounds` for a block "B" with this head, in these loops, that loads `A[at]`. Both buffers
/// have five elements, and `%n` is `n`.
fn bounds(loops: &str, head: &str, at: &str, n: i64) -> Result<(), String> {
    let close = "}".repeat(loops.matches('{').count());
    let text = format!(
        "
        func.func @main(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) {{
          {loops}
          loop.block \"B\" {head} reads(%A[{at} : 1]) writes(%B[*]) {{
            %at = affine.apply affine_map<(d0) -> ({})>(%v)
            %a = memref.load %A[%at] : memref<?xf32>
            %zero = arith.constant 0 : index
            memref.store %a, %B[%zero] : memref<?xf32>
          }}
          {close}
          return
        }}",
        at.replace("%v", "d0")
    );
    let arguments =
        [WorkArgument::Shape(vec![5]), WorkArgument::Shape(vec![5]), WorkArgument::Index(n)];
    with_loops(&text, |module| {
        check_bounds(module, "main", &arguments).map_err(|error| error.message)
    })
}

#[test]
fn accesses_are_checked_at_both_ends() {
    let (loops, head) = ("loop.for serial %i in %n {", "[%v: spatial %n] = (%i)");
    assert_eq!(bounds(loops, head, "%v", 5), Ok(()));
    let error = bounds(loops, head, "%v", 6).expect_err("one too many");
    assert!(error.contains("\"B\" accesses arg0 from 0 to 5 in dimension 0"), "{error}");
    assert!(error.contains("size 5"), "{error}");
    assert!(bounds(loops, head, "%v - 1", 6).expect_err("before it").contains("from -1 to 4"));
    // No instance accesses anything.
    assert_eq!(bounds(loops, head, "%v - 1", 0), Ok(()));
    assert!(bounds(loops, head, "%v - 1", 1).is_err());
}

#[test]
fn sizes_of_buffers_are_known() {
    let dim = "%c0 = arith.constant 0 : index %d = memref.dim %A, %c0 : memref<?xf32>";
    let loops = format!("{dim} loop.for serial %i in %d {{");
    assert_eq!(bounds(&loops, "[%v: spatial %d] = (%i)", "%v", 0), Ok(()));
    assert!(bounds(&loops, "[%v: spatial %d] = (%i)", "%v + 1", 0).is_err());
}

#[test]
fn what_may_not_run_is_not_checked() {
    let over = |extent: &str| format!("loop.for serial %i in {extent} {{");
    assert!(bounds(&over("8"), "[%v: spatial 8] = (%i)", "%v", 0).is_err());
    // The loops do not provably cover the domain.
    for (loops, head) in [
        (&*over("6"), "[%v: spatial 8] = (%i)"),
        (&*over("min affine_map<() -> (8, 3)>()"), "[%v: spatial 8] = (%i)"),
        (&*over("8"), "[%v: spatial 8] = (7 - %i)"),
        (&*over("8"), "[%w: spatial 8, %v: spatial 8] = (%i, %i)"),
        (&*over("8"), "[%w: spatial 8, %v: spatial 8] = (%i, 0)"),
        ("", "[%v: spatial 8] = (0)"),
        (&*over("8"), "[%v: spatial 8] = (%i) where(%i < 3)"),
        ("loop.for serial %i in 8 { loop.if (%i < 3) {", "[%v: spatial 8] = (%i)"),
    ] {
        assert_eq!(bounds(loops, head, "%v", 0), Ok(()), "{loops} {head}");
    }
    assert!(bounds(&over("8"), "[%v: spatial 1, %w: spatial 8] = (0, %i)", "%v + 7", 0).is_err());
}

#[test]
fn elements_have_their_sizes() {
    let one = |ty: &str, op: &str| {
        let text = format!(
            "
            func.func @main(%x: memref<4x{ty}>, %y: memref<4x{ty}>) {{
              loop.for serial %i in 4 {{
                loop.block \"Y\" [%v: spatial 4] = (%i) reads(%x[%v : 1]) writes(%y[%v : 1]) {{
                  %a = memref.load %x[%v] : memref<4x{ty}>
                  %i0 = arith.addi %v, %v : index
                  %is_zero = arith.cmpi eq, %v, %i0 : index
                  %r = {op} : {ty}
                  %s = arith.select %is_zero, %a, %r : {ty}
                  memref.store %s, %y[%v] : memref<4x{ty}>
                }}
              }}
              return
            }}"
        );
        let work = with_loops(&text, |module| count(module, "main", &shapes(&[&[4], &[4]])));
        let Work { operations, bytes } = work.expect("it is known");
        (operations, bytes)
    };
    // A comparison of indices is index arithmetic, which does not count.
    assert_eq!(one("i8", "arith.andi %a, %a"), (4, 8));
    assert_eq!(one("i16", "arith.addi %a, %a"), (4, 16));
    assert_eq!(one("bf16", "arith.addf %a, %a"), (4, 16));
    assert_eq!(one("f32", "math.fma %a, %a, %a"), (8, 32));
    assert_eq!(one("f64", "arith.addf %a, %a"), (4, 64));
}
