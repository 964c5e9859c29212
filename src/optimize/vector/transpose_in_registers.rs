//! `transpose-in-registers`: replace vectors that are gathered column by column from the same rows by contiguous row
//! loads and a transpose in registers.
//!
//! ```text
//! %0 = memref.load %A[%r0, %i]                  %a = vector.load %A[%r0, %i] : vector<2xf64>
//! %1 = memref.load %A[%r1, %i]                  %b = vector.load %A[%r1, %i] : vector<2xf64>
//! %x = vector.from_elements %0, %1       ->     %x = vector.shuffle %a, %b [0, 2]
//! %2 = memref.load %A[%r0, %i + 1]              %y = vector.shuffle %a, %b [1, 3]
//! %3 = memref.load %A[%r1, %i + 1]
//! %y = vector.from_elements %2, %3
//! ```
//! Such gathers occur if an unrolled loop contains a vectorized loop that reads across rows. Vectors are transposed
//! together if all of these hold:
//! - They are in one basic block, and all their elements are loaded there, from one buffer. A load of an element may be
//!   conditional, with another value if the condition is false, as in the lanes of a tail. Then the row is loaded under
//!   the same condition.
//! - Their last indices differ by a constant that is the same in all lanes, so that the vectors are neighbours. The
//!   other indices are equal.
//! - Between the loads, no op stores to the buffer or has other effects. Two memrefs are assumed not to alias.
//!
//! A gather of elements of one row, such as every second one, or each one twice, becomes loads of the row and shuffles: before all
//! this if two loads are enough, after it if four are. These loads also read the elements in between, which are in bounds. If other
//! iterations of a parallel loop may write the elements in between, the gather is unchanged.
//!
//! A gather of the elements of two or four rows in turn becomes loads of the rows, and shuffles that interleave them.
//!
//! Except for elements in between, the pass adds no reads of elements. The numbers of lanes and of neighbours that are transposed
//! together are powers of two. The number of neighbours is limited by the registers: for 64 lanes of i8, 16 at a time.

mod interleaved;
mod one_row;
pub(crate) mod transpose;

use crate::ir::{Attribute, Block, Builder, FloatKind, Op, Region, Type, TypeKind, Value, walk};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Transposes the gathers of a function, with vectors of `vector_bits` bits.
pub fn run(function: Op, vector_bits: i64) {
    let regions = walk(function).into_iter().flat_map(|op| op.regions());
    let blocks: Vec<_> = regions.flat_map(|region| region.blocks()).collect();
    // Inner blocks first: a branch is erased with the load in it.
    for block in blocks.into_iter().rev() {
        // Two loads and a shuffle are cheaper than a share of a transpose.
        for (rows, gather) in gathers(block) {
            one_row::replace(&rows, gather, 2);
        }
        groups(block).into_iter().for_each(|group| group.replace(vector_bits));
        for (rows, gather) in gathers(block) {
            if !interleaved::replace(&rows, gather) {
                one_row::replace(&rows, gather, one_row::MOST);
            }
        }
    }
}

/// Vectors of a block whose elements are loaded from the same rows.
struct GatherGroup<'c> {
    rows: LaneRows<'c>,
    /// In the order of the block.
    columns: Vec<GatheredVector<'c>>,
}

/// Where the elements of a vector are loaded from, without what differs between columns.
#[derive(PartialEq)]
struct LaneRows<'c> {
    buffer: Value<'c>,
    element: Type<'c>,
    /// How many ops before the loads may have stored to the buffer.
    writes: usize,
    /// One row per lane.
    rows: Vec<LaneRow<'c>>,
}

#[derive(PartialEq)]
struct LaneRow<'c> {
    guard: Option<LaneGuard<'c>>,
    /// All indices but the last one.
    outer: Vec<Rc<Sum<'c>>>,
    /// The terms of the last index, and by how much its constant exceeds that of lane 0.
    last: (Rc<Sum<'c>>, i64),
}

/// Why an element may not be loaded.
#[derive(Clone, Copy, PartialEq)]
enum LaneGuard<'c> {
    /// It is loaded if the condition holds. If not, the lane has the other value.
    If(Value<'c>, Value<'c>),
    /// The lane has this value, which is not loaded.
    Never(Value<'c>),
}

/// A gathered vector.
#[derive(Clone, Copy)]
struct GatheredVector<'c> {
    op: Op<'c>,
    /// The constant in the last index of lane 0.
    place: i64,
}

