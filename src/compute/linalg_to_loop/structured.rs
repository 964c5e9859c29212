//! Structured linalg ops: one schedule block a result, or one block for all results of a reduction.

mod running;

use super::body::{ComputedScalars, number};
use super::nest::{NestSpec, NestUnderConstruction, is_bool};
use super::state::{ConvertedValue, FunctionConversion};
use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::dialect::loop_op::{Reducer, stored_type};
use crate::dialect::reducer;
use crate::ir::affine::Expr;
use crate::ir::{Block, Error, IteratorKind, Op, Structured, Value, walk};
use std::collections::HashSet;

/// A structured op that is being converted.
struct StructuredConversion<'s, 'c> {
    op: Op<'c>,
    loops: &'s Structured,
    operands: Vec<Value<'c>>,
    body: Block<'c>,
    /// The values that the body yields, one a result.
    yields: Vec<Value<'c>>,
    /// The extents of the iterators.
    ranges: Vec<Expr>,
    name: String,
}

/// An output: its number among the outputs, its target buffer, and its indices.
struct ConvertedOutput<'c> {
    i: usize,
    target: Value<'c>,
    indices: Vec<Expr>,
}

pub(super) fn convert<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    loops: &Structured,
) -> Result<(), Error<'c>> {
    if is_start_value(op) {
        let dims = f.sizes.dims(op, op.operand(1))?;
        f.set(op.result(0), ConvertedValue::Fill(op.operand(0)), dims);
        return Ok(());
    }
    let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
    for inner in walk(op) {
        if let Some(dim) = number(inner, "dim").filter(|_| inner.is("linalg.index")) {
            f.sizes.set_value(inner.result(0), Expr::Dim(dim as usize));
        }
    }
    let this = StructuredConversion {
        op,
        loops,
        operands: op.operands(),
        body,
        yields: body.terminator().map(|end| end.operands()).unwrap_or_default(),
        ranges: f.sizes.ranges(op, loops)?,
        name: base_name(op, loops, body),
    };
    this.assertions(f)?;
    let is_reduction = this.loops.iterators.iter().any(|k| *k != IteratorKind::Parallel);
    let mut joint = vec![];
    let is_live = this.live_outputs();
    for i in (0..this.yields.len()).filter(|i| is_live[*i]) {
        let indices = this.loops.maps[this.loops.inputs + i].results.clone();
        this.check_output(&indices)?;
        let uses_reduced = (0..this.ranges.len())
            .any(|d| this.loops.iterators[d] != IteratorKind::Parallel && mentions(&indices, d));
        if !is_reduction || uses_reduced {
            this.check_in_place(i)?;
        }
        match (is_reduction, uses_reduced) {
            (false, _) => this.elementwise(f, i, indices)?,
            (true, true) => match this.partial_results_needed(i)[..] {
                [] => this.scan(f, i, indices)?,
                [j] => this.running(f, i, indices, j)?,
                [j, ..] => return Err(this.too_many_partial_results(i, j)),
            },
            (true, false) => joint.push((i, indices)),
        }
    }
    // Reductions with the same output indices share one block, because their bodies may depend on each other.
    while let Some((_, indices)) = joint.first().cloned() {
        let (together, others) = joint.into_iter().partition(|(_, other)| *other == indices);
        joint = others;
        this.reduction(f, together)?;
    }
    Ok(())
}

fn mentions(exprs: &[Expr], dim: usize) -> bool {
    let mut found = false;
    for expr in exprs {
        expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(dim));
    }
    found
}

/// True if the fill of a tensor is used only as `outs`, so that it need not be in memory.
fn is_start_value(op: Op) -> bool {
    op.is("linalg.fill")
        && op.results().len() == 1
        && op.result(0).ty().shaped().is_some_and(|(_, e)| e == op.operand(0).ty())
        && op
            .result(0)
            .uses()
            .iter()
            .all(|(user, place)| Structured::of(*user).is_some_and(|loops| *place >= loops.inputs))
}

