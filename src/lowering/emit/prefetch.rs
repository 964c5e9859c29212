//! Prefetches that a loop is annotated with, at the start of each iteration.

use super::emitter::Emitter;
use crate::dialect::annotation;
use crate::ir::affine::{BinaryKind, Expr};
use crate::ir::{Attribute, Builder, Error, Op, Type, Value};
use crate::nest::facts::boxes::Range;
use crate::nest::summary::NodeKind;
use crate::nest::summary::{NodeId, VariableId};
use crate::schedule::legality::prefetch;
use crate::schedule::legality::prefetch::KEY;

/// The size of a cache line in bytes.
const LINE: i64 = 64;

/// The most prefetches of a box that are unrolled; more become a loop.
const MOST_COPIES: i64 = 4;

/// The boxes of a buffer that a loop prefetches. Their ranges are those of a later iteration.
pub(crate) struct Prefetch<'c> {
    buffer: Value<'c>,
    shape: Vec<Option<Expr>>,
    bytes: i64,
    boxes: Vec<Vec<Range>>,
}

/// True if the key is that of a prefetch annotation.
pub(crate) fn is_key(key: &str) -> bool {
    key.starts_with(KEY)
}

impl<'c> Emitter<'c> {
    /// The prefetches that a loop is annotated with. A prefetch that is not possible gets a remark.
    pub(crate) fn prefetches_of(&mut self, op: Op<'c>) -> Vec<Prefetch<'c>> {
        let mut found = vec![];
        if self.threads.is_some() {
            return found;
        }
        for (key, value) in annotation::entries(op) {
            let Some(name) = key.strip_prefix(KEY) else { continue };
            match self.prefetch_of(op, name, value) {
                Ok(prefetch) => found.push(prefetch),
                Err(why) => self.remark_once(op, &format!("no prefetch of \"{name}\": {why}")),
            }
        }
        found
    }

    fn prefetch_of(
        &self,
        op: Op<'c>,
        name: &str,
        distance: Attribute<'c>,
    ) -> Result<Prefetch<'c>, String> {
        let summary = self.state.summary();
        let is_this = |node: &NodeId| self.state.op(*node) == op;
        let is_loop = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Loop(_));
        let node = summary.nodes.keys().skip(1).filter(is_loop).find(is_this);
        let node = node.ok_or("it is no loop")?;
        let this = summary.as_loop(node).expect("a loop");
        let buffer =
            summary.buffers.iter().find(|(_, buffer)| buffer.name == name).map(|(id, _)| id);
        let buffer = buffer.ok_or("there is no such buffer")?;
        let distance = distance.as_i64().ok_or("its distance is no number")?;
        let boxes = prefetch::boxes(summary, node, buffer).map_err(|why| why.to_string())?;
        let later = |dim| match VariableId::of_dim(dim) == this.variable {
            true => Expr::Dim(dim) + distance.into(),
            false => Expr::Dim(dim),
        };
        let later = |expr: &Expr| expr.substitute(&later, &Expr::Symbol).simplified();
        let later = |range: &Range| Range { low: later(&range.low), high: later(&range.high) };
        let this = &summary.buffers[buffer];
        Ok(Prefetch {
            buffer: self.state.buffer(buffer),
            shape: this.shape.clone(),
            bytes: this.element_bytes.ok_or("the size of its elements is not known")?,
            boxes: boxes.iter().map(|ranges| ranges.iter().map(later).collect()).collect(),
        })
    }

    /// Emits the prefetches of a loop, in one of its iterations.
    pub(crate) fn prefetch(
        &mut self,
        prefetches: &[Prefetch<'c>],
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        for prefetch in prefetches {
            for ranges in &prefetch.boxes {
                self.prefetch_box(prefetch, ranges, at)?;
            }
        }
        Ok(())
    }

    /// Emits the prefetches of one box: one for each [`LINE`] from its first element on. Rows that are not
    /// proved to be contiguous are prefetched separately.
    fn prefetch_box(
        &mut self,
        prefetch: &Prefetch<'c>,
        ranges: &[Range],
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let mut left = (LINE / prefetch.bytes).max(1);
        let mut steps = vec![1; ranges.len()];
        for (i, range) in ranges.iter().enumerate().rev() {
            let extent = range.extent();
            steps[i] = left;
            // Whole rows are contiguous.
            let is_whole = range.low == 0.into() && prefetch.shape[i].as_ref() == Some(&extent);
            let row = extent.constant().filter(|row| is_whole && *row > 0 && left % row == 0);
            match row {
                Some(row) => {
                    steps[i] = row;
                    left /= row;
                }
                None => left = 1,
            }
        }
        let mut dims = vec![];
        for (range, step) in ranges.iter().zip(steps) {
            let low = self.put_in(&range.low);
            let count =
                self.put_in(&Expr::binary(BinaryKind::CeilDiv, range.extent(), step.into()));
            dims.push((low, count, step));
        }
        let mut counts = dims.iter().map(|(_, count, _)| count.constant());
        let total = counts.try_fold(1i64, |product, count| product.checked_mul(count?));
        let is_short = total.is_some_and(|total| total <= MOST_COPIES);
        let buffer = self.values.get(&prefetch.buffer).copied().unwrap_or(prefetch.buffer);
        self.prefetch_cells(buffer, (&dims, is_short), &mut vec![], at)
    }

    /// Emits all combinations of the dimensions from `indices.len()` on.
    fn prefetch_cells(
        &mut self,
        buffer: Value<'c>,
        (dims, is_short): (&[(Expr, Expr, i64)], bool),
        indices: &mut Vec<Expr>,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let Some((low, count, step)) = dims.get(indices.len()) else {
            let mut operands = vec![buffer];
            operands.extend(indices.iter().map(|index| self.emit_index(index, at)));
            let bit = |value| Attribute::integer(Type::integer(at.context(), 1), value);
            let most = Attribute::integer(Type::integer(at.context(), 32), 3);
            let spec = at.spec("memref.prefetch").operands(&operands);
            let spec = spec.attribute("isWrite", bit(0)).attribute("isDataCache", bit(1));
            at.insert(spec.attribute("localityHint", most));
            return Ok(());
        };
        let mut one = |this: &mut Self, i: Expr, at| {
            let index = this.simplified(&(low.clone() + i * (*step).into()));
            indices.push(index);
            let result = this.prefetch_cells(buffer, (dims, is_short), indices, at);
            indices.pop();
            result
        };
        match count.constant() {
            Some(count) if is_short || count == 1 => {
                (0..count).try_for_each(|i| one(self, i.into(), at))
            }
            constant => {
                let upper = self.emit_index(count, at);
                let range = constant.map(|count| (0, count.max(1) - 1));
                self.dynamic_loop(upper, range, at, &mut one)
            }
        }
    }

    /// Substitutes the current values for the variables and sizes of the summary.
    fn put_in(&mut self, expr: &Expr) -> Expr {
        let variables = self.state.variables().to_vec();
        let sizes = self.state.sizes().to_vec();
        let mut dims = vec![];
        expr.visit_leaves(&mut |leaf| dims.push(leaf.clone()));
        let mut known: Vec<(Expr, Expr)> = vec![];
        for leaf in dims {
            let value = match leaf {
                Expr::Dim(i) => self.index_of(variables[i]),
                Expr::Symbol(i) => self.index_of(sizes[i]),
                _ => continue,
            };
            known.push((leaf, value));
        }
        let of = |leaf: Expr| {
            let place = known.iter().find(|(key, _)| *key == leaf);
            place.map_or(leaf, |(_, value)| value.clone())
        };
        self.simplified(&expr.substitute(&|i| of(Expr::Dim(i)), &|i| of(Expr::Symbol(i))))
    }
}
