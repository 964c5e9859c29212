//! Reads a model from its file: binary (`.onnx`) or in ONNX's text form (`.onnxtxt`).
//!
//! The file is mapped into memory, and so are files of external data. Weights stay there: they are not copied.
//! - (F1) External data is in the folder of the model or below it: its path is relative and has no `..`.
//! - (F2) Its offset and length lie in the file.

use crate::element::{Data, Element};
use crate::error::{ImportError, Refusal};
use crate::ffi;
use crate::schema::{ModelProto, TensorProto};
use crate::text;
use bytes::Bytes;
use prost::Message;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Component, Path, PathBuf};

/// The value of `TensorProto.data_location` for elements in another file.
const EXTERNAL: i32 = 1;

/// True if a file is named like an ONNX model.
pub fn is_onnx(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    matches!(extension, Some("onnx" | "onnxtxt"))
}

/// An open model, with its files of external data.
pub struct ModelFile {
    path: PathBuf,
    /// The decoded model. Weights of a file are views of the mapped file.
    pub model: ModelProto,
    mapped: RefCell<HashMap<PathBuf, Bytes>>,
}

impl ModelFile {
    /// Opens a model.
    ///
    /// # Errors
    /// If the file cannot be read, or is no model.
    pub fn open(path: &Path) -> Result<ModelFile, ImportError> {
        let read = |error| ImportError::Read { path: path.to_owned(), error };
        let bytes = map(path).map_err(read)?;
        let model = if path.extension().is_some_and(|it| it == "onnxtxt") {
            let source = std::str::from_utf8(&bytes).map_err(|error| ImportError::File {
                path: path.to_owned(),
                message: format!("is not UTF-8 text: {error}"),
            })?;
            text::parse(source).map_err(|error| ImportError::Text {
                path: path.to_owned(),
                line: error.line,
                column: error.column,
                message: error.message,
            })?
        } else {
            decode(path, bytes)?
        };
        Ok(ModelFile { path: path.to_owned(), model, mapped: RefCell::default() })
    }

    /// A binary model in memory. External data is searched in the folder of `path`, which is the file in messages.
    ///
    /// # Errors
    /// If it is no model.
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Result<ModelFile, ImportError> {
        let model = decode(path, Bytes::copy_from_slice(bytes))?;
        Ok(ModelFile { path: path.to_owned(), model, mapped: RefCell::default() })
    }

    /// The file of the model, as it is named in messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The constant of a tensor, wherever its elements are.
    ///
    /// # Errors
    /// If the element type is not supported, (F1) or (F2) does not hold, or the number of elements is not that of the
    /// dimensions.
    pub fn data(&self, tensor: &TensorProto) -> Result<Data, Refusal> {
        if tensor.data_location != EXTERNAL {
            return Data::of(tensor);
        }
        let entry = |key: &str| {
            let found = tensor.external_data.iter().find(|entry| entry.key == key);
            found.map(|entry| entry.value.as_str())
        };
        let number = |key: &str| {
            let parsed = entry(key).map(str::parse::<usize>).transpose();
            parsed.map_err(|_| {
                Refusal::new(format!(
                    "has external data with the {key} '{}', expected a number",
                    entry(key).unwrap_or_default()
                ))
            })
        };
        let name = entry("location")
            .ok_or_else(|| Refusal::new("has external data without a location (F1)"))?;
        let file = self.external(name)?;
        let offset = number("offset")?.unwrap_or(0);
        let rest = file.len().checked_sub(offset);
        let length = number("length")?.or(rest).unwrap_or(0);
        if rest.is_none_or(|rest| length > rest) {
            return Err(Refusal::new(format!(
                "has {length} bytes of external data at byte {offset} of '{name}', which has {} bytes (F2)",
                file.len()
            )));
        }
        let element = Element::of_number(tensor.data_type)?;
        Data::new(element, &tensor.dims, file.slice(offset..offset + length))
    }

    /// A file of external data; each is mapped once.
    fn external(&self, name: &str) -> Result<Bytes, Refusal> {
        let relative = Path::new(name);
        let stays = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.is_empty() || !relative.components().all(stays) {
            return Err(Refusal::new(format!(
                "has external data in '{name}', expected a path below the model's folder (F1)"
            )));
        }
        let path = self.path.parent().unwrap_or(Path::new("")).join(relative);
        if let Some(bytes) = self.mapped.borrow().get(&path) {
            return Ok(bytes.clone());
        }
        let bytes = map(&path).map_err(|error| {
            Refusal::new(format!("has external data in '{name}', which cannot be read: {error}"))
        })?;
        self.mapped.borrow_mut().insert(path, bytes.clone());
        Ok(bytes)
    }
}

/// Decodes the binary form.
fn decode(path: &Path, bytes: Bytes) -> Result<ModelProto, ImportError> {
    ModelProto::decode(bytes).map_err(|error| ImportError::File {
        path: path.to_owned(),
        message: format!("is not an ONNX model: {error}"),
    })
}

/// The bytes of a file, mapped.
fn map(path: &Path) -> std::io::Result<Bytes> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(std::io::Error::other("it is a folder, expected a file"));
    }
    match found.len() {
        // An empty file cannot be mapped.
        0 => Ok(Bytes::new()),
        _ => ffi::map(&file),
    }
}
