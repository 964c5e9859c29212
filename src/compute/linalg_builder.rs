//! Builds linalg ops on tensors.

use crate::ir::affine::Map;
use crate::ir::{
    Attribute, Block, Builder, Context, IteratorKind, Op, Region, Structured, Type, Value,
};

/// The source of the size of a dynamic dimension of a result.
#[derive(Clone, Copy)]
pub(crate) enum ResultSize<'c> {
    /// A dimension of another tensor.
    Of(Value<'c>, usize),
    /// An index.
    Value(Value<'c>),
    One,
}

/// The sizes of a tensor.
pub(crate) fn sizes_of(tensor: Value) -> Vec<ResultSize> {
    let rank = tensor.ty().shaped().map_or(0, |(dims, _)| dims.len());
    (0..rank).map(|i| ResultSize::Of(tensor, i)).collect()
}

/// The number of dimensions of a tensor; 0 for a scalar.
pub(crate) fn rank(value: Value) -> usize {
    value.ty().shaped().map_or(0, |(dims, _)| dims.len())
}

/// The element type of a tensor; a scalar's own type.
pub(crate) fn element_of(value: Value) -> Type {
    value.ty().shaped().map_or(value.ty(), |(_, element)| element)
}

/// The type of a tensor whose sizes are known.
pub(crate) fn static_tensor<'c>(sizes: &[i64], element: Type<'c>) -> Type<'c> {
    Type::tensor(&sizes.iter().copied().map(Some).collect::<Vec<_>>(), element)
}

/// A tensor without values. Of `sizes`, those of the dynamic dimensions are used.
pub(crate) fn empty<'c>(b: &Builder<'c>, ty: Type<'c>, sizes: &[ResultSize<'c>]) -> Value<'c> {
    let (dims, _) = ty.shaped().expect("the type of a tensor");
    let dynamic = dims.iter().zip(sizes).filter(|(d, _)| d.is_none());
    let values: Vec<_> = dynamic
        .map(|(_, size)| match size {
            ResultSize::Of(value, i) => tensor_dim(b, *value, *i),
            ResultSize::Value(value) => *value,
            ResultSize::One => b.index(1),
        })
        .collect();
    b.op("tensor.empty", &values, ty)
}

/// Dimension `i` of a tensor.
pub(crate) fn tensor_dim<'c>(b: &Builder<'c>, tensor: Value<'c>, i: usize) -> Value<'c> {
    let i = b.index(i as i64);
    b.op("tensor.dim", &[tensor, i], Type::index(b.context()))
}

/// True if ops are inserted in a fusion group, which holds no assertions.
pub(crate) fn is_grouped(b: &Builder) -> bool {
    b.block().parent().is_some_and(|around| around.is("graph.fusion"))
}

/// A tensor whose elements are all `value`.
pub(crate) fn filled<'c>(
    b: &Builder<'c>,
    ty: Type<'c>,
    sizes: &[ResultSize<'c>],
    value: Value<'c>,
) -> Value<'c> {
    let outs = empty(b, ty, sizes);
    let element = element_of(outs);
    let body = Block::new(&[(element, b.location()), (element, b.location())]);
    let inner = Builder::at_end(body, b.location());
    inner.insert(inner.spec("linalg.yield").operands(&body.arguments()[..1]));
    b.value(
        b.spec("linalg.fill")
            .operands(&[value, outs])
            .segments(&[1, 1])
            .results(&[ty])
            .region(Region::of(body)),
    )
}

/// `linalg.generic` with one output.
pub(crate) fn generic<'c>(
    b: &Builder<'c>,
    ins: &[Value<'c>],
    outs: Value<'c>,
    maps: &[Map],
    iterators: &[IteratorKind],
    body_of: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Value<'c> {
    let body_of = |b: &Builder<'c>, values: &[Value<'c>]| vec![body_of(b, values)];
    generic_of_several(b, ins, &[outs], maps, iterators, body_of)[0]
}

