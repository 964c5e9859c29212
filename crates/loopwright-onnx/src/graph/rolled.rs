//! The loops of `scf` whose bodies are imported once.

use super::control_flow::Site;
use super::repetition::{Along, Repetition, Trips};
use crate::builder::{Builder, Value, result_of};
use crate::element::Element;
use crate::error::ImportError;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;
use melior::ir::Region;

/// The greatest number of rows of a scan output.
const MOST_ROWS: i64 = i32::MAX as i64;

/// The body of a loop. Its block has the index of the iteration and the carried values that it does not pass on.
pub(super) struct Rolled<'c> {
    pub(super) region: Region<'c>,
    pub(super) inner: Builder<'c>,
    pub(super) index: Value<'c>,
    pub(super) outputs: Vec<Tensor<'c>>,
}

/// The number of iterations.
#[derive(Clone, Copy)]
struct Limit<'c> {
    size: Size<'c>,
    /// The number of rows of scan outputs. None if it depends on data.
    rows: Option<Size<'c>>,
}

/// The place of the row that an iteration reads or writes, of `length` rows.
pub(super) fn position<'c>(
    builder: &Builder<'c>,
    index: Size<'c>,
    length: Size<'c>,
    along: Along,
) -> Size<'c> {
    match along.is_reverse {
        true => builder.size_sub(builder.size_sub(length, Size::Known(1)), index),
        false => index,
    }
}

/// The carried values that the body does not pass on, and their positions.
fn moving<'l, 'c>(loops: &'l Repetition<'_, 'c>) -> impl Iterator<Item = (usize, &'l Tensor<'c>)> {
    loops.starts.iter().enumerate().filter(|(i, _)| !loops.passed[*i])
}

