//! Solutions against an enumeration of all values, with conditions evaluated by code of their own.

use super::*;
use proptest::prelude::*;

fn value(term: &Term, values: &[i64]) -> i128 {
    let both = |one: &Term, other: &Term| (value(one, values), value(other, values));
    match term {
        Term::Constant(number) => *number,
        Term::Variable(place) => i128::from(values[*place]),
        Term::Sum(terms) => terms.iter().map(|term| value(term, values)).sum(),
        Term::Product(terms) => terms.iter().map(|term| value(term, values)).product(),
        Term::Difference(one, other) => value(one, values) - value(other, values),
        Term::Quotient(one, other) => {
            let (one, other) = both(one, other);
            (one - remainder(one, other)) / other
        }
        Term::Remainder(one, other) => {
            let (one, other) = both(one, other);
            remainder(one, other)
        }
        Term::Absolute(term) => value(term, values).abs(),
        Term::If(condition, then, otherwise) => {
            value(if holds(condition, values) { then } else { otherwise }, values)
        }
    }
}

fn remainder(one: i128, other: i128) -> i128 {
    let rest = one % other;
    if rest < 0 { rest + other.abs() } else { rest }
}

fn term_of(number: i128) -> Box<Term> {
    Box::new(Term::Constant(number))
}

fn holds(condition: &Condition, values: &[i64]) -> bool {
    let count = |conditions: &[Condition]| {
        conditions.iter().filter(|condition| holds(condition, values)).count()
    };
    match condition {
        Condition::Constant(truth) => *truth,
        Condition::Compare(comparison, one, other) => {
            let (one, other) = (value(one, values), value(other, values));
            match comparison {
                Comparison::Less => one < other,
                Comparison::LessOrEqual => one <= other,
                Comparison::Equal => one == other,
            }
        }
        Condition::Distinct(terms) => {
            let mut found: Vec<i128> = terms.iter().map(|term| value(term, values)).collect();
            found.sort_unstable();
            found.dedup();
            found.len() == terms.len()
        }
        Condition::Not(condition) => !holds(condition, values),
        Condition::All(conditions) => count(conditions) == conditions.len(),
        Condition::Any(conditions) => count(conditions) > 0,
        Condition::Odd(conditions) => count(conditions) % 2 == 1,
    }
}

fn terms() -> impl Strategy<Value = Term> {
    let leaf =
        prop_oneof![(0usize..3).prop_map(Term::Variable), (-4i128..9).prop_map(Term::Constant)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        // A divisor that is not 0.
        let divisor = (inner.clone(), any::<bool>()).prop_map(|(term, is_negative)| {
            let size = Term::Sum(vec![Term::Absolute(Box::new(term)), Term::Constant(1)]);
            match is_negative {
                true => Term::Difference(term_of(0), Box::new(size)),
                false => size,
            }
        });
        let fraction = (inner.clone(), divisor);
        let fraction = fraction.prop_map(|(one, other)| (Box::new(one), Box::new(other)));
        let pair = (inner.clone(), inner.clone());
        let pair = pair.prop_map(|(one, other)| (Box::new(one), Box::new(other)));
        let condition = (comparisons(), inner.clone(), inner.clone())
            .prop_map(|(how, one, other)| Box::new(Condition::Compare(how, one, other)));
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Term::Sum),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Term::Product),
            pair.clone().prop_map(|(one, other)| Term::Difference(one, other)),
            fraction.clone().prop_map(|(one, other)| Term::Quotient(one, other)),
            fraction.prop_map(|(one, other)| Term::Remainder(one, other)),
            inner.prop_map(|term| Term::Absolute(Box::new(term))),
            (condition, pair).prop_map(|(it, (one, other))| Term::If(it, one, other)),
        ]
    })
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    prop_oneof![Just(Comparison::Less), Just(Comparison::LessOrEqual), Just(Comparison::Equal)]
}

fn conditions() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        (comparisons(), terms(), terms())
            .prop_map(|(how, one, other)| Condition::Compare(how, one, other)),
        prop::collection::vec(terms(), 1..4).prop_map(Condition::Distinct),
        any::<bool>().prop_map(Condition::Constant),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            inner.prop_map(|it| Condition::Not(Box::new(it))),
            several.clone().prop_map(Condition::All),
            several.clone().prop_map(Condition::Any),
            several.prop_map(Condition::Odd),
        ]
    })
}

