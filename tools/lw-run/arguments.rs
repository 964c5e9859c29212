//! Converts files to the arguments of a function, and its results to tensors.
//!
//! The function's signature in the model determines the form of the files. The form that runs may differ:
//! converted functions take destinations, and hold booleans as i8 and scalars in memrefs of rank 0.

use crate::inputs::{Generator, GivenInput, InputSource};
use loopwright::analysis::work;
use loopwright::dialect::requirement::SizeOrigin;
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::value::{Array, Datum};
use loopwright::ir::{Attribute, FloatKind, Type, TypeKind};
use loopwright::pipeline::{self, FunctionArgument, FunctionInterface, ResultShape};
use loopwright_runtime::kernel::{self, Argument, ArgumentType};
use loopwright_runtime::npy::{self, NpyError};
use loopwright_runtime::tensor::{ElementType, Tensor, TensorError};
use melior::ir::Module;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

/// An argument or result in its file form.
#[derive(Clone, Debug)]
struct Port {
    /// The argument's name in the model, if it has one.
    name: Option<String>,
    /// The element type; i64 for an index, and the type of the parts of complex numbers.
    element: ElementType,
    /// True for complex numbers: the last dimension has the real and the imaginary part.
    is_complex: bool,
    /// The dimensions; rank 0 for a scalar.
    dims: Vec<Option<i64>>,
    /// The type in the model, for messages.
    ty: String,
    /// True for a memref that the function writes its result to.
    is_result: bool,
}

/// The arguments of a call.
pub struct Inputs {
    /// None for a destination without an input.
    pub tensors: Vec<Option<Tensor>>,
    /// The inputs that are not from files.
    pub generated: Vec<GeneratedInput>,
}

/// An input that was generated.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratedInput {
    pub position: usize,
    #[serde(rename = "type")]
    pub element_type: String,
    pub shape: Vec<usize>,
    pub generator: String,
}

/// The function with a name in a module, which must have it and its body.
pub fn entry<'c>(
    module: &'c Module,
    name: &str,
    path: &str,
) -> Result<FunctionInterface<'c>, String> {
    let function = pipeline::function(module, name).ok_or_else(|| {
        let functions = pipeline::functions(module);
        let names: Vec<_> = functions.into_iter().map(|function| function.name).collect();
        format!(
            "{path}: error: has no function '{name}', it has {}",
            if names.is_empty() { "none".into() } else { names.join(", ") }
        )
    })?;
    if !function.is_defined {
        let at = super::place(&function.location);
        return Err(format!("{at}: error: function '{name}' has no body"));
    }
    Ok(function)
}

/// The function's signature in the model.
pub struct Signature {
    entry: String,
    inputs: Vec<Port>,
    results: Vec<Port>,
}

impl Signature {
    /// The signature of `entry` in a module that has not been lowered.
    pub fn of(module: &Module, entry: &str, path: &str) -> Result<Signature, String> {
        let function = self::entry(module, entry, path)?;
        let at = super::place(&function.location);
        let port = |what: String, ty: Type| {
            Port::of(ty).ok_or_else(|| {
                format!("{at}: error: {what} has the type {ty}, which .npy files do not support")
            })
        };
        let mut inputs = vec![];
        for (i, argument) in function.arguments.iter().enumerate() {
            let mut port = port(format!("argument {i}"), argument.ty)?;
            port.is_result = argument.is_result;
            port.name = argument.name.map(str::to_owned);
            inputs.push(port);
        }
        let mut results = vec![];
        for (i, ty) in function.results.into_iter().enumerate() {
            results.push(port(format!("result {i}"), ty)?);
        }
        Ok(Signature { entry: entry.into(), inputs, results })
    }

