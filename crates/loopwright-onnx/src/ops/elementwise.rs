//! Element-wise ops.

use super::Row;
use crate::builder::Builder;
use crate::compute::accumulator;
use crate::element::{Data, Element};
use crate::error::Refusal;
use crate::narrowing::Narrowing;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

/// The value of an element-wise function of one float, in at least single precision.
macro_rules! floats {
    ($body:expr) => {
        |node| float_map(node, $body)
    };
}

/// An op of floats of `math`.
macro_rules! math {
    ($name:literal) => {
        floats!(|b, x| b.math($name, x))
    };
}

macro_rules! comparison {
    ($how:expr) => {
        |node| {
            let (x, y) = (node.input(0)?, node.input(1)?);
            node.check_one_type(x, y)?;
            if let Some(result) = known_comparison(node, $how) {
                return Ok(vec![result]);
            }
            Ok(vec![node.map(&[x, y], Element::Bool, |b, v| b.compare($how, v[0], v[1]))?])
        }
    };
}

pub const OPS: &[Row] = &[
    ("Abs", |node| map_same(node, |b, x| b.abs(x))),
    ("Acos", math!("math.acos")),
    ("Acosh", math!("math.acosh")),
    ("Add", |node| arithmetic(node, Arithmetic::Add)),
    ("And", |node| bit_op(node, |b, x, y| b.and(x, y))),
    ("Asin", math!("math.asin")),
    ("Asinh", math!("math.asinh")),
    ("Atan", math!("math.atan")),
    ("Atanh", math!("math.atanh")),
    ("BitCast", bit_cast),
    ("BitShift", bit_shift),
    ("BitwiseAnd", |node| bit_op(node, |b, x, y| b.and(x, y))),
    ("BitwiseNot", not),
    ("BitwiseOr", |node| bit_op(node, |b, x, y| b.or(x, y))),
    ("BitwiseXor", |node| bit_op(node, |b, x, y| b.bits("arith.xori", x, y))),
    ("Cast", |node| {
        let to = node.int("to")?.ok_or_else(|| Refusal::new("has no attribute 'to'"))?;
        cast(node, Element::of_number(to as i32)?)
    }),
    ("CastLike", |node| cast(node, node.input(1)?.element())),
    ("Ceil", math!("math.ceil")),
    ("Celu", |node| {
        let alpha = node.float_or("alpha", 1.0)?;
        float_map(node, |b, x| {
            let zero = b.like(x, 0.0);
            let alpha = b.like(x, alpha);
            let exp = b.sub(b.exp(b.div(x, alpha)), b.like(x, 1.0));
            b.add(b.max(zero, x), b.min(zero, b.mul(alpha, exp)))
        })
    }),
    ("Clip", clip),
    ("Cos", math!("math.cos")),
    ("Cosh", math!("math.cosh")),
    ("Div", |node| arithmetic(node, Arithmetic::Div)),
    ("Dropout", dropout),
    ("Elu", |node| {
        let alpha = node.float_or("alpha", 1.0)?;
        float_map(node, |b, x| {
            let negative = b.mul(b.like(x, alpha), b.sub(b.exp(x), b.like(x, 1.0)));
            b.select(b.compare(Compare::Less, x, b.like(x, 0.0)), negative, x)
        })
    }),
    ("Equal", comparison!(Compare::Equal)),
    ("Erf", math!("math.erf")),
    ("Exp", math!("math.exp")),
    ("Floor", math!("math.floor")),
    ("Gelu", gelu),
    ("Greater", comparison!(Compare::Greater)),
    ("GreaterOrEqual", comparison!(Compare::GreaterOrEqual)),
    ("HardSigmoid", |node| {
        let (alpha, beta) = (node.float_or("alpha", 0.2)?, node.float_or("beta", 0.5)?);
        float_map(node, |b, x| {
            b.clamp(b.add(b.mul(x, b.like(x, alpha)), b.like(x, beta)), 0.0, 1.0)
        })
    }),
    (
        "HardSwish",
        floats!(|b, x| {
            let sixth = b.mul(x, b.like(x, 1.0 / 6.0));
            b.mul(x, b.clamp(b.add(sixth, b.like(x, 0.5)), 0.0, 1.0))
        }),
    ),
    ("Identity", |node| Ok(vec![node.input(0)?.clone()])),
    ("IsInf", is_inf),
    ("IsNaN", |node| {
        let x = node.input(0)?;
        Ok(vec![node.map(&[x], Element::Bool, |b, v| b.is_nan(v[0]))?])
    }),
    ("LeakyRelu", |node| {
        let alpha = node.float_or("alpha", 0.01)?;
        float_map(node, |b, x| {
            let scaled = b.mul(x, b.like(x, alpha));
            b.select(b.compare(Compare::Less, x, b.like(x, 0.0)), scaled, x)
        })
    }),
    ("Less", comparison!(Compare::Less)),
    ("LessOrEqual", comparison!(Compare::LessOrEqual)),
    ("Log", math!("math.log")),
    ("Max", |node| fold(node, |b, x, y| b.max(x, y))),
    ("Mean", |node| {
        let count = node.inputs.len() as f64;
        let sum = fold(node, |b, x, y| b.add(x, y))?;
        let element = sum[0].element();
        Ok(vec![node.map(&[&sum[0]], element, |b, v| b.div(v[0], b.like(v[0], count)))?])
    }),
    ("Min", |node| fold(node, |b, x, y| b.min(x, y))),
    ("Mish", floats!(|b, x| b.mul(x, b.math("math.tanh", softplus(b, x))))),
    ("Mod", |node| {
        let truncates = node.flag("fmod", false)?;
        arithmetic(node, if truncates { Arithmetic::Rem } else { Arithmetic::FloorRem })
    }),
    ("Mul", |node| arithmetic(node, Arithmetic::Mul)),
    ("Neg", |node| map_same(node, |b, x| b.neg(x))),
    ("Not", not),
    ("Or", |node| bit_op(node, |b, x, y| b.or(x, y))),
    ("PRelu", |node| {
        let (x, slope) = (node.input(0)?, node.input(1)?);
        node.check_one_type(x, slope)?;
        Ok(vec![node.map(&[x, slope], x.element(), |b, v| {
            b.select(b.compare(Compare::Less, v[0], b.like(v[0], 0.0)), b.mul(v[0], v[1]), v[0])
        })?])
    }),
    ("Pow", pow),
    ("Reciprocal", floats!(|b, x| b.div(b.like(x, 1.0), x))),
    ("Relu", |node| map_same(node, |b, x| b.max(x, b.like(x, 0.0)))),
    ("Round", math!("math.roundeven")),
    ("Selu", |node| {
        let alpha = node.float_or("alpha", 1.673_263_192_176_818_8)?;
        let gamma = node.float_or("gamma", 1.050_701_022_148_132_3)?;
        float_map(node, |b, x| {
            let negative = b.mul(b.like(x, alpha), b.sub(b.exp(x), b.like(x, 1.0)));
            let is_positive = b.compare(Compare::Greater, x, b.like(x, 0.0));
            b.mul(b.like(x, gamma), b.select(is_positive, x, negative))
        })
    }),
    ("Shrink", |node| {
        let (bias, lambda) = (node.float_or("bias", 0.0)?, node.float_or("lambd", 0.5)?);
        map_same(node, |b, x| {
            let wide = accumulator_or_f64(x.element);
            let value = b.cast(x, wide);
            let bias = b.like(value, bias);
            let low = b.compare(Compare::Less, value, b.like(value, -lambda));
            let high = b.compare(Compare::Greater, value, b.like(value, lambda));
            let inner = b.select(high, b.sub(value, bias), b.like(value, 0.0));
            b.cast(b.select(low, b.add(value, bias), inner), x.element)
        })
    }),
    ("Sigmoid", floats!(|b, x| b.sigmoid(x))),
    ("Sign", |node| {
        map_same(node, |b, x| {
            let (zero, one) = (b.like(x, 0.0), b.like(x, 1.0));
            let positive = b.select(b.compare(Compare::Greater, x, zero), one, zero);
            match x.element.is_float() || x.element.is_signed() {
                true => b.select(b.compare(Compare::Less, x, zero), b.neg(one), positive),
                false => positive,
            }
        })
    }),
    ("Sin", math!("math.sin")),
    ("Sinh", math!("math.sinh")),
    ("Softplus", floats!(softplus)),
    ("Softsign", floats!(|b, x| b.div(x, b.add(b.like(x, 1.0), b.abs(x))))),
    ("Sqrt", math!("math.sqrt")),
    ("Sub", |node| arithmetic(node, Arithmetic::Sub)),
    ("Sum", |node| fold(node, |b, x, y| b.add(x, y))),
    ("Swish", |node| {
        let alpha = node.float_or("alpha", 1.0)?;
        float_map(node, |b, x| b.mul(x, b.sigmoid(b.mul(x, b.like(x, alpha)))))
    }),
    ("Tan", math!("math.tan")),
    ("Tanh", math!("math.tanh")),
    ("ThresholdedRelu", |node| {
        let alpha = node.float_or("alpha", 1.0)?;
        float_map(node, |b, x| {
            let zero = b.like(x, 0.0);
            b.select(b.compare(Compare::Greater, x, b.like(x, alpha)), x, zero)
        })
    }),
    ("Where", select),
    ("Xor", |node| bit_op(node, |b, x, y| b.bits("arith.xori", x, y))),
];

