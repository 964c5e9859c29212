//! Loops bound to GPU threads, in a kernel: the loop variable is the thread or block number, and a condition
//! disables the threads beyond the extent of the loop.
//!
//! ```text
//! loop.for thread_bind[blockIdx.x] %b in %n {          %b = gpu.block_id x    %t = gpu.thread_id x
//!   loop.for thread_bind[threadIdx.x] %t in 100 {  ->  scf.if %b < %n { scf.if %t < 100 {
//!     s(%b, %t)                                          s(%b, %t)
//!   }                                                  } }
//! }
//! ```
//! A statement outside of the bound loops of an axis runs once for all threads of that axis: thread 0 runs it.
//! If a thread loop contains a barrier, its condition is sunk to each statement, so that all threads of the
//! block reach the barrier.

use super::collective::Collective;
use super::emitter::{Atom, Body, Emitter};
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{
    Attribute, Block, Builder, Error, Op, Type, TypeKind, Value, is_inside, parents, walk,
};

/// The threads of a kernel while its body is built.
pub(crate) struct Threads<'c> {
    /// Indexed by axis number.
    axes: [Option<Axis<'c>>; 6],
    /// The axes of the enclosing bound loops.
    around: Vec<ThreadAxis>,
    /// The conditions that each statement must check itself, because a barrier separates it from the bound loop
    /// that has the condition.
    pending: Vec<Constraint>,
    /// The number of enclosing loops and conditions that may diverge between the threads of a block.
    divergent: usize,
}

/// The size of an axis: a constant, or a value computed before the kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dim<'c> {
    Known(i64),
    Computed(Value<'c>),
}

#[derive(Clone, Copy)]
struct Axis<'c> {
    dim: Dim<'c>,
    /// The thread or block number, as an [`Expr::Dim`].
    atom: usize,
}

/// The alignment of all buffers of a kernel, in bytes.
pub(crate) const ALIGNMENT: i64 = 16;

impl<'c> Emitter<'c> {
    /// Starts the body of a kernel; `dims` holds the sizes, indexed by axis number.
    pub fn enter_kernel(&mut self, dims: &[Option<Dim<'c>>; 6], at: Builder<'c>) {
        let mut axes = [None; 6];
        for (i, dim) in dims.iter().enumerate() {
            let Some(dim) = *dim else { continue };
            let (op, axis) = match i {
                0..3 => ("gpu.block_id", i),
                _ => ("gpu.thread_id", i - 3),
            };
            let axis = format!("#gpu<dim {}>", ["x", "y", "z"][axis]);
            let axis = Attribute::parse(at.context(), &axis).expect("the gpu dialect is loaded");
            let index = Type::index(at.context());
            let value = at.value(at.spec(op).attribute("dimension", axis).results(&[index]));
            let range = match dim {
                Dim::Known(n) => Some((0, n - 1)),
                Dim::Computed(_) => None,
            };
            self.atoms.push(Atom { value: Some(value), range, is_natural: true, varies: i >= 3 });
            axes[i] = Some(Axis { dim, atom: self.atoms.len() - 1 });
        }
        self.threads = Some(Threads { axes, around: vec![], pending: vec![], divergent: 0 });
    }

    pub fn leave_kernel(&mut self) {
        self.threads = None;
    }

    fn in_kernel(&mut self) -> &mut Threads<'c> {
        self.threads.as_mut().expect("a kernel is being made")
    }

