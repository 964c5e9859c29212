//! The examples of two texts on scheduling, on a GPU: the documentation of CINN's `IRSchedule`, one primitive after the
//! other, and a tutorial on TVM's `te`. Each is scheduled with the API of its text, and bound to threads if the
//! text leaves that open. Its PTX on the emulator must give the results of the unscheduled loops on the interpreter.

#[path = "../../../test/codegen/cuda/emulated.rs"]
mod emulated;
#[path = "../../../test/codegen/cuda/harness.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod harness;
#[path = "../../../test/codegen/cuda/kernels.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod kernels;

use harness::{Session, check, interpret};
use kernels::{Case, F32, array, case, numbers, undefined};
use loopwright::codegen::cuda::GpuTarget;
use loopwright::ir::{Op, walk};
use loopwright::pipeline::Phase;
use loopwright_compat::{cinn::IrSchedule, te};
use loopwright_testing::top;
use melior::ir::Module;
use melior::ir::operation::OperationLike;

/// `B[i, j] = 2 * A[i, j]`, from CINN's `SyncThreads` and, with other sizes, from most others.
fn doubled(rows: usize, columns: usize) -> String {
    let ty = format!("memref<{rows}x{columns}xf32>");
    format!(
        "func.func @main(%A: {ty}, %B: {ty} {{loop.result}}) {{
  loop.for serial %i in {rows} {{
    loop.for serial %j in {columns} {{
      loop.block \"B\" [%v: spatial {rows}, %w: spatial {columns}] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {{
        %a = memref.load %A[%v, %w] : {ty}
        %s = arith.addf %a, %a : f32
        memref.store %s, %B[%v, %w] : {ty}
      }}
    }}
  }}
  return
}}"
    )
}

/// `B[i, j, k] = 1 + A[i, j, k]`, `C[i, j, k] = 2 * B[j, i, k]`, from CINN's `ComputeInline` and `ComputeAt`.
const TRANSPOSED: &str = "
func.func @main(%A: memref<32x32x32xf32>, %C: memref<32x32x32xf32> {loop.result}) {
  %B = loop.buffer \"B\" scope(global) : memref<32x32x32xf32>
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block \"B\" [%u: spatial 32, %v: spatial 32, %w: spatial 32] = (%i, %j, %k)
            reads(%A[%u : 1, %v : 1, %w : 1]) writes(%B[%u : 1, %v : 1, %w : 1]) {
          %one = arith.constant 1.0 : f32
          %a = memref.load %A[%u, %v, %w] : memref<32x32x32xf32>
          %s = arith.addf %one, %a : f32
          memref.store %s, %B[%u, %v, %w] : memref<32x32x32xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block \"C\" [%u: spatial 32, %v: spatial 32, %w: spatial 32] = (%i, %j, %k)
            reads(%B[%v : 1, %u : 1, %w : 1]) writes(%C[%u : 1, %v : 1, %w : 1]) {
          %two = arith.constant 2.0 : f32
          %b = memref.load %B[%v, %u, %w] : memref<32x32x32xf32>
          %p = arith.mulf %two, %b : f32
          memref.store %p, %C[%u, %v, %w] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}";

/// `C[i, j, k] = 2 * A[j, i, k]`, `B[i, j, k] = 1 + A[i, j, k]`, from CINN's `SimpleComputeAt`: they are independent.
const APART: &str = "
func.func @main(%A: memref<32x32x32xf32>, %C: memref<32x32x32xf32> {loop.result}, %B: memref<32x32x32xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block \"C\" [%u: spatial 32, %v: spatial 32, %w: spatial 32] = (%i, %j, %k)
            reads(%A[%v : 1, %u : 1, %w : 1]) writes(%C[%u : 1, %v : 1, %w : 1]) {
          %two = arith.constant 2.0 : f32
          %a = memref.load %A[%v, %u, %w] : memref<32x32x32xf32>
          %p = arith.mulf %two, %a : f32
          memref.store %p, %C[%u, %v, %w] : memref<32x32x32xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block \"B\" [%u: spatial 32, %v: spatial 32, %w: spatial 32] = (%i, %j, %k)
            reads(%A[%u : 1, %v : 1, %w : 1]) writes(%B[%u : 1, %v : 1, %w : 1]) {
          %one = arith.constant 1.0 : f32
          %a = memref.load %A[%u, %v, %w] : memref<32x32x32xf32>
          %s = arith.addf %one, %a : f32
          memref.store %s, %B[%u, %v, %w] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}";

/// `B[i, j, k] = A[i, j]`, from CINN's `CacheRead`.
const SPREAD: &str = "
func.func @main(%A: memref<32x32xf32> {loop.name = \"A\"}, %B: memref<32x32x16xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 16 {
        loop.block \"B\" [%u: spatial 32, %v: spatial 32, %w: spatial 16] = (%i, %j, %k)
            reads(%A[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1, %w : 1]) {
          %a = memref.load %A[%u, %v] : memref<32x32xf32>
          memref.store %a, %B[%u, %v, %w] : memref<32x32x16xf32>
        }
      }
    }
  }
  return
}";

/// `B[i, j] = sum(A[i, j, k])`, from CINN's `CacheWrite`.
const SUM: &str = "
func.func @main(%A: memref<64x32x32xf32>, %B: memref<64x32xf32> {loop.name = \"B\", loop.result}) {
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block \"B\" [%u: spatial 64, %v: spatial 32, %w: reduce 32] = (%i, %j, %k)
            reads(%A[%u : 1, %v : 1, %w : 1], %B[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%u, %v] : memref<64x32xf32>
          }
          %a = memref.load %A[%u, %v, %w] : memref<64x32x32xf32>
          %b = memref.load %B[%u, %v] : memref<64x32xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%u, %v] : memref<64x32xf32>
        }
      }
    }
  }
  return
}";

