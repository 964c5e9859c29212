//! Attributes: typed reading and construction.

use super::affine::{IntegerSet, Map};
use super::handle::handle;
use super::text::{borrow, collect, read};
use super::{Context, Type};
use mlir_sys::*;
use std::fmt;

handle!(
    /// An attribute.
    Attribute, MlirAttribute
);

/// The elements of an attribute in row-major order; a splat has one entry for all elements. They are not copied.
#[derive(Clone, Debug)]
pub struct Elements<'c> {
    /// The type of the attribute: a tensor or vector.
    pub ty: Type<'c>,
    /// True if one entry stands for all elements.
    pub splat: bool,
    entries: Entries<'c>,
}

#[derive(Clone, Debug)]
enum Entries<'c> {
    /// Entries of `size` bytes.
    Bytes { size: usize, bytes: &'c [u8] },
    /// Elements of type i1, whose packing is internal to MLIR.
    Bools(Vec<bool>),
}

impl<'c> Elements<'c> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        match &self.entries {
            Entries::Bytes { size, bytes } => bytes.len() / size,
            Entries::Bools(bools) => bools.len(),
        }
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bits of an entry, zero-extended.
    ///
    /// # Panics
    /// If there are not so many entries, or they are wider than 64 bits, as complex numbers of f64 are.
    pub fn bits(&self, i: usize) -> u64 {
        match &self.entries {
            Entries::Bytes { size, bytes } => {
                let mut word = [0; 8];
                word[..*size].copy_from_slice(&bytes[i * size..][..*size]);
                u64::from_le_bytes(word)
            }
            Entries::Bools(bools) => bools[i].into(),
        }
    }

    /// The bits of all entries, zero-extended.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.len()).map(|i| self.bits(i))
    }

    /// The entries as they are in memory: little-endian, without gaps. `None` for bools, which have no such form.
    pub fn bytes(&self) -> Option<&'c [u8]> {
        match self.entries {
            Entries::Bytes { bytes, .. } => Some(bytes),
            Entries::Bools(_) => None,
        }
    }
}

