//! Calls compiled kernels from tests and measurements. Programs use the runtime's kernels, which have
//! a pool of threads and do not check every call.

use super::Jit;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicI64, Ordering};

type Body = unsafe extern "C" fn(context: *mut c_void, begin: i64, end: i64);
type Entry = unsafe extern "C" fn(*const Runtime, *const *mut u8, *const i64, *mut u8);
type Workspace = unsafe extern "C" fn(*const i64) -> i64;

/// The table that a kernel calls the runtime through: `lw_runtime`.
#[repr(C)]
struct Runtime {
    pool: *mut c_void,
    parallel_for: unsafe extern "C" fn(*mut c_void, Body, *mut c_void, i64, i64),
}

/// An entry point with its signature.
pub struct Kernel<'j> {
    _code: &'j Jit,
    entry: Entry,
    workspace: Workspace,
    /// Such as `f32[?x64], index, f32[] result`.
    pub signature: String,
}

/// A value to call a kernel with.
pub enum Argument<'a> {
    Buffer { dims: &'a [i64], bytes: &'a mut [u8] },
    Index(i64),
}

impl<'j> Kernel<'j> {
    /// The kernel `name` of code that `convert-memref-to-pointer` gave its entry points.
    pub fn of(code: &'j Jit, name: &str) -> Result<Self, String> {
        let entry = code.address(name)?;
        let workspace = code.address(&format!("{name}_workspace"))?;
        let signature = code.address(&format!("{name}_signature"))?;
        // SAFETY: the compiler gives what bears these names these types, and the code lives for 'j.
        unsafe {
            let text = CStr::from_ptr(signature as usize as *const c_char);
            Ok(Self {
                _code: code,
                entry: std::mem::transmute::<usize, Entry>(entry as usize),
                workspace: std::mem::transmute::<usize, Workspace>(workspace as usize),
                signature: text.to_string_lossy().into_owned(),
            })
        }
    }

    /// The bytes of workspace for these sizes.
    pub fn workspace_bytes(&self, sizes: &[i64]) -> Result<i64, String> {
        let needed = self.signature.matches('?').count() + self.signature.matches("index").count();
        if sizes.len() != needed {
            return Err(format!("got {} sizes, '{}' has {needed}", sizes.len(), self.signature));
        }
        // SAFETY: the function reads as many sizes as the signature has.
        Ok(unsafe { (self.workspace)(sizes.as_ptr()) })
    }

    /// Runs it, parallel loops on `threads` threads. Refuses arguments that do not fit the signature.
    pub fn run(&self, arguments: &mut [Argument], threads: usize) -> Result<(), String> {
        let parameters: Vec<_> =
            self.signature.split(", ").filter(|parameter| !parameter.is_empty()).collect();
        if parameters.len() != arguments.len() {
            return Err(format!("got {} arguments for '{}'", arguments.len(), self.signature));
        }
        let (mut buffers, mut sizes) = (vec![], vec![]);
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            match argument {
                Argument::Index(value) if parameter == "index" => sizes.push(*value),
                Argument::Buffer { dims, bytes } => {
                    sizes.extend(dynamic_sizes(parameter, dims, bytes.len())?);
                    buffers.push(bytes.as_mut_ptr());
                }
                Argument::Index(_) => return Err(format!("got an index for '{parameter}'")),
            }
        }
        let bytes = self.workspace_bytes(&sizes)?;
        let memory = Memory::new(usize::try_from(bytes).map_err(|e| e.to_string())?)?;
        let mut pool = threads;
        let runtime = Runtime { pool: (&raw mut pool).cast(), parallel_for };
        // SAFETY: buffers and sizes are those of the signature, and the workspace has the size that the
        // kernel asked for.
        unsafe { (self.entry)(&runtime, buffers.as_ptr(), sizes.as_ptr(), memory.start) };
        Ok(())
    }
}

/// The sizes that a buffer adds to the array of sizes, if it fits a parameter such as `f32[?x64]`.
fn dynamic_sizes(parameter: &str, dims: &[i64], bytes: usize) -> Result<Vec<i64>, String> {
    let unfit = || format!("got a buffer of {dims:?} with {bytes} bytes for '{parameter}'");
    let (element, shape) = parameter.split_once('[').ok_or_else(unfit)?;
    let shape = shape.split(']').next().unwrap_or_default();
    let shape: Vec<_> = shape.split('x').filter(|dim| !dim.is_empty()).collect();
    let bits: i64 = element.trim_start_matches(char::is_alphabetic).parse().map_err(|_| unfit())?;
    let fits = shape.iter().zip(dims).all(|(dim, size)| *dim == "?" || **dim == size.to_string());
    let needed = dims.iter().product::<i64>() * bits / 8;
    if !fits || shape.len() != dims.len() || usize::try_from(needed) != Ok(bytes) {
        return Err(unfit());
    }
    Ok(shape.iter().zip(dims).filter(|(dim, _)| **dim == "?").map(|(_, size)| *size).collect())
}

/// A workspace.
struct Memory {
    start: *mut u8,
    layout: Layout,
}

impl Memory {
    fn new(bytes: usize) -> Result<Self, String> {
        let layout = Layout::from_size_align(bytes.max(1), 64).map_err(|e| e.to_string())?;
        // SAFETY: the size is not zero.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            return Err(format!("no memory for a workspace of {bytes} bytes"));
        }
        Ok(Self { start, layout })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated above with this layout.
        unsafe { dealloc(self.start, self.layout) }
    }
}

/// Runs `body` on chunks of `[0, n)`; the pool is the number of threads, which start here.
unsafe extern "C" fn parallel_for(
    pool: *mut c_void,
    body: Body,
    context: *mut c_void,
    n: i64,
    grain: i64,
) {
    /// The captured values, which the body only reads.
    struct Context(*mut c_void);
    // SAFETY: the body may be called on any thread; that is its contract.
    unsafe impl Sync for Context {}
    // SAFETY: the pool is the number that `run` put there.
    let threads = unsafe { *pool.cast::<usize>() };
    let next = AtomicI64::new(0);
    let context = Context(context);
    let work = || {
        let context = &context;
        loop {
            let begin = next.fetch_add(grain, Ordering::Relaxed);
            if begin >= n {
                break;
            }
            // SAFETY: the kernel gave body and context for each other, and this is a chunk of [0, n).
            unsafe { body(context.0, begin, n.min(begin.saturating_add(grain))) };
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
}
