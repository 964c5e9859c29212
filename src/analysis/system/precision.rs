//! Answers to a family of systems, compared with all points that are not far out: none may be wrong. How many
//! are decided, and with how little work, is put down here: it may only become better, by new figures.

use super::*;

fn d(v: usize) -> Expr {
    Expr::Dim(v)
}

fn n() -> Expr {
    Expr::Symbol(0)
}

fn at_least(a: Expr, b: Expr) -> Constraint {
    Constraint::NonNegative((a - b).simplified())
}

fn equal(a: Expr, b: Expr) -> Constraint {
    Constraint::Zero((a - b).simplified())
}

fn conditions() -> Vec<Constraint> {
    let m = || Expr::Symbol(1);
    let mut all = vec![
        at_least(d(0), 0.into()),
        at_least(6.into(), d(0) * 2.into()),
        at_least(d(1) * 3.into(), 4.into()),
        at_least(n(), d(0) + 1.into()),
        at_least(d(0) + d(1), n()),
        at_least(d(1), n() - 1.into()),
        at_least(3.into(), d(1) + n()),
        at_least(d(0) * n(), d(1) + 1.into()),
        at_least(n() * m(), d(0) + 1.into()),
        at_least(1.into(), m()),
        at_least((-1).into(), d(0)),
        at_least((-2).into(), n()),
    ];
    all.extend([
        equal(d(0) * 2.into() + d(1) * 4.into(), 3.into()),
        equal(d(0) * 2.into(), d(1) * 3.into() + 1.into()),
        equal(d(0) * 6.into() + d(1) * 10.into(), 4.into()),
        equal(d(0), d(1) + n()),
        equal(d(0).modulo(3.into()), 2.into()),
        equal(d(1).floor_div(4.into()), 1.into()),
        equal(d(0).modulo(4.into()), d(1).modulo(4.into()) + 1.into()),
        equal(d(0).floor_div(n()), 2.into()),
        equal(d(0).modulo(n()), d(1)),
        equal(Expr::binary(BinaryKind::CeilDiv, d(1), 3.into()), d(0)),
        equal(d(0) * d(1), 6.into()),
        equal(d(0) * n() + d(1), n() * m()),
    ]);
    all
}

fn systems() -> Vec<System> {
    let pool = conditions();
    let mut systems = vec![];
    for i in 0..pool.len() {
        for (second, third, fourth) in [(1, 3, 8), (2, 9, 5), (5, 7, 12), (11, 16, 4), (3, 14, 19)]
        {
            let chosen =
                [0, second, third, fourth].map(|step| pool[(i + step) % pool.len()].clone());
            systems.push(System { dims: 2, sizes: 2, conditions: chosen[..3].to_vec() });
            systems.push(System { dims: 2, sizes: 2, conditions: chosen.to_vec() });
        }
    }
    systems
}

/// All points with small numbers at which the conditions hold.
fn points(system: &System) -> Vec<Point> {
    let sizes = (0..5).flat_map(|a| (0..5).map(move |b| vec![a, b]));
    let dims = || (-6..=10).flat_map(|a| (-6..=10).map(move |b| vec![a, b]));
    let all = sizes.flat_map(|sizes| dims().map(move |dims| Point { dims, sizes: sizes.clone() }));
    all.filter(|point| system.holds(point)).collect()
}

#[test]
fn answers_are_right_and_many() {
    let (mut empty, mut there, mut unknown, mut by_hand, mut on_sizes) = (0, 0, 0, 0, 0);
    for system in systems() {
        let points = points(&system);
        match system.solve() {
            Answer::Empty => {
                empty += 1;
                assert_eq!(points, [], "{system:?}");
            }
            Answer::Point(point) => {
                there += 1;
                assert!(system.holds(&point), "{system:?}");
            }
            Answer::Unknown(_) => unknown += 1,
        }
        // Not enough for the library.
        let mut small = Budget { left: (system.conditions.len() * CONDITION) as u64 };
        by_hand += usize::from(!matches!(system.solve_within(&mut small), Answer::Unknown(_)));
        for condition in system.on_sizes() {
            on_sizes += 1;
            for point in &points {
                let only = System { conditions: vec![condition.clone()], ..system.clone() };
                assert!(only.holds(point), "{condition:?} does not follow from {system:?}");
            }
        }
    }
    assert_eq!((empty, there, unknown), (106, 98, 36), "empty, with a point, unknown");
    assert_eq!((by_hand, on_sizes), (88, 364), "decided by hand, and conditions on sizes");
}

#[test]
fn a_product_of_sizes_is_not_negative() {
    let product = d(0) * n() * Expr::Symbol(1);
    let conditions = vec![at_least(d(0), 1.into()), at_least((-1).into(), product)];
    assert_eq!(System { dims: 1, sizes: 2, conditions }.solve(), Answer::Empty);
}
