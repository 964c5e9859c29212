//! A node that is imported: its inputs, attributes and declared outputs.

use crate::builder::Builder;
use crate::element::{Data, Element};
use crate::error::Refusal;
use crate::file::ModelFile;
use crate::schema::{AttributeProto, AttributeType, GraphProto, TensorProto};
use crate::size::Size;
use crate::tensor::Tensor;
use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Deref;

/// The sizes that the model states for a value.
#[derive(Clone, Debug)]
pub struct Declared {
    /// A dimension is None if it is not a number.
    pub dims: Vec<Option<i64>>,
}

/// Attributes that do not change a result: a hint of early files, and the rounding to 8-bit floats.
const UNUSED: &[&str] = &["consumed_inputs", "saturate"];

/// A node, and the builder that appends its ops.
pub struct Node<'a, 'c> {
    pub builder: Builder<'c>,
    pub file: &'a ModelFile,
    /// For names of constants.
    pub name: String,
    /// The version of the operator set that the node's domain has in the model.
    pub opset: i64,
    /// None for an input that is left out.
    pub inputs: Vec<Option<Tensor<'c>>>,
    pub attributes: Vec<AttributeProto>,
    /// For each output: None if its name is empty.
    pub outputs: Vec<Option<String>>,
    pub declared: Vec<Option<Declared>>,
    /// The names of the attributes that were read.
    pub read: RefCell<HashSet<String>>,
}

impl<'c> Deref for Node<'_, 'c> {
    type Target = Builder<'c>;

    fn deref(&self) -> &Builder<'c> {
        &self.builder
    }
}

