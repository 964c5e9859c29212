//! The C ABI of kernels, as `include/loopwright_runtime.h` declares and documents it.

use crate::kernel::{Call, Kernel, Signature};
use crate::pool::ParallelFor;
use crate::profile::{self, Mark};
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// `lw_kernel`, the type of the symbol NAME.
pub type KernelFunction = unsafe extern "C" fn(
    runtime: *const Runtime,
    buffers: *const *mut c_void,
    sizes: *const i64,
    workspace: *mut c_void,
);

/// `lw_workspace`, the type of the symbol NAME_workspace.
pub type WorkspaceFunction = unsafe extern "C" fn(sizes: *const i64) -> i64;

/// The loop body that a kernel passes to `parallel_for`.
pub type BodyFunction = unsafe extern "C" fn(ctx: *mut c_void, begin: i64, end: i64);

/// `lw_runtime`: the runtime functions for a kernel. It borrows the threads that it was created from.
#[repr(C)]
pub struct Runtime<'a> {
    /// The first argument of `parallel_for`: the address of the [`CallThreads`].
    pub pool: *mut c_void,
    /// Calls `body(ctx, begin, end)` on disjoint ranges that cover 0..n, on several threads. No range has fewer than
    /// `grain` iterations, unless n has. It returns when all calls have returned.
    pub parallel_for: unsafe extern "C" fn(
        pool: *mut c_void,
        body: BodyFunction,
        ctx: *mut c_void,
        n: i64,
        grain: i64,
    ),
    borrowed: PhantomData<&'a CallThreads<'a>>,
}

/// The threads that run the loops of one call of a kernel.
pub struct CallThreads<'a> {
    pool: &'a dyn ParallelFor,
    /// The payload of the first panic of the caller's threads. It cannot unwind through the code of a kernel.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> CallThreads<'a> {
    /// The threads of a pool.
    pub fn new(pool: &'a dyn ParallelFor) -> CallThreads<'a> {
        CallThreads { pool, panic: Mutex::new(None) }
    }

    /// Ends the call.
    ///
    /// # Panics
    /// If [`Workers::run`](crate::pool::Workers::run) panicked during the call, with its payload. The loops of the call are
    /// complete nevertheless.
    pub fn finish(self) {
        if let Some(payload) = self.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            panic::resume_unwind(payload);
        }
    }
}

impl<'a> Runtime<'a> {
    /// Creates a function table whose `parallel_for` uses these threads.
    pub fn new(threads: &'a CallThreads<'a>) -> Runtime<'a> {
        let address = ptr::from_ref(threads).cast_mut().cast();
        Runtime { pool: address, parallel_for, borrowed: PhantomData }
    }
}

/// [`ParallelFor::parallel_for`] for C.
///
/// # Safety
/// `pool` is that of a [`Runtime`] whose threads are still borrowed. Several threads may call `body` with `ctx` and any
/// subrange of 0..n at the same time.
unsafe extern "C" fn parallel_for(
    pool: *mut c_void,
    body: BodyFunction,
    ctx: *mut c_void,
    n: i64,
    grain: i64,
) {
    // SAFETY: `Runtime::new` made the address of a `&CallThreads`, which is still borrowed.
    let threads = unsafe { &*pool.cast::<CallThreads>() };
    let body = Body { function: body, ctx };
    let run = || threads.pool.parallel_for(n, grain, &|range| body.run(range));
    // The loop is complete even then.
    if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(run)) {
        threads.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    }
}

/// [`MARK`](crate::profile::MARK) for profiled code. A number that is no kernel has no effect.
pub(crate) extern "C" fn profile_mark(kernel: i64, is_end: i64) {
    if let Ok(kernel) = usize::try_from(kernel) {
        profile::reach(Mark { kernel, is_end: is_end != 0 });
    }
}

/// The address of [`profile_mark`].
pub(crate) fn profile_mark_address() -> usize {
    profile_mark as extern "C" fn(i64, i64) as usize
}

