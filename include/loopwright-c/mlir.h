/* Loopwright and MLIR's C API: dialects, passes and modules of a program that has its own MlirContext. The program must use the
 * same libMLIR as libloopwright. */
#ifndef LOOPWRIGHT_C_MLIR_H
#define LOOPWRIGHT_C_MLIR_H

#include "loopwright-c/loopwright.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the dialects loop and graph, and the ops transform.sched.*, to a registry. Not thread-safe for one registry. */
void lw_register_dialects(MlirDialectRegistry registry);

/* Registers all passes and the pipelines lw-x86-pipeline and lw-nvptx-pipeline, once per process. Thread-safe, but not while
 * another thread registers passes with MLIR. */
void lw_register_passes(void);

/* Compiles a module of another context. The module does not change: it is copied, as bytecode, to a context of the
 * compilation, which has the dialects of MLIR and of Loopwright. `options` may be null. Thread-safe, unless another thread
 * changes the module. */
lw_code lw_compile_module(lw_context *context, MlirModule module, const lw_compile_options *options,
                          lw_artifact **artifact, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
