//! The interpreter runs the expanded functions, and computes the same bits as this machine.

use super::form::{Element, Form, kernel};
use super::function::FUNCTIONS;
use super::{double, special};
use loopwright::interpreter::scalar::Scalar;
use loopwright::interpreter::value::Array;
use loopwright::interpreter::{self, Datum};
use loopwright::pipeline;
use loopwright_runtime::tensor::Tensor;
use loopwright_testing::top;
use melior::ir::Module;

/// Special numbers, and some of each magnitude.
fn samples() -> Vec<f32> {
    let drawn = (0..512u32).map(|i| f32::from_bits(i.wrapping_mul(8_388_593 + 2)));
    special::NUMBERS.iter().copied().chain(drawn).chain([0.1; 64]).collect()
}

fn doubles() -> Vec<f64> {
    let drawn = (0..512u64).map(|i| f64::from_bits(i.wrapping_mul(36_028_797_018_963_913 + 2)));
    double::NUMBERS.iter().copied().chain(drawn).chain([0.1; 64]).collect()
}

#[test]
fn the_interpreter_agrees_to_the_bit() {
    check(samples());
}

#[test]
fn the_interpreter_agrees_to_the_bit_on_f64() {
    check(doubles());
}

fn check<T: Element + Into<f64>>(mut x: Vec<T>) {
    x.truncate(x.len() / 16 * 16);
    let bodies = FUNCTIONS.iter().map(|function| (function.name, function.body));
    let context = pipeline::context();
    for form in Form::<T>::all(bodies.clone()).into_iter().take(4) {
        let lanes = if form.name.starts_with("vectors") { 16 } else { 1 };
        let fused = form.name.ends_with("fused");
        let text: String =
            bodies.clone().map(|(name, body)| kernel::<T>(name, body, lanes)).collect();
        let mut module = Module::parse(&context, &text).expect("it parses");
        let passes = format!("expand-math{{fma={fused}}}");
        pipeline::run(&context, &mut module, &passes).expect("it is expanded");
        assert!(!top(&module).to_string().contains("math.exp"), "{}", form.name);
        for (name, _) in bodies.clone() {
            let bytes = x.iter().flat_map(|value| value.to_bytes()).collect();
            let tensor = Tensor::from_bytes(T::TYPE, &[x.len()], bytes).expect("bytes");
            let data: Vec<_> = (0..3).map(|_| Datum::buffer(Array::from_tensor(&tensor))).collect();
            let options = interpreter::RunOptions { seed: 0, max_iterations: u64::MAX };
            let outcome = interpreter::run(&module, name, data.clone(), options);
            outcome.unwrap_or_else(|error| panic!("{name}: {}", error.message));
            let Datum::Buffer(results) = &data[2] else { panic!("it is a buffer") };
            for ((x, cell), found) in
                x.iter().zip(&results.borrow().cells).zip(form.run(name, &x, &x))
            {
                let (x, found): (f64, f64) = ((*x).into(), found.into());
                let Scalar::Float(expected) = cell else { panic!("{name} of {x:e} is undefined") };
                let is_same = found.to_bits() == expected.to_bits();
                let are_nan = found.is_nan() && expected.is_nan();
                assert!(
                    is_same || are_nan,
                    "{name} of {x:e} is {found:e}, interpreted {expected:e}, {}",
                    form.name
                );
            }
        }
    }
}
