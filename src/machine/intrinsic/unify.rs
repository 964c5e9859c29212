//! Matches a loop nest with an intrinsic: unifies its loops, buffers and values with those of the description.
//!
//! ```text
//! for %i in 16 { for %k in 4 { c[i] += zext(a[k]) * sext(b[i, k]) } }
//! for %q in 4 { for %p in 16 { O[r, 16 * s + p] += sext(W[s, p, 4 * t + q]) * zext(X[r, 4 * t + q]) } }
//!   i = p, k = q, a = X at [r, 4 * t], b = W at [s, 0, 4 * t], c = O at [r, 16 * s]
//! ```
//! Values are compared from the stored value on, and loads are matched with the buffers of the description. Operands of
//! commutative ops match in either order: the orders are tried until the loops match as well. Then loops are matched so that each index depends exactly on the loops
//! that the description has in it. In the last dimension the stride must be 1 in the last dimension of the schedule's
//! buffer; in the others any strides are allowed. Indices are resolved through all bindings, so split loops and iter
//! names make no difference.

use super::{Emitted, Intrinsic};
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, ScheduleBlock, buffer_name};
use crate::dialect::region;
use crate::ir::affine::{Expr, Linear};
use crate::ir::{Block, Op, Type, Value, constant_value, parents, parse_text_in, top, walk};
use melior::ir::Module;

/// A nest that matches an intrinsic.
#[derive(Clone, Debug)]
pub struct Match<'c> {
    /// The schedule block that contains the computation.
    pub leaf: Op<'c>,
    /// The loop variables and extents, in the order of the description.
    pub loops: Vec<(Value<'c>, i64)>,
    /// Additional loops of extent 1.
    pub others: Vec<Value<'c>>,
    /// What matches the arguments of the description; the last one is `c`.
    pub operands: Vec<PatternOperand<'c>>,
    pub store: Op<'c>,
}

/// The access of a buffer.
#[derive(Clone, Debug)]
pub struct PatternOperand<'c> {
    /// The load; of a buffer that is only written, the store.
    pub op: Op<'c>,
    /// The loop of each dimension in the description, as an index into [`Match::loops`].
    pub loops: Vec<usize>,
    /// The stride of each of these loops in each dimension of the buffer.
    pub moves: Vec<Vec<i64>>,
}

/// A perfect nest.
struct PatternNest<'c> {
    loops: Vec<(Value<'c>, i64)>,
    leaf: ScheduleBlock<'c>,
}

/// Unifies the nest at `root`, a loop or schedule block, with an intrinsic; the error states why it does not match.
pub fn unify<'c>(root: Op<'c>, intrinsic: &Intrinsic) -> Result<Match<'c>, String> {
    check_contract(root, intrinsic)?;
    let nest = PatternNest::of(root)?;
    let text = format!("module {{ {} }}", intrinsic.description);
    let module = parse_text_in(root.context(), &text, intrinsic.name)
        .ok_or_else(|| format!("the description of {} is not valid", intrinsic.name))?;
    let (described, arguments) = described(&module)?;
    let store = nest.store()?;
    let unifier = Unifier { described: &described, nest: &nest };
    let ways = unifier.values(described.store()?.operand(0), store.operand(0), vec![])?;
    // The first way is that of the operands as they are written: its reason is the one to give.
    let mut outcomes =
        ways.into_iter().map(|pairs| matched(&unifier, intrinsic, pairs, &arguments, store));
    let first = outcomes.next().unwrap_or_else(|| Err("it has no loads".into()));
    first.or_else(|why| outcomes.find_map(Result::ok).ok_or(why))
}

