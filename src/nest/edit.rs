//! IR edits that primitives share: replace variables in maps, add predicates, set bindings, move ops.

use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{
    BlockSpec, BufferView, For, If, Reducer, ScheduleBlock, buffer_name, set_regions,
};
use crate::dialect::region;
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{
    Attribute, Block, Location, Op, OpSpec, Type, Value, is_inside, parents, scope_of, walk,
};
use crate::nest::derived_name;
use crate::nest::rewriter::Rewriter;
use crate::nest::size_order;
use crate::nest::summary::Iter;

/// An expression over values: [`Expr::Dim`] i is `variables[i]`, [`Expr::Symbol`] i is `sizes[i]`.
#[derive(Clone, Debug)]
pub struct BoundExpr<'c> {
    pub expr: Expr,
    pub variables: Vec<Value<'c>>,
    pub sizes: Vec<Value<'c>>,
}

/// Conditions over values, numbered as in [`Bound`].
#[derive(Clone, Debug)]
pub struct BoundConditions<'c> {
    pub constraints: Vec<Constraint>,
    pub variables: Vec<Value<'c>>,
    pub sizes: Vec<Value<'c>>,
}

/// Adds a copy of a buffer of the function, named after it with a number.
pub fn copy_buffer<'c>(function: Op<'c>, buffer: Value<'c>, number: usize) -> Value<'c> {
    let op = buffer.defining_op().expect("the buffer is no argument");
    let copy = op.clone_mapped(&[]);
    let made = walk(function).into_iter().filter(|op| op.is(BufferView::NAME));
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    let taken: Vec<String> =
        made.flat_map(|op| op.results()).chain(arguments).map(buffer_name).collect();
    let wanted = format!("{}_{number}", buffer_name(buffer));
    let name = derived_name::fresh(&wanted, &|name| taken.iter().any(|other| other == name));
    copy.set_attribute("name", Attribute::string(function.context(), &name));
    let next = op.next().expect("a function ends in a return");
    next.block().expect("it stands in a block").insert_before(next, copy);
    copy.result(0)
}

/// Replaces all uses of a loop's variable by `by`.
pub fn replace_variable<'c>(variable: Value<'c>, by: &BoundExpr<'c>) {
    replace_where(variable, by, &|_| true);
}

/// Replaces the uses of a loop's variable by `by` in `root` and in all ops nested in it.
pub fn replace_variable_in<'c>(root: Op<'c>, variable: Value<'c>, by: &BoundExpr<'c>) {
    replace_where(variable, by, &|user| user == root || is_inside(user, root));
}

fn replace_where<'c>(variable: Value<'c>, by: &BoundExpr<'c>, wanted: &dyn Fn(Op<'c>) -> bool) {
    let mut users: Vec<Op<'c>> = vec![];
    for (user, _) in variable.uses() {
        if !users.contains(&user) && wanted(user) {
            users.push(user);
        }
    }
    for user in users {
        match user.name() {
            For::NAME => {
                let view = For::of(user).expect("a verified loop");
                let (dims, symbols) = view.operands.split_at(view.extent.dims);
                let new = replaced(&view.extent.results, (dims, symbols), variable, by);
                set_extent(user, &new);
            }
            If::NAME => {
                let view = If::of(user).expect("a verified 'loop.if'");
                let (dims, symbols) = view.operands.split_at(view.condition.dims);
                let exprs = exprs_of(&view.condition.constraints);
                let new = replaced(&exprs, (dims, symbols), variable, by);
                set_condition(user, &view.condition.constraints, &new);
            }
            _ => {
                let view = ScheduleBlock::of(user).expect("a verified schedule block");
                let old = constraints_of(&view);
                let mut exprs = view.binding.clone();
                exprs.extend(exprs_of(&old));
                let new = replaced(&exprs, (&view.binds, &view.sizes), variable, by);
                set_binding(&view, &old, &new);
            }
        }
    }
}

/// Adds conditions to a block's predicate.
pub fn add_predicate<'c>(block: Op<'c>, conditions: &BoundConditions<'c>) {
    let view = ScheduleBlock::of(block).expect("a verified schedule block");
    let more = used(&exprs_of(&conditions.constraints), &conditions.variables, &conditions.sizes);
    let (variables, places) = joined(&view.binds, &more.variables);
    let (sizes, size_places) = joined(&view.sizes, &more.sizes);
    let moved =
        |expr: &Expr| expr.substitute(&|i| Expr::Dim(places[i]), &|i| Expr::Symbol(size_places[i]));
    let mut constraints = constraints_of(&view);
    let mut exprs = view.binding.clone();
    exprs.extend(exprs_of(&constraints));
    exprs.extend(more.exprs.iter().map(moved));
    constraints.extend(conditions.constraints.iter().cloned());
    set_binding(&view, &constraints, &BoundExprs { exprs, variables, sizes });
}

