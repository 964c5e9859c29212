//! Undefined values: the bits of registers that depend on memory which nothing has written.
//!
//! A load of such memory is no fault. Its value may be moved, selected away and stored. It is a fault if an address, a
//! branch or another operand with a [`Role`](crate::fault::Role) depends on it, or if the host reads it. A warp without
//! undefined values pays one test an instruction.

use crate::fault::Range;
use crate::program::{Flow, RegisterKind, RegisterUse, Rule};
use crate::registers::{LANES, Mask, Registers, lanes};
use crate::syntax::Space;

/// A read of memory that nothing has written.
#[derive(Clone, Copy)]
pub struct Origin {
    pub range: Range,
    pub pc: u32,
}

const NO_ORIGIN: Origin =
    Origin { range: Range { space: Space::Generic, address: 0, bytes: 0 }, pc: 0 };

/// The undefined bits of a register in each lane, and what they depend on.
#[derive(Clone)]
pub struct Bits {
    pub bits: [u64; LANES],
    pub origins: [Origin; LANES],
}

impl Bits {
    pub const NONE: Bits = Bits { bits: [0; LANES], origins: [NO_ORIGIN; LANES] };

    fn lanes(&self) -> Mask {
        self.bits.iter().enumerate().fold(0, |mask, (lane, it)| mask | u32::from(*it != 0) << lane)
    }
}

/// The undefined bits of the registers of a warp.
#[derive(Default)]
pub struct Undefined {
    /// The number of registers with undefined bits.
    count: u32,
    /// For each register of a kind, 0 if it is defined in all lanes, else its place in `states` plus 1.
    places: [Vec<u32>; 3],
    states: Vec<Bits>,
    free: Vec<u32>,
}

impl Undefined {
    /// True if a register of the warp has undefined bits.
    #[inline(always)]
    pub fn is_any(&self) -> bool {
        self.count != 0
    }

    pub fn get(&self, kind: RegisterKind, index: u32) -> Option<&Bits> {
        let place = self.places[kind as usize].get(index as usize)?.checked_sub(1)?;
        Some(&self.states[place as usize])
    }

    /// Makes a register defined in the lanes of a mask.
    pub fn define(&mut self, kind: RegisterKind, index: u32, mask: Mask) {
        let Some(entry) = self.places[kind as usize].get_mut(index as usize) else { return };
        let Some(place) = entry.checked_sub(1) else { return };
        let bits = &mut self.states[place as usize].bits;
        lanes(mask).for_each(|lane| bits[lane] = 0);
        if bits.iter().all(|it| *it == 0) {
            *entry = 0;
            self.count -= 1;
            self.free.push(place);
        }
    }

    /// Replaces the undefined bits of a register in the lanes of a mask.
    pub fn set(&mut self, kind: RegisterKind, index: u32, mask: Mask, new: &Bits) {
        if new.lanes() & mask == 0 {
            return self.define(kind, index, mask);
        }
        let places = &mut self.places[kind as usize];
        let at = index as usize;
        if places.len() <= at {
            places.resize(at + 1, 0);
        }
        if places[at] == 0 {
            let place = self.free.pop().unwrap_or_else(|| {
                self.states.push(Bits::NONE);
                self.states.len() as u32 - 1
            });
            places[at] = place + 1;
            self.count += 1;
        }
        let old = &mut self.states[places[at] as usize - 1];
        for lane in lanes(mask) {
            (old.bits[lane], old.origins[lane]) = (new.bits[lane], new.origins[lane]);
        }
    }

    /// Computes the undefined bits of the targets of an instruction that is about to run. `run` runs it on the
    /// registers.
    pub fn propagate(
        &mut self,
        registers: &mut Registers,
        flow: &Flow,
        mask: Mask,
        run: &dyn Fn(&mut Registers) -> Mask,
    ) {
        let state = |it: &RegisterUse| self.get(it.kind, it.index);
        let undefined = flow.sources().filter_map(state).fold(0, |all, it| all | it.lanes()) & mask;
        if undefined == 0 {
            flow.targets().for_each(|it| self.define(it.kind, it.index, mask));
            return;
        }
        let bits = match flow.rule {
            Rule::Move { control } if are_distinct(flow, control) => {
                self.moved(registers, flow, control, mask, run)
            }
            Rule::Bitwise => self.bitwise(registers, flow, mask, run),
            Rule::Product { factor, result, is_float } => {
                self.product(registers, flow, [factor, result], is_float, run)
            }
            _ => flow.targets().map(|it| self.combined(flow, it, undefined)).collect(),
        };
        // The origin is that of an undefined source of the lane. The sources of collectives are in other lanes.
        let found = |lane: usize| {
            let sources = flow.sources().filter_map(state);
            let mut own = sources.filter(|it| it.bits[lane] != 0).map(|it| it.origins[lane]);
            own.next()
        };
        let first = found(undefined.trailing_zeros() as usize).unwrap_or(NO_ORIGIN);
        let origins = std::array::from_fn(|lane| found(lane).unwrap_or(first));
        for (it, bits) in flow.targets().zip(bits) {
            self.set(it.kind, it.index, mask, &Bits { bits, origins });
        }
    }

