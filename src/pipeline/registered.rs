//! The pipelines as passes: `lw-x86-pipeline` and `lw-nvptx-pipeline`.
//!
//! Both lower a module from one phase (`from`) to another (`to`). They apply the trace in the file `schedule` if
//! the path includes that phase, and leave out the passes that `without` names.

use super::{Parameters, Phase, check_without};
use crate::codegen::cuda;
use crate::ffi::pass::{
    DialectName, Form, OptionKind, PassOption, PassRow, PassRun, is_registered, register_own,
};
use crate::ir::{Error, Op};
use crate::pass;
use std::sync::Once;

const fn option(
    name: &'static str,
    kind: OptionKind,
    initial: &'static str,
    summary: &'static str,
) -> PassOption {
    PassOption { name, summary, kind, initial }
}

const FROM: PassOption =
    option("from", OptionKind::String, "input", "The phase of the given module");
const SCHEDULE: PassOption =
    option("schedule", OptionKind::String, "", "A file with the trace that schedules the module");
const WITHOUT: PassOption =
    option("without", OptionKind::StringList, "", "Passes to leave out, by name");
const REQUIRE_VECTOR: PassOption = option(
    "require-vector",
    OptionKind::Bool,
    "false",
    "Report an error if a vectorized loop has no vector form",
);

/// The dialects that both depend on.
const DIALECTS: [DialectName; 11] = [
    DialectName::Affine,
    DialectName::Arith,
    DialectName::ControlFlow,
    DialectName::Func,
    DialectName::Linalg,
    DialectName::Llvm,
    DialectName::Loopwright,
    DialectName::Math,
    DialectName::MemRef,
    DialectName::Scf,
    DialectName::Vector,
];

/// The phases of each pipeline.
const X86: &[Phase] =
    &[Phase::Input, Phase::Linalg, Phase::Loop, Phase::Schedule, Phase::Vector, Phase::Llvm];
const NVPTX: &[Phase] =
    &[Phase::Input, Phase::Linalg, Phase::Loop, Phase::Schedule, Phase::Gpu, Phase::Ptx];

/// The pipelines, as passes.
pub const PIPELINES: &[PassRow] = &[
    PassRow {
        argument: "lw-nvptx-pipeline",
        summary: "Lower nests that are bound to threads to PTX, in a gpu.binary",
        on: "builtin.module",
        needs: Form::ALL,
        leaves: Some(Form::Machine),
        options: &[
            option(
                "chip",
                OptionKind::String,
                cuda::DEFAULT_CHIP,
                "The GPU's architecture, such as sm_80 or sm_90a",
            ),
            option(
                "index-bits",
                OptionKind::Int,
                "64",
                "The width of index arithmetic in bits: 64, or 32 if every buffer has less than 2^31 elements",
            ),
            REQUIRE_VECTOR,
            FROM,
            option(
                "to",
                OptionKind::String,
                "ptx",
                "The phase to stop in: up to schedule, gpu or ptx",
            ),
            SCHEDULE,
            WITHOUT,
        ],
        statistics: &[],
        dialects: &{
            let [a, b, c, d, e, f, g, h, i, j, k] = DIALECTS;
            [
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                h,
                i,
                j,
                k,
                DialectName::Gpu,
                DialectName::Nvvm,
                DialectName::Tensor,
            ]
        },
        run: |module, run| {
            let target = cuda::GpuTarget::new(&run.string(0), run.int(1));
            let parameters = target.map(|device| Parameters {
                device,
                require_vector: run.bool(2),
                without: run.strings(6),
                ..Parameters::default()
            });
            let (from, to, schedule) = (run.string(3), run.string(4), run.string(5));
            let way = PipelinePath { among: NVPTX, from, to, schedule };
            lower(module, run, &way, parameters)
        },
    },
    PassRow {
        argument: "lw-x86-pipeline",
        summary: "Lower functions to the LLVM dialect for an x86 processor",
        on: "builtin.module",
        needs: Form::ALL,
        leaves: Some(Form::Machine),
        options: &[
            option(
                "vector-bits",
                OptionKind::Int,
                "512",
                "The width of a vector register, in bits",
            ),
            REQUIRE_VECTOR,
            FROM,
            option("to", OptionKind::String, "llvm", "The phase to stop in: up to vector or llvm"),
            SCHEDULE,
            WITHOUT,
            option(
                "check-bounds",
                OptionKind::Bool,
                "false",
                "Check bounds at run time: an access out of bounds ends the run with a located error",
            ),
            option("fma", OptionKind::Bool, "true", "The processor has fused multiply-adds"),
            option("vector-registers", OptionKind::Int, "32", "The number of vector registers"),
        ],
        statistics: &[],
        dialects: &{
            let [a, b, c, d, e, f, g, h, i, j, k] = DIALECTS;
            [a, b, c, d, e, f, g, h, i, j, k, DialectName::Tensor]
        },
        run: |module, run| {
            let parameters = Parameters {
                vector_bits: run.int(0),
                require_vector: run.bool(1),
                without: run.strings(5),
                check_bounds: run.bool(6),
                has_fma: run.bool(7),
                vector_registers: run.int(8),
                ..Parameters::default()
            };
            let (from, to, schedule) = (run.string(2), run.string(3), run.string(4));
            let way = PipelinePath { among: X86, from, to, schedule };
            lower(module, run, &way, Ok(parameters))
        },
    },
];

