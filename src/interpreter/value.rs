//! The values of the interpreter: scalars, and arrays of scalars.

use super::scalar::{Scalar, ScalarType, round};
use crate::ir::{Error, FloatKind, Op, Type, TypeKind};
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::cell::RefCell;
use std::rc::Rc;

/// A dense array, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The type of the elements.
    pub ty: ScalarType,
    /// The sizes, the slowest dimension first.
    pub shape: Vec<usize>,
    /// The elements, row-major.
    pub cells: Vec<Scalar>,
}

/// A value of a running function.
#[derive(Clone, Debug)]
pub enum Datum {
    /// An index, integer or float.
    Scalar(Scalar),
    /// A tensor or vector, which never changes.
    Tensor(Rc<Array>),
    /// A memref: all holders see the changes.
    Buffer(Rc<RefCell<Array>>),
}

/// Iterates over the indices of a shape in row-major order.
pub struct RowMajorIndices {
    shape: Vec<usize>,
    at: Vec<i64>,
    /// The number of remaining indices.
    left: usize,
    started: bool,
}

impl Array {
    /// An array of undefined elements; `None` if there would be too many.
    pub fn undefined(ty: ScalarType, shape: Vec<usize>) -> Option<Array> {
        let n = count(&shape)?;
        Some(Array { ty, shape, cells: vec![Scalar::Undefined; n] })
    }

    /// An array of undefined elements for a value of type `ty` that `op` creates. The shape must match the
    /// sizes that the type states.
    pub fn for_type<'c>(op: Op<'c>, ty: Type<'c>, shape: Vec<usize>) -> Result<Array, Error<'c>> {
        let element = check_type(op, ty, &shape)?;
        let message = || {
            Error::beyond(op, format!("creates an array of sizes {shape:?}, which is too large"))
        };
        let n = count(&shape).ok_or_else(message)?;
        Ok(Array { ty: element, shape, cells: vec![Scalar::Undefined; n] })
    }

    /// The row-major offset of an element, or `None` if an index is out of bounds.
    pub fn offset(&self, indices: &[i64]) -> Option<usize> {
        let mut offset = 0;
        for (index, size) in indices.iter().zip(&self.shape) {
            let index = usize::try_from(*index).ok().filter(|i| i < size)?;
            offset = offset * size + index;
        }
        (indices.len() == self.shape.len()).then_some(offset)
    }

    /// [`Array::offset`] with an error that names the index out of bounds.
    pub fn checked_offset(&self, indices: &[i64]) -> Result<usize, String> {
        self.offset(indices).ok_or_else(|| {
            format!("index {indices:?} is out of bounds of an array of sizes {:?}", self.shape)
        })
    }

    /// The indices of all elements, in row-major order.
    pub fn indices(&self) -> RowMajorIndices {
        RowMajorIndices::of(&self.shape)
    }

    /// The indices of the first undefined element.
    pub fn first_undefined(&self) -> Option<Vec<i64>> {
        let place = self.cells.iter().position(|cell| *cell == Scalar::Undefined)?;
        Some(self.indices_of(place))
    }

    /// The indices for a row-major offset; the inverse of [`Array::offset`].
    pub fn indices_of(&self, place: usize) -> Vec<i64> {
        let mut rest = place;
        let mut indices = vec![0; self.shape.len()];
        for (index, size) in indices.iter_mut().zip(&self.shape).rev() {
            *index = (rest % size.max(&1)) as i64;
            rest /= size.max(&1);
        }
        indices
    }

    /// An error if the number or the kind of the elements does not match the shape and the type.
    fn check_cells(&self) -> Result<(), String> {
        if count(&self.shape) != Some(self.cells.len()) {
            return Err(format!("has {} cells for sizes {:?}", self.cells.len(), self.shape));
        }
        match self.cells.iter().position(|cell| !holds(self.ty, *cell)) {
            Some(place) => {
                let (cell, at) = (self.cells[place], self.indices_of(place));
                Err(format!("contains {cell:?} at {at:?}, which is not of type {}", name(self.ty)))
            }
            None => Ok(()),
        }
    }
}

impl Array {
    /// Copies the elements of a tensor; a boolean becomes an i1.
    pub fn from_tensor(tensor: &Tensor) -> Array {
        let ty = match tensor.element_type() {
            ElementType::Bool => ScalarType::Int(1),
            ElementType::I8 => ScalarType::Int(8),
            ElementType::I16 => ScalarType::Int(16),
            ElementType::I32 => ScalarType::Int(32),
            ElementType::I64 => ScalarType::Int(64),
            ElementType::F16 => ScalarType::Float(FloatKind::F16),
            ElementType::BF16 => ScalarType::Float(FloatKind::BF16),
            ElementType::F32 => ScalarType::Float(FloatKind::F32),
            ElementType::F64 => ScalarType::Float(FloatKind::F64),
        };
        let cell = |i| match ty {
            ScalarType::Float(_) => Scalar::Float(tensor.get_f64(i)),
            // Any byte but 0 is true.
            ScalarType::Int(1) => Scalar::Int((tensor.get_i64(i) != 0).into()),
            _ => Scalar::Int(tensor.get_i64(i)),
        };
        let cells = (0..tensor.len()).map(cell).collect();
        Array { ty, shape: tensor.shape().to_vec(), cells }
    }

