//! Undefined values: how they flow through instructions and memory, and the uses that are faults.

#[path = "harness/kernel.rs"]
mod kernel;
#[path = "undefined/random.rs"]
mod random;
#[path = "harness/runner.rs"]
mod runner;

use kernel::kernel;
use ptx_emulator::{Device, DeviceError, Fault, FaultKind, LaunchError, Profile, Role, Space};
use runner::{Runner, fault, line_of, shape};

/// %r3 is undefined, %r4 is 7. %h1 and %h2 are the halves of %r3. %p1 is undefined, and %p2 holds in lane 3.
const START: &str = "
    ld.shared.u32 %r3, [%rd3]; // read
    mov.u32 %r4, 7;
    mov.b32 {%h1, %h2}, %r3;
    mov.b32 {%h3, %h4}, %r4;
    mov.b32 %f1, %r3;
    mov.b32 %f2, %r4;
    setp.eq.u32 %p1, %r3, 0;
    setp.eq.u32 %p2, %r1, 3;
    // %r6 is undefined in lane 3 alone.
    selp.b32 %r6, %r3, %r1, %p2;
    setp.ne.u32 %p3, %r6, 99;
";

fn text(body: &str) -> String {
    kernel(&(START.to_owned() + body)).replace("%r<20>", "%r<40>")
}

fn launch(runner: &Runner, data: u64, seed: u64) -> Result<Profile, LaunchError> {
    runner.launch("k", &shape(1, 32, seed), &[data.into()])
}

/// The undefined bytes of a word for each of 32 lanes, as masks, after a body that stores %r5.
#[track_caller]
fn lanes(body: &str) -> Vec<u32> {
    let runner = Runner::new(&text(&format!("{body}\nst.global.u32 [%rd2], %r5;")));
    let data = runner.words(&[0; 1024]);
    if let Err(error) = launch(&runner, data, 0) {
        panic!("{body}: {error}");
    }
    (0..32).map(|lane| undefined_bytes(&runner.device, data + 4 * lane)).collect()
}

fn undefined_bytes(device: &Device, word: u64) -> u32 {
    let is_undefined = |at: u64| match device.read(word + at, &mut [0]) {
        Ok(()) => 0,
        Err(DeviceError::Undefined { .. }) => 1 << at,
        Err(error) => panic!("{error}"),
    };
    (0..4).fold(0, |mask, at| mask | is_undefined(at))
}

/// The same in all lanes.
#[track_caller]
fn bytes(body: &str) -> u32 {
    let found = lanes(body);
    assert!(found.iter().all(|it| *it == found[0]), "{body}: {found:?}");
    found[0]
}

/// The masks if only lane 3 differs from `others`.
fn only_lane_3(value: u32, others: u32) -> Vec<u32> {
    (0..32).map(|lane| if lane == 3 { value } else { others }).collect()
}

#[test]
fn bits_are_moved_one_by_one() {
    for (body, expected) in [
        ("mov.b32 %r5, %r3;", 0xf),
        ("mov.b32 %r5, %r4;", 0),
        ("not.b32 %r5, %r3;", 0xf),
        ("and.b32 %r5, %r3, 0xff;", 1),
        ("or.b32 %r5, %r3, 0xffff0000;", 3),
        ("xor.b32 %r5, %r3, %r4;", 0xf),
        ("lop3.b32 %r5, %r3, 0xff00, %r4, 0x80;", 0),
        ("lop3.b32 %r5, %r3, 0xff00, %r4, 0xc0;", 2),
        ("shl.b32 %r5, %r3, 8;", 0xe),
        ("shr.u32 %r5, %r3, 24;", 1),
        ("shr.s32 %r5, %r3, 24;", 0xf),
        ("shf.l.wrap.b32 %r5, %r3, %r4, 8;", 1),
        ("bfe.u32 %r5, %r3, 8, 8;", 1),
        ("bfi.b32 %r5, %r3, %r4, 8, 8;", 2),
        ("prmt.b32 %r5, %r3, %r4, 0x5410;", 3),
        ("prmt.b32 %r5, %r4, %r3, 0x3210;", 0),
        ("and.b32 %r6, %r3, 0xff; brev.b32 %r5, %r6;", 8),
        ("mov.b32 %r5, {%h1, %h3};", 3),
        ("mov.b32 %r5, {%h4, %h2};", 0xc),
        ("mov.b64 %rd5, {%r4, %r3}; mov.b64 {%r5, %r6}, %rd5;", 0),
        ("mov.b64 %rd5, {%r4, %r3}; mov.b64 {%r6, %r5}, %rd5;", 0xf),
        ("cvt.u32.u16 %r5, %h1;", 3),
        ("cvt.s32.s16 %r5, %h1;", 0xf),
        ("cvt.u64.u32 %rd5, %r3; shr.u64 %rd6, %rd5, 16; cvt.u32.u64 %r5, %rd6;", 3),
        ("ld.shared.u8 %r5, [%rd3];", 1),
        ("ld.shared.s8 %r5, [%rd3];", 0xf),
    ] {
        assert_eq!(bytes(body), expected, "{body}");
    }
}

