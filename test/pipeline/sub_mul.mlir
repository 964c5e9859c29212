// (x - y) * x from the graph to a GPU, by the registered pipeline in each of its phases: a fusion group, two schedule
// blocks, one of 32 thread blocks of 256 threads, a kernel whose indices are as short as they can be, and PTX.
// RUN: lw-opt %S/../models/sub_mul.graph.mlir | FileCheck %s --check-prefix=GRAPH
// RUN: lw-opt %S/../models/sub_mul.graph.mlir --lw-nvptx-pipeline="to=loop" | FileCheck %s --check-prefix=LOOP
// RUN: lw-opt %S/../models/sub_mul.graph.mlir --lw-nvptx-pipeline="to=schedule schedule=%S/Inputs/sub_mul.schedule.mlir" | FileCheck %s --check-prefix=SCHEDULED
// RUN: lw-opt %S/../models/sub_mul.graph.mlir --lw-nvptx-pipeline="to=gpu schedule=%S/Inputs/sub_mul.schedule.mlir" | FileCheck %s --check-prefix=KERNEL
// RUN: lw-opt %S/../models/sub_mul.graph.mlir --lw-nvptx-pipeline="schedule=%S/Inputs/sub_mul.schedule.mlir" | FileCheck %s --check-prefix=BINARY
// RUN: lw-run %S/../models/sub_mul.graph.mlir --schedule %S/Inputs/sub_mul.schedule.mlir --compile-to ptx | FileCheck %s --check-prefix=PTX
//
// The result is right on the emulator, and the memory traffic is minimal: three times 32 KiB.
// RUN: lw-run %S/../models/sub_mul.graph.mlir --schedule %S/Inputs/sub_mul.schedule.mlir --target sm_80 --device emulator --profile --input %S/../models/sub_mul.in0.npy --input %S/../models/sub_mul.in1.npy --check %S/../models/sub_mul.out.npy | FileCheck %s --check-prefix=EMULATED
// RUN: lw-run %S/../models/sub_mul.graph.mlir --schedule %S/Inputs/sub_mul.schedule.mlir --target sm_90a --device emulator --profile --input %S/../models/sub_mul.in0.npy --input %S/../models/sub_mul.in1.npy --check %S/../models/sub_mul.out.npy | FileCheck %s --check-prefix=EMULATED
//
// Each pass preserves the results as far as they can be interpreted: up to the last pass, which generates machine code.
// RUN: lw-opt %S/../models/sub_mul.graph.mlir --verify-each=numeric --lw-nvptx-pipeline="to=gpu schedule=%S/Inputs/sub_mul.schedule.mlir" -o /dev/null 2>&1 | count 0
// RUN: lw-opt %S/../models/sub_mul.graph.mlir --verify-each=numeric --lw-nvptx-pipeline="schedule=%S/Inputs/sub_mul.schedule.mlir" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CODE

// EMULATED:      result 0: 64x128xf32, max error {{.*}}: passed
// EMULATED:      blocks                  32 of 256 threads
// EMULATED:      registers               {{[0-9]+}} (estimated)
// EMULATED-NEXT: shared memory           0 bytes per block
// EMULATED-NEXT: occupancy               64 of 64 warps
// EMULATED:      active lanes            32.0 of 32
// EMULATED:      global loads            65536 bytes, 512 requests, 4.0 sectors each
// EMULATED-NEXT: global stores           32768 bytes, 256 requests, 4.0 sectors each
// EMULATED:      None of these figures has been compared with hardware.

// GRAPH:      graph.fusion -> tensor<64x128xf32> {
// GRAPH-NEXT:   graph.sub
// GRAPH-NEXT:   graph.mul
// GRAPH-NEXT:   graph.yield_store

// LOOP:       loop.for serial %i in 64 {
// LOOP-NEXT:    loop.for serial %j in 128 {
// LOOP-NEXT:      loop.block "sub" [%vi: spatial 64, %vj: spatial 128] = (%i, %j)
// LOOP:           loop.block "mul" [%vi: spatial 64, %vj: spatial 128] = (%i, %j)

// SCHEDULED:      loop.for thread_bind[blockIdx.x] %i_j_fused.0 in 32
// SCHEDULED-NEXT:   loop.for thread_bind[threadIdx.x] %i_j_fused.1 in 256
// SCHEDULED-NEXT:     loop.block "mul" [%vi: spatial 64, %vj: spatial 128] = (%i_j_fused.0 * 2 + %i_j_fused.1 floordiv 128, %i_j_fused.1 mod 128)
// SCHEDULED-NOT:      loop.block

// KERNEL:      gpu.launch_func @kernels::@main_0 blocks in (%c32, %c1, %c1) threads in (%c256, %c1, %c1)
// KERNEL:      gpu.func @main_0(%[[X:.*]]: memref<64x128xf32> {{.*}}, %[[Y:.*]]: memref<64x128xf32> {{.*}}, %[[OUT:.*]]: memref<64x128xf32>
// KERNEL:        %[[B:.*]] = arith.index_cast %block_id_x : index to i32
// KERNEL:        %[[T:.*]] = arith.index_cast %thread_id_x : index to i32
// KERNEL-NEXT:   %[[BASE:.*]] = arith.muli %[[B]], %c2_i32
// KERNEL-NEXT:   %[[ROW:.*]] = arith.divui %[[T]], %c128_i32
// KERNEL-NEXT:   %[[I32:.*]] = arith.addi %[[BASE]], %[[ROW]]
// KERNEL-NEXT:   %[[J32:.*]] = arith.remui %[[T]], %c128_i32
// KERNEL-NEXT:   %[[I:.*]] = arith.index_cast %[[I32]]
// KERNEL-NEXT:   %[[J:.*]] = arith.index_cast %[[J32]]
// KERNEL-NEXT:   %[[A:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// KERNEL-NEXT:   %[[C:.*]] = memref.load %[[Y]][%[[I]], %[[J]]]
// KERNEL-NEXT:   %[[D:.*]] = arith.subf %[[A]], %[[C]]
// KERNEL-NEXT:   %[[P:.*]] = arith.mulf %[[D]], %[[A]]
// KERNEL-NEXT:   memref.store %[[P]], %[[OUT]][%[[I]], %[[J]]]
// KERNEL-NEXT:   gpu.return

// BINARY:      gpu.launch_func @kernels::@main_0 blocks in (%c32, %c1, %c1) threads in (%c256, %c1, %c1)
// BINARY:      gpu.binary @kernels [#gpu.object<{{.*}}.maxntid 256, 1, 1

// PTX:      .maxntid 256, 1, 1
// PTX-DAG:    ld.global.nc
// PTX-DAG:    sub.rn.f32
// PTX-DAG:    mul.rn.f32
// PTX:        st.global

// CODE-NOT: error
// CODE:     after pass 'lw-nvptx-pipeline'
