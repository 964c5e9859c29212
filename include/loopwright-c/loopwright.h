/* Loopwright's C API: compiles models, loads the code and runs it. Link libloopwright; examples/c and examples/cpp have programs.
 *
 *   lw_context_create -> lw_compile_file | lw_compile_bytes | lw_compile_module (mlir.h) -> lw_artifact
 *   lw_artifact -> lw_artifact_save        files for programs without a compiler: see loopwright_runtime.h
 *               -> lw_module_load -> lw_module_function -> lw_function_run | lw_function_run_dlpack
 *
 * Errors. A function that can fail returns a code, and LW_OK if it did not. It writes the error to its last parameter, which
 * may be null: message, file, line and column. lw_error_clear frees what is in it. After an error no other parameter was
 * written, but the results of a run have unspecified elements.
 *
 * Threads. All objects may be used by several threads at once, except in calls that destroy them. Each compilation has a
 * context of MLIR of its own. What differs is stated at the function.
 *
 * Null. A parameter must not be null unless its comment says so: LW_NULL is returned then, and nothing happens. Destroying a
 * null pointer is permitted.
 *
 * Memory. A function whose name ends in _create, _compile.., _load makes an object, which the function .._destroy of its type
 * frees, in any order. Texts are UTF-8, end with NUL, and are copied by the functions that receive them.
 */
#ifndef LOOPWRIGHT_C_LOOPWRIGHT_H
#define LOOPWRIGHT_C_LOOPWRIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The threads of the CPU, and the receiver of messages. */
typedef struct lw_context lw_context;
/* A compiled model: machine code, or a program for a GPU. It holds the weights of the model. */
typedef struct lw_artifact lw_artifact;
/* An artifact on a device. */
typedef struct lw_module lw_module;
/* A function of a module. It belongs to the module, and is valid until the module is destroyed. */
typedef struct lw_function lw_function;
/* A tensor of DLPack's header dlpack.h, which this one does not include. */
struct DLTensor;

/* ---- errors ---- */

typedef enum lw_code {
  LW_OK = 0,
  LW_NULL = 1,       /* a pointer is null */
  LW_UNREADABLE = 2, /* a file cannot be read */
  LW_MODEL = 3,      /* neither a valid module nor an ONNX model that can be imported */
  LW_SCHEDULE = 4,   /* neither a valid transform script nor a trace as JSON */
  LW_TARGET = 5,     /* the target, processor or device is not known, or is not there */
  LW_OPTION = 6,     /* an option is not valid, or does not fit the model */
  LW_COMPILE = 7,    /* a pass, a step of the schedule or the code generator refuses the model */
  LW_WRITE = 8,      /* a file cannot be written, or the linker fails */
  LW_LOAD = 9,       /* the code cannot be loaded on the device */
  LW_FUNCTION = 10,  /* the module has no such function or argument */
  LW_ARGUMENT = 11,  /* an argument of a run does not fit the function */
  LW_RUN = 12,       /* the device reports an error */
  LW_INTERNAL = 13   /* a fault of Loopwright */
} lw_code;

/* An error. Zero-initialize it. A function that fails frees what an earlier one has left in it. */
typedef struct lw_error {
  lw_code code;
  /* What was found and what was expected. Notes follow on lines of their own. Null if there is no error. */
  char *message;
  /* The file of the model or schedule, or null. */
  char *file;
  /* From 1, the column in bytes; 0 if not known. */
  int64_t line;
  int64_t column;
} lw_error;

/* Frees the texts of an error, and sets all fields to zero. `error` may be null. Thread-safe for distinct errors. */
void lw_error_clear(lw_error *error);

/* The name of a code, such as "argument"; "unknown" for other numbers. The text is static. Thread-safe. */
const char *lw_code_name(lw_code code);

/* The version of Loopwright, such as "0.1.0". The text is static. Thread-safe. */
const char *lw_version(void);

/* ---- context ---- */

typedef enum lw_severity {
  LW_WARNING = 1,
  LW_REMARK = 2,
  LW_INFO = 3, /* the phases of a compilation, and choices */
  LW_DEBUG = 4 /* passes, steps of schedules, refusals */
} lw_severity;

/* Receives a message: a warning or remark as file:line:col: severity: message, or an event of the log. The text is valid during
 * the call. It is called on a thread of the compilation, before that returns; by several threads at once if several
 * compile. It must not jump out or throw. */
typedef void (*lw_log_function)(lw_severity severity, const char *text, void *user);

/* Zero-initialize it: that is the default of each field. */
typedef struct lw_context_options {
  /* The threads that run a function of the CPU; 0: one per core. */
  size_t threads;
  /* Receives messages; null: they are dropped. Errors are not messages. */
  lw_log_function log;
  /* The last parameter of `log`. */
  void *log_user;
  /* The least severe messages that `log` receives; 0: LW_REMARK. */
  lw_severity log_severity;
} lw_context_options;

/* Makes a context. `options` may be null. Thread-safe. */
lw_code lw_context_create(const lw_context_options *options, lw_context **context, lw_error *error);

/* Frees a context. Its modules may be used afterwards. Not while another call uses it. `context` may be null. */
void lw_context_destroy(lw_context *context);

/* ---- compilation ---- */

/* The size of the dimensions that have this name in an ONNX model. */
typedef struct lw_dimension {
  const char *name;
  uint64_t size;
} lw_dimension;

