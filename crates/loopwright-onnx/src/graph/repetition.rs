//! Loops: `Loop` and `Scan` become `scf.for`, or `scf.while` if data ends the loop.
//!
//! ```text
//! y, rows = Loop(n, , x) <body = {..}>
//!   ->
//! %y, %rows = scf.for %i = 0 to %n iter_args(%t = %x, %all = %empty) {
//!   ..
//!   %next = tensor.insert_slice %row into %all[%i, ..]
//!   scf.yield %u, %next
//! }
//! ```
//! - (L1) A carried value has the same element type and sizes in all iterations. A loop that breaks this rule, or whose
//!   body needs the number of the iteration as a constant, is unrolled if it has a few iterations.
//! - (L2) The number of rows of a scan output that is used is known before the loop: no condition ends the loop, and the trip
//!   count does not depend on data, or the model states the number of rows.
//! - (L3) A loop has a trip count, or a condition that changes.
//! - A carried value that the body passes on is a value from outside, which may be known during the import.

use super::control_flow::{Site, described};
use super::rolled::{Rolled, position};
use crate::builder::{Builder, Value};
use crate::element::{Data, Element};
use crate::error::{ImportError, Refusal};
use crate::schema::{GraphProto, ValueInfoProto};
use crate::size::Size;
use crate::tensor::Tensor;

/// Loops of more iterations are not unrolled, with those of the loops around that are.
const MOST_UNROLLED: i64 = 32;

/// An axis along which rows are read or written, one in each iteration.
#[derive(Clone, Copy)]
pub(super) struct Along {
    pub(super) axis: i64,
    pub(super) is_reverse: bool,
}

