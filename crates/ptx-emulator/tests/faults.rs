//! Faulty kernels: each fault is found, with its line and thread.

#[path = "harness/faulty.rs"]
mod faulty;
#[path = "harness/kernel.rs"]
mod kernel;
#[path = "harness/runner.rs"]
mod runner;

use faulty::{accepted, at_mark, faulty, run};
use kernel::kernel;
use ptx_emulator::{FaultKind, LaunchConfig, LaunchError};
use runner::{Runner, fault, line_of, shape};
use std::num::NonZeroUsize;

#[test]
fn out_of_bounds_by_one_element() {
    let body = "ld.global.u32 %r3, [%rd2+3972]; // here";
    let fault = at_mark(faulty(body, 1, 32));
    assert_eq!(fault.thread.x, 31);
    let message = fault.to_string();
    let expected = "read of 4 bytes of global memory at 0x700001000, which is out of bounds: 0 bytes after the end \
                    of the 4096 bytes at 0x700000000";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn out_of_bounds_of_shared_and_local_memory() {
    let fault = at_mark(faulty("st.shared.u32 [%rd3+4096], %r1; // here", 1, 1));
    assert!(matches!(fault.kind, FaultKind::OutOfBounds { .. }), "{fault}");
    let text = kernel("st.shared.u32 [dynamic], %r1;").replace("tile[4096];", "tile[16];");
    let text = text.replace(".visible", ".extern .shared .align 16 .b8 dynamic[];\n.visible");
    let Err(error) = run(&text, &shape(1, 1, 0), 4) else { panic!("no fault") };
    let advice = "the block has 16 bytes at 0x400; the launch requests no dynamic shared memory";
    assert!(error.to_string().ends_with(advice), "{error}");
    let body = ".local .align 8 .b8 stack[8];
    st.local.u64 [stack+8], %rd1; // here";
    let fault = at_mark(faulty(body, 1, 1));
    assert!(matches!(fault.kind, FaultKind::OutOfBounds { .. }), "{fault}");
}

#[test]
fn use_after_free_is_named() {
    let text = kernel("ld.global.u32 %r3, [%rd2];");
    let runner = Runner::new(&text);
    let data = runner.words(&[1]);
    runner.device.free(data).expect("an allocation");
    let found = fault(runner.launch("k", &shape(1, 1, 0), &[data.into()])).to_string();
    assert!(found.ends_with("in the 4 bytes at 0x700000000, which were freed"), "{found}");
}

#[test]
fn misaligned_access() {
    let fault = at_mark(faulty("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd2]; // here", 1, 2));
    assert_eq!(fault.thread.x, 1);
    assert!(matches!(fault.kind, FaultKind::Misaligned { .. }), "{fault}");
    for body in ["ld.global.u32 %r3, [%rd2+2]; // here", "st.global.u32 [%rd2+2], %r1; // here"] {
        let fault = at_mark(faulty(body, 1, 31));
        assert_eq!(fault.thread.x, 0);
        assert!(matches!(fault.kind, FaultKind::Misaligned { .. }), "{fault}");
    }
}

#[test]
fn what_nobody_reads_of_a_vector_load_may_hold_anything() {
    let body = |used: &str| {
        format!(
            "mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
            mul.wide.u32 %rd5, %r1, 16;
            add.s64 %rd5, %rd4, %rd5;
            st.shared.u32 [%rd5], %r1;
            st.shared.u32 [%rd5+8], %r1;
            ld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd5]; // here
            add.u32 %r8, %r4, {used};
            st.global.u32 [%rd2], %r8;"
        )
    };
    let sums = accepted(&body("%r6"), 1, 32);
    assert_eq!(sums[..32], (0..32).map(|it| 2 * it).collect::<Vec<_>>());
    // Thread 1 writes memory that thread 0 loads, and either reads or ignores.
    let body = |used: &str| {
        format!(
            "st.global.u32 [%rd2], %r1;
            and.b32 %r3, %r1, 62;
            mad.wide.u32 %rd5, %r3, 4, %rd1;
            setp.ne.u32 %p1, %r1, %r3;
            @%p1 bra done;
            ld.global.v2.u32 {{%r4, %r5}}, [%rd5]; // here
            st.global.u32 [%rd2+1024], {used};
            done:"
        )
    };
    accepted(&body("%r4"), 1, 32);
    let (fault, _) = faulty(&body("%r5"), 1, 32);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    // All of a load must be aligned, and in bounds up to the last element that is read.
    for (body, how) in [("+4096], %r4", "of 4 bytes"), ("+4], %r5", "of 8 bytes")] {
        let (offset, read) = body.split_once(", ").expect("two parts");
        let body = format!(
            "ld.global.v2.u32 {{%r4, %r5}}, [%rd1{offset}; // here
            st.global.u32 [%rd2], {read};"
        );
        let fault = at_mark(faulty(&body, 1, 1)).to_string();
        assert!(fault.contains(how) && fault.contains("of global memory"), "{fault}");
    }
}