/// The match in which these loads correspond to one another.
fn matched<'d, 'c>(
    unifier: &Unifier<'_, 'd, 'c>,
    intrinsic: &Intrinsic,
    pairs: Vec<MatchedAccess<'d, 'c>>,
    arguments: &[Value<'d>],
    store: Op<'c>,
) -> Result<Match<'c>, String> {
    let (described, nest) = (unifier.described, unifier.nest);
    let written = (described.store()?, store);
    let access_of = |buffer: &Value<'d>| {
        let of = |(access, _): &&MatchedAccess| accessed(*access) == *buffer;
        let found = pairs.iter().chain([&written]).find(of).copied();
        found.ok_or_else(|| "a buffer of the description is not read".to_owned())
    };
    let accesses: Vec<MatchedAccess> = arguments.iter().map(access_of).collect::<Result<_, _>>()?;
    check_buffers(nest, &accesses, store)?;
    let places: Vec<Vec<usize>> =
        accesses.iter().map(|(access, _)| described.places(*access)).collect::<Result<_, _>>()?;
    let indices: Vec<Vec<Linear>> =
        accesses.iter().map(|(_, access)| nest.indices(*access)).collect::<Result<_, _>>()?;
    let (loops, others): (Vec<_>, Vec<_>) =
        nest.loops.iter().copied().partition(|(_, extent)| *extent != 1);
    let wanted: Vec<i64> = described.loops.iter().map(|(_, extent)| *extent).collect();
    // The first order is that of the loops as they are written: its reason is the one to give.
    let mut why = None;
    for order in orders(&loops) {
        if order.iter().map(|(_, extent)| *extent).ne(wanted.iter().copied()) {
            continue;
        }
        let found = operands(nest, &order, &accesses, &places, &indices);
        let found = found.and_then(|found| match intrinsic.emitted {
            Emitted::Tile { .. } | Emitted::TileZero => {
                found.iter().try_for_each(|it| it.tile_stride(&order).map(drop)).map(|()| found)
            }
            _ => Ok(found),
        });
        match found {
            Ok(operands) => {
                let others = others.into_iter().map(|(variable, _)| variable).collect();
                let leaf = nest.leaf.op;
                return Ok(Match { leaf, loops: order, others, operands, store });
            }
            Err(reason) => {
                why.get_or_insert(reason);
            }
        }
    }
    let loops = || {
        format!(
            "its loops have {} iterations, expected {}",
            listed(loops.iter().map(|(_, extent)| *extent)),
            listed(wanted.iter().copied())
        )
    };
    Err(why.unwrap_or_else(loops))
}

fn check_contract(root: Op, intrinsic: &Intrinsic) -> Result<(), String> {
    let function = parents(root).find(|parent| parent.is("func.func"));
    let contract = function.and_then(|function| Contract::of(function).ok()).unwrap_or_default();
    let allows = |contract| match contract {
        Contract::Strict => 0,
        Contract::Reassoc => 1,
        Contract::Fast => 2,
    };
    match allows(contract) >= allows(intrinsic.contract) {
        true => Ok(()),
        false => Err(format!(
            "it rounds floats in a way that the contract of the function does not allow: {} needs \
             loop.fp = \"fast\"",
            intrinsic.name
        )),
    }
}

/// The nest of a description, and its buffers.
fn described<'c>(module: &'c Module<'_>) -> Result<(PatternNest<'c>, Vec<Value<'c>>), String> {
    let invalid = || "the description has no nest".to_owned();
    let body = top(module).body(0).ok_or_else(invalid)?;
    let function = body.ops().into_iter().find(|op| op.is("func.func")).ok_or_else(invalid)?;
    let body = function.body(0).ok_or_else(invalid)?;
    let root = body.ops().into_iter().find(|op| op.is(For::NAME)).ok_or_else(invalid)?;
    Ok((PatternNest::of(root)?, body.arguments()))
}

impl<'c> PatternNest<'c> {
    fn of(root: Op<'c>) -> Result<Self, String> {
        let mut loops = vec![];
        let mut op = root;
        loop {
            if op.is(For::NAME) {
                let view = For::of(op).map_err(|e| e.message)?;
                let name = view.name;
                if !matches!(view.kind, LoopKind::Serial | LoopKind::Unroll) {
                    return Err(format!("loop \"{name}\" is {}, expected serial", view.kind));
                }
                let Some(extent) = view.constant_extent() else {
                    return Err(format!("the extent of loop \"{name}\" is not a constant"));
                };
                loops.push((view.variable(), extent));
                op = only(view.body)?;
                continue;
            }
            let leaf = ScheduleBlock::of(op).map_err(|e| e.message)?;
            if op == root && leaf.is_nest() {
                op = only(leaf.body)?;
                continue;
            }
            let name = leaf.name;
            if leaf.is_nest() {
                return Err(format!("schedule block \"{name}\" has a nest as its body"));
            }
            // `blockize` makes the conditions that the loops do not change the predicate of the new schedule block.
            let is_made = root.is(ScheduleBlock::NAME) && op != root;
            if leaf.predicate.is_some() && (is_made || !is_unchanged(&leaf, &loops)) {
                return Err(format!("schedule block \"{name}\" has a predicate"));
            }
            if leaf.init().is_some() {
                let advice = "use decompose_reduction first";
                return Err(format!("schedule block \"{name}\" gives start values: {advice}"));
            }
            return Ok(PatternNest { loops, leaf });
        }
    }

