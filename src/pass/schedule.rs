//! The passes on axes, predicted times and default schedules: one row each.

use super::report::report;
use crate::auto_schedule::{alternatives, apply_to_all, axis, cost, hint_graph};
use crate::ffi::pass::{DialectName, Form, OptionKind, PassOption, PassRow};
use crate::ir::{Error, Op};
use crate::machine::cuda::Gpu;
use crate::machine::table::MachineTable;
use crate::machine::x86::{CpuTarget, Description};
use crate::schedule::trace::observer::Observer;
use crate::strategy::{self, ChooseBy, Report, Strategies};
use loopwright_runtime::stderr;
use std::path::Path;

/// The machine that times are predicted for.
const TARGET: PassOption = PassOption {
    name: "target",
    summary: "x86, which is this machine, a processor by its LLVM name, such as znver4, or a GPU, such as sm_90a",
    kind: OptionKind::String,
    initial: "x86",
};
const MACHINE: PassOption = PassOption {
    name: "machine",
    summary: "A file that describes the machine, as lw-run --machine prints it",
    kind: OptionKind::String,
    initial: "",
};

/// A machine to schedule for: `x86` or a processor by name, in the machine that a file describes if there is one; or a
/// GPU by name.
enum ScheduleTarget {
    Cpu(CpuTarget),
    Gpu(Gpu),
}

/// The machine that the options [`TARGET`] and [`MACHINE`] name.
fn schedule_target<'c>(
    op: Op<'c>,
    target: &str,
    machine: &str,
) -> Result<ScheduleTarget, Error<'c>> {
    let described = match machine {
        "" => None,
        file => {
            let read = Description::read(Path::new(file));
            Some(read.map_err(|message| Error::on(op, format!("is given a machine: {message}")))?)
        }
    };
    match (target, described) {
        ("x86", None) => Ok(ScheduleTarget::Cpu(CpuTarget::host())),
        ("x86", Some(machine)) => Ok(ScheduleTarget::Cpu(CpuTarget::described(machine))),
        (gpu, None) if gpu.starts_with("sm_") => {
            Gpu::named(gpu).map(ScheduleTarget::Gpu).map_err(|message| Error::on(op, message))
        }
        (cpu, None) => Ok(ScheduleTarget::Cpu(CpuTarget::named(cpu))),
        (other, Some(_)) => {
            let message = format!("is given target {other} and a machine, expected target x86");
            Err(Error::on(op, message))
        }
    }
}

/// The table of the machine that the options [`TARGET`] and [`MACHINE`] name.
fn machine_table<'c>(op: Op<'c>, target: &str, machine: &str) -> Result<MachineTable, Error<'c>> {
    match schedule_target(op, target, machine)? {
        ScheduleTarget::Gpu(gpu) => Ok(MachineTable::of_gpu(&gpu)),
        ScheduleTarget::Cpu(cpu) => cpu
            .table()
            .map_err(|message| Error::on(op, format!("has no time on the machine: {message}"))),
    }
}

/// Schedules a module by predicted times or, with a seed other than 0, with any numbers that strategies may choose; prints the
/// alternatives.
fn auto_schedule<'c>(
    module: Op<'c>,
    (target, machine): (&str, &str),
    top: i64,
    seed: u64,
) -> Result<(), Error<'c>> {
    let top = alternatives::check_top(module, top)?;
    let strategies = Strategies::default();
    let any = ChooseBy::Seed(seed);
    let observer = Observer::of(module.context());
    let error = |message| {
        Error::on(module, format!("cannot be scheduled for the given machine: {message}"))
    };
    let reports = match schedule_target(module, target, machine)? {
        ScheduleTarget::Cpu(cpu) => {
            let processor = cpu.processor().map_err(error)?;
            let table = cpu.table().map_err(error)?;
            let strategies = &strategies.x86;
            match seed {
                0 => apply_to_all(module, strategies, &processor, Some(&table), &observer)?,
                _ => strategy::apply_to_all(module, strategies, &processor, any, &observer)?,
            }
        }
        ScheduleTarget::Gpu(gpu) => {
            let table = MachineTable::of_gpu(&gpu);
            let strategies = &strategies.nvptx;
            match seed {
                0 => apply_to_all(module, strategies, &gpu, Some(&table), &observer)?,
                _ => strategy::apply_to_all(module, strategies, &gpu, any, &observer)?,
            }
        }
    };
    alternatives::print(module, &reports, top)
}

