//! GPU programs: PTX for a chip, and for each function the host steps that launch its kernels. It is plain data that a
//! compiler creates, a file stores, and any process runs.
//!
//! A function works on *buffers* and *numbers*, each with indices of its own: first its arguments, in order, then what
//! its steps define.

mod check;

use crate::kernel::Signature;
use crate::tensor::ElementType;
use serde::{Deserialize, Serialize};

/// Kernels, and the functions that launch them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The chip that the PTX is for, such as `sm_80`.
    pub chip: String,
    /// Empty if no function launches a kernel.
    pub ptx: String,
    /// Buffers that functions only read.
    pub constants: Vec<Constant>,
    /// The functions. A function calls only functions before it.
    pub functions: Vec<Function>,
}

/// The elements of a constant buffer, row-major.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// The type of the elements.
    #[serde(with = "text")]
    pub element_type: ElementType,
    /// The sizes, the slowest dimension first.
    pub shape: Vec<usize>,
    /// The elements, little-endian and row-major.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// The host's steps for a call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The name, unique in the program.
    pub name: String,
    /// The types of the arguments.
    #[serde(with = "text")]
    pub signature: Signature,
    /// The steps of a call, in order.
    pub steps: Vec<Step>,
}

/// A host step. A number or buffer that it defines gets the index `to`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Computes a number.
    Number {
        /// The index of the number that is defined.
        to: usize,
        /// Its definition.
        is: Number,
    },
    /// A buffer with the elements of a constant of the program.
    Constant {
        /// The index of the buffer that is defined.
        to: usize,
        /// The position of the constant in [`Program::constants`].
        constant: usize,
    },
    /// A buffer with undefined elements; its sizes are numbers.
    Allocate {
        /// The index of the buffer that is defined.
        to: usize,
        /// The type of the elements.
        #[serde(with = "text")]
        element_type: ElementType,
        /// The indices of the numbers that are the sizes.
        sizes: Vec<usize>,
    },
    /// Ends the call with an error if a number is 0. `{i}` in the text stands for number `sizes[i]`.
    Require {
        /// The index of the number that must not be 0.
        condition: usize,
        /// The message of the error.
        text: String,
        /// The indices of the numbers that the message shows.
        sizes: Vec<usize>,
    },
    /// Runs one branch if a number is not 0, otherwise the other.
    If {
        /// The index of the number that is tested.
        condition: usize,
        /// The steps if the number is not 0.
        yes: Vec<Step>,
        /// The steps if the number is 0.
        no: Vec<Step>,
    },
    /// Submits a kernel to the device.
    Launch(Launch),
    /// Runs the steps for each value of number `counter`: `from`, `from + by`, .., below `below`.
    For {
        /// The index of the number that counts; it is defined in `body`.
        counter: usize,
        /// The index of the number that is the first value.
        from: usize,
        /// The index of the number that is the exclusive bound.
        below: usize,
        /// The index of the number that is the step.
        by: usize,
        /// The steps of an iteration.
        body: Vec<Step>,
    },
    /// Runs `before`. As long as number `condition`, which it defines, is not 0, runs `body`, then `before` again.
    While {
        /// The steps that compute the condition.
        before: Vec<Step>,
        /// The index of the number that is tested.
        condition: usize,
        /// The steps of an iteration.
        body: Vec<Step>,
    },
    /// Runs a function that comes before this one in the program, with buffers and numbers as its arguments.
    Call {
        /// The position of the function in [`Program::functions`].
        function: usize,
        /// The buffers and numbers, in the order of the signature.
        arguments: Vec<Operand>,
    },
    /// Copies the elements of a buffer to another one of the same size.
    Copy {
        /// The index of the buffer that is read.
        from: usize,
        /// The index of the buffer that is written.
        to: usize,
    },
    /// The number that is the only element of a buffer: a signed integer.
    Read {
        /// The index of the number that is defined.
        to: usize,
        /// The index of the buffer that is read.
        buffer: usize,
    },
    /// Sets the only element of a buffer to the low bytes of a number.
    Write {
        /// The index of the number.
        number: usize,
        /// The index of the buffer that is written.
        buffer: usize,
    },
}

