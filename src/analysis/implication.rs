//! Implication between conditions on sizes: what follows from expressions that are 0 or more.
//!
//! ```text
//! n - 8 >= 0, m - n >= 0    =>    m - 4 >= 0      m - 4 = (m - n) + (n - 8) + 4
//! ```

use crate::ir::affine::{Expr, Linear};

/// The most facts that one conclusion uses.
const MOST_FACTS: usize = 4;

/// True if it is found that an expression is 0 or more, because a sum of `facts`, which are 0 or more, leaves a rest that
/// is, as `is_not_negative` decides. Each fact is used once, with a positive factor.
pub fn follows(expr: &Expr, facts: &[Expr], is_not_negative: &dyn Fn(&Expr) -> bool) -> bool {
    follows_from(expr, &facts.iter().collect::<Vec<_>>(), MOST_FACTS, is_not_negative)
}

fn follows_from(
    expr: &Expr,
    facts: &[&Expr],
    most: usize,
    is_not_negative: &dyn Fn(&Expr) -> bool,
) -> bool {
    if is_not_negative(expr) {
        return true;
    }
    most > 0
        && facts.iter().enumerate().any(|(i, fact)| {
            let Some(factor) = common_factor(expr, fact) else { return false };
            let rest = (expr.clone() - Expr::Constant(factor) * (*fact).clone()).simplified();
            let others = [&facts[..i], &facts[i + 1..]].concat();
            follows_from(&rest, &others, most - 1, is_not_negative)
        })
}

/// The positive number of times that a fact has to be subtracted so that a term of the expression vanishes.
fn common_factor(expr: &Expr, fact: &Expr) -> Option<i64> {
    let (of_expr, of_fact) = (Linear::of(expr), Linear::of(fact));
    of_expr.terms.iter().find_map(|(atom, factor)| {
        let of_fact = of_fact.terms.get(atom)?;
        let factor = factor.checked_div(*of_fact).filter(|times| times * of_fact == *factor)?;
        (factor > 0).then_some(factor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(i: usize) -> Expr {
        Expr::Symbol(i)
    }

    fn is_constant(expr: &Expr) -> bool {
        expr.constant().is_some_and(|value| value >= 0)
    }

    #[test]
    fn a_chain_of_facts_is_followed() {
        let facts = [size(0) - 8.into(), size(1) - size(0)];
        assert!(follows(&(size(1) - 4.into()), &facts, &is_constant));
        assert!(follows(&(Expr::Constant(2) * size(1) - 16.into()), &facts, &is_constant));
        assert!(follows(&(size(0) - 8.into()), &facts, &is_constant));
        assert!(!follows(&(size(1) - 9.into()), &facts, &is_constant));
        assert!(!follows(&(size(0) - size(1)), &facts, &is_constant));
    }

    #[test]
    fn a_fact_is_used_with_a_factor() {
        let facts = [size(0) - 3.into()];
        assert!(follows(&(Expr::Constant(2) * size(0) - 6.into()), &facts, &is_constant));
        assert!(!follows(&(Expr::Constant(2) * size(0) - 7.into()), &facts, &is_constant));
        assert!(!follows(&(Expr::Constant(5) - size(0)), &facts, &is_constant));
    }
}
