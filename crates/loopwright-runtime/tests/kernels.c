/* Kernels as the compiler generates them, and broken ones; see src/ffi/library/tests.rs. */
#include "loopwright_runtime.h"

#define KERNEL(NAME, SIGNATURE, BYTES)                                                                       \
    const char NAME##_signature[] = SIGNATURE;                                                               \
    int64_t NAME##_workspace(const int64_t *sizes) {                                                         \
        (void)sizes;                                                                                         \
        return BYTES;                                                                                        \
    }                                                                                                        \
    void NAME(const lw_runtime *runtime, void *const *buffers, const int64_t *sizes, void *workspace)

#define UNUSED (void)runtime, (void)buffers, (void)sizes, (void)workspace

/* out = in * factor, row by row: sizes are rows, columns, factor, rows, columns. */
typedef struct scale_context {
    void *const *buffers;
    const int64_t *sizes;
} scale_context;

static void scale_rows(void *ctx, int64_t begin, int64_t end) {
    const scale_context *context = ctx;
    const float *in = context->buffers[0];
    float *out = context->buffers[1];
    int64_t columns = context->sizes[1];
    for (int64_t i = begin * columns; i < end * columns; ++i)
        out[i] = in[i] * (float)context->sizes[2];
}

KERNEL(scale, "f32[?x?], index, f32[?x?] result",
       sizes[0] == sizes[3] && sizes[1] == sizes[4] ? 0 : -1) {
    UNUSED;
    scale_context context = {buffers, sizes};
    runtime->parallel_for(runtime->pool, scale_rows, &context, sizes[0], 2);
}

/* Adds 1 to each of 40 x 50 counters, with nested parallel loops. */
typedef struct count_context {
    const lw_runtime *runtime;
    int64_t *counters;
} count_context;

static void count_columns(void *ctx, int64_t begin, int64_t end) {
    for (int64_t column = begin; column < end; ++column)
        ((int64_t *)ctx)[column] += 1;
}

static void count_rows(void *ctx, int64_t begin, int64_t end) {
    const count_context *context = ctx;
    for (int64_t row = begin; row < end; ++row)
        context->runtime->parallel_for(context->runtime->pool, count_columns,
                                       context->counters + row * 50, 50, 1);
}

KERNEL(count, "i64[40x50] result", 0) {
    UNUSED;
    count_context context = {runtime, buffers[0]};
    runtime->parallel_for(runtime->pool, count_rows, &context, 40, 1);
}

/* The sum of two vectors of size n, with a workspace of n doubles; both may be the same vector. */
KERNEL(sum, "f64[?], f64[?], f64[] result", sizes[0] == sizes[1] ? sizes[0] * 8 : -1) {
    UNUSED;
    double *sums = workspace, sum = 0;
    for (int64_t i = 0; i < sizes[0]; ++i)
        sums[i] = ((const double *)buffers[0])[i] + ((const double *)buffers[1])[i];
    for (int64_t i = 0; i < sizes[0]; ++i)
        sum += sums[i];
    *(double *)buffers[2] = sum;
}

/* Returns the address of its workspace of the given size, and fills the workspace. */
KERNEL(where, "index, i64[] result", sizes[0]) {
    UNUSED;
    for (int64_t i = 0; i < sizes[0]; ++i)
        ((char *)workspace)[i] = 1;
    *(int64_t *)buffers[0] = (int64_t)(intptr_t)workspace;
}

/* Many arguments; negates a boolean. */
KERNEL(mixed, "bool[2], i8[3x?], index, bool[2] result, i8[?x3] result", sizes[2] > 0 ? 0 : -1) {
    UNUSED;
    for (int i = 0; i < 2; ++i)
        ((char *)buffers[2])[i] = !((const char *)buffers[0])[i];
    ((signed char *)buffers[3])[0] = (signed char)(sizes[0] * 16 + sizes[1] * 4 + sizes[2]);
}

KERNEL(nothing, "", 0) { UNUSED; }

KERNEL(huge, "", INT64_MAX) { UNUSED; }

KERNEL(misspelt, "f32[3], f31[3]", 0) { UNUSED; }

KERNEL(not_utf8, "f32[3]\xff", 0) { UNUSED; }

void alone(const lw_runtime *runtime, void *const *buffers, const int64_t *sizes, void *workspace) { UNUSED; }

void unsigned_one(const lw_runtime *runtime, void *const *buffers, const int64_t *sizes, void *workspace) { UNUSED; }
int64_t unsigned_one_workspace(const int64_t *sizes) {
    (void)sizes;
    return 0;
}
