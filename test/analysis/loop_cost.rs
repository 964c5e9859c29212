//! Compares the cost ledger with the interpreter's counts, on kernels of many kinds.
//!
//! An exact figure must equal the count; a bound must not be below it. The kernels are those of
//! other tests' `Inputs`, matmuls, convolutions and reductions lowered from linalg, models, and scheduled kernels. Each
//! runs for several sizes.

#[path = "../schedule/legality/family.rs"]
mod family;
#[path = "../schedule/legality/nest.rs"]
mod nest;
#[path = "../schedule/legality/step.rs"]
mod step;

use loopwright::analysis::loop_cost::{CostRow, Costs, Figure, IntensityValue, Ledger};
use loopwright::analysis::work::WorkArgument;
use loopwright::dialect::loop_enums::Scope;
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::{Array, Datum, OpCounts, RunOptions, run_counted};
use loopwright::ir::{Op, TypeKind, walk};
use loopwright::pipeline::{self, Phase, Settings};
use loopwright::schedule::instruction::Primitive;
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright::schedule::{Schedule, ScheduleError};
use loopwright_testing::top;
use melior::ir::Module;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;

/// The number of compared figures.
#[derive(Default)]
struct Tally {
    kernels: usize,
    /// Kernels with only exact figures.
    exact_kernels: usize,
    exact: usize,
    bounds: usize,
    runs: usize,
    /// Kernels that the interpreter does not run.
    refused: Vec<String>,
    /// Kernels with bounds.
    with_bounds: Vec<String>,
}

/// The figures of a block, from the ledger and from the interpreter.
fn pairs<'a>(costs: &'a Costs, count: &'a OpCounts) -> Vec<(String, Figure, u64)> {
    let mut pairs = vec![
        ("flops".to_owned(), costs.float_ops.clone(), count.float_ops),
        ("int ops".to_owned(), costs.int_ops.clone(), count.int_ops),
    ];
    for scope in Scope::ALL {
        let i = *scope as usize;
        pairs.push((format!("{scope} loads"), costs.loads(*scope), count.loads[i]));
        pairs.push((format!("{scope} stores"), costs.stores(*scope), count.stores[i]));
        pairs.push((format!("{scope} footprint"), costs.footprint(*scope), count.footprint[i]));
    }
    pairs
}

/// The JSON of a ledger states the figures of the ledger.
fn compare_json(function: &str, ledger: &Ledger) {
    let json: Value = serde_json::from_str(&ledger.to_json(function)).expect("it is JSON");
    let text = |figure: &Value| {
        let bound = figure["bound"].as_str().expect("a word");
        let value = match &figure["value"] {
            Value::String(formula) => formula.clone(),
            value => value.to_string(),
        };
        match bound {
            "exact" => value,
            "at_most" => format!("<= {value}"),
            "unknown" => "?".to_owned(),
            other => panic!("no bound of a count: {other}"),
        }
    };
    let compare = |at: &Value, figure: &Figure| {
        let amount = figure.amount().and_then(|amount| amount.constant());
        assert_eq!(text(at), figure.text(&ledger.sizes), "{json}");
        assert_eq!(at["value"].is_number(), amount.is_some(), "{json}");
    };
    let compare_costs = |at: &Value, costs: &Costs| {
        compare(&at["float_ops"], &costs.float_ops);
        compare(&at["int_ops"], &costs.int_ops);
        for scope in Scope::ALL {
            let memory = &at["memory"][scope.to_string()];
            compare(&memory["loads"], &costs.loads(*scope));
            compare(&memory["stores"], &costs.stores(*scope));
            compare(&memory["footprint"], &costs.footprint(*scope));
        }
        let intensities = ledger.intensities(costs);
        for (intensity, name) in intensities.iter().zip(["footprint", "accessed"]) {
            assert_eq!(at["intensity"][name]["bound"], intensity.bound.word(), "{json}");
            let value = &at["intensity"][name]["value"];
            match &intensity.value {
                None => assert!(value.is_null(), "{json}"),
                // The parser does not round correctly.
                Some(IntensityValue::Number(number)) => {
                    let found = value.as_f64().expect("a number");
                    assert!((found - number).abs() <= f64::EPSILON * number, "{json}");
                }
                Some(IntensityValue::Formula(formula)) => assert_eq!(value, formula, "{json}"),
            }
        }
        let buffers = at["buffers"].as_array().expect("a list");
        assert_eq!(buffers.len(), costs.buffers.len(), "{json}");
        for (buffer, costs) in buffers.iter().zip(&costs.buffers) {
            assert_eq!(buffer["buffer"], costs.buffer, "{json}");
            assert_eq!(buffer["scope"], costs.scope.to_string(), "{json}");
            assert_eq!(buffer["is_shared"], costs.is_shared, "{json}");
            compare(&buffer["loads"], &costs.loads);
            compare(&buffer["stores"], &costs.stores);
            compare(&buffer["footprint"], &costs.footprint);
        }
    };
    assert_eq!(json["function"], function);
    let sizes = json["sizes"].as_array().expect("a list").iter().map(|size| &size["name"]);
    assert!(sizes.eq(&ledger.sizes), "{json}");
    let blocks = json["blocks"].as_array().expect("a list");
    assert_eq!(blocks.len(), ledger.rows.len(), "{json}");
    for (block, row) in blocks.iter().zip(&ledger.rows) {
        assert_eq!((&block["block"], &block["is_init"]), (&json!(row.block), &json!(row.is_init)));
        compare(&block["instances"], &row.instances);
        compare(&block["parallel"], &row.parallel);
        compare(&block["lanes"], &row.lanes);
        compare_costs(block, &row.costs);
    }
    compare_costs(&json["total"], &ledger.total);
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { kernels, exact_kernels, exact, bounds, runs, .. } = self;
        write!(
            f,
            "{kernels} kernels, of which {exact_kernels} have exact figures only; {runs} runs with {exact} \
             exact figures and {bounds} bounds"
        )
    }
}

