//! Generates the mutants of a file: each mutation gets a switch that is read at run time.
//!
//! ```text
//! if product < extent { return Err(Reason::SmallProduct { .. }.at(node, 4)); }
//!   ->
//! if !mutant::is(7) && (if mutant::is(8) { product <= extent } else { product < extent }) { return Err(..); }
//! ```

use super::citation::{self, Helpers, Names, integer};
use super::quiet::{Comments, leaves};
use super::refusal::{cited, is_err, returns, returns_value};
use proc_macro2::Span;
use quote::quote;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Lit, Pat, Stmt, Type, UnOp, parse_quote};

/// The condition number that means "dropped": helpers that receive it refuse nothing.
pub const DROPPED: u8 = 255;

/// A mutation and its location.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub number: usize,
    pub file: String,
    pub line: usize,
    pub operator: &'static str,
    pub text: String,
    /// The conditions that a dropped check cites.
    pub cites: BTreeSet<u8>,
}

/// Mutates a file; numbers start at `first`. Mutants in `banned` do not compile and are left out.
pub fn mutate(
    file: &mut syn::File,
    name: &str,
    comments: Comments,
    first: usize,
    helpers: &Helpers,
    banned: &BTreeSet<usize>,
) -> Vec<Mutant> {
    let mut mutator = Mutator {
        file: name.to_owned(),
        next: first,
        helpers,
        banned,
        found: vec![],
        functions: vec![],
        comments,
        stated: BTreeSet::new(),
        in_closure: 0,
        in_constant: false,
        in_try: false,
    };
    mutator.visit_file_mut(file);
    mutator.found
}

pub struct Mutator<'h> {
    file: String,
    next: usize,
    pub helpers: &'h Helpers,
    banned: &'h BTreeSet<usize>,
    found: Vec<Mutant>,
    /// The functions that enclose the current position.
    functions: Vec<Function>,
    comments: Comments,
    /// The conditions named by the comments that apply to the current position.
    pub stated: BTreeSet<u8>,
    in_closure: usize,
    in_constant: bool,
    /// True if the expression is the operand of `?`.
    in_try: bool,
}

struct Function {
    /// True if it returns `Result<(), _>`.
    gives_nothing: bool,
    /// True if it has a parameter for the number of a condition.
    is_helper: bool,
    names: Names,
}

