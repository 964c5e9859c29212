//! Kernel arguments on the command line: numbers, and buffers that are read from and written to `.npy` files.

use half::{bf16, f16};
use loopwright_runtime::npy;
use loopwright_runtime::tensor::{ElementType, Tensor};
use ptx_emulator::{self as emulator, Device, DeviceError, DevicePtr};
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Clone)]
pub enum Argument {
    Number(emulator::Argument),
    Buffer { from: Source, to: Option<PathBuf> },
}

#[derive(Clone)]
pub enum Source {
    File(PathBuf),
    /// A file with an explicit type: bf16, for which `.npy` has no type, or the type that the file must have.
    FileOf(ElementType, PathBuf),
    /// An undefined buffer.
    Shape(ElementType, Vec<usize>),
}

/// An argument in the memory of a device.
pub struct Placed {
    pub value: emulator::Argument,
    output: Option<Output>,
}

struct Output {
    address: DevicePtr,
    tensor: Tensor,
    path: PathBuf,
}

impl FromStr for Argument {
    type Err = String;

    fn from_str(text: &str) -> Result<Argument, String> {
        if let Some(rest) = text.strip_prefix("out:") {
            let (shape, path) = rest.split_once('=').ok_or("expected out:f32[4,8]=FILE.npy")?;
            let (ty, shape) = shape_of(shape)?;
            return Ok(Argument::Buffer { from: Source::Shape(ty, shape), to: Some(path.into()) });
        }
        if let Some(rest) = text.strip_prefix("inout:") {
            let (from, to) = rest.split_once('=').ok_or("expected inout:FROM.npy=TO.npy")?;
            return Ok(Argument::Buffer { from: Source::File(from.into()), to: Some(to.into()) });
        }
        if text.ends_with(".npy") {
            let from = match text.split_once(':').map(|(ty, path)| (ty.parse(), path)) {
                Some((Ok(ty), path)) => Source::FileOf(ty, path.into()),
                _ => Source::File(text.into()),
            };
            return Ok(Argument::Buffer { from, to: None });
        }
        match text.split_once(':') {
            Some((ty, value)) => number(ty, value).map(Argument::Number),
            None => Err(
                "expected TYPE:NUMBER, FILE.npy, out:TYPE[SHAPE]=FILE.npy or inout:FROM.npy=TO.npy"
                    .into(),
            ),
        }
    }
}

fn number(ty: &str, value: &str) -> Result<emulator::Argument, String> {
    fn parse<T: FromStr + Into<emulator::Argument>>(value: &str) -> Option<emulator::Argument> {
        value.parse::<T>().ok().map(Into::into)
    }
    let found = match ty {
        "i8" => parse::<i8>(value),
        "i16" => parse::<i16>(value),
        "i32" => parse::<i32>(value),
        "i64" => parse::<i64>(value),
        "u8" => parse::<u8>(value),
        "u16" => parse::<u16>(value),
        "u32" => parse::<u32>(value),
        "u64" => parse::<u64>(value),
        "f16" => parse::<f16>(value),
        "bf16" => parse::<bf16>(value),
        "f32" => parse::<f32>(value),
        "f64" => parse::<f64>(value),
        _ => return Err(format!("{ty:?} is not a type")),
    };
    found.ok_or_else(|| format!("{value:?} is not a value of type {ty}"))
}

/// Parses `f32[4,8]`.
fn shape_of(text: &str) -> Result<(ElementType, Vec<usize>), String> {
    let expected = || format!("{text:?} is not a type and shape, such as f32[4,8]");
    let (ty, shape) = text.split_once('[').ok_or_else(expected)?;
    let shape = shape.strip_suffix(']').ok_or_else(expected)?;
    let ty = ty.parse().map_err(|_| expected())?;
    let extents = shape.split(',').filter(|it| !it.trim().is_empty());
    let shape = extents.map(|it| it.trim().parse().ok()).collect::<Option<_>>();
    Ok((ty, shape.ok_or_else(expected)?))
}

impl Argument {
    /// Allocates and fills a buffer.
    pub fn place(&self, device: &Device) -> Result<Placed, String> {
        let (from, to) = match self {
            Argument::Number(value) => return Ok(Placed { value: value.clone(), output: None }),
            Argument::Buffer { from, to } => (from, to),
        };
        let (tensor, is_filled) = match from {
            Source::File(path) => (npy::read(path).map_err(|it| it.to_string())?, true),
            Source::FileOf(ty, path) => {
                (npy::read_as(path, *ty).map_err(|it| it.to_string())?, true)
            }
            Source::Shape(ty, shape) => {
                (Tensor::zeros(*ty, shape).map_err(|it| it.to_string())?, false)
            }
        };
        // An empty buffer has an address too.
        let bytes = (tensor.bytes().len() as u64).max(1);
        let address = device.alloc(bytes, 256).map_err(|it| it.to_string())?;
        if is_filled {
            device.write(address, tensor.bytes()).map_err(|it| it.to_string())?;
        }
        let output = to.clone().map(|path| Output { address, tensor, path });
        Ok(Placed { value: address.into(), output })
    }
}

impl Placed {
    /// Writes the output file, if there is one.
    ///
    /// # Errors
    /// If elements are undefined, or the file cannot be written.
    pub fn write(&self, device: &Device) -> Result<(), WriteError> {
        let Some(Output { address, tensor, path }) = &self.output else { return Ok(()) };
        let mut result =
            Tensor::zeros(tensor.element_type(), tensor.shape()).map_err(|it| it.to_string())?;
        match device.read(*address, result.bytes_mut()) {
            Err(DeviceError::Undefined { first, count, .. }) => {
                let elements: usize = tensor.shape().iter().product();
                let size = (tensor.bytes().len() / elements.max(1)).max(1) as u64;
                let (path, element) = (path.display(), first / size);
                return Err(WriteError::Undefined(format!(
                    "{path}: {count} bytes of the result are undefined, first in element {element}: the \
                     kernel has written no defined value there"
                )));
            }
            read => read.map_err(|it| it.to_string())?,
        }
        Ok(npy::write(path, &result).map_err(|it| it.to_string())?)
    }
}

/// Why an output file is not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The kernel leaves elements undefined.
    #[error("{0}")]
    Undefined(String),
    #[error("{0}")]
    Other(String),
}

impl From<String> for WriteError {
    fn from(message: String) -> WriteError {
        WriteError::Other(message)
    }
}
