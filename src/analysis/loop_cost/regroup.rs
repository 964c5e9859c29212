//! Replaces the variables that are the digits of one number by a single variable.
//!
//! ```text
//! f.0 in n * m ceildiv 8, f.1 in 8, 8 * f.0 + f.1 < n * m; (8 * f.0 + f.1) floordiv m
//!   ->  f in n * m; f floordiv m
//! ```
//!
//! (C1) The conditions on the variables are on one sum, which takes each value from 0 on exactly once.
//! (C2) The variables occur only in that sum.

use super::count::{DenseSum, linear_form};
use super::space::{Component, Normal, mentions};
use crate::ir::affine::{Constraint, Expr};

/// Replaces some variables by one, if possible. Returns true if so.
pub fn regroup(normal: &mut Normal) -> bool {
    let done = normal.components().iter().find_map(|component| regrouped(normal, component));
    done.map(|done| *normal = done).is_some()
}

fn regrouped(normal: &Normal, component: &Component) -> Option<Normal> {
    let is_linear = |c: &Constraint| linear_form(c.expr()).is_some();
    let conditions: Vec<Constraint> =
        component.conditions.iter().filter(|c| is_linear(c)).cloned().collect();
    if component.variables.len() < 2 || conditions.is_empty() {
        return None;
    }
    // (C1)
    let digits = DenseSum::of(
        normal,
        &Component {
            variables: component.variables.clone(),
            conditions: conditions.clone(),
            excluded: vec![],
        },
    )?;
    let cap = digits.end.as_expr().filter(|_| digits.low.constant() == Some(0))?;
    let mut sum = Expr::Constant(0);
    for (v, coefficient) in &digits.form {
        sum = sum + Expr::Dim(*v) * coefficient.as_expr()?;
    }

    let mut done = normal.clone();
    let new = done.extents.len();
    done.conditions.retain(|c| !conditions.contains(c));
    for v in &component.variables {
        done.extents[*v].clear();
    }
    done.substitute(&|expr| grouped(expr, &digits, &sum, new));
    // (C2)
    let is_left = |expr: &Expr| component.variables.iter().any(|v| mentions(expr, *v));
    if done.expressions().any(is_left) || done.extents.iter().flatten().any(is_left) {
        return None;
    }
    done.extents.push(vec![cap.clone()]);
    done.caps.push(Some(cap));
    let first = done.order.iter().position(|v| component.variables.contains(v))?;
    done.order[first] = new;
    done.order.retain(|v| !component.variables.contains(v));
    Some(done)
}

/// An expression in which the new variable replaces the sum.
fn grouped(expr: &Expr, digits: &DenseSum, sum: &Expr, new: usize) -> Expr {
    let Expr::Binary(kind, left, right) = expr else { return expr.clone() };
    let has_sum = linear_form(expr).is_some_and(|(mut form, _)| {
        form.retain(|v, _| digits.form.contains_key(v));
        form == digits.form
    });
    if has_sum {
        return (expr.clone() - sum.clone() + Expr::Dim(new)).simplified();
    }
    let part = |side: &Expr| grouped(side, digits, sum, new);
    Expr::binary(*kind, part(left), part(right))
}
