//! Reads the buffers of a function.

use super::SummaryReader;
use super::focus::Focus;
use super::incremental::OuterValue;
use crate::dialect::graph_op::GROUP;
use crate::dialect::loop_op::{self, ScheduleBlock, buffer_name};
use crate::dialect::region::dimension;
use crate::dialect::requirement::{self, Requirements, SizeOrigin};
use crate::dialect::weight::IS_LIFTED;
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Block, Error, FloatKind, Op, Type, TypeKind, Value, parents, walk};
use crate::nest::summary::{Buffer, BufferId};

impl<'c> SummaryReader<'c> {
    pub(super) fn buffer(&mut self, value: Value<'c>) -> BufferId {
        self.met(OuterValue::Buffer(value));
        if let Some(known) = self.buffer_numbers.get(&value) {
            return *known;
        }
        let known = self.former.known_buffer(value);
        let buffer = known.unwrap_or_else(|| self.described(value).into());
        let id = self.buffers.push(value);
        self.buffer_numbers.insert(value, id);
        self.summary.buffers.push(buffer);
        id
    }

    fn described(&mut self, value: Value<'c>) -> Buffer {
        let view = value.defining_op().and_then(|op| loop_op::BufferView::of(op).ok());
        let ty = value.ty();
        let (dims, element) = ty.shaped().unwrap_or_else(|| (vec![], ty));
        // The sizes in a buffer's type are not counted as used by the nest that uses the buffer.
        let met = self.met.len();
        let dynamic = match &view {
            Some(view) => self.exprs(&view.dynamic_dims, &[], &view.sizes),
            None => vec![],
        };
        self.met.truncate(met);
        let mut dynamic = dynamic.into_iter();
        let size = |dim: &Option<i64>| match dim {
            Some(size) => Some(Expr::Constant(*size)),
            None => dynamic.next(),
        };
        let is_own = view.is_some();
        let shape: Vec<Option<Expr>> = dims.iter().map(size).collect();
        let room = view.as_ref().map(|view| view.room()).unwrap_or_default();
        let dims: Option<Vec<Expr>> = shape.iter().cloned().collect();
        let allocated = match dims.filter(|_| !room.is_none()) {
            Some(dims) => room.allocated(&dims).into_iter().map(Some).collect(),
            None => shape.clone(),
        };
        Buffer {
            name: buffer_name(value),
            scope: view.map(|buffer| buffer.scope),
            allocated,
            room,
            shape,
            element_bytes: bytes_of(element),
            // Many nests may use an argument. Of a part of the function, only its own uses are looked at.
            escapes: (is_own || !self.is_part)
                && value.uses().iter().any(|(op, _)| !is_access(*op, is_own)),
            is_float: matches!(element.kind(), TypeKind::Float(_)),
            has_lifted_transforms: has_lifted_transforms(value),
            is_between_groups: function_of(value).is_some_and(|op| op.attribute(GROUP).is_some()),
        }
    }

    /// Sets dynamic dimensions of arguments that are sizes of the function.
    pub(super) fn name_dimensions(&mut self) {
        for (number, size) in self.sizes.iter().enumerate() {
            let Some((buffer, i)) = dimension(*size) else { continue };
            let Some((known, _)) = self.buffers.iter().find(|(_, b)| **b == buffer) else {
                continue;
            };
            if let Some(dim @ None) = self.summary.buffers[known].shape.get_mut(i) {
                *dim = Some(Expr::Symbol(number));
            }
        }
    }