struct Body {
    function: BodyFunction,
    ctx: *mut c_void,
}

// SAFETY: the only use of a shared `Body` is `run`; `parallel_for` requires a body that several threads may call.
unsafe impl Sync for Body {}

impl Body {
    fn run(&self, range: Range<i64>) {
        // SAFETY: `parallel_for` requires that this call is allowed, and the range is a subrange of its loop.
        unsafe { (self.function)(self.ctx, range.start, range.end) }
    }
}

/// The functions of a kernel.
#[derive(Clone)]
pub(crate) struct Code {
    kernel: KernelFunction,
    workspace: WorkspaceFunction,
    /// Keeps the functions in memory; dropped last.
    _owner: Arc<dyn Any + Send + Sync>,
}

impl Kernel {
    /// Creates a kernel from two functions; `name` is used in messages. `owner` keeps the code loaded.
    ///
    /// # Safety
    /// The functions behave as `loopwright_runtime.h` specifies. This holds until `owner` is dropped, for every call
    /// that the header allows with arguments that fit the signature. In particular, they access no memory except the
    /// buffers, the sizes and the workspace. If they cannot do so for some sizes, for example because two sizes that
    /// must be equal differ, `workspace` returns a negative number for those sizes.
    pub unsafe fn from_raw(
        name: &str,
        signature: Signature,
        kernel: KernelFunction,
        workspace: WorkspaceFunction,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Kernel {
        let code = Code { kernel, workspace, _owner: owner };
        Kernel { name: name.into(), signature, requirements: vec![], code }
    }

    /// Sets the text of NAME_requirements, for messages.
    #[must_use]
    pub fn with_requirements(mut self, text: &str) -> Kernel {
        self.requirements = text.lines().map(str::to_owned).collect();
        self
    }

    /// The result of NAME_workspace: a number of bytes, or a negative number if it rejects the sizes. The number of
    /// `sizes` must be that of the signature.
    pub fn workspace_bytes(&self, sizes: &[i64]) -> i64 {
        assert_eq!(
            sizes.len(),
            self.signature.size_count(),
            "a size a dynamic dimension and index"
        );
        // SAFETY: `from_raw` allows the call with as many sizes as the signature has.
        unsafe { (self.code.workspace)(sizes.as_ptr()) }
    }
}

impl Call<'_> {
    /// Runs the kernel and returns when it is done. Allocates nothing and checks nothing.
    ///
    /// # Panics
    /// If [`Workers::run`](crate::pool::Workers::run) of the caller's threads panics. The results are complete.
    pub fn run(&mut self) {
        let threads = CallThreads::new(self.pool);
        let runtime = Runtime::new(&threads);
        let workspace = self.workspace.as_mut_ptr().cast();
        // SAFETY: only `Kernel::prepare` creates a `Call`. It has checked that the buffers are those of the signature
        // (number, element types, sizes, alignment), that no result overlaps another buffer, that the kernel accepts
        // the sizes, and that the workspace has the requested size. `self` borrows buffers and workspace, results and
        // workspace exclusively. `from_raw` guarantees the rest.
        unsafe {
            (self.kernel.code.kernel)(
                &runtime,
                self.buffers.as_ptr(),
                self.sizes.as_ptr(),
                workspace,
            );
        }
        threads.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Device, Program};
    use crate::ffi::library::tests::pool;
    use crate::kernel::Argument::{Index, Output};
    use crate::pool::Workers;
    use crate::tensor::{ElementType, Tensor};
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::{slice, thread};

    unsafe extern "C" fn square(ctx: *mut c_void, begin: i64, end: i64) {
        for i in begin..end {
            // SAFETY: `ctx` is the result's memory, of more than `end` elements; no other chunk writes this one.
            unsafe { ctx.cast::<i64>().add(i as usize).write(i * i) };
        }
    }

