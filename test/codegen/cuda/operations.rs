//! A kernel for each op and type that `convert-loop-to-gpu` accepts, as text, with operands for it.

use loopwright::interpreter::scalar::{Scalar, ScalarType, round};
use loopwright::interpreter::value::Array;
use loopwright::ir::FloatKind;
use std::fmt::{self, Display, Formatter};

const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64"];
const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64"];

/// Ops on two integers `%a` and `%b` that are defined for all values.
const ON_INTEGERS: &[&str] =
    &["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui"];
const DIVISIONS: &[&str] =
    &["divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"];
const SHIFTS: &[&str] = &["shli", "shrsi", "shrui"];
const COUNTS: &[&str] = &["absi", "ctlz", "ctpop", "cttz"];
const PREDICATES: &[&str] = &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
const ON_FLOATS: &[&str] =
    &["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"];
const MATH: &[&str] = &["absf", "ceil", "floor", "round", "roundeven", "sqrt", "trunc"];
/// Functions, with their errors in ulp of f32 and smaller types; in f64 they are at most 2.
const FUNCTIONS: &[(&str, f64)] = &[
    ("acos", 2.0),
    ("acosh", 3.0),
    ("asin", 3.0),
    ("asinh", 3.0),
    ("atan", 2.0),
    ("atanh", 3.0),
    ("cbrt", 1.0),
    ("cos", 2.0),
    ("cosh", 2.0),
    ("erf", 5.0),
    ("erfc", 1.0),
    ("exp", 1.0),
    ("exp2", 2.0),
    ("expm1", 2.0),
    ("log", 1.0),
    ("log10", 3.0),
    ("log1p", 2.0),
    ("log2", 3.0),
    ("rsqrt", 2.0),
    ("sin", 2.0),
    ("sinh", 2.0),
    ("tan", 1.0),
    ("tanh", 2.0),
];
const CLASSES: &[&str] = &["isnan", "isfinite", "isinf", "isnormal"];
const COMPARISONS: &[&str] = &[
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];

/// The operands to try an op with.
#[derive(Clone, Copy, PartialEq)]
enum Operands {
    Any,
    /// The second operand is neither 0 nor -1.
    Divisor,
    /// The second operand is from 0 to the bit width of the type.
    Shift,
    /// The first operand is not 0, and the second is at least -5.
    Power,
    /// Floats from -100 to 100, or from 0 on.
    Signed,
    Unsigned,
    /// Magnitudes below 2^4.
    Small,
}

/// An operation: computes `%r` from two elements of one type.
pub struct Operation {
    from: &'static str,
    to: &'static str,
    text: String,
    /// The body for the interpreter, which does not support ops with two results.
    reference: Option<String>,
    operands: Operands,
    /// The tolerance of the result in ulp.
    ulps: f64,
}

/// The number of operations in a module; one module of all takes longer than several modules.
const PART: usize = 100;

/// Operations, modules with a function `@f0`, `@f1`, .. for each, and the corresponding modules for the interpreter.
/// The lanes of a loop are vectorised or serial.
pub fn modules(kind: &str) -> Vec<(Vec<Operation>, String, String)> {
    let mut left = operations().into_iter();
    let part = || Some(left.by_ref().take(PART).collect()).filter(|part: &Vec<_>| !part.is_empty());
    let module = |part: Vec<Operation>| {
        let functions = part.iter().enumerate();
        let text = functions.clone().map(|(i, it)| it.function(i, &it.text, kind)).collect();
        let reference = |it: &Operation| it.reference.clone().unwrap_or(it.text.clone());
        let references =
            functions.map(|(i, it)| it.function(i, &reference(it), "serial")).collect();
        (part, text, references)
    };
    std::iter::from_fn(part).map(module).collect()
}

