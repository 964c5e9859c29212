//! Features that need several instructions or several lanes: collectives, matrices, calls, memory spaces.

#[path = "harness/runner.rs"]
mod runner;

use half::{bf16, f16};
use ptx_emulator::LaunchConfig;
use runner::{Kind, Runner, shape};

/// Runs a kernel of one block on the words of a buffer. `%t` is the thread, `%p` the address of its word.
fn run_with(globals: &str, body: &str, config: &LaunchConfig, words: &[u32]) -> Vec<u32> {
    let text = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64
{globals}
.visible .entry k(.param .u64 data)
{{
    .reg .pred %q<9>;
    .reg .b16 %h<9>;
    .reg .b32 %r<40>, %t;
    .reg .b64 %d<20>, %data, %p;
    ld.param.u64 %data, [data];
    mov.u32 %t, %tid.x;
    mad.wide.u32 %p, %t, 4, %data;
    {body}
    ret;
}}"
    );
    let runner = Runner::new(&text);
    let data = runner.words(words);
    if let Err(error) = runner.launch("k", config, &[data.into()]) {
        panic!("{error}\n{text}");
    }
    runner.read_words(data, words.len())
}

fn run(body: &str, threads: u32, words: &[u32]) -> Vec<u32> {
    run_with("", body, &shape(1, threads, 3), words)
}

/// Runs a body that computes `%r1`, each lane's new word, from `%r0`, its old word.
fn lanes(body: &str) -> Vec<u32> {
    let words: Vec<u32> = (0..32).map(|i| i * 3 + 100).collect();
    run(&format!("ld.global.u32 %r0, [%p];\n{body}\nst.global.u32 [%p], %r1;"), 32, &words)
}

fn of_lanes(of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(of).collect()
}

#[test]
fn shuffles() {
    let value = |lane: u32| lane * 3 + 100;
    let shuffle = |operands: &str| lanes(&format!("shfl.sync.{operands}, -1;"));
    assert_eq!(shuffle("bfly.b32 %r1, %r0, 5, 31"), of_lanes(|i| value(i ^ 5)));
    assert_eq!(
        shuffle("up.b32 %r1, %r0, 3, 0"),
        of_lanes(|i| value(if i < 3 { i } else { i - 3 }))
    );
    assert_eq!(
        shuffle("down.b32 %r1, %r0, 3, 31"),
        of_lanes(|i| value(if i + 3 > 31 { i } else { i + 3 }))
    );
    // Segments of eight lanes.
    assert_eq!(shuffle("idx.b32 %r1, %r0, 2, 0x181f"), of_lanes(|i| value(i / 8 * 8 + 2)));
    assert_eq!(
        shuffle("down.b32 %r1, %r0, 1, 0x181f"),
        of_lanes(|i| value(if i % 8 == 7 { i } else { i + 1 }))
    );
    let valid = "shfl.sync.up.b32 %r2|%q1, %r0, 4, 0, -1; selp.b32 %r1, 1, 0, %q1;";
    assert_eq!(lanes(valid), of_lanes(|i| u32::from(i >= 4)));
}

#[test]
fn votes_matches_and_reductions() {
    let odd = "and.b32 %r2, %t, 1; setp.eq.u32 %q1, %r2, 1;";
    assert_eq!(
        lanes(&format!("{odd} vote.sync.ballot.b32 %r1, %q1, -1;")),
        of_lanes(|_| 0xaaaa_aaaa)
    );
    for (kind, expected) in [("any", 1), ("all", 0), ("uni", 0)] {
        let body = format!("{odd} vote.sync.{kind}.pred %q2, %q1, -1; selp.b32 %r1, 1, 0, %q2;");
        assert_eq!(lanes(&body), of_lanes(|_| expected), "{kind}");
    }
    assert_eq!(
        lanes("shr.u32 %r2, %t, 3; match.any.sync.b32 %r1, %r2, -1;"),
        of_lanes(|i| 0xff << (i / 8 * 8))
    );
    assert_eq!(
        lanes("mov.u32 %r2, 5; match.all.sync.b32 %r3|%q1, %r2, -1; selp.b32 %r1, %r3, 7, %q1;"),
        of_lanes(|_| u32::MAX)
    );
    let words = of_lanes(|i| i * 3 + 100);
    assert_eq!(lanes("redux.sync.add.u32 %r1, %r0, -1;"), of_lanes(|_| words.iter().sum()));
    assert_eq!(lanes("redux.sync.max.s32 %r1, %r0, -1;"), of_lanes(|_| 193));
    assert_eq!(lanes("activemask.b32 %r1;"), of_lanes(|_| u32::MAX));
    assert_eq!(
        lanes("elect.sync %r2|%q1, -1; selp.b32 %r1, 9, %r2, %q1;"),
        of_lanes(|i| if i == 0 { 9 } else { 0 })
    );
}

