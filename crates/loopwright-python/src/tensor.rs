//! Arrays of Python: which memory an object lends to a run, and arrays for results.
//!
//! - An array of NumPy lends its memory by `__array_interface__`, since `__dlpack__` of NumPy before 2.1 refuses read-only arrays.
//! - Any other object lends its memory by `__dlpack__`.
//! - An integer is an argument of type index.

use crate::ffi::{ArrayMemory, Lent};
use loopwright_bindings::module::{ArgumentDescription, ArgumentKind};
use loopwright_runtime::tensor::{ElementType, Tensor};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

/// The names of NumPy, and those of `__array_interface__`. NumPy has no bfloat16; the package ml_dtypes adds it.
const DTYPES: [(ElementType, &str, &str); 9] = [
    (ElementType::Bool, "bool", "|b1"),
    (ElementType::I8, "int8", "|i1"),
    (ElementType::I16, "int16", "<i2"),
    (ElementType::I32, "int32", "<i4"),
    (ElementType::I64, "int64", "<i8"),
    (ElementType::F16, "float16", "<f2"),
    (ElementType::BF16, "bfloat16", "<u2"),
    (ElementType::F32, "float32", "<f4"),
    (ElementType::F64, "float64", "<f8"),
];

/// NumPy's name of an element type.
pub fn dtype(element_type: ElementType) -> &'static str {
    let row = DTYPES.iter().find(|(of, _, _)| *of == element_type);
    row.map_or("unknown", |(_, name, _)| name)
}

/// Memory of ours that NumPy uses as an array, without a copy. Its first element is at a multiple of 64 bytes.
#[pyclass(frozen, module = "loopwright._native")]
pub struct Buffer {
    tensor: Tensor,
    address: usize,
}

impl Buffer {
    /// Zeros.
    pub fn new(element_type: ElementType, shape: &[usize]) -> PyResult<Buffer> {
        let mut tensor = Tensor::zeros(element_type, shape)
            .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let address = tensor.bytes_mut().as_mut_ptr().expose_provenance();
        Ok(Buffer { tensor, address })
    }
}

#[pymethods]
impl Buffer {
    /// The protocol of NumPy.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let row = DTYPES.iter().find(|(of, _, _)| *of == self.tensor.element_type());
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", row.map_or("", |(_, _, text)| text))?;
        interface.set_item("shape", PyTuple::new(py, self.tensor.shape())?)?;
        interface.set_item("data", (self.address, false))?;
        Ok(interface)
    }
}

/// An array of NumPy on memory of ours.
pub fn array<'py>(py: Python<'py>, buffer: Buffer) -> PyResult<Bound<'py, PyAny>> {
    let is_bf16 = buffer.tensor.element_type() == ElementType::BF16;
    let array = py.import("numpy")?.call_method1("asarray", (Bound::new(py, buffer)?,))?;
    match is_bf16 {
        false => Ok(array),
        true => array.call_method1("view", (bfloat16(py)?,)),
    }
}

fn bfloat16(py: Python) -> PyResult<Bound<PyAny>> {
    let found = py.import("ml_dtypes").and_then(|module| module.getattr("bfloat16"));
    found.map_err(|_| {
        PyTypeError::new_err(
            "NumPy has no type bfloat16: install the package ml_dtypes, or pass tensors of another library as out",
        )
    })
}

/// The Python function `empty` of the package, which documents it.
#[pyfunction]
pub fn empty<'py>(py: Python<'py>, shape: Vec<usize>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    let row = DTYPES.iter().find(|(_, name, _)| *name == dtype);
    let (element_type, _, _) = row.ok_or_else(|| unknown_dtype("dtype", dtype))?;
    array(py, Buffer::new(*element_type, &shape)?)
}

fn unknown_dtype(what: &str, found: &str) -> PyErr {
    let names: Vec<&str> = DTYPES.iter().map(|(_, name, _)| *name).collect();
    PyTypeError::new_err(format!("{what} is {found}, expected one of {}", names.join(", ")))
}

/// The object that owns the memory of an argument: the array of NumPy, or the capsule of `__dlpack__`.
pub enum Owner<'py> {
    Array(Bound<'py, PyAny>, ElementType),
    Capsule(Bound<'py, PyCapsule>),
}

/// The owner of the memory of an object that is passed for an argument. `name` is the argument in messages.
pub fn owner<'py>(
    object: &Bound<'py, PyAny>,
    described: &ArgumentDescription,
    name: &str,
) -> PyResult<Owner<'py>> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    if described.kind == ArgumentKind::Index {
        let number: i64 = object.extract().map_err(|_| found(object, name, "an integer"))?;
        let array = numpy.call_method1("asarray", (number, "int64"))?;
        return Ok(Owner::Array(array, ElementType::I64));
    }
    // A scalar of NumPy has no memory that it can lend.
    let scalar = object.is_instance(&numpy.getattr("generic")?)?;
    if scalar || object.is_instance(&numpy.getattr("ndarray")?)? {
        let array = match scalar {
            true => numpy.call_method1("asarray", (object,))?,
            false => object.clone(),
        };
        let of = array.getattr("dtype")?;
        let found: String = of.getattr("name")?.extract()?;
        let row = DTYPES.iter().find(|(_, name, _)| *name == found);
        let (element_type, _, _) =
            row.ok_or_else(|| unknown_dtype(&format!("{name}: the dtype"), &found))?;
        if !of.getattr("isnative")?.extract::<bool>()? {
            return Err(PyTypeError::new_err(format!(
                "{name} has elements in another byte order, expected those of this machine"
            )));
        }
        return Ok(Owner::Array(array, *element_type));
    }
    if !object.hasattr("__dlpack__")? {
        return Err(found(object, name, "an array of NumPy or an object with __dlpack__"));
    }
    let keywords = PyDict::new(py);
    keywords.set_item("max_version", (1, 3))?;
    let exported = match object.call_method("__dlpack__", (), Some(&keywords)) {
        // A producer that is older than version 1 of DLPack.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0("__dlpack__"),
        exported => exported,
    };
    let capsule = exported?.cast_into::<PyCapsule>();
    Ok(Owner::Capsule(capsule.map_err(|_| found(object, name, "a capsule of its __dlpack__"))?))
}

fn found(object: &Bound<PyAny>, name: &str, expected: &str) -> PyErr {
    let ty = object.get_type();
    let ty = ty.name().map_or_else(|_| "an object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name}: found {ty}, expected {expected}"))
}

impl Owner<'_> {
    /// The memory.
    pub fn lend(&self, name: &str) -> PyResult<Lent<'_>> {
        match self {
            Owner::Capsule(capsule) => Lent::of_capsule(capsule).ok_or_else(|| {
                PyTypeError::new_err(format!("{name}: found a capsule of no tensor"))
            }),
            Owner::Array(array, element_type) => {
                let interface = array.getattr("__array_interface__")?;
                let (address, is_read_only) = interface.get_item("data")?.extract()?;
                let strides: Vec<i64> = array.getattr("strides")?.extract()?;
                let size = element_type.size_in_bytes() as i64;
                if strides.iter().any(|stride| stride % size != 0) {
                    return Err(PyValueError::new_err(format!(
                        "{name} has strides of {strides:?} bytes, expected multiples of {size}"
                    )));
                }
                let memory = ArrayMemory {
                    address,
                    element_type: *element_type,
                    sizes: array.getattr("shape")?.extract()?,
                    strides: strides.iter().map(|stride| stride / size).collect(),
                    is_read_only,
                };
                Ok(Lent::of_memory(memory, array))
            }
        }
    }
}
