// A library and its header, used by a C program that depends only on loopwright_runtime.h.
// RUN: lw-compile %s -o add_rows.so --fp fast
// RUN: cc -std=c11 -Wall -Werror -I. -I%S/../../../crates/loopwright-runtime/include %S/Inputs/use.c -o use ./add_rows.so
// RUN: ./use | FileCheck %s
// RUN: FileCheck %s --check-prefix=HEADER --input-file=add_rows.h
// RUN: lw-compile %s -o kernels.o --cpu x86-64-v3 --name scaled --header other.h
// RUN: llvm-nm --defined-only kernels.o | FileCheck %s --check-prefix=OBJECT
// RUN: FileCheck %s --check-prefix=OTHER --input-file=other.h
// RUN: not lw-compile %s -o no/where.so 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not lw-compile %s -o a.so --cpu pentium9 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not lw-compile %s -o a.so --name 3rows 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not lw-compile %s -o a.so --name other 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not lw-compile missing.mlir -o a.so 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not env CC=no-such-linker lw-compile %s -o a.so 2>&1 | FileCheck %s --check-prefix=LINKER
// RUN: not lw-compile %s -o a.so --header no/a.h 2>&1 | FileCheck %s --check-prefix=NOHEADER
// RUN: mkdir a.so && not lw-compile %s -o a.so 2>&1 | FileCheck %s --check-prefix=ISFOLDER && rmdir a.so
// RUN: not ls a.so
// RUN: not ls a.h

// CHECK:      add_rows: 0 loops of 3 rows, workspace 0
// CHECK-NEXT: 1 3 5 7 9 11
// HEADER:      #ifndef LOOPWRIGHT_ADD_ROWS_H
// HEADER:      /* buffers[0]: f32[?x2]
// HEADER-NEXT:  * sizes[0]: its dimension 0
// HEADER-NEXT:  * buffers[1]: f32[2]
// HEADER-NEXT:  * buffers[2]: f32[?x2] result
// HEADER-NEXT:  * sizes[1]: its dimension 0
// HEADER-NEXT:  */
// HEADER-NEXT: extern void add_rows(const lw_runtime *runtime, void *const *buffers, const int64_t *sizes,
// HEADER:      extern void other(
// OBJECT-NOT:  main
// OBJECT:      T scaled
// OTHER:       #ifndef LOOPWRIGHT_OTHER_H
// OTHER:       extern void scaled(
// FOLDER:      no/where.h: error: cannot be written: No such file or directory
// CPU:         error: 'pentium9' is not a processor of
// NAME:        error: invalid value '3rows' for '--name <NAME>': '3rows' is not an identifier of C, expected letters, digits and _, and no digit first (C1)
// TAKEN:       lw-compile: error: main would be named other, but another function has that name: give another --name
// MISSING:     missing.mlir: error: cannot be read
// NOHEADER:    no/a.h: error: cannot be written: No such file or directory
// ISFOLDER:    a.so: error: cannot be written: is a directory
// LINKER:      error: cannot run the linker no-such-linker
#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<?x2xf32>, %b: tensor<2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %empty = tensor.empty(%n) : tensor<?x2xf32>
  %r = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<?x2xf32>, tensor<2xf32>) outs(%empty : tensor<?x2xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

func.func @other(%x: memref<4xf32> {loop.result}) {
  %zero = arith.constant 0.0 : f32
  loop.for serial %i in 4 {
    loop.block "x" [%v: spatial 4] = (%i) writes(%x[%v : 1]) {
      memref.store %zero, %x[%v] : memref<4xf32>
    }
  }
  return
}
