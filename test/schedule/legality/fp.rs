//! What the floating-point contract allows, by combiner and type, and the resulting tolerances.

use loopwright::ir::Op;
use loopwright::nest::facts::tolerance::{Tolerance, tolerance, tolerance_for};
use loopwright::nest::rewriter::Direct;
use loopwright::nest::summary::Summary;
use loopwright::pipeline;
use loopwright::schedule::State;
use loopwright::schedule::legality::fp::may_reorder_updates;
use loopwright_testing::top;
use melior::ir::Module;

/// The summary of a reduction of 6 x n values by `op`, in a function with this contract.
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

/// The mean of 6 x n values, and the sum of the squared differences from it.
const WELFORD: &str = "
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : index
  %x = memref.load %A[%vi, %vj] : memref<6x?xf32>
  %m = memref.load %M[%zero] : memref<1xf32>
  %s = memref.load %S[%zero] : memref<1xf32>
  %c = memref.load %N[%zero] : memref<1xf32>
  %c2 = arith.addf %c, %one : f32
  %d = arith.subf %x, %m : f32
  %q = arith.divf %d, %c2 : f32
  %m1 = arith.addf %m, %q : f32
  %e = arith.subf %x, %m1 : f32
  %p = arith.mulf %d, %e : f32
  %s1 = arith.addf %s, %p : f32
  memref.store %m1, %M[%zero] : memref<1xf32>
  memref.store %s1, %S[%zero] : memref<1xf32>
  memref.store %c2, %N[%zero] : memref<1xf32>";

fn welford(contract: &str) -> String {
    format!(
        "func.func @main(%A: memref<6x?xf32>, %M: memref<1xf32>, %S: memref<1xf32>, %N: memref<1xf32>)
             attributes {{loop.fp = \"{contract}\"}} {{
           %c1 = arith.constant 1 : index
           %n = memref.dim %A, %c1 : memref<6x?xf32>
           loop.for serial %i in 6 {{ loop.for serial %j in %n {{
             loop.block \"B\" [%vi: reduce 6, %vj: reduce %n] = (%i, %j)
                 reads(%A[%vi : 1, %vj : 1], %M[0 : 1], %S[0 : 1], %N[0 : 1])
                 writes(%M[0 : 1], %S[0 : 1], %N[0 : 1]) reducer(welford, 0.0, 0.0, 0.0) {{ {WELFORD} }}
           }} }}
           return
         }}"
    )
}

#[test]
fn a_mean_is_as_far_off_as_a_sum_of_eight_times_its_terms() {
    let context = pipeline::context();
    let tolerance_of = |contract: &str, n: Option<i64>| {
        let module = Module::parse(&context, &welford(contract)).expect("it parses");
        let functions: Vec<Op> = top(&module).body(0).expect("a module").ops();
        let state = State::new(functions[0], Box::new(Direct)).map_err(|e| e.message);
        tolerance_for(state.expect("it is valid").summary(), &|_| n)
    };
    assert_eq!(tolerance_of("strict", Some(5)), Tolerance::Bitwise);
    assert_eq!(tolerance_of("reassoc", Some(5)), Tolerance::Means { terms: 8 * 31 });
    assert_eq!(tolerance_of("reassoc", None), Tolerance::Means { terms: u64::MAX });
}

/// Compares with f64, by the update and in parts, for values from -1 to 1: errors are within the stated bounds.
#[test]
fn means_of_floats_are_within_their_bounds() {
    let unit = 2f64.powi(-24);
    for n in [1usize, 2, 3, 64, 1000] {
        let values: Vec<f32> =
            (0..n).map(|i| ((i * 7919 + 13) % 2003) as f32 / 1001.5 - 1.0).collect();
        let mean = values.iter().map(|x| f64::from(*x)).sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum();
        for width in [1, 2, 7, n] {
            let mut whole = [0f32; 3];
            for part in values.chunks(width) {
                let of_part = part.iter().fold([0f32; 3], |[m, s, c], x| {
                    let (count, d) = (c + 1.0, x - m);
                    let mean = m + d / count;
                    [mean, s + d * (x - mean), count]
                });
                let ([m, s, c], [pm, ps, pc]) = (whole, of_part);
                let (total, d) = (c + pc, pm - m);
                let ratio = pc / total;
                whole = [m + d * ratio, (s + ps) + (d * d) * (c * ratio), total];
            }
            let off = [f64::from(whole[0]) - mean, f64::from(whole[1]) - squares].map(f64::abs);
            let terms = n as f64;
            assert!(off[0] <= 8.0 * terms * unit, "mean of {n} in parts of {width}: {off:?}");
            assert!(off[1] <= 64.0 * terms * terms * unit, "{n} in parts of {width}: {off:?}");
            assert_eq!(f64::from(whole[2]), terms);
        }
    }
}

#[test]
fn the_bound_grows_with_the_terms() {
    let unit = 2f64.powi(-24);
    assert_eq!(Tolerance::Bitwise.bound(unit), 0.0);
    let bound = Tolerance::Reassociated { terms: 1000 }.bound(unit);
    assert!(bound > 2000.0 * unit && bound < 2001.0 * unit, "{bound}");
    assert_eq!(Tolerance::Reassociated { terms: u64::MAX }.bound(unit), f64::INFINITY);
}
