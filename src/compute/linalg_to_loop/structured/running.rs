//! Results that need the partial results of a reduction, such as running sums.
//!
//! ```text
//! linalg.generic {maps = [x: (k), out: (k), sum: ()], iterators = ["reduction"]} {
//!   %s = arith.addf %sum, %x        linalg.yield %s, %s
//! }
//! ```
//! A block with the reduction iterator in order computes the partial results into a buffer with an element for each
//! iteration; it reads the one before, or at first the start value. If they are the result, the buffer is that of the
//! result; else another block computes the result from them.

use super::{StructuredConversion, mentions};
use crate::compute::linalg_to_loop::body::ComputedScalars;
use crate::compute::linalg_to_loop::nest::NestUnderConstruction;
use crate::compute::linalg_to_loop::state::FunctionConversion;
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::stored_type;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Error, IteratorKind, Value};

/// A buffer with the partial results of an output, one for each iteration.
struct PartialResults<'c> {
    /// The number of the output among the outputs.
    output: usize,
    buffer: Value<'c>,
    /// The indices of a partial result.
    indices: Vec<Expr>,
    /// The reduction iterator.
    along: usize,
}

impl<'c> StructuredConversion<'_, 'c> {
    /// The outputs other than `i` whose partial results output `i` needs.
    pub(super) fn partial_results_needed(&self, i: usize) -> Vec<usize> {
        let inputs = self.loops.inputs;
        let needed = self.needed(&[self.yields[i]]);
        let outputs = needed.into_iter().filter_map(|operand| operand.checked_sub(inputs));
        let is_partial = |j: usize| {
            let indices = &self.loops.maps[inputs + j].results;
            let is_reduced = |d: usize| self.loops.iterators[d] != IteratorKind::Parallel;
            (0..self.ranges.len()).any(|d| is_reduced(d) && !indices.contains(&Expr::Dim(d)))
        };
        outputs.filter(|j| *j != i && is_partial(*j)).collect()
    }

    /// Computes output `i`, which has the given indices and needs the partial results of output `j`.
    pub(super) fn running(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        i: usize,
        indices: Vec<Expr>,
        j: usize,
    ) -> Result<(), Error<'c>> {
        let along = self.check_running(i, j, &indices)?;
        let output = self.output(f, i, indices)?;
        let is_partial_result = self.yields[i] == self.yields[j];
        let (buffer, indices) = match is_partial_result {
            true => (output.target, output.indices.clone()),
            false => {
                let element = stored_type(self.op.context(), self.yields[j].ty());
                let name = format!("{}_partial", self.name);
                let buffer = f.buffer(self.op.location(), &name, element, &self.ranges);
                (buffer, (0..self.ranges.len()).map(Expr::Dim).collect())
            }
        };
        let partial = PartialResults { output: j, buffer, indices, along };
        let role = |kind| match kind {
            IteratorKind::Parallel => IterRole::Spatial,
            _ => IterRole::Opaque,
        };
        let nest = self.nest(f, role, None);
        let mut known = self.known(f, &nest, j, &partial)?;
        let value = f.evaluate(&nest, &mut known, self.yields[j])?;
        nest.store(value, buffer, &nest.indices(&partial.indices));
        nest.finish()?;
        if is_partial_result {
            return self.done(f, &output);
        }
        let nest = self.nest(f, |_| IterRole::Spatial, None);
        let known = self.known(f, &nest, i, &partial)?;
        self.finish(f, nest, known, &[output])
    }

    /// Checks that partial results can be kept; returns the reduction iterator.
    fn check_running(&self, i: usize, j: usize, indices: &[Expr]) -> Result<usize, Error<'c>> {
        let n = self.ranges.len();
        let reduced: Vec<_> =
            (0..n).filter(|d| self.loops.iterators[*d] != IteratorKind::Parallel).collect();
        let of_partial = &self.loops.maps[self.loops.inputs + j].results;
        let [along] = reduced[..] else {
            let message = format!("result {i} depends on partial results of result {j}");
            return Err(Error::on(
                self.op,
                format!("{message} of {} reduction iterators, expected one", reduced.len()),
            ));
        };
        let is_element = (0..n).all(|d| indices.contains(&Expr::Dim(d))) && indices.len() == n;
        let others = self.partial_results_needed(j);
        if !is_element || mentions(of_partial, along) || !others.is_empty() {
            let message = format!("result {i} depends on partial results of result {j}, expected");
            return Err(Error::on(
                self.op,
                format!("{message} indices that are iterators, and no other partial results"),
            ));
        }
        Ok(along)
    }

    /// Loads what output `i` needs; the old value of the reduced output is its partial result before the iteration.
    fn known(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        nest: &NestUnderConstruction<'c>,
        i: usize,
        partial: &PartialResults<'c>,
    ) -> Result<ComputedScalars<'c>, Error<'c>> {
        let reduced = self.loops.inputs + partial.output;
        let needed = self.needed(&[self.yields[i]]);
        let others: Vec<_> = needed.iter().copied().filter(|operand| *operand != reduced).collect();
        self.prepare(f, &others)?;
        let mut known = self.load(f, nest, &others, &[])?;
        if needed.len() == others.len() {
            return Ok(known);
        }
        let argument = self.body.arguments()[reduced];
        let out = self.operands[reduced];
        let along = Expr::Dim(partial.along);
        let before = along.clone() - 1.into();
        let before = |d: usize| if d == partial.along { before.clone() } else { Expr::Dim(d) };
        let indices: Vec<_> =
            partial.indices.iter().map(|e| e.substitute(&before, &Expr::Symbol)).collect();
        let start = self.loops.maps[reduced].results.clone();
        let has_one_before = vec![Constraint::NonNegative(along - 1.into())];
        let old = f.choose(
            nest,
            has_one_before,
            |_, nest| Ok(nest.load(partial.buffer, &nest.indices(&indices), argument.ty())),
            |f, nest| f.element(self.op, nest, out, &start),
        )?;
        known.insert(argument, old);
        Ok(known)
    }
}
