//! The arguments of a kernel call, checked against its signature.
//!
//! A call is refused unless
//! - (C1) there are as many arguments as the signature has,
//! - (C2) each is of the signature's kind: an input, an output for a result, an index,
//! - (C3) buffers have the element type of the signature; booleans are bytes 0 and 1,
//! - (C4) its rank,
//! - (C5) and its static sizes,
//! - (C6) and start at multiples of [`ALIGNMENT`],
//! - (C7) results overlap no other buffer. Inputs may overlap each other;
//! - (C8) the kernel accepts the dynamic sizes and indices ([`Kernel::prepare`](super::Kernel::prepare) asks it).

use super::{ArgumentType, BufferType, RawBuffer, Signature};
use crate::tensor::{ALIGNMENT, ElementType, Tensor};
use std::ffi::c_void;

/// An argument of a call.
#[derive(Debug)]
pub enum Argument<'a> {
    /// A buffer that is read.
    Input(&'a Tensor),
    /// A buffer that receives a result. Its previous contents are ignored.
    Output(&'a mut Tensor),
    /// Memory that no tensor owns, as an input or an output.
    Raw(RawBuffer<'a>),
    /// An integer.
    Index(i64),
}

/// Why a call is refused. Arguments and dimensions count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The number of arguments is wrong.
    #[error("{kernel}: found {found} arguments, expected {expected} (C1)")]
    Count {
        /// The name of the kernel.
        kernel: String,
        /// The number of arguments of the call.
        found: usize,
        /// The number of arguments of the signature.
        expected: usize,
    },
    /// `found` is "an input", "an output", "a buffer", "a read-only buffer" or "an index".
    #[error("{kernel}: argument {argument} is {found}, expected {expected} (C2)")]
    Kind {
        /// The name of the kernel.
        kernel: String,
        /// The position of the argument.
        argument: usize,
        /// The kind of the argument.
        found: &'static str,
        /// The type in the signature.
        expected: ArgumentType,
    },
    /// The element type is wrong.
    #[error("{kernel}: argument {argument} has elements of type {found}, expected {expected} (C3)")]
    ElementType {
        /// The name of the kernel.
        kernel: String,
        /// The position of the argument.
        argument: usize,
        /// The element type of the argument.
        found: ElementType,
        /// The element type in the signature.
        expected: ElementType,
    },
    /// A byte of a boolean buffer is neither 0 nor 1.
    #[error(
        "{kernel}: argument {argument} has the byte {found} as a boolean, expected 0 or 1 (C3)"
    )]
    Boolean {
        /// The name of the kernel.
        kernel: String,
        /// The position of the argument.
        argument: usize,
        /// The first such byte.
        found: u8,
    },
    /// The rank is wrong.
    #[error("{kernel}: argument {argument} has rank {found}, expected {expected} (C4)")]
    Rank {
        /// The name of the kernel.
        kernel: String,
        /// The position of the argument.
        argument: usize,
        /// The rank of the argument.
        found: usize,
        /// The rank in the signature.
        expected: usize,
    },
    /// A static size is wrong.
    #[error(
        "{kernel}: argument {argument} has size {found} in dimension {dimension}, expected {expected} (C5)"
    )]
    Size {
        /// The name of the kernel.
        kernel: String,
        /// The position of the argument.
        argument: usize,
        /// The dimension.
        dimension: usize,
        /// The size of the argument.
        found: usize,
        /// The size in the signature.
        expected: u64,
    },
    /// A buffer is not aligned to [`ALIGNMENT`].
    #[error(
        "{kernel}: argument {argument} is at address {address:#x}, expected a multiple of {ALIGNMENT} (C6)"
    )]
    Alignment {
        /// The name of the kernel.
        kernel: String,
        /// The position of the argument.
        argument: usize,
        /// The address of the buffer.
        address: usize,
    },
    /// The memory of a result overlaps another buffer.
    #[error(
        "{kernel}: argument {argument} receives a result and overlaps argument {other}, expected memory of its own (C7)"
    )]
    Overlap {
        /// The name of the kernel.
        kernel: String,
        /// The position of the result.
        argument: usize,
        /// The position of the other buffer.
        other: usize,
    },
    /// In the order in which the kernel gets them: for each argument, its dynamic dimensions or its index.
    /// `requirement` is the condition that they do not meet, if the kernel has a text for it.
    #[error("{kernel}: {} (C8)", of_sizes(requirement.as_deref(), sizes))]
    Sizes {
        /// The name of the kernel.
        kernel: String,
        /// The condition that the sizes do not meet; `None` if the kernel has no text for it.
        requirement: Option<String>,
        /// The dynamic sizes and indices.
        sizes: Vec<i64>,
    },
    /// The kernel needs more workspace than can be allocated.
    #[error("{kernel}: its workspace of {bytes} bytes does not fit in memory")]
    WorkspaceMemory {
        /// The name of the kernel.
        kernel: String,
        /// The size of the workspace, in bytes.
        bytes: usize,
    },
}

