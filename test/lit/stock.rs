//! Which files and commands stock `mlir-opt` can do with the plugin, and why the others need our tools.

use std::path::Path;

/// Words of commands that are not done, and the reason.
const NOT_DONE: &[(&[&str], &str)] = &[
    (
        &[
            "lw-run",
            "lw-compile",
            "lw-import",
            "lw-bench",
            "--help",
            "--loopwright-help",
            "--version",
            "--sched-convert",
            "--sched-minimize",
            "--sched-space",
            "--sched-redraw",
            "--sched-diff",
        ],
        "a tool of ours, or a command of lw-opt that runs no passes",
    ),
    (
        &[
            "--sched-verify",
            "--sched-print-trace",
            "--loop-cost=delta",
            "--pass-report",
            "--verify-each=numeric",
            "--log",
            "--trace-out",
        ],
        "lw-opt observes each step or pass from outside",
    ),
    // The path of the plugin is already in the place of its substitution.
    (&["%{plugin}", "load-pass-plugin"], "it uses mlir-opt already"),
];

/// True if the plugin has what a file tests: not a tool of ours, and not the dialect `tm_tensor`, which a program that loads the
/// plugin may have itself.
pub fn has(name: &Path, text: &str) -> bool {
    !name.starts_with("tools") && !text.contains("tm_tensor.")
}

/// True if a command does not need our tools.
pub fn is_possible(command: &str) -> bool {
    !NOT_DONE.iter().any(|(words, _)| words.iter().any(|word| command.contains(word)))
}

/// True if a command runs `lw-opt` and does not need our tools.
pub fn is_done(command: &str) -> bool {
    command.contains("lw-opt ") && is_possible(command)
}
