//! Rotary positions: pairs of elements are rotated by angles of their positions.

use super::Row;
use super::attention::heads_input;
use super::heads::{Heads, Order};
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::layout::Slice;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("RotaryEmbedding", rotary_embedding)];

fn rotary_embedding<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let x = node.input(0)?;
    let heads = heads_input(node, 0, "num_heads")?;
    let positions = node.optional(3);
    let result = node.rotated(
        &heads,
        [node.input(1)?, node.input(2)?],
        positions,
        &Rotation {
            width: node.int_or("rotary_embedding_dim", 0)?,
            interleaved: node.int_or("interleaved", 0)?,
            scale: 1.0,
        },
    )?;
    Ok(vec![node.reshape(&result.tensor, x.sizes())?])
}

/// How heads are rotated.
pub struct Rotation {
    /// The number of elements of a head that are rotated; 0 for all.
    pub width: i64,
    /// 1 if neighbours are a pair, 0 if an element and that half a width behind it are.
    pub interleaved: i64,
    pub scale: f64,
}

impl<'c> Builder<'c> {
    /// The heads with pairs of elements rotated by the angles of their positions: `cos * x - sin * y` and
    /// `sin * x + cos * y`.
    ///
    /// # Errors
    /// If the sizes do not match.
    pub fn rotated(
        &self,
        heads: &Heads<'c>,
        caches: [&Tensor<'c>; 2],
        positions: Option<&Tensor<'c>>,
        rotation: &Rotation,
    ) -> Result<Heads<'c>, Refusal> {
        let (x, element) = (&heads.tensor, heads.tensor.element());
        let wide = accumulator(element);
        let Size::Known(whole) = heads.width() else {
            return Err(Refusal::new("rotates heads of a size that is not known"));
        };
        let width = if rotation.width == 0 { whole } else { rotation.width };
        if width < 2 || width > whole || width % 2 != 0 {
            return Err(Refusal::new(format!(
                "rotates {width} of {whole} elements, expected an even number of them"
            )));
        }
        let half = Size::Known(width / 2);
        let angle = |cache: &Tensor<'c>| self.angles(cache, positions, heads, half);
        let (cos, sin) = (angle(caches[0])?, angle(caches[1])?);
        let part = |start: i64, size: Size<'c>, step: i64| {
            let all = |size: &Size<'c>| Slice { start: Size::Known(0), size: *size, step: 1 };
            let mut slices: Vec<_> = x.sizes().iter().map(all).collect();
            slices[3] = Slice { start: Size::Known(start), size, step };
            self.slice(x, &slices)
        };
        let is_interleaved = rotation.interleaved != 0;
        let (first, second) = match is_interleaved {
            true => (part(0, half, 2), part(1, half, 2)),
            false => (part(0, half, 1), part(width / 2, half, 1)),
        };
        let combined = |x: &Tensor<'c>, y: &Tensor<'c>, sign: f64| {
            self.check_broadcast(&cos, first.sizes())?;
            self.check_broadcast(&sin, first.sizes())?;
            Ok::<_, Refusal>(self.map_to(first.sizes(), &[x, y, &cos, &sin], element, |b, v| {
                let v: Vec<_> = v.iter().map(|it| b.cast(*it, wide)).collect();
                let (cos, sin) = (b.mul(v[0], v[2]), b.mul(v[1], v[3]));
                let sum = if sign < 0.0 { b.sub(cos, sin) } else { b.add(cos, sin) };
                b.cast(b.mul(sum, b.like(sum, rotation.scale)), element)
            }))
        };
        let (real, imaginary) = (combined(&first, &second, -1.0)?, combined(&second, &first, 1.0)?);
        let mut parts = match is_interleaved {
            true => {
                let pair = [self.unsqueeze(&real, &[4])?, self.unsqueeze(&imaginary, &[4])?];
                vec![self.merged(&self.concat(&pair, 4))?]
            }
            false => vec![real, imaginary],
        };
        if width < whole {
            parts.push(part(width, Size::Known(whole - width), 1));
        }
        Ok(Heads::new(self.concat(&parts, 3), heads.order))
    }

    /// The sines or cosines for heads. The cache has rows for positions, or for the elements of the batches.
    fn angles(
        &self,
        cache: &Tensor<'c>,
        positions: Option<&Tensor<'c>>,
        heads: &Heads<'c>,
        half: Size<'c>,
    ) -> Result<Tensor<'c>, Refusal> {
        let (batch, count) = (heads.batch(), heads.positions());
        let expected = if positions.is_some() { 2 } else { 3 };
        let last = cache.sizes().last().filter(|_| cache.rank() == expected);
        if last.is_none_or(|last| last.known().is_some() && *last != half) {
            return Err(Refusal::new(format!(
                "has a cache of rank {} for {} pairs, expected rank {expected} with a column for each pair",
                cache.rank(),
                half.known().unwrap_or(0)
            )));
        }
        let angles = match positions {
            None => cache.clone(),
            Some(positions) => {
                // A list of one position is that of the first element.
                let is_start = positions.rank() == 1 && positions.known_len() == Some(1);
                if !is_start {
                    if positions.rank() != 2 {
                        return Err(Refusal::new(format!(
                            "has positions of rank {}, expected 2",
                            positions.rank()
                        )));
                    }
                    self.check_broadcast(positions, &[batch, count])?;
                }
                self.generate(&[batch, count, half], cache.element(), |b, v| {
                    let zero = b.index_scalar(0);
                    let row = match is_start {
                        true => {
                            let start = b.extract(positions, &[zero]);
                            b.add(b.cast(start, Element::Index), v[1])
                        }
                        false => {
                            let one = |i: usize| positions.size(i) == Size::Known(1);
                            let at = |i: usize| if one(i) { zero } else { v[i] };
                            b.cast(b.extract(positions, &[at(0), at(1)]), Element::Index)
                        }
                    };
                    let rows = b.size_scalar(cache.size(0));
                    let last = b.sub(rows, b.index_scalar(1));
                    b.extract(cache, &[b.max(b.min(row, last), zero), v[2]])
                })
            }
        };
        self.unsqueeze(&angles, &[if heads.order == Order::HeadsFirst { 1 } else { 2 }])
    }
}
