// The table of a GPU is that of its data sheet.
// RUN: lw-run --machine --target sm_80 | FileCheck %s --check-prefix=GPU
// GPU: sm_80: 108 multiprocessors, 2.82 vectors of 1024 bits a ns
// GPU-NEXT: level capacity GB/s wait ns shared by
// GPU-NEXT: L2 40 MiB 45.1 150.0 108
// GPU-NEXT: memory 14.4 400.0 108
// GPU-NEXT: a multiprocessor has 2048 threads, 32 thread blocks, 164 KiB of shared memory at 180.5 GB/s

// That of this machine goes to stderr, beside the description.
// RUN: lw-run --machine 2>&1 >%t.json | FileCheck %s --check-prefix=HOST
// HOST: cores, {{.*}} vectors of {{.*}} bits a ns
// HOST-NEXT: level capacity GB/s wait ns shared by
// HOST-NEXT: L1 {{.*}} KiB
// HOST-NEXT: L2
// HOST-NEXT: L3
// HOST-NEXT: memory

// RUN: not lw-run --machine --target sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: expected x86, or one of sm_80
// RUN: not lw-run --machine --target sm_80 --json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: takes no other option but the --target of a GPU