fn of_sizes(requirement: Option<&str>, sizes: &[i64]) -> String {
    let without = || format!("does not work with the sizes {sizes:?}");
    requirement.map_or_else(without, str::to_owned)
}

/// The raw arguments of the kernel's function.
pub(super) struct Plan {
    pub buffers: Vec<*mut c_void>,
    pub sizes: Vec<i64>,
}

/// Checks arguments; see the head of the file.
pub(super) fn check(
    kernel: &str,
    signature: &Signature,
    arguments: &mut [Argument],
) -> Result<Plan, CallError> {
    let name = || kernel.to_owned();
    let expected = &signature.arguments;
    if arguments.len() != expected.len() {
        let (found, expected) = (arguments.len(), expected.len());
        return Err(CallError::Count { kernel: name(), found, expected });
    }
    let (mut buffers, mut sizes) = (vec![], vec![]);
    for (argument, (found, expected)) in arguments.iter_mut().zip(expected).enumerate() {
        check_booleans(&name, argument, found)?;
        let kind = found.kind();
        match expected {
            ArgumentType::Index if let Argument::Index(value) = found => sizes.push(*value),
            ArgumentType::Buffer(expected) if let Some(buffer) = found.buffer(expected) => {
                check_buffer(&name, argument, expected, &buffer)?;
                sizes.extend(buffer.dynamic_sizes(expected));
                buffers.push((argument, buffer));
            }
            _ => {
                let expected = expected.clone();
                return Err(CallError::Kind { kernel: name(), argument, found: kind, expected });
            }
        }
    }
    check_overlap(&name, &buffers)?;
    Ok(Plan { buffers: buffers.iter().map(|(_, buffer)| buffer.start.cast()).collect(), sizes })
}

/// A buffer in memory, from any kind of argument.
struct Buffer<'a> {
    start: *mut u8,
    bytes: usize,
    element_type: ElementType,
    shape: &'a [usize],
    is_result: bool,
}

