/* Tests of the C API: results, layouts of tensors, threads, schedules, and each kind of bad input. utils/memcheck.sh runs it under
 * valgrind, too.
 *
 *   capi INPUTS SCRATCH   the folder Inputs, and one to write to
 */
#include "loopwright-c/loopwright.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* As in dlpack.h. */
struct DLTensor {
  void *data;
  struct { int32_t type, id; } device;
  int32_t ndim;
  struct { uint8_t code, bits; uint16_t lanes; } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

static const char ADD[] = "func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                          "  %sum = graph.add %x, %y : tensor<2x3xf32>\n"
                          "  return %sum : tensor<2x3xf32>\n"
                          "}\n";

static const char DYNAMIC[] =
    "func.func @scaled(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
    "  %p = arith.mulf %x, %y : tensor<?x4xf32>\n"
    "  return %p : tensor<?x4xf32>\n"
    "}\n"
    "func.func @row(%x: tensor<?x4xi64>, %i: index) -> tensor<4xi64> {\n"
    "  %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<?x4xi64> to tensor<4xi64>\n"
    "  return %r : tensor<4xi64>\n"
    "}\n";

static const char SCRIPT[] =
    "module attributes {transform.with_named_sequence} {\n"
    "  transform.named_sequence @__transform_main(%module: !transform.any_op) {\n"
    "    %f = transform.sched.function @main in %module version 1\n"
    "    transform.sched.split \"add:j\" in %f factors [-1, 2]\n"
    "    transform.yield\n"
    "  }\n"
    "}\n";

static const char TRACE[] =
    "{\"version\": 1, \"function\": \"main\",\n"
    " \"steps\": [{\"primitive\": \"split\", \"loop\": \"add:j\", \"factors\": [-1, 2]}]}\n";

static lw_context *context;
static lw_error error;

/* The text of the last error has this in it. */
static int says(const char *text) {
  int found = error.message != NULL && strstr(error.message, text) != NULL;
  if (!found)
    fprintf(stderr, "the error is (%s) %s, expected: %s\n", lw_code_name(error.code),
            error.message ? error.message : "none", text);
  return found;
}

static int succeeds(lw_code code) {
  if (code != LW_OK)
    fprintf(stderr, "error (%s): %s\n", lw_code_name(code), error.message ? error.message : "none");
  return code == LW_OK;
}

static int gives(lw_code code, lw_code expected) {
  if (code != expected)
    fprintf(stderr, "error (%s): %s, expected (%s)\n", lw_code_name(code), error.message ? error.message : "none",
            lw_code_name(expected));
  return code == expected;
}

static lw_code compile(const char *text, const lw_compile_options *options, lw_artifact **artifact) {
  return lw_compile_bytes(context, text, strlen(text), "m.mlir", options, artifact, &error);
}

/* Compiles and loads. */
static lw_module *load(const char *text, const lw_compile_options *options, const char *device) {
  lw_artifact *artifact = NULL;
  lw_module *module = NULL;
  CHECK(succeeds(compile(text, options, &artifact)));
  CHECK(succeeds(lw_module_load(context, artifact, device, &module, &error)));
  lw_artifact_destroy(artifact);
  return module;
}

static const lw_function *function_of(const lw_module *module, const char *name) {
  const lw_function *function = NULL;
  CHECK(succeeds(lw_module_function(module, name, &function, &error)));
  return function;
}

static const int64_t SIZES[] = {2, 3};

static lw_tensor matrix(float *data, const int64_t *strides) {
  lw_tensor tensor = {data, LW_F32, 2, SIZES, strides};
  return tensor;
}

/* ---- results */

static void adds_with_any_layout(const lw_function *add) {
  _Alignas(64) float x[16], y[16], sum[16];
  for (int i = 0; i < 16; ++i) {
    x[i] = (float)i;
    y[i] = 100.0f * (float)i;
  }
  /* The first element, and the strides, of x, of y and of the result. */
  static const struct {
    int first[3];
    int64_t strides[3][2];
  } cases[] = {
      {{0, 0, 0}, {{3, 1}, {3, 1}, {3, 1}}},   {{1, 2, 3}, {{3, 1}, {3, 1}, {3, 1}}},
      {{0, 0, 0}, {{1, 2}, {3, 1}, {3, 1}}},   {{0, 0, 0}, {{3, 1}, {3, 1}, {1, 2}}},
      {{5, 0, 0}, {{-3, -1}, {8, 2}, {8, 2}}}, {{0, 0, 5}, {{0, 1}, {0, 0}, {-3, -1}}},
  };
  for (size_t at = 0; at < sizeof cases / sizeof *cases; ++at) {
    for (int i = 0; i < 16; ++i)
      sum[i] = -1.0f;
    const int64_t(*strides)[2] = cases[at].strides;
    const int *first = cases[at].first;
    lw_tensor arguments[] = {matrix(x + first[0], strides[0]), matrix(y + first[1], strides[1]),
                             matrix(sum + first[2], strides[2])};
    CHECK(succeeds(lw_function_run(add, arguments, 3, &error)));
    int written = 0;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        float expected = (float)(first[0] + i * strides[0][0] + j * strides[0][1]) +
                         100.0f * (float)(first[1] + i * strides[1][0] + j * strides[1][1]);
        CHECK(sum[first[2] + i * strides[2][0] + j * strides[2][1]] == expected);
      }
    for (int i = 0; i < 16; ++i)
      written += sum[i] != -1.0f;
    CHECK(written == 6);
  }
  /* Dense, and without strides. */
  lw_tensor arguments[] = {matrix(x, NULL), matrix(y, NULL), matrix(sum, NULL)};
  CHECK(succeeds(lw_function_run(add, arguments, 3, NULL)));
  CHECK(sum[5] == 505.0f);
}

