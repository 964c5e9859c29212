//! Conditions on integers, as in the theory Ints of SMT-LIB: the truth of a condition for intervals of its variables.

/// An integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A constant.
    Constant(i128),
    /// The variable with this index.
    Variable(usize),
    /// The sum.
    Sum(Vec<Term>),
    /// The product.
    Product(Vec<Term>),
    /// The first minus the second.
    Difference(Box<Term>, Box<Term>),
    /// The quotient, so that the remainder is not negative.
    Quotient(Box<Term>, Box<Term>),
    /// The remainder, which is not negative.
    Remainder(Box<Term>, Box<Term>),
    /// The absolute value.
    Absolute(Box<Term>),
    /// The first term if the condition holds, otherwise the second one.
    If(Box<Condition>, Box<Term>, Box<Term>),
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::Constant(i128::from(value))
    }
}

/// How two integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
}

/// What holds or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always, or never.
    Constant(bool),
    /// A comparison of two integers.
    Compare(Comparison, Term, Term),
    /// No two of the integers are equal.
    Distinct(Vec<Term>),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// All hold.
    All(Vec<Condition>),
    /// At least one holds.
    Any(Vec<Condition>),
    /// An odd number of them hold.
    Odd(Vec<Condition>),
}

/// The integers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueRange {
    low: i128,
    high: i128,
}

impl ValueRange {
    pub fn point(value: i64) -> ValueRange {
        ValueRange::constant(i128::from(value))
    }

    fn constant(value: i128) -> ValueRange {
        ValueRange { low: value, high: value }
    }

    /// The smallest interval with these values; `None` without any.
    pub fn hull(values: &[i64]) -> Option<ValueRange> {
        let (low, high) = (values.iter().min()?, values.iter().max()?);
        Some(ValueRange { low: i128::from(*low), high: i128::from(*high) })
    }

    fn of(values: &[i128]) -> Option<ValueRange> {
        Some(ValueRange { low: *values.iter().min()?, high: *values.iter().max()? })
    }

    fn product(self, other: ValueRange) -> Option<ValueRange> {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low)];
        let ends = ends.into_iter().chain([(self.high, other.high)]);
        let products: Option<Vec<i128>> = ends.map(|(one, other)| one.checked_mul(other)).collect();
        ValueRange::of(&products?)
    }

    /// The quotients; `None` if the divisor may be 0, for which SMT-LIB states no value.
    fn quotient(self, divisor: ValueRange) -> Option<ValueRange> {
        if divisor.low <= 0 && divisor.high >= 0 {
            return None;
        }
        let ends = [(self.low, divisor.low), (self.low, divisor.high), (self.high, divisor.low)];
        let ends = ends.into_iter().chain([(self.high, divisor.high)]);
        let quotients: Option<Vec<i128>> =
            ends.map(|(one, other)| one.checked_div_euclid(other)).collect();
        ValueRange::of(&quotients?)
    }

    fn remainder(self, divisor: ValueRange) -> Option<ValueRange> {
        if divisor.low <= 0 && divisor.high >= 0 {
            return None;
        }
        if self.low == self.high && divisor.low == divisor.high {
            return self.low.checked_rem_euclid(divisor.low).map(ValueRange::constant);
        }
        let largest = divisor.low.checked_abs()?.max(divisor.high.checked_abs()?);
        Some(ValueRange { low: 0, high: largest - 1 })
    }

    fn absolute(self) -> Option<ValueRange> {
        let (low, high) = (self.low.checked_abs()?, self.high.checked_abs()?);
        let least = if self.low <= 0 && self.high >= 0 { 0 } else { low.min(high) };
        Some(ValueRange { low: least, high: low.max(high) })
    }
}

impl Term {
    /// The values for intervals of the variables; `None` if they are not known or exceed 128 bits.
    fn interval(&self, variables: &[ValueRange]) -> Option<ValueRange> {
        let both =
            |one: &Term, other: &Term| Some((one.interval(variables)?, other.interval(variables)?));
        match self {
            Term::Constant(value) => Some(ValueRange::constant(*value)),
            Term::Variable(place) => variables.get(*place).copied(),
            Term::Sum(terms) => terms.iter().try_fold(ValueRange::constant(0), |sum, term| {
                let next = term.interval(variables)?;
                let low = sum.low.checked_add(next.low)?;
                Some(ValueRange { low, high: sum.high.checked_add(next.high)? })
            }),
            Term::Product(terms) => terms.iter().try_fold(ValueRange::constant(1), |all, term| {
                all.product(term.interval(variables)?)
            }),
            Term::Difference(one, other) => {
                let (one, other) = both(one, other)?;
                let low = one.low.checked_sub(other.high)?;
                Some(ValueRange { low, high: one.high.checked_sub(other.low)? })
            }
            Term::Quotient(one, other) => {
                let (one, other) = both(one, other)?;
                one.quotient(other)
            }
            Term::Remainder(one, other) => {
                let (one, other) = both(one, other)?;
                one.remainder(other)
            }
            Term::Absolute(term) => term.interval(variables)?.absolute(),
            Term::If(condition, then, otherwise) => match condition.truth(variables) {
                Some(true) => then.interval(variables),
                Some(false) => otherwise.interval(variables),
                None => {
                    let (one, other) = both(then, otherwise)?;
                    let (low, high) = (one.low.min(other.low), one.high.max(other.high));
                    Some(ValueRange { low, high })
                }
            },
        }
    }

