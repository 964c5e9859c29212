//! Builds one nest: loops, a schedule block, and accesses to buffers in its body.

use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{BlockSpec, For, Reducer, ScheduleBlock, set_regions};
use crate::dialect::region;
use crate::ir::affine::{Expr, Map};
use crate::ir::{Block, Builder, Error, Location, Op, Type, TypeKind, Value};

/// A nest of one schedule block whose body is being built.
pub(super) struct NestUnderConstruction<'c> {
    block: Op<'c>,
    /// The variables of the iters: the dims of index expressions.
    pub iters: Vec<Value<'c>>,
    /// The entry sizes: the symbols of index expressions.
    sizes: Vec<Value<'c>>,
    /// The builder at the insertion point in the body.
    pub build: Builder<'c>,
}

/// The description of a new nest.
pub(super) struct NestSpec<'c> {
    pub location: Location<'c>,
    pub name: String,
    /// Role and domain of the iters; each iter has one loop.
    pub iters: Vec<(IterRole, Expr)>,
    /// The index expressions of the body, from which the used sizes are collected.
    pub uses: Vec<Expr>,
    pub reducer: Option<Reducer<'c>>,
}

impl<'c> NestUnderConstruction<'c> {
    /// Adds a nest before `end`.
    pub(super) fn new(
        spec: NestSpec<'c>,
        sizes: Vec<Value<'c>>,
        end: Op<'c>,
    ) -> NestUnderConstruction<'c> {
        let location = spec.location;
        let mut used: Vec<usize> = vec![];
        for expr in spec.iters.iter().map(|(_, domain)| domain).chain(&spec.uses) {
            expr.visit_leaves(&mut |leaf| {
                if let Expr::Symbol(i) = leaf
                    && !used.contains(i)
                {
                    used.push(*i);
                }
            });
        }
        let place = |i: usize| used.iter().position(|u| *u == i).expect("collected above");
        let local = |expr: &Expr| expr.substitute(&Expr::Dim, &|i| Expr::Symbol(place(i)));

        let mut at = Builder::before(end, location);
        let mut variables = vec![];
        for (i, (_, domain)) in spec.iters.iter().enumerate() {
            let extent = Map { dims: 0, symbols: sizes.len(), results: vec![domain.simplified()] };
            let loop_op = For::create(location, &letter(i), &extent, &sizes);
            at.place(loop_op);
            let body = loop_op.body(0).expect("a new loop has a body");
            variables.extend(body.arguments());
            at = Builder::before(body.end(), location);
        }
        let iters = spec.iters.iter().enumerate();
        let block = BlockSpec {
            name: spec.name,
            iters: iters
                .map(|(i, (role, domain))| {
                    (format!("v{}", letter(i)), *role, vec![local(&domain.simplified())])
                })
                .collect(),
            sizes: used.iter().map(|i| sizes[*i]).collect(),
            binding: (0..variables.len()).map(Expr::Dim).collect(),
            binds: variables,
            predicate: None,
            reducer: spec.reducer,
        }
        .create(location);
        at.place(block);
        let body = block.body(0).expect("a new block has a body");
        let end = body.end();
        NestUnderConstruction {
            block,
            iters: body.arguments(),
            sizes,
            build: Builder::before(end, location),
        }
    }

    /// The same nest with another insertion point in its body.
    pub fn within(&self, build: Builder<'c>) -> NestUnderConstruction<'c> {
        NestUnderConstruction {
            block: self.block,
            iters: self.iters.clone(),
            sizes: self.sizes.clone(),
            build,
        }
    }

    /// Computes an index expression over the iters and the entry sizes.
    pub fn index(&self, expr: &Expr) -> Value<'c> {
        self.build.apply(expr, &self.iters, &self.sizes)
    }

    pub fn indices(&self, exprs: &[Expr]) -> Vec<Value<'c>> {
        exprs.iter().map(|expr| self.index(expr)).collect()
    }

    /// The operands of a condition: iters (dims) and sizes (symbols).
    pub fn condition_operands(&self) -> (Vec<Value<'c>>, Vec<Value<'c>>) {
        (self.iters.clone(), self.sizes.clone())
    }

    /// Loads an element, whose type in the tensor is `element`.
    pub fn load(&self, buffer: Value<'c>, indices: &[Value<'c>], element: Type<'c>) -> Value<'c> {
        as_element(&self.build, self.build.load(buffer, indices), element)
    }

    /// Stores an element; booleans become i8, indices i64.
    pub fn store(&self, value: Value<'c>, buffer: Value<'c>, indices: &[Value<'c>]) {
        let (_, stored) = buffer.ty().shaped().expect("buffers are row-major memrefs");
        let value = match value.ty() {
            ty if ty == stored => value,
            ty if ty.is_index() => self.build.op("arith.index_cast", &[value], stored),
            _ => self.build.op("arith.extui", &[value], stored),
        };
        self.build.store(value, buffer, indices);
    }

    /// Creates `loop.init`, whose content `fill` builds.
    pub fn init(
        &self,
        fill: impl FnOnce(&NestUnderConstruction<'c>) -> Result<(), Error<'c>>,
    ) -> Result<(), Error<'c>> {
        let location = self.build.location();
        let body = Block::new(&[]);
        body.append(crate::dialect::loop_op::yield_op(location, &[]));
        let init =
            self.build.insert(self.build.spec("loop.init").region(crate::ir::Region::of(body)));
        let end = init.body(0).and_then(|body| body.terminator()).expect("made above");
        fill(&self.within(Builder::before(end, location)))
    }

    /// Declares the access regions of the body. Call it when the body is complete.
    pub fn finish(self) -> Result<(), Error<'c>> {
        let view = ScheduleBlock::of(self.block)?;
        let regions = region::derive(&view)?;
        set_regions(&view, &regions.reads, &regions.writes);
        Ok(())
    }
}

/// A value from memory as an element of type `element`.
pub(super) fn as_element<'c>(at: &Builder<'c>, stored: Value<'c>, element: Type<'c>) -> Value<'c> {
    match element {
        _ if stored.ty() == element => stored,
        _ if element.is_index() => at.op("arith.index_cast", &[stored], element),
        _ => at.op("arith.trunci", &[stored], element),
    }
}

/// Names of loops: i, j, k, ..
fn letter(i: usize) -> String {
    match b"ijklmnopqrstuvw".get(i) {
        Some(letter) => char::from(*letter).to_string(),
        None => format!("i{i}"),
    }
}

/// True if the type is boolean; memory holds booleans as i8.
pub(super) fn is_bool(element: Type) -> bool {
    element.kind() == TypeKind::Integer(1)
}
