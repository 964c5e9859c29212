//! The axes of a nest: from its loops, and from what the iters of its schedule blocks are bound to, to an
//! [`AxisGraph`].
//!
//! ```text
//! loop.for parallel %i.0 in 4 { loop.for serial %j in 64 { loop.for vectorize %i.1 in 8 {
//!   loop.block "C" [%vi: spatial 30, %vj: spatial 64] = (%i.0 * 8 + %i.1, %j) where(..) } } }
//!   ->  z0 of size 30, block split by 8 with the tail guard: z0B is i.0, z0b is i.1; z1 is j; the order is z0B, z1, z0b
//! ```
//! The iters are the original axes; iters of several blocks that are bound to the same loops are one axis, and so are
//! loops of several blocks that run through the same part of an axis. A sum is a split, the remainder and the quotient
//! of an expression are axes that were merged into it. Loops of one iteration have no axis. The transformations are carried out on an [`AxisGraph`], which
//! checks them: first splits, then merges, then the order. The loops whose iterations run on cores or thread blocks are
//! the outer half of the block split; if there are several of them, they are merged first.

mod carry_out;

use super::{AxisError, AxisGraph, AxisId};
use crate::analysis::mixed_radix::Digit;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::nest::summary::{Loop, NodeId, Summary, Variable, VariableId};
use crate::schedule::primitive::r#loop::split::Tail;

/// The axes of a nest.
#[derive(Clone, Debug, PartialEq)]
pub struct NestAxes {
    /// The axes and their transformations.
    pub graph: AxisGraph,
    /// What each original axis is: iters of the blocks of the nest.
    pub originals: Vec<Original>,
    /// The loops of the nest in program order, each with its axis. A loop on cores that was merged with others has an
    /// axis that is not in the order.
    pub loops: Vec<(NodeId, AxisId)>,
    /// How many transformations make the axes of the loops; those after them make the outer half of the block split.
    pub distributed_at: usize,
    /// Conditions under which blocks run that are no tails of splits, as text.
    pub other_conditions: Vec<String>,
}

/// An original axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Original {
    /// The first iter that it is, as `block:iter`.
    pub name: String,
    /// The role of these iters.
    pub role: IterRole,
}

/// Why a nest has no axes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAxes {
    /// An iter binding is not made of splits and merges.
    #[error("{iter} is bound to {found}, which is no split or merge of loops: {why}")]
    NotAxes {
        /// The iter, as `block:iter`.
        iter: String,
        /// The expression that it is bound to.
        found: String,
        /// The reason.
        why: String,
    },
    /// One part of an iter is an axis of its own, and also a part of another axis. Holds the part, in words.
    #[error("{0} is an axis of its own, and part of another one")]
    Twice(String),
    /// A size is a minimum of several sizes.
    #[error("the {what} of '{name}' is a minimum of several sizes")]
    Minimum {
        /// What has the size: "extent" or "domain".
        what: &'static str,
        /// The name of the loop or iter.
        name: String,
    },
    /// The rules of axes forbid a transformation.
    #[error("{0}")]
    Forbidden(#[from] AxisError),
}

/// An axis before the transformations are carried out.
struct Draft {
    size: Expr,
    kind: DraftKind,
    /// The loops that run through it.
    loops: Vec<NodeId>,
}

#[derive(Clone, PartialEq)]
enum DraftKind {
    Loop,
    Split {
        outer: DraftId,
        inner: DraftId,
        tail: Option<Tail>,
    },
    /// It was merged with others, as one of `merges`.
    Part {
        merge: usize,
    },
}

/// Axes that were merged.
struct Merge {
    /// The value of the merged axis, over loops.
    expr: Expr,
    /// The axes, each with the divisor that it has in the value.
    parts: Vec<(Expr, DraftId)>,
    /// The merged axis, once all its parts are known.
    merged: Option<DraftId>,
    /// The first iter that has a part of it.
    iter: String,
}

type DraftId = usize;

struct Reader<'s> {
    summary: &'s Summary,
    drafts: Vec<Draft>,
    /// The draft whose value is an expression over loops.
    of_expr: Vec<(Expr, DraftId)>,
    originals: Vec<(DraftId, Original)>,
    merges: Vec<Merge>,
    /// What is not negative where a block of the nest runs, over loops, and whether it is the tail of a split.
    conditions: Vec<(Expr, bool)>,
    /// What is 0 where a block of the nest runs.
    equal: Vec<Expr>,
    /// The iter that is being read.
    iter: String,
}

/// The reason for which an expression is no axis.
type Why = String;

