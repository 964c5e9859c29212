//! NVIDIA's tools: `ptxas`, which assembles PTX, and `nvdisasm`, which disassembles the result. Each is found by an
//! environment variable, such as `LOOPWRIGHT_PTXAS`, on the `PATH`, or in a Python package that is fetched once into
//! cargo's target folder.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A tool, and where to find it.
struct Source {
    name: &'static str,
    variable: &'static str,
    package: &'static str,
    /// Its path in the package.
    place: &'static str,
    /// What is skipped without it.
    without: &'static str,
}

const PTXAS: Source = Source {
    name: "ptxas",
    variable: "LOOPWRIGHT_PTXAS",
    package: "nvidia-cuda-nvcc==13.0.88",
    place: "nvidia/cu13/bin/ptxas",
    without: "no PTX is assembled",
};

const NVDISASM: Source = Source {
    name: "nvdisasm",
    variable: "LOOPWRIGHT_NVDISASM",
    package: "nvidia-cuda-nvdisasm==13.5.37",
    place: "nvidia/cu13/bin/nvdisasm",
    without: "no instructions of GPUs are looked at",
};

pub struct Assembler(PathBuf);

/// The result of assembling.
pub struct Assembled {
    /// The assembler's report on registers and memory.
    pub report: String,
    pub cubin: Vec<u8>,
}

/// The assembler, which is looked up once. If there is none, a line is printed with the reason, even if all tests pass.
pub fn get() -> Option<&'static Assembler> {
    static FOUND: OnceLock<Option<Assembler>> = OnceLock::new();
    FOUND.get_or_init(|| PTXAS.look().map(Assembler)).as_ref()
}

/// The instructions of a cubin as text; `None` if there is no tool, and a line is printed with the reason.
pub fn instructions(cubin: &[u8]) -> Option<String> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let tool = FOUND.get_or_init(|| NVDISASM.look()).as_ref()?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kernels.cubin");
    fs::write(&path, cubin).expect("the folder is ours");
    let output = Command::new(tool).arg(&path).output().expect("a tool that runs");
    assert!(output.status.success(), "nvdisasm: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Source {
    /// The tool; if there is none, a line is printed with the reason.
    fn look(&self) -> Option<PathBuf> {
        let found = self.find();
        if let Err(why) = &found {
            tell(&format!("skipped: {}: {why}", self.without));
        }
        found.ok()
    }

    /// The tool, or the reason why there is none.
    fn find(&self) -> Result<PathBuf, String> {
        let Source { name, variable, package, place, .. } = self;
        if let Some(path) = env::var_os(variable) {
            return Ok(path.into());
        }
        if works(Path::new(name)) {
            return Ok(name.into());
        }
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let path = cache.join(place);
        if !works(&path) {
            fetch(package, &cache, &path)?;
        }
        match works(&path) {
            true => Ok(path),
            false => Err(format!("the package {package} has no {name} that runs here")),
        }
    }
}

/// Writes a line that the test harness does not capture.
fn tell(line: &str) {
    let mut out = std::io::stderr();
    // The terminal may be closed.
    let _ = writeln!(out, "{line}");
}

fn works(path: &Path) -> bool {
    Command::new(path).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn fetch(package: &str, cache: &Path, path: &Path) -> Result<(), String> {
    let fail = |what: &str, why: &dyn std::fmt::Display| format!("{what}: {why}");
    fs::create_dir_all(cache).map_err(|error| fail("the cache", &error))?;
    let folder = cache.to_string_lossy();
    run("python3", &["-m", "pip", "download", "--no-deps", "-q", package, "-d", &folder])?;
    let files = fs::read_dir(cache).map_err(|error| fail("the cache", &error))?;
    let files = files.filter_map(|file| file.ok().map(|file| file.path()));
    let wheel = files.into_iter().find(|file| file.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| format!("{package} came without a wheel"))?;
    run("python3", &["-m", "zipfile", "-e", &wheel.to_string_lossy(), &folder])?;
    // The archive does not set the executable bit.
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
    /// Assembles PTX.
    ///
    /// # Errors
    /// The messages of the assembler.
    pub fn assemble(&self, ptx: &str, chip: &str) -> Result<Assembled, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (from, to) = (folder.path().join("kernels.ptx"), folder.path().join("kernels.cubin"));
        fs::write(&from, ptx).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.0);
        command.arg(format!("-arch={chip}")).arg("-v").arg(&from).arg("-o").arg(&to);
        let output = command.output().map_err(|error| format!("ptxas: {error}"))?;
        let report = [output.stdout, output.stderr].concat();
        let report = String::from_utf8_lossy(&report).into_owned();
        if !output.status.success() {
            return Err(report);
        }
        let cubin = fs::read(&to).map_err(|error| error.to_string())?;
        Ok(Assembled { report, cubin })
    }
}
