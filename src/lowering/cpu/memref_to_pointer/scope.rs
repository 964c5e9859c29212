//! The scope of a function body: the buffers that its memrefs have become.

use super::buffer::{SizedPointer, stack_slot};
use super::workspace::FreeWorkspace;
use crate::ir::{Block, Builder, Location, Type, Value};
use std::collections::HashMap;

/// The state of the rewrite of a function body.
pub(crate) struct Scope<'c> {
    pub buffers: HashMap<Value<'c>, SizedPointer<'c>>,
    /// The runtime's table, in functions with parallel calls.
    pub runtime: Option<Value<'c>>,
    /// The workspace, in functions that allocate.
    pub workspace: Option<FreeWorkspace<'c>>,
    pub entry: Block<'c>,
    /// True in functions that transform weights: their addresses are multiples of no number.
    pub transforms: bool,
}

impl<'c> Scope<'c> {
    pub fn buffer(&self, memref: Value<'c>) -> &SizedPointer<'c> {
        self.buffers.get(&memref).expect("memrefs have the sources of (C3)")
    }

    /// Stack memory for `ty` in the frame of the function. It must be in the entry block: in a loop, each
    /// iteration would allocate new stack.
    pub fn stack_slot(&self, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        let first = self.entry.first_op().expect("a function ends with a return");
        stack_slot(&Builder::before(first, location), ty)
    }

    /// The values to pass for `values`: a memref is passed as a pointer and sizes.
    pub fn passed(&self, values: &[Value<'c>]) -> Vec<Value<'c>> {
        let pass = |value: &Value<'c>| match value.ty().is_memref() {
            true => self.buffer(*value).values(),
            false => vec![*value],
        };
        values.iter().flat_map(pass).collect()
    }
}