/// The nests of a function have the rows of the function, and access no more shared bytes than all their buffers have.
fn compare_nests(function: Op, ledger: &Ledger) {
    let nests = function.body(0).map(|body| body.ops()).unwrap_or_default();
    let nests =
        nests.into_iter().filter(|op| ["loop.for", "loop.if", "loop.block"].contains(&op.name()));
    let nests: Vec<Ledger> =
        nests.map(|nest| Ledger::of_nest(function, nest).expect("it is valid")).collect();
    let text = |row: &CostRow| {
        let figures = [&row.instances, &row.costs.float_ops, &row.costs.int_ops];
        format!("{} {:?}", row.title(), figures.map(|figure| figure.text(&ledger.sizes)))
    };
    let rows: Vec<String> = nests.iter().flat_map(|nest| &nest.rows).map(text).collect();
    assert_eq!(rows, ledger.rows.iter().map(text).collect::<Vec<_>>());
    if let [nest] = &nests[..] {
        assert_eq!(nest.total, ledger.total);
    }
}

impl Tally {
    /// Compares the ledger of a function with runs on these arguments.
    fn kernel(&mut self, name: &str, module: Op, function: Op, calls: &[Vec<WorkArgument>]) {
        let ledger = Ledger::of(function).expect("it is valid");
        let entry = function.symbol_name().expect("its name");
        compare_nests(function, &ledger);
        compare_json(entry, &ledger);
        let before = self.bounds;
        let (mut exact, mut bounds, mut wrong) = (0, 0, vec![]);
        for arguments in calls {
            let sizes = ledger.values(arguments).expect("all sizes are of arguments");
            let counts = run(module, entry, function, arguments);
            let counts = match counts {
                Ok(counts) => counts,
                Err(message) => {
                    self.refused.push(format!("{name}: {message}"));
                    return;
                }
            };
            let none = OpCounts::default();
            let (total, counts) = counts.split_last().expect("the total is last");
            let mut compare = |what: String, figure: &Figure, counted: u64| {
                let at = || format!("{name} {sizes:?} {what}: {}", figure.text(&ledger.sizes));
                let value = figure.amount().and_then(|amount| amount.evaluate(&sizes));
                let Some(value) = value else { panic!("{}: no number", at()) };
                let (is_exact, counted) = (figure.is_exact(), i128::from(counted));
                *(if is_exact { &mut exact } else { &mut bounds }) += 1;
                if value < counted || is_exact && value != counted {
                    wrong.push(format!("{}, counted {counted}", at()));
                }
            };
            for row in &ledger.rows {
                let is_it = |c: &&OpCounts| c.block == row.block && c.is_init == row.is_init;
                let count = counts.iter().find(is_it).unwrap_or(&none);
                compare(format!("{} instances", row.title()), &row.instances, count.instances);
                for (what, figure, counted) in pairs(&row.costs, count) {
                    compare(format!("{} {what}", row.title()), &figure, counted);
                }
            }
            for (what, figure, counted) in pairs(&ledger.total, total) {
                compare(format!("total {what}"), &figure, counted);
            }
            let is_known = |c: &OpCounts| {
                ledger.rows.iter().any(|row| c.block == row.block && c.is_init == row.is_init)
            };
            assert!(counts.iter().all(is_known), "{name}: the ledger lacks a block");
            self.runs += 1;
        }
        assert!(wrong.is_empty(), "{}\n{module}", wrong.join("\n"));
        self.exact += exact;
        self.bounds += bounds;
        self.kernels += 1;
        match self.bounds == before {
            true => self.exact_kernels += 1,
            false => self.with_bounds.push(name.to_owned()),
        }
    }

