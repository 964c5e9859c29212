//! Compiled models and their functions.

use crate::error::{exception, misfit};
use crate::ffi::Lent;
use crate::tensor::{self, Buffer, Owner};
use loopwright_bindings::error::{ApiError, Code};
use loopwright_bindings::module::{self, ArgumentDescription, ArgumentKind, GivenSizes, position};
use loopwright_bindings::run::run;
use loopwright_runtime::dlpack::DlpackError;
use loopwright_runtime::pool::Pool;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A compiled model. Call it, if it has one function or a function "main"; or a function of it: compiled["name"](x, y).
#[pyclass(frozen, module = "loopwright")]
pub struct Compiled {
    /// Writes the code to a file. None for code that is from a file.
    save: Option<SaveCode>,
    functions: Vec<Py<Function>>,
    target: String,
}

/// Writes the code of a model to a file.
pub type SaveCode = Box<dyn Fn(&Path) -> Result<(), ApiError> + Send + Sync>;

/// A function of a compiled model. function(*arrays, out=None) runs it on arrays of NumPy, or objects with __dlpack__ on the CPU.
///
/// It returns a NumPy array for each result: none, the array, or a tuple. With `out`, an array or a sequence of arrays, it writes
/// the results there and returns `out`.
///
/// An array is used in place if it is dense, row-major, and begins at a multiple of 64 bytes; all others are copied.
/// `loopwright.empty` makes such arrays. No other thread may write the arrays during a run.
#[pyclass(frozen, module = "loopwright")]
pub struct Function {
    function: module::Function,
}

/// The type of an argument or a result.
#[pyclass(frozen, get_all, module = "loopwright")]
pub struct Argument {
    /// The name in the model, or None.
    name: Option<String>,
    /// NumPy's name of the type of elements.
    dtype: &'static str,
    /// The sizes; None for one that each run chooses.
    shape: Vec<Option<i64>>,
    /// True for an integer instead of an array.
    is_index: bool,
}

/// The Python function `load` of the package, which documents it.
#[pyfunction]
#[pyo3(signature = (path, device, threads))]
pub fn load(
    py: Python,
    path: PathBuf,
    device: Option<String>,
    threads: Option<i64>,
) -> PyResult<Compiled> {
    let pool = pool(threads)?;
    let loaded = py.detach(|| module::open(&pool, &path, device.as_deref()));
    let module = loaded.map_err(|error| exception(py, error))?;
    let target = path.to_string_lossy().into_owned();
    Compiled::new(py, module, target, None)
}

/// The threads of functions. None stands for one per core.
pub fn pool(threads: Option<i64>) -> PyResult<Arc<Pool>> {
    let number = |number: i64| {
        let checked = usize::try_from(number).ok().and_then(NonZeroUsize::new);
        checked.ok_or_else(|| {
            PyValueError::new_err(format!("found {number} threads, expected 1 or more"))
        })
    };
    module::shared_pool(threads.map(number).transpose()?)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl Compiled {
    /// The functions, by name.
    #[getter]
    fn functions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let functions = pyo3::types::PyDict::new(py);
        for function in &self.functions {
            functions.set_item(&function.get().function.name, function)?;
        }
        Ok(functions.into_any())
    }

    /// The target that the model was compiled for, or the file that it was loaded from.
    #[getter]
    fn target(&self) -> &str {
        &self.target
    }

    fn __getitem__(&self, py: Python, name: &str) -> PyResult<Py<Function>> {
        self.find(py, Some(name)).map(|function| function.clone_ref(py))
    }

    #[pyo3(signature = (*arrays, out=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arrays: &Bound<'py, PyTuple>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_main = |function: &&Py<Function>| function.get().function.name == "main";
        let main = self.functions.iter().find(is_main);
        let function = main.map_or_else(|| self.find(py, None), Ok)?;
        function.get().__call__(py, arrays, out)
    }

    /// Writes the code to a file: a shared library (.so), an archive (.a) or an object file (.o), with a C header beside it, or a
    /// bundle (.lwb) for a GPU. A function "main" cannot be exported to C: compile with name="...".
    fn save(&self, py: Python, path: PathBuf) -> PyResult<()> {
        let save = self.save.as_ref().ok_or_else(|| {
            PyValueError::new_err(format!("{} is a file already: copy it", self.target))
        })?;
        py.detach(|| save(&path)).map_err(|error| exception(py, error))
    }

    fn __repr__(&self) -> String {
        let functions = self.functions.iter().map(|it| it.get().text());
        format!(
            "<loopwright.Compiled for {}: {}>",
            self.target,
            functions.collect::<Vec<_>>().join("; ")
        )
    }
}

