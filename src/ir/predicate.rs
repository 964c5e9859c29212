//! The predicates of `arith.cmpi` and `arith.cmpf`, as numbers.

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

/// Of floats: O.. are false if an operand is NaN, U.. are true.
pub(crate) mod float {
    pub(crate) const OEQ: i64 = 1;
    pub(crate) const OGT: i64 = 2;
    pub(crate) const OGE: i64 = 3;
    pub(crate) const OLT: i64 = 4;
    pub(crate) const OLE: i64 = 5;
    pub(crate) const UGT: i64 = 9;
    pub(crate) const ULT: i64 = 11;
    pub(crate) const UNE: i64 = 13;
    /// True only if an operand is NaN.
    pub(crate) const UNO: i64 = 14;
}
