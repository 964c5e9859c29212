/* Times products of f32 matrices, C = A * B, row-major, of several libraries in turn, on this thread.
 *
 *     gemm M N K ROUNDS SECONDS NAME=KIND:LIBRARY:SYMBOL ...
 *
 * KIND is `loopwright` (an lw_kernel), `cblas` (cblas_sgemm) or `onednn` (dnnl_sgemm). Prints one line of JSON: by name the
 * median over rounds of the medians of rounds, in seconds of this thread's processor time, and the greatest error, relative to the
 * greatest element, of 400 elements computed in double; and what the processor multiplies and adds a second. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "loopwright_runtime.h"

enum { MOST = 16, ROUNDS = 1000, TIMES = 1 << 16, SAMPLES = 400 };

typedef void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
typedef int dnnl_sgemm(char, char, int64_t, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t, float,
                       float *, int64_t);

struct contender {
    const char *name, *kind;
    void *function;
    void *workspace;
    double rounds[ROUNDS], error;
};

static int64_t M, N, K;
static float *A, *B, *C;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void fail(const char *what, const char *which) {
    fprintf(stderr, "gemm: %s: %s\n", what, which);
    exit(2);
}

static void *memory(size_t bytes) {
    size_t page = 2 << 20;
    void *data = aligned_alloc(page, (bytes + page) / page * page);
    if (!data) fail("no memory", "for matrices");
    madvise(data, bytes, MADV_HUGEPAGE);
    memset(data, 0xff, bytes);
    return data;
}

static int by_value(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *values, int count) {
    qsort(values, count, sizeof(double), by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void serially(void *pool, void (*body)(void *, int64_t, int64_t), void *ctx, int64_t n, int64_t grain) {
    (void)pool, (void)grain;
    if (n > 0) body(ctx, 0, n);
}

static const lw_runtime RUNTIME = {0, serially};

static void run(const struct contender *it) {
    if (!strcmp(it->kind, "cblas")) {
        ((cblas_sgemm *)it->function)(101, 111, 111, M, N, K, 1, A, K, B, N, 0, C, N);
    } else if (!strcmp(it->kind, "onednn")) {
        ((dnnl_sgemm *)it->function)('N', 'N', M, N, K, 1, A, K, B, N, 0, C, N);
    } else {
        void *buffers[] = {A, B, C};
        ((lw_kernel)it->function)(&RUNTIME, buffers, 0, it->workspace);
    }
}

/* NAME=KIND:LIBRARY:SYMBOL */
static struct contender contender(char *text) {
    struct contender it = {.name = text};
    char *kind = strchr(text, '='), *path = kind ? strchr(kind, ':') : 0, *symbol = path ? strrchr(path + 1, ':') : 0;
    if (!symbol) fail("not NAME=KIND:LIBRARY:SYMBOL", text);
    *kind++ = *path++ = *symbol++ = 0;
    it.kind = kind;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail("cannot load", dlerror());
    it.function = dlsym(library, symbol);
    if (!it.function) fail("no such function", symbol);
    if (!strcmp(kind, "loopwright")) {
        char name[256];
        snprintf(name, sizeof name, "%s_workspace", symbol);
        lw_workspace bytes = (lw_workspace)dlsym(library, name);
        if (!bytes) fail("no such function", name);
        it.workspace = memory(bytes(0));
    }
    return it;
}

static double error(void) {
    double worst = 0, greatest = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        int64_t i = sample < 4 ? (sample & 1 ? M - 1 : 0) : sample * 7919L % M;
        int64_t j = sample < 4 ? (sample & 2 ? N - 1 : 0) : sample * 104729L % N;
        double sum = 0;
        for (int64_t k = 0; k < K; k++) sum += (double)A[i * K + k] * B[k * N + j];
        double off = fabs(sum - C[i * N + j]);
        if (!(off <= worst)) worst = off;
        if (fabs(sum) > greatest) greatest = fabs(sum);
    }
    return worst / greatest;
}

/* Multiplications and additions a second, of independent sums in registers. */
static double peak(void) {
    const int64_t times = 2000000;
    double best = 0;
    for (int round = 0; round < 5; round++) {
        double start = now(CLOCK_THREAD_CPUTIME_ID);
        for (int64_t i = 0; i < times; i++) {
#ifdef __AVX512F__
#define ONE(n) "vfmadd231ps %%zmm31, %%zmm31, %%zmm" #n "\n"
            __asm__ volatile(ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) ONE(10) ONE(11)
                             ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                                 "xmm10", "xmm11");
            enum { LANES = 16 };
#else
#define ONE(n) "vfmadd231ps %%ymm15, %%ymm15, %%ymm" #n "\n"
            __asm__ volatile(ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) ONE(10) ONE(11)
                             ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                                 "xmm10", "xmm11");
            enum { LANES = 8 };
#endif
            if (i == times - 1) {
                double rate = times * 12.0 * LANES * 2 / (now(CLOCK_THREAD_CPUTIME_ID) - start);
                if (rate > best) best = rate;
            }
        }
    }
    return best;
}

int main(int count, char **arguments) {
    if (count < 7) fail("expected", "M N K ROUNDS SECONDS NAME=KIND:LIBRARY:SYMBOL ...");
    M = atoll(arguments[1]), N = atoll(arguments[2]), K = atoll(arguments[3]);
    int rounds = atoi(arguments[4]), contenders = count - 6;
    double seconds = atof(arguments[5]);
    if (M < 1 || N < 1 || K < 1 || rounds < 1 || rounds > ROUNDS || contenders > MOST) fail("out of range", "an argument");
    A = memory(M * K * 4), B = memory(K * N * 4), C = memory(M * N * 4);
    for (int64_t i = 0; i < M * K; i++) A[i] = i * 7919 % 1013 / 1013.0f - 0.5f;
    for (int64_t i = 0; i < K * N; i++) B[i] = i * 6007 % 1009 / 1009.0f - 0.5f;
    static struct contender all[MOST];
    for (int it = 0; it < contenders; it++) {
        all[it] = contender(arguments[6 + it]);
        memset(C, 0xff, M * N * 4);
        run(&all[it]);
        all[it].error = error();
    }
    static double times[TIMES];
    for (int round = 0; round < rounds; round++) {
        for (int it = 0; it < contenders; it++) {
            int calls = 0;
            double end = now(CLOCK_MONOTONIC) + seconds;
            run(&all[it]);
            while (calls < TIMES && (calls < 3 || now(CLOCK_MONOTONIC) < end)) {
                double start = now(CLOCK_THREAD_CPUTIME_ID);
                run(&all[it]);
                times[calls++] = now(CLOCK_THREAD_CPUTIME_ID) - start;
            }
            all[it].rounds[round] = median(times, calls);
        }
    }
    printf("{\"peak\": %.6g", peak());
    for (int it = 0; it < contenders; it++) {
        printf(", \"%s\": {\"seconds\": %.6g, \"error\": %.3g}", all[it].name, median(all[it].rounds, rounds), all[it].error);
    }
    puts("}");
}
