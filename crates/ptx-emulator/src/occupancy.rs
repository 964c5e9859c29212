//! How many blocks fit on a multiprocessor at once, by NVIDIA's tables of what one has.

/// Warps that a multiprocessor can hold of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupancy {
    pub blocks: u32,
    pub warps: u32,
    /// The most warps that any kernel can have there.
    pub max_warps: u32,
    pub limited_by: Limit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Threads,
    Blocks,
    Registers,
    Shared,
}

struct Multiprocessor {
    warps: u32,
    blocks: u32,
    registers: u32,
    /// In bytes.
    shared: u32,
}

/// Shared memory that the system keeps of each block, in bytes.
const SYSTEM_SHARED: u32 = 1024;

/// Registers are given to warps in pieces of so many.
const REGISTER_PIECE: u32 = 256;

fn multiprocessor(target: &str) -> Multiprocessor {
    let (warps, blocks, shared) = match target.trim_end_matches(['a', 'f']) {
        "sm_75" => (32, 16, 64 << 10),
        "sm_80" => (64, 32, 164 << 10),
        "sm_86" => (48, 16, 100 << 10),
        "sm_89" => (48, 24, 100 << 10),
        _ => (64, 32, 228 << 10),
    };
    Multiprocessor { warps, blocks, registers: 64 << 10, shared }
}

/// `target` is as in `.target`; an unknown one is taken for Hopper.
pub fn of(target: &str, threads: u32, registers: u32, shared_bytes: u32) -> Occupancy {
    let has = multiprocessor(target);
    let warps = threads.div_ceil(32).max(1);
    let of_warp = (registers.max(1) * 32).next_multiple_of(REGISTER_PIECE);
    let limits = [
        (has.warps / warps, Limit::Threads),
        (has.blocks, Limit::Blocks),
        (has.registers / of_warp / warps, Limit::Registers),
        (has.shared / (shared_bytes + SYSTEM_SHARED), Limit::Shared),
    ];
    let (blocks, limited_by) =
        limits.into_iter().min_by_key(|(blocks, _)| *blocks).unwrap_or((0, Limit::Blocks));
    Occupancy { blocks, warps: blocks * warps, max_warps: has.warps, limited_by }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_resource_can_be_the_limit() {
        let limit = |threads, registers, shared| {
            let found = of("sm_90a", threads, registers, shared);
            (found.blocks, found.limited_by)
        };
        assert_eq!(limit(256, 32, 0), (8, Limit::Threads));
        assert_eq!(limit(32, 32, 0), (32, Limit::Blocks));
        assert_eq!(limit(256, 128, 0), (2, Limit::Registers));
        assert_eq!(limit(128, 32, 100 << 10), (2, Limit::Shared));
        assert_eq!(of("sm_86", 256, 32, 0).max_warps, 48);
    }
}
