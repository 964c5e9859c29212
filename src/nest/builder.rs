//! Builds a new nest: copies of loops, each nested in the previous one, and ops in the innermost one.

use crate::dialect::loop_op::{For, ForSpec};
use crate::ir::affine::Map;
use crate::ir::{Location, Op, Value};
use crate::nest::state::State;
use crate::nest::summary::Loop;

/// Nested loops, and the values of the summary's numbers inside of them.
#[derive(Clone)]
pub struct OpenLoops<'c> {
    variables: Vec<Value<'c>>,
    sizes: Vec<Value<'c>>,
    /// The insertion point: new ops precede this op.
    end: Op<'c>,
}

impl<'c> OpenLoops<'c> {
    /// A nest without loops yet, before an op.
    pub fn before(state: &State<'c>, end: Op<'c>) -> Self {
        OpenLoops { variables: state.variables().to_vec(), sizes: state.sizes().to_vec(), end }
    }

    /// Inserts an empty copy of a loop into the innermost loop; the copy becomes the innermost loop.
    pub fn open(&mut self, this: &Loop, location: Location<'c>) -> For<'c> {
        let (dims, sizes) = (&self.variables[..], &self.sizes[..]);
        let results = this.extent.clone();
        let extent = Map { dims: dims.len(), symbols: sizes.len(), results };
        let axis = this.axis.clone();
        let spec = ForSpec { name: &this.name, extent: &extent, dims, sizes, axis };
        let copy = For::of(spec.create(location)).expect("just made");
        For::set_kind(copy.op, this.kind, this.thread);
        self.put(copy.op);
        self.variables[this.variable.index()] = copy.variable();
        self.end = copy.body.end();
        copy
    }

    /// Appends an op to the innermost loop.
    pub fn put(&self, op: Op<'c>) {
        self.end.block().expect("it stands in a block").insert_before(self.end, op);
    }

    /// The values of variables and sizes in the innermost loop.
    pub fn values(&self) -> (&[Value<'c>], &[Value<'c>]) {
        (&self.variables, &self.sizes)
    }
}
