//! The scalar bodies of the element-wise graph ops: one table row an op.

use crate::ir::{Builder, TypeKind, Value};

/// An element-wise op: its name, and a builder of one result element from the operands' elements.
pub struct ElementwiseRow {
    pub op: &'static str,
    pub body: for<'c> fn(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
}

/// All element-wise ops of the graph dialect.
pub const ROWS: &[ElementwiseRow] = &[
    ElementwiseRow { op: "graph.add", body: |b, x| either(b, x, "arith.addf", "arith.addi") },
    ElementwiseRow { op: "graph.sub", body: |b, x| either(b, x, "arith.subf", "arith.subi") },
    ElementwiseRow { op: "graph.mul", body: |b, x| either(b, x, "arith.mulf", "arith.muli") },
    ElementwiseRow { op: "graph.div", body: |b, x| either(b, x, "arith.divf", "arith.divsi") },
    ElementwiseRow { op: "graph.max", body: |b, x| either(b, x, "arith.maximumf", "arith.maxsi") },
    ElementwiseRow { op: "graph.min", body: |b, x| either(b, x, "arith.minimumf", "arith.minsi") },
    ElementwiseRow { op: "graph.exp", body: |b, x| b.op("math.exp", x, x[0].ty()) },
    ElementwiseRow { op: "graph.neg", body: neg },
    ElementwiseRow { op: "graph.relu", body: relu },
];

/// The row of an op, if it is element-wise.
pub fn row(op: &str) -> Option<&'static ElementwiseRow> {
    ROWS.iter().find(|row| row.op == op)
}

fn is_float(value: Value) -> bool {
    matches!(value.ty().kind(), TypeKind::Float(_))
}

/// The float or the integer op, according to the operands' type.
pub fn either<'c>(b: &Builder<'c>, x: &[Value<'c>], float: &str, int: &str) -> Value<'c> {
    b.op(if is_float(x[0]) { float } else { int }, x, x[0].ty())
}

fn neg<'c>(b: &Builder<'c>, x: &[Value<'c>]) -> Value<'c> {
    if is_float(x[0]) {
        return b.op("arith.negf", x, x[0].ty());
    }
    let zero = b.number(x[0].ty(), 0);
    b.op("arith.subi", &[zero, x[0]], x[0].ty())
}

fn relu<'c>(b: &Builder<'c>, x: &[Value<'c>]) -> Value<'c> {
    let zero = b.number(x[0].ty(), 0);
    either(b, &[x[0], zero], "arith.maximumf", "arith.maxsi")
}
