//! The compilation pipeline: the phases, and the passes between them, each with the reason for its position.
//!
//! The path depends on whether a module is bound to threads:
//!
//! ```text
//! input -> linalg -> loop -> schedule -> vector -> llvm      x86, one processor with vectors
//!                                  \-> gpu -> ptx              NVPTX, nests that are bound to threads
//! ```
//! [`lower`] lowers a module from one phase to a later one. `--lw-x86-pipeline` and `--lw-nvptx-pipeline` are
//! the same as passes, for pipelines of other tools. LLVM's own passes, after `llvm`, are in
//! [`x86`](crate::codegen::x86).

mod input;
mod registered;
mod run;
mod tosa;

pub use input::{Input, ScheduleFile, place};
pub use registered::{PIPELINES, register_passes};
pub use run::{Schedule, Settings, context, key, load, lower, object, run, run_checked};

use crate::codegen::cuda;

/// A stage of compilation whose IR can be printed. All but [`Phase::Llvm`] and [`Phase::Ptx`] can be
/// interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The module as given.
    Input,
    /// Graph and TOSA ops are lowered to linalg on tensors.
    Linalg,
    /// Functions are lowered to loop nests of schedule blocks over memrefs.
    Loop,
    /// A schedule has been applied to the nests.
    Schedule,
    /// Nests are lowered to scf, memref and vector.
    Vector,
    /// All ops are in the LLVM dialect.
    Llvm,
    /// Nests that are bound to threads are lowered to kernels of the gpu dialect.
    Gpu,
    /// Kernels are compiled to PTX, in a `gpu.binary`.
    Ptx,
}

/// A pass of the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The phases that it leads to.
    pub phases: &'static [Phase],
    /// The nesting of ops that it runs on, outermost first; empty for the module.
    pub on: &'static [&'static str],
    /// The pass as in a textual pipeline; `@name` is a parameter.
    pub pass: &'static str,
    /// The reason for its position.
    pub reason: &'static str,
}

const LINALG: &[Phase] = &[Phase::Linalg];
const LOOP: &[Phase] = &[Phase::Loop];
const VECTOR: &[Phase] = &[Phase::Vector];
const LLVM: &[Phase] = &[Phase::Llvm];
const GPU: &[Phase] = &[Phase::Gpu];
const PTX: &[Phase] = &[Phase::Ptx];
/// The phases that leave the loop dialect, for either target.
const EITHER: &[Phase] = &[Phase::Vector, Phase::Gpu];

const MODULE: &[&str] = &[];
const FUNCTION: &[&str] = &["func.func"];
const DEVICE: &[&str] = &["gpu.module"];
const KERNEL: &[&str] = &["gpu.module", "gpu.func"];

const fn step(
    phases: &'static [Phase],
    on: &'static [&'static str],
    pass: &'static str,
    reason: &'static str,
) -> Step {
    Step { phases, on, pass, reason }
}

/// The pass that runs only if it is requested.
pub const ON_REQUEST: &str = "instrument-bounds";

/// The pass that emits remarks about redundant barriers of a schedule.
const TOLD_BARRIERS: &str = "thread-sync{insert=false remark=true}";