fn operations() -> Vec<Operation> {
    use Operands::{Any, Divisor, Power, Shift, Signed, Small, Unsigned};
    let mut all = vec![];
    let mut push = |from, to, operands, ulps, text: String| {
        all.push(Operation { from, to, text, reference: None, operands, ulps })
    };
    let mut add = |from, to, operands, text: String| push(from, to, operands, 0.0, text);
    for ty in ["i1"].iter().chain(INTEGERS) {
        ON_INTEGERS
            .iter()
            .for_each(|op| add(ty, ty, Any, format!("%r = arith.{op} %a, %b : {ty}")));
        COUNTS.iter().for_each(|op| add(ty, ty, Any, format!("%r = math.{op} %a : {ty}")));
        for predicate in PREDICATES {
            add(ty, ty, Any, chosen(&format!("arith.cmpi {predicate}, %a, %b : {ty}"), ty));
        }
        add(ty, ty, Power, format!("%r = math.ipowi %a, %b : {ty}"));
    }
    for ty in INTEGERS {
        DIVISIONS
            .iter()
            .for_each(|op| add(ty, ty, Divisor, format!("%r = arith.{op} %a, %b : {ty}")));
        SHIFTS.iter().for_each(|op| add(ty, ty, Shift, format!("%r = arith.{op} %a, %b : {ty}")));
        add(ty, "i1", Any, format!("%r = arith.cmpi sle, %a, %b : {ty}"));
        for (op, operands) in DIVISIONS
            .iter()
            .map(|op| (op, Divisor))
            .chain(ON_INTEGERS.iter().map(|op| (op, Any)))
            .chain(SHIFTS.iter().map(|op| (op, Shift)))
        {
            add(ty, ty, operands, on_index(&format!("arith.{op} %i, %j : index"), ty));
        }
        COUNTS
            .iter()
            .for_each(|op| add(ty, ty, Any, on_index(&format!("math.{op} %i : index"), ty)));
        add(ty, ty, Power, on_index("math.ipowi %i, %j : index", ty));
    }
    for ty in FLOATS {
        ON_FLOATS.iter().for_each(|op| add(ty, ty, Any, format!("%r = arith.{op} %a, %b : {ty}")));
        MATH.iter().for_each(|op| add(ty, ty, Any, format!("%r = math.{op} %a : {ty}")));
        add(ty, ty, Any, format!("%r = arith.negf %a : {ty}"));
        add(ty, ty, Any, format!("%r = math.copysign %a, %b : {ty}"));
        add(ty, ty, Any, format!("%r = math.fma %a, %b, %a : {ty}"));
        add(ty, ty, Any, format!("%r = math.clampf %a to [%b, %a] : {ty}"));
        CLASSES.iter().for_each(|op| add(ty, ty, Any, chosen(&format!("math.{op} %a : {ty}"), ty)));
        add(ty, "i1", Any, format!("%r = math.isnan %a : {ty}"));
        for predicate in COMPARISONS {
            add(ty, ty, Any, chosen(&format!("arith.cmpf {predicate}, %a, %b : {ty}"), ty));
        }
        for integer in INTEGERS {
            for op in ["sitofp", "uitofp"] {
                add(integer, ty, Any, format!("%r = arith.{op} %a : {integer} to {ty}"));
            }
            add(ty, integer, Signed, format!("%r = arith.fptosi %a : {ty} to {integer}"));
            add(ty, integer, Unsigned, format!("%r = arith.fptoui %a : {ty} to {integer}"));
        }
        for op in ["sitofp", "uitofp"] {
            add("i1", ty, Any, format!("%r = arith.{op} %a : i1 to {ty}"));
        }
    }
    for (op, from, to) in [
        ("extf", "f16", "f32"),
        ("extf", "f16", "f64"),
        ("extf", "bf16", "f32"),
        ("extf", "bf16", "f64"),
        ("extf", "f32", "f64"),
        ("truncf", "f32", "f16"),
        ("truncf", "f64", "f16"),
        ("truncf", "f64", "bf16"),
        ("truncf", "f32", "bf16"),
        ("truncf", "f64", "f32"),
        ("extsi", "i1", "i8"),
        ("extui", "i1", "i64"),
        ("extsi", "i8", "i64"),
        ("extui", "i16", "i32"),
        ("trunci", "i64", "i8"),
        ("trunci", "i32", "i1"),
        ("bitcast", "i32", "f32"),
        ("bitcast", "f64", "i64"),
        ("bitcast", "bf16", "i16"),
        ("bitcast", "i16", "f16"),
    ] {
        add(from, to, Any, format!("%r = arith.{op} %a : {from} to {to}"));
    }
    for ty in FLOATS {
        // The reference is a function of f64, whose error may be almost an ulp.
        let bound = |ulps: f64| if *ty == "f64" { ulps.max(2.0) + 1.0 } else { ulps };
        for (op, ulps) in FUNCTIONS {
            for operands in [Any, Small] {
                push(ty, ty, operands, bound(*ulps), format!("%r = math.{op} %a : {ty}"));
            }
        }
        push(ty, ty, Any, 2.0, format!("%r = math.atan2 %a, %b : {ty}"));
        push(ty, ty, Any, bound(1.0), format!("%r = math.powf %a, %b : {ty}"));
        let integer = format!("%n = arith.fptosi %b : {ty} to i32");
        let power = format!("{integer}\n%r = math.fpowi %a, %n : {ty}, i32");
        push(ty, ty, Signed, bound(1.0), power);
    }
    all.extend(of_two_results());
    all
}