impl<'c> GatheredVector<'c> {
    /// The ops that load the lanes. One load may be in several lanes.
    fn lanes(&self) -> Vec<Op<'c>> {
        let lanes = self.op.operands().into_iter().filter_map(|lane| lane.defining_op());
        lanes.filter(|op| LoadedLane::of(*op).is_some()).collect()
    }

    /// Replaces the gather by a vector, and erases the loads that are then unused.
    fn replace_by(&self, vector: Value<'c>) {
        let loads: HashSet<Op> = self.lanes().into_iter().collect();
        self.op.result(0).replace_all_uses_with(vector);
        self.op.erase();
        loads.into_iter().filter(|op| op.result(0).is_unused()).for_each(Op::erase);
    }
}

/// The groups of a block that have more than one vector.
fn groups(block: Block) -> Vec<GatherGroup> {
    let mut groups: Vec<GatherGroup> = vec![];
    let is_loaded = |row: &LaneRow| !matches!(row.guard, Some(LaneGuard::Never(_)));
    for (rows, column) in gathers(block) {
        if !rows.rows.iter().all(is_loaded) {
            continue;
        }
        match groups.iter_mut().find(|group| group.rows == rows) {
            Some(group) => group.columns.push(column),
            None => groups.push(GatherGroup { rows, columns: vec![column] }),
        }
    }
    groups.retain(|group| group.columns.len() > 1);
    groups
}

/// The vectors of a block whose elements are loaded there.
fn gathers(block: Block) -> Vec<(LaneRows, GatheredVector)> {
    let ops = block.ops();
    let mut gathers = vec![];
    if !ops.iter().any(|op| op.is("vector.from_elements")) {
        return gathers;
    }
    let (mut written, mut sums) = (StoreCounter::default(), IndexSums::default());
    let mut lanes: HashMap<Op, (LoadedLane, usize)> = HashMap::new();
    for op in ops {
        if let Some(lane) = LoadedLane::of(op) {
            lanes.insert(op, (lane, written.before(lane.load.operand(0))));
        } else if op.is("vector.from_elements") {
            if let Some((rows, place)) = rows(op, &lanes, &mut sums) {
                gathers.push((rows, GatheredVector { op, place }));
            }
        } else {
            written.count(op);
        }
    }
    gathers
}

/// The rows that a vector is gathered from, and the constant in its last index, if its elements are loaded in its
/// block.
fn rows<'c>(
    gather: Op<'c>,
    lanes: &HashMap<Op<'c>, (LoadedLane<'c>, usize)>,
    sums: &mut IndexSums<'c>,
) -> Option<(LaneRows<'c>, i64)> {
    let (count, element) = gather.result(0).ty().lanes()?;
    bits(element)?;
    let of = gather.operands();
    (of.len() == count && count.is_power_of_two()).then_some(())?;
    let lane_of = |lane: &Value<'c>| lanes.get(&lane.defining_op()?);
    let (first, writes) = *lane_of(of.first()?)?;
    let buffer = first.load.operand(0);
    let mut rows = vec![];
    for value in &of {
        let Some((lane, lane_writes)) = lane_of(value) else {
            let last = (Rc::default(), 0);
            rows.push(LaneRow { guard: Some(LaneGuard::Never(*value)), outer: vec![], last });
            continue;
        };
        let operands = lane.load.operands();
        (operands[0] == buffer && *lane_writes == writes).then_some(())?;
        let (column, indices) = operands[1..].split_last()?;
        let outer = indices.iter().map(|index| sums.of(*index)).collect();
        let guard = lane.guard.map(|(condition, other)| LaneGuard::If(condition, other));
        rows.push(LaneRow { guard, outer, last: sums.apart(*column) });
    }
    let place = rows[0].last.1;
    for row in &mut rows {
        row.last.1 = row.last.1.wrapping_sub(place);
    }
    Some((LaneRows { buffer, element, writes, rows }, place))
}

/// A loaded element.
#[derive(Clone, Copy)]
struct LoadedLane<'c> {
    load: Op<'c>,
    /// The condition of the load, and the value if it does not hold.
    guard: Option<(Value<'c>, Value<'c>)>,
}

