//! The emulator accepts exactly the instructions that the assembler accepts, for all combinations of opcodes, modifiers
//! and types, except some that it refuses as unknown.

use crate::assembler;
use ptx_emulator::Module;
use std::collections::HashSet;

/// Types, and the registers that hold them.
const TYPES: &[(&str, &str)] = &[
    ("b16", "h"),
    ("u16", "h"),
    ("s16", "h"),
    ("f16", "h"),
    ("bf16", "h"),
    ("b32", "r"),
    ("u32", "r"),
    ("s32", "r"),
    ("f16x2", "r"),
    ("bf16x2", "r"),
    ("f32", "f"),
    ("b64", "q"),
    ("u64", "q"),
    ("s64", "q"),
    ("f64", "d"),
];

const HEAD: &str = ".version 8.6
.target @target
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .pred %p<9>;
.reg .b16 %h<9>;
.reg .b32 %r<9>;
.reg .b64 %q<9>;
.reg .f32 %f<9>;
.reg .f64 %d<9>;
ld.param.u64 %q1, [p];
";

/// Conversions of f64 with other roundings, and some of the newest instructions: see the emulator's README.
const UNKNOWN: &[&str] =
    &[".rz.f64", ".rm.f64", ".rp.f64", ".relu.s32", "rcp.rn.ftz.f64", "red.global.add.v2.f32"];
const UNKNOWN_OF_BF16: &[&str] = &["fma.rz.", "fma.rm.", "fma.rp."];

/// All candidate instructions; most are invalid.
fn instructions() -> Vec<String> {
    let mut all = vec![];
    let mut add = |heads: &str, modifiers: &str, of: &dyn Fn(&str, &str) -> String| {
        for head in heads.split(' ') {
            for modifier in modifiers.split(' ').map(|it| it.trim_start_matches('-')) {
                for (ty, register) in TYPES {
                    all.push(format!("{head}{modifier}.{ty} {};", of(head, register)));
                }
            }
        }
    };
    add(
        "add sub mul min max and or xor div rem",
        "- .lo .hi .sat .ftz .rn .rz .rm .rp .rn.ftz .rn.sat .rn.ftz.sat .approx .approx.ftz .full .NaN .ftz.NaN \
         .xorsign.abs .NaN.xorsign.abs .relu",
        &|_, it| format!("%{it}2, %{it}3, %{it}4"),
    );
    add(
        "fma mad",
        "- .lo .hi .rn .rz .rm .rp .rn.ftz .rn.sat .rn.relu .rn.ftz.relu .rn.sat.relu .hi.sat .rn.ftz.sat",
        &|_, it| format!("%{it}2, %{it}3, %{it}4, %{it}5"),
    );
    add(
        "neg abs not cnot brev sqrt rcp rsqrt ex2 lg2 sin cos tanh",
        "- .ftz .rn .rz .rm .approx .approx.ftz .rn.ftz .NaN",
        &|_, it| format!("%{it}2, %{it}3"),
    );
    add("popc clz", "-", &|_, it| format!("%r2, %{it}3"));
    add(
        "atom.global.add atom.global.min atom.global.max atom.global.and atom.global.exch atom.global.inc \
         atom.global.dec atom.global.cas",
        "- .noftz",
        &|head, it| {
            let last = if head.ends_with("cas") { format!(", %{it}4") } else { String::new() };
            format!("%{it}2, [%q1], %{it}3{last}")
        },
    );
    add("red.global.add red.global.min red.global.or", "- .noftz", &|_, it| {
        format!("[%q1], %{it}3")
    });
    add("setp.lt setp.ltu set.lt.u32", "- .ftz", &|head, it| match head {
        "set.lt.u32" => format!("%r2, %{it}3, %{it}4"),
        _ => format!("%p1, %{it}3, %{it}4"),
    });
    add("ld.global st.global", "- .v2 .v4", &|head, it| {
        let registers = [1, 2, 3, 4].map(|i| format!("%{it}{i}")).join(", ");
        match head {
            "ld.global" => format!("{{{registers}}}, [%q1]"),
            _ => format!("[%q1], {{{registers}}}"),
        }
    });
    for instruction in OTHERS {
        all.push(instruction.to_string());
    }
    all.extend(conversions());
    all
}

/// Instructions that not all architectures support.
const OTHERS: &[&str] = &[
    "elect.sync %r2|%p1, 0xffffffff;",
    "redux.sync.add.s32 %r2, %r3, 0xffffffff;",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r3};",
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];",
    "cp.async.ca.shared.global [%r2], [%q1], 16;",
    "discard.global.L2 [%q1], 128;",
    "applypriority.global.L2::evict_normal [%q1], 128;",
    "fence.sc.cluster;",
    "fence.acq_rel.gpu;",
    "add.s16x2 %r2, %r3, %r4;",
    "min.s16x2 %r2, %r3, %r4;",
    "max.u16x2 %r2, %r3, %r4;",
    "red.global.add.v2.f32 [%q1], {%f2, %f3};",
    "ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%q1];",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4};",
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4};",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4};",
    "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r3}, {%r1, %r2, %r3, %r4};",
];

/// `cvt` between all types, with all modifiers.
fn conversions() -> Vec<String> {
    let types = TYPES.iter().filter(|(ty, _)| !ty.starts_with('b') || ty.starts_with("bf"));
    let types: Vec<_> = types.chain(&[("tf32", "r"), ("s8", "h"), ("u8", "h")]).collect();
    let mut all = vec![];
    for rounding in ["", ".rn", ".rz", ".rm", ".rna", ".rni", ".rzi", ".rpi"] {
        for modifiers in ["", ".ftz", ".sat", ".relu", ".ftz.sat"] {
            for (to, target) in &types {
                for (from, source) in &types {
                    let second =
                        if to.ends_with("x2") { format!(", %{source}4") } else { String::new() };
                    all.push(format!(
                        "cvt{rounding}{modifiers}.{to}.{from} %{target}2, %{source}3{second};"
                    ));
                }
            }
        }
    }
    all
}

#[test]
fn the_emulator_knows_what_the_assembler_knows() {
    let Some(assembler) = assembler::get() else { return };
    let all = instructions();
    let mut wrong = vec![];
    for target in ["sm_75", "sm_80", "sm_86", "sm_90a"] {
        let head = HEAD.replace("@target", target);
        let text = format!("{head}{}\nret;\n}}\n", all.join("\n"));
        let Err(report) = assembler.assemble(&text, target) else {
            panic!("most of these are no instructions");
        };
        let first = head.lines().count() + 1;
        let refused: HashSet<usize> = report
            .lines()
            .filter_map(|it| it.split_once(", line ")?.1.split(';').next()?.parse().ok())
            .collect();
        let mut known = 0;
        for (number, instruction) in all.iter().enumerate() {
            let is_known = Module::parse(&format!("{head}{instruction}\nret;\n}}\n")).is_ok();
            let exists = !refused.contains(&(first + number));
            let name = instruction.split(' ').next().unwrap_or_default();
            let may_be_unknown = UNKNOWN.iter().any(|it| name.ends_with(it))
                // One result for both halves.
                || name.starts_with("set") && name.ends_with("f16x2")
                || name.contains("bf16") && UNKNOWN_OF_BF16.iter().any(|it| name.starts_with(it));
            known += usize::from(is_known && exists);
            if is_known != exists && !(exists && may_be_unknown) {
                let found =
                    format!("{target}: {instruction} is known: {is_known}, exists: {exists}");
                wrong.push(found);
            }
        }
        assert!(known >= 300, "{target}: {known} instructions");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
