//! `affine.apply`, `affine.min` and `affine.max`, decoded.

use crate::ir::Op;
use crate::ir::affine::Map;

/// One of `affine.apply`, `affine.min` and `affine.max`.
#[derive(Clone)]
pub struct AffineOp {
    map: Map,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Apply,
    Min,
    Max,
}

impl AffineOp {
    pub fn of(op: Op) -> Option<AffineOp> {
        let kind = match op.name() {
            "affine.apply" => Kind::Apply,
            "affine.min" => Kind::Min,
            "affine.max" => Kind::Max,
            _ => return None,
        };
        Some(AffineOp { map: op.attribute("map")?.as_map()?, kind })
    }

    /// The result for the op's operands: dims, then symbols.
    pub fn apply(&self, operands: &[i64]) -> Result<i64, String> {
        let (dims, symbols) = operands.split_at(self.map.dims.min(operands.len()));
        let values = self.map.evaluate(dims, symbols).ok_or_else(|| {
            format!("overflows, or divides by 0 or less, for the operands {operands:?}")
        })?;
        let result = match self.kind {
            Kind::Apply => values.first(),
            Kind::Min => values.iter().min(),
            Kind::Max => values.iter().max(),
        };
        result.copied().ok_or_else(|| "has a map without results".into())
    }
}
