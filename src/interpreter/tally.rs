//! Counts the work of schedule blocks while they run.
//!
//! For each block, and separately for its `loop.init`, it counts instances, operations, bytes loaded and stored, and
//! distinct elements accessed, by the scope of their buffers. The elements of all instances of a shared or
//! local buffer count as those of one. It exists to check the cost ledger, and shares no code with it.

use super::scalar::ScalarType;
use super::value::Array;
use crate::dialect::loop_enums::Scope;
use crate::ir::FloatKind;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The counts of a block, of its inits, or of a whole run.
#[derive(Clone, Debug, Default)]
pub struct OpCounts {
    /// The function and the block; both empty for the total.
    pub function: String,
    /// The name of the schedule block.
    pub block: String,
    /// True if the counts are those of the block's `loop.init`.
    pub is_init: bool,
    /// The number of instances that ran.
    pub instances: u64,
    /// A fused multiply-add counts as two operations; index computations, constants and selects count as none.
    pub float_ops: u64,
    /// Operations on integers, with the same exceptions.
    pub int_ops: u64,
    /// Bytes, by the number of the scope.
    pub loads: [u64; 3],
    /// The bytes stored, by the number of the scope.
    pub stores: [u64; 3],
    /// The bytes of the distinct elements.
    pub footprint: [u64; 3],
}

/// The counts of a run.
#[derive(Default)]
pub(super) struct Tally {
    counts: Vec<OpCounts>,
    /// The accessed elements of each count: the address of their array and the offset in it.
    cells: Vec<HashSet<(usize, usize)>>,
    /// The index of the count of the running instances.
    current: usize,
    /// True if the running instances have already been counted.
    is_paused: bool,
    /// The accessed arrays, by address. They are kept alive so that no other array gets the same address.
    arrays: HashMap<usize, AccessedElements>,
}

struct AccessedElements {
    _array: Rc<RefCell<Array>>,
    scope: Scope,
    bytes: u64,
}

impl Tally {
    /// Called before instances of a block, or of its init, run.
    pub(super) fn begin(&mut self, function: &str, block: &str, is_init: bool, instances: usize) {
        let is_it = |count: &OpCounts| {
            count.block == block && count.is_init == is_init && count.function == function
        };
        self.current = self.counts.iter().position(is_it).unwrap_or_else(|| {
            let (function, block) = (function.to_owned(), block.to_owned());
            self.counts.push(OpCounts { function, block, is_init, ..OpCounts::default() });
            self.cells.push(HashSet::new());
            self.counts.len() - 1
        });
        self.is_paused = false;
        self.counts[self.current].instances += instances as u64;
    }

    /// Nothing counts until the next [`Tally::begin`].
    pub(super) fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Counts operations.
    pub(super) fn operations(&mut self, (number, is_float): (u64, bool)) {
        if self.is_paused {
            return;
        }
        let count = &mut self.counts[self.current];
        *(if is_float { &mut count.float_ops } else { &mut count.int_ops }) += number;
    }

    /// Counts a load or store of an element. `array` stands for all instances of a buffer.
    pub(super) fn access(
        &mut self,
        array: &Rc<RefCell<Array>>,
        scope: Scope,
        offset: usize,
        is_store: bool,
    ) {
        if self.is_paused {
            return;
        }
        let address = Rc::as_ptr(array) as usize;
        let touched = self.arrays.entry(address).or_insert_with(|| AccessedElements {
            _array: array.clone(),
            scope,
            bytes: bytes_of(array.borrow().ty),
        });
        let count = &mut self.counts[self.current];
        let list = if is_store { &mut count.stores } else { &mut count.loads };
        list[scope as usize] += touched.bytes;
        self.cells[self.current].insert((address, offset));
    }

    /// All counts; the last one is the total.
    pub(super) fn finish(mut self) -> Vec<OpCounts> {
        let mut all = OpCounts::default();
        let mut cells = HashSet::new();
        for (count, own) in self.counts.iter_mut().zip(self.cells) {
            count.footprint = footprint(&own, &self.arrays);
            cells.extend(own);
            all.instances += count.instances;
            all.float_ops += count.float_ops;
            all.int_ops += count.int_ops;
            for scope in 0..3 {
                all.loads[scope] += count.loads[scope];
                all.stores[scope] += count.stores[scope];
            }
        }
        all.footprint = footprint(&cells, &self.arrays);
        self.counts.push(all);
        self.counts
    }
}

fn footprint(
    cells: &HashSet<(usize, usize)>,
    arrays: &HashMap<usize, AccessedElements>,
) -> [u64; 3] {
    let mut bytes = [0; 3];
    for (array, _) in cells {
        let touched = &arrays[array];
        bytes[touched.scope as usize] += touched.bytes;
    }
    bytes
}

fn bytes_of(ty: ScalarType) -> u64 {
    match ty {
        ScalarType::Int(bits) => u64::from(bits).div_ceil(8),
        ScalarType::Index => 8,
        ScalarType::Float(FloatKind::F16 | FloatKind::BF16) => 2,
        ScalarType::Float(FloatKind::F32) => 4,
        ScalarType::Float(FloatKind::F64) => 8,
        ScalarType::Float(FloatKind::Narrow(_)) => 1,
    }
}
