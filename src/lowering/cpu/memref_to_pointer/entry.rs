//! The entry points of a public function: a function with a C signature, the workspace size, and the signature
//! text.

use super::buffer::{IndexBounds, cast, element_pointer, i64_constant, load, passed_types};
use super::globals::linkage;
use super::plan::KernelPlan;
use crate::ir::{Attribute, Block, Builder, Op, Region, Type, TypeKind, Value};

/// Builds `f` before the function.
pub(crate) fn build(kernel: &KernelPlan) {
    let function = kernel.function.op;
    let outer = Builder::before(function, function.location());
    let pointer = Type::pointer(outer.context());
    let entry = llvm_function(&outer, kernel.name(), &[pointer; 4], "external");
    let at = Builder::at_end(entry, outer.location());
    let [runtime, buffers, sizes, workspace] = entry.arguments()[..] else {
        unreachable!("the block was made with four arguments")
    };
    let mut operands = vec![];
    operands.extend(kernel.function.calls_in_parallel.then_some(runtime));
    operands.extend(kernel.function.allocates.then_some(workspace));
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    let mut reader = SizeReader::new(at, sizes);
    let mut next_buffer = 0;
    for argument in arguments {
        for ty in passed_types(argument.ty()) {
            if ty.is_index() {
                operands.push(reader.next());
            } else {
                operands.push(element(&at, buffers, next_buffer, pointer));
                next_buffer += 1;
            }
        }
    }
    at.insert(
        at.spec("func.call")
            .attribute("callee", Attribute::symbol(at.context(), &kernel.implementation))
            .operands(&operands),
    );
    at.insert(at.spec("llvm.return"));
}

/// Reads the array of sizes in order.
pub(crate) struct SizeReader<'c> {
    at: Builder<'c>,
    sizes: Value<'c>,
    next_size: i64,
}

impl<'c> SizeReader<'c> {
    pub fn new(at: Builder<'c>, sizes: Value<'c>) -> Self {
        Self { at, sizes, next_size: 0 }
    }

    /// The next size, as an index.
    pub fn next(&mut self) -> Value<'c> {
        let i64 = Type::integer(self.at.context(), 64);
        let value = element(&self.at, self.sizes, self.next_size, i64);
        self.next_size += 1;
        cast(&self.at, value, Type::index(self.at.context()))
    }
}

/// Element `i` of an array in memory.
fn element<'c>(at: &Builder<'c>, array: Value<'c>, i: i64, ty: Type<'c>) -> Value<'c> {
    let i = i64_constant(at, i);
    let pointer = element_pointer(at, array, i, ty, IndexBounds::Inside);
    load(at, pointer, ty)
}

/// An `llvm.func` without result; returns its empty entry block.
pub(crate) fn llvm_function<'c>(
    at: &Builder<'c>,
    name: &str,
    inputs: &[Type<'c>],
    kind: &str,
) -> Block<'c> {
    let context = at.context();
    let arguments: Vec<_> = inputs.iter().map(|ty| (*ty, at.location())).collect();
    let entry = Block::new(&arguments);
    at.insert(
        at.spec("llvm.func")
            .attribute("sym_name", Attribute::string(context, name))
            .attribute("function_type", Type::llvm_function(context, inputs, None).to_attribute())
            .attribute("linkage", linkage(context, kind))
            .region(Region::of(entry)),
    );
    entry
}

/// Builds `f_signature` before the function.
pub(crate) fn build_signature(kernel: &KernelPlan) {
    let function = kernel.function.op;
    let at = Builder::before(function, function.location());
    let text = signature(function) + "\0";
    let ty = Type::llvm_array(Type::integer(at.context(), 8), text.len() as u32);
    at.insert(
        at.spec("llvm.mlir.global")
            .attribute(
                "sym_name",
                Attribute::string(at.context(), &format!("{}_signature", kernel.name())),
            )
            .attribute("global_type", ty.to_attribute())
            .attribute("linkage", linkage(at.context(), "external"))
            .attribute("constant", Attribute::unit(at.context()))
            .attribute("value", Attribute::string(at.context(), &text))
            .region(Region::new()),
    );
}

/// `f32[?x64], index, f32[] result`
fn signature(function: Op) -> String {
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    let text = |(i, argument): (usize, &Value)| {
        let TypeKind::MemRef { dims, element } = argument.ty().kind() else {
            return argument.ty().to_string();
        };
        let dim = |dim: &Option<i64>| dim.map_or("?".into(), |size: i64| size.to_string());
        let dims: Vec<String> = dims.iter().map(dim).collect();
        let is_result = function.argument_attribute(i, "loop.result").is_some();
        format!("{element}[{}]{}", dims.join("x"), if is_result { " result" } else { "" })
    };
    arguments.iter().enumerate().map(text).collect::<Vec<_>>().join(", ")
}