/// Adds those of `sizes` to a block that it does not have yet.
pub fn add_sizes<'c>(block: Op<'c>, sizes: &[Value<'c>]) {
    let view = ScheduleBlock::of(block).expect("a verified schedule block");
    let (sizes, _) = joined(&view.sizes, sizes);
    let constraints = constraints_of(&view);
    let mut exprs = view.binding.clone();
    exprs.extend(exprs_of(&constraints));
    set_binding(&view, &constraints, &BoundExprs { exprs, variables: view.binds.clone(), sizes });
}

/// Adds a spatial iter with domain `[0, domain)` to a block, and returns the iter's variable. The caller
/// must then derive the block's regions.
pub fn add_iter<'c>(block: Op<'c>, name: &str, domain: i64, bound: &BoundExpr<'c>) -> Value<'c> {
    let mut view = ScheduleBlock::of(block).expect("a verified schedule block");
    let bound = used(std::slice::from_ref(&bound.expr), &bound.variables, &bound.sizes);
    let (variables, places) = joined(&view.binds, &bound.variables);
    let (sizes, size_places) = joined(&view.sizes, &bound.sizes);
    let moved =
        bound.exprs[0].substitute(&|i| Expr::Dim(places[i]), &|i| Expr::Symbol(size_places[i]));
    let (context, symbols) = (block.context(), view.sizes.len());
    let mut names: Vec<&str> = view.iters.iter().map(|iter| iter.name.as_str()).collect();
    names.push(name);
    let mut roles: Vec<i32> = view.iters.iter().map(|iter| iter.role as i32).collect();
    roles.push(IterRole::Spatial as i32);
    let mut domains: Vec<Vec<Expr>> = view.iters.iter().map(|i| i.domain.clone()).collect();
    domains.push(vec![domain.into()]);
    let domains: Vec<Map> =
        domains.into_iter().map(|results| Map { dims: 0, symbols, results }).collect();
    let index = Type::index(context);
    let variable = view.body.insert_argument(view.iters.len(), index, block.location());
    block.set_attribute("iter_names", Attribute::strings(context, &names));
    block.set_attribute("roles", Attribute::dense_i32(context, &roles));
    block.set_attribute("domains", Attribute::maps(context, &domains));
    view.binding.push(moved);
    let constraints = constraints_of(&view);
    let mut exprs = view.binding.clone();
    exprs.extend(exprs_of(&constraints));
    set_binding(&view, &constraints, &BoundExprs { exprs, variables, sizes });
    variable
}

/// Sets the conditions of a `loop.if`.
pub fn set_condition_of<'c>(
    op: Op<'c>,
    conditions: &[Constraint],
    (variables, sizes): (&[Value<'c>], &[Value<'c>]),
) {
    let (variables, sizes) = (variables.to_vec(), sizes.to_vec());
    set_condition(op, conditions, &BoundExprs { exprs: exprs_of(conditions), variables, sizes });
}

/// Sets the extent of a loop to the minimum of these expressions.
pub fn set_loop_extent<'c>(
    op: Op<'c>,
    extent: &[Expr],
    (variables, sizes): (&[Value<'c>], &[Value<'c>]),
) {
    let (variables, sizes) = (variables.to_vec(), sizes.to_vec());
    set_extent(op, &BoundExprs { exprs: extent.to_vec(), variables, sizes });
}

/// An iter of a new schedule block. Its expressions use the numbers of the summary.
#[derive(Clone, Debug)]
pub struct NewIter {
    pub name: String,
    pub role: IterRole,
    pub domain: Vec<Expr>,
    pub binding: Expr,
}

impl NewIter {
    /// A copy of an existing iter, with the same binding.
    pub fn of((iter, binding): (&Iter, &Expr)) -> Self {
        let (name, domain) = (iter.name.clone(), iter.domain.clone());
        NewIter { name, role: iter.role, domain, binding: binding.clone() }
    }
}

/// The parts of a new schedule block, without its body. Expressions use the numbers of the summary.
#[derive(Clone, Debug)]
pub struct NewBlock<'c> {
    pub name: String,
    pub iters: Vec<NewIter>,
    pub predicate: Vec<Constraint>,
    pub reducer: Option<Reducer<'c>>,
}

