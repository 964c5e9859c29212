/* Emulates the instructions on tile registers (AMX) that the processor lacks: a handler of SIGILL decodes the instruction,
 * does what Intel's manual (volume 2) defines, and continues behind it. A processor that has them never calls it. */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static struct {
    uint8_t rows[8];
    uint16_t bytes[8];
    uint8_t data[8][16][64];
} tiles;

static long long *general(ucontext_t *state, int number) {
    static const int names[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return (long long *)&state->uc_mcontext.gregs[names[number]];
}

static void refuse(const uint8_t *at) {
    fprintf(stderr, "not an instruction on tiles:");
    for (int i = 0; i < 8; i++)
        fprintf(stderr, " %02x", at[i]);
    fputs("\n", stderr);
    _exit(1);
}

static float of_bf16(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
}

/* Subnormal numbers count as 0. */
static float normal(float value) { return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value; }

static void multiply_bf16(int to, int left, int right) {
    for (int m = 0; m < tiles.rows[to]; m++)
        for (int n = 0; n < tiles.bytes[to] / 4; n++) {
            float sums[2] = {0, 0}, old;
            for (int k = 0; k < tiles.bytes[left] / 4; k++)
                for (int i = 0; i < 2; i++) {
                    uint16_t a, b;
                    memcpy(&a, &tiles.data[left][m][4 * k + 2 * i], 2);
                    memcpy(&b, &tiles.data[right][k][4 * n + 2 * i], 2);
                    sums[i] = normal(fmaf(normal(of_bf16(a)), normal(of_bf16(b)), sums[i]));
                }
            memcpy(&old, &tiles.data[to][m][4 * n], 4);
            old = normal(normal(old) + normal(sums[0] + sums[1]));
            memcpy(&tiles.data[to][m][4 * n], &old, 4);
        }
}

static void multiply_bytes(int to, int left, int right, int left_is_signed, int right_is_signed) {
    for (int m = 0; m < tiles.rows[to]; m++)
        for (int n = 0; n < tiles.bytes[to] / 4; n++) {
            uint32_t sum;
            memcpy(&sum, &tiles.data[to][m][4 * n], 4);
            for (int k = 0; k < tiles.bytes[left] / 4; k++)
                for (int i = 0; i < 4; i++) {
                    uint8_t a = tiles.data[left][m][4 * k + i], b = tiles.data[right][k][4 * n + i];
                    int x = left_is_signed ? (int8_t)a : a, y = right_is_signed ? (int8_t)b : b;
                    sum += (uint32_t)(x * y);
                }
            memcpy(&tiles.data[to][m][4 * n], &sum, 4);
        }
}

/* The address in a ModRM byte and what follows it; the length of these in `length`. For an access of a tile, the index
 * register is the distance of its rows, in `stride`, and no part of the address. */
static uint8_t *address(ucontext_t *state, const uint8_t *modrm, int extension, int *length, long long *stride) {
    int mode = modrm[0] >> 6, base = modrm[0] & 7, scale = 0, index = 4;
    const uint8_t *next = modrm + 1;
    if (base == 4) {
        scale = next[0] >> 6;
        index = (next[0] >> 3 & 7) | ((extension & 2) << 2);
        base = next[0] & 7;
        next++;
    }
    long long at = 0;
    int is_absent = mode == 0 && base == 5;
    if (!is_absent)
        at = *general(state, base | ((extension & 1) << 3));
    long long step = index == 4 ? 0 : *general(state, index) << scale;
    if (stride)
        *stride = step;
    else
        at += step;
    if (mode == 1) {
        at += (int8_t)next[0];
        next++;
    } else if (mode == 2 || is_absent) {
        int32_t far;
        memcpy(&far, next, 4);
        next += 4;
        at += far;
        if (is_absent && (modrm[0] & 7) == 5)
            at += (long long)(intptr_t)next;
    }
    *length = (int)(next - modrm);
    return (uint8_t *)(intptr_t)at;
}

static void emulate(int number, siginfo_t *info, void *raw) {
    (void)number, (void)info;
    ucontext_t *state = raw;
    const uint8_t *at = (const uint8_t *)(intptr_t)state->uc_mcontext.gregs[REG_RIP];
    /* Three bytes of VEX: map 2 (0F38), W0, L0. */
    if (at[0] != 0xc4 || (at[1] & 0x1f) != 2 || (at[2] & 0x84) != 0)
        refuse(at);
    int extension = ~at[1] >> 5 & 7; /* R, X, B */
    int prefix = at[2] & 3;          /* none, 66, F3, F2 */
    int third = ~(at[2] >> 3) & 15, first = at[4] >> 3 & 7, second = at[4] & 7;
    int is_register = at[4] >> 6 == 3, length = 1;
    long long stride;
    switch (at[3]) {
    case 0x49:
        if (prefix == 0 && is_register) { /* tilerelease */
            memset(&tiles, 0, sizeof tiles);
        } else if (prefix == 0) { /* ldtilecfg */
            uint8_t *from = address(state, at + 4, extension, &length, 0);
            memset(&tiles, 0, sizeof tiles);
            for (int i = 0; i < 8; i++) {
                memcpy(&tiles.bytes[i], from + 16 + 2 * i, 2);
                tiles.rows[i] = from[48 + i];
                if (from[0] != 1 || tiles.bytes[i] > 64 || tiles.rows[i] > 16)
                    refuse(at);
            }
        } else if (prefix == 3 && is_register) { /* tilezero */
            memset(tiles.data[first], 0, sizeof tiles.data[first]);
        } else {
            refuse(at);
        }
        break;
    case 0x4b: {
        if (is_register || second != 4 || tiles.rows[first] == 0)
            refuse(at);
        uint8_t *memory = address(state, at + 4, extension, &length, &stride);
        if (prefix == 3) /* tileloadd */
            memset(tiles.data[first], 0, sizeof tiles.data[first]);
        else if (prefix != 2) /* tilestored */
            refuse(at);
        for (int row = 0; row < tiles.rows[first]; row++) {
            uint8_t *line = memory + row * stride, *tile = tiles.data[first][row];
            memcpy(prefix == 3 ? tile : line, prefix == 3 ? line : tile, tiles.bytes[first]);
        }
        break;
    }
    case 0x5c:
        if (prefix != 2 || !is_register)
            refuse(at);
        multiply_bf16(first, second, third); /* tdpbf16ps */
        break;
    case 0x5e: /* tdpbuud, tdpbusd, tdpbsud, tdpbssd */
        if (!is_register)
            refuse(at);
        multiply_bytes(first, second, third, prefix >= 2, prefix & 1);
        break;
    default:
        refuse(at);
    }
    state->uc_mcontext.gregs[REG_RIP] += 4 + length;
}

static void emulate_tiles(void) {
    struct sigaction action = {.sa_sigaction = emulate, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, 0);
}