/// `linalg.generic` with some outputs. `body_of` gets an element of each operand, inputs first, and returns a new
/// element of each output.
pub(crate) fn generic_of_several<'c>(
    b: &Builder<'c>,
    ins: &[Value<'c>],
    outs: &[Value<'c>],
    maps: &[Map],
    iterators: &[IteratorKind],
    body_of: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
) -> Vec<Value<'c>> {
    let arguments: Vec<_> =
        ins.iter().chain(outs).map(|v| (element_of(*v), b.location())).collect();
    let body = Block::new(&arguments);
    let inner = Builder::at_end(body, b.location());
    let results = body_of(&inner, &body.arguments());
    inner.insert(inner.spec("linalg.yield").operands(&results));
    let types: Vec<_> = outs.iter().map(|out| out.ty()).collect();
    let spec = b
        .spec("linalg.generic")
        .operands(ins)
        .operands(outs)
        .segments(&[ins.len(), outs.len()])
        .attribute("indexing_maps", Attribute::maps(b.context(), maps))
        .attribute("iterator_types", iterator_types(b.context(), iterators))
        .results(&types)
        .region(Region::of(body));
    b.insert(spec).results()
}

/// Replaces a named op by the `linalg.generic` that it is: upstream verifies that the body of a named op is its own.
pub(crate) fn generalize(op: Op) {
    if let Some(loops) = Structured::of(op) {
        rebuilt(op, &op.operands(), &loops);
    }
}

/// Replaces a structured op on tensors by a `linalg.generic` with the body of the op, and with these operands and loops.
pub(crate) fn rebuilt<'c>(op: Op<'c>, operands: &[Value<'c>], loops: &Structured) -> Op<'c> {
    let at = Builder::before(op, op.location());
    let outputs = operands[loops.inputs..].iter();
    let types: Vec<_> = outputs.take(op.results().len()).map(|it| it.ty()).collect();
    let body = Region::new();
    body.take_body(op.region(0).expect("a structured op has a body"));
    let spec = at
        .spec("linalg.generic")
        .operands(operands)
        .segments(&[loops.inputs, operands.len() - loops.inputs])
        .attribute("indexing_maps", Attribute::maps(at.context(), &loops.maps))
        .attribute("iterator_types", iterator_types(at.context(), &loops.iterators))
        .results(&types)
        .region(body);
    let new = at.insert(spec);
    op.results().into_iter().zip(new.results()).for_each(|(old, it)| old.replace_all_uses_with(it));
    op.erase();
    new
}

/// The attribute of a `linalg.generic` with the kinds of its loops.
pub(crate) fn iterator_types<'c>(context: Context<'c>, kinds: &[IteratorKind]) -> Attribute<'c> {
    let iterator = |kind: &IteratorKind| {
        let word = match kind {
            IteratorKind::Parallel => "parallel",
            IteratorKind::Reduction => "reduction",
            IteratorKind::Window => "window",
        };
        Attribute::parse(context, &format!("#linalg.iterator_type<{word}>"))
            .expect("an attribute of linalg")
    };
    Attribute::array(context, &kinds.iter().map(iterator).collect::<Vec<_>>())
}

/// The index of loop `d`, in the body of a structured op.
pub(crate) fn loop_index<'c>(b: &Builder<'c>, d: usize) -> Value<'c> {
    let dim = Attribute::integer(Type::integer(b.context(), 64), d as i64);
    let spec = b.spec("linalg.index").attribute("dim", dim);
    b.value(spec.results(&[Type::index(b.context())]))
}

/// Lists of dimensions, as the ops that reshape want them.
pub(crate) fn reassociation<'c>(b: &Builder<'c>, groups: &[Vec<usize>]) -> Attribute<'c> {
    let i64_type = Type::integer(b.context(), 64);
    let group = |group: &Vec<usize>| {
        let dims: Vec<_> = group.iter().map(|i| Attribute::integer(i64_type, *i as i64)).collect();
        Attribute::array(b.context(), &dims)
    };
    Attribute::array(b.context(), &groups.iter().map(group).collect::<Vec<_>>())
}

