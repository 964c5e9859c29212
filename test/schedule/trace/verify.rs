//! Verification names the wrong step: ten mistakes, each inserted after a step. Without a mistake, it reports
//! nothing.

use crate::{main_of, parse};
use loopwright::ir::{Attribute, Op, walk};
use loopwright::pipeline;
use loopwright::schedule::trace::Trace;
use loopwright::schedule::{Reason, Schedule};
use loopwright::verify::Verifier;

/// C = A * B, then D = C * 2 in tiles that do not divide it.
const NEST: &str = "
func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>, %D: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %l = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %C, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.for serial %k in %l {
        loop.block \"C\" [%vi: spatial %m, %vj: spatial %n, %vk: reduce %l] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<?x?xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %vj] : memref<?x?xf32>
          %c = memref.load %C[%vi, %vj] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block \"D\" [%vi: spatial %m, %vj: spatial %n] = (%i, %j)
          reads(%C[%vi : 1, %vj : 1]) writes(%D[%vi : 1, %vj : 1]) {
        %two = arith.constant 2.0 : f32
        %c = memref.load %C[%vi, %vj] : memref<?x?xf32>
        %d = arith.mulf %c, %two : f32
        memref.store %d, %D[%vi, %vj] : memref<?x?xf32>
      }
    }
  }
  return
}";

const STEPS: &str = "{\"version\": 1, \"function\": \"main\", \"steps\": [
  {\"primitive\": \"split\", \"loop\": \"C:j\", \"factors\": [-1, 4]},
  {\"primitive\": \"reorder\", \"loops\": [\"C:j.0\", \"C:i\"]},
  {\"primitive\": \"parallel\", \"loop\": \"C:j.0\"},
  {\"primitive\": \"split\", \"loop\": \"D:j\", \"factors\": [-1, 3]},
  {\"primitive\": \"vectorize\", \"loop\": \"D:j.1\"},
  {\"primitive\": \"unroll\", \"loop\": \"C:j.1\"}
]}";

/// B = A reversed, through shared memory.
const THREADS: &str = "
func.func @main(%A: memref<8xf32>, %B: memref<8xf32>) {
  %S = loop.buffer \"S\" scope(shared) : memref<8xf32>
  loop.for serial %o in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.for serial %u in 1 {
        loop.block \"S\" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %S[%v] : memref<8xf32>
        }
      }
      loop.sync
      loop.block \"B\" [%v: spatial 8] = (%t) reads(%S[-%v + 7 : 1]) writes(%B[%v : 1]) {
        %back = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %s = memref.load %S[%back] : memref<8xf32>
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}";

const STEPS_OF_THREADS: &str = "{\"version\": 1, \"function\": \"main\", \"steps\": [
  {\"primitive\": \"unroll\", \"loop\": \"S:o\"},
  {\"primitive\": \"unroll\", \"loop\": \"S:u\"}
]}";

/// The op of that kind and, unless it is empty, of that name.
fn op<'c>(function: Op<'c>, kind: &str, name: &str) -> Op<'c> {
    let is_wanted = |op: &Op| {
        let has_name = op.attribute("name").and_then(Attribute::as_str) == Some(name);
        op.is(kind) && (name.is_empty() || has_name)
    };
    walk(function).into_iter().find(is_wanted).unwrap_or_else(|| panic!("no {kind} {name}"))
}

/// Replaces a part of the text of an attribute.
fn edit(op: Op, attribute: &str, from: &str, to: &str) {
    let old = op.attribute(attribute).expect("the op has it").to_string();
    assert!(old.contains(from), "no {from} in {old}");
    let new = Attribute::parse(op.context(), &old.replacen(from, to, 1));
    op.set_attribute(attribute, new.expect("it parses"));
}

/// A constant of that value.
fn constant<'c>(inside: Op<'c>, value: f64) -> Op<'c> {
    let is_wanted = |op: &Op| {
        op.is("arith.constant") && op.attribute("value").and_then(Attribute::as_f64) == Some(value)
    };
    walk(inside).into_iter().find(is_wanted).expect("there is one")
}

fn set_constant(op: Op, value: f64) {
    let ty = op.result(0).ty();
    op.set_attribute("value", Attribute::float(ty, value));
}

type Mistake = for<'c> fn(Op<'c>);

/// A mistake: its description, the step that it follows, and the change.
const MISTAKES: &[(&str, usize, Mistake)] = &[
    ("off by one in a binding", 1, |f| {
        edit(op(f, "loop.block", "C"), "binding", "-> (d0, ", "-> (d0 + 1, ");
    }),
    ("a predicate is dropped", 4, |f| {
        let block = op(f, "loop.block", "D");
        block.remove_attribute("predicate");
        assert!(block.attribute("predicate").is_none());
    }),
    ("a wrong start value", 2, |f| set_constant(constant(f, 0.0), 1.0)),
    ("swapped indices", 3, |f| {
        let load = op(op(f, "loop.block", "C"), "memref.load", "");
        let operands = load.operands();
        load.set_operands(&[operands[0], operands[2], operands[1]]);
    }),
    ("a block is missing", 5, |f| op(f, "loop.block", "D").erase()),
    ("a race: the reduce loop is parallel", 2, |f| {
        edit(op(f, "loop.for", "k"), "kind", "0", "1");
    }),
    ("a wrong constant", 6, |f| set_constant(constant(f, 2.0), 2.5)),
    ("an extent is too small", 4, |f| {
        edit(op(f, "loop.for", "j.1"), "extent", "4", "3");
    }),
    ("a wrong buffer", 1, |f| {
        let block = op(f, "loop.block", "C");
        let loads: Vec<Op> = walk(block).into_iter().filter(|op| op.is("memref.load")).collect();
        loads[1].set_operand(0, loads[0].operands()[0]);
    }),
];