/// `log(1 + exp(x))`, without overflow.
fn softplus<'c>(b: &Builder<'c>, x: Scalar<'c>) -> Scalar<'c> {
    let tail = b.math("math.log1p", b.exp(b.neg(b.abs(x))));
    b.add(b.max(x, b.like(x, 0.0)), tail)
}

/// The element type in which a function is computed: f64 for integers.
fn accumulator_or_f64(element: Element) -> Element {
    if element.is_float() { accumulator(element) } else { Element::F64 }
}

/// A function of one element whose result has its type.
fn map_same<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let x = node.input(0)?;
    Ok(vec![node.map(&[x], x.element(), |b, v| body(b, v[0]))?])
}

/// A function of one float. Shorter floats are computed in f32, and rounded once.
fn float_map<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let x = node.input(0)?;
    let element = x.element();
    node.check_element(x, "floats", Element::is_float)?;
    let wide = accumulator(element);
    Ok(vec![node.map(&[x], element, |b, v| b.cast(body(b, b.cast(v[0], wide)), element))?])
}

/// An op of two operands of one type, whose result has this type.
fn binary<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let (x, y) = (node.input(0)?, node.input(1)?);
    node.check_one_type(x, y)?;
    Ok(vec![node.map(&[x, y], x.element(), |b, v| body(b, v[0], v[1]))?])
}