fn of_two_results() -> Vec<Operation> {
    let mut all = vec![];
    let mut push = |ty, to, ulps, text: String, reference: String| {
        let operands = Operands::Any;
        all.push(Operation { from: ty, to, text, reference: Some(reference), operands, ulps })
    };
    for (ty, twice) in [("i8", "i16"), ("i16", "i32"), ("i32", "i64"), ("i64", "i64")] {
        for (op, extend) in [("mulsi_extended", "extsi"), ("mului_extended", "extui")] {
            let low = format!("%r, %o = arith.{op} %a, %b : {ty}");
            push(ty, ty, 0.0, low, format!("%r = arith.muli %a, %b : {ty}"));
            if ty != "i64" {
                let high = format!(
                    "%x = arith.{extend} %a : {ty} to {twice}
        %y = arith.{extend} %b : {ty} to {twice}
        %p = arith.muli %x, %y : {twice}
        %n = arith.constant {} : {twice}
        %h = arith.shrui %p, %n : {twice}
        %r = arith.trunci %h : {twice} to {ty}",
                    &ty[1..]
                );
                push(ty, ty, 0.0, format!("%o, %r = arith.{op} %a, %b : {ty}"), high);
            }
        }
        let sum = format!("%r = arith.addi %a, %b : {ty}");
        push(ty, ty, 0.0, format!("%r, %o = arith.addui_extended %a, %b : {ty}, i1"), sum);
        let carry = format!("%s = arith.addi %a, %b : {ty}\n%r = arith.cmpi ult, %s, %a : {ty}");
        push(ty, "i1", 0.0, format!("%o, %r = arith.addui_extended %a, %b : {ty}, i1"), carry);
    }
    for ty in FLOATS {
        for (results, one) in [("%r, %o", "sin"), ("%o, %r", "cos")] {
            let text = format!("{results} = math.sincos %a : {ty}");
            push(ty, ty, 2.0, text, format!("%r = math.{one} %a : {ty}"));
        }
    }
    all
}

/// One of the two elements, selected by a condition.
fn chosen(condition: &str, ty: &str) -> String {
    format!("%c = {condition}\n      %r = arith.select %c, %a, %b : {ty}")
}

/// Applies an op to the two elements as indices `%i` and `%j`.
fn on_index(op: &str, ty: &str) -> String {
    format!(
        "%i = arith.index_cast %a : {ty} to index
        %j = arith.index_cast %b : {ty} to index
        %k = {op}
        %r = arith.index_cast %k : index to {ty}"
    )
}

/// Numbers at which ops change their behaviour; the others are random.
const WHOLE: &[i64] =
    &[0, 1, -1, 2, 3, 7, -7, 127, -128, 255, 32767, -32768, 65535, i64::MAX, i64::MIN];
const FLOATING: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.49999999999999994,
    3.0,
    -8.0,
    1e-3,
    65504.0,
    -65536.0,
    1e-7,
    1e-39,
    -1e-41,
    1e-310,
    3e38,
    -1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn scalar_type(name: &str) -> ScalarType {
    match name {
        "f16" => ScalarType::Float(FloatKind::F16),
        "bf16" => ScalarType::Float(FloatKind::BF16),
        "f32" => ScalarType::Float(FloatKind::F32),
        "f64" => ScalarType::Float(FloatKind::F64),
        // Booleans are bytes in memory.
        "i1" => ScalarType::Int(8),
        name => ScalarType::Int(name[1..].parse().expect("an integer type")),
    }
}

const CELLS: usize = 128 * 4;

impl Display for Operation {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{} on {}", self.text, self.from)
    }
}