impl Argument<'_> {
    /// The shape of a buffer; empty for an index.
    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Argument::Input(tensor) => tensor.shape(),
            Argument::Output(tensor) => tensor.shape(),
            Argument::Raw(raw) => &raw.shape,
            Argument::Index(_) => &[],
        }
    }

    /// The elements of a buffer; empty for an index.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Argument::Input(tensor) => tensor.bytes(),
            Argument::Output(tensor) => tensor.bytes(),
            Argument::Raw(raw) => raw.bytes(),
            Argument::Index(_) => &[],
        }
    }

    /// The elements of an argument that receives a result.
    pub(crate) fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        match self {
            Argument::Output(tensor) => Some(tensor.bytes_mut()),
            Argument::Raw(raw) => raw.bytes_mut(),
            Argument::Input(_) | Argument::Index(_) => None,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Argument::Input(_) => "an input",
            Argument::Output(_) => "an output",
            Argument::Raw(raw) if raw.is_read_only => "a read-only buffer",
            Argument::Raw(_) => "a buffer",
            Argument::Index(_) => "an index",
        }
    }

    /// The buffer of an argument; `None` for an index, and for an input where an output is expected or the reverse.
    fn buffer(&mut self, expected: &BufferType) -> Option<Buffer<'_>> {
        let is_result = expected.is_result;
        let (start, bytes, element_type, shape) = match self {
            Argument::Input(tensor) if !is_result => {
                let bytes = tensor.bytes();
                (bytes.as_ptr().cast_mut(), bytes.len(), tensor.element_type(), tensor.shape())
            }
            Argument::Output(tensor) if is_result => {
                let bytes = tensor.bytes_mut();
                (bytes.as_mut_ptr(), bytes.len(), tensor.element_type(), tensor.shape())
            }
            Argument::Raw(raw) if !(is_result && raw.is_read_only) => {
                (raw.start.as_ptr(), raw.bytes, raw.element_type, &raw.shape[..])
            }
            _ => return None,
        };
        Some(Buffer { start, bytes, element_type, shape, is_result })
    }
}

impl Buffer<'_> {
    /// No buffer in memory has a size above the maximum of i64, so none wraps.
    fn dynamic_sizes(&self, expected: &BufferType) -> impl Iterator<Item = i64> {
        let sizes = self.shape.iter().zip(&expected.shape);
        sizes.filter(|(_, expected)| expected.is_none()).map(|(size, _)| *size as i64)
    }

    fn overlaps(&self, other: &Buffer) -> bool {
        let (first, second) = (self.start.addr(), other.start.addr());
        let is_empty = self.bytes == 0 || other.bytes == 0;
        !is_empty && first < second + other.bytes && second < first + self.bytes
    }
}

fn check_buffer(
    name: &impl Fn() -> String,
    argument: usize,
    expected: &BufferType,
    found: &Buffer,
) -> Result<(), CallError> {
    if found.element_type != expected.element_type {
        let (found, expected) = (found.element_type, expected.element_type);
        return Err(CallError::ElementType { kernel: name(), argument, found, expected });
    }
    if found.shape.len() != expected.shape.len() {
        let (found, expected) = (found.shape.len(), expected.shape.len());
        return Err(CallError::Rank { kernel: name(), argument, found, expected });
    }
    for (dimension, (found, expected)) in found.shape.iter().zip(&expected.shape).enumerate() {
        if let Some(expected) = *expected
            && *found as u64 != expected
        {
            let (kernel, found) = (name(), *found);
            return Err(CallError::Size { kernel, argument, dimension, found, expected });
        }
    }
    if !found.start.addr().is_multiple_of(ALIGNMENT) {
        let address = found.start.addr();
        return Err(CallError::Alignment { kernel: name(), argument, address });
    }
    Ok(())
}

/// Checks the elements of an input of booleans: `Tensor::bytes_mut` can set any byte.
fn check_booleans(
    name: &impl Fn() -> String,
    argument: usize,
    found: &Argument,
) -> Result<(), CallError> {
    let Argument::Input(tensor) = found else { return Ok(()) };
    let is_boolean = tensor.element_type() == ElementType::Bool;
    let wrong = tensor.bytes().iter().find(|byte| is_boolean && **byte > 1);
    match wrong {
        Some(byte) => Err(CallError::Boolean { kernel: name(), argument, found: *byte }),
        None => Ok(()),
    }
}

fn check_overlap(name: &impl Fn() -> String, buffers: &[(usize, Buffer)]) -> Result<(), CallError> {
    for (argument, buffer) in buffers.iter().filter(|(_, buffer)| buffer.is_result) {
        let mut others = buffers.iter().filter(|(other, _)| other != argument);
        if let Some((other, _)) = others.find(|(_, other)| buffer.overlaps(other)) {
            let (argument, other) = (*argument, *other);
            return Err(CallError::Overlap { kernel: name(), argument, other });
        }
    }
    Ok(())
}
