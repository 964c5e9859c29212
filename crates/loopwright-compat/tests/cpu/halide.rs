//! Two blurs, as in Halide's paper.

use super::{SIZES, run, scheduled};
use crate::harness::{buffer, numbers};
use loopwright_compat::halide::{Pipeline, TailStrategy};

/// `blur_x(x, y) = in(x, y) + in(x+1, y) + in(x+2, y)`, and `blur_y` the same of `blur_x` along y.
const BLUR: &str = "
func.func @main(%in: memref<66x?xi32>, %out: memref<64x?xi32> {loop.name = \"out\", loop.result}) {
  %c1 = arith.constant 1 : index
  %w = memref.dim %out, %c1 : memref<64x?xi32>
  %T = loop.buffer \"T\" scope(global) (%w) : memref<66x?xi32>
  loop.for serial %y in 66 {
    loop.for serial %x in %w {
      loop.block \"blur_x\" [%vy: spatial 66, %vx: spatial %w] = (%y, %x)
          reads(%in[%vy : 1, %vx : 3]) writes(%T[%vy : 1, %vx : 1]) {
        %x1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%vx)
        %x2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%vx)
        %a = memref.load %in[%vy, %vx] : memref<66x?xi32>
        %b = memref.load %in[%vy, %x1] : memref<66x?xi32>
        %c = memref.load %in[%vy, %x2] : memref<66x?xi32>
        %s = arith.addi %a, %b : i32
        %t = arith.addi %s, %c : i32
        memref.store %t, %T[%vy, %vx] : memref<66x?xi32>
      }
    }
  }
  loop.for serial %y in 64 {
    loop.for serial %x in %w {
      loop.block \"blur_y\" [%vy: spatial 64, %vx: spatial %w] = (%y, %x)
          reads(%T[%vy : 3, %vx : 1]) writes(%out[%vy : 1, %vx : 1]) {
        %y1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%vy)
        %y2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%vy)
        %a = memref.load %T[%vy, %vx] : memref<66x?xi32>
        %b = memref.load %T[%y1, %vx] : memref<66x?xi32>
        %c = memref.load %T[%y2, %vx] : memref<66x?xi32>
        %s = arith.addi %a, %b : i32
        %t = arith.addi %s, %c : i32
        memref.store %t, %out[%vy, %vx] : memref<64x?xi32>
      }
    }
  }
  return
}";

fn check(code: &loopwright::codegen::Jit) {
    for n in SIZES {
        let (h, w) = (64, n);
        let value = |i: i64| (i * 7 % 31) as i32;
        let input: Vec<i32> = (0..(h + 2) * (w + 2)).map(value).collect();
        let output = vec![-1; (h * w) as usize];
        let values = vec![buffer(&[h + 2, w + 2], &input), buffer(&[h, w], &output)];
        let found: Vec<i32> = numbers(&run(code, "main", values, 2)[1]);
        let at = |y: i64, x: i64| value(y * (w + 2) + x);
        let cell = |y, x| (0..9).map(|k| at(y + k / 3, x + k % 3)).sum::<i32>();
        let expected: Vec<i32> = (0..h * w).map(|i| cell(i / w, i % w)).collect();
        assert!(found == expected, "size {n}");
    }
}

#[test]
fn a_blur_in_tiles() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_y = p.func("blur_y");
        blur_y.tile(["x", "y"], ["xo", "yo"], ["xi", "yi"], [64, 32]).expect("tiles");
        blur_y.vectorize("xi", Some(8)).expect("lanes");
        let mut blur_x = p.func("blur_x");
        blur_x.compute_at("blur_y", "xo").expect("a place").store_in("local").expect("a scope");
        let mut blur_y = p.func("blur_y");
        blur_y
            .prefetch("arg0", "xo", 1)
            .expect("the next tile")
            .parallel("yo", None)
            .expect("threads");
        p.print_loop_nest()
    });
    let loops: Vec<&str> = shown.lines().filter_map(|line| line.trim().split(' ').nth(1)).collect();
    assert_eq!(loops[..2], ["y.0", "x.0"], "{shown}");
    check(&code);
}