/// `B[i] = sum(A[i, j, k])`, from CINN's `Rfactor`.
const SUM_OF_TWO: &str = "
func.func @main(%A: memref<32x2x16xf32>, %B: memref<32xf32> {loop.result}) attributes {loop.fp = \"reassoc\"} {
  loop.for serial %i in 32 {
    loop.for serial %j in 2 {
      loop.for serial %k in 16 {
        loop.block \"B\" [%u: spatial 32, %v: reduce 2, %w: reduce 16] = (%i, %j, %k)
            reads(%A[%u : 1, %v : 1, %w : 1], %B[%u : 1]) writes(%B[%u : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%u] : memref<32xf32>
          }
          %a = memref.load %A[%u, %v, %w] : memref<32x2x16xf32>
          %b = memref.load %B[%u] : memref<32xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%u] : memref<32xf32>
        }
      }
    }
  }
  return
}";

/// `C[i] = A[i] + B[i]` of any size, from the tutorial's first kernel.
const ADDED: &str = "
func.func @main(%A: memref<?xf32>, %B: memref<?xf32>, %C: memref<?xf32> {loop.name = \"C\", loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block \"C\" [%v: spatial %n] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      %b = memref.load %B[%v] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %C[%v] : memref<?xf32>
    }
  }
  return
}";

/// Schedules the function, and compares the results of its kernels with `cases` and the unscheduled loops, for both
/// architectures and several orders of warps. Returns the nest as text and the PTX for sm_90a.
fn agree(text: &str, cases: &[Case], schedule: impl Fn(Op) -> String) -> [String; 2] {
    let mut made = [String::new(), String::new()];
    for (chip, bits) in [("sm_80", 64), ("sm_90a", 32)] {
        let (session, device) = (Session::new(), GpuTarget::new(chip, bits).expect("a chip"));
        let parse = || Module::parse(&session.context, text);
        let loops = parse().unwrap_or_else(|| panic!("{}", session.errors.borrow()));
        let mut module = parse().expect("it was parsed");
        let function =
            walk(top(&module)).into_iter().find(|op| op.is("func.func")).expect("a function");
        let shown = schedule(function);
        assert!(module.as_operation().verify(), "{}", session.errors.borrow());
        session.lower(&mut module, Phase::Ptx, &device);
        let program = emulated::program(top(&module), &device);
        for case in cases {
            let expected = interpret(&loops, case, 0);
            check(case, &expected, "the loops");
            for seed in 0..3 {
                let found = emulated::run(&program, case, seed);
                check(case, &found, chip);
                for (argument, _) in &case.expected {
                    assert_eq!(found[*argument], expected[*argument], "{chip}");
                }
            }
        }
        made = [shown, program.ptx];
    }
    made
}