#[test]
fn a_result_is_undefined_if_an_operand_is() {
    for body in [
        "add.u32 %r5, %r3, %r4;",
        "mad.lo.u32 %r5, %r4, %r4, %r3;",
        "mul.wide.u32 %rd5, %r3, 2; cvt.u32.u64 %r5, %rd5;",
        "min.s32 %r5, %r3, %r4;",
        "popc.b32 %r5, %r3;",
        "div.u32 %r5, %r3, %r4;",
        "cvt.rn.f32.s32 %f3, %r3; mov.b32 %r5, %f3;",
        "fma.rn.f32 %f3, %f2, %f2, %f1; mov.b32 %r5, %f3;",
        "ex2.approx.f32 %f3, %f1; mov.b32 %r5, %f3;",
        "selp.b32 %r5, 1, 0, %p1;",
        "selp.b32 %r5, 1, 0, !%p1;",
        "set.eq.u32.u32 %r5, %r3, %r4;",
        "slct.b32.s32 %r5, %r4, %r4, %r3;",
        "shl.b32 %r5, %r4, %r3;",
        "prmt.b32 %r5, %r3, %r4, %r4; prmt.b32 %r5, %r5, %r4, %r5;",
        "mov.u32 %r6, 1; add.cc.u32 %r6, %r3, %r6; addc.u32 %r5, %r4, %r4;",
        "dp4a.u32.u32 %r5, %r4, %r4, %r3;",
    ] {
        assert_eq!(bytes(body), 0xf, "{body}");
    }
    for (body, expected) in [
        ("mov.b32 %r6, {%h1, %h3}; fma.rn.f16x2 %r5, %r4, %r4, %r6;", 3),
        ("mov.b32 %r6, {%h3, %h1}; add.f16x2 %r5, %r6, %r4;", 0xc),
        ("cvt.rn.f16x2.f32 %r5, %f1, %f2;", 0xc),
        ("cvt.rn.f16x2.f32 %r5, %f2, %f1;", 3),
    ] {
        assert_eq!(bytes(body), expected, "{body}");
    }
}

#[test]
fn a_value_that_is_not_selected_does_not_matter() {
    assert_eq!(lanes("mov.b32 %r5, %r6;"), only_lane_3(0xf, 0));
    assert_eq!(lanes("selp.b32 %r5, %r4, %r3, %p2;"), only_lane_3(0, 0xf));
    assert_eq!(
        lanes(
            "sub.s32 %r7, %r1, 3; abs.s32 %r7, %r7; neg.s32 %r7, %r7; slct.b32.s32 %r5, %r3, %r4, %r7;"
        ),
        only_lane_3(0xf, 0)
    );
    // A guarded move leaves the other lanes as they were.
    assert_eq!(lanes("mov.b32 %r5, %r4; @%p2 mov.b32 %r5, %r3;"), only_lane_3(0xf, 0));
    assert_eq!(lanes("mov.b32 %r5, %r3; @%p2 mov.b32 %r5, %r4;"), only_lane_3(0, 0xf));
}

