//! Plans a run: matches the names of a program with arguments, and checks types before any memory is read or allocated.

use crate::failure::Failure;
use crate::interface::{Port, PortSize};
use crate::session::{Session, SessionCode};
use crate::tensor_type::{TensorType, element_in_memory, memory_type, shape_text};
use loopwright_bindings::module::{ArgumentDescription, ArgumentKind, Function, GivenSizes};
use std::collections::HashMap;

/// What each argument of the function is.
#[derive(Debug)]
pub struct RunPlan {
    /// In the order of the arguments.
    pub arguments: Vec<Planned>,
    /// For each requested output, the argument that is its result.
    pub requested: Vec<usize>,
}

/// An argument of a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Planned {
    /// The input of the program with this number.
    Input(usize),
    /// A result of this type.
    Result(TensorType),
}

impl Session {
    /// The plan of a run with these inputs, for outputs with these names.
    ///
    /// # Errors
    /// If a name is unknown, given twice or missing, or a type or shape is not that of the model.
    pub fn plan(
        &self,
        inputs: &[(&str, &TensorType)],
        outputs: &[&str],
    ) -> Result<RunPlan, Failure> {
        let mut given = vec![None; self.inputs.len()];
        for (i, (name, _)) in inputs.iter().enumerate() {
            let at = position(&self.inputs, name, "input")?;
            if given[at].replace(i).is_some() {
                return Err(Failure::argument(format!("the input '{name}' is given twice")));
            }
        }
        let mut numbers = vec![];
        for (port, given) in self.inputs.iter().zip(given) {
            let missing = || Failure::argument(format!("the input '{}' is missing", port.name));
            numbers.push(given.ok_or_else(missing)?);
        }
        let types: Vec<&TensorType> = numbers.iter().map(|i| inputs[*i].1).collect();
        check_types(&self.inputs, &types)?;
        let places: Vec<usize> = outputs
            .iter()
            .map(|it| position(&self.outputs, it, "output"))
            .collect::<Result<_, _>>()?;
        let function = match &self.code {
            SessionCode::Compiled(function) => function,
            SessionCode::Copy => {
                let result = Planned::Result(types[0].clone());
                let requested = vec![1; outputs.len()];
                return Ok(RunPlan { arguments: vec![Planned::Input(0), result], requested });
            }
        };
        self.arguments(function, &numbers, &types, &places)
    }

    fn arguments(
        &self,
        function: &Function,
        numbers: &[usize],
        types: &[&TensorType],
        places: &[usize],
    ) -> Result<RunPlan, Failure> {
        let arguments = &function.arguments;
        let mut next = 0..;
        // The number of the input, for arguments that are inputs.
        let numbered: Vec<Option<usize>> = arguments
            .iter()
            .map(|it| (it.kind == ArgumentKind::Input).then(|| next.next()).flatten())
            .collect();
        let shape = |i: usize| GivenSizes::Shape(types[i].sizes.clone());
        let given: Vec<_> = numbered.iter().map(|input| input.map(shape)).collect();
        let (mut planned, mut results) = (vec![], vec![]);
        for (at, (argument, input)) in arguments.iter().zip(&numbered).enumerate() {
            match input {
                Some(i) => {
                    check_argument(argument, &self.inputs[*i].name, types[*i])?;
                    planned.push(Planned::Input(numbers[*i]));
                }
                None => {
                    let port = &self.outputs[results.len()];
                    let sizes = function.result_sizes(at, &given).ok_or_else(|| {
                        Failure::unsupported(format!(
                            "the sizes of output '{}' depend on the elements of the inputs, expected sizes that follow from \
                             those of the inputs",
                            port.name
                        ))
                    })?;
                    results.push(at);
                    let element =
                        port.element.unwrap_or_else(|| element_in_memory(argument.element_type));
                    planned.push(Planned::Result(TensorType { element, sizes }));
                }
            }
        }
        let requested = places.iter().map(|place| results[*place]).collect();
        Ok(RunPlan { arguments: planned, requested })
    }
}

/// The position of the port with a name.
fn position(ports: &[Port], name: &str, word: &str) -> Result<usize, Failure> {
    ports.iter().position(|port| port.name == name).ok_or_else(|| {
        let names: Vec<_> = ports.iter().map(|port| port.name.as_str()).collect();
        let expected = match names.is_empty() {
            true => "expected none".to_owned(),
            false => format!("expected one of {}", names.join(", ")),
        };
        Failure::argument(format!("found no {word} '{name}', {expected}"))
    })
}

/// Checks element types, and that a name of a dimension has one size.
fn check_types(ports: &[Port], types: &[&TensorType]) -> Result<(), Failure> {
    let mut named: HashMap<&str, (usize, &str)> = HashMap::new();
    for (port, ty) in ports.iter().zip(types) {
        let name = &port.name;
        if let Some(expected) = port.element.filter(|element| *element != ty.element) {
            let (found, expected) = (ty.element.word(), expected.word());
            return Err(Failure::argument(format!(
                "input '{name}' has elements of type {found}, expected {expected}"
            )));
        }
        let Some(dims) = &port.dims else { continue };
        let fits = |(dim, size): (&PortSize, &usize)| match dim {
            PortSize::Static(expected) => usize::try_from(*expected) == Ok(*size),
            PortSize::Dynamic(_) => true,
        };
        if dims.len() != ty.sizes.len() || !dims.iter().zip(&ty.sizes).all(fits) {
            let (found, expected) = (shape_text(&ty.sizes), shape_text(dims));
            return Err(Failure::argument(format!(
                "input '{name}' has the shape {found}, expected {expected}"
            )));
        }
        for (dim, size) in dims.iter().zip(&ty.sizes) {
            let PortSize::Dynamic(dimension) = dim else { continue };
            let (known, other) = match dimension.is_empty() {
                true => continue,
                false => *named.entry(dimension).or_insert((*size, name)),
            };
            if known != *size {
                return Err(Failure::argument(format!(
                    "dimension '{dimension}' has the size {size} in input '{name}', but {known} in input '{other}'"
                )));
            }
        }
    }
    Ok(())
}

/// Checks an input against the compiled function.
fn check_argument(
    argument: &ArgumentDescription,
    name: &str,
    ty: &TensorType,
) -> Result<(), Failure> {
    argument
        .check(memory_type(ty.element), &ty.sizes)
        .map_err(|misfit| Failure::argument(format!("input '{name}' {misfit}")))
}

impl std::fmt::Display for PortSize {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            PortSize::Static(size) => write!(f, "{size}"),
            PortSize::Dynamic(name) if name.is_empty() => f.write_str("?"),
            PortSize::Dynamic(name) => f.write_str(name),
        }
    }
}
