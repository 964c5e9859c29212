//! Precision test: answers to a family of systems, compared with all points of small numbers. None may be wrong. How
//! many systems are decided, and with how little work, is recorded here, and may only improve, by new figures.

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
        equal(d(0).floor_div(0.into()), 1.into()),
        equal(d(0) * d(1) * n(), m()),
        at_least(d(0) * n() * m(), d(1) * n()),
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
        // Not enough work for the library.
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
    assert_eq!((empty, there, unknown), (97, 102, 71), "empty, with a point, unknown");
    assert_eq!((by_hand, on_sizes), (80, 367), "decided by hand, and conditions on sizes");
}

/// Products with sizes that are decided only by trying out values for the sizes.
#[test]
fn points_are_found_with_few_sizes() {
    let found = |sizes: &[i64]| {
        let mut conditions = vec![];
        for (i, size) in sizes.iter().enumerate() {
            conditions.push(equal(Expr::Symbol(i), (*size).into()));
            conditions.push(equal(d(i) * Expr::Symbol(i), (7 * size).into()));
        }
        match (System { dims: sizes.len(), sizes: sizes.len(), conditions }).solve() {
            Answer::Point(point) => point.sizes == sizes,
            Answer::Empty => panic!("{sizes:?} is a point"),
            Answer::Unknown(_) => false,
        }
    };
    for pair in [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [2, 3], [2, 5], [1, 4]] {
        assert!(found(&pair) && found(&[pair[1], pair[0]]), "{pair:?}");
    }
    for one_apart in [[3, 2, 2], [2, 3, 2], [2, 2, 3], [2, 3, 3], [3, 3, 2], [5, 2, 2], [1, 1, 4]] {
        assert!(found(&one_apart), "{one_apart:?}");
    }
    for other in [&[3, 4][..], &[6, 6], &[2, 4], &[1, 2, 3], &[2, 2, 2, 3], &[3, 3, 3, 2]] {
        assert!(!found(other), "{other:?}");
    }
}

#[test]
fn what_is_not_linear_is_said() {
    let term = |expr: Expr| {
        let conditions =
            vec![equal(expr, 7.into()), equal(n(), 9.into()), at_least(d(1), 0.into())];
        match (System { dims: 2, sizes: 1, conditions }).solve() {
            Answer::Unknown(why) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(term(d(0) * d(1)), "a product of variables is not linear");
    assert_eq!(term(d(0) * n()), "a product with a size is not linear");
    let quotient = "a product with a size and a quotient by a size are not linear";
    assert_eq!(term(d(0).modulo(n())), quotient);
}

#[test]
fn equal_sizes_are_known_to_be() {
    let m = || Expr::Symbol(1);
    let conditions = vec![equal(d(0), n()), equal(d(0), m() + 1.into())];
    let system = System { dims: 1, sizes: 2, conditions };
    for apart in [at_least(n(), m() + 2.into()), at_least(m(), n())] {
        let mut conditions = system.on_sizes();
        conditions.push(apart);
        assert_eq!(System { dims: 0, sizes: 2, conditions }.solve(), Answer::Empty);
    }
}

/// Sums that cannot reach a number within the bounds are found without the library.
#[test]
fn sums_out_of_reach_need_little_work() {
    let sum = || d(0) * 2.into() + d(1) * 3.into();
    let is_found = |condition: Constraint| {
        let bounds = (0..2).flat_map(|v| [at_least(d(v), 0.into()), at_least(3.into(), d(v))]);
        let conditions: Vec<_> = bounds.chain([condition]).collect();
        let mut small = Budget { left: (conditions.len() * CONDITION) as u64 };
        System { dims: 2, sizes: 0, conditions }.solve_within(&mut small) == Answer::Empty
    };
    assert!(is_found(equal(sum(), 16.into())) && !is_found(equal(sum(), 15.into())));
    assert!(is_found(equal(sum(), (-1).into())) && !is_found(equal(sum(), 0.into())));
    assert!(is_found(at_least(sum(), 16.into())) && !is_found(at_least(sum(), 15.into())));
    assert!(is_found(at_least((-1).into(), sum())) && !is_found(at_least(0.into(), sum())));
}

#[test]
fn a_product_of_sizes_is_not_negative() {
    let product = d(0) * n() * Expr::Symbol(1);
    let conditions = vec![at_least(d(0), 1.into()), at_least((-1).into(), product)];
    assert_eq!(System { dims: 1, sizes: 2, conditions }.solve(), Answer::Empty);
}
