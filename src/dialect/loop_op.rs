//! Typed views of the ops of the loop dialect, and their builders.
//!
//! A view is a snapshot: it is decoded once and does not follow later changes of the op. All
//! expressions of a view refer to value lists of the view: dims to `iters` (regions) or `binds`
//! (bindings, predicate), symbols to `sizes`.

use super::loop_enums::*;
use crate::ir::affine::{Expr, IntegerSet, Map};
use crate::ir::{Attribute, Block, Context, Error, Location, Op, OpSpec, Region, Type, Value};

/// The extent that represents `*` in the attributes; LoopAssembly.cpp defines it too.
const WHOLE: i64 = -1;

/// Provenance of a loop that a primitive has created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisOrigin {
    /// The transformation that created the loop.
    pub ty: AxisType,
    /// The names of the loops that it was created from.
    pub from: Vec<String>,
    /// The name of the other half of a split.
    pub pair: Option<String>,
}

impl AxisOrigin {
    fn attributes<'c>(&self, context: Context<'c>) -> Vec<(&'static str, Attribute<'c>)> {
        let ty = Attribute::integer(Type::integer(context, 32), self.ty as i64);
        let from = (!self.from.is_empty()).then(|| Attribute::strings(context, &self.from));
        let pair = self.pair.as_ref().map(|pair| Attribute::string(context, pair));
        let named = [("axis_type", Some(ty)), ("axis_from", from), ("axis_pair", pair)];
        named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// A view of `loop.for`.
#[derive(Clone, Debug)]
pub struct For<'c> {
    pub op: Op<'c>,
    pub kind: LoopKind,
    pub thread: Option<ThreadAxis>,
    pub name: &'c str,
    /// The extent is the minimum of the results.
    pub extent: Map,
    /// Operands of `extent`: dims, then symbols.
    pub operands: Vec<Value<'c>>,
    pub axis: Option<AxisOrigin>,
    pub body: Block<'c>,
}

/// A block iter.
#[derive(Clone, Debug)]
pub struct IterView<'c> {
    pub name: String,
    pub role: IterRole,
    /// The domain is `[0, d)` for the minimum `d` of these size expressions.
    pub domain: Vec<Expr>,
    /// The variable in the body.
    pub variable: Value<'c>,
}

/// One dimension of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionDim {
    /// `*`: any index of the dimension.
    Whole,
    /// `extent` indices (over sizes) from `offset` (over iters and sizes).
    Range { offset: Expr, extent: Expr },
}

/// The region of a buffer that a block reads or writes: a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessRegion<'c> {
    pub buffer: Value<'c>,
    pub spans: Vec<RegionDim>,
}

/// The combiners of a reduction, and their identities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reducer<'c> {
    pub combiners: Vec<Combiner>,
    pub identities: Vec<Attribute<'c>>,
}

/// A view of `loop.block`.
#[derive(Clone, Debug)]
pub struct ScheduleBlock<'c> {
    pub op: Op<'c>,
    pub name: &'c str,
    pub iters: Vec<IterView<'c>>,
    pub sizes: Vec<Value<'c>>,
    pub binds: Vec<Value<'c>>,
    /// The binding of each iter, over `binds` and `sizes`.
    pub binding: Vec<Expr>,
    /// A condition over `binds` and `sizes`.
    pub predicate: Option<IntegerSet>,
    pub reads: Vec<AccessRegion<'c>>,
    pub writes: Vec<AccessRegion<'c>>,
    pub reducer: Option<Reducer<'c>>,
    pub body: Block<'c>,
}

/// A view of `loop.if`.
#[derive(Clone, Debug)]
pub struct If<'c> {
    pub op: Op<'c>,
    pub condition: IntegerSet,
    /// Operands of `condition`: dims, then symbols.
    pub operands: Vec<Value<'c>>,
    pub then_body: Block<'c>,
    pub else_body: Option<Block<'c>>,
}

