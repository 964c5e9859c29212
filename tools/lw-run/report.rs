//! The report of a run: each output, and its comparison with its reference.

use crate::arguments::{GeneratedInput, element_text, shape_of};
use crate::options::{Device, Options};
use crate::profile::Profile;
use crate::run::{Measurement, Outcome};
use loopwright_runtime::compare::{Comparison, compare_as};
use loopwright_runtime::device::Place;
use loopwright_runtime::npy;
use loopwright_runtime::stdout;
use loopwright_runtime::tensor::{ElementType, Tensor};
use serde::Serialize;

/// The elements of a larger result are not printed.
const MOST_PRINTED: usize = 32;

/// The report of a run.
#[derive(Serialize)]
pub struct Report {
    model: String,
    entry: String,
    device: Device,
    /// The chip of a GPU target; empty for other targets.
    #[serde(skip_serializing_if = "String::is_empty")]
    chip: String,
    phase: &'static str,
    milliseconds: f64,
    /// The inputs that are not from files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    generated_inputs: Vec<GeneratedInput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measurement: Option<Measurement>,
    outputs: Vec<Output>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<Kernel>,
    /// The profile of the kernels of a cpu.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
    /// True if no option says that the module is interpreted.
    #[serde(skip)]
    is_by_default: bool,
}

/// The profile of a GPU kernel.
#[derive(Serialize)]
struct Kernel {
    name: String,
    profile: String,
}

/// One output.
#[derive(Serialize)]
struct Output {
    #[serde(rename = "type")]
    element_type: String,
    shape: Vec<usize>,
    /// The elements as text, if they are few and go nowhere else.
    #[serde(skip)]
    elements: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<Check>,
}

/// The comparison with a reference.
#[derive(Serialize)]
struct Check {
    reference: String,
    max_abs_error: f64,
    max_abs_reference: f64,
    bound: f64,
    worst_index: Vec<usize>,
    passed: bool,
    /// True if the elements are integers or booleans.
    #[serde(skip)]
    is_exact: bool,
}

impl Report {
    /// Compares the outputs with the references that the options name.
    pub fn new(
        options: &Options,
        generated_inputs: Vec<GeneratedInput>,
        outcome: &Outcome,
        are_complex: &[bool],
    ) -> Result<Report, String> {
        let Outcome { outputs, milliseconds, measurement, profiles, kernels: profile } = outcome;
        let asked = profiles.iter().filter(|_| options.profile).cloned();
        for (flag, n) in [("--output", options.output.len()), ("--check", options.check.len())] {
            if n > outputs.len() {
                return Err(format!(
                    "lw-run: error: function '{}' has {} results, found {n} {flag}",
                    options.entry(),
                    outputs.len()
                ));
            }
        }
        let mut entries = vec![];
        for (i, (output, is_complex)) in outputs.iter().zip(are_complex).enumerate() {
            let is_used = options.check.get(i).is_some() || options.output.get(i).is_some();
            entries.push(Output {
                element_type: element_text(output.element_type(), *is_complex),
                shape: shape_of(output, *is_complex),
                elements: (!is_used && output.len() <= MOST_PRINTED).then(|| elements(output)),
                check: match options.check.get(i) {
                    Some(path) => Some(Check::new(options, path, output)?),
                    None => None,
                },
            });
        }
        Ok(Report {
            model: options.model().display().to_string(),
            entry: options.entry().to_owned(),
            device: options.device(),
            chip: options.gpu().map(|gpu| gpu.chip().to_owned()).unwrap_or_default(),
            phase: options.executed().word(),
            milliseconds: *milliseconds,
            generated_inputs,
            measurement: measurement.clone(),
            outputs: entries,
            kernels: asked.map(|(name, profile)| Kernel { name, profile }).collect(),
            profile: profile.clone(),
            is_by_default: options.target.is_none()
                && options.device.is_none()
                && options.execute.is_none(),
        })
    }

    /// True if all checks passed.
    pub fn passed(&self) -> bool {
        self.outputs.iter().all(|output| output.check.as_ref().is_none_or(|check| check.passed))
    }

