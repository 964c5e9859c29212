//! Attributes and enums of the graph dialect; values and spellings of enums are those of GraphDialect.td.

use super::loop_enums::keyword_enum;
use crate::ir::{Attribute, Op};

/// On a private function: it was a fusion group.
pub const GROUP: &str = "graph.group";

keyword_enum! {
    /// The combiner of `graph.reduce` and `graph.scan`.
    ReduceKind {
        Add = 0, "add";
        Mul = 1, "mul";
        Max = 2, "max";
        Min = 3, "min";
        And = 4, "and";
        Or = 5, "or";
    }
}

keyword_enum! {
    /// How an update of `graph.scatter_elements` or `graph.scatter_nd` changes an element.
    ScatterKind {
        Replace = 0, "replace";
        Add = 1, "add";
        Mul = 2, "mul";
        Max = 3, "max";
        Min = 4, "min";
    }
}

keyword_enum! {
    /// The comparison of `graph.compare`.
    Comparison {
        Eq = 0, "eq";
        Ne = 1, "ne";
        Lt = 2, "lt";
        Le = 3, "le";
        Gt = 4, "gt";
        Ge = 5, "ge";
    }
}

keyword_enum! {
    /// The order of the dimensions of images.
    Layout {
        ChannelsFirst = 0, "channels_first";
        ChannelsLast = 1, "channels_last";
    }
}

keyword_enum! {
    /// What `graph.pool` computes of the elements under its window.
    PoolKind {
        Max = 0, "max";
        Average = 1, "average";
    }
}

impl ReduceKind {
    /// The ops of the arith dialect that combine two floats and two integers; the first is empty for bits.
    pub fn arith_ops(self, is_unsigned: bool) -> [&'static str; 2] {
        match (self, is_unsigned) {
            (ReduceKind::Add, _) => ["arith.addf", "arith.addi"],
            (ReduceKind::Mul, _) => ["arith.mulf", "arith.muli"],
            (ReduceKind::Max, false) => ["arith.maximumf", "arith.maxsi"],
            (ReduceKind::Min, false) => ["arith.minimumf", "arith.minsi"],
            (ReduceKind::Max, true) => ["", "arith.maxui"],
            (ReduceKind::Min, true) => ["", "arith.minui"],
            (ReduceKind::And, _) => ["", "arith.andi"],
            (ReduceKind::Or, _) => ["", "arith.ori"],
        }
    }
}

impl ScatterKind {
    /// How an update is combined with the element; `None` if it replaces the element.
    pub fn combiner(self) -> Option<ReduceKind> {
        match self {
            ScatterKind::Replace => None,
            ScatterKind::Add => Some(ReduceKind::Add),
            ScatterKind::Mul => Some(ReduceKind::Mul),
            ScatterKind::Max => Some(ReduceKind::Max),
            ScatterKind::Min => Some(ReduceKind::Min),
        }
    }
}

impl Layout {
    /// The number of the dimension of channels.
    pub fn channels(self, rank: usize) -> usize {
        match self {
            Layout::ChannelsFirst => 1,
            Layout::ChannelsLast => rank - 1,
        }
    }

    /// The number of the first dimension of positions; the others follow.
    pub fn positions(self) -> usize {
        match self {
            Layout::ChannelsFirst => 2,
            Layout::ChannelsLast => 1,
        }
    }
}

/// Reads the attributes of an op, which may not exist yet.
pub type AttributeReader<'a, 'c> = &'a dyn Fn(&str) -> Option<Attribute<'c>>;

/// The window of a convolution or pool: one number for each dimension of positions.
pub struct SlidingWindow {
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    pub dilations: Vec<i64>,
    /// The elements of padding before and after each dimension.
    pub low: Vec<i64>,
    pub high: Vec<i64>,
}

impl SlidingWindow {
    /// The window of these sizes that attributes describe.
    ///
    /// # Errors
    /// If a list has another length, or a number that is too small.
    pub fn of(sizes: Vec<i64>, read: AttributeReader) -> Result<Self, String> {
        let list = |name: &str, default: i64| -> Result<Vec<i64>, String> {
            let Some(list) = read(name).and_then(Attribute::as_integers) else {
                return Ok(vec![default; sizes.len()]);
            };
            match list.len() == sizes.len() && list.iter().all(|it| *it >= default) {
                true => Ok(list),
                false => Err(format!(
                    "has {list:?} in '{name}', expected {} numbers of {default} or more",
                    sizes.len()
                )),
            }
        };
        let (strides, dilations) = (list("strides", 1)?, list("dilations", 1)?);
        let (low, high) = (list("low", 0)?, list("high", 0)?);
        if sizes.iter().any(|size| *size < 1) {
            return Err(format!("has a window of sizes {sizes:?}, expected sizes of 1 or more"));
        }
        let window = Self { sizes, strides, dilations, low, high };
        match (0..window.sizes.len()).find(|i| window.extent(*i).is_none()) {
            Some(i) => Err(format!(
                "has a window of {} elements, {} apart, which is larger than 64 bits",
                window.sizes[i], window.dilations[i]
            )),
            None => Ok(window),
        }
    }

    /// The window of a verified op.
    pub fn of_op(op: Op, sizes: Vec<i64>) -> Result<Self, String> {
        Self::of(sizes, &|name| op.attribute(name))
    }

    /// True if elements are added to the input.
    pub fn is_padded(&self) -> bool {
        self.low.iter().chain(&self.high).any(|it| *it != 0)
    }

    /// By how much the size of dimension `i` of the padded input exceeds (results - 1) * stride. `None` if it has more than 64
    /// bits, which no window that was made has.
    pub fn extent(&self, i: usize) -> Option<i64> {
        self.dilations[i].checked_mul(self.sizes[i] - 1)?.checked_add(1)
    }

    /// The number of results in dimension `i`, for an input of this size.
    ///
    /// # Errors
    /// If the window is larger than the padded input.
    pub fn results(&self, i: usize, size: i64) -> Result<i64, String> {
        let padded = size.checked_add(self.low[i]).and_then(|it| it.checked_add(self.high[i]));
        let fits = padded.zip(self.extent(i)).filter(|(padded, extent)| extent <= padded);
        let (padded, extent) = fits.ok_or_else(|| {
            format!(
                "has a window of {} elements, {} apart, in dimension {i} of the positions, which has {size} elements and \
                 {} of padding",
                self.sizes[i],
                self.dilations[i],
                self.low[i].saturating_add(self.high[i])
            )
        })?;
        Ok((padded - extent) / self.strides[i] + 1)
    }
}

/// The start, the end and the length of a slice of a dimension, as Python counts them.
pub fn slice_bounds(size: i64, start: i64, end: i64, step: i64) -> (i64, i64) {
    let inside = |at: i64| (if at < 0 { at.saturating_add(size) } else { at }).clamp(0, size);
    let (start, end) = (inside(start), inside(end));
    (start, if end <= start { 0 } else { (end - start - 1) / step + 1 })
}
