//! `swizzle-shared-buffers` on random kernels: their results do not change, and the wavefronts that the pass claims
//! to save equal those that the interpreter counts.
//!
//! A kernel fills a shared buffer, each element once, and after a barrier reads each element once. Both loops
//! traverse the dimensions in an order of their own, with scalars or vectors, so either may have bank conflicts.

#[path = "../../schedule/drawn.rs"]
#[expect(dead_code, reason = "only its random numbers are needed")]
mod drawn;

use drawn::below;
use loopwright::interpreter::{self, Datum, value::Array};
use loopwright::ir::{Op, walk};
use loopwright::optimize::cuda::swizzle_shared_buffers::{
    AFTER, BEFORE, PADDED, SWIZZLED, SwizzleSharedBuffers,
};
use loopwright::optimize::kind::{Counts, FunctionPass};
use loopwright::pipeline;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::top;
use melior::ir::Module;
use std::fmt::Write;

const KERNELS: u64 = 120;

/// A shared buffer, and how it is written and read.
struct Kernel {
    element: &'static str,
    dims: Vec<usize>,
    threads: [usize; 2],
    /// The order of the dimensions, outermost first, the elements of an access, and whether it states its alignment.
    accesses: [(Vec<usize>, usize, bool); 2],
}

impl Kernel {
    fn drawn(state: &mut u64) -> Kernel {
        let one_of = |list: &[usize], state: &mut u64| list[below(list.len(), state)];
        let element = ["f32", "f32", "f16", "f64"][below(4, state)];
        let rank = [1, 2, 2, 3][below(4, state)];
        let sizes = [1, 2, 3, 8, 16, 16, 20, 32, 32, 33, 64];
        let mut dims: Vec<usize> = (0..rank).map(|_| one_of(&sizes, state)).collect();
        while dims.iter().product::<usize>() > 1024 {
            let largest = (0..rank).max_by_key(|d| dims[*d]).unwrap_or(0);
            dims[largest] = dims[largest].div_ceil(2);
        }
        let threads = [one_of(&[8, 16, 20, 32, 33, 64], state), one_of(&[1, 2, 3], state)];
        let mut order: Vec<usize> = (0..rank).collect();
        let accesses = [(); 2].map(|()| {
            match below(2, state) {
                0 => order.reverse(),
                _ => (1..rank).for_each(|i| order.swap(i, below(i + 1, state))),
            }
            let lanes = one_of(&[1, 1, 2, 4], state);
            let lanes = if dims[rank - 1].is_multiple_of(lanes) { lanes } else { 1 };
            (order.clone(), lanes, below(4, state) > 0)
        });
        Kernel { element, dims, threads, accesses }
    }

    fn bytes(&self) -> usize {
        self.element[1..].parse::<usize>().expect("a width") / 8
    }

    fn cells(&self) -> usize {
        self.dims.iter().product()
    }

