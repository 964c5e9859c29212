//! The pass registry: options of every kind parse, print and parse again, errors and
//! panics are diagnostics, nested pipelines run.

use loopwright::ir::{Error, Op, receive_errors};
use loopwright::pass::{DialectName, Form, OptionKind, PassOption, PassRow, PassRun};
use loopwright::pipeline;
use loopwright_testing::register;
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Mutex, Once};

const fn option(name: &'static str, kind: OptionKind, initial: &'static str) -> PassOption {
    PassOption { name, summary: "an option of a test", kind, initial }
}

static ROWS: &[PassRow] = &[
    PassRow {
        argument: "test-options",
        summary: "Records its options",
        on: "func.func",
        needs: Form::ALL,
        leaves: None,
        options: &[
            option("bool", OptionKind::Bool, "true"),
            option("int", OptionKind::Int, "-7"),
            option("string", OptionKind::String, "abc"),
            option("ints", OptionKind::IntList, ""),
            option("strings", OptionKind::StringList, ""),
        ],
        statistics: &[],
        dialects: &[],
        run: |_, run| {
            SEEN.lock().expect("no test panics with it").push(values(run));
            Ok(())
        },
    },
    PassRow {
        argument: "test-panic",
        summary: "Panics",
        on: "",
        needs: Form::ALL,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |_, _| panic!("asked to"),
    },
    PassRow {
        argument: "test-error",
        summary: "Fails",
        on: "",
        needs: Form::ALL,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |op, _| {
            Error::on(op, "does not please").note(op.location(), "it is here").emit();
            Err(())
        },
    },
    PassRow {
        argument: "test-nested",
        summary: "Runs another pipeline",
        on: "builtin.module",
        needs: Form::ALL,
        leaves: None,
        options: &[option("pipeline", OptionKind::String, "")],
        statistics: &[],
        dialects: &[DialectName::Func],
        run: |op: Op, run| run.nested(&run.string(0), op),
    },
];

/// What `test-options` has received.
static SEEN: Mutex<Vec<String>> = Mutex::new(vec![]);

fn values(run: &PassRun) -> String {
    format!(
        "{} {} {} {:?} {:?}",
        run.bool(0),
        run.int(1),
        run.string(2),
        run.ints(3),
        run.strings(4)
    )
}

/// Runs a pipeline on a module; returns the printed pipeline, or the errors.
fn run(text: &str, pipeline: &str) -> Result<String, Vec<String>> {
    static ONCE: Once = Once::new();
    let context: Context = pipeline::context();
    ONCE.call_once(|| register(ROWS));
    let errors = Rc::new(RefCell::new(vec![]));
    let received = errors.clone();
    receive_errors(&context, move |error| received.borrow_mut().push(error.message));
    let mut module = Module::parse(&context, text).expect("a valid module");
    let manager = PassManager::new(&context);
    let parsed = parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline);
    let printed = manager.as_operation_pass_manager().to_string();
    let outcome = parsed.and_then(|()| manager.run(&mut module));
    outcome.map(|()| printed).map_err(|_| errors.borrow().clone())
}

const EMPTY: &str = "func.func @f() { return }";

#[test]
fn options_parse_print_and_parse_again() {
    let pipeline = "builtin.module(func.func(test-options{bool=false int=5 string=xy ints=4,-1 \
                    strings=a,b}))";
    let printed = run(EMPTY, pipeline).expect("runs");
    let again = run(EMPTY, &printed).expect("what is printed parses");
    assert_eq!(printed, again);
    run(EMPTY, "builtin.module(func.func(test-options))").expect("runs with its defaults");
    let seen = SEEN.lock().expect("no test panics with it");
    assert_eq!(seen[0], r#"false 5 xy [4, -1] ["a", "b"]"#);
    assert_eq!(seen[1], seen[0]);
    assert_eq!(seen[2], "true -7 abc [] []");
}

#[test]
fn a_panic_is_a_diagnostic_and_a_failed_pass() {
    let errors = run(EMPTY, "builtin.module(test-panic)").expect_err("the pass fails");
    assert_eq!(errors, ["internal error: pass 'test-panic' panicked: asked to"]);
}

#[test]
fn an_error_is_reported_once() {
    let errors = run(EMPTY, "builtin.module(func.func(test-error))").expect_err("the pass fails");
    assert_eq!(errors, ["'func.func' op does not please"]);
}

#[test]
fn a_pass_runs_a_nested_pipeline() {
    let text = "func.func private @f() { return }";
    let nested = |inner: &str| format!("builtin.module(test-nested{{pipeline={inner}}})");
    run(text, &nested("symbol-dce")).expect("runs");
    run(text, &nested("test-panic")).expect_err("the inner failure is the outer one's");
    run(text, &nested("no-such-pass")).expect_err("a pipeline that does not parse");
}

#[test]
fn unknown_and_bad_options_are_refused() {
    for options in ["{more=1}", "{int=x}", "{bool=7}", "{ints=1,a}"] {
        run(EMPTY, &format!("builtin.module(func.func(test-options{options}))"))
            .expect_err("refused");
    }
    run(EMPTY, "builtin.module(test-options)").expect_err("the wrong op to run on");
}

#[test]
fn many_functions_run_in_parallel() {
    let text: String = (0..500).map(|i| format!("func.func @f{i}() {{ return }}\n")).collect();
    run(&text, "builtin.module(func.func(test-error))").expect_err("fails without a crash");
    run(&text, "builtin.module(func.func(convert-graph-to-linalg))").expect("runs");
}
