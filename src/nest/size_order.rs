//! Canonical order of a schedule block's sizes: that of their first occurrence in its text.
//!
//! The parser numbers sizes in this order, and products and sums of sizes are printed in the order of their
//! numbers. In any other order, a block would not survive a print-parse round trip unchanged.

use crate::dialect::loop_op::{AccessRegion, RegionDim, ScheduleBlock, set_regions};
use crate::ir::affine::{Expr, IntegerSet, Map};
use crate::ir::{Attribute, Op, Value};

/// The maximal number of passes: a new order may reorder terms, and so change which size occurs first.
const ROUNDS: usize = 4;

/// Restores the canonical order of a block's sizes.
pub fn restore(block: Op) {
    for _ in 0..ROUNDS {
        let view = ScheduleBlock::of(block).expect("a verified schedule block");
        let order = appearance(&view);
        if order.is_sorted() {
            return;
        }
        renumber(&view, &order);
    }
}

/// The numbers of all sizes in the order of their first occurrence; sizes that do not occur are last.
fn appearance(view: &ScheduleBlock) -> Vec<usize> {
    let mut order = vec![];
    let mut visit = |expr: &Expr| {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(size) = leaf
                && !order.contains(size)
            {
                order.push(*size);
            }
        });
    };
    view.iters.iter().flat_map(|iter| &iter.domain).for_each(&mut visit);
    view.binding.iter().for_each(&mut visit);
    if let Some(set) = &view.predicate {
        set.constraints.iter().for_each(|constraint| visit(constraint.expr()));
    }
    for span in view.reads.iter().chain(&view.writes).flat_map(|region| &region.spans) {
        if let RegionDim::Range { offset, extent } = span {
            visit(offset);
            visit(extent);
        }
    }
    let rest = (0..view.sizes.len()).filter(|size| !order.contains(size));
    let rest: Vec<usize> = rest.collect();
    order.extend(rest);
    order
}

/// Gives size `order[i]` the number i.
fn renumber<'c>(view: &ScheduleBlock<'c>, order: &[usize]) {
    let (op, context, symbols) = (view.op, view.op.context(), view.sizes.len());
    let number = |size: usize| {
        Expr::Symbol(order.iter().position(|other| *other == size).expect("all are in it"))
    };
    let moved = |expr: &Expr| expr.substitute(&Expr::Dim, &number).simplified();
    let all = |exprs: &[Expr]| exprs.iter().map(moved).collect::<Vec<_>>();

    let domain = |exprs: &[Expr]| Map { dims: 0, symbols, results: all(exprs) };
    let domains: Vec<Map> = view.iters.iter().map(|iter| domain(&iter.domain)).collect();
    op.set_attribute("domains", Attribute::maps(context, &domains));
    let dims = view.binds.len();
    let binding = Map { dims, symbols, results: all(&view.binding) };
    op.set_attribute("binding", binding.to_attribute(context));
    if let Some(set) = &view.predicate {
        let constraints = set.constraints.iter().map(|c| c.on(moved(c.expr()))).collect();
        op.set_attribute(
            "predicate",
            IntegerSet { dims, symbols, constraints }.to_attribute(context),
        );
    }
    let region = |region: &AccessRegion<'c>| {
        let span = |span: &RegionDim| match span {
            RegionDim::Whole => RegionDim::Whole,
            RegionDim::Range { offset, extent } => {
                RegionDim::Range { offset: moved(offset), extent: moved(extent) }
            }
        };
        AccessRegion { spans: region.spans.iter().map(span).collect(), ..region.clone() }
    };
    let sizes: Vec<Value> = order.iter().map(|size| view.sizes[*size]).collect();
    let reads: Vec<_> = view.reads.iter().map(region).collect();
    let writes: Vec<_> = view.writes.iter().map(region).collect();
    set_regions(&ScheduleBlock { sizes, ..view.clone() }, &reads, &writes);
}
