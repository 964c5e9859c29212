//! Names that C and C++ programs can use for a kernel.
//!
//! A kernel `f` is the three symbols `f`, `f_workspace` and `f_signature`, which a header declares for both languages.
//! - (C1) The name is an identifier of C: ASCII letters, digits and `_`, and no digit first.
//! - (C2) None of the three symbols is in the table [`TAKEN`].

/// Names that a header cannot declare: what they are, and the names, in order and with blanks between them. C is C23 with GCC's `asm`, C++ is C++26; older
/// standards have no further keywords.
pub const TAKEN: &[(&str, &str)] = &[
    (
        "a keyword of C",
        "_Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 \
         _Generic _Imaginary _Noreturn _Static_assert _Thread_local alignas alignof asm auto \
         bool break case char const constexpr continue default do double else enum extern \
         false float for goto if inline int long nullptr register restrict return short \
         signed sizeof static static_assert struct switch thread_local true typedef typeof \
         typeof_unqual union unsigned void volatile while",
    ),
    (
        "a keyword of C++",
        "and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return \
         co_yield compl concept const_cast consteval constinit contract_assert decltype \
         delete dynamic_cast explicit export friend mutable namespace new noexcept not \
         not_eq operator or or_eq private protected public reinterpret_cast requires \
         static_cast template this throw try typeid typename using virtual wchar_t xor \
         xor_eq",
    ),
    ("the function in which a program starts", "main"),
    ("a macro of GCC and Clang on Linux", "linux unix"),
    ("a type of loopwright_runtime.h", "lw_kernel lw_runtime lw_workspace"),
    (
        "a type of stdint.h",
        "int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t \
         int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t uint16_t \
         uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t \
         uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t",
    ),
];

/// Why a kernel cannot have a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CNameError {
    /// The name is no identifier of C.
    #[error(
        "'{0}' is not an identifier of C, expected letters, digits and _, and no digit first (C1)"
    )]
    NoIdentifier(String),
    /// C, C++ or the header gives the name another meaning.
    #[error("'{name}' is {what}, expected another name (C2)")]
    Taken {
        /// The name.
        name: String,
        /// The other meaning, in words.
        what: &'static str,
    },
    /// `symbol` is what the header declares besides the kernel.
    #[error("a header would declare '{symbol}' for '{name}', and that is {what} (C2)")]
    SymbolTaken {
        /// The name of the kernel.
        name: String,
        /// The symbol.
        symbol: String,
        /// Its other meaning, in words.
        what: &'static str,
    },
}

/// The three symbols of a kernel.
pub fn symbols(kernel: &str) -> [String; 3] {
    [kernel.to_owned(), format!("{kernel}_workspace"), format!("{kernel}_signature")]
}

/// Checks that a kernel can have a name.
///
/// # Errors
/// If (C1) or (C2) does not hold.
pub fn check_c_name(name: &str) -> Result<(), CNameError> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_identifier =
        name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit());
    if !is_identifier {
        return Err(CNameError::NoIdentifier(name.to_owned()));
    }
    let taken = |symbol: &str| {
        TAKEN
            .iter()
            .find(|(_, names)| names.split(' ').any(|it| it == symbol))
            .map(|(what, _)| *what)
    };
    for symbol in symbols(name) {
        match taken(&symbol) {
            None => {}
            Some(what) if symbol == name => {
                return Err(CNameError::Taken { name: symbol, what });
            }
            Some(what) => {
                return Err(CNameError::SymbolTaken { name: name.to_owned(), symbol, what });
            }
        }
    }
    Ok(())
}

/// The name of a kernel that follows from any text, such as the stem of a file: `_` replaces each character that an
/// identifier cannot have, and `kernel_` precedes a text that is still no name.
pub fn c_name_of(text: &str) -> String {
    let name: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match check_c_name(&name) {
        Ok(()) => name,
        Err(_) => format!("kernel_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c1_an_identifier() {
        for name in ["a", "_", "_9", "Row_sum2"] {
            assert_eq!(check_c_name(name), Ok(()), "{name}");
        }
        for name in ["", "9", "3rows", "a-b", "a b", "größe", "a.b"] {
            let error = check_c_name(name).expect_err(name);
            assert_eq!(error, CNameError::NoIdentifier(name.to_owned()));
        }
    }

    #[test]
    fn c2_not_taken() {
        for (name, message) in [
            ("int", "'int' is a keyword of C, expected another name (C2)"),
            ("class", "'class' is a keyword of C++, expected another name (C2)"),
            (
                "main",
                "'main' is the function in which a program starts, expected another name (C2)",
            ),
            ("int64_t", "'int64_t' is a type of stdint.h, expected another name (C2)"),
            (
                "lw",
                "a header would declare 'lw_workspace' for 'lw', and that is a type of \
                 loopwright_runtime.h (C2)",
            ),
        ] {
            assert_eq!(check_c_name(name).expect_err(name).to_string(), message);
        }
    }

    #[test]
    fn each_name_is_listed_once_and_in_order() {
        for (what, names) in TAKEN {
            assert!(names.split(' ').is_sorted_by(|a, b| a < b), "the list of {what}");
        }
        let mut all: Vec<_> = TAKEN.iter().flat_map(|(_, names)| names.split(' ')).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn every_text_has_a_name() {
        for (text, name) in [
            ("model", "model"),
            ("my-model.v2", "my_model_v2"),
            ("3rows", "kernel_3rows"),
            ("int", "kernel_int"),
            ("main", "kernel_main"),
            ("", "kernel_"),
        ] {
            assert_eq!((c_name_of(text).as_str(), check_c_name(name)), (name, Ok(())));
        }
    }
}
