//! A new nest: copies of loops, each in the one before, and what is put into the innermost.

use crate::dialect::loop_op::{For, ForSpec};
use crate::ir::affine::Map;
use crate::ir::{Location, Op, Value};
use crate::nest::state::State;
use crate::nest::summary::Loop;

/// Loops that stand in each other, and what the numbers of a summary stand for in them.
#[derive(Clone)]
pub struct Nest<'c> {
    variables: Vec<Value<'c>>,
    sizes: Vec<Value<'c>>,
    /// What comes next comes before this.
    end: Op<'c>,
}

impl<'c> Nest<'c> {
    /// A nest without loops so far, before an op.
    pub fn before(state: &State<'c>, end: Op<'c>) -> Self {
        Nest { variables: state.variables().to_vec(), sizes: state.sizes().to_vec(), end }
    }

    /// Puts a copy of a loop, which is empty, into the innermost one; it is that then.
    pub fn open(&mut self, this: &Loop, location: Location<'c>) -> For<'c> {
        let (dims, sizes) = (&self.variables[..], &self.sizes[..]);
        let results = this.extent.clone();
        let extent = Map { dims: dims.len(), symbols: sizes.len(), results };
        let axis = this.axis.clone();
        let spec = ForSpec { name: &this.name, extent: &extent, dims, sizes, axis };
        let copy = For::of(spec.create(location)).expect("just made");
        For::set_kind(copy.op, this.kind, this.thread);
        self.put(copy.op);
        self.variables[this.variable] = copy.variable();
        self.end = copy.body.end();
        copy
    }

    /// Puts an op into the innermost loop, behind what is there.
    pub fn put(&self, op: Op<'c>) {
        self.end.block().expect("it stands in a block").insert_before(self.end, op);
    }

    /// The values of variables and sizes in the innermost loop.
    pub fn values(&self) -> (&[Value<'c>], &[Value<'c>]) {
        (&self.variables, &self.sizes)
    }
}
