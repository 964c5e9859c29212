// Compiles examples/row_sum.mlir, runs it once, and prints the sums of the rows of exp(x - y): 11.1073 8.15485.
//
//   c++ -std=c++17 compile_and_run.cpp -I PREFIX/include -L PREFIX/lib -lloopwright -o compile_and_run
//   ./compile_and_run examples/row_sum.mlir
//
// With CMake: find_package(Loopwright) and target_link_libraries(.. Loopwright::loopwright).
#include "loopwright-c/loopwright.h"

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

// The objects of the C API are freed at the end of their scope.
template <typename T, void (*destroy)(T *)>
struct Destroy {
  void operator()(T *object) const { destroy(object); }
};
template <typename T, void (*destroy)(T *)>
using Owned = std::unique_ptr<T, Destroy<T, destroy>>;
using Context = Owned<lw_context, lw_context_destroy>;
using Artifact = Owned<lw_artifact, lw_artifact_destroy>;
using Module = Owned<lw_module, lw_module_destroy>;

// Calls a function of the C API; throws its error.
template <typename Function, typename... Arguments>
void call(Function function, Arguments... arguments) {
  lw_error error = {};
  if (function(arguments..., &error) == LW_OK)
    return;
  std::string message = std::string(error.file ? error.file : "-") + ":" + std::to_string(error.line) + ":" +
                        std::to_string(error.column) + ": error (" + lw_code_name(error.code) + "): " + error.message;
  lw_error_clear(&error);
  throw std::runtime_error(message);
}

// As `call`, for a function that makes an object.
template <typename Object, typename Function, typename... Arguments>
Object made(Function function, Arguments... arguments) {
  typename Object::pointer object = nullptr;
  call(function, arguments..., &object);
  return Object(object);
}

template <std::size_t rank>
lw_tensor tensor(float *data, const std::array<int64_t, rank> &sizes) {
  lw_tensor tensor = {};
  tensor.data = data;
  tensor.dtype = LW_F32;
  tensor.rank = rank;
  tensor.sizes = sizes.data();
  return tensor;
}

void run(const char *path) {
  Context context = made<Context>(lw_context_create, nullptr);
  Artifact artifact = made<Artifact>(lw_compile_file, context.get(), path, nullptr);
  Module module = made<Module>(lw_module_load, context.get(), artifact.get(), nullptr);
  const lw_function *function = nullptr;
  call(lw_module_function, module.get(), "main", &function);

  // Aligned to 64 bytes, tensors are used in place.
  alignas(64) float x[2][3] = {{0, 1, 2}, {4, 5, 6}};
  alignas(64) float y[2][3] = {{0, 0, 0}, {3, 4, 5}};
  alignas(64) float sums[2] = {};
  const std::array<int64_t, 2> sizes = {2, 3};
  const std::array<int64_t, 1> sums_sizes = {2};
  const lw_tensor arguments[] = {tensor(x[0], sizes), tensor(y[0], sizes), tensor(sums, sums_sizes)};
  call(lw_function_run, function, arguments, 3);
  std::printf("%g %g\n", sums[0], sums[1]);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s row_sum.mlir\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
