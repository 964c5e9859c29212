//! The description of a machine as a file, in JSON.
//!
//! ```text
//! {
//!   "cpu": "znver3",                    LLVM's name of the processor; without it, that of the machine that reads the file
//!   "features": "+avx2,..",             in addition to those of the processor, in LLVM's syntax
//!   "cores": 2,                         that run concurrently
//!   "caches": {"l1": 32768, ..},        bytes; without it, those of the processor in the table
//!   "streaming_from_bytes": 16777216,   without it, three quarters of the l3 cache
//!   "rates": {..}                       what was measured; predicted times depend on it
//! }
//! ```

use super::Caches;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A machine: what loop shapes depend on besides the instructions of its processor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// LLVM's name of the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Features in addition to those of the processor, in LLVM's syntax.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
    /// The number of cores that code may run on concurrently.
    pub cores: usize,
    /// The sizes of the data caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caches: Option<Caches>,
    /// The bytes that a nest reads and writes from which on streaming stores are faster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streaming_from_bytes: Option<u64>,
    /// The measured rates, on which predicted times depend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Rates>,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// The rates of multiply-adds.
    pub multiply_add: MultiplyAdd,
    /// The rates of reads, by array size.
    pub reads: Vec<ReadRate>,
    /// The rates of copies, by size.
    pub copies: Vec<CopyRate>,
}

/// The rates of multiply-adds in registers, of f32, in 10^9 operations a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiplyAdd {
    /// One core alone.
    pub one_core_gflop_per_s: f64,
    /// All cores together.
    pub all_cores_gflop_per_s: f64,
}

/// The rates of reading an array again and again on one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRate {
    /// The size of the array, in bytes.
    pub bytes: u64,
    /// The rate if they are read one after the other, in 10^9 bytes a second.
    pub gb_per_s: f64,
    /// The time of a cache line in ns if none of them follows another: they are read in an order that no prefetcher knows, and do not
    /// depend on each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scattered_line_ns: Option<f64>,
}

/// The rates of a copy that reads and writes `bytes` together, in 10^9 bytes a second, on one core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyRate {
    /// The bytes read plus the bytes written.
    pub bytes: u64,
    /// With stores through the caches.
    pub cached_gb_per_s: f64,
    /// With streaming stores.
    pub streaming_gb_per_s: f64,
}

impl Rates {
    /// The rate of multiply-adds of f32 on so many threads, in 10^9 operations a second.
    pub fn gflop_per_s(&self, threads: usize) -> f64 {
        let MultiplyAdd { one_core_gflop_per_s: one, all_cores_gflop_per_s: all } =
            self.multiply_add;
        match threads {
            0 | 1 => one,
            _ => (one * threads as f64).min(all.max(one)),
        }
    }

    /// The most that reading so many bytes again and again can reach on one core, in 10^9 bytes a second: the rate of the
    /// largest array that was measured and is not larger, or of the smallest one. `None` if no array was measured.
    pub fn read_gb_per_s(&self, bytes: u64) -> Option<f64> {
        let is_within = |rate: &&ReadRate| rate.bytes <= bytes;
        let rate = self.reads.iter().rfind(is_within).or(self.reads.first())?;
        Some(rate.gb_per_s)
    }
}

impl Description {
    /// Reads a file.
    ///
    /// # Errors
    /// One line that names the file: if it cannot be read, or what of it is no description and where.
    pub fn read(path: &Path) -> Result<Self, String> {
        let at = |message: &dyn std::fmt::Display| format!("{}: {message}", path.display());
        let text = fs::read_to_string(path).map_err(|error| at(&error))?;
        Self::of(&text).map_err(|error| at(&error))
    }