    /// The only store.
    fn store(&self) -> Result<Op<'c>, String> {
        let inside = walk(self.leaf.op);
        if let Some(op) = inside.iter().find(|op| op.is("loop.if") || op.is("func.call")) {
            return Err(format!("schedule block \"{}\" contains '{}'", self.leaf.name, op.name()));
        }
        let stores: Vec<Op> = inside.into_iter().filter(|op| op.is("memref.store")).collect();
        match stores[..] {
            [store] => Ok(store),
            _ => Err(format!("schedule block \"{}\" has {} stores", self.leaf.name, stores.len())),
        }
    }

    /// The indices of an access over the variables that its iters are bound to: [`Expr::Dim`] i is `leaf.binds[i]`.
    fn indices(&self, access: Op<'c>) -> Result<Vec<Linear>, String> {
        let first = if access.is("memref.store") { 2 } else { 1 };
        let index = |value: &Value<'c>| {
            let expr = region::index_expr(&self.leaf, *value)?;
            let bound = expr.substitute(&|i| self.leaf.binding[i].clone(), &Expr::Symbol);
            Some(Linear::of(&bound.simplified_within(&|leaf| self.interval(leaf))))
        };
        let of = || buffer_name(access.operands()[first - 1]);
        let indices: Option<Vec<Linear>> = access.operands()[first..].iter().map(index).collect();
        indices.ok_or_else(|| format!("an index of \"{}\" depends on data", of()))
    }

    /// The range of the variable of a loop of the nest.
    fn interval(&self, leaf: &Expr) -> Option<(i64, i64)> {
        let Expr::Dim(place) = leaf else { return None };
        let of = |(variable, _): &&(Value<'c>, i64)| *variable == self.leaf.binds[*place];
        self.loops.iter().find(of).map(|(_, extent)| (0, (*extent).max(1) - 1))
    }

    /// The stride of an index in a loop; none if it is not a constant.
    fn moved_by(&self, index: &Linear, variable: Value<'c>) -> Option<i64> {
        let Some(place) = self.leaf.binds.iter().position(|bound| *bound == variable) else {
            return Some(0);
        };
        let own = Expr::Dim(place);
        let mut others = index.terms.iter().filter(|(atom, _)| **atom != own);
        let mut is_plain = true;
        others.by_ref().for_each(|(atom, _)| {
            atom.visit_leaves(&mut |leaf| is_plain &= *leaf != own);
        });
        is_plain.then(|| index.terms.get(&own).copied().unwrap_or(0))
    }

    /// The loop that each index of a description's load consists of.
    fn places(&self, load: Op<'c>) -> Result<Vec<usize>, String> {
        let place = |index: &Linear| {
            let moves =
                |(variable, _): &(Value<'c>, i64)| self.moved_by(index, *variable) == Some(1);
            self.loops.iter().position(moves)
        };
        let places: Option<Vec<usize>> = self.indices(load)?.iter().map(place).collect();
        places.ok_or_else(|| "an index of the description is not a loop".to_owned())
    }
}

/// True if the conditions of a schedule block have the same value in all iterations of these loops.
fn is_unchanged(leaf: &ScheduleBlock, loops: &[(Value, i64)]) -> bool {
    let is_loop = |leaf_expr: &Expr| match leaf_expr {
        Expr::Dim(place) => loops.iter().any(|(variable, _)| *variable == leaf.binds[*place]),
        _ => false,
    };
    let conditions = leaf.predicate.iter().flat_map(|set| &set.constraints);
    let mut is_unchanged = true;
    for condition in conditions {
        condition.expr().visit_leaves(&mut |it| is_unchanged &= !is_loop(it));
    }
    is_unchanged
}

/// The only op of a body, not counting constants and the terminator.
fn only(body: Block<'_>) -> Result<Op<'_>, String> {
    let mut ops = body.ops();
    ops.retain(|op| !op.is("loop.yield") && !op.is_constant());
    match ops[..] {
        [op] if op.is(For::NAME) || op.is(ScheduleBlock::NAME) => Ok(op),
        [op] => Err(format!("'{}' is between its loops", op.name())),
        _ => Err(format!("{} statements are in one loop, expected one", ops.len())),
    }
}

/// A load or store of the description, and the one that it corresponds to.
type MatchedAccess<'d, 'c> = (Op<'d>, Op<'c>);

/// Ops whose two operands may be exchanged.
const COMMUTATIVE: &[&str] = &[
    "arith.addf",
    "arith.addi",
    "arith.andi",
    "arith.maximumf",
    "arith.maxnumf",
    "arith.maxsi",
    "arith.maxui",
    "arith.minimumf",
    "arith.minnumf",
    "arith.minsi",
    "arith.minui",
    "arith.mulf",
    "arith.muli",
    "arith.ori",
    "arith.xori",
];

/// Finds the correspondences of the description's values to those of a nest.
struct Unifier<'u, 'd, 'c> {
    described: &'u PatternNest<'d>,
    nest: &'u PatternNest<'c>,
}

impl<'d, 'c> Unifier<'_, 'd, 'c> {
    /// The ways in which the loads that two values are computed from correspond, each added to `pairs`. There are several
    /// if operands may be exchanged.
    fn values(
        &self,
        wanted: Value<'d>,
        found: Value<'c>,
        pairs: Vec<MatchedAccess<'d, 'c>>,
    ) -> Result<Vec<Vec<MatchedAccess<'d, 'c>>>, String> {
        let of = |op: Option<Op>| op.map_or("an iter".to_owned(), |op| format!("'{}'", op.name()));
        let (Some(x), Some(y)) = (wanted.defining_op(), found.defining_op()) else {
            let (found, wanted) = (of(found.defining_op()), of(wanted.defining_op()));
            return Err(format!("it computes with {found}, expected {wanted}"));
        };
        if x.name() != y.name() {
            return Err(format!("it computes '{}', expected '{}'", y.name(), x.name()));
        }
        let (left, right) = (wanted.ty(), found.ty());
        if left.to_string() != right.to_string() {
            return Err(format!("'{}' is of type {right}, expected {left}", x.name()));
        }
        if x.is("memref.load") {
            return self.load(x, y, pairs).map(|pairs| vec![pairs]);
        }
        if let (Some(x), Some(y)) = (constant_value(wanted), constant_value(found))
            && x != y
        {
            return Err(format!("it has {y}, expected {x}"));
        }
        let (left, right) = (x.operands(), y.operands());
        let straight = self.all(&left, &right, &pairs);
        if !COMMUTATIVE.contains(&x.name()) {
            return straight;
        }
        let exchanged: Vec<Value<'c>> = right.into_iter().rev().collect();
        match (straight, self.all(&left, &exchanged, &pairs)) {
            (Ok(ways), Ok(others)) => Ok([ways, others].concat()),
            (Err(_), Ok(ways)) | (Ok(ways), Err(_)) => Ok(ways),
            (Err(why), Err(_)) => Err(why),
        }
    }

    fn all(
        &self,
        wanted: &[Value<'d>],
        found: &[Value<'c>],
        pairs: &[MatchedAccess<'d, 'c>],
    ) -> Result<Vec<Vec<MatchedAccess<'d, 'c>>>, String> {
        let mut ways = vec![pairs.to_vec()];
        for (x, y) in wanted.iter().zip(found) {
            let mut further = vec![];
            let mut why = None;
            for way in ways {
                match self.values(*x, *y, way) {
                    Ok(found) => further.extend(found),
                    Err(reason) => why = why.or(Some(reason)),
                }
            }
            if let (true, Some(why)) = (further.is_empty(), why) {
                return Err(why);
            }
            ways = further;
        }
        Ok(ways)
    }

    fn load(
        &self,
        wanted: Op<'d>,
        found: Op<'c>,
        mut pairs: Vec<MatchedAccess<'d, 'c>>,
    ) -> Result<Vec<MatchedAccess<'d, 'c>>, String> {
        let same = |(x, _): &&MatchedAccess| region::same_cell(&self.described.leaf, *x, wanted);
        match pairs.iter().find(same) {
            Some((_, known)) if region::same_cell(&self.nest.leaf, *known, found) => Ok(pairs),
            Some(_) => Err("two loads that read one cell in the description read two cells".into()),
            None => {
                pairs.push((wanted, found));
                Ok(pairs)
            }
        }
    }
}

/// Requires that the value is stored where it was loaded, and that nothing else reads that buffer.
fn check_buffers<'c>(
    nest: &PatternNest<'c>,
    accesses: &[MatchedAccess<'_, 'c>],
    store: Op<'c>,
) -> Result<(), String> {
    let ((_, c), factors) = accesses.split_last().expect("a description has a result");
    if !region::same_cell(&nest.leaf, *c, store) {
        return Err("it does not store to the cell whose value it adds to".into());
    }
    let written = store.operand(1);
    match factors.iter().find(|(_, load)| load.operand(0) == written) {
        Some(_) => Err(format!("it reads and writes \"{}\"", buffer_name(written))),
        None => Ok(()),
    }
}

/// The accesses, if these loops match the description's.
fn operands<'c>(
    nest: &PatternNest<'c>,
    order: &[(Value<'c>, i64)],
    accesses: &[MatchedAccess<'_, 'c>],
    places: &[Vec<usize>],
    indices: &[Vec<Linear>],
) -> Result<Vec<PatternOperand<'c>>, String> {
    let operand = |i: usize| {
        let ((_, op), loops, indices) = (accesses[i], &places[i], &indices[i]);
        let name = buffer_name(accessed(op));
        let mut moves = vec![];
        for (place, (variable, _)) in order.iter().enumerate() {
            let moved: Option<Vec<i64>> =
                indices.iter().map(|index| nest.moved_by(index, *variable)).collect();
            let moved = moved.ok_or_else(|| {
                format!("an index of \"{name}\" is not a linear expression of its loops")
            })?;
            let is_still = moved.iter().all(|step| *step == 0);
            match loops.iter().position(|of| *of == place) {
                None if !is_still => {
                    return Err(format!(
                        "an index of \"{name}\" depends on a loop that it does not depend \
                         on in the description"
                    ));
                }
                Some(dim) if dim + 1 == loops.len() => {
                    let (last, others) = moved.split_last().unwrap_or((&0, &[]));
                    if *last != 1 || others.iter().any(|step| *step != 0) {
                        return Err(format!("the cells of \"{name}\" are not contiguous"));
                    }
                }
                Some(_) if is_still => {
                    return Err(format!(
                        "no index of \"{name}\" depends on a loop that one depends on in \
                         the description"
                    ));
                }
                _ => {}
            }
            moves.push(moved);
        }
        let moves = loops.iter().map(|place| moves[*place].clone()).collect();
        Ok(PatternOperand { op, loops: loops.clone(), moves })
    };
    (0..accesses.len()).map(operand).collect()
}

/// The buffer of a load or store.
fn accessed<'c>(access: Op<'c>) -> Value<'c> {
    access.operand(usize::from(access.is("memref.store")))
}

