//! The buffers of a running nest: one array an instance of the scope, and the access history of each element.

use super::program::{BufferSlot, NestProgram};
use super::shadow::{Coordinates, ElementHistory, OrderedInstance};
use super::thread::LockstepThread;
use crate::dialect::loop_enums::Scope;
use crate::interpreter::race::Use;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::Array;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The instance of a buffer: that of a thread block, or of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct BufferInstance {
    buffer: usize,
    block_at: Coordinates,
    thread_at: Coordinates,
    parallel: Vec<(usize, i64)>,
}

pub struct NestMemory<'p> {
    slots: &'p [BufferSlot],
    is_tracked: bool,
    /// The arrays of threads and thread blocks. Code outside of all unordered loops uses the arrays of the slots.
    instances: HashMap<BufferInstance, Rc<RefCell<Array>>>,
    shadows: HashMap<BufferInstance, Vec<ElementHistory>>,
}

impl<'p> NestMemory<'p> {
    pub fn new(program: &'p NestProgram) -> Self {
        NestMemory {
            slots: &program.buffers,
            is_tracked: program.is_unordered,
            instances: HashMap::new(),
            shadows: HashMap::new(),
        }
    }

    /// The array of this buffer that a thread accesses.
    pub fn array(&mut self, buffer: usize, thread: &LockstepThread) -> Rc<RefCell<Array>> {
        let slot = &self.slots[buffer];
        if !self.is_tracked || slot.scope == Scope::Global {
            return slot.array.clone();
        }
        let key = self.key(buffer, thread);
        if key == (BufferInstance { buffer, ..BufferInstance::default() }) {
            return slot.array.clone();
        }
        let fresh = || {
            let mut array = slot.array.borrow().clone();
            array.cells.fill(Scalar::Undefined);
            Rc::new(RefCell::new(array))
        };
        self.instances.entry(key).or_insert_with(fresh).clone()
    }

    /// Records an access of the element at `offset`. Returns an earlier access that it conflicts with, and whether
    /// that access was a write.
    pub fn record(
        &mut self,
        buffer: usize,
        thread: &LockstepThread,
        offset: usize,
        instance: &Rc<OrderedInstance>,
        how: Use,
    ) -> Option<(Rc<OrderedInstance>, bool)> {
        let key = self.key(buffer, thread);
        let size = self.slots[buffer].array.borrow().cells.len();
        let cells =
            self.shadows.entry(key).or_insert_with(|| vec![ElementHistory::default(); size]);
        match how {
            Use::Write => cells[offset].write(instance),
            Use::Update => cells[offset].update(instance),
            Use::Read => cells[offset].read(instance).map(|writer| (writer, true)),
        }
    }

    fn key(&self, buffer: usize, thread: &LockstepThread) -> BufferInstance {
        let mut key = BufferInstance { buffer, ..BufferInstance::default() };
        let scope = self.slots[buffer].scope;
        if scope != Scope::Global {
            key.block_at = thread.block_at;
        }
        if scope == Scope::Local {
            key.thread_at = thread.thread_at;
            let shared = &self.slots[buffer].shared_in;
            let own = thread.parallel.iter().filter(|(id, _)| !shared.contains(id));
            key.parallel = own.copied().collect();
        }
        key
    }
}