/// An op on the bits of two integers or bools.
fn bit_op<'c>(
    node: &Node<'_, 'c>,
    body: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    node.check_element(node.input(0)?, "integers or bools", |it| !it.is_float())?;
    binary(node, body)
}

fn not<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    node.check_element(node.input(0)?, "integers or bools", |it| !it.is_float())?;
    map_same(node, |b, x| b.not(x))
}

/// The identity, with a mask of ones: training is refused.
fn dropout<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    if let Some(training) = node.optional(2)
        && training.integers().is_none_or(|it| it.first() != Some(&0))
    {
        return Err(Refusal::new("has training_mode, expected inference"));
    }
    let mask = node.filled(x.sizes(), node.scalar(Element::Bool, 1.0));
    Ok(vec![x.clone(), mask])
}

/// An op of any number of operands, from left to right.
fn fold<'c>(
    node: &Node<'_, 'c>,
    body: impl Fn(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let tensors = node.all_inputs()?;
    let mut result = tensors[0].clone();
    for tensor in &tensors[1..] {
        node.check_one_type(&result, tensor)?;
        result = node.map(&[&result, tensor], result.element(), |b, v| body(b, v[0], v[1]))?;
    }
    Ok(vec![result])
}

#[derive(Clone, Copy)]
enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    FloorRem,
}