impl Compiled {
    /// The functions of a module.
    pub fn new(
        py: Python,
        module: module::Module,
        target: String,
        save: Option<SaveCode>,
    ) -> PyResult<Compiled> {
        let new = |function| Py::new(py, Function { function });
        let functions = module.functions.into_iter().map(new).collect::<PyResult<_>>()?;
        Ok(Compiled { save, functions, target })
    }

    fn find(&self, py: Python, name: Option<&str>) -> PyResult<&Py<Function>> {
        let names = self.functions.iter().map(|it| it.get().function.name.as_str());
        let position = position(names, name).map_err(|error| exception(py, error))?;
        Ok(&self.functions[position])
    }
}

#[pymethods]
impl Function {
    /// The name in the model.
    #[getter]
    fn name(&self) -> &str {
        &self.function.name
    }

    /// The types of the arrays that a call takes.
    #[getter]
    fn inputs(&self) -> Vec<Argument> {
        self.select(false).map(|(_, it)| Argument::of(it)).collect()
    }

    /// The types of the results.
    #[getter]
    fn results(&self) -> Vec<Argument> {
        self.select(true).map(|(_, it)| Argument::of(it)).collect()
    }

    #[pyo3(signature = (*arrays, out=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arrays: &Bound<'py, PyTuple>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = self.inputs();
        if arrays.len() != inputs.len() {
            let types: Vec<String> = inputs.iter().map(Argument::__repr__).collect();
            return Err(PyTypeError::new_err(format!(
                "{}: found {} arrays, expected {} ({})",
                self.function.name,
                arrays.len(),
                inputs.len(),
                types.join(", ")
            )));
        }
        let mut objects = vec![None; self.function.arguments.len()];
        for ((i, _), object) in self.select(false).zip(arrays.iter()) {
            objects[i] = Some(object);
        }
        let results = match &out {
            Some(out) => self.given_results(out)?,
            None => self.new_results(py, &objects)?,
        };
        for ((i, _), object) in self.select(true).zip(&results) {
            objects[i] = Some(object.clone());
        }
        self.run(py, &objects.into_iter().flatten().collect::<Vec<_>>())?;
        match (out, results.len()) {
            (Some(out), _) => Ok(out),
            (None, 0) => Ok(py.None().into_bound(py)),
            (None, 1) => Ok(results[0].clone()),
            (None, _) => Ok(PyTuple::new(py, results)?.into_any()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<loopwright.Function {}>", self.text())
    }
}

impl Function {
    /// The arguments that are results, or all others, with their numbers.
    fn select(&self, results: bool) -> impl Iterator<Item = (usize, &ArgumentDescription)> {
        let all = self.function.arguments.iter().enumerate();
        all.filter(move |(_, it)| (it.kind == ArgumentKind::Result) == results)
    }

    /// `main(x: float32[2, 3]) -> float32[2]`.
    fn text(&self) -> String {
        let list = |arguments: Vec<Argument>| {
            arguments.iter().map(Argument::__repr__).collect::<Vec<_>>().join(", ")
        };
        let results = self.results();
        let results = match results.len() {
            1 => list(results),
            _ => format!("({})", list(results)),
        };
        format!("{}({}) -> {results}", self.function.name, list(self.inputs()))
    }

    /// `main: argument 0 (x)`, or `main: result 0`.
    fn title(&self, i: usize) -> String {
        let described = &self.function.arguments[i];
        let is_result = described.kind == ArgumentKind::Result;
        let number = self.select(is_result).take_while(|(at, _)| *at < i).count();
        let word = if is_result { "result" } else { "argument" };
        let name = described.name.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
        format!("{}: {word} {number}{name}", self.function.name)
    }

    /// The arrays of `out`.
    fn given_results<'py>(&self, out: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let expected = self.select(true).count();
        let given = match out.is_instance_of::<PyTuple>() || out.is_instance_of::<PyList>() {
            true => out.try_iter()?.collect::<PyResult<Vec<_>>>()?,
            false => vec![out.clone()],
        };
        if given.len() != expected {
            let (name, found) = (&self.function.name, given.len());
            let message = format!("{name}: found {found} arrays as out, expected {expected}");
            return Err(PyTypeError::new_err(message));
        }
        Ok(given)
    }

