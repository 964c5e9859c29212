// RUN: lw-opt %s --convert-memref-to-pointer --canonicalize --cse -split-input-file | FileCheck %s

// The entry point reads buffers and sizes, argument by argument.
// CHECK-LABEL: llvm.func @entry(
// CHECK-SAME:    %[[RT:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr, %[[SIZES:.*]]: !llvm.ptr, %[[WS:.*]]: !llvm.ptr)
// CHECK-NEXT:    %[[A:.*]] = llvm.load %[[BUFFERS]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:    %[[S0:.*]] = llvm.load %[[SIZES]] : !llvm.ptr -> i64
// CHECK-NEXT:    %[[A0:.*]] = arith.index_cast %[[S0]] : i64 to index
// CHECK-NEXT:    %[[P1:.*]] = llvm.getelementptr inbounds|nuw %[[SIZES]][1] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK-NEXT:    %[[S1:.*]] = llvm.load %[[P1]]
// CHECK-NEXT:    %[[N:.*]] = arith.index_cast %[[S1]] : i64 to index
// CHECK-NEXT:    %[[P2:.*]] = llvm.getelementptr inbounds|nuw %[[BUFFERS]][1]
// CHECK-NEXT:    %[[B:.*]] = llvm.load %[[P2]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:    call @entry_kernel(%[[A]], %[[A0]], %[[N]], %[[B]]) : (!llvm.ptr, index, index, !llvm.ptr) -> ()
// CHECK-NEXT:    llvm.return
// CHECK-LABEL: func.func @entry_workspace(%{{.*}}: !llvm.ptr) -> i64
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT:    return %[[ZERO]]
// CHECK:       llvm.mlir.global external constant @entry_signature("f32[?x64], index, bf16[] result\00")
// CHECK-LABEL: func.func private @entry_kernel(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[A0:.*]]: index, %[[N:.*]]: index, %[[B:.*]]: !llvm.ptr {llvm.noalias})
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]
func.func @entry(%A: memref<?x64xf32>, %n: index, %B: memref<bf16> {loop.name = "B", loop.result}) {
  return
}

// -----