impl<'c> PatternOperand<'c> {
    pub fn buffer(&self) -> Value<'c> {
        accessed(self.op)
    }

    pub fn element(&self) -> Type<'c> {
        if self.op.is("memref.store") { self.op.operand(0).ty() } else { self.op.result(0).ty() }
    }

    /// The distance of the rows of a tile in elements, over the first loop of the operand; `None` if they are adjacent rows
    /// of the last two dimensions of the buffer. `loops` are those of the match.
    ///
    /// # Errors
    /// If a row is not contiguous, or the distance is not known.
    pub fn tile_stride<T>(&self, loops: &[(T, i64)]) -> Result<Option<i64>, String> {
        let buffer = self.buffer();
        let (rows, elements) = self.moves.split_first().ok_or("a tile has rows")?;
        let rank = rows.len();
        let dims = buffer.ty().in_any_space().map(|(dims, _)| dims).unwrap_or_default();
        // The distance of adjacent indices of each dimension, as far as it is known.
        let mut strides = vec![None; rank];
        let mut stride = Some(1);
        for (place, dim) in strides.iter_mut().zip(&dims).rev() {
            *place = stride;
            stride = stride.zip(*dim).and_then(|(stride, dim): (i64, i64)| stride.checked_mul(dim));
        }
        let distance = |moves: &[i64]| {
            let moved = moves.iter().zip(&strides).filter(|(step, _)| **step != 0);
            moved.map(|(step, stride)| step.checked_mul((*stride)?)).sum::<Option<i64>>()
        };
        let mut wanted = 1;
        for (moves, place) in elements.iter().zip(&self.loops[1..]).rev() {
            if distance(moves) != Some(wanted) {
                let name = buffer_name(buffer);
                return Err(format!("a row of a tile is not contiguous in \"{name}\""));
            }
            wanted *= loops[*place].1;
        }
        if (0..rank).all(|d| rows[d] == i64::from(d + 2 == rank)) {
            return Ok(None);
        }
        match distance(rows) {
            Some(distance) if distance > 0 => Ok(Some(distance)),
            _ => {
                let name = buffer_name(buffer);
                Err(format!("the rows of a tile are not a known distance apart in \"{name}\""))
            }
        }
    }
}

/// All permutations of some loops.
fn orders<T: Copy>(all: &[T]) -> Vec<Vec<T>> {
    if all.is_empty() {
        return vec![vec![]];
    }
    let with = |i: usize| {
        let mut rest = all.to_vec();
        let first = rest.remove(i);
        orders(&rest).into_iter().map(move |order| [&[first], &order[..]].concat())
    };
    (0..all.len()).flat_map(with).collect()
}

fn listed(numbers: impl Iterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.map(|n| n.to_string()).collect();
    if numbers.is_empty() { "no".into() } else { numbers.join(" x ") }
}
