//! Invalid input to `lw-run`: exit code 1, and one line that states what was found and what was expected. Notes
//! may follow it.

use loopwright_runtime::npy;
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const ADD: &str = "func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = graph.add %x, %y : tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}
func.func private @other(tensor<2xf32>) -> tensor<2xf32>";

const SPLIT_OF_NO_LOOP: &str = "module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.split \"add:k\" in %f factors [-1, 4]
    transform.yield
  }
}";

const SPLIT_OF_NO_LOOP_AS_JSON: &str = "{\"version\": 1, \"function\": \"main\", \"steps\": [
  {\"primitive\": \"split\", \"loop\": \"add:k\", \"factors\": [-1, 4]}
]}";

/// The sizes of the result are those of `x`.
const ADD_DYNAMIC: &str = "func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %z = linalg.add ins(%x, %y : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}";

/// Loops that use a part of a domain, and a predicate that keeps an access in its buffer.
const PART_OF_A_DOMAIN: &str = "func.func @main(%A: memref<2x3xf32>, %B: memref<2x4xf32>) {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block \"B\" [%v: spatial 8, %w: spatial 4] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<2x3xf32>
        memref.store %a, %B[%v, %w] : memref<2x4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block \"C\" [%v: spatial 2, %w: spatial 4] = (%i, %j) where(-%j + 2 >= 0)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<2x3xf32>
        memref.store %a, %B[%v, %w] : memref<2x4xf32>
      }
    }
  }
  return
}";

/// A folder with a model, and valid and invalid files.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("a file in it");
    };
    write("add.mlir", ADD);
    let tensor = |name: &str, ty: ElementType, shape: &[usize]| {
        let tensor = Tensor::zeros(ty, shape).expect("small");
        npy::write(folder.path().join(name), &tensor).expect("a file in it");
    };
    tensor("x.npy", ElementType::F32, &[2, 3]);
    tensor("y.npy", ElementType::F32, &[2, 3]);
    tensor("wide.npy", ElementType::F64, &[2, 3]);
    tensor("turned.npy", ElementType::F32, &[3, 2]);
    tensor("flat.npy", ElementType::F32, &[6]);
    let mut ones = Tensor::zeros(ElementType::F32, &[2, 3]).expect("small");
    ones.set_f64(4, 1.0);
    npy::write(folder.path().join("ones.npy"), &ones).expect("a file in it");
    let mut half = Tensor::zeros(ElementType::F32, &[1]).expect("small");
    half.set_f64(0, 0.1);
    npy::write(folder.path().join("tenth.npy"), &half).expect("a file in it");
    let bytes = fs::read(folder.path().join("x.npy")).expect("written above");
    fs::write(folder.path().join("short.npy"), &bytes[..bytes.len() - 3]).expect("a file in it");
    fs::write(folder.path().join("long.npy"), [&bytes[..], b"x"].concat()).expect("a file in it");
    write("text.npy", "hello");
    write("empty.mlir", "");
    write("garbage.mlir", "\u{0}\u{1}what is this");
    folder
}

/// Runs `lw-run` with arguments in a folder; returns exit code, standard output and standard error.
fn lw_run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lw-run"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("lw-run starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Expects exit code 1 and one line that contains all of `parts`; only notes may follow it.
fn refuses(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let (code, stdout, stderr) = lw_run(folder, arguments);
    assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
    let (error, notes) = stderr.trim_end().split_once('\n').unwrap_or((stderr.trim_end(), ""));
    let is_note = |line: &str| line.contains(": note: ");
    assert!(notes.lines().all(is_note), "{arguments:?}: {stderr}");
    assert_eq!(stdout, "", "{arguments:?}");
    for part in parts {
        assert!(error.contains(part), "{arguments:?}: no '{part}' in: {stderr}");
    }
}

