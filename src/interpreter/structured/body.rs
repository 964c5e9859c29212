//! The body of a structured op, `tensor.pad` or `tensor.generate`, decoded once and run for each
//! iteration. Every scalar of the body has a numbered slot, and every array that it uses has a number.

use super::affine_op::AffineOp;
use super::memory::{OpArrays, OperandArrays};
use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::{self, Datum};
use crate::ir::{Block, Error, Op, Value};
use std::collections::HashMap;

/// A decoded body.
pub struct DecodedBody<'c> {
    /// The initial values of the slots: scalars from outside have their values.
    slots: Vec<Scalar>,
    arguments: Vec<usize>,
    steps: Vec<BodyOp<'c>>,
    yields: Vec<usize>,
}

/// One op of a body.
struct BodyOp<'c> {
    op: Op<'c>,
    action: BodyAction<'c>,
    operands: Vec<usize>,
    results: Vec<usize>,
}

enum BodyAction<'c> {
    Scalar(ScalarOp),
    Affine(AffineOp),
    /// `linalg.index` of this loop.
    LoopIndex(usize),
    /// `tensor.extract` or `memref.load` from this array.
    Load(usize),
    /// `tensor.dim` or `memref.dim` of this array.
    Dim(usize),
    Assert(String),
    /// `scf.if`: the branch for true, then the one for false.
    If(Box<[BodyBranch<'c>; 2]>),
}

/// The steps of a nested region, and the slots it yields.
#[derive(Default)]
struct BodyBranch<'c> {
    steps: Vec<BodyOp<'c>>,
    yields: Vec<usize>,
}

/// The state that a running body reads and changes.
pub struct BodyFrame<'a> {
    pub slots: Vec<Scalar>,
    /// The current loop values, for `linalg.index`.
    pub loops: Vec<i64>,
    pub memory: OpArrays<'a>,
    operands: Vec<Scalar>,
    indices: Vec<i64>,
}

impl<'a> BodyFrame<'a> {
    pub fn new(body: &DecodedBody, loops: usize, memory: OpArrays<'a>) -> BodyFrame<'a> {
        let slots = body.slots.clone();
        BodyFrame { slots, loops: vec![0; loops], memory, operands: vec![], indices: vec![] }
    }
}

impl<'c> DecodedBody<'c> {
    /// Decodes `block`, a body of `op`, and adds the arrays that it uses to `arrays`.
    pub fn decode(
        op: Op<'c>,
        block: Block<'c>,
        env: &Env<'c>,
        arrays: &mut OperandArrays,
    ) -> Result<DecodedBody<'c>, Error<'c>> {
        let (slots, places) = (vec![], HashMap::new());
        let mut decoder = BodyDecoder { env, arrays, slots, places, depth: 0 };
        let arguments =
            block.arguments().into_iter().map(|value| decoder.new_slot(value)).collect();
        let BodyBranch { steps, yields } = decoder.branch(op, block)?;
        Ok(DecodedBody { slots: decoder.slots, arguments, steps, yields })
    }

    /// The slots of the block's arguments.
    pub fn arguments(&self) -> &[usize] {
        &self.arguments
    }

    /// The slots of the values that the body yields.
    pub fn yields(&self) -> &[usize] {
        &self.yields
    }

    /// Runs the body once. The slots of its arguments must be set.
    pub fn run(&self, frame: &mut BodyFrame) -> Result<(), Error<'c>> {
        run(&self.steps, frame)
    }
}

fn run<'c>(steps: &[BodyOp<'c>], frame: &mut BodyFrame) -> Result<(), Error<'c>> {
    for step in steps {
        let value = match &step.action {
            BodyAction::If(branches) => {
                let condition = frame.slots[step.operands[0]];
                let branch = match condition {
                    Scalar::Int(0) => &branches[1],
                    Scalar::Int(_) => &branches[0],
                    _ => return Err(Error::on(step.op, "has an undefined condition")),
                };
                run(&branch.steps, frame)?;
                for (result, from) in step.results.iter().zip(&branch.yields) {
                    frame.slots[*result] = frame.slots[*from];
                }
                continue;
            }
            _ => evaluate(step, frame).map_err(|message| Error::on(step.op, message))?,
        };
        if let Some(result) = step.results.first() {
            frame.slots[*result] = value;
        }
    }
    Ok(())
}

