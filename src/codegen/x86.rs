//! x86 target: from vector form via the LLVM dialect and LLVM IR to object code.

use super::CodegenError;
use crate::ffi::llvm::{EmitKind, LlvmModule, TargetMachine};
use crate::ir::{Attribute, ModuleRef, Op, op_of, walk};
use crate::machine::intrinsic::{Emitted, INTRINSICS, STANDS_FOR};
use crate::machine::x86::CpuTarget;
use ar_archive_writer::{
    ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream,
};
use loopwright_runtime::kernel::Signature;
use loopwright_runtime::replace;
use std::io::{Cursor, Write};
use std::path::Path;
use std::rc::Rc;
use tracing::{Span, debug, info_span};

/// A group of LLVM passes, and the reason for its position.
pub struct LlvmPasses {
    pub pipeline: &'static str,
    pub reason: &'static str,
}

/// The LLVM passes on a module, in the syntax of `opt`. They are those of LLVM's O3 for straight loops, without
/// the loop and SLP vectorizers, because the program has explicit vectors. (The options of LLVM's C interface
/// that should disable the vectorizers in `default<O3>` have no effect.)
pub const PASSES: &[LlvmPasses] = &[
    LlvmPasses {
        pipeline: "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>),globalopt",
        reason: "promotes memory to values, before the inliner compares sizes of functions",
    },
    LlvmPasses {
        pipeline: "cgscc(inline)",
        reason: "inlines kernels into their entry points, and bodies of parallel loops into their tasks",
    },
    LlvmPasses {
        pipeline: "function(sroa<modify-cfg>,early-cse<memssa>,jump-threading,\
                   correlated-propagation,simplifycfg,instcombine<no-verify-fixpoint>)",
        reason: "promotes and simplifies the code that inlining has exposed",
    },
    LlvmPasses {
        pipeline: "function(loop-mssa(loop-instsimplify,loop-simplifycfg,licm<allowspeculation>,\
                   loop-rotate,licm<allowspeculation>,simple-loop-unswitch<nontrivial;trivial>),\
                   simplifycfg,instcombine<no-verify-fixpoint>)",
        reason: "hoists loop-invariant addresses, conditions and accumulators",
    },
    LlvmPasses {
        pipeline: "function(loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>)",
        reason: "unrolls short loops fully, and promotes their small buffers to values",
    },
    LlvmPasses {
        pipeline: "function(gvn<>,sccp,bdce,instcombine<no-verify-fixpoint>,jump-threading,\
                   correlated-propagation,adce,memcpyopt,dse,loop-mssa(licm<allowspeculation>),\
                   simplifycfg<hoist-common-insts;sink-common-insts>,instcombine<no-verify-fixpoint>)",
        reason: "removes duplicate computations and stores",
    },
    LlvmPasses {
        pipeline: "function(loop(loop-rotate,loop-deletion),infer-alignment,\
                   loop-unroll<O3>,sroa<preserve-cfg>,instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),\
                   loop-sink,instsimplify,div-rem-pairs,simplifycfg<switch-range-to-icmp>)",
        reason: "unrolls scalar loops as far as the processor can overlap iterations",
    },
    LlvmPasses {
        pipeline: "globaldce,constmerge",
        reason: "removes unused globals and merges equal constants",
    },
];

/// Options of the code generation.
#[derive(Clone, Debug)]
pub struct CodegenOptions {
    pub target: CpuTarget,
    /// The LLVM passes, in the syntax of `opt`.
    pub passes: String,
}

impl Default for CodegenOptions {
    /// Compiles for this machine, with [`PASSES`].
    fn default() -> Self {
        let passes: Vec<_> = PASSES.iter().map(|step| step.pipeline).collect();
        Self { target: CpuTarget::host(), passes: passes.join(",") }
    }
}

/// An optimized module, from which code can be emitted.
pub struct Optimized {
    module: LlvmModule,
    machine: Rc<TargetMachine>,
}

/// Machine code in an object file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object(Vec<u8>);

/// [`optimize`], then [`Optimized::object`].
pub fn compile<'c>(
    module: impl ModuleRef<'c>,
    options: &CodegenOptions,
) -> Result<Object, CodegenError> {
    optimize(module, options)?.object()
}

/// The kernels of a module of the LLVM dialect: names and signatures.
pub fn kernels<'c>(module: impl ModuleRef<'c>) -> Vec<(String, Signature)> {
    let kernel = |op: Op| {
        let name = op.symbol_name()?.strip_suffix("_signature")?.to_owned();
        let text = op.attribute("value")?.as_str()?.trim_end_matches('\0').parse().ok()?;
        Some((name, text))
    };
    let ops = op_of(module).body(0).map(|body| body.ops()).unwrap_or_default();
    ops.into_iter().filter(|op| op.is("llvm.mlir.global")).filter_map(kernel).collect()
}

