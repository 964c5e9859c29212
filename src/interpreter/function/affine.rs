//! `affine.for`, `affine.if`, `affine.load` and `affine.store` of a function.

use super::RunningModule;
use crate::interpreter::env::Env;
use crate::interpreter::tensor::BufferOp;
use crate::interpreter::value::Datum;
use crate::ir::affine::{Constraint, Map};
use crate::ir::{Error, Op, Value};

impl<'c> RunningModule<'c> {
    /// Runs an op of the affine dialect that is decoded each time it runs; `None` for an unsupported op.
    pub(super) fn affine(
        &mut self,
        op: Op<'c>,
        env: &mut Env<'c>,
    ) -> Result<Option<Vec<Datum>>, Error<'c>> {
        let operands = op.operands();
        match op.name() {
            "affine.for" => self.affine_for(op, env).map(Some),
            "affine.if" => {
                let holds = holds(op, env, &operands)?;
                self.region(op, usize::from(!holds), env).map(Some)
            }
            "affine.load" => {
                let [buffer, at @ ..] = &operands[..] else { return Ok(None) };
                let indices = evaluated(op, "map", env, at)?;
                Ok(Some(vec![BufferOp::load(op, *buffer, &indices, env)?]))
            }
            "affine.store" => {
                let [value, buffer, at @ ..] = &operands[..] else { return Ok(None) };
                let indices = evaluated(op, "map", env, at)?;
                BufferOp::store(op, *value, *buffer, &indices, env)?;
                Ok(Some(vec![]))
            }
            _ => Ok(None),
        }
    }

    fn affine_for(&mut self, op: Op<'c>, env: &mut Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
        let missing = || Error::on(op, "does not have a body, two bounds and a step");
        let body = op.body(0).ok_or_else(missing)?;
        let step = op.attribute("step").and_then(|step| step.as_i64()).ok_or_else(missing)?;
        let count = |name| map(op, name).map(|map| map.dims + map.symbols);
        let operands = op.operands();
        let (lower, rest) = operands.split_at(count("lowerBoundMap")?.min(operands.len()));
        let (upper, carried) = rest.split_at(count("upperBoundMap")?.min(rest.len()));
        let from = evaluated(op, "lowerBoundMap", env, lower)?.into_iter().max();
        let to = evaluated(op, "upperBoundMap", env, upper)?.into_iter().min();
        let (from, to) = (from.ok_or_else(missing)?, to.ok_or_else(missing)?);
        if step < 1 {
            return Err(Error::on(op, format!("has step {step}, expected a positive step")));
        }
        let carried = carried.iter().map(|value| env.get(op, *value).cloned());
        let carried = carried.collect::<Result<Vec<_>, _>>()?;
        self.iterate(op, body, [from, to, step], carried, env)
    }
}

fn map<'c>(op: Op<'c>, name: &str) -> Result<Map, Error<'c>> {
    let map = op.attribute(name).and_then(|map| map.as_map());
    map.ok_or_else(|| Error::on(op, format!("has no map '{name}'")))
}

/// The results of a map of `op` for these operands: dims, then symbols.
fn evaluated<'c>(
    op: Op<'c>,
    name: &str,
    env: &Env<'c>,
    operands: &[Value<'c>],
) -> Result<Vec<i64>, Error<'c>> {
    let map = map(op, name)?;
    let operands = env.indices(op, operands)?;
    let (dims, symbols) = operands.split_at(map.dims.min(operands.len()));
    map.evaluate(dims, symbols).ok_or_else(|| {
        let message = format!("overflows, or divides by 0 or less, for the operands {operands:?}");
        Error::on(op, message)
    })
}

/// True if the condition of an `affine.if` holds.
fn holds<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<bool, Error<'c>> {
    let set = op.attribute("condition").and_then(|set| set.as_set());
    let set = set.ok_or_else(|| Error::on(op, "has no condition"))?;
    let operands = env.indices(op, operands)?;
    let (dims, symbols) = operands.split_at(set.dims.min(operands.len()));
    for constraint in &set.constraints {
        let value = constraint.expr().evaluate(dims, symbols).ok_or_else(|| {
            Error::on(op, format!("overflows, or divides by 0 or less, for {operands:?}"))
        })?;
        let holds = match constraint {
            Constraint::Zero(_) => value == 0,
            Constraint::NonNegative(_) => value >= 0,
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}
