//! The element types of tensors in memory.

use super::TensorError;
use std::fmt;
use std::str::FromStr;

/// The type of an element. `FromStr` parses the names of [`ElementType::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// A boolean, stored as one byte 0 or 1.
    Bool,
    /// An 8-bit signed integer; all integers are two's complement.
    I8,
    /// A 16-bit signed integer.
    I16,
    /// A 32-bit signed integer.
    I32,
    /// A 64-bit signed integer.
    I64,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of an IEEE 754 binary32.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl ElementType {
    /// All types, in the order of their declaration.
    pub const ALL: [ElementType; 9] = [
        ElementType::Bool,
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::F16,
        ElementType::BF16,
        ElementType::F32,
        ElementType::F64,
    ];

    /// The size of an element in memory, in bytes.
    pub fn size_in_bytes(self) -> usize {
        match self {
            ElementType::Bool | ElementType::I8 => 1,
            ElementType::I16 | ElementType::F16 | ElementType::BF16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::F64 => 8,
        }
    }

    /// True for f16, bf16, f32 and f64.
    pub fn is_float(self) -> bool {
        use ElementType::*;
        matches!(self, F16 | BF16 | F32 | F64)
    }

    /// The name: `bool`, `i8`, ..., `bf16`, ..., `f64`.
    pub fn name(self) -> &'static str {
        match self {
            ElementType::Bool => "bool",
            ElementType::I8 => "i8",
            ElementType::I16 => "i16",
            ElementType::I32 => "i32",
            ElementType::I64 => "i64",
            ElementType::F16 => "f16",
            ElementType::BF16 => "bf16",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ElementType {
    type Err = TensorError;

    fn from_str(name: &str) -> Result<Self, TensorError> {
        let found = ElementType::ALL.into_iter().find(|ty| ty.name() == name);
        found.ok_or_else(|| TensorError::UnknownType(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for ty in ElementType::ALL {
            assert_eq!(ty.to_string().parse(), Ok(ty));
        }
        assert_eq!(format!("{:>5}|{:<5}|", ElementType::I8, ElementType::Bool), "   i8|bool |");
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", "f8", "F32", "i1", "u8", " f32"] {
            let error = name.parse::<ElementType>().expect_err("no type of ours").to_string();
            let start = format!("unknown element type '{name}', expected bool, i8, ");
            assert!(error.starts_with(&start), "{error}");
        }
    }
}
