//! Automatic scheduling.
//!
//! [`axis`] is the model in which schedules are stated and compared: which axes a nest has, and which axes each of them
//! was split from or merged from. [`hint_graph`] has the blocks of a function before they are scheduled, over one list of
//! axes. [`cost`] predicts the time of a scheduled nest.
//! [`apply_to_all`] compares the strategies of a group by it, and [`alternatives`] prints what was compared.
//!
//! Must not depend on: how loops become code.

pub(crate) mod alternatives;
pub mod axis;
pub mod cost;
pub(crate) mod hint_graph;

use crate::ir::{Error, Op};
use crate::machine::table::MachineTable;
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::trace::observer::Observer;
use crate::strategy::{self, ChooseBy, Prediction, Report, StrategyTable};
use cost::PredictedTime;
use std::str::FromStr;

/// How one of several strategies is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleBy {
    /// The one of the highest priority.
    Priority,
    /// The one that is predicted to be the fastest.
    Auto,
}

impl ScheduleBy {
    /// The default for processors.
    pub const OF_PROCESSORS: ScheduleBy = ScheduleBy::Auto;
    /// The default for GPUs, where it takes longer to try others.
    pub const OF_GPUS: ScheduleBy = ScheduleBy::Priority;
}

impl FromStr for ScheduleBy {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "priority" => Ok(ScheduleBy::Priority),
            "auto" => Ok(ScheduleBy::Auto),
            _ => Err("expected priority or auto".into()),
        }
    }
}

/// Schedules each function of a module with the strategies of a table. With the table of a machine, the ones that are
/// predicted to be the fastest on it are chosen, otherwise those of the highest priority.
///
/// # Errors
/// As [`strategy::apply_to_all`].
pub fn apply_to_all<'c, M: 'static>(
    module: Op<'c>,
    strategies: &StrategyTable<M>,
    machine: &M,
    times: Option<&MachineTable>,
    observer: &Observer,
) -> Result<Vec<Report>, Error<'c>> {
    let Some(table) = times else {
        return strategy::apply_to_all(module, strategies, machine, ChooseBy::Priority, observer);
    };
    let predict = |summary: &Summary, roots: &[NodeId]| {
        let of_nest = |time: PredictedTime| {
            let PredictedTime { total_ns: ns, fixed_ns, limit, .. } = time;
            Prediction { ns, fixed_ns, slowest_ns: ns, limit }
        };
        let nests = cost::predict(summary, roots, table).into_iter().map(of_nest);
        nests.reduce(Prediction::and).unwrap_or_default()
    };
    strategy::apply_to_all(module, strategies, machine, ChooseBy::Time(&predict), observer)
}
