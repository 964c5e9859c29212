//! Scalars and their types.

use crate::ir::{FloatKind, Type, TypeKind};

/// The value of a scalar. Integers and index are kept sign-extended from their width (i1: 0 or 1);
/// floats as the double that equals them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Int(i64),
    Float(f64),
    /// Read from memory that nobody wrote. It may be copied; to compute with it is an error.
    Undefined,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    Index,
    /// Of that many bits, 1 to 64.
    Int(u32),
    Float(FloatKind),
}

impl ScalarType {
    pub fn of(ty: Type) -> Option<ScalarType> {
        match ty.kind() {
            TypeKind::Index => Some(ScalarType::Index),
            TypeKind::Integer(bits @ 1..=64) => Some(ScalarType::Int(bits)),
            TypeKind::Float(kind) => Some(ScalarType::Float(kind)),
            _ => None,
        }
    }
}
