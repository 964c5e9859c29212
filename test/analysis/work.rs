//! The work of calls: operations and bytes, counted by hand.

use loopwright::analysis::work::{Argument, Work, check_bounds, count};
use loopwright::ir::{Op, top};
use loopwright::pipeline::{self, Phase, Settings};
use melior::ir::Module;

/// Lowers a module to loops and gives its first function to `use_it`.
fn with_loops<T>(text: &str, use_it: impl FnOnce(Op) -> T) -> T {
    let context = pipeline::context();
    let mut module = Module::parse(&context, text).expect("the text is valid");
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &Settings::default())
        .expect("it lowers");
    let functions = top(&module).body(0).expect("a module has a body").ops();
    use_it(functions.into_iter().find(|op| op.is("func.func")).expect("a function"))
}

fn shapes(shapes: &[&[i64]]) -> Vec<Argument> {
    shapes.iter().map(|shape| Argument::Shape(shape.to_vec())).collect()
}

const MATMUL: &str = "
func.func @main(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %C: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %D = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%C : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %D : tensor<?x?xf32>
}";

#[test]
fn matmul_is_a_product_and_a_sum_a_step() {
    let arguments = shapes(&[&[2, 3], &[3, 5], &[2, 5], &[2, 5]]);
    let work = with_loops(MATMUL, |main| count(main, &arguments));
    // The result starts from C, which is copied: read once, and the result is written and read again.
    let Some(Work { operations, bytes }) = work else { panic!("it is known") };
    assert_eq!(operations, 2 * 2 * 3 * 5);
    assert!(bytes >= 4 * (6 + 15 + 10 + 10), "{bytes}");
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
    let work = with_loops(text, |main| count(main, &shapes(&[&[4], &[4]])));
    assert_eq!(work, Some(Work { operations: 8, bytes: 3 * 4 * 8 }));
}

#[test]
fn nothing_is_no_work() {
    let arguments = shapes(&[&[0, 3], &[3, 5], &[0, 5], &[0, 5]]);
    let work = with_loops(MATMUL, |main| count(main, &arguments)).expect("it is known");
    assert_eq!((work.operations, work.bytes), (0, 4 * 15));
}

#[test]
fn shapes_that_do_not_fit_together_are_found() {
    let fitting = shapes(&[&[2, 3], &[3, 5], &[2, 5], &[2, 5]]);
    let other = shapes(&[&[2, 4], &[3, 5], &[2, 5], &[2, 5]]);
    with_loops(MATMUL, |main| {
        assert!(check_bounds(main, &fitting).is_ok());
        let error = check_bounds(main, &other).expect_err("B has 3 rows");
        assert!(error.message.contains("arg1") && error.message.contains('3'), "{}", error.message);
    });
}
