// The log of the tools: the lines of each kind, filters by level and by target, and wrong filters.

// Choices and phases.
// RUN: lw-run %s --target x86 --log info 2>&1 >out.txt | FileCheck %s --check-prefix=INFO --implicit-check-not=DEBUG --implicit-check-not=TRACE
// Passes, steps, and why other strategies are not chosen.
// RUN: lw-run %s --target x86 --log=debug 2>&1 >out.txt | FileCheck %s --check-prefix=DEBUG --implicit-check-not=TRACE
// Proofs, and nothing else.
// RUN: lw-run %S/../models/mlp.linalg.mlir --target x86 --compile-to schedule --log off,legality=trace 2>&1 >out.txt | FileCheck %s --check-prefix=PROOF --implicit-check-not=INFO --implicit-check-not=DEBUG
// The variable; the option has precedence.
// RUN: env LOOPWRIGHT_LOG=pipeline=info lw-run %s --target x86 2>&1 >out.txt | FileCheck %s --check-prefix=VARIABLE --implicit-check-not=strategy --implicit-check-not=codegen
// RUN: env LOOPWRIGHT_LOG=trace lw-run %s --target x86 --log off >out.txt 2>err.txt
// RUN: env LOOPWRIGHT_LOG= lw-run %s --target x86 >out.txt 2>>err.txt
// RUN: lw-run %s --target x86 >out.txt 2>>err.txt
// RUN: count 0 < err.txt
// The cache.
// RUN: lw-run %s --target x86 --cache kept --log codegen=info 2>&1 >out.txt | FileCheck %s --check-prefix=MISS
// RUN: lw-run %s --target x86 --cache kept --log codegen=info 2>&1 >out.txt | FileCheck %s --check-prefix=HIT --implicit-check-not=llvm-passes
// The other tools.
// RUN: lw-compile %s -o kernels.o --log info 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: lw-compile %s -o kernels.lwb --target sm_80 --log info 2>&1 | FileCheck %s --check-prefix=BUNDLE
// RUN: lw-bench --compile W1s --log pipeline=info 2>&1 >out.txt | FileCheck %s --check-prefix=VARIABLE
// RUN: lw-opt %s --convert-linalg-to-loop --sched-split='loop=exp:i factors=-1,5' --log=debug -o /dev/null 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not lw-opt %s --convert-linalg-to-loop --sched-split='loop=exp:i factors=0,5' --log debug -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: lw-opt %s --lw-x86-pipeline --log=info -o /dev/null 2>&1 | FileCheck %s --check-prefix=PHASES
// RUN: lw-opt %s --convert-linalg-to-loop --sched-verify --sched-split='loop=exp:i factors=-1,5' --log=verify=debug -o /dev/null 2>&1 | FileCheck %s --check-prefix=VERIFY
// Wrong filters and files.
// RUN: not lw-run %s --log loud 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not lw-opt %s --log=pass=loud 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not lw-compile %s -o kernels.o --log "" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not lw-bench --list --log passes=info 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not env LOOPWRIGHT_LOG=info,, lw-opt %s 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not lw-opt %s --log 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lw-run %s --trace-out no/where.json 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not lw-opt %s --trace-out=/dev/full 2>&1 >out.txt | FileCheck %s --check-prefix=FULL

// INFO:     INFO phase{name=linalg}: loopwright::pipeline: close time.busy=
// INFO:     INFO phase{name=schedule}: loopwright::pipeline: the schedule of the module schedule=strategies
// INFO:     INFO phase{name=schedule}:function{name=main}: loopwright::strategy: chosen name=x86.elementwise priority={{[0-9]+}} blocks=exp
// INFO:     INFO phase{name=llvm}: loopwright::pipeline: close
// INFO:     INFO codegen{name=llvm-passes}: loopwright::codegen: close
// INFO:     INFO codegen{name=object}: loopwright::codegen: close
// INFO:     INFO codegen{name=link}: loopwright::codegen: close
// DEBUG:     DEBUG phase{name=loop}:pass{name=convert-linalg-to-loop on=builtin.module}: loopwright::pass: close time.busy=
// DEBUG:     DEBUG phase{name=schedule}:function{name=main}:strategy{name=x86.elementwise blocks=exp}:step{name=vectorize on=main arguments="exp:i"
// DEBUG:     DEBUG phase{name=schedule}:function{name=main}: loopwright::strategy: does not apply name=x86.rows blocks=exp why=it has no reduction
// DEBUG:     DEBUG phase{name=vector}:pass{name=canonicalize on=@main}: loopwright::pass: close
// DEBUG:     DEBUG codegen{name=llvm-passes}: loopwright::codegen: group of LLVM passes
// PROOF:     TRACE loopwright::legality: proved by the roles of iters
// PROOF:     TRACE proof{name={{[a-z-]+}} work={{[0-9]+}} verdict=proved}: loopwright::legality: close
// VARIABLE:  INFO phase{name=vector}: loopwright::pipeline: close
// MISS:      INFO loopwright::codegen: cache miss key={{[0-9a-f]+}}
// MISS:      INFO codegen{name=llvm-passes}
// HIT:       INFO loopwright::codegen: cache hit key={{[0-9a-f]+}}
// OBJECT:    INFO codegen{name=object}: loopwright::codegen: close
// BUNDLE:    INFO phase{name=schedule}: loopwright::pipeline: the schedule of the module schedule=device strategies
// BUNDLE:    INFO phase{name=ptx}: loopwright::pipeline: close
// BUNDLE:    INFO codegen{name=program chip=sm_80}: loopwright::codegen: close
// STEP:      DEBUG pass{name=sched-split on=builtin.module}:step{name=split on=main arguments="exp:i" in %f factors [-1, 5]}: loopwright::schedule: applied created=["i.0", "i.1"]
// REFUSED:   DEBUG pass{name=sched-split on=builtin.module}:step{name=split on=main arguments="exp:i" in %f factors [0, 5]}: loopwright::schedule: refused reason=split: found factor 0, expected a positive number or -1 (C{{[0-9]+}})
// REFUSED:   DEBUG pass{name=sched-split on=builtin.module}: loopwright::pass: failed
// PHASES:    INFO phase{name=loop}: loopwright::pipeline: close
// PHASES:    INFO phase{name=llvm}: loopwright::pipeline: close
// VERIFY:    DEBUG verify{name=main cases={{[0-9]+}}}: loopwright::verify: close
// LEVEL:     {{^}}lw-{{run|opt}}: error: --log: 'loud' is no level, expected one of off, error, warn, info, debug, trace{{$}}
// EMPTY:     {{^}}lw-compile: error: --log: '' is no level, expected one of off
// TARGET:    {{^}}lw-bench: error: --log: 'passes' is no target, expected one of analysis, codegen, legality, pass, pipeline, remark, run, schedule, strategy, verify{{$}}
// WRONG:     {{^}}lw-opt: error: LOOPWRIGHT_LOG: '' is no level
// NONE:      {{^}}lw-opt: error: --log has no value (see --help)
// FILE:      {{^}}lw-run: error: --trace-out: no/where.json: cannot be written:
// FULL:      {{^}}lw-opt: error: --trace-out: /dev/full: cannot be written:
func.func @main() -> tensor<100xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<100xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<100xf32>) -> tensor<100xf32>
  %r = linalg.exp ins(%ones : tensor<100xf32>) outs(%empty : tensor<100xf32>) -> tensor<100xf32>
  return %r : tensor<100xf32>
}