    /// The array with elements of type `ty`, which are stored as the elements of this one: a float of at most 8 bits as its bit
    /// pattern, any other number as itself.
    pub fn stored_as(mut self, ty: ScalarType) -> Array {
        self.ty = ty;
        for cell in &mut self.cells {
            *cell = match (ty, *cell) {
                (ScalarType::Float(FloatKind::Narrow(_)), Scalar::Int(bits)) => {
                    ty.with_bits(bits as u64 & 0xff)
                }
                (ScalarType::Int(2..64), Scalar::Int(value)) => Scalar::Int(ty.wrap(value)),
                (_, cell) => cell,
            };
        }
        self
    }

    /// Copies the elements to a tensor; an index becomes an i64, a float of at most 8 bits its bit pattern, and an integer of
    /// another width than those of [`ElementType`] one of the next. The message continues "result 0 ".
    pub fn to_tensor(&self) -> Result<Tensor, String> {
        let ty = match self.ty {
            ScalarType::Int(1) => ElementType::Bool,
            ScalarType::Int(2..=8) | ScalarType::Float(FloatKind::Narrow(_)) => ElementType::I8,
            ScalarType::Int(9..=16) => ElementType::I16,
            ScalarType::Int(17..=32) => ElementType::I32,
            ScalarType::Int(33..=64) | ScalarType::Index => ElementType::I64,
            ScalarType::Float(FloatKind::F16) => ElementType::F16,
            ScalarType::Float(FloatKind::BF16) => ElementType::BF16,
            ScalarType::Float(FloatKind::F32) => ElementType::F32,
            ScalarType::Float(FloatKind::F64) => ElementType::F64,
            ScalarType::Int(_) => return Err(format!("is of type {}", name(self.ty))),
        };
        if let Some(at) = self.first_undefined() {
            return Err(format!("is undefined at index {at:?}"));
        }
        let mut tensor = Tensor::zeros(ty, &self.shape).map_err(|error| error.to_string())?;
        for (i, cell) in self.cells.iter().enumerate().take(tensor.len()) {
            match cell {
                Scalar::Float(_) if ty == ElementType::I8 => {
                    let bits = self.ty.bits_of(*cell).unwrap_or(0);
                    tensor.set_i64(i, (bits as u8 as i8).into());
                }
                Scalar::Int(value) => tensor.set_i64(i, *value),
                Scalar::Float(value) => tensor.set_f64(i, *value),
                Scalar::Undefined => {}
            }
        }
        Ok(tensor)
    }
}

/// More elements are refused: this is an interpreter, and such a size is a mistake. They
/// take 1 GiB.
const MAX_CELLS: usize = 1 << 26;

/// The number of elements of a shape; `None` if it exceeds the limit.
fn count(shape: &[usize]) -> Option<usize> {
    // A size of 0 does not make the other sizes acceptable: it counts as 1.
    let limit = shape.iter().try_fold(1usize, |n, d| n.checked_mul(*d.max(&1)))?;
    (limit <= MAX_CELLS).then(|| shape.iter().product())
}

/// The sizes (`None` if dynamic) and the element type of a tensor, a row-major memref, or a vector of one
/// dimension.
pub fn array_type<'c>(
    op: Op<'c>,
    ty: Type<'c>,
) -> Result<(Vec<Option<i64>>, ScalarType), Error<'c>> {
    let lanes = || ty.lanes().map(|(lanes, element)| (vec![Some(lanes as i64)], element));
    let tile = || ty.tile_shape().map(|(dims, element)| (dims.map(Some).to_vec(), element));
    lanes()
        .or_else(|| ty.shaped())
        .or_else(tile)
        .and_then(|(dims, element)| Some((dims, ScalarType::of(element)?)))
        .ok_or_else(|| {
            Error::beyond(op, format!("has type {ty}, which the interpreter does not support"))
        })
}

/// The element type of `ty`; an error if a result of `op` with these sizes cannot have the type `ty`.
pub fn check_type<'c>(op: Op<'c>, ty: Type<'c>, shape: &[usize]) -> Result<ScalarType, Error<'c>> {
    let (dims, element) = array_type(op, ty)?;
    if !agrees(shape, &dims) {
        return Err(Error::on(op, format!("computes sizes {shape:?} for a value of type {ty}")));
    }
    Ok(element)
}

