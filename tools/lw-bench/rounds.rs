//! Repeats a measurement in rounds; each round is retried until other processes are quiet.

use crate::usage::Usage;

/// Other processes that use fewer cores than this do not disturb a measurement.
const QUIET: f64 = 0.15;
/// A median is marked if other processes used more cores than this.
const LOUD: f64 = 0.3;
/// The number of tries of a round.
const TRIES: usize = 4;

/// The value of each round, and the cores that other processes used meanwhile.
#[derive(Debug, Default)]
pub struct Rounds {
    values: Vec<f64>,
    others: Vec<f64>,
}

impl Rounds {
    /// Adds a round: the value of the first undisturbed try, or of the least disturbed one.
    ///
    /// # Errors
    /// Those of `measure`.
    pub fn add(&mut self, measure: impl FnMut() -> Result<f64, String>) -> Result<(), String> {
        self.add_beside(measure, |usage| usage.shares().other.unwrap_or(0.0))
    }

    fn add_beside(
        &mut self,
        mut measure: impl FnMut() -> Result<f64, String>,
        mut others: impl FnMut(&Usage) -> f64,
    ) -> Result<(), String> {
        let mut quietest: Option<(f64, f64)> = None;
        for _ in 0..TRIES {
            let usage = Usage::start();
            let value = measure()?;
            let other = others(&usage);
            if quietest.is_none_or(|(_, least)| other < least) {
                quietest = Some((value, other));
            }
            if other < QUIET {
                break;
            }
        }
        let (value, other) = quietest.unwrap_or_default();
        self.values.push(value);
        self.others.push(other);
        Ok(())
    }

    /// The median of all rounds, if there were any.
    pub fn median(&self) -> Option<f64> {
        median(&self.values)
    }

    /// True if other processes disturbed most rounds.
    pub fn is_loud(&self) -> bool {
        median(&self.others).is_some_and(|other| other > LOUD)
    }
}

/// The median; for an even number of values, the mean of the middle two.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (middle, is_even) = (sorted.len() / 2, sorted.len().is_multiple_of(2));
    let above = sorted.get(middle)?;
    Some(if is_even { (sorted[middle - 1] + above) / 2.0 } else { *above })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }

    /// Adds a round whose tries return 1, 2, .. while others use these numbers of cores; returns the number of tries.
    fn add(rounds: &mut Rounds, others: &[f64]) -> usize {
        let (mut tries, mut others) = (0, others.iter());
        let value = || {
            tries += 1;
            Ok(tries as f64)
        };
        let other = |_: &Usage| *others.next().expect("no more tries than allowed");
        rounds.add_beside(value, other).expect("nothing fails");
        tries
    }

    #[test]
    fn disturbed_tries_are_repeated() {
        let mut rounds = Rounds::default();
        assert_eq!(add(&mut rounds, &[0.1]), 1);
        assert_eq!(rounds.median(), Some(1.0));
        assert_eq!(add(&mut rounds, &[0.5, 0.9, 0.0]), 3);
        assert!(!rounds.is_loud());
        assert_eq!(add(&mut rounds, &[0.5, 0.4, 0.6, 0.7]), 4);
        assert_eq!(add(&mut rounds, &[0.5, 0.4, 0.6, 0.7]), 4);
        assert_eq!(rounds.values, [1.0, 3.0, 2.0, 2.0]);
        assert_eq!(add(&mut rounds, &[0.5, 0.4, 0.6, 0.7]), 4);
        assert!(rounds.is_loud());
        let failing = || Err("no".to_owned());
        assert_eq!(rounds.add(failing), Err("no".to_owned()));
    }
}
