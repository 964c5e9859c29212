//! Precision test: spans of a family of expressions, compared with all values. None may be wrong. How many spans are
//! found, and how tight they are, is recorded here, and may only improve, by new figures.

use super::*;
use std::collections::HashSet;

/// Variable 0 is fixed; 1 and 2 run. The extent of 2 is a size.
const EXTENTS: [i64; 2] = [5, 6];
const SIZES: [i64; 4] = [1, 2, 3, 4];

fn extents(v: usize) -> Vec<Expr> {
    vec![EXTENTS.get(v).map_or(Expr::Symbol(0), |extent| (*extent).into())]
}

fn inside(v: usize) -> bool {
    v > 0
}

fn d(v: usize) -> Expr {
    Expr::Dim(v)
}

fn n() -> Expr {
    Expr::Symbol(0)
}

fn ceil_div(x: Expr, by: Expr) -> Expr {
    Expr::binary(BinaryKind::CeilDiv, x, by)
}

/// Parts of variables and of sums of them.
fn atoms() -> Vec<Expr> {
    let mut atoms = vec![d(0), d(1), d(2)];
    for v in [1, 2] {
        atoms.extend([d(v).modulo(3.into()), d(v).floor_div(3.into()), d(v).modulo(2.into())]);
        atoms.push(d(v).floor_div(2.into()));
        atoms.push((d(v) + 3.into()).modulo(8.into()));
        atoms.push(ceil_div(d(v), 2.into()));
        atoms.push(d(v).floor_div(2.into()).modulo(3.into()));
        atoms.push(d(v).modulo(4.into()).floor_div(2.into()));
        atoms.push(d(v) * n());
    }
    let sum = || d(1) + d(0) * 6.into();
    atoms.extend([sum().floor_div(3.into()), sum().modulo(12.into()), sum().modulo(3.into())]);
    atoms.extend([d(1).modulo(n()), d(1).floor_div(n()), ceil_div(d(1), n()), d(2).modulo(n())]);
    atoms.extend([d(0) * d(1), d(1) * d(2) * n(), (d(1) - 2.into()).modulo(4.into()) * n()]);
    atoms.extend([ceil_div(d(1), d(0) + 2.into()), n() * (d(1) - 3.into()).floor_div(2.into())]);
    atoms.extend([d(1) * d(2), (d(1) + d(2)).floor_div(2.into()), (d(2) + n()).modulo(n())]);
    atoms
}

/// All values of the variables that run, for a size.
fn points(at: i64, size: i64) -> Vec<[i64; 3]> {
    (0..EXTENTS[1]).flat_map(|a| (0..size).map(move |b| [at, a, b])).collect()
}

fn values(expr: &Expr, at: i64, size: i64) -> HashSet<i64> {
    let value = |point: &[i64; 3]| expr.evaluate(point, &[size]).expect("small");
    points(at, size).iter().map(value).collect()
}

/// The first and the last point of a span.
fn ends(span: &IntegerSpan, at: i64, size: i64) -> (i64, i64) {
    let value = |expr: &Expr| expr.evaluate(&[at], &[size]).expect("nothing that runs");
    (value(&span.low), value(&span.low) + value(&span.width))
}

/// How much wider a span is than necessary.
fn slack(span: &IntegerSpan, values: &dyn Fn(i64, i64) -> HashSet<i64>) -> i64 {
    let mut slack = 0;
    for (at, size) in [0, 3].iter().flat_map(|at| SIZES.map(|size| (*at, size))) {
        let (low, high) = ends(span, at, size);
        let values = values(at, size);
        let (first, last) = (values.iter().min(), values.iter().max());
        let (first, last) = (*first.expect("values"), *last.expect("values"));
        assert!(low <= first && last <= high, "{span:?}: {first} to {last}");
        slack += first - low + high - last;
    }
    slack
}

/// Sums of one or two parts.
fn sums() -> Vec<Expr> {
    let atoms = atoms();
    let mut sums: Vec<Expr> = vec![];
    for (i, first) in atoms.iter().enumerate() {
        for (weight, second) in [(1, i + 1), (3, i + 2), (-1, i + 3), (-2, i + 7), (6, i + 11)] {
            let second = atoms[second % atoms.len()].clone();
            sums.push((first.clone() + second * weight.into()).simplified());
            sums.push((first.clone() * weight.into() + (i as i64 - 9).into()).simplified());
        }
    }
    sums
}

#[test]
fn hulls_are_tight() {
    let (mut found, mut total) = (0, 0);
    for sum in sums() {
        if let Some(span) = hull(&sum, &inside, &extents) {
            found += 1;
            total += slack(&span, &|at, size| values(&sum, at, size));
        }
    }
    assert_eq!((found, total), (304, 4372), "hulls, and by how much they are too wide");
}

#[test]
fn joins_are_tight() {
    let (mut found, mut total) = (0, 0);
    let sums = sums();
    for (i, first) in sums.iter().enumerate() {
        for second in [&sums[(i + 1) % sums.len()], &sums[(i + 10) % sums.len()]] {
            let spans = [first, second].map(|sum| hull(sum, &inside, &extents));
            let [Some(one), Some(other)] = &spans else { continue };
            if let Some(span) = join(one, other, &extents) {
                found += 1;
                let both = |at, size| &values(first, at, size) | &values(second, at, size);
                total += slack(&span, &both);
            }
        }
    }
    assert_eq!((found, total), (205, 3292), "spans of both, and by how much they are too wide");
}

/// All points of the spans are taken, whatever values the other expressions have.
#[test]
fn much_is_taken() {
    let (mut found, mut many) = (0, 0);
    let sums = sums();
    for (i, first) in sums.iter().enumerate() {
        for second in [&sums[(i + 1) % sums.len()], &sums[(i + 10) % sums.len()], first] {
            let both = [first.clone(), second.clone()];
            let spans = taken(&both, &inside, &extents);
            let known: Vec<usize> = (0..2).filter(|i| spans[*i].is_some()).collect();
            found += known.len();
            for (at, size) in [0, 3].iter().flat_map(|at| SIZES.map(|size| (*at, size))) {
                let value = |i: &usize, point| both[*i].evaluate(point, &[size]).expect("small");
                let values: HashSet<Vec<i64>> = points(at, size)
                    .iter()
                    .map(|point| known.iter().map(|i| value(i, point)).collect())
                    .collect();
                let mut wanted: Vec<Vec<i64>> = vec![vec![]];
                for i in &known {
                    let (low, high) = ends(spans[*i].as_ref().expect("known"), at, size);
                    wanted = wanted
                        .into_iter()
                        .flat_map(|p| (low..=high).map(move |v| [&p[..], &[v]].concat()))
                        .collect();
                }
                many += wanted.len();
                for point in wanted {
                    assert!(values.contains(&point), "{both:?}: {spans:?} has {point:?}");
                }
            }
        }
    }
    assert_eq!((found, many), (62, 9516), "spans, and their points");
}

#[test]
fn much_is_never_negative() {
    let (mut proved, mut all) = (0, 0);
    for sum in sums() {
        for constant in -3..12 {
            let expr = sum.clone() + Expr::Constant(constant);
            let least = |at: i64| SIZES.map(|size| values(&expr, at, size)).into_iter().flatten();
            let is_so = (0..EXTENTS[0]).flat_map(least).all(|value| value >= 0);
            let is_proved = never_negative(&expr, &extents);
            assert!(is_so || !is_proved, "{expr:?}");
            proved += usize::from(is_proved);
            all += usize::from(is_so);
        }
    }
    assert_eq!((proved, all), (3090, 3832), "proved, and so");
}
