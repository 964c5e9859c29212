//! The kernels of `Inputs`: their arguments, and their expected results by plain loops.

use half::bf16;
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::value::Array;
use loopwright::ir::FloatKind;

/// The input files; each may have several functions.
pub const FILES: &[&str] =
    &["elementwise.mlir", "shared.mlir", "reduction.mlir", "across.mlir", "lanes.mlir"];

/// A call, and the expected contents of its arguments.
pub struct Case {
    pub function: &'static str,
    pub arguments: Vec<Array>,
    /// The expected results, by argument index.
    pub expected: Vec<(usize, Vec<f64>)>,
    /// The relative tolerance.
    pub tolerance: f64,
}

pub const F32: ScalarType = ScalarType::Float(FloatKind::F32);
const F64: ScalarType = ScalarType::Float(FloatKind::F64);
const F16: ScalarType = ScalarType::Float(FloatKind::F16);
const BF16: ScalarType = ScalarType::Float(FloatKind::BF16);

/// Integers from -50 to 50; neighbours differ widely.
fn number(i: usize, salt: usize) -> f64 {
    ((i * 37 + salt * 17 + 11) % 101) as f64 - 50.0
}

pub fn numbers(count: usize, salt: usize) -> Vec<f64> {
    (0..count).map(|i| number(i, salt)).collect()
}

pub fn array(ty: ScalarType, shape: &[usize], values: &[f64]) -> Array {
    let cell = |value: &f64| match ty {
        ScalarType::Float(_) => Scalar::Float(*value),
        _ => Scalar::Int(*value as i64),
    };
    Array { ty, shape: shape.to_vec(), cells: values.iter().map(cell).collect() }
}

pub fn undefined(ty: ScalarType, shape: &[usize]) -> Array {
    Array::undefined(ty, shape.to_vec()).expect("a small array")
}

pub fn case(function: &'static str, inputs: Vec<Array>, outputs: Vec<(Array, Vec<f64>)>) -> Case {
    let mut arguments = inputs;
    let mut expected = vec![];
    for (array, values) in outputs {
        expected.push((arguments.len(), values));
        arguments.push(array);
    }
    Case { function, arguments, expected, tolerance: 0.0 }
}

/// Maps an f32 array to another of the same shape.
fn map(function: &'static str, shape: &[usize], of: impl Fn(usize, f64) -> f64) -> Case {
    let values = numbers(shape.iter().product(), 1);
    let result = values.iter().enumerate().map(|(i, value)| of(i, *value)).collect();
    case(function, vec![array(F32, shape, &values)], vec![(undefined(F32, shape), result)])
}

/// Combines two f32 arrays to a third of the same shape.
fn zip(function: &'static str, shape: &[usize], of: impl Fn(f64, f64) -> f64) -> Case {
    let n = shape.iter().product();
    let (a, b) = (numbers(n, 1), numbers(n, 2));
    let result = a.iter().zip(&b).map(|(a, b)| of(*a, *b)).collect();
    let inputs = vec![array(F32, shape, &a), array(F32, shape, &b)];
    case(function, inputs, vec![(undefined(F32, shape), result)])
}

/// The cases of a file.
pub fn cases(file: &str) -> Vec<Case> {
    match file {
        "elementwise.mlir" => elementwise(),
        "shared.mlir" => shared(),
        "across.mlir" => across(),
        "lanes.mlir" => lanes(),
        _ => reduction(),
    }
}

fn elementwise() -> Vec<Case> {
    let mut cases = vec![
        map("scale", &[1000], |_, a| a + a),
        zip("add_2d", &[33, 45], |a, b| a + b),
        vectors(),
        map("in_one_thread", &[4, 4, 3, 8], |_, a| -a),
        transposed("vectors_apart", 16, 11),
        small_floats(),
        math(),
        integers(),
        stencil(),
    ];
    cases.extend([0, 1, 63, 64, 200].map(|n| map("scale_dynamic", &[n], |_, a| a * a)));
    let sizes = [[0, 5], [1, 1], [3, 32], [7, 45]];
    cases.extend(sizes.map(|shape| zip("add_dynamic", &shape, |a, b| a - b)));
    cases
}

fn vectors() -> Case {
    let (a, b) = (numbers(64 * 32, 1), numbers(32, 2));
    let result = (0..64 * 32).map(|i| a[i] * b[i % 32]).collect();
    let inputs = vec![array(F32, &[64, 32], &a), array(F32, &[32], &b)];
    case("vectors", inputs, vec![(undefined(F32, &[64, 32]), result)])
}