    /// Reads or generates the inputs. Destinations need none, but may be initialised if every argument has an input.
    /// Without `given`, `fallback` generates all inputs. An input with a name is for the argument that has it, the others
    /// are for the arguments without one, in order.
    pub fn inputs(
        &self,
        given: &[GivenInput],
        fallback: Option<Generator>,
    ) -> Result<Inputs, String> {
        let (named, given): (Vec<_>, Vec<_>) = given.iter().partition(|it| it.name.is_some());
        let given: Vec<_> = given.into_iter().map(|it| it.source.clone()).collect();
        let named = self.named(&named)?;
        let needed: Vec<_> = (0..self.inputs.len())
            .filter(|i| !self.inputs[*i].is_result && !named.contains_key(i))
            .collect();
        // One generator is for all arguments.
        let generator = match given.as_slice() {
            [InputSource::Generated(generator)] => Some(*generator),
            [] => fallback,
            _ => None,
        };
        let given = match generator {
            Some(generator) => {
                vec![InputSource::Generated(generator); needed.len().max(given.len())]
            }
            None => given,
        };
        let places: Vec<usize> = match given.len() {
            n if n == needed.len() => needed,
            n if n == self.inputs.len() => (0..n).collect(),
            n => return Err(self.wrong_number(n, &needed, !named.is_empty())),
        };
        let mut sources: HashMap<usize, &InputSource> = places.into_iter().zip(&given).collect();
        sources.extend(named);
        let mut inputs = Inputs { tensors: vec![], generated: vec![] };
        for (place, port) in self.inputs.iter().enumerate() {
            let Some(source) = sources.get(&place) else {
                inputs.tensors.push(None);
                continue;
            };
            // Destinations without an input have no number.
            let i = (0..place).filter(|before| sources.contains_key(before)).count();
            let tensor = match source {
                InputSource::File(path) => port.read(i, path)?,
                InputSource::Generated(generator) => {
                    let tensor = port.generate(i, *generator)?;
                    inputs.generated.push(GeneratedInput {
                        position: i,
                        element_type: element_text(port.element, port.is_complex),
                        shape: shape_of(&tensor, port.is_complex),
                        generator: generator.to_string(),
                    });
                    tensor
                }
            };
            inputs.tensors.push(Some(tensor));
        }
        Ok(inputs)
    }

    /// The sources of the arguments that are given by name.
    fn named<'a>(
        &self,
        given: &[&'a GivenInput],
    ) -> Result<HashMap<usize, &'a InputSource>, String> {
        let mut sources = HashMap::new();
        for input in given {
            let name = input.name.as_deref().unwrap_or_default();
            let place = self.inputs.iter().position(|port| port.name.as_deref() == Some(name));
            let place = place.ok_or_else(|| {
                let names: Vec<_> = self.inputs.iter().filter_map(|it| it.name.as_deref()).collect();
                let expected = match names.is_empty() {
                    true => "its arguments have no names".to_owned(),
                    false => format!("expected one of {}", names.join(", ")),
                };
                format!(
                    "lw-run: error: --input {name}: function '{}' has no argument of this name, {expected}",
                    self.entry
                )
            })?;
            if sources.insert(place, &input.source).is_some() {
                return Err(format!("lw-run: error: --input {name} is given twice"));
            }
        }
        Ok(sources)
    }

    /// The error that there are `found` inputs without names for the arguments that need one.
    fn wrong_number(&self, found: usize, needed: &[usize], has_named: bool) -> String {
        let described = |i: &usize| match &self.inputs[*i] {
            Port { name: Some(name), ty, .. } => format!("{name}: {ty}"),
            port => port.ty.clone(),
        };
        let types: Vec<_> = needed.iter().map(described).collect();
        let hint = match types.is_empty() {
            true => "",
            false => ": give files, or --input random, ones or iota for all",
        };
        format!(
            "lw-run: error: function '{}' needs {} {}inputs ({}), found {found} --input{hint}",
            self.entry,
            types.len(),
            if has_named { "more " } else { "" },
            types.join(", ")
        )
    }

    /// The arguments that the function writes in the model.
    fn written(&self) -> impl Iterator<Item = &Port> {
        self.inputs.iter().filter(|port| port.is_result)
    }

    /// Of each result, and of each argument that it wrote, whether it has complex numbers.
    pub fn are_complex(&self) -> Vec<bool> {
        self.results.iter().chain(self.written()).map(|port| port.is_complex).collect()
    }

    /// Moves the results of a function in converted form, which follow the arguments that the model itself writes, in
    /// front of those.
    fn move_results_first<T>(&self, destinations: &mut [T]) {
        destinations.rotate_left(self.written().count());
    }

    /// The results of the function, then the arguments that it wrote, in file form.
    pub fn outputs(&self, data: Vec<Datum>) -> Result<Vec<Tensor>, String> {
        let ports: Vec<_> = self.results.iter().chain(self.written()).collect();
        if ports.len() != data.len() {
            return Err(format!(
                "lw-run: error: internal error: found {} results, expected {}",
                data.len(),
                ports.len()
            ));
        }
        let tensor = |(i, (datum, port)): (usize, (Datum, &Port))| {
            to_tensor(&datum, port.element)
                .map_err(|message| format!("lw-run: error: result {i} {message}"))
        };
        data.into_iter().zip(ports).enumerate().map(tensor).collect()
    }
}

