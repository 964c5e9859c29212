//! The Rust scheduling API: all three interfaces give the same text, traces replay, text parses again,
//! refusals change nothing, and random schedules compute what the unscheduled program computes.
//! `LOOPWRIGHT_SCHEDULE_SEEDS` is the number of random schedules a nest (default 20).

#[path = "schedule/random_schedules/step.rs"]
mod step;

use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::{Array, Datum, RunOptions, run};
use loopwright::ir::{FloatKind, Op, walk};
use loopwright::pipeline;
use loopwright::schedule::apply_script;
use loopwright::schedule::{Schedule, ScheduleError};
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::env;

#[path = "auto_schedule/axis.rs"]
mod axes;
#[path = "schedule/library/called.rs"]
mod called;
#[path = "schedule/primitive/declaration.rs"]
mod declaration;
#[path = "schedule/each_primitive.rs"]
mod each_primitive;
#[path = "schedule/legality/fp.rs"]
mod fp;
#[path = "schedule/legality/mergeable.rs"]
mod fusable;
#[path = "schedule/query.rs"]
mod queries;
#[path = "strategy/script.rs"]
mod script;
#[path = "schedule/tails.rs"]
mod tails;
#[path = "auto_schedule/cost/traffic.rs"]
mod traffic;

/// A program and the shapes of its arguments, in several cases; the name marks an i64 argument.
struct Nest {
    name: &'static str,
    text: &'static str,
    cases: &'static [&'static [&'static [usize]]],
    integers: &'static [usize],
}

const MATMUL: Nest = Nest {
    name: "matmul",
    text: include_str!("schedule/Inputs/matmul.mlir"),
    cases: &[&[&[6, 4], &[4, 5], &[5, 6]]],
    integers: &[],
};
const CHAIN: Nest = Nest {
    name: "chain",
    text: include_str!("schedule/Inputs/chain.mlir"),
    cases: &[&[&[4, 3], &[4, 3], &[3, 4]]],
    integers: &[],
};
const DYNAMIC: Nest = Nest {
    name: "dynamic",
    text: include_str!("schedule/Inputs/dynamic.mlir"),
    cases: &[
        &[&[3, 5], &[3], &[3, 5]],
        &[&[4, 1], &[4], &[4, 1]],
        &[&[1, 7], &[1], &[1, 7]],
        &[&[3, 0], &[3], &[3, 0]],
        &[&[0, 3], &[0], &[0, 3]],
        &[&[0, 0], &[0], &[0, 0]],
    ],
    integers: &[],
};
const TILES: Nest = Nest {
    name: "tiles",
    text: include_str!("schedule/Inputs/tiles.mlir"),
    cases: &[&[&[24], &[24], &[4, 6]]],
    integers: &[],
};
const ORDERS: Nest = Nest {
    name: "orders",
    text: include_str!("schedule/Inputs/orders.mlir"),
    cases: &[&[&[5, 5], &[5], &[5], &[2], &[2], &[6, 4]]],
    integers: &[4],
};
const ODD: Nest = Nest {
    name: "odd",
    text: include_str!("schedule/Inputs/odd.mlir"),
    cases: &[&[&[12], &[6], &[7], &[8], &[12], &[4], &[4], &[3]]],
    integers: &[1],
};
const THREADS: Nest = Nest {
    name: "threads",
    text: include_str!("schedule/Inputs/threads.mlir"),
    cases: &[&[&[8], &[16], &[4, 6], &[6]]],
    integers: &[],
};
const REDUCTIONS: Nest = Nest {
    name: "reductions",
    text: include_str!("schedule/Inputs/reductions.mlir"),
    cases: &[
        &[&[3, 5], &[3], &[5], &[5], &[3], &[5], &[5], &[5], &[3, 2]],
        &[&[1, 1], &[1], &[1], &[1], &[1], &[1], &[1], &[1], &[1, 2]],
        &[&[7, 2], &[7], &[2], &[2], &[7], &[2], &[2], &[2], &[7, 2]],
        &[&[2, 11], &[2], &[11], &[11], &[2], &[11], &[11], &[11], &[2, 2]],
        &[&[3, 0], &[3], &[0], &[0], &[3], &[0], &[0], &[0], &[3, 2]],
        &[&[0, 3], &[0], &[3], &[3], &[0], &[3], &[3], &[3], &[0, 2]],
        &[&[0, 0], &[0], &[0], &[0], &[0], &[0], &[0], &[0], &[0, 2]],
    ],
    integers: &[3, 7],
};
const LOCATIONS: Nest = Nest {
    name: "locations",
    text: include_str!("schedule/Inputs/locations.mlir"),
    cases: &[
        &[&[3, 8], &[3, 8]],
        &[&[2, 9], &[2, 9]],
        &[&[5, 7], &[5, 7]],
        &[&[1, 1], &[1, 1]],
        &[&[9, 17], &[9, 17]],
        &[&[3, 0], &[3, 0]],
        &[&[0, 3], &[0, 3]],
    ],
    integers: &[],
};
/// Two blocks; the second reads the first one's result at the index that it writes.
const PADDED: &str = include_str!("schedule/Inputs/padded.mlir");
const PAIR: &str = "func.func @main(%A: memref<4xf32>, %Q: memref<4xf32>) {
  %P = loop.buffer \"P\" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block \"P\" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%P[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %P[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block \"Q\" [%v: spatial 4] = (%i) reads(%P[%v : 1]) writes(%Q[%v : 1]) {
      %p = memref.load %P[%v] : memref<4xf32>
      memref.store %p, %Q[%v] : memref<4xf32>
    }
  }
  return
}";
/// A block that computes three rows in each iteration, two of them redundantly.
const WINDOW: &str = "func.func @main(%A: memref<10xf32>, %Q: memref<8xf32>) {
  %P = loop.buffer \"P\" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      loop.block \"P\" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%P[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %P[%v] : memref<10xf32>
      }
    }
    loop.block \"Q\" [%v: spatial 8] = (%i) reads(%P[%v : 3]) writes(%Q[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %a = memref.load %P[%v] : memref<10xf32>
      %b = memref.load %P[%0] : memref<10xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %Q[%v] : memref<8xf32>
    }
  }
  return
}";
const NESTS: &[Nest] =
    &[MATMUL, CHAIN, DYNAMIC, TILES, ORDERS, ODD, THREADS, REDUCTIONS, LOCATIONS];

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    Module::parse(context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"))
}

