//! The speedup by layouts, padding, pipelines and rolling buffers on x86.
//!
//! `cargo bench --bench layout` compiles each kernel of `benches/layout` under two schedules: the best schedule found
//! without such a step, and one with it. It prints the medians of both on one thread, from an interleaved run, and
//! their ratio. It fails if a ratio is below [`BAR`], or if the results of the two differ. `cargo bench --bench layout
//! -- NAME` runs one kernel.

use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright::schedule::trace::VERSION;
use loopwright_runtime::kernel::{Argument, ArgumentType, Kernel, Workspace};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::Tensor;
use loopwright_runtime::timing::measure;
use melior::Context;
use melior::ir::Module;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::error::Error;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

/// The minimum speedup by the step.
const BAR: f64 = 1.1;
const ROUNDS: usize = 61;
const BUDGET: Duration = Duration::from_millis(15);

/// A kernel and its two schedules.
struct Case {
    name: &'static str,
    kernel: &'static str,
    without: &'static [&'static str],
    with: &'static [&'static str],
}

const CASES: &[Case] = &[
    // A recurrence is a chain of latencies, while the row that it scales is many independent operations. The
    // processor's out-of-order window does not reach over a whole row to the next state.
    Case {
        name: "software_pipeline",
        kernel: include_str!("layout/state.mlir"),
        without: &[r#"vectorize "row:j" in %f factor 16"#, r#"unroll "row:j.0" in %f factor 8"#],
        with: &[
            r#"vectorize "row:j" in %f factor 16"#,
            r#"unroll "row:j.0" in %f factor 8"#,
            r#"software_pipeline "row:i" in %f stages [0, 1] order [0, 1]"#,
        ],
    },
    // Interleaved real and imaginary parts are gathered; separate parts are loaded as vectors.
    Case {
        name: "transform_layout",
        kernel: include_str!("layout/complex.mlir"),
        without: &[
            r#"vectorize "re:i" in %f factor 16"#,
            r#"vectorize "out:i" in %f factor 16"#,
            r#"vectorize "real:i" in %f factor 16"#,
            r#"reorder ["real:k", "real:i.1"] in %f"#,
            r#"unroll "real:k" in %f"#,
        ],
        with: &[
            r#"transform_layout "Z" in %f index_map "(i, c) -> (c, i)""#,
            r#"transform_layout "A" in %f index_map "(i, c) -> (c, i)""#,
            r#"vectorize "re:i" in %f factor 16"#,
            r#"vectorize "out:i" in %f factor 16"#,
            r#"vectorize "real:i" in %f factor 16"#,
            r#"reorder ["real:k", "real:i.1"] in %f"#,
            r#"unroll "real:k" in %f"#,
        ],
    },
    // Most rows of 15 elements span two cache lines; padded by one element, each row has its own line.
    Case {
        name: "storage_align",
        kernel: include_str!("layout/rows.mlir"),
        without: &[
            r#"vectorize "first:j" in %f"#,
            r#"vectorize "sum:j" in %f"#,
            r#"reorder ["sum:k", "sum:j"] in %f"#,
            r#"unroll "sum:k" in %f"#,
        ],
        with: &[
            r#"storage_align "T" in %f axis 0 factor 16"#,
            r#"vectorize "first:j" in %f"#,
            r#"vectorize "sum:j" in %f"#,
            r#"reorder ["sum:k", "sum:j"] in %f"#,
            r#"unroll "sum:k" in %f"#,
        ],
    },
    // The echo uses values that were computed four megabytes before. A rolling buffer stays in the cache and computes
    // no row twice; tiles recompute a quarter of the rows, or exceed the cache, as the whole intermediate tensor does.
    Case {
        name: "rolling_buffer",
        kernel: include_str!("layout/echo.mlir"),
        without: &[
            r#"split "Y:i" in %f factors [-1, 262144]"#,
            r#"compute_at "T" in %f loop "Y:i.0""#,
            r#"vectorize "T:j" in %f"#,
            r#"vectorize "Y:j" in %f"#,
        ],
        with: &[
            r#"compute_at "T" in %f loop "Y:i""#,
            r#"rolling_buffer "T" in %f loop "Y:i""#,
            r#"vectorize "T:j" in %f"#,
            r#"vectorize "T.first:j" in %f"#,
            r#"vectorize "Y:j" in %f"#,
        ],
    },
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let context = pipeline::context();
    let pool = Pool::new(NonZeroUsize::MIN)?;
    let mut holds = true;
    for case in CASES.iter().filter(|case| only.as_deref().is_none_or(|only| only == case.name)) {
        let mut contenders = [
            Contender::new(&context, case.kernel, case.without)?,
            Contender::new(&context, case.kernel, case.with)?,
        ];
        for _ in 0..ROUNDS {
            for contender in &mut contenders {
                contender.run(&pool)?;
            }
        }
        let [without, with] = &contenders;
        let same = without.agrees_with(with);
        let ratio = without.median() / with.median();
        println!(
            "{:<20}{:>10.1} us without{:>10.1} us with{:>8.3} times as fast{}",
            case.name,
            without.median() * 1e6,
            with.median() * 1e6,
            ratio,
            if same { "" } else { ", with OTHER RESULTS" }
        );
        holds &= same && ratio >= BAR;
    }
    println!("{}", if holds { "the bars hold" } else { "a bar is MISSED" });
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A compiled kernel, its arguments, and its times, one per round.
struct Contender {
    kernel: Kernel,
    tensors: Vec<(Tensor, bool)>,
    workspace: Workspace,
    seconds: Vec<f64>,
}

impl Contender {
    fn new(context: &Context, kernel: &str, steps: &[&str]) -> Result<Contender, Box<dyn Error>> {
        let steps: String = steps.iter().map(|step| format!("transform.sched.{step}\n")).collect();
        let script = format!(
            "module attributes {{transform.with_named_sequence}} {{\n\
             transform.named_sequence @__transform_main(%module: !transform.any_op) {{\n\
             %f = transform.sched.function @main in %module version {VERSION}\n\
             {steps}transform.yield\n}}\n}}\n"
        );
        let script = Module::parse(context, &script).ok_or("the schedule does not parse")?;
        let settings =
            Settings { schedule: Some(ModuleSchedule::Script(&script)), ..Settings::default() };
        let mut module = Module::parse(context, kernel).ok_or("the kernel does not parse")?;
        pipeline::lower(context, &mut module, Phase::Input, Phase::Llvm, &settings)?;
        let kernel = loopwright_testing::load(&module, &settings)?.kernel("main")?;
        let mut rng = StdRng::seed_from_u64(1);
        let mut tensors = vec![];
        for argument in &kernel.signature().arguments {
            let ArgumentType::Buffer(ty) = argument else { return Err("an index".into()) };
            let sizes = ty.shape.iter().map(|size| size.expect("kernels here have fixed sizes"));
            let shape: Vec<usize> = sizes.map(|size| size as usize).collect();
            let mut tensor = Tensor::zeros(ty.element_type, &shape)?;
            if !ty.is_result {
                (0..tensor.len()).for_each(|i| tensor.set_f64(i, rng.random_range(-1.0..1.0)));
            }
            tensors.push((tensor, ty.is_result));
        }
        Ok(Contender { kernel, tensors, workspace: Workspace::default(), seconds: vec![] })
    }

    fn run(&mut self, pool: &Pool) -> Result<(), Box<dyn Error>> {
        let argument = |(tensor, is_result)| match is_result {
            true => Argument::Output(tensor),
            false => Argument::Input(tensor),
        };
        let tensors = self.tensors.iter_mut().map(|(tensor, is_result)| (tensor, *is_result));
        let mut arguments: Vec<Argument> = tensors.map(argument).collect();
        let mut call = self.kernel.prepare(pool, &mut arguments, &mut self.workspace)?;
        self.seconds.push(measure(BUDGET, || call.run()).median.as_secs_f64());
        Ok(())
    }

    fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }

    /// True if the results are equal to the last bit.
    fn agrees_with(&self, other: &Contender) -> bool {
        self.tensors.iter().zip(&other.tensors).all(|((a, _), (b, _))| a.bytes() == b.bytes())
    }
}
