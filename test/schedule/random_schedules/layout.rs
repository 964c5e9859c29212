//! Random index maps.

use loopwright::ir::affine::Expr;
use loopwright::nest::summary::{BufferId, NodeId, Summary};
use rand::Rng;
use rand::rngs::StdRng;

/// An index map for a buffer of rank `rank`; mostly an injective one.
pub fn layout(rank: usize, rng: &mut StdRng) -> Option<String> {
    let names = ["i", "j", "k", "l"].get(..rank)?;
    let sizes = ["n", "m", "p", "q"].get(..rank)?;
    let k = rng.random_range(2..5);
    let (first, last) = (rng.random_range(0..rank.max(1)), rng.random_range(0..rank.max(1)));
    let mut results: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    if rank == 0 {
        return None;
    }
    match rng.random_range(0..8) {
        0 => results.reverse(),
        1 => {
            results[first] = format!("{} floordiv {k}", names[first]);
            results.push(format!("{} mod {k}", names[first]));
        }
        2 => {
            results[first] = format!("{} mod {k}", names[first]);
            results.insert(0, format!("{} floordiv {k}", names[first]));
        }
        3 if rank > 1 => {
            results.drain(..2);
            results.insert(0, format!("i * {} + j", sizes[1]));
        }
        4 => results[last] = format!("{} - 1 - {}", sizes[last], names[last]),
        5 if first != last => results[last] = format!("{} + {}", names[first], names[last]),
        6 => results[last] = format!("{} * {k} + 1", names[last]),
        // A map that is not injective, if the buffer is large enough.
        7 => results[last] = format!("{} floordiv {k}", names[last]),
        _ => results.swap(first, last),
    }
    Some(format!("({})[{}] -> ({})", names.join(", "), sizes.join(", "), results.join(", ")))
}

/// A map from `rank` iters to others; mostly an invertible one.
pub fn change_of_iters(rank: usize, rng: &mut StdRng) -> Option<String> {
    let names = ["i", "j", "k", "l"].get(..rank).filter(|names| !names.is_empty())?;
    let sizes = ["n", "m", "p", "q"].get(..rank)?;
    let mut results: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let (first, second) = (rng.random_range(0..rank), rng.random_range(0..rank));
    match rng.random_range(0..7) {
        0 => results.swap(first, second),
        1 | 2 if first != second => {
            results[first] = format!("{} * {} + {}", names[first], sizes[second], names[second]);
            results.remove(second);
        }
        3 => results.insert(0, "0".to_owned()),
        4 | 5 => {
            let k = rng.random_range(2..4);
            results[first] = format!("{} mod {k}", names[first]);
            results.insert(second, format!("{} floordiv {k}", names[first]));
        }
        6 => results[first] = format!("{} * 2", names[first]),
        _ => results.reverse(),
    }
    Some(format!("({})[{}] -> ({})", names.join(", "), sizes.join(", "), results.join(", ")))
}

/// True if a block has no predicate and each iter is bound to one loop.
pub fn is_plain(summary: &Summary, block: NodeId) -> bool {
    summary.as_block(block).is_some_and(|block| {
        let is_loop = |bound: &Expr| matches!(bound, Expr::Dim(_));
        block.predicate.is_empty() && block.binding.iter().all(is_loop)
    })
}

/// The buffers that schedule blocks change in place.
pub fn in_place(summary: &Summary) -> Vec<(&str, BufferId)> {
    let mut both = vec![];
    for (_, block) in summary.blocks().filter(|(_, block)| !block.has_init) {
        let written = block.written();
        let loads = block.loads().filter(|load| written.contains(&load.buffer));
        both.extend(loads.map(|load| (block.name.as_str(), load.buffer)));
    }
    both
}