#[test]
fn a_blur_for_a_gpu() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        p.func("blur_x").compute_inline().expect("values where they are used");
        let mut blur_y = p.func("blur_y");
        blur_y.split("x", ("block", "thread"), 32, TailStrategy::GuardWithIf).expect("a split");
        blur_y
            .gpu_blocks(&["block", "y"])
            .expect("blocks")
            .gpu_threads(&["thread"])
            .expect("threads");
        p.print_loop_nest()
    });
    assert!(shown.contains("blockIdx.y y in"), "{shown}");
    assert!(shown.contains("threadIdx.x x.1 in 32"), "{shown}");
    check(&code);
}

#[test]
fn functions_side_by_side_and_apart() {
    let text = BLUR.replace("%T[%vy : 3, %vx : 1]", "%T[%vy : 1, %vx : 1]");
    let text = text.replace("memref.load %T[%y1, %vx]", "memref.load %T[%vy, %vx]");
    let text = text.replace("memref.load %T[%y2, %vx]", "memref.load %T[%vy, %vx]");
    let text = text.replace("in 66 {", "in 64 {").replace("spatial 66", "spatial 64");
    let (shown, _) = scheduled(&text, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        p.func("blur_y").compute_with("blur_x", "x").expect("one nest");
        assert_eq!(p.schedule.loops("blur_y").expect("loops"), ["blur_y:y", "blur_y:x"]);
        assert!(p.schedule.previous("blur_y").expect("a block").is_some());
        p.func("blur_y").compute_root().expect("two nests");
        assert_eq!(p.schedule.previous("blur_y").expect("a block"), None);
        let mut blur_y = p.func("blur_y");
        blur_y.fuse("x", "y", "all").expect("one loop").unroll("all", Some(4)).expect("copies");
        let copy = p.func("blur_x").in_func("blur_y", "local").expect("a copy");
        assert!(p.schedule.blocks().contains(&copy));
        p.print_loop_nest()
    });
    assert!(shown.contains("unroll y_x_fused.1 in 4"), "{shown}");
}

#[test]
fn rows_that_stay() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_x = p.func("blur_x");
        blur_x.compute_at("blur_y", "y").expect("a place").store_root().expect("rows stay");
        p.print_loop_nest()
    });
    assert!(shown.contains("blur_x.first"), "{shown}");
    check(&code);
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_y = p.func("blur_y");
        blur_y.split("y", ("yo", "yi"), 8, TailStrategy::GuardWithIf).expect("strips");
        let mut blur_x = p.func("blur_x");
        blur_x.compute_at("blur_y", "yi").expect("a place");
        assert!(blur_x.store_at("blur_y", "yi").is_err(), "it is computed there");
        blur_x.store_at("blur_y", "yo").expect("rows stay in a strip");
        p.print_loop_nest()
    });
    assert!(shown.contains("blur_x.first"), "{shown}");
    check(&code);
}

#[test]
fn storage() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_x = p.func("blur_x");
        blur_x.compute_at("blur_y", "y").expect("a place");
        blur_x.fold_storage("y", 4).expect("four rows");
        let buffer = p.schedule.summary().buffers.values().find(|buffer| buffer.name == "T");
        format!("{:?}", buffer.expect("a buffer").shape[0])
    });
    assert_eq!(shown, "Some(Constant(4))");
    check(&code);
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_x = p.func("blur_x");
        blur_x.reorder_storage(&["y", "x"]).expect("columns");
        blur_x.align_storage("y", 16).expect("whole lines");
        assert!(blur_x.align_storage("x", 16).is_err(), "nothing is outside of it");
        blur_x.fuse("x", "y", "all").expect("one loop").vectorize("all", Some(4)).expect("lanes");
        let buffer = p.schedule.summary().buffers.values().find(|buffer| buffer.name == "T");
        format!("{:?}", buffer.expect("a buffer").allocated[1])
    });
    assert_eq!(shown, "Some(Constant(80))");
    check(&code);
}