    /// Compares all functions of a module, each for calls derived from its argument types.
    fn module(&mut self, name: &str, module: Op) {
        for function in walk(module).into_iter().filter(|op| op.is("func.func")) {
            let entry = function.symbol_name();
            let name = format!("{name} @{}", entry.unwrap_or_default());
            self.kernel(&name, module, function, &calls(function));
        }
    }
}

/// Runs a function; returns the counts.
fn run(
    module: Op,
    entry: &str,
    function: Op,
    arguments: &[WorkArgument],
) -> Result<Vec<OpCounts>, String> {
    let types = function.body(0).expect("a body").arguments();
    let mut data = vec![];
    for (value, argument) in types.iter().zip(arguments) {
        data.push(match (argument, value.ty().kind()) {
            (WorkArgument::Index(size), _) => Datum::index(*size as usize),
            (WorkArgument::Shape(shape), TypeKind::MemRef { element, .. }) => {
                let ty = ScalarType::of(element).ok_or("an argument of an odd type")?;
                let shape = shape.iter().map(|size| *size as usize).collect();
                let mut array = Array::undefined(ty, shape).ok_or("too large")?;
                for (i, cell) in array.cells.iter_mut().enumerate() {
                    *cell = match ty {
                        ScalarType::Float(_) => Scalar::Float(1.0 + (i % 7) as f64 / 8.0),
                        _ => Scalar::Int((i * 3 % 4) as i64),
                    };
                }
                Datum::buffer(array)
            }
            _ => return Err("an argument that does not fit".into()),
        });
    }
    let options = RunOptions { seed: 7, max_iterations: 10_000_000 };
    run_counted(module, entry, data, options).map(|(_, counts)| counts).map_err(|e| e.message)
}

/// Calls of a function. With index arguments: some values of them, and large buffers. Without: buffers of equal sizes.
fn calls(function: Op) -> Vec<Vec<WorkArgument>> {
    let types = function.body(0).expect("a body").arguments();
    let kinds: Vec<TypeKind> = types.iter().map(|value| value.ty().kind()).collect();
    let has_sizes = kinds.iter().any(|kind| matches!(kind, TypeKind::Index));
    let is_dynamic =
        |kind: &TypeKind| matches!(kind, TypeKind::MemRef { dims, .. } if dims.contains(&None));
    let choices: &[[i64; 3]] = match (has_sizes, kinds.iter().any(is_dynamic)) {
        (true, _) => &[[1, 1, 1], [2, 3, 2], [6, 5, 4], [5, 6, 1], [4, 4, 4], [1, 6, 3]],
        (false, true) => &[[1, 1, 1], [2, 2, 2], [3, 3, 3], [5, 5, 5], [8, 8, 8]],
        (false, false) => &[[0; 3]],
    };
    let call = |sizes: &[i64; 3]| {
        let mut next = sizes.iter().cycle();
        let argument = |kind: &TypeKind| match kind {
            TypeKind::MemRef { dims, .. } => {
                let dynamic = if has_sizes { [1, 16, 16, 8][dims.len()] } else { sizes[0] };
                WorkArgument::Shape(dims.iter().map(|dim| dim.unwrap_or(dynamic)).collect())
            }
            _ => WorkArgument::Index(*next.next().expect("it cycles")),
        };
        kinds.iter().map(argument).collect()
    };
    choices.iter().map(call).collect()
}