impl Port {
    fn of(ty: Type) -> Option<Port> {
        use loopwright::ir::FloatKind::*;
        let (mut dims, element) = ty.shaped().unwrap_or((vec![], ty));
        let is_float = |part: &Type| matches!(part.kind(), TypeKind::Float(F32 | F64));
        let part = element.complex_part().filter(is_float);
        dims.extend(part.map(|_| Some(2)));
        let element = match part.unwrap_or(element).kind() {
            TypeKind::Index => ElementType::I64,
            TypeKind::Integer(1) => ElementType::Bool,
            TypeKind::Integer(2..=8) | TypeKind::Float(Narrow(_)) => ElementType::I8,
            TypeKind::Integer(9..=16) => ElementType::I16,
            TypeKind::Integer(17..=32) => ElementType::I32,
            TypeKind::Integer(33..=64) => ElementType::I64,
            TypeKind::Float(F16) => ElementType::F16,
            TypeKind::Float(BF16) => ElementType::BF16,
            TypeKind::Float(F32) => ElementType::F32,
            TypeKind::Float(F64) => ElementType::F64,
            _ => return None,
        };
        let ty = ty.to_string();
        Some(Port { name: None, element, dims, ty, is_complex: part.is_some(), is_result: false })
    }

    /// Reads input `i` from a file.
    fn read(&self, i: usize, path: &Path) -> Result<Tensor, String> {
        let tensor = npy::read_as(path, self.element).map_err(|error| {
            let whole = match error {
                NpyError::Type { .. } if self.is_complex => {
                    format!(", for the parts of {}", self.ty)
                }
                _ => String::new(),
            };
            format!("lw-run: error: {error}{whole}")
        })?;
        let fits = tensor.shape().len() == self.dims.len()
            && tensor.shape().iter().zip(&self.dims).all(|(s, d)| d.is_none_or(|d| d == *s as i64));
        match fits {
            true => Ok(tensor),
            false => Err(format!(
                "lw-run: error: {}: input {i} has the shape {:?}, expected {}",
                path.display(),
                tensor.shape(),
                self.ty
            )),
        }
    }

    /// Generates input `i`.
    fn generate(&self, i: usize, generator: Generator) -> Result<Tensor, String> {
        let size = |dim: &Option<i64>| dim.and_then(|dim| usize::try_from(dim).ok());
        let shape: Option<Vec<usize>> = self.dims.iter().map(size).collect();
        let shape = shape.ok_or_else(|| {
            format!(
                "lw-run: error: input {i} cannot be generated, because {} has sizes that only an input gives: \
                 give a file",
                self.ty
            )
        })?;
        generator.tensor(i, self.element, &shape).map_err(|error| format!("lw-run: error: {error}"))
    }
}

/// An element type as text, or that of complex numbers with such parts.
pub fn element_text(element: ElementType, is_complex: bool) -> String {
    if is_complex { format!("complex<{element}>") } else { element.to_string() }
}

/// The shape of a tensor, without the dimension of the parts of complex numbers.
pub fn shape_of(tensor: &Tensor, is_complex: bool) -> Vec<usize> {
    tensor.shape()[..tensor.shape().len() - usize::from(is_complex)].to_vec()
}

/// The arguments of the function that runs, and which of them receive results.
pub struct Bound {
    pub data: Vec<Datum>,
    pub destinations: Vec<Datum>,
}

/// Binds tensors to the function in its current form: as in the model, or converted.
pub fn bind(
    module: &Module,
    entry: &str,
    signature: &Signature,
    inputs: &[Option<Tensor>],
) -> Result<Bound, String> {
    let function = pipeline::function(module, entry)
        .ok_or_else(|| format!("lw-run: error: lowering has removed function '{entry}'"))?;
    let mut bound = Bound { data: vec![], destinations: vec![] };
    for (i, argument) in function.arguments.iter().enumerate() {
        let port = signature.inputs.get(i);
        let datum = match inputs.get(i).and_then(Option::as_ref) {
            Some(tensor) => from_tensor(tensor, argument.ty),
            None => destination(&function, i, inputs, &bound.data)?,
        };
        if port.is_none_or(|port| port.is_result) {
            bound.destinations.push(datum.clone());
        }
        bound.data.push(datum);
    }
    signature.move_results_first(&mut bound.destinations);
    Ok(bound)
}

