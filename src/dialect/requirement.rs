//! Requirements on the sizes of a function's arguments, which its callers must meet.
//!
//! ```text
//! func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32> {loop.result = {..}})
//!     attributes {loop.requires = affine_set<()[s0, s1, s2, s3, s4, s5] : (s1 - s2 == 0)>}
//! ```
//! Symbol i is size i of the function: its index arguments, and the dynamic dimensions of its memref arguments, in
//! order. These are also the sizes that compiled code gets. The `loop.result` of an argument states further
//! requirements: its dynamic dimensions have the shape that the attribute gives. A pair of sets in
//! `loop.requires_if = [[#given, #set], ..]` is a requirement for calls that meet the first set.

use super::region::describe_expr_with;
use crate::ir::affine::{Constraint, Expr, IntegerSet, Linear};
use crate::ir::{Attribute, Error, Op, TypeKind};
use std::fmt::Write;

/// The attributes of a function.
pub const ATTRIBUTE: &str = "loop.requires";
/// The attribute of a function that holds its conditional requirements.
pub const CONDITIONAL: &str = "loop.requires_if";

/// The source of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeOrigin {
    /// An index argument.
    Index(usize),
    /// A dynamic dimension of an argument.
    Dim(usize, usize),
}

impl SizeOrigin {
    /// The number of the argument.
    pub fn argument(self) -> usize {
        match self {
            SizeOrigin::Index(argument) | SizeOrigin::Dim(argument, _) => argument,
        }
    }
}

/// A condition on the sizes of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The condition must hold if all of these do.
    pub given: Vec<Constraint>,
    /// The condition.
    pub condition: Constraint,
}

/// The sizes of a function, and the conditions on them. [`Expr::Symbol`] i is size i.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Where each size comes from.
    pub sizes: Vec<SizeOrigin>,
    /// The requirements, in the order of the attributes.
    pub all: Vec<Requirement>,
}