    /// Emits the body of a bound loop, for the thread or thread block that runs it.
    pub(crate) fn bound_loop(
        &mut self,
        view: &For<'c>,
        axis: ThreadAxis,
        extent: &[Expr],
        at: Builder<'c>,
        body: Body<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        let this = self.in_kernel().axes[axis as usize].expect("the kernel has the loop's axis");
        let conditions = self.thread_enters(view, axis, extent);
        self.in_kernel().around.push(axis);
        let result = if axis.is_thread() && self.holds_barrier(view.op) {
            let outer = self.in_kernel().pending.len();
            self.in_kernel().pending.extend(conditions);
            let result = body(self, at);
            self.in_kernel().pending.truncate(outer);
            result
        } else {
            let known = extent.iter().filter_map(Expr::constant).min().filter(|n| *n > 0);
            if let Some(last) = known.map(|n| n - 1).filter(|_| !conditions.is_empty()) {
                // The conditions exclude higher numbers.
                let atom = Atom { range: Some((0, last)), ..self.atoms[this.atom] };
                self.atoms.push(atom);
                let number = Expr::Dim(self.atoms.len() - 1);
                self.indices.insert(view.variable(), number);
            }
            self.under(conditions, at, body)
        };
        self.in_kernel().around.pop();
        result
    }

    /// Maps the variable of a bound loop to the thread number; returns the conditions of the loop on that
    /// number.
    pub(crate) fn thread_enters(
        &mut self,
        view: &For<'c>,
        axis: ThreadAxis,
        extent: &[Expr],
    ) -> Vec<Constraint> {
        let this = self.in_kernel().axes[axis as usize].expect("the kernel has the loop's axis");
        let number = match this.dim {
            Dim::Known(1) => 0.into(),
            _ => Expr::Dim(this.atom),
        };
        let left = |extent: &Expr| extent.clone() - 1.into() - number.clone();
        let conditions = extent
            .iter()
            .map(|extent| Constraint::NonNegative(self.simplified(&left(extent))))
            .filter(|condition| !self.is_always(condition))
            .collect();
        self.indices.insert(view.variable(), number);
        conditions
    }

    /// The conditions of a statement on its thread if it is nested in loops of these additional axes.
    pub(crate) fn conditions_within(&mut self, axes: &[ThreadAxis]) -> Vec<Constraint> {
        let outer = self.in_kernel().around.len();
        self.in_kernel().around.extend(axes);
        let conditions = self.thread_conditions();
        self.in_kernel().around.truncate(outer);
        conditions
    }

    /// The linear number of the thread in its block; x varies fastest.
    pub(crate) fn thread_number(&mut self) -> Expr {
        let mut number = Expr::from(0);
        let mut threads = 1;
        for axis in [ThreadAxis::ThreadX, ThreadAxis::ThreadY, ThreadAxis::ThreadZ] {
            let Some(this) = self.in_kernel().axes[axis as usize] else { continue };
            number = number + Expr::Dim(this.atom) * threads.into();
            if let Dim::Known(n) = this.dim {
                threads *= n;
            }
        }
        self.simplified(&number)
    }

    /// The conditions that a statement here must check on its thread, in addition to the enclosing conditions.
    pub(crate) fn thread_conditions(&self) -> Vec<Constraint> {
        let Some(threads) = &self.threads else { return vec![] };
        let mut conditions = threads.pending.clone();
        for (i, axis) in threads.axes.iter().enumerate() {
            let is_around = threads.around.iter().any(|around| *around as usize == i);
            if let Some(axis) = axis.filter(|axis| !is_around && axis.dim != Dim::Known(1)) {
                conditions.push(Constraint::Zero(Expr::Dim(axis.atom)));
            }
        }
        conditions
    }

    /// `loop.sync` (C1)
    pub(crate) fn barrier(&mut self, op: Op<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        self.check_together(op)?;
        let around = parents(op).filter(|parent| parent.is(For::NAME)).map(For::of);
        for view in around {
            let view = view?;
            let kind = match (view.kind, view.thread) {
                (_, Some(ThreadAxis::VThread)) => "vthread",
                (LoopKind::Parallel | LoopKind::Vectorize, _) => view.kind.word(),
                _ => continue,
            };
            let message = format!(
                "is in loop \"{}\" of kind {kind}, whose iterations are in one thread (C1)",
                view.name
            );
            return Err(Error::on(op, message));
        }
        at.insert(at.spec("gpu.barrier"));
        Ok(())
    }

