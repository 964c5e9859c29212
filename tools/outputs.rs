//! Checks that no output of a tool overwrites another output, or the model.

use loopwright_runtime::replace::is_same_file;
use std::path::Path;

/// A file that a tool reads or writes, and what it is, such as `--header`.
pub struct Named<'p> {
    pub what: &'static str,
    pub path: &'p Path,
}

/// Checks that each output is a file of its own, and none is an input. The message names both.
pub fn check_distinct(outputs: &[Named], inputs: &[Named]) -> Result<(), String> {
    for (i, output) in outputs.iter().enumerate() {
        let mut others = outputs[..i].iter().chain(inputs);
        let Some(other) = others.find(|other| is_same_file(other.path, output.path)) else {
            continue;
        };
        return Err(format!(
            "{} would overwrite {} '{}': give it a file of its own",
            output.what,
            other.what,
            other.path.display()
        ));
    }
    Ok(())
}
