//! The steps that CINN's documentation explains, on two blocks, one of which reads the other.

use super::{SIZES, run, scheduled};
use crate::harness::{buffer, numbers};
use loopwright_compat::cinn::IrSchedule;

/// `B = A + A`, and `C = B * B`, both of 4 rows.
const CHAIN: &str = "
func.func @main(%A: memref<4x?xi32>, %C: memref<4x?xi32> {loop.name = \"C\", loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %C, %c1 : memref<4x?xi32>
  %T = loop.buffer \"T\" scope(global) (%n) : memref<4x?xi32>
  loop.for serial %i in 4 {
    loop.for serial %j in %n {
      loop.block \"B\" [%v: spatial 4, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xi32>
        %s = arith.addi %a, %a : i32
        memref.store %s, %T[%v, %w] : memref<4x?xi32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %j in %n {
      loop.block \"C\" [%v: spatial 4, %w: spatial %n] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<4x?xi32>
        %p = arith.muli %t, %t : i32
        memref.store %p, %C[%v, %w] : memref<4x?xi32>
      }
    }
  }
  return
}";

/// `D = sum(A, axis=1)`, of 4 rows.
const SUM: &str = "
func.func @main(%A: memref<4x?xi32>, %D: memref<4xi32> {loop.name = \"D\", loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xi32>
  loop.for serial %i in 4 {
    loop.for serial %k in %n {
      loop.block \"D\" [%v: spatial 4, %vk: reduce %n] = (%i, %k) reads(%A[%v : 1, %vk : 1], %D[%v : 1]) writes(%D[%v : 1])
          reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %D[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x?xi32>
        %d = memref.load %D[%v] : memref<4xi32>
        %s = arith.addi %d, %a : i32
        memref.store %s, %D[%v] : memref<4xi32>
      }
    }
  }
  return
}";

fn check(code: &loopwright::codegen::Jit) {
    for n in SIZES {
        let input: Vec<i32> = (0..4 * n).map(|i| (i % 50) as i32).collect();
        let values = vec![buffer(&[4, n], &input), buffer(&[4, n], &vec![-1; input.len()])];
        let found: Vec<i32> = numbers(&run(code, "main", values, 2)[1]);
        let expected: Vec<i32> = input.iter().map(|a| (a + a) * (a + a)).collect();
        assert!(found == expected, "size {n}");
    }
}

#[test]
fn loops_are_fused_split_and_bound() {
    let (shown, code) = scheduled(CHAIN, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        assert_eq!(sch.get_all_blocks(), ["B", "C"]);
        let fused = sch.fuse_at("C", &[0, 1]).expect("one loop");
        let parts = sch.split(&fused, &[-1, 64]).expect("two loops");
        sch.compute_at("B", &parts[1]).expect("a place");
        sch.set_buffer("B", "local").expect("a scope");
        sch.bind(&parts[0], "blockIdx.x").expect("blocks");
        sch.bind(&parts[1], "threadIdx.x").expect("threads");
        sch.schedule.show()
    });
    assert!(shown.contains("blockIdx.x i_j_fused.0 in (dim(C, 1) * 4) ceildiv 64"), "{shown}");
    check(&code);
}

#[test]
fn copies_and_lanes() {
    let (shown, code) = scheduled(CHAIN, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        let copy = sch.cache_read("C", 0, "local").expect("a copy");
        let computes = sch.cache_write("C", 0, "global").expect("a copy");
        assert!([&copy, &computes].iter().all(|name| sch.get_all_blocks().contains(name)));
        let parts = sch.split_at("C", 1, &[-1, 16]).expect("two loops");
        sch.vectorize(&parts[1], 8).expect("lanes");
        let rows = sch.get_loops("C").expect("loops");
        sch.parallel(&rows[0]).expect("threads");
        sch.annotate("C", "note", 1).expect("a note");
        sch.unannotate("C", "note").expect("no note");
        sch.add_unit_loop("B").expect("a loop");
        sch.schedule.show()
    });
    assert!(shown.contains("vectorize cache_ax1.1.1 in 8"), "{shown}");
    check(&code);
}

#[test]
fn blocks_in_the_loops_of_others() {
    let (_, code) = scheduled(CHAIN, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        let loops = sch.get_loops("C").expect("loops");
        sch.simple_compute_at("B", &loops[1]).expect("a place");
        assert_eq!(sch.get_child_blocks(&loops[1]).expect("children"), ["B", "C"]);
        sch.schedule.show()
    });
    check(&code);
    let (_, code) = scheduled(CHAIN, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        sch.reverse_compute_inline("C").expect("values where they are made");
        let loops = sch.get_loops("B").expect("loops");
        let flat = sch.flatten_loops(&[&loops[0], &loops[1]]).expect("one loop");
        let missing = sch.split_at("B", 3, &[-1, 2]).expect_err("there is one loop");
        let expected =
            format!("there is no loop \"loops[3]\" around schedule block \"B\", there are {flat}");
        assert_eq!(missing.reason.to_string(), expected);
        sch.schedule.show()
    });
    check(&code);
}

#[test]
fn loops_by_their_numbers() {
    let (shown, code) = scheduled(CHAIN, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        assert!(sch.has_block("B") && !sch.has_block("D"));
        assert!(sch.get_block("D").is_err(), "there is none");
        let block = sch.get_block("B").expect("a block");
        sch.reorder_at(&block, &[1, 0]).expect("another order");
        sch.schedule.show()
    });
    assert!(shown.starts_with("serial j in dim(C, 1)\n  serial i in 4\n"), "{shown}");
    check(&code);
}

#[test]
fn factors_are_drawn() {
    let (shown, code) = scheduled(CHAIN, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        let loops = sch.get_loops("C").expect("loops");
        let factors = sch.sample_perfect_tile(&loops[0], 2, 4, &[2, 2]).expect("factors");
        assert_eq!(sch.split(&loops[0], factors.as_str()).expect("two loops").len(), 2);
        let width = sch.sample_categorical(&[4, 8], &[0, 1], None).expect("a number");
        sch.vectorize(&loops[1], width.as_str()).expect("lanes");
        assert_eq!(sch.schedule.decisions().len(), 2);
        sch.schedule.show()
    });
    assert!(shown.contains("serial i.1 in 2\n"), "{shown}");
    assert!(shown.contains("vectorize j.1 in 8\n"), "{shown}");
    check(&code);
}

#[test]
fn a_reduction_in_two_steps() {
    let (shown, code) = scheduled(SUM, |function| {
        let mut sch = IrSchedule::new(function).expect("a valid function");
        let parts = sch.split_at("D", 1, &[-1, 16]).expect("two loops");
        let partial = sch.factorize_reduction(&parts[1], 1).expect("partial results");
        assert!(sch.has_block(&partial));
        sch.schedule.show()
    });
    assert!(shown.contains("rf_D["), "{shown}");
    for n in SIZES {
        let input: Vec<i32> = (0..4 * n).map(|i| (i * 13 % 101) as i32).collect();
        let values = vec![buffer(&[4, n], &input), buffer(&[4], &[-1; 4])];
        let found: Vec<i32> = numbers(&run(&code, "main", values, 2)[1]);
        let row = |i: i64| input[(i * n) as usize..((i + 1) * n) as usize].iter().sum::<i32>();
        assert_eq!(found, (0..4).map(row).collect::<Vec<_>>(), "size {n}");
    }
}
