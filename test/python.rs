//! The Python package: runs each `test/python/*.py` with the module that cargo has built for this test, without maturin or pip.
//!
//! The interpreter is that of the variable LOOPWRIGHT_PYTHON, else the first of `python3` and `/usr/bin/python3` that has NumPy.
//! The package is a folder of links to the files of `crates/loopwright-python/python`, and to the module.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("test/python");
    let entries = fs::read_dir(&folder).expect("the folder is in the repository").flatten();
    let is_test = |path: &PathBuf| path.extension().is_some_and(|it| it == "py");
    let mut files: Vec<PathBuf> = entries.map(|it| it.path()).filter(is_test).collect();
    files.sort();
    let package = package(root);
    let python = python();
    let runner = Arc::new((package.map_err(|error| error.to_string()), python));
    let trial = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let runner = runner.clone();
        Trial::test(name, move || run(&runner.0, runner.1.as_deref(), &file))
    };
    libtest_mimic::run(&arguments, files.into_iter().map(trial).collect()).exit_code()
}

/// Runs the tests of a file.
fn run(package: &Result<PathBuf, String>, python: Option<&str>, file: &Path) -> Result<(), Failed> {
    let package = package.as_ref().map_err(|error| format!("no package: {error}"))?;
    let python =
        python.ok_or("no python3 has NumPy: utils/install-deps.sh installs python3-numpy")?;
    let output = Command::new(python)
        .args(["-W", "error"])
        .arg(file)
        .arg("-q")
        .env("PYTHONPATH", package)
        // The files are links to the repository.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| format!("{python}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let texts = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    Err(format!("{python} {}: {}\n{}", file.display(), output.status, texts.concat()).into())
}

/// An interpreter with NumPy.
fn python() -> Option<String> {
    let has_numpy = |python: &String| {
        let found = Command::new(python).args(["-c", "import numpy"]).output();
        found.is_ok_and(|it| it.status.success())
    };
    match env::var("LOOPWRIGHT_PYTHON") {
        Ok(python) => Some(python),
        Err(_) => ["python3", "/usr/bin/python3"].map(str::to_owned).into_iter().find(has_numpy),
    }
}

/// Makes the folder with the package, and returns it.
fn package(root: &Path) -> io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let package = folder.join("loopwright");
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(root.join("crates/loopwright-python/python/loopwright"))? {
        let from = entry?;
        if from.file_type()?.is_file() {
            std::os::unix::fs::symlink(from.path(), package.join(from.file_name()))?;
        }
    }
    std::os::unix::fs::symlink(module()?, package.join("_native.abi3.so"))?;
    Ok(folder)
}

/// The module that cargo has built for this test: the newest one.
fn module() -> io::Result<PathBuf> {
    let tools = Path::new(env!("CARGO_BIN_EXE_lw-opt")).parent().expect("it stands in a folder");
    let files = fs::read_dir(tools.join("deps"))?.flatten().map(|it| it.path());
    let modules = files.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libloopwright_python") && name.ends_with(".so")
    });
    let modified = |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
    modules
        .max_by_key(modified)
        .ok_or_else(|| io::Error::other("cargo has not made libloopwright_python.so"))
}
