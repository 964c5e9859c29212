//! The tested functions of one argument, and their error bounds.

/// A function that `expand-math` expands, or a combination of such functions.
pub struct Function {
    pub name: &'static str,
    /// The largest error in ulp.
    pub bound: f64,
    /// Computes `%0` from `%x`; `$t` is the type, `$b` the boolean type of its shape, and a number between
    /// `$c` and `$d` is a constant.
    pub body: &'static str,
    pub reference: fn(f64) -> f64,
}

const fn function(
    name: &'static str,
    bound: f64,
    body: &'static str,
    reference: fn(f64) -> f64,
) -> Function {
    Function { name, bound, body, reference }
}

/// All functions; sigmoid in a form that is accurate everywhere, and in the form that models use.
#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    function("acos", 2.0, "%0 = math.acos %x : $t", f64::acos),
    function("acosh", 3.0, "%0 = math.acosh %x : $t", |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
    function("asin", 3.0, "%0 = math.asin %x : $t", f64::asin),
    function("asinh", 3.0, "%0 = math.asinh %x : $t", libm::asinh),
    function("atan", 2.0, "%0 = math.atan %x : $t", f64::atan),
    function("atanh", 3.0, "%0 = math.atanh %x : $t", libm::atanh),
    function("cbrt", 1.0, "%0 = math.cbrt %x : $t", f64::cbrt),
    function("cos", 2.0, "%0 = math.cos %x : $t", f64::cos),
    function("cosh", 2.0, "%0 = math.cosh %x : $t", f64::cosh),
    function("erf", 5.0, "%0 = math.erf %x : $t", libm::erf),
    function("erfc", 1.0, "%0 = math.erfc %x : $t", libm::erfc),
    function("exp", 1.0, "%0 = math.exp %x : $t", f64::exp),
    function("exp2", 2.0, "%0 = math.exp2 %x : $t", f64::exp2),
    function("expm1", 2.0, "%0 = math.expm1 %x : $t", f64::exp_m1),
    function("log", 1.0, "%0 = math.log %x : $t", f64::ln),
    function("log10", 3.0, "%0 = math.log10 %x : $t", f64::log10),
    function("log1p", 2.0, "%0 = math.log1p %x : $t", f64::ln_1p),
    function("log2", 3.0, "%0 = math.log2 %x : $t", f64::log2),
    function("rsqrt", 2.0, "%0 = math.rsqrt %x : $t", |x| 1.0 / x.sqrt()),
    function("sin", 2.0, "%0 = math.sin %x : $t", f64::sin),
    function("sinh", 2.0, "%0 = math.sinh %x : $t", f64::sinh),
    function("tan", 1.0, "%0 = math.tan %x : $t", f64::tan),
    function("tanh", 2.0, "%0 = math.tanh %x : $t", f64::tanh),
    function("sigmoid", 3.0, SIGMOID, |x| 1.0 / (1.0 + (-x).exp())),
    function("sincos", 4.0, "%0, %c = math.sincos %x : $t", f64::sin),
    function("logistic", 3.0, LOGISTIC, logistic),
    function("cube", 1.0, "%c = arith.constant $c3.0$d : $t\n %0 = math.powf %x, %c : $t", |x| x * x * x),
    function("fourth_power", 1.0, "%c = arith.constant $c4.0$d : $t\n %0 = math.powf %x, %c : $t", |x| x * x * (x * x)),
    function("integer_cube", 1.0, "%c = arith.constant $c3$d : $i\n %0 = math.fpowi %x, %c : $t, $i", |x| x * x * x),
    function("square", 1.0, "%c = arith.constant $c2.0$d : $t\n %0 = math.powf %x, %c : $t", |x| x * x),
    function("inverse", 1.0, "%c = arith.constant $c-1.0$d : $t\n %0 = math.powf %x, %c : $t", |x| 1.0 / x),
    function("inverse_square", 1.0, "%c = arith.constant $c-2.0$d : $t\n %0 = math.powf %x, %c : $t", |x| 1.0 / (x * x)),
    function("root", 1.0, "%c = arith.constant $c0.5$d : $t\n %0 = math.powf %x, %c : $t", |x| x.powf(0.5)),
    function("inverse_root", 1.0, "%c = arith.constant $c-0.5$d : $t\n %0 = math.powf %x, %c : $t", |x| x.powf(-0.5)),
];

const SIGMOID: &str = "%a = math.absf %x : $t
    %n = arith.negf %a : $t
    %e = math.exp %n : $t
    %zero = arith.constant $c0.0$d : $t
    %one = arith.constant $c1.0$d : $t
    %s = arith.cmpf olt, %x, %zero : $t
    %t = arith.select %s, %e, %one : $b, $t
    %d = arith.addf %e, %one : $t
    %0 = arith.divf %t, %d : $t";

/// Where the result is subnormal, exp(-x) is infinite and the quotient 0; so the argument is clamped.
const LOGISTIC: &str = "%low = arith.constant $c-87.0$d : $t
    %b = arith.maximumf %x, %low : $t
    %n = arith.negf %b : $t
    %e = math.exp %n : $t
    %one = arith.constant $c1.0$d : $t
    %d = arith.addf %e, %one : $t
    %0 = arith.divf %one, %d : $t";

fn logistic(x: f64) -> f64 {
    let bounded = if x < -87.0 { -87.0 } else { x };
    1.0 / (1.0 + (-bounded).exp())
}