#[test]
fn predicates_are_undefined_in_each_lane() {
    let selected = "selp.b32 %r5, 1, 0, %p4;";
    for (body, expected) in [
        ("mov.pred %p4, %p1;", vec![0xf; 32]),
        ("not.pred %p4, %p1;", vec![0xf; 32]),
        ("and.pred %p4, %p1, %p2;", only_lane_3(0xf, 0)),
        ("or.pred %p4, %p1, %p2;", only_lane_3(0, 0xf)),
        ("xor.pred %p4, %p1, %p2;", vec![0xf; 32]),
        ("mov.pred %p4, %p3;", only_lane_3(0xf, 0)),
        ("setp.lt.and.u32 %p4|%p5, %r3, %r4, %p2;", vec![0xf; 32]),
        ("mov.pred %p4, %p1; setp.lt.u32 %p4, %r4, %r4;", vec![0; 32]),
    ] {
        assert_eq!(lanes(&format!("{body}{selected}")), expected, "{body}");
    }
}

#[test]
fn collectives_hand_on_what_their_lanes_have() {
    let pair = (0..32).map(|lane| if lane == 2 { 0xf } else { 0 }).collect::<Vec<_>>();
    for (body, expected) in [
        ("shfl.sync.idx.b32 %r5, %r6, 3, 31, -1;", vec![0xf; 32]),
        ("shfl.sync.idx.b32 %r5, %r6, 2, 31, -1;", vec![0; 32]),
        ("shfl.sync.bfly.b32 %r5, %r6, 1, 31, -1;", pair),
        ("shfl.sync.idx.b32 %r5|%p4, %r3, 2, 31, -1; selp.b32 %r5, 1, 0, %p4;", vec![0; 32]),
        ("vote.sync.ballot.b32 %r5, %p3, -1;", vec![1; 32]),
        ("vote.sync.any.pred %p4, %p3, -1; selp.b32 %r5, 1, 0, %p4;", vec![0; 32]),
        ("vote.sync.all.pred %p4, %p3, -1; selp.b32 %r5, 1, 0, %p4;", vec![0xf; 32]),
        ("vote.sync.uni.pred %p4, %p1, -1; selp.b32 %r5, 1, 0, %p4;", vec![0xf; 32]),
        ("match.any.sync.b32 %r5, %r6, -1;", vec![0xf; 32]),
        ("redux.sync.add.u32 %r5, %r6, -1;", vec![0xf; 32]),
        ("redux.sync.add.u32 %r5, %r4, -1;", vec![0; 32]),
    ] {
        assert_eq!(lanes(body), expected, "{body}");
    }
}

#[test]
fn a_written_register_is_defined_again() {
    for body in [
        "mov.b32 %r5, %r3; mov.b32 %r5, 1;",
        "mov.b32 %r5, %r3; mov.u32 %r5, %clock;",
        "mov.b32 %r5, %r3; activemask.b32 %r5;",
        "mov.b32 %r5, %r3; ld.global.u32 %r5, [%rd2];",
        "mov.b32 %r5, %r3; atom.global.add.u32 %r5, [%rd2], 1;",
        "mov.b32 %r5, %r3; bar.red.popc.u32 %r5, 0, %p2;",
        "mov.b64 %rd5, {%r3, %r3}; mov.b64 %rd5, 3; cvt.u32.u64 %r5, %rd5;",
    ] {
        assert_eq!(bytes(body), 0, "{body}");
    }
}

