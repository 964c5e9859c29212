//! Unordered loops: all iterations run, each once, in an order that the seed decides.

use crate::interpreter::Datum;
use crate::interpreter::function::program::*;

const PARALLEL: &str = "
func.func @main(%out: memref<10xi64>, %from: index, %to: index, %step: index) {
  scf.parallel (%i) = (%from) to (%to) step (%step) {
    %k = arith.index_cast %i : index to i64
    %n = arith.addi %k, %k : i64
    memref.store %n, %out[%i] : memref<10xi64>
    scf.reduce
  }
  return
}";

fn bounds(from: i64, to: i64, step: i64) -> Vec<Datum> {
    vec![buffer(I64, &[10], &[-1.; 10]), index(from), index(to), index(step)]
}

#[test]
fn each_iteration_runs_once_in_an_order_of_the_seed() {
    let expected = [-1., 2., -1., -1., 8., -1., -1., 14., -1., -1.];
    assert_eq!(cells(PARALLEL, &bounds(1, 9, 3))[0], expected);
    // The iteration that runs first ends the run.
    let stopped = |seed| message_of_seed(PARALLEL, &bounds(10, 20, 1), seed);
    let mut first: Vec<_> = (0..8).map(stopped).collect();
    assert_eq!(first[5], stopped(5));
    first.sort_unstable();
    first.dedup();
    assert!(first.len() > 1, "{first:?}");
}

#[test]
fn iterations_that_share_a_cell_are_refused() {
    let with = |line: &str, error: &str| {
        format!(
            "func.func @main(%x: memref<8xf32>, %a: memref<4xf32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %k = arith.constant 1.0 : f32
  %m = arith.constant dense<[true, false]> : vector<2xi1>
  %v = arith.constant dense<1.0> : vector<2xf32>
  scf.parallel (%i) = (%c2) to (%n) step (%c2) {{
    {line}{error}
    scf.reduce
  }}
  return
}}"
        )
    };
    let arguments = || {
        let x = buffer(F32, &[8], &[0.; 8]);
        vec![x, buffer(F32, &[4], &[0.; 4]), index(5)]
    };
    for (line, cell, how) in [
        ("memref.store %k, %x[%c0] : memref<8xf32>", 0, ["written", "written"]),
        ("vector.store %v, %x[%c2] : memref<8xf32>, vector<2xf32>", 2, ["written", "written"]),
        (
            "vector.maskedstore %x[%c2], %m, %v : memref<8xf32>, vector<2xi1>, vector<2xf32>",
            2,
            ["written", "written"],
        ),
        ("memref.copy %a, %a : memref<4xf32> to memref<4xf32>", 0, ["read", "written"]),
        ("memref.dealloc %a : memref<4xf32>", 0, ["written", "written"]),
    ] {
        let [now, before] = how;
        let found = message_of_seed(&with(line, ""), &arguments(), 0);
        let units = [[4, 2], [2, 4]].map(|[one, two]| {
            format!(
                "cell [{cell}] is {now} by parallel iteration {one} and {before} by parallel iteration \
                 {two}, which are unordered"
            )
        });
        assert!(units.contains(&found), "{line}: {found}");
        // The error is at the op itself, whichever of the two runs first.
        refuse(&with(line, &format!(" // error: {found}")), &arguments());
    }
}

#[test]
fn iterations_that_read_what_others_write_are_refused() {
    let text = "
func.func @main(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %next = arith.addi %i, %c1 : index
    LOAD
    memref.store %v, %x[%i] : memref<8xf32>
    scf.reduce
  }
  return
}";
    let x = buffer(F32, &[8], &[0.; 8]);
    for load in [
        "%v = memref.load %x[%next] : memref<8xf32>",
        "%w = vector.load %x[%next] : memref<8xf32>, vector<1xf32> %v = vector.extract %w[0] : f32 from vector<1xf32>",
    ] {
        for seed in 0..4 {
            let text = text.replace("LOAD", load);
            let message = message_of_seed(&text, &[x.clone(), index(4)], seed);
            assert!(message.ends_with("which are unordered"), "{message}");
        }
    }
}

