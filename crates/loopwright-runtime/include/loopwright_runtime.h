/* The C ABI of kernels that Loopwright compiled: their symbols, and the runtime functions that they call.
 *
 * A kernel named NAME is three symbols:
 *   NAME            an lw_kernel: runs the kernel.
 *   NAME_workspace  an lw_workspace: returns the size of its scratch memory, and whether it accepts the sizes.
 *   NAME_signature  a text: the arguments that it takes.
 * and, in libraries of this version, a fourth:
 *   NAME_requirements  a text: the conditions on sizes that it checks.
 *
 *   extern void NAME(const lw_runtime *, void *const *, const int64_t *, void *);
 *   extern int64_t NAME_workspace(const int64_t *);
 *   extern const char NAME_signature[];
 *   extern const char NAME_requirements[];
 *
 * NAME_signature is NUL-terminated and lists the arguments in order, separated by ", ":
 *   f32[128x64]       a buffer: element type, and sizes, the slowest dimension first
 *   f32[?x64] result  a buffer that receives a result; its first size is chosen by the call
 *   i8[]              a buffer of rank 0: one element
 *   index             an integer of 64 bits
 * Element types are bool (a byte 0 or 1), i8, i16, i32, i64, f16, bf16, f32 and f64. The elements of a buffer are
 * dense and row-major.
 *
 * NAME_requirements is NUL-terminated and has one line for each condition, for people to read. {i} stands for the value
 * of sizes[i]: "dimension 0 of argument 1 is {2}, expected {1}, dimension 1 of argument 0".
 */
#ifndef LOOPWRIGHT_RUNTIME_H
#define LOOPWRIGHT_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime functions for a kernel, valid while it runs. */
typedef struct lw_runtime {
    /* The first argument of `parallel_for`; not for any other use. */
    void *pool;

    /* Calls `body(ctx, begin, end)` for consecutive ranges that together are 0..n, in any order, from any
     * threads at the same time; returns when all calls have returned. No range has fewer than `grain` indices
     * (less than 1 counts as 1), unless the whole loop is shorter. No call if n < 1.
     *
     * A body may call it again: that loop runs on the body's own thread. A body must return: it must not
     * throw, jump out or end its thread. */
    void (*parallel_for)(void *pool, void (*body)(void *ctx, int64_t begin, int64_t end), void *ctx,
                         int64_t n, int64_t grain);
} lw_runtime;

/* Runs a kernel; returns when all its work is done. NAME_workspace must have accepted the sizes before: for sizes that
 * do not meet a condition of NAME_requirements the kernel returns at once, and writes nothing.
 *   buffers    one pointer per buffer argument, in order, each a multiple of 64. No result overlaps another
 *              buffer; buffers that are only read may.
 *   sizes      argument by argument, in order: each dynamic size ("?") of a buffer, each index's value.
 *   workspace  as many bytes as NAME_workspace returns for these sizes, at a multiple of 64, with undefined contents;
 *              any pointer if it returns 0. Overlaps no buffer.
 * Calls of one kernel may run at the same time, each with its own results and its own workspace. */
typedef void (*lw_kernel)(const lw_runtime *runtime, void *const *buffers, const int64_t *sizes,
                          void *workspace);

/* The bytes of workspace that a call with these sizes needs; may be 0. Negative if the kernel does not support
 * these sizes, for example because two sizes that must be equal differ: -1 if they do not meet the condition of line 0 of
 * NAME_requirements, -2 for line 1, and so on. */
typedef int64_t (*lw_workspace)(const int64_t *sizes);

#ifdef __cplusplus
}
#endif

#endif
