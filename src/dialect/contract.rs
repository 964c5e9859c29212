//! The floating-point contract of a function: its attribute `loop.fp`.
//!
//! - `strict`, which is also the default: each result has the bits that the function's text
//!   defines, for every schedule and number of threads.
//! - `reassoc`: sums and products over floats may be computed in any order and in parts.
//! - `fast`: like `reassoc`, and a product and a sum may also be rounded once (FMA), a sum that is multiplied by a number may
//!   become a sum of terms that are, and a quotient may become a product with the reciprocal.
//!
//! No contract defines the payload of a NaN. None allows approximate functions: an op allows them itself by its
//! flag `afn` or, for a division, `arcp`. GPUs have instructions for some: see
//! [`approximate_math`](crate::lowering::math::approximate_math).

use crate::ir::{Attribute, Error, Op};

/// The function attribute that states its contract.
pub const ATTRIBUTE: &str = "loop.fp";

/// The transformations of float arithmetic that are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contract {
    /// Each result has the bits that the text of the function defines.
    #[default]
    Strict,
    /// Sums and products over floats may be computed in any order.
    Reassoc,
    /// As `Reassoc`, and a product and a sum may be rounded once, the distributive law may be used, and a quotient may become
    /// a product with the reciprocal.
    Fast,
}

impl Contract {
    /// The word of the attribute, such as `strict`.
    pub fn word(self) -> &'static str {
        match self {
            Contract::Strict => "strict",
            Contract::Reassoc => "reassoc",
            Contract::Fast => "fast",
        }
    }

    /// The contract with a name.
    pub fn from_word(word: &str) -> Option<Contract> {
        [Contract::Strict, Contract::Reassoc, Contract::Fast]
            .into_iter()
            .find(|it| it.word() == word)
    }

    /// The contract of a function.
    ///
    /// # Errors
    /// If the attribute is none of the three.
    pub fn of<'c>(function: Op<'c>) -> Result<Contract, Error<'c>> {
        let Some(stated) = function.attribute(ATTRIBUTE).map(Attribute::as_str) else {
            return Ok(Contract::Strict);
        };
        stated.and_then(Contract::from_word).ok_or_else(|| {
            let found =
                stated.map_or("a value that is not text".to_owned(), |word| format!("\"{word}\""));
            let message = format!("has {found} as '{ATTRIBUTE}', expected strict, reassoc or fast");
            Error::on(function, message)
        })
    }
}
