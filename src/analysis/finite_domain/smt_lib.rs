//! Choices in the language of SMT-LIB 2.6, for other solvers.
//!
//! ```text
//! (set-logic QF_NIA)
//! (declare-const |rows| Int)
//! (assert (or (= |rows| 4) (= |rows| 8)))
//! (assert (! (<= (* |rows| 3) 16) :named |vector registers|))
//! ```
//! A name is quoted by bars; the characters that cannot stand between bars are left out. An equal name gets a number.

use super::{Choices, Comparison, Condition, Term};
use std::fmt::Write;

impl Choices {
    /// The choices and constraints as a script of SMT-LIB, without the command that solves them.
    pub fn smt_lib(&self) -> String {
        let mut taken: Vec<String> = vec![];
        let mut symbol = |name: &str| {
            let plain: String =
                name.chars().filter(|c| !matches!(c, '|' | '\\') && !c.is_control()).collect();
            let equal = taken.iter().filter(|it| **it == plain).count();
            taken.push(plain.clone());
            if equal == 0 { format!("|{plain}|") } else { format!("|{plain} #{}|", equal + 1) }
        };
        let names: Vec<String> = self.choices.iter().map(|it| symbol(&it.name)).collect();
        let mut text = "(set-logic QF_NIA)\n".to_owned();
        for (choice, name) in self.choices.iter().zip(&names) {
            let equals = |value: &i64| format!("(= {name} {})", number(i128::from(*value)));
            let values: Vec<String> = choice.domain.iter().map(equals).collect();
            let _ = writeln!(text, "(declare-const {name} Int)");
            let _ = writeln!(text, "(assert {})", joined("or", &values, "false"));
        }
        for constraint in &self.constraints {
            let condition = constraint.condition.smt_lib(&names);
            let _ = writeln!(text, "(assert (! {condition} :named {}))", symbol(&constraint.name));
        }
        text
    }
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// An operator on any number of operands, and what it is without any.
fn joined(operator: &str, operands: &[String], none: &str) -> String {
    match operands {
        [] => none.to_owned(),
        [one] => one.clone(),
        all => format!("({operator} {})", all.join(" ")),
    }
}

impl Term {
    fn smt_lib(&self, names: &[String]) -> String {
        let all = |terms: &[Term]| -> Vec<String> {
            terms.iter().map(|term| term.smt_lib(names)).collect()
        };
        let both = |operator: &str, one: &Term, other: &Term| {
            format!("({operator} {} {})", one.smt_lib(names), other.smt_lib(names))
        };
        match self {
            Term::Constant(value) => number(*value),
            Term::Variable(place) => names[*place].clone(),
            Term::Sum(terms) => joined("+", &all(terms), "0"),
            Term::Product(terms) => joined("*", &all(terms), "1"),
            Term::Difference(one, other) => both("-", one, other),
            Term::Quotient(one, other) => both("div", one, other),
            Term::Remainder(one, other) => both("mod", one, other),
            Term::Absolute(term) => format!("(abs {})", term.smt_lib(names)),
            Term::If(condition, then, otherwise) => {
                let condition = condition.smt_lib(names);
                format!("(ite {condition} {} {})", then.smt_lib(names), otherwise.smt_lib(names))
            }
        }
    }
}

impl Condition {
    fn smt_lib(&self, names: &[String]) -> String {
        let all = |conditions: &[Condition]| -> Vec<String> {
            conditions.iter().map(|condition| condition.smt_lib(names)).collect()
        };
        match self {
            Condition::Constant(truth) => truth.to_string(),
            Condition::Compare(comparison, one, other) => {
                let operator = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Equal => "=",
                };
                format!("({operator} {} {})", one.smt_lib(names), other.smt_lib(names))
            }
            Condition::Distinct(terms) if terms.len() < 2 => "true".to_owned(),
            Condition::Distinct(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| term.smt_lib(names)).collect();
                format!("(distinct {})", terms.join(" "))
            }
            Condition::Not(condition) => format!("(not {})", condition.smt_lib(names)),
            Condition::All(conditions) => joined("and", &all(conditions), "true"),
            Condition::Any(conditions) => joined("or", &all(conditions), "false"),
            Condition::Odd(conditions) => joined("xor", &all(conditions), "false"),
        }
    }
}
