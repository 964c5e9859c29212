//! Converts traces between script and JSON.

use crate::{CHAIN, DYNAMIC, MATMUL, ODD, ORDERS, THREADS, TILES, errors, main_of, parse, step};
use loopwright::ir::handle_of;
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::apply_script;
use loopwright::schedule::instruction::{Argument, Instruction, Literal, ParameterKind};
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright::schedule::trace::{self, Trace, structural_hash};
use loopwright_testing::top;
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

/// Any argument of a kind, including ones that no primitive accepts.
fn argument(kind: ParameterKind) -> BoxedStrategy<Argument> {
    let name = || any::<String>().boxed();
    match kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Pattern
        | ParameterKind::Word => name().prop_map(Argument::Text).boxed(),
        ParameterKind::OptionalWord => {
            proptest::option::of(name()).prop_map(Argument::OptionalText).boxed()
        }
        ParameterKind::Loops | ParameterKind::Blocks => {
            proptest::collection::vec(name(), 0..4).prop_map(Argument::Texts).boxed()
        }
        ParameterKind::Integers | ParameterKind::OptionalIntegers => prop_oneof![
            3 => proptest::collection::vec(any::<i64>(), 0..4).prop_map(Argument::Integers),
            1 => name().prop_map(Argument::Decided),
        ]
        .boxed(),
        ParameterKind::OptionalInteger => prop_oneof![
            3 => proptest::option::of(1..i64::MAX).prop_map(Argument::OptionalInteger),
            1 => name().prop_map(Argument::Decided),
        ]
        .boxed(),
        ParameterKind::Literal => prop_oneof![
            any::<i64>().prop_map(Literal::Integer),
            any::<bool>().prop_map(Literal::Bool),
            name().prop_map(Literal::Text),
        ]
        .prop_map(Argument::Literal)
        .boxed(),
        // The op's verifier requires a positive number.
    }
}

fn instruction() -> impl Strategy<Value = Instruction> {
    (0..PRIMITIVES.len()).prop_flat_map(|i| {
        let primitive = PRIMITIVES[i];
        let arguments: Vec<_> =
            primitive.parameters.iter().map(|parameter| argument(parameter.kind)).collect();
        arguments.prop_map(move |arguments| Instruction { primitive, arguments })
    })
}

fn any_trace() -> impl Strategy<Value = Trace> {
    let hash = proptest::option::of(any::<String>());
    let steps = proptest::collection::vec(instruction(), 0..12);
    // A symbol is not empty.
    (".+", hash, steps).prop_map(|(function, hash, instructions)| Trace {
        function,
        hash,
        instructions,
    })
}

#[test]
fn all_spellings_say_the_same() {
    let context = pipeline::context();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
    let outcome = runner.run(&any_trace(), |trace| {
        let script = trace.script();
        let read = Trace::parse(top(&parse(&context, &script))).expect(&script);
        prop_assert_eq!(&read, &trace);
        let json = read.to_json();
        let again = Trace::from_json(&json).expect(&json);
        prop_assert_eq!(&again, &trace);
        prop_assert_eq!(again.script(), script);
        prop_assert_eq!(again.to_json(), json);
        Ok(())
    });
    outcome.expect("nothing is lost");
}

#[test]
fn each_spelling_does_the_same() {
    let mut steps = 0;
    for source in [CHAIN, DYNAMIC, MATMUL, ODD, ORDERS, THREADS, TILES] {
        let context = pipeline::context();
        for seed in 0..10 {
            let module = parse(&context, source);
            let mut rng = StdRng::seed_from_u64(seed);
            let mut schedule = Schedule::new(main_of(&module)).expect("loops");
            for _ in 0..12 {
                for step in step::random(schedule.summary(), &mut rng) {
                    let _ = schedule.apply(&step);
                }
            }
            let trace = schedule.trace().clone();
            steps += trace.instructions.len();
            let expected = structural_hash(main_of(&module));

            let by_script = parse(&context, source);
            let script = parse(&context, &trace.script());
            apply_script(top(&by_script), top(&script)).expect("the script applies");
            assert_eq!(structural_hash(main_of(&by_script)), expected, "{}", trace.script());

            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("trace.json");
            std::fs::write(&path, trace.to_json()).expect("a file in it");
            let by_json = parse(&context, source);
            let path = path.to_string_lossy();
            let read = trace::read(handle_of(&context), &path).expect("a trace");
            trace::replay(top(&by_json), &read, false).expect("the trace applies");
            assert_eq!(structural_hash(main_of(&by_json)), expected, "{}", trace.to_json());
        }
    }
    assert!(steps > 100, "only {steps} steps");
}

