//! `sched-apply`: apply the trace in a file.
//!
//! `lw-opt --sched-apply=FILE` is the pass with FILE as its `trace`: either JSON, or a transform script
//! that is a plain trace. Other scripts need `--transform-interpreter`.

use crate::ffi::pass::{DialectName, Form, OptionKind, PassOption, PassRow};
use crate::schedule::trace;
use crate::schedule::trace::observer::Observer;

pub(crate) const PASS: PassRow = PassRow {
    argument: "sched-apply",
    summary: "Apply the trace in a file: a transform script or JSON",
    on: "builtin.module",
    needs: Form::LOOPS,
    leaves: None,
    options: &[
        PassOption { name: "trace", summary: "The file", kind: OptionKind::String, initial: "" },
        PassOption {
            name: "explain",
            summary: "Show the nest in errors, with the location underlined",
            kind: OptionKind::Bool,
            initial: "false",
        },
    ],
    statistics: &[],
    dialects: &[
        DialectName::Affine,
        DialectName::Arith,
        DialectName::Loopwright,
        DialectName::Transform,
    ],
    run: |module, run| {
        let source = trace::read(module.context(), &run.string(0))?;
        let observer = Observer::of(module.context());
        trace::replay_observed(module, &source, run.bool(1), &observer)
            .map_err(|error| error.emit())
    },
};
