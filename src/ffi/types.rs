//! Types: a flat enum to match on, and constructors.

use super::handle::handle;
use super::narrow_float::NarrowFloat;
use super::text::collect;
use super::{Attribute, Context};
use mlir_sys::*;
use std::fmt;

handle!(
    /// A type.
    Type, MlirType
);

/// The supported floating-point types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// IEEE binary16.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// A float of at most 8 bits.
    Narrow(NarrowFloat),
}

impl FloatKind {
    /// The largest finite value.
    pub fn largest(self) -> f64 {
        match self {
            FloatKind::F16 => 65504.0,
            FloatKind::BF16 => f32::from_bits(0x7f7f_0000).into(),
            FloatKind::F32 => f32::MAX.into(),
            FloatKind::F64 => f64::MAX,
            FloatKind::Narrow(narrow) => narrow.largest(),
        }
    }

    /// The number with these bits; `None` for a float of at most 8 bits.
    pub fn with_bits(self, bits: u64) -> Option<f64> {
        Some(match self {
            FloatKind::F16 => half::f16::from_bits(bits as u16).to_f64(),
            FloatKind::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
            FloatKind::F32 => f32::from_bits(bits as u32).into(),
            FloatKind::F64 => f64::from_bits(bits),
            FloatKind::Narrow(_) => return None,
        })
    }
}

/// The kind of a type, as far as the project distinguishes kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind<'c> {
    /// MLIR's index.
    Index,
    /// A signless integer of this width in bits.
    Integer(u32),
    /// A float of this kind.
    Float(FloatKind),
    /// A ranked tensor; `None` is a dynamic dimension.
    Tensor {
        /// The sizes, the slowest dimension first.
        dims: Vec<Option<i64>>,
        /// The type of the elements.
        element: Type<'c>,
    },
    /// A ranked memref of row-major layout; `None` is a dynamic dimension.
    MemRef {
        /// The sizes, the slowest dimension first.
        dims: Vec<Option<i64>>,
        /// The type of the elements.
        element: Type<'c>,
    },
    /// Any other type.
    Other,
}

// SAFETY of this block: types are uniqued and live as long as their context; the getters are called
// only after the matching kind test.
impl<'c> Type<'c> {
    /// MLIR's index.
    pub fn index(context: Context<'c>) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirIndexTypeGet(context.to_raw())) }
    }

    /// A signless integer of this width in bits.
    pub fn integer(context: Context<'c>, bits: u32) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirIntegerTypeGet(context.to_raw(), bits)) }
    }

    /// A float type.
    pub fn float(context: Context<'c>, kind: FloatKind) -> Self {
        let context = context.to_raw();
        // SAFETY: see above.
        unsafe {
            Self::from_raw(match kind {
                FloatKind::F16 => mlirF16TypeGet(context),
                FloatKind::BF16 => mlirBF16TypeGet(context),
                FloatKind::F32 => mlirF32TypeGet(context),
                FloatKind::F64 => mlirF64TypeGet(context),
                FloatKind::Narrow(narrow) => {
                    mlirTypeParseGet(context, super::text::borrow(narrow.name()))
                }
            })
        }
    }

    /// A row-major memref in the default memory space.
    pub fn memref(dims: &[Option<i64>], element: Type<'c>) -> Self {
        let dims = raw_dims(dims);
        // SAFETY: see above; the element types of our tensors are valid in memrefs.
        unsafe {
            let null = mlirAttributeGetNull();
            let (n, dims) = (dims.len() as isize, dims.as_ptr());
            Self::from_raw(mlirMemRefTypeContiguousGet(element.to_raw(), n, dims, null))
        }
    }

    /// A row-major memref in a memory space.
    pub fn memref_in(space: Attribute<'c>, dims: &[Option<i64>], element: Type<'c>) -> Self {
        let dims = raw_dims(dims);
        // SAFETY: see above; the element types of our tensors are valid in memrefs.
        unsafe {
            let (n, dims) = (dims.len() as isize, dims.as_ptr());
            Self::from_raw(mlirMemRefTypeContiguousGet(element.to_raw(), n, dims, space.to_raw()))
        }
    }

    /// A ranked tensor without encoding; `None` is a dynamic dimension.
    pub fn tensor(dims: &[Option<i64>], element: Type<'c>) -> Self {
        let dims = raw_dims(dims);
        // SAFETY: see above.
        unsafe {
            let null = mlirAttributeGetNull();
            let (n, dims) = (dims.len() as isize, dims.as_ptr());
            Self::from_raw(mlirRankedTensorTypeGet(n, dims, element.to_raw(), null))
        }
    }

