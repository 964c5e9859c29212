//! `relax-softmax-maximum`: let the maximum of a softmax ignore NaN.
//!
//! ```text
//! M[i] = maximum(M[i], X[i, j])                        M[i] = maxnum(M[i], X[i, j])
//! E[i, j] = exp(X[i, j] - M[i])                ->      E[i, j] = exp(X[i, j] - M[i])
//! S[i] += E[i, j]                                      S[i] += E[i, j]
//! P[i, j] = E[i, j] / S[i]                             P[i, j] = E[i, j] / S[i]
//! ```
//! A NaN in a row of X makes the sum of the row NaN by its own exponential, and so all its quotients, whatever M is. Without a
//! NaN, M differs at most in the sign of a zero, which `exp(X - M)` does not depend on. `arith.maximumf` gives NaN for NaN, and
//! orders zeros, for which x86 needs six instructions; `arith.maxnumf` needs one (see `simplify-maxnum`).
//!
//! `maxnumf` with a start value of NaN, as `linalg.softmax` stands for, gets the start value -infinity.
//!
//! Requires
//! - (C1) the contract of the function is not `strict`: the sign of a zero of `maxnumf` depends on the order
//! - (C2) M is a structured op that reduces the elements of X, and its other results are not used
//! - (C3) M is only subtracted from the elements of X in its own rows; it may be compared and selected before. `E` is the
//!   exponential of the differences, and nothing else uses these
//! - (C4) E is only added up over the rows of M, and divided by these sums. A sum may be replaced by another number before, if
//!   an ordered comparison of the sum holds. All ops that read E are structured ops
//!
//! Shapes of M and S may have dimensions of size 1 added or removed. Other ops do not change.

use crate::compute::linalg_builder::{element_of, filled, sizes_of};
use crate::dialect::contract::Contract;
use crate::ir::affine::{Expr, Map};
use crate::ir::{
    Attribute, Block, Builder, Error, IteratorKind, Op, Structured, Value, constant_value, walk,
};

/// Changes the maxima of a function.
///
/// # Errors
/// If the contract is none of `strict`, `reassoc` and `fast`.
pub fn convert<'c>(function: Op<'c>) -> Result<(), Error<'c>> {
    if Contract::of(function)? != Contract::Strict {
        // All are found before the first change, which erases an op in a body.
        let found = walk(function).into_iter().filter_map(SoftmaxMaximum::of);
        let found: Vec<SoftmaxMaximum> = found.filter(SoftmaxMaximum::is_of_softmax).collect();
        found.iter().for_each(SoftmaxMaximum::relax);
    }
    Ok(())
}

/// The maximum of each row of a tensor.
struct SoftmaxMaximum<'c> {
    op: Op<'c>,
    rows: SoftmaxRows<'c>,
    /// The op in the body.
    combiner: Op<'c>,
}

/// The elements of a tensor, and the loops over its dimensions that make a row.
struct SoftmaxRows<'c> {
    tensor: Value<'c>,
    is_reduced: Vec<bool>,
}

