//! The rounding tolerance of a function's results after a pass.
//!
//! | | bound |
//! |---|---|
//! | strict, and none of the following | bitwise equal |
//! | `loop.fp` is `reassoc` or `fast` | [`Tolerance`] of the lengths of its sums |
//! | the pass has replaced ops that have no exactly defined result | a few units in the last place |
//!
//! Ops without an exactly defined result are those of math whose rounding is up to the implementation (exp, tanh, ..),
//! and ops that combine several operations: those of the graph dialect, and `linalg.softmax`. All bounds are distances
//! from the results before the first pass, so the errors of several passes do not add up.

use crate::dialect::contract::Contract;
use crate::ir::{IteratorKind, Op, Structured, TypeKind, walk};
use crate::nest::facts::tolerance;
use crate::nest::facts::tolerance::Tolerance;
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::verify::sizes::{ArgumentKind, RunShape};

/// The error of an expansion is at most that of a sum of so many terms.
const EXPANSION_TERMS: u64 = 12;

/// The math ops whose results are exact or correctly rounded.
const EXACT: &[&str] = &[
    "absf",
    "absi",
    "ceil",
    "clampf",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "floor",
    "fma",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "round",
    "roundeven",
    "sqrt",
    "trunc",
];

/// The number of ops in these functions whose results are not exactly defined.
pub fn inexact(functions: &[Op]) -> usize {
    let is_inexact = |op: &Op| match op.name().split_once('.') {
        Some(("math", name)) => !EXACT.contains(&name),
        _ => combines_operations(*op) || op.is("linalg.softmax"),
    };
    functions.iter().flat_map(|function| walk(*function)).filter(is_inexact).count()
}

/// True for ops of the graph dialect that compute.
fn combines_operations(op: Op) -> bool {
    let name = op.name().strip_prefix("graph.");
    name.is_some_and(|name| !matches!(name, "constant" | "fusion" | "yield" | "yield_store"))
}

/// The operations of a function whose rounding a contract may change.
#[derive(Clone, Copy)]
pub struct RoundedOps {
    /// The total number of terms of its sums.
    terms: u64,
    /// The number of its products, each of which may be contracted with a sum, and of its quotients, which may become products.
    products: u64,
    /// True if it computes means.
    means: bool,
}

impl RoundedOps {
    /// The sums of a function for arguments of these sizes.
    pub fn of(function: Op, shape: &RunShape) -> RoundedOps {
        let mut means = false;
        let terms = match State::new(function, Box::new(Direct)) {
            Ok(state) if state.summary().blocks().next().is_some() => {
                let mut summary = state.summary().clone();
                summary.contract = Contract::Reassoc;
                match tolerance::tolerance_for(&summary, &|size| shape.sizes.get(size).copied()) {
                    Tolerance::Bitwise => 0,
                    Tolerance::Reassociated { terms } => terms,
                    Tolerance::Means { terms } => {
                        means = true;
                        terms
                    }
                }
            }
            _ => summed(function, shape),
        };
        let products = walk(function)
            .iter()
            .filter(|op| matches!(op.name(), "arith.mulf" | "arith.divf"))
            .count() as u64;
        RoundedOps { terms, products, means }
    }

    /// The tolerance of results under the function's current contract. `replaced`: the pass has
    /// replaced ops that have no exactly defined result.
    pub fn tolerance(self, function: Op, replaced: bool) -> Tolerance {
        let terms = match Contract::of(function).unwrap_or_default() {
            Contract::Strict => 0,
            Contract::Reassoc => self.terms,
            // Rounding once instead of twice, or twice instead of once, differs by one rounding error.
            Contract::Fast => self.terms.saturating_add(self.products),
        };
        match terms.saturating_add(if replaced { EXPANSION_TERMS } else { 0 }) {
            0 => Tolerance::Bitwise,
            terms if self.means => Tolerance::Means { terms },
            terms => Tolerance::Reassociated { terms },
        }
    }
}

/// The total length of the sums of a function that has no schedule blocks.
fn summed(function: Op, shape: &RunShape) -> u64 {
    let largest = |sizes: &[usize]| sizes.iter().copied().max().unwrap_or(1) as u64;
    let of_arguments = shape.arguments.iter().map(|argument| match &argument.kind {
        ArgumentKind::Buffer(_, sizes) | ArgumentKind::Tensor(_, sizes) => largest(sizes),
        ArgumentKind::Index(value) => u64::try_from(*value).unwrap_or(0),
        ArgumentKind::Number(_) => 1,
    });
    let largest = of_arguments.max().unwrap_or(1).max(1);
    let (mut total, mut others) = (0u64, 0);
    for op in walk(function) {
        let Some(form) = Structured::of(op) else {
            let adds = ["arith.addf", "math.fma", "vector.fma", "vector.reduction"];
            others += u64::from(adds.contains(&op.name()) || combines_operations(op));
            continue;
        };
        let mut length = 1u64;
        for (d, kind) in form.iterators.iter().enumerate() {
            if *kind != IteratorKind::Parallel {
                length = length.saturating_mul(range(op, &form, d).unwrap_or(largest));
            }
        }
        total = total.saturating_add(length);
    }
    // Loops and graph ops do not show what they sum, so each op that adds counts as a sum.
    total.saturating_add(largest.saturating_mul(others))
}

/// The extent of a loop of a structured op, if a type states it.
fn range(op: Op, form: &Structured, d: usize) -> Option<u64> {
    op.operands().iter().zip(&form.maps).find_map(|(value, map)| {
        let place =
            map.results.iter().position(|result| *result == crate::ir::affine::Expr::Dim(d))?;
        match value.ty().kind() {
            TypeKind::Tensor { .. } | TypeKind::MemRef { .. } => {
                u64::try_from(value.ty().shaped()?.0.get(place).copied()??).ok()
            }
            _ => None,
        }
    })
}
