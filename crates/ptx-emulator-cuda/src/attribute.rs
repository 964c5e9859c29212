//! The attributes of the emulated device: those of an H200, since kernels for an H200 run here.

/// The name of the device.
pub const NAME: &str = "PTX emulator";

/// By the numbers of `CUdevice_attribute`; attributes that are not listed are 0.
const ATTRIBUTES: &[(i32, i32)] = &[
    (1, 1024),                  // MAX_THREADS_PER_BLOCK
    (2, 1024),                  // MAX_BLOCK_DIM_X
    (3, 1024),                  // MAX_BLOCK_DIM_Y
    (4, 64),                    // MAX_BLOCK_DIM_Z
    (5, i32::MAX),              // MAX_GRID_DIM_X
    (6, 65535),                 // MAX_GRID_DIM_Y
    (7, 65535),                 // MAX_GRID_DIM_Z
    (8, DEFAULT_SHARED as i32), // MAX_SHARED_MEMORY_PER_BLOCK
    (9, 64 << 10),              // TOTAL_CONSTANT_MEMORY
    (10, 32),                   // WARP_SIZE
    (12, 64 << 10),             // MAX_REGISTERS_PER_BLOCK
    (16, 132),                  // MULTIPROCESSOR_COUNT
    (31, 1),                    // CONCURRENT_KERNELS
    (39, 2048),                 // MAX_THREADS_PER_MULTIPROCESSOR
    (41, 1),                    // UNIFIED_ADDRESSING
    (75, 9),                    // COMPUTE_CAPABILITY_MAJOR
    (76, 0),                    // COMPUTE_CAPABILITY_MINOR
    (81, 228 << 10),            // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
    (82, 64 << 10),             // MAX_REGISTERS_PER_MULTIPROCESSOR
    (97, MAX_SHARED as i32),    // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    (106, 32),                  // MAX_BLOCKS_PER_MULTIPROCESSOR
    (111, 1 << 10),             // RESERVED_SHARED_MEMORY_PER_BLOCK
    (115, 1),                   // MEMORY_POOLS_SUPPORTED
];

/// Shared memory of a block in bytes: the default limit, and the maximum.
pub const DEFAULT_SHARED: u32 = 48 << 10;
pub const MAX_SHARED: u32 = 227 << 10;

/// `None` if there is no such attribute.
pub fn of_device(attribute: i32) -> Option<i32> {
    if !(1..200).contains(&attribute) {
        return None;
    }
    let found = ATTRIBUTES.iter().find(|(number, _)| *number == attribute);
    Some(found.map_or(0, |(_, value)| *value))
}
