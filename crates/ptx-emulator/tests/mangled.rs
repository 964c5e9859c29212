//! PTX that somebody has mangled: it is refused or runs, with a fault or without, and never panics.

use ptx_emulator::{Argument, Device, LaunchConfig, Module};

const TEXTS: &[&str] = &[
    include_str!("kernels/calls.ptx"),
    include_str!("kernels/tensor_core.ptx"),
    include_str!("kernels/reduction.ptx"),
    include_str!("kernels/shared.ptx"),
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Words and marks, with what stands between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || "%_$.".contains(c);
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

#[test]
fn mangled_texts_never_panic() {
    let mut random = Random(5);
    let (mut refused, mut ran) = (0, 0);
    for round in 0..1500 {
        let text = TEXTS[round % TEXTS.len()];
        let mut pieces = pieces(text);
        for _ in 0..=random.below(3) {
            let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
            match random.below(4) {
                0 => {
                    pieces.remove(at);
                }
                1 => pieces.swap(at, other),
                2 => pieces[at] = pieces[other],
                _ => {
                    pieces.insert(at, ["{", "}", "-1", "[", "%r1", "0", ";", "_"][random.below(8)])
                }
            }
        }
        match Module::parse(&pieces.concat()) {
            Err(_) => refused += 1,
            Ok(module) => {
                launch_all(&module);
                ran += 1;
            }
        }
    }
    assert!(refused > 100 && ran > 100, "{refused} refused, {ran} ran");
}

fn launch_all(module: &Module) {
    let device = Device::new();
    let Ok(loaded) = device.load(module) else { return };
    let data = device.alloc(4096, 16).expect("little memory");
    device.memset(data, 0, 4096).expect("a buffer");
    for name in module.kernels().collect::<Vec<_>>() {
        let kernel = loaded.kernel(name).expect("one of its own");
        let argument = |bytes: u32| match bytes {
            8 => data.into(),
            _ => Argument::bytes(&vec![0; bytes as usize]),
        };
        let arguments: Vec<_> = kernel.parameters().iter().map(|it| argument(it.bytes)).collect();
        let config = LaunchConfig {
            grid: [2, 1, 1],
            block: [33, 1, 1],
            max_instructions: 2000,
            ..LaunchConfig::default()
        };
        // Whether it is at fault is of no concern here.
        let _ = device.launch(&kernel, &config, &arguments);
    }
}
