//! The counters of small programs.

#[path = "harness/runner.rs"]
mod runner;

use ptx_emulator::counters::Counters;
use runner::{Runner, shape};

/// The counters of one warp; `%t` is the lane.
fn counters(body: &str) -> Counters {
    let text = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64
.visible .entry k()
{{
    .reg .b32 %t, %r<9>;
    .reg .b64 %d, %tile;
    .reg .pred %p;
    .shared .align 16 .b8 tile[8192];
    mov.u32 %t, %tid.x;
    mov.u64 %tile, tile;
    {body}
    ret;
}}"
    );
    Runner::new(&text).launch("k", &shape(1, 32, 0), &[]).expect("no fault").counters
}

#[test]
fn bank_conflicts_are_counted() {
    let conflicts = |stride: u32| {
        let body = format!("mad.wide.u32 %d, %t, {stride}, %tile; st.shared.u32 [%d], %t;");
        counters(&body).shared_stores.conflicts
    };
    assert_eq!([4, 8, 128, 132].map(conflicts), [0, 1, 31, 0]);
}

#[test]
fn divergence_and_operations_are_counted() {
    let table = |index: &str, guard: &str| {
        let body = format!(
            "{index} setp.lt.u32 %p, %t, 7;
            table: .branchtargets one, two, one;
            {guard} brx.idx %r1, table;
            one: mov.u32 %r2, 1;
            two: mov.u32 %r2, 2;"
        );
        counters(&body).divergent_branches
    };
    assert_eq!(table("and.b32 %r1, %t, 1;", ""), 1);
    assert_eq!(table("mov.u32 %r1, 1;", ""), 0);
    // Several indices that lead to the same target.
    assert_eq!(table("and.b32 %r1, %t, 2;", ""), 0);
    assert_eq!(table("and.b32 %r1, %t, 1;", "@%p"), 1);
    let mma = |types: &str, factors: &str| {
        let body = format!(
            "mov.b32 %r1, 0;
            mma.sync.aligned.m16n8k16.row.col.{types} {{%r2, %r3, %r4, %r5}}, {factors}, {{%r1, %r1, %r1, %r1}};"
        );
        counters(&body).flops
    };
    assert_eq!(mma("s32.s8.s8.s32", "{%r1, %r1}, {%r1}"), 0);
    assert_eq!(mma("f32.f16.f16.f32", "{%r1, %r1, %r1, %r1}, {%r1, %r1}"), 2 * 16 * 8 * 16);
}
