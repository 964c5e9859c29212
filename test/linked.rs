//! Programs of other projects that link Loopwright: the CMake package is built of the archive that cargo has made, installed,
//! and found by the project in `test/linked`, whose tests run. One of its programs runs under valgrind, too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Runs a command; a failure shows what it has printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(output.status.success(), "{command:?}\n{}{}", text[0], text[1]);
    text.concat()
}

/// The archive that cargo has made for this test: the newest one.
fn archive() -> PathBuf {
    let tools = Path::new(env!("CARGO_BIN_EXE_lw-opt")).parent().expect("it stands in a folder");
    let files = fs::read_dir(tools.join("deps")).expect("cargo has made it").flatten();
    let archives = files.map(|it| it.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libloopwright_capi") && name.ends_with(".a")
    });
    let modified = |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
    archives.max_by_key(modified).expect("cargo has made the archive")
}

#[test]
fn the_installed_package_serves_other_projects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked");
    let llvm = env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let [package, installed, project] =
        ["package", "installed", "project"].map(|name| scratch.join(name));
    // Nothing of an earlier run is found.
    for folder in [&installed, &project] {
        if folder.exists() {
            fs::remove_dir_all(folder).expect("it is of this test");
        }
    }
    let configure = |from: &Path, to: &Path| {
        let mut command = Command::new("cmake");
        command.arg("-S").arg(from).arg("-B").arg(to).arg("-G").arg("Ninja");
        command.arg(format!("-DCMAKE_C_COMPILER={llvm}/bin/clang"));
        command.arg(format!("-DCMAKE_CXX_COMPILER={llvm}/bin/clang++"));
        command
    };
    let build = |folder: &Path| run(Command::new("cmake").arg("--build").arg(folder));
    run(configure(root, &package)
        .arg(format!("-DCMAKE_PREFIX_PATH={llvm}"))
        .arg(format!("-DLOOPWRIGHT_ARCHIVE={}", archive().display()))
        .arg(format!("-DLOOPWRIGHT_GENERATED={}/include", env!("OUT_DIR"))));
    build(&package);
    run(Command::new("cmake").arg("--install").arg(&package).arg("--prefix").arg(&installed));
    run(configure(&root.join("test/linked"), &project)
        .arg(format!("-DCMAKE_PREFIX_PATH={};{llvm}", installed.display())));
    build(&project);
    // The example leaks nothing, and reads no undefined memory. The last options save two thirds of the time.
    let check_memory = || {
        run(Command::new("valgrind")
            .args(["-q", "--error-exitcode=9", "--leak-check=full"])
            .args(["--errors-for-leak-kinds=definite", "--show-leak-kinds=definite"])
            .args([
                "--num-callers=10",
                "--read-inline-info=no",
                "--expensive-definedness-checks=no",
            ])
            .arg(format!("--suppressions={}", root.join("utils/memcheck.supp").display()))
            .arg(project.join("compile_and_run"))
            .arg(root.join("examples/row_sum.mlir")))
    };
    let printed = std::thread::scope(|scope| {
        let printed = scope.spawn(check_memory);
        run(Command::new("ctest").arg("--test-dir").arg(&project).arg("--output-on-failure"));
        printed.join()
    });
    let printed = printed.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    assert!(printed.contains("11.1073 8.15485"), "{printed}");
}
