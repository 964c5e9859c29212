//! The C ABI of kernels, as `include/loopwright_runtime.h` declares and documents it.

use crate::kernel::{Call, Kernel, Signature};
use crate::pool::Pool;
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;
use std::sync::Arc;

/// `lw_kernel`, the symbol NAME.
pub type KernelFunction = unsafe extern "C" fn(
    runtime: *const Runtime,
    buffers: *const *mut c_void,
    sizes: *const i64,
    workspace: *mut c_void,
);

/// `lw_workspace`, the symbol NAME_workspace.
pub type WorkspaceFunction = unsafe extern "C" fn(sizes: *const i64) -> i64;

/// What a kernel gives to `parallel_for`.
pub type BodyFunction = unsafe extern "C" fn(ctx: *mut c_void, begin: i64, end: i64);

/// `lw_runtime`: what a kernel may use, while the pool that it was made of is borrowed.
#[repr(C)]
pub struct Runtime<'a> {
    pub pool: *mut c_void,
    pub parallel_for: unsafe extern "C" fn(
        pool: *mut c_void,
        body: BodyFunction,
        ctx: *mut c_void,
        n: i64,
        grain: i64,
    ),
    borrowed: PhantomData<&'a Pool>,
}

impl<'a> Runtime<'a> {
    /// A table whose loops run on the threads of a pool.
    pub fn new(pool: &'a Pool) -> Runtime<'a> {
        let address = ptr::from_ref(pool).cast_mut().cast();
        Runtime { pool: address, parallel_for, borrowed: PhantomData }
    }
}

/// [`Pool::parallel_for`] for C.
///
/// # Safety
/// `pool` is that of a [`Runtime`] whose pool is still borrowed, and `body` may be called with `ctx` and any part
/// of 0..n by several threads at the same time.
unsafe extern "C" fn parallel_for(
    pool: *mut c_void,
    body: BodyFunction,
    ctx: *mut c_void,
    n: i64,
    grain: i64,
) {
    // SAFETY: `Runtime::new` made the address of a `&Pool`, which is still borrowed.
    let pool = unsafe { &*pool.cast::<Pool>() };
    let body = Body { function: body, ctx };
    pool.parallel_for(n, grain, &|range| body.run(range));
}

struct Body {
    function: BodyFunction,
    ctx: *mut c_void,
}

// SAFETY: all that is done with a shared one is `run`; `parallel_for` demands a body for several threads.
unsafe impl Sync for Body {}

impl Body {
    fn run(&self, range: Range<i64>) {
        // SAFETY: `parallel_for` demands that it may be called so, and the range is a part of its loop.
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
    /// The kernel of two functions; `name` is for messages. `owner` keeps the code alive.
    ///
    /// # Safety
    /// Until `owner` is dropped, and whenever `loopwright_runtime.h` allows to call them with arguments that fit the
    /// signature, the functions do what that header says: among other things, they access no memory but the
    /// buffers, the sizes and the workspace. Sizes that this does not hold for, because two that must be equal
    /// differ, say, `workspace` refuses with a negative number.
    pub unsafe fn from_raw(
        name: &str,
        signature: Signature,
        kernel: KernelFunction,
        workspace: WorkspaceFunction,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Kernel {
        Kernel { name: name.into(), signature, code: Code { kernel, workspace, _owner: owner } }
    }

    /// What NAME_workspace says, negative if it refuses the sizes. `sizes` must be as many as the signature has.
    pub fn workspace_bytes(&self, sizes: &[i64]) -> i64 {
        assert_eq!(
            sizes.len(),
            self.signature.size_count(),
            "a size a dynamic dimension and index"
        );
        // SAFETY: by `from_raw` it may be called with as many sizes as the signature has.
        unsafe { (self.code.workspace)(sizes.as_ptr()) }
    }
}

impl Call<'_> {
    /// Runs the kernel; returns when it is done. Allocates nothing, checks nothing.
    pub fn run(&mut self) {
        let runtime = Runtime::new(self.pool);
        let workspace = self.workspace.as_mut_ptr().cast();
        // SAFETY: only `Kernel::prepare` makes a `Call`. It has checked that the buffers are those of the
        // signature (number, element types, sizes, alignment), that no result overlaps another, that the
        // kernel accepts the sizes, and that the workspace is as large as it asks. Buffers and workspace are
        // borrowed by `self`, results and workspace exclusively. The rest is promised by `from_raw`.
        unsafe {
            (self.kernel.code.kernel)(
                &runtime,
                self.buffers.as_ptr(),
                self.sizes.as_ptr(),
                workspace,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::library::tests::pool;
    use crate::kernel::Argument::{Index, Output};
    use crate::tensor::{ElementType, Tensor};
    use std::sync::atomic::{AtomicBool, Ordering};

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
        // SAFETY: they do what the signature says, and never go away.
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
