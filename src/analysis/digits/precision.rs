//! Precision test: what a family of bindings determines, compared with all values. No answer may be wrong. The number
//! of proofs is recorded here, and may only increase, by new figures.

use super::*;
use std::collections::HashMap;

/// The extent of variable 2 is a size.
const EXTENTS: [i64; 2] = [6, 5];
const SIZES: [i64; 3] = [1, 3, 4];

struct LoopExtents;

impl Variables for LoopExtents {
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
        let Expr::Dim(i) = variable else { return None };
        EXTENTS.get(*i).map(|extent| (0, extent - 1))
    }

    fn extent(&self, variable: usize) -> Option<Expr> {
        Some(EXTENTS.get(variable).map_or(Expr::Symbol(0), |extent| (*extent).into()))
    }
}

fn d(v: usize) -> Expr {
    Expr::Dim(v)
}

fn n() -> Expr {
    Expr::Symbol(0)
}

fn exprs() -> Vec<Expr> {
    let mut exprs = vec![];
    for v in 0..3 {
        let other = d((v + 1) % 3);
        let by = |k: i64| Expr::Constant(k);
        exprs.extend([d(v), d(v).modulo(by(2)), d(v).modulo(by(3)), d(v).floor_div(by(2))]);
        exprs.extend([d(v).floor_div(by(3)), d(v).floor_div(by(2)).modulo(by(3))]);
        exprs.extend([d(v).modulo(by(4)).floor_div(by(2)), d(v).modulo(n()), d(v).floor_div(n())]);
        exprs.extend([d(v) * by(6) + other.clone(), d(v) * by(5) + other.clone()]);
        exprs.extend([d(v) * n() + other.clone(), d(v) * by(4) + other.clone()]);
        exprs.extend([d(v).modulo(by(3)) * by(2) + other.clone().modulo(by(2))]);
        exprs.extend([d(v) * by(12) + other.clone() * by(2) + d((v + 2) % 3)]);
        exprs.extend([d(v).floor_div(by(2)) * by(10) + d(v).modulo(by(2)) * by(5) + other.clone()]);
        exprs.extend([d(v) * by(-7) + other.clone(), d(v) * by(2) - other.clone()]);
        let sum = || d(v) * by(5) + other.clone();
        exprs.extend([sum().floor_div(by(4)), sum().modulo(by(4)), sum().modulo(by(40))]);
        exprs.push(sum().floor_div(by(4)).modulo(by(8)));
        let digit = || d(v).floor_div(by(2)).modulo(by(6));
        exprs.extend([digit().floor_div(by(3)), digit().floor_div(by(4)), digit().modulo(by(3))]);
        exprs.push(
            digit().floor_div(by(3)) * by(6) + digit().modulo(by(3)) * by(2) + d(v).modulo(by(2)),
        );
        exprs.push(d(v) * n() * by(2) + other.clone().modulo(by(2)) * n() + d(2).modulo(n()));
        exprs.push(d(v) * other.clone());
    }
    exprs.iter().map(Expr::simplified).collect()
}

/// Conditions of which each holds at some points.
fn conditions() -> Vec<Vec<Constraint>> {
    let at_most = |expr: Expr, limit: i64| {
        Constraint::NonNegative((Expr::Constant(limit) - expr).simplified())
    };
    vec![
        vec![],
        vec![at_most(d(0) * 5.into() + d(1), 17)],
        vec![at_most(d(0) + d(1), 4)],
        vec![at_most(d(1), 3), at_most(d(0) * 2.into() + d(1), 8)],
        vec![Constraint::Zero(d(0) - d(1))],
    ]
}

#[test]
fn much_is_told() {
    let exprs = exprs();
    let (mut injective, mut all) = (0, 0);
    for (i, first) in exprs.iter().enumerate() {
        for step in [0, 1, 3, 7, 24, 30] {
            let both = [first.clone(), exprs[(i + step) % exprs.len()].clone()];
            let both = if step == 0 { &both[..1] } else { &both[..] };
            for (conditions, v) in conditions().iter().flat_map(|c| (0..3).map(move |v| (c, v))) {
                let is_injective = determines(both, v, &LoopExtents, conditions);
                let is_so = SIZES.iter().all(|size| are_told(both, v, *size, conditions));
                assert!(is_so || !is_injective, "{both:?} do not tell {v} where {conditions:?}");
                injective += usize::from(is_injective);
                all += usize::from(is_so);
            }
        }
    }
    assert_eq!((injective, all), (1302, 3174), "injective, and so");
}

/// True if no two points with the same values differ in a variable.
fn are_told(exprs: &[Expr], v: usize, size: i64, conditions: &[Constraint]) -> bool {
    let mut seen = HashMap::new();
    for (a, b, c) in (0..EXTENTS[0])
        .flat_map(|a| (0..EXTENTS[1]).flat_map(move |b| (0..size).map(move |c| (a, b, c))))
    {
        let point = [a, b, c];
        let holds = conditions.iter().all(|condition| {
            let value = condition.expr().evaluate(&point, &[size]).expect("small");
            match condition {
                Constraint::Zero(_) => value == 0,
                Constraint::NonNegative(_) => value >= 0,
            }
        });
        let values: Vec<_> = exprs.iter().map(|e| e.evaluate(&point, &[size])).collect();
        if holds && *seen.entry(values).or_insert(point[v]) != point[v] {
            return false;
        }
    }
    true
}
