//! Races, which are reported in every order of warps, and similar programs that are correct.

#[path = "harness/kernel.rs"]
mod kernel;
#[path = "harness/runner.rs"]
mod runner;

use kernel::kernel;
use ptx_emulator::{FaultKind, LaunchConfig, LaunchError};
use runner::{Runner, shape};
use std::num::NonZeroUsize;

/// Runs a body on 1024 words that are 0.
fn run(body: &str, blocks: u32, threads: u32, seed: u64) -> Result<(), LaunchError> {
    let runner = Runner::new(&kernel(body));
    let data = runner.words(&[0; 1024]);
    runner.launch("k", &shape(blocks, threads, seed), &[data.into()]).map(drop)
}

#[track_caller]
fn accepted(body: &str, blocks: u32, threads: u32) {
    for seed in 0..20 {
        if let Err(error) = run(body, blocks, threads, seed) {
            panic!("seed {seed}: {error}");
        }
    }
}

#[track_caller]
fn reported(body: &str, blocks: u32, threads: u32, is_expected: fn(&FaultKind) -> bool) {
    for seed in 0..20 {
        match run(body, blocks, threads, seed) {
            Err(LaunchError::Fault(fault)) => {
                assert!(is_expected(&fault.kind), "seed {seed}: {fault}")
            }
            other => panic!("seed {seed}: expected a fault, found {other:?}"),
        }
    }
}

fn is_race(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Race { .. })
}

fn is_race_of_blocks(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::RaceOfBlocks { .. })
}

fn is_not_constant(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::NotConstant { .. })
}

/// Thread 0 fills the first words of shared memory; then %p1 is for thread 0, %p2 for 32, %p3 for lane 0 of each warp.
const START: &str = "
    setp.eq.u32 %p1, %r1, 0;
    setp.eq.u32 %p2, %r1, 32;
    mov.u32 %r3, %laneid;
    setp.eq.u32 %p3, %r3, 0;
    mov.u32 %r4, 0;
    @%p1 st.shared.v4.u32 [tile], {%r4, %r4, %r4, %r4};
    bar.sync 0;";

fn started(body: &str) -> String {
    format!("{START}\n{body}")
}

#[test]
fn strong_accesses_and_weak_ones() {
    let accesses = [
        ("ld.relaxed.cta.shared.u32 %r5, [tile];", "st.shared.u32 [tile], %r1;"),
        ("ld.volatile.shared.u32 %r5, [tile];", "st.shared.u32 [tile], %r1;"),
        ("st.relaxed.cta.shared.u32 [tile], %r1;", "ld.shared.u32 %r5, [tile];"),
        ("atom.shared.add.u32 %r5, [tile], 1;", "st.shared.u32 [tile], %r1;"),
    ];
    for (strong, weak) in accesses {
        reported(&started(&format!("@%p1 {strong} @%p2 {weak}")), 1, 64, is_race);
        accepted(&started(&format!("@%p1 {strong} bar.sync 0; @%p2 {weak}")), 1, 64);
        let is_read = weak.starts_with("ld");
        let also_strong = if is_read { accesses[0].0 } else { accesses[2].0 };
        accepted(&started(&format!("@%p1 {strong} @%p2 {also_strong}")), 1, 64);
    }
}

#[test]
fn all_who_write_by_atomics_are_remembered() {
    let body = started("@%p3 red.shared.add.u32 [tile], 1; @%p2 ld.shared.u32 %r5, [tile];");
    reported(&body, 1, 64, is_race);
    accepted(&body.replace("@%p2 ld", "bar.sync 0; @%p2 ld"), 1, 64);
    // An unused old value does not count as read.
    reported(&body.replace("red.shared.add.u32", "atom.shared.add.u32 %r6,"), 1, 64, is_race);
    // The last thread that adds sees it, and may continue without atomics.
    let body = started(
        "@!%p3 bra done;
        atom.shared.add.u32 %r5, [tile], 1;
        setp.eq.u32 %p4, %r5, 2;
        @%p4 st.shared.u32 [tile], %r4;
        done:",
    );
    accepted(&body, 1, 96);
}