impl NestAxes {
    /// The axes of the nest at a node, a child of the function.
    ///
    /// # Errors
    /// If a binding is no split or merge of loops, or the transformations break a rule of [`AxisGraph`].
    pub fn of(summary: &Summary, root: NodeId) -> Result<NestAxes, NoAxes> {
        let mut reader = Reader {
            summary,
            drafts: vec![],
            of_expr: vec![],
            originals: vec![],
            merges: vec![],
            conditions: vec![],
            equal: vec![],
            iter: String::new(),
        };
        for leaf in summary.leaves(root) {
            reader.read(root, leaf)?;
        }
        reader.merge()?;
        reader.check_made_once()?;
        reader.carried_out()
    }
}

impl Reader<'_> {
    /// Makes the axes of a block.
    fn read(&mut self, root: NodeId, leaf: NodeId) -> Result<(), NoAxes> {
        let block = self.summary.as_block(leaf).expect("a block");
        let around: Vec<NodeId> = self.summary.loops_around(leaf).collect();
        for node in &around {
            let this = self.summary.as_loop(*node).expect("a loop");
            if this.extent.len() != 1 {
                return Err(NoAxes::Minimum { what: "extent", name: this.name.clone() });
            }
        }
        let conditions = block.predicate.iter().filter_map(|it| match it {
            Constraint::NonNegative(expr) => Some(self.over_loops(root, expr)),
            Constraint::Zero(_) => None,
        });
        let conditions: Vec<Expr> = conditions.collect();
        self.conditions.extend(conditions.into_iter().map(|condition| (condition, false)));
        let equal = block.predicate.iter().filter(|it| matches!(it, Constraint::Zero(_)));
        let equal: Vec<Expr> = equal.map(|it| self.over_loops(root, it.expr())).collect();
        self.equal.extend(equal);
        for (iter, binding) in block.iters.iter().zip(&block.binding) {
            let name = format!("{}:{}", block.name, iter.name);
            let [domain] = &iter.domain[..] else {
                return Err(NoAxes::Minimum { what: "domain", name });
            };
            let expr = self.over_loops(root, binding);
            if expr.constant() == Some(0) && domain.constant() == Some(1) {
                continue;
            }
            self.iter.clone_from(&name);
            let draft = self.axis(&expr, domain.simplified()).map_err(|why| NoAxes::NotAxes {
                iter: name.clone(),
                found: self.describe(&expr),
                why,
            })?;
            if self.originals.iter().all(|(other, _)| *other != draft) {
                self.originals.push((draft, Original { name, role: iter.role }));
            }
        }
        Ok(())
    }

    /// An expression of a block over the loops of more than one iteration.
    fn over_loops(&self, root: NodeId, expr: &Expr) -> Expr {
        let expr = self.summary.over_loops_under(root, expr);
        let leaf = |v: usize| match self.loop_of(&Expr::Dim(v)) {
            Some(node) if self.as_loop(node).constant_extent() == Some(1) => 0.into(),
            _ => Expr::Dim(v),
        };
        expr.substitute(&leaf, &Expr::Symbol).simplified()
    }

    fn describe(&self, expr: &Expr) -> String {
        crate::dialect::region::describe_expr_with(expr, &|leaf| match leaf {
            Expr::Dim(v) => match self.summary.variables[VariableId::of_dim(*v)] {
                Variable::Loop(node) => self.as_loop(node).name.clone(),
                Variable::Iter(node, i) => {
                    self.summary.as_block(node).expect("a block").iters[i].name.clone()
                }
            },
            Expr::Symbol(size) => self.summary.size_names[*size].clone(),
            other => format!("{other:?}"),
        })
    }

    fn as_loop(&self, node: NodeId) -> &Loop {
        self.summary.as_loop(node).expect("a loop")
    }

    /// The loop whose variable an expression is.
    fn loop_of(&self, expr: &Expr) -> Option<NodeId> {
        let Expr::Dim(v) = expr else { return None };
        match self.summary.variables[VariableId::of_dim(*v)] {
            Variable::Loop(node) => Some(node),
            Variable::Iter(..) => None,
        }
    }

    fn add(&mut self, expr: &Expr, draft: Draft) -> DraftId {
        self.drafts.push(draft);
        self.of_expr.push((expr.clone(), self.drafts.len() - 1));
        self.drafts.len() - 1
    }

    fn known(&self, expr: &Expr) -> Option<DraftId> {
        self.of_expr.iter().find(|(other, _)| other == expr).map(|(_, draft)| *draft)
    }

    /// The axis of a size whose value is an expression over loops.
    fn axis(&mut self, expr: &Expr, size: Expr) -> Result<DraftId, Why> {
        let known = |(of, draft): &&(Expr, DraftId)| of == expr && self.drafts[*draft].size == size;
        if let Some((_, draft)) = self.of_expr.iter().find(known) {
            return Ok(*draft);
        }
        if let Some(draft) = self.known(expr) {
            let sizes = [&self.drafts[draft].size, &size].map(|size| self.describe(size));
            return Err(format!("{} has the sizes {}", self.describe(expr), sizes.join(" and ")));
        }
        if let Some(node) = self.loop_of(expr) {
            let extent = self.extent(node);
            if extent != size {
                return self.single_tile(expr, size, extent);
            }
            return Ok(self.add(expr, Draft { size, kind: DraftKind::Loop, loops: vec![node] }));
        }
        match expr {
            Expr::Binary(BinaryKind::Mod | BinaryKind::FloorDiv, ..) => self.part(expr, size),
            _ => self.split(expr, size),
        }
    }

    /// An axis that was split into one tile, which is larger: the loop of the tiles has one iteration and no axis.
    fn single_tile(&mut self, expr: &Expr, size: Expr, extent: Expr) -> Result<DraftId, Why> {
        let one = Expr::Constant(1);
        let tail = self.tail(expr, &size, &one, &extent)?;
        self.drafts.push(Draft { size: one, kind: DraftKind::Loop, loops: vec![] });
        let outer = self.drafts.len() - 1;
        let inner = self.axis(expr, extent)?;
        Ok(self.add(
            expr,
            Draft { size, kind: DraftKind::Split { outer, inner, tail }, loops: vec![] },
        ))
    }

    fn extent(&self, node: NodeId) -> Expr {
        self.as_loop(node).extent[0].simplified()
    }

    /// A quotient or remainder of the axis that this one was merged into.
    fn part(&mut self, expr: &Expr, size: Expr) -> Result<DraftId, Why> {
        let digit = Digit::of(expr).ok_or("a divisor depends on loops")?;
        if digit.modulus.as_ref().is_some_and(|modulus| *modulus != size) {
            return Err(format!(
                "{} does not take {} values",
                self.describe(expr),
                self.describe(&size)
            ));
        }
        let known = self.merges.iter().position(|merge| merge.expr == digit.base);
        if known.is_some_and(|merge| self.merges[merge].merged.is_some()) {
            return Err(format!("{} is merged otherwise elsewhere", self.describe(&digit.base)));
        }
        let merge = known.unwrap_or(self.merges.len());
        let part = self.add(expr, Draft { size, kind: DraftKind::Part { merge }, loops: vec![] });
        if known.is_none() {
            let (expr, iter) = (digit.base, self.iter.clone());
            self.merges.push(Merge { expr, parts: vec![], merged: None, iter });
        }
        self.merges[merge].parts.push((digit.divisor, part));
        Ok(part)
    }

    /// Makes the axes that others were merged into.
    fn merge(&mut self) -> Result<(), NoAxes> {
        // A merged axis may itself be split into axes that were merged.
        let mut next = 0;
        while next < self.merges.len() {
            let Merge { expr, parts, iter, .. } = &self.merges[next];
            let (expr, iter) = (expr.clone(), iter.clone());
            let mut left = parts.clone();
            let mut ordered = vec![];
            let mut covered = Expr::Constant(1);
            while let Some(i) = left.iter().position(|(divisor, _)| *divisor == covered) {
                let (divisor, part) = left.remove(i);
                covered = (covered * self.drafts[part].size.clone()).simplified();
                ordered.insert(0, (divisor, part));
            }
            let merged = match left.is_empty() {
                true => self.axis(&expr, covered),
                false => Err("its quotients and remainders do not make it up".into()),
            };
            let found = || self.describe(&expr);
            let merged = merged.map_err(|why| NoAxes::NotAxes { iter, found: found(), why })?;
            self.merges[next].merged = Some(merged);
            self.merges[next].parts = ordered;
            next += 1;
        }
        Ok(())
    }

    /// Each axis is an original one, half of one split, or merged from others, and not two of these.
    fn check_made_once(&self) -> Result<(), NoAxes> {
        let mut made: Vec<DraftId> = self.originals.iter().map(|(draft, _)| *draft).collect();
        made.extend(self.merges.iter().filter_map(|merge| merge.merged));
        for draft in &self.drafts {
            if let DraftKind::Split { outer, inner, .. } = draft.kind {
                made.extend([outer, inner]);
            }
        }
        made.sort_unstable();
        let Some(pair) = made.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
        let found = self.of_expr.iter().find(|(_, draft)| *draft == pair[0]);
        let found = found.map(|(expr, _)| self.describe(expr)).unwrap_or_default();
        Err(NoAxes::Twice(found))
    }

    /// The number of values of an expression over loops, from 0 on.
    fn values(&self, expr: &Expr) -> Result<Expr, Why> {
        if let Some(node) = self.loop_of(expr) {
            return Ok(self.extent(node));
        }
        if let Some(draft) = self.known(expr) {
            return Ok(self.drafts[draft].size.clone());
        }
        if let Expr::Binary(kind @ (BinaryKind::Mod | BinaryKind::FloorDiv), of, by) = expr {
            return match kind {
                BinaryKind::Mod => Ok(by.simplified()),
                _ => {
                    let values = self.values(of)?;
                    Ok(Expr::binary(BinaryKind::CeilDiv, values, (**by).clone()).simplified())
                }
            };
        }
        let (top, weight, _) = self.parts_of_sum(expr)?;
        Ok((self.values(&top)? * weight).simplified())
    }

    /// A sum as its atom with the greatest weight, that weight, and the rest.
    fn parts_of_sum(&self, expr: &Expr) -> Result<(Expr, Expr, Expr), Why> {
        let linear = Linear::of(expr);
        if linear.constant != 0 {
            return Err(format!("it starts at {}", linear.constant));
        }
        let mut left = vec![];
        for (product, coefficient) in linear.terms.iter() {
            let (atoms, others): (Vec<Expr>, Vec<Expr>) =
                product.factors().into_iter().partition(Expr::has_dims);
            let [atom] = &atoms[..] else {
                return Err(match atoms.len() {
                    0 => "it starts at a size".into(),
                    _ => "it multiplies loops".into(),
                });
            };
            if !coefficient.is_positive() {
                return Err("it runs backwards".into());
            }
            let weight = others.into_iter().fold(Expr::Constant(*coefficient), |all, it| all * it);
            left.push((atom.clone(), weight.simplified()));
        }
        // Upwards from the weight 1: the next weight is what the terms below cover, or the least number.
        let mut covered = Expr::Constant(1);
        let mut last = None;
        while !left.is_empty() {
            let exact = left.iter().position(|(_, weight)| *weight == covered);
            let least = || {
                let numbers = left.iter().enumerate();
                let numbers = numbers.filter_map(|(i, (_, weight))| Some((weight.constant()?, i)));
                numbers.min().map(|(_, i)| i)
            };
            let next = exact
                .or_else(least)
                .ok_or_else(|| format!("no term has the weight {}", self.describe(&covered)))?;
            let (atom, weight) = left.remove(next);
            covered = (weight.clone() * self.values(&atom)?).simplified();
            last = Some((atom, weight));
        }
        let (atom, weight) = last.ok_or("it is constant")?;
        let rest = (expr.clone() - atom.clone() * weight.clone()).simplified();
        if rest.constant().is_some() {
            return Err(format!("its values are {} apart", self.describe(&weight)));
        }
        Ok((atom, weight, rest))
    }

    fn split(&mut self, expr: &Expr, size: Expr) -> Result<DraftId, Why> {
        let (top, weight, rest) = self.parts_of_sum(expr)?;
        let Some(split) = self.same_split(&top, &weight, &size)? else {
            let kind = self.halves(expr, &size)?;
            return Ok(self.add(expr, Draft { size, kind, loops: vec![] }));
        };
        let count = self.count(&top, &size, &weight)?;
        self.tail(expr, &size, &count, &weight)?;
        let DraftKind::Split { inner, .. } = self.drafts[split].kind else {
            unreachable!("the draft is a split")
        };
        self.join(inner, &rest)?;
        self.of_expr.push((expr.clone(), split));
        Ok(split)
    }

    /// A sum as the halves of a split.
    fn halves(&mut self, expr: &Expr, size: &Expr) -> Result<DraftKind, Why> {
        let (top, weight, rest) = self.parts_of_sum(expr)?;
        let count = self.count(&top, size, &weight)?;
        let tail = self.tail(expr, size, &count, &weight)?;
        let outer = self.axis(&top, count)?;
        let inner = self.axis(&rest, weight)?;
        Ok(DraftKind::Split { outer, inner, tail })
    }

    /// The tail of a split of `size` into `count` times `inner`.
    fn tail(
        &mut self,
        expr: &Expr,
        size: &Expr,
        count: &Expr,
        inner: &Expr,
    ) -> Result<Option<Tail>, Why> {
        let covered = (count.clone() * inner.clone()).simplified();
        if covered == *size {
            return Ok(None);
        }
        let guards = self.guards(expr, size);
        let tiles = Expr::binary(BinaryKind::CeilDiv, size.clone(), inner.clone()).simplified();
        if !guards.is_empty() && tiles != *count {
            return Err(format!(
                "{} has {} tiles of {}, of which {} have values of the axis",
                self.describe(expr),
                self.describe(count),
                self.describe(inner),
                self.describe(&tiles)
            ));
        }
        if !guards.is_empty() {
            guards.into_iter().for_each(|i| self.conditions[i].1 = true);
            return Ok(Some(Tail::Guard));
        }
        let quotient = Expr::binary(BinaryKind::FloorDiv, size.clone(), inner.clone()).simplified();
        let is_less = covered.constant().zip(size.constant()).is_some_and(|(all, size)| all < size);
        match quotient == *count && (is_less || size.constant().is_none()) {
            true => Ok(Some(Tail::Peel)),
            false => Err(format!(
                "{} takes {} values, the axis has {}, and no condition excludes the others",
                self.describe(expr),
                self.describe(&covered),
                self.describe(size)
            )),
        }
    }

    /// The number of values of the outer half `top` of a split: those of its loops, or fewer, if a condition excludes the
    /// others, so that it was itself split with a tail.
    fn count(&self, top: &Expr, size: &Expr, inner: &Expr) -> Result<Expr, Why> {
        let least = Expr::binary(BinaryKind::CeilDiv, size.clone(), inner.clone()).simplified();
        let values = self.values(top)?;
        let is_excluded = values != least && !self.guards(top, &least).is_empty();
        Ok(if is_excluded { least } else { values })
    }

    /// The conditions that exclude values of `size` and more.
    fn guards(&self, expr: &Expr, size: &Expr) -> Vec<usize> {
        let last = (size.clone() - 1.into() - expr.clone()).simplified();
        let interval = |leaf: &Expr| self.summary.interval(leaf);
        let coarse = Constraint::NonNegative(last.clone()).coarse(&interval);
        let is_guard = |found: &Expr| {
            *found == last || coarse.as_ref().is_some_and(|coarse| coarse.expr() == found)
        };
        let found = self.conditions.iter().enumerate().filter(|(_, (it, _))| is_guard(it));
        found.map(|(i, _)| i).collect()
    }

    /// The split that has the outer half `top`, if there is one.
    fn same_split(&self, top: &Expr, weight: &Expr, size: &Expr) -> Result<Option<DraftId>, Why> {
        let Some(known) = self.known(top) else { return Ok(None) };
        let found = self.drafts.iter().position(
            |draft| matches!(draft.kind, DraftKind::Split { outer, .. } if outer == known),
        );
        let Some(split) = found else {
            return Err(format!("{} is an axis of its own elsewhere", self.describe(top)));
        };
        let DraftKind::Split { inner, .. } = self.drafts[split].kind else {
            unreachable!("the draft is a split")
        };
        if self.drafts[inner].size != *weight || self.drafts[split].size != *size {
            return Err(format!("{} is half of another split elsewhere", self.describe(top)));
        }
        Ok(Some(split))
    }

    /// States that the loops of an expression run through a known axis, too.
    fn join(&mut self, draft: DraftId, expr: &Expr) -> Result<(), Why> {
        if let Some(known) = self.known(expr) {
            return match known == draft {
                true => Ok(()),
                false => Err(format!("{} is another axis elsewhere", self.describe(expr))),
            };
        }
        let size = self.drafts[draft].size.clone();
        match (self.drafts[draft].kind.clone(), self.loop_of(expr)) {
            (DraftKind::Loop | DraftKind::Split { .. }, Some(node))
                if self.extent(node) == size =>
            {
                self.drafts[draft].loops.push(node);
            }
            (DraftKind::Loop, None) => self.drafts[draft].kind = self.halves(expr, &size)?,
            (DraftKind::Split { outer, inner, .. }, None) => {
                let (top, weight, rest) = self.parts_of_sum(expr)?;
                if self.drafts[inner].size != weight {
                    return Err(format!("{} is split otherwise elsewhere", self.describe(expr)));
                }
                self.join(outer, &top)?;
                self.join(inner, &rest)?;
            }
            _ => return Err(format!("{} is split otherwise elsewhere", self.describe(expr))),
        }
        self.of_expr.push((expr.clone(), draft));
        Ok(())
    }
}
