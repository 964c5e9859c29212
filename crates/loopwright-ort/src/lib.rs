//! A backend of the crate [`ort`], the Rust bindings of ONNX Runtime: an existing program of `ort` runs on Loopwright after
//! one call. The program needs neither ONNX Runtime nor a download.
//!
//! ```text
//! program ─► ort ─► the table of functions, `api()` ─► ffi: pointers, panics ─► session: names, types, shapes
//!                                                                           ─► loopwright-bindings: compile, load, run
//! ```
//! In `Cargo.toml`:
//!
//! ```toml
//! [dependencies]
//! loopwright = { path = "../loopwright" } # for the build script, which adds an rpath: see the README
//! loopwright-ort = { path = "../loopwright/crates/loopwright-ort" }
//! ort = { version = "=2.0.0-rc.15", default-features = false, features = ["std", "ndarray"] }
//! ```
//! In the program:
//!
//! ```no_run
//! use ort::session::Session;
//! use ort::value::Tensor;
//!
//! fn main() -> ort::Result<()> {
//!     ort::set_api(loopwright_ort::api()); // before all other calls of `ort`
//!     let environment = ort::init().build()?;
//!     let mut session = Session::builder(&environment)?.commit_from_file("model.onnx")?;
//!     let image = Tensor::from_array(([1, 3, 32, 32], vec![0.5_f32; 3 * 32 * 32]))?;
//!     let outputs = session.run(ort::inputs!["image" => image])?;
//!     let (shape, scores) = outputs["scores"].try_extract_tensor::<f32>()?;
//!     println!("{shape:?}: {scores:?}");
//!     Ok(())
//! }
//! ```
//! `docs/ort.md` describes what is supported, and how the options of a session are understood.
//!
//! Must not depend on: what passes do.

mod failure;
mod ffi;
mod interface;
mod log;
mod metadata;
mod options;
mod plan;
mod session;
mod tensor_type;

pub use ffi::live_objects;
pub use ffi::table::api;
