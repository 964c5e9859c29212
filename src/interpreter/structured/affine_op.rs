//! `affine.apply`, `affine.min` and `affine.max`, decoded.

use crate::ir::Op;
use crate::ir::affine::Map;

/// One of `affine.apply`, `affine.min` and `affine.max`.
#[derive(Clone)]
pub struct AffineOp {
    map: Map,
    kind: AffineOpKind,
}

#[derive(Clone, Copy)]
enum AffineOpKind {
    Apply,
    Min,
    Max,
}

impl AffineOp {
    pub fn of(op: Op) -> Option<AffineOp> {
        let kind = match op.name() {
            "affine.apply" => AffineOpKind::Apply,
            "affine.min" => AffineOpKind::Min,
            "affine.max" => AffineOpKind::Max,
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
            AffineOpKind::Apply => values.first(),
            AffineOpKind::Min => values.iter().min(),
            AffineOpKind::Max => values.iter().max(),
        };
        result.copied().ok_or_else(|| "has a map without results".into())
    }
}