    /// Verifies that all threads of a block reach an op. (C1)
    pub(crate) fn check_together(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        if self.in_kernel().divergent == 0 {
            return Ok(());
        }
        let message = "is in divergent control flow, expected enclosing loops and conditions that are \
                       the same for all threads of a block (C1)";
        Err(Error::on(op, message))
    }

    /// True if the op contains a barrier or a cross-thread reduction, which all threads of a block must reach.
    fn holds_barrier(&self, op: Op<'c>) -> bool {
        let is_in = |collective: &Collective<'c>| is_inside(collective.first, op);
        self.collectives.iter().any(is_in) || walk(op).into_iter().any(|op| op.is("loop.sync"))
    }

    /// Enters code that depends on these expressions. Returns true if they may diverge between the threads of a
    /// block.
    pub(crate) fn enter_if_divergent(&mut self, exprs: &[Expr]) -> bool {
        let varies = |leaf: &Expr| matches!(leaf, Expr::Dim(i) if self.atoms[*i].varies);
        let mut diverges = false;
        exprs.iter().for_each(|e| e.visit_leaves(&mut |leaf| diverges |= varies(leaf)));
        match self.threads.as_mut().filter(|_| diverges) {
            Some(threads) => {
                threads.divergent += 1;
                true
            }
            None => false,
        }
    }

    pub(crate) fn leave_if_divergent(&mut self, entered: bool) {
        if let Some(threads) = self.threads.as_mut().filter(|_| entered) {
            threads.divergent -= 1;
        }
    }

    /// The proved `alignment` of the vector that begins at these indices. Only for a GPU, where an access to
    /// several elements at once must be aligned.
    pub(crate) fn alignment(
        &self,
        buffer: Value<'c>,
        indices: &[Expr],
        vector: Type<'c>,
    ) -> Option<Attribute<'c>> {
        self.threads.as_ref()?;
        let bytes = self.proved_alignment(buffer, indices, vector)?.min(ALIGNMENT);
        Some(Attribute::integer(Type::integer(self.context(), 64), bytes))
    }

    /// The `alignment` of an element that an unrolled loop of a kernel loads or stores, if it starts
    /// [`ALIGNMENT`] bytes of a function buffer: LLVM merges its access with those of the following elements.
    /// LLVM also fills gaps between them, so the buffer must contain all of these bytes.
    pub(crate) fn alignment_of_copy(
        &self,
        buffer: Value<'c>,
        indices: &[Expr],
    ) -> Option<Attribute<'c>> {
        let (dims, element) = buffer.ty().shaped().filter(|_| buffer.defining_op().is_none())?;
        let lanes = ALIGNMENT / element_bytes(element);
        let known = dims.into_iter().flatten();
        let is_whole = known.fold(1, |product: i64, dim| product * (dim % lanes) % lanes) == 0;
        let is_copy = self.lane.is_none() && self.copies > 1;
        let vector = Type::vector(usize::try_from(lanes).ok()?, element);
        self.alignment(buffer, indices, vector).filter(|_| is_whole && is_copy)
    }

    /// The size in bytes of the vector that begins at these indices, if it is a power of two and the offset of
    /// the vector in its buffer is proved to be a multiple of it.
    pub(crate) fn proved_alignment(
        &self,
        buffer: Value<'c>,
        indices: &[Expr],
        vector: Type<'c>,
    ) -> Option<i64> {
        let (lanes, element) = vector.lanes()?;
        let (dims, _) = buffer.ty().in_any_space()?;
        let lanes = i64::try_from(lanes).ok()?;
        let bytes = lanes * element_bytes(element);
        let mut stride = Some(1_i64);
        for (index, dim) in indices.iter().zip(dims).rev() {
            let mut index = Linear::of(index);
            if let Some(lane) = &self.lane {
                index.terms.remove(&Expr::Dim(lane.atom));
            }
            let is_multiple =
                |factor: i64| stride.is_some_and(|stride| factor.wrapping_mul(stride) % lanes == 0);
            let is_zero = index.terms.is_empty() && index.constant == 0;
            let is_aligned = index.terms.iter().all(|(_, factor)| is_multiple(*factor))
                && is_multiple(index.constant);
            if !(is_zero || is_aligned) {
                return None;
            }
            stride = stride.zip(dim).and_then(|(stride, dim)| stride.checked_mul(dim));
        }
        (bytes > 0 && bytes & (bytes - 1) == 0).then_some(bytes)
    }
}