/// Lane 5 of warp 0 writes, and lane 0 releases; lane 0 of warp 1 acquires, and its lane `reader` reads.
fn handed_over(reader: u32) -> String {
    started(&format!(
        "setp.eq.u32 %p4, %r1, 5;
        @%p4 st.shared.u32 [tile+16], %r1;
        bar.warp.sync -1; // written
        @%p1 st.release.cta.shared.u32 [tile], 1;
        @!%p2 bra acquired;
        again:
        ld.acquire.cta.shared.u32 %r5, [tile];
        setp.eq.u32 %p5, %r5, 0;
        @%p5 bra again;
        acquired:
        bar.warp.sync -1; // acquired
        setp.eq.u32 %p6, %r1, {reader};
        @%p6 ld.shared.u32 %r6, [tile+16];"
    ))
}

#[test]
fn release_and_acquire_are_of_one_lane() {
    accepted(&handed_over(32), 1, 64);
    accepted(&handed_over(37), 1, 64);
    let without = |part: &str| handed_over(37).replace(&format!("bar.warp.sync -1; // {part}"), "");
    reported(&without("written"), 1, 64, runner::is_race);
    reported(&without("acquired"), 1, 64, runner::is_race);
    accepted(&without("acquired").replace("%r1, 37", "%r1, 32"), 1, 64);
    // The same with fences. A fence of a thread that has not written covers the accesses that happen before it.
    let by_fences = |body: &str| {
        body.replace("@%p1 st.release", "@%p1 membar.cta; // first\n@%p1 st.relaxed")
            .replace("ld.acquire", "ld.relaxed")
            .replace("acquired:", "membar.cta;\nacquired:")
    };
    accepted(&by_fences(&handed_over(37)), 1, 64);
    reported(&by_fences(&without("written")), 1, 64, runner::is_race);
    reported(&by_fences(&without("acquired")), 1, 64, runner::is_race);
    let late = by_fences(&handed_over(37)).replace("@%p1 membar.cta; // first", "");
    reported(&late, 1, 64, runner::is_race);
    // Programs also fence before the barrier, each thread for itself.
    let early = late.replace("bar.warp.sync -1; // written", "membar.cta; bar.warp.sync -1;");
    accepted(&early, 1, 64);
}

#[test]
fn a_flag_may_be_reset_by_who_has_acquired_it() {
    let body = handed_over(32).replace("@%p6 ld", "@%p6 st.shared.u32 [tile], %r4;\n@%p6 ld");
    accepted(&body, 1, 64);
    accepted(
        &body.replace("ld.acquire", "ld.relaxed").replace("acquired:", "membar.cta;\nacquired:"),
        1,
        64,
    );
    reported(&body.replace("@!%p2 bra acquired;", "bra acquired;"), 1, 64, runner::is_race);
}

#[test]
fn another_write_ends_a_release() {
    // Thread 0 releases, thread 64 overwrites the flag and sets another one, for which thread 32 waits.
    let body = |second: &str| {
        started(&format!(
            "setp.eq.u32 %p4, %r1, 64;
            @%p1 st.shared.u32 [tile+16], %r1;
            @%p1 st.release.cta.shared.u32 [tile], 1;
            @!%p4 bra second;
            first: ld.relaxed.cta.shared.u32 %r5, [tile];
            setp.eq.u32 %p5, %r5, 0;
            @%p5 bra first;
            {second}
            st.relaxed.cta.shared.u32 [tile+4], 1;
            second: @!%p2 bra done;
            again: ld.relaxed.cta.shared.u32 %r5, [tile+4];
            setp.eq.u32 %p5, %r5, 0;
            @%p5 bra again;
            ld.acquire.cta.shared.u32 %r5, [tile];
            ld.shared.u32 %r6, [tile+16];
            done:"
        ))
    };
    accepted(&body("atom.shared.add.u32 %r6, [tile], 1;"), 1, 96);
    reported(&body("st.relaxed.cta.shared.u32 [tile], 2;"), 1, 96, is_race);
    // A release operation, or a fence after an observation, passes on what was released before.
    accepted(&body("membar.cta; st.relaxed.cta.shared.u32 [tile], 2;"), 1, 96);
    // The writer itself continues its own release.
    let own =
        body("").replace("[tile], 1;", "[tile], 1;\n@%p1 st.relaxed.cta.shared.u32 [tile], 2;");
    accepted(&own, 1, 96);
}

