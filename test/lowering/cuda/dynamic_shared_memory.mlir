// RUN: lw-opt %s --dynamic-shared-memory | FileCheck %s

module attributes {gpu.container_module} {

// Buffers within the static limit are unchanged: 48 KiB, with each buffer at its alignment.
// CHECK-LABEL: func.func @declared(
// CHECK-NOT:     dynamic_shared_memory_size
// CHECK:       gpu.module @declared_kernels {
// CHECK-NEXT:    llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<3 x i8>
// CHECK-NEXT:    llvm.mlir.global internal @t() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<12284 x f32>
func.func @declared() {
  %c1 = arith.constant 1 : index
  gpu.launch_func @declared_kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  return
}
gpu.module @declared_kernels {
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<3 x i8>
  llvm.mlir.global internal @t() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<12284 x f32>
  llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    %t = llvm.mlir.addressof @t : !llvm.ptr<3>
    llvm.return
  }
}

// One byte more, and the launch requests all of it; @t starts at its alignment. What a kernel may declare statically
// stays, and all kernels use one array.
// CHECK-LABEL: func.func @asked(
// CHECK:         %[[BYTES:.*]] = arith.constant 49153 : i32
// CHECK-NEXT:    gpu.launch_func @kernels::@f blocks in ({{.*}}) threads in ({{.*}}) dynamic_shared_memory_size %[[BYTES]] args(%{{.*}} : index)
// CHECK:         gpu.launch_func @kernels::@g blocks in ({{.*}}) threads in (%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}){{ *$}}
// CHECK:         %[[BYTES:.*]] = arith.constant 166912 : i32
// CHECK-NEXT:    gpu.launch_func @kernels::@h blocks in ({{.*}}) threads in ({{.*}}) dynamic_shared_memory_size %[[BYTES]]
// CHECK:       gpu.module @kernels {
// CHECK-NEXT:    llvm.mlir.global external @dynamic_shared_1() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// CHECK-NEXT:    llvm.mlir.global internal @dynamic_shared() {addr_space = 3 : i32} : !llvm.array<64 x bf16>
// CHECK-NEXT:    llvm.func @f(%{{.*}}: i64)
// CHECK-NEXT:      %[[S:.*]] = llvm.mlir.addressof @dynamic_shared_1 : !llvm.ptr<3>
// CHECK-NEXT:      llvm.store %{{.*}}, %[[S]] : i64, !llvm.ptr<3>
// CHECK-NEXT:      %[[ARRAY:.*]] = llvm.mlir.addressof @dynamic_shared_1 : !llvm.ptr<3>
// CHECK-NEXT:      %[[T:.*]] = llvm.getelementptr %[[ARRAY]][128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-NEXT:      llvm.store %{{.*}}, %[[T]] : i64, !llvm.ptr<3>
// CHECK:         llvm.func @g()
// CHECK-NEXT:      llvm.mlir.addressof @dynamic_shared : !llvm.ptr<3>
// CHECK:         llvm.func @h()
// CHECK-NEXT:      llvm.mlir.addressof @dynamic_shared_1 : !llvm.ptr<3>
// CHECK-NEXT:      llvm.return
func.func @asked(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index)
  gpu.launch_func @kernels::@g blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  gpu.launch_func @kernels::@h blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  return
}
gpu.module @kernels {
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i64>
  llvm.mlir.global internal @t() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<49025 x i8>
  llvm.mlir.global internal @dynamic_shared() {addr_space = 3 : i32} : !llvm.array<64 x bf16>
  llvm.mlir.global internal @u() {addr_space = 3 : i32} : !llvm.array<41728 x f32>
  llvm.func @f(%n: i64) attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    llvm.store %n, %s : i64, !llvm.ptr<3>
    %t = llvm.mlir.addressof @t : !llvm.ptr<3>
    llvm.store %n, %t : i64, !llvm.ptr<3>
    llvm.return
  }
  llvm.func @g() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @dynamic_shared : !llvm.ptr<3>
    llvm.return
  }
  llvm.func @h() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @u : !llvm.ptr<3>
    llvm.return
  }
}

}
