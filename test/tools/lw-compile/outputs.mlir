// The suffix of the output decides what is written. No output overwrites another file of the command.
//
// An archive links into a program, as an object file does; --target x86 is the default.
// RUN: lw-compile %s -o double.a --target x86
// RUN: llvm-ar t double.a | FileCheck %s --check-prefix=MEMBER
// RUN: llvm-nm --print-armap double.a | FileCheck %s --check-prefix=INDEX
// RUN: cc -std=c11 -Wall -Werror -I. -I%S/../../../crates/loopwright-runtime/include %S/Inputs/call.c -o call double.a -lm
// RUN: ./call | FileCheck %s --check-prefix=CALL
// RUN: lw-compile %s -o double.so --trace-out double.json
//
// Refusals come before anything is written.
// RUN: rm -rf r && mkdir r && cp %s r/m.mlir
// RUN: not lw-compile r/m.mlir -o r/foo.h 2>&1 | FileCheck %s --check-prefix=SUFFIX
// RUN: not lw-compile r/m.mlir -o r/foo 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lw-compile r/m.mlir -o r/m.mlir 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not lw-compile r/m.mlir -o r/foo.so --target sm_80 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not lw-compile r/m.mlir -o r/foo.bin --target sm_80 2>&1 | FileCheck %s --check-prefix=GPUSUFFIX
// RUN: not lw-compile r/m.mlir -o r/foo.lwb 2>&1 | FileCheck %s --check-prefix=BUNDLE
// RUN: not lw-compile r/m.mlir -o r/foo.lwb --target x86,sm_80 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not lw-compile r/m.mlir -o r/foo.lwb --target sm_80 --name f 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not lw-compile r/m.mlir -o r/foo.so --header r/../r/foo.so 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not lw-compile r/m.mlir -o r/foo.so --header r/m.mlir 2>&1 | FileCheck %s --check-prefix=OVERMODEL
// RUN: not lw-compile r/m.mlir -o r/foo.so --trace-out r/foo.h 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: not lw-compile r/m.mlir -o r/foo.lwb --target sm_80 --schedule r/foo.lwb 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not lw-run r/m.mlir --output r/y.npy --output r/./y.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not lw-run r/m.mlir --output r/m.mlir 2>&1 | FileCheck %s --check-prefix=RUNMODEL
// RUN: ls -A r | FileCheck %s --check-prefix=LEFT --implicit-check-not=foo
//
// If one file cannot be written, the others stay as they are.
// RUN: mkdir r/bar.so && echo old > r/bar.h
// RUN: not lw-compile r/m.mlir -o r/bar.so 2>&1 | FileCheck %s --check-prefix=ISFOLDER
// RUN: FileCheck %s --check-prefix=OLD --input-file=r/bar.h
// RUN: ls -A r | FileCheck %s --check-prefix=LEFT --implicit-check-not=tmp

// MEMBER:     double.o
// INDEX:      kernel_double in double.o
// INDEX-NEXT: kernel_double_workspace in double.o
// INDEX-NEXT: kernel_double_signature in double.o
// CALL:       2 4 6 8
// SUFFIX:     {{^}}lw-compile: error: --output 'r/foo.h' has the suffix .h, expected .so (a shared library), .a (an archive) or .o (an object file) (see --help)
// NONE:       {{^}}lw-compile: error: --output 'r/foo' has no suffix, expected .so
// MODEL:      {{^}}lw-compile: error: --output 'r/m.mlir' has the suffix .mlir, expected .so
// GPU:        {{^}}lw-compile: error: --output 'r/foo.so' is a file for x86, programs for GPUs are a bundle: give --output FILE.lwb
// GPUSUFFIX:  {{^}}lw-compile: error: --output 'r/foo.bin' has the suffix .bin, expected .lwb (a bundle)
// BUNDLE:     {{^}}lw-compile: error: --output 'r/foo.lwb' is a bundle, for GPUs: give --target sm_80
// BOTH:       {{^}}lw-compile: error: --target has x86 and GPUs: give one --output for each
// NAME:       {{^}}lw-compile: error: --name is for --target x86
// HEADER:     {{^}}lw-compile: error: --header would overwrite --output 'r/foo.so': give it a file of its own
// OVERMODEL:  {{^}}lw-compile: error: --header would overwrite the model 'r/m.mlir': give it a file of its own
// TRACE:      {{^}}lw-compile: error: --trace-out would overwrite --header 'r/foo.h': give it a file of its own
// SCHEDULE:   {{^}}lw-compile: error: --output would overwrite --schedule 'r/foo.lwb': give it a file of its own
// TWICE:      {{^}}lw-run: error: --output would overwrite --output 'r/y.npy': give it a file of its own
// RUNMODEL:   {{^}}lw-run: error: --output would overwrite the model 'r/m.mlir': give it a file of its own
// LEFT:       m.mlir
// ISFOLDER:   {{^}}r/bar.so: error: cannot be written: is a directory
// OLD:        old
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.add %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
