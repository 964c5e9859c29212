//! The values of a running function.

use super::race::{Races, Use};
use super::scalar::{Scalar, ScalarType};
use super::value::{Array, Datum};
use crate::ir::{Error, Op, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// The values of one call of a function, by SSA value.
pub struct Env<'c> {
    values: HashMap<Value<'c>, Datum, BuildHasherDefault<HandleHasher>>,
    /// The unordered loops that the call runs in.
    races: Rc<RefCell<Races>>,
}

/// Hashes a handle by its pointer: each look-up of a value hashes one handle.
#[derive(Default)]
struct HandleHasher(u64);

impl Hasher for HandleHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize((*byte).into()));
    }

    fn write_usize(&mut self, pointer: usize) {
        let mixed = (self.0 ^ pointer as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl<'c> Env<'c> {
    pub(super) fn new(races: Rc<RefCell<Races>>) -> Self {
        Env { values: HashMap::default(), races }
    }

    /// Records that `op` accesses these elements of `buffer`, which is `array`.
    pub(super) fn note_use(
        &self,
        op: Op<'c>,
        buffer: &Rc<RefCell<Array>>,
        array: &Array,
        places: impl Iterator<Item = usize> + Clone,
        how: Use,
    ) -> Result<(), Error<'c>> {
        let mut races = self.races.borrow_mut();
        if let Some(banks) = &mut races.banks {
            banks.note(op, array, places.clone());
        }
        races.note(buffer, array, places, how).map_err(|message| Error::on(op, message))
    }

    /// The view of the bytes of `base` from `offset` on.
    pub(super) fn view(
        &self,
        base: &Rc<RefCell<Array>>,
        offset: usize,
        like: (ScalarType, Vec<usize>),
    ) -> Result<Rc<RefCell<Array>>, String> {
        self.races.borrow_mut().views.of(base, offset, like)
    }

    /// Sets the value that an SSA value has from now on.
    pub fn set(&mut self, value: Value<'c>, datum: Datum) {
        self.values.insert(value, datum);
    }

    /// The value of an operand of `op`.
    pub fn get(&self, op: Op<'c>, value: Value<'c>) -> Result<&Datum, Error<'c>> {
        self.values
            .get(&value)
            .ok_or_else(|| Error::on(op, "uses a value that the interpreter has not computed"))
    }

    /// The value of a scalar operand of `op`.
    pub fn scalar(&self, op: Op<'c>, value: Value<'c>) -> Result<Scalar, Error<'c>> {
        match self.get(op, value)? {
            Datum::Scalar(scalar) => Ok(*scalar),
            _ => Err(Error::on(op, "uses a tensor or buffer where a scalar is expected")),
        }
    }

    /// The value of an index or integer operand.
    pub fn index(&self, op: Op<'c>, value: Value<'c>) -> Result<i64, Error<'c>> {
        match self.scalar(op, value)? {
            Scalar::Int(value) => Ok(value),
            Scalar::Undefined => Err(Error::on(op, "uses an undefined value as an index")),
            Scalar::Float(_) => Err(Error::on(op, "uses a float where an integer is expected")),
        }
    }

    /// The values of index or integer operands of `op`.
    pub fn indices(&self, op: Op<'c>, values: &[Value<'c>]) -> Result<Vec<i64>, Error<'c>> {
        values.iter().map(|value| self.index(op, *value)).collect()
    }

    /// The value of a tensor operand of `op`.
    pub fn tensor(&self, op: Op<'c>, value: Value<'c>) -> Result<Rc<Array>, Error<'c>> {
        match self.get(op, value)? {
            Datum::Tensor(array) => Ok(array.clone()),
            _ => Err(Error::on(op, "uses a scalar or buffer where a tensor is expected")),
        }
    }

    /// The value of a memref operand of `op`.
    pub fn buffer(&self, op: Op<'c>, value: Value<'c>) -> Result<Rc<RefCell<Array>>, Error<'c>> {
        match self.get(op, value)? {
            Datum::Buffer(array) => Ok(array.clone()),
            _ => Err(Error::on(op, "uses a scalar or tensor where a buffer is expected")),
        }
    }
}
