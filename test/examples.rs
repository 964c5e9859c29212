//! The programs in `examples/` print what they should. `cargo test` builds them; with `--test examples` alone,
//! `cargo build --examples` must have built them.

use loopwright_runtime::npy;
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::path::Path;
use std::process::{Command, Output};

/// Runs an example in the root of the repository.
fn example(name: &str, arguments: &[&str]) -> Output {
    let tools = Path::new(env!("CARGO_BIN_EXE_lw-opt")).parent().expect("tools are in a folder");
    let program = tools.join("examples").join(name);
    let output = Command::new(&program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    println!("{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What an example prints that must succeed.
fn printed(name: &str, arguments: &[&str]) -> String {
    let output = example(name, arguments);
    assert!(output.status.success(), "{name} {arguments:?} fails");
    String::from_utf8(output.stdout).expect("text")
}

/// What a tool or example reports that must fail.
fn refusal(name: &str, arguments: &[&str]) -> String {
    let output = example(name, arguments);
    assert_eq!(output.status.code(), Some(1), "{name} {arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn run_model_prints_the_results() {
    let inputs = ["examples/row_sum.mlir", "examples/row_sum.x.npy", "examples/row_sum.y.npy"];
    let expected = "main: result 0 of shape [2]: [2.3853, 5.0497]\n";
    assert_eq!(printed("run_model", &inputs), expected);
}

/// The inputs are those of the programs in C, C++ and Python, which print 11.1073 8.15485.
#[test]
fn run_model_prints_what_the_examples_in_other_languages_print() {
    let rows = [[0.0, 1.0, 2.0, 4.0, 5.0, 6.0], [0.0, 0.0, 0.0, 3.0, 4.0, 5.0]];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let files = ["run_model.x.npy", "run_model.y.npy"].map(|name| folder.join(name));
    for (file, values) in files.iter().zip(rows) {
        let tensor = Tensor::from_f64s(ElementType::F32, &[2, 3], &values).expect("six values");
        npy::write(file, &tensor).expect("the folder is there");
    }
    let [x, y] = files.map(|file| file.to_string_lossy().into_owned());
    let expected = "main: result 0 of shape [2]: [11.1073, 8.1548]\n";
    assert_eq!(printed("run_model", &["examples/row_sum.mlir", &x, &y]), expected);
}

#[test]
fn run_model_reports_errors() {
    let text = refusal("run_model", &[]);
    assert_eq!(text, "run_model: expected a model, and a file for each input\n");
    let text = refusal("run_model", &["examples/row_sum.schedule.mlir"]);
    assert!(text.starts_with("run_model: examples/row_sum.schedule.mlir:3:3: error: "), "{text}");
    let text = refusal("run_model", &["examples/row_sum.mlir"]);
    assert_eq!(text, "run_model: main: found 1 arguments, expected 3 (C1)\n");
}

#[test]
fn write_schedule_changes_the_nest_and_keeps_the_result() {
    let text = printed("write_schedule", &[]);
    let parts: Vec<&str> = text.split("\n\n").collect();
    let [before, refused, script, after, last] = parts[..] else { panic!("{text}") };
    assert!(before.contains("loop.for serial %k in 48 {"), "{before}");
    assert!(!before.contains("parallel") && !before.contains("vectorize"), "{before}");
    assert!(refused.starts_with("refused: iter \"vk\" of schedule block \"matmul\" is reduce"));
    assert!(script.contains("transform.sched.split \"matmul:i\" in %f factors [-1, 4]"));
    for line in ["loop.for parallel %i.0 in 16", "loop.for vectorize %j.1 in 32"] {
        assert!(after.contains(line), "{after}");
    }
    assert_eq!(last, "all 8192 elements equal those of the plain loop\n");
}

#[test]
fn embed_in_pipeline_runs_its_own_pass_between_ours() {
    let text = printed("embed_in_pipeline", &[]);
    let (exact, fast) = text.split_once("func.func @fast_one").expect("both functions");
    assert!(exact.contains("arith.mulf") && !exact.contains("math.fma"), "{exact}");
    assert!(fast.contains("loop.fp = \"fast\"") && fast.contains("math.fma"), "{fast}");
    // -2^-26, which is lost if the product is rounded first.
    assert!(text.ends_with("exact: 0e0\nfast_one: -1.4901161193847656e-8\n"), "{text}");
}