/// A view of `loop.buffer`.
#[derive(Clone, Debug)]
pub struct BufferView<'c> {
    pub op: Op<'c>,
    pub name: &'c str,
    pub scope: Scope,
    pub alignment: Option<i64>,
    pub padding: Option<Vec<i64>>,
    /// A divisor and a remainder for each dimension.
    pub rounding: Option<Vec<i64>>,
    /// One expression a dynamic dimension, over `sizes`.
    pub dynamic_dims: Vec<Expr>,
    pub sizes: Vec<Value<'c>>,
}

/// The error for an op whose attribute does not have the form that the dialect requires.
fn bad<'c>(op: Op<'c>, name: &str) -> Error<'c> {
    Error::on(op, format!("has no valid '{name}'"))
}

fn map<'c>(op: Op<'c>, name: &str) -> Result<Map, Error<'c>> {
    op.attribute(name).and_then(Attribute::as_map).ok_or_else(|| bad(op, name))
}

fn maps<'c>(op: Op<'c>, name: &str) -> Result<Vec<Map>, Error<'c>> {
    op.attribute(name)
        .and_then(Attribute::as_array)
        .and_then(|items| items.into_iter().map(Attribute::as_map).collect())
        .ok_or_else(|| bad(op, name))
}

fn text<'c>(op: Op<'c>, name: &str) -> Result<&'c str, Error<'c>> {
    op.attribute(name).and_then(Attribute::as_str).ok_or_else(|| bad(op, name))
}

fn integers<'c>(op: Op<'c>, name: &str) -> Result<Vec<i64>, Error<'c>> {
    op.attribute(name).and_then(Attribute::as_integers).ok_or_else(|| bad(op, name))
}

impl<'c> For<'c> {
    pub const NAME: &'static str = "loop.for";

    pub fn of(op: Op<'c>) -> Result<Self, Error<'c>> {
        let number = |name| op.attribute(name).and_then(Attribute::as_i64);
        let axis = number("axis_type").and_then(AxisType::from_value).map(|ty| AxisOrigin {
            ty,
            from: op
                .attribute("axis_from")
                .and_then(Attribute::as_array)
                .map(|items| items.iter().filter_map(|s| s.as_str()).map(str::to_owned).collect())
                .unwrap_or_default(),
            pair: op.attribute("axis_pair").and_then(Attribute::as_str).map(str::to_owned),
        });
        Ok(For {
            op,
            kind: number("kind").and_then(LoopKind::from_value).ok_or_else(|| bad(op, "kind"))?,
            thread: number("thread").and_then(ThreadAxis::from_value),
            name: text(op, "name")?,
            extent: map(op, "extent")?,
            operands: op.operands(),
            axis,
            body: op.body(0).ok_or_else(|| Error::on(op, "has no body"))?,
        })
    }

    /// The induction variable.
    pub fn variable(&self) -> Value<'c> {
        self.body.argument(0)
    }

    /// The extent, if it is constant.
    pub fn constant_extent(&self) -> Option<i64> {
        let values: Option<Vec<i64>> = self.extent.results.iter().map(Expr::constant).collect();
        values?.into_iter().min()
    }

    /// Creates a serial loop of an extent over sizes (symbols), in no block; its body ends in a yield.
    pub(crate) fn create(
        location: Location<'c>,
        name: &str,
        extent: &Map,
        sizes: &[Value<'c>],
    ) -> Op<'c> {
        ForSpec { name, extent, dims: &[], sizes, axis: None }.create(location)
    }

    /// Sets what the loop was made from; `None` removes it.
    pub fn set_axis(op: Op<'c>, axis: Option<&AxisOrigin>) {
        ["axis_type", "axis_from", "axis_pair"].iter().for_each(|name| op.remove_attribute(name));
        for (name, value) in axis.iter().flat_map(|axis| axis.attributes(op.context())) {
            op.set_attribute(name, value);
        }
    }

