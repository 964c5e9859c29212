//! What GPUs can do.

use crate::dialect::loop_enums::ThreadAxis;

/// The limits of the threads of a GPU.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLimits {
    /// Thread blocks in x, y and z.
    pub grid: [i64; 3],
    /// Threads of a block in x, y and z.
    pub block: [i64; 3],
    /// Threads of a block in all.
    pub threads: i64,
    /// Bytes of a block's memory that a kernel may ask for without more ado.
    pub shared: i64,
    /// Bytes of memory that a thread can have for itself.
    pub local: i64,
    /// The widest access of a thread.
    pub vector_bits: i64,
}

/// What all CUDA devices from compute capability 3.0 on have.
pub const CUDA: ThreadLimits = ThreadLimits {
    grid: [2_147_483_647, 65_535, 65_535],
    block: [1024, 1024, 64],
    threads: 1024,
    shared: 48 * 1024,
    local: 512 * 1024,
    vector_bits: 128,
};

impl ThreadLimits {
    /// How far an axis may go; `None`: as far as one likes.
    pub fn of(&self, axis: ThreadAxis) -> Option<i64> {
        match axis {
            ThreadAxis::BlockX => Some(self.grid[0]),
            ThreadAxis::BlockY => Some(self.grid[1]),
            ThreadAxis::BlockZ => Some(self.grid[2]),
            ThreadAxis::ThreadX => Some(self.block[0]),
            ThreadAxis::ThreadY => Some(self.block[1]),
            ThreadAxis::ThreadZ => Some(self.block[2]),
            ThreadAxis::VThread => None,
        }
    }
}
