//! The body of a structured op, `tensor.pad` or `tensor.generate`, decoded once and run for each
//! iteration. Every scalar of the body has a numbered slot, and every array that it uses has a number.

use super::affine_op::AffineOp;
use super::memory::{OpArrays, OperandArrays};
use crate::interpreter::env::Env;
use crate::interpreter::meter;
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
    If(Box<[BodyRegion<'c>; 2]>),
    /// `scf.for`.
    For(Box<BodyRegion<'c>>),
    /// `scf.while`: the region that decides, then the one that is repeated.
    While(Box<[BodyRegion<'c>; 2]>),
}

/// A region: the slots of its arguments, its steps, and the slots that its terminator passes on.
#[derive(Default)]
struct BodyRegion<'c> {
    arguments: Vec<usize>,
    steps: Vec<BodyOp<'c>>,
    yields: Vec<usize>,
}

/// The state that a running body reads and changes.
pub struct BodyFrame<'a> {
    pub slots: Vec<Scalar>,
    /// The current loop values, for `linalg.index`.
    pub loops: Vec<i64>,
    pub memory: OpArrays<'a>,
    /// The number of iterations left for loops in the body.
    pub iterations_left: u64,
    operands: Vec<Scalar>,
    indices: Vec<i64>,
}

impl<'a> BodyFrame<'a> {
    pub fn new(body: &DecodedBody, loops: usize, memory: OpArrays<'a>) -> BodyFrame<'a> {
        let slots = body.slots.clone();
        let (operands, indices) = (vec![], vec![]);
        let loops = vec![0; loops];
        BodyFrame { slots, loops, memory, iterations_left: u64::MAX, operands, indices }
    }

    /// Copies values between slots. A slot may be source and target.
    fn pass(&mut self, from: &[usize], to: &[usize]) {
        let values: Vec<Scalar> = from.iter().map(|slot| self.slots[*slot]).collect();
        to.iter().zip(values).for_each(|(slot, value)| self.slots[*slot] = value);
    }

    /// Counts an iteration of a loop in the body.
    fn count<'c>(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        meter::spend(op, meter::POINT)?;
        let left = self.iterations_left.checked_sub(1);
        self.iterations_left =
            left.ok_or_else(|| Error::on(op, "runs more iterations than the limit allows"))?;
        Ok(())
    }

    /// The value of a condition.
    fn holds<'c>(&self, op: Op<'c>, slot: usize) -> Result<bool, Error<'c>> {
        match self.slots[slot] {
            Scalar::Int(value) => Ok(value != 0),
            _ => Err(Error::on(op, "has an undefined condition")),
        }
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
        let BodyRegion { arguments, steps, yields } = decoder.region(op, block)?;
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
                let taken = usize::from(!frame.holds(step.op, step.operands[0])?);
                run(&branches[taken].steps, frame)?;
                frame.pass(&branches[taken].yields, &step.results);
                continue;
            }
            BodyAction::For(body) => {
                count(step, body, frame)?;
                continue;
            }
            BodyAction::While(regions) => {
                repeat(step, regions, frame)?;
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

/// Runs an `scf.for`.
fn count<'c>(
    step: &BodyOp<'c>,
    body: &BodyRegion<'c>,
    frame: &mut BodyFrame,
) -> Result<(), Error<'c>> {
    let ([variable, arguments @ ..], [from, to, by, carried @ ..]) =
        (&body.arguments[..], &step.operands[..])
    else {
        return Err(Error::on(step.op, "does not have a variable and three bounds"));
    };
    let bound = |slot: &usize| match frame.slots[*slot] {
        Scalar::Int(value) => Ok(value),
        _ => Err(Error::on(step.op, "has an undefined bound")),
    };
    let (mut now, to, by) = (bound(from)?, bound(to)?, bound(by)?);
    if by <= 0 {
        return Err(Error::on(step.op, format!("has step {by}, expected a positive step")));
    }
    frame.pass(carried, arguments);
    while now < to {
        frame.count(step.op)?;
        frame.slots[*variable] = Scalar::Int(now);
        run(&body.steps, frame)?;
        frame.pass(&body.yields, arguments);
        now = now.saturating_add(by);
    }
    frame.pass(arguments, &step.results);
    Ok(())
}

/// Runs an `scf.while`.
fn repeat<'c>(
    step: &BodyOp<'c>,
    [before, after]: &[BodyRegion<'c>; 2],
    frame: &mut BodyFrame,
) -> Result<(), Error<'c>> {
    let Some((condition, forwarded)) = before.yields.split_first() else {
        return Err(Error::on(step.op, "has no condition"));
    };
    frame.pass(&step.operands, &before.arguments);
    loop {
        frame.count(step.op)?;
        run(&before.steps, frame)?;
        if !frame.holds(step.op, *condition)? {
            frame.pass(forwarded, &step.results);
            return Ok(());
        }
        frame.pass(forwarded, &after.arguments);
        run(&after.steps, frame)?;
        frame.pass(&after.yields, &before.arguments);
    }
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
        BodyAction::If(_) | BodyAction::For(_) | BodyAction::While(_) => {
            Err("cannot be evaluated as a scalar".into())
        }
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
    let ends = ["linalg.yield", "tensor.yield", "scf.yield", "scf.condition", "tm_tensor.yield"];
    ends.contains(&op.name())
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

/// More deeply nested branches and loops are refused, because the stack would overflow.
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

    fn region(&mut self, parent: Op<'c>, block: Block<'c>) -> Result<BodyRegion<'c>, Error<'c>> {
        let arguments = block.arguments().into_iter().map(|value| self.new_slot(value)).collect();
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
        Ok(BodyRegion { arguments, steps, yields: yields.collect::<Result<_, _>>()? })
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
            "scf.if" => BodyAction::If(Box::new(self.regions(op)?)),
            "scf.while" => BodyAction::While(Box::new(self.regions(op)?)),
            "scf.for" if op.attribute("unsignedCmp").is_some() => {
                let message = "compares unsigned, which the interpreter does not support";
                return Err(Error::beyond(op, message));
            }
            "scf.for" => {
                let [body, _] = self.regions(op)?;
                BodyAction::For(Box::new(body))
            }
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

    /// The regions of a branch or loop; one that it lacks is empty.
    fn regions(&mut self, op: Op<'c>) -> Result<[BodyRegion<'c>; 2], Error<'c>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("nests branches and loops deeper than {MAX_DEPTH} levels");
            return Err(Error::on(op, message));
        }
        let mut region = |i| match op.body(i) {
            Some(block) => self.region(op, block),
            None => Ok(BodyRegion::default()),
        };
        let regions = [region(0)?, region(1)?];
        self.depth -= 1;
        Ok(regions)
    }
}

/// The error for an op that the interpreter does not support.
pub fn unknown(op: Op) -> Error {
    Error::beyond(op, "is not supported by the interpreter")
}