fn text(module: &Module) -> String {
    module.as_operation().to_string()
}

fn function<'m>(module: &'m Module, name: &str) -> Op<'m> {
    let symbol = |op: &Op| op.symbol_name() == Some(name);
    walk(top(module)).into_iter().find(symbol).expect("the module has the function")
}

/// The text after steps from Rust, and their trace.
fn scheduled(
    context: &Context,
    source: &str,
    steps: impl Fn(&mut Schedule) -> Result<(), ScheduleError>,
) -> (String, String) {
    let module = parse(context, source);
    let mut schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
    steps(&mut schedule).expect("all steps are legal");
    let trace = schedule.trace().script();
    (text(&module), trace)
}

/// The text after a script.
fn replayed(context: &Context, source: &str, script: &str) -> String {
    let (module, script) = (parse(context, source), parse(context, script));
    apply_script(top(&module), top(&script)).expect("the script applies");
    text(&module)
}

fn passed(context: &Context, source: &str, pipeline: &str) -> String {
    let mut module = parse(context, source);
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).expect("a pipeline");
    manager.run(&mut module).expect("it runs");
    text(&module)
}

fn assert_prints_what_parses(context: &Context, printed: &str) {
    let module = parse(context, printed);
    assert!(top(&module).verify(), "is not valid:\n{printed}");
    assert_eq!(text(&module), printed);
}

#[test]
fn a_split_has_one_text_from_all_faces() {
    let context = pipeline::context();
    let (from_rust, trace) = scheduled(&context, MATMUL.text, |s| {
        assert_eq!(s.split("T:j", &[2, -1], None)?, ["j.0", "j.1"]);
        Ok(())
    });
    let pipeline = "builtin.module(sched-split{loop=T:j factors=2,-1})";
    assert_eq!(passed(&context, MATMUL.text, pipeline), from_rust);
    assert_eq!(replayed(&context, MATMUL.text, &trace), from_rust);
    assert!(trace.contains("transform.sched.split \"T:j\" in %f factors [2, -1]\n"), "{trace}");
}

#[test]
fn a_mixed_trace_replays() {
    let context = pipeline::context();
    let (from_rust, trace) = scheduled(&context, CHAIN.text, |s| {
        s.compute_inline("P")?;
        s.split("Q:j", &[-1, 4], None)?;
        s.fuse(&["Q:i", "Q:j.0"])?;
        s.split("Q:i_j.0_fused", &[5, 2], None)?;
        s.reorder(&["Q:j.1", "Q:i_j.0_fused.1"])?;
        s.parallel("Q:i_j.0_fused.0")?;
        s.vectorize("Q:j.1", None)?;
        s.unroll("Q:i_j.0_fused.1", None)?;
        s.fuse(&["R:k", "R:l"])?;
        s.split("R:k_l_fused", &[4, -1], None)?;
        s.reorder(&["R:k_l_fused.1", "R:k_l_fused.0"])?;
        s.unroll("R:k_l_fused.0", None).map(drop)
    });
    assert_eq!(trace.matches("transform.sched.").count(), 13);
    assert_eq!(replayed(&context, CHAIN.text, &trace), from_rust);
    assert_prints_what_parses(&context, &from_rust);
    assert_same_results(&context, &CHAIN, &from_rust, "the mixed trace");
}