impl Mutator<'_> {
    /// Creates a mutant unless it is banned. Every position uses up a number, banned or not.
    pub fn new_mutant(
        &mut self,
        span: Span,
        operator: &'static str,
        text: String,
        cites: BTreeSet<u8>,
    ) -> Option<usize> {
        let number = self.next;
        self.next += 1;
        if self.banned.contains(&number) {
            return None;
        }
        let line = span.start().line;
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.chars().take(100).collect();
        self.found.push(Mutant { number, file: self.file.clone(), line, operator, text, cites });
        Some(number)
    }

    fn plain(&mut self, span: Span, operator: &'static str, text: String) -> Option<usize> {
        self.new_mutant(span, operator, text, BTreeSet::new())
    }

    /// `condition`, negated if a new mutant is on.
    fn negated(&mut self, condition: &Expr, span: Span) -> Expr {
        let text = quote!(#condition).to_string();
        match self.plain(span, "negate", text) {
            Some(n) => parse_quote!(crate::mutant::not(#n, #condition)),
            None => condition.clone(),
        }
    }

    /// The condition under which a droppable check runs.
    pub fn guard(&self, number: usize) -> Expr {
        let is_helper = self.functions.last().is_some_and(|function| function.is_helper);
        match is_helper && self.in_closure == 0 {
            true => parse_quote!(condition != #DROPPED && !crate::mutant::is(#number)),
            false => parse_quote!(!crate::mutant::is(#number)),
        }
    }

    /// True if the function returns only whether it refuses, and the position is not in a closure of it.
    pub fn gives_nothing(&self) -> bool {
        self.in_closure == 0 && self.functions.last().is_some_and(|f| f.gives_nothing)
    }

    pub fn names(&self) -> Names {
        self.functions.last().map(|function| function.names.clone()).unwrap_or_default()
    }

    pub fn citations(&self, expr: &Expr) -> BTreeSet<u8> {
        self.names().citations(expr, self.helpers)
    }

    /// `old` is the unmodified expression.
    fn binary(&mut self, mut binary: syn::ExprBinary, old: &syn::ExprBinary) -> Option<Expr> {
        let is_chain = |side: &Expr| matches!(side, Expr::Binary(of) if of.op == old.op);
        if matches!(old.op, BinOp::And(_)) && !has_let(&old.left) && !has_let(&old.right) {
            if !is_chain(&old.left) {
                self.quiet_side(&mut binary.left, &old.left);
            }
            self.quiet_side(&mut binary.right, &old.right);
        }
        let binary = &binary;
        let (left, right, span) = (&binary.left, &binary.right, binary.op.span());
        let text = quote!(#binary).to_string();
        let swapped = |op: BinOp| -> Expr {
            let mut other = binary.clone();
            other.op = op;
            Expr::Binary(other)
        };
        let swaps: Vec<BinOp> = match binary.op {
            BinOp::Lt(_) => vec![parse_quote!(<=), parse_quote!(>)],
            BinOp::Le(_) => vec![parse_quote!(<), parse_quote!(>)],
            BinOp::Gt(_) => vec![parse_quote!(>=), parse_quote!(<)],
            BinOp::Ge(_) => vec![parse_quote!(>), parse_quote!(<)],
            BinOp::Eq(_) | BinOp::Ne(_) => {
                return Some(self.negated(&Expr::Binary(binary.clone()), span));
            }
            BinOp::Add(_) => vec![parse_quote!(-)],
            BinOp::Sub(_) => vec![parse_quote!(+)],
            BinOp::And(_) | BinOp::Or(_) => {
                if has_let(left) || has_let(right) {
                    return None;
                }
                let is_and = matches!(binary.op, BinOp::And(_));
                let n = self.plain(span, if is_and { "&& to ||" } else { "|| to &&" }, text)?;
                // The left side is not copied, because it may be a long chain.
                return Some(match is_and {
                    true => {
                        parse_quote!({ let left = #left; if crate::mutant::is(#n) { left || (#right) } else { left && (#right) } })
                    }
                    false => {
                        parse_quote!({ let left = #left; if crate::mutant::is(#n) { left && (#right) } else { left || (#right) } })
                    }
                });
            }
            _ => return None,
        };
        let mut result = Expr::Binary(binary.clone());
        for op in swaps {
            let other = swapped(op);
            let operator = match op {
                BinOp::Add(_) | BinOp::Sub(_) => "+ and -",
                _ => "comparison",
            };
            if let Some(n) = self.plain(span, operator, text.clone()) {
                result = parse_quote!((if crate::mutant::is(#n) { #other } else { #result }));
            }
        }
        Some(result)
    }

    /// Makes statements optional that may be left out.
    fn statement(&mut self, stmt: &mut Stmt, before: &Stmt) {
        let Stmt::Expr(expr, Some(_)) = stmt else { return };
        let Stmt::Expr(old, _) = before else { return };
        let text = quote!(#old).to_string();
        let (operator, cites) = match old {
            Expr::Try(_) => ("drop check", self.citations(old)),
            Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) => {
                ("drop statement", BTreeSet::new())
            }
            Expr::Binary(_) => ("drop statement", BTreeSet::new()),
            _ => return,
        };
        if let Some(n) = self.new_mutant(old.span(), operator, text, cites) {
            let guard = self.guard(n);
            *stmt = match operator {
                "drop check" => parse_quote!(if #guard { #expr; }),
                _ => parse_quote!(if !crate::mutant::is(#n) { #expr; }),
            };
        }
    }

    /// Inserts `return default` at the start of a function's block.
    fn function(&mut self, signature: &syn::Signature, block: &mut Block) {
        if signature.constness.is_some() || signature.ident == "fmt" {
            return;
        }
        let gives = citation::output(signature);
        self.functions.push(Function {
            gives_nothing: gives.starts_with("Result<(),"),
            is_helper: signature.inputs.iter().any(citation::is_condition),
            names: Names::of(block, self.helpers),
        });
        let closures = std::mem::take(&mut self.in_closure);
        let stated = self.comments.above(signature.fn_token.span.start().line);
        let outer = std::mem::replace(&mut self.stated, stated);
        self.visit_block_mut(block);
        let stated = std::mem::replace(&mut self.stated, outer);
        self.in_closure = closures;
        self.functions.pop();
        let defaults: Vec<Expr> = match gives.as_str() {
            "bool" => vec![parse_quote!(true), parse_quote!(false)],
            "Verdict" => {
                vec![parse_quote!(Verdict::Proved), parse_quote!(Verdict::Unknown(String::new()))]
            }
            "usize" | "i64" | "u8" => vec![parse_quote!(0), parse_quote!(1)],
            "String" => vec![parse_quote!(String::new())],
            gives if gives.starts_with("Result<(),") => vec![parse_quote!(Ok(()))],
            gives if gives.starts_with("Option<") => vec![parse_quote!(None)],
            gives if gives.starts_with("Vec<") => vec![parse_quote!(vec![])],
            _ => vec![],
        };
        let name = signature.ident.to_string();
        for default in defaults {
            let text = format!("{name} gives {}", quote!(#default));
            // A function without a result does nothing then.
            let cites = match gives.as_str() {
                "bool" | "Verdict" => stated.clone(),
                gives if gives.starts_with("Result<(),") => stated.clone(),
                _ => BTreeSet::new(),
            };
            if let Some(n) = self.new_mutant(signature.ident.span(), "return default", text, cites)
            {
                block.stmts.insert(0, parse_quote!(if crate::mutant::is(#n) { return #default; }));
            }
        }
    }
}

impl VisitMut for Mutator<'_> {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if !is_test(&item.attrs) {
            let signature = item.sig.clone();
            self.function(&signature, &mut item.block);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        let signature = item.sig.clone();
        self.function(&signature, &mut item.block);
    }

    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        self.in_constant = true;
        visit_mut::visit_item_const_mut(self, item);
        self.in_constant = false;
    }

    fn visit_item_static_mut(&mut self, item: &mut syn::ItemStatic) {
        self.in_constant = true;
        visit_mut::visit_item_static_mut(self, item);
        self.in_constant = false;
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        let in_constant = std::mem::replace(&mut self.in_constant, false);
        self.in_closure += 1;
        visit_mut::visit_expr_closure_mut(self, closure);
        self.in_closure -= 1;
        self.in_constant = in_constant;
    }

    // Patterns contain no executed code.
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_block_mut(&mut self, block: &mut Block) {
        // If a block ends in a refusal, the condition of an `if` before it that returns determines whether it is
        // reached.
        let refusal = match block.stmts.last() {
            Some(Stmt::Expr(expr, None)) if self.names().is_refusal(expr) => {
                Some(self.citations(expr))
            }
            _ => None,
        };
        let last = block.stmts.iter().rposition(returns_value).filter(|_| refusal.is_some());
        for (n, stmt) in block.stmts.iter_mut().enumerate() {
            let before = stmt.clone();
            let outer = self.stated.clone();
            self.stated.extend(self.comments.above(before.span().start().line));
            self.visit_stmt_mut(stmt);
            self.stated = outer;
            if self.in_constant {
                continue;
            }
            self.statement(stmt, &before);
            if last == Some(n)
                && let Stmt::Expr(Expr::If(conditional), _) = stmt
                && let Some(cites) = &refusal
            {
                let text = quote!(#before).to_string();
                let new = self.new_mutant(before.span(), "drop check", text, cites.clone());
                if let Some(number) = new {
                    let (keeps, old) = (self.guard(number), (*conditional.cond).clone());
                    *conditional.cond = parse_quote!(!(#keeps) || (#old));
                }
            }
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.in_constant {
            visit_mut::visit_expr_mut(self, expr);
            return;
        }
        let span = expr.span();
        self.in_try &= matches!(expr, Expr::MethodCall(_));
        match expr {
            Expr::If(conditional) => {
                let cites = match self.names().refuses_at_end(&conditional.then_branch)
                    && returns(&conditional.then_branch)
                {
                    true => Some(self.citations(&block_expr(&conditional.then_branch))),
                    false => None,
                };
                let text = {
                    let condition = &conditional.cond;
                    quote!(#condition).to_string()
                };
                visit_mut::visit_expr_if_mut(self, conditional);
                let condition = (*conditional.cond).clone();
                if let Some(cites) = cites {
                    if let Some(n) = self.new_mutant(span, "drop check", text, cites) {
                        let guard = self.guard(n);
                        *conditional.cond = match has_let(&condition) {
                            true => parse_quote!(#guard && #condition),
                            false => parse_quote!(#guard && (#condition)),
                        };
                    }
                } else {
                    let is_quiet =
                        conditional.else_branch.is_none() && leaves(&conditional.then_branch);
                    if !has_let(&condition) {
                        *conditional.cond = self.negated(&condition, span);
                    }
                    if is_quiet {
                        self.quiet_branch(&mut conditional.cond, span);
                    }
                }
            }
            Expr::Match(this) => {
                let old = this.clone();
                let guards: Vec<Span> = this
                    .arms
                    .iter()
                    .map(|arm| arm.guard.as_ref().map_or(span, |(_, guard)| guard.span()))
                    .collect();
                visit_mut::visit_expr_match_mut(self, this);
                let is_literal = |arm: &syn::Arm| match &arm.pat {
                    Pat::Lit(lit) => matches!(lit.lit, Lit::Bool(_)),
                    _ => false,
                };
                if this.arms.iter().any(is_literal) {
                    let scrutinee = (*this.expr).clone();
                    *this.expr = self.negated(&scrutinee, span);
                    self.drop_choice(this, &old);
                }
                for (arm, at) in this.arms.iter_mut().zip(guards) {
                    if let Some((_, guard)) = &mut arm.guard
                        && !has_let(guard)
                    {
                        let old = (**guard).clone();
                        **guard = self.negated(&old, at);
                    }
                }
                self.arms(this, &old);
            }
            Expr::Return(this) => {
                // A refusal is dropped with the condition before it.
                match this.expr.as_deref_mut() {
                    Some(Expr::Call(call)) if is_err(call) => {
                        call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                    }
                    Some(other) => self.visit_expr_mut(other),
                    None => {}
                }
            }
            Expr::Call(call) => {
                let cites = self.citations(&Expr::Call(call.clone()));
                let is_refusal =
                    self.gives_nothing() && self.names().is_refusal(&Expr::Call(call.clone()));
                let text = quote!(#call).to_string();
                let number = self.helpers.place(call).and_then(|place| {
                    let argument = call.args.iter().nth(place)?;
                    Some((place, integer(argument)?))
                });
                visit_mut::visit_expr_call_mut(self, call);
                if let Some((place, condition)) = number
                    && let Some(n) =
                        self.new_mutant(span, "drop condition", text.clone(), cited(condition))
                    && let Some(argument) = call.args.iter_mut().nth(place)
                {
                    let old = argument.clone();
                    *argument = parse_quote!(if crate::mutant::is(#n) { #DROPPED } else { #old });
                }
                if is_refusal && let Some(n) = self.new_mutant(span, "drop check", text, cites) {
                    let guard = self.guard(n);
                    *expr = parse_quote!((if #guard { #call } else { Ok(()) }));
                }
            }
            Expr::Binary(_) => {
                let before = expr.clone();
                visit_mut::visit_expr_mut(self, expr);
                if let (Expr::Binary(binary), Expr::Binary(old)) = (&*expr, &before)
                    && let Some(changed) = self.binary(binary.clone(), old)
                {
                    *expr = changed;
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                visit_mut::visit_expr_unary_mut(self, unary);
                let old = Expr::Unary(unary.clone());
                *expr = self.negated(&old, span);
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                // The literal in a negation is not mutated: -1 is treated as one number.
                if !matches!(*unary.expr, Expr::Lit(_)) {
                    visit_mut::visit_expr_unary_mut(self, unary);
                }
            }
            Expr::Try(this) => {
                let old = (*this.expr).clone();
                self.in_try = true;
                self.visit_expr_mut(&mut this.expr);
                self.in_try = false;
                self.tried(expr, &old);
            }
            Expr::MethodCall(call) => {
                let is_last = !std::mem::take(&mut self.in_try);
                let before = call.clone();
                let old = Expr::MethodCall(call.clone());
                visit_mut::visit_expr_method_call_mut(self, call);
                self.quiet_call(call, &before);
                let other = match call.method.to_string().as_str() {
                    "any" => "all",
                    "all" => "any",
                    "is_positive" => "is_negative",
                    "is_negative" => "is_positive",
                    _ => return self.check_call(expr, &old, is_last),
                };
                let text = quote!(#call).to_string();
                let operator = match other.starts_with("is") {
                    true => "sign",
                    false => "any and all",
                };
                if let Some(n) = self.plain(call.method.span(), operator, text) {
                    let mut changed = call.clone();
                    changed.method = syn::Ident::new(other, call.method.span());
                    *expr = parse_quote!((if crate::mutant::is(#n) { #changed } else { #call }));
                }
            }
            Expr::Lit(lit) => {
                let text = quote!(#lit).to_string();
                match &lit.lit {
                    Lit::Int(number) => {
                        let Ok(value) = number.base10_parse::<u64>() else { return };
                        let more = syn::LitInt::new(
                            &format!("{}{}", value.wrapping_add(1), number.suffix()),
                            number.span(),
                        );
                        if let Some(n) = self.plain(span, "number + 1", text) {
                            *expr =
                                parse_quote!((if crate::mutant::is(#n) { #more } else { #lit }));
                        }
                    }
                    Lit::Bool(_) => {
                        if let Some(n) = self.plain(span, "negate", text) {
                            *expr = parse_quote!(crate::mutant::not(#n, #lit));
                        }
                    }
                    _ => {}
                }
            }
            Expr::Path(path) => {
                let text = quote!(#path).to_string();
                let other: Expr = match &*text {
                    "i64 :: is_positive" => parse_quote!(i64::is_negative),
                    "i64 :: is_negative" => parse_quote!(i64::is_positive),
                    _ => return,
                };
                if let Some(n) = self.plain(span, "sign", text) {
                    *expr = parse_quote!(|value| if crate::mutant::is(#n) { #other(value) } else { #path(value) });
                }
            }
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

fn block_expr(block: &Block) -> Expr {
    parse_quote!(#block)
}

/// True if a condition contains a `let`.
pub fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(paren) => has_let(&paren.expr),
        _ => false,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && quote!(#attribute).to_string().contains("test")
    })
}
