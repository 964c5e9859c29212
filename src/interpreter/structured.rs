//! Runs structured linalg ops by their definition: for every point of the iteration space, read the
//! operands at the indices that the indexing maps give, run the body, write what it yields.
//!
//! On tensors an output is a fresh copy of its `outs` operand; memrefs are changed in place.

mod affine_op;
mod body;
mod memory;
mod pack;
mod softmax;
mod space;

pub(super) use affine_op::AffineOp;
pub(super) use body::{BodyFrame, DecodedBody, assertion, dimension, unknown};
pub(super) use memory::{OpArrays, OperandArrays};
pub(super) use space::LoopRanges;

use super::env::Env;
use super::scalar::Scalar;
use super::value::{Array, Datum};
use super::{RunOptions, meter};
use crate::ir::affine::Expr;
use crate::ir::{Error, Op, Structured, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// The results of a linalg op; `None` for an unsupported op.
pub(super) fn run<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    options: RunOptions,
) -> Result<Option<Vec<Datum>>, Error<'c>> {
    match Structured::of(op) {
        Some(form) => run_structured(op, &form, env, options).map(Some),
        None if op.is("linalg.softmax") => softmax::run(op, env).map(Some),
        None if op.is("linalg.pack") => pack::pack(op, env).map(Some),
        None if op.is("linalg.unpack") => pack::unpack(op, env).map(Some),
        None => Ok(None),
    }
}

fn run_structured<'c>(
    op: Op<'c>,
    form: &Structured,
    env: &Env<'c>,
    options: RunOptions,
) -> Result<Vec<Datum>, Error<'c>> {
    let mut data = vec![];
    let mut results = vec![];
    for (i, value) in op.operands().into_iter().enumerate() {
        let datum = env.get(op, value)?;
        match datum {
            Datum::Tensor(array) if i >= form.inputs => {
                let output = Rc::new(RefCell::new((**array).clone()));
                results.push(output.clone());
                data.push(Datum::Buffer(output));
            }
            _ => data.push(datum.clone()),
        }
    }
    let mut arrays = OperandArrays::default();
    let kernel = StructuredOp::decode(op, form, &data, env, &mut arrays)?;
    if !kernel.space.is_empty() {
        kernel.run(&arrays, options)?;
    }
    Ok(results.iter().map(|output| Datum::tensor(take(output))).collect())
}

fn take(output: &RefCell<Array>) -> Array {
    let mut array = output.borrow_mut();
    let cells = std::mem::take(&mut array.cells);
    Array { ty: array.ty, shape: array.shape.clone(), cells }
}

/// A decoded structured op.
struct StructuredOp<'c> {
    op: Op<'c>,
    body: DecodedBody<'c>,
    /// The operands, inputs first.
    operands: Vec<StructuredOperand>,
    inputs: usize,
    space: LoopRanges,
}

/// An operand: how it is indexed, for reading and, if it is an output, for writing.
struct StructuredOperand {
    source: OperandSource,
    map: Vec<MapResult>,
    /// The slot of its value in the body; `None` if the body does not use it.
    slot: Option<usize>,
}

enum OperandSource {
    Scalar(Scalar),
    Array(usize),
}

/// A result of an indexing map; most are a loop variable.
enum MapResult {
    Loop(usize),
    Other(Expr),
}