impl<'c> NewBlock<'c> {
    /// Creates the op, detached. `variables` and `sizes` are the values of the numbers in the expressions;
    /// `more_sizes` are the sizes that the body uses.
    pub fn create(
        &self,
        location: Location<'c>,
        (variables, sizes): (&[Value<'c>], &[Value<'c>]),
        more_sizes: &[Value<'c>],
    ) -> Op<'c> {
        let mut exprs: Vec<Expr> = self.iters.iter().map(|iter| iter.binding.clone()).collect();
        exprs.extend(exprs_of(&self.predicate));
        let domains = self.iters.iter().flat_map(|iter| &iter.domain);
        let mut used: Vec<Value<'c>> = vec![];
        for expr in domains.chain(&exprs) {
            expr.visit_leaves(&mut |leaf| {
                if let Expr::Symbol(i) = leaf
                    && !used.contains(&sizes[*i])
                {
                    used.push(sizes[*i]);
                }
            });
        }
        let (used, _) = joined(&used, more_sizes);
        let place = |i: usize| used.iter().position(|v| *v == sizes[i]).expect("collected above");
        let moved = |e: &Expr| e.substitute(&Expr::Dim, &|i| Expr::Symbol(place(i))).simplified();
        let (exprs, binds) = used_dims(&exprs.iter().map(moved).collect::<Vec<_>>(), variables);
        let (binding, conditions) = exprs.split_at(self.iters.len());
        let set = IntegerSet {
            dims: binds.len(),
            symbols: used.len(),
            constraints: with_exprs(&self.predicate, conditions.to_vec()),
        };
        let iter = |iter: &NewIter| {
            (iter.name.clone(), iter.role, iter.domain.iter().map(moved).collect())
        };
        let op = BlockSpec {
            name: self.name.clone(),
            iters: self.iters.iter().map(iter).collect(),
            sizes: used.clone(),
            binds,
            binding: binding.to_vec(),
            predicate: (!self.predicate.is_empty()).then_some(set),
            reducer: self.reducer.clone(),
        }
        .create(location);
        size_order::restore(op);
        op
    }
}

/// Sets the binding and the predicate of a block, both over these variables and sizes.
pub fn set_binding_of<'c>(
    block: Op<'c>,
    binding: &[Expr],
    predicate: &[Constraint],
    (variables, sizes): (&[Value<'c>], &[Value<'c>]),
) {
    let view = ScheduleBlock::of(block).expect("a verified schedule block");
    // The block's own sizes keep their numbers, because domains and regions use them.
    let mut used = vec![];
    let mut exprs = binding.to_vec();
    exprs.extend(exprs_of(predicate));
    for expr in &exprs {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(s) = leaf {
                used.push(sizes[*s]);
            }
        });
    }
    let (all, _) = joined(&view.sizes, &used);
    let symbol = |s: usize| {
        let place = all.iter().position(|size| *size == sizes[s]);
        Expr::Symbol(place.expect("collected above"))
    };
    let exprs = exprs.iter().map(|e| e.substitute(&Expr::Dim, &symbol).simplified()).collect();
    set_binding(&view, predicate, &BoundExprs { exprs, variables: variables.to_vec(), sizes: all });
}

/// Erases a loop or branch that has become empty, and the enclosing ones that are empty without it.
pub fn erase_emptied<'c>(op: Op<'c>, rewriter: &mut dyn Rewriter<'c>) {
    let mut emptied = None;
    let mut next = Some(op);
    let mut left = 0;
    while let Some(op) = next {
        let bodies = op.regions().into_iter().flat_map(|region| region.blocks());
        let inside = bodies.map(|body| body.ops().len() - 1).sum::<usize>();
        if !(op.is(For::NAME) || op.is(If::NAME)) || inside > left {
            break;
        }
        (emptied, next, left) = (Some(op), op.parent(), 1);
    }
    if let Some(op) = emptied {
        rewriter.erase(op);
    }
}

/// Moves all ops of a basic block except its terminator to another one, before the terminator there.
pub fn move_ops<'c>(from: Block<'c>, to: Block<'c>) {
    move_ops_before(from, to.end());
}

/// Moves all ops of a basic block except its terminator to the position before an op.
pub fn move_ops_before<'c>(from: Block<'c>, place: Op<'c>) {
    let mut ops = from.ops();
    ops.pop();
    ops.into_iter().for_each(|op| op.move_before(place));
}