impl<'c> LoadedLane<'c> {
    /// A load, or an `scf.if` that yields either its load or a value from outside.
    fn of(op: Op<'c>) -> Option<LoadedLane<'c>> {
        if op.is("memref.load") {
            let is_plain = matches!(op.operand(0).ty().kind(), TypeKind::MemRef { .. });
            let is_near = op.attribute("nontemporal").is_none_or(|hint| hint.as_i64() == Some(0));
            return (is_plain && is_near).then_some(LoadedLane { load: op, guard: None });
        }
        let is_one = op.is("scf.if") && op.results().len() == 1 && op.regions().len() == 2;
        let (then, otherwise) = is_one.then(|| Some((op.body(0)?, op.body(1)?)))??;
        let ([value], [other]) =
            (&then.terminator()?.operands()[..], &otherwise.terminator()?.operands()[..])
        else {
            return None;
        };
        let is_outside = other.defining_op().is_none_or(|of| of.block() != Some(otherwise));
        let LoadedLane { load, guard: None } = LoadedLane::of(value.defining_op()?)? else {
            return None;
        };
        let is_pure = |part: &Op<'c>| *part == load || part.has_no_effects();
        let is_alone = load.block() == Some(then)
            && is_outside
            && then.ops().iter().all(is_pure)
            && otherwise.ops().len() == 1;
        is_alone.then(|| LoadedLane { load, guard: Some((op.operand(0), *other)) })
    }

    /// The indices of the element, before the op that loads it.
    fn indices(&self, at: Builder<'c>) -> Vec<Value<'c>> {
        if self.guard.is_none() {
            return self.load.operands()[1..].to_vec();
        }
        let mut mapping: Vec<(Value, Value)> = vec![];
        for op in self.load.block().expect("it is in a branch").ops() {
            let copy = op.clone_mapped(&mapping);
            if op == self.load {
                let indices = copy.operands()[1..].to_vec();
                copy.erase();
                return indices;
            }
            at.place(copy);
            mapping.extend(op.results().into_iter().zip(copy.results()));
        }
        unreachable!("the load is in its block")
    }

    /// Loads the row of type `ty` that begins at an offset of `back` from this element.
    fn row(&self, ty: Type<'c>, back: i64, at: Builder<'c>) -> Value<'c> {
        let load = |like: Op<'c>, at: Builder<'c>| {
            let mut operands = like.operands();
            if let Some(last) = operands.last_mut().filter(|_| back != 0) {
                *last = at.op("arith.addi", &[*last, at.index(back)], last.ty());
            }
            at.op("vector.load", &operands, ty)
        };
        let Some((condition, other)) = self.guard else { return load(self.load, at) };
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [yes, no] = blocks.map(|block| Builder::at_end(block, at.location()));
        let mut mapping: Vec<(Value, Value)> = vec![];
        for op in self.load.block().expect("it is in a branch").ops() {
            let copy = op.clone_mapped(&mapping);
            yes.place(copy);
            if op == self.load {
                let row = load(copy, yes);
                yes.insert(yes.spec("scf.yield").operands(&[row]));
                copy.erase();
                break;
            }
            mapping.extend(op.results().into_iter().zip(copy.results()));
        }
        let others = no.op("vector.broadcast", &[other], ty);
        no.insert(no.spec("scf.yield").operands(&[others]));
        let spec = at.spec("scf.if").operands(&[condition]).results(&[ty]);
        at.value(blocks.into_iter().fold(spec, |spec, block| spec.region(Region::of(block))))
    }
}

impl<'c> GatherGroup<'c> {
    fn replace(mut self, vector_bits: i64) {
        let Some(bits) = bits(self.rows.element) else { return };
        let most = most_columns(self.rows.rows.len(), bits, vector_bits);
        let order: HashMap<Op, usize> =
            self.columns.iter().enumerate().map(|(i, column)| (column.op, i)).collect();
        self.columns.sort_by_key(|column| (column.place, order[&column.op]));
        self.columns.dedup_by_key(|column| column.place);
        let is_next =
            |a: &GatheredVector, b: &GatheredVector| a.place.checked_add(1) == Some(b.place);
        for mut run in self.columns.chunk_by(is_next) {
            while run.len() > 1 {
                let most = most.min(run.len());
                let (tile, rest) = run.split_at(1 << most.ilog2());
                let first = tile.iter().min_by_key(|column| order[&column.op]);
                turn_columns(tile, *first.expect("a tile has columns"), self.rows.element);
                run = rest;
            }
        }
    }
}

/// Loads the rows of neighbouring columns, sorted by position, before the first of these columns in the block, and
/// transposes them.
fn turn_columns<'c>(tile: &[GatheredVector<'c>], first: GatheredVector<'c>, element: Type<'c>) {
    let at = Builder::before(first.op, first.op.location());
    let ty = Type::vector(tile.len(), element);
    let back = tile[0].place.wrapping_sub(first.place);
    let row = |op: &Op<'c>| LoadedLane::of(*op).expect("an element is loaded").row(ty, back, at);
    let rows: Vec<_> = first.lanes().iter().map(row).collect();
    let turned = transpose::turn(&rows, at);
    tile.iter().zip(turned).for_each(|(column, turned)| column.replace_by(turned));
}

