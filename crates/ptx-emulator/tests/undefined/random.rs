//! Random programs: what is said to be defined does not depend on the contents of undefined memory.

use crate::kernel::kernel;
use crate::runner::Runner;
use crate::{launch, undefined_bytes};

/// Instructions on random registers %r10 to %r17 (`d`, `a`, `b`, `c`), predicates %p4 to %p7 (`p`, `q`, `s`) and 16-bit
/// registers.
const RANDOM: &[&str] = &[
    "mov.b32 d, a;",
    "add.u32 d, a, b;",
    "sub.u32 d, a, b;",
    "mul.lo.u32 d, a, b;",
    "mul.hi.s32 d, a, b;",
    "mad.lo.u32 d, a, b, c;",
    "mul24.lo.u32 d, a, b;",
    "mul.wide.u32 %rd5, a, b; mov.b64 {d, %r5}, %rd5;",
    "mov.b64 %rd5, {a, b}; shr.u64 %rd5, %rd5, 12; cvt.u32.u64 d, %rd5;",
    "mov.b64 %rd5, {a, b}; shr.u64 %rd5, %rd5, 12; mov.b64 {%r5, d}, %rd5;",
    "cvt.s64.s32 %rd5, a; shr.s64 %rd5, %rd5, 20; cvt.u32.u64 d, %rd5;",
    "and.b32 d, a, b;",
    "and.b32 d, a, 0xff00f0;",
    "or.b32 d, a, b;",
    "or.b32 d, a, 0xff00f0;",
    "xor.b32 d, a, b;",
    "not.b32 d, a;",
    "cnot.b32 d, a;",
    "lop3.b32 d, a, b, c, 0xca;",
    "lop3.b32 d, a, b, a, 0x96;",
    "shl.b32 d, a, 4;",
    "shl.b32 d, a, b;",
    "shr.u32 d, a, 12;",
    "shr.s32 d, a, b;",
    "shf.l.wrap.b32 d, a, b, 9;",
    "shf.r.clamp.b32 d, a, b, c;",
    "bfe.u32 d, a, 5, 9;",
    "bfe.s32 d, a, 5, 9;",
    "bfe.u32 d, a, b, c;",
    "bfi.b32 d, a, b, 7, 12;",
    "bfi.b32 d, a, b, c, 4;",
    "prmt.b32 d, a, b, 0x7214;",
    "prmt.b32 d, a, b, 0xf3b0;",
    "prmt.b32 d, a, b, c;",
    "prmt.b32 d, a, b, b;",
    "prmt.b32.f4e d, a, b, c;",
    "brev.b32 d, a;",
    "popc.b32 d, a;",
    "bfind.u32 d, a;",
    "min.s32 d, a, b;",
    "abs.s32 d, a;",
    "sad.u32 d, a, b, c;",
    "dp4a.u32.s32 d, a, b, c;",
    "mov.b32 {%h5, %h6}, a; mov.b32 {%h7, %h8}, b; mov.b32 d, {%h5, %h8};",
    "mov.b32 {%h5, %h6}, a; cvt.s32.s16 d, %h5;",
    "mov.b32 {%h5, %h6}, a; cvt.u32.u8 d, %h6;",
    "cvt.sat.u8.s32 d, a;",
    "cvt.s32.s8 d, a;",
    "cvt.rn.f32.s32 %f3, a; mov.b32 d, %f3;",
    "mov.b32 %f3, a; mov.b32 %f4, b; cvt.rn.f16x2.f32 d, %f3, %f4;",
    "mov.b32 %f3, a; mov.b32 %f4, b; fma.rn.f32 %f3, %f3, %f4, %f4; mov.b32 d, %f3;",
    "fma.rn.f16x2 d, a, b, c;",
    "max.f16x2 d, a, b;",
    "selp.b32 d, a, b, p;",
    "slct.b32.s32 d, a, b, c;",
    "set.lt.u32.s32 d, a, b;",
    "setp.lt.s32 p, a, b;",
    "setp.lt.or.s32 p|q, a, b, !s;",
    "setp.eq.u32 p, a, a;",
    "and.pred p, q, s;",
    "or.pred p, q, s;",
    "xor.pred p, q, s;",
    "not.pred p, q;",
    "mov.pred p, q;",
    "add.cc.u32 d, a, b; addc.u32 d, b, c;",
    "sub.cc.u32 d, a, b; subc.cc.u32 d, b, c; addc.u32 d, a, 0;",
    "shfl.sync.bfly.b32 d, a, 5, 31, -1;",
    "shfl.sync.up.b32 d|p, a, 3, 0, -1;",
    "shfl.sync.idx.b32 d, a, 7, 31, -1;",
    "vote.sync.ballot.b32 d, p, -1;",
    "vote.sync.any.pred p, !q, -1;",
    "vote.sync.all.pred p, q, -1;",
    "vote.sync.uni.pred p, q, -1;",
    "match.any.sync.b32 d, a, -1;",
    "match.all.sync.b32 d|p, a, -1;",
    "redux.sync.add.u32 d, a, -1;",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d, %r20, %r21, %r22}, {a, b}, {c}, {a, b, c, c};",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {d, %r20}, {a, b}, {c}, {a, c};",
    "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {d, %r20, %r21, %r22}, {a, b}, {c}, {a, b, c, c};",
    "st.shared.u32 [%rd3], a; st.shared.u8 [%rd3+1], b; ld.shared.u32 d, [%rd3];",
    "st.shared.u32 [%rd3], a; ld.shared.s8 d, [%rd3+2];",
    "st.shared.u32 [%rd3], a; atom.shared.add.u32 d, [%rd3], b;",
    "st.shared.u32 [%rd3], a; atom.shared.cas.b32 d, [%rd3], b, c; ld.shared.u32 d, [%rd3];",
    "st.shared.u32 [%rd3], a; atom.shared.exch.b32 d, [%rd3], b; ld.shared.u32 d, [%rd3];",
    "st.local.u32 [kept], a; st.local.u8 [kept+3], b; ld.local.u32 d, [kept];",
];