fn inputs(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test").join(folder).join("Inputs");
    let mut found = vec![];
    for entry in std::fs::read_dir(root).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        for (i, part) in text.split("// -----").enumerate() {
            found.push((format!("{folder}/{name} {i}"), part.to_owned()));
        }
    }
    found.sort();
    found
}

/// A function on tensors.
struct Linalg {
    name: &'static str,
    arguments: &'static str,
    result: &'static str,
    /// The ops that compute `%r`.
    body: &'static str,
    /// For each call, the shapes of all arguments of the loop form; the result is last.
    shapes: &'static [&'static [&'static [i64]]],
}

const LINALG: &[Linalg] = &[
    Linalg {
        name: "matmul",
        arguments: "%A: tensor<5x7xf32>, %B: tensor<7x3xf32>, %C: tensor<5x3xf32>",
        result: "tensor<5x3xf32>",
        body: "%r = linalg.matmul ins(%A, %B : tensor<5x7xf32>, tensor<7x3xf32>)
              outs(%C : tensor<5x3xf32>) -> tensor<5x3xf32>",
        shapes: &[&[&[5, 7], &[7, 3], &[5, 3], &[5, 3]]],
    },
    Linalg {
        name: "dynamic matmul",
        arguments: "%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %C: tensor<?x?xf32>",
        result: "tensor<?x?xf32>",
        body: "%r = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>)
              outs(%C : tensor<?x?xf32>) -> tensor<?x?xf32>",
        shapes: &[
            &[&[5, 7], &[7, 3], &[5, 3], &[5, 3]],
            &[&[1, 8], &[8, 4], &[1, 4], &[1, 4]],
            &[&[4, 1], &[1, 9], &[4, 9], &[4, 9]],
            &[&[8, 8], &[8, 8], &[8, 8], &[8, 8]],
        ],
    },
    Linalg {
        name: "batch matmul",
        arguments: "%A: tensor<2x3x4xf16>, %B: tensor<2x4x5xf16>, %C: tensor<2x3x5xf16>",
        result: "tensor<2x3x5xf16>",
        body: "%r = linalg.batch_matmul ins(%A, %B : tensor<2x3x4xf16>, tensor<2x4x5xf16>)
              outs(%C : tensor<2x3x5xf16>) -> tensor<2x3x5xf16>",
        shapes: &[&[&[2, 3, 4], &[2, 4, 5], &[2, 3, 5], &[2, 3, 5]]],
    },
    Linalg {
        name: "integer matvec",
        arguments: "%A: tensor<?x6xi32>, %x: tensor<6xi32>, %y: tensor<?xi32>",
        result: "tensor<?xi32>",
        body: "%r = linalg.matvec ins(%A, %x : tensor<?x6xi32>, tensor<6xi32>)
              outs(%y : tensor<?xi32>) -> tensor<?xi32>",
        shapes: &[&[&[5, 6], &[6], &[5], &[5]], &[&[1, 6], &[6], &[1], &[1]]],
    },
    Linalg {
        name: "convolution",
        arguments: "%x: tensor<1x7x8x3xf32>, %w: tensor<3x3x3x2xf32>, %y: tensor<1x3x3x2xf32>",
        result: "tensor<1x3x3x2xf32>",
        body: "%r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
              ins(%x, %w : tensor<1x7x8x3xf32>, tensor<3x3x3x2xf32>)
              outs(%y : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>",
        shapes: &[&[&[1, 7, 8, 3], &[3, 3, 3, 2], &[1, 3, 3, 2], &[1, 3, 3, 2]]],
    },
    Linalg {
        name: "pooling with gaps",
        arguments: "%x: tensor<1x11x9x2xf64>, %w: tensor<2x2xf64>, %y: tensor<1x3x2x2xf64>",
        result: "tensor<1x3x2x2xf64>",
        body: "%r = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>}
              ins(%x, %w : tensor<1x11x9x2xf64>, tensor<2x2xf64>)
              outs(%y : tensor<1x3x2x2xf64>) -> tensor<1x3x2x2xf64>",
        shapes: &[&[&[1, 11, 9, 2], &[2, 2], &[1, 3, 2, 2], &[1, 3, 2, 2]]],
    },
    Linalg {
        name: "transpose",
        arguments: "%x: tensor<?x?xi8>, %y: tensor<?x?xi8>",
        result: "tensor<?x?xi8>",
        body: "%r = linalg.transpose ins(%x : tensor<?x?xi8>) outs(%y : tensor<?x?xi8>) permutation = [1, 0]",
        shapes: &[&[&[3, 5], &[5, 3], &[5, 3]], &[&[1, 4], &[4, 1], &[4, 1]]],
    },
    Linalg {
        name: "broadcast",
        arguments: "%x: tensor<?xf32>, %y: tensor<4x?xf32>",
        result: "tensor<4x?xf32>",
        body: "%r = linalg.broadcast ins(%x : tensor<?xf32>) outs(%y : tensor<4x?xf32>) dimensions = [0]",
        shapes: &[&[&[3], &[4, 3], &[4, 3]], &[&[1], &[4, 1], &[4, 1]]],
    },
    Linalg {
        name: "exponential of a sum",
        arguments: "%x: tensor<?xf32>, %y: tensor<?xf32>",
        result: "tensor<?xf32>",
        body: "%s = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
          %r = linalg.exp ins(%s : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>",
        shapes: &[&[&[3], &[3], &[3]], &[&[1], &[1], &[1]]],
    },
    Linalg {
        name: "row sums",
        arguments: "%x: tensor<?x?xf32>, %y: tensor<?xf32>",
        result: "tensor<?xf32>",
        body: "%r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) dimensions = [1]",
        shapes: &[&[&[3, 4], &[3], &[3]], &[&[5, 1], &[5], &[5]]],
    },
];

fn function_of(module: Op) -> Op {
    walk(module).into_iter().find(|op| op.is("func.func")).expect("a function")
}

/// Schedules of the matmul of dynamic sizes, and the figures that are not formulas afterwards.
type Scheduled = (&'static str, fn(&mut Schedule) -> Result<(), ScheduleError>);

const SCHEDULES: &[Scheduled] = &[
    ("tiles", |s| {
        s.split("matmul:i", &[-1, 4], None)?;
        s.split("matmul:j", &[-1, 2], None)?;
        s.split("matmul:k", &[-1, 4], None)?;
        s.reorder(&[
            "matmul:i.0",
            "matmul:j.0",
            "matmul:k.0",
            "matmul:i.1",
            "matmul:j.1",
            "matmul:k.1",
        ])
    }),
    ("peeled tail", |s| s.split("matmul:j", &[-1, 4], Some("peel")).map(drop)),
    ("fused, split and parallel", |s| {
        let fused = s.fuse(&["matmul:i", "matmul:j"])?;
        let parts = s.split(&format!("matmul:{fused}"), &[-1, 8], None)?;
        s.parallel(&format!("matmul:{}", parts[0]))?;
        s.decompose_reduction("matmul", &format!("matmul:{}", parts[0])).map(drop)
    }),
    ("bound", |s| {
        let parts = s.split("matmul:j", &[-1, 4], None)?;
        s.bind("matmul:i", "blockIdx.x")?;
        s.bind(&format!("matmul:{}", parts[1]), "threadIdx.x")
    }),
    ("lanes", |s| {
        s.split("matmul:j", &[-1, 4], None)?;
        s.reorder(&["matmul:k", "matmul:j.1"])?;
        s.vectorize("matmul:j.1", None).map(drop)
    }),
    ("copies", |s| {
        s.cache_read("matmul", "arg1", "local", &[], None)?;
        s.cache_write("matmul", "out", "global", None).map(drop)
    }),
];

#[test]
fn kernels_cost_what_the_interpreter_counts() {
    let context = pipeline::context();
    let mut tally = Tally::default();
    for (name, text) in inputs("schedule").into_iter().chain(inputs("schedule/legality")) {
        let Some(module) = Module::parse(&context, &text) else { panic!("{name} is no module") };
        tally.module(&name, top(&module));
    }
    // The functions of the other ledger test, except large ones and those that call functions without a body.
    let text = include_str!("loop_cost.mlir");
    let module = Module::parse(&context, text).expect("the text is valid");
    for function in walk(top(&module)).into_iter().filter(|op| op.is("func.func")) {
        let name = function.symbol_name().unwrap_or_default();
        if !["matmul", "stencil", "calls", "other"].contains(&name) {
            tally.kernel(name, top(&module), function, &calls(function));
        }
    }
    for Linalg { name, arguments, result, body, shapes } in LINALG {
        let text = format!(
            "func.func @main({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
        );
        let calls: Vec<Vec<WorkArgument>> = shapes
            .iter()
            .map(|call| call.iter().map(|shape| WorkArgument::Shape(shape.to_vec())).collect())
            .collect();
        let steps = if *name == "dynamic matmul" { SCHEDULES } else { &[] };
        let unscheduled: &[Scheduled] = &[("not scheduled", |_| Ok(()))];
        for (how, steps) in unscheduled.iter().chain(steps) {
            let mut module = Module::parse(&context, &text).expect("the text is valid");
            let settings = Settings::default();
            pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings)
                .expect("it lowers");
            let function = function_of(top(&module));
            let mut schedule = Schedule::new(function).expect("it can be scheduled");
            steps(&mut schedule).unwrap_or_else(|error| panic!("{how}: {:?}", error.reason));
            drop(schedule);
            tally.kernel(&format!("{name}, {how}"), top(&module), function, &calls);
        }
    }
    for name in ["sub_mul", "mlp"] {
        let path = format!("{}/test/models/{name}.linalg.mlir", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the model is there");
        let mut module = Module::parse(&context, &text).expect("the text is valid");
        let settings = Settings::default();
        pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings)
            .expect("it lowers");
        tally.module(name, top(&module));
    }
    println!("written: {tally}; bounds in {:?}", tally.with_bounds);
    assert!(tally.refused.is_empty(), "{:?}", tally.refused);
    assert!(tally.exact_kernels >= 50, "{} kernels are exact", tally.exact_kernels);
}

/// Random nests after random steps.
#[test]
fn drawn_schedules_cost_what_the_interpreter_counts() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, cases) = (number("LOOPWRIGHT_SEED", 1), number("LOOPWRIGHT_COSTS", 150));
    let mut tally = Tally::default();
    let mut context = pipeline::context();
    for seed in first..first + cases {
        // A context never frees what it has interned.
        if seed % 50 == 0 {
            context = pipeline::context();
        }
        let mut rng = StdRng::seed_from_u64(seed);
        let primitive = PRIMITIVES.choose(&mut rng).expect("there are some");
        let family = family::draw(&mut rng, step::wanted(primitive.name));
        let nest = (family.make)(&mut rng);
        let sizes: Vec<i64> = (0..nest.sizes).map(|_| rng.random_range(0..=6)).collect();
        let text = nest.text(rng.random_bool(0.4).then_some(&sizes[..]));
        let module = Module::parse(&context, &text).expect("the text is valid");
        let mut schedule = Schedule::new(function_of(top(&module))).expect("it can be scheduled");
        let needed = step::needed(primitive.name).iter().filter_map(|name| Primitive::of(name));
        let mut steps: Vec<_> = needed.chain([*primitive]).collect();
        for _ in 0..rng.random_range(0..4) {
            steps.insert(0, PRIMITIVES.choose(&mut rng).expect("there are some"));
        }
        for primitive in steps {
            // Refused steps change nothing.
            if let Some(step) = step::draw(primitive, schedule.summary(), &mut rng) {
                let _ = schedule.apply(&step);
            }
        }
        drop(schedule);
        tally.module(&format!("{}, seed {seed}", family.name), top(&module));
    }
    println!("drawn: {tally}; not run: {:?}", tally.refused);
    // Barriers may end up in divergent branches.
    assert!(tally.refused.len() * 100 <= tally.kernels, "{:?}", tally.refused);
    assert!(tally.exact_kernels * 2 > tally.kernels, "{} kernels are exact", tally.exact_kernels);
}
