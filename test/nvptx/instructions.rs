//! The emulator knows no instruction that the assembler does not: of heads, modifiers and types in all combinations, those
//! that it accepts are those that PTX has, but for some that it refuses as unknown.

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
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .b16 %h<9>;
.reg .b32 %r<9>;
.reg .b64 %q<9>;
.reg .f32 %f<9>;
.reg .f64 %d<9>;
ld.param.u64 %q1, [p];
";

/// Of f64 in other directions, and some of the newest: see the emulator's README.
const UNKNOWN: &[&str] = &[".rz.f64", ".rm.f64", ".rp.f64", ".relu.s32", "rcp.rn.ftz.f64"];
const UNKNOWN_OF_BF16: &[&str] = &["fma.rz.", "fma.rm.", "fma.rp."];

/// All that look like an instruction; most are none.
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
    all
}

#[test]
fn the_emulator_knows_what_the_assembler_knows() {
    let Some(assembler) = assembler::get() else { return };
    let all = instructions();
    let Err(report) =
        assembler.assemble(&format!("{HEAD}{}\nret;\n}}\n", all.join("\n")), "sm_90a")
    else {
        panic!("most of these are no instructions");
    };
    let first = HEAD.lines().count() + 1;
    let refused: HashSet<usize> = report
        .lines()
        .filter_map(|it| it.split_once(", line ")?.1.split(';').next()?.parse().ok())
        .collect();
    let mut wrong = vec![];
    let mut known = 0;
    for (number, instruction) in all.iter().enumerate() {
        let text = format!("{HEAD}{instruction}\nret;\n}}\n");
        let is_known = Module::parse(&text).is_ok();
        let exists = !refused.contains(&(first + number));
        let name = instruction.split(' ').next().unwrap_or_default();
        let may_be_unknown = UNKNOWN.iter().any(|it| name.ends_with(it))
            || name.contains("bf16") && UNKNOWN_OF_BF16.iter().any(|it| name.starts_with(it));
        known += usize::from(is_known && exists);
        if is_known != exists && !(exists && may_be_unknown) {
            wrong.push(format!("{instruction} is known: {is_known}, exists: {exists}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(known >= 300, "{known} instructions");
}
