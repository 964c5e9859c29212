//! Divides a module of the LLVM dialect into parts that LLVM compiles independently of each other.
//!
//! ```text
//! func @main { addressof @task }            ->  part 0: func @main { addressof @task }, func hidden @task
//! func internal @task { call @body }            part 1: func hidden @task { call @body }, func internal @body { .. }
//! func internal @body { .. }
//! ```
//! A function is in one part with all functions that it calls, so inlining and calling conventions are those of the whole
//! module. A function whose address is taken, such as the task of a parallel loop, may be in another part: there it is
//! declared. Small constants are in each part that reads them, so that LLVM folds them; a part refers to other globals of
//! another part by name. Internal symbols of which another part knows are hidden instead:
//! [`merge`](super::merge::merge) makes them local again.
//!
//! The parts depend on the module only, so the code does not depend on the number of threads that compile it.
//!
//! The symbols that the module defines have other names in a part, by their order in it, as have the weights. So equal functions
//! of different modules are equal parts, also if their numbers in the modules differ, and one entry of a code cache.

use crate::ffi::parse_text_in;
use crate::ir::{Attribute, Block, Op, OpSpec, Region, Type, top, walk};
use melior::ir::Module;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Functions with fewer ops share a part, because LLVM's work for each module would be more than for them.
const LEAST_OPS: usize = 250;

/// Constants of at most so many elements are in each part that reads them.
const COPIED_LENGTH: usize = 1024;

/// A part of a module.
pub(super) struct Part<'c> {
    pub module: Module<'c>,
    /// The name of its largest function.
    pub name: String,
    /// The number of ops, in proportion to which LLVM's time grows.
    pub ops: usize,
    /// The names of the module by those of the part.
    pub names: HashMap<String, String>,
}

/// An op of the module that defines a symbol.
struct SymbolOp<'c> {
    op: Op<'c>,
    name: &'c str,
    ops: usize,
    /// The symbols of which its code knows, and those of them that it calls.
    references: BTreeSet<usize>,
    calls: BTreeSet<usize>,
}

impl SymbolOp<'_> {
    fn is_function(&self) -> bool {
        self.op.is("llvm.func")
    }

    /// True for a definition; declarations are in each part that needs them.
    fn is_defined(&self) -> bool {
        match self.is_function() {
            true => self.op.body(0).is_some(),
            false => {
                self.op.attribute("value").is_some()
                    || self.op.body(0).is_some()
                    || self.is_internal()
            }
        }
    }

    fn is_internal(&self) -> bool {
        let linkage = self.op.attribute("linkage").map(|it| it.to_string()).unwrap_or_default();
        linkage.contains("<internal>") || linkage.contains("<private>")
    }

    /// True for a constant that LLVM folds where it is read.
    fn is_copied(&self) -> bool {
        let length = || {
            let value = self.op.attribute("value")?;
            value.as_str().map(str::len).or_else(|| Some(value.as_elements()?.len()))
        };
        self.op.is("llvm.mlir.global")
            && self.op.attribute("constant").is_some()
            && self.is_internal()
            && length().is_some_and(|length| length <= COPIED_LENGTH)
    }
}