#[test]
fn options() {
    let folder = folder();
    for (arguments, parts) in [
        (&[][..], &["required arguments were not provided"][..]),
        (&["add.mlir", "--frobnicate"], &["unexpected argument '--frobnicate'"]),
        (&["add.mlir", "--device", "abacus"], &["'abacus'", "interpreter"]),
        (&["add.mlir", "--rtol", "-1"], &["unexpected argument '-1'"]),
        (&["add.mlir", "--rtol=-1"], &["'-1' for '--rtol", "0 or more"]),
        (&["add.mlir", "--atol", "nan"], &["'nan' for '--atol", "0 or more"]),
        (&["add.mlir", "--compile-to", "moon"], &["'moon'", "expected one of input, linalg, loop"]),
        (&["add.mlir", "--execute", "moon"], &["'moon'", "expected one of input, linalg, loop"]),
        (&["add.mlir", "--compile-to", "loop", "--input", "x.npy"], &["cannot be used with"]),
        (
            &["add.mlir", "--compile-to", "loop", "--entry", "lost"],
            &["add.mlir: error: has no function 'lost', it has main, other"],
        ),
        (
            &["add.mlir", "--compile-to", "loop", "--entry", "other"],
            &["add.mlir:5:1: error: function 'other' has no body"],
        ),
        (
            &["l.mlir", "--compile-from", "llvm", "--compile-to", "llvm-ir", "--entry", "main"],
            &["--entry names a func.func, which a module of phase llvm does not have"],
        ),
        (
            &["add.mlir", "--target", "x86", "--print-schedule", "--entry", "lost"],
            &["add.mlir: error: has no function 'lost', it has main, other"],
        ),
        (&["add.mlir", "--seed=-4"], &["--seed"]),
        (&["add.mlir", "more.mlir"], &["unexpected argument 'more.mlir'"]),
        (&["add.mlir", "--target", "arm"], &["'arm' for '--target", "x86"]),
        (&["add.mlir", "--threads", "0"], &["'0' for '--threads"]),
        (&["add.mlir", "--threads", "2"], &["--threads is for the cpu"]),
        (
            &["add.mlir", "--time", "1"],
            &["--time measures compiled code: give --target x86 --device cpu"],
        ),
        (&["add.mlir", "--profile"], &["--profile is for kernels that run: give --target x86"]),
        (
            &["add.mlir", "--profile", "--target", "x86", "--compile-to", "loop"],
            &["--profile marks kernels in phase schedule, which is not among the requested phases"],
        ),
        (
            &["add.mlir", "--profile", "--target", "x86", "--compile-from", "vector"],
            &["--profile marks kernels in phase schedule, which is not among the requested phases"],
        ),
        (
            &["add.mlir", "--profile", "--target", "x86", "--verify-each", "numeric"],
            &["--profile marks kernels by calls, which --verify-each cannot interpret"],
        ),
        (&["add.mlir", "--profile", "--target", "x86", "--cache", "."], &["cannot be used with"]),
        (
            &["add.mlir", "--target", "x86", "--dump-graph", "graph.png"],
            &["--dump-graph graph.png: expected a name that ends in .svg, .dot or .html"],
        ),
        (
            &["add.mlir", "--dump-graph", "graph.svg"],
            &["--dump-graph shows the kernels of phase schedule", "give --target x86"],
        ),
        (
            &["add.mlir", "--target", "x86", "--dump-graph", "add.mlir"],
            &["--dump-graph", "add.mlir"],
        ),
        (
            &["add.mlir", "--profile", "--target", "sm_80", "--device", "interpreter"],
            &["--profile is for kernels that run: give --device emulator"],
        ),
        (
            &["add.mlir", "--profile", "--target", "sm_80", "--compile-to", "ptx"],
            &["--profile is for kernels that run: leave --compile-to out"],
        ),
        (
            &["add.mlir", "--target", "x86", "--compile-to", "ptx"],
            &["phases gpu and ptx are on the path to GPUs: give --target sm_80"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--device", "emulator", "--max-iterations", "5"],
            &["--max-iterations is for the interpreter: give --device interpreter"],
        ),
        (
            &["add.mlir", "--input", "random:x"],
            &["'random:x' for '--input", "expected a whole number that is 0 or more"],
        ),
        (
            &["add.mlir", "--cache", "c", "--cache-limit", "0.5"],
            &["'0.5' for '--cache-limit", "expected a whole number of MiB"],
        ),
        (
            &["add.mlir", "--cache-limit", "5"],
            &["--cache-limit is for machine code: give --target x86 --device cpu"],
        ),
        (
            &["add.mlir", "--target", "x86", "--dump-strategy", "--cache-limit", "5"],
            &["cannot be used with"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--no-cache"],
            &["--no-cache is for machine code: give --target x86 --device cpu"],
        ),
        (
            &["add.mlir", "--target", "x86", "--no-cache", "--cache", "c"],
            &["'--no-cache' cannot be used with '--cache"],
        ),
        (
            &["add.mlir", "--target", "x86", "--no-cache", "--cache-limit", "5"],
            &["'--no-cache' cannot be used with '--cache-limit"],
        ),
        (&["add.mlir", "--time", "0"], &["'0' for '--time", "more than 0"]),
        (&["add.mlir", "--time=-1"], &["'-1' for '--time", "more than 0"]),
        (&["add.mlir", "--time", "nan"], &["'nan' for '--time", "more than 0"]),
        (&["add.mlir", "--fp", "sloppy"], &["'sloppy' for '--fp", "strict, reassoc, fast"]),
        (
            &["add.mlir", "--fp", "fast"],
            &["--fp has an effect on schedules, and from phase vector on"],
        ),
        (
            &["add.mlir", "--require-vector"],
            &["has an effect from phase vector on: give --target x86"],
        ),
        (
            &["add.mlir", "--target", "x86", "--execute", "loop"],
            &["--execute chooses what the interpreter runs, and the device is cpu"],
        ),
        (
            &["add.mlir", "--device", "cuda:x"],
            &["'cuda:x'", "expected interpreter, cpu, cuda:N or"],
        ),
        (&["add.mlir", "--device", "cuda:-1"], &["'cuda:-1'", "expected interpreter, cpu, cuda:N"]),
        (&["add.mlir", "--target", "sm_30"], &["'sm_30'", "expected x86, or one of sm_80, sm_86"]),
        (
            &["add.mlir", "--device", "emulator"],
            &["--device emulator runs code for GPUs: give --target sm_80"],
        ),
        (
            &["add.mlir", "--target", "x86", "--device", "cuda"],
            &["--device cuda:0 runs code for GPUs: give --target sm_80"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--device", "cpu"],
            &["--device cpu runs code for processors: give --target x86, or --device emulator"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--device", "emulator", "--execute", "gpu"],
            &["--execute chooses what the interpreter runs, and the device is emulator"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--device", "emulator", "--threads", "2"],
            &["--threads is for the cpu"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--compile-to", "assembly"],
            &["are on the path to x86: give --target x86"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--cpu", "znver4", "--compile-to", "gpu"],
            &["--cpu is for --target x86"],
        ),
        (
            &["add.mlir", "--target", "sm_80", "--machine", "m.json", "--compile-to", "gpu"],
            &["--machine is for --target x86"],
        ),
        (&["--machine", "add.mlir"], &["the model is missing: give --machine FILE MODEL"]),
        (&["add.mlir", "--machine"], &["--machine has no file: expected the description"]),
        (&["--machine", "--target", "x86"], &["--machine without a file prints", "no other"]),
        (
            &["add.mlir", "--target", "x86", "--machine", "add.mlir"],
            &["--machine: add.mlir: is no description of a machine", "at line 1 column"],
        ),
        (
            &["add.mlir", "--machine", "m.json", "--cpu", "znver4"],
            &["'--machine [<FILE>]' cannot be used with '--cpu <CPU>'"],
        ),
        (&["add.mlir", "--execute", "llvm"], &["'llvm'", "expected one of input, linalg, loop"]),
    ] {
        refuses(folder.path(), arguments, parts);
    }
}

#[test]
fn schedules() {
    let folder = folder();
    let script = |text: &str| fs::write(folder.path().join("s.mlir"), text).expect("a file");
    let scheduled = ["add.mlir", "--schedule", "s.mlir"];
    refuses(folder.path(), &scheduled, &["s.mlir: error: cannot be read: No such file"]);
    let is_folder = ".: error: is a folder, expected the file of a module";
    refuses(folder.path(), &["."], &[is_folder]);
    refuses(folder.path(), &["add.mlir", "--schedule", "."], &[is_folder]);
    script("func.func @f(");
    refuses(folder.path(), &scheduled, &["s.mlir:1:13: error: "]);
    script("");
    refuses(
        folder.path(),
        &[&scheduled[..], &["--execute", "linalg"]].concat(),
        &["--schedule applies in phase schedule"],
    );
    for (text, part) in [
        ("module {}", "s.mlir:1:1: error: 'builtin.module' op has no 'transform.named_sequence"),
        (SPLIT_OF_NO_LOOP, "add.mlir:2:8: error: "),
        (
            SPLIT_OF_NO_LOOP,
            "there is no loop \"k\" around schedule block \"add\", there are \"i\", \"j\"",
        ),
    ] {
        script(text);
        for target in [&[][..], &["--target", "x86"]] {
            let inputs = ["--input", "x.npy", "--input", "y.npy"];
            refuses(folder.path(), &[&scheduled[..], target, &inputs].concat(), &[part]);
        }
    }
}

#[test]
fn traces() {
    let folder = folder();
    let trace = |text: &str| fs::write(folder.path().join("t.json"), text).expect("a file");
    let scheduled = ["add.mlir", "--schedule", "t.json"];
    refuses(folder.path(), &scheduled, &["t.json: error: cannot be read: No such file"]);
    for (text, part) in [
        ("", "t.json:1:0: error: is not JSON: EOF while parsing a value"),
        ("{\"version\": 2}", "t.json:1:13: error: is of version 2, this package reads version 1"),
        (
            "{\"version\": 1, \"function\": \"f\", \"steps\": []}",
            "add.mlir:0:0: error: 'builtin.module' op has no function @f",
        ),
        (SPLIT_OF_NO_LOOP_AS_JSON, "add.mlir:2:8: error: "),
        (
            SPLIT_OF_NO_LOOP_AS_JSON,
            "there is no loop \"k\" around schedule block \"add\", there are \"i\", \"j\"",
        ),
    ] {
        trace(text);
        let inputs = ["--input", "x.npy", "--input", "y.npy"];
        refuses(folder.path(), &[&scheduled[..], &inputs].concat(), &[part]);
    }
    trace(&SPLIT_OF_NO_LOOP_AS_JSON.replace("add:k", "add:i"));
    let compiled = [&scheduled[..], &["--compile-to", "schedule"]].concat();
    let (code, stdout, stderr) = lw_run(folder.path(), &compiled);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.contains("%i.0 in 1") && stdout.contains("%i.1 in 4"), "{stdout}");
}

#[test]
fn files() {
    let folder = folder();
    let good = ["add.mlir", "--input", "x.npy"];
    for (second, part) in [
        ("none.npy", "none.npy: cannot be read: No such file"),
        ("text.npy", "text.npy: is not a .npy file"),
        ("short.npy", "short.npy: has 21 bytes of data, expected 24"),
        ("long.npy", "long.npy: has 25 bytes of data, expected 24"),
        ("wide.npy", "wide.npy: has elements of type f64, expected f32"),
        ("turned.npy", "turned.npy: input 1 has the shape [3, 2], expected tensor<2x3xf32>"),
        ("flat.npy", "flat.npy: input 1 has the shape [6], expected tensor<2x3xf32>"),
        (".", "cannot be read: is a directory"),
    ] {
        refuses(folder.path(), &[&good[..], &["--input", second]].concat(), &[part]);
    }
    let both = ["add.mlir", "--input", "x.npy", "--input", "y.npy"];
    for (more, part) in [
        (["--check", "none.npy"], "none.npy: cannot be read"),
        (["--check", "wide.npy"], "wide.npy: has elements of type f64, expected f32"),
        (["--check", "turned.npy"], "the reference has the shape [3, 2], the result [2, 3]"),
        (["--output", "no/such/place.npy"], "no/such/place.npy: cannot be written"),
        (["--output", "/"], "cannot be written"),
    ] {
        refuses(folder.path(), &[&both[..], &more].concat(), &[part]);
    }
}

#[test]
fn counts() {
    let folder = folder();
    let types = "(tensor<2x3xf32>, tensor<2x3xf32>)";
    let x = ["--input", "x.npy"];
    refuses(
        folder.path(),
        &["add.mlir"],
        &["needs 2 inputs", types, "found 0 --input: give files, or --input random, ones or iota"],
    );
    let one = [&["add.mlir"][..], &x].concat();
    refuses(folder.path(), &one, &["needs 2 inputs", types, "found 1 --input"]);
    let three = [&["add.mlir"][..], &x, &x, &x].concat();
    refuses(folder.path(), &three, &["needs 2 inputs", types, "found 3 --input"]);
    let two = [&["add.mlir"][..], &x, &x].concat();
    let checks = [&two[..], &["--check", "x.npy", "--check", "x.npy"]].concat();
    refuses(folder.path(), &checks, &["has 1 results, found 2 --check"]);
    let outputs = [&two[..], &["--output", "a.npy", "--output", "b.npy"]].concat();
    refuses(folder.path(), &outputs, &["has 1 results, found 2 --output"]);
    assert!(!folder.path().join("a.npy").exists(), "nothing is written on an error");
}

#[test]
fn modules() {
    let folder = folder();
    let model = |text: &str| fs::write(folder.path().join("m.mlir"), text).expect("a file");
    for (text, part) in [
        ("func.func @f(", "m.mlir:1:13: error: "),
        ("func.func @main() { %x = what.is.this }", "m.mlir:1:"),
        (
            "func.func @main() {\n  return %x : i32\n}",
            "m.mlir:2:10: error: use of undeclared SSA value",
        ),
        (
            "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n  return %x : tensor<2xf32>\n}",
            "m.mlir:2:3: error: ",
        ),
        ("func.func @f() { return }", "m.mlir: error: has no function 'main', it has f"),
        ("", "m.mlir: error: has no function 'main', it has none"),
        ("func.func private @main()", "m.mlir:1:1: error: function 'main' has no body"),
        (
            "func.func @main(%x: tensor<2xi128>) { return }",
            "argument 0 has the type tensor<2xi128>",
        ),
        ("func.func @main(%x: tensor<*xf32>) { return }", "argument 0 has the type tensor<*xf32>"),
        (
            "func.func @main(%x: memref<2xcomplex<i8>>) { return }",
            "argument 0 has the type memref<2xcomplex<i8>>",
        ),
        ("func.func @main(%x: complex<f16>) { return }", "argument 0 has the type complex<f16>"),
        (
            "func.func @main(%x: memref<2xf32, strided<[2]>>) { return }",
            "argument 0 has the type memref",
        ),
        (
            "func.func @main() -> vector<2xf32> {\n  %v = arith.constant dense<0.0> : vector<2xf32>\n  \
          return %v : vector<2xf32>\n}",
            "result 0 has the type vector<2xf32>",
        ),
        (
            "func.func @main() -> tensor<2xf32> {\n  %e = tensor.empty() : tensor<2xf32>\n  \
          return %e : tensor<2xf32>\n}",
            "result 0 is undefined at index [0]",
        ),
        (
            "func.func @main() -> tensor<1xi64> {\n  %c = arith.constant dense<1> : tensor<1xi64>\n  \
          %i = arith.constant 0 : index\n  %s = tensor.dim %c, %i : tensor<1xi64>\n  \
          cf.br ^end\n^end:\n  return %c : tensor<1xi64>\n}",
            "m.mlir:1:1: error: ",
        ),
    ] {
        model(text);
        refuses(folder.path(), &["m.mlir"], &[part]);
    }
    refuses(folder.path(), &["none.mlir"], &["none.mlir: error: cannot be read: No such file"]);
    refuses(folder.path(), &["garbage.mlir"], &["garbage.mlir:1:2: error: "]);
    refuses(folder.path(), &["empty.mlir"], &["has no function 'main', it has none"]);
    refuses(folder.path(), &["."], &["error: "]);
    refuses(
        folder.path(),
        &["add.mlir", "--entry", "mian"],
        &["has no function 'mian', it has main, other"],
    );
    refuses(folder.path(), &["add.mlir", "--entry", "other"], &["function 'other' has no body"]);
}

/// A closed output is no error; a full device is one.
#[test]
fn output_that_nobody_reads() {
    let folder = folder();
    let run = |arguments: &str| {
        let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_lw-run"));
        let mut shell = Command::new("bash");
        shell.args(["-o", "pipefail", "-c", &command]);
        let output = shell.current_dir(folder.path()).output().expect("bash starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("--help | true"), (Some(0), String::new()));
    assert_eq!(run("missing.mlir 2> /dev/full"), (Some(1), String::new()));
    let (code, stderr) = run("--help > /dev/full");
    assert_eq!(code, Some(1));
    assert!(stderr.starts_with("lw-run: error: cannot write to stdout: "), "{stderr}");
}

#[test]
fn a_failed_check_is_reported_with_its_figure() {
    let folder = folder();
    let arguments = ["add.mlir", "--input", "x.npy", "--input", "y.npy", "--check", "ones.npy"];
    let (code, stdout, stderr) = lw_run(folder.path(), &arguments);
    assert_eq!((code, stderr.as_str()), (Some(1), ""));
    assert!(
        stdout.contains("max error 1.000e0 (bound 2.000e-4): FAILED, worst at [1, 1]"),
        "{stdout}"
    );
    let json = [&arguments[..], &["--json"]].concat();
    let (code, stdout, _) = lw_run(folder.path(), &json);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(code, Some(1));
    assert_eq!(report["device"], "interpreter");
    assert_eq!(report["outputs"][0]["check"]["passed"], false);
    assert_eq!(report["outputs"][0]["check"]["max_abs_error"], 1.0);
}

/// Unsigned integers are inputs and references of integers of the same width, and of nothing else.
#[test]
fn unsigned_files() {
    let folder = folder();
    let file = |name: &str, values: &[i64]| {
        let path = folder.path().join(name);
        let tensor = Tensor::from_i64s(ElementType::I8, &[2], values).expect("small");
        npy::write(&path, &tensor).expect("a file in it");
        let bytes = fs::read(&path).expect("written above");
        // The type is at a fixed place, because it is the first entry of the header.
        let at = bytes.windows(3).position(|part| part == b"|i1").expect("the type");
        fs::write(&path, [&bytes[..at], b"|u1", &bytes[at + 3..]].concat()).expect("a file in it");
    };
    file("a.npy", &[200, 255]);
    file("b.npy", &[200, 1]);
    let model = |ty: &str| {
        let text = format!(
            "func.func @main(%x: tensor<2x{ty}>) -> tensor<2x{ty}> {{ return %x : tensor<2x{ty}> }}"
        );
        fs::write(folder.path().join("m.mlir"), text).expect("a file");
    };
    model("i8");
    for device in [&[][..], &["--target", "x86"], &["--target", "sm_80", "--device", "emulator"]] {
        let run = |check| {
            let inputs = ["m.mlir", "--input", "a.npy", "--check", check];
            lw_run(folder.path(), &[&inputs[..], device].concat())
        };
        let (code, stdout, stderr) = run("a.npy");
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("max error 0 (bound 0): passed"), "{stdout}");
        // As signed integers, -1 and 1 would differ by 2.
        let (code, stdout, stderr) = run("b.npy");
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stdout.contains("max error 254 (bound 0): FAILED, worst at [1]"), "{stdout}");
    }
    for (ty, name) in [("i16", "i16"), ("i32", "i32"), ("i1", "bool"), ("f32", "f32")] {
        model(ty);
        let message = format!("a.npy: has elements of type u8, expected {name}");
        refuses(folder.path(), &["m.mlir", "--input", "a.npy"], &[&message]);
    }
}

#[test]
fn bf16_inputs_must_be_exact() {
    let folder = folder();
    let text =
        "func.func @main(%x: tensor<1xbf16>) -> tensor<1xbf16> { return %x : tensor<1xbf16> }";
    fs::write(folder.path().join("m.mlir"), text).expect("a file");
    refuses(
        folder.path(),
        &["m.mlir", "--input", "tenth.npy"],
        &["tenth.npy: the value 0.10000000149011612 at [0] is not exact in bf16"],
    );
}

#[test]
fn machine_code_stays_within_its_buffers() {
    let folder = folder();
    fs::write(folder.path().join("m.mlir"), ADD_DYNAMIC).expect("a file");
    let one_row = Tensor::zeros(ElementType::F32, &[1, 3]).expect("small");
    npy::write(folder.path().join("row.npy"), &one_row).expect("a file");
    let inputs = ["m.mlir", "--target", "x86", "--input", "x.npy", "--input"];
    let message = "m.mlir:1:1: error: is called with sizes that do not fit: dimension 0 of argument 1 is 1, \
                   expected 2, dimension 0 of argument 0";
    refuses(folder.path(), &[&inputs[..], &["row.npy"]].concat(), &[message]);
    let (code, _, stderr) = lw_run(folder.path(), &[&inputs[..], &["y.npy"]].concat());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn only_accesses_that_happen_are_judged() {
    let folder = folder();
    fs::write(folder.path().join("m.mlir"), PART_OF_A_DOMAIN).expect("a file");
    let arguments = ["m.mlir", "--target", "x86", "--input", "x.npy"];
    let (code, _, stderr) = lw_run(folder.path(), &arguments);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_timed_run_says_how_long_a_call_took() {
    let folder = folder();
    fs::write(folder.path().join("m.mlir"), ADD_DYNAMIC).expect("a file");
    let inputs = ["m.mlir", "--target", "x86", "--input", "x.npy", "--input", "y.npy"];
    let timed = [&inputs[..], &["--time", "0.01", "--threads", "2"]].concat();
    let (code, stdout, stderr) = lw_run(folder.path(), &[&timed[..], &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&report["device"], &report["phase"]), (&"cpu".into(), &"llvm".into()));
    let measurement = report["measurement"].as_object().expect("a measurement");
    let mut fields: Vec<&str> = measurement.keys().map(String::as_str).collect();
    fields.sort_unstable();
    let expected = [
        "calls_per_sample",
        "gflops",
        "gigabytes_per_second",
        "median_ms",
        "min_ms",
        "p10_ms",
        "p90_ms",
        "samples",
        "threads",
    ];
    assert_eq!(fields, expected);
    assert!(measurement.values().all(|value| value.as_f64().is_some_and(|value| value > 0.0)));
    assert_eq!(measurement["threads"], 2);
    let (_, stdout, _) = lw_run(folder.path(), &timed);
    assert!(stdout.contains(" a call (median of") && stdout.contains("GFLOP/s"), "{stdout}");
    let (_, stdout, _) = lw_run(folder.path(), &[&inputs[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert!(report.get("measurement").is_none(), "{stdout}");
}