/// All passes, in their order.
#[rustfmt::skip]
pub const STEPS: &[Step] = &[
    step(LINALG, FUNCTION, "convert-graph-to-linalg", "linalg is the one definition of what an op computes"),

    step(LOOP, FUNCTION, "convert-elementwise-to-linalg", "arith and math ops on tensors are linalg too"),
    step(LOOP, MODULE, "convert-linalg-to-loop", "schedules work on schedule blocks"),

    step(VECTOR, MODULE, "extern-call-process",
        "functions from elsewhere have the C ABI, of one result; before what writes a buffer is counted"),
    step(GPU, MODULE, "verify-kernel-calls", "what cannot be inlined is told where it is called,"),
    step(GPU, MODULE, "inline{default-pipeline=}",
        "and the rest is: launches are in one function, and threads call nothing; behind schedules, which go by functions"),
    step(EITHER, FUNCTION, "schedule-block-dce", "what schedules have inlined everywhere is read no more"),
    step(EITHER, FUNCTION, "double-buffer", "where a schedule says so, while loops are as it left them"),
    step(EITHER, FUNCTION, "software-pipeline", "the same"),
    step(GPU, FUNCTION, TOLD_BARRIERS,
        "of a schedule that somebody has written; before reductions bring barriers of their own"),
    step(GPU, FUNCTION, "replace-cross-block-reduction",
        "before what threads reduce: each of its two kernels may leave a part to threads"),
    step(GPU, FUNCTION, "replace-cross-thread-reduction", "before conditions are simplified, of which it makes more"),
    step(GPU, FUNCTION, "thread-sync{insert=false}",
        "barriers of reductions that what follows does not need; races are not hidden"),
    step(GPU, FUNCTION, "lower-vthread", "before expressions are simplified, in which it puts numbers"),
    step(EITHER, FUNCTION, "plan-allocation-location",
        "what an iteration of a parallel loop needs alone is on the stack, or in the registers, of its thread"),
    step(EITHER, FUNCTION, "compact-buffers",
        "before simplification, for which it has new indices; shared memory must be static and small"),
    step(EITHER, FUNCTION, "eliminate-common-factor-of-local-index",
        "behind compaction, which takes the part of outer loops from indices"),
    step(EITHER, FUNCTION, "bound-dynamic-buffers",
        "of what compaction has left, as the memory of a thread has a static size"),
    step(EITHER, FUNCTION, "rewrite-unsafe-select",
        "before branches are simplified: what is not chosen must not trap in any later form"),
    step(EITHER, FUNCTION, "ir-simplify",
        "indices and conditions as short as they can be, before they are code in each iteration"),
    step(EITHER, FUNCTION, "if-fold", "what is left of tails in one condition"),
    step(EITHER, FUNCTION, "if-fusion", "asked once for all that it is about"),
    step(EITHER, FUNCTION, "loop-partition", "whole tiles ask nothing; conditions are in their last form"),
    step(EITHER, FUNCTION, "entail-loop-condition", "of what is left over, extents instead of conditions"),
    step(EITHER, FUNCTION, "ir-simplify", "what is left over may be one iteration"),
    step(EITHER, FUNCTION, "eliminate-invariant-loop", "conditions that went away were users of loop variables"),

    step(VECTOR, FUNCTION, "convert-loop-to-scf{vector-bits=@bits require-vector=@require}",
        "out of the dialect, with explicit vectors"),
    step(VECTOR, MODULE, "canonicalize", "constants and bounds fold"),
    step(VECTOR, MODULE, "cse", "equal indices become one value,"),
    step(VECTOR, FUNCTION, "loop-invariant-code-motion", "outside of the loops that do not change them"),
    step(VECTOR, FUNCTION, "reduce-by-lanes{vector-bits=@bits}",
        "partial results are joined across lanes once; while they are loops over memory, and indices are invariant"),
    step(VECTOR, FUNCTION, "promote-buffers{remark=@tells}",
        "accumulators in registers; needs indices that are seen to be invariant"),
    step(VECTOR, FUNCTION, "form-fma", "after reductions were recognised by their sum"),
    step(VECTOR, MODULE, "canonicalize", "less to translate"),
    step(VECTOR, MODULE, "cse", "the same"),
    step(VECTOR, FUNCTION, "transpose-in-registers{vector-bits=@bits}",
        "what is gathered side by side is in one block when branches of one condition are one, and equal indices one value"),
    step(VECTOR, FUNCTION, "storage-rewrite", "behind all that takes two memrefs for two buffers"),

    step(LLVM, MODULE, "instrument-bounds",
        "on request: while memrefs have their sizes, and behind all that the interpreter runs"),
    step(LLVM, MODULE, "symbol-dce", "what nothing calls need not lower"),
    step(LLVM, MODULE, "outline-parallel-loops", "threads run functions"),
    step(LLVM, MODULE, "lower-affine", "index arithmetic becomes arith, which all passes below know"),
    step(LLVM, MODULE, "convert-memref-to-pointer",
        "while loops still stand, so that what they capture and allocate can be seen"),
    step(LLVM, MODULE, "expand-math{fma=@fma}",
        "before convert-math-to-llvm, of whose intrinsics LLVM makes calls, lane by lane"),
    step(LLVM, MODULE, "expand-small-floats",
        "after expand-math, which rounds; x86 flushes small bf16 numbers to zero"),
    step(LLVM, MODULE, "bf16-as-bits",
        "after expand-small-floats; LLVM ends the process on vectors of bf16 of most lengths"),
    step(LLVM, MODULE, "canonicalize", "constant addresses and dimensions fold"),
    step(LLVM, MODULE, "cse", "accesses of one row compute it once"),
    step(LLVM, MODULE, "math-extend-to-supported-types{target-type=f32}",
        "LLVM has no atan of 16-bit floats: compute in f32 and round once"),
    step(LLVM, MODULE, "convert-math-to-llvm{approximate-log1p=false}",
        "intrinsics, which keep vectors; LLVM makes libm calls of what x86 does not have"),
    step(LLVM, MODULE, "convert-math-to-libm", "what LLVM has no intrinsic for, lane by lane"),
    step(LLVM, MODULE, "convert-vector-to-llvm{force-32bit-vector-indices=0}",
        "masks compare 64 bits: a size may be larger than 2^31"),
    step(LLVM, MODULE, "convert-scf-to-cf", "LLVM has branches"),
    step(LLVM, MODULE, "convert-ub-to-llvm", "poison is LLVM's"),
    step(LLVM, MODULE, "convert-index-to-llvm", "index is i64"),
    step(LLVM, MODULE, "convert-arith-to-llvm",
        "after all that still makes arith; expands ceiling and floor divisions"),
    step(LLVM, MODULE, "convert-func-to-llvm", "after convert-math-to-libm, which declares"),
    step(LLVM, MODULE, "convert-cf-to-llvm", "after functions: blocks have their types"),
    step(LLVM, MODULE, "reconcile-unrealized-casts", "nothing but LLVM is left"),

    step(GPU, FUNCTION, "eliminate-common-global-memory-read",
        "LLVM joins no loads of what is written, where barriers are; while loops and boxes can be seen"),
    step(GPU, FUNCTION, "thread-sync{insert=false}",
        "barriers of what was the first or last iteration of a loop, and stands alone now"),
    step(GPU, FUNCTION, "skip-carried-barriers",
        "behind all that asks what barriers order, and what would make a loop of its own of the last iteration"),
    step(GPU, MODULE, "convert-loop-to-gpu{require-vector=@require chip=@chip}",
        "out of the dialect, with explicit threads and vectors"),
    step(GPU, MODULE, "canonicalize", "constants and bounds fold"),
    step(GPU, MODULE, "cse", "equal indices become one value,"),
    step(GPU, KERNEL, "loop-invariant-code-motion", "outside of the loops that do not change them"),
    step(GPU, KERNEL, "promote-buffers{remark=@tells}",
        "accumulators in registers; needs indices that are seen to be invariant"),
    step(GPU, KERNEL, "form-fma", "after reductions were recognised by their sum"),
    step(GPU, KERNEL, "swizzle-shared-buffers",
        "behind promotion, which must see cells apart; before indices are narrowed, of which it makes more"),
    step(GPU, MODULE, "canonicalize", "less to translate"),
    step(GPU, MODULE, "cse", "the same"),
    step(GPU, MODULE, "longlong2int",
        "on indices in their last form; before arguments become pointers, as it asks for sizes"),
    step(GPU, MODULE, "canonicalize", "casts fold"),
    step(GPU, MODULE, "cse", "equal indices of 32 bits become one value"),
    step(GPU, KERNEL, "merge-shared-memory", "behind all that takes two memrefs for two buffers"),

    step(PTX, DEVICE, "approximate-math", "before expand-math, which knows no flags"),
    step(PTX, DEVICE, "expand-math",
        "math is arithmetic, as on all targets; functions that have no kernels may still have loops"),
    step(PTX, DEVICE, "expand-small-floats",
        "bf16 and conversions are rounded once, by the rules of all targets"),
    step(PTX, DEVICE, "convert-math-to-nvptx",
        "before convert-gpu-to-nvvm, which calls a library for all of math"),
    step(PTX, MODULE, "bare-kernel-arguments",
        "pointers and sizes instead of descriptors of 3 + 2 * rank numbers"),
    step(PTX, MODULE, "canonicalize", "constant addresses fold"),
    step(PTX, MODULE, "cse", "accesses of one row compute it once"),
    step(PTX, DEVICE, "inject-async-copy{index-bits=@index}",
        "behind all that moves or joins accesses; while barriers are in the order of the text"),
    step(PTX, MODULE, "convert-nvgpu-to-nvvm", "asynchronous copies, of pointers from now on"),
    step(PTX, MODULE, "nvvm-attach-target{chip=@chip features=+ptx80 O=3}",
        "for whom; PTX 8.0 is the oldest with all of sm_90a, and drivers from 525.60 on take it"),
    step(PTX, DEVICE, "convert-scf-to-cf", "NVVM has branches; the functions of the host stay as they are"),
    step(PTX, DEVICE, "convert-gpu-to-nvvm{index-bitwidth=@index use-bare-ptr-memref-call-conv=true}",
        "all that is left, in one conversion: arith, vector and memref by the width of index"),
    step(PTX, DEVICE, "expand-atomics", "of what LLVM would make loops itself, whose first load is a race"),
    step(PTX, DEVICE, "convert-scf-to-cf", "these loops, too, are branches,"),
    step(PTX, DEVICE, "convert-to-llvm{filter-dialects=arith,cf}", "which are LLVM's, as is what they compute"),
    step(PTX, DEVICE, "convert-nvvm-to-llvm", "ops that are inline assembly"),
    step(PTX, DEVICE, "reconcile-unrealized-casts", "nothing but LLVM is left"),
    step(PTX, MODULE, "dynamic-shared-memory",
        "behind all that takes two buffers for two; the conversion before has made them globals, whose bytes are in all"),
    step(PTX, DEVICE, "canonicalize", "constant addresses fold again"),
    step(PTX, DEVICE, "cse", "less for LLVM to read"),
    step(PTX, DEVICE, "line-info", "behind all that makes or moves ops"),
    step(PTX, MODULE, "gpu-module-to-binary{format=isa}", "LLVM's optimizer, and PTX"),
];