    /// The undefined bits of a target that is undefined as a whole, or in halves.
    fn combined(&self, flow: &Flow, target: &RegisterUse, undefined: Mask) -> [u64; LANES] {
        let ones = ones(target.bits);
        if flow.rule == Rule::Warp {
            return [ones; LANES];
        }
        let mut result = [0; LANES];
        for lane in lanes(undefined) {
            for it in flow.sources() {
                let Some(state) = self.get(it.kind, it.index) else { continue };
                let bits = state.bits[lane];
                result[lane] |= match (flow.rule, it.operand) {
                    _ if bits == 0 => 0,
                    (Rule::Halves, _) => elements(bits, 16, 0xffff),
                    (Rule::Pair, 1) => 0xffff_0000,
                    (Rule::Pair, _) => 0xffff,
                    _ => ones,
                };
            }
            result[lane] &= ones;
        }
        result
    }

    /// Moves the undefined bits as the instruction moves the values.
    fn moved(
        &self,
        registers: &mut Registers,
        flow: &Flow,
        control: u8,
        mask: Mask,
        run: &dyn Fn(&mut Registers) -> Mask,
    ) -> Vec<[u64; LANES]> {
        let is_control = |it: &&RegisterUse| it.operand >= control;
        let states = flow.sources().filter(is_control).filter_map(|it| self.get(it.kind, it.index));
        let unknown = states.fold(0, |all, it| all | it.lanes()) & mask;
        let saved = Saved::new(registers, flow);
        for it in flow.sources().filter(|it| !is_control(it)) {
            let bits = self.get(it.kind, it.index).map_or([0; LANES], |it| it.bits);
            write(registers, it, &bits);
        }
        run(registers);
        let mut results = results(registers, flow);
        for (it, bits) in flow.targets().zip(&mut results) {
            if it.kind == RegisterKind::Predicate {
                *bits = [0; LANES];
            }
            lanes(unknown).for_each(|lane| bits[lane] = ones(it.bits));
        }
        saved.restore(registers);
        results
    }

    /// Runs the instruction with all undefined bits of each source 0 and 1. A bit of a target is undefined if it is not
    /// always the same.
    fn bitwise(
        &self,
        registers: &mut Registers,
        flow: &Flow,
        mask: Mask,
        run: &dyn Fn(&mut Registers) -> Mask,
    ) -> Vec<[u64; LANES]> {
        let mut sources: Vec<(&RegisterUse, [u64; LANES])> = vec![];
        for it in flow.sources() {
            let is_new =
                !sources.iter().any(|(old, _)| (old.kind, old.index) == (it.kind, it.index));
            if let (true, Some(state)) = (is_new, self.get(it.kind, it.index)) {
                sources.push((it, state.bits));
            }
        }
        let saved = Saved::new(registers, flow);
        let mut first: Option<Vec<[u64; LANES]>> = None;
        let mut differs: Vec<_> = flow.targets().map(|_| [0; LANES]).collect();
        for choice in 0..1_u32 << sources.len() {
            for (i, (it, bits)) in sources.iter().enumerate() {
                let values = saved.values(it);
                let with = |lane: usize| match choice >> i & 1 {
                    0 => values[lane] & !bits[lane],
                    _ => values[lane] | bits[lane],
                };
                write(registers, it, &std::array::from_fn(with));
            }
            run(registers);
            let found = results(registers, flow);
            let first = first.get_or_insert_with(|| found.clone());
            for ((differs, found), first) in differs.iter_mut().zip(&found).zip(first) {
                lanes(mask).for_each(|lane| differs[lane] |= found[lane] ^ first[lane]);
            }
            // A target may be a source that is defined, too.
            saved.restore(registers);
        }
        differs
    }

