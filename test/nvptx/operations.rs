//! A kernel for each op and type that `convert-loop-to-gpu` accepts, as text.

const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64"];
const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64"];

/// Of two integers `%a` and `%b`.
const ON_INTEGERS: &[&str] = &[
    "addi",
    "subi",
    "muli",
    "divsi",
    "divui",
    "remsi",
    "remui",
    "ceildivsi",
    "ceildivui",
    "floordivsi",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrsi",
    "shrui",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
];
const ON_FLOATS: &[&str] =
    &["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"];
const MATH: &[&str] = &["absf", "ceil", "floor", "roundeven", "sqrt", "trunc", "rsqrt"];
/// Of f32 and less.
const FUNCTIONS: &[&str] = &[
    "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin",
    "sinh", "tan", "tanh",
];
const CLASSES: &[&str] = &["isnan", "isfinite", "isinf", "isnormal"];

/// What a body computes: from two elements of one type `%r` of another.
struct Operation {
    from: &'static str,
    to: &'static str,
    text: String,
}

/// A module with a function for each operation; the lanes of its loop are vectors, or come one after the other.
pub fn module(kind: &str) -> String {
    operations().iter().enumerate().map(|(i, operation)| operation.function(i, kind)).collect()
}

fn operations() -> Vec<Operation> {
    let mut all = vec![];
    let mut add = |from, to, text: String| all.push(Operation { from, to, text });
    for ty in INTEGERS {
        ON_INTEGERS.iter().for_each(|op| add(ty, ty, format!("%r = arith.{op} %a, %b : {ty}")));
        add(ty, ty, format!("%r = math.absi %a : {ty}"));
        add(ty, ty, format!("%r, %o = arith.addui_extended %a, %b : {ty}, i1"));
        for op in ["mulsi_extended", "mului_extended"] {
            add(ty, ty, format!("%r, %o = arith.{op} %a, %b : {ty}"));
        }
        for predicate in ["eq", "slt", "ule"] {
            add(ty, ty, chosen(&format!("arith.cmpi {predicate}, %a, %b : {ty}"), ty));
        }
    }
    for ty in FLOATS {
        ON_FLOATS.iter().for_each(|op| add(ty, ty, format!("%r = arith.{op} %a, %b : {ty}")));
        MATH.iter().for_each(|op| add(ty, ty, format!("%r = math.{op} %a : {ty}")));
        if *ty != "f64" {
            FUNCTIONS.iter().for_each(|op| add(ty, ty, format!("%r = math.{op} %a : {ty}")));
            add(ty, ty, format!("%r = math.powf %a, %b : {ty}"));
            add(ty, ty, format!("%r, %o = math.sincos %a : {ty}"));
        }
        add(ty, ty, format!("%r = arith.negf %a : {ty}"));
        add(ty, ty, format!("%r = math.copysign %a, %b : {ty}"));
        add(ty, ty, format!("%r = math.fma %a, %b, %a : {ty}"));
        add(ty, ty, format!("%r = math.clampf %a to [%b, %a] : {ty}"));
        CLASSES.iter().for_each(|op| add(ty, ty, chosen(&format!("math.{op} %a : {ty}"), ty)));
        for predicate in ["oeq", "olt", "une", "ord", "uno", "ueq"] {
            add(ty, ty, chosen(&format!("arith.cmpf {predicate}, %a, %b : {ty}"), ty));
        }
        for integer in INTEGERS {
            for op in ["sitofp", "uitofp"] {
                add(integer, ty, format!("%r = arith.{op} %a : {integer} to {ty}"));
            }
            for op in ["fptosi", "fptoui"] {
                add(ty, integer, format!("%r = arith.{op} %a : {ty} to {integer}"));
            }
        }
    }
    for (op, from, to) in [
        ("extf", "f16", "f32"),
        ("extf", "bf16", "f64"),
        ("extf", "f32", "f64"),
        ("truncf", "f64", "f16"),
        ("truncf", "f64", "bf16"),
        ("truncf", "f32", "bf16"),
        ("truncf", "f64", "f32"),
        ("extsi", "i8", "i64"),
        ("extui", "i16", "i32"),
        ("trunci", "i64", "i8"),
        ("bitcast", "i32", "f32"),
        ("bitcast", "f64", "i64"),
        ("bitcast", "bf16", "i16"),
        ("bitcast", "i16", "f16"),
    ] {
        add(from, to, format!("%r = arith.{op} %a : {from} to {to}"));
    }
    all
}

/// One of the two elements, by a condition.
fn chosen(condition: &str, ty: &str) -> String {
    format!("%c = {condition}\n      %r = arith.select %c, %a, %b : {ty}")
}

impl Operation {
    fn function(&self, i: usize, kind: &str) -> String {
        let Operation { from, to, text } = self;
        format!(
            r#"func.func @f{i}(%A: memref<64x8x{from}>, %B: memref<64x8x{from}>, %C: memref<64x8x{to}>) {{
  loop.for thread_bind[threadIdx.x] %t in 64 {{
    loop.for {kind} %l in 8 {{
      loop.block "C" [%v: spatial 64, %w: spatial 8] = (%t, %l)
          reads(%A[%v : 1, %w : 1], %B[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {{
        %a = memref.load %A[%v, %w] : memref<64x8x{from}>
        %b = memref.load %B[%v, %w] : memref<64x8x{from}>
        {text}
        memref.store %r, %C[%v, %w] : memref<64x8x{to}>
      }}
    }}
  }}
  return
}}
"#
        )
    }
}