impl<'c> Site<'_, '_, 'c> {
    /// `scf.for`: no condition ends the loop.
    pub(super) fn counted(
        &self,
        loops: &Repetition<'_, 'c>,
        rolled: Rolled<'c>,
        trips: Trips<'c>,
    ) -> Result<Vec<Tensor<'c>>, ImportError> {
        let builder = &self.node.builder;
        let trips = self.limit(loops, trips)?;
        let inner = &rolled.inner;
        let mut starts = vec![];
        let mut yields = vec![];
        let mut outputs = loops.starts.clone();
        for (i, start) in moving(loops) {
            starts.push((i, start.clone()));
            yields.push(inner.value(&loops.carried(&rolled.outputs)[i]));
        }
        for (i, (row, info, along)) in loops.rows(&rolled.outputs).enumerate() {
            let at = loops.starts.len() + i;
            outputs.push(self.node.integer_list(&[]));
            if !self.has_user(at) {
                continue;
            }
            let rows = self.row_count(trips, &info.name)?;
            let axis = self.node.axis_of(along.axis, row.rank() + 1);
            let axis = axis.map_err(|refusal| self.error(refusal))?;
            let mut sizes = self.sizes_outside(&info.name, row, inner)?;
            sizes.insert(axis, rows);
            let element = row.element();
            // Only a loop that runs less often than the model states leaves rows of the start.
            let start = match rows == trips.size {
                true => Tensor::new(builder.empty(&sizes, element), element, sizes.clone()),
                false => builder.filled(&sizes, builder.scalar(element, 0.0)),
            };
            if rows == Size::Known(0) {
                outputs[at] = start;
                continue;
            }
            let place = position(inner, Size::Dynamic(rolled.index), rows, along);
            starts.push((at, start));
            let all = inner.argument(builder.type_of(&sizes, element));
            let all = Tensor::new(all, element, sizes);
            let row = inner.unsqueeze(row, &[axis]).map_err(|refusal| self.error(refusal))?;
            yields.push(inner.value(&inner.inserted(&row, &all, axis, place)));
        }
        inner.insert("scf.yield", &yields, &[], &[], vec![]);
        let mut operands = vec![builder.index(0), builder.size(trips.size), builder.index(1)];
        operands.extend(starts.iter().map(|(_, start)| builder.value(start)));
        let types: Vec<_> =
            starts.iter().map(|(_, it)| builder.type_of(it.sizes(), it.element())).collect();
        let op = builder.insert("scf.for", &operands, &types, &[], vec![rolled.region]);
        for (i, (at, start)) in starts.iter().enumerate() {
            outputs[*at] = Tensor::new(result_of(op, i), start.element(), start.sizes().to_vec());
        }
        Ok(outputs)
    }

    /// The number of iterations of a loop that no condition ends.
    fn limit(
        &self,
        loops: &Repetition<'_, 'c>,
        trips: Trips<'c>,
    ) -> Result<Limit<'c>, ImportError> {
        let builder = &self.node.builder;
        let (size, is_data) = match trips {
            Trips::Size(size) => (size, false),
            Trips::Data(value) => (Size::Dynamic(value), true),
            Trips::Unlimited => {
                return Err(self.refused(
                    "has no trip count and a condition that always holds, expected a loop that ends (L3)",
                ));
            }
        };
        let size = match &loops.condition {
            None if !is_data => return Ok(Limit { size, rows: Some(size) }),
            None => size,
            Some(condition) => {
                let condition = builder.extract(condition, &[]);
                let [some, none] = [size, Size::Known(0)].map(|it| builder.size_scalar(it));
                Size::Dynamic(builder.select(condition, some, none).value)
            }
        };
        Ok(match self.stated_rows(loops).map(Size::Known) {
            Some(rows) => Limit { size: builder.size_min(size, rows), rows: Some(rows) },
            None => Limit { size, rows: None },
        })
    }

    /// The number of rows that the model states for all scan outputs that are used.
    fn stated_rows(&self, loops: &Repetition<'_, 'c>) -> Option<i64> {
        let outputs = loops.starts.len()..loops.starts.len() + loops.scans.len();
        let rows = |i: usize| self.node.declared.get(i)?.as_ref()?.dims.first().copied()?;
        let rows: Option<Vec<i64>> = outputs.filter(|i| self.has_user(*i)).map(rows).collect();
        match rows?.as_slice() {
            [rows, others @ ..] if others.iter().all(|it| it == rows) => Some(*rows),
            _ => None,
        }
    }

    /// True if a node or an output uses output `i`.
    fn has_user(&self, i: usize) -> bool {
        self.node.outputs.get(i).and_then(Option::as_ref).is_some_and(|name| (self.is_used)(name))
    }

    /// The number of rows of a scan output.
    fn row_count(&self, trips: Limit<'c>, name: &str) -> Result<Size<'c>, ImportError> {
        match trips.rows {
            None => Err(self.refused(format!(
                "has the scan output '{name}' in a loop whose number of iterations depends on data, expected a number that is known before the run or an output whose sizes the model states (L2)"
            ))),
            Some(Size::Known(rows)) if rows > MOST_ROWS => Err(self.refused(format!(
                "has the scan output '{name}' of {rows} rows, expected at most {MOST_ROWS}"
            ))),
            Some(rows) => Ok(rows),
        }
    }

    /// `scf.while`: the body computes a condition that ends the loop.
    pub(super) fn conditioned(
        &self,
        loops: &Repetition<'_, 'c>,
        rolled: Rolled<'c>,
    ) -> Result<Vec<Tensor<'c>>, ImportError> {
        let (node, builder) = (self.node, &self.node.builder);
        for (i, (_, info, _)) in loops.rows(&rolled.outputs).enumerate() {
            if self.has_user(loops.starts.len() + i) {
                return Err(self.refused(format!(
                    "has the scan output '{}' in a loop that its condition ends, so its number of rows depends on data, expected a carried value or a loop with a trip count only (L2)",
                    info.name
                )));
            }
        }
        let inner = &rolled.inner;
        let index = |value| Scalar { value, element: Element::Index };
        let next = inner.add(index(rolled.index), inner.index_scalar(1));
        let mut yields = vec![next.value];
        let mut starts = vec![builder.index(0)];
        let mut types = vec![Element::Index.ty(builder.context())];
        for (i, start) in moving(loops) {
            starts.push(builder.value(start));
            yields.push(inner.value(&loops.carried(&rolled.outputs)[i]));
            types.push(builder.type_of(start.sizes(), start.element()));
        }
        let holds = inner.reshape(&rolled.outputs[0], &[]).map_err(|it| self.error(it))?;
        yields.push(inner.extract(&holds, &[]).value);
        starts.push(match &loops.condition {
            Some(condition) => builder.extract(condition, &[]).value,
            None => builder.scalar(Element::Bool, 1.0).value,
        });
        types.push(Element::Bool.ty(builder.context()));
        // The condition of the last iteration holds in the body.
        inner.argument(Element::Bool.ty(builder.context()));
        inner.insert("scf.yield", &yields, &[], &[], vec![]);
        let end = match &loops.trips {
            Trips::Unlimited => None,
            Trips::Size(size) => Some(builder.size_scalar(*size)),
            Trips::Data(value) => Some(index(*value)),
        };
        let before = builder.region(&types, "scf.condition", |b, values| {
            let last = values[values.len() - 1];
            let mut holds = Scalar { value: last, element: Element::Bool };
            if let Some(end) = end {
                holds = b.and(holds, b.compare(Compare::Less, index(values[0]), end));
            }
            [&[holds.value], values].concat()
        });
        let op = builder.insert("scf.while", &starts, &types, &[], vec![before, rolled.region]);
        let mut outputs = loops.starts.clone();
        for (result, (i, start)) in moving(loops).enumerate() {
            let value = result_of(op, 1 + result);
            outputs[i] = Tensor::new(value, start.element(), start.sizes().to_vec());
        }
        outputs.extend(loops.scans.iter().map(|_| node.integer_list(&[])));
        Ok(outputs)
    }
}