/// Schedules a module for a GPU or, if `chip` is empty, for a processor. An empty `cpu` is this machine's processor.
/// The files declare strategies besides those of the package.
fn by_strategy<'c>(
    module: Op<'c>,
    cpu: &str,
    chip: &str,
    files: &[String],
) -> Result<Vec<Report>, Error<'c>> {
    let strategies = Strategies::with_scripts(module.context(), files)?;
    let observer = Observer::of(module.context());
    match (cpu, chip) {
        (cpu, "") => {
            let target = if cpu.is_empty() { CpuTarget::host() } else { CpuTarget::named(cpu) };
            let processor = target.processor().map_err(|message| {
                Error::on(module, format!("cannot be scheduled for the given processor: {message}"))
            })?;
            strategy::apply_to_all(
                module,
                &strategies.x86,
                &processor,
                ChooseBy::Priority,
                &observer,
            )
        }
        ("", chip) => {
            let gpu = Gpu::named(chip).map_err(|message| Error::on(module, message))?;
            strategy::apply_to_all(module, &strategies.nvptx, &gpu, ChooseBy::Priority, &observer)
        }
        (cpu, chip) => {
            let message = format!("is given cpu {cpu} and chip {chip}, expected only one of them");
            Err(Error::on(module, message))
        }
    }
}

/// All passes of this kind, by name.
pub(super) const SCHEDULE_PASSES: &[PassRow] = &[
    PassRow {
        argument: "hint-graph",
        summary: "Print the blocks of functions that are not scheduled over one list of axes to stderr",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |module, _| report(hint_graph::print(module)),
    },
    PassRow {
        argument: "loop-print-axes",
        summary: "Print the axes of each nest to stderr: how they were split, merged and reordered, and what outputs hold",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |module, _| report(axis::loop_print_axes::print(module)),
    },
    PassRow {
        argument: "loop-infer-axes",
        summary: "Derive the axes of loops and schedule blocks from bindings and buffers, and record them as attributes",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |function, _| report(axis::loop_infer_axes::infer(function)),
    },
    PassRow {
        argument: "loop-axes-to-schedule",
        summary: "Derive schedule steps from the axes of each nest, and apply them to the unscheduled nest",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Affine, DialectName::Arith, DialectName::Loopwright],
        run: |function, _| report(axis::loop_axes_to_schedule::to_schedule(function)),
    },
    PassRow {
        argument: "loop-predict-time",
        summary: "Print the predicted time of each nest to stderr, and the unit of the machine that limits it",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[TARGET, MACHINE],
        statistics: &[],
        dialects: &[],
        run: |module, run| {
            let table = report(machine_table(module, &run.string(0), &run.string(1)))?;
            report(cost::loop_predict_time::print(module, &table))
        },
    },
    PassRow {
        argument: "auto-schedule",
        summary: "Schedule by the strategies that are predicted to be the fastest, and print the alternatives as a script",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[
            TARGET,
            MACHINE,
            PassOption {
                name: "top",
                summary: "The most alternatives to print for a group of nests, fastest first",
                kind: OptionKind::Int,
                initial: alternatives::DEFAULT_TOP,
            },
            PassOption {
                name: "seed",
                summary: "Take the strategies of the highest priorities, with any numbers of their spaces, by this number; 0 is off",
                kind: OptionKind::Int,
                initial: "0",
            },
        ],
        statistics: &[],
        dialects: &[],
        run: |module, run| {
            let (target, machine) = (run.string(0), run.string(1));
            let seed = run.int(3).cast_unsigned();
            report(auto_schedule(module, (&target, &machine), run.int(2), seed))
        },
    },
    PassRow {
        argument: "schedule-by-strategy",
        summary: "Apply the default schedules for a processor or a GPU",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[
            PassOption {
                name: "cpu",
                summary: "The processor, by its LLVM name, such as znver4 (default: that of this machine)",
                kind: OptionKind::String,
                initial: "",
            },
            PassOption {
                name: "dump",
                summary: "Print to stderr which strategy is chosen for each group of nests, and why the others are not",
                kind: OptionKind::Bool,
                initial: "false",
            },
            PassOption {
                name: "chip",
                summary: "The GPU, such as sm_90a, instead of a processor",
                kind: OptionKind::String,
                initial: "",
            },
            PassOption {
                name: "strategies",
                summary: "Files of transform scripts that declare strategies besides those of the package",
                kind: OptionKind::StringList,
                initial: "",
            },
        ],
        statistics: &[],
        dialects: &[],
        run: |module, run| {
            let reports = by_strategy(module, &run.string(0), &run.string(2), &run.strings(3));
            let reports = reports.map_err(|error| error.emit())?;
            if run.bool(1) {
                reports.iter().for_each(|report| stderr::print(format_args!("{report}")));
            }
            Ok(())
        },
    },
];