impl Phase {
    pub const ALL: [Phase; 8] = [
        Phase::Input,
        Phase::Linalg,
        Phase::Loop,
        Phase::Schedule,
        Phase::Vector,
        Phase::Llvm,
        Phase::Gpu,
        Phase::Ptx,
    ];

    /// The phase's name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Input => "input",
            Phase::Linalg => "linalg",
            Phase::Loop => "loop",
            Phase::Schedule => "schedule",
            Phase::Vector => "vector",
            Phase::Llvm => "llvm",
            Phase::Gpu => "gpu",
            Phase::Ptx => "ptx",
        }
    }

    pub fn from_word(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word() == word)
    }

    /// The phases after this one up to `last`, inclusive; `None` if there is no path.
    pub fn to(self, last: Phase) -> Option<Vec<Phase>> {
        let is_apart = |phase: Phase| matches!(phase, Phase::Vector | Phase::Llvm);
        let is_on_device = matches!(last, Phase::Gpu | Phase::Ptx);
        if self > last || (is_on_device && is_apart(self)) {
            return None;
        }
        let is_between =
            |phase: &Phase| *phase > self && *phase <= last && !(is_on_device && is_apart(*phase));
        Some(Phase::ALL.into_iter().filter(is_between).collect())
    }
}

impl Step {
    /// The name of the pass without its options.
    pub fn name(&self) -> &'static str {
        self.pass.split('{').next().unwrap_or(self.pass)
    }
}

