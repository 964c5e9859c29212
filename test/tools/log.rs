//! `--trace-out`: the file is JSON in the trace event format, in which each span ends, and has spans of all kinds.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test/models/mlp.linalg.mlir");

/// Runs a tool on the model and returns the events of its trace.
fn events(program: &str, arguments: &[&str], fails: bool) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let mut command = Command::new(program);
    command.arg(MODEL).args(arguments).arg("--trace-out").arg(&trace).current_dir(&folder);
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.success(), !fails, "{said}");
    assert_eq!(said.is_empty(), !fails, "a trace prints nothing: {said}");
    read(&trace)
}

fn read(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("there is a trace");
    serde_json::from_str(&text).expect("it is a list of events")
}

fn text<'e>(event: &'e Value, field: &str) -> &'e str {
    event[field].as_str().unwrap_or_default()
}

/// The first word of each span's title. Fails if spans of a thread are not properly nested, or go back in time.
fn kinds(events: &[Value]) -> BTreeSet<String> {
    let mut open: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    let mut times: BTreeMap<u64, f64> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for event in events.iter().filter(|event| text(event, "ph") != "M") {
        let thread = event["tid"].as_u64().expect("a thread");
        let time = event["ts"].as_f64().expect("a time");
        assert!(time >= times.insert(thread, time).unwrap_or(0.0), "{event}");
        let (open, name) = (open.entry(thread).or_default(), text(event, "name"));
        match text(event, "ph") {
            "B" => open.push(name),
            "E" => assert_eq!(open.pop(), Some(name), "{event}"),
            phase => assert_eq!(phase, "i", "{event}"),
        }
        if text(event, "ph") == "E" {
            kinds.extend(name.split(' ').next().map(str::to_owned));
        }
    }
    assert!(open.values().all(Vec::is_empty), "{open:?}");
    kinds
}

/// True if there is an event in a phase whose title starts like this.
fn has(events: &[Value], phase: &str, name: &str) -> bool {
    events.iter().any(|event| text(event, "ph") == phase && text(event, "name").starts_with(name))
}

#[test]
fn a_trace_of_lw_compile_has_spans_of_all_kinds() {
    let program = env!("CARGO_BIN_EXE_lw-compile");
    let events = events(program, &["-o", "kernels.o", "--cpu", "x86-64-v3", "--fp", "fast"], false);
    let kinds = kinds(&events);
    for kind in ["phase", "pass", "function", "strategy", "step", "proof", "codegen"] {
        assert!(kinds.contains(kind), "no {kind} in {kinds:?}");
    }
    for name in ["phase vector", "pass canonicalize", "pass form-fma", "codegen object"] {
        assert!(has(&events, "B", name), "no {name}");
    }
    assert!(has(&events, "i", "chosen") && has(&events, "i", "does not apply"));
    let proof = events.iter().find(|event| {
        text(event, "ph") == "E"
            && text(event, "name").starts_with("proof")
            && event["args"]["verdict"] == "proved"
    });
    let work = proof.map(|event| text(&event["args"], "work").parse::<u64>());
    assert!(matches!(work, Some(Ok(_))), "{proof:?}");
}

#[test]
fn a_trace_of_a_profile_has_a_span_for_each_run_of_a_kernel() {
    let arguments = ["--target", "x86", "--profile", "--time", "0.01", "--json"];
    let events = events(env!("CARGO_BIN_EXE_lw-run"), &arguments, false);
    assert!(kinds(&events).contains("kernel"));
    let begins = |event: &&Value| {
        text(event, "ph") == "B" && text(event, "name").starts_with("kernel main_")
    };
    // Two products with what follows them, and a softmax.
    assert_eq!(events.iter().filter(begins).count(), 3);
}

#[test]
fn a_trace_of_a_run_that_fails_is_complete() {
    let split = "--sched-split=loop=matmul:no factors=-1,4";
    let events = events(env!("CARGO_BIN_EXE_lw-opt"), &["--convert-linalg-to-loop", split], true);
    assert!(kinds(&events).contains("step"));
    assert!(has(&events, "i", "refused"));
}
