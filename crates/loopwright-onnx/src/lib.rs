//! Imports ONNX models as MLIR: one function of `linalg`, `tensor`, `arith` and `math` ops, which any MLIR compiler lowers.
//!
//! ```text
//! Y = Gemm(X, W, B)    ->    %0 = linalg.generic {..} ins(%X, %W) ..  loc("fc1")
//! ```
//! - Each op has the node's name as its location.
//! - Shapes that are computed in the graph (Shape, Gather, Concat, ..) are evaluated during the import, on numbers and on symbolic
//!   sizes.
//! - Weights stay in the mapped file: they are `dense_resource` constants.
//! - A node that is not supported is refused by its name, with what was found and what was expected.
//!
//! [`ops::list`] has the supported ops; `docs/onnx.md` describes the import for users.

mod builder;
mod compute;
pub mod element;
mod error;
mod ffi;
mod file;
mod fold;
mod graph;
mod hoist;
mod layout;
mod narrowing;
mod node;
pub mod ops;
mod scalar;
pub mod schema;
mod size;
mod tensor;
pub mod text;
mod tm_tensor;

pub use error::{ImportError, Refusal};
pub use file::{ModelFile, is_onnx};
pub use graph::{ENTRY, ImportOptions, import};