/// The name of the op's blocks: the op's name, or for a generic op, the op that computes the last yielded value.
fn base_name(op: Op, loops: &Structured, body: Block) -> String {
    if let Some(name) = op.name().strip_prefix("linalg.").filter(|name| *name != "generic") {
        return name.to_owned();
    }
    let yields = body.terminator().map(|end| end.operands()).unwrap_or_default();
    let computes: Vec<Op> = reached(&yields).into_iter().filter_map(Value::defining_op).collect();
    let words: Vec<String> = body
        .ops()
        .iter()
        .filter(|op| !op.is_constant() && !op.is("linalg.index") && computes.contains(op))
        .map(|op| op.name().rsplit('.').next().unwrap_or_default())
        .map(|word| match word {
            "maximumf" | "maxnumf" | "maxsi" | "maxui" => "max".into(),
            "minimumf" | "minnumf" | "minsi" | "minui" => "min".into(),
            "addf" | "subf" | "mulf" | "divf" | "negf" | "remf" | "addi" | "subi" | "muli" => {
                word[..3].into()
            }
            other => other.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_"),
        })
        .collect();
    let reduces = loops.iterators.iter().any(|kind| *kind != IteratorKind::Parallel);
    match (&words[..], reduces) {
        ([], _) => "copy".into(),
        ([first, second], true) if first == "mul" && second == "add" => "contract".into(),
        ([only], true) => format!("reduce_{only}"),
        (_, true) => "reduce".into(),
        ([.., last], false) => last.clone(),
    }
}

/// Some values, and all that they are computed from, also in regions.
fn reached<'c>(values: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut found = values.to_vec();
    let mut seen: HashSet<Value<'c>> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(value) = found.get(next).copied() {
        next += 1;
        let ops = value.defining_op().map(walk).unwrap_or_default();
        let operands = ops.into_iter().flat_map(|op| op.operands());
        found.extend(operands.filter(|value| seen.insert(*value)));
    }
    found
}

