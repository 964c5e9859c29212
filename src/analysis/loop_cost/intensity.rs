//! Arithmetic intensities: operations per byte, as numbers or as formulas over sizes.

use super::{Amount, Costs, Figure, Ledger};
use crate::dialect::loop_enums::Scope;

/// The quotient of two figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Intensity {
    /// How the value is related to the quotient of the counts.
    pub bound: FigureBound,
    /// `None` if a figure is unknown, or if there are no bytes.
    pub value: Option<IntensityValue>,
}

/// The value of an [`Intensity`].
#[derive(Clone, Debug, PartialEq)]
pub enum IntensityValue {
    /// A number.
    Number(f64),
    /// A fraction of amounts.
    Formula(String),
}

/// How a stated value is related to the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureBound {
    /// It is the count.
    Exact,
    /// It is an upper bound.
    AtMost,
    /// It is a lower bound.
    AtLeast,
    /// It is the quotient of two upper bounds.
    OfBounds,
    /// There is no value, because a figure is unknown.
    Unknown,
    /// There is no value, because there are no bytes.
    Undefined,
}

impl FigureBound {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            FigureBound::Exact => "exact",
            FigureBound::AtMost => "at_most",
            FigureBound::AtLeast => "at_least",
            FigureBound::OfBounds => "of_bounds",
            FigureBound::Unknown => "unknown",
            FigureBound::Undefined => "undefined",
        }
    }

    /// What precedes the value in a text.
    fn sign(self) -> &'static str {
        match self {
            FigureBound::AtMost => "<= ",
            FigureBound::AtLeast => ">= ",
            FigureBound::OfBounds => "~ ",
            FigureBound::Exact | FigureBound::Unknown | FigureBound::Undefined => "",
        }
    }
}

impl Ledger {
    /// Operations on floats per distinct byte of global memory, and per byte that is loaded or stored.
    pub fn intensities(&self, costs: &Costs) -> [Intensity; 2] {
        let accessed = costs.loads(Scope::Global).plus(&costs.stores(Scope::Global));
        let by = |bytes: &Figure| Intensity::of(&costs.float_ops, bytes, &self.sizes);
        [by(&costs.footprint(Scope::Global)), by(&accessed)]
    }
}

impl Intensity {
    fn of(above: &Figure, below: &Figure, names: &[String]) -> Intensity {
        let none = |bound| Intensity { bound, value: None };
        let (Some(a), Some(b)) = (above.amount(), below.amount()) else {
            return none(FigureBound::Unknown);
        };
        if below.is_zero() {
            return none(FigureBound::Undefined);
        }
        if above.is_zero() {
            let value = Some(IntensityValue::Number(0.0));
            return Intensity { bound: FigureBound::Exact, value };
        }
        let bound = match (above.is_exact(), below.is_exact()) {
            (true, true) => FigureBound::Exact,
            (true, false) => FigureBound::AtLeast,
            (false, true) => FigureBound::AtMost,
            (false, false) => FigureBound::OfBounds,
        };
        let (a, b) = a.reduced(b);
        let value = match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => IntensityValue::Number(a as f64 / b as f64),
            _ => IntensityValue::Formula(fraction(&a, &b, names)),
        };
        Intensity { bound, value: Some(value) }
    }

    /// The text: a number with two decimals, or a fraction of amounts.
    pub fn text(&self) -> String {
        let sign = self.bound.sign();
        match &self.value {
            None if self.bound == FigureBound::Undefined => "-".into(),
            None => "?".into(),
            Some(IntensityValue::Number(0.0)) => "0".into(),
            Some(IntensityValue::Number(number)) => format!("{sign}{number:.2}"),
            Some(IntensityValue::Formula(formula)) => format!("{sign}{formula}"),
        }
    }
}

fn fraction(a: &Amount, b: &Amount, names: &[String]) -> String {
    let part = |amount: &Amount, is_one: bool| match is_one {
        true => amount.text(names),
        false => format!("({})", amount.text(names)),
    };
    match b.constant() {
        Some(1) => a.text(names),
        _ => format!("{}/{}", part(a, a.is_product()), part(b, b.is_atom())),
    }
}
