//! Proved alignment of accesses.

use super::Cursor;
use crate::ir::affine::{Expr, Linear};
use crate::ir::{Attribute, Type, Value};
use crate::lowering::element_bytes;

/// The alignment of all buffers of a kernel, in bytes.
pub(crate) const ALIGNMENT: i64 = 16;

impl<'c> Cursor<'c> {
    /// The proved `alignment` of the vector that begins at these indices. Only for a GPU, where an access to
    /// several elements at once must be aligned.
    pub fn alignment(
        &self,
        buffer: Value<'c>,
        indices: &[Expr],
        vector: Type<'c>,
    ) -> Option<Attribute<'c>> {
        self.threads.as_ref()?;
        let bytes = self.proved_alignment(buffer, indices, vector)?.min(ALIGNMENT);
        Some(Attribute::integer(Type::integer(vector.context(), 64), bytes))
    }

    /// The `alignment` of an element that an unrolled loop of a kernel loads or stores, if it starts
    /// [`ALIGNMENT`] bytes of a function buffer: LLVM merges its access with those of the following elements.
    /// LLVM also fills gaps between them, so the buffer must contain all of these bytes.
    pub fn alignment_of_copy(&self, buffer: Value<'c>, indices: &[Expr]) -> Option<Attribute<'c>> {
        let (dims, element) = buffer.ty().shaped().filter(|_| buffer.defining_op().is_none())?;
        let lanes = ALIGNMENT / element_bytes(element);
        let known = dims.into_iter().flatten();
        let is_whole = known.fold(1, |product: i64, dim| product * (dim % lanes) % lanes) == 0;
        let is_copy = self.lane.is_none() && self.copies > 1;
        let vector = Type::vector(usize::try_from(lanes).ok()?, element);
        self.alignment(buffer, indices, vector).filter(|_| is_whole && is_copy)
    }

    /// The size in bytes of the vector that begins at these indices, if it is a power of two and the offset of
    /// the vector in its buffer is proved to be a multiple of it.
    pub fn proved_alignment(
        &self,
        buffer: Value<'c>,
        indices: &[Expr],
        vector: Type<'c>,
    ) -> Option<i64> {
        let (lanes, element) = vector.lanes()?;
        let (dims, _) = buffer.ty().in_any_space()?;
        let lanes = i64::try_from(lanes).ok()?;
        let bytes = lanes * element_bytes(element);
        let mut stride = Some(1_i64);
        for (index, dim) in indices.iter().zip(dims).rev() {
            let mut index = Linear::of(index);
            if let Some(lane) = &self.lane {
                index.terms.remove(&Expr::Dim(lane.atom));
            }
            let is_multiple =
                |factor: i64| stride.is_some_and(|stride| factor.wrapping_mul(stride) % lanes == 0);
            let is_zero = index.terms.is_empty() && index.constant == 0;
            let is_aligned = index.terms.iter().all(|(_, factor)| is_multiple(*factor))
                && is_multiple(index.constant);
            if !(is_zero || is_aligned) {
                return None;
            }
            stride = stride.zip(dim).and_then(|(stride, dim)| stride.checked_mul(dim));
        }
        (bytes > 0 && bytes & (bytes - 1) == 0).then_some(bytes)
    }
}