/// Three numbers, and some constraints.
pub fn all_choices() -> impl Strategy<Value = Choices> {
    let domain = prop::collection::vec(-5i64..9, 0..5);
    let named = |(name, domain): (usize, Vec<i64>)| Choice { name: format!("x{name}"), domain };
    let choices = prop::collection::vec(domain, 3)
        .prop_map(move |domains| domains.into_iter().enumerate().map(named).collect());
    let constraints = prop::collection::vec(conditions(), 0..4).prop_map(|all| {
        let named = |(i, condition)| NamedCondition { name: format!("c{i}"), condition };
        all.into_iter().enumerate().map(named).collect()
    });
    (choices, constraints).prop_map(|(choices, constraints)| Choices { choices, constraints })
}

/// All solutions, in order.
fn enumerated(problem: &Choices) -> Vec<Vec<i64>> {
    let [x, y, z] = [0, 1, 2].map(|i| problem.choices[i].domain.clone());
    let mut found = vec![];
    for a in &x {
        for b in &y {
            for c in &z {
                let values = vec![*a, *b, *c];
                let is_met = |it: &NamedCondition| holds(&it.condition, &values);
                if problem.constraints.iter().all(is_met) {
                    found.push(values);
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn solutions_are_those_of_the_enumeration(problem in all_choices()) {
        let mut found = vec![];
        let whole = problem.search(&mut |values| {
            found.push(values.to_vec());
            true
        });
        let expected = enumerated(&problem);
        prop_assert!(whole);
        prop_assert_eq!(&found, &expected);
        match problem.first() {
            Ok(first) => prop_assert_eq!(Some(&first), expected.first()),
            Err(NoSolution::Conflict(conflict)) => {
                prop_assert!(expected.is_empty());
                let keep = |kept: &[usize]| Choices {
                    choices: problem.choices.clone(),
                    constraints: kept.iter().map(|i| problem.constraints[*i].clone()).collect(),
                };
                prop_assert!(enumerated(&keep(&conflict)).is_empty());
                for left_out in &conflict {
                    let rest: Vec<usize> =
                        conflict.iter().copied().filter(|it| it != left_out).collect();
                    prop_assert!(!enumerated(&keep(&rest)).is_empty());
                }
            }
            Err(NoSolution::TooMany) => prop_assert!(false, "a small problem was given up"),
        }
    }
}

fn tiles(most: i64) -> Choices {
    let choice =
        |name: &str, end: i64| Choice { name: name.to_owned(), domain: (1..=end).collect() };
    let area = Term::Product((0..4).map(Term::Variable).collect());
    Choices {
        choices: ["a", "b", "c", "d"].map(|name| choice(name, 200)).to_vec(),
        constraints: vec![NamedCondition {
            name: "bytes".to_owned(),
            condition: Condition::at_most(area, most),
        }],
    }
}

#[test]
fn a_footprint_cuts_off_larger_tiles() {
    // Of 1.6 billion tiles, those with at most 20 elements are found.
    let mut count = 0;
    assert!(tiles(20).search(&mut |_| {
        count += 1;
        true
    }));
    let quadruples = |n: i64| {
        let of = |n: i64| (1..=n).filter(|d| n % d == 0).collect::<Vec<_>>();
        let pairs = |n: i64| of(n).len();
        of(n).into_iter().map(|d| pairs(d) * pairs(n / d)).sum::<usize>()
    };
    assert_eq!(count, (1..=20).map(quadruples).sum::<usize>());
}

#[test]
fn a_search_that_is_too_long_is_given_up() {
    let mut problem = tiles(200i64.pow(4));
    let product = Term::Product((0..4).map(Term::Variable).collect());
    // 1000003 is a prime, which the intervals do not show.
    problem.constraints.push(NamedCondition {
        name: "prime".to_owned(),
        condition: Condition::Compare(Comparison::Equal, product, Term::Constant(1_000_003)),
    });
    assert_eq!(problem.first(), Err(NoSolution::TooMany));
}

#[test]
fn large_numbers_meet_no_constraint_and_do_not_overflow() {
    let choice = Choice { name: "x".to_owned(), domain: vec![i64::MAX] };
    let cube = Term::Product(vec![Term::Variable(0); 3]);
    let condition = Condition::Compare(Comparison::Less, Term::Constant(0), cube);
    let constraints = vec![NamedCondition { name: "cube".to_owned(), condition }];
    let problem = Choices { choices: vec![choice], constraints };
    assert_eq!(problem.first(), Err(NoSolution::Conflict(vec![0])));
}

#[test]
fn a_constraint_that_divides_by_0_is_not_met() {
    let quotient = || Box::new(Term::Quotient(term_of(4), Box::new(Term::Variable(0))));
    let same = Condition::Compare(Comparison::Equal, *quotient(), *quotient());
    let choice = Choice { name: "x".to_owned(), domain: vec![0, 2] };
    let constraints = vec![NamedCondition { name: "quotient".to_owned(), condition: same }];
    assert_eq!(Choices { choices: vec![choice], constraints }.first(), Ok(vec![2]));
}