impl Step {
    /// True if the step works on elements of buffers, or contains such a step: it takes place between the launches of a run,
    /// not before them.
    pub(crate) fn is_between_launches(&self) -> bool {
        match self {
            Step::If { yes, no, .. } => yes.iter().chain(no).any(Step::is_between_launches),
            Step::Number { .. }
            | Step::Constant { .. }
            | Step::Allocate { .. }
            | Step::Require { .. }
            | Step::Launch(_) => false,
            Step::For { .. }
            | Step::While { .. }
            | Step::Call { .. }
            | Step::Copy { .. }
            | Step::Read { .. }
            | Step::Write { .. } => true,
        }
    }
}

/// The definition of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// A size of a buffer.
    Size {
        /// The index of the buffer.
        buffer: usize,
        /// The dimension, from 0.
        dimension: usize,
    },
    /// The result of an operation on two numbers.
    Operation {
        /// The operation.
        operation: Operation,
        /// The indices of its operands.
        operands: [usize; 2],
    },
    /// One of two numbers: the first if the condition is not 0, otherwise the second.
    Choice {
        /// The index of the number that is tested.
        condition: usize,
        /// The index of the result if the condition is not 0.
        yes: usize,
        /// The index of the result if the condition is 0.
        no: usize,
    },
}

/// Operations on 64-bit integers, in two's complement. Comparisons give 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// The sum; it wraps.
    Add,
    /// The difference; it wraps.
    Subtract,
    /// The product; it wraps.
    Multiply,
    /// Rounds towards zero. Like all operations not named unsigned, it takes signed numbers.
    Divide,
    /// The quotient, rounded up.
    CeilDivide,
    /// The quotient, rounded down.
    FloorDivide,
    /// The remainder of `Divide`; it has the sign of the dividend.
    Remainder,
    /// The quotient of unsigned numbers, rounded down.
    UnsignedDivide,
    /// The quotient of unsigned numbers, rounded up.
    UnsignedCeilDivide,
    /// The remainder of `UnsignedDivide`.
    UnsignedRemainder,
    /// The smaller number.
    Minimum,
    /// The larger number.
    Maximum,
    /// The smaller of two unsigned numbers.
    UnsignedMinimum,
    /// The larger of two unsigned numbers.
    UnsignedMaximum,
    /// The conjunction of the bits.
    And,
    /// The disjunction of the bits.
    Or,
    /// The exclusive disjunction of the bits.
    Xor,
    /// 1 if the numbers are equal.
    Equal,
    /// 1 if the numbers differ.
    NotEqual,
    /// 1 if the first number is smaller.
    Less,
    /// 1 if the first number is not larger.
    LessOrEqual,
    /// 1 if the first number is smaller, as unsigned numbers.
    UnsignedLess,
    /// 1 if the first number is not larger, as unsigned numbers.
    UnsignedLessOrEqual,
}

/// A kernel, the numbers of its thread blocks and threads along x, y and z, and its arguments.
///
/// `shared`: bytes of shared memory of a thread block, in addition to what the kernel declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The name of the kernel in the PTX.
    pub kernel: String,
    /// The indices of the numbers of thread blocks along x, y and z.
    pub grid: [usize; 3],
    /// The indices of the numbers of threads of a block along x, y and z.
    pub block: [usize; 3],
    /// The additional shared memory of a thread block, in bytes.
    pub shared: u32,
    /// The arguments, in the order of the kernel's parameters.
    pub arguments: Vec<Operand>,
}

/// An argument of a kernel, or of a function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operand {
    /// The address of a buffer.
    Buffer(usize),
    /// The low bytes of a number. Functions get all 8.
    Number {
        /// The index of the number.
        number: usize,
        /// The number of low bytes that are passed.
        bytes: usize,
    },
}