    fn text(&self) -> String {
        let dims: String = self.dims.iter().map(|n| format!("{n}x")).collect();
        let shared = format!("memref<{dims}{}, #gpu.address_space<workgroup>>", self.element);
        let global = format!("memref<{}x{}>", self.cells(), self.element);
        let [x, y] = self.threads;
        let mut text = format!(
            "module attributes {{gpu.container_module}} {{
             func.func @main(%A: {global}, %B: {global}) {{
               %c1 = arith.constant 1 : index %x = arith.constant {x} : index
               %y = arith.constant {y} : index
               gpu.launch_func @kernels::@main_0 blocks in (%c1, %c1, %c1) threads in (%x, %y, %c1)
                 args(%A : {global}, %B : {global})
               return
             }}
             gpu.module @kernels {{
             gpu.func @main_0(%A: {global}, %B: {global})
                 workgroup(%S: {shared} {{llvm.align = 16 : i64}})
                 kernel attributes {{known_block_size = array<i32: {x}, {y}, 1>}} {{
               %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
               %tx = gpu.thread_id x %ty = gpu.thread_id y
               %x = arith.constant {x} : index
               %t0 = arith.muli %ty, %x : index %t = arith.addi %t0, %tx : index\n"
        );
        for (place, is_store) in [(0, true), (1, false)] {
            self.access(&mut text, place, is_store, &shared, &global);
            if is_store {
                text += "gpu.barrier\n";
            }
        }
        text + "gpu.return } } }"
    }

    /// A loop in which all threads together traverse the buffer.
    fn access(&self, text: &mut String, place: usize, is_store: bool, shared: &str, global: &str) {
        let (order, lanes, is_aligned) = &self.accesses[place];
        let last = self.dims.len() - 1;
        let extent = |d: usize| if d == last { self.dims[d] / lanes } else { self.dims[d] };
        let all: usize = (0..=last).map(extent).product();
        let threads = self.threads.iter().product::<usize>();
        let n = all.div_ceil(threads);
        let _ = writeln!(
            text,
            "%end{place} = arith.constant {n} : index %all{place} = arith.constant {all} : index
             %threads{place} = arith.constant {threads} : index
             %lanes{place} = arith.constant {lanes} : index
             scf.for %k = %c0 to %end{place} step %c1 {{
               %k0 = arith.muli %k, %threads{place} : index
               %at = arith.addi %k0, %t : index
               %is_in = arith.cmpi ult, %at, %all{place} : index
               scf.if %is_in {{"
        );
        let mut rest = "%at".to_owned();
        for d in order.iter().rev() {
            let _ = writeln!(
                text,
                "%n{d} = arith.constant {} : index %j{d} = arith.remui {rest}, %n{d} : index
                 %r{d} = arith.divui {rest}, %n{d} : index",
                extent(*d)
            );
            rest = format!("%r{d}");
        }
        // The element's index in global memory: each has a distinct one.
        let _ = writeln!(text, "%i{last} = arith.muli %j{last}, %lanes{place} : index");
        let mut flat = "%c0".to_owned();
        let name = |d: usize| if d == last { format!("%i{d}") } else { format!("%j{d}") };
        for d in 0..=last {
            let (size, index) = (self.dims[d], name(d));
            let _ = writeln!(
                text,
                "%s{d} = arith.constant {size} : index %m{d} = arith.muli {flat}, %s{d} : index
                 %f{d} = arith.addi %m{d}, {index} : index"
            );
            flat = format!("%f{d}");
        }
        let indices: Vec<String> = (0..=last).map(name).collect();
        let indices = indices.join(", ");
        let bytes = (lanes * self.bytes()).min(16);
        let stated = format!("{{alignment = {bytes} : i64}}");
        let stated = if *is_aligned && *lanes > 1 { stated.as_str() } else { "" };
        let (dialect, vector) = match lanes {
            1 => ("memref", String::new()),
            _ => ("vector", format!(", vector<{lanes}x{}>", self.element)),
        };
        let ((from, from_type, from_stated), (to, to_type, to_stated)) = {
            let ours = (format!("%S[{indices}]"), shared, stated);
            let theirs = (format!("%{}[{flat}]", if is_store { "A" } else { "B" }), global, "");
            if is_store { (theirs, ours) } else { (ours, theirs) }
        };
        let _ = writeln!(text, "%v = {dialect}.load {from} {from_stated} : {from_type}{vector}");
        let _ = writeln!(text, "{dialect}.store %v, {to} {to_stated} : {to_type}{vector}\n}} }}");
    }

    fn run(&self, module: Op, seed: u64) -> (Array, u64) {
        let ty: ElementType = self.element.parse().expect("a type");
        let numbers = |of: fn(usize) -> f64| {
            let values: Vec<f64> = (0..self.cells()).map(of).collect();
            let tensor = Tensor::from_f64s(ty, &[self.cells()], &values).expect("its size");
            Datum::buffer(Array::from_tensor(&tensor))
        };
        let (a, b) = (numbers(|i| (i % 2039) as f64), numbers(|_| -1.0));
        let options = interpreter::RunOptions { seed, max_iterations: u64::MAX };
        let ran = interpreter::run_banks(module, "main", vec![a, b.clone()], options);
        let (_, wavefronts) = ran.unwrap_or_else(|error| panic!("{}", error.message));
        match b {
            Datum::Buffer(array) => (array.borrow().clone(), wavefronts),
            other => panic!("{other} is no buffer"),
        }
    }
}

#[test]
fn the_interpreter_counts_what_the_pass_does() {
    let context = pipeline::context();
    let (mut swizzled, mut padded, mut kept) = (0, 0, 0);
    for seed in 0..KERNELS {
        let mut state = seed;
        let kernel = Kernel::drawn(&mut state);
        let text = kernel.text();
        let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{seed}: {text}"));
        let (expected, before) = kernel.run(top(&module), seed);
        let mut counts = Counts::default();
        let found = walk(top(&module)).into_iter().find(|op| op.is("gpu.func"));
        let outcome = SwizzleSharedBuffers.run(found.expect("a kernel"), &mut counts);
        assert!(outcome.is_ok() && top(&module).verify(), "{seed}: {text}");
        let (computed, after) = kernel.run(top(&module), seed + 1);
        assert_eq!(computed, expected, "{seed}: {text}\n{}", top(&module));
        let saved = before.checked_sub(after);
        let told = counts.of(BEFORE) - counts.of(AFTER);
        assert_eq!(saved, Some(told), "{seed}: {before} to {after}\n{text}\n{}", top(&module));
        if !counts.is_empty() {
            assert_eq!((counts.of(BEFORE), counts.of(AFTER)), (before, after));
            assert!(after < before, "{seed}: {before} to {after}");
        }
        swizzled += counts.of(SWIZZLED);
        padded += counts.of(PADDED);
        kept += u64::from(counts.is_empty());
    }
    println!("{swizzled} swizzled, {padded} padded, {kept} kept");
    assert!(swizzled >= 20 && padded >= 5 && kept >= 20, "{swizzled}, {padded}, {kept}");
}
