//! The weights of a model: constants that machine code refers to by name, and does not hold.
//!
//! ```text
//! memref.global "private" constant @const0 : memref<768x768xf32> = dense_resource<..>
//!   ->  memref.global "private" constant @const0 : memref<768x768xf32> {loop.weight}       and (@const0, its bytes)
//! ```
//! Code without them is small, and does not depend on them: models that differ only in their weights have the same code, and
//! the same entry in a code cache. [`Jit::load_with`](crate::codegen::Jit::load_with) links the two.

use crate::dialect::weight::WEIGHT;
use crate::ir::{Attribute, Op, top};
use crate::lowering::cpu::memref_to_pointer::ALIGNMENT;
use loopwright_runtime::replace_by_huge_pages;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::Context;
use melior::ir::Module;
use std::ops::Range;

/// Smaller constants stay in the code, where they are next to it.
const LEAST_BYTES: usize = 4096;

/// Constants by the names of their globals.
#[derive(Default)]
pub struct Weights<'c>(Vec<(String, Bytes<'c>)>);

enum Bytes<'c> {
    /// Those of the module's context, or of its file.
    Shared(&'c [u8]),
    /// A copy, because the original is not aligned.
    Copied(Tensor),
}

/// Weights are next to each other if fewer bytes are between them.
const LINE: usize = 64;

impl<'c> Weights<'c> {
    /// Takes the weights out of a module, in [`Phase::Loop`](super::Phase::Loop) or later. The interpreter cannot run it
    /// afterwards.
    ///
    /// # Errors
    /// If there is no memory for a copy of weights that are not aligned.
    ///
    /// # Panics
    /// If the module is of another context.
    pub fn detach(context: &'c Context, module: &mut Module<'c>) -> Result<Self, String> {
        let ops = top(module).body(0).map(|body| body.ops()).unwrap_or_default();
        // Code may write the others.
        let is_constant = |op: &Op| op.is("memref.global") && op.attribute("constant").is_some();
        let (mut weights, mut shared) = (vec![], vec![]);
        for global in ops.into_iter().filter(is_constant) {
            let value = global.attribute("initial_value").map(|value| value.of_context(context));
            let elements = value.and_then(Attribute::as_elements).filter(|it| !it.splat);
            let bytes = elements.and_then(|elements| elements.bytes());
            let bytes = bytes.filter(|bytes| bytes.len() >= LEAST_BYTES);
            let (Some(name), Some(bytes)) = (global.symbol_name(), bytes) else { continue };
            let name = name.to_owned();
            let bytes = match bytes.as_ptr().addr().is_multiple_of(ALIGNMENT as usize) {
                true => {
                    let Range { start, end } = bytes.as_ptr_range();
                    shared.push(start.addr()..end.addr());
                    Bytes::Shared(bytes)
                }
                false => {
                    let copy = Tensor::from_byte_slice(ElementType::I8, &[bytes.len()], bytes);
                    Bytes::Copied(
                        copy.map_err(|error| format!("weights cannot be aligned: {error}"))?,
                    )
                }
            };
            global.remove_attribute("initial_value");
            global.set_attribute(WEIGHT, Attribute::unit(global.context()));
            weights.push((name, bytes));
        }
        // Copies are in huge pages already.
        joined(shared).into_iter().for_each(replace_by_huge_pages);
        Ok(Self(weights))
    }

    /// The names and bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| match bytes {
            Bytes::Shared(bytes) => (name.as_str(), *bytes),
            Bytes::Copied(tensor) => (name.as_str(), tensor.bytes()),
        })
    }
}

/// Joins ranges that are next to each other.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = vec![];
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end + LINE => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
