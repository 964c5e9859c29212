//! The driver's error codes.

use ptx_emulator::{DeviceError, FaultKind, LaunchError, Space};
use std::ffi::CStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    InvalidValue = 1,
    OutOfMemory = 2,
    NotInitialized = 3,
    InvalidDevice = 101,
    InvalidImage = 200,
    InvalidPtx = 218,
    FileNotFound = 301,
    InvalidHandle = 400,
    NotFound = 500,
    IllegalAddress = 700,
    LaunchTimeout = 702,
    IllegalInstruction = 715,
    MisalignedAddress = 716,
    LaunchFailed = 719,
    NotSupported = 801,
    StreamCaptureUnsupported = 900,
    StreamCaptureUnmatched = 903,
}

pub type Result<T = ()> = std::result::Result<T, Status>;

const TABLE: &[(u32, &CStr, &CStr)] = &[
    (0, c"CUDA_SUCCESS", c"no error"),
    (1, c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
    (2, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
    (3, c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"),
    (101, c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
    (200, c"CUDA_ERROR_INVALID_IMAGE", c"device kernel image is invalid"),
    (218, c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed"),
    (301, c"CUDA_ERROR_FILE_NOT_FOUND", c"file not found"),
    (400, c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"),
    (500, c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"),
    (700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
    (702, c"CUDA_ERROR_LAUNCH_TIMEOUT", c"the launch timed out and was terminated"),
    (715, c"CUDA_ERROR_ILLEGAL_INSTRUCTION", c"an illegal instruction was encountered"),
    (716, c"CUDA_ERROR_MISALIGNED_ADDRESS", c"misaligned address"),
    (719, c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure"),
    (801, c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported"),
    (
        900,
        c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
        c"operation not permitted when stream is capturing",
    ),
    (903, c"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", c"the capture was not initiated in this stream"),
];

/// The name and the description of a code.
pub fn texts(code: u32) -> Option<(&'static CStr, &'static CStr)> {
    TABLE.iter().find(|(known, ..)| *known == code).map(|(_, name, text)| (*name, *text))
}

impl From<DeviceError> for Status {
    fn from(error: DeviceError) -> Status {
        match error {
            DeviceError::OutOfMemory { .. } => Status::OutOfMemory,
            DeviceError::NotAllocated { .. } | DeviceError::OutOfBounds { .. } => {
                Status::InvalidValue
            }
            DeviceError::Undefined { .. } => Status::LaunchFailed,
            DeviceError::Module(_) => Status::InvalidPtx,
        }
    }
}

/// The code that hardware would return. Races and other faults that hardware does not detect are unspecified failures.
pub fn of_launch(error: &LaunchError) -> Status {
    let LaunchError::Fault(fault) = error else { return Status::InvalidValue };
    match &fault.kind {
        FaultKind::OutOfBounds { range, .. } if range.space != Space::Param => {
            Status::IllegalAddress
        }
        FaultKind::ReadOnly { .. } => Status::IllegalAddress,
        FaultKind::Misaligned { .. } => Status::MisalignedAddress,
        FaultKind::Trap => Status::IllegalInstruction,
        FaultKind::InstructionLimit { .. } => Status::LaunchTimeout,
        _ => Status::LaunchFailed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_codes_have_texts() {
        for status in [
            Status::InvalidValue,
            Status::InvalidPtx,
            Status::IllegalAddress,
            Status::StreamCaptureUnmatched,
        ] {
            assert!(texts(status as u32).is_some(), "{status:?}");
        }
        assert_eq!(texts(12345), None);
    }
}