#[test]
fn special_registers() {
    assert_eq!(lanes("mov.u32 %r1, WARP_SZ;"), of_lanes(|_| 32));
    assert_eq!(lanes("mov.u32 %r1, %lanemask_lt;"), of_lanes(|i| (1 << i) - 1));
    assert_eq!(lanes("mov.u32 %r1, %lanemask_ge;"), of_lanes(|i| u32::MAX << i));
    let body =
        "mov.u32 %r0, %tid.y; mov.u32 %r1, %ntid.x; mov.u32 %r2, %ctaid.z; mov.u32 %r3, %warpid;
        setp.ne.u32 %q1, %t, 0;
        @%q1 ret;
        mad.lo.u32 %r4, %r2, 2, %r0;
        mul.wide.u32 %d1, %r4, 4;
        add.u64 %d1, %d1, %data;
        mad.lo.u32 %r5, %r3, 100, %r1;
        st.global.u32 [%d1], %r5;";
    let config = LaunchConfig { grid: [1, 1, 2], block: [32, 2, 1], ..LaunchConfig::default() };
    assert_eq!(run_with("", body, &config, &[0; 4]), [32, 132, 32, 132]);
    // The clock advances.
    let clock = "mov.u64 %d1, %clock64; add.u32 %r2, %r0, 1; mov.u64 %d2, %clock64; sub.u64 %d3, %d2, %d1; cvt.u32.u64 %r1, %d3;";
    assert!(lanes(clock).iter().all(|it| *it == 2));
}

#[test]
fn atomics() {
    let count = |operation: &str| run(operation, 96, &[5, 0, 0, 0])[..2].to_vec();
    assert_eq!(count("red.global.add.u32 [%data], 2;"), [5 + 2 * 96, 0]);
    assert_eq!(count("atom.global.max.s32 %r1, [%data], %t;"), [95, 0]);
    assert_eq!(count("atom.global.inc.u32 %r1, [%data], 6;"), [(5 + 96) % 7, 0]);
    assert_eq!(count("atom.add.u64 %d1, [%data], 0x100000000;"), [5, 96]);
    assert_eq!(count("atom.global.or.b32 %r1, [%data], %t;"), [127, 0]);
    let float = run("red.global.add.f32 [%data], 0f3F000000;", 96, &[1_f32.to_bits()]);
    assert_eq!(f32::from_bits(float[0]), 49.0);
    // f32 additions flush subnormals in global memory, but not in shared memory.
    let sum = run("red.global.add.f32 [%data], 0f00000005;", 1, &[3]);
    assert_eq!(sum, [0]);
    let body = ".shared .f32 cell;
    st.shared.b32 [cell], 3;
    atom.shared.add.f32 %r1, [cell], 0f00000005;
    ld.shared.b32 %r2, [cell];
    mov.u64 %d1, cell; cvta.shared.u64 %d1, %d1; red.add.f32 [%d1], 0f00000001;
    ld.shared.b32 %r3, [cell];
    st.global.v2.b32 [%data], {%r2, %r3};";
    assert_eq!(run(body, 1, &[0, 0]), [8, 9]);
    let halves = run("mov.b32 %r1, 0x3c004000; red.global.add.noftz.f16x2 [%data], %r1;", 32, &[0]);
    assert_eq!(
        halves,
        [u32::from(f16::from_f32(32.0).to_bits()) << 16 | u32::from(f16::from_f32(64.0).to_bits())]
    );
    // Each thread gets a different number.
    let tickets = "
    atom.global.add.u32 %r1, [%data], 1;
    mad.wide.u32 %d1, %r1, 4, %data;
    st.global.u32 [%d1+4], %r1;";
    assert_eq!(run(tickets, 64, &[0; 65])[1..], (0..64).collect::<Vec<u32>>());
    // A compare-and-swap loop in shared memory.
    let swap = "
    .shared .align 4 .u32 cell;
    setp.eq.u32 %q1, %t, 0;
    @%q1 st.shared.u32 [cell], 0;
    bar.sync 0;
    again:
    ld.relaxed.cta.shared.u32 %r1, [cell];
    add.u32 %r2, %r1, 3;
    atom.shared.cas.b32 %r3, [cell], %r1, %r2;
    setp.ne.u32 %q2, %r3, %r1;
    @%q2 bra again;
    bar.sync 0;
    ld.shared.u32 %r4, [cell];
    @%q1 st.global.u32 [%data], %r4;";
    assert_eq!(run(swap, 96, &[0]), [3 * 96]);
}

