//! Lowers modules to kernels, runs them on the interpreter, and compares results.

use crate::kernels::Case;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::interpreter::scalar::Scalar;
use loopwright::interpreter::value::Array;
use loopwright::interpreter::{self, Datum};
use loopwright::ir::{Reported, parse_file, receive_errors};
use loopwright::pipeline::{self, Phase, Settings};
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// A context that collects its errors.
pub struct Session {
    pub context: Context,
    pub errors: Rc<RefCell<String>>,
}

impl Session {
    pub fn new() -> Session {
        let context = pipeline::context();
        let errors = Rc::new(RefCell::new(String::new()));
        let collected = errors.clone();
        receive_errors(&context, move |Reported { place, message, .. }| {
            collected.borrow_mut().push_str(&format!("{place}: {message}\n"));
        });
        Session { context, errors }
    }

    pub fn parse(&self, file: &str) -> Module<'_> {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("test/codegen/cuda/Inputs").join(file);
        parse_file(&self.context, &path.to_string_lossy())
            .unwrap_or_else(|| panic!("{file}: {}", self.errors.borrow()))
    }

    pub fn parse_text(&self, text: &str) -> Module<'_> {
        Module::parse(&self.context, text).unwrap_or_else(|| panic!("{}", self.errors.borrow()))
    }

    pub fn run(&self, module: &mut Module, passes: &str) {
        let outcome = pipeline::run(&self.context, module, passes);
        assert!(outcome.is_ok(), "{passes}: {}", self.errors.borrow());
    }

    pub fn lower(&self, module: &mut Module, to: Phase, device: &GpuTarget) {
        let settings =
            Settings { device: device.clone(), require_vector: true, ..Settings::default() };
        let outcome = pipeline::lower(&self.context, module, Phase::Schedule, to, &settings);
        assert!(outcome.is_ok(), "{to:?}: {}", self.errors.borrow());
    }
}

/// The contents of all arguments after a call.
pub fn interpret(module: &Module, case: &Case, seed: u64) -> Vec<Array> {
    let data: Vec<Datum> = case.arguments.iter().cloned().map(Datum::buffer).collect();
    let options = interpreter::RunOptions { seed, max_iterations: u64::MAX };
    let outcome = interpreter::run(module, case.function, data.clone(), options);
    if let Err(error) = outcome {
        panic!("{}: {}: {}", case.function, error.location, error.message);
    }
    let array = |datum: Datum| match datum {
        Datum::Buffer(array) => array.borrow().clone(),
        other => panic!("{other} is no buffer"),
    };
    data.into_iter().map(array).collect()
}

pub fn check(case: &Case, arrays: &[Array], form: &str) {
    for (argument, expected) in &case.expected {
        let found = &arrays[*argument];
        assert_eq!(found.cells.len(), expected.len(), "{}: argument {argument}", case.function);
        for (place, (cell, expected)) in found.cells.iter().zip(expected).enumerate() {
            let value = match cell {
                Scalar::Int(value) => *value as f64,
                Scalar::Float(value) => *value,
                Scalar::Undefined => panic!("{form} {}: undefined", case.function),
            };
            let is_close = (value - expected).abs() <= case.tolerance * expected.abs();
            assert!(
                value == *expected || is_close,
                "{form} of {}: argument {argument} has {value} at {:?}, expected {expected}",
                case.function,
                found.indices_of(place)
            );
        }
    }
}