/// Tiles of unknown sizes: none is missing at the end, and none runs twice.
#[test]
fn locations_hold_for_all_sizes() {
    type Steps = fn(&mut Schedule) -> Result<(), ScheduleError>;
    let all: [(&str, Steps); 5] = [
        ("rows", |s| {
            s.compute_at("S", "C:i")?;
            s.compute_at("Q", "C:i").map(drop)?;
            s.compute_at("P", "C:i").map(drop)
        }),
        ("tiles of columns", |s| {
            s.split("Q:j", &[-1, 4], None)?;
            s.compute_at("P", "Q:j.0").map(drop)
        }),
        ("tiles of rows", |s| {
            s.split("C:i", &[-1, 2], None)?;
            s.compute_at("S", "C:i.0")?;
            s.compute_at("Q", "C:i.0").map(drop)
        }),
        ("the reader under tiles of what it reads", |s| {
            s.split("S:i", &[-1, 4], None)?;
            s.reverse_compute_at("C", "S:i.0").map(drop)
        }),
        ("the sum under rows", |s| s.reverse_compute_at("S", "Q:i").map(drop)),
    ];
    let context = pipeline::context();
    for (name, steps) in all {
        let (after, trace) = scheduled(&context, LOCATIONS.text, steps);
        assert_prints_what_parses(&context, &after);
        assert_eq!(replayed(&context, LOCATIONS.text, &trace), after, "{name}");
        assert_same_results(&context, &LOCATIONS, &after, name);
    }
}

#[test]
fn a_trace_names_any_function() {
    let context = pipeline::context();
    let source = "func.func @\"a \\22 b\"() {\n  loop.for serial %i in 8 { loop.block \"B\" [] = () {} }\n  return\n}";
    let module = parse(&context, source);
    let mut schedule = Schedule::new(function(&module, "a \" b")).expect("a function of loops");
    schedule.unroll("B:i", None).expect("legal");
    assert_eq!(replayed(&context, source, &schedule.trace().script()), text(&module));
}

#[test]
fn what_is_gone_says_where_it_went() {
    let context = pipeline::context();
    let module = parse(&context, CHAIN.text);
    let mut schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
    schedule.split("R:i", &[2, 2], None).expect("legal");
    schedule.compute_inline("P").expect("legal");
    schedule.fuse(&["R:i.0", "R:i.1"]).expect("legal");
    let by = |error: ScheduleError| error.reason.to_string();
    assert_eq!(
        by(schedule.unroll("R:i", None).expect_err("it was split")),
        "\"R:i\" was removed by step 1: transform.sched.split \"R:i\" in %f factors [2, 2]"
    );
    assert_eq!(
        by(schedule.unroll("P:i", None).expect_err("it was inlined")),
        "\"P\" was removed by step 2: transform.sched.compute_inline \"P\" in %f"
    );
    assert_eq!(
        by(schedule.unroll("R:i.1", None).expect_err("it was fused")),
        "\"R:i.1\" was removed by step 3: transform.sched.fuse [\"R:i.0\", \"R:i.1\"] in %f"
    );
    assert_eq!(
        by(schedule.unroll("R:x", None).expect_err("it never was")),
        "there is no loop \"x\" around schedule block \"R\", there are \"i.0_i.1_fused\", \"j\", \"k\", \"l\""
    );
    assert_eq!(schedule.trace().instructions.len(), 3, "refusals are no steps");
}

#[test]
fn a_name_that_comes_back_is_not_gone() {
    let context = pipeline::context();
    let module = parse(
        &context,
        "func.func @main() {\n  loop.for serial %i.0 in 2 {\n    loop.for serial %i in 4 { loop.block \"B\" [] = () {} }\n  }\n  return\n}",
    );
    let mut schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
    schedule.fuse(&["B:i.0", "B:i"]).expect("legal");
    schedule.unroll("B:i.0", None).expect_err("it was fused");
    schedule.split("B:i.0_i_fused", &[2, 4], None).expect("legal");
    schedule.unroll("B:i.0_i_fused.1", None).expect("it is there");
}