/// The shape of a result, and its value at an index, computed from the input.
type Output<'a> = (&'a [usize], &'a dyn Fn(&[f64], usize) -> f64);

/// Maps an f32 array of integers to one or several others; all their sums are exact.
fn of(input: &[usize], results: &[Output]) -> Vec<Case> {
    let values = numbers(input.iter().product(), 1);
    let output = |(shape, cell): &Output| {
        let count = shape.iter().product();
        (undefined(F32, shape), (0..count).map(|at| cell(&values, at)).collect())
    };
    vec![case("main", vec![array(F32, input, &values)], results.iter().map(output).collect())]
}

fn cinn(function: Op<'_>, steps: impl Fn(&mut IrSchedule)) -> String {
    let mut sch = IrSchedule::new(function).expect("a valid function");
    steps(&mut sch);
    sch.schedule.show()
}

/// The row-major index of `[j, i, k]`, for that of `[i, j, k]`; each size is 32.
fn transposed(at: usize) -> usize {
    at / 32 % 32 * 1024 + at / 1024 * 32 + at % 32
}

#[test]
fn te_vector_addition() {
    let sizes = [0, 1, 63, 64, 65, 1000, 1024];
    let cases = sizes.map(|n| {
        let (a, b) = (numbers(n, 1), numbers(n, 2));
        let sums = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let inputs = vec![array(F32, &[n], &a), array(F32, &[n], &b)];
        case("main", inputs, vec![(undefined(F32, &[n]), sums)])
    });
    let [shown, ptx] = agree(ADDED, &cases, |function| {
        let mut s = te::create_schedule(function).expect("a valid function");
        let i = s.axis("C", 0).expect("an axis");
        let [bx, tx] = s.stage("C").split(&i, te::Split::Factor(64)).expect("a split");
        s.stage("C").bind(&bx, te::thread_axis("blockIdx.x")).expect("blocks");
        s.stage("C").bind(&tx, te::thread_axis("threadIdx.x")).expect("threads");
        te::lower(&s)
    });
    assert!(shown.contains("blockIdx.x i.0 in dim(C, 0) ceildiv 64"), "{shown}");
    assert!(ptx.contains(".maxntid 64"), "{ptx}");
}

#[test]
fn cinn_bind() {
    let cases = of(&[32, 2], &[(&[32, 2], &|a, at| 2.0 * a[at])]);
    let [shown, ptx] = agree(&doubled(32, 2), &cases, |function| {
        cinn(function, |sch| {
            let loops = sch.get_loops("B").expect("loops");
            sch.bind(&loops[0], "threadIdx.x").expect("threads");
        })
    });
    assert!(shown.starts_with("threadIdx.x i in 32\n  serial j in 2\n"), "{shown}");
    assert!(ptx.contains(".maxntid 32"), "{ptx}");
}

