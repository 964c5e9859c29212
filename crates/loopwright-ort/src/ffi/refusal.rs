//! The entries of the table that are not implemented. Those that return a status say so; the others return null or zero, which
//! stands for "absent" in ONNX Runtime's C API.

use super::status::status;
use crate::failure::Failure;
use ort::sys::{OrtDeviceMemoryType, OrtHardwareDeviceType, OrtStatusPtr};
use std::ptr::{null, null_mut};

/// The name of an entry.
pub trait EntryName {
    const NAME: &'static str;
}

/// A function pointer of the table.
pub trait Entry {
    /// The function that refuses all calls.
    fn refusing<N: EntryName>() -> Self;
}

/// What a refused call returns.
pub trait Refusal {
    fn refused(name: &str) -> Self;
}

impl Refusal for OrtStatusPtr {
    fn refused(name: &str) -> OrtStatusPtr {
        status(Failure::unsupported(format!("not implemented by loopwright: {name}")))
    }
}

impl<T> Refusal for *const T {
    fn refused(_: &str) -> *const T {
        null()
    }
}

impl<T> Refusal for *mut T {
    fn refused(_: &str) -> *mut T {
        null_mut()
    }
}

/// Implements [`Refusal`] by a value.
macro_rules! refused_values {
    ($($ty:ty = $value:expr),* $(,)?) => {$(
        impl Refusal for $ty {
            fn refused(_: &str) -> $ty {
                $value
            }
        }
    )*};
}

refused_values! {
    () = (),
    u32 = 0,
    i64 = 0,
    usize = 0,
    bool = false,
    OrtDeviceMemoryType = OrtDeviceMemoryType::OrtDeviceMemoryType_DEFAULT,
    OrtHardwareDeviceType = OrtHardwareDeviceType::OrtHardwareDeviceType_CPU,
}

/// Implements [`Entry`] for functions with these parameters.
macro_rules! entries {
    ($($($parameter:ident)*;)*) => {$(
        impl<$($parameter,)* R: Refusal> Entry for unsafe extern "system" fn($($parameter),*) -> R {
            fn refusing<N: EntryName>() -> Self {
                unsafe extern "system" fn refuse<N: EntryName, R: Refusal, $($parameter),*>(
                    $(_: $parameter),*
                ) -> R {
                    R::refused(N::NAME)
                }
                refuse::<N, R, $($parameter),*>
            }
        }
    )*};
}

entries! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