#[test]
fn inlined_twice_prints_what_parses() {
    let context = pipeline::context();
    let (callee, _) = scheduled(&context, TILES.text, |s| {
        s.compute_inline("T")?;
        s.split("tile:o", &[3, 2], None)?;
        s.fuse(&["B:i", "B:j"])?;
        s.vectorize("C:f", Some(6)).map(drop)
    });
    let callee = callee.replace("func.func @main", "func.func private @tiles");
    let end = callee.rfind('}').expect("the end of the module");
    let types = "(memref<24xf32>, memref<24xf32>, memref<4x6xf32>) -> ()";
    let source = format!(
        "{}func.func @main(%A: memref<24xf32>, %B: memref<24xf32>, %C: memref<4x6xf32>, %D: memref<4x6xf32>) {{\n\
         func.call @tiles(%A, %B, %C) : {types}\nfunc.call @tiles(%B, %A, %D) : {types}\nreturn\n}}\n}}",
        &callee[..end]
    );
    let inlined = passed(&context, &source, "builtin.module(inline)");
    assert!(!inlined.contains("call @tiles"), "{inlined}");
    assert_prints_what_parses(&context, &inlined);
    let (again, trace) = scheduled(&context, &inlined, |s| {
        s.split("C_1:f.0", &[2, -1], None)?;
        s.unroll("C_1:f.0.1", None)?;
        s.parallel("C:f.0")
    });
    assert_prints_what_parses(&context, &again);
    assert_eq!(replayed(&context, &inlined, &trace), again);
}

#[test]
fn random_schedules_compute_the_same() {
    let seeds = env::var("LOOPWRIGHT_SCHEDULE_SEEDS").ok().and_then(|text| text.parse().ok());
    let seeds: u64 = seeds.unwrap_or(20);
    let mut steps = [0; 2];
    for nest in NESTS {
        let context = pipeline::context();
        for seed in 0..seeds {
            let module = parse(&context, nest.text);
            let mut schedule =
                Schedule::new(function(&module, "main")).expect("a function of loops");
            let mut random = Random::new(seed);
            for _ in 0..12 {
                for step in step::random(schedule.summary(), &mut random.0) {
                    let before = text(&module);
                    match schedule.apply(&step) {
                        Ok(_) => steps[0] += 1,
                        Err(_) => {
                            assert_eq!(text(&module), before, "{} {seed}: {step:?}", nest.name);
                            steps[1] += 1;
                        }
                    }
                }
            }
            let (after, trace) = (text(&module), schedule.trace().script());
            let what = format!("{} {seed}:\n{trace}", nest.name);
            assert!(top(&module).verify(), "is not valid: {what}\n{after}");
            // MLIR may reassociate a sum by a size when it parses it, so `after` itself is not compared.
            assert_prints_what_parses(&context, &text(&parse(&context, &after)));
            assert_eq!(replayed(&context, nest.text, &trace), after, "{what}");
            assert_same_results(&context, nest, &after, &what);
        }
    }
    assert!(steps[0] > steps[1] / 4, "{} steps are legal, {} are refused", steps[0], steps[1]);
}

/// Runs a program before and after scheduling, on small integers, so that sums are exact.
fn assert_same_results(context: &Context, nest: &Nest, after: &str, what: &str) {
    let (before, after) = (parse(context, nest.text), parse(context, after));
    for (n, shapes) in nest.cases.iter().enumerate() {
        let expected = results(&before, nest, shapes, what);
        assert_eq!(results(&after, nest, shapes, what), expected, "case {n} of {what}");
    }
}

/// The contents of the buffers after a run.
fn results(module: &Module, nest: &Nest, shapes: &[&[usize]], what: &str) -> Vec<Vec<Scalar>> {
    let mut random = Random::new(7);
    let mut buffer = |(i, shape): (usize, &&[usize])| {
        let is_integer = nest.integers.contains(&i);
        let ty = if is_integer { ScalarType::Int(64) } else { ScalarType::Float(FloatKind::F32) };
        let mut array = Array::undefined(ty, shape.to_vec()).expect("small");
        for cell in &mut array.cells {
            let value = random.below(7) as i64 - 3;
            *cell = if is_integer { Scalar::Int(value) } else { Scalar::Float(value as f64) };
        }
        Datum::buffer(array)
    };
    let arguments: Vec<Datum> = shapes.iter().enumerate().map(&mut buffer).collect();
    let options = RunOptions { seed: 5, max_iterations: 1_000_000 };
    if let Err(error) = run(top(module), "main", arguments.clone(), options) {
        panic!("{}: {what}\n{}", error.message, text(module));
    }
    let cells = |argument: &Datum| match argument {
        Datum::Buffer(array) => array.borrow().cells.clone(),
        _ => vec![],
    };
    arguments.iter().map(cells).collect()
}

/// A seeded source of random choices.
struct Random(StdRng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(StdRng::seed_from_u64(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n.max(1))
    }
}
