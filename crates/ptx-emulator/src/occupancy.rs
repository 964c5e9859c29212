//! Occupancy: how many blocks fit on a multiprocessor at once, according to NVIDIA's tables of its resources.

/// The number of warps of a kernel that a multiprocessor can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupancy {
    /// The number of blocks at once; 0 if one block needs too much.
    pub blocks: u32,
    /// The number of warps of these blocks.
    pub warps: u32,
    /// The maximum number of warps of any kernel.
    pub max_warps: u32,
    /// The resource that permits the fewest blocks.
    pub limited_by: Limit,
}

/// A resource of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Warps that it can hold.
    Threads,
    /// Blocks that it can hold.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

struct Multiprocessor {
    warps: u32,
    blocks: u32,
    registers: u32,
    /// In bytes.
    shared: u32,
    /// The bytes of shared memory that the system reserves for each block.
    system_shared: u32,
}

/// Registers are allocated to warps in units of this size.
const REGISTER_PIECE: u64 = 256;

/// Partitions of a multiprocessor, each with its share of the registers. A warp is in one of them.
const PARTS: u64 = 4;

fn multiprocessor(target: &str) -> Multiprocessor {
    let (warps, blocks, shared, system_shared) = match target.trim_end_matches(['a', 'f']) {
        "sm_70" | "sm_72" => (64, 32, 96 << 10, 0),
        "sm_75" => (32, 16, 64 << 10, 0),
        "sm_80" => (64, 32, 164 << 10, 1024),
        "sm_86" => (48, 16, 100 << 10, 1024),
        "sm_87" => (48, 16, 164 << 10, 1024),
        "sm_89" | "sm_120" | "sm_121" => (48, 24, 100 << 10, 1024),
        _ => (64, 32, 228 << 10, 1024),
    };
    Multiprocessor { warps, blocks, registers: 64 << 10, shared, system_shared }
}

/// The maximum shared memory of a block, in bytes.
pub fn max_shared(target: &str) -> u32 {
    let has = multiprocessor(target);
    has.shared - has.system_shared
}

/// `target` is as in `.target`; an unknown target is treated as Hopper.
pub fn of(target: &str, threads: u32, registers: u32, shared_bytes: u32) -> Occupancy {
    let has = multiprocessor(target);
    let warps = threads.div_ceil(32).max(1);
    let of_warp = (u64::from(registers.max(1)) * 32).next_multiple_of(REGISTER_PIECE);
    let warps_by_registers = PARTS * (u64::from(has.registers) / PARTS / of_warp);
    let limits = [
        (has.warps / warps, Limit::Threads),
        (has.blocks, Limit::Blocks),
        (warps_by_registers as u32 / warps, Limit::Registers),
        (has.shared / (shared_bytes + has.system_shared).max(1), Limit::Shared),
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
        // Each partition has registers for 12 warps of 40 registers: 48 in total. Without partitions it would be 51.
        assert_eq!(limit(544, 40, 0), (2, Limit::Registers));
        assert_eq!(limit(1024, 255, 0), (0, Limit::Registers));
        assert_eq!(limit(32, u32::MAX, 0), (0, Limit::Registers));
    }

    #[test]
    fn a_block_has_what_the_system_leaves() {
        let targets = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90a"];
        assert_eq!(targets.map(|it| max_shared(it) >> 10), [64, 163, 99, 99, 227]);
        assert_eq!(of("sm_75", 32, 32, 64 << 10).blocks, 1);
    }
}
