//! Chooses the sizes of arguments to run a function with.
//!
//! Sizes that must be equal form a class, and each class takes the [candidate](candidates) sizes. Which sizes must be
//! equal follows from the schedule blocks of a function ([`nest`]), or from the ops of a function in any other form
//! ([`equal_dimensions`]).

mod equal_dimensions;
pub mod nest;

use crate::interpreter::scalar::ScalarType;
use crate::ir::{Attribute, Op, Type, TypeKind};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use std::collections::BTreeSet;
use std::fmt;

/// The maximal number of shapes that are tried.
const MAX_SHAPES: usize = 48;

/// Factors above this would make the interpreter's runs too large, so they are ignored.
const MAX_FACTOR: i64 = 64;

/// The arguments of a run: name, type and sizes. An index argument has a value instead of sizes; other
/// scalars have neither.
#[derive(Clone, Debug)]
pub struct RunShape {
    /// The arguments, in order.
    pub arguments: Vec<Sized>,
    /// Values of the summary's sizes; without schedule blocks, of the classes of sizes.
    pub sizes: Vec<i64>,
    /// The function has dynamic sizes, so there are other shapes.
    pub is_dynamic: bool,
    /// The approximate number of block instances that run; without schedule blocks, the number of elements.
    pub work: u64,
}

/// An argument with its sizes.
#[derive(Clone, Debug)]
pub struct Sized {
    /// The name in messages, such as `%A`.
    pub name: String,
    /// The type, with the sizes or the value.
    pub kind: ArgumentKind,
}

/// The type of an argument, with its sizes or its value.
#[derive(Clone, Debug)]
pub enum ArgumentKind {
    /// A memref: the element type and the sizes.
    Buffer(ScalarType, Vec<usize>),
    /// A tensor: the element type and the sizes.
    Tensor(ScalarType, Vec<usize>),
    /// An index: its value.
    Index(i64),
    /// Any other scalar: its type.
    Number(ScalarType),
}

impl fmt::Display for RunShape {
    /// `A 3x5, B 5, n = 7`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = |this: &Sized| match &this.kind {
            ArgumentKind::Buffer(_, sizes) | ArgumentKind::Tensor(_, sizes)
                if !sizes.is_empty() =>
            {
                let sizes: Vec<_> = sizes.iter().map(usize::to_string).collect();
                Some(format!("{} {}", this.name, sizes.join("x")))
            }
            ArgumentKind::Index(value) => Some(format!("{} = {value}", this.name)),
            ArgumentKind::Buffer(..) | ArgumentKind::Tensor(..) | ArgumentKind::Number(_) => None,
        };
        let all: Vec<_> = self.arguments.iter().filter_map(text).collect();
        f.write_str(if all.is_empty() { "none" } else { "" })?;
        f.write_str(&all.join(", "))
    }
}

/// The shapes to try, small ones first. The error states why there are none.
pub fn shapes(function: Op, factors: &[i64]) -> Result<Vec<RunShape>, String> {
    if let Ok(state) = State::new(function, Box::new(Direct))
        && state.summary().blocks().next().is_some()
        && let Ok(shapes) = nest::shapes(&state, factors)
    {
        return Ok(shapes);
    }
    equal_dimensions::shapes(function, factors)
}

/// A size of an argument that its type leaves open: a dynamic dimension, or without a dimension the value of an index.
type SizeSlot = (usize, Option<usize>);

/// The open sizes of argument `i`, whose type is `ty`.
fn open_sizes(i: usize, ty: Type) -> Vec<SizeSlot> {
    match ty.shaped() {
        Some((dims, _)) => {
            (0..dims.len()).filter(|d| dims[*d].is_none()).map(|d| (i, Some(d))).collect()
        }
        None if ty.kind() == TypeKind::Index => vec![(i, None)],
        None => vec![],
    }
}

