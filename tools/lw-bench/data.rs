//! A kernel with its input and output tensors.

use crate::workloads::{Shapes, Values};
use loopwright::interpreter::random::Random;
use loopwright_runtime::kernel::{Argument, Kernel, Workspace};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_runtime::timing::{Samples, sample};
use std::time::Duration;

/// A kernel, its inputs, and memory for its result. All memory has been written, so a call causes no page faults.
pub struct Loaded {
    kernel: Kernel,
    /// The arguments of the kernel.
    pub inputs: Vec<Tensor>,
    pub result: Tensor,
    workspace: Workspace,
}

impl Loaded {
    /// Allocates tensors of zeros for a kernel.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn new(kernel: Kernel, shapes: &Shapes) -> Result<Loaded, String> {
        let zeros = |shape: &Vec<usize>| {
            Tensor::zeros(ElementType::F32, shape).map_err(|error| error.to_string())
        };
        let inputs: Result<_, String> = shapes.inputs.iter().map(zeros).collect();
        let (inputs, result) = (inputs?, zeros(&shapes.result)?);
        Ok(Loaded { kernel, inputs, result, workspace: Workspace::default() })
    }

    /// Draws the inputs; equal seeds give equal inputs.
    pub fn draw(&mut self, values: Values, seed: u64) {
        for (i, input) in (0..).zip(&mut self.inputs) {
            fill(input, seed.wrapping_add(i), |random| value(random, values));
        }
    }

    /// Runs the kernel once.
    ///
    /// # Errors
    /// If the tensors do not match the kernel.
    pub fn run(&mut self, pool: &Pool) -> Result<(), String> {
        self.call(pool, |run| run())
    }

    /// Runs the kernel for about `budget`.
    ///
    /// # Errors
    /// If the tensors do not match the kernel.
    pub fn measure(&mut self, pool: &Pool, budget: Duration) -> Result<Samples, String> {
        self.call(pool, |run| sample(budget, run))
    }

    /// The median of [`Loaded::measure`], in seconds.
    ///
    /// # Errors
    /// If the tensors do not match the kernel.
    pub fn median(&mut self, pool: &Pool, budget: Duration) -> Result<f64, String> {
        Ok(self.measure(pool, budget)?.timing().median.as_secs_f64())
    }

    fn call<T>(
        &mut self,
        pool: &Pool,
        with: impl FnOnce(&mut dyn FnMut()) -> T,
    ) -> Result<T, String> {
        let inputs = self.inputs.iter().map(Argument::Input);
        let mut arguments: Vec<_> = inputs.collect();
        arguments.push(Argument::Output(&mut self.result));
        let call = self.kernel.prepare(pool, &mut arguments, &mut self.workspace);
        let mut call = call.map_err(|error| error.to_string())?;
        Ok(with(&mut || call.run()))
    }
}

/// Draws weights, with mean 0. The variance is 1, or 1 / n for a matrix of n rows, which keeps the variance of products with it.
///
/// # Errors
/// If memory cannot be allocated.
pub fn draw_weights(shapes: &Shapes, seed: u64) -> Result<Vec<Tensor>, String> {
    let drawn = (0..).zip(&shapes.weights).map(|(i, (_, shape))| {
        let mut weight =
            Tensor::zeros(ElementType::F32, shape).map_err(|error| error.to_string())?;
        let scale = match shape[..] {
            [rows, _] => (rows as f32).sqrt().recip(),
            _ => 1.0,
        };
        fill(&mut weight, seed.wrapping_add(i), |random| scale * value(random, Values::Normal));
        Ok(weight)
    });
    drawn.collect()
}

/// Sets all elements to random values.
fn fill(tensor: &mut Tensor, seed: u64, value: impl Fn(&mut Random) -> f32) {
    let mut random = Random::new(seed);
    for element in tensor.bytes_mut().chunks_exact_mut(4) {
        element.copy_from_slice(&value(&mut random).to_le_bytes());
    }
}

/// A random value of a distribution.
fn value(random: &mut Random, values: Values) -> f32 {
    let bits = random.bits();
    match values {
        Values::Positive => (bits >> 40) as f32 / (1 << 24) as f32,
        Values::Normal => {
            let parts = [bits, bits >> 16, bits >> 32, bits >> 48];
            let sum: f32 = parts.iter().map(|part| f32::from(*part as u16)).sum();
            // The sum of four uniform values from 0 to 1 has mean 2 and variance 1 / 3.
            (sum / 65536.0 - 2.0) * 3f32.sqrt()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_moments_that_are_said() {
        let mut random = Random::new(7);
        let mut moments = |values| {
            let drawn: Vec<f64> = (0..100_000).map(|_| value(&mut random, values).into()).collect();
            let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
            let variance =
                drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / drawn.len() as f64;
            (mean, variance)
        };
        let (mean, variance) = moments(Values::Normal);
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let (mean, variance) = moments(Values::Positive);
        assert!((mean - 0.5).abs() < 0.01 && (variance - 1.0 / 12.0).abs() < 0.01);
    }
}
