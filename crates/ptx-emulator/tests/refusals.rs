//! Refusals: of texts by the parser, with the line, and of launches before they run.

#[path = "harness/kernel.rs"]
mod kernel;
#[path = "harness/runner.rs"]
mod runner;

use kernel::kernel;
use ptx_emulator::{Argument, LaunchConfig, Module, ParseError};
use runner::{Runner, line_of, shape};

#[test]
fn unknown_instructions_and_wrong_operands_are_refused() {
    let refused = |body: &str| match Module::parse(&kernel(body)) {
        Err(error) => error,
        Ok(_) => panic!("{body} is accepted"),
    };
    for mnemonic in [
        "frobnicate.u32",
        "add.rz.u32",
        "ld.global.b128",
        "mul.u32",
        "atom.global.add.s64",
        "atom.global.min.noftz.f16",
        "atom.global.max.noftz.bf16x2",
        "copysign.ftz.f32",
        "copysign.f16",
        "sqrt.full.f32",
        "cp.async.shared.global",
    ] {
        let text = kernel(&format!("{mnemonic} %r1, %r2, %r3; // here"));
        let line = line_of(&text, "// here");
        let expected = ParseError::UnknownInstruction { line, mnemonic: mnemonic.into() };
        assert_eq!(refused(&format!("{mnemonic} %r1, %r2, %r3; // here")), expected);
    }
    for (body, reason) in [
        ("add.u32 %r1, %rd1, %r2;", "%rd1 has 64 bits, expected 32"),
        ("add.u32 %r1, %r2;", "operand 3 is missing"),
        ("add.u32 %r1, %r2, %r3, %r4;", "4 operands, expected 3"),
        ("mov.u32 %r1, nobody;", "nobody is not declared"),
        ("bra nowhere;", "there is no label nowhere"),
        ("@%r1 bra nowhere;", "%r1 is not a predicate"),
        ("call nobody;", "there is no function nobody"),
        ("cp.async.cg.shared.global [%r1], [%rd1], 8;", "8 bytes, expected 16 with .cg"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 12;", "12 bytes, expected 4, 8 or 16"),
        ("st.global.v2.u32 [%rd1], {%r1, _};", "an operand has the wrong form"),
        ("again: again: ret;", "the label again is defined twice"),
        ("vote.sync.all %p1, %p2, -1;", "unknown instruction vote.sync.all"),
        ("vote.sync.ballot %r1, %p2, -1;", "unknown instruction vote.sync.ballot"),
        ("min.f16 %h1, %h2, %h3, %h4;", "4 operands, expected 3"),
        ("selp.ftz.f32 %f1, %f2, %f3, %p1;", "unknown instruction selp.ftz.f32"),
        ("slct.ftz.f32.s32 %f1, %f2, %f3, %r1;", "unknown instruction slct.ftz.f32.s32"),
    ] {
        let found = refused(body).to_string();
        assert!(found.ends_with(reason), "{found}");
    }
    let unfinished = ".version 8.0\n.target sm_80\n.entry k() { add.u32 ";
    assert_eq!(Module::parse(unfinished).err().map(|it| it.line()), Some(3), "the end of the file");
}

#[test]
fn what_the_target_does_not_have_is_refused() {
    let refused = |text: &str| match Module::parse(text) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{text} is accepted"),
    };
    let newer = kernel("add.rn.bf16 %h1, %h2, %h3; // here");
    assert!(Module::parse(&newer).is_ok());
    let line = line_of(&newer, "// here");
    assert_eq!(
        refused(&newer.replace("sm_90a", "sm_80")),
        format!("line {line}: add.rn.bf16: needs sm_90 or later, but the module is for sm_80")
    );
    let three = kernel("min.f32 %f1, %f2, %f3, %f4; // here");
    let line = line_of(&three, "// here");
    let expected = format!(
        "line {line}: min.f32 with three sources: needs sm_100 or later, but the module is for sm_90a"
    );
    assert_eq!(refused(&three), expected);
    assert!(Module::parse(&three.replace("sm_90a", "sm_100a")).is_ok());
    // Labels of the same name in two scopes are distinct.
    assert!(Module::parse(&kernel("{ l: bra l; } { l: bra l; }")).is_ok());
    let large = kernel("").replace("tile[4096]", "tile[49153]");
    assert!(refused(&large).ends_with(
        "kernel k declares 49153 bytes of shared memory, expected at most 49152: use dynamic shared \
         memory for more"
    ));
    let text = kernel("");
    let without = |line: &str| refused(&text.replace(line, ""));
    assert_eq!(without(".version 8.0\n"), "line 1: found .target, expected .version");
    assert_eq!(without(".target sm_90a\n"), "line 2: found .address_size, expected .target");
    let unknown = refused(&text.replace("sm_90a", "compute_90"));
    assert_eq!(unknown, "line 2: found the target compute_90, expected a name such as sm_80");
}