/* Zero-initialize it: that is the default of each field. */
typedef struct lw_compile_options {
  /* "x86", or the architecture of a GPU such as "sm_80" or "sm_90a"; null: "x86". */
  const char *target;
  /* The processor by LLVM's name, such as "znver4" or "x86-64-v3", for target x86; null: this machine's. */
  const char *cpu;
  /* The text of a transform script, or of a trace as JSON; null: default schedules. */
  const char *schedule;
  /* The file in locations of the schedule; null: "schedule". */
  const char *schedule_name;
  /* The floating-point contract of functions that state none: "strict", "reassoc" or "fast"; null: "strict". */
  const char *contract;
  /* Sizes of named dimensions of an ONNX model. */
  const lw_dimension *dimensions;
  size_t dimension_count;
  /* The name of the function "main"; null: "main". lw_artifact_save needs another name than "main". */
  const char *name;
  /* A vectorized loop without a vector form is an error. */
  bool require_vector;
} lw_compile_options;

/* Compiles the model of a file: a module as text or bytecode, or an ONNX model (.onnx, .onnxtxt). `options` may be null.
 * Thread-safe. */
lw_code lw_compile_file(lw_context *context, const char *path, const lw_compile_options *options,
                        lw_artifact **artifact, lw_error *error);

/* Compiles a module from memory: `size` bytes of text or bytecode. `name` is the file in locations; null: "module".
 * `options` may be null. Thread-safe. */
lw_code lw_compile_bytes(lw_context *context, const void *bytes, size_t size, const char *name,
                         const lw_compile_options *options, lw_artifact **artifact, lw_error *error);

/* Writes machine code to a shared library (.so, linked by $CC or cc), an archive (.a) or an object file (.o), with a C header
 * beside it (.h); or a program for a GPU to a bundle (.lwb). Files are replaced as a whole or not at all. Thread-safe for
 * distinct paths. */
lw_code lw_artifact_save(const lw_artifact *artifact, const char *path, lw_error *error);

/* Frees an artifact. Its modules may be used afterwards. Not while another call uses it. `artifact` may be null. */
void lw_artifact_destroy(lw_artifact *artifact);

/* ---- modules and functions ---- */

/* Loads an artifact on a device: "cpu", "cuda:0" or "emulator" (of a GPU); null: the CPU, or for a GPU target the first GPU, or
 * the emulator if there is none. Functions run on the threads of `context`, one after the other on a GPU. Thread-safe. */
lw_code lw_module_load(lw_context *context, const lw_artifact *artifact, const char *device,
                       lw_module **module, lw_error *error);

/* Frees a module and its functions. Not while another call uses them. `module` may be null. */
void lw_module_destroy(lw_module *module);

/* The number of functions; 0 if `module` is null. Thread-safe. */
size_t lw_module_function_count(const lw_module *module);

/* The function with this number, from 0 on; null if there is none. Thread-safe. */
const lw_function *lw_module_function_at(const lw_module *module, size_t number);

/* The function with a name; `name` may be null if there is one function. Thread-safe. */
lw_code lw_module_function(const lw_module *module, const char *name, const lw_function **function,
                           lw_error *error);

/* The name; null if `function` is null. Valid as long as the function. Thread-safe. */
const char *lw_function_name(const lw_function *function);

/* The number of arguments of a run: inputs, and results; 0 if `function` is null. Thread-safe. */
size_t lw_function_argument_count(const lw_function *function);

typedef enum lw_dtype {
  LW_BOOL = 1, /* a byte 0 or 1 */
  LW_I8 = 2,
  LW_I16 = 3,
  LW_I32 = 4,
  LW_I64 = 5,
  LW_F16 = 6,
  LW_BF16 = 7,
  LW_F32 = 8,
  LW_F64 = 9
} lw_dtype;

typedef enum lw_argument_kind {
  LW_INPUT = 1,  /* a tensor that is read */
  LW_RESULT = 2, /* a tensor that is written; its elements before do not matter */
  LW_INDEX = 3   /* an integer: in a run, a tensor of rank 0 with an element of type LW_I64 */
} lw_argument_kind;

/* A size that each run chooses. */
#define LW_DYNAMIC ((int64_t)-1)

/* The type of an argument. Its pointers are valid as long as the function. */
typedef struct lw_argument {
  lw_argument_kind kind;
  lw_dtype dtype;
  int32_t rank;
  /* One for each dimension, the slowest first: a number of elements, or LW_DYNAMIC. Null if the rank is 0. */
  const int64_t *sizes;
  /* The name in the model, or null. */
  const char *name;
} lw_argument;

/* The type of the argument with this number, from 0 on. Thread-safe. */
lw_code lw_function_argument(const lw_function *function, size_t number, lw_argument *argument,
                             lw_error *error);

/* A tensor in memory of the CPU. */
typedef struct lw_tensor {
  /* The first element, which is that of index 0 in all dimensions; may be null if there are no elements. */
  void *data;
  lw_dtype dtype;
  int32_t rank;
  /* One for each dimension, the slowest first. May be null if the rank is 0. */
  const int64_t *sizes;
  /* The distance between neighbours of each dimension in elements, may be negative; null: dense and row-major. */
  const int64_t *strides;
} lw_tensor;

/* Runs a function: `count` tensors, inputs and results in the order of its arguments. Returns when the results are written.
 *
 * A tensor on the CPU is used in place if it is dense and row-major and its first element is at a multiple of 64 bytes. All
 * others are copied, as are all tensors for a GPU. Types, ranks, sizes and conditions on dynamic sizes are checked before the
 * function runs. A result may overlap no other tensor, and no two of its elements may share memory.
 *
 * Thread-safe: runs of one function may overlap in time, each with its own results. No other thread may write the inputs or
 * access the results meanwhile. */
lw_code lw_function_run(const lw_function *function, const lw_tensor *arguments, size_t count, lw_error *error);

/* lw_function_run for tensors of DLPack, whose producer keeps them. Memory of devices other than the CPU is refused.
 * Thread-safe, as lw_function_run. */
lw_code lw_function_run_dlpack(const lw_function *function, const struct DLTensor *const *arguments, size_t count,
                               lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
