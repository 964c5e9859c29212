//! Parses conditions on sizes: `arg2 >= 64`, `arg2 mod 8 == 0 and arg3 == arg2 * 2`.
//!
//! ```text
//! conditions  relation { "and" relation }
//! relation    sum (">=" | "<=" | "==" | ">" | "<") sum
//! sum         product { ("+" | "-") product }
//! product     factor { ("*" | "mod" | "floordiv" | "ceildiv") factor }
//! factor      number | name | "(" sum ")" | "-" factor
//! ```
//! Names are those used in messages: `arg2`, `dim(arg0, 1)`.

use crate::dialect::region::describe_expr_with;
use crate::ir::affine::{BinaryKind, Constraint, Expr};

/// Parses conditions on sizes of these names. The error states what was found and what was expected.
pub fn parse(text: &str, names: &[String]) -> Result<Vec<Constraint>, String> {
    let mut reader = ConditionParser { rest: text.trim_start(), names };
    let mut conditions = vec![reader.relation()?];
    while reader.consume("and") {
        conditions.push(reader.relation()?);
    }
    match reader.rest {
        "" => Ok(conditions),
        rest => Err(format!("found \"{rest}\", expected \"and\" or the end")),
    }
}

/// The text of an expression over sizes of these names, as [`parse`] reads it.
pub fn spelt(expr: &Expr, names: &[String]) -> String {
    describe_expr_with(expr, &|leaf| match leaf {
        Expr::Symbol(size) => names[*size].clone(),
        other => format!("{other:?}"),
    })
}

struct ConditionParser<'a> {
    rest: &'a str,
    names: &'a [String],
}

impl ConditionParser<'_> {
    /// Consumes `token` if it is next; true if it was.
    fn consume(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn relation(&mut self) -> Result<Constraint, String> {
        let left = self.sum()?;
        let relations = [">=", "<=", "==", ">", "<"];
        let Some(relation) = relations.into_iter().find(|relation| self.consume(relation)) else {
            return Err(format!(
                "found \"{}\", expected one of {}",
                self.rest,
                relations.join(" ")
            ));
        };
        let right = self.sum()?;
        let more =
            |a: Expr, b: Expr, by: i64| Constraint::NonNegative((a - b - by.into()).simplified());
        Ok(match relation {
            ">=" => more(left, right, 0),
            ">" => more(left, right, 1),
            "<=" => more(right, left, 0),
            "<" => more(right, left, 1),
            _ => Constraint::Zero((left - right).simplified()),
        })
    }

    fn sum(&mut self) -> Result<Expr, String> {
        let mut sum = self.product()?;
        loop {
            sum = match () {
                () if self.consume("+") => sum + self.product()?,
                () if self.consume("-") => sum - self.product()?,
                () => return Ok(sum),
            };
        }
    }

    fn product(&mut self) -> Result<Expr, String> {
        let mut product = self.factor()?;
        loop {
            let divides = match () {
                () if self.consume("*") => {
                    product = product * self.factor()?;
                    continue;
                }
                () if self.consume("mod") => Expr::modulo,
                () if self.consume("floordiv") => Expr::floor_div,
                () if self.consume("ceildiv") => |a, b| Expr::binary(BinaryKind::CeilDiv, a, b),
                () => return Ok(product),
            };
            let divisor = self.factor()?;
            if divisor.constant().is_none_or(|divisor| divisor < 1) {
                return Err("found a divisor that is not a positive number".into());
            }
            product = divides(product, divisor);
        }
    }

    fn factor(&mut self) -> Result<Expr, String> {
        if self.consume("(") {
            let sum = self.sum()?;
            return match self.consume(")") {
                true => Ok(sum),
                false => Err(format!("found \"{}\", expected \")\"", self.rest)),
            };
        }
        if self.consume("-") {
            return Ok((Expr::Constant(0) - self.factor()?).simplified());
        }
        let digits =
            self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if let Ok(number) = self.rest[..digits].parse::<i64>() {
            self.rest = self.rest[digits..].trim_start();
            return Ok(number.into());
        }
        // Use the longest matching name: "arg1" is a prefix of "arg12".
        let fits = |(_, name): &(usize, &String)| self.rest.starts_with(name.as_str());
        let named = self.names.iter().enumerate().filter(fits).max_by_key(|(_, name)| name.len());
        match named {
            Some((i, name)) => {
                self.rest = self.rest[name.len()..].trim_start();
                Ok(Expr::Symbol(i))
            }
            None => {
                let names = match self.names {
                    [] => "none".to_owned(),
                    names => names.join(", "),
                };
                let found = self.rest;
                Err(format!(
                    "found \"{found}\", expected a number or a size, of which there are {names}"
                ))
            }
        }
    }
}
