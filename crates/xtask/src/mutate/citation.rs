//! Finds which conditions (Cn) an expression cites, and whether it is a refusal.
//!
//! ```text
//! reason.at(node, 4)                          (C4)
//! role::check_no_barrier(summary, node, 5)    (C5), as the function has a parameter `condition`
//! roles.require_told(proofs, &loops, 10)      (C10)
//! check_reached(summary, node, [5, 6])        (C5), (C6), as the function has a parameter `conditions`
//! ScheduleError { condition: 6, ..error }     (C6)
//! let overflow = || Reason::..at(node, 5);    (C5), wherever `overflow` is named
//! refuse("it writes several", 3)              (C3), as the closure has a parameter `condition`
//! Error::on(op, format!("has .. (C2)"))       (C2), and so where `let message = format!(..)` is named
//! ```

use super::quiet::numbers;
use quote::quote;
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, ExprMethodCall, Lit, Pat, ReturnType, Stmt};

/// Functions that look up a name for a condition.
const LOOK_UP: &[&str] = &["buffer", "scope_of"];

/// The functions of all files that determine the meaning of a call.
#[derive(Default)]
pub struct Helpers {
    /// Functions with a parameter `condition`, and the index of that parameter.
    functions: HashMap<String, usize>,
    /// The same for methods; the receiver is not counted.
    methods: HashMap<String, usize>,
    /// Functions with a parameter `conditions`, which is an array, and the index of that parameter.
    several: HashMap<String, usize>,
    /// Functions that may return a list.
    lists: HashSet<String>,
}

impl Helpers {
    /// Adds the functions of a file.
    pub fn add(&mut self, file: &syn::File) {
        struct Finder<'h>(&'h mut Helpers);
        impl Finder<'_> {
            fn function(&mut self, signature: &syn::Signature, body: &Block) {
                let name = signature.ident.to_string();
                if output(signature).starts_with("Option<Vec<") {
                    self.0.lists.insert(name.clone());
                }
                if let Some(place) = signature.inputs.iter().position(is_conditions) {
                    self.0.several.insert(name.clone(), place);
                }
                let Some(place) = signature.inputs.iter().position(is_condition) else { return };
                // A name that is looked up must be found, so there is no refusal to drop.
                if quote!(#body).to_string().contains("ok_or_else") {
                    return;
                }
                match signature.receiver() {
                    Some(_) => self.0.methods.insert(name, place - 1),
                    None => self.0.functions.insert(name, place),
                };
            }
        }
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
                self.function(&item.sig, &item.block);
            }

            fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
                self.function(&item.sig, &item.block);
            }
        }
        Finder(self).visit_file(file);
    }

    /// The conditions of a file that require that something exists: cited where a value is looked up.
    pub fn looked_up(&self, file: &syn::File) -> BTreeSet<u8> {
        struct Finder<'h>(&'h Helpers, Names, BTreeSet<u8>);
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_block(&mut self, block: &'ast Block) {
                let outer = std::mem::replace(&mut self.1, Names::of(block, self.0));
                visit::visit_block(self, block);
                self.1 = outer;
            }

            fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
                if call.method == "ok_or_else" {
                    let cites = call.args.iter().map(|expr| self.1.citations(expr, self.0));
                    self.2.extend(cites.flatten());
                }
                visit::visit_expr_method_call(self, call);
            }

            fn visit_local(&mut self, local: &'ast syn::Local) {
                if let Some((_, otherwise)) = local.init.as_ref().and_then(|it| it.diverge.as_ref())
                {
                    self.2.extend(self.1.citations(otherwise, self.0));
                }
                visit::visit_local(self, local);
            }

            fn visit_arm(&mut self, arm: &'ast syn::Arm) {
                if self.1.refuses(&arm.body) {
                    self.2.extend(self.1.citations(&arm.body, self.0));
                }
                visit::visit_arm(self, arm);
            }

            fn visit_expr_call(&mut self, call: &'ast ExprCall) {
                // Calls of look-up helpers, which are not in `functions`: their integer arguments are conditions.
                if let Expr::Path(path) = &*call.func
                    && path
                        .path
                        .segments
                        .last()
                        .is_some_and(|name| LOOK_UP.contains(&&*name.ident.to_string()))
                {
                    self.2.extend(call.args.iter().filter_map(integer));
                }
                visit::visit_expr_call(self, call);
            }
        }
        let mut finder = Finder(self, Names::default(), BTreeSet::new());
        finder.visit_file(file);
        finder.2
    }

    /// The index of the argument of a call that is the number of a condition.
    pub fn place(&self, call: &ExprCall) -> Option<usize> {
        let Expr::Path(path) = &*call.func else { return None };
        self.functions.get(&path.path.segments.last()?.ident.to_string()).copied()
    }

    /// The conditions of a call with an array of conditions.
    fn several(&self, call: &ExprCall) -> Vec<u8> {
        let Expr::Path(path) = &*call.func else { return vec![] };
        let name = path.path.segments.last().map(|name| name.ident.to_string());
        let place = name.and_then(|name| self.several.get(&name).copied());
        match place.and_then(|place| call.args.iter().nth(place)) {
            Some(Expr::Repeat(this)) => integer(&this.expr).into_iter().collect(),
            Some(Expr::Array(this)) => this.elems.iter().filter_map(integer).collect(),
            _ => vec![],
        }
    }

    /// The same for a method call.
    pub fn method_place(&self, call: &ExprMethodCall) -> Option<usize> {
        self.methods.get(&call.method.to_string()).copied()
    }

    /// True if a chain of calls returns an optional number or list, so that 0 or an empty list can replace `None`.
    pub fn has_stand_in(&self, expr: &Expr) -> bool {
        match expr {
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                method.starts_with("checked_")
                    || method == "try_fold"
                    || self.has_stand_in(&call.receiver)
            }
            Expr::Call(call) => matches!(&*call.func, Expr::Path(path)
                if path.path.get_ident().is_some_and(|name| self.lists.contains(&name.to_string()))),
            _ => false,
        }
    }
}