impl Requirements {
    /// The requirements of a function on memrefs and indices.
    ///
    /// # Errors
    /// If an attribute has sets that are not over the sizes of the function.
    pub fn of(function: Op<'_>) -> Result<Requirements, Error<'_>> {
        let mut requirements = Requirements { sizes: sizes(function), all: vec![] };
        let count = requirements.sizes.len();
        let set = |attribute: Attribute| {
            let set = attribute.as_set().filter(|set| set.dims == 0 && set.symbols == count);
            set.map(|set| set.constraints)
        };
        let wrong = |name, found, expected| {
            let sets = format!("of 0 dims and {count} symbols");
            Error::on(function, format!("'{name}' is {found}, expected {expected} {sets}"))
        };
        if let Some(attribute) = function.attribute(ATTRIBUTE) {
            let conditions = set(attribute).ok_or_else(|| wrong(ATTRIBUTE, attribute, "a set"))?;
            conditions.into_iter().for_each(|condition| requirements.add(vec![], condition));
        }
        for result in requirements.shapes_of_results(function) {
            requirements.add(vec![], result);
        }
        if let Some(attribute) = function.attribute(CONDITIONAL) {
            let pair = |pair: Attribute| match pair.as_array()?[..] {
                [given, condition] => Some((set(given)?, set(condition)?)),
                _ => None,
            };
            let pairs: Option<Vec<_>> =
                attribute.as_array().and_then(|all| all.into_iter().map(pair).collect());
            let pairs = pairs.ok_or_else(|| wrong(CONDITIONAL, attribute, "pairs of sets"))?;
            for (given, conditions) in pairs {
                conditions.into_iter().for_each(|one| requirements.add(given.clone(), one));
            }
        }
        Ok(requirements)
    }

    /// Adds a requirement that is not among them.
    pub fn add(&mut self, given: Vec<Constraint>, condition: Constraint) {
        let requirement = Requirement { given, condition };
        if !self.all.contains(&requirement) {
            self.all.push(requirement);
        }
    }

    /// States the requirements as attributes of the function, but for those that its `loop.result`s state.
    pub fn state(&self, function: Op) {
        let (context, symbols) = (function.context(), self.sizes.len());
        let set = |constraints| IntegerSet { dims: 0, symbols, constraints }.to_attribute(context);
        let of_results = self.shapes_of_results(function);
        let stated = self.all.iter().filter(|it| !of_results.contains(&it.condition));
        let (always, others): (Vec<_>, Vec<_>) =
            stated.partition(|requirement| requirement.given.is_empty());
        if !always.is_empty() {
            let conditions = always.into_iter().map(|it| it.condition.clone()).collect();
            function.set_attribute(ATTRIBUTE, set(conditions));
        }
        if !others.is_empty() {
            let pair = |it: &Requirement| {
                let pair = [set(it.given.clone()), set(vec![it.condition.clone()])];
                Attribute::array(context, &pair)
            };
            let pairs: Vec<_> = others.into_iter().map(pair).collect();
            function.set_attribute(CONDITIONAL, Attribute::array(context, &pairs));
        }
    }

    /// The equalities that `loop.result` states.
    fn shapes_of_results(&self, function: Op) -> Vec<Constraint> {
        let mut equalities = vec![];
        let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
        for i in 0..arguments.len() {
            let result = function.argument_attribute(i, "loop.result");
            let shape = result.and_then(|it| it.entry("shape")?.as_map());
            let from = result.and_then(|it| it.entry("from")?.as_array());
            let (Some(shape), Some(from)) = (shape, from) else { continue };
            let size = |s: usize| {
                let place = from[s].as_integers().unwrap_or_default();
                let place: Vec<usize> =
                    place.iter().filter_map(|n| usize::try_from(*n).ok()).collect();
                let (argument, dim) = (place[0], place.get(1).copied());
                let of_type = || arguments[argument].ty().shaped()?.0.get(dim?).copied()?;
                let origin =
                    dim.map_or(SizeOrigin::Index(argument), |d| SizeOrigin::Dim(argument, d));
                of_type()
                    .map_or_else(|| self.symbol(origin).expect("a verified size"), Expr::Constant)
            };
            for (d, expected) in shape.results.iter().enumerate() {
                // Static dimensions are part of the type.
                let Some(found) = self.symbol(SizeOrigin::Dim(i, d)) else { continue };
                let difference = found - expected.substitute(&Expr::Dim, &size);
                equalities.push(Constraint::Zero(difference.simplified()));
            }
        }
        equalities
    }

    /// The symbol of a size.
    pub fn symbol(&self, origin: SizeOrigin) -> Option<Expr> {
        self.sizes.iter().position(|it| *it == origin).map(Expr::Symbol)
    }

    /// The conditions in words, one a line.
    pub fn text(&self) -> String {
        let lines: Vec<_> = self.all.iter().map(|it| self.describe(&it.condition)).collect();
        lines.join("\n")
    }

    /// A condition in words, with `{i}` for the value of size i: "dimension 0 of argument 1 is {2}, expected {1},
    /// dimension 1 of argument 0".
    pub fn describe(&self, condition: &Constraint) -> String {
        let Linear { terms, constant } = Linear::of(condition.expr());
        let subject = match condition {
            Constraint::Zero(_) => terms.iter().rev().find(|(atom, weight)| {
                weight.unsigned_abs() == 1 && matches!(atom, Expr::Symbol(_))
            }),
            Constraint::NonNegative(_) => None,
        };
        let mut text = String::new();
        if let Some((Expr::Symbol(i), weight)) = subject {
            // weight * s_i + rest == 0
            let rest = condition.expr().clone() - Expr::Constant(*weight) * Expr::Symbol(*i);
            let expected = (Expr::Constant(-weight) * rest).simplified();
            let _ = write!(text, "{} is {{{i}}}, expected ", self.name(*i));
            return match expected {
                Expr::Constant(value) => text + &value.to_string(),
                Expr::Symbol(j) => text + &format!("{{{j}}}, {}", self.name(j)),
                expected => text + &self.text_of(&expected) + &self.values(&expected),
            };
        }
        let (mut left, mut right) = (Linear::default(), Linear::default());
        match constant.checked_neg().filter(|_| constant < 0) {
            Some(opposite) => left.constant = opposite,
            None => right.constant = constant,
        }
        for (atom, weight) in terms {
            match weight.checked_neg().filter(|_| weight < 0) {
                Some(opposite) => left.terms.insert(atom, opposite),
                None => right.terms.insert(atom, weight),
            };
        }
        let sign = if matches!(condition, Constraint::Zero(_)) { "==" } else { "<=" };
        let (left, right) = (self.text_of(&left.to_expr()), self.text_of(&right.to_expr()));
        format!("expected {left} {sign} {right}{}", self.values(condition.expr()))
    }

    /// The first condition that does not hold for sizes, in words with their values.
    pub fn unmet(&self, sizes: &[i64]) -> Option<String> {
        let holds = |condition: &Constraint| {
            let value = condition.expr().evaluate(&[], sizes);
            value.is_some_and(|value| match condition {
                Constraint::Zero(_) => value == 0,
                Constraint::NonNegative(_) => value >= 0,
            })
        };
        let is_unmet = |it: &&Requirement| it.given.iter().all(holds) && !holds(&it.condition);
        let unmet = self.all.iter().find(is_unmet)?;
        Some(self.describe_with(&unmet.condition, sizes))
    }

    fn describe_with(&self, condition: &Constraint, sizes: &[i64]) -> String {
        let with = |text: String, (i, size): (usize, &i64)| {
            text.replace(&format!("{{{i}}}"), &size.to_string())
        };
        sizes.iter().enumerate().fold(self.describe(condition), with)
    }

    fn text_of(&self, expr: &Expr) -> String {
        describe_expr_with(expr, &|leaf| match leaf {
            Expr::Symbol(i) => self.name(*i),
            other => format!("{other:?}"),
        })
    }

    /// ", where dimension 0 of argument 1 is {2}"
    fn values(&self, expr: &Expr) -> String {
        let mut used = vec![];
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(i) = leaf
                && !used.contains(i)
            {
                used.push(*i);
            }
        });
        let values: Vec<_> = used.iter().map(|i| format!("{} is {{{i}}}", self.name(*i))).collect();
        if values.is_empty() { String::new() } else { format!(", where {}", values.join(" and ")) }
    }

    fn name(&self, size: usize) -> String {
        match self.sizes[size] {
            SizeOrigin::Index(argument) => format!("argument {argument}"),
            SizeOrigin::Dim(argument, dim) => format!("dimension {dim} of argument {argument}"),
        }
    }
}

/// The index arguments, and the dynamic dimensions of memref arguments, in order.
fn sizes(function: Op) -> Vec<SizeOrigin> {
    let mut sizes = vec![];
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    for (i, argument) in arguments.iter().enumerate() {
        match argument.ty().kind() {
            TypeKind::MemRef { dims, .. } => {
                let dynamic = (0..dims.len()).filter(|d| dims[*d].is_none());
                sizes.extend(dynamic.map(|d| SizeOrigin::Dim(i, d)));
            }
            _ => sizes.push(SizeOrigin::Index(i)),
        }
    }
    sizes
}
