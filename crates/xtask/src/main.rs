//! Development tasks: mutation testing, bugs planted in passes, and the packages of a release with their licences.
//!
//! ```text
//! cargo run -p xtask -- mutate --work /tmp/mutants    lists the mutants of the checks that the tests detect
//! cargo run -p xtask -- plant --work /tmp/plants      checks that `--verify-each=numeric` names the faulty pass
//! cargo run -p xtask -- sbom --output FILE            lists the Rust packages that a release is built from
//! cargo run -p xtask -- licenses --output FILE        collects the licence texts of those that are linked
//! ```
//! The first two change the source text of a copy of the package, so they break if the text they look for changes. The tests
//! of this crate detect that.

mod dependencies;
mod licenses;
mod mutate;
mod package;
mod plant;
mod sbom;

use clap::Parser;
use std::io;
use std::process::ExitCode;

/// Development tasks of Loopwright
#[derive(Parser)]
enum Task {
    /// Break the schedule checks in many ways and see whether the tests notice
    Mutate(mutate::Arguments),
    /// Plant a bug in each pass and see whether numerics at each pass name it
    Plant(plant::Arguments),
    /// List the Rust packages that the library and the tools are built from (CycloneDX 1.5, JSON)
    Sbom(sbom::Arguments),
    /// Collect the licence texts of the Rust packages that are linked into the library and the tools
    Licenses(licenses::Arguments),
}

fn main() -> io::Result<ExitCode> {
    match Task::parse() {
        Task::Mutate(arguments) => mutate::run(&arguments),
        Task::Plant(arguments) => plant::run(&arguments),
        Task::Sbom(arguments) => sbom::run(&arguments),
        Task::Licenses(arguments) => licenses::run(&arguments),
    }
}