/// The return type of a function, without spaces.
pub fn output(signature: &syn::Signature) -> String {
    match &signature.output {
        ReturnType::Type(_, ty) => quote!(#ty).to_string().replace(' ', ""),
        ReturnType::Default => String::new(),
    }
}

/// True if it is the parameter for the number of a condition.
pub fn is_condition(argument: &syn::FnArg) -> bool {
    is_named(argument, "condition")
}

fn is_conditions(argument: &syn::FnArg) -> bool {
    is_named(argument, "conditions")
}

fn is_named(argument: &syn::FnArg, wanted: &str) -> bool {
    matches!(argument, syn::FnArg::Typed(typed)
        if matches!(&*typed.pat, Pat::Ident(name) if name.ident == wanted))
}

/// True if it is the parameter of a closure for the number of a condition.
fn is_number(pattern: &Pat) -> bool {
    let pattern = if let Pat::Type(typed) = pattern { &*typed.pat } else { pattern };
    matches!(pattern, Pat::Ident(name) if name.ident == "condition")
}

/// The value of an integer literal.
pub fn integer(expr: &Expr) -> Option<u8> {
    match expr {
        Expr::Lit(syn::ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// The names in a function that represent a refusal, and the conditions that they cite.
#[derive(Clone, Debug, Default)]
pub struct Names {
    cites: HashMap<String, BTreeSet<u8>>,
    /// Closures with a parameter `condition`, and the index of that parameter.
    given: HashMap<String, usize>,
    /// Closures that return an error.
    refusing: HashSet<String>,
}

impl Names {
    /// Collects the names in a function's body.
    pub fn of(body: &Block, helpers: &Helpers) -> Names {
        struct Finder<'h>(Names, &'h Helpers);
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_local(&mut self, local: &'ast syn::Local) {
                visit::visit_local(self, local);
                let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { return };
                let (name, value) = (name.ident.to_string(), &*init.expr);
                if let Expr::Closure(closure) = value
                    && is_error_at_end(&closure.body, &self.0)
                {
                    self.0.refusing.insert(name.clone());
                }
                if let Expr::Closure(closure) = value
                    && let Some(place) = closure.inputs.iter().position(is_number)
                {
                    self.0.given.insert(name.clone(), place);
                }
                let is_error = match value {
                    Expr::Closure(_) | Expr::Macro(_) => true,
                    Expr::MethodCall(call) => call.method == "at" || call.method == "note",
                    _ => false,
                };
                let cites = self.0.citations(value, self.1);
                if is_error && !cites.is_empty() {
                    self.0.cites.insert(name, cites);
                }
            }
        }
        let mut finder = Finder(Names::default(), helpers);
        finder.visit_block(body);
        finder.0
    }

    /// The conditions that an expression cites.
    pub fn citations(&self, expr: &Expr, helpers: &Helpers) -> BTreeSet<u8> {
        struct Finder<'h>(&'h Helpers, &'h Names, BTreeSet<u8>);
        impl<'ast> Visit<'ast> for Finder<'_> {
            fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
                if call.method == "at" && call.args.len() == 2 {
                    self.2.extend(integer(&call.args[1]));
                }
                if let Some(place) = self.0.method_place(call) {
                    self.2.extend(call.args.iter().nth(place).and_then(integer));
                }
                visit::visit_expr_method_call(self, call);
            }

            fn visit_expr_call(&mut self, call: &'ast ExprCall) {
                self.2.extend(self.0.several(call));
                if let Some(place) = self.0.place(call) {
                    self.2.extend(call.args.iter().nth(place).and_then(integer));
                }
                if let Expr::Path(path) = &*call.func
                    && let Some(name) = path.path.get_ident()
                    && let Some(place) = self.1.given.get(&name.to_string())
                {
                    self.2.extend(call.args.iter().nth(*place).and_then(integer));
                }
                visit::visit_expr_call(self, call);
            }

            fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
                if matches!(&field.member, syn::Member::Named(name) if name == "condition") {
                    self.2.extend(integer(&field.expr));
                }
                visit::visit_field_value(self, field);
            }

            fn visit_macro(&mut self, text: &'ast syn::Macro) {
                self.2.extend(numbers(&text.tokens.to_string()));
            }

            fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
                self.2.extend(numbers(&text.value()));
            }

            fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
                if let Some(name) = path.path.get_ident()
                    && let Some(cites) = self.1.cites.get(&name.to_string())
                {
                    self.2.extend(cites);
                }
            }
        }
        let mut finder = Finder(helpers, self, BTreeSet::new());
        finder.visit_expr(expr);
        // There is no (C0): a check that is called as a query cites it.
        finder.2.remove(&0);
        finder.2
    }

    /// True if the value is an error.
    pub fn is_refusal(&self, expr: &Expr) -> bool {
        let Expr::Call(call) = expr else { return false };
        let named = |name: &syn::Ident| name == "Err" || self.refusing.contains(&name.to_string());
        matches!(&*call.func, Expr::Path(path) if path.path.get_ident().is_some_and(named))
    }

    /// True if the value of an arm or a branch is an error, or if it returns an error.
    pub fn refuses(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Return(this) => this.expr.as_deref().is_some_and(|value| self.is_refusal(value)),
            Expr::Block(block) => self.refuses_at_end(&block.block),
            other => self.is_refusal(other),
        }
    }

    /// True if a block ends in a refusal.
    pub fn refuses_at_end(&self, block: &Block) -> bool {
        block.stmts.last().is_some_and(|stmt| match stmt {
            Stmt::Expr(expr, _) => self.refuses(expr),
            _ => false,
        })
    }
}

fn is_error_at_end(body: &Expr, names: &Names) -> bool {
    match body {
        Expr::Block(block) => names.refuses_at_end(&block.block),
        other => names.is_refusal(other),
    }
}

/// True if a pattern binds no name.
pub fn binds_nothing(pattern: &Pat) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            // `None` is parsed as a name too.
            self.0 &= pattern.ident.to_string().starts_with(char::is_uppercase);
        }
    }
    let mut finder = Finder(true);
    finder.visit_pat(pattern);
    finder.0
}

/// True if a pattern contains a number or a text. Then a later arm takes the values that it does not match.
pub fn has_value(pattern: &Pat) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_lit(&mut self, lit: &'ast Lit) {
            self.0 |= !matches!(lit, Lit::Bool(_));
        }
    }
    let mut finder = Finder(false);
    finder.visit_pat(pattern);
    finder.0
}