/// Arithmetic of two operands: on sizes during the import, where both are known.
fn arithmetic<'c>(node: &Node<'_, 'c>, op: Arithmetic) -> Outputs<'c> {
    let (x, y) = (node.input(0)?, node.input(1)?);
    node.check_one_type(x, y)?;
    if let Some(result) = known_arithmetic(node, op) {
        return Ok(vec![result]);
    }
    let result = node.map(&[x, y], x.element(), |b, v| match op {
        Arithmetic::Add => b.add(v[0], v[1]),
        Arithmetic::Sub => b.sub(v[0], v[1]),
        Arithmetic::Mul => b.mul(v[0], v[1]),
        Arithmetic::Div => b.div(v[0], v[1]),
        Arithmetic::Rem => b.rem(v[0], v[1]),
        Arithmetic::FloorRem => b.floor_rem(v[0], v[1]),
    });
    Ok(vec![result?])
}

/// The pairs of elements of two integer operands of rank 0 or 1, and the rank of the result.
fn known_pairs<'c>(node: &Node<'_, 'c>) -> Option<(Vec<(Size<'c>, Size<'c>)>, usize)> {
    let (x, y) = (node.optional(0)?, node.optional(1)?);
    let rank = x.rank().max(y.rank());
    let is_integer = matches!(x.element(), Element::I64 | Element::I32);
    if rank > 1 || !is_integer {
        return None;
    }
    let (x, y) = (x.elements()?, y.elements()?);
    let count = match (x.len(), y.len()) {
        (1, n) | (n, 1) => n,
        (n, m) if n == m => n,
        _ => return None,
    };
    let at = |list: &[Size<'c>], i: usize| list[if list.len() == 1 { 0 } else { i }];
    Some(((0..count).map(|i| (at(&x, i), at(&y, i))).collect(), rank))
}

fn known_arithmetic<'c>(node: &Node<'_, 'c>, op: Arithmetic) -> Option<Tensor<'c>> {
    let (pairs, rank) = known_pairs(node)?;
    let element = node.optional(0)?.element();
    let compute = |(x, y): (Size<'c>, Size<'c>)| {
        let is_positive = y.known().is_none_or(|y| y > 0);
        Some(match op {
            Arithmetic::Add => node.size_add(x, y),
            Arithmetic::Sub => node.size_sub(x, y),
            Arithmetic::Mul => node.size_mul(x, y),
            Arithmetic::Div if is_positive && x.known().is_none_or(|x| x >= 0) => {
                node.size_div(x, y)
            }
            Arithmetic::Rem | Arithmetic::FloorRem => match (x.known()?, y.known()?) {
                (x, y) if x >= 0 && y > 0 => Size::Known(x % y),
                _ => return None,
            },
            Arithmetic::Div => return None,
        })
    };
    let values: Option<Vec<_>> = pairs.into_iter().map(compute).collect();
    Some(match rank {
        0 => Tensor::integer(values?[0], element),
        _ => Tensor::list(values?, element),
    })
}

