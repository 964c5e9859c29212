//! The body of a `transform.smt.constrain_params` as conditions.

use crate::analysis::finite_domain::{Comparison, Condition, Term};
use crate::ir::{Attribute, Error, Op, Value};
use std::collections::HashMap;

/// What a body states.
pub struct Found<'c> {
    /// The conditions, each with its `smt.assert`.
    pub asserted: Vec<(Condition, Op<'c>)>,
    /// The integers that the body yields.
    pub yielded: Vec<Term>,
}

/// A value of the body.
#[derive(Clone)]
enum SmtValue {
    Integer(Term),
    Boolean(Condition),
}

/// Reads a body whose arguments are these parameters.
///
/// # Errors
/// (C3) at an op that is not read.
pub fn of<'c>(op: Op<'c>, parameters: Vec<Term>) -> Result<Found<'c>, Error<'c>> {
    let mut found = Found { asserted: vec![], yielded: vec![] };
    let Some(body) = op.body(0) else { return Ok(found) };
    let arguments = body.arguments().into_iter().zip(parameters);
    let mut reader =
        BodyReader { known: arguments.map(|(value, it)| (value, SmtValue::Integer(it))).collect() };
    for op in body.ops() {
        match op.name() {
            "smt.assert" => found.asserted.push((reader.condition(op, op.operand(0))?, op)),
            "smt.yield" => {
                let yielded = op.operands().into_iter().map(|value| reader.term(op, value));
                found.yielded = yielded.collect::<Result<_, _>>()?;
            }
            _ => {
                let value = reader.value(op)?;
                reader.known.insert(op.result(0), value);
            }
        }
    }
    Ok(found)
}

struct BodyReader<'c> {
    known: HashMap<Value<'c>, SmtValue>,
}

