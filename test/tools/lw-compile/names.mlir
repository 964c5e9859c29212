// Names that a header declares for C and C++: those of --name, of the output, and of functions.
//
// A name that follows from the output is always one. The header compiles for both languages.
// RUN: lw-compile %s -o int.o && FileCheck %s --check-prefix=INT --input-file=int.h
// RUN: cc -std=c11 -Wall -Werror -I%S/../../../crates/loopwright-runtime/include -fsyntax-only -x c int.h
// RUN: c++ -std=c++20 -Wall -Werror -I%S/../../../crates/loopwright-runtime/include -fsyntax-only -x c++ int.h
//
// RUN: not lw-compile %s -o f.o --name int 2>&1 | FileCheck %s --check-prefix=KEYWORD
// RUN: not lw-compile %s -o f.o --name class 2>&1 | FileCheck %s --check-prefix=CPP
// RUN: not lw-compile %s -o f.o --name main 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not lw-compile %s -o f.o --name a-b 2>&1 | FileCheck %s --check-prefix=IDENTIFIER
// RUN: not lw-compile %s -o f.o --name lw 2>&1 | FileCheck %s --check-prefix=SYMBOL
// RUN: not lw-compile %s -o f.o --name f_workspace 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not lw-compile %S/Inputs/keyword.mlir -o f.o 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not ls f.o f.h

// INT:        extern void kernel_int(
// KEYWORD:    {{^}}lw-compile: error: invalid value 'int' for '--name <NAME>': 'int' is a keyword of C, expected another name (C2)
// CPP:        {{^}}lw-compile: error: invalid value 'class' for '--name <NAME>': 'class' is a keyword of C++, expected another name (C2)
// MAIN:       'main' is the function in which a program starts, expected another name (C2)
// IDENTIFIER: 'a-b' is not an identifier of C, expected letters, digits and _, and no digit first (C1)
// SYMBOL:     a header would declare 'lw_workspace' for 'lw', and that is a type of loopwright_runtime.h (C2)
// TWICE:      names.mlir:[[@LINE+5]]:1: error: functions 'f_workspace' and 'f' would both declare 'f_workspace' in the header, expected names that differ by more than _workspace or _signature
// FUNCTION:   keyword.mlir:2:1: error: a function cannot be exported to C: 'new' is a keyword of C++, expected another name (C2)
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