// SAFETY of this block: attributes are uniqued and live as long as their context; getters are called
// only after the matching kind test; indices are below MLIR's own counts.
impl<'c> Attribute<'c> {
    /// The context that owns the attribute.
    pub fn context(self) -> Context<'c> {
        // SAFETY: see above.
        unsafe { Context::from_raw(mlirAttributeGetContext(self.to_raw())) }
    }

    /// The same attribute, for as long as its context lives, as attributes do.
    ///
    /// # Panics
    /// If it is of another context.
    pub fn of_context(self, context: &melior::Context) -> Attribute<'_> {
        // SAFETY: the context is live; attributes are uniqued in their context, and live as long as it does.
        unsafe {
            let context = Context::from_raw(context.to_raw());
            assert!(self.context() == context, "the attribute is of another context");
            Attribute::from_raw(self.to_raw())
        }
    }

    /// The type of a typed attribute.
    pub fn ty(self) -> Type<'c> {
        // SAFETY: see above.
        unsafe { Type::from_raw(mlirAttributeGetType(self.to_raw())) }
    }

    /// The value of an integer or index attribute, sign-extended; of a bool, 0 or 1.
    pub fn as_i64(self) -> Option<i64> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            if mlirAttributeIsABool(raw) {
                Some(mlirBoolAttrGetValue(raw).into())
            } else {
                mlirAttributeIsAInteger(raw).then(|| mlirIntegerAttrGetValueInt(raw))
            }
        }
    }

    /// The value of a float attribute.
    pub fn as_f64(self) -> Option<f64> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe { mlirAttributeIsAFloat(raw).then(|| mlirFloatAttrGetValueDouble(raw)) }
    }

    /// The value of a string attribute.
    pub fn as_str(self) -> Option<&'c str> {
        let raw = self.to_raw();
        // SAFETY: see above; the text lives with the attribute.
        unsafe { mlirAttributeIsAString(raw).then(|| read(mlirStringAttrGetValue(raw))) }
    }

    /// The name in a flat symbol reference.
    pub fn as_symbol(self) -> Option<&'c str> {
        let raw = self.to_raw();
        // SAFETY: see above; the text lives with the attribute.
        unsafe {
            mlirAttributeIsAFlatSymbolRef(raw).then(|| read(mlirFlatSymbolRefAttrGetValue(raw)))
        }
    }

    /// The outermost and the innermost name of a symbol reference, such as `@kernels::@main`.
    pub fn as_nested_symbol(self) -> Option<(&'c str, &'c str)> {
        let raw = self.to_raw();
        // SAFETY: see above; the texts live with the attribute.
        unsafe {
            mlirAttributeIsASymbolRef(raw).then(|| {
                let [root, leaf] = [
                    mlirSymbolRefAttrGetRootReference(raw),
                    mlirSymbolRefAttrGetLeafReference(raw),
                ];
                (read(root), read(leaf))
            })
        }
    }

    /// The code in a `#gpu.object`.
    pub fn as_gpu_object(self) -> Option<&'c str> {
        let raw = self.to_raw();
        // SAFETY: see above; the text lives with the attribute.
        unsafe { mlirAttributeIsAGPUObjectAttr(raw).then(|| read(mlirGPUObjectAttrGetObject(raw))) }
    }

    /// The entries of an array.
    pub fn as_array(self) -> Option<Vec<Attribute<'c>>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            mlirAttributeIsAArray(raw).then(|| {
                (0..mlirArrayAttrGetNumElements(raw))
                    .map(|i| Attribute::from_raw(mlirArrayAttrGetElement(raw, i)))
                    .collect()
            })
        }
    }

    /// An entry of a dictionary.
    pub fn entry(self, name: &str) -> Option<Attribute<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            if !mlirAttributeIsADictionary(raw) {
                return None;
            }
            Attribute::from_nullable(mlirDictionaryAttrGetElementByName(raw, borrow(name)))
        }
    }

    /// The entries of a dictionary, sorted by their names.
    pub fn as_dictionary(self) -> Option<Vec<(&'c str, Attribute<'c>)>> {
        let raw = self.to_raw();
        // SAFETY: see above; identifiers are uniqued in the context.
        unsafe {
            mlirAttributeIsADictionary(raw).then(|| {
                (0..mlirDictionaryAttrGetNumElements(raw))
                    .map(|i| {
                        let named = mlirDictionaryAttrGetElement(raw, i);
                        (read(mlirIdentifierStr(named.name)), Attribute::from_raw(named.attribute))
                    })
                    .collect()
            })
        }
    }

    /// The type in a type attribute.
    pub fn as_type(self) -> Option<Type<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe { mlirAttributeIsAType(raw).then(|| Type::from_raw(mlirTypeAttrGetValue(raw))) }
    }

    /// True for a unit attribute.
    pub fn is_unit(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirAttributeIsAUnit(self.to_raw()) }
    }

    /// The map of an affine map attribute.
    pub fn as_map(self) -> Option<Map> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            mlirAttributeIsAAffineMap(raw).then(|| Map::from_raw(mlirAffineMapAttrGetValue(raw)))
        }
    }

    /// The set of an integer set attribute.
    pub fn as_set(self) -> Option<IntegerSet> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            mlirAttributeIsAIntegerSet(raw)
                .then(|| IntegerSet::from_raw(mlirIntegerSetAttrGetValue(raw)))
        }
    }

    /// The numbers of an `array<i32: ..>`, `array<i64: ..>` or `array<i1: ..>`, or of dense integer
    /// elements such as `dense<1> : vector<2xi64>`.
    pub fn as_integers(self) -> Option<Vec<i64>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            let collect = |get: &dyn Fn(isize) -> i64| {
                Some((0..mlirDenseArrayGetNumElements(raw)).map(get).collect())
            };
            if mlirAttributeIsADenseI64Array(raw) {
                collect(&|i| mlirDenseI64ArrayGetElement(raw, i))
            } else if mlirAttributeIsADenseI32Array(raw) {
                collect(&|i| mlirDenseI32ArrayGetElement(raw, i).into())
            } else if mlirAttributeIsADenseBoolArray(raw) {
                collect(&|i| mlirDenseBoolArrayGetElement(raw, i).into())
            } else if mlirAttributeIsADenseIntElements(raw) {
                let elements = self.as_elements()?;
                let n = mlirElementsAttrGetNumElements(raw) as usize;
                let get = |i: usize| elements.bits(if elements.splat { 0 } else { i }) as i64;
                Some((0..n).map(get).collect())
            } else {
                None
            }
        }
    }

    /// The elements of a dense or dense_resource attribute over numbers. `None` for other attributes, for
    /// unsupported element types, and for a resource whose data is missing or too short.
    pub fn as_elements(self) -> Option<Elements<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above.
        let (resource, dense) = unsafe {
            (mlirAttributeIsADenseResourceElements(raw), mlirAttributeIsADenseElements(raw))
        };
        if !resource && !dense {
            return None;
        }
        let ty = self.ty();
        let (_, element) = ty.shaped().or_else(|| vector_shape(ty))?;
        let bits = bit_width(element)?;
        // SAFETY: see above.
        let n = unsafe { mlirElementsAttrGetNumElements(raw) } as usize;
        if dense && bits == 1 {
            // SAFETY: see above. Elements of type i1 are read one by one.
            let (splat, get) = unsafe {
                (mlirDenseElementsAttrIsSplat(raw), |i: usize| {
                    mlirDenseElementsAttrGetBoolValue(raw, i as isize)
                })
            };
            let count = if splat { n.min(1) } else { n };
            return Some(Elements {
                ty,
                splat,
                entries: Entries::Bools((0..count).map(get).collect()),
            });
        }
        let size = (bits as usize).div_ceil(8);
        // SAFETY: see above; the raw data of dense elements holds one entry for a splat, else n.
        let (splat, bytes) = unsafe {
            if dense {
                let splat = mlirDenseElementsAttrIsSplat(raw);
                let data = mlirDenseElementsAttrGetRawData(raw).cast::<u8>();
                let length = size * if splat { 1 } else { n };
                (splat, if length == 0 { &[] } else { std::slice::from_raw_parts(data, length) })
            } else {
                (false, self.resource_bytes()?.get(..size * n)?)
            }
        };
        Some(Elements { ty, splat, entries: Entries::Bytes { size, bytes } })
    }

    /// The data of a dense_resource attribute, which its text may lack; `None` for other attributes, and for a resource whose data
    /// is missing.
    pub fn resource_bytes(self) -> Option<&'c [u8]> {
        let raw = self.to_raw();
        let (mut data, mut length) = (std::ptr::null(), 0);
        // SAFETY: see above; the data is that of a resource of the context, which has `length` bytes.
        unsafe {
            let is_present = mlirAttributeIsADenseResourceElements(raw)
                && lwDenseResourceBytes(raw, &mut data, &mut length);
            match (is_present, length) {
                (false, _) => None,
                (true, 0) => Some(&[]),
                (true, length) => Some(std::slice::from_raw_parts(data, length)),
            }
        }
    }

    /// A dense_resource attribute of another type with the same data; `None` for other attributes.
    ///
    /// # Panics
    /// If the type is not a static tensor.
    pub fn resource_as(self, ty: Type<'c>) -> Option<Attribute<'c>> {
        let raw = self.to_raw();
        assert!(ty.static_element().is_some(), "found {ty}, expected a tensor with sizes");
        // SAFETY: see above; the type is shaped.
        unsafe {
            mlirAttributeIsADenseResourceElements(raw)
                .then(|| Attribute::from_raw(lwDenseResourceReshaped(raw, ty.to_raw())))
        }
    }

    /// True for dense elements, and for a resource whose data is present.
    pub fn has_elements(self) -> bool {
        let raw = self.to_raw();
        // SAFETY: see above.
        unsafe {
            if mlirAttributeIsADenseResourceElements(raw) {
                let needed = bit_width(Type::from_raw(mlirShapedTypeGetElementType(
                    mlirAttributeGetType(raw),
                )))
                .map(|bits| (bits as usize).div_ceil(8))
                .and_then(|size| size.checked_mul(mlirElementsAttrGetNumElements(raw) as usize));
                let length = self.resource_bytes().map(<[u8]>::len);
                length.zip(needed).is_some_and(|(length, needed)| length >= needed)
            } else {
                mlirAttributeIsADenseElements(raw)
            }
        }
    }

    /// Dense elements, or a dense resource, as a tensor of one dimension; `None` for other attributes.
    pub fn flattened(self) -> Option<Attribute<'c>> {
        let raw = self.to_raw();
        // SAFETY: see above; the new shape has as many elements as the old one.
        unsafe {
            let is_resource = mlirAttributeIsADenseResourceElements(raw);
            if !is_resource && !mlirAttributeIsADenseElements(raw) {
                return None;
            }
            let element = Type::from_raw(mlirShapedTypeGetElementType(mlirAttributeGetType(raw)));
            let flat = Type::tensor(&[Some(mlirElementsAttrGetNumElements(raw))], element);
            Some(Attribute::from_raw(match is_resource {
                true => lwDenseResourceReshaped(raw, flat.to_raw()),
                false => mlirDenseElementsAttrReshapeGet(raw, flat.to_raw()),
            }))
        }
    }

    /// Parses the text of an attribute. `None` (and a diagnostic) if it is invalid.
    pub fn parse(context: Context<'c>, text: &str) -> Option<Self> {
        // SAFETY: see above.
        unsafe { Self::from_nullable(mlirAttributeParseGet(context.to_raw(), borrow(text))) }
    }

    /// Dense elements of a static tensor type, from the bytes of its elements in row-major order, or from
    /// one element for a splat. `None` if the number of bytes does not match the type.
    pub fn dense(ty: Type<'c>, bytes: &[u8]) -> Option<Self> {
        ty.static_element()?;
        let (n, data) = (bytes.len(), bytes.as_ptr().cast());
        // SAFETY: see above; MLIR copies `n` bytes after it checked that they fit the type.
        unsafe { Self::from_nullable(mlirDenseElementsAttrRawBufferGet(ty.to_raw(), n, data)) }
    }

    /// Dense elements of a static shaped type, all with this value.
    ///
    /// # Panics
    /// If the type is not static and shaped, or the value is not of its element type.
    pub fn splat(ty: Type<'c>, value: Attribute<'c>) -> Self {
        let element = ty.static_element();
        assert!(element == Some(value.ty()), "found {value}, expected an element of {ty}");
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirDenseElementsAttrSplatGet(ty.to_raw(), value.to_raw())) }
    }

    /// A unit attribute.
    pub fn unit(context: Context<'c>) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirUnitAttrGet(context.to_raw())) }
    }

    /// A string.
    pub fn string(context: Context<'c>, text: &str) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirStringAttrGet(context.to_raw(), borrow(text))) }
    }

    /// A flat symbol reference.
    pub fn symbol(context: Context<'c>, name: &str) -> Self {
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirFlatSymbolRefAttrGet(context.to_raw(), borrow(name))) }
    }

    /// `@outer::@inner`
    pub fn nested_symbol(context: Context<'c>, outer: &str, inner: &str) -> Self {
        let inner = [Self::symbol(context, inner).to_raw()];
        // SAFETY: see above; the array has the stated length.
        unsafe {
            Self::from_raw(mlirSymbolRefAttrGet(context.to_raw(), borrow(outer), 1, inner.as_ptr()))
        }
    }

    /// An integer attribute of integer or index type.
    ///
    /// # Panics
    /// If the type is another.
    pub fn integer(ty: Type<'c>, value: i64) -> Self {
        assert!(ty.is_integer_or_index(), "found {ty}, expected an integer or index type");
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirIntegerAttrGet(ty.to_raw(), value)) }
    }

    /// A float attribute; the value is rounded to the type.
    ///
    /// # Panics
    /// If the type is no float.
    pub fn float(ty: Type<'c>, value: f64) -> Self {
        assert!(ty.is_any_float(), "found {ty}, expected a float type");
        // SAFETY: see above.
        unsafe { Self::from_raw(mlirFloatAttrDoubleGet(ty.context().to_raw(), ty.to_raw(), value)) }
    }

    /// An array.
    pub fn array(context: Context<'c>, items: &[Attribute<'c>]) -> Self {
        let items: Vec<_> = items.iter().map(|a| a.to_raw()).collect();
        // SAFETY: see above; the array has the stated length.
        unsafe {
            let (n, items) = (items.len() as isize, items.as_ptr());
            Self::from_raw(mlirArrayAttrGet(context.to_raw(), n, items))
        }
    }

    /// An array of strings.
    pub fn strings<S: AsRef<str>>(context: Context<'c>, items: &[S]) -> Self {
        let items: Vec<_> = items.iter().map(|s| Self::string(context, s.as_ref())).collect();
        Self::array(context, &items)
    }

    /// An array of affine maps.
    pub fn maps(context: Context<'c>, items: &[Map]) -> Self {
        let items: Vec<_> = items.iter().map(|m| m.to_attribute(context)).collect();
        Self::array(context, &items)
    }

    /// A dictionary.
    pub fn dictionary(context: Context<'c>, entries: &[(&str, Attribute<'c>)]) -> Self {
        // SAFETY: see above; the array has the stated length.
        unsafe {
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, value)| {
                    let name = mlirIdentifierGet(context.to_raw(), borrow(name));
                    mlirNamedAttributeGet(name, value.to_raw())
                })
                .collect();
            let (n, entries) = (entries.len() as isize, entries.as_ptr());
            Self::from_raw(mlirDictionaryAttrGet(context.to_raw(), n, entries))
        }
    }

    /// An `array<i32: ..>`.
    pub fn dense_i32(context: Context<'c>, items: &[i32]) -> Self {
        // SAFETY: see above; the array has the stated length.
        unsafe {
            let (n, items) = (items.len() as isize, items.as_ptr());
            Self::from_raw(mlirDenseI32ArrayGet(context.to_raw(), n, items))
        }
    }

    /// An `array<i64: ..>`.
    pub fn dense_i64(context: Context<'c>, items: &[i64]) -> Self {
        // SAFETY: see above; the array has the stated length.
        unsafe {
            let (n, items) = (items.len() as isize, items.as_ptr());
            Self::from_raw(mlirDenseI64ArrayGet(context.to_raw(), n, items))
        }
    }
}

