//! The whole compiler: phases in order, and the passes between them.

use crate::codegen::{self, Jit, x86};
use crate::dialect::contract;
use crate::ffi::instrument::instrument;
use crate::ffi::transform::apply_script;
use crate::ir::{Attribute, Op, top};
use crate::pass::numeric;
use crate::schedule::trace;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::{
    parse_pass_pipeline, register_all_dialects, register_all_llvm_translations, register_all_passes,
};
use melior::{Context, dialect::DialectRegistry};

/// A stage of compilation whose IR can be printed, and up to [`Phase::Vector`] interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The module as it was given.
    Input,
    /// Graph ops are linalg on tensors.
    Linalg,
    /// Functions are loop nests of schedule blocks over memrefs.
    Loop,
    /// A schedule has reshaped the nests.
    Schedule,
    /// Nests are scf, memref and vectors.
    Vector,
    /// Everything is the LLVM dialect.
    Llvm,
}

/// A pass of the compiler: where it belongs, its text in a pipeline, and why it stands there.
struct Step {
    phase: Phase,
    pipeline: &'static str,
    #[expect(dead_code, reason = "read by people, and by the documentation that comes from here")]
    reason: &'static str,
}

const STEPS: &[Step] = &[
    Step {
        phase: Phase::Linalg,
        pipeline: "func.func(convert-graph-to-linalg)",
        reason: "linalg is the one definition of what an op computes",
    },
    Step {
        phase: Phase::Loop,
        pipeline: "func.func(convert-elementwise-to-linalg)",
        reason: "arith and math ops on tensors are linalg too",
    },
    Step {
        phase: Phase::Loop,
        pipeline: "convert-linalg-to-loop",
        reason: "schedules work on schedule blocks",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "func.func(schedule-block-dce)",
        reason: "what schedules have inlined everywhere is read no more",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "func.func(ir-simplify,if-fold,if-fusion)",
        reason: "tails and indices as short as they can be, before they are code in each iteration",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "func.func(eliminate-invariant-loop)",
        reason: "on what is left: conditions that went away were users of loop variables",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "func.func(convert-loop-to-scf{vector-bits=@bits require-vector=@require})",
        reason: "out of the dialect, with explicit vectors",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "canonicalize,cse,func.func(loop-invariant-code-motion)",
        reason: "equal indices become one value, outside of the loops that do not change them",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "func.func(promote-buffers)",
        reason: "accumulators in registers; needs indices that are seen to be invariant",
    },
    Step {
        phase: Phase::Vector,
        pipeline: "func.func(form-fma)",
        reason: "after reductions were recognised by their sum",
    },
    Step { phase: Phase::Vector, pipeline: "canonicalize,cse", reason: "less to translate" },
];

impl Phase {
    pub const ALL: [Phase; 6] =
        [Phase::Input, Phase::Linalg, Phase::Loop, Phase::Schedule, Phase::Vector, Phase::Llvm];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Input => "input",
            Phase::Linalg => "linalg",
            Phase::Loop => "loop",
            Phase::Schedule => "schedule",
            Phase::Vector => "vector",
            Phase::Llvm => "llvm",
        }
    }

    pub fn from_word(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word() == word)
    }
}

/// What lowering needs to know beside the module.
#[derive(Default)]
pub struct Settings<'s> {
    /// Applied to the module when it is in loop form.
    pub schedule: Option<Schedule<'s>>,
    /// A vectorized loop that has no vector form is an error.
    pub require_vector: bool,
    /// The floating-point contract of functions that state none: strict, reassoc or fast.
    pub contract: Option<&'s str>,
    pub target: x86::Target,
    /// Checks what each pass leaves functions to compute.
    pub numerics: Option<numeric::Shared>,
}

/// What reshapes a module in loop form.
#[derive(Clone, Copy, Debug)]
pub enum Schedule<'s> {
    /// A transform script.
    Script(&'s Module<'s>),
    Trace(&'s trace::Source<'s>),
}

