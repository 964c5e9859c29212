//! Race detection in functions: the running unordered loops, and the elements that their iterations accessed. Two
//! iterations, or chunks of a `loop.parallel_call`, must not access the same element if one of them writes it. The same
//! holds for the thread blocks of a kernel, and for the threads of a block between two barriers.
//!
//! Accesses of memref and vector ops are recorded. Those of linalg ops and loop nests in such a loop are not.

use super::bank::Banks;
use super::uses::{Conflict, Uses};
use super::value::Array;
use super::view::Views;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The running loops, and the buffers that are views of others.
#[derive(Default)]
pub struct Races {
    /// Outermost first.
    running: Vec<Running>,
    pub views: Views,
    /// Counts wavefronts, if requested.
    pub banks: Option<Banks>,
}

/// The unordered units of work.
pub enum RaceUnits {
    /// The iterations of a loop.
    Iterations {
        from: i64,
        step: i64,
    },
    Chunks(Vec<Range<u64>>),
    /// The thread blocks of a grid of these dimensions.
    ThreadBlocks([i64; 3]),
    /// The threads of a block of these dimensions.
    Threads([i64; 3]),
}

/// The kind of an access.
#[derive(Clone, Copy)]
pub enum Use {
    Read,
    Write,
    /// A read and a write in one step.
    Update,
}

struct Running {
    units: RaceUnits,
    /// The number of the running unit.
    now: u32,
    used: HashMap<*const RefCell<Array>, Used>,
}

struct Used {
    #[expect(dead_code, reason = "while it is kept, no other buffer has its address")]
    buffer: Rc<RefCell<Array>>,
    cells: Vec<Uses>,
}

impl Races {
    pub fn enter(&mut self, units: RaceUnits) {
        self.running.push(Running { units, now: 0, used: HashMap::new() });
    }

    /// The innermost loop now runs unit `number`.
    pub fn start(&mut self, number: u32) {
        if let Some(innermost) = self.running.last_mut() {
            innermost.now = number;
        }
        if let Some(banks) = &mut self.banks {
            banks.start(number);
        }
    }

    /// All units of the innermost loop reach a barrier before one continues.
    pub fn barrier(&mut self) {
        if let Some(innermost) = self.running.last_mut() {
            innermost.used.clear();
        }
        self.banks.iter_mut().for_each(Banks::settle);
    }

    pub fn leave(&mut self) {
        self.running.pop();
        self.banks.iter_mut().for_each(Banks::settle);
    }

    /// Records the access to the elements of `buffer`, which is `array`, at `places`.
    pub fn note(
        &mut self,
        buffer: &Rc<RefCell<Array>>,
        array: &Array,
        places: impl Iterator<Item = usize> + Clone,
        how: Use,
    ) -> Result<(), String> {
        for Running { units, now, used } in &mut self.running {
            let used = used.entry(Rc::as_ptr(buffer)).or_insert_with(|| Used {
                buffer: buffer.clone(),
                cells: vec![Uses::NONE; array.cells.len()],
            });
            for place in places.clone() {
                let cell = &mut used.cells[place];
                let outcome = match how {
                    Use::Read => cell.read(*now),
                    Use::Write => cell.write(*now),
                    Use::Update => cell.update(*now),
                };
                outcome.map_err(|Conflict { how: [how, how_before], other }| {
                    let (indices, now) = (array.indices_of(place), units.name(*now));
                    let before = units.name(other);
                    format!(
                        "cell {indices:?} is {how} by {now} and {how_before} by {before}, which are unordered"
                    )
                })?;
            }
        }
        if !matches!(how, Use::Read) {
            self.views.written(buffer, places);
        }
        Ok(())
    }
}

impl RaceUnits {
    fn name(&self, number: u32) -> String {
        match self {
            RaceUnits::Iterations { from, step } => {
                format!("parallel iteration {}", counter(*from, *step, number))
            }
            RaceUnits::Chunks(chunks) => format!("chunk {:?}", chunks[number as usize]),
            RaceUnits::ThreadBlocks(dims) => {
                format!("thread block {:?}", coordinates(dims, number))
            }
            RaceUnits::Threads(dims) => format!("thread {:?}", coordinates(dims, number)),
        }
    }
}

/// The coordinates of a linear index in a grid or thread block; x is innermost.
pub fn coordinates(dims: &[i64; 3], number: u32) -> [i64; 3] {
    let number = i64::from(number);
    [number % dims[0], number / dims[0] % dims[1], number / dims[0] / dims[1]]
}

/// The counter of iteration `number` of a loop. The product may overflow; the sum is between the bounds.
pub fn counter(from: i64, step: i64, number: u32) -> i64 {
    from.wrapping_add(i64::from(number).wrapping_mul(step))
}
