//! `extracts-to-operands`: make an operand of a tensor whose elements a linalg op extracts by the indices of its loops.
//!
//! ```text
//! %r = linalg.generic {maps = [(i, j) -> (i, j)]} outs(%e) {     %r = linalg.generic {maps = [(i, j) -> (j, 0), (i, j) -> (i, j)]}
//!   %i = linalg.index 0                                              ins(%x) outs(%e) {
//!   %j = linalg.index 1                                          ^bb0(%y, ..):
//!   %is_one = arith.cmpi eq, %size, 1                              linalg.yield %y
//!   %k = arith.select %is_one, 0, %j                       ->    }
//!   %y = tensor.extract %x[%k, 0]
//!   linalg.yield %y
//! }
//! ```
//! PyTorch is exported like this where it broadcasts tensors of unknown sizes: the index is 0 if the tensor has one element, and
//! else that of the loop. If the size of the tensor is that of the loop, both are the same. The kind of such an op, and what it
//! can be fused with, are seen only from its operands.
//!
//! An op whose result is then an operand itself is removed.
//!
//! Requires
//! - (C1) the op is a `linalg.generic` on tensors in the block of a function, and the tensor is defined outside of it
//! - (C2) each index is a constant within a dimension of known size, or the variable of a loop over all elements of the dimension
//!   (the sizes are equal as expressions over the sizes of the arguments), or a `select` of such indices, for which it is known
//!   that its condition holds or does not, or that the two indices are equal

use crate::compute::linalg_builder::rebuilt;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::ir::affine::{Expr, Map};
use crate::ir::predicate;
use crate::ir::{Attribute, Op, Structured, TypeKind, Value, constant_integer, walk};

/// Changes the ops of a function. Returns the number of new operands.
pub fn convert(function: Op) -> usize {
    let Some(body) = function.body(0) else { return 0 };
    let ops: Vec<Op> = body.ops().into_iter().filter(|op| op.is("linalg.generic")).collect();
    let extracts = |op: &Op| walk(*op).iter().any(|inner| inner.is("tensor.extract"));
    let ops: Vec<Op> = ops.into_iter().filter(extracts).collect();
    if ops.is_empty() {
        return 0;
    }
    let mut sizes = SymbolicSizes::of(body);
    let mut found = 0;
    for op in ops {
        let Some(mut reader) = ExtractingOp::of(op, &sizes) else { continue };
        reader.find(&mut sizes);
        found += reader.operands.len();
        if !reader.operands.is_empty() {
            reader.rebuild();
        }
    }
    found
}

/// A linalg op that extracts elements.
struct ExtractingOp<'c> {
    op: Op<'c>,
    loops: Structured,
    /// The number of elements that each loop runs over.
    ranges: Vec<Option<Expr>>,
    /// The new operands.
    operands: Vec<ExtractedOperand<'c>>,
}

/// A tensor, its indices, and the ops that extract its elements.
struct ExtractedOperand<'c> {
    tensor: Value<'c>,
    indices: Vec<Expr>,
    extracts: Vec<Op<'c>>,
}