static void adds_tensors_of_dlpack(const lw_function *add) {
  _Alignas(64) float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, sum[8] = {0};
  int64_t sizes[] = {2, 3}, transposed[] = {1, 2};
  struct DLTensor a = {x, {1, 0}, 2, {2, 32, 1}, sizes, NULL, 0};
  struct DLTensor b = {x, {1, 0}, 2, {2, 32, 1}, sizes, transposed, 8};
  struct DLTensor c = {sum, {1, 0}, 2, {2, 32, 1}, sizes, NULL, 4};
  const struct DLTensor *arguments[] = {&a, &b, &c};
  CHECK(succeeds(lw_function_run_dlpack(add, arguments, 3, &error)));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      CHECK(sum[1 + 3 * i + j] == (float)(3 * i + j) + (float)(2 + i + 2 * j));
  c.device.type = 2;
  CHECK(lw_function_run_dlpack(add, arguments, 3, &error) == LW_ARGUMENT && says("argument 2"));
  arguments[0] = NULL;
  CHECK(lw_function_run_dlpack(add, arguments, 3, &error) == LW_ARGUMENT && says("null pointer"));
}

static void describes_functions(const lw_module *module, const lw_function *add) {
  CHECK(lw_module_function_count(module) == 1 && lw_module_function_at(module, 0) == add);
  CHECK(lw_module_function_at(module, 1) == NULL && lw_module_function_at(NULL, 0) == NULL);
  CHECK(strcmp(lw_function_name(add), "main") == 0 && lw_function_argument_count(add) == 3);
  lw_argument argument;
  CHECK(lw_function_argument(add, 2, &argument, &error) == LW_OK);
  CHECK(argument.kind == LW_RESULT && argument.dtype == LW_F32 && argument.rank == 2);
  CHECK(argument.sizes[0] == 2 && argument.sizes[1] == 3 && argument.name == NULL);
  CHECK(lw_function_argument(add, 3, &argument, &error) == LW_FUNCTION && says("expected one below 3"));
}