    /// An element of a product is undefined if an element of its row of `a`, of its column of `b`, or its element of
    /// `c` is. It then differs between two products: one in which undefined elements are marked, and one in which none
    /// is. A float is marked by a NaN instead of 0, a byte by 2 instead of 1.
    fn product(
        &self,
        registers: &mut Registers,
        flow: &Flow,
        [factor, result]: [u32; 2],
        is_float: bool,
        run: &dyn Fn(&mut Registers) -> Mask,
    ) -> Vec<[u64; LANES]> {
        let saved = Saved::new(registers, flow);
        let mut product = |is_marked: bool| {
            for it in flow.sources() {
                let state = self.get(it.kind, it.index).filter(|_| is_marked);
                let of = |lane: usize| {
                    let bits = state.map_or(0, |it| it.bits[lane]);
                    match (is_float, it.operand) {
                        (true, 1 | 2) => elements(bits, factor, ones(factor)),
                        (true, _) => elements(bits, result, ones(result)),
                        (false, _) => 0x0101_0101 + elements(bits, 8, 1),
                    }
                };
                write(registers, it, &std::array::from_fn(of));
            }
            run(registers);
            let found = results(registers, flow);
            saved.restore(registers);
            found
        };
        let (mut all, plain) = (product(true), product(false));
        for (bits, plain) in all.iter_mut().flatten().zip(plain.iter().flatten()) {
            *bits = elements(*bits ^ plain, result, ones(result));
        }
        all
    }
}

/// True if no register is both moved and a control.
fn are_distinct(flow: &Flow, control: u8) -> bool {
    let is_same =
        |one: &RegisterUse, other: &RegisterUse| (one.kind, one.index) == (other.kind, other.index);
    let mut moved = flow.sources().filter(|it| it.operand < control);
    let controls = flow.sources().filter(|it| it.operand >= control);
    !moved.any(|one| controls.clone().any(|other| is_same(one, other)))
}

/// The values of the registers of an instruction before it runs.
struct Saved<'a> {
    all: Vec<(&'a RegisterUse, [u64; LANES])>,
}

impl<'a> Saved<'a> {
    fn new(registers: &Registers, flow: &'a Flow) -> Saved<'a> {
        Saved { all: flow.uses.iter().map(|it| (it, read(registers, it))).collect() }
    }

    fn values(&self, of: &RegisterUse) -> [u64; LANES] {
        let found = self.all.iter().find(|(it, _)| (it.kind, it.index) == (of.kind, of.index));
        found.map_or([0; LANES], |(_, values)| *values)
    }

    fn restore(&self, registers: &mut Registers) {
        self.all.iter().for_each(|(it, values)| write(registers, it, values));
    }
}

fn results(registers: &Registers, flow: &Flow) -> Vec<[u64; LANES]> {
    flow.targets().map(|it| read(registers, it)).collect()
}

fn read(registers: &Registers, of: &RegisterUse) -> [u64; LANES] {
    match of.kind {
        RegisterKind::Narrow => registers.narrow[of.index as usize].map(u64::from),
        RegisterKind::Wide => registers.wide[of.index as usize],
        RegisterKind::Predicate => {
            let mask = registers.predicates[of.index as usize];
            std::array::from_fn(|lane| u64::from(mask >> lane & 1))
        }
    }
}

fn write(registers: &mut Registers, of: &RegisterUse, values: &[u64; LANES]) {
    match of.kind {
        RegisterKind::Narrow => registers.narrow[of.index as usize] = values.map(|it| it as u32),
        RegisterKind::Wide => registers.wide[of.index as usize] = *values,
        RegisterKind::Predicate => {
            let bit = |(lane, it): (usize, &u64)| (*it as u32 & 1) << lane;
            registers.predicates[of.index as usize] =
                values.iter().enumerate().map(bit).fold(0, |mask, it| mask | it);
        }
    }
}

/// A number of low bits that are 1.
pub fn ones(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// Replaces each element of `width` bits that is not 0 by a value.
fn elements(bits: u64, width: u32, value: u64) -> u64 {
    let starts = (0..64).step_by(width as usize);
    let found = starts.filter(|at| bits >> at & ones(width) != 0);
    found.fold(0, |result, at| result | value << at)
}