#[test]
fn a_load_may_end_outside_of_memory_if_nobody_reads_what_is_there() {
    let load = |used: &str| {
        let body = format!(
            "ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd1]; // here
            st.global.u32 [%rd1], {used};"
        );
        let text = kernel(&body);
        (run(&text, &shape(1, 1, 0), 12), text)
    };
    assert_eq!(load("%r6").0.expect("a load of three elements"), [3, 2, 3]);
    // The second register holds one half of a number.
    let body =
        "ld.global.v2.b32 {%r4, %r5}, [%rd1]; mov.b32 {%h1, %h2}, %r5; st.global.b16 [%rd1], HALF;";
    for (half, is_there) in [("%h1", true), ("%h2", false)] {
        let runner = Runner::new(&kernel(&body.replace("HALF", half)));
        let data = runner.bytes(&[1, 0, 2, 0, 3, 0]);
        runner.launch("k", &shape(1, 1, 0), &[data.into()]).expect("a load of three halves");
        let mut halves = [0; 6];
        let found = runner.device.read(data, &mut halves);
        assert_eq!(found.is_ok() && halves == [3, 0, 2, 0, 3, 0], is_there, "{found:?}");
    }
    let (found, text) = load("%r7");
    let Err(LaunchError::Fault(fault)) = found else { panic!("expected a fault, found {found:?}") };
    let fault = at_mark((*fault, text)).to_string();
    assert!(fault.contains("of 16 bytes of global memory"), "{fault}");
}

#[test]
fn a_load_may_end_outside_of_shared_memory_if_nobody_reads_what_is_there() {
    let run = |body: &str| {
        let runner = Runner::new(&kernel(body).replace("tile[4096]", "tile[6]"));
        let data = runner.bytes(&[0, 0]);
        runner.launch("k", &shape(1, 1, 0), &[data.into()])?;
        let mut half = [0; 2];
        let is_defined = runner.device.read(data, &mut half).is_ok();
        Ok::<_, LaunchError>(is_defined.then_some(half))
    };
    let body = "mov.b16 %h3, 7; st.shared.b16 [tile], %h3; st.shared.b16 [tile+2], %h3;
        st.shared.b16 [tile+4], %h3; ld.shared.v2.b32 {%r4, %r5}, [tile];
        mov.b32 {%h1, %h2}, %r5; st.global.b16 [%rd1], HALF;";
    let load = |half: &str| run(&body.replace("HALF", half)).expect("a load of three halves");
    assert_eq!(load("%h1"), Some([7, 0]));
    assert_eq!(load("%h2"), None);
    // A store may not, nor may a load of one element.
    for body in ["st.shared.b32 [tile+4], %r1;", "ld.shared.b32 %r4, [tile+4];"] {
        let Err(LaunchError::Fault(fault)) = run(body) else { panic!("{body}: expected a fault") };
        assert!(fault.to_string().contains("the block has 6 bytes"), "{fault}");
    }
}

#[test]
fn planted_race_in_shared_memory() {
    let body = "st.shared.u32 [%rd3], %r1;
    ld.shared.u32 %r3, [tile];
    st.global.u32 [%rd2], %r3;";
    let (fault, text) = faulty(body, 1, 64);
    let FaultKind::Race { other_line, .. } = &fault.kind else { panic!("{fault}") };
    let lines = [fault.line, *other_line];
    let mut expected =
        [line_of(&text, "st.shared.u32 [%rd3], %r1"), line_of(&text, "ld.shared.u32 %r3, [tile]")];
    expected.sort_unstable();
    let mut found = lines;
    found.sort_unstable();
    assert_eq!(found, expected, "{fault}");
}

