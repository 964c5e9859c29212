//! Reads the form of an argmax-style reduction for the summary.

use super::SummaryReader;
use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::{reducer, region};
use crate::ir::{Attribute, TypeKind};
use crate::nest::summary::ArgReduction;

impl<'c> SummaryReader<'c> {
    pub(crate) fn arg_reduction(&mut self, view: &ScheduleBlock<'c>) -> Option<ArgReduction> {
        let found = reducer::arg_update::of_block(view)?;
        let op = found.k.defining_op();
        let cast = op.filter(|op| op.is("arith.index_cast"));
        let index = cast.and_then(|op| region::index_expr(view, op.operand(0)));
        let iters: Vec<_> = view.iters.iter().map(|iter| iter.variable).collect();
        let index = index.and_then(|e| self.exprs(&[e], &iters, &view.sizes).pop());
        let load = op.filter(|op| op.is("memref.load"));
        let start = |i| reducer::arg_update::start(view, i);
        let TypeKind::Integer(index_bits) = found.k.ty().kind() else { return None };
        Some(ArgReduction {
            by_comparison: found.by_comparison,
            breaks_ties: found.breaks_ties && found.by_comparison,
            of_floats: matches!(found.x.ty().kind(), TypeKind::Float(_)),
            index,
            index_from: load.map(|op| self.buffer(op.operand(0))),
            index_bits,
            start: start(1).and_then(Attribute::as_i64),
            starts_at_identity: start(0).is_some_and(|value| {
                let lowest = found.combiner.identities(&[found.x.ty(), found.k.ty()])[0];
                match lowest.as_f64() {
                    Some(infinite) => value.as_f64() == Some(infinite),
                    None => value.as_i64() == lowest.as_i64(),
                }
            }),
        })
    }
}
