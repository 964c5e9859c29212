// The output of lw-bench for a small workload, and the options that it refuses.

// RUN: lw-bench --list | FileCheck %s --check-prefix=LIST
// RUN: lw-bench --list --only W8t,W6f | FileCheck %s --check-prefix=SOME
// RUN: lw-bench --only W1s --seconds 0.01 --rounds 1 | FileCheck %s --check-prefix=TABLE
// RUN: lw-bench --only W1s --seconds 0.01 --rounds 2 --threads 2 --fp strict --json | FileCheck %s --check-prefix=JSON
// RUN: lw-bench --compile W1s | FileCheck %s --check-prefix=COMPILE
// RUN: lw-bench --help | FileCheck %s --check-prefix=HELP
// RUN: not lw-bench --only W99 2>&1 | FileCheck %s --check-prefix=WORKLOAD
// RUN: not lw-bench --only "" 2>&1 | FileCheck %s --check-prefix=WORKLOAD
// RUN: not lw-bench --threads 0 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not lw-bench --threads 18446744073709551616 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not lw-bench --seconds nan 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not lw-bench --seconds -1 2>&1 | FileCheck %s --check-prefix=DASH
// RUN: not lw-bench --rounds 0 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: not lw-bench --fp exact 2>&1 | FileCheck %s --check-prefix=FP
// RUN: not lw-bench --protocol --json 2>&1 | FileCheck %s --check-prefix=PROTOCOL
// RUN: not env PEERS_THREADS=many lw-bench --protocol 2>&1 | FileCheck %s --check-prefix=ENVIRONMENT

// LIST:      workload shapes MFLOP MB
// LIST-NEXT: W1s (x - y) * x 64x128, 64x128 -> 64x128 0.016 0.098
// LIST:      W8b matmul 1024x1024, 1024x1024 -> 1024x1024 2147.484 12.583
// LIST:      W13

// The order is that of the table.
// SOME:      workload
// SOME-NEXT: W6f {{.*}} 16777216 -> 1
// SOME-NEXT: W8t {{.*}} 128x768, 768x3072 -> 128x3072
// SOME-NOT:  W

// TABLE:      machine: this processor, 2 cores, caches 32 KiB, 1 MiB, 32 MiB, streaming stores from 24 MiB
// TABLE-NEXT: workload shapes ms rate of limit first compile ms warm ms threads
// TABLE-NEXT: W1s {{.*}} {{[0-9.]+[*]?}} {{[0-9.]+}} GB/s - {{[0-9.]+}} {{[0-9.]+}} 1
// TABLE-NOT:  limits
// TABLE:      an MLIR context takes {{[0-9.]+}} ms, once per process

// JSON: {"machine":{"cores":2,{{.*}}},"threads":2,"fp":"strict","context_ms":{{[0-9.]+}},"limits":[],"workloads":[{"id":"W1s",{{.*}}"threads":2,"milliseconds":{{[0-9.e-]+}},"gflops":{{[0-9.]+}},"gigabytes_per_second":{{[0-9.]+}},"is_disturbed":{{true|false}},"max_relative_error":{{[0-9.e-]+}},"compile_first_ms":{{[0-9.]+}},"compile_warm_ms":{{[0-9.]+}}}]}
// COMPILE: {"first":{{[0-9.]+}},"warm":{{[0-9.]+}}}
// HELP: Measure the workloads beside the machine's limits
// HELP-NOT: --compile

// WORKLOAD: {{^}}lw-bench: error: {{.*}} '--only <ID,..>'{{.*}}expected one of W1s, {{.*}}W13 (see --help)
// THREADS: {{^}}lw-bench: error: invalid value '{{[0-9]+}}' for '--threads <N>': {{.*}} (see --help)
// SECONDS: {{^}}lw-bench: error: invalid value 'nan' for '--seconds <SECONDS>': expected a number of seconds that is more than 0
// DASH: {{^}}lw-bench: error: {{.*}} (see --help)
// ROUNDS: {{^}}lw-bench: error: invalid value '0' for '--rounds <R>': 0 is not in 1..=1000 (see --help)
// FP: {{^}}lw-bench: error: invalid value 'exact' for '--fp <CONTRACT>' [possible values: strict, reassoc, fast] (see --help)
// PROTOCOL: {{^}}lw-bench: error: the argument '--protocol' cannot be used with '--json' (see --help)
// ENVIRONMENT: {{^}}lw-bench: error: PEERS_THREADS is 'many', expected a number from 1 to 1024
