//! NVIDIA's assembler of PTX, `ptxas`: that of `LOOPWRIGHT_PTXAS`, of the `PATH`, or of a Python package that
//! is fetched once into cargo's target folder.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The package, and the assembler's place in it.
const PACKAGE: &str = "nvidia-cuda-nvcc==13.0.88";
const PLACE: &str = "nvidia/cu13/bin/ptxas";

pub struct Assembler(PathBuf);

/// The assembler, looked for once. Where there is none, a line says so and why, even if all tests pass.
pub fn get() -> Option<&'static Assembler> {
    static FOUND: OnceLock<Option<Assembler>> = OnceLock::new();
    let look = || match find() {
        Ok(assembler) => Some(assembler),
        Err(why) => {
            tell(&format!("skipped: no PTX is assembled: {why}"));
            None
        }
    };
    FOUND.get_or_init(look).as_ref()
}

/// The assembler, or why there is none.
fn find() -> Result<Assembler, String> {
    if let Some(path) = env::var_os("LOOPWRIGHT_PTXAS") {
        return Ok(Assembler(path.into()));
    }
    if works(Path::new("ptxas")) {
        return Ok(Assembler("ptxas".into()));
    }
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptxas");
    let path = cache.join(PLACE);
    if !works(&path) {
        fetch(&cache, &path)?;
    }
    match works(&path) {
        true => Ok(Assembler(path)),
        false => Err(format!("the package {PACKAGE} has no assembler that runs here")),
    }
}

/// Writes a line past the capture of a test's output.
fn tell(line: &str) {
    let mut out = std::io::stderr();
    // Nobody may be there to read it.
    let _ = writeln!(out, "{line}");
}

fn works(path: &Path) -> bool {
    Command::new(path).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn fetch(cache: &Path, path: &Path) -> Result<(), String> {
    let fail = |what: &str, why: &dyn std::fmt::Display| format!("{what}: {why}");
    fs::create_dir_all(cache).map_err(|error| fail("the cache", &error))?;
    let folder = cache.to_string_lossy();
    run("python3", &["-m", "pip", "download", "--no-deps", "-q", PACKAGE, "-d", &folder])?;
    let files = fs::read_dir(cache).map_err(|error| fail("the cache", &error))?;
    let files = files.filter_map(|file| file.ok().map(|file| file.path()));
    let wheel = files.into_iter().find(|file| file.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| format!("{PACKAGE} came without a wheel"))?;
    run("python3", &["-m", "zipfile", "-e", &wheel.to_string_lossy(), &folder])?;
    // The archive does not say that it is a program.
    run("chmod", &["+x", &path.to_string_lossy()])
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let text = String::from_utf8_lossy(&output.stderr);
            let last = text.lines().last().unwrap_or("no reason given");
            Err(format!("{program} {}: {last}", arguments.join(" ")))
        }
    }
}

impl Assembler {
    /// Assembles PTX; gives what the assembler says of registers and memory.
    pub fn assemble(&self, ptx: &str, chip: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (from, to) = (folder.path().join("kernels.ptx"), folder.path().join("kernels.cubin"));
        fs::write(&from, ptx).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.0);
        command.arg(format!("-arch={chip}")).arg("-v").arg(&from).arg("-o").arg(&to);
        let output = command.output().map_err(|error| format!("ptxas: {error}"))?;
        let report = [output.stdout, output.stderr].concat();
        let report = String::from_utf8_lossy(&report).into_owned();
        if output.status.success() { Ok(report) } else { Err(report) }
    }
}
