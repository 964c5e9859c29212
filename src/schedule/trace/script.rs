//! Traces as transform scripts.
//!
//! ```text
//! module attributes {transform.with_named_sequence} {
//!   transform.named_sequence @__transform_main(%module: !transform.any_op) {
//!     %f = transform.sched.function @matmul in %module version 1 hash "5b0c..."
//!     transform.sched.split "C:j" in %f factors [4, 16]
//!     transform.yield
//!   }
//! }
//! ```
//! A script can express more than a trace: handles, other transform ops, several sequences. Parsing refuses those at
//! the op, so that nothing is lost. `lw-opt --sched-print-trace` runs any script and prints its trace.

use super::{Trace, VERSION, argument};
use crate::ir::{Attribute, Error, Location, ModuleRef, Op, op_of};
use crate::schedule::instruction::{Instruction, Primitive, quoted};
use std::fmt;

impl Trace {
    /// The trace as a script.
    pub fn script(&self) -> String {
        script_module(&self.steps("%f"), "")
    }

    /// The op that finds the function.
    pub(crate) fn start_of_script(&self, handle: &str) -> String {
        let hash = self.hash.as_deref().map(|hash| format!(" hash {}", quoted(hash)));
        format!(
            "    {handle} = transform.sched.function {} in %module version {VERSION}{}\n",
            symbol(&self.function),
            hash.unwrap_or_default()
        )
    }

    /// The ops that find the function and apply the steps.
    fn steps(&self, handle: &str) -> String {
        let mut text = self.start_of_script(handle);
        for step in &self.instructions {
            text += &format!("    {}\n", step.script_in(handle));
        }
        text
    }

    /// Parses the script of a module, without running it.
    ///
    /// # Errors
    /// At an op that a trace cannot express.
    pub fn parse<'c>(script: impl ModuleRef<'c>) -> Result<Trace, Error<'c>> {
        parse(op_of(script)).map(|(trace, _)| trace)
    }
}

/// On a script: it has the default schedules of fusion groups. Its value is the word of a [`MachineKind`].
const DEFAULT_SCHEDULE: &str = "loop.default_schedule";

/// What default schedules are for. The passes before them differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// A processor: x86.
    Cpu,
    /// A GPU.
    Gpu,
}

impl MachineKind {
    fn word(self) -> &'static str {
        match self {
            MachineKind::Cpu => "cpu",
            MachineKind::Gpu => "gpu",
        }
    }

    /// For what a script has the default schedules; none if it has others.
    ///
    /// # Errors
    /// If the script names something else; the error is at the script.
    pub fn of_script<'c>(script: impl ModuleRef<'c>) -> Result<Option<MachineKind>, Error<'c>> {
        let script = op_of(script);
        let Some(found) = script.attribute(DEFAULT_SCHEDULE) else { return Ok(None) };
        let is_found = |kind: &MachineKind| found.as_str() == Some(kind.word());
        match [MachineKind::Cpu, MachineKind::Gpu].into_iter().find(is_found) {
            Some(kind) => Ok(Some(kind)),
            None => {
                let message = format!(
                    "has the attribute {DEFAULT_SCHEDULE} = {found}, expected \"cpu\" or \"gpu\", as --print-schedule prints \
                     the default schedules of a target"
                );
                Err(Error::on(script, message))
            }
        }
    }
}

impl fmt::Display for MachineKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One script with the default schedules of the fusion groups of a module.
pub fn default_script(traces: &[&Trace], machine: MachineKind) -> String {
    let attributes = format!("{DEFAULT_SCHEDULE} = \"{machine}\", ");
    let steps = traces.iter().enumerate().map(|(i, trace)| match traces {
        [_] => trace.steps("%f"),
        _ => trace.steps(&format!("%f{i}")),
    });
    script_module(&steps.collect::<String>(), &attributes)
}