    /// A function type.
    pub fn function(context: Context<'c>, inputs: &[Type<'c>], results: &[Type<'c>]) -> Self {
        let inputs: Vec<_> = inputs.iter().map(|t| t.to_raw()).collect();
        let results: Vec<_> = results.iter().map(|t| t.to_raw()).collect();
        // SAFETY: see above; the arrays have the stated lengths.
        unsafe {
            Self::from_raw(mlirFunctionTypeGet(
                context.to_raw(),
                inputs.len() as isize,
                inputs.as_ptr(),
                results.len() as isize,
                results.as_ptr(),
            ))
        }
    }

    /// The context that owns the type.
    pub fn context(self) -> Context<'c> {
        // SAFETY: see above.
        unsafe { Context::from_raw(mlirTypeGetContext(self.to_raw())) }
    }

    /// The kind of the type.
    pub fn kind(self) -> TypeKind<'c> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            if mlirTypeIsAIndex(raw) {
                TypeKind::Index
            } else if mlirTypeIsAInteger(raw) && mlirIntegerTypeIsSignless(raw) {
                TypeKind::Integer(mlirIntegerTypeGetWidth(raw))
            } else if mlirTypeIsAF16(raw) {
                TypeKind::Float(FloatKind::F16)
            } else if mlirTypeIsABF16(raw) {
                TypeKind::Float(FloatKind::BF16)
            } else if mlirTypeIsAF32(raw) {
                TypeKind::Float(FloatKind::F32)
            } else if mlirTypeIsAF64(raw) {
                TypeKind::Float(FloatKind::F64)
            } else if mlirTypeIsARankedTensor(raw) {
                let (dims, element) = self.shape();
                TypeKind::Tensor { dims, element }
            } else if mlirTypeIsAMemRef(raw)
                && mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(raw))
                && mlirMemRefTypeGetMemorySpace(raw).ptr.is_null()
            {
                let (dims, element) = self.shape();
                TypeKind::MemRef { dims, element }
            } else if mlirTypeIsAFloat(raw) {
                let name = self.to_string();
                let narrow = NarrowFloat::ALL.into_iter().find(|it| it.name() == name);
                narrow.map_or(TypeKind::Other, |it| TypeKind::Float(FloatKind::Narrow(it)))
            } else {
                TypeKind::Other
            }
        }
    }

    /// True for a ranked memref of any layout and memory space.
    pub fn is_memref(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirTypeIsAMemRef(self.to_raw()) }
    }

    /// True for a vector of any shape.
    pub fn is_vector(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirTypeIsAVector(self.to_raw()) }
    }

    /// The size of an integer or float in memory, in bytes. `None` for floats of at most 8 bits, which become integers before
    /// anything is in memory.
    pub fn element_bytes(self) -> Option<i64> {
        match self.kind() {
            TypeKind::Integer(bits) => Some(bits.div_ceil(8).into()),
            TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => Some(2),
            TypeKind::Float(FloatKind::F32) => Some(4),
            TypeKind::Float(FloatKind::F64) => Some(8),
            _ => None,
        }
    }

    /// The type of the real and the imaginary part of a complex number.
    pub fn complex_part(self) -> Option<Type<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            mlirTypeIsAComplex(raw).then(|| Type::from_raw(mlirComplexTypeGetElementType(raw)))
        }
    }

    /// True for MLIR's index.
    pub fn is_index(self) -> bool {
        self.kind() == TypeKind::Index
    }

    /// The width in bits of an integer of any sign.
    pub fn integer_bits(self) -> Option<u32> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe { mlirTypeIsAInteger(raw).then(|| mlirIntegerTypeGetWidth(raw)) }
    }

    /// True for integers of all widths and signs, and for `index`.
    pub(super) fn is_integer_or_index(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirTypeIsAInteger(self.to_raw()) || mlirTypeIsAIndex(self.to_raw()) }
    }

    /// True for floats of all formats.
    pub(super) fn is_any_float(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirTypeIsAFloat(self.to_raw()) }
    }

    /// The element type of a shaped type without dynamic dimensions.
    pub(super) fn static_element(self) -> Option<Type<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            let is_static = mlirTypeIsAShaped(raw)
                && mlirShapedTypeHasRank(raw)
                && mlirShapedTypeHasStaticShape(raw);
            is_static.then(|| Type::from_raw(mlirShapedTypeGetElementType(raw)))
        }
    }

    /// Dimensions and element type of a tensor or row-major memref.
    pub fn shaped(self) -> Option<(Vec<Option<i64>>, Type<'c>)> {
        match self.kind() {
            TypeKind::Tensor { dims, element } | TypeKind::MemRef { dims, element } => {
                Some((dims, element))
            }
            _ => None,
        }
    }

    /// Dimensions and element type of a row-major memref in any memory space.
    pub fn in_any_space(self) -> Option<(Vec<Option<i64>>, Type<'c>)> {
        // SAFETY: see above.
        let is_row_major = self.is_memref()
            && unsafe { mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(self.to_raw())) };
        is_row_major.then(|| self.shape())
    }

    /// The number of lanes and the element type of a vector of one dimension that is not scalable.
    pub fn lanes(self) -> Option<(usize, Type<'c>)> {
        let raw = self.to_raw();
        // SAFETY: see above; a vector is ranked, and its shape is static if it is not scalable.
        unsafe {
            if !mlirTypeIsAVector(raw) || mlirVectorTypeIsScalable(raw) {
                return None;
            }
            let (dims, element) = self.shape();
            match dims[..] {
                [Some(lanes)] => Some((usize::try_from(lanes).ok()?, element)),
                _ => None,
            }
        }
    }

    /// The element type of a vector of any shape.
    pub fn elements(self) -> Option<Type<'c>> {
        // SAFETY: see above; a vector is shaped.
        unsafe {
            self.is_vector().then(|| Type::from_raw(mlirShapedTypeGetElementType(self.to_raw())))
        }
    }

    /// This vector type with another element type.
    pub fn with_elements(self, element: Type<'c>) -> Option<Type<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above; a vector is ranked, and each of its dimensions has a size, scalable or not.
        self.is_vector().then(|| unsafe {
            let rank = mlirShapedTypeGetRank(raw);
            let axes = 0..rank as isize;
            let sizes: Vec<i64> = axes.clone().map(|i| mlirShapedTypeGetDimSize(raw, i)).collect();
            let scales: Vec<bool> = axes.map(|i| mlirVectorTypeIsDimScalable(raw, i)).collect();
            Type::from_raw(mlirVectorTypeGetScalable(
                rank as isize,
                sizes.as_ptr(),
                scales.as_ptr(),
                element.to_raw(),
            ))
        })
    }

    /// Inputs and results of a function type.
    pub fn signature(self) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            mlirTypeIsAFunction(raw).then(|| {
                let inputs = (0..mlirFunctionTypeGetNumInputs(raw))
                    .map(|i| Type::from_raw(mlirFunctionTypeGetInput(raw, i)));
                let results = (0..mlirFunctionTypeGetNumResults(raw))
                    .map(|i| Type::from_raw(mlirFunctionTypeGetResult(raw, i)));
                (inputs.collect(), results.collect())
            })
        }
    }

    /// This type as an attribute.
    pub fn to_attribute(self) -> Attribute<'c> {
        // SAFETY: see above.
        unsafe { Attribute::from_raw(mlirTypeAttrGet(self.to_raw())) }
    }

    /// Dimensions and element type of a ranked shaped type.
    pub(super) fn shape(self) -> (Vec<Option<i64>>, Type<'c>) {
        let raw = self.to_raw();
        // SAFETY: called for ranked shaped types.
        unsafe {
            let dims = (0..mlirShapedTypeGetRank(raw) as isize)
                .map(|i| {
                    (!mlirShapedTypeIsDynamicDim(raw, i)).then(|| mlirShapedTypeGetDimSize(raw, i))
                })
                .collect();
            (dims, Type::from_raw(mlirShapedTypeGetElementType(raw)))
        }
    }
}

fn raw_dims(dims: &[Option<i64>]) -> Vec<i64> {
    // SAFETY: a constant of MLIR.
    let dynamic = unsafe { mlirShapedTypeGetDynamicSize() };
    dims.iter().map(|d| d.unwrap_or(dynamic)).collect()
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the type is live and the callback comes from `collect`.
        f.write_str(&collect(|print, to| unsafe { mlirTypePrint(self.to_raw(), print, to) }))
    }
}

impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
