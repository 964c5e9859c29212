//! The IR layer: MLIR handles, walks, builders and affine algebra.
//!
//! Must not depend on: any op of ours.

pub mod affine;
mod builder;
mod copied;

pub use crate::ffi::{
    Attribute, Block, Context, Elements, Error, FloatKind, IteratorKind, Location, Note, Op,
    OpSpec, Region, Reported, Severity, Structured, Type, TypeKind, Value, handle_of, parse_file,
    parse_file_in, parse_text_in, receive_all, receive_errors, remark, top,
};
pub use builder::Builder;
pub use copied::CopiedOp;

/// `root` and all ops nested in it, in pre-order. The list is collected first, so the IR may
/// change while the list is used.
pub fn walk<'c>(root: Op<'c>) -> Vec<Op<'c>> {
    let mut found = vec![];
    collect(root, &mut found);
    found
}

fn collect<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    found.push(op);
    for region in op.regions() {
        for block in region.blocks() {
            for inner in block.ops() {
                collect(inner, found);
            }
        }
    }
}

/// The ancestors of `op`, innermost first.
pub fn parents<'c>(op: Op<'c>) -> impl Iterator<Item = Op<'c>> {
    std::iter::successors(op.parent(), |op| op.parent())
}

/// A name that is not taken: the first of `base`, `base_1`, `base_2`, ...
pub fn fresh_name(base: &str, is_taken: &dyn Fn(&str) -> bool) -> String {
    let numbered = (1..).map(|i| format!("{base}_{i}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).expect("numbers do not end")
}

/// The op in whose region a value is defined: the parent of its defining op, or the op whose block argument
/// it is.
pub fn scope_of(value: Value) -> Option<Op> {
    match value.defining_op() {
        Some(op) => op.parent(),
        None => value.owner().and_then(|block| block.parent()),
    }
}

/// The value of an `arith.constant`.
pub fn constant_value(value: Value) -> Option<Attribute> {
    value.defining_op().filter(|op| op.is("arith.constant"))?.attribute("value")
}

/// The value of an integer or index `arith.constant`.
pub fn constant_integer(value: Value) -> Option<i64> {
    constant_value(value)?.as_i64()
}

/// True if `op` is `ancestor` or nested in it.
pub fn is_inside(op: Op, ancestor: Op) -> bool {
    op == ancestor || parents(op).any(|parent| parent == ancestor)
}
