//! The entry points of a public function: a function with a C signature, and the texts of its signature and of its
//! requirements on sizes. [`workspace`](super::workspace) builds the function that returns the size of the workspace.

use super::buffer::{IndexBounds, cast, element_pointer, i64_constant, load, passed_types};
use super::globals::linkage;
use super::plan::KernelPlan;
use crate::ir::predicate::SGE;
use crate::ir::{Attribute, Block, Builder, Op, Region, Type, TypeKind, Value};

/// Builds `f` before the function. It does nothing for sizes that do not meet the requirements.
pub(crate) fn build<'c>(kernel: &KernelPlan<'c>) {
    let function = kernel.function.op;
    let outer = Builder::before(function, function.location());
    let pointer = Type::pointer(outer.context());
    // The branch of the check is lowered later, for which it must be in a func.func.
    let is_checked = !kernel.requirements.all.is_empty();
    let entry = match is_checked {
        true => function_of_pointers(&outer, kernel.name(), 4, &[]),
        false => llvm_function(&outer, kernel.name(), &[pointer; 4], "external"),
    };
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
    let call = |at: &Builder<'c>| {
        at.insert(
            at.spec("func.call")
                .attribute("callee", Attribute::symbol(at.context(), &kernel.implementation))
                .operands(&operands),
        );
    };
    if is_checked {
        let i64 = Type::integer(at.context(), 64);
        let bytes = at.insert(
            at.spec("func.call")
                .attribute("callee", Attribute::symbol(at.context(), &kernel.workspace_name()))
                .operands(&[sizes])
                .results(&[i64]),
        );
        let zero = i64_constant(&at, 0);
        let fits = at.compare(SGE, bytes.result(0), zero);
        let then = Block::new(&[]);
        let inner = Builder::at_end(then, at.location());
        call(&inner);
        inner.insert(inner.spec("scf.yield"));
        at.insert(
            at.spec("scf.if").operands(&[fits]).region(Region::of(then)).region(Region::new()),
        );
        at.insert(at.spec("func.return"));
    } else {
        call(&at);
        at.insert(at.spec("llvm.return"));
    }
}

/// A `func.func` on pointers; returns its empty entry block.
pub(crate) fn function_of_pointers<'c>(
    at: &Builder<'c>,
    name: &str,
    inputs: usize,
    results: &[Type<'c>],
) -> Block<'c> {
    let context = at.context();
    let inputs = vec![Type::pointer(context); inputs];
    let entry = Block::new(&inputs.iter().map(|ty| (*ty, at.location())).collect::<Vec<_>>());
    at.insert(
        at.spec("func.func")
            .attribute("sym_name", Attribute::string(context, name))
            .attribute("function_type", Type::function(context, &inputs, results).to_attribute())
            .region(Region::of(entry)),
    );
    entry
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

/// Builds the text `f_<what>` before the function.
pub(crate) fn build_text(kernel: &KernelPlan, what: &str, text: &str) {
    let function = kernel.function.op;
    let at = Builder::before(function, function.location());
    let text = text.to_owned() + "\0";
    let ty = Type::llvm_array(Type::integer(at.context(), 8), text.len() as u32);
    at.insert(
        at.spec("llvm.mlir.global")
            .attribute(
                "sym_name",
                Attribute::string(at.context(), &format!("{}_{what}", kernel.name())),
            )
            .attribute("global_type", ty.to_attribute())
            .attribute("linkage", linkage(at.context(), "external"))
            .attribute("constant", Attribute::unit(at.context()))
            .attribute("value", Attribute::string(at.context(), &text))
            .region(Region::new()),
    );
}

/// `f32[?x64], index, f32[] result`
pub(crate) fn signature(function: Op) -> String {
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