// CHECK-LABEL: func.func private @accesses_kernel(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[A1:.*]]: index, %[[B:.*]]: !llvm.ptr {llvm.noalias}, %[[I:.*]]: index, %[[J:.*]]: index)
func.func @accesses(%A: memref<8x?xf32>, %B: memref<f16>, %i: index, %j: index) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[A1]] overflow<nsw, nuw>
  // CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[J]] overflow<nsw, nuw>
  // CHECK: %[[AT64:.*]] = arith.index_cast %[[AT]] : index to i64
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds|nuw %[[A]][%[[AT64]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr -> f32
  %0 = memref.load %A[%i, %j] : memref<8x?xf32>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
  memref.store %0, %A[%j, %i] : memref<8x?xf32>
  // A vector access requires only the alignment of an element.
  // CHECK: llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %1 = vector.load %A[%i, %j] : memref<8x?xf32>, vector<16xf32>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
  vector.store %1, %A[%j, %i] {nontemporal = true, alignment = 64 : i64} : memref<8x?xf32>, vector<16xf32>
  // CHECK: llvm.load %[[B]] {alignment = 2 : i64} : !llvm.ptr -> f16
  %2 = memref.load %B[] : memref<f16>
  memref.store %2, %B[] : memref<f16>
  // A static size is a constant, a dynamic one a value.
  // CHECK: call @use(%{{.*}}, %[[A1]])
  %c0 = arith.constant 0 : index
  %3 = memref.dim %A, %c0 : memref<8x?xf32>
  %4 = memref.dim %A, %c1 : memref<8x?xf32>
  func.call @use(%3, %4) : (index, index) -> ()
  return
}
func.func private @use(index, index)

// -----

// Under a mask the address may be out of bounds, so its computation may wrap.
// CHECK-LABEL: func.func private @masked_kernel(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[I:.*]]: index, %[[N:.*]]: index)
func.func @masked(%A: memref<8x8xf32>, %i: index, %n: index) {
  // CHECK-DAG: %[[MASK:.*]] = vector.create_mask
  // CHECK-DAG: %[[ROW:.*]] = arith.muli %[[I]], %{{.*}} : index
  // CHECK-DAG: %[[AT:.*]] = arith.addi %[[ROW]], %[[I]] : index
  // CHECK:     %[[P:.*]] = llvm.getelementptr %[[A]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %lanes = vector.step : vector<4xindex>
  %mask = vector.create_mask %n : vector<4xi1>
  // CHECK: %[[X:.*]] = llvm.intr.masked.load %[[P]], %[[MASK]], %{{.*}} {alignment = 4 : i32}
  %x = vector.maskedload %A[%i, %i], %mask, %zero : memref<8x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK: llvm.intr.masked.store %[[X]], %[[P]], %[[MASK]] {alignment = 4 : i32}
  vector.maskedstore %A[%i, %i], %mask, %x : memref<8x8xf32>, vector<4xi1>, vector<4xf32>
  // CHECK: %[[LANES:.*]] = arith.index_cast %{{.*}} : vector<4xindex> to vector<4xi64>
  // CHECK: %[[PS:.*]] = llvm.getelementptr %[[P]][%[[LANES]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
  // CHECK: %[[Y:.*]] = llvm.intr.masked.gather %[[PS]], %[[MASK]], %{{.*}} {alignment = 4 : i32}
  %y = vector.gather %A[%i, %i][%lanes], %mask, %zero : memref<8x8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK: llvm.intr.masked.scatter %[[Y]], %[[PS]], %[[MASK]] {alignment = 4 : i32}
  vector.scatter %A[%i, %i][%lanes], %mask, %y : memref<8x8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  // CHECK: "llvm.intr.prefetch"(%[[P]]) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}>
  memref.prefetch %A[%i, %i], write, locality<3>, data : memref<8x8xf32>
  return
}

// -----

// CHECK: llvm.mlir.global internal constant @matrix(dense<[1, 2, 3, 4]> : tensor<4xi32>) {{{.*}}alignment = 64 : i64} : !llvm.array<4 x i32>
memref.global "private" constant @matrix : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
// CHECK: llvm.mlir.global internal constant @scalar(dense<1.0{{.*}}> : tensor<1xf64>) {{.*}} : !llvm.array<1 x f64>
memref.global "private" constant @scalar : memref<f64> = dense<1.0>
// CHECK: llvm.mlir.global internal constant @nothing(dense<> : tensor<0xf32>) {{.*}} : !llvm.array<0 x f32>
memref.global "private" constant @nothing : memref<3x0xf32> = dense<>
// CHECK: llvm.mlir.global internal constant @bytes(dense_resource<bytes> : tensor<8xi8>) {{.*}} : !llvm.array<8 x i8>
memref.global "private" constant @bytes : memref<2x4xi8> = dense_resource<bytes>
// CHECK: llvm.mlir.global external constant @weight() {{{.*}}alignment = 64 : i64} : !llvm.array<2048 x f32>
memref.global "private" constant @weight : memref<32x64xf32> {loop.weight}

// CHECK-LABEL: func.func private @globals_kernel(
// CHECK:         %[[P:.*]] = llvm.mlir.addressof @matrix : !llvm.ptr
// CHECK:         llvm.getelementptr inbounds|nuw %[[P]][3] : (!llvm.ptr) -> !llvm.ptr, i32
func.func @globals(%A: memref<i32>) {
  %c1 = arith.constant 1 : index
  %m = memref.get_global @matrix : memref<2x2xi32>
  %0 = memref.load %m[%c1, %c1] : memref<2x2xi32>
  memref.store %0, %A[] : memref<i32>
  return
}

{-#
  dialect_resources: { builtin: { bytes: "0x040000000102030405060708" } }
#-}

// -----

// Buffers of the function are allocated consecutively, each at a multiple of 64 bytes.
// CHECK-LABEL: llvm.func @workspace(
// CHECK:         call @workspace_kernel(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK-LABEL: func.func @workspace_workspace(
// CHECK-SAME:    %[[SIZES:.*]]: !llvm.ptr) -> i64
// CHECK:         %[[N:.*]] = llvm.load
// CHECK:         arith.index_cast
// CHECK:         arith.addi %{{.*}}, %{{.*}} : index
// CHECK:         arith.maxsi
// CHECK:         arith.mului_extended
// CHECK:         arith.select
// CHECK:         return %{{.*}} : i64
// CHECK-LABEL: func.func private @workspace_kernel(
// CHECK-SAME:    %[[WS:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: index)
func.func @workspace(%A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %size = arith.addi %n, %c1 : index
  %a = memref.alloc() : memref<3xi8>
  // CHECK: %[[P1:.*]] = llvm.getelementptr inbounds|nuw %[[WS]][64] : (!llvm.ptr) -> !llvm.ptr, i8
  %b = memref.alloc(%size) : memref<?x2xf64>
  // CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %{{.*}} : index
  // CHECK: %[[UP:.*]] = arith.addi %[[BYTES]]
  // CHECK: %[[SIZE:.*]] = arith.andi %[[UP]]
  // CHECK: %[[OFFSET:.*]] = arith.addi %[[SIZE]], %{{.*}} : index
  // CHECK: %[[OFFSET64:.*]] = arith.index_cast %[[OFFSET]] : index to i64
  // CHECK: %[[P2:.*]] = llvm.getelementptr inbounds|nuw %[[WS]][%[[OFFSET64]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // The size of a buffer of the function is the one it was allocated with.
  %m = memref.dim %b, %c0 : memref<?x2xf64>
  %c = memref.alloc(%m) : memref<?xi8>
  // CHECK: llvm.load %[[WS]] {alignment = 1 : i64} : !llvm.ptr -> i8
  %0 = memref.load %a[%c0] : memref<3xi8>
  memref.store %0, %c[%c0] : memref<?xi8>
  %1 = memref.load %b[%c0, %c0] : memref<?x2xf64>
  memref.store %1, %b[%c1, %c0] : memref<?x2xf64>
  return
}

// -----

// CHECK-LABEL: func.func private @parallel_kernel(
// CHECK-SAME:    %[[RT:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr {llvm.noalias}, %[[A0:.*]]: index, %[[N:.*]]: index)
// CHECK:         %[[BODY:.*]] = llvm.mlir.addressof @chunk_task
// CHECK:         %[[CTX:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, ptr, i64, i64)> {alignment = 64 : i64}
// CHECK:         scf.for
// CHECK:           %[[F0:.*]] = llvm.getelementptr inbounds|nuw %[[CTX]][0, 0]
// CHECK:           llvm.store %{{.*}}, %[[F0]] : f32, !llvm.ptr
// CHECK:           %[[F1:.*]] = llvm.getelementptr inbounds|nuw %[[CTX]][0, 1]
// CHECK:           llvm.store %[[A]], %[[F1]]
// CHECK:           %[[PP:.*]] = llvm.getelementptr inbounds|nuw %[[RT]][0, 0]
// CHECK:           %[[POOL:.*]] = llvm.load %[[PP]] : !llvm.ptr -> !llvm.ptr
// CHECK:           %[[PF:.*]] = llvm.getelementptr inbounds|nuw %[[RT]][0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr)>
// CHECK:           %[[FOR:.*]] = llvm.load %[[PF]]
// CHECK:           %[[EXTENT:.*]] = arith.maxsi %[[N]]
// CHECK:           %[[E:.*]] = arith.index_cast %[[EXTENT]]
// CHECK:           llvm.call %[[FOR]](%[[POOL]], %[[BODY]], %[[CTX]], %[[E]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
func.func @parallel(%A: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %A[%i] : memref<?xf32>
    loop.parallel_call @chunk in %n grain(8) (%x, %A, %n : f32, memref<?xf32>, index)
  }
  return
}
// CHECK-LABEL: llvm.func internal @chunk_task(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK:         call @chunk(%{{.*}}) : (index, index, f32, !llvm.ptr, index, index) -> ()
// CHECK-LABEL: func.func private @chunk(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: index, %{{.*}}: f32, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: index, %{{.*}}: index)
// CHECK-SAME:    passthrough = ["noinline"]
func.func private @chunk(%begin: index, %end: index, %x: f32, %A: memref<?xf32>, %n: index) {
  // CHECK: llvm.alloca %{{.*}} x !llvm.array<8 x f32> {alignment = 64 : i64}
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %l = memref.alloca() : memref<2x4xf32>
    memref.store %x, %l[%c1, %i] : memref<2x4xf32>
    %y = memref.load %l[%i, %c1] : memref<2x4xf32>
    memref.store %y, %A[%i] : memref<?xf32>
  }
  return
}