fn transposed(function: &'static str, rows: usize, columns: usize) -> Case {
    let a = numbers(rows * columns, 1);
    let result = (0..rows * columns).map(|i| a[i % rows * columns + i / rows]).collect();
    let input = array(F32, &[rows, columns], &a);
    case(function, vec![input], vec![(undefined(F32, &[columns, rows]), result)])
}

fn small_floats() -> Case {
    // Not all products and sums have 8 digits.
    let values = |salt| -> Vec<f64> {
        numbers(512, salt).iter().map(|n| bf16::from_f64(n / 3.0).to_f64()).collect()
    };
    let (a, b) = (values(1), values(2));
    // Products and sums of two bf16 of similar magnitude are exact in f64.
    let rounded = |exact: f64| bf16::from_f64(exact).to_f64();
    let result = a.iter().zip(&b).map(|(a, b)| rounded(rounded(a * b) + a)).collect();
    let inputs = vec![array(BF16, &[512], &a), array(BF16, &[512], &b)];
    case("bf16", inputs, vec![(undefined(BF16, &[512]), result)])
}

fn math() -> Case {
    let values: Vec<f64> = numbers(128, 3).iter().map(|n| n * 0.375).collect();
    let of = |a: f64| {
        let a = a as f32;
        let inverse = 1.0 / (a.abs() + 1.0).sqrt();
        let fused = a.abs().sqrt().mul_add(a.floor(), a.ceil());
        let most = fused.max(a.trunc().min(a.round_ties_even()));
        let sum = most + inverse + 3_f32.copysign(a);
        f64::from(sum - sum.clamp(1.0, 3.0))
    };
    let first = values.iter().map(|a| of(*a)).collect();
    let second = values.iter().map(|a| a.abs()).collect();
    let outputs = vec![(undefined(F32, &[128]), first), (undefined(F64, &[128]), second)];
    // The interpreter rounds rsqrt once, which differences of close numbers show.
    Case { tolerance: 1e-5, ..case("math", vec![array(F32, &[128], &values)], outputs) }
}

fn integers() -> Case {
    let (a, b) = (numbers(96, 1), numbers(96, 2));
    let of = |(a, b): (&f64, &f64)| {
        let (a, b) = (*a as i32, *b as i32);
        let up = -(-b).div_euclid(7);
        f64::from((a.div_euclid(7) ^ up) + a.abs().max(b))
    };
    let result = a.iter().zip(&b).map(of).collect();
    let (int, byte) = (ScalarType::Int(32), ScalarType::Int(8));
    let inputs = vec![array(int, &[96], &a), array(byte, &[96], &b)];
    case("integers", inputs, vec![(undefined(int, &[96]), result)])
}

fn stencil() -> Case {
    let at = |i: usize| if (1..=200).contains(&i) { number(i - 1, 1) } else { 0.0 };
    map("stencil", &[200], |i, _| at(i + 2) - at(i))
}

fn product(a: &[f64], b: &[f64], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let cell = |i: usize| (0..k).map(|l| a[i / n * k + l] * b[l * n + i % n]).sum();
    (0..m * n).map(cell).collect()
}

fn matmul(function: &'static str, [m, n, k]: [usize; 3]) -> Case {
    let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
    let result = product(&a, &b, [m, n, k]);
    let inputs = vec![array(F32, &[m, k], &a), array(F32, &[k, n], &b)];
    case(function, inputs, vec![(undefined(F32, &[m, n]), result)])
}

fn row_sums(function: &'static str, rows: usize, columns: usize) -> Case {
    let a = numbers(rows * columns, 1);
    let row = |i: usize| a[i * columns..(i + 1) * columns].iter().sum();
    let result = (0..rows).map(row).collect();
    let input = array(F32, &[rows, columns], &a);
    case(function, vec![input], vec![(undefined(F32, &[rows]), result)])
}

fn shared() -> Vec<Case> {
    let a = numbers(24, 1);
    let reversed = a.iter().rev().copied().collect();
    let repeated = (0..64).map(|i| a[i % 24]).collect();
    let outputs = vec![(undefined(F32, &[24]), reversed), (undefined(F32, &[64]), repeated)];
    vec![
        transposed("transpose", 64, 96),
        matmul("matmul", [32, 40, 48]),
        map("first_thread", &[6, 32], |i, a| a - number(i / 32 * 32, 1)),
        case("fewer_threads", vec![array(F32, &[24], &a)], outputs),
        row_sums("tree", 8, 64),
        handed_on(),
        handed_around("hand_around", 33),
        handed_around("hand_around_shared", 32),
        reversed_whole(),
    ]
}

/// Uses a copy of 64 KiB in shared memory, which is more than a block may declare statically.
fn reversed_whole() -> Case {
    let a = numbers(16384, 1);
    let reversed = a.iter().rev().copied().collect();
    let result = (undefined(F32, &[16384]), reversed);
    case("reverse_whole", vec![array(F32, &[16384], &a)], vec![result])
}

