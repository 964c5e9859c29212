//! The IR layer: MLIR handles, walks, builders and affine algebra.
//!
//! Must not depend on: any op of ours.
//!
//! # Handles
//! Other crates schedule, lower, interpret and compile melior's modules without `unsafe`:
//! ```
//! # use loopwright::pipeline;
//! use loopwright::schedule::Schedule;
//! use melior::ir::Module;
//! # const NEST: &str = "func.func @main(%A: memref<8xf32> {loop.result}) {
//! #   loop.for serial %i in 8 {
//! #     loop.block \"A\" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
//! #       %zero = arith.constant 0.0 : f32
//! #       memref.store %zero, %A[%v] : memref<8xf32>
//! #     }
//! #   }
//! #   return
//! # }";
//! let context = pipeline::context();
//! let mut module = Module::parse(&context, NEST).expect("it is valid");
//! let mut schedule = Schedule::of(&mut module, "main").expect("it has loops");
//! schedule.parallel("A:i").expect("no two iterations write one element");
//! drop(schedule);
//! assert!(module.as_operation().to_string().contains("loop.for parallel"));
//! ```
//! Functions that change a module borrow it mutably, so nothing else refers to its ops:
//! ```compile_fail,E0502
//! # use loopwright::schedule::Schedule;
//! # fn refused(mut module: melior::ir::Module) {
//! let mut schedule = Schedule::of(&mut module, "main").expect("it has loops");
//! println!("{}", module.as_operation());
//! schedule.parallel("A:i").expect("it is legal");
//! # }
//! ```
//! The handles of this module are copied freely, and one that outlives its op dangles. So there are handles only after a
//! promise, the contract of [`handle_of_module`] or [`pass::register`](crate::pass::register):
//! ```compile_fail,E0133
//! # fn refused(module: melior::ir::Module) {
//! let op = loopwright::ir::handle_of_module(&module);
//! # }
//! ```
//! ```compile_fail,E0133
//! loopwright::pass::register(&[]);
//! ```
//! Ops in no module, and steps that get handles, are made only in this crate:
//! ```compile_fail,E0624
//! # fn refused(context: melior::Context) {
//! use loopwright::ir::{Location, OpSpec, handle_of};
//! let op = OpSpec::new("loop.yield", Location::unknown(handle_of(&context))).create();
//! # }
//! ```
//! ```compile_fail,E0624
//! let block = loopwright::ir::Block::new(&[]);
//! ```
//! ```compile_fail,E0603
//! # fn refused(context: melior::Context) {
//! use loopwright::ir::{Location, handle_of};
//! let op = loopwright::dialect::loop_op::yield_op(Location::unknown(handle_of(&context)), &[]);
//! # }
//! ```
//! ```compile_fail,E0451
//! # use loopwright::schedule::{Primitive, instruction::Argument};
//! static ERASE: Primitive = Primitive {
//!     name: "erase",
//!     pass: "sched-erase",
//!     summary: "",
//!     parameters: &[],
//!     near_atomic: false,
//!     apply: |_, _| Ok(vec![]),
//! };
//! ```
//! Nor is machine code run without the promise that it is what its kernels declare:
//! ```compile_fail,E0133
//! let code = loopwright::codegen::Jit::load(&[0u8; 64]);
//! ```

pub mod affine;
mod builder;
mod calls;
mod copied;
mod description;
pub(crate) mod predicate;
pub(crate) mod saturating;

pub use crate::ffi::{
    Attribute, Block, Context, Elements, Error, FloatKind, IteratorKind, Location, ModuleMut,
    ModuleRef, NarrowFloat, NarrowFormat, NonFinite, Note, Op, OpSpec, Region, Reported, Severity,
    Structured, Type, TypeKind, Value, decompose_linalg, handle_of, handle_of_module,
    parse_bytes_in, parse_file, parse_text_in, receive_all, receive_errors, remark, warning,
};
pub(crate) use crate::ffi::{lower_complex_arithmetic, op_of, top};
pub use builder::Builder;
pub use calls::{CalleesFirst, callee, is_kept_call};
pub use copied::CopiedOp;
pub use description::{OpDescription, Token};

/// `root` and all ops nested in it, in pre-order. The list is collected first, so the IR may
/// change while the list is used.
pub fn walk<'c>(root: Op<'c>) -> Vec<Op<'c>> {
    let mut found = vec![];
    collect(root, &mut found);
    found
}

