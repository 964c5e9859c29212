//! The conversion plan of `convert-memref-to-pointer`.

use crate::dialect::requirement::Requirements;
use crate::ir::{Op, callee};
use std::collections::HashMap;

/// The conversion plan.
pub(crate) struct ConversionPlan<'c> {
    /// The functions to convert, in module order.
    pub functions: Vec<FunctionPlan<'c>>,
    /// The functions among them that get entry points.
    pub kernels: Vec<KernelPlan<'c>>,
    /// The callees of parallel calls.
    pub tasks: Vec<Task<'c>>,
    pub globals: Vec<Op<'c>>,
    /// The new names of functions inside the module, for functions that are renamed.
    pub renamed: HashMap<&'c str, String>,
    /// The symbols of weights that may have any address, by the names of their globals.
    pub unaligned: HashMap<&'c str, String>,
}

impl<'c> ConversionPlan<'c> {
    /// The function that a `func.call` calls, if the plan has it.
    pub fn called(&self, call: Op) -> Option<&FunctionPlan<'c>> {
        let name = callee(call)?;
        self.functions.iter().find(|function| function.name == name)
    }

    /// The name of the function `name` inside the module after the conversion.
    pub fn name_inside<'a>(&'a self, name: &'a str) -> &'a str {
        self.renamed.get(name).map_or(name, String::as_str)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct FunctionPlan<'c> {
    /// The function, valid until it is converted.
    pub op: Op<'c>,
    pub name: &'c str,
    pub role: Role,
    /// True if the function, or one that it calls, has parallel calls.
    pub calls_in_parallel: bool,
    /// True if the function, or one that it calls, allocates buffers.
    pub allocates: bool,
    /// True if it transforms weights, or is called by the function that does: what it accesses may have any address.
    pub transforms: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Public: called through its entry point.
    Kernel,
    /// Runs chunks of a parallel loop.
    Chunk,
    /// Called from functions of the module.
    Callee,
}

#[derive(Clone)]
pub(crate) struct KernelPlan<'c> {
    pub function: FunctionPlan<'c>,
    /// The name of the function that the entry point calls.
    pub implementation: String,
    /// The conditions on sizes that the entry point checks.
    pub requirements: Requirements,
}

#[derive(Clone)]
pub(crate) struct Task<'c> {
    /// The function, valid until it is converted.
    pub callee: Op<'c>,
    pub callee_name: &'c str,
    pub name: String,
}

impl<'c> KernelPlan<'c> {
    pub fn name(&self) -> &'c str {
        self.function.name
    }

    /// The name of the function that returns the bytes of workspace, or a negative number for sizes that do not fit.
    pub fn workspace_name(&self) -> String {
        format!("{}_workspace", self.name())
    }
}