impl<'c> Node<'_, 'c> {
    /// Input `i`, which the op requires.
    ///
    /// # Errors
    /// If the node leaves it out.
    pub fn input(&self, i: usize) -> Result<&Tensor<'c>, Refusal> {
        self.optional(i).ok_or_else(|| {
            Refusal::new(format!("has no input {i}, found {} inputs", self.inputs.len()))
        })
    }

    /// Input `i`. None if the node leaves it out.
    pub fn optional(&self, i: usize) -> Option<&Tensor<'c>> {
        self.inputs.get(i)?.as_ref()
    }

    /// All inputs, none of which may be left out.
    pub fn all_inputs(&self) -> Result<Vec<Tensor<'c>>, Refusal> {
        (0..self.inputs.len().max(1)).map(|i| self.input(i).cloned()).collect()
    }

    /// Checks that two operands have one element type.
    pub fn check_one_type(&self, x: &Tensor<'c>, y: &Tensor<'c>) -> Result<(), Refusal> {
        match x.element() == y.element() {
            true => Ok(()),
            false => Err(Refusal::new(format!(
                "has operands of {} and {}, expected one type",
                x.element().word(),
                y.element().word()
            ))),
        }
    }

    /// True if output `i` is used.
    pub fn has_output(&self, i: usize) -> bool {
        self.outputs.get(i).is_some_and(Option::is_some)
    }

    pub fn attribute(&self, name: &str) -> Option<&AttributeProto> {
        self.read.borrow_mut().insert(name.to_owned());
        self.attributes.iter().find(|it| it.name == name)
    }

    /// Checks that the import of the node has read all its attributes.
    ///
    /// # Errors
    /// If it has one that could change the result.
    pub fn check_attributes(&self) -> Result<(), Refusal> {
        let read = self.read.borrow();
        let is_unread =
            |it: &&AttributeProto| !read.contains(&it.name) && !UNUSED.contains(&it.name.as_str());
        match self.attributes.iter().find(is_unread) {
            None => Ok(()),
            Some(unread) => Err(Refusal::new(format!(
                "has the attribute '{}', which is not supported here",
                unread.name
            ))),
        }
    }

    fn typed(&self, name: &str, ty: AttributeType) -> Result<Option<&AttributeProto>, Refusal> {
        match self.attribute(name) {
            // Files of IR version 1 have no types.
            Some(found) if found.r#type != ty as i32 && found.r#type != 0 => Err(Refusal::new(
                format!("has the attribute '{name}' of another type, expected {ty:?}"),
            )),
            found => Ok(found),
        }
    }

    pub fn int(&self, name: &str) -> Result<Option<i64>, Refusal> {
        Ok(self.typed(name, AttributeType::Int)?.map(|it| it.i))
    }

    pub fn int_or(&self, name: &str, default: i64) -> Result<i64, Refusal> {
        Ok(self.int(name)?.unwrap_or(default))
    }

    /// A condition, which ONNX writes as an integer.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, Refusal> {
        Ok(self.int(name)?.map_or(default, |it| it != 0))
    }

    pub fn float(&self, name: &str) -> Result<Option<f64>, Refusal> {
        Ok(self.typed(name, AttributeType::Float)?.map(|it| it.f.into()))
    }

    pub fn float_or(&self, name: &str, default: f64) -> Result<f64, Refusal> {
        Ok(self.float(name)?.unwrap_or(default))
    }

    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>, Refusal> {
        Ok(self.typed(name, AttributeType::Ints)?.map(|it| it.ints.clone()))
    }

    pub fn floats(&self, name: &str) -> Result<Option<Vec<f64>>, Refusal> {
        let found = self.typed(name, AttributeType::Floats)?;
        Ok(found.map(|it| it.floats.iter().map(|it| f64::from(*it)).collect()))
    }

    pub fn string(&self, name: &str) -> Result<Option<String>, Refusal> {
        let found = self.typed(name, AttributeType::String)?;
        Ok(found.map(|it| String::from_utf8_lossy(&it.s).into_owned()))
    }

    pub fn string_or(&self, name: &str, default: &str) -> Result<String, Refusal> {
        Ok(self.string(name)?.unwrap_or_else(|| default.to_owned()))
    }

    pub fn strings(&self, name: &str) -> Result<Option<Vec<String>>, Refusal> {
        let found = self.typed(name, AttributeType::Strings)?;
        let text = |it: &bytes::Bytes| String::from_utf8_lossy(it).into_owned();
        Ok(found.map(|it| it.strings.iter().map(text).collect()))
    }

    pub fn graph(&self, name: &str) -> Result<&GraphProto, Refusal> {
        let found = self.typed(name, AttributeType::Graph)?.and_then(|it| it.g.as_ref());
        found.ok_or_else(|| Refusal::new(format!("has no graph '{name}'")))
    }

    /// A constant in an attribute.
    pub fn tensor(&self, name: &str) -> Result<Option<Tensor<'c>>, Refusal> {
        let found = self.typed(name, AttributeType::Tensor)?.and_then(|it| it.t.as_ref());
        found.map(|tensor| self.constant_of(tensor)).transpose()
    }

    /// A constant of a tensor of the file.
    pub fn constant_of(&self, tensor: &TensorProto) -> Result<Tensor<'c>, Refusal> {
        Ok(Tensor::constant(self.file.data(tensor)?, &self.name))
    }

    /// A constant of one number, of rank 0.
    pub fn number_tensor(&self, element: Element, value: f64) -> Tensor<'c> {
        let value = self.scalar(element, value);
        self.builder.filled(&[], value)
    }

    /// An axis of a tensor of a rank, counted from the end if it is negative.
    ///
    /// # Errors
    /// If the tensor has no such axis.
    pub fn axis_of(&self, axis: i64, rank: usize) -> Result<usize, Refusal> {
        let rank = rank as i64;
        let positive = if axis < 0 { axis.saturating_add(rank) } else { axis };
        match (0..rank).contains(&positive) {
            true => Ok(positive as usize),
            false => Err(Refusal::new(format!("has the axis {axis}, expected one of {rank} axes"))),
        }
    }

    /// The attribute `axis` of a tensor of a rank.
    pub fn axis(&self, default: i64, rank: usize) -> Result<usize, Refusal> {
        self.axis_of(self.int_or("axis", default)?, rank)
    }

    /// Axes in ascending order, each once.
    pub fn axes_of(&self, axes: &[i64], rank: usize) -> Result<Vec<usize>, Refusal> {
        let axes: Result<Vec<_>, _> = axes.iter().map(|axis| self.axis_of(*axis, rank)).collect();
        let mut axes = axes?;
        axes.sort_unstable();
        axes.dedup();
        Ok(axes)
    }

    /// Integers that older versions have as an attribute, and newer ones as an input. None if there are neither.
    ///
    /// # Errors
    /// If the input is not known during the import.
    pub fn ints_of(&self, attribute: &str, input: usize) -> Result<Option<Vec<i64>>, Refusal> {
        if let Some(ints) = self.ints(attribute)? {
            return Ok(Some(ints));
        }
        let known = |tensor: &Tensor<'c>| {
            tensor.integers().ok_or_else(|| {
                Refusal::new(format!(
                    "has the input {input} ({attribute}) that depends on data, expected a constant"
                ))
            })
        };
        self.optional(input).map(known).transpose()
    }

    /// The sizes that the model states for output `i`, if all are numbers.
    pub fn declared_sizes(&self, i: usize) -> Option<Vec<Size<'c>>> {
        let declared = self.declared.get(i)?.as_ref()?;
        declared.dims.iter().map(|dim| dim.map(Size::Known)).collect()
    }

    /// The sizes of a result that depend on data: those that the model states for the output.
    ///
    /// # Errors
    /// If the model does not state them.
    pub fn sizes_from_model(&self, what: &str) -> Result<Vec<Size<'c>>, Refusal> {
        self.declared_sizes(0).ok_or_else(|| {
            Refusal::new(format!(
                "has {what} that depends on data, expected a constant or an output whose sizes the model states"
            ))
        })
    }

    /// [`sizes_from_model`](Self::sizes_from_model) of a result that has this rank.
    pub fn sizes_of_rank(&self, rank: usize, what: &str) -> Result<Vec<Size<'c>>, Refusal> {
        let sizes = self.sizes_from_model(what)?;
        match sizes.len() == rank {
            true => Ok(sizes),
            false => Err(Refusal::new(format!(
                "has an output of which the model states {} sizes, expected {rank}",
                sizes.len()
            ))),
        }
    }

    /// An input of rank 1.
    pub fn list(&self, i: usize) -> Result<&Tensor<'c>, Refusal> {
        let list = self.input(i)?;
        match list.rank() {
            1 => Ok(list),
            rank => Err(Refusal::new(format!("has the input {i} of rank {rank}, expected a list"))),
        }
    }

    /// An input of one number, as a tensor of rank 0.
    pub fn number(&self, i: usize) -> Result<Tensor<'c>, Refusal> {
        self.builder.reshape(self.input(i)?, &[])
    }

    /// Checks the element type of an operand.
    pub fn check_element(
        &self,
        tensor: &Tensor<'c>,
        expected: &str,
        is_expected: impl FnOnce(Element) -> bool,
    ) -> Result<(), Refusal> {
        match is_expected(tensor.element()) {
            true => Ok(()),
            false => Err(Refusal::new(format!(
                "has an operand of {}, expected {expected}",
                tensor.element().word()
            ))),
        }
    }

    /// A refusal of the value of an attribute.
    pub fn refuse_attribute(&self, name: &str, found: &str, expected: &str) -> Refusal {
        Refusal::new(format!("has the attribute {name} = {found}, expected {expected}"))
    }

    /// A constant list of integers.
    pub fn integer_list(&self, values: &[i64]) -> Tensor<'c> {
        Tensor::constant(Data::integers(values), &self.name)
    }
}
