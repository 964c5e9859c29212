//! Bundles: files that hold one program for several chips. The device determines which of them runs.
//!
//! The file is CBOR: `{format: "loopwright gpu bundle", version: 4, programs: [...]}`.

use super::Program;
use crate::replace;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

const FORMAT: &str = "loopwright gpu bundle";
/// Version 2 added to launches the bytes of shared memory beyond what kernels declare, version 4 added steps for loops,
/// branches by data, and calls.
const VERSION: u32 = 4;

/// The same functions for several chips.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// One program for each chip.
    pub programs: Vec<Program>,
}

/// Why a bundle cannot be read or written, or has no program for a device.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Write(io::Error),
    /// The bytes are not a bundle, or a program in it is not valid; the reason.
    #[error("is not a bundle of programs for GPUs, as lw-compile --target sm_80 writes: {0}")]
    NoBundle(String),
    /// The file has another version of the format, which is given.
    #[error(
        "is a bundle of version {0}, expected {VERSION}: compile it again with this lw-compile"
    )]
    Version(u32),
    /// No program runs on the device.
    #[error(
        "is for {chips}, none of which runs on a device of compute capability {}.{}",
        capability.0,
        capability.1
    )]
    NoProgram {
        /// The chips of the programs, separated by commas.
        chips: String,
        /// The compute capability of the device, such as (9, 0).
        capability: (u32, u32),
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    #[serde(flatten)]
    head: Head,
    programs: Vec<Program>,
}

impl Bundle {
    /// Writes the bundle to a file. An existing file is replaced as a whole or not at all.
    ///
    /// # Errors
    /// [`BundleError::Write`].
    pub fn write(&self, path: &Path) -> Result<(), BundleError> {
        let head = Head { format: FORMAT.to_owned(), version: VERSION };
        let contents = Contents { head, programs: self.programs.clone() };
        let mut bytes = vec![];
        ciborium::into_writer(&contents, &mut bytes)
            .map_err(|error| BundleError::Write(io::Error::other(error)))?;
        replace::file(path, |file| {
            let mut file = BufWriter::new(file);
            file.write_all(&bytes)?;
            file.flush()
        })
        .map_err(BundleError::Write)
    }

    /// Reads a bundle from a file.
    ///
    /// # Errors
    /// [`BundleError::Read`], [`BundleError::NoBundle`], [`BundleError::Version`].
    pub fn read(path: &Path) -> Result<Bundle, BundleError> {
        let mut bytes = vec![];
        let file = File::open(path).map_err(BundleError::Read)?;
        io::Read::read_to_end(&mut BufReader::new(file), &mut bytes).map_err(BundleError::Read)?;
        let none = |reason: String| BundleError::NoBundle(reason);
        let head: Head =
            ciborium::from_reader(&bytes[..]).map_err(|error| none(error.to_string()))?;
        if head.format != FORMAT {
            return Err(none(format!("found the format '{}'", head.format)));
        }
        if head.version != VERSION {
            return Err(BundleError::Version(head.version));
        }
        let contents: Contents =
            ciborium::from_reader(&bytes[..]).map_err(|error| none(error.to_string()))?;
        for program in &contents.programs {
            program.check().map_err(|reason| none(format!("{}: {reason}", program.chip)))?;
        }
        Ok(Bundle { programs: contents.programs })
    }

    /// Selects the program for a device: the one for exactly its architecture (`sm_90a` for 9.0), else the one for the
    /// latest architecture that is not later than the device's.
    ///
    /// # Errors
    /// [`BundleError::NoProgram`].
    pub fn choose(&self, capability: (u32, u32)) -> Result<&Program, BundleError> {
        let rank = |program: &&Program| {
            let (chip, is_specific) = architecture(&program.chip)?;
            let runs = if is_specific { chip == capability } else { chip <= capability };
            runs.then_some((is_specific, chip))
        };
        let best = self.programs.iter().filter(|it| rank(it).is_some()).max_by_key(rank);
        best.ok_or_else(|| {
            let chips: Vec<&str> = self.programs.iter().map(|it| it.chip.as_str()).collect();
            BundleError::NoProgram { chips: chips.join(", "), capability }
        })
    }
}

