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

mod artifact;
mod background;
mod error;
mod functions;
mod input;
mod registered;
mod run;
mod tosa;
mod weight_transforms;
mod weights;

pub use artifact::{MachineCode, OutputKind, check_c_names};
pub use background::{
    BackgroundError, BackgroundJob, BackgroundModel, CodeStage, JobModel, JobSchedule,
};
pub use error::{CompileError, Diagnostic, ErrorCode, SourcePosition, place};
pub use functions::{
    FunctionArgument, FunctionInterface, ResultShape, function, functions, keep_only,
    rename_function,
};
pub use input::{Input, ScheduleFile};
pub use loopwright_onnx::ImportOptions;
pub use registered::{PIPELINES, register_passes};
pub use run::{
    KernelReport, ModuleSchedule, Session, Settings, context, key, lower, object, run, run_checked,
};
pub use weight_transforms::fold_weight_transforms;
pub use weights::Weights;

use crate::codegen::cuda;
use crate::schedule::trace::MachineKind;
use tracing::{Span, info_span};

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
pub struct PipelineStep {
    /// The phases that it leads to.
    pub phases: &'static [Phase],
    /// The nesting of ops that it runs on, outermost first; empty for the module. `|` separates names of ops that it runs on.
    pub on: &'static [&'static str],
    /// The pass as in a textual pipeline; `@name` is a parameter.
    pub pass: &'static str,
    /// The reason for its position.
    pub reason: &'static str,
}

const LINALG: &[Phase] = &[Phase::Linalg];
const LOOP: &[Phase] = &[Phase::Loop];
const SCHEDULE: &[Phase] = &[Phase::Schedule];
const VECTOR: &[Phase] = &[Phase::Vector];
const LLVM: &[Phase] = &[Phase::Llvm];
const GPU: &[Phase] = &[Phase::Gpu];
const PTX: &[Phase] = &[Phase::Ptx];
/// The phases that leave the loop dialect, for either target.
const EITHER: &[Phase] = &[Phase::Vector, Phase::Gpu];

const MODULE: &[&str] = &[];
const FUNCTION: &[&str] = &["func.func"];
const LLVM_FUNCTION: &[&str] = &["llvm.func"];
/// Functions of both dialects. MLIR works on several at once. Not `any`, which includes each global: a model has hundreds.
const FUNCTIONS: &[&str] = &["func.func|llvm.func"];
const DEVICE: &[&str] = &["gpu.module"];
const KERNEL: &[&str] = &["gpu.module", "gpu.func"];

const fn step(
    phases: &'static [Phase],
    on: &'static [&'static str],
    pass: &'static str,
    reason: &'static str,
) -> PipelineStep {
    PipelineStep { phases, on, pass, reason }
}

/// The pass that runs only if it is requested.
pub const ON_REQUEST: &str = "instrument-bounds";

/// The pass that runs only for [`Parameters::lift_weight_transforms`].
const LIFTED_TRANSFORMS: &str = "lift-weight-transforms";

/// The passes that run only for groups on a processor: the value of [`Parameters::fuse_ops`].
const UNIT_LOOPS: &str = "fold-unit-loops";
const COLLAPSED: &str = "collapse-dimensions";

/// The pass that runs only for [`Parameters::compensate_signed_bytes`].
const SIGNED_BYTES: &str = "compensate-signed-bytes";

/// One of the passes that run only for [`Parameters::fuse_ops`].
const SOFTMAX_MAXIMUM: &str = "relax-softmax-maximum";

/// The pass that runs only for both of [`Parameters::fuse_ops`] and [`Parameters::lift_weight_transforms`].
const BATCH_NORM: &str = "fold-batch-norm";

/// The passes that run only for both of these and a processor.
const CHANNELS: &str = "channels-last";
const WINOGRAD: &str = "winograd-conv2d";
const TRANSPOSED: &str = "transpose-weights";

/// The passes that run only for [`Parameters::fuse_ops`].
const FUSE_OPS: &str = "graph-fuse-ops{separate-weights=@weights}";
const OUTLINE_GROUPS: &str = "outline-fusion-groups";
const GROUP_CSE: &str = "cse";

