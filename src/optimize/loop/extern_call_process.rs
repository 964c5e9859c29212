//! `extern-call-process`: return the results of functions with several results through memory (output parameters).
//!
//! ```text
//! func.func private @f(%x: f32) -> (f32, i32)      func.func private @f(%x: f32, %0: memref<1xf32>, %1: memref<1xi32>)
//!                                                  %f_result0 = loop.buffer "f_result0" scope(local) : memref<1xf32>
//!                                                  %f_result1 = loop.buffer "f_result1" scope(local) : memref<1xi32>
//! loop.block .. {                              ->  loop.block .. {
//!   %r:2 = func.call @f(%x)                          func.call @f(%x, %f_result0, %f_result1)
//!                                                    %r0 = memref.load %f_result0[0]
//!   memref.store %r#0, %A[%v]                        memref.store %r0, %A[%v]
//! }                                                }
//! ```
//! In C and most other languages, functions have one result, and return further results through pointers. If the
//! function is defined in the module, results that no call reads are removed first. If only one result remains, it is
//! still returned as a result. A function with one result is unchanged.
//!
//! Requires
//! - (C1) the function is private, and all its uses are calls in bodies of schedule blocks
//! - (C2) no call is in a vectorized loop, because its lanes would share the output
//! - (C3) the types of the results can be in memory
//! - (C4) the body of the function, if there is one, has one block
//!
//! Other functions are unchanged.

use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::dialect::loop_op::{
    AccessRegion, BufferView, For, RegionDim, ScheduleBlock, buffer_name, is_storable, set_regions,
};
use crate::ffi::pass::PassRun;
use crate::ir::{Attribute, Builder, Op, Type, Value, parents, walk};
use crate::nest::edit;

/// The indices of the statistics in the row.
const FUNCTIONS: usize = 0;
const DROPPED: usize = 1;

/// Rewrites the functions of a module, and their calls.
pub fn run(module: Op, run: &PassRun) {
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    for function in functions.into_iter().filter(|op| op.is("func.func")) {
        let Some(outputs) = Outputs::of(module, function) else { continue };
        run.count(FUNCTIONS, 1);
        run.count(DROPPED, (outputs.results.len() - outputs.kept.len()) as u64);
        outputs.rewrite();
    }
}

/// A function with several results.
struct Outputs<'c> {
    function: Op<'c>,
    calls: Vec<Op<'c>>,
    arguments: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
    /// The results that are read; all results if the body is unknown.
    kept: Vec<usize>,
}

