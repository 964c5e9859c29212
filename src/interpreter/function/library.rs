//! libm functions that a module only declares: each is run as the math op of the same meaning.

use crate::interpreter::scalar::ScalarType;
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::value::Datum;
use crate::ir::{FloatKind, Op};

/// Name, type and op.
const FUNCTIONS: &[(&str, FloatKind, &str)] = &[("expm1", FloatKind::F64, "math.expm1")];

/// The result of a declared function for these arguments; `None` if it has a body or is not supported.
pub fn call(function: Op, arguments: &[Datum]) -> Option<Datum> {
    let name = function.symbol_name()?;
    let (_, kind, op) = FUNCTIONS.iter().find(|row| row.0 == name)?;
    if function.body(0).is_some() {
        return None;
    }
    let scalar = |datum: &Datum| match datum {
        Datum::Scalar(scalar) => Some(*scalar),
        Datum::Tensor(_) | Datum::Buffer(_) => None,
    };
    let arguments: Vec<_> = arguments.iter().map(scalar).collect::<Option<_>>()?;
    let result = ScalarOp::named(op, ScalarType::Float(*kind))?.apply(&arguments).ok()?;
    Some(Datum::Scalar(result))
}
