//! Tensors with attention heads, in both orders of their dimensions.

use crate::builder::Builder;
use crate::error::Refusal;
use crate::size::Size;
use crate::tensor::Tensor;

/// The order of the dimensions of a tensor of heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Batch, head, position, element.
    HeadsFirst,
    /// Batch, position, head, element.
    PositionsFirst,
}

/// A tensor of rank 4 with heads.
#[derive(Clone)]
pub struct Heads<'c> {
    pub tensor: Tensor<'c>,
    pub order: Order,
}

impl<'c> Heads<'c> {
    pub fn new(tensor: Tensor<'c>, order: Order) -> Heads<'c> {
        Heads { tensor, order }
    }

    pub fn batch(&self) -> Size<'c> {
        self.tensor.size(0)
    }

    pub fn heads(&self) -> Size<'c> {
        self.tensor.size(if self.order == Order::HeadsFirst { 1 } else { 2 })
    }

    pub fn positions(&self) -> Size<'c> {
        self.tensor.size(if self.order == Order::HeadsFirst { 2 } else { 1 })
    }

    /// The number of elements of a head.
    pub fn width(&self) -> Size<'c> {
        self.tensor.size(3)
    }

    /// The tensor with its heads before its positions.
    pub fn heads_first(&self, b: &Builder<'c>) -> Tensor<'c> {
        match self.order {
            Order::HeadsFirst => self.tensor.clone(),
            Order::PositionsFirst => b.transpose(&self.tensor, &[0, 2, 1, 3]),
        }
    }

    /// The heads in groups of `group`, of rank 5. A group of 1 adds no dimension.
    pub fn grouped(
        &self,
        b: &Builder<'c>,
        groups: Size<'c>,
        group: i64,
    ) -> Result<Tensor<'c>, Refusal> {
        let sizes = match (group, self.order) {
            (1, _) => return Ok(self.tensor.clone()),
            (_, Order::HeadsFirst) => {
                [self.batch(), groups, Size::Known(group), self.positions(), self.width()]
            }
            (_, Order::PositionsFirst) => {
                [self.batch(), self.positions(), groups, Size::Known(group), self.width()]
            }
        };
        b.reshape(&self.tensor, &sizes)
    }
}

/// The indices of heads: `head` has one index, or two in groups.
pub fn indices(
    order: Order,
    batch: &str,
    head: &[String],
    position: &str,
    element: &str,
) -> Vec<String> {
    let mut indices = vec![batch.to_owned()];
    match order {
        Order::HeadsFirst => {
            indices.extend_from_slice(head);
            indices.push(position.to_owned());
        }
        Order::PositionsFirst => {
            indices.push(position.to_owned());
            indices.extend_from_slice(head);
        }
    }
    indices.push(element.to_owned());
    indices
}

impl<'c> Builder<'c> {
    /// A tensor of rank 3 with heads in its last dimension, split.
    pub fn split_heads(&self, x: &Tensor<'c>, heads: i64) -> Result<Heads<'c>, Refusal> {
        let width = match x.rank() {
            3 => x.size(2),
            rank => {
                return Err(Refusal::new(format!(
                    "has heads in a tensor of rank {rank}, expected 3"
                )));
            }
        };
        if heads < 1 || width.known().is_some_and(|width| width % heads != 0) {
            return Err(Refusal::new(format!(
                "has {heads} heads, expected a positive divisor of the last size"
            )));
        }
        let width = self.size_div(width, Size::Known(heads));
        let tensor = self.reshape(x, &[x.size(0), x.size(1), Size::Known(heads), width])?;
        Ok(Heads::new(tensor, Order::PositionsFirst))
    }

    /// The keys or values of before, and those that follow.
    pub fn extended(&self, past: &Tensor<'c>, new: &Heads<'c>) -> Result<Heads<'c>, Refusal> {
        let new = new.heads_first(self);
        let fits = |i: usize| {
            let (past, new) = (past.size(i).known(), new.size(i).known());
            past.is_none() || new.is_none() || past == new
        };
        if past.rank() != 4 || past.element() != new.element() || ![0, 1, 3].into_iter().all(fits) {
            return Err(Refusal::new("has past keys or values of other sizes than the new ones"));
        }
        Ok(Heads::new(self.concat(&[past.clone(), new], 2), Order::HeadsFirst))
    }

    /// The two last dimensions of a tensor as one.
    pub fn merged(&self, x: &Tensor<'c>) -> Result<Tensor<'c>, Refusal> {
        let (rest, last) = x.sizes().split_at(x.rank().saturating_sub(2));
        let mut sizes = rest.to_vec();
        sizes.push(self.size_product(last));
        self.reshape(x, &sizes)
    }
}