fn collect<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    found.push(op);
    let regions = (0..).map_while(|i| op.region(i));
    let blocks = regions.flat_map(|region| region.each_block());
    blocks.flat_map(|block| block.each_op()).for_each(|inner| collect(inner, found));
}

/// The `func.func`s of a module, in its order.
pub fn functions(module: Op) -> Vec<Op> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    ops.into_iter().filter(|op| op.is("func.func")).collect()
}

/// The `func.func` of a module with a name.
pub fn function_named<'c>(module: Op<'c>, name: &str) -> Option<Op<'c>> {
    functions(module).into_iter().find(|op| op.symbol_name() == Some(name))
}

/// The ancestors of `op`, innermost first.
pub fn parents<'c>(op: Op<'c>) -> impl Iterator<Item = Op<'c>> {
    std::iter::successors(op.parent(), |op| op.parent())
}

/// A name that is not taken: the first of `base`, `base_1`, `base_2`, ...
pub fn fresh_name(base: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let numbered = (1..).map(|i| format!("{base}_{i}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).expect("numbers do not end")
}

/// The op in whose region a value is defined: the parent of its defining op, or the op whose block argument
/// it is.
pub fn scope_of(value: Value) -> Option<Op> {
    match value.defining_op() {
        Some(op) => op.parent(),
        None => value.owner().and_then(|block| block.parent()),
    }
}

/// True for a loop of the scf dialect.
pub fn is_scf_loop(op: Op) -> bool {
    matches!(op.name(), "scf.for" | "scf.while" | "scf.parallel" | "scf.forall")
}

/// True for f32, f64, and vectors of them, which x86 and GPUs compute with natively.
pub fn is_f32_or_f64(ty: Type) -> bool {
    let element = ty.lanes().map_or(ty, |(_, element)| element);
    matches!(element.kind(), TypeKind::Float(FloatKind::F32 | FloatKind::F64))
}

/// True if a value is defined outside of the regions of an op.
pub fn is_defined_outside(value: Value, op: Op) -> bool {
    scope_of(value).is_none_or(|scope| !is_inside(scope, op))
}

/// The values from outside that an op and its regions use, each with the number of the operand; `None` for a use in a region.
pub fn outside_values<'c>(op: Op<'c>) -> Vec<(Value<'c>, Option<usize>)> {
    let mut values: Vec<_> =
        op.operands().into_iter().enumerate().map(|(i, value)| (value, Some(i))).collect();
    for inner in walk(op).into_iter().skip(1) {
        let from_outside = |value: &Value<'c>| is_defined_outside(*value, op);
        values.extend(inner.operands().into_iter().filter(from_outside).map(|value| (value, None)));
    }
    values
}

/// The value of an `arith.constant`.
pub fn constant_value(value: Value) -> Option<Attribute> {
    value.defining_op().filter(|op| op.is("arith.constant"))?.attribute("value")
}

/// The number that an `arith.constant` is, or that all lanes of a vector are.
pub fn constant_number(value: Value) -> Option<f64> {
    let constant = constant_value(value)?;
    let of_lanes = || {
        let elements = constant.as_elements().filter(|it| it.splat && !it.is_empty())?;
        match elements.ty.lanes()?.1.kind() {
            TypeKind::Float(kind) => kind.with_bits(elements.bits(0)),
            TypeKind::Integer(bits @ 1..=64) => {
                let unused = 64 - bits;
                Some(((elements.bits(0) << unused) as i64 >> unused) as f64)
            }
            _ => None,
        }
    };
    let integer = || constant.as_i64().map(|number| number as f64);
    constant.as_f64().or_else(integer).or_else(of_lanes)
}

/// The value of an integer or index `arith.constant`.
pub fn constant_integer(value: Value) -> Option<i64> {
    constant_value(value)?.as_i64()
}

/// The types of the arguments and results of a function; `None` for another op.
pub fn signature<'c>(function: Op<'c>) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
    function.attribute("function_type")?.as_type()?.signature()
}

/// True if `op` is `ancestor` or nested in it.
pub fn is_inside(op: Op, ancestor: Op) -> bool {
    op == ancestor || parents(op).any(|parent| parent == ancestor)
}