/// In any order, no update is lost; any other use of the element is refused.
#[test]
fn iterations_may_share_what_all_update_atomically() {
    let with = |before: &str, behind: &str| {
        format!(
            "func.func @main(%x: memref<3xf32>, %y: memref<8xf32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k = arith.constant 2.5 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {{
    {before}
    %old = memref.atomic_rmw addf %k, %x[%c1] : (f32, memref<3xf32>) -> f32
    %older = memref.atomic_rmw maximumf %k, %x[%c2] : (f32, memref<3xf32>) -> f32
    memref.store %older, %y[%i] : memref<8xf32>
    {behind}
    scf.reduce
  }}
  return
}}"
        )
    };
    let arguments = [buffer(F32, &[3], &[1., 2., 3.]), buffer(F32, &[8], &[0.; 8]), index(8)];
    assert_eq!(cells(&with("", ""), &arguments), [vec![1., 22., 3.], vec![3.; 8]]);
    let read = "%now = memref.load %x[%c1] : memref<3xf32>";
    let write = "%first = arith.cmpi eq, %i, %c0 : index
                 scf.if %first { memref.store %k, %x[%c1] : memref<3xf32> }";
    for (text, how, before) in [
        (with(read, ""), "updated", "read"),
        (with("", read), "read", "updated"),
        (with(write, ""), "written", "updated"),
        (with("", write), "written", "updated"),
    ] {
        for seed in 0..4 {
            let found = message_of_seed(&text, &arguments, seed);
            let is_so = |how: &str, before: &str| {
                found.contains(&format!("cell [1] is {how} by parallel iteration"))
                    && found.contains(&format!(" and {before} by parallel iteration"))
            };
            assert!(is_so(how, before) || is_so(before, how), "{found}");
        }
    }
}

#[test]
fn iterations_may_share_what_none_writes_and_have_memory_of_their_own() {
    let text = "
func.func @main(%x: memref<8xf32>, %out: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloc() : memref<1xf32>
    %v = memref.load %x[%c1] : memref<8xf32>
    memref.store %v, %own[%c0] : memref<1xf32>
    scf.parallel (%j) = (%i) to (%n) step (%n) {
      %w = memref.load %own[%c0] : memref<1xf32>
      memref.store %w, %out[%j] : memref<8xf32>
      scf.reduce
    }
    memref.dealloc %own : memref<1xf32>
    scf.reduce
  }
  %after = memref.load %out[%c1] : memref<8xf32>
  memref.store %after, %x[%c0] : memref<8xf32>
  return
}";
    let x = buffer(F32, &[8], &[1., 2., 3., 4., 5., 6., 7., 8.]);
    let found = cells(text, &[x, buffer(F32, &[8], &[0.; 8]), index(8)]);
    assert_eq!(found, [vec![2., 2., 3., 4., 5., 6., 7., 8.], vec![2.; 8]]);
}

#[test]
fn inner_iterations_conflict_with_those_of_other_outer_iterations() {
    let text = "
func.func @main(%x: memref<8xf32>, %k: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %k, %x[%j] : memref<8xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}";
    let x = buffer(F32, &[8], &[0.; 8]);
    let k = Datum::Scalar(crate::interpreter::scalar::Scalar::Float(1.));
    let message = message_of_seed(text, &[x, k, index(2)], 0);
    assert!(message.contains("written by parallel iteration"), "{message}");
}

#[test]
fn empty_ranges_run_nothing() {
    for (from, to) in [(3, 3), (5, 2), (i64::MAX, i64::MIN)] {
        assert_eq!(cells(PARALLEL, &bounds(from, to, 4))[0], [-1.; 10]);
    }
}

#[test]
fn counters_near_the_end_of_their_type_do_not_overflow() {
    let text = "
func.func @main(%out: memref<2xi64>, %from: index, %to: index, %step: index) {
  %c0 = arith.constant 0 : index
  scf.parallel (%i) = (%from) to (%to) step (%step) {
    %high = arith.cmpi sgt, %i, %c0 : index
    %at = arith.index_castui %high : i1 to index
    %k = arith.index_cast %i : index to i64
    memref.store %k, %out[%at] : memref<2xi64>
    scf.reduce
  }
  return
}";
    let out = buffer(I64, &[2], &[0., 0.]);
    let arguments = [out, index(-(1 << 62)), index(i64::MAX), index(i64::MAX)];
    let (first, second) = (-(2f64.powi(62)), 2f64.powi(62));
    assert_eq!(cells(text, &arguments)[0], [first, second]);
}

#[test]
fn parallel_loops_that_cannot_run_are_refused() {
    let error = |message: &str| {
        PARALLEL.replace("step (%step) {", &format!("step (%step) {{ // error: {message}"))
    };
    refuse(&error("has step 0, expected a positive step"), &bounds(0, 4, 0));
    let limit = error("runs more iterations than the limit allows");
    refuse_within(&limit, &bounds(0, 10, 1), 9);
    let order = error("has too many iterations for a random order");
    refuse(&order, &bounds(0, i64::MAX, 1));
}

#[test]
fn parallel_loops_of_other_forms_are_refused() {
    let text = "
func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) { // error: has 2 dimensions, expected one, which the interpreter supports
    scf.reduce
  }
  return
}";
    refuse(text, &[index(2)]);
    let text = "
