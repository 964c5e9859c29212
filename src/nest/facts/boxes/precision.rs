//! Compares ranges of a family of expressions with all their values: no range may be wrong. The number of
//! ranges found and their tightness are recorded here. A change may only improve them, and then updates the
//! figures.

use super::*;

/// Variable 0 is fixed, 1 and 2 run; the extent of 2 is a size.
const EXTENTS: [i64; 2] = [5, 6];
const SIZES: [i64; 4] = [1, 2, 3, 4];

fn motion(variable: VariableId) -> Motion {
    match variable.index() {
        0 => Motion::Still,
        1 => Motion::Runs(EXTENTS[1].into()),
        2 => Motion::Runs(n()),
        _ => Motion::Unknown,
    }
}

fn d(v: usize) -> Expr {
    Expr::Dim(v)
}

fn n() -> Expr {
    Expr::Symbol(0)
}

fn atoms() -> Vec<Expr> {
    let mut atoms = vec![d(0), d(1), d(2), d(3), d(1) * d(2)];
    for v in [1, 2] {
        atoms.extend([d(v).modulo(3.into()), d(v).floor_div(3.into()), d(v).modulo(8.into())]);
        atoms.extend([(d(v) + 3.into()).modulo(8.into()), d(v).modulo(n()), d(v).floor_div(n())]);
        atoms.extend([(d(v) + 6.into()).floor_div(2.into()), (d(v) + 8.into()).modulo(16.into())]);
        atoms.push((d(v) * n() + d(0)).floor_div(n()));
        atoms.push((d(v) * n() * 2.into()).floor_div(n() * 2.into()));
        atoms.push((d(v) * 4.into() + 2.into()).floor_div(2.into()));
        atoms.push(Expr::binary(BinaryKind::CeilDiv, d(v), 2.into()));
        atoms.push(d(v).floor_div(d(0) + 1.into()));
        atoms.push((d(v) * 2.into() + d(0) * 12.into()).floor_div(4.into()));
    }
    atoms
}

fn sums() -> Vec<Expr> {
    let atoms = atoms();
    let mut sums = vec![];
    for (i, first) in atoms.iter().enumerate() {
        sums.push(first.clone() * 2.into() + 1.into());
        for (weight, step) in [(1, 1), (-1, 3), (3, 4), (-2, 9), (5, 17)] {
            let second = atoms[(i + step) % atoms.len()].clone();
            sums.push(first.clone() + second * weight.into() - 4.into());
        }
    }
    sums.iter().map(Expr::simplified).collect()
}

#[test]
fn ranges_are_tight() {
    let (mut found, mut total, mut joined) = (0, 0, 0);
    let mut last: Option<Range> = None;
    for sum in sums() {
        let Some(range) = range(&sum, &motion) else { continue };
        found += 1;
        for (at, size) in [0, 3].iter().flat_map(|at| SIZES.map(|size| (*at, size))) {
            let value = |expr: &Expr| expr.evaluate(&[at], &[size]).expect("nothing that runs");
            let (low, high) = (value(&range.low), value(&range.high));
            assert_eq!(value(&range.extent()), high - low + 1, "{range:?}");
            let points = (0..EXTENTS[1]).flat_map(|a| (0..size).map(move |b| [at, a, b]));
            let values: Vec<i64> =
                points.map(|point| sum.evaluate(&point, &[size]).expect("small")).collect();
            let least = *values.iter().min().expect("values");
            let most = *values.iter().max().expect("values");
            assert!(low <= least && most <= high, "{sum:?}: {range:?}, {least} to {most}");
            total += least - low + high - most;
            if let Some(other) = &last
                && let Some(both) = range.union(other)
            {
                joined += 1;
                assert_eq!(value(&both.low), low.min(value(&other.low)));
                assert_eq!(value(&both.high), high.max(value(&other.high)));
            }
        }
        last = Some(range);
    }
    assert_eq!(
        (found, total, joined),
        (120, 3796, 216),
        "ranges, by how much too wide, and unions"
    );
}

#[test]
fn quotients_are_exact() {
    let divisors = [1.into(), 2.into(), 4.into(), n(), n() * 2.into(), 0.into(), (-2).into()];
    let mut found = 0;
    for (sum, divisor) in sums().iter().flat_map(|sum| divisors.iter().map(move |d| (sum, d))) {
        let products = [sum.clone(), sum.clone() * divisor.clone(), sum.clone() * 4.into()];
        for product in products {
            let Some(quotient) = product.exact_quotient(divisor) else { continue };
            found += 1;
            for size in SIZES {
                let value = |expr: &Expr| expr.evaluate(&[2, 3, 1, 5], &[size]);
                let by = value(divisor).expect("a number");
                assert_eq!(value(&quotient).map(|q| q * by), value(&product), "{product:?}");
            }
        }
    }
    assert_eq!(found, 1584);
}
