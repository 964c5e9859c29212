//! Measures the processor time that this process and all other processes used.

use loopwright_runtime::timing::process_time;
use std::fs;
use std::time::{Duration, Instant};

/// Ticks per second in /proc/stat: Linux reports this rate to programs, independent of its internal one.
const TICKS: f64 = 100.0;

/// The counters at one moment.
pub struct Usage {
    start: Instant,
    process: Option<Duration>,
    /// The seconds that processors have been busy, for all processes together.
    busy: Option<f64>,
}

/// The average number of processors in use since a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shares {
    /// By this process; `None` if the system does not report it.
    pub cpu: Option<f64>,
    /// By all other processes.
    pub other: Option<f64>,
}

impl Usage {
    pub fn start() -> Usage {
        Usage { start: Instant::now(), process: process_time(), busy: busy() }
    }

    pub fn shares(&self) -> Shares {
        let wall = self.start.elapsed().as_secs_f64().max(1e-9);
        let used = |since: Duration| Some(process_time()?.saturating_sub(since).as_secs_f64());
        let process = self.process.and_then(used);
        let busy = self.busy.and_then(|since| Some(busy()? - since));
        let other = busy.zip(process).map(|(busy, process)| (busy - process).max(0.0) / wall);
        Shares { cpu: process.map(|process| process / wall), other }
    }
}

fn busy() -> Option<f64> {
    busy_in(&fs::read_to_string("/proc/stat").ok()?)
}

/// The sum of all fields of the line `cpu user nice system idle iowait irq softirq steal ..` except idle and iowait.
fn busy_in(text: &str) -> Option<f64> {
    let line = text.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Option<Vec<f64>> =
        line.split_whitespace().take(8).map(|field| field.parse().ok()).collect();
    let [user, nice, system, _, _, irq, softirq, steal] = ticks?[..] else { return None };
    Some((user + nice + system + irq + softirq + steal) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_is_not_busy() {
        assert_eq!(busy_in("cpu  100 20 30 9999 77 4 5 6 0 0\ncpu0 1"), Some(1.65));
        assert_eq!(busy_in("cpu0 1 2 3"), None);
        assert_eq!(busy_in("cpu 1 2 x 4 5 6 7 8"), None);
        assert_eq!(busy_in(""), None);
    }

    #[test]
    fn shares_are_not_negative() {
        let usage = Usage::start();
        let shares = usage.shares();
        assert!(shares.cpu.is_none_or(|share| share >= 0.0));
        assert!(shares.other.is_none_or(|share| share >= 0.0));
    }
}
