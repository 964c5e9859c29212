//! Decoded blocks of functions: decoded once and run many times. The action of an op is decoded when the op first
//! runs, so an unsupported op that never runs is no error.

use crate::interpreter::env::Env;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::structured::AffineOp;
use crate::interpreter::tensor::{BufferOp, Elementwise};
use crate::interpreter::value::{Array, Datum, array_type};
use crate::interpreter::vector::VectorOp;
use crate::ir::{Block, Error, Op, TypeKind, Value};
use std::cell::OnceCell;

/// A decoded block.
pub struct DecodedBlock<'c> {
    pub arguments: Vec<Value<'c>>,
    pub list: Vec<DecodedOp<'c>>,
    end: Op<'c>,
    yields: Vec<Value<'c>>,
}

/// A decoded op of a block.
pub struct DecodedOp<'c> {
    pub op: Op<'c>,
    operands: Vec<Value<'c>>,
    results: Vec<Value<'c>>,
    action: OnceCell<OpAction<'c>>,
}

/// The action of an op.
pub enum OpAction<'c> {
    Poison(Datum),
    Elementwise(Vec<Elementwise<'c>>),
    Affine(AffineOp),
    Buffer(BufferOp),
    Vector(VectorOp),
    /// Not decoded: the function dispatches on the op's name.
    Other,
}

impl<'c> DecodedBlock<'c> {
    /// The steps of a block of `parent`.
    pub fn of(parent: Op<'c>, block: Block<'c>) -> Result<Self, Error<'c>> {
        let mut ops = block.ops();
        let ends = [
            "func.return",
            "gpu.return",
            "graph.yield",
            "scf.yield",
            "scf.condition",
            "scf.reduce",
            "affine.yield",
        ];
        let end = ops.pop().filter(|op| ends.contains(&op.name()));
        let end =
            end.ok_or_else(|| Error::beyond(parent, "has a block that does not end with a yield"))?;
        let step = |op: Op<'c>| DecodedOp {
            op,
            operands: op.operands(),
            results: op.results(),
            action: OnceCell::new(),
        };
        Ok(DecodedBlock {
            arguments: block.arguments(),
            list: ops.into_iter().map(step).collect(),
            end,
            yields: end.operands(),
        })
    }

    /// The operands of the terminator.
    pub fn yielded(&self, env: &Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
        self.yields.iter().map(|value| env.get(self.end, *value).cloned()).collect()
    }
}

impl<'c> DecodedOp<'c> {
    pub fn action(&self) -> Result<&OpAction<'c>, Error<'c>> {
        match self.action.get() {
            Some(action) => Ok(action),
            None => {
                let action = OpAction::of(self.op)?;
                Ok(self.action.get_or_init(|| action))
            }
        }
    }

    /// Assigns values to the results.
    pub fn set(&self, results: impl IntoIterator<Item = Datum>, env: &mut Env<'c>) {
        for (value, datum) in self.results.iter().zip(results) {
            env.set(*value, datum);
        }
    }
}

impl<'c> OpAction<'c> {
    fn of(op: Op<'c>) -> Result<Self, Error<'c>> {
        let (dialect, _) = op.name().split_once('.').unwrap_or_default();
        let action = match (dialect, op.name()) {
            (_, "ub.poison") => Some(OpAction::Poison(poison(op)?)),
            ("arith" | "math", _) | (_, "vector.fma" | "tensor.bitcast") => {
                Elementwise::each(op)?.map(OpAction::Elementwise)
            }
            ("affine", _) => AffineOp::of(op).map(OpAction::Affine),
            ("memref", name) => BufferOp::named(name).map(OpAction::Buffer),
            ("vector" | "amx", _) | (_, "llvm.call_intrinsic") => {
                VectorOp::of(op)?.map(OpAction::Vector)
            }
            _ => None,
        };
        Ok(action.unwrap_or(OpAction::Other))
    }

    /// Runs the op of `step`, which has this action; does nothing for `Other`.
    pub fn run(&self, step: &DecodedOp<'c>, env: &mut Env<'c>) -> Result<(), Error<'c>> {
        let (op, operands) = (step.op, &step.operands[..]);
        let result = match self {
            OpAction::Poison(datum) => Some(datum.clone()),
            OpAction::Elementwise(actions) => {
                for (action, result) in actions.iter().zip(&step.results) {
                    let datum = action.run(op, operands, env)?;
                    env.set(*result, datum);
                }
                return Ok(());
            }
            OpAction::Affine(action) => {
                let operands = env.indices(op, operands)?;
                let value = action.apply(&operands).map_err(|message| Error::on(op, message))?;
                Some(Datum::Scalar(Scalar::Int(value)))
            }
            OpAction::Buffer(action) => action.run(op, operands, env)?,
            OpAction::Vector(action) => action.run(op, operands, env)?,
            OpAction::Other => None,
        };
        step.set(result, env);
        Ok(())
    }
}

/// The result of `ub.poison`, whose elements are all undefined.
fn poison(op: Op) -> Result<Datum, Error> {
    let ty = op.result(0).ty();
    if ScalarType::of(ty).is_some() {
        return Ok(Datum::Scalar(Scalar::Undefined));
    }
    let (dims, _) = array_type(op, ty)?;
    let shape: Option<Vec<usize>> = dims.iter().map(|dim| usize::try_from((*dim)?).ok()).collect();
    match (shape, ty.kind()) {
        (Some(shape), TypeKind::Tensor { .. } | TypeKind::Other) => {
            Ok(Datum::tensor(Array::for_type(op, ty, shape)?))
        }
        _ => {
            Err(Error::beyond(op, format!("has type {ty}, for which there is no undefined value")))
        }
    }
}
