/* Calls the kernel of an archive, on one thread. */
#include "double.h"
#include <stdio.h>

static void serially(void *pool, void (*body)(void *, int64_t, int64_t), void *ctx, int64_t n, int64_t grain) {
    (void)pool, (void)grain;
    body(ctx, 0, n);
}

int main(void) {
    _Alignas(64) static float x[4] = {1, 2, 3, 4}, y[4];
    const lw_runtime runtime = {0, serially};
    void *buffers[] = {x, y};
    if (kernel_double_workspace(0) != 0)
        return 1;
    kernel_double(&runtime, buffers, 0, 0);
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    return 0;
}