#[test]
fn a_producer_comes_ahead() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_x = p.func("blur_x");
        blur_x.compute_at("blur_y", "y").expect("a place").ring_buffer(3).expect("three copies");
        p.print_loop_nest()
    });
    assert!(shown.contains("blur_x.prologue_1"), "{shown}");
    check(&code);
}

#[test]
fn bounds_and_cases() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let mut blur_y = p.func("blur_y");
        blur_y.align_extent("x", 8).expect("a multiple").vectorize("x", Some(8)).expect("lanes");
        p.func("blur_x").align_bounds("x", 8, 3).expect("a multiple");
        p.print_loop_nest()
    });
    assert!(shown.contains("serial x.0 in dim(out, 1) ceildiv 8\n"), "{shown}");
    assert!(shown.contains("serial x in ((dim(out, 1) + 5) ceildiv 8) * 8\n"), "{shown}");
    check(&code);
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        p.func("blur_x").compute_at("blur_y", "y").expect("a place");
        let mut blur_y = p.func("blur_y");
        let others = blur_y.specialize("dim(out, 1) mod 8 == 0").expect("two cases");
        assert_eq!(others, "blur_y.else");
        blur_y.vectorize("x", Some(8)).expect("lanes");
        p.func(&others).unroll("x", Some(2)).expect("copies");
        p.print_loop_nest()
    });
    assert!(shown.contains("unroll x.1 in 2"), "{shown}");
    check(&code);
}

#[test]
fn tiles_for_a_gpu_read_a_copy() {
    let (shown, code) = scheduled(BLUR, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        let copy = p.func("blur_x").in_all("global").expect("a copy");
        assert_eq!(p.schedule.producers("blur_y").expect("producers"), [copy]);
        let mut blur_y = p.func("blur_y");
        blur_y.gpu_tile(["x", "y"], ["xo", "yo"], ["xi", "yi"], [16, 8]).expect("tiles");
        p.print_loop_nest()
    });
    assert!(shown.contains("blockIdx.y y.0 in 8"), "{shown}");
    assert!(shown.contains("threadIdx.x x.1 in 16"), "{shown}");
    check(&code);
}

/// How often each value occurs, counted by several threads.
#[test]
fn a_histogram() {
    const HISTOGRAM: &str = "
func.func @main(%a: memref<?xi32>, %h: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  loop.for serial %r in %n {
    loop.block \"hist\" [%k: reduce %n] = (%r) reads(%a[%k : 1], %h[*]) writes(%h[*]) reducer(add, 0) {
      %one = arith.constant 1 : i32
      %v = memref.load %a[%k] : memref<?xi32>
      %i = arith.index_cast %v : i32 to index
      %old = memref.load %h[%i] : memref<16xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %h[%i] : memref<16xi32>
    }
  }
  return
}";
    let (shown, code) = scheduled(HISTOGRAM, |function| {
        let mut p = Pipeline::new(function).expect("a valid function");
        p.func("hist").atomic().expect("one sum").parallel("r", Some(64)).expect("threads");
        p.print_loop_nest()
    });
    assert!(shown.contains("parallel r.0 in dim(arg0, 0) ceildiv 64"), "{shown}");
    for n in SIZES {
        let input: Vec<i32> = (0..n).map(|i| (i * i % 16) as i32).collect();
        let values = vec![buffer(&[n], &input), buffer(&[16], &[0; 16])];
        let found: Vec<i32> = numbers(&run(&code, "main", values, 3)[1]);
        let mut expected = vec![0; 16];
        input.iter().for_each(|value| expected[*value as usize] += 1);
        assert_eq!(found, expected, "size {n}");
    }
}
