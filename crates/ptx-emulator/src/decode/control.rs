//! Branches, calls and barriers.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Place, Result, Step};
use crate::fault::Role;
use crate::program::{Barrier, BarrierKind, Call, Move, Reduction};
use crate::syntax::{Operand, Type};

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    let step = match mnemonic.head {
        "bra" => {
            mnemonic.take("uni");
            let Operand::Name(label) = operands.get(0)? else {
                return Err(operands.wrong("the target is not a label"));
            };
            operands.labels(std::slice::from_ref(label))?;
            Step::Branch(0)
        }
        "brx" => {
            if !mnemonic.take("idx") {
                return Err(mnemonic.unknown());
            }
            mnemonic.take("uni");
            let index = operands.source(0, Type::U32)?;
            operands.require(0, Role::BranchIndex);
            let labels = operands.targets(1)?;
            operands.labels(labels)?;
            Step::BranchTable { index, targets: vec![] }
        }
        "call" => {
            mnemonic.take("uni");
            call(operands)?
        }
        "ret" => {
            mnemonic.take("uni");
            Step::Return
        }
        "exit" => Step::Exit,
        "trap" => Step::Trap,
        "brkpt" | "pmevent" => Step::Nothing,
        "nanosleep" => {
            mnemonic.take("u32");
            operands.source(0, Type::U32)?;
            Step::Nothing
        }
        "bar" | "barrier" => return Ok(barrier(mnemonic, operands)?.map(|it| (Class::Barrier, it))),
        _ => return Ok(None),
    };
    Ok(Some((Class::Control, step)))
}

/// `call (result), function, (arguments)`; results and arguments are optional.
fn call(operands: &mut Operands) -> Result<Step> {
    let mut lists = [vec![], vec![]];
    let mut callee = None;
    for i in 0..operands.len() {
        match operands.get(i)? {
            Operand::List(names) => {
                let list = names.iter().map(|it| operands.local(it)).collect::<Result<_>>()?;
                lists[usize::from(callee.is_some())] = list;
            }
            Operand::Name(name) if callee.is_none() => callee = Some(name),
            _ => return Err(operands.wrong("an indirect call is not supported")),
        }
    }
    let callee = callee.ok_or_else(|| operands.wrong("no function is named"))?;
    if callee.starts_with('%') {
        return Err(operands.wrong("an indirect call is not supported"));
    }
    let [results, arguments] = lists;
    operands.call(callee, arguments, results)?;
    Ok(Step::Call(Call { target: 0, frame: 0..0, arguments: vec![], results: vec![] }))
}

/// Copies from the caller's variables to the callee's, or back; both have the same sizes.
pub fn moves(from: &[Place], to: &[Place]) -> Vec<Move> {
    let pairs = from.iter().zip(to);
    pairs.map(|((from, bytes), (to, _))| Move { from: *from, to: *to, bytes: *bytes }).collect()
}

/// None for `bar.warp`, which is a collective.
fn barrier(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<Step>> {
    if mnemonic.has("warp") || mnemonic.has("cluster") {
        return Ok(None);
    }
    mnemonic.take("cta");
    let is_aligned = mnemonic.head == "bar" || mnemonic.take("aligned");
    mnemonic.take("aligned");
    if mnemonic.take("red") {
        return reduction(mnemonic, operands, is_aligned).map(Some);
    }
    let kind = mnemonic
        .take_one_of(&[("sync", BarrierKind::Sync), ("arrive", BarrierKind::Arrive)])
        .ok_or_else(|| mnemonic.unknown())?;
    let number = operands.source(0, Type::U32)?;
    let count = match operands.len() {
        1 => None,
        _ => Some(operands.source(1, Type::U32)?),
    };
    (0..2).for_each(|i| operands.require(i, Role::Barrier));
    if count.is_none() && matches!(kind, BarrierKind::Arrive) {
        return Err(operands.wrong("the number of threads is missing"));
    }
    Ok(Some(Step::Barrier(Barrier { number, count, kind, is_aligned })))
}

/// `bar.red.popc.u32 to, a{, b}, p` and `bar.red.and.pred to, a{, b}, p`.
fn reduction(mnemonic: &mut Mnemonic, operands: &mut Operands, is_aligned: bool) -> Result<Step> {
    let table = [("popc", Reduction::Count), ("and", Reduction::And), ("or", Reduction::Or)];
    let how = mnemonic.take_one_of(&table).ok_or_else(|| mnemonic.unknown())?;
    let to = match (how, mnemonic.ty()?) {
        (Reduction::Count, Type::U32) => operands.target(0, Type::U32)?,
        (Reduction::And | Reduction::Or, Type::Pred) => operands.target_predicate(0)?,
        _ => return Err(mnemonic.unknown()),
    };
    let number = operands.source(1, Type::U32)?;
    let (count, source) = match operands.len() {
        3 => (None, operands.guard(2)?),
        _ => (Some(operands.source(2, Type::U32)?), operands.guard(3)?),
    };
    (1..4).for_each(|i| operands.require(i, Role::Barrier));
    let kind = BarrierKind::Reduce { how, source, to };
    Ok(Step::Barrier(Barrier { number, count, kind, is_aligned }))
}