impl Operation {
    /// The contents of the function's arguments.
    pub fn arguments(&self) -> Vec<Array> {
        let from = scalar_type(self.from);
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as i64
        };
        let (mut first, mut second) = (vec![], vec![]);
        for i in 0..CELLS {
            let (a, b) = match from {
                ScalarType::Float(kind) => {
                    let mut number = |special: usize| {
                        let n = next();
                        let fraction = (n % 65536) as f64 / 65536.0;
                        let sign = if n >> 20 & 1 == 0 { 1.0 } else { -1.0 };
                        let value = match self.operands {
                            Operands::Signed => fraction * 200.0 - 100.0,
                            Operands::Unsigned => fraction * 100.0,
                            Operands::Small => {
                                sign * (fraction + 2f64.powi(-16))
                                    * 2f64.powi((n >> 24) as i32 % 8 - 3)
                            }
                            _ => match FLOATING.get(special) {
                                Some(value) => *value,
                                None => {
                                    sign * (1.0 + fraction)
                                        * 2f64.powi((n >> 24) as i32 % 256 - 128)
                                }
                            },
                        };
                        Scalar::Float(round(kind, value))
                    };
                    // All pairs of special numbers come first.
                    (number(i % FLOATING.len()), number(i / FLOATING.len()))
                }
                _ => {
                    let mut number = |special: usize| match WHOLE.get(special) {
                        Some(value) => from.wrap(*value),
                        None => from.wrap(next() >> (next() % 53)),
                    };
                    let (a, b) = (number(i % WHOLE.len()), number(i / WHOLE.len()));
                    let (a, b) = match self.operands {
                        Operands::Divisor if b == 0 || b == -1 => (a, 3),
                        Operands::Shift => (a, b.rem_euclid(from.bits().into())),
                        Operands::Power if self.from == "i1" => (1, b),
                        Operands::Power => (if a == 0 { 3 } else { a }, b.rem_euclid(70) - 5),
                        _ => (a, b),
                    };
                    (Scalar::Int(a), Scalar::Int(b))
                }
            };
            first.push(a);
            second.push(b);
        }
        let array = |ty, cells| Array { ty, shape: vec![128, 4], cells };
        let result = array(scalar_type(self.to), vec![Scalar::Undefined; CELLS]);
        vec![array(from, first), array(from, second), result]
    }

    /// True if a result matches that of the interpreter.
    pub fn accepts(&self, found: Scalar, expected: Scalar) -> bool {
        let (Scalar::Float(found), Scalar::Float(expected)) = (found, expected) else {
            return found == expected;
        };
        if found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()) {
            return true;
        }
        let (digits, least) = match self.to {
            "f16" => (11, -14),
            "bf16" => (8, -126),
            "f32" => (24, -126),
            _ => (53, -1022),
        };
        let exponent = (expected.abs().to_bits() >> 52) as i32 - 1023;
        let unit = 2f64.powi((exponent.max(least) - digits + 1).max(-1074));
        found.is_sign_negative() == expected.is_sign_negative()
            && (found - expected).abs() <= self.ulps * unit
    }

    fn function(&self, i: usize, text: &str, kind: &str) -> String {
        let Operation { from, to, .. } = self;
        let in_memory = |ty: &str| if ty == "i1" { "i8".to_owned() } else { ty.to_owned() };
        let (source, target) = (in_memory(from), in_memory(to));
        let loaded = |name: &str, array: &str| match *from {
            "i1" => format!(
                "%{name}8 = memref.load %{array}[%v, %w] : memref<128x4xi8>
        %{name} = arith.trunci %{name}8 : i8 to i1"
            ),
            ty => format!("%{name} = memref.load %{array}[%v, %w] : memref<128x4x{ty}>"),
        };
        let (a, b) = (loaded("a", "A"), loaded("b", "B"));
        let stored = match *to {
            "i1" => "%r8 = arith.extui %r : i1 to i8
        memref.store %r8, %C[%v, %w] : memref<128x4xi8>"
                .to_owned(),
            ty => format!("memref.store %r, %C[%v, %w] : memref<128x4x{ty}>"),
        };
        format!(
            r#"func.func @f{i}(%A: memref<128x4x{source}>, %B: memref<128x4x{source}>, %C: memref<128x4x{target}>) {{
  loop.for thread_bind[threadIdx.x] %t in 128 {{
    loop.for {kind} %l in 4 {{
      loop.block "C" [%v: spatial 128, %w: spatial 4] = (%t, %l)
          reads(%A[%v : 1, %w : 1], %B[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {{
        {a}
        {b}
        {text}
        {stored}
      }}
    }}
  }}
  return
}}
"#
        )
    }
}
