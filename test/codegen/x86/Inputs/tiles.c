/* Runs the products of tiles.mlir, and compares them with plain loops. All factors are small integers, so the sums of bf16
 * are exact. */
#include "tile_emulator.h"
#include "tiles.h"
#include <stdlib.h>

/* Both ends of a loop's range in one call each, so that a body runs more than once. */
static void in_halves(void *pool, void (*body)(void *, int64_t, int64_t), void *ctx, int64_t n, int64_t grain) {
    (void)pool, (void)grain;
    if (n > 1)
        body(ctx, 0, n / 2);
    if (n > 0)
        body(ctx, n / 2, n);
}

static uint32_t seed = 1;

static int random_byte(void) {
    seed = seed * 1664525 + 1013904223;
    return (int)(seed >> 24);
}

/* A factor of bf16, of i8 or of u8. */
enum type { BF16, SIGNED, UNSIGNED };

static void fill(void *to, int *numbers, int count, enum type type) {
    for (int i = 0; i < count; i++) {
        int byte = random_byte();
        if (type == BF16) {
            numbers[i] = byte % 17 - 8;
            float value = (float)numbers[i];
            uint32_t bits;
            memcpy(&bits, &value, 4);
            ((uint16_t *)to)[i] = (uint16_t)(bits >> 16);
        } else {
            numbers[i] = type == SIGNED ? (int8_t)byte : byte;
            ((uint8_t *)to)[i] = (uint8_t)byte;
        }
    }
}

static void *memory(int64_t bytes) { return aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64); }

struct product {
    const char *name;
    lw_kernel kernel;
    lw_workspace workspace;
    int groups, m, n, k;
    enum type left, right;
    /* True if negative sums become 0. */
    int is_clamped;
    /* True if m is an argument: the first size of the left factor and of the sums. */
    int is_dynamic;
};

static int check(const struct product *it) {
    int lefts = it->groups * it->m * it->k, rights = it->groups * it->k * it->n, sums = it->groups * it->m * it->n;
    void *buffers[] = {memory(2 * lefts), memory(2 * rights), memory(4 * sums)};
    int *left = malloc(sizeof(int) * (size_t)lefts), *right = malloc(sizeof(int) * (size_t)rights);
    fill(buffers[0], left, lefts, it->left);
    fill(buffers[1], right, rights, it->right);
    const lw_runtime runtime = {0, in_halves};
    const int64_t sizes[] = {it->m, it->m};
    const int64_t *given = it->is_dynamic ? sizes : 0;
    it->kernel(&runtime, buffers, given, memory(it->workspace(given) + 1));
    int wrong = 0;
    for (int g = 0; g < it->groups; g++)
        for (int i = 0; i < it->m; i++)
            for (int j = 0; j < it->n; j++) {
                int sum = 0, at = (g * it->m + i) * it->n + j;
                for (int k = 0; k < it->k; k++)
                    sum += left[(g * it->m + i) * it->k + k] * right[(g * it->k + k) * it->n + j];
                if (it->is_clamped && sum < 0)
                    sum = 0;
                int is_right = it->left == BF16 ? ((float *)buffers[2])[at] == (float)sum
                                                : ((int32_t *)buffers[2])[at] == sum;
                if (!is_right && wrong++ == 0)
                    printf("%s: sum %d, %d, %d is wrong, expected %d\n", it->name, g, i, j, sum);
            }
    if (wrong == 0)
        printf("%s: %d sums are right\n", it->name, sums);
    return wrong;
}

#define PRODUCT(name) #name, name, name##_workspace

int main(void) {
    emulate_tiles();
    const struct product products[] = {
        {PRODUCT(halves), 1, 160, 96, 256, BF16, BF16, 0, 0},
        {PRODUCT(halves_of_columns), 1, 80, 256, 1024, BF16, BF16, 0, 0},
        {PRODUCT(halves_of_groups), 2, 80, 48, 32, BF16, BF16, 1, 0},
        {PRODUCT(bytes_ss), 1, 96, 64, 2048, SIGNED, SIGNED, 0, 0},
        {PRODUCT(bytes_us), 1, 96, 64, 128, UNSIGNED, SIGNED, 0, 0},
        {PRODUCT(bytes_su), 1, 96, 64, 128, SIGNED, UNSIGNED, 0, 0},
        {PRODUCT(bytes_uu), 1, 96, 64, 128, UNSIGNED, UNSIGNED, 0, 0},
        {PRODUCT(bytes_of_rows), 1, 96, 64, 2048, SIGNED, SIGNED, 0, 1},
        {PRODUCT(bytes_of_rows), 1, 70, 64, 2048, SIGNED, SIGNED, 0, 1},
    };
    int wrong = 0;
    for (unsigned i = 0; i < sizeof products / sizeof *products; i++)
        wrong += check(&products[i]);
    return wrong != 0;
}
