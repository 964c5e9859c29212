//! What a nest moves between a memory level and the next one, from footprints.
//!
//! The *footprint* of a loop is what the buffers have of distinct lines that the loop accesses, while the loops around it
//! are in their first iteration. For a level of some capacity:
//!
//! ```text
//! moved by one iteration that fits                   its footprint
//! moved by a loop whose iterations fit               the footprint of the loop: what the next iteration uses again, is there
//! moved by a loop whose iterations do not fit        extent x what an iteration moves
//! moved by a nest that fits as a whole               nothing: it is there already
//! ```
//! For a buffer, an iteration fits if what is accessed between two uses of a line of that buffer fits.
//!
//! Lines whose addresses differ by a multiple of the *period* of a cache compete for the same few places. If the rows of a tile start
//! at such addresses, as those of a 1024 x 1024 matrix of floats do, the tile can use only a part of the cache. If that is a
//! sixteenth, the tile fits if 16 times its footprint fits.

use super::nest::{Item, Leaf, ModelAccess, ModelBuffer, ModelLoop, NestModel, step};
use crate::analysis::loop_cost::common_divisor;
use crate::dialect::loop_enums::{LoopKind, Scope};
use crate::ir::affine::Expr;
use crate::nest::summary::{BufferId, VariableId, mentions};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

/// Runs that a processor fetches ahead at the same time: prefetchers of Intel and AMD follow about 32 streams.
const STREAMS: f64 = 32.0;

/// What passes between two levels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    pub bytes: f64,
    /// The number of runs of lines that follow each other. Processors fetch the lines of a run ahead, and not the first ones.
    pub runs: f64,
}

/// The size of a memory level.
#[derive(Clone, Copy, Debug)]
pub struct LevelSize {
    /// What each core has of it.
    pub bytes: f64,
    /// Lines whose addresses differ by a multiple of this compete for the same places; 0 if there is no such number.
    pub period: i64,
}

/// What some items access of a buffer.
#[derive(Default)]
struct Footprint {
    /// The values of the indices of each access.
    touched: Vec<Vec<IndexValues>>,
    lines: Moved,
}

/// The lines of some elements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Lines {
    lines: Moved,
    /// The bytes of the lines, divided by the part of a period that they can use.
    occupied: f64,
}

/// What is counted.
pub struct Traffic<'m> {
    pub model: &'m NestModel,
    /// The bytes that all nests use together which are executed again and again.
    pub working_set: f64,
    /// Bytes that are moved together.
    pub line: i64,
    /// The number of cores, each of which has its own memory of this level.
    pub cores: i64,
    /// A line that is stored is read before, unless the stores go around the caches.
    pub reads_before_writes: bool,
    /// The footprints that were counted: most are asked for several times.
    pub known: KnownFootprints<'m>,
}

/// Footprints that were counted.
#[derive(Default)]
pub struct KnownFootprints<'m>(RefCell<HashMap<FootprintKey<'m>, Rc<Footprint>>>);

/// A buffer, some items, and the loop around them that runs, too.
type FootprintKey<'m> = (usize, ByAddress<'m>, Option<VariableId>);

/// Items that are equal if they are the same.
#[derive(Clone, Copy)]
struct ByAddress<'m>(&'m [Item]);

impl PartialEq for ByAddress<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for ByAddress<'_> {}

impl Hash for ByAddress<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

/// The values of an index of an access under some loops.
#[derive(Clone, Copy)]
struct IndexValues {
    low: i64,
    high: i64,
    /// At most so many between these.
    count: i64,
    /// So many follow each other.
    run: i64,
}

/// The bytes that some nests use together: of each buffer, the footprint of the nest that accesses most of it.
pub fn working_set(models: &[NestModel], line: i64) -> f64 {
    let mut most: BTreeMap<BufferId, f64> = BTreeMap::new();
    for model in models {
        let traffic = Traffic {
            model,
            working_set: 0.0,
            line,
            cores: 1,
            reads_before_writes: false,
            known: KnownFootprints::default(),
        };
        for (number, buffer) in model.buffers.iter().enumerate() {
            let bytes = traffic.least(number, &model.items).bytes;
            most.entry(buffer.id).and_modify(|it| *it = it.max(bytes)).or_insert(bytes);
        }
    }
    most.values().sum()
}

impl<'m> Traffic<'m> {
    /// What the nest moves from beyond a level, and what it writes there.
    pub fn beyond(&self, capacity: LevelSize) -> Moved {
        let items = &self.model.items;
        // Each core has its part of the data.
        let together = LevelSize { bytes: capacity.bytes * self.cores as f64, ..capacity };
        let are_there = self.total(items).max(self.working_set) <= together.bytes;
        let is_moved = |buffer: &usize| !are_there || !self.fits(*buffer, items, together);
        let moved = self.buffers().filter(is_moved);
        moved.map(|it| self.of_buffer(it, items, capacity)).fold(Moved::default(), Moved::and)
    }