#[test]
fn barriers_reduce() {
    let body = "and.b32 %r1, %t, 1; setp.eq.u32 %q1, %r1, 0;
    bar.red.popc.u32 %r2, 0, %q1;
    bar.red.and.pred %q2, 0, %q1;
    bar.red.or.pred %q3, 0, !%q1;
    selp.b32 %r3, 1000, 0, %q2;
    selp.b32 %r4, 100, 0, %q3;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    st.global.u32 [%p], %r2;";
    assert_eq!(run(body, 70, &[0; 70]), [135; 70]);
}

#[test]
fn calls_with_arguments_and_divergence() {
    let globals = "
.func (.param .b32 result) triple(.param .b32 a, .param .align 4 .b8 pair[8]);
.func (.param .b32 result) triple(.param .b32 a, .param .align 4 .b8 pair[8])
{
    .reg .pred %q;
    .reg .b32 %r<5>;
    ld.param.b32 %r1, [a];
    ld.param.b32 %r2, [pair+4];
    setp.gt.u32 %q, %r1, 20;
    @%q bra big;
    mad.lo.u32 %r3, %r1, 3, %r2;
    st.param.b32 [result], %r3;
    ret;
big:
    st.param.b32 [result], 7;
    ret;
}";
    let body = "
    setp.lt.u32 %q1, %t, 10;
    mov.u32 %r5, 1;
    @%q1 bra skip;
    {
        .param .b32 a;
        .param .align 4 .b8 pair[8];
        .param .b32 back;
        st.param.b32 [a], %t;
        st.param.b32 [pair], 0;
        st.param.b32 [pair+4], 1000;
        call.uni (back), triple, (a, pair);
        ld.param.b32 %r5, [back];
    }
skip:
    shfl.sync.idx.b32 %r6, %r5, 10, 31, -1;
    add.u32 %r5, %r5, %r6;
    st.global.u32 [%p], %r5;";
    let expected = of_lanes(|i| {
        let of = |i| {
            if i < 10 {
                1
            } else if i > 20 {
                7
            } else {
                3 * i + 1000
            }
        };
        of(i) + of(10)
    });
    assert_eq!(run_with(globals, body, &shape(1, 32, 0), &[0; 32]), expected);
}

#[test]
fn branches_by_table() {
    let body = "
    and.b32 %r1, %t, 3;
    table: .branchtargets one, two, one, three;
    brx.idx %r1, table;
    one: mov.u32 %r2, 1; bra.uni done;
    two: mov.u32 %r2, 2; bra.uni done;
    three: mov.u32 %r2, 3;
    done: st.global.u32 [%p], %r2;";
    assert_eq!(run(body, 32, &[0; 32]), of_lanes(|i| [1, 2, 1, 3][i as usize % 4]));
}

#[test]
fn loops_that_lanes_leave_one_by_one() {
    let body = "
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
    again:
    add.u32 %r2, %r2, %r1;
    add.u32 %r1, %r1, 1;
    setp.le.u32 %q1, %r1, %t;
    @%q1 bra again;
    redux.sync.add.u32 %r3, %r2, -1;
    add.u32 %r2, %r2, %r3;
    st.global.u32 [%p], %r2;";
    let sum = |i: u32| i * (i + 1) / 2;
    let total: u32 = (0..32).map(sum).sum();
    assert_eq!(run(body, 32, &[0; 32]), of_lanes(|i| sum(i) + total));
}