    /// Sets the kind, and the thread axis that belongs to `thread_bind`.
    pub fn set_kind(op: Op<'c>, kind: LoopKind, thread: Option<ThreadAxis>) {
        let number = |value| Attribute::integer(Type::integer(op.context(), 32), value);
        op.set_attribute("kind", number(kind as i64));
        match thread {
            Some(axis) => op.set_attribute("thread", number(axis as i64)),
            None => op.remove_attribute("thread"),
        }
    }
}

/// The description of a new serial loop.
pub struct ForSpec<'c, 'a> {
    pub name: &'a str,
    /// A map over `dims` and `sizes`.
    pub extent: &'a Map,
    pub dims: &'a [Value<'c>],
    pub sizes: &'a [Value<'c>],
    pub axis: Option<AxisOrigin>,
}

impl<'c> ForSpec<'c, '_> {
    /// Creates the loop in no block; its body ends in a yield.
    pub(crate) fn create(&self, location: Location<'c>) -> Op<'c> {
        let context = location.context();
        let (extent, operands) = self.extent.compressed(self.dims, self.sizes);
        let body = Block::new(&[(Type::index(context), location)]);
        body.append(yield_op(location, &[]));
        let number = |value| Attribute::integer(Type::integer(context, 32), value);
        let mut spec = OpSpec::new(For::NAME, location)
            .operands(&operands)
            .attribute("kind", number(LoopKind::Serial as i64))
            .attribute("name", Attribute::string(context, self.name))
            .attribute("extent", extent.to_attribute(context));
        for (name, value) in self.axis.iter().flat_map(|axis| axis.attributes(context)) {
            spec = spec.attribute(name, value);
        }
        spec.region(Region::of(body)).create().expect("the loop dialect is loaded")
    }
}

/// `loop.yield` with operands, in no block.
pub(crate) fn yield_op<'c>(location: Location<'c>, values: &[Value<'c>]) -> Op<'c> {
    OpSpec::new("loop.yield", location)
        .operands(values)
        .create()
        .expect("the loop dialect is loaded")
}

impl<'c> ScheduleBlock<'c> {
    pub const NAME: &'static str = "loop.block";

    pub fn of(op: Op<'c>) -> Result<Self, Error<'c>> {
        let segments = integers(op, "operandSegmentSizes")?;
        let operands = op.operands();
        let total: i64 = segments.iter().sum();
        if segments.len() != 4 || total != operands.len() as i64 {
            return Err(bad(op, "operandSegmentSizes"));
        }
        let mut rest = operands.into_iter();
        let mut group = |i: usize| rest.by_ref().take(segments[i] as usize).collect::<Vec<_>>();
        let (sizes, binds, reads, writes) = (group(0), group(1), group(2), group(3));
        let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
        Ok(ScheduleBlock {
            op,
            name: text(op, "name")?,
            iters: iters(op, body)?,
            sizes,
            binds,
            binding: map(op, "binding")?.results,
            predicate: op.attribute("predicate").and_then(Attribute::as_set),
            reads: regions(op, &reads, "read_offsets", "read_extents")?,
            writes: regions(op, &writes, "write_offsets", "write_extents")?,
            reducer: reducer(op)?,
            body,
        })
    }

    /// The block's `loop.init`, if it has one.
    pub fn init(&self) -> Option<Op<'c>> {
        self.body.each_op().find(|op| op.is("loop.init"))
    }

    /// True if the body consists of loops and nested blocks, or of branches that hold some.
    pub fn is_nest(&self) -> bool {
        holds_nest(self.body)
    }
}

fn holds_nest(body: Block) -> bool {
    body.each_op().any(|op| match op.name() {
        For::NAME | ScheduleBlock::NAME => true,
        If::NAME => op.regions().iter().flat_map(|region| region.each_block()).any(holds_nest),
        _ => false,
    })
}

fn iters<'c>(op: Op<'c>, body: Block<'c>) -> Result<Vec<IterView<'c>>, Error<'c>> {
    let names = op.attribute("iter_names").and_then(Attribute::as_array);
    let names = names.ok_or_else(|| bad(op, "iter_names"))?;
    let roles = integers(op, "roles")?;
    let domains = maps(op, "domains")?;
    let variables = body.arguments();
    let n = variables.len();
    if names.len() != n || roles.len() != n || domains.len() != n {
        return Err(Error::on(
            op,
            format!(
                "has {} iter names, {} roles and {} domains for the {n} variables of its body",
                names.len(),
                roles.len(),
                domains.len()
            ),
        ));
    }
    let iter = |i: usize| {
        Ok(IterView {
            name: names[i].as_str().ok_or_else(|| bad(op, "iter_names"))?.to_owned(),
            role: IterRole::from_value(roles[i]).ok_or_else(|| bad(op, "roles"))?,
            domain: domains[i].results.clone(),
            variable: variables[i],
        })
    };
    (0..n).map(iter).collect()
}