#[test]
fn a_read_behind_a_release_is_not_released() {
    // Warps 0 and 1 read and release; warp 1 reads again; warp 2 acquires from both and writes.
    let body = |again: &str, released: &str| {
        started(&format!(
            "setp.eq.u32 %p4, %r1, 64;
            @%p3 ld.shared.u32 %r5, [tile];
            @%p1 st.release.cta.shared.u32 [tile+4], 1;
            {again}
            @%p2 st.release.cta.shared.u32 [tile+8], 1;
            {released}
            @!%p4 bra done;
            first: ld.acquire.cta.shared.u32 %r5, [tile+4];
            setp.eq.u32 %p5, %r5, 0;
            @%p5 bra first;
            second: ld.acquire.cta.shared.u32 %r5, [tile+8];
            setp.eq.u32 %p5, %r5, 0;
            @%p5 bra second;
            st.shared.u32 [tile], %r1;
            done:"
        ))
    };
    let again = "@%p2 ld.shared.u32 %r6, [tile];";
    accepted(&body(again, ""), 1, 96);
    reported(&body("", again), 1, 96, is_race);
}

#[test]
fn to_arrive_at_a_barrier_orders_nothing_for_who_arrives() {
    let body = started(
        "setp.gt.u32 %p4, %r1, 31;
        @%p4 bra other;
        setp.eq.u32 %p5, %r1, 1;
        @%p1 st.shared.u32 [tile], %r1;
        bar.arrive 1, 64;
        @%p5 ld.shared.u32 %r5, [tile]; // read
        bra done;
        other:
        bar.sync 1, 64;
        ld.shared.u32 %r5, [tile];
        done:",
    );
    reported(&body, 1, 64, is_race);
    accepted(&body.replace("bar.arrive 1, 64;", "bar.arrive 1, 64; bar.warp.sync -1;"), 1, 64);
    accepted(&body.replace("bar.arrive", "bar.sync"), 1, 64);
    accepted(&body.replace("@%p5 ld.shared.u32 %r5, [tile]; // read", ""), 1, 64);
}

#[test]
fn products_and_loads_of_matrices_order_nothing() {
    let product = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r10, %r11, %r12, %r13}, {%r4, %r4}, {%r4}, \
                   {%r4, %r4, %r4, %r4};";
    let load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%rd5];";
    for together in [product, load] {
        let body = started(&format!(
            "st.shared.u32 [%rd3], %r1;
            and.b32 %r5, %r1, 7;
            mad.wide.u32 %rd5, %r5, 16, %rd4;
            setp.eq.u32 %p4, %r1, 1;
            bar.sync 0;
            @%p1 st.shared.u32 [tile+1024], %r1;
            {together}
            @%p4 ld.shared.u32 %r6, [tile+1024];"
        ));
        reported(&body, 1, 32, runner::is_race);
        accepted(&body.replace("@%p4 ld", "bar.warp.sync -1; @%p4 ld"), 1, 32);
    }
}

#[test]
fn a_barrier_of_some_lanes_orders_those() {
    // Lanes 0 to 15 of both warps synchronise; the others do not.
    let body = started(
        "setp.gt.u32 %p4, %r3, 15;
        @%p2 st.shared.u32 [tile], %r1;
        @%p4 bra done;
        barrier.sync 1, 32;
        done:
        setp.eq.u32 %p5, %r1, 7;
        @%p5 ld.shared.u32 %r5, [tile];",
    );
    accepted(&body, 1, 64);
    reported(&body.replace("%r1, 7", "%r1, 17"), 1, 64, is_race);
    let unmet = body.replace("@%p2 st", "setp.eq.u32 %p2, %r1, 48; @%p2 st");
    reported(&unmet, 1, 64, is_race);
}