/// The pass that keeps assertions if bounds are checked.
const HAS_ASSERTIONS: &str = "convert-linalg-to-loop";

/// The pass that emits remarks about redundant barriers of a schedule.
const REPORTED_BARRIERS: &str = "thread-sync{insert=false remark=true}";

/// All passes, in their order.
#[rustfmt::skip]
pub const STEPS: &[PipelineStep] = &[
    step(LINALG, MODULE, "inline-read-only-globals", "weights become constants, as all other passes expect them"),
    step(LINALG, MODULE, "split-complex",
        "all other passes work on real numbers; needs constants, and is simpler before the bodies of loops are functions"),
    step(LINALG, MODULE, "outline-control-flow",
        "later passes work on functions without control flow; moves ops without changing them, so it can run early"),
    step(LINALG, FUNCTION, "convert-graph-to-linalg",
        "the linalg form of a graph op is the only definition of what it computes"),
    step(LINALG, FUNCTION, "decompose-composite-ops",
        "schedules transform the reductions in a softmax or an attention"),
    step(LINALG, MODULE, "emulate-narrow-types",
        "all other passes work on numbers that memory has; after ops are decomposed, which leaves fewer kinds of ops to change"),
    step(LINALG, FUNCTION, "resolve-declared-sizes",
        "later passes express each size by those of arguments; sees the casts of a whole function, before groups are formed"),
    step(LINALG, FUNCTION, "reshapes-to-groups",
        "after resolve-declared-sizes, which makes sizes known; later passes work on groups of dimensions"),
    step(LINALG, FUNCTION, "extracts-to-operands",
        "after resolve-declared-sizes, which makes sizes known; before groups are formed, which depend on operands"),
    step(LINALG, FUNCTION, "inline-data-sized-tensors",
        "for the sizes that resolve-declared-sizes leaves; before groups are formed, because it moves ops into others"),

    step(LOOP, FUNCTION, "convert-elementwise-to-linalg", "arith and math ops on tensors become linalg ops too"),
    step(LOOP, FUNCTION, SOFTMAX_MAXIMUM,
        "only for default schedules, because a user's schedule names nests by their ops; before reshapes are added between ops"),
    step(LOOP, FUNCTION, BATCH_NORM,
        "only if weights are transformed once for all calls; before reshapes are added between ops"),
    step(LOOP, FUNCTION, CHANNELS,
        "only if weights are transformed once for all calls; before other rewrites of convolutions, which depend on the order of dimensions"),
    step(LOOP, FUNCTION, "winograd-conv2d{vector-bits=@bits l2-bytes=@l2 l3-bytes=@l3}",
        "only if weights are transformed once for all calls; after the factors of batch norms are in the weights"),
    step(LOOP, FUNCTION, "transpose-weights{vector-bits=@bits}",
        "only if weights are transformed once for all calls; before groups are formed, so that the transposes are apart from the products"),
    step(LOOP, FUNCTION, UNIT_LOOPS,
        "only for default schedules of processors; before groups are formed, because it adds reshapes between ops"),
    step(LOOP, FUNCTION, SIGNED_BYTES,
        "only for default schedules, on processors that multiply unsigned with signed bytes; before groups are formed, of which its ops become parts"),
    step(LOOP, FUNCTION, FUSE_OPS, "only for default schedules; after all ops on tensors have become linalg or tensor ops"),
    step(LOOP, MODULE, OUTLINE_GROUPS, "equal groups, such as those of the layers of a model, are scheduled once"),
    step(LOOP, MODULE, GROUP_CSE, "merges the copies of an op that are in one group"),
    step(LOOP, MODULE, "convert-linalg-to-loop", "schedules work on schedule blocks"),

    step(SCHEDULE, MODULE, LIFTED_TRANSFORMS,
        "before default schedules, which would inline the transforms; not with a user's schedule, which may name these nests"),
    step(SCHEDULE, MODULE, "collapse-dimensions{vector-bits=@bits}",
        "before default schedules of processors, whose vectors are along one dimension; not with a user's schedule, which names loops"),
    step(SCHEDULE, FUNCTION, "require-bounds",
        "before the schedule, which adds conditions to accesses; requirements on sizes stay valid in all later forms"),

    step(EITHER, MODULE, "inline-fusion-groups",
        "after scheduling; all later passes see the buffers of a function at once"),
    step(VECTOR, MODULE, LIFTED_TRANSFORMS,
        "again, for the copies of weights that a schedule made, such as packed panels; before nests are rewritten"),
    step(VECTOR, MODULE, "extern-call-process",
        "the C ABI of external functions has one result; before passes that look for the writers of a buffer"),
    step(GPU, MODULE, "verify-kernel-calls", "reports each call that cannot be inlined"),
    step(GPU, MODULE, "inline-fusion-groups{all=true}",
        "inlines all other calls between nests, so that one function has all launches; after scheduling, which works on functions"),
    step(GPU, MODULE, "inline{default-pipeline=}", "inlines calls in schedule blocks"),
    step(EITHER, FUNCTION, "schedule-block-dce",
        "erases schedule blocks whose results are never read, before later passes work on them"),
    step(VECTOR, MODULE, "outline-nests",
        "compiles equal layers once, and several nests at once; after scheduling, which may treat equal nests differently"),
    step(EITHER, FUNCTION, "double-buffer",
        "applies annotations of the schedule, before other passes change the annotated loops"),
    step(EITHER, FUNCTION, "software-pipeline", "applies annotations of the schedule, as double-buffer does"),
    step(GPU, FUNCTION, REPORTED_BARRIERS,
        "emits remarks about redundant barriers of a user-written schedule; before reductions add barriers"),
    step(GPU, FUNCTION, "replace-cross-block-reduction",
        "before replace-cross-thread-reduction: each of the two new kernels may contain a cross-thread reduction"),
    step(GPU, MODULE, "outline-nests",
        "compiles equal kernels once; after replace-cross-block-reduction, whose partial results are buffers of the whole function"),
    step(GPU, FUNCTION, "replace-cross-thread-reduction",
        "before conditions are simplified, because it adds conditions"),
    step(GPU, FUNCTION, "thread-sync{insert=false}",
        "removes barriers of reductions that later accesses do not need; inserts none, so races are not hidden"),
    step(GPU, FUNCTION, "lower-vthread",
        "before expressions are simplified, because it substitutes constants into them"),
    step(EITHER, FUNCTION, "plan-allocation-location",
        "moves buffers that are private to an iteration of a parallel loop to the stack or the registers of a thread"),
    step(EITHER, FUNCTION, "compact-buffers",
        "before simplification, because it adds index expressions; shared memory must be static and small"),
    step(EITHER, FUNCTION, "eliminate-common-factor-of-local-index",
        "after compaction, which removes the terms of outer loops from indices"),
    step(EITHER, FUNCTION, "bound-dynamic-buffers",
        "after compaction, for buffers whose size is still dynamic; the memory of a thread has a static size"),
    step(EITHER, FUNCTION, "rewrite-unsafe-select",
        "before branches are simplified: the value that is not selected must not trap in any later form"),
    step(EITHER, FUNCTION, "ir-simplify", "shortens indices and conditions before they become code in each iteration"),
    step(EITHER, FUNCTION, "if-fold", "merges nested tail guards into one condition"),
    step(EITHER, FUNCTION, "if-fusion", "evaluates a condition once for all statements that depend on it"),
    step(EITHER, FUNCTION, "loop-partition",
        "removes guards from full tiles; after the passes that simplify conditions"),
    step(EITHER, FUNCTION, "entail-loop-condition",
        "in the remaining partial tiles, turns conditions into extents of loops"),
    step(EITHER, FUNCTION, "ir-simplify", "removes the loop of a partial tile that has one iteration"),
    step(EITHER, FUNCTION, "eliminate-invariant-loop",
        "a removed condition may have been the last use of a loop variable"),

    step(VECTOR, FUNCTION, "convert-loop-to-scf{vector-bits=@bits require-vector=@require}",
        "leaves the loop dialect, with explicit vectors"),
    // Simplifying regions is for graphs of basic blocks, which come later.
    step(VECTOR, FUNCTION, "canonicalize{region-simplify=disabled}", "folds constants and bounds"),
    step(VECTOR, FUNCTION, "cse", "merges equal indices into one value"),
    step(VECTOR, FUNCTION, "loop-invariant-code-motion", "moves indices out of the loops that do not change them"),
    step(VECTOR, FUNCTION, "unswitch-loops",
        "after the conditions were moved out of the loop; before promotion, which needs loops without conditions"),
    step(VECTOR, FUNCTION, "reduce-by-lanes{vector-bits=@bits}",
        "combines partial results across lanes once; before promotion, because it recognises loops over memory"),
    step(VECTOR, FUNCTION, "promote-buffers{remark=@remarks}",
        "keeps accumulators in registers; needs loop-invariant indices to be outside of the loop"),
    step(VECTOR, FUNCTION, "multiply-by-reciprocal",
        "after promote-buffers, which brings divisors out of loops; before form-fma, which fuses the products"),
    step(VECTOR, FUNCTION, "form-fma", "after passes that recognise a reduction by its addition"),
    step(VECTOR, FUNCTION, "simplify-maxnum",
        "after promote-buffers: a maximum that is in no register may be NaN; after passes that recognise a reduction by its maximum"),
    step(VECTOR, FUNCTION, "canonicalize{region-simplify=disabled}", "removes dead code before lowering"),
    step(VECTOR, FUNCTION, "cse", "removes duplicates before lowering"),
    step(VECTOR, FUNCTION, "transpose-in-registers{vector-bits=@bits}",
        "after canonicalize and cse: equal branches and indices are merged, so adjacent gathers are in one block"),
    step(VECTOR, FUNCTION, "storage-rewrite", "after all passes that assume that two memrefs do not alias"),

    step(LLVM, MODULE, "instrument-bounds",
        "on request only; before memrefs lose their sizes, and after the last form that the interpreter runs"),
    step(LLVM, MODULE, "symbol-dce", "functions without callers need no lowering"),
    step(LLVM, MODULE, "outline-parallel-loops", "the threads of the pool call functions"),
    step(LLVM, FUNCTIONS, "lower-affine", "index arithmetic becomes arith, which all later passes handle"),
    step(LLVM, MODULE, "convert-memref-to-pointer",
        "before loops become branches: in a loop the pass finds the values that it uses and the buffers that it allocates"),
    step(LLVM, FUNCTIONS, "expand-math{fma=@fma}",
        "before convert-math-to-llvm, whose intrinsics LLVM lowers to a call for each lane"),
    step(LLVM, FUNCTIONS, "expand-small-floats",
        "after expand-math, which creates conversions; x86 instructions flush subnormal bf16 numbers to zero"),
    step(LLVM, MODULE, "bf16-as-bits", "after expand-small-floats; LLVM aborts on bf16 vectors of most lengths"),
    step(LLVM, FUNCTIONS, "canonicalize{top-down=false}",
        "folds constant addresses and dimensions; runs bottom up, which visits the many equal index expressions half as often"),
    step(LLVM, FUNCTIONS, "cse", "computes the address of a row once for all its accesses"),
    step(LLVM, FUNCTIONS, "math-extend-to-supported-types{target-type=f32}",
        "computes the remaining f16 math ops, such as floor, in f32, and rounds once"),
    step(LLVM, FUNCTIONS, "convert-math-to-llvm{approximate-log1p=false}",
        "intrinsics work on whole vectors; intrinsics without an x86 instruction become libm calls in LLVM"),
    step(LLVM, MODULE, "convert-math-to-libm", "lowers functions without an LLVM intrinsic, lane by lane"),
    step(LLVM, MODULE, "convert-vector-to-llvm{force-32bit-vector-indices=0}",
        "computes masks by comparing 64-bit indices, because a size may exceed 2^31"),
    step(LLVM, FUNCTIONS, "convert-scf-to-cf", "LLVM has branches instead of structured control flow"),
    step(LLVM, FUNCTIONS, "forbid-unrolling{vector-bits=@bits registers=@registers}",
        "marks branches, which loops have become"),
    step(LLVM, FUNCTIONS, "convert-ub-to-llvm", "ub.poison becomes LLVM's poison"),
    step(LLVM, FUNCTIONS, "convert-index-to-llvm", "index becomes i64"),
    step(LLVM, FUNCTIONS, "convert-arith-to-llvm",
        "after all passes that create arith ops; expands ceiling and floor divisions"),
    step(LLVM, MODULE, "convert-func-to-llvm", "after convert-math-to-libm, which declares functions"),
    step(LLVM, MODULE, "convert-cf-to-llvm", "after functions, which determine the types of block arguments"),
    step(LLVM, LLVM_FUNCTION, "reconcile-unrealized-casts", "removes the casts, because all ops have LLVM types"),

    step(GPU, FUNCTION, "eliminate-common-global-memory-read",
        "LLVM does not merge loads of written buffers across barriers; needs explicit loops and access regions"),
    step(GPU, FUNCTION, "thread-sync{insert=false}",
        "removes redundant barriers of first and last iterations that earlier passes have split off their loop"),
    step(GPU, FUNCTION, "skip-carried-barriers",
        "after all passes that analyse barriers, and those that would split off the last iteration"),
    step(GPU, MODULE, "convert-loop-to-gpu{require-vector=@require chip=@chip}",
        "leaves the loop dialect, with explicit threads and vectors"),
    step(GPU, MODULE, "symbol-dce", "kernels contain no calls now; erases functions that only these called"),
    step(GPU, MODULE, "canonicalize", "folds constants and bounds"),
    step(GPU, MODULE, "cse", "merges equal indices into one value"),
    step(GPU, KERNEL, "loop-invariant-code-motion", "moves indices out of the loops that do not change them"),
    step(GPU, KERNEL, "promote-buffers{remark=@remarks}",
        "keeps accumulators in registers; needs loop-invariant indices to be outside of the loop"),
    step(GPU, KERNEL, "multiply-by-reciprocal", "as on x86"),
    step(GPU, KERNEL, "form-fma", "after passes that recognise a reduction by its addition"),
    step(GPU, KERNEL, "swizzle-shared-buffers",
        "after promotion, which must prove elements distinct; before indices are narrowed, because it adds indices"),
    step(GPU, MODULE, "canonicalize", "removes dead code before lowering"),
    step(GPU, MODULE, "cse", "removes duplicates before lowering"),
    step(GPU, MODULE, "longlong2int",
        "after all passes that add indices; before arguments become pointers, because it needs the sizes of buffers"),
    step(GPU, MODULE, "canonicalize", "folds casts"),
    step(GPU, MODULE, "cse", "merges equal 32-bit indices into one value"),
    step(GPU, KERNEL, "merge-shared-memory", "after all passes that assume that two memrefs do not alias"),

    step(PTX, DEVICE, "approximate-math", "before expand-math, which ignores fastmath flags"),
    step(PTX, DEVICE, "expand-math",
        "the same arithmetic as on all targets; on kernels only, because host functions may still have loops"),
    step(PTX, DEVICE, "expand-small-floats",
        "rounds bf16 ops and conversions once, by the same rules as on all targets"),
    step(PTX, DEVICE, "convert-math-to-nvptx",
        "before convert-gpu-to-nvvm, which calls a library for all math functions"),
    step(PTX, MODULE, "bare-kernel-arguments",
        "passes pointers and sizes instead of descriptors of 3 + 2 * rank numbers"),
    step(PTX, MODULE, "canonicalize", "folds constant addresses"),
    step(PTX, MODULE, "cse", "computes the address of a row once for all its accesses"),
    step(PTX, DEVICE, "inject-async-copy{index-bits=@index}",
        "after all passes that move or merge accesses; needs barriers still in program order"),
    step(PTX, MODULE, "convert-nvgpu-to-nvvm", "lowers asynchronous copies to ops on pointers"),
    step(PTX, MODULE, "nvvm-attach-target{chip=@chip features=+ptx80 O=3}",
        "sets the target; PTX 8.0 is the oldest version that supports sm_90a, and drivers from 525.60 on accept it"),
    step(PTX, DEVICE, "convert-scf-to-cf", "NVVM has branches; does not change host functions"),
    step(PTX, DEVICE, "convert-gpu-to-nvvm{index-bitwidth=@index use-bare-ptr-memref-call-conv=true}",
        "lowers all remaining ops in one conversion; arith, vector and memref use the given index width"),
    step(PTX, DEVICE, "expand-atomics", "expands atomics that LLVM would expand to loops whose first load is a race"),
    step(PTX, DEVICE, "convert-scf-to-cf", "lowers the loops of expand-atomics to branches"),
    step(PTX, DEVICE, "convert-to-llvm{filter-dialects=arith,cf}",
        "lowers the branches and the arithmetic that expand-atomics made"),
    step(PTX, DEVICE, "convert-nvvm-to-llvm", "lowers ops that are inline assembly"),
    step(PTX, DEVICE, "reconcile-unrealized-casts", "removes the casts, because all ops have LLVM types"),
    step(PTX, MODULE, "dynamic-shared-memory",
        "after all passes that assume that two buffers are distinct; buffers are globals now, so their size is known"),
    step(PTX, DEVICE, "canonicalize", "folds the new constant addresses"),
    step(PTX, DEVICE, "cse", "removes duplicates before LLVM reads the module"),
    step(PTX, DEVICE, "line-info", "after all passes that create or move ops"),
    step(PTX, MODULE, "gpu-module-to-binary{format=isa}", "runs LLVM's optimizer and emits PTX"),
];