/// The parameters of the passes of [`STEPS`].
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The width of a vector register of the processor.
    pub vector_bits: i64,
    /// True if the processor has fused multiply-adds.
    pub has_fma: bool,
    /// True if a vectorized loop that has no vector form is an error.
    pub require_vector: bool,
    /// True if compiled code checks before each access that it is in bounds, by [`ON_REQUEST`].
    pub check_bounds: bool,
    /// True if remarks report ineffective parts of a schedule: barriers that order nothing, private buffers that stay
    /// in memory. It is set only for user-written schedules, because a user cannot act on remarks about a default
    /// schedule.
    pub tells: bool,
    /// The GPU.
    pub device: cuda::Target,
    /// Names of passes to leave out, to study their effect.
    pub without: Vec<String>,
}

impl Default for Parameters {
    /// Vectors of 512 bits, fused multiply-adds, [`cuda::DEFAULT_CHIP`], remarks, and all passes.
    fn default() -> Self {
        Self {
            vector_bits: 512,
            has_fma: true,
            require_vector: false,
            check_bounds: false,
            tells: true,
            device: cuda::Target::default(),
            without: vec![],
        }
    }
}

impl Parameters {
    /// The passes from the preceding phase to this one, as a pipeline on a module.
    pub fn passes_to(&self, phase: Phase) -> String {
        let is_void = |step: &Step| match step.name() {
            // With 32-bit indices there is nothing to narrow.
            "longlong2int" => self.device.index_bits() == 32,
            // Without the instruction, an FMA would be a function call for each lane.
            "form-fma" => phase == Phase::Vector && !self.has_fma,
            _ => step.pass == TOLD_BARRIERS && !self.tells,
        };
        let is_in = |step: &&Step| {
            let is_left_out = self.without.iter().any(|name| name == step.name());
            let is_wanted = self.check_bounds || step.name() != ON_REQUEST;
            step.phases.contains(&phase) && is_wanted && !is_left_out && !is_void(step)
        };
        let steps: Vec<&Step> = STEPS.iter().filter(is_in).collect();
        let groups = steps.chunk_by(|one, next| one.on == next.on).map(|group| {
            let passes: Vec<_> = group.iter().map(|step| step.pass).collect();
            let on = group[0].on;
            format!(
                "{}{}{}",
                on.join("(") + if on.is_empty() { "" } else { "(" },
                passes.join(","),
                ")".repeat(on.len())
            )
        });
        self.filled(&groups.collect::<Vec<_>>().join(","))
    }

    /// One pass, as a pipeline on a module.
    pub fn one(&self, step: &Step) -> String {
        let on = step.on.join("(") + if step.on.is_empty() { "" } else { "(" };
        self.filled(&format!("{on}{}{}", step.pass, ")".repeat(step.on.len())))
    }

    fn filled(&self, text: &str) -> String {
        text.replace("@bits", &self.vector_bits.to_string())
            .replace("@fma", &self.has_fma.to_string())
            .replace("@require", &self.require_vector.to_string())
            .replace("@tells", &self.tells.to_string())
            .replace("@chip", self.device.chip())
            .replace("@index", &self.device.index_bits().to_string())
    }
}

/// Checks that each name in `without` is that of a pass on the path to these phases.
///
/// # Errors
/// What was found and what was expected, as text to follow the name of an op.
pub fn check_without(without: &[String], phases: &[Phase]) -> Result<(), String> {
    let mut names: Vec<_> = STEPS
        .iter()
        .filter(|step| step.phases.iter().any(|it| phases.contains(it)))
        .map(Step::name)
        .collect();
    names.sort_unstable();
    names.dedup();
    match without.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!("is given without={name}, expected one of {}", names.join(", "))),
    }
}

#[cfg(test)]
mod tests;