/// A defined byte is the same whatever undefined memory holds.
#[test]
fn results_that_are_defined_do_not_depend_on_undefined_memory() {
    const REGISTERS: usize = 8;
    let steps = RANDOM;
    let (mut defined, mut undefined) = (0, 0);
    for seed in 1..=400_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut below = |count: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % count
        };
        let mut body = String::from(".local .align 4 .b8 kept[4];\n");
        for i in 0..REGISTERS {
            let at = i * 128;
            body += &format!("ld.global.u32 %r{}, [%rd2+{at}];\n", 10 + i);
        }
        for i in 4..8 {
            body += &format!("setp.lt.s32 %p{i}, %r{}, %r{};\n", 6 + i, 10 + below(REGISTERS));
        }
        for _ in 0..1 + below(6) {
            for token in steps[below(steps.len())].split_inclusive([' ', ',', ';', '|', '}']) {
                let end = token.trim_end_matches([' ', ',', ';', '|', '}']).len();
                let (word, rest) = token.split_at(end);
                let (start, name) =
                    word.split_at(word.find(|it: char| !"{!".contains(it)).unwrap_or(end));
                let name = match name {
                    "a" | "b" | "c" | "d" => format!("%r{}", 10 + below(REGISTERS)),
                    "p" | "q" | "s" => format!("%p{}", 4 + below(4)),
                    other => other.to_owned(),
                };
                body += &format!("{start}{name}{rest}");
            }
            body += "\n";
        }
        for i in 0..4 {
            body += &format!("selp.b32 %r{}, 1, 0, %p{};\n", 18 + i, 4 + i);
        }
        for i in 0..REGISTERS + 4 {
            body += &format!("st.global.u32 [%rd2+{}], %r{};\n", 2048 + i * 128, 10 + i);
        }
        let text = kernel(&body).replace("%r<20>", "%r<40>");
        // The undefined bytes of a lane and register, and the values for two contents of undefined memory.
        let inputs: Vec<u32> =
            (0..2 * 32 * REGISTERS).map(|_| (below(1 << 30) as u32).wrapping_mul(5)).collect();
        let is_undefined: Vec<bool> = (0..32 * REGISTERS).map(|_| below(4) == 0).collect();
        let run = |fill: Option<usize>| {
            let runner = Runner::new(&text);
            let data = runner.undefined(4096);
            for (i, is_undefined) in is_undefined.iter().enumerate() {
                let value = match (is_undefined, fill) {
                    (true, None) => continue,
                    (true, Some(fill)) => inputs[fill * 32 * REGISTERS + i],
                    (false, _) => inputs[i] % 50,
                };
                runner.device.write(data + 4 * i as u64, &value.to_le_bytes()).expect("it fits");
            }
            if let Err(error) = launch(&runner, data, 0) {
                panic!("{text}\n{error}");
            }
            let mut bytes = vec![0; (REGISTERS + 4) * 128];
            let read = runner.device.read(data + 2048, &mut bytes);
            assert!(read.is_ok() || fill.is_none(), "{text}\n{read:?}");
            let masks = (0..bytes.len() as u64 / 4)
                .map(|i| undefined_bytes(&runner.device, data + 2048 + 4 * i));
            (bytes, if fill.is_none() { masks.collect() } else { vec![] })
        };
        let (_, masks) = run(None);
        let ((one, _), (other, _)) = (run(Some(0)), run(Some(1)));
        for (i, (one, other)) in one.iter().zip(&other).enumerate() {
            let is_defined = masks[i / 4] >> (i % 4) & 1 == 0;
            assert!(!is_defined || one == other, "seed {seed}: byte {i} differs\n{text}");
            *(if is_defined { &mut defined } else { &mut undefined }) += 1;
        }
    }
    assert!(defined > 100_000 && undefined > 100_000, "{defined} and {undefined}");
}