#[test]
fn races_between_lanes_of_a_warp() {
    // Lanes of one instruction store different values.
    let fault = at_mark(faulty("st.shared.u32 [tile], %r1; // here", 1, 32));
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    // A lane reads its neighbour's cell, without synchronisation between the lanes.
    let body = "xor.b32 %r3, %r1, 1;
    mad.wide.u32 %rd5, %r3, 4, %rd4;
    st.shared.u32 [%rd3], %r1;
    ld.shared.u32 %r4, [%rd5]; // here";
    let fault = at_mark(faulty(body, 1, 32));
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    for meet in ["bar.warp.sync -1;", "vote.sync.any.pred %p2, %p1, -1;", "bar.sync 0;"] {
        let body = body.replace("ld.shared", &format!("{meet}\nld.shared"));
        accepted(&format!("{body}\nst.global.u32 [%rd2], %r4;"), 1, 32);
    }
    // Lanes may store equal values.
    accepted("mov.u32 %r3, 7; st.shared.u32 [tile], %r3;", 1, 32);
}

#[test]
fn races_of_accesses_of_different_widths() {
    // Neighbouring elements are written one by one and read together, and the reverse.
    let body = "and.b32 %r3, %r1, 28;
    mad.wide.u32 %rd5, %r3, 4, %rd4;
    st.shared.u32 [%rd3], %r1;
    bar.warp.sync -1;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%rd5];
    st.global.u32 [%rd2], %r7;";
    accepted(body, 1, 32);
    let fault = at_mark(faulty(
        &body.replace("bar.warp.sync -1;\n    ld", "ld").replace("[%rd5];", "[%rd5]; // here"),
        1,
        32,
    ));
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    // Only half of the loaded elements are read, and other lanes write both halves.
    let body = "mad.wide.u32 %rd5, %r1, 8, %rd4;
    xor.b32 %r3, %r1, 32;
    mad.wide.u32 %rd6, %r3, 8, %rd4;
    st.shared.v2.u32 [%rd5], {%r1, %r1};
    bar.sync 0;
    ld.shared.v2.u32 {%r4, _}, [%rd6];
    st.shared.v2.u32 [%rd5], {%r4, %r4};
    st.global.u32 [%rd2], %r4;";
    let (fault, _) = faulty(body, 1, 64);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    let ordered = body.replace("_}, [%rd6];", "_}, [%rd6]; bar.sync 0;");
    accepted(&ordered, 1, 64);
}

#[test]
fn lanes_that_have_met_are_known_one_by_one() {
    // The lower half of the lanes synchronises, the upper half does not.
    let body = |mask: &str| {
        format!(
            "xor.b32 %r3, %r1, 1;
            mad.wide.u32 %rd5, %r3, 4, %rd4;
            st.shared.u32 [%rd3], %r1;
            setp.gt.u32 %p1, %r1, 15;
            @%p1 bra done;
            bar.warp.sync {mask};
            ld.shared.u32 %r4, [%rd5];
            done:"
        )
    };
    accepted(&body("0xffff"), 1, 32);
    let body = body("0xffff").replace("setp.gt.u32 %p1, %r1, 15", "setp.lt.u32 %p1, %r1, 1");
    let body = body.replace("bar.warp.sync 0xffff", "bar.warp.sync 0xfffffffe");
    let (fault, _) = faulty(&body, 1, 32);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    assert_eq!(fault.thread.x, 1, "{fault}");
}

#[test]
fn races_in_global_memory_of_a_block_and_among_blocks() {
    let body = "st.global.u32 [%rd2], %r1;
    ld.global.u32 %r3, [%rd1]; // here";
    let (fault, _) = faulty(body, 1, 64);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    let fault = at_mark(faulty("st.global.u32 [%rd2], %r1; // here", 2, 32));
    assert!(matches!(fault.kind, FaultKind::RaceOfBlocks { .. }), "{fault}");
    // One block reads what another one writes.
    let body = "setp.eq.u32 %p1, %r2, 0;
    @%p1 st.global.u32 [%rd2], %r1;
    @!%p1 ld.global.u32 %r3, [%rd2];";
    let (fault, _) = faulty(body, 2, 32);
    assert!(matches!(fault.kind, FaultKind::RaceOfBlocks { .. }), "{fault}");
    // Atomics of all blocks and threads do not race with each other, but they race with a plain read.
    let result = accepted("red.global.add.u32 [%rd1], 1;", 4, 64);
    assert_eq!(result[0], 257);
    let (fault, _) = faulty("red.global.add.u32 [%rd1], 1; ld.global.u32 %r3, [%rd1];", 2, 1);
    assert!(matches!(fault.kind, FaultKind::RaceOfBlocks { .. }), "{fault}");
}