    unsafe extern "C" fn squares(
        runtime: *const Runtime,
        buffers: *const *mut c_void,
        sizes: *const i64,
        _: *mut c_void,
    ) {
        // SAFETY: called as `loopwright_runtime.h` says, with one buffer of as many elements as its size.
        unsafe { ((*runtime).parallel_for)((*runtime).pool, square, *buffers, *sizes, 3) };
    }

    unsafe extern "C" fn no_bytes(_: *const i64) -> i64 {
        0
    }

    /// Workers of `threads` threads, with how they run work.
    struct Own(usize, fn(usize, &(dyn Fn() + Sync)));

    impl Workers for Own {
        fn threads(&self) -> NonZeroUsize {
            NonZeroUsize::new(self.0).expect("not 0")
        }

        fn run(&self, calls: usize, work: &(dyn Fn() + Sync)) {
            (self.1)(calls, work);
        }
    }

    #[test]
    fn loops_run_on_the_threads_of_the_caller() {
        let signature: Signature = "i64[?] result".parse().expect("a signature");
        let owner = Arc::new(());
        // SAFETY: the functions match the signature, and are never unloaded.
        let kernel = unsafe { Kernel::from_raw("squares", signature, squares, no_bytes, owner) };
        let call = |threads: &dyn ParallelFor| {
            let mut result = Tensor::zeros(ElementType::I64, &[1000]).expect("small");
            let run = || kernel.call(threads, &mut [Output(&mut result)]).expect("it fits");
            let outcome = panic::catch_unwind(AssertUnwindSafe(run));
            assert!((0..1000).all(|i| result.get_i64(i) == (i * i) as i64));
            outcome.err().map(|it| *it.downcast::<&'static str>().expect("a text"))
        };
        let spawned = |calls: usize, work: &(dyn Fn() + Sync)| {
            thread::scope(|scope| (0..calls).for_each(|_| drop(scope.spawn(work))));
        };
        for threads in [1, 2, 4] {
            assert_eq!(call(&Own(threads, spawned)), None);
        }
        // A panic of the caller's threads arrives behind the kernel, with all results.
        let panicking = |_: usize, work: &(dyn Fn() + Sync)| {
            work();
            panic::resume_unwind(Box::new("no threads"));
        };
        assert_eq!(call(&Own(3, panicking)), Some("no threads"));
        let device = Device::of_threads(Box::new(Own(3, spawned)));
        assert_eq!((device.name(), device.threads()), ("cpu".into(), NonZeroUsize::new(3)));
        let mut loaded = device.load(Program::Kernels(slice::from_ref(&kernel))).expect("a kernel");
        let mut result = Tensor::zeros(ElementType::I64, &[1000]).expect("small");
        let mut arguments = [Output(&mut result)];
        loaded.prepare("squares", &mut arguments).expect("it fits").run().expect("it runs");
        assert_eq!(result.get_i64(999), 998_001);
    }

    #[test]
    fn functions_of_any_owner_are_a_kernel() {
        struct Owner(Arc<AtomicBool>);
        impl Drop for Owner {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let is_gone = Arc::new(AtomicBool::new(false));
        let signature: Signature = "i64[?] result".parse().expect("a signature");
        let owner = Arc::new(Owner(is_gone.clone()));
        // SAFETY: the functions match the signature, and are never unloaded.
        let kernel = unsafe { Kernel::from_raw("squares", signature, squares, no_bytes, owner) };
        let copy = kernel.clone();
        drop(kernel);
        let mut result = Tensor::zeros(ElementType::I64, &[1000]).expect("small");
        copy.call(&pool(3), &mut [Output(&mut result)]).expect("the arguments fit");
        assert!((0..1000).all(|i| result.get_i64(i) == (i * i) as i64));
        let error = copy.call(&pool(1), &mut [Index(0)]).expect_err("no index");
        assert!(error.to_string().starts_with("squares: argument 0 is an index"), "{error}");
        assert!(!is_gone.load(Ordering::Relaxed));
        drop(copy);
        assert!(is_gone.load(Ordering::Relaxed));
    }
}
