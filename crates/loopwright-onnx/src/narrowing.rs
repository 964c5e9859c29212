//! Conversions to floats of at most 8 bits, by the attributes of Cast.

use crate::builder::Builder;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::Scalar;

/// How numbers become floats of at most 8 bits.
#[derive(Clone, Copy)]
pub struct Narrowing {
    /// True if what is too large becomes the largest number.
    saturates: bool,
    /// How a number becomes a power of 2.
    power: PowerRounding,
}

#[derive(Clone, Copy)]
enum PowerRounding {
    Up,
    Down,
    Nearest,
}

impl Narrowing {
    /// By the attributes `saturate` and `round_mode`.
    pub fn of(node: &Node<'_, '_>) -> Result<Narrowing, Refusal> {
        let power = match node.string_or("round_mode", "up")?.as_str() {
            "up" => PowerRounding::Up,
            "down" => PowerRounding::Down,
            "nearest" => PowerRounding::Nearest,
            found => return Err(node.refuse_attribute("round_mode", found, "up, down or nearest")),
        };
        Ok(Narrowing { saturates: node.int_or("saturate", 1)? != 0, power })
    }
}

impl<'c> Builder<'c> {
    /// [`cast`](Self::cast), where `narrowing` says how a number becomes a float of at most 8 bits.
    pub fn narrowed(&self, x: Scalar<'c>, to: Element, narrowing: Narrowing) -> Scalar<'c> {
        let Some(largest) = to.largest() else { return self.cast(x, to) };
        // The smallest power of 2 has a mantissa as an f32.
        let is_double = x.element == Element::F64 || to == Element::F8E8M0;
        let x = self.cast(x, if is_double { Element::F64 } else { Element::F32 });
        let least = if to == Element::F8E8M0 { 1.0 / largest } else { -largest };
        let x = if narrowing.saturates { self.clamp(x, least, largest) } else { x };
        const MANTISSA: u64 = 1 << 52;
        let x = match (to, narrowing.power) {
            (Element::F8E8M0, PowerRounding::Up) => self.power_of_two(x, MANTISSA - 1),
            (Element::F8E8M0, PowerRounding::Down) => self.power_of_two(x, 0),
            _ => x,
        };
        self.cast(x, to)
    }

    /// An f64 without its mantissa, after an addition to its bits.
    fn power_of_two(&self, x: Scalar<'c>, addend: u64) -> Scalar<'c> {
        let reinterpreted = |x: Scalar<'c>, element: Element| {
            let ty = element.ty(self.context());
            Scalar { value: self.op("arith.bitcast", &[x.value], ty), element }
        };
        let bits = reinterpreted(x, Element::I64);
        let raised = self.bits("arith.addi", bits, self.like(bits, addend as f64));
        let mask = self.like(bits, -((1u64 << 52) as f64));
        reinterpreted(self.bits("arith.andi", raised, mask), Element::F64)
    }
}