/// Thread 40 of block 0 writes, and thread 0 releases; thread 0 of block 1 acquires, and its thread `reader` reads.
fn handed_to_block(reader: u32) -> String {
    format!(
        "setp.eq.u32 %p1, %r1, 0;
        setp.eq.u32 %p2, %r1, 40;
        setp.eq.u32 %p3, %r2, 1;
        @%p3 bra other;
        @%p2 st.global.u32 [%rd1+16], %r1;
        bar.sync 0; // written
        @%p1 st.release.gpu.global.u32 [%rd1], 1;
        bra done;
        other:
        @!%p1 bra acquired;
        again:
        ld.acquire.gpu.global.u32 %r5, [%rd1];
        setp.eq.u32 %p5, %r5, 0;
        @%p5 bra again;
        acquired:
        bar.sync 0; // acquired
        setp.eq.u32 %p6, %r1, {reader};
        @%p6 ld.global.u32 %r6, [%rd1+16];
        done:"
    )
}

#[test]
fn blocks_hand_over_what_the_releasing_thread_knows_of() {
    for reader in [0, 40] {
        accepted(&handed_to_block(reader), 2, 64);
        let unwritten = handed_to_block(reader).replace("bar.sync 0; // written", "");
        reported(&unwritten, 2, 64, is_race_of_blocks);
    }
    let unacquired = handed_to_block(0).replace("bar.sync 0; // acquired", "");
    accepted(&unacquired, 2, 64);
    let unacquired = handed_to_block(40).replace("bar.sync 0; // acquired", "");
    reported(&unacquired, 2, 64, is_race_of_blocks);
    // A block writes what another block has read.
    let reads = |body: &str| {
        body.replace("st.global", "ld.global")
            .replace("@%p2 ld.global.u32 [%rd1+16], %r1", "@%p2 ld.global.u32 %r1, [%rd1+16]")
            .replace("@%p6 ld.global.u32 %r6, [%rd1+16]", "@%p6 st.global.u32 [%rd1+16], %r1")
    };
    accepted(&reads(&handed_to_block(40)), 2, 64);
    reported(&reads(&unacquired), 2, 64, is_race_of_blocks);
}

#[test]
fn blocks_do_not_wait_for_those_that_have_failed() {
    for failing in [0, 1] {
        let body = format!(
            "setp.eq.u32 %p1, %r2, {failing};
            @%p1 trap;
            again:
            ld.relaxed.gpu.global.u32 %r5, [%rd1];
            setp.eq.u32 %p2, %r5, 0;
            @%p2 bra again;"
        );
        let runner = Runner::new(&kernel(&body));
        let data = runner.words(&[0]);
        let config = LaunchConfig { host_threads: NonZeroUsize::new(2), ..shape(2, 1, 0) };
        let found = runner::fault(runner.launch("k", &config, &[data.into()]));
        assert_eq!((found.block.x, found.kind), (failing, FaultKind::Trap));
    }
}

#[test]
fn blocks_hand_over_by_fences() {
    let by_fences = |body: &str| {
        body.replace("@%p1 st.release", "membar.gl; // first\n@%p1 st.relaxed")
            .replace("ld.acquire", "ld.relaxed")
            .replace("acquired:", "membar.gl; // second\nacquired:")
    };
    let body = by_fences(&handed_to_block(40));
    accepted(&body, 2, 64);
    for fence in ["first", "second"] {
        let (line, narrow) = (format!("membar.gl; // {fence}"), "fence.acq_rel.cta;");
        reported(&body.replace(&line, ""), 2, 64, is_race_of_blocks);
        reported(&body.replace(&line, narrow), 2, 64, is_race_of_blocks);
    }
    // Each thread runs a fence after its writes, before the barrier.
    let early = body
        .replace("membar.gl; // first", "")
        .replace("bar.sync 0; // written", "membar.gl; bar.sync 0;");
    accepted(&early, 2, 64);
    // The last block then uses the counter by a weak access, when all are done.
    let counter = "
        st.global.u32 [%rd2+64], %r1;
        membar.gl;
        bar.sync 0;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 ret;
        atom.global.add.u32 %r5, [%rd1], 1;
        setp.ne.u32 %p1, %r5, 3;
        @%p1 ret;
        membar.gl;
        ld.global.u32 %r6, [%rd1];
        st.global.u32 [%rd1], 0;";
    let counter = counter.replace("[%rd1], 0;", "[%rd1], %r1;").replace("[%rd2+64]", "[%rd5+64]");
    let counter =
        format!("mad.lo.u32 %r4, %r2, 64, %r1; mad.wide.u32 %rd5, %r4, 4, %rd1;\n{counter}");
    accepted(&counter, 4, 64);
    reported(
        &counter.replace("@%p1 ret;\n        membar.gl;", "membar.gl;"),
        4,
        64,
        is_race_of_blocks,
    );
}

