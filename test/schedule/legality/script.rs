//! Parses steps as in a script, but without the handle: `reorder ["B:j", "B:i"] proof "assume"`.

use loopwright::pipeline;
use loopwright::schedule::instruction::Instruction;
use loopwright::schedule::trace::{Trace, VERSION};
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;

thread_local! {
    static CONTEXT: Context = pipeline::context();
}

/// Parses a step.
pub fn parse(text: &str) -> Result<Instruction, String> {
    // The handle follows the step's target: a name, or a list of names.
    let opens = text.find(['"', '[']).ok_or("the step is about nothing")?;
    let last = if text[opens..].starts_with('[') { ']' } else { '"' };
    let length = text[opens + 1..].find(last).ok_or("what the step is about does not end")?;
    let (head, rest) = text.split_at(opens + length + 2);
    let script = format!(
        "module attributes {{transform.with_named_sequence}} {{\n\
         transform.named_sequence @__transform_main(%module: !transform.any_op) {{\n\
         %f = transform.sched.function @main in %module version {VERSION}\n\
         transform.sched.{head} in %f{rest}\ntransform.yield\n}}\n}}\n"
    );
    CONTEXT.with(|context| {
        let module = Module::parse(context, &script).ok_or(format!("{text} is no step"))?;
        let trace = Trace::parse(top(&module)).map_err(|error| error.message)?;
        trace.instructions.into_iter().next().ok_or(format!("{text} is no step"))
    })
}
