//! The functions of a module as their callers see them: names, types, and which arguments are results.

use crate::dialect::requirement::SizeOrigin;
use crate::dialect::weight;
use crate::ir::affine::Map;
use crate::ir::{
    self, Attribute, Location, ModuleMut, ModuleRef, Op, Structured, Type, TypeKind, Value, op_of,
    walk,
};
use melior::Context;
use melior::ir::Module;

/// A `func.func`, as plain data.
#[derive(Clone, Debug)]
pub struct FunctionInterface<'c> {
    /// The name of the function.
    pub name: String,
    /// Its location in the model.
    pub location: Location<'c>,
    /// True if other modules may call it.
    pub is_public: bool,
    /// True if it has a body, so that it can be called.
    pub is_defined: bool,
    /// The arguments, in order.
    pub arguments: Vec<FunctionArgument<'c>>,
    /// The types of the results.
    pub results: Vec<Type<'c>>,
}

/// An argument of a function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionArgument<'c> {
    /// The name that the model has for it, from the function's attribute `input_names`.
    pub name: Option<&'c str>,
    /// The MLIR type.
    pub ty: Type<'c>,
    /// True for a memref that receives a result: it is marked `loop.result` or, if no argument is marked, the function
    /// writes it.
    pub is_result: bool,
    /// The attribute `loop.result`, which has the shape of the result.
    pub result: Option<Attribute<'c>>,
}

/// The sizes of a result with dynamic sizes, in terms of the sizes of arguments. It does not refer to the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultShape {
    /// One result for each dimension, over symbols only.
    sizes: Map,
    /// The size that each symbol stands for.
    from: Vec<SizeOrigin>,
}

impl ResultShape {
    /// The shape that an attribute `loop.result` states; `None` if it states none.
    pub fn of(result: Attribute) -> Option<ResultShape> {
        let origin = |source: Attribute| {
            let place = source.as_integers()?;
            let argument = usize::try_from(*place.first()?).ok()?;
            Some(match place.get(1) {
                Some(dim) => SizeOrigin::Dim(argument, usize::try_from(*dim).ok()?),
                None => SizeOrigin::Index(argument),
            })
        };
        let from = result.entry("from")?.as_array()?.into_iter().map(origin);
        Some(ResultShape {
            sizes: result.entry("shape")?.as_map()?,
            from: from.collect::<Option<_>>()?,
        })
    }

    /// The sizes for a call; `size` returns the sizes of its arguments. `None` if `size` does, or if the shape divides by zero or
    /// exceeds i64.
    pub fn evaluate(&self, size: impl Fn(SizeOrigin) -> Option<i64>) -> Option<Vec<i64>> {
        let symbols: Option<Vec<i64>> = self.from.iter().map(|origin| size(*origin)).collect();
        self.sizes.evaluate(&[], &symbols?)
    }
}

/// The functions of a module, in its order.
pub fn functions<'c>(module: impl ModuleRef<'c>) -> Vec<FunctionInterface<'c>> {
    ir::functions(op_of(module)).into_iter().map(interface).collect()
}

/// The function with a name.
pub fn function<'c>(module: impl ModuleRef<'c>, name: &str) -> Option<FunctionInterface<'c>> {
    ir::function_named(op_of(module), name).map(interface)
}

/// Renames a function that nothing in the module refers to. Does nothing if there is no such function.
///
/// # Errors
/// If the module has a symbol with the new name.
pub fn rename_function<'c>(
    module: impl ModuleMut<'c>,
    name: &str,
    new: &str,
) -> Result<(), String> {
    let module = op_of(module);
    let symbols = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let named = |name: &str| symbols.iter().find(|op| op.symbol_name() == Some(name));
    match (named(name), named(new)) {
        (Some(_), Some(_)) => {
            Err(format!("{name} would be named {new}, but another function has that name"))
        }
        (Some(function), None) => {
            function.set_attribute("sym_name", Attribute::string(module.context(), new));
            Ok(())
        }
        (None, _) => Ok(()),
    }
}

/// Removes what a function does not use: other functions, and private symbols. Does nothing if there is no such function.
/// The function that computes [transformed weights](weight::TRANSFORM) stays: it runs before all others.
///
/// # Errors
/// If a pass fails; the reason is reported to the context's diagnostic handlers.
///
/// # Panics
/// If the module is of another context.
pub fn keep_only(context: &Context, module: &mut Module, name: &str) -> Result<(), melior::Error> {
    const VISIBILITY: &str = "sym_visibility";
    let all = ir::functions(op_of(&*module));
    if !all.iter().any(|function| function.symbol_name() == Some(name)) {
        return Ok(());
    }
    // What is private and unused is removed. The functions that stay are as visible as before.
    let mut hidden = vec![];
    let is_kept = [Some(name), Some(weight::TRANSFORM)];
    for function in all.into_iter().filter(|it| !is_kept.contains(&it.symbol_name())) {
        let visibility = function.attribute(VISIBILITY);
        if visibility.is_none_or(|it| it.as_str() == Some("public")) {
            function.set_attribute(VISIBILITY, Attribute::string(function.context(), "private"));
            hidden.push((function.symbol_name().map(str::to_owned), visibility.is_some()));
        }
    }
    super::run(context, module, "symbol-dce")?;
    for function in ir::functions(op_of(&*module)) {
        let name = function.symbol_name();
        match hidden.iter().find(|(hidden, _)| hidden.as_deref() == name) {
            Some((_, true)) => {
                function.set_attribute(VISIBILITY, Attribute::string(function.context(), "public"))
            }
            Some((_, false)) => function.remove_attribute(VISIBILITY),
            None => {}
        }
    }
    Ok(())
}

fn interface<'c>(function: Op<'c>) -> FunctionInterface<'c> {
    let visibility = function.attribute("sym_visibility");
    let ty = function.attribute("function_type").and_then(Attribute::as_type);
    let (types, results) = ty.and_then(Type::signature).unwrap_or_default();
    let is_result = result_arguments(function);
    let names = function.attribute("input_names").and_then(Attribute::as_array).unwrap_or_default();
    let argument = |(i, ty): (usize, Type<'c>)| FunctionArgument {
        name: names.get(i).and_then(|name| name.as_str()),
        ty,
        is_result: is_result.get(i).copied().unwrap_or(false),
        result: function.argument_attribute(i, "loop.result"),
    };
    FunctionInterface {
        name: function.symbol_name().unwrap_or_default().to_owned(),
        location: function.location(),
        is_public: visibility.is_none_or(|it| it.as_str() == Some("public")),
        is_defined: function.body(0).is_some(),
        arguments: types.into_iter().enumerate().map(argument).collect(),
        results,
    }
}

fn result_arguments(function: Op) -> Vec<bool> {
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    let marked = |i: usize| function.argument_attribute(i, "loop.result").is_some();
    if (0..arguments.len()).any(marked) {
        return (0..arguments.len()).map(marked).collect();
    }
    let written: Vec<Value> = walk(function).into_iter().flat_map(written_buffers).collect();
    arguments.iter().map(|argument| written.contains(argument)).collect()
}

/// The buffers that an op itself writes.
fn written_buffers(op: Op) -> Vec<Value> {
    let operands = op.operands();
    let is_memref = |v: &Value| matches!(v.ty().kind(), TypeKind::MemRef { .. });
    match op.name() {
        "memref.store" | "memref.copy" => vec![operands[1]],
        _ => match Structured::of(op) {
            Some(structured) => {
                operands[structured.inputs..].iter().copied().filter(is_memref).collect()
            }
            None => vec![],
        },
    }
}