#[test]
fn no_parameter_has_the_name_of_another_member() {
    for primitive in PRIMITIVES {
        let mut names: Vec<_> = primitive.parameters.iter().map(|it| it.name).collect();
        names.extend(["primitive", "explain", "function"]);
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n, "{primitive:?}");
    }
}

#[test]
fn bad_json_is_refused_with_its_place() {
    let whole = |steps: &str| {
        format!("{{\"version\": 1, \"function\": \"main\",\n \"steps\": [\n  {steps}\n ]}}")
    };
    let step = |text: &str, expected: &str| (whole(text), expected.to_owned());
    let text = |text: &str, expected: &str| (text.to_owned(), expected.to_owned());
    let names = "expected one of \"version\", \"function\", \"hash\", \"steps\"";
    let long = format!("{{\"primitive\": \"unroll\", \"loop\": [{}]}}", "7, ".repeat(99) + "7");
    for (json, expected) in [
        text("", "1:0: is not JSON: EOF while parsing a value"),
        text("[", "1:1: is not JSON: EOF while parsing a list"),
        text("{\"version\": 1,\n}", "2:1: is not JSON: key must be a string"),
        text("{\"version\": 1} x", "1:16: is not JSON: trailing characters"),
        text(" []", "1:2: a trace is [], expected an object"),
        text("7", "1:1: a trace is 7, expected an object"),
        text("{}", "1:1: a trace has no \"version\""),
        text("{\"version\": 1}", "1:1: a trace has no \"function\""),
        text("{\"version\": 1, \"function\": \"f\"}", "1:1: a trace has no \"steps\""),
        text(
            "{\"version\": 2, \"function\": \"f\", \"steps\": []}",
            "1:13: is of version 2, this package reads version 1",
        ),
        text(
            "{\"version\": \"1\", \"function\": \"f\", \"steps\": []}",
            "1:13: is of version \"1\", this package reads version 1",
        ),
        text(
            "{\"version\": 1, \"function\": 3, \"steps\": []}",
            "1:28: \"function\" is 3, expected a string",
        ),
        text(
            "{\"version\": 1, \"function\": \"f\", \"hash\": null, \"steps\": []}",
            "1:41: \"hash\" is null, expected a string",
        ),
        text(
            "{\"version\": 1, \"function\": \"f\", \"steps\": {}}",
            "1:42: \"steps\" is {}, expected a list of steps",
        ),
        text(
            "{\"version\": 1, \"function\": \"f\", \"name\": \"x\", \"steps\": []}",
            &format!("1:41: a trace has \"name\", {names}"),
        ),
        text(
            "{\"version\": 1, \"version\": 1, \"function\": \"f\", \"steps\": []}",
            "1:27: a trace has \"version\" twice",
        ),
        step("7", "3:3: step 1 is 7, expected an object"),
        step("{}", "3:3: step 1 has no \"primitive\""),
        step("{\"primitive\": 7}", "3:17: \"primitive\" of step 1 is 7, expected a string"),
        step("{\"primitive\": \"slit\"}", "3:17: step 1 is \"slit\", which is not a primitive"),
        step("{\"primitive\": \"unroll\"}", "3:3: step 1, unroll, has no \"loop\""),
        step(
            "{\"primitive\": \"unroll\", \"loop\": \"B:i\"},\n  {\"primitive\": \"split\", \"loop\": \"B:i\"}",
            "4:3: step 2, split, has no \"factors\"",
        ),
        step(
            "{\"primitive\": \"unroll\", \"loop\": 7}",
            "3:35: \"loop\" of step 1, unroll is 7, expected a string",
        ),
        step(
            &long,
            "3:35: \"loop\" of step 1, unroll is [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, .., expected a string",
        ),
        step(
            "{\"primitive\": \"unroll\", \"loops\": [\"B:i\"]}",
            "3:36: step 1, unroll, has \"loops\", expected one of \"primitive\", \"loop\", \"factor\"",
        ),
        step(
            "{\"primitive\": \"unroll\", \"loop\": \"B:i\", \"loop\": \"B:j\"}",
            "3:50: step 1 has \"loop\" twice",
        ),
        step(
            "{\"primitive\": \"split\", \"loop\": \"B:i\", \"factors\": [2, 1.5]}",
            "3:52: \"factors\" of step 1, split is [2, 1.5], expected a list of whole numbers",
        ),
        step(
            "{\"primitive\": \"split\", \"loop\": \"B:i\", \"factors\": 9223372036854775808}",
            "3:52: \"factors\" of step 1, split is 9223372036854775808, expected a list of whole numbers",
        ),
        step(
            "{\"primitive\": \"fuse\", \"loops\": [\"B:i\", 7]}",
            "3:34: \"loops\" of step 1, fuse is [\"B:i\", 7], expected a list of strings",
        ),
        step(
            "{\"primitive\": \"vectorize\", \"loop\": \"B:i\", \"factor\": null}",
            "3:55: \"factor\" of step 1, vectorize is null, expected a whole number",
        ),
    ] {
        let error = Trace::from_json(&json).expect_err(&json);
        assert_eq!(error.to_string(), expected, "{json}");
    }
}

