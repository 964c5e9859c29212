//! Asynchronous copies: the bytes that they read, and their counters.

#[path = "harness/faulty.rs"]
mod faulty;
#[path = "harness/kernel.rs"]
mod kernel;
#[path = "harness/runner.rs"]
mod runner;

use faulty::{accepted, at_mark, faulty};
use kernel::kernel;
use ptx_emulator::{FaultKind, LaunchError};
use runner::{Runner, shape};

#[test]
fn copies_read_what_they_ask_for() {
    // Reads the last two bytes of the buffer, although the copy size is 16.
    let body = |bytes: u32, ahead: u32| {
        format!(
            "mov.u32 %r3, {bytes};
            cp.async.ca.shared.global [%rd4], [%rd1+{ahead}], 16, %r3; // here
            cp.async.wait_all;
            ld.shared.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd4];
            st.global.v4.u32 [%rd1], {{%r4, %r5, %r6, %r7}};"
        )
    };
    let run_on = |body: &str, bytes: usize| {
        let runner = Runner::new(&kernel(body));
        let data = runner.bytes(&vec![0x11; bytes]);
        let profile = runner.launch("k", &shape(1, 1, 0), &[data.into()])?;
        Ok::<_, LaunchError>((profile.counters.global_loads, runner.read_words(data, 4)))
    };
    let (loads, words) = run_on(&body(6, 16), 22).expect("six bytes are there");
    assert_eq!(words, [0x1111_1111, 0x1111, 0, 0]);
    assert_eq!((loads.requests, loads.bytes, loads.sectors), (1, 6, 1));
    let (loads, words) = run_on(&body(0, 4096), 16).expect("nothing is read");
    assert_eq!((words, loads.requests, loads.bytes, loads.sectors), (vec![0; 4], 0, 0, 0));
    let Err(LaunchError::Fault(fault)) = run_on(&body(7, 16), 22) else { panic!("no fault") };
    assert!(matches!(fault.kind, FaultKind::OutOfBounds { .. }), "{fault}");
    let fault = at_mark(faulty(&body(17, 0), 1, 1));
    assert_eq!(fault.kind, FaultKind::CopySize { found: 17, most: 16 });
    // Another warp writes the source of the last bytes.
    let body = "setp.ne.u32 %p1, %r1, 0;
    setp.ne.u32 %p2, %r1, 32;
    mov.u32 %r3, 6;
    @!%p2 st.global.u32 [%rd1+4], %r3;
    @!%p1 cp.async.ca.shared.global [%rd4], [%rd1], 16, %r3;";
    let (fault, _) = faulty(body, 1, 64);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    accepted(&body.replace("%r3, 6", "%r3, 4"), 1, 64);
}

#[test]
fn what_copies_read_stays_until_they_are_waited_for() {
    // Writes by the same thread, and by another warp between two barriers.
    for [write, before] in [
        ["@!%p1 st.global.u32 [%rd1], %r4;", ""],
        ["@!%p2 st.global.u32 [%rd1], %r4;", "bar.sync 0;"],
    ] {
        let body = format!(
            "setp.ne.u32 %p1, %r1, 0;
            setp.ne.u32 %p2, %r1, 32;
            mov.u32 %r4, 77;
            @!%p1 cp.async.ca.shared.global [%rd4], [%rd1], 4;
            cp.async.commit_group;
            {before}
            {write}
            {before}
            cp.async.wait_group 0; // here"
        );
        let (fault, text) = faulty(&body, 1, 64);
        let FaultKind::CopySource { copy_line, .. } = fault.kind else { panic!("{fault}") };
        assert_eq!(copy_line, runner::line_of(&text, "cp.async.ca"));
        at_mark((fault, text));
        let waited = body.replace("cp.async.commit_group;", "cp.async.wait_all;");
        accepted(&waited, 1, 64);
        let late = format!("{}\n{write}", body.replace(write, ""));
        accepted(&late.replace("0; // here", "0; bar.sync 0;"), 1, 64);
    }
    // A write by another warp that has synchronised with only the start of the copy.
    let body = "setp.ne.u32 %p1, %r1, 0;
    setp.ne.u32 %p2, %r1, 32;
    mov.u32 %r4, 1;
    @!%p1 cp.async.ca.shared.global [%rd4], [%rd1], 4;
    bar.sync 0;
    @!%p2 st.global.u32 [%rd1], %r4;
    cp.async.wait_all;";
    let (fault, _) = faulty(body, 1, 64);
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    accepted(&body.replace("bar.sync 0;", "cp.async.wait_all; bar.sync 0;"), 1, 64);
}