static void runs_on_dynamic_sizes(void) {
  lw_module *module = load(DYNAMIC, NULL, "cpu");
  const lw_function *function = NULL;
  CHECK(lw_module_function_count(module) == 2);
  CHECK(lw_module_function(module, NULL, &function, &error) == LW_FUNCTION && says("scaled, row"));
  CHECK(lw_module_function(module, "column", &function, &error) == LW_FUNCTION && says("'column'"));
  const lw_function *scaled = function_of(module, "scaled"), *row = function_of(module, "row");
  lw_argument argument;
  CHECK(lw_function_argument(scaled, 0, &argument, &error) == LW_OK);
  CHECK(argument.sizes[0] == LW_DYNAMIC && argument.sizes[1] == 4);
  CHECK(lw_function_argument(row, 1, &argument, &error) == LW_OK);
  CHECK(argument.kind == LW_INDEX && argument.rank == 0);

  float x[20], y[20], product[20];
  for (int i = 0; i < 20; ++i) {
    x[i] = (float)i;
    y[i] = 2.0f;
  }
  for (int64_t rows = 0; rows <= 5; ++rows) {
    int64_t sizes[] = {rows, 4};
    lw_tensor arguments[] = {
        {x, LW_F32, 2, sizes, NULL}, {y, LW_F32, 2, sizes, NULL}, {product, LW_F32, 2, sizes, NULL}};
    CHECK(succeeds(lw_function_run(scaled, arguments, 3, &error)));
    for (int i = 0; i < 4 * rows; ++i)
      CHECK(product[i] == 2.0f * (float)i);
    /* Two sizes that must be equal. */
    int64_t others[] = {rows + 1, 4};
    arguments[1].sizes = others;
    if (rows < 5)
      CHECK(lw_function_run(scaled, arguments, 3, &error) == LW_ARGUMENT && says("dimension 0 of argument 1"));
  }

  int64_t table[12], found[4], index = 2, sizes[] = {3, 4}, four = 4;
  for (int i = 0; i < 12; ++i)
    table[i] = i;
  lw_tensor arguments[] = {
      {table, LW_I64, 2, sizes, NULL}, {&index, LW_I64, 0, NULL, NULL}, {found, LW_I64, 1, &four, NULL}};
  CHECK(succeeds(lw_function_run(row, arguments, 3, &error)));
  CHECK(found[0] == 8 && found[3] == 11);
  index = 3;
  CHECK(lw_function_run(row, arguments, 3, &error) == LW_ARGUMENT);
  lw_module_destroy(module);
}

static void runs_on_the_emulator(void) {
  lw_compile_options options = {.target = "sm_80"};
  lw_module *module = load(ADD, &options, "emulator");
  const lw_function *add = function_of(module, NULL);
  adds_with_any_layout(add);
  lw_tensor none = {NULL, LW_F32, 2, SIZES, NULL};
  lw_tensor arguments[] = {none, none, none};
  CHECK(lw_function_run(add, arguments, 3, &error) == LW_ARGUMENT && says("no memory"));
  lw_module_destroy(module);
}

static void follows_schedules(void) {
  const char *texts[] = {SCRIPT, TRACE};
  for (int i = 0; i < 2; ++i) {
    lw_compile_options options = {.schedule = texts[i], .schedule_name = "s", .contract = "fast"};
    lw_module *module = load(ADD, &options, NULL);
    adds_with_any_layout(function_of(module, "main"));
    lw_module_destroy(module);
  }
}

static void loads_for_named_processors(void) {
  lw_compile_options options = {.cpu = "x86-64", .require_vector = true};
  lw_module *module = load(ADD, &options, NULL);
  adds_with_any_layout(function_of(module, "main"));
  lw_module_destroy(module);
}

/* ---- files */

static void path_in(char *path, const char *folder, const char *name) {
  snprintf(path, 1000, "%s/%s", folder, name);
}

