//! The first architecture that supports an instruction, according to the "Target ISA Notes" of NVIDIA's PTX manual. An
//! instruction that is not listed is supported by all architectures of the emulator.

/// Heads, required suffixes, and the number of the architecture, such as 90 for `sm_90`.
type Row = (&'static [&'static str], &'static [&'static str], u32);

const ANY: &[&str] = &[];

/// If several rows match an instruction, the latest architecture applies.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    (ANY, &["bf16"], 80),
    (ANY, &["bf16x2"], 80),
    (ANY, &["tf32"], 80),
    (ANY, &["relu"], 80),
    (ANY, &["cluster"], 90),
    (ANY, &["shared::cluster"], 90),
    (&["add", "sub", "mul", "atom", "red", "set", "setp", "ex2", "tanh"], &["bf16"], 90),
    (&["add", "sub", "mul", "atom", "red", "set", "setp", "ex2", "tanh"], &["bf16x2"], 90),
    (&["min", "max"], &["relu"], 90),
    (&["add", "min", "max"], &["s16x2"], 90),
    (&["add", "min", "max"], &["u16x2"], 90),
    (&["min", "max"], &["f16"], 80),
    (&["min", "max"], &["f16x2"], 80),
    (&["min", "max"], &["NaN"], 80),
    (&["min", "max"], &["xorsign"], 86),
    (&["cvt"], &["f16x2"], 80),
    (&["cvt"], &["rn", "tf32"], 90),
    (&["cvt"], &["rz", "tf32"], 90),
    (&["atom", "red"], &["v2"], 90),
    (&["atom", "red"], &["v4"], 90),
    (&["atom", "red"], &["v8"], 90),
    (&["atom"], &["b128"], 90),
    (&["ld", "st"], &["v8"], 100),
    (&["ld", "st"], &["v4", "b64"], 100),
    (&["ld", "st"], &["v4", "u64"], 100),
    (&["ld", "st"], &["v4", "s64"], 100),
    (&["ld", "st"], &["v4", "f64"], 100),
    (&["cp"], &["async"], 80),
    (&["discard", "applypriority", "redux"], ANY, 80),
    (&["elect", "stmatrix"], ANY, 90),
    (&["mma"], &["m16n8k16"], 80),
    (&["mma"], &["m16n8k32"], 80),
];

/// The first architecture that supports an instruction: 90 for `sm_90`.
pub fn first(mnemonic: &str) -> u32 {
    let mut parts = mnemonic.split('.');
    let head = parts.next().unwrap_or_default();
    let suffixes: Vec<&str> = parts.collect();
    let is_for = |(heads, with, _): &&Row| {
        (heads.is_empty() || heads.contains(&head)) && with.iter().all(|it| suffixes.contains(it))
    };
    let of_bf16 = || suffixes.iter().any(|it| it.starts_with("bf16"));
    let of_f32 = || suffixes.iter().any(|it| matches!(*it, "f32" | "bf16x2"));
    let converts = head == "cvt" && (of_bf16() && !of_f32() || mnemonic.ends_with(".ftz.f32.bf16"));
    let rows = ROWS.iter().filter(is_for).map(|(_, _, number)| *number);
    rows.chain(converts.then_some(90)).max().unwrap_or_default()
}

/// The architecture number of a target such as `sm_90a`.
pub fn number(target: &str) -> Option<u32> {
    target.strip_prefix("sm_")?.trim_end_matches(['a', 'f']).parse().ok()
}