/// The result of verifying a trace with a mistake after a step.
fn verified(
    source: &str,
    steps: &str,
    mistake: Option<(usize, Mistake)>,
) -> Result<(), (usize, String)> {
    let context = pipeline::context();
    let module = parse(&context, source);
    let trace = Trace::from_json(steps).expect("a trace");
    let main = main_of(&module);
    let mut schedule = Schedule::new(main).expect("loops");
    let mut verifier = Verifier::new(main, &[]).expect("it runs");
    for (number, step) in (1..).zip(&trace.instructions) {
        verifier.add_factors(main, &step.factors()).expect("it runs");
        schedule.apply(step).expect("the step is legal");
        if let Some((_, plant)) = mistake.filter(|(at, _)| *at == number) {
            plant(main);
        }
        verifier.check(main).map_err(|mismatch| (number, mismatch.to_string()))?;
    }
    Ok(())
}

fn assert_guilty(what: &str, step: usize, outcome: Result<(), (usize, String)>) {
    match outcome {
        Err((number, found)) => {
            println!("{what}: step {number}: {found}");
            assert_eq!(number, step, "{what}: {found}");
        }
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn ten_mistakes_are_found_at_their_step() {
    assert_eq!(verified(NEST, STEPS, None), Ok(()));
    for (what, step, mistake) in MISTAKES {
        assert_guilty(what, *step, verified(NEST, STEPS, Some((*step, *mistake))));
    }
    assert_eq!(verified(THREADS, STEPS_OF_THREADS, None), Ok(()));
    let no_barrier: Mistake = |f| op(f, "loop.sync", "").erase();
    let outcome = verified(THREADS, STEPS_OF_THREADS, Some((2, no_barrier)));
    assert_guilty("a missing barrier", 2, outcome);
    assert_eq!(MISTAKES.len() + 1, 10);
}

#[test]
fn a_step_that_changes_results_is_an_error() {
    let context = pipeline::context();
    let module = parse(&context, NEST);
    let mut schedule = Schedule::new(main_of(&module)).expect("loops");
    schedule.verify().expect("it runs");
    schedule.force();
    let error = schedule.parallel("C:k").expect_err("two iterations add to one element");
    let Reason::WrongResult { number, step, found } = *error.reason else { panic!("{error}") };
    assert_eq!((number, step.contains("parallel")), (1, true), "{step}");
    assert!(found.contains("unordered"), "{found}");
    // The step was applied, so the next one finds wrong results, too.
    let error = schedule.split("D:j", &[-1, 3], None).expect_err("the race is still there");
    assert!(matches!(*error.reason, Reason::WrongResult { .. }), "{error}");
}

#[test]
fn a_mistake_shows_on_the_smallest_sizes() {
    let mistake: Mistake = |f| set_constant(constant(f, 2.0), 2.5);
    let outcome = verified(NEST, STEPS, Some((1, mistake)));
    let Err((_, found)) = outcome else { panic!("{outcome:?}") };
    let sizes =
        "sizes arg0 1x1, arg1 1x1, arg2 1x1, arg3 1x1, values distinct whole numbers, seed 1";
    assert!(found.ends_with(sizes), "{found}");
    assert!(found.starts_with("\"arg3\" is "), "{found}");
}

#[test]
fn what_does_not_run_cannot_be_verified() {
    let context = pipeline::context();
    let source = "func.func @main(%A: memref<4xf32>) {
      loop.for serial %i in 8 {
        loop.block \"B\" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
          %one = arith.constant 1.0 : f32
          memref.store %one, %A[%v] : memref<4xf32>
        }
      }
      return
    }";
    let module = parse(&context, source);
    let mut schedule = Schedule::new(main_of(&module)).expect("loops");
    let error = schedule.verify().map_err(|error| error.message).expect_err("out of bounds");
    assert!(
        error.contains("cannot be verified: it does not run on any of the inputs: "),
        "{error}"
    );
    let large = source.replace("4xf32", "40000000xf32").replace(" 8", " 40000000");
    let module = parse(&context, &large);
    let mut schedule = Schedule::new(main_of(&module)).expect("loops");
    let error = schedule.verify().map_err(|error| error.message).expect_err("too long");
    assert!(error.contains("40000001 instances of schedule blocks exceed the limit of"), "{error}");
}