/// The module of a script with some steps.
pub(crate) fn script_module(steps: &str, attributes: &str) -> String {
    format!(
        "module attributes {{{attributes}transform.with_named_sequence}} {{\n  \
         transform.named_sequence @__transform_main(%module: !transform.any_op) {{\n\
         {steps}    transform.yield\n  }}\n}}\n"
    )
}

/// The trace of a script, and the locations of its steps.
pub(super) fn parse<'c>(script: Op<'c>) -> Result<(Trace, Vec<Location<'c>>), Error<'c>> {
    let plain = |op: Op<'c>, message: &str| {
        Error::on(op, format!("{message}: this script is more than a trace"))
    };
    let ops = script.body(0).map(|body| body.ops()).unwrap_or_default();
    let is_main = |op: &&Op<'c>| {
        op.is("transform.named_sequence") && op.symbol_name() == Some("__transform_main")
    };
    let main = *ops
        .iter()
        .find(is_main)
        .ok_or_else(|| Error::on(script, "has no 'transform.named_sequence @__transform_main'"))?;
    if let Some(other) = ops.iter().find(|op| **op != main) {
        return Err(plain(*other, "is outside of the sequence"));
    }
    let body = main.body(0).ok_or_else(|| Error::on(main, "has no body"))?;
    let [module] = body.arguments()[..] else {
        return Err(plain(main, "has arguments other than the module"));
    };
    let steps = body.ops();
    let Some((function, steps)) = steps.split_first().filter(|(op, _)| is_function(**op)) else {
        return Err(plain(main, "does not start with 'transform.sched.function'"));
    };
    if function.operands() != [module] {
        return Err(plain(*function, "does not search the module"));
    }
    check_attributes(*function, &["function", "version", "hash"])?;
    super::check_version(*function)?;
    let text = |name: &str| function.attribute(name);
    let mut trace = Trace {
        function: text("function").and_then(Attribute::as_symbol).unwrap_or_default().to_owned(),
        hash: text("hash").and_then(Attribute::as_str).map(str::to_owned),
        instructions: vec![],
    };
    let mut places = vec![];
    let handle = function.result(0);
    for op in steps {
        if op.is("transform.yield") && op.operands().is_empty() {
            continue;
        }
        let primitive = op
            .name()
            .strip_prefix("transform.sched.")
            .and_then(Primitive::of)
            .ok_or_else(|| plain(*op, "is not a step of a schedule"))?;
        let names: Vec<_> = primitive.parameters.iter().map(|parameter| parameter.name).collect();
        check_attributes(*op, &names)?;
        if op.operands() != [handle] {
            return Err(plain(*op, "uses a handle other than that of the function"));
        }
        if let Some(first) = names.first().filter(|name| op.attribute(name).is_none()) {
            let message = format!("has no {first}, so its handle determines the target");
            return Err(plain(*op, &message));
        }
        let argument = |parameter: &crate::schedule::instruction::Parameter| {
            argument::of_attribute(parameter.kind, op.attribute(parameter.name))
        };
        let arguments = primitive.parameters.iter().map(argument).collect();
        trace.instructions.push(Instruction { primitive, arguments });
        places.push(op.location());
    }
    Ok((trace, places))
}

fn is_function(op: Op) -> bool {
    op.is("transform.sched.function")
}

/// Refuses an attribute that a trace cannot express, which would be lost.
fn check_attributes<'c>(op: Op<'c>, known: &[&str]) -> Result<(), Error<'c>> {
    match op.attributes().iter().find(|(name, _)| !known.contains(name)) {
        Some((name, _)) => {
            let message = format!("has '{name}': this script is more than a trace");
            Err(Error::on(op, message))
        }
        None => Ok(()),
    }
}

/// A symbol in MLIR syntax.
fn symbol(name: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_bare = name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit() || "$.".contains(c));
    if is_bare { format!("@{name}") } else { format!("@{}", quoted(name)) }
}