func.func @main(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 { // error: reduces values, which the interpreter does not support
    scf.reduce(%x : f32) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        scf.reduce.return %s : f32
    }
  }
  return %r : f32
}";
    refuse(text, &[index(2)]);
}

const CALL: &str = "
func.func private @rows(%begin: index, %end: index, %times: memref<?xi32>, %chunks: memref<?xindex>, %k: i32) {
  %c1 = arith.constant 1 : index
  %length = arith.subi %end, %begin : index
  memref.store %length, %chunks[%begin] : memref<?xindex>
  scf.for %i = %begin to %end step %c1 {
    %old = memref.load %times[%i] : memref<?xi32>
    %new = arith.addi %old, %k : i32
    memref.store %new, %times[%i] : memref<?xi32>
  }
  return
}
func.func @main(%times: memref<?xi32>, %chunks: memref<?xindex>, %n: index, %k: i32) {
  loop.parallel_call @rows in %n grain(4) (%times, %chunks, %k : memref<?xi32>, memref<?xindex>, i32)
  return
}";

fn call(n: usize, extent: i64) -> Vec<Datum> {
    let zeros = vec![0.; n];
    let chunks = buffer(crate::interpreter::scalar::ScalarType::Index, &[n], &zeros);
    vec![buffer(I32, &[n], &zeros), chunks, index(extent), index(7)]
}

#[test]
fn chunks_cover_the_range_once() {
    let mut counts = vec![];
    for seed in 0..20 {
        let found = cells_of_seed(CALL, &call(30, 30), seed);
        assert_eq!(found[0], [7.; 30]);
        let chunks: Vec<_> = found[1].iter().filter(|length| **length != 0.).collect();
        assert_eq!(chunks.iter().copied().sum::<f64>(), 30.);
        let (_, all_but_last) = chunks.split_last().expect("a chunk");
        assert!(all_but_last.iter().all(|length| **length >= 4.), "{chunks:?}");
        counts.push(chunks.len());
    }
    counts.sort_unstable();
    // From one chunk to as many as the grain allows.
    assert_eq!(counts.last(), Some(&8), "{counts:?}");
    assert!(counts[0] < 4, "{counts:?}");
}

#[test]
fn chunks_that_share_a_cell_are_refused() {
    let text = CALL.replace("%chunks[%begin]", "%chunks[%c1]");
    let messages = (0..20).filter_map(|seed| message_if_refused(&text, &call(9, 9), seed));
    let messages: Vec<_> = messages.collect();
    let expected =
        "cell [1] is written by chunk 0..4 and written by chunk 4..8, which are unordered";
    assert!(messages.iter().any(|message| message == expected), "{messages:?}");
}

#[test]
fn small_and_empty_ranges_are_one_chunk_and_none() {
    assert_eq!(cells(CALL, &call(3, 3))[..2], [vec![7.; 3], vec![3., 0., 0.]]);
    for extent in [0, -5] {
        assert_eq!(cells(CALL, &call(3, extent))[..2], [[0.; 3], [0.; 3]]);
    }
}

#[test]
fn errors_in_a_chunk_are_at_its_op() {
    let with =
        |line: &str, message: &str| CALL.replace(line, &format!("{line} // error: {message}"));
    // Chunks of an array that is too small.
    let out = "%old = memref.load %times[%i] : memref<?xi32>";
    let message = "index [4] is out of bounds of an array of sizes [4]";
    let mut small = call(8, 5);
    small[0] = buffer(I32, &[4], &[0.; 4]);
    refuse(&with(out, message), &small);
}

#[test]
fn parallel_calls_that_cannot_run_are_refused() {
    let line = "(%times, %chunks, %k : memref<?xi32>, memref<?xindex>, i32)";
    let with = |message: &str| CALL.replace(line, &format!("{line} // error: {message}"));
    refuse_within(&with("runs more iterations than the limit allows"), &call(8, 8), 7);
    let order = with("has too many iterations for a random order");
    refuse(&order, &call(1, i64::MAX));
}

#[test]
fn undefined_bounds_are_refused() {
    let text = "
func.func private @rows(%begin: index, %end: index) {
  return
}
func.func @main(%n: index) {
  %p = ub.poison : index
  loop.parallel_call @rows in %p grain(1) () // error: uses an undefined value as an index
  return
}";
    refuse(text, &[index(2)]);
    let text = "
func.func @main(%n: index) {
  %p = ub.poison : index
  scf.parallel (%i) = (%p) to (%n) step (%n) { // error: uses an undefined value as an index
    scf.reduce
  }
  return
}";
    refuse(text, &[index(2)]);
}
