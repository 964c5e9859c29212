//! A line on the terminal that says what a tool does, for steps that take longer than a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A step shorter than this shows nothing.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two states of the line.
const TICK: Duration = Duration::from_millis(100);

/// Runs a step. Nothing is shown if stderr is not a terminal.
pub fn during<T>(step: &str, run: impl FnOnce() -> T) -> T {
    let line = || Progress::on(ProgressDrawTarget::stderr(), DELAY, step);
    let _line = stderr().is_terminal().then(line);
    run()
}

/// The line of one step; it disappears when this is dropped.
struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    fn on(target: ProgressDrawTarget, delay: Duration, step: &str) -> Progress {
        let (end, ended) = channel();
        let step = step.to_owned();
        let thread = thread::spawn(move || {
            if ended.recv_timeout(delay) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            let bar = ProgressBar::with_draw_target(None, target)
                .with_style(style.expect("the template is valid"))
                .with_message(step)
                .with_elapsed(delay);
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Progress(Some((end, thread)))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // A line that could not be drawn is no reason to stop.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::{InMemoryTerm, TermLike};

    fn on(term: &InMemoryTerm, delay: Duration) -> Progress {
        let target = ProgressDrawTarget::term_like(Box::new(term.clone()) as Box<dyn TermLike>);
        Progress::on(target, delay, "compiles")
    }

    #[test]
    fn a_step_is_shown_until_it_ends() {
        let term = InMemoryTerm::new(4, 60);
        let progress = on(&term, Duration::ZERO);
        while !term.contents().contains("compiles, 0s") {
            thread::yield_now();
        }
        drop(progress);
        assert_eq!(term.contents(), "");
    }

    #[test]
    fn a_short_step_shows_nothing() {
        let term = InMemoryTerm::new(4, 60);
        drop(on(&term, Duration::from_secs(3600)));
        assert_eq!(term.contents(), "");
    }
}