impl<'c> StructuredOp<'c> {
    fn decode(
        op: Op<'c>,
        form: &Structured,
        data: &[Datum],
        env: &Env<'c>,
        arrays: &mut OperandArrays,
    ) -> Result<Self, Error<'c>> {
        let block = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
        let arguments = block.arguments();
        if form.maps.len() != data.len() || arguments.len() != data.len() {
            return Err(Error::on(
                op,
                "does not have one map and one body argument for each operand",
            ));
        }
        if data[form.inputs.min(data.len())..].iter().any(|d| matches!(d, Datum::Scalar(_))) {
            return Err(Error::on(op, "has an output that is a scalar"));
        }
        let body = DecodedBody::decode(op, block, env, arrays)?;
        if body.yields().len() + form.inputs != data.len() {
            return Err(Error::on(op, "does not yield one value for each output"));
        }
        let slots = arguments.iter().zip(body.arguments());
        let operands =
            data.iter().zip(&form.maps).zip(slots).map(|((datum, map), (value, slot))| {
                StructuredOperand {
                    source: match datum {
                        Datum::Scalar(scalar) => OperandSource::Scalar(*scalar),
                        array => OperandSource::Array(arrays.number(array)),
                    },
                    map: map.results.iter().map(MapResult::of).collect(),
                    slot: is_used(*value).then_some(*slot),
                }
            });
        let operands = operands.collect();
        let ranges = ranges(form, data).map_err(|message| Error::on(op, message))?;
        let space = LoopRanges::new(&form.iterators, ranges);
        Ok(StructuredOp { op, body, operands, inputs: form.inputs, space })
    }

    fn run(&self, arrays: &OperandArrays, options: RunOptions) -> Result<(), Error<'c>> {
        let fail = |message: String| Error::on(self.op, message);
        let order = self.space.order(options.seed);
        let order = order.ok_or_else(|| fail("has too many parallel iterations".into()))?;
        let outputs =
            self.operands[self.inputs..].iter().filter_map(|output| match output.source {
                OperandSource::Array(number) => Some((number, output)),
                OperandSource::Scalar(_) => None,
            });
        let (mut written, mut tracked) = (vec![], vec![]);
        for (number, output) in outputs {
            written.push(number);
            if arrays.times_named(number) > 1 || !self.is_injective(output) {
                tracked.push(number);
            }
        }
        let memory = OpArrays::new(arrays, self.space.clone(), &written, &tracked).map_err(fail)?;
        let mut frame = BodyFrame::new(&self.body, self.space.rank(), memory);
        frame.iterations_left = options.max_iterations;
        let mut scratch = Scratch::default();
        for iteration in order {
            frame.memory.iteration = iteration;
            self.space.enter(iteration, &mut frame.loops);
            loop {
                meter::spend(self.op, meter::POINT)?;
                self.run_point(&mut frame, &mut scratch)?;
                if !self.space.step(&mut frame.loops) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// True if no two parallel iterations access the same element of this operand. (A sufficient condition.)
    fn is_injective(&self, operand: &StructuredOperand) -> bool {
        let has =
            |i| operand.map.iter().any(|index| matches!(index, MapResult::Loop(j) if *j == i));
        self.space.concurrent().all(has)
    }

    fn run_point(&self, frame: &mut BodyFrame, scratch: &mut Scratch) -> Result<(), Error<'c>> {
        scratch.offsets.clear();
        for (number, operand) in self.operands.iter().enumerate() {
            let value = match operand.source {
                OperandSource::Scalar(scalar) => Ok(scalar),
                OperandSource::Array(array) => operand.read(array, frame, scratch),
            };
            let value = value.map_err(|message| self.fail(number, &message))?;
            if let Some(slot) = operand.slot {
                frame.slots[slot] = value;
            }
        }
        self.body.run(frame)?;
        let outputs = self.operands.iter().enumerate().skip(self.inputs);
        let offsets = &scratch.offsets[scratch.offsets.len() - self.body.yields().len()..];
        for (((number, output), slot), offset) in outputs.zip(self.body.yields()).zip(offsets) {
            if let OperandSource::Array(array) = output.source {
                let written = frame.memory.write(array, *offset, frame.slots[*slot]);
                written.map_err(|message| self.fail(number, &message))?;
            }
        }
        Ok(())
    }

    fn fail(&self, operand: usize, message: &str) -> Error<'c> {
        Error::on(self.op, format!("operand {operand}: {message}"))
    }
}

/// Temporary storage for one point.
#[derive(Default)]
struct Scratch {
    indices: Vec<i64>,
    /// The row-major offset of each operand that is an array.
    offsets: Vec<usize>,
}

impl StructuredOperand {
    /// Reads the element at the current loop values and appends its offset to `scratch.offsets`. A value that the
    /// body does not use is not read, but its indices must be in bounds.
    fn read(
        &self,
        array: usize,
        frame: &mut BodyFrame,
        scratch: &mut Scratch,
    ) -> Result<Scalar, String> {
        scratch.indices.clear();
        for index in &self.map {
            scratch.indices.push(match index {
                MapResult::Loop(i) => frame.loops[*i],
                MapResult::Other(expr) => expr.evaluate(&frame.loops, &[]).ok_or_else(|| {
                    format!("its map overflows, or divides by 0 or less, at {:?}", frame.loops)
                })?,
            });
        }
        let offset = frame.memory.offset(array, &scratch.indices)?;
        scratch.offsets.push(offset);
        match self.slot {
            Some(_) => frame.memory.read(array, offset),
            None => Ok(Scalar::Undefined),
        }
    }
}

impl MapResult {
    fn of(expr: &Expr) -> MapResult {
        match expr {
            Expr::Dim(i) => MapResult::Loop(*i),
            other => MapResult::Other(other.clone()),
        }
    }
}

fn is_used(value: Value) -> bool {
    !value.uses().is_empty()
}

/// The range of each loop: the size of every array dimension that is indexed by that loop alone.
fn ranges(form: &Structured, data: &[Datum]) -> Result<Vec<usize>, String> {
    let mut found: Vec<Option<(usize, usize)>> = vec![None; form.iterators.len()];
    for (operand, (datum, map)) in data.iter().zip(&form.maps).enumerate() {
        let shape = match datum {
            Datum::Scalar(_) => vec![],
            Datum::Tensor(array) => array.shape.clone(),
            Datum::Buffer(array) => array.borrow().shape.clone(),
        };
        if shape.len() != map.results.len() || map.dims != found.len() {
            return Err(format!("operand {operand} does not match its indexing map"));
        }
        for (result, size) in map.results.iter().zip(shape) {
            let Expr::Dim(i) = result else { continue };
            match found[*i] {
                Some((range, _)) if range == size => {}
                Some((range, other)) => {
                    return Err(format!(
                        "dimension d{i} is {range} in operand {other} and {size} in operand {operand}"
                    ));
                }
                None => found[*i] = Some((size, operand)),
            }
        }
    }
    let ranges = found.iter().enumerate();
    ranges
        .map(|(i, range)| {
            Ok(range.ok_or_else(|| format!("no operand determines the size of d{i}"))?.0)
        })
        .collect()
}

#[cfg(test)]
#[path = "../../test/interpreter/structured.rs"]
mod tests;
