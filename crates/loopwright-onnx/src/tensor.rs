//! Tensors of the module that is built.

use crate::builder::{Builder, Value};
use crate::element::{Data, Element};
use crate::ffi;
use crate::scalar::Scalar;
use crate::size::{Size, known_product};
use melior::ir::attribute::DenseElementsAttribute;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::r#type::IntegerType;
use std::cell::OnceCell;
use std::rc::Rc;

/// Constants of more bytes are resources: they stay in the model's file.
const LEAST_RESOURCE: usize = 256;

/// Lists of more integers are not read as sizes.
pub const MOST_SIZES: usize = 4096;

/// A tensor: its sizes, and its value or its known elements. An op for known elements is appended when an op first uses
/// them as a tensor, so shapes that only the importer reads leave no ops.
#[derive(Clone)]
pub struct Tensor<'c>(Rc<Inner<'c>>);

struct Inner<'c> {
    element: Element,
    sizes: Vec<Size<'c>>,
    value: OnceCell<Value<'c>>,
    known: Known<'c>,
}

/// The elements of a tensor that are known during the import.
enum Known<'c> {
    Nothing,
    /// A constant, and its name.
    Data(Data, String),
    /// Integers that are computed from sizes, in row-major order; the sizes of the tensor are known.
    Sizes(Vec<Size<'c>>),
}

impl<'c> Tensor<'c> {
    fn with(element: Element, sizes: Vec<Size<'c>>, known: Known<'c>) -> Tensor<'c> {
        Tensor(Rc::new(Inner { element, sizes, value: OnceCell::new(), known }))
    }

    /// A value of the module, with its sizes.
    pub fn new(value: Value<'c>, element: Element, sizes: Vec<Size<'c>>) -> Tensor<'c> {
        let tensor = Tensor::with(element, sizes, Known::Nothing);
        tensor.0.value.get_or_init(|| value);
        tensor
    }

    /// A constant. The name is that of its resource.
    pub fn constant(data: Data, name: &str) -> Tensor<'c> {
        let sizes = data.dims.iter().map(|dim| Size::Known(*dim as i64)).collect();
        Tensor::with(data.element, sizes, Known::Data(data, name.to_owned()))
    }

    /// Integers that are computed from sizes, in row-major order. The sizes of the tensor are known.
    pub fn integers_of(
        values: Vec<Size<'c>>,
        sizes: Vec<Size<'c>>,
        element: Element,
    ) -> Tensor<'c> {
        Tensor::with(element, sizes, Known::Sizes(values))
    }

    /// A list of integers that are computed from sizes.
    pub fn list(values: Vec<Size<'c>>, element: Element) -> Tensor<'c> {
        let sizes = vec![Size::Known(values.len() as i64)];
        Tensor::integers_of(values, sizes, element)
    }

    /// An integer that is computed from sizes.
    pub fn integer(value: Size<'c>, element: Element) -> Tensor<'c> {
        Tensor::integers_of(vec![value], vec![], element)
    }

    pub fn element(&self) -> Element {
        self.0.element
    }

    pub fn rank(&self) -> usize {
        self.0.sizes.len()
    }

    pub fn sizes(&self) -> &[Size<'c>] {
        &self.0.sizes
    }

    pub fn size(&self, i: usize) -> Size<'c> {
        self.0.sizes[i]
    }

    /// The number of elements, if it is known.
    pub fn known_len(&self) -> Option<i64> {
        known_product(&self.0.sizes)
    }

    /// The elements of a constant.
    pub fn data(&self) -> Option<&Data> {
        match &self.0.known {
            Known::Data(data, _) => Some(data),
            _ => None,
        }
    }

    /// The elements of an integer tensor that is known during the import.
    pub fn elements(&self) -> Option<Vec<Size<'c>>> {
        match &self.0.known {
            Known::Sizes(sizes) => Some(sizes.clone()),
            Known::Data(data, _) if data.count() <= MOST_SIZES => {
                Some(data.i64s()?.into_iter().map(Size::Known).collect())
            }
            _ => None,
        }
    }

    /// The elements of an integer tensor, if all are numbers.
    pub fn integers(&self) -> Option<Vec<i64>> {
        self.elements()?.into_iter().map(Size::known).collect()
    }

    /// The elements of a constant as floats.
    pub fn floats(&self) -> Option<Vec<f64>> {
        match self.data() {
            Some(data) if data.count() <= MOST_SIZES => Some(data.f64s()),
            _ => Some(self.integers()?.into_iter().map(|it| it as f64).collect()),
        }
    }

    /// The tensor for the body of a loop or branch. A list of sizes that no op has used becomes a value of the body, so ops
    /// outside must not find this value in the tensor.
    pub fn for_scope(&self) -> Tensor<'c> {
        match &self.0.known {
            Known::Sizes(sizes) if self.0.value.get().is_none() => {
                let known = Known::Sizes(sizes.clone());
                Tensor::with(self.0.element, self.0.sizes.clone(), known)
            }
            _ => self.clone(),
        }
    }

    /// The same integers as another integer type.
    pub fn with_element(&self, element: Element) -> Option<Tensor<'c>> {
        let known = Known::Sizes(self.elements()?);
        let small = self.rank() <= 1 && !element.is_float() && element != Element::Bool;
        (small && !self.element().is_float())
            .then(|| Tensor::with(element, self.0.sizes.clone(), known))
    }
}

