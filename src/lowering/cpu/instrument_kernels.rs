//! Marks where each kernel of a scheduled module begins and ends, for a profile.
//!
//! ```text
//! call @main_matmul_add(%x, %w, %a)      call @lw_profile_mark(%c0, %begin)
//!                                   ->   call @main_matmul_add(%x, %w, %a)
//!                                        call @lw_profile_mark(%c0, %end)
//! ```
//! A kernel is a call of a fusion group, or a nest at the top level of a function that is not in a group. Kernels are
//! numbered in the order of the text, over all functions of the module. The function that transforms weights has none: it
//! runs when the code is loaded.
//!
//! Requires
//! - (C1) loop form, after the schedule; fusion groups that are already inlined are nests like others
//! - (C2) no function named [`MARK`] in the module

use crate::analysis::loop_cost::{CostRow, Figure, Ledger};
use crate::analysis::work::WorkArgument;
use crate::dialect::graph_op::GROUP;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::dialect::weight::TRANSFORMS;
use crate::ir::{
    Attribute, Builder, Error, FloatKind, Location, Op, Region, Type, TypeKind, function_named,
    functions, walk,
};
use loopwright_runtime::profile::MARK;

/// A kernel of a scheduled module.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The function of the fusion group. Of a nest, its function and its first schedule block that computes floats, or the
    /// first one.
    pub name: String,
    /// The function that contains it.
    pub function: String,
    /// The places of the ops that it was made of, such as `model.mlir:7:10` or the name of a node, in program order.
    pub sources: Vec<String>,
    /// True if it reads buffers of f64.
    pub is_double: bool,
    ledger: Ledger,
}

impl Kernel {
    /// The operations on floats and integers, and the least bytes that a call must move: those that are distinct, of
    /// arguments, constants, and buffers that other kernels use. `None` if they depend on more than the sizes of
    /// `arguments`, which are those of its function.
    pub fn work(&self, arguments: &[WorkArgument]) -> Option<KernelWork> {
        let Ledger { total, sizes, .. } = &self.ledger;
        let sizes = match sizes.is_empty() {
            true => vec![],
            false => self.ledger.values(arguments)?,
        };
        let number = |figure: &Figure| figure.amount()?.evaluate(&sizes);
        Some(KernelWork {
            float_ops: number(&total.float_ops)?,
            int_ops: number(&total.int_ops)?,
            bytes: number(&total.least_bytes())?,
        })
    }
}

/// The work of one call of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelWork {
    pub float_ops: i128,
    pub int_ops: i128,
    pub bytes: i128,
}

/// Inserts the marks, and returns the kernels by their numbers.
///
/// # Errors
/// If (C2) does not hold, or at an op of the loop dialect that is not valid. Nothing is inserted then.
pub fn instrument<'c>(module: Op<'c>) -> Result<Vec<Kernel>, Error<'c>> {
    if let Some(op) = function_named(module, MARK) {
        let message = format!("has the name '{MARK}', expected another name (C2)");
        return Err(Error::on(op, message));
    }
    let mut kernels = vec![];
    let mut marked = vec![];
    for function in functions(module) {
        if [GROUP, TRANSFORMS].iter().any(|name| function.attribute(name).is_some()) {
            continue;
        }
        let ops = function.body(0).map(|body| body.ops()).unwrap_or_default();
        for op in ops {
            let group = op.attribute("callee").and_then(Attribute::as_symbol);
            let group = group.and_then(|name| function_named(module, name));
            let group = group.filter(|callee| callee.attribute(GROUP).is_some());
            let ledger = match op.name() {
                For::NAME | If::NAME | ScheduleBlock::NAME => Ledger::of_nest(function, op)?,
                "func.call" if group.is_some() => Ledger::of(group.unwrap_or(op))?,
                _ => continue,
            };
            kernels.push(kernel(function, op, group, ledger));
            marked.push(op);
        }
    }
    let Some(body) = module.body(0).filter(|_| !marked.is_empty()) else { return Ok(kernels) };
    for (number, op) in marked.into_iter().enumerate() {
        mark(Builder::before(op, op.location()), number, false);
        let next = op.next().unwrap_or(op);
        mark(Builder::before(next, op.location()), number, true);
    }
    let first = body.first_op().expect("a module with functions has ops");
    let at = Builder::before(first, module.location());
    let number = Type::integer(at.context(), 64);
    let ty = Type::function(at.context(), &[number; 2], &[]);
    at.insert(
        at.spec("func.func")
            .attribute("sym_name", Attribute::string(at.context(), MARK))
            .attribute("sym_visibility", Attribute::string(at.context(), "private"))
            .attribute("function_type", ty.to_attribute())
            .region(Region::new()),
    );
    Ok(kernels)
}

/// The kernel of a nest, or of the call of a fusion group.
fn kernel(function: Op, op: Op, group: Option<Op>, ledger: Ledger) -> Kernel {
    let root = group.unwrap_or(op);
    let blocks: Vec<Op> = walk(root).into_iter().filter(|op| op.is(ScheduleBlock::NAME)).collect();
    let caller = function.symbol_name().unwrap_or_default();
    let name = match group {
        Some(group) => group.symbol_name().unwrap_or_default().to_owned(),
        None => {
            let computes = |row: &&CostRow| !row.costs.float_ops.is_zero();
            let row = ledger.rows.iter().find(computes).or(ledger.rows.first());
            format!("{caller}.{}", row.map_or("nest", |row| &row.block))
        }
    };
    let mut sources = vec![];
    match group {
        Some(_) => places(op.location(), &mut sources),
        None => blocks.iter().for_each(|block| places(block.location(), &mut sources)),
    }
    // Ops in f64 on a few scalars are no reason.
    let is_f64 = |op: &Op| {
        op.is("memref.load") && matches!(op.result(0).ty().kind(), TypeKind::Float(FloatKind::F64))
    };
    let is_double = walk(root).iter().any(is_f64);
    Kernel { name, function: caller.to_owned(), sources, is_double, ledger }
}

/// Adds the places of a location that are not yet known: names of nodes, or lines.
fn places(location: Location, known: &mut Vec<String>) {
    let parts: Vec<Location> =
        location.parts().into_iter().filter(|part| *part != location).collect();
    let place = match (location.name(), location.file()) {
        (Some((name, _)), _) => name.to_owned(),
        (None, Some((file, line, _))) => format!("{file}:{line}"),
        (None, None) => return parts.into_iter().for_each(|part| places(part, known)),
    };
    if !known.contains(&place) {
        known.push(place);
    }
}

/// Inserts a call that marks the begin or the end of a kernel.
fn mark(at: Builder, number: usize, is_end: bool) {
    let ty = Type::integer(at.context(), 64);
    let number = at.number(ty, i64::try_from(number).unwrap_or(i64::MAX));
    let moment = at.number(ty, i64::from(is_end));
    let callee = Attribute::symbol(at.context(), MARK);
    at.insert(at.spec("func.call").operands(&[number, moment]).attribute("callee", callee));
}
