//! A device with one module, and typed buffers in its memory.

#![expect(dead_code, reason = "each test binary uses a part of it")]

use half::{bf16, f16};
use ptx_emulator::{
    Argument, Device, Fault, FaultKind, LaunchConfig, LaunchError, LoadedModule, Module, Profile,
};

pub struct Runner {
    pub device: Device,
    pub module: LoadedModule,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

impl Kind {
    pub fn bytes(self) -> usize {
        match self {
            Kind::I8 => 1,
            Kind::I16 | Kind::F16 | Kind::BF16 => 2,
            Kind::I32 | Kind::F32 => 4,
            Kind::I64 | Kind::F64 => 8,
        }
    }

    pub fn encode(self, value: f64) -> Vec<u8> {
        match self {
            Kind::I8 => (value as i8).to_le_bytes().to_vec(),
            Kind::I16 => (value as i16).to_le_bytes().to_vec(),
            Kind::I32 => (value as i32).to_le_bytes().to_vec(),
            Kind::I64 => (value as i64).to_le_bytes().to_vec(),
            Kind::F16 => f16::from_f64(value).to_le_bytes().to_vec(),
            Kind::BF16 => bf16::from_f64(value).to_le_bytes().to_vec(),
            Kind::F32 => (value as f32).to_le_bytes().to_vec(),
            Kind::F64 => value.to_le_bytes().to_vec(),
        }
    }

    pub fn decode(self, bytes: &[u8]) -> f64 {
        fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
            bytes.try_into().expect("the bytes of a value")
        }
        match self {
            Kind::I8 => f64::from(bytes[0] as i8),
            Kind::I16 => f64::from(i16::from_le_bytes(array(bytes))),
            Kind::I32 => f64::from(i32::from_le_bytes(array(bytes))),
            Kind::I64 => i64::from_le_bytes(array(bytes)) as f64,
            Kind::F16 => f16::from_le_bytes(array(bytes)).to_f64(),
            Kind::BF16 => bf16::from_le_bytes(array(bytes)).to_f64(),
            Kind::F32 => f64::from(f32::from_le_bytes(array(bytes))),
            Kind::F64 => f64::from_le_bytes(array(bytes)),
        }
    }
}

impl Runner {
    pub fn new(text: &str) -> Runner {
        let device = Device::new();
        let module = device.load(&Module::parse(text).unwrap_or_else(|it| panic!("{it}")));
        let module = module.expect("its variables fit");
        Runner { device, module }
    }

    /// A buffer with these values.
    pub fn buffer(&self, kind: Kind, values: &[f64]) -> u64 {
        let bytes: Vec<u8> = values.iter().flat_map(|it| kind.encode(*it)).collect();
        self.bytes(&bytes)
    }

    pub fn bytes(&self, bytes: &[u8]) -> u64 {
        let address = self.undefined(bytes.len());
        self.device.write(address, bytes).expect("a buffer");
        address
    }

    pub fn words(&self, words: &[u32]) -> u64 {
        self.bytes(&words.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>())
    }

    /// An uninitialised buffer.
    pub fn undefined(&self, bytes: usize) -> u64 {
        self.device.alloc(bytes as u64, 16).expect("little memory")
    }

    pub fn read(&self, kind: Kind, address: u64, count: usize) -> Vec<f64> {
        let mut bytes = vec![0; count * kind.bytes()];
        self.device.read(address, &mut bytes).expect("a buffer");
        bytes.chunks(kind.bytes()).map(|it| kind.decode(it)).collect()
    }

    pub fn read_words(&self, address: u64, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.device.read(address, &mut bytes).expect("a buffer");
        bytes.chunks(4).map(|it| u32::from_le_bytes(it.try_into().expect("four bytes"))).collect()
    }

    pub fn launch(
        &self,
        kernel: &str,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<Profile, LaunchError> {
        let kernel = self.module.kernel(kernel).unwrap_or_else(|| panic!("no kernel {kernel}"));
        self.device.launch(&kernel, config, arguments)
    }
}

/// A one-dimensional grid of one-dimensional blocks.
pub fn shape(blocks: u32, threads: u32, seed: u64) -> LaunchConfig {
    LaunchConfig { grid: [blocks, 1, 1], block: [threads, 1, 1], seed, ..LaunchConfig::default() }
}

pub fn fault(outcome: Result<Profile, LaunchError>) -> Fault {
    match outcome {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("expected a fault, found {other:?}"),
    }
}

/// The number of the line that contains a text, from 1.
pub fn line_of(text: &str, part: &str) -> u32 {
    let mut found = text.lines().enumerate().filter(|(_, line)| line.contains(part));
    let line = found.next().unwrap_or_else(|| panic!("no line has {part}")).0;
    assert!(found.next().is_none(), "several lines have {part}");
    line as u32 + 1
}

/// True for a race. If the reader runs before the writer, the emulator may report an uninitialised read instead.
pub fn is_race(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Race { .. } | FaultKind::RaceOfBlocks { .. })
}
