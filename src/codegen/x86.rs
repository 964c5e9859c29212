//! x86 target: from vector form via the LLVM dialect and LLVM IR to object code.
//!
//! ```text
//! module ─ split ─► parts ─ translate, LLVM's passes, code generation, on all cores ─► objects ─ merge ─► object
//! ```
//! The LLVM IR and the assembly that are printed are those of the module as a whole.

mod merge;
mod part;

use super::{CacheKey, CodeCache, CodegenError};
use crate::ffi::llvm::{EmitKind, LlvmModule, TargetMachine};
use crate::ir::{Attribute, ModuleRef, Op, op_of, top, walk};
use crate::machine::intrinsic::{Emitted, INTRINSICS, STANDS_FOR, TILE_ZERO};
use crate::machine::x86::CpuTarget;
use ar_archive_writer::{
    ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream,
};
use loopwright_runtime::kernel::Signature;
use loopwright_runtime::replace;
use part::Part;
use std::cmp::Reverse;
use std::fs;
use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, available_parallelism};
use tracing::{Span, debug, info_span};

/// A group of LLVM passes, and the reason for its position.
pub struct LlvmPasses {
    /// The passes, in the syntax of `opt`.
    pub pipeline: &'static str,
    /// Why the group is at this position.
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
        pipeline: "function(gvn<no-load-pre>,sccp,bdce,instcombine<no-verify-fixpoint>,jump-threading,\
                   correlated-propagation,adce,memcpyopt,dse,loop-mssa(licm<allowspeculation>),\
                   simplifycfg<hoist-common-insts;sink-common-insts>,instcombine<no-verify-fixpoint>)",
        reason: "removes duplicate computations and stores; values that are loaded in the iteration before are loaded again, because \
                 keeping them needs registers that sums need",
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

/// The stack of a thread that compiles: LLVM recurses over long chains of values. A main thread usually has half of it.
const STACK_BYTES: usize = 16 << 20;

/// Options of the code generation.
#[derive(Clone, Debug)]
pub struct CodegenOptions {
    /// The processor.
    pub target: CpuTarget,
    /// The LLVM passes, in the syntax of `opt`.
    pub passes: String,
    /// The cache of the code of parts, for [`compile`].
    pub parts: Option<CodeCache>,
}

impl Default for CodegenOptions {
    /// Compiles for this machine, with [`PASSES`], and keeps nothing.
    fn default() -> Self {
        let passes: Vec<_> = PASSES.iter().map(|step| step.pipeline).collect();
        Self { target: CpuTarget::host(), passes: passes.join(","), parts: None }
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

/// Machine code of a module of the LLVM dialect, compiled on as many threads as this process has cores. The code does not
/// depend on their number. Sets the data layout of the target as an attribute of the module.
pub fn compile<'c>(
    module: impl ModuleRef<'c>,
    options: &CodegenOptions,
) -> Result<Object, CodegenError> {
    compile_on(module, options, available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// As [`compile`], on so many threads.
pub fn compile_on<'c>(
    module: impl ModuleRef<'c>,
    options: &CodegenOptions,
    threads: NonZeroUsize,
) -> Result<Object, CodegenError> {
    let module = op_of(module);
    prepare(module, options)?;
    let Some(parts) = part::split(module) else {
        return translated(module, options)?.optimized(options)?.object();
    };
    let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
    // The largest first, so that no thread is left alone with one.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|i| Reverse(parts[*i].ops));
    let (to_compile, queue) = channel::<(usize, Translated)>();
    let queue = Mutex::new(queue);
    let key = |part| options.parts.as_ref().map(|_| part_key(part, options));
    let keys: Vec<Option<CacheKey>> = parts.iter().map(key).collect();
    let found = keys.iter().map(|key| options.parts.as_ref()?.get(key.as_ref()?));
    let objects: Vec<OnceLock<Result<Object, CodegenError>>> =
        found.map(|found| found.map_or_else(OnceLock::new, |it| OnceLock::from(Ok(it)))).collect();
    order.retain(|i| objects[*i].get().is_none());
    let compiled = order.clone();
    let work = |parent: &Span| {
        // The lock is for taking a part, and not held while it is compiled.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok((i, part)) = next() {
            let name = names[i];
            let span = info_span!(target: "loopwright::codegen", parent: parent, "part", %name);
            let _entered = span.entered();
            objects[i].get_or_init(|| part.optimized(options)?.object());
        }
    };
    let parent = Span::current();
    let done: Result<(), CodegenError> = thread::scope(|scope| {
        for _ in 1..threads.get().min(order.len()) {
            // Without another thread, this one compiles all parts.
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let _ = builder.spawn_scoped(scope, || work(&parent));
        }
        // The other threads end when it is dropped.
        let to_compile = to_compile;
        for i in order {
            // The receiver is live.
            let _ = to_compile.send((i, translated(top(&parts[i].module), options)?));
        }
        drop(to_compile);
        work(&parent);
        Ok(())
    });
    done?;
    let objects = objects.into_iter().map(|it| it.into_inner().expect("each part was compiled"));
    let objects = objects.collect::<Result<Vec<_>, _>>()?;
    if let Some(cache) = &options.parts {
        let new = compiled.iter().filter_map(|i| Some((keys[*i].as_ref()?, &objects[*i])));
        cache.put_parts(new);
    }
    let names = parts.into_iter().map(|part| part.names);
    merge::merge(&objects.into_iter().zip(names).collect::<Vec<_>>())
}

/// The key of the code of a part: its text, the data of the resources in it, and the options.
fn part_key(part: &Part, options: &CodegenOptions) -> CacheKey {
    let CodegenOptions { target, passes, parts: _ } = options;
    let CpuTarget { triple, cpu, features, machine: _ } = target;
    let part = top(&part.module);
    let text = part.local_text();
    // LLVM folds the elements of small constants. The text has only the names of resources.
    let attributes = walk(part).into_iter().flat_map(Op::attributes);
    let resources = attributes.filter_map(|(_, attribute)| attribute.resource_bytes());
    let texts = ["part", &text, triple, cpu, features, passes].map(str::as_bytes);
    CacheKey::of(texts.into_iter().chain(resources))
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
    prepare(module, options)?;
    translated(module, options)?.optimized(options)
}

/// Checks that the processor has what a module needs, and sets the data layout.
fn prepare(module: Op, options: &CodegenOptions) -> Result<(), CodegenError> {
    let machine = options.target.machine().map_err(CodegenError::Target)?;
    check_intrinsics(module, &machine, &options.target.cpu)?;
    let layout = Attribute::string(module.context(), &machine.data_layout());
    module.set_attribute("llvm.data_layout", layout);
    Ok(())
}

/// A module of LLVM IR, before LLVM's passes.
struct Translated(LlvmModule);

/// Translates a module of the LLVM dialect.
fn translated(module: Op, options: &CodegenOptions) -> Result<Translated, CodegenError> {
    let CpuTarget { triple, cpu, features, machine: _ } = &options.target;
    let machine = options.target.machine().map_err(CodegenError::Target)?;
    let translated = span("translate").in_scope(|| LlvmModule::translate(module));
    let mut llvm = translated.ok_or(CodegenError::Lower)?;
    llvm.set_target(triple, cpu, features, &machine).map_err(CodegenError::Target)?;
    llvm.verify().map_err(CodegenError::Invalid)?;
    Ok(Translated(llvm))
}

impl Translated {
    /// Runs LLVM's passes.
    fn optimized(self, options: &CodegenOptions) -> Result<Optimized, CodegenError> {
        let Translated(mut llvm) = self;
        let machine = options.target.machine().map_err(CodegenError::Target)?;
        span("llvm-passes").in_scope(|| {
            log_groups(&options.passes, &options.target.cpu);
            llvm.run_passes(&options.passes, &machine).map_err(CodegenError::Passes)
        })?;
        llvm.store_single_lanes();
        Ok(Optimized { module: llvm, machine })
    }
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
            Emitted::Llvm { function }
            | Emitted::LlvmOfWords { function }
            | Emitted::Tile { function, .. } => called.contains(&function),
            Emitted::TileZero => called.contains(&TILE_ZERO),
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

