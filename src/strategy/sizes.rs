//! Conditions on sizes, for which strategies apply: which sizes are left by those of higher priorities.
//!
//! ```text
//! priority  sizes             checked, with m >= 1                            branch
//! 60        m <= 4            some sizes fulfil it, others do not             if (4 >= m)
//! 50        m mod 16 == 0     m > 4 leaves some                               else if (m mod 16 == 0)
//! 45        m == 2            m > 4 leaves none: it is never chosen
//! 40        all                                                               else
//! ```

use super::group::NestGroup;
use crate::analysis::system::{Answer, System};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::summary::Summary;
use crate::schedule::primitive::r#loop::specialize::condition;

/// A condition on the sizes of a function: a conjunction.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeCondition {
    relations: Vec<Constraint>,
    /// The condition as the step `specialize` takes it.
    pub text: String,
}

/// The sizes of a group that no chosen strategy has taken yet.
#[derive(Clone, Debug)]
pub struct RemainingSizes {
    names: Vec<String>,
    /// What holds for all sizes of the group.
    known: Vec<Constraint>,
    /// Of each of these conditions, one relation does not hold.
    taken: Vec<Vec<Constraint>>,
}

impl SizeCondition {
    /// Parses a condition on the extents of the loops of the group's first nest.
    ///
    /// # Errors
    /// If the text is no condition, or the extent of a loop is a minimum, or depends on other loops.
    pub fn of(text: &str, group: &NestGroup, summary: &Summary) -> Result<SizeCondition, String> {
        let loops = &group.nests[0].loops;
        let names: Vec<String> = loops.iter().map(|axis| axis.name.clone()).collect();
        let no_condition =
            |why: String| format!("\"{text}\" is not a condition on its loops: {why}");
        let mut relations = condition::parse(text, &names).map_err(no_condition)?;
        for relation in &mut relations {
            let mut unknown = None;
            relation.expr().visit_leaves(&mut |leaf| {
                let Expr::Symbol(axis) = leaf else { return };
                if loops[*axis].bounds.len() != 1 || loops[*axis].bounds[0].has_dims() {
                    unknown = Some(&names[*axis]);
                }
            });
            if let Some(name) = unknown {
                return Err(format!(
                    "the extent of loop {name} is a minimum, or depends on other loops; expected one over sizes"
                ));
            }
            let extent = |axis: usize| loops[axis].bounds[0].clone();
            let over_sizes = relation.expr().substitute(&Expr::Dim, &extent);
            *relation = relation.on(summary.simplified(&over_sizes));
        }
        let texts: Vec<String> =
            relations.iter().map(|relation| spelt(relation, &summary.size_names)).collect();
        Ok(SizeCondition { relations, text: texts.join(" and ") })
    }
}

/// A relation with positive terms only: `4 >= m`, for `4 - m >= 0`.
fn spelt(relation: &Constraint, names: &[String]) -> String {
    let (mut left, mut right) = (Linear::default(), Linear::default());
    let all = Linear::of(relation.expr());
    for (term, factor) in all.terms {
        let side = if factor > 0 { &mut left } else { &mut right };
        side.terms.insert(term, factor.abs());
    }
    let side = if all.constant > 0 { &mut left } else { &mut right };
    side.constant = all.constant.abs();
    let sign = match relation {
        Constraint::NonNegative(_) => ">=",
        Constraint::Zero(_) => "==",
    };
    let text = |side: Linear| condition::spelt(&side.to_expr(), names);
    format!("{} {sign} {}", text(left), text(right))
}

impl RemainingSizes {
    /// All sizes for which the group has instances.
    pub fn of(group: &NestGroup, summary: &Summary) -> RemainingSizes {
        let spatial = group.nests[0].spatial().into_iter();
        let bounds = spatial.flat_map(|axis| &group.nests[0].loops[axis].bounds);
        let known = bounds
            .filter(|bound| !bound.has_dims())
            .map(|bound| Constraint::NonNegative(summary.simplified(&(bound.clone() - 1.into()))));
        RemainingSizes { known: known.collect(), names: summary.size_names.clone(), taken: vec![] }
    }

