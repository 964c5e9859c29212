//! The whole compiler: phases in order, and the passes between them.

use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::{
    parse_pass_pipeline, register_all_dialects, register_all_llvm_translations, register_all_passes,
};
use melior::{Context, dialect::DialectRegistry};

/// A stage of compilation whose IR can be printed and executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The module as it was given.
    Input,
    /// Graph ops are linalg on tensors.
    Linalg,
    /// Functions are loop nests of schedule blocks over memrefs.
    Loop,
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
];

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Input, Phase::Linalg, Phase::Loop];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Input => "input",
            Phase::Linalg => "linalg",
            Phase::Loop => "loop",
        }
    }

    pub fn from_word(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word() == word)
    }
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

/// Takes a module from its input form to `to`. What fails is reported to the context's diagnostic
/// handlers.
pub fn lower(context: &Context, module: &mut Module, to: Phase) -> Result<(), melior::Error> {
    let steps: Vec<_> = STEPS.iter().filter(|s| s.phase <= to).map(|s| s.pipeline).collect();
    let manager = PassManager::new(context);
    let text = format!("builtin.module({})", steps.join(","));
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)?;
    manager.run(module)
}