    /// Sets dynamic dimensions of arguments that the function requires to equal an expression over its sizes.
    pub(super) fn equate_dimensions(&mut self, function: Op<'c>) -> Result<(), Error<'c>> {
        let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
        let open = |(id, value): (BufferId, &Value<'c>)| {
            let is_open = self.summary.buffers[id].shape.iter().any(Option::is_none);
            (is_open && value.defining_op().is_none()).then_some((id, value.index()))
        };
        let open: Vec<(BufferId, usize)> = self.buffers.iter().filter_map(open).collect();
        if open.is_empty() || function.attribute(requirement::ATTRIBUTE).is_none() {
            return Ok(());
        }
        let Requirements { sizes, all } = Requirements::of(function)?;
        // The number in the summary of a size of the function.
        let number = |size: usize| {
            let is_it = |value: &Value<'c>| match sizes[size] {
                SizeOrigin::Index(i) => *value == arguments[i],
                SizeOrigin::Dim(i, d) => dimension(*value) == Some((arguments[i], d)),
            };
            self.sizes.iter().position(is_it)
        };
        let mut found = vec![];
        for requirement in all.iter().filter(|it| it.given.is_empty()) {
            let Constraint::Zero(expr) = &requirement.condition else { continue };
            for (atom, weight) in Linear::of(expr).terms.iter() {
                let (Expr::Symbol(size), 1 | -1) = (atom, weight) else { continue };
                let SizeOrigin::Dim(argument, d) = sizes[*size] else { continue };
                let buffer = open.iter().find(|(_, it)| *it == argument);
                let rest = expr.clone() - Expr::from(*weight) * atom.clone();
                let rest = (Expr::from(-weight) * rest).simplified();
                let mut are_known = true;
                rest.visit_leaves(&mut |leaf| {
                    are_known &= matches!(leaf, Expr::Symbol(it) if number(*it).is_some());
                });
                if let (Some((id, _)), true) = (buffer, are_known) {
                    let known = |it: usize| number(it).map_or(0.into(), Expr::Symbol);
                    found.push((*id, d, rest.substitute(&Expr::Dim, &known).simplified()));
                }
            }
        }
        for (id, d, size) in found {
            self.summary.buffers[id].shape[d].get_or_insert(size);
        }
        Ok(())
    }

    /// Sets `escapes` of arguments, of which a part of the function does not see all uses.
    pub(super) fn note_escapes(&mut self, focus: &Focus<'c>) {
        for (id, value) in self.buffers.iter().filter(|(_, value)| value.defining_op().is_none()) {
            let escapes = focus.escapes(*value, &self.nests);
            // The former summary shares the buffers: only what differs is written.
            if self.summary.buffers[id].escapes != escapes {
                self.summary.buffers[id].escapes = escapes;
            }
        }
    }
}

/// True if an op that uses a buffer accesses it as a summary states.
fn is_access(op: Op, is_own: bool) -> bool {
    match op.name() {
        ScheduleBlock::NAME => true,
        "memref.dim" => !is_own,
        "memref.load" | "memref.store" => parents(op).any(|parent| parent.is(ScheduleBlock::NAME)),
        _ => false,
    }
}

/// The arguments of the function that something other than an access in a nest uses.
pub(super) fn escaping_arguments(nest: Op) -> Vec<Value> {
    let is_argument = |value: &Value| value.defining_op().is_none() && value.ty().is_memref();
    let others = walk(nest).into_iter().filter(|op| !is_access(*op, false));
    others.flat_map(|op| op.operands()).filter(is_argument).collect()
}

fn bytes_of(element: Type) -> Option<i64> {
    match element.kind() {
        TypeKind::Integer(bits) => Some((i64::from(bits) + 7) / 8),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => Some(2),
        TypeKind::Float(FloatKind::F32) => Some(4),
        TypeKind::Float(FloatKind::F64) => Some(8),
        _ => None,
    }
}

/// The function that a value is an argument of.
fn function_of(value: Value) -> Option<Op> {
    value.owner().and_then(Block::parent).filter(|op| op.is("func.func"))
}

/// True for a weight whose transforms are lifted, or an argument that is one in each call.
fn has_lifted_transforms(value: Value) -> bool {
    match (value.defining_op(), function_of(value)) {
        (Some(op), _) => op.attribute(IS_LIFTED).is_some(),
        (None, function) => {
            function.is_some_and(|it| it.argument_attribute(value.index(), IS_LIFTED).is_some())
        }
    }
}