impl<'c> Outputs<'c> {
    fn of(module: Op<'c>, function: Op<'c>) -> Option<Self> {
        let text = |op: Op<'c>, name: &str| op.attribute(name).and_then(Attribute::as_str);
        let ty = function.attribute("function_type").and_then(Attribute::as_type);
        let (arguments, results) = ty.and_then(Type::signature)?;
        let name = function.symbol_name()?;
        let is_private = text(function, "sym_visibility") == Some("private");
        if !is_private || results.len() < 2 {
            return None;
        }
        // (C1)
        let refers = |op: &Op<'c>| {
            let mut names = op.attributes().into_iter().map(|(_, value)| value);
            names.any(|value| value.as_symbol() == Some(name))
        };
        let calls: Vec<Op> = walk(module).into_iter().filter(refers).collect();
        let is_in_body = |call: &Op<'c>| {
            call.is("func.call")
                && parents(*call)
                    .find(|op| !op.is("loop.if"))
                    .is_some_and(|op| op.is(ScheduleBlock::NAME))
        };
        // (C2)
        let is_lane = |call: &Op<'c>| {
            parents(*call).any(|op| {
                op.is(For::NAME) && For::of(op).is_ok_and(|this| this.kind == LoopKind::Vectorize)
            })
        };
        let blocks = function.regions().first().map(|r| r.blocks().len()).unwrap_or_default();
        let fits = calls.iter().all(|call| is_in_body(call) && !is_lane(call))
            && results.iter().all(|ty| is_storable(*ty))
            && blocks <= 1;
        let is_read = |i: &usize| calls.iter().any(|call| !call.result(*i).uses().is_empty());
        let kept = (0..results.len()).filter(|i| blocks == 0 || is_read(i)).collect();
        (fits && !calls.is_empty()).then_some(Outputs { function, calls, arguments, results, kept })
    }

    /// True if results are written to memory.
    fn has_destinations(&self) -> bool {
        self.kept.len() > 1
    }

    fn destination(&self, i: usize) -> Type<'c> {
        Type::memref(&[Some(1)], self.results[i])
    }

    fn rewrite(&self) {
        let context = self.function.context();
        let destinations: Vec<Type> = self.kept.iter().map(|i| self.destination(*i)).collect();
        let (arguments, results) = match self.has_destinations() {
            true => ([&self.arguments[..], &destinations[..]].concat(), vec![]),
            false => {
                let kept = self.kept.iter().map(|i| self.results[*i]).collect();
                (self.arguments.clone(), kept)
            }
        };
        if let Some(body) = self.function.body(0) {
            let end = body.ops().pop().expect("a function ends in a return");
            let values = end.operands();
            let kept: Vec<Value> = self.kept.iter().map(|i| values[*i]).collect();
            match self.has_destinations() {
                true => {
                    let at = Builder::before(end, end.location());
                    for (ty, value) in destinations.iter().zip(kept) {
                        let n = body.arguments().len();
                        let to = body.insert_argument(n, *ty, end.location());
                        at.store(value, to, &[at.index(0)]);
                    }
                    end.set_operands(&[]);
                }
                false => end.set_operands(&kept),
            }
        }
        let ty = Type::function(context, &arguments, &results).to_attribute();
        self.function.set_attribute("function_type", ty);
        self.function.remove_attribute("res_attrs");
        if let Some(mut of_arguments) =
            self.function.attribute("arg_attrs").and_then(Attribute::as_array)
        {
            of_arguments.resize(arguments.len(), Attribute::dictionary(context, &[]));
            self.function.set_attribute("arg_attrs", Attribute::array(context, &of_arguments));
        }
        self.calls.iter().for_each(|call| self.rewrite_call(*call, &results));
    }

    fn rewrite_call(&self, call: Op<'c>, results: &[Type<'c>]) {
        let at = Builder::before(call, call.location());
        let mut operands = call.operands();
        let buffers: Vec<Value> = match self.has_destinations() {
            true => self.kept.iter().map(|i| self.buffer(call, *i)).collect(),
            false => vec![],
        };
        operands.extend(&buffers);
        let mut spec = at.spec("func.call").operands(&operands).results(results);
        for (name, value) in call.attributes() {
            if name != "res_attrs" {
                spec = spec.attribute(name, value);
            }
        }
        let new = at.insert(spec);
        for (place, i) in self.kept.iter().enumerate() {
            let old = call.result(*i);
            if old.uses().is_empty() {
                continue;
            }
            let value = match buffers.get(place) {
                Some(buffer) => at.load(*buffer, &[at.index(0)]),
                None => new.result(place),
            };
            old.replace_all_uses_with(value);
        }
        let mut blocks = parents(call).filter(|op| op.is(ScheduleBlock::NAME));
        let inner = blocks.next().expect("it stands in a schedule block");
        let around: Vec<Op> = blocks.collect();
        call.erase();
        declare(inner, &buffers);
        around.into_iter().for_each(edit::derive_regions);
    }

    /// Creates a buffer in the calling function for a result.
    fn buffer(&self, call: Op<'c>, i: usize) -> Value<'c> {
        let caller = parents(call).find(|op| op.is("func.func")).expect("a nest stands in one");
        let text = |op: Op<'c>, name: &str| op.attribute(name).and_then(Attribute::as_str);
        let callee = self.function.symbol_name().unwrap_or_default();
        let base = format!("{callee}_result{i}");
        let arguments = caller.body(0).map(|body| body.arguments()).unwrap_or_default();
        let arguments = arguments.into_iter().filter(|value| value.ty().is_memref());
        let mut taken: Vec<String> = arguments.map(buffer_name).collect();
        taken.extend(walk(caller).into_iter().filter_map(|op| text(op, "name")).map(str::to_owned));
        let numbered = (1..).map(|n| format!("{base}_{n}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let name = names.find(|name| !taken.contains(name)).expect("numbers do not end");
        let first = caller.body(0).and_then(|body| body.first_op()).expect("a function returns");
        let ty = self.destination(i);
        let op = BufferView::create(call.location(), &name, Scope::Local, ty, &[], &[]);
        Builder::before(first, call.location()).place(op);
        op.result(0)
    }
}

/// Declares that a schedule block writes buffers, and derives its other access regions.
fn declare<'c>(block: Op<'c>, buffers: &[Value<'c>]) {
    let view = ScheduleBlock::of(block).expect("a verified schedule block");
    let cell = RegionDim::Range { offset: 0.into(), extent: 1.into() };
    let region = |buffer: &Value<'c>| AccessRegion { buffer: *buffer, spans: vec![cell.clone()] };
    let writes: Vec<AccessRegion> =
        view.writes.iter().cloned().chain(buffers.iter().map(region)).collect();
    set_regions(&view, &view.reads, &writes);
    edit::derive_regions(block);
}
