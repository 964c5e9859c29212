//! Registration of passes written in Rust: one C++ pass class runs them all, from a row of a table for each
//! pass.

use super::attached::{ContextObserver, attached};
use super::registry::register_dialects_in;
use super::text::{borrow, read};
use super::{Op, catch_panic};
use mlir_sys::*;
use std::cell::RefCell;
use std::ffi::c_void;

/// A pass, as a row of a table.
#[derive(Clone, Copy)]
pub struct PassRow {
    /// The flag, as in `--convert-linalg-to-loop`.
    pub argument: &'static str,
    /// What the pass does, in one line.
    pub summary: &'static str,
    /// The op it runs on, such as `func.func`; empty for any.
    pub on: &'static str,
    /// The forms of IR that the pass accepts.
    pub needs: &'static [Form],
    /// The form after the pass; `None` if the pass does not change the form.
    pub leaves: Option<Form>,
    /// The options, in the order of their indices.
    pub options: &'static [PassOption],
    /// The statistics of the pass: see [`PassRun::count`].
    pub statistics: &'static [PassStatistic],
    /// The dialects whose ops the pass may create.
    pub dialects: &'static [DialectName],
    /// The pass. On failure it reports diagnostics and returns `Err(())`.
    pub run: for<'c> fn(Op<'c>, &PassRun) -> Result<(), ()>,
}

/// The form of functions, from the model to the input of LLVM's translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// linalg, arith and math on tensors, and the graph dialect.
    Tensors,
    /// Loop nests of schedule blocks.
    Loops,
    /// scf, memref and vectors.
    Vectors,
    /// Vector form in kernels of the gpu dialect, and kernel launches.
    Kernels,
    /// Any later form before the LLVM dialect: the interpreter does not run it.
    Machine,
}

impl Form {
    /// Tensor form only.
    pub const TENSORS: &[Form] = &[Form::Tensors];
    /// Loop form only.
    pub const LOOPS: &[Form] = &[Form::Loops];
    /// Vector form only.
    pub const VECTORS: &[Form] = &[Form::Vectors];
    /// Kernel form only.
    pub const KERNELS: &[Form] = &[Form::Kernels];
    /// Machine form only.
    pub const MACHINE: &[Form] = &[Form::Machine];
    /// Lowered loops.
    pub const CODE: &[Form] = &[Form::Vectors, Form::Kernels];
    /// Lowered loops, and all later IR.
    pub const LOWERED: &[Form] = &[Form::Vectors, Form::Kernels, Form::Machine];
    /// Any form.
    pub const ALL: &[Form] =
        &[Form::Tensors, Form::Loops, Form::Vectors, Form::Kernels, Form::Machine];
}

/// An option of a pass.
pub struct PassOption {
    /// The name in kebab-case.
    pub name: &'static str,
    /// What it changes, in one line.
    pub summary: &'static str,
    /// The type of its value.
    pub kind: OptionKind,
    /// The text of the default value; lists are empty by default.
    pub initial: &'static str,
}

/// A statistic of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassStatistic {
    /// The name in kebab-case, such as `loops-removed`.
    pub name: &'static str,
    /// What it counts, in one line.
    pub summary: &'static str,
}

/// The type of an option's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum OptionKind {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A text.
    String,
    /// Whole numbers, separated by commas.
    IntList,
    /// Texts, separated by commas.
    StringList,
}

/// A dialect that a pass may request to be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DialectName {
    /// `affine`.
    Affine,
    /// `amx`.
    Amx,
    /// `arith`.
    Arith,
    /// `cf`.
    ControlFlow,
    /// `func`.
    Func,
    /// `gpu`.
    Gpu,
    /// `linalg`.
    Linalg,
    /// `llvm`.
    Llvm,
    /// `math`.
    Math,
    /// `memref`.
    MemRef,
    /// `nvgpu`.
    NvGpu,
    /// `nvvm`.
    Nvvm,
    /// `scf`.
    Scf,
    /// `tensor`.
    Tensor,
    /// `transform`.
    Transform,
    /// `vector`.
    Vector,
    /// Both dialects of this package.
    Loopwright,
}

/// A run of a pass: returns the values of its options, by their index in the row.
pub struct PassRun {
    raw: *mut LwRun,
    argument: &'static str,
    options: &'static [PassOption],
    counts: RefCell<Vec<u64>>,
}

