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
use std::marker::PhantomData;
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

/// Compiled functions of two arguments of type `T` and one result.
pub struct Form<T> {
    pub name: String,
    code: Jit,
    element: PhantomData<T>,
}

/// An element type.
pub trait Element: Copy {
    const TYPE: ElementType;
    /// The type in MLIR.
    const NAME: &'static str;
    const SIZE: usize;
    fn to_bytes(self) -> Vec<u8>;
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($ty:ty, $element:expr, $name:literal) => {
        impl Element for $ty {
            const TYPE: ElementType = $element;
            const NAME: &'static str = $name;
            const SIZE: usize = size_of::<$ty>();
            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().into()
            }
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the bytes of one number"))
            }
        }
    };
}
element!(f32, ElementType::F32, "f32");
element!(f64, ElementType::F64, "f64");

/// A kernel that applies a body, which computes `%0` from `%x` and `%y`. In the body, `$t` is their type, `$b`,
/// `$i` and `$l` are the boolean, i32 and i64 types of the same shape, and a number between `$c` and `$d` is a constant.
pub fn kernel<T: Element>(name: &str, body: &str, lanes: usize) -> String {
    let element = T::NAME;
    let (load, store, suffix) = match lanes {
        1 => ("memref.load", "memref.store", String::new()),
        _ => ("vector.load", "vector.store", format!(", vector<{lanes}x{element}>")),
    };
    let of = |ty: &str| match lanes {
        1 => ty.to_owned(),
        _ => format!("vector<{lanes}x{ty}>"),
    };
    let (open, close) = if lanes == 1 { ("", "") } else { ("dense<", ">") };
    let body = [("$t", &*of(element)), ("$b", &of("i1")), ("$i", &of("i32")), ("$l", &of("i64"))]
        .into_iter()
        .chain([("$c", open), ("$d", close)])
        .fold(body.to_owned(), |body, (from, to)| body.replace(from, to));
    format!(
        "func.func @{name}(%X: memref<?x{element}>, %Y: memref<?x{element}>, %R: memref<?x{element}>) {{
          %c0 = arith.constant 0 : index
          %step = arith.constant {lanes} : index
          %extent = memref.dim %X, %c0 : memref<?x{element}>
          scf.for %place = %c0 to %extent step %step {{
            %x = {load} %X[%place] : memref<?x{element}>{suffix}
            %y = {load} %Y[%place] : memref<?x{element}>{suffix}
            {body}
            {store} %0, %R[%place] : memref<?x{element}>{suffix}
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

impl<T: Element> Form<T> {
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
                let kernels = bodies
                    .clone()
                    .map(|(name, body)| kernel::<T>(&format!("lw_{name}"), body, lanes));
                let (text, target) = (kernels.collect(), target.clone());
                let name = format!("{shape}, {processor}");
                all.push(Text { name, text, has_fma, target });
            }
        }
        all
    }

    /// The same as [`texts`](Self::texts), compiled.
    pub fn all<'a>(bodies: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<Form<T>> {
        let compile = |text: Text| {
            let object = text.lowered(|module, target| {
                x86::compile(module, &CodegenOptions { target, ..CodegenOptions::default() })
            });
            let code = loopwright_testing::link(object.expect("it compiles")).expect("it links");
            Form { name: text.name, code, element: PhantomData }
        };
        Self::texts(bodies).into_iter().map(compile).collect()
    }

    /// The results for the elements of two lists.
    pub fn run(&self, name: &str, x: &[T], y: &[T]) -> impl Iterator<Item = T> + use<T> {
        let kernel = self.code.kernel(&format!("lw_{name}")).expect("the kernel is there");
        let pool = Pool::new(NonZeroUsize::MIN).expect("no threads are started");
        let n = x.len().next_multiple_of(LANES);
        let tensor = |values: &[T]| {
            let mut bytes: Vec<u8> = values.iter().flat_map(|value| value.to_bytes()).collect();
            bytes.resize(n * T::SIZE, 0);
            Tensor::from_bytes(T::TYPE, &[n], bytes).expect("the bytes of n numbers")
        };
        let (count, x, y) = (x.len(), tensor(x), tensor(y));
        let results = Tensor::zeros(T::TYPE, &[n]).expect("there is memory");
        let mut arguments = [&x, &y, &results].map(Argument::Input);
        kernel.call(&pool, &mut arguments).expect("the arguments fit");
        let bytes = results.bytes().to_vec();
        (0..count).map(move |i| T::from_bytes(&bytes[i * T::SIZE..][..T::SIZE]))
    }
}
