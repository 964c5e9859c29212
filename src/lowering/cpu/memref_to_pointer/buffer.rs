//! Buffers: a memref as a pointer and sizes, and the addresses of its elements.

use crate::ir::{Attribute, Builder, OpSpec, Type, TypeKind, Value};

/// The alignment of all memory that the compiler allocates, in bytes: a cache line, and the widest vector.
pub(crate) const ALIGNMENT: i64 = 64;

/// A dimension of a buffer.
#[derive(Clone, Copy)]
pub(crate) enum PointerSize<'c> {
    Static(i64),
    Dynamic(Value<'c>),
}

/// A memref as a pointer and its sizes.
#[derive(Clone)]
pub(crate) struct SizedPointer<'c> {
    pub pointer: Value<'c>,
    pub sizes: Vec<PointerSize<'c>>,
    pub element: Type<'c>,
}

/// The facts that are known about the indices of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexBounds {
    /// They are in bounds, so the address computation does not wrap.
    Inside,
    /// The access may be in bounds only because of a mask.
    Masked,
}

impl<'c> PointerSize<'c> {
    pub fn value(self, at: &Builder<'c>) -> Value<'c> {
        match self {
            PointerSize::Static(size) => at.index(size),
            PointerSize::Dynamic(value) => value,
        }
    }
}

impl<'c> SizedPointer<'c> {
    /// The buffer of a memref type at `pointer`; `dynamic` gives its dynamic sizes in order.
    pub fn new(ty: Type<'c>, pointer: Value<'c>, dynamic: &[Value<'c>]) -> Self {
        let (dims, element) = ty.shaped().expect("memrefs were checked (C2)");
        let mut dynamic = dynamic.iter();
        let sizes = dims.into_iter().map(|dim| match dim {
            Some(size) => PointerSize::Static(size),
            None => PointerSize::Dynamic(*dynamic.next().expect("one value a dynamic size")),
        });
        Self { pointer, sizes: sizes.collect(), element }
    }

    /// The pointer and the dynamic sizes, which represent the memref where values are passed.
    pub fn values(&self) -> Vec<Value<'c>> {
        let dynamic = self.sizes.iter().filter_map(|size| match size {
            PointerSize::Static(_) => None,
            PointerSize::Dynamic(value) => Some(*value),
        });
        std::iter::once(self.pointer).chain(dynamic).collect()
    }

    /// The address of the element at `indices`.
    pub fn address(
        &self,
        at: &Builder<'c>,
        indices: &[Value<'c>],
        bounds: IndexBounds,
    ) -> Value<'c> {
        let Some((first, rest)) = indices.split_first() else { return self.pointer };
        let index = Type::index(at.context());
        let flags = (bounds == IndexBounds::Inside).then(|| {
            Attribute::parse(at.context(), "#arith.overflow<nsw, nuw>").expect("valid text")
        });
        let arithmetic = |name: &str, operands: &[Value<'c>]| {
            let spec = at.spec(name).operands(operands).results(&[index]);
            at.value(match flags {
                Some(flags) => spec.attribute("overflowFlags", flags),
                None => spec,
            })
        };
        let mut linear = *first;
        for (next, size) in rest.iter().zip(&self.sizes[1..]) {
            let row = arithmetic("arith.muli", &[linear, size.value(at)]);
            linear = arithmetic("arith.addi", &[row, *next]);
        }
        let offset = at.op("arith.index_cast", &[linear], Type::integer(at.context(), 64));
        element_pointer(at, self.pointer, offset, self.element, bounds)
    }
}

/// `pointer` advanced by `offset` elements. A vector of offsets gives a vector of pointers.
pub(crate) fn element_pointer<'c>(
    at: &Builder<'c>,
    pointer: Value<'c>,
    offset: Value<'c>,
    element: Type<'c>,
    bounds: IndexBounds,
) -> Value<'c> {
    let scalar = Type::pointer(at.context());
    let result = match offset.ty().lanes() {
        Some((lanes, _)) => Type::vector(lanes, scalar),
        None => scalar,
    };
    let spec = at.spec("llvm.getelementptr").operands(&[pointer, offset]).results(&[result]);
    get_element_pointer(at, spec, element, &[i32::MIN], bounds)
}

