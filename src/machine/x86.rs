//! x86 processors: the instructions that code may use, and the properties that loop shapes depend on.
//!
//! LLVM knows the features of a processor, but not its caches. Three sources state them:
//!
//! ```text
//! --machine FILE                  a description of a machine                               file.rs
//! --cpu NAME                      the table of this file
//! neither: this machine           measured once, and kept in the user's cache folder       probe.rs, host.rs
//! ```

mod file;
mod host;
mod probe;

pub use file::{CopyRate, Description, MultiplyAdd, Rates, ReadRate};
pub use host::describe_host;

use super::intrinsic::{INTRINSICS, Intrinsic};
use super::table::MachineTable;
use crate::ffi::llvm::{TargetMachine, host_processor, host_triple};
use crate::ffi::request_tiles;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

/// A processor to compile for.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuTarget {
    /// The target triple of LLVM.
    pub triple: String,
    /// The name of the processor in LLVM.
    pub cpu: String,
    /// Features in addition to those of the processor, in LLVM's syntax: `+avx2,-fma`.
    pub features: String,
    /// The machine whose processor it is, if a file describes it.
    pub machine: Option<Arc<Description>>,
}

/// The vector instructions of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorUnit {
    /// The width of a register.
    pub bits: u32,
    /// The number of vector registers.
    pub registers: u32,
    /// True if there is a fused multiply-add instruction.
    pub has_fma: bool,
}

/// The properties that loop shapes depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processor {
    /// Its vector instructions.
    pub vectors: VectorUnit,
    /// The names of the [intrinsics](INTRINSICS) that it has instructions for.
    pub intrinsics: Vec<&'static str>,
    /// Its data caches.
    pub caches: Caches,
    /// The bytes that a nest reads and writes from which on streaming stores are faster than stores through the caches.
    pub streaming_from: u64,
    /// The number of cores that code may run on concurrently.
    pub cores: usize,
}

/// Sizes of data caches in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caches {
    /// Private to a core, like the L2 cache.
    pub l1: u64,
    /// Private to a core.
    pub l2: u64,
    /// Shared by several cores.
    pub l3: u64,
}

impl CpuTarget {
    /// This machine.
    pub fn host() -> Self {
        HOST.0.clone()
    }

    /// A processor that LLVM knows by name, such as `znver4`.
    pub fn named(cpu: &str) -> Self {
        Self { triple: host_triple(), cpu: cpu.into(), features: String::new(), machine: None }
    }

    /// A machine that a file describes; if the file names no processor, it has that of this machine.
    pub fn described(machine: Description) -> Self {
        let named = machine.cpu.as_deref().map(|cpu| Self {
            features: machine.features.clone().unwrap_or_default(),
            ..Self::named(cpu)
        });
        Self { machine: Some(Arc::new(machine)), ..named.unwrap_or_else(Self::host) }
    }

    /// LLVM's code generator for the processor, one per thread. Its tables are built on first use.
    ///
    /// # Errors
    /// The name that LLVM does not know.
    pub fn machine(&self) -> Result<Rc<TargetMachine>, String> {
        thread_local! {
            static MACHINES: RefCell<Vec<(CpuTarget, Rc<TargetMachine>)>> = const { RefCell::new(vec![]) };
        }
        MACHINES.with_borrow_mut(|machines| {
            if let Some((_, machine)) = machines.iter().find(|(target, _)| target == self) {
                return Ok(machine.clone());
            }
            let machine = Rc::new(TargetMachine::new(&self.triple, &self.cpu, &self.features)?);
            machines.push((self.clone(), machine.clone()));
            Ok(machine)
        })
    }

    /// The vector instructions of the processor.
    ///
    /// # Errors
    /// As [`CpuTarget::machine`].
    pub fn vectors(&self) -> Result<VectorUnit, String> {
        let machine = self.machine()?;
        let has = |feature| machine.has(feature);
        let (bits, registers) = match () {
            () if has("avx512f") => (512, 32),
            () if has("avx") => (256, 16),
            () => (128, 16),
        };
        Ok(VectorUnit { bits, registers, has_fma: has("fma") })
    }

