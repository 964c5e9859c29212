//! Compiles and runs a module from its text.

use loopwright::codegen::x86::{self, CodegenOptions};
use loopwright::codegen::{CodegenError, Jit};
use loopwright::ir::{Reported, receive_errors};
use loopwright::pipeline::{self, Phase, Settings};
use loopwright_runtime::kernel::{Argument, ArgumentType};
use loopwright_runtime::pool::{ParallelFor, Pool, Workers};
use loopwright_runtime::tensor::Tensor;
use melior::ir::Module;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::thread;

/// Lowers a module in vector form and passes it to `use_it` after LLVM's passes.
pub fn optimize<T>(
    text: &str,
    use_it: impl FnOnce(Result<x86::Optimized, CodegenError>) -> T,
) -> T {
    let context = pipeline::context();
    let errors = Rc::new(RefCell::new(String::new()));
    let collected = errors.clone();
    receive_errors(&context, move |Reported { place, message, .. }| {
        collected.borrow_mut().push_str(&format!("{place}: {message}\n"));
    });
    let mut module = Module::parse(&context, text).unwrap_or_else(|| panic!("{}", errors.borrow()));
    let settings = Settings::default();
    if pipeline::lower(&context, &mut module, Phase::Vector, Phase::Llvm, &settings).is_err() {
        panic!("{}", errors.borrow());
    }
    use_it(x86::optimize(&module, &CodegenOptions::default()))
}

/// The code of a module in vector form.
pub fn compile(text: &str) -> Jit {
    let object = optimize(text, |outcome| outcome.and_then(|it| it.object()));
    loopwright_testing::link(object.expect("it compiles")).expect("it links")
}

/// An argument and its memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Buffer(Vec<i64>, Vec<u8>),
    Index(i64),
}

/// Numbers as the bytes of a buffer.
pub trait Numbers: Copy {
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($ty:ty)*) => {
        $(impl Numbers for $ty {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn of(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the bytes of one number"))
            }
        })*
    };
}
numbers!(i8 i16 i32 i64 f32 f64 half::f16 half::bf16);

pub fn buffer<T: Numbers>(dims: &[i64], values: &[T]) -> Value {
    assert_eq!(dims.iter().product::<i64>(), values.len() as i64);
    Value::Buffer(dims.to_vec(), values.iter().flat_map(|value| value.bytes()).collect())
}

/// The numbers of a buffer.
pub fn numbers<T: Numbers>(value: &Value) -> Vec<T> {
    let Value::Buffer(_, bytes) = value else { panic!("no buffer: {value:?}") };
    bytes.chunks_exact(size_of::<T>()).map(T::of).collect()
}

/// Threads of the test's own: one for each call of the work.
pub struct OwnThreads(pub NonZeroUsize);

impl Workers for OwnThreads {
    fn threads(&self) -> NonZeroUsize {
        self.0
    }

    fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
        thread::scope(|scope| (0..calls).for_each(|_| drop(scope.spawn(work))));
    }
}

/// Runs kernel `name`; returns the arguments as it left them.
pub fn run(code: &Jit, name: &str, values: Vec<Value>, threads: usize) -> Vec<Value> {
    let threads = NonZeroUsize::new(threads).expect("a thread");
    run_on(&Pool::new(threads).expect("threads start"), code, name, values)
}

/// [`run`] on given threads.
pub fn run_on(threads: &dyn ParallelFor, code: &Jit, name: &str, values: Vec<Value>) -> Vec<Value> {
    let kernel = code.kernel(name).expect("the entry points are there");
    let types = &kernel.signature().arguments;
    assert_eq!(types.len(), values.len(), "{}", kernel.signature());
    let tensor = |(ty, value): (&ArgumentType, &Value)| match (ty, value) {
        (ArgumentType::Buffer(ty), Value::Buffer(dims, bytes)) => {
            let shape: Vec<usize> = dims.iter().map(|d| *d as usize).collect();
            Tensor::from_bytes(ty.element_type, &shape, bytes.clone())
                .expect("the bytes of the shape")
        }
        (_, Value::Index(value)) => {
            Tensor::from_i64s(loopwright_runtime::tensor::ElementType::I64, &[], &[*value])
                .expect("one number")
        }
        (ty, value) => panic!("{value:?} for {ty:?}"),
    };
    let mut tensors: Vec<Tensor> = types.iter().zip(&values).map(tensor).collect();
    let mut arguments: Vec<Argument> = types
        .iter()
        .zip(&mut tensors)
        .map(|(ty, tensor)| match ty {
            ArgumentType::Buffer(ty) if ty.is_result => Argument::Output(tensor),
            ArgumentType::Buffer(_) => Argument::Input(tensor),
            ArgumentType::Index => Argument::Index(tensor.get_i64(0)),
        })
        .collect();
    kernel.call(threads, &mut arguments).expect("the arguments fit");
    drop(arguments);
    let values = values.into_iter().zip(tensors).map(|(value, tensor)| match value {
        Value::Buffer(dims, _) => Value::Buffer(dims, tensor.bytes().to_vec()),
        index => index,
    });
    values.collect()
}
