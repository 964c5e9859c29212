//! Which pass is reported if several are wrong, if small errors add up, or if nothing can be run for a while.

use super::SharedChecker;
use crate::ir::{Attribute, Op, receive_errors, top, walk};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::utility::register_all_dialects;
use std::cell::RefCell;
use std::rc::Rc;

const SCALED: &str = "
func.func @main(%A: memref<4xf32> {loop.name = \"A\"}) attributes {loop.fp = \"CONTRACT\"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %scale = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %A[%i] : memref<4xf32>
    %one = arith.constant 1.0 : f32
    %p = arith.mulf %a, %one : f32
    %b = arith.mulf %p, %scale : f32
    memref.store %b, %A[%i] : memref<4xf32>
  }
  return
}";

/// The name of a pass, and its action.
type Pass<'p> = (&'p str, &'p dyn Fn(Op));

/// A context without passes and transform ops, so that unit tests need not link the whole compiler.
fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    crate::dialect::register_dialects_in(registry.to_raw());
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// Runs closures as passes on a module; returns the reported errors, and what could not be checked.
fn check(text: &str, passes: &[Pass]) -> (Vec<String>, Vec<String>) {
    let context = context();
    let errors = Rc::new(RefCell::new(vec![]));
    let received = errors.clone();
    receive_errors(&context, move |error| received.borrow_mut().push(error.message));
    let module = Module::parse(&context, text).expect("the text is valid");
    let checker = SharedChecker::default();
    for (name, pass) in passes {
        let run = || {
            pass(top(&module));
            true
        };
        if checker.checked(name, top(&module), run).is_err() {
            break;
        }
    }
    let remarks = checker.0.borrow_mut().take_remarks();
    let errors = errors.borrow().clone();
    (errors, remarks)
}

fn op<'c>(module: Op<'c>, name: &str) -> Op<'c> {
    walk(module).into_iter().find(|op| op.is(name)).expect("there is one")
}

/// Changes the constant factor of the function.
fn scale(module: Op, factor: f64) {
    let is_float = |op: &Op| op.is("arith.constant") && op.result(0).ty().to_string() == "f32";
    let constant = walk(module).into_iter().find(is_float).expect("there is one");
    let value = constant.attribute("value").and_then(Attribute::as_f64).expect("a number");
    constant.set_attribute("value", Attribute::float(constant.result(0).ty(), value * factor));
}

fn nothing(_: Op) {}

#[test]
fn the_first_wrong_pass_is_named() {
    let (errors, remarks) = check(
        &SCALED.replace("CONTRACT", "strict"),
        &[("right", &nothing), ("wrong", &|m| scale(m, 2.0)), ("other", &|m| scale(m, 0.5))],
    );
    let expected = "after pass 'wrong' @main computes something else: \"A\" is -1964 at [0], expected \
                    -982; sizes A 4, values distinct whole numbers, seed 1";
    assert_eq!(errors, [expected]);
    assert!(remarks.is_empty());
}

#[test]
fn an_access_out_of_bounds_is_the_fault_of_the_pass() {
    let longer = |module: Op| {
        let is_four = |op: &Op| op.attribute("value").and_then(Attribute::as_i64) == Some(4);
        let four = walk(module).into_iter().find(is_four);
        let four = four.expect("there is one");
        four.set_attribute("value", Attribute::integer(four.result(0).ty(), 5));
    };
    let (errors, _) = check(&SCALED.replace("CONTRACT", "strict"), &[("longer", &longer)]);
    let [error] = &errors[..] else { panic!("{errors:?}") };
    let start =
        "after pass 'longer' @main no longer runs: 'memref.load' op index [4] is out of bounds";
    assert!(error.starts_with(start), "{error}");
}

#[test]
fn small_errors_do_not_add_up() {
    // The error of each pass is within the contract, that of all together is not.
    let bit = |module: Op| scale(module, 1.0 + 2f64.powi(-23));
    let passes: Vec<Pass> = vec![("bit", &bit); 100];
    let (errors, _) = check(&SCALED.replace("CONTRACT", "fast"), &passes);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let (errors, _) = check(&SCALED.replace("CONTRACT", "fast"), &[("bit", &bit)]);
    assert!(errors.is_empty(), "{errors:?}");
    let (errors, _) = check(&SCALED.replace("CONTRACT", "strict"), &[("bit", &bit)]);
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn what_cannot_be_run_is_run_again() {
    let hide = |module: Op| {
        let this = op(module, "scf.for");
        this.set_attribute("unsignedCmp", Attribute::unit(this.context()));
    };
    let show = |module: Op| op(module, "scf.for").remove_attribute("unsignedCmp");
    let text = SCALED.replace("CONTRACT", "strict");
    let remark = "after pass 'hide' @main cannot be checked: 'scf.for' op compares unsigned, which the \
                  interpreter does not support";
    let (errors, remarks) =
        check(&text, &[("hide", &hide), ("show", &show), ("wrong", &|m| scale(m, 2.0))]);
    assert_eq!(remarks, [remark]);
    assert!(errors[0].starts_with("after pass 'wrong' @main"), "{errors:?}");
    let (errors, remarks) =
        check(&text, &[("hide", &hide), ("wrong", &|m| scale(m, 2.0)), ("show", &show)]);
    assert_eq!(remarks, [remark]);
    let start = "after one of the passes from 'hide' to 'show' @main computes something else";
    assert!(errors[0].starts_with(start), "{errors:?}");
}

#[test]
fn a_run_over_nothing_is_none() {
    let text =
        SCALED.replace("CONTRACT", "strict").replace("memref<4xf32>", "memref<?xf32>").replace(
            "%a = memref.load %A[%i]",
            "%far = arith.constant 1000 : index
    %a = memref.load %A[%far]",
        );
    let text = text.replace("to %c4", "to %n").replace(
        "%scale =",
        "%n = memref.dim %A, %c0 : memref<?xf32>
  %scale =",
    );
    let (_, remarks) = check(&text, &[("none", &nothing)]);
    let start = "@main cannot be checked before pass 'none': it does not run on any of the inputs: 'memref.load' \
                 op index [1000] is out of bounds";
    assert!(remarks[0].starts_with(start), "{remarks:?}");
}
