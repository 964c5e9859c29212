//! Steps for atomic updates, and mostly a loop over which several updates access one element.

use super::place::Place;
use super::{step, text};
use loopwright::dialect::loop_enums::ThreadAxis;
use loopwright::schedule::instruction::Instruction;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// The steps, if the schedule block is a reduction.
pub fn steps(place: &Place, rng: &mut StdRng) -> Option<Vec<Instruction>> {
    let block = place.summary.as_block(place.block)?;
    let reduces = block.reducer.is_some() && block.atomic.is_empty();
    let loop_of_it = place.reducing(rng).filter(|_| reduces)?;
    let mut steps = vec![];
    if block.has_init {
        let outermost = place.named(*place.loops.first()?);
        steps.push(step("decompose_reduction", vec![text(&block.name), outermost]));
    }
    steps.push(step("atomic", vec![text(&block.name)]));
    let target = place.named(loop_of_it);
    match rng.random_range(0..3) {
        0 => {}
        1 => steps.push(step("parallel", vec![target])),
        _ => {
            let axis = text(ThreadAxis::ALL.choose(rng)?.word());
            steps.push(step("bind", vec![target, axis]));
        }
    }
    Some(steps)
}