/// Tensors and indices for a call of a function in loop form as machine code.
pub struct Passed {
    pub values: Vec<PassedValue>,
    /// The arguments that are results, in the order of the model, and their element types in it.
    results: Vec<(usize, ElementType)>,
}

/// The value of an argument.
pub enum PassedValue {
    Tensor(Tensor),
    Index(i64),
}

impl Passed {
    /// The sizes of the arguments.
    pub fn sizes(&self) -> Vec<work::WorkArgument> {
        let size = |value: &PassedValue| match value {
            PassedValue::Tensor(tensor) => {
                work::WorkArgument::Shape(tensor.shape().iter().map(|size| *size as i64).collect())
            }
            PassedValue::Index(index) => work::WorkArgument::Index(*index),
        };
        self.values.iter().map(size).collect()
    }

    /// The values as arguments of machine code with this signature.
    pub fn arguments(&mut self, signature: &kernel::Signature) -> Vec<Argument<'_>> {
        let types = &signature.arguments;
        let argument = |(i, value): (usize, _)| match value {
            &mut PassedValue::Index(index) => Argument::Index(index),
            PassedValue::Tensor(tensor) => match types.get(i) {
                Some(ArgumentType::Buffer(ty)) if ty.is_result => Argument::Output(tensor),
                _ => Argument::Input(tensor),
            },
        };
        self.values.iter_mut().enumerate().map(argument).collect()
    }

    /// Copies of the results in file form.
    pub fn outputs(&self) -> Result<Vec<Tensor>, TensorError> {
        let output = |(i, element): &(usize, ElementType)| match &self.values[*i] {
            PassedValue::Tensor(tensor) => {
                Tensor::from_bytes(*element, tensor.shape(), tensor.bytes().to_vec())
            }
            PassedValue::Index(index) => Tensor::from_i64s(*element, &[], &[*index]),
        };
        self.results.iter().map(output).collect()
    }
}

/// Binds tensors to the function in loop form, for a call as machine code.
pub fn pass(
    module: &Module,
    entry: &str,
    signature: &Signature,
    inputs: &[Option<Tensor>],
) -> Result<Passed, String> {
    let function = pipeline::function(module, entry)
        .ok_or_else(|| format!("lw-run: error: lowering has removed function '{entry}'"))?;
    let error = |e: TensorError| format!("lw-run: error: {e}");
    let mut passed = Passed { values: vec![], results: vec![] };
    for (i, argument) in function.arguments.iter().enumerate() {
        let port = signature.inputs.get(i);
        let Some((_, element)) = argument.ty.shaped() else {
            let index = inputs.get(i).and_then(Option::as_ref).map(|tensor| tensor.get_i64(0));
            let index = index.ok_or_else(|| {
                format!(
                    "lw-run: error: argument {i} of '{entry}' is not a buffer, and has no --input"
                )
            })?;
            passed.values.push(PassedValue::Index(index));
            continue;
        };
        let in_memory = Port::of(element).map(|port| port.element);
        let in_memory = in_memory.ok_or_else(|| {
            format!(
                "lw-run: error: argument {i} of '{entry}' has the unsupported type {}",
                argument.ty
            )
        })?;
        let tensor = match inputs.get(i).and_then(Option::as_ref) {
            // Booleans are bytes, and i64 may be an index: the bits do not change.
            Some(tensor) => Tensor::from_bytes(in_memory, tensor.shape(), tensor.bytes().to_vec())
                .map_err(error)?,
            None => {
                let index = |at: usize| match passed.values.get(at) {
                    Some(PassedValue::Index(index)) => Some(*index),
                    _ => None,
                };
                let dims = destination_shape(&function, i, inputs, &index)?;
                Tensor::zeros(in_memory, &dims).map_err(error)?
            }
        };
        if port.is_none_or(|port| port.is_result) {
            passed.results.push((i, in_memory));
        }
        passed.values.push(PassedValue::Tensor(tensor));
    }
    signature.move_results_first(&mut passed.results);
    let ports: Vec<_> = signature.results.iter().chain(signature.written()).collect();
    for ((_, element), port) in passed.results.iter_mut().zip(ports) {
        *element = port.element;
    }
    Ok(passed)
}