#[test]
fn json_may_leave_out_what_is_by_default() {
    let json = "{\"function\": \"main\", \"steps\": [{\"loop\": \"B:i\", \"primitive\": \"vectorize\"}], \"version\": 1}";
    let trace = Trace::from_json(json).expect("a trace");
    assert_eq!(trace.hash, None);
    assert_eq!(trace.instructions[0].script(), "transform.sched.vectorize \"B:i\" in %f");
}

#[test]
fn a_script_that_is_more_than_a_trace_is_refused() {
    let context = pipeline::context();
    let errors = errors(&context);
    let sequence = |steps: &str| {
        format!(
            "module attributes {{transform.with_named_sequence}} {{\n\
             transform.named_sequence @__transform_main(%m: !transform.any_op) {{\n{steps}\n\
             transform.yield\n}}\n}}"
        )
    };
    let in_function = |steps: &str| {
        sequence(&format!("%f = transform.sched.function @main in %m version 1\n{steps}"))
    };
    for (script, expected) in [
        ("module {}".into(), "has no 'transform.named_sequence @__transform_main'"),
        (
            "module attributes {transform.with_named_sequence} { transform.named_sequence @__transform_main() { transform.yield } }".into(),
            "has arguments other than the module: this script is more than a trace",
        ),
        (sequence(""), "does not start with 'transform.sched.function'"),
        (sequence("transform.sched.unroll \"B:i\" in %m"), "does not start with"),
        (
            sequence("%f = transform.sched.function @main in %m version 9"),
            "is of version 9, this package reads version 1",
        ),
        (
            sequence("%f = transform.sched.function @main in %m {note}"),
            "has 'note': this script is more than a trace",
        ),
        (in_function("transform.sched.unroll \"B:i\" in %m"), "uses a handle other than that"),
        (in_function("transform.sched.unroll %f"), "has no loop, so its handle determines"),
        (in_function("transform.sched.unroll \"B:i\" in %f {explain}"), "has 'explain'"),
        (in_function("transform.print %f : !transform.any_op"), "is not a step of a schedule"),
        (
            in_function("").replace(
                "transform.named_sequence @__t",
                "transform.named_sequence @other(%m: !transform.any_op) { transform.yield }\n\
                 transform.named_sequence @__t",
            ),
            "is outside of the sequence",
        ),
    ] {
        let module = parse(&context, &script);
        let error = Trace::parse(top(&module)).map(|trace| trace.script());
        let message = error.map_err(|error| error.message).expect_err(&script);
        assert!(message.contains(expected), "{message}\n{script}");
    }
    assert_eq!(*errors.borrow(), Vec::<String>::new(), "errors are returned, not reported");
}