/// The arguments of a function with these open sizes. The error names an argument whose type the interpreter does not
/// support.
fn sized(
    function: Op,
    types: &[Type],
    mut size_of: impl FnMut(SizeSlot) -> i64,
) -> Result<Vec<Sized>, String> {
    let sized = |(i, ty): (usize, &Type)| {
        let kind = ArgumentKind::of(*ty, |d| size_of((i, d)));
        let kind = kind.ok_or_else(|| unsupported(i, *ty))?;
        Ok(Sized { name: argument_name(function, i), kind })
    };
    types.iter().enumerate().map(sized).collect()
}

fn unsupported(i: usize, ty: Type) -> String {
    format!("argument {i} has the type {ty}")
}

impl ArgumentKind {
    /// An argument of this type. `size_of` states a dynamic dimension, or without a dimension the value of an index.
    /// `None` if the interpreter does not support the type.
    fn of(ty: Type, mut size_of: impl FnMut(Option<usize>) -> i64) -> Option<ArgumentKind> {
        if ty.kind() == TypeKind::Index {
            return Some(ArgumentKind::Index(size_of(None)));
        }
        let Some((dims, element)) = ty.shaped() else {
            return Some(ArgumentKind::Number(ScalarType::of(ty)?));
        };
        let size = |(d, dim): (usize, &Option<i64>)| {
            usize::try_from(dim.unwrap_or_else(|| size_of(Some(d)))).ok()
        };
        let sizes = dims.iter().enumerate().map(size).collect::<Option<_>>()?;
        let element = ScalarType::of(element)?;
        match ty.kind() {
            TypeKind::MemRef { .. } => Some(ArgumentKind::Buffer(element, sizes)),
            TypeKind::Tensor { .. } => Some(ArgumentKind::Tensor(element, sizes)),
            _ => None,
        }
    }

    /// The number of elements.
    fn cells(&self) -> usize {
        match self {
            ArgumentKind::Buffer(_, sizes) | ArgumentKind::Tensor(_, sizes) => {
                sizes.iter().product()
            }
            ArgumentKind::Index(value) => usize::try_from(*value).unwrap_or(0),
            ArgumentKind::Number(_) => 1,
        }
    }
}

/// The number of elements of all arguments; an index counts as its value.
pub fn cells(arguments: &[Sized]) -> usize {
    arguments.iter().map(|argument| argument.kind.cells()).sum()
}

/// The shapes for the candidate sizes of `classes` classes, those with little work first.
fn assigned(
    classes: usize,
    factors: &[i64],
    shape: impl FnMut(Vec<i64>) -> Result<RunShape, String>,
) -> Result<Vec<RunShape>, String> {
    let all = combinations(classes, &candidates(factors));
    let mut shapes = all.into_iter().map(shape).collect::<Result<Vec<_>, _>>()?;
    shapes.sort_by_cached_key(|shape| (shape.work, shape.to_string()));
    Ok(shapes)
}

/// Candidate sizes: 0, 1, small primes, and the neighbours of factors.
fn candidates(factors: &[i64]) -> Vec<i64> {
    let mut sizes = BTreeSet::from([0, 1, 2, 3, 5, 7]);
    for factor in factors.iter().filter(|factor| (2..=MAX_FACTOR).contains(*factor)) {
        sizes.extend([factor - 1, *factor, factor + 1]);
    }
    sizes.into_iter().collect()
}

/// Assigns sizes to `n` classes: equal sizes first, then different ones.
fn combinations(n: usize, sizes: &[i64]) -> Vec<Vec<i64>> {
    if n == 0 {
        return vec![vec![]];
    }
    let mut found: Vec<Vec<i64>> = vec![];
    for turn in 0..sizes.len() {
        for i in 0..sizes.len() {
            // Class j is `turn * j` positions further, so each turn combines the sizes differently.
            let values: Vec<i64> = (0..n).map(|j| sizes[(i + turn * j) % sizes.len()]).collect();
            if !found.contains(&values) && found.len() < MAX_SHAPES {
                found.push(values);
            }
        }
    }
    found
}

/// The name of an argument in messages.
pub fn argument_name(function: Op, i: usize) -> String {
    function
        .argument_attribute(i, "loop.name")
        .and_then(Attribute::as_str)
        .map_or_else(|| format!("arg{i}"), str::to_owned)
}