    /// The bytes that any schedule of the nest moves from beyond a level: what it accesses of buffers that the function does not
    /// allocate itself, each line once, if that does not fit.
    pub fn least_beyond(&self, capacity: LevelSize) -> f64 {
        let is_given = |buffer: &usize| self.model.buffers[*buffer].scope.is_none();
        let given = self.buffers().filter(is_given);
        let bytes: f64 = given.map(|it| self.least(it, &self.model.items).bytes).sum();
        if bytes > capacity.bytes * self.cores as f64 { bytes } else { 0.0 }
    }

    /// What some items of the nest move, if what they use is not there before.
    pub fn of_items(&self, items: &'m [Item], capacity: LevelSize) -> Moved {
        let buffers = self.buffers();
        buffers.map(|it| self.of_buffer(it, items, capacity)).fold(Moved::default(), Moved::and)
    }

    /// The same without known footprints, for items that do not live as long.
    pub fn anew<'s>(&self) -> Traffic<'s>
    where
        'm: 's,
    {
        let &Traffic { model, working_set, line, cores, reads_before_writes, known: _ } = self;
        let known = KnownFootprints::default();
        Traffic { model, working_set, line, cores, reads_before_writes, known }
    }

    fn buffers(&self) -> Range<usize> {
        0..self.model.buffers.len()
    }

    fn of_buffer(&self, buffer: usize, items: &'m [Item], capacity: LevelSize) -> Moved {
        let moved = self.moved(buffer, items, capacity).times(self.share(buffer));
        let least = self.least(buffer, items);
        let bytes = moved.bytes.max(least.bytes) * self.times_moved(buffer);
        Moved { bytes, runs: moved.runs.max(least.runs) }
    }

    /// What some items move of a buffer if each line is moved once.
    fn least(&self, buffer: usize, items: &'m [Item]) -> Moved {
        self.footprint(buffer, items, None).lines
    }

    /// The part of the iterations in which a buffer is accessed: less than 1 if the last tiles are partial.
    fn share(&self, buffer: usize) -> f64 {
        let of_leaf = |leaf: &Leaf| {
            let accesses = leaf.accesses.iter().filter(|it| it.buffer == buffer);
            accesses.map(|it| leaf.share_of(it)).fold(0.0, f64::max)
        };
        self.model.leaves.iter().map(of_leaf).fold(0.0, f64::max)
    }

    /// How often what is accessed is moved: what is stored is also written back.
    fn times_moved(&self, buffer: usize) -> f64 {
        if !self.reads_before_writes {
            return 1.0;
        }
        let of_buffer = |is_streaming: bool| {
            self.model.leaves.iter().filter(move |leaf| leaf.is_streaming == is_streaming).any(
                |leaf| {
                    leaf.accesses.iter().any(|access| access.buffer == buffer && access.is_write)
                },
            )
        };
        if of_buffer(false) { 2.0 } else { 1.0 }
    }