/// Inserts a barrier, `loop.sync`, before an op.
pub fn insert_barrier(before: Op, location: Location) {
    let barrier = OpSpec::new("loop.sync", location).create();
    let barrier = barrier.expect("the loop dialect is loaded");
    before.block().expect("a loop or schedule block is in a block").insert_before(before, barrier);
}

/// Marks the arguments of a function that the schedule blocks under an op of it write to as results.
pub fn mark_results(function: Op, root: Op) {
    let blocks = walk(root).into_iter().filter_map(|op| ScheduleBlock::of(op).ok());
    for buffer in blocks.flat_map(|block| block.writes).map(|region| region.buffer) {
        let index = buffer.index();
        let is_marked = || function.argument_attribute(index, "loop.result").is_some();
        if buffer.defining_op().is_none() && !is_marked() {
            let mark = Attribute::unit(function.context());
            function.set_argument_attribute(index, "loop.result", mark);
        }
    }
}

/// Widens the regions of the schedule blocks that enclose an op, after changes to loops in them. A region
/// is derived again if the declared one no longer provably covers all accesses. Accesses that a predicate
/// excludes count as accessed.
pub fn widen_regions(op: Op) {
    let nests: Vec<_> = parents(op).filter(|parent| parent.is(ScheduleBlock::NAME)).collect();
    for nest in nests {
        let view = ScheduleBlock::of(nest).expect("a verified schedule block");
        if !region::are_declared(&view) {
            derive_regions(nest);
        }
    }
}

/// Sets the regions of a schedule block to the accesses of its body.
pub fn derive_regions(op: Op) {
    let view = ScheduleBlock::of(op).expect("a verified schedule block");
    let regions = region::derive(&view).expect("a verified schedule block");
    set_regions(&view, &regions.reads, &regions.writes);
    size_order::restore(op);
}

/// The range of a loop variable or block iter with a constant extent or domain, both ends included.
fn interval(value: Value) -> Option<(i64, i64)> {
    let scope = scope_of(value)?;
    let extent = match scope.name() {
        For::NAME => For::of(scope).ok()?.constant_extent()?,
        ScheduleBlock::NAME => {
            let view = ScheduleBlock::of(scope).ok()?;
            view.iters[value.index()].domain.iter().filter_map(Expr::constant).min()?
        }
        _ => return None,
    };
    Some((0, extent.max(1) - 1))
}

/// Expressions and the values that they are over.
struct BoundExprs<'c> {
    exprs: Vec<Expr>,
    variables: Vec<Value<'c>>,
    sizes: Vec<Value<'c>>,
}

/// Replaces `variable` in expressions over these dims and symbols, and simplifies them.
fn replaced<'c>(
    exprs: &[Expr],
    (dims, symbols): (&[Value<'c>], &[Value<'c>]),
    variable: Value<'c>,
    by: &BoundExpr<'c>,
) -> BoundExprs<'c> {
    let by = used(std::slice::from_ref(&by.expr), &by.variables, &by.sizes);
    // Each value occurs once, so that equal terms are recognized as equal.
    let (sizes, size_places) = joined(symbols, &by.sizes);
    let (variables, places) = joined(dims, &by.variables);
    let moved =
        by.exprs[0].substitute(&|i| Expr::Dim(places[i]), &|i| Expr::Symbol(size_places[i]));
    let dim = |i: usize| if dims[i] == variable { moved.clone() } else { Expr::Dim(i) };
    let range = |leaf: &Expr| match leaf {
        Expr::Dim(i) => interval(variables[*i]),
        _ => None,
    };
    let replaced = |e: &Expr| e.substitute(&dim, &Expr::Symbol).simplified_within(&range);
    BoundExprs { exprs: exprs.iter().map(replaced).collect(), variables, sizes }
}

/// Expressions with only the values that occur in them: the others may be defined after the place of use.
fn used<'c>(exprs: &[Expr], variables: &[Value<'c>], sizes: &[Value<'c>]) -> BoundExprs<'c> {
    let map = Map { dims: variables.len(), symbols: sizes.len(), results: exprs.to_vec() };
    let (map, mut operands) = map.compressed(variables, sizes);
    let sizes = operands.split_off(map.dims);
    BoundExprs { exprs: map.results, variables: operands, sizes }
}

/// The first list, followed by the values that only the second has, and the index of each value of the
/// second.
fn joined<'c>(first: &[Value<'c>], second: &[Value<'c>]) -> (Vec<Value<'c>>, Vec<usize>) {
    let mut all = first.to_vec();
    let places = second.iter().map(|value| {
        all.iter().position(|v| v == value).unwrap_or_else(|| {
            all.push(*value);
            all.len() - 1
        })
    });
    let places = places.collect();
    (all, places)
}

