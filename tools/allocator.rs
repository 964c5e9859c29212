//! The allocator of the tools' own memory. Compiling makes many small allocations, for which it is faster than the
//! system's. MLIR and LLVM use the system's.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
