//! The Rust spelling of a trace compiles, and running it gives the same trace.

use crate::{CHAIN, main_of, parse};
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{Argument, Instruction, Parameter, ParameterKind};
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright::schedule::trace::{Trace, structural_hash};
use std::path::Path;

/// Generated from [`TRACE`], and run.
mod chain {
    include!("chain.rs.in");
}
/// Calls with parameters of each kind, only compiled.
#[expect(dead_code, reason = "that it compiles is the test")]
mod every_kind {
    include!("every_kind.rs.in");
}

const TRACE: &str = include_str!("chain.json");

#[test]
fn the_rust_spelling_runs() {
    let trace = Trace::from_json(TRACE).expect("a trace");
    assert_is_fresh("chain.rs.in", &trace.rust());
    let context = pipeline::context();
    let module = parse(&context, CHAIN);
    let mut schedule = Schedule::new(main_of(&module)).expect("loops");
    chain::schedule(&mut schedule).expect("the steps are legal");
    assert_eq!(schedule.trace().instructions, trace.instructions);
    assert_eq!(schedule.trace().hash, trace.hash);
    let by_rust = structural_hash(main_of(&module));
    let module = parse(&context, CHAIN);
    let mut schedule = Schedule::new(main_of(&module)).expect("loops");
    trace.instructions.iter().for_each(|step| drop(schedule.apply(step).expect("legal")));
    assert_eq!(structural_hash(main_of(&module)), by_rust);
}

/// The macro that declares a primitive makes its row and its method, by the kinds of its parameters. So calls that
/// have all kinds suffice.
#[test]
fn a_method_takes_each_kind_of_parameter() {
    let (mut kinds, mut instructions) = (vec![], vec![]);
    for primitive in PRIMITIVES {
        let is_new = |it: &&Parameter| !kinds.contains(&it.kind);
        let new: Vec<_> = primitive.parameters.iter().filter(is_new).map(|it| it.kind).collect();
        if new.is_empty() {
            continue;
        }
        kinds.extend(new);
        for is_given in [true, false] {
            let arguments = primitive.parameters.iter().map(|it| example(it.kind, is_given));
            let instruction = Instruction { primitive, arguments: arguments.collect() };
            if !instructions.contains(&instruction) {
                instructions.push(instruction);
            }
        }
    }
    let trace = Trace { function: "main".into(), hash: None, instructions };
    assert_is_fresh("every_kind.rs.in", &trace.rust());
}

/// An argument; `is_given` states whether an optional one is present.
fn example(kind: ParameterKind, is_given: bool) -> Argument {
    let default = kind.default().filter(|_| !is_given);
    default.unwrap_or_else(|| match kind {
        ParameterKind::Loop => Argument::Text("B:i".into()),
        ParameterKind::Block | ParameterKind::Target | ParameterKind::Buffer => {
            Argument::Text("B".into())
        }
        ParameterKind::Word => Argument::Text("word".into()),
        ParameterKind::OptionalWord => Argument::OptionalText(Some("assume".into())),
        ParameterKind::Pattern => Argument::Text("B*".into()),
        ParameterKind::Loops => Argument::Texts(vec!["B:i".into(), "B:j".into()]),
        ParameterKind::Blocks => Argument::Texts(vec!["B".into()]),
        ParameterKind::Integers => Argument::Integers(vec![2, -1]),
        ParameterKind::OptionalIntegers => Argument::Integers(vec![2, 4]),
        ParameterKind::OptionalInteger => Argument::OptionalInteger(Some(4)),
        ParameterKind::Literal => Argument::Literal(4.into()),
    })
}

fn assert_is_fresh(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/schedule/trace").join(name);
    if std::env::var_os("LOOPWRIGHT_UPDATE").is_some() {
        std::fs::write(&path, expected).expect("the file can be written");
    }
    let found = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(found, expected, "{} is not fresh: LOOPWRIGHT_UPDATE=1", path.display());
}