impl<'c> BodyReader<'c> {
    fn term(&self, user: Op<'c>, value: Value<'c>) -> Result<Term, Error<'c>> {
        match self.known.get(&value) {
            Some(SmtValue::Integer(term)) => Ok(term.clone()),
            _ => Err(unread(user, "has an operand that is no integer")),
        }
    }

    fn condition(&self, user: Op<'c>, value: Value<'c>) -> Result<Condition, Error<'c>> {
        match self.known.get(&value) {
            Some(SmtValue::Boolean(condition)) => Ok(condition.clone()),
            _ => Err(unread(user, "has an operand that is no boolean")),
        }
    }

    fn terms(&self, op: Op<'c>) -> Result<Vec<Term>, Error<'c>> {
        op.operands().into_iter().map(|value| self.term(op, value)).collect()
    }

    fn conditions(&self, op: Op<'c>) -> Result<Vec<Condition>, Error<'c>> {
        op.operands().into_iter().map(|value| self.condition(op, value)).collect()
    }

    fn value(&self, op: Op<'c>) -> Result<SmtValue, Error<'c>> {
        let pair = |make: fn(Box<Term>, Box<Term>) -> Term| {
            let [one, other] = [0, 1].map(|i| self.term(op, op.operand(i)));
            Ok(SmtValue::Integer(make(Box::new(one?), Box::new(other?))))
        };
        let boolean = |condition| Ok(SmtValue::Boolean(condition));
        match op.name() {
            "smt.int.constant" => {
                let value = op.attribute("value").and_then(super::integer);
                let value =
                    value.ok_or_else(|| unread(op, "is a constant of more than 64 bits"))?;
                Ok(SmtValue::Integer(Term::Constant(i128::from(value))))
            }
            "smt.int.add" => Ok(SmtValue::Integer(Term::Sum(self.terms(op)?))),
            "smt.int.mul" => Ok(SmtValue::Integer(Term::Product(self.terms(op)?))),
            "smt.int.sub" => pair(Term::Difference),
            "smt.int.div" => pair(Term::Quotient),
            "smt.int.mod" => pair(Term::Remainder),
            "smt.int.abs" => {
                Ok(SmtValue::Integer(Term::Absolute(Box::new(self.term(op, op.operand(0))?))))
            }
            "smt.int.cmp" => {
                let [one, other] = [0, 1].map(|i| self.term(op, op.operand(i)));
                let (one, other) = (one?, other?);
                // The predicates lt, le, gt and ge.
                boolean(match op.attribute("pred").and_then(Attribute::as_i64) {
                    Some(0) => Condition::Compare(Comparison::Less, one, other),
                    Some(1) => Condition::Compare(Comparison::LessOrEqual, one, other),
                    Some(2) => Condition::Compare(Comparison::Less, other, one),
                    _ => Condition::Compare(Comparison::LessOrEqual, other, one),
                })
            }
            "smt.constant" => {
                let truth = op.attribute("value").and_then(Attribute::as_i64);
                boolean(Condition::Constant(truth == Some(1)))
            }
            "smt.eq" => boolean(self.equal(op)?),
            "smt.distinct" => boolean(self.distinct(op)?),
            "smt.not" => boolean(Condition::Not(Box::new(self.condition(op, op.operand(0))?))),
            "smt.and" => boolean(Condition::All(self.conditions(op)?)),
            "smt.or" => boolean(Condition::Any(self.conditions(op)?)),
            "smt.xor" => boolean(Condition::Odd(self.conditions(op)?)),
            "smt.implies" => {
                let premise = Condition::Not(Box::new(self.condition(op, op.operand(0))?));
                boolean(Condition::Any(vec![premise, self.condition(op, op.operand(1))?]))
            }
            "smt.ite" => self.either(op),
            _ => Err(unread(op, "is not read")),
        }
    }

    fn is_boolean(&self, value: Value<'c>) -> bool {
        matches!(self.known.get(&value), Some(SmtValue::Boolean(_)))
    }

    fn equal(&self, op: Op<'c>) -> Result<Condition, Error<'c>> {
        if self.is_boolean(op.operand(0)) {
            let all = self.conditions(op)?;
            let none = all.iter().map(|it| Condition::Not(Box::new(it.clone()))).collect();
            return Ok(Condition::Any(vec![Condition::All(all), Condition::All(none)]));
        }
        let terms = self.terms(op)?;
        let pairs = terms.windows(2);
        let pairs =
            pairs.map(|it| Condition::Compare(Comparison::Equal, it[0].clone(), it[1].clone()));
        Ok(Condition::All(pairs.collect()))
    }

    fn distinct(&self, op: Op<'c>) -> Result<Condition, Error<'c>> {
        if !self.is_boolean(op.operand(0)) {
            return Ok(Condition::Distinct(self.terms(op)?));
        }
        let all = self.conditions(op)?;
        // There are two booleans, so no three are distinct.
        Ok(if all.len() <= 2 { Condition::Odd(all) } else { Condition::Constant(false) })
    }

    fn either(&self, op: Op<'c>) -> Result<SmtValue, Error<'c>> {
        let condition = self.condition(op, op.operand(0))?;
        if self.is_boolean(op.operand(1)) {
            let [then, otherwise] = [1, 2].map(|i| self.condition(op, op.operand(i)));
            let not = Condition::Not(Box::new(condition.clone()));
            let then = Condition::All(vec![condition, then?]);
            return Ok(SmtValue::Boolean(Condition::Any(vec![
                then,
                Condition::All(vec![not, otherwise?]),
            ])));
        }
        let [then, otherwise] = [1, 2].map(|i| self.term(op, op.operand(i)));
        let (then, otherwise) = (Box::new(then?), Box::new(otherwise?));
        Ok(SmtValue::Integer(Term::If(Box::new(condition), then, otherwise)))
    }
}

fn unread<'c>(op: Op<'c>, why: &str) -> Error<'c> {
    Error::on(op, format!("{why}, expected booleans and integers of SMT (C3)"))
}