// -----

// Functions of scalars are unchanged; calls between functions pass pointers and sizes.
// CHECK-LABEL: func.func @twice(%{{.*}}: f32) -> f32 {
func.func @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}
// CHECK-LABEL: func.func private @at(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: index, %{{.*}}: index) -> f32
func.func private @at(%A: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %A[%i] : memref<?xf32>
  %1 = func.call @twice(%0) : (f32) -> f32
  return %1 : f32
}
// CHECK-LABEL: func.func private @inner_kernel(
func.func @inner(%A: memref<?xf32>, %i: index) {
  // CHECK: call @at(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, index, index) -> f32
  %0 = func.call @at(%A, %i) : (memref<?xf32>, index) -> f32
  memref.store %0, %A[%i] : memref<?xf32>
  return
}
// CHECK-LABEL: func.func private @outer_kernel(
func.func @outer(%A: memref<?xf32>, %i: index) {
  // CHECK: call @inner_kernel(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, index, index) -> ()
  func.call @inner(%A, %i) : (memref<?xf32>, index) -> ()
  return
}

// -----

// LLVM inlines private functions, unless they are not to be inlined.
// CHECK-LABEL: func.func private @inlined(
// CHECK-NOT:     passthrough
// CHECK-LABEL: func.func private @apart(
// CHECK-SAME:    attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
func.func private @inlined(%A: memref<4xf32>) {
  return
}
func.func private @apart(%A: memref<4xf32>) attributes {no_inline} {
  return
}
func.func @callers(%A: memref<4xf32>) {
  func.call @inlined(%A) : (memref<4xf32>) -> ()
  func.call @apart(%A) : (memref<4xf32>) -> ()
  return
}