/// True if a value of these sizes can have a type with the sizes `dims`.
pub fn agrees(shape: &[usize], dims: &[Option<i64>]) -> bool {
    let fits = |(size, dim): (&usize, &Option<i64>)| dim.is_none_or(|d| d == *size as i64);
    shape.len() == dims.len() && shape.iter().zip(dims).all(fits)
}

impl RowMajorIndices {
    /// The indices of an array with this shape; none if it has too many elements.
    pub fn of(shape: &[usize]) -> RowMajorIndices {
        let left = count(shape).unwrap_or(0);
        RowMajorIndices { shape: shape.to_vec(), at: vec![0; shape.len()], left, started: false }
    }

    /// The next indices; they are valid until the next call.
    pub fn advance(&mut self) -> Option<&[i64]> {
        self.left = self.left.checked_sub(1)?;
        if !self.started {
            self.started = true;
            return Some(&self.at);
        }
        for (index, size) in self.at.iter_mut().zip(&self.shape).rev() {
            *index += 1;
            if *index < *size as i64 {
                break;
            }
            *index = 0;
        }
        Some(&self.at)
    }
}

/// True if `scalar` is a value of type `ty` in its canonical form.
fn holds(ty: ScalarType, scalar: Scalar) -> bool {
    match (ty, scalar) {
        (_, Scalar::Undefined) => true,
        (ScalarType::Index | ScalarType::Int(_), Scalar::Int(value)) => ty.wrap(value) == value,
        (ScalarType::Float(_), Scalar::Float(value)) if value.is_nan() => true,
        (ScalarType::Float(kind), Scalar::Float(value)) => round(kind, value) == value,
        _ => false,
    }
}

fn name(ty: ScalarType) -> String {
    match ty {
        ScalarType::Index => "index".into(),
        ScalarType::Int(bits) => format!("i{bits}"),
        ScalarType::Float(kind) => format!("{kind:?}").to_lowercase(),
    }
}

impl std::fmt::Display for Datum {
    /// Prints the type of a value, as far as it is known.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let array = |array: &Array| {
            let sizes: String = array.shape.iter().map(|size| format!("{size}x")).collect();
            sizes + &name(array.ty)
        };
        match self {
            Datum::Scalar(Scalar::Int(_)) => f.write_str("an integer"),
            Datum::Scalar(Scalar::Float(_)) => f.write_str("a float"),
            Datum::Scalar(Scalar::Undefined) => f.write_str("undefined"),
            Datum::Tensor(tensor) => write!(f, "tensor<{}>", array(tensor)),
            Datum::Buffer(buffer) => match buffer.try_borrow() {
                Ok(buffer) => write!(f, "memref<{}>", array(&buffer)),
                Err(_) => f.write_str("a memref in use"),
            },
        }
    }
}

impl Datum {
    /// Checks that the value has type `ty`; the message continues "argument 0 ".
    pub fn check(&self, ty: Type) -> Result<(), String> {
        let (dims, element) = ty.shaped().unwrap_or((vec![], ty));
        let element = ScalarType::of(element)
            .ok_or_else(|| format!("has type {ty}, which the interpreter does not support"))?;
        let is_other = || Err(format!("is {self}, expected {ty}"));
        let check_array = |array: &Array| match agrees(&array.shape, &dims) && array.ty == element {
            true => array.check_cells(),
            false => is_other(),
        };
        match (self, ty.kind()) {
            (Datum::Tensor(array), TypeKind::Tensor { .. }) => check_array(array),
            (Datum::Buffer(buffer), TypeKind::MemRef { .. }) => match buffer.try_borrow() {
                Ok(array) => check_array(&array),
                Err(_) => is_other(),
            },
            (Datum::Scalar(Scalar::Undefined), _) => Err("is undefined".into()),
            (Datum::Scalar(scalar), kind) => match (scalar, kind) {
                (Scalar::Int(_), TypeKind::Index | TypeKind::Integer(_))
                | (Scalar::Float(_), TypeKind::Float(_)) => match holds(element, *scalar) {
                    true => Ok(()),
                    false => Err(format!("is {scalar:?}, which is not of type {ty}")),
                },
                _ => is_other(),
            },
            _ => is_other(),
        }
    }

    /// A tensor or vector with these elements.
    pub fn tensor(array: Array) -> Datum {
        Datum::Tensor(Rc::new(array))
    }

    /// A new memref with these elements.
    pub fn buffer(array: Array) -> Datum {
        Datum::Buffer(Rc::new(RefCell::new(array)))
    }

    /// An index.
    pub fn index(value: usize) -> Datum {
        Datum::Scalar(Scalar::Int(value as i64))
    }
}

#[cfg(test)]
#[path = "../../test/interpreter/value.rs"]
mod tests;