    /// The model of the processor. The first call for this machine may measure it: see [`describe_host`]. What neither
    /// a description nor the system states is that of the processor's row in the table, or typical for its vector width;
    /// the number of cores is then this machine's.
    ///
    /// # Errors
    /// As [`CpuTarget::machine`] and [`describe_host`].
    pub fn processor(&self) -> Result<Processor, String> {
        let vectors = self.vectors()?;
        let machine = self.description()?;
        let caches = machine.and_then(|machine| machine.caches);
        let caches = caches.unwrap_or_else(|| Caches::of(&self.cpu, vectors.bits));
        let streaming_from = machine.and_then(|machine| machine.streaming_from_bytes);
        let target = self.machine()?;
        let is_there = |it: &&Intrinsic| it.is_in(&target);
        Ok(Processor {
            vectors,
            intrinsics: INTRINSICS.iter().filter(is_there).map(|it| it.name).collect(),
            caches,
            streaming_from: streaming_from.unwrap_or(caches.l3 / 4 * 3),
            cores: machine.map_or_else(host::cores, |machine| machine.cores),
        })
    }

    /// True if the processor has the instructions of an intrinsic.
    ///
    /// # Errors
    /// As [`CpuTarget::machine`].
    pub fn has_intrinsic(&self, name: &str) -> Result<bool, String> {
        let target = self.machine()?;
        Ok(Intrinsic::of(name).is_some_and(|intrinsic| intrinsic.is_in(&target)))
    }

    /// The table of what predicted times depend on: with the rates of the description of the machine if there is one.
    ///
    /// # Errors
    /// As [`CpuTarget::processor`].
    pub fn table(&self) -> Result<MachineTable, String> {
        let described = self.description()?;
        Ok(MachineTable::of_processor(&self.cpu, &self.processor()?, described))
    }

    /// What is known of the machine: what a file describes, or for this machine what was measured.
    fn description(&self) -> Result<Option<&Description>, String> {
        match &self.machine {
            Some(machine) => Ok(Some(machine.as_ref())),
            None if *self == HOST.0 => describe_host().map(Some),
            None => Ok(None),
        }
    }

    /// A feature that code for this processor may use and `other` lacks.
    ///
    /// # Errors
    /// As [`CpuTarget::machine`].
    pub fn lacks(&self, other: &CpuTarget) -> Result<Option<&'static str>, String> {
        let (ours, theirs) = (self.machine()?, other.machine()?);
        Ok(FEATURES.iter().copied().find(|feature| ours.has(feature) && !theirs.has(feature)))
    }
}

/// Why code with a feature, which [`CpuTarget::lacks`] gives for this machine, cannot run here: the end of a sentence that
/// names the feature.
pub fn why_lacking(feature: &str) -> String {
    match HOST.1.as_ref().filter(|_| feature.starts_with("amx-")) {
        Some(error) => {
            format!(
                "which the kernel does not grant to this process: the request for it failed: {error}"
            )
        }
        None => "which this machine's processor does not have".into(),
    }
}

/// This machine's processor, queried once per process, and why the process may not use its tile registers.
static HOST: LazyLock<(CpuTarget, Option<io::Error>)> = LazyLock::new(|| {
    let (cpu, features) = host_processor();
    let (features, refusal) = granted(features, request_tiles);
    (CpuTarget { triple: host_triple(), cpu, features, machine: None }, refusal)
});

/// The features without those of tile registers if a request for them fails. Code for this machine has no other way to
/// ask: code that is compiled ahead of time asks when it is loaded.
fn granted(
    features: String,
    request: impl FnOnce() -> io::Result<()>,
) -> (String, Option<io::Error>) {
    let is_tile = |feature: &&str| feature.starts_with("+amx-");
    if !features.split(',').any(|feature| is_tile(&feature)) {
        return (features, None);
    }
    match request() {
        Ok(()) => (features, None),
        Err(error) => {
            let kept = features.split(',').map(|feature| match feature.strip_prefix("+amx-") {
                Some(name) => format!("-amx-{name}"),
                None => feature.to_owned(),
            });
            (kept.collect::<Vec<_>>().join(","), Some(error))
        }
    }
}