// SAFETY of this block: `raw` is the C++ pass that is running, and each getter first checks that the option
// is of its kind; the C++ side has the kind from the same row.
impl PassRun {
    /// The flag of the pass.
    pub fn argument(&self) -> &'static str {
        self.argument
    }

    fn check(&self, i: usize, kind: OptionKind) -> isize {
        assert_eq!(
            self.options[i].kind, kind,
            "option {} is read as another kind",
            self.options[i].name
        );
        i as isize
    }

    /// The value of an option of kind `Bool`. Panics for other kinds.
    pub fn bool(&self, i: usize) -> bool {
        // SAFETY: see above.
        unsafe { lwOptionBool(self.raw, self.check(i, OptionKind::Bool)) }
    }

    /// The value of an option of kind `Int`. Panics for other kinds.
    pub fn int(&self, i: usize) -> i64 {
        // SAFETY: see above.
        unsafe { lwOptionInt(self.raw, self.check(i, OptionKind::Int)) }
    }

    /// The value of an option of kind `String`. Panics for other kinds.
    pub fn string(&self, i: usize) -> String {
        // SAFETY: see above; the text is copied while the pass lives.
        unsafe { read(lwOptionString(self.raw, self.check(i, OptionKind::String))).to_owned() }
    }

    /// The value of an option of kind `IntList`. Panics for other kinds.
    pub fn ints(&self, i: usize) -> Vec<i64> {
        let mut data = std::ptr::null();
        // SAFETY: see above; the list is copied while the pass lives.
        unsafe {
            match lwOptionIntList(self.raw, self.check(i, OptionKind::IntList), &mut data) {
                0 => vec![],
                n => std::slice::from_raw_parts(data, n as usize).to_vec(),
            }
        }
    }

    /// The value of an option of kind `StringList`. Panics for other kinds.
    pub fn strings(&self, i: usize) -> Vec<String> {
        let i = self.check(i, OptionKind::StringList);
        // SAFETY: see above; the texts are copied while the pass lives.
        unsafe {
            (0..lwOptionStringCount(self.raw, i))
                .map(|at| read(lwOptionStringAt(self.raw, i, at)).to_owned())
                .collect()
        }
    }

    /// Adds to a statistic, by its index in the row; a [report](super::pass_report) shows it.
    pub fn count(&self, i: usize, n: u64) {
        self.counts.borrow_mut()[i] += n;
    }

    /// Runs a pipeline on `op`, which is the op of the pass or nested in it, as part of this pass. On `Err`
    /// the reason was reported.
    #[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
    pub fn nested(&self, pipeline: &str, op: Op) -> Result<(), ()> {
        // SAFETY: see above.
        if unsafe { lwRunNested(self.raw, borrow(pipeline), op.to_raw()) } {
            Ok(())
        } else {
            Err(())
        }
    }
}

/// Registers rows with MLIR's global registry. Each row must be registered only once.
///
/// # Safety
/// Passes get handles, and must use them as [`handle_of_module`](super::handle_of_module) requires.
pub unsafe fn register(rows: &'static [PassRow]) {
    register_own(rows);
}

/// True if MLIR's global registry has a pass with this name, whichever library has registered it.
pub fn is_registered(argument: &str) -> bool {
    // SAFETY: the text is read during the call.
    unsafe { lwHasPass(borrow(argument)) }
}

/// As [`register`], for the passes of this crate.
pub(crate) fn register_own(rows: &'static [PassRow]) {
    for row in rows {
        let options: Vec<LwOption> = row
            .options
            .iter()
            .map(|o| LwOption {
                name: borrow(o.name),
                description: borrow(o.summary),
                initial: borrow(o.initial),
                kind: o.kind,
            })
            .collect();
        let options: &'static [LwOption] = options.leak();
        let spec: &'static LwPass = Box::leak(Box::new(LwPass {
            argument: borrow(row.argument),
            description: borrow(row.summary),
            op: borrow(row.on),
            num_options: options.len() as isize,
            options: options.as_ptr(),
            rust: std::ptr::from_ref(row).cast(),
        }));
        // SAFETY: the record and all that it points to are never freed.
        unsafe { lwRegisterPass(spec) }
    }
}

