//! Traces as calls of the methods of [`Schedule`](crate::schedule::Schedule).
//!
//! ```text
//! schedule.split("C:j", &[4, 16], None)?;
//! schedule.assume().reorder(&["C:k", "C:j.1"])?;
//! ```
//! A method has the name of its primitive and takes its parameters in the order of the table, except for `proof`, which
//! is set beforehand. To get a trace back, run the calls: the trace of the schedule is this one.

use super::{Trace, VERSION, argument};
use crate::schedule::instruction::Instruction;

impl Trace {
    /// A Rust function that applies the steps.
    pub fn rust(&self) -> String {
        let hash = self.hash.as_deref().map(|hash| format!(", hash {hash:?}"));
        let steps: String =
            self.instructions.iter().map(|step| format!("    {}\n", step.rust())).collect();
        let schedule = if steps.is_empty() { "_" } else { "schedule" };
        format!(
            "/// Schedules function {:?}: a trace of version {VERSION}{}.\n\
             pub fn schedule(\n    \
             {schedule}: &mut loopwright::schedule::Schedule,\n\
             ) -> Result<(), loopwright::schedule::ScheduleError> {{\n\
             {steps}    Ok(())\n}}\n",
            self.function,
            hash.unwrap_or_default()
        )
    }
}

impl Instruction {
    /// The call that applies the step.
    pub fn rust(&self) -> String {
        let mut arguments = vec![];
        let mut assume = "";
        for (parameter, value) in self.primitive.parameters.iter().zip(&self.arguments) {
            match (parameter.name, argument::to_rust(value)) {
                ("proof", value) if value == "None" => {}
                ("proof", _) => assume = "assume().",
                (_, value) => arguments.push(value),
            }
        }
        format!("schedule.{assume}{}({})?;", self.primitive.name, arguments.join(", "))
    }
}
