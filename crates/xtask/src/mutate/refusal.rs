//! Mutants that drop refusals other than statements and branches: arms of a match, required values, obligations at the
//! end of a function.
//!
//! ```text
//! match any { true => Err(reason.at(node, 3)), false => Ok(node) }   the other arm is taken
//! (Some(1), _) => return Err(Reason::NoEffect.at(node, 3)),          a later arm is taken
//! split.map_err(|e| ScheduleError { condition: 4, ..e })?            nothing was to be split
//! product.ok_or_else(overflow)?                                      0 stands in
//! proofs.require(&verdict, || reason.at(node, 7))                    the end of a function: all is well
//! ```

use super::citation::{self, integer};
use super::operator::{DROPPED, Mutator, has_let};
use quote::quote;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Block, Expr, Lit, Pat, Stmt, parse_quote};

impl Mutator<'_> {
    /// For each arm of a match that refuses, lets later arms match its values when it is dropped. `old` is the
    /// unmodified match.
    pub fn arms(&mut self, this: &mut syn::ExprMatch, old: &syn::ExprMatch) {
        let names = self.names();
        let refuses: Vec<bool> = old.arms.iter().map(|arm| names.refuses(&arm.body)).collect();
        let is_empty =
            |arm: &syn::Arm| matches!(&*arm.body, Expr::Block(b) if b.block.stmts.is_empty());
        let leaves_place = old.arms.iter().any(is_empty);
        for n in (0..old.arms.len()).filter(|n| refuses[*n]) {
            let arm = &old.arms[n];
            let is_return = matches!(&*arm.body, Expr::Return(_));
            // A refusal that is the value of such a function is dropped by itself.
            if self.gives_nothing() && !is_return {
                continue;
            }
            let (cites, span) = (self.citations(&arm.body), arm.span());
            let text = {
                let (pattern, guard) = (&arm.pat, arm.guard.as_ref().map(|(_, guard)| guard));
                quote!(#pattern #guard).to_string()
            };
            let before = n.checked_sub(1).map(|before| &old.arms[before]);
            let is_taken = before.filter(|_| arm.guard.is_none() && !refuses[n - 1]);
            if let Some((_, guard)) = &arm.guard {
                if has_let(guard) {
                    continue;
                }
                let Some(number) = self.new_mutant(span, "drop check", text, cites) else {
                    continue;
                };
                let keeps = self.guard(number);
                if let Some((_, guard)) = &mut this.arms[n].guard {
                    let old = (**guard).clone();
                    **guard = parse_quote!(#keeps && (#old));
                }
            } else if citation::has_value(&arm.pat) {
                let Some(number) = self.new_mutant(span, "drop check", text, cites) else {
                    continue;
                };
                let keeps = self.guard(number);
                this.arms[n].guard = Some((syn::parse_quote!(if), Box::new(keeps)));
            } else if is_return && leaves_place {
                let Some(number) = self.new_mutant(span, "drop check", text, cites) else {
                    continue;
                };
                let (keeps, body) = (self.guard(number), this.arms[n].body.clone());
                *this.arms[n].body = parse_quote!(if #keeps { #body });
            } else if let Some(before) = is_taken
                && let Some((_, guard)) = &before.guard
                && !has_let(guard)
            {
                let Some(number) = self.new_mutant(span, "drop check", text, cites) else {
                    continue;
                };
                let keeps = self.guard(number);
                if let Some((_, guard)) = &mut this.arms[n - 1].guard {
                    let old = (**guard).clone();
                    **guard = parse_quote!(!(#keeps) || (#old));
                }
            } else if let Some(before) = is_taken
                && before.guard.is_none()
                && citation::binds_nothing(&before.pat)
                && !matches!(before.pat, Pat::Lit(_))
            {
                let Some(number) = self.new_mutant(span, "drop check", text, cites) else {
                    continue;
                };
                let (keeps, body) = (self.guard(number), this.arms[n - 1].body.clone());
                // Treats the value like those that the previous arm matches.
                let more: syn::Arm = parse_quote!(_ if !(#keeps) => #body,);
                this.arms.insert(n, more);
                // Indices no longer agree with those of `old`.
                return;
            }
        }
    }

    /// A match on a boolean with one refusing arm: the mutant takes the other arm.
    pub fn drop_choice(&mut self, this: &mut syn::ExprMatch, old: &syn::ExprMatch) {
        let names = self.names();
        let Some(arm) = old.arms.iter().find(|arm| names.refuses(&arm.body)) else { return };
        let is_return = matches!(&*arm.body, Expr::Return(_));
        if self.gives_nothing() && !is_return {
            return;
        }
        let Pat::Lit(syn::PatLit { lit: Lit::Bool(value), .. }) = &arm.pat else { return };
        let (cites, scrutinee) = (self.citations(&arm.body), &old.expr);
        let text = quote!(#scrutinee).to_string();
        if let Some(number) = self.new_mutant(arm.span(), "drop check", text, cites) {
            let (keeps, found) = (self.guard(number), &this.expr);
            *this.expr = match value.value {
                true => parse_quote!((#keeps) && (#found)),
                false => parse_quote!(!(#keeps) || (#found)),
            };
        }
    }

    /// `value.ok_or_else(refusal)?` and `outcome.map_err(..)?`: the mutant substitutes a default for the missing value.
    pub fn tried(&mut self, expr: &mut Expr, old: &Expr) {
        let Expr::MethodCall(was) = old else { return };
        let cites = match was.method.to_string().as_str() {
            "ok_or_else" if self.helpers.has_stand_in(&was.receiver) => self.citations(old),
            "map_err" => self.citations(old),
            _ => return,
        };
        if cites.is_empty() {
            return;
        }
        let Some(number) =
            self.new_mutant(was.span(), "drop check", quote!(#old).to_string(), cites)
        else {
            return;
        };
        if let Expr::Try(this) = &*expr
            && let Expr::MethodCall(call) = &*this.expr
        {
            let found = &call.receiver;
            *expr = parse_quote!(
                (if crate::mutant::is(#number) { #found.unwrap_or_default() } else { #expr })
            );
        }
    }

    /// A method with the number of a condition as argument, and an obligation that is the value of a function.
    pub fn check_call(&mut self, expr: &mut Expr, old: &Expr, is_last: bool) {
        let (Expr::MethodCall(call), Expr::MethodCall(was)) = (&mut *expr, old) else { return };
        let text = quote!(#old).to_string();
        if let Some(place) = self.helpers.method_place(was)
            && let Some(condition) = was.args.iter().nth(place).and_then(integer)
            && let Some(argument) = call.args.iter_mut().nth(place)
            && let Some(n) =
                self.new_mutant(was.span(), "drop condition", text.clone(), cited(condition))
        {
            let old = argument.clone();
            *argument = parse_quote!(if crate::mutant::is(#n) { #DROPPED } else { #old });
        }
        let method = was.method.to_string();
        let is_obligation = matches!(&*was.receiver, Expr::Path(path) if path.path.is_ident("proofs"))
            && matches!(method.as_str(), "require" | "settle" | "require_by_roles");
        if is_last && is_obligation && self.gives_nothing() {
            let cites = self.citations(old);
            if let Some(n) = self.new_mutant(was.span(), "drop check", text, cites) {
                let guard = self.guard(n);
                *expr = parse_quote!((if #guard { #expr } else { Ok(()) }));
            }
        }
    }
}

/// True if a block ends in a `return`.
pub fn returns(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(Expr::Return(_), _)))
}

/// True for an `if` that returns a value, if its condition can be widened.
pub fn returns_value(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(Expr::If(this), _) => {
            let ends = &this.then_branch.stmts.last();
            this.else_branch.is_none()
                && !has_let(&this.cond)
                && matches!(ends, Some(Stmt::Expr(expr, _)) if is_ok(expr))
        }
        _ => false,
    }
}

fn is_ok(expr: &Expr) -> bool {
    matches!(expr, Expr::Return(this)
        if matches!(this.expr.as_deref(), Some(Expr::Call(call)) if !is_err(call)))
}

/// True if it is `Err(..)`.
pub fn is_err(call: &syn::ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Err"))
}

/// The condition with this number; there is no (C0).
pub fn cited(condition: u8) -> BTreeSet<u8> {
    (condition != 0).then_some(condition).into_iter().collect()
}