impl Default for CpuTarget {
    /// This machine.
    fn default() -> Self {
        Self::host()
    }
}

/// Features that add instructions which generated code uses, ordered from older to newer processors.
const FEATURES: &[&str] = &[
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "popcnt",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "bmi",
    "bmi2",
    "lzcnt",
    "movbe",
    "avx512f",
    "avx512cd",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
    "avx512bf16",
    "avx512fp16",
    "avxvnni",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "amx-tile",
    "amx-bf16",
    "amx-int8",
];

/// Processors by their names in LLVM, and their cache sizes in KiB.
const PROCESSORS: &[(&[&str], [u64; 3])] = &[
    (&["x86-64", "x86-64-v2", "x86-64-v3"], [32, 256, 8192]),
    (&["x86-64-v4"], [32, 1024, 16384]),
    (&["haswell", "broadwell", "skylake"], [32, 256, 8192]),
    (&["skylake-avx512", "cascadelake", "cooperlake"], [32, 1024, 16384]),
    (&["icelake-client"], [48, 512, 8192]),
    (&["rocketlake"], [48, 512, 16384]),
    (&["tigerlake"], [48, 1280, 12288]),
    (&["icelake-server"], [48, 1280, 24576]),
    (&["alderlake", "raptorlake"], [48, 1280, 24576]),
    (&["sapphirerapids", "emeraldrapids", "graniterapids"], [48, 2048, 49152]),
    (&["znver1"], [32, 512, 8192]),
    (&["znver2"], [32, 512, 16384]),
    (&["znver3"], [32, 512, 32768]),
    (&["znver4"], [32, 1024, 32768]),
    (&["znver5"], [48, 1024, 32768]),
];

/// The names of the processors whose caches are known.
pub fn processors() -> impl Iterator<Item = &'static str> {
    PROCESSORS.iter().flat_map(|(names, _)| names.iter().copied())
}

impl Caches {
    /// The caches of the row of a processor, or typical ones.
    fn of(cpu: &str, vector_bits: u32) -> Self {
        let row = PROCESSORS.iter().find(|(names, _)| names.contains(&cpu)).map(|(_, sizes)| sizes);
        let [l1, l2, l3] = row.copied().unwrap_or(match vector_bits {
            512 => [32, 1024, 16384],
            _ => [32, 256, 8192],
        });
        Self { l1: l1 << 10, l2: l2 << 10, l3: l3 << 10 }
    }

    /// The caches that a Linux directory describes, if it has all three levels.
    fn read(folder: &Path) -> Option<Self> {
        let mut sizes = [None; 3];
        for entry in fs::read_dir(folder).ok()? {
            let of = |name: &str| fs::read_to_string(entry.as_ref().ok()?.path().join(name)).ok();
            let (Some(level), Some(kind), Some(size)) = (of("level"), of("type"), of("size"))
            else {
                continue;
            };
            let Some(level) = level.trim().parse::<usize>().ok().filter(|l| (1..=3).contains(l))
            else {
                continue;
            };
            if kind.trim() != "Instruction" {
                sizes[level - 1] = bytes(size.trim());
            }
        }
        Some(Self { l1: sizes[0]?, l2: sizes[1]?, l3: sizes[2]? })
    }
}