/// The most columns that are transposed together: their vectors fill half of the registers that processors with such
/// vectors have. At least as many as a chunk has lanes.
fn most_columns(lanes: usize, bits: i64, vector_bits: i64) -> usize {
    let vectors = (lanes as i64 * bits + vector_bits - 1) / vector_bits;
    let most = (vector_bits / 32 / vectors).max(transpose::CHUNK_BITS / bits);
    (most as usize).min(lanes)
}

/// The bits of an element, if vectors of it can be shuffled.
fn bits(element: Type) -> Option<i64> {
    match element.kind() {
        TypeKind::Integer(bits @ (8 | 16 | 32 | 64)) => Some(bits.into()),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => Some(16),
        TypeKind::Float(FloatKind::F32) => Some(32),
        TypeKind::Float(FloatKind::F64) => Some(64),
        _ => None,
    }
}

/// Counts the ops that may have stored to memory, up to an op.
#[derive(Default)]
struct StoreCounter<'c> {
    /// Stores to one buffer.
    buffers: HashMap<Value<'c>, usize>,
    /// Ops with any other effects.
    all: usize,
}

impl<'c> StoreCounter<'c> {
    fn count(&mut self, op: Op<'c>) {
        let operands = op.operands();
        let buffer = match op.name() {
            "memref.store" | "vector.store" => operands.get(1),
            "vector.maskedstore" => operands.first(),
            "memref.load" | "vector.load" | "vector.maskedload" | "memref.prefetch" => return,
            "scf.if" | "scf.for" => {
                let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
                return blocks.flat_map(|block| block.ops()).for_each(|inner| self.count(inner));
            }
            _ if op.has_no_effects() => return,
            _ => None,
        };
        match buffer {
            Some(buffer) => *self.buffers.entry(*buffer).or_default() += 1,
            None => self.all += 1,
        }
    }

    /// How many ops may have stored to a buffer.
    fn before(&self, buffer: Value<'c>) -> usize {
        self.all + self.buffers.get(&buffer).copied().unwrap_or(0)
    }
}

/// An index as a sum of values times numbers, plus a constant, modulo 2^64 as indices are.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sum<'c> {
    terms: HashMap<Value<'c>, i64>,
    constant: i64,
}

/// Cached sums of indices.
#[derive(Default)]
struct IndexSums<'c> {
    known: HashMap<Value<'c>, Rc<Sum<'c>>>,
}

impl<'c> IndexSums<'c> {
    fn of(&mut self, index: Value<'c>) -> Rc<Sum<'c>> {
        if let Some(known) = self.known.get(&index) {
            return known.clone();
        }
        let sum = Rc::new(self.sum(index));
        self.known.insert(index, sum.clone());
        sum
    }

    /// The terms of an index, and its constant.
    fn apart(&mut self, index: Value<'c>) -> (Rc<Sum<'c>>, i64) {
        let sum = self.of(index);
        match sum.constant {
            0 => (sum, 0),
            constant => (Rc::new(Sum { terms: sum.terms.clone(), constant: 0 }), constant),
        }
    }

    fn sum(&mut self, index: Value<'c>) -> Sum<'c> {
        let leaf = || Sum { terms: HashMap::from([(index, 1)]), constant: 0 };
        let Some(op) = index.defining_op() else { return leaf() };
        match (op.name(), &op.operands()[..]) {
            ("arith.constant", _) => match op.attribute("value").and_then(Attribute::as_i64) {
                Some(constant) => Sum { terms: HashMap::new(), constant },
                None => leaf(),
            },
            ("arith.addi", [a, b]) => self.of(*a).plus(&self.of(*b), 1),
            ("arith.subi", [a, b]) => self.of(*a).plus(&self.of(*b), -1),
            ("arith.muli", [a, b]) => {
                let (a, b) = (self.of(*a), self.of(*b));
                match (a.terms.is_empty(), b.terms.is_empty()) {
                    (_, true) => Sum::default().plus(&a, b.constant),
                    (true, _) => Sum::default().plus(&b, a.constant),
                    _ => leaf(),
                }
            }
            _ => leaf(),
        }
    }
}

impl<'c> Sum<'c> {
    /// `self + other * factor`.
    fn plus(&self, other: &Sum<'c>, factor: i64) -> Sum<'c> {
        let mut sum = self.clone();
        for (value, times) in &other.terms {
            let term = sum.terms.entry(*value).or_default();
            *term = term.wrapping_add(times.wrapping_mul(factor));
        }
        sum.terms.retain(|_, times| *times != 0);
        sum.constant = sum.constant.wrapping_add(other.constant.wrapping_mul(factor));
        sum
    }
}