static void saves_artifacts(const char *scratch) {
  static const char *names[] = {"add.so", "add.a", "add.o"};
  char path[1000];
  lw_artifact *artifact = NULL;
  CHECK(succeeds(compile(ADD, NULL, &artifact)));
  path_in(path, scratch, "main.o");
  CHECK(lw_artifact_save(artifact, path, &error) == LW_OPTION && says("main"));
  lw_artifact_destroy(artifact);

  lw_compile_options options = {.name = "add"};
  CHECK(succeeds(compile(ADD, &options, &artifact)));
  for (int i = 0; i < 3; ++i) {
    path_in(path, scratch, names[i]);
    CHECK(succeeds(lw_artifact_save(artifact, path, &error)));
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL && fgetc(file) != EOF);
    fclose(file);
  }
  path_in(path, scratch, "add.lwb");
  CHECK(lw_artifact_save(artifact, path, &error) == LW_OPTION && says(".so (a shared library)"));
  path_in(path, scratch, "no folder/add.o");
  CHECK(lw_artifact_save(artifact, path, &error) == LW_WRITE && strstr(error.file, "no folder") != NULL);
  lw_artifact_destroy(artifact);

  lw_compile_options device = {.target = "sm_90a"};
  CHECK(succeeds(compile(ADD, &device, &artifact)));
  path_in(path, scratch, "add.lwb");
  CHECK(succeeds(lw_artifact_save(artifact, path, &error)));
  path_in(path, scratch, "add.o");
  CHECK(lw_artifact_save(artifact, path, &error) == LW_OPTION && says(".lwb"));
  lw_artifact_destroy(artifact);
}

static void compiles_files(const char *inputs, const char *scratch) {
  char path[1000];
  lw_artifact *artifact = NULL;
  path_in(path, inputs, "between.mlir");
  CHECK(succeeds(lw_compile_file(context, path, NULL, &artifact, &error)));
  lw_artifact_destroy(artifact);
  /* An ONNX model, with a name for its dimension. */
  path_in(path, inputs, "relu.onnxtxt");
  lw_dimension batch = {"N", 4};
  lw_compile_options options = {.dimensions = &batch, .dimension_count = 1};
  CHECK(succeeds(lw_compile_file(context, path, &options, &artifact, &error)));
  lw_module *module = NULL;
  CHECK(succeeds(lw_module_load(context, artifact, NULL, &module, &error)));
  lw_argument argument;
  CHECK(lw_function_argument(function_of(module, NULL), 0, &argument, &error) == LW_OK);
  CHECK(argument.sizes[0] == 4 && strcmp(argument.name, "X") == 0);
  /* The module lives without its artifact. */
  lw_artifact_destroy(artifact);
  float x[8] = {-1, 2, -3, 4, -5, 6, -7, 8}, y[8];
  int64_t sizes[] = {4, 2};
  lw_tensor arguments[] = {{x, LW_F32, 2, sizes, NULL}, {y, LW_F32, 2, sizes, NULL}};
  CHECK(succeeds(lw_function_run(lw_module_function_at(module, 0), arguments, 2, &error)));
  CHECK(y[0] == 0 && y[1] == 2 && y[7] == 8);
  lw_module_destroy(module);

  CHECK(lw_compile_file(context, "/no/such.mlir", NULL, &artifact, &error) == LW_UNREADABLE);
  CHECK(strcmp(error.file, "/no/such.mlir") == 0 && says("cannot be read"));
  CHECK(lw_compile_file(context, scratch, NULL, &artifact, &error) == LW_UNREADABLE && says("folder"));
  CHECK(lw_compile_file(context, "/no/such.onnx", NULL, &artifact, &error) == LW_UNREADABLE);
  path_in(path, inputs, "between.mlir");
  CHECK(lw_compile_file(context, path, &options, &artifact, &error) == LW_OPTION && says("dimension N"));
  path_in(path, scratch, "damaged.onnxtxt");
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fputs("<ir_version: 10>\ng (float[2] X) -> (", file) >= 0);
  fclose(file);
  CHECK(lw_compile_file(context, path, NULL, &artifact, &error) == LW_MODEL);
  CHECK(error.line == 2 && error.column > 0 && strcmp(error.file, path) == 0);
}