#[test]
fn strong_accesses_and_weak_ones_of_blocks() {
    let body = "setp.eq.u32 %p1, %r2, 0;
    @%p1 ld.relaxed.gpu.global.u32 %r5, [%rd1];
    @!%p1 st.relaxed.gpu.global.u32 [%rd1], %r2;";
    accepted(body, 2, 1);
    for (strong, weak) in [
        ("st.relaxed.gpu", "st"),
        ("ld.relaxed.gpu", "ld"),
        // A scope that does not include the other block.
        ("st.relaxed.gpu", "st.relaxed.cta"),
        ("ld.relaxed.gpu", "ld.relaxed.cta"),
    ] {
        reported(&body.replace(strong, weak), 2, 1, is_race_of_blocks);
    }
    accepted("atom.global.gpu.add.u32 %r5, [%rd1], 1;", 4, 1);
    reported("atom.global.cta.add.u32 %r5, [%rd1], 1;", 4, 1, is_race_of_blocks);
}

#[test]
fn a_scope_of_the_block_releases_nothing_to_others() {
    for (from, to) in [("release.gpu", "release.cta"), ("acquire.gpu", "acquire.cta")] {
        reported(&handed_to_block(40).replace(from, to), 2, 64, is_race_of_blocks);
    }
    // Device scope also orders threads within a block.
    accepted(&handed_over(37).replace(".cta", ".gpu"), 1, 64);
}

#[test]
fn what_is_read_as_constant_is_not_written_in_the_launch() {
    let constant = "ld.global.nc.u32 %r5, [%rd1];";
    let written = "@%p1 st.global.u32 [%rd1], %r1;";
    let body = |parts: &[&str]| format!("setp.eq.u32 %p1, %r1, 0;\n{}", parts.join("\n"));
    for blocks in [1, 2] {
        accepted(&body(&[constant, "bar.sync 0;", constant]), blocks, 64);
        let elsewhere = written.replace("[%rd1]", "[%rd1+4]").replace("%p1", "%p2");
        let one_block = "setp.eq.and.u32 %p2, %r2, 0, %p1;";
        accepted(&body(&[constant, one_block, &elsewhere]), blocks, 64);
        let weak = constant.replace(".nc", "");
        accepted(
            &body(&[
                "setp.eq.u32 %p2, %r2, 0; @!%p2 bra done;",
                written,
                "bar.sync 0;",
                &weak,
                "done:",
            ]),
            blocks,
            64,
        );
    }
    reported(&body(&[written, "bar.sync 0;", constant]), 1, 64, is_not_constant);
    reported(&body(&[constant, "bar.sync 0;", written]), 1, 64, is_not_constant);
    // A write by another block, in any order; the fault may also be a race.
    let other =
        "setp.eq.u32 %p2, %r2, 1; @%p2 bra other; st.global.u32 [%rd1], %r1; bra done; other:";
    let is_either = |kind: &FaultKind| is_not_constant(kind) || is_race_of_blocks(kind);
    reported(&body(&[other, constant, "done:"]), 2, 1, is_either);
    // Also if a flag orders them.
    let flagged = handed_to_block(40).replace("ld.global.u32 %r6", "ld.global.nc.u32 %r6");
    reported(&flagged, 2, 64, is_not_constant);
}
