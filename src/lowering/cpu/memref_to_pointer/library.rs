//! The library functions that object code may call implicitly (C12).

/// Functions of libm for f64; the f32 versions have the suffix `f`.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "fma",
    "fmax",
    "fmaximum",
    "fmaximum_num",
    "fmin",
    "fminimum",
    "fminimum_num",
    "fmod",
    "frexp",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "lrint",
    "lround",
    "modf",
    "nearbyint",
    "pow",
    "remainder",
    "rint",
    "round",
    "roundeven",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

const MEMORY: &[&str] = &["bcmp", "memcmp", "memcpy", "memmove", "memset"];

/// True if `name` is one of them. Functions of libgcc begin with two underscores.
pub(crate) fn has(name: &str) -> bool {
    let base = name.strip_suffix('f').unwrap_or(name);
    let is_math = MATH.contains(&name) || MATH.contains(&base);
    is_math || MEMORY.contains(&name) || name.starts_with("__")
}