    /// What some items move of a buffer.
    fn moved(&self, buffer: usize, items: &'m [Item], capacity: LevelSize) -> Moved {
        if self.fits(buffer, items, capacity) {
            let bytes = self.least(buffer, items).bytes;
            return Moved { bytes, runs: self.runs(buffer, items) };
        }
        let of_item = |item: &'m Item| {
            let Item::Loop(this, body) = item else {
                return self.least(buffer, std::slice::from_ref(item));
            };
            if !self.fits(buffer, self.between_uses(buffer, body), capacity) {
                return self.moved(buffer, body, capacity).times(this.extent as f64);
            }
            let all = self.of_loop(buffer, *this, body);
            // What all iterations use is moved to each core.
            let is_shared = this.kind == LoopKind::Parallel && !self.varies(buffer, body, *this);
            all.times(if is_shared { self.cores.min(this.extent) as f64 } else { 1.0 })
        };
        items.iter().map(of_item).fold(Moved::default(), Moved::and)
    }

    /// The lines of a buffer that a loop accesses. If an iteration accesses more than [`STREAMS`] runs, each iteration has
    /// runs of its own, also where they continue those of the iteration before.
    fn of_loop(&self, buffer: usize, this: ModelLoop, body: &'m [Item]) -> Moved {
        let all = self.footprint(buffer, body, Some(this)).lines;
        let (one, runs) = (self.least(buffer, body).bytes, self.runs(buffer, body));
        match runs > STREAMS && one > 0.0 {
            true => Moved { runs: runs * all.bytes / one, ..all },
            false => all,
        }
    }

    /// The runs of lines of a buffer that some items access, in the order of their loops.
    fn runs(&self, buffer: usize, items: &'m [Item]) -> f64 {
        let of_item = |item: &'m Item| match item {
            Item::Loop(this, body) => self.of_loop(buffer, *this, body).runs,
            Item::Leaf(_) => self.least(buffer, std::slice::from_ref(item)).runs,
        };
        items.iter().map(of_item).fold(0.0, f64::max)
    }

    /// What is accessed between two uses of a line of a buffer in iterations of a loop that follow each other: the loops of
    /// the body with which the buffer does not vary use all its lines in each iteration.
    fn between_uses<'i>(&self, buffer: usize, body: &'i [Item]) -> &'i [Item] {
        match body {
            [Item::Loop(next, inner)] if !self.varies(buffer, inner, *next) => {
                self.between_uses(buffer, inner)
            }
            _ => body,
        }
    }

    /// True if items access other elements of a buffer in other iterations of a loop around them.
    fn varies(&self, buffer: usize, items: &[Item], around: ModelLoop) -> bool {
        if self.model.buffers[buffer].reused_by.contains(&around.variable) {
            return false;
        }
        items.iter().any(|item| match item {
            Item::Loop(_, body) => self.varies(buffer, body, around),
            Item::Leaf(leaf) => {
                let accesses = self.model.leaves[*leaf].accesses.iter();
                accesses
                    .filter(|access| access.buffer == buffer)
                    .any(|access| Leaf::varies(access, around.variable))
            }
        })
    }

    /// The footprint of all buffers.
    fn total(&self, items: &'m [Item]) -> f64 {
        self.buffers().map(|buffer| self.least(buffer, items).bytes).sum()
    }

    /// True if a cache holds what some items access of a buffer until they are executed again.
    fn fits(&self, buffer: usize, items: &'m [Item], capacity: LevelSize) -> bool {
        let own = self.footprint(buffer, items, None);
        let occupied = self.all_lines(buffer, &own.touched, capacity.period).occupied;
        self.total(items) - own.lines.bytes + occupied <= capacity.bytes
    }

    /// The footprint of a buffer in some items of the nest, while the loop around them runs, too, if one is given.
    fn footprint(
        &self,
        buffer: usize,
        items: &'m [Item],
        around: Option<ModelLoop>,
    ) -> Rc<Footprint> {
        // What registers and shared memory hold passes no cache.
        if matches!(self.model.buffers[buffer].scope, Some(Scope::Shared | Scope::Local)) {
            return Rc::default();
        }
        let key = (buffer, ByAddress(items), around.map(|it| it.variable));
        let known = self.known.0.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let mut touched = vec![];
            self.touch(buffer, items, &mut around.into_iter().collect(), &mut touched);
            let lines = self.all_lines(buffer, &touched, 0).lines;
            let counted = Rc::new(Footprint { touched, lines });
            self.known.0.borrow_mut().insert(key, Rc::clone(&counted));
            counted
        })
    }

    fn touch(
        &self,
        buffer: usize,
        items: &[Item],
        inside: &mut Vec<ModelLoop>,
        touched: &mut Vec<Vec<IndexValues>>,
    ) {
        for item in items {
            match item {
                Item::Loop(this, body) => {
                    inside.push(*this);
                    self.touch(buffer, body, inside, touched);
                    inside.pop();
                }
                Item::Leaf(leaf) => {
                    let accesses = self.model.leaves[*leaf].accesses.iter();
                    for access in accesses.filter(|access| access.buffer == buffer) {
                        touched.push(self.values(access, inside));
                    }
                }
            }
        }
    }

    /// The values of the indices of an access while some loops run.
    fn values(&self, access: &ModelAccess, inside: &[ModelLoop]) -> Vec<IndexValues> {
        let ModelBuffer { sizes, reused_by, .. } = &self.model.buffers[access.buffer];
        let inside: Vec<ModelLoop> =
            inside.iter().filter(|it| !reused_by.contains(&it.variable)).copied().collect();
        let inside = &inside[..];
        let ranges = access.ranges(inside, sizes);
        let values = |((d, (low, high)), index): ((usize, (i64, i64)), &Option<Expr>)| {
            let size = sizes.get(d).copied().unwrap_or(1).max(1);
            let width = high.saturating_sub(low).saturating_add(1).min(size).max(1);
            let moves =
                |it: &&ModelLoop| index.as_ref().is_none_or(|index| mentions(index, it.variable));
            let extents = inside.iter().filter(moves).map(|it| it.extent);
            let count = extents.fold(1i64, i64::saturating_mul).min(width);
            let run = index.as_ref().map_or(1, |index| following(index, inside)).min(count);
            IndexValues { low, high, count, run }
        };
        ranges.into_iter().enumerate().zip(&access.indices).map(values).collect()
    }

    /// The lines that some accesses of a buffer use together.
    fn all_lines(&self, buffer: usize, touched: &[Vec<IndexValues>], period: i64) -> Lines {
        let Some(first) = touched.first() else { return Lines::default() };
        let each = touched.iter().map(|it| self.lines(buffer, it, period));
        let sum = each.fold(Lines::default(), Lines::and);
        let mut hull = first.clone();
        for it in &touched[1..] {
            for (hull, values) in hull.iter_mut().zip(it) {
                let (low, high) = (hull.low.min(values.low), hull.high.max(values.high));
                let count = match (hull.low, hull.high) == (values.low, values.high) {
                    true => hull.count.max(values.count),
                    false => {
                        let width = high.saturating_sub(low).saturating_add(1);
                        hull.count.saturating_add(values.count).min(width)
                    }
                };
                *hull = IndexValues { low, high, count, run: hull.run.max(values.run) };
            }
        }
        let all = self.lines(buffer, &hull, period);
        if all.lines.bytes < sum.lines.bytes { all } else { sum }
    }

    /// The lines of the elements that have these indices.
    fn lines(&self, buffer: usize, values: &[IndexValues], period: i64) -> Lines {
        let buffer = &self.model.buffers[buffer];
        let (element, line) = (buffer.element_bytes as f64, self.line as f64);
        let size = |d: usize| buffer.sizes.get(d).copied().unwrap_or(1).max(1);
        // Rows that are accessed whole follow each other: they are one run.
        let mut run = 1.0;
        let mut inner = values.len();
        let mut last = None;
        while inner > 0 && last.is_none() {
            inner -= 1;
            let IndexValues { low, high, count, run: following } = values[inner];
            let width = high.saturating_sub(low).saturating_add(1).min(size(inner)).max(1);
            if width == size(inner) && count == width {
                run *= width as f64;
            } else if count == width || run == 1.0 {
                last = Some([width, count, following].map(|it| it as f64 * run));
            } else {
                // Rows that are accessed whole, with others between them.
                inner += 1;
                last = Some([run; 3]);
            }
        }
        let [width, elements, following] = last.unwrap_or([run; 3]);
        let runs: f64 = values[..inner].iter().map(|it| it.count as f64).product();
        // Elements far from each other have lines of their own.
        let parts = elements / following;
        let [dense, apart] = [(width, 1.0), (following, parts)]
            .map(|(length, parts)| (length * element / line).ceil() * parts);
        let (of_run, parts) = if dense <= apart { (dense, 1.0) } else { (apart, parts) };
        let lines = Moved { bytes: runs * of_run * line, runs: runs * parts };
        if period == 0 {
            return Lines { lines, occupied: lines.bytes };
        }
        let mut usable = (of_run * line).min(period as f64);
        let mut pitch = buffer.element_bytes;
        for d in (0..values.len()).rev() {
            if d < inner {
                usable = reachable(usable, values[d].count, pitch, period);
            }
            pitch = pitch.saturating_mul(size(d));
        }
        let often = if lines.bytes > usable { period as f64 / usable } else { 1.0 };
        Lines { lines, occupied: lines.bytes * often }
    }
}