/* ---- bad input */

static void refuses_models(void) {
  lw_artifact *artifact = NULL;
  CHECK(compile("func.func @f() {\n  %x = oops\n}", NULL, &artifact) == LW_MODEL);
  CHECK(error.line == 2 && error.column == 8 && strcmp(error.file, "m.mlir") == 0);
  CHECK(compile("\x93NUMPY\x01 no module at all", NULL, &artifact) == LW_MODEL);
  /* The magic number of bytecode, and nothing behind it. */
  CHECK(lw_compile_bytes(context, "ML\xefR\x06", 5, NULL, NULL, &artifact, &error) == LW_MODEL);
  CHECK(compile("func.func private @f()", NULL, &artifact) == LW_COMPILE && says("no public function"));
  CHECK(compile("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                "  %y = \"stablehlo.abs\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
                "  return %y : tensor<2xf32>\n}",
                NULL, &artifact) == LW_MODEL);
  CHECK(says("stablehlo") && error.line == 2);
  CHECK(lw_compile_bytes(context, NULL, 3, NULL, NULL, &artifact, &error) == LW_NULL && says("bytes"));
  CHECK(lw_compile_file(context, NULL, NULL, &artifact, &error) == LW_NULL && says("path"));
  CHECK(lw_compile_file(context, "\xff.mlir", NULL, &artifact, &error) == LW_OPTION && says("UTF-8"));
  CHECK(lw_compile_bytes(NULL, ADD, 1, NULL, NULL, &artifact, &error) == LW_NULL && says("context"));
  CHECK(compile(ADD, NULL, NULL) == LW_NULL && says("artifact"));
  CHECK(lw_compile_bytes(NULL, NULL, 0, NULL, NULL, NULL, NULL) == LW_NULL);
  CHECK(artifact == NULL);
}

static void refuses_options(void) {
  const lw_dimension named = {"N", 2}, nameless = {NULL, 2};
  const struct {
    lw_compile_options options;
    lw_code code;
    const char *text;
  } cases[] = {
      {{.target = "sm_1"}, LW_TARGET, "found target 'sm_1', expected x86, or one of"},
      {{.target = ""}, LW_TARGET, "expected x86"},
      {{.cpu = "abacus"}, LW_TARGET, "abacus"},
      {{.target = "sm_80", .cpu = "znver4"}, LW_OPTION, "expected target x86"},
      {{.contract = "loose"}, LW_OPTION, "expected strict, reassoc or fast"},
      {{.dimension_count = 1}, LW_NULL, "options.dimensions"},
      {{.dimensions = &named, .dimension_count = 1}, LW_OPTION, "ONNX"},
      {{.dimensions = &nameless, .dimension_count = 1}, LW_NULL, "options.dimensions.name"},
      {{.schedule = "no script"}, LW_SCHEDULE, "is unknown"},
      {{.schedule = "{\"version\": 1}"}, LW_SCHEDULE, "function"},
      {{.schedule = "{\"version\": 1, \"function\": \"main\", \"steps\": [{\"primitive\": \"split\", "
                    "\"loop\": \"add:q\", \"factors\": [2, 2]}]}",
        .schedule_name = "s.json"},
       LW_COMPILE, "add:q"},
  };
  lw_artifact *artifact = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    CHECK(gives(compile(ADD, &cases[i].options, &artifact), cases[i].code) && says(cases[i].text));
  CHECK(artifact == NULL);
  CHECK(compile(ADD, &(lw_compile_options){.schedule = "{\n \"version\": 2}", .schedule_name = "s.json"},
                &artifact) == LW_SCHEDULE);
  CHECK(strcmp(error.file, "s.json") == 0 && error.line == 2);
}

