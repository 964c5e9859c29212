//! The weights of a model: constants that machine code refers to by name, and does not hold.
//!
//! ```text
//! memref.global "private" constant @const0 : memref<768x768xf32> = dense_resource<..>
//!   ->  memref.global "private" constant @const0 : memref<768x768xf32> {loop.weight}       and (@const0, its bytes)
//! ```
//! Code without them is small, and does not depend on them: models that differ only in their weights have the same code, and
//! the same entry in a code cache. [`Jit::load_with`](crate::codegen::Jit::load_with) links the two.
//!
//! Code needs the address of a weight to be a multiple of 64, but files store them at any. What only the transforms of weights
//! read is read where it is; other weights are copied where necessary, when the code is known
//! ([`Weights::linked_to`]).

use crate::codegen::LinkError;
use crate::dialect::weight::{WEIGHT, unaligned_symbol};
use crate::ir::{Attribute, Op, top};
use crate::lowering::cpu::memref_to_pointer::ALIGNMENT;
use loopwright_runtime::replace_by_huge_pages;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::Context;
use melior::ir::Module;
use object::{Object, ObjectSymbol};
use std::collections::HashSet;
use std::ops::Range;

/// Smaller constants stay in the code, where they are next to it.
const LEAST_BYTES: usize = 4096;

/// Constants by the names of their globals.
#[derive(Default)]
pub struct Weights<'c>(Vec<Weight<'c>>);

struct Weight<'c> {
    name: String,
    /// The name for code that takes any address.
    unaligned: String,
    /// Those of the module's context, or of its file.
    bytes: &'c [u8],
    /// An aligned copy, if code needs one.
    copy: Option<Tensor>,
}

/// Weights are next to each other if fewer bytes are between them.
const LINE: usize = 64;

impl<'c> Weights<'c> {
    /// Takes the weights out of a module, in [`Phase::Loop`](super::Phase::Loop) or later. The interpreter cannot run it
    /// afterwards.
    ///
    /// # Panics
    /// If the module is of another context.
    pub fn detach(context: &'c Context, module: &mut Module<'c>) -> Self {
        let ops = top(module).body(0).map(|body| body.ops()).unwrap_or_default();
        // Code may write the others.
        let is_constant = |op: &Op| op.is("memref.global") && op.attribute("constant").is_some();
        let detached = ops.into_iter().filter(is_constant).filter_map(|global| {
            let value = global.attribute("initial_value").map(|value| value.of_context(context));
            let elements = value.and_then(Attribute::as_elements).filter(|it| !it.splat);
            let bytes = elements.and_then(|elements| elements.bytes());
            let bytes = bytes.filter(|bytes| bytes.len() >= LEAST_BYTES)?;
            let name = global.symbol_name()?.to_owned();
            global.remove_attribute("initial_value");
            global.set_attribute(WEIGHT, Attribute::unit(global.context()));
            Some(Weight { unaligned: unaligned_symbol(&name), name, bytes, copy: None })
        });
        Self(detached.collect())
    }

    /// The names and bytes that an object refers to. Weights of which it needs the address to be aligned, and which are not
    /// aligned where they are, are copied; those that only its transforms read are not.
    ///
    /// # Errors
    /// If it is no object, or there is no memory for a copy.
    pub fn linked_to(&mut self, object: impl AsRef<[u8]>) -> Result<Vec<(&str, &[u8])>, LinkError> {
        let undefined = undefined_symbols(object.as_ref())?;
        let names: HashSet<String> = self.0.iter().map(|weight| weight.name.clone()).collect();
        let (mut shared, mut symbols) = (vec![], vec![]);
        for Weight { name, unaligned, bytes, copy } in &mut self.0 {
            if !undefined.contains(name.as_str()) {
                // Another weight may have this name.
                if undefined.contains(unaligned.as_str()) && !names.contains(unaligned) {
                    symbols.push((unaligned.as_str(), *bytes));
                }
                continue;
            }
            let Range { start, end } = bytes.as_ptr_range();
            if start.addr().is_multiple_of(ALIGNMENT as usize) {
                shared.push(start.addr()..end.addr());
                symbols.push((name.as_str(), *bytes));
                continue;
            }
            let copy = match copy {
                Some(copy) => copy,
                None => copy.insert(aligned(bytes)?),
            };
            symbols.push((name.as_str(), copy.bytes()));
        }
        // Copies are in huge pages already.
        joined(shared).into_iter().for_each(replace_by_huge_pages);
        Ok(symbols)
    }
}

/// A copy at an address that is a multiple of [`ALIGNMENT`].
fn aligned(bytes: &[u8]) -> Result<Tensor, LinkError> {
    let copy = Tensor::from_byte_slice(ElementType::I8, &[bytes.len()], bytes);
    copy.map_err(|error| LinkError(format!("weights cannot be aligned: {error}")))
}

/// The symbols that an object refers to and does not define.
fn undefined_symbols(object: &[u8]) -> Result<HashSet<String>, LinkError> {
    let names = object::File::parse(object).and_then(|file| {
        let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
        undefined.map(|symbol| symbol.name().map(str::to_owned)).collect()
    });
    names.map_err(|error| LinkError(format!("the code is no object: {error}")))
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