    /// The remaining sizes for which a condition does not hold.
    pub fn without(&self, condition: &SizeCondition) -> RemainingSizes {
        let mut rest = self.clone();
        rest.taken.push(condition.relations.clone());
        rest
    }

    /// True if it is proved that no remaining sizes fulfil all conditions.
    pub fn have_none(&self, conditions: &[&SizeCondition]) -> bool {
        let relations = conditions.iter().flat_map(|condition| &condition.relations);
        self.search(relations.cloned().collect()) == Answer::Empty
    }

    /// True if it is proved that none remain.
    pub fn are_none(&self) -> bool {
        self.have_none(&[])
    }

    /// Some remaining sizes, such as `dim(A, 0) = 5`.
    pub fn example(&self) -> Option<String> {
        let Answer::Point(point) = self.search(vec![]) else { return None };
        let sizes = self.names.iter().zip(point.sizes);
        let sizes: Vec<String> = sizes.map(|(name, value)| format!("{name} = {value}")).collect();
        Some(sizes.join(", "))
    }

    /// Searches for sizes that remain and fulfil the relations.
    fn search(&self, relations: Vec<Constraint>) -> Answer {
        let conditions = [self.known.clone(), relations].concat();
        self.search_in(&self.taken, conditions)
    }

    fn search_in(&self, taken: &[Vec<Constraint>], conditions: Vec<Constraint>) -> Answer {
        let system = System { dims: 0, sizes: self.names.len(), conditions };
        let answer = system.solve();
        let (Some((first, others)), Answer::Point(_) | Answer::Unknown(_)) =
            (taken.split_first(), &answer)
        else {
            return answer;
        };
        let mut unknown = None;
        for relation in first.iter().flat_map(Constraint::opposites) {
            let conditions = [&system.conditions[..], &[relation]].concat();
            match self.search_in(others, conditions) {
                Answer::Empty => {}
                Answer::Point(point) => return Answer::Point(point),
                Answer::Unknown(why) => unknown = Some(Answer::Unknown(why)),
            }
        }
        unknown.unwrap_or(Answer::Empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sizes of two, m and n, and conditions on them.
    fn all() -> RemainingSizes {
        let known = (0..2).map(|size| Constraint::NonNegative(Expr::Symbol(size) - 1.into()));
        RemainingSizes { names: names(), known: known.collect(), taken: vec![] }
    }

    fn names() -> Vec<String> {
        vec!["m".into(), "n".into()]
    }

    fn on(text: &str) -> SizeCondition {
        let relations = condition::parse(text, &names()).expect("a condition");
        let texts: Vec<String> = relations.iter().map(|it| spelt(it, &names())).collect();
        SizeCondition { relations, text: texts.join(" and ") }
    }

    #[test]
    fn what_remains_is_exact() {
        let rest = all().without(&on("m <= 4 and n mod 8 == 0"));
        assert!(rest.have_none(&[&on("m == 3 and n == 16")]));
        assert!(!rest.have_none(&[&on("m == 3 and n == 17")]));
        assert!(!rest.have_none(&[&on("m == 5 and n == 16")]));
        assert!(!rest.are_none());
        assert!(rest.without(&on("m > 4")).without(&on("n mod 8 > 0")).are_none());
        // No instance has a size of 0.
        assert!(all().without(&on("m >= 1")).are_none());
        assert_eq!(
            all().without(&on("m <= 4")).without(&on("m >= 6")).example().as_deref(),
            Some("m = 5, n = 1")
        );
    }

    #[test]
    fn conditions_are_spelt_with_positive_terms_and_are_read_again() {
        for (given, spelt) in [
            ("m <= 4", "4 >= m"),
            ("m - n * 2 == 3", "m == n * 2 + 3"),
            ("m mod 8 == 0 and n > m", "m mod 8 == 0 and n >= m + 1"),
            ("(m + 1) floordiv 4 >= n", "(m + 1) floordiv 4 >= n"),
        ] {
            assert_eq!(on(given).text, spelt);
            assert_eq!(on(spelt).relations, on(given).relations);
        }
    }
}