    /// Reads a text.
    fn of(text: &str) -> Result<Self, String> {
        let description: Self = serde_json::from_str(text).map_err(|error| {
            format!("is no description of a machine, as lw-run --machine prints it: {error}")
        })?;
        let sizes = description.caches.map(|Caches { l1, l2, l3 }| [1, l1, l2, l3]);
        let message = match () {
            () if description.features.is_some() && description.cpu.is_none() => {
                "features: expected a cpu that has them"
            }
            () if !(1..=1 << 16).contains(&description.cores) => "cores: expected 1 to 65536",
            () if sizes.is_some_and(|sizes| !sizes.is_sorted()) => {
                "caches: expected sizes in bytes, l1 <= l2 <= l3"
            }
            () => return Ok(description),
        };
        Err(message.to_owned())
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        // Numbers and strings have a form in JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// One line for readers: what decides about loop shapes, and the rates.
    pub fn summary(&self) -> String {
        let size = |bytes: u64| match bytes {
            bytes if bytes >= 1 << 20 && bytes % (1 << 20) == 0 => format!("{} MiB", bytes >> 20),
            bytes => format!("{} KiB", bytes >> 10),
        };
        let mut parts = vec![self.cpu.clone().unwrap_or_else(|| "this processor".into())];
        parts.push(format!("{} cores", self.cores));
        parts.extend(self.caches.map(|Caches { l1, l2, l3 }| {
            format!("caches {}, {}, {}", size(l1), size(l2), size(l3))
        }));
        parts.extend(
            self.streaming_from_bytes.map(|bytes| format!("streaming stores from {}", size(bytes))),
        );
        if let Some(Rates { multiply_add: fma, reads, copies }) = &self.rates {
            let (one, all) = (fma.one_core_gflop_per_s, fma.all_cores_gflop_per_s);
            parts.push(format!("multiply-adds {one} GFLOP/s on one core, {all} on all"));
            parts.extend(reads.last().map(|it| format!("reads memory at {} GB/s", it.gb_per_s)));
            parts.extend(copies.last().map(|it| {
                let CopyRate { bytes, cached_gb_per_s, streaming_gb_per_s } = it;
                let size = size(*bytes);
                format!(
                    "copies {size} at {cached_gb_per_s} GB/s, streaming at {streaming_gb_per_s}"
                )
            }));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_as_it_was_written() {
        let rates = Rates {
            multiply_add: MultiplyAdd { one_core_gflop_per_s: 60.5, all_cores_gflop_per_s: 121.0 },
            reads: vec![ReadRate { bytes: 16384, gb_per_s: 140.0, scattered_line_ns: Some(0.3) }],
            copies: vec![CopyRate {
                bytes: 16 << 20,
                cached_gb_per_s: 17.0,
                streaming_gb_per_s: 39.5,
            }],
        };
        let described = Description {
            cpu: Some("znver3".into()),
            features: None,
            cores: 2,
            caches: Some(Caches { l1: 32 << 10, l2: 512 << 10, l3: 32 << 20 }),
            streaming_from_bytes: Some(16 << 20),
            rates: Some(rates),
        };
        assert_eq!(Description::of(&described.text()), Ok(described.clone()));
        assert_eq!(
            described.summary(),
            "znver3, 2 cores, caches 32 KiB, 512 KiB, 32 MiB, streaming stores from 16 MiB, multiply-adds \
             60.5 GFLOP/s on one core, 121 on all, reads memory at 140 GB/s, copies 16 MiB at 17 GB/s, \
             streaming at 39.5"
        );
    }

    #[test]
    fn what_is_no_description_is_refused() {
        let refused = |text: &str| Description::of(text).expect_err(text);
        assert!(refused("{}").ends_with("missing field `cores` at line 1 column 2"));
        assert!(refused("{\"cores\": 2, \"l4\": 1}").contains("unknown field `l4`"));
        assert_eq!(refused("{\"cores\": 0}"), "cores: expected 1 to 65536");
        let alone = refused("{\"cores\": 1, \"features\": \"+avx2\"}");
        assert_eq!(alone, "features: expected a cpu that has them");
        for caches in ["\"l1\": 0, \"l2\": 1, \"l3\": 2", "\"l1\": 2, \"l2\": 1, \"l3\": 3"] {
            let text = format!("{{\"cores\": 1, \"caches\": {{{caches}}}}}");
            assert_eq!(refused(&text), "caches: expected sizes in bytes, l1 <= l2 <= l3");
        }
        let missing = Description::read(Path::new("/none/machine.json")).expect_err("no file");
        assert!(missing.starts_with("/none/machine.json: "), "{missing}");
    }
}