#[test]
fn variables_and_generic_addresses() {
    let globals = "
.const .align 4 .f32 scale[2] = {0f40000000, 3.0};
.global .align 8 .u64 where = generic(table)+4;
.global .align 4 .u32 table[2][2] = {{1, 2}, {3, 4}};
.extern .shared .align 16 .b8 dynamic[];";
    let body = "
    .shared .align 4 .u32 fixed;
    .local .align 4 .b8 stack[8];
    ld.const.f32 %r1, [scale+4];
    cvt.rzi.u32.f32 %r1, %r1;
    ld.global.u64 %d1, [where];
    ld.u32 %r2, [%d1];
    mov.u64 %d2, dynamic;
    cvta.shared.u64 %d3, %d2;
    st.u32 [%d3+8], 50;
    ld.shared.u32 %r3, [dynamic+8];
    mov.u64 %d4, stack;
    cvta.local.u64 %d5, %d4;
    st.u32 [%d5+4], 600;
    ld.local.u32 %r4, [stack+4];
    isspacep.shared %q1, %d3;
    selp.b32 %r5, 7000, 0, %q1;
    isspacep.global %q1, %data;
    selp.b32 %r6, 80000, 0, %q1;
    add.u32 %r1, %r1, %r2;
    add.u32 %r1, %r1, %r3;
    add.u32 %r1, %r1, %r4;
    add.u32 %r1, %r1, %r5;
    add.u32 %r1, %r1, %r6;
    st.global.u32 [%p], %r1;";
    let config = LaunchConfig { dynamic_shared: 64, ..shape(1, 1, 0) };
    assert_eq!(run_with(globals, body, &config, &[0]), [3 + 2 + 50 + 600 + 7000 + 80000]);
}

#[test]
fn kernels_have_the_shared_variables_that_they_mention() {
    let text = "
.version 8.0
.target sm_90a
.address_size 64
.shared .align 16 .b8 a[32768];
.shared .align 16 .b8 b[32768];
.shared .align 4096 .b8 large[16];
.extern .shared .align 2048 .b8 dynamic[];
.func uses_b() { st.shared.b32 [b], 1; ret; }
.visible .entry first() { st.shared.b32 [a+4], 1; st.shared.b32 [a], 1; ret; }
.visible .entry second() { call.uni uses_b, (); ret; }
.visible .entry third(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %d;
    ld.param.u64 %d, [out];
    mov.u32 %r0, large;
    mov.u32 %r1, dynamic;
    st.global.v2.b32 [%d], {%r0, %r1};
    ret;
}";
    let runner = Runner::new(text);
    for name in ["first", "second"] {
        let profile = runner.launch(name, &shape(1, 1, 0), &[]).expect("no fault");
        assert_eq!(profile.shared_bytes, 32768, "{name}");
    }
    // The first shared address of a block is 1024, so the test shows that addresses are aligned, not offsets.
    let out = runner.undefined(8);
    let config = LaunchConfig { dynamic_shared: 16, ..shape(1, 1, 0) };
    let profile = runner.launch("third", &config, &[out.into()]).expect("no fault");
    assert_eq!(runner.read_words(out, 2), [4096, 6144]);
    assert_eq!(profile.shared_bytes, 6144 - 1024 + 16);
}

#[test]
fn narrow_and_wide_accesses() {
    let body = "
    ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%data];
    ld.global.s8 %r1, [%data+3];
    ld.global.s16 %d1, [%data+2];
    ld.global.v2.u64 {%d2, %d3}, [%data+16];
    st.global.v2.b8 [%data+4], {%h4, %h1};
    st.global.u32 [%data+8], %r1;
    st.global.u64 [%data+16], %d1;
    st.global.v2.u32 [%data+24], {%r1, %r1};";
    let found = run(body, 1, &[0x8182_0304, 0, 0, 0, 1, 2, 3, 4]);
    let sign = 0xffff_ff81;
    assert_eq!(found, [0x8182_0304, 0x0481, sign, 0, 0xffff_8182, u32::MAX, sign, sign]);
}

/// Matrices of small integers, whose products and sums are exact.
fn small(count: usize, salt: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 7 + salt) % 11) as f64 - 5.0).collect()
}

