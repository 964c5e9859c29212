//! `forbid-unrolling`: mark loops that LLVM would unroll, although the registers are full.
//!
//! ```text
//! ^channel(%c: index, %s0: vector<8xf32>, .., %s11: vector<8xf32>):
//!   ..
//! ^window(%w: index, %t0: vector<8xf32>, .., %t11: vector<8xf32>):
//!   ..
//!   cf.br ^window(..) {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
//! ```
//! LLVM unrolls short loops fully, such as those over the window of a convolution. It then keeps what several iterations load in
//! registers. If the sums that the loops carry leave few registers for that, sums or loaded values are stored to the stack in
//! each iteration. A loop is marked if it carries vectors, if a loop around it carries as many, and if these leave fewer than 8
//! registers. The loop annotation is on the branch back to the start of the loop, from which LLVM takes it.
//!
//! ```text
//! ^sum(%i: index, %s: vector<128xf32>):
//!   .. %x = llvm.load %A[..] : vector<128xf32> ..
//! ^squares(%j: index, %t: vector<128xf32>):
//!   .. %x = llvm.load %A[..] : vector<128xf32> ..
//! ```
//! LLVM also merges loads of two loops that it has unrolled fully, as in the passes over a row of a layer norm, and so keeps the
//! whole row. If that is more than the registers hold, the row is stored to the stack and loaded from there, which costs more than
//! to load it again. Both loops are marked if they are in the same loop, contain none, and read the same array.

use std::collections::HashMap;

use crate::ir::{Attribute, Block, Op, Type, Value, constant_integer, walk};

/// The registers that the values loaded by several iterations need.
const LOADED: i64 = 8;

/// The instructions up to which LLVM unrolls a loop fully: the threshold of its `loop-unroll-full` at O3.
const UNROLLED: i64 = 300;

/// The attribute of LLVM's branches.
const ANNOTATION: &str = "loop_annotation";

/// A loop of basic blocks.
struct BlockLoop<'c> {
    /// The numbers of its first and its last block.
    first: usize,
    last: usize,
    /// The branch back to the first block.
    branch: Op<'c>,
    /// The registers of the vectors that it carries.
    carried: i64,
}

/// Marks the loops of all functions, for vector registers of this width and number.
pub fn run(root: Op, vector_bits: i64, registers: i64) {
    for region in walk(root).into_iter().flat_map(Op::regions) {
        let blocks = region.blocks();
        let loops = loops(&blocks, vector_bits);
        let full = nested(&loops).into_iter().filter(|inner| inner.carried + LOADED > registers);
        for one in full.chain(reading_again(&blocks, &loops, vector_bits, registers)) {
            let annotation = "#llvm.loop_annotation<unroll = <disable = true>>";
            let annotation = Attribute::parse(root.context(), annotation);
            one.branch.set_attribute(ANNOTATION, annotation.expect("an attribute of LLVM"));
        }
    }
}

/// The loops of a region's blocks, by their first blocks.
fn loops<'c>(blocks: &[Block<'c>], vector_bits: i64) -> Vec<BlockLoop<'c>> {
    if blocks.len() < 2 {
        return vec![];
    }
    let number: HashMap<Block, usize> =
        blocks.iter().enumerate().map(|(i, block)| (*block, i)).collect();
    let mut found = vec![];
    for (last, block) in blocks.iter().enumerate() {
        let Some(branch) = block.terminator() else { continue };
        for target in branch.successors() {
            let first = number.get(&target).copied().unwrap_or(usize::MAX);
            if first <= last {
                let types = target.arguments().into_iter().map(|value| value.ty());
                let carried = types.map(|ty| needed(ty, vector_bits)).sum();
                found.push(BlockLoop { first, last, branch, carried });
            }
        }
    }
    found.sort_by_key(|it| (it.first, std::cmp::Reverse(it.last)));
    found
}

/// The loops that are in a loop that carries as many vectors.
fn nested<'l, 'c>(loops: &'l [BlockLoop<'c>]) -> Vec<&'l BlockLoop<'c>> {
    let (mut around, mut inner): (Vec<&BlockLoop>, Vec<&BlockLoop>) = (vec![], vec![]);
    for one in loops {
        while around.last().is_some_and(|it| it.last < one.last) {
            around.pop();
        }
        if around.last().is_some_and(|it| it.carried >= one.carried) && one.carried > 0 {
            inner.push(one);
        }
        around.push(one);
    }
    inner
}

/// The loops without loops in them that read an array which another one in the same loop reads, if LLVM unrolls both fully, and
/// then keeps more vectors of the array than there are registers.
fn reading_again<'l, 'c>(
    blocks: &[Block<'c>],
    loops: &'l [BlockLoop<'c>],
    vector_bits: i64,
    registers: i64,
) -> Vec<&'l BlockLoop<'c>> {
    let mut readers: HashMap<(usize, Value), Vec<&BlockLoop>> = HashMap::new();
    for (i, one) in loops.iter().enumerate() {
        let contains = |other: &BlockLoop| one.first < other.first && other.last <= one.last;
        let around = |other: &&BlockLoop| other.first < one.first && one.last <= other.last;
        let Some(trips) = trips(blocks, one) else { continue };
        if loops[i + 1..].first().is_some_and(contains) {
            continue;
        }
        let Some(around) = loops[..i].iter().rev().find(around) else { continue };
        let (mut read, mut work): (HashMap<Value, i64>, i64) = (HashMap::new(), 0);
        for op in blocks[one.first..=one.last].iter().flat_map(|block| block.each_op()) {
            let vectors: i64 =
                op.results().into_iter().map(|it| needed(it.ty(), vector_bits)).sum();
            work += vectors;
            if op.is("llvm.load") && vectors > 0 {
                *read.entry(base(op.operand(0))).or_default() += vectors;
            }
        }
        if work * trips <= UNROLLED {
            let kept = read.into_iter().filter(|(_, vectors)| vectors * trips > registers);
            kept.for_each(|(array, _)| {
                readers.entry((around.first, array)).or_default().push(one);
            });
        }
    }
    readers.into_values().filter(|them| them.len() > 1).flatten().collect()
}

/// The iterations of a loop that counts from one constant to another.
fn trips(blocks: &[Block], one: &BlockLoop) -> Option<i64> {
    let first = blocks[one.first];
    let counter = first.arguments().into_iter().next()?;
    let enters = |branch: &Op| branch.is("cf.br") && branch.successors().contains(&first);
    let entry = blocks[..one.first].iter().rev().filter_map(|it| it.terminator()).find(enters)?;
    let (more, next) =
        (first.terminator()?.operands().first()?.defining_op()?, one.branch.operand(0));
    let next = next.defining_op()?;
    if !more.is("arith.cmpi") || !next.is("arith.addi") || next.operand(0) != counter {
        return None;
    }
    let [start, end, step] =
        [entry.operand(0), more.operand(1), next.operand(1)].map(constant_integer);
    let (start, end, step) = (start?, end?, step?);
    (more.operand(0) == counter && step > 0).then(|| ((end - start).max(0) + step - 1) / step)
}

/// The array whose element this is the address of.
fn base(mut address: Value) -> Value {
    while let Some(element) = address.defining_op().filter(|it| it.is("llvm.getelementptr")) {
        address = element.operand(0);
    }
    address
}

/// The vector registers of a value.
fn needed(ty: Type, vector_bits: i64) -> i64 {
    let bits =
        |(lanes, element): (usize, Type)| lanes as i64 * 8 * element.element_bytes().unwrap_or(8);
    ty.lanes().map_or(0, |vector| (bits(vector) + vector_bits - 1) / vector_bits)
}