/// The constant that a comparison of known integers is.
fn known_comparison<'c>(node: &Node<'_, 'c>, how: Compare) -> Option<Tensor<'c>> {
    let (pairs, rank) = known_pairs(node)?;
    let holds = |(x, y): (Size<'c>, Size<'c>)| {
        if x == y && x.known().is_none() {
            return Some(matches!(
                how,
                Compare::Equal | Compare::LessOrEqual | Compare::GreaterOrEqual
            ));
        }
        // A size is not negative.
        if how == Compare::Equal && (y.known().is_some_and(|y| y < 0) && x.known().is_none()) {
            return Some(false);
        }
        let (x, y) = (x.known()?, y.known()?);
        Some(match how {
            Compare::Equal => x == y,
            Compare::Different => x != y,
            Compare::Less => x < y,
            Compare::LessOrEqual => x <= y,
            Compare::Greater => x > y,
            Compare::GreaterOrEqual => x >= y,
        })
    };
    let values: Option<Vec<_>> = pairs.into_iter().map(holds).collect();
    let bytes: Vec<u8> = values?.into_iter().map(u8::from).collect();
    let dims = vec![bytes.len() as u64; rank];
    Some(Tensor::constant(Data { element: Element::Bool, dims, bytes: bytes.into() }, "comparison"))
}

fn cast<'c>(node: &Node<'_, 'c>, to: Element) -> Outputs<'c> {
    let x = node.input(0)?;
    if let Some(known) = x.with_element(to) {
        return Ok(vec![known]);
    }
    let narrowing = Narrowing::of(node)?;
    Ok(vec![node.map(&[x], to, |b, v| b.narrowed(v[0], to, narrowing))?])
}

fn bit_cast<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let to = node.int("to")?.ok_or_else(|| Refusal::new("has no attribute 'to'"))?;
    let to = Element::of_number(to as i32)?;
    if x.element().bytes() != to.bytes() || (x.element() == Element::Bool) != (to == Element::Bool)
    {
        return Err(Refusal::new(format!(
            "reads the bits of {} as {}, expected types of one width",
            x.element().word(),
            to.word()
        )));
    }
    let result = node.map(&[x], to, |b, v| match x.element().is_float() == to.is_float() {
        true => Scalar { element: to, ..v[0] },
        false => {
            Scalar { value: b.op("arith.bitcast", &[v[0].value], to.ty(b.context())), element: to }
        }
    });
    Ok(vec![result?])
}

fn bit_shift<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, y) = (node.input(0)?, node.input(1)?);
    node.check_one_type(x, y)?;
    node.check_element(x, "integers", |it| !it.is_float() && it != Element::Bool)?;
    let direction = node.string_or("direction", "")?;
    let is_left = match direction.as_str() {
        "LEFT" => true,
        "RIGHT" => false,
        found => return Err(node.refuse_attribute("direction", found, "LEFT or RIGHT")),
    };
    let element = x.element();
    let width = f64::from(element.bits());
    // An amount of the width or more, or a negative one, shifts all bits out.
    Ok(vec![node.map(&[x, y], element, |b, v| {
        let amount = v[1].value;
        let last = b.like(v[1], width - 1.0);
        let fits = Scalar {
            value: b.op("arith.minui", &[amount, last.value], element.ty(b.context())),
            element,
        };
        if !is_left && element.is_signed() {
            return b.bits("arith.shrsi", v[0], fits);
        }
        let shifted = b.bits(if is_left { "arith.shli" } else { "arith.shrui" }, v[0], fits);
        b.select(b.compare(Compare::Equal, v[1], fits), shifted, b.like(v[0], 0.0))
    })?])
}

fn clip<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let element = x.element();
    // Bounds were attributes before version 11.
    if let (min, max @ Some(_)) | (min @ Some(_), max) = (node.float("min")?, node.float("max")?) {
        return map_same(node, |b, x| {
            let low = min.map_or(x, |min| b.max(x, b.like(x, min)));
            max.map_or(low, |max| b.min(low, b.like(low, max)))
        });
    }
    let mut result = x.clone();
    if let Some(min) = node.optional(1) {
        node.check_one_type(x, min)?;
        result = node.map(&[&result, min], element, |b, v| b.max(v[0], v[1]))?;
    }
    if let Some(max) = node.optional(2) {
        node.check_one_type(x, max)?;
        result = node.map(&[&result, max], element, |b, v| b.min(v[0], v[1]))?;
    }
    Ok(vec![result])
}

