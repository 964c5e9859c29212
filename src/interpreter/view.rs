//! Buffers in the bytes of another one: the results of `memref.view`.
//!
//! A view has cells of its own type. What is written to one makes the cells of the others that share bytes with
//! it undefined, so whoever counts on them afterwards computes with an undefined value.

use super::scalar::{Scalar, ScalarType};
use super::value::Array;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// All views of buffers that are still there.
#[derive(Default)]
pub struct Views(Vec<View>);

struct View {
    base: Weak<RefCell<Array>>,
    /// The first byte.
    offset: usize,
    element_bytes: usize,
    array: Rc<RefCell<Array>>,
}

impl Views {
    /// The view of a buffer of bytes from `offset` on; the same for all who ask for the same.
    pub fn of(
        &mut self,
        base: &Rc<RefCell<Array>>,
        offset: usize,
        (ty, shape): (ScalarType, Vec<usize>),
    ) -> Result<Rc<RefCell<Array>>, String> {
        let bytes = ty.bits().div_ceil(8) as usize;
        let known = self.0.iter().find(|view| {
            let same = |array: &Array| array.ty == ty && array.shape == shape;
            view.base.as_ptr() == Rc::as_ptr(base)
                && view.offset == offset
                && same(&view.array.borrow())
        });
        if let Some(known) = known {
            return Ok(known.array.clone());
        }
        let size = base.borrow().cells.len();
        let array = Array::undefined(ty, shape).ok_or("has too many elements")?;
        let end = array.cells.len().checked_mul(bytes).and_then(|n| n.checked_add(offset));
        if end.is_none_or(|end| end > size) {
            return Err(format!(
                "views {} elements of {bytes} bytes from byte {offset} on, of {size} bytes",
                array.cells.len()
            ));
        }
        self.0.retain(|view| view.base.strong_count() > 0);
        let array = Rc::new(RefCell::new(array));
        let view = View { base: Rc::downgrade(base), offset, element_bytes: bytes, array };
        let array = view.array.clone();
        self.0.push(view);
        Ok(array)
    }

    /// Cells of a buffer have been written.
    pub fn written(&self, buffer: &Rc<RefCell<Array>>, places: impl Iterator<Item = usize>) {
        let Some(view) = self.0.iter().find(|view| Rc::ptr_eq(&view.array, buffer)) else { return };
        let others: Vec<&View> = self
            .0
            .iter()
            .filter(|other| {
                Weak::ptr_eq(&other.base, &view.base) && !Rc::ptr_eq(&other.array, buffer)
            })
            .collect();
        if others.is_empty() {
            return;
        }
        for place in places {
            let first = view.offset + place * view.element_bytes;
            let last = first + view.element_bytes - 1;
            for other in &others {
                let Ok(mut array) = other.array.try_borrow_mut() else { continue };
                let Some(end) = last.checked_sub(other.offset) else { continue };
                let from = first.saturating_sub(other.offset) / other.element_bytes;
                let to = (end / other.element_bytes + 1).min(array.cells.len());
                if from < to {
                    array.cells[from..to].fill(Scalar::Undefined);
                }
            }
        }
    }
}
