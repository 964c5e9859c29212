//! `convert-memref-to-pointer`: lower memrefs to pointers and sizes, and give public functions entry points
//! that C can call.
//!
//! ```text
//! func.func @f(%A: memref<?x64xf32>, %n: index) {
//!   %t = memref.alloc(%n) : memref<?xf32>
//!   %x = vector.load %A[%i, %j] : memref<?x64xf32>, vector<16xf32>
//!   loop.parallel_call @f_parallel_0 in %n grain(4) (%A : memref<?x64xf32>)
//!   ->
//! func.func private @f_kernel(%runtime: !llvm.ptr, %workspace: !llvm.ptr,
//!                             %A: !llvm.ptr {llvm.noalias}, %A_0: index, %n: index) {
//!   %t = llvm.getelementptr %workspace[0] : .. i8
//!   %p = llvm.getelementptr %A[%i * 64 + %j] : .. f32
//!   %x = llvm.load %p {alignment = 4} : !llvm.ptr -> vector<16xf32>
//!   store %A, %A_0 into %context;  load parallel_for, pool from %runtime
//!   llvm.call %parallel_for(%pool, @f_parallel_0_task, %context, %n, 4)
//! llvm.func internal @f_parallel_0_task(%context, %begin, %end) { .. func.call @f_parallel_0 .. }
//! llvm.func @f(%runtime, %buffers, %sizes, %workspace) { .. func.call @f_kernel .. }
//! llvm.func @f_workspace(%sizes) -> i64
//! llvm.mlir.global constant @f_signature("f32[?x64], index\00")
//! ```
//!
//! ```c
//! // The same in C:
//! struct lw_runtime {
//!   void *pool;
//!   void (*parallel_for)(void *pool, void (*body)(void *context, int64_t begin, int64_t end),
//!                        void *context, int64_t n, int64_t grain);
//! };
//! void f(const struct lw_runtime *, void *const *buffers, const int64_t *sizes, void *workspace);
//! int64_t f_workspace(const int64_t *sizes);
//! extern const char f_signature[];
//! ```
//! `sizes` holds, in the order of the arguments, each dynamic dimension of a buffer and the value of each index.
//! `workspace` has the number of bytes that `f_workspace` returns (`INT64_MAX` if the number overflows) and is
//! aligned to 64 bytes. `f_signature` lists the arguments, separated by ", ": `index`, `f32[2x?]`, `f32[]`,
//! followed by ` result` for arguments with `loop.result`. Buffers that are written overlap no other buffer.
//!
//! Requires
//! - (C1) functions have one block, and only ops of the form *vectors* and `loop.parallel_call`;
//! - (C2) memrefs are row-major, in the default memory space, with elements of i8, i16, i32, i64, f16, bf16, f32 or
//!   f64;
//! - (C3) memrefs are arguments, globals, allocations, static parts of a `memref.alloc` of bytes (`memref.view`), or
//!   casts of these (`memref.cast`), and are used only by accesses, copies (`memref.copy`) and calls;
//! - (C4) a `memref.alloc` is at the top level of a function that is not called in parallel, and its size is computed
//!   from index arguments and dimensions. If another function calls this one, the index arguments on which the size
//!   depends are computed from the caller's index arguments and dimensions. There is no recursion;
//! - (C5) `loop.parallel_call` is in a function that is not itself called in parallel, and calls a private function
//!   with a body;
//! - (C6) a public function has buffers and indices as arguments and no result. A public function that has only scalars
//!   as arguments and results is allowed, too, and does not change. A function without a body returns no memref;
//! - (C7) memory is accessed by scalars, by vectors of one dimension, and by tiles of the amx dialect,
//!   which no function takes or returns;
//! - (C8) the names of the entry points are not in use;
//! - (C9) a `memref.global` has a value, or is a weight with the attribute `loop.weight`, whose bytes are given when
//!   the code is linked. A global that `lift-weight-transforms` made has no value: its memory is zero until the
//!   function of transforms has run;
//! - (C10) a `memref.alloca` has a static shape and a size of at most 1 MiB;
//! - (C11) `memref.dim` names a constant dimension that exists;
//! - (C12) a public function does not have the name of a C library function that compiled code may call,
//!   because object code identifies functions by name only. A private function of such a name is renamed.
//!
//! A weight that only the function of transforms reads, with the functions that it calls, is named `@w.unaligned` and may have
//! any address; these functions require no alignment. Other accesses require only the alignment of one element, also for
//! vectors. Indices of accesses without a mask are in bounds, so their linear index does not wrap. Under a mask they may have
//! any value.

mod access;
mod atomic;
mod buffer;
mod check;
mod entry;
mod function;
mod globals;
mod library;
mod parallel_call;
mod plan;
mod scope;
mod tile;
mod workspace;

pub(crate) use buffer::ALIGNMENT;

use crate::ir::{Error, Op};

/// Converts the functions and globals of `module`.
pub fn convert<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let plan = check::check(module)?;
    for kernel in &plan.kernels {
        entry::build(kernel);
        workspace::build(&plan, kernel);
        entry::build_text(kernel, "signature", &entry::signature(kernel.function.op));
        entry::build_text(kernel, "requirements", &kernel.requirements.text());
    }
    plan.tasks.iter().for_each(|task| parallel_call::build_task(&plan, task));
    for function in &plan.functions {
        function::convert(&plan, *function);
    }
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let is_declaration = |op: &Op| op.is("func.func") && op.body(0).is_none();
    ops.into_iter().filter(is_declaration).for_each(function::convert_declaration);
    plan.globals.iter().for_each(|global| globals::convert(&plan, *global));
    tile::request_tiles(module);
    Ok(())
}