impl<'c> SoftmaxMaximum<'c> {
    fn of(op: Op<'c>) -> Option<SoftmaxMaximum<'c>> {
        let loops = Structured::of(op)?;
        let body = op.body(0)?;
        let arguments = body.arguments();
        let combiner = body.terminator()?.operands().first()?.defining_op()?;
        let is_plain = loops.inputs == 1
            && (combiner.is("arith.maximumf")
                || starts_from_nan(op) && combiner.is("arith.maxnumf"))
            && combines(combiner, arguments[0], arguments[1])
            && combiner.result(0).uses().len() == 1
            && op.results().iter().skip(1).all(|result| result.uses().is_empty());
        let rows = SoftmaxRows::reduced(op, &loops, 0, 1)?;
        is_plain.then_some(SoftmaxMaximum { op, rows, combiner })
    }

    fn is_of_softmax(&self) -> bool {
        let maximum = self.op.result(0);
        let mut differences = vec![];
        for (user, place) in readers(maximum) {
            let map = SoftmaxRowMap::of(user, place, &self.rows);
            let Some(found) = map.and_then(|map| map.differences()) else { return false };
            differences.extend(found.into_iter().map(|value| (user, value)));
        }
        let mut powers = vec![];
        for (user, difference) in differences {
            match only_use(difference) {
                Some((exp, _)) if is_exponential(exp) => {
                    powers.push((user, exp.result(0)));
                }
                // The exponential is an op of its own.
                Some((end, 0)) if end.name() == "linalg.yield" && user.results().len() == 1 => {
                    for (reader, place) in user.result(0).uses() {
                        let Some(value) = element_in_place(reader, place) else { return false };
                        match only_use(value) {
                            Some((exp, _)) if is_exponential(exp) => {
                                powers.push((reader, exp.result(0)));
                            }
                            _ => return false,
                        }
                    }
                }
                _ => return false,
            }
        }
        !powers.is_empty() && powers.into_iter().all(|(op, power)| self.is_normalized(op, power))
    }

    /// True if the exponentials that an op yields are only added up and divided by the sums.
    fn is_normalized(&self, op: Op<'c>, power: Value<'c>) -> bool {
        let is_yielded = only_use(power).is_some_and(|(end, _)| end.name() == "linalg.yield");
        let [tensor] = op.results()[..] else { return false };
        let users = tensor.uses();
        let rows = SoftmaxRows { tensor, is_reduced: self.rows.is_reduced.clone() };
        let sums: Vec<Op> =
            users.iter().filter(|(op, _)| rows.is_sum(*op)).map(|(op, _)| *op).collect();
        let quotients = users.iter().filter(|(op, _)| !sums.contains(op));
        is_yielded
            && !sums.is_empty()
            && quotients.into_iter().all(|(op, place)| rows.is_quotient(*op, *place, &sums))
    }

    fn relax(&self) {
        let at = Builder::before(self.combiner, self.combiner.location());
        let old = self.combiner.result(0);
        let new = at.op("arith.maxnumf", &self.combiner.operands(), old.ty());
        old.replace_all_uses_with(new);
        self.combiner.erase();
        if starts_from_nan(self.op) {
            let at = Builder::before(self.op, self.op.location());
            let old = self.op.operand(1);
            let sizes = sizes_of(old);
            let element = element_of(old);
            let least = at.constant(Attribute::float(element, f64::NEG_INFINITY));
            let mut operands = self.op.operands();
            operands[1] = filled(&at, old.ty(), &sizes, least);
            self.op.set_operands(&operands);
        }
    }
}

impl<'c> SoftmaxRows<'c> {
    /// The rows of an input that an op reduces to an element of the output. Both have their indices in the order of the loops.
    fn reduced(
        op: Op<'c>,
        loops: &Structured,
        input: usize,
        output: usize,
    ) -> Option<SoftmaxRows<'c>> {
        let is_reduced: Vec<bool> =
            loops.iterators.iter().map(|kind| *kind == IteratorKind::Reduction).collect();
        let rows = SoftmaxRows { tensor: op.operand(input), is_reduced };
        let has_rows = loops.iterators.iter().all(|kind| *kind != IteratorKind::Window)
            && rows.is_reduced.contains(&true)
            && rows.is_whole(&loops.maps[input].results)
            && rows.is_of_rows(&loops.maps[output].results);
        has_rows.then_some(rows)
    }

    /// True if the indices of an access are the loops, in order.
    fn is_whole(&self, indices: &[Expr]) -> bool {
        indices.len() == self.is_reduced.len()
            && indices.iter().enumerate().all(|(d, index)| *index == Expr::Dim(d))
    }

    /// True if the indices of an access are the loops around rows, in order, without those over one element.
    fn is_of_rows(&self, indices: &[Expr]) -> bool {
        let dims = self.tensor.ty().shaped().map(|(dims, _)| dims).unwrap_or_default();
        let is_long = |d: usize| dims.get(d).is_some_and(|size| *size != Some(1));
        let around: Vec<usize> =
            (0..self.is_reduced.len()).filter(|d| !self.is_reduced[*d] && is_long(*d)).collect();
        let mut found = vec![];
        for index in indices {
            match index {
                Expr::Constant(0) => {}
                Expr::Dim(d) if is_long(*d) => found.push(*d),
                Expr::Dim(_) => {}
                _ => return false,
            }
        }
        found == around
    }

    /// True if an op adds up the elements of each row.
    fn is_sum(&self, op: Op<'c>) -> bool {
        let found = || {
            let loops = Structured::of(op).filter(|loops| loops.inputs == 1)?;
            let rows = SoftmaxRows::reduced(op, &loops, 0, 1)?;
            let body = op.body(0)?;
            let arguments = body.arguments();
            let add = body.terminator()?.operands().first()?.defining_op()?;
            let adds = add.is("arith.addf") && combines(add, arguments[0], arguments[1]);
            Some(adds && rows.tensor == self.tensor && rows.is_reduced == self.is_reduced)
        };
        found() == Some(true)
    }

    /// True if an op only divides the elements by the sums of their rows.
    fn is_quotient(&self, op: Op<'c>, place: usize, sums: &[Op<'c>]) -> bool {
        let found = || {
            let element = element_in_place(op, place)?;
            let (quotient, 0) = only_use(element)? else { return None };
            quotient.is("arith.divf").then_some(())?;
            let is_of_sums = |(input, tensor): (usize, Value<'c>)| {
                let from = through_unit_dims(tensor).defining_op();
                let map = SoftmaxRowMap::of(op, input, self)?;
                let is_sum = from.is_some_and(|op| sums.contains(&op));
                Some(is_sum && is_nan_with(map.of_row, quotient.operand(1)))
            };
            let mut inputs = op.operands().into_iter().enumerate();
            Some(inputs.any(|input| is_of_sums(input) == Some(true)))
        };
        found() == Some(true)
    }
}

/// An op on the elements of a tensor that also reads a number for each row.
struct SoftmaxRowMap<'c> {
    body: Block<'c>,
    /// The number of the row, in the body.
    of_row: Value<'c>,
    /// The elements of the tensor, in the body.
    elements: Vec<Value<'c>>,
}