/// `Fuse`, `Split`, `Reorder`, `Unroll` and `Vectorize`, with the results bound.
#[test]
fn cinn_loops() {
    let cases = of(&[32, 64], &[(&[32, 64], &|a, at| 2.0 * a[at])]);
    let text = doubled(32, 64);
    let [shown, ptx] = agree(&text, &cases, |function| {
        cinn(function, |sch| {
            let fused = sch.fuse_at("B", &[0, 1]).expect("one loop of 2048");
            sch.bind(&fused, "blockIdx.x").expect("blocks");
        })
    });
    assert!(shown.starts_with("blockIdx.x i_j_fused in 2048\n"), "{shown}");
    assert!(ptx.contains(".maxntid 1"), "{ptx}");
    let [shown, ptx] = agree(&text, &cases, |function| {
        cinn(function, |sch| {
            let rows = sch.get_loops("B").expect("loops").swap_remove(0);
            let parts = sch.split_at("B", 1, &[4, 16]).expect("two loops");
            sch.reorder(&[&parts[0], &rows]).expect("the order of a thread block");
            sch.bind(&parts[0], "blockIdx.x").expect("blocks");
            sch.bind(&rows, "threadIdx.x").expect("threads");
            let lanes = sch.split_at("B", 2, &[-1, 4]).expect("two loops");
            sch.unroll(&lanes[0]).expect("copies");
            sch.vectorize(&lanes[1], 4).expect("lanes");
        })
    });
    assert!(shown.contains("threadIdx.x i in 32"), "{shown}");
    assert!(ptx.contains("st.global.v4"), "{ptx}");
}

#[test]
fn cinn_compute_inline() {
    let cases = of(&[32, 32, 32], &[(&[32, 32, 32], &|a, at| 2.0 * (1.0 + a[transposed(at)]))]);
    let [shown, _] = agree(TRANSPOSED, &cases, |function| {
        cinn(function, |sch| {
            sch.compute_inline("B").expect("values where they are read");
            let fused = sch.fuse_at("C", &[0, 1]).expect("one loop");
            sch.bind(&fused, "blockIdx.x").expect("blocks");
            let inner = sch.get_loops("C").expect("loops").swap_remove(1);
            sch.bind(&inner, "threadIdx.x").expect("threads");
        })
    });
    assert!(!shown.contains("B["), "{shown}");
}

/// `ComputeAt` after `Fuse`, and `SetBuffer`: each thread has the element of `B` that it reads.
#[test]
fn cinn_compute_at_and_set_buffer() {
    let cases = of(&[32, 32, 32], &[(&[32, 32, 32], &|a, at| 2.0 * (1.0 + a[transposed(at)]))]);
    let [shown, ptx] = agree(TRANSPOSED, &cases, |function| {
        cinn(function, |sch| {
            let fused = sch.fuse_at("C", &[0, 1]).expect("one loop");
            let inner = sch.get_loops("C").expect("loops").swap_remove(1);
            sch.compute_at("B", &inner).expect("a place");
            sch.set_buffer("B", "local").expect("memory of threads");
            sch.bind(&fused, "blockIdx.x").expect("blocks");
            sch.bind(&inner, "threadIdx.x").expect("threads");
        })
    });
    assert!(shown.starts_with("blockIdx.x i_j_fused in 1024\n  threadIdx.x k in 32\n"), "{shown}");
    assert!(!ptx.contains(".local"), "a cell of a thread is a register: {ptx}");
}

#[test]
fn cinn_simple_compute_at() {
    let shape: &[usize] = &[32, 32, 32];
    let cases =
        of(shape, &[(shape, &|a, at| 2.0 * a[transposed(at)]), (shape, &|a, at| 1.0 + a[at])]);
    let [_, ptx] = agree(APART, &cases, |function| {
        cinn(function, |sch| {
            let loops = sch.get_loops("B").expect("loops");
            sch.simple_compute_at("C", &loops[2]).expect("the loops of B");
            sch.bind(&loops[0], "blockIdx.x").expect("blocks");
            sch.bind(&loops[1], "blockIdx.y").expect("blocks");
            sch.bind(&loops[2], "threadIdx.x").expect("threads");
        })
    });
    assert_eq!(ptx.matches(".visible .entry").count(), 1, "{ptx}");
}

