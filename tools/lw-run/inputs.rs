//! The value of `--input`: a file, or how to generate the elements of an argument, and the argument's name if one is given.

use loopwright::interpreter::random::Random;
use loopwright_runtime::tensor::{ElementType, Tensor, TensorError};
use std::fmt;
use std::path::{Path, PathBuf};

/// The value of `--input`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenInput {
    /// The argument's name in the model; None for the next argument.
    pub name: Option<String>,
    pub source: InputSource,
}

/// Where an argument comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    File(PathBuf),
    Generated(Generator),
}

/// How elements are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// Floats are uniform from -1 to 1. Integers and booleans are 0 or 1, which as indices are in bounds of most
    /// tensors. Argument `i` has the seed `seed + i`.
    Random {
        seed: u64,
    },
    Ones,
    /// The row-major position of the element, modulo [`period`].
    Iota,
}

/// True for a text that is more likely a generator with a spelling mistake than a file.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Parses an `--input`: `[NAME=]SOURCE`. A file whose path has a `=` is found before a name is.
pub fn given(word: &str) -> Result<GivenInput, String> {
    let (name, word) = match word.split_once('=') {
        Some((name, rest)) if !name.is_empty() && !Path::new(word).exists() => {
            (Some(name.to_owned()), rest)
        }
        _ => (None, word),
    };
    Ok(GivenInput { name, source: source(word)? })
}

/// Parses a source. A file whose name is that of a generator is given as `./ones`.
fn source(word: &str) -> Result<InputSource, String> {
    let generator = match word.split_once(':') {
        None if word == "ones" => Generator::Ones,
        None if word == "iota" => Generator::Iota,
        None if word == "random" => Generator::Random { seed: 0 },
        Some(("random", seed)) => {
            let seed = seed.parse().map_err(|_| {
                format!("found the seed '{seed}', expected a whole number that is 0 or more")
            })?;
            Generator::Random { seed }
        }
        _ if is_word(word) && !Path::new(word).exists() => {
            return Err("found neither a file nor a generator, expected FILE.npy, random[:SEED], \
                        ones or iota"
                .into());
        }
        _ => return Ok(InputSource::File(word.into())),
    };
    Ok(InputSource::Generated(generator))
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Generator::Random { seed } => write!(f, "random:{seed}"),
            Generator::Ones => f.write_str("ones"),
            Generator::Iota => f.write_str("iota"),
        }
    }
}

impl Generator {
    /// The tensor for argument `i` of a function.
    pub fn tensor(
        self,
        i: usize,
        element: ElementType,
        shape: &[usize],
    ) -> Result<Tensor, TensorError> {
        let mut tensor = Tensor::zeros(element, shape)?;
        let seed = match self {
            Generator::Random { seed } => seed,
            Generator::Ones | Generator::Iota => 0,
        };
        let mut random = Random::new(seed.wrapping_add(i as u64));
        for at in 0..tensor.len() {
            match (self, element.is_float()) {
                (Generator::Random { .. }, true) => {
                    // 24 bits of fraction: exact in f32.
                    let fraction = (random.bits() >> 40) as f64 / f64::from(1 << 23);
                    tensor.set_f64(at, fraction - 1.0);
                }
                (Generator::Random { .. }, false) => {
                    tensor.set_i64(at, (random.bits() >> 63) as i64)
                }
                (Generator::Ones, true) => tensor.set_f64(at, 1.0),
                (Generator::Ones, false) => tensor.set_i64(at, 1),
                (Generator::Iota, true) => tensor.set_f64(at, (at as u64 % period(element)) as f64),
                (Generator::Iota, false) => {
                    tensor.set_i64(at, (at as u64 % period(element)) as i64)
                }
            }
        }
        Ok(tensor)
    }
}

/// The least positive integer after which a type does not have the next one, or for booleans 2.
fn period(element: ElementType) -> u64 {
    match element {
        ElementType::Bool => 2,
        ElementType::I8 => 1 << 7,
        ElementType::I16 => 1 << 15,
        ElementType::I32 => 1 << 31,
        ElementType::I64 => 1 << 63,
        ElementType::F16 => 1 << 11,
        ElementType::BF16 => 1 << 8,
        ElementType::F32 => 1 << 24,
        ElementType::F64 => 1 << 53,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_generator_is_no_file() {
        let generated = |word: &str, text: &str| match source(word) {
            Ok(InputSource::Generated(generator)) => assert_eq!(generator.to_string(), text),
            other => panic!("{word} is {other:?}"),
        };
        generated("random", "random:0");
        generated("random:7", "random:7");
        generated("ones", "ones");
        generated("iota", "iota");
        for word in ["x.npy", "./ones", "ones.npy", "c:ones", ""] {
            assert_eq!(source(word), Ok(InputSource::File(word.into())), "{word}");
        }
        let message = source("rand").expect_err("no file");
        assert!(message.contains("expected FILE.npy, random[:SEED], ones or iota"), "{message}");
        for word in ["random:", "random:-1", "random:x"] {
            let message = source(word).expect_err("no seed");
            assert!(message.contains("expected a whole number that is 0 or more"), "{message}");
        }
    }

    #[test]
    fn an_input_may_have_a_name() {
        let parsed = |word: &str| given(word).expect("an input");
        assert_eq!(parsed("x.npy").name, None);
        assert_eq!(parsed("=x.npy").name, None);
        let named = parsed("input.1=ones");
        assert_eq!(named.name.as_deref(), Some("input.1"));
        assert_eq!(named.source, InputSource::Generated(Generator::Ones));
        let file = parsed("x=a=b.npy");
        assert_eq!(file.source, InputSource::File("a=b.npy".into()));
        assert!(given("x=rand").is_err());
    }

    #[test]
    fn elements_are_in_range_for_each_type() {
        for element in ElementType::ALL {
            let make =
                |generator: Generator, i| generator.tensor(i, element, &[300]).expect("small");
            let random = make(Generator::Random { seed: 1 }, 0);
            assert_eq!(random, make(Generator::Random { seed: 0 }, 1), "seeds add up");
            assert_ne!(random, make(Generator::Random { seed: 1 }, 1));
            let (iota, ones) = (make(Generator::Iota, 0), make(Generator::Ones, 0));
            for at in 0..300 {
                let value = |tensor: &Tensor| match element.is_float() {
                    true => tensor.get_f64(at),
                    false => tensor.get_i64(at) as f64,
                };
                let least = if element.is_float() { -1.0 } else { 0.0 };
                assert!((least..=1.0).contains(&value(&random)), "{element}");
                assert_eq!(value(&iota), (at as u64 % period(element)) as f64, "{element}");
                assert_eq!(value(&ones), 1.0, "{element}");
            }
        }
    }
}