impl<'c> SoftmaxRowMap<'c> {
    fn of(op: Op<'c>, place: usize, rows: &SoftmaxRows<'c>) -> Option<SoftmaxRowMap<'c>> {
        let loops = Structured::of(op)?;
        let of_row = element_of_map(op, place)?;
        let body = op.body(0)?;
        let arguments = body.arguments();
        let is_whole =
            |i: &usize| op.operand(*i) == rows.tensor && rows.is_whole(&loops.maps[*i].results);
        let elements: Vec<Value> =
            (0..loops.inputs).filter(is_whole).map(|i| arguments[i]).collect();
        let reads = !elements.is_empty()
            && loops.maps[loops.inputs..].iter().all(|map| rows.is_whole(&map.results))
            && rows.is_of_rows(&loops.maps[place].results);
        reads.then_some(SoftmaxRowMap { body, of_row, elements })
    }

    /// The differences of the elements and the number of the row, if the number is used for nothing else. It may be compared and
    /// selected before.
    fn differences(&self) -> Option<Vec<Value<'c>>> {
        let mut reached = vec![self.of_row];
        let mut differences = vec![];
        for op in self.body.ops() {
            let operands = op.operands();
            let is_reached: Vec<bool> =
                operands.iter().map(|value| reached.contains(value)).collect();
            match (op.name(), &is_reached[..]) {
                (_, all) if !all.contains(&true) => {}
                ("arith.cmpf" | "arith.select", _) => reached.push(op.result(0)),
                ("arith.subf", [false, true]) if self.elements.contains(&operands[0]) => {
                    differences.push(op.result(0));
                }
                _ => return None,
            }
        }
        Some(differences)
    }
}

/// True if a value is NaN whenever a number is: it is the number, or one that is only replaced if a comparison of it holds.
fn is_nan_with<'c>(number: Value<'c>, value: Value<'c>) -> bool {
    if value == number {
        return true;
    }
    let Some(select) = value.defining_op().filter(|op| op.is("arith.select")) else { return false };
    let compare = select.operand(0).defining_op().filter(|op| op.is("arith.cmpf"));
    // Ordered comparisons, which are false for NaN.
    let is_false = |op: Op<'c>| {
        let predicate = op.attribute("predicate").and_then(Attribute::as_i64);
        op.operands().contains(&number) && predicate.is_some_and(|it| (0..=6).contains(&it))
    };
    compare.is_some_and(is_false) && is_nan_with(number, select.operand(2))
}

/// True if the output of a reduction of one input is filled with NaN before.
fn starts_from_nan(op: Op) -> bool {
    let fill = op.operands().get(1).and_then(|start| start.defining_op());
    let value = fill.filter(|op| op.is("linalg.fill")).and_then(|op| constant_value(op.operand(0)));
    value.and_then(Attribute::as_f64).is_some_and(f64::is_nan)
}

/// The ops that read a tensor, also with other dimensions of size 1, and the places of their operands.
fn readers(tensor: Value<'_>) -> Vec<(Op<'_>, usize)> {
    let mut all = vec![];
    for (user, place) in tensor.uses() {
        match is_reshape(user) {
            true => all.extend(readers(user.result(0))),
            false => all.push((user, place)),
        }
    }
    all
}

/// The tensor that some reshapes begin with.
fn through_unit_dims(tensor: Value<'_>) -> Value<'_> {
    match tensor.defining_op().filter(|op| is_reshape(*op)) {
        Some(op) => through_unit_dims(op.operand(0)),
        None => tensor,
    }
}

/// True for a reshape, which keeps the order of the elements.
fn is_reshape(op: Op) -> bool {
    matches!(op.name(), "tensor.expand_shape" | "tensor.collapse_shape")
}

/// The element of an input, in the body of an op that computes each result from elements alone.
fn element_of_map(op: Op<'_>, place: usize) -> Option<Value<'_>> {
    let loops = Structured::of(op)?;
    let is_map = loops.iterators.iter().all(|kind| *kind == IteratorKind::Parallel);
    (is_map && place < loops.inputs).then(|| op.body(0)?.arguments().get(place).copied())?
}

/// The same, if the element and the result have the same indices: those of the loops, in order.
fn element_in_place(op: Op<'_>, place: usize) -> Option<Value<'_>> {
    let loops = Structured::of(op)?;
    let is_plain = |map: &Map| *map == Map::identity(loops.iterators.len());
    let is_in_place = loops.maps.get(place).is_some_and(is_plain)
        && loops.maps[loops.inputs..].iter().all(is_plain);
    if is_in_place { element_of_map(op, place) } else { None }
}

/// True if an op has these two operands, in any order.
fn combines<'c>(op: Op<'c>, element: Value<'c>, old: Value<'c>) -> bool {
    let operands = op.operands();
    (operands == [element, old] || operands == [old, element]) && element != old
}

fn only_use(value: Value<'_>) -> Option<(Op<'_>, usize)> {
    match value.uses()[..] {
        [one] => Some(one),
        _ => None,
    }
}

fn is_exponential(op: Op) -> bool {
    op.is("math.exp") || op.is("math.exp2")
}
