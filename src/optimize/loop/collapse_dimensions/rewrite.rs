//! How iters of a schedule block, and dimensions of a buffer, are made one.

use super::IterPair;
use crate::ir::affine::Expr;
use crate::ir::{Error, Type, Value};
use crate::schedule::State;
use crate::schedule::rewrite::layout::{self, BufferLayout};

/// The name of a block, and the index map that makes two iters one.
pub(super) fn index_map(state: &State, pair: IterPair) -> (String, String) {
    let block = state.summary().as_block(pair.block).expect("a block");
    let size = block.iters[pair.inner].domain[0].constant().expect("(C3)");
    let names: Vec<String> = (0..block.iters.len()).map(|i| format!("d{i}")).collect();
    let results = (0..names.len()).filter(|i| *i != pair.inner).map(|i| match i == pair.outer {
        true => format!("d{} * {size} + d{}", pair.outer, pair.inner),
        false => names[i].clone(),
    });
    let results: Vec<String> = results.collect();
    (block.name.clone(), format!("({}) -> ({})", names.join(", "), results.join(", ")))
}

/// The layout in which a dimension and the one behind it are one.
pub(super) fn collapsed(shape: &[i64], at: usize) -> BufferLayout {
    let (outer, inner) = (Expr::Dim(at), Expr::Dim(at + 1));
    let mut map: Vec<Expr> = (0..shape.len()).filter(|i| *i != at + 1).map(Expr::Dim).collect();
    map[at] = outer * shape[at + 1].into() + inner;
    let mut sizes = shape.to_vec();
    sizes[at] *= sizes.remove(at + 1);
    BufferLayout { map, shape: sizes.into_iter().map(Expr::Constant).collect() }
}

/// Gives a buffer or an argument another shape, and its accesses other indices.
pub(super) fn reshape<'c>(
    states: &mut [State<'c>],
    value: Value<'c>,
    layout: &BufferLayout,
) -> Result<(), Error<'c>> {
    let made = value.defining_op();
    let new = match made {
        Some(op) => layout::create(op, &layout.shape, &[]).result(0),
        None => {
            let (_, element) = value.ty().shaped().expect("a memref");
            let dims: Vec<Option<i64>> = layout.shape.iter().map(Expr::constant).collect();
            value.set_type(Type::memref(&dims, element));
            value
        }
    };
    for state in states {
        let known = state.summary().buffers.keys().find(|id| state.buffer(*id) == value);
        if let Some(id) = known {
            layout::rewrite_accesses(state, id, new, layout, &[]);
            if made.is_none() {
                state.refresh()?;
            }
        }
    }
    if let Some(op) = made {
        value.replace_all_uses_with(new);
        op.erase();
    }
    Ok(())
}
