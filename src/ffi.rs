//! FFI boundary to MLIR and LLVM: contains every `unsafe` and every `extern` of the package.
//!
//! Handles ([`Op`], [`Block`], [`Value`], ...) are `Copy` and carry only the lifetime of the context, as in
//! MLIR. One rule makes them safe, and the code keeps it: a handle is not used after the op that owns it
//! was erased. Code that rewrites holds names across a rewrite, not handles.
//!
//! Must not depend on: any Loopwright op or pass.

pub mod affine;
pub mod attached;
mod attribute;
mod diagnostic;
mod handle;
pub mod instrument;
mod jit;
pub mod kernel;
mod linalg;
pub mod llvm;
mod llvm_mask;
mod llvm_type;
mod location;
mod module;
mod op;
mod op_spec;
mod opt_main;
pub mod pass;
pub mod pass_report;
mod plugin;
pub mod presburger;
mod text;
pub mod transform;
mod types;
mod verify;

pub use attribute::{Attribute, Elements};
pub use diagnostic::{
    Error, Note, Reported, Severity, catch_panic, receive_all, receive_errors, remark,
};
pub use handle::Context;
pub use jit::LinkedObject;
pub use linalg::{IteratorKind, Structured};
pub use module::{handle_of, parse_file, parse_file_in, parse_text_in, top};
pub use op::{Block, Location, Op, Region, Value};
pub use op_spec::OpSpec;
pub use opt_main::{catch_crashes, end_at_closed_pipe, opt_main, register_dialects_in};
pub use types::{FloatKind, Type, TypeKind};
pub use verify::set_verifiers;
