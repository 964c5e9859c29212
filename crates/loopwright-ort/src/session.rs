//! Sessions: models that are compiled and loaded.

use crate::failure::Failure;
use crate::interface::{Interface, Port, PortSize};
use crate::metadata::Metadata;
use crate::options::SessionOptions;
use crate::tensor_type::{element_in_memory, element_of};
use loopwright_bindings::compile::{CompileOptions, Model, compile};
use loopwright_bindings::log::GatheredLog;
use loopwright_bindings::module::{ArgumentKind, Function, shared_pool};
use loopwright_onnx::{ModelFile, is_onnx};
use ort::sys::OrtErrorCode;
use prost::Message;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// The file in messages about a model from memory. External data is searched in the working directory.
const IN_MEMORY: &str = "model.onnx";

/// The name of a model in the format of ONNX Runtime, from byte 4 on.
const ORT_FORMAT: &[u8] = b"ORTM";

/// A model that runs can use. Several threads may use it.
pub struct Session {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub metadata: Metadata,
    pub code: SessionCode,
}

/// What a run does.
pub enum SessionCode {
    /// Calls the function.
    Compiled(Box<Function>),
    /// Copies the input to the output.
    Copy,
}

impl Session {
    /// Compiles the model of a file.
    ///
    /// # Errors
    /// If the file cannot be read, is no ONNX model, or is not supported.
    pub fn open(
        path: &Path,
        options: &SessionOptions,
        log: &GatheredLog,
    ) -> Result<Session, Failure> {
        let name = path.to_string_lossy();
        let bytes = fs::read(path).map_err(|error| {
            let message = format!("{name}: cannot be read: {error}");
            Failure::new(OrtErrorCode::ORT_NO_SUCHFILE, message)
        })?;
        if path.extension().is_some_and(|it| it == "onnxtxt") {
            let encoded = ModelFile::open(path).map_err(|error| {
                Failure::new(OrtErrorCode::ORT_INVALID_GRAPH, error.to_string())
            })?;
            let interface = Interface::decode(&name, &encoded.model.encode_to_vec())?;
            return compiled(interface, &Model::File(path.to_owned()), options, log);
        }
        check_format(&name, &bytes)?;
        let interface = Interface::decode(&name, &bytes)?;
        let model = match is_onnx(path) {
            true => {
                drop(bytes);
                Model::File(path.to_owned())
            }
            false => Model::Onnx { bytes: Cow::Owned(bytes), path: path.to_owned() },
        };
        compiled(interface, &model, options, log)
    }

    /// Compiles a model in memory.
    ///
    /// # Errors
    /// If it is no ONNX model, or is not supported.
    pub fn decode(
        bytes: &[u8],
        options: &SessionOptions,
        log: &GatheredLog,
    ) -> Result<Session, Failure> {
        if let Some(session) = copying(bytes) {
            return Ok(session);
        }
        check_format(IN_MEMORY, bytes)?;
        let interface = Interface::decode(IN_MEMORY, bytes)?;
        let model = Model::Onnx { bytes: Cow::Borrowed(bytes), path: PathBuf::from(IN_MEMORY) };
        compiled(interface, &model, options, log)
    }
}

fn check_format(name: &str, bytes: &[u8]) -> Result<(), Failure> {
    match bytes.get(4..8) == Some(ORT_FORMAT) {
        true => Err(Failure::new(
            OrtErrorCode::ORT_INVALID_PROTOBUF,
            format!("{name}: is in the format of ONNX Runtime, expected an ONNX model"),
        )),
        false => Ok(()),
    }
}

/// The session of the model by which `ort` copies tensors, if the bytes are that model. It has one node, Identity, and is in the
/// format of ONNX Runtime. `ort` writes the element type at two places of it.
fn copying(bytes: &[u8]) -> Option<Session> {
    const LENGTH: usize = 1032;
    const ELEMENTS: [usize; 2] = [544, 604];
    let has = |text: &[u8]| bytes.windows(text.len()).any(|it| it == text);
    let is_copy = bytes.len() == LENGTH
        && bytes[4..8] == *ORT_FORMAT
        && [&b":Identity:"[..], b"\x05\0\0\0input\0", b"\x06\0\0\0output\0"].into_iter().all(has)
        && bytes[ELEMENTS[0]] == bytes[ELEMENTS[1]];
    let element = element_of(bytes.get(ELEMENTS[0]).copied().filter(|_| is_copy)?.into()).ok()?;
    let port = |name: &str| Port { name: name.to_owned(), element: Some(element), dims: None };
    Some(Session {
        inputs: vec![port("input")],
        outputs: vec![port("output")],
        metadata: Metadata::default(),
        code: SessionCode::Copy,
    })
}

fn compiled(
    interface: Interface,
    model: &Model,
    options: &SessionOptions,
    log: &GatheredLog,
) -> Result<Session, Failure> {
    let pool = shared_pool(options.threads)?;
    let settings = CompileOptions {
        contract: Some(options.contract().to_owned()),
        dimensions: options.dimensions.clone(),
        ..CompileOptions::default()
    };
    let artifact = compile(log, model, &settings)?;
    let module = artifact.load(&pool, None)?;
    let function = module.functions.into_iter().find(|it| it.name == loopwright_onnx::ENTRY);
    let function = function.ok_or_else(|| mismatch("no function"))?;
    let Interface { mut inputs, mut outputs, metadata } = interface;
    let of_kind = |kind| function.arguments.iter().filter(move |it| it.kind == kind);
    let (arguments, results) = (of_kind(ArgumentKind::Input), of_kind(ArgumentKind::Result));
    if arguments.clone().count() != inputs.len() || results.clone().count() != outputs.len() {
        return Err(mismatch("another number of arguments"));
    }
    for (port, argument) in inputs.iter_mut().zip(arguments) {
        port.refine(&argument.sizes);
    }
    for (port, result) in outputs.iter_mut().zip(results) {
        port.element = port.element.or(Some(element_in_memory(result.element_type)));
        port.refine(&result.sizes);
    }
    Ok(Session { inputs, outputs, metadata, code: SessionCode::Compiled(Box::new(function)) })
}

fn mismatch(found: &str) -> Failure {
    let message = format!("internal error: the compiled model has {found} for its interface");
    Failure::new(OrtErrorCode::ORT_RUNTIME_EXCEPTION, message)
}

impl Port {
    /// Replaces dynamic sizes by the static ones of the compiled function: sizes of options, and computed sizes.
    fn refine(&mut self, sizes: &[i64]) {
        let declared = self.dims.take().filter(|dims| dims.len() == sizes.len());
        let declared =
            declared.unwrap_or_else(|| vec![PortSize::Dynamic(String::new()); sizes.len()]);
        let refined = declared.into_iter().zip(sizes).map(|(dim, size)| match size {
            0.. => PortSize::Static(*size),
            _ => dim,
        });
        self.dims = Some(refined.collect());
    }
}
