//! A custom op of candle that Loopwright compiles: a root-mean-square normalization, which is one loop over rows instead of six
//! ops on whole tensors.
//!
//! The op is compiled once, from `rms_norm.onnxtxt`, for any number of rows. The program compares it with candle's own ops in a
//! graph, prints the largest difference, and fails if the difference is too large.

mod ffi;

use candle_core::{CpuStorage, CustomOp2, Device, Error, Layout, Result, Shape, Tensor, bail};
use loopwright_bindings::compile::{CompileOptions, Model, compile};
use loopwright_bindings::log::{LogReceiver, Severity};
use loopwright_bindings::module::{Function, load, shared_pool};

#[global_allocator]
static ALLOCATOR: ffi::Aligned = ffi::Aligned;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rms_norm.onnxtxt");
const COLUMNS: usize = 512;
const EPSILON: f64 = 1e-5;

/// Sums of 512 squares in f32.
const TOLERANCE: f32 = 1e-5;

/// A function of two tensors of f32 that was compiled by Loopwright.
struct Compiled {
    function: Function,
}

/// Prints warnings of a compilation.
#[derive(Clone)]
struct Warnings;

impl LogReceiver for Warnings {
    fn most(&self) -> Severity {
        Severity::Warning
    }

    fn receive(&self, _: Severity, text: &str) {
        eprintln!("{text}");
    }
}

impl Compiled {
    /// Compiles the model of a file for this processor.
    fn new(path: &str) -> Result<Compiled> {
        let options =
            CompileOptions { contract: Some("fast".to_owned()), ..CompileOptions::default() };
        let artifact =
            compile(&Warnings, &Model::File(path.into()), &options).map_err(Error::wrap)?;
        let pool = shared_pool(None).map_err(Error::wrap)?;
        let module = load(&pool, &artifact, None).map_err(Error::wrap)?;
        match module.functions.into_iter().next() {
            Some(function) => Ok(Compiled { function }),
            None => bail!("{path} has no function"),
        }
    }
}

/// The elements of a tensor, which must be contiguous.
fn elements<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let CpuStorage::F32(all) = storage else { bail!("expected elements of type f32") };
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&all[start..end]),
        None => bail!("expected a contiguous tensor: call contiguous() first"),
    }
}

impl CustomOp2 for Compiled {
    fn name(&self) -> &'static str {
        "loopwright"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        scale: &CpuStorage,
        scale_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let inputs = [(x, x_layout), (scale, scale_layout)];
        let [x, scale] = inputs.map(|(storage, layout)| elements(storage, layout));
        let shapes = [x_layout.dims(), scale_layout.dims()];
        // The arguments of a function are its inputs, then its results.
        let sizes = self.function.result_sizes(2, &[Some(shapes[0]), Some(shapes[1]), None]);
        let Some(sizes) = sizes else { bail!("the shape of the result is not known") };
        let mut result = vec![0.0; sizes.iter().product()];
        let inputs = [(x?, shapes[0]), (scale?, shapes[1])];
        ffi::call(&self.function, inputs, (&mut result, &sizes)).map_err(Error::wrap)?;
        Ok((CpuStorage::F32(result), Shape::from(sizes)))
    }
}

/// The normalization by candle's own ops.
fn reference(x: &Tensor, scale: &Tensor) -> Result<Tensor> {
    let mean = (x.sqr()?.sum_keepdim(1)? / COLUMNS as f64)?;
    x.broadcast_div(&(mean + EPSILON)?.sqrt()?)?.broadcast_mul(scale)
}

fn main() -> Result<()> {
    let device = Device::Cpu;
    let normalize = Compiled::new(MODEL)?;
    let scale = Tensor::rand(0.5_f32, 1.5, COLUMNS, &device)?;
    let weights = Tensor::randn(0.0_f32, 0.05, (COLUMNS, 64), &device)?;
    for rows in [1, 7, 1000] {
        let x = Tensor::randn(0.0_f32, 2.0, (rows, COLUMNS), &device)?;
        let ours = x.apply_op2_no_bwd(&scale, &normalize)?;
        let theirs = reference(&x, &scale)?;
        let difference = |a: &Tensor, b: &Tensor| -> Result<f32> {
            (a - b)?.abs()?.flatten_all()?.max(0)?.to_scalar()
        };
        let op = difference(&ours, &theirs)?;
        let graph = difference(&ours.matmul(&weights)?.tanh()?, &theirs.matmul(&weights)?.tanh()?)?;
        println!("{rows} rows: largest difference {op:.1e}, after a product and tanh {graph:.1e}");
        if op > TOLERANCE || graph > TOLERANCE {
            bail!("the difference exceeds {TOLERANCE:e}");
        }
    }
    // Strided tensors are refused, and so are other numbers of columns.
    let strided = Tensor::zeros((COLUMNS, 3), candle_core::DType::F32, &device)?.t()?;
    let narrow = Tensor::zeros((3, COLUMNS - 1), candle_core::DType::F32, &device)?;
    for refused in [strided, narrow] {
        match refused.apply_op2_no_bwd(&scale, &normalize) {
            Ok(_) => bail!("a tensor that does not fit was accepted"),
            // A backtrace may follow the first line.
            Err(error) => println!("refused: {}", error.to_string().lines().next().unwrap_or("")),
        }
    }
    Ok(())
}