#[test]
fn stores_make_memory_undefined_again() {
    let shared = "st.shared.u32 [%rd3], %r4;";
    for (body, expected) in [
        ("st.shared.u32 [%rd3], %r3; ld.shared.u32 %r5, [%rd3];", 0xf),
        ("st.shared.u8 [%rd3+1], %r3; ld.shared.u32 %r5, [%rd3];", 2),
        ("st.shared.u16 [%rd3], %h3; ld.shared.u32 %r5, [%rd3];", 0),
        ("st.global.u32 [%rd2], %r3; ld.global.u32 %r5, [%rd2];", 0xf),
        ("st.global.u16 [%rd2+2], %h1; ld.global.u32 %r5, [%rd2];", 0xc),
        ("st.global.u32 [%rd2], %r3; st.global.u32 [%rd2], %r4; ld.global.u32 %r5, [%rd2];", 0),
        (
            ".local .b32 kept; st.local.u32 [kept], %r4; st.local.u8 [kept], %r3; ld.local.u32 %r5, [kept];",
            1,
        ),
        (".local .b32 kept; ld.local.u32 %r5, [kept];", 0xf),
        ("cvta.shared.u64 %rd5, %rd3; st.u16 [%rd5], %h1; ld.u32 %r5, [%rd5];", 3),
        (
            "mad.wide.u32 %rd5, %r1, 8, %rd1; st.global.v2.u32 [%rd5+1024], {%r3, %r4};
          ld.global.v2.u32 {%r6, %r5}, [%rd5+1024];",
            0,
        ),
        (
            "mad.wide.u32 %rd5, %r1, 8, %rd1; st.global.v2.u32 [%rd5+1024], {%r3, %r4};
          ld.global.v2.u32 {%r5, %r6}, [%rd5+1024]; add.u32 %r7, %r5, %r6;",
            0xf,
        ),
        // An access of each second lane does not take the fast path.
        (
            "mad.wide.u32 %rd5, %r1, 16, %rd1; st.global.u32 [%rd5+1024], %r3;
          ld.global.u32 %r5, [%rd5+1024];",
            0xf,
        ),
    ] {
        assert_eq!(bytes(&format!("{shared}{body}")), expected, "{body}");
    }
}

#[test]
fn lanes_may_store_one_undefined_value_to_one_location() {
    for space in ["shared.u32 [tile+2048]", "global.u32 [%rd1+2048]"] {
        bytes(&format!("mov.b32 %r5, %r4; st.{space}, %r3;"));
        let body = text(&format!(
            "mov.b32 %r7, 0xcdcdcdcd; selp.b32 %r7, %r3, %r7, %p2; st.{space}, %r7; // here"
        ));
        let runner = Runner::new(&body);
        let found = fault(launch(&runner, runner.words(&[0; 1024]), 0));
        assert!(matches!(found.kind, FaultKind::Race { .. }), "{found}");
    }
}

#[test]
fn calls_pass_undefined_arguments_and_results() {
    let function = ".func (.param .b32 result) f(.param .b32 value) {
        .reg .b32 %r<2>;
        ld.param.b32 %r1, [value];
        st.param.b32 [result], %r1;
        ret;
    }
    .visible";
    let call = |value: &str| {
        let body = format!(
            "{{ .param .b32 a; .param .b32 b; st.param.b32 [a], {value}; call (b), f, (a);
            ld.param.b32 %r5, [b]; st.global.u32 [%rd2], %r5; }}"
        );
        let runner = Runner::new(&text(&body).replace(".visible", function));
        let data = runner.words(&[0; 1024]);
        launch(&runner, data, 0).expect("no fault");
        undefined_bytes(&runner.device, data)
    };
    assert_eq!((call("%r3"), call("%r4")), (0xf, 0));
}

#[test]
fn a_call_finds_nothing_of_earlier_ones_in_its_memory() {
    let function = "
.func (.param .b32 result) f(.param .b32 is_stored) {
    .local .b32 kept;
    .reg .b32 %r<3>;
    .reg .pred %p<2>;
    ld.param.b32 %r1, [is_stored];
    setp.ne.u32 %p1, %r1, 0;
    @%p1 st.local.b32 [kept], %r1;
    ld.local.b32 %r2, [kept];
    st.param.b32 [result], %r2;
    ret;
}
.visible";
    let call = |is_stored: u32| {
        format!(
            "{{ .param .b32 a; .param .b32 b; st.param.b32 [a], {is_stored}; call (b), f, (a); \
             ld.param.b32 %r3, [b]; st.global.u32 [%rd2], %r3; }}"
        )
    };
    let called = |second: u32| {
        let runner = Runner::new(&kernel(&(call(1) + &call(second))).replace(".visible", function));
        let data = runner.words(&[0; 1024]);
        launch(&runner, data, 0).expect("no fault");
        undefined_bytes(&runner.device, data)
    };
    assert_eq!((called(2), called(0)), (0, 0xf));
}