/// The last block adds the results of the others, which fences and an atomic hand over.
const LAST_BLOCK: &str = "
    mul.wide.u32 %rd5, %r2, 4;
    add.u64 %rd5, %rd5, %rd1;
    add.u32 %r3, %r2, 10;
    st.global.u32 [%rd5+64], %r3;
    membar.gl;
    atom.global.inc.u32 %r4, [%rd1], 100;
    membar.gl; // behind
    setp.ne.u32 %p1, %r4, 4;
    @%p1 ret;
    ld.global.u32 %r5, [%rd1+64];
    ld.global.u32 %r6, [%rd1+68];
    ld.global.u32 %r7, [%rd1+72];
    ld.global.u32 %r8, [%rd1+76];
    add.u32 %r5, %r5, %r6;
    add.u32 %r7, %r7, %r8;
    add.u32 %r5, %r5, %r7;
    st.global.u32 [%rd1+4], %r5;";

#[test]
fn blocks_hand_data_over_by_fences_and_atomics() {
    // The counter starts at 1, so the last of four sees 4.
    assert_eq!(accepted(LAST_BLOCK, 4, 1)[1], 10 + 11 + 12 + 13);
    let without = LAST_BLOCK.replace("membar.gl; // behind", "");
    let (fault, _) = faulty(&without, 4, 1);
    assert!(matches!(fault.kind, FaultKind::RaceOfBlocks { .. }), "{fault}");
}

#[test]
fn a_lock_orders_what_it_protects() {
    let body = "
    again:
    atom.global.cas.b32 %r3, [%rd1], 1, 0;
    setp.ne.u32 %p1, %r3, 1;
    @%p1 bra again;
    membar.gl;
    ld.global.u32 %r4, [%rd1+4];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%rd1+4], %r4;
    membar.gl; // release
    atom.global.exch.b32 %r3, [%rd1], 1;";
    assert_eq!(accepted(body, 1, 96)[1], 2 + 96);
    let (fault, _) = faulty(&body.replace("membar.gl; // release", ""), 1, 96);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
}

#[test]
fn threads_at_different_barriers() {
    // Warps of a block.
    let body = "setp.lt.u32 %p1, %r1, 32;
    @%p1 bra other;
    bar.sync 0;
    bra done;
    other:
    bar.sync 0;
    done:";
    let (fault, _) = faulty(body, 1, 64);
    assert!(matches!(fault.kind, FaultKind::BarrierDivergence { barrier: 0, .. }), "{fault}");
    // Lanes of a warp.
    let (fault, text) = faulty(&body.replace("%r1, 32", "%r1, 16"), 1, 32);
    assert!(matches!(fault.kind, FaultKind::BarrierDivergence { barrier: 0, .. }), "{fault}");
    let lines: Vec<u32> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| line.contains("bar.sync"))
        .map(|(_, number)| number)
        .collect();
    assert!(lines.contains(&fault.line), "{fault}");
    // Barriers with a thread count may be reached at several program points, and so may barriers that are not aligned.
    let named = body.replace("bar.sync 0;", "bar.sync 1, 64;");
    accepted(&named, 1, 64);
    let alone = body.replace("bar.sync 0;", "barrier.sync 1, 32;").replace("%r1, 32", "%r1, 16");
    accepted(&alone, 1, 32);
    // The whole block is a thread count too; a part of the last warp counts as a whole warp.
    let mixed = body.replace(
        "other:
    bar.sync 0;",
        "other:
    bar.sync 0, 64;",
    );
    assert_ne!(mixed, body);
    for threads in [64, 48] {
        let (stores, others) = ("st.shared.u32 [%rd3], %r1;", "ld.shared.u32 %r3, [tile+128];");
        accepted(
            &format!(
                "{stores}
{mixed}
{others}
st.global.u32 [%rd2], %r3;"
            ),
            1,
            threads,
        );
    }
    let (fault, _) = faulty(&mixed.replace("bar.sync 0, 64", "bar.arrive 0, 64"), 1, 64);
    assert!(matches!(fault.kind, FaultKind::BarrierDivergence { barrier: 0, .. }), "{fault}");
}