static void refuses_devices(void) {
  lw_artifact *artifact = NULL;
  lw_module *module = NULL;
  CHECK(succeeds(compile(ADD, NULL, &artifact)));
  CHECK(lw_module_load(context, artifact, "emulator", &module, &error) == LW_TARGET && says("expected device cpu"));
  CHECK(lw_module_load(context, artifact, "abacus", &module, &error) == LW_TARGET && says("'abacus'"));
  CHECK(lw_module_load(context, NULL, NULL, &module, &error) == LW_NULL && says("artifact"));
  CHECK(lw_module_load(NULL, artifact, NULL, &module, &error) == LW_NULL && says("context"));
  CHECK(lw_module_load(context, artifact, NULL, NULL, &error) == LW_NULL && says("module"));
  lw_artifact_destroy(artifact);
  lw_compile_options options = {.target = "sm_80"};
  CHECK(succeeds(compile(ADD, &options, &artifact)));
  CHECK(lw_module_load(context, artifact, "cpu", &module, &error) == LW_TARGET && says("emulator"));
  CHECK(lw_module_load(context, artifact, "cuda:4096", &module, &error) == LW_TARGET);
  lw_artifact_destroy(artifact);
  CHECK(module == NULL);
}

static void refuses_arguments(const lw_function *add) {
  _Alignas(64) float x[8] = {0}, sum[8] = {0};
  const int64_t other[] = {3, 2}, negative[] = {2, -3}, huge[] = {INT64_MAX, INT64_MAX}, same[] = {0, 1};
  lw_tensor good = matrix(x, NULL), result = matrix(sum, NULL);
  const struct {
    lw_tensor x, result;
    const char *text;
  } cases[] = {
      {{x, LW_F64, 2, SIZES, NULL}, result, "argument 0 has elements of type f64, expected f32"},
      {{x, 99, 2, SIZES, NULL}, result, "argument 0 has dtype 99"},
      {{x, LW_F32, 1, SIZES, NULL}, result, "argument 0 has rank 1, expected 2"},
      {{x, LW_F32, -1, SIZES, NULL}, result, "argument 0: found rank -1"},
      {{x, LW_F32, 2, other, NULL}, result, "argument 0 has size 3 in dimension 0, expected 2"},
      {{x, LW_F32, 2, negative, NULL}, result, "size -3 in dimension 1"},
      {{x, LW_F32, 2, huge, NULL}, result, "argument 0"},
      {{x, LW_F32, 2, NULL, NULL}, result, "no shape"},
      {{NULL, LW_F32, 2, SIZES, NULL}, result, "argument 0: found no memory"},
      {{x, LW_F32, 2, SIZES, huge}, result, "strides"},
      {good, {sum, LW_F32, 2, SIZES, same}, "argument 2: found strides [0, 1] for a result"},
      {good, {x, LW_F32, 2, SIZES, NULL}, "argument 2 receives a result and overlaps argument 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    lw_tensor arguments[] = {cases[i].x, good, cases[i].result};
    CHECK(lw_function_run(add, arguments, 3, &error) == LW_ARGUMENT && says(cases[i].text));
  }
  lw_tensor arguments[] = {good, good, result};
  CHECK(lw_function_run(add, arguments, 2, &error) == LW_ARGUMENT && says("found 2 arguments, expected 3"));
  CHECK(lw_function_run(add, NULL, 3, &error) == LW_NULL && says("arguments"));
  CHECK(lw_function_run(NULL, arguments, 3, &error) == LW_NULL && says("function"));
}

static void accepts_null(void) {
  lw_error_clear(NULL);
  lw_context_destroy(NULL);
  lw_artifact_destroy(NULL);
  lw_module_destroy(NULL);
  CHECK(lw_module_function_count(NULL) == 0 && lw_function_argument_count(NULL) == 0);
  CHECK(lw_function_name(NULL) == NULL);
  CHECK(lw_context_create(NULL, NULL, &error) == LW_NULL);
  CHECK(strcmp(lw_code_name((lw_code)99), "unknown") == 0 && strcmp(lw_code_name(LW_RUN), "run") == 0);
  CHECK(strlen(lw_version()) >= 5);
}

/* ---- messages */

struct received {
  int phases, passes;
};

static void receive(lw_severity severity, const char *text, void *user) {
  struct received *received = user;
  received->phases += severity == LW_INFO && strstr(text, "phase") != NULL;
  received->passes += severity == LW_DEBUG;
}

static void reports_messages(void) {
  static const lw_severity most[] = {0, LW_WARNING, LW_INFO, LW_DEBUG};
  for (int i = 0; i < 4; ++i) {
    struct received received = {0, 0};
    lw_context_options options = {.threads = 1, .log = receive, .log_user = &received, .log_severity = most[i]};
    lw_context *own = NULL;
    lw_artifact *artifact = NULL;
    CHECK(succeeds(lw_context_create(&options, &own, &error)));
    CHECK(succeeds(lw_compile_bytes(own, ADD, strlen(ADD), NULL, NULL, &artifact, &error)));
    CHECK((received.phases >= 5) == (most[i] >= LW_INFO) && (received.passes > 0) == (most[i] == LW_DEBUG));
    lw_artifact_destroy(artifact);
    lw_context_destroy(own);
  }
  lw_context_options options = {.log = receive, .log_severity = (lw_severity)77};
  lw_context *own = NULL;
  CHECK(lw_context_create(&options, &own, &error) == LW_OPTION && own == NULL);
}

/* ---- threads */

static void *run_often(void *argument) {
  const lw_function *add = argument;
  _Alignas(64) float x[6] = {1, 2, 3, 4, 5, 6}, sum[6];
  for (int i = 0; i < 100; ++i) {
    memset(sum, 0, sizeof sum);
    lw_tensor arguments[] = {matrix(x, NULL), matrix(x, NULL), matrix(sum, NULL)};
    if (lw_function_run(add, arguments, 3, NULL) != LW_OK || sum[5] != 12.0f)
      return argument;
  }
  return NULL;
}

static void *compile_too(void *argument) {
  lw_error own = {0};
  lw_artifact *artifact = NULL;
  lw_code code = lw_compile_bytes(context, ADD, strlen(ADD), NULL, NULL, &artifact, &own);
  lw_artifact_destroy(artifact);
  lw_code refused = lw_compile_bytes(context, "oops", 4, NULL, NULL, &artifact, &own);
  lw_error_clear(&own);
  return code == LW_OK && refused == LW_MODEL ? NULL : argument;
}

static void serves_several_threads(const lw_function *add) {
  pthread_t threads[6];
  for (int i = 0; i < 6; ++i)
    CHECK(pthread_create(&threads[i], NULL, i % 3 == 2 ? compile_too : run_often, (void *)add) == 0);
  for (int i = 0; i < 6; ++i) {
    void *failed = NULL;
    CHECK(pthread_join(threads[i], &failed) == 0 && failed == NULL);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  accepts_null();
  CHECK(succeeds(lw_context_create(NULL, &context, &error)));
  lw_module *module = load(ADD, NULL, NULL);
  const lw_function *add = function_of(module, NULL);
  describes_functions(module, add);
  adds_with_any_layout(add);
  adds_tensors_of_dlpack(add);
  runs_on_dynamic_sizes();
  runs_on_the_emulator();
  follows_schedules();
  loads_for_named_processors();
  saves_artifacts(argv[2]);
  compiles_files(argv[1], argv[2]);
  refuses_models();
  refuses_options();
  refuses_devices();
  refuses_arguments(add);
  reports_messages();
  serves_several_threads(add);
  /* A module outlives its context. */
  lw_context_destroy(context);
  adds_with_any_layout(add);
  lw_module_destroy(module);
  lw_error_clear(&error);
  CHECK(error.message == NULL && error.file == NULL && error.code == LW_OK);
  puts("passed");
  return 0;
}
