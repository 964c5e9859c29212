//! A state of a part of a function.
//!
//! Each step reads the summary again, so its cost grows with the summary. [`State::focus`] limits the summary to the
//! nests at function level that hold some schedule blocks, and to those that share a buffer with them which something
//! writes. The others are hidden: no check asks about them, because a check asks about accesses to the buffers of the
//! nests that a step changes. Only names must differ in the whole function; they are in
//! [`Summary::elsewhere`](crate::nest::summary::Summary::elsewhere). So steps are accepted, and name what they create,
//! as with a summary of the whole function.
//!
//! A step inserts a nest next to one that it changes. The ops between two hidden nests with shown ones in between are
//! read; hidden nests neither move nor change.

use super::State;
use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock};
use crate::ir::{Attribute, Block, Error, Op, Value, parents, walk};
use crate::nest::state::incremental::{Former, KnownNest};
use crate::nest::summary::{BufferId, Elsewhere, NodeId, NodeKind};
use cranelift_entity::SecondaryMap;
use std::collections::{HashMap, HashSet};

/// What a state does not show.
#[derive(Debug, Default)]
pub(crate) struct Focus<'c> {
    /// The hidden nests, in program order.
    hidden: Vec<Op<'c>>,
    /// The hidden nest of each schedule block in it.
    nests: HashMap<String, Op<'c>>,
    /// The hidden buffers, arguments included.
    buffers: HashSet<Value<'c>>,
    /// The arguments that nothing writes. Nests that share only these are independent.
    constants: HashSet<Value<'c>>,
    /// The arguments that something other than an access uses, in a hidden nest or at function level.
    escaping: HashSet<Value<'c>>,
    windows: Vec<VisibleOps<'c>>,
}

/// A buffer that the function allocates.
#[derive(Clone, Debug)]
pub(crate) struct OwnBuffer<'c> {
    value: Value<'c>,
    /// The schedule blocks that access it.
    blocks: Vec<String>,
}

/// The ops between two hidden nests; `None` stands for the start and the end of the function.
#[derive(Clone, Copy, Debug)]
struct VisibleOps<'c> {
    after: Option<Op<'c>>,
    before: Option<Op<'c>>,
}

impl<'c> State<'c> {
    /// Limits the summary to the nests of some schedule blocks, and to those that they depend on. All numbers of the
    /// old summary become invalid. A function with calls, or with barriers at its level, is shown as a whole.
    ///
    /// # Errors
    /// As [`State::new`]. The state must then be discarded.
    pub(crate) fn focus(&mut self, blocks: &[&str]) -> Result<(), Error<'c>> {
        if self.is_outdated {
            self.refresh()?;
        }
        let Some(mut focus) = self.focus.take().or_else(|| Focus::of(self)) else { return Ok(()) };
        let mut elsewhere = std::mem::take(&mut self.summary.elsewhere);
        focus.hide(self, &mut elsewhere);
        focus.show(blocks, &mut elsewhere);
        self.focus = Some(focus);
        self.read(Former::default())?;
        let focus = self.focus.as_mut().expect("it was set above");
        for (id, buffer) in self.buffers.iter() {
            if focus.buffers.remove(buffer) {
                elsewhere.remove_buffer(&self.summary.buffers[id].name);
            }
        }
        self.summary.elsewhere = elsewhere;
        Ok(())
    }

    /// The buffers that the function allocates, with their present numbers.
    pub(crate) fn own_buffers(&self) -> Vec<(BufferId, OwnBuffer<'c>)> {
        let mut users: SecondaryMap<BufferId, Vec<String>> = SecondaryMap::new();
        for (_, block) in self.summary.blocks() {
            for access in block.accesses() {
                if users[access.buffer].last() != Some(&block.name) {
                    users[access.buffer].push(block.name.clone());
                }
            }
        }
        let own = self.buffers.iter().filter(|(id, _)| self.summary.buffers[*id].scope.is_some());
        own.map(|(id, value)| {
            (id, OwnBuffer { value: *value, blocks: std::mem::take(&mut users[id]) })
        })
        .collect()
    }

    /// [Focuses](State::focus) on the nests that access a buffer, unless all of them are shown. Returns its number;
    /// `None` if nothing accesses it.
    ///
    /// # Errors
    /// As [`State::focus`].
    pub(crate) fn focus_on(
        &mut self,
        buffer: &OwnBuffer<'c>,
    ) -> Result<Option<BufferId>, Error<'c>> {
        if buffer.blocks.is_empty() {
            return Ok(None);
        }
        let is_shown = |name: &String| !self.summary.elsewhere.blocks.contains(name);
        if self.focus.is_none() || !buffer.blocks.iter().all(is_shown) {
            self.focus(&buffer.blocks.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        Ok(self.buffers.iter().find(|(_, value)| **value == buffer.value).map(|(id, _)| id))
    }

    /// Shows the whole function again.
    ///
    /// # Errors
    /// As [`State::new`]. The state must then be discarded.
    pub(crate) fn widen(&mut self) -> Result<(), Error<'c>> {
        if self.focus.take().is_none() {
            return Ok(());
        }
        self.summary.elsewhere = Default::default();
        self.read(Former::default())
    }
}