/// Serialization of values that have a text form.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use std::fmt::Display;
    use std::str::FromStr;

    pub fn serialize<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'d, T: FromStr<Err: Display>, D: Deserializer<'d>>(
        from: D,
    ) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl Program {
    /// Looks up a function by its name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

impl Operation {
    /// The result of the operation; `None` for a division by 0, or a quotient that does not fit in 64 bits.
    pub fn of(self, a: i64, b: i64) -> Option<i64> {
        use Operation::*;
        let (unsigned_a, unsigned_b) = (a.cast_unsigned(), b.cast_unsigned());
        // Only the quotient of the least number by -1 does not fit in 64 bits.
        let quotient = || a.checked_div(b);
        let is_inexact = || a.checked_rem(b).is_some_and(|rest| rest != 0);
        let is_negative = (a < 0) != (b < 0);
        Some(match self {
            Add => a.wrapping_add(b),
            Subtract => a.wrapping_sub(b),
            Multiply => a.wrapping_mul(b),
            Divide => quotient()?,
            CeilDivide => quotient()? + i64::from(is_inexact() && !is_negative),
            FloorDivide => quotient()? - i64::from(is_inexact() && is_negative),
            Remainder => a.checked_rem(b)?,
            UnsignedDivide => unsigned_a.checked_div(unsigned_b)?.cast_signed(),
            UnsignedCeilDivide if b == 0 => return None,
            UnsignedCeilDivide => unsigned_a.div_ceil(unsigned_b).cast_signed(),
            UnsignedRemainder => unsigned_a.checked_rem(unsigned_b)?.cast_signed(),
            Minimum => a.min(b),
            Maximum => a.max(b),
            UnsignedMinimum => unsigned_a.min(unsigned_b).cast_signed(),
            UnsignedMaximum => unsigned_a.max(unsigned_b).cast_signed(),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Equal => i64::from(a == b),
            NotEqual => i64::from(a != b),
            Less => i64::from(a < b),
            LessOrEqual => i64::from(a <= b),
            UnsignedLess => i64::from(unsigned_a < unsigned_b),
            UnsignedLessOrEqual => i64::from(unsigned_a <= unsigned_b),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Operation::*;

    #[test]
    fn quotients_are_rounded_as_they_say() {
        let of =
            |a: i64, b: i64| [Divide, CeilDivide, FloorDivide, Remainder].map(|it| it.of(a, b));
        assert_eq!(of(7, 2), [3, 4, 3, 1].map(Some));
        assert_eq!(of(-7, 2), [-3, -3, -4, -1].map(Some));
        assert_eq!(of(7, -2), [-3, -3, -4, 1].map(Some));
        assert_eq!(of(-7, -2), [3, 4, 3, -1].map(Some));
        assert_eq!(of(6, 2), [3, 3, 3, 0].map(Some));
        assert_eq!(of(1, 0), [None; 4]);
        let of = |a: i64, b: i64| {
            [UnsignedDivide, UnsignedCeilDivide, UnsignedRemainder].map(|it| it.of(a, b))
        };
        assert_eq!(of(7, 2), [3, 4, 1].map(Some));
        assert_eq!(of(-1, 2), [i64::MAX, i64::MIN, 1].map(Some));
        assert_eq!(of(1, 0), [None; 3]);
        assert_eq!(Divide.of(i64::MIN, -1), None);
    }

    #[test]
    fn comparisons_are_of_signed_or_unsigned_numbers() {
        let of =
            |a, b| [Less, LessOrEqual, UnsignedLess, UnsignedLessOrEqual].map(|it| it.of(a, b));
        assert_eq!(of(-1, 1), [1, 1, 0, 0].map(Some));
        assert_eq!(of(1, -1), [0, 0, 1, 1].map(Some));
        assert_eq!(of(2, 2), [0, 1, 0, 1].map(Some));
        let of = |a, b| [Minimum, Maximum, UnsignedMinimum, UnsignedMaximum].map(|it| it.of(a, b));
        assert_eq!(of(-1, 1), [-1, 1, 1, -1].map(Some));
    }
}