#[unsafe(no_mangle)]
extern "C" fn lwRustRunPass(rust: *const c_void, op: MlirOperation, run: *mut LwRun) -> bool {
    // SAFETY: `rust` is the row that `register` passed, and the pass runs on a live op.
    let (row, op) = unsafe { (&*rust.cast::<PassRow>(), Op::from_raw(op)) };
    let run = PassRun {
        raw: run,
        argument: row.argument,
        options: row.options,
        counts: RefCell::new(vec![0; row.statistics.len()]),
    };
    let what = format!("pass '{}'", row.argument);
    let observer = attached(op.context());
    // A panic of an observer is handled like a panic of the pass.
    let observed = |call: &dyn Fn(&dyn ContextObserver)| {
        let Some(observer) = &observer else { return true };
        catch_panic(op, &what, || call(&**observer)).is_some()
    };
    if !observed(&|observer| observer.before_pass(op, row)) {
        return false;
    }
    let report = observer.as_ref().and_then(|observer| observer.runs());
    let timer = report.map(|report| report.start(row, op));
    let done =
        catch_panic(op, &what, || (row.run)(op, &run)).is_some_and(|outcome| outcome.is_ok());
    if let Some(timer) = timer {
        timer.stop(op, &run.counts.borrow(), !done);
    }
    done && observed(&|observer| observer.after_pass(op, row))
}

#[unsafe(no_mangle)]
extern "C" fn lwRustPassDialects(rust: *const c_void, registry: MlirDialectRegistry) {
    // SAFETY: `rust` is the row that `register` passed; the registry is live.
    unsafe {
        for dialect in (*rust.cast::<PassRow>()).dialects {
            let handle = match dialect {
                DialectName::Affine => mlirGetDialectHandle__affine__(),
                DialectName::Amx => mlirGetDialectHandle__amx__(),
                DialectName::Arith => mlirGetDialectHandle__arith__(),
                DialectName::ControlFlow => mlirGetDialectHandle__cf__(),
                DialectName::Gpu => mlirGetDialectHandle__gpu__(),
                DialectName::NvGpu => mlirGetDialectHandle__nvgpu__(),
                DialectName::Nvvm => mlirGetDialectHandle__nvvm__(),
                DialectName::Func => mlirGetDialectHandle__func__(),
                DialectName::Linalg => mlirGetDialectHandle__linalg__(),
                DialectName::Llvm => mlirGetDialectHandle__llvm__(),
                DialectName::Math => mlirGetDialectHandle__math__(),
                DialectName::MemRef => mlirGetDialectHandle__memref__(),
                DialectName::Scf => mlirGetDialectHandle__scf__(),
                DialectName::Tensor => mlirGetDialectHandle__tensor__(),
                DialectName::Transform => mlirGetDialectHandle__transform__(),
                DialectName::Vector => mlirGetDialectHandle__vector__(),
                DialectName::Loopwright => {
                    register_dialects_in(registry);
                    continue;
                }
            };
            mlirDialectHandleInsertDialect(handle, registry);
        }
    }
}

#[repr(C)]
struct LwRun {
    _opaque: [u8; 0],
}

#[repr(C)]
struct LwOption {
    name: MlirStringRef,
    description: MlirStringRef,
    initial: MlirStringRef,
    kind: OptionKind,
}

#[repr(C)]
struct LwPass {
    argument: MlirStringRef,
    description: MlirStringRef,
    op: MlirStringRef,
    num_options: isize,
    options: *const LwOption,
    rust: *const c_void,
}

unsafe extern "C" {
    fn lwHasPass(argument: MlirStringRef) -> bool;
    fn lwRegisterPass(spec: *const LwPass);
    fn lwOptionBool(run: *mut LwRun, i: isize) -> bool;
    fn lwOptionInt(run: *mut LwRun, i: isize) -> i64;
    fn lwOptionString(run: *mut LwRun, i: isize) -> MlirStringRef;
    fn lwOptionIntList(run: *mut LwRun, i: isize, out: *mut *const i64) -> isize;
    fn lwOptionStringCount(run: *mut LwRun, i: isize) -> isize;
    fn lwOptionStringAt(run: *mut LwRun, i: isize, at: isize) -> MlirStringRef;
    fn lwRunNested(run: *mut LwRun, pipeline: MlirStringRef, op: MlirOperation) -> bool;
}