impl Phase {
    /// What a module in this phase is for; none before it is lowered for something.
    fn machine(self) -> Option<MachineKind> {
        match self {
            Phase::Vector | Phase::Llvm => Some(MachineKind::Cpu),
            Phase::Gpu | Phase::Ptx => Some(MachineKind::Gpu),
            Phase::Input | Phase::Linalg | Phase::Loop | Phase::Schedule => None,
        }
    }

    /// All phases, in the order of the table.
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

    /// The phase with this name on the command line.
    pub fn from_word(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word() == word)
    }

    /// The span in which a module is lowered to this phase.
    fn span(self) -> Span {
        info_span!(target: "loopwright::pipeline", "phase", name = %self.word())
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

impl PipelineStep {
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
    /// The number of vector registers of the processor.
    pub vector_registers: i64,
    /// The capacity of the second-level cache, and what a core may use of the last-level cache, in bytes.
    pub cache_bytes: [i64; 2],
    /// True if the processor has fused multiply-adds.
    pub has_fma: bool,
    /// True if a vectorized loop that has no vector form is an error.
    pub require_vector: bool,
    /// True if compiled code checks before each access that it is in bounds, by [`ON_REQUEST`], and checks all
    /// assertions.
    pub check_bounds: bool,
    /// True if remarks report ineffective parts of a schedule: barriers that order nothing, private buffers that stay
    /// in memory. It is set only for user-written schedules, because a user cannot act on remarks about a default
    /// schedule.
    pub remarks: bool,
    /// What default schedules that follow are for; none if no default schedules follow. Before these, ops on tensors form groups,
    /// equal groups are scheduled once, and what depends on weights alone is lifted.
    pub fuse_ops: Option<MachineKind>,
    /// True if default schedules follow, and the processor multiplies unsigned with signed bytes faster than signed ones.
    pub compensate_signed_bytes: bool,
    /// True if what depends on weights alone is computed when the code is loaded, and not in each call.
    pub lift_weight_transforms: bool,
    /// The GPU.
    pub device: cuda::GpuTarget,
    /// Names of passes to leave out, to study their effect.
    pub without: Vec<String>,
}

impl Default for Parameters {
    /// 32 vectors of 512 bits, caches of 1 MiB and 32 MiB, fused multiply-adds, [`cuda::DEFAULT_CHIP`], remarks, and all passes.
    fn default() -> Self {
        Self {
            vector_bits: 512,
            vector_registers: 32,
            cache_bytes: [1 << 20, 32 << 20],
            has_fma: true,
            require_vector: false,
            check_bounds: false,
            remarks: true,
            fuse_ops: None,
            compensate_signed_bytes: false,
            lift_weight_transforms: false,
            device: cuda::GpuTarget::default(),
            without: vec![],
        }
    }
}

impl Parameters {
    /// The passes from the preceding phase to this one, as a pipeline on a module.
    pub fn passes_to(&self, phase: Phase) -> String {
        let fuses_ops = self.fuse_ops.is_some();
        let is_void = |step: &PipelineStep| match step.name() {
            // With 32-bit indices there is nothing to narrow.
            // A user's schedule names nests, which must then be where they were.
            LIFTED_TRANSFORMS => {
                !self.lift_weight_transforms || phase == Phase::Schedule && !fuses_ops
            }
            "graph-fuse-ops" | OUTLINE_GROUPS | SOFTMAX_MAXIMUM => !fuses_ops,
            UNIT_LOOPS | COLLAPSED => self.fuse_ops != Some(MachineKind::Cpu),
            BATCH_NORM => !fuses_ops || !self.lift_weight_transforms,
            CHANNELS | WINOGRAD | TRANSPOSED => {
                self.fuse_ops != Some(MachineKind::Cpu) || !self.lift_weight_transforms
            }
            SIGNED_BYTES => !self.compensate_signed_bytes,
            GROUP_CSE if phase == Phase::Loop => !fuses_ops,
            "longlong2int" => self.device.index_bits() == 32,
            // Without the instruction, an FMA would be a function call for each lane.
            "form-fma" => phase == Phase::Vector && !self.has_fma,
            _ => step.pass == REPORTED_BARRIERS && !self.remarks,
        };
        let is_in = |step: &&PipelineStep| {
            let is_left_out = self.without.iter().any(|name| name == step.name());
            let is_wanted = self.check_bounds || step.name() != ON_REQUEST;
            step.phases.contains(&phase) && is_wanted && !is_left_out && !is_void(step)
        };
        let steps: Vec<&PipelineStep> = STEPS.iter().filter(is_in).collect();
        let groups = steps.chunk_by(|one, next| one.on == next.on).map(|group| {
            let pass = |step: &&PipelineStep| match step.name() {
                HAS_ASSERTIONS if self.check_bounds => "convert-linalg-to-loop{keep-assertions}",
                _ => step.pass,
            };
            let passes: Vec<_> = group.iter().map(pass).collect();
            nested(group[0].on, &passes.join(","))
        });
        self.filled(&groups.collect::<Vec<_>>().join(","))
    }

    /// One pass, as a pipeline on a module.
    pub fn one(&self, step: &PipelineStep) -> String {
        self.filled(&nested(step.on, step.pass))
    }

    fn filled(&self, text: &str) -> String {
        text.replace("@bits", &self.vector_bits.to_string())
            .replace("@l2", &self.cache_bytes[0].to_string())
            .replace("@l3", &self.cache_bytes[1].to_string())
            .replace("@weights", &self.lift_weight_transforms.to_string())
            .replace("@registers", &self.vector_registers.to_string())
            .replace("@fma", &self.has_fma.to_string())
            .replace("@require", &self.require_vector.to_string())
            .replace("@remarks", &self.remarks.to_string())
            .replace("@chip", self.device.chip())
            .replace("@index", &self.device.index_bits().to_string())
    }
}

/// Passes as text, on ops inside a module: see [`PipelineStep::on`].
fn nested(on: &[&str], passes: &str) -> String {
    match on.split_first() {
        None => passes.to_owned(),
        Some((names, inside)) => {
            let passes = nested(inside, passes);
            let each = names.split('|').map(|name| format!("{name}({passes})"));
            each.collect::<Vec<_>>().join(",")
        }
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
        .map(PipelineStep::name)
        .collect();
    names.sort_unstable();
    names.dedup();
    match without.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!("is given without={name}, expected one of {}", names.join(", "))),
    }
}
