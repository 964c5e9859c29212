// Products in tile registers: compiled code gives the sums of a plain loop. The program has an emulator of the
// instructions for processors without them.
// RUN: lw-compile %s -o tiles.so --machine %S/Inputs/tiles.json
// RUN: cc -std=c11 -O1 -Wall -Werror -I. -I%S/../../../crates/loopwright-runtime/include %S/Inputs/tiles.c -o use ./tiles.so -lm
// RUN: ./use | FileCheck %s --check-prefix=RUN1
// RUN1:      halves: 15360 sums are right
// RUN1-NEXT: halves_of_columns: 20480 sums are right
// RUN1-NEXT: halves_of_groups: 7680 sums are right
// RUN1-NEXT: bytes_ss: 6144 sums are right
// RUN1-NEXT: bytes_us: 6144 sums are right
// RUN1-NEXT: bytes_su: 6144 sums are right
// RUN1-NEXT: bytes_uu: 6144 sums are right
// RUN1-NEXT: bytes_of_rows: 6144 sums are right
// RUN1-NEXT: bytes_of_rows: 4480 sums are right
//
// The same with undivided reductions, and streaming stores of results.
// RUN: lw-compile %s -o streamed.so --name tiles --machine %S/Inputs/tiles_streamed.json
// RUN: cc -std=c11 -O1 -Wall -Werror -I. -I%S/../../../crates/loopwright-runtime/include %S/Inputs/tiles.c -o use_streamed ./streamed.so -lm
// RUN: ./use_streamed | FileCheck %s --check-prefix=RUN1
// RUN: lw-run %s --target x86 --machine %S/Inputs/tiles_streamed.json --compile-to vector | FileCheck %s --check-prefix=STREAMED
// STREAMED-LABEL: func.func @halves(
// STREAMED:       amx.tile_zero
// STREAMED:       amx.tile_store %[[SUMS:[a-z_0-9]+]]{{\[}}
// STREAMED:       vector.load %[[SUMS]]{{\[}}
// STREAMED:       nontemporal = true
//
// The module asks the kernel for tile registers, and sums stay in registers.
// RUN: lw-run %s --target x86 --machine %S/Inputs/tiles.json --compile-to assembly | FileCheck %s --check-prefix=CODE
// CODE-LABEL: request_tiles:
// CODE:       movl $158, %eax
// CODE-NEXT:  movl $4131, %edi
// CODE-NEXT:  movl $18, %esi
// CODE:       syscall
// CODE-LABEL: halves_kernel:
// CODE:       ldtilecfg
// CODE:       tileloadd
// CODE:       tdpbf16ps %tmm{{[0-7]}}, %tmm{{[0-7]}}, [[SUMS:%tmm[0-7]]]
// CODE-NOT:   tilestored
// CODE:       tdpbf16ps %tmm{{[0-7]}}, %tmm{{[0-7]}}, [[SUMS]]
// CODE:       tilestored [[SUMS]]
// CODE:       tilerelease
//
// A processor without the instructions.
// RUN: lw-run %s --target x86 --cpu sapphirerapids --compile-to llvm > %t.mlir
// RUN: not lw-run %t.mlir --compile-from llvm --cpu znver4 --compile-to assembly 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: {{.*}}x86.tdpbf16ps{{.*}}amx-bf16
func.func @halves(%a: tensor<160x256xbf16>, %b: tensor<256x96xbf16>) -> tensor<160x96xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<160x96xf32>) -> tensor<160x96xf32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<160x256xbf16>, tensor<256x96xbf16>) outs(%z : tensor<160x96xf32>) {
  ^bb0(%x: bf16, %y: bf16, %old: f32):
    %left = arith.extf %x : bf16 to f32
    %right = arith.extf %y : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %sum = arith.addf %old, %product : f32
    linalg.yield %sum : f32
  } -> tensor<160x96xf32>
  return %r : tensor<160x96xf32>
}