// -----

// A private function is renamed if it has the name of a libm function; a declaration is libm's.
// CHECK: func.func private @exp_function(%{{.*}}: f64) -> f64
func.func private @exp(%x: f64) -> f64 {
  return %x : f64
}
// CHECK: func.func private @tanh(f64) -> f64
func.func private @tanh(f64) -> f64
// CHECK-LABEL: func.func private @calls_kernel(
func.func @calls(%A: memref<f64>) {
  %0 = memref.load %A[] : memref<f64>
  // CHECK: %[[E:.*]] = call @exp_function(
  %1 = func.call @exp(%0) : (f64) -> f64
  // CHECK: call @tanh(%[[E]])
  %2 = func.call @tanh(%1) : (f64) -> f64
  memref.store %2, %A[] : memref<f64>
  return
}

// -----

// An external function takes pointers and sizes too.
// CHECK: func.func private @elsewhere(!llvm.ptr, index, f32)
// CHECK: call @elsewhere(%{{.+}}, %{{.+}}, %{{.+}}) : (!llvm.ptr, index, f32) -> ()
func.func private @elsewhere(memref<?xf32>, f32)
func.func @calls_elsewhere(%A: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  func.call @elsewhere(%A, %x) : (memref<?xf32>, f32) -> ()
  return
}

// -----

// Integers have atomic instructions; other types use a compare-and-exchange loop on their bits. The updated element
// may be written by other threads.
// CHECK-LABEL: func.func private @updates_kernel(
// CHECK-SAME:    %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr {llvm.noalias}
func.func @updates(%A: memref<8xi32>, %B: memref<8xf16>, %C: memref<8xi32>, %i: index) {
  // CHECK:     %[[X:.*]] = llvm.load
  // CHECK:     %[[P:.*]] = llvm.getelementptr inbounds|nuw %[[A]]
  %x = memref.load %C[%i] : memref<8xi32>
  // CHECK:     %[[OLD:.*]] = llvm.atomicrmw umax %[[P]], %[[X]] monotonic : !llvm.ptr, i32
  %old = memref.atomic_rmw maxu %x, %A[%i] : (i32, memref<8xi32>) -> i32
  // CHECK:     llvm.store %[[OLD]]
  memref.store %old, %C[%i] : memref<8xi32>
  %half = arith.constant 0.5 : f16
  // CHECK:     %[[Q:.*]] = llvm.getelementptr inbounds|nuw %[[B]]
  // CHECK:     %[[FIRST:.*]] = llvm.load %[[Q]] atomic monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
  // CHECK:     scf.while (%[[BITS:.*]] = %[[FIRST]])
  // CHECK:       %[[F:.*]] = arith.bitcast %[[BITS]] : i16 to f16
  // CHECK:       %[[S:.*]] = arith.addf %[[F]], %{{.*}} : f16
  // CHECK:       %[[NEW:.*]] = arith.bitcast %[[S]] : f16 to i16
  // CHECK:       %[[PAIR:.*]] = llvm.cmpxchg %[[Q]], %[[BITS]], %[[NEW]] monotonic monotonic : !llvm.ptr, i16
  // CHECK-DAG:   %[[FOUND:.*]] = llvm.extractvalue %[[PAIR]][0]
  // CHECK-DAG:   %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
  // CHECK:       %[[AGAIN:.*]] = arith.xori %[[DONE]], %true
  // CHECK:       scf.condition(%[[AGAIN]]) %[[FOUND]]
  %sum = memref.atomic_rmw addf %half, %B[%i] : (f16, memref<8xf16>) -> f16
  return
}

// -----

// Each parallel call has its own function, in whatever order they are converted.
// CHECK-LABEL: func.func private @first_kernel(
// CHECK:         llvm.mlir.addressof @first_chunk_task
// CHECK-LABEL: func.func private @second_kernel(
// CHECK:         llvm.mlir.addressof @second_chunk_task
func.func private @first_chunk(%begin: index, %end: index, %A: memref<?xf32>) {
  return
}
func.func @first(%A: memref<?xf32>, %n: index) {
  loop.parallel_call @first_chunk in %n grain(4) (%A : memref<?xf32>)
  return
}
func.func private @second_chunk(%begin: index, %end: index, %A: memref<?xf32>) {
  return
}
func.func @second(%A: memref<?xf32>, %n: index) {
  loop.parallel_call @second_chunk in %n grain(4) (%A : memref<?xf32>)
  return
}
