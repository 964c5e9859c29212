//! The types that an element of a tensor in memory can have.

use super::TensorError;
use std::fmt;
use std::str::FromStr;

/// The type of an element. `FromStr` reads what [`ElementType::name`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// A boolean, stored as one byte 0 or 1.
    Bool,
    /// A signed integer of 8 bits, two's complement as all integers here.
    I8,
    /// A signed integer of 16 bits.
    I16,
    /// A signed integer of 32 bits.
    I32,
    /// A signed integer of 64 bits.
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

    /// The bytes that an element takes in memory.
    pub fn size_in_bytes(self) -> usize {
        match self {
            ElementType::Bool | ElementType::I8 => 1,
            ElementType::I16 | ElementType::F16 | ElementType::BF16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::F64 => 8,
        }
    }

    /// Whether it is one of f16, bf16, f32 and f64.
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
