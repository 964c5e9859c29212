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

use crate::ir::{Attribute, Block, Op, Region, Type, walk};

/// The registers that the values loaded by several iterations need.
const LOADED: i64 = 8;

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
        for inner in nested(&loops(region, vector_bits)) {
            if inner.carried + LOADED > registers {
                let annotation = "#llvm.loop_annotation<unroll = <disable = true>>";
                let annotation = Attribute::parse(root.context(), annotation);
                inner.branch.set_attribute(ANNOTATION, annotation.expect("an attribute of LLVM"));
            }
        }
    }
}

/// The loops of a region, by their first blocks.
fn loops(region: Region<'_>, vector_bits: i64) -> Vec<BlockLoop<'_>> {
    let blocks: Vec<Block> = region.blocks();
    if blocks.len() < 2 {
        return vec![];
    }
    let number: std::collections::HashMap<Block, usize> =
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

/// The vector registers of a value.
fn needed(ty: Type, vector_bits: i64) -> i64 {
    let bits =
        |(lanes, element): (usize, Type)| lanes as i64 * 8 * element.element_bytes().unwrap_or(8);
    ty.lanes().map_or(0, |vector| (bits(vector) + vector_bits - 1) / vector_bits)
}
