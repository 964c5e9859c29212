//! Evaluates one instruction on rows of operands; the operands are edge cases of each format and random values.

use super::runner::{Runner, shape};

/// Runs `text` on each row of inputs. Its sources are %a, %b and %c, its target is %d; the array has their widths in
/// bits.
pub fn evaluate(text: &str, [d, a, b, c]: [u32; 4], rows: &[[u64; 3]]) -> Vec<u64> {
    let narrow = |name: &str, bits: u32| match bits {
        1 => format!("setp.ne.b64 %{name}, %w{name}, 0;"),
        64 => format!("mov.b64 %{name}, %w{name};"),
        _ => format!("cvt.u{bits}.u64 %{name}, %w{name};"),
    };
    let widen = match d {
        1 => "selp.b64 %wd, 1, 0, %d;".to_string(),
        64 => "mov.b64 %wd, %d;".to_string(),
        _ => format!("cvt.u64.u{d} %wd, %d;"),
    };
    let declare = |name: &str, bits: u32| match bits {
        1 => format!(".reg .pred %{name};"),
        _ => format!(".reg .b{bits} %{name};"),
    };
    let text = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{{
    .reg .b32 %i;
    .reg .b64 %in, %out, %wa, %wb, %wc, %wd;
    {} {} {} {}
    ld.param.u64 %in, [in];
    ld.param.u64 %out, [out];
    mov.u32 %i, %tid.x;
    mad.wide.u32 %in, %i, 24, %in;
    mad.wide.u32 %out, %i, 8, %out;
    ld.global.u64 %wa, [%in];
    ld.global.u64 %wb, [%in+8];
    ld.global.u64 %wc, [%in+16];
    {} {} {}
    {text}
    {widen}
    st.global.u64 [%out], %wd;
    ret;
}}",
        declare("d", d),
        declare("a", a),
        declare("b", b),
        declare("c", c),
        narrow("a", a),
        narrow("b", b),
        narrow("c", c)
    );
    let runner = Runner::new(&text);
    let mut found = vec![];
    for rows in rows.chunks(1024) {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|it| it.to_le_bytes()).collect();
        let (input, output) = (runner.bytes(&bytes), runner.undefined(rows.len() * 8));
        let config = shape(1, rows.len() as u32, 0);
        if let Err(error) = runner.launch("k", &config, &[input.into(), output.into()]) {
            panic!("{text}\n{error}");
        }
        let mut bytes = vec![0; rows.len() * 8];
        runner.device.read(output, &mut bytes).expect("the output");
        found.extend(bytes.chunks(8).map(|it| u64::from_le_bytes(it.try_into().expect("8 bytes"))));
    }
    found
}

#[track_caller]
pub fn check(text: &str, bits: [u32; 4], rows: &[[u64; 3]], expected: impl Fn([u64; 3]) -> u64) {
    let mask = u64::MAX >> (64 - bits[0]);
    for (row, found) in rows.iter().zip(evaluate(text, bits, rows)) {
        let expected = expected(*row) & mask;
        assert_eq!(found, expected, "{text} of {row:x?}: found {found:#x}, expected {expected:#x}");
    }
}

/// Interesting and random operands.
pub fn rows() -> Vec<[u64; 3]> {
    let edges = [
        0,
        1,
        2,
        31,
        32,
        33,
        64,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        i64::MAX as u64,
        i64::MIN as u64,
        u64::MAX,
    ];
    let mut rows = vec![];
    for (i, a) in edges.iter().enumerate() {
        for (j, b) in edges.iter().enumerate() {
            rows.push([*a, *b, edges[(i * 7 + j * 3) % edges.len()]]);
        }
    }
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    rows.extend((0..600).map(|_| [next(), next(), next()]));
    rows
}

/// Floats of a format as bits, including all special values.
pub fn float_rows(special: &[u64], width: u32) -> Vec<[u64; 3]> {
    let mut rows = vec![];
    for (i, a) in special.iter().enumerate() {
        for (j, b) in special.iter().enumerate() {
            rows.push([*a, *b, special[(i * 5 + j) % special.len()]]);
        }
    }
    let mask = u64::MAX >> (64 - width);
    rows.extend(self::rows().iter().skip(361).map(|row| row.map(|it| it & mask)));
    rows
}

pub fn singles() -> Vec<[u64; 3]> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        3.3,
        1e-40,
        -1e-40,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        16777217.0,
        0.1,
        4.2e9,
        -3e9,
    ];
    float_rows(&special.map(|it: f32| u64::from(it.to_bits())), 32)
}

pub fn doubles() -> Vec<[u64; 3]> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.5,
        1e-310,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.1,
        1e19,
        -1e19,
    ];
    float_rows(&special.map(f64::to_bits), 64)
}

pub const N32: [u32; 4] = [32; 4];
pub const N64: [u32; 4] = [64; 4];
pub const N16: [u32; 4] = [16; 4];