#[test]
fn atomics_with_undefined_values() {
    for space in ["shared", "global"] {
        let (at, start) = match space {
            "shared" => ("[%rd3+2048]", "st.shared.u32 [%rd3+2048], %r4;"),
            _ => ("[%rd2]", ""),
        };
        let undefined = format!("st.{space}.u32 {at}, %r3;");
        let memory = format!("ld.{space}.u32 %r5, {at};");
        for (body, result, left) in [
            (format!("{undefined} atom.{space}.add.u32 %r5, {at}, 1;"), 0xf, 0xf),
            (format!("{undefined} red.{space}.add.u32 {at}, 1; mov.b32 %r5, 0;"), 0, 0xf),
            (format!("{undefined} atom.{space}.exch.b32 %r5, {at}, %r4;"), 0xf, 0),
            (format!("{undefined} atom.{space}.cas.b32 %r5, {at}, 0, 1;"), 0xf, 0xf),
            (format!("{start} atom.{space}.add.u32 %r5, {at}, %r3;"), 0, 0xf),
            (format!("{start} atom.{space}.exch.b32 %r5, {at}, %r3;"), 0, 0xf),
            (format!("{start} atom.{space}.cas.b32 %r5, {at}, %r3, 1;"), 0, 0xf),
            (format!("{start} atom.{space}.add.u32 %r5, {at}, 1;"), 0, 0),
        ] {
            assert_eq!(bytes(&body), result, "{body}");
            assert_eq!(bytes(&format!("{body} {memory}")), left, "{body}");
        }
    }
    let wide = "mad.wide.u32 %rd5, %r1, 8, %rd1; mov.b64 %rd6, {%r3, %r3};
        st.global.u64 [%rd5+1024], %rd6; atom.global.add.u64 %rd7, [%rd5+1024], 1;
        ld.global.u64 %rd8, [%rd5+1024];";
    assert_eq!(bytes(&format!("{wide} cvt.u32.u64 %r5, %rd7;")), 0xf);
    assert_eq!(bytes(&format!("{wide} cvt.u32.u64 %r5, %rd8;")), 0xf);
}

#[test]
fn asynchronous_copies_move_undefined_bytes() {
    let copy = |size: &str| {
        format!(
            "st.global.u16 [%rd2], %h1; mov.u32 %r7, 2;
            cp.async.ca.shared.global [%rd3+2048], [%rd2], 4{size};
            cp.async.wait_all; ld.shared.u32 %r5, [%rd3+2048];"
        )
    };
    assert_eq!(bytes(&copy("")), 3);
    // The bytes after the source size are zero.
    assert_eq!(bytes(&copy(", %r7")), 3);
    let upper = copy(", %r7").replace("[%rd2], %h1", "[%rd2+2], %h1");
    assert_eq!(bytes(&upper), 0);
}

#[test]
fn matrices_have_undefined_elements() {
    // Lane 3 holds the address of row 3, which is undefined; its elements are in lanes 12 to 15.
    let fill = "mul.wide.u32 %rd5, %r1, 16; add.s64 %rd5, %rd5, %rd4; add.s64 %rd5, %rd5, 2048;
        st.shared.v4.b32 [%rd5], {%r6, %r6, %r6, %r6}; bar.warp.sync -1;";
    let row = (0..32).map(|it| if it / 4 == 3 { 0xf } else { 0 }).collect::<Vec<_>>();
    let load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%rd5];";
    assert_eq!(lanes(&format!("{fill}{load}")), row);
    let transposed = load.replace(".x1", ".x1.trans");
    let column = (0..32).map(|it| if it % 4 == 1 { 0xc } else { 0 }).collect::<Vec<_>>();
    assert_eq!(lanes(&format!("{fill}{transposed}")), column);
    let store = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%rd5], {%r6}; bar.warp.sync -1;
        ld.shared.u32 %r5, [%rd3+2048];";
    assert_eq!(lanes(&format!("{fill}{store}")), only_lane_3(0xf, 0));
}