/// `CacheRead` to shared memory: each thread block has one row.
#[test]
fn cinn_cache_read() {
    let cases = of(&[32, 32], &[(&[32, 32, 16], &|a, at| a[at / 16])]);
    let [shown, ptx] = agree(SPREAD, &cases, |function| {
        cinn(function, |sch| {
            let copy = sch.cache_read("B", 0, "shared").expect("a copy");
            let loops = sch.get_loops("B").expect("loops");
            sch.compute_at(&copy, &loops[0]).expect("a row at a time");
            sch.sync_threads(&loops[1], false).expect("a barrier between the copy and its readers");
            sch.bind(&loops[0], "blockIdx.x").expect("blocks");
            sch.bind(&loops[1], "threadIdx.y").expect("threads");
            sch.bind(&loops[2], "threadIdx.x").expect("threads");
            let of_copy = sch.get_loops(&copy).expect("loops").pop().expect("a loop over cells");
            let parts = sch.split(&of_copy, &[-1, 16]).expect("rows of threads");
            sch.bind(&parts[0], "threadIdx.y").expect("threads");
            sch.bind(&parts[1], "threadIdx.x").expect("threads");
        })
    });
    assert!(shown.contains("A_shared"), "{shown}");
    assert!(ptx.contains("st.shared") && ptx.contains("bar.sync"), "{ptx}");
}

/// `CacheWrite` to shared memory: sums are accumulated there and written once. A thread reads only its own sums, so
/// they end up in registers, and the barrier that `bind` asked for is not needed.
#[test]
fn cinn_cache_write() {
    let sum = |a: &[f64], at: usize| a[at * 32..at * 32 + 32].iter().sum::<f64>();
    let cases = of(&[64, 32, 32], &[(&[64, 32], &sum)]);
    let [shown, ptx] = agree(SUM, &cases, |function| {
        cinn(function, |sch| {
            let computes = sch.cache_write("B", 0, "shared").expect("a copy");
            let loops = sch.get_loops("B").expect("loops");
            sch.compute_at(&computes, &loops[0]).expect("a row at a time");
            sch.sync_threads(&loops[1], false).expect("a barrier between sums and what is written");
            sch.bind(&loops[0], "blockIdx.x").expect("blocks");
            sch.bind(&loops[1], "threadIdx.x").expect("threads");
            let inner = sch.get_loops(&computes).expect("loops");
            sch.bind(&inner[inner.len() - 2], "threadIdx.x").expect("threads");
        })
    });
    assert!(shown.contains("B_shared"), "{shown}");
    let count = |what| ptx.matches(what).count();
    assert_eq!(["st.global", "st.shared", "bar.sync"].map(count), [1, 0, 0], "{ptx}");
}

/// `Rfactor`: sixteen partial results, each computed in a kernel with the block that combines them.
#[test]
fn cinn_rfactor() {
    let sum = |a: &[f64], at: usize| a[at * 32..at * 32 + 32].iter().sum::<f64>();
    let cases = of(&[32, 2, 16], &[(&[32], &sum)]);
    let [shown, ptx] = agree(SUM_OF_TWO, &cases, |function| {
        cinn(function, |sch| {
            let k = sch.get_loops("B").expect("loops").pop().expect("three loops");
            let partial = sch.rfactor(&k, 0).expect("partial results");
            let loops = sch.get_loops(&partial).expect("loops");
            sch.bind(&loops[0], "blockIdx.x").expect("blocks");
            sch.bind(&loops[1], "threadIdx.x").expect("threads");
            let last = sch.get_loops("B").expect("loops").swap_remove(0);
            sch.bind(&last, "threadIdx.x").expect("threads");
        })
    });
    assert!(shown.contains("rf_B["), "{shown}");
    assert_eq!(ptx.matches(".visible .entry").count(), 2, "{ptx}");
}

/// `SyncThreads`: the barrier separates no conflicting accesses, and is not in the kernel.
#[test]
fn cinn_sync_threads() {
    let cases = of(&[32, 32], &[(&[32, 32], &|a, at| 2.0 * a[at])]);
    let [shown, ptx] = agree(&doubled(32, 32), &cases, |function| {
        cinn(function, |sch| {
            let loops = sch.get_loops("B").expect("loops");
            sch.bind(&loops[1], "threadIdx.x").expect("threads");
            sch.sync_threads(&loops[1], false).expect("a barrier");
        })
    });
    assert!(shown.contains("sync"), "{shown}");
    assert!(!ptx.contains("bar.sync"), "{ptx}");
}