/// The reason why the lanes of a loop may need masks, which vectors do not have on a GPU.
pub(crate) fn needs_masks(view: &For) -> Option<String> {
    for op in walk(view.op) {
        match op.name() {
            ScheduleBlock::NAME => {
                let block = ScheduleBlock::of(op).ok()?;
                let set = block.predicate.as_ref();
                let constraints = set.map(|set| &set.constraints[..]).unwrap_or_default();
                let mut differs = false;
                constraints.iter().for_each(|constraint| {
                    constraint.expr().visit_leaves(&mut |leaf| {
                        differs |=
                            matches!(leaf, Expr::Dim(i) if block.binds[*i] == view.variable());
                    });
                });
                if differs {
                    return Some(format!(
                        "the predicate of schedule block \"{}\" differs between lanes",
                        block.name
                    ));
                }
            }
            If::NAME if !is_uniform(&If::of(op).ok()?, view) => {
                return Some("a 'loop.if' in it may differ between lanes".into());
            }
            For::NAME if op != view.op => {
                let inner = For::of(op).ok()?;
                if inner.kind == LoopKind::Parallel || inner.thread.is_some() {
                    return Some(format!(
                        "loop \"{}\" in it is of kind {}",
                        inner.name, inner.kind
                    ));
                }
            }
            _ => {}
        }
    }
    None
}

/// True if all lanes of a loop take the same branch.
fn is_uniform<'c>(branch: &If<'c>, lanes: &For<'c>) -> bool {
    let mut others = vec![lanes.variable()];
    let operands: Vec<Expr> =
        branch.operands.iter().map(|value| bound_to(*value, &mut others)).collect();
    let (dims, symbols) = operands.split_at(branch.condition.dims);
    let range =
        |leaf: &Expr| Some((0, lanes.constant_extent()? - 1)).filter(|_| *leaf == Expr::Dim(0));
    branch.condition.constraints.iter().all(|constraint| {
        let expr = constraint.expr().substitute(&|i| dims[i].clone(), &|i| symbols[i].clone());
        let constraint = constraint.on(expr.simplified());
        let constraint = constraint.coarse(&range).unwrap_or(constraint);
        let mut differs = false;
        constraint.expr().visit_leaves(&mut |leaf| differs |= *leaf == Expr::Dim(0));
        !differs
    })
}

/// A value as an expression over the values in `others`, by their index. Iters are replaced by their bindings.
fn bound_to<'c>(value: Value<'c>, others: &mut Vec<Value<'c>>) -> Expr {
    let block = value.owner().and_then(Block::parent).filter(|op| op.is(ScheduleBlock::NAME));
    let block = block.and_then(|op| ScheduleBlock::of(op).ok());
    let place = block.iter().flat_map(|it| &it.iters).position(|iter| iter.variable == value);
    let Some((block, place)) = block.as_ref().zip(place) else {
        let known = others.iter().position(|other| *other == value);
        return Expr::Dim(known.unwrap_or_else(|| {
            others.push(value);
            others.len() - 1
        }));
    };
    let binds: Vec<Expr> = block.binds.iter().map(|it| bound_to(*it, others)).collect();
    let sizes: Vec<Expr> = block.sizes.iter().map(|it| bound_to(*it, others)).collect();
    block.binding[place].substitute(&|i| binds[i].clone(), &|i| sizes[i].clone())
}

/// The size of an element in bytes.
pub(crate) fn element_bytes(element: Type) -> i64 {
    use crate::ir::FloatKind::*;
    match element.kind() {
        TypeKind::Integer(bits) => i64::from(bits / 8).max(1),
        TypeKind::Float(F16 | BF16) => 2,
        TypeKind::Float(F32) => 4,
        _ => 8,
    }
}
