//! Matrix products in register tiles, with the factors in the nearest caches: f32, bf16 and bytes on one thread.
//!
//! `cargo bench --bench micro` prints medians from one interleaved run:
//! - the FMA peak: independent fused multiply-adds on registers, in our own vector form;
//! - `C[240, 64] += A[240, k] * B[k, 64]` with B packed as the instruction requires, in tiles of 6 x 64: f32 by fused
//!   multiply-adds, bf16 by `vdpbf16ps` and u8 times i8 by `vpdpbusd`, if the processor has them.
//!
//! The factors are small integers, so sums are exact in any order, and every element is compared. It fails if f32
//! reaches less than 0.97 of the peak, bf16 is less than 1.9 times as fast as f32, or bytes less than 3.7 times.

#[path = "shared/contender.rs"]
mod contender;

use contender::{CHAINS, Contender, PEAK_STEPS, compile, peak_kernel};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::ir::Module;
use std::error::Error;
use std::num::NonZeroUsize;
use std::process::ExitCode;

const ROUNDS: usize = 15;
const ROWS: usize = 240;
const COLUMNS: usize = 64;
/// The bytes of a row of A. B has 64 times as many; it stays in the first-level cache together with a tile of A.
const ROW_BYTES: usize = 512;

/// A product with one element type.
struct Product {
    name: &'static str,
    /// The element types of A and of B, as MLIR and this crate name them, and that of C.
    element: (&'static str, ElementType),
    sum: (&'static str, ElementType),
    /// The ops that convert elements of A and B to those of C, multiply and add.
    ops: [&'static str; 4],
    /// The number of products that are added at once, and the instruction.
    group: usize,
    intrinsic: Option<(&'static str, &'static str)>,
    /// The minimum speed relative to f32; for f32, relative to the peak.
    bar: f64,
}

const PRODUCTS: [Product; 3] = [
    Product {
        name: "f32",
        element: ("f32", ElementType::F32),
        sum: ("f32", ElementType::F32),
        ops: ["", "", "arith.mulf", "arith.addf"],
        group: 1,
        intrinsic: None,
        bar: 0.97,
    },
    Product {
        name: "bf16",
        element: ("bf16", ElementType::BF16),
        sum: ("f32", ElementType::F32),
        ops: ["arith.extf", "arith.extf", "arith.mulf", "arith.addf"],
        group: 2,
        intrinsic: Some(("x86.vdpbf16ps", "avx512bf16")),
        bar: 1.9,
    },
    Product {
        name: "u8 times i8",
        element: ("i8", ElementType::I8),
        sum: ("i32", ElementType::I32),
        ops: ["arith.extui", "arith.extsi", "arith.muli", "arith.addi"],
        group: 4,
        intrinsic: Some(("x86.vpdpbusd", "avx512vnni")),
        bar: 3.7,
    },
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let context = pipeline::context();
    let host = CpuTarget::host();
    let lanes = i64::from(host.vectors()?.bits / 32);
    let pool = Pool::new(NonZeroUsize::MIN)?;
    let peak = compile(&context, &peak_kernel(lanes), Phase::Vector, &Settings::default())?;
    let mut peak = Contender::new("FMA peak", peak);
    let mut sink = Tensor::zeros(ElementType::F32, &[CHAINS * lanes as usize])?;
    let mut runs = vec![];
    for product in PRODUCTS.iter().filter(|it| it.runs_on(&host)) {
        let script = product.script(lanes);
        let script = Module::parse(&context, &script).ok_or("the schedule does not parse")?;
        let settings =
            Settings { schedule: Some(ModuleSchedule::Script(&script)), ..Settings::default() };
        let kernel = compile(&context, &product.function(), Phase::Loop, &settings)?;
        let [a, b] = product.factors()?;
        let c = Tensor::zeros(product.sum.1, &[ROWS, COLUMNS])?;
        runs.push((product, Contender::new(product.name, kernel), [a, b], c));
    }
    for _ in 0..ROUNDS {
        peak.time(&pool, &mut [Argument::Output(&mut sink)])?;
        for (_, contender, [a, b], c) in &mut runs {
            let mut arguments = [Argument::Input(a), Argument::Input(b), Argument::Output(c)];
            contender.time(&pool, &mut arguments)?;
        }
    }
    let peak = (2 * PEAK_STEPS * CHAINS as i64 * lanes) as f64 / peak.median() / 1e9;
    println!("{:<14}{peak:>9.1} GFLOP/s", "FMA peak");
    let mut of_f32 = peak;
    let mut holds = true;
    for (product, contender, [a, b], c) in &runs {
        product.check(a, b, c)?;
        let rate = (2 * ROWS * COLUMNS * product.depth()) as f64 / contender.median() / 1e9;
        let ratio = rate / of_f32;
        let of = if product.group == 1 { "of the peak" } else { "of f32" };
        println!("{:<14}{rate:>9.1} Gop/s{ratio:>10.3} {of}, bar {}", contender.name, product.bar);
        holds &= ratio >= product.bar;
        if product.group == 1 {
            of_f32 = rate;
        }
    }
    println!("{}", if holds { "the bars hold" } else { "a bar is MISSED" });
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Product {
    fn runs_on(&self, host: &CpuTarget) -> bool {
        let has = self
            .intrinsic
            .is_none_or(|(_, feature)| host.machine().is_ok_and(|machine| machine.has(feature)));
        if !has {
            println!("{}: this processor has no instruction for it", self.name);
        }
        has
    }

    /// The number of products in a sum.
    fn depth(&self) -> usize {
        ROW_BYTES * self.group / 4
    }

    /// The product as loops.
    fn function(&self) -> String {
        let (depth, group) = (self.depth(), self.group);
        let (steps, wide) = (depth / group, COLUMNS * group);
        let ((ty, _), (sum, _)) = (self.element, self.sum);
        let [left, right, multiply, add] = self.ops;
        let zero = if sum == "f32" { "0.0" } else { "0" };
        let widen = |op: &str, to: &str, from: &str| match op {
            "" => String::new(),
            _ => format!("{to} = {op} {from} : {ty} to {sum}\n"),
        };
        let (x, y) = if left.is_empty() { ("%x", "%y") } else { ("%l", "%r") };
        format!(
            "func.func @main(%a: memref<{ROWS}x{depth}x{ty}>, %b: memref<{steps}x{wide}x{ty}>,
                %c: memref<{ROWS}x{COLUMNS}x{sum}> {{loop.result}}) attributes {{loop.fp = \"fast\"}} {{
              loop.for serial %i in {ROWS} {{ loop.for serial %j in {COLUMNS} {{
              loop.for serial %k in {steps} {{ loop.for serial %g in {group} {{
                loop.block \"C\" [%vi: spatial {ROWS}, %vj: spatial {COLUMNS}, %vk: reduce {steps}, %vg: reduce {group}] = (%i, %j, %k, %g)
                    reads(%a[%vi : 1, %vk * {group} + %vg : 1], %b[%vk : 1, %vj * {group} + %vg : 1]) writes(%c[%vi : 1, %vj : 1])
                    reducer(add, {zero}) {{
                  loop.init {{
                    %z = arith.constant {zero} : {sum}
                    memref.store %z, %c[%vi, %vj] : memref<{ROWS}x{COLUMNS}x{sum}>
                  }}
                  %of_a = affine.apply affine_map<(d0, d1) -> (d0 * {group} + d1)>(%vk, %vg)
                  %x = memref.load %a[%vi, %of_a] : memref<{ROWS}x{depth}x{ty}>
                  %of_b = affine.apply affine_map<(d0, d1) -> (d0 * {group} + d1)>(%vj, %vg)
                  %y = memref.load %b[%vk, %of_b] : memref<{steps}x{wide}x{ty}>
                  {}{}
                  %p = {multiply} {x}, {y} : {sum}
                  %o = memref.load %c[%vi, %vj] : memref<{ROWS}x{COLUMNS}x{sum}>
                  %n = {add} %o, %p : {sum}
                  memref.store %n, %c[%vi, %vj] : memref<{ROWS}x{COLUMNS}x{sum}>
                }}
              }} }} }} }}
              return
            }}",
            widen(left, "%l", "%x"),
            widen(right, "%r", "%y"),
        )
    }

    /// Tiles of six rows and four vectors in registers.
    fn script(&self, lanes: i64) -> String {
        let mut steps = vec![
            "split \"C:i\" in %f factors [-1, 6]".to_owned(),
            format!("split \"C:j\" in %f factors [-1, {}, {lanes}]", COLUMNS as i64 / lanes),
            "reorder [\"C:j.0\", \"C:i.0\", \"C:k\", \"C:i.1\", \"C:j.1\", \"C:j.2\", \"C:g\"] in %f".to_owned(),
            "unroll \"C:i.1\" in %f".to_owned(),
            "unroll \"C:j.1\" in %f".to_owned(),
            "decompose_reduction \"C\" in %f loop \"C:k\"".to_owned(),
            "vectorize \"C__reduce_init:j.2\" in %f".to_owned(),
        ];
        steps.push(match self.intrinsic {
            Some((intrinsic, _)) => format!("tensorize \"C:j.2\" in %f intrinsic \"{intrinsic}\""),
            None => "vectorize \"C:j.2\" in %f".to_owned(),
        });
        let steps: String = steps.iter().map(|step| format!("transform.sched.{step}\n")).collect();
        format!(
            "module attributes {{transform.with_named_sequence}} {{
              transform.named_sequence @__transform_main(%module: !transform.any_op) {{
                %f = transform.sched.function @main in %module version 1
                {steps}
                transform.yield
              }}
            }}"
        )
    }

    /// A and B, packed.
    fn factors(&self) -> Result<[Tensor; 2], Box<dyn Error>> {
        let (steps, ty) = (self.depth() / self.group, self.element.1);
        let shapes = [[ROWS, self.depth()], [steps, COLUMNS * self.group]];
        let mut factors = vec![];
        for (factor, shape) in shapes.iter().enumerate() {
            // Bytes of A are unsigned.
            let least = if factor == 0 { 0 } else { -4 };
            let mut tensor = Tensor::zeros(ty, shape)?;
            for i in 0..tensor.len() {
                let value = (i * 7919 % 1013 % 9) as i64 + least;
                match ty {
                    ElementType::I8 => tensor.set_i64(i, value),
                    _ => tensor.set_f64(i, value as f64),
                }
            }
            factors.push(tensor);
        }
        Ok(factors.try_into().expect("two"))
    }

    fn check(&self, a: &Tensor, b: &Tensor, c: &Tensor) -> Result<(), String> {
        let (steps, group) = (self.depth() / self.group, self.group);
        let values =
            |tensor: &Tensor| (0..tensor.len()).map(|i| value(tensor, i)).collect::<Vec<_>>();
        let (a, b, c) = (values(a), values(b), values(c));
        for (i, row) in c.chunks(COLUMNS).enumerate() {
            for (j, found) in row.iter().enumerate() {
                let products = (0..steps * group).map(|k| {
                    a[i * steps * group + k] * b[(k / group * COLUMNS + j) * group + k % group]
                });
                let expected: f64 = products.sum();
                if *found != expected {
                    let name = self.name;
                    return Err(format!("{name}: C[{i}, {j}] is {found}, expected {expected}"));
                }
            }
        }
        Ok(())
    }
}

fn value(tensor: &Tensor, i: usize) -> f64 {
    match tensor.element_type() {
        ElementType::I8 | ElementType::I32 => tensor.get_i64(i) as f64,
        _ => tensor.get_f64(i),
    }
}
