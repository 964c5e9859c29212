//! Builds the C++ part: TableGen output, the dialects, and the MLIR C API library that Debian does not ship.

#[path = "tools/git_log.rs"]
mod git_log;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// One run of mlir-tblgen: input, dialect, generator, and stem of the output.
const TABLEGEN: &[(&str, &str, &str, &str)] = &[
    ("loop/LoopOps.td", "loop", "dialect", "LoopDialect"),
    ("loop/LoopOps.td", "loop", "enum", "LoopEnums"),
    ("loop/LoopOps.td", "loop", "op", "LoopOps"),
    ("sched/SchedOps.td", "transform", "op", "SchedOps"),
    ("graph/GraphOps.td", "graph", "dialect", "GraphDialect"),
    ("graph/GraphOps.td", "graph", "enum", "GraphEnums"),
    ("graph/GraphOps.td", "graph", "op", "GraphOps"),
    ("tm_tensor/TmTensorOps.td", "tm_tensor", "dialect", "TmTensorDialect"),
    ("tm_tensor/TmTensorOps.td", "tm_tensor", "op", "TmTensorOps"),
];

const SOURCES: &[&str] = &[
    "loop/Loop.cpp",
    "loop/LoopAssembly.cpp",
    "graph/Graph.cpp",
    "tm_tensor/TmTensor.cpp",
    "capi/Sched.cpp",
];

/// These are compiled as one file: the headers of MLIR take most of the time of each.
const TOGETHER: &[&str] = &[
    "capi/Complex.cpp",
    "capi/Diagnostics.cpp",
    "capi/Instrument.cpp",
    "capi/Ir.cpp",
    "capi/Pass.cpp",
    "capi/Linalg.cpp",
    "capi/Presburger.cpp",
    "capi/Register.cpp",
    "capi/Target.cpp",
];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=dialects");
    println!("cargo:rerun-if-changed=tools/git_log.rs");
    git_log::set_git_log(Path::new("."));
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix =
        PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into()));
    assert!(
        prefix.join("bin/mlir-tblgen").exists(),
        "no MLIR 22 in {}: run utils/install-deps.sh, or set MLIR_SYS_220_PREFIX",
        prefix.display()
    );
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    if !is_for_clippy() {
        tablegen(&prefix, &out.join("include/loopwright"))?;
        install_headers(&out.join("include/loopwright"))?;
        compile(&prefix, &out)?;
    }
    link(&prefix.join("lib"), &out)
}

/// True if clippy runs, which links nothing. Cargo runs the build scripts of the workspace for clippy again, so the C++
/// would be compiled a second time.
fn is_for_clippy() -> bool {
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").map(PathBuf::from);
    wrapper.is_some_and(|wrapper| wrapper.file_stem().is_some_and(|it| it == "clippy-driver"))
}

fn tablegen(prefix: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for (td, dialect, kind, stem) in TABLEGEN {
        for (half, extension) in [("decls", "h"), ("defs", "cpp")] {
            let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
            command.arg(format!("-gen-{kind}-{half}"));
            if *kind == "dialect" {
                command.arg(format!("-dialect={dialect}"));
            }
            command.args([
                "-Idialects/loop",
                "-Idialects/graph",
                "-Idialects/sched",
                "-Idialects/capi",
            ]);
            command.arg(format!("-I{}", prefix.join("include").display()));
            command.arg(format!("dialects/{td}")).arg("-write-if-changed");
            command.arg("-o").arg(to.join(format!("{stem}.{extension}.inc")));
            assert!(command.status()?.success(), "mlir-tblgen failed: {command:?}");
        }
    }
    Ok(())
}

/// Copies the headers to the folder `loopwright` in that of the variable LOOPWRIGHT_GENERATED, from which CMake installs them.
fn install_headers(from: &Path) -> io::Result<()> {
    println!("cargo:rerun-if-env-changed=LOOPWRIGHT_GENERATED");
    let Some(to) = env::var_os("LOOPWRIGHT_GENERATED") else { return Ok(()) };
    let to = Path::new(&to).join("loopwright");
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(from)? {
        let header = entry?;
        fs::copy(header.path(), to.join(header.file_name()))?;
    }
    Ok(())
}

fn compile(prefix: &Path, out: &Path) -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let include =
        |file: &&str| format!("#include \"{}\"\n", root.join("dialects").join(file).display());
    let together = out.join("capi.cpp");
    fs::write(&together, TOGETHER.iter().map(include).collect::<String>())?;
    let mut build = cc::Build::new();
    // libMLIR.so identifies types by the __PRETTY_FUNCTION__ of its compiler. With a compiler other than clang
    // everything links, but traits are not recognized.
    build.compiler(prefix.join("bin/clang++"));
    build.cpp(true).std("c++17").include("dialects/capi").include(out.join("include"));
    build.flag("-isystem").flag(prefix.join("include"));
    // As in the distribution's build of LLVM: with assertions the headers need symbols that it lacks. Optimized in debug
    // builds, too: otherwise schedule steps take twice as long, most of it in the hashing of attributes.
    build.define("NDEBUG", None).opt_level(1).debug(false);
    build.flag("-fno-exceptions").flag("-fvisibility-inlines-hidden").warnings(false);
    // For the CMake build, which links no program of cargo with it.
    println!("cargo:rerun-if-env-changed=LOOPWRIGHT_SANITIZE");
    if let Ok(sanitizer) = env::var("LOOPWRIGHT_SANITIZE") {
        build.flag(format!("-fsanitize={sanitizer}")).flag("-fno-omit-frame-pointer");
    }
    build.files(SOURCES.iter().map(|file| Path::new("dialects").join(file))).file(together);
    build.compile("loopwright_cpp");
    Ok(())
}

/// mlir-sys links libMLIR-C. Debian has it only as static archives, which a linker script combines.
fn link(libraries: &Path, out: &Path) -> io::Result<()> {
    let entries = || Ok::<_, io::Error>(fs::read_dir(libraries)?.flatten().map(|e| e.path()));
    let starts = |path: &Path, with: &str| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(with))
    };
    if !libraries.join("libMLIR-C.so").exists() {
        let mut archives: Vec<String> = entries()?
            .filter(|path| {
                starts(path, "libMLIRCAPI") && path.extension().is_some_and(|e| e == "a")
            })
            .map(|path| path.display().to_string())
            .collect();
        archives.sort();
        fs::write(out.join("libMLIR-C.so"), format!("GROUP ( {} )\n", archives.join(" ")))?;
    }
    // `cargo run` and `cargo test` add OUT_DIR to the loader path, also for dependents.
    for path in entries()?.filter(|path| starts(path, "libMLIR.so.")) {
        let to = out.join(path.file_name().expect("a directory entry has a name"));
        if !to.exists() {
            std::os::unix::fs::symlink(path, to)?;
        }
    }
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", libraries.display());
    // An rpath is for the targets of this package only. Programs of dependents that are not started by cargo set their
    // own, from this variable of their build scripts: DEP_LOOPWRIGHT_LIBRARIES.
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", libraries.display());
    println!("cargo:libraries={}", libraries.display());
    Ok(())
}
