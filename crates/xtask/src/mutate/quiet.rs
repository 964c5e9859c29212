//! Mutants for conditions of passes that skip an op without an error: a comment states the numbers of the conditions.
//!
//! ```text
//! /// (C5)
//! fn is_open(..) -> bool { may_be && !is_rest }   each side of `&&` is taken to hold
//! // (C2)
//! if clashes { return None; }                     the branch is not taken
//! (bytes > 0).then_some(bytes)                    there is some in any case
//! accesses.filter(|access| access.is_write)       all are kept
//! ```
//! A comment above a function applies to its whole body, and one above a statement to that statement.

use super::operator::{Mutator, has_let};
use proc_macro2::Span;
use quote::quote;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Block, Expr, Stmt, parse_quote};

/// The comments of a file whose conditions are not cited by errors.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    lines: Vec<String>,
}

impl Comments {
    /// The comments of a pass; empty for a primitive, whose errors cite its conditions.
    pub fn of(name: &str, text: &str) -> Self {
        let is_pass = !name.starts_with("src/schedule") && !name.starts_with("src/nest");
        let lines = text.lines().filter(|_| is_pass).map(|line| line.trim().to_owned());
        Comments { lines: lines.collect() }
    }

    /// The conditions in the comment above a line.
    pub fn above(&self, line: usize) -> BTreeSet<u8> {
        let before = self.lines.iter().take(line.saturating_sub(1)).rev();
        let comment = before.take_while(|line| line.starts_with("//") || line.starts_with("#["));
        comment.flat_map(|line| numbers(line)).collect()
    }
}

/// The `n` of each `(Cn)` in a text.
pub fn numbers(text: &str) -> BTreeSet<u8> {
    let number = |rest: &str| rest.split_once(')').and_then(|(digits, _)| digits.parse().ok());
    text.split("(C").skip(1).filter_map(number).collect()
}

impl Mutator<'_> {
    /// Creates a mutant that drops the conditions stated by comments for this position; `None` if there are none.
    fn quiet(&mut self, span: Span, text: String) -> Option<usize> {
        match self.stated.is_empty() {
            true => None,
            false => self.new_mutant(span, "drop check", text, self.stated.clone()),
        }
    }

    /// The condition of a branch that skips an op: the mutant assumes that it does not hold.
    pub fn quiet_branch(&mut self, condition: &mut Expr, span: Span) {
        let old = condition.clone();
        if let Some(n) = self.quiet(span, quote!(#old).to_string()) {
            *condition = match has_let(&old) {
                true => parse_quote!(!crate::mutant::is(#n) && #old),
                false => parse_quote!(!crate::mutant::is(#n) && (#old)),
            };
        }
    }

    /// A side of `&&`: the mutant assumes that it holds.
    pub fn quiet_side(&mut self, side: &mut Expr, old: &Expr) {
        if let Some(n) = self.quiet(old.span(), quote!(#old).to_string()) {
            let changed = side.clone();
            *side = parse_quote!((crate::mutant::is(#n) || (#changed)));
        }
    }

    /// `condition.then_some(..)` and `all.filter(..)`. `old` is the unmodified call.
    pub fn quiet_call(&mut self, call: &mut syn::ExprMethodCall, old: &syn::ExprMethodCall) {
        let text = || quote!(#old).to_string();
        match old.method.to_string().as_str() {
            "then_some" | "then" => {
                if let Some(n) = self.quiet(old.method.span(), text()) {
                    let condition = call.receiver.clone();
                    *call.receiver = parse_quote!((crate::mutant::is(#n) || (#condition)));
                }
            }
            "filter" => {
                let Some(test) = call.args.first_mut() else { return };
                let is_typed = matches!(test, Expr::Closure(closure)
                    if closure.output != syn::ReturnType::Default);
                if is_typed {
                    return;
                }
                let Some(n) = self.quiet(old.method.span(), text()) else { return };
                match test {
                    Expr::Closure(closure) => {
                        let body = closure.body.clone();
                        *closure.body = parse_quote!(crate::mutant::is(#n) || (#body));
                    }
                    named => {
                        *named = parse_quote!(|kept| crate::mutant::is(#n) || (#named)(kept));
                    }
                }
            }
            _ => {}
        }
    }
}

/// True if a block ends by skipping the op.
pub fn leaves(block: &Block) -> bool {
    let is_nothing = |value: &Expr| {
        let text = quote!(#value).to_string().replace(' ', "");
        ["None", "false", "Ok(())", "Ok(None)", "vec![]"].contains(&text.as_str())
    };
    match block.stmts.last() {
        Some(Stmt::Expr(Expr::Return(this), _)) => this.expr.as_deref().is_none_or(is_nothing),
        Some(Stmt::Expr(Expr::Continue(_), _)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_have_conditions() {
        let text = "/// (C5), not (C12)\n#[must_use]\nfn f() {\n\n    // about x\n    x();\n}\n";
        let comments = Comments::of("src/optimize/x.rs", text);
        assert_eq!(comments.above(3), BTreeSet::from([5, 12]));
        assert!(comments.above(6).is_empty());
        assert!(Comments::of("src/schedule/x.rs", text).above(3).is_empty());
    }
}
