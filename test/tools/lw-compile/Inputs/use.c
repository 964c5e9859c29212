/* Calls the kernel add_rows with a runtime of its own, which runs everything on one thread. */
#include "add_rows.h"
#include <stdio.h>

static int loops;

static void serially(void *pool, void (*body)(void *, int64_t, int64_t), void *ctx, int64_t n, int64_t grain) {
    (void)pool, (void)grain;
    loops += n > 3;
    body(ctx, 0, n);
}

int main(void) {
    _Alignas(64) static float x[6] = {0, 1, 2, 3, 4, 5}, row[2] = {1, 2}, y[6];
    const lw_runtime runtime = {0, serially};
    void *buffers[] = {x, row, y};
    const int64_t sizes[] = {3, 3};
    for (int i = 0; i < 6; i++)
        x[i] = i % 2 == 0 ? (float)(2 * i) : (float)(2 * i - 1);
    int64_t workspace = add_rows_workspace(sizes);
    add_rows(&runtime, buffers, sizes, 0);
    printf("add_rows: %d loops of 3 rows, workspace %d\n", loops, (int)workspace);
    for (int i = 0; i < 6; i++)
        printf("%g ", y[i]);
    puts("");
    return 0;
}