    /// New arrays for the results of a call. `objects` has the other arguments.
    fn new_results<'py>(
        &self,
        py: Python<'py>,
        objects: &[Option<Bound<'py, PyAny>>],
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let is_dynamic = |it: &ArgumentDescription| it.sizes.iter().any(|size| *size < 0);
        let given = match self.select(true).any(|(_, it)| is_dynamic(it)) {
            true => self.given_sizes(objects)?,
            false => vec![],
        };
        let new = |(i, described): (usize, &ArgumentDescription)| {
            let sizes = self.function.result_sizes(i, &given).ok_or_else(|| {
                let ty = Argument::of(described).__repr__();
                PyValueError::new_err(format!(
                    "{} has sizes that are not known before the run ({ty}): pass an array as out",
                    self.title(i)
                ))
            })?;
            tensor::array(py, Buffer::new(described.element_type, &sizes)?)
        };
        self.select(true).map(new).collect()
    }

    /// The sizes that objects give to the arguments, each checked.
    fn given_sizes(&self, objects: &[Option<Bound<PyAny>>]) -> PyResult<Vec<Option<GivenSizes>>> {
        let given = |(i, object): (usize, &Option<Bound<PyAny>>)| {
            let Some(object) = object else { return Ok(None) };
            let described = &self.function.arguments[i];
            let owner = tensor::owner(object, described, &self.title(i))?;
            if described.kind == ArgumentKind::Index {
                return object.extract().map(|value| Some(GivenSizes::Index(value)));
            }
            let memory = owner.lend(&self.title(i))?;
            let shape = self.check(i, described, &memory)?;
            Ok(Some(GivenSizes::Shape(shape)))
        };
        objects.iter().enumerate().map(given).collect()
    }

    /// Runs the function on one object for each argument.
    fn run(&self, py: Python, objects: &[Bound<PyAny>]) -> PyResult<()> {
        let arguments = &self.function.arguments;
        let mut owners = vec![];
        for (i, (object, described)) in objects.iter().zip(arguments).enumerate() {
            owners.push(tensor::owner(object, described, &self.title(i))?);
        }
        let mut lent = vec![];
        for (i, (owner, described)) in owners.iter().zip(arguments).enumerate() {
            let memory = owner.lend(&self.title(i))?;
            self.check(i, described, &memory)?;
            lent.push(memory);
        }
        let ran = py.detach(move || {
            let imported = lent
                .iter()
                .zip(arguments)
                .map(|(memory, described)| memory.imported(described.kind != ArgumentKind::Result));
            let imported = imported.collect::<Result<Vec<_>, DlpackError>>();
            let imported =
                imported.map_err(|error| ApiError::new(Code::Argument, error.to_string()))?;
            run(&self.function, imported)
        });
        drop::<Vec<Owner>>(owners);
        ran.map_err(|error| exception(py, error))
    }

    /// Checks the type of what an argument gets; returns the shape.
    fn check(
        &self,
        i: usize,
        described: &ArgumentDescription,
        memory: &Lent,
    ) -> PyResult<Vec<usize>> {
        let imported = memory.imported(described.kind != ArgumentKind::Result);
        let imported = imported.map_err(|error| {
            let message = error.to_string();
            let message = message.strip_prefix("dlpack: ").unwrap_or(&message);
            let message = format!("{}: {message}", self.title(i));
            match error {
                DlpackError::ElementType { .. } => PyTypeError::new_err(message),
                _ => PyValueError::new_err(message),
            }
        })?;
        let checked = described.check(imported.element_type(), imported.shape());
        checked.map_err(|error| misfit(&self.title(i), error))?;
        Ok(imported.shape().to_vec())
    }
}

impl Argument {
    fn of(described: &ArgumentDescription) -> Argument {
        let sizes = described.sizes.iter();
        Argument {
            name: described.name.clone(),
            dtype: tensor::dtype(described.element_type),
            shape: sizes.map(|size| (*size >= 0).then_some(*size)).collect(),
            is_index: described.kind == ArgumentKind::Index,
        }
    }
}

#[pymethods]
impl Argument {
    /// `x: float32[2, ?]`.
    fn __repr__(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        let size = |size: &Option<i64>| size.map_or("?".to_owned(), |size| size.to_string());
        let sizes: Vec<String> = self.shape.iter().map(size).collect();
        match self.is_index {
            true => format!("{name}int"),
            false => format!("{name}{}[{}]", self.dtype, sizes.join(", ")),
        }
    }
}