/// The path of a pipeline, as its options state it.
struct PipelinePath {
    /// The phases of the pipeline.
    among: &'static [Phase],
    from: String,
    to: String,
    schedule: String,
}

impl PipelinePath {
    /// The phases on the path.
    fn phases(&self) -> Result<Vec<Phase>, String> {
        let phase = |option: &str, word: &str| {
            self.among.iter().copied().find(|phase| phase.word() == word).ok_or_else(|| {
                let words: Vec<_> = self.among.iter().map(|phase| phase.word()).collect();
                format!("is given {option}={word}, expected one of {}", words.join(", "))
            })
        };
        let (from, to) = (phase("from", &self.from)?, phase("to", &self.to)?);
        let phases = from.to(to).ok_or_else(|| {
            let (from, to) = (&self.from, &self.to);
            format!(
                "is given from={from} to={to}, expected a phase and a later one on the same path"
            )
        })?;
        if !self.schedule.is_empty() && !phases.contains(&Phase::Schedule) {
            return Err("is given a schedule, expected phase schedule between from and to".into());
        }
        Ok(phases)
    }
}

fn lower(
    module: Op,
    run: &PassRun,
    way: &PipelinePath,
    parameters: Result<Parameters, String>,
) -> Result<(), ()> {
    let passes = parameters.and_then(|parameters| {
        let phases = way.phases()?;
        check_without(&parameters.without, &phases)?;
        let passes = phases.into_iter().map(|phase| {
            let is_scheduled = phase == Phase::Schedule && !way.schedule.is_empty();
            let schedule =
                is_scheduled.then(|| format!("sched-apply{{trace=\"{}\"}}", way.schedule));
            let passes = [Some(parameters.passes_to(phase)), schedule];
            let passes: Vec<_> = passes.into_iter().flatten().filter(|it| !it.is_empty()).collect();
            (phase, passes.join(","))
        });
        Ok(passes.filter(|(_, text)| !text.is_empty()).collect::<Vec<_>>())
    });
    match passes {
        Ok(passes) => passes.into_iter().try_for_each(|(phase, text)| {
            let _span = phase.span().entered();
            run.nested(&text, module)
        }),
        Err(message) => {
            Error::on(module, message).emit();
            Err(())
        }
    }
}

/// Adds all passes and pipelines to MLIR's global registry, once per process. Does nothing if another library has added them,
/// such as a plugin with this package that a tool of this package has loaded.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if !is_registered(PIPELINES[0].argument) {
            pass::register_passes();
            register_own(PIPELINES);
        }
    });
}