/// Loads fragments in the manual's layout, word by word: `a` row by row, `b` column by column.
fn matrix_kernel(kind: &str, k: usize, bytes: usize, sum: &str) -> String {
    let per_word = 4 / bytes;
    let (a_words, b_words) = (16 * k * bytes / 128, 8 * k * bytes / 128);
    let row_bytes = k * bytes;
    let mut text = "shr.u32 %r30, %t, 2; and.b32 %r31, %t, 3;\n".to_string();
    let mut load = |register: usize, row: usize, column: usize, base: usize| {
        // Lane / 4 is the row, and lane % 4 the word in the row.
        text += &format!(
            "mul.lo.u32 %r32, %r30, {row_bytes}; mad.lo.u32 %r32, %r31, 4, %r32;
            cvt.u64.u32 %d1, %r32; add.u64 %d1, %d1, %data;
            ld.global.u32 %r{register}, [%d1+{}];\n",
            base + row * row_bytes + column * bytes
        );
    };
    for i in 0..a_words {
        load(i, i % 2 * 8, i / 2 * 4 * per_word, 0);
    }
    for i in 0..b_words {
        load(10 + i, 0, i * 4 * per_word, 16 * row_bytes);
    }
    let list = |from: usize, count: usize| {
        (from..from + count).map(|i| format!("%r{i}")).collect::<Vec<_>>().join(", ")
    };
    let (a, b, c) = (list(0, a_words), list(10, b_words), list(20, 4));
    let one = if sum == "s32" { 1 } else { 1_f32.to_bits() };
    text += &format!(
        "mov.b32 %r20, {one}; mov.b32 %r21, {one}; mov.b32 %r22, {one}; mov.b32 %r23, {one};
        mma.sync.aligned.m16n8k{k}.row.col.{sum}.{kind}.{kind}.{sum} {{{c}}}, {{{a}}}, {{{b}}}, {{{c}}};
        shl.b32 %r32, %r30, 5; mad.lo.u32 %r32, %r31, 8, %r32;
        cvt.u64.u32 %d1, %r32; add.u64 %d1, %d1, %data;
        st.global.v2.u32 [%d1+{out}], {{%r20, %r21}};
        st.global.v2.u32 [%d1+{lower}], {{%r22, %r23}};",
        out = 24 * row_bytes,
        lower = 24 * row_bytes + 8 * 32
    );
    text
}

#[test]
fn products_of_matrices() {
    let encode_f16 = |it: f64| f16::from_f64(it).to_le_bytes().to_vec();
    let encode_bf16 = |it: f64| bf16::from_f64(it).to_le_bytes().to_vec();
    let encode_f32 = |it: f64| (it as f32).to_le_bytes().to_vec();
    let encode_i8 = |it: f64| (it as i8).to_le_bytes().to_vec();
    type Encode = fn(f64) -> Vec<u8>;
    let cases: [(&str, usize, Encode, &str); 8] = [
        ("f16", 16, encode_f16, "f32"),
        ("f16", 8, encode_f16, "f32"),
        ("bf16", 16, encode_bf16, "f32"),
        ("bf16", 8, encode_bf16, "f32"),
        ("tf32", 8, encode_f32, "f32"),
        ("tf32", 4, encode_f32, "f32"),
        ("s8", 32, encode_i8, "s32"),
        ("s8", 16, encode_i8, "s32"),
    ];
    for (kind, k, encode, sum) in cases {
        let (a, b) = (small(16 * k, 1), small(8 * k, 4));
        let mut data: Vec<u8> = a.iter().chain(&b).flat_map(|it| encode(*it)).collect();
        let out = data.len() / 4;
        data.resize(data.len() + 16 * 8 * 4, 0);
        let words: Vec<u32> =
            data.chunks(4).map(|it| u32::from_le_bytes(it.try_into().expect("a word"))).collect();
        let bytes = encode(0.0).len();
        let found = run(&matrix_kernel(kind, k, bytes, sum), 32, &words);
        for (i, found) in found[out..].iter().enumerate() {
            let (row, column) = (i / 8, i % 8);
            let exact: f64 = (0..k).map(|l| a[row * k + l] * b[column * k + l]).sum::<f64>() + 1.0;
            let found = if sum == "s32" {
                f64::from(*found as i32)
            } else {
                f64::from(f32::from_bits(*found))
            };
            assert_eq!(found, exact, "{kind} k{k} [{row}, {column}]");
        }
    }
}