#[test]
fn products_are_undefined_where_a_row_or_a_column_is() {
    // Of `a`, lane 3 holds elements of row 0; of `b`, of column 0; of `c`, of row 0 and columns 6 and 7.
    let row = (0..32).map(|it| if it < 4 { 0xf } else { 0 }).collect::<Vec<_>>();
    let column = (0..32).map(|it| if it % 4 == 0 { 0xf } else { 0 }).collect::<Vec<_>>();
    let product = |ty: &str, [a, b, c]: [&str; 3]| {
        lanes(&format!(
            "mma.sync.aligned.{ty} {{%r5, %r10, %r11, %r12}}, {{{a}, %r4}}, {{{b}}}, {{{c}, %r4, %r4, %r4}};"
        ))
    };
    let float = "m16n8k8.row.col.f32.f16.f16.f32";
    let integer = "m16n8k16.row.col.s32.s8.s8.s32";
    for ty in [float, integer] {
        assert_eq!(product(ty, ["%r6", "%r4", "%r4"]), row, "{ty}");
        assert_eq!(product(ty, ["%r4", "%r6", "%r4"]), column, "{ty}");
        assert_eq!(product(ty, ["%r4", "%r4", "%r6"]), only_lane_3(0xf, 0), "{ty}");
        assert_eq!(product(ty, ["%r4", "%r4", "%r4"]), [0; 32], "{ty}");
    }
}

/// Runs a body with a fault at the line with the comment `// here`, by an undefined value of the line `// read`.
#[track_caller]
fn faulty(body: &str) -> Fault {
    let text = text(body);
    let runner = Runner::new(&text);
    let outcome = launch(&runner, runner.words(&[0; 1024]), 0);
    let Err(LaunchError::Fault(fault)) = outcome else { panic!("{body}: found {outcome:?}") };
    assert_eq!(fault.line, line_of(&text, "// here"), "{fault}");
    let FaultKind::Undefined { range, line, .. } = &fault.kind else { panic!("{fault}") };
    assert_eq!((range.space, range.bytes), (Space::Shared, 4), "{fault}");
    assert_eq!(*line, line_of(&text, "// read"), "{fault}");
    *fault
}

#[test]
fn undefined_values_must_not_decide_what_happens() {
    let address = "cvt.u64.u32 %rd5, %r3; add.s64 %rd5, %rd5, %rd1;";
    let wide = |access: &str| format!("{address}\n{access} // here");
    let barrier = |operands: &str| format!("bar.{operands}; // here");
    for (body, expected) in [
        (wide("ld.global.u32 %r5, [%rd5];"), Role::Address),
        (wide("st.global.u32 [%rd5], %r4;"), Role::Address),
        (wide("atom.global.add.u32 %r5, [%rd5], 1;"), Role::Address),
        (wide("red.global.add.u32 [%rd5], 1;"), Role::Address),
        (wide("cp.async.ca.shared.global [%rd3], [%rd5], 4;"), Role::Address),
        (wide("cp.async.ca.shared.global [%rd5], [%rd2], 4;"), Role::Address),
        (
            wide("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r10, %r11, %r12}, [%rd5];"),
            Role::Address,
        ),
        ("ld.shared.u32 %r5, [%r3]; // here".into(), Role::Address),
        ("@%p1 bra done; // here\nadd.u32 %r4, %r4, 1; done:".into(), Role::Condition),
        ("@!%p1 bra done; // here\nadd.u32 %r4, %r4, 1; done:".into(), Role::Condition),
        ("@%p1 add.u32 %r4, %r4, 1; // here".into(), Role::Guard),
        (
            "table: .branchtargets one, two;\nbrx.idx %r3, table; // here\none:\ntwo:".into(),
            Role::BranchIndex,
        ),
        (barrier("sync %r3"), Role::Barrier),
        (barrier("sync 0, %r3"), Role::Barrier),
        (barrier("arrive 0, %r3"), Role::Barrier),
        (barrier("red.popc.u32 %r5, 0, %p1"), Role::Barrier),
        (barrier("red.or.pred %p4, 0, 32, %p1"), Role::Barrier),
        ("shfl.sync.idx.b32 %r5, %r4, %r3, 31, -1; // here".into(), Role::Lane),
        ("shfl.sync.idx.b32 %r5, %r4, 0, %r3, -1; // here".into(), Role::Lane),
        ("shfl.sync.idx.b32 %r5, %r4, 0, 31, %r3; // here".into(), Role::Members),
        ("vote.sync.ballot.b32 %r5, %p2, %r3; // here".into(), Role::Members),
        ("match.any.sync.b32 %r5, %r4, %r3; // here".into(), Role::Members),
        ("redux.sync.add.u32 %r5, %r4, %r3; // here".into(), Role::Members),
        ("bar.warp.sync %r3; // here".into(), Role::Members),
        ("div.s32 %r5, %r4, %r3; // here".into(), Role::Divisor),
        ("rem.u32 %r5, %r4, %r3; // here".into(), Role::Divisor),
        ("cp.async.ca.shared.global [%rd3], [%rd2], 4, %r3; // here".into(), Role::SourceSize),
        ("cp.async.ca.shared.global [%rd3], [%rd2], 4, %p1; // here".into(), Role::SourceSize),
    ] {
        let fault = faulty(&body);
        let FaultKind::Undefined { role, .. } = fault.kind else { panic!("{fault}") };
        assert_eq!((role, fault.thread.x), (expected, 0), "{fault}");
    }
    // Lanes whose values are defined, and those that do not run the instruction, are not at fault.
    bytes("mov.b32 %r5, 0; @%p2 bra done; add.u32 %r7, %r6, 1; done:");
    let fault = faulty("cvt.u64.u32 %rd5, %r6; ld.shared.u32 %r5, [%rd5+1024]; // here");
    assert_eq!(fault.thread.x, 3, "{fault}");
    let message = fault.to_string();
    let expected = "thread (3, 0, 0): ld.shared.u32: an address is undefined: it depends on the 4 bytes of shared \
                    memory at 0x40c that PTX line 20 read, which nothing had written yet";
    assert!(message.ends_with(expected), "{message}");
}

