//! The arrays that a structured op accesses, and the uses of each element.
//!
//! Nothing orders the parallel iterations: two of them must not access the same element if one of them writes
//! it.

use super::space::LoopRanges;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::uses::{Conflict, Uses};
use crate::interpreter::value::{Array, Datum};
use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;

/// The distinct arrays that an op uses, numbered.
#[derive(Default)]
pub struct OperandArrays {
    known: Vec<Datum>,
    named: Vec<usize>,
}

impl OperandArrays {
    /// The number of an array; counts one more use of it.
    pub fn number(&mut self, datum: &Datum) -> usize {
        let is_same = |known: &Datum| match (known, datum) {
            (Datum::Tensor(a), Datum::Tensor(b)) => Rc::ptr_eq(a, b),
            (Datum::Buffer(a), Datum::Buffer(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        let number = self.known.iter().position(is_same).unwrap_or_else(|| {
            self.known.push(datum.clone());
            self.named.push(0);
            self.known.len() - 1
        });
        self.named[number] += 1;
        number
    }

    /// How many times an array is used as an operand.
    pub fn times_named(&self, number: usize) -> usize {
        self.named[number]
    }
}

/// The arrays of a running op.
pub struct OpArrays<'a> {
    cells: Vec<ArrayElements<'a>>,
    /// For each array with possible conflicts, the uses of each element.
    uses: Vec<Option<Vec<Uses>>>,
    space: LoopRanges,
    /// The number of the running parallel iteration.
    pub iteration: u32,
}

enum ArrayElements<'a> {
    Tensor(&'a Array),
    Shared(Ref<'a, Array>),
    Written(RefMut<'a, Array>),
}

impl<'a> OpArrays<'a> {
    /// `written` lists the numbers of the arrays that the op writes, `tracked` those of the arrays that are checked for
    /// conflicts.
    pub fn new(
        arrays: &'a OperandArrays,
        space: LoopRanges,
        written: &[usize],
        tracked: &[usize],
    ) -> Result<OpArrays<'a>, String> {
        let mut memory = OpArrays { cells: vec![], uses: vec![], space, iteration: 0 };
        for (number, datum) in arrays.known.iter().enumerate() {
            let cells = match datum {
                Datum::Scalar(_) => return Err("uses a scalar as an array".into()),
                Datum::Tensor(array) => ArrayElements::Tensor(array),
                Datum::Buffer(buffer) => open(buffer, written.contains(&number))?,
            };
            let n = cells.array().cells.len();
            memory.uses.push(tracked.contains(&number).then(|| vec![Uses::NONE; n]));
            memory.cells.push(cells);
        }
        Ok(memory)
    }

    pub fn shape(&self, array: usize) -> &[usize] {
        &self.cells[array].array().shape
    }

    /// The row-major offset of an element; an error if an index is out of bounds.
    pub fn offset(&self, array: usize, indices: &[i64]) -> Result<usize, String> {
        self.cells[array].array().checked_offset(indices)
    }

    pub fn read(&mut self, array: usize, offset: usize) -> Result<Scalar, String> {
        if let Some(uses) = &mut self.uses[array] {
            let used = uses[offset].read(self.iteration);
            used.map_err(|conflict| self.describe(array, offset, &conflict))?;
        }
        Ok(self.cells[array].array().cells[offset])
    }

    pub fn write(&mut self, array: usize, offset: usize, value: Scalar) -> Result<(), String> {
        if let Some(uses) = &mut self.uses[array] {
            let used = uses[offset].write(self.iteration);
            used.map_err(|conflict| self.describe(array, offset, &conflict))?;
        }
        match &mut self.cells[array] {
            ArrayElements::Written(cells) => cells.cells[offset] = value,
            _ => return Err("writes an array that it only reads".into()),
        }
        Ok(())
    }

    fn describe(&self, array: usize, offset: usize, conflict: &Conflict) -> String {
        let indices = self.cells[array].array().indices_of(offset);
        format!(
            "cell {indices:?} is {} by parallel iteration {} and {} by {}, which are unordered",
            conflict.how[0],
            self.space.describe(self.iteration),
            conflict.how[1],
            self.space.describe(conflict.other)
        )
    }
}

fn open(buffer: &RefCell<Array>, is_written: bool) -> Result<ArrayElements<'_>, String> {
    let cells = match is_written {
        true => buffer.try_borrow_mut().ok().map(ArrayElements::Written),
        false => buffer.try_borrow().ok().map(ArrayElements::Shared),
    };
    cells.ok_or_else(|| "uses a buffer that another op is using".into())
}

impl ArrayElements<'_> {
    fn array(&self) -> &Array {
        match self {
            ArrayElements::Tensor(array) => array,
            ArrayElements::Shared(array) => array,
            ArrayElements::Written(array) => array,
        }
    }
}