impl<'c> Builder<'c> {
    /// The value of a tensor; on the first use its constant or list is appended to the function.
    pub fn value(&self, tensor: &Tensor<'c>) -> Value<'c> {
        let inner = &tensor.0;
        *inner.value.get_or_init(|| match &inner.known {
            Known::Data(data, name) => self.at_home().data(data, name),
            Known::Sizes(sizes) => self.at_scope().list_value(sizes, tensor),
            Known::Nothing => unreachable!("a tensor that is not known has a value"),
        })
    }

    fn data(&self, data: &Data, name: &str) -> Value<'c> {
        let dims: Vec<_> = data.dims.iter().map(|dim| Some(*dim)).collect();
        let ty = self.tensor_type(&dims, data.element);
        if data.element == Element::Bool {
            let values: Vec<_> = data.bytes.iter().map(|byte| i32::from(*byte != 0)).collect();
            return self.constant(DenseElementsAttribute::bool_values(ty, &values).into(), ty);
        }
        let attribute = match data.bytes.len() > LEAST_RESOURCE {
            true => ffi::resource(ty, name, data.bytes.clone()),
            false => DenseElementsAttribute::raw_buffer(ty, &data.bytes).into(),
        };
        self.constant(attribute, ty)
    }

    fn list_value(&self, sizes: &[Size<'c>], tensor: &Tensor<'c>) -> Value<'c> {
        let element = tensor.element();
        let numbers: Option<Vec<i64>> = sizes.iter().map(|size| size.known()).collect();
        if let Some(numbers) = numbers {
            let bytes =
                numbers.iter().flat_map(|it| it.to_le_bytes().into_iter().take(element.bytes()));
            let bytes: Vec<u8> = bytes.collect();
            let dims = tensor.sizes().iter().filter_map(|size| size.dim()).collect();
            return self.at_home().data(&Data { element, dims, bytes: bytes.into() }, "list");
        }
        let scalar = |size: &Size<'c>| {
            let index = Scalar { value: self.size(*size), element: Element::Index };
            self.cast(index, element).value
        };
        let values: Vec<_> = sizes.iter().map(scalar).collect();
        self.op("tensor.from_elements", &values, self.type_of(tensor.sizes(), element))
    }

    /// The type of a tensor with these sizes.
    pub fn type_of(&self, sizes: &[Size<'c>], element: Element) -> melior::ir::Type<'c> {
        let dims: Vec<_> = sizes.iter().map(|size| size.dim()).collect();
        self.tensor_type(&dims, element)
    }

    /// The index values of the sizes that are not known, in order.
    pub fn dynamic(&self, sizes: &[Size<'c>]) -> Vec<Value<'c>> {
        let dynamic = |size: &Size<'c>| match size {
            Size::Dynamic(value) => Some(*value),
            Size::Known(_) => None,
        };
        sizes.iter().filter_map(dynamic).collect()
    }

    /// A tensor without elements, for the outputs of ops.
    pub fn empty(&self, sizes: &[Size<'c>], element: Element) -> Value<'c> {
        self.op("tensor.empty", &self.dynamic(sizes), self.type_of(sizes, element))
    }

    /// A tensor whose elements are all `value`.
    pub fn filled(&self, sizes: &[Size<'c>], value: Scalar<'c>) -> Tensor<'c> {
        let outs = self.empty(sizes, value.element);
        let element = value.element.ty(self.context());
        let region = self.region(&[element, element], "linalg.yield", |_, values| vec![values[0]]);
        let op = self.insert(
            "linalg.fill",
            &[value.value, outs],
            &[self.type_of(sizes, value.element)],
            &[("operandSegmentSizes", self.attribute("array<i32: 1, 1>"))],
            vec![region],
        );
        Tensor::new(crate::builder::result_of(op, 0), value.element, sizes.to_vec())
    }

    /// The element of a tensor at indices, in the body of an op or outside.
    pub fn extract(&self, tensor: &Tensor<'c>, indices: &[Scalar<'c>]) -> Scalar<'c> {
        let element = tensor.element();
        let indices = indices.iter().map(|index| index.value);
        let operands: Vec<_> = std::iter::once(self.value(tensor)).chain(indices).collect();
        let value = self.op("tensor.extract", &operands, element.ty(self.context()));
        Scalar { value, element }
    }

    /// The size of a dimension of a value, which is known or becomes an op.
    pub fn dim_of(&self, value: Value<'c>, dims: &[Option<u64>], i: usize) -> Size<'c> {
        match dims[i] {
            Some(size) => Size::Known(size as i64),
            None => {
                let index = self.index(i as i64);
                Size::Dynamic(self.op(
                    "tensor.dim",
                    &[value, index],
                    melior::ir::Type::index(self.context()),
                ))
            }
        }
    }

    /// An integer attribute of 64 bits.
    pub fn i64_attribute(&self, value: i64) -> melior::ir::Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context(), 64).into(), value).into()
    }
}