    /// One line an output, or one JSON object.
    pub fn text(&self, json: bool) -> Result<String, String> {
        if json {
            let text = serde_json::to_string(self);
            return text.map(|text| text + "\n").map_err(|error| format!("lw-run: error: {error}"));
        }
        let mut text = String::new();
        for input in &self.generated_inputs {
            let ty = type_text(&input.shape, &input.element_type);
            text += &format!("input {}: {ty}, generated: {}\n", input.position, input.generator);
        }
        for (i, output) in self.outputs.iter().enumerate() {
            text += &format!("result {i}: {}", type_text(&output.shape, &output.element_type));
            text.extend(output.check.iter().map(|check| format!(", {check}")));
            text.extend(output.elements.iter().map(|elements| format!(" = {elements}")));
            text += "\n";
        }
        let how = match self.device {
            Device::Interpreter if self.is_by_default => {
                format!("interpreted in {} form (--target compiles it)", self.phase)
            }
            Device::Interpreter => format!("interpreted in {} form", self.phase),
            Device::At(Place::Cpu) => "x86".into(),
            Device::At(_) => format!("{} on {}", self.chip, self.device),
        };
        text += &format!("{}: {how}, {:.1} ms\n", self.model, self.milliseconds);
        text.extend(self.measurement.iter().map(|measurement| format!("{measurement}\n")));
        text.extend(self.profile.iter().map(|profile| format!("\n{profile}")));
        for Kernel { name, profile } in &self.kernels {
            text += &format!("\n{:<24}{name}\n{profile}", "kernel");
        }
        Ok(text)
    }
}

/// A type as text: `2x3xf32`.
fn type_text(shape: &[usize], element_type: &str) -> String {
    let sizes: Vec<_> = shape.iter().map(|size| format!("{size}x")).collect();
    format!("{}{element_type}", sizes.concat())
}

/// The elements of a tensor as nested lists.
fn elements(tensor: &Tensor) -> String {
    let element = |i: usize| match tensor.element_type() {
        ElementType::F64 => format!("{:?}", tensor.get_f64(i)),
        // As few digits as identify the f32.
        ElementType::F16 | ElementType::BF16 | ElementType::F32 => {
            format!("{:?}", tensor.get_f64(i) as f32)
        }
        ElementType::Bool => (tensor.get_i64(i) != 0).to_string(),
        ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64 => {
            tensor.get_i64(i).to_string()
        }
    };
    let mut items: Vec<String> = (0..tensor.len()).map(element).collect();
    for (dim, size) in tensor.shape().iter().enumerate().rev() {
        // An empty dimension ends in no items: there are as many lists as the outer dimensions have elements.
        let lists = tensor.shape()[..dim].iter().product();
        let list = |i: usize| format!("[{}]", items[i * size..(i + 1) * size].join(", "));
        items = (0..lists).map(list).collect();
    }
    items.concat()
}

/// Prints to stdout.
pub fn show(text: &str) -> Result<(), String> {
    stdout::print(text).map_err(|error| format!("lw-run: error: {error}"))
}

impl Check {
    fn new(options: &Options, path: &std::path::Path, output: &Tensor) -> Result<Check, String> {
        let error = |e: &dyn std::fmt::Display| format!("lw-run: error: {e}");
        let (reference, signedness) =
            npy::read_reference(path, output.element_type()).map_err(|e| error(&e))?;
        let Comparison { max_abs_error, max_abs_reference, bound, worst_index, passed } =
            compare_as(signedness, output, &reference, options.rtol, options.atol)
                .map_err(|e| format!("lw-run: error: {}: {e}", path.display()))?;
        let reference = path.display().to_string();
        let is_exact = !output.element_type().is_float();
        Ok(Check {
            reference,
            max_abs_error,
            max_abs_reference,
            bound,
            worst_index,
            passed,
            is_exact,
        })
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let verdict = if self.passed { "passed" } else { "FAILED" };
        match self.is_exact {
            true => write!(f, "max error {} (bound {})", self.max_abs_error, self.bound)?,
            false => write!(f, "max error {:.3e} (bound {:.3e})", self.max_abs_error, self.bound)?,
        }
        write!(f, ": {verdict}")?;
        if !self.passed {
            write!(f, ", worst at {:?}", self.worst_index)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_nested_lists() {
        let text = |ty, shape: &[usize], values: &[f64]| {
            elements(&Tensor::from_f64s(ty, shape, values).expect("small"))
        };
        assert_eq!(
            text(ElementType::F32, &[2, 2], &[0.1, -0.0, 1e30, 2.0]),
            "[[0.1, -0.0], [1e30, 2.0]]"
        );
        assert_eq!(text(ElementType::F64, &[], &[f64::NAN]), "NaN");
        assert_eq!(text(ElementType::F16, &[1], &[f64::INFINITY]), "[inf]");
        assert_eq!(text(ElementType::I64, &[1, 1, 2], &[-1.0, 3.0]), "[[[-1, 3]]]");
        assert_eq!(text(ElementType::Bool, &[2], &[0.0, 1.0]), "[false, true]");
        assert_eq!(text(ElementType::F32, &[2, 0], &[]), "[[], []]");
        assert_eq!(text(ElementType::F32, &[0, 2], &[]), "[]");
    }
}