fn regions<'c>(
    op: Op<'c>,
    buffers: &[Value<'c>],
    offsets_name: &str,
    extents_name: &str,
) -> Result<Vec<AccessRegion<'c>>, Error<'c>> {
    let (offsets, extents) = (maps(op, offsets_name)?, maps(op, extents_name)?);
    if offsets.len() != buffers.len() || extents.len() != buffers.len() {
        return Err(bad(op, offsets_name));
    }
    buffers
        .iter()
        .zip(offsets.into_iter().zip(extents))
        .map(|(buffer, (offsets, extents))| {
            if offsets.results.len() != extents.results.len() {
                return Err(bad(op, extents_name));
            }
            let spans = offsets.results.into_iter().zip(extents.results);
            let span = |(offset, extent)| match extent {
                Expr::Constant(WHOLE) => RegionDim::Whole,
                extent => RegionDim::Range { offset, extent },
            };
            Ok(AccessRegion { buffer: *buffer, spans: spans.map(span).collect() })
        })
        .collect()
}

fn reducer<'c>(op: Op<'c>) -> Result<Option<Reducer<'c>>, Error<'c>> {
    if op.attribute("combiners").is_none() {
        return Ok(None);
    }
    let combiners = integers(op, "combiners")?.into_iter().map(Combiner::from_value);
    Ok(Some(Reducer {
        combiners: combiners.collect::<Option<_>>().ok_or_else(|| bad(op, "combiners"))?,
        identities: op.attribute("identities").and_then(Attribute::as_array).unwrap_or_default(),
    }))
}

/// The description of a new schedule block without its body.
pub struct BlockSpec<'c> {
    pub name: String,
    /// Name, role and domain; the iter variables are created with the block.
    pub iters: Vec<(String, IterRole, Vec<Expr>)>,
    pub sizes: Vec<Value<'c>>,
    pub binds: Vec<Value<'c>>,
    pub binding: Vec<Expr>,
    pub predicate: Option<IntegerSet>,
    pub reducer: Option<Reducer<'c>>,
}