/// Four times, each of the first 32 threads takes its right neighbour's number.
fn handed_on() -> Case {
    let moved = |i: usize| if i < 32 { (i + 4).min(32) as f64 } else { i as f64 };
    let all = (undefined(F32, &[36]), (0..36).map(moved).collect());
    case("hand_on", vec![], vec![all, (undefined(F32, &[32]), (0..32).map(moved).collect())])
}

/// Three times, each element takes its right neighbour's number; 100 follows the last one.
fn handed_around(function: &'static str, count: usize) -> Case {
    let moved = |i: usize| if i < 29 { (i + 3) as f64 } else { 100.0 };
    case(function, vec![], vec![(undefined(F32, &[count]), (0..count).map(moved).collect())])
}

/// The maximum of each row.
fn row_max(function: &'static str, rows: usize, columns: usize) -> Case {
    let a = numbers(rows * columns, 1);
    let cell = |i: usize| {
        a[i * columns..(i + 1) * columns].iter().copied().fold(f64::NEG_INFINITY, f64::max)
    };
    let result = (0..rows).map(cell).collect();
    let input = array(F32, &[rows, columns], &a);
    case(function, vec![input], vec![(undefined(F32, &[rows]), result)])
}

/// Sums of integers, which are exact in any order.
fn across() -> Vec<Case> {
    let sizes = [(3, 100), (1, 1), (2, 24), (4, 0), (5, 23)];
    let sums = sizes.map(|(rows, columns)| row_sums("row_sum_across", rows, columns));
    sums.into_iter().chain([row_max("row_max_across", 10, 33)]).collect()
}

fn lanes() -> Vec<Case> {
    let mut cases = vec![
        softmax("softmax_32", 59),
        softmax("softmax_128", 251),
        softmax("softmax_256", 507),
        softmax("softmax_1024", 2043),
        layernorm("layernorm_32", 16, 61),
        layernorm("layernorm_128", 4, 253),
        layernorm("layernorm_256", 2, 509),
        layernorm("layernorm_1024", 2, 2045),
    ];
    let int = ScalarType::Int;
    let types = [
        ("sum_of_i8", int(8)),
        ("sum_of_i16", int(16)),
        ("sum_of_i32", int(32)),
        ("sum_of_i64", int(64)),
        ("sum_of_f16", F16),
        ("sum_of_bf16", BF16),
    ];
    // Small sums, which all types represent.
    let a: Vec<f64> = numbers(5 * 64, 1).iter().map(|a| (a + 50.0) % 3.0 - 1.0).collect();
    let sums: Vec<f64> = a.chunks(64).map(|row| row.iter().sum()).collect();
    cases.extend(types.map(|(function, ty)| {
        case(function, vec![array(ty, &[5, 64], &a)], vec![(undefined(ty, &[5]), sums.clone())])
    }));
    cases
}

/// Two rows: the difference of each number from the maximum, and the sum of the differences.
fn softmax(function: &'static str, columns: usize) -> Case {
    let a = numbers(2 * columns, 1);
    let rows = a.chunks(columns).flat_map(|row| {
        let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.iter().map(|a| max - a).sum();
        row.iter().map(move |a| max - a + sum)
    });
    let result = (undefined(F32, &[2, columns]), rows.collect());
    case(function, vec![array(F32, &[2, columns], &a)], vec![result])
}

/// Each number of a row, its sum, and the sum of the squares of (number * count - sum).
fn layernorm(function: &'static str, rows: usize, columns: usize) -> Case {
    let a = numbers(rows * columns, 1);
    let result = a.chunks(columns).flat_map(|row| {
        let sum: f64 = row.iter().sum();
        let squares: f64 = row.iter().map(|a| (a * columns as f64 - sum).powi(2)).sum();
        row.iter().map(move |a| a + sum + squares)
    });
    let result = (undefined(F64, &[rows, columns]), result.collect());
    case(function, vec![array(F64, &[rows, columns], &a)], vec![result])
}

fn reduction() -> Vec<Case> {
    let a = numbers(32 * 20, 1);
    let sum = vec![a.iter().sum()];
    vec![
        row_sums("row_sum", 40, 30),
        row_max("row_max_dynamic", 37, 9),
        row_max("row_max_dynamic", 16, 1),
        row_max("row_max_dynamic", 3, 0),
        matmul("matmul_local", [16, 16, 24]),
        case("sum", vec![array(F32, &[32, 20], &a)], vec![(undefined(F32, &[]), sum)]),
    ]
}