impl<'c> Builder<'c> {
    /// `x / 2 * (1 + erf(x / sqrt(2)))`.
    pub fn gelu(&self, x: Scalar<'c>) -> Scalar<'c> {
        let erf = self.math("math.erf", self.mul(x, self.like(x, std::f64::consts::FRAC_1_SQRT_2)));
        self.mul(self.mul(self.like(x, 0.5), x), self.add(self.like(x, 1.0), erf))
    }

    /// `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.
    pub fn gelu_by_tanh(&self, x: Scalar<'c>) -> Scalar<'c> {
        let cube = self.mul(self.like(x, 0.044_715), self.mul(x, self.mul(x, x)));
        let scale = self.like(x, (2.0 / std::f64::consts::PI).sqrt());
        let tanh = self.math("math.tanh", self.mul(scale, self.add(x, cube)));
        self.mul(self.mul(self.like(x, 0.5), x), self.add(self.like(x, 1.0), tanh))
    }
}

fn gelu<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    match node.string_or("approximate", "none")?.as_str() {
        "none" => float_map(node, |b, x| b.gelu(x)),
        "tanh" => float_map(node, |b, x| b.gelu_by_tanh(x)),
        found => Err(node.refuse_attribute("approximate", found, "none or tanh")),
    }
}

fn is_inf<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let (positive, negative) =
        (node.flag("detect_positive", true)?, node.flag("detect_negative", true)?);
    Ok(vec![node.map(&[x], Element::Bool, |b, v| {
        let is = |value: f64| b.compare(Compare::Equal, v[0], b.like(v[0], value));
        match (positive, negative) {
            (true, true) => b.or(is(f64::INFINITY), is(f64::NEG_INFINITY)),
            (true, false) => is(f64::INFINITY),
            (false, true) => is(f64::NEG_INFINITY),
            (false, false) => b.scalar(Element::Bool, 0.0),
        }
    })?])
}

/// A power. The exponent may have another type: a float base is computed as floats, an integer base by integer powers.
fn pow<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, y) = (node.input(0)?, node.input(1)?);
    let element = x.element();
    let square = y.data().is_some_and(|data| data.count() == 1 && data.f64s() == [2.0]);
    if square {
        return Ok(vec![node.map(&[x, y], element, |b, v| b.mul(v[0], v[0]))?]);
    }
    let wide = match (element.is_float(), y.element().is_float()) {
        (true, _) => accumulator(element),
        (false, true) => Element::F64,
        (false, false) => {
            return Ok(vec![node.map(&[x, y], element, |b, v| {
                let exponent = b.cast(v[1], element);
                Scalar {
                    value: b.op(
                        "math.ipowi",
                        &[v[0].value, exponent.value],
                        element.ty(b.context()),
                    ),
                    element,
                }
            })?]);
        }
    };
    Ok(vec![node.map(&[x, y], element, |b, v| {
        b.cast(b.powf(b.cast(v[0], wide), b.cast(v[1], wide)), element)
    })?])
}

fn select<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (condition, yes, no) = (node.input(0)?, node.input(1)?, node.input(2)?);
    node.check_one_type(yes, no)?;
    node.check_element(condition, "bools", |it| it == Element::Bool)?;
    if let (Some(conditions), Some(yes), Some(no), 1) =
        (condition.integers(), yes.elements(), no.elements(), condition.rank())
    {
        let count = conditions.len();
        if yes.len() == count && no.len() == count && condition.rank() <= 1 {
            let picked = (0..count).map(|i| if conditions[i] != 0 { yes[i] } else { no[i] });
            return Ok(vec![Tensor::list(picked.collect(), node.input(1)?.element())]);
        }
    }
    let element = yes.element();
    Ok(vec![node.map(&[condition, yes, no], element, |b, v| b.select(v[0], v[1], v[2]))?])
}