func.func @halves_of_columns(%a: tensor<80x1024xbf16>, %b: tensor<1024x256xbf16>) -> tensor<80x256xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<80x256xf32>) -> tensor<80x256xf32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<80x1024xbf16>, tensor<1024x256xbf16>) outs(%z : tensor<80x256xf32>) {
  ^bb0(%x: bf16, %y: bf16, %old: f32):
    %left = arith.extf %x : bf16 to f32
    %right = arith.extf %y : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %sum = arith.addf %old, %product : f32
    linalg.yield %sum : f32
  } -> tensor<80x256xf32>
  return %r : tensor<80x256xf32>
}

func.func @halves_of_groups(%a: tensor<2x80x32xbf16>, %b: tensor<2x32x48xbf16>) -> tensor<2x80x48xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x80x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x80x48xf32>) -> tensor<2x80x48xf32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x80x32xbf16>, tensor<2x32x48xbf16>) outs(%z : tensor<2x80x48xf32>) {
  ^bb0(%x: bf16, %y: bf16, %old: f32):
    %left = arith.extf %x : bf16 to f32
    %right = arith.extf %y : bf16 to f32
    %product = arith.mulf %left, %right : f32
    %sum = arith.addf %old, %product : f32
    linalg.yield %sum : f32
  } -> tensor<2x80x48xf32>
  %o = linalg.max ins(%r, %z : tensor<2x80x48xf32>, tensor<2x80x48xf32>) outs(%e : tensor<2x80x48xf32>) -> tensor<2x80x48xf32>
  return %o : tensor<2x80x48xf32>
}

func.func @bytes_ss(%a: tensor<96x2048xi8>, %b: tensor<2048x64xi8>) -> tensor<96x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<96x64xi32>) -> tensor<96x64xi32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<96x2048xi8>, tensor<2048x64xi8>) outs(%z : tensor<96x64xi32>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %left = arith.extsi %x : i8 to i32
    %right = arith.extsi %y : i8 to i32
    %product = arith.muli %left, %right : i32
    %sum = arith.addi %old, %product : i32
    linalg.yield %sum : i32
  } -> tensor<96x64xi32>
  return %r : tensor<96x64xi32>
}

func.func @bytes_us(%a: tensor<96x128xi8>, %b: tensor<128x64xi8>) -> tensor<96x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<96x64xi32>) -> tensor<96x64xi32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%z : tensor<96x64xi32>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %left = arith.extui %x : i8 to i32
    %right = arith.extsi %y : i8 to i32
    %product = arith.muli %left, %right : i32
    %sum = arith.addi %old, %product : i32
    linalg.yield %sum : i32
  } -> tensor<96x64xi32>
  return %r : tensor<96x64xi32>
}

func.func @bytes_su(%a: tensor<96x128xi8>, %b: tensor<128x64xi8>) -> tensor<96x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<96x64xi32>) -> tensor<96x64xi32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%z : tensor<96x64xi32>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %left = arith.extsi %x : i8 to i32
    %right = arith.extui %y : i8 to i32
    %product = arith.muli %left, %right : i32
    %sum = arith.addi %old, %product : i32
    linalg.yield %sum : i32
  } -> tensor<96x64xi32>
  return %r : tensor<96x64xi32>
}

func.func @bytes_uu(%a: tensor<96x128xi8>, %b: tensor<128x64xi8>) -> tensor<96x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<96x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<96x64xi32>) -> tensor<96x64xi32>
  %r = linalg.generic {indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<96x128xi8>, tensor<128x64xi8>) outs(%z : tensor<96x64xi32>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %left = arith.extui %x : i8 to i32
    %right = arith.extui %y : i8 to i32
    %product = arith.muli %left, %right : i32
    %sum = arith.addi %old, %product : i32
    linalg.yield %sum : i32
  } -> tensor<96x64xi32>
  return %r : tensor<96x64xi32>
}

// Tiles are for whole tiles of rows only; others are computed without them.
func.func @bytes_of_rows(%a: tensor<?x2048xi8>, %b: tensor<2048x64xi8>) -> tensor<?x64xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x2048xi8>
  %e = tensor.empty(%m) : tensor<?x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?x64xi32>) -> tensor<?x64xi32>
  %r = linalg.matmul ins(%a, %b : tensor<?x2048xi8>, tensor<2048x64xi8>) outs(%z : tensor<?x64xi32>) -> tensor<?x64xi32>
  return %r : tensor<?x64xi32>
}