/// Joins the dimensions of each group.
pub(crate) fn collapse<'c>(b: &Builder<'c>, x: Value<'c>, groups: &[Vec<usize>]) -> Value<'c> {
    if groups.len() == rank(x) {
        return x;
    }
    let sizes = x.ty().shaped().expect("a tensor").0;
    let size = |group: &Vec<usize>| {
        group.iter().try_fold(1i64, |n, i| sizes[*i].and_then(|size| n.checked_mul(size)))
    };
    let ty = Type::tensor(&groups.iter().map(size).collect::<Vec<_>>(), element_of(x));
    let spec = b.spec("tensor.collapse_shape").operands(&[x]).results(&[ty]);
    b.value(spec.attribute("reassociation", reassociation(b, groups)))
}

/// The lists of dimensions of an op that reshapes.
pub(crate) fn reassociation_of(op: Op) -> Option<Vec<Vec<usize>>> {
    let groups = op.attribute("reassociation")?.as_array()?;
    let group = |group: &Attribute| -> Option<Vec<usize>> {
        group.as_array()?.iter().map(|n| usize::try_from(n.as_i64()?).ok()).collect()
    };
    groups.iter().map(group).collect()
}

/// A tensor with elements of one value around it: so many before and after each dimension.
pub(crate) fn pad_tensor<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    low: &[i64],
    high: &[i64],
    value: Value<'c>,
) -> Value<'c> {
    if low.iter().chain(high).all(|size| *size == 0) {
        return x;
    }
    let padded = |(i, size): (usize, Option<i64>)| size.map(|size| size + low[i] + high[i]);
    let sizes: Vec<_> =
        x.ty().shaped().expect("a tensor").0.into_iter().enumerate().map(padded).collect();
    let body = Block::new(&vec![(Type::index(b.context()), b.location()); sizes.len()]);
    let inner = Builder::at_end(body, b.location());
    inner.insert(inner.spec("tensor.yield").operands(&[value]));
    let spec = b
        .spec("tensor.pad")
        .operands(&[x])
        .segments(&[1, 0, 0])
        .attribute("static_low", Attribute::dense_i64(b.context(), low))
        .attribute("static_high", Attribute::dense_i64(b.context(), high))
        .region(Region::of(body));
    b.value(spec.results(&[Type::tensor(&sizes, element_of(x))]))
}

/// The first elements of a tensor along each dimension, as many as the type has, which has no dynamic sizes.
pub(crate) fn first_elements<'c>(b: &Builder<'c>, x: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if x.ty() == ty {
        return x;
    }
    let sizes: Option<Vec<i64>> = ty.shaped().expect("a tensor").0.into_iter().collect();
    let sizes = sizes.expect("static sizes");
    let (zeros, ones) = (vec![0; sizes.len()], vec![1; sizes.len()]);
    let list = |numbers| (Attribute::dense_i64(b.context(), numbers), &[][..]);
    extract_slice(b, x, list(&zeros), list(&sizes), &ones, ty)
}

/// `tensor.extract_slice`. Offsets and sizes are lists of numbers, and the values of those that are not known.
pub(crate) fn extract_slice<'c>(
    b: &Builder<'c>,
    x: Value<'c>,
    offsets: (Attribute<'c>, &[Value<'c>]),
    sizes: (Attribute<'c>, &[Value<'c>]),
    strides: &[i64],
    ty: Type<'c>,
) -> Value<'c> {
    let spec = b
        .spec("tensor.extract_slice")
        .operands(&[x])
        .operands(offsets.1)
        .operands(sizes.1)
        .segments(&[1, offsets.1.len(), sizes.1.len(), 0])
        .attribute("static_offsets", offsets.0)
        .attribute("static_sizes", sizes.0)
        .attribute("static_strides", Attribute::dense_i64(b.context(), strides));
    b.value(spec.results(&[ty]))
}