impl<'c> Focus<'c> {
    /// The start: nothing is hidden. `None` if something at function level may access any buffer.
    fn of(state: &State<'c>) -> Option<Self> {
        let summary = state.summary();
        let is_nest = |node: &NodeId| {
            !matches!(summary.nodes[*node].kind, NodeKind::Sync | NodeKind::Effects(_))
        };
        if !summary.nodes[NodeId::FUNCTION].children.iter().all(is_nest) {
            return None;
        }
        let mut focus = Focus::default();
        let mut written = HashSet::new();
        for (_, block) in summary.blocks() {
            written.extend(block.stores().map(|store| store.buffer));
        }
        for (id, value) in state.buffers.iter().filter(|(_, value)| is_argument(**value)) {
            if summary.buffers[id].escapes {
                focus.escaping.insert(*value);
            } else if !written.contains(&id) {
                focus.constants.insert(*value);
            }
        }
        Some(focus)
    }

    /// Hides what the state shows.
    fn hide(&mut self, state: &State<'c>, elsewhere: &mut Elsewhere) {
        for nest in &state.nests {
            let place = self.hidden.partition_point(|other| other.is_before(nest.op));
            self.hidden.insert(place, nest.op);
            self.escaping.extend(&nest.escaping);
            for block in nest.nodes().filter_map(|node| state.summary.as_block(node)) {
                self.nests.insert(block.name.clone(), nest.op);
                elsewhere.blocks.insert(block.name.clone());
            }
        }
        for (id, value) in state.buffers.iter() {
            let name = &state.summary.buffers[id].name;
            if self.buffers.insert(*value) {
                *elsewhere.buffers.entry(name.clone()).or_default() += 1;
            }
        }
    }

    /// Shows the nests of schedule blocks, and those that share buffers with them.
    fn show(&mut self, blocks: &[&str], elsewhere: &mut Elsewhere) {
        let own = blocks.iter().filter_map(|name| self.nests.get(*name).copied());
        let shown = self.related(own.collect());
        let ops = shown.iter().flat_map(|nest| walk(*nest));
        for op in ops.filter(|op| op.is(ScheduleBlock::NAME)) {
            let Some(name) = op.attribute("name").and_then(Attribute::as_str) else { continue };
            self.nests.remove(name);
            elsewhere.blocks.remove(name);
        }
        self.windows.clear();
        let mut after = None;
        let mut is_open = false;
        let all = std::mem::take(&mut self.hidden);
        for nest in all {
            if shown.contains(&nest) {
                is_open = true;
                continue;
            }
            if std::mem::take(&mut is_open) {
                self.windows.push(VisibleOps { after, before: Some(nest) });
            }
            after = Some(nest);
            self.hidden.push(nest);
        }
        if is_open {
            self.windows.push(VisibleOps { after, before: None });
        }
    }

    /// Some nests, and those that use a buffer of theirs.
    fn related(&self, own: Vec<Op<'c>>) -> HashSet<Op<'c>> {
        let mut shown: HashSet<Op<'c>> = own.iter().copied().collect();
        let mut met = HashSet::new();
        let uses = |nest: Op<'c>| walk(nest).into_iter().flat_map(Op::operands);
        for value in own.into_iter().flat_map(uses) {
            if value.ty().is_memref() && !self.constants.contains(&value) && met.insert(value) {
                shown.extend(value.uses().into_iter().filter_map(|(user, _)| nest_of(user)));
            }
        }
        shown
    }

    /// The ops at function level that are read, in program order.
    pub fn ops(&self, body: Block<'c>) -> Vec<Op<'c>> {
        let is_shown =
            |op: &Op<'c>| !op.is(BufferView::NAME) || !self.buffers.contains(&op.result(0));
        let mut found = vec![];
        for window in &self.windows {
            let first = window.after.map_or(body.first_op(), |nest| nest.next());
            let ops = std::iter::successors(first, |op| op.next());
            found.extend(ops.take_while(|op| Some(*op) != window.before).filter(is_shown));
        }
        found
    }

    /// True if something other than an access uses an argument.
    pub fn escapes(&self, argument: Value<'c>, shown: &[KnownNest<'c>]) -> bool {
        self.escaping.contains(&argument)
            || shown.iter().any(|nest| nest.escaping.contains(&argument))
    }
}

impl Elsewhere {
    /// Removes one of the buffers of this name.
    fn remove_buffer(&mut self, name: &str) {
        if let Some(count) = self.buffers.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                self.buffers.remove(name);
            }
        }
    }
}

fn is_argument(buffer: Value) -> bool {
    buffer.defining_op().is_none()
}

/// The nest at function level that holds an op.
fn nest_of(op: Op) -> Option<Op> {
    let around = std::iter::once(op).chain(parents(op));
    let top = around.take_while(|outer| !outer.is("func.func")).last()?;
    matches!(top.name(), For::NAME | ScheduleBlock::NAME | If::NAME).then_some(top)
}
