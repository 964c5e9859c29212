//! A memory request: the accesses of one instruction of a warp to one memory space.

use super::{Outcome, stop};
use crate::fault::{FaultKind, Range, Use};
use crate::memory::{Allocation, window};
use crate::program::{Access, Register, Scope};
use crate::race::grid::{self, GridAccessor};
use crate::race::{Accessor, Kind};
use crate::registers::{LANES, Mask, Registers, lanes};
use crate::syntax::Space;

/// An instruction that accesses memory, in one space.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub warp: usize,
    pub pc: u32,
    pub space: Space,
    pub addresses: &'a [u64; LANES],
    pub mask: Mask,
    pub bytes: u32,
    /// So many of its last bytes may be out of bounds.
    pub slack: u32,
    pub how: Use,
    pub strength: Strength,
}

/// What an instruction does, whichever memory its lanes reach.
#[derive(Clone, Copy)]
pub struct Operation {
    pub warp: usize,
    pub pc: u32,
    pub bytes: u32,
    pub how: Use,
    pub strength: Strength,
}

impl Operation {
    /// The request of some lanes to one space. All of it must be in bounds.
    #[inline(always)]
    pub fn at(self, space: Space, addresses: &[u64; LANES], mask: Mask) -> Request<'_> {
        let Operation { warp, pc, bytes, how, strength } = self;
        Request { warp, pc, space, addresses, mask, bytes, slack: 0, how, strength }
    }
}

/// What other threads may do to the accessed memory at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// No thread writes it during the whole launch: `.nc`.
    Constant,
    Weak,
    /// Atomic, or with a memory order.
    Strong(Scope),
    /// Atomic, and its thread uses the old value.
    Update(Scope),
}

impl Strength {
    pub fn of(access: &Access) -> Strength {
        match access.order.is_plain() {
            true if access.is_constant => Strength::Constant,
            true => Strength::Weak,
            false => Strength::Strong(access.scope),
        }
    }

    pub fn reaches_device(self) -> bool {
        matches!(self, Strength::Strong(Scope::Device) | Strength::Update(Scope::Device))
    }

    pub fn is_strong(self) -> bool {
        matches!(self, Strength::Strong(_) | Strength::Update(_))
    }
}

impl Request<'_> {
    pub fn thread(&self, lane: usize) -> usize {
        self.warp * LANES + lane
    }

    pub fn range(&self, lane: usize) -> Range {
        Range { space: self.space, address: self.addresses[lane], bytes: self.bytes }
    }

    #[inline(always)]
    pub fn by(&self, lane: usize) -> Accessor {
        let kind = match (self.strength, self.how) {
            (Strength::Weak | Strength::Constant, Use::Read) => Kind::Read,
            (Strength::Weak | Strength::Constant, Use::Write) => Kind::Write,
            _ => self.strong_kind(),
        };
        Accessor { thread: self.thread(lane) as u16, pc: self.pc, kind }
    }

    #[cold]
    fn strong_kind(&self) -> Kind {
        match (self.strength, self.how) {
            (_, Use::Read) => Kind::StrongRead,
            (Strength::Update(_), Use::Write) => Kind::Update,
            (_, Use::Write) => Kind::StrongWrite,
        }
    }

    /// The access as other blocks see it.
    #[inline(always)]
    pub fn by_block(&self, lane: usize, block: u32) -> GridAccessor {
        // A strong access with block scope is weak to other blocks.
        let how = match (self.strength, self.how) {
            (Strength::Constant, _) => grid::Use::Constant,
            (it, Use::Read) if !it.reaches_device() => grid::Use::Read,
            (it, Use::Write) if !it.reaches_device() => grid::Use::Write,
            (_, Use::Read) => grid::Use::StrongRead,
            (_, Use::Write) => grid::Use::Atomic,
        };
        GridAccessor { block, thread: self.thread(lane) as u16, how }
    }

    /// True if threads of other blocks may synchronise through it.
    pub fn is_of_device(&self) -> bool {
        self.space == Space::Global && self.strength.reaches_device()
    }

    pub fn stop<T>(&self, lane: usize, kind: FaultKind) -> Outcome<T> {
        stop(self.pc, self.thread(lane), kind)
    }

    #[inline(always)]
    pub fn check_alignment(&self, lane: usize) -> Outcome<()> {
        // A power of two.
        match self.addresses[lane] & (u64::from(self.bytes) - 1) {
            0 => Ok(()),
            _ => {
                let kind = FaultKind::Misaligned { how: self.how, range: self.range(lane) };
                self.stop(lane, kind)
            }
        }
    }
}

pub fn addresses(registers: &Registers, base: Register, offset: i64) -> [u64; LANES] {
    match base.is_wide() {
        true => registers.wide[base.index as usize].map(|it| it.wrapping_add_signed(offset)),
        // 32-bit addresses wrap around.
        false => registers.narrow[base.index as usize]
            .map(|it| u64::from(it.wrapping_add_signed(offset as i32))),
    }
}

/// The allocation of the last access.
#[derive(Default)]
pub struct Place<'a> {
    pub number: usize,
    pub allocation: Option<&'a Allocation>,
}

/// The space of a generic address, and the start address of that space.
fn space_of(address: u64) -> (Space, u64) {
    let windows = [
        (Space::Shared, window::SHARED),
        (Space::Local, window::LOCAL),
        (Space::Param, window::PARAM),
    ];
    let is_in = |(_, start): &(Space, u64)| address.wrapping_sub(*start) < window::SIZE;
    windows.into_iter().find(is_in).unwrap_or((Space::Global, 0))
}

/// Splits a request by the spaces of its generic addresses, and runs each part.
pub fn by_space(
    space: Space,
    all: &[u64; LANES],
    active: Mask,
    mut run: impl FnMut(Space, &[u64; LANES], Mask) -> Outcome<()>,
) -> Outcome<()> {
    if space != Space::Generic {
        return run(space, all, active);
    }
    let mut rest = active;
    while rest != 0 {
        let (space, start) = space_of(all[rest.trailing_zeros() as usize]);
        let same = lanes(rest).filter(|it| space_of(all[*it]).0 == space);
        let mask = same.fold(0, |mask, it| mask | 1 << it);
        run(space, &all.map(|it| it.wrapping_sub(start)), mask)?;
        rest &= !mask;
    }
    Ok(())
}
