//! Schedules from Rust calls.

use loopwright::ir::{Op, walk};
use loopwright::pipeline;
use loopwright::schedule::{Literal, Schedule};
use loopwright_testing::top;
use melior::ir::Module;

fn function<'c>(module: &'c Module<'c>) -> Op<'c> {
    walk(top(module)).into_iter().find(|op| op.is("func.func")).expect("a function")
}

#[test]
fn the_package_has_schedules() {
    let context = pipeline::context();
    let module = Module::parse(&context, super::MATMUL.text).expect("a valid program");
    let mut schedule = Schedule::new(function(&module)).expect("a valid function");
    let values = [("block", Literal::from("T")), ("rows", 2.into()), ("lanes", 4.into())];
    let before = module.as_operation().to_string();
    let error = schedule.call("matmul_register_tile", &values[1..]).expect_err("it needs a block");
    assert!(
        error.message.contains("needs a value for its parameter \"block\""),
        "{}",
        error.message
    );
    let error = schedule.call("transpose_tile", &values[..1]).expect_err("it reduces");
    assert!(error.message.contains("\"T is spatial\""), "{}", error.message);
    assert_eq!(module.as_operation().to_string(), before, "a refused call changes nothing");
    schedule.call("matmul_register_tile", &values).expect("a product of matrices");
    let loops = schedule.loops("T").expect("loops");
    assert_eq!(loops, ["T:j.0", "T:i.0", "T:k", "T:i.1", "T:j.1"]);
    assert_eq!(schedule.trace().instructions.len(), 6);
}

#[test]
fn a_module_of_ones_own_comes_first() {
    let context = pipeline::context();
    let library = "module attributes {transform.with_named_sequence} {
      transform.named_sequence @transpose_tile(%f: !transform.any_op {transform.readonly})
          attributes {loop.parameters = {block}} {
        transform.sched.unroll \"$block:k\" in %f
        transform.yield
      }
    }";
    let library = Module::parse(&context, library).expect("a valid library");
    let module = Module::parse(&context, super::MATMUL.text).expect("a valid program");
    let mut schedule = Schedule::new(function(&module)).expect("a valid function");
    let values = [("block", Literal::from("T"))];
    schedule.call_in(Some(top(&library)), "transpose_tile", &values).expect("a loop");
    assert!(schedule.show().contains("unroll k in"), "{}", schedule.show());
}
