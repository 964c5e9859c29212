//! What the interpreter computes with: arrays of scalars, and the values of a running function.

use super::scalar::{Scalar, ScalarType};
use crate::ir::{Error, Op, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A dense array, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub ty: ScalarType,
    pub shape: Vec<usize>,
    pub cells: Vec<Scalar>,
}

/// A value of a running function.
#[derive(Clone, Debug)]
pub enum Datum {
    Scalar(Scalar),
    /// A tensor, which never changes.
    Tensor(Rc<Array>),
    /// A memref: everybody who has it sees the changes.
    Buffer(Rc<RefCell<Array>>),
}

/// The values of one call of a function, by SSA value.
#[derive(Default)]
pub struct Env<'c> {
    values: HashMap<Value<'c>, Datum>,
}

impl Array {
    /// An array of undefined cells. `None` if that many cells cannot be.
    pub fn undefined(ty: ScalarType, shape: Vec<usize>) -> Option<Array> {
        let n = shape.iter().try_fold(1usize, |n, d| n.checked_mul(*d))?;
        (n <= MAX_CELLS).then(|| Array { ty, shape, cells: vec![Scalar::Undefined; n] })
    }

    /// The place of a cell, or `None` if an index is out of bounds.
    pub fn offset(&self, indices: &[i64]) -> Option<usize> {
        let mut offset = 0;
        for (index, size) in indices.iter().zip(&self.shape) {
            let index = usize::try_from(*index).ok().filter(|i| i < size)?;
            offset = offset * size + index;
        }
        (indices.len() == self.shape.len()).then_some(offset)
    }
}

/// More cells than this are refused: it is an interpreter, and an absurd size is a mistake.
const MAX_CELLS: usize = 1 << 28;

impl<'c> Env<'c> {
    pub fn set(&mut self, value: Value<'c>, datum: Datum) {
        self.values.insert(value, datum);
    }

    /// The datum of an operand of `op`.
    pub fn get(&self, op: Op<'c>, value: Value<'c>) -> Result<&Datum, Error<'c>> {
        self.values
            .get(&value)
            .ok_or_else(|| Error::on(op, "uses a value that the interpreter has not computed"))
    }

    pub fn scalar(&self, op: Op<'c>, value: Value<'c>) -> Result<Scalar, Error<'c>> {
        match self.get(op, value)? {
            Datum::Scalar(scalar) => Ok(*scalar),
            _ => Err(Error::on(op, "uses a tensor or buffer where a scalar is expected")),
        }
    }

    pub fn tensor(&self, op: Op<'c>, value: Value<'c>) -> Result<Rc<Array>, Error<'c>> {
        match self.get(op, value)? {
            Datum::Tensor(array) => Ok(array.clone()),
            _ => Err(Error::on(op, "uses a scalar or buffer where a tensor is expected")),
        }
    }

    pub fn buffer(&self, op: Op<'c>, value: Value<'c>) -> Result<Rc<RefCell<Array>>, Error<'c>> {
        match self.get(op, value)? {
            Datum::Buffer(array) => Ok(array.clone()),
            _ => Err(Error::on(op, "uses a scalar or tensor where a buffer is expected")),
        }
    }
}