/// The bytes of a size such as `48K` or `32M`.
fn bytes(text: &str) -> Option<u64> {
    let (number, shift) = match text.strip_suffix('K') {
        Some(number) => (number, 10),
        None => (text.strip_suffix('M')?, 20),
    };
    number.parse::<u64>().ok().map(|number| number << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_processor_can_do() {
        let processor = |cpu| CpuTarget::named(cpu).processor().expect("LLVM knows it");
        let described = |cpu| {
            let found = processor(cpu);
            let VectorUnit { bits, registers, has_fma } = found.vectors;
            (bits, registers, has_fma, found.caches.l2 >> 10)
        };
        assert_eq!(described("x86-64"), (128, 16, false, 256));
        assert_eq!(described("ivybridge"), (256, 16, false, 256));
        assert_eq!(described("haswell"), (256, 16, true, 256));
        assert_eq!(described("x86-64-v3"), (256, 16, true, 256));
        assert_eq!(described("skylake-avx512"), (512, 32, true, 1024));
        assert_eq!(described("znver4"), (512, 32, true, 1024));
        assert_eq!(processor("znver5").caches.l1, 48 << 10);
    }

    #[test]
    fn features_of_a_target_count() {
        let target = CpuTarget { features: "-avx512f".into(), ..CpuTarget::named("znver4") };
        assert_eq!(target.vectors().expect("LLVM knows it").bits, 256);
    }

    #[test]
    fn the_rows_are_of_processors_that_there_are() {
        for cpu in processors() {
            assert!(CpuTarget::named(cpu).machine().is_ok(), "{cpu}");
        }
        for feature in FEATURES {
            let target =
                CpuTarget { features: format!("+{feature}"), ..CpuTarget::named("x86-64") };
            assert!(target.machine().is_ok_and(|machine| machine.has(feature)), "{feature}");
        }
    }

    #[test]
    fn tile_registers_that_are_not_granted_are_none() {
        let refuse = || Err(io::Error::from_raw_os_error(libc::EPERM));
        let features = || "+avx2,+amx-tile,-amx-fp16,+amx-bf16".to_owned();
        let (found, error) = granted(features(), refuse);
        assert_eq!(found, "+avx2,-amx-tile,-amx-fp16,-amx-bf16");
        assert!(error.is_some());
        let (found, error) = granted(features(), || Ok(()));
        assert_eq!((found, error.is_none()), (features(), true));
        let (found, error) = granted("+avx2,-amx-tile".into(), || panic!("nothing to ask for"));
        assert_eq!((found.as_str(), error.is_none()), ("+avx2,-amx-tile", true));
    }

    #[test]
    fn an_unknown_processor_is_an_error() {
        let error = CpuTarget::named("pentium9").processor().expect_err("there is none");
        assert!(error.contains("'pentium9' is not a processor of"), "{error}");
        for cpu in ["i386", "pentium3"] {
            let error = CpuTarget::named(cpu).processor().expect_err("it has 32 bits");
            assert!(error.contains("has no 64-bit mode"), "{error}");
        }
    }

    #[test]
    fn what_another_processor_lacks_is_named() {
        let lacks =
            |one, other| CpuTarget::named(one).lacks(&CpuTarget::named(other)).expect("known");
        assert_eq!(lacks("haswell", "znver4"), None);
        assert_eq!(lacks("znver4", "haswell"), Some("avx512f"));
        assert_eq!(lacks("x86-64-v3", "x86-64"), Some("sse3"));
        assert_eq!(CpuTarget::host().lacks(&CpuTarget::host()), Ok(None));
    }

    #[test]
    fn caches_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |index: &str, level: &str, kind: &str, size: &str| {
            let path = folder.path().join(index);
            fs::create_dir(&path).expect("a folder");
            for (name, text) in [("level", level), ("type", kind), ("size", size)] {
                fs::write(path.join(name), format!("{text}\n")).expect("a file");
            }
        };
        write("index0", "1", "Data", "48K");
        write("index1", "1", "Instruction", "32K");
        write("index2", "2", "Unified", "1024K");
        assert_eq!(Caches::read(folder.path()), None, "there is no third level");
        write("index3", "3", "Unified", "32M");
        let found = Caches::read(folder.path()).expect("all three");
        assert_eq!((found.l1, found.l2, found.l3), (48 << 10, 1 << 20, 32 << 20));
        assert_eq!(Caches::read(&folder.path().join("none")), None);
    }
}
