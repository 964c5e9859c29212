//! The predicates of `arith.cmpi`, as numbers.

pub(crate) const EQ: i64 = 0;
pub(crate) const NE: i64 = 1;
pub(crate) const SLT: i64 = 2;
pub(crate) const SLE: i64 = 3;
pub(crate) const SGT: i64 = 4;
pub(crate) const SGE: i64 = 5;
pub(crate) const ULT: i64 = 6;
pub(crate) const ULE: i64 = 7;
pub(crate) const UGT: i64 = 8;
pub(crate) const UGE: i64 = 9;
