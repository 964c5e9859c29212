//! The steps that CINN's documentation explains, on two blocks of which one reads the other.

use super::{SIZES, run, scheduled};
use crate::harness::{buffer, numbers};
use loopwright::familiar::cinn::IrSchedule;

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