#[test]
fn matrices_from_shared_memory() {
    // Each lane stores four words of a tile of 32 rows of 8 halves; the halves are numbered.
    let fill = "
    .shared .align 16 .b8 tile[512];
    mov.u64 %d2, tile;
    mad.wide.u32 %d3, %t, 16, %d2;
    shl.b32 %r0, %t, 3;
    mov.b32 %r1, 0x00010000; mov.b32 %r5, 0x00010001;
    mad.lo.u32 %r1, %r0, %r5, %r1;
    add.u32 %r2, %r1, 0x00020002; add.u32 %r3, %r1, 0x00040004; add.u32 %r4, %r1, 0x00060006;
    st.shared.v4.b32 [%d3], {%r1, %r2, %r3, %r4};
    bar.warp.sync -1;";
    let take = "mad.wide.u32 %d4, %t, 16, %data; st.global.v4.b32 [%d4], {%r6, %r7, %r8, %r9};";
    for (suffix, transposed) in [("", false), (".trans", true)] {
        let body = format!(
            "{fill} ldmatrix.sync.aligned.m8n8.x4{suffix}.shared.b16 {{%r6, %r7, %r8, %r9}}, [%d3]; {take}"
        );
        let found = run(&body, 32, &[0; 128]);
        for (i, found) in found.iter().enumerate() {
            let (lane, matrix) = (i as u32 / 4, i as u32 % 4);
            let half = |j: u32| {
                let (row, column) = (lane / 4, lane % 4 * 2 + j);
                let (row, column) = if transposed { (column, row) } else { (row, column) };
                matrix * 64 + row * 8 + column
            };
            assert_eq!(*found, half(1) << 16 | half(0), "lane {lane}, matrix {matrix}{suffix}");
        }
    }
    let body = format!(
        "{fill} ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r6, %r7, %r8, %r9}}, [%d3];
        stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%d3], {{%r6, %r7, %r8, %r9}};
        ld.shared.v4.b32 {{%r6, %r7, %r8, %r9}}, [%d3]; {take}"
    );
    let found = run(&body, 32, &[0; 128]);
    assert_eq!(found[0], 8 << 16, "the first two of the first column");
}

#[test]
fn asynchronous_copies_fill_up_with_zeros() {
    let body = "
    .shared .align 16 .b8 tile[512];
    mov.u64 %d2, tile;
    mad.wide.u32 %d3, %t, 16, %d2;
    mad.wide.u32 %d4, %t, 16, %data;
    mov.u32 %r1, 8;
    setp.lt.u32 %q1, %t, 2;
    @%q1 cp.async.cg.shared.global [%d3], [%d4], 16;
    @!%q1 cp.async.cg.shared.global [%d3], [%d4], 16, %r1;
    cp.async.wait_all;
    ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%d3];
    st.global.v4.u32 [%d4], {%r5, %r4, %r3, %r2};";
    let words: Vec<u32> = (1..=12).collect();
    assert_eq!(run(body, 3, &words), [4, 3, 2, 1, 8, 7, 6, 5, 0, 0, 10, 9]);
}

/// LLVM's code for calls, arrays passed by value, branch tables and local memory: `llc` of `calls.ll`.
#[test]
fn calls_as_llvm_emits_them() {
    let runner = Runner::new(include_str!("kernels/calls.ptx"));
    let out = runner.undefined(4 * 48);
    if let Err(error) = runner.launch("k", &shape(1, 48, 2), &[out.into(), 0_u32.into()]) {
        panic!("{error}");
    }
    let factor = |thread: usize| [10, 77, 3, 99, 1234].get(thread).copied().unwrap_or(5);
    let expected: Vec<u32> = (0..48).map(|thread| 1000 + 28 * factor(thread)).collect();
    assert_eq!(runner.read_words(out, 48), expected);
}

#[test]
fn a_device_serves_several_threads() {
    let runner = Runner::new(include_str!("kernels/elementwise.ptx"));
    let work = |number: usize| {
        for round in 0..20 {
            let values: Vec<f64> = (0..1000).map(|i| (i + number * 7 + round) as f64).collect();
            let (from, to) = (runner.buffer(Kind::F32, &values), runner.undefined(4000));
            let launched = runner.launch("scale_0", &shape(4, 256, 0), &[from.into(), to.into()]);
            assert!(launched.is_ok(), "{launched:?}");
            let found = runner.read(Kind::F32, to, 1000);
            assert!(found.iter().zip(&values).all(|(found, value)| *found == 2.0 * value));
            for address in [from, to] {
                runner.device.free(address).expect("an allocation");
            }
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|number| drop(scope.spawn(move || work(number)))));
    assert_eq!(runner.device.memory().0, 0);
}