#[test]
fn exited_threads_count_as_arrived() {
    let body = "setp.gt.u32 %p1, %r1, 40;
    @%p1 ret;
    st.shared.u32 [%rd3], %r1;
    bar.sync 0;
    ld.shared.u32 %r3, [tile+160];
    st.global.u32 [%rd2], %r3;";
    assert_eq!(accepted(body, 1, 96)[..41], [40; 41]);
}

#[test]
fn deadlock_says_where_all_wait() {
    let body = "setp.lt.u32 %p1, %r1, 32;
    @%p1 bra other;
    bar.sync 1, 64;
    bra done;
    other:
    bar.sync 2, 64;
    done:";
    let (fault, text) = faulty(body, 1, 64);
    let FaultKind::Deadlock { waits } = &fault.kind else { panic!("{fault}") };
    for (barrier, part) in [(1, "bar.sync 1"), (2, "bar.sync 2")] {
        let expected = format!("barrier {barrier} at PTX line {}", line_of(&text, part));
        assert!(waits.contains(&expected), "{waits}");
    }
}

#[test]
fn named_barriers_let_producers_go_ahead() {
    // Warp 0 fills, warp 1 reads: full is barrier 1, empty is barrier 2.
    let body = "
    mov.u32 %r3, 0;
    setp.gt.u32 %p1, %r1, 31;
    @%p1 bra consumer;
    producer:
    add.u32 %r4, %r1, %r3;
    st.shared.u32 [%rd3], %r4;
    bar.arrive 1, 64;
    bar.sync 2, 64; // empty
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p2, %r3, 5;
    @%p2 bra producer;
    ret;
    consumer:
    bar.sync 1, 64; // full
    ld.shared.u32 %r4, [%rd3+-128];
    bar.arrive 2, 64; // read
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p2, %r3, 5;
    @%p2 bra consumer;
    st.global.u32 [%rd2], %r4;";
    let result = accepted(body, 1, 64);
    assert_eq!(result[32..64], (4..36).collect::<Vec<u32>>());
    let broken =
        body.replace("bar.sync 2, 64; // empty", "").replace("bar.arrive 2, 64; // read", "");
    let (fault, _) = faulty(&broken, 1, 64);
    assert!(matches!(fault.kind, FaultKind::Race { .. } | FaultKind::Deadlock { .. }), "{fault}");
}

#[test]
fn copies_that_nobody_waits_for() {
    let body = "
    cp.async.ca.shared.global [%rd3], [%rd2], 4; // copy
    cp.async.commit_group;
    cp.async.wait_group 0; // wait
    ld.shared.u32 %r3, [%rd3]; // here
    add.u32 %r3, %r3, 1;
    st.global.u32 [%rd2], %r3;";
    assert_eq!(accepted(body, 1, 32)[..3], [2, 3, 4]);
    for without in
        [body.replace("wait_group 0", "wait_group 1"), body.replace("cp.async.commit_group;", "")]
    {
        let (fault, text) = faulty(&without, 1, 32);
        let FaultKind::AsyncCopyPending { copy_line, .. } = fault.kind else { panic!("{fault}") };
        assert_eq!(copy_line, line_of(&text, "// copy"));
        at_mark((fault, text));
    }
    // The wait covers only the thread's own copies.
    let others = body.replace("ld.shared.u32 %r3, [%rd3]", "ld.shared.u32 %r3, [tile]");
    let (fault, _) = faulty(&others, 1, 64);
    assert!(
        matches!(
            fault.kind,
            FaultKind::Race { .. }
                | FaultKind::AsyncCopyPending { .. }
                | FaultKind::Undefined { .. }
        ),
        "{fault}"
    );
    accepted(&others.replace("// wait", "bar.sync 0;"), 1, 64);
}

#[test]
fn division_by_zero() {
    let fault = at_mark(faulty("div.u32 %r3, %r1, %r1; // here", 1, 32));
    assert_eq!((fault.thread.x, fault.kind), (0, FaultKind::DivisionByZero));
}

