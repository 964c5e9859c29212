//! FFI boundary to MLIR and LLVM: contains every `unsafe` and every `extern` of the package.
//!
//! Handles ([`Op`], [`Block`], [`Value`], ...) are `Copy` and carry only the lifetime of the context, as in
//! MLIR. One rule makes them safe, and the code of this crate keeps it: a handle is not used after the op that owns it
//! was erased. Code that rewrites holds names across a rewrite, not handles. Other crates must promise to keep the rule
//! before they get a first handle: [`handle_of_module`] and [`pass::register`] are the only ways to one, and are unsafe.
//! Their safe interface takes melior's modules: [`ModuleRef`], [`ModuleMut`].
//!
//! Must not depend on: any Loopwright op or pass.

pub mod affine;
pub mod attached;
mod attribute;
mod branch;
mod complex;
mod diagnostic;
mod handle;
pub mod instrument;
mod jit;
pub(crate) mod kernel;
mod linalg;
pub mod llvm;
mod llvm_mask;
mod llvm_type;
pub mod loaded;
mod location;
mod module;
mod narrow_float;
mod op;
mod op_spec;
mod opt_main;
pub mod pass;
pub mod pass_report;
#[cfg(not(test))]
mod plugin;
pub mod presburger;
pub(crate) mod probe;
mod registry;
mod text;
mod tile_permission;
mod tile_type;
pub mod transform;
mod types;
mod verify;
mod zeroed;

pub use attribute::{Attribute, Elements};
pub(crate) use complex::lower_complex_arithmetic;
pub use diagnostic::{
    Error, Note, Reported, Severity, catch_panic, receive_all, receive_errors, remark, warning,
};
pub use handle::Context;
pub(crate) use kernel::computed_globals;
pub use kernel::{Jit, LinkError, LoadPromise, TRANSFORM};
pub use linalg::{IteratorKind, Structured, decompose_linalg};
pub use module::{
    ModuleMut, ModuleRef, handle_of, handle_of_module, parse_bytes_in, parse_file, parse_text_in,
};
pub(crate) use module::{op_of, top};
pub use narrow_float::{NarrowFloat, NarrowFormat, NonFinite};
pub use op::{Block, Location, Op, Region, Value};
pub use op_spec::OpSpec;
pub use opt_main::{catch_crashes, end_at_closed_pipe, opt_main};
pub use registry::{
    register_dialects_in, register_dialects_of_plugin, register_foreign_dialects_in,
};
pub(crate) use tile_permission::request_tiles;
pub use types::{FloatKind, Type, TypeKind};
pub use verify::set_verifiers;