fn evaluate(step: &BodyOp, frame: &mut BodyFrame) -> Result<Scalar, String> {
    match &step.action {
        BodyAction::Scalar(op) => {
            frame.operands.clear();
            frame.operands.extend(step.operands.iter().map(|slot| frame.slots[*slot]));
            op.apply(&frame.operands)
        }
        BodyAction::Affine(op) => {
            gather(step, frame)?;
            op.apply(&frame.indices).map(Scalar::Int)
        }
        BodyAction::LoopIndex(i) => match frame.loops.get(*i) {
            Some(value) => Ok(Scalar::Int(*value)),
            None => Err(format!("reads the index of loop {i} of {}", frame.loops.len())),
        },
        BodyAction::Load(array) => {
            gather(step, frame)?;
            let offset = frame.memory.offset(*array, &frame.indices)?;
            frame.memory.read(*array, offset)
        }
        BodyAction::Dim(array) => {
            gather(step, frame)?;
            dimension(frame.memory.shape(*array), frame.indices[0]).map(Scalar::Int)
        }
        BodyAction::Assert(message) => {
            assertion(frame.slots[step.operands[0]], message)?;
            Ok(Scalar::Undefined)
        }
        BodyAction::If(_) => Err("cannot be evaluated as a scalar".into()),
    }
}

/// Fills `frame.indices` with the operands of a step.
fn gather(step: &BodyOp, frame: &mut BodyFrame) -> Result<(), String> {
    frame.indices.clear();
    for slot in &step.operands {
        match frame.slots[*slot] {
            Scalar::Int(value) => frame.indices.push(value),
            _ => return Err("uses an undefined value as an index".into()),
        }
    }
    Ok(())
}

/// Size `i` of a shape.
pub fn dimension(shape: &[usize], i: i64) -> Result<i64, String> {
    let size = usize::try_from(i).ok().and_then(|i| shape.get(i));
    size.map(|size| *size as i64)
        .ok_or_else(|| format!("reads dimension {i} of an array of rank {}", shape.len()))
}

/// True if the op ends a body.
fn is_yield(op: Op) -> bool {
    matches!(op.name(), "linalg.yield" | "tensor.yield" | "scf.yield" | "tm_tensor.yield")
}

/// Implements `cf.assert`.
pub fn assertion(condition: Scalar, message: &str) -> Result<(), String> {
    match condition {
        Scalar::Int(0) => Err(format!("failed: {message}")),
        Scalar::Int(_) => Ok(()),
        _ => Err("has an undefined condition".into()),
    }
}

struct BodyDecoder<'e, 'c> {
    env: &'e Env<'c>,
    arrays: &'e mut OperandArrays,
    slots: Vec<Scalar>,
    places: HashMap<Value<'c>, usize>,
    depth: usize,
}

/// More deeply nested branches are refused, because the stack would overflow.
const MAX_DEPTH: usize = 100;

