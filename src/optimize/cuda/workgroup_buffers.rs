//! The workgroup buffers of a kernel: its statically declared shared memory.

use crate::dialect::allocation::KEEPS_STRIDES;
use crate::ir::{Attribute, Op, Value};

/// The least alignment of each buffer, in bytes: the widest access of a thread.
pub const ALIGNMENT: i64 = 16;

/// The workgroup attributions of a `gpu.func`.
pub struct WorkgroupBuffers<'c> {
    /// The index of the first one among the arguments of the body.
    pub first: usize,
    pub values: Vec<Value<'c>>,
    /// The alignment that each buffer requests, in bytes; 1 where none is stated.
    pub alignments: Vec<i64>,
    /// True for each buffer with [`KEEPS_STRIDES`].
    pub keep_strides: Vec<bool>,
}

impl<'c> WorkgroupBuffers<'c> {
    /// `None` if the kernel has no workgroup buffers.
    pub fn of(kernel: Op<'c>) -> Option<Self> {
        let count = kernel.attribute("workgroup_attributions")?.as_i64()?;
        let (inputs, _) = kernel.attribute("function_type")?.as_type()?.signature()?;
        let (first, count) = (inputs.len(), usize::try_from(count).ok().filter(|n| *n > 0)?);
        let arguments = kernel.body(0)?.arguments();
        let values = arguments.get(first..first + count)?.to_vec();
        let stated = kernel.attribute("workgroup_attrib_attrs").and_then(Attribute::as_array);
        let stated = stated.unwrap_or_default();
        let alignment = |i: usize| stated.get(i)?.entry("llvm.align")?.as_i64();
        let alignments = (0..count).map(|i| alignment(i).unwrap_or(1)).collect();
        let keeps = |i: usize| stated.get(i).is_some_and(|it| it.entry(KEEPS_STRIDES).is_some());
        let keep_strides = (0..count).map(keeps).collect();
        Some(WorkgroupBuffers { first, values, alignments, keep_strides })
    }
}