#[test]
fn the_host_reads_defined_bytes_only() {
    let device = Device::new();
    let (data, copy) =
        (device.alloc(16, 16).expect("memory"), device.alloc(16, 16).expect("memory"));
    device.write(data + 4, &[1; 10]).expect("it fits");
    let error =
        |address, bytes: usize| device.read(address, &mut vec![0; bytes]).expect_err("undefined");
    let undefined =
        |address, bytes, first, count| DeviceError::Undefined { address, bytes, first, count };
    assert_eq!(error(data, 16), undefined(data, 16, 0, 6));
    assert_eq!(error(data + 4, 12), undefined(data + 4, 12, 10, 2));
    assert_eq!(device.read(data + 4, &mut [0; 10]), Ok(()));
    device.copy(copy, data, 16).expect("it fits");
    assert_eq!(error(copy, 16), undefined(copy, 16, 0, 6));
    device.memset(data, 0, 16).expect("it fits");
    assert_eq!(device.read(data, &mut [0; 16]), Ok(()));
    let message = error(copy, 16).to_string();
    assert!(message.starts_with("6 of the 16 bytes at 0x7"), "{message}");
}

/// A copy of a buffer with undefined elements, which a second launch overwrites, as in circular pads.
#[test]
fn a_copy_of_a_partly_undefined_buffer_is_no_fault() {
    let runner = Runner::new(&kernel(
        "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1]; st.global.v4.u32 [%rd1+16], {%r3, %r4, %r5, %r6};
        bar.warp.sync -1;
        setp.lt.u32 %p1, %r1, 2;
        @%p1 st.global.u32 [%rd2+16], %r1;",
    ));
    let data = runner.undefined(32);
    runner.device.write(data + 8, &[1; 8]).expect("it fits");
    runner.launch("k", &shape(1, 32, 0), &[data.into()]).expect("no fault");
    assert_eq!(runner.read_words(data + 16, 4), [0, 1, 0x0101_0101, 0x0101_0101]);
}

/// Threads that read early have undefined values; without a barrier it is a race in every order.
#[test]
fn a_missing_barrier_is_a_race() {
    for seed in 0..20 {
        let runner = Runner::new(&kernel(
            "st.shared.u32 [%rd3], %r1;
            xor.b32 %r4, %r1, 32; mad.wide.u32 %rd5, %r4, 4, %rd4;
            ld.shared.u32 %r5, [%rd5];
            st.global.u32 [%rd2], %r5;",
        ));
        let data = runner.words(&[0; 64]);
        let found = fault(runner.launch("k", &shape(1, 64, seed), &[data.into()]));
        assert!(matches!(found.kind, FaultKind::Race { .. }), "{found}");
    }
}