impl<'c> BodyDecoder<'_, 'c> {
    fn new_slot(&mut self, value: Value<'c>) -> usize {
        let slot = self.slots.len();
        self.slots.push(Scalar::Undefined);
        self.places.insert(value, slot);
        slot
    }

    /// The slot of a scalar, defined inside or outside of the body.
    fn slot(&mut self, op: Op<'c>, value: Value<'c>) -> Result<usize, Error<'c>> {
        if let Some(slot) = self.places.get(&value) {
            return Ok(*slot);
        }
        let scalar = self.env.scalar(op, value)?;
        let slot = self.new_slot(value);
        self.slots[slot] = scalar;
        Ok(slot)
    }

    fn branch(&mut self, parent: Op<'c>, block: Block<'c>) -> Result<BodyBranch<'c>, Error<'c>> {
        let mut ops = block.ops();
        let terminator = match ops.pop() {
            Some(op) if is_yield(op) => op,
            _ => return Err(Error::on(parent, "has a body that does not end with a yield")),
        };
        let mut steps = vec![];
        for op in ops {
            match op.is("tensor.cast") {
                true => drop(value::check_type(op, op.result(0).ty(), &self.shape(op)?)?),
                false => steps.extend(self.steps(op)?),
            }
        }
        let yields = terminator.operands().into_iter().map(|value| self.slot(terminator, value));
        Ok(BodyBranch { steps, yields: yields.collect::<Result<_, _>>()? })
    }

    /// A step for each result of a scalar op, and one for another op.
    fn steps(&mut self, op: Op<'c>) -> Result<Vec<BodyOp<'c>>, Error<'c>> {
        let mut operands = op.operands();
        let mut scalar_ops = vec![];
        let action = match op.name() {
            "linalg.index" => {
                let i = op.attribute("dim").and_then(|dim| dim.as_i64()).unwrap_or(-1);
                let i = usize::try_from(i);
                BodyAction::LoopIndex(i.map_err(|_| Error::on(op, "has no dimension"))?)
            }
            "tensor.extract" | "memref.load" => BodyAction::Load(self.array(op, &mut operands)?),
            "tensor.dim" | "memref.dim" => BodyAction::Dim(self.array(op, &mut operands)?),
            "cf.assert" => {
                let message = op.attribute("msg").and_then(|text| text.as_str());
                BodyAction::Assert(message.unwrap_or_default().to_owned())
            }
            "scf.if" => BodyAction::If(Box::new(self.branches(op)?)),
            _ => match AffineOp::of(op) {
                Some(affine) => BodyAction::Affine(affine),
                None => {
                    scalar_ops = ScalarOp::each(op)?.ok_or_else(|| unknown(op))?;
                    BodyAction::Scalar(scalar_ops.pop().ok_or_else(|| unknown(op))?)
                }
            },
        };
        let operands = operands.into_iter().map(|value| self.slot(op, value));
        let operands: Vec<usize> = operands.collect::<Result<_, _>>()?;
        let mut results: Vec<usize> =
            op.results().into_iter().map(|value| self.new_slot(value)).collect();
        let mut steps = vec![];
        for (scalar_op, result) in scalar_ops.into_iter().zip(results.clone()) {
            let (action, operands) = (BodyAction::Scalar(scalar_op), operands.clone());
            steps.push(BodyOp { op, action, operands, results: vec![result] });
        }
        results.drain(..steps.len());
        steps.push(BodyOp { op, action, operands, results });
        Ok(steps)
    }

    /// Removes the first operand, which is an array from outside, and returns its number.
    fn array(&mut self, op: Op<'c>, operands: &mut Vec<Value<'c>>) -> Result<usize, Error<'c>> {
        match self.env.get(op, self.uncast(op, operands.remove(0)))? {
            Datum::Scalar(_) => Err(Error::on(op, "uses a scalar where an array is expected")),
            array => Ok(self.arrays.number(array)),
        }
    }

    /// The tensor from outside that a value is, through casts in the body.
    fn uncast(&self, op: Op<'c>, value: Value<'c>) -> Value<'c> {
        match value.defining_op().filter(|cast| cast.is("tensor.cast")) {
            Some(cast) if self.env.get(op, value).is_err() => self.uncast(op, cast.operand(0)),
            _ => value,
        }
    }

    /// The shape of the first operand, a tensor from outside.
    fn shape(&self, op: Op<'c>) -> Result<Vec<usize>, Error<'c>> {
        let source = self.env.tensor(op, self.uncast(op, op.operand(0)))?;
        Ok(source.shape.clone())
    }

    fn branches(&mut self, op: Op<'c>) -> Result<[BodyBranch<'c>; 2], Error<'c>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::on(op, format!("nests branches deeper than {MAX_DEPTH} levels")));
        }
        let mut branch = |i| match op.body(i) {
            Some(block) => self.branch(op, block),
            None => Ok(BodyBranch::default()),
        };
        let branches = [branch(0)?, branch(1)?];
        self.depth -= 1;
        Ok(branches)
    }
}

/// The error for an op that the interpreter does not support.
pub fn unknown(op: Op) -> Error {
    Error::beyond(op, "is not supported by the interpreter")
}
