//! `sched-expect-refusal`: apply steps that must be refused. For tests of checks.
//!
//! ```text
//! func.func @not_serial() attributes {refused = "split 'B.i' in %f factors [5, 6]"} { .. }
//!   ->  the error of the step, at the op that it is about; the function stays as it was
//! ```
//! The attribute has one step or an array of steps. A step is an op of a transform script without `transform.sched.`,
//! with single quotes around its names and `%f` for the function. Each step is applied to the function by itself, and
//! its error is reported. A step that is accepted is an error at the function, and so is a refused step that changes
//! the function. Functions without the attribute are skipped.

use crate::ffi::pass::{DialectName, Form, PassRow};
use crate::ir::{Attribute, Error, Op, parse_text_in, top, walk};
use crate::schedule::Schedule;
use crate::schedule::trace::Trace;
use crate::schedule::trace::observer::Observer;

const ATTRIBUTE: &str = "refused";

pub(crate) const PASS: PassRow = PassRow {
    argument: "sched-expect-refusal",
    summary: "Apply the steps in the attribute `refused` of each function, which must be refused",
    on: "builtin.module",
    needs: Form::LOOPS,
    leaves: None,
    options: &[],
    statistics: &[],
    dialects: &[
        DialectName::Affine,
        DialectName::Arith,
        DialectName::Loopwright,
        DialectName::Transform,
    ],
    run: |module, _| {
        let functions = walk(module).into_iter().filter(|op| op.is("func.func"));
        let refused: Vec<_> =
            functions.filter_map(|f| Some((f, f.attribute(ATTRIBUTE)?))).collect();
        for (function, steps) in &refused {
            let each = steps.as_array().unwrap_or_else(|| vec![*steps]);
            for step in each {
                expect_refusal(*function, step).emit();
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(()) }
    },
};

/// The error of the step, or what is wrong with the test.
fn expect_refusal<'c>(function: Op<'c>, step: Attribute<'c>) -> Error<'c> {
    let wrong = |what: &str| Error::on(function, format!("{what}: {step}"));
    let Some(text) = step.as_str() else {
        return wrong("has a refused step that is no string");
    };
    let name = function.symbol_name().unwrap_or_default();
    let script = format!(
        "module attributes {{transform.with_named_sequence}} {{\n\
         transform.named_sequence @__transform_main(%module: !transform.any_op) {{\n\
         %f = transform.sched.function @{name} in %module version 1\n\
         transform.sched.{}\ntransform.yield\n}}\n}}",
        text.replace('\'', "\"")
    );
    let Some(script) = parse_text_in(function.context(), &script, "refused") else {
        return wrong("has a refused step that does not parse");
    };
    let trace = match Trace::parse(top(&script)) {
        Ok(trace) => trace,
        Err(error) => {
            error.emit();
            return wrong("has a refused step that is no step of a trace");
        }
    };
    let before = function.to_string();
    let mut schedule = match Schedule::observed(function, &Observer::of(function.context())) {
        Ok(schedule) => schedule,
        Err(error) => return error,
    };
    for instruction in &trace.instructions {
        if let Err(error) = schedule.apply(instruction) {
            return match function.to_string() == before {
                true => schedule.located(&error, instruction.primitive, false),
                false => wrong("is changed by a step that is refused"),
            };
        }
    }
    wrong("accepts a step, expected a refusal")
}