impl<'c> BlockSpec<'c> {
    /// Creates the op in no block, with an empty body that ends in a yield and without regions:
    /// fill the body, then call [`set_regions`].
    pub(crate) fn create(&self, location: Location<'c>) -> Op<'c> {
        let context = location.context();
        let index = Type::index(context);
        let body = Block::new(&vec![(index, location); self.iters.len()]);
        body.append(yield_op(location, &[]));
        let (sizes, binds) = (self.sizes.len(), self.binds.len());
        let domains: Vec<Map> = self
            .iters
            .iter()
            .map(|(_, _, domain)| Map { dims: 0, symbols: sizes, results: domain.clone() })
            .collect();
        let names: Vec<&String> = self.iters.iter().map(|(name, ..)| name).collect();
        let roles: Vec<i32> = self.iters.iter().map(|(_, role, _)| *role as i32).collect();
        let binding = Map { dims: binds, symbols: sizes, results: self.binding.clone() };
        let none = Attribute::array(context, &[]);
        let mut spec = OpSpec::new(ScheduleBlock::NAME, location)
            .operands(&self.sizes)
            .operands(&self.binds)
            .segments(&[sizes, binds, 0, 0])
            .attribute("name", Attribute::string(context, &self.name))
            .attribute("iter_names", Attribute::strings(context, &names))
            .attribute("roles", Attribute::dense_i32(context, &roles))
            .attribute("domains", Attribute::maps(context, &domains))
            .attribute("binding", binding.to_attribute(context))
            .attribute("read_offsets", none)
            .attribute("read_extents", none)
            .attribute("write_offsets", none)
            .attribute("write_extents", none);
        if let Some(predicate) = &self.predicate {
            spec = spec.attribute("predicate", predicate.to_attribute(context));
        }
        if let Some(reducer) = &self.reducer {
            let combiners: Vec<i32> = reducer.combiners.iter().map(|c| *c as i32).collect();
            spec = spec
                .attribute("combiners", Attribute::dense_i32(context, &combiners))
                .attribute("identities", Attribute::array(context, &reducer.identities));
        }
        spec.region(Region::of(body)).create().expect("the loop dialect is loaded")
    }
}

/// Replaces the declared regions of a block, and with them its buffer operands.
pub fn set_regions<'c>(
    block: &ScheduleBlock<'c>,
    reads: &[AccessRegion<'c>],
    writes: &[AccessRegion<'c>],
) {
    let context = block.op.context();
    let (dims, symbols) = (block.iters.len(), block.sizes.len());
    let mut operands = block.sizes.clone();
    operands.extend(&block.binds);
    for (regions, offsets_name, extents_name) in
        [(reads, "read_offsets", "read_extents"), (writes, "write_offsets", "write_extents")]
    {
        let (offsets, extents): (Vec<Map>, Vec<Map>) =
            regions.iter().map(|region| region_maps(region, dims, symbols)).unzip();
        block.op.set_attribute(offsets_name, Attribute::maps(context, &offsets));
        block.op.set_attribute(extents_name, Attribute::maps(context, &extents));
        operands.extend(regions.iter().map(|region| region.buffer));
    }
    let sizes = [symbols, block.binds.len(), reads.len(), writes.len()].map(|n| n as i32);
    block.op.set_operands(&operands);
    block.op.set_attribute("operandSegmentSizes", Attribute::dense_i32(context, &sizes));
}

fn region_maps(region: &AccessRegion, dims: usize, symbols: usize) -> (Map, Map) {
    let (offsets, extents) = region
        .spans
        .iter()
        .map(|span| match span {
            RegionDim::Whole => (Expr::Constant(0), Expr::Constant(WHOLE)),
            RegionDim::Range { offset, extent } => (offset.clone(), extent.clone()),
        })
        .unzip();
    (Map { dims, symbols, results: offsets }, Map { dims: 0, symbols, results: extents })
}

impl<'c> If<'c> {
    pub const NAME: &'static str = "loop.if";

    pub fn of(op: Op<'c>) -> Result<Self, Error<'c>> {
        let condition = op.attribute("condition").and_then(Attribute::as_set);
        Ok(If {
            op,
            condition: condition.ok_or_else(|| bad(op, "condition"))?,
            operands: op.operands(),
            then_body: op.body(0).ok_or_else(|| Error::on(op, "has no body"))?,
            else_body: op.body(1),
        })
    }

    /// Creates a `loop.if` in no block; each branch is given by its block, which ends in a yield. The second branch is
    /// optional.
    pub(crate) fn create(
        location: Location<'c>,
        condition: &IntegerSet,
        operands: &[Value<'c>],
        results: &[Type<'c>],
        then_body: Block<'c>,
        else_body: impl Into<Option<Block<'c>>>,
    ) -> Op<'c> {
        OpSpec::new(Self::NAME, location)
            .operands(operands)
            .results(results)
            .attribute("condition", condition.to_attribute(location.context()))
            .region(Region::of(then_body))
            .region(else_body.into().map_or_else(Region::new, Region::of))
            .create()
            .expect("the loop dialect is loaded")
    }
}

impl<'c> BufferView<'c> {
    pub const NAME: &'static str = "loop.buffer";

    pub fn of(op: Op<'c>) -> Result<Self, Error<'c>> {
        let number = |name| op.attribute(name).and_then(Attribute::as_i64);
        Ok(BufferView {
            op,
            name: text(op, "name")?,
            scope: number("scope").and_then(Scope::from_value).ok_or_else(|| bad(op, "scope"))?,
            alignment: number("alignment"),
            padding: op.attribute("padding").and_then(Attribute::as_integers),
            rounding: op.attribute("rounding").and_then(Attribute::as_integers),
            dynamic_dims: map(op, "dynamic_dims")?.results,
            sizes: op.operands(),
        })
    }

    /// Creates a buffer in no block.
    pub(crate) fn create(
        location: Location<'c>,
        name: &str,
        scope: Scope,
        ty: Type<'c>,
        dynamic_dims: &[Expr],
        sizes: &[Value<'c>],
    ) -> Op<'c> {
        let context = location.context();
        let dims = Map { dims: 0, symbols: sizes.len(), results: dynamic_dims.to_vec() };
        let (dims, sizes) = dims.compressed(&[], sizes);
        OpSpec::new(Self::NAME, location)
            .operands(&sizes)
            .results(&[ty])
            .attribute("name", Attribute::string(context, name))
            .attribute("scope", Attribute::integer(Type::integer(context, 32), scope as i64))
            .attribute("dynamic_dims", dims.to_attribute(context))
            .create()
            .expect("the loop dialect is loaded")
    }
}

impl<'c> BufferView<'c> {
    /// The same buffer with another size of dimension `dim`, in no block.
    pub fn resized(&self, dim: usize, change: impl Fn(Expr) -> Expr) -> Op<'c> {
        let (mut dims, element) = self.op.result(0).ty().shaped().expect("a verified buffer");
        let mut dynamic = self.dynamic_dims.clone();
        match &mut dims[dim] {
            Some(size) => {
                let new = change((*size).into()).constant().expect("sizes from a number are one");
                *size = new;
            }
            None => {
                let i = dims[..dim].iter().filter(|size| size.is_none()).count();
                dynamic[i] = change(dynamic[i].clone()).simplified();
            }
        }
        let ty = Type::memref(&dims, element);
        let new =
            Self::create(self.op.location(), self.name, self.scope, ty, &dynamic, &self.sizes);
        for name in ["alignment", "padding", "rounding"] {
            if let Some(value) = self.op.attribute(name) {
                new.set_attribute(name, value);
            }
        }
        new
    }
}

/// The name of a buffer: of its `loop.buffer`, of its function argument, or, as `@name`, of
/// its global.
pub fn buffer_name(buffer: Value) -> String {
    if let Some(op) = buffer.defining_op() {
        let name = op.attribute("name");
        if let Some(name) = name.and_then(Attribute::as_str) {
            return name.to_owned();
        }
        if let Some(symbol) = name.and_then(Attribute::as_symbol) {
            return format!("@{symbol}");
        }
        return format!("the result of '{}'", op.name());
    }
    let function = buffer.owner().and_then(|block| block.parent());
    function
        .and_then(|function| function.argument_attribute(buffer.index(), "loop.name"))
        .and_then(Attribute::as_str)
        .map_or_else(|| format!("arg{}", buffer.index()), str::to_owned)
}

/// True if the element type may be in memory.
pub fn is_storable(element: Type) -> bool {
    use crate::ir::TypeKind;
    matches!(element.kind(), TypeKind::Integer(8 | 16 | 32 | 64) | TypeKind::Float(_))
}

/// The type in which memory holds a value of a tensor's element type: booleans are i8 0 or 1.
pub fn stored_type<'c>(context: Context<'c>, element: Type<'c>) -> Type<'c> {
    match element.kind() {
        crate::ir::TypeKind::Integer(1) => Type::integer(context, 8),
        crate::ir::TypeKind::Index => Type::integer(context, 64),
        _ => element,
    }
}
