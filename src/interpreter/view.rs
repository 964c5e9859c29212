//! `memref.view`: buffers that alias the bytes of another buffer.
//!
//! A view has elements of its own type. A write to one view makes the elements of other views that overlap the written
//! bytes undefined. So a later computation with them is an error.

use super::scalar::{Scalar, ScalarType};
use super::value::Array;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// All live views of buffers.
#[derive(Default)]
pub struct Views(Vec<View>);

struct View {
    base: Weak<RefCell<Array>>,
    /// The first byte in the base buffer.
    offset: usize,
    element_bytes: usize,
    array: Rc<RefCell<Array>>,
}

impl Views {
    /// The view of a byte buffer from `offset` on; equal requests return the same array.
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
                "views {} elements of {bytes} bytes from byte {offset} on, in a buffer of {size} bytes",
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

    /// Called after elements of a buffer have been written.
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
