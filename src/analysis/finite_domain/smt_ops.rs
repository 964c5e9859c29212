//! Constraints as ops of MLIR's SMT dialect.
//!
//! ```text
//! %0 = smt.int.constant 16
//! %1 = smt.int.cmp le %rows, %0
//! smt.assert %1 {what = "vector registers"}
//! ```

use super::{Choices, Comparison, Condition, Term};

impl Choices {
    /// The constraints as the lines of a block in which these are the values of the choices.
    pub fn smt_ops(&self, values: &[String]) -> Vec<String> {
        let mut writer = SmtWriter { values, lines: vec![], next: 0 };
        for constraint in &self.constraints {
            let is_plain = |c: &char| !c.is_control() && !matches!(c, '"' | '\\');
            let name: String = constraint.name.chars().filter(is_plain).collect();
            let condition = writer.condition(&constraint.condition);
            writer.lines.push(format!("smt.assert {condition} {{what = \"{name}\"}}"));
        }
        writer.lines
    }
}

struct SmtWriter<'v> {
    values: &'v [String],
    lines: Vec<String>,
    next: usize,
}

impl SmtWriter<'_> {
    /// Adds an op, and returns its result.
    fn op(&mut self, text: &str) -> String {
        let result = format!("%{}", self.next);
        self.next += 1;
        self.lines.push(format!("{result} = smt.{text}"));
        result
    }

    /// An op on any number of operands of which there must be two or more, and what it is without any.
    fn joined(&mut self, name: &str, operands: &[String], none: &str) -> String {
        match operands {
            [] => self.op(none),
            [one] => one.clone(),
            all => self.op(&format!("{name} {}", all.join(", "))),
        }
    }

    fn term(&mut self, term: &Term) -> String {
        let pair = |writer: &mut Self, name: &str, one: &Term, other: &Term| {
            let (one, other) = (writer.term(one), writer.term(other));
            writer.op(&format!("int.{name} {one}, {other}"))
        };
        match term {
            Term::Constant(value) => self.op(&format!("int.constant {value}")),
            Term::Variable(place) => self.values[*place].clone(),
            Term::Sum(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| self.term(term)).collect();
                self.joined("int.add", &terms, "int.constant 0")
            }
            Term::Product(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| self.term(term)).collect();
                self.joined("int.mul", &terms, "int.constant 1")
            }
            Term::Difference(one, other) => pair(self, "sub", one, other),
            Term::Quotient(one, other) => pair(self, "div", one, other),
            Term::Remainder(one, other) => pair(self, "mod", one, other),
            Term::Absolute(term) => {
                let term = self.term(term);
                self.op(&format!("int.abs {term}"))
            }
            Term::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.term(then), self.term(otherwise));
                self.op(&format!("ite {condition}, {then}, {otherwise} : !smt.int"))
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> String {
        let truth = |truth: bool| format!("constant {truth}");
        let all = |writer: &mut Self, conditions: &[Condition]| -> Vec<String> {
            conditions.iter().map(|condition| writer.condition(condition)).collect()
        };
        match condition {
            Condition::Constant(value) => self.op(&truth(*value)),
            Condition::Compare(comparison, one, other) => {
                let (one, other) = (self.term(one), self.term(other));
                self.op(&match comparison {
                    Comparison::Less => format!("int.cmp lt {one}, {other}"),
                    Comparison::LessOrEqual => format!("int.cmp le {one}, {other}"),
                    Comparison::Equal => format!("eq {one}, {other} : !smt.int"),
                })
            }
            Condition::Distinct(terms) if terms.len() < 2 => self.op(&truth(true)),
            Condition::Distinct(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| self.term(term)).collect();
                self.op(&format!("distinct {} : !smt.int", terms.join(", ")))
            }
            Condition::Not(condition) => {
                let condition = self.condition(condition);
                self.op(&format!("not {condition}"))
            }
            Condition::All(conditions) => {
                let all = all(self, conditions);
                self.joined("and", &all, &truth(true))
            }
            Condition::Any(conditions) => {
                let all = all(self, conditions);
                self.joined("or", &all, &truth(false))
            }
            Condition::Odd(conditions) => {
                let all = all(self, conditions);
                self.joined("xor", &all, &truth(false))
            }
        }
    }
}
