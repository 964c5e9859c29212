//! Constraints that are printed as ops of the SMT dialect are read as the same constraints.

use super::ScriptSpace;
use crate::analysis::finite_domain::Choices;
use crate::analysis::finite_domain::tests::all_choices;
use crate::ir::{handle_of, parse_text_in, top};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::utility::register_all_dialects;
use proptest::prelude::*;

/// A context with the transform dialect and its extensions.
fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// A script with these choices as knobs.
fn script(problem: &Choices) -> String {
    let count = problem.choices.len();
    let list = |of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().join(", ");
    let knob = |i: usize| {
        let domain = &problem.choices[i].domain;
        format!(
            "  %knob{i} = transform.tune.knob<\"x{i}\"> options = {domain:?} -> !transform.param<i64>\n"
        )
    };
    let values: Vec<String> = (0..count).map(|i| format!("%value{i}")).collect();
    format!(
        "module attributes {{transform.with_named_sequence}} {{\ntransform.named_sequence @__transform_main(%module: !transform.any_op) {{\n{}  \
         transform.smt.constrain_params({}) : ({}) -> () {{\n  ^bb0({}):\n{}\n  }}\n  transform.yield\n}}\n}}",
        (0..count).map(knob).collect::<String>(),
        list(&|i| format!("%knob{i}")),
        list(&|_| "!transform.param<i64>".to_owned()),
        list(&|i| format!("%value{i}: !smt.int")),
        problem.smt_ops(&values).join("\n"),
    )
}

fn solutions(problem: &Choices) -> Vec<Vec<i64>> {
    let mut found = vec![];
    problem.search(&mut |values| {
        found.push(values.to_vec());
        true
    });
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn constraints_are_read_as_they_were_printed(problem in all_choices()) {
        let context = context();
        let text = script(&problem);
        let module = parse_text_in(handle_of(&context), &text, "script").expect("it is a module");
        let Ok(read) = ScriptSpace::of(top(&module)) else { panic!("it is a space: {text}") };
        prop_assert_eq!(solutions(&read.choices), solutions(&problem));
    }
}