impl<'c> ExtractingOp<'c> {
    fn of(op: Op<'c>, sizes: &SymbolicSizes<'c>) -> Option<ExtractingOp<'c>> {
        let loops = Structured::of(op)?;
        let is_tensor = |value: &Value| matches!(value.ty().kind(), TypeKind::Tensor { .. });
        op.results().iter().all(is_tensor).then_some(())?;
        let mut ranges = vec![None; loops.iterators.len()];
        for (operand, map) in op.operands().into_iter().zip(&loops.maps) {
            let dims = sizes.known_dims(operand).unwrap_or_default();
            for (index, size) in map.results.iter().zip(dims) {
                if let Expr::Dim(d) = index {
                    ranges[*d].get_or_insert_with(|| size.simplified());
                }
            }
        }
        Some(ExtractingOp { op, loops, ranges, operands: vec![] })
    }

    /// Finds the tensors that can become operands.
    fn find(&mut self, sizes: &mut SymbolicSizes<'c>) {
        let Some(body) = self.op.body(0) else { return };
        for extract in body.ops().into_iter().filter(|op| op.is("tensor.extract")) {
            let operands = extract.operands();
            let [tensor, places @ ..] = &operands[..] else { continue };
            let is_outside = tensor.defining_op().is_none_or(|op| op.block() != Some(body));
            let Some(dims) = sizes.known_dims(*tensor).filter(|_| is_outside) else { continue };
            let dims: Vec<Expr> = dims.iter().map(Expr::simplified).collect();
            let indices: Option<Vec<Expr>> = places
                .iter()
                .zip(&dims)
                .map(|(place, size)| {
                    let index = self.index(*place, sizes)?;
                    let is_within = match &index {
                        Expr::Dim(d) => self.ranges[*d].as_ref() == Some(size),
                        index => {
                            let (at, size) = (index.constant()?, size.constant()?);
                            (0..size).contains(&at)
                        }
                    };
                    is_within.then_some(index)
                })
                .collect();
            let Some(indices) = indices else { continue };
            let mut known = self.operands.iter_mut();
            match known.find(|it| it.tensor == *tensor && it.indices == indices) {
                Some(operand) => operand.extracts.push(extract),
                None => self.operands.push(ExtractedOperand {
                    tensor: *tensor,
                    indices,
                    extracts: vec![extract],
                }),
            }
        }
    }

    /// An index as a loop or a constant. (C2)
    fn index(&self, value: Value<'c>, sizes: &mut SymbolicSizes<'c>) -> Option<Expr> {
        if let Some(number) = constant_integer(value) {
            return Some(number.into());
        }
        let op = value.defining_op()?;
        match op.name() {
            "linalg.index" => {
                let d = op.attribute("dim").and_then(Attribute::as_i64)?;
                Some(Expr::Dim(usize::try_from(d).ok()?))
            }
            "arith.select" => {
                let condition = op.operand(0);
                match sizes.decided(condition) {
                    Some(true) => return self.index(op.operand(1), sizes),
                    Some(false) => return self.index(op.operand(2), sizes),
                    None => {}
                }
                let [one, other] = [1, 2].map(|i| self.index(op.operand(i), sizes));
                let (one, other) = (one?, other?);
                let are_equal = one == other
                    || one == 0.into() && self.has_one_element(condition, &other, sizes);
                are_equal.then_some(other)
            }
            _ => None,
        }
    }

    /// True if a loop has one iteration whenever a condition holds.
    fn has_one_element(
        &self,
        condition: Value<'c>,
        index: &Expr,
        sizes: &mut SymbolicSizes<'c>,
    ) -> bool {
        let Expr::Dim(d) = index else { return false };
        let Some(compare) = condition.defining_op().filter(|op| op.is("arith.cmpi")) else {
            return false;
        };
        let predicate = compare.attribute("predicate").and_then(Attribute::as_i64);
        let [left, right] =
            [0, 1].map(|i| sizes.size(compare.operand(i)).map(|it| it.simplified()));
        let size = match (left, right) {
            (Some(one), size) | (size, Some(one)) if one.constant() == Some(1) => size,
            _ => None,
        };
        predicate == Some(predicate::EQ) && size.is_some() && size == self.ranges[*d]
    }

    /// Replaces the op by one that has the new operands, or by an operand.
    fn rebuild(&self) {
        let (op, loops) = (self.op, &self.loops);
        let body = op.body(0).expect("a linalg op has a body");
        let (mut ins, mut maps) = (op.operands(), loops.maps.clone());
        for (i, new) in self.operands.iter().enumerate() {
            let at = loops.inputs + i;
            let element = new.extracts[0].result(0);
            let argument = body.insert_argument(at, element.ty(), op.location());
            for extract in &new.extracts {
                extract.result(0).replace_all_uses_with(argument);
                extract.erase();
            }
            ins.insert(at, new.tensor);
            let dims = loops.iterators.len();
            maps.insert(at, Map { dims, symbols: 0, results: new.indices.clone() });
        }
        let inputs = loops.inputs + self.operands.len();
        if let Some(same) = self.operand_in_place(&ins, &maps, inputs) {
            op.result(0).replace_all_uses_with(same);
            op.erase();
            return;
        }
        let iterators = loops.iterators.clone();
        rebuilt(op, &ins, &Structured { iterators, maps, inputs });
    }

    /// The operand that the only result is equal to, if there is one.
    fn operand_in_place(
        &self,
        operands: &[Value<'c>],
        maps: &[Map],
        inputs: usize,
    ) -> Option<Value<'c>> {
        let [result] = self.op.results()[..] else { return None };
        let body = self.op.body(0)?;
        let [yielded] = body.terminator()?.operands()[..] else { return None };
        let place = body.arguments()[..inputs].iter().position(|argument| *argument == yielded)?;
        let identity = Map::identity(self.loops.iterators.len());
        let is_same = maps[place] == identity
            && maps[inputs] == identity
            && operands[place].ty() == result.ty();
        is_same.then_some(operands[place])
    }
}
