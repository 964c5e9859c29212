//! Activations of recurrent layers, and those that other ops fuse.

use crate::builder::Builder;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};

/// An activation: its name in small letters, and its numbers.
#[derive(Clone, Debug)]
pub struct Activation {
    name: String,
    alpha: f64,
    beta: f64,
    /// The bound of its operand.
    clip: Option<f64>,
}

/// Activations with their default numbers. None: it has no such number.
const ACTIVATIONS: &[(&str, Option<f64>, Option<f64>)] = &[
    ("affine", Some(1.0), Some(0.0)),
    ("elu", Some(1.0), None),
    ("hardsigmoid", Some(0.2), Some(0.5)),
    ("leakyrelu", Some(0.01), None),
    ("relu", None, None),
    ("scaledtanh", Some(1.0), Some(1.0)),
    ("sigmoid", None, None),
    ("softplus", None, None),
    ("softsign", None, None),
    ("tanh", None, None),
    ("thresholdedrelu", Some(1.0), None),
];

/// An activation that only other ops than recurrent layers have: its numbers are the bounds.
const CLIP: &str = "clip";

impl Activation {
    /// The activation that an op fuses. Numbers that are None are the defaults.
    ///
    /// # Errors
    /// If there is no such activation, or bounds are left out.
    pub fn fused(
        node: &Node<'_, '_>,
        name: &str,
        numbers: [Option<f64>; 2],
    ) -> Result<Activation, Refusal> {
        let lower = name.to_lowercase();
        if let (CLIP, [Some(alpha), Some(beta)]) = (lower.as_str(), numbers) {
            return Ok(Activation { name: lower, alpha, beta, clip: None });
        }
        let row = ACTIVATIONS.iter().find(|(it, ..)| *it == lower);
        let (_, alpha, beta) = row.ok_or_else(|| {
            let names: Vec<_> = ACTIVATIONS.iter().map(|(name, ..)| *name).collect();
            let expected = format!("{}, or clip with two numbers", names.join(", "));
            node.refuse_attribute("activation", name, &expected)
        })?;
        let number = |default: &Option<f64>, i: usize| numbers[i].or(*default).unwrap_or(0.0);
        Ok(Activation { alpha: number(alpha, 0), beta: number(beta, 1), name: lower, clip: None })
    }

    /// The activation without a bound of its operand.
    pub fn unclipped(&self) -> Activation {
        Activation { clip: None, ..self.clone() }
    }

    pub fn apply<'c>(&self, b: &Builder<'c>, x: Scalar<'c>) -> Scalar<'c> {
        let x = self.clip.map_or(x, |clip| b.clamp(x, -clip, clip));
        let (alpha, beta) = (b.like(x, self.alpha), b.like(x, self.beta));
        let (zero, one) = (b.like(x, 0.0), b.like(x, 1.0));
        let or_positive = |negative| b.select(b.compare(Compare::Less, x, zero), negative, x);
        match self.name.as_str() {
            CLIP => b.clamp(x, self.alpha, self.beta),
            "affine" => b.add(b.mul(alpha, x), beta),
            "elu" => or_positive(b.mul(alpha, b.sub(b.exp(x), one))),
            "hardsigmoid" => b.clamp(b.add(b.mul(alpha, x), beta), 0.0, 1.0),
            "leakyrelu" => or_positive(b.mul(alpha, x)),
            "relu" => b.max(x, zero),
            "scaledtanh" => b.mul(alpha, b.math("math.tanh", b.mul(beta, x))),
            "sigmoid" => b.sigmoid(x),
            "softplus" => b.add(b.max(x, zero), b.math("math.log1p", b.exp(b.neg(b.abs(x))))),
            "softsign" => b.div(x, b.add(one, b.abs(x))),
            "thresholdedrelu" => b.select(b.compare(Compare::GreaterOrEqual, x, alpha), x, zero),
            _ => b.math("math.tanh", x),
        }
    }
}

/// Activations of names. The numbers of the attributes belong, in order, to the activations that have some.
pub fn all(node: &Node<'_, '_>, names: Vec<String>) -> Result<Vec<Activation>, Refusal> {
    let mut alphas = node.floats("activation_alpha")?.unwrap_or_default().into_iter();
    let mut betas = node.floats("activation_beta")?.unwrap_or_default().into_iter();
    let clip = node.float("clip")?.filter(|clip| *clip > 0.0);
    let activation = |name: String| {
        let lower = name.to_lowercase();
        let row = ACTIVATIONS.iter().find(|(it, ..)| *it == lower);
        let (_, alpha, beta) = row.ok_or_else(|| {
            node.refuse_attribute("activations", &name, "activations that the op names")
        })?;
        let number = |default: &Option<f64>, given: &mut dyn Iterator<Item = f64>| {
            default.map_or(0.0, |default| given.next().unwrap_or(default))
        };
        let (alpha, beta) = (number(alpha, &mut alphas), number(beta, &mut betas));
        Ok(Activation { name: lower, alpha, beta, clip })
    };
    names.into_iter().map(activation).collect()
}
