//! Hoists sizes from the bodies of loops and branches: a result of a loop or branch has its sizes outside.

use crate::builder::{Builder, Value};
use crate::element::Element;
use crate::size::Size;
use melior::ir::operation::{OperationLike, OperationRef, OperationResult};
use melior::ir::{Type, TypeLike, ValueLike};

/// The ops that are hoisted.
const HOISTED: &[&str] = &[
    "arith.addi",
    "arith.floordivsi",
    "arith.maxsi",
    "arith.minsi",
    "arith.muli",
    "arith.subi",
    "tensor.dim",
];

/// A size that more ops compute is not hoisted, and not compared.
const MOST_OPS: usize = 256;

/// The op that computes a value. None for an argument of a block.
fn op_of<'c>(value: Value<'c>) -> Option<OperationRef<'c, 'c>> {
    OperationResult::try_from(value).ok().map(|result| result.owner())
}

impl<'c> Builder<'c> {
    /// The size as a value of this block, which encloses `body`: arithmetic on sizes is repeated here. None if the size
    /// depends on other values of `body`.
    pub fn hoisted(&self, size: Size<'c>, body: &Builder<'c>) -> Option<Size<'c>> {
        let mut fuel = MOST_OPS;
        Some(match size {
            Size::Known(_) => size,
            Size::Dynamic(value) => Size::Dynamic(self.hoisted_value(value, body, &mut fuel)?),
        })
    }

    fn hoisted_value(
        &self,
        value: Value<'c>,
        body: &Builder<'c>,
        fuel: &mut usize,
    ) -> Option<Value<'c>> {
        let Some(op) = op_of(value) else { return (!body.has_argument(value)).then_some(value) };
        if !body.has_op(op) {
            return Some(value);
        }
        *fuel = fuel.checked_sub(1)?;
        let name = op.name();
        let name = name.as_string_ref();
        let name = name.as_str().ok()?;
        if name == "arith.constant" && value.r#type().is_index() {
            return Some(
                self.constant(op.attribute("value").ok()?, Element::Index.ty(self.context())),
            );
        }
        if !HOISTED.contains(&name) {
            return None;
        }
        let operands: Option<Vec<_>> =
            op.operands().map(|operand| self.hoisted_value(operand, body, fuel)).collect();
        Some(self.op(name, &operands?, Type::index(self.context())))
    }

    /// True if two sizes are computed by the same ops from the same values.
    pub fn is_same_size(&self, x: Size<'c>, y: Size<'c>) -> bool {
        match (x, y) {
            (Size::Dynamic(x), Size::Dynamic(y)) => is_same_value(x, y, &mut MOST_OPS.clone()),
            (x, y) => x == y,
        }
    }
}

fn is_same_value<'c>(x: Value<'c>, y: Value<'c>, fuel: &mut usize) -> bool {
    if x == y {
        return true;
    }
    let (Some(left), Some(right)) = (op_of(x), op_of(y)) else { return false };
    let Some(rest) = fuel.checked_sub(1) else { return false };
    *fuel = rest;
    let is = |name: &str| {
        left.name() == right.name() && left.name().as_string_ref().as_str() == Ok(name)
    };
    if is("arith.constant") {
        return left.attribute("value").ok() == right.attribute("value").ok();
    }
    HOISTED.iter().any(|name| is(name))
        && left.operand_count() == right.operand_count()
        && left.operands().zip(right.operands()).all(|(x, y)| is_same_value(x, y, fuel))
}
