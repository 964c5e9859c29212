//! What the floating-point contract allows, by combiner and type, and the tolerances that follow.

use loopwright::ir::{Op, top};
use loopwright::pipeline;
use loopwright::schedule::State;
use loopwright::schedule::fp::{Tolerance, may_reorder_updates, tolerance, tolerance_for};
use loopwright::schedule::rewriter::Direct;
use loopwright::schedule::summary::Summary;
use melior::ir::Module;

/// The summary of a sum over 6 x n values by `op`, in a function of that contract.
fn with_summary(
    contract: &str,
    ty: &str,
    (word, op, identity): (&str, &str, &str),
    check: &dyn Fn(&Summary),
) {
    let text = format!(
        "func.func @main(%A: memref<6x?x{ty}>, %B: memref<1x{ty}>) attributes {{loop.fp = \"{contract}\"}} {{
           %c1 = arith.constant 1 : index
           %n = memref.dim %A, %c1 : memref<6x?x{ty}>
           loop.for serial %i in 6 {{ loop.for serial %j in %n {{
             loop.block \"B\" [%vi: reduce 6, %vj: reduce %n] = (%i, %j)
                 reads(%A[%vi : 1, %vj : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer({word}, {identity}) {{
               %c0 = arith.constant 0 : index
               %a = memref.load %A[%vi, %vj] : memref<6x?x{ty}>
               %b = memref.load %B[%c0] : memref<1x{ty}>
               %s = {op} %b, %a : {ty}
               memref.store %s, %B[%c0] : memref<1x{ty}>
             }}
           }} }}
           return
         }}"
    );
    let context = pipeline::context();
    let module = Module::parse(&context, &text).expect("it parses");
    let functions: Vec<Op> = top(&module).body(0).expect("a module").ops();
    let state = State::new(functions[0], Box::new(Direct)).map_err(|e| e.message);
    check(state.expect("it is valid").summary());
}

const SUM: (&str, &str, &str) = ("add", "arith.addf", "0.0");
const MAXIMUM: (&str, &str, &str) = ("max", "arith.maximumf", "0xFF800000");
const MAXNUM: (&str, &str, &str) = ("maxnum", "arith.maxnumf", "0xFF800000");

fn is_free(contract: &str, ty: &str, by: (&str, &str, &str)) -> bool {
    let free = std::cell::Cell::new(false);
    with_summary(contract, ty, by, &|summary| {
        let (node, _) = summary.blocks().next().expect("a block");
        free.set(may_reorder_updates(summary, node).is_ok());
    });
    free.get()
}

#[test]
fn order_is_free_by_contract_and_combiner() {
    assert!(!is_free("strict", "f32", SUM));
    assert!(is_free("reassoc", "f32", SUM));
    assert!(is_free("fast", "f32", SUM));
    assert!(is_free("strict", "f32", MAXIMUM));
    assert!(!is_free("strict", "f32", MAXNUM));
    assert!(is_free("reassoc", "f32", MAXNUM));
    assert!(is_free("strict", "i32", ("add", "arith.addi", "0")));
}

#[test]
fn the_tolerance_is_the_length_of_the_sums() {
    let terms = |terms| Tolerance::Reassociated { terms };
    with_summary("strict", "f32", SUM, &|s| assert_eq!(tolerance(s), Tolerance::Bitwise));
    with_summary("fast", "f32", MAXIMUM, &|s| assert_eq!(tolerance(s), Tolerance::Bitwise));
    with_summary("reassoc", "f32", SUM, &|s| {
        assert_eq!(tolerance(s), terms(u64::MAX), "n is not known");
        assert_eq!(tolerance_for(s, &|_| Some(5)), terms(31));
        assert_eq!(tolerance_for(s, &|_| Some(0)), terms(1));
    });
}

#[test]
fn the_bound_grows_with_the_terms() {
    let unit = 2f64.powi(-24);
    assert_eq!(Tolerance::Bitwise.bound(unit), 0.0);
    let bound = Tolerance::Reassociated { terms: 1000 }.bound(unit);
    assert!(bound > 2000.0 * unit && bound < 2001.0 * unit, "{bound}");
    assert_eq!(Tolerance::Reassociated { terms: u64::MAX }.bound(unit), f64::INFINITY);
}
