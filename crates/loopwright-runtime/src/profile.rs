//! Observes where the kernels of a profiled call begin and end.
//!
//! Code that was compiled for a profile calls [`MARK`] before and after each kernel, on the thread of the caller:
//!
//! ```text
//! observe(observer, || call.run())
//!                        └─ lw_profile_mark(0, 0) ─► observer(Mark { kernel: 0, is_end: false })
//!                           kernel 0, on the threads of the pool
//!                           lw_profile_mark(0, 1) ─► observer(Mark { kernel: 0, is_end: true })
//! ```
//! Outside of [`observe`], marks have no effect.

use crate::ffi::abi;
use std::cell::RefCell;

/// The name of the function that profiled code calls: `void lw_profile_mark(int64_t kernel, int64_t is_end)`.
pub const MARK: &str = "lw_profile_mark";

/// A moment of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the kernel.
    pub kernel: usize,
    /// True where it ends, false where it begins.
    pub is_end: bool,
}

type Observer = Box<dyn FnMut(Mark)>;

thread_local! {
    static OBSERVER: RefCell<Option<Observer>> = const { RefCell::new(None) };
}

/// Calls `run`, and `observer` at each mark that it reaches on this thread. Observers do not nest: during an inner call
/// of this function, the inner observer sees the marks.
pub fn observe<T>(observer: impl FnMut(Mark) + 'static, run: impl FnOnce() -> T) -> T {
    /// Puts the outer observer back, also if `run` panics.
    struct Restore(Option<Observer>);
    impl Drop for Restore {
        fn drop(&mut self) {
            OBSERVER.set(self.0.take());
        }
    }
    let _restore = Restore(OBSERVER.replace(Some(Box::new(observer))));
    run()
}

/// The address of the function [`MARK`], for code that is linked into this process.
pub fn mark_address() -> usize {
    abi::profile_mark_address()
}

/// Tells the observer of this thread about a mark.
pub(crate) fn reach(mark: Mark) {
    // The observer is taken out, so that it may itself run profiled code.
    if let Some(mut observer) = OBSERVER.take() {
        observer(mark);
        OBSERVER.set(Some(observer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::abi::profile_mark as mark;
    use std::rc::Rc;

    /// The marks that an observer has seen.
    type Seen = Rc<RefCell<Vec<(usize, bool)>>>;

    /// An observer that adds to a list.
    fn adds_to(seen: &Seen) -> impl FnMut(Mark) + 'static {
        let seen = seen.clone();
        move |mark| seen.borrow_mut().push((mark.kernel, mark.is_end))
    }

    #[test]
    fn the_innermost_observer_sees_a_mark() {
        let (outside, inside) = (Seen::default(), Seen::default());
        mark(7, 0);
        let result = observe(adds_to(&outside), || {
            mark(0, 0);
            observe(adds_to(&inside), || mark(1, 1));
            mark(0, 1);
            "result"
        });
        mark(7, 1);
        assert_eq!(result, "result");
        assert_eq!(*outside.borrow(), [(0, false), (0, true)]);
        assert_eq!(*inside.borrow(), [(1, true)]);
    }

    #[test]
    fn a_panic_ends_the_observation() {
        let seen = Seen::default();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            observe(adds_to(&seen), || panic!("of the test"));
        }));
        assert!(outcome.is_err());
        mark(0, 0);
        assert!(seen.borrow().is_empty());
    }
}