/// The parts of a module, in the order of their first functions. `None` if it is too small, or has other symbols than
/// functions and globals, such as aliases: then it is compiled as a whole.
pub(super) fn split(module: Op<'_>) -> Option<Vec<Part<'_>>> {
    let symbols = symbols(module)?;
    let groups = groups(&symbols);
    if groups.len() < 2 {
        return None;
    }
    // Each definition is in the first part that knows it, those that no part knows are in the first one.
    let mut part_of: HashMap<usize, usize> = HashMap::new();
    let mut known = vec![];
    for (part, group) in groups.iter().enumerate() {
        let reached = reached(&symbols, group);
        for symbol in group.iter().chain(&reached) {
            part_of.entry(*symbol).or_insert(part);
        }
        known.push(reached);
    }
    // A function is in its group, also if an earlier part has its address.
    for (part, group) in groups.iter().enumerate() {
        part_of.extend(group.iter().map(|function| (*function, part)));
    }
    let is_foreign = |part: usize, symbol: &usize| part_of.get(symbol) != Some(&part);
    let shared: HashSet<usize> = known
        .iter()
        .enumerate()
        .flat_map(|(part, known)| known.iter().filter(move |it| is_foreign(part, it)))
        .copied()
        .collect();
    let parts = groups.iter().zip(&known).enumerate().map(|(part, (group, known))| {
        let is_own = |symbol: &usize| part_of.get(symbol).map_or(part == 0, |own| *own == part);
        let name = group.iter().map(|it| &symbols[*it]).max_by_key(|it| it.ops);
        let new = parse_text_in(module.context(), "module {}", "part").expect("a valid module");
        let top = top(&new);
        for (name, attribute) in module.attributes() {
            top.set_attribute(name, attribute);
        }
        let body = top.body(0).expect("a module has a body");
        for (i, symbol) in symbols.iter().enumerate() {
            let op = match () {
                () if !symbol.is_defined() || symbol.is_copied() => {
                    known.contains(&i).then(|| symbol.op.clone_mapped(&[]))
                }
                () if is_own(&i) => {
                    let op = symbol.op.clone_mapped(&[]);
                    if shared.contains(&i) && symbol.is_internal() {
                        hide(op);
                    }
                    Some(op)
                }
                () => known.contains(&i).then(|| declaration(symbol)),
            };
            if let Some(op) = op {
                body.append(op);
            }
        }
        let ops = group.iter().map(|function| symbols[*function].ops).sum();
        let name = name.map(|it| it.name.to_owned()).unwrap_or_default();
        let names = rename(body);
        Part { module: new, name, ops, names }
    });
    Some(parts.collect())
}

/// The symbols of a module, in its order. `None` if there is one that is no function and no global.
fn symbols<'c>(module: Op<'c>) -> Option<Vec<SymbolOp<'c>>> {
    let ops = module.body(0)?.ops();
    let is_known = |op: &Op| op.is("llvm.func") || op.is("llvm.mlir.global");
    if !ops.iter().all(is_known) {
        return None;
    }
    let names: Vec<&str> = ops.iter().map(|op| op.symbol_name()).collect::<Option<_>>()?;
    let by_name: HashMap<&str, usize> =
        names.iter().enumerate().map(|(i, name)| (*name, i)).collect();
    let symbol = |(op, name): (Op<'c>, &'c str)| {
        let inner = walk(op);
        let (mut references, mut calls) = (BTreeSet::new(), BTreeSet::new());
        for op in &inner {
            let named = |(_, name): &(&str, &str)| by_name.get(name).copied();
            let found: Vec<usize> = named_by(*op).iter().filter_map(named).collect();
            // Every reference that is not known to be an address counts as a call.
            if !op.is("llvm.mlir.addressof") {
                calls.extend(&found);
            }
            references.extend(found);
        }
        SymbolOp { op, name, ops: inner.len(), references, calls }
    };
    Some(ops.into_iter().zip(names).map(symbol).collect())
}