    /// Adds its variables to a list, except those that are there.
    fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(place) if found.contains(place) => {}
            Term::Variable(place) => found.push(*place),
            Term::Sum(terms) | Term::Product(terms) => {
                terms.iter().for_each(|term| term.variables(found));
            }
            Term::Difference(one, other)
            | Term::Quotient(one, other)
            | Term::Remainder(one, other) => {
                one.variables(found);
                other.variables(found);
            }
            Term::Absolute(term) => term.variables(found),
            Term::If(condition, then, otherwise) => {
                condition.variables(found);
                then.variables(found);
                otherwise.variables(found);
            }
        }
    }

    /// The value for values of the variables; `None` if it is not defined or exceeds 64 bits.
    pub fn value(&self, values: &[i64]) -> Option<i64> {
        let points: Vec<ValueRange> = values.iter().copied().map(ValueRange::point).collect();
        let ValueRange { low, high } = self.interval(&points)?;
        i64::try_from(low).ok().filter(|_| low == high)
    }
}

impl Condition {
    /// `term <= limit`.
    pub fn at_most(term: Term, limit: i64) -> Condition {
        Condition::Compare(Comparison::LessOrEqual, term, Term::Constant(i128::from(limit)))
    }

    /// Of `one <= other` that holds for no values: the least value of `one`, and the largest of `other`.
    pub(super) fn missing(&self, variables: &[ValueRange]) -> Option<(i128, i128)> {
        let Condition::Compare(Comparison::LessOrEqual, one, other) = self else { return None };
        let (least, most) = (one.interval(variables)?.low, other.interval(variables)?.high);
        (least > most).then_some((least, most))
    }

    /// Adds its variables to a list, except those that are there.
    pub fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Condition::Constant(_) => {}
            Condition::Compare(_, one, other) => {
                one.variables(found);
                other.variables(found);
            }
            Condition::Distinct(terms) => terms.iter().for_each(|term| term.variables(found)),
            Condition::Not(condition) => condition.variables(found),
            Condition::All(all) | Condition::Any(all) | Condition::Odd(all) => {
                all.iter().for_each(|condition| condition.variables(found));
            }
        }
    }

    /// True or false if the condition is so for all values in the intervals of the variables.
    pub(super) fn truth(&self, variables: &[ValueRange]) -> Option<bool> {
        match self {
            Condition::Constant(truth) => Some(*truth),
            Condition::Compare(comparison, one, other) => {
                comparison.truth(one.interval(variables)?, other.interval(variables)?)
            }
            Condition::Distinct(terms) => {
                let values: Option<Vec<_>> =
                    terms.iter().map(|term| term.interval(variables)).collect();
                let values = values?;
                let pairs = values.iter().enumerate();
                let pairs = pairs.flat_map(|(i, one)| values[..i].iter().map(move |it| (one, it)));
                let mut all = Some(true);
                for (one, other) in pairs {
                    match Comparison::Equal.truth(*one, *other) {
                        Some(true) => return Some(false),
                        Some(false) => {}
                        None => all = None,
                    }
                }
                all
            }
            Condition::Not(condition) => condition.truth(variables).map(|truth| !truth),
            Condition::All(conditions) => ends_at(conditions, variables, false),
            Condition::Any(conditions) => ends_at(conditions, variables, true),
            Condition::Odd(conditions) => conditions
                .iter()
                .try_fold(false, |odd, condition| Some(odd ^ condition.truth(variables)?)),
        }
    }
}

/// The truth of conditions of which one with the truth `end` decides.
fn ends_at(conditions: &[Condition], variables: &[ValueRange], end: bool) -> Option<bool> {
    let mut all = Some(!end);
    for condition in conditions {
        match condition.truth(variables) {
            Some(truth) if truth == end => return Some(end),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}

impl Comparison {
    fn truth(self, one: ValueRange, other: ValueRange) -> Option<bool> {
        let (always, never) = match self {
            Comparison::Less => (one.high < other.low, one.low >= other.high),
            Comparison::LessOrEqual => (one.high <= other.low, one.low > other.high),
            Comparison::Equal => {
                (one.low == one.high && one == other, one.high < other.low || one.low > other.high)
            }
        };
        if always { Some(true) } else { never.then_some(false) }
    }
}