/// The address of field `i` of a struct.
pub(crate) fn field<'c>(
    at: &Builder<'c>,
    base: Value<'c>,
    fields: &[Type<'c>],
    i: usize,
) -> Value<'c> {
    let (ty, pointer) = (Type::llvm_struct(at.context(), fields), Type::pointer(at.context()));
    let spec = at.spec("llvm.getelementptr").operands(&[base]).results(&[pointer]);
    get_element_pointer(at, spec, ty, &[0, i as i32], IndexBounds::Inside)
}

/// `indices` are constants, or `i32::MIN` for an operand.
fn get_element_pointer<'c>(
    at: &Builder<'c>,
    spec: OpSpec<'c>,
    element: Type<'c>,
    indices: &[i32],
    bounds: IndexBounds,
) -> Value<'c> {
    let context = at.context();
    let indices = Attribute::dense_i32(context, indices);
    let element = element.to_attribute();
    let spec = spec.attribute("elem_type", element).attribute("rawConstantIndices", indices);
    let op = at.insert(spec);
    if bounds == IndexBounds::Inside {
        // The flags of LLVM's GEPNoWrapFlags: inbounds, nusw and nuw.
        let flags = Attribute::integer(Type::integer(context, 32), 7);
        let fits = op.set_properties(Attribute::dictionary(
            context,
            &[("elem_type", element), ("rawConstantIndices", indices), ("noWrapFlags", flags)],
        ));
        assert!(fits, "these are the properties of llvm.getelementptr");
    }
    op.result(0)
}

/// A constant of type i64.
pub(crate) fn i64_constant<'c>(at: &Builder<'c>, value: i64) -> Value<'c> {
    at.constant(Attribute::integer(Type::integer(at.context(), 64), value))
}

/// Casts `value` to an index, or an index to i64; LLVM's index has 64 bits.
pub(crate) fn cast<'c>(at: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    if value.ty() == to { value } else { at.op("arith.index_cast", &[value], to) }
}

/// A load of a whole value of type `ty` with its natural alignment.
pub(crate) fn load<'c>(at: &Builder<'c>, pointer: Value<'c>, ty: Type<'c>) -> Value<'c> {
    at.op("llvm.load", &[pointer], ty)
}

/// Stack memory for `ty` in the frame of a function; must be inserted in the entry block.
pub(crate) fn stack_slot<'c>(at: &Builder<'c>, ty: Type<'c>) -> Value<'c> {
    let one = i64_constant(at, 1);
    at.value(
        at.spec("llvm.alloca")
            .operands(&[one])
            .attribute("elem_type", ty.to_attribute())
            .attribute("alignment", Attribute::integer(Type::integer(at.context(), 64), ALIGNMENT))
            .results(&[Type::pointer(at.context())]),
    )
}

/// The types that are passed for a type.
pub(crate) fn passed_types<'c>(ty: Type<'c>) -> Vec<Type<'c>> {
    match ty.shaped() {
        None => vec![ty],
        Some((dims, _)) => {
            let dynamic = dims.iter().filter(|dim| dim.is_none()).count();
            let index = Type::index(ty.context());
            std::iter::once(Type::pointer(ty.context()))
                .chain(std::iter::repeat_n(index, dynamic))
                .collect()
        }
    }
}

/// The bytes of an element that memory can hold (C2).
pub(crate) fn element_bytes(ty: Type) -> Option<i64> {
    let is_known = matches!(ty.kind(), TypeKind::Integer(8 | 16 | 32 | 64) | TypeKind::Float(_));
    ty.element_bytes().filter(|_| is_known)
}

/// The bytes of a static shape; `None` on overflow.
pub(crate) fn static_bytes(dims: &[Option<i64>], element: Type) -> Option<i64> {
    let bytes = element_bytes(element)?;
    if dims.contains(&Some(0)) {
        return Some(0);
    }
    dims.iter().try_fold(bytes, |bytes, dim| bytes.checked_mul((*dim)?))
}