/// The bits of one element in the data of a dense attribute; an index is stored in 64 bits.
fn bit_width(element: Type) -> Option<u32> {
    use super::{FloatKind::*, TypeKind};
    if let Some(part) = element.complex_part() {
        return Some(2 * bit_width(part)?);
    }
    match element.kind() {
        TypeKind::Index => Some(64),
        TypeKind::Integer(bits) if bits <= 64 => Some(bits),
        TypeKind::Float(F16 | BF16) => Some(16),
        TypeKind::Float(F32) => Some(32),
        TypeKind::Float(F64) => Some(64),
        TypeKind::Float(Narrow(narrow)) => Some(narrow.bits()),
        _ => None,
    }
}

fn vector_shape(ty: Type) -> Option<(Vec<Option<i64>>, Type)> {
    // SAFETY: the getter is called after its kind test.
    unsafe {
        mlirTypeIsAVector(ty.to_raw())
            .then(|| (vec![], Type::from_raw(mlirShapedTypeGetElementType(ty.to_raw()))))
    }
}

impl fmt::Display for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the attribute is live and the callback comes from `collect`.
        f.write_str(&collect(|print, to| unsafe { mlirAttributePrint(self.to_raw(), print, to) }))
    }
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

unsafe extern "C" {
    fn lwDenseResourceBytes(
        attribute: MlirAttribute,
        data: *mut *const u8,
        size: *mut usize,
    ) -> bool;
    fn lwDenseResourceReshaped(attribute: MlirAttribute, ty: MlirType) -> MlirAttribute;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::affine::{Expr, IntegerSet, Map};
    use crate::ffi::{FloatKind, handle_of};
    use std::panic::catch_unwind;

    #[test]
    fn what_mlir_does_not_check_is_checked() {
        let context = melior::Context::new();
        let refused = |make: fn(Context) -> Attribute| {
            let handle = std::panic::AssertUnwindSafe(handle_of(&context));
            assert!(catch_unwind(move || make(*handle).to_string()).is_err());
        };
        refused(|it| Attribute::integer(Type::float(it, FloatKind::F32), 1));
        refused(|it| Attribute::float(Type::index(it), 1.0));
        refused(|it| Attribute::splat(Type::index(it), Attribute::integer(Type::index(it), 1)));
        refused(|it| {
            let dynamic = Type::tensor(&[None], Type::index(it));
            Attribute::splat(dynamic, Attribute::integer(Type::index(it), 1))
        });
        refused(|it| Map { dims: 0, symbols: 0, results: vec![Expr::Dim(7)] }.to_attribute(it));
        refused(|it| IntegerSet { dims: 0, symbols: 0, constraints: vec![] }.to_attribute(it));
        let dynamic = Type::tensor(&[None], Type::index(handle_of(&context)));
        assert!(Attribute::dense(dynamic, &[0; 8]).is_none());
    }
}