/// A new buffer for destination argument `i`.
fn destination(
    function: &FunctionInterface,
    i: usize,
    inputs: &[Option<Tensor>],
    bound: &[Datum],
) -> Result<Datum, String> {
    let index = |at: usize| match bound.get(at) {
        Some(Datum::Scalar(Scalar::Int(value))) => Some(*value),
        _ => None,
    };
    let dims = destination_shape(function, i, inputs, &index)?;
    let element =
        function.arguments[i].ty.shaped().and_then(|(_, element)| ScalarType::of(element));
    let element = element.ok_or_else(|| unknown_size(function, i))?;
    let array = Array::undefined(element, dims);
    array.map(Datum::buffer).ok_or_else(|| {
        let (at, ty) = (super::place(&function.location), function.arguments[i].ty);
        format!(
            "{at}: error: argument {i} of type {ty} has more elements than the interpreter takes: compile the \
             function with --target"
        )
    })
}

fn unknown_size(function: &FunctionInterface, i: usize) -> String {
    let at = super::place(&function.location);
    let FunctionArgument { ty, result, .. } = function.arguments[i];
    let otherwise = if result.is_some() { "" } else { ", or mark it with loop.result" };
    format!(
        "{at}: error: argument {i} is written to, and no input determines its size {ty}: give it an \
         --input{otherwise}"
    )
}

/// The sizes of destination argument `i`; `index` returns the value of an index argument.
fn destination_shape(
    function: &FunctionInterface,
    i: usize,
    inputs: &[Option<Tensor>],
    index: &dyn Fn(usize) -> Option<i64>,
) -> Result<Vec<usize>, String> {
    let unknown = || unknown_size(function, i);
    let FunctionArgument { ty, result, .. } = function.arguments[i];
    let (dims, _) = ty.shaped().ok_or_else(unknown)?;
    let dims: Option<Vec<i64>> = match dims.iter().copied().collect() {
        Some(dims) => Some(dims),
        None => result.and_then(|result| shape(result, inputs, index)),
    };
    let dims = dims.ok_or_else(unknown)?;
    let dims: Option<Vec<usize>> = dims.iter().map(|d| usize::try_from(*d).ok()).collect();
    dims.ok_or_else(unknown)
}

/// The shape that a `loop.result` dictionary gives for these arguments.
fn shape(
    result: Attribute,
    inputs: &[Option<Tensor>],
    index: &dyn Fn(usize) -> Option<i64>,
) -> Option<Vec<i64>> {
    ResultShape::of(result)?.evaluate(|origin| match origin {
        SizeOrigin::Index(argument) => index(argument),
        SizeOrigin::Dim(argument, dim) => {
            inputs.get(argument)?.as_ref()?.shape().get(dim).map(|size| *size as i64)
        }
    })
}

/// Converts a tensor to a value for an argument of type `ty`; booleans fit i8, and i64 fits index.
fn from_tensor(tensor: &Tensor, ty: Type) -> Datum {
    let array = Array::from_tensor(tensor);
    let element = ty.shaped().map_or(ty, |(_, element)| element);
    let array = match ScalarType::of(element) {
        Some(element) => array.stored_as(element),
        None => array,
    };
    if ty.shaped().is_none() {
        return Datum::Scalar(array.cells[0]);
    }
    match ty.kind() {
        TypeKind::Tensor { .. } => Datum::tensor(array),
        _ => Datum::buffer(array),
    }
}

/// Converts a result to its file form; the message continues "result 0 ".
fn to_tensor(datum: &Datum, element: ElementType) -> Result<Tensor, String> {
    let mut array = match datum {
        Datum::Scalar(scalar) => {
            Array { ty: ScalarType::Index, shape: vec![], cells: vec![*scalar] }
        }
        Datum::Tensor(array) => array.as_ref().clone(),
        Datum::Buffer(array) => array.borrow().clone(),
    };
    if !matches!(array.ty, ScalarType::Float(FloatKind::Narrow(_))) {
        let empty = Tensor::zeros(element, &[0]).map_err(|error| error.to_string())?;
        array.ty = Array::from_tensor(&empty).ty;
    }
    array.to_tensor()
}