    /// Generates the object code.
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

    /// The bytes of the object file.
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

    /// A shared library, linked by the system's C compiler: `$CC`, or `cc`.
    ///
    /// # Errors
    /// If there is no folder for temporary files, or the linker does not run or fails.
    pub fn shared_library(&self) -> Result<Vec<u8>, CodegenError> {
        let failed = |message: String| CodegenError::Linker(message);
        let folder =
            tempfile::tempdir().map_err(|error| failed(format!("no temporary folder: {error}")))?;
        let (input, output) = (folder.path().join("kernels.o"), folder.path().join("kernels.so"));
        self.write(&input)?;
        let linker = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let outcome = Command::new(&linker)
            .args(["-shared", "-o"])
            .args([&output, &input])
            .arg("-lm")
            .output();
        let outcome =
            outcome.map_err(|error| failed(format!("cannot run the linker {linker}: {error}")))?;
        if !outcome.status.success() {
            let printed = String::from_utf8_lossy(&outcome.stderr);
            let printed = printed.lines().next().unwrap_or("it printed no message");
            return Err(failed(format!("the linker {linker} failed: {printed}")));
        }
        fs::read(&output)
            .map_err(|error| failed(format!("the linker {linker} has written no library: {error}")))
    }

    /// Writes the object file, as a whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), CodegenError> {
        let fail = |source| CodegenError::Write { path: path.display().to_string(), source };
        replace::file(path, |mut file| file.write_all(&self.0)).map_err(fail)
    }
}