/// The compute capability of a chip, and whether its code runs on no other chip.
fn architecture(chip: &str) -> Option<((u32, u32), bool)> {
    let digits = chip.strip_prefix("sm_")?;
    let number: u32 = digits.trim_end_matches('a').parse().ok()?;
    Some(((number / 10, number % 10), digits.ends_with('a')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::program::{Constant, Function, Launch, Number, Step};
    use crate::tensor::ElementType;
    use std::fs;

    fn bundle(chips: &[&str]) -> Bundle {
        let program = |chip: &&str| Program {
            chip: (*chip).to_owned(),
            ptx: ".version 8.0".into(),
            constants: vec![Constant {
                element_type: ElementType::BF16,
                shape: vec![2],
                bytes: vec![1, 2, 3, 4],
            }],
            functions: vec![Function {
                name: "main".into(),
                signature: "f32[?], index, i8[3] result".parse().expect("a signature"),
                steps: vec![Step::Constant { to: 2, constant: 0 }],
            }],
        };
        Bundle { programs: chips.iter().map(program).collect() }
    }

    #[test]
    fn a_file_has_what_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.lwb");
        let written = bundle(&["sm_80", "sm_90a"]);
        written.write(&path).expect("it is written");
        assert_eq!(Bundle::read(&path).expect("it is read"), written);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.lwb");
        let refused = || Bundle::read(&path).expect_err("it is refused").to_string();
        assert!(refused().starts_with("cannot be read: "), "{}", refused());
        for bytes in [&b""[..], b"\x7fELF", b"\xa0"] {
            fs::write(&path, bytes).expect("a file");
            assert!(refused().starts_with("is not a bundle of programs"), "{}", refused());
        }
        bundle(&["sm_80"]).write(&path).expect("it is written");
        let mut bytes = fs::read(&path).expect("it is read");
        bytes.truncate(bytes.len() - 3);
        fs::write(&path, bytes).expect("a file");
        assert!(refused().starts_with("is not a bundle of programs"), "{}", refused());
        let mut other = bundle(&["sm_80"]);
        other.programs[0].functions[0].steps = vec![Step::Constant { to: 2, constant: 1 }];
        other.write(&path).expect("it is written");
        assert!(refused().contains("sm_80: main: "), "{}", refused());
        let head = Head { format: FORMAT.to_owned(), version: 7 };
        let mut bytes = vec![];
        ciborium::into_writer(&head, &mut bytes).expect("it is written");
        fs::write(&path, bytes).expect("a file");
        assert!(refused().starts_with("is a bundle of version 7, expected 4"), "{}", refused());
    }

    /// A launch of one thread that requests `shared` bytes.
    fn launch(shared: u32) -> Vec<Step> {
        let (kernel, arguments) = ("main_0".into(), vec![]);
        let launch = Launch { kernel, grid: [1; 3], block: [1; 3], shared, arguments };
        vec![Step::Number { to: 1, is: Number::Constant(1) }, Step::Launch(launch)]
    }

    #[test]
    fn launches_say_how_much_memory_thread_blocks_have() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.lwb");
        let read = |shared: u32| {
            let mut asking = bundle(&["sm_90"]);
            asking.programs[0].functions[0].steps = launch(shared);
            asking.write(&path).expect("it is written");
            Bundle::read(&path).map(|read| assert_eq!(read, asking))
        };
        read(0).expect("it is read");
        read(232_448).expect("it is read");
        for shared in [232_449, u32::MAX] {
            let refused = read(shared).expect_err("it is refused").to_string();
            let reason = format!(
                "sm_90: main: main_0 requests {shared} bytes of shared memory, expected at most 232448"
            );
            assert!(refused.ends_with(&reason), "{refused}");
        }
    }

    #[test]
    fn files_of_before_launches_said_so_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.lwb");
        bundle(&["sm_80"]).write(&path).expect("it is written");
        let bytes = fs::read(&path).expect("it is read");
        let place = bytes.windows(7).position(|it| it == b"version").expect("a version") + 7;
        let mut older = bytes.clone();
        older[place] = 1;
        fs::write(&path, older).expect("a file");
        let refused = Bundle::read(&path).expect_err("it is refused").to_string();
        assert!(refused.starts_with("is a bundle of version 1, expected 4"), "{refused}");
    }

    #[test]
    fn the_program_for_the_very_device_comes_first() {
        let both = bundle(&["sm_80", "sm_90a", "sm_86"]);
        let chosen = |capability| both.choose(capability).map(|program| program.chip.as_str());
        assert_eq!(chosen((9, 0)).expect("a program"), "sm_90a");
        assert_eq!(chosen((8, 0)).expect("a program"), "sm_80");
        assert_eq!(chosen((8, 9)).expect("a program"), "sm_86");
        assert_eq!(chosen((10, 0)).expect("a program"), "sm_86");
        let message = chosen((7, 5)).expect_err("it is older").to_string();
        assert_eq!(
            message,
            "is for sm_80, sm_90a, sm_86, none of which runs on a device of compute capability 7.5"
        );
    }
}
