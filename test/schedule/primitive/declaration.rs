//! What the row of a primitive states it creates is what a step returns.

use super::{CHAIN, function, parse};
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{Argument, Creates, Instruction, Primitive};

/// The names that a step on the nest P of the chain returns.
fn created(name: &str, arguments: Vec<Argument>) -> (Creates, usize) {
    let context = pipeline::context();
    let module = parse(&context, CHAIN.text);
    let mut schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
    let primitive = Primitive::of(name).expect("a primitive");
    let names = schedule.apply(&Instruction { primitive, arguments }).expect("a legal step");
    (primitive.creates, names.len())
}

fn texts(names: &[&str]) -> Argument {
    Argument::Texts(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn a_row_states_what_a_step_returns() {
    let i = || Argument::Text("P:i".into());
    let reorder = vec![texts(&["P:j", "P:i"]), Argument::OptionalText(None)];
    assert_eq!(created("reorder", reorder), (Creates::Nothing, 0));
    assert_eq!(created("fuse", vec![texts(&["P:i", "P:j"])]), (Creates::Name, 1));
    let none = || Argument::OptionalText(None);
    let split = vec![i(), Argument::Decided("2, -1".into()), none(), none()];
    assert_eq!(created("split", split), (Creates::Names, 2));
    let parallel = created("parallel", vec![i(), none()]);
    assert_eq!(parallel, (Creates::Nothing, 0));
}