fn constraints_of(view: &ScheduleBlock) -> Vec<Constraint> {
    view.predicate.as_ref().map(|set| set.constraints.clone()).unwrap_or_default()
}

fn exprs_of(constraints: &[Constraint]) -> Vec<Expr> {
    constraints.iter().map(|c| c.expr().clone()).collect()
}

fn with_exprs(constraints: &[Constraint], exprs: Vec<Expr>) -> Vec<Constraint> {
    constraints.iter().zip(exprs).map(|(old, expr)| old.on(expr)).collect()
}

/// Sets an extent. A constant below 0 becomes 0, because both mean no iterations.
fn set_extent<'c>(op: Op<'c>, new: &BoundExprs<'c>) {
    let (mut map, operands) = compressed(new);
    for expr in &mut map.results {
        if expr.constant().is_some_and(|extent| extent < 0) {
            *expr = 0.into();
        }
    }
    op.set_operands(&operands);
    op.set_attribute("extent", map.to_attribute(op.context()));
}

fn set_condition<'c>(op: Op<'c>, old: &[Constraint], new: &BoundExprs<'c>) {
    let (map, operands) = compressed(new);
    let constraints = with_exprs(old, map.results);
    let set = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };
    op.set_operands(&operands);
    op.set_attribute("condition", set.to_attribute(op.context()));
}

fn compressed<'c>(new: &BoundExprs<'c>) -> (Map, Vec<Value<'c>>) {
    let (dims, symbols) = (new.variables.len(), new.sizes.len());
    Map { dims, symbols, results: new.exprs.clone() }.compressed(&new.variables, &new.sizes)
}

/// Sets the binding and then the predicate of a block. The block keeps all its sizes, because domains and
/// regions use them too.
fn set_binding<'c>(view: &ScheduleBlock<'c>, predicate: &[Constraint], new: &BoundExprs<'c>) {
    let (op, context, symbols) = (view.op, view.op.context(), new.sizes.len());
    let (mut exprs, used) = used_dims(&new.exprs, &new.variables);
    let conditions = exprs.split_off(view.binding.len());
    let mut operands = new.sizes.clone();
    operands.extend(&used);
    operands.extend(view.reads.iter().map(|region| region.buffer));
    operands.extend(view.writes.iter().map(|region| region.buffer));
    let segments = [symbols, used.len(), view.reads.len(), view.writes.len()].map(|n| n as i32);
    op.set_operands(&operands);
    op.set_attribute("operandSegmentSizes", Attribute::dense_i32(context, &segments));
    let map = Map { dims: used.len(), symbols, results: exprs };
    op.set_attribute("binding", map.to_attribute(context));
    if predicate.is_empty() {
        op.remove_attribute("predicate");
    } else {
        let constraints = with_exprs(predicate, conditions);
        let set = IntegerSet { dims: used.len(), symbols, constraints };
        op.set_attribute("predicate", set.to_attribute(context));
    }
    if symbols != view.sizes.len() {
        let names = ["domains", "read_offsets", "read_extents", "write_offsets", "write_extents"];
        for name in names {
            let maps = op.attribute(name).and_then(Attribute::as_array).unwrap_or_default();
            let more = |map: Attribute| Map { symbols, ..map.as_map().expect("a verified block") };
            let maps: Vec<_> = maps.into_iter().map(more).collect();
            op.set_attribute(name, Attribute::maps(context, &maps));
        }
    }
    size_order::restore(op);
}

/// Rewrites expressions so that they have only the dims that occur in them, each once. Returns these dims
/// too.
fn used_dims<'c>(exprs: &[Expr], dims: &[Value<'c>]) -> (Vec<Expr>, Vec<Value<'c>>) {
    let mut used: Vec<Value<'c>> = vec![];
    for expr in exprs {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(i) = leaf
                && !used.contains(&dims[*i])
            {
                used.push(dims[*i]);
            }
        });
    }
    let place = |i: usize| used.iter().position(|v| *v == dims[i]).expect("collected above");
    let exprs = exprs.iter().map(|e| e.substitute(&|i| Expr::Dim(place(i)), &Expr::Symbol));
    (exprs.collect(), used)
}
