/* Compiles examples/row_sum.mlir, runs it once, and prints the sums of the rows of exp(x - y): 11.1073 8.15485.
 *
 *   cc compile_and_run.c -I PREFIX/include -L PREFIX/lib -lloopwright -o compile_and_run
 *   ./compile_and_run examples/row_sum.mlir
 */
#include "loopwright-c/loopwright.h"

#include <stdio.h>

static int report(const char *what, lw_error *error) {
  fprintf(stderr, "%s: %s:%lld:%lld: error (%s): %s\n", what, error->file ? error->file : "-",
          (long long)error->line, (long long)error->column, lw_code_name(error->code), error->message);
  lw_error_clear(error);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s row_sum.mlir\n", argv[0]);
    return 2;
  }
  lw_context *context = NULL;
  lw_artifact *artifact = NULL;
  lw_module *module = NULL;
  const lw_function *function = NULL;
  lw_error error = {0};
  int failed = 0;
  if (lw_context_create(NULL, &context, &error) != LW_OK)
    failed = report("context", &error);
  if (!failed && lw_compile_file(context, argv[1], NULL, &artifact, &error) != LW_OK)
    failed = report("compile", &error);
  if (!failed && lw_module_load(context, artifact, NULL, &module, &error) != LW_OK)
    failed = report("load", &error);
  if (!failed && lw_module_function(module, "main", &function, &error) != LW_OK)
    failed = report("function", &error);

  /* Aligned to 64 bytes, tensors are used in place. */
  _Alignas(64) float x[2][3] = {{0, 1, 2}, {4, 5, 6}};
  _Alignas(64) float y[2][3] = {{0, 0, 0}, {3, 4, 5}};
  _Alignas(64) float sums[2] = {0};
  const int64_t sizes[] = {2, 3}, sums_sizes[] = {2};
  const lw_tensor arguments[] = {
      {.data = x, .dtype = LW_F32, .rank = 2, .sizes = sizes},
      {.data = y, .dtype = LW_F32, .rank = 2, .sizes = sizes},
      {.data = sums, .dtype = LW_F32, .rank = 1, .sizes = sums_sizes},
  };
  if (!failed && lw_function_run(function, arguments, 3, &error) != LW_OK)
    failed = report("run", &error);
  if (!failed)
    printf("%g %g\n", sums[0], sums[1]);

  lw_module_destroy(module);
  lw_artifact_destroy(artifact);
  lw_context_destroy(context);
  return failed;
}