#[test]
fn lanes_that_are_missing() {
    let body = "setp.lt.u32 %p1, %r1, 16;
    @%p1 bra done;
    shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; // here
    done:
    bar.sync 0;";
    let fault = at_mark(faulty(body, 1, 32));
    assert!(matches!(fault.kind, FaultKind::LanesMissing { missing: 0xffff, .. }), "{fault}");
    accepted(&body.replace("31, -1", "31, 0xffff0000"), 1, 32);
    let (found, _) = faulty(&body.replace("31, -1", "31, 0xf"), 1, 32);
    assert_eq!(found.kind, FaultKind::NotAMember { members: 0xf });
    let body = body.replace("%r1, 1, 31, -1", "%r1, 16, 31, 0xffff0000");
    assert_eq!(at_mark(faulty(&body, 1, 32)).kind, FaultKind::InactiveLane);
}

#[test]
fn lanes_wait_only_for_those_that_they_name() {
    // Each half shuffles by itself. The last lanes arrive only after lane 0 has finished.
    let body = "
    setp.lt.u32 %p1, %r1, 24;
    @%p1 bra meet;
    again: ld.relaxed.gpu.global.u32 %r3, [%rd1+128];
    setp.eq.u32 %p2, %r3, 33;
    @%p2 bra again;
    meet: and.b32 %r4, %r1, 16;
    setp.eq.u32 %p3, %r4, 0;
    selp.b32 %r5, 0xffff, 0xffff0000, %p3;
    shfl.sync.idx.b32 %r6, %r1, %r4, 31, %r5;
    setp.eq.u32 %p4, %r1, 0;
    @%p4 st.relaxed.gpu.global.u32 [%rd1+128], %r5;
    st.global.u32 [%rd2], %r6;";
    let found = accepted(body, 1, 32);
    assert_eq!(found[..32], (0..32).map(|lane| lane & 16).collect::<Vec<_>>());
}

#[test]
fn trap_and_endless_loops_end() {
    assert_eq!(at_mark(faulty("trap; // here", 1, 1)).kind, FaultKind::Trap);
    let text = kernel("again: bra again;");
    let config = LaunchConfig { max_instructions: 1000, ..shape(1, 32, 0) };
    let Err(LaunchError::Fault(fault)) = run(&text, &config, 4) else { panic!("no fault") };
    assert_eq!(fault.kind, FaultKind::InstructionLimit { limit: 1000, blocks: 1, at_once: 1 });
}

#[test]
fn a_barrier_of_the_grid_needs_all_blocks_at_once() {
    let body = "atom.acq_rel.gpu.global.add.u32 %r3, [%rd1], 1;
    again: ld.acquire.gpu.global.u32 %r4, [%rd1];
    setp.lt.u32 %p1, %r4, 5;
    @%p1 bra again;";
    let launch = |threads: usize| {
        let host_threads = NonZeroUsize::new(threads);
        run(
            &kernel(body),
            &LaunchConfig { host_threads, max_instructions: 1 << 22, ..shape(4, 1, 0) },
            4,
        )
    };
    // The counter starts at 1.
    assert_eq!(launch(4).ok(), Some(vec![5]));
    let Err(error) = launch(1) else { panic!("no fault") };
    let advice = "; if it waits for other blocks: only 1 of 4 blocks run at once, one per thread of the host";
    assert!(error.to_string().ends_with(advice), "{error}");
}

#[test]
fn constants_are_not_written() {
    let text = kernel("mov.u64 %rd5, table; st.global.u32 [%rd5], %r1; // here");
    let text = text.replace(".visible", ".const .u32 table[2] = {1, 2};\n.visible");
    let Err(LaunchError::Fault(fault)) = run(&text, &shape(1, 1, 0), 4) else { panic!("no fault") };
    assert!(matches!(fault.kind, FaultKind::ReadOnly { .. }), "{fault}");
    at_mark((*fault, text));
    let fault = at_mark(faulty("ld.const.u32 %r3, [%rd1]; // here", 1, 1));
    assert!(fault.to_string().ends_with("out of bounds: in global memory"), "{fault}");
}

#[test]
fn the_source_line_is_named() {
    let fault = at_mark(faulty(".loc 1 42 7\ntrap; // here", 1, 1));
    let message = fault.to_string();
    assert!(message.contains("PTX line 20 (model.mlir:42:7), block (0, 0, 0)"), "{message}");
}

#[test]
fn the_first_faulty_block_is_reported() {
    let body = "setp.gt.u32 %p1, %r2, 2;
    @%p1 trap;";
    for _ in 0..20 {
        assert_eq!(faulty(body, 50, 1).0.block.x, 3);
    }
}
