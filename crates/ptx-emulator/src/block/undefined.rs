//! Undefined values: checks of operands, and the state of loaded and stored bytes. Nothing here runs in a warp without
//! undefined values.

use super::access::bytes_of;
use super::request::Request;
use super::word::element;
use super::{Block, INITIALISED, Outcome, stop};
use crate::decode::holds;
use crate::fault::{FaultKind, Role};
use crate::memory::{ByteMask, Words};
use crate::program::{Access, Atomic, Register, RegisterKind, Step};
use crate::registers::{LANES, Mask, Registers, lanes};
use crate::undefined::{Bits, Origin};
use crate::warp::Warp;

/// For each lane, the bytes of its access that are undefined; `None` if there are none.
#[derive(Default)]
pub struct Unwritten(Option<Box<[ByteMask; LANES]>>);

impl Unwritten {
    #[cold]
    pub fn note(&mut self, run: Mask, bytes: ByteMask) {
        let all = self.0.get_or_insert_default();
        lanes(run).for_each(|lane| all[lane] |= bytes);
    }

    #[inline(always)]
    pub fn is_any(&self) -> bool {
        self.0.is_some()
    }

    #[inline(always)]
    pub fn of(&self, lane: usize) -> ByteMask {
        self.0.as_ref().map_or(0, |it| it[lane])
    }
}

impl Block<'_> {
    /// Before an instruction of a warp that has undefined values: checks its operands, and finds out which results of
    /// instructions on registers are undefined.
    #[cold]
    pub(super) fn check_undefined(&self, warp: &mut Warp, mask: Mask, pc: u32) -> Outcome<()> {
        let program = self.launch.program;
        let (instruction, flow) = (&program.code[pc as usize], &program.flows[pc as usize]);
        let mut active = mask;
        if let Some(guard) = instruction.guard {
            let is_branch = matches!(instruction.step, Step::Branch(_));
            let role = if is_branch { Role::Condition } else { Role::Guard };
            self.require(warp, RegisterKind::Predicate, guard.predicate, mask, role, pc)?;
            active &= holds(&warp.registers, guard);
        }
        let needed = match &instruction.step {
            Step::LoadMatrix(it) | Step::StoreMatrix(it) => active & it.rows(),
            _ => active,
        };
        for it in &flow.uses {
            if let Some(role) = it.required {
                self.require(warp, it.kind, it.index, needed, role, pc)?;
            }
        }
        match &instruction.step {
            Step::Lanewise(run) => {
                let run = |registers: &mut Registers| run(registers, active);
                warp.undefined.propagate(&mut warp.registers, flow, active, &run);
            }
            // Their results are known only when they have run.
            Step::Load(_) | Step::LoadMatrix(_) | Step::Atomic(_) | Step::Collective(_) => {}
            _ => flow.targets().for_each(|it| warp.undefined.define(it.kind, it.index, active)),
        }
        Ok(())
    }

    /// A register that must be defined in the lanes of a mask.
    fn require(
        &self,
        warp: &Warp,
        kind: RegisterKind,
        index: u32,
        mask: Mask,
        role: Role,
        pc: u32,
    ) -> Outcome<()> {
        let Some(state) = warp.undefined.get(kind, index) else { return Ok(()) };
        let Some(lane) = lanes(mask).find(|lane| state.bits[*lane] != 0) else { return Ok(()) };
        let Origin { range, pc: read_at } = state.origins[lane];
        let kind = FaultKind::Undefined { role, range, line: self.launch.line(read_at) };
        stop(pc, warp.index * LANES + lane, kind)
    }

    #[cold]
    pub(super) fn undefined_shared(&self, (offset, bytes): (usize, u32)) -> ByteMask {
        undefined_bytes(&self.worker.shared.state[offset..offset + bytes as usize])
    }
}

impl Warp {
    /// Records which bits of the targets of a load are undefined.
    #[inline(always)]
    pub(super) fn note_loaded(
        &mut self,
        request: &Request,
        access: &Access,
        unwritten: &Unwritten,
    ) {
        if unwritten.is_any() || self.undefined.is_any() {
            self.note_loaded_bits(request, access, unwritten);
        }
    }

    #[cold]
    fn note_loaded_bits(&mut self, request: &Request, access: &Access, unwritten: &Unwritten) {
        for (i, to) in access.elements.iter().enumerate() {
            let Some(to) = to else { continue };
            let kind = to.kind();
            if !unwritten.is_any() {
                self.undefined.define(kind, to.index, request.mask);
                continue;
            }
            let mut state = Bits::NONE;
            for lane in lanes(request.mask) {
                let words = words_of(unwritten.of(lane));
                state.bits[lane] =
                    element(access, &words, i) & crate::undefined::ones(8 * to.bytes);
                let mut range = request.range(lane);
                range.address += i as u64 * u64::from(access.bytes);
                range.bytes = access.bytes;
                state.origins[lane] = Origin { range, pc: request.pc };
            }
            self.undefined.set(kind, to.index, request.mask, &state);
        }
    }

    /// Records which bits of the target of an atomic are undefined in a lane.
    #[cold]
    pub(super) fn set_undefined(
        &mut self,
        request: &Request,
        to: Register,
        lane: usize,
        bits: u64,
    ) {
        let mut state = Bits::NONE;
        state.bits[lane] = bits & crate::undefined::ones(8 * to.bytes);
        state.origins[lane] = Origin { range: request.range(lane), pc: request.pc };
        self.undefined.set(to.kind(), to.index, 1 << lane, &state);
    }

    /// For each lane, the bytes of the value to store that are undefined.
    #[inline(always)]
    pub(super) fn undefined_bytes(&self, access: &Access, mask: Mask) -> Unwritten {
        match self.undefined.is_any() {
            true => self.undefined_stored(access, mask),
            false => Unwritten::default(),
        }
    }

    #[cold]
    fn undefined_stored(&self, access: &Access, mask: Mask) -> Unwritten {
        let mut found = Unwritten::default();
        for (i, from) in access.elements.iter().enumerate() {
            let Some(from) = from else { continue };
            let Some(state) = self.undefined.get(from.kind(), from.index) else { continue };
            for lane in lanes(mask) {
                let is_undefined = |byte: &u32| state.bits[lane] >> (8 * byte) & 0xff != 0;
                let at = i as u32 * access.bytes;
                let bytes = (0..access.bytes).filter(is_undefined);
                let bytes = bytes.fold(0, |mask, byte| mask | 1 << (at + byte));
                if bytes != 0 {
                    found.note(1 << lane, bytes);
                }
            }
        }
        found
    }

    /// True if an operand of an atomic is undefined in a lane.
    #[cold]
    pub(super) fn has_undefined(&self, atomic: &Atomic, lane: usize) -> bool {
        atomic.operands.iter().any(|it| {
            let state = self.undefined.get(it.kind(), it.index);
            state.is_some_and(|state| {
                state.bits[lane] & crate::undefined::ones(8 * atomic.bytes) != 0
            })
        })
    }
}

/// The bytes of shared memory that are not initialised.
pub fn undefined_bytes(state: &[u8]) -> ByteMask {
    let is_undefined = |it: &u8| u32::from(it & INITIALISED == 0);
    state.iter().enumerate().fold(0, |mask, (i, it)| mask | is_undefined(it) << i)
}

/// Words with all ones in the bytes of a mask.
fn words_of(bytes: ByteMask) -> Words {
    let mut words = Words::default();
    bytes_of(bytes).for_each(|at| words[at / 4] |= 0xff << (8 * (at % 4)));
    words
}
