//! The kernels of a scheduled module, their work, and the buffers that flow between them.
//!
//! A *kernel* is a call of a fusion group, or a nest at the top level of a function that is no group. Kernels are numbered in
//! the order of the text, over all functions of the module. The function that transforms weights has none: it runs when the
//! code is loaded.

use super::loop_cost::{CalleeSizes, CostRow, Figure, Ledger};
use super::work::WorkArgument;
use crate::dialect::graph_op::GROUP;
use crate::dialect::loop_op::{For, If, ScheduleBlock, buffer_name};
use crate::dialect::weight::TRANSFORMS;
use crate::ir::{
    Block, Error, FloatKind, Location, Op, TypeKind, Value, callee, function_named, functions,
    is_inside, walk,
};
use std::collections::HashMap;

/// A kernel of a scheduled module.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The function of the fusion group. Of a nest, its function and its first schedule block that computes floats, or the
    /// first one.
    pub name: String,
    /// The function that contains it.
    pub function: String,
    /// The names of its schedule blocks, in program order.
    pub blocks: Vec<String>,
    /// The places of the ops that it was made of, such as `model.mlir:7` or the name of a node, in program order.
    pub sources: Vec<String>,
    /// What it reads, each buffer once for each writer.
    pub reads: Vec<KernelBuffer>,
    /// The arguments of its function that it writes.
    pub results: Vec<KernelBuffer>,
    /// True if it reads buffers of f64.
    pub is_double: bool,
    ledger: Ledger,
    /// The sizes of the ledger, if the kernel is a call of a fusion group.
    call: Option<CalleeSizes>,
}

/// A buffer that a kernel reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelBuffer {
    /// Where its contents come from.
    pub from: Source,
    /// The name in the function that calls the kernel.
    pub name: String,
    /// Such as `1x64xf32`; `?` is a dynamic size.
    pub ty: String,
}

/// Where the contents of a buffer come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The kernel of this number writes it.
    Kernel(usize),
    /// A call of a function that is no fusion group.
    Call(String),
    /// An argument of the function.
    Argument,
    /// A weight, constant or transformed, of the model.
    Weight,
}

/// The work of one call of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelWork {
    /// Floating-point operations; a fused multiply-add counts as two.
    pub float_ops: i128,
    /// The bytes that the kernel must read and write.
    pub bytes: i128,
}

impl Kernel {
    /// The operations on floats, and the least bytes that a call must move: those that are distinct, of
    /// arguments, constants, and buffers that other kernels use. `None` if they depend on more than the sizes of
    /// `arguments`, which are those of its function.
    pub fn work(&self, arguments: &[WorkArgument]) -> Option<KernelWork> {
        let Ledger { total, sizes, .. } = &self.ledger;
        let sizes = match (sizes.is_empty(), &self.call) {
            (true, _) => vec![],
            (false, Some(call)) => call.values(arguments)?,
            (false, None) => self.ledger.values(arguments)?,
        };
        let number = |figure: &Figure| figure.amount()?.evaluate(&sizes);
        Some(KernelWork {
            float_ops: number(&total.float_ops)?,
            bytes: number(&total.least_bytes())?,
        })
    }
}

/// The kernels of a module in loop form, each with its op: a call or a nest. Fusion groups that are already inlined are
/// nests like others.
///
/// # Errors
/// At an op of the loop dialect that is not valid.
pub fn kernels<'c>(module: Op<'c>) -> Result<Vec<(Op<'c>, Kernel)>, Error<'c>> {
    let mut found = vec![];
    for function in functions(module) {
        if [GROUP, TRANSFORMS].iter().any(|name| function.attribute(name).is_some()) {
            continue;
        }
        let mut writers: HashMap<Value, Vec<Source>> = HashMap::new();
        for op in function.body(0).map(Block::ops).unwrap_or_default() {
            let callee = callee(op).and_then(|name| function_named(module, name));
            let group = callee.filter(|callee| callee.attribute(GROUP).is_some());
            let ledger = match op.name() {
                For::NAME | If::NAME | ScheduleBlock::NAME => Ledger::of_nest(function, op)?,
                "func.call" => match group {
                    Some(group) => Ledger::of(group)?,
                    None => {
                        let name = callee.and_then(|it| it.symbol_name()).unwrap_or_default();
                        for buffer in op.operands() {
                            writers.entry(buffer).or_default().push(Source::Call(name.to_owned()));
                        }
                        continue;
                    }
                },
                _ => continue,
            };
            let mut kernel = kernel(function, op, group, ledger);
            let (reads, writes) = accesses(op, group)?;
            for value in reads {
                let written = writers.get(&value).cloned().unwrap_or_default();
                let from = match value.defining_op() {
                    _ if !written.is_empty() => written,
                    None => vec![Source::Argument],
                    Some(op) if op.is("memref.get_global") => vec![Source::Weight],
                    Some(_) => continue,
                };
                kernel.reads.extend(from.into_iter().map(|from| KernelBuffer::of(value, from)));
            }
            for value in writes {
                let this = Source::Kernel(found.len());
                if value.defining_op().is_none() {
                    kernel.results.push(KernelBuffer::of(value, this.clone()));
                }
                writers.entry(value).or_default().push(this);
            }
            found.push((op, kernel));
        }
    }
    Ok(found)
}

impl KernelBuffer {
    fn of(value: Value, from: Source) -> Self {
        let (dims, element) = value.ty().shaped().map_or((vec![], value.ty()), |it| it);
        let size = |size: Option<i64>| size.map_or("?".to_owned(), |size| size.to_string()) + "x";
        let ty = dims.into_iter().map(size).collect::<String>() + &element.to_string();
        KernelBuffer { from, name: buffer_name(value), ty }
    }
}

/// The kernel of a nest, or of the call of a fusion group, without its buffers.
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
    let names = blocks.iter().filter_map(|op| op.attribute("name")?.as_str());
    Kernel {
        name,
        function: caller.to_owned(),
        blocks: names.map(str::to_owned).collect(),
        sources,
        reads: vec![],
        results: vec![],
        is_double,
        call: group.map(|_| CalleeSizes::of(function, op, &ledger.sources)),
        ledger,
    }
}

/// The buffers of the function around a kernel, or of the module, that the kernel reads and writes, each once. A buffer that
/// it reads only after it has written it is among the written ones only.
fn accesses<'c>(
    op: Op<'c>,
    group: Option<Op<'c>>,
) -> Result<(Vec<Value<'c>>, Vec<Value<'c>>), Error<'c>> {
    let root = group.unwrap_or(op);
    let operands = op.operands();
    let arguments = group.and_then(|group| group.body(0)).map(Block::arguments).unwrap_or_default();
    // The value in the function of the kernel.
    let outside = |value: Value<'c>| match arguments.iter().position(|it| *it == value) {
        Some(place) => operands.get(place).copied(),
        None => match value.defining_op() {
            Some(from) if is_inside(from, root) && !from.is("memref.get_global") => None,
            _ => Some(value),
        },
    };
    let (mut reads, mut writes) = (vec![], vec![]);
    for block in walk(root).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
        let view = ScheduleBlock::of(block)?;
        for value in view.reads.iter().filter_map(|region| outside(region.buffer)) {
            if !reads.contains(&value) && !writes.contains(&value) {
                reads.push(value);
            }
        }
        for value in view.writes.iter().filter_map(|region| outside(region.buffer)) {
            if !writes.contains(&value) {
                writes.push(value);
            }
        }
    }
    Ok((reads, writes))
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