/// Translates a module of the LLVM dialect and runs LLVM's passes. Sets the data layout of the target as an
/// attribute of the module.
pub fn optimize<'c>(
    module: impl ModuleRef<'c>,
    options: &CodegenOptions,
) -> Result<Optimized, CodegenError> {
    let module = op_of(module);
    let CpuTarget { triple, cpu, features, machine: _ } = &options.target;
    let machine = options.target.machine().map_err(CodegenError::Target)?;
    check_intrinsics(module, &machine, cpu)?;
    let layout = Attribute::string(module.context(), &machine.data_layout());
    module.set_attribute("llvm.data_layout", layout);
    let translated = span("translate").in_scope(|| LlvmModule::translate(module));
    let mut llvm = translated.ok_or(CodegenError::Lower)?;
    llvm.set_target(triple, cpu, features, &machine).map_err(CodegenError::Target)?;
    llvm.verify().map_err(CodegenError::Invalid)?;
    span("llvm-passes").in_scope(|| {
        log_groups(&options.passes, cpu);
        llvm.run_passes(&options.passes, &machine).map_err(CodegenError::Passes)
    })?;
    llvm.store_single_lanes();
    Ok(Optimized { module: llvm, machine })
}

/// The span of a part of code generation.
fn span(name: &'static str) -> Span {
    info_span!(target: "loopwright::codegen", "codegen", name = %name)
}

/// Logs the groups of LLVM passes, which LLVM runs in one call.
fn log_groups(passes: &str, cpu: &str) {
    for group in PASSES.iter().filter(|group| passes.contains(group.pipeline)) {
        let (passes, reason) = (group.pipeline, group.reason);
        debug!(target: "loopwright::codegen", %cpu, %passes, %reason, "group of LLVM passes");
    }
}

/// Verifies that the processor has the features that intrinsics need. Without them LLVM aborts the process, or
/// calls a function for each lane.
fn check_intrinsics(module: Op, machine: &TargetMachine, cpu: &str) -> Result<(), CodegenError> {
    let ops = walk(module);
    let texts = |name: &str| -> Vec<&str> {
        ops.iter().filter_map(|op| op.attribute(name).and_then(Attribute::as_str)).collect()
    };
    let (called, stood_for) = (texts("intrin"), texts(STANDS_FOR));
    for intrinsic in INTRINSICS {
        let Some(feature) = intrinsic.needs else { continue };
        let is_used = match intrinsic.emitted {
            Emitted::Llvm { function } => called.contains(&function),
            Emitted::Dot | Emitted::Fma => stood_for.contains(&intrinsic.name),
        };
        if is_used && !machine.has(feature) {
            let intrinsic = intrinsic.name;
            return Err(CodegenError::Lacks { intrinsic, feature, cpu: cpu.to_owned() });
        }
    }
    Ok(())
}

impl Optimized {
    /// LLVM IR in readable form.
    pub fn llvm_ir(&self) -> String {
        self.module.text()
    }

    /// Assembly in readable form.
    pub fn assembly(&self) -> Result<String, CodegenError> {
        let emit = || self.module.emit(&self.machine, EmitKind::Assembly);
        let bytes = span("assembly").in_scope(emit).map_err(CodegenError::Emit)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn object(&self) -> Result<Object, CodegenError> {
        let emit = || self.module.emit(&self.machine, EmitKind::Object);
        span("object").in_scope(emit).map(Object).map_err(CodegenError::Emit)
    }
}

impl AsRef<[u8]> for Object {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Object {
    /// Code that was compiled earlier.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A static library with this object, as `ar rcs` makes it: its index has the symbols. `member` is the name of the
    /// object in the archive. Equal objects give equal archives.
    ///
    /// # Errors
    /// If the object cannot be read.
    pub fn archive(&self, member: &str) -> Result<Vec<u8>, CodegenError> {
        let member = NewArchiveMember::new(self.bytes(), &DEFAULT_OBJECT_READER, member.to_owned());
        let mut archive = Cursor::new(vec![]);
        write_archive_to_stream(&mut archive, &[member], ArchiveKind::Gnu, false, None)
            .map_err(CodegenError::Archive)?;
        Ok(archive.into_inner())
    }

    pub fn write(&self, path: &Path) -> Result<(), CodegenError> {
        let fail = |source| CodegenError::Write { path: path.display().to_string(), source };
        replace::file(path, |mut file| file.write_all(&self.0)).map_err(fail)
    }
}