/// The inputs of the body beside the carried values.
pub(super) enum Given<'c> {
    /// The number of the iteration and the condition, before the carried values.
    Iteration,
    /// Rows of tensors, behind the carried values.
    Rows(Vec<(Tensor<'c>, Along)>),
}

/// How often a body runs.
#[derive(Clone, Copy)]
pub(super) enum Trips<'c> {
    /// Until a condition ends the loop.
    Unlimited,
    Size(Size<'c>),
    /// An index that is data.
    Data(Value<'c>),
}

impl<'c> Trips<'c> {
    /// The trips of a loop that ends after its first iteration.
    fn at_most_one(self, builder: &Builder<'c>) -> Trips<'c> {
        let one = Size::Known(1);
        match self {
            Trips::Unlimited => Trips::Size(one),
            Trips::Size(size) => Trips::Size(builder.size_min(size, one)),
            Trips::Data(value) => {
                Trips::Data(builder.size(builder.size_min(Size::Dynamic(value), one)))
            }
        }
    }
}

/// What repeats, and from which values.
pub(super) struct Repetition<'s, 'c> {
    pub(super) graph: &'s GraphProto,
    pub(super) given: Given<'c>,
    pub(super) trips: Trips<'c>,
    /// The condition before the first iteration: None if it is known to hold.
    pub(super) condition: Option<Tensor<'c>>,
    /// The carried values before the first iteration.
    pub(super) starts: Vec<Tensor<'c>>,
    /// For each carried value: true if the body passes it on.
    pub(super) passed: Vec<bool>,
    pub(super) scans: Vec<Along>,
}

impl<'c> Repetition<'_, 'c> {
    /// The number of outputs of the body before those that are carried.
    pub(super) fn first(&self) -> usize {
        usize::from(matches!(self.given, Given::Iteration))
    }

    /// The outputs of the body that are carried.
    pub(super) fn carried<'o>(&self, outputs: &'o [Tensor<'c>]) -> &'o [Tensor<'c>] {
        &outputs[self.first()..self.first() + self.starts.len()]
    }

    pub(super) fn carried_name(&self, i: usize) -> &str {
        &self.graph.output[self.first() + i].name
    }

    /// The scan outputs of the body, with their names.
    pub(super) fn rows<'o>(
        &'o self,
        outputs: &'o [Tensor<'c>],
    ) -> impl Iterator<Item = (&'o Tensor<'c>, &'o ValueInfoProto, Along)> {
        let from = self.first() + self.starts.len();
        let rows = outputs[from..].iter().zip(&self.graph.output[from..]);
        rows.zip(&self.scans).map(|((row, info), along)| (row, info, *along))
    }
}

/// The condition in a body: it runs only if the condition holds.
fn truth<'c>() -> Tensor<'c> {
    let data = Data { element: Element::Bool, dims: vec![], bytes: vec![1].into() };
    Tensor::constant(data, "condition")
}

/// The value of a condition that is known.
fn known_truth(condition: &Tensor) -> Option<bool> {
    condition.integers().and_then(|it| it.first().map(|it| *it != 0))
}

/// True if a graph passes on an input as an output, also by Identity.
fn passes_on(graph: &GraphProto, input: &str, output: &str) -> bool {
    let mut name = output;
    for _ in 0..graph.node.len() {
        let source = graph.node.iter().find(|node| node.output.iter().any(|it| it == name));
        match source {
            Some(node) if super::is_standard(node) && node.op_type == "Identity" => {
                name = node.input.first().map_or("", String::as_str);
            }
            Some(_) => return false,
            None => break,
        }
    }
    name == input
}

impl<'s, 'c> Site<'s, '_, 'c> {
    /// The outputs of a `Loop`.
    pub(super) fn repeated(&self) -> Result<Vec<Tensor<'c>>, ImportError> {
        let (node, graph) = (self.node, self.graph("body")?);
        let starts = self.inputs(2, node.inputs.len())?;
        let mut condition = None;
        let mut trips = match node.optional(0) {
            Some(_) => self.trip_count()?,
            None => Trips::Unlimited,
        };
        if let Some(found) = node.optional(1) {
            match known_truth(found) {
                Some(true) => {}
                Some(false) => trips = Trips::Size(Size::Known(0)),
                None => condition = Some(node.number(1).map_err(|it| self.error(it))?),
            }
        }
        let passed = self.passed(graph, 2, 1, starts.len());
        let scans = graph.output.len().saturating_sub(1 + starts.len());
        let scans = vec![Along { axis: 0, is_reverse: false }; scans];
        let given = Given::Iteration;
        self.repeat(&Repetition { graph, given, trips, condition, starts, passed, scans })
    }

    /// The outputs of a `Scan`.
    pub(super) fn scanned(&self) -> Result<Vec<Tensor<'c>>, ImportError> {
        let (node, graph) = (self.node, self.graph("body")?);
        if node.opset < 9 {
            return Err(self.refused(format!(
                "is of operator set {}, in which Scan has a batch dimension, expected at least 9: convert the model",
                node.opset
            )));
        }
        let refused = |refusal: Refusal| self.error(refusal);
        let count = node.int("num_scan_inputs").map_err(refused)?.unwrap_or(0);
        let scanned = usize::try_from(count).ok().filter(|it| (1..=node.inputs.len()).contains(it));
        let scanned = scanned.ok_or_else(|| {
            let expected = format!("1 to {}, the number of inputs", node.inputs.len());
            self.error(node.refuse_attribute("num_scan_inputs", &count.to_string(), &expected))
        })?;
        let starts = self.inputs(0, node.inputs.len() - scanned)?;
        let rows = self.inputs(starts.len(), node.inputs.len())?;
        let scans = graph.output.len().saturating_sub(starts.len());
        let along = |name: &str, count: usize| {
            let axes = self.list(&format!("scan_{name}_axes"), count)?;
            let directions = self.list(&format!("scan_{name}_directions"), count)?;
            let pairs = axes.into_iter().zip(directions);
            let along = pairs.map(|(axis, direction)| Along { axis, is_reverse: direction != 0 });
            Ok::<Vec<_>, ImportError>(along.collect())
        };
        let (reads, scans) = (along("input", scanned)?, along("output", scans)?);
        let mut length: Option<Size<'c>> = None;
        let mut given = vec![];
        for (x, along) in rows.into_iter().zip(reads) {
            let axis = node.axis_of(along.axis, x.rank()).map_err(refused)?;
            let size = x.size(axis);
            length = Some(match (length, size) {
                (Some(Size::Known(x)), Size::Known(y)) if x != y => {
                    return Err(self.refused(format!(
                        "scans inputs of {x} and {y} rows, expected equal numbers"
                    )));
                }
                (Some(known @ Size::Known(_)), _) | (Some(known), Size::Dynamic(_)) => known,
                (_, size) => size,
            });
            given.push((x, Along { axis: axis as i64, ..along }));
        }
        let trips = Trips::Size(length.unwrap_or(Size::Known(0)));
        let passed = self.passed(graph, 0, 0, starts.len());
        let given = Given::Rows(given);
        self.repeat(&Repetition { graph, given, trips, condition: None, starts, passed, scans })
    }

    /// Integers of an attribute, one of each of `count` tensors; zeros if it is left out.
    fn list(&self, name: &str, count: usize) -> Result<Vec<i64>, ImportError> {
        let found = self.node.ints(name).map_err(|it| self.error(it))?.unwrap_or(vec![0; count]);
        match found.len() == count {
            true => Ok(found),
            false => {
                let expected = format!("{count} integers");
                Err(self.error(self.node.refuse_attribute(name, &format!("{found:?}"), &expected)))
            }
        }
    }

    /// Inputs of the node, none of which is left out.
    fn inputs(&self, from: usize, to: usize) -> Result<Vec<Tensor<'c>>, ImportError> {
        let input = |i| self.node.input(i).cloned().map_err(|refusal| self.error(refusal));
        (from..to).map(input).collect()
    }

    /// The trip count of a `Loop`: a negative one is zero.
    fn trip_count(&self) -> Result<Trips<'c>, ImportError> {
        let node = self.node;
        let given = node.number(0).map_err(|refusal| self.error(refusal))?;
        node.check_element(&given, "int64 as trip count", |it| it == Element::I64)
            .map_err(|refusal| self.error(refusal))?;
        Ok(match given.elements().as_deref() {
            Some([count]) => Trips::Size(node.size_max(*count, Size::Known(0))),
            _ => Trips::Data(node.cast(node.extract(&given, &[]), Element::Index).value),
        })
    }

    /// For each carried value: true if the body passes it on. `inputs` and `outputs` are the positions of the first one.
    fn passed(&self, graph: &GraphProto, inputs: usize, outputs: usize, count: usize) -> Vec<bool> {
        let is_passed =
            |i: usize| match (graph.input.get(inputs + i), graph.output.get(outputs + i)) {
                (Some(input), Some(output)) => passes_on(graph, &input.name, &output.name),
                _ => false,
            };
        (0..count).map(is_passed).collect()
    }

    fn repeat(&self, loops: &Repetition<'_, 'c>) -> Result<Vec<Tensor<'c>>, ImportError> {
        let expected = loops.first() + loops.starts.len() + loops.scans.len();
        if loops.graph.output.len() != expected {
            return Err(self.refused(format!(
                "has a body with {} outputs, expected at least {expected}",
                loops.graph.output.len()
            )));
        }
        let error = match self.rolled(loops) {
            Ok(outputs) => return Ok(outputs),
            Err(error) => error,
        };
        match (&loops.trips, &loops.condition) {
            (Trips::Size(Size::Known(trips)), None)
                if *trips > 0 && self.scope.copies.saturating_mul(*trips) <= MOST_UNROLLED =>
            {
                self.unrolled(loops, *trips).map_err(|_| error)
            }
            _ => Err(error),
        }
    }

    /// The inputs of the body in an iteration.
    fn arguments(
        &self,
        builder: &Builder<'c>,
        loops: &Repetition<'_, 'c>,
        index: Size<'c>,
        carried: Vec<Tensor<'c>>,
    ) -> Result<Vec<Tensor<'c>>, ImportError> {
        let rows = match &loops.given {
            Given::Iteration => {
                let iteration = match index {
                    Size::Known(_) => Tensor::integer(index, Element::I64),
                    Size::Dynamic(_) => {
                        let number = builder.cast(builder.size_scalar(index), Element::I64);
                        let ty = builder.type_of(&[], Element::I64);
                        let value = builder.op("tensor.from_elements", &[number.value], ty);
                        Tensor::new(value, Element::I64, vec![])
                    }
                };
                return Ok([vec![iteration, truth()], carried].concat());
            }
            Given::Rows(rows) => rows,
        };
        let mut arguments = carried;
        for (x, along) in rows {
            let axis = along.axis as usize;
            let at = position(builder, index, x.size(axis), *along);
            let row = builder.slice_axis(x, axis, at, Size::Known(1));
            arguments.push(builder.squeeze(&row, &[axis]).map_err(|it| self.error(it))?);
        }
        Ok(arguments)
    }

    /// The outputs of iterations that are imported one after the other.
    fn unrolled(
        &self,
        loops: &Repetition<'_, 'c>,
        trips: i64,
    ) -> Result<Vec<Tensor<'c>>, ImportError> {
        let builder = &self.node.builder;
        let (mut carried, mut rows) = (loops.starts.clone(), vec![vec![]; loops.scans.len()]);
        for i in 0..trips {
            let arguments = self.arguments(builder, loops, Size::Known(i), carried)?;
            let outputs = self.body(builder, loops.graph, arguments, trips.max(2))?;
            carried = loops.carried(&outputs).to_vec();
            for (all, (row, _, along)) in rows.iter_mut().zip(loops.rows(&outputs)) {
                let axis = self.node.axis_of(along.axis, row.rank() + 1);
                let axis = axis.map_err(|it| self.error(it))?;
                let row = builder.unsqueeze(row, &[axis]).map_err(|it| self.error(it))?;
                all.push((row, axis));
            }
            if loops.first() == 1 {
                match known_truth(&outputs[0]) {
                    Some(true) => {}
                    Some(false) => break,
                    None => return Err(self.refused("is not unrolled: its condition is data")),
                }
            }
        }
        for (all, along) in rows.into_iter().zip(&loops.scans) {
            let Some(axis) = all.first().map(|(_, axis)| *axis) else { continue };
            let mut all: Vec<_> = all.into_iter().map(|(row, _)| row).collect();
            if along.is_reverse {
                all.reverse();
            }
            if !all.iter().all(|row| self.is_same_type(row, &all[0])) {
                return Err(self.refused("has rows of different types in a scan output"));
            }
            carried.push(builder.concat(&all, axis));
        }
        Ok(carried)
    }

    /// The outputs of a loop whose body is imported once.
    fn rolled(&self, loops: &Repetition<'_, 'c>) -> Result<Vec<Tensor<'c>>, ImportError> {
        let node = self.node;
        let moving = || loops.starts.iter().zip(&loops.passed).filter(|(_, passed)| !**passed);
        let mut types = vec![Element::Index.ty(node.context())];
        types.extend(moving().map(|(it, _)| node.type_of(it.sizes(), it.element())));
        let (region, inner, values) = node.builder.scope(&types);
        let mut arguments = values[1..].iter();
        let carried =
            loops.starts.iter().zip(&loops.passed).map(|(start, passed)| {
                match if *passed { None } else { arguments.next() } {
                    Some(value) => Tensor::new(*value, start.element(), start.sizes().to_vec()),
                    None => start.for_scope(),
                }
            });
        let carried = carried.collect();
        let index = values[0];
        let inputs = self.arguments(&inner, loops, Size::Dynamic(index), carried)?;
        let outputs = self.body(&inner, loops.graph, inputs, 1)?;
        for (i, (start, output)) in loops.starts.iter().zip(loops.carried(&outputs)).enumerate() {
            let sizes = self.sizes_outside(loops.carried_name(i), output, &inner);
            let after = sizes.map(|it| Tensor::new(index, output.element(), it));
            if !after.is_ok_and(|after| self.is_same_type(start, &after)) {
                return Err(self.refused(format!(
                    "has the carried value '{}' that is {} before the loop and {} after an iteration, expected equal types (L1)",
                    loops.carried_name(i),
                    described(start),
                    described(output)
                )));
            }
        }
        let rolled = Rolled { region, inner, index, outputs };
        let holds = match loops.given {
            Given::Rows(_) => Some(true),
            Given::Iteration => known_truth(&rolled.outputs[0]),
        };
        match holds {
            Some(true) => self.counted(loops, rolled, loops.trips),
            Some(false) => self.counted(loops, rolled, loops.trips.at_most_one(&node.builder)),
            None => self.conditioned(loops, rolled),
        }
    }
}
