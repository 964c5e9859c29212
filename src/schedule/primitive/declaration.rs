//! The declaration of a primitive: its row, its typed arguments and its method, from one text.
//!
//! ```text
//! primitive! {
//!     "Split a loop into nested loops by factors"
//!     /// Returns the names of the parts.
//!     split(
//!         r#loop: Loop,
//!         factors: Integers = "The extents of the new loops, outermost first",
//!         tail: OptionalWord = TAIL;
//!         proof
//!     ) -> Vec<String>;
//!     near_atomic;
//!     |state| split(state, r#loop, factors, tail, proof)
//! }
//! ```
//! - The text is the summary of the row and the first sentence of the method's documentation; comments follow it.
//! - A parameter has a [kind](crate::schedule::instruction::ParameterKind) and a summary. Names of loops, schedule
//!   blocks and buffers have a default summary.
//! - `proof` follows the other parameters if the primitive has obligations. The method does not take it:
//!   `assume()` and `guard()` set it.
//! - The type is what the method returns: no, one or several names. See [`Created`](crate::schedule::instruction::Created).
//! - `near_atomic` is the flag of the row; a primitive without it is refused near concurrent atomic updates.
//! - The last expression applies the primitive. The parameters are variables in it, by their kinds `&str`, `&[String]`,
//!   `&[i64]`, `Option<i64>`, `Option<&str>` or `&Literal`; `proof` is `&mut Proofs`.
//!
//! It expands to the constant `PRIMITIVE`, and to the macro `method!`, which the table gathers: `impl Schedule` in
//! `schedule/step.rs` has all methods.

/// Declares a primitive: see the head of the file.
macro_rules! primitive {
    (
        $summary:literal
        $(#[$documentation:meta])*
        $name:ident(
            $($parameter:ident: $kind:ident $(= $text:expr)?),+ $(; $proof:ident)?
        ) -> $created:ty;
        $($near_atomic:ident;)?
        |$state:ident| $apply:expr
    ) => {
        pub(crate) const PRIMITIVE: $crate::schedule::instruction::Primitive =
            $crate::schedule::instruction::Primitive {
                name: stringify!($name),
                pass: {
                    const NAME: &str = concat!("sched-", stringify!($name));
                    const FLAG: [u8; NAME.len()] =
                        $crate::schedule::primitive::declaration::flag(NAME);
                    match str::from_utf8(&FLAG) {
                        Ok(flag) => flag,
                        Err(_) => panic!("names are ASCII"),
                    }
                },
                summary: $summary,
                parameters: &[
                    $($crate::schedule::instruction::Parameter {
                        name: $crate::schedule::primitive::declaration::plain(
                            stringify!($parameter),
                        ),
                        kind: $crate::schedule::instruction::ParameterKind::$kind,
                        summary: $crate::schedule::primitive::declaration::summary!(
                            $kind $(, $text)?
                        ),
                    },)+
                    $($crate::schedule::primitive::declaration::proof!(parameter $proof))?
                ],
                creates: <$created as $crate::schedule::instruction::Created>::CREATES,
                near_atomic: $crate::schedule::primitive::declaration::near_atomic!(
                    $($near_atomic)?
                ),
                apply: |$state, arguments| {
                    let [$($parameter,)+ $($proof)?] = arguments else {
                        unreachable!("a step has one argument for each parameter");
                    };
                    $(let $parameter =
                        $crate::schedule::primitive::declaration::read!($kind, $parameter);)+
                    $(let $proof = $crate::schedule::primitive::declaration::proof!(
                        obligations $proof $state
                    );)?
                    let created: $created = $apply?;
                    Ok($crate::schedule::instruction::Created::names(created))
                },
            };

        macro_rules! method {
            () => {
                #[doc = concat!($summary, ". See [`", stringify!($name), "`](mod@", stringify!($name), ").")]
                $(#[$documentation])*
                pub fn $name(
                    &mut self,
                    $($parameter: $crate::schedule::primitive::declaration::taken!($kind)),+
                ) -> Result<$created, $crate::schedule::error::ScheduleError> {
                    use $crate::schedule::primitive::declaration;
                    let arguments = vec![
                        $(declaration::given!($kind, $parameter),)+
                        $(declaration::proof!(taken $proof self))?
                    ];
                    let names = self.run(&$name::PRIMITIVE, arguments)?;
                    Ok($crate::schedule::instruction::Created::of(names))
                }
            };
        }
        pub(crate) use method;
    };
}

/// The type that a method takes for a parameter.
macro_rules! taken {
    (Loops) => { &[&str] };
    (Blocks) => { &[&str] };
    (Integers) => { impl Into<$crate::schedule::instruction::NumberList> };
    (OptionalIntegers) => { impl Into<$crate::schedule::instruction::NumberList> };
    (OptionalInteger) => { impl Into<$crate::schedule::instruction::OptionalNumber> };
    (OptionalWord) => { Option<&str> };
    (Literal) => { impl Into<$crate::schedule::instruction::Literal> };
    ($text:ident) => { &str };
}

/// The argument for what a method was given.
macro_rules! given {
    (Integers, $value:ident) => {
        $value.into().0
    };
    (OptionalIntegers, $value:ident) => {
        $value.into().0
    };
    (OptionalInteger, $value:ident) => {
        $value.into().0
    };
    (Literal, $value:ident) => {
        $crate::schedule::instruction::Argument::Literal($value.into())
    };
    ($other:ident, $value:ident) => {
        $crate::schedule::instruction::Argument::from($value)
    };
}

/// What an argument contains.
macro_rules! read {
    (Loops, $argument:ident) => {
        $argument.texts()
    };
    (Blocks, $argument:ident) => {
        $argument.texts()
    };
    (Integers, $argument:ident) => {
        $argument.integers()
    };
    (OptionalIntegers, $argument:ident) => {
        $argument.integers()
    };
    (OptionalInteger, $argument:ident) => {
        $argument.optional_integer()
    };
    (OptionalWord, $argument:ident) => {
        $argument.optional_text()
    };
    (Literal, $argument:ident) => {
        $argument.literal()
    };
    ($text:ident, $argument:ident) => {
        $argument.text()
    };
}

/// The parameter `proof`: its row, the obligations in a step, and what the method passes.
macro_rules! proof {
    (parameter $proof:ident) => {
        $crate::schedule::legality::proof::PROOF
    };
    (obligations $proof:ident $state:ident) => {
        &mut $crate::schedule::legality::proof::Proofs::of($state, $proof)
    };
    (taken $proof:ident $schedule:ident) => {
        $schedule.proof()
    };
}

macro_rules! summary {
    ($kind:ident) => {
        $crate::schedule::instruction::ParameterKind::$kind.summary()
    };
    ($kind:ident, $text:expr) => {
        $text
    };
}

macro_rules! near_atomic {
    () => {
        false
    };
    (near_atomic) => {
        true
    };
}

pub(crate) use {given, near_atomic, primitive, proof, read, summary, taken};

/// The name of a parameter without the `r#` of a Rust keyword.
pub(crate) const fn plain(name: &str) -> &str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// The flag of a pass: a name in kebab-case.
pub(crate) const fn flag<const N: usize>(name: &str) -> [u8; N] {
    let (mut flag, mut i) = ([0; N], 0);
    while i < N {
        flag[i] = match name.as_bytes()[i] {
            b'_' => b'-',
            byte => byte,
        };
        i += 1;
    }
    flag
}