/// The bytes of a period that `count` runs can use which start at multiples of `pitch`, if a run can use `usable` of them.
fn reachable(usable: f64, count: i64, pitch: i64, period: i64) -> f64 {
    let apart = common_divisor([pitch, period]);
    let starts = period / apart;
    // Runs that go around the period start between each other, a common divisor apart.
    let usable = if count < starts { usable } else { usable.min(apart as f64) };
    (count.min(starts) as f64 * usable).min(period as f64)
}

/// How many values of an index follow each other while some loops run, from the smallest one on.
fn following(index: &Expr, inside: &[ModelLoop]) -> i64 {
    let moving = inside.iter().filter(|it| it.extent > 1);
    let steps = moving.map(|it| Some((step(index, it.variable)?.abs(), it.extent)));
    let Some(mut steps) = steps.collect::<Option<Vec<_>>>() else { return 1 };
    steps.sort_unstable();
    let near = |run: i64, (step, extent): (i64, i64)| match step <= run {
        true => run.max(step.saturating_mul(extent - 1).saturating_add(run)),
        false => run,
    };
    steps.into_iter().fold(1, near)
}

impl Lines {
    fn and(self, other: Lines) -> Lines {
        let occupied = self.occupied + other.occupied;
        Lines { lines: self.lines.and(other.lines), occupied }
    }
}

impl Moved {
    fn and(self, other: Moved) -> Moved {
        Moved { bytes: self.bytes + other.bytes, runs: self.runs + other.runs }
    }

    fn times(self, factor: f64) -> Moved {
        Moved { bytes: self.bytes * factor, runs: self.runs * factor }
    }
}
