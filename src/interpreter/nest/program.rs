//! The decoded form of a nest.
//!
//! Index values are kept in integer slots, other values of bodies in scalar slots. In an expression, a dim is
//! an integer slot.

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::interpreter::scalar::Scalar;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::Array;
use crate::ir::Op;
use crate::ir::affine::{Expr, IntegerSet};
use std::cell::RefCell;
use std::rc::Rc;

pub struct NestProgram<'c> {
    pub body: Vec<ProgramNode<'c>>,
    /// The initial values of all integer slots.
    pub ints: Vec<i64>,
    pub scalars: Vec<Scalar>,
    pub buffers: Vec<BufferSlot>,
    /// The names of the loops, by number.
    pub loops: Vec<String>,
    /// True if the iterations of any loop are unordered.
    pub is_unordered: bool,
    /// True if any loop is bound to a thread or block axis.
    pub is_kernel: bool,
    pub blocks: usize,
}

pub struct BufferSlot {
    pub name: String,
    pub scope: Scope,
    /// The numbers of the `vthread` loops whose iterations share an instance, because it is used elsewhere too.
    pub shared_in: Vec<usize>,
    pub array: Rc<RefCell<Array>>,
}

pub enum ProgramNode<'c> {
    Loop(ProgramLoop<'c>),
    Block(ProgramBlock<'c>),
    If(ProgramBranch<'c, Vec<ProgramNode<'c>>>),
    Sync(Op<'c>),
}

pub struct ProgramLoop<'c> {
    pub op: Op<'c>,
    /// The number of the loop.
    pub id: usize,
    pub kind: LoopKind,
    pub thread: Option<ThreadAxis>,
    /// The slot of the loop variable.
    pub slot: usize,
    /// The extent is the minimum of these.
    pub extent: Vec<Expr>,
    pub body: Vec<ProgramNode<'c>>,
    pub has_sync: bool,
    /// True if a block with `loop.init` is nested in it.
    pub has_init: bool,
}

pub struct ProgramBlock<'c> {
    pub op: Op<'c>,
    pub id: usize,
    pub name: String,
    pub iters: Vec<ProgramIter>,
    pub predicate: Option<IntegerSet>,
    pub regions: Vec<Region>,
    pub init: Option<Vec<LeafStep<'c>>>,
    pub body: ProgramBody<'c>,
    pub across: Option<Across>,
    /// The buffers whose elements the block updates atomically.
    pub atomic: Vec<usize>,
}

/// The cross-thread (or cross-block) reduction of a block.
pub struct Across {
    /// The numbers of all loops that the block reduces over.
    pub reduces: Vec<usize>,
    /// The bound ones of these loops, and their axes.
    pub bound: Vec<(usize, ThreadAxis)>,
    /// The buffers that the block reduces into.
    pub into: Vec<usize>,
}

pub struct ProgramIter {
    pub name: String,
    pub slot: usize,
    pub is_reduce: bool,
    pub binding: Expr,
    pub domain: Vec<Expr>,
}

/// A declared region: offset and extent of each dimension, or `None` for `*`.
pub struct Region {
    pub buffer: usize,
    pub is_write: bool,
    pub spans: Vec<Option<(Expr, Expr)>>,
}

pub enum ProgramBody<'c> {
    Leaf(Vec<LeafStep<'c>>),
    Nest(Vec<ProgramNode<'c>>),
}

pub struct ProgramBranch<'c, B> {
    pub op: Op<'c>,
    /// A condition over the operands, which are dims and then symbols.
    pub condition: IntegerSet,
    pub operands: Vec<ProgramOperand>,
    pub then_body: B,
    pub else_body: B,
    pub has_sync: bool,
}

/// An op of a leaf body.
pub enum LeafStep<'c> {
    Scalar { op: Op<'c>, action: ScalarOp, operands: Vec<ProgramOperand>, to: ResultSlot },
    Apply { op: Op<'c>, expr: Expr, operands: Vec<ProgramOperand>, to: ResultSlot },
    Load { op: Op<'c>, buffer: usize, indices: Vec<ProgramOperand>, to: ResultSlot },
    Store { op: Op<'c>, value: ProgramOperand, buffer: usize, indices: Vec<ProgramOperand> },
    Copy { from: ProgramOperand, to: ResultSlot },
    Assert { op: Op<'c>, condition: ProgramOperand },
    If(ProgramBranch<'c, Vec<LeafStep<'c>>>),
    ControlFlow(LeafControlFlow<'c>),
}

/// An `scf.if`, `scf.for` or `scf.while` in a function that a leaf body calls.
pub struct LeafControlFlow<'c> {
    pub op: Op<'c>,
    pub operands: Vec<ProgramOperand>,
    pub regions: Vec<LeafRegion<'c>>,
    pub results: Vec<ResultSlot>,
}

/// A region of control flow.
pub struct LeafRegion<'c> {
    pub arguments: Vec<ResultSlot>,
    pub steps: Vec<LeafStep<'c>>,
    /// The operands of its terminator.
    pub yields: Vec<ProgramOperand>,
}

/// The location of an operand.
#[derive(Clone, Copy, Debug)]
pub enum ProgramOperand {
    Int(usize),
    Scalar(usize),
}

/// The location of a result.
pub type ResultSlot = ProgramOperand;
