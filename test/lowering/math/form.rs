//! The forms in which functions are compiled and run.

use loopwright::codegen::Jit;
use loopwright::codegen::x86::{self, CodegenOptions};
use loopwright::ir::{Op, Reported, receive_errors};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, Parameters, Phase};
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::top;
use melior::ir::Module;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::rc::Rc;

const LANES: usize = 16;

/// The text of kernels, and the processor to compile them for.
pub struct Text {
    pub name: String,
    pub text: String,
    has_fma: bool,
    target: CpuTarget,
}

/// Compiled functions of two arguments and one result.
pub struct Form {
    pub name: String,
    code: Jit,
}

/// A kernel that applies a body, which computes `%0` from `%x` and `%y`. In the body, `$t` is their type, `$b` and
/// `$i` are the boolean and i32 types of the same shape, and a number between `$c` and `$d` is a constant.
pub fn kernel(name: &str, body: &str, lanes: usize) -> String {
    let (load, store, suffix) = match lanes {
        1 => ("memref.load", "memref.store", String::new()),
        _ => ("vector.load", "vector.store", format!(", vector<{lanes}xf32>")),
    };
    let of = |ty: &str| match lanes {
        1 => ty.to_owned(),
        _ => format!("vector<{lanes}x{ty}>"),
    };
    let (open, close) = if lanes == 1 { ("", "") } else { ("dense<", ">") };
    let body = [("$t", &*of("f32")), ("$b", &of("i1")), ("$i", &of("i32"))]
        .into_iter()
        .chain([("$c", open), ("$d", close)])
        .fold(body.to_owned(), |body, (from, to)| body.replace(from, to));
    format!(
        "func.func @{name}(%X: memref<?xf32>, %Y: memref<?xf32>, %R: memref<?xf32>) {{
          %c0 = arith.constant 0 : index
          %step = arith.constant {lanes} : index
          %extent = memref.dim %X, %c0 : memref<?xf32>
          scf.for %place = %c0 to %extent step %step {{
            %x = {load} %X[%place] : memref<?xf32>{suffix}
            %y = {load} %Y[%place] : memref<?xf32>{suffix}
            {body}
            {store} %0, %R[%place] : memref<?xf32>{suffix}
          }}
          return
        }}\n"
    )
}

impl Text {
    /// Passes the module in the LLVM dialect, and its processor, to `use_it`.
    pub fn lowered<T>(&self, use_it: impl FnOnce(Op, CpuTarget) -> T) -> T {
        let context = pipeline::context();
        let errors = Rc::new(RefCell::new(String::new()));
        let collected = errors.clone();
        receive_errors(&context, move |Reported { place, message, .. }| {
            collected.borrow_mut().push_str(&format!("{place}: {message}\n"));
        });
        let parsed = Module::parse(&context, &self.text);
        let mut module = parsed.unwrap_or_else(|| panic!("{}", errors.borrow()));
        let parameters = Parameters { has_fma: self.has_fma, ..Parameters::default() };
        let lowered = pipeline::run(&context, &mut module, &parameters.passes_to(Phase::Llvm));
        assert!(lowered.is_ok(), "{}", errors.borrow());
        use_it(top(&module), self.target.clone())
    }
}

impl Form {
    /// Texts for this machine, with fused multiply-adds and without, and for baseline x86-64.
    pub fn texts<'a>(bodies: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<Text> {
        let host = CpuTarget::host();
        let has_fma = host.vectors().expect("LLVM knows this machine").has_fma;
        let processors = [
            ("fused", has_fma, host.clone()),
            ("rounded", false, host),
            ("x86-64", false, CpuTarget::named("x86-64")),
        ];
        let mut all = vec![];
        for (processor, has_fma, target) in processors {
            for (shape, lanes) in [("scalars", 1), ("vectors", LANES)] {
                let kernels =
                    bodies.clone().map(|(name, body)| kernel(&format!("lw_{name}"), body, lanes));
                let (text, target) = (kernels.collect(), target.clone());
                let name = format!("{shape}, {processor}");
                all.push(Text { name, text, has_fma, target });
            }
        }
        all
    }

    /// The same as [`texts`](Self::texts), compiled.
    pub fn all<'a>(bodies: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<Form> {
        let compile = |text: Text| {
            let object = text.lowered(|module, target| {
                x86::compile(module, &CodegenOptions { target, ..CodegenOptions::default() })
            });
            let code = loopwright_testing::link(object.expect("it compiles")).expect("it links");
            Form { name: text.name, code }
        };
        Self::texts(bodies).into_iter().map(compile).collect()
    }

    /// The results for the elements of two lists.
    pub fn run(&self, name: &str, x: &[f32], y: &[f32]) -> impl Iterator<Item = f32> + use<> {
        let kernel = self.code.kernel(&format!("lw_{name}")).expect("the kernel is there");
        let pool = Pool::new(NonZeroUsize::MIN).expect("no threads are started");
        let n = x.len().next_multiple_of(LANES);
        let tensor = |values: &[f32]| {
            let mut bytes = vec![0; n * 4];
            for (cell, value) in bytes.chunks_exact_mut(4).zip(values) {
                cell.copy_from_slice(&value.to_le_bytes());
            }
            Tensor::from_bytes(ElementType::F32, &[n], bytes).expect("the bytes of n numbers")
        };
        let (count, x, y) = (x.len(), tensor(x), tensor(y));
        let results = Tensor::zeros(ElementType::F32, &[n]).expect("there is memory");
        let mut arguments = [&x, &y, &results].map(Argument::Input);
        kernel.call(&pool, &mut arguments).expect("the arguments fit");
        let bytes = results.bytes().to_vec();
        let number = move |i: usize| {
            let cell = bytes[i * 4..][..4].try_into().expect("four bytes");
            f32::from_le_bytes(cell)
        };
        (0..count).map(number)
    }
}
