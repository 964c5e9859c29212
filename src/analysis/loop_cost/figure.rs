//! Figures: amounts that are exact or upper bounds.

use super::amount::Amount;

/// A count in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The count.
    Exact(Amount),
    /// An upper bound of the count.
    AtMost(Amount),
    /// Nothing is known.
    Unknown,
}

impl Figure {
    /// An exact constant.
    pub fn number(value: i128) -> Figure {
        Figure::Exact(value.into())
    }

    /// The count or its upper bound; `None` if nothing is known.
    pub fn amount(&self) -> Option<&Amount> {
        match self {
            Figure::Exact(amount) | Figure::AtMost(amount) => Some(amount),
            Figure::Unknown => None,
        }
    }

    /// True unless the figure is an upper bound or unknown.
    pub fn is_exact(&self) -> bool {
        matches!(self, Figure::Exact(_))
    }

    /// True if the figure is at most 0 for all sizes.
    pub fn is_zero(&self) -> bool {
        self.amount().and_then(Amount::constant) == Some(0)
    }

    /// The same amount as an upper bound.
    pub fn bound(self) -> Figure {
        match self {
            Figure::Exact(amount) if amount.constant() != Some(0) => Figure::AtMost(amount),
            other => other,
        }
    }

    /// The sum; exact if both figures are.
    pub fn plus(&self, other: &Figure) -> Figure {
        match (self, other) {
            (Figure::Exact(a), Figure::Exact(b)) => Figure::Exact(a.plus(b)),
            _ => match (self.amount(), other.amount()) {
                (Some(a), Some(b)) => Figure::AtMost(a.plus(b)),
                _ => Figure::Unknown,
            },
        }
    }

    /// The figure without a part of it.
    pub fn minus(&self, part: &Figure) -> Figure {
        match (self, part) {
            (Figure::Exact(a), Figure::Exact(b)) => Figure::Exact(a.minus(b)),
            _ => self.clone().bound(),
        }
    }

    /// The product; exact if both figures are, or if one is 0.
    pub fn times(&self, other: &Figure) -> Figure {
        if self.is_zero() || other.is_zero() {
            return Figure::number(0);
        }
        match (self, other) {
            (Figure::Exact(a), Figure::Exact(b)) => Figure::Exact(a.times(b)),
            _ => match (self.amount(), other.amount()) {
                (Some(a), Some(b)) => Figure::AtMost(a.times(b)),
                _ => Figure::Unknown,
            },
        }
    }

    /// The figure times a constant.
    pub fn scaled(&self, factor: i128) -> Figure {
        self.times(&Figure::number(factor))
    }

    /// The better of two figures for one count.
    pub fn or_at_most(self, limit: Option<Amount>) -> Figure {
        match (self, limit) {
            (Figure::AtMost(a), Some(b)) => Figure::AtMost(Amount::least([a, b])),
            (Figure::Unknown, Some(b)) => Figure::AtMost(b),
            (figure, _) => figure,
        }
    }

    /// `12`, `<= 4*n` or `?`.
    pub fn text(&self, names: &[String]) -> String {
        match self {
            Figure::Exact(amount) => amount.text(names),
            Figure::AtMost(amount) => format!("<= {}", amount.text(names)),
            Figure::Unknown => "?".into(),
        }
    }
}
