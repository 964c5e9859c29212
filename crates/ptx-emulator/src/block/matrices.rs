//! `ldmatrix` and `stmatrix`.

use super::request::{Operation, Place, Strength, addresses};
use super::{Block, Outcome};
use crate::fault::Use;
use crate::memory::{Words, window};
use crate::program::LoadMatrix;
use crate::program::RegisterKind;
use crate::registers::{LANES, Mask};
use crate::syntax::Space;
use crate::undefined::{Bits, Origin};
use crate::warp::Warp;

impl Block<'_> {
    /// Loads or stores matrices; each group of eight lanes holds the row addresses of one matrix.
    pub(super) fn matrices(
        &mut self,
        warp: &mut Warp,
        matrix: &LoadMatrix,
        is_load: bool,
        pc: u32,
    ) -> Outcome<()> {
        let all = addresses(&warp.registers, matrix.base, matrix.offset);
        let (count, rows) = (matrix.elements.len() * 8, matrix.rows());
        let is_generic = matrix.space == Space::Generic;
        let start = if is_generic { window::SHARED } else { 0 };
        let addresses = all.map(|it| it.wrapping_sub(start));
        let how = if is_load { Use::Read } else { Use::Write };
        let strength = Strength::Weak;
        let operation = Operation { warp: warp.index, pc, bytes: 16, how, strength };
        let request = operation.at(Space::Shared, &addresses, rows);
        self.count(&request);
        let mut place = Place::default();
        let kind = RegisterKind::Narrow;
        let mut loaded = vec![Bits::NONE; matrix.elements.len()];
        let state = |warp: &Warp, it: &u32| match warp.undefined.get(kind, *it) {
            Some(state) => state.bits,
            None => [0; LANES],
        };
        let stored: Vec<_> = matrix.elements.iter().map(|it| state(warp, it)).collect();
        // For element i of a row of matrix m: the lane that holds it, and whether it is in the upper half.
        let holder = |row: usize, i: usize| match matrix.is_transposed {
            false => (row * 4 + i / 2, i % 2),
            true => (i * 4 + row / 2, row % 2),
        };
        for lane in 0..count {
            let (register, row) = (matrix.elements[lane / 8] as usize, lane % 8);
            let (mut words, mut undefined) = (Words::default(), 0);
            if is_load {
                undefined = self.read(warp, &request, 1 << lane, &mut place, &mut words)?;
            }
            for i in 0..8 {
                let (at, half) = holder(row, i);
                let (shift, own) = (16 * (i as u32 % 2), 16 * half as u32);
                let held = &mut warp.registers.narrow[register][at];
                if is_load {
                    *held = *held & !(0xffff << own) | (words[i / 2] >> shift & 0xffff) << own;
                    if undefined >> (2 * i) & 3 != 0 {
                        let state = &mut loaded[lane / 8];
                        state.bits[at] |= 0xffff << own;
                        state.origins[at] = Origin { range: request.range(lane), pc };
                    }
                } else {
                    words[i / 2] |= (*held >> own & 0xffff) << shift;
                    let bits = stored[lane / 8][at] >> own;
                    undefined |= u32::from(bits & 0xff != 0) << (2 * i);
                    undefined |= u32::from(bits & 0xff00 != 0) << (2 * i + 1);
                }
            }
            if !is_load {
                self.write(warp, &request, lane, &mut place, (&words, undefined))?;
            }
        }
        if is_load {
            for (register, state) in matrix.elements.iter().zip(&loaded) {
                warp.undefined.set(kind, *register, Mask::MAX, state);
            }
        }
        Ok(())
    }
}
