//! Plants a bug in each pass, and checks that `lw-opt --verify-each=numeric` reports that pass.
//!
//! ```text
//! cargo run -p xtask -- plant --work /tmp/plants                     all bugs
//! cargo run -p xtask -- plant --work /tmp/plants --only form-fma     that of one pass
//! ```
//! Passes without a bug are those that a numeric comparison cannot check, [`UNSEEN`]. For these it
//! prints the reason and the tests that cover them.
//!
//! The package is copied to the folder and built once with all bugs, each behind a switch that an environment variable
//! enables (see [`bugs`]). The pipeline of each case then runs twice. Without the bug nothing may be reported (or the
//! pass refuses, if the bug is in its check). With the bug, the pass must be reported. The exit code is 0 if all bugs
//! are found and attributed to their pass.

mod bugs;
mod cases;
mod package;
mod unseen;

use cases::{CASES, Case, Without};
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use unseen::{UNSEEN, Unseen};

#[derive(Args)]
pub struct Arguments {
    /// The folder of the copy; an earlier build in it is reused
    #[arg(long)]
    work: PathBuf,
    /// Only the bug of this pass
    #[arg(long)]
    only: Option<String>,
}

/// Runs the cases that the arguments select. Fails if the bug of one is not attributed to its pass.
pub fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let root = crate::package::root().canonicalize()?;
    let tool = package::build(&root, &arguments.work)?;
    let mut missed = 0;
    let is_wanted = |case: &&Case| arguments.only.as_ref().is_none_or(|only| case.pass == only);
    for case in CASES.iter().filter(is_wanted) {
        let fault = judge(&root, &tool, case)?;
        println!("{:<28} {}", case.pass, fault.as_deref().unwrap_or("named"));
        missed += usize::from(fault.is_some());
    }
    for Unseen { pass, reason, tests } in UNSEEN.iter().filter(|_| arguments.only.is_none()) {
        println!("{pass:<28} has none: {reason}; {}", tests.join(", "));
    }
    println!("{} bugs, {missed} of them not named", CASES.iter().filter(is_wanted).count());
    Ok(if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a case without its bug and with it; returns a description of any failure.
fn judge(root: &Path, tool: &Path, case: &Case) -> io::Result<Option<String>> {
    let run = |bug: &str| {
        Command::new(tool)
            .arg(root.join("crates/xtask/inputs").join(case.input))
            .arg("--verify-each=numeric")
            .args(case.pipeline)
            .env("LOOPWRIGHT_BUG", bug)
            .output()
    };
    let right = run("")?;
    let said = String::from_utf8_lossy(&right.stderr).into_owned();
    let is_right = match case.without {
        Without::KeepsMeaning => right.status.success() && said.is_empty(),
        Without::Refuses => !right.status.success() && !said.contains("after pass"),
    };
    if !is_right {
        return Ok(Some(format!("fails without its bug: {said}")));
    }
    let wrong = run(case.pass)?;
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    let is_named = said.contains(&format!("error: after pass '{}' @", case.pass));
    Ok(match (wrong.status.success(), is_named) {
        (false, true) => None,
        (true, _) => Some("is not detected".into()),
        (false, false) => Some(format!("is detected, but its pass is not named: {said}")),
    })
}
