//! Runs a function on tensors of a caller. A tensor on the CPU that is dense and aligned is used in place; all others are copied.

use crate::device::Passed;
use crate::error::{ApiError, Code};
use crate::module::{ArgumentDescription, ArgumentKind, Function, FunctionCode};
use loopwright_runtime::dlpack::{DlpackError, Imported};
use loopwright_runtime::kernel::{Argument, RawBuffer};
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::sync::PoisonError;

/// An argument of a run on the CPU.
enum Bound<'a> {
    InPlace(RawBuffer<'a>),
    /// An input that was copied.
    Copied(Tensor),
    /// A result that is copied to its tensor after the run.
    CopiedBack(Tensor, &'a mut Imported),
    Index(i64),
}

/// Runs a function; the arguments are inputs and results in the order of its arguments.
pub fn run(function: &Function, mut arguments: Vec<Imported>) -> Result<(), ApiError> {
    let name = &function.name;
    let (found, expected) = (arguments.len(), function.arguments.len());
    if found != expected {
        let message = format!("{name}: found {found} arguments, expected {expected}");
        return Err(ApiError::new(Code::Argument, message));
    }
    for (i, (argument, described)) in arguments.iter().zip(&function.arguments).enumerate() {
        described.check(argument.element_type(), argument.shape()).map_err(|misfit| {
            ApiError::new(Code::Argument, format!("{name}: argument {i} {misfit}"))
        })?;
    }
    let refused = |(i, error): (usize, DlpackError)| {
        let message = error.to_string();
        let message = message.strip_prefix("dlpack: ").unwrap_or(&message);
        ApiError::new(Code::Argument, format!("{name}: argument {i}: {message}"))
    };
    match &function.code {
        FunctionCode::Cpu { kernel, pool, workspaces } => {
            let mut bound = vec![];
            for (i, (argument, described)) in
                arguments.iter_mut().zip(&function.arguments).enumerate()
            {
                bound.push(bind(argument, described).map_err(|error| refused((i, error)))?);
            }
            let mut workspace = {
                let mut free = workspaces.lock().unwrap_or_else(PoisonError::into_inner);
                free.pop().unwrap_or_default()
            };
            let mut passed: Vec<Argument> = bound
                .iter_mut()
                .map(|bound| match bound {
                    Bound::InPlace(raw) => Argument::Raw(raw.clone()),
                    Bound::Copied(tensor) => Argument::Input(tensor),
                    Bound::CopiedBack(tensor, _) => Argument::Output(tensor),
                    Bound::Index(index) => Argument::Index(*index),
                })
                .collect();
            let ran =
                kernel.prepare(&**pool, &mut passed, &mut workspace).map(|mut call| call.run());
            drop(passed);
            workspaces.lock().unwrap_or_else(PoisonError::into_inner).push(workspace);
            ran.map_err(|error| ApiError::new(Code::Argument, error.to_string()))?;
            for (i, bound) in bound.into_iter().enumerate() {
                if let Bound::CopiedBack(tensor, to) = bound {
                    to.copy_from(&tensor).map_err(|error| refused((i, error)))?;
                }
            }
            Ok(())
        }
        FunctionCode::Device(device) => {
            let mut passed = vec![];
            for (i, (argument, described)) in arguments.iter().zip(&function.arguments).enumerate()
            {
                passed.push(copied(argument, described).map_err(|error| refused((i, error)))?);
            }
            let passed = device.run(name, passed)?;
            for (i, (to, passed)) in arguments.iter_mut().zip(passed).enumerate() {
                if let Passed::Result(tensor) = passed {
                    to.copy_from(&tensor).map_err(|error| refused((i, error)))?;
                }
            }
            Ok(())
        }
    }
}

/// Why a tensor does not fit an argument; continues "argument 0 ".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The element type is wrong.
    #[error("has elements of type {found}, expected {expected}")]
    ElementType {
        /// The element type of the tensor.
        found: ElementType,
        /// The element type of the argument.
        expected: ElementType,
    },
    /// The rank is wrong.
    #[error("has rank {found}, expected {expected}")]
    Rank {
        /// The rank of the tensor.
        found: usize,
        /// The rank of the argument.
        expected: usize,
    },
    /// A static size is wrong.
    #[error("has size {found} in dimension {dimension}, expected {expected}")]
    Size {
        /// The dimension, from 0.
        dimension: usize,
        /// The size of the tensor.
        found: usize,
        /// The size of the argument.
        expected: i64,
    },
}

impl ArgumentDescription {
    /// Checks what does not depend on other arguments, so that no memory is read or allocated for an argument that does not
    /// fit.
    ///
    /// # Errors
    /// If the element type, the rank or a size differs.
    pub fn check(&self, element_type: ElementType, shape: &[usize]) -> Result<(), Misfit> {
        let expected = self.element_type;
        if element_type != expected {
            return Err(Misfit::ElementType { found: element_type, expected });
        }
        let (found, expected) = (shape.len(), self.sizes.len());
        if found != expected {
            return Err(Misfit::Rank { found, expected });
        }
        for (dimension, (found, expected)) in shape.iter().zip(&self.sizes).enumerate() {
            if *expected >= 0 && *found as i64 != *expected {
                return Err(Misfit::Size { dimension, found: *found, expected: *expected });
            }
        }
        Ok(())
    }
}

/// An argument on the CPU.
fn bind<'a>(
    argument: &'a mut Imported,
    described: &ArgumentDescription,
) -> Result<Bound<'a>, DlpackError> {
    match described.kind {
        ArgumentKind::Index => Ok(Bound::Index(argument.to_tensor()?.get_i64(0))),
        ArgumentKind::Input if argument.is_in_place() => Ok(Bound::InPlace(argument.input()?)),
        ArgumentKind::Input => Ok(Bound::Copied(argument.to_tensor()?)),
        ArgumentKind::Result if argument.is_in_place() => Ok(Bound::InPlace(argument.output()?)),
        ArgumentKind::Result => Ok(Bound::CopiedBack(result(argument)?, argument)),
    }
}

/// An argument for a device.
fn copied(argument: &Imported, described: &ArgumentDescription) -> Result<Passed, DlpackError> {
    match described.kind {
        ArgumentKind::Index => Ok(Passed::Index(argument.to_tensor()?.get_i64(0))),
        ArgumentKind::Input => Ok(Passed::Input(argument.to_tensor()?)),
        ArgumentKind::Result => Ok(Passed::Result(result(argument)?)),
    }
}

/// A tensor for a result that will be copied.
fn result(argument: &Imported) -> Result<Tensor, DlpackError> {
    argument.check_result()?;
    Ok(Tensor::zeros(argument.element_type(), argument.shape())?)
}