/// A context in which everything of MLIR and of this package is loaded, and its passes registered.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    crate::pass::register_dialects(&registry);
    register_upstream_passes();
    crate::pass::register_passes();
    let context = Context::new();
    context.append_dialect_registry(&registry);
    register_all_llvm_translations(&context);
    context.load_all_available_dialects();
    context
}

fn register_upstream_passes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(register_all_passes);
}

/// Takes a module from one phase to a later one. What fails is reported to the context's diagnostic
/// handlers.
pub fn lower(
    context: &Context,
    module: &mut Module,
    from: Phase,
    to: Phase,
    settings: &Settings,
) -> Result<(), melior::Error> {
    for phase in Phase::ALL.into_iter().filter(|phase| *phase > from && *phase <= to) {
        if phase == Phase::Schedule {
            let module = top(module);
            match &settings.numerics {
                None => schedule(module, settings)?,
                Some(numerics) => {
                    numerics.0.borrow_mut().expect(&text_of(settings.schedule));
                    let done =
                        numerics.around("schedule", module, || schedule(module, settings).is_ok());
                    done.map_err(|()| melior::Error::RunPass)?;
                }
            }
            continue;
        }
        let mut steps: Vec<&str> =
            STEPS.iter().filter(|step| step.phase == phase).map(|step| step.pipeline).collect();
        if phase == Phase::Llvm {
            steps = x86::LOWERING.iter().map(|step| step.pipeline).collect();
        }
        let text = steps
            .join(",")
            .replace("@bits", &settings.target.vector_bits().to_string())
            .replace("@require", &settings.require_vector.to_string());
        run_checked(context, module, &text, settings.numerics.as_ref())?;
    }
    Ok(())
}

/// A schedule as text, whose numbers tell which sizes matter.
fn text_of(schedule: Option<Schedule>) -> String {
    match schedule {
        None => String::new(),
        Some(Schedule::Script(script)) => top(script).to_string(),
        Some(Schedule::Trace(source)) => source.trace.spelt(trace::Spelling::Script),
    }
}

/// Runs passes on a module, given as in `builtin.module(..)`: those of a phase, or for a module in
/// [`Phase::Schedule`] those of [`nvptx`](crate::codegen::nvptx).
pub fn run(context: &Context, module: &mut Module, passes: &str) -> Result<(), melior::Error> {
    run_checked(context, module, passes, None)
}

/// As [`run`]; and interprets the functions before and after each pass, where `numerics` are asked for.
pub fn run_checked(
    context: &Context,
    module: &mut Module,
    passes: &str,
    numerics: Option<&numeric::Shared>,
) -> Result<(), melior::Error> {
    let manager = PassManager::new(context);
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)?;
    if let Some(numerics) = numerics {
        numerics.0.borrow_mut().expect(&text);
        instrument(&manager, Box::new(numerics.clone()));
    }
    manager.run(module)
}

/// States the contract, and applies the schedule, which keeps to it.
fn schedule(module: Op, settings: &Settings) -> Result<(), melior::Error> {
    if let Some(contract) = settings.contract {
        let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
        for op in functions.into_iter().filter(|op| op.is("func.func")) {
            if op.attribute(contract::ATTRIBUTE).is_none() {
                op.set_attribute(
                    contract::ATTRIBUTE,
                    Attribute::string(module.context(), contract),
                );
            }
        }
    }
    let applied = match settings.schedule {
        None => return Ok(()),
        Some(Schedule::Script(script)) => apply_script(module, top(script)),
        Some(Schedule::Trace(source)) => {
            trace::replay(module, source, false).map_err(|error| error.emit())
        }
    };
    let done = applied.is_ok() && module.verify();
    done.then_some(()).ok_or(melior::Error::RunPass)
}

/// Machine code of a module in [`Phase::Llvm`], in this process.
pub fn load(module: Op, settings: &Settings) -> Result<Jit, codegen::Error> {
    let options = x86::Options { target: settings.target.clone(), ..x86::Options::default() };
    Jit::load(&x86::compile(module, &options)?)
}

#[cfg(test)]
mod tests;
