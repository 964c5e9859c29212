//! The buffers of a thread block that a kernel asks for.

use crate::ir::{Attribute, Op, Value};

/// The alignment of each buffer at least: the widest access of a thread.
pub const ALIGNMENT: i64 = 16;

/// The workgroup attributions of a `gpu.func`.
pub struct WorkgroupBuffers<'c> {
    /// The place of the first among the arguments of the body.
    pub first: usize,
    pub values: Vec<Value<'c>>,
    /// What each asks for, in bytes; 1 where it says nothing.
    pub alignments: Vec<i64>,
}

impl<'c> WorkgroupBuffers<'c> {
    /// `None` if the kernel has none.
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
        Some(WorkgroupBuffers { first, values, alignments })
    }
}
