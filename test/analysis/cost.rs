//! The cost ledger against what the interpreter counts, on kernels of many kinds.
//!
//! Where a figure is exact the two are equal, and where it is a bound it is not less. The kernels are those of
//! other tests' `Inputs`, matmuls, convolutions and reductions that come from linalg, and scheduled ones. Each
//! runs for several sizes.

use loopwright::analysis::cost::{Figure, Ledger};
use loopwright::analysis::work::Argument;
use loopwright::dialect::loop_enums::Scope;
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::{Array, Count, Datum, Options, run_counted};
use loopwright::ir::{Attribute, Op, TypeKind, top, walk};
use loopwright::pipeline::{self, Phase, Settings};
use loopwright::schedule::Schedule;
use melior::ir::Module;
use std::path::Path;

/// How many figures were compared.
#[derive(Default)]
struct Tally {
    kernels: usize,
    /// Kernels of which all figures are exact.
    exact_kernels: usize,
    exact: usize,
    bounds: usize,
    runs: usize,
    /// Kernels with bounds.
    with_bounds: Vec<String>,
}

/// The figures of a block by the ledger and by the interpreter.
fn pairs<'a>(
    costs: &'a loopwright::analysis::cost::Costs,
    count: &'a Count,
) -> Vec<(String, Figure, u64)> {
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

impl Tally {
    /// Compares the ledger of a function with runs for these arguments.
    fn kernel(&mut self, name: &str, module: Op, function: Op, calls: &[Vec<Argument>]) {
        let ledger = Ledger::of(function).expect("it is valid");
        let entry = function.attribute("sym_name").and_then(Attribute::as_str).expect("its name");
        let before = self.bounds;
        let (mut exact, mut bounds, mut wrong) = (0, 0, vec![]);
        for arguments in calls {
            let sizes = ledger.values(arguments).expect("all sizes are of arguments");
            let counts = run(module, entry, function, arguments);
            let counts = counts.unwrap_or_else(|message| panic!("{name}: {message}\n{module}"));
            let none = Count::default();
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
                let is_it = |c: &&Count| c.block == row.block && c.is_init == row.is_init;
                let count = counts.iter().find(is_it).unwrap_or(&none);
                compare(format!("{} instances", row.title()), &row.instances, count.instances);
                for (what, figure, counted) in pairs(&row.costs, count) {
                    compare(format!("{} {what}", row.title()), &figure, counted);
                }
            }
            for (what, figure, counted) in pairs(&ledger.total, total) {
                compare(format!("total {what}"), &figure, counted);
            }
            let is_known = |c: &Count| {
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

    /// All functions of a module, each for the calls that its arguments suggest.
    fn module(&mut self, name: &str, module: Op) {
        for function in walk(module).into_iter().filter(|op| op.is("func.func")) {
            let entry = function.attribute("sym_name").and_then(Attribute::as_str);
            let name = format!("{name} @{}", entry.unwrap_or_default());
            self.kernel(&name, module, function, &calls(function));
        }
    }
}

/// Runs a function; gives the counts.
fn run(
    module: Op,
    entry: &str,
    function: Op,
    arguments: &[Argument],
) -> Result<Vec<Count>, String> {
    let types = function.body(0).expect("a body").arguments();
    let mut data = vec![];
    for (value, argument) in types.iter().zip(arguments) {
        data.push(match (argument, value.ty().kind()) {
            (Argument::Index(size), _) => Datum::index(*size as usize),
            (Argument::Shape(shape), TypeKind::MemRef { element, .. }) => {
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
    let options = Options { seed: 7, max_iterations: 1_000_000 };
    run_counted(module, entry, data, options).map(|(_, counts)| counts).map_err(|e| e.message)
}

/// With index arguments: these, and large buffers. Without: buffers of all the same sizes.
fn calls(function: Op) -> Vec<Vec<Argument>> {
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
                Argument::Shape(dims.iter().map(|dim| dim.unwrap_or(dynamic)).collect())
            }
            _ => Argument::Index(*next.next().expect("it cycles")),
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

#[test]
fn kernels_cost_what_the_interpreter_counts() {
    let context = pipeline::context();
    let mut tally = Tally::default();
    for (name, text) in inputs("schedule").into_iter().chain(inputs("legality")) {
        let Some(module) = Module::parse(&context, &text) else { panic!("{name} is no module") };
        tally.module(&name, top(&module));
    }
    println!(
        "{} kernels, {} with exact figures only; {} runs, {} exact figures, {} bounds; bounds in {:?}",
        tally.kernels,
        tally.exact_kernels,
        tally.runs,
        tally.exact,
        tally.bounds,
        tally.with_bounds
    );
    assert!(tally.exact_kernels >= 30, "{} kernels are exact", tally.exact_kernels);
}
