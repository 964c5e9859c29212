//! Harness of the interpreter tests: module text, arguments, and expected results.

use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum};
use crate::interpreter::{RunOptions, run};
use crate::ir::{FloatKind, top};
use melior::dialect::DialectRegistry;
use melior::{Context, ir::Module};

pub const F32: ScalarType = ScalarType::Float(FloatKind::F32);
pub const I32: ScalarType = ScalarType::Int(32);
pub const I64: ScalarType = ScalarType::Int(64);

/// Runs `@main` of a module with several seeds, which must all give the same numbers.
pub fn cells(text: &str, arguments: &[Datum]) -> Vec<Vec<f64>> {
    let all: Vec<_> = (0..3).map(|seed| cells_of_seed(text, arguments, seed)).collect();
    assert!(all.iter().all(|it| format!("{it:?}") == format!("{:?}", all[0])), "{all:?}");
    all[0].clone()
}

/// The error message of a run with this seed.
pub fn message_of_seed(text: &str, arguments: &[Datum], seed: u64) -> String {
    message_if_refused(text, arguments, seed).expect("the program is refused")
}

/// The error message of a run with this seed, if it fails.
pub fn message_if_refused(text: &str, arguments: &[Datum], seed: u64) -> Option<String> {
    let options = RunOptions { seed, max_iterations: u64::MAX };
    outcome(text, arguments, options).err().map(|(message, _)| message)
}

/// The numbers of each result of `@main`, which may depend on the seed.
pub fn cells_of_seed(text: &str, arguments: &[Datum], seed: u64) -> Vec<Vec<f64>> {
    results(text, arguments, seed).iter().map(numbers).collect()
}

/// The sizes of the first result.
pub fn sizes(text: &str, arguments: &[Datum]) -> Vec<usize> {
    match &results(text, arguments, 0)[0] {
        Datum::Tensor(array) => array.shape.clone(),
        other => panic!("the result is {other}"),
    }
}

/// Runs a module with a line that ends in `// error: message`: that error must be reported there.
pub fn refuse(text: &str, arguments: &[Datum]) {
    refuse_within(text, arguments, u64::MAX);
}

/// [`refuse`] with a limit of the iterations of a loop.
pub fn refuse_within(text: &str, arguments: &[Datum], max_iterations: u64) {
    let mut lines = (1..).zip(text.lines());
    let expected = lines.find_map(|(n, line)| Some((n, line.split_once("// error: ")?.1)));
    let (line, message) = expected.expect("a line says which error");
    let options = RunOptions { seed: 0, max_iterations };
    let error = outcome(text, arguments, options).expect_err("the program is refused");
    assert_eq!(error.0, message);
    assert!(error.1.contains(&format!(":{line}:")), "is at {} instead of line {line}", error.1);
}

fn results(text: &str, arguments: &[Datum], seed: u64) -> Vec<Datum> {
    let options = RunOptions { seed, max_iterations: u64::MAX };
    outcome(text, arguments, options).unwrap_or_else(|(message, at)| panic!("{at}: {message}"))
}

/// The results, or the message and location of the error. Each run has its own copy of the buffers.
fn outcome(
    text: &str,
    arguments: &[Datum],
    options: RunOptions,
) -> Result<Vec<Datum>, (String, String)> {
    let context = Context::new();
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    crate::dialect::register_dialects_in(registry.to_raw());
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    let module = Module::parse(&context, text).expect("the module is valid");
    let copies = arguments.iter().map(|argument| match argument {
        Datum::Buffer(array) => Datum::buffer(array.borrow().clone()),
        other => other.clone(),
    });
    let copies: Vec<_> = copies.collect();
    let mut results = run(top(&module), "main", copies.clone(), options)
        .map_err(|error| (error.message, error.location.to_string()))?;
    // The contents of buffers after the run are results too.
    results.extend(copies.into_iter().filter(|argument| matches!(argument, Datum::Buffer(_))));
    Ok(results)
}

fn numbers(result: &Datum) -> Vec<f64> {
    match result {
        Datum::Scalar(scalar) => vec![number(*scalar)],
        Datum::Tensor(array) => array.cells.iter().copied().map(number).collect(),
        Datum::Buffer(array) => array.borrow().cells.iter().copied().map(number).collect(),
    }
}

fn number(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Int(value) => value as f64,
        Scalar::Float(value) => value,
        Scalar::Undefined => panic!("a cell is undefined"),
    }
}

fn array(ty: ScalarType, shape: &[usize], numbers: &[f64]) -> Array {
    let scalar = |number: &f64| match ty {
        ScalarType::Float(_) => Scalar::Float(*number),
        _ => Scalar::Int(*number as i64),
    };
    Array { ty, shape: shape.to_vec(), cells: numbers.iter().map(scalar).collect() }
}

pub fn tensor(ty: ScalarType, shape: &[usize], numbers: &[f64]) -> Datum {
    Datum::tensor(array(ty, shape, numbers))
}

pub fn buffer(ty: ScalarType, shape: &[usize], numbers: &[f64]) -> Datum {
    Datum::buffer(array(ty, shape, numbers))
}

/// A tensor of f32 with the elements 1, 2, 3, ...
pub fn counting(shape: &[usize]) -> Datum {
    let n: usize = shape.iter().product();
    tensor(F32, shape, &(1..=n).map(|i| i as f64).collect::<Vec<_>>())
}

pub fn index(value: i64) -> Datum {
    Datum::Scalar(Scalar::Int(value))
}
