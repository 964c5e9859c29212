//! The threads of a kernel: thread and block numbers, and the conditions of statements on them.

use super::loops::SizedLoop;
use super::{Cursor, IndexAtom};
use crate::dialect::loop_enums::ThreadAxis;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Builder, Error, Op, Type, Value};

/// The threads of a kernel while its body is built.
pub(crate) struct KernelThreads<'c> {
    /// Indexed by axis number.
    pub axes: [Option<NumberedAxis<'c>>; 6],
    /// The axes of the enclosing bound loops.
    pub around: Vec<ThreadAxis>,
    /// The conditions that each statement must check itself, because a barrier separates it from the bound loop
    /// that has the condition.
    pub pending: Vec<Constraint>,
    /// The number of enclosing loops and conditions that may diverge between the threads of a block.
    divergent: usize,
}

/// The size of an axis: a constant, or a value computed before the kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadExtent<'c> {
    Known(i64),
    Computed(Value<'c>),
}

#[derive(Clone, Copy)]
pub(crate) struct NumberedAxis<'c> {
    pub dim: ThreadExtent<'c>,
    /// The thread or block number, as an [`Expr::Dim`].
    pub atom: usize,
}

impl<'c> Cursor<'c> {
    /// Starts the body of a kernel; `dims` holds the sizes, indexed by axis number.
    pub fn enter_kernel(&mut self, dims: &[Option<ThreadExtent<'c>>; 6], at: Builder<'c>) {
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
                ThreadExtent::Known(n) => Some((0, n - 1)),
                ThreadExtent::Computed(_) => None,
            };
            self.atoms.push(IndexAtom {
                value: Some(value),
                range,
                is_natural: true,
                varies: i >= 3,
            });
            axes[i] = Some(NumberedAxis { dim, atom: self.atoms.len() - 1 });
        }
        self.threads = Some(KernelThreads { axes, around: vec![], pending: vec![], divergent: 0 });
    }

    pub fn leave_kernel(&mut self) {
        self.threads = None;
    }

    pub fn in_kernel(&mut self) -> &mut KernelThreads<'c> {
        self.threads.as_mut().expect("a kernel is being made")
    }

    fn axis(&mut self, axis: ThreadAxis) -> NumberedAxis<'c> {
        self.in_kernel().axes[axis as usize].expect("the kernel has the loop's axis")
    }

    /// The thread or block number of an axis, as an index of [`Cursor::atoms`].
    pub fn thread_atom(&mut self, axis: ThreadAxis) -> usize {
        self.axis(axis).atom
    }

    /// Maps the variable of a bound loop to the thread number; returns the conditions of the loop on that
    /// number.
    pub fn thread_enters(
        &mut self,
        sized: &SizedLoop<'_, 'c>,
        axis: ThreadAxis,
    ) -> Vec<Constraint> {
        let this = self.axis(axis);
        let number = match this.dim {
            ThreadExtent::Known(1) => 0.into(),
            _ => Expr::Dim(this.atom),
        };
        let left = |extent: &Expr| extent.clone() - 1.into() - number.clone();
        let conditions = sized
            .extent
            .iter()
            .map(|extent| Constraint::NonNegative(self.simplified(&left(extent))))
            .filter(|condition| !self.is_always(condition))
            .collect();
        self.indices.insert(sized.view.variable(), number);
        conditions
    }

    /// The conditions of a statement on its thread if it is nested in loops of these additional axes.
    pub fn conditions_within(&mut self, axes: &[ThreadAxis]) -> Vec<Constraint> {
        let outer = self.in_kernel().around.len();
        self.in_kernel().around.extend(axes);
        let conditions = self.thread_conditions();
        self.in_kernel().around.truncate(outer);
        conditions
    }

    /// The linear number of the thread in its block; x varies fastest.
    pub fn thread_number(&mut self) -> Expr {
        let mut number = Expr::from(0);
        let mut threads = 1;
        for axis in [ThreadAxis::ThreadX, ThreadAxis::ThreadY, ThreadAxis::ThreadZ] {
            let Some(this) = self.in_kernel().axes[axis as usize] else { continue };
            number = number + Expr::Dim(this.atom) * threads.into();
            if let ThreadExtent::Known(n) = this.dim {
                threads *= n;
            }
        }
        self.simplified(&number)
    }

    /// The conditions that a statement here must check on its thread, in addition to the enclosing conditions.
    pub fn thread_conditions(&self) -> Vec<Constraint> {
        let Some(threads) = &self.threads else { return vec![] };
        let mut conditions = threads.pending.clone();
        for (i, axis) in threads.axes.iter().enumerate() {
            let is_around = threads.around.iter().any(|around| *around as usize == i);
            if let Some(axis) = axis.filter(|axis| !is_around && axis.dim != ThreadExtent::Known(1))
            {
                conditions.push(Constraint::Zero(Expr::Dim(axis.atom)));
            }
        }
        conditions
    }

    /// Verifies that all threads of a block reach an op. (C1)
    pub fn check_together(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        if self.in_kernel().divergent == 0 {
            return Ok(());
        }
        let message = "is in divergent control flow, expected enclosing loops and conditions that are \
                       the same for all threads of a block (C1)";
        Err(Error::on(op, message))
    }

    /// Enters code that depends on these expressions. Returns true if they may diverge between the threads of a
    /// block.
    pub fn enter_if_divergent(&mut self, exprs: &[Expr]) -> bool {
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

    pub fn leave_if_divergent(&mut self, entered: bool) {
        if let Some(threads) = self.threads.as_mut().filter(|_| entered) {
            threads.divergent -= 1;
        }
    }
}
