//! The report of a run: each output, and its comparison with its reference.

use crate::options::{Device, Options};
use crate::run::{Measurement, Outcome};
use loopwright_runtime::compare::{Comparison, compare};
use loopwright_runtime::device::Place;
use loopwright_runtime::npy;
use loopwright_runtime::stdout;
use loopwright_runtime::tensor::Tensor;
use serde::Serialize;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    measurement: Option<Measurement>,
    outputs: Vec<Output>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<Kernel>,
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
    pub fn new(options: &Options, outcome: &Outcome) -> Result<Report, String> {
        let Outcome { outputs, milliseconds, measurement, profiles } = outcome;
        let asked = profiles.iter().filter(|_| options.profile).cloned();
        for (flag, n) in [("--output", options.output.len()), ("--check", options.check.len())] {
            if n > outputs.len() {
                return Err(format!(
                    "lw-run: error: function '{}' has {} results, found {n} {flag}",
                    options.entry,
                    outputs.len()
                ));
            }
        }
        let mut entries = vec![];
        for (i, output) in outputs.iter().enumerate() {
            entries.push(Output {
                element_type: output.element_type().to_string(),
                shape: output.shape().to_vec(),
                check: match options.check.get(i) {
                    Some(path) => Some(Check::new(options, path, output)?),
                    None => None,
                },
            });
        }
        Ok(Report {
            model: options.model.display().to_string(),
            entry: options.entry.clone(),
            device: options.device(),
            chip: options.gpu().map(|gpu| gpu.chip().to_owned()).unwrap_or_default(),
            phase: options.executed().word(),
            milliseconds: *milliseconds,
            measurement: measurement.clone(),
            outputs: entries,
            kernels: asked.map(|(name, profile)| Kernel { name, profile }).collect(),
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
        for (i, output) in self.outputs.iter().enumerate() {
            let sizes: Vec<_> = output.shape.iter().map(|s| format!("{s}x")).collect();
            let ty = format!("{}{}", sizes.concat(), output.element_type);
            match &output.check {
                Some(check) => text += &format!("result {i}: {ty}, {check}\n"),
                None => text += &format!("result {i}: {ty}\n"),
            }
        }
        let how = match self.device {
            Device::Interpreter => format!("{} form", self.phase),
            Device::At(Place::Cpu) => "x86".into(),
            Device::At(_) => format!("{} on {}", self.chip, self.device),
        };
        text += &format!("{}: {how}, {:.1} ms\n", self.model, self.milliseconds);
        text.extend(self.measurement.iter().map(|measurement| format!("{measurement}\n")));
        for Kernel { name, profile } in &self.kernels {
            text += &format!("\n{:<24}{name}\n{profile}", "kernel");
        }
        Ok(text)
    }
}

/// Prints to stdout.
pub fn show(text: &str) -> Result<(), String> {
    stdout::print(text).map_err(|error| format!("lw-run: error: {error}"))
}

impl Check {
    fn new(options: &Options, path: &std::path::Path, output: &Tensor) -> Result<Check, String> {
        let error = |e: &dyn std::fmt::Display| format!("lw-run: error: {e}");
        let reference = npy::read_as(path, output.element_type()).map_err(|e| error(&e))?;
        let Comparison { max_abs_error, max_abs_reference, bound, worst_index, passed } =
            compare(output, &reference, options.rtol, options.atol)
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