#[test]
fn launches_that_are_not_possible() {
    let text = kernel("").replace(")\n{", ")\n.maxntid 64, 1, 1\n{");
    let runner = Runner::new(&text);
    let data: Argument = runner.words(&[1]).into();
    let launch = |config: &LaunchConfig, arguments: &[Argument]| {
        runner.launch("k", config, arguments).expect_err("no such launch").to_string()
    };
    let one = std::slice::from_ref(&data);
    for (found, expected) in [
        (launch(&shape(1, 65, 0), one), "at most 64 threads in a block, found 65"),
        (launch(&shape(1, 0, 0), one), "a block of [0, 1, 1] threads"),
        (launch(&shape(0, 1, 0), one), "a grid of [0, 1, 1] blocks"),
        (launch(&shape(1, 1, 0), &[]), "takes 1 arguments, found 0"),
        (launch(&shape(1, 1, 0), &[1_u32.into()]), "data of kernel k has 8 bytes, the argument 4"),
    ] {
        assert!(found.contains(expected), "{found}");
    }
    let config = LaunchConfig { dynamic_shared: 228 << 10, ..shape(1, 1, 0) };
    assert!(launch(&config, one).contains("bytes of shared memory"));
    // Extents whose product overflows every integer type.
    let most = [u32::MAX; 3];
    let config = LaunchConfig { grid: most, ..LaunchConfig::default() };
    assert!(launch(&config, one).starts_with("a grid of [4294967295"));
    let config = LaunchConfig { block: most, ..LaunchConfig::default() };
    assert!(launch(&config, one).starts_with("a block of [4294967295"));
}

#[test]
fn launches_that_the_target_has_no_room_for() {
    let launch = |target: &str, config: &LaunchConfig| {
        let runner = Runner::new(&kernel("").replace("sm_90a", target));
        let data: Argument = runner.words(&[1]).into();
        runner.launch("k", config, &[data]).map(|_| ()).map_err(|error| error.to_string())
    };
    // The kernel itself has 4096 bytes.
    for (target, most) in [("sm_75", 64), ("sm_80", 163), ("sm_86", 99), ("sm_90a", 227)] {
        let with = |bytes| LaunchConfig { dynamic_shared: bytes, ..shape(1, 1, 0) };
        let most = most << 10;
        assert_eq!(launch(target, &with(most - 4096)), Ok(()), "{target}");
        let expected = format!(
            "kernel k needs {} bytes of shared memory, but a block of {target} has at most {most}",
            most + 16
        );
        assert_eq!(launch(target, &with(most - 4080)), Err(expected));
    }
    let with =
        |threads, registers| LaunchConfig { registers: Some(registers), ..shape(1, threads, 0) };
    assert_eq!(launch("sm_90a", &with(256, 255)), Ok(()));
    let expected = "a block of 1024 threads with 255 registers each does not fit on a multiprocessor of sm_90a";
    assert_eq!(launch("sm_90a", &with(1024, 255)), Err(expected.into()));
}
