//! Counting what schedule blocks do while they run.
//!
//! For each block, and for its `loop.init` by itself: instances, operations, bytes loaded and stored, and the
//! distinct cells that are touched, by the scope of their buffers. The cells of all instances of a shared or
//! local buffer count as those of one. It is here to judge the cost ledger, and shares no code with it.

use super::scalar::ScalarType;
use super::value::Array;
use crate::dialect::loop_enums::Scope;
use crate::ir::FloatKind;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a block did, or its inits, or all together.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// The function and the block; empty for all together.
    pub function: String,
    pub block: String,
    pub is_init: bool,
    pub instances: u64,
    /// A fused multiply-add is two operations; what computes indices, constants and selects are none.
    pub float_ops: u64,
    pub int_ops: u64,
    /// Bytes, by the number of the scope.
    pub loads: [u64; 3],
    pub stores: [u64; 3],
    /// The bytes of the distinct cells.
    pub footprint: [u64; 3],
}

/// The counts of a run.
#[derive(Default)]
pub(super) struct Tally {
    counts: Vec<Count>,
    /// The cells of each count, by the address of their array and the place in it.
    cells: Vec<HashSet<(usize, usize)>>,
    /// The count of what runs now.
    current: usize,
    /// What runs now has been counted.
    is_paused: bool,
    /// What was touched, by its address: while it is kept no other array has it.
    arrays: HashMap<usize, Touched>,
}

struct Touched {
    _array: Rc<RefCell<Array>>,
    scope: Scope,
    bytes: u64,
}

impl Tally {
    /// Instances of a block, or of its init, are about to run.
    pub(super) fn begin(&mut self, function: &str, block: &str, is_init: bool, instances: usize) {
        let is_it = |count: &Count| {
            count.block == block && count.is_init == is_init && count.function == function
        };
        self.current = self.counts.iter().position(is_it).unwrap_or_else(|| {
            let (function, block) = (function.to_owned(), block.to_owned());
            self.counts.push(Count { function, block, is_init, ..Count::default() });
            self.cells.push(HashSet::new());
            self.counts.len() - 1
        });
        self.is_paused = false;
        self.counts[self.current].instances += instances as u64;
    }

    /// What runs until the next [`Tally::begin`] does not count.
    pub(super) fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Operations are done.
    pub(super) fn operations(&mut self, (number, is_float): (u64, bool)) {
        if self.is_paused {
            return;
        }
        let count = &mut self.counts[self.current];
        *(if is_float { &mut count.float_ops } else { &mut count.int_ops }) += number;
    }

    /// A cell is loaded from or stored to. `array` stands for all instances of a buffer.
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
        let touched = self.arrays.entry(address).or_insert_with(|| Touched {
            _array: array.clone(),
            scope,
            bytes: bytes_of(array.borrow().ty),
        });
        let count = &mut self.counts[self.current];
        let list = if is_store { &mut count.stores } else { &mut count.loads };
        list[scope as usize] += touched.bytes;
        self.cells[self.current].insert((address, offset));
    }

    /// The counts, and last all together.
    pub(super) fn finish(mut self) -> Vec<Count> {
        let mut all = Count::default();
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

fn footprint(cells: &HashSet<(usize, usize)>, arrays: &HashMap<usize, Touched>) -> [u64; 3] {
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
    }
}