/// The functions of each part: those that call each other, in order; small groups are merged with the next ones.
fn groups(symbols: &[SymbolOp]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..symbols.len()).collect();
    fn find(leader: &[usize], mut of: usize) -> usize {
        while leader[of] != of {
            of = leader[of];
        }
        of
    }
    let functions =
        || (0..symbols.len()).filter(|it| symbols[*it].is_function() && symbols[*it].is_defined());
    for caller in functions() {
        for callee in symbols[caller].calls.iter().filter(|it| symbols[**it].is_defined()) {
            let (a, b) = (find(&leader, caller), find(&leader, *callee));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut connected: Vec<Vec<usize>> = vec![vec![]; symbols.len()];
    functions().for_each(|function| connected[find(&leader, function)].push(function));
    let mut groups: Vec<Vec<usize>> = vec![];
    let mut is_full = true;
    for functions in connected.into_iter().filter(|it| !it.is_empty()) {
        match groups.last_mut().filter(|_| !is_full) {
            Some(group) => group.extend(functions),
            None => groups.push(functions),
        }
        let ops = |group: &Vec<usize>| group.iter().map(|it| symbols[*it].ops).sum::<usize>();
        is_full = groups.last().is_some_and(|group| ops(group) >= LEAST_OPS);
    }
    // What is left over is no part of its own.
    if !is_full && groups.len() > 1 {
        let rest = groups.pop().unwrap_or_default();
        groups.last_mut().expect("there were two").extend(rest);
    }
    groups
}

/// The symbols of which some functions know, also through globals.
fn reached(symbols: &[SymbolOp], functions: &[usize]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut left: Vec<usize> =
        functions.iter().flat_map(|it| symbols[*it].references.iter().copied()).collect();
    while let Some(symbol) = left.pop() {
        if found.insert(symbol) && !symbols[symbol].is_function() {
            left.extend(&symbols[symbol].references);
        }
    }
    found
}

/// The symbols that an op refers to, by the names of the attributes.
fn named_by<'c>(op: Op<'c>) -> Vec<(&'c str, &'c str)> {
    let attributes = op.attributes().into_iter();
    attributes.filter_map(|(name, attribute)| Some((name, attribute.as_symbol()?))).collect()
}

/// Gives the symbols of a part names by their order, and returns the names that they had. Declared functions, such as those of
/// libm, are known to LLVM by their names.
fn rename(part: Block) -> HashMap<String, String> {
    let mut new: HashMap<String, String> = HashMap::new();
    let ops = part.ops();
    let is_declared = |op: &&Op| op.is("llvm.func") && op.body(0).is_none() && !is_hidden(**op);
    for op in ops.iter().filter(|op| !is_declared(op)) {
        let name = op.symbol_name().expect("a symbol has a name").to_owned();
        let number = new.len();
        // A name with a dot is no name of C.
        let renamed = format!("part.{number}");
        op.set_attribute("sym_name", Attribute::string(op.context(), &renamed));
        new.insert(name, renamed);
    }
    for op in ops.into_iter().flat_map(walk) {
        for (attribute, name) in named_by(op) {
            if let Some(renamed) = new.get(name) {
                op.set_attribute(attribute, Attribute::symbol(op.context(), renamed));
            }
        }
    }
    new.into_iter().map(|(name, renamed)| (renamed, name)).collect()
}

/// True for a symbol that [`hide`] has changed.
fn is_hidden(op: Op) -> bool {
    op.attribute("visibility_").and_then(Attribute::as_i64) == Some(HIDDEN)
}

/// The value of `visibility_` for hidden symbols.
const HIDDEN: i64 = 1;

/// Makes an internal symbol visible to the other parts.
fn hide(op: Op) {
    let context = op.context();
    let external = Attribute::parse(context, "#llvm.linkage<external>").expect("valid text");
    op.set_attribute("linkage", external);
    op.set_attribute("visibility_", Attribute::integer(Type::integer(context, 64), HIDDEN));
}

/// The declaration of a symbol that another part defines.
fn declaration<'c>(symbol: &SymbolOp<'c>) -> Op<'c> {
    let op = symbol.op;
    let is_definition = |name: &str| matches!(name, "value" | "initializer");
    let mut spec = OpSpec::new(op.name(), op.location()).region(Region::new());
    for (name, attribute) in op.attributes().into_iter().filter(|(name, _)| !is_definition(name)) {
        spec = spec.attribute(name, attribute);
    }
    let declared = spec.create().expect("the op is registered");
    if symbol.is_internal() {
        hide(declared);
    }
    declared
}