impl<'c> StructuredConversion<'_, 'c> {
    /// Checks the assertions of the body, but for those on partial results.
    fn assertions(&self, f: &mut FunctionConversion<'_, 'c>) -> Result<(), Error<'c>> {
        let needs_inputs =
            |op: &Op<'c>| self.needed(&op.operands()).iter().all(|i| *i < self.loops.inputs);
        let checked =
            f.assertions_in(self.op, |op| op.block() == Some(self.body) && needs_inputs(op));
        let conditions: Vec<_> = checked.iter().map(|op| op.operand(0)).collect();
        let needed = self.needed(&conditions);
        self.prepare(f, &needed)?;
        let name = format!("{}_assert", self.name);
        f.check_each(&name, self.op, &self.ranges, &checked, |f, nest| {
            self.load(f, nest, &needed, &[])
        })
    }

    /// For each output, whether its result is used, or an output that is used depends on it. Exporters write a maximum with
    /// its index even where only the maximum is used.
    fn live_outputs(&self) -> Vec<bool> {
        let results = self.op.results();
        // On memrefs there are no results: all outputs are written.
        let is_used = |i: usize| results.get(i).is_none_or(|result| !result.is_unused());
        let mut is_live: Vec<bool> = (0..self.yields.len()).map(is_used).collect();
        let mut left: Vec<usize> = (0..is_live.len()).filter(|i| is_live[*i]).collect();
        while let Some(i) = left.pop() {
            for operand in self.needed(&[self.yields[i]]) {
                if let Some(j) = operand.checked_sub(self.loops.inputs)
                    && !std::mem::replace(&mut is_live[j], true)
                {
                    left.push(j);
                }
            }
        }
        is_live
    }

    /// On memrefs, results with separate blocks are written one after the other. Checks that result `i` does not
    /// read a buffer that another result writes.
    fn check_in_place(&self, i: usize) -> Result<(), Error<'c>> {
        let others = self.operands[self.loops.inputs..].iter().enumerate().filter(|(j, _)| *j != i);
        let others: Vec<_> = others.map(|(_, output)| *output).collect();
        let needed = self.needed(&[self.yields[i]]);
        let clashes = needed.iter().any(|operand| others.contains(&self.operands[*operand]));
        match self.op.results().is_empty() && clashes {
            true => Err(Error::on(
                self.op,
                format!("result {i} needs a buffer that another result overwrites"),
            )),
            false => Ok(()),
        }
    }

    fn too_many_partial_results(&self, i: usize, j: usize) -> Error<'c> {
        let message = format!("result {i} depends on partial results of result {j} and of others");
        Error::on(self.op, format!("{message}, expected those of one result"))
    }

    /// Checks that every parallel iterator with more than one iteration is by itself an index of the result.
    fn check_output(&self, indices: &[Expr]) -> Result<(), Error<'c>> {
        for (d, kind) in self.loops.iterators.iter().enumerate() {
            let covered = indices.contains(&Expr::Dim(d))
                || *kind != IteratorKind::Parallel
                || self.ranges[d].constant() == Some(1);
            if !covered {
                return Err(Error::on(
                    self.op,
                    format!(
                        "iterator {d} is parallel, but no index of the result is this iterator alone"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Prepares output `i`: selects its target buffer.
    fn output(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        i: usize,
        indices: Vec<Expr>,
    ) -> Result<ConvertedOutput<'c>, Error<'c>> {
        let out = self.operands[self.loops.inputs + i];
        let target = match self.op.results().get(i) {
            Some(result) => {
                let dims = f.sizes.dims(self.op, out)?;
                f.target(self.op.location(), &self.name, *result, &dims)?
            }
            None => f.in_memory(self.op, out)?,
        };
        Ok(ConvertedOutput { i, target, indices })
    }

    /// Records that output `i` has been computed.
    fn done(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        output: &ConvertedOutput<'c>,
    ) -> Result<(), Error<'c>> {
        if let Some(result) = self.op.results().get(output.i) {
            let dims = f.sizes.dims(self.op, self.operands[self.loops.inputs + output.i])?;
            f.set(*result, ConvertedValue::Buffer(output.target), dims);
        }
        Ok(())
    }

    fn nest(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        role: impl Fn(IteratorKind) -> IterRole,
        reducer: Option<Reducer<'c>>,
    ) -> NestUnderConstruction<'c> {
        let iters = self.loops.iterators.iter().zip(&self.ranges);
        let name = f.block_name(&self.name);
        f.nest(NestSpec {
            location: self.op.location(),
            name,
            iters: iters.map(|(kind, range)| (role(*kind), range.clone())).collect(),
            uses: vec![],
            reducer,
        })
    }

    /// The operands whose elements the body needs for these yielded values.
    fn needed(&self, yields: &[Value<'c>]) -> Vec<usize> {
        let of_body = reached(yields).into_iter().filter(|value| value.owner() == Some(self.body));
        let mut needed: Vec<usize> = of_body.map(Value::index).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Materialises the operands that the body reads and that have no other form.
    fn prepare(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        needed: &[usize],
    ) -> Result<(), Error<'c>> {
        let extracted = walk(self.op).into_iter().filter(|op| op.is("tensor.extract"));
        let captured = extracted.map(|op| (op, op.operand(0)));
        let operands = needed.iter().map(|i| (self.op, self.operands[*i]));
        for (op, value) in operands.chain(captured).filter(|(_, v)| v.ty().shaped().is_some()) {
            if matches!(f.tensor(op, value)?.0, ConvertedValue::Empty) {
                f.in_memory(op, value)?;
            }
        }
        Ok(())
    }

    /// Loads the needed operands, except those of `outputs`, whose old elements are in their targets.
    fn load(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        nest: &NestUnderConstruction<'c>,
        needed: &[usize],
        outputs: &[ConvertedOutput<'c>],
    ) -> Result<ComputedScalars<'c>, Error<'c>> {
        let mut known = ComputedScalars::new();
        let arguments = self.body.arguments();
        for i in needed.iter().copied() {
            let operand = self.operands[i];
            let accumulated = outputs.iter().find(|o| o.i + self.loops.inputs == i);
            let scalar = match (accumulated, operand.ty().shaped()) {
                (Some(output), _) => {
                    let indices = nest.indices(&output.indices);
                    nest.load(output.target, &indices, arguments[i].ty())
                }
                (None, None) => f.scalar(nest, operand)?,
                (None, Some(_)) => {
                    let (source, _) = f.tensor(self.op, operand)?;
                    let indices = match source {
                        ConvertedValue::Buffer(_) => nest.indices(&self.loops.maps[i].results),
                        _ => vec![],
                    };
                    f.read(nest, &source, operand, &indices)?
                }
            };
            known.insert(arguments[i], scalar);
        }
        Ok(known)
    }

    /// Computes and stores outputs, and closes the nest.
    fn finish(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        nest: NestUnderConstruction<'c>,
        mut known: ComputedScalars<'c>,
        outputs: &[ConvertedOutput<'c>],
    ) -> Result<(), Error<'c>> {
        let mut values = vec![];
        for output in outputs {
            values.push(f.evaluate(&nest, &mut known, self.yields[output.i])?);
        }
        let indices = nest.indices(&outputs[0].indices);
        for (value, output) in values.into_iter().zip(outputs) {
            nest.store(value, output.target, &indices);
            self.done(f, output)?;
        }
        nest.finish()
    }

    fn elementwise(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        i: usize,
        indices: Vec<Expr>,
    ) -> Result<(), Error<'c>> {
        let needed = self.needed(&[self.yields[i]]);
        self.prepare(f, &needed)?;
        let output = self.output(f, i, indices)?;
        let nest = self.nest(f, |_| IterRole::Spatial, None);
        let known = self.load(f, &nest, &needed, &[])?;
        self.finish(f, nest, known, &[output])
    }

    /// A result whose elements are also visited by reduction iterators: the old elements are copied, then
    /// the iterations run in order.
    fn scan(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        i: usize,
        indices: Vec<Expr>,
    ) -> Result<(), Error<'c>> {
        let needed = self.needed(&[self.yields[i]]);
        self.prepare(f, &needed)?;
        let output = self.output(f, i, indices)?;
        let out = self.operands[self.loops.inputs + i];
        let (source, dims) = f.tensor(self.op, out)?;
        let is_in_place =
            matches!(source, ConvertedValue::Buffer(buffer) if buffer == output.target);
        if !is_in_place && !matches!(source, ConvertedValue::Empty) {
            f.copy(self.op, &source, &dims, out, output.target)?;
        }
        let role = |kind| match kind {
            IteratorKind::Parallel => IterRole::Spatial,
            _ => IterRole::Opaque,
        };
        let nest = self.nest(f, role, None);
        let outputs = [output];
        let known = self.load(f, &nest, &needed, &outputs)?;
        self.finish(f, nest, known, &outputs)
    }

    /// Results that are reduced over the same iterators: one block, one buffer a result.
    fn reduction(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        results: Vec<(usize, Vec<Expr>)>,
    ) -> Result<(), Error<'c>> {
        let inputs = self.loops.inputs;
        let yields: Vec<_> = results.iter().map(|(i, _)| self.yields[*i]).collect();
        let needed = self.needed(&yields);
        self.prepare(f, &needed)?;
        if let Some(i) = needed
            .iter()
            .filter_map(|n| n.checked_sub(inputs))
            .find(|n| results.iter().all(|(i, _)| i != n))
        {
            return Err(Error::on(
                self.op,
                format!("a result depends on the old value of result {i}, which has other indices"),
            ));
        }
        let mut outputs = vec![];
        for (i, indices) in results {
            outputs.push(self.output(f, i, indices)?);
        }
        let arguments = self.body.arguments();
        let old = |v: Value<'c>| outputs.iter().position(|o| arguments[inputs + o.i] == v);
        let combiners = reducer::recognize(&yields, &old).unwrap_or(vec![Combiner::Ordered]);
        let context = self.op.context();
        let types: Vec<_> = yields.iter().map(|v| stored_type(context, v.ty())).collect();
        let bools: Vec<_> = yields.iter().map(|v| is_bool(v.ty())).collect();
        let identities = reducer::stored_identities(&combiners, &types, &bools);
        let role = |kind| match kind {
            IteratorKind::Parallel => IterRole::Spatial,
            _ => IterRole::Reduce,
        };
        let nest = self.nest(f, role, Some(Reducer { combiners, identities }));
        let on_tensors = !self.op.results().is_empty();
        if on_tensors && outputs.iter().any(|o| needed.contains(&(inputs + o.i))) {
            nest.init(|inner| {
                let indices = inner.indices(&outputs[0].indices);
                for output in &outputs {
                    let out = self.operands[inputs + output.i];
                    let (source, _) = f.tensor(self.op, out)?;
                    let start = f.read(inner, &source, out, &indices)?;
                    inner.store(start, output.target, &indices);
                }
                Ok(())
            })?;
        }
        let known = self.load(f, &nest, &needed, &outputs)?;
        self.finish(f, nest, known, &outputs)
    }
}
